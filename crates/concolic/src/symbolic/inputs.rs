//! The input space: what is an input, of which type, and how it is named.
//!
//! An input object is a *root*: a parameter, a global, or what a pointer input points to. Its scalars (*cells*) become
//! inputs when they are first read. What a pointer input points to (nothing, a fresh object, one that is there already, a
//! function) is a choice of the path, flipped like any other, and no term. Only where pointers share an object (`shapes`) is it a
//! term where in that they point.

use std::sync::Arc;

use covenant_interpreter::given::NamedKind;
use covenant_program::ir::{Origin, Program};
use covenant_program::types::{CType, TypeId, Types};
use covenant_program::world::Failures;

use super::several;
use super::shapes::Shapes;

/// Scalars of one object beyond this are not inputs but keep their initial values, and that is stated.
const MOST_CELLS: usize = 1 << 16; // not tuning: what the inputs are, which tests and proofs are about

/// What a call of an undefined function does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Stubbed {
    /// It ends the run.
    Ends,
    /// It gives any result.
    Any,
    /// It gives any result, but the same for the same arguments.
    Pure,
    /// It gives any result, and writes what it likes through the pointers that it is given.
    #[default]
    Writes,
    /// The same, and it writes variables that are not static.
    Globals,
}

/// The most that a process is given.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Process {
    /// How many arguments.
    pub args: u32,
    /// Characters of each.
    pub length: u32,
    /// Bytes of standard input.
    pub stdin: u32,
    /// Whether it may be given more of these where something is open.
    pub grows: bool,
    /// Files and variables of the environment: what it is, its name, and its most bytes.
    pub named: Vec<(NamedKind, String, u32)>,
    /// Whether files may have more bytes than that where something is open.
    pub files_grow: bool,
}

impl Process {
    /// The same with so many times as much.
    pub fn times(&self, factor: u32) -> Process {
        let longer = |kind: NamedKind, most: u32| match kind {
            NamedKind::File if self.files_grow => most.saturating_mul(factor),
            _ => most,
        };
        let named = self.named.iter().map(|(kind, name, most)| (*kind, name.clone(), longer(*kind, *most))).collect();
        if !self.grows {
            return Process { named, ..self.clone() };
        }
        // The bytes of arguments are there from the start, whether they are read or not.
        let (args, length) =
            (self.args.saturating_mul(factor.min(MOST_FACTOR)), self.length.saturating_mul(factor.min(MOST_FACTOR)));
        Process { args, length, stdin: self.stdin.saturating_mul(factor), named, ..self.clone() }
    }
}

/// How many times as many arguments are tried as usual, and of so many times their length.
const MOST_FACTOR: u32 = 4; // not tuning: what the inputs are

/// Limits of the input space.
#[derive(Clone, Debug)]
pub struct InputOptions {
    /// May pointer inputs be NULL?
    pub nullable: bool,
    /// Does each pointer input mean an object of its own?
    pub distinct: bool,
    /// Elements of the object behind a pointer input.
    pub array_len: u64,
    /// The same where they are structs with pointers, which mostly are nodes.
    pub nodes: u64,
    /// Whether it is the user who says how many: only then proofs rest on it.
    pub assumes_len: bool,
    /// Which pointers do not point to the first byte of an object of their own.
    pub shapes: Shapes,
    /// What an undefined function does.
    pub stubs: Stubbed,
    /// The same for some functions by name.
    pub stubs_by_name: std::collections::BTreeMap<String, Stubbed>,
    /// Which calls of the C library may fail at any time.
    pub failures: Failures,
    /// What a whole program is given.
    pub process: Process,
}

impl Default for InputOptions {
    fn default() -> Self {
        InputOptions {
            nullable: true,
            distinct: false,
            array_len: 16,
            nodes: 1,
            assumes_len: false,
            shapes: Shapes::default(),
            stubs: Stubbed::default(),
            stubs_by_name: Default::default(),
            failures: Failures::default(),
            process: Process::default(),
        }
    }
}

impl InputOptions {
    /// Larger objects: so many elements, and so many of those that are structs with pointers; for a process so much more of what it is given.
    pub fn enlarged(&mut self, elements: u64, nodes: u64) {
        let factor = u32::try_from(elements / InputOptions::default().array_len).unwrap_or(1);
        (self.array_len, self.nodes, self.process) = (elements, nodes, self.process.times(factor));
    }

    /// Elements of a fresh object.
    pub(super) fn usual_count(&self, types: &Types, element: TypeId) -> u64 {
        let has_pointer = types.leaves(element).any(|leaf| matches!(types.stripped(leaf.ty), CType::Pointer(_)));
        let is_record = matches!(types.stripped(element), CType::Struct(_) | CType::Union(_));
        match types.flexible(element) {
            Some(_) => 1,
            None if has_pointer && is_record => self.nodes,
            None => self.array_len,
        }
    }

    /// Bytes of an element of a fresh object. One that ends with a flexible array has some elements of that, too.
    pub(super) fn element_size(&self, types: &Types, element: TypeId) -> Option<u64> {
        let size = types.size_of(element)?;
        let tail = types
            .flexible(element)
            .and_then(|(start, _, of)| types.size_of(of)?.checked_mul(self.array_len)?.checked_add(start));
        Some(tail.unwrap_or(0).max(size))
    }

    /// Bytes of each object that a pointer of this type can point to, and whether they are all; `None`: not known, or not a
    /// pointer to objects. How many elements runs have there is a choice of ours, so that without a word of the user an object
    /// has the one that its type says.
    pub fn object_size(&self, types: &Types, pointer: TypeId) -> Option<(u64, bool)> {
        let CType::Pointer(to) = types.stripped(pointer) else { return None };
        let element = types.definition(*to).unwrap_or(*to);
        let size = types.size_of(element).filter(|&size| size > 0)?;
        match self.assumes_len {
            true if types.flexible(element).is_some() => Some((self.element_size(types, element)?, true)),
            true => Some((size.checked_mul(self.usual_count(types, element))?, true)),
            false => Some((size, false)),
        }
    }

    /// Whether the user says of this undefined function that it writes nothing.
    pub fn writes_nothing(&self, function: &str) -> bool {
        covenant_program::world::is_harness(function) || self.harmless().any(|name| name == function)
    }

    /// Undefined functions of which the user says that they write nothing.
    pub fn harmless(&self) -> impl Iterator<Item = &String> {
        let harmless = |kind: &Stubbed| !matches!(kind, Stubbed::Writes | Stubbed::Globals);
        self.stubs_by_name.iter().filter(move |(_, kind)| harmless(kind)).map(|(name, _)| name)
    }

    /// What a call of this undefined function does. A function that the C library has natively is a stub only if it is named.
    pub fn stubbed(&self, function: &str) -> Stubbed {
        let missing = || covenant_program::world::missing(function).is_some();
        let named = self.stubs_by_name.get(function).copied();
        named.unwrap_or_else(|| if missing() { Stubbed::Ends } else { self.stubs })
    }
}

/// Whether it is the C library's `FILE`, which headers may define and which only the library may look into.
pub(super) fn is_stream(types: &Types, ty: TypeId) -> bool {
    matches!(types.stripped(ty), CType::Struct(record) if record.tag.as_deref() == Some("_IO_FILE"))
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CellKind {
    Int {
        signed: bool,
    },
    Bool,
    Float,
    /// To an object of this type.
    Pointer(TypeId),
    /// To a function of this type.
    Function(TypeId),
}

#[derive(Clone, Debug)]
pub(super) struct CellLayout {
    pub(super) offset: u64,
    pub(super) size: u32,
    pub(super) kind: CellKind,
    pub(super) path: String,
}

/// What a root is, for the test case.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RootKind {
    /// A parameter of the function under test, by its number.
    Param(u32),
    /// A global by its name.
    Global(String),
    /// With its number, from 1.
    Object(u32),
    /// What a call of an undefined function gives.
    Call {
        /// The number of the call among those of the test.
        call: u32,
        /// The parameter that it is written through; `None`: it is the result.
        param: Option<u32>,
    },
}

#[derive(Clone, Debug)]
pub(super) struct Root {
    pub(super) kind: RootKind,
    pub(super) name: String,
    /// Its number among the objects of all runs.
    pub(super) object: u32,
    pub(super) element: TypeId,
    pub(super) element_size: u64,
    pub(super) count: u64,
    /// The pointer that it was made for, as the source names it; empty: for none.
    pub(super) pointer: String,
    /// Where in it that pointer points, in bytes from its start.
    pub(super) entry: u64,
    /// The elements before that, by which indices in names are less.
    pub(super) shift: u64,
    /// Which pointers may point into it, by the number of their group.
    pub(super) group: Option<usize>,
    pub(super) cells: Arc<[CellLayout]>,
    pub(super) address: u64,
    pub(super) depth: u32,
    /// Whether some of its bytes are always the same in runs: the end of a text, or what has a type that is not varied.
    pub(super) partial: bool,
    /// Whether the text ends where we say.
    pub(super) is_string: bool,
    /// Whether its size is a choice of ours.
    pub(super) sized_by_us: bool,
    /// Whether others may point into it.
    pub(super) exposed: bool,
    /// How many bytes the content of a stream has, as far as the run knows; `None`: it is none.
    pub(super) stream: Option<u64>,
}

impl Root {
    /// The name of a cell, no other's: a member of many bits has several bytes, each an input of its own.
    pub(super) fn own_name(&self, leaf: u32) -> String {
        let at = leaf as usize;
        let path = |at: usize| self.cells.get(at).map_or("", |cell| cell.path.as_str());
        let first = self.cells[..at].iter().rev().take_while(|cell| cell.path == path(at)).count();
        match first {
            0 => format!("{}{}", self.name, path(at)),
            byte => format!("{}{}@{byte}", self.name, path(at)),
        }
    }
}

/// The scalars of `count` elements of a type, of which `shift` are before the one with the index 0. The second result says if
/// some were left out.
/// `tail`: elements of the flexible array at the end of the last of them.
pub(super) fn cells(
    types: &Types,
    element: TypeId,
    (count, shift, tail): (u64, u64, u64),
    is_string: bool,
) -> (Arc<[CellLayout]>, bool) {
    let size = types.size_of(element).unwrap_or(0);
    let mut out: Vec<CellLayout> = Vec::new();
    let mut cut = false;
    for index in 0..count {
        for leaf in types.leaves(element) {
            if out.len() >= MOST_CELLS {
                cut = true;
                break;
            }
            let prefix = if count > 1 { format!("[{}]", index as i64 - shift as i64) } else { String::new() };
            let (offset, path) = (index * size + leaf.offset, format!("{prefix}{}", leaf.path));
            match leaf.bits {
                None => match several::cells(types, leaf.ty, offset, &path) {
                    Some(cells) => out.extend(cells),
                    None => {
                        let cell = cell(types, leaf.ty, offset, path);
                        cut |= cell.is_none();
                        out.extend(cell);
                    }
                },
                Some(bits) => {
                    for byte in offset..offset + bits.bytes() {
                        if out.last().is_none_or(|last| last.offset < byte) {
                            let kind = CellKind::Int { signed: false };
                            out.push(CellLayout { offset: byte, size: 1, kind, path: path.clone() });
                        }
                    }
                }
            }
        }
    }
    if let Some((start, name, of)) = types.flexible(element).filter(|_| tail > 0 && count == 1) {
        let size = types.size_of(of).unwrap_or(0);
        for (index, leaf) in (0..tail).flat_map(|index| types.leaves(of).map(move |leaf| (index, leaf))) {
            let path = format!(".{name}[{index}]{}", leaf.path);
            let cell = cell(types, leaf.ty, start + index * size + leaf.offset, path);
            let cell = cell.filter(|_| leaf.bits.is_none() && out.len() < MOST_CELLS);
            cut |= cell.is_none();
            out.extend(cell);
        }
    }
    if is_string {
        // The last character is the end of the string.
        out.pop();
    }
    (out.into(), cut)
}

fn cell(types: &Types, ty: TypeId, offset: u64, path: String) -> Option<CellLayout> {
    let (size, kind) = match types.stripped(ty) {
        CType::Bool => (1, CellKind::Bool),
        CType::Int { size, signed, .. } => (*size, CellKind::Int { signed: *signed }),
        CType::Enum(e) => (e.size, CellKind::Int { signed: e.signed }),
        CType::Float { size, .. } if *size <= 8 => (*size, CellKind::Float),
        CType::Pointer(to) => match types.stripped(*to) {
            CType::Function(_) => (types.pointer_size(), CellKind::Function(*to)),
            _ => (types.pointer_size(), CellKind::Pointer(*to)),
        },
        _ => return None,
    };
    (size <= 16).then_some(CellLayout { offset, size: size as u32, kind, path })
}

/// Functions that a pointer of this function type can point to.
pub(super) fn functions_of(program: &Program, ty: TypeId) -> Vec<covenant_program::ir::FuncId> {
    let wanted = program.types.strip(ty);
    let fits = |t: Option<TypeId>| t.is_some_and(|t| program.types.strip(t) == wanted);
    let subject = program.functions.iter().filter(|(_, f)| f.origin == Origin::Subject);
    let subject = subject.filter(|(_, f)| !f.name.starts_with("__covenant"));
    // One that nobody defines has a type only if it stands for a caller's own. It comes last.
    let (defined, others): (Vec<_>, Vec<_>) =
        subject.filter(|(_, f)| fits(f.source.ty)).partition(|(_, f)| f.body.is_some());
    defined.into_iter().chain(others).map(|(id, _)| id).collect()
}

/// All functions that a pointer among the inputs can point to, whatever its type, in the order of their numbers. Who asks the
/// call graph about runs with such inputs must name them: nobody need take their address.
pub fn offered_functions(program: &Program) -> Vec<covenant_program::ir::FuncId> {
    let types = &program.types;
    let pointed = types.iter().filter_map(|(_, ty)| match ty {
        CType::Pointer(to) => Some(types.strip(*to)),
        _ => None,
    });
    let behind: std::collections::BTreeSet<TypeId> = pointed.collect();
    let functions = behind.into_iter().filter(|&ty| matches!(types.stripped(ty), CType::Function(_)));
    let offered: std::collections::BTreeSet<_> = functions.flat_map(|ty| functions_of(program, ty)).collect();
    offered.into_iter().collect()
}

/// Whether objects behind this pointer are taken for strings.
pub(super) fn is_character(types: &Types, ty: TypeId) -> bool {
    // `signed char` and `unsigned char` are small numbers.
    matches!(types.stripped(ty), CType::Int { name, size: 1, .. } if name == "char")
}
