//! Oracles: clang's own dump of the mapping, and llvm-cov.

mod damaged;
mod edge_mapping;
mod oracle;

use std::path::{Path, PathBuf};
use std::process::Command;

use inkwell::context::Context;
use inkwell::module::Module;
use tempfile::TempDir;

use super::{Counter, FunctionCoverage, RegionKind};

/// The C programs beside this file.
pub(super) const PROGRAMS: [&str; 5] = ["logic.c", "loops.c", "switches.c", "macros.c", "ends.c"];

/// What the front end passes to clang for the mapping.
const COVERAGE_FLAGS: [&str; 6] =
    ["-O0", "-w", "-fprofile-instr-generate", "-fcoverage-mapping", "-mllvm", "-enable-name-compression=false"];

pub(super) fn program(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/coverage/tests/programs").join(name)
}

/// Runs a tool in a directory and returns what it prints; the test fails with its complaints if it does.
pub(super) fn run(dir: &TempDir, tool: &str, args: &[&str]) -> String {
    let output = Command::new(tool).current_dir(dir.path()).args(args).output();
    let output = output.unwrap_or_else(|e| panic!("{tool}: {e}"));
    assert!(output.status.success(), "{tool} {args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub(super) fn clang(dir: &TempDir, source: &Path, flags: &[&str]) -> String {
    let args: Vec<&str> = COVERAGE_FLAGS.iter().chain(flags).copied().chain(source.to_str()).collect();
    run(dir, "clang-19", &args)
}

/// Compiles a program to bitcode with its mapping.
pub(super) fn bitcode<'c>(context: &'c Context, source: &Path, flags: &[&str]) -> Module<'c> {
    let dir = TempDir::new().unwrap();
    let flags: Vec<&str> =
        ["-Xclang", "-disable-llvm-passes", "-emit-llvm", "-c", "-o", "out.bc"].iter().chain(flags).copied().collect();
    clang(&dir, source, &flags);
    Module::parse_bitcode_from_path(dir.path().join("out.bc"), context).unwrap()
}

/// Prints a counter as clang's dump does.
pub(super) fn show(function: &FunctionCoverage, counter: Counter) -> String {
    let part = |c: u32| format!("#{c}");
    let combine = |a: &String, b: &String, minus: bool| format!("({a} {} {b})", if minus { '-' } else { '+' });
    function.fold(&[counter], "0".to_owned(), part, combine).remove(0)
}

/// Prints the regions of a function as clang's dump does, without the counts that it infers for expansions.
fn dump(function: &FunctionCoverage) -> Vec<String> {
    let line = |region: &super::Region| {
        let (s, counter) = (region.span, |c: Counter| show(function, c));
        let span = format!("File {}, {}:{} -> {}:{} =", s.file, s.start.0, s.start.1, s.end.0, s.end.1);
        match region.kind {
            RegionKind::Code(c) => format!("{span} {}", counter(c)),
            RegionKind::Gap(c) => format!("Gap,{span} {}", counter(c)),
            RegionKind::Skipped => format!("Skipped,{span} 0"),
            RegionKind::Expansion { file } => format!("Expansion,{span} (Expanded file = {file})"),
            RegionKind::Decision { bitmap, conditions } => format!("Decision,{span} M:{bitmap}, C:{conditions}"),
            RegionKind::Branch { on_true, on_false, condition } => {
                let counts = format!("Branch,{span} {}, {}", counter(on_true), counter(on_false));
                let id = |id: Option<u32>| id.map_or(0, |id| id + 1);
                let ids = condition.map(|c| format!(" [{},{},{}]", c.id + 1, id(c.on_true), id(c.on_false)));
                counts + ids.as_deref().unwrap_or("")
            }
        }
    };
    let mut lines: Vec<String> = function.regions.iter().map(line).collect();
    lines.sort();
    lines
}
