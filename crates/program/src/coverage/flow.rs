//! How often each edge of a body is taken, in terms of its counters.
//!
//! Control that enters a block leaves it, so the counts of blocks and edges obey linear equations, and clang places its
//! counters such that these have (nearly always) one solution. It tells whether an edge is what a region of the mapping
//! says it is: their counts must be the same sum of counters, whatever the run.
//!
//! The equations speak of runs in which the function returns. Where control can get into an endless loop, one block of
//! the loop gets an exit that does not exist, lest the equations say that nobody ever enters it.

use std::collections::{BTreeMap, HashMap};

use super::{Counter, FunctionCoverage};
use crate::ir::{Block, Body, Op};

/// Where the counters do not determine an edge, it gets a number of its own from here on, beyond those of counters.
const FREE: u32 = 1 << 30;

/// A sum of counters with whole coefficients, none of them 0.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Sum(BTreeMap<u32, i64>);

impl Sum {
    pub(super) fn counter(index: u32) -> Sum {
        Sum(BTreeMap::from([(index, 1)]))
    }

    pub(super) fn of(mapping: &FunctionCoverage, counter: Counter) -> Sum {
        mapping.fold(counter, Sum::default(), Sum::counter, |a, b, minus| {
            let mut sum = a.clone();
            sum.add(b, if minus { -1 } else { 1 });
            sum
        })
    }

    /// Whether the counters determine it.
    pub(super) fn is_known(&self) -> bool {
        self.0.last_key_value().is_none_or(|(index, _)| *index < FREE)
    }

    pub(super) fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn add(&mut self, other: &Sum, factor: i64) {
        for (index, coefficient) in &other.0 {
            let entry = self.0.entry(*index).or_default();
            *entry += coefficient * factor;
            if *entry == 0 {
                self.0.remove(index);
            }
        }
    }

    pub(super) fn counters(&self) -> impl Iterator<Item = (u32, i64)> {
        self.0.iter().map(|(index, coefficient)| (*index, *coefficient))
    }
}

/// `unknowns + known = 0`, the unknowns with their factors.
#[derive(Default)]
struct Equation {
    unknowns: HashMap<usize, i64>,
    known: Sum,
}

pub(super) struct Flow {
    /// The first edge of each block among all edges.
    first_edge: Vec<usize>,
    /// The count of each edge.
    edges: Vec<Sum>,
    /// Sums that are always 0: a counter, and what it equals. No counter on the right is on the left of another.
    relations: BTreeMap<u32, Sum>,
}

impl Flow {
    pub(super) fn new(body: &Body, mapping: &FunctionCoverage) -> Flow {
        let mut first_edge = Vec::new();
        let mut count = 0;
        for data in body.blocks.values() {
            first_edge.push(count);
            count += data.term.edges().len();
        }
        let mut flow = Flow { first_edge, edges: vec![Sum::default(); count], relations: BTreeMap::new() };
        let mut equations = flow.equations(body);
        let solved = solve(&mut equations, count + body.blocks.len() * 2);
        flow.edges = solved.into_iter().take(count).collect();
        flow.absent_counters(body, mapping);
        for equation in equations {
            flow.relate(equation.known);
        }
        flow
    }

    /// How often an edge is taken.
    pub(super) fn edge(&self, block: Block, index: u32) -> &Sum {
        &self.edges[self.first_edge[block.as_u32() as usize] + index as usize]
    }

    /// A sum in terms of counters that do not depend on each other: equal sums are the same afterwards.
    pub(super) fn reduced(&self, mut sum: Sum) -> Sum {
        let dependent: Vec<(u32, i64)> = sum.counters().filter(|(i, _)| self.relations.contains_key(i)).collect();
        for (index, coefficient) in dependent {
            sum.0.remove(&index);
            sum.add(&self.relations[&index], coefficient);
        }
        sum
    }

    /// Unknowns are the edges, then the blocks, then the exits that do not exist.
    fn equations(&self, body: &Body) -> Vec<Equation> {
        let edges = self.edges.len();
        let block_var = |block: Block| edges + block.as_u32() as usize;
        let mut into: Vec<Equation> = body.blocks.keys().map(|_| Equation::default()).collect();
        let mut out: Vec<Equation> = body.blocks.keys().map(|_| Equation::default()).collect();
        let mut counters: BTreeMap<u32, Equation> = BTreeMap::new();
        for (block, data) in &body.blocks {
            let at = block.as_u32() as usize;
            into[at].unknowns.insert(block_var(block), 1);
            for (index, edge) in data.term.edges().iter().enumerate() {
                out[at].unknowns.insert(block_var(block), 1);
                out[at].unknowns.insert(self.first_edge[at] + index, -1);
                into[edge.block.as_u32() as usize].unknowns.insert(self.first_edge[at] + index, -1);
            }
            for inst in &data.insts {
                if let Op::Counter { index } = body.insts[*inst].op {
                    let equation = counters.entry(index).or_default();
                    *equation.unknowns.entry(block_var(block)).or_default() += 1;
                    equation.known.0.insert(index, -1);
                }
            }
        }
        for block in endless(body) {
            out[block.as_u32() as usize].unknowns.insert(edges + body.blocks.len() + block.as_u32() as usize, -1);
        }
        // Nothing says how often the entry is entered.
        let into = into.into_iter().skip(1);
        into.chain(out).chain(counters.into_values()).filter(|e| !e.unknowns.is_empty()).collect()
    }

    /// A counter that stands nowhere in the body is never incremented.
    fn absent_counters(&mut self, body: &Body, mapping: &FunctionCoverage) {
        let mut present = Vec::new();
        for data in body.insts.values() {
            if let Op::Counter { index } = data.op {
                present.push(index);
            }
        }
        present.sort_unstable();
        for operand in mapping.expressions.iter().flatten().chain(mapping.regions.iter().flat_map(counters_of)) {
            if let Counter::Count(index) = operand
                && present.binary_search(index).is_err()
            {
                self.relations.insert(*index, Sum::default());
            }
        }
    }

    /// Takes note that a sum is 0.
    fn relate(&mut self, sum: Sum) {
        let mut sum = self.reduced(sum);
        // Free numbers are given by counters, later counters by earlier ones, where no division is needed.
        let Some((pivot, coefficient)) = sum.counters().filter(|(_, c)| c.abs() == 1).last() else { return };
        sum.0.remove(&pivot);
        let mut value = Sum::default();
        value.add(&sum, -coefficient);
        for other in self.relations.values_mut() {
            if let Some(factor) = other.0.remove(&pivot) {
                other.add(&value, factor);
            }
        }
        self.relations.insert(pivot, value);
    }
}

fn counters_of(region: &super::Region) -> impl Iterator<Item = &Counter> {
    use super::RegionKind::{Branch, Code, Gap};
    let pair = match &region.kind {
        Code(counter) | Gap(counter) => [Some(counter), None],
        Branch { on_true, on_false, .. } => [Some(on_true), Some(on_false)],
        _ => [None, None],
    };
    pair.into_iter().flatten()
}

/// Solves equations that have one unknown left. Where there is none, an unknown becomes free; an equation that is left over
/// may say later what it is.
fn solve(equations: &mut [Equation], unknowns: usize) -> Vec<Sum> {
    let mut uses: Vec<Vec<usize>> = vec![Vec::new(); unknowns];
    for (at, equation) in equations.iter().enumerate() {
        equation.unknowns.keys().for_each(|unknown| uses[*unknown].push(at));
    }
    let mut solved = vec![Sum::default(); unknowns];
    let mut ready: Vec<usize> = (0..equations.len()).filter(|at| equations[*at].unknowns.len() == 1).collect();
    let mut free = FREE..;
    loop {
        let next = ready.pop().or_else(|| fewest_unknowns(equations));
        let Some(at) = next else { return solved };
        let Some((&unknown, &factor)) = equations[at].unknowns.iter().min() else { continue };
        let alone = equations[at].unknowns.len() == 1 && factor.abs() == 1;
        let value = if alone {
            let mut value = Sum::default();
            value.add(&equations[at].known, -factor);
            value
        } else {
            free.next().map(Sum::counter).unwrap_or_default()
        };
        for used in std::mem::take(&mut uses[unknown]) {
            let equation = &mut equations[used];
            if let Some(factor) = equation.unknowns.remove(&unknown) {
                equation.known.add(&value, factor);
            }
            if equation.unknowns.len() == 1 {
                ready.push(used);
            }
        }
        solved[unknown] = value;
    }
}

fn fewest_unknowns(equations: &[Equation]) -> Option<usize> {
    let open = (0..equations.len()).filter(|at| !equations[*at].unknowns.is_empty());
    open.min_by_key(|at| equations[*at].unknowns.len())
}

/// Blocks such that each block of the body can reach one of them or an end of the function; none where every block can
/// reach an end.
fn endless(body: &Body) -> Vec<Block> {
    let mut predecessors: Vec<Vec<Block>> = vec![Vec::new(); body.blocks.len()];
    for (block, data) in &body.blocks {
        for edge in data.term.edges() {
            predecessors[edge.block.as_u32() as usize].push(block);
        }
    }
    let mut can_end = vec![false; body.blocks.len()];
    let spread = |can_end: &mut Vec<bool>, from: Block| {
        let mut stack = vec![from];
        while let Some(block) = stack.pop() {
            if !std::mem::replace(&mut can_end[block.as_u32() as usize], true) {
                stack.extend(&predecessors[block.as_u32() as usize]);
            }
        }
    };
    for (block, data) in &body.blocks {
        if data.term.edges().is_empty() {
            spread(&mut can_end, block);
        }
    }
    let mut chosen = Vec::new();
    loop {
        let stuck = body.blocks.keys().filter(|b| !can_end[b.as_u32() as usize]);
        // The block that reaches the fewest others is in a loop that has no way out, not on the way to one.
        let Some(block) = stuck.min_by_key(|b| reachable(body, *b)) else { return chosen };
        chosen.push(block);
        spread(&mut can_end, block);
    }
}

/// How many blocks can be reached.
fn reachable(body: &Body, from: Block) -> usize {
    let mut seen = vec![false; body.blocks.len()];
    let mut stack = vec![from];
    let mut count = 0;
    while let Some(block) = stack.pop() {
        if !std::mem::replace(&mut seen[block.as_u32() as usize], true) {
            count += 1;
            stack.extend(body.blocks[block].term.edges().iter().map(|e| e.block));
        }
    }
    count
}
