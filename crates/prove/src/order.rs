//! The order in which a graph is analysed: topological, with each loop in one piece behind its head, so that a loop is done
//! before what follows it is looked at (a weak topological order in Bourdoncle's sense).

use cranelift_entity::{EntityRef, SecondaryMap};

use covenant_transition::flow::{Flow, LocationId};

/// A loop: a strongly connected part of the graph, entered at its head (and, in an irreducible graph, elsewhere too).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Component {
    /// The location that all ways into it go through first.
    pub head: LocationId,
    /// Its positions in the order; the head is the first.
    pub start: usize,
    /// Behind its last member in the sequence.
    pub end: usize,
}

/// The locations of a flow, so that all but loops go forward.
#[derive(Debug, Default)]
pub struct Order {
    /// Each location once.
    pub sequence: Vec<LocationId>,
    /// One more than the position; 0 for what is not in the order.
    positions: SecondaryMap<LocationId, u32>,
    /// By start. An inner one is behind the one it is in.
    pub components: Vec<Component>,
}

impl Order {
    /// Of the locations that `within` has and the root reaches inside it.
    pub fn new(flow: &Flow, within: &SecondaryMap<LocationId, bool>) -> Order {
        Builder::new(flow, within).run()
    }

    /// Where a location stands in the sequence; `None` if nothing leads there.
    pub fn position(&self, location: LocationId) -> Option<usize> {
        (self.positions[location] as usize).checked_sub(1)
    }

    /// Whether the location is in the sequence.
    pub fn contains(&self, location: LocationId) -> bool {
        self.positions[location] != 0
    }

    /// The locations of a component, head first.
    pub fn members(&self, component: &Component) -> &[LocationId] {
        &self.sequence[component.start..component.end]
    }

    /// Whether the location belongs to a loop.
    pub fn is_member(&self, component: &Component, location: LocationId) -> bool {
        self.position(location).is_some_and(|p| (component.start..component.end).contains(&p))
    }

    /// The component with this head.
    pub fn component_of(&self, head: LocationId) -> Option<&Component> {
        let start = self.position(head)?;
        let found = self.components.binary_search_by_key(&start, |c| c.start).ok()?;
        Some(&self.components[found])
    }
}

enum Work {
    /// Order these locations, beginning at the roots.
    Region { nodes: Vec<LocationId>, roots: Vec<LocationId> },
    /// A location alone, or a loop with this head.
    Part { nodes: Vec<LocationId>, head: LocationId },
    /// The loop is complete.
    Close { component: usize },
}

struct Builder<'a> {
    flow: &'a Flow,
    /// The region a location is in; 0 for none.
    region: SecondaryMap<LocationId, u32>,
    regions: u32,
    /// Of Tarjan's algorithm: when met (0: not yet), and the earliest that it reaches.
    index: SecondaryMap<LocationId, u32>,
    low: SecondaryMap<LocationId, u32>,
    order: Order,
}

impl<'a> Builder<'a> {
    fn new(flow: &'a Flow, within: &SecondaryMap<LocationId, bool>) -> Builder<'a> {
        let mut region = SecondaryMap::new();
        region.resize(flow.locations.len());
        for location in flow.locations.keys().filter(|l| within[*l]) {
            region[location] = u32::MAX;
        }
        Builder {
            flow,
            region,
            regions: 0,
            index: SecondaryMap::new(),
            low: SecondaryMap::new(),
            order: Order::default(),
        }
    }

    fn run(mut self) -> Order {
        let root = self.flow.root;
        if self.region[root] == 0 {
            return self.order;
        }
        let nodes = self.reachable(root);
        let mut work = vec![Work::Region { nodes, roots: vec![root] }];
        while let Some(next) = work.pop() {
            match next {
                Work::Region { nodes, roots } => self.split(nodes, roots, &mut work),
                Work::Part { nodes, head } => self.emit(nodes, head, &mut work),
                Work::Close { component } => self.order.components[component].end = self.order.sequence.len(),
            }
        }
        self.order.components.sort_by_key(|c| c.start);
        self.order
    }

    fn successors(&self, from: LocationId) -> impl Iterator<Item = LocationId> + 'a {
        let flow = self.flow;
        flow.locations[from].out.iter().map(|e| flow.edges[*e].to)
    }

    fn reachable(&self, root: LocationId) -> Vec<LocationId> {
        let mut seen: SecondaryMap<LocationId, bool> = SecondaryMap::new();
        let mut found = vec![root];
        seen[root] = true;
        let mut next = 0;
        while let Some(&from) = found.get(next) {
            next += 1;
            for to in self.successors(from) {
                if self.region[to] != 0 && !std::mem::replace(&mut seen[to], true) {
                    found.push(to);
                }
            }
        }
        found
    }

    fn emit(&mut self, nodes: Vec<LocationId>, head: LocationId, work: &mut Vec<Work>) {
        let start = self.order.sequence.len();
        self.order.sequence.push(head);
        self.order.positions[head] = start as u32 + 1;
        self.region[head] = 0;
        let loops = nodes.len() > 1 || self.successors(head).any(|s| s == head);
        if !loops {
            return;
        }
        let component = self.order.components.len();
        self.order.components.push(Component { head, start, end: start + 1 });
        work.push(Work::Close { component });
        let inner: Vec<LocationId> = nodes.into_iter().filter(|n| *n != head).collect();
        if !inner.is_empty() {
            let roots = self.successors(head).chain(inner.iter().copied()).collect();
            work.push(Work::Region { nodes: inner, roots });
        }
    }

    /// Pushes the strongly connected parts, so that the first in topological order is on top.
    fn split(&mut self, nodes: Vec<LocationId>, roots: Vec<LocationId>, work: &mut Vec<Work>) {
        self.regions += 1;
        for &node in &nodes {
            self.region[node] = self.regions;
            self.index[node] = 0;
        }
        let mut counter = 0;
        let mut open: Vec<LocationId> = Vec::new();
        for root in roots {
            if self.region[root] == self.regions && self.index[root] == 0 {
                self.search(root, &mut counter, &mut open, work);
            }
        }
    }

    /// Tarjan's search from one root, with a stack of its own since paths are as long as the program. Parts come last in
    /// topological order first, which is what the stack of work needs.
    fn search(&mut self, root: LocationId, counter: &mut u32, open: &mut Vec<LocationId>, work: &mut Vec<Work>) {
        let region = self.region[root];
        let mut calls: Vec<(LocationId, usize)> = Vec::new();
        self.enter(root, counter, open);
        calls.push((root, 0));
        while let Some((node, edge)) = calls.last_mut() {
            let node = *node;
            if let Some(&e) = self.flow.locations[node].out.get(*edge) {
                *edge += 1;
                let to = self.flow.edges[e].to;
                if self.region[to] != region || self.index[to] == u32::MAX {
                    continue;
                }
                if self.index[to] == 0 {
                    self.enter(to, counter, open);
                    calls.push((to, 0));
                } else {
                    self.low[node] = self.low[node].min(self.index[to]);
                }
                continue;
            }
            calls.pop();
            if let Some((caller, _)) = calls.last() {
                self.low[*caller] = self.low[*caller].min(self.low[node]);
            }
            if self.low[node] == self.index[node] {
                let at = open.iter().rposition(|n| *n == node).expect("an open location is on the stack");
                let nodes: Vec<LocationId> = open.drain(at..).collect();
                for &n in &nodes {
                    self.index[n] = u32::MAX;
                }
                work.push(Work::Part { nodes, head: node });
            }
        }
    }

    fn enter(&mut self, node: LocationId, counter: &mut u32, open: &mut Vec<LocationId>) {
        *counter += 1;
        self.index[node] = *counter;
        self.low[node] = *counter;
        open.push(node);
    }
}

/// Locations from which one of `to` is reached, themselves included.
pub fn backwards(flow: &Flow, to: &[LocationId]) -> SecondaryMap<LocationId, bool> {
    let mut reached: SecondaryMap<LocationId, bool> = SecondaryMap::with_capacity(flow.locations.len());
    let mut pending: Vec<LocationId> = Vec::new();
    for &location in to {
        if !std::mem::replace(&mut reached[location], true) {
            pending.push(location);
        }
    }
    while let Some(location) = pending.pop() {
        debug_assert!(location.index() < flow.locations.len());
        for &edge in &flow.locations[location].into {
            let from = flow.edges[edge].from;
            if !std::mem::replace(&mut reached[from], true) {
                pending.push(from);
            }
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(nodes: usize, edges: &[(usize, usize)]) -> (Flow, Vec<LocationId>) {
        let mut flow = Flow::by_hand(0);
        let mut ids = vec![flow.root];
        ids.extend((1..nodes).map(|_| flow.add_location()));
        for &(a, b) in edges {
            flow.add_edge(ids[a], ids[b], vec![], vec![]);
        }
        (flow, ids)
    }

    fn order_of(flow: &Flow, to: &[LocationId]) -> Order {
        Order::new(flow, &backwards(flow, to))
    }

    #[test]
    fn loops_are_in_one_piece() {
        // 0 → 1 ⇄ 2, 1 → 3 ⇄ 4 (4 has a loop with 5 inside), 3 → 6; 7 leads nowhere.
        let edges = [(0, 1), (1, 3), (1, 2), (2, 1), (3, 6), (3, 4), (4, 5), (5, 4), (4, 3), (1, 7)];
        let (flow, ids) = graph(8, &edges);
        let order = order_of(&flow, &[ids[6]]);
        let at = |i: usize| order.position(ids[i]).unwrap();
        assert_eq!(order.sequence.len(), 7);
        assert!(!order.contains(ids[7]));
        assert_eq!([at(0), at(1), at(2), at(3), at(4), at(5), at(6)], [0, 1, 2, 3, 4, 5, 6]);
        let spans: Vec<_> = order.components.iter().map(|c| (c.start, c.end)).collect();
        assert_eq!(spans, [(1, 3), (3, 6), (4, 6)]);
        assert_eq!(order.component_of(ids[4]).unwrap().head, ids[4]);
        assert!(order.component_of(ids[5]).is_none());
    }

    #[test]
    fn a_self_loop_is_a_loop_and_unreached_is_left_out() {
        let (flow, ids) = graph(4, &[(0, 1), (1, 1), (1, 2), (3, 2)]);
        let order = order_of(&flow, &[ids[2]]);
        assert_eq!(order.sequence, [ids[0], ids[1], ids[2]]);
        assert_eq!(order.components, [Component { head: ids[1], start: 1, end: 2 }]);
    }

    #[test]
    fn irreducible_graphs_have_an_order() {
        let (flow, ids) = graph(4, &[(0, 1), (0, 2), (1, 2), (2, 1), (2, 3)]);
        let order = order_of(&flow, &[ids[3]]);
        assert_eq!(order.sequence.len(), 4);
        assert_eq!(order.components.len(), 1);
    }

    #[test]
    fn long_chains_of_loops_are_linear() {
        let mut edges = Vec::new();
        for i in 0..20_000 {
            edges.extend([(2 * i, 2 * i + 1), (2 * i + 1, 2 * i), (2 * i, 2 * i + 2)]);
        }
        let (flow, ids) = graph(40_001, &edges);
        let order = order_of(&flow, &[ids[40_000]]);
        assert_eq!(order.sequence.len(), 40_001);
        assert_eq!(order.components.len(), 20_000);
    }
}
