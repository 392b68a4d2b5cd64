//! Deciding queries. The seam between what asks (search, provers) and what decides (SMT solvers) is one small trait in our
//! own words, so that caches, simplifications and back ends stack freely and no solver's type is seen outside.

pub mod backends;
pub(crate) mod layers;
mod stack;
mod stats;
mod steps;
mod supports;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

pub use backends::Backend;
pub use stack::{Options, stack};
pub use stats::{LayerStats, Stats};
pub use steps::Steps;

use crate::term::{TermId, Terms};
use crate::value::Model;

/// Whether path and goal can hold together.
#[derive(Clone, Copy, Debug)]
pub struct Query<'a> {
    /// Assumed, in path order: queries that follow each other share prefixes, and the layers exploit that.
    pub path: &'a [TermId],
    /// A Boolean term.
    pub goal: TermId,
    /// What it may cost.
    pub steps: Steps,
    /// A model of the path, if one is known. Variables that the goal has nothing to do with keep these values.
    pub hint: Option<&'a Model>,
}

/// What a solver says.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// Values for (at least) the variables of path and goal; those of the hint for the others.
    Sat(Model),
    /// Path and goal exclude each other, and so does this part of them.
    Unsat(Core),
    /// Nothing is known.
    Unknown(Reason),
}

impl Answer {
    /// Whether there are values.
    pub fn is_sat(&self) -> bool {
        matches!(self, Answer::Sat(_))
    }

    /// Whether there can be none.
    pub fn is_unsat(&self) -> bool {
        matches!(self, Answer::Unsat(_))
    }
}

/// A part of the query that cannot hold, not always the smallest.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Core {
    /// Indices into the path, in order.
    pub path: Vec<usize>,
    /// Whether the goal is part of it. If not, the path contradicts itself.
    pub goal: bool,
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reason {
    /// The steps that it had are used up.
    Steps,
    /// The clock ended it: on another machine there may be an answer.
    Clock,
    /// Somebody outside ended it.
    Cancelled,
    /// The model that came back does not satisfy the query.
    BadModel,
    /// The back end gave up or failed.
    Incomplete,
}

/// Decides queries about terms of one arena. Answers are deterministic for a given sequence of queries, as long as neither
/// the clock nor somebody outside ends one.
pub trait Solver: Send + std::fmt::Debug {
    /// Decides a query. Terms that are made on the way stay in the arena.
    fn solve(&mut self, terms: &mut Terms, query: &Query<'_>) -> Answer;

    /// What this solver and those below it did so far.
    fn stats(&self) -> Stats;

    /// Forgets everything learned, to go on with another arena.
    fn reset(&mut self);
}

impl Reason {
    /// Whether more steps or time might have given an answer.
    pub fn is_limit(self) -> bool {
        matches!(self, Reason::Steps | Reason::Clock)
    }
}

/// Ends a running query from outside: all queries answer [`Reason::Cancelled`] once it is set. Clones are one and the same.
#[derive(Clone, Debug, Default)]
pub struct Cancel {
    flag: Arc<AtomicBool>,
    /// Queries that the clock ended.
    late: Arc<AtomicU64>,
}

impl Cancel {
    /// Whoever sets the flag ends the queries.
    pub fn new(flag: Arc<AtomicBool>) -> Cancel {
        Cancel { flag, late: Arc::default() }
    }

    /// Ends all queries, also those to come.
    pub fn set(&self) {
        self.flag.store(true, Ordering::Relaxed);
    }

    /// Whether queries are to end.
    pub fn is_set(&self) -> bool {
        self.flag.load(Ordering::Relaxed)
    }

    /// How many queries the clock ended, of all solvers that have this or a clone of it. Where there are any, another
    /// machine may give other results.
    pub fn late(&self) -> u64 {
        self.late.load(Ordering::Relaxed)
    }

    pub(crate) fn count_late(&self) {
        self.late.fetch_add(1, Ordering::Relaxed);
    }
}

/// The length of the longest common prefix.
pub(crate) fn common_prefix(a: &[TermId], b: &[TermId]) -> usize {
    a.iter().zip(b).take_while(|(x, y)| x == y).count()
}
