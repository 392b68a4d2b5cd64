//! BoundedQuery: one question about all ways at once, where no single decision is sure to gain something.
//!
//! A way to an open branch is sure to gain; so these are tried first, as they are cheap. What is still open then is asked for
//! by leaps with few turns of each loop, then with more, as long as the questions are small. Larger ones wait until paths
//! have been in vain for a while, and each time for longer. Where a leap left nothing out and the solver knows no way, paths
//! come to an end and go on for longer; if little is open, the cheapest prover is asked before them.

use std::rc::Rc;

use covenant_concolic::run::Run;
use covenant_constraints::solver::{Answer, Query};
use covenant_constraints::tuning::Tuning;
use covenant_constraints::{Model, Op, Sort, TermId, Terms};
use covenant_goals::{Contradiction, ObjectiveId, Status};
use covenant_transition::flow::LocationId;
use covenant_transition::trace::{Questions, Visitor, follow};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Campaign, Observer};
use crate::bounded::{self, Encoder, Encoding, Plan};
use crate::strategy::StrategyKind;

/// What leaps came to so far.
#[derive(Debug)]
pub(super) struct BoundedQuery {
    /// Turns of each loop in the next one.
    turns: u32,
    /// The weight of questions that are asked.
    largest: usize,
    /// There is nothing more to try.
    over: bool,
    /// The last one left nothing out, and what is open was not found: all paths come to an end.
    pub(super) in_vain: bool,
    unanswered: u32,
    /// The next one comes after so many flips in vain.
    wait: u64,
    /// Objectives that the solver knew no way to, and what it was asked.
    asked: FxHashMap<ObjectiveId, TermId>,
    /// BoundedQuery in a row that found ways to nothing though they came to all that was open.
    fruitless: usize,
}

impl BoundedQuery {
    pub(super) fn new(tuning: &Tuning) -> Self {
        BoundedQuery {
            turns: tuning.bounded_first_unwinding,
            largest: tuning.bounded_small,
            over: false,
            in_vain: false,
            unanswered: 0,
            wait: tuning.bounded_first_wait,
            asked: FxHashMap::default(),
            fruitless: 0,
        }
    }
}

/// What a leap may lead to.
struct Landing {
    objective: ObjectiveId,
    /// On the inputs.
    condition: TermId,
    /// How hard the question is.
    size: usize,
}

impl Campaign<'_> {
    /// What is sure to gain, and leaps as long as questions are small. `Some`: the campaign ends.
    pub(super) fn search_ahead(&mut self, observer: &mut dyn Observer) -> Result<Option<Status>, Contradiction> {
        let ended = self.leap_ahead(observer);
        self.pilot.leave_direct_flips();
        ended
    }

    fn leap_ahead(&mut self, observer: &mut dyn Observer) -> Result<Option<Status>, Contradiction> {
        let edges = self.arc.as_ref().map_or(usize::MAX, |arc| arc.flow.edges.len());
        // Who guides the search knows better which ways matter.
        let guided = self.settings.strategy.kind == StrategyKind::Guided || self.settings.loop_bound.is_some();
        let many = edges > self.settings.tuning.bounded_most_edges
            || self.ledger.counts().2 > self.settings.tuning.bounded_most_open;
        self.leaps.over = many || self.has_labels() || guided;
        if self.leaps.over {
            return Ok(None);
        }
        let mut asks = true;
        while asks
            && !self.leaps.over
            && self.leaps.turns <= self.settings.tuning.bounded_early_unwinding
            && self.is_leaping_worth_it()
        {
            if let Some(status) = self.take_direct_flips(observer)? {
                return Ok(Some(status));
            }
            asks = self.leap(observer)?;
            if let Some(status) = self.is_over(observer) {
                return Ok(Some(status));
            }
        }
        // Without loops paths come to an end soon.
        if self.leaps.in_vain && self.pilot.loops && self.ledger.counts().2 <= self.settings.tuning.bounded_few_open {
            self.prove_open(true)?;
        }
        (self.leaps.turns, self.leaps.largest) =
            (self.settings.tuning.bounded_late_unwinding, self.settings.tuning.bounded_large);
        Ok(self.is_over(observer))
    }

    /// Whether another leap may find something, with more turns.
    fn is_leaping_worth_it(&self) -> bool {
        self.leaps.fruitless == 0
            || self.leaps.fruitless == 1 && self.ledger.counts().2 <= self.settings.tuning.bounded_few_open
    }

    /// Asks larger questions if paths have been in vain for long enough.
    pub(super) fn leap_if_due(&mut self, in_vain: u64, observer: &mut dyn Observer) -> Result<(), Contradiction> {
        if self.leaps.over || in_vain < self.leaps.wait {
            return Ok(());
        }
        let covered = self.ledger.counts().0;
        self.leap(observer)?;
        if self.ledger.counts().0 == covered {
            self.leaps.wait *= 2;
        }
        Ok(())
    }

    /// A leap, and a run for each open objective that it finds a way to. Whether no question was too large.
    fn leap(&mut self, observer: &mut dyn Observer) -> Result<bool, Contradiction> {
        let Some((run, leap, landings)) = self.land_far() else {
            return Ok(false);
        };
        let path: Vec<TermId> = run.events[..leap.events].iter().map(|event| event.constraint).collect();
        let (mut all, mut size) = (true, 0);
        let (most, unanswered) = if self.leaps.largest == self.settings.tuning.bounded_small {
            (u64::MAX, self.settings.tuning.bounded_first_unanswered)
        } else {
            (
                self.settings.tuning.bounded_weight_per_flip * self.leaps.wait,
                self.settings.tuning.bounded_most_unanswered,
            )
        };
        let covered = self.ledger.counts().0;
        for landing in landings {
            if self.leaps.unanswered >= unanswered || self.is_over(observer).is_some() {
                all = false;
                break;
            }
            if !self.ledger.is_open(landing.objective) {
                continue;
            }
            size += landing.size;
            if landing.size > self.leaps.largest || size as u64 > most {
                all = false;
                break;
            }
            match self.ask_leap(&path, landing.condition, &run.inputs) {
                Some(inputs) => self.explore(Rc::new(inputs), None, observer)?,
                None => {
                    self.leaps.asked.insert(landing.objective, landing.condition);
                }
            }
        }
        let gained = self.ledger.counts().0 > covered;
        tracing::debug!(target: "bounded", unwinding = self.leaps.turns, size, gained, all, "asked");
        let unseen = self.ledger.open().any(|id| !self.leaps.asked.contains_key(&id));
        self.leaps.fruitless = if gained || unseen { 0 } else { self.leaps.fruitless + 1 };
        let asked = all && self.leaps.unanswered == 0;
        let whole = asked && leap.whole && leap.cut.is_none_or(|cut| self.is_excluded(&path, cut, &run.inputs));
        if all || self.leaps.largest == self.settings.tuning.bounded_small {
            self.leaps.turns *= 2;
        }
        self.leaps.in_vain = whole;
        self.leaps.over = whole
            || self.leaps.unanswered >= self.settings.tuning.bounded_most_unanswered
            || self.leaps.turns > self.settings.tuning.bounded_most_unwinding;
        Ok(all)
    }

    /// With as many turns as questions stay small for: one with fewer is part of them, and would be asked in vain.
    fn land_far(&mut self) -> Option<(Run, Encoding, Vec<Landing>)> {
        let (mut run, mut leap) = self.land()?;
        let mut landings = self.landings(&leap);
        while self.leaps.largest == self.settings.tuning.bounded_small
            && leap.cut.is_some()
            && self.leaps.turns < self.settings.tuning.bounded_early_unwinding
        {
            self.leaps.turns *= 2;
            let further = self.land().and_then(|(run, further)| {
                // Where values are lost on long ways, those of short ones may be lost with them.
                let all = further.reached.len() >= leap.reached.len() && further.whole >= leap.whole;
                let landings = if all { self.landings(&further) } else { return None };
                landings
                    .iter()
                    .all(|landing| landing.size <= self.settings.tuning.bounded_small)
                    .then_some((run, further, landings))
            });
            let Some(further) = further else {
                self.leaps.turns /= 2;
                break;
            };
            (run, leap, landings) = further;
        }
        Some((run, leap, landings))
    }

    /// Follows a run to where the function under test begins, and leaps from there.
    fn land(&mut self) -> Option<(Run, Encoding)> {
        let arc = self.arc.as_ref()?;
        let (first, last) = (Rc::clone(arc.runs.first()?), Rc::clone(arc.runs.last()?));
        let flow = Rc::clone(&arc.flow);
        let open = self.ledger.open().flat_map(|id| flow.target(id).locations.iter().copied());
        let targets: FxHashSet<LocationId> = open.collect();
        let starts = bounded::starts(&flow);
        if targets.is_empty() || starts.is_empty() {
            return None;
        }
        let plan = Plan::new(&flow, &self.cx.terms, starts, targets, self.leaps.turns);
        let jump = Rc::new(Encoder::new(plan));
        let visitor: Rc<dyn Visitor> = Rc::clone(&jump) as _;
        let questions = Questions { visitor: Some(visitor), stop: true, ..Questions::default() };
        // The first may end before: its inputs are not what the user assumes.
        for inputs in [first, last] {
            let limits = self.settings.limits();
            let (run, _) = follow(self.subject, limits, &mut self.cx, inputs, Some((&flow, &questions)));
            self.stats.instructions += run.instructions;
            if let Some(leap) = jump.take() {
                self.pilot.work += self.settings.tuning.bounded_work_per_step * leap.steps as u64;
                return Some((run, leap));
            }
        }
        None
    }

    /// The open objectives that the leap comes to and that were not asked for in vain, those with small questions first.
    fn landings(&mut self, leap: &Encoding) -> Vec<Landing> {
        let mut found = Vec::new();
        let Some(arc) = &self.arc else { return found };
        // Without loops, what was tried in vain is for paths, which come to an end.
        let tried = if self.pilot.loops {
            FxHashSet::default()
        } else {
            self.pilot.refuted(&self.wanted, self.settings.tuning.paths_most_failed)
        };
        for objective in self.ledger.open().filter(|id| !tried.contains(id)) {
            let at = &arc.flow.target(objective).locations;
            let conditions = leap.reached.iter().filter(|(location, _)| at.contains(location)).map(|&(_, c)| c);
            let condition = self.cx.terms.or_all(conditions);
            let asked = self.leaps.asked.get(&objective) == Some(&condition);
            if self.cx.terms.as_bool(condition) != Some(false) && !asked {
                let size = weight(&self.cx.terms, condition, &self.settings.tuning);
                found.push(Landing { objective, condition, size });
            }
        }
        found.sort_by_key(|landing| landing.size);
        found
    }

    /// Inputs for which a leap lands.
    fn ask_leap(&mut self, path: &[TermId], goal: TermId, hint: &Model) -> Option<Model> {
        self.stats.iterations += 1;
        self.stats.hopeful_flips += 1;
        match self.solve_leap(path, goal, hint) {
            Answer::Sat(model) => Some(self.complete(model, path, goal, hint)),
            Answer::Unsat(_) => None,
            Answer::Unknown(_) => {
                self.leaps.unanswered += 1;
                None
            }
        }
    }

    fn is_excluded(&mut self, path: &[TermId], goal: TermId, hint: &Model) -> bool {
        weight(&self.cx.terms, goal, &self.settings.tuning) <= self.leaps.largest
            && self.solve_leap(path, goal, hint).is_unsat()
    }

    fn solve_leap(&mut self, path: &[TermId], goal: TermId, hint: &Model) -> Answer {
        let query = Query {
            path,
            goal,
            steps: self.settings.solver_steps / self.settings.tuning.bounded_haste,
            hint: Some(hint),
        };
        self.solver.solve(&mut self.cx.terms, &query)
    }
}

/// How hard a question is, without asking it: its terms, and what those are that solvers do not like.
fn weight(terms: &Terms, root: TermId, tuning: &Tuning) -> usize {
    let one = |term: TermId| {
        let is_const = |arg: TermId| terms.is_const(arg);
        match terms.op(term) {
            Op::Mul | Op::UDiv | Op::URem | Op::SDiv | Op::SRem if terms.node(term).args.iter().any(is_const) => {
                tuning.bounded_by_constant
            }
            Op::Mul | Op::UDiv | Op::URem | Op::SDiv | Op::SRem => tuning.bounded_by_any,
            _ if matches!(terms.sort(term), Sort::Float(_)) => tuning.bounded_float,
            _ => 1,
        }
    };
    terms.postorder(&[root]).into_iter().map(one).sum()
}
