//! Which way to try next.
//!
//! A run leaves behind the decisions of its path, each with the ways that it did not go. A strategy orders these. One file
//! a strategy, each opening with the idea and where it comes from; what several share is in [`cfg`](mod@crate::cfg) (the program as a
//! graph of ways), `reach` (how far open ways are) and `suffix` (the part of a path that a run was the first to take).

pub(crate) mod reach;
mod suffix;

mod bags;
mod bfs;
mod coverage;
mod dfs;
mod eager;
mod else_first;
mod expectation;
mod guided;
mod lookahead;
mod mixed;
mod mt;
mod novelty;
mod random;
mod random_input;
mod residual;
mod shortest;
mod shortest_local;
mod uniform_random;
mod weights;

#[cfg(test)]
mod testing;

use std::rc::Rc;

use covenant_concolic::symbolic::EventKind;
use covenant_concolic::tree::{Node, NodeId, Tree};
use covenant_constraints::random::Rng;
use covenant_constraints::{Model, Terms};
use rustc_hash::FxHashSet;
use strum::{EnumIter, EnumString, IntoEnumIterator, IntoStaticStr};

use crate::cfg::{Cfg, Edge, PointId};
use crate::guided::Guide;

/// The edge that a node takes, if it is one of the program's.
pub fn edge(node: &Node) -> Option<Edge> {
    let way = match node.kind {
        EventKind::Branch => u32::from(node.outcome == 0),
        EventKind::Switch => node.outcome,
        _ => return None,
    };
    Some((node.site.function, node.site.pc, way))
}

/// A way that no run has taken so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Way {
    pub id: NodeId,
    pub edge: Option<Edge>,
    /// Where it leads, if the map knows.
    pub point: Option<PointId>,
    /// The last point of the path before it: what can come after the way can come after this too.
    pub before: PointId,
    /// Whether it is a matter of the subject's control, or of what its pointers mean; not a check, say.
    pub steers: bool,
}

impl Way {
    /// Whether taking it reaches an open objective at once.
    pub fn is_open(&self, view: &View<'_>) -> bool {
        self.edge.is_some_and(|edge| view.open.contains(&edge))
    }
}

/// What a run showed.
#[derive(Debug)]
pub struct Ran<'r> {
    /// The nodes of its path.
    pub path: &'r [NodeId],
    /// Ways that it was the first to take, in the order of the path.
    pub taken: &'r [Way],
    /// Ways that it was the first to pass by, in the same order.
    pub fresh: &'r [Way],
    pub inputs: &'r Rc<Model>,
}

/// What strategies can look at.
#[derive(Clone, Copy, Debug)]
pub struct View<'v> {
    pub terms: &'v Terms,
    pub tree: &'v Tree,
    /// Edges that lead to an open objective at once.
    pub open: &'v FxHashSet<Edge>,
    /// Ways with more decisions before them are not to be tried yet.
    pub deepest: u32,
    /// The traces that are asked for.
    pub guide: &'v Guide,
}

/// What to do next.
#[derive(Clone, PartialEq, Debug)]
pub enum Next {
    /// Find inputs that take this way.
    Flip(NodeId),
    /// Run with these inputs.
    Inputs(Model),
    /// Nothing: no way is left that can lead to an open objective.
    Done,
}

/// Why the seam exists: a campaign does not care in which order ways are tried; research does.
pub trait Strategy: std::fmt::Debug {
    /// The program was run.
    fn ran(&mut self, run: &Ran<'_>, view: &View<'_>);

    /// No run can take this way.
    fn cannot(&mut self, id: NodeId) {
        let _ = id;
    }

    /// These edges lead to an open objective no more; in ascending order.
    fn closed(&mut self, edges: &[Edge]) {
        let _ = edges;
    }

    /// What to do next. A way that was named once is not named again.
    fn next(&mut self, view: &View<'_>) -> Next;
}

/// The strategies by their names on the command line.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, EnumString, IntoStaticStr, EnumIter)]
#[strum(serialize_all = "kebab-case")]
pub enum Explorer {
    Mixed,
    Coverage,
    Novelty,
    Dfs,
    Bfs,
    Random,
    UniformRandom,
    RandomInput,
    Shortest,
    ShortestLocal,
    Residual,
    Expectation,
    Eager,
    Lookahead,
    Else,
    Mt,
    Guided,
}

impl Explorer {
    pub fn all() -> impl Iterator<Item = Explorer> {
        Explorer::iter()
    }

    pub fn name(self) -> &'static str {
        self.into()
    }

    /// When to use it, in a few words.
    pub fn about(self) -> &'static str {
        match self {
            Explorer::Mixed => "several of these by turns, as they prove useful; a good guess",
            Explorer::Coverage => "open branches first, then what was met least; cheap",
            Explorer::Novelty => "a branch that no run took so often; loops that count",
            Explorer::Dfs => "the last decision first; few paths, or with a bound",
            Explorer::Bfs => "the first decision first; branches behind few decisions",
            Explorer::Random => "a random decision of the last path; hard to mislead",
            Explorer::UniformRandom => "a random path, side by side; fair where loops are deep",
            Explorer::RandomInput => "random inputs, no solver; never ends, how far luck goes",
            Explorer::Shortest => "nearest to an open branch; few solver calls",
            Explorer::ShortestLocal => "shortest along one path, with new starts; to compare",
            Explorer::Residual => "at each decision the side with most open behind it",
            Explorer::Expectation => "most open branches to be expected; few tests",
            Explorer::Eager => "depth first from the first decision of each new path",
            Explorer::Lookahead => "eager, only where something open can be reached",
            Explorer::Else => "lookahead, open branches of a path before the rest",
            Explorer::Guided => "only ways that agree with a trace asked for; local paths, points",
            Explorer::Mt => "else on all paths in turn; none holds up the others",
        }
    }

    /// Whether it looks at the control flow.
    pub fn needs_cfg(self) -> bool {
        matches!(
            self,
            Explorer::Mixed
                | Explorer::Novelty
                | Explorer::Shortest
                | Explorer::ShortestLocal
                | Explorer::Residual
                | Explorer::Expectation
                | Explorer::Lookahead
                | Explorer::Else
                | Explorer::Mt
                | Explorer::Guided
        )
    }

    /// Whether it ends when all ways that matter were tried. The others go on as long as they may.
    pub fn is_exhaustive(self) -> bool {
        self != Explorer::RandomInput
    }

    pub fn make(self, cfg: &Rc<Cfg>, open: &FxHashSet<Edge>, seed: u64) -> Box<dyn Strategy> {
        let rng = Rng::new(seed);
        let cfg = Rc::clone(cfg);
        match self {
            Explorer::Mixed => Box::new(mixed::Mixed::new(cfg, open, rng)),
            Explorer::Coverage => Box::new(coverage::Coverage::default()),
            Explorer::Novelty => Box::new(novelty::Novelty::new(cfg, open, rng)),
            Explorer::Dfs => Box::new(dfs::Dfs::default()),
            Explorer::Bfs => Box::new(bfs::Bfs::default()),
            Explorer::Random => Box::new(random::Random::new(rng)),
            Explorer::UniformRandom => Box::new(uniform_random::UniformRandom::new(rng)),
            Explorer::RandomInput => Box::new(random_input::RandomInput::new(rng)),
            Explorer::Shortest => Box::new(shortest::Shortest::new(cfg, open, rng)),
            Explorer::ShortestLocal => Box::new(shortest_local::ShortestLocal::new(cfg, open, rng)),
            Explorer::Residual => Box::new(residual::Residual::new(&cfg, open, rng)),
            Explorer::Expectation => Box::new(expectation::Expectation::new(cfg, open, rng)),
            Explorer::Eager => Box::new(eager::Eager::default()),
            Explorer::Lookahead => Box::new(lookahead::Lookahead::new(cfg, open)),
            Explorer::Else => Box::new(else_first::ElseFirst::new(cfg, open)),
            Explorer::Mt => Box::new(mt::Mt::new(cfg, open)),
            Explorer::Guided => Box::new(guided::Guided::new(cfg, open)),
        }
    }
}

/// What decides where to go next: what explores, and whether a model of the program proves beside it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    pub explorer: Explorer,
    /// See [`covenant_prove::arc`].
    pub model: bool,
}

impl Choice {
    /// The default: the model, with what explores best beside it.
    pub const ARC: Choice = Choice { explorer: Explorer::Mixed, model: true };

    pub fn paths(explorer: Explorer) -> Choice {
        Choice { explorer, model: false }
    }

    pub fn name(self) -> String {
        match self {
            Choice::ARC => "arc".to_owned(),
            Choice { explorer, model: true, .. } => format!("{}+arc", explorer.name()),
            Choice { explorer, .. } => explorer.name().to_owned(),
        }
    }
}

impl Default for Choice {
    fn default() -> Self {
        Choice::ARC
    }
}

impl std::str::FromStr for Choice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "arc" {
            return Ok(Choice::ARC);
        }
        let (name, model) = match text.split_once('+') {
            Some((name, "arc")) | Some(("arc", name)) => (name, true),
            Some(_) => return Err("only `+arc` can be added to a strategy".to_owned()),
            None => (text, false),
        };
        let explorer: Explorer = name.parse().map_err(|_| {
            let names: Vec<&str> = Explorer::all().map(Explorer::name).collect();
            format!("there is no strategy `{name}`; there are arc, {}, and each of these with +arc", names.join(", "))
        })?;
        Ok(Choice { explorer, model })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_written() {
        for explorer in Explorer::all() {
            for choice in [Choice::paths(explorer), Choice { model: true, ..Choice::paths(explorer) }] {
                assert_eq!(choice.name().parse(), Ok(choice));
            }
            assert!(!explorer.about().is_empty());
        }
        assert_eq!("arc".parse(), Ok(Choice::ARC));
        assert_eq!("arc+mt".parse::<Choice>().unwrap().name(), "mt+arc");
        assert_eq!(Explorer::UniformRandom.name(), "uniform-random");
        assert!("best".parse::<Choice>().unwrap_err().contains("expectation"));
        assert!("dfs+bfs".parse::<Choice>().is_err());
    }
}
