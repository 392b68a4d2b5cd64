//! Suites of whole programs, and of programs written for other tools.

use covenant_goals::test_case::CallInput;

use crate::kit::*;

fn program(source: &str, params: usize) -> Fixture {
    let mut fixture = Fixture::new("main", source).returns("int result", 4);
    fixture.subject.is_main = true;
    let all = [("argc", "int argc", 4), ("argv", "char **argv", 8)];
    for (name, decl, size) in &all[..params] {
        fixture = fixture.param(name, decl, *size);
    }
    fixture
}

#[test]
fn arguments_input_and_status() {
    let source = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\
                  int main(int argc, char **argv)\n{\n    int c, sum = 0;\n    \
                  if (argc > 1 && strcmp(argv[1], \"a\\xff?\") == 0) exit(200 + argc);\n    \
                  while ((c = getchar()) != EOF) sum += c;\n    printf(\"ok 1 - fooled\\n\");\n    return sum;\n}\n";
    let mut fixture = program(source, 2);
    let test = fixture.test("exited");
    test.args = vec![b"a\xff?".to_vec(), b"".to_vec()];
    test.observed.exit_status = Some(203);
    let test = fixture.test("exited");
    test.stdin = vec![1, 0, 10, 255];
    test.observed.exit_status = Some(266);
    let test = fixture.test("exited");
    test.observed.exit_status = Some(0);
    fixture.passes();
    fixture.tests[2].observed.exit_status = Some(1);
    fixture.fails("# end: returned 0\n# expected: exited 1");
}

#[test]
fn the_end_of_main_is_success() {
    let mut fixture = program("#include <stdio.h>\nint main(void) { printf(\"some text\\n\"); }\n", 0);
    fixture.test("exited").observed.exit_status = Some(0);
    fixture.passes();
}

#[test]
fn another_function_of_a_program() {
    let source = "int f(int x) { return x + 1; }\nint main(void) { return f(3); }\n";
    let mut fixture = Fixture::new("f", source).param("x", "int x", 4).returns("int result", 4);
    fixture.test("returned").observed.returned = Some(int(1, 4));
    fixture.passes();
    // The program may also be in another file.
    let mut fixture = Fixture::new("f", "int f(int x) { return x + 1; }\n").param("x", "int x", 4);
    fixture = fixture.returns("int result", 4);
    fixture.add_file("program.c", "int f(int);\nint main(void) { return f(3); }\n");
    fixture.test("returned").observed.returned = Some(int(1, 4));
    fixture.passes();
}

#[test]
fn programs_for_verifiers() {
    let source = "extern int __VERIFIER_nondet_int(void);\nextern unsigned char __VERIFIER_nondet_uchar();\n\
                  extern double __VERIFIER_nondet_double(void);\nextern void *__VERIFIER_nondet_pointer(void);\n\
                  extern void __VERIFIER_assume(int);\nextern void abort(void);\n\
                  void reach_error() { abort(); }\n\
                  int main() {\n    int x = __VERIFIER_nondet_int();\n    __VERIFIER_assume(x > 3);\n    \
                  if (__VERIFIER_nondet_uchar() == 200 && __VERIFIER_nondet_double() < -0.5 && !__VERIFIER_nondet_pointer())\n        \
                  reach_error();\n    return 0;\n}\n";
    let mut fixture = program(source, 0);
    let test = fixture.test("aborted");
    test.calls = vec![
        call("__VERIFIER_nondet_int", int(4, 4)),
        call("__VERIFIER_nondet_uchar", int(200, 1)),
        call("__VERIFIER_nondet_double", double(-0.75)),
        call("__VERIFIER_nondet_pointer", NULL),
    ];
    let test = fixture.test("exited");
    test.calls = vec![call("__VERIFIER_nondet_int", int(4, 4))];
    test.observed.exit_status = Some(0);
    fixture.passes();
    fixture.tests[1].calls.clear();
    fixture.fails("__VERIFIER_assume: the assumption does not hold");
}

#[test]
fn programs_for_klee_and_crest() {
    let source = "#include <stddef.h>\nvoid klee_make_symbolic(void *, size_t, const char *);\nvoid klee_assume(unsigned long);\n\
                  int klee_int(const char *);\nint klee_range(int, int, const char *);\nvoid __CrestInt(int *);\n\
                  void __VERIFIER_error(void);\n#define CREST_int(x) __CrestInt(&x)\n\
                  int main(void) {\n    char text[4];\n    int y;\n    klee_make_symbolic(text, sizeof text, \"text\");\n    \
                  klee_assume(text[3] == 0);\n    CREST_int(y);\n    \
                  if (text[0] == 'a' && text[1] == 'b' && klee_int(\"n\") == -7 && klee_range(5, 9, \"r\") == 8 && y == 77) __VERIFIER_error();\n    \
                  return klee_range(5, 9, \"again\");\n}\n";
    let mut fixture = program(source, 0);
    let bytes = |function: &str, bytes: &[u8], label: &str| CallInput {
        function: function.into(),
        value: None,
        bytes: Some(bytes.to_vec()),
        label: Some(label.into()),
        ..CallInput::default()
    };
    let test = fixture.test("aborted");
    test.calls = vec![
        bytes("klee_make_symbolic", b"ab\xff\0", "text"),
        bytes("__CrestInt", &77i32.to_le_bytes(), "y"),
        call("klee_int", int(-7, 4)),
        call("klee_range", int(8, 4)),
    ];
    let test = fixture.test("exited");
    test.calls = vec![bytes("klee_make_symbolic", b"ac\0\0", "text")];
    test.observed.exit_status = Some(5);
    fixture.passes();
}

#[test]
fn ends_of_all_kinds() {
    let source = "#include <assert.h>\n#include <stdlib.h>\n\
                  int f(int x, int *p)\n{\n    if (x == 1) abort();\n    if (x == 2) exit(7);\n    assert(x != 3);\n    \
                  if (x == 4) return 10 / (x - 4);\n    if (x == 5) return *p;\n    while (x == 6) x = 6;\n    return 0;\n}\n";
    let mut fixture = Fixture::new("f", source).param("x", "int x", 4).param("p", "int *p", 8).returns("int result", 4);
    for (x, outcome, kind) in [
        (1, "aborted", "abort"),
        (2, "exited", ""),
        (3, "aborted", "assertion"),
        (4, "trapped", "division-by-zero"),
        (5, "trapped", "null-pointer"),
        (6, "step-limit", ""),
    ] {
        let test = fixture.test(outcome);
        test.cells = vec![param(0, "x", int(x, 4))];
        test.observed.exit_status = (x == 2).then_some(7);
        test.trap = if kind.is_empty() { None } else { trap(kind, 5) };
    }
    fixture.passes();
    let claims = [
        Claim(5, 9, "true", "t1"),
        Claim(5, 9, "false", "t2 t3 t4 t5 t6"),
        Claim(6, 9, "true", "t2"),
        Claim(7, 5, "true", "t4 t5 t6"),
        Claim(7, 5, "false", "t3"),
        Claim(8, 9, "true", "t4"),
        Claim(9, 9, "true", "t5"),
        Claim(10, 12, "true", "t6"),
        Claim(10, 12, "false", "infeasible"),
    ];
    let result = fixture.replay(&claims);
    assert_eq!(result.differences, [""; 0]);
    let ends: Vec<String> = result.tests.iter().map(|t| t.end.to_string()).collect();
    assert_eq!(
        ends,
        [
            "aborted",
            "exited with status 7",
            "aborted",
            "was ended by a sanitizer",
            "was ended by a sanitizer",
            "did not end in time"
        ]
    );
    // A defect that ought to show and does not is a difference.
    fixture.tests[1].outcome = covenant_goals::TestOutcome::Trapped;
    fixture.tests[1].trap = trap("null-pointer", 6);
    let result = fixture.replay(&[]);
    assert_eq!(result.differences.len(), 1, "{:?}", result.differences);
    assert!(result.differences[0].contains("does not show natively"), "{:?}", result.differences);
    // Unless it is the C library's business: another one may refuse what ours stumbles over.
    fixture.tests[1].trap =
        trap("null-pointer", 6).map(|trap| covenant_goals::test_case::TrapNote { library: true, ..trap });
    let result = fixture.replay(&[]);
    assert_eq!(result.differences, [""; 0]);
    assert!(result.notes.iter().any(|note| note.contains("does not show natively")), "{:?}", result.notes);
}

#[test]
fn recursion_without_end_keeps_its_coverage() {
    let source = "int f(int x) {\n    if (x < 0) return 0;\n    return f(x) + 1;\n}\n";
    let mut fixture = Fixture::new("f", source).param("x", "int x", 4).returns("int result", 4);
    let test = fixture.test("trapped");
    test.trap = trap("stack-overflow", 3);
    let result = fixture.replay(&[Claim(2, 9, "false", "t1"), Claim(2, 9, "true", "infeasible")]);
    assert_eq!(result.differences, [""; 0]);
    assert_eq!(result.tests[0].sanitizer, ["AddressSanitizer: stack-overflow"]);
}
