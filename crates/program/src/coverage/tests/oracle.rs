use std::collections::{BTreeMap, HashMap};

use inkwell::context::Context;
use serde_json::Value;
use tempfile::TempDir;

use super::{PROGRAMS, bitcode, clang, dump, program, run};
use crate::coverage::{FunctionCoverage, RegionKind, module, name_hash};

/// The mapping of a program by profile name.
fn mapping(name: &str, flags: &[&str]) -> BTreeMap<String, FunctionCoverage> {
    let context = Context::create();
    let module = bitcode(&context, &program(name), flags);
    let names = module::profile_names(&module);
    let functions = module::read(&module).unwrap();
    functions.into_iter().map(|f| (names[&f.name_hash].clone(), f)).collect()
}

/// Every region of every function is the one in clang's own dump.
fn check_dump(name: &str, flags: &[&str]) {
    let dir = TempDir::new().unwrap();
    let dump_flags = ["-Xclang", "-dump-coverage-mapping", "-c", "-o", "out.o"];
    let printed = clang(&dir, &program(name), &dump_flags.iter().chain(flags).copied().collect::<Vec<_>>());
    let mut expected: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut current = String::new();
    for line in printed.lines() {
        match line.strip_prefix("  ") {
            Some(region) => expected.get_mut(&current).unwrap().push(without_inferred(region)),
            None => {
                current = line.trim_end_matches(':').to_owned();
                expected.insert(current.clone(), Vec::new());
            }
        }
    }
    expected.values_mut().for_each(|lines| lines.sort());
    let decoded: BTreeMap<String, Vec<String>> =
        mapping(name, flags).iter().map(|(n, f)| (n.clone(), dump(f))).collect();
    assert!(decoded.len() > 2);
    assert_eq!(decoded, expected);
}

/// clang's dump gives an expansion the count of its first region, which the record does not hold.
fn without_inferred(region: &str) -> String {
    match region.split_once(" (Expanded file") {
        Some((head, file)) => format!("{} = (Expanded file{file}", head.split_once(" = ").unwrap().0),
        None => region.trim_end().to_owned(),
    }
}

#[test]
fn regions_are_those_that_clang_dumps() {
    PROGRAMS.iter().for_each(|name| check_dump(name, &[]));
}

#[test]
fn decisions_are_those_that_clang_dumps() {
    PROGRAMS.iter().for_each(|name| check_dump(name, &["-fcoverage-mcdc"]));
    let decisions =
        |f: &FunctionCoverage| f.regions.iter().filter(|r| matches!(r.kind, RegionKind::Decision { .. })).count();
    assert!(mapping("logic.c", &["-fcoverage-mcdc"]).values().map(decisions).sum::<usize>() > 10);
}

/// Builds and runs a program natively, and returns llvm-cov's report and each function's counters.
fn native(name: &str, flags: &[&str]) -> (Value, HashMap<String, Vec<u64>>) {
    let dir = TempDir::new().unwrap();
    clang(&dir, &program(name), &["-o", "out"].iter().chain(flags).copied().collect::<Vec<_>>());
    run(&dir, dir.path().join("out").to_str().unwrap(), &[]);
    run(&dir, "llvm-profdata-19", &["merge", "default.profraw", "-o", "out.profdata"]);
    let report = run(&dir, "llvm-cov-19", &["export", "out", "-instr-profile", "out.profdata"]);
    let shown = run(&dir, "llvm-profdata-19", &["show", "--all-functions", "--counts", "out.profdata"]);
    let mut counts: HashMap<String, Vec<u64>> = HashMap::new();
    let mut current = String::new();
    for line in shown.lines() {
        let numbers = |s: &str| s.split(", ").filter_map(|n| n.trim().parse().ok()).collect::<Vec<u64>>();
        if let Some(function) = line.strip_prefix("  ").filter(|l| !l.starts_with(' ')) {
            current = function.trim_end_matches(':').to_owned();
        } else if let Some(count) = line.strip_prefix("    Function count: ") {
            counts.insert(current.clone(), numbers(count));
        } else if let Some(rest) = line.strip_prefix("    Block counts: [") {
            counts.get_mut(&current).unwrap().extend(numbers(rest.trim_end_matches(']')));
        }
    }
    (serde_json::from_str(&report).unwrap(), counts)
}

/// llvm-cov lists exactly our branch regions, in the same order, with the counts that we compute.
fn check_llvm_cov(name: &str, flags: &[&str]) {
    let functions = mapping(name, flags);
    let (report, counts) = native(name, flags);
    let mut seen = 0;
    for entry in report["data"][0]["functions"].as_array().unwrap() {
        let function = &functions[entry["name"].as_str().unwrap()];
        let counts = counts.get(entry["name"].as_str().unwrap()).map_or(&[][..], |c| c);
        let ours = function.branch_regions().map(|(_, region)| {
            let RegionKind::Branch { on_true, on_false, condition } = region.kind else { unreachable!() };
            let (span, count) = (region.span, |c| function.evaluate(c, counts) as u64);
            let kind = if condition.is_some() { 6 } else { 4 };
            let place = [span.start.0, span.start.1, span.end.0, span.end.1].map(u64::from);
            let place = place.into_iter().chain([count(on_true), count(on_false), u64::from(span.file), 0, kind]);
            Value::from(place.collect::<Vec<_>>())
        });
        assert_eq!(Value::from(ours.collect::<Vec<_>>()), entry["branches"], "{name} {}", entry["name"]);
        assert_eq!(Value::from(function.files.clone()), entry["filenames"]);
        seen += 1;
    }
    assert_eq!(seen, functions.len(), "llvm-cov lists every function, the unused ones too");
    check_files(&report, &functions);
}

/// What the module's head says of `files[].branches`: the branch regions outside of expansions, folded ones too, of all
/// functions.
fn check_files(report: &Value, functions: &BTreeMap<String, FunctionCoverage>) {
    for file in report["data"][0]["files"].as_array().unwrap() {
        let mut ours: Vec<Vec<u64>> = Vec::new();
        for function in functions.values() {
            let own = |f: u32| function.files[f as usize] == file["filename"] && function.expansions(f).is_empty();
            let branches = function.regions.iter().filter(|r| matches!(r.kind, RegionKind::Branch { .. }));
            let spans = branches.map(|r| r.span).filter(|s| own(s.file));
            ours.extend(spans.map(|s| [s.start.0, s.start.1, s.end.0, s.end.1].map(u64::from).to_vec()));
        }
        let span = |b: &Value| b.as_array().unwrap()[..4].iter().map(|n| n.as_u64().unwrap()).collect::<Vec<_>>();
        let mut theirs: Vec<Vec<u64>> = file["branches"].as_array().unwrap().iter().map(span).collect();
        ours.sort();
        theirs.sort();
        assert_eq!(ours, theirs, "{}", file["filename"]);
    }
}

#[test]
fn branches_are_those_that_llvm_cov_lists() {
    PROGRAMS.iter().for_each(|name| check_llvm_cov(name, &[]));
}

#[test]
fn branches_with_conditions_are_those_that_llvm_cov_lists() {
    PROGRAMS.iter().for_each(|name| check_llvm_cov(name, &["-fcoverage-mcdc"]));
}

#[test]
fn expansions_lead_to_the_use() {
    let functions = mapping("macros.c", &[]);
    let uses = &functions["uses"];
    let chains: Vec<usize> = (0..uses.files.len() as u32).map(|file| uses.expansions(file).len()).collect();
    // `L3(a)` uses L2, which uses BOTH.
    assert_eq!(chains.iter().max(), Some(&3), "{chains:?}");
    let used =
        |line| (0..uses.files.len() as u32).any(|f| uses.expansions(f).last().is_some_and(|s| s.start.0 == line));
    let source = std::fs::read_to_string(program("macros.c")).unwrap();
    for (line, text) in (1..).zip(source.lines()).filter(|(_, l)| l.starts_with("  RETURN_IF")) {
        assert!(used(line), "{line}: {text}");
    }
}

#[test]
fn unused_functions_have_no_structure() {
    let functions = mapping("macros.c", &[]);
    let unused = &functions["macros.c:unused"];
    assert_eq!((unused.structural_hash, unused.branch_regions().count()), (0, 0));
    assert_eq!(unused.name_hash, name_hash(b"macros.c:unused"));
    assert_ne!(functions["uses"].structural_hash, 0);
}
