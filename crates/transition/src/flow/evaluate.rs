//! Instructions as terms.

use covenant_concolic::meaning::{control, memory, pure};
use covenant_constraints::TermId;
use covenant_interpreter::shadow::{Pure, Shadowed};
use covenant_program::ir::{BinaryOp, CastOp, Const, Def, Inst, IntCmp, Intrinsic, Op, Symbol, Type, Value};

use super::addresses;
use super::build::{Builder, Here, Val, sort_of};
use super::regions::Key;
use super::{ContextId, Owner, Spot};

impl Builder<'_> {
    /// What a value is now.
    pub(super) fn value(&mut self, context: ContextId, value: Value) -> Val {
        let function = self.flow.contexts[context].function;
        let data = self.body(function).values[value];
        match data.def {
            Def::Const(constant) => self.constant(constant, data.ty),
            _ => self.values.get(&(context, value)).copied().unwrap_or(Val::Any),
        }
    }

    fn constant(&mut self, constant: Const, ty: Type) -> Val {
        match constant {
            _ if ty == Type::F80 => Val::Any,
            Const::Undef => Val::Any,
            // Any access may be inside of it.
            Const::Global(global, _) if self.image.program().globals[global].is_unsized() => Val::Any,
            Const::Global(global, offset) => {
                let size = self.image.program().globals[global].size;
                if let Some(region) = self.region(Owner::Global(global), Key::Global(global), size) {
                    let align = align_of(offset);
                    return Val::Pointer { region, offset: self.terms.bv(offset as u64 as u128, 64), align };
                }
                let address = self.image.constant(constant);
                Val::Term(self.terms.bv(address, 64))
            }
            _ => {
                let bits = self.image.constant(constant);
                Val::Term(pure::lift(self.terms, Shadowed { bits, ty, term: None }))
            }
        }
    }

    /// The value as a term; an address that thereby gets out makes its object everybody's.
    pub(super) fn term(&mut self, value: Val, ty: Type) -> TermId {
        match value {
            Val::Term(term) => term,
            Val::Any => self.choice(sort_of(ty)),
            Val::Pointer { region, .. } => {
                let key = self.keys[region];
                self.plan.escape(key);
                self.choice(sort_of(Type::Ptr))
            }
        }
    }

    fn types(&self, context: ContextId, inst: Inst) -> (Vec<Value>, Vec<Type>) {
        let body = self.body(self.flow.contexts[context].function);
        let results = body.insts[inst].results.to_vec();
        let types = results.iter().map(|&r| body.ty(r)).collect();
        (results, types)
    }

    pub(super) fn bind(&mut self, context: ContextId, value: Value, to: Val) {
        self.values.insert((context, value), to);
    }

    /// Binds every result of an instruction to something unknown.
    pub(super) fn bind_any(&mut self, here: &mut Here, context: ContextId, inst: Inst) {
        let (results, types) = self.types(context, inst);
        for (result, ty) in results.into_iter().zip(types) {
            let value = if ty == Type::F80 {
                Val::Any
            } else {
                let any = self.choice(sort_of(ty));
                self.capture(here, context, result, ty, any)
            };
            self.bind(context, result, value);
        }
    }

    /// One instruction; `None`: no run goes on behind it.
    pub(super) fn inst(&mut self, context: ContextId, mut here: Here, inst: Inst) -> Result<Option<Here>, String> {
        let body = self.body(self.flow.contexts[context].function);
        let data = &body.insts[inst];
        let result = data.results.first().copied();
        match &data.op {
            Op::Counter { .. } | Op::Ghost { .. } => {}
            Op::Label { cond, .. } => {
                let cond = self.value(context, *cond);
                let cond = self.term(cond, Type::BOOL);
                if self.terms.as_bool(cond) != Some(false) {
                    let to = self.locate(context, Spot::Label(inst), data.loc);
                    self.emit(&mut here, to, &[cond], &[]);
                }
            }
            // It does something, to whatever it was given. Runs end here, but nothing is proved from that.
            Op::Unsupported { what } => {
                self.flow.approximations.insert(format!("{what} may do anything to memory"));
                self.forget_all(&mut here);
                self.bind_any(&mut here, context, inst);
            }
            Op::Unary { op, arg } => self.pure(&mut here, context, inst, Pure::Unary(*op), &[*arg]),
            Op::Binary { op, args, .. } => {
                if op.is_division() {
                    self.guard_division(&mut here, context, *op, args);
                }
                self.pure(&mut here, context, inst, Pure::Binary(*op), args);
            }
            Op::IntCmp { cmp, args } => self.compare(&mut here, context, inst, *cmp, args),
            Op::FloatCmp { cmp, args } => self.pure(&mut here, context, inst, Pure::FloatCmp(*cmp), args),
            Op::Cast { op, arg } => self.cast(&mut here, context, inst, *op, *arg),
            Op::Select { cond, args } => self.select(&mut here, context, inst, *cond, args),
            Op::PtrAdd { base, index, scale, disp, .. } => {
                let value = self.add(context, *base, index.expand(), *scale, *disp);
                self.bind_result(context, result, value);
            }
            Op::Alloca { size, .. } => self.alloca(&mut here, context, inst, *size),
            // Somebody else may have written there since.
            Op::Load { volatile: true, .. } => self.bind_any(&mut here, context, inst),
            Op::Load { ptr, .. } => {
                let Some(result) = result else { return Ok(Some(here)) };
                let at = self.value(context, *ptr);
                match self.load(&mut here, at, body.ty(result)) {
                    None => return Ok(None),
                    Some(Val::Term(now)) => {
                        let value = self.capture(&mut here, context, result, body.ty(result), now);
                        self.note_load(at, value);
                        self.bind(context, result, value);
                    }
                    Some(other) => self.bind(context, result, other),
                }
            }
            Op::Store { ptr, value, .. } => {
                let (at, now) = (self.value(context, *ptr), self.value(context, *value));
                if !self.store(&mut here, at, now, body.ty(*value)) {
                    return Ok(None);
                }
            }
            Op::Call(call) => return self.call(context, here, inst, call),
            Op::Intrinsic { op: Intrinsic::Trap, .. } => return Ok(None),
            Op::Intrinsic { op, args } => self.intrinsic(&mut here, context, inst, *op, args),
        }
        Ok(Some(here))
    }

    fn bind_result(&mut self, context: ContextId, result: Option<Value>, value: Val) {
        if let Some(result) = result {
            self.bind(context, result, value);
        }
    }

    /// An operation whose results depend on its operands alone.
    pub(super) fn pure(&mut self, here: &mut Here, context: ContextId, inst: Inst, op: Pure, args: &[Value]) {
        let body = self.body(self.flow.contexts[context].function);
        let (results, types) = self.types(context, inst);
        let mut shadowed = Vec::with_capacity(args.len());
        for &arg in args {
            let (value, ty) = (self.value(context, arg), body.ty(arg));
            if matches!(value, Val::Any) || ty == Type::F80 {
                return self.bind_any(here, context, inst);
            }
            let term = self.term(value, ty);
            shadowed.push(Shadowed { bits: 0, ty, term: Some(term) });
        }
        let reads_float = op == Pure::Cast(CastOp::Bitcast) && types.iter().any(|ty| !ty.is_float());
        let narrow = |ty: &Type| matches!(ty, Type::F80) || ty.bits() > 128;
        if reads_float || types.iter().any(narrow) {
            return self.bind_any(here, context, inst);
        }
        for (i, (result, ty)) in results.into_iter().zip(types).enumerate() {
            let op = match op {
                Pure::Intrinsic(op, _) => Pure::Intrinsic(op, i as u32),
                op => op,
            };
            let term = pure::compute(self.terms, op, &shadowed, ty);
            let value = match term {
                Some(term) => Val::Term(term),
                None => {
                    let any = self.choice(sort_of(ty));
                    self.capture(here, context, result, ty, any)
                }
            };
            self.bind(context, result, value);
        }
    }

    /// A run goes on only behind a division that does not trap.
    fn guard_division(&mut self, here: &mut Here, context: ContextId, op: BinaryOp, args: &[Value; 2]) {
        let ty = self.body(self.flow.contexts[context].function).ty(args[1]);
        let width = ty.bits() as u8;
        let (Val::Term(b), true) = (self.value(context, args[1]), width > 1) else { return };
        let by_zero = control::divides_by_zero(self.terms, b);
        let divides = self.terms.not(by_zero);
        here.guard.push(divides);
        let signed = matches!(op, BinaryOp::SDiv | BinaryOp::SRem);
        if let (Val::Term(a), true) = (self.value(context, args[0]), signed) {
            let over = control::division_overflows(self.terms, a, b);
            let fits = self.terms.not(over);
            here.guard.push(fits);
        }
    }

    /// Whether a global begins with an address in this object, so that any value that comes from memory may be it.
    fn is_in_some_initialiser(&self, pointer: Val) -> bool {
        let Val::Pointer { region, .. } = pointer else { return false };
        let Owner::Global(global) = self.flow.regions[region].owner else { return false };
        let is_it = |symbol: Symbol| matches!(symbol, Symbol::Global(named) if named == global);
        let globals = self.image.program().globals.values();
        globals.flat_map(|data| &data.relocs).any(|reloc| is_it(reloc.symbol) || reloc.minus.is_some_and(is_it))
    }

    fn compare(&mut self, here: &mut Here, context: ContextId, inst: Inst, cmp: IntCmp, args: &[Value; 2]) {
        let (a, b) = (self.value(context, args[0]), self.value(context, args[1]));
        let (x, y) = match (a, b) {
            (Val::Pointer { region: r, offset: x, .. }, Val::Pointer { region: s, offset: y, .. }) if r == s => (x, y),
            (Val::Pointer { .. }, other) | (other, Val::Pointer { .. }) => {
                // Nobody else has the address of an object of its own, and null is no object.
                match other {
                    Val::Term(address) => self.expose(address),
                    Val::Any => self.expose_all(),
                    Val::Pointer { .. } => {}
                }
                let (results, _) = self.types(context, inst);
                let is_known = match other {
                    Val::Term(address) => self.terms.is_const(address),
                    Val::Any => false,
                    Val::Pointer { .. } => true,
                };
                let is_own = is_known || ![a, b].iter().any(|side| self.is_in_some_initialiser(*side));
                return match cmp {
                    IntCmp::Eq | IntCmp::Ne if is_own => {
                        let term = self.terms.bool(cmp == IntCmp::Ne);
                        self.bind_result(context, results.first().copied(), Val::Term(term));
                    }
                    _ => self.bind_any(here, context, inst),
                };
            }
            _ => return self.pure(here, context, inst, Pure::IntCmp(cmp), args),
        };
        // Addresses in one object are in the order of their distances from its start, which may be negative.
        let signed = match cmp {
            IntCmp::Ult => IntCmp::Slt,
            IntCmp::Ule => IntCmp::Sle,
            IntCmp::Ugt => IntCmp::Sgt,
            IntCmp::Uge => IntCmp::Sge,
            cmp => cmp,
        };
        let args = [x, y].map(|term| Shadowed { bits: 0, ty: Type::I64, term: Some(term) });
        let (results, _) = self.types(context, inst);
        match pure::compute(self.terms, Pure::IntCmp(signed), &args, Type::BOOL) {
            Some(term) => self.bind_result(context, results.first().copied(), Val::Term(term)),
            None => self.bind_any(here, context, inst),
        }
    }

    fn cast(&mut self, here: &mut Here, context: ContextId, inst: Inst, op: CastOp, arg: Value) {
        let value = self.value(context, arg);
        if let (CastOp::Bitcast, Val::Pointer { .. }) = (op, value) {
            let (results, _) = self.types(context, inst);
            return self.bind_result(context, results.first().copied(), value);
        }
        let body = self.body(self.flow.contexts[context].function);
        if op == CastOp::PtrToInt && !addresses::are_compared_only(body, inst) {
            // Which number it is, is open, and whoever has it has the address.
            self.term(value, Type::Ptr);
            return self.bind_any(here, context, inst);
        }
        self.pure(here, context, inst, Pure::Cast(op), &[arg]);
    }

    fn select(&mut self, here: &mut Here, context: ContextId, inst: Inst, cond: Value, args: &[Value; 2]) {
        let (a, b) = (self.value(context, args[0]), self.value(context, args[1]));
        let chooses = self.value(context, cond);
        if let (
            Val::Pointer { region: r, offset: x, align: l },
            Val::Pointer { region: s, offset: y, align: m },
            Val::Term(cond),
        ) = (a, b, chooses)
            && r == s
        {
            let offset = self.terms.ite(cond, x, y);
            let (results, _) = self.types(context, inst);
            let value = Val::Pointer { region: r, offset, align: l.min(m) };
            return self.bind_result(context, results.first().copied(), value);
        }
        self.pure(here, context, inst, Pure::Select, &[cond, args[0], args[1]]);
    }

    /// `base + index * scale + disp`
    fn add(&mut self, context: ContextId, base: Value, index: Option<Value>, scale: i64, disp: i64) -> Val {
        let base = self.value(context, base);
        let index = index.map(|index| {
            let index = self.value(context, index);
            self.term(index, Type::I64)
        });
        let distance = memory::distance(self.terms, index, scale, disp);
        let step = match self.terms.as_bv(distance) {
            Some(known) => align_of(known as i64),
            None => align_of(disp).min(align_of(scale)),
        };
        match base {
            Val::Pointer { region, offset, align } => {
                let offset = self.terms.add(offset, distance);
                let align = match self.terms.as_bv(offset) {
                    Some(known) => align_of(known as i64),
                    None => align.min(step),
                };
                Val::Pointer { region, offset, align }
            }
            Val::Term(term) => Val::Term(self.terms.add(term, distance)),
            Val::Any => Val::Any,
        }
    }
}

/// The largest power of two, up to 16, that divides the offset.
pub(super) fn align_of(offset: i64) -> u32 {
    1 << offset.trailing_zeros().min(4)
}
