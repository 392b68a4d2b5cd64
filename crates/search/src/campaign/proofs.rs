//! Asking the provers about what no run has reached.

use std::collections::BTreeMap;
use std::rc::Rc;

use covenant_constraints::{Model, Sort, Value};
use covenant_goals::{Contradiction, ObjectiveId, Place, Proof};
use covenant_prove::backward::Backward;
use covenant_prove::inductive::Ranges;
use covenant_prove::invariants::Hints;
use covenant_prove::question::{Budget, Findings, Prover, Question};
use covenant_prove::samples;
use covenant_transition::justify::{Invariant, Lemmas, justify};
use covenant_transition::trace::{self, Questions};

use super::Campaign;

impl Campaign<'_> {
    /// Asks the provers, one after the other, about open objectives. `hasty`: only the first, for what is easily proved.
    pub(super) fn prove_open(&mut self, hasty: bool) -> Result<(), Contradiction> {
        let budget = Budget {
            effort: self.effort,
            hasty,
            steps: self.patience_with_solver(),
            cancel: self.cancel.clone(),
            tuning: self.settings.tuning,
        };
        let hints = self.hints();
        let mut provers = std::mem::take(&mut self.provers);
        let mut result = Ok(());
        // The first is cheap; the others come in once it has had its chance.
        let count = if hasty || budget.effort == 0 { 1 } else { provers.len() };
        for prover in provers.iter_mut().take(count) {
            let mut open = self.provable();
            open.truncate(self.settings.tuning.provers_most_objectives << budget.effort);
            if open.is_empty() || budget.cancel.is_set() {
                break;
            }
            if !hasty {
                self.effort = (budget.effort + 1).min(self.settings.tuning.provers_most_effort);
            }
            result = self.ask(&mut **prover, &open, &hints, &budget);
            if result.is_err() {
                break;
            }
        }
        self.provers = provers;
        result
    }

    /// Asks the cheapest provers about labels that are open. Of labels many are plainly impossible, and one pass over the
    /// program shows it for most of them. That is worth it for those that runs passed in vain: most others can be reached, and
    /// to find that out is what paths are for. `all`: there is nothing better to do; that is done a few times.
    pub(super) fn prove_labels(&mut self, all: bool) -> Result<(), Contradiction> {
        if all {
            if !self.obligations.may_be_proved() {
                return Ok(());
            }
            self.obligations.proved += 1;
        }
        self.obligations.rounds += 1;
        for (effort, ids) in self.labels_due(all) {
            let (cancel, tuning) = (self.cancel.clone(), self.settings.tuning);
            let budget = Budget { effort, hasty: false, steps: self.patience_with_solver(), cancel, tuning };
            // One pass says all that it can.
            let first: Option<Box<dyn Prover>> = (effort == 0).then(|| Box::new(Ranges) as Box<dyn Prover>);
            let provers = first.into_iter().chain([Box::new(Backward) as Box<dyn Prover>]);
            for mut prover in provers {
                let open: Vec<ObjectiveId> = ids.iter().copied().filter(|&id| self.ledger.is_open(id)).collect();
                if !open.is_empty() {
                    self.ask(&mut *prover, &open, &Hints::default(), &budget)?;
                }
            }
        }
        Ok(())
    }

    /// Labels that provers are to be asked about, by how often they were asked before.
    fn labels_due(&mut self, all: bool) -> BTreeMap<u32, Vec<ObjectiveId>> {
        let is_label = |place: &Place| matches!(place, Place::Label(..));
        let mut due: BTreeMap<u32, Vec<ObjectiveId>> = BTreeMap::new();
        for id in self.provable() {
            let places = &self.ledger.objective(id).places;
            let times = if all && places.iter().all(is_label) {
                Some(self.obligations.times_asked(id))
            } else {
                self.obligations.is_due(id, places)
            };
            if let Some(times) = times {
                self.obligations.ask(id);
                due.entry(times).or_default().push(id);
            }
        }
        due
    }

    /// States at the heads of loops in some runs, and the equations that hold in all of them.
    fn hints(&mut self) -> Hints {
        let mut hints = Hints::default();
        let Some(arc) = &self.arc else { return hints };
        let flow = Rc::clone(&arc.flow);
        let places = Rc::new(samples::places(&flow, &self.cx.terms));
        if places.is_empty() {
            return hints;
        }
        let step = arc.runs.len().div_ceil(self.settings.tuning.provers_sampled_runs).max(1);
        let mut inputs: Vec<Rc<Model>> = arc.runs.iter().step_by(step).cloned().collect();
        let others: Vec<Rc<Model>> = (0..).zip(&inputs).map(|(i, model)| Rc::new(self.varied(model, i))).collect();
        inputs.extend(others);
        let turns = Some(self.settings.tuning.provers_sampled_turns);
        let questions = Questions { sample: Some(Rc::clone(&places)), turns, ..Questions::default() };
        let mut room = self.settings.tuning.provers_most_values;
        for model in inputs {
            let (limits, follow) = (self.settings.limits(), Some((&*flow, &questions)));
            let (run, trace) = trace::follow(self.subject, limits, &mut self.cx, model, follow);
            self.stats.instructions += run.instructions;
            if run.outside {
                continue;
            }
            for (location, values) in trace.samples {
                let known = hints.samples.entry(location).or_default();
                if known.len() < self.settings.tuning.provers_most_states && room >= values.len() {
                    room -= values.len();
                    known.push(samples::model(&self.cx.terms, &values));
                }
            }
        }
        for (&location, vars) in places.iter() {
            let states = hints.samples.get(&location).map_or(&[][..], Vec::as_slice);
            let equations = samples::equations(&mut self.cx.terms, vars, states, &self.settings.tuning);
            hints.seeds.insert(location, equations);
        }
        samples::carry_back(&flow, &mut self.cx.terms, &mut hints.seeds, &self.settings.tuning);
        hints
    }

    /// Other inputs like these: small numbers, the same each time.
    fn varied(&self, model: &Model, number: u64) -> Model {
        let mut state = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut varied = Model::new();
        for (var, value) in model.iter() {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            let sort = self.cx.terms.var_sort(var);
            let small = match sort {
                Sort::Bv(w) if w > 1 => Value::from_bits(sort, u128::from(state >> 60)),
                _ => None,
            };
            varied.set(var, small.unwrap_or_else(|| value.clone()));
        }
        varied
    }

    /// Open objectives that a proof about the flow would decide, except where runs have been.
    fn provable(&self) -> Vec<ObjectiveId> {
        let Some(arc) = &self.arc else { return Vec::new() };
        let is_provable = |id: &ObjectiveId| {
            let target = arc.flow.target(*id);
            let objective = self.ledger.objective(*id);
            let tied = !objective.places.is_empty() && objective.untied.is_none();
            tied && target.beyond.is_none() && !target.locations.is_empty() && !arc.visited(&target.locations)
        };
        self.ledger.open().filter(is_provable).collect()
    }

    fn ask(
        &mut self,
        prover: &mut dyn Prover,
        objectives: &[ObjectiveId],
        hints: &Hints,
        budget: &Budget,
    ) -> Result<(), Contradiction> {
        let Some(arc) = &mut self.arc else { return Ok(()) };
        let flow = Rc::clone(&arc.flow);
        let mut question = Question {
            flow: &flow,
            terms: &mut self.cx.terms,
            solver: &mut *self.judge,
            objectives,
            known: &arc.facts,
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
            let known = arc.facts.entry(location).or_default();
            let fresh: Vec<_> = facts.into_iter().filter(|fact| !known.contains(fact)).collect();
            known.extend(fresh);
        }
        for (id, why) in failures {
            self.tried.entry(id).or_default().insert(prover.name(), why);
        }
        for claim in claims {
            if let Some(why) = self.refute_with(claim.objective, &claim.lemmas, claim.by)? {
                let why = format!("a proof that was not confirmed: {why}");
                self.tried.entry(claim.objective).or_default().insert(prover.name(), why);
            }
            if budget.cancel.is_set() {
                break;
            }
        }
        Ok(())
    }

    /// Refutes an objective if these lemmas are enough, or says why they are not.
    pub(super) fn refute_with(
        &mut self,
        id: ObjectiveId,
        lemmas: &Lemmas,
        by: String,
    ) -> Result<Option<String>, Contradiction> {
        let Some(arc) = &mut self.arc else { return Ok(None) };
        let target = arc.flow.target(id);
        let steps = self.settings.solver_steps;
        match justify(&arc.flow, &mut self.cx.terms, &mut *self.judge, lemmas, &target.locations, steps) {
            Ok(invariant) => {
                let words = explain(&invariant, target.locations.len());
                arc.invariants.insert(id, invariant);
                let file = covenant_goals::certificate::file(&self.ledger.objective(id).id);
                let file = Some(file.display().to_string());
                self.ledger.refute(id, Proof { by, file, words })?;
                Ok(None)
            }
            Err(why) => Ok(Some(why)),
        }
    }
}

/// What a proof says, in words.
pub(super) fn explain(invariant: &Invariant, places: usize) -> String {
    match (places, invariant.len()) {
        (0, _) => "no path of the program leads there".to_owned(),
        (_, 1) => "the conditions on the last step exclude each other".to_owned(),
        (_, count) => format!("what holds at {count} places of the program excludes it"),
    }
}
