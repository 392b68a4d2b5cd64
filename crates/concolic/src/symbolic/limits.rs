//! Where a run goes on with something that we chose and that a caller, the world or another machine may have otherwise.
//!
//! A limit costs tests, and it must never look like a proof. So a run says at which of its places it met one: what can come
//! behind such a place is not decided by all paths being known. What comes before, and what no way leads to from there, is.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use covenant_interpreter::shadow::{self, Side, Waiting};
use covenant_interpreter::{Trap, TrapKind};
use covenant_program::analysis::{exposed_globals, part_used_of_call};
use covenant_program::ir::{Body, Callee, FuncId, Inst, Op, Origin, Program, Type};
use covenant_program::world::{Part, allocates, calls_in_open_order, fixed_part, is_determined};
use rustc_hash::{FxHashMap, FxHashSet};

use super::bytes::ByteTerms;
use super::devices::trap_words;
use super::inputs::{CellKind, Root, RootKind, Stubbed, functions_of};
use super::record::Target;
use super::{ContextId, Symbolic, process};

/// A way that a run took.
pub type Way = (ContextId, (u32, u32, u32));

/// A limit that a run met.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Limit {
    /// The last way that the run took in the subject before; `None`: it took none.
    pub after: Option<Way>,
    /// Whether code may run that is no part of the program, which can call what it has the address of.
    pub calls: bool,
    /// Whether it is the size of an object, or the length of a text.
    pub size: bool,
    /// Whether the run may go otherwise elsewhere: addresses were compared, numbers that differ between libraries,
    /// or a library called back in an order of its own.
    pub elsewhere: bool,
    /// What was chosen, and what would settle it.
    pub words: String,
}

/// What a limit is about. Numbers are those of functions, roots and their cells.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Cause {
    /// A function of the C library of which C leaves open what it gives.
    World(u32),
    /// One that gives memory.
    Allocation(u32),
    /// One of whose result C fixes the sign, or whether it is zero, and the code looks at more of it.
    Part(u32),
    /// What an undefined function writes.
    Effects(u32),
    /// An undefined function gives no pointer and no long double.
    Result(u32),
    Function(u32, u32),
    Opaque(u32, u32),
    /// A stream.
    Stream(u32, u32),
    /// The end of a text.
    Text(u32),
    /// Bytes that are not varied.
    Fixed(u32),
    /// A pointer that is read as a number.
    Number(u32),
    /// A pointer into the middle of an object, or into one with others: not everywhere.
    Shaped(u32, u32),
    /// What was written to the first may be in the second.
    Overlap(u32, u32),
    /// A process was given as much as it is given at most.
    Given,
    Machine(shadow::Limit),
    /// The run went on by what the world chooses, and nobody can count on.
    Unsure,
    /// So many bytes at an address that the program names.
    Device(u64, u64),
    Trap(TrapKind),
}

/// What runs must know of the program to see limits. It is the same for all of them.
#[derive(Debug, Default)]
pub(super) struct Outside {
    /// By function: what a call of it from the subject depends on.
    calls: Vec<Option<Kind>>,
    /// By caller and function of the library: whether the caller looks at more of the result than C fixes.
    more: RefCell<FxHashMap<(u32, u32), bool>>,
    /// Globals that pointers from outside may point into, by name.
    exposed: BTreeSet<String>,
    /// Whether there is a variable that other functions of the program may change, whoever calls them.
    variables: bool,
}

/// What was written of roots: as which types, and at which offsets; `None`: anything.
#[derive(Debug, Default)]
pub(super) struct Stored(FxHashMap<u32, FxHashSet<Write>>);

/// The type of a value that was written, and where, as far as that is known.
type Write = (Option<Type>, Option<u64>);

/// Writes to one root that are told apart.
const MOST_WRITES: usize = 24; // not tuning: a bound on memory; beyond it anything counts as written

impl Stored {
    fn add(&mut self, root: u32, ty: Option<Type>, offset: Option<u64>) {
        let writes = self.0.entry(root).or_default();
        if !writes.contains(&(None, None)) {
            writes.insert((ty, offset));
        }
        if writes.len() > MOST_WRITES {
            *writes = FxHashSet::from_iter([(None, None)]);
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    World,
    Allocation,
    /// Only for callers that look at more of the result than C fixes.
    Part,
}

impl Outside {
    pub(super) fn new(program: &Program) -> Outside {
        let kind = |f: &covenant_program::ir::Function| match f.origin {
            Origin::Library if allocates(&f.name) => Some(Kind::Allocation),
            Origin::Library if !is_determined(&f.name) => Some(Kind::World),
            Origin::Library if fixed_part(&f.name) < Part::Whole => Some(Kind::Part),
            _ => None,
        };
        let variables = program.globals.values().any(|global| global.origin == Origin::Subject && !global.constant);
        let exposed = exposed_globals(program).into_iter().map(|id| name_of(program, id)).collect();
        Outside { calls: program.functions.values().map(kind).collect(), exposed, variables, more: RefCell::default() }
    }
}

/// How a global among the inputs is named.
pub(crate) fn name_of(program: &Program, id: covenant_program::ir::GlobalId) -> String {
    let global = &program.globals[id];
    global.source_name.clone().unwrap_or_else(|| global.name.clone())
}

fn may_call(body: &Body, inst: Inst, callee: FuncId) -> bool {
    match &body.insts[inst].op {
        Op::Call(call) => match call.callee {
            Callee::Direct(direct) => direct == callee,
            Callee::Indirect(_) => true,
        },
        _ => false,
    }
}

impl Symbolic<'_> {
    pub(super) fn limit(&self, cause: Cause) {
        if !self.muted && !self.cx.blind {
            self.limits.borrow_mut().insert((self.last_own, cause));
        }
    }

    /// A function is called; whether that depends on the world.
    pub(super) fn limit_call(&mut self, function: u32) {
        let program = self.image.program();
        let origin = |id: u32| program.functions[FuncId::from_u32(id)].origin;
        if origin(function) == Origin::Subject && self.stack.function().is_some_and(|by| origin(by) == Origin::Library)
        {
            self.called_back = true;
        }
        let Some(kind) = self.outside().calls.get(function as usize).copied().flatten() else { return };
        let from_subject = self
            .stack
            .function()
            .is_some_and(|caller| program.functions[FuncId::from_u32(caller)].origin == Origin::Subject);
        if from_subject {
            if self.count_failing(function) && kind == Kind::Allocation {
                return;
            }
            if kind == Kind::Part && !self.looks_at_more(function) {
                return;
            }
            self.limit(match kind {
                Kind::Part => Cause::Part(function),
                Kind::World => Cause::World(function),
                Kind::Allocation => Cause::Allocation(function),
            });
        }
    }

    /// Whether the function that runs looks at more of a result of this function of the library than C fixes.
    fn looks_at_more(&mut self, callee: u32) -> bool {
        let Some(caller) = self.stack.function() else { return true };
        let functions = &self.image.program().functions;
        let outside = self.outside();
        *outside.more.borrow_mut().entry((caller, callee)).or_insert_with(|| {
            let callee = FuncId::from_u32(callee);
            let fixed = fixed_part(&functions[callee].name);
            let body = functions[FuncId::from_u32(caller)].body.as_ref();
            body.is_none_or(|body| {
                body.insts.keys().any(|inst| may_call(body, inst, callee) && part_used_of_call(body, inst) > fixed)
            })
        })
    }

    fn outside(&mut self) -> Rc<Outside> {
        let program = self.image.program();
        Rc::clone(self.cx.outside.get_or_insert_with(|| Rc::new(Outside::new(program))))
    }

    /// A function that nothing defines is called.
    pub(super) fn limit_undefined(&mut self, function: u32, types: &[Type]) {
        let program = self.image.program();
        let callee = &program.functions[FuncId::from_u32(function)];
        if types.iter().any(|&ty| ty.is_ptr() || ty == Type::F80) {
            self.limit(Cause::Result(function));
        }
        if self.cx.options.writes_nothing(&callee.name) {
            return;
        }
        let is_given = callee.variadic || callee.params.iter().skip(self.hidden(function)).any(|ty| ty.is_ptr());
        let knows = is_given || self.roots.iter().any(|root| root.exposed) || self.outside().variables;
        if knows {
            self.limit(Cause::Effects(function));
        }
    }

    /// The global of a root can be pointed to from outside.
    pub fn expose(&mut self, root: u32) {
        let outside = self.outside();
        let root = &mut self.roots[root as usize];
        root.exposed = matches!(&root.kind, RootKind::Global(name) if outside.exposed.contains(name));
    }

    /// Bytes of an input object are read as a value of this type, or copied.
    pub(super) fn limit_read(&self, bytes: &ByteTerms, offset: u64, size: u64, ty: Option<Type>) {
        let Some(number) = bytes.root() else { return };
        let root = &self.roots[number as usize];
        if root.partial && bytes.has_hole(offset, size) {
            self.limit(if root.is_string { Cause::Text(number) } else { Cause::Fixed(number) });
        }
        let is_pointer = |kind: CellKind| matches!(kind, CellKind::Pointer(_) | CellKind::Function(_));
        if ty.is_some_and(|ty| !ty.is_ptr()) && bytes.cells(offset, size).iter().any(|c| is_pointer(c.kind)) {
            self.limit(Cause::Number(number));
        }
        let is_object = matches!(root.kind, RootKind::Object(_));
        if ty.is_some_and(Type::is_ptr) && is_object && bytes.cells(offset, size).iter().any(|c| !is_pointer(c.kind)) {
            self.read_as_pointer.set(Some(number));
        }
        if self.stored.0.is_empty() || !root.exposed || self.cx.options.distinct {
            return;
        }
        for (other, writes) in self.stored.0.iter().filter(|(other, _)| **other != number) {
            let (other, a) = (*other, &self.roots[*other as usize]);
            // Objects of one type overlap by whole elements, and those that begin at the same place are tried.
            let alike = self.are_alike(a, root);
            let matters = |write: &(Option<Type>, Option<u64>)| {
                may_be_same(write.0, ty) && !(alike && ty.is_some() && write.1 == Some(offset))
            };
            if self.may_overlap(a, root) && writes.iter().any(matters) {
                self.limit(Cause::Overlap(other, number));
                self.want_one_object(false, a, root);
            }
        }
    }

    /// Bytes of an input object are written, as a value of this type or one by one.
    pub(super) fn limit_write(&mut self, bytes: &mut ByteTerms, offset: u64, size: u64, ty: Option<Type>) {
        let Some(number) = bytes.root() else { return };
        if self.roots[number as usize].partial {
            bytes.wrote(offset, size);
        }
        if self.roots[number as usize].exposed {
            self.stored.add(number, ty, (size > 0 && ty.is_some()).then_some(offset));
        }
    }

    /// Whether two objects that runs keep apart can have bytes in common. Objects of one type that are no arrays are the
    /// same or have none, and both are tried.
    fn may_overlap(&self, a: &Root, b: &Root) -> bool {
        !self.is_choice(a, b) && [a, b].iter().any(|root| matches!(root.kind, RootKind::Object(_)))
    }

    fn is_choice(&self, a: &Root, b: &Root) -> bool {
        a.count == 1 && b.count == 1 && self.are_alike(a, b)
    }

    fn are_alike(&self, a: &Root, b: &Root) -> bool {
        let types = &self.image.program().types;
        let is_object = |root: &Root| matches!(root.kind, RootKind::Object(_));
        is_object(a) && is_object(b) && types.strip(a.element) == types.strip(b.element)
    }

    /// Addresses in different objects are compared, or one with a number.
    pub(super) fn limit_comparison(
        &mut self,
        ordered: bool,
        a: Option<&Side<'_, ByteTerms>>,
        b: Option<&Side<'_, ByteTerms>>,
    ) {
        let root = |side: Option<&Side<'_, ByteTerms>>| {
            side.and_then(|side| side.terms?.root()).map(|root| &self.roots[root as usize])
        };
        let depends = match (a, b, root(a), root(b)) {
            _ if ordered => true,
            (Some(_), Some(_), Some(a), Some(b)) => a.exposed && b.exposed && self.may_overlap(a, b),
            // Nobody outside has the address of what the program made itself.
            (Some(_), Some(_), _, _) => false,
            _ => true,
        };
        if depends {
            self.limit(Cause::Machine(shadow::Limit::Address));
            if let (Some(one), Some(other), Some(at), Some(then)) = (root(a), root(b), a, b) {
                self.want_one_object(ordered, one, other);
                self.want_inside(ordered, one, (other, then.offset));
                self.want_inside(ordered, other, (one, at.offset));
            }
        }
    }

    /// The run was ended by a trap: some would not be one if we had chosen otherwise.
    pub fn limit_trap(&mut self, trap: &Trap) {
        use TrapKind::{BadCall, InvalidFree, NullPointer, OutOfBounds, StackOverflow, Uninitialised, WildPointer};
        let is_ours = match trap.kind {
            OutOfBounds => self.roots.iter().any(|root| root.sized_by_us),
            // Accesses far behind null are to addresses that the program names.
            NullPointer => trap.about.is_some_and(|about| about.offset >= 4096),
            InvalidFree | WildPointer | StackOverflow | Uninitialised | BadCall => true,
            _ => false,
        };
        let named = self.named_address(trap);
        if is_ours || named.is_some() {
            let cause = named.map_or(Cause::Trap(trap.kind), |(address, size)| Cause::Device(address, size));
            self.limits.borrow_mut().insert((self.last_own, cause));
        }
    }

    /// What limits the run met, in words.
    pub fn met_limits(&self) -> BTreeSet<Limit> {
        let of = |&(after, cause): &(Option<Way>, Cause)| {
            let size =
                matches!(cause, Cause::Text(_) | Cause::Shaped(..) | Cause::Trap(TrapKind::OutOfBounds) | Cause::Given);
            let elsewhere = match cause {
                Cause::Machine(shadow::Limit::Address) | Cause::Part(_) | Cause::Unsure => true,
                Cause::World(id) => calls_in_open_order(&self.image.program().functions[FuncId::from_u32(id)].name),
                _ => false,
            };
            Limit { after, calls: calls(cause), size, elsewhere, words: self.words(cause) }
        };
        self.limits.borrow().iter().map(of).collect()
    }

    /// Whether a function that stands for a caller's own is among those that a pointer can be.
    fn offers_callers_own(&self, root: u32, leaf: u32) -> bool {
        let cell = self.roots[root as usize].cells.get(leaf as usize);
        let Some(CellKind::Function(ty)) = cell.map(|cell| cell.kind) else { return false };
        let program = self.image.program();
        functions_of(program, ty).into_iter().any(|id| program.functions[id].body.is_none())
    }

    fn words(&self, cause: Cause) -> String {
        let function = |id: u32| self.image.program().functions[FuncId::from_u32(id)].source_name();
        let root = |id: u32| self.roots[id as usize].name.as_str();
        let cell = |id: u32, leaf: u32| {
            let root = &self.roots[id as usize];
            format!("{}{}", root.name, root.cells.get(leaf as usize).map_or("", |cell| cell.path.as_str()))
        };
        match cause {
            Cause::World(id) if function(id) == "__errno_location" => {
                "`errno` was only tried as it is in an empty directory without environment and input".to_owned()
            }
            Cause::Part(id) => {
                let name = function(id);
                let part = match fixed_part(name) {
                    Part::Zero => "only whether it is zero",
                    Part::Sign | Part::Whole => "only its sign",
                };
                format!("the code looks at the number that `{name}` gives, and {part} is the same in every library")
            }
            Cause::World(id) => process::only_tried(&self.cx.options.process, self.name_in_sources(id)),
            Cause::Given => process::NO_MORE.to_owned(),
            Cause::Allocation(id) => {
                let name = function(id);
                format!("`{name}` never failed; --failures alloc lets it")
            }
            Cause::Effects(id) => {
                let name = function(id);
                let tried = match self.cx.options.stubbed(name) {
                    Stubbed::Writes if self.is_declared(id) => "with effects through the pointers that it is given only",
                    Stubbed::Globals if self.is_declared(id) => "with effects on variables and through the pointers that it is given only",
                    _ => "without effects on memory",
                };
                let more = match self.cx.options.stubbed(name) {
                    Stubbed::Globals => String::new(),
                    _ => format!("--stub {name}=globals lets it write variables, "),
                };
                format!(
                    "`{name}`, which nothing defines, was tried {tried}; {more}--stub {name}=any says that it has none, \
                     --stub-file that its definition is in another file"
                )
            }
            Cause::Result(id) => {
                let name = function(id);
                let tried = match self.is_declared(id) {
                    true => "NULL, new objects and those that are there already were tried as the pointer",
                    false => "only 0 was tried as the pointer or long double",
                };
                format!("{tried} that `{name}` returns, which nothing defines; its definition would tell, see --stub-file")
            }
            Cause::Function(id, leaf) => {
                let name = cell(id, leaf);
                let tried = match self.offers_callers_own(id, leaf) {
                    true => "of a caller's own functions only one was tried that returns anything and writes nothing",
                    false => "only functions of the program were tried, not a caller's own",
                };
                format!("{name}: {tried}; a function of that type in one of the files is tried too")
            }
            Cause::Opaque(id, leaf) => {
                let name = cell(id, leaf);
                format!("{name}: points to something that only code elsewhere may look into, so that only NULL and handles were tried; a file that defines it would tell")
            }
            Cause::Stream(id, leaf) => {
                format!("{}: only streams at the start of a file that can be read and written were tried", cell(id, leaf))
            }
            Cause::Text(id) => {
                let (name, text) = (root(id), &self.roots[id as usize]);
                let most = if text.stream.is_some() { text.count } else { text.count.saturating_sub(1) };
                format!("{name}: text of more than {most} characters was not tried; see --array-len and --length")
            }
            Cause::Fixed(id) if self.roots[id as usize].cells.is_empty() && self.is_global(id) => {
                let name = root(id);
                format!("{name}: a static variable of a function, of which only the initial value was tried, not what calls before make of it")
            }
            Cause::Fixed(id) => {
                let name = root(id);
                format!("{name}: parts of it are of a type that is not varied (untyped, long double, or too large) and were always zero")
            }
            Cause::Shaped(id, leaf) => {
                let name = cell(id, leaf);
                format!("{name}: points into an object, and not all places and sizes were tried; see --array-len")
            }
            Cause::Number(id) => format!("{}: a pointer in it is read as a number, and only addresses of covenant's choice were tried", root(id)),
            Cause::Overlap(a, b) => {
                format!("{} and {} were never tried as parts of one object; --no-aliases says that they are not", root(a), root(b))
            }
            Cause::Machine(limit) => match limit {
                shadow::Limit::Volatile => "what is volatile was never changed by somebody else".to_owned(),
                shadow::Limit::Address => {
                    "addresses are numbers of covenant's choice: pointers into one object from several inputs, and other addresses, were not tried".to_owned()
                }
                shadow::Limit::AddressAside => "not all addresses were tried that a change of the code reads".to_owned(),
                shadow::Limit::Unwritten => "memory that nobody wrote was always zero".to_owned(),
                shadow::Limit::Arguments => {
                    "variadic arguments were not tried here, or not of all types that callers may pass".to_owned()
                }
                shadow::Limit::Length => "longer arrays than 65536 elements were not tried; see --length".to_owned(),
            },
            Cause::Unsure => {
                "times, owners and numbers of files, and the order of a directory, differ from system to system, and a run goes on by them".to_owned()
            }
            Cause::Device(address, size) => self.device_words(address, size),
            Cause::Trap(kind) => trap_words(kind).to_owned(),
        }
    }

    /// A pointer has got an object that is no plain one.
    pub(super) fn limit_shaped(&self, waiting: Waiting, target: &Target) {
        let Target::Root(root, _) = target else { return };
        let root = &self.roots[*root as usize];
        if root.entry != 0 || root.group.is_some() {
            self.limit(Cause::Shaped(waiting.root, waiting.leaf));
        }
    }

    /// Whether the types are known that the source declares an undefined function with.
    fn is_declared(&self, function: u32) -> bool {
        self.image.program().functions[FuncId::from_u32(function)].source.declared.is_some()
    }

    fn is_global(&self, root: u32) -> bool {
        matches!(self.roots[root as usize].kind, RootKind::Global(_))
    }
}

/// Whether a value that was stored as of one type may be read as of another; `None`: byte by byte.
fn may_be_same(stored: Option<Type>, read: Option<Type>) -> bool {
    match (stored, read) {
        (Some(a), Some(b)) => a == b || a == Type::I8 || b == Type::I8,
        _ => true,
    }
}

fn calls(cause: Cause) -> bool {
    matches!(cause, Cause::World(_) | Cause::Effects(_) | Cause::Function(..) | Cause::Trap(TrapKind::BadCall))
}
