//! Which values are *static*: a guard somewhere depends on them, so they are constrained or known when a path is followed.
//! All others are *dynamic* and are left out of the refined abstraction.
//!
//! A fixpoint over the call graph: from the guards back through operations, parameters of blocks, arguments of all calls and
//! results of all functions that a trace can enter. What is read from memory may be what any of them wrote.

use std::collections::HashMap;

use covenant_goals::traces::Abstraction;
use covenant_program::analysis::CallGraph;
use covenant_program::ir::{Block, Body, Callee, Def, FuncId, Inst, Op, Program, Terminator, Value};
use rustc_hash::FxHashSet;

/// Which values are static.
#[derive(Clone, Debug)]
pub struct Modes {
    statics: FxHashSet<(FuncId, Value)>,
    /// The calls of all that the abstraction is made from.
    pub(super) graph: CallGraph,
}

/// Where each function is called.
type Callers = HashMap<FuncId, Vec<(FuncId, Inst)>>;

impl Modes {
    /// Finds them for all functions of an abstraction.
    pub fn new(program: &Program, abstraction: &Abstraction) -> Modes {
        let graph = CallGraph::new(program, &[abstraction.entry], &[]);
        let mut modes = Modes { statics: FxHashSet::default(), graph };
        let mut work = Vec::new();
        let mut callers = Callers::new();
        for &id in abstraction.methods.keys() {
            let Some(body) = &program.functions[id].body else { continue };
            for block in body.blocks.values() {
                match &block.term {
                    Terminator::Branch { cond, .. } => work.push((id, *cond)),
                    Terminator::Switch { value, .. } => work.push((id, *value)),
                    _ => {}
                }
                for &inst in &block.insts {
                    if let Op::Call(call) = &body.insts[inst].op
                        && let Callee::Direct(callee) = call.callee
                    {
                        callers.entry(callee).or_default().push((id, inst));
                    }
                }
            }
        }
        let mut reads = false;
        while let Some((id, value)) = work.pop() {
            if modes.statics.insert((id, value)) {
                sources(program, abstraction, &callers, id, value, &mut work);
                if !reads && is_read(program, id, value) {
                    reads = true;
                    work.extend(written(program, abstraction));
                }
            }
        }
        modes
    }

    /// Whether a guard may depend on the value.
    pub fn is_static(&self, function: FuncId, value: Value) -> bool {
        self.statics.contains(&(function, value))
    }
}

fn is_read(program: &Program, id: FuncId, value: Value) -> bool {
    let Some(body) = &program.functions[id].body else { return false };
    matches!(body.values[value].def, Def::Result { inst, .. } if matches!(body.insts[inst].op, Op::Load { .. }))
}

/// All that is written to memory, and where.
fn written(program: &Program, abstraction: &Abstraction) -> Vec<(FuncId, Value)> {
    let bodies = abstraction.methods.keys().filter_map(|&id| Some((id, program.functions[id].body.as_ref()?)));
    let stores = bodies.flat_map(|(id, body)| body.insts.values().map(move |inst| (id, &inst.op)));
    let values = stores.filter_map(|(id, op)| match op {
        Op::Store { ptr, value, .. } => Some([(id, *ptr), (id, *value)]),
        _ => None,
    });
    values.flatten().collect()
}

/// What a value is made of.
fn sources(
    program: &Program,
    abstraction: &Abstraction,
    callers: &Callers,
    id: FuncId,
    value: Value,
    work: &mut Vec<(FuncId, Value)>,
) {
    let Some(body) = &program.functions[id].body else { return };
    match body.values[value].def {
        Def::Const(_) => {}
        Def::Param { block: Block::ENTRY, index } => {
            for &(caller, inst) in callers.get(&id).into_iter().flatten() {
                let Some(body) = &program.functions[caller].body else { continue };
                if let Op::Call(call) = &body.insts[inst].op {
                    work.extend(call.args.get(index as usize).map(|&arg| (caller, arg)));
                }
            }
        }
        Def::Param { block, index } => {
            let edges = body.blocks.values().flat_map(|data| data.term.edges());
            let into = edges.filter(|edge| edge.block == block);
            work.extend(into.filter_map(|edge| Some((id, *edge.args.get(index as usize)?))));
        }
        Def::Result { inst, index } => match &body.insts[inst].op {
            Op::Call(call) => {
                let Callee::Direct(callee) = call.callee else { return };
                let known = abstraction.methods.contains_key(&callee);
                let Some(body) = program.functions[callee].body.as_ref().filter(|_| known) else { return };
                work.extend(body.blocks.values().filter_map(|data| match &data.term {
                    Terminator::Return(values) => Some((callee, *values.get(index as usize)?)),
                    _ => None,
                }));
            }
            op => work.extend(operands(op).into_iter().map(|arg| (id, arg))),
        },
    }

    fn operands(op: &Op) -> Vec<Value> {
        match op {
            Op::Unary { arg, .. } | Op::Cast { arg, .. } => vec![*arg],
            Op::Binary { args, .. } | Op::IntCmp { args, .. } | Op::FloatCmp { args, .. } => args.to_vec(),
            Op::Select { cond, args } => vec![*cond, args[0], args[1]],
            Op::PtrAdd { base, index, .. } => std::iter::once(*base).chain(index.expand()).collect(),
            Op::Load { ptr, .. } => vec![*ptr],
            _ => Vec::new(),
        }
    }
}

/// How many values of a body are static, and how many there are besides constants.
pub fn count(modes: &Modes, id: FuncId, body: &Body) -> (usize, usize) {
    let values = body.values.iter().filter(|(_, data)| !matches!(data.def, Def::Const(_)));
    values.fold((0, 0), |(kept, all), (value, _)| (kept + usize::from(modes.is_static(id, value)), all + 1))
}
