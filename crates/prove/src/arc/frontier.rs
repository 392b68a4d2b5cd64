//! Where to try next.

use std::collections::VecDeque;

use covenant_transition::flow::{EdgeId, Flow};
use rustc_hash::{FxHashMap, FxHashSet};

use super::model::{Model, NodeId};

/// A step from a covered node to one that is not, on the way to a target.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Frontier {
    /// The node that runs reach.
    pub from: NodeId,
    /// The step.
    pub edge: EdgeId,
    /// The node that no run has reached.
    pub to: NodeId,
}

/// One frontier for each target that has one: the first on a shortest way back from it. Targets share the ground: one
/// whose every way back goes through that of another waits for it.
///
/// `stuck` are frontiers that were tried in vain and cannot be refined, with how often runs had come to them by then.
pub fn choose(
    flow: &Flow,
    model: &Model,
    targets: &[NodeId],
    stuck: &FxHashMap<Frontier, u32>,
) -> Vec<(NodeId, Frontier)> {
    let mut owner: FxHashMap<NodeId, usize> = FxHashMap::default();
    let mut queue = VecDeque::new();
    let mut found: Vec<Option<Frontier>> = vec![None; targets.len()];
    for (index, &target) in targets.iter().enumerate() {
        if owner.insert(target, index).is_none() {
            queue.push_back(target);
        }
    }
    while let Some(to) = queue.pop_front() {
        let index = owner[&to];
        if found[index].is_some() {
            continue;
        }
        for (from, edge) in model.into(flow, to) {
            if model.node(from).covered {
                let frontier = Frontier { from, edge, to };
                if stuck.get(&frontier).is_none_or(|&times| times < model.node(from).times) {
                    found[index] = Some(frontier);
                    break;
                }
            } else if let std::collections::hash_map::Entry::Vacant(entry) = owner.entry(from) {
                entry.insert(index);
                queue.push_back(from);
            }
        }
    }
    let mut seen = FxHashSet::default();
    let all = targets.iter().zip(found).filter_map(|(&target, frontier)| Some((target, frontier?)));
    all.filter(|(_, frontier)| seen.insert(*frontier)).collect()
}

/// The nodes from which `start` can be reached, itself included, if no covered node is among them: then no run ever
/// comes to any of them.
pub fn unreachable(flow: &Flow, model: &Model, start: NodeId) -> Option<Vec<NodeId>> {
    let mut seen: FxHashSet<NodeId> = FxHashSet::from_iter([start]);
    let mut work = vec![start];
    let mut all = Vec::new();
    while let Some(to) = work.pop() {
        if model.node(to).covered {
            return None;
        }
        all.push(to);
        for (from, _) in model.into(flow, to) {
            if model.node(from).covered {
                return None;
            }
            if seen.insert(from) {
                work.push(from);
            }
        }
    }
    Some(all)
}
