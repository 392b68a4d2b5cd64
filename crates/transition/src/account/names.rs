//! What the variables of a flow are called in the source, at a place where something is said about them.
//!
//! A name alone means the value that the variable has there. Where it may have another by now, it is said where the value is
//! from.

use std::collections::BTreeMap;

use covenant_constraints::VarId;
use covenant_program::analysis::{is_current, is_current_in};
use covenant_program::ir::{Block, Body, Callee, Def, Inst, Op, Origin, Program, Terminator, Value};
use covenant_program::types::{CType, TypeId};

use super::formula::Sign;
use crate::flow::{ContextId, Flow, LocationId, Owner, RegionId, Source, Spot};

/// Of what has no name it is said where it is computed.
pub(super) const COMPUTED: &str = "computed";

/// The names of variables at one place.
#[derive(Debug, Default)]
pub(super) struct Named(BTreeMap<VarId, (String, Sign)>);

impl Named {
    /// Of all these variables at a location. Two that would have one name are told apart by where their values are from.
    pub(super) fn new(program: &Program, flow: &Flow, vars: &[VarId], at: LocationId) -> Named {
        let namer = Namer { program, flow, at };
        let mut named: BTreeMap<VarId, (String, Sign)> = BTreeMap::new();
        for &var in vars {
            let name = flow.variables.get(&var).and_then(|source| namer.name(source, false));
            named.extend(name.map(|name| (var, name)));
        }
        let names: Vec<String> = named.values().map(|(name, _)| name.clone()).collect();
        for (var, (name, _)) in &mut named {
            let is_shared = names.iter().filter(|other| *other == name).count() > 1;
            let long = flow.variables.get(var).filter(|_| is_shared).and_then(|source| namer.name(source, true));
            if let Some((long, _)) = long {
                *name = long;
            }
        }
        Named(named)
    }

    pub(super) fn get(&self, var: VarId) -> Option<(String, Sign)> {
        self.0.get(&var).cloned()
    }

    /// All names, each once.
    pub(super) fn all(&self) -> Vec<String> {
        let mut names: Vec<String> = self.0.values().map(|(name, _)| name.clone()).collect();
        names.sort();
        names.dedup();
        names
    }
}

struct Namer<'a> {
    program: &'a Program,
    flow: &'a Flow,
    at: LocationId,
}

impl<'a> Namer<'a> {
    fn body(&self, context: ContextId) -> Option<&'a Body> {
        self.program.functions.get(self.flow.contexts[context].function)?.body.as_ref()
    }

    fn name(&self, source: &Source, long: bool) -> Option<(String, Sign)> {
        match *source {
            Source::Register { context, value, .. } => self.register(context, value, long),
            Source::Offset { context, value, region } => {
                let (pointer, _) = self.register(context, value, long)?;
                Some((format!("(bytes from the start of {} to {pointer})", self.region(region)?.0), Sign::Signed))
            }
            Source::Cell { region, offset, size } => self.cell(region, offset, size),
            Source::Bytes { .. } | Source::Outer => None,
        }
    }

    fn register(&self, context: ContextId, value: Value, long: bool) -> Option<(String, Sign)> {
        let body = self.body(context)?;
        let data = body.values.get(value)?;
        let of = self.of_function(context);
        if self.is_driver(context) {
            return self.argument(body, value, long);
        }
        let Some(variable) = data.var.expand().and_then(|var| body.variables.get(var)) else {
            return self.computed(context, body, value).map(|name| (format!("{name}{of}"), Sign::Signed));
        };
        let sign = sign(self.program, variable.ty);
        if !long && self.is_current(context, body, value) {
            return Some((format!("{}{of}", variable.name), sign));
        }
        let from = match data.def {
            Def::Param { block: Block::ENTRY, .. } => " on entry".to_owned(),
            Def::Param { block, .. } => {
                first_line(body, block).map_or(String::new(), |line| format!(" at line {line}"))
            }
            Def::Result { inst, .. } => line(body, inst).map_or(String::new(), |line| format!(" of line {line}")),
            Def::Const(_) => String::new(),
        };
        let from = if from.is_empty() { " of an earlier line" } else { &from };
        Some((format!("({}{from}{of})", variable.name), sign))
    }

    /// An argument of the function under test, which its driver has read from a variable of the same name.
    fn argument(&self, driver: &Body, value: Value, long: bool) -> Option<(String, Sign)> {
        let Def::Result { inst, .. } = driver.values.get(value)?.def else { return None };
        let Op::Load { ptr, .. } = driver.insts.get(inst)?.op else { return None };
        let name = driver.name(ptr)?;
        let variable = |body: &Body, v: Value| {
            let var = body.values.get(v)?.var.expand()?;
            body.variables.get(var).filter(|variable| variable.name == name).map(|variable| variable.ty)
        };
        for context in self.flow.contexts.keys().filter(|&context| self.flow.is_called_first(context)) {
            let Some(body) = self.body(context) else { continue };
            let Some((&param, ty)) = body.params().iter().find_map(|p| Some((p, variable(body, *p)?))) else {
                continue;
            };
            let sign = sign(self.program, ty);
            let of = self.of_function(context);
            return Some(match !long && self.is_current(context, body, param) {
                true => (format!("{name}{of}"), sign),
                false => (format!("({name} on entry{of})"), sign),
            });
        }
        let ty = driver.values.get(ptr)?.var.expand().and_then(|var| driver.variables.get(var)?.ty);
        Some((format!("({name} on entry)"), sign(self.program, ty)))
    }

    /// Whether the variable still has this value, whenever a run is at the place.
    fn is_current(&self, context: ContextId, body: &Body, value: Value) -> bool {
        let location = &self.flow.locations[self.at];
        if location.context == context {
            return match location.spot {
                Spot::Block(block) => is_current(body, value, block),
                Spot::Way(block, _) => is_current_in(body, value, block),
                Spot::After(inst) | Spot::Label(inst) => is_current_around(body, value, inst),
                Spot::Root => false,
            };
        }
        // Somebody who is waiting for a call.
        let mut at = location.context;
        while let Some((caller, inst)) = self.flow.contexts[at].caller {
            if caller == context {
                return is_current_around(body, value, inst);
            }
            at = caller;
        }
        false
    }

    /// A value without a name of its own.
    fn computed(&self, context: ContextId, body: &Body, value: Value) -> Option<String> {
        let Def::Result { inst, .. } = body.values.get(value)?.def else {
            let Def::Param { block, .. } = body.values.get(value)?.def else { return None };
            let returned = matches!(&body.blocks[block].term, Terminator::Return(values) if values.contains(&value));
            if returned {
                return Some(format!(
                    "(the result of {}())",
                    self.program.functions[self.flow.contexts[context].function].source_name()
                ));
            }
            return first_line(body, block).map(|line| format!("(the value {COMPUTED} before line {line})"));
        };
        let line = line(body, inst)?;
        match &body.insts.get(inst)?.op {
            Op::Load { ptr, .. } => match body.name(*ptr) {
                Some(name) => Some(format!("({name} as read in line {line})")),
                None => Some(format!("(the value read in line {line})")),
            },
            Op::Call(call) => {
                let callee = match call.callee {
                    Callee::Direct(id) => self.program.functions.get(id),
                    _ => None,
                };
                let name = callee.map_or_else(|| "the call".to_owned(), |f| format!("{}()", f.source_name()));
                Some(format!("(the result of {name} in line {line})"))
            }
            _ => Some(format!("(the value {COMPUTED} in line {line})")),
        }
    }

    fn cell(&self, region: RegionId, offset: u64, size: u32) -> Option<(String, Sign)> {
        let (name, ty) = self.region(region)?;
        let whole = self.flow.regions.get(region)?.size == u64::from(size);
        let leaf = ty.and_then(|ty| {
            let mut leaves = self.program.types.leaves(ty).take_while(|leaf| leaf.offset <= offset);
            let fits = |ty: TypeId| self.program.types.size_of(ty) == Some(u64::from(size));
            leaves.find(|leaf| leaf.offset == offset && leaf.bits.is_none() && fits(leaf.ty))
        });
        match leaf {
            Some(leaf) => Some((format!("{name}{}", leaf.path), sign(self.program, Some(leaf.ty)))),
            None if whole => Some((name, Sign::Signed)),
            None => Some((format!("(bytes {offset} to {} of {name})", offset + u64::from(size) - 1), Sign::Signed)),
        }
    }

    /// The name and type of an object.
    fn region(&self, region: RegionId) -> Option<(String, Option<TypeId>)> {
        match self.flow.regions.get(region)?.owner {
            Owner::Global(id) => {
                let global = self.program.globals.get(id)?;
                Some((global.source_name.as_deref().unwrap_or(&global.name).to_owned(), global.ty))
            }
            Owner::Local(context, value) => {
                let body = self.body(context)?;
                let variable = body.values.get(value)?.var.expand().and_then(|var| body.variables.get(var))?;
                Some((format!("{}{}", variable.name, self.of_function(context)), variable.ty))
            }
        }
    }

    /// ` of f` for what another function has than the one where the place is.
    fn of_function(&self, context: ContextId) -> String {
        let here = self.flow.locations[self.at].context;
        let function = self.program.functions.get(self.flow.contexts[context].function);
        match function {
            Some(function) if context != here && function.origin == Origin::Subject => {
                format!(" of {}", function.source_name())
            }
            _ => String::new(),
        }
    }

    fn is_driver(&self, context: ContextId) -> bool {
        let function = self.program.functions.get(self.flow.contexts[context].function);
        function.is_some_and(|f| f.name.starts_with("__covenant"))
    }
}

fn is_current_around(body: &Body, value: Value, inst: Inst) -> bool {
    let block = body.blocks.iter().find(|(_, data)| data.insts.contains(&inst));
    block.is_some_and(|(block, _)| is_current_in(body, value, block))
}

fn sign(program: &Program, ty: Option<TypeId>) -> Sign {
    match ty.map(|ty| program.types.stripped(ty)) {
        Some(CType::Int { signed: false, .. } | CType::Bool | CType::Pointer(_)) => Sign::Unsigned,
        Some(CType::Enum(kind)) if !kind.signed => Sign::Unsigned,
        _ => Sign::Signed,
    }
}

fn line(body: &Body, inst: Inst) -> Option<u32> {
    body.insts.get(inst).map(|data| data.loc.line).filter(|&line| line > 0)
}

/// The line where a block begins.
pub(super) fn first_line(body: &Body, block: Block) -> Option<u32> {
    let data = body.blocks.get(block)?;
    let lines = data.insts.iter().map(|&inst| body.insts[inst].loc.line).chain([data.term_loc.line]);
    lines.into_iter().find(|&line| line > 0)
}

/// The same, or where what follows begins.
pub(super) fn next_line(body: &Body, block: Block) -> Option<u32> {
    let (mut at, mut left) = (block, body.blocks.len());
    loop {
        if let Some(line) = first_line(body, at) {
            return Some(line);
        }
        left = left.checked_sub(1)?;
        at = body.blocks.get(at)?.term.edges().first()?.block;
    }
}
