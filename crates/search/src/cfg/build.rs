//! Drawing the graph from the program.
//!
//! First the contexts: one for each chain of calls, made breadth first. Then the points of each, and last a walk from each
//! point to those that come next: through blocks, into calls and back from them.

use std::rc::Rc;

use covenant_concolic::symbolic::{ContextId, Contexts, offered_functions};
use covenant_interpreter::code::{Builtin, Image, Target};
use covenant_interpreter::host::System;
use covenant_program::analysis::CallGraph;
use covenant_program::ir::{Block, Body, Callee, FuncId, Inst, Op as IrOp, Origin, Terminator};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Cfg, ENTRY, Edge, LABEL, PointId};

/// Points after which functions share theirs.
const MOST_POINTS: usize = 20_000; // not tuning: a bound on memory

/// What a call leads to.
#[derive(Clone, Debug, Default)]
struct Call {
    /// Its place in the block.
    position: usize,
    /// The operation at which the caller goes on.
    after: u32,
    /// Functions that are walked through, and whether each call of them is told apart.
    into: Vec<(FuncId, bool)>,
    /// Whether it can go on without any of these.
    passes: bool,
    marks_jump: bool,
    jumps: bool,
    /// It is no call at all, but a label that is a point.
    label: Option<u32>,
}

/// A function as the walk sees it.
#[derive(Debug, Default)]
struct Shape {
    calls: FxHashMap<Block, Vec<Call>>,
    points: usize,
}

/// A place between two instructions.
type Cursor = (ContextId, Block, usize);

#[derive(Debug)]
struct Instance {
    function: FuncId,
    caller: Option<ContextId>,
    returns: Vec<Cursor>,
}

struct Builder<'i> {
    image: &'i Image,
    shapes: FxHashMap<FuncId, Rc<Shape>>,
    instances: Vec<Instance>,
    contexts: Contexts,
    size: usize,
    graph: CallGraph,
    /// Functions of the library that are walked through because the subject can be called from them, or jumped to.
    deep: FxHashSet<FuncId>,
    /// Functions that can come to their end.
    ending: FxHashSet<FuncId>,
    /// Where `longjmp` may go.
    jump_targets: Vec<Cursor>,
    /// Labels that are points.
    labels: &'i FxHashSet<u32>,
}

/// The graph of all that is reachable from the roots, the functions that runs start with in turn, and the contexts to find
/// a run on it. `entries`: functions whose entry is a point; `labels`: labels that are points.
pub fn build(image: &Image, roots: &[FuncId], entries: &FxHashSet<u32>, labels: &FxHashSet<u32>) -> (Cfg, Contexts) {
    let program = image.program();
    let mut builder = Builder {
        image,
        shapes: FxHashMap::default(),
        instances: Vec::new(),
        contexts: Contexts::default(),
        size: 0,
        graph: CallGraph::new(program, roots, &offered_functions(program)),
        deep: FxHashSet::default(),
        ending: FxHashSet::default(),
        jump_targets: Vec::new(),
        labels,
    };
    builder.look_into_functions();
    let starts = builder.expand(roots);
    let cfg = builder.draw(&starts, entries);
    (cfg, builder.contexts)
}

impl Builder<'_> {
    fn system(&self, function: FuncId) -> Option<System> {
        match self.image.target(function) {
            Target::Builtin(Builtin::System(system)) => Some(system),
            _ => None,
        }
    }

    /// Which functions of the library matter, and which functions return: the least that calls among them force.
    fn look_into_functions(&mut self) {
        let has_body = |id: &FuncId| self.image.function(*id).body.is_some();
        let known: Vec<FuncId> = self.graph.known().iter().copied().filter(has_body).collect();
        loop {
            let before = (self.deep.len(), self.ending.len());
            for &id in &known {
                if !self.deep.contains(&id) && self.is_deep(id) {
                    self.deep.insert(id);
                }
                if !self.ending.contains(&id) && self.can_end(id) {
                    self.ending.insert(id);
                }
            }
            if before == (self.deep.len(), self.ending.len()) {
                break;
            }
        }
    }

    fn is_deep(&self, id: FuncId) -> bool {
        let function = self.image.function(id);
        if function.body.is_none() || function.origin == Origin::Subject {
            return function.body.is_some();
        }
        self.graph.callees(id).iter().any(|&callee| {
            let jumps = matches!(self.system(callee), Some(System::SetJump | System::LongJump));
            jumps || self.deep.contains(&callee)
        })
    }

    /// Whether some walk through the body comes to a return, as far as is known of the functions that it calls.
    fn can_end(&self, id: FuncId) -> bool {
        let Some(body) = &self.image.function(id).body else { return false };
        let mut seen: FxHashSet<Block> = FxHashSet::default();
        let mut work = vec![Block::ENTRY];
        while let Some(block) = work.pop() {
            if !seen.insert(block) {
                continue;
            }
            let data = &body.blocks[block];
            let stops = data.insts.iter().any(|&inst| match &body.insts[inst].op {
                IrOp::Call(call) => match call.callee {
                    Callee::Direct(callee) => !self.can_pass(callee),
                    Callee::Indirect(_) => false,
                },
                _ => false,
            });
            if stops {
                continue;
            }
            if matches!(data.term, Terminator::Return(_)) {
                return true;
            }
            work.extend(data.term.edges().iter().map(|edge| edge.block));
        }
        false
    }

    /// Whether a call of the function can come back.
    fn can_pass(&self, id: FuncId) -> bool {
        match self.image.target(id) {
            Target::Code => self.ending.contains(&id),
            Target::Undefined => true,
            Target::Builtin(_) => {
                let ends = [System::Exit, System::Killed, System::Abort, System::AssertFail, System::LongJump];
                !self.system(id).is_some_and(|system| ends.contains(&system))
            }
        }
    }

    fn shape(&mut self, id: FuncId) -> Rc<Shape> {
        if let Some(shape) = self.shapes.get(&id) {
            return Rc::clone(shape);
        }
        let shape = Rc::new(self.shape_of(id));
        self.shapes.insert(id, Rc::clone(&shape));
        shape
    }

    fn shape_of(&self, id: FuncId) -> Shape {
        let mut shape = Shape::default();
        let image = self.image;
        let Some(body) = &image.function(id).body else { return shape };
        let after: FxHashMap<Inst, u32> = image.calls(id).collect();
        for (block, data) in body.blocks.iter() {
            let ways = data.term.edges().len();
            shape.points += if ways > 1 { ways } else { 0 };
            for (position, inst) in data.insts.iter().enumerate() {
                if let IrOp::Call(call) = &body.insts[*inst].op {
                    let after = after.get(inst).copied().unwrap_or(0);
                    let call = self.call((body, *inst), position, after, call.callee);
                    shape.calls.entry(block).or_default().push(call);
                }
                if let IrOp::Label { index, .. } = body.insts[*inst].op
                    && self.labels.contains(&index)
                {
                    shape.points += 1;
                    let label = Call { position, label: Some(index), ..Call::default() };
                    shape.calls.entry(block).or_default().push(label);
                }
            }
        }
        shape
    }

    fn call(&self, (body, inst): (&Body, Inst), position: usize, after: u32, callee: Callee) -> Call {
        let mut call = Call { position, after, ..Call::default() };
        match callee {
            Callee::Indirect(_) => {
                let behind = self.graph.behind(self.image.program(), body, inst);
                call.into = behind.into_iter().filter(|id| self.deep.contains(id)).map(|id| (id, false)).collect();
                // Functions of the library, such as nothing defines, and code that is no part of the program.
                call.passes = true;
            }
            Callee::Direct(id) => {
                call.marks_jump = self.system(id) == Some(System::SetJump);
                call.jumps = self.system(id) == Some(System::LongJump);
                if self.deep.contains(&id) {
                    call.into = vec![(id, true)];
                } else {
                    call.passes = self.can_pass(id);
                }
            }
        }
        call
    }

    /// Makes all contexts; those of the roots.
    fn expand(&mut self, roots: &[FuncId]) -> Vec<ContextId> {
        let mut starts = Vec::new();
        for &root in roots {
            let context = self.instance(root, None);
            self.contexts.add(ContextId::NONE, 0, root.as_u32(), context);
            starts.push(context);
        }
        for two in starts.windows(2) {
            self.instances[two[0].0 as usize].returns.push((two[1], Block::ENTRY, 0));
        }
        let mut at = 0;
        while at < self.instances.len() {
            let context = ContextId(at as u32);
            let shape = self.shape(self.instances[at].function);
            let mut blocks: Vec<&Block> = shape.calls.keys().collect();
            blocks.sort_unstable();
            for &block in blocks {
                for call in &shape.calls[&block] {
                    for &(callee, apart) in &call.into {
                        let inside = self.enter(context, call.after, callee, apart);
                        let back = (context, block, call.position + 1);
                        self.instances[inside.0 as usize].returns.push(back);
                    }
                    if call.marks_jump {
                        self.jump_targets.push((context, block, call.position + 1));
                    }
                }
            }
            at += 1;
        }
        starts
    }

    fn instance(&mut self, function: FuncId, caller: Option<ContextId>) -> ContextId {
        self.size += self.shape(function).points;
        self.instances.push(Instance { function, caller, returns: Vec::new() });
        ContextId(self.instances.len() as u32 - 1)
    }

    fn enter(&mut self, caller: ContextId, after: u32, callee: FuncId, apart: bool) -> ContextId {
        let function = callee.as_u32();
        let mut above = Some(caller);
        while let Some(context) = above {
            let instance = &self.instances[context.0 as usize];
            if instance.function == callee {
                self.contexts.add(caller, after, function, context);
                return context;
            }
            above = instance.caller;
        }
        if apart && self.size < MOST_POINTS {
            let context = self.instance(callee, Some(caller));
            self.contexts.add(caller, after, function, context);
            return context;
        }
        if let Some(context) = self.contexts.merged(function) {
            return context;
        }
        let context = self.instance(callee, None);
        self.contexts.merge(function, context);
        context
    }

    fn draw(&mut self, starts: &[ContextId], entries: &FxHashSet<u32>) -> Cfg {
        let mut cfg = Cfg::empty();
        for (i, instance) in self.instances.iter().enumerate() {
            let (context, function) = (ContextId(i as u32), instance.function.as_u32());
            if entries.contains(&function) {
                cfg.add(context, (function, ENTRY, 0));
            }
            let Some(body) = &self.image.function(instance.function).body else { continue };
            for (block, data) in body.blocks.iter() {
                let ways = data.term.edges().len() as u32;
                for way in (0..ways).filter(|_| ways > 1) {
                    cfg.add(context, self.edge(instance.function, block, way));
                }
            }
            for (_, _, label) in self.labels_of(instance.function) {
                cfg.add(context, (function, LABEL, label));
            }
        }
        let begin = starts.first().map_or_else(Vec::new, |&context| self.enter_points(&cfg, context));
        cfg.connect(PointId::START, begin);
        for (i, instance) in self.instances.iter().enumerate() {
            let (context, function) = (ContextId(i as u32), instance.function);
            if let Some(entry) = cfg.find(context, (function.as_u32(), ENTRY, 0)) {
                let next = self.first(&cfg, (context, Block::ENTRY, 0));
                cfg.connect(entry, next);
            }
            for (block, position, label) in self.labels_of(function) {
                let next = self.first(&cfg, (context, block, position + 1));
                if let Some(from) = cfg.find(context, (function.as_u32(), LABEL, label)) {
                    cfg.connect(from, next);
                }
            }
            let Some(body) = &self.image.function(function).body else { continue };
            for (block, data) in body.blocks.iter() {
                let edges = data.term.edges();
                for (way, edge) in edges.iter().enumerate().filter(|_| edges.len() > 1) {
                    let from = cfg.find(context, self.edge(function, block, way as u32));
                    let next = self.first(&cfg, (context, edge.block, 0));
                    if let Some(from) = from {
                        cfg.connect(from, next);
                    }
                }
            }
        }
        cfg
    }

    /// The labels of a function that are points, with their places.
    fn labels_of(&self, function: FuncId) -> Vec<(Block, usize, u32)> {
        let calls = self.shapes.get(&function).into_iter().flat_map(|shape| &shape.calls);
        let mut found: Vec<_> = calls
            .flat_map(|(&block, calls)| calls.iter().filter_map(move |c| Some((block, c.position, c.label?))))
            .collect();
        found.sort_unstable();
        found
    }

    fn edge(&self, function: FuncId, block: Block, way: u32) -> Edge {
        (function.as_u32(), self.image.terminator(function, block), way)
    }

    /// What comes first when a function is entered.
    fn enter_points(&self, cfg: &Cfg, context: ContextId) -> Vec<PointId> {
        let function = self.instances[context.0 as usize].function.as_u32();
        match cfg.find(context, (function, ENTRY, 0)) {
            Some(entry) => vec![entry],
            None => self.first(cfg, (context, Block::ENTRY, 0)),
        }
    }

    /// The first points of all walks from a place.
    fn first(&self, cfg: &Cfg, start: Cursor) -> Vec<PointId> {
        let mut found = Vec::new();
        let mut seen: FxHashSet<Cursor> = FxHashSet::default();
        let mut work = vec![start];
        while let Some(cursor) = work.pop() {
            if !seen.insert(cursor) {
                continue;
            }
            let (context, block, position) = cursor;
            let instance = &self.instances[context.0 as usize];
            let calls = self.shapes.get(&instance.function).and_then(|shape| shape.calls.get(&block));
            let call = calls.and_then(|calls| calls.iter().find(|call| call.position >= position));
            match call {
                Some(call) => self.follow_call(cfg, call, cursor, &mut found, &mut work),
                None => self.follow_end(cfg, cursor, &mut found, &mut work),
            }
        }
        found
    }

    fn follow_call(
        &self,
        cfg: &Cfg,
        call: &Call,
        (context, block, _): Cursor,
        found: &mut Vec<PointId>,
        work: &mut Vec<Cursor>,
    ) {
        if let Some(label) = call.label {
            let function = self.instances[context.0 as usize].function.as_u32();
            found.extend(cfg.find(context, (function, LABEL, label)));
        }
        for &(callee, _) in &call.into {
            let inside = self.contexts.enter(context, call.after, callee.as_u32());
            if inside == ContextId::NONE {
                continue;
            }
            match cfg.find(inside, (callee.as_u32(), ENTRY, 0)) {
                Some(entry) => found.push(entry),
                None => work.push((inside, Block::ENTRY, 0)),
            }
        }
        if call.passes {
            work.push((context, block, call.position + 1));
        }
        if call.jumps {
            work.extend(&self.jump_targets);
        }
    }

    fn follow_end(&self, cfg: &Cfg, (context, block, _): Cursor, found: &mut Vec<PointId>, work: &mut Vec<Cursor>) {
        let instance = &self.instances[context.0 as usize];
        let Some(body) = &self.image.function(instance.function).body else { return };
        let data = &body.blocks[block];
        let edges = data.term.edges();
        match (&data.term, &edges[..]) {
            (Terminator::Return(_), _) => work.extend(&instance.returns),
            (_, [only]) => work.push((context, only.block, 0)),
            _ => {
                let ways = 0..edges.len() as u32;
                found.extend(ways.filter_map(|way| cfg.find(context, self.edge(instance.function, block, way))));
            }
        }
    }
}
