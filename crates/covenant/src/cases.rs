//! People's own expectations: `FUNCTION.cases.toml` beside the output directory, or in it.
//!
//! ```toml
//! [[case]]
//! name = "leap_century"
//! inputs = { year = 2000, month = 2 }
//! expected = 29
//!
//! [[case]]
//! name = "test_003"
//! expected = { result = 0, "room.count" = 1 }
//! ```
//!
//! A case with inputs is a test of its own; one without is a test of the suite that was there before, which stays under its name.
//! Whatever the code does, the suite asserts what the file says. The file is never written.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use covenant_goals::report::TestEntry;
use covenant_goals::test_case::{Cell, InputObject, Pointer, Root, Value};
use covenant_goals::{Report, TestCase, TestOutcome};
use covenant_report::subject::{Declared, Number};
use covenant_report::{SubjectInfo, files, readable_path};
use toml::de::{DeTable, DeValue};

/// The cases of a file.
#[derive(Clone, PartialEq, Debug)]
pub struct Cases {
    file: PathBuf,
    cases: Vec<Case>,
    /// The tests that were there before, for the cases that name one.
    earlier: Vec<TestCase>,
}

#[derive(Clone, PartialEq, Debug)]
struct Case {
    name: String,
    /// `None`: those of the test of that name.
    inputs: Option<Vec<(String, Given)>>,
    expected: Vec<(String, Given)>,
}

/// A value as the file has it.
#[derive(Clone, PartialEq, Debug)]
enum Given {
    Int(i128),
    Float(f64),
    Text(String),
}

/// What the result is called.
const RESULT: &str = "result";

/// Where a function's own file would be.
pub fn places(out: &Path, function: &str) -> [PathBuf; 2] {
    let name = out.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    [out.with_file_name(format!("{name}.cases.toml")), out.join(format!("{function}.cases.toml"))]
}

impl Cases {
    /// The cases of a function whose results go to a directory. To be read before that is written to.
    pub(crate) fn read(out: &Path, function: &str) -> Result<Option<Cases>> {
        let Some(file) = places(out, function).into_iter().find(|file| file.is_file()) else { return Ok(None) };
        let name = || file.display().to_string();
        let text = std::fs::read_to_string(&file).with_context(name)?;
        let cases = parse(&text).with_context(name)?;
        let mut earlier = Vec::new();
        if cases.iter().any(|case| case.inputs.is_none()) {
            let report = files::read_report(out).context("a case without inputs names a test that is there")?;
            earlier = files::read_tests(out, &report)?;
            earlier.retain(|test| test.function == function);
        }
        Ok(Some(Cases { file, cases, earlier }))
    }

    /// Puts the cases among the tests.
    pub(crate) fn apply(&self, subject: &SubjectInfo, report: &mut Report, tests: &mut Vec<TestCase>) -> Result<()> {
        let file = subject.name(&self.file.canonicalize().unwrap_or_else(|_| self.file.clone()));
        for case in &self.cases {
            let mistake = || format!("{file}: case `{}`", case.name);
            let mut test = self.inputs(case, subject).with_context(mistake)?;
            let same = tests.iter().position(|other| has_same_inputs(other, &test));
            if let Some(same) = same {
                test = tests[same].clone();
            }
            ensure!(test.outcome == TestOutcome::Returned, "{}: the test {} does not return", mistake(), test.name);
            if test.name != case.name {
                free(&case.name, report, tests);
            }
            for (path, given) in &case.expected {
                expect(&mut test, subject, path, given).with_context(mistake)?;
            }
            test.expected_by = Some(file.clone());
            match same {
                Some(same) => {
                    rename(&test.name, &case.name, report, tests);
                    test.name.clone_from(&case.name);
                    tests[same] = test;
                }
                None => {
                    test.name.clone_from(&case.name);
                    report.tests.push(entry(&test));
                    tests.push(test);
                }
            }
        }
        Ok(())
    }

    fn inputs(&self, case: &Case, subject: &SubjectInfo) -> Result<TestCase> {
        match &case.inputs {
            Some(inputs) => made(case, inputs, subject),
            None => {
                let known = self.earlier.iter().find(|test| test.name == case.name);
                known.cloned().context("it has no `inputs`, and the suite that is there has no test of that name")
            }
        }
    }
}

/// A test with these inputs; what is not named is zero.
fn made(case: &Case, inputs: &[(String, Given)], subject: &SubjectInfo) -> Result<TestCase> {
    let mut test = TestCase { name: case.name.clone(), function: subject.function.clone(), ..TestCase::default() };
    for (name, _) in inputs {
        let known = subject.params.iter().any(|param| param.name == *name);
        ensure!(known, "`{}` has no parameter `{name}`", subject.function);
    }
    for (index, param) in subject.params.iter().enumerate() {
        let root = Root::Param(index as u32);
        let given = inputs.iter().find(|(name, _)| *name == param.name).map(|(_, given)| given);
        let value = match given {
            Some(Given::Text(text)) => text_input(&mut test, param, text)?,
            Some(given) => number(given, param).with_context(|| format!("`{}`", param.name))?,
            None if param.aggregate || param.number.is_none() && !is_pointer(param) => continue,
            None if is_pointer(param) => Value::Pointer(Pointer::Null),
            None => number(&Given::Int(0), param)?,
        };
        test.cells.push(Cell { root, offset: 0, path: param.name.clone(), value });
    }
    Ok(test)
}

fn is_pointer(param: &Declared) -> bool {
    param.decl.contains('*') && !param.aggregate
}

/// An array that holds the text, and a pointer to it.
fn text_input(test: &mut TestCase, param: &Declared, text: &str) -> Result<Value> {
    let is_text = is_pointer(param) && param.decl.matches('*').count() == 1 && param.decl.contains("char");
    ensure!(is_text, "`{}` is no text", param.name);
    let id = test.objects.len() as u32 + 1;
    let count = text.len() as u64 + 1;
    for (at, byte) in text.bytes().enumerate() {
        let value = Value::Int { bits: byte.to_string(), size: 1, signed: true };
        let path = format!("{}[{at}]", param.name);
        test.cells.push(Cell { root: Root::Object(id), offset: at as u64, path, value });
    }
    test.objects.push(InputObject {
        id,
        name: param.name.clone(),
        c_type: "char".to_owned(),
        element_size: 1,
        count,
        scalar: true,
        used: Some(count),
        ..InputObject::default()
    });
    Ok(Value::Pointer(Pointer::Object { id, offset: 0 }))
}

/// The value that a scalar of this type has.
fn number(given: &Given, declared: &Declared) -> Result<Value> {
    let size = declared.size as u32;
    let Some(kind) = declared.number else { bail!("`{}` is no number", declared.decl) };
    let float = |number: f64| match size {
        4 => Ok(Value::Float { bits: format!("{:#x}", (number as f32).to_bits()), size }),
        8 => Ok(Value::Float { bits: format!("{:#x}", number.to_bits()), size }),
        _ => bail!("a number of {size} bytes cannot be given"),
    };
    match (given, kind) {
        (Given::Int(number), Number::Float) => float(*number as f64),
        (Given::Float(number), Number::Float) => float(*number),
        (Given::Int(number), Number::Signed | Number::Unsigned) => {
            let signed = kind == Number::Signed;
            ensure!((1..=8).contains(&size), "a number of {size} bytes cannot be given");
            let bits = 8 * size;
            let (low, high) =
                if signed { (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1) } else { (0, (1i128 << bits) - 1) };
            ensure!((low..=high).contains(number), "{number} does not fit `{}`", declared.decl);
            let masked = (*number as u128) & ((1u128 << bits) - 1);
            Ok(Value::Int { bits: masked.to_string(), size, signed })
        }
        (Given::Float(number), _) => bail!("{number} does not fit `{}`", declared.decl),
        (Given::Text(_), _) => bail!("`{}` is no text", declared.decl),
    }
}

/// Sets what a test expects.
fn expect(test: &mut TestCase, subject: &SubjectInfo, path: &str, given: &Given) -> Result<()> {
    if path == RESULT {
        let returns = subject.returns.as_ref().context("the function returns nothing")?;
        test.observed.returned = Some(number(given, returns)?);
        test.observed.enumerators.remove(RESULT);
        test.observed.undefined = None;
        test.observed.open.retain(|open| open != RESULT);
        return Ok(());
    }
    let named = |cell: &&mut Cell| cell.path == path || readable_path(&cell.path) == path;
    let cell = test.observed.written.iter_mut().find(named);
    let cell = cell.with_context(|| format!("the test expects nothing of `{path}`"))?;
    let (size, kind) = match &cell.value {
        Value::Int { size, signed, .. } => (*size, if *signed { Number::Signed } else { Number::Unsigned }),
        Value::Float { size, .. } => (*size, Number::Float),
        Value::Pointer(_) => bail!("`{path}` is a pointer"),
    };
    let declared = Declared { decl: path.to_owned(), size: size.into(), number: Some(kind), ..Declared::default() };
    cell.value = number(given, &declared)?;
    let path = cell.path.clone();
    test.observed.enumerators.remove(&path);
    Ok(())
}

/// Whether two tests have the same inputs. Zero is what is not named, too.
fn has_same_inputs(a: &TestCase, b: &TestCase) -> bool {
    let alone = |test: &TestCase| {
        let outside = test.stdin.is_empty() && test.files.is_empty() && test.device.is_empty();
        test.calls.is_empty() && test.failures.is_empty() && outside
    };
    let cells = |test: &TestCase| -> BTreeSet<String> {
        let zero = |value: &Value| match value {
            Value::Int { bits, .. } => bits == "0",
            Value::Float { bits, .. } => bits.trim_start_matches("0x").chars().all(|digit| digit == '0'),
            Value::Pointer(pointer) => *pointer == Pointer::Null,
        };
        let bits = |value: &Value| match value {
            Value::Int { bits, size, .. } => format!("{bits}:{size}"),
            other => format!("{other:?}"),
        };
        let told = test.cells.iter().filter(|cell| !zero(&cell.value));
        told.map(|cell| format!("{:?} {} {}", cell.root, cell.offset, bits(&cell.value))).collect()
    };
    let sizes = |test: &TestCase| -> Vec<u64> { test.objects.iter().map(|o| o.count * o.element_size).collect() };
    (a == b || alone(a) && alone(b)) && sizes(a) == sizes(b) && cells(a) == cells(b)
}

/// Gives another name to whoever has this one.
fn free(name: &str, report: &mut Report, tests: &mut [TestCase]) {
    let taken: BTreeSet<String> = tests.iter().map(|test| test.name.clone()).collect();
    if taken.contains(name) {
        let other = (1..).map(|n| format!("test_{n:03}")).find(|other| other != name && !taken.contains(other));
        rename(name, &other.unwrap_or_default(), report, tests);
    }
}

fn rename(old: &str, new: &str, report: &mut Report, tests: &mut [TestCase]) {
    let set = |name: &mut String| {
        if name == old {
            new.clone_into(name);
        }
    };
    tests.iter_mut().for_each(|test| set(&mut test.name));
    let objectives = report.objectives.iter_mut().chain(&mut report.passing);
    objectives.for_each(|objective| objective.tests.iter_mut().for_each(set));
    report.defects.iter_mut().for_each(|defect| set(&mut defect.test));
    for test in report.tests.iter_mut().filter(|test| test.name == old) {
        new.clone_into(&mut test.name);
        test.file = files::test_file(new).display().to_string();
    }
}

fn entry(test: &TestCase) -> TestEntry {
    let file = files::test_file(&test.name).display().to_string();
    TestEntry { name: test.name.clone(), file, outcome: test.outcome }
}

fn parse(text: &str) -> Result<Vec<Case>> {
    let table = DeTable::parse(text).map_err(|error| anyhow::anyhow!("{error}"))?;
    let mut cases = Vec::new();
    for (key, value) in table.get_ref() {
        let (DeValue::Array(list), "case") = (value.get_ref(), key.get_ref().as_ref()) else {
            bail!("`{}` is not known: a file of cases has `[[case]]` and nothing else", key.get_ref());
        };
        for one in list.iter() {
            cases.push(case(one.get_ref())?);
        }
    }
    let mut names = BTreeSet::new();
    for case in &cases {
        ensure!(names.insert(&case.name), "two cases are called `{}`", case.name);
    }
    Ok(cases)
}

fn case(value: &DeValue<'_>) -> Result<Case> {
    let DeValue::Table(table) = value else { bail!("a case is a table") };
    let (mut name, mut inputs, mut expected) = (None, None, Vec::new());
    for (key, value) in table {
        match (key.get_ref().as_ref(), value.get_ref()) {
            ("name", DeValue::String(text)) => name = Some(text.to_string()),
            ("inputs", DeValue::Table(pairs)) => inputs = Some(values(pairs)?),
            ("expected", DeValue::Table(pairs)) => expected = values(pairs)?,
            ("expected", value) => expected = vec![(RESULT.to_owned(), given(value).context("`expected`")?)],
            (key, _) => bail!("`{key}` is not known here: a case has `name`, `inputs` and `expected`"),
        }
    }
    let name = name.context("a case has no `name`")?;
    let is_word = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    ensure!(is_word, "`{name}` is no name for a test: letters, digits and `_`");
    ensure!(!expected.is_empty(), "case `{name}` has no `expected`");
    Ok(Case { name, inputs, expected })
}

fn values(pairs: &DeTable<'_>) -> Result<Vec<(String, Given)>> {
    let one = |key: &str, value: &DeValue<'_>| Ok((key.to_owned(), given(value).with_context(|| format!("`{key}`"))?));
    pairs.iter().map(|(key, value)| one(key.get_ref(), value.get_ref())).collect()
}

fn given(value: &DeValue<'_>) -> Result<Given> {
    Ok(match value {
        DeValue::Boolean(value) => Given::Int((*value).into()),
        DeValue::Integer(number) => Given::Int(i128::from_str_radix(number.as_str(), number.radix())?),
        DeValue::Float(number) => Given::Float(number.as_str().parse()?),
        DeValue::String(text) => Given::Text(text.to_string()),
        _ => bail!("a value is a number, a text, true or false"),
    })
}
