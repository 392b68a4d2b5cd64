mod check;
mod statics;

use std::path::PathBuf;
use std::process::Command;

use super::{Options, lower};
use crate::clang::{FrontEnd, Unit};
use crate::ir::*;

fn units(sources: &[(&str, &str)], flags: &[&str]) -> Vec<Unit> {
    let dir = tempfile::tempdir().unwrap();
    let files: Vec<PathBuf> = sources
        .iter()
        .map(|(name, text)| {
            let file = dir.path().join(name);
            std::fs::write(&file, text).unwrap();
            file
        })
        .collect();
    let front = FrontEnd { flags: flags.iter().map(|f| (*f).to_owned()).collect(), ..FrontEnd::default() };
    front.compile(&files).unwrap_or_else(|e| panic!("{e}"))
}

fn unsupported(program: &Program) -> Vec<String> {
    let bodies = program.functions.values().filter_map(|f| Some((f, f.body.as_ref()?)));
    bodies
        .flat_map(|(f, body)| {
            body.insts.values().filter_map(move |i| match &i.op {
                Op::Unsupported { what } => Some(format!("{}: {what}", f.name)),
                _ => None,
            })
        })
        .collect()
}

fn lowered(source: &str, flags: &[&str]) -> Program {
    let units = units(&[("t.c", source)], flags);
    let program = lower(&units, None, &Options::default()).unwrap();
    assert_eq!(check::check(&program), Vec::<String>::new());
    let kept = lower(&units, None, &Options { promote: false, ..Options::default() }).unwrap();
    assert_eq!(check::check(&kept), Vec::<String>::new());
    program
}

/// Programs of csmith, many functions each: `cargo test -p covenant-program --release -- --ignored csmith`
#[test]
#[ignore = "takes minutes"]
fn csmith_programs_lower() {
    for seed in 0..200 {
        let source = Command::new("csmith").args(["--seed", &seed.to_string()]).output().unwrap();
        let program = lowered(&String::from_utf8_lossy(&source.stdout), &["-w", "-I/usr/include/csmith"]);
        assert_eq!(unsupported(&program), Vec::<String>::new(), "seed {seed}");
    }
}

#[test]
fn every_feature_lowers() {
    let program = lowered(include_str!("features.c"), &["-w"]);
    assert_eq!(unsupported(&program), Vec::<String>::new());
}
