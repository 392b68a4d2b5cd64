//! Inputs of runs that came to an open branch and went another way there: to change them is the shortest way to it.

use std::collections::BTreeMap;
use std::rc::Rc;

use covenant_concolic::run::Run;
use covenant_constraints::Model;
use covenant_constraints::random::Rng;
use covenant_goals::ObjectiveId;
use rustc_hash::FxHashMap;

use crate::cfg::Edge;
use crate::lab::Lab;

/// Inputs that are kept for one branch; others take their places by lot.
const MOST: usize = 8; // not tuning: memory

/// By open branch.
#[derive(Debug, Default)]
pub(super) struct Misses {
    kept: BTreeMap<Edge, Vec<Rc<Model>>>,
    /// Branches that are open with the other ways there, and how many objectives were decided when they were looked up.
    open: BTreeMap<Edge, Vec<u32>>,
    decided: Option<usize>,
}

impl Misses {
    /// A run may be one that missed something.
    pub(super) fn take(&mut self, lab: &Lab<'_>, run: &Run, rng: &mut Rng) {
        self.look_up(lab);
        for (edge, others) in &self.open {
            let ways = &run.edges[edge.0 as usize];
            let came = others.iter().any(|&way| ways.contains_key(&(edge.1, way)));
            if !came || ways.contains_key(&(edge.1, edge.2)) {
                continue;
            }
            let kept = self.kept.entry(*edge).or_default();
            let at = if kept.len() < MOST { kept.len() } else { rng.below(MOST * MOST) };
            if at < kept.len() {
                kept[at] = Rc::clone(&run.inputs);
            } else if at < MOST {
                kept.push(Rc::clone(&run.inputs));
            }
        }
    }

    /// One of those of one of the branches.
    pub(super) fn pick(&self, rng: &mut Rng) -> Option<Rc<Model>> {
        if self.kept.is_empty() {
            return None;
        }
        let kept = self.kept.values().nth(rng.below(self.kept.len()))?;
        kept.get(rng.below(kept.len().max(1))).cloned()
    }

    fn look_up(&mut self, lab: &Lab<'_>) {
        let decided = lab.ledger.decided();
        if self.decided == Some(decided) {
            return;
        }
        self.decided = Some(decided);
        let mut ways: FxHashMap<(u32, u32), Vec<u32>> = FxHashMap::default();
        for edge in lab.index.by_edge.keys() {
            ways.entry((edge.0, edge.1)).or_default().push(edge.2);
        }
        let is_open = |ids: &Vec<ObjectiveId>| ids.iter().any(|&id| lab.ledger.is_open(id));
        let open = lab.index.by_edge.iter().filter(|(_, ids)| is_open(ids)).map(|(edge, _)| *edge);
        let others = |edge: Edge| ways[&(edge.0, edge.1)].iter().copied().filter(|way| *way != edge.2).collect();
        self.open = open.map(|edge| (edge, others(edge))).collect();
        self.kept.retain(|edge, _| self.open.contains_key(edge));
    }
}
