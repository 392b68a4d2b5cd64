//! What the functions of a program can do, without their contexts.

use std::collections::BTreeSet;

use covenant_program::ir::{Callee, Const, Def, FuncId, Op, Origin, Program, Symbol};
use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashSet;

use covenant_interpreter::code::{Builtin, Image};
use covenant_interpreter::host::System;

/// Instructions of a library function and all it calls, up to which it is expanded.
const SMALL: usize = 120;

#[derive(Debug)]
pub(super) struct CallGraph {
    calls: SecondaryMap<FuncId, Vec<FuncId>>,
    sizes: SecondaryMap<FuncId, usize>,
    indirect: SecondaryMap<FuncId, bool>,
    /// Functions of the subject whose address is taken, in the order of their numbers.
    pub(super) callbacks: Vec<FuncId>,
    /// Every function whose address is taken.
    pub(super) addressed: Vec<FuncId>,
    reach: SecondaryMap<FuncId, Option<Vec<FuncId>>>,
}

impl CallGraph {
    pub(super) fn new(program: &Program, entry: FuncId) -> CallGraph {
        let mut graph = CallGraph {
            calls: SecondaryMap::new(),
            sizes: SecondaryMap::new(),
            indirect: SecondaryMap::new(),
            callbacks: Vec::new(),
            addressed: Vec::new(),
            reach: SecondaryMap::new(),
        };
        let mut addressed = BTreeSet::new();
        let mut seen = FxHashSet::default();
        let mut work = vec![entry];
        // What initial values of globals name may be called by whoever reads them.
        for global in program.globals.values() {
            for reloc in &global.relocs {
                if let Symbol::Func(id) = reloc.symbol {
                    addressed.insert(id);
                }
            }
        }
        work.extend(addressed.iter().copied());
        while let Some(id) = work.pop() {
            if !seen.insert(id) {
                continue;
            }
            graph.read(program, id, &mut addressed);
            work.extend(graph.calls[id].iter().copied());
            work.extend(addressed.iter().copied().filter(|f| !seen.contains(f)));
        }
        let subject = |id: &FuncId| program.functions[*id].origin == Origin::Subject;
        graph.callbacks = addressed.iter().copied().filter(subject).collect();
        graph.addressed = addressed.into_iter().collect();
        graph
    }

    fn read(&mut self, program: &Program, id: FuncId, addressed: &mut BTreeSet<FuncId>) {
        let Some(body) = &program.functions[id].body else { return };
        let mut calls = BTreeSet::new();
        for inst in body.insts.values() {
            let Op::Call(call) = &inst.op else { continue };
            match call.callee {
                Callee::Direct(callee) => {
                    calls.insert(callee);
                }
                Callee::Indirect(_) => self.indirect[id] = true,
            }
        }
        for value in body.values.values() {
            if let Def::Const(Const::Func(f)) = value.def {
                addressed.insert(f);
            }
        }
        self.sizes[id] = body.insts.len();
        self.calls[id] = calls.into_iter().collect();
    }

    /// The function and all that it may call directly.
    pub(super) fn reach(&mut self, id: FuncId) -> &[FuncId] {
        if self.reach[id].is_none() {
            let mut seen = BTreeSet::from([id]);
            let mut work = vec![id];
            while let Some(f) = work.pop() {
                work.extend(self.calls[f].iter().copied().filter(|&callee| seen.insert(callee)));
            }
            self.reach[id] = Some(seen.into_iter().collect());
        }
        self.reach[id].as_deref().unwrap_or_default()
    }

    /// Whether it may call somebody through a pointer, itself or further down.
    pub(super) fn calls_pointers(&mut self, id: FuncId) -> bool {
        let reach = self.reach(id).to_vec();
        reach.into_iter().any(|f| self.indirect[f])
    }

    /// Whether a function of the library is worth expanding.
    pub(super) fn is_small(&mut self, id: FuncId) -> bool {
        let reach = self.reach(id).to_vec();
        let total: usize = reach.into_iter().map(|f| self.sizes[f]).sum();
        total <= SMALL
    }

    /// Whether the program jumps between functions.
    pub(super) fn jumps(&self, image: &Image) -> bool {
        image.program().functions.keys().any(|id| {
            let target = image.target(id);
            let jumps = matches!(
                target,
                covenant_interpreter::code::Target::Builtin(Builtin::System(System::SetJump | System::LongJump))
            );
            jumps && self.calls.values().any(|calls| calls.contains(&id))
        })
    }

    /// Whether functions can be told to run when the program exits.
    pub(super) fn registers_exits(&self, program: &Program) -> bool {
        let registers =
            |id: &FuncId| matches!(program.functions[*id].name.as_str(), "atexit" | "at_quick_exit" | "on_exit");
        self.calls.values().flatten().any(registers)
    }
}
