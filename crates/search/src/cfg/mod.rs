//! The interprocedural control-flow graph, as strategies need it.
//!
//! Its nodes are *points*: the ways out of conditional branches and switches, the start of the program, and the entries of
//! functions that are to be reached. An edge leads from a point to each that can come next without another between. A
//! function has its points once for each chain of calls that leads to it, as if it were written there in place; recursion
//! goes back to the points that are there already. Beyond a size, all further calls of a function share its points.
//!
//! The graph over-approximates: each run is a walk in it. What no walk reaches, no run does.

mod build;
#[cfg(test)]
mod tests;

use rustc_hash::FxHashMap;

pub use build::build;

use covenant_concolic::symbolic::ContextId;
use covenant_goals::Place;
use covenant_interpreter::Image;
use covenant_program::analysis::loops::has_cycle;

/// A point, by its number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PointId(pub u32);

impl PointId {
    /// Where every run begins.
    pub const START: PointId = PointId(0);

    /// Its number.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An edge of the program: function, operation, which way.
pub type Edge = (u32, u32, u32);

/// In place of an operation: the entry of the function.
pub const ENTRY: u32 = u32::MAX; // not tuning: numbers that no function has

/// In place of an operation: a label, by its number in place of the way.
pub const LABEL: u32 = ENTRY - 1; // not tuning: numbers that no function has

/// The edge of a place as strategies know it; a label is none.
pub fn edge_of(image: &Image, place: Place) -> Option<Edge> {
    match place {
        Place::Edge(function, block, way) => Some((function.as_u32(), image.terminator(function, block), way)),
        Place::Entry(function) => Some((function.as_u32(), ENTRY, 0)),
        Place::Label(..) => None,
    }
}

/// The control-flow graph of the program, with a point for each edge in each chain of calls.
#[derive(Clone, Debug, Default)]
pub struct Cfg {
    next: Vec<Vec<PointId>>,
    before: Vec<Vec<PointId>>,
    /// Which way of the program a point is; `None` for the start.
    edges: Vec<Option<Edge>>,
    index: FxHashMap<(ContextId, Edge), PointId>,
    by_edge: FxHashMap<Edge, Vec<PointId>>,
}

impl Cfg {
    fn empty() -> Cfg {
        Cfg { next: vec![Vec::new()], before: vec![Vec::new()], edges: vec![None], ..Cfg::default() }
    }

    /// How many points there are.
    pub fn len(&self) -> usize {
        self.edges.len()
    }

    /// Whether nobody built it, or there is nothing to see.
    pub fn is_empty(&self) -> bool {
        self.edges.len() <= 1
    }

    /// All points.
    pub fn points(&self) -> impl Iterator<Item = PointId> + use<> {
        (0..self.len() as u32).map(PointId)
    }

    /// The points that can come next.
    pub fn next(&self, point: PointId) -> &[PointId] {
        &self.next[point.index()]
    }

    /// The points that it can come from.
    pub fn before(&self, point: PointId) -> &[PointId] {
        &self.before[point.index()]
    }

    /// Whether a way can be taken again.
    pub fn has_loops(&self) -> bool {
        let steps = (0..).zip(&self.next).flat_map(|(from, next)| next.iter().map(move |to| (from, to.0)));
        has_cycle(self.len(), steps)
    }

    /// The edge that a point stands for.
    pub fn edge(&self, point: PointId) -> Option<Edge> {
        self.edges[point.index()]
    }

    /// The point of an edge in a chain of calls.
    pub fn find(&self, context: ContextId, edge: Edge) -> Option<PointId> {
        self.index.get(&(context, edge)).copied()
    }

    /// The points of a way of the program, one for each context.
    pub fn all(&self, edge: Edge) -> &[PointId] {
        self.by_edge.get(&edge).map_or(&[], Vec::as_slice)
    }

    fn add(&mut self, context: ContextId, edge: Edge) -> PointId {
        let id = PointId(self.edges.len() as u32);
        self.edges.push(Some(edge));
        self.next.push(Vec::new());
        self.before.push(Vec::new());
        self.index.insert((context, edge), id);
        self.by_edge.entry(edge).or_default().push(id);
        id
    }

    fn connect(&mut self, from: PointId, mut to: Vec<PointId>) {
        to.sort_unstable();
        to.dedup();
        for &point in &to {
            self.before[point.index()].push(from);
        }
        self.next[from.index()] = to;
    }

    /// A graph by hand: point `i` is the way 0 of operation `i` in function 0.
    #[cfg(test)]
    pub(crate) fn by_hand(points: u32, edges: &[(u32, u32)]) -> Cfg {
        let mut cfg = Cfg::empty();
        for i in 1..points {
            cfg.add(ContextId(0), (0, i, 0));
        }
        for i in 0..points {
            let to = edges.iter().filter(|(from, _)| *from == i).map(|&(_, to)| PointId(to)).collect();
            cfg.connect(PointId(i), to);
        }
        cfg
    }

    /// The graph of all steps that these walks make, and points for further edges that lead nowhere.
    #[cfg(test)]
    pub(crate) fn of_walks(walks: &[Vec<Edge>], further: &rustc_hash::FxHashSet<Edge>) -> Cfg {
        let mut cfg = Cfg::empty();
        let mut edges: Vec<Edge> = further.iter().copied().collect();
        edges.sort_unstable();
        for edge in edges {
            cfg.add(ContextId(0), edge);
        }
        let mut next: Vec<Vec<PointId>> = vec![Vec::new(); cfg.len()];
        for walk in walks {
            let mut at = PointId::START;
            for &edge in walk {
                // A decision has both its ways.
                for way in [0, 1] {
                    next[at.index()].extend(cfg.find(ContextId(0), (edge.0, edge.1, way)));
                }
                at = cfg.find(ContextId(0), edge).unwrap_or(at);
            }
        }
        for (from, to) in next.into_iter().enumerate() {
            cfg.connect(PointId(from as u32), to);
        }
        cfg
    }
}
