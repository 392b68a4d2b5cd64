//! Suites of single functions: how inputs get in, and how results are checked.

use covenant_goals::test_case::{Pointer, Root, Value};
use covenant_report::{Linkage, NamedFunction, Stub, StubKind};

use crate::kit::*;

fn ints() -> Fixture {
    let source = "static int f(int a, const unsigned char b, long long c)\n{\n    int x;\n    if (a > b) return a + 1;\n    \
                  return c < -5 ? (int)(c % 1000) : b;\n}\n";
    Fixture::new("f", source)
        .param("a", "int a", 4)
        .param("b", "const unsigned char b", 1)
        .param("c", "long long c", 8)
        .returns("int result", 4)
}

#[test]
fn a_static_function_of_integers() {
    let mut fixture = ints();
    let test = fixture.test("returned");
    test.cells = vec![param(0, "a", int(300, 4)), param(1, "b", int(255, 1))];
    test.observed.returned = Some(int(301, 4));
    let test = fixture.test("returned");
    test.cells = vec![param(0, "a", int(-3, 4)), param(2, "c", int(i64::MIN.into(), 8))];
    test.observed.returned = Some(int(-808, 4));
    fixture.passes();
}

#[test]
fn a_wrong_result_fails_unless_the_oracle_is_off() {
    let mut fixture = ints();
    let test = fixture.test("returned");
    test.cells = vec![param(0, "a", int(5, 4))];
    test.observed.returned = Some(int(7, 4));
    fixture.fails("the returned value: expected 7 (0x7), found 6 (0x6)");
    fixture.oracle = false;
    fixture.passes();
}

#[test]
fn a_wrong_outcome_fails() {
    for outcome in ["exited", "aborted"] {
        let mut fixture = ints();
        let test = fixture.test(outcome);
        test.observed.exit_status = Some(3);
        fixture.fails(&format!("# end: returned 0\n# expected: {outcome}"));
    }
}

const LIST: &str = "#include <stddef.h>\nstruct node { int value; struct node *next; };\n\
                    int sum(struct node *p)\n{\n    int s = 0;\n    while (p) {\n        s += p->value;\n        p->value = 0;\n        \
                    if (p->next == p) break;\n        p = p->next;\n    }\n    return s;\n}\n";

fn list() -> Fixture {
    Fixture::new("sum", LIST).param("p", "struct node *p", 8).returns("int result", 4)
}

#[test]
fn a_list_of_objects() {
    let mut fixture = list();
    let test = fixture.test("returned");
    test.observed.returned = Some(int(0, 4));
    test.cells = vec![param(0, "p", NULL)];
    let test = fixture.test("returned");
    test.objects = vec![object(1, "*p", "struct node", 16, 1), object(2, "*p->next", "struct node", 16, 1)];
    test.cells = vec![
        param(0, "p", to(1, 0)),
        cell(Root::Object(1), 0, "p->value", int(40, 4)),
        cell(Root::Object(1), 8, "p->next", to(2, 0)),
        cell(Root::Object(2), 0, "p->next->value", int(2, 4)),
        cell(Root::Object(2), 8, "p->next->next", to(2, 0)),
    ];
    test.observed.returned = Some(int(42, 4));
    test.observed.written = vec![cell(Root::Object(2), 0, "p->next->value", int(0, 4))];
    fixture.passes();
    fixture.tests[1].observed.written[0].value = int(2, 4);
    fixture.fails("p->next->value: expected 2 (0x2), found 0 (0x0)");
}

#[test]
fn an_object_ends_where_it_ends() {
    let source = "int f(const char *s, int n) { return s[n]; }\n";
    let mut fixture =
        Fixture::new("f", source).param("s", "const char *s", 8).param("n", "int n", 4).returns("int result", 4);
    let test = fixture.test("returned");
    test.objects = vec![object(1, "*s", "char", 1, 5)];
    test.cells = vec![param(0, "s", to(1, 2)), param(1, "n", int(2, 4)), cell(Root::Object(1), 4, "s[4]", int(97, 1))];
    test.observed.returned = Some(int(97, 4));
    fixture.passes();
    fixture.tests[0].cells[1].value = int(3, 4);
    fixture.write(&[covenant_report::SuiteFormat::C]);
    let (good, text) = fixture.make("clang-19", "-fsanitize=address");
    assert!(!good && text.contains("# end: sanitizer"), "{text}");
    // As a known defect it is what was expected.
    fixture.tests[0].outcome = covenant_goals::TestOutcome::Trapped;
    fixture.tests[0].trap = trap("out-of-bounds", 1);
    fixture.passes();
}

#[test]
fn globals_of_all_kinds() {
    let source = "int limit = 7;\nstatic unsigned short table[4] = {1, 2, 3, 4};\nextern long far;\nint f(int limit_)\n{\n    \
                  static int calls = 3;\n    int limit = limit_;\n    table[1] += 1;\n    far++;\n    \
                  return limit + table[0] + table[1] + calls;\n}\n";
    let mut fixture = Fixture::new("f", source)
        .param("limit_", "int limit_", 4)
        .returns("int result", 4)
        .global("limit", "int limit", 4)
        .global("table", "unsigned short table[4]", 8)
        .global("far", "long far", 8)
        .global("calls", "int calls", 4)
        .global("hidden", "int hidden", 4);
    fixture.add_file("other.c", "long far = 5;\nstatic int hidden = 4;\nint unused(void) { return hidden; }\n");
    fixture.subject.globals[2].file = Some(1);
    fixture.subject.globals[3].linkage = Linkage::Local;
    fixture.subject.globals[4].linkage = Linkage::Internal;
    fixture.subject.globals[4].file = Some(1);
    let test = fixture.test("returned");
    let global = |name: &str, offset, path: &str, value| cell(Root::Global(name.into()), offset, path, value);
    test.cells = vec![
        param(0, "limit_", int(100, 4)),
        global("table", 0, "table[0]", int(10, 2)),
        global("far", 0, "far", int(8, 8)),
        global("hidden", 0, "hidden", int(8, 4)),
    ];
    // table[1] is zero before: it is an input that the test does not name.
    test.observed.returned = Some(int(100 + 10 + 1 + 3, 4));
    test.observed.written = vec![global("table", 2, "table[1]", int(1, 2)), global("far", 0, "far", int(9, 8))];
    fixture.passes();
    assert!(fixture.suite_text().contains("hidden should be 8, but it cannot be set: it is static in another file."));
}

#[test]
fn undefined_functions_return_what_was_recorded() {
    let source = "struct pair { int a, b; };\nint sensor(int);\nstruct pair both(void);\nconst char *name();\nvoid log_it(const char *, ...);\n\
                  void (*handler(int))(int);\ndouble level(double, int (*)(int));\nextern int missing;\nint stop(void);\n\
                  int f(void)\n{\n    int s = sensor(1);\n    struct pair p = both();\n    log_it(\"x\", s);\n    \
                  if (s == 5 && sensor(2) == -1 && !name() && !handler(1) && level(0, 0) > 2.5) return p.a * 100 + p.b;\n    \
                  if (missing) return stop();\n    return 0;\n}\n";
    let mut fixture = Fixture::new("f", source)
        .returns("int result", 4)
        .stub("sensor", "int sensor(int)", 4)
        .stub("both", "struct pair both(void)", 8)
        .stub("name", "const char *name()", 8)
        .stub("log_it", "void log_it(const char *, ...)", 0)
        .stub("handler", "void (*handler(int))(int)", 8)
        .stub("level", "double level(double, int (*)(int))", 8)
        .stub("stop", "int stop(void)", 4);
    fixture.subject.stubs[6].kind = StubKind::None;
    fixture.subject.undefined_globals.push(declared("missing", "int missing", 4));
    let test = fixture.test("returned");
    test.calls = vec![
        call("sensor", int(5, 4)),
        call("both", int((9 << 32) + 3, 8)),
        call("sensor", int(-1, 4)),
        call("level", double(2.75)),
    ];
    test.observed.returned = Some(int(309, 4));
    let test = fixture.test("returned");
    test.observed.returned = Some(int(0, 4));
    fixture.passes();
}

#[test]
fn undefined_functions_of_other_files() {
    let source = "int g(int);\nint f(int x) { return g(x); }\n";
    let mut fixture = Fixture::new("f", source).param("x", "int x", 4).returns("int result", 4);
    let other = "typedef struct { int v; } T;\nfloat half(T);\nT *where(void);\nvoid quiet(T);\n\
                 int g(int x) { T t = {x}; quiet(t); return where() ? 1 : half(t) > 1.5f; }\n";
    fixture.add_file("other.c", other);
    for (name, decl, returns_size) in
        [("half", "float half(T)", 4), ("where", "T *where(void)", 8), ("quiet", "void quiet(T)", 0)]
    {
        let (name, decl) = (name.into(), decl.into());
        fixture.subject.stubs.push(Stub {
            name,
            decl,
            returns_size,
            kind: StubKind::Any,
            library: false,
            file: Some(1),
            ..Stub::default()
        });
    }
    for (value, returned) in [("40000000", 1), ("3f800000", 0)] {
        let test = fixture.test("returned");
        test.calls = vec![call("where", NULL), call("half", Value::Float { bits: value.into(), size: 4 })];
        test.observed.returned = Some(int(returned, 4));
    }
    fixture.passes();
}

#[test]
fn pointers_to_functions() {
    let source = "static int twice(int x) { return 2 * x; }\nint thrice(int);\ntypedef int (*op)(int);\n\
                  struct table { op ops[2]; };\nop kept;\n\
                  int f(op cmp, struct table *t) { kept = t->ops[1]; return cmp ? cmp(5) + t->ops[1](1) : -1; }\n";
    let mut fixture = Fixture::new("f", source)
        .param("cmp", "int (*cmp)(int)", 8)
        .param("t", "struct table *t", 8)
        .returns("int result", 4);
    fixture.add_file("other.c", "int thrice(int x) { return 3 * x; }\n");
    fixture.subject.functions.push(NamedFunction { name: "thrice".into(), file: Some(1), linkage: Linkage::External });
    let function = |name: &str| Value::Pointer(Pointer::Function(name.into()));
    let test = fixture.test("returned");
    test.objects = vec![object(1, "*t", "struct table", 16, 1)];
    test.cells = vec![
        param(0, "cmp", function("twice")),
        param(1, "t", to(1, 0)),
        cell(Root::Object(1), 8, "t->ops[1]", function("thrice")),
    ];
    test.observed.returned = Some(int(13, 4));
    test.observed.written = vec![cell(Root::Global("kept".into()), 0, "kept", function("thrice"))];
    fixture.passes();
    fixture.tests[0].observed.written[0].value = function("twice");
    fixture.fails("kept: points to another function");
}

#[test]
fn numbers_of_all_sizes() {
    let source = "struct big { __int128 wide; long double odd; double d; float f; _Bool b; };\n\
                  struct big f(struct big x) { x.wide = -x.wide; x.odd /= 2; x.d = -x.d; x.f *= 2; x.b = !x.b; return x; }\n\
                  double g(double x, struct big *out) { *out = f(*out); return x - x; }\n";
    let mut fixture = Fixture::new("g", source)
        .param("x", "double x", 8)
        .param("out", "struct big *out", 8)
        .returns("double result", 8);
    let test = fixture.test("returned");
    test.objects = vec![object(1, "*out", "struct big", 48, 1)];
    let float = |bits: &str, size| Value::Float { bits: bits.into(), size };
    let at = |offset, path: &str, value| cell(Root::Object(1), offset, path, value);
    test.cells = vec![
        param(0, "x", double(f64::INFINITY)),
        param(1, "out", to(1, 0)),
        at(0, "out->wide", int(1 << 100, 16)),
        at(16, "out->odd", float("4000c000000000000000", 10)),
        at(32, "out->d", double(0.0)),
        at(40, "out->f", float("40490fdb", 4)),
    ];
    // Any NaN will do.
    test.observed.returned = Some(double(f64::from_bits(0x7ff8_0000_0000_0001)));
    test.observed.written = vec![
        at(0, "out->wide", int(-(1 << 100), 16)),
        at(16, "out->odd", float("3fffc000000000000000", 10)),
        at(32, "out->d", double(-0.0)),
        at(40, "out->f", float("40c90fdb", 4)),
        at(44, "out->b", int(1, 1)),
    ];
    fixture.passes();
    fixture.tests[0].observed.written[2].value = double(0.0);
    fixture.fails("out->d: expected 0, found -0");
    fixture.tests[0].observed.written.truncate(2);
    fixture.tests[0].observed.written[1].value = float("3fffc000000000000001", 10);
    fixture.fails("out->odd: expected 0x3fffc000000000000001, found 0x3fffc000000000000000");
}

#[test]
fn old_and_odd_sources() {
    // No prototypes, warnings of all sorts, macros with common names, and a standard without POSIX.
    let source = "#define name 17\n#define size(x) x\n#define test nothing\nint f(a, p)\n    int a;\n    char *p;\n{\n    int unused;\n    \
                  if (a = name) g();\n    return p ? 1 : undeclared(a);\n}\nint g() { return name; }\n";
    let mut fixture = Fixture::new("f", source)
        .param("a", "int a", 4)
        .param("p", "char *p", 8)
        .returns("int result", 4)
        .stub("undeclared", "int undeclared()", 4);
    fixture.subject.files[0].flags = vec!["-std=c89".into()];
    let test = fixture.test("returned");
    test.calls = vec![call("undeclared", int(4, 4))];
    test.observed.returned = Some(int(4, 4));
    fixture.passes();
}

#[test]
fn flags_and_directories_of_a_project() {
    let source = "#include <header.h>\n#include \"near.h\"\nint f(void) { return LIMIT + NEAR + sizeof WORDS; }\n";
    let mut fixture = Fixture::new("f", source).returns("int result", 4);
    let base = fixture.source_dir();
    std::fs::create_dir(base.join("my include")).unwrap();
    std::fs::write(base.join("my include/header.h"), "#define LIMIT VALUE\n").unwrap();
    std::fs::write(base.join("near.h"), "#define NEAR 5\n").unwrap();
    fixture.subject.files[0].flags =
        ["-I", "my include", "-DVALUE=30", "-DWORDS=\"it's $5 #1\""].map(String::from).to_vec();
    let test = fixture.test("returned");
    test.observed.returned = Some(int(30 + 5 + 11, 4));
    fixture.passes();
    assert_eq!(fixture.replay(&[]).differences, [""; 0]);
}

#[test]
fn one_test_by_name() {
    let mut fixture = ints();
    fixture.test("returned").observed.returned = Some(int(0, 4));
    fixture.test("returned").observed.returned = Some(int(1, 4));
    fixture.fails("not ok 2 - t2");
    let suite = fixture.out().join("suite/c/suite");
    let (status, text) = run(&suite, &["t1"]);
    assert_eq!((status, text.lines().nth(1)), (Some(0), Some("ok 1 - t1")));
    let (status, text) = run(&suite, &["t2"]);
    assert_eq!((status, text.lines().nth(1)), (Some(1), Some("not ok 1 - t2")));
    assert_eq!(run(&suite, &["--list"]), (Some(0), "t1\nt2\n".to_owned()));
    assert_eq!(run(&suite, &["t3"]).0, Some(2));
}

#[test]
fn a_test_that_makes_no_sense_is_refused() {
    let mut fixture = ints();
    fixture.test("returned").cells = vec![param(0, "a", to(9, 0))];
    let write = |fixture: &Fixture| {
        let formats = [covenant_report::SuiteFormat::C];
        covenant_report::write_suites(&fixture.out(), &fixture.subject, &fixture.tests, &[], &formats, true)
    };
    assert_eq!(write(&fixture).unwrap_err().to_string(), "test t1: object 9 is not there");
    fixture.tests[0].cells = vec![param(8, "a", int(1, 4))];
    assert_eq!(write(&fixture).unwrap_err().to_string(), "test t1: there is no parameter 8");
    let mut json = serde_json::to_value(&fixture.tests[0]).unwrap();
    json["outcome"] = "vanished".into();
    let why = serde_json::from_value::<covenant_goals::TestCase>(json).unwrap_err().to_string();
    assert!(why.contains("unknown variant `vanished`"), "{why}");
}

#[test]
fn a_subject_may_be_what_the_library_has() {
    // Only the tests' own calls may count: the second branch is never taken.
    let source = "typedef unsigned long size_t;\nint strcmp(const char *a, const char *b)\n{\n    \
                  while (*a && *a == *b) a++, b++;\n    return *a - *b;\n}\n\
                  void *memcpy(void *to, const void *from, size_t n)\n{\n    for (; n > 0; n--) ((char *)to)[n - 1] = 0;\n    return to;\n}\n\
                  void *memset(void *to, int c, size_t n)\n{\n    for (; n > 0; n--) ((char *)to)[n - 1] = 7;\n    return to;\n}\n";
    let mut fixture = Fixture::new("strcmp", source)
        .param("a", "const char *a", 8)
        .param("b", "const char *b", 8)
        .returns("int result", 4);
    let test = fixture.test("returned");
    test.objects = vec![object(1, "*a", "char", 1, 1), object(2, "*b", "char", 1, 1)];
    test.cells = vec![param(0, "a", to(1, 0)), param(1, "b", to(2, 0)), cell(Root::Object(2), 0, "b[0]", int(5, 1))];
    test.observed.returned = Some(int(-5, 4));
    fixture.passes();
    let result = fixture.replay(&[
        Claim(4, 12, "false", "t1"),
        Claim(4, 12, "true", "infeasible"),
        Claim(9, 12, "true", "infeasible"),
        Claim(14, 12, "true", "infeasible"),
    ]);
    assert_eq!(result.differences, [""; 0]);
}

#[test]
fn the_subject_may_move_and_change() {
    let mut fixture = ints();
    fixture.test("returned").observed.returned = Some(int(0, 4));
    fixture.passes();
    let (good, text) = fixture.make("gcc", "-O0");
    assert!(good && text.contains("-c -o"), "{text}");
    let (good, text) = fixture.make("gcc", "-O0");
    assert!(good && !text.contains("-c -o"), "nothing changed, but it was built again: {text}");
    let moved = fixture.source_dir().with_file_name("elsewhere");
    std::fs::rename(fixture.source_dir(), &moved).unwrap();
    let there = format!("SUBJECT_DIR={}", moved.display());
    let (good, text) = fixture.make_with(&["CC=gcc", "CFLAGS=-O0", &there]);
    assert!(good, "{text}");
    // A change of the code is seen.
    let source = std::fs::read_to_string(moved.join("subject.c")).unwrap();
    std::fs::write(moved.join("subject.c"), source.replace(": b;", ": b + 1;")).unwrap();
    let (good, text) = fixture.make_with(&["CC=gcc", "CFLAGS=-O0", &there]);
    assert!(!good && text.contains("the returned value: expected 0 (0x0), found 1 (0x1)"), "{text}");
}
