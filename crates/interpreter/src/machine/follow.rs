//! Where the machine tells the shadow what happens: decisions, accesses, inputs. Nothing here runs in concrete runs.

use covenant_program::ir::{IntCmp, Loc, Type};

use super::int::compare;
use super::{Machine, Step};
use crate::TrapKind;
use crate::code::op::{CallSite, Code, LabelSite, Op, Operand, R2, Target};
use crate::memory::{Fault, Kind, Label, Request};
use crate::shadow::{Cell, Limit, Mark, Pointee, Pure, Shadow, Shadowed, Site, Waiting};

/// Elements that the object behind a pointer may have.
const LONGEST_ARRAY: u64 = 1 << 16; // not tuning: memory

impl<S: Shadow> Machine<'_, S> {
    pub(super) fn shadowed(&self, base: usize, operand: Operand) -> Shadowed<S::Term> {
        Shadowed { bits: self.operand(base, operand), ty: operand.ty, term: self.term(base, operand.reg) }
    }

    pub(super) fn is_symbolic(term: S::Term) -> bool {
        term != S::Term::default()
    }

    /// The term of a result, or none after pinning the operands.
    pub(super) fn derive(&mut self, op: Pure, args: &[Shadowed<S::Term>], ty: Type, bits: u128) -> S::Term {
        if let Some(term) = self.shadow.compute(op, args, ty, bits) {
            return term;
        }
        for &arg in args.iter().filter(|a| Self::is_symbolic(a.term)) {
            self.shadow.pin(arg, "an operation without a term");
        }
        S::Term::default()
    }

    pub(crate) fn pin(&mut self, base: usize, operand: Operand, why: &'static str) {
        let value = self.shadowed(base, operand);
        if Self::is_symbolic(value.term) {
            self.shadow.pin(value, why);
        }
    }

    /// Where the function on top stands now.
    pub(super) fn site(&self) -> Site {
        let frame = self.frames.last();
        let (function, pc) = frame.map_or((0, 0), |f| (f.function.as_u32(), f.pc as u32));
        Site { function, pc }
    }

    /// Tells of a mark; whoever follows the run may end it.
    pub(super) fn tell(&mut self, at: Mark) -> Step<()> {
        match S::passed(self, at) {
            true => Ok(()),
            false => Err(Fault::new(TrapKind::StepLimit, "the run was followed far enough").into()),
        }
    }

    /// Tells of an edge that is taken.
    fn follow_edge(&mut self, code: &Code, site: Site, edge: u32) -> Step<()> {
        self.shadow.edge(site, edge);
        if self.image.checks.marks {
            self.tell(Mark::Way(code.origins[site.pc as usize].block, edge))?;
        }
        Ok(())
    }

    /// Tells of a label: whether it is reached, and under which condition it would be.
    pub(super) fn follow_label(&mut self, base: usize, site: LabelSite) -> Step<()> {
        let reached = self.get(base, site.cond) != 0;
        let term = self.term(base, site.cond);
        self.shadow.label(site.index, term, reached);
        if reached && self.image.checks.marks {
            self.tell(Mark::Label(site.inst))?;
        }
        Ok(())
    }

    pub(super) fn follow_branch(&mut self, base: usize, code: &Code, pc: usize, cond: u32, taken: bool) -> Step<()> {
        let site = Site { function: code.function, pc: pc as u32 };
        let term = self.term(base, cond);
        if Self::is_symbolic(term) {
            self.shadow.branch(site, term, taken);
        }
        self.follow_edge(code, site, u32::from(!taken))
    }

    pub(super) fn follow_comparison(&mut self, base: usize, code: &Code, pc: usize, op: Op, taken: bool) -> Step<()> {
        let Op::CmpBranch { cmp, shift, a, b, .. } = op else { return Ok(()) };
        let site = Site { function: code.function, pc: pc as u32 };
        let ty = Type::Int(64 - shift);
        if shift == 0 {
            self.follow_addresses(base, a, b, !matches!(cmp, IntCmp::Eq | IntCmp::Ne));
        }
        let args = [Operand { reg: a, ty }, Operand { reg: b, ty }].map(|o| self.shadowed(base, o));
        if args.iter().any(|a| Self::is_symbolic(a.term)) {
            let term = self.derive(Pure::IntCmp(cmp), &args, Type::BOOL, u128::from(taken));
            if Self::is_symbolic(term) {
                self.shadow.branch(site, term, taken);
            }
        }
        self.follow_edge(code, site, u32::from(!taken))
    }

    pub(super) fn follow_switch(&mut self, base: usize, code: &Code, pc: usize, site: u32, landed: usize) -> Step<()> {
        let at = Site { function: code.function, pc: pc as u32 };
        let switch = &code.switches[site as usize];
        let bits = self.operand(base, switch.value);
        let taken = switch.values.iter().position(|&v| v == bits).unwrap_or(switch.values.len());
        debug_assert_eq!(switch.landings[taken] as usize, landed);
        let value = self.shadowed(base, switch.value);
        if Self::is_symbolic(value.term) {
            self.shadow.switch(at, value, &switch.values, taken);
        }
        self.follow_edge(code, at, taken as u32)
    }

    /// Tells the shadow of an access through an address with a term; the offsets it can have, if it stays a term.
    fn follow_access(&mut self, address: Shadowed<S::Term>, bytes: u32) -> Option<(S::Term, u64, Vec<u64>)> {
        if !Self::is_symbolic(address.term) {
            return None;
        }
        let at = address.bits as u64;
        let site = self.site();
        let Some((start, size, alive)) = self.memory.object_near(at).map(|o| (o.base, o.size, o.alive)) else {
            self.shadow.pin(address, "an address that points nowhere");
            return None;
        };
        let offset = at.wrapping_sub(start);
        let inside = alive && offset <= size && size - offset >= u64::from(bytes);
        self.shadow.access(site, address, start, size, bytes, inside);
        if !inside {
            return None;
        }
        match self.shadow.offsets(address.term, start, size, bytes) {
            Some((offset, places)) if places.len() > 1 => Some((offset, start, places)),
            Some(_) => None,
            None => {
                self.shadow.pin(address, "an address with too many meanings");
                None
            }
        }
    }

    pub(super) fn load_shadowed(&mut self, base: usize, ty: Type, r: R2) -> Step<()> {
        let address = self.shadowed(base, Operand { reg: r.a, ty: Type::Ptr });
        let to = Operand { reg: r.d, ty };
        let value = match self.follow_access(address, ty.store_size()) {
            None => self.read_value(address.bits as u64, ty)?,
            Some((offset, start, places)) => {
                let concrete = self.read_value(address.bits as u64, ty)?;
                let mut values = Vec::with_capacity(places.len());
                for place in places {
                    values.push((place, self.read_value(start + place, ty)?));
                }
                let term = self.shadow.select(offset, &values).unwrap_or_default();
                Shadowed { term, ..concrete }
            }
        };
        self.set_operand(base, to, value.bits);
        self.set_term(base, r.d, value.term);
        Ok(())
    }

    pub(super) fn store_shadowed(&mut self, base: usize, ty: Type, r: R2) -> Step<()> {
        let address = self.shadowed(base, Operand { reg: r.d, ty: Type::Ptr });
        let value = self.shadowed(base, Operand { reg: r.a, ty });
        let at = address.bits as u64;
        match self.follow_access(address, ty.store_size()) {
            None => self.write_value(at, value),
            Some((offset, start, places)) => {
                self.access_plainly(at, u64::from(ty.store_size()));
                let size = self.memory.object_near(at).map_or(0, |o| o.size);
                for place in &places {
                    self.need(start + place, u64::from(ty.store_size()))?;
                }
                // A write that would trap must do so before the terms change.
                self.memory.bytes_mut(at, u64::from(ty.store_size()))?;
                let old = self.memory.bytes(start, size)?.to_vec();
                let empty = self.shadow.empty();
                if let Some(object) = self.memory.object_near_mut(at) {
                    let bytes = object.terms.get_or_insert_with(|| Box::new(empty));
                    self.shadow.wrote(bytes, 0, 0, Some(ty));
                    self.shadow.scatter(bytes, &old, offset, &places, value);
                }
                self.store_bits(at, ty, value.bits)
            }
        }
    }

    /// Reads a value with its term.
    pub(crate) fn read_value(&mut self, address: u64, ty: Type) -> Step<Shadowed<S::Term>> {
        self.access_plainly(address, u64::from(ty.store_size()));
        self.need_argument(address, ty)?;
        self.need(address, u64::from(ty.store_size()))?;
        let bits = self.load_bits(address, ty)?;
        if S::ACTIVE && !self.memory.is_written(address, u64::from(ty.store_size())) {
            self.shadow.limited(Limit::Unwritten);
        }
        let mut term = S::Term::default();
        if let Some(object) = self.memory.object_near(address)
            && let Some(bytes) = &object.terms
        {
            term = self.shadow.load(bytes, address.wrapping_sub(object.base), ty, bits);
        }
        Ok(Shadowed { bits, ty, term })
    }

    /// Writes a value with its term.
    pub(crate) fn write_value(&mut self, address: u64, value: Shadowed<S::Term>) -> Step<()> {
        self.access_plainly(address, u64::from(value.ty.store_size()));
        self.write_unseen(address, value)
    }

    /// The same where somebody else has seen that it is volatile, or that it is not.
    pub(super) fn write_unseen(&mut self, address: u64, value: Shadowed<S::Term>) -> Step<()> {
        let size = u64::from(value.ty.store_size());
        self.need_partly(address, size)?;
        self.store_bits(address, value.ty, value.bits)?;
        if !S::ACTIVE {
            return Ok(());
        }
        self.overwrite(address, size)?;
        let empty = self.shadow.empty();
        if let Some(object) = self.memory.object_near_mut(address) {
            let offset = address.wrapping_sub(object.base);
            if let Some(bytes) = &mut object.terms {
                self.shadow.wrote(bytes, offset, size, Some(value.ty));
            }
            if Self::is_symbolic(value.term) {
                let bytes = object.terms.get_or_insert_with(|| Box::new(empty));
                self.shadow.store(bytes, offset, value);
            } else if let Some(bytes) = &mut object.terms {
                self.shadow.clear(bytes, offset, size);
            }
        }
        Ok(())
    }

    pub(super) fn waiting(&self, address: u64, size: u64) -> Vec<Waiting> {
        let Some(object) = self.memory.object_near(address) else { return Vec::new() };
        let Some(bytes) = &object.terms else { return Vec::new() };
        self.shadow.waiting(bytes, address.wrapping_sub(object.base), size)
    }

    /// Makes the inputs in a range real before they are read.
    pub(crate) fn need(&mut self, address: u64, size: u64) -> Step<()> {
        if !S::ACTIVE {
            return Ok(());
        }
        if self.has_unasked(address, size) {
            return Err(self.too_much());
        }
        let Some(start) = self.memory.object_near(address).map(|o| o.base) else { return Ok(()) };
        for waiting in self.waiting(address, size) {
            self.make_input(start, waiting)?;
        }
        Ok(())
    }

    pub(super) fn make_input(&mut self, start: u64, waiting: Waiting) -> Step<()> {
        let at = start + waiting.offset;
        let mut now = [0; 16];
        now[..waiting.size as usize].copy_from_slice(self.memory.bytes(at, u64::from(waiting.size))?);
        let site = self.site();
        let cell = self.shadow.input(site, waiting, u128::from_le_bytes(now));
        let (bits, size, term) = match cell {
            Cell::Scalar { bits, size, term } => (bits, size, term),
            Cell::Pointer(pointee) => {
                let size = self.image.program().target.pointer_size() as u32;
                (u128::from(self.point(pointee)?), size, S::Term::default())
            }
        };
        self.memory.poke(at, &bits.to_le_bytes()[..size as usize]);
        if let Some(object) = self.memory.object_near_mut(start)
            && let Some(bytes) = &mut object.terms
        {
            self.shadow.settle(bytes, waiting.leaf);
            if Self::is_symbolic(term) {
                let value = Shadowed { bits, ty: Type::Int((8 * size) as u8), term };
                self.shadow.store(bytes, waiting.offset, value);
            }
        }
        Ok(())
    }

    pub(super) fn point(&mut self, pointee: Pointee) -> Step<u64> {
        Ok(match pointee {
            Pointee::Null => 0,
            Pointee::Address(address) => address,
            Pointee::Stream { root, capacity } => self.give_stream(root, capacity)?,
            Pointee::Fresh { root, size, entry } => {
                let (kind, label, at) = (Kind::Given, Label::None, Loc::NONE);
                let address = self.memory.allocate(Request { kind, size, align: 16, label, at, initialised: true })?;
                self.make_waiting(address, root);
                self.shadow.placed(root, address);
                address.wrapping_add(entry)
            }
        })
    }

    /// From now on the bytes of the object at `address` are inputs.
    pub fn make_waiting(&mut self, address: u64, root: u32) {
        let bytes = self.shadow.waiting_bytes(root);
        if let Some(object) = self.memory.object_near_mut(address) {
            object.terms = Some(Box::new(bytes));
        }
    }

    /// The object at `address` is a parameter of the function under test.
    pub(crate) fn parameter(&mut self, address: u64, index: u32) {
        if let Some(root) = self.shadow.param_root(index) {
            self.make_waiting(address, root);
        }
    }

    /// Goes on only with a number of elements that an array can have.
    pub(crate) fn check_length(&mut self, base: usize, count: Operand) -> Step<()> {
        let constant = |bits: u64| Shadowed { bits: u128::from(bits), ty: count.ty, term: S::Term::default() };
        let value = self.shadowed(base, count);
        if S::ACTIVE && (value.bits as i64) > LONGEST_ARRAY as i64 {
            self.shadow.limited(Limit::Length);
        }
        if !S::ACTIVE || !Self::is_symbolic(value.term) || count.ty != Type::I64 {
            return Ok(());
        }
        self.in_range(constant(0), value, constant(LONGEST_ARRAY + 1))
    }

    /// The object behind a pointer parameter has so many elements.
    pub(crate) fn set_length(&mut self, index: u32, count: i64) -> Step<()> {
        match u64::try_from(count).ok().filter(|&count| count <= LONGEST_ARRAY) {
            Some(count) => {
                self.shadow.set_length(index, count);
                Ok(())
            }
            None => Err(Fault::new(TrapKind::OutsideInputs, format!("{count} elements are no array")).into()),
        }
    }

    /// The name of the function that a call names directly.
    pub(crate) fn callee_name(&self, site: &CallSite) -> String {
        match site.target {
            Target::Direct(function) => self.image.function(function).name.clone(),
            Target::Indirect(_) => String::new(),
        }
    }

    /// The bytes at `address` are inputs from now on.
    pub(crate) fn make_symbolic(&mut self, function: &str, label: String, address: u64, size: u64) -> Step<()> {
        self.memory.bytes_mut(address, size)?;
        if !S::ACTIVE {
            return Ok(());
        }
        let values = self.shadow.fresh_bytes(function, label, size.min(LONGEST_ARRAY) as u32);
        for (i, value) in values.into_iter().enumerate() {
            self.write_value(address + i as u64, value)?;
        }
        Ok(())
    }

    pub(crate) fn report_result(&mut self, address: u64, size: u64) -> Step<()> {
        let bytes = self.memory.bytes(address, size)?.to_vec();
        self.shadow.returned(&bytes);
        Ok(())
    }

    /// Goes on only if `low <= value < high`, signed.
    pub(super) fn in_range(
        &mut self,
        low: Shadowed<S::Term>,
        value: Shadowed<S::Term>,
        high: Shadowed<S::Term>,
    ) -> Step<()> {
        for (cmp, args) in [(IntCmp::Sle, [low, value]), (IntCmp::Slt, [value, high])] {
            let holds = compare(cmp, args[0].bits, args[1].bits, value.ty.bits());
            let term = self.derive(Pure::IntCmp(cmp), &args, Type::BOOL, u128::from(holds));
            if Self::is_symbolic(term) {
                let site = self.site();
                self.shadow.check(site, Shadowed { bits: u128::from(holds), ty: Type::BOOL, term });
            }
            if !holds {
                return Err(Fault::new(TrapKind::OutsideInputs, "outside the range that the program asks for").into());
            }
        }
        Ok(())
    }

    /// Goes on only if the value is not zero.
    pub(crate) fn assume(&mut self, base: usize, operand: Option<Operand>) -> Step<()> {
        let Some(operand) = operand else { return Ok(()) };
        let value = self.shadowed(base, operand);
        if S::ACTIVE && Self::is_symbolic(value.term) {
            let site = self.site();
            self.shadow.check(site, value);
        }
        if value.bits == 0 {
            return Err(Fault::new(TrapKind::OutsideInputs, "an assumption does not hold").into());
        }
        Ok(())
    }

    /// Copies bytes with their terms.
    pub(crate) fn copy_bytes(&mut self, to: u64, from: u64, size: u64) -> Step<()> {
        if !S::ACTIVE || size == 0 {
            return Ok(self.memory.copy(to, from, size)?);
        }
        self.access_plainly(from, size);
        self.access_plainly(to, size);
        self.need(from, size)?;
        let terms = match self.memory.object_near(from) {
            Some(object) => match &object.terms {
                Some(bytes) => self.shadow.lift_bytes(bytes, from.wrapping_sub(object.base), size),
                None => Vec::new(),
            },
            None => Vec::new(),
        };
        self.need_partly(to, size)?;
        self.memory.copy(to, from, size)?;
        self.forget(to, size)?;
        self.set_bytes(to, &terms)
    }

    /// Sets terms of single bytes, by their distance from `to`.
    fn set_bytes(&mut self, to: u64, terms: &[(u64, S::Term)]) -> Step<()> {
        if terms.is_empty() {
            return Ok(());
        }
        self.burn_bytes(terms.len() as u64)?;
        self.memory.charge(to, terms.len() as u64)?;
        let empty = self.shadow.empty();
        if let Some(object) = self.memory.object_near_mut(to) {
            let offset = to.wrapping_sub(object.base);
            let bytes = object.terms.get_or_insert_with(|| Box::new(empty));
            for &(distance, term) in terms {
                self.shadow.set_byte(bytes, offset + distance, term);
            }
        }
        Ok(())
    }

    pub(crate) fn fill_bytes(&mut self, to: u64, byte: Shadowed<S::Term>, size: u64) -> Step<()> {
        self.access_plainly(to, size);
        self.need_partly(to, size)?;
        self.memory.fill(to, byte.bits as u8, size)?;
        if S::ACTIVE && size > 0 {
            self.forget(to, size)?;
            if Self::is_symbolic(byte.term) {
                let terms: Vec<_> = (0..size).map(|i| (i, byte.term)).collect();
                self.set_bytes(to, &terms)?;
            }
        }
        Ok(())
    }

    /// The bytes of a range were written by the host: they depend on nothing.
    pub(crate) fn forget(&mut self, address: u64, size: u64) -> Step<()> {
        if !S::ACTIVE || size == 0 {
            return Ok(());
        }
        self.overwrite(address, size)?;
        if let Some(object) = self.memory.object_near_mut(address) {
            let offset = address.wrapping_sub(object.base);
            if let Some(bytes) = &mut object.terms {
                self.shadow.wrote(bytes, offset, size, None);
                self.shadow.clear(bytes, offset, size);
            }
        }
        Ok(())
    }

    /// The host reads these bytes: what they are now they are on this path.
    pub(crate) fn pin_bytes(&mut self, address: u64, size: u64) -> Step<()> {
        if S::ACTIVE {
            for i in 0..size {
                let value = self.read_value(address.wrapping_add(i), Type::I8)?;
                if Self::is_symbolic(value.term) {
                    self.shadow.pin(value, "bytes that the C library's host reads");
                }
            }
        }
        Ok(())
    }
}
