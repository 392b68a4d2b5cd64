//! Calls: expanded in place where that is possible, and else forgotten in a way that covers all they can do.

use covenant_interpreter::code::{Builtin, Target};
use covenant_interpreter::host::System;
use covenant_program::analysis::part_used_of_call;
use covenant_program::ir::{CallData, Callee, FuncId, Inst, Origin, Type, Value};
use covenant_program::world::{Part, allocates, is_determined, is_determined_for, is_harness, missing};

use super::blocks::Returned;
use super::build::{Builder, Here, Val};
use super::summary::{self, Effect};
use super::{CallContext, ContextId, Spot};

/// Calls inside calls that are expanded.
const DEEPEST: u32 = 60; // not tuning: who checks a proof builds the same flow
/// Functions that a call through a pointer may choose between.
const MOST_CALLEES: usize = 24; // not tuning: who checks a proof builds the same flow

impl Builder<'_> {
    pub(super) fn call(
        &mut self,
        context: ContextId,
        mut here: Here,
        inst: Inst,
        call: &CallData,
    ) -> Result<Option<Here>, String> {
        match call.callee {
            Callee::Direct(callee) => self.call_of(context, here, inst, call, callee),
            Callee::Indirect(pointer) => {
                let address = self.value(context, pointer);
                let address = self.term(address, Type::Ptr);
                let settled = self.settle(&mut here, address);
                if let Some(known) = self.terms.as_bv(settled) {
                    return match self.image.function_at(known as u64) {
                        Some(callee) => self.call_of(context, here, inst, call, callee),
                        // Code at a fixed address, which is not ours.
                        None if known != 0 && self.calls.outside => {
                            Ok(Some(self.forget_call(context, here, inst, call)))
                        }
                        None => Ok(None),
                    };
                }
                self.call_any(context, here, inst, call, settled)
            }
        }
    }

    /// A call through a pointer that may be one of several functions, or code that is no part of the program.
    fn call_any(
        &mut self,
        context: ContextId,
        mut here: Here,
        inst: Inst,
        call: &CallData,
        address: covenant_constraints::TermId,
    ) -> Result<Option<Here>, String> {
        let function = self.flow.contexts[context].function;
        let candidates = self.calls.graph.behind(self.image.program(), self.body(function), inst);
        if candidates.len() > MOST_CALLEES {
            for callee in candidates {
                self.leave_open(callee, "it may be called through a pointer that can be many functions");
            }
            return Ok(Some(self.forget_call(context, here, inst, call)));
        }
        let loc = self.loc_of(function, inst);
        let mut ends = Vec::new();
        let zero = self.terms.bv(0, 64);
        let is_null = self.terms.eq(address, zero);
        let mut other = vec![self.terms.not(is_null)];
        for callee in candidates {
            let known = self.terms.bv(u128::from(self.image.function_address(callee)), 64);
            let is_it = self.terms.eq(address, known);
            other.push(self.terms.not(is_it));
            let child = self.child(context, inst, callee);
            let to = self.locate(child, Spot::Root, loc);
            if !matches!(self.image.target(callee), Target::Code) {
                self.flow.silent.insert(to);
            }
            self.emit(&mut here, to, &[is_it], &[]);
            if let Some(end) = self.call_of(context, Here::at(to), inst, call, callee)? {
                let values = call_results(self, context, inst);
                ends.push((end, values));
            }
        }
        if self.calls.outside && other.iter().all(|&c| self.terms.as_bool(c) != Some(false)) {
            here.guard.extend(other);
            for callback in self.calls.callbacks(self.image.program()) {
                self.leave_open(callback, "it may be called by code that is no part of the program");
            }
            let end = self.forget_call(context, here, inst, call);
            let values = call_results(self, context, inst);
            ends.push((end, values));
        }
        Ok(self.meet(context, inst, ends))
    }

    fn child(&mut self, context: ContextId, inst: Inst, callee: FuncId) -> ContextId {
        if let Some(child) = self.flow.child(context, inst, callee) {
            return child;
        }
        let depth = self.flow.contexts[context].depth + 1;
        let child = self.flow.contexts.push(CallContext { function: callee, caller: Some((context, inst)), depth });
        self.flow.children.insert((context, inst, callee), child);
        child
    }

    fn call_of(
        &mut self,
        context: ContextId,
        mut here: Here,
        inst: Inst,
        call: &CallData,
        callee: FuncId,
    ) -> Result<Option<Here>, String> {
        match self.image.target(callee) {
            Target::Builtin(builtin) => return Ok(self.builtin(context, here, inst, call, builtin)),
            Target::Undefined if missing(&self.image.function(callee).name).is_some() => {
                return Ok(Some(self.call_of_missing(context, here, inst, call, callee)));
            }
            Target::Undefined => return Ok(Some(self.call_of_undefined(context, here, inst, call, callee))),
            Target::Code => {}
        }
        let function = self.image.function(callee);
        if function.origin == Origin::Library {
            if summary::never_returns(&function.name) {
                self.open_callbacks(callee);
                return Ok(None);
            }
            let by_library = self.image.function(self.flow.contexts[context].function).origin == Origin::Library;
            if !by_library && !self.asks_for_fixed_part(context, inst, &function.name) {
                self.bind_any(&mut here, context, inst);
                return Ok(Some(self.stop_after(context, here, inst)));
            }
            let certain = by_library || is_determined(&function.name) || allocates(&function.name);
            if !certain || !self.calls.is_small(callee) || function.variadic {
                let here = self.summarise(context, here, inst, call, callee);
                return Ok(Some(self.stop_after(context, here, inst)));
            }
        }
        let (depth, times) = self.chain(context, callee);
        if times >= self.options.recursion || depth >= DEEPEST {
            let limit = self.options.recursion;
            let why = format!("calls of `{}` are expanded {limit} deep only", function.source_name());
            self.leave_open(callee, &why);
            return Ok(Some(self.forget_call(context, here, inst, call)));
        }
        let args = self.arguments(context, call, callee);
        let child = self.child(context, inst, callee);
        let ends = self.expand(child, here, args)?;
        Ok(self.meet(context, inst, ends))
    }

    /// Whether the caller looks at no more of the result than C fixes. If it does, a function that C determines otherwise may
    /// return any number: only its sign, say, is the same in every library.
    fn asks_for_fixed_part(&self, context: ContextId, inst: Inst, name: &str) -> bool {
        let body = self.image.function(self.flow.contexts[context].function).body.as_ref();
        let used = body.map_or(Part::Whole, |body| part_used_of_call(body, inst));
        !is_determined(name) || is_determined_for(name, used)
    }

    /// A function of the C library that no run has: runs end there, but nothing is proved from that. It may do anything.
    fn call_of_missing(&mut self, context: ContextId, here: Here, inst: Inst, call: &CallData, callee: FuncId) -> Here {
        let name = self.image.function(callee).name.clone();
        self.flow.approximations.insert(format!("`{name}` is not supported and may do anything"));
        for callback in self.calls.callbacks(self.image.program()) {
            self.leave_open(callback, "it may be called from inside the library");
        }
        let here = self.forget_call(context, here, inst, call);
        self.stop_after(context, here, inst)
    }

    /// A function that nothing defines: it gives any value, and may change whatever it can reach, unless it only asks for
    /// inputs or the user says that it writes nothing.
    fn call_of_undefined(
        &mut self,
        context: ContextId,
        mut here: Here,
        inst: Inst,
        call: &CallData,
        callee: FuncId,
    ) -> Here {
        let (name, source) = (&self.image.function(callee).name, &self.image.function(callee).source);
        if is_harness(name) || self.options.harmless.contains(name) && source.returned_in_memory.is_none() {
            self.bind_any(&mut here, context, inst);
            return self.stop_after(context, here, inst);
        }
        self.flow
            .approximations
            .insert(format!("`{name}`, which nothing defines, may do anything to memory it can reach"));
        for callback in self.calls.callbacks(self.image.program()) {
            self.leave_open(callback, "it may be called by code that is no part of the program");
        }
        let here = self.forget_call(context, here, inst, call);
        self.stop_after(context, here, inst)
    }

    /// A location behind a call whose result is not known before: there a run can tell what it was.
    fn stop_after(&mut self, context: ContextId, mut here: Here, inst: Inst) -> Here {
        let function = self.flow.contexts[context].function;
        if self.body(function).insts[inst].results.is_empty() {
            return here;
        }
        let loc = self.loc_of(function, inst);
        let to = self.locate(context, Spot::After(inst), loc);
        self.emit(&mut here, to, &[], &[]);
        Here::at(to)
    }

    /// How deep the chain of calls is, and how often the function is on it.
    fn chain(&self, context: ContextId, callee: FuncId) -> (u32, u32) {
        let mut times = 0;
        let mut at = Some(context);
        while let Some(id) = at {
            let context = &self.flow.contexts[id];
            times += u32::from(context.function == callee);
            at = context.caller.map(|(caller, _)| caller);
        }
        (self.flow.contexts[context].depth, times)
    }

    /// What the parameters become. Arguments that do not arrive as such can be had as variadic ones or as numbers.
    fn arguments(&mut self, context: ContextId, call: &CallData, callee: FuncId) -> Vec<Val> {
        let body = self.body(self.flow.contexts[context].function);
        let wanted = self.image.function(callee).params.clone();
        let mut args = Vec::with_capacity(wanted.len());
        let mut others: Vec<Value> = call.args.iter().skip(wanted.len()).copied().collect();
        for (i, ty) in wanted.into_iter().enumerate() {
            args.push(match call.args.get(i) {
                Some(&arg) if body.ty(arg) == ty => self.value(context, arg),
                other => {
                    others.extend(other);
                    Val::Any
                }
            });
        }
        self.give_away(context, &others);
        args
    }

    /// Where the walks out of a call go on.
    fn meet(&mut self, context: ContextId, inst: Inst, mut ends: Vec<Returned>) -> Option<Here> {
        let function = self.flow.contexts[context].function;
        let body = self.body(function);
        let results = body.insts[inst].results.clone();
        if ends.len() <= 1 {
            let (mut here, values) = ends.pop()?;
            for (i, &result) in results.iter().enumerate() {
                let ty = body.ty(result);
                let value = match values.get(i).copied() {
                    Some(Val::Term(term)) if self.terms.sort(term) == super::build::sort_of(ty) => {
                        self.capture(&mut here, context, result, ty, term)
                    }
                    Some(Val::Pointer { region, offset, align }) if ty.is_ptr() => {
                        Val::Pointer { region, offset, align }
                    }
                    _ if ty == Type::F80 => Val::Any,
                    _ => {
                        let any = self.choice(super::build::sort_of(ty));
                        self.capture(&mut here, context, result, ty, any)
                    }
                };
                self.bind(context, result, value);
            }
            return Some(here);
        }
        let loc = self.loc_of(function, inst);
        let to = self.locate(context, Spot::After(inst), loc);
        for (here, values) in &mut ends {
            let mut assign = Vec::new();
            for (i, &result) in results.iter().enumerate() {
                let ty = body.ty(result);
                let value = values.get(i).copied().unwrap_or(Val::Any);
                let value = match value {
                    Val::Term(term) if self.terms.sort(term) != super::build::sort_of(ty) => Val::Any,
                    value => value,
                };
                self.join_value(context, function, result, ty, value, &mut assign);
            }
            self.emit(here, to, &[], &assign);
        }
        Some(Here::at(to))
    }

    /// Objectives in what the function reaches cannot be refuted.
    pub(super) fn leave_open(&mut self, callee: FuncId, why: &str) {
        self.flow.approximations.insert(why.to_owned());
        for function in self.calls.graph.reach(callee) {
            self.beyond.entry(function).or_insert_with(|| why.to_owned());
        }
    }

    /// A function of the library that calls through pointers may call functions of the subject, and code that is no part of
    /// the program. False if it calls neither.
    fn open_callbacks(&mut self, callee: FuncId) -> bool {
        let reach = self.calls.graph.reach(callee);
        let subject = |id: &FuncId| self.image.function(*id).origin == Origin::Subject;
        let callbacks: Vec<FuncId> = reach.into_iter().filter(subject).collect();
        for &callback in &callbacks {
            self.leave_open(callback, "it may be called from inside the library");
        }
        !callbacks.is_empty() || (self.calls.outside && self.calls.graph.calls_pointers(callee))
    }

    /// Whatever the call may do, it did: results, all memory that others know, all globals.
    fn forget_call(&mut self, context: ContextId, mut here: Here, inst: Inst, call: &CallData) -> Here {
        self.give_away(context, &call.args);
        self.forget_globals(&mut here, context, inst);
        here
    }

    /// What others know of memory may be anything now, and so may the results of the instruction.
    fn forget_globals(&mut self, here: &mut Here, context: ContextId, inst: Inst) {
        self.plan.free();
        self.forget_outer(here);
        for region in self.all_regions() {
            if matches!(self.flow.regions[region].owner, super::Owner::Global(_)) {
                self.forget(here, region);
            }
        }
        self.bind_any(here, context, inst);
    }

    /// All memory may have changed, whoever knows its address.
    pub(super) fn forget_all(&mut self, here: &mut Here) {
        self.forget_outer(here);
        for region in self.all_regions() {
            self.forget(here, region);
        }
    }

    /// Arguments that are addresses are known to others now.
    fn give_away(&mut self, context: ContextId, args: &[Value]) {
        for &arg in args {
            if let value @ Val::Pointer { .. } = self.value(context, arg) {
                self.term(value, Type::Ptr);
            }
        }
    }

    /// A function of the library that is not expanded.
    fn summarise(&mut self, context: ContextId, mut here: Here, inst: Inst, call: &CallData, callee: FuncId) -> Here {
        let name = self.image.function(callee).name.clone();
        self.flow.approximations.insert(format!("`{name}` of the library may do anything to memory it can reach"));
        // Whoever is told of a function may call it when it likes: a signal comes at any time.
        if !is_determined(&name) && values_tell(self, context, call) {
            for callback in self.calls.callbacks(self.image.program()) {
                self.leave_open(callback, "it may be called from inside the library");
            }
        }
        if self.open_callbacks(callee) {
            return self.forget_call(context, here, inst, call);
        }
        self.note_free(callee);
        let values: Vec<Val> = call.args.iter().map(|&arg| self.value(context, arg)).collect();
        match summary::effect(&name, |i| self.text(values.get(i).copied())) {
            Effect::Prints => {
                self.flow
                    .approximations
                    .remove(&format!("`{name}` of the library may do anything to memory it can reach"));
            }
            Effect::Memory => {
                self.give_away(context, &call.args);
                self.forget_outer(&mut here);
                self.forget_library(&mut here);
            }
        }
        self.bind_any(&mut here, context, inst);
        here
    }

    /// Globals of the library, which its functions may name.
    fn forget_library(&mut self, here: &mut Here) {
        for region in self.all_regions() {
            if let super::Owner::Global(global) = self.flow.regions[region].owner
                && self.image.program().globals[global].origin == Origin::Library
            {
                self.forget(here, region);
            }
        }
    }

    /// The string literal that a value points to.
    fn text(&self, value: Option<Val>) -> Option<Vec<u8>> {
        let Some(Val::Pointer { region, offset, .. }) = value else { return None };
        let super::Owner::Global(global) = self.flow.regions[region].owner else { return None };
        let data = &self.image.program().globals[global];
        let start = self.terms.as_bv(offset)? as usize;
        let bytes = data.init.as_ref().filter(|_| data.constant)?.get(start..)?;
        Some(bytes.iter().copied().take_while(|&b| b != 0).collect())
    }

    fn builtin(
        &mut self,
        context: ContextId,
        mut here: Here,
        inst: Inst,
        call: &CallData,
        builtin: Builtin,
    ) -> Option<Here> {
        let values: Vec<Val> = call.args.iter().map(|&arg| self.value(context, arg)).collect();
        let first = values.first().copied().unwrap_or(Val::Any);
        let Builtin::System(system) = builtin else {
            // Mathematics may set errno, which only the library's own code can see as a global, and write results.
            self.forget_library(&mut here);
            for (&arg, &value) in call.args.iter().zip(&values) {
                if self.body(self.flow.contexts[context].function).ty(arg).is_ptr() {
                    self.forget_behind(&mut here, value);
                }
            }
            self.bind_any(&mut here, context, inst);
            return Some(self.stop_after(context, here, inst));
        };
        match system {
            System::Exit | System::Killed | System::Abort | System::AssertFail | System::ReachError => return None,
            System::SetJump | System::LongJump => return None,
            // What a process is given may be anything, and as much as it likes.
            _ if system.asks_the_world() => self.bind_any(&mut here, context, inst),
            System::Free | System::Close | System::Result | System::Length | System::Write => {
                self.plan.frees_by(system);
                self.bind_any(&mut here, context, inst);
            }
            // Runs end here, but nothing is proved from that: whatever it would give or write is possible.
            System::Unsupported => {
                for &value in &values {
                    self.forget_behind(&mut here, value);
                }
                self.bind_any(&mut here, context, inst);
            }
            // Any call may fail, whatever runs try.
            System::Fails => {
                self.bind_any(&mut here, context, inst);
                return Some(self.stop_after(context, here, inst));
            }
            System::Alloc => {
                let body = self.body(self.flow.contexts[context].function);
                if let Some(&result) = body.insts[inst].results.first() {
                    let size = self.size(first);
                    let address = self.allocated(&mut here, context, result, size);
                    self.bind(context, result, address);
                }
            }
            System::Input | System::MakeSymbolic | System::Crest1 | System::Crest2 | System::Crest4 => {
                self.forget_behind(&mut here, first);
                if system == System::Input {
                    self.note_parameter(context, first, values.get(1).copied());
                }
                self.bind_any(&mut here, context, inst);
            }
            System::Assume => {
                let body = self.body(self.flow.contexts[context].function);
                if let (Some(&arg), Val::Term(term)) = (call.args.first(), first) {
                    let condition = match body.ty(arg) {
                        Type::Int(1) => term,
                        _ => self.terms.nonzero(term),
                    };
                    here.guard.push(condition);
                }
                self.bind_any(&mut here, context, inst);
            }
            System::Copy | System::Fill => {
                if let [to, what, size] = values[..] {
                    match system {
                        System::Copy => self.copy(&mut here, to, what, size),
                        _ => self.fill_cut(&mut here, to, what, size),
                    }
                }
                let body = self.body(self.flow.contexts[context].function);
                if let Some(&result) = body.insts[inst].results.first() {
                    self.bind(context, result, first);
                }
            }
            _ => {
                self.give_away(context, &call.args);
                self.forget_outer(&mut here);
                self.forget_library(&mut here);
                self.bind_any(&mut here, context, inst);
            }
        }
        Some(here)
    }
}

/// Whether a call may tell somebody of a function: by an argument that is one, or by what lies behind one.
fn values_tell(builder: &mut Builder<'_>, context: ContextId, call: &CallData) -> bool {
    let body = builder.body(builder.flow.contexts[context].function);
    call.args.iter().any(|&arg| match builder.value(context, arg) {
        _ if !body.ty(arg).is_ptr() => false,
        Val::Pointer { region, .. } => match builder.flow.regions[region].owner {
            super::Owner::Global(global) => !builder.image.program().globals[global].constant,
            super::Owner::Local(..) => true,
        },
        Val::Term(_) | Val::Any => true,
    })
}

/// What the results of a call are bound to.
fn call_results(builder: &mut Builder<'_>, context: ContextId, inst: Inst) -> Vec<Val> {
    let body = builder.body(builder.flow.contexts[context].function);
    body.insts[inst].results.iter().map(|&r| builder.values.remove(&(context, r)).unwrap_or(Val::Any)).collect()
}
