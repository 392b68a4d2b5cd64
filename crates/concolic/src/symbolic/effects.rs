//! What a run left behind: what it changed of its inputs, what it returned, and what it made.
//!
//! Only what a caller can look at is here, as the scalars that the types say: padding is in none of them. Whether a value
//! means anything elsewhere (it may be an address, or memory that nobody wrote) is not decided here but by another run.

use std::collections::BTreeSet;

use covenant_goals::test_case::{BitField, Cell, Heard, Observed, Place, Pointer, Root as CaseRoot, Value};
use covenant_interpreter::memory::{Kind, Label, Memory};
use covenant_program::ir::{FuncId, GlobalId, Origin, Type};
use covenant_program::types::{Bits, CType};

use super::compared::{Before, Compared};
use super::inputs::{Root, RootKind};
use super::observe::{enumerator, field_value, of_type, scalar};
use super::parts::{self, Part};
use super::record::Target;
use super::{Recorded, Symbolic};

/// Scalars that are told of one run.
const MOST_TOLD: usize = 512; // not tuning: how long a test may be
/// Scalars that are told of an object that the run made.
const MOST_MADE: usize = 64; // not tuning: how long a test may be
/// Pointers that are followed from one to the next.
const DEEPEST: u32 = 4; // not tuning: how long a test may be
/// So many outputs of an object are told though they are zero, as before.
const MOST_ZEROS: usize = 8; // not tuning: how long a test may be
/// Calls that are told of one run.
const MOST_CALLS: usize = 32; // not tuning: how long a test may be
/// The longest text that is told.
const LONGEST_TEXT: u64 = 256; // not tuning: how long a test may be

/// An object after the run.
struct Seen<'m> {
    root: CaseRoot,
    /// How its parts are named.
    name: String,
    now: &'m [u8],
    depth: u32,
}

/// Files of the C library whose functions leave errno alone natively unless they fail.
const CALM: &[&str] = &["errno.c", "ctype.c", "search.c", "strto.c", "strto_float.c", "stdlib.c", "string.c"];

fn leaves_errno(file: &str) -> bool {
    let name = file.rsplit('/').next().unwrap_or(file);
    CALM.contains(&name) || name.starts_with("string_")
}

/// The bits of a field, given the bytes that it touches.
fn in_field(bytes: Option<&[u8]>, bits: Bits) -> Option<u128> {
    let word = bytes?.iter().rev().fold(0u128, |word, byte| word << 8 | u128::from(*byte));
    let unused = 128u32.checked_sub(bits.width).filter(|&unused| unused < 128)?;
    Some((word >> bits.offset) << unused)
}

struct Teller<'t, 's, 'c> {
    shadow: &'t Symbolic<'c>,
    memory: &'t Memory<Symbolic<'c>>,
    observed: &'s mut Observed,
    /// Objects that are told already.
    told: BTreeSet<u64>,
}

impl<'c> Symbolic<'c> {
    /// What the run left behind. `state`: globals that are no inputs, with what they were before.
    pub fn effects(&self, memory: &Memory<Symbolic<'c>>, state: &[(GlobalId, Vec<u8>)]) -> Observed {
        let mut observed = Observed::default();
        let mut teller = Teller { shadow: self, memory, observed: &mut observed, told: BTreeSet::new() };
        teller.result();
        // How often the C library calls a function, and in which order equal elements end, is its own choice.
        if self.called_back {
            let observed = teller.observed;
            observed.written.clear();
            observed.bits.clear();
            observed.open.push("what the C library had the code do".to_owned());
            return std::mem::take(observed);
        }
        for (number, root) in self.roots.iter().enumerate() {
            teller.input(number as u32, root);
        }
        for (id, before) in state {
            teller.state(*id, before);
        }
        teller.calls();
        observed.errno = self.errno(memory);
        observed.allocated = self.allocated(memory);
        observed
    }

    /// What errno is, where the code looks at it or sets it itself, and no function was called that may change it natively
    /// although nothing fails.
    fn errno(&self, memory: &Memory<Symbolic<'c>>) -> Option<i32> {
        let program = self.image.program();
        let entered = program.functions.iter().filter(|(id, _)| self.entered.get(id.as_u32() as usize) == Some(&true));
        let library: Vec<_> = entered.map(|(_, function)| function).filter(|f| f.origin == Origin::Library).collect();
        let asked = library.iter().any(|f| f.name == "__errno_location");
        let calm = library.iter().all(|f| f.loc.file().is_some_and(|file| leaves_errno(&program.files[file].name)));
        let number = |name: &str| {
            let (id, _) = program.globals.iter().find(|(_, g)| g.origin == Origin::Library && g.name == name)?;
            let bytes = memory.bytes(self.image.global_address(id), 4).ok()?;
            bytes.try_into().ok().map(i32::from_le_bytes)
        };
        if asked && calm { number("__covenant_errno") } else { None }
    }

    /// Whether the code freed an object. Much later its address may have been given to another.
    pub(super) fn is_freed(&self, memory: &Memory<Symbolic<'_>>, root: &Root) -> bool {
        let is_there = |address: u64| memory.object_near(address).is_some_and(|o| o.kind == Kind::Given && o.alive);
        matches!(root.kind, RootKind::Object(_)) && root.address != 0 && !is_there(root.address)
    }

    /// Says of objects that the code freed what was taken for granted.
    pub fn note_freed(&mut self, memory: &Memory<Symbolic<'_>>) {
        let freed = self.roots.iter().filter(|root| self.is_freed(memory, root));
        let words: Vec<String> = freed
            .map(|root| match root.stream {
                Some(_) => format!("{}: may be closed by the code", root.pointer),
                None => format!("{}: comes from malloc where the code frees it", root.pointer),
            })
            .collect();
        self.cx.limits.extend(words);
    }

    /// How many elements of an object the run looked at or wrote, from the first on.
    pub(super) fn used(&self, memory: &Memory<Symbolic<'_>>, root: &Root) -> Option<u64> {
        let object = memory.object_near(root.address).filter(|o| o.alive && root.address != 0)?;
        let bytes = object.terms.as_deref()?;
        if root.partial && !root.is_string || root.element_size == 0 {
            return None;
        }
        let last = root.cells.iter().enumerate().rev().find(|(leaf, _)| bytes.is_settled(*leaf as u32));
        Some(last.map_or(0, |(_, cell)| cell.offset / root.element_size + 1))
    }
}

impl<'t, 'c> Teller<'t, '_, 'c> {
    fn is_full(&self) -> bool {
        self.observed.written.len() + self.observed.bits.len() >= MOST_TOLD
    }

    /// Bytes of something that was not there before.
    fn made<'b>(&'b self, now: &'b [u8]) -> Compared<'b, 'c> {
        self.made_at(None, now)
    }

    /// The same where it is known at which address.
    fn made_at<'b>(&'b self, at: Option<u64>, now: &'b [u8]) -> Compared<'b, 'c> {
        let before = Before::Made(at);
        Compared { touched: &|_, _| true, before, now, memory: self.memory, pointer: self.address_size() }
    }

    fn result(&mut self) {
        let (Some(ty), Some(bytes)) = (self.shadow.return_type, self.shadow.returned.as_deref()) else { return };
        let types = &self.shadow.image.program().types;
        let seen = Seen { root: CaseRoot::Result, name: "result".to_owned(), now: bytes, depth: 0 };
        if matches!(types.stripped(ty), CType::Struct(_) | CType::Union(_)) {
            let all = parts::parts(types, ty, bytes.len() as u64, &self.made(bytes));
            all.iter().take(MOST_MADE).for_each(|part| self.tell(&seen, part));
        } else {
            let part = Part { offset: 0, path: String::new(), ty, bits: None };
            self.observed.returned = self.value(&seen, &part);
            self.name(&seen, &part);
            self.follow(&seen, &part, self.observed.returned.clone());
        }
    }

    /// An object or a global that is an input.
    fn input(&mut self, number: u32, root: &Root) {
        let case_root = match &root.kind {
            RootKind::Global(name) => CaseRoot::Global(name.clone()),
            RootKind::Object(id) => CaseRoot::Object(*id),
            RootKind::Param(_) | RootKind::Call { .. } => return,
        };
        // Statics of functions are roots, too, but out of everybody's reach, like what the code freed.
        let kept = root.cells.is_empty() && matches!(root.kind, RootKind::Global(_))
            || self.shadow.is_freed(self.memory, root);
        let Some(object) = self.memory.object_near(root.address) else { return };
        if root.address == 0 || kept || !object.alive || object.base != root.address {
            return;
        }
        let (Ok(now), Some(bytes)) = (self.memory.bytes(object.base, object.size), object.terms.as_deref()) else {
            return;
        };
        let (before, read) = self.before(number, now.len());
        let cell_at = |offset: u64| {
            let after = root.cells.partition_point(|c| c.offset <= offset);
            let (at, cell) = (after.checked_sub(1)?, root.cells.get(after.wrapping_sub(1))?);
            (offset < cell.offset + u64::from(cell.size)).then_some((at as u32, cell))
        };
        let touched = |offset: u64, size: u64| {
            (offset..offset + size).any(|at| match cell_at(at) {
                Some((leaf, _)) => bytes.is_settled(leaf),
                None => now.get(at as usize) != before.get(at as usize),
            })
        };
        let changed = |part: &Part, size: u64| {
            let range = part.offset as usize..(part.offset + size) as usize;
            match part.bits {
                Some(bits) => in_field(now.get(range.clone()), bits) != in_field(before.get(range), bits),
                None => now.get(range.clone()) != before.get(range),
            }
        };
        // Suites set globals to zero, whatever they are in the source: what is no input there is not known.
        let is_global = matches!(root.kind, RootKind::Global(_));
        let known = |offset: u64| cell_at(offset).is_some_and(|(leaf, _)| bytes.is_settled(leaf));
        let is_known = |part: &Part, size: u64| !is_global || (part.offset..part.offset + size).all(known);
        // Written before anybody read it.
        let output = |part: &Part| cell_at(part.offset).is_some_and(|(leaf, _)| !read.contains(&leaf));
        let seen = Seen { root: case_root, name: root.case_name(), now, depth: root.depth };
        let types = &self.shadow.image.program().types;
        let mut zeros = 0;
        for index in 0..root.count {
            let start = index * root.element_size;
            if self.is_full() || start + root.element_size > now.len() as u64 {
                break;
            }
            let prefix = if root.count > 1 { format!("[{index}]") } else { String::new() };
            let inside = |offset: u64, size: u64| touched(start + offset, size);
            let range = start as usize..(start + root.element_size) as usize;
            let (was, is) = (before.get(range.clone()).unwrap_or_default(), now.get(range).unwrap_or_default());
            let (before, pointer) = (Before::Bytes(was), self.address_size());
            let bytes = Compared { touched: &inside, before, now: is, memory: self.memory, pointer };
            for part in parts::parts(types, root.element, root.element_size, &bytes) {
                let size = part.size(types);
                let part = Part { offset: part.offset + start, path: format!("{prefix}{}", part.path), ..part };
                if !is_known(&part, size) {
                    continue;
                }
                let is_new = changed(&part, size);
                if !is_new && output(&part) {
                    zeros += 1;
                }
                if is_new || output(&part) && zeros <= MOST_ZEROS {
                    self.tell(&seen, &part);
                }
            }
        }
    }

    /// Bytes of an address.
    fn address_size(&self) -> usize {
        self.shadow.image.program().target.pointer_size() as usize
    }

    /// Bytes of a root before the run, and which of its cells were read.
    fn before(&self, number: u32, size: usize) -> (Vec<u8>, BTreeSet<u32>) {
        let cells = &self.shadow.roots[number as usize].cells;
        let (mut bytes, mut read) = (vec![0; size], BTreeSet::new());
        for recorded in &self.shadow.recorded {
            let pointer = self.address_size();
            let (root, offset, bits, size) = match recorded {
                Recorded::Scalar { root, offset, bits, size, .. } => (*root, *offset, *bits, *size as usize),
                Recorded::Pointer { root, offset, to, .. } => {
                    (*root, *offset, u128::from(self.address_of(to)), pointer)
                }
                _ => continue,
            };
            if root != number {
                continue;
            }
            let at = offset as usize;
            if let Some(place) = bytes.get_mut(at..at + size) {
                place.copy_from_slice(&bits.to_le_bytes()[..size]);
            }
            read.extend(cells.binary_search_by_key(&offset, |c| c.offset).ok().map(|leaf| leaf as u32));
        }
        (bytes, read)
    }

    fn address_of(&self, target: &Target) -> u64 {
        let image = self.shadow.image;
        match target {
            Target::Null | Target::Argument(_) => 0,
            Target::Root(root, offset) => self.shadow.roots[*root as usize].address.wrapping_add(*offset),
            Target::Function(name) => {
                let program = image.program();
                let id = program.definitions(name).next().or_else(|| program.function(name));
                id.map_or(0, |id| image.function_address(id))
            }
        }
    }

    /// Calls of undefined functions and of callbacks.
    fn calls(&mut self) {
        let heard = &self.shadow.heard;
        if heard.len() > MOST_CALLS {
            self.observed.open.push("calls of undefined functions".to_owned());
            return;
        }
        let mut calls = Vec::new();
        for (function, arguments) in heard {
            let argument = |&(bits, ty): &(u128, Type)| match ty {
                Type::Ptr | Type::Ptr32 => Value::Pointer(self.pointer(bits as u64).unwrap_or(Pointer::Other)),
                _ => of_type(bits, ty),
            };
            let arguments = arguments.iter().map(|one| Some(argument(one))).collect();
            let function = self.shadow.image.function(FuncId::from_u32(*function)).source_name().to_owned();
            calls.push(Heard { function, arguments });
        }
        self.observed.calls = Some(calls);
    }

    /// A global that is no input.
    fn state(&mut self, id: GlobalId, before: &[u8]) {
        let program = self.shadow.image.program();
        let (global, address) = (&program.globals[id], self.shadow.image.global_address(id));
        let (Some(ty), Some(name)) = (global.ty, global.source_name.clone()) else { return };
        let Ok(now) = self.memory.bytes(address, before.len() as u64) else { return };
        let differ = |offset: u64, size: u64| {
            let range = offset as usize..(offset + size) as usize;
            now.get(range.clone()) != before.get(range)
        };
        let seen = Seen { root: CaseRoot::Global(name.clone()), name, now, depth: 0 };
        let (before, pointer) = (Before::Bytes(before), self.address_size());
        let bytes = Compared { touched: &differ, before, now, memory: self.memory, pointer };
        for part in parts::parts(&program.types, ty, now.len() as u64, &bytes) {
            self.tell(&seen, &part);
        }
    }

    fn tell(&mut self, seen: &Seen<'_>, part: &Part) {
        if self.is_full() {
            return;
        }
        let path = format!("{}{}", seen.name, part.path);
        if let Some(bits) = part.bits {
            let (first, width, value) = (bits.offset, bits.width, self.bits(seen, part));
            let (root, offset) = (seen.root.clone(), part.offset);
            if let Some(value) = value {
                self.observed.bits.push(BitField { root, offset, path, first, width, value });
            }
            return;
        }
        let value = self.value(seen, part).filter(|_| !self.is_of_address(seen, part));
        self.name(seen, part);
        match value.clone() {
            Some(value) => {
                let (root, offset) = (seen.root.clone(), part.offset);
                self.observed.written.push(Cell { root, offset, path, value });
            }
            None => self.observed.open.push(path),
        }
        self.follow(seen, part, value);
    }

    /// Remembers what the value is called, if it is an enumerator.
    fn name(&mut self, seen: &Seen<'_>, part: &Part) {
        let types = &self.shadow.image.program().types;
        let size = part.size(types);
        let word = self.word(seen, part.offset, size);
        let name = word.and_then(|word| enumerator(types, part.ty, word, size as u32));
        self.observed.enumerators.extend(name.map(|name| (format!("{}{}", seen.name, part.path), name)));
    }

    /// Whether a byte of a row of bytes is one of an address. Some of those may be the same elsewhere.
    fn is_of_address(&self, seen: &Seen<'_>, part: &Part) -> bool {
        let size = part.size(&self.shadow.image.program().types);
        let word = self.word(seen, part.offset & !7, 8).map(|word| word as u64);
        let object = word.filter(|_| size == 1).and_then(|word| Some((word, self.memory.object_near(word)?)));
        object.is_some_and(|(word, object)| word >= object.base && word <= object.base + object.size)
    }

    fn word(&self, seen: &Seen<'_>, offset: u64, size: u64) -> Option<u128> {
        let mut all = [0; 16];
        let bytes = seen.now.get(offset as usize..(offset + size) as usize)?;
        all.get_mut(..bytes.len())?.copy_from_slice(bytes);
        Some(u128::from_le_bytes(all))
    }

    fn bits(&self, seen: &Seen<'_>, part: &Part) -> Option<String> {
        let bits = part.bits?;
        let types = &self.shadow.image.program().types;
        field_value(types, part.ty, bits, self.word(seen, part.offset, bits.bytes())?)
    }

    /// The value of a scalar; `None`: there is nothing that another run could be held against.
    fn value(&self, seen: &Seen<'_>, part: &Part) -> Option<Value> {
        let types = &self.shadow.image.program().types;
        let size = part.size(types);
        let bits = self.word(seen, part.offset, size)?;
        match types.stripped(part.ty) {
            CType::Pointer(_) => self.pointer(bits as u64).map(Value::Pointer),
            CType::Bool => Some(scalar(bits, 1, false, false)),
            CType::Int { signed, .. } => Some(scalar(bits, size as u32, *signed, false)),
            CType::Enum(e) => Some(scalar(bits, size as u32, e.signed, false)),
            CType::Float { .. } => Some(scalar(bits, size as u32, false, true)),
            _ => None,
        }
    }

    fn pointer(&self, address: u64) -> Option<Pointer> {
        if address == 0 {
            return Some(Pointer::Null);
        }
        let image = self.shadow.image;
        if let Some(id) = image.function_at(address) {
            let function = image.function(id);
            let known = function.origin == Origin::Subject && !function.name.starts_with("__covenant");
            return known.then(|| Pointer::Function(function.source_name().to_owned()));
        }
        let object = self.memory.object_near(address).filter(|o| o.alive && o.kind != Kind::Stack)?;
        let offset = address.wrapping_sub(object.base) as i64;
        if offset < 0 || offset as u64 > object.size {
            return None;
        }
        let here = |root: &&Root| root.address == object.base && object.kind != Kind::Heap;
        match self.shadow.roots.iter().find(here).map(|root| &root.kind) {
            Some(RootKind::Object(id)) => return Some(Pointer::Object { id: *id, offset }),
            Some(RootKind::Param(_) | RootKind::Call { .. }) => return None,
            Some(RootKind::Global(_)) | None => {}
        }
        match object.label {
            Label::Global(id) => {
                let global = &image.program().globals[id];
                let is_own = global.origin == Origin::Subject && !global.name.contains('.');
                match &global.source_name {
                    Some(name) if is_own => Some(Pointer::Global { name: name.clone(), offset }),
                    // A literal, or a static of a function.
                    _ => (global.origin == Origin::Subject).then_some(Pointer::Other),
                }
            }
            _ => (object.kind == Kind::Heap).then_some(Pointer::Other),
        }
    }

    /// What is behind a pointer to something that has no name.
    fn follow(&mut self, seen: &Seen<'_>, part: &Part, value: Option<Value>) {
        let types = &self.shadow.image.program().types;
        let (Some(Value::Pointer(Pointer::Other)), CType::Pointer(to)) = (value, types.stripped(part.ty)) else {
            return;
        };
        let Some(address) = self.word(seen, part.offset, types.pointer_size()).map(|word| word as u64) else { return };
        let Some(object) = self.memory.object_near(address) else { return };
        if seen.depth >= DEEPEST || self.shadow.opened.contains(&object.base) || !self.told.insert(address) {
            return;
        }
        let room = object.base + object.size - address;
        let Ok(now) = self.memory.bytes(address, room) else { return };
        let path = format!("{}{}", seen.name, part.path);
        let c_type = types.is_taken(part.ty).then(|| types.spell(*to, ""));
        let place = Place { root: seen.root.clone(), offset: part.offset, path: path.clone(), c_type };
        let (root, depth) = (CaseRoot::Behind(Box::new(place)), seen.depth + 1);
        let behind = Seen { root, name: path, now, depth };
        let element = types.definition(*to).unwrap_or(*to);
        let Some(size) = types.size_of(element).filter(|&size| size > 0) else { return };
        let mut count = room / size;
        // Of a variable all that the run changed, and the one that the pointer leads to.
        let mut variable = None;
        if super::inputs::is_character(types, element) {
            // A text, with its end.
            let end = now.iter().position(|&byte| byte == 0).map(|at| at as u64 + 1);
            count = end.unwrap_or(count).min(LONGEST_TEXT);
        } else if let Label::Global(id) = object.label {
            variable = Some(self.shadow.image.initial_bytes(id).split_off((address - object.base) as usize));
        }
        let most = if size == 1 { count } else { MOST_MADE as u64 };
        let before = self.observed.written.len();
        for index in 0..count {
            // A flexible member at its end has all the room that is left.
            let all = if index + 1 == count { room - index * size } else { size };
            let own = now.get((index * size) as usize..).unwrap_or_default();
            let was = variable.as_ref().map(|bytes| bytes.get((index * size) as usize..).unwrap_or_default());
            let differ = |offset: u64, size: u64| {
                let range = offset as usize..(offset + size) as usize;
                index == 0 || was.is_some_and(|was| was.get(range.clone()) != own.get(range))
            };
            let bytes = match was {
                Some(was) => {
                    let (before, pointer) = (Before::Bytes(was), self.address_size());
                    Compared { touched: &differ, before, now: own, memory: self.memory, pointer }
                }
                None => self.made_at(Some(address + index * size), own),
            };
            let parts = parts::parts(types, element, all, &bytes);
            for part in parts {
                if (self.observed.written.len() - before) as u64 >= most {
                    return;
                }
                let offset = part.offset + index * size;
                self.tell(&behind, &Part { offset, path: format!("[{index}]{}", part.path), ..part });
            }
        }
    }
}
