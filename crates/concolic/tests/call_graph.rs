//! The call graph against runs: each call that the interpreter makes is an edge of the graph.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use covenant_concolic::Subject;
use covenant_concolic::run::execute;
use covenant_concolic::symbolic::{Context, Follower, InputOptions, Symbolic};
use covenant_constraints::Model;
use covenant_constraints::tuning::Tuning;
use covenant_interpreter::library::library;
use covenant_interpreter::shadow::{Inspect, Mark};
use covenant_interpreter::{Checks, Image, Limits, process};
use covenant_program::analysis::CallGraph;
use covenant_program::clang::FrontEnd;
use covenant_program::ir::{Callee, FuncId, Inst, Op, Program, text};
use covenant_program::lower::{self, lower};
use proptest::prelude::*;

const STEPS: u64 = 300_000;
/// Of random programs, most of which never end.
const FEW_STEPS: u64 = 2_000;

/// Follows the calls of a run on the graph.
#[derive(Debug)]
struct Watcher<'p> {
    program: &'p Program,
    graph: &'p CallGraph,
    roots: Vec<FuncId>,
    stack: Vec<FuncId>,
    calls: usize,
    through_pointers: usize,
    unknown: Vec<String>,
}

impl Watcher<'_> {
    fn is_known(&mut self, caller: FuncId, call: Option<Inst>, callee: FuncId) -> bool {
        let Some((body, inst)) = self.program.functions[caller].body.as_ref().zip(call) else { return false };
        let Op::Call(data) = &body.insts[inst].op else { return false };
        let at_site = match data.callee {
            Callee::Direct(named) => named == callee,
            Callee::Indirect(_) => {
                self.through_pointers += 1;
                self.graph.behind(self.program, body, inst).contains(&callee)
            }
        };
        at_site && self.graph.callees(caller).contains(&callee) && self.graph.known().contains(&callee)
    }
}

impl Follower for Watcher<'_> {
    fn passed(&mut self, run: &mut dyn Inspect<Symbolic<'_>>, at: Mark) -> bool {
        if at != Mark::Enter {
            return true;
        }
        let (depth, Some((callee, call))) = (run.depth(), run.entered()) else { return true };
        self.stack.truncate(depth - 1);
        self.calls += 1;
        let known = match self.stack.last().copied() {
            Some(caller) => self.is_known(caller, call, callee),
            None => self.roots.contains(&callee),
        };
        if !known {
            let name = |id: FuncId| self.program.functions[id].name.clone();
            self.unknown.push(format!("{:?} calls {}", self.stack.last().map(|&id| name(id)), name(callee)));
        }
        self.stack.push(callee);
        true
    }

    fn has_cut(&self) -> bool {
        false
    }
}

/// Runs the program and gives the number of its calls, and of those through pointers. All of them are in the graph.
fn watch(program: Program, entry: FuncId, is_main: bool) -> Result<(usize, usize), String> {
    let mut roots = vec![entry];
    if is_main {
        roots.extend(program.constructors.iter().copied().chain(process::start(&program)));
    }
    let graph = CallGraph::new(&program, &roots, &[]);
    let program = Arc::new(program);
    let subject = Subject {
        image: Image::new(Arc::clone(&program), Checks { marks: true, ..Checks::default() }),
        entry,
        function: "main".to_owned(),
        called: "main".to_owned(),
        params: Vec::new(),
        taken_for: Default::default(),
        va_args: Vec::new(),
        state: Vec::new(),
        globals: Vec::new(),
        returns: None,
        is_main,
        fixed: None,
        volatile: Default::default(),
        offered: Vec::new(),
        kept: Vec::new(),
        objectives: Vec::new(),
        written: Default::default(),
    };
    let (calls, through_pointers, unknown) = (0, 0, Vec::new());
    let mut watcher =
        Watcher { program: &program, graph: &graph, roots, stack: Vec::new(), calls, through_pointers, unknown };
    let mut cx = Context::new(InputOptions::default(), &Tuning::default());
    let limits = Limits { steps: if is_main { STEPS } else { FEW_STEPS }, ..Limits::default() };
    execute(&subject, limits, &mut cx, Rc::new(Model::new()), Some(&mut watcher));
    if watcher.unknown.is_empty() {
        Ok((watcher.calls, watcher.through_pointers))
    } else {
        Err(watcher.unknown.join("\n"))
    }
}

fn load(file: &Path) -> Option<Program> {
    let units = FrontEnd::default().compile(&[file.to_owned()]).ok()?;
    let mut program = lower(&units, Some(&library), &lower::Options::default()).ok()?;
    process::prepare(&mut program);
    Some(program)
}

/// Programs that take addresses in all ways: tables, aliases, integers, callbacks of the library, handlers.
#[test]
fn c_programs() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/c/run");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("the programs are there").map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    let calls_back = |file: &PathBuf| {
        let is_c = file.extension().is_some_and(|extension| extension == "c");
        let text = std::fs::read_to_string(file).unwrap_or_default();
        let words = ["(*", "qsort", "bsearch", "atexit", "on_exit", "signal", "alias", "constructor", "pthread"];
        is_c && words.iter().any(|word| text.contains(word))
    };
    let (mut programs, mut calls, mut through_pointers) = (0, 0, 0);
    for file in files.iter().filter(|file| calls_back(file)) {
        let Some(program) = load(file) else { continue };
        let Some(main) = program.function("main") else { continue };
        match watch(program, main, true) {
            Ok(found) => (calls, through_pointers) = (calls + found.0, through_pointers + found.1),
            Err(unknown) => panic!("{}: not in the graph:\n{unknown}", file.display()),
        }
        programs += 1;
    }
    assert!(programs > 20 && calls > 1_000 && through_pointers > 100, "{programs} {calls} {through_pointers}");
}

const TYPES: &[&str] = &["i8", "i32", "i64", "ptr", "f32", "f64", "f80", "i128"];

/// How a call finds its callee.
#[derive(Clone, Copy, Debug)]
enum Way {
    Direct,
    /// From the table.
    Table,
    /// Its address as a constant, through an integer.
    Integer,
    /// Whatever the caller was given first.
    Given,
}

type CallOf = (usize, Way, Vec<usize>);

fn functions() -> impl Strategy<Value = Vec<(Vec<usize>, Vec<CallOf>)>> {
    let way = prop_oneof![Just(Way::Direct), Just(Way::Table), Just(Way::Integer), Just(Way::Given)];
    let call = (0..6usize, way, prop::collection::vec(0..TYPES.len(), 0..4));
    let function = (prop::collection::vec(0..TYPES.len(), 0..3), prop::collection::vec(call, 0..4));
    prop::collection::vec(function, 6)
}

/// The text of a program whose first function is where it starts; the table has the odd functions.
fn written(functions: &[(Vec<usize>, Vec<CallOf>)]) -> String {
    let odd = (0..functions.len()).filter(|f| f % 2 == 1);
    let relocs: Vec<String> = odd.enumerate().map(|(i, f)| format!("{}:8 = fn{f}", 8 * i)).collect();
    let mut out = format!("g0 = global \"table\" size 24 align 8 init [0*24] relocs [{}]\n", relocs.join(", "));
    for (number, (params, calls)) in functions.iter().enumerate() {
        let params: &[usize] = if number == 0 { &[] } else { params };
        let types: Vec<&str> = params.iter().map(|&ty| TYPES[ty]).collect();
        let named: Vec<String> = types.iter().enumerate().map(|(i, ty)| format!("v{i}: {ty}")).collect();
        let head = if named.is_empty() { "bb0".to_owned() } else { format!("bb0({})", named.join(", ")) };
        let _ = writeln!(out, "fn{number} = function \"f{number}\"({}) {{\n{head}:", types.join(", "));
        let mut next = params.len();
        for (callee, way, args) in calls {
            call(&mut out, &mut next, functions, (*callee, *way), args, types.first() == Some(&"ptr"));
        }
        out.push_str("    return\n}\n");
    }
    out
}

fn call(
    out: &mut String,
    next: &mut usize,
    functions: &[(Vec<usize>, Vec<CallOf>)],
    (callee, way): (usize, Way),
    args: &[usize],
    has_pointer: bool,
) {
    let constant = |ty: usize| match TYPES[ty] {
        "ptr" => format!("ptr fn{callee}"),
        ty if ty.starts_with('f') => format!("{ty} 0x0"),
        ty => format!("{ty} 0"),
    };
    let mut texts: Vec<String> = args.iter().map(|&ty| constant(ty)).collect();
    let mut fresh = || {
        *next += 1;
        *next - 1
    };
    let name = match way {
        Way::Given if has_pointer => "v0".to_owned(),
        Way::Table => {
            let (at, value) = (fresh(), fresh());
            let _ = writeln!(
                out,
                "    v{at}: ptr = ptradd ptr g0 scale 0 disp {}\n    v{value}: ptr = load v{at}",
                8 * (callee / 2)
            );
            format!("v{value}")
        }
        Way::Integer => {
            let (number, value) = (fresh(), fresh());
            let _ =
                writeln!(out, "    v{number}: i64 = ptrtoint ptr fn{callee}\n    v{value}: ptr = inttoptr v{number}");
            format!("v{value}")
        }
        Way::Direct | Way::Given => {
            let params: &[usize] = if callee == 0 { &[] } else { &functions[callee].0 };
            texts = params.iter().map(|&ty| constant(ty)).collect();
            format!("fn{callee}")
        }
    };
    let _ = writeln!(out, "    call {name}({})", texts.join(", "));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn random_programs(functions in functions()) {
        let written = written(&functions);
        let program = text::parse(&written).map_err(|error| TestCaseError::fail(format!("{error}\n{written}")))?;
        let found = watch(program, FuncId::from_u32(0), false);
        prop_assert!(found.is_ok(), "{}\n{}", found.unwrap_err(), written);
    }
}
