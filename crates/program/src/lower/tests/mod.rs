mod link;
mod shapes;
mod statics;

use std::path::PathBuf;
use std::process::Command;

use super::{Library, Options, lower};
use crate::clang::{FrontEnd, Unit};
use crate::ir::*;

fn units(sources: &[(&str, &str)], flags: &[&str]) -> Vec<Unit> {
    let dir = tempfile::tempdir().unwrap();
    let write = |(name, text): &(&str, &str)| {
        let file = dir.path().join(name);
        std::fs::write(&file, text).unwrap();
        file
    };
    let files: Vec<PathBuf> = sources.iter().map(write).collect();
    let front = FrontEnd { flags: flags.iter().map(|f| (*f).to_owned()).collect(), ..FrontEnd::default() };
    front.compile(&files).unwrap_or_else(|e| panic!("{e}"))
}

/// What of a program would trap as unsupported.
fn unsupported(program: &Program) -> Vec<String> {
    let bodies = program.functions.values().filter_map(|f| Some((f, f.body.as_ref()?)));
    let unsupported = bodies.flat_map(|(f, body)| {
        body.insts.values().filter_map(move |i| match &i.op {
            Op::Unsupported { what } => Some(format!("{}: {what}", f.name)),
            _ => None,
        })
    });
    unsupported.collect()
}

fn verified(units: &[Unit], library: Option<&[u8]>, options: &Options) -> Program {
    let bitcode = |_| library.unwrap_or_default();
    let library: Option<Library<'_>> = library.map(|_| &bitcode as Library<'_>);
    let program = lower(units, library, options).unwrap_or_else(|e| panic!("{e}"));
    if let Err(violations) = crate::verify::verify(&program) {
        let list: Vec<String> = violations.iter().map(ToString::to_string).collect();
        panic!("{}\n{program}", list.join("\n"));
    }
    program
}

/// Lowers a file with and without promotion of locals; both must keep to the invariants of the IR.
fn lowered(source: &str, flags: &[&str]) -> Program {
    let units = units(&[("t.c", source)], flags);
    verified(&units, None, &Options { promote: false, ..Options::default() });
    verified(&units, None, &Options::default())
}

#[test]
fn every_feature_lowers() {
    let program = lowered(include_str!("features.c"), &["-w"]);
    assert_eq!(unsupported(&program), Vec::<String>::new());
}

/// Programs of csmith: `cargo test -p covenant-program -- --ignored csmith`
#[test]
#[ignore = "takes minutes"]
fn csmith_programs_lower() {
    let dir = tempfile::tempdir().unwrap();
    for seed in 0..200 {
        let mut csmith = Command::new("csmith");
        let source = csmith.current_dir(dir.path()).args(["--seed", &seed.to_string()]).output().unwrap();
        let program = lowered(&String::from_utf8_lossy(&source.stdout), &["-w", "-I/usr/include/csmith"]);
        assert_eq!(unsupported(&program), Vec::<String>::new(), "seed {seed}");
    }
}
