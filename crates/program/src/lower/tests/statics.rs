use super::*;

const SOURCE: &str = r#"
#include <stdlib.h>
#include <ctype.h>
static int unused(int x) { return x > 3 ? 1 : 0; }
static inline int used(int x) { return x > 1 && x < 9; }
static void lost(void) { extern void nowhere(void); nowhere(); }
int main(int argc, char **argv) { return used(argc); }
"#;

fn compiled(source: &str, keep_static: bool) -> Unit {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("t.c");
    std::fs::write(&file, source).unwrap();
    let front_end = FrontEnd { keep_static, flags: vec!["-Wall".to_owned()], ..FrontEnd::default() };
    front_end.compile(&[file]).unwrap_or_else(|e| panic!("{e}")).remove(0)
}

fn names(unit: &Unit) -> Vec<String> {
    let program = verified(std::slice::from_ref(unit), None, &Options::default());
    let defined = program.functions.values().filter(|f| f.body.is_some());
    let mut names: Vec<String> = defined.map(|f| f.name.clone()).collect();
    names.sort();
    names
}

#[test]
fn unused_statics_are_kept_on_request() {
    assert_eq!(names(&compiled(SOURCE, false)), ["main", "used"]);
    let kept = compiled(SOURCE, true);
    assert!(kept.has_all_static);
    // What the headers define and nobody uses stays out.
    assert_eq!(names(&kept), ["lost", "main", "unused", "used"]);
}

/// Of the same code, clang says the same and counts the same.
#[test]
fn keeping_statics_changes_nothing_else() {
    let (plain, kept) = (compiled(SOURCE, false), compiled(SOURCE, true));
    let places = |unit: &Unit| {
        let lines = unit.warnings.lines().filter_map(|line| line.split_once("t.c:"));
        lines.map(|(_, rest)| rest.to_owned()).collect::<Vec<String>>()
    };
    assert_eq!(places(&plain).len(), 2, "{}", plain.warnings);
    assert_eq!(places(&plain), places(&kept));
    let body = |unit: &Unit, name: &str| {
        let program = lower(std::slice::from_ref(unit), None, &Options::default()).unwrap();
        let function = program.functions[program.function(name).unwrap()].clone();
        function.body.unwrap().insts
    };
    let counters = |unit: &Unit| {
        let insts = body(unit, "used");
        let counters = insts.values().filter(|i| matches!(i.op, Op::Counter { .. }));
        counters.map(|i| i.loc.line).collect::<Vec<u32>>()
    };
    assert!(!counters(&plain).is_empty());
    assert_eq!(counters(&plain), counters(&kept));
}

/// clang 19 cannot emit every function of this header.
#[test]
fn a_header_that_cannot_be_kept_is_no_error() {
    let unit = compiled("#include <immintrin.h>\nint f(int x) { return x; }\n", true);
    assert_eq!(names(&unit), ["f"]);
}

const CALLED: &str = r##"
static int plain(int x) { return x; }
static int between(int x) { return plain(x) + 1; }
int one(int x) { return between(x); }
int two(int x) { return plain(x); }
static int alone(int x) { return x; }
static int lost(int x) { return alone(x); }
static int given(int x) { return x; }
int (*giver(void))(int) { return given; }
static int listed(int x) { return x; }
static int (*const list[])(int) = { listed };
int by_list(int x) { return list[0](x) + listed(x); }
static int renamed(int x) { return x; }
int other_name(int) __attribute__((alias("renamed")));
static __attribute__((used)) int marked(int x) { return x; }
static int kept(int x) { return x; }
static __attribute__((constructor)) void begin(void) { kept(1); }
static int in_assembly(int x) { return x; }
void assembly(void) { __asm__ volatile("# %0" : : "i"(in_assembly)); }
static int labels(int x) { void *to = &&there; if (x) goto *to; return 1; there: return 2; }
int goes(int x) { return labels(x); }
int open(int x) { return plain(x); }
"##;

#[test]
fn callers_of_static_functions_are_known() {
    use crate::analysis::callers::{Callers, Open, callers, hidden};
    let program = verified(&[compiled(CALLED, true)], None, &Options { promote: true, types: true });
    let name = |id: &FuncId| program.functions[*id].source_name().to_owned();
    let of = |function: &str| match callers(&program, program.definitions(function).next().unwrap()) {
        Callers::Known(found) => Ok(found.iter().map(name).collect::<Vec<_>>().join(" ")),
        Callers::Unknown(open) => Err(open),
    };
    assert_eq!(of("plain"), Ok("one two open".to_owned()));
    assert_eq!(of("between"), Ok("one".to_owned()));
    assert_eq!(of("alone"), Ok(String::new()), "only what nobody calls calls it");
    assert_eq!(of("kept"), Ok("begin".to_owned()));
    assert_eq!(of("labels"), Ok("goes".to_owned()));
    assert_eq!(of("one"), Err(Open::External));
    for function in ["given", "listed", "renamed", "marked", "begin", "in_assembly"] {
        assert_eq!(of(function), Err(Open::Address), "{function}");
    }
    let mut hidden: Vec<String> = hidden(&program).iter().map(name).collect();
    hidden.sort();
    assert_eq!(hidden, ["alone", "between", "kept", "labels", "lost", "plain"]);
}

/// Spaces of small numbers are ordinary memory; those that clang knows are relative to a register and nothing that a run can do.
#[test]
fn address_spaces_of_small_numbers_are_memory() {
    let source = r#"
#define NEAR __attribute__((address_space(3)))
static NEAR int here[2] = { 1, 2 };
static NEAR int *const last = here + 1;
int plain(NEAR int *p) { return *(int *)p + *last + *(int *)(here + 1); }
int relative(const __seg_gs int *p) { return *p; }
"#;
    let program = verified(&[compiled(source, true)], None, &Options::default());
    assert_eq!(program.address_spaces.iter().copied().collect::<Vec<u32>>(), [3, 256]);
    let unsupported = |name: &str| {
        let body = program.functions[program.function(name).unwrap()].body.as_ref().unwrap();
        body.insts.values().any(|inst| matches!(inst.op, Op::Unsupported { .. }))
    };
    assert!(!unsupported("plain"));
    assert!(unsupported("relative"));
}

/// A function keeps no value from a time before its first call, unless its first value is not known: that is refused.
#[test]
fn statics_without_a_first_value_are_refused_in_functions() {
    let static_of = |place: &str| {
        let unit = compiled(place, true);
        lower(&[unit], None, &Options::default()).map(|_| ()).map_err(|error| error.to_string())
    };
    let attribute = "__attribute__((loader_uninitialized))";
    assert_eq!(static_of(&format!("{attribute} static int kept; int f(void) {{ return kept; }}")), Ok(()));
    let inside = static_of(&format!("int f(void) {{ {attribute} static int kept; return kept; }}"));
    assert!(inside.is_err_and(|error| error.contains("no initial value")));
}
