//! Memory at a point of a walk: an array of bytes for each object that did not get out, and one for all the rest.

use std::collections::BTreeMap;

use covenant_program::ir::{Global, Origin, Type};

use super::FIRST_ADDRESS;
use super::objects::{Object, size};
use super::ops;
use super::state::{Bits, State, Val};

/// Bytes by offset, or by address.
pub(super) const ARRAY: &str = "(Array (_ BitVec 64) (_ BitVec 8))";
/// Bytes that are copied, filled or listed one by one. More are anything.
const MOST: u64 = 1_024; // not tuning: a size

/// What is in an object: single bytes above an array.
#[derive(Clone, Debug)]
pub(super) struct Bytes {
    array: String,
    known: BTreeMap<u64, String>,
}

impl State<'_, '_> {
    /// The array of all memory that pointers of any origin mean.
    pub(super) fn outer(&mut self) -> String {
        match &self.memory {
            Some(name) => name.clone(),
            None => {
                let name = self.declare("memory".to_owned(), ARRAY);
                self.memory = Some(name.clone());
                name
            }
        }
    }

    /// What is in an object now.
    fn bytes(&mut self, object: Object) -> Bytes {
        if let Some(bytes) = self.bytes.get(&object) {
            return bytes.clone();
        }
        let name = match object {
            Object::Local(chain, value) => format!("m_c{}_v{}", chain.0, value.as_u32()),
            Object::Global(global) => format!("m_g{}", global.as_u32()),
        };
        let initial = match object {
            Object::Global(id) => {
                let global = &self.cx.subject.program.globals[id];
                let starts = self.is_root && !self.cx.subject.inputs.contains(&id);
                if global.constant || starts { self.initial(global, &name) } else { None }
            }
            Object::Local(..) => None,
        };
        let bytes = match initial {
            Some(bytes) => bytes,
            None => Bytes { array: self.declare(name, ARRAY), known: BTreeMap::new() },
        };
        self.bytes.insert(object, bytes.clone());
        bytes
    }

    /// The bytes that a global starts with; addresses among them are anything.
    fn initial(&mut self, global: &Global, name: &str) -> Option<Bytes> {
        let init = global.init.as_ref()?;
        if global.size > MOST {
            self.note("what a large global starts with may be anything");
            return None;
        }
        let byte = |at: u64| init.get(at as usize).copied().unwrap_or(0);
        let mut known: BTreeMap<u64, String> =
            (0..global.size).map(|at| (at, ops::literal(u128::from(byte(at)), 8))).collect();
        for at in global.relocs.iter().flat_map(|r| r.offset..r.offset.saturating_add(u64::from(r.size))) {
            self.note("addresses are anything");
            known.insert(at, self.declare(format!("{name}_r{at}"), "(_ BitVec 8)"));
        }
        Some(Bytes { array: format!("((as const {ARRAY}) (_ bv0 8))"), known })
    }

    /// The object as one array, of which a name is kept.
    fn array(&mut self, object: Object) -> String {
        let bytes = self.bytes(object);
        if bytes.known.is_empty() {
            return bytes.array;
        }
        let mut text = bytes.array;
        for (at, byte) in &bytes.known {
            text = format!("(store {text} {} {byte})", ops::literal(u128::from(*at), 64));
        }
        let array = self.define(ARRAY, &text);
        self.bytes.insert(object, Bytes { array: array.clone(), known: BTreeMap::new() });
        array
    }

    /// Bytes of an object at a place that is known, as a number.
    pub(super) fn cell(&mut self, object: Object, offset: u64, count: u32) -> Result<String, String> {
        let inside = size(&self.cx.chains, object).and_then(|size| size.checked_sub(u64::from(count)));
        if inside.is_none_or(|last| offset > last) {
            return Err("the object has no such bytes".to_owned());
        }
        if !self.cx.objects.got_out(object) {
            return Ok(self.read(object, &Bits::Known(u128::from(offset)), count));
        }
        let base = Bits::Text(self.address(object));
        let at = self.sum(&base, &Bits::Known(u128::from(offset)));
        let memory = self.outer();
        Ok(from_array(&memory, &at, count))
    }

    /// All bytes of an object.
    pub(super) fn whole(&mut self, object: Object) -> Result<String, String> {
        if self.cx.objects.got_out(object) {
            return Err("the object is no array of its own here".to_owned());
        }
        Ok(self.array(object))
    }

    fn read(&mut self, object: Object, offset: &Bits, count: u32) -> String {
        match offset {
            Bits::Known(start) => {
                let bytes = self.bytes(object);
                let byte = |i: u32| {
                    let at = (*start as u64).wrapping_add(u64::from(i));
                    let select = || format!("(select {} {})", bytes.array, ops::literal(u128::from(at), 64));
                    bytes.known.get(&at).cloned().unwrap_or_else(select)
                };
                joined((0..count).map(byte).collect())
            }
            Bits::Text(_) => {
                let array = self.array(object);
                from_array(&array, offset, count)
            }
        }
    }

    fn write(&mut self, object: Object, offset: &Bits, bits: &str, count: u32) {
        match offset {
            Bits::Known(start) => {
                let mut bytes = self.bytes(object);
                for i in 0..count {
                    bytes.known.insert((*start as u64).wrapping_add(u64::from(i)), ops::byte(bits, i));
                }
                self.bytes.insert(object, bytes);
            }
            Bits::Text(_) => {
                let array = self.array(object);
                let array = self.define(ARRAY, &into_array(&array, offset, bits, count));
                self.bytes.insert(object, Bytes { array, known: BTreeMap::new() });
            }
        }
    }

    /// A run goes on only behind an access that is inside its object. False: it never does.
    fn guard(&mut self, at: &Val, count: u32) -> bool {
        match at {
            Val::Into(object, offset) => {
                let last = size(&self.cx.chains, *object).and_then(|size| size.checked_sub(u64::from(count)));
                match (last, offset) {
                    (None, _) => false,
                    (Some(last), Bits::Known(offset)) => *offset <= u128::from(last),
                    (Some(last), Bits::Text(offset)) => {
                        self.assert(&format!("(bvule {offset} {})", ops::literal(u128::from(last), 64)));
                        true
                    }
                }
            }
            // A device may be at any address that the program names.
            Val::Bits(Bits::Known(address)) => *address != 0,
            Val::Bits(Bits::Text(address)) => {
                self.assert(&format!("(bvuge {address} {})", ops::literal(FIRST_ADDRESS, 64)));
                true
            }
        }
    }

    /// What a load gives; `None`: the run ends there.
    pub(super) fn load(&mut self, at: &Val, ty: Type) -> Option<Val> {
        self.guard(at, ty.store_size()).then(|| self.peek(at, ty))
    }

    /// What is in memory, without saying that it can be read.
    pub(super) fn peek(&mut self, at: &Val, ty: Type) -> Val {
        let count = ty.store_size();
        let bits = match at {
            Val::Into(object, offset) => self.read(*object, offset, count),
            Val::Bits(address) => {
                let memory = self.outer();
                from_array(&memory, address, count)
            }
        };
        let cut = ops::fit(&bits, 8 * count, ty.bits());
        let text = match ops::float(ty) {
            Some(format) => format!("((_ to_fp {format}) {cut})"),
            None => cut,
        };
        Val::Bits(Bits::Text(self.define(&ops::sort(ty), &text)))
    }

    /// A store; false: the run ends there.
    pub(super) fn store(&mut self, at: &Val, value: &Val, ty: Type) -> bool {
        let count = ty.store_size();
        if !self.guard(at, count) {
            return false;
        }
        let bits = match (value, ops::float(ty)) {
            // The bits of a NaN are any that mean one.
            (Val::Bits(float), Some(format)) => {
                let bits = self.fresh(&format!("(_ BitVec {})", ty.bits()));
                self.lines.push(format!("(assert (= ((_ to_fp {format}) {bits}) {}))", float.text(ty)));
                bits
            }
            (Val::Bits(bits), None) => ops::fit(&bits.text(ty), ty.bits(), 8 * count),
            // Its address would have got out.
            (Val::Into(..), _) => self.fresh(&format!("(_ BitVec {})", 8 * count)),
        };
        let bits = self.define(&format!("(_ BitVec {})", 8 * count), &bits);
        self.put(at, &bits, count);
        true
    }

    fn put(&mut self, at: &Val, bits: &str, count: u32) {
        match at {
            Val::Into(object, offset) => self.write(*object, offset, bits, count),
            Val::Bits(address) => {
                let memory = self.outer();
                let text = into_array(&memory, address, bits, count);
                self.memory = Some(self.define(ARRAY, &text));
            }
        }
    }

    /// From here on nothing is known of what is in an object.
    pub(super) fn forget(&mut self, object: Object) {
        let array = self.fresh(ARRAY);
        self.bytes.insert(object, Bytes { array, known: BTreeMap::new() });
    }

    pub(super) fn forget_outer(&mut self) {
        self.memory = Some(self.fresh(ARRAY));
    }

    pub(super) fn forget_behind(&mut self, at: &Val) {
        match at {
            Val::Into(object, _) => self.forget(*object),
            Val::Bits(_) => self.forget_outer(),
        }
    }

    /// All globals that can change, those of the library alone if nobody else's.
    pub(super) fn forget_globals(&mut self, library: bool) {
        let globals = self.cx.subject.program.globals.iter();
        let changes = |g: &Global| !g.constant && (!library || g.origin == Origin::Library);
        let all: Vec<Object> = globals.filter(|(_, g)| changes(g)).map(|(id, _)| Object::Global(id)).collect();
        for object in all.into_iter().filter(|&object| !self.cx.objects.got_out(object)) {
            self.forget(object);
        }
    }

    /// Anything may have happened to anything, except to constants.
    pub(super) fn forget_all(&mut self) {
        self.forget_outer();
        self.forget_globals(false);
        let chains = &self.cx.chains;
        for (id, chain) in (0..).map(super::chains::ChainId).zip(&chains.all) {
            let body = chains.subject.program.functions[chain.function].body.iter();
            let made = body.flat_map(|body| body.insts.values()).filter_map(|data| match data.op {
                covenant_program::ir::Op::Alloca { .. } => data.results.first().copied(),
                _ => None,
            });
            let all: Vec<Object> = made.map(|value| Object::Local(id, value)).collect();
            all.into_iter().for_each(|object| self.forget(object));
        }
    }

    /// `count` bytes that are not known to overlap in no way: all are read before any is written.
    pub(super) fn copy(&mut self, to: &Val, from: &Val, count: &Val) {
        let Some(count) = number(count).filter(|&count| count <= MOST) else {
            self.note("what a long copy writes may be anything");
            return self.forget_behind(to);
        };
        let read: Vec<String> = (0..count).map(|i| self.byte_at(from, i)).collect();
        for (i, byte) in (0..).zip(read) {
            let at = self.step(to, i);
            self.put(&at, &byte, 1);
        }
    }

    pub(super) fn fill(&mut self, to: &Val, byte: &str, count: &Val) {
        let Some(count) = number(count).filter(|&count| count <= MOST) else {
            self.note("what a long fill writes may be anything");
            return self.forget_behind(to);
        };
        for i in 0..count {
            let at = self.step(to, i);
            self.put(&at, byte, 1);
        }
    }

    fn byte_at(&mut self, from: &Val, i: u64) -> String {
        let at = self.step(from, i);
        match self.peek(&at, Type::I8) {
            Val::Bits(bits) => bits.text(Type::I8),
            Val::Into(..) => self.fresh("(_ BitVec 8)"),
        }
    }

    fn step(&mut self, at: &Val, by: u64) -> Val {
        let by = Bits::Known(u128::from(by));
        match at {
            Val::Into(object, offset) => Val::Into(*object, self.sum(offset, &by)),
            Val::Bits(address) => Val::Bits(self.sum(address, &by)),
        }
    }

    /// New memory of so many bytes at an address: what was there is not there any more.
    pub(super) fn make_new(&mut self, address: &str, count: Option<u64>) {
        const FEW: u64 = 64; // not tuning: a size
        match count {
            Some(count) if count <= FEW => {
                let bytes: Vec<String> = (0..count).map(|_| self.fresh("(_ BitVec 8)")).collect();
                let at = Val::Bits(Bits::Text(address.to_owned()));
                for (i, byte) in (0..).zip(bytes) {
                    let at = self.step(&at, i);
                    self.put(&at, &byte, 1);
                }
            }
            _ => {
                self.note("what is in memory behind an allocation may be anything");
                self.forget_outer();
            }
        }
    }
}

pub(super) fn number(val: &Val) -> Option<u64> {
    match val {
        Val::Bits(Bits::Known(bits)) => u64::try_from(*bits).ok(),
        _ => None,
    }
}

/// Bytes as a number, the lowest first.
fn joined(mut bytes: Vec<String>) -> String {
    bytes.reverse();
    if bytes.len() == 1 { bytes.remove(0) } else { format!("(concat {})", bytes.join(" ")) }
}

fn index(at: &Bits, i: u32) -> String {
    match at {
        Bits::Known(at) => ops::literal(at.wrapping_add(u128::from(i)) & u128::from(u64::MAX), 64),
        Bits::Text(at) if i == 0 => at.clone(),
        Bits::Text(at) => format!("(bvadd {at} {})", ops::literal(u128::from(i), 64)),
    }
}

fn from_array(array: &str, at: &Bits, count: u32) -> String {
    joined((0..count).map(|i| format!("(select {array} {})", index(at, i))).collect())
}

fn into_array(array: &str, at: &Bits, bits: &str, count: u32) -> String {
    let mut text = array.to_owned();
    for i in 0..count {
        text = format!("(store {text} {} {})", index(at, i), ops::byte(bits, i));
    }
    text
}
