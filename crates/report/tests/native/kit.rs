//! What the tests share: a subject in a directory of its own, and short ways to write its test cases.

use std::path::{Path, PathBuf};
use std::process::Command;

use covenant_goals::report::{ObjectiveEntry, Report, TestEntry};
use covenant_goals::test_case::*;
use covenant_goals::{Criterion, VerdictKind};
use covenant_report::*;

pub(crate) struct Fixture {
    dir: tempfile::TempDir,
    pub(crate) subject: SubjectInfo,
    pub(crate) tests: Vec<TestCase>,
    pub(crate) oracle: bool,
}

impl Fixture {
    /// A subject of one file; more can be added.
    pub(crate) fn new(function: &str, source: &str) -> Fixture {
        let dir = tempfile::tempdir().unwrap();
        let subject = SubjectInfo { function: function.into(), ..SubjectInfo::default() };
        let mut fixture = Fixture { dir, subject, tests: Vec::new(), oracle: true };
        fixture.add_file("subject.c", source);
        fixture
    }

    pub(crate) fn add_file(&mut self, name: &str, source: &str) {
        std::fs::write(self.source_dir().join(name), source).unwrap();
        let directory = self.source_dir();
        self.subject.files.push(SubjectFile { path: name.into(), directory, ..SubjectFile::default() });
    }

    /// With a space, since users have such directories.
    pub(crate) fn source_dir(&self) -> PathBuf {
        let dir = self.dir.path().join("the source");
        std::fs::create_dir_all(&dir).unwrap();
        dir
    }

    pub(crate) fn out(&self) -> PathBuf {
        self.dir.path().join("out")
    }

    pub(crate) fn param(mut self, name: &str, decl: &str, size: u64) -> Fixture {
        self.subject.params.push(declared(name, decl, size));
        self
    }

    pub(crate) fn returns(mut self, decl: &str, size: u64) -> Fixture {
        self.subject.returns = Some(declared("result", decl, size));
        self
    }

    pub(crate) fn global(mut self, name: &str, decl: &str, size: u64) -> Fixture {
        self.subject.globals.push(declared(name, decl, size));
        self
    }

    pub(crate) fn stub(mut self, name: &str, decl: &str, returns_size: u64) -> Fixture {
        let stub = Stub { name: name.into(), decl: decl.into(), returns_size, ..Stub::default() };
        self.subject.stubs.push(stub);
        self
    }

    pub(crate) fn test(&mut self, outcome: &str) -> &mut TestCase {
        let name = format!("t{}", self.tests.len() + 1);
        let function = self.subject.function.clone();
        self.tests.push(TestCase { name, function, outcome: outcome.parse().unwrap(), ..TestCase::default() });
        self.tests.last_mut().unwrap()
    }

    pub(crate) fn write(&self, formats: &[SuiteFormat]) {
        write_suites(&self.out(), &self.subject, &self.tests, &[], formats, self.oracle).unwrap();
    }

    /// `make check`: whether it went well, and what it said.
    pub(crate) fn make(&self, cc: &str, cflags: &str) -> (bool, String) {
        self.make_with(&[&format!("CC={cc}"), &format!("CFLAGS={cflags}")])
    }

    pub(crate) fn make_with(&self, variables: &[&str]) -> (bool, String) {
        let output = Command::new("make")
            .args(["-C", &self.out().join("suite/c").display().to_string(), "check"])
            .args(variables)
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        (output.status.success(), text.into_owned())
    }

    /// The suite builds without a warning and passes with both compilers, optimised with one, checked with the other.
    #[track_caller]
    pub(crate) fn passes(&self) {
        self.write(&[SuiteFormat::C]);
        let strict = "-Wall -Wextra -Werror";
        for (cc, flags) in [("gcc", "-O2"), ("clang-19", "-O1 -fsanitize=address,undefined")] {
            let (good, text) = self.make(cc, &format!("{strict} {flags}"));
            assert!(good, "{cc} {flags}:\n{text}");
            assert!(text.contains(&format!("# {0} tests, {0} as expected, 0 not", self.tests.len())), "{text}");
        }
    }

    /// Some test does not do what it says, and the message says `why`.
    #[track_caller]
    pub(crate) fn fails(&self, why: &str) {
        self.write(&[SuiteFormat::C]);
        let (good, text) = self.make("gcc", "-O0");
        assert!(!good && text.contains("not ok") && text.contains(why), "{text}");
    }

    /// Replays with these claims.
    pub(crate) fn replay(&self, claims: &[Claim<'_>]) -> ReplayResult {
        self.replay_with(claims, &ReplayOptions::default())
    }

    pub(crate) fn replay_with(&self, claims: &[Claim<'_>], options: &ReplayOptions) -> ReplayResult {
        self.write(&[SuiteFormat::C]);
        write_tests(&self.out(), &self.tests).unwrap();
        write_report(&self.out(), &self.report(claims)).unwrap();
        let result = replay(&self.out(), options).unwrap();
        assert_eq!(result.alone, 0, "llvm-cov and we do not read the same from the counters");
        result
    }

    pub(crate) fn report(&self, claims: &[Claim<'_>]) -> Report {
        let entry = |t: &TestCase| TestEntry {
            name: t.name.clone(),
            file: files::test_file(&t.name).display().to_string(),
            outcome: t.outcome,
        };
        let tests = self.tests.iter().map(entry).collect();
        let objectives = claims.iter().map(Claim::entry).collect();
        Report { schema: 1, tests, objectives, ..Report::default() }
    }

    pub(crate) fn suite_text(&self) -> String {
        std::fs::read_to_string(self.out().join("suite/c/suite.c")).unwrap()
    }
}

/// line, column, outcome, what is claimed: `infeasible`, `unknown`, or the tests that cover it
pub(crate) struct Claim<'a>(pub(crate) u32, pub(crate) u32, pub(crate) &'a str, pub(crate) &'a str);

impl Claim<'_> {
    fn entry(&self) -> ObjectiveEntry {
        let Claim(line, column, outcome, what) = *self;
        let covered = what.parse::<VerdictKind>().is_err();
        ObjectiveEntry {
            id: format!("{line}:{column}:{outcome}"),
            criterion: Criterion::Branch,
            file: "subject.c".into(),
            line,
            column,
            outcome: outcome.into(),
            verdict: what.parse().unwrap_or(VerdictKind::Covered),
            tests: if covered { what.split_whitespace().map(str::to_owned).collect() } else { Vec::new() },
            ..ObjectiveEntry::default()
        }
    }
}

pub(crate) fn declared(name: &str, decl: &str, size: u64) -> Declared {
    Declared { name: name.into(), decl: decl.into(), size, ..Declared::default() }
}

pub(crate) fn int(value: i128, size: u32) -> Value {
    let bits = (value as u128) & if size == 16 { u128::MAX } else { (1 << (8 * size)) - 1 };
    Value::Int { bits: bits.to_string(), size, signed: true }
}

pub(crate) fn double(value: f64) -> Value {
    Value::Float { bits: format!("{:016x}", value.to_bits()), size: 8 }
}

pub(crate) fn to(id: u32, offset: i64) -> Value {
    Value::Pointer(Pointer::Object { id, offset })
}

pub(crate) const NULL: Value = Value::Pointer(Pointer::Null);

pub(crate) fn cell(root: Root, offset: u64, path: &str, value: Value) -> Cell {
    Cell { root, offset, path: path.into(), value }
}

pub(crate) fn param(index: u32, path: &str, value: Value) -> Cell {
    cell(Root::Param(index), 0, path, value)
}

pub(crate) fn object(id: u32, name: &str, c_type: &str, element_size: u64, count: u64) -> InputObject {
    InputObject { id, name: name.into(), c_type: c_type.into(), element_size, count, ..InputObject::default() }
}

pub(crate) fn call(function: &str, value: Value) -> CallInput {
    CallInput { function: function.into(), value: Some(value), ..CallInput::default() }
}

pub(crate) fn trap(kind: &str, line: u32) -> Option<TrapNote> {
    let (message, file) = (format!("{kind}, as expected"), "subject.c".to_owned());
    Some(TrapNote { kind: kind.into(), message, file, line, column: 1, library: false })
}

pub(crate) fn run(program: &Path, args: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(program).args(args).output().unwrap();
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
}
