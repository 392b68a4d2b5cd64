//! What the flow is told of the inputs.

use std::collections::BTreeSet;

use covenant_concolic::Subject;
use covenant_concolic::symbolic::InputOptions;
use covenant_constraints::solver::Cancel;
use covenant_program::analysis::exposed_globals;
use covenant_program::ir::{Callee, FuncId, GlobalId, Op};
use covenant_program::types::TypeId;

/// What the flow depends on besides the program.
#[derive(Clone, Debug)]
pub struct FlowOptions {
    /// Globals that may have any value when the subject is called.
    pub inputs: Vec<GlobalId>,
    /// The entry is the program's `main`.
    pub is_main: bool,
    /// Functions that pointers among the inputs can be in runs.
    pub offered: Vec<FuncId>,
    /// Bytes of the object behind each parameter that is a pointer, where that is known, and whether there may be more;
    /// and whether it may be null.
    pub objects: Vec<Option<(u64, bool)>>,
    /// Whether pointer inputs may be NULL.
    pub nullable: bool,
    /// Globals that pointers from outside may point into.
    pub exposed: Vec<GlobalId>,
    /// Undefined functions of which the user says that they write nothing.
    pub harmless: BTreeSet<String>,
    /// How often a function may be active in one chain of calls before the rest is left open.
    pub recursion: u32,
    /// Blocks up to which a flow is quickly built: where it would be larger, that is not done so often.
    pub handy_blocks: usize,
    /// Locations beyond which there is no flow.
    pub most_locations: usize,
    /// Ends the building: there is no time left.
    pub stop: Cancel,
}

impl Default for FlowOptions {
    fn default() -> Self {
        FlowOptions {
            inputs: Vec::new(),
            is_main: false,
            offered: Vec::new(),
            objects: Vec::new(),
            nullable: true,
            exposed: Vec::new(),
            harmless: BTreeSet::new(),
            recursion: 3,
            handy_blocks: 3_000,
            most_locations: 50_000,
            stop: Cancel::default(),
        }
    }
}

impl FlowOptions {
    /// As the inputs of the subject are in runs.
    pub fn of(subject: &Subject, inputs: &InputOptions) -> FlowOptions {
        let program = subject.image.program();
        // Where lengths are given, objects are as large as the inputs say.
        let calls = |id: FuncId| program.functions[id].body.iter().flat_map(|body| body.insts.values());
        let gives_lengths = calls(subject.entry).any(|inst| {
            let Op::Call(call) = &inst.op else { return false };
            matches!(call.callee, Callee::Direct(callee) if program.functions[callee].name == "__covenant_length")
        });
        let size = |ty: &TypeId| inputs.object_size(&program.types, *ty).filter(|_| !gives_lengths && !subject.is_main);
        FlowOptions {
            inputs: subject.globals.iter().chain(&subject.kept).copied().collect(),
            is_main: subject.is_main,
            offered: subject.offered_functions(),
            // One that may be the end of a range points to no element.
            objects: subject
                .params
                .iter()
                .map(|(name, ty)| size(ty).filter(|_| !inputs.shapes.is_cursor(name)))
                .collect(),
            nullable: inputs.nullable,
            exposed: exposed_globals(program).into_iter().collect(),
            harmless: inputs.harmless().cloned().collect(),
            ..FlowOptions::default()
        }
    }
}
