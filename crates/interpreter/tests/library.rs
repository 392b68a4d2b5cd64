//! Compares the C library of interpreted programs with the system's, natively: the library is compiled with all its
//! symbols renamed and linked into one program beside glibc. It is compiled with checks that end the program on
//! undefined behaviour, since the interpreter runs the same code under such checks.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

const PREFIX: &str = "cov_";
const COMMON: &[&str] = &["-std=gnu11", "-D_GNU_SOURCE", "-U_FORTIFY_SOURCE", "-O1", "-g", "-fno-builtin", "-w", "-c"];
/// Without `__OPTIMIZE__` glibc's headers define no functions of their own.
const LIBRARY: &[&str] = &["-U__OPTIMIZE__", "-fsanitize=undefined", "-fsanitize-trap=undefined"];

fn run(command: &mut Command) -> Result<Vec<u8>, String> {
    let output = command.output().map_err(|error| format!("cannot start {command:?}: {error}"))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    Err(format!("{command:?} failed:\n{}", String::from_utf8_lossy(&output.stderr)))
}

fn sources(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut files: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "c"));
    files.sort();
    Ok(files)
}

/// Compiles each file and returns the objects, two files at a time.
fn compile(files: &[PathBuf], flags: &[&str], out: &Path, kind: &str) -> Result<Vec<PathBuf>, String> {
    let compile_one = |file: &PathBuf| {
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        let object = out.join(format!("{kind}_{name}.o"));
        run(Command::new("clang-19").args(COMMON).args(flags).arg(file).arg("-o").arg(&object)).map(|_| object)
    };
    let compile_part = |part: &[PathBuf]| part.iter().map(compile_one).collect::<Result<Vec<_>, _>>();
    let (first, second) = files.split_at(files.len() / 2);
    std::thread::scope(|scope| {
        let worker = scope.spawn(|| compile_part(first));
        let mut objects = compile_part(second)?;
        objects.extend(worker.join().map_err(|_| "a compilation panicked")??);
        Ok(objects)
    })
}

/// Every symbol that the library defines gets the prefix; what it leaves undefined stays the machine's.
fn rename_symbols(object: &Path, out: &Path) -> Result<PathBuf, String> {
    let mut list = Command::new("llvm-nm-19");
    let symbols = run(list.args(["--defined-only", "--extern-only", "--format=just-symbols"]).arg(object))?;
    let symbols = String::from_utf8_lossy(&symbols);
    let pairs: String = symbols.lines().map(|name| format!("{name} {PREFIX}{name}\n")).collect();
    let map = out.join("symbols");
    fs::write(&map, pairs).map_err(|error| format!("{}: {error}", map.display()))?;
    let renamed = out.join("renamed.o");
    let option = format!("--redefine-syms={}", map.display());
    run(Command::new("llvm-objcopy-19").arg(option).arg(object).arg(&renamed))?;
    Ok(renamed)
}

fn build() -> Result<PathBuf, String> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("library");
    fs::create_dir_all(&out).map_err(|error| format!("{}: {error}", out.display()))?;
    let library = compile(&sources(&here.join("library"))?, LIBRARY, &out, "library")?;
    let whole = out.join("whole.o");
    run(Command::new("clang-19").args(["-r", "-nostdlib", "-o"]).arg(&whole).args(&library))?;
    let renamed = rename_symbols(&whole, &out)?;
    let tests = compile(&sources(&here.join("tests/library"))?, &[], &out, "test")?;
    let program = out.join("compare");
    run(Command::new("clang-19").arg("-o").arg(&program).args(&tests).arg(&renamed).arg("-lm"))?;
    Ok(program)
}

fn check(group: &str) {
    static PROGRAM: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let program = PROGRAM.get_or_init(build).as_ref().unwrap_or_else(|error| panic!("{error}"));
    let output = Command::new(program).arg(group).output().expect("the program was just built");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{group}: {}\n{errors}", output.status);
}

macro_rules! groups {
    ($($name:ident),* $(,)?) => {
        $(#[test]
        fn $name() {
            check(stringify!($name));
        })*
    };
}

groups!(printf, printf_fuzz, scanf, strtol, strtod, string, ctype, stdlib, random, time, getopt, math, files, exit);
