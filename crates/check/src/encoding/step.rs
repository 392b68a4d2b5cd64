//! What one instruction does to the state of a walk.

use covenant_program::ir::{BinaryOp, CallData, Inst, Intrinsic, Op, Terminator, Type, Value};

use super::chains::{ChainId, Effect};
use super::objects::{self, Object};
use super::state::{Bits, State, Val};
use super::{FIRST_ADDRESS, memory, ops};

pub(super) fn is_true(state: &mut State<'_, '_>, chain: ChainId, cond: Value) -> String {
    match state.value(chain, cond) {
        Val::Bits(bits) => format!("(= {} #b1)", bits.text(Type::BOOL)),
        Val::Into(..) => state.fresh("Bool"),
    }
}

/// When each way out of a block is taken; `None`: always, or nobody knows.
pub(super) fn conditions(state: &mut State<'_, '_>, chain: ChainId, term: &Terminator) -> Vec<Option<String>> {
    match term {
        Terminator::Jump(_) => vec![None],
        Terminator::Branch { cond, .. } => {
            let cond = is_true(state, chain, *cond);
            vec![Some(cond.clone()), Some(format!("(not {cond})"))]
        }
        Terminator::Switch { value, cases, .. } => {
            let ty = state.cx.chains.body(chain).ty(*value);
            let Val::Bits(bits) = state.value(chain, *value) else {
                state.note("a switch may go anywhere");
                return vec![None; cases.len() + 1];
            };
            let now = state.define(&ops::sort(ty), &bits.text(ty));
            let equals: Vec<String> =
                cases.iter().map(|(case, _)| format!("(= {now} {})", ops::literal(*case, ty.bits()))).collect();
            let other = if equals.is_empty() { None } else { Some(format!("(not (or false {}))", equals.join(" "))) };
            equals.into_iter().map(Some).chain([other]).collect()
        }
        Terminator::Indirect { targets, .. } => {
            state.note("a computed goto may go anywhere");
            vec![None; targets.len()]
        }
        Terminator::Return(_) | Terminator::Unreachable => Vec::new(),
    }
}

/// One instruction; false: no run goes on behind it.
pub(super) fn step(state: &mut State<'_, '_>, chain: ChainId, inst: Inst, op: &Op) -> bool {
    let body = state.cx.chains.body(chain);
    let data = &body.insts[inst];
    let result = data.results.first().copied();
    match op {
        Op::Counter { .. } => {}
        Op::Unsupported { what } => {
            state.note(&format!("{what} may do anything"));
            state.forget_all();
            any(state, chain, inst);
        }
        Op::Alloca { .. } => {
            let Some(result) = result else { return true };
            match state.cx.objects.kind(chain, result) {
                objects::Kind::Into(object, _) => {
                    state.forget(object);
                    state.set(chain, result, Val::Into(object, Bits::Known(0)));
                }
                objects::Kind::Plain => {
                    state.note("addresses are anything");
                    let address = state.fresh("(_ BitVec 64)");
                    state.assert(&format!("(bvuge {address} {})", ops::literal(FIRST_ADDRESS, 64)));
                    let size = objects::size(&state.cx.chains, Object::Local(chain, result));
                    state.make_new(&address, size);
                    state.set(chain, result, Val::Bits(Bits::Text(address)));
                }
            }
        }
        // Somebody else may have written there since.
        Op::Load { volatile: true, .. } => any(state, chain, inst),
        Op::Load { ptr, .. } => {
            let Some(result) = result else { return true };
            let at = state.value(chain, *ptr);
            match state.load(&at, body.ty(result)) {
                Some(value) => state.set(chain, result, value),
                None => return false,
            }
        }
        Op::Store { ptr, value, .. } => {
            let (at, ty) = (state.value(chain, *ptr), body.ty(*value));
            let value = state.value(chain, *value);
            return state.store(&at, &value, ty);
        }
        Op::Intrinsic { op: Intrinsic::Trap, .. } => return false,
        Op::Intrinsic { op, args } if super::chains::takes_addresses(*op) => {
            about_memory(state, chain, inst, *op, args)
        }
        Op::Intrinsic {
            op: Intrinsic::Open | Intrinsic::StackSave | Intrinsic::FrameAddress | Intrinsic::ReturnAddress,
            ..
        } => {
            any(state, chain, inst);
        }
        Op::Intrinsic { op: Intrinsic::StackRestore, .. } => {}
        op => {
            let args: Vec<(Val, Type)> =
                op.operands().into_iter().map(|arg| (state.value(chain, arg), body.ty(arg))).collect();
            if let (Op::Binary { op, .. }, [(Val::Bits(a), ty), (Val::Bits(b), _)]) = (op, args.as_slice()) {
                guard_division(state, *op, a, b, *ty);
            }
            for (i, &result) in data.results.iter().enumerate() {
                let ty = body.ty(result);
                let value = state.computed(op, args.clone(), ty, i, None);
                let value = value.unwrap_or_else(|| state.fresh_bits(ty));
                state.set(chain, result, value);
            }
        }
    }
    true
}

/// A run goes on only behind a division that does not trap.
fn guard_division(state: &mut State<'_, '_>, op: BinaryOp, a: &Bits, b: &Bits, ty: Type) {
    if let Some(condition) = ops::divides(op, &a.text(ty), &b.text(ty), ty) {
        state.assert(&condition);
    }
}

/// All results are anything.
pub(super) fn any(state: &mut State<'_, '_>, chain: ChainId, inst: Inst) {
    let body = state.cx.chains.body(chain);
    for &result in &body.insts[inst].results {
        let value = state.fresh_bits(body.ty(result));
        state.set(chain, result, value);
    }
}

fn about_memory(state: &mut State<'_, '_>, chain: ChainId, inst: Inst, op: Intrinsic, args: &[Value]) {
    let body = state.cx.chains.body(chain);
    let values: Vec<Val> = args.iter().map(|&arg| state.value(chain, arg)).collect();
    let result = body.insts[inst].results.first().copied();
    match (op, values.as_slice()) {
        (Intrinsic::MemCpy | Intrinsic::MemMove, [to, from, count]) => state.copy(to, from, count),
        (Intrinsic::MemSet, [to, Val::Bits(byte), count]) => {
            let byte = state.define("(_ BitVec 8)", &byte.text(Type::I8));
            state.fill(to, &byte, count);
        }
        (Intrinsic::VaStart | Intrinsic::VaCopy | Intrinsic::MemSet, [to, ..]) => {
            state.note("variadic arguments are anything");
            state.forget_behind(to);
        }
        (Intrinsic::Peek, [at]) => {
            let Some(result) = result else { return };
            let ty = body.ty(result);
            let value = match at {
                Val::Into(object, Bits::Known(offset)) => {
                    let size = objects::size(&state.cx.chains, *object);
                    let last = size.and_then(|size| size.checked_sub(u64::from(ty.store_size())));
                    let inside = last.is_some_and(|last| *offset <= u128::from(last));
                    inside.then(|| state.peek(at, ty))
                }
                _ => None,
            };
            let value = value.unwrap_or_else(|| {
                state.note("what is behind an address is looked at only where it is plain to see");
                state.fresh_bits(ty)
            });
            state.set(chain, result, value);
        }
        (Intrinsic::BadAccess, [at, count, writes]) => {
            let Some(result) = result else { return };
            match is_bad(state, chain, at, count, writes) {
                Some(bad) => {
                    let text = state.define("(_ BitVec 1)", &format!("(ite {bad} #b1 #b0)"));
                    state.set(chain, result, Val::Bits(Bits::Text(text)));
                }
                None => {
                    state.note("whether an access fails is known only of objects that no pointer leads to");
                    any(state, chain, inst);
                }
            }
        }
        (Intrinsic::VaEnd, _) => {}
        _ => {
            state.note("an operation on memory may do anything");
            state.forget_all();
            any(state, chain, inst);
        }
    }
}

/// Whether an access would fail, where that is known.
fn is_bad(state: &State<'_, '_>, chain: ChainId, at: &Val, count: &Val, writes: &Val) -> Option<String> {
    let Val::Into(object, offset) = at else { return None };
    let chains = &state.cx.chains;
    let constant = match *object {
        Object::Global(global) => state.cx.subject.program.globals[global].constant,
        // It lives as long as its function does.
        Object::Local(home, _) => {
            chains.around(chain).iter().find(|(id, _)| *id == home)?;
            false
        }
    };
    let size = objects::size(chains, *object)?;
    let Some(last) = size.checked_sub(memory::number(count)?) else { return Some("true".to_owned()) };
    if constant && *writes != Val::Bits(Bits::Known(0)) {
        return Some("true".to_owned());
    }
    Some(format!("(bvugt {} {})", offset.text(Type::Ptr), ops::literal(u128::from(last), 64)))
}

/// A call that is not expanded; false: no run goes on behind it.
pub(super) fn called(state: &mut State<'_, '_>, chain: ChainId, inst: Inst, call: &CallData, effect: &Effect) -> bool {
    let body = state.cx.chains.body(chain);
    let values: Vec<Val> = call.args.iter().map(|&arg| state.value(chain, arg)).collect();
    let result = body.insts[inst].results.first().copied();
    match (effect, values.as_slice()) {
        (Effect::Ends, _) => return false,
        (Effect::Any | Effect::Stub, _) => any(state, chain, inst),
        (Effect::Value(why), _) => {
            state.note(why);
            state.forget_globals(true);
            any(state, chain, inst);
        }
        (Effect::Allocates, sizes) => {
            any(state, chain, inst);
            let count = sizes.first().and_then(memory::number);
            if let Some(Val::Bits(Bits::Text(address))) = result.map(|result| state.value(chain, result)) {
                let (null, first) = (ops::literal(0, 64), ops::literal(FIRST_ADDRESS, 64));
                state.assert(&format!("(or (= {address} {null}) (bvuge {address} {first}))"));
                state.make_new(&address, count);
            }
        }
        (Effect::Input, [to, ..]) => {
            state.forget_behind(to);
            any(state, chain, inst);
        }
        (Effect::Assume, [Val::Bits(cond), ..]) => {
            let ty = call.args.first().map_or(Type::I32, |&arg| body.ty(arg));
            let (cond, zero) = (cond.text(ty), ops::constant(0, ty));
            state.assert(&format!("(distinct {cond} {zero})"));
            any(state, chain, inst);
        }
        (Effect::Copy, [to, from, count]) => {
            state.copy(to, from, count);
            given_back(state, chain, result, to);
        }
        (Effect::Fill, [to, Val::Bits(byte), count]) => {
            let ty = call.args.get(1).map_or(Type::I32, |&arg| body.ty(arg));
            let low = ops::fit(&byte.text(ty), ty.bits(), 8);
            let byte = state.define("(_ BitVec 8)", &low);
            state.fill(to, &byte, count);
            given_back(state, chain, result, to);
        }
        (effect, _) => {
            let why = match effect {
                Effect::Unknown(why) => why.as_str(),
                _ => "a call with other arguments than the function takes may do anything",
            };
            state.note(why);
            state.forget_outer();
            state.forget_globals(false);
            values.iter().for_each(|value| state.forget_behind(value));
            any(state, chain, inst);
        }
    }
    true
}

fn given_back(state: &mut State<'_, '_>, chain: ChainId, result: Option<Value>, to: &Val) {
    if let Some(result) = result {
        state.set(chain, result, to.clone());
    }
}
