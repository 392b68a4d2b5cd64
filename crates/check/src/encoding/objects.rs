//! Objects that only direct accesses reach, and which pointers point into them.
//!
//! At first each local and global is such an object. Where its address goes to memory, to an integer, to code that is not
//! expanded, or meets that of another object, it is not: it *got out*, and what is in it is part of the memory that all
//! pointers mean.

use std::collections::{BTreeSet, HashMap};

use covenant_program::analysis::exposed_globals;
use covenant_program::ir::{Block, CallData, CastOp, Const, Def, GlobalId, Inst, Op, Terminator, Value};

use super::chains::{ChainId, Chains, Effect, takes_addresses};

/// Whose object it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Object {
    /// What the value of a chain, an `alloca`, is the address of.
    Local(ChainId, Value),
    Global(GlobalId),
}

/// What is known of a value in all runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// A number, or an address that may be any.
    Plain,
    /// An address in an object that did not get out, and its distance from the start, if that is always the same.
    Into(Object, Option<u64>),
}

#[derive(Debug)]
pub(super) struct Objects {
    kinds: HashMap<(ChainId, Value), Kind>,
    out: BTreeSet<Object>,
}

struct Finder<'c, 'p> {
    chains: &'c Chains<'p>,
    kinds: HashMap<(ChainId, Value), Kind>,
    out: BTreeSet<Object>,
    changed: bool,
    /// An address of unknown origin is used.
    anywhere: bool,
}

/// Which objects there are, and what points into them.
pub(super) fn find(chains: &Chains<'_>) -> Objects {
    // An object of unknown size is anywhere.
    let globals = chains.subject.program.globals.iter().filter(|(_, global)| global.is_unsized());
    let mut out: BTreeSet<Object> = globals.map(|(id, _)| Object::Global(id)).collect();
    loop {
        let mut finder = Finder { chains, kinds: HashMap::new(), out: out.clone(), changed: true, anywhere: false };
        while std::mem::take(&mut finder.changed) {
            (0..chains.all.len()).for_each(|i| finder.chain(ChainId(i as u32)));
        }
        if finder.anywhere {
            finder.out.extend(exposed_globals(chains.subject.program).into_iter().map(Object::Global));
        }
        if finder.out == out {
            return Objects { kinds: finder.kinds, out };
        }
        out = finder.out;
    }
}

impl Objects {
    /// A value that nothing computes is nothing's address.
    pub(super) fn kind(&self, chain: ChainId, value: Value) -> Kind {
        self.kinds.get(&(chain, value)).copied().unwrap_or(Kind::Plain)
    }

    pub(super) fn got_out(&self, object: Object) -> bool {
        self.out.contains(&object)
    }
}

/// Bytes of an object; `None`: not known before it is made.
pub(super) fn size(chains: &Chains<'_>, object: Object) -> Option<u64> {
    match object {
        Object::Global(global) => Some(chains.subject.program.globals[global].size),
        Object::Local(chain, value) => {
            let body = chains.body(chain);
            let Def::Result { inst, .. } = body.values.get(value)?.def else { return None };
            let Op::Alloca { size, .. } = body.insts[inst].op else { return None };
            match body.constant(size) {
                Some(Const::Bits(bytes)) => u64::try_from(bytes).ok(),
                _ => None,
            }
        }
    }
}

impl Finder<'_, '_> {
    fn kind(&self, chain: ChainId, value: Value) -> Option<Kind> {
        match self.chains.body(chain).values[value].def {
            Def::Const(Const::Global(global, offset)) => {
                let object = Object::Global(global);
                Some(if self.out.contains(&object) { Kind::Plain } else { Kind::Into(object, Some(offset as u64)) })
            }
            Def::Const(_) => Some(Kind::Plain),
            _ => self.kinds.get(&(chain, value)).copied(),
        }
    }

    fn let_out(&mut self, kind: Option<Kind>) {
        if let Some(Kind::Into(object, _)) = kind {
            self.out.insert(object);
        }
    }

    /// The value may be this too.
    fn join(&mut self, chain: ChainId, value: Value, new: Option<Kind>) {
        let Some(new) = new else { return };
        let old = self.kinds.get(&(chain, value)).copied();
        let now = match (old, new) {
            (None, new) => new,
            (Some(Kind::Into(a, x)), Kind::Into(b, y)) if a == b => Kind::Into(a, x.filter(|_| x == y)),
            (Some(Kind::Plain), Kind::Plain) => Kind::Plain,
            (old, new) => {
                self.let_out(old);
                self.let_out(Some(new));
                Kind::Plain
            }
        };
        if old != Some(now) {
            self.kinds.insert((chain, value), now);
            self.changed = true;
        }
    }

    /// An access goes there.
    fn touch(&mut self, chain: ChainId, address: Value) {
        let fixed = self.chains.body(chain).constant(address).is_some();
        if self.kind(chain, address) == Some(Kind::Plain) && !fixed {
            self.anywhere = true;
        }
    }

    fn chain(&mut self, chain: ChainId) {
        let (body, shape) = (self.chains.body(chain), self.chains.shape(chain));
        if self.chains.chain(chain).caller.is_none() {
            body.params().iter().for_each(|&param| self.join(chain, param, Some(Kind::Plain)));
        }
        for (block, data) in body.blocks.iter().filter(|(block, _)| shape.is_reachable(*block)) {
            data.insts.iter().for_each(|&inst| self.inst(chain, inst));
            self.terminator(chain, block);
        }
    }

    fn terminator(&mut self, chain: ChainId, block: Block) {
        let body = self.chains.body(chain);
        let term = &body.blocks[block].term;
        for edge in term.edges() {
            for (&param, &arg) in body.blocks[edge.block].params.iter().zip(&edge.args) {
                let kind = self.kind(chain, arg);
                self.join(chain, param, kind);
            }
        }
        match term {
            Terminator::Switch { value, .. } | Terminator::Indirect { address: value, .. } => {
                let kind = self.kind(chain, *value);
                self.let_out(kind);
            }
            Terminator::Return(values) => {
                let Some((caller, inst)) = self.chains.chain(chain).caller else { return };
                let outer = self.chains.body(caller);
                for (i, &result) in outer.insts[inst].results.iter().enumerate() {
                    let value = values.get(i).filter(|v| body.ty(**v) == outer.ty(result));
                    let kind = value.map_or(Some(Kind::Plain), |&value| self.kind(chain, value));
                    self.join(caller, result, kind);
                }
            }
            _ => {}
        }
    }

    fn inst(&mut self, chain: ChainId, inst: Inst) {
        let body = self.chains.body(chain);
        let data = &body.insts[inst];
        let result = data.results.first().copied();
        let kind = match &data.op {
            Op::Alloca { .. } => result.map(|result| {
                let object = Object::Local(chain, result);
                let known = size(self.chains, object).is_some() && !self.out.contains(&object);
                if known { Kind::Into(object, Some(0)) } else { Kind::Plain }
            }),
            Op::PtrAdd { base, index, scale, disp, .. } => match self.kind(chain, *base) {
                Some(Kind::Into(object, offset)) => {
                    let index = index.expand().map_or(Some(0), |index| match body.constant(index) {
                        Some(Const::Bits(bits)) => Some(bits as u64 as i64),
                        _ => None,
                    });
                    let distance = index.map(|index| index.wrapping_mul(*scale).wrapping_add(*disp));
                    let sum = offset.zip(distance).map(|(offset, by)| offset.wrapping_add_signed(by));
                    Some(Kind::Into(object, sum))
                }
                other => other,
            },
            Op::Select { args, .. } if body.ty(args[0]).is_ptr() => {
                let Some(result) = result else { return };
                for &arg in args {
                    let kind = self.kind(chain, arg);
                    self.join(chain, result, kind);
                }
                return;
            }
            Op::Cast { op: CastOp::Bitcast, arg } if body.ty(*arg).is_ptr() => self.kind(chain, *arg),
            // An object of its own is no other's and not null, so comparing tells nobody where it is.
            Op::IntCmp { .. } | Op::Label { .. } => Some(Kind::Plain),
            Op::Load { ptr, .. } => {
                self.touch(chain, *ptr);
                Some(Kind::Plain)
            }
            Op::Store { ptr, value, .. } => {
                self.touch(chain, *ptr);
                let kind = self.kind(chain, *value);
                self.let_out(kind);
                None
            }
            Op::Call(call) => return self.call(chain, inst, call),
            Op::Intrinsic { op, args } if takes_addresses(*op) => {
                args.iter().filter(|&&arg| body.ty(arg).is_ptr()).for_each(|&arg| self.touch(chain, arg));
                Some(Kind::Plain)
            }
            op => {
                for operand in op.operands() {
                    let kind = self.kind(chain, operand);
                    self.let_out(kind);
                }
                Some(Kind::Plain)
            }
        };
        for &result in &data.results {
            self.join(chain, result, kind);
        }
    }

    fn call(&mut self, chain: ChainId, inst: Inst, call: &CallData) {
        let body = self.chains.body(chain);
        let effect = self.chains.effect(chain, inst);
        let given = &call.args;
        match effect {
            Effect::Expand(child) => {
                let inner = self.chains.body(child);
                let arrives =
                    |i: usize, arg: Value| inner.params().get(i).is_some_and(|&p| inner.ty(p) == body.ty(arg));
                for (i, &param) in inner.params().iter().enumerate() {
                    let arg = call.args.get(i).filter(|arg| arrives(i, **arg));
                    let kind = arg.map_or(Some(Kind::Plain), |&arg| self.kind(chain, arg));
                    self.join(child, param, kind);
                }
                // What does not arrive as a parameter can be had in other ways.
                for (_, &arg) in call.args.iter().enumerate().filter(|(i, arg)| !arrives(*i, **arg)) {
                    let kind = self.kind(chain, arg);
                    self.let_out(kind);
                }
                return;
            }
            Effect::Copy | Effect::Fill => {
                given.iter().filter(|&&arg| body.ty(arg).is_ptr()).for_each(|&arg| self.touch(chain, arg));
                let kind = given.first().and_then(|&to| self.kind(chain, to));
                body.insts[inst].results.iter().for_each(|&result| self.join(chain, result, kind));
                return;
            }
            Effect::Input => given.iter().take(1).for_each(|&arg| self.touch(chain, arg)),
            Effect::Any | Effect::Value(_) | Effect::Ends | Effect::Allocates | Effect::Assume => {}
            // What gives anything may give back what it got.
            Effect::Stub | Effect::Unknown(_) => given.iter().for_each(|&arg| {
                let kind = self.kind(chain, arg);
                self.let_out(kind);
            }),
        }
        body.insts[inst].results.iter().for_each(|&result| self.join(chain, result, Some(Kind::Plain)));
    }
}
