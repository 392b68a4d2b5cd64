//! Ties the branch regions of the source to the edges of the IR.
//!
//! A branch region has two counts. Nearly always one of them is a counter of its own, and clang increments this in a
//! block that is entered only when the condition has that outcome. So the edges into the block (through jumps, if need
//! be) are the outcome, and the other edges of the same terminators are the other outcome.
//!
//! Where the terminators are not the condition's alone that is not yet right: with `if (a ? b : c || d)` the edges into
//! the `then` block come from the branches on `b`, `c` and `d`, and the branch on `c` has an edge to `d`. Then the other
//! outcome is where the edges meet again. A `switch` with wide ranges is a switch and a chain of branches behind its
//! default, which are one decision.
//!
//! Nothing is believed for its shape: a set of edges is an outcome only if its count, by the equations of [`super::flow`],
//! is the count of the region. What cannot be tied has a [`Reason`].

use std::collections::{BTreeSet, HashMap};

use super::flow::{Flow, Sum};
use super::{Counter, FunctionCoverage, RegionKind};
use crate::ir::verify::Dominators;
use crate::ir::{Block, Body, Op, Terminator};

/// An edge: the block it leaves, and its index in [`Terminator::edges`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Way {
    pub block: Block,
    pub edge: u32,
}

/// A branch region and where its outcomes are in the IR.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BranchSite {
    /// Index into [`FunctionCoverage::regions`].
    pub region: usize,
    pub kind: SiteKind,
    pub on_true: Outcome,
    pub on_false: Outcome,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SiteKind {
    /// An atomic condition.
    Condition,
    /// A `case` or `default` label; true when the switch jumps to it.
    Case,
    /// The expression of a switch without `default`; true when no case matches.
    NoCase,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The outcome is to take one of these edges. There is at least one; they are in order.
    Edges(Vec<Way>),
    /// Every call of the function has this outcome, without a branch.
    Always,
    /// No run has this outcome: clang emitted no code for it, or it would need a counter that differs from itself.
    Never,
    Untied(Reason),
}

/// Why an outcome is not tied to edges.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, thiserror::Error)]
pub enum Reason {
    #[error("neither outcome has a counter of its own")]
    NoCounter,
    #[error("the edges that lead there are not taken as often as the source region is")]
    OtherCount,
    #[error("how often the edges that lead there are taken does not follow from the counters")]
    UnknownCount,
}

/// Ties all branch regions that are not folded, in the order of the mapping. The body was lowered from the function that
/// the mapping describes.
pub fn branches(body: &Body, mapping: &FunctionCoverage) -> Vec<BranchSite> {
    let tier = Tier::new(body, mapping);
    let sites = mapping.branch_regions().filter_map(|(region, data)| match data.kind {
        RegionKind::Branch { on_true, on_false, .. } => Some(tier.site(region, on_true, on_false)),
        _ => None,
    });
    sites.collect()
}

struct Tier<'a> {
    body: &'a Body,
    mapping: &'a FunctionCoverage,
    flow: Flow,
    dominators: Dominators,
    /// The edges into each block.
    into: Vec<Vec<Way>>,
    /// The blocks that increment each counter.
    counters: HashMap<u32, Vec<Block>>,
    /// For each range check behind a switch: the block of the switch.
    range_checks: HashMap<Block, Block>,
}

/// Both outcomes of a region, as edges.
type Pair = [Option<Vec<Way>>; 2];

impl<'a> Tier<'a> {
    fn new(body: &'a Body, mapping: &'a FunctionCoverage) -> Tier<'a> {
        let mut into = vec![Vec::new(); body.blocks.len()];
        let mut counters: HashMap<u32, Vec<Block>> = HashMap::new();
        for (block, data) in &body.blocks {
            for (edge, target) in (0..).zip(data.term.edges()) {
                into[target.block.as_u32() as usize].push(Way { block, edge });
            }
            for inst in &data.insts {
                if let Op::Counter { index } = body.insts[*inst].op {
                    counters.entry(index).or_default().push(block);
                }
            }
        }
        let flow = Flow::new(body, mapping);
        let dominators = Dominators::new(body);
        let mut tier = Tier { body, mapping, flow, dominators, into, counters, range_checks: HashMap::new() };
        tier.find_range_checks();
        tier
    }

    /// Wide case ranges are tested one after the other where the switch goes by default. These blocks have no counter,
    /// while every label and the end of a switch have one.
    fn find_range_checks(&mut self) {
        let counted: BTreeSet<Block> = self.counters.values().flatten().copied().collect();
        for (switch, data) in &self.body.blocks {
            let Terminator::Switch { default, .. } = &data.term else { continue };
            let mut at = default.block;
            while self.into[at.as_u32() as usize].len() == 1 && !counted.contains(&at) {
                let Terminator::Branch { other, .. } = &self.body.blocks[at].term else { break };
                self.range_checks.insert(at, switch);
                at = other.block;
            }
        }
    }

    fn site(&self, region: usize, on_true: Counter, on_false: Counter) -> BranchSite {
        let sums = [on_true, on_false].map(|c| Sum::of(self.mapping, c));
        let counts = sums.clone().map(|sum| self.flow.reduced(sum));
        let own = [on_true, on_false].map(|c| self.counted_ways(c));
        let mut reason = Reason::NoCounter;
        let mut found: [Option<Outcome>; 2] = [None, None];
        for candidate in self.candidates(&own, &sums) {
            for side in 0..2 {
                let Some(ways) = candidate[side].as_deref().filter(|w| !w.is_empty()) else { continue };
                if found[side].is_some() {
                    continue;
                }
                match self.count(ways) {
                    count if count == counts[side] => found[side] = Some(Outcome::Edges(ways.to_vec())),
                    count if count.is_known() => reason = Reason::OtherCount,
                    _ => reason = Reason::UnknownCount,
                }
            }
        }
        let kind = self.kind(on_true, &found);
        let [on_true, on_false] = [0, 1].map(|side| self.outcome(found[side].take(), &counts[side], reason));
        BranchSite { region, kind, on_true, on_false }
    }

    fn outcome(&self, found: Option<Outcome>, count: &Sum, reason: Reason) -> Outcome {
        let entry = || self.flow.reduced(self.entry_count());
        match found {
            _ if count.is_zero() => Outcome::Never,
            Some(outcome) => outcome,
            None if *count == entry() => Outcome::Always,
            None => self.same_count(count).map_or(Outcome::Untied(reason), Outcome::Edges),
        }
    }

    /// How often the function is called: the counter of its entry.
    fn entry_count(&self) -> Sum {
        let entry = self.counters.iter().filter(|(_, blocks)| blocks[..] == [Block::ENTRY]);
        entry.map(|(index, _)| *index).min().map(Sum::counter).unwrap_or_default()
    }

    fn kind(&self, on_true: Counter, found: &[Option<Outcome>; 2]) -> SiteKind {
        let of_switch = |outcome: &Outcome| match outcome {
            Outcome::Edges(ways) => ways.iter().all(|w| self.switch(w.block).is_some()),
            _ => false,
        };
        match (found.iter().flatten().any(of_switch), on_true) {
            (false, _) => SiteKind::Condition,
            (true, Counter::Count(_)) => SiteKind::Case,
            (true, _) => SiteKind::NoCase,
        }
    }

    /// The block of the switch to which a block's terminator belongs.
    fn switch(&self, block: Block) -> Option<Block> {
        let own = matches!(self.body.blocks[block].term, Terminator::Switch { .. }).then_some(block);
        own.or_else(|| self.range_checks.get(&block).copied())
    }

    /// The edges into the block of a counter, if the count is a counter.
    fn counted_ways(&self, counter: Counter) -> Option<(Block, Vec<Way>)> {
        let Counter::Count(index) = counter else { return None };
        match self.counters.get(&index)?[..] {
            [block] => Some((block, self.ways_into(block, |_| true)?)),
            _ => None,
        }
    }

    /// Pairs of edge sets that may be the two outcomes, the likeliest first.
    fn candidates(&self, own: &[Option<(Block, Vec<Way>)>; 2], sums: &[Sum; 2]) -> Vec<Pair> {
        let mut pairs: Vec<Pair> = Vec::new();
        let mut push = |side: usize, ways: &[Way], other: Option<Vec<Way>>| {
            let ways = Some(ways.to_vec());
            pairs.push(if side == 0 { [ways, other] } else { [other, ways] });
        };
        for (side, own) in own.iter().enumerate() {
            let Some((block, ways)) = own else { continue };
            let rest = self.rest(ways);
            push(side, ways, Some(rest.clone()));
            for target in rest.iter().map(|w| self.target(*w)).collect::<BTreeSet<_>>() {
                push(side, ways, self.ways_into(target, |w| !self.dominates(*block, w.block)));
            }
        }
        for (side, sum) in sums.iter().enumerate() {
            if let Some(ways) = self.cases(sum) {
                push(side, &ways, Some(self.rest(&ways)));
            }
        }
        pairs
    }

    /// The edges to all cases of a switch, where the sum of their counters is asked for.
    fn cases(&self, sum: &Sum) -> Option<Vec<Way>> {
        let mut ways = BTreeSet::new();
        let mut cases = 0;
        for (index, coefficient) in sum.counters() {
            let (_, own) = self.counted_ways(Counter::Count(index)).filter(|_| coefficient == 1)?;
            ways.extend(own);
            cases += 1;
        }
        (cases > 1).then(|| ways.into_iter().collect())
    }

    /// An edge that is always taken as often as this: as good a sign of the outcome as an edge of its own. This is how
    /// a constant decision is found, of which clang only left the chosen part.
    fn same_count(&self, count: &Sum) -> Option<Vec<Way>> {
        let decides = |t: &Terminator| !matches!(t, Terminator::Jump(_));
        let blocks = self.body.blocks.iter().filter(|(_, data)| decides(&data.term)).map(|(block, _)| block);
        let mut ways = blocks.flat_map(|block| self.ways_out(block));
        ways.find(|way| self.count(&[*way]) == *count).map(|way| vec![way])
    }

    /// All ways out of the decisions to which these edges belong, without the edges themselves.
    fn rest(&self, ways: &[Way]) -> Vec<Way> {
        let mut all = BTreeSet::new();
        for block in ways.iter().map(|w| w.block).collect::<BTreeSet<_>>() {
            match self.switch(block) {
                Some(switch) => {
                    let parts = self.range_checks.iter().filter(|(_, s)| **s == switch).map(|(part, _)| *part);
                    all.extend(parts.chain([switch]).flat_map(|part| self.ways_out(part)));
                    all.retain(|way| !self.range_checks.contains_key(&self.target(*way)));
                }
                None => all.extend(self.ways_out(block)),
            }
        }
        all.into_iter().filter(|way| !ways.contains(way)).collect()
    }

    fn ways_out(&self, block: Block) -> impl Iterator<Item = Way> + use<> {
        let count = self.body.blocks[block].term.edges().len() as u32;
        (0..count).map(move |edge| Way { block, edge })
    }

    fn target(&self, way: Way) -> Block {
        self.body.blocks[way.block].term.edges()[way.edge as usize].block
    }

    fn dominates(&self, above: Block, below: Block) -> bool {
        self.dominators.dominates(above, below)
    }

    /// The edges of branches and switches that lead to a block, through jumps too. `None`: so does the function's entry.
    fn ways_into(&self, block: Block, take: impl Fn(&Way) -> bool) -> Option<Vec<Way>> {
        let mut ways = BTreeSet::new();
        let mut seen = BTreeSet::from([block]);
        let mut stack = vec![block];
        while let Some(at) = stack.pop() {
            if at == Block::ENTRY {
                return None;
            }
            for way in self.into[at.as_u32() as usize].iter().filter(|w| take(w)) {
                match self.body.blocks[way.block].term {
                    Terminator::Jump(_) if seen.insert(way.block) => stack.push(way.block),
                    Terminator::Jump(_) => {}
                    _ => drop(ways.insert(*way)),
                }
            }
        }
        Some(ways.into_iter().collect())
    }

    fn count(&self, ways: &[Way]) -> Sum {
        let mut total = Sum::default();
        for way in ways {
            total.add(self.flow.edge(way.block, way.edge), 1);
        }
        self.flow.reduced(total)
    }
}
