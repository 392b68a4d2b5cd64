//! Claims against llvm-cov.

use crate::kit::*;

const SOURCE: &str = "#define LESS(a, b) ((a) < (b) || (a) == 7)\n\
                      #define IS(x) x\n\
                      int f(int x, int y)\n{\n    \
                      switch (x) {\n    case 1: return 1;\n    case 2:\n    case 3: y++; break;\n    default: y--;\n    }\n    \
                      if (LESS(x, y) && y > 3)\n        return 5;\n    \
                      if (x * x == 2) return 9;\n    \
                      return IS(y) ? y : x;\n}\n";

fn fixture(inputs: &[(i128, i128, i128)]) -> Fixture {
    let mut fixture = Fixture::new("f", SOURCE).param("x", "int x", 4).param("y", "int y", 4).returns("int result", 4);
    for (x, y, result) in inputs {
        let test = fixture.test("returned");
        test.cells = vec![param(0, "x", int(*x, 4)), param(1, "y", int(*y, 4))];
        test.observed.returned = Some(int(*result, 4));
    }
    fixture
}

fn inputs() -> Fixture {
    fixture(&[(1, 0, 1), (2, 9, 5), (7, 4, 3), (50, 1, 50), (3, 0, 1)])
}

#[test]
fn true_claims_hold() {
    let result = inputs().replay(&[
        Claim(6, 5, "case 1", "t1"),
        Claim(7, 5, "case 2", "t2"),
        Claim(8, 5, "case 3", "t5"),
        Claim(9, 5, "default", "t3 t4"),
        // Inside a macro, by the place of its text ...
        Claim(1, 21, "true", "t2"),
        Claim(1, 21, "false", "t3 t4 t5"),
        Claim(1, 34, "true", "t3"),
        Claim(1, 34, "false", "t4"),
        // ... or by the place of its use, where it has two conditions.
        Claim(11, 9, "true", "t2"),
        Claim(11, 9, "true", "t3"),
        Claim(11, 9, "false", "t4"),
        Claim(11, 9, "false", "t4"),
        Claim(11, 23, "true", "t2"),
        Claim(11, 23, "false", "t3"),
        Claim(13, 9, "true", "infeasible"),
        Claim(13, 9, "false", "t3 t4 t5"),
        Claim(14, 12, "true", "t3"),
        Claim(14, 12, "false", "t4"),
    ]);
    assert_eq!(result.differences, [""; 0]);
    assert_eq!(result.notes, [""; 0]);
    assert!(result.tests.iter().all(|t| t.passed));
    let branch = result.branches.iter().find(|b| (b.line, b.column) == (13, 9)).unwrap();
    assert_eq!((branch.true_count, branch.false_count), (0, 3));
}

#[test]
fn false_claims_are_found() {
    let says = |claim: Claim<'_>, words: &str| {
        let result = inputs().replay(&[claim]);
        assert!(result.differences.len() == 1 && result.differences[0].contains(words), "{:?}", result.differences);
    };
    says(
        Claim(6, 5, "case 1", "t2"),
        "subject.c:6:5: case 1 is claimed covered by test t2, but the test does not take it",
    );
    says(Claim(13, 9, "false", "infeasible"), "is claimed infeasible, but the tests take it 3 times");
    says(Claim(13, 10, "true", "t1"), "llvm-cov has no branch at that place");
    says(Claim(13, 9, "false", "t9"), "by test t9, which is not there");
    says(Claim(13, 9, "false", ""), "no test is named");
}

#[test]
fn several_conditions_of_one_macro_are_counted() {
    let mut fixture = inputs();
    // One test takes one of the two conditions only.
    let both = [Claim(11, 9, "true", "t2"), Claim(11, 9, "true", "t2")];
    let result = fixture.replay(&both);
    assert_eq!(result.differences.len(), 2, "{:?}", result.differences);
    assert!(result.differences[0].contains("takes only 1 of 2 branches there"), "{:?}", result.differences);
    // All of them are taken by somebody: none can be infeasible.
    let one = [Claim(11, 9, "true", "t2"), Claim(11, 9, "true", "infeasible")];
    assert_eq!(fixture.replay(&one).differences.len(), 1);
    fixture.tests.retain(|t| t.name != "t3");
    assert_eq!(fixture.replay(&one).differences, [""; 0]);
}

#[test]
fn a_region_is_known_by_its_number() {
    let fixture = inputs();
    fixture.replay(&[]);
    // llvm-cov lists what is inside macros last: regions 6 and 7 are the two conditions of the first. The positions here
    // are deliberately nonsense, but tell the claims apart.
    let claims = [
        Claim(901, 6, "true", "t2"),
        Claim(902, 6, "false", "t3 t4"),
        Claim(903, 7, "true", "t3"),
        Claim(904, 7, "false", "t4"),
        Claim(905, 7, "true", "t2"),
        Claim(906, 6, "true", "infeasible"),
        Claim(907, 5, "true", "infeasible"),
        Claim(908, 50, "true", "t2"),
    ];
    let mut report = fixture.report(&claims);
    for objective in &mut report.objectives {
        objective.region = Some(objective.column);
        objective.function = "f".into();
    }
    covenant_report::write_report(&fixture.out(), &report).unwrap();
    let mut said = covenant_report::replay(&fixture.out(), &Default::default()).unwrap().differences;
    said.iter_mut().for_each(|d| d.truncate(d.find(", but").unwrap()));
    let expected = [
        "subject.c:905:7: true is claimed covered by test t2",
        "subject.c:906:6: true is claimed infeasible",
        "subject.c:908:50: true is claimed covered by test t2",
    ];
    assert_eq!(said, expected);
}

#[test]
fn a_wrong_oracle_is_a_difference() {
    let fixture = fixture(&[(1, 0, 2)]);
    let result = fixture.replay(&[]);
    assert_eq!(
        result.differences,
        ["test t1 is recorded as returned, but it returned: the returned value: expected 2 (0x2), found 1 (0x1)"]
    );
}

#[test]
fn undefined_arithmetic_that_was_not_asked_for_is_a_note() {
    let source = "int f(int x) {\n    int y = x + 1;\n    if (y < x) return 1;\n    return 0;\n}\n";
    let mut fixture = Fixture::new("f", source).param("x", "int x", 4).returns("int result", 4);
    let test = fixture.test("returned");
    test.cells = vec![param(0, "x", int(i32::MAX.into(), 4))];
    test.observed.returned = Some(int(1, 4));
    let claims = [Claim(3, 9, "true", "t1")];
    let result = fixture.replay(&claims);
    assert_eq!(result.differences, [""; 0]);
    assert!(result.notes[0].contains("signed integer overflow"), "{:?}", result.notes);
    // Asked for, it ends the run, and nothing behind it counts.
    fixture.tests[0].outcome = covenant_goals::TestOutcome::Trapped;
    fixture.tests[0].trap = trap("signed-overflow", 2);
    let result = fixture.replay(&[Claim(3, 9, "true", "infeasible")]);
    assert_eq!(result.differences, [""; 0]);
    assert_eq!(result.tests[0].end.to_string(), "was ended by a sanitizer");
    assert_eq!(fixture.replay(&claims).differences.len(), 1);
}

#[test]
fn other_files_and_headers_are_matched() {
    let source = "#include \"part.h\"\nint g(int);\nint f(int x) { return positive(x) + g(x); }\n";
    let mut fixture = Fixture::new("f", source).param("x", "int x", 4).returns("int result", 4);
    let header = "static inline int positive(int x)\n{\n    return x > 0 ? 1 : 0;\n}\n";
    std::fs::write(fixture.source_dir().join("part.h"), header).unwrap();
    fixture.add_file("other.c", "int g(int x)\n{\n    return x > 5 ? 1 : 0;\n}\n");
    let test = fixture.test("returned");
    test.cells = vec![param(0, "x", int(3, 4))];
    test.observed.returned = Some(int(1, 4));
    let claims = [Claim(3, 12, "true", "t1"), Claim(3, 12, "true", "t1")];
    let mut report = fixture.report(&claims);
    report.objectives[0].file = "part.h".into();
    report.objectives[1].file = fixture.source_dir().join("other.c").display().to_string();
    fixture.replay(&[]);
    covenant_report::write_report(&fixture.out(), &report).unwrap();
    let result = covenant_report::replay(&fixture.out(), &Default::default()).unwrap();
    assert_eq!(result.differences.len(), 1, "{:?}", result.differences);
    assert!(result.differences[0].contains("other.c:3:12: true is claimed covered"), "{:?}", result.differences);
}

#[test]
fn a_subject_that_does_not_build_is_an_error_in_the_compilers_words() {
    let mut fixture = inputs();
    fixture.replay(&[]);
    std::fs::write(fixture.source_dir().join("subject.c"), "int f(int x, int y) { return z; }\n").unwrap();
    let error = covenant_report::replay(&fixture.out(), &Default::default()).unwrap_err().to_string();
    assert!(error.contains("use of undeclared identifier 'z'"), "{error}");
    fixture.subject.entry_file = 4;
    let formats = [covenant_report::SuiteFormat::C];
    let error = covenant_report::write_suites(&fixture.out(), &fixture.subject, &fixture.tests, &[], &formats, true);
    assert_eq!(error.unwrap_err().to_string(), "the subject has no file number 4");
}

#[test]
fn a_replay_needs_no_suite_of_its_own_format() {
    let fixture = inputs();
    fixture.replay(&[]);
    std::fs::remove_dir_all(fixture.out().join("suite")).unwrap();
    let result = covenant_report::replay(&fixture.out(), &Default::default()).unwrap();
    assert!(result.differences.is_empty() && result.tests.iter().all(|t| t.passed), "{result:?}");
}

/// One test for each of many cases, each of which claims its own.
#[test]
fn a_false_claim_of_one_test_among_many_is_found() {
    const TESTS: u32 = 300;
    let mut source = "int f(int x)\n{\n    switch (x) {\n".to_owned();
    (1..=TESTS).for_each(|case| source += &format!("    case {case}: return {};\n", 2 * case));
    source += "    }\n    return 0;\n}\n";
    let mut fixture = Fixture::new("f", &source).param("x", "int x", 4).returns("int result", 4);
    for case in 1..=TESTS {
        let test = fixture.test("returned");
        test.cells = vec![param(0, "x", int(case.into(), 4))];
        test.observed.returned = Some(int((2 * case).into(), 4));
    }
    let names: Vec<String> = (1..=TESTS).map(|case| format!("t{case}")).collect();
    let claim = |case: u32, test: &'static str| Claim(case + 3, 5, "case", test);
    let names: Vec<&'static str> = names.into_iter().map(|name| &*name.leak()).collect();
    let claims: Vec<Claim<'_>> = names.iter().zip(1..).map(|(name, case)| claim(case, name)).collect();
    assert_eq!(fixture.replay(&claims).differences, [""; 0]);
    for wrong in [1, 129, 300] {
        let other = names[(wrong as usize + 7) % names.len()];
        let of = |case: u32| if case == wrong { other } else { names[case as usize - 1] };
        let claims: Vec<Claim<'_>> = (1..=TESTS).map(|case| claim(case, of(case))).collect();
        let line = wrong + 3;
        let words =
            format!("subject.c:{line}:5: case is claimed covered by test {other}, but the test does not take it");
        assert_eq!(fixture.replay(&claims).differences, [words]);
    }
}
