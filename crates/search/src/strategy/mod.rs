//! Which way to try next.
//!
//! A run leaves behind the decisions of its path, each with the ways that it did not go. A strategy orders these. One file
//! a strategy, each opening with the idea and where it comes from; what several share is in [`cfg`](mod@crate::cfg) (the program as a
//! graph of ways), `reach` (how far open ways are) and `suffix` (the part of a path that a run was the first to take).

pub(crate) mod reach;
mod suffix;

mod bags;
mod near;
mod weights;

#[cfg(test)]
mod testing;

use std::rc::Rc;

use covenant_concolic::symbolic::EventKind;
use covenant_concolic::tree::{Node, NodeId, Tree};
use covenant_constraints::random::Rng;
use covenant_constraints::tuning::Tuning;
use covenant_constraints::{Model, Terms};
use rustc_hash::FxHashSet;
use strum::IntoEnumIterator;

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
    /// Its node in the tree.
    pub id: NodeId,
    /// The edge of the program that it takes.
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
    /// Open ways of branches that it went another way at, each with the decisions before it did so for the last time.
    pub missed: &'r [(Edge, u32)],
    /// What it was run with.
    pub inputs: &'r Rc<Model>,
}

/// What strategies can look at.
#[derive(Clone, Copy, Debug)]
pub struct View<'v> {
    /// The terms of conditions.
    pub terms: &'v Terms,
    /// The paths that runs took.
    pub tree: &'v Tree,
    /// Edges that lead to an open objective at once.
    pub open: &'v FxHashSet<Edge>,
    /// Ways with more decisions before them are not to be tried yet.
    pub deepest: u32,
    /// The traces that are asked for.
    pub guide: &'v Guide,
    /// The numbers that strategies go by.
    pub tuning: &'v Tuning,
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

/// Why the seam exists: path search does not care in which order ways are tried; research does.
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

/// What a strategy starts from.
struct Start<'s> {
    /// The control flow; empty unless the strategy asks for it.
    cfg: Rc<Cfg>,
    /// Edges that lead to an open objective at once.
    open: &'s FxHashSet<Edge>,
    /// For lots.
    rng: Rng,
}

/// What a strategy's file says of it.
struct Profile {
    /// When to use it, in a few words.
    about: &'static str,
    /// Whether it looks at the control flow.
    needs_cfg: bool,
    /// Whether it ends when all ways that matter were tried. The others go on as long as they may.
    is_exhaustive: bool,
    make: fn(Start<'_>) -> Box<dyn Strategy>,
}

// In the order in which `--help` lists them.
covenant_goals::registry! {
    /// The strategies by their names on the command line.
    enum StrategyKind in "strategy" {
        mixed: Mixed,
        coverage: Coverage,
        novelty: Novelty,
        dfs: Dfs,
        bfs: Bfs,
        random: Random,
        uniform_random: UniformRandom,
        random_input: RandomInput,
        shortest: Shortest,
        shortest_local: ShortestLocal,
        residual: Residual,
        expectation: Expectation,
        eager: Eager,
        lookahead: Lookahead,
        else_first: Else,
        mt: Mt,
        guided: Guided,
    }
}

impl StrategyKind {
    /// All of them.
    pub fn all() -> impl Iterator<Item = StrategyKind> {
        StrategyKind::iter()
    }

    /// When to use it, in a few words.
    pub fn about(self) -> &'static str {
        self.profile().about
    }

    /// Whether it looks at the control flow.
    pub fn needs_cfg(self) -> bool {
        self.profile().needs_cfg
    }

    /// Whether it ends when all ways that matter were tried. The others go on as long as they may.
    pub fn is_exhaustive(self) -> bool {
        self.profile().is_exhaustive
    }

    /// A strategy that has seen no run yet.
    pub fn make(self, cfg: &Rc<Cfg>, open: &FxHashSet<Edge>, seed: u64) -> Box<dyn Strategy> {
        (self.profile().make)(Start { cfg: Rc::clone(cfg), open, rng: Rng::new(seed) })
    }
}

/// What decides where to go next: what explores, and whether a model of the program proves beside it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StrategyConfig {
    /// In which order paths are tried.
    pub kind: StrategyKind,
    /// See [`covenant_prove::arc`].
    pub model: bool,
}

impl StrategyConfig {
    /// The default: the model, with what explores best beside it.
    pub const ARC: StrategyConfig = StrategyConfig { kind: StrategyKind::Mixed, model: true };

    /// A plain strategy: path search alone.
    pub fn paths(kind: StrategyKind) -> StrategyConfig {
        StrategyConfig { kind, model: false }
    }

    /// The name on the command line.
    pub fn name(self) -> String {
        match self {
            StrategyConfig::ARC => "arc".to_owned(),
            StrategyConfig { kind, model: true, .. } => format!("{}+arc", kind.name()),
            StrategyConfig { kind, .. } => kind.name().to_owned(),
        }
    }
}

impl std::fmt::Display for StrategyConfig {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.name())
    }
}

impl Default for StrategyConfig {
    fn default() -> Self {
        StrategyConfig::ARC
    }
}

impl std::str::FromStr for StrategyConfig {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "arc" {
            return Ok(StrategyConfig::ARC);
        }
        let (name, model) = match text.split_once('+') {
            Some((name, "arc")) | Some(("arc", name)) => (name, true),
            Some(_) => return Err("only `+arc` can be added to a strategy".to_owned()),
            None => (text, false),
        };
        let kind: StrategyKind = name.parse().map_err(|_| {
            let names: Vec<&str> = StrategyKind::all().map(StrategyKind::name).collect();
            format!("there is no strategy `{name}`; there are arc, {}, and each of these with +arc", names.join(", "))
        })?;
        Ok(StrategyConfig { kind, model })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_written() {
        for kind in StrategyKind::all() {
            for choice in [StrategyConfig::paths(kind), StrategyConfig { model: true, ..StrategyConfig::paths(kind) }] {
                assert_eq!(choice.name().parse(), Ok(choice));
            }
            assert!(!kind.about().is_empty());
        }
        assert_eq!("arc".parse(), Ok(StrategyConfig::ARC));
        assert_eq!("arc+mt".parse::<StrategyConfig>().unwrap().name(), "mt+arc");
        assert_eq!(StrategyKind::UniformRandom.name(), "uniform-random");
        assert!("best".parse::<StrategyConfig>().unwrap_err().contains("expectation"));
        assert!("dfs+bfs".parse::<StrategyConfig>().is_err());
    }
}
