//! The invariants of one body: its structure first, then what hangs on it.

use std::collections::HashSet;

use cranelift_entity::SecondaryMap;

use super::{Callee, Checker, Def, Place, Rule, Symbol, dominance, types};
use crate::ir::{
    Block, BlockData, Body, CallData, Const, Edge, FuncId, Function, Inst, Op, Terminator, Type, Value, ValueData,
};

pub(super) fn check(checker: &mut Checker<'_>, id: FuncId, function: &Function, body: &Body) {
    let before = checker.violations.len();
    let mut this = BodyChecker { checker, id, function, body };
    this.ids();
    if this.checker.violations.len() > before {
        return;
    }
    this.entry();
    this.layout();
    this.definitions();
    this.constants();
    for (block, data) in &body.blocks {
        for inst in &data.insts {
            this.inst(block, *inst);
        }
        this.terminator(block, data);
    }
    // Dominance speaks of the one place where a value is defined.
    if this.checker.violations.len() == before {
        dominance::check(&mut this);
    }
}

pub(super) struct BodyChecker<'c, 'p> {
    pub(super) checker: &'c mut Checker<'p>,
    pub(super) id: FuncId,
    function: &'c Function,
    pub(super) body: &'c Body,
}

impl BodyChecker<'_, '_> {
    fn function_place(&self) -> Place {
        Place::Function(self.id)
    }

    fn ids(&mut self) {
        let body = self.body;
        for (block, data) in &body.blocks {
            let place = Place::Block(self.id, block);
            self.checker.loc(place, data.term_loc);
            self.values_exist(place, data.params.iter().copied());
            self.values_exist(place, terminator_values(&data.term));
            for inst in &data.insts {
                let known = body.insts.is_valid(*inst);
                self.checker.check(known, Rule::Ids, place, || format!("there is no instruction {inst}"));
            }
            for edge in data.term.edges() {
                let known = body.blocks.is_valid(edge.block);
                self.checker.check(known, Rule::Ids, place, || format!("there is no block {}", edge.block));
            }
        }
        for data in body.insts.values() {
            let place = self.function_place();
            self.checker.loc(place, data.loc);
            self.values_exist(place, data.results.iter().copied().chain(op_values(&data.op)));
            if let Op::Call(call) = &data.op
                && let Callee::Direct(callee) = call.callee
            {
                self.checker.symbol(place, Symbol::Func(callee));
            }
        }
        for (value, data) in &body.values {
            self.value_ids(value, data);
        }
    }

    fn values_exist(&mut self, place: Place, values: impl IntoIterator<Item = Value>) {
        for value in values {
            let known = self.body.values.is_valid(value);
            self.checker.check(known, Rule::Ids, place, || format!("there is no value {value}"));
        }
    }

    fn value_ids(&mut self, value: Value, data: &ValueData) {
        let place = self.function_place();
        if let Some(var) = data.var.expand() {
            let known = self.body.variables.is_valid(var);
            self.checker.check(known, Rule::Ids, place, || format!("{value} has no variable {var}"));
        }
        match data.def {
            Def::Param { block, .. } => {
                let known = self.body.blocks.is_valid(block);
                self.checker.check(known, Rule::Ids, place, || format!("{value}: there is no block {block}"));
            }
            Def::Result { inst, .. } => {
                let known = self.body.insts.is_valid(inst);
                self.checker.check(known, Rule::Ids, place, || format!("{value}: there is no instruction {inst}"));
            }
            Def::Const(Const::Global(id, _)) => self.checker.symbol(place, Symbol::Global(id)),
            Def::Const(Const::Func(id)) => self.checker.symbol(place, Symbol::Func(id)),
            Def::Const(Const::Label(id, block)) => self.checker.symbol(place, Symbol::Label(id, block)),
            Def::Const(Const::Bits(_) | Const::Undef) => {}
        }
    }

    fn entry(&mut self) {
        let place = self.function_place();
        if self.body.blocks.is_empty() {
            self.checker.report(Rule::Entry, place, "the body has no block");
            return;
        }
        let types: Vec<Type> = self.body.params().iter().map(|v| self.body.ty(*v)).collect();
        self.checker.check(types == self.function.params, Rule::Entry, place, || {
            "the parameters of the entry block are not those of the function".to_owned()
        });
        for (block, data) in &self.body.blocks {
            if data.term.edges().iter().any(|e| e.block == Block::ENTRY) {
                self.checker.report(Rule::Entry, Place::Block(self.id, block), "an edge leads to the entry block");
            }
        }
    }

    fn layout(&mut self) {
        let mut seen: SecondaryMap<Inst, u32> = SecondaryMap::new();
        for inst in self.body.blocks.values().flat_map(|b| &b.insts) {
            seen[*inst] += 1;
        }
        for inst in self.body.insts.keys().filter(|i| seen[*i] != 1) {
            let message = match seen[inst] {
                0 => format!("the instruction {inst} stands in no block"),
                n => format!("the instruction {inst} stands in {n} places"),
            };
            self.checker.report(Rule::Layout, self.function_place(), message);
        }
    }

    /// Every list of parameters and results agrees with the values in it, and every value is in its list.
    fn definitions(&mut self) {
        let body = self.body;
        for (block, data) in &body.blocks {
            for (index, param) in (0..).zip(&data.params) {
                self.defined_as(*param, Def::Param { block, index }, Place::Block(self.id, block));
            }
        }
        for (inst, data) in &body.insts {
            for (index, result) in (0..).zip(&data.results) {
                self.defined_as(*result, Def::Result { inst, index }, self.function_place());
            }
        }
        for (value, data) in &body.values {
            let listed = match data.def {
                Def::Param { block, index } => body.blocks[block].params.get(index as usize) == Some(&value),
                Def::Result { inst, index } => body.insts[inst].results.get(index as usize) == Some(&value),
                Def::Const(_) => true,
            };
            let place = self.function_place();
            self.checker.check(listed, Rule::Def, place, || format!("{value} is not where its definition should be"));
        }
    }

    fn defined_as(&mut self, value: Value, def: Def, place: Place) {
        let holds = self.body.values[value].def == def;
        self.checker.check(holds, Rule::Def, place, || format!("{value} says it is defined elsewhere"));
    }

    fn constants(&mut self) {
        let place = self.function_place();
        for (value, data) in &self.body.values {
            self.checker.ty(place, data.ty);
            let Def::Const(constant) = data.def else { continue };
            let fits = match constant {
                Const::Bits(bits) => bits.checked_shr(data.ty.bits()).unwrap_or(0) == 0,
                Const::Global(..) | Const::Func(_) | Const::Label(..) => data.ty.is_ptr(),
                Const::Undef => true,
            };
            let ty = data.ty;
            self.checker.check(fits, Rule::Const, place, || format!("the constant {value} does not fit {ty}"));
        }
    }

    fn inst(&mut self, block: Block, inst: Inst) {
        let data = &self.body.insts[inst];
        let place = Place::Inst(self.id, block, inst);
        if let Err(message) = types::check(self.body, data) {
            self.checker.report(Rule::Type, place, message);
        }
        match &data.op {
            Op::Alloca { align, .. } => self.checker.check(align.is_power_of_two(), Rule::Align, place, || {
                format!("the alignment {align} is not a power of two")
            }),
            Op::Call(call) => self.call(place, call, &data.results),
            Op::Ghost { insts, .. } => {
                let behind = self.body.blocks[block].insts.iter().skip_while(|i| **i != inst).skip(1);
                let group: Vec<Inst> = behind.take(*insts as usize).copied().collect();
                let is_effect = |op: &Op| {
                    matches!(
                        op,
                        Op::Ghost { .. } | Op::Call(_) | Op::Store { .. } | Op::Alloca { .. } | Op::Counter { .. }
                    )
                };
                let holds = group.len() == *insts as usize && !group.iter().any(|i| is_effect(&self.body.insts[*i].op));
                self.checker.check(holds, Rule::Layout, place, || {
                    "a ghost reaches beyond its block, or over something with an effect".to_owned()
                });
            }
            _ => {}
        }
    }

    fn call(&mut self, place: Place, call: &CallData, results: &[Value]) {
        for by_value in &call.by_value {
            let arg = call.args.get(by_value.arg as usize).map(|v| self.body.ty(*v));
            let holds = arg.is_some_and(Type::is_ptr) && by_value.align.is_power_of_two();
            self.checker.check(holds, Rule::Call, place, || {
                format!("argument {} is not the address of an aligned struct", by_value.arg)
            });
        }
        let Callee::Direct(id) = call.callee else { return };
        let callee = &self.checker.program.functions[id];
        if callee.body.is_none() || call.variadic {
            return;
        }
        let types = |values: &[Value]| values.iter().map(|v| self.body.ty(*v)).collect::<Vec<_>>();
        let takes = !callee.variadic && types(&call.args) == callee.params;
        let gives = types(results) == callee.returns;
        self.checker.check(takes, Rule::Call, place, || format!("the arguments are not those that {id} takes"));
        self.checker.check(gives, Rule::Call, place, || format!("the results are not those that {id} returns"));
    }

    fn terminator(&mut self, block: Block, data: &BlockData) {
        let place = Place::Block(self.id, block);
        let ty = |v: &Value| self.body.ty(*v);
        match &data.term {
            Terminator::Branch { cond, .. } => {
                let holds = ty(cond) == Type::BOOL;
                self.checker.check(holds, Rule::Type, place, || format!("the condition {cond} is not an i1"));
            }
            Terminator::Indirect { address, .. } => {
                let holds = ty(address).is_ptr();
                self.checker.check(holds, Rule::Type, place, || format!("the address {address} is not a pointer"));
            }
            Terminator::Switch { value, cases, .. } => self.switch(place, *value, cases),
            Terminator::Return(values) => {
                let types: Vec<Type> = values.iter().map(ty).collect();
                self.checker.check(types == self.function.returns, Rule::Return, place, || {
                    "the values are not those that the function returns".to_owned()
                });
            }
            Terminator::Jump(_) | Terminator::Unreachable => {}
        }
        for edge in data.term.edges() {
            self.edge(place, edge);
        }
    }

    fn switch(&mut self, place: Place, value: Value, cases: &[(u128, Edge)]) {
        let ty = self.body.ty(value);
        self.checker.check(ty.is_int(), Rule::Type, place, || format!("{value} is not an integer"));
        let mut seen = HashSet::new();
        for (case, _) in cases {
            let fits = case.checked_shr(ty.bits()).unwrap_or(0) == 0;
            self.checker.check(fits, Rule::Switch, place, || format!("the case {case} does not fit {ty}"));
            self.checker.check(seen.insert(case), Rule::Switch, place, || format!("the case {case} comes twice"));
        }
    }

    fn edge(&mut self, place: Place, edge: &Edge) {
        let types = |values: &[Value]| values.iter().map(|v| self.body.ty(*v)).collect::<Vec<_>>();
        let matches = types(&edge.args) == types(&self.body.blocks[edge.block].params);
        self.checker.check(matches, Rule::Edge, place, || {
            format!("the arguments for {} do not match its parameters", edge.block)
        });
    }
}

/// The values that an instruction uses.
pub(super) fn op_values(op: &Op) -> Vec<Value> {
    match op {
        Op::Unary { arg, .. } | Op::Cast { arg, .. } => vec![*arg],
        Op::Binary { args, .. } | Op::IntCmp { args, .. } | Op::FloatCmp { args, .. } => args.to_vec(),
        Op::Select { cond, args: [a, b] } => vec![*cond, *a, *b],
        Op::PtrAdd { base, index, .. } => [Some(*base), index.expand()].into_iter().flatten().collect(),
        Op::Alloca { size, .. } => vec![*size],
        Op::Load { ptr, .. } => vec![*ptr],
        Op::Store { ptr, value, .. } => vec![*ptr, *value],
        Op::Call(call) => match call.callee {
            Callee::Direct(_) => call.args.clone(),
            Callee::Indirect(address) => std::iter::once(address).chain(call.args.iter().copied()).collect(),
        },
        Op::Intrinsic { args, .. } => args.clone(),
        Op::Counter { .. } | Op::Ghost { .. } | Op::Unsupported { .. } => Vec::new(),
        Op::Label { cond, .. } => vec![*cond],
    }
}

/// The values that a terminator uses, those on its edges included.
pub(super) fn terminator_values(term: &Terminator) -> Vec<Value> {
    let mut values: Vec<Value> = match term {
        Terminator::Branch { cond, .. } => vec![*cond],
        Terminator::Switch { value, .. } => vec![*value],
        Terminator::Indirect { address, .. } => vec![*address],
        Terminator::Return(values) => values.clone(),
        Terminator::Jump(_) | Terminator::Unreachable => Vec::new(),
    };
    values.extend(term.edges().iter().flat_map(|e| &e.args));
    values
}
