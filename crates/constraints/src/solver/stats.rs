//! What solvers count.

use std::collections::BTreeMap;
use std::time::Duration;

use super::{Answer, Reason};

/// Counts of a whole stack of layers, and of each layer by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Queries of the whole stack.
    pub calls: u64,
    /// Those with values.
    pub sat: u64,
    /// Those that exclude themselves.
    pub unsat: u64,
    /// Those without an answer.
    pub unknown: u64,
    /// For all queries; it says nothing about results.
    pub time: Duration,
    /// Why those without an answer have none.
    pub unknown_reasons: BTreeMap<Reason, u64>,
    /// By the name of the layer.
    pub layers: BTreeMap<&'static str, LayerStats>,
}

/// Counts of one layer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LayerStats {
    /// Queries that reached the layer.
    pub calls: u64,
    /// Queries that it answered itself.
    pub hits: u64,
    /// Time spent in this layer, for back ends only.
    pub time: Duration,
}

impl Stats {
    /// One more query.
    pub fn count(&mut self, answer: &Answer, time: Duration) {
        self.calls += 1;
        self.time += time;
        match answer {
            Answer::Sat(_) => self.sat += 1,
            Answer::Unsat(_) => self.unsat += 1,
            Answer::Unknown(reason) => {
                self.unknown += 1;
                *self.unknown_reasons.entry(*reason).or_default() += 1;
            }
        }
    }

    /// Queries that no layer above the SMT solvers answered.
    pub fn resolved(&self) -> u64 {
        self.layers.get("fallback").map_or(self.calls, |layer| layer.calls)
    }

    /// Queries that the SMT solvers did not answer soon, so that linear arithmetic was asked too.
    pub fn slow(&self) -> u64 {
        self.layers.get("linear").map_or(0, |layer| layer.calls)
    }

    /// Adds the counts of a layer; two layers of one name are added up.
    pub fn add_layer(&mut self, name: &'static str, layer: LayerStats) {
        let entry = self.layers.entry(name).or_default();
        entry.calls += layer.calls;
        entry.hits += layer.hits;
        entry.time += layer.time;
    }

    /// Adds everything of another solver, say of another worker.
    pub fn merge(&mut self, other: &Stats) {
        self.calls += other.calls;
        self.sat += other.sat;
        self.unsat += other.unsat;
        self.unknown += other.unknown;
        self.time += other.time;
        for (reason, n) in &other.unknown_reasons {
            *self.unknown_reasons.entry(*reason).or_default() += n;
        }
        for (name, layer) in &other.layers {
            self.add_layer(name, *layer);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::Core;
    use crate::value::Model;

    #[test]
    fn counts_and_merges() {
        let mut a = Stats::default();
        a.count(&Answer::Sat(Model::new()), Duration::from_millis(2));
        a.count(&Answer::Unknown(Reason::Steps), Duration::from_millis(3));
        a.add_layer("slice", LayerStats { calls: 2, hits: 1, time: Duration::ZERO });
        let mut b = a.clone();
        b.count(&Answer::Unsat(Core::default()), Duration::from_millis(5));
        b.merge(&a);
        assert_eq!((b.calls, b.sat, b.unsat, b.unknown), (5, 2, 1, 2));
        assert_eq!(b.time, Duration::from_millis(15));
        assert_eq!(b.layers["slice"].calls, 4);
        assert_eq!(b.unknown_reasons[&Reason::Steps], 2);
    }
}
