//! The proof portfolio: provers are asked about what no run has reached, each time with a larger budget.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use covenant_constraints::{Model, Sort, Terms, Value};
use covenant_goals::{Contradiction, ObjectiveId, Place};
use covenant_prove::backward::Backward;
use covenant_prove::inductive::Ranges;
use covenant_prove::invariants::Hints;
use covenant_prove::question::{self, Findings, Prover, Question};
use covenant_prove::samples;
use covenant_transition::flow::Flow;
use covenant_transition::trace::Questions;

use crate::lab::{Budget, Lab, Others, Tactic, Turn};

/// The provers, and how often they were asked.
#[derive(Debug)]
pub(crate) struct Proofs {
    flow: Rc<Flow>,
    /// In the order in which they are asked.
    provers: Vec<Box<dyn Prover>>,
    /// How often all open labels were looked at for those that are plainly impossible.
    looks_at_all: u32,
    /// How often labels were looked at, if only those that runs passed in vain.
    looks: u32,
    /// How often provers were asked about each label.
    asked: HashMap<ObjectiveId, u32>,
}

impl Tactic for Proofs {
    /// Asks the provers, one after the other, about open objectives. In haste only the first, for what is easily proved.
    fn turn(&mut self, lab: &mut Lab<'_>, _: &mut Others<'_>, budget: Budget) -> Result<Turn, Contradiction> {
        self.prove_open(lab, budget.hasty)?;
        Ok(Turn::More)
    }
}

impl Proofs {
    /// Nobody was asked yet.
    pub(crate) fn new(flow: &Rc<Flow>) -> Proofs {
        let provers = covenant_prove::provers();
        Proofs { flow: Rc::clone(flow), provers, looks_at_all: 0, looks: 0, asked: HashMap::new() }
    }

    /// How often labels were looked at for those that are plainly impossible.
    pub(crate) fn looks_at_labels(&self) -> u32 {
        self.looks
    }

    /// The same for looks at all of them.
    pub(crate) fn looks_at_all_labels(&self) -> u32 {
        self.looks_at_all
    }

    /// Whether all labels are to be looked at once more: at first those that can be reached are in the way.
    pub(crate) fn may_look_at_labels(&self, lab: &Lab<'_>) -> bool {
        self.looks_at_all < lab.tuning().labels_times_proved
    }

    fn prove_open(&mut self, lab: &mut Lab<'_>, hasty: bool) -> Result<(), Contradiction> {
        if !lab.settings.proves {
            return Ok(());
        }
        let budget = question::Budget {
            effort: lab.known.effort,
            hasty,
            steps: lab.model_steps(),
            cancel: lab.cancel.clone(),
            tuning: *lab.tuning(),
        };
        let hints = self.hints(lab);
        // The first is cheap; the others come in once it has had its chance.
        let count = if hasty || budget.effort == 0 { 1 } else { self.provers.len() };
        for prover in self.provers.iter_mut().take(count) {
            let mut open = provable(lab, &self.flow);
            open.truncate(lab.tuning().provers_most_objectives << budget.effort);
            if open.is_empty() || budget.cancel.is_set() {
                break;
            }
            if !hasty {
                lab.known.effort = (budget.effort + 1).min(lab.tuning().provers_most_effort);
            }
            ask(lab, &self.flow, &mut **prover, &open, (&hints, &budget))?;
        }
        Ok(())
    }

    /// Asks the cheapest provers about labels that are open. Of labels many are plainly impossible, and one pass over the
    /// program shows it for most of them. That is worth it for those that runs passed in vain: most others can be reached, and
    /// to find that out is what paths are for. `all`: there is nothing better to do; that is done a few times.
    pub(crate) fn prove_labels(&mut self, lab: &mut Lab<'_>, all: bool) -> Result<(), Contradiction> {
        if all {
            if !self.may_look_at_labels(lab) {
                return Ok(());
            }
            self.looks_at_all += 1;
        }
        self.looks += 1;
        for (effort, ids) in self.labels_due(lab, all) {
            let (cancel, tuning) = (lab.cancel.clone(), *lab.tuning());
            let budget = question::Budget { effort, hasty: false, steps: lab.model_steps(), cancel, tuning };
            // One pass says all that it can.
            let first: Option<Box<dyn Prover>> = (effort == 0).then(|| Box::new(Ranges) as Box<dyn Prover>);
            let provers = first.into_iter().chain([Box::new(Backward) as Box<dyn Prover>]);
            for mut prover in provers {
                let open: Vec<ObjectiveId> = ids.iter().copied().filter(|&id| lab.ledger.is_open(id)).collect();
                if !open.is_empty() {
                    ask(lab, &self.flow, &mut *prover, &open, (&Hints::default(), &budget))?;
                }
            }
        }
        Ok(())
    }

    /// Labels that provers are to be asked about, by how often they were asked before.
    fn labels_due(&mut self, lab: &Lab<'_>, all: bool) -> BTreeMap<u32, Vec<ObjectiveId>> {
        let is_label = |place: &Place| matches!(place, Place::Label(..));
        let mut due: BTreeMap<u32, Vec<ObjectiveId>> = BTreeMap::new();
        for id in provable(lab, &self.flow) {
            let places = &lab.ledger.objective(id).places;
            let times = if all && places.iter().all(is_label) {
                Some(self.times_asked(id))
            } else {
                self.is_due(lab, id, places)
            };
            if let Some(times) = times {
                *self.asked.entry(id).or_insert(0) += 1;
                due.entry(times).or_default().push(id);
            }
        }
        due
    }

    /// States at the heads of loops in some runs, and the equations that hold in all of them.
    fn hints(&self, lab: &mut Lab<'_>) -> Hints {
        let mut hints = Hints::default();
        let flow = &self.flow;
        let places = Rc::new(samples::places(flow, &lab.cx.terms));
        if places.is_empty() {
            return hints;
        }
        let step = lab.system.runs.len().div_ceil(lab.tuning().provers_sampled_runs).max(1);
        let mut inputs: Vec<Rc<Model>> = lab.system.runs.iter().step_by(step).cloned().collect();
        let others: Vec<Rc<Model>> =
            (0..).zip(&inputs).map(|(i, model)| Rc::new(varied(&lab.cx.terms, model, i))).collect();
        inputs.extend(others);
        let turns = Some(lab.tuning().provers_sampled_turns);
        let questions = Questions { sample: Some(Rc::clone(&places)), turns, ..Questions::default() };
        let mut room = lab.tuning().provers_most_values;
        for model in inputs {
            let (run, trace) = lab.follow(model, flow, &questions);
            if run.outside {
                continue;
            }
            for (location, values) in trace.samples {
                let known = hints.samples.entry(location).or_default();
                if known.len() < lab.tuning().provers_most_states && room >= values.len() {
                    room -= values.len();
                    known.push(samples::model(&lab.cx.terms, &values));
                }
            }
        }
        for (&location, vars) in places.iter() {
            let states = hints.samples.get(&location).map_or(&[][..], Vec::as_slice);
            let equations = samples::equations(&mut lab.cx.terms, vars, states, &lab.settings.tuning);
            hints.seeds.insert(location, equations);
        }
        samples::carry_back(flow, &mut lab.cx.terms, &mut hints.seeds, &lab.settings.tuning);
        hints
    }

    /// How often provers were asked about an objective of labels, if they are to be asked now: runs passed the label in vain
    /// as often as that is worth. Each time that takes more tries.
    fn is_due(&self, lab: &Lab<'_>, id: ObjectiveId, places: &[Place]) -> Option<u32> {
        let asked = self.times_asked(id);
        let enough = |place: &Place| match place {
            Place::Label(_, _, label) => {
                let tries = lab.known.label_tries.get(label);
                tries.is_some_and(|&tries| tries >> (2 * asked).min(16) >= lab.tuning().labels_many_tries)
            }
            _ => false,
        };
        places.iter().all(enough).then_some(asked)
    }

    fn times_asked(&self, id: ObjectiveId) -> u32 {
        self.asked.get(&id).copied().unwrap_or(0)
    }
}

/// Other inputs like these: small numbers, the same each time.
fn varied(terms: &Terms, model: &Model, number: u64) -> Model {
    let mut state = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut varied = Model::new();
    for (var, value) in model.iter() {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        let sort = terms.var_sort(var);
        let small = match sort {
            Sort::Bv(w) if w > 1 => Value::from_bits(sort, u128::from(state >> 60)),
            _ => None,
        };
        varied.set(var, small.unwrap_or_else(|| value.clone()));
    }
    varied
}

/// Open objectives that a proof about the flow would decide, except where runs have been.
fn provable(lab: &Lab<'_>, flow: &Flow) -> Vec<ObjectiveId> {
    let is_worth_it = |id: &ObjectiveId| {
        let locations = &flow.target(*id).locations;
        lab.settings.proves && lab.is_provable(*id) && !locations.is_empty() && !lab.system.visited(locations)
    };
    lab.ledger.open().filter(is_worth_it).collect()
}

/// Asks one prover, and has what it claims checked.
fn ask(
    lab: &mut Lab<'_>,
    flow: &Flow,
    prover: &mut dyn Prover,
    objectives: &[ObjectiveId],
    (hints, budget): (&Hints, &question::Budget),
) -> Result<(), Contradiction> {
    let mut question = Question {
        flow,
        terms: &mut lab.cx.terms,
        solver: &mut *lab.judge,
        objectives,
        known: &lab.system.facts,
        hints,
        budget: budget.clone(),
    };
    let Findings { claims, facts, failures } = prover.prove(&mut question);
    tracing::info!(
        target: "prove",
        prover = prover.name(),
        asked = objectives.len(),
        claims = claims.len(),
        failures = failures.len(),
        "asked"
    );
    for (location, facts) in facts {
        let known = lab.system.facts.entry(location).or_default();
        let fresh: Vec<_> = facts.into_iter().filter(|fact| !known.contains(fact)).collect();
        known.extend(fresh);
    }
    for (id, why) in failures {
        lab.unproved.entry(id).or_default().insert(prover.name(), why);
    }
    for claim in claims {
        if let Some(why) = lab.refute_with(claim.objective, &claim.lemmas, claim.by)? {
            let why = format!("a proof that was not confirmed: {why}");
            lab.unproved.entry(claim.objective).or_default().insert(prover.name(), why);
        }
        if budget.cancel.is_set() {
            break;
        }
    }
    Ok(())
}
