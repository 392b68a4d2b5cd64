//! Functions that nothing defines: what a call gives is an input of the run.
//!
//! The result may be any number; a pointer is NULL, a new object, one of that type that is there already, or an argument. Through each
//! pointer that is not to something constant the call writes what it likes, as far as the object goes and within the number of
//! elements that input objects have. By default it writes what is there. A struct that it returns has any content. Whatever else such
//! code may do is a limit.

use std::collections::{HashMap, HashSet};

use covenant_goals::test_case::{CallWrite, FIRST_VARIABLE, RESULT_IN_PARTS, Value};
use covenant_interpreter::shadow::{Given, Shadowed};
use covenant_program::ir::{FuncId, GlobalId, Type};
use covenant_program::types::{CType, Signature, TypeId};

use super::inputs::{self, CellKind, CellLayout, RootKind, Stubbed};
use super::record::{Recorded, Target};
use super::{Symbolic, name_of, observe};
use crate::meaning::pure::Term;

/// Scalars of one variable that a call writes.
const MOST_WRITTEN: usize = 64; // not tuning: what an input is, beyond which effects are a limit as before

/// The parts of a result, and the number of the call that gave it.
type Answer = (Vec<Shadowed<Term>>, u32);

/// The calls of a run so far.
#[derive(Debug, Default)]
pub(super) struct Calls {
    /// By function.
    counts: HashMap<u32, u32>,
    /// Those that a test tells of.
    pub(super) told: u32,
    /// What pure functions gave, by their arguments, and the number of the call among those of the test.
    pure: HashMap<(u32, Vec<u128>), Answer>,
    /// Whether the last call was the first of its function.
    pub(super) is_first: bool,
    /// Whether the last call gave what one before gave.
    repeats: bool,
    /// The arguments of the last call that are pointers: their numbers, what they point to, and where.
    pub(super) pointers: Vec<(u32, TypeId, u64)>,
    /// What was given and was there already, by root and offset.
    pub(super) same: HashSet<(u32, u64)>,
    /// Names of the first so many inputs.
    names: HashSet<String>,
    named: usize,
}

impl Symbolic<'_> {
    pub(super) fn stub_result(&mut self, function: u32, types: &[Type], args: &[u128]) -> Option<Vec<Shadowed<Term>>> {
        let callee = &self.image.program().functions[FuncId::from_u32(function)];
        let (name, never_returns) = (callee.name.clone(), callee.source.never_returns);
        let stubbed = self.cx.options.stubbed(&name);
        if stubbed == Stubbed::Ends {
            return None;
        }
        self.limit_undefined(function, types);
        if never_returns {
            return None;
        }
        let count = self.calls.counts.entry(function).or_insert(0);
        *count += 1;
        let call = *count;
        self.calls.is_first = call == 1;
        let key = (function, args.to_vec());
        let known = self.calls.pure.get(&key).cloned();
        self.calls.repeats = known.is_some();
        let (mut values, to) = match known {
            Some((values, before)) => (values, self.pointer_given(before)),
            None => {
                let free = |(i, &ty): (usize, &Type)| self.free_value(&format!("{name}#{call}.{i}"), ty);
                (types.iter().enumerate().map(free).collect::<Vec<_>>(), None)
            }
        };
        if let (Some(to), Some(value)) = (&to, values.first_mut()) {
            value.bits = u128::from(self.address_of(to, args));
        }
        let parts = values.iter().map(|v| (v.bits, v.ty)).collect();
        let declared = self.image.program().functions[FuncId::from_u32(function)].source.declared;
        self.recorded.push(Recorded::Call { function: name, values: parts, to, declared });
        self.calls.told += 1;
        if stubbed == Stubbed::Pure {
            let number = self.last_call();
            self.calls.pure.entry(key).or_insert_with(|| (values.clone(), number));
        }
        Some(values)
    }

    /// The number of the last call among those of the test.
    fn last_call(&self) -> u32 {
        self.calls.told.saturating_sub(1)
    }

    /// The pointer that a call gave as its result.
    fn pointer_given(&self, call: u32) -> Option<Target> {
        let is_its = |root: u32| self.roots[root as usize].kind == RootKind::Call { call, param: None };
        self.recorded.iter().find_map(|recorded| match recorded {
            Recorded::Pointer { root, to, .. } if is_its(*root) => Some(to.clone()),
            _ => None,
        })
    }

    fn address_of(&self, to: &Target, args: &[u128]) -> u64 {
        match to {
            Target::Null => 0,
            Target::Root(root, offset) => self.roots[*root as usize].address.wrapping_add(*offset),
            Target::Argument(param) => args.get(*param as usize).map_or(0, |&address| address as u64),
            Target::Function(name) => {
                let named = self.image.program().functions.iter().find(|(_, f)| f.source_name() == name);
                named.map_or(0, |(id, _)| self.image.function_address(id))
            }
        }
    }

    /// The type that the source declares an undefined function with, if each argument of a call is one of its parameters.
    fn stub_signature(&self, function: u32, args: usize) -> Option<&Signature> {
        let program = self.image.program();
        let args = args.checked_sub(self.hidden(function))?;
        let declared = program.functions[FuncId::from_u32(function)].source.declared?;
        match program.types.stripped(declared) {
            CType::Function(signature)
                if signature.params.len() == args || signature.variadic && signature.params.len() < args =>
            {
                Some(signature)
            }
            _ => None,
        }
    }

    /// The number of arguments that the source does not have: where the result goes.
    pub(super) fn hidden(&self, function: u32) -> usize {
        usize::from(self.image.program().functions[FuncId::from_u32(function)].source.returned_in_memory.is_some())
    }

    /// What the last call gives besides its numbers.
    pub(super) fn stub_gives(&mut self, function: u32, args: &[u128], room: &dyn Fn(u64) -> u64) -> Vec<Given> {
        let program = self.image.program();
        let types = &program.types;
        let Some(signature) = self.stub_signature(function, args.len()) else { return Vec::new() };
        let (params, returns) = (signature.params.clone(), signature.returns);
        let hidden = self.hidden(function);
        let pointers = params.iter().zip(&args[hidden..]).enumerate().filter_map(|(at, (&ty, &address))| {
            let CType::Pointer(to) = *types.stripped(ty) else { return None };
            Some((at as u32, to, address as u64))
        });
        let pointers: Vec<(u32, TypeId, u64)> = pointers.filter(|(_, _, address)| *address != 0).collect();
        let name = program.functions[FuncId::from_u32(function)].name.clone();
        let (stubbed, number) =
            (self.cx.options.stubbed(&name), self.calls.counts.get(&function).copied().unwrap_or(0));
        let call = self.last_call();
        let mut given = Vec::new();
        for &(param, to, address) in pointers.iter().filter(|_| matches!(stubbed, Stubbed::Writes | Stubbed::Globals)) {
            let Some((element, size)) = self.writable(to) else { continue };
            let count = (room(address) / size).min(self.cx.options.usual_count(types, element));
            if count == 0 {
                continue;
            }
            let kind = RootKind::Call { call, param: Some(param) };
            let named = self.free_name(format!("{name}_{number}_p{param}"));
            let root = self.add_root(kind, named, element, count, 0);
            let pointers = matches!(types.stripped(element), CType::Pointer(_));
            if !pointers {
                self.keep_pointers(root, usize::MAX);
            }
            let ends = self.roots[root as usize].is_string;
            let through = Some(param + hidden as u32);
            given.push(Given { root, through, variable: None, size: count * size, ends, pointers });
        }
        if let Some(size) = types.size_of(returns).filter(|_| hidden > 0) {
            let kind = RootKind::Call { call, param: Some(RESULT_IN_PARTS) };
            let named = self.free_name(format!("{name}_{number}"));
            let root = self.add_root(kind, named, returns, 1, 0);
            given.push(Given { root, through: Some(0), variable: None, size, ends: false, pointers: false });
        }
        if stubbed == Stubbed::Globals {
            self.give_variables(call, &format!("{name}_{number}"), &mut given);
        }
        self.calls.pointers = pointers;
        if matches!(types.stripped(returns), CType::Pointer(_)) && !self.calls.repeats {
            let kind = RootKind::Call { call, param: None };
            let named = self.free_name(format!("{name}_{number}"));
            let root = self.add_root(kind, named, returns, 1, 0);
            let size = types.pointer_size();
            given.push(Given { root, through: None, variable: None, size, ends: false, pointers: true });
        }
        given
    }

    /// What a call returned as a struct or union, scalar by scalar: registers have several together. Bytes that no scalar has follow.
    pub(super) fn returned_in_parts(
        &self,
        function: &str,
        declared: Option<TypeId>,
        values: &[(u128, Type)],
    ) -> Vec<CallWrite> {
        let types = &self.image.program().types;
        let Some(CType::Function(signature)) = declared.map(|declared| types.stripped(declared)) else {
            return Vec::new();
        };
        let returns = signature.returns;
        let is_record = matches!(types.stripped(returns), CType::Struct(_) | CType::Union(_));
        let Some(size) = types.size_of(returns).filter(|_| is_record && !values.is_empty()) else { return Vec::new() };
        let mut bytes = together(values, size as usize);
        let mut writes = Vec::new();
        let mut write = |offset: u64, path: String, value: Value| {
            writes.push(CallWrite { param: RESULT_IN_PARTS, offset, path: format!("{function}(){path}"), value });
        };
        for leaf in types.leaves(returns).filter(|leaf| leaf.bits.is_none()) {
            let width = types.size_of(leaf.ty).unwrap_or(0);
            let own = bytes.get_mut(leaf.offset as usize..(leaf.offset + width) as usize);
            let Some(own) = own.filter(|_| (1..=16).contains(&width)) else { continue };
            let bits = own.iter().rev().fold(0, |bits, &byte| bits << 8 | u128::from(byte));
            let (signed, float) = match types.stripped(leaf.ty) {
                CType::Int { signed, .. } => (*signed, false),
                ty => (false, matches!(ty, CType::Float { .. })),
            };
            own.fill(0);
            write(leaf.offset, leaf.path, observe::scalar(bits, width as u32, signed, float));
        }
        for (at, &byte) in bytes.iter().enumerate().filter(|(_, byte)| **byte != 0) {
            write(at as u64, format!("[{at}]"), observe::scalar(byte.into(), 1, false, false));
        }
        writes
    }

    /// Where pointers inside of what is given point is left as it is.
    fn keep_pointers(&mut self, root: u32, most: usize) {
        let made = &mut self.roots[root as usize];
        let is_number = |cell: &&CellLayout| !matches!(cell.kind, CellKind::Pointer(_) | CellKind::Function(_));
        made.cells = made.cells.iter().filter(is_number).take(most).cloned().collect();
    }

    /// A call writes the variables that its code can name.
    fn give_variables(&mut self, call: u32, name: &str, given: &mut Vec<Given>) {
        for (number, (variable, ty, address)) in self.stub_globals.clone().into_iter().enumerate() {
            let Some(size) = self.image.program().types.size_of(ty) else { continue };
            let param = FIRST_VARIABLE + number as u32;
            let named = self.free_name(format!("{name}_{variable}"));
            let root = self.add_root(RootKind::Call { call, param: Some(param) }, named, ty, 1, 0);
            self.keep_pointers(root, MOST_WRITTEN);
            given.push(Given {
                root,
                through: Some(param),
                variable: Some(address),
                size,
                ends: false,
                pointers: false,
            });
        }
    }

    /// Says which variables code outside can name.
    pub(crate) fn offer(&mut self, globals: &[GlobalId]) {
        let program = self.image.program();
        let offered = globals
            .iter()
            .filter_map(|&id| Some((name_of(program, id), program.globals[id].ty?, self.image.global_address(id))));
        self.stub_globals = offered.collect();
    }

    /// What a call writes through a pointer to this, and how large it is: nothing if that is constant, or only for others to look into.
    fn writable(&self, to: TypeId) -> Option<(TypeId, u64)> {
        let types = &self.image.program().types;
        if types.is_const(to) || matches!(types.stripped(to), CType::Function(_)) {
            return None;
        }
        let declared = if types.size_of(to).is_some() { to } else { types.definition(to).unwrap_or(to) };
        let is_void = matches!(types.stripped(declared), CType::Void);
        let element = types.byte().filter(|_| is_void).unwrap_or(declared);
        let size = types.size_of(element).filter(|&size| size > 0 && !inputs::is_stream(types, element))?;
        Some((element, size))
    }

    /// The name, or another one where an input has it.
    fn free_name(&mut self, mut name: String) -> String {
        self.calls.names.extend(self.roots[self.calls.named..].iter().map(|root| root.name.clone()));
        self.calls.named = self.roots.len();
        while self.calls.names.contains(&name) {
            name.push('_');
        }
        name
    }

    /// Arguments of the last call that its result may be: their numbers, and where they point.
    pub(super) fn arguments_like(&self, to: TypeId) -> Vec<(u32, u64)> {
        let types = &self.image.program().types;
        let same = |(_, other, _): &&(u32, TypeId, u64)| types.strip(*other) == types.strip(to);
        self.calls.pointers.iter().filter(same).map(|&(param, _, address)| (param, address)).collect()
    }
}

/// The bytes of a struct that registers have, one behind the other.
fn together(values: &[(u128, Type)], size: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    for &(bits, ty) in values {
        let width = ty.store_size() as usize;
        bytes.resize(bytes.len().next_multiple_of(width.next_power_of_two()), 0);
        bytes.extend(bits.to_le_bytes().iter().take(width));
    }
    bytes.resize(size, 0);
    bytes
}
