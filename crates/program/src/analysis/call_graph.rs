//! Who may call whom.
//!
//! The graph over-approximates runs: each call that the interpreter makes is an edge of it. A direct call has one callee.
//! A call through a pointer may mean every function that a pointer of the program can hold and that accepts such a call:
//! - A pointer can hold what known code names otherwise than to call it, what the initial value of any global names (also
//!   through aliases, which the lowering resolves), and what inputs are offered. How a pointer travels (through memory, as
//!   an integer, as a variadic argument) does not matter, so nothing of that is followed.
//! - What a function accepts is what the interpreter accepts, see [`accepts`]: C types do not matter.
//!
//! Callbacks of the library need nothing special: the library is C code like the subject's, and its calls through pointers
//! are calls like others.
//!
//! Not in the graph is code that is no part of the program. A pointer that comes from outside may mean such code too.

use std::collections::BTreeSet;

use cranelift_entity::SecondaryMap;

use crate::ir::{Body, Callee, Const, Def, FuncId, Function, GlobalId, Inst, Op, Program, Symbol, Type};

/// What the code of one function names, each once and in the order of the code.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Names {
    /// Functions that it calls by name.
    pub calls: Vec<FuncId>,
    /// Functions whose address it has.
    pub addresses: Vec<FuncId>,
    /// Globals whose address it has.
    pub globals: Vec<GlobalId>,
    /// Whether it calls through pointers.
    pub calls_pointers: bool,
}

impl Names {
    /// What a body names; nothing is followed.
    pub fn of(body: &Body) -> Names {
        let mut names = Names::default();
        for inst in body.insts.values() {
            let Op::Call(call) = &inst.op else { continue };
            match call.callee {
                Callee::Direct(callee) => names.calls.push(callee),
                Callee::Indirect(_) => names.calls_pointers = true,
            }
        }
        for value in body.values.values() {
            match value.def {
                Def::Const(Const::Func(function)) => names.addresses.push(function),
                Def::Const(Const::Global(global, _)) => names.globals.push(global),
                _ => {}
            }
        }
        keep_first(&mut names.calls);
        keep_first(&mut names.addresses);
        keep_first(&mut names.globals);
        names
    }
}

fn keep_first<T: Copy + Ord>(list: &mut Vec<T>) {
    let mut seen = BTreeSet::new();
    list.retain(|&item| seen.insert(item));
}

/// What the initial value of a global names.
pub fn symbols(program: &Program, global: GlobalId) -> impl Iterator<Item = Symbol> + '_ {
    program.globals[global].relocs.iter().flat_map(|reloc| [Some(reloc.symbol), reloc.minus]).flatten()
}

/// Whether a call with arguments of these types gets as far as the body of the function: there are enough of them, and each
/// is in a register of the kind in which it is expected. What has no body is called in any case.
pub fn accepts(function: &Function, args: &[Type]) -> bool {
    let fits = || function.params.iter().zip(args).all(|(param, arg)| param.register() == arg.register());
    function.body.is_none() || (args.len() >= function.params.len() && fits())
}

/// A function of the graph.
#[derive(Clone, Debug, Default)]
struct Node {
    names: Names,
    /// Whom it may call, by name or through a pointer.
    callees: Vec<FuncId>,
    insts: usize,
}

/// Who may call whom in the runs of a program; an over-approximation.
#[derive(Clone, Debug)]
pub struct CallGraph {
    nodes: SecondaryMap<FuncId, Node>,
    /// All functions that runs may come to.
    known: Vec<FuncId>,
    /// All functions that a pointer can hold.
    pointed: Vec<FuncId>,
}

impl CallGraph {
    /// The graph of all runs that start with one of the roots. `offered`: functions that pointers among the inputs can be,
    /// whether the program has their addresses or not.
    pub fn new(program: &Program, roots: &[FuncId], offered: &[FuncId]) -> CallGraph {
        let mut graph = CallGraph { nodes: SecondaryMap::new(), known: Vec::new(), pointed: Vec::new() };
        let mut pointed: BTreeSet<FuncId> = offered.iter().copied().collect();
        for symbol in program.globals.keys().flat_map(|global| symbols(program, global)) {
            if let Symbol::Func(id) = symbol {
                pointed.insert(id);
            }
        }
        let mut known = BTreeSet::new();
        let mut work: Vec<FuncId> = roots.iter().chain(&pointed).copied().collect();
        while let Some(id) = work.pop() {
            if !known.insert(id) {
                continue;
            }
            let Some(body) = &program.functions[id].body else { continue };
            let names = Names::of(body);
            work.extend(names.calls.iter().chain(&names.addresses));
            pointed.extend(&names.addresses);
            graph.nodes[id] = Node { names, callees: Vec::new(), insts: body.insts.len() };
        }
        graph.known = known.into_iter().collect();
        graph.pointed = pointed.into_iter().collect();
        for id in graph.known.clone() {
            graph.nodes[id].callees = graph.callees_of(program, id);
        }
        graph
    }

    fn callees_of(&self, program: &Program, id: FuncId) -> Vec<FuncId> {
        let names = &self.nodes[id].names;
        let mut callees: BTreeSet<FuncId> = names.calls.iter().copied().collect();
        if let Some(body) = program.functions[id].body.as_ref().filter(|_| names.calls_pointers) {
            for inst in body.insts.keys() {
                callees.extend(self.behind(program, body, inst));
            }
        }
        callees.into_iter().collect()
    }

    /// The functions that a call through a pointer may mean; none for other instructions.
    pub fn behind(&self, program: &Program, body: &Body, inst: Inst) -> Vec<FuncId> {
        let Op::Call(call) = &body.insts[inst].op else { return Vec::new() };
        if matches!(call.callee, Callee::Direct(_)) {
            return Vec::new();
        }
        let args: Vec<Type> = call.args.iter().map(|&arg| body.ty(arg)).collect();
        self.pointed.iter().copied().filter(|&id| accepts(&program.functions[id], &args)).collect()
    }

    /// All functions that runs may come to, in the order of their numbers.
    pub fn known(&self) -> &[FuncId] {
        &self.known
    }

    /// All functions that a pointer can hold, in the order of their numbers.
    pub fn pointed(&self) -> &[FuncId] {
        &self.pointed
    }

    /// Whom a function may call, by name or through a pointer.
    pub fn callees(&self, id: FuncId) -> &[FuncId] {
        &self.nodes[id].callees
    }

    /// What the code of a function names; nothing for one that runs do not come to.
    pub fn names(&self, id: FuncId) -> &Names {
        &self.nodes[id].names
    }

    /// The instructions of a function's own code.
    pub fn insts(&self, id: FuncId) -> usize {
        self.nodes[id].insts
    }

    /// The function and all that a call of it may lead to.
    pub fn reach(&self, id: FuncId) -> Vec<FuncId> {
        closure(id, |id| self.callees(id))
    }

    /// The function and all that it may lead to by direct calls alone.
    pub fn direct_reach(&self, id: FuncId) -> Vec<FuncId> {
        closure(id, |id| &self.names(id).calls)
    }

    /// Whether a call of the function may lead to a call through a pointer.
    pub fn calls_pointers(&self, id: FuncId) -> bool {
        self.direct_reach(id).into_iter().any(|id| self.names(id).calls_pointers)
    }
}

/// In the order of the numbers.
fn closure<'g>(start: FuncId, next: impl Fn(FuncId) -> &'g [FuncId]) -> Vec<FuncId> {
    let mut seen = BTreeSet::from([start]);
    let mut work = vec![start];
    while let Some(id) = work.pop() {
        work.extend(next(id).iter().copied().filter(|&callee| seen.insert(callee)));
    }
    seen.into_iter().collect()
}

/// The functions that a function's code leads to by naming them, itself first and then as they are found: by calls, by
/// addresses, and by the initial values of globals that it names.
pub fn named_from(program: &Program, entry: FuncId) -> Vec<FuncId> {
    let (mut seen, mut order, mut globals) = (BTreeSet::from([entry]), vec![entry], BTreeSet::new());
    let mut next = 0;
    while let Some(&id) = order.get(next) {
        next += 1;
        let Some(body) = &program.functions[id].body else { continue };
        let names = Names::of(body);
        let mut found: Vec<FuncId> = names.calls.into_iter().chain(names.addresses).collect();
        let mut pending = names.globals;
        while let Some(global) = pending.pop() {
            if !globals.insert(global) {
                continue;
            }
            for symbol in symbols(program, global) {
                match symbol {
                    Symbol::Func(callee) => found.push(callee),
                    Symbol::Global(other) => pending.push(other),
                    Symbol::Label(..) => {}
                }
            }
        }
        order.extend(found.into_iter().filter(|&function| seen.insert(function)));
    }
    order
}

#[cfg(test)]
mod tests;
