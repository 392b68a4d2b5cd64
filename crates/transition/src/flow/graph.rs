//! What calls can do, as far as the flow must know before it expands them.

use covenant_interpreter::code::{Builtin, Image, Target};
use covenant_interpreter::host::System;
use covenant_program::analysis::CallGraph;
use covenant_program::ir::{FuncId, Origin, Program};
use rustc_hash::FxHashMap;

/// Instructions of a library function and all it calls, up to which it is expanded.
const SMALL: usize = 120; // not tuning: who checks a proof builds the same flow

#[derive(Debug)]
pub(super) struct Calls {
    pub(super) graph: CallGraph,
    small: FxHashMap<FuncId, bool>,
    /// Whether a pointer may mean code that is no part of the program.
    pub(super) outside: bool,
}

impl Calls {
    pub(super) fn new(image: &Image, entry: FuncId, offered: &[FuncId], is_main: bool) -> Calls {
        let graph = CallGraph::new(image.program(), &[entry], offered);
        // A whole program has the pointers that it makes itself, unless code that nothing defines hands it others.
        let undefined = |&id: &FuncId| image.target(id) == Target::Undefined;
        let outside = !is_main || graph.known().iter().any(undefined);
        Calls { graph, small: FxHashMap::default(), outside }
    }

    /// Whether a function of the library is worth expanding.
    pub(super) fn is_small(&mut self, id: FuncId) -> bool {
        let graph = &self.graph;
        let total = || graph.direct_reach(id).into_iter().map(|f| graph.insts(f)).sum::<usize>();
        *self.small.entry(id).or_insert_with(|| total() <= SMALL)
    }

    /// Functions of the subject that a pointer may mean.
    pub(super) fn callbacks(&self, program: &Program) -> Vec<FuncId> {
        let subject = |id: &FuncId| program.functions[*id].origin == Origin::Subject;
        self.graph.pointed().iter().copied().filter(subject).collect()
    }

    /// Whether the program jumps between functions.
    pub(super) fn jumps(&self, image: &Image) -> bool {
        let jumps = |&id: &FuncId| {
            matches!(image.target(id), Target::Builtin(Builtin::System(System::SetJump | System::LongJump)))
        };
        self.graph.known().iter().any(jumps)
    }

    /// Whether functions can be told to run when the program exits.
    pub(super) fn registers_exits(&self, program: &Program) -> bool {
        let registers =
            |id: &FuncId| matches!(program.functions[*id].name.as_str(), "atexit" | "at_quick_exit" | "on_exit");
        self.graph.known().iter().any(registers)
    }
}
