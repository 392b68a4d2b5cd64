//! Building a flow: round after round until the plan of memory stands.

use std::collections::BTreeSet;

use covenant_constraints::{FloatKind, Sort, TermId, Terms, VarId};
use covenant_goals::{Objective, Place};
use covenant_interpreter::code::Image;
use covenant_program::ir::{Block, Body, FuncId, Inst, Loc, Type, Value};
use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap};
use rustc_hash::{FxHashMap, FxHashSet};

use super::affordable;
use super::blocks::Shape;
use super::graph::Calls;
use super::regions::{Key, Plan};
use super::{
    CallContext, ContextId, Edge, Flow, FlowOptions, Location, LocationId, Owner, Region, RegionId, Source, Spot,
    Target, live,
};

/// Rounds after which a plan that still changes is given up.
const MOST_ROUNDS: usize = 60; // not tuning: who checks a proof builds the same flow

/// The flow of everything that `entry` can do. `Err`: why there is none.
pub fn build(
    terms: &mut Terms,
    image: &Image,
    entry: FuncId,
    objectives: &[Objective],
    options: &FlowOptions,
) -> Result<Flow, String> {
    let mut calls = Calls::new(image, entry, &options.offered, options.is_main);
    let program = image.program();
    if !program.constructors.is_empty() || (options.is_main && !program.destructors.is_empty()) {
        return Err("constructors and destructors of the program are not modelled by the provers".to_owned());
    }
    if calls.jumps(image) {
        return Err("setjmp and longjmp are not modelled by the provers".to_owned());
    }
    let options = &affordable::within_reason(image, &calls.graph, entry, options);
    if affordable::is_larger(image, &calls.graph, entry, options.recursion, options.most_locations) {
        return Err("the program with its calls expanded is too large for the provers".to_owned());
    }
    let mut plan = Plan::default();
    let mut names = FxHashMap::default();
    for _ in 0..MOST_ROUNDS {
        plan.changed = false;
        let mut builder = Builder::new(terms, image, options, objectives, &mut plan, &mut names, &mut calls);
        builder.run(entry)?;
        let (mut flow, beyond) = (builder.flow, builder.beyond);
        if !plan.changed {
            set_targets(&mut flow, image, objectives, &beyond);
            live::drop_unused(&mut flow, terms);
            return Ok(flow);
        }
    }
    Err("the memory of the program has no shape that the provers understand".to_owned())
}

fn set_targets(flow: &mut Flow, image: &Image, objectives: &[Objective], beyond: &FxHashMap<FuncId, String>) {
    let mut contexts: FxHashMap<FuncId, Vec<ContextId>> = FxHashMap::default();
    for (id, context) in flow.contexts.iter() {
        contexts.entry(context.function).or_default().push(id);
    }
    let mut ways = Ways::default();
    for (index, objective) in objectives.iter().enumerate() {
        let mut target = Target::default();
        for &place in &objective.places {
            let (function, spot) = match place {
                Place::Entry(function) => (function, Spot::Block(Block::ENTRY)),
                Place::Edge(function, block, way) => (function, ways.spot(image, function, block, way)),
                Place::Label(function, inst, _) => (function, Spot::Label(inst)),
            };
            let here = contexts.get(&function).into_iter().flatten();
            target.locations.extend(here.filter_map(|&context| flow.location(context, spot)));
            target.beyond = target.beyond.take().or_else(|| beyond.get(&function).cloned());
        }
        target.locations.sort_unstable();
        target.locations.dedup();
        flow.targets[index] = target;
    }
}

/// How many edges lead to the blocks of functions.
#[derive(Default)]
struct Ways(FxHashMap<FuncId, SecondaryMap<Block, u32>>);

impl Ways {
    /// Where a run is once it has taken an edge of a terminator.
    fn spot(&mut self, image: &Image, function: FuncId, block: Block, way: u32) -> Spot {
        let Some(body) = &image.function(function).body else { return Spot::Way(block, way) };
        let edges = body.blocks[block].term.edges();
        let Some(edge) = edges.get(way as usize) else { return Spot::Way(block, way) };
        let predecessors = self.0.entry(function).or_insert_with(|| predecessors(body));
        if edges.len() > 1 && predecessors[edge.block] == 1 {
            return Spot::Block(edge.block);
        }
        Spot::Way(block, way)
    }
}

/// How many edges lead to each block, those of unreachable blocks among them.
pub(super) fn predecessors(body: &Body) -> SecondaryMap<Block, u32> {
    let mut count: SecondaryMap<Block, u32> = SecondaryMap::new();
    body.blocks.values().flat_map(|data| data.term.edges()).for_each(|edge| count[edge.block] += 1);
    count
}

/// What an SSA value is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Val {
    Term(TermId),
    /// An address inside an object of its own; the offset is a multiple of `align`.
    Pointer {
        region: RegionId,
        offset: TermId,
        align: u32,
    },
    /// Nothing is known.
    Any,
}

/// A walk from a location on, up to where control splits or joins.
#[derive(Clone, Debug)]
pub(super) struct Here {
    pub(super) at: LocationId,
    pub(super) guard: Vec<TermId>,
    /// What changed in memory since the location.
    pub(super) memory: FxHashMap<VarId, TermId>,
    /// Variables that get their value on this walk, in terms of the state at the location.
    pub(super) pending: FxHashMap<TermId, TermId>,
    memo: FxHashMap<TermId, TermId>,
}

impl Here {
    pub(super) fn at(at: LocationId) -> Here {
        Here {
            at,
            guard: Vec::new(),
            memory: FxHashMap::default(),
            pending: FxHashMap::default(),
            memo: FxHashMap::default(),
        }
    }
}

pub(super) struct Builder<'a> {
    pub(super) terms: &'a mut Terms,
    pub(super) image: &'a Image,
    pub(super) options: &'a FlowOptions,
    pub(super) plan: &'a mut Plan,
    names: &'a mut FxHashMap<String, VarId>,
    pub(super) calls: &'a mut Calls,
    pub(super) flow: Flow,
    pub(super) beyond: FxHashMap<FuncId, String>,
    pub(super) wanted_ways: FxHashSet<(FuncId, Block, u32)>,
    pub(super) wanted_entries: FxHashSet<FuncId>,
    pub(super) shapes: FxHashMap<FuncId, std::rc::Rc<Shape>>,
    pub(super) values: FxHashMap<(ContextId, Value), Val>,
    regions: FxHashMap<Owner, RegionId>,
    pub(super) keys: PrimaryMap<RegionId, Key>,
    /// Where parameters of the function under test are, and those that are pointers, with the bytes behind them and whether
    /// these are all.
    pub(super) parameters: FxHashMap<RegionId, usize>,
    pub(super) pointers: FxHashMap<TermId, (u64, bool)>,
    /// Joins that are walked or will be.
    pub(super) started: FxHashSet<LocationId>,
    choices: u32,
}

impl<'a> Builder<'a> {
    fn new(
        terms: &'a mut Terms,
        image: &'a Image,
        options: &'a FlowOptions,
        objectives: &[Objective],
        plan: &'a mut Plan,
        names: &'a mut FxHashMap<String, VarId>,
        calls: &'a mut Calls,
    ) -> Builder<'a> {
        let places = || objectives.iter().flat_map(|o| &o.places);
        let way = |place: &Place| match *place {
            Place::Edge(function, block, way) => Some((function, block, way)),
            Place::Entry(_) | Place::Label(..) => None,
        };
        let entry = |place: &Place| match *place {
            Place::Entry(function) => Some(function),
            Place::Edge(..) | Place::Label(..) => None,
        };
        let flow = Flow {
            root: LocationId::new(0),
            locations: PrimaryMap::new(),
            edges: PrimaryMap::new(),
            contexts: PrimaryMap::new(),
            regions: PrimaryMap::new(),
            variables: FxHashMap::default(),
            fresh: FxHashMap::default(),
            silent: FxHashSet::default(),
            targets: vec![Target::default(); objectives.len()],
            children: FxHashMap::default(),
            spots: FxHashMap::default(),
            folded: Default::default(),
            approximations: BTreeSet::new(),
        };
        Builder {
            terms,
            image,
            options,
            plan,
            names,
            calls,
            flow,
            beyond: FxHashMap::default(),
            wanted_ways: places().filter_map(way).collect(),
            wanted_entries: places().filter_map(entry).collect(),
            shapes: FxHashMap::default(),
            values: FxHashMap::default(),
            regions: FxHashMap::default(),
            keys: PrimaryMap::new(),
            parameters: FxHashMap::default(),
            pointers: FxHashMap::default(),
            started: FxHashSet::default(),
            choices: 0,
        }
    }

    fn run(&mut self, entry: FuncId) -> Result<(), String> {
        let context = self.flow.contexts.push(CallContext { function: entry, caller: None, depth: 0 });
        let root = self.locate(context, Spot::Root, Loc::NONE);
        self.flow.root = root;
        let mut here = Here::at(root);
        self.initialise(&mut here);
        if self.options.is_main && self.calls.registers_exits(self.image.program()) {
            for callback in self.calls.callbacks(self.image.program()) {
                self.leave_open(callback, "it may run when the program exits");
            }
        }
        let body = self.body(entry);
        let params: Vec<Value> = body.params().to_vec();
        let args = params.into_iter().map(|p| match body.ty(p) {
            Type::F80 => Val::Any,
            ty => Val::Term(self.register(context, p, ty)),
        });
        let args = args.collect();
        self.expand(context, here, args)?;
        Ok(())
    }

    pub(super) fn body(&self, function: FuncId) -> &'a Body {
        static EMPTY: std::sync::LazyLock<Body> = std::sync::LazyLock::new(Body::new);
        self.image.function(function).body.as_ref().unwrap_or(&EMPTY)
    }

    pub(super) fn locate(&mut self, context: ContextId, spot: Spot, loc: Loc) -> LocationId {
        if let Some(&found) = self.flow.spots.get(&(context, spot)) {
            return found;
        }
        let location = Location { context, spot, loc, into: Vec::new(), out: Vec::new() };
        let id = self.flow.locations.push(location);
        self.flow.spots.insert((context, spot), id);
        id
    }

    /// The variable of this name, made when first asked for.
    fn named(&mut self, name: String, sort: Sort) -> VarId {
        if let Some(&var) = self.names.get(&name) {
            return var;
        }
        let var = self.terms.var(name.clone(), sort);
        self.names.insert(name, var);
        var
    }

    /// A variable of the state.
    pub(super) fn variable(&mut self, name: String, sort: Sort, source: Source) -> VarId {
        let var = self.named(name, sort);
        self.flow.variables.insert(var, source);
        var
    }

    /// A value of which nothing is known, for this step only.
    pub(super) fn choice(&mut self, sort: Sort) -> TermId {
        self.choices += 1;
        let var = self.named(format!("any!{}:{sort}", self.choices), sort);
        self.terms.var_term(var)
    }

    /// The variable that holds an SSA value.
    pub(super) fn register(&mut self, context: ContextId, value: Value, ty: Type) -> TermId {
        let function = self.flow.contexts[context].function;
        let name = self.body(function).name(value).unwrap_or("tmp").to_owned();
        let name = format!("{name}!{}:{}:{value}", self.image.function(function).source_name(), context.as_u32());
        let var = self.variable(name, sort_of(ty), Source::Register { context, value, ty });
        self.terms.var_term(var)
    }

    /// Binds a value that is known on this walk only: from here on a variable holds it.
    pub(super) fn capture(&mut self, here: &mut Here, context: ContextId, value: Value, ty: Type, now: TermId) -> Val {
        if self.terms.is_const(now) {
            return Val::Term(now);
        }
        let register = self.register(context, value, ty);
        let now = self.settle(here, now);
        here.pending.insert(register, now);
        Val::Term(register)
    }

    /// The term over the state at the location.
    pub(super) fn settle(&mut self, here: &mut Here, term: TermId) -> TermId {
        if here.pending.is_empty() {
            return term;
        }
        self.terms.substitute_with(term, &here.pending, &mut here.memo)
    }

    /// Adds an edge from the walk to a location, unless it can never be taken. Says whether it did.
    pub(super) fn emit(
        &mut self,
        here: &mut Here,
        to: LocationId,
        extra: &[TermId],
        assign: &[(VarId, TermId)],
    ) -> bool {
        let mut guard = Vec::new();
        let conditions: Vec<TermId> = here.guard.iter().chain(extra).copied().collect();
        for condition in conditions {
            let settled = self.settle(here, condition);
            match self.terms.as_bool(settled) {
                Some(true) => {}
                Some(false) => return false,
                None if guard.contains(&settled) => {}
                None => guard.push(settled),
            }
        }
        let changed: Vec<(VarId, TermId)> = here.memory.iter().map(|(&v, &t)| (v, t)).collect();
        let mut all: Vec<(VarId, TermId)> = Vec::new();
        for (var, term) in changed.into_iter().chain(assign.iter().copied()) {
            let term = self.settle(here, term);
            all.push((var, term));
        }
        for (&register, &term) in &here.pending {
            all.extend(self.terms.as_var(register).map(|var| (var, term)));
        }
        all.sort_by_key(|(var, _)| *var);
        let id = self.flow.edges.push(Edge { from: here.at, to, guard, assign: all });
        self.flow.locations[here.at].out.push(id);
        self.flow.locations[to].into.push(id);
        true
    }

    /// The object of its own that belongs to `owner`, or none if others may know its address.
    pub(super) fn region(&mut self, owner: Owner, key: Key, size: u64) -> Option<RegionId> {
        if self.plan.escaped.contains(&key) {
            return None;
        }
        if let Some(&region) = self.regions.get(&owner) {
            return Some(region);
        }
        let region = self.flow.regions.push(Region { owner, size });
        self.keys.push(key);
        self.regions.insert(owner, region);
        Some(region)
    }

    pub(super) fn all_regions(&self) -> Vec<RegionId> {
        self.flow.regions.keys().collect()
    }

    /// Is there room for more locations?
    pub(super) fn is_full(&self) -> bool {
        self.flow.locations.len() >= self.options.most_locations
    }

    pub(super) fn loc_of(&self, function: FuncId, inst: Inst) -> Loc {
        self.body(function).insts[inst].loc
    }
}

/// The sort of a value's term.
pub fn sort_of(ty: Type) -> Sort {
    match ty {
        Type::Int(1) => Sort::Bool,
        Type::F32 => Sort::Float(FloatKind::F32),
        Type::F64 => Sort::Float(FloatKind::F64),
        Type::F80 => Sort::Float(FloatKind::F80),
        ty => Sort::Bv(ty.bits() as u8),
    }
}
