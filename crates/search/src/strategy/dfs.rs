//! Depth first: the last decision of the newest path is the next to be flipped.
//!
//! The order of DART and CUTE, and of PathCrawler's first strategy. Queries that follow each other share all but their last
//! constraints, which suits an incremental solver; but one loop can hold the search for ever, so it is often bounded
//! (`--loop-bound`, `--max-depth`). Exhaustive where paths are finite.

use covenant_concolic::tree::NodeId;

use super::suffix::is_left;
use super::{Next, Profile, Ran, Strategy, View};

pub(super) const PROFILE: Profile = Profile {
    about: "the last decision first; few paths, or with a bound",
    needs_cfg: false,
    is_exhaustive: true,
    make: |_| Box::new(Dfs::default()),
};

#[derive(Debug, Default)]
pub(super) struct Dfs {
    stack: Vec<NodeId>,
}

impl Strategy for Dfs {
    fn ran(&mut self, run: &Ran<'_>, _: &View<'_>) {
        self.stack.extend(run.fresh.iter().map(|way| way.id));
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
    fn the_last_decision_is_flipped_first() {
        let log = explore(chain, StrategyKind::Dfs, 1);
        assert_eq!(log.flips, [4, 3, 4, 2, 4, 3, 4, 1]);
        assert_eq!(log.hopeful, 4);
    }
}
