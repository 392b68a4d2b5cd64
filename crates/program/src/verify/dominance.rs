//! The check that definitions dominate uses.

use cranelift_entity::SecondaryMap;

use super::body::{BodyChecker, op_values, terminator_values};
use super::{Def, Place, Rule};
use crate::analysis::Dominators;
use crate::ir::{Block, Inst, Value};

/// Where a value comes to be: its block, and its instruction's place there (`None`: a parameter).
type Site = (Block, Option<usize>);

pub(super) fn check(this: &mut BodyChecker<'_, '_>) {
    let body = this.body;
    let dominators = Dominators::new(body);
    let mut home: SecondaryMap<Inst, Option<(Block, usize)>> = SecondaryMap::new();
    for (block, data) in &body.blocks {
        for (at, inst) in data.insts.iter().enumerate() {
            home[*inst] = Some((block, at));
        }
    }
    let site = |value: Value| -> Option<Site> {
        match body.values[value].def {
            Def::Param { block, .. } => Some((block, None)),
            Def::Result { inst, .. } => home[inst].map(|(block, at)| (block, Some(at))),
            Def::Const(_) => None,
        }
    };
    let available = |value: Value, block: Block, at: usize| match site(value) {
        Some((home, defined)) if home == block => defined.is_none_or(|d| d < at),
        Some((home, _)) => dominators.is_reachable(home) && dominators.dominates(home, block),
        None => true,
    };
    for (block, data) in body.blocks.iter().filter(|(b, _)| dominators.is_reachable(*b)) {
        for (at, inst) in data.insts.iter().enumerate() {
            for value in op_values(&body.insts[*inst].op).into_iter().filter(|v| !available(*v, block, at)) {
                let place = Place::Inst(this.id, block, *inst);
                this.checker.report(Rule::Dominance, place, format!("{value} may not be defined yet"));
            }
        }
        let end = data.insts.len();
        for value in terminator_values(&data.term).into_iter().filter(|v| !available(*v, block, end)) {
            let place = Place::Block(this.id, block);
            this.checker.report(Rule::Dominance, place, format!("{value} may not be defined at the end"));
        }
    }
}
