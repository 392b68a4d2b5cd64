//! One run of the subject on given inputs.

use std::collections::BTreeSet;
use std::rc::Rc;

use covenant_constraints::Model;
use covenant_goals::report::Defect;
use covenant_goals::test_case::{LeftFile, TrapNote};
use covenant_goals::{Reason, ReasonKind, TestCase, TestOutcome};
use covenant_interpreter::host::Buffers;
use covenant_interpreter::machine::{Limits, Machine};
use covenant_interpreter::process;
use covenant_interpreter::{Image, Outcome, Trap, TrapKind};
use covenant_program::ir::{GlobalId, Loc, Origin, Program};
use covenant_program::lower::FLUSH_STREAMS;

use crate::Subject;
use crate::symbolic::{Context, Event, Follower, Labels, Limit, RootKind, Symbolic, TakenEdges, Want, name_of};

/// Of a larger global that is no input, what is behind that is not looked at when a run is over.
const LARGEST_STATE: u64 = 1 << 16; // not tuning: how long a test may be

/// Longer output is not held against anything.
const LONGEST_OUTPUT: usize = 4096; // not tuning: how long a test may be

/// Files of which a test says how they are afterwards.
const MOST_FILES: usize = 16; // not tuning: how long a test may be

/// What one run showed.
#[derive(Debug, Default)]
pub struct Run {
    /// The decisions of its path, in their order.
    pub events: Vec<Event>,
    /// The inputs, defaults included.
    pub inputs: Rc<Model>,
    /// For each function by its number: edges that were taken.
    pub edges: Vec<TakenEdges>,
    /// For each function by its number: whether it was called.
    pub entered: Vec<bool>,
    /// Labels that it passed.
    pub labels: Labels,
    /// Its local path, if somebody asks for it.
    pub local: u128,
    /// Instructions that it took.
    pub instructions: u64,
    /// Its inputs as a test, with what it returned and wrote.
    pub case: TestCase,
    /// The run-time error that it ended with, if it did.
    pub defect: Option<Defect>,
    /// The inputs are outside of what the user assumes.
    pub outside: bool,
    /// Why this run does not tell all about its path.
    pub gap: Option<Reason>,
    /// Where it met limits of ours, behind which nothing is proved by its path.
    pub limits: BTreeSet<Limit>,
    /// What pointers would have to be for the run to go on as it does for callers.
    pub wants: BTreeSet<Want>,
    /// The run was ended because it had been somewhere as often as it may, or, without terms, by the limit of steps.
    pub cut: bool,
}

impl Run {
    /// This run, which was cut, as one that the limit of steps ended.
    pub fn endless(self) -> Run {
        let case = TestCase { outcome: TestOutcome::StepLimit, ..self.case };
        Run { case, outside: false, gap: Some(Run::step_limit()), ..self }
    }

    /// What the limit of steps leaves open.
    pub fn step_limit() -> Reason {
        Reason::new(ReasonKind::Model, "a run was ended by the step limit; see --max-steps")
    }
}

/// Runs the subject on these inputs, with whoever goes along.
pub fn execute<'r>(
    subject: &'r Subject,
    limits: Limits,
    cx: &'r mut Context,
    model: Rc<Model>,
    follower: Option<&'r mut dyn Follower>,
) -> Run {
    execute_in(&subject.image, subject, limits, cx, model, follower)
}

/// The same in another image of the subject's program.
pub fn execute_in<'r>(
    image: &'r Image,
    subject: &'r Subject,
    limits: Limits,
    cx: &'r mut Context,
    model: Rc<Model>,
    follower: Option<&'r mut dyn Follower>,
) -> Run {
    let program = image.program();
    let mut console = Buffers::default();
    let mut shadow = Symbolic::new(cx, image, model);
    shadow.follower = follower;
    shadow.share(&subject.volatile);
    shadow.offer(&subject.offered);
    let params: Vec<u32> = subject
        .params
        .iter()
        .enumerate()
        .map(|(i, (name, declared))| {
            let ty = *subject.taken_for.get(&(i as u32)).unwrap_or(declared);
            shadow.add_root(RootKind::Param(i as u32), name.clone(), ty, 1, 0)
        })
        .collect();
    shadow.params = params;
    shadow.return_type = subject.returns;
    shadow.va_args = &subject.va_args;
    if let Some(id) = program.definitions(&subject.called).next() {
        shadow.count_failures_from(id);
    }
    let globals: Vec<(u64, u32)> = subject
        .globals
        .iter()
        .filter_map(|&id| {
            let global = &program.globals[id];
            let name = name_of(program, id);
            let root = shadow.add_root(RootKind::Global(name.clone()), name, global.ty?, 1, 0);
            shadow.expose(root);
            Some((image.global_address(id), root))
        })
        .collect();
    let kept: Vec<(u64, u32)> = subject
        .kept
        .iter()
        .filter_map(|&id| {
            Some((image.global_address(id), shadow.add_kept(name_of(program, id), program.globals[id].ty?)))
        })
        .collect();
    let mut machine = match Machine::new(image, shadow, &mut console, limits) {
        Ok(machine) => machine,
        Err(fault) => return empty_run(subject, Reason::new(ReasonKind::Model, fault.message.clone())),
    };
    // A native test has them behind it, too. If one does not come back, no test comes to its beginning.
    for &constructor in program.constructors.iter().filter(|_| !subject.is_main) {
        match machine.call(constructor, &[0, 0, 0]) {
            Outcome::Returned(_) => {}
            Outcome::Trapped(trap) | Outcome::Killed(_, trap) => {
                let words = format!("a constructor of the program ends it: {}", trap.message);
                return empty_run(subject, Reason::new(ReasonKind::Model, words));
            }
            _ => {
                let words = "a constructor of the program does not return";
                return empty_run(subject, Reason::new(ReasonKind::Model, words));
            }
        }
    }
    for (address, root) in globals {
        machine.make_waiting(address, root);
        machine.shadow.place_root(root, address);
    }
    for (address, root) in kept {
        machine.make_waiting(address, root);
    }
    let bytes = |&id: &GlobalId| {
        let size = program.globals[id].size.min(LARGEST_STATE);
        let bytes = machine.memory.bytes(image.global_address(id), size).ok()?;
        Some((id, bytes.to_vec()))
    };
    let state: Vec<(GlobalId, Vec<u8>)> = subject.state.iter().filter_map(bytes).collect();
    let outcome = if subject.is_main {
        process::run(&mut machine, subject.entry, &[b"program".to_vec()], &[])
    } else {
        machine.call(subject.entry, &[])
    };
    let observes = machine.shadow.cx.observes;
    let files = if observes && subject.is_main { left_files(&machine) } else { Vec::new() };
    let mut run = finish(subject, machine, &state, &outcome);
    // What destructors print comes after the last moment at which a suite can look.
    let ended = subject.is_main && matches!(outcome, Outcome::Exited(_)) && program.destructors.is_empty();
    if observes && (ended || matches!(outcome, Outcome::Returned(_))) {
        let text = |bytes: &[u8]| (bytes.len() <= LONGEST_OUTPUT).then(|| bytes.to_vec());
        (run.case.observed.output, run.case.observed.error) = (text(&console.output), text(&console.error));
        if ended {
            run.case.observed.files = files;
        }
    }
    run
}

/// What tests can say of the files that a run leaves behind. A name that is no text is none that a suite could write down.
fn left_files(machine: &Machine<'_, Symbolic<'_>>) -> Vec<LeftFile> {
    let is_short = |bytes: &Option<&[u8]>| bytes.is_none_or(|bytes| bytes.len() <= LONGEST_OUTPUT);
    let left = machine.left_files().filter(|(_, bytes)| is_short(bytes)).take(MOST_FILES);
    let named = |(name, bytes): (&[u8], Option<&[u8]>)| {
        // The machine has names of its own for what has one that is an input: nothing is said of these.
        let name = Some(name).filter(|name| !name.contains(&1))?;
        Some(LeftFile { name: String::from_utf8(name.to_vec()).ok()?, bytes: bytes.map(<[u8]>::to_vec) })
    };
    left.filter_map(named).collect()
}

fn empty_run(subject: &Subject, gap: Reason) -> Run {
    let count = subject.image.program().functions.len();
    let (edges, entered) = (vec![TakenEdges::default(); count], vec![false; count]);
    Run { edges, entered, outside: true, gap: Some(gap), ..Run::default() }
}

/// What a run without terms showed: where its inputs lead.
fn blind_run(machine: Machine<'_, Symbolic<'_>>, outcome: &Outcome) -> Run {
    let is_outside = |trap: &Trap| trap.kind == TrapKind::OutsideInputs;
    let outside = matches!(outcome, Outcome::Interrupted(_)) || matches!(outcome, Outcome::Trapped(t) if is_outside(t));
    let instructions = machine.steps();
    let Machine { shadow: Symbolic { used, edges, entered, labels, path, .. }, .. } = machine;
    let local = path.whole;
    let cut = matches!(outcome, Outcome::StepLimit(_) | Outcome::Interrupted(_));
    Run { inputs: Rc::new(used), edges, entered, labels, local, instructions, outside, cut, ..Run::default() }
}

fn finish(
    subject: &Subject,
    mut machine: Machine<'_, Symbolic<'_>>,
    state: &[(GlobalId, Vec<u8>)],
    outcome: &Outcome,
) -> Run {
    let program = machine.image().program();
    let instructions = machine.steps();
    if machine.shadow.cx.blind {
        return blind_run(machine, outcome);
    }
    machine.shadow.note_freed(&machine.memory);
    let mut case = machine.shadow.test_case(&machine.memory, "", &subject.called);
    let mut run_gap = None;
    if machine.shadow.truncated {
        run_gap = Some(Reason::new(ReasonKind::Model, "a path has more decisions than are followed"));
    }
    run_gap = run_gap.or_else(|| machine.shadow.gap.clone());
    let (mut defect, mut outside) = (None, false);
    case.outcome = match outcome {
        Outcome::Returned(_) => {
            if machine.shadow.cx.observes {
                case.observed = machine.shadow.effects(&machine.memory, state);
                // What is still in the buffers of streams.
                if let Some(flush) = program.function(FLUSH_STREAMS) {
                    machine.call(flush, &[]);
                }
            }
            TestOutcome::Returned
        }
        Outcome::Exited(status) => {
            case.observed.exit_status = Some(*status);
            TestOutcome::Exited
        }
        Outcome::Killed(_, trap) => {
            case.trap = Some(note(program, trap));
            defect = Some(as_defect(program, trap));
            TestOutcome::Trapped
        }
        Outcome::StepLimit(_) => {
            run_gap = Some(Run::step_limit());
            TestOutcome::StepLimit
        }
        Outcome::Interrupted(_) => {
            outside = true;
            run_gap = Some(Reason::new(ReasonKind::Time, "a run was interrupted"));
            TestOutcome::StepLimit
        }
        Outcome::Trapped(trap) => {
            machine.shadow.limit_trap(trap);
            case.trap = Some(note(program, trap));
            match trap.kind {
                TrapKind::OutsideInputs => outside = true,
                TrapKind::Unsupported | TrapKind::MemoryLimit | TrapKind::InputLimit | TrapKind::UndefinedFunction => {
                    let kind = match trap.kind {
                        TrapKind::Unsupported => ReasonKind::Unsupported,
                        _ => ReasonKind::Model,
                    };
                    let at = trap.at.file().map(|file| format!(" ({}:{})", program.files[file].name, trap.at.line));
                    let at = at.unwrap_or_default();
                    // The number of bytes is another in each run, and says nothing more.
                    let words = match trap.kind {
                        TrapKind::MemoryLimit => format!("a run needed more memory than it may have; see --memory{at}"),
                        TrapKind::InputLimit => format!("{}{at}", trap.message),
                        kind => format!("a run ended because of {kind}: {}{at}", trap.message),
                    };
                    run_gap = Some(Reason::new(kind, words));
                }
                _ => defect = Some(machine.shadow.broken_contract(trap).apply(as_defect(program, trap))),
            }
            if matches!(trap.kind, TrapKind::Abort | TrapKind::Assertion) {
                TestOutcome::Aborted
            } else {
                TestOutcome::Trapped
            }
        }
    };
    let Machine { shadow, .. } = machine;
    let wants = shadow.wants(match outcome {
        Outcome::Trapped(trap) => Some(trap),
        _ => None,
    });
    let limits = shadow.met_limits();
    let cut = shadow.follower.is_some_and(|follower| follower.has_cut());
    Run {
        events: shadow.events,
        inputs: Rc::new(shadow.used),
        edges: shadow.edges,
        entered: shadow.entered,
        labels: shadow.labels,
        local: shadow.path.whole,
        instructions,
        case,
        defect,
        outside,
        gap: run_gap,
        limits,
        wants,
        cut,
    }
}

fn file_name(program: &Program, at: Loc) -> String {
    at.file().map_or_else(String::new, |file| {
        let file = &program.files[file];
        std::path::Path::new(&file.directory).join(&file.name).to_string_lossy().into_owned()
    })
}

fn note(program: &Program, trap: &Trap) -> TrapNote {
    let (file, kind, message) = (file_name(program, trap.at), trap.kind.to_string(), trap.message.clone());
    let library = trap.stack.first().is_some_and(|inner| program.functions[inner.function].origin == Origin::Library);
    TrapNote { kind, message, file, line: trap.at.line, column: trap.at.column, library }
}

fn as_defect(program: &Program, trap: &Trap) -> Defect {
    let TrapNote { kind, message, file, line, column, .. } = note(program, trap);
    Defect { kind, file, line, column, message, ..Defect::default() }
}
