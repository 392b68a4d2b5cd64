//! The SMT solvers. [`Engine`] is what each of them must do; [`Incremental`] does the rest once for all: it translates terms,
//! keeps the assertion stack aligned with the path of the query, and reads models and cores back.

mod gates;
mod incremental;
pub mod isolate;
pub(crate) mod linear;
mod watchdog;

use std::time::Instant;

pub use incremental::Incremental;

use crate::op::Op;
use crate::solver::{Cancel, Reason, Solver, Steps};
use crate::sort::Sort;
use crate::term::{TermId, Terms};
use crate::tuning::Tuning;
use crate::value::Value;

/// What a back end's file says of it.
struct Profile {
    /// On the command line.
    name: &'static str,
    /// When to use it, in a few words.
    about: &'static str,
    /// Makes a solver that is made anew when it has seen so many terms, or more if queries are large.
    make: fn(Cancel, &Tuning, usize) -> Box<dyn Solver>,
}

/// The registry: a file of this folder that has a `PROFILE`, and the back end's name.
macro_rules! backends {
    ($($module:ident: $name:ident,)*) => {
        $(pub mod $module;)*

        /// Which SMT solver decides what the layers above leave open.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub enum Backend {
            #[default]
            $(#[doc = concat!("See `backends/", stringify!($module), ".rs`.")] $name,)*
        }

        impl Backend {
            /// In the order of the registry: the first is the default, and steps in where another one gives up.
            pub const ALL: &'static [Backend] = &[$(Backend::$name,)*];

            fn profile(self) -> &'static Profile {
                match self {
                    $(Backend::$name => &$module::PROFILE,)*
                }
            }
        }
    };
}

backends! {
    bitwuzla: Bitwuzla,
    z3: Z3,
}

impl Backend {
    /// On the command line.
    pub fn name(self) -> &'static str {
        self.profile().name
    }

    /// When to use it, in a few words.
    pub fn about(self) -> &'static str {
        self.profile().about
    }

    /// Who is asked where this one gives up.
    pub(super) fn other(self) -> Backend {
        Backend::ALL.iter().copied().find(|other| *other != self).unwrap_or(self)
    }

    pub(super) fn make(self, cancel: Cancel, tuning: &Tuning, most_terms: usize) -> Box<dyn Solver> {
        (self.profile().make)(cancel, tuning, most_terms)
    }
}

impl std::fmt::Display for Backend {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl std::str::FromStr for Backend {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Backend::ALL.iter().copied().find(|backend| backend.name() == text);
        found.ok_or_else(|| format!("there is no solver `{text}`"))
    }
}

/// Which theories a query needs; solvers have faster instances for less.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Theory {
    /// Bit-vectors and Booleans alone.
    Bits,
    /// Floats too.
    Floats,
    /// Arrays of bytes too.
    Arrays,
    /// Everything.
    FloatsAndArrays,
}

impl Theory {
    /// What conditions need together.
    pub fn of(terms: &Terms, conditions: impl IntoIterator<Item = TermId>) -> Theory {
        let (mut floats, mut arrays) = (false, false);
        for t in conditions {
            let traits = terms.traits(t);
            floats |= traits.has_float;
            arrays |= traits.has_array;
        }
        match (floats, arrays) {
            (false, false) => Theory::Bits,
            (true, false) => Theory::Floats,
            (false, true) => Theory::Arrays,
            (true, true) => Theory::FloatsAndArrays,
        }
    }

    /// SMT-LIB's name of the logic without quantifiers.
    pub fn logic(self) -> &'static str {
        match self {
            Theory::Bits => "QF_BV",
            Theory::Floats => "QF_BVFP",
            Theory::Arrays => "QF_ABV",
            Theory::FloatsAndArrays => "QF_ABVFP",
        }
    }
}

/// What a check found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// There is a model, which can be read.
    Sat,
    /// There is none.
    Unsat,
    /// It could not be decided.
    Unknown(Reason),
}

/// When a check has to end.
#[derive(Clone, Debug)]
pub struct Limits {
    /// What it may cost: the limit that counts.
    pub steps: Steps,
    /// The last resort, where steps are not counted as they should be.
    pub deadline: Instant,
    /// Somebody outside may end it.
    pub cancel: Cancel,
}

impl Limits {
    /// From now on.
    pub fn new(steps: Steps, cancel: &Cancel) -> Limits {
        let now = Instant::now();
        // A time beyond what the clock can express is no limit.
        let deadline =
            now.checked_add(steps.last_resort()).unwrap_or_else(|| now + std::time::Duration::from_secs(1 << 30));
        Limits { steps, deadline, cancel: cancel.clone() }
    }

    /// Why the check must end now whatever it has done so far, if it must.
    pub fn exceeded(&self) -> Option<Reason> {
        if self.cancel.is_set() {
            Some(Reason::Cancelled)
        } else if Instant::now() >= self.deadline {
            Some(Reason::Clock)
        } else {
            None
        }
    }

    /// Why a check has no answer that a solver gave up: what ended it from outside, or else what the solver says. Once for each
    /// check, as those are counted that the clock ended.
    pub(crate) fn blame(&self, otherwise: Reason) -> Reason {
        let reason = self.exceeded().unwrap_or(otherwise);
        if reason == Reason::Clock {
            self.cancel.count_late();
        }
        reason
    }
}

/// One instance of an SMT solver with its assertion stack.
pub trait Engine: Send {
    /// A handle to a term of the solver, valid as long as the engine.
    type Ast: Copy + Send + std::fmt::Debug;
    /// Whether it knows floats of 80 bits.
    const KNOWS_EXTENDED: bool;

    /// Whether it has seen so much that it gives no answer any more.
    fn is_too_large(&self) -> bool {
        false
    }

    /// A fresh constant symbol.
    fn variable(&mut self, name: &str, sort: Sort) -> Self::Ast;

    /// A constant that is no array; float constants by their bits in memory.
    fn constant(&mut self, sort: Sort, bits: u128) -> Self::Ast;

    /// Any operation but variables, constants and [`Op::FToIeee`]. `sorts` are those of the arguments.
    fn apply(&mut self, op: Op, sort: Sort, args: &[Self::Ast], sorts: &[Sort]) -> Self::Ast;

    /// Opens a level of assertions.
    fn push(&mut self);

    /// Forgets the assertions of so many levels.
    fn pop(&mut self, levels: usize);

    /// Asserts on the current level. With a tag the assertion may show up in cores.
    fn assert(&mut self, condition: Self::Ast, tag: Option<usize>);

    /// Decides whether all assertions can hold together.
    fn check(&mut self, limits: &Limits) -> Verdict;

    /// After unsat: the tags of assertions that contradict each other.
    fn core(&mut self) -> Vec<usize>;

    /// After sat: the value of a variable. `None` if it cannot be read.
    fn value(&mut self, variable: Self::Ast, sort: Sort) -> Option<Value>;
}
