//! Runs of the program, and what is learned from each.

use std::collections::BTreeSet;
use std::rc::Rc;

use covenant_concolic::run::{Run, execute};
use covenant_concolic::symbolic::{Follower, Seed};
use covenant_concolic::tree::{NodeId, State};
use covenant_constraints::{Model, VarId};
use covenant_goals::test_case::{Pointer, Root, Value};
use covenant_goals::{Contradiction, ObjectiveId, Reason, ReasonKind, TestCase, TestOutcome};
use covenant_interpreter::machine::Limits;
use covenant_transition::flow::{Flow, LocationId};
use covenant_transition::trace::{self, Questions, Trace};

use super::patience::Hungry;
use super::{Lab, Others, Ran, Tactic, test_name};

/// Numbers that the program does not read stay in the test: another version of it may.
pub(crate) fn keep_unread(case: &mut TestCase, from: &TestCase) {
    for cell in from.cells.iter().filter(|cell| !matches!(cell.value, Value::Pointer(_))) {
        let is_known = case.cells.iter().any(|own| own.root == cell.root && own.offset == cell.offset);
        let is_there = match &cell.root {
            Root::Object(id) => {
                let object =
                    |test: &TestCase| test.objects.iter().find(|o| o.id == *id).map(|o| (o.name.clone(), o.count));
                object(case).is_some() && object(case) == object(from)
            }
            Root::Param(_) | Root::Global(_) => true,
            Root::Result | Root::Behind(_) => false,
        };
        if is_there && !is_known {
            case.cells.push(cell.clone());
        }
    }
}

impl Lab<'_> {
    /// Runs the program on these inputs. All tactics hear of it, `me` last; then what it reached first is covered, and it is a
    /// test. `target`: the way that it should take.
    pub(crate) fn explore(
        &mut self,
        me: &mut dyn Tactic,
        others: &mut Others<'_>,
        inputs: Rc<Model>,
        target: Option<NodeId>,
    ) -> Result<(), Contradiction> {
        let (run, trace) = self.run_patiently(inputs);
        tracing::trace!(target: "run", number = self.stats.executions, instructions = run.instructions, cut = run.cut, "done");
        if let Some(departure) = &trace.departure {
            return Err(Contradiction::Departure(self.in_words(departure)));
        }
        self.system.learn(&run, &trace);
        self.gaps.extend(run.gap.clone());
        self.limits.extend(&run.limits);
        self.note_ways(&run);
        self.wants.extend(run.wants.iter().cloned());
        let trail = self.tree.insert(&self.cx.terms, &run.events, &run.inputs);
        match &trail {
            Some(trail) if self.taken.is_empty() || trail.path.len() > trail.shared => {
                self.taken.push(Rc::clone(&run.inputs));
            }
            Some(_) => {}
            None => {
                let words = "a run took another way than the same inputs did before";
                self.gaps.insert(Reason::new(ReasonKind::Model, words));
            }
        }
        let ran = Ran { run: &run, trace: &trace, trail: trail.as_ref() };
        for other in others.iter_mut() {
            other.learn(self, &ran);
        }
        me.learn(self, &ran);
        // A run that was cut may not have come to it yet.
        if let Some(id) = target.filter(|&id| self.tree.node(id).state == State::Open && !run.cut) {
            let words = "the run did not go the way that the solver's inputs should take";
            let why = Reason::new(ReasonKind::Model, words);
            self.gaps.insert(why.clone());
            self.tree.set(id, State::Unknown(why));
        }
        if run.outside {
            return Ok(());
        }
        self.judge_run(run)
    }

    /// A step that the run made and the flow does not have.
    fn in_words(&self, (from, to, why): &(LocationId, LocationId, String)) -> String {
        let Some(flow) = &self.system.flow else { return why.clone() };
        let program = self.subject.image.program();
        let place = |location: LocationId| {
            let location = &flow.locations[location];
            let function = &program.functions[flow.contexts[location.context].function];
            let line = location.loc.line;
            format!("`{}`, line {line} ({:?})", function.source_name(), location.spot)
        };
        format!("a run went from {} to {}: {why}", place(*from), place(*to))
    }

    /// Remembers where runs went.
    fn note_ways(&mut self, run: &Run) {
        for (function, edges) in (0..).zip(&run.edges) {
            self.edges_taken.extend(edges.keys().map(|&(pc, way)| (function, pc, way)));
        }
        self.entered.extend((0..).zip(&run.entered).filter(|(_, entered)| **entered).map(|(function, _)| function));
    }

    /// Explores, and if that was of use, does the same for inputs of the same kind.
    pub(crate) fn explore_kin(
        &mut self,
        me: &mut dyn Tactic,
        others: &mut Others<'_>,
        (inputs, changed): (Rc<Model>, &[VarId]),
        target: Option<NodeId>,
    ) -> Result<(), Contradiction> {
        let covered = self.ledger.counts().0;
        self.explore(me, others, Rc::clone(&inputs), target)?;
        if self.ledger.counts().0 == covered || self.patience.kin_in_vain > self.tuning().runs_most_vain {
            return Ok(());
        }
        let spread = self.cx.spread(&inputs, changed);
        if spread.iter().all(|(var, value)| inputs.get(*var) == Some(value)) {
            return Ok(());
        }
        let mut inputs = (*inputs).clone();
        for (var, value) in spread {
            inputs.set(var, value);
        }
        let covered = self.ledger.counts().0;
        self.explore(me, others, Rc::new(inputs), None)?;
        let in_vain = self.ledger.counts().0 == covered;
        self.patience.kin_in_vain = if in_vain { self.patience.kin_in_vain + 1 } else { 0 };
        Ok(())
    }

    /// Runs the program on the inputs of tests that are there, each to its end.
    pub(crate) fn start_from(
        &mut self,
        tests: &[TestCase],
        me: &mut dyn Tactic,
        others: &mut Others<'_>,
    ) -> Result<(), Contradiction> {
        for test in tests {
            if self.is_over().is_some() {
                break;
            }
            self.cx.seed = Some(Seed::new(test));
            self.seeded.push(Vec::new());
            // What has no end is not run to it again.
            let turns = self.patience.turns.take_if(|_| test.outcome != TestOutcome::StepLimit);
            let explored = self.explore(me, others, Rc::new(Model::new()), None);
            self.patience.turns = self.patience.turns.max(turns);
            self.cx.seed = None;
            explored?;
            if let Some(reached) = self.seeded.last_mut().filter(|_| points_inside(test)) {
                // A run has no such pointers, unless it says so.
                reached.clear();
            }
        }
        Ok(())
    }

    /// Runs the program on the inputs of a test that somebody made up, and keeps the run as a test if it returns; nobody else hears
    /// of it. Says what it reached.
    pub(crate) fn take(&mut self, test: &TestCase) -> Option<Vec<ObjectiveId>> {
        self.cx.seed = Some(Seed::new(test));
        self.want_labels();
        let run = execute(self.subject, self.settings.limits(), &mut self.cx, Rc::new(Model::new()), None);
        self.cx.seed = None;
        let elsewhere = run.limits.iter().any(|limit| limit.elsewhere);
        let is_plain = run.case.outcome == TestOutcome::Returned && run.defect.is_none() && !run.cut;
        if run.outside || elsewhere || !is_plain {
            return None;
        }
        let hit = self.index.hits(&run);
        let mut case = TestCase { name: test_name(self.tests.len()), ..run.case };
        keep_unread(&mut case, test);
        self.tests.push(case);
        self.inputs.push(Some((run.inputs, run.instructions)));
        Some(hit)
    }

    /// Whether runs were cut that would have gone on.
    pub(crate) fn has_postponed(&self) -> bool {
        !self.patience.postponed.is_empty() || self.patience.knows_endless()
    }

    /// Nothing moves: the way may be a longer one. Runs may be longer from now on, and one that was cut is run again.
    pub(crate) fn wait_longer(&mut self, me: &mut dyn Tactic, others: &mut Others<'_>) -> Result<(), Contradiction> {
        self.patience.turns = self.patience.turns.map(|turns| turns.saturating_mul(self.tuning().runs_longer));
        self.patience.idle_turns = self.patience.idle_turns.saturating_mul(self.tuning().runs_longer);
        match self.patience.postponed.pop_front() {
            Some(inputs) => self.explore(me, others, inputs, None),
            None => self.follow_endless(me, others, 1),
        }
    }

    /// No other way is left: runs that were cut are run to their end, and those that have none for longer than before.
    pub(crate) fn wait_as_long_as_it_takes(
        &mut self,
        me: &mut dyn Tactic,
        others: &mut Others<'_>,
    ) -> Result<(), Contradiction> {
        if self.patience.postponed.is_empty() {
            return self.follow_endless(me, others, self.patience.endless.len());
        }
        while let Some(inputs) = self.patience.postponed.pop_front() {
            if self.is_over().is_some() {
                self.patience.postponed.push_back(inputs);
                break;
            }
            if self.goes_on_as_before(&inputs, &[]) {
                self.patience.endless.push_back(inputs);
                continue;
            }
            let turns = self.patience.turns.take();
            self.explore(me, others, inputs, None)?;
            // Where all runs have an end, there is no more use in cutting them.
            self.patience.turns = turns.filter(|_| self.patience.knows_endless());
        }
        Ok(())
    }

    /// Follows some of the runs that have no end for more turns than before.
    fn follow_endless(
        &mut self,
        me: &mut dyn Tactic,
        others: &mut Others<'_>,
        most: usize,
    ) -> Result<(), Contradiction> {
        self.patience.endless_turns = self.patience.endless_turns.saturating_mul(self.tuning().runs_longer);
        let count = most.min(self.patience.endless.len());
        let inputs: Vec<Rc<Model>> = self.patience.endless.drain(..count).collect();
        for inputs in inputs {
            if self.is_over().is_some() {
                self.patience.endless.push_back(inputs);
                continue;
            }
            let turns = self.patience.turns.replace(self.patience.endless_turns);
            self.patience.is_endless = true;
            let explored = self.explore(me, others, inputs, None);
            self.patience.is_endless = false;
            self.patience.turns = turns;
            explored?;
        }
        Ok(())
    }

    /// Runs the program again to find out more about that run. Nobody hears of it: it shows nothing new.
    pub(crate) fn follow(&mut self, inputs: Rc<Model>, flow: &Flow, questions: &Questions) -> (Run, Trace) {
        let mut limits = self.settings.limits();
        if self.patience.knows_endless() {
            // It was cut when it was run first, and may have no end.
            limits.steps = self.blind_steps();
        }
        let (run, trace) = trace::follow(self.subject, limits, &mut self.cx, inputs, Some((flow, questions)));
        self.stats.instructions += run.instructions;
        (run, trace)
    }

    /// Runs the program, not for longer than it is worth.
    fn run_patiently(&mut self, inputs: Rc<Model>) -> (Run, Trace) {
        let first = self.stats.executions == 0;
        let idles = !self.patience.is_endless && self.cx.seed.is_none();
        let (run, trace) = self.run_once(Rc::clone(&inputs), idles);
        if !run.cut {
            self.settle_patience(first, &trace);
            return (run, trace);
        }
        if self.patience.is_endless {
            self.patience.endless.push_back(inputs);
            return (Run { gap: None, ..run }, trace);
        }
        let (run, trace) = match trace.idle {
            true if self.is_without_end(&run) => return (self.cut_idle(run), trace),
            // It was a loop that takes long.
            true => self.run_once(Rc::clone(&inputs), false),
            false => (run, trace),
        };
        if !run.cut {
            return (run, trace);
        }
        let hit = self.index.hits(&run);
        if !hit.iter().any(|&id| self.ledger.is_open(id)) {
            // The inputs of a test that is there are not in the model.
            self.patience.postponed.push_back(if self.cx.seed.is_some() { Rc::clone(&run.inputs) } else { inputs });
            return (Run { gap: None, ..run }, trace);
        }
        // It makes a test, which needs its end, if it has one. Terms would grow and grow if it has none.
        if self.cx.seed.is_some() {
            return (run.endless(), trace);
        }
        if self.goes_on_as_before(&inputs, &hit) {
            self.patience.endless.push_back(Rc::clone(&inputs));
            return self.run_shortly(inputs, &hit).unwrap_or_else(|| (run.endless(), trace));
        }
        let turns = self.patience.turns.take();
        let (run, trace) = self.run_once(inputs, false);
        self.patience.turns = turns;
        self.settle_patience(first, &trace);
        (run, trace)
    }

    /// Whether a run with these inputs is a short one.
    pub(crate) fn is_short(&mut self, inputs: &Rc<Model>) -> bool {
        let steps = self.blind_steps();
        !self.run_blindly(Rc::clone(inputs), steps, None).cut
    }

    /// Whether a run that went round without an input goes on like that, as far as a look ahead tells.
    fn is_without_end(&mut self, run: &Run) -> bool {
        let steps = self.blind_steps();
        let blind = self.run_blindly(Rc::clone(&run.inputs), steps, None);
        blind.cut && blind.inputs.len() == run.inputs.len() && self.open_hits(&blind).is_subset(&self.open_hits(run))
    }

    /// A run that goes round without an input: it is a test as it is, if it is one.
    fn cut_idle(&mut self, run: Run) -> Run {
        self.patience.endless.push_back(Rc::clone(&run.inputs));
        if self.open_hits(&run).is_empty() { Run { gap: None, ..run } } else { run.endless() }
    }

    /// Follows a run that has no end for as few turns of its loops as it takes to come to all of these: what it does from then on only
    /// makes questions about it harder.
    fn run_shortly(&mut self, inputs: Rc<Model>, hit: &[ObjectiveId]) -> Option<(Run, Trace)> {
        let most = self.patience.turns?;
        let shorter = std::iter::successors(Some(1u32), |turns| turns.checked_mul(2)).take_while(|turns| *turns < most);
        let mut short = None;
        for turns in shorter {
            self.patience.turns = Some(turns);
            let (run, trace) = self.run_once(Rc::clone(&inputs), false);
            let known = self.index.hits(&run);
            if hit.iter().all(|id| known.contains(id)) {
                short = Some((run.endless(), trace));
                break;
            }
        }
        self.patience.turns = Some(most);
        short
    }

    /// The first run says how long others may take.
    fn settle_patience(&mut self, first: bool, trace: &Trace) {
        if first {
            let turns = trace.turns.saturating_mul(self.tuning().runs_longer);
            self.patience.turns = Some(turns.max(self.tuning().runs_first_turns));
        }
    }

    /// Whether a run with these inputs comes to no end, and to nothing that is open besides these.
    fn goes_on_as_before(&mut self, inputs: &Rc<Model>, hit: &[ObjectiveId]) -> bool {
        // Where others have no end, this one mostly has none either; what a longer run shows is seen when nothing else is left.
        let most = if self.patience.knows_endless() { self.tuning().fuzz_most_steps } else { self.settings.max_steps };
        let mut hungry = Hungry::new(inputs.len(), self.patience.knows_endless());
        let run = self.run_blindly(Rc::clone(inputs), most.min(self.settings.max_steps), Some(&mut hungry));
        // It is quick beside a run with terms, and is done once for what that gained: nobody's turn ends with it.
        self.uncounted += run.instructions;
        let is_new = |id: &ObjectiveId| self.ledger.is_open(*id) && !hit.contains(id);
        run.cut && !self.index.hits(&run).iter().any(is_new)
    }

    /// Runs the program blindly: all that it shows is where these inputs lead. Nobody hears of it.
    pub(crate) fn probe(&mut self, inputs: Rc<Model>) -> Run {
        let steps = self.blind_steps();
        self.run_blindly(inputs, steps, None)
    }

    /// The same with somebody who watches.
    pub(crate) fn probe_watched(&mut self, inputs: Rc<Model>, watch: &mut dyn Follower) -> Run {
        let steps = self.blind_steps();
        self.run_blindly(inputs, steps, Some(watch))
    }

    /// Instructions that a blind run may take.
    fn blind_steps(&self) -> u64 {
        let tuning = self.tuning();
        let most = if self.patience.knows_endless() { tuning.fuzz_endless_steps } else { tuning.fuzz_most_steps };
        self.settings.max_steps.min(most)
    }

    /// Whether there are runs that have no end.
    pub(crate) fn knows_endless(&self) -> bool {
        self.patience.knows_endless()
    }

    fn run_blindly(&mut self, inputs: Rc<Model>, steps: u64, watch: Option<&mut dyn Follower>) -> Run {
        self.want_labels();
        self.cx.blind = true;
        let limits = Limits { steps, ..self.settings.limits() };
        let run = match watch {
            Some(watch) => execute(self.subject, limits, &mut self.cx, inputs, Some(watch)),
            None => execute(self.subject, limits, &mut self.cx, inputs, None),
        };
        self.cx.blind = false;
        self.stats.blind_runs += 1;
        self.stats.instructions += run.instructions;
        self.add_work(self.tuning().fuzz_work_per_run);
        run
    }

    /// What a run reaches that is open.
    pub(crate) fn open_hits(&self, run: &Run) -> BTreeSet<ObjectiveId> {
        self.index.hits(run).into_iter().filter(|&id| self.ledger.is_open(id)).collect()
    }

    /// `idles`: it is ended where it goes round without an input, if there are runs without an end.
    fn run_once(&mut self, inputs: Rc<Model>, idles: bool) -> (Run, Trace) {
        self.system.questions.turns = self.patience.turns;
        let idles = idles && self.patience.knows_endless();
        self.system.questions.idle = idles.then_some(self.patience.idle_turns);
        self.want_labels();
        let follow = self.system.flow.as_deref().map(|flow| (flow, &self.system.questions));
        let (run, trace) = trace::follow(self.subject, self.settings.limits(), &mut self.cx, inputs, follow);
        self.stats.executions += 1;
        let by_library = run.events.iter().filter(|event| !event.subject && !event.others.is_empty()).count();
        self.stats.forked_runs += u64::from(by_library > 1);
        self.stats.instructions += run.instructions;
        self.add_work(self.tuning().runs_work_per_event * run.events.len() as u64);
        (run, trace)
    }
}

/// Whether some pointer of a test points into the middle of an object.
fn points_inside(test: &TestCase) -> bool {
    let is_inside = |value: &Value| matches!(value, Value::Pointer(Pointer::Object { offset, .. }) if *offset != 0);
    test.cells.iter().any(|cell| is_inside(&cell.value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_read_stays_where_it_fits() {
        use covenant_goals::test_case::{Cell, InputObject};
        let value = Value::Int { bits: "7".into(), size: 4, signed: true };
        let cell = |root: Root, offset| Cell { root, offset, path: "x".into(), value: value.clone() };
        let object = |id, count| InputObject { id, count, ..InputObject::default() };
        let cells = vec![cell(Root::Param(0), 0), cell(Root::Object(1), 4), cell(Root::Object(2), 0)];
        let from = TestCase { cells, objects: vec![object(1, 3), object(2, 3)], ..TestCase::default() };
        let mut case = TestCase { objects: vec![object(1, 3), object(2, 1)], ..TestCase::default() };
        keep_unread(&mut case, &from);
        assert_eq!(case.cells, [cell(Root::Param(0), 0), cell(Root::Object(1), 4)]);
    }
}
