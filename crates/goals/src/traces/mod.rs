//! Traces, and what generates them: the program without its data.
//!
//! The *trace abstraction* of a program (Rojas and Gómez-Zamalloa, "A Framework for Guided Test Case Generation in Constraint
//! Logic Programming", 2013) keeps of each block what it calls and where it can go. A block is a predicate; each way out of
//! it is a rule, whose body is the block's calls and then the next block. A *trace* says which rule was used at each
//! predicate. It is partial where a call is a *hole*: any way through the called function will do.
//!
//! [`mod@slice`] cuts the abstraction down to what a criterion asks for, [`generate`] gives its traces one by one.

pub mod generate;
pub mod slice;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use covenant_program::analysis::Loops;
use covenant_program::ir::{Block, Body, Callee, FuncId, Inst, Op, Origin, Program, Terminator};

pub use generate::{Free, Generator, Move, Refine};
pub use slice::Goal;

/// The abstraction of a program, or a slice of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Abstraction {
    /// The function that traces begin in.
    pub entry: FuncId,
    /// All functions that it can call by name.
    pub methods: BTreeMap<FuncId, Method>,
    /// Where a trace ends before its function does.
    pub goals: Vec<Goal>,
}

/// The rules of one function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Method {
    /// As the source has it.
    pub name: String,
    /// Its blocks.
    pub preds: BTreeMap<Block, Pred>,
}

/// A block: what it calls in its order, and its rules, one for each way out of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pred {
    /// In their order.
    pub calls: Vec<Call>,
    /// The ways out of it.
    pub rules: Vec<Rule>,
    /// Ways out of the block, whether they are rules of this slice or not.
    pub ways: u32,
}

/// A call in a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Call {
    /// The instruction.
    pub inst: Inst,
    /// The function, if the abstraction has its rules. `None` is a hole.
    pub into: Option<FuncId>,
}

/// A way out of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rule {
    /// The edge of the terminator.
    pub way: u32,
    /// Where it leads.
    pub next: Next,
}

/// Where a way leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// Another block; `turns` if the edge goes back to the head of a loop.
    Block {
        /// The block.
        block: Block,
        /// Whether it goes back to the head of a loop.
        turns: bool,
    },
    /// The function returns.
    Return,
    /// The last call of the block does not come back.
    Stop,
}

/// One step of a trace.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    /// A way out of a block that has several.
    Way(FuncId, Block, u32),
    /// A call begins.
    Enter(FuncId),
    /// It ends.
    Leave,
    /// A call whose way does not matter.
    Hole(Inst),
}

/// A trace, its steps in the order in which a run makes them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Trace {
    /// From the start of the function to its end.
    pub steps: Vec<Step>,
    /// The block of the first function in which it ends.
    pub end: Option<Block>,
}

impl Trace {
    /// The ways alone.
    pub fn ways(&self) -> impl Iterator<Item = (FuncId, Block, u32)> + '_ {
        self.steps.iter().filter_map(|step| match *step {
            Step::Way(function, block, way) => Some((function, block, way)),
            _ => None,
        })
    }

    /// The ways that the first function takes itself.
    pub fn local(&self) -> impl Iterator<Item = (Block, u32)> + '_ {
        let mut depth = 0u32;
        self.steps.iter().filter_map(move |step| {
            match *step {
                Step::Enter(_) => depth += 1,
                Step::Leave => depth = depth.saturating_sub(1),
                Step::Way(_, block, way) if depth == 0 => return Some((block, way)),
                Step::Way(..) | Step::Hole(_) => {}
            }
            None
        })
    }

    /// As a term: `1.0 [_] 2.1` are rule 0 of block 1, a hole, rule 1 of block 2; calls stand in parentheses.
    pub fn term(&self) -> String {
        let word = |step: &Step| match *step {
            Step::Way(_, block, way) => format!("{}.{way}", block.as_u32()),
            Step::Enter(function) => format!("{function}("),
            Step::Leave => ")".to_owned(),
            Step::Hole(_) => "[_]".to_owned(),
        };
        self.steps.iter().map(word).collect::<Vec<_>>().join(" ")
    }
}

impl Abstraction {
    /// The abstraction of all that is reached from a function by direct calls. What is called through a pointer, and the C
    /// library, is a hole.
    pub fn new(program: &Program, entry: FuncId) -> Abstraction {
        let mut methods = BTreeMap::new();
        let mut work = vec![entry];
        while let Some(id) = work.pop() {
            if methods.contains_key(&id) {
                continue;
            }
            let Some(body) = &program.functions[id].body else { continue };
            let method = method(program, id, body);
            work.extend(method.preds.values().flat_map(|pred| pred.calls.iter().filter_map(|call| call.into)));
            methods.insert(id, method);
        }
        Abstraction { entry, methods, goals: Vec::new() }
    }

    /// The slice for all local paths of a function, made of it alone.
    pub fn of_one(program: &Program, entry: FuncId) -> Option<Abstraction> {
        let method = method(program, entry, program.functions[entry].body.as_ref()?);
        Some(Abstraction { entry, methods: BTreeMap::from([(entry, method)]), goals: Vec::new() }.local())
    }

    /// A block, if the slice has it.
    pub fn pred(&self, function: FuncId, block: Block) -> Option<&Pred> {
        self.methods.get(&function)?.preds.get(&block)
    }

    /// How many rules there are.
    pub fn rules(&self) -> usize {
        self.methods.values().flat_map(|m| m.preds.values()).map(|pred| pred.rules.len()).sum()
    }

    /// Whether a call of the function can lead to another call of it, as far as direct calls tell.
    pub fn is_recursive(&self, function: FuncId) -> bool {
        let callees = |id: FuncId| {
            let preds = self.methods.get(&id).into_iter().flat_map(|m| m.preds.values());
            preds.flat_map(|pred| pred.calls.iter().filter_map(|call| call.into)).collect::<Vec<_>>()
        };
        let (mut work, mut seen) = (callees(function), std::collections::BTreeSet::new());
        while let Some(id) = work.pop() {
            if id == function {
                return true;
            }
            if seen.insert(id) {
                work.extend(callees(id));
            }
        }
        false
    }
}

fn method(program: &Program, id: FuncId, body: &Body) -> Method {
    let loops = Loops::new(body);
    let mut preds = BTreeMap::new();
    for (block, data) in &body.blocks {
        let mut calls = Vec::new();
        for &inst in &data.insts {
            if let Op::Call(call) = &body.insts[inst].op {
                calls.push(Call { inst, into: followed(program, call.callee) });
            }
        }
        let edges = data.term.edges();
        let mut rules: Vec<Rule> = (0..)
            .zip(&edges)
            .map(|(way, edge)| {
                let turns = loops.turns(block, way);
                Rule { way, next: Next::Block { block: edge.block, turns } }
            })
            .collect();
        match data.term {
            Terminator::Return(_) => rules.push(Rule { way: 0, next: Next::Return }),
            // Without a call that does not come back, control cannot be here at all.
            Terminator::Unreachable if !calls.is_empty() => rules.push(Rule { way: 0, next: Next::Stop }),
            _ => {}
        }
        preds.insert(block, Pred { calls, rules, ways: edges.len() as u32 });
    }
    Method { name: program.functions[id].source_name().to_owned(), preds }
}

fn followed(program: &Program, callee: Callee) -> Option<FuncId> {
    let Callee::Direct(id) = callee else { return None };
    let function = &program.functions[id];
    (function.origin == Origin::Subject && function.body.is_some()).then_some(id)
}
