//! The table form: a function of numbers that gives a number, and does nothing else, is tested by rows of a table.

use covenant_goals::test_case::{Observed, Root, Value};
use covenant_goals::{TestCase, TestOutcome};

use crate::subject::{Declared, SubjectInfo};
use crate::suite::literal;

/// Fewer tests are easier to read one by one.
const FEWEST: usize = 3;

/// What the rows of a suite have in common.
pub(crate) struct Table {
    /// The members of a row but its name, as declarations without semicolons.
    pub(crate) members: Vec<String>,
    /// The member that has what is expected.
    pub(crate) expected: String,
    /// What the result is.
    pub(crate) kind: Kind,
    /// For each test the constants of the parameters, then what is expected.
    pub(crate) rows: Vec<Vec<String>>,
}

/// How a result is compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Int,
    /// Some value is too large for a signed one.
    Unsigned,
    Float,
    Double,
}

/// The table of a suite, if all its tests are rows of one.
pub(crate) fn of(subject: &SubjectInfo, tests: &[TestCase], oracle: bool) -> Option<Table> {
    let returns = subject.returns.as_ref().filter(|declared| is_plain(declared))?;
    let numbers_only = subject.params.iter().all(is_plain) && !subject.params.is_empty();
    let alone = [&subject.globals, &subject.state, &subject.undefined_globals].iter().all(|list| list.is_empty())
        && subject.stubs.is_empty()
        && subject.heap.is_empty()
        && !subject.has_devices();
    if !oracle
        || subject.is_main
        || subject.variadic
        || !numbers_only
        || !alone
        || tests.len() < FEWEST
        || !tests.iter().all(is_row)
    {
        return None;
    }
    let rows = tests.iter().map(|test| row(subject, test)).collect::<Option<Vec<_>>>()?;
    let kinds: Vec<Kind> = tests.iter().map(kind).collect::<Option<_>>()?;
    let first = *kinds.first()?;
    let is_integer = |kind: &Kind| matches!(kind, Kind::Int | Kind::Unsigned);
    if !kinds.iter().all(|kind| *kind == first || is_integer(kind) && is_integer(&first)) {
        return None;
    }
    let kind = if kinds.contains(&Kind::Unsigned) { Kind::Unsigned } else { first };
    let taken = |name: &str| subject.params.iter().any(|param| param.name == name);
    let expected = if taken("expected") { "expected_result" } else { "expected" }.to_owned();
    let mut members = joined(&subject.params)?;
    members.push(format!("{}{expected}", before_name(returns)?));
    Some(Table { members, expected, kind, rows })
}

/// A type that is written before the name and nowhere else.
fn is_plain(declared: &Declared) -> bool {
    !declared.aggregate && !declared.decl.contains(['*', '(', '[']) && before_name(declared).is_some()
}

fn before_name(declared: &Declared) -> Option<&str> {
    declared.decl.strip_suffix(declared.name.as_str()).filter(|head| head.ends_with(' '))
}

/// `int year, month` for neighbours of one type.
fn joined(params: &[Declared]) -> Option<Vec<String>> {
    let mut members: Vec<(&str, String)> = Vec::new();
    for param in params {
        let head = before_name(param)?;
        match members.last_mut() {
            Some((last, text)) if *last == head => text.push_str(&format!(", {}", param.name)),
            _ => members.push((head, param.decl.clone())),
        }
    }
    Some(members.into_iter().map(|(_, text)| text).collect())
}

/// Whether a test sets parameters and expects a result, and nothing else.
fn is_row(test: &TestCase) -> bool {
    let Observed { returned, written, bits, errno, allocated, open, .. } = &test.observed;
    let alone = test.objects.is_empty()
        && test.calls.is_empty()
        && test.failures.is_empty()
        && test.args.is_empty()
        && test.stdin.is_empty()
        && test.files.is_empty();
    let quiet = written.is_empty() && bits.is_empty() && errno.is_none() && open.is_empty() && allocated.is_none();
    let silent = !test.observed.has_output() && test.observed.calls.as_ref().is_none_or(Vec::is_empty);
    test.outcome == TestOutcome::Returned && returned.is_some() && alone && quiet && silent
}

fn kind(test: &TestCase) -> Option<Kind> {
    match test.observed.returned.as_ref()? {
        Value::Float { size: 4, .. } => Some(Kind::Float),
        Value::Float { .. } => Some(Kind::Double),
        value @ Value::Int { signed, .. } => {
            let large = literal::scalar(value)?.ends_with("ULL");
            Some(if large && !signed { Kind::Unsigned } else { Kind::Int })
        }
        Value::Pointer(_) => None,
    }
}

fn row(subject: &SubjectInfo, test: &TestCase) -> Option<Vec<String>> {
    let mut constants = Vec::new();
    for (index, param) in subject.params.iter().enumerate() {
        let mut cells = test.cells.iter().filter(|cell| cell.root == Root::Param(index as u32));
        let constant = match (cells.next(), cells.next()) {
            (None, _) => "0".to_owned(),
            (Some(cell), None) if cell.offset == 0 && cell.path == param.name => {
                let letter = literal::character(&cell.value).filter(|_| before_name(param) == Some("char "));
                let name = test.enumerators.get(&cell.path).cloned();
                name.or(letter).or_else(|| literal::scalar(&cell.value))?
            }
            _ => return None,
        };
        constants.push(constant);
    }
    if test.cells.iter().any(|cell| !matches!(cell.root, Root::Param(_))) {
        return None;
    }
    let returned = test.observed.returned.as_ref()?;
    let name = test.observed.enumerators.get("result").cloned();
    let number = || match returned {
        Value::Float { .. } => literal::expected_float(returned),
        _ => literal::scalar(returned),
    };
    constants.push(name.or_else(number)?);
    Some(constants)
}

#[cfg(test)]
mod tests {
    use covenant_goals::test_case::Cell;

    use super::*;

    fn declared(name: &str, decl: &str) -> Declared {
        Declared { name: name.into(), decl: decl.into(), size: 4, ..Declared::default() }
    }

    fn number(bits: &str) -> Value {
        Value::Int { bits: bits.into(), size: 4, signed: true }
    }

    fn test(name: &str, year: &str, result: &str) -> TestCase {
        let cell = Cell { root: Root::Param(0), offset: 0, path: "year".into(), value: number(year) };
        let observed = Observed { returned: Some(number(result)), ..Observed::default() };
        TestCase { name: name.into(), cells: vec![cell], observed, ..TestCase::default() }
    }

    fn days() -> SubjectInfo {
        let params = vec![declared("year", "int year"), declared("month", "int month"), declared("leap", "_Bool leap")];
        SubjectInfo {
            function: "days".into(),
            params,
            returns: Some(declared("result", "int result")),
            ..SubjectInfo::default()
        }
    }

    #[test]
    fn numbers_in_and_out_are_rows() {
        let tests = [test("a", "1900", "28"), test("b", "2000", "4294967295"), test("c", "4", "0")];
        let table = of(&days(), &tests, true).unwrap();
        assert_eq!(table.members, ["int year, month", "_Bool leap", "int expected"]);
        assert_eq!(table.rows[1], ["2000", "0", "0", "-1"]);
        assert_eq!(table.kind, Kind::Int);
        assert!(of(&days(), &tests[..2], true).is_none(), "two tests are no table");
        assert!(of(&days(), &tests, false).is_none(), "nothing is expected");
    }

    #[test]
    fn what_does_more_is_no_row() {
        let mut tests = vec![test("a", "1", "2"), test("b", "2", "3"), test("c", "3", "4")];
        let mut subject = days();
        subject.params[0] = declared("year", "int *year");
        assert!(of(&subject, &tests, true).is_none());
        tests[1].observed.output = Some(b"text".to_vec());
        assert!(of(&days(), &tests, true).is_none());
        tests[1].observed.output = None;
        tests[2].outcome = TestOutcome::Trapped;
        assert!(of(&days(), &tests, true).is_none());
    }

    #[test]
    fn a_parameter_may_be_called_expected() {
        let mut subject = days();
        subject.params = vec![declared("expected", "int expected")];
        let mut tests = [test("a", "1", "2"), test("b", "2", "3"), test("c", "3", "4")];
        tests.iter_mut().for_each(|test| test.cells[0].path = "expected".into());
        assert_eq!(of(&subject, &tests, true).unwrap().members, ["int expected", "int expected_result"]);
    }
}
