//! Proofs by invariants: conditions that hold whenever a location is reached, because each edge preserves them.
//!
//! * `slice` is the part of the flow that matters (`control`), [`order`](crate::order) how it is gone through;
//! * `forward` finds ranges, known bits and small sets of values by abstract interpretation (`value`, `map`);
//! * `templates` propose conditions at the heads of `loops`, `transport` carries conditions along edges, and
//!   `walk` brings all together, part by part;
//! * `houdini` keeps what is inductive: the only place where something becomes believed;
//! * `kinduction` proposes what a target itself suggests: that it is not reached within some iterations;
//! * `reduce` picks from an invariant what one target needs.
//!
//! An invariant maps locations to Boolean terms over variables of the state; a location that it does not list has
//! `true`, one with `false` is not reached. It is inductive: `true` at the root, and for each edge the term at its start and
//! its guards imply the term at its end with the assignments put in. Whatever is returned here has been checked edge by
//! edge; analyses and templates only propose.

mod control;
mod entail;
mod forward;
mod houdini;
mod kinduction;
mod loops;
mod map;
mod oracle;
mod reduce;
mod shapes;
mod slice;
mod templates;
#[cfg(test)]
pub(crate) mod tests;
mod transport;
mod value;
mod walk;

use std::collections::BTreeMap;

use covenant_constraints::solver::Solver;
use covenant_constraints::{Model, TermId, Terms};
use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashMap;

pub use self::oracle::Budget;

use covenant_transition::flow::{Flow, LocationId};

use self::oracle::Oracle;
use self::reduce::{Reasons, conjunction};
use self::shapes::Shapes;
use self::slice::Slice;
use self::templates::Effort;
use self::transport::Transport;
use self::walk::{Candidates, Conditions, Walk};

/// A Boolean term per location, inductive as a whole.
pub type Invariant = BTreeMap<LocationId, TermId>;

/// Which of the methods here proved something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Method {
    /// Ranges, comparisons of the program, steps of loops.
    Forward,
    /// Also relations between variables that the program does not compare, and flags.
    Templates,
    /// What the target itself suggests, so many iterations back.
    Induction(u32),
}

/// Why a target is not reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// What found it.
    pub method: Method,
    /// With `false` at the target; only what it needs.
    pub invariant: Invariant,
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// For each target that no run reaches.
    pub proofs: BTreeMap<LocationId, Proof>,
    /// All that was found, for all locations on ways to the targets.
    pub invariant: Invariant,
    /// Questions that the solver was asked.
    pub queries: u64,
}

impl Outcome {
    /// The targets that no run reaches.
    pub fn proved(&self) -> impl Iterator<Item = LocationId> + '_ {
        self.proofs.keys().copied()
    }
}

/// What others know: conditions worth trying, and states that runs were seen in.
#[derive(Clone, Debug, Default)]
pub struct Hints {
    /// Formulas worth trying, by location.
    pub seeds: FxHashMap<LocationId, Vec<TermId>>,
    /// A condition that is false in one of these is not tried. A variable that a model does not list is unknown.
    pub samples: FxHashMap<LocationId, Vec<Model>>,
}

/// Tries to show that no path of the flow reaches the targets. One call for many targets shares the work. A target that
/// runs were seen in is reached, and not tried.
pub fn prove(
    flow: &Flow,
    terms: &mut Terms,
    solver: &mut dyn Solver,
    targets: &[LocationId],
    budget: Budget<'_>,
    hints: &Hints,
) -> Outcome {
    prove_by(Method::Induction(u32::MAX), flow, terms, solver, targets, budget, hints)
}

/// The same by methods up to this one.
pub fn prove_by(
    most: Method,
    flow: &Flow,
    terms: &mut Terms,
    solver: &mut dyn Solver,
    targets: &[LocationId],
    budget: Budget<'_>,
    hints: &Hints,
) -> Outcome {
    let open = |t: &LocationId| *t != flow.root && !hints.samples.contains_key(t);
    let mut targets: Vec<LocationId> = targets.iter().copied().filter(open).collect();
    targets.sort_unstable();
    targets.dedup();
    let mut prover = Prover {
        flow,
        terms,
        shapes: Shapes::default(),
        oracle: Oracle::new(solver, budget),
        hints,
        verified: SecondaryMap::new(),
        proved: BTreeMap::new(),
    };
    prover.stage(&targets, Effort::Small, Method::Forward);
    if most > Method::Forward {
        let open = prover.open(&targets);
        prover.stage(&open, Effort::Large, Method::Templates);
        let open = prover.open(&targets);
        prover.inductions(&open);
    }
    prover.finish()
}

/// The alternatives of a condition, alone and two by two: what leads to a target often has to do with the way there, and only
/// a part of it is kept by the loop.
fn stronger(terms: &mut Terms, condition: TermId, most: usize) -> Vec<TermId> {
    let negated = terms.not(condition);
    let parts = shapes::conjuncts(terms, negated);
    if !(2..=most).contains(&parts.len()) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (i, &a) in parts.iter().enumerate() {
        found.push(terms.not(a));
        for &b in parts[i + 1..].iter().filter(|_| parts.len() > 2) {
            let both = terms.and(a, b);
            found.push(terms.not(both));
        }
    }
    found
}

struct Prover<'a> {
    flow: &'a Flow,
    terms: &'a mut Terms,
    shapes: Shapes,
    oracle: Oracle<'a>,
    hints: &'a Hints,
    /// Inductive.
    verified: Conditions,
    proved: BTreeMap<LocationId, Method>,
}

impl Prover<'_> {
    fn open(&self, targets: &[LocationId]) -> Vec<LocationId> {
        targets.iter().copied().filter(|t| !self.proved.contains_key(t)).collect()
    }

    /// One analysis for all these targets.
    fn stage(&mut self, targets: &[LocationId], effort: Effort, method: Method) {
        if targets.is_empty() || self.oracle.exhausted() {
            return;
        }
        let slice = Slice::new(self.flow, self.terms, &mut self.shapes, targets, self.oracle.tuning());
        let expired = || self.oracle.expired();
        let Some(forward) = forward::analyse(&slice, self.terms, &mut self.shapes, &expired) else { return };
        let given = if effort == Effort::Large { self.wanted(&slice, targets) } else { Candidates::default() };
        Walk {
            slice: &slice,
            terms: self.terms,
            shapes: &mut self.shapes,
            oracle: &mut self.oracle,
            forward: &forward,
            hints: self.hints,
            effort,
            given,
            targets: targets.iter().copied().collect(),
            verified: &mut self.verified,
            transport: Transport::default(),
        }
        .run();
        self.note(targets, method);
    }

    /// What the targets suggest at the heads of loops.
    fn wanted(&mut self, slice: &Slice<'_>, targets: &[LocationId]) -> Candidates {
        let (mut wanted, tuning) = (Candidates::default(), slice.tuning);
        for &target in targets {
            if self.oracle.expired() {
                break;
            }
            let mut unrolled = kinduction::Unrolling::new(slice, self.terms, target);
            unrolled.deepen(slice, self.terms, &mut self.shapes);
            let (found, _) = unrolled.candidates(slice, self.terms, &mut self.shapes);
            for (location, all) in found {
                let here = wanted.entry(location).or_default();
                if slice.order.component_of(location).is_some() && here.len() < tuning.induction_wanted {
                    let all: Vec<TermId> =
                        all.into_iter().filter(|c| *c != self.terms.ff()).take(tuning.induction_wanted).collect();
                    let most = tuning.induction_alternatives;
                    let parts: Vec<TermId> = all.iter().flat_map(|&c| stronger(self.terms, c, most)).collect();
                    here.extend(all);
                    here.extend(parts.into_iter().take(tuning.induction_parts));
                }
            }
        }
        wanted
    }

    fn note(&mut self, targets: &[LocationId], method: Method) {
        for &target in targets {
            if self.verified[target].contains(&self.terms.ff()) {
                self.proved.entry(target).or_insert(method);
            }
        }
    }

    fn inductions(&mut self, targets: &[LocationId]) {
        if targets.is_empty() || self.oracle.exhausted() {
            return;
        }
        let slice = Slice::new(self.flow, self.terms, &mut self.shapes, targets, self.oracle.tuning());
        for &target in targets {
            // What excludes one target may exclude others too.
            if let Some(depth) = self.induction(&slice, target) {
                self.note(targets, Method::Induction(depth));
            }
        }
    }

    /// How many rounds back it took to exclude the target.
    fn induction(&mut self, slice: &Slice<'_>, target: LocationId) -> Option<u32> {
        let mut unrolled = kinduction::Unrolling::new(slice, self.terms, target);
        let limit = self.oracle.asked + slice.tuning.induction_queries;
        for depth in 1..=slice.tuning.induction_depth {
            let enough = self.oracle.exhausted() || self.oracle.asked > limit || self.proved.contains_key(&target);
            if enough || !unrolled.deepen(slice, self.terms, &mut self.shapes) {
                return None;
            }
            for (edge, good) in unrolled.entries(slice, self.terms) {
                let (terms, shapes, oracle) = (&mut *self.terms, &mut self.shapes, &mut self.oracle);
                if !entail::entail(terms, shapes, oracle, edge, &self.verified[edge.from], &[good]).failed.is_empty() {
                    return None;
                }
            }
            let (mut found, places) = unrolled.candidates(slice, self.terms, &mut self.shapes);
            for (location, all) in &mut found {
                let models = self.hints.samples.get(location).map_or(&[][..], |m| m);
                walk::filter(self.terms, &mut self.shapes, all, models);
            }
            if self.excludes(slice, found, &places, target) {
                return Some(depth);
            }
        }
        None
    }

    /// Whether what is inductive of the candidates excludes the target; then it is kept.
    fn excludes(
        &mut self,
        slice: &Slice<'_>,
        mut found: Candidates,
        places: &[LocationId],
        target: LocationId,
    ) -> bool {
        for &location in places {
            let known = &self.verified[location];
            found.entry(location).or_default().retain(|c| !known.contains(c));
        }
        let (terms, shapes, oracle) = (&mut *self.terms, &mut self.shapes, &mut self.oracle);
        houdini::make_inductive(slice, terms, shapes, oracle, &self.verified, &mut found, places);
        if !found.get(&target).is_some_and(|all| all.contains(&self.terms.ff())) {
            return false;
        }
        for &location in places {
            let mut all = std::mem::take(&mut self.verified[location]);
            all.extend(found.remove(&location).unwrap_or_default());
            self.verified[location] = walk::tidy(self.terms, all, slice.tuning);
        }
        true
    }

    fn finish(mut self) -> Outcome {
        let mut outcome = Outcome::default();
        for location in self.flow.locations.keys() {
            let all = &self.verified[location];
            if !all.is_empty() {
                outcome.invariant.insert(location, conjunction(self.terms, all));
            }
        }
        let mut reasons = Reasons {
            flow: self.flow,
            terms: self.terms,
            shapes: &mut self.shapes,
            oracle: &mut self.oracle,
            conditions: &self.verified,
            known: FxHashMap::default(),
        };
        for (&target, &method) in &self.proved {
            let invariant = reasons.of(target).unwrap_or_else(|| outcome.invariant.clone());
            outcome.proofs.insert(target, Proof { method, invariant });
        }
        outcome.queries = self.oracle.asked;
        outcome
    }
}
