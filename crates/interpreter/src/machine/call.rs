//! Calls, returns and jumps between frames.

use covenant_program::ir::{CastOp, FuncId, Loc, Type};

use super::run::Returned;
use super::{CALL_COST, Frame, JumpPoint, Machine, Step, builtin};
use crate::code::Target;
use crate::code::op::{self, CallSite, Code, Operand};
use crate::memory::Fault;
use crate::shadow::{Mark, Mute, Pure, Shadow, Shadowed};
use crate::{About, TrapKind};

impl<S: Shadow> Machine<'_, S> {
    /// A frame for `function` on top, its constants filled in, its parameters not.
    pub(super) fn enter(&mut self, function: FuncId, base: usize) -> Step<()> {
        let image = self.image;
        let code = image.code(function);
        let stack_before = self.stack_bytes;
        self.use_stack(CALL_COST)?;
        let end = base + code.registers as usize;
        if self.regs.len() < end {
            self.regs.resize(end, 0);
            if S::ACTIVE {
                self.terms.resize(end, S::Term::default());
            }
        }
        let first = base + code.first_constant as usize;
        self.regs[first..first + code.constants.len()].copy_from_slice(&code.constants);
        if S::ACTIVE {
            self.terms[first..first + code.constants.len()].fill(S::Term::default());
        }
        if S::ACTIVE {
            let after = self.frames.last().map_or(0, |caller| caller.pc as u32);
            self.shadow.entered(function.as_u32(), self.frames.len(), after);
        }
        self.serial += 1;
        let (objects, varargs, serial) = (self.stack_objects.len(), self.varargs.len(), self.serial);
        self.frames.push(Frame { function, pc: 0, base, objects, varargs, stack_before, serial });
        Ok(())
    }

    /// The function that was entered has its arguments.
    #[inline(always)]
    pub(super) fn begun(&mut self) -> Step<()> {
        if S::ACTIVE && self.image.checks.marks {
            self.tell(Mark::Enter)?;
        }
        Ok(())
    }

    /// Whether a new frame is on top afterwards.
    #[inline(always)]
    pub(super) fn call_site(&mut self, base: usize, code: &Code, site: &CallSite, next: usize) -> Step<bool> {
        if let Some(frame) = self.frames.last_mut() {
            frame.pc = next;
        }
        if S::ACTIVE {
            self.mute(site);
        }
        if let (op::Target::Direct(function), Some(words)) = (&site.target, &site.words) {
            let callee = base + code.registers as usize;
            self.enter(*function, callee)?;
            for (i, &reg) in words.iter().enumerate() {
                self.regs[callee + i] = self.regs[base + reg as usize];
                if S::ACTIVE {
                    self.terms[callee + i] = self.terms[base + reg as usize];
                }
            }
            self.begun()?;
            return Ok(true);
        }
        self.general_call(base, code, site)
    }

    /// What only writes output and whose result nobody reads cannot change the path.
    fn mute(&mut self, site: &CallSite) {
        if let op::Target::Direct(function) = site.target
            && self.muted_at.is_none()
            && !site.result_used
            && self.only_prints(site, function)
        {
            self.muted_at = Some(self.frames.len());
            self.shadow.set_muted(true);
        }
    }

    fn only_prints(&self, site: &CallSite, function: FuncId) -> bool {
        let argument = match self.shadow.mutes(function.as_u32()) {
            Mute::Never => return false,
            Mute::Always => None,
            Mute::IfStandard(index) => Some(index),
        };
        let real = self.files.is_standard(1) && self.files.is_standard(2);
        let base = self.frames.last().map_or(0, |frame| frame.base);
        let stream = argument.map(|index| site.args.get(index as usize).map(|&arg| self.operand(base, arg) as u64));
        let is_standard = |stream: u64| {
            let pointer = self.image.program().target.pointer();
            self.streams.iter().any(|&at| self.load_bits(at, pointer).is_ok_and(|bits| bits as u64 == stream))
        };
        real && stream.is_none_or(|stream| stream.is_some_and(is_standard))
    }

    fn general_call(&mut self, base: usize, code: &Code, site: &CallSite) -> Step<bool> {
        let image = self.image;
        let function = match site.target {
            op::Target::Direct(function) => function,
            op::Target::Indirect(reg) => {
                if S::ACTIVE {
                    self.pin(base, Operand { reg, ty: Type::Ptr }, "a call through a pointer");
                }
                self.function_behind(self.get(base, reg))?
            }
        };
        match image.target(function) {
            Target::Code => {
                self.call_with_conversion(base, code, site, function)?;
                Ok(true)
            }
            Target::Builtin(builtin) => builtin::call(self, base, site, builtin),
            Target::Undefined => {
                if S::ACTIVE && self.stub(base, site, function)? {
                    return Ok(false);
                }
                let name = &image.function(function).name;
                if covenant_program::world::is_assembly(name) {
                    return Err(Fault::new(TrapKind::Unsupported, "assembly for another machine".to_owned()).into());
                }
                if let Some(kind) = covenant_program::world::missing(name) {
                    let message = format!("call of `{name}`, which needs {kind}");
                    return Err(Fault::new(TrapKind::Unsupported, message).into());
                }
                Err(Fault::new(TrapKind::UndefinedFunction, format!("call of `{name}`, which nothing defines")).into())
            }
        }
    }

    fn function_behind(&self, address: u64) -> Step<FuncId> {
        if let Some(function) = self.image.function_at(address) {
            return Ok(function);
        }
        let message = match address {
            0 => "call through a null function pointer".to_owned(),
            _ => format!("call of {address:#x}, where no function begins"),
        };
        let mut fault = Fault::new(TrapKind::BadCall, message);
        fault.about = Some(About { base: 0, offset: address as i64, size: 0 });
        Err(fault.into())
    }

    /// Where C lets caller and callee disagree, arguments go through registers of two kinds, as natively.
    fn call_with_conversion(&mut self, base: usize, code: &Code, site: &CallSite, function: FuncId) -> Step<()> {
        let callee_code = self.image.code(function);
        let callee = base + code.registers as usize;
        self.check_arguments(site, callee_code, function)?;
        self.enter(function, callee)?;
        for (param, arg) in callee_code.params.iter().zip(&site.args) {
            let value = self.shadowed(base, *arg);
            let bits = value.bits & super::mask(param.ty.bits());
            let term = self.converted(value, param.ty, bits);
            self.set_operand(callee, *param, bits);
            self.set_term(callee, param.reg, term);
        }
        if callee_code.variadic {
            self.pass_varargs(base, site, callee_code.params.len());
        }
        self.begun()
    }

    /// The term of a value that goes from a caller to a callee, or back, which see it as of another type.
    fn converted(&mut self, value: Shadowed<S::Term>, ty: Type, bits: u128) -> S::Term {
        if value.ty == ty || !S::ACTIVE || !Self::is_symbolic(value.term) {
            return value.term;
        }
        match (value.ty, ty) {
            (Type::Int(given), Type::Int(wanted)) => {
                let cast = if given > wanted { CastOp::Trunc } else { CastOp::ZExt };
                self.derive(Pure::Cast(cast), &[value], ty, bits)
            }
            (Type::Int(64), Type::Ptr | Type::Ptr32) => self.derive(Pure::Cast(CastOp::IntToPtr), &[value], ty, bits),
            (Type::Ptr | Type::Ptr32, Type::Int(64)) => self.derive(Pure::Cast(CastOp::PtrToInt), &[value], ty, bits),
            _ => {
                self.shadow.pin(value, "a call that takes a value for one of another type");
                S::Term::default()
            }
        }
    }

    fn check_arguments(&self, site: &CallSite, callee: &Code, function: FuncId) -> Step<()> {
        let name = &self.image.function(function).name;
        let (given, wanted) = (site.args.len(), callee.params.len());
        if given < wanted {
            let message = format!("call of `{name}` with {given} arguments instead of {wanted}");
            return Err(Fault::new(TrapKind::BadCall, message).into());
        }
        // The call graph (`call_graph::accepts`) says the same of the types.
        let differ = callee.params.iter().zip(&site.args).position(|(p, a)| p.ty.register() != a.ty.register());
        if let Some(index) = differ {
            let message = format!("call of `{name}` with an argument of another kind: number {}", index + 1);
            return Err(Fault::new(TrapKind::BadCall, message).into());
        }
        Ok(())
    }

    /// Takes the frame on top away and hands its results over. Those of the last frame above `floor` are returned.
    pub(super) fn leave(&mut self, code: &Code, base: usize, what: Returned, floor: usize) -> Option<Vec<u128>> {
        let frame = self.frames.pop()?;
        self.release_stack(frame.objects);
        self.varargs.truncate(frame.varargs);
        self.stack_bytes = frame.stack_before;
        if S::ACTIVE {
            self.shadow.left(self.frames.len());
        }
        if S::ACTIVE && self.muted_at == Some(self.frames.len()) {
            self.muted_at = None;
            self.shadow.set_muted(false);
        }
        let caller = self.frames.last().filter(|_| self.frames.len() >= floor);
        let Some(caller) = caller else {
            return Some(self.returned_values(code, base, what));
        };
        let (function, pc, caller_base) = (caller.function, caller.pc, caller.base);
        let caller_code = self.image.code(function);
        let op::Op::Call(site) = caller_code.ops[pc - 1] else { return None };
        let results = &caller_code.calls[site as usize].results;
        match what {
            Returned::Nothing => self.no_results(caller_base, results, 0),
            Returned::Word(reg) => {
                if let [result] = &results[..]
                    && !result.ty.is_wide()
                {
                    let bits = self.get(base, reg) & super::mask(result.ty.bits()) as u64;
                    let mut term = self.term(base, reg);
                    if S::ACTIVE && Self::is_symbolic(term) {
                        let given = self.image.function(frame.function).returns.first().copied();
                        let value = self.shadowed(base, Operand { reg, ty: given.unwrap_or(result.ty) });
                        term = self.converted(value, result.ty, u128::from(bits));
                    }
                    self.set(caller_base, result.reg, bits);
                    self.set_term(caller_base, result.reg, term);
                } else {
                    self.no_results(caller_base, results, 0);
                }
            }
            Returned::Values(site) => self.hand_over(base, &code.returns[site as usize], caller_base, results),
        }
        None
    }

    fn hand_over(&mut self, base: usize, values: &[Operand], caller_base: usize, results: &[Operand]) {
        for (value, result) in values.iter().zip(results) {
            let value = self.shadowed(base, *value);
            let bits = value.bits & super::mask(result.ty.bits());
            let term = self.converted(value, result.ty, bits);
            self.set_operand(caller_base, *result, bits);
            self.set_term(caller_base, result.reg, term);
        }
        self.no_results(caller_base, results, values.len());
    }

    /// Results that the callee did not give, contrary to what the caller believes.
    fn no_results(&mut self, base: usize, results: &[Operand], from: usize) {
        for result in results.iter().skip(from) {
            self.set_operand(base, *result, 0);
        }
    }

    fn returned_values(&self, code: &Code, base: usize, what: Returned) -> Vec<u128> {
        match what {
            Returned::Nothing => Vec::new(),
            Returned::Word(reg) => vec![u128::from(self.get(base, reg))],
            Returned::Values(site) => code.returns[site as usize].iter().map(|v| self.operand(base, *v)).collect(),
        }
    }

    /// The arguments of a call, bits only.
    pub(crate) fn arguments(&self, base: usize, site: &CallSite) -> Vec<u128> {
        site.args.iter().map(|&arg| self.operand(base, arg)).collect()
    }

    /// Sets the result of a call that made no frame.
    pub(crate) fn set_call_result(&mut self, base: usize, site: &CallSite, bits: u128) {
        if let Some(&result) = site.results.first() {
            self.set_operand(base, result, bits & super::mask(result.ty.bits()));
        }
        self.no_results(base, &site.results, 1);
    }

    /// An argument cut to a byte, with its term.
    pub(crate) fn byte_argument(&mut self, base: usize, operand: Option<Operand>) -> Shadowed<S::Term> {
        let Some(operand) = operand else {
            return Shadowed { bits: 0, ty: Type::I8, term: S::Term::default() };
        };
        let value = self.shadowed(base, operand);
        let bits = value.bits & 0xFF;
        let symbolic = S::ACTIVE && Self::is_symbolic(value.term);
        let term = if symbolic { self.derive(Pure::Cast(CastOp::Trunc), &[value], Type::I8, bits) } else { value.term };
        Shadowed { bits, ty: Type::I8, term }
    }

    /// Where the function on top stands.
    pub(crate) fn here(&self) -> Loc {
        let Some(frame) = self.frames.last() else { return Loc::NONE };
        let origins = &self.image.code(frame.function).origins;
        origins.get(frame.pc.saturating_sub(1)).map_or(Loc::NONE, |origin| origin.loc)
    }

    /// Sets `errno`, if the program has one and there is something to tell.
    pub(crate) fn set_errno(&mut self, errno: i32) -> Step<()> {
        if let Some(address) = self.errno.filter(|_| errno != 0) {
            self.store_bits(address, Type::I32, u128::from(errno as u32))?;
        }
        Ok(())
    }

    /// `setjmp`: remembers this place under a number that goes into the buffer.
    pub(crate) fn set_jump(&mut self, buffer: u64, result: Option<Operand>) -> Step<()> {
        // Points of functions that have returned are of no use to anybody.
        while self.jump_points.last().is_some_and(|p| !self.is_alive(p)) {
            self.jump_points.pop();
        }
        let Some(frame) = self.frames.last() else { return Ok(()) };
        let point = JumpPoint { depth: self.frames.len(), serial: frame.serial, pc: frame.pc, result };
        let same = |p: &JumpPoint| (p.depth, p.serial, p.pc) == (point.depth, point.serial, point.pc);
        let number = self.jump_points.iter().position(same);
        let number = number.unwrap_or_else(|| {
            self.jump_points.push(point);
            self.jump_points.len() - 1
        });
        self.memory.write(buffer, (number as u64 + 1).to_le_bytes())?;
        Ok(())
    }

    fn is_alive(&self, point: &JumpPoint) -> bool {
        self.frames.get(point.depth - 1).is_some_and(|f| f.serial == point.serial)
    }

    /// `longjmp`: drops the frames above the one that the buffer names.
    pub(crate) fn long_jump(&mut self, buffer: u64, value: u32) -> Step<()> {
        let number = u64::from_le_bytes(self.memory.read::<8>(buffer)?);
        let point = number.checked_sub(1).and_then(|n| self.jump_points.get(n as usize)).cloned();
        let Some(point) = point.filter(|p| self.is_alive(p)) else {
            let message = "longjmp to a place that setjmp did not mark or whose function has returned";
            return Err(Fault::new(TrapKind::BadJump, message).into());
        };
        if let Some(above) = self.frames.get(point.depth) {
            let (objects, varargs, stack) = (above.objects, above.varargs, above.stack_before);
            self.release_stack(objects);
            self.varargs.truncate(varargs);
            self.stack_bytes = stack;
        }
        self.frames.truncate(point.depth);
        if S::ACTIVE {
            self.shadow.left(point.depth);
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.pc = point.pc;
            let base = frame.base;
            if let Some(result) = point.result {
                self.set_operand(base, result, u128::from(value.max(1)));
            }
        }
        Ok(())
    }
}
