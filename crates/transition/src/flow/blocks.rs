//! Walking through the blocks of a function in one context.

use std::collections::BTreeMap;
use std::rc::Rc;

use covenant_concolic::meaning::control;
use covenant_constraints::{TermId, VarId};
use covenant_program::analysis::loops::reverse_postorder;
use covenant_program::ir::{Block, Body, Edge as IrEdge, FuncId, Origin, Terminator, Type, Value};
use cranelift_entity::SecondaryMap;

use super::build::{Builder, Here, Val, predecessors, sort_of};
use super::{ContextId, Source, Spot};

/// The order in which blocks are walked: a block comes after those that dominate it.
#[derive(Debug)]
pub(super) struct Shape {
    order: SecondaryMap<Block, u32>,
    blocks: Vec<Block>,
    predecessors: SecondaryMap<Block, u32>,
}

impl Shape {
    fn new(body: &Body) -> Shape {
        let predecessors = predecessors(body);
        let blocks: Vec<Block> = reverse_postorder(body);
        let mut order = SecondaryMap::new();
        for (i, &block) in blocks.iter().enumerate() {
            order[block] = i as u32;
        }
        Shape { order, blocks, predecessors }
    }
}

/// How a walk through a function ended: what it returns.
pub(super) type Returned = (Here, Vec<Val>);

/// A function in one context, as it is being walked.
struct Walk {
    context: ContextId,
    function: FuncId,
    shape: Rc<Shape>,
    /// Blocks still to be walked, by their place in the order.
    work: BTreeMap<u32, Here>,
    returned: Vec<Returned>,
}

impl Builder<'_> {
    pub(super) fn shape(&mut self, function: FuncId) -> Rc<Shape> {
        if let Some(shape) = self.shapes.get(&function) {
            return Rc::clone(shape);
        }
        let shape = Rc::new(Shape::new(self.body(function)));
        self.shapes.insert(function, Rc::clone(&shape));
        shape
    }

    /// Walks through a function; the walks that return from it.
    pub(super) fn expand(&mut self, context: ContextId, here: Here, args: Vec<Val>) -> Result<Vec<Returned>, String> {
        let function = self.flow.contexts[context].function;
        let shape = self.shape(function);
        for (&param, arg) in self.body(function).params().iter().zip(args) {
            self.values.insert((context, param), arg);
        }
        let mut here = here;
        if self.wanted_entries.contains(&function) || self.is_first(context) {
            let loc = self.image.function(function).loc;
            let to = self.locate(context, Spot::Block(Block::ENTRY), loc);
            self.emit(&mut here, to, &[], &[]);
            here = Here::at(to);
        }
        let mut walk = Walk { context, function, shape, work: BTreeMap::from([(0, here)]), returned: Vec::new() };
        while let Some((index, here)) = walk.work.pop_first() {
            let block = walk.shape.blocks[index as usize];
            self.walk(&mut walk, block, here)?;
            if self.options.stop.is_set() {
                return Err("there was no time to model the program for the provers".to_owned());
            }
            if self.is_full() {
                return Err("the program with its calls expanded is too large for the provers".to_owned());
            }
        }
        Ok(walk.returned)
    }

    /// Whether it is a function of the subject that nothing of the subject called: its inputs are all there.
    fn is_first(&self, context: ContextId) -> bool {
        let function = self.flow.contexts[context].function;
        self.flow.is_called_first(context) && self.image.function(function).origin == Origin::Subject
    }

    fn walk(&mut self, walk: &mut Walk, mut block: Block, mut here: Here) -> Result<(), String> {
        let body = self.body(walk.function);
        loop {
            let data = &body.blocks[block];
            for &inst in &data.insts {
                match self.inst(walk.context, here, inst)? {
                    Some(next) => here = next,
                    None => return Ok(()),
                }
            }
            match &data.term {
                Terminator::Jump(edge) => {
                    if self.wanted_ways.contains(&(walk.function, block, 0)) {
                        let to = self.locate(walk.context, Spot::Way(block, 0), data.term_loc);
                        self.emit(&mut here, to, &[], &[]);
                        here = Here::at(to);
                    }
                    if walk.shape.predecessors[edge.block] > 1 {
                        self.join(walk, &mut here, edge);
                        return Ok(());
                    }
                    self.pass(walk.context, body, edge);
                    block = edge.block;
                }
                Terminator::Return(values) => {
                    let values = values.iter().map(|&v| self.value(walk.context, v)).collect();
                    walk.returned.push((here, values));
                    return Ok(());
                }
                Terminator::Unreachable => return Ok(()),
                term => return self.split(walk, block, term, &mut here),
            }
        }
    }

    /// The ways out of a block that has several.
    fn split(&mut self, walk: &mut Walk, block: Block, term: &Terminator, here: &mut Here) -> Result<(), String> {
        let body = self.body(walk.function);
        let loc = body.blocks[block].term_loc;
        let conditions = self.conditions(walk, term);
        for (way, (edge, condition)) in term.edges().into_iter().zip(conditions).enumerate() {
            if self.terms.as_bool(condition) == Some(false) {
                self.keep_folded((walk.context, walk.function, block), way as u32, term, here);
                continue;
            }
            let possible;
            if walk.shape.predecessors[edge.block] == 1 {
                let to = self.locate(walk.context, Spot::Block(edge.block), loc);
                possible = self.emit(here, to, &[condition], &[]);
                self.pass(walk.context, body, edge);
                walk.work.insert(walk.shape.order[edge.block], Here::at(to));
            } else {
                let to = self.locate(walk.context, Spot::Way(block, way as u32), loc);
                possible = self.emit(here, to, &[condition], &[]);
                self.join(walk, &mut Here::at(to), edge);
            }
            if !possible {
                self.keep_folded((walk.context, walk.function, block), way as u32, term, here);
            }
        }
        Ok(())
    }

    /// When each edge of a terminator is taken.
    fn conditions(&mut self, walk: &Walk, term: &Terminator) -> Vec<TermId> {
        let count = term.edges().len();
        match term {
            Terminator::Branch { cond, .. } => {
                let cond = self.value(walk.context, *cond);
                let cond = self.term(cond, Type::BOOL);
                vec![cond, self.terms.not(cond)]
            }
            Terminator::Switch { value, cases, .. } => {
                let ty = self.body(walk.function).ty(*value);
                let now = self.value(walk.context, *value);
                let now = self.term(now, ty);
                let now = if ty == Type::BOOL { self.terms.bool_to_bv(now) } else { now };
                control::switch(self.terms, now, cases.iter().map(|(case, _)| *case))
            }
            Terminator::Indirect { address, targets } => {
                let now = self.value(walk.context, *address);
                let now = self.term(now, Type::Ptr);
                let label = |edge: &IrEdge| covenant_program::ir::Symbol::Label(walk.function, edge.block);
                let addresses: Vec<u64> = targets.iter().map(|e| self.image.symbol_address(label(e))).collect();
                let equal = |this: &mut Self, address: u64| {
                    let address = this.terms.bv(u128::from(address), 64);
                    this.terms.eq(now, address)
                };
                addresses.into_iter().map(|a| equal(self, a)).collect()
            }
            _ => vec![self.terms.tt(); count],
        }
    }

    /// Gives the parameters of a block that is entered from one place only.
    fn pass(&mut self, context: ContextId, body: &Body, edge: &IrEdge) {
        for (&param, &arg) in body.blocks[edge.block].params.iter().zip(&edge.args) {
            let value = self.value(context, arg);
            self.values.insert((context, param), value);
        }
    }

    /// Goes to a block that is entered from several places: its parameters are variables.
    fn join(&mut self, walk: &mut Walk, here: &mut Here, edge: &IrEdge) {
        let body = self.body(walk.function);
        let data = &body.blocks[edge.block];
        let loc = data.insts.first().map_or(data.term_loc, |&inst| body.insts[inst].loc);
        let to = self.locate(walk.context, Spot::Block(edge.block), loc);
        let mut assign = Vec::new();
        for (&param, &arg) in data.params.iter().zip(&edge.args) {
            let value = self.value(walk.context, arg);
            self.join_value(walk.context, walk.function, param, body.ty(param), value, &mut assign);
        }
        self.emit(here, to, &[], &assign);
        if self.started.insert(to) {
            walk.work.insert(walk.shape.order[edge.block], Here::at(to));
        }
    }

    /// What a variable at a join becomes.
    pub(super) fn join_value(
        &mut self,
        context: ContextId,
        function: FuncId,
        param: Value,
        ty: Type,
        value: Val,
        assign: &mut Vec<(VarId, TermId)>,
    ) {
        if let Val::Pointer { region, offset, align } = value
            && !self.plan.opaque.contains(&(function, param))
        {
            let align = self.plan.join_align(function, param, align);
            match self.values.get(&(context, param)).copied() {
                Some(Val::Pointer { region: known, .. }) if known != region => self.plan.make_opaque(function, param),
                Some(Val::Term(_)) => self.plan.make_opaque(function, param),
                _ => {}
            }
            let name = self.body(function).name(param).unwrap_or("pointer").to_owned();
            let name =
                format!("{name}.offset!{}:{}:{param}", self.image.function(function).source_name(), context.as_u32());
            let source = Source::Offset { context, value: param, region };
            let var = self.variable(name, sort_of(Type::I64), source);
            let now = self.terms.var_term(var);
            self.values.insert((context, param), Val::Pointer { region, offset: now, align });
            assign.push((var, offset));
            return;
        }
        if let Some(Val::Pointer { .. }) = self.values.get(&(context, param)) {
            self.plan.make_opaque(function, param);
        }
        if ty == Type::F80 {
            self.values.insert((context, param), Val::Any);
            return;
        }
        let term = self.term(value, ty);
        let register = self.register(context, param, ty);
        self.values.insert((context, param), Val::Term(register));
        assign.extend(self.terms.as_var(register).map(|var| (var, term)));
    }
}
