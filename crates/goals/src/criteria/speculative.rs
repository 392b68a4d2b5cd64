//! Speculative evaluation: what a condition that a decision skipped would have been, at the place where the decision ended.
//!
//! That can be computed if evaluating the condition changes nothing. Memory is read as it is at that place. Calls of functions
//! that change nothing are followed along all their paths, which become one expression. Beside the value there is a second
//! one that says whether the evaluation would fail.

use std::collections::HashMap;

use covenant_program::analysis::Dominators;
use covenant_program::ir::insert::Inserter;
use covenant_program::ir::{
    BinaryOp, Block, Body, CallData, Callee, Def, Edge, Inst, Intrinsic, Op, Program, Terminator, Type, Value,
};

use crate::criteria::Site;
use crate::criteria::mcdc::{self, Diagram, Next, Outcomes};
use crate::criteria::runtime_error::is_whole;

/// How deep expressions may be, and how many blocks of functions are followed at one place.
const MOST_DEPTH: u32 = 32; // not tuning: what labels are made of, which proofs are about
const MOST_BLOCKS: u32 = 48; // not tuning: as above

/// How deep calls are looked into for what they change.
const MOST_CALLS: u32 = 4; // not tuning: as above

/// Whether a decision comes out in another way.
pub(crate) enum Answer {
    Known(bool),
    Value(Value),
}

/// Computes conditions at the end of a block.
pub(crate) struct Speculation<'a> {
    site: &'a Site<'a>,
    block: Block,
    dominators: &'a Dominators,
    outcomes: &'a Outcomes,
    /// Whether one of the accesses fails that were copied.
    fails: Option<Value>,
    /// Blocks that may still be followed.
    blocks: u32,
}

/// A function that is followed, and what its values are here.
#[derive(Clone)]
struct Frame<'a> {
    body: &'a Body,
    values: HashMap<Value, Value>,
}

impl<'a> Speculation<'a> {
    pub(crate) fn new(
        site: &'a Site<'a>,
        block: Block,
        dominators: &'a Dominators,
        outcomes: &'a Outcomes,
    ) -> Speculation<'a> {
        Speculation { site, block, dominators, outcomes, fails: None, blocks: MOST_BLOCKS }
    }

    /// Whether a decision is not `result` where some conditions are known, or fails. `None`: that cannot be computed here.
    pub(crate) fn differs(
        &mut self,
        inserter: &mut Inserter<'_>,
        diagram: &Diagram,
        at: Next,
        (known, result): (&[Option<bool>], bool),
    ) -> Option<Answer> {
        let condition = match at {
            Next::End(outcome) => return Some(Answer::Known(outcome != result)),
            Next::Condition(condition) => condition,
        };
        if let Some(outcome) = known[condition] {
            return self.differs(inserter, diagram, diagram.after(condition, outcome), (known, result));
        }
        let (value, fails) = self.condition(inserter, condition)?;
        let sides =
            [true, false].map(|o| self.differs(inserter, diagram, diagram.after(condition, o), (known, result)));
        let [Some(yes), Some(no)] = sides else { return None };
        let mut value_of = |answer: Answer| match answer {
            Answer::Known(outcome) => inserter.constant(Type::BOOL, u128::from(outcome)),
            Answer::Value(value) => value,
        };
        let (yes, no) = (value_of(yes), value_of(no));
        let differs = inserter.select(value, yes, no);
        Some(Answer::Value(match fails {
            Some(fails) => inserter.binary(BinaryOp::Or, fails, differs),
            None => differs,
        }))
    }

    /// Whether a condition would be true here, and whether evaluating it would fail.
    fn condition(&mut self, inserter: &mut Inserter<'_>, condition: usize) -> Option<(Value, Option<Value>)> {
        let mut ways = mcdc::in_order(self.outcomes).filter(|(_, o)| *o == (condition, true));
        let (way, _) = ways.next()?;
        if ways.next().is_some() {
            return None;
        }
        let Terminator::Branch { cond, .. } = inserter.body().blocks[way.block].term else { return None };
        self.fails = None;
        let value = self.copy(inserter, cond, MOST_DEPTH)?;
        Some((if way.edge == 0 { value } else { inserter.not(value) }, self.fails.take()))
    }

    /// A value as it would be here, if that can be found out without any effect.
    fn copy(&mut self, inserter: &mut Inserter<'_>, value: Value, depth: u32) -> Option<Value> {
        let body = inserter.body();
        let (inst, ty) = match body.values[value].def {
            Def::Const(_) => return Some(value),
            Def::Param { block, .. } => return self.dominators.dominates(block, self.block).then_some(value),
            Def::Result { inst, .. } => (inst, body.ty(value)),
        };
        let home = body.blocks.iter().find(|(_, data)| data.insts.contains(&inst)).map(|(block, _)| block)?;
        if home == self.block || self.dominators.dominates(home, self.block) {
            return Some(value);
        }
        let mut op = body.insts[inst].op.clone();
        // What is read there may have been written there.
        if depth == 0 || !is_harmless(&op, ty) || writes(self.site.program, body, home, inst) {
            return None;
        }
        let whole = match op {
            Op::Load { ptr, .. } => is_whole(self.site.program, body, ptr, 0, u64::from(ty.store_size()), false),
            _ => true,
        };
        each_operand(&mut op, |value| self.copy(inserter, value, depth - 1))?;
        self.make(inserter, op, ty, whole)
    }

    /// The result of an operation whose operands are those of this place.
    fn make(&mut self, inserter: &mut Inserter<'_>, op: Op, ty: Type, whole: bool) -> Option<Value> {
        match op {
            Op::Load { ptr, .. } if !whole => Some(self.peek(inserter, ptr, ty)),
            Op::Call(call) => self.call(inserter, &call, ty),
            op => Some(inserter.op(op, ty)),
        }
    }

    /// Reads memory that may not be there.
    fn peek(&mut self, inserter: &mut Inserter<'_>, ptr: Value, ty: Type) -> Value {
        let size = inserter.constant(Type::I64, u128::from(ty.store_size()));
        let reads = inserter.constant(Type::BOOL, 0);
        let bad = inserter.intrinsic(Intrinsic::BadAccess, &[ptr, size, reads], &[Type::BOOL])[0];
        self.fails = Some(match self.fails {
            Some(fails) => inserter.binary(BinaryOp::Or, fails, bad),
            None => bad,
        });
        inserter.intrinsic(Intrinsic::Peek, &[ptr], &[ty])[0]
    }

    /// What a call would return, if the function changes nothing and has few ways.
    fn call(&mut self, inserter: &mut Inserter<'_>, call: &CallData, ty: Type) -> Option<Value> {
        let Callee::Direct(function) = call.callee else { return None };
        let site: &'a Site<'a> = self.site;
        let function = &site.program.functions[function];
        let body = function.body.as_ref()?;
        let fits = function.returns == [ty] && body.params().len() == call.args.len();
        let types = body.params().iter().zip(&call.args).all(|(p, a)| body.ty(*p) == inserter.ty(*a));
        if call.variadic || function.variadic || !fits || !types {
            return None;
        }
        let values = body.params().iter().copied().zip(call.args.iter().copied()).collect();
        self.follow(inserter, Frame { body, values }, Block::ENTRY)
    }

    /// What is returned from a block on.
    fn follow(&mut self, inserter: &mut Inserter<'_>, mut frame: Frame<'a>, block: Block) -> Option<Value> {
        self.blocks = self.blocks.checked_sub(1)?;
        let data = &frame.body.blocks[block];
        for inst in working(frame.body, &data.insts) {
            self.step(inserter, &mut frame, inst)?;
        }
        match &data.term {
            Terminator::Return(values) => match values[..] {
                [value] => here(inserter, &frame, value),
                _ => None,
            },
            Terminator::Jump(edge) => self.go(inserter, frame, edge),
            Terminator::Branch { cond, then, other } => {
                let cond = here(inserter, &frame, *cond)?;
                let before = self.fails.take();
                let yes = self.go(inserter, frame.clone(), then)?;
                let fails = self.fails.take();
                let no = self.go(inserter, frame, other)?;
                self.fails = either(inserter, cond, (fails, self.fails), before);
                Some(inserter.select(cond, yes, no))
            }
            _ => None,
        }
    }

    /// What is returned after an edge.
    fn go(&mut self, inserter: &mut Inserter<'_>, mut frame: Frame<'a>, edge: &Edge) -> Option<Value> {
        let args: Option<Vec<Value>> = edge.args.iter().map(|arg| here(inserter, &frame, *arg)).collect();
        frame.values.extend(frame.body.blocks[edge.block].params.iter().copied().zip(args?));
        self.follow(inserter, frame, edge.block)
    }

    /// One instruction of a function that is followed.
    fn step(&mut self, inserter: &mut Inserter<'_>, frame: &mut Frame<'a>, inst: Inst) -> Option<()> {
        let data = &frame.body.insts[inst];
        let [result] = data.results[..] else { return None };
        let ty = frame.body.ty(result);
        let mut op = data.op.clone();
        if !is_harmless(&op, ty) {
            return None;
        }
        each_operand(&mut op, |value| here(inserter, frame, value))?;
        let made = self.make(inserter, op, ty, false)?;
        frame.values.insert(result, made);
        Some(())
    }
}

/// A value of a function that is followed.
fn here(inserter: &mut Inserter<'_>, frame: &Frame<'_>, value: Value) -> Option<Value> {
    match frame.body.constant(value) {
        Some(constant) => Some(inserter.const_value(frame.body.ty(value), constant)),
        None => frame.values.get(&value).copied(),
    }
}

/// What fails, of what was before a branch and of its two sides.
fn either(
    inserter: &mut Inserter<'_>,
    cond: Value,
    (yes, no): (Option<Value>, Option<Value>),
    before: Option<Value>,
) -> Option<Value> {
    if yes.is_none() && no.is_none() {
        return before;
    }
    let never = inserter.constant(Type::BOOL, 0);
    let fails = inserter.select(cond, yes.unwrap_or(never), no.unwrap_or(never));
    Some(match before {
        Some(before) => inserter.binary(BinaryOp::Or, before, fails),
        None => fails,
    })
}

/// Puts other values in place of the operands.
fn each_operand(op: &mut Op, mut other: impl FnMut(Value) -> Option<Value>) -> Option<()> {
    let mut put = |value: &mut Value| -> Option<()> {
        *value = other(*value)?;
        Some(())
    };
    match op {
        Op::Unary { arg, .. } | Op::Cast { arg, .. } => put(arg),
        Op::Binary { args, .. } | Op::IntCmp { args, .. } | Op::FloatCmp { args, .. } => {
            args.iter_mut().try_for_each(put)
        }
        Op::Select { cond, args } => {
            put(cond)?;
            args.iter_mut().try_for_each(put)
        }
        Op::PtrAdd { base, index, .. } => {
            put(base)?;
            if let Some(mut value) = index.expand() {
                put(&mut value)?;
                *index = value.into();
            }
            Some(())
        }
        Op::Load { ptr, .. } => put(ptr),
        Op::Call(call) => call.args.iter_mut().try_for_each(put),
        _ => None,
    }
}

/// Whether an operation can be done at any time: it changes nothing, and whether it fails can be told. Of calls that is seen
/// when they are followed.
fn is_harmless(op: &Op, ty: Type) -> bool {
    match op {
        Op::Binary { op, .. } => !op.is_division(),
        // What a pointer points to would have to be chosen.
        Op::Load { volatile, .. } => !volatile && !ty.is_ptr(),
        Op::Unary { .. } | Op::Cast { .. } | Op::IntCmp { .. } | Op::FloatCmp { .. } => true,
        Op::Select { .. } | Op::PtrAdd { .. } | Op::Call(_) => true,
        _ => false,
    }
}

/// The instructions that do something: no counters, and nothing that is there for labels alone.
fn working(body: &Body, insts: &[Inst]) -> Vec<Inst> {
    let mut insts = insts.iter().copied();
    let mut all = Vec::new();
    while let Some(inst) = insts.next() {
        match body.insts[inst].op {
            Op::Counter { .. } | Op::Label { .. } => {}
            Op::Ghost { insts: count, .. } => insts.by_ref().take(count as usize).for_each(drop),
            _ => all.push(inst),
        }
    }
    all
}

/// Whether something before an instruction of a block may change memory.
fn writes(program: &Program, body: &Body, block: Block, before: Inst) -> bool {
    let insts = &body.blocks[block].insts;
    let count = insts.iter().take_while(|inst| **inst != before).count();
    !is_idle(program, body, &insts[..count], MOST_CALLS)
}

/// Whether instructions change nothing, and neither does what they call, so deep.
fn is_idle(program: &Program, body: &Body, insts: &[Inst], depth: u32) -> bool {
    working(body, insts).into_iter().all(|inst| {
        let ty = body.insts[inst].results.first().map_or(Type::BOOL, |result| body.ty(*result));
        match &body.insts[inst].op {
            Op::Call(call) => match call.callee {
                Callee::Direct(function) => program.functions[function].body.as_ref().is_some_and(|body| {
                    depth > 0 && body.blocks.values().all(|data| is_idle(program, body, &data.insts, depth - 1))
                }),
                Callee::Indirect(_) => false,
            },
            Op::Load { volatile, .. } => !volatile,
            op => is_harmless(op, ty),
        }
    })
}
