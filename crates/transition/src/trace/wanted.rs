//! What is to be found out about a run, and who looks at it.

use std::rc::Rc;

use covenant_constraints::{TermId, Terms, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::conformance::Conformance;
use crate::compiled::Compiled;
use crate::flow::{Flow, LocationId};

/// What is to be found out about a run.
#[derive(Clone, Debug, Default)]
pub struct Questions {
    /// Formulas whose truth tells visits of a location apart.
    pub watched: FxHashMap<LocationId, Compiled>,
    /// Formulas wanted as terms over the inputs, at the given visit (from 0) of a location.
    pub probes: FxHashMap<(LocationId, u32), Vec<TermId>>,
    /// Whether the run ends as soon as all probes are answered.
    pub stop: bool,
    /// Where all of the state is to be written down.
    pub record: Option<Recording>,
    /// Where the values of which variables are written down as they are, at the first visits.
    pub sample: Option<Rc<Places>>,
    /// Who looks at the state of the run.
    pub visitor: Option<Rc<dyn Visitor>>,
    /// Visits of one location after which the run ends; `None`: it ends by itself.
    pub turns: Option<u32>,
    /// The same, counted anew whenever the run is given another input.
    pub idle: Option<u32>,
    /// Whether the run must be a path of the flow, and what is known for that.
    pub conformance: Option<Rc<Conformance>>,
}

/// Variables by the locations at which their values are wanted.
pub type Places = FxHashMap<LocationId, Vec<VarId>>;

/// What the state of a run is where it stands, as terms over the inputs.
pub trait Ground {
    /// The arena of all terms of the run.
    fn terms(&mut self) -> &mut Terms;
    /// A variable of the state as a term over the inputs.
    fn variable(&mut self, var: VarId) -> Option<TermId>;
    /// A byte of an array, likewise.
    fn byte(&mut self, array: VarId, at: u64) -> Option<TermId>;
    /// The first index of the object around an index, and the number of its bytes.
    fn object(&mut self, array: VarId, at: u64) -> Option<(u64, u64)>;
}

/// Who looks at the whole state of a run, once.
///
/// Why the seam exists: what is made of the state is no matter of the transition system.
pub trait Visitor: std::fmt::Debug {
    /// Whether this is where.
    fn waits_at(&self, location: LocationId) -> bool;

    /// The run is there, after so many decisions.
    fn visit(&self, flow: &Flow, location: LocationId, events: usize, state: &mut dyn Ground);
}

/// Which states of a run are written down, and which variables of them.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    /// Locations are taken together by their numbers, so many at a time.
    pub zone: u32,
    /// The variables that matter in each of these.
    pub variables: FxHashMap<u32, Rc<Vec<VarId>>>,
    /// Visits that matter besides the first ones.
    pub visits: FxHashSet<(LocationId, u32)>,
}
