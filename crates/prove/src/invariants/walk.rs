//! Going through the slice from the root on: at each location, or each loop as a whole, candidates are gathered, made
//! inductive, and tidied, before what follows is looked at. So only what has been verified is carried on, and a long
//! program costs as much as its parts.
//!
//! Candidates are what the forward analysis found, templates at the heads of loops, what others propose, what guards and
//! assignments make true, and all of these carried along the edges.

use covenant_constraints::analysis::Facts;
use covenant_constraints::tuning::Tuning;
use covenant_constraints::{Evaluator, Model, Op, TermId, Terms, VarId};
use covenant_transition::flow::{Edge, LocationId};
use cranelift_entity::SecondaryMap;
use rustc_hash::{FxHashMap, FxHashSet};

use super::Hints;
use super::entail::{before, entail};
use super::forward::Forward;
use super::houdini::make_inductive;
use super::loops::Loop;
use super::oracle::Oracle;
use super::shapes::{Shapes, disjuncts, is_alternative};
use super::slice::Slice;
use super::templates::{Effort, templates};
use super::transport::Transport;
use crate::order::Component;

/// What is known by location, each condition a conjunct.
pub(super) type Conditions = SecondaryMap<LocationId, Vec<TermId>>;

/// What is tried at some locations.
pub(super) type Candidates = FxHashMap<LocationId, Vec<TermId>>;

pub(super) struct Walk<'a, 'f, 'o> {
    pub(super) slice: &'a Slice<'f>,
    pub(super) terms: &'a mut Terms,
    pub(super) shapes: &'a mut Shapes,
    pub(super) oracle: &'a mut Oracle<'o>,
    pub(super) forward: &'a Forward,
    pub(super) hints: &'a Hints,
    pub(super) effort: Effort,
    /// Further conditions to try at the heads of loops.
    pub(super) given: Candidates,
    /// Not to be reached, it is hoped.
    pub(super) targets: FxHashSet<LocationId>,
    /// Inductive; grows.
    pub(super) verified: &'a mut Conditions,
    pub(super) transport: Transport,
}

impl Walk<'_, '_, '_> {
    pub(super) fn run(&mut self) {
        let slice = self.slice;
        for &location in &slice.dead {
            self.verified[location] = vec![self.terms.ff()];
        }
        let sequence = &slice.order.sequence;
        let mut at = 0;
        while at < sequence.len() && !self.oracle.expired() {
            let end = slice.order.component_of(sequence[at]).map_or(at + 1, |c| c.end);
            self.part(at, end);
            at = end;
        }
    }

    /// One location outside loops, or one outermost loop.
    fn part(&mut self, start: usize, end: usize) {
        let slice = self.slice;
        let places = &slice.order.sequence[start..end];
        let mut candidates = Candidates::default();
        if end > start + 1 || slice.order.component_of(places[0]).is_some() {
            self.gather_loop(places, &mut candidates);
        } else {
            self.gather(places[0], None, &mut candidates);
        }
        for &location in places {
            self.complete(location, &mut candidates);
        }
        let (terms, shapes) = (&mut *self.terms, &mut *self.shapes);
        make_inductive(slice, terms, shapes, self.oracle, self.verified, &mut candidates, places);
        for &location in places {
            let mut all = std::mem::take(&mut self.verified[location]);
            all.extend(candidates.remove(&location).unwrap_or_default());
            self.verified[location] = tidy(self.terms, all, slice.tuning);
        }
    }

    /// Two rounds: the first finds what guards and assignments inside the loop make true, whatever holds at its head; the
    /// second starts from that, the ways into the loop, and templates.
    fn gather_loop(&mut self, places: &[LocationId], candidates: &mut Candidates) {
        let slice = self.slice;
        let mut loops: FxHashMap<LocationId, Loop> = FxHashMap::default();
        for &location in places {
            if let Some(component) = slice.order.component_of(location) {
                let known = |l: LocationId| {
                    let tried = candidates.get(&l).into_iter().flatten();
                    self.verified[l].iter().chain(tried).copied().collect()
                };
                let this = Loop::new(slice, self.terms, self.shapes, self.forward, &known, *component);
                loops.insert(location, this);
            }
            self.gather(location, loops.get(&location), candidates);
        }
        let first = std::mem::take(candidates);
        let mut pools: Vec<(Component, Vec<TermId>)> = Vec::new();
        for &location in places {
            pools.retain(|(component, _)| slice.order.is_member(component, location));
            let Some(this) = loops.get(&location) else {
                self.gather(location, None, candidates);
                self.propose(location, &pools, candidates);
                continue;
            };
            // What comes back is what the first round knew.
            for &back in slice.order.members(&this.component) {
                if !candidates.contains_key(&back)
                    && let Some(known) = first.get(&back)
                {
                    candidates.insert(back, known.clone());
                }
            }
            self.gather(location, None, candidates);
            self.propose(location, &pools, candidates);
            let mut made = templates(slice, self.terms, self.shapes, self.forward, this, self.effort);
            made.extend(self.given.get(&location).into_iter().flatten());
            made.extend(self.hints.seeds.get(&location).into_iter().flatten());
            let mut seen = FxHashSet::default();
            made.retain(|c| seen.insert(*c) && slice.can_say(location, &self.shapes.of(self.terms, *c)));
            self.keep_entered(this, candidates, &mut made);
            candidates.entry(location).or_default().extend_from_slice(&made);
            let pool = self.pool(&this.component, made);
            pools.push((this.component, pool));
        }
    }

    /// Drops what does not hold when the loop is entered, even if all holds that is hoped for before it.
    fn keep_entered(&mut self, this: &Loop, candidates: &Candidates, made: &mut Vec<TermId>) {
        for (_, edge) in self.slice.edges_into(this.head) {
            if self.slice.order.is_member(&this.component, edge.from) || self.forward.state(edge.from).is_none() {
                continue;
            }
            let mut known = self.verified[edge.from].clone();
            known.extend(candidates.get(&edge.from).into_iter().flatten());
            for &var in self.slice.live(edge.from) {
                if let Some(range) = self.forward.known(edge.from, var) {
                    known.extend(range.conditions(self.terms, var));
                }
            }
            let failed: FxHashSet<TermId> =
                entail(self.terms, self.shapes, self.oracle, edge, &known, made).failed.into_iter().collect();
            made.retain(|c| !failed.contains(c));
        }
    }

    /// Conditions for the head of a loop, and what they are called inside it, where values have other names.
    fn pool(&mut self, component: &Component, made: Vec<TermId>) -> Vec<TermId> {
        let slice = self.slice;
        let mut pool = made;
        let mut seen: FxHashSet<TermId> = pool.iter().copied().collect();
        let mut done = 0;
        for round in 0..slice.tuning.walk_pool_rounds {
            let end = pool.len();
            for &location in slice.order.members(component) {
                // Back at the head all variables change; inside, only copies are new names.
                let back = round == 0 && location == component.head;
                for (_, edge) in slice.edges_into(location) {
                    if pool.len() < slice.tuning.walk_pool && slice.order.is_member(component, edge.from) {
                        self.rename(edge, back, done..end, &mut pool, &mut seen);
                    }
                }
            }
            done = end;
        }
        pool
    }

    /// Adds the conditions as they read before the edge, if it copies a variable that they mention.
    fn rename(
        &mut self,
        edge: &Edge,
        back: bool,
        which: std::ops::Range<usize>,
        pool: &mut Vec<TermId>,
        seen: &mut FxHashSet<TermId>,
    ) {
        let (copied, others): (Vec<_>, Vec<_>) =
            edge.assign.iter().partition(|(_, term)| self.terms.as_var(*term).is_some());
        if copied.is_empty() {
            return;
        }
        let mut memo = FxHashMap::default();
        for at in which {
            let shape = self.shapes.of(self.terms, pool[at]);
            let mentions = |all: &[(VarId, TermId)]| all.iter().any(|(v, _)| shape.mentions(*v));
            if !mentions(&copied) || (mentions(&others) && !back) {
                continue;
            }
            let condition = before(self.terms, self.shapes, edge, pool[at], &mut memo);
            let shape = self.shapes.of(self.terms, condition);
            let sayable = self.terms.as_bool(condition).is_none() && self.slice.can_say(edge.from, &shape);
            if sayable && seen.insert(condition) {
                pool.push(condition);
            }
        }
    }

    /// Where an edge sets a variable, what is hoped of it at the head may hold again although nothing before says so.
    fn propose(&mut self, location: LocationId, pools: &[(Component, Vec<TermId>)], candidates: &mut Candidates) {
        let mut set: Vec<VarId> = Vec::new();
        for (_, edge) in self.slice.edges_into(location) {
            set.extend(edge.assign.iter().map(|(v, _)| *v).filter(|v| self.slice.is_live(location, *v)));
        }
        if set.is_empty() {
            return;
        }
        for (_, pool) in pools {
            for &condition in pool {
                let shape = self.shapes.of(self.terms, condition);
                if set.iter().any(|v| shape.mentions(*v)) && self.slice.can_say(location, &shape) {
                    candidates.entry(location).or_default().push(condition);
                }
            }
        }
    }

    /// Takes in what comes along the edges. Into the head of a loop (`entering`) only what the loop cannot change.
    fn gather(&mut self, location: LocationId, entering: Option<&Loop>, candidates: &mut Candidates) {
        if location == self.slice.flow.root || self.forward.state(location).is_none() {
            return;
        }
        let outside = |edge: &&Edge| entering.is_none_or(|l| !self.slice.order.is_member(&l.component, edge.from));
        let edges: Vec<&Edge> = self
            .slice
            .edges_into(location)
            .map(|(_, edge)| edge)
            .filter(|edge| self.forward.state(edge.from).is_some())
            .filter(outside)
            .collect();
        let mut arriving: Vec<Vec<TermId>> = Vec::new();
        for edge in edges {
            if self.verified[edge.from].contains(&self.terms.ff()) {
                continue;
            }
            let mut known = self.verified[edge.from].clone();
            known.extend(candidates.get(&edge.from).into_iter().flatten());
            arriving.push(self.transport.carry(self.slice, self.terms, self.shapes, edge, &known));
        }
        let mut all = self.meet(arriving);
        if let Some(this) = entering {
            all.retain(|c| !self.shapes.of(self.terms, *c).vars.iter().any(|v| this.modified.contains(v)));
        }
        let most = self.slice.tuning.walk_carried;
        if all.len() > most {
            all.sort_by_key(|c| strength(self.terms, *c));
            all.truncate(most);
        }
        candidates.insert(location, all);
    }

    /// What arrives on all edges first; then the alternatives of two edges; then what arrives on some, which may hold on
    /// the others for another reason.
    fn meet(&mut self, mut arriving: Vec<Vec<TermId>>) -> Vec<TermId> {
        if arriving.len() <= 1 {
            return arriving.pop().unwrap_or_default();
        }
        let mut count: FxHashMap<TermId, usize> = FxHashMap::default();
        for condition in arriving.iter().flatten() {
            *count.entry(*condition).or_default() += 1;
        }
        let everywhere = |c: &TermId| count[c] == arriving.len();
        let mut all: Vec<TermId> = arriving[0].iter().copied().filter(|c| everywhere(c)).collect();
        let partial: Vec<Vec<TermId>> =
            arriving.iter().map(|side| side.iter().copied().filter(|c| !everywhere(c)).collect()).collect();
        if let [a, b] = &partial[..] {
            self.combine(a, b, &mut all);
        }
        let mut seen = FxHashSet::default();
        for condition in partial.into_iter().flatten() {
            let negation = self.terms.not(condition);
            // What is certainly false on another edge is no candidate.
            if !count.contains_key(&negation) && seen.insert(condition) {
                all.push(condition);
            }
        }
        all
    }

    fn combine(&mut self, a: &[TermId], b: &[TermId], all: &mut Vec<TermId>) {
        let tuning = self.slice.tuning;
        let mut simple = |side: &[TermId]| -> Vec<TermId> {
            let fits = |c: &&TermId| {
                !is_alternative(self.terms, **c) && self.shapes.of(self.terms, **c).size <= tuning.walk_combined_size
            };
            side.iter().filter(fits).take(tuning.walk_combined).copied().collect()
        };
        let (a, b) = (simple(a), simple(b));
        for &x in &a {
            for &y in &b {
                let either = self.terms.or(x, y);
                if self.terms.as_bool(either).is_none() {
                    all.push(either);
                }
            }
        }
    }

    /// Adds what is known or proposed of the location alone, and removes what runs have refuted.
    fn complete(&mut self, location: LocationId, candidates: &mut Candidates) {
        if location == self.slice.flow.root {
            candidates.remove(&location);
            return;
        }
        let mut all: Vec<TermId> = Vec::new();
        let reached = self.hints.samples.contains_key(&location);
        let unreachable = self.forward.state(location).is_none();
        if !reached && (unreachable || self.targets.contains(&location)) {
            all.push(self.terms.ff());
        }
        for &var in self.slice.live(location) {
            if let Some(known) = self.forward.known(location, var) {
                all.extend(known.conditions(self.terms, var));
            }
        }
        let seeds = self.hints.seeds.get(&location);
        all.extend(
            seeds
                .into_iter()
                .flatten()
                .copied()
                .filter(|c| self.shapes.of(self.terms, *c).vars.iter().all(|v| self.slice.flow.is_state(*v))),
        );
        all.extend(candidates.remove(&location).unwrap_or_default());
        let mut seen: FxHashSet<TermId> = self.verified[location].iter().copied().collect();
        all.retain(|c| self.terms.as_bool(*c) != Some(true) && seen.insert(*c));
        if let Some(models) = self.hints.samples.get(&location) {
            filter(self.terms, self.shapes, &mut all, models);
        }
        candidates.insert(location, all);
    }
}

/// Drops the candidates that are false in a state that a run was seen in.
pub(super) fn filter(terms: &Terms, shapes: &mut Shapes, conditions: &mut Vec<TermId>, models: &[Model]) {
    for model in models {
        let mut evaluator = Evaluator::new(terms, model);
        conditions.retain(|c| {
            let listed = shapes.of(terms, *c).vars.iter().all(|v| model.get(*v).is_some());
            !listed || evaluator.eval(*c).is_true()
        });
    }
}

/// The same said in fewer conditions: what others imply by their looks or by ranges is left out.
pub(super) fn tidy(terms: &mut Terms, mut all: Vec<TermId>, tuning: &Tuning) -> Vec<TermId> {
    let never = terms.ff();
    if all.contains(&never) {
        return vec![never];
    }
    let mut seen = FxHashSet::default();
    all.retain(|c| seen.insert(*c));
    all.sort_by_key(|c| strength(terms, *c));
    let mut implied: FxHashSet<TermId> = FxHashSet::default();
    let mut facts = Facts::new(tuning);
    let mut kept = Vec::new();
    for condition in all {
        let weaker =
            is_alternative(terms, condition) && disjuncts(terms, condition).iter().any(|d| implied.contains(d));
        let known = || facts.decide(terms, condition).is_some_and(|(holds, _)| holds);
        if weaker || implied.contains(&condition) || known() {
            continue;
        }
        if facts.assume(terms, condition, 0).is_err() {
            return vec![never];
        }
        kept.push(condition);
        implied.insert(condition);
        implied.extend(consequences(terms, condition));
    }
    kept
}

/// Equations say most, alternatives least.
fn strength(terms: &Terms, condition: TermId) -> u32 {
    match terms.op(condition) {
        Op::Eq => 0,
        Op::Slt | Op::Ult => 1,
        _ if is_alternative(terms, condition) => 3,
        _ => 2,
    }
}

/// Weaker comparisons of the same sides.
fn consequences(terms: &mut Terms, condition: TermId) -> Vec<TermId> {
    let node = *terms.node(condition);
    if node.args.len() != 2 || !matches!(terms.sort(node.args[0]), covenant_constraints::Sort::Bv(_)) {
        return Vec::new();
    }
    let (a, b) = (node.args[0], node.args[1]);
    match node.op {
        Op::Slt => vec![terms.sle(a, b), terms.ne(a, b)],
        Op::Ult => vec![terms.ule(a, b), terms.ne(a, b)],
        Op::Eq => vec![terms.sle(a, b), terms.sle(b, a), terms.ule(a, b), terms.ule(b, a)],
        _ => Vec::new(),
    }
}
