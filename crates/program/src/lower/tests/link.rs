//! Several files, and the library behind them.

use super::super::Error;
use super::*;

fn library(source: &str) -> Vec<u8> {
    super::super::link(&units(&[("library.c", source)], &[]), &Options::default()).unwrap()
}

fn find<'a>(program: &'a Program, name: &str, origin: Origin) -> Option<&'a Function> {
    program.functions.values().find(|f| f.name == name && f.origin == origin)
}

#[test]
fn files_share_symbols_but_not_statics() {
    let one = "static int own(void) { return 1; } int shared = 3; int two(void); int f(void) { return own() + two(); }";
    let two = "static int own(void) { return 2; } extern int shared; int two(void) { return own() + shared; }";
    let program = verified(&units(&[("one.c", one), ("two.c", two)], &[]), None, &Options::default());
    let bodies: Vec<&str> = program.functions.values().filter(|f| f.body.is_some()).map(|f| &f.name[..]).collect();
    assert_eq!(bodies.iter().filter(|n| n.starts_with("own")).count(), 2);
    assert_eq!(program.globals.values().filter(|g| g.name == "shared").count(), 1);
    assert!(program.functions.values().all(|f| f.body.is_some()));
}

#[test]
fn a_symbol_defined_twice_is_an_error_that_names_both_files() {
    let units = units(&[("one.c", "int f(void) { return 1; }"), ("two.c", "int f(void) { return 2; }")], &[]);
    match lower(&units, None, &Options::default()) {
        Err(Error::Duplicate { name, first, second }) => {
            assert_eq!(name, "f");
            assert!(first.ends_with("one.c") && second.ends_with("two.c"));
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_weak_definition_gives_way() {
    let weak = "__attribute__((weak)) int f(void) { return 1; } int g(void) { return f(); }";
    let units = units(&[("weak.c", weak), ("strong.c", "int f(void) { return 2; }")], &[]);
    let program = verified(&units, None, &Options::default());
    assert_eq!(program.functions.values().filter(|f| f.name == "f").count(), 1);
}

#[test]
fn only_what_is_reachable_comes_from_the_library() {
    let library = library(
        "int table[] = {1, 2}; int unused_table[] = {3};
         static int inner(int x) { return table[x]; }
         int outer(int x) { return inner(x) + again(x); } int again(int x) { return x; }
         int unused(int x) { return unused_table[x]; }"
            .replace("int outer", "int again(int); int outer")
            .as_str(),
    );
    let source = "int outer(int); int nowhere(int); int f(int x) { return outer(x) + nowhere(x); }";
    let program = verified(&units(&[("t.c", source)], &[]), Some(&library), &Options::default());
    for name in ["outer", "inner", "again"] {
        assert!(find(&program, name, Origin::Library).is_some_and(|f| f.body.is_some()), "{name}");
    }
    assert!(find(&program, "unused", Origin::Library).is_none());
    assert!(find(&program, "nowhere", Origin::Subject).is_some_and(|f| f.body.is_none()));
    assert!(!program.globals.values().any(|g| g.name == "unused_table"));
    let counters =
        |f: &Function| f.body.iter().flat_map(|b| b.insts.values()).any(|i| matches!(i.op, Op::Counter { .. }));
    assert!(program.functions.values().all(|f| counters(f) == (f.name == "f")));
}

#[test]
fn the_library_calls_itself_first_and_then_the_subject() {
    let library = library(
        "int helper(void) { return 1; } int main(void);
         int api(void) { return helper(); }
         int __covenant_start(void) { return main(); }",
    );
    let source = "int api(void); int helper(void) { return 2; } int main(void) { return api() + helper(); }";
    let program = verified(&units(&[("t.c", source)], &[]), Some(&library), &Options::default());
    assert!(find(&program, "helper", Origin::Library).is_some());
    assert!(find(&program, "helper", Origin::Subject).is_some());
    let start = find(&program, "__covenant_start", Origin::Library).and_then(|f| f.body.as_ref()).unwrap();
    let callee = start.insts.values().find_map(|i| match &i.op {
        Op::Call(call) => Some(call.callee),
        _ => None,
    });
    assert_eq!(callee, Some(Callee::Direct(program.function("main").unwrap())));
    assert_eq!(program.functions.values().filter(|f| f.name == "main").count(), 1);
}

#[test]
fn the_start_of_the_library_is_only_for_programs() {
    let library = library("int __covenant_start(void) { return 0; }");
    let program = verified(&units(&[("t.c", "int f(void) { return 1; }")], &[]), Some(&library), &Options::default());
    assert!(find(&program, "__covenant_start", Origin::Library).is_none());
}

#[test]
fn bad_bitcode_is_an_error() {
    let mut units = units(&[("t.c", "int x;")], &[]);
    units[0].bitcode.truncate(100);
    assert!(matches!(lower(&units, None, &Options::default()), Err(Error::Bitcode { .. })));
    assert!(matches!(lower(&[], None, &Options::default()), Err(Error::Nothing)));
}

#[test]
fn another_target_is_an_error() {
    let units = units(&[("t.c", "int x;")], &["--target=powerpc-linux-gnu"]);
    assert!(matches!(lower(&units, None, &Options::default()), Err(Error::Target { .. })));
}
