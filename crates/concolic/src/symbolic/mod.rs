//! Symbolic execution: the shadow that carries terms.
//!
//! A run yields its path: a sequence of [`Event`]s, each a decision that depends on inputs, with the condition under which
//! it went as it did and the conditions for the other ways. Nothing is ever made concrete silently: where a value has to
//! be concrete, "it is what it is" is an event like any other, whose other way is "it is something else".

mod bytes;
mod compared;
mod contexts;
mod contract;
mod devices;
mod effects;
mod failures;
mod heap;
mod inputs;
mod labels;
mod limits;
pub mod local;
mod observe;
mod parts;
mod process;
mod record;
mod seed;
mod several;
mod shadow;
mod shapes;
mod space;
mod streams;
mod stubs;
mod variadic;

use std::collections::HashMap;
use std::rc::Rc;

use covenant_constraints::{Model, Sort, TermId, Value, VarId};
use covenant_goals::{Reason, ReasonKind};
use covenant_program::ir::{FuncId, Function, Origin, Type};

use crate::meaning::pure::{self, Term};
pub use bytes::ByteTerms;
pub use contexts::{Call, ContextId, Contexts};
pub use devices::Volatile;
use inputs::Root;
pub use inputs::{InputOptions, Process, RootKind, Stubbed, offered_functions};
pub use labels::{Labels, Obligation};
pub(crate) use limits::name_of;
pub use limits::{Limit, Way};
use local::{Local, Stretch};
pub use process::{is_presence, presence};
pub use record::Recorded;
pub use seed::Seed;
pub use shapes::{Shapes, Want};
pub use space::Context;

use covenant_interpreter::code::Image;
use covenant_interpreter::shadow::{Inspect, Mark, Mute, Shadowed, Site};

/// Events of one run that are kept; a longer path is cut, and the run says so.
const MOST_EVENTS: usize = 100_000; // not tuning: memory

/// Edges of a function that a run took, by operation and edge, each with the decisions before it was taken for the last time.
pub type TakenEdges = rustc_hash::FxHashMap<(u32, u32), u32>;

/// What a decision is about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EventKind {
    /// A conditional branch of the program.
    Branch,
    /// A switch of the program.
    Switch,
    /// Something whose other way is a trap.
    Check,
    /// What an input pointer points to.
    Pointer,
    /// A value that had to be concrete.
    Pin(&'static str),
}

/// A decision on a path that depends on inputs.
#[derive(Clone, Debug)]
pub struct Event {
    /// Where it was made.
    pub site: Site,
    /// What was decided.
    pub kind: EventKind,
    /// Whether the site is in the subject, not in the library.
    pub subject: bool,
    /// Which way the run went.
    pub outcome: u32,
    /// The condition on the inputs under which it goes that way.
    pub constraint: TermId,
    /// The other ways with their conditions.
    pub others: Vec<(u32, TermId)>,
    /// By which calls the site was come to.
    pub context: ContextId,
    /// Where on the trace it is, if somebody follows one.
    pub traced: Option<Rc<Traced>>,
}

/// Where on the trace of a run a decision is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Traced {
    /// The call that decides.
    pub call: contexts::Call,
    /// Where on the local path it is.
    pub local: Stretch,
    /// The last way that the run took before, decided by inputs or not.
    pub after: Option<(ContextId, (u32, u32, u32))>,
}

/// Who goes along with a run.
///
/// Why the seam exists: a run knows nothing of the transition system in which its steps have a meaning.
pub trait Follower: std::fmt::Debug {
    /// The run stands at a mark; whether it shall go on.
    fn passed(&mut self, run: &mut dyn Inspect<Symbolic<'_>>, at: Mark) -> bool;

    /// Whether the run was ended because it had been somewhere as often as it may.
    fn has_cut(&self) -> bool;
}

/// The shadow of one run.
#[derive(Debug)]
pub struct Symbolic<'c> {
    /// What all runs share: terms and the input space.
    pub cx: &'c mut Context,
    image: &'c Image,
    /// The inputs of this run; what is not there has its default.
    model: Rc<Model>,
    /// The test that the run starts from, if it does: defaults are what the test has.
    seed: Option<Seed>,
    /// The inputs that the run really had, defaults included.
    pub used: Model,
    /// The path so far.
    pub events: Vec<Event>,
    /// Whether the path has more decisions than are kept.
    pub truncated: bool,
    /// Why terms do not say all about this run.
    pub gap: Option<Reason>,
    /// Numbers among the terms that the world chooses.
    unsure: rustc_hash::FxHashSet<VarId>,
    /// Where it met limits of ours.
    limits: std::cell::RefCell<std::collections::BTreeSet<(Option<Way>, limits::Cause)>>,
    /// What was written of roots that others may point into.
    stored: limits::Stored,
    /// The root of which bytes that are no pointer were last read as one.
    read_as_pointer: std::cell::Cell<Option<u32>>,
    /// The last address that depended on inputs, and how many events there were then.
    address: Option<(TermId, usize)>,
    /// What pointers would have to be for runs to go on as they do for callers.
    wants: std::cell::RefCell<std::collections::BTreeSet<Want>>,
    /// Taken edges, by function.
    pub edges: Vec<TakenEdges>,
    /// For each function by its number: whether it was called.
    pub entered: Vec<bool>,
    muted: bool,
    mutable: Vec<Mute>,
    roots: Vec<Root>,
    /// Inputs in the order in which they were first read.
    pub recorded: Vec<Recorded>,
    calls: stubs::Calls,
    /// Calls of the C library that may fail.
    failing: failures::Failing,
    /// Where objects are that the program made on the heap; only where somebody wants to know what a run does.
    made: std::collections::BTreeSet<u64>,
    /// Objects that are the C library's own.
    opened: std::collections::BTreeSet<u64>,
    /// Variables that functions which nothing defines can name: their names, types and addresses.
    stub_globals: Vec<(String, covenant_program::types::TypeId, u64)>,
    /// Calls of what nothing defines, with their arguments; only where somebody wants to know what a run does.
    heard: Vec<(u32, Vec<(u128, covenant_program::ir::Type)>)>,
    /// Elements behind pointer parameters, where the user says so.
    lengths: HashMap<u32, u64>,
    /// How often each name was given to inputs of the program itself.
    named: HashMap<String, u32>,
    /// How often each device register was read, and each volatile part of an object, by the name of that.
    registers: HashMap<String, u32>,
    /// Objects of which parts are volatile, by their addresses.
    shared: HashMap<u64, devices::Shared>,
    /// Whether that goes for input objects, too.
    shares_objects: bool,
    /// How many accesses to them were told.
    told_shared: usize,
    /// The roots of the parameters.
    pub params: Vec<u32>,
    /// The types of variadic arguments, by the places that ask for them.
    pub va_args: &'c [(covenant_program::ir::Loc, covenant_program::types::TypeId)],
    /// The type that the function under test returns.
    pub return_type: Option<covenant_program::types::TypeId>,
    /// The bytes of what the function under test returned.
    pub returned: Option<Vec<u8>>,
    /// Whether the C library has called a function of the subject.
    called_back: bool,
    stack: contexts::Stack,
    /// The way in the function that is watched.
    pub path: Local,
    last: Option<(ContextId, (u32, u32, u32))>,
    /// The last way in the subject.
    last_own: Option<Way>,
    /// Who follows the run.
    pub follower: Option<&'c mut dyn Follower>,
    /// Labels that were passed.
    pub labels: Labels,
}

impl<'c> Symbolic<'c> {
    /// A run with the inputs of a model; what the model does not say has its default.
    pub fn new(cx: &'c mut Context, image: &'c Image, model: Rc<Model>) -> Self {
        let program = image.program();
        let count = program.functions.len();
        let mute = |f: &Function| if f.origin == Origin::Library { only_prints(&f.name) } else { Mute::Never };
        let mutable = program.functions.values().map(mute).collect();
        let labels = Labels { wanted: Rc::clone(&cx.wanted), ..Labels::default() };
        let seed = cx.seed.clone();
        Symbolic {
            cx,
            image,
            model,
            seed,
            used: Model::new(),
            events: Vec::new(),
            truncated: false,
            gap: None,
            unsure: rustc_hash::FxHashSet::default(),
            limits: std::cell::RefCell::default(),
            stored: limits::Stored::default(),
            read_as_pointer: std::cell::Cell::default(),
            address: None,
            wants: std::cell::RefCell::default(),
            edges: vec![TakenEdges::default(); count],
            entered: vec![false; count],
            muted: false,
            mutable,
            roots: Vec::new(),
            recorded: Vec::new(),
            calls: stubs::Calls::default(),
            failing: failures::Failing::default(),
            made: std::collections::BTreeSet::new(),
            opened: std::collections::BTreeSet::new(),
            stub_globals: Vec::new(),
            heard: Vec::new(),
            lengths: HashMap::new(),
            named: HashMap::new(),
            registers: HashMap::new(),
            shared: HashMap::new(),
            shares_objects: false,
            told_shared: 0,
            params: Vec::new(),
            va_args: &[],
            return_type: None,
            returned: None,
            called_back: false,
            stack: contexts::Stack::default(),
            path: Local::default(),
            last: None,
            last_own: None,
            follower: None,
            labels,
        }
    }

    fn event(&mut self, site: Site, kind: EventKind, outcome: u32, constraint: TermId, others: Vec<(u32, TermId)>) {
        if self.cx.terms.as_bool(constraint) == Some(true) || self.muted || self.cx.blind {
            return;
        }
        if self.events.len() >= MOST_EVENTS {
            self.truncated = true;
            return;
        }
        self.limit_unsure(constraint);
        let function = &self.image.program().functions[FuncId::from_u32(site.function)];
        let subject = function.origin == Origin::Subject;
        let others = others.into_iter().filter(|&(_, t)| self.cx.terms.as_bool(t) != Some(false)).collect();
        let context = self.stack.top();
        let traced = self.cx.traced.then(|| {
            let (call, local, after) = (self.stack.call(), self.stretch(site, kind), self.last);
            Rc::new(Traced { call, local, after })
        });
        self.events.push(Event { site, kind, subject, outcome, constraint, others, context, traced });
    }

    fn stretch(&self, site: Site, kind: EventKind) -> Stretch {
        let Some(watch) = &self.cx.watch else { return Stretch::default() };
        let decides = matches!(kind, EventKind::Branch | EventKind::Switch);
        let ways = if decides { self.path.ways(watch, site, self.stack.depth()) } else { 0 };
        Stretch { before: self.path.code, ways, own: self.path.is_here(self.stack.depth()) }
    }

    /// A two-way decision.
    fn decide(&mut self, site: Site, kind: EventKind, cond: TermId, holds: bool) {
        let negated = self.cx.terms.not(cond);
        let (constraint, other) = if holds { (cond, negated) } else { (negated, cond) };
        self.event(site, kind, u32::from(holds), constraint, vec![(u32::from(!holds), other)]);
    }
}

/// Functions of the library that write output and do nothing else, as long as nobody looks at their result.
fn only_prints(name: &str) -> Mute {
    match name {
        "printf" | "vprintf" | "puts" | "putchar" | "putchar_unlocked" | "perror" | "__printf_chk" => Mute::Always,
        "fprintf" | "vfprintf" | "fflush" | "__fprintf_chk" => Mute::IfStandard(0),
        "fputs" | "fputc" | "putc" | "putc_unlocked" => Mute::IfStandard(1),
        "fwrite" => Mute::IfStandard(3),
        _ => Mute::Never,
    }
}

impl Symbolic<'_> {
    fn seeded(&self, name: &str) -> Option<u128> {
        self.seed.as_ref()?.bits(name)
    }

    /// Only what fits: the input may have had another type.
    fn seeded_bits(&self, name: &str, width: u8) -> Option<u128> {
        self.seeded(name).filter(|bits| width >= 128 || bits >> width == 0)
    }

    /// The bits of a computed float are used as an integer. A NaN has many bit patterns, and terms know only one.
    fn look_at_float(&mut self) {
        let words = "the bits of a computed float are looked at as an integer";
        self.gap.get_or_insert_with(|| Reason::new(ReasonKind::Model, words));
    }

    fn used_bits(&mut self, var: VarId, bits: u128) {
        let sort = self.cx.terms.var_sort(var);
        if let Some(value) = Value::from_bits(sort, bits) {
            self.used.set(var, value);
        }
    }

    /// A scalar that nothing constrains. Pointers are null: there is no type to say what would be behind them.
    fn free_value(&mut self, label: &str, ty: Type) -> Shadowed<Term> {
        self.free_value_or(label, ty, 0)
    }

    /// The same with bits that it has where nobody says otherwise.
    fn free_value_or(&mut self, label: &str, ty: Type, default: u128) -> Shadowed<Term> {
        if ty.is_ptr() || ty == Type::F80 {
            return Shadowed { bits: 0, ty, term: None };
        }
        if ty == Type::BOOL {
            let var = self.cx.var(label, Sort::Bool);
            let default = self.seeded(label).unwrap_or(default) & 1 == 1;
            let value = self.model.get(var).map_or(default, Value::is_true);
            self.used.set(var, Value::Bool(value));
            return Shadowed { bits: u128::from(value), ty, term: self.term_of(var) };
        }
        let var = self.cx.var(label, Sort::Bv(ty.bits() as u8));
        let known = self.model.get(var).and_then(Value::bits);
        let bits = known.or_else(|| self.seeded_bits(label, ty.bits() as u8)).unwrap_or(default);
        self.used_bits(var, bits);
        let term = self.term_of(var).map(|term| pure::from_bits(&mut self.cx.terms, term, ty));
        Shadowed { bits, ty, term }
    }

    /// The term of an input; a blind run has none.
    fn term_of(&mut self, var: VarId) -> Term {
        (!self.cx.blind).then(|| self.cx.terms.var_term(var))
    }
}
