//! Solving for tests across frontiers: many frontiers of one run at a time.

use std::rc::Rc;

use covenant_constraints::solver::{Answer, Query};
use covenant_constraints::{Evaluator, Model as Inputs, Op, Sort, TermId, Value, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Campaign;
use super::execute::execute;
use crate::prover::arc::frontier::Frontier;
use crate::prover::trace::Questions;
use crate::symbolic::{Event, EventKind};

/// Visits of the node before a frontier that are tried.
const MOST_TRIES: usize = 6;
/// What counts as small for something that had to be concrete.
const SMALL: u128 = 24;

/// What came of one frontier.
#[derive(Clone, Debug)]
pub(super) struct Attempt {
    pub(super) frontier: Frontier,
    /// The run whose path is followed up to the frontier.
    pub(super) run: u32,
    /// Inputs that should cross it.
    pub(super) inputs: Option<Rc<Inputs>>,
    /// What of the run's inputs changes, and all inputs that matter.
    pub(super) changes: Vec<(VarId, Value)>,
    pub(super) touched: FxHashSet<VarId>,
    /// A run was in a state from which the step should have been taken, and was not: the flow is too coarse here.
    pub(super) stands_there: bool,
}

/// Which constraints of a path have a variable.
struct Slices<'e> {
    events: &'e [Event],
    by_var: FxHashMap<VarId, Vec<u32>>,
    vars: Vec<Vec<VarId>>,
}

impl Campaign<'_> {
    /// Asks runs what it takes to cross each frontier, and the solver for inputs that do.
    pub(super) fn attempts(&mut self, open: &[Frontier]) -> Vec<Attempt> {
        let mut questions: FxHashMap<u32, Questions> = FxHashMap::default();
        let mut wanted: Vec<(Frontier, TermId, Vec<(u32, u32)>)> = Vec::new();
        for &frontier in open {
            let condition = self.step_condition(frontier);
            let Some(arc) = &self.arc else { continue };
            let terms = &mut self.cx.terms;
            let known = |c: &TermId| terms.variables(&[*c]).into_iter().all(|var| arc.flow.is_state(var));
            let known: Vec<TermId> = condition.into_iter().filter(known).collect();
            let goal = terms.and_all(known);
            let node = arc.model.node(frontier.from);
            let visits: Vec<(u32, u32)> = node.visits.iter().rev().take(MOST_TRIES).copied().collect();
            for &(run, ordinal) in &visits {
                let asked = questions.entry(run).or_default();
                asked.stop = true;
                asked.probes.entry((node.location, ordinal)).or_default().push(goal);
            }
            wanted.push((frontier, goal, visits));
        }
        let mut runs: Vec<u32> = questions.keys().copied().collect();
        runs.sort_unstable_by(|a, b| b.cmp(a));
        let mut attempts: FxHashMap<Frontier, Attempt> = FxHashMap::default();
        for run in runs {
            self.ask(run, &questions[&run], &wanted, &mut attempts);
        }
        wanted.iter().filter_map(|(frontier, ..)| attempts.remove(frontier)).collect()
    }

    /// Runs again on the inputs of a run and solves for what was asked.
    fn ask(
        &mut self,
        run: u32,
        questions: &Questions,
        wanted: &[(Frontier, TermId, Vec<(u32, u32)>)],
        attempts: &mut FxHashMap<Frontier, Attempt>,
    ) {
        let Some(arc) = &self.arc else { return };
        let (flow, inputs) = (Rc::clone(&arc.flow), Rc::clone(&arc.runs[run as usize]));
        let done = execute(self.subject, self.settings, &mut self.cx, inputs, Some((&flow, questions)));
        self.stats.instructions += done.instructions;
        let slices = Slices::new(&self.cx.terms, &done.events);
        let mut by_place: FxHashMap<(u32, TermId), (Option<TermId>, usize)> = FxHashMap::default();
        for answer in &done.answers {
            by_place
                .insert((answer.location.as_u32() ^ answer.ordinal << 20, answer.asked), (answer.term, answer.events));
        }
        for (frontier, goal, visits) in wanted {
            let found = attempts.get(frontier).is_some_and(|a| a.inputs.is_some());
            if found {
                continue;
            }
            let Some(arc) = &self.arc else { return };
            let location = arc.model.node(frontier.from).location;
            for &(_, ordinal) in visits.iter().filter(|(of, _)| *of == run) {
                let Some(&(term, events)) = by_place.get(&(location.as_u32() ^ ordinal << 20, *goal)) else { continue };
                let empty = || Attempt {
                    frontier: *frontier,
                    run,
                    inputs: None,
                    changes: Vec::new(),
                    touched: FxHashSet::default(),
                    stands_there: false,
                };
                let attempt = attempts.entry(*frontier).or_insert_with(empty);
                let Some(term) = term else {
                    attempt.stands_there = true;
                    continue;
                };
                if Evaluator::new(&self.cx.terms, &done.inputs).eval(term).is_true() {
                    attempt.stands_there = true;
                }
                if self.cx.terms.as_bool(term) == Some(false) {
                    continue;
                }
                if let Some((model, changes, touched)) = self.solve_across(&slices, term, events, &done.inputs) {
                    let attempt = attempts.entry(*frontier).or_insert_with(empty);
                    *attempt = Attempt { run, inputs: Some(Rc::new(model)), changes, touched, ..empty() };
                    break;
                }
            }
        }
    }

    /// The goal, and that what was concrete is small: lengths and sizes mostly are.
    fn small_pins(&mut self, slices: &Slices<'_>, vars: &FxHashSet<VarId>, events: usize, goal: TermId) -> TermId {
        let terms = &mut self.cx.terms;
        let mut goal = goal;
        for (i, event) in slices.events.iter().enumerate().take(events) {
            let is_pin = matches!(event.kind, EventKind::Pin(_)) && slices.vars[i].iter().any(|v| vars.contains(v));
            if !is_pin || terms.op(event.constraint) != Op::Eq {
                continue;
            }
            let (a, b) = (terms.arg(event.constraint, 0), terms.arg(event.constraint, 1));
            let value = if terms.is_const(a) { b } else { a };
            if let Sort::Bv(width @ 8..) = terms.sort(value) {
                let limit = terms.bv(SMALL, width);
                let is_small = terms.ult(value, limit);
                goal = terms.and(goal, is_small);
            }
        }
        goal
    }

    #[allow(clippy::type_complexity)]
    fn solve_across(
        &mut self,
        slices: &Slices<'_>,
        goal: TermId,
        events: usize,
        inputs: &Inputs,
    ) -> Option<(Inputs, Vec<(VarId, Value)>, FxHashSet<VarId>)> {
        let (mut path, mut touched) = slices.slice(&self.cx.terms, goal, events, true);
        let timeout = self.settings.solver_timeout;
        let mut answer =
            self.solver.solve(&mut self.cx.terms, &Query { path: &path, goal, timeout, hint: Some(inputs) });
        if answer.is_unsat() {
            // What was made concrete on this path may be something else on another: worth a try.
            let (free, vars) = slices.slice(&self.cx.terms, goal, events, false);
            if free.len() < path.len() {
                (path, touched) = (free, vars);
                let small = self.small_pins(slices, &touched, events, goal);
                let query = Query { path: &path, goal: small, timeout, hint: None };
                answer = self.solver.solve(&mut self.cx.terms, &query);
                if !answer.is_sat() {
                    let query = Query { path: &path, goal, timeout, hint: None };
                    answer = self.solver.solve(&mut self.cx.terms, &query);
                }
            }
        }
        let Answer::Sat(found) = answer else { return None };
        let model = self.complete(found, &path, goal, inputs);
        let mut changes = Vec::new();
        for &var in &touched {
            let value = model.value(&self.cx.terms, var);
            if inputs.get(var) != Some(&value) {
                changes.push((var, value));
            }
        }
        changes.sort_by_key(|(var, _)| *var);
        Some((model, changes, touched))
    }
}

impl<'e> Slices<'e> {
    fn new(terms: &covenant_constraints::Terms, events: &'e [Event]) -> Slices<'e> {
        let mut by_var: FxHashMap<VarId, Vec<u32>> = FxHashMap::default();
        let mut vars = Vec::with_capacity(events.len());
        for (i, event) in events.iter().enumerate() {
            let of = terms.variables(&[event.constraint]);
            for &var in &of {
                by_var.entry(var).or_default().push(i as u32);
            }
            vars.push(of);
        }
        Slices { events, by_var, vars }
    }

    /// The constraints among the first ones that have to do with the goal, and all their variables.
    ///
    /// With `pins`, those too that only say which concrete value something had.
    fn slice(
        &self,
        terms: &covenant_constraints::Terms,
        goal: TermId,
        first: usize,
        pins: bool,
    ) -> (Vec<TermId>, FxHashSet<VarId>) {
        let mut work = terms.variables(&[goal]);
        let mut seen: FxHashSet<VarId> = work.iter().copied().collect();
        let mut chosen: FxHashSet<u32> = FxHashSet::default();
        while let Some(var) = work.pop() {
            for &i in self.by_var.get(&var).into_iter().flatten().take_while(|&&i| (i as usize) < first) {
                let is_pin = matches!(self.events[i as usize].kind, EventKind::Pin(_));
                if (pins || !is_pin) && chosen.insert(i) {
                    work.extend(self.vars[i as usize].iter().copied().filter(|&var| seen.insert(var)));
                }
            }
        }
        let mut chosen: Vec<u32> = chosen.into_iter().collect();
        chosen.sort_unstable();
        let mut path: Vec<TermId> = chosen.into_iter().map(|i| self.events[i as usize].constraint).collect();
        path.dedup();
        (path, seen)
    }
}

/// Changes to the inputs of one run that do not get in each other's way, put together: one test may serve many.
pub(super) fn merge(attempts: &[Attempt]) -> Vec<(u32, Vec<(VarId, Value)>)> {
    let mut merged: Vec<(u32, Vec<(VarId, Value)>, FxHashSet<VarId>, usize)> = Vec::new();
    for attempt in attempts.iter().filter(|a| a.inputs.is_some()) {
        let fits =
            merged.iter_mut().find(|(run, _, touched, _)| *run == attempt.run && touched.is_disjoint(&attempt.touched));
        match fits {
            Some((_, changes, touched, count)) => {
                changes.extend(attempt.changes.iter().cloned());
                touched.extend(attempt.touched.iter().copied());
                *count += 1;
            }
            None => merged.push((attempt.run, attempt.changes.clone(), attempt.touched.clone(), 1)),
        }
    }
    merged.into_iter().filter(|(.., count)| *count > 1).map(|(run, changes, ..)| (run, changes)).collect()
}
