//! Pointers that callers hand over in other ways than to the first byte of an object of their own.
//!
//! Code looks at what is before a pointer (a header before a text, the struct that a member is part of), and compares pointers
//! that only make sense in one object (the begin and the end of a range, a cursor and its limit). All of that is possible for
//! every pointer, and nearly always in vain. So runs begin with plain objects, and say where they met something that needs
//! more: these are [`Want`]s. Who starts runs then says by [`Shapes`] which pointers point elsewhere, and begins anew.
//!
//! A shape is a choice of ours: it makes tests and proves nothing. A pointer with a shape is a limit on its path.

use std::collections::{BTreeMap, BTreeSet};

use covenant_constraints::Sort;
use covenant_interpreter::shadow::{Cell, Site, Waiting};
use covenant_interpreter::{Trap, TrapKind};
use covenant_program::ir::Type;
use covenant_program::types::{CType, TypeId, Types};

use super::inputs::{Root, RootKind};
use super::limits::Cause;
use super::record::{Recorded, Target};
use super::{EventKind, Symbolic};
use crate::meaning::memory;
use crate::meaning::pure::Term;

/// Bytes before a pointer, the first that are enough.
const ROOM: [u64; 4] = [16, 64, 256, 4096]; // not tuning: what the inputs are

/// Where pointers point, by their names.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Shapes {
    rooms: BTreeMap<String, Room>,
    groups: Vec<BTreeSet<String>>,
    /// The object, the place of the array in it, and its elements.
    inside: BTreeMap<String, (String, u64, u64)>,
}

/// What is before what a pointer points to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Room {
    /// At least so many bytes of elements of the same type.
    Bytes(u64),
    /// The pointer points to a part of an object of this type, so many bytes from its start.
    Part(TypeId, u64),
}

/// What a run would have needed to go on as it does for callers.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Want {
    /// So many bytes before this pointer.
    Room {
        /// Its name.
        pointer: String,
        /// What it points to.
        element: TypeId,
        /// How many.
        bytes: u64,
    },
    /// Two pointers into one object.
    Together {
        /// The name of one.
        one: String,
        /// That of the other.
        other: String,
        /// Whether it makes no sense otherwise: they were put in an order, subtracted, or one passed the other.
        surely: bool,
    },
    /// A pointer into an array that is part of an object.
    Inside {
        /// The name of the pointer.
        pointer: String,
        /// That of the object.
        whole: String,
        /// Where in it the array is, in bytes.
        at: u64,
        /// Its elements.
        count: u64,
    },
}

impl Want {
    /// Whether the run tells little as it is.
    pub fn is_urgent(&self) -> bool {
        !matches!(self, Want::Together { surely: false, .. })
    }
}

impl Shapes {
    /// Whether every pointer points to the first byte of an object.
    pub fn is_empty(&self) -> bool {
        self.rooms.is_empty() && self.groups.is_empty() && self.inside.is_empty()
    }

    /// Whether this is granted already, or more.
    pub fn has(&self, want: &Want) -> bool {
        match want {
            Want::Room { pointer, bytes, .. } => match self.rooms.get(pointer) {
                // Others of its group may be at the start of the object, wherever that is.
                Some(Room::Bytes(room)) if self.is_cursor(pointer) => *bytes <= *room || *room >= ROOM[1],
                Some(Room::Bytes(room)) => *bytes <= *room || *bytes > ROOM[ROOM.len() - 1],
                Some(Room::Part(..)) => true,
                None => *bytes > ROOM[ROOM.len() - 1],
            },
            Want::Together { one, other, .. } => self.group(one).is_some() && self.group(one) == self.group(other),
            Want::Inside { pointer, .. } => self.inside.contains_key(pointer),
        }
    }

    /// Grants what a run wants; `part`: of what the pointer's object is known to be a part, and where.
    pub fn grant(&mut self, want: &Want, part: Option<(TypeId, u64)>) {
        match want {
            Want::Room { pointer, bytes, .. } => {
                let room = match part.filter(|(_, at)| at >= bytes) {
                    Some((whole, at)) => Some(Room::Part(whole, at)),
                    None => ROOM.iter().find(|room| *room >= bytes).map(|&room| Room::Bytes(room)),
                };
                self.rooms.extend(room.map(|room| (pointer.clone(), room)));
            }
            Want::Together { one, other, .. } => {
                let is_theirs = |group: &BTreeSet<String>| group.contains(one) || group.contains(other);
                let (theirs, mut rest): (Vec<_>, Vec<_>) =
                    std::mem::take(&mut self.groups).into_iter().partition(is_theirs);
                let mut group: BTreeSet<String> = theirs.into_iter().flatten().collect();
                group.extend([one.clone(), other.clone()]);
                rest.push(group);
                self.groups = rest;
            }
            Want::Inside { pointer, whole, at, count } => {
                self.inside.insert(pointer.clone(), (whole.clone(), *at, *count));
            }
        }
    }

    /// Whether a pointer of this name need not point to a whole element.
    pub fn is_cursor(&self, pointer: &str) -> bool {
        self.group(pointer).is_some() || self.inside.contains_key(pointer)
    }

    pub(super) fn room(&self, pointer: &str) -> Option<Room> {
        self.rooms.get(pointer).copied()
    }

    pub(super) fn group(&self, pointer: &str) -> Option<usize> {
        self.groups.iter().position(|group| group.contains(pointer))
    }
}

/// Where in a fresh object its pointer points, and how large the object is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Form {
    pub(super) element: TypeId,
    pub(super) count: u64,
    /// Bytes from the start of the object.
    pub(super) entry: u64,
    /// How many elements these are, if they are whole ones of the pointer's type.
    pub(super) shift: u64,
}

/// The array into which a pointer points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Home {
    /// The object that it is part of.
    pub(super) root: u32,
    /// Bytes from the start of that.
    start: u64,
    /// Of an element, in bytes.
    size: u64,
    count: u64,
    /// The element from which places are counted.
    shift: u64,
}

/// The array of such elements that is in an object of this type at an offset, or ends there: where it begins, and how many
/// elements it has.
fn array_at(types: &Types, whole: TypeId, element: TypeId, offset: u64) -> Option<(u64, u64)> {
    match types.stripped(types.definition(whole).unwrap_or(whole)) {
        CType::Array { of, count: Some(count) } if types.strip(*of) == types.strip(element) => {
            (offset <= types.size_of(*of)?.checked_mul(*count)?).then_some((0, *count))
        }
        CType::Struct(record) => record.fields.iter().filter(|field| field.offset <= offset).find_map(|field| {
            let (at, count) = array_at(types, field.ty, element, offset - field.offset)?;
            Some((field.offset + at, count))
        }),
        _ => None,
    }
}

impl Root {
    /// What a test calls the object.
    pub(super) fn case_name(&self) -> String {
        match self.shift {
            0 => self.name.clone(),
            shift => format!("({} - {shift})", self.name),
        }
    }

    /// What a test calls a part of it: indices count from the object's start there, and from the pointer in runs.
    pub(super) fn case_path(&self, name: &str) -> String {
        let index = || {
            let (index, rest) = name.strip_prefix(self.name.as_str())?.strip_prefix('[')?.split_once(']')?;
            let index = index.parse::<i64>().ok()?.checked_add_unsigned(self.shift)?;
            Some(format!("{}[{index}]{rest}", self.case_name()))
        };
        if self.shift == 0 { name.to_owned() } else { index().unwrap_or_else(|| name.to_owned()) }
    }
}

impl Symbolic<'_> {
    /// The object that a pointer of this name gets.
    pub(super) fn form(&self, name: &str, element: TypeId, usual: u64) -> Form {
        let types = &self.image.program().types;
        let plain = Form { element, count: usual, entry: 0, shift: 0 };
        let size = types.size_of(element).unwrap_or(0);
        let shapes = &self.cx.options.shapes;
        if shapes.is_empty() || size == 0 {
            return plain;
        }
        let room = match shapes.room(name) {
            Some(Room::Part(whole, at)) => {
                return Form { element: whole, count: 1, entry: at, shift: 0 };
            }
            Some(Room::Bytes(bytes)) => bytes.div_ceil(size),
            None => 0,
        };
        // Those that come later may be before the first one.
        let (count, shift) = match shapes.group(name) {
            Some(_) => (self.cx.options.array_len, room.max(self.cx.options.array_len / 2)),
            None => (usual, room),
        };
        Form { element, count: count + shift, entry: shift * size, shift }
    }

    /// The object into which others of its group point, or of which an array is that the pointer points into.
    pub(super) fn home(&self, name: &str, size: u64) -> Option<Home> {
        let shapes = &self.cx.options.shapes;
        if let Some((whole, start, count)) = shapes.inside.get(name) {
            let is_whole = |root: &Root| root.name == *whole && root.address != 0;
            let root = self.roots.iter().position(is_whole)? as u32;
            return (size > 0).then_some(Home { root, start: *start, size, count: *count, shift: 0 });
        }
        let group = shapes.group(name)?;
        let is_home = |root: &Root| root.group == Some(group) && root.address != 0 && root.element_size == size;
        let number = self.roots.iter().position(is_home)?;
        let Root { count, shift, .. } = self.roots[number];
        Some(Home { root: number as u32, start: 0, size, count, shift })
    }

    /// A pointer somewhere into an object, or one past its end: where is a term.
    pub(super) fn point_into(&mut self, at: Site, (waiting, name): (Waiting, &str), home: Home) -> Cell<Term> {
        let Home { root: number, start, size, count, shift } = home;
        let root = &self.roots[number as usize];
        let address = root.address + start;
        // Counted from where the first pointer points, so that small numbers are near it.
        let var = self.cx.var(&format!("&{name} - &{}", root.pointer), Sort::Bv(64));
        let is_inside = |distance: &i64| shift.checked_add_signed(*distance).is_some_and(|index| index <= count);
        let known = self.model.get(var).and_then(|v| v.bits()).map(|bits| bits as i64);
        let seeded = || self.seed.as_ref().and_then(|seed| seed.distance(name, start, size));
        let distance = known.or_else(seeded).filter(is_inside).unwrap_or(0);
        self.used_bits(var, u128::from(distance as u64));
        let index = shift.saturating_add_signed(distance);
        let terms = &mut self.cx.terms;
        let (from, most) = (terms.bv(u128::from(shift), 64), terms.bv(u128::from(count), 64));
        let (bytes, base) = (terms.bv(u128::from(size), 64), terms.bv(u128::from(address), 64));
        let moved = terms.var_term(var);
        let moved = terms.add(moved, from);
        let (inside, offset) = (terms.ule(moved, most), terms.mul(moved, bytes));
        let term = terms.add(base, offset);
        self.event(at, EventKind::Pointer, number, inside, Vec::new());
        self.limit(Cause::Shaped(waiting.root, waiting.leaf));
        let to = Target::Root(number, start + index * size);
        self.recorded.push(Recorded::Pointer { root: waiting.root, offset: waiting.offset, name: name.to_owned(), to });
        let width = self.image.program().target.pointer_size() as u32;
        let term = memory::value(&mut self.cx.terms, term, Type::Int(8 * width as u8));
        Cell::Scalar { bits: u128::from(address + index * size), size: width, term: Some(term) }
    }

    /// What a run does may depend on whether two objects are one.
    pub(super) fn want_one_object(&self, surely: bool, a: &Root, b: &Root) {
        let is_free = |root: &Root| matches!(root.kind, RootKind::Object(_)) && root.sized_by_us;
        let fit = is_free(a) && is_free(b) && a.element_size == b.element_size && a.element_size > 0;
        if self.muted || self.cx.options.distinct || !fit {
            return;
        }
        let (one, other) = (a.pointer.clone(), b.pointer.clone());
        if one != other {
            self.wants.borrow_mut().insert(Want::Together { one, other, surely });
        }
    }

    /// A pointer was put in an order with an address in an object that has an array of the pointer's type there.
    pub(super) fn want_inside(&self, ordered: bool, of: &Root, (whole, offset): (&Root, u64)) {
        let is_free = matches!(of.kind, RootKind::Object(_)) && of.sized_by_us && !self.cx.options.distinct;
        let is_object = matches!(whole.kind, RootKind::Object(_)) && whole.count == 1;
        if !ordered || self.muted || !is_free || !is_object {
            return;
        }
        let types = &self.image.program().types;
        if let Some((at, count)) = array_at(types, whole.element, of.element, offset) {
            let (pointer, whole) = (of.pointer.clone(), whole.name.clone());
            self.wants.borrow_mut().insert(Want::Inside { pointer, whole, at, count });
        }
    }

    /// What the run would have needed.
    pub fn wants(&self, trap: Option<&Trap>) -> BTreeSet<Want> {
        let mut wants = self.wants.borrow().clone();
        let about = trap.filter(|trap| trap.kind == TrapKind::OutOfBounds).and_then(|trap| trap.about);
        let Some(about) = about else { return self.new_wants(wants) };
        let Some(root) = self.object_at(about.base).filter(|root| root.sized_by_us) else {
            return self.new_wants(wants);
        };
        let pointer = root.pointer.clone();
        // It went past what it was compared with, which was somewhere else.
        let passed: Vec<Want> = wants
            .iter()
            .filter_map(|want| match want {
                Want::Together { one, other, .. } if *one == pointer || *other == pointer => {
                    Some(Want::Together { one: one.clone(), other: other.clone(), surely: true })
                }
                _ => None,
            })
            .collect();
        wants.extend(passed);
        if let Some(before) =
            about.offset.checked_neg().and_then(|before| u64::try_from(before).ok()).filter(|&b| b > 0)
        {
            let (element, bytes) = (root.element, before.saturating_add(root.entry));
            wants.insert(Want::Room { pointer, element, bytes });
        }
        self.new_wants(wants)
    }

    fn new_wants(&self, mut wants: BTreeSet<Want>) -> BTreeSet<Want> {
        wants.retain(|want| !self.cx.options.shapes.has(want));
        wants
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn room(bytes: u64) -> Want {
        Want::Room { pointer: "s".into(), element: TypeId::from_u32(0), bytes }
    }

    fn together(one: &str, other: &str) -> Want {
        Want::Together { one: one.into(), other: other.into(), surely: true }
    }

    #[test]
    fn room_grows_up_to_a_bound() {
        let mut shapes = Shapes::default();
        assert!(!shapes.has(&room(1)));
        shapes.grant(&room(1), None);
        assert_eq!(shapes.room("s"), Some(Room::Bytes(16)));
        assert!(shapes.has(&room(16)) && !shapes.has(&room(17)));
        shapes.grant(&room(17), None);
        assert_eq!(shapes.room("s"), Some(Room::Bytes(64)));
        assert!(shapes.has(&room(5000)), "nothing is large enough");
    }

    #[test]
    fn a_part_is_taken_where_it_is_far_enough_from_the_start() {
        let whole = TypeId::from_u32(7);
        let mut shapes = Shapes::default();
        shapes.grant(&room(8), Some((whole, 4)));
        assert_eq!(shapes.room("s"), Some(Room::Bytes(16)));
        shapes.grant(&room(20), Some((whole, 24)));
        assert_eq!(shapes.room("s"), Some(Room::Part(whole, 24)));
        assert!(shapes.has(&room(25)));
    }

    #[test]
    fn a_pointer_among_others_gets_little_room() {
        let mut shapes = Shapes::default();
        shapes.grant(&together("s", "end"), None);
        shapes.grant(&room(36), None);
        assert_eq!(shapes.room("s"), Some(Room::Bytes(64)));
        assert!(shapes.has(&room(65)));
    }

    #[test]
    fn groups_that_have_a_pointer_in_common_are_one() {
        let mut shapes = Shapes::default();
        shapes.grant(&together("a", "b"), None);
        shapes.grant(&together("c", "d"), None);
        assert!(shapes.has(&together("b", "a")) && !shapes.has(&together("a", "c")));
        shapes.grant(&together("b", "c"), None);
        assert!(shapes.has(&together("a", "d")) && shapes.is_cursor("d") && !shapes.is_cursor("e"));
    }
}
