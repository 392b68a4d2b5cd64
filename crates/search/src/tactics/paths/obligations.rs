//! Label obligations: labels that a run passed without reaching them, tried with other inputs on the same path.
//!
//! An obligation is no part of a path, so paths do not multiply with labels. When no way of the tree is open and no obligation
//! is left, then every path was taken and at each visit of a label the condition was refuted: it is unreachable.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::rc::Rc;

use covenant_concolic::run::Run;
use covenant_concolic::tree::NodeId;
use covenant_constraints::solver::Answer;
use covenant_constraints::{Model, TermId};
use covenant_goals::{Contradiction, ObjectiveId, Place};
use covenant_program::ir::{FuncId, Inst};
use rustc_hash::FxHashSet;

use super::PathSearch;
use crate::around::{edges_around, is_before_branch, takes};
use crate::cfg::Edge;
use crate::lab::{Lab, Others};

/// The obligations that runs left behind.
#[derive(Debug, Default)]
pub(super) struct Obligations {
    /// By how often their labels were tried, and their numbers.
    waiting: BinaryHeap<Reverse<(u32, usize)>>,
    all: Vec<Obligation>,
    seen: FxHashSet<(NodeId, u32, TermId)>,
    /// Labels with an obligation that nobody could decide, and why.
    undecided: BTreeMap<u32, String>,
    /// There is nothing else to try.
    pub(super) only: bool,
    /// It is the turn of the tree.
    yielded: bool,
    /// Edges around labels that some run took.
    taken: FxHashSet<Edge>,
}

#[derive(Debug)]
struct Obligation {
    at: NodeId,
    label: u32,
    cond: TermId,
    hint: Rc<Model>,
}

impl Obligations {
    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }
}

impl PathSearch {
    /// What a run leaves to be tried: the labels that it passed.
    pub(super) fn add_obligations(&mut self, lab: &Lab<'_>, run: &Run) {
        let obligations = &mut self.obligations;
        let taken = &mut obligations.taken;
        let fresh: Vec<Edge> =
            self.labels.keys().filter(|edge| !taken.contains(edge) && takes(run, edge)).copied().collect();
        taken.extend(fresh);
        for passed in &run.labels.obligations {
            let Some(&at) = lab.tree.way.get(passed.events) else { continue };
            if !lab.is_label_open(passed.label) || !obligations.seen.insert((at, passed.label, passed.cond)) {
                continue;
            }
            let number = obligations.all.len();
            let hint = Rc::clone(&run.inputs);
            obligations.all.push(Obligation { at, label: passed.label, cond: passed.cond, hint });
            let tries = lab.known.label_tries.get(&passed.label).copied().unwrap_or(0);
            obligations.waiting.push(Reverse((tries, number)));
        }
    }

    /// Where paths passed the labels of an objective, and the conditions under which they would have reached them.
    pub(super) fn passed(&self, lab: &Lab<'_>, id: ObjectiveId) -> Vec<(NodeId, TermId)> {
        let places = &lab.ledger.objective(id).places;
        let is_own = |label: u32| places.iter().any(|place| matches!(place, Place::Label(_, _, own) if *own == label));
        let own = self.obligations.all.iter().filter(|obligation| is_own(obligation.label));
        own.map(|obligation| (obligation.at, obligation.cond)).collect()
    }

    /// Whether no obligation of its labels is undecided.
    pub(super) fn has_no_obligation(&self, lab: &Lab<'_>, id: ObjectiveId) -> bool {
        let label = |place: &Place| match place {
            Place::Label(_, _, index) => Some(*index),
            _ => None,
        };
        let mut labels = lab.ledger.objective(id).places.iter().filter_map(label);
        !labels.any(|label| self.obligations.undecided.contains_key(&label))
    }

    /// Whether all that matters for a label is known when no way is left that leads to an edge around it: either whoever passes
    /// the label comes to one of them, or nobody took one.
    pub(super) fn is_seen(&self, lab: &Lab<'_>, function: FuncId, inst: Inst) -> bool {
        is_before_branch(lab.subject, &self.cfg, function, inst)
            || !edges_around(lab.subject, function, inst).iter().any(|edge| self.obligations.taken.contains(edge))
    }

    /// Tries the next obligation, unless it is the turn of the tree. Whether there was one to try.
    pub(super) fn take_obligation(
        &mut self,
        lab: &mut Lab<'_>,
        others: &mut Others<'_>,
    ) -> Result<bool, Contradiction> {
        loop {
            let obligations = &mut self.obligations;
            let Some(&Reverse((tries, number))) = obligations.waiting.peek() else { return Ok(false) };
            let label = obligations.all[number].label;
            if !lab.is_label_open(label) {
                obligations.waiting.pop();
                continue;
            }
            let now = lab.known.label_tries.get(&label).copied().unwrap_or(0);
            if now > tries {
                obligations.waiting.pop();
                obligations.waiting.push(Reverse((now, number)));
                continue;
            }
            obligations.yielded = !obligations.yielded && now >= lab.tuning().labels_few_tries && !obligations.only;
            if obligations.yielded {
                return Ok(false);
            }
            obligations.waiting.pop();
            self.try_obligation(lab, others, number)?;
            return Ok(true);
        }
    }

    fn try_obligation(
        &mut self,
        lab: &mut Lab<'_>,
        others: &mut Others<'_>,
        number: usize,
    ) -> Result<(), Contradiction> {
        lab.stats.iterations += 1;
        let Obligation { at, label, cond, ref hint } = self.obligations.all[number];
        let hint = Rc::clone(hint);
        *lab.known.label_tries.entry(label).or_insert(0) += 1;
        let path = lab.tree.path(at);
        let why = match lab.ask(&path, cond, lab.settings.solver_steps, Some(&hint)) {
            Answer::Unsat(_) => return Ok(()),
            Answer::Unknown(reason) => format!("the solver gave no answer ({reason:?})"),
            Answer::Sat(model) => {
                let model = lab.complete(model, &path, cond, &hint);
                lab.explore(self, others, Rc::new(model), None)?;
                if !lab.is_label_open(label) {
                    return Ok(());
                }
                "the run did not go the way that the solver's inputs should take".to_owned()
            }
        };
        self.obligations.undecided.insert(label, why);
        Ok(())
    }
}
