//! Labels that a run passed: those it reached, and those that other inputs may reach on the same path.

use std::rc::Rc;

use covenant_constraints::TermId;
use rustc_hash::{FxHashMap, FxHashSet};

/// A label that was passed and not reached. With inputs that take the same path up to there, it is reached if the
/// condition holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Obligation {
    /// The label.
    pub label: u32,
    /// The condition on the inputs under which it holds.
    pub cond: TermId,
    /// Decisions of the run before it.
    pub events: usize,
}

/// Labels on the way of a run.
#[derive(Clone, Debug, Default)]
pub struct Labels {
    /// Which labels somebody asks for.
    pub wanted: Rc<Vec<bool>>,
    /// Those whose condition held.
    pub reached: FxHashSet<u32>,
    /// How many decisions the run had made when it came to each of these first.
    pub first: FxHashMap<u32, usize>,
    /// The conditions under which they were reached then, where these depend on inputs.
    pub held: FxHashMap<u32, TermId>,
    /// Those whose condition did not hold and depends on inputs.
    pub obligations: Vec<Obligation>,
    pub(super) seen: FxHashSet<(u32, TermId)>,
}

impl Labels {
    pub(super) fn wants(&self, first: u32, count: u32) -> bool {
        let end = first.saturating_add(count).min(self.wanted.len() as u32);
        self.wanted.get(first as usize..end as usize).is_some_and(|labels| labels.contains(&true))
    }

    pub(super) fn passed(&mut self, label: u32, cond: Option<TermId>, reached: bool, events: usize) {
        if reached {
            if self.reached.insert(label) {
                self.first.insert(label, events);
                self.held.extend(cond.map(|cond| (label, cond)));
            }
            return;
        }
        let wanted = self.wanted.get(label as usize).copied().unwrap_or(false);
        // The same condition earlier on the path is the better one: less must hold before it.
        if let Some(cond) = cond
            && wanted
            && self.seen.insert((label, cond))
        {
            self.obligations.push(Obligation { label, cond, events });
        }
    }
}

#[cfg(test)]
mod tests {
    use covenant_constraints::{Sort, Terms};

    use super::*;

    #[test]
    fn obligations_are_kept_once_and_only_for_wanted_labels() {
        let mut terms = Terms::new();
        let var = terms.var("x", Sort::Bool);
        let term = Some(terms.var_term(var));
        let mut labels = Labels { wanted: Rc::new(vec![false, true]), ..Labels::default() };
        assert!(labels.wants(0, 2) && !labels.wants(0, 1) && !labels.wants(5, 3));
        labels.passed(0, term, false, 3);
        labels.passed(1, term, false, 4);
        labels.passed(1, term, false, 9);
        labels.passed(1, None, true, 9);
        labels.passed(1, term, true, 10);
        assert!((labels.first[&1], labels.held.is_empty()) == (9, true), "what was reached first counts");
        assert_eq!(labels.obligations.iter().map(|c| (c.label, c.events)).collect::<Vec<_>>(), [(1, 4)]);
        assert!(labels.reached.contains(&1));
    }
}
