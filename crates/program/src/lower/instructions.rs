//! Dispatch over instructions, and the arithmetic ones.

use super::function::{FunctionLowering, Vals};
use super::llvm::{IntPredicate, Opcode, RealPredicate, Val};
use super::wide::is_wide;
use crate::ir::{
    BinaryOp, CastOp, Const, Def, Edge, FloatCmp, IntCmp, Op, OpFlags, Origin, Terminator, Type, UnaryOp, Value,
};

impl<'m> FunctionLowering<'_, 'm> {
    /// Lowers one instruction that is neither a phi nor a terminator.
    pub(super) fn instruction(&mut self, instruction: Val<'m>) -> Vals {
        let Some(opcode) = instruction.opcode() else { return Vals::new() };
        self.operation(opcode, instruction).unwrap_or_else(|what| {
            let types: Vec<Type> = self.cx.types.flat(instruction.ty()).types().collect();
            self.mention_callee(instruction);
            self.emit(Op::Unsupported { what }, &types)
        })
    }

    /// The values of an instruction or of a constant expression; an error says what is not supported.
    pub(super) fn operation(&mut self, opcode: Opcode, v: Val<'m>) -> Result<Vals, String> {
        use Opcode::*;
        self.cx.types.flat(v.ty()).usable()?;
        match opcode {
            LLVMAdd | LLVMSub | LLVMMul | LLVMUDiv | LLVMSDiv | LLVMURem | LLVMSRem | LLVMShl | LLVMLShr | LLVMAShr
            | LLVMAnd | LLVMOr | LLVMXor | LLVMFAdd | LLVMFSub | LLVMFMul | LLVMFDiv | LLVMFRem => {
                self.binary(opcode, v)
            }
            LLVMFNeg => self.lanes(v, 1, |f, args, ty| f.emit_one(Op::Unary { op: UnaryOp::FNeg, arg: args[0] }, ty)),
            LLVMICmp => self.int_compare(v),
            LLVMFCmp => self.float_compare(v),
            LLVMTrunc | LLVMZExt | LLVMSExt | LLVMFPToUI | LLVMFPToSI | LLVMUIToFP | LLVMSIToFP | LLVMFPTrunc
            | LLVMFPExt | LLVMPtrToInt | LLVMIntToPtr => self.conversion(opcode, v),
            LLVMBitCast => self.bitcast(v),
            LLVMSelect => self.select(v),
            LLVMAddrSpaceCast => self.other_space(v),
            LLVMFreeze => self.operand(v.operand(0).ok_or("a missing operand")?),
            LLVMAlloca => self.alloca(v),
            LLVMLoad => self.load(v),
            LLVMStore => self.store(v),
            LLVMGetElementPtr => self.element_address(v),
            LLVMAtomicRMW => self.read_modify_write(v),
            LLVMAtomicCmpXchg => self.compare_exchange(v),
            LLVMFence => Ok(Vals::new()),
            LLVMExtractValue => self.extract_value(v),
            LLVMInsertValue => self.insert_value(v),
            LLVMExtractElement => self.extract_element(v),
            LLVMInsertElement => self.insert_element(v),
            LLVMShuffleVector => self.shuffle(v),
            LLVMCall => self.call(v),
            LLVMVAArg => Err("instruction va_arg".to_owned()),
            other => Err(format!("instruction {other:?}")),
        }
    }

    /// Applies `make` lane by lane to the first `count` operands. An operand of one scalar serves all lanes.
    fn lanes(
        &mut self,
        v: Val<'m>,
        count: u32,
        make: impl FnMut(&mut Self, &[Value], Type) -> Value,
    ) -> Result<Vals, String> {
        let mut operands = Vec::with_capacity(count as usize);
        for index in 0..count {
            operands.push(self.operand(v.operand(index).ok_or("a missing operand")?)?);
        }
        let types: Vec<Type> = self.cx.types.flat(v.ty()).usable()?.types().collect();
        self.each_lane(&operands, &types, make)
    }

    pub(super) fn each_lane(
        &mut self,
        operands: &[Vals],
        types: &[Type],
        mut make: impl FnMut(&mut Self, &[Value], Type) -> Value,
    ) -> Result<Vals, String> {
        let mut results = Vals::new();
        for (lane, &ty) in types.iter().enumerate() {
            let mut args = Vals::new();
            for operand in operands {
                let value = if operand.len() == 1 { operand.first() } else { operand.get(lane) };
                args.push(*value.ok_or("operands of different length")?);
            }
            results.push(make(self, &args, ty));
        }
        Ok(results)
    }

    fn binary(&mut self, opcode: Opcode, v: Val<'m>) -> Result<Vals, String> {
        if is_wide(v.ty()) {
            return self.wide(opcode, v);
        }
        let op = binary_op(opcode).ok_or("an unknown operation")?;
        let (nsw, nuw) = v.no_wrap();
        let flags = OpFlags { nsw, nuw };
        self.lanes(v, 2, |f, args, ty| {
            // Where addresses have 32 bits, their difference is that of the whole addresses, cut.
            if let (BinaryOp::Sub, Some(a), Some(b)) = (op, f.cut_address(args[0]), f.cut_address(args[1])) {
                let difference = f.arithmetic(op, a, b);
                return f.resize(difference, ty, false);
            }
            f.emit_one(Op::Binary { op, flags, args: [args[0], args[1]] }, ty)
        })
    }

    /// The address as a number of which a value is the lower part.
    fn cut_address(&self, value: Value) -> Option<Value> {
        if self.body.ty(value) != self.cx.types.address() {
            return None;
        }
        let made_by = |value: Value| match self.body.values[value].def {
            Def::Result { inst, .. } => Some(&self.body.insts[inst].op),
            _ => None,
        };
        let Some(&Op::Cast { op: CastOp::Trunc, arg }) = made_by(value) else { return None };
        matches!(made_by(arg), Some(Op::Cast { op: CastOp::PtrToInt, .. })).then_some(arg)
    }

    pub(super) fn arithmetic(&mut self, op: BinaryOp, a: Value, b: Value) -> Value {
        let ty = self.body.ty(a);
        self.emit_one(Op::Binary { op, flags: OpFlags::default(), args: [a, b] }, ty)
    }

    pub(super) fn compare(&mut self, cmp: IntCmp, a: Value, b: Value) -> Value {
        self.emit_one(Op::IntCmp { cmp, args: [a, b] }, Type::BOOL)
    }

    pub(super) fn choose(&mut self, cond: Value, a: Value, b: Value) -> Value {
        let ty = self.body.ty(a);
        self.emit_one(Op::Select { cond, args: [a, b] }, ty)
    }

    fn int_compare(&mut self, v: Val<'m>) -> Result<Vals, String> {
        if v.operand(0).is_some_and(|o| is_wide(o.ty())) {
            return self.wide(Opcode::LLVMICmp, v);
        }
        let cmp = match v.int_predicate().ok_or("a comparison without predicate")? {
            IntPredicate::LLVMIntEQ => IntCmp::Eq,
            IntPredicate::LLVMIntNE => IntCmp::Ne,
            IntPredicate::LLVMIntUGT => IntCmp::Ugt,
            IntPredicate::LLVMIntUGE => IntCmp::Uge,
            IntPredicate::LLVMIntULT => IntCmp::Ult,
            IntPredicate::LLVMIntULE => IntCmp::Ule,
            IntPredicate::LLVMIntSGT => IntCmp::Sgt,
            IntPredicate::LLVMIntSGE => IntCmp::Sge,
            IntPredicate::LLVMIntSLT => IntCmp::Slt,
            IntPredicate::LLVMIntSLE => IntCmp::Sle,
        };
        self.lanes(v, 2, |f, args, _| f.compare(cmp, args[0], args[1]))
    }

    fn float_compare(&mut self, v: Val<'m>) -> Result<Vals, String> {
        let cmp = match v.real_predicate().ok_or("a comparison without predicate")? {
            RealPredicate::LLVMRealOEQ => FloatCmp::Oeq,
            RealPredicate::LLVMRealOGT => FloatCmp::Ogt,
            RealPredicate::LLVMRealOGE => FloatCmp::Oge,
            RealPredicate::LLVMRealOLT => FloatCmp::Olt,
            RealPredicate::LLVMRealOLE => FloatCmp::Ole,
            RealPredicate::LLVMRealONE => FloatCmp::One,
            RealPredicate::LLVMRealORD => FloatCmp::Ord,
            RealPredicate::LLVMRealUNO => FloatCmp::Uno,
            RealPredicate::LLVMRealUEQ => FloatCmp::Ueq,
            RealPredicate::LLVMRealUGT => FloatCmp::Ugt,
            RealPredicate::LLVMRealUGE => FloatCmp::Uge,
            RealPredicate::LLVMRealULT => FloatCmp::Ult,
            RealPredicate::LLVMRealULE => FloatCmp::Ule,
            RealPredicate::LLVMRealUNE => FloatCmp::Une,
            RealPredicate::LLVMRealPredicateFalse => return self.lanes(v, 2, |f, _, ty| f.number(ty, 0)),
            RealPredicate::LLVMRealPredicateTrue => return self.lanes(v, 2, |f, _, ty| f.number(ty, 1)),
        };
        self.lanes(v, 2, |f, args, ty| f.emit_one(Op::FloatCmp { cmp, args: [args[0], args[1]] }, ty))
    }

    /// Pointers become 64-bit integers and the other way round; other widths are a step of their own.
    fn conversion(&mut self, opcode: Opcode, v: Val<'m>) -> Result<Vals, String> {
        if is_wide(v.ty()) || v.operand(0).is_some_and(|o| is_wide(o.ty())) {
            return self.wide(opcode, v);
        }
        self.lanes(v, 1, |f, args, ty| match opcode {
            Opcode::LLVMPtrToInt => {
                let number = f.cast(CastOp::PtrToInt, args[0], Type::I64);
                f.resize(number, ty, false)
            }
            Opcode::LLVMIntToPtr => f.address_of(args[0]),
            _ => f.cast(cast_op(opcode), args[0], ty),
        })
    }

    /// The same address: all spaces are one memory.
    fn other_space(&mut self, v: Val<'m>) -> Result<Vals, String> {
        let from = v.operand(0).ok_or("a missing operand")?;
        self.cx.types.flat(from.ty()).usable()?;
        self.operand(from)
    }

    fn select(&mut self, v: Val<'m>) -> Result<Vals, String> {
        self.lanes(v, 3, |f, args, ty| f.emit_one(Op::Select { cond: args[0], args: [args[1], args[2]] }, ty))
    }

    /// A `?:` whose arms are constants.
    ///
    /// clang writes it as a select and counts with `instrprof.increment.step` by the condition. The source has a
    /// branch there, so a branch is what it becomes: the counter in one arm, the select as the parameter of the join.
    /// Says how many instructions, of the call and the one behind it, are done.
    pub(super) fn conditional_counter(&mut self, call: Val<'m>, next: Option<Val<'m>>) -> usize {
        if self.origin == Origin::Library || !self.is_conditional_counter(call) {
            return 0;
        }
        let step = call.operand(4).filter(|s| s.opcode() == Some(Opcode::LLVMZExt));
        let cond = step.and_then(|s| s.operand(0)).filter(|c| c.ty().int_width() == 1);
        let (Some(condition), Some(index)) = (cond, call.operand(3).and_then(Val::small_int)) else { return 0 };
        let Ok([cond]) = self.operand(condition).map(|c| [c[0]]) else { return 0 };
        let select = next.filter(|n| n.opcode() == Some(Opcode::LLVMSelect) && n.operand(0) == Some(condition));
        let mut arms = (Vals::new(), Vals::new());
        if let Some(select) = select {
            let (Some(Ok(a)), Some(Ok(b))) =
                (select.operand(1).map(|a| self.operand(a)), select.operand(2).map(|b| self.operand(b)))
            else {
                return 0;
            };
            arms = (a, b);
            self.set_loc(select);
        }
        let join = self.diamond(cond, Op::Counter { index: index as u32 }, &arms);
        let Some(select) = select else { return 1 };
        self.values.insert(select, join);
        2
    }

    fn is_conditional_counter(&mut self, v: Val<'m>) -> bool {
        let callee = v.callee().filter(|c| c.is_function());
        let intrinsic = callee.and_then(|c| self.cx.intrinsic(c));
        intrinsic.as_deref() == Some("llvm.instrprof.increment.step")
    }

    /// Whether an instruction only makes a number of the condition of [`Self::conditional_counter`].
    pub(super) fn is_counter_step(&mut self, v: Val<'m>) -> bool {
        v.opcode() == Some(Opcode::LLVMZExt) && v.only_user().is_some_and(|user| self.is_conditional_counter(user))
    }

    /// Branches on `cond`, does `op` where it holds, and joins with one of `arms`.
    fn diamond(&mut self, cond: Value, op: Op, arms: &(Vals, Vals)) -> Vals {
        let (then, other, join) = (self.new_block(), self.new_block(), self.new_block());
        let edge = |block, args: &[Value]| Edge { block, args: args.to_vec() };
        self.end(Terminator::Branch { cond, then: edge(then, &[]), other: edge(other, &[]) });
        self.continue_in(then);
        self.emit(op, &[]);
        self.end(Terminator::Jump(edge(join, &arms.0)));
        self.continue_in(other);
        self.end(Terminator::Jump(edge(join, &arms.1)));
        self.continue_in(join);
        let types: Vec<Type> = arms.0.iter().map(|&value| self.body.ty(value)).collect();
        types.into_iter().map(|ty| self.parameter(join, ty)).collect()
    }

    pub(super) fn undef(&mut self, ty: Type) -> Value {
        self.constant(ty, Const::Undef)
    }
}

pub(super) fn binary_op(opcode: Opcode) -> Option<BinaryOp> {
    Some(match opcode {
        Opcode::LLVMAdd => BinaryOp::Add,
        Opcode::LLVMSub => BinaryOp::Sub,
        Opcode::LLVMMul => BinaryOp::Mul,
        Opcode::LLVMUDiv => BinaryOp::UDiv,
        Opcode::LLVMSDiv => BinaryOp::SDiv,
        Opcode::LLVMURem => BinaryOp::URem,
        Opcode::LLVMSRem => BinaryOp::SRem,
        Opcode::LLVMShl => BinaryOp::Shl,
        Opcode::LLVMLShr => BinaryOp::LShr,
        Opcode::LLVMAShr => BinaryOp::AShr,
        Opcode::LLVMAnd => BinaryOp::And,
        Opcode::LLVMOr => BinaryOp::Or,
        Opcode::LLVMXor => BinaryOp::Xor,
        Opcode::LLVMFAdd => BinaryOp::FAdd,
        Opcode::LLVMFSub => BinaryOp::FSub,
        Opcode::LLVMFMul => BinaryOp::FMul,
        Opcode::LLVMFDiv => BinaryOp::FDiv,
        Opcode::LLVMFRem => BinaryOp::FRem,
        _ => return None,
    })
}

/// Casts that LLVM and the IR have alike.
fn cast_op(opcode: Opcode) -> CastOp {
    match opcode {
        Opcode::LLVMTrunc => CastOp::Trunc,
        Opcode::LLVMZExt => CastOp::ZExt,
        Opcode::LLVMSExt => CastOp::SExt,
        Opcode::LLVMFPToUI => CastOp::FpToUi,
        Opcode::LLVMFPToSI => CastOp::FpToSi,
        Opcode::LLVMUIToFP => CastOp::UiToFp,
        Opcode::LLVMSIToFP => CastOp::SiToFp,
        Opcode::LLVMFPTrunc => CastOp::FpTrunc,
        Opcode::LLVMFPExt => CastOp::FpExt,
        _ => CastOp::Bitcast,
    }
}
