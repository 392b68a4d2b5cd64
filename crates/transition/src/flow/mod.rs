//! The program as a graph of locations: what provers reason about.
//!
//! A [`Flow`] is an over-approximation of every run of the subject: each run is a path of the graph along which the
//! guards hold and the variables change as the assignments say. Whatever is not modelled exactly (a call into the
//! library, memory behind a pointer that may point anywhere, a float operation without a term) is a *choice*: a
//! variable of one edge that may have any value. So what no path of the graph reaches, no run reaches; the converse
//! does not hold, and nobody claims it.
//!
//! Calls are expanded in place: a location is a place of a function *in a call context*. Locals are mostly SSA values
//! whose terms are written over few variables: the parameters of blocks where paths meet, what was read from memory, and
//! the memory itself. A value stays valid as long as it can be used, because what it is made of dominates it.
//!
//! Built anew from the same program, a flow has the same locations, edges and names: certificates rely on it.

mod addresses;
mod affordable;
mod blocks;
mod build;
mod by_hand;
mod calls;
mod evaluate;
mod folded;
mod fresh;
mod graph;
mod live;
mod memory;
mod objects;
mod options;
mod regions;
mod summary;
mod text;

use covenant_constraints::{TermId, VarId};
use covenant_goals::ObjectiveId;
use covenant_program::ir::{Block, FuncId, GlobalId, Inst, Loc, Type, Value};
use cranelift_entity::{PrimaryMap, entity_impl};
use rustc_hash::{FxHashMap, FxHashSet};

pub use affordable::is_large;
pub use build::build;
pub use build::sort_of;
pub use folded::{Between, Folded};
pub use live::live_variables;
pub use memory::FIRST_ADDRESS;
pub use options::FlowOptions;

/// A place of the program in its call context.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocationId(u32);
entity_impl!(LocationId, "loc");

/// A step of the flow.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EdgeId(u32);
entity_impl!(EdgeId, "edge");

/// A call of a function, with all calls around it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContextId(u32);
entity_impl!(ContextId, "call");

/// A function reached through one chain of calls.
#[derive(Clone, Debug)]
pub struct CallContext {
    /// The function that is called.
    pub function: FuncId,
    /// Who calls, and with which instruction.
    pub caller: Option<(ContextId, Inst)>,
    /// Calls around it; 0 for the function that is run.
    pub depth: u32,
}

/// Which place of its function a location is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Spot {
    /// The start of a block.
    Block(Block),
    /// An edge out of a block's terminator, before the parameters of its target are set.
    Way(Block, u32),
    /// Behind a call of a function that returns from several places.
    After(Inst),
    /// A label that is reached. Nothing leads on from here: the walk goes on as if it were not there.
    Label(Inst),
    /// Where nothing of the program has run.
    Root,
}

/// A place of the program in one context.
#[derive(Clone, Debug)]
pub struct Location {
    /// The call that it belongs to.
    pub context: ContextId,
    /// The place in the function.
    pub spot: Spot,
    /// The place in the source.
    pub loc: Loc,
    /// Steps that lead to it.
    pub into: Vec<EdgeId>,
    /// Steps that lead on from it.
    pub out: Vec<EdgeId>,
}

/// A step: if every guard holds, all variables of `assign` change at once; the others stay.
///
/// Terms are over the variables before the step and over choices, which may have any value in each step.
#[derive(Clone, Debug)]
pub struct Edge {
    /// Where the step begins.
    pub from: LocationId,
    /// Where it leads.
    pub to: LocationId,
    /// Conditions on the state before it, all of which hold if it is taken.
    pub guard: Vec<TermId>,
    /// New values of variables, as terms over the state before it. All others keep theirs.
    pub assign: Vec<(VarId, TermId)>,
}

/// Where a run of the program has the value of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Source {
    /// An SSA value of a function that is active at the location.
    Register {
        /// The call.
        context: ContextId,
        /// The value of the function's body.
        value: Value,
        /// Its type.
        ty: Type,
    },
    /// The distance of a pointer (an SSA value) from the start of its object.
    Offset {
        /// The call.
        context: ContextId,
        /// The pointer.
        value: Value,
        /// The object that it may point into.
        region: RegionId,
    },
    /// Bytes of an object of its own, as an integer.
    Cell {
        /// The object.
        region: RegionId,
        /// Bytes from its start.
        offset: u64,
        /// In bytes.
        size: u32,
    },
    /// All bytes of an object of its own, by offset.
    Bytes {
        /// The object.
        region: RegionId,
    },
    /// All other memory, by address.
    Outer,
}

/// An object that only direct accesses reach: its address is in no memory and nobody else knows it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RegionId(u32);
entity_impl!(RegionId, "region");

/// Whose object a region is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Owner {
    /// A variable of a call: the value that is its address.
    Local(ContextId, Value),
    /// A global.
    Global(GlobalId),
}

/// An object whose contents the flow follows.
#[derive(Clone, Copy, Debug)]
pub struct Region {
    /// Whose object it is.
    pub owner: Owner,
    /// In bytes.
    pub size: u64,
}

/// What a choice is in runs. Provers must not know.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fresh {
    /// The address of a new object, of so many bytes if that is known.
    Address(Option<u64>),
    /// What is in a new object.
    Blank,
}

/// Where an objective is reached.
#[derive(Clone, Debug, Default)]
pub struct Target {
    /// In each call context one or more; none: no path of the graph goes there.
    pub locations: Vec<LocationId>,
    /// Why the graph does not show all ways to it.
    pub beyond: Option<String>,
}

/// The program as a transition system: each run is a path of it.
#[derive(Clone, Debug)]
pub struct Flow {
    /// Where runs begin.
    pub root: LocationId,
    /// All places.
    pub locations: PrimaryMap<LocationId, Location>,
    /// All steps.
    pub edges: PrimaryMap<EdgeId, Edge>,
    /// All calls that are expanded.
    pub contexts: PrimaryMap<ContextId, CallContext>,
    /// All objects whose contents are followed.
    pub regions: PrimaryMap<RegionId, Region>,
    /// Variables of the state. Every other variable of a guard or an assignment is a choice.
    pub variables: FxHashMap<VarId, Source>,
    /// Choices of which more is known than that they may be anything.
    pub fresh: FxHashMap<VarId, Fresh>,
    /// Locations that runs pass without a sign: where functions begin that have no code.
    pub silent: FxHashSet<LocationId>,
    targets: Vec<Target>,
    children: FxHashMap<(ContextId, Inst, FuncId), ContextId>,
    spots: FxHashMap<(ContextId, Spot), LocationId>,
    /// What excludes ways out of blocks that were found impossible, in each call of the function. `None` where that is
    /// nothing that can be told.
    pub folded: FxHashMap<(FuncId, Block, u32), Vec<Option<Folded>>>,
    /// What is not modelled exactly, in words, for the report.
    pub approximations: std::collections::BTreeSet<String>,
}

impl Flow {
    /// Where an objective is reached.
    pub fn target(&self, objective: ObjectiveId) -> &Target {
        &self.targets[objective.0 as usize]
    }

    /// The context of a call made in `context`.
    pub fn child(&self, context: ContextId, call: Inst, callee: FuncId) -> Option<ContextId> {
        self.children.get(&(context, call, callee)).copied()
    }

    /// The location of a place in a call, if the flow has it.
    pub fn location(&self, context: ContextId, spot: Spot) -> Option<LocationId> {
        self.spots.get(&(context, spot)).copied()
    }

    /// Whether a variable is part of the state, and no free choice of a step.
    pub fn is_state(&self, var: VarId) -> bool {
        self.variables.contains_key(&var)
    }

    /// The call of the function that is run.
    pub fn outer_context(&self) -> ContextId {
        self.locations[self.root].context
    }

    /// Whether the outermost function calls it.
    pub fn is_called_first(&self, context: ContextId) -> bool {
        self.contexts[context].caller.is_some_and(|(caller, _)| caller == self.outer_context())
    }
}
