//! Flows made by hand: the tests of those who work on flows, here and in other crates, need no program for them.

use covenant_constraints::{TermId, VarId};
use covenant_goals::ObjectiveId;
use covenant_program::ir::{FuncId, Loc, Type, Value};
use cranelift_entity::PrimaryMap;
use rustc_hash::FxHashMap;

use super::{CallContext, Edge, Flow, Location, LocationId, Source, Spot, Target};

impl Flow {
    /// A flow of one location, for tests of provers; objectives have no place yet.
    pub fn by_hand(objectives: usize) -> Flow {
        let mut contexts = PrimaryMap::new();
        let context = contexts.push(CallContext { function: FuncId::from_u32(0), caller: None, depth: 0 });
        let mut locations = PrimaryMap::new();
        let root = locations.push(Location { context, spot: Spot::Root, loc: Loc::NONE, into: vec![], out: vec![] });
        Flow {
            root,
            locations,
            edges: PrimaryMap::new(),
            contexts,
            regions: PrimaryMap::new(),
            variables: FxHashMap::default(),
            fresh: FxHashMap::default(),
            silent: Default::default(),
            targets: vec![Target::default(); objectives],
            children: FxHashMap::default(),
            spots: FxHashMap::default(),
            folded: Default::default(),
            approximations: Default::default(),
        }
    }

    /// A place more.
    pub fn add_location(&mut self) -> LocationId {
        let context = self.outer_context();
        self.locations.push(Location { context, spot: Spot::Root, loc: Loc::NONE, into: vec![], out: vec![] })
    }

    /// Makes a variable part of the state.
    pub fn add_variable(&mut self, var: VarId) {
        let context = self.outer_context();
        self.variables.insert(var, Source::Register { context, value: Value::from_u32(0), ty: Type::I32 });
    }

    /// A step more: its conditions and what it assigns.
    pub fn add_edge(&mut self, from: LocationId, to: LocationId, guard: Vec<TermId>, assign: Vec<(VarId, TermId)>) {
        let id = self.edges.push(Edge { from, to, guard, assign });
        self.locations[from].out.push(id);
        self.locations[to].into.push(id);
    }

    /// Says where an objective is reached.
    pub fn set_target(&mut self, objective: ObjectiveId, locations: Vec<LocationId>) {
        self.targets[objective.0 as usize].locations = locations;
    }
}
