//! Solving for tests across frontiers: many frontiers of one run at a time.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use covenant_constraints::solver::Answer;
use covenant_constraints::{Evaluator, Model as Inputs, Op, Sort, TermId, Terms, Value, VarId};
use covenant_prove::arc::frontier::Frontier;
use covenant_transition::flow::LocationId;
use covenant_transition::trace::{Questions, Recording};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Abstraction;
use super::slices::Slices;
use crate::lab::Lab;

/// What came of one frontier.
#[derive(Clone, Debug)]
pub(super) struct FrontierQuery {
    pub(super) frontier: Frontier,
    /// The run whose path is followed up to the frontier.
    pub(super) run: u32,
    /// There are inputs that should cross it.
    pub(super) solved: bool,
    /// What of the run's inputs changes for that, and all inputs that matter.
    pub(super) changes: Vec<(VarId, Value)>,
    pub(super) touched: FxHashSet<VarId>,
    /// A run was in a state from which the step should have been taken, and was not: the flow is too coarse here.
    pub(super) stands_there: bool,
    /// How often it was false whatever the inputs are, on the path of the run.
    fixed: u32,
}

impl FrontierQuery {
    /// Whether another visit is worth a try.
    fn is_open(&self, most_fixed: u32) -> bool {
        !self.solved && self.fixed < most_fixed
    }
}

/// What is asked about a frontier: a formula at visits of a location.
type Wanted = (Frontier, LocationId, TermId, Vec<(u32, u32)>);

/// Paths of runs, by their numbers.
#[derive(Debug, Default)]
pub(super) struct Records {
    pub(super) all: FxHashMap<u32, Record>,
    /// How often one was asked for.
    uses: u64,
}

/// The path of a run and its states where they were asked for.
#[derive(Debug)]
pub(super) struct Record {
    slices: Slices,
    pub(super) inputs: Rc<Inputs>,
    zones: FxHashMap<u32, Zone>,
    used: u64,
}

/// States at locations that lie together.
#[derive(Debug)]
struct Zone {
    variables: Rc<Vec<VarId>>,
    states: FxHashMap<(LocationId, u32), Known>,
}

#[derive(Debug)]
struct Known {
    /// In the order of the zone's variables.
    values: Box<[Option<TermId>]>,
    events: usize,
}

/// Locations of a zone; they are numbered in the order of the program.
const ZONE: u32 = 16; // not tuning: how records are laid out

fn zone_of(location: LocationId) -> u32 {
    location.as_u32() / ZONE
}

impl Abstraction {
    /// Asks runs what it takes to cross each frontier, and the solver for inputs that do.
    pub(super) fn query_frontiers(&mut self, lab: &mut Lab<'_>, open: &[Frontier]) -> Vec<FrontierQuery> {
        let wanted: Vec<Wanted> = open.iter().flat_map(|&frontier| self.wanted_of(lab, frontier)).collect();
        let mut found: Vec<Option<FrontierQuery>> = vec![None; wanted.len()];
        // What any of them may want to know of a run is written down when it is run again for the first of them.
        let mut zones: FxHashMap<u32, BTreeSet<u32>> = FxHashMap::default();
        for (_, location, _, visits) in &wanted {
            for (run, _) in visits {
                zones.entry(*run).or_default().insert(zone_of(*location));
            }
        }
        // First one visit for each, then another where that did not help: what many frontiers want of one run is found
        // out at once.
        for wave in 0.. {
            let mut by_run: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
            for (i, (.., visits)) in wanted.iter().enumerate() {
                if let Some(&(run, _)) = visits.get(wave)
                    && found[i].as_ref().is_none_or(|query| query.is_open(lab.tuning().frontier_most_fixed))
                {
                    by_run.entry(run).or_default().push(i);
                }
            }
            if by_run.is_empty() {
                break;
            }
            for (run, who) in by_run {
                let at_once: BTreeSet<u32> = who.iter().map(|&i| zone_of(wanted[i].1)).collect();
                self.ensure(lab, run, &at_once, &zones[&run]);
                for i in who {
                    found[i] = Some(self.query_visit(lab, &wanted[i], wave, found[i].take()));
                }
            }
        }
        found.into_iter().flatten().collect()
    }

    /// What to ask of which visits to cross a frontier.
    fn wanted_of(&self, lab: &mut Lab<'_>, frontier: Frontier) -> Vec<Wanted> {
        let condition = self.step_condition(lab, frontier);
        let terms = &mut lab.cx.terms;
        let conditions = condition.len();
        let known = |c: &TermId| terms.variables(&[*c]).into_iter().all(|var| self.flow.is_state(var));
        let known: Vec<TermId> = condition.into_iter().filter(known).collect();
        let chooses = known.len() < conditions;
        let goal = terms.and_all(known);
        let node = self.model.node(frontier.from);
        let location = node.location;
        let visits = lab.system.handy(&node.visits, lab.tuning().frontier_most_tries);
        let behind = if chooses { self.behind_choice(lab, frontier) } else { None };
        behind.into_iter().chain([(frontier, location, goal, visits)]).collect()
    }

    /// Where the step itself chooses something, say an input, runs that took it say more: they were at the place behind,
    /// only with other values.
    fn behind_choice(&self, lab: &mut Lab<'_>, frontier: Frontier) -> Option<Wanted> {
        let location = self.model.node(frontier.to).location;
        let predicate = self.model.predicate(&mut lab.cx.terms, frontier.to);
        let goal = lab.cx.terms.and_all(predicate);
        let mut visits: Vec<(u32, u32)> =
            self.model.leaves(location).iter().flat_map(|&leaf| self.model.node(leaf).visits.iter().copied()).collect();
        visits.sort_unstable_by(|a, b| b.cmp(a));
        visits.truncate(2 * lab.tuning().frontier_most_tries);
        (!visits.is_empty()).then_some((frontier, location, goal, visits))
    }

    /// Asks one visit of a frontier.
    fn query_visit(
        &mut self,
        lab: &mut Lab<'_>,
        wanted: &Wanted,
        wave: usize,
        so_far: Option<FrontierQuery>,
    ) -> FrontierQuery {
        let (frontier, location, goal, visits) = wanted;
        let (frontier, location, goal, (run, ordinal)) = (*frontier, *location, *goal, visits[wave]);
        let empty = || FrontierQuery {
            frontier,
            run,
            solved: false,
            changes: Vec::new(),
            touched: FxHashSet::default(),
            stands_there: false,
            fixed: 0,
        };
        let mut so_far = so_far.unwrap_or_else(empty);
        let Some(record) = self.records.all.remove(&run) else { return so_far };
        let (term, events) = match record.term(&mut lab.cx.terms, location, ordinal, goal) {
            Some(found) => found,
            None => self.probe(lab, run, location, ordinal, goal),
        };
        match term {
            None => so_far.stands_there = true,
            Some(term) => {
                if Evaluator::new(&lab.cx.terms, &record.inputs).eval(term).is_true() {
                    so_far.stands_there = true;
                }
                if lab.cx.terms.as_bool(term) == Some(false) {
                    so_far.fixed += 1;
                } else {
                    let inputs = Rc::clone(&record.inputs);
                    if let Some((changes, touched)) = solve_across(lab, &record.slices, term, events, &inputs) {
                        so_far = FrontierQuery { solved: true, changes, touched, ..empty() };
                    }
                }
            }
        }
        self.records.all.insert(run, record);
        so_far
    }

    /// Has the path of a run with its states in these zones; runs it again if it has to, and then for all of `later` too.
    fn ensure(&mut self, lab: &mut Lab<'_>, run: u32, zones: &BTreeSet<u32>, later: &BTreeSet<u32>) {
        self.records.uses += 1;
        let record = self.records.all.get_mut(&run);
        let has = |zone: &u32| record.as_ref().is_some_and(|record| record.zones.contains_key(zone));
        let complete = record.is_some() && zones.iter().all(has);
        let missing: Vec<u32> = later.iter().copied().filter(|zone| !has(zone)).collect();
        if let Some(record) = record {
            record.used = self.records.uses;
        }
        if complete {
            return;
        }
        let fresh = self.run_again(lab, run, &missing);
        if let Some(record) = self.records.all.get_mut(&run) {
            record.zones.extend(fresh.zones);
            return;
        }
        if self.records.all.len() >= lab.tuning().frontier_most_records
            && let Some(oldest) = self.records.all.iter().min_by_key(|(_, record)| record.used).map(|(&run, _)| run)
        {
            self.records.all.remove(&oldest);
        }
        self.records.all.insert(run, fresh);
    }

    fn run_again(&self, lab: &mut Lab<'_>, run: u32, zones: &[u32]) -> Record {
        let inputs = Rc::clone(&lab.system.runs[run as usize]);
        let mut recording = Recording { zone: ZONE, ..Recording::default() };
        for &zone in zones {
            recording.variables.insert(zone, Rc::new(self.zone_variables(lab, zone)));
            recording.visits.extend(self.zone_visits(run, zone));
        }
        let questions = Questions { record: Some(recording), ..Questions::default() };
        let (done, trace) = lab.follow(inputs, &self.flow, &questions);
        let mut made: FxHashMap<u32, Zone> = FxHashMap::default();
        for (&zone, variables) in questions.record.iter().flat_map(|recording| &recording.variables) {
            made.insert(zone, Zone { variables: Rc::clone(variables), states: FxHashMap::default() });
        }
        for (place, state) in trace.states {
            let Some(zone) = made.get_mut(&zone_of(place.0)) else { continue };
            zone.states.insert(place, Known { values: state.values.into(), events: state.events });
        }
        let slices = Slices::new(&lab.cx.terms, &done.events);
        Record { slices, inputs: done.inputs, zones: made, used: self.records.uses }
    }

    /// Variables that steps around a zone have to do with, arrays aside.
    fn zone_variables(&self, lab: &Lab<'_>, zone: u32) -> Vec<VarId> {
        let mut vars = FxHashSet::default();
        let first = (zone * ZONE).saturating_sub(ZONE / 2);
        for number in first..((zone + 1) * ZONE + ZONE / 2).min(self.flow.locations.len() as u32) {
            for &edge in &self.flow.locations[LocationId::from_u32(number)].out {
                let edge = &self.flow.edges[edge];
                let roots: Vec<TermId> = edge.guard.iter().copied().chain(edge.assign.iter().map(|a| a.1)).collect();
                vars.extend(lab.cx.terms.variables(&roots));
            }
        }
        let scalar = |var: &VarId| self.flow.is_state(*var) && lab.cx.terms.var_sort(*var) != Sort::Array;
        let mut vars: Vec<VarId> = vars.into_iter().filter(scalar).collect();
        vars.sort_unstable();
        vars
    }

    /// Visits of a run in a zone that nodes remember.
    fn zone_visits(&self, run: u32, zone: u32) -> FxHashSet<(LocationId, u32)> {
        let mut visits = FxHashSet::default();
        for number in zone * ZONE..((zone + 1) * ZONE).min(self.flow.locations.len() as u32) {
            let location = LocationId::from_u32(number);
            for &node in self.model.leaves(location) {
                let of_run = self.model.node(node).visits.iter().filter(|(of, _)| *of == run);
                visits.extend(of_run.map(|&(_, ordinal)| (location, ordinal)));
            }
        }
        visits
    }

    /// Runs again to find out about one formula at one visit.
    fn probe(
        &self,
        lab: &mut Lab<'_>,
        run: u32,
        location: LocationId,
        ordinal: u32,
        goal: TermId,
    ) -> (Option<TermId>, usize) {
        let inputs = Rc::clone(&lab.system.runs[run as usize]);
        let mut questions = Questions { stop: true, ..Questions::default() };
        questions.probes.insert((location, ordinal), vec![goal]);
        let (_, trace) = lab.follow(inputs, &self.flow, &questions);
        trace.answers.first().map_or((None, 0), |answer| (answer.term, answer.events))
    }
}

impl Record {
    /// The formula at a visit, as a term over the inputs. `None`: that was not written down.
    pub(super) fn term(
        &self,
        terms: &mut Terms,
        location: LocationId,
        ordinal: u32,
        goal: TermId,
    ) -> Option<(Option<TermId>, usize)> {
        let zone = self.zones.get(&zone_of(location))?;
        let known = zone.states.get(&(location, ordinal))?;
        let mut map = FxHashMap::default();
        for var in terms.variables(&[goal]) {
            let value = known.values[zone.variables.binary_search(&var).ok()?]?;
            map.insert(terms.var_term(var), value);
        }
        Some((Some(terms.substitute(goal, &map)), known.events))
    }
}

/// Changes to the inputs of one run that do not get in each other's way, put together: one test may serve many.
pub(super) fn merge(queries: &[FrontierQuery]) -> Vec<(u32, Vec<(VarId, Value)>)> {
    let mut merged: Vec<Merged> = Vec::new();
    for query in queries.iter().filter(|a| a.solved) {
        let fits = merged.iter_mut().find(|m| m.run == query.run && m.touched.is_disjoint(&query.touched));
        match fits {
            Some(merged) => {
                merged.changes.extend(query.changes.iter().cloned());
                merged.touched.extend(query.touched.iter().copied());
                merged.count += 1;
            }
            None => merged.push(Merged {
                run: query.run,
                changes: query.changes.clone(),
                touched: query.touched.clone(),
                count: 1,
            }),
        }
    }
    merged.into_iter().filter(|m| m.count > 1).map(|m| (m.run, m.changes)).collect()
}

/// Changes of several queries.
struct Merged {
    run: u32,
    changes: Vec<(VarId, Value)>,
    touched: FxHashSet<VarId>,
    count: usize,
}

/// The goal, and that what was concrete is small: lengths and sizes mostly are.
fn small_pins(lab: &mut Lab<'_>, slices: &Slices, vars: &FxHashSet<VarId>, events: usize, goal: TermId) -> TermId {
    let small = lab.tuning().frontier_small;
    let terms = &mut lab.cx.terms;
    let mut goal = goal;
    for (i, &constraint) in slices.constraints.iter().enumerate().take(events) {
        let is_pin = slices.pins[i] && slices.of(i).iter().any(|v| vars.contains(v));
        if !is_pin || terms.op(constraint) != Op::Eq {
            continue;
        }
        let (a, b) = (terms.arg(constraint, 0), terms.arg(constraint, 1));
        let value = if terms.is_const(a) { b } else { a };
        if let Sort::Bv(width @ 8..) = terms.sort(value) {
            let limit = terms.bv(small, width);
            let is_small = terms.ult(value, limit);
            goal = terms.and(goal, is_small);
        }
    }
    goal
}

#[allow(clippy::type_complexity)]
fn solve_across(
    lab: &mut Lab<'_>,
    slices: &Slices,
    goal: TermId,
    events: usize,
    inputs: &Inputs,
) -> Option<(Vec<(VarId, Value)>, FxHashSet<VarId>)> {
    let (mut path, mut touched) = slices.slice(&lab.cx.terms, goal, events, true);
    if path.len() > lab.tuning().frontier_most_constraints || lab.is_cancelled() {
        return None;
    }
    let steps = lab.model_steps();
    let mut answer = lab.ask(&path, goal, steps, Some(inputs));
    if answer.is_unsat() {
        // What was made concrete on this path may be something else on another: worth a try.
        let (free, vars) = slices.slice(&lab.cx.terms, goal, events, false);
        if free.len() < path.len() {
            (path, touched) = (free, vars);
            let small = small_pins(lab, slices, &touched, events, goal);
            answer = lab.ask(&path, small, steps, None);
            if !answer.is_sat() {
                answer = lab.ask(&path, goal, steps, None);
            }
        }
    }
    lab.known.hard |= matches!(answer, Answer::Unknown(_));
    let Answer::Sat(found) = answer else { return None };
    let model = lab.settle(found, &path, goal, inputs);
    let mut changes = Vec::new();
    for &var in touched.iter().filter(|var| model.get(**var).is_some()) {
        let value = model.value(&lab.cx.terms, var);
        if inputs.get(var) != Some(&value) {
            changes.push((var, value));
        }
    }
    changes.sort_by_key(|(var, _)| *var);
    Some((changes, touched))
}
