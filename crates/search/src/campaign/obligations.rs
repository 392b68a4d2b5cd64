//! Obligations: labels that a run passed without reaching them, tried with other inputs on the same path.
//!
//! A chance is no part of a path, so paths do not multiply with labels. When no way of the tree is open and no chance is
//! left, then every path was taken and at each visit of a label the condition was refuted: it is unreachable.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap};
use std::rc::Rc;

use covenant_concolic::run::Run;
use covenant_concolic::tree::NodeId;
use covenant_constraints::solver::{Answer, Query};
use covenant_constraints::{Model, TermId};
use covenant_goals::report::Defect;
use covenant_goals::{Contradiction, ObjectiveId, Place, Verdict};
use covenant_program::ir::{FuncId, Inst};
use rustc_hash::FxHashSet;

use super::{Campaign, Observer};
use crate::around::{edges_around, is_before_branch, takes};
use crate::cfg::Edge;

/// One that was tried so often in vain may well be impossible.
const MANY_TRIES: u32 = 8;

/// Times that all open labels are looked at for those that are plainly impossible.
const TIMES_PROVED: u32 = 2;

#[derive(Debug, Default)]
pub(super) struct Obligations {
    /// The objectives of each label.
    objectives: Vec<Vec<ObjectiveId>>,
    waiting: BinaryHeap<Reverse<(u32, usize)>>,
    all: Vec<Obligation>,
    seen: FxHashSet<(NodeId, u32, TermId)>,
    tries: HashMap<u32, u32>,
    /// Labels with a chance that nobody could decide, and why.
    undecided: BTreeMap<u32, String>,
    /// There is nothing else to try.
    pub(super) only: bool,
    /// It is the turn of the tree.
    yielded: bool,
    /// How often all open labels were looked at for those that are plainly impossible.
    pub(super) proved: u32,
    /// How often those were looked at that runs passed in vain.
    pub(super) rounds: u32,
    /// Edges around labels that some run took.
    taken: FxHashSet<Edge>,
    /// How often provers were asked about each.
    asked: HashMap<ObjectiveId, u32>,
    /// What was decided when the wanted labels were written down.
    decided: Option<usize>,
}

#[derive(Debug)]
struct Obligation {
    at: NodeId,
    label: u32,
    cond: TermId,
    hint: Rc<Model>,
}

impl Obligations {
    pub(super) fn know(&mut self, label: u32, id: ObjectiveId) {
        if self.objectives.len() <= label as usize {
            self.objectives.resize(label as usize + 1, Vec::new());
        }
        self.objectives[label as usize].push(id);
    }

    pub(super) fn objectives(&self, label: u32) -> impl Iterator<Item = ObjectiveId> + '_ {
        self.objectives.get(label as usize).into_iter().flatten().copied()
    }

    /// Whether the cheapest provers are to be asked once more: at first labels that can be reached are in their way.
    pub(super) fn may_be_proved(&self) -> bool {
        self.proved < TIMES_PROVED
    }

    /// How often provers were asked about an objective of labels, if they are to be asked now: runs passed the label in vain
    /// as often as that is worth. Each time that takes more tries.
    pub(super) fn is_due(&self, id: ObjectiveId, places: &[Place]) -> Option<u32> {
        let asked = self.times_asked(id);
        let enough = |place: &Place| match place {
            Place::Label(_, _, label) => {
                self.tries.get(label).is_some_and(|&tries| tries >> (2 * asked).min(16) >= MANY_TRIES)
            }
            _ => false,
        };
        places.iter().all(enough).then_some(asked)
    }

    pub(super) fn times_asked(&self, id: ObjectiveId) -> u32 {
        self.asked.get(&id).copied().unwrap_or(0)
    }

    pub(super) fn ask(&mut self, id: ObjectiveId) {
        *self.asked.entry(id).or_insert(0) += 1;
    }

    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }
}

impl Campaign<'_> {
    /// Tells runs which labels are of interest: open ones, and those that no run may reach.
    pub(super) fn want_labels(&mut self) {
        if self.cx.seed.is_some() {
            // Of a test that is there all is told.
            self.obligations.decided = None;
            self.cx.wanted = Rc::new(vec![true; self.obligations.objectives.len()]);
            return;
        }
        if self.obligations.decided == Some(self.ledger.decided()) {
            return;
        }
        self.obligations.decided = Some(self.ledger.decided());
        let ledger = &self.ledger;
        let wants = |&id: &ObjectiveId| match ledger.verdict(id) {
            Verdict::Covered(_) => false,
            Verdict::Infeasible(_) => true,
            Verdict::Unknown(_) => ledger.is_open(id) || ledger.objective(id).measured,
        };
        let wanted: Vec<bool> = self.obligations.objectives.iter().map(|ids| ids.iter().any(wants)).collect();
        self.cx.wanted = Rc::new(wanted);
    }

    pub(super) fn add_obligations(&mut self, run: &Run) {
        let taken = &mut self.obligations.taken;
        let fresh: Vec<Edge> =
            self.pilot.label_edges().filter(|edge| !taken.contains(edge) && takes(run, edge)).copied().collect();
        taken.extend(fresh);
        for chance in &run.labels.obligations {
            let Some(&at) = self.tree.way.get(chance.events) else { continue };
            if !self.is_wanted(chance.label) || !self.obligations.seen.insert((at, chance.label, chance.cond)) {
                continue;
            }
            let hint = Rc::clone(&run.inputs);
            let number = self.obligations.all.len();
            self.obligations.all.push(Obligation { at, label: chance.label, cond: chance.cond, hint });
            let tries = self.obligations.tries.get(&chance.label).copied().unwrap_or(0);
            self.obligations.waiting.push(Reverse((tries, number)));
        }
    }

    fn is_wanted(&self, label: u32) -> bool {
        self.obligations.objectives(label).any(|id| self.ledger.is_open(id))
    }

    /// Whether no chance to reach it is undecided.
    pub(super) fn has_no_obligation(&self, id: ObjectiveId) -> bool {
        let label = |place: &Place| match place {
            Place::Label(_, _, index) => Some(*index),
            _ => None,
        };
        let mut labels = self.ledger.objective(id).places.iter().filter_map(label);
        !labels.any(|label| self.obligations.undecided.contains_key(&label))
    }

    /// Whether all that matters for a label is known when no way is left that leads to an edge around it: either whoever passes
    /// the label comes to one of them, or nobody took one.
    pub(super) fn is_seen(&self, function: FuncId, inst: Inst) -> bool {
        is_before_branch(self.subject, self.pilot.cfg(), function, inst)
            || !edges_around(self.subject, function, inst).iter().any(|edge| self.obligations.taken.contains(edge))
    }

    /// Tries the next chance, unless it is the turn of the tree. Whether there was one to try.
    pub(super) fn take_obligation(&mut self, observer: &mut dyn Observer) -> Result<bool, Contradiction> {
        loop {
            let Some(&Reverse((tries, number))) = self.obligations.waiting.peek() else { return Ok(false) };
            let label = self.obligations.all[number].label;
            if !self.is_wanted(label) {
                self.obligations.waiting.pop();
                continue;
            }
            let now = self.obligations.tries.get(&label).copied().unwrap_or(0);
            if now > tries {
                self.obligations.waiting.pop();
                self.obligations.waiting.push(Reverse((now, number)));
                continue;
            }
            self.obligations.yielded =
                !self.obligations.yielded && now >= self.settings.tuning.labels_few_tries && !self.obligations.only;
            if self.obligations.yielded {
                return Ok(false);
            }
            self.obligations.waiting.pop();
            self.try_obligation(number, observer)?;
            return Ok(true);
        }
    }

    fn try_obligation(&mut self, number: usize, observer: &mut dyn Observer) -> Result<(), Contradiction> {
        self.stats.iterations += 1;
        let Obligation { at, label, cond, ref hint } = self.obligations.all[number];
        let hint = Rc::clone(hint);
        *self.obligations.tries.entry(label).or_insert(0) += 1;
        let path = self.tree.path(at);
        let query = Query { path: &path, goal: cond, steps: self.settings.solver_steps, hint: Some(&hint) };
        let why = match self.solver.solve(&mut self.cx.terms, &query) {
            Answer::Unsat(_) => return Ok(()),
            Answer::Unknown(reason) => format!("the solver gave no answer ({reason:?})"),
            Answer::Sat(model) => {
                let model = self.complete(model, &path, cond, &hint);
                self.explore(Rc::new(model), None, observer)?;
                if !self.is_wanted(label) {
                    return Ok(());
                }
                "the run did not go the way that the solver's inputs should take".to_owned()
            }
        };
        self.obligations.undecided.insert(label, why);
        Ok(())
    }

    /// Some things are a defect wherever they are reached.
    pub(super) fn report_defect(&mut self, id: ObjectiveId, test: &str) {
        let objective = self.ledger.objective(id);
        if !objective.criterion.is_defect() || !self.ledger.is_open(id) {
            return;
        }
        let defect = Defect {
            kind: objective.outcome.to_string(),
            file: objective.file.clone(),
            line: objective.line,
            column: objective.column,
            message: objective.text.clone(),
            test: test.to_owned(),
        };
        // The run may have ended there, which is known already and says more.
        let place = |d: &Defect| (d.line, d.column);
        if !self.defects.iter().any(|other| place(other) == place(&defect) && other.test == test) {
            self.defects.push(defect);
        }
    }
}
