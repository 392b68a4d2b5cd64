//! Test-Comp's and KLEE's formats, and the report for people.

use covenant_goals::report::{Defect, Totals};
use covenant_goals::test_case::{CallInput, Root, Value};
use covenant_report::SuiteFormat;

use crate::kit::*;

fn fixture() -> Fixture {
    let source = "extern int __VERIFIER_nondet_int(void);\nextern float __VERIFIER_nondet_float(void);\n\
                  int main(void) { if (__VERIFIER_nondet_int() < 0) return 1; if (__VERIFIER_nondet_float() > 1) return 2; return 3; }\n";
    let mut fixture = Fixture::new("main", source).returns("int result", 4);
    fixture.subject.is_main = true;
    fixture.test("exited").calls = vec![call("__VERIFIER_nondet_int", int(-5, 4))];
    fixture.test("exited").calls = vec![
        call("__VERIFIER_nondet_int", int(5, 4)),
        call("__VERIFIER_nondet_float", Value::Float { bits: "7f800000".into(), size: 4 }),
    ];
    fixture
}

#[test]
fn test_comp_lists_the_inputs_in_order() {
    let mut fixture = fixture();
    fixture.write(&[SuiteFormat::TestComp]);
    let folder = fixture.out().join("suite/test-comp");
    let test = std::fs::read_to_string(folder.join("testcase-t2.xml")).unwrap();
    let inputs: Vec<&str> = test.lines().filter(|l| l.contains("<input")).map(str::trim).collect();
    assert_eq!(inputs, ["<input type=\"int\">5</input>", "<input type=\"float\">inf</input>"]);
    let metadata = std::fs::read_to_string(folder.join("metadata.xml")).unwrap();
    let fields: Vec<&str> =
        metadata.lines().filter_map(|l| l.trim().strip_prefix('<')?.split('>').next()).skip(3).collect();
    let order = "sourcecodelang producer specification programfile programhash entryfunction architecture creationtime";
    assert_eq!(fields.join(" "), format!("{order} /test-metadata"));
    assert!(metadata.contains("<specification>COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )</specification>"));
    // Tests that are gone do not stay behind.
    fixture.tests.truncate(1);
    fixture.write(&[SuiteFormat::TestComp]);
    assert_eq!(std::fs::read_dir(folder).unwrap().count(), 2);
}

/// Reads a file of KLEE's back: the arguments and the objects.
fn decode(bytes: &[u8]) -> (Vec<String>, Vec<(String, Vec<u8>)>) {
    struct Reader<'a>(&'a [u8]);
    impl<'a> Reader<'a> {
        fn take(&mut self, n: usize) -> &'a [u8] {
            let (head, rest) = self.0.split_at(n);
            self.0 = rest;
            head
        }
        fn number(&mut self) -> usize {
            u32::from_be_bytes(self.take(4).try_into().unwrap()) as usize
        }
        fn block(&mut self) -> &'a [u8] {
            let length = self.number();
            self.take(length)
        }
        fn text(&mut self) -> String {
            String::from_utf8(self.block().to_vec()).unwrap()
        }
    }
    let mut reader = Reader(bytes);
    assert_eq!((reader.take(5), reader.number()), (&b"KTEST"[..], 3));
    let args = (0..reader.number()).map(|_| reader.text()).collect();
    assert_eq!((reader.number(), reader.number()), (0, 0));
    let objects = (0..reader.number()).map(|_| (reader.text(), reader.block().to_vec())).collect();
    assert!(reader.0.is_empty());
    (args, objects)
}

#[test]
fn ktest_holds_named_objects() {
    let mut fixture = Fixture::new("f", "int f(int *p, short s) { return *p + s; }\n")
        .param("p", "int *p", 8)
        .param("s", "short s", 2)
        .global("g", "int g", 4);
    fixture.subject.program = "subject.bc".into();
    let test = fixture.test("returned");
    test.objects = vec![object(1, "*p", "int", 4, 2)];
    test.cells = vec![
        param(0, "p", to(1, 0)),
        param(1, "s", int(-2, 2)),
        cell(Root::Object(1), 4, "p[1]", int(7, 4)),
        cell(Root::Global("g".into()), 0, "g", int(1, 4)),
    ];
    test.stdin = b"hi".to_vec();
    test.args = vec![b"x".to_vec()];
    test.calls = vec![CallInput {
        function: "klee_make_symbolic".into(),
        value: None,
        bytes: Some(vec![9, 8]),
        label: Some("buffer".into()),
        ..CallInput::default()
    }];
    fixture.write(&[SuiteFormat::Ktest]);
    let (args, objects) = decode(&std::fs::read(fixture.out().join("suite/ktest/t1.ktest")).unwrap());
    assert_eq!(args, ["subject.bc"]);
    let expected: [(&str, &[u8]); 7] = [
        ("p", &[0; 8]),
        ("s", &[0xfe, 0xff]),
        ("g", &[1, 0, 0, 0]),
        ("*p", &[0, 0, 0, 0, 7, 0, 0, 0]),
        ("arg00", b"x\0"),
        ("stdin", b"hi"),
        ("buffer", &[9, 8]),
    ];
    assert_eq!(objects, expected.map(|(name, bytes)| (name.to_owned(), bytes.to_vec())));
}

#[test]
fn the_html_report_is_whole_and_escaped() {
    let mut fixture = fixture();
    fixture.tests[0].trap = trap("null-pointer", 3);
    let claims = [Claim(3, 22, "true", "t1"), Claim(3, 22, "false", "unknown"), Claim(3, 60, "true", "infeasible")];
    let mut report = fixture.report(&claims);
    report.subject.function = "main".into();
    report.objectives[0].text = "a < b && \"c\"".into();
    report.objectives[1].reason = Some("the solver ran out of time".into());
    report.assumptions = vec!["pointer <p>: NULL or 16 elements".into()];
    report
        .totals
        .insert(covenant_goals::Criterion::Branch, Totals { objectives: 3, covered: 1, infeasible: 1, unknown: 1 });
    report.defects.push(Defect { kind: "null-pointer".into(), test: "t1".into(), ..Defect::default() });
    fixture.write(&[]);
    covenant_report::write_tests(&fixture.out(), &fixture.tests).unwrap();
    covenant_report::write_report(&fixture.out(), &report).unwrap();
    covenant_report::write_html(&fixture.out()).unwrap();
    let html = std::fs::read_to_string(fixture.out().join("report.html")).unwrap();
    // The data is a literal of the script: its strings are JSON's, and none of them can open a tag.
    for part in [
        "a \\u003c b && \\\"c\\\"",
        "the solver ran out of time",
        "pointer \\u003cp>: NULL or 16 elements",
        "[\"__VERIFIER_nondet_int()\",\"-5\"]",
        "prefers-color-scheme: dark",
        "<li>branch: 1 covered, 1 infeasible, 1 open of 3</li>",
        "</html>",
    ] {
        assert!(html.contains(part), "{part} is not in\n{html}");
    }
    assert!(!html.contains("http"), "nothing comes from elsewhere");
}

/// `cargo test -p covenant-report -- --ignored`, with `testcov` on the path (`pip install testcov`; it needs gcc, lcov and clang-tidy).
#[test]
#[ignore = "needs testcov"]
fn testcov_accepts_the_suite() {
    let mut fixture = fixture();
    fixture.test("exited").calls = vec![
        call("__VERIFIER_nondet_int", int(0, 4)),
        call("__VERIFIER_nondet_float", Value::Float { bits: "3e99999a".into(), size: 4 }),
    ];
    fixture.write(&[SuiteFormat::TestComp]);
    let command = |program: &str, args: &[&str]| {
        let output = std::process::Command::new(program).args(args).current_dir(fixture.out()).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{program}: {text}");
        text.into_owned()
    };
    command("python3", &["-m", "zipfile", "-c", "suite.zip", "suite/test-comp/"]);
    let subject = fixture.source_dir().join("subject.c").display().to_string();
    let args = ["--no-isolation", "--no-plots", "-64", "--test-suite", "suite.zip", &subject];
    let text = command("testcov", &args);
    assert!(text.contains("Tests run: 3") && text.contains("Coverage: 100"), "{text}");
}
