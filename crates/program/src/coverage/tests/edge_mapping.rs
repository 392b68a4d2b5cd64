use std::collections::{BTreeMap, HashSet};

use super::super::edge_mapping::{BranchSite, Outcome, Reason, SiteKind, Way, branches};
use super::super::module::read_bitcode;
use super::super::{Counter, FunctionCoverage, Region, RegionKind, Span};
use super::{PROGRAMS, program};
use crate::clang::FrontEnd;
use crate::ir::text::parse;
use crate::ir::{Body, FuncId, Terminator};
use crate::lower::{Options, link, lower};

fn region(line: u32, kind: RegionKind) -> Region {
    Region { span: Span { file: 0, start: (line, 1), end: (line, 2) }, kind }
}

/// Maps the branch regions `(true, false)` to the edges of a body; counters are as in `expressions`.
fn map(blocks: &str, expressions: &[[Counter; 2]], regions: &[[Counter; 2]]) -> Vec<BranchSite> {
    let text = format!("fn0 = function \"f\"(i1, i32) {{ bb0(v0: i1, v1: i32): {blocks} }}");
    let program = parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let body = program.functions[FuncId::from_u32(0)].body.as_ref().unwrap();
    let branch = |[on_true, on_false]: [Counter; 2]| RegionKind::Branch { on_true, on_false, condition: None };
    let mapping = FunctionCoverage {
        name_hash: 0,
        structural_hash: 1,
        files: vec!["f.c".into()],
        expressions: expressions.to_vec(),
        regions: (1..).zip(regions).map(|(line, pair)| region(line, branch(*pair))).collect(),
    };
    branches(body, &mapping)
}

/// Demands outcomes, written as `bb0.0 bb3.1`, `always`, `never` or a reason.
fn check(blocks: &str, expressions: &[[Counter; 2]], regions: &[[Counter; 2]], expected: &[(SiteKind, &str, &str)]) {
    let show = |outcome: &Outcome| match outcome {
        Outcome::Edges(ways) => ways.iter().map(|w| format!("{}.{}", w.block, w.edge)).collect::<Vec<_>>().join(" "),
        Outcome::Always => "always".to_owned(),
        Outcome::Never => "never".to_owned(),
        Outcome::Unmapped(reason) => reason.to_string(),
    };
    let sites = map(blocks, expressions, regions);
    let found: Vec<_> = sites.iter().map(|s| (s.kind, show(&s.on_true), show(&s.on_false))).collect();
    let expected: Vec<_> = expected.iter().map(|(kind, t, f)| (*kind, t.to_string(), f.to_string())).collect();
    assert_eq!(found, expected, "{blocks}");
}

const N: fn(u32) -> Counter = Counter::Count;

#[test]
fn a_condition_is_the_branch_into_its_counter() {
    // if (a) …, and with the counter on the false side as for `||`
    let body = "counter 0 branch v0, bb1, bb2 bb1: counter 1 jump bb2 bb2: return";
    check(body, &[[N(0), N(1)]], &[[N(1), Counter::Sub(0)]], &[(SiteKind::Condition, "bb0.0", "bb0.1")]);
    check(body, &[[N(0), N(1)]], &[[Counter::Sub(0), N(1)]], &[(SiteKind::Condition, "bb0.1", "bb0.0")]);
}

#[test]
fn a_condition_can_be_several_branches() {
    // if (a ? b : c || d): edges into the counter from b, c and d; c has an edge to d
    let body = "counter 0 branch v0, bb1, bb2 bb1: counter 1 branch v0, bb4, bb5 bb2: branch v0, bb4, bb3
        bb3: branch v0, bb4, bb5 bb4: counter 2 jump bb5 bb5: return";
    let regions = [[N(2), Counter::Sub(0)], [N(1), Counter::Sub(1)]];
    let expected = [(SiteKind::Condition, "bb1.0 bb2.0 bb3.0", "bb1.1 bb3.1"), (SiteKind::Condition, "bb0.0", "bb0.1")];
    check(body, &[[N(0), N(2)], [N(0), N(1)]], &regions, &expected);
}

#[test]
fn a_switch_has_cases_and_their_absence() {
    // case 1, case 2 with a fall-through that skips its counter, and no default
    let body = "counter 0 switch v1 { 1 => bb1 2 => bb2 7 => bb2 default => bb4 } bb1: counter 2 jump bb3
        bb2: counter 3 jump bb3 bb3: jump bb4 bb4: counter 1 return";
    let expressions = [[N(0), N(2)], [N(0), N(3)], [Counter::Sub(0), N(3)], [N(2), N(3)]];
    let regions = [[N(2), Counter::Sub(0)], [N(3), Counter::Sub(1)], [Counter::Sub(2), Counter::Add(3)]];
    let expected = [
        (SiteKind::Case, "bb0.0", "bb0.1 bb0.2 bb0.3"),
        (SiteKind::Case, "bb0.1 bb0.2", "bb0.0 bb0.3"),
        (SiteKind::NoCase, "bb0.3", "bb0.0 bb0.1 bb0.2"),
    ];
    check(body, &expressions, &regions, &expected);
}

#[test]
fn wide_ranges_belong_to_the_switch() {
    let body = "counter 0 switch v1 { 1 => bb2 default => bb1 } bb1: branch v0, bb3, bb4
        bb2: counter 1 return bb3: counter 2 return bb4: counter 3 return";
    let regions = [[N(1), Counter::Sub(0)], [N(2), Counter::Sub(1)], [N(3), Counter::Sub(2)]];
    let expected = [
        (SiteKind::Case, "bb0.0", "bb1.0 bb1.1"),
        (SiteKind::Case, "bb1.0", "bb0.0 bb1.1"),
        (SiteKind::Case, "bb1.1", "bb0.0 bb1.0"),
    ];
    check(body, &[[N(0), N(1)], [N(0), N(2)], [N(0), N(3)]], &regions, &expected);
}

#[test]
fn what_has_no_code_never_happens() {
    // A counter that is nowhere, and the rest of a constant decision: case 3 of switch (3), after if (a) return.
    let body = "counter 0 branch v0, bb1, bb2 bb1: counter 1 return bb2: counter 3 return";
    let expressions = [[N(0), N(1)], [Counter::Sub(0), N(3)], [N(0), N(9)]];
    let regions = [[N(3), Counter::Sub(1)], [N(9), Counter::Sub(2)]];
    check(
        body,
        &expressions,
        &regions,
        &[(SiteKind::Condition, "bb0.1", "never"), (SiteKind::Condition, "never", "always")],
    );
}

#[test]
fn calls_that_do_not_return_are_not_counted_out() {
    // if (a) die(); if (b) …: the mapping says that the second `if` is reached as often as the first.
    let body = "counter 0 branch v0, bb1, bb2 bb1: counter 1 unreachable bb2: branch v0, bb3, bb4
        bb3: counter 2 return bb4: return";
    let regions = [[N(1), Counter::Sub(0)], [N(2), Counter::Sub(1)]];
    let expected = [(SiteKind::Condition, "bb0.0", "bb0.1"), (SiteKind::Condition, "bb2.0", "bb2.1")];
    check(body, &[[N(0), N(1)], [N(0), N(2)]], &regions, &expected);
}

#[test]
fn endless_loops_are_entered() {
    // while (1) { if (a) … }
    let body = "counter 0 jump bb1 bb1: counter 1 branch v0, bb2, bb3 bb2: counter 2 jump bb3 bb3: jump bb1";
    check(body, &[[N(1), N(2)]], &[[N(2), Counter::Sub(0)]], &[(SiteKind::Condition, "bb1.0", "bb1.1")]);
}

#[test]
fn shared_cleanups_are_seen_through() {
    // while (a) { if (b) break; } with a clean-up at the end of the body that dispatches on where to go.
    let body = "counter 0 jump bb1 bb1: branch v0, bb2, bb6 bb2: counter 1 branch v0, bb3, bb4
        bb3: counter 2 jump bb5(i32 2) bb4: jump bb5(i32 0)
        bb5(v2: i32): switch v2 { 0 => bb1 2 => bb6 default => bb7 } bb6: return bb7: unreachable";
    // The condition is false as often as the function is entered, less the breaks.
    let regions = [[N(1), Counter::Sub(0)], [N(2), Counter::Sub(1)]];
    let expected = [(SiteKind::Condition, "bb1.0", "bb1.1"), (SiteKind::Condition, "bb2.0", "bb2.1")];
    check(body, &[[N(0), N(2)], [N(1), N(2)]], &regions, &expected);
}

#[test]
fn a_wrong_mapping_is_not_believed() {
    let body = "counter 0 branch v0, bb1, bb2 bb1: counter 1 jump bb2 bb2: branch v0, bb3, bb4
        bb3: counter 2 return bb4: return";
    let other = Reason::OtherCount.to_string();
    // The false count of the second `if` is that of another function.
    check(body, &[[N(1), N(2)]], &[[N(2), Counter::Sub(0)]], &[(SiteKind::Condition, "bb2.0", &other)]);
    let none = Reason::NoCounter.to_string();
    let sums = [[N(0), N(1)], [N(0), Counter::Add(0)]];
    check(body, &sums, &[[Counter::Add(1), Counter::Add(0)]], &[(SiteKind::Condition, &none, &none)]);
}

/// All functions of a program with their mappings.
fn lowered(name: &str) -> Vec<(String, Body, FunctionCoverage)> {
    let front = FrontEnd { flags: vec!["-w".into()], ..FrontEnd::default() };
    let units = front.compile(&[program(name)]).unwrap();
    let program = lower(&units, None, &Options::default()).unwrap();
    let mut functions = Vec::new();
    for (symbol, mapping) in read_bitcode(&units[0].bitcode).unwrap() {
        let Some(symbol) = symbol else { continue };
        let body = program.functions[program.function(&symbol).unwrap()].body.clone().unwrap();
        functions.push((symbol, body, mapping));
    }
    functions
}

/// Every branch that llvm-cov lists for the C programs is mapped to edges, and no edge is two outcomes of one region.
#[test]
fn every_branch_of_c_programs_is_mapped() {
    let mut outcomes: BTreeMap<&str, usize> = BTreeMap::new();
    for name in PROGRAMS {
        for (function, body, mapping) in lowered(name) {
            let sites = branches(&body, &mapping);
            assert_eq!(sites.len(), mapping.branch_regions().count());
            for site in sites {
                let place = format!("{name} {function} {:?}", mapping.regions[site.region]);
                let mut seen = HashSet::new();
                for outcome in [&site.on_true, &site.on_false] {
                    let word = match outcome {
                        Outcome::Edges(ways) => {
                            assert!(
                                !ways.is_empty() && ways.iter().all(|w| seen.insert(*w) && decides(&body, *w)),
                                "{place}"
                            );
                            "edges"
                        }
                        Outcome::Always => "always",
                        Outcome::Never => "never",
                        Outcome::Unmapped(reason) => panic!("{place}: {reason}"),
                    };
                    *outcomes.entry(word).or_default() += 1;
                }
            }
        }
    }
    assert!(outcomes["edges"] > 500, "{outcomes:?}");
}

/// After linking, two static functions of one name have a record and a symbol each.
#[test]
fn static_functions_of_several_files_keep_their_records() {
    let dir = tempfile::tempdir().unwrap();
    let files = ["a", "b"].map(|n| dir.path().join(format!("{n}.c")));
    std::fs::write(&files[0], "static int f(int x) { return x && x < 9; } int a(int x) { return f(x); }").unwrap();
    std::fs::write(&files[1], "static int f(int x) { return x > 3 ? x : 4; } int b(int x) { return f(x); }").unwrap();
    let units = FrontEnd::default().compile(&files).unwrap();
    let program = lower(&units, None, &Options::default()).unwrap();
    let records = read_bitcode(&link(&units, &Options::default()).unwrap()).unwrap();
    let mut found: Vec<(usize, String)> = Vec::new();
    for (symbol, mapping) in records {
        let function = &program.functions[program.function(&symbol.unwrap()).unwrap()];
        let sites = branches(function.body.as_ref().unwrap(), &mapping);
        assert!(sites.iter().all(|s| matches!((&s.on_true, &s.on_false), (Outcome::Edges(_), Outcome::Edges(_)))));
        found.push((sites.len(), mapping.files[0].rsplit('/').next().unwrap().to_owned()));
    }
    found.sort();
    let expected = [(0, "a.c"), (0, "b.c"), (1, "b.c"), (2, "a.c")];
    assert_eq!(found, expected.map(|(n, f)| (n, f.to_owned())));
}

fn decides(body: &Body, way: Way) -> bool {
    let term = &body.blocks[way.block].term;
    !matches!(term, Terminator::Jump(_)) && (way.edge as usize) < term.edges().len()
}

/// Code that clang leaves out: what follows a return, constant conditions, and what stands in `sizeof`.
#[test]
fn only_dead_code_is_never_reached() {
    for name in PROGRAMS {
        for (function, body, mapping) in lowered(name) {
            let never = branches(&body, &mapping).into_iter().filter(|s| s.on_true == Outcome::Never).count();
            let dead = ["dead", "constant", "asserted", "no_return"].contains(&function.as_str());
            assert!(never == 0 || dead, "{name} {function}: {never}");
        }
    }
}
