//! What a run read of its inputs, in the order in which it did.

use covenant_constraints::Sort;
use covenant_goals::test_case::{DeviceAccess, Pointer};
use covenant_interpreter::given::ProcessInput;
use covenant_interpreter::shadow::{Cell, Pointee, Site, Waiting};
use covenant_program::ir::{FuncId, Type};
use covenant_program::types::{CType, TypeId};

use super::inputs::{self, CellKind, Root, RootKind};
use super::limits::Cause;
use super::shapes::Form;
use super::{EventKind, Symbolic};
use crate::meaning::pure::Term;

/// One input.
#[derive(Clone, PartialEq, Debug)]
pub enum Recorded {
    /// A number that is part of an object.
    Scalar {
        /// The object.
        root: u32,
        /// Bytes from its start.
        offset: u64,
        /// As C writes it.
        name: String,
        /// Its value.
        bits: u128,
        /// In bytes.
        size: u32,
        /// Whether it has a sign.
        signed: bool,
        /// Whether it is a floating-point number.
        float: bool,
    },
    /// A pointer that is part of an object.
    Pointer {
        /// The object.
        root: u32,
        /// Bytes from its start.
        offset: u64,
        /// As C writes it.
        name: String,
        /// What it points to.
        to: Target,
    },
    /// What an undefined function returned.
    Call {
        /// The function.
        function: String,
        /// The parts of its result.
        values: Vec<(u128, Type)>,
        /// Where the result points, if that is what a call before gave.
        to: Option<Target>,
        /// The function's type, as the source has it.
        declared: Option<TypeId>,
    },
    /// A call of the C library that failed.
    Failure {
        /// The function.
        function: String,
        /// Which of its calls by the program, from 1.
        call: u32,
    },
    /// What was read of a device register, or written to it.
    Device(DeviceAccess),
    /// What the process was given.
    Process {
        /// Which of its inputs.
        what: ProcessInput,
        /// What it is.
        byte: u8,
    },
    /// What a call wrote through its pointer.
    Bytes {
        /// The function that was called.
        function: String,
        /// What the program calls the bytes.
        label: String,
        /// What they are.
        bytes: Vec<u8>,
    },
}

/// What a pointer input is.
#[derive(Clone, PartialEq, Debug)]
pub enum Target {
    Null,
    /// The number of a root, and bytes from its start.
    Root(u32, u64),
    Function(String),
    /// What an argument of the call points to whose result it is.
    Argument(u32),
}

/// The choice of a pointer somewhere into an object that is there, with the root of that.
const INSIDE: u32 = 1 << 30; // not tuning: how choices are told apart
/// The choice of an argument as the result of a call, with its number.
const ARGUMENT: u32 = 1 << 29; // not tuning: how choices are told apart
/// Objects behind pointers inside objects are null by default beyond this depth.
const DEFAULT_DEPTH: u32 = 1; // not tuning: what an input is that no test mentions

impl Symbolic<'_> {
    pub(super) fn record_scalar(&mut self, waiting: Waiting, name: &str, bits: u128) {
        let layout = &self.roots[waiting.root as usize].cells[waiting.leaf as usize];
        let signed = matches!(layout.kind, CellKind::Int { signed: true });
        let float = layout.kind == CellKind::Float;
        let (root, offset, size, name) = (waiting.root, waiting.offset, layout.size, name.to_owned());
        self.recorded.push(Recorded::Scalar { root, offset, name, bits, size, signed, float });
    }

    /// A new root; its number.
    pub fn add_root(&mut self, kind: RootKind, name: String, element: TypeId, count: u64, depth: u32) -> u32 {
        self.add_shifted(kind, name, element, (count, 0), depth)
    }

    /// The same with so many of the elements before the one that a pointer points to.
    fn add_shifted(
        &mut self,
        kind: RootKind,
        name: String,
        element: TypeId,
        (count, shift): (u64, u64),
        depth: u32,
    ) -> u32 {
        let types = &self.image.program().types;
        let exact = matches!(kind, RootKind::Object(_)) && depth == 1 && !self.lengths.is_empty();
        let may_be_text = match kind {
            RootKind::Object(_) => !exact,
            RootKind::Call { param, .. } => param.is_some() && count > 1,
            _ => false,
        };
        let is_string = may_be_text && inputs::is_character(types, element);
        // What a pointer points to may have a flexible array at its end; what is passed or kept by value has none, nor has what is
        // as large as the user says.
        let is_object = matches!(kind, RootKind::Object(_));
        let tail = if is_object && count == 1 && !exact { self.cx.options.array_len } else { 0 };
        let (cells, cut) = self.cx.layout(types, element, (count, shift, tail), is_string);
        let has_kin = matches!(kind, RootKind::Param(_) | RootKind::Global(_));
        let object = self.cx.object(&name, element, count, cells.len(), has_kin);
        let element_size = match tail {
            0 => types.size_of(element),
            _ => self.cx.options.element_size(types, element),
        };
        let element_size = element_size.unwrap_or(0);
        let (partial, sized_by_us) =
            (cut || is_string || cells.is_empty(), is_object && !exact && !self.cx.options.assumes_len);
        if cut && element_size > 0 {
            let what = "parts of it are not varied (too large, or long double)";
            self.cx.limits.insert(format!("{name}: {what}"));
        }
        let exposed = is_object;
        self.roots.push(Root {
            kind,
            name,
            object,
            element,
            element_size,
            count,
            pointer: String::new(),
            entry: 0,
            shift,
            group: None,
            cells,
            address: 0,
            depth,
            partial,
            is_string,
            sized_by_us,
            exposed,
            stream: None,
        });
        self.roots.len() as u32 - 1
    }

    /// A global that has its initial value in all runs, though it may have others.
    pub fn add_kept(&mut self, name: String, ty: TypeId) -> u32 {
        let root = self.add_root(RootKind::Global(name.clone()), name, ty, 1, 0);
        self.expose(root);
        let kept = &mut self.roots[root as usize];
        (kept.cells, kept.partial) = (std::sync::Arc::from([]), true);
        root
    }

    /// What an object pointer points to: 0 nothing, 1 a fresh object, others those that are there, by their root.
    pub(super) fn choose_object(&mut self, at: Site, waiting: Waiting, name: &str, to: TypeId) -> Cell<Term> {
        let program = self.image.program();
        let types = &program.types;
        // The name that the source gives the type, where that is defined: it may have no other.
        let declared = if types.size_of(to).is_some() { to } else { types.definition(to).unwrap_or(to) };
        let is_void = matches!(types.stripped(declared), CType::Void);
        let defined = types.byte().filter(|_| is_void).unwrap_or(declared);
        let is_stream = inputs::is_stream(types, defined);
        let size = types.size_of(defined).or(is_stream.then_some(1));
        let depth = self.roots[waiting.root as usize].depth + 1;
        let mut choices: Vec<u32> = Vec::new();
        let is_result = matches!(self.roots[waiting.root as usize].kind, RootKind::Call { param: None, .. });
        if self.cx.options.nullable || is_result {
            choices.push(0);
        }
        choices.push(1);
        if size.is_none() {
            self.cx
                .limits
                .insert(format!("{name}: points to a type that only other code looks into, NULL or a handle"));
            self.limit(Cause::Opaque(waiting.root, waiting.leaf));
        }
        let same = |r: &Root| matches!(r.kind, RootKind::Object(_)) && types.strip(r.element) == types.strip(defined);
        let there = self.roots.iter().enumerate().filter(|(_, r)| same(r) && r.address != 0);
        let home = self.home(name, size.unwrap_or(0)).filter(|_| !is_stream);
        let there = there.filter(|(i, _)| !self.cx.options.distinct && home.map(|home| home.root) != Some(*i as u32));
        choices.extend(there.map(|(i, _)| i as u32 + 2));
        choices.extend(home.map(|home| INSIDE | home.root));
        let arguments = if is_result { self.arguments_like(to) } else { Vec::new() };
        choices.extend(arguments.iter().map(|(param, _)| ARGUMENT | param));
        let is_cursor = self.cx.options.shapes.is_cursor(name);
        let default = if depth <= DEFAULT_DEPTH || !self.cx.options.nullable || is_cursor { 1 } else { 0 };
        let default = home.map_or(default, |home| INSIDE | home.root);
        let default = if is_result { self.usual_result(&arguments) } else { default };
        let default = self.seeded_object(name, home.map(|home| home.root)).unwrap_or(default);
        let chosen = self.choose(at, name, &choices, default);
        if let Some(home) = home.filter(|home| chosen == INSIDE | home.root) {
            return self.point_into(at, (waiting, name), home);
        }
        let (root, offset) = (waiting.root, waiting.offset);
        let (pointee, target) = match chosen {
            0 => (Pointee::Null, Target::Null),
            1 if is_stream => {
                self.limit(Cause::Stream(waiting.root, waiting.leaf));
                self.fresh_stream(name, defined, depth)
            }
            1 => {
                let length = match self.roots[waiting.root as usize].kind {
                    RootKind::Param(index) if waiting.offset == 0 => self.lengths.get(&index).copied(),
                    _ => None,
                };
                let made = self.fresh(name, defined, depth, length);
                self.limit_shaped(waiting, &made.1);
                if let (true, Target::Root(root, _)) = (is_void, &made.1) {
                    self.roots[*root as usize].sized_by_us = true;
                }
                made
            }
            k if k & ARGUMENT != 0 => {
                let argument = arguments.iter().find(|(param, _)| ARGUMENT | param == k);
                let &(param, address) = argument.unwrap_or(&(0, 0));
                (Pointee::Address(address), Target::Argument(param))
            }
            k => {
                let root = &self.roots[k as usize - 2];
                let entry = root.shift * root.element_size;
                (Pointee::Address(root.address + entry), Target::Root(k - 2, entry))
            }
        };
        self.recorded.push(Recorded::Pointer { root, offset, name: name.to_owned(), to: target });
        Cell::Pointer(pointee)
    }

    /// What a call returns by default: an argument or a new object the first time, and then NULL, since many loops end with that.
    fn usual_result(&self, arguments: &[(u32, u64)]) -> u32 {
        match arguments.first() {
            _ if !self.calls.is_first => 0,
            Some((param, _)) => ARGUMENT | param,
            None => 1,
        }
    }

    /// The number of the next object.
    pub(super) fn next_object(&self) -> u32 {
        1 + self.roots.iter().filter(|r| matches!(r.kind, RootKind::Object(_))).count() as u32
    }

    fn fresh(&mut self, name: &str, element: TypeId, depth: u32, length: Option<u64>) -> (Pointee, Target) {
        let number = self.next_object();
        let types = &self.image.program().types;
        let form = match length {
            Some(count) => Form { element, count, entry: 0, shift: 0 },
            // A handle: only that it is another one than others counts.
            None if types.size_of(element).is_none() => Form { element, count: 1, entry: 0, shift: 0 },
            None => self.form(name, element, self.cx.options.usual_count(types, element)),
        };
        let label = match form.count {
            1 if form.element != element => format!("(*{}_of_{name})", word(&types.spell(form.element, ""))),
            1 => format!("(*{name})"),
            _ => name.to_owned(),
        };
        let kind = RootKind::Object(number);
        let root = self.add_shifted(kind, label, form.element, (form.count, form.shift), depth);
        let made = &mut self.roots[root as usize];
        (made.pointer, made.entry) = (name.to_owned(), form.entry);
        made.group = self.cx.options.shapes.group(name);
        let size = made.element_size * form.count;
        if let Some(seed) = &mut self.seed {
            seed.made(name, root);
        }
        (Pointee::Fresh { root, size, entry: form.entry }, Target::Root(root, form.entry))
    }

    /// What a pointer to a function is. A global that has one from the start begins with that.
    pub(super) fn choose_function(
        &mut self,
        at: Site,
        (waiting, now): (Waiting, u128),
        name: &str,
        ty: TypeId,
    ) -> Pointee {
        let program = self.image.program();
        let mut functions = inputs::functions_of(program, ty);
        let initial = u64::try_from(now).ok().filter(|&now| now != 0).and_then(|now| self.image.function_at(now));
        functions.extend(initial.filter(|id| !functions.contains(id)));
        // A caller may have functions of its own.
        self.limit(Cause::Function(waiting.root, waiting.leaf));
        let mut choices: Vec<u32> = Vec::new();
        if self.cx.options.nullable || functions.is_empty() {
            choices.push(0);
        }
        choices.extend((0..functions.len()).map(|i| i as u32 + 1));
        let first = initial.and_then(|id| functions.iter().position(|other| *other == id)).unwrap_or(0);
        let default = if functions.is_empty() { 0 } else { first as u32 + 1 };
        let default = self.seeded_function(name, &functions).unwrap_or(default);
        let chosen = self.choose(at, name, &choices, default);
        let (root, offset) = (waiting.root, waiting.offset);
        let (pointee, to) = match chosen.checked_sub(1).and_then(|i| functions.get(i as usize)) {
            None => (Pointee::Null, Target::Null),
            Some(&id) => {
                let address = self.image.function_address(id);
                (Pointee::Address(address), Target::Function(program.functions[id].source_name().to_owned()))
            }
        };
        self.recorded.push(Recorded::Pointer { root, offset, name: name.to_owned(), to });
        pointee
    }

    /// The choice of an object pointer in the test that the run starts from.
    fn seeded_object(&self, name: &str, home: Option<u32>) -> Option<u32> {
        let seed = self.seed.as_ref()?;
        match seed.pointer(name)? {
            Pointer::Argument(param) => Some(ARGUMENT | param),
            Pointer::Object { id, .. } => Some(match (seed.root(*id), home) {
                (Some(root), Some(home)) if root == home => INSIDE | home,
                (Some(root), _) => root + 2,
                (None, _) => 1,
            }),
            _ => Some(0),
        }
    }

    fn seeded_function(&self, name: &str, functions: &[FuncId]) -> Option<u32> {
        match self.seed.as_ref()?.pointer(name)? {
            Pointer::Function(wanted) => {
                let named = |id: &FuncId| self.image.program().functions[*id].source_name() == wanted;
                functions.iter().position(named).map(|at| at as u32 + 1)
            }
            _ => Some(0),
        }
    }

    /// Takes one of the choices, as an event.
    pub(super) fn choose(&mut self, at: Site, name: &str, choices: &[u32], default: u32) -> u32 {
        let var = self.cx.var(&format!("&{name}"), Sort::Bv(32));
        let wanted = self.model.get(var).and_then(|v| v.bits()).map_or(default, |bits| bits as u32);
        let chosen = if choices.contains(&wanted) { wanted } else { choices.first().copied().unwrap_or(0) };
        self.used_bits(var, u128::from(chosen));
        if self.cx.blind {
            return chosen;
        }
        let terms = &mut self.cx.terms;
        let term = terms.var_term(var);
        let mut ways = Vec::new();
        for &choice in choices {
            let constant = terms.bv(u128::from(choice), 32);
            ways.push((choice, terms.eq(term, constant)));
        }
        let Some(&(_, constraint)) = ways.iter().find(|(choice, _)| *choice == chosen) else { return chosen };
        ways.retain(|(choice, _)| *choice != chosen);
        self.event(at, EventKind::Pointer, chosen, constraint, ways);
        chosen
    }
}

/// The last word of a type's name.
fn word(ty: &str) -> &str {
    ty.rsplit(|c: char| !c.is_alphanumeric() && c != '_').find(|word| !word.is_empty()).unwrap_or("object")
}
