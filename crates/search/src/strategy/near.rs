//! Near misses: what a run decided shortly before it passed an open branch by.
//!
//! Our own. Whether a function that was called found something is often told by how it returned, not by a value that a solver could
//! change: `if (scanf("%d %d", &a, &b) != 2)` compares a number that no input is in. The map does not help either, since the shortest way
//! back to such a branch is to fail at once. But some run came to it, and what it decided last before that is most likely why it went
//! the other way. So each open branch that a run came to has the ways of such runs, the nearest before it first; where the inputs decide
//! it, only ways that look at what it looks at, such as the digits of the argument that it compares. A branch of the program that was
//! tried in vain for it falls behind, and the branches that are open take turns. No strategy of its own: where no run comes near, it has
//! nothing to say, and functions, which are given values, do without it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::rc::Rc;

use covenant_concolic::symbolic::ContextId;
use covenant_concolic::tree::{NodeId, Tree};
use covenant_constraints::random::Rng;
use covenant_constraints::{TermId, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::suffix::is_left;
use super::{Next, Ran, Strategy, View, Way};
use crate::cfg::Edge;

/// A branch where certain calls came to it.
type Spot = (ContextId, Option<Edge>);

/// Ways of one run that are looked at for one branch, and that are kept, at most.
const LOOKED: usize = 1024; // not tuning: how long it takes
const MOST: u32 = 64; // not tuning: memory

#[derive(Debug)]
pub(super) struct Near {
    /// By open branch, in the order in which runs came to them.
    goals: Vec<Goal>,
    of_edge: FxHashMap<Edge, usize>,
    /// Ways by what is before them: those of earlier runs count as well.
    after: FxHashMap<NodeId, Vec<Way>>,
    groups: Groups,
    rng: Rng,
}

/// What belongs together among the inputs: the elements of one array.
#[derive(Debug, Default)]
struct Groups {
    of_name: FxHashMap<String, u32>,
    of_var: FxHashMap<VarId, u32>,
    of_term: FxHashMap<TermId, Rc<FxHashSet<u32>>>,
}

#[derive(Debug)]
struct Goal {
    edge: Edge,
    is_open: bool,
    /// How often its turn was.
    turns: u32,
    /// By rank, with a lot for each. Ranks only grow: one that is too small is corrected when it comes up.
    heap: BinaryHeap<Reverse<(u32, u64, Ordered)>>,
    known: FxHashSet<NodeId>,
    /// How often a branch was tried for it.
    tries: FxHashMap<Spot, u32>,
}

/// A way, the calls that came to it, and how far before the branch it is. Lots tell entries apart.
#[derive(Clone, Copy, Debug)]
struct Ordered(Way, ContextId, u32);

impl Ordered {
    fn spot(&self) -> Spot {
        (self.1, self.0.edge)
    }
}

impl PartialEq for Ordered {
    fn eq(&self, other: &Self) -> bool {
        self.0.id == other.0.id
    }
}

impl Eq for Ordered {}

impl PartialOrd for Ordered {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ordered {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.id.cmp(&other.0.id)
    }
}

impl Goal {
    fn rank(&self, way: Ordered) -> u32 {
        let tries = self.tries.get(&way.spot()).copied().unwrap_or(0);
        (way.2 + 1).ilog2() + tries
    }

    fn push(&mut self, way: Ordered, rng: &mut Rng) {
        self.heap.push(Reverse((self.rank(way), rng.next(), way)));
    }

    fn next(&mut self, view: &View<'_>) -> Option<Way> {
        while let Some(Reverse((rank, lot, way))) = self.heap.pop() {
            if !is_left(view, way.0.id) {
                continue;
            }
            let now = self.rank(way);
            if now > rank {
                self.heap.push(Reverse((now, lot, way)));
                continue;
            }
            *self.tries.entry(way.spot()).or_insert(0) += 1;
            return Some(way.0);
        }
        None
    }
}

impl Groups {
    /// Those that a term looks at.
    fn of(&mut self, term: TermId, view: &View<'_>) -> Rc<FxHashSet<u32>> {
        if let Some(known) = self.of_term.get(&term) {
            return Rc::clone(known);
        }
        let Groups { of_name, of_var, .. } = self;
        let mut group = |var: VarId| {
            *of_var.entry(var).or_insert_with(|| {
                let name = view.terms.var_name(var);
                let array = name.rsplit_once('[').map_or(name, |(array, _)| array);
                let next = of_name.len() as u32;
                *of_name.entry(array.to_owned()).or_insert(next)
            })
        };
        let below = view.terms.postorder(&[term]);
        let vars = below.into_iter().filter_map(|term| view.terms.as_var(term));
        let groups = Rc::new(vars.map(&mut group).collect::<FxHashSet<u32>>());
        self.of_term.insert(term, Rc::clone(&groups));
        groups
    }
}

impl Near {
    pub(super) fn new(rng: Rng) -> Near {
        Near {
            goals: Vec::new(),
            of_edge: FxHashMap::default(),
            after: FxHashMap::default(),
            groups: Groups::default(),
            rng,
        }
    }

    /// With what the subject's decisions before it compare these with: to change one of them alone may not be possible.
    fn linked(&mut self, wanted: &FxHashSet<u32>, path: &[NodeId], view: &View<'_>) -> FxHashSet<u32> {
        let mut linked = wanted.clone();
        let nodes = path.iter().rev().take(LOOKED).map(|id| view.tree.node(*id)).filter(|node| node.subject);
        for constraint in nodes.filter_map(|node| node.constraint) {
            let groups = self.groups.of(constraint, view);
            if groups.len() > 1 && !groups.is_disjoint(&linked) {
                linked.extend(groups.iter().copied());
            }
        }
        linked
    }

    fn goal(&mut self, edge: Edge) -> usize {
        let Near { goals, of_edge, .. } = self;
        *of_edge.entry(edge).or_insert_with(|| {
            // Who comes late has not more turns for that.
            let turns = goals.iter().filter(|goal| goal.is_open).map(|goal| goal.turns).min().unwrap_or(0);
            let (heap, known, tries) = (BinaryHeap::new(), FxHashSet::default(), FxHashMap::default());
            goals.push(Goal { edge, is_open: true, turns, heap, known, tries });
            goals.len() - 1
        })
    }
}

impl Strategy for Near {
    fn ran(&mut self, run: &Ran<'_>, view: &View<'_>) {
        for way in run.fresh {
            self.after.entry(view.tree.node(way.id).parent.unwrap_or(Tree::ROOT)).or_default().push(*way);
        }
        for &(edge, decisions) in run.missed {
            let at = self.goal(edge);
            // What the branch looks at, if the inputs decided it.
            let own = (decisions as usize).checked_sub(1).and_then(|last| run.path.get(last));
            let own =
                own.map(|id| view.tree.node(*id)).filter(|node| (node.site.function, node.site.pc) == (edge.0, edge.1));
            let wanted = own.and_then(|node| node.constraint).map(|term| self.groups.of(term, view));
            let wanted = wanted.map(|wanted| self.linked(&wanted, &run.path[..decisions as usize], view));
            let mut distance = 0;
            let passed = run.path[..decisions as usize].iter().rev().take(LOOKED);
            let before = passed.map(|id| view.tree.node(*id).parent.unwrap_or(Tree::ROOT));
            let ways: Vec<Way> = before.filter_map(|id| self.after.get(&id)).flatten().copied().collect();
            for way in ways.into_iter().filter(|way| is_left(view, way.id)) {
                let node = view.tree.node(way.id);
                let groups = node.constraint.filter(|_| wanted.is_some()).map(|term| self.groups.of(term, view));
                let counts = |wanted: &FxHashSet<u32>| groups.is_some_and(|groups| !groups.is_disjoint(wanted));
                if !wanted.as_ref().is_none_or(counts) {
                    continue;
                }
                if self.goals[at].known.insert(way.id) {
                    self.goals[at].push(Ordered(way, node.context, distance), &mut self.rng);
                }
                distance += 1;
                if distance == MOST {
                    break;
                }
            }
        }
    }

    fn closed(&mut self, edges: &[Edge]) {
        for edge in edges {
            if let Some(&at) = self.of_edge.get(edge) {
                self.goals[at].is_open = false;
                self.goals[at].heap = BinaryHeap::new();
            }
        }
    }

    fn next(&mut self, view: &View<'_>) -> Next {
        loop {
            let having = self.goals.iter_mut().filter(|goal| goal.is_open && !goal.heap.is_empty());
            let Some(goal) = having.min_by_key(|goal| (goal.turns, goal.edge)) else { return Next::Done };
            goal.turns += 1;
            if let Some(way) = goal.next(view) {
                return Next::Flip(way.id);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn way(pc: u32) -> Way {
        let point = crate::cfg::PointId::START;
        Way { id: Tree::ROOT, edge: Some((0, pc, 0)), point: None, before: point, steers: true }
    }

    #[test]
    fn what_was_tried_falls_behind_what_is_farther() {
        let mut near = Near::new(Rng::new(1));
        let at = near.goal((0, 9, 0));
        let goal = &mut near.goals[at];
        let (last, first) = (Ordered(way(2), ContextId(0), 0), Ordered(way(1), ContextId(0), 3));
        assert!(goal.rank(last) < goal.rank(first));
        goal.tries.insert(last.spot(), 3);
        assert!(goal.rank(last) > goal.rank(first));
    }

    #[test]
    fn who_comes_late_waits_for_its_turn() {
        let mut near = Near::new(Rng::new(1));
        near.goal((0, 1, 0));
        near.goals[0].turns = 5;
        let late = near.goal((0, 2, 0));
        assert_eq!(near.goals[late].turns, 5);
        near.closed(&[(0, 1, 0)]);
        assert!(!near.goals[0].is_open && near.goals[late].is_open);
    }
}
