//! The edge mapping: from the branch regions of the source to the edges of the IR.
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
//! Nothing is believed for its shape: a set of edges is an outcome only if it is taken as often as the region says, in every
//! run (`flow.rs` says how that is known). An outcome that stays unmapped has a [`Reason`].

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::flow::{Count, Ends, Flow};
use super::{Counter, FunctionCoverage, RegionKind};
use crate::analysis::Dominators;
use crate::ir::{Block, Body, Op, Terminator};

/// An edge: the block it leaves, and its index in [`Terminator::edges`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Way {
    /// The block it leaves.
    pub block: Block,
    /// Index in [`Terminator::edges`].
    pub edge: u32,
}

/// A branch region and where its outcomes are in the IR.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BranchSite {
    /// Index into [`FunctionCoverage::regions`].
    pub region: usize,
    /// What the region is of.
    pub kind: SiteKind,
    /// What must happen for the condition to be true, or the label to be jumped to.
    pub on_true: Outcome,
    /// The opposite of `on_true`.
    pub on_false: Outcome,
    /// Counters that count both outcomes and nothing else, where no edge leads to them alone. None: edges are the outcome.
    pub counted: [Vec<u32>; 2],
}

/// What a branch region is of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SiteKind {
    /// An atomic condition.
    Condition,
    /// A `case` or `default` label; true when the switch jumps to it.
    Case,
    /// The expression of a switch without `default`; true when no case matches.
    NoCase,
}

/// Where one of the two outcomes of a branch region is in the IR.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The outcome is to take one of these edges. There is at least one; they are in order.
    Edges(Vec<Way>),
    /// Every call of the function has this outcome, without a branch.
    Always,
    /// No run has this outcome: clang emitted no code for it, or it would need a counter that differs from itself.
    Never,
    /// It is not known which edges they are.
    Unmapped(Reason),
}

/// Why an outcome is mapped to no edges.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum Reason {
    #[error("neither outcome has a counter of its own")]
    NoCounter,
    #[error("the edges that lead there are not taken as often as the source region is")]
    OtherCount,
}

/// Maps all branch regions that are not folded, in the order of the mapping. The body was lowered from the function that
/// the mapping describes.
pub fn branches(body: &Body, mapping: &FunctionCoverage) -> Vec<BranchSite> {
    if body.blocks.is_empty() {
        return Vec::new();
    }
    let mapper = Mapper::new(body, mapping);
    let mut regions = Vec::new();
    for (region, data) in mapping.branch_regions() {
        if let RegionKind::Branch { on_true, on_false, .. } = data.kind {
            regions.push((region, [on_true, on_false]));
        }
    }
    let counters: Vec<Counter> = regions.iter().flat_map(|(_, pair)| *pair).collect();
    let [exact, returning] = [&mapper.exact, &mapper.returning].map(|flow| counts(mapping, flow, &counters));
    let counts = exact.chunks_exact(2).zip(returning.chunks_exact(2));
    let sites = regions.into_iter().zip(counts).map(|((region, counters), (exact, returning))| {
        let side = |at: usize| Side { counter: counters[at], exact: exact[at], returning: returning[at] };
        mapper.site(region, [side(0), side(1)])
    });
    sites.collect()
}

fn counts(mapping: &FunctionCoverage, flow: &Flow, counters: &[Counter]) -> Vec<Count> {
    let combine = |a: &Count, b: &Count, minus: bool| if minus { a.minus(*b) } else { a.plus(*b) };
    mapping.fold(counters, Count::ZERO, |index| flow.counter(index), combine)
}

/// One outcome of a region, as the mapping has it.
#[derive(Clone, Copy)]
struct Side {
    counter: Counter,
    exact: Count,
    returning: Count,
}

struct Mapper<'a> {
    body: &'a Body,
    mapping: &'a FunctionCoverage,
    exact: Flow,
    returning: Flow,
    dominators: Dominators,
    /// The edges into each block, and where the edges out of it lead.
    into: Vec<Vec<Way>>,
    targets: Vec<Vec<Block>>,
    /// The blocks that increment each counter.
    counters: HashMap<u32, Vec<Block>>,
    /// For each range check behind a switch: the block of the switch. And the other way round.
    range_checks: HashMap<Block, Block>,
    checks_of: HashMap<Block, Vec<Block>>,
    /// An edge of a decision for each count that one has.
    by_count: HashMap<Count, Way>,
}

/// Both outcomes of a region, as edges.
type Pair = [Option<Vec<Way>>; 2];

impl<'a> Mapper<'a> {
    fn new(body: &'a Body, mapping: &'a FunctionCoverage) -> Mapper<'a> {
        let mut into = vec![Vec::new(); body.blocks.len()];
        let mut targets = Vec::new();
        let mut counters: HashMap<u32, Vec<Block>> = HashMap::new();
        for (block, data) in &body.blocks {
            targets.push(data.term.edges().iter().map(|e| e.block).collect::<Vec<_>>());
            for (edge, target) in (0..).zip(data.term.edges()) {
                into[target.block.as_u32() as usize].push(Way { block, edge });
            }
            for inst in &data.insts {
                if let Op::Counter { index } = body.insts[*inst].op {
                    counters.entry(index).or_default().push(block);
                }
            }
        }
        let dominators = Dominators::new(body);
        let exact = Flow::new(body, Ends::Leave);
        let returning = Flow::new(body, Ends::Return);
        let mut mapper = Mapper {
            body,
            mapping,
            exact,
            returning,
            dominators,
            into,
            targets,
            counters,
            range_checks: HashMap::new(),
            checks_of: HashMap::new(),
            by_count: HashMap::new(),
        };
        mapper.find_range_checks();
        mapper.find_counts();
        mapper
    }

    fn find_counts(&mut self) {
        for (block, data) in &self.body.blocks {
            if !matches!(data.term, Terminator::Jump(_)) {
                for way in self.ways_out(block) {
                    self.by_count.entry(self.exact.edge(way.block, way.edge)).or_insert(way);
                }
            }
        }
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
                self.checks_of.entry(switch).or_default().push(at);
                at = other.block;
            }
        }
    }

    fn site(&self, region: usize, sides: [Side; 2]) -> BranchSite {
        let mut reason = Reason::NoCounter;
        let mut found: [Option<Outcome>; 2] = [None, None];
        for candidate in self.candidates(&sides) {
            for ((found, side), ways) in found.iter_mut().zip(&sides).zip(candidate) {
                let Some(ways) = ways.filter(|w| !w.is_empty() && found.is_none()) else { continue };
                if self.is_outcome(&ways, side) {
                    *found = Some(Outcome::Edges(ways));
                } else {
                    reason = Reason::OtherCount;
                }
            }
        }
        let kind = self.kind(sides[0].counter, &found);
        let counted = [0, 1].map(|at| self.counted(&sides[at], found[at].as_ref()));
        let [on_true, on_false] = [0, 1].map(|at| self.outcome(found[at].take(), sides[at].exact, reason));
        BranchSite { region, kind, on_true, on_false, counted }
    }

    /// The counters that say whether an outcome was taken, where edges do not: nothing else counts what a run has done that ends
    /// before it comes back.
    fn counted(&self, side: &Side, found: Option<&Outcome>) -> Vec<u32> {
        match (side.counter, found) {
            _ if side.exact == Count::ZERO => Vec::new(),
            // A loop is left as often as it was come to, and that was counted before.
            (Counter::Count(index), Some(Outcome::Edges(ways))) => {
                let leads_there = self.counted_ways(side.counter).is_some_and(|(_, into)| into == *ways);
                let is_later = leads_there && !ways.iter().all(|w| self.counts(*w, index));
                Vec::from_iter(is_later.then_some(index))
            }
            (Counter::Count(index), None) => Vec::from_iter(self.counters.contains_key(&index).then_some(index)),
            (_, Some(_)) => Vec::new(),
            (sum, None) => self.summands(sum).unwrap_or_default(),
        }
    }

    /// The counters of which a count is the sum. Those that clang emitted nowhere are 0; where one is taken away it is no sum.
    fn summands(&self, root: Counter) -> Option<Vec<u32>> {
        let emitted = |index: u32| self.counters.contains_key(&index).then_some((index, 1));
        let combine = |a: &BTreeMap<u32, i64>, b: &BTreeMap<u32, i64>, minus: bool| {
            let mut sum = a.clone();
            b.iter().for_each(|(index, times)| *sum.entry(*index).or_default() += if minus { -times } else { *times });
            sum.retain(|_, times| *times != 0);
            sum
        };
        let sum = self.mapping.fold(&[root], BTreeMap::new(), |i| BTreeMap::from_iter(emitted(i)), combine).pop()?;
        sum.into_iter().map(|(index, times)| (times > 0).then_some(index)).collect()
    }

    /// Whether these edges are taken as often as the region says. The mapping's count may differ by calls that do not
    /// return; but a count that is then 0 would be that of every way to such a call.
    fn is_outcome(&self, ways: &[Way], side: &Side) -> bool {
        let count = |flow: &Flow| ways.iter().fold(Count::ZERO, |sum, w| sum.plus(flow.edge(w.block, w.edge)));
        count(&self.exact) == side.exact || side.returning != Count::ZERO && count(&self.returning) == side.returning
    }

    /// Where a decision is constant, or its expression is not even evaluated (in `sizeof`), clang leaves no branch of its
    /// own. Then edges or a block that are taken as often as the region says are as good a sign of the outcome.
    fn outcome(&self, found: Option<Outcome>, count: Count, reason: Reason) -> Outcome {
        match found {
            _ if count == Count::ZERO => Outcome::Never,
            Some(outcome) => outcome,
            None if count == self.exact.entry => Outcome::Always,
            None => self.same_count(count).map_or(Outcome::Unmapped(reason), Outcome::Edges),
        }
    }

    fn same_count(&self, count: Count) -> Option<Vec<Way>> {
        if let Some(way) = self.by_count.get(&count) {
            return Some(vec![*way]);
        }
        let block = self.counters.iter().filter(|(index, _)| self.exact.counter(**index) == count);
        let block = block.filter_map(|(_, blocks)| if let [block] = blocks[..] { Some(block) } else { None }).min()?;
        self.ways_into(block, |_| true).filter(|ways| !ways.is_empty())
    }

    /// Whether to take an edge is to count: nothing but counters comes before that one, so that no run ends in between.
    fn counts(&self, way: Way, index: u32) -> bool {
        let mut at = self.target(way);
        for _ in 0..self.body.blocks.len() {
            let data = &self.body.blocks[at];
            for inst in &data.insts {
                match self.body.insts[*inst].op {
                    Op::Counter { index: own } if own == index => return true,
                    Op::Counter { .. } => {}
                    _ => return false,
                }
            }
            let Terminator::Jump(next) = &data.term else { return false };
            at = next.block;
        }
        false
    }

    fn kind(&self, on_true: Counter, found: &[Option<Outcome>; 2]) -> SiteKind {
        let of_switch = |outcome: &Outcome| match outcome {
            Outcome::Edges(ways) => self.switch_of(ways).is_some(),
            _ => false,
        };
        match (found.iter().flatten().any(of_switch), on_true) {
            (false, _) => SiteKind::Condition,
            (true, Counter::Count(_)) => SiteKind::Case,
            (true, _) => SiteKind::NoCase,
        }
    }

    /// The block of the switch to which these edges belong, if they all do.
    fn switch_of(&self, ways: &[Way]) -> Option<Block> {
        let mut switches = ways.iter().map(|w| self.switch(w.block));
        let first = switches.next()??;
        switches.all(|s| s == Some(first)).then_some(first)
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
    fn candidates(&self, sides: &[Side; 2]) -> Vec<Pair> {
        let mut pairs: Vec<Pair> = Vec::new();
        let mut push = |side: usize, ways: &[Way], other: Option<Vec<Way>>| {
            let ways = Some(ways.to_vec());
            pairs.push(if side == 0 { [ways, other] } else { [other, ways] });
        };
        for (side, Side { counter, .. }) in sides.iter().enumerate() {
            let Some((block, ways)) = self.counted_ways(*counter) else { continue };
            let rest = self.rest(&ways);
            push(side, &ways, Some(rest.clone()));
            if self.switch_of(&ways).is_none() {
                for target in rest.iter().map(|w| self.target(*w)).collect::<BTreeSet<_>>() {
                    push(side, &ways, self.ways_into(target, |w| !self.dominators.dominates(block, w.block)));
                }
            }
        }
        for (side, Side { counter, .. }) in sides.iter().enumerate() {
            if let Some(ways) = self.cases(*counter) {
                push(side, &ways, Some(self.rest(&ways)));
            }
        }
        pairs
    }

    /// The edges to all cases of a switch, where the sum of their counters is asked for.
    fn cases(&self, root: Counter) -> Option<Vec<Way>> {
        let mut ways = BTreeSet::new();
        let mut stack = vec![root];
        while let Some(counter) = stack.pop() {
            match counter {
                Counter::Add(index) => stack.extend(self.mapping.expressions[index as usize]),
                Counter::Count(_) => ways.extend(self.counted_ways(counter)?.1),
                Counter::Zero | Counter::Sub(_) => return None,
            }
        }
        Some(ways.into_iter().collect())
    }

    /// All ways out of the decisions to which these edges belong, without the edges themselves.
    fn rest(&self, ways: &[Way]) -> Vec<Way> {
        let mut all = BTreeSet::new();
        for block in ways.iter().map(|w| w.block).collect::<BTreeSet<_>>() {
            let switch = self.switch(block);
            let checks = switch.and_then(|s| self.checks_of.get(&s)).map_or(&[][..], |c| c);
            let parts = checks.iter().copied().chain([switch.unwrap_or(block)]);
            all.extend(parts.flat_map(|part| self.ways_out(part)));
        }
        all.retain(|way| !self.range_checks.contains_key(&self.target(*way)) && ways.binary_search(way).is_err());
        all.into_iter().collect()
    }

    fn ways_out(&self, block: Block) -> impl Iterator<Item = Way> + use<> {
        let count = self.targets[block.as_u32() as usize].len() as u32;
        (0..count).map(move |edge| Way { block, edge })
    }

    fn target(&self, way: Way) -> Block {
        self.targets[way.block.as_u32() as usize][way.edge as usize]
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
}
