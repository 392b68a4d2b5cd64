//! Edges around labels: a label is no way of its own, so strategies look for the ways that lead past it.

use std::collections::HashMap;

use covenant_concolic::Subject;
use covenant_concolic::run::Run;
use covenant_goals::{ObjectiveId, Place};
use covenant_program::ir::{Block, Body, FuncId, Inst, Op};
use rustc_hash::FxHashSet;

use crate::cfg::{Cfg, ENTRY, Edge, edge_of};

/// The edges whose paths lead past labels, with the objectives there: a strategy that takes them again in other ways finds
/// more label obligations.
pub(crate) fn edges_at_labels(subject: &Subject) -> HashMap<Edge, Vec<ObjectiveId>> {
    let mut blocks: HashMap<FuncId, HashMap<Inst, Block>> = HashMap::new();
    let mut found: HashMap<Edge, Vec<ObjectiveId>> = HashMap::new();
    for (id, objective) in (0..).map(ObjectiveId).zip(&subject.objectives) {
        for place in &objective.places {
            let Place::Label(function, inst, _) = *place else { continue };
            let Some(body) = &subject.image.function(function).body else { continue };
            let holders = blocks.entry(function).or_insert_with(|| {
                let of = |block: Block| body.blocks[block].insts.iter().map(move |&inst| (inst, block));
                body.blocks.keys().flat_map(of).collect()
            });
            let Some(&block) = holders.get(&inst) else { continue };
            for edge in edges_of_block(subject, function, block, inst) {
                let ids = found.entry(edge).or_default();
                if ids.last() != Some(&id) {
                    ids.push(id);
                }
            }
        }
    }
    found
}

/// The edges around one label.
pub(crate) fn edges_around(subject: &Subject, function: FuncId, inst: Inst) -> Vec<Edge> {
    let Some(body) = &subject.image.function(function).body else { return Vec::new() };
    let mut holders = body.blocks.iter().filter(|(_, data)| data.insts.contains(&inst));
    holders.next().map_or_else(Vec::new, |(block, _)| edges_of_block(subject, function, block, inst))
}

fn edges_of_block(subject: &Subject, function: FuncId, block: Block, inst: Inst) -> Vec<Edge> {
    let Some(body) = &subject.image.function(function).body else { return Vec::new() };
    let place = |edge: Option<(Block, u32)>| {
        edge.map_or(Place::Entry(function), |(block, way)| Place::Edge(function, block, way))
    };
    around(body, block, inst).into_iter().filter_map(|edge| edge_of(&subject.image, place(edge))).collect()
}

/// Whether a run took an edge.
pub(crate) fn takes(run: &Run, &(function, pc, way): &Edge) -> bool {
    match pc {
        ENTRY => run.entered[function as usize],
        _ => run.edges[function as usize].contains_key(&(pc, way)),
    }
}

/// Whether a label is in a block that control leaves in several ways: whoever passes the label comes to one of them, as the
/// map shows it. Behind a call that never comes back it shows none.
pub(crate) fn is_before_branch(subject: &Subject, cfg: &Cfg, function: FuncId, inst: Inst) -> bool {
    let Some(body) = &subject.image.function(function).body else { return false };
    let Some((block, data)) = body.blocks.iter().find(|(_, data)| data.insts.contains(&inst)) else { return false };
    let Some(first) = edge_of(&subject.image, Place::Edge(function, block, 0)) else { return false };
    let mut points = cfg.all(first).iter();
    let mut comes_back = || points.any(|&point| !cfg.before(point).is_empty());
    data.term.edges().len() > 1 && (!calls_after(body, block, inst) || comes_back())
}

/// Whether something is called behind an instruction in its block.
fn calls_after(body: &Body, block: Block, inst: Inst) -> bool {
    let behind = body.blocks[block].insts.iter().skip_while(|&&other| other != inst);
    behind.into_iter().any(|&other| matches!(body.insts[other].op, Op::Call(_)))
}

/// The ways out of a block, if it has several, or else those that lead into it; `None` is the entry of the function. Both, if
/// a call behind the label may never come back.
fn around(body: &Body, block: Block, label: Inst) -> Vec<Option<(Block, u32)>> {
    let ways = body.blocks[block].term.edges().len() as u32;
    let mut found = Vec::new();
    if ways > 1 {
        found.extend((0..ways).map(|way| Some((block, way))));
        if !calls_after(body, block, label) {
            return found;
        }
    }
    let (mut seen, mut work) = (FxHashSet::default(), vec![block]);
    while let Some(to) = work.pop() {
        if !seen.insert(to) {
            continue;
        }
        found.extend((to == Block::ENTRY).then_some(None));
        for (from, data) in &body.blocks {
            let edges = data.term.edges();
            for (way, _) in (0..).zip(&edges).filter(|(_, edge)| edge.block == to) {
                if edges.len() > 1 {
                    found.push(Some((from, way)));
                } else {
                    work.push(from);
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use covenant_program::ir::text;

    use super::*;

    /// Both edges into a loop that control leaves nowhere are around what is inside it.
    #[test]
    fn a_loop_of_single_ways_is_entered_from_before() {
        let program = r#"
fn0 = function "f"(i1) {
bb0(v0: i1):
    branch v0, bb1, bb2
bb1:
    jump bb2
bb2:
    label 0, v0
    jump bb3
bb3:
    jump bb2
}
"#;
        let program = text::parse(program).expect("the program is right");
        let body = program.functions.values().next().and_then(|f| f.body.as_ref()).expect("one function");
        let block = Block::from_u32(2);
        let mut found = around(body, block, body.blocks[block].insts[0]);
        found.sort_unstable();
        assert_eq!(found, [Some((Block::ENTRY, 0)), Some((Block::ENTRY, 1))]);
    }
}
