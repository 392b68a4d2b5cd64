//! MC/DC: each condition of a decision is shown to change its outcome on its own.
//!
//! An evaluation of a decision is a *test vector*: the outcomes of the conditions that C's short-circuit rules evaluate, up
//! to the one that ends the decision. A condition is shown by two vectors that form a pair, see [`Rule`]; llvm-cov accepts
//! the pairs of [`Rule::Masking`].
//!
//! Which vector a run is in is not written in the program, so the code is made to remember it: a value that begins at 0
//! with the first condition and gets two bits on each edge that is an outcome of a condition. It is an ordinary SSA value in
//! parameters of blocks, so it belongs to one evaluation in one call. Labels are where a vector ends the decision.

use std::collections::{BTreeMap, HashMap, HashSet};

use covenant_program::coverage::edge_mapping::{self, Outcome as Mapped, Way};
use covenant_program::ir::insert::Inserter;
use covenant_program::ir::{BinaryOp, Block, Body, Edge, IntCmp, Loc, Terminator, Type, Value};
use serde::{Deserialize, Serialize};
use strum::{Display, EnumString};

use crate::Criterion;
use crate::criteria::decisions::{Shape, shapes};
use crate::criteria::{Labels, Maker, Needs, Profile, Site};
use crate::objective::{Objective, ObjectiveId, Outcome};
use crate::words::{Reason, ReasonKind};

pub(super) const PROFILE: Profile = Profile {
    about: "Each condition of each decision changes its outcome on its own (MC/DC), with decisions and statements where branches are not asked for; see --mcdc",
    nouns: ("MC/DC condition", "MC/DC conditions"),
    needs: Needs::Decisions,
    ..Profile::new(make)
};

/// Vectors of one decision beyond which it is left open.
const MOST_VECTORS: usize = 2048; // not tuning: which objectives there are
/// Conditions that a vector has room for.
const MOST_CONDITIONS: usize = 60; // not tuning: what fits into a word

/// Which two vectors show that a condition matters. Their outcomes differ, and so do those of the condition in them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Display, EnumString, Serialize, Deserialize)]
#[strum(serialize_all = "kebab-case")]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// All other conditions that both evaluate have the same outcome. This is what llvm-cov counts: as the two
    /// evaluations go the same way up to the condition, only what it masks can differ.
    #[default]
    Masking,
    /// The same, but the condition must be the only one that can change: where the source has it twice in the decision, no
    /// pair is good enough.
    UniqueCause,
    /// Occurrences of the condition in the same decision may change with it (restricted active clause coverage).
    Racc,
    /// Other conditions may change too, as long as the condition decides the outcome in both (correlated active clause
    /// coverage).
    Cacc,
}

/// What an evaluation of a decision did, condition by condition; `None` is not evaluated.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Vector {
    /// Of each condition; `None` where it is not evaluated.
    pub conditions: Vec<Option<bool>>,
    /// The condition that ended it.
    pub last: usize,
    /// Of the whole decision.
    pub outcome: bool,
}

impl Vector {
    /// `T-F`, as llvm-cov writes it.
    pub fn text(&self) -> String {
        let letter = |c: &Option<bool>| match c {
            Some(true) => 'T',
            Some(false) => 'F',
            None => '-',
        };
        self.conditions.iter().map(letter).collect()
    }

    /// The bits that stand for the conditions before the last one.
    pub(crate) fn prefix(&self) -> u128 {
        let known = |i: usize| self.conditions[i].filter(|_| i != self.last).map_or(0, |o| code(i, o));
        (0..self.conditions.len()).map(known).fold(0, |a, b| a | b)
    }
}

fn code(condition: usize, outcome: bool) -> u128 {
    (if outcome { 2 } else { 1 }) << (2 * condition)
}

/// What comes after a condition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// This condition is evaluated next.
    Condition(usize),
    /// The outcome of the decision.
    End(bool),
}

/// A decision without its place: for each condition what comes next when it is true, and when it is false.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagram {
    /// The condition that is evaluated first.
    pub first: Next,
    /// For each condition: what comes next if it is false, and if it is true.
    pub next: Vec<[Next; 2]>,
}

impl Diagram {
    /// What comes after an outcome of a condition.
    pub(crate) fn after(&self, condition: usize, outcome: bool) -> Next {
        self.next[condition][usize::from(!outcome)]
    }

    /// The decision without a condition that always has this outcome.
    pub(crate) fn without(self, condition: usize, outcome: bool) -> Diagram {
        let instead = self.after(condition, outcome);
        let renumbered = |next: Next| {
            let next = if next == Next::Condition(condition) { instead } else { next };
            match next {
                Next::Condition(i) if i > condition => Next::Condition(i - 1),
                next => next,
            }
        };
        let mut next: Vec<[Next; 2]> = self.next.iter().map(|pair| pair.map(renumbered)).collect();
        next.remove(condition);
        Diagram { first: renumbered(self.first), next }
    }

    /// All vectors; `None` if there are too many.
    pub fn vectors(&self) -> Option<Vec<Vector>> {
        let mut found = Vec::new();
        let mut work = Vec::new();
        if let Next::Condition(first) = self.first {
            work.push((first, vec![None; self.next.len()]));
        }
        while let Some((at, conditions)) = work.pop() {
            for now in [false, true] {
                let mut conditions: Vec<Option<bool>> = conditions.clone();
                conditions[at] = Some(now);
                match self.after(at, now) {
                    Next::Condition(next) => work.push((next, conditions)),
                    Next::End(outcome) => found.push(Vector { conditions, last: at, outcome }),
                }
            }
            if found.len() + work.len() > MOST_VECTORS {
                return None;
            }
        }
        found.sort_by_key(Vector::text);
        Some(found)
    }

    /// Whether the outcome can be the other if one condition of a vector is the other way. What the vector did not
    /// evaluate may be anything.
    fn flips(&self, vector: &Vector, condition: usize) -> bool {
        let mut work = vec![self.first];
        while let Some(at) = work.pop() {
            match at {
                Next::End(outcome) if outcome != vector.outcome => return true,
                Next::End(_) => {}
                Next::Condition(i) => match vector.conditions[i] {
                    Some(known) => work.push(self.after(i, known != (i == condition))),
                    None => work.extend([true, false].map(|outcome| self.after(i, outcome))),
                },
            }
        }
        false
    }

    /// Pairs of vectors that show a condition. `texts` are the conditions as the source has them.
    pub fn pairs(&self, vectors: &[Vector], condition: usize, rule: Rule, texts: &[String]) -> Vec<[usize; 2]> {
        let twice = texts.iter().filter(|t| **t == texts[condition]).count() > 1;
        if rule == Rule::UniqueCause && twice {
            return Vec::new();
        }
        let agrees = |a: &Vector, b: &Vector| {
            (0..self.next.len()).filter(|&i| i != condition).all(|i| {
                let coupled = rule == Rule::Racc && texts[i] == texts[condition];
                let both = a.conditions[i].zip(b.conditions[i]);
                coupled || both.is_none_or(|(x, y)| x == y)
            })
        };
        let mut pairs = Vec::new();
        for (i, a) in vectors.iter().enumerate().filter(|(_, a)| a.conditions[condition] == Some(true)) {
            for (j, b) in vectors.iter().enumerate().filter(|(_, b)| b.conditions[condition] == Some(false)) {
                let shows = match rule {
                    Rule::Cacc => agrees(a, b) || (self.flips(a, condition) && self.flips(b, condition)),
                    _ => agrees(a, b),
                };
                if a.outcome != b.outcome && shows {
                    pairs.push([i, j]);
                }
            }
        }
        pairs
    }
}

fn make(maker: &mut Maker<'_>) {
    let rule = maker.wanted.mcdc;
    maker.each_with_decisions(|site, inserter, labels| {
        let Some(mapping) = site.mapping else { return };
        let sites: Sites =
            edge_mapping::branches(inserter.body(), mapping).into_iter().map(|s| (s.region, s)).collect();
        for shape in shapes(site, &sites) {
            of_decision(site, inserter, labels, &shape, &sites, rule);
        }
    });
}

/// What an edge of the body is in a decision: an outcome of a condition.
pub(crate) type Outcomes = HashMap<Way, (usize, bool)>;
/// The mapped branch regions.
pub(crate) type Sites = HashMap<usize, edge_mapping::BranchSite>;

fn of_decision(
    site: &Site<'_>,
    inserter: &mut Inserter<'_>,
    labels: &mut Labels<'_>,
    shape: &Shape,
    sites: &Sites,
    rule: Rule,
) {
    let texts: Vec<String> = shape.conditions.iter().map(|&region| site.region_text(region)).collect();
    let objective = |position: usize| {
        let outcome = Outcome::Independent;
        let mut objective = site.of_region(Criterion::Mcdc, shape.conditions[position], outcome);
        objective.text = format!("{} in {}", objective.text, shape.text);
        objective.decision = shape.number.map(|number| (number, position as u32));
        objective
    };
    let prepared = shape.diagram.clone().and_then(|diagram| {
        let vectors = diagram.vectors().ok_or_else(|| format!("it has more than {MOST_VECTORS} test vectors"))?;
        let outcomes = outcomes(inserter.body(), shape, sites)?;
        Ok((diagram, vectors, outcomes))
    });
    let (diagram, vectors, outcomes) = match prepared {
        Ok(prepared) => prepared,
        Err(why) => {
            let open = |i| Objective { unmapped: Some(Reason::new(ReasonKind::Model, why.as_str())), ..objective(i) };
            labels.objectives.extend((0..shape.conditions.len()).map(open));
            return;
        }
    };
    let first = labels.objectives.len() as u32;
    add_vectors(site, inserter, labels, shape, &diagram, &vectors, &outcomes);
    for position in 0..shape.conditions.len() {
        let pairs = diagram.pairs(&vectors, position, rule, &texts);
        let ids = |pair: [usize; 2]| pair.map(|i| ObjectiveId(first + i as u32)).to_vec();
        let parts = pairs.into_iter().map(ids).collect();
        labels.objectives.push(Objective { parts: Some(parts), ..objective(position) });
    }
}

/// Which edges are outcomes of which conditions. `Err`: why that is not known.
pub(crate) fn outcomes(body: &Body, shape: &Shape, sites: &Sites) -> Result<Outcomes, String> {
    if shape.conditions.len() > MOST_CONDITIONS {
        return Err(format!("it has more than {MOST_CONDITIONS} conditions"));
    }
    let mut found = Outcomes::new();
    for (position, region) in shape.conditions.iter().enumerate() {
        let Some(site) = sites.get(region) else {
            return Err("a condition of the decision is constant".to_owned());
        };
        for (outcome, mapped) in [(true, &site.on_true), (false, &site.on_false)] {
            let ways = match mapped {
                Mapped::Edges(ways) => ways,
                Mapped::Never => continue,
                Mapped::Always => return Err("a condition of the decision has no branch of its own".to_owned()),
                Mapped::Unmapped(reason) => return Err(reason.to_string()),
            };
            for way in ways {
                if !matches!(body.blocks[way.block].term, Terminator::Branch { .. }) {
                    return Err("a condition of the decision is not decided by a branch".to_owned());
                }
                if found.insert(*way, (position, outcome)).is_some() {
                    return Err("the compiler has joined two conditions of the decision".to_owned());
                }
            }
        }
    }
    match &shape.diagram {
        Ok(diagram) if shape.number.is_none() && !agrees(body, diagram, &found) => {
            Err("the code does not evaluate the conditions as the text says".to_owned())
        }
        _ => Ok(found),
    }
}

/// Whether the code goes from condition to condition as the decision says.
fn agrees(body: &Body, diagram: &Diagram, outcomes: &Outcomes) -> bool {
    let condition: HashMap<Block, usize> = outcomes.iter().map(|(way, (i, _))| (way.block, *i)).collect();
    outcomes.iter().all(|(way, &(i, outcome))| {
        let Next::Condition(next) = diagram.after(i, outcome) else { return true };
        let edges = body.blocks[way.block].term.edges();
        let mut work: Vec<Block> = edges.get(way.edge as usize).map(|edge| edge.block).into_iter().collect();
        let (mut seen, mut found) = (HashSet::new(), HashSet::new());
        while let Some(block) = work.pop() {
            match condition.get(&block) {
                Some(&i) => drop(found.insert(i)),
                None if seen.insert(block) => work.extend(body.blocks[block].term.edges().iter().map(|e| e.block)),
                None => {}
            }
        }
        found.len() == 1 && found.contains(&next)
    })
}

/// Makes the code remember vectors, and puts labels where they are complete.
fn add_vectors(
    site: &Site<'_>,
    inserter: &mut Inserter<'_>,
    labels: &mut Labels<'_>,
    shape: &Shape,
    diagram: &Diagram,
    vectors: &[Vector],
    outcomes: &Outcomes,
) {
    let (memory, ty) = remembered(inserter, diagram, outcomes);
    let mut ends: BTreeMap<(usize, bool), Vec<Way>> = BTreeMap::new();
    for (way, end) in outcomes {
        ends.entry(*end).or_default().push(*way);
    }
    ends.values_mut().for_each(|ways| ways.sort());
    for vector in vectors {
        let outcome = Outcome::Holds(format!("{} = {}", vector.text(), if vector.outcome { 'T' } else { 'F' }));
        let mut objective = site.of_span(Criterion::McdcVector, shape.span, outcome);
        objective.text.clone_from(&shape.text);
        let end = (vector.last, vector.conditions[vector.last].unwrap_or_default());
        let ways = ends.get(&end).map_or(&[][..], Vec::as_slice);
        let mut places = Vec::new();
        for &Way { block, edge } in ways {
            let Terminator::Branch { cond, .. } = inserter.body().blocks[block].term else { continue };
            inserter.at(inserter.body().blocks[block].term_loc);
            let Some(&before) = memory.get(&block) else { continue };
            let goes = if edge == 0 { cond } else { inserter.not(cond) };
            let wanted = inserter.constant(ty, vector.prefix());
            let same = inserter.int_cmp(IntCmp::Eq, before, wanted);
            let reached = inserter.and(goes, same);
            places.push(labels.place(site, inserter, reached));
            inserter.finish_group((block, None));
        }
        objective.places = places;
        labels.objectives.push(objective);
    }
}

/// Makes the code remember the vector so far: what holds it in the block of each condition, and its type.
pub(crate) fn remembered(
    inserter: &mut Inserter<'_>,
    diagram: &Diagram,
    outcomes: &Outcomes,
) -> (HashMap<Block, Value>, Type) {
    let ty = Type::Int((2 * diagram.next.len() as u32).next_power_of_two().max(8) as u8);
    (remember(inserter, diagram, outcomes, ty), ty)
}

/// Outcomes in an order that is the same each time.
pub(crate) fn in_order(outcomes: &Outcomes) -> impl Iterator<Item = (Way, (usize, bool))> + use<> {
    let mut all: Vec<(Way, (usize, bool))> = outcomes.iter().map(|(way, outcome)| (*way, *outcome)).collect();
    all.sort();
    all.into_iter()
}

/// Adds the value that remembers the vector so far; what it is in the block of each condition.
fn remember(inserter: &mut Inserter<'_>, diagram: &Diagram, outcomes: &Outcomes, ty: Type) -> HashMap<Block, Value> {
    let body = inserter.body();
    let of = |condition: usize| -> HashSet<Block> {
        outcomes.iter().filter(|(_, o)| o.0 == condition).map(|(way, _)| way.block).collect()
    };
    let starts = if let Next::Condition(first) = diagram.first { of(first) } else { HashSet::new() };
    let later: HashSet<Block> = outcomes.keys().map(|w| w.block).filter(|b| !starts.contains(b)).collect();
    let carriers = carriers(body, outcomes, &starts, &later);
    let zero = inserter.constant(ty, 0);
    let mut value: HashMap<Block, Value> = HashMap::new();
    for &block in &carriers {
        let param = inserter.param(block, ty);
        value.insert(block, param);
    }
    for &block in &starts {
        value.insert(block, zero);
    }
    let blocks: Vec<Block> = inserter.body().blocks.keys().collect();
    let is_carrier: HashSet<Block> = carriers.iter().copied().collect();
    for block in blocks {
        let targets: Vec<Block> = inserter.body().blocks[block].term.edges().iter().map(|e| e.block).collect();
        for (edge, target) in (0..).zip(targets) {
            if !is_carrier.contains(&target) {
                continue;
            }
            let arg = match outcomes.get(&Way { block, edge }) {
                Some(&(condition, outcome)) => {
                    let ends = matches!(diagram.after(condition, outcome), Next::End(_));
                    let before = value.get(&block).copied().unwrap_or(zero);
                    if ends { zero } else { extend(inserter, block, before, code(condition, outcome), zero) }
                }
                None => value.get(&block).copied().unwrap_or(zero),
            };
            push_arg(&mut inserter.body_mut().blocks[block].term, edge, arg);
        }
    }
    value.retain(|block, _| starts.contains(block) || later.contains(block));
    value
}

/// The value with two more bits.
fn extend(inserter: &mut Inserter<'_>, block: Block, before: Value, bits: u128, zero: Value) -> Value {
    let ty = inserter.ty(zero);
    let bits = inserter.constant(ty, bits);
    if before == zero {
        return bits;
    }
    inserter.at(Loc::NONE);
    let after = inserter.binary(BinaryOp::Or, before, bits);
    inserter.finish_shared((block, None));
    after
}

pub(crate) fn push_arg(term: &mut Terminator, edge: u32, arg: Value) {
    let add = |edge: &mut Edge| edge.args.push(arg);
    match (term, edge) {
        (Terminator::Jump(target), _) | (Terminator::Branch { then: target, .. }, 0) => add(target),
        (Terminator::Branch { other, .. }, _) => add(other),
        (Terminator::Switch { cases, default, .. }, n) => match cases.get_mut(n as usize) {
            Some((_, target)) => add(target),
            None => add(default),
        },
        (Terminator::Indirect { targets, .. }, n) => targets.get_mut(n as usize).into_iter().for_each(add),
        (Terminator::Return(_) | Terminator::Unreachable, _) => {}
    }
}

/// Blocks that must know the vector: later conditions, and what lies between a condition and a later one.
fn carriers(body: &Body, outcomes: &Outcomes, starts: &HashSet<Block>, later: &HashSet<Block>) -> Vec<Block> {
    let conditions: HashSet<Block> = outcomes.keys().map(|w| w.block).collect();
    let mut into: HashMap<Block, Vec<Block>> = HashMap::new();
    for (block, data) in &body.blocks {
        data.term.edges().iter().for_each(|edge| into.entry(edge.block).or_default().push(block));
    }
    // Behind conditions; an evaluation that begins anew remembers nothing.
    let mut behind: HashSet<Block> = HashSet::new();
    let mut work: Vec<Block> =
        conditions.iter().flat_map(|b| body.blocks[*b].term.edges()).map(|edge| edge.block).collect();
    while let Some(block) = work.pop() {
        if !starts.contains(&block) && behind.insert(block) {
            work.extend(body.blocks[block].term.edges().iter().map(|edge| edge.block));
        }
    }
    let mut needed: HashSet<Block> = HashSet::new();
    let mut work: Vec<Block> = later.iter().copied().collect();
    while let Some(block) = work.pop() {
        if needed.insert(block) {
            let before = into.get(&block).into_iter().flatten().filter(|b| !conditions.contains(b));
            work.extend(before.filter(|b| behind.contains(b)));
        }
    }
    let mut all: Vec<Block> = needed.into_iter().collect();
    all.sort();
    all
}

#[cfg(test)]
mod tests;
