//! Decoding one function.

mod arithmetic;
mod limits;

use covenant_program::ir::{
    BinaryOp, Block, BlockData, Body, CallData, Callee, Def, Edge, FuncId, Function, Inst, IntCmp, Loc, Op as IrOp,
    Terminator, Type, Value,
};
use cranelift_entity::{EntityRef, SecondaryMap};

use super::image::Image;
use super::moves;
use super::op::*;
use super::tables::{arrange, count_uses, float_format, is_binary, load, params_end, store, words};
use crate::memory::Label;
use crate::shadow::Mark;

/// Instructions that a jump can count; more are counted by an operation of their own.
const COUNTABLE: usize = u16::MAX as usize; // not tuning: what fits into a word

pub(super) fn decode(image: &Image, id: FuncId, function: &Function, body: &Body) -> Code {
    let mut decoder = Decoder::new(image, id, body);
    decoder.code.function = id.as_u32();
    decoder.assign_registers(function);
    for (block, _) in body.blocks.iter() {
        decoder.block(block);
    }
    decoder.patch();
    if image.checks.marks {
        decoder.code.registers_of = decoder.registers;
    }
    decoder.code
}

struct Decoder<'a> {
    image: &'a Image,
    id: FuncId,
    body: &'a Body,
    code: Code,
    registers: SecondaryMap<Value, u32>,
    /// How often each value is an operand, as far as it matters: conditions of branches.
    uses: SecondaryMap<Value, u32>,
    spare: Reg,
    starts: SecondaryMap<Block, u32>,
    /// Jump targets that are still block numbers, by the operation or table that holds them.
    fixups: Vec<Fixup>,
    here: Origin,
    /// What labels ask of, which is nothing that the program does: whatever C says of it.
    aside: bool,
}

enum Fixup {
    Jump(usize),
    Then(usize),
    Other(usize),
    /// Both ways of an entry of [`Code::branches`].
    SiteThen(usize),
    SiteOther(usize),
}

impl<'a> Decoder<'a> {
    fn new(image: &'a Image, id: FuncId, body: &'a Body) -> Self {
        Decoder {
            image,
            id,
            body,
            code: Code::default(),
            registers: SecondaryMap::new(),
            uses: count_uses(body),
            spare: 0,
            starts: SecondaryMap::new(),
            fixups: Vec::new(),
            here: Origin { loc: Loc::NONE, block: Block::new(0) },
            aside: false,
        }
    }

    /// Parameters first, then constants, then everything else; no register is shared, so that a value is still there
    /// when `longjmp` comes back to its function.
    fn assign_registers(&mut self, function: &Function) {
        let mut next = 0;
        let mut claim = |ty: Type| {
            let reg = next;
            next += if ty.is_wide() { 2 } else { 1 };
            reg
        };
        let mut params = Vec::new();
        for &value in self.body.params() {
            let ty = self.body.ty(value);
            let reg = claim(ty);
            self.registers[value] = reg;
            params.push(Operand { reg, ty });
        }
        self.code.params = params.into();
        self.code.first_constant = params_end(&self.code.params);
        for (value, data) in self.body.values.iter() {
            let Def::Const(constant) = data.def else { continue };
            self.registers[value] = claim(data.ty);
            let bits = self.image.constant(constant) & (u128::MAX >> (128 - data.ty.bits()));
            self.code.constants.push(bits as u64);
            if data.ty.is_wide() {
                self.code.constants.push((bits >> 64) as u64);
            }
        }
        for (value, data) in self.body.values.iter() {
            let is_param = matches!(data.def, Def::Param { block, .. } if block == Block::ENTRY);
            if !is_param && !matches!(data.def, Def::Const(_)) {
                self.registers[value] = claim(data.ty);
            }
        }
        self.spare = claim(Type::I64);
        self.code.registers = next;
        self.code.variadic = function.variadic;
    }

    fn reg(&self, value: Value) -> Reg {
        self.registers[value]
    }

    fn operand(&self, value: Value) -> Operand {
        Operand { reg: self.reg(value), ty: self.body.ty(value) }
    }

    fn operands(&self, values: &[Value]) -> Box<[Operand]> {
        values.iter().map(|&v| self.operand(v)).collect()
    }

    fn mark(&mut self, mark: Mark) {
        if self.image.checks.marks {
            self.code.marks.push(mark);
            self.emit(Op::Mark(self.code.marks.len() as u32 - 1));
        }
    }

    fn emit(&mut self, op: Op) -> usize {
        self.code.ops.push(op);
        self.code.origins.push(self.here);
        self.code.ops.len() - 1
    }

    fn block(&mut self, block: Block) {
        let body = self.body;
        let data = &body.blocks[block];
        self.starts[block] = self.code.ops.len() as u32;
        self.here = Origin { loc: data.term_loc, block };
        self.mark(Mark::Block(block));
        let fused = self.fusible(data);
        let plain = data.insts.len() - usize::from(fused.is_some());
        let mut ghost: Option<(usize, u32)> = None;
        for &inst in &data.insts[..plain] {
            self.here = Origin { loc: body.insts[inst].loc, block };
            if let IrOp::Ghost { first, labels, insts } = body.insts[inst].op {
                let labels = u16::try_from(labels).unwrap_or(u16::MAX);
                ghost = Some((self.emit(Op::Ghost { labels, first, to: 0 }), insts));
                continue;
            }
            self.aside = ghost.is_some();
            self.inst(inst);
            ghost = self.end_ghost(ghost);
        }
        self.here = Origin { loc: data.term_loc, block };
        let mut n = data.insts.len() + 1;
        if n > COUNTABLE {
            self.emit(Op::Count((n - 1) as u32));
            n = 1;
        }
        // Moves of a jump's arguments come before it, but nothing can go wrong in them.
        self.code.terminators.push(self.code.ops.len() as u32);
        match (fused, &data.term) {
            (Some((cmp, args)), Terminator::Branch { then, other, .. }) => {
                self.compare_and_branch(cmp, args, then, other, n as u16);
            }
            _ => self.terminator(&data.term, n as u16),
        }
    }

    /// Counts the instructions of a ghost; behind the last one the ghost knows where to go on.
    fn end_ghost(&mut self, ghost: Option<(usize, u32)>) -> Option<(usize, u32)> {
        let (at, left) = ghost?;
        if left > 1 {
            return Some((at, left - 1));
        }
        self.emit(Op::GhostEnd);
        let here = self.code.ops.len() as u32;
        if let Op::Ghost { to, .. } = &mut self.code.ops[at] {
            *to = here;
        }
        None
    }

    /// The comparison that ends the block, if nothing but the branch behind it uses it.
    fn fusible(&self, data: &BlockData) -> Option<(IntCmp, [Value; 2])> {
        let Terminator::Branch { cond, .. } = &data.term else { return None };
        let last = &self.body.insts[*data.insts.last()?];
        match last.op {
            IrOp::IntCmp { cmp, args } if last.results[..] == [*cond] && self.uses[*cond] == 1 => {
                (!self.body.ty(args[0]).is_wide()).then_some((cmp, args))
            }
            _ => None,
        }
    }

    fn compare_and_branch(&mut self, cmp: IntCmp, args: [Value; 2], then: &Edge, other: &Edge, n: u16) {
        let shift = 64 - self.body.ty(args[0]).bits() as u8;
        let (a, b, index) = (self.reg(args[0]), self.reg(args[1]), self.code.branches.len());
        self.emit(Op::CmpBranch { cmp, shift, a, b, site: index as u32 });
        let (then_block, other_block) = (then.block.as_u32(), other.block.as_u32());
        self.code.branches.push(BranchSite { n, then: then_block, other: other_block });
        if then.args.is_empty() {
            self.fixups.push(Fixup::SiteThen(index));
        } else {
            self.code.branches[index].then = self.landing(then);
        }
        if other.args.is_empty() {
            self.fixups.push(Fixup::SiteOther(index));
        } else {
            self.code.branches[index].other = self.landing(other);
        }
    }

    fn inst(&mut self, inst: Inst) {
        let body = self.body;
        let data = &body.insts[inst];
        let d = data.results.first().map_or(0, |&v| self.reg(v));
        let ty = data.results.first().map_or(Type::I64, |&v| body.ty(v));
        match &data.op {
            IrOp::Unary { arg, .. } => {
                let format = float_format(body.ty(*arg));
                self.emit(Op::FNeg(format, R2 { d, a: self.reg(*arg) }));
            }
            IrOp::Binary { op, flags, args } => self.binary(*op, *flags, d, args),
            IrOp::IntCmp { cmp, args } => {
                let (r, width) = (self.r3(d, args), body.ty(args[0]).bits() as u8);
                self.emit(if width > 64 { Op::WideCmp(*cmp, width, r) } else { Op::Cmp(*cmp, 64 - width, r) });
            }
            IrOp::FloatCmp { cmp, args } => {
                let (r, format) = (self.r3(d, args), float_format(body.ty(args[0])));
                self.emit(Op::FloatCmp(*cmp, format, r));
            }
            IrOp::Cast { op, arg } => {
                self.look(inst, *op, *arg);
                self.cast(*op, Operand { reg: d, ty }, *arg);
            }
            IrOp::Select { cond, args } => {
                let site =
                    Select { cond: self.reg(*cond), to: Operand { reg: d, ty }, args: args.map(|v| self.reg(v)) };
                self.code.selects.push(site);
                self.emit(Op::Select(self.code.selects.len() as u32 - 1));
            }
            IrOp::PtrAdd { base, index, scale, disp, count } => {
                let offset = Offset {
                    to: d,
                    base: self.reg(*base),
                    index: index.expand().map(|v| self.reg(v)),
                    scale: *scale,
                    disp: *disp,
                    count: if self.image.checks.array_bounds { *count } else { 0 },
                };
                self.ptr_add(offset);
            }
            IrOp::Alloca { size, align } => {
                let var = data.results.first().and_then(|&v| body.values[v].var.expand());
                let label = var.map_or(Label::None, |var| Label::Local(self.id, var));
                let site = Alloca { to: d, size: self.reg(*size), align: *align, label };
                self.code.allocas.push(site);
                self.emit(Op::Alloca(self.code.allocas.len() as u32 - 1));
            }
            IrOp::Load { ptr, volatile } => {
                let shared = self.is_shared(*volatile);
                let r = R2 { d, a: self.reg(*ptr) };
                let quiet = self.image.checks.uninitialised && self.sets_bit_field(inst, *ptr);
                self.emit(match quiet {
                    true => Op::LoadQuiet(ty, r),
                    false if shared => Op::LoadVolatile(ty, r),
                    false => load(self.image.program().target, ty, r),
                });
            }
            IrOp::Store { ptr, value, volatile } => {
                let shared = self.is_shared(*volatile);
                let (ty, r) = (body.ty(*value), R2 { d: self.reg(*ptr), a: self.reg(*value) });
                self.emit(if shared { Op::StoreVolatile(ty, r) } else { store(self.image.program().target, ty, r) });
            }
            IrOp::Call(call) => {
                self.call(inst, call, &data.results);
                self.mark(Mark::After(inst));
            }
            IrOp::Intrinsic { op, args } => {
                let site = IntrinsicSite { op: *op, args: self.operands(args), results: self.operands(&data.results) };
                self.code.intrinsics.push(site);
                self.emit(Op::Intrinsic(self.code.intrinsics.len() as u32 - 1));
            }
            IrOp::Counter { .. } => {
                if self.image.checks.counters {
                    self.emit(Op::Counter);
                }
            }
            IrOp::Ghost { .. } => {}
            IrOp::Label { index, cond } => {
                self.code.labels.push(LabelSite { index: *index, cond: self.reg(*cond), inst });
                self.emit(Op::Label(self.code.labels.len() as u32 - 1));
            }
            IrOp::Unsupported { what } => {
                self.code.unsupported.push(what.clone());
                self.emit(Op::Unsupported(self.code.unsupported.len() as u32 - 1));
            }
        }
    }

    /// Whether the load begins what clang makes of an assignment to a bit-field: load, `and`, `or`, store back.
    fn sets_bit_field(&self, load: Inst, ptr: Value) -> bool {
        let body = self.body;
        let user = |value: Value| {
            let only = self.uses[value] == 1;
            body.insts.iter().find(|(_, data)| only && data.op.operands().contains(&value)).map(|(id, _)| id)
        };
        let result = |inst: Inst| body.insts[inst].results.first().copied();
        let masked = result(load).and_then(user).filter(|&i| is_binary(&body.insts[i].op, BinaryOp::And));
        let joined = masked.and_then(result).and_then(user).filter(|&i| is_binary(&body.insts[i].op, BinaryOp::Or));
        let stored = joined.and_then(result).and_then(user);
        stored.is_some_and(|i| matches!(body.insts[i].op, IrOp::Store { ptr: to, .. } if to == ptr))
    }

    fn call(&mut self, inst: Inst, call: &CallData, results: &[Value]) {
        let args = self.operands(&call.args);
        let (target, words) = match call.callee {
            Callee::Direct(f) => (Target::Direct(f), self.agreeing_words(f, &args, results)),
            Callee::Indirect(v) => (Target::Indirect(self.reg(v)), None),
        };
        let result_used = results.iter().any(|&v| self.uses[v] > 0);
        let results = self.operands(results);
        let by_value = call.by_value.clone().into();
        self.code.calls.push(CallSite { target, args, result_used, words, results, by_value, inst });
        self.emit(Op::Call(self.code.calls.len() as u32 - 1));
    }

    /// The words of the arguments, if caller and callee agree on all types.
    fn agreeing_words(&self, callee: FuncId, args: &[Operand], results: &[Value]) -> Option<Box<[Reg]>> {
        let callee = self.image.function(callee);
        callee.body.as_ref()?;
        let same_args = !callee.variadic && callee.params.iter().eq(args.iter().map(|a| &a.ty));
        let result_types: Vec<Type> = results.iter().map(|&v| self.body.ty(v)).collect();
        if !same_args || callee.returns != result_types {
            return None;
        }
        Some(words(args))
    }

    fn terminator(&mut self, term: &Terminator, n: u16) {
        match term {
            Terminator::Jump(edge) => {
                self.moves(edge);
                let at = self.emit(Op::Jump { n, to: edge.block.as_u32() });
                self.fixups.push(Fixup::Jump(at));
            }
            Terminator::Branch { cond, then, other } => self.branch(self.reg(*cond), then, other, n),
            Terminator::Switch { value, cases, default } => {
                let site = self.code.switches.len() as u32;
                self.emit(Op::Switch { n, site });
                let cases: Vec<(u128, u32)> = cases.iter().map(|(v, e)| (*v, self.landing(e))).collect();
                let default = self.landing(default);
                let landings = cases.iter().map(|case| case.1).chain(std::iter::once(default)).collect();
                let values = cases.iter().map(|case| case.0).collect();
                let (value, cases) = (self.operand(*value), arrange(cases));
                self.code.switches.push(SwitchSite { value, landings, values, cases, default });
            }
            Terminator::Indirect { address, targets } => {
                let site = self.code.indirects.len() as u32;
                self.emit(Op::Indirect { n, site });
                let targets = targets.iter().map(|e| (e.block, self.landing(e))).collect();
                self.code.indirects.push(IndirectSite { address: self.reg(*address), targets });
            }
            Terminator::Return(values) => self.ret(values, n),
            Terminator::Unreachable => {
                self.emit(Op::Unreachable);
            }
        }
    }

    fn ret(&mut self, values: &[Value], n: u16) {
        let values = self.operands(values);
        match &values[..] {
            [] => self.emit(Op::Return0 { n }),
            [one] if !one.ty.is_wide() => self.emit(Op::Return1 { n, a: one.reg }),
            _ => {
                self.code.returns.push(values);
                self.emit(Op::Return { n, site: self.code.returns.len() as u32 - 1 })
            }
        };
    }

    fn branch(&mut self, cond: Reg, then: &Edge, other: &Edge, n: u16) {
        let at = self.emit(Op::Branch { n, cond, then: then.block.as_u32(), other: other.block.as_u32() });
        // An edge without arguments goes straight to its block.
        if then.args.is_empty() {
            self.fixups.push(Fixup::Then(at));
        } else {
            let landing = self.landing(then);
            if let Op::Branch { then, .. } = &mut self.code.ops[at] {
                *then = landing;
            }
        }
        if other.args.is_empty() {
            self.fixups.push(Fixup::Other(at));
        } else {
            let landing = self.landing(other);
            if let Op::Branch { other, .. } = &mut self.code.ops[at] {
                *other = landing;
            }
        }
    }

    /// Code for an edge by itself: its moves and a jump that counts nothing.
    fn landing(&mut self, edge: &Edge) -> u32 {
        let start = self.code.ops.len() as u32;
        self.moves(edge);
        let at = self.emit(Op::Jump { n: 0, to: edge.block.as_u32() });
        self.fixups.push(Fixup::Jump(at));
        start
    }

    fn moves(&mut self, edge: &Edge) {
        let mut pending = Vec::new();
        for (&param, &arg) in self.body.blocks[edge.block].params.iter().zip(&edge.args) {
            let (to, from) = (self.reg(param), self.reg(arg));
            pending.push((to, from));
            if self.body.ty(param).is_wide() {
                pending.push((to + 1, from + 1));
            }
        }
        for (d, a) in moves::sequence(pending, self.spare) {
            self.emit(Op::Move(R2 { d, a }));
        }
    }

    /// Block numbers become places in the code.
    fn patch(&mut self) {
        for fixup in std::mem::take(&mut self.fixups) {
            let place = |block: u32| self.starts[Block::new(block as usize)];
            match fixup {
                Fixup::Jump(at) => {
                    if let Op::Jump { to, .. } = &mut self.code.ops[at] {
                        *to = place(*to);
                    }
                }
                Fixup::SiteThen(i) => self.code.branches[i].then = place(self.code.branches[i].then),
                Fixup::SiteOther(i) => self.code.branches[i].other = place(self.code.branches[i].other),
                Fixup::Then(at) => {
                    if let Op::Branch { then, .. } = &mut self.code.ops[at] {
                        *then = place(*then);
                    }
                }
                Fixup::Other(at) => {
                    if let Op::Branch { other, .. } = &mut self.code.ops[at] {
                        *other = place(*other);
                    }
                }
            }
        }
    }
}
