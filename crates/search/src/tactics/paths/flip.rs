//! One flip: the way that the strategy names, and inputs that take it.

use std::rc::Rc;

use covenant_concolic::tree::{NodeId, State};
use covenant_constraints::solver::Answer;
use covenant_constraints::{Model, VarId};
use covenant_goals::{Contradiction, Reason, ReasonKind};

use super::PathSearch;
use crate::lab::Lab;
use crate::strategy::{self, Next};

/// How a try went.
pub(super) enum Flip {
    /// Inputs, and the way that they should take.
    Found(Rc<Model>, Option<NodeId>),
    Failed,
    /// There is nothing to try.
    Done,
}

impl PathSearch {
    /// Tries the way that the strategy names.
    pub(super) fn next_flip(&mut self, lab: &mut Lab<'_>) -> Result<Flip, Contradiction> {
        let begin = lab.observer.micros();
        let next = self.choose(lab);
        self.spent += lab.observer.micros().saturating_sub(begin);
        let (id, hasty) = match next {
            Next::Flip(id) => (id, self.joined),
            Next::Inputs(model) => {
                lab.stats.iterations += 1;
                return Ok(Flip::Found(Rc::new(model), None));
            }
            Next::Done if self.ask_guards(lab)? || self.go_deeper(lab) => return Ok(Flip::Failed),
            Next::Done => match self.hard.pop_front() {
                Some(id) => (id, false),
                None => return Ok(Flip::Done),
            },
        };
        if lab.tree.node(id).state != State::Open || self.is_in_vain(lab, id)? {
            return Ok(Flip::Failed);
        }
        Ok(match self.solve_for(lab, id, hasty) {
            Some(model) => Flip::Found(Rc::new(model), Some(id)),
            None => {
                self.refute_by_guards(lab)?;
                Flip::Failed
            }
        })
    }

    fn choose(&mut self, lab: &mut Lab<'_>) -> Next {
        self.aim_at_points(lab);
        self.tell(lab);
        self.guide.tell(&lab.ledger);
        self.with_view(lab, |strategy, view| strategy.next(view))
    }

    /// Inputs that take the way, if there are any. `hasty`: the question may not cost much, and is asked again when nothing
    /// else is left.
    pub(super) fn solve_for(&mut self, lab: &mut Lab<'_>, id: NodeId, hasty: bool) -> Option<Model> {
        let tuning = lab.tuning();
        lab.stats.iterations += 1;
        // Only an open branch is sure to gain something; all else is done in the hope of what comes after it.
        let open = strategy::edge(lab.tree.node(id)).is_some_and(|edge| self.open.contains(&edge));
        lab.stats.hopeful_flips += u64::from(!open);
        let (path, goal) = lab.tree.condition(id);
        let goal = goal?;
        lab.add_work(tuning.paths_work_per_constraint * path.len() as u64);
        let hint = Rc::clone(&lab.tree.node(id).hint);
        let steps = lab.settings.solver_steps / if hasty { tuning.paths_haste } else { 1 };
        let slow = lab.solver.stats().slow();
        let answer = lab.ask(&path, goal, steps, Some(&hint));
        // An answer that takes long is as good a reason to ask the provers as none: a loop gives such questions for ever.
        let unknown = matches!(answer, Answer::Unknown(_));
        tracing::debug!(target: "flip", node = ?id, depth = path.len(), open, hasty, answer = word(&answer), "asked");
        if hasty && (lab.solver.stats().slow() > slow || unknown) {
            lab.add_work(tuning.paths_work_per_hard);
            self.late += 1;
            lab.known.hard |= unknown || self.late >= tuning.paths_many_late || lab.known.labels;
        }
        match answer {
            Answer::Sat(model) => return Some(lab.complete(model, &path, goal, &hint)),
            Answer::Unsat(_) => {
                lab.tree.set(id, State::Infeasible);
                self.strategy.cannot(id);
            }
            Answer::Unknown(_) if hasty => self.hard.push_back(id),
            Answer::Unknown(reason) => {
                lab.add_work(u64::from(tuning.paths_haste) * tuning.paths_work_per_hard);
                let why = Reason::new(ReasonKind::Solver, format!("the solver gave no answer ({reason:?})"));
                lab.tree.set(id, State::Unknown(why));
            }
        }
        None
    }
}

/// The inputs that are not as they were in the run that found the way.
pub(super) fn changed(lab: &Lab<'_>, model: &Model, target: Option<NodeId>) -> Vec<VarId> {
    let Some(target) = target else { return Vec::new() };
    let hint = &lab.tree.node(target).hint;
    model.iter().filter(|(var, value)| hint.get(*var) != Some(*value)).map(|(var, _)| var).collect()
}

/// An answer without its model, for those who watch.
fn word(answer: &Answer) -> &'static str {
    match answer {
        Answer::Sat(_) => "sat",
        Answer::Unsat(_) => "unsat",
        Answer::Unknown(_) => "unknown",
    }
}
