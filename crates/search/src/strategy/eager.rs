//! Eager: each new suffix is flipped from its first decision on.
//!
//! Williams, "Towards exhaustive branch coverage with PathCrawler" (AST 2021): depth first turned round. A decision is
//! flipped as soon as it is met; what the new run shows is explored before the search goes on to the next decision. More
//! breadth at the same cost: prefixes still grow by one constraint at a time.

use covenant_concolic::tree::NodeId;

use super::suffix::is_left;
use super::{Next, Profile, Ran, Strategy, View};

pub(super) const PROFILE: Profile = Profile {
    about: "depth first from the first decision of each new path",
    needs_cfg: false,
    is_exhaustive: true,
    make: |_| Box::new(Eager::default()),
};

#[derive(Debug, Default)]
pub(super) struct Eager {
    stack: Vec<NodeId>,
}

impl Strategy for Eager {
    fn ran(&mut self, run: &Ran<'_>, _: &View<'_>) {
        self.stack.extend(run.fresh.iter().rev().map(|way| way.id));
    }

    fn next(&mut self, view: &View<'_>) -> Next {
        while let Some(id) = self.stack.pop() {
            if is_left(view, id) {
                return Next::Flip(id);
            }
        }
        Next::Done
    }
}

#[cfg(test)]
mod tests {
    use super::super::StrategyKind;
    use super::super::testing::*;

    #[test]
    fn the_first_decision_is_flipped_first_and_its_suffix_explored() {
        let log = explore(chain, StrategyKind::Eager, 1);
        assert_eq!(log.flips, [1, 2, 3, 4]);
        assert_eq!(log.hopeful, 0);
        assert_eq!(log.runs.last(), Some(&vec![true, true, true, true, false]));
    }
}
