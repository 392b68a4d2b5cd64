//! The model: the nodes of each location are the leaves of a tree of splits.
//!
//! Invariants: the leaves of a location partition its states; a blocked step is one that no state of its node can take;
//! every run that visited a location visited exactly one leaf at a time.

use covenant_constraints::tuning::Tuning;
use covenant_constraints::{TermId, Terms};
use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap, entity_impl};
use rustc_hash::FxHashSet;

use covenant_transition::flow::{EdgeId, Flow, LocationId};
use covenant_transition::trace::Truths;

/// A node of the model.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);
entity_impl!(NodeId, "n");

/// A place where a location's states were divided.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SplitId(u32);
entity_impl!(SplitId, "split");

/// A visit of a location: the run's number and how often the run was there before.
pub type Visit = (u32, u32);

/// Some states of a location.
#[derive(Clone, Debug)]
pub struct Node {
    /// The location.
    pub location: LocationId,
    /// The split that made it, and whether its formula holds here.
    parent: Option<(SplitId, bool)>,
    /// Whether a run was in one of its states.
    pub covered: bool,
    /// No state of it is reachable.
    pub dead: bool,
    /// The latest last.
    pub visits: Vec<Visit>,
    blocked: FxHashSet<(EdgeId, NodeId)>,
    /// Who is blocked from stepping here.
    blocked_from: FxHashSet<(NodeId, EdgeId)>,
    /// Splits that were made to find out about this node.
    split_for: Vec<SplitId>,
    /// How often runs came here.
    pub times: u32,
    /// It is a leaf.
    live: bool,
}

#[derive(Clone, Copy, Debug)]
enum Child {
    Leaf(NodeId),
    Split(SplitId),
}

#[derive(Clone, Debug)]
struct Split {
    location: LocationId,
    /// What holds on the first side, taken together.
    conjuncts: Vec<TermId>,
    formula: TermId,
    children: [Child; 2],
    parent: Option<(SplitId, bool)>,
    obsolete: bool,
}

/// How large the model is and was.
#[derive(Clone, Copy, Debug, Default)]
pub struct Size {
    /// Leaves there are.
    pub nodes: usize,
    /// The most there ever were.
    pub nodes_peak: usize,
    /// The longest conjunction of a node.
    pub predicate_peak: usize,
    /// Splits that were made.
    pub refinements: u64,
    /// Splits that were undone.
    pub coarsenings: u64,
}

/// The program's states, divided as far as was needed so far.
#[derive(Debug)]
pub struct Model {
    nodes: PrimaryMap<NodeId, Node>,
    splits: PrimaryMap<SplitId, Split>,
    roots: SecondaryMap<LocationId, Option<Child>>,
    leaves: SecondaryMap<LocationId, Vec<NodeId>>,
    /// How large it is and was.
    pub size: Size,
    coarsens: bool,
    /// Visits that a node remembers.
    most_visits: usize,
}

impl Model {
    /// A model that divides nothing yet; `coarsens`: whether splits are undone once nobody needs them.
    pub fn new(flow: &Flow, coarsens: bool, tuning: &Tuning) -> Model {
        let mut model = Model {
            nodes: PrimaryMap::with_capacity(flow.locations.len()),
            splits: PrimaryMap::new(),
            roots: SecondaryMap::with_capacity(flow.locations.len()),
            leaves: SecondaryMap::with_capacity(flow.locations.len()),
            size: Size::default(),
            coarsens,
            most_visits: tuning.model_visits,
        };
        for location in flow.locations.keys() {
            let leaf = model.leaf(location, None);
            model.roots[location] = Some(Child::Leaf(leaf));
            model.leaves[location].push(leaf);
        }
        model.nodes[model.leaves[flow.root][0]].covered = true;
        model
    }

    fn leaf(&mut self, location: LocationId, parent: Option<(SplitId, bool)>) -> NodeId {
        self.size.nodes += 1;
        self.size.nodes_peak = self.size.nodes_peak.max(self.size.nodes);
        self.nodes.push(Node {
            location,
            parent,
            covered: false,
            dead: false,
            visits: Vec::new(),
            blocked: FxHashSet::default(),
            blocked_from: FxHashSet::default(),
            split_for: Vec::new(),
            times: 0,
            live: true,
        })
    }

    /// A node by its number.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id]
    }

    /// The nodes that divide a location's states among them.
    pub fn leaves(&self, location: LocationId) -> &[NodeId] {
        &self.leaves[location]
    }

    /// Whether a node is not divided itself.
    pub fn is_leaf(&self, id: NodeId) -> bool {
        self.nodes[id].live
    }

    /// Whether no state of `from` can take the step to `to`.
    pub fn is_blocked(&self, from: NodeId, edge: EdgeId, to: NodeId) -> bool {
        self.nodes[from].blocked.contains(&(edge, to))
    }

    /// The steps into a node that are not blocked.
    pub fn into<'m>(&'m self, flow: &'m Flow, to: NodeId) -> impl Iterator<Item = (NodeId, EdgeId)> + 'm {
        let edges = flow.locations[self.nodes[to].location].into.iter();
        edges.flat_map(move |&edge| {
            let from = self.leaves[flow.edges[edge].from].iter();
            from.filter(move |&&from| !self.nodes[from].dead && !self.is_blocked(from, edge, to))
                .map(move |&from| (from, edge))
        })
    }

    /// The steps out of a node that are not blocked.
    pub fn out<'m>(&'m self, flow: &'m Flow, from: NodeId) -> impl Iterator<Item = (EdgeId, NodeId)> + 'm {
        let edges = flow.locations[self.nodes[from].location].out.iter();
        edges.flat_map(move |&edge| {
            let to = self.leaves[flow.edges[edge].to].iter();
            to.filter(move |&&to| !self.nodes[to].dead && !self.is_blocked(from, edge, to)).map(move |&to| (edge, to))
        })
    }

    /// What holds in the node: conjuncts, those of the first split first.
    pub fn predicate(&self, terms: &mut Terms, id: NodeId) -> Vec<TermId> {
        let mut chain = Vec::new();
        let mut at = self.nodes[id].parent;
        while let Some((split, holds)) = at {
            chain.push((split, holds));
            at = self.splits[split].parent;
        }
        let mut conjuncts = Vec::new();
        for (split, holds) in chain.into_iter().rev() {
            let split = &self.splits[split];
            if holds {
                conjuncts.extend(&split.conjuncts);
            } else {
                conjuncts.push(terms.not(split.formula));
            }
        }
        conjuncts
    }

    /// The formulas that tell the leaves of a location apart.
    pub fn formulas(&self, location: LocationId) -> Vec<TermId> {
        let mut formulas = Vec::new();
        let mut work: Vec<Child> = self.roots[location].into_iter().collect();
        while let Some(child) = work.pop() {
            if let Child::Split(split) = child {
                formulas.push(self.splits[split].formula);
                work.extend(self.splits[split].children);
            }
        }
        formulas.sort_unstable();
        formulas.dedup();
        formulas
    }

    /// The leaf in which these formulas (see [`Model::formulas`]) have these values.
    pub fn find(&self, location: LocationId, formulas: &[TermId], truths: &Truths) -> Option<NodeId> {
        let mut at = self.roots[location]?;
        loop {
            match at {
                Child::Leaf(leaf) => return Some(leaf),
                Child::Split(split) => {
                    let split = &self.splits[split];
                    let index = formulas.binary_search(&split.formula).ok()?;
                    let holds = truths.get(index).copied().flatten() == Some(true);
                    at = split.children[usize::from(!holds)];
                }
            }
        }
    }

    /// A run visited the node; true if none did before.
    pub fn cover(&mut self, id: NodeId, visits: impl IntoIterator<Item = Visit>) -> bool {
        let node = &mut self.nodes[id];
        let new = !node.covered;
        node.covered = true;
        node.times += 1;
        node.visits.extend(visits);
        let excess = node.visits.len().saturating_sub(self.most_visits);
        node.visits.drain(..excess);
        new
    }

    /// No state of `from` can take this step.
    pub fn block(&mut self, from: NodeId, edge: EdgeId, to: NodeId) {
        self.nodes[from].blocked.insert((edge, to));
        self.nodes[to].blocked_from.insert((from, edge));
    }

    /// Splits a node into the states where all conjuncts hold (which no run has covered) and the rest, to find out
    /// about `wanted`. Both sides.
    pub fn split(&mut self, terms: &mut Terms, id: NodeId, conjuncts: Vec<TermId>, wanted: NodeId) -> (NodeId, NodeId) {
        self.size.refinements += 1;
        let formula = terms.and_all(conjuncts.iter().copied());
        let (location, parent) = (self.nodes[id].location, self.nodes[id].parent);
        let children = [Child::Leaf(id), Child::Leaf(id)];
        let split = self.splits.push(Split { location, conjuncts, formula, children, parent, obsolete: false });
        let (yes, no) = (self.leaf(location, Some((split, true))), self.leaf(location, Some((split, false))));
        self.splits[split].children = [Child::Leaf(yes), Child::Leaf(no)];
        self.replace(location, parent, Child::Split(split));
        let old = &mut self.nodes[id];
        old.live = false;
        self.size.nodes -= 1;
        let (blocked, blocked_from) = (std::mem::take(&mut old.blocked), std::mem::take(&mut old.blocked_from));
        let (covered, visits, split_for) =
            (old.covered, std::mem::take(&mut old.visits), std::mem::take(&mut old.split_for));
        for &side in &[yes, no] {
            for &(edge, to) in &blocked {
                // A step from the node to itself is one between its halves.
                let targets = if to == id { vec![yes, no] } else { vec![to] };
                for to in targets {
                    self.block(side, edge, to);
                }
            }
            for &(from, edge) in blocked_from.iter().filter(|(from, _)| *from != id) {
                self.block(from, edge, side);
            }
        }
        for &(from, edge) in &blocked_from {
            self.nodes[from].blocked.remove(&(edge, id));
        }
        for &(edge, to) in &blocked {
            self.nodes[to].blocked_from.remove(&(id, edge));
        }
        self.nodes[no].covered = covered;
        self.nodes[no].visits = visits;
        self.nodes[yes].split_for = split_for;
        self.nodes[wanted].split_for.push(split);
        let leaves = &mut self.leaves[location];
        leaves.retain(|&leaf| leaf != id);
        leaves.extend([yes, no]);
        let length = self.predicate(terms, yes).len();
        self.size.predicate_peak = self.size.predicate_peak.max(length);
        (yes, no)
    }

    fn replace(&mut self, location: LocationId, parent: Option<(SplitId, bool)>, child: Child) {
        match parent {
            None => self.roots[location] = Some(child),
            Some((split, holds)) => self.splits[split].children[usize::from(!holds)] = child,
        }
    }

    /// Says that no run has a state of this node.
    pub fn kill(&mut self, id: NodeId) {
        self.nodes[id].dead = true;
    }

    /// The node is decided: what was split for it is put together again.
    pub fn coarsen(&mut self, id: NodeId) {
        let splits = std::mem::take(&mut self.nodes[id].split_for);
        if !self.coarsens {
            return;
        }
        let mut work = splits;
        for &split in &work {
            self.splits[split].obsolete = true;
        }
        while let Some(split) = work.pop() {
            let data = &self.splits[split];
            let [Child::Leaf(yes), Child::Leaf(no)] = data.children else { continue };
            if !data.obsolete || !self.nodes[yes].live || !self.nodes[no].live {
                continue;
            }
            let (merged, above) = self.merge(split, yes, no);
            work.extend(above);
            // What was split to find out about a half that is decided is of no use either.
            if self.nodes[merged].covered || self.nodes[merged].dead {
                let more = std::mem::take(&mut self.nodes[merged].split_for);
                for &split in &more {
                    self.splits[split].obsolete = true;
                }
                work.extend(more);
            }
        }
    }

    /// Makes one leaf of two; the leaf and the split above it.
    fn merge(&mut self, split: SplitId, yes: NodeId, no: NodeId) -> (NodeId, Option<SplitId>) {
        self.size.coarsenings += 1;
        let (location, parent) = (self.splits[split].location, self.splits[split].parent);
        let merged = self.leaf(location, parent);
        self.size.nodes -= 2;
        self.replace(location, parent, Child::Leaf(merged));
        let [first, second] = [yes, no].map(|id| {
            let node = &mut self.nodes[id];
            node.live = false;
            (
                std::mem::take(&mut node.blocked),
                std::mem::take(&mut node.blocked_from),
                std::mem::take(&mut node.visits),
                std::mem::take(&mut node.split_for),
            )
        });
        let dead = self.nodes[yes].dead && self.nodes[no].dead;
        // States that nothing reaches take no steps.
        let (yes_dead, no_dead) = (self.nodes[yes].dead, self.nodes[no].dead);
        for &(edge, to) in first.0.iter().filter(|step| no_dead || second.0.contains(step)) {
            self.renew_block(merged, edge, to, yes, no);
        }
        if yes_dead && !no_dead {
            for &(edge, to) in &second.0 {
                self.renew_block(merged, edge, to, yes, no);
            }
        }
        for &(from, edge) in first.1.iter().filter(|step| second.1.contains(step)) {
            if from != yes && from != no {
                self.block(from, edge, merged);
            }
        }
        for (id, (out, into, ..)) in [(yes, &first), (no, &second)] {
            for &(edge, to) in out {
                self.nodes[to].blocked_from.remove(&(id, edge));
            }
            for &(from, edge) in into {
                self.nodes[from].blocked.remove(&(edge, id));
            }
        }
        let covered = self.nodes[yes].covered || self.nodes[no].covered;
        let node = &mut self.nodes[merged];
        node.covered = covered;
        node.dead = dead;
        node.visits = first.2.into_iter().chain(second.2).collect();
        node.split_for = first.3.into_iter().chain(second.3).collect();
        let leaves = &mut self.leaves[location];
        leaves.retain(|&leaf| leaf != yes && leaf != no);
        leaves.push(merged);
        (merged, parent.map(|(split, _)| split))
    }

    fn renew_block(&mut self, merged: NodeId, edge: EdgeId, to: NodeId, yes: NodeId, no: NodeId) {
        // Steps between the halves: they are blocked only if all four are, which is not worth finding out.
        if to != yes && to != no {
            self.block(merged, edge, to);
        }
    }

    /// All leaves.
    pub fn node_ids(&self) -> impl Iterator<Item = NodeId> + '_ {
        (0..self.nodes.len()).map(NodeId::new).filter(|&id| self.nodes[id].live)
    }
}
