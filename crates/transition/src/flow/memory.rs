//! Memory: objects of their own, in pieces or as bytes, and one array for all that is left.

use covenant_concolic::meaning::{control, memory};
use covenant_constraints::{Sort, TermId, VarId};
use covenant_interpreter::shadow::{Pure, Shadowed};
use covenant_program::ir::{Inst, Intrinsic, Type, Value};

use super::build::{Builder, Here, Val};
use super::regions::Key;
use super::{ContextId, Owner, RegionId, Source};

/// Bytes that are copied or filled one by one; more are forgotten.
const MOST_BYTES: u64 = 256; // not tuning: who checks a proof builds the same flow
/// The first address that an object can have, fixed ones aside: the page of null has none.
pub const FIRST_ADDRESS: u128 = 1 << 12; // not tuning: an address
/// Entries that a choice in a constant table may have.
const MOST_ENTRIES: u64 = 512; // not tuning: who checks a proof builds the same flow

impl Builder<'_> {
    /// What the globals are when the program starts.
    pub(super) fn initialise(&mut self, here: &mut Here) {
        let known: Vec<Key> = self.plan.layouts.keys().copied().filter(|k| matches!(k, Key::Global(_))).collect();
        let mut globals: Vec<_> = known
            .into_iter()
            .filter_map(|key| match key {
                Key::Global(global) => Some(global),
                Key::Local(..) => None,
            })
            .collect();
        globals.sort_unstable();
        for global in globals {
            let data = &self.image.program().globals[global];
            let Some(region) = self.region(Owner::Global(global), Key::Global(global), data.size) else { continue };
            if data.constant || self.options.inputs.contains(&global) {
                continue;
            }
            for (offset, size, var) in self.cells(region) {
                if let Some(now) = self.initial(region, offset, size) {
                    here.memory.insert(var, now);
                }
            }
            if self.is_bytes(region) && data.size <= MOST_BYTES && data.init.is_some() {
                let zero = self.terms.bv(0, 8);
                let mut array = self.terms.const_array(zero);
                for offset in 0..data.size {
                    let Some(byte) = self.initial(region, offset, 1) else { continue };
                    let at = self.terms.bv(u128::from(offset), 64);
                    array = self.terms.store(array, at, byte);
                }
                let var = self.bytes_variable(region);
                here.memory.insert(var, array);
            }
        }
    }

    /// The initial bytes of a global as an integer, unless an address is among them.
    fn initial(&mut self, region: RegionId, offset: u64, size: u32) -> Option<TermId> {
        let Owner::Global(global) = self.flow.regions[region].owner else { return None };
        let data = &self.image.program().globals[global];
        let init = data.init.as_ref()?;
        if offset + u64::from(size) > data.size || size > 16 {
            return None;
        }
        let end = offset + u64::from(size);
        let touched = data.relocs.iter().find(|r| r.offset < end && r.offset + u64::from(r.size) > offset);
        if let Some(reloc) = touched {
            let whole = reloc.offset == offset && reloc.size == size && reloc.minus.is_none();
            let covenant_program::ir::Symbol::Func(_) = reloc.symbol else { return None };
            let address = self.image.symbol_address(reloc.symbol).wrapping_add_signed(reloc.addend);
            return whole.then(|| self.terms.bv(u128::from(address), 8 * size as u8));
        }
        let byte = |i: u64| init.get(i as usize).copied().unwrap_or(0);
        let bits = (0..u64::from(size)).rev().fold(0u128, |bits, i| bits << 8 | u128::from(byte(offset + i)));
        Some(self.terms.bv(bits, 8 * size as u8))
    }

    fn is_constant(&self, region: RegionId) -> bool {
        let Owner::Global(global) = self.flow.regions[region].owner else { return false };
        let data = &self.image.program().globals[global];
        data.constant && data.init.is_some()
    }

    pub(super) fn region_name(&self, region: RegionId) -> String {
        match self.flow.regions[region].owner {
            Owner::Global(global) => {
                let data = &self.image.program().globals[global];
                format!("{}!{}", data.source_name.as_deref().unwrap_or(&data.name), global)
            }
            Owner::Local(context, value) => {
                let function = self.flow.contexts[context].function;
                let name = self.body(function).name(value).unwrap_or("local");
                format!("{name}!{}:{}:{value}", self.image.function(function).source_name(), context.as_u32())
            }
        }
    }

    fn cell(&mut self, region: RegionId, offset: u64, size: u32) -> VarId {
        let name = format!("{}+{offset}", self.region_name(region));
        self.variable(name, Sort::Bv(8 * size as u8), Source::Cell { region, offset, size })
    }

    pub(super) fn bytes_variable(&mut self, region: RegionId) -> VarId {
        let name = format!("{}[]", self.region_name(region));
        self.variable(name, Sort::Array, Source::Bytes { region })
    }

    fn outer(&mut self) -> VarId {
        self.variable("memory".to_owned(), Sort::Array, Source::Outer)
    }

    pub(super) fn is_bytes(&mut self, region: RegionId) -> bool {
        let key = self.keys[region];
        self.plan.layout(key).bytes
    }

    /// The pieces of an object: offset, size, variable.
    pub(super) fn cells(&mut self, region: RegionId) -> Vec<(u64, u32, VarId)> {
        let key = self.keys[region];
        let cells: Vec<(u64, u32)> = self.plan.layout(key).cells.iter().map(|(&o, &s)| (o, s)).collect();
        cells.into_iter().map(|(offset, size)| (offset, size, self.cell(region, offset, size))).collect()
    }

    fn now(&self, here: &Here, var: VarId) -> TermId {
        here.memory.get(&var).copied().unwrap_or_else(|| self.terms.var_term(var))
    }

    /// A run goes on only behind an access that is inside; false if it never is.
    fn guard_access(&mut self, here: &mut Here, at: Val, size: u32) -> bool {
        let condition = match at {
            Val::Any => return true,
            // A device may be at any address that the program names.
            Val::Term(address) if self.terms.as_bv(address).is_some_and(|known| known != 0) => return true,
            Val::Term(address) => {
                let first = self.terms.bv(FIRST_ADDRESS, 64);
                self.terms.uge(address, first)
            }
            Val::Pointer { region, offset, .. } => {
                control::is_inside(self.terms, offset, self.flow.regions[region].size, u64::from(size))
            }
        };
        here.guard.push(condition);
        self.terms.as_bool(condition) != Some(false)
    }

    /// The bits of `size` bytes.
    fn read(&mut self, here: &Here, at: Val, size: u32) -> Option<TermId> {
        match at {
            Val::Any => None,
            Val::Term(address) => {
                self.expose(address);
                let outer = self.outer();
                let array = self.now(here, outer);
                Some(memory::read(self.terms, array, address, size))
            }
            Val::Pointer { region, offset, align } => {
                let key = self.keys[region];
                let object = self.flow.regions[region].size;
                let known = self.terms.as_bv(offset).map(|o| o as u64);
                if self.is_constant(region)
                    && let Some(value) = self.read_constant(region, offset, known, size)
                {
                    return Some(value);
                }
                self.plan.access(key, object, known, align, size);
                if self.is_bytes(region) {
                    let var = self.bytes_variable(region);
                    let array = self.now(here, var);
                    return Some(memory::read(self.terms, array, offset, size));
                }
                if let Some(known) = known {
                    let var = self.cell(region, known, size);
                    return Some(self.now(here, var));
                }
                let cells = self.cells(region);
                let values: Vec<_> = cells.into_iter().map(|(place, _, var)| (place, self.now(here, var))).collect();
                memory::choose(self.terms, offset, values)
            }
        }
    }

    fn read_constant(&mut self, region: RegionId, offset: TermId, known: Option<u64>, size: u32) -> Option<TermId> {
        if let Some(known) = known {
            return self.initial(region, known, size);
        }
        let count = self.flow.regions[region].size / u64::from(size);
        if !(1..=MOST_ENTRIES).contains(&count) || !size.is_power_of_two() {
            return None;
        }
        let entries: Option<Vec<TermId>> =
            (0..count).map(|i| self.initial(region, i * u64::from(size), size)).collect();
        let entries = entries?;
        let shift = self.terms.bv(u128::from(size.trailing_zeros()), 64);
        let index = self.terms.lshr(offset, shift);
        let value = self.terms.table(index, &entries);
        // Between two entries lies what neither of them says.
        let low = self.terms.bv(u128::from(size - 1), 64);
        let rest = self.terms.bv_and(offset, low);
        let zero = self.terms.bv(0, 64);
        let whole = self.terms.eq(rest, zero);
        let any = self.choice(Sort::Bv(8 * size as u8));
        Some(self.terms.ite(whole, value, any))
    }

    /// A load; `None`: it always traps.
    pub(super) fn load(&mut self, here: &mut Here, at: Val, ty: Type) -> Option<Val> {
        let size = ty.store_size();
        if !self.guard_access(here, at, size) {
            return None;
        }
        if ty == Type::F80 {
            return Some(Val::Any);
        }
        let Some(bits) = self.read(here, at, size) else {
            return Some(Val::Term(self.choice(super::build::sort_of(ty))));
        };
        Some(Val::Term(memory::value(self.terms, bits, ty)))
    }

    /// A store; false: it always traps.
    pub(super) fn store(&mut self, here: &mut Here, at: Val, value: Val, ty: Type) -> bool {
        let size = ty.store_size();
        if !self.guard_access(here, at, size) {
            return false;
        }
        let bits = match value {
            Val::Any => self.choice(Sort::Bv(8 * size as u8)),
            _ if ty == Type::F80 || ty.is_float() => self.float_bits(value, ty),
            value => {
                let term = self.term(value, ty);
                memory::stored(self.terms, Shadowed { bits: 0, ty, term: Some(term) })
            }
        };
        self.write(here, at, bits);
        true
    }

    /// A float whose bits go to memory: those of a NaN are not known.
    fn float_bits(&mut self, value: Val, ty: Type) -> TermId {
        let width = 8 * ty.store_size() as u8;
        let Val::Term(term) = value else { return self.choice(Sort::Bv(width)) };
        if ty == Type::F80 {
            return self.choice(Sort::Bv(width));
        }
        let bits = self.terms.f_to_bits(term);
        if self.terms.is_const(bits) {
            return bits;
        }
        let nan = self.terms.f_is_nan(term);
        let any = self.choice(Sort::Bv(width));
        self.terms.ite(nan, any, bits)
    }

    fn write(&mut self, here: &mut Here, at: Val, bits: TermId) {
        let size = u32::from(self.terms.width(bits) / 8);
        match at {
            Val::Any => {
                self.expose_all();
                self.forget_outer(here);
            }
            Val::Term(address) => {
                self.expose(address);
                let outer = self.outer();
                let array = self.now(here, outer);
                let array = memory::write(self.terms, array, address, bits);
                here.memory.insert(outer, array);
            }
            Val::Pointer { region, offset, align } => {
                let key = self.keys[region];
                let object = self.flow.regions[region].size;
                let known = self.terms.as_bv(offset).map(|o| o as u64);
                self.plan.access(key, object, known, align, size);
                if self.is_bytes(region) {
                    let var = self.bytes_variable(region);
                    let array = self.now(here, var);
                    let array = memory::write(self.terms, array, offset, bits);
                    here.memory.insert(var, array);
                } else if let Some(known) = known {
                    let var = self.cell(region, known, size);
                    here.memory.insert(var, bits);
                } else {
                    for (place, _, var) in self.cells(region) {
                        let is_here = memory::is_at(self.terms, offset, place);
                        let old = self.now(here, var);
                        if self.terms.width(old) == self.terms.width(bits) {
                            let new = self.terms.ite(is_here, bits, old);
                            here.memory.insert(var, new);
                        }
                    }
                }
            }
        }
    }

    /// From here on nothing is known of what is in the object.
    pub(super) fn forget(&mut self, here: &mut Here, region: RegionId) {
        if self.is_bytes(region) {
            let var = self.bytes_variable(region);
            let any = self.choice(Sort::Array);
            here.memory.insert(var, any);
        }
        for (_, size, var) in self.cells(region) {
            let any = self.choice(Sort::Bv(8 * size as u8));
            here.memory.insert(var, any);
        }
    }

    pub(super) fn forget_outer(&mut self, here: &mut Here) {
        let outer = self.outer();
        let any = self.choice(Sort::Array);
        here.memory.insert(outer, any);
    }

    /// Forgets whatever a pointer points to.
    pub(super) fn forget_behind(&mut self, here: &mut Here, at: Val) {
        match at {
            Val::Pointer { region, .. } => self.forget(here, region),
            _ => {
                self.expose_all();
                self.forget_outer(here);
            }
        }
    }

    pub(super) fn intrinsic(&mut self, here: &mut Here, context: ContextId, inst: Inst, op: Intrinsic, args: &[Value]) {
        let values: Vec<Val> = args.iter().map(|&arg| self.value(context, arg)).collect();
        match (op, values.as_slice()) {
            (Intrinsic::MemCpy | Intrinsic::MemMove, &[to, from, size]) => self.copy(here, to, from, size),
            (Intrinsic::MemSet, &[to, byte, size]) => self.fill(here, to, byte, size),
            (Intrinsic::VaStart | Intrinsic::VaCopy, &[to, ..]) => self.forget_behind(here, to),
            (Intrinsic::Peek, &[at]) => self.peek(here, context, inst, at),
            (Intrinsic::BadAccess, &[at, size, writes]) => self.bad_access(here, context, inst, [at, size, writes]),
            (Intrinsic::VaEnd | Intrinsic::StackRestore, _) => {}
            (Intrinsic::Open | Intrinsic::StackSave | Intrinsic::FrameAddress | Intrinsic::ReturnAddress, _) => {
                self.bind_any(here, context, inst);
            }
            _ => self.pure_intrinsic(here, context, inst, op, args),
        }
    }

    fn pure_intrinsic(&mut self, here: &mut Here, context: ContextId, inst: Inst, op: Intrinsic, args: &[Value]) {
        self.pure(here, context, inst, Pure::Intrinsic(op, 0), args);
    }

    /// What is in memory, without saying that it can be read.
    fn peek(&mut self, here: &mut Here, context: ContextId, inst: Inst, at: Val) {
        let body = self.body(self.flow.contexts[context].function);
        let Some(&result) = body.insts[inst].results.first() else { return };
        let ty = body.ty(result);
        let fits = match at {
            Val::Pointer { region, offset, .. } => {
                let end = self.terms.as_bv(offset).and_then(|o| o.checked_add(u128::from(ty.store_size())));
                end.is_some_and(|end| end <= u128::from(self.flow.regions[region].size))
            }
            Val::Term(_) => true,
            Val::Any => false,
        };
        let bits = if fits && ty != Type::F80 { self.read(here, at, ty.store_size()) } else { None };
        let Some(bits) = bits else { return self.bind_any(here, context, inst) };
        let now = memory::value(self.terms, bits, ty);
        let value = self.capture(here, context, result, ty, now);
        self.bind(context, result, value);
    }

    pub(super) fn size(&self, size: Val) -> Option<u64> {
        match size {
            Val::Term(term) => self.terms.as_bv(term).map(|size| size as u64),
            _ => None,
        }
    }

    fn step(&mut self, at: Val, by: u64) -> Val {
        match at {
            Val::Any => Val::Any,
            Val::Term(term) => Val::Term(memory::step(self.terms, term, by)),
            Val::Pointer { region, offset, .. } => {
                let offset = memory::step(self.terms, offset, by);
                let align = self.terms.as_bv(offset).map_or(1, |o| super::evaluate::align_of(o as i64));
                Val::Pointer { region, offset, align }
            }
        }
    }

    /// The pieces of `to` that lie in a range of known place: distance from its start, and size. `None`: not known.
    fn pieces(&mut self, to: Val, size: u64) -> Option<Vec<(u64, u32)>> {
        match to {
            Val::Pointer { region, offset, .. } if !self.is_bytes(region) => {
                let start = self.terms.as_bv(offset)? as u64;
                let cells = self.cells(region);
                let end = start.checked_add(size)?;
                let touched = cells.into_iter().filter(|&(at, len, _)| at < end && at + u64::from(len) > start);
                let inside = |&(at, len, _): &(u64, u32, VarId)| at >= start && at + u64::from(len) <= end;
                let touched: Vec<_> = touched.collect();
                touched.iter().all(inside).then(|| touched.iter().map(|&(at, len, _)| (at - start, len)).collect())
            }
            _ => (size <= MOST_BYTES).then(|| (0..size).map(|i| (i, 1)).collect()),
        }
    }

    pub(super) fn copy(&mut self, here: &mut Here, to: Val, from: Val, size: Val) {
        let pieces = self.size(size).and_then(|size| self.pieces(to, size));
        let Some(pieces) = pieces else { return self.forget_behind(here, to) };
        // All is read before anything is written: the ranges may overlap.
        let mut read = Vec::with_capacity(pieces.len());
        for (distance, size) in pieces {
            let source = self.step(from, distance);
            let bits = self.read(here, source, size);
            read.push((distance, bits.unwrap_or_else(|| self.choice(Sort::Bv(8 * size as u8)))));
        }
        for (distance, bits) in read {
            let target = self.step(to, distance);
            self.write(here, target, bits);
        }
    }

    /// `memset` takes an int and uses its low byte.
    pub(super) fn fill_cut(&mut self, here: &mut Here, to: Val, byte: Val, size: Val) {
        let byte = match byte {
            Val::Term(term) if self.terms.width(term) > 8 => Val::Term(self.terms.trunc(term, 8)),
            Val::Term(term) => Val::Term(term),
            _ => Val::Any,
        };
        self.fill(here, to, byte, size);
    }

    pub(super) fn fill(&mut self, here: &mut Here, to: Val, byte: Val, size: Val) {
        let pieces = self.size(size).and_then(|size| self.pieces(to, size));
        let Some(pieces) = pieces else { return self.forget_behind(here, to) };
        let byte = self.term(byte, Type::I8);
        for (distance, size) in pieces {
            let bits = self.terms.repeat(byte, size as u8);
            let target = self.step(to, distance);
            self.write(here, target, bits);
        }
    }
}
