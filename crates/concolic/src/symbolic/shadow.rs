//! Going along with the machine: terms beside the values, decisions as events.

use covenant_constraints::{Sort, Value};
use covenant_interpreter::given::{Bound, NamedKind, ProcessInput};
use covenant_interpreter::shadow::{
    Cell, Given, Inspect, Limit, Mark, Mute, Pure, Shadow, Shadowed, Side, Site, Waiting,
};
use covenant_program::ir::{BinaryOp, CastOp, FuncId, Loc, Origin, Type};

use super::bytes::ByteTerms;
use super::inputs::{CellKind, Stubbed};
use super::limits::Cause;
use super::{EventKind, Recorded, Symbolic};
use crate::meaning::control;
use crate::meaning::pure::{self, Term, lift};

impl Shadow for Symbolic<'_> {
    type Term = Term;
    type Bytes = ByteTerms;
    const ACTIVE: bool = true;

    fn compute(&mut self, op: Pure, args: &[Shadowed<Term>], ty: Type, bits: u128) -> Option<Term> {
        if self.muted {
            return Some(None);
        }
        debug_assert!(bits <= u128::MAX >> (128 - ty.bits()));
        if op == Pure::Cast(CastOp::Bitcast) && !ty.is_float() {
            self.look_at_float();
        }
        let term = pure::compute(&mut self.cx.terms, op, args, ty)?;
        Some((!self.cx.terms.is_const(term)).then_some(term))
    }

    fn pin(&mut self, value: Shadowed<Term>, why: &'static str) {
        if value.term.is_none() || self.muted {
            return;
        }
        let terms = &mut self.cx.terms;
        let (now, constant) = (lift(terms, value), lift(terms, Shadowed { term: None, ..value }));
        let equal = terms.eq(now, constant);
        // Pins have no place of their own: the value tells them apart.
        let site = Site { function: 0, pc: u32::MAX };
        self.decide(site, EventKind::Pin(why), equal, true);
        self.address = Some((now, self.events.len()));
    }

    fn branch(&mut self, at: Site, cond: Term, taken: bool) {
        if let Some(cond) = cond {
            self.decide(at, EventKind::Branch, cond, taken);
        }
    }

    fn switch(&mut self, at: Site, value: Shadowed<Term>, cases: &[u128], taken: usize) {
        let terms = &mut self.cx.terms;
        let now = pure::as_bits(terms, value);
        let ways = control::switch(terms, now, cases.iter().copied());
        let others = ways.iter().enumerate().filter(|&(i, _)| i != taken).map(|(i, &t)| (i as u32, t)).collect();
        self.event(at, EventKind::Switch, taken as u32, ways[taken], others);
    }

    fn divide(&mut self, at: Site, a: Shadowed<Term>, b: Shadowed<Term>, signed: bool) {
        let width = b.ty.bits() as u8;
        let terms = &mut self.cx.terms;
        let (x, y) = (lift(terms, a), lift(terms, b));
        let by_zero = control::divides_by_zero(terms, y);
        self.decide(at, EventKind::Check, by_zero, b.bits == 0);
        if signed && b.bits != 0 {
            let over = control::division_overflows(&mut self.cx.terms, x, y);
            let holds = a.bits == 1 << (width - 1) && b.bits == u128::MAX >> (128 - u32::from(width));
            self.decide(at, EventKind::Check, over, holds);
        }
    }

    fn fits(&mut self, at: Site, op: BinaryOp, args: [Shadowed<Term>; 2], fits: bool) {
        let terms = &mut self.cx.terms;
        let [a, b] = args.map(|arg| lift(terms, arg));
        let cond = control::fits(terms, op, a, b);
        self.decide(at, EventKind::Check, cond, fits);
    }

    fn access(&mut self, at: Site, address: Shadowed<Term>, base: u64, size: u64, bytes: u32, inside: bool) {
        let terms = &mut self.cx.terms;
        let now = lift(terms, address);
        let start = terms.bv(u128::from(base), 64);
        let offset = terms.sub(now, start);
        let within = control::is_inside(terms, offset, size, u64::from(bytes));
        self.decide(at, EventKind::Check, within, inside);
        self.address = Some((now, self.events.len()));
    }

    fn edge(&mut self, at: Site, edge: u32) {
        self.edges[at.function as usize].insert((at.pc, edge), self.events.len() as u32);
        self.last = Some((self.stack.top(), (at.function, at.pc, edge)));
        if self.image.program().functions[FuncId::from_u32(at.function)].origin == Origin::Subject {
            self.last_own = self.last;
        }
        if let Some(watch) = &self.cx.watch {
            self.path.took(watch, at, edge, self.stack.depth());
        }
    }

    fn entered(&mut self, function: u32, depth: usize, after: u32) {
        self.entered[function as usize] = true;
        self.stack.leave(depth);
        self.begin_failures(function);
        self.limit_call(function);
        self.stack.enter(&self.cx.contexts, function, depth, after);
        if let Some(watch) = &self.cx.watch {
            self.path.entered(watch, function, depth);
        }
    }

    fn left(&mut self, depth: usize) {
        self.stack.leave(depth);
        self.path.left(depth);
    }

    fn mutes(&self, function: u32) -> Mute {
        self.mutable[function as usize]
    }

    fn set_muted(&mut self, muted: bool) {
        self.muted = muted;
    }

    fn load(&mut self, bytes: &ByteTerms, offset: u64, ty: Type, bits: u128) -> Term {
        if self.muted || self.cx.blind {
            return None;
        }
        self.limit_read(bytes, offset, u64::from(ty.store_size()), Some(ty));
        if !ty.is_float() && bytes.has_float(&self.cx.terms, offset, u64::from(ty.store_size())) {
            self.look_at_float();
        }
        bytes.load(&mut self.cx.terms, offset, ty, bits)
    }

    fn select(&mut self, offset: Term, values: &[(u64, Shadowed<Term>)]) -> Option<Term> {
        let offset = offset?;
        let terms = &mut self.cx.terms;
        let ((_, last), rest) = values.split_last()?;
        let mut out = lift(terms, *last);
        for &(place, value) in rest.iter().rev() {
            let here = terms.bv(u128::from(place), 64);
            let is_here = terms.eq(offset, here);
            let value = lift(terms, value);
            out = terms.ite(is_here, value, out);
        }
        Some((!terms.is_const(out)).then_some(out))
    }

    fn store(&mut self, bytes: &mut ByteTerms, offset: u64, value: Shadowed<Term>) {
        bytes.store(&mut self.cx.terms, offset, value);
    }

    fn scatter(&mut self, bytes: &mut ByteTerms, old: &[u8], offset: Term, places: &[u64], value: Shadowed<Term>) {
        if let Some(offset) = offset {
            bytes.scatter(&mut self.cx.terms, old, offset, places, value);
        }
    }

    fn offsets(&mut self, address: Term, base: u64, size: u64, bytes: u32) -> Option<(Term, Vec<u64>)> {
        let terms = &mut self.cx.terms;
        let start = terms.bv(u128::from(base), 64);
        let offset = terms.sub(address?, start);
        if let Some(value) = terms.as_bv(offset) {
            return Some((None, vec![value as u64]));
        }
        let last = size.checked_sub(u64::from(bytes))?;
        let most = self.cx.tuning.runs_most_offsets;
        let facts = covenant_constraints::analysis::Facts::new(&self.cx.tuning);
        let range = facts.range(terms, offset);
        let fits = |place: &u64| range.as_ref().is_none_or(|range| range.contains(u128::from(*place)));
        if last > 1 << 20 {
            return None;
        }
        let places: Vec<u64> = (0..=last).filter(fits).take(most.saturating_add(1)).collect();
        (places.len() <= most).then_some((Some(offset), places))
    }

    fn lift_bytes(&self, bytes: &ByteTerms, offset: u64, size: u64) -> Vec<(u64, Term)> {
        if self.cx.blind {
            return Vec::new();
        }
        self.limit_read(bytes, offset, size, None);
        if self.muted { Vec::new() } else { bytes.range(offset, size) }
    }

    fn clear(&mut self, bytes: &mut ByteTerms, offset: u64, size: u64) {
        bytes.clear(offset, size);
    }

    fn set_byte(&mut self, bytes: &mut ByteTerms, offset: u64, term: Term) {
        bytes.set(offset, term);
    }

    fn empty(&self) -> ByteTerms {
        ByteTerms::default()
    }

    fn waiting_bytes(&mut self, root: u32) -> ByteTerms {
        ByteTerms::waiting_for(root, self.roots[root as usize].cells.clone())
    }

    fn waiting(&self, bytes: &ByteTerms, offset: u64, size: u64) -> Vec<Waiting> {
        bytes.waiting(offset, size)
    }

    fn settle(&mut self, bytes: &mut ByteTerms, leaf: u32) {
        bytes.settle(leaf);
    }

    fn input(&mut self, at: Site, waiting: Waiting, now: u128) -> Cell<Term> {
        let root = &self.roots[waiting.root as usize];
        let layout = root.cells[waiting.leaf as usize].clone();
        let object = root.object;
        let name = format!("{}{}", root.name, layout.path);
        let own = root.own_name(waiting.leaf);
        match layout.kind {
            CellKind::Pointer(to) => self.choose_object(at, waiting, &name, to),
            CellKind::Function(ty) => Cell::Pointer(self.choose_function(at, (waiting, now), &name, ty)),
            CellKind::Bool => {
                let var = self.cx.scalar_var(object, waiting.leaf, Sort::Bool, &|| name.clone());
                let default = self.seeded(&name).unwrap_or(now) & 1 == 1;
                let value = self.model.get(var).map_or(default, Value::is_true);
                self.used.set(var, Value::Bool(value));
                let term = self.term_of(var).map(|term| {
                    let bit = self.cx.terms.bool_to_bv(term);
                    self.cx.terms.zext(bit, 8)
                });
                self.record_scalar(waiting, &name, u128::from(value));
                Cell::Scalar { bits: u128::from(value), size: 1, term }
            }
            CellKind::Int { .. } | CellKind::Float => {
                let width = (8 * layout.size) as u8;
                let var = self.cx.scalar_var(object, waiting.leaf, Sort::Bv(width), &|| own.clone());
                let known = self.model.get(var).and_then(Value::bits).or_else(|| self.seeded_bits(&name, width));
                let bits = known.unwrap_or_else(|| self.cx.initial(object, waiting.leaf, now));
                self.used_bits(var, bits);
                self.record_scalar(waiting, &name, bits);
                Cell::Scalar { bits, size: layout.size, term: self.term_of(var) }
            }
        }
    }

    fn placed(&mut self, root: u32, address: u64) {
        self.roots[root as usize].address = address;
        self.share_root(root, address);
    }

    fn param_root(&self, index: u32) -> Option<u32> {
        self.params.get(index as usize).copied()
    }

    fn set_length(&mut self, index: u32, count: u64) {
        self.lengths.insert(index, count);
    }

    fn fresh_bytes(&mut self, function: &str, label: String, size: u32) -> Vec<Shadowed<Term>> {
        let count = self.named.entry(label.clone()).or_insert(0);
        *count += 1;
        let name = format!("{function}({label})#{count}");
        let values: Vec<Shadowed<Term>> =
            (0..size).map(|i| self.free_value(&format!("{name}[{i}]"), Type::I8)).collect();
        let bytes = values.iter().map(|v| v.bits as u8).collect();
        self.recorded.push(Recorded::Bytes { function: function.to_owned(), label, bytes });
        self.calls.told += 1;
        values
    }

    fn returned(&mut self, bytes: &[u8]) {
        self.returned = Some(bytes.to_vec());
    }

    fn check(&mut self, at: Site, value: Shadowed<Term>) {
        let terms = &mut self.cx.terms;
        let now = pure::as_bits(terms, value);
        let zero = terms.bv(0, value.ty.bits() as u8);
        let holds = terms.ne(now, zero);
        self.decide(at, EventKind::Check, holds, value.bits != 0);
    }

    fn wants(&self, first: u32, count: u32) -> bool {
        !self.muted && self.labels.wants(first, count)
    }

    fn label(&mut self, index: u32, cond: Term, reached: bool) {
        cond.into_iter().for_each(|cond| self.limit_unsure(cond));
        self.labels.passed(index, cond, reached, self.events.len());
    }

    fn passed(run: &mut dyn Inspect<Self>, at: Mark) -> bool {
        let shadow = run.shadow();
        let Some(follower) = shadow.follower.take() else { return true };
        let endless = shadow.truncated || shadow.recorded.len() > shadow.cx.tuning.runs_most_inputs;
        let goes_on = follower.passed(run, at) && !endless;
        run.shadow().follower = Some(follower);
        goes_on
    }

    fn wrote(&mut self, bytes: &mut ByteTerms, offset: u64, size: u64, ty: Option<Type>) {
        if !self.cx.blind {
            self.limit_write(bytes, offset, size, ty);
        }
    }

    fn argument(&mut self, number: u32, ty: Type, at: Loc) -> Waiting {
        self.add_argument(number, ty, at)
    }

    fn stream_has(&mut self, at: Site, root: u32, place: u64) -> bool {
        self.has_byte(at, root, place)
    }

    fn limited(&mut self, why: Limit) {
        self.limit(Cause::Machine(why));
    }

    fn compared(&mut self, ordered: bool, a: Option<Side<'_, ByteTerms>>, b: Option<Side<'_, ByteTerms>>) {
        if !self.cx.blind {
            self.limit_comparison(ordered, a.as_ref(), b.as_ref());
        }
    }

    fn peek_input(&mut self, waiting: Waiting, now: u128) -> Option<Shadowed<Term>> {
        let root = &self.roots[waiting.root as usize];
        let layout = &root.cells[waiting.leaf as usize];
        let (object, size) = (root.object, layout.size);
        if !matches!(layout.kind, CellKind::Int { .. } | CellKind::Float) {
            return None;
        }
        let width = (8 * size) as u8;
        let (name, own) = (format!("{}{}", root.name, layout.path), root.own_name(waiting.leaf));
        let var = self.cx.scalar_var(object, waiting.leaf, Sort::Bv(width), &|| own.clone());
        let known = self.model.get(var).and_then(Value::bits).or_else(|| self.seeded_bits(&name, width));
        let bits = known.unwrap_or_else(|| self.cx.initial(object, waiting.leaf, now));
        // Who solves for it must know what it is in this run.
        self.used_bits(var, bits);
        Some(Shadowed { bits, ty: Type::Int(width), term: self.term_of(var) })
    }

    fn peek_bits(&self, waiting: Waiting, now: u128) -> Option<u128> {
        let root = &self.roots[waiting.root as usize];
        let layout = &root.cells[waiting.leaf as usize];
        if !matches!(layout.kind, CellKind::Int { .. } | CellKind::Float) {
            return None;
        }
        let var = self.cx.known_var(root.object, waiting.leaf);
        let known = var.and_then(|var| self.model.get(var)).and_then(Value::bits);
        let seeded = || {
            self.seed.as_ref()?;
            self.seeded_bits(&format!("{}{}", root.name, layout.path), (8 * layout.size) as u8)
        };
        let known = known.or_else(seeded);
        Some(known.unwrap_or_else(|| self.cx.initial(root.object, waiting.leaf, now)))
    }

    fn heard(&mut self, function: u32, arguments: &[(u128, Type)]) {
        if self.cx.observes {
            let own = arguments.get(self.hidden(function)..).unwrap_or_default();
            self.heard.push((function, own.to_vec()));
        }
    }

    fn bound(&self, what: Bound) -> u64 {
        self.most(what)
    }

    fn named(&self, number: u64) -> Option<(NamedKind, &str)> {
        self.what_is_named(number)
    }

    fn process_input(&mut self, what: ProcessInput) -> Shadowed<Term> {
        self.given_to_process(what)
    }

    fn unsure(&mut self, what: u32, number: u64, value: u64) -> Shadowed<Term> {
        self.unsure_number(what, number, value)
    }

    fn device_read(&mut self, address: u64, ty: Type) -> Shadowed<Term> {
        self.read_device(address, ty)
    }

    fn device_wrote(&mut self, address: u64, value: Shadowed<Term>) {
        self.write_device(address, value);
    }

    fn has_shared(&self) -> bool {
        !self.shared.is_empty()
    }

    fn is_shared(&self, base: u64, offset: u64, size: u64) -> bool {
        self.is_volatile(base, offset, size)
    }

    fn shared_read(&mut self, base: u64, offset: u64, ty: Type, bits: u128) -> Shadowed<Term> {
        self.read_shared(base, offset, ty, bits)
    }

    fn shared_wrote(&mut self, base: u64, offset: u64, value: Shadowed<Term>) {
        self.write_shared(base, offset, value);
    }

    fn accessed_plainly(&mut self, base: u64, offset: u64, size: u64) {
        self.access_plainly(base, offset, size);
    }

    fn fails(&mut self, function: u32) -> Shadowed<Term> {
        self.failure(function)
    }

    fn allocated(&mut self, function: u32, address: u64) {
        self.count_allocated(function, address);
    }

    fn is_pure(&self, function: u32) -> bool {
        let name = &self.image.program().functions[FuncId::from_u32(function)].name;
        self.cx.options.stubbed(name) == Stubbed::Pure
    }

    fn call_result(&mut self, function: u32, types: &[Type], args: &[u128]) -> Option<Vec<Shadowed<Term>>> {
        self.stub_result(function, types, args)
    }

    fn given(&mut self, function: u32, args: &[u128], room: &dyn Fn(u64) -> u64) -> Vec<Given> {
        if self.muted { Vec::new() } else { self.stub_gives(function, args, room) }
    }

    fn gave_nothing_new(&mut self, root: u32, offset: u64) {
        self.calls.same.insert((root, offset));
    }
}
