//! What a test asserts when the call is over: what the code returned, changed and made.

use covenant_goals::TestCase;
use covenant_goals::TestOutcome;
use covenant_goals::test_case::{Cell, Pointer, Root, Value};

use super::dialect::Dialect;
use super::objects::Objects;
use super::strangers;
use crate::subject::SubjectInfo;
use crate::suite::{literal, nothing_compared};
use crate::value;

/// So many bytes one behind the other are told together.
const TOGETHER: usize = 4;

/// The assertions of a test.
#[derive(Default)]
pub(super) struct Checks {
    pub(super) lines: Vec<String>,
    /// Whether some of them look at the result.
    pub(super) about_result: bool,
}

struct Writer<'a> {
    subject: &'a SubjectInfo,
    test: &'a TestCase,
    dialect: Dialect,
    objects: &'a Objects<'a>,
    /// Whether tests can name a global, and why not.
    reachable: &'a dyn Fn(&str) -> Result<(), String>,
}

pub(super) fn write(
    subject: &SubjectInfo,
    test: &TestCase,
    dialect: Dialect,
    objects: &Objects<'_>,
    reachable: &dyn Fn(&str) -> Result<(), String>,
) -> Result<Checks, String> {
    if test.outcome != TestOutcome::Returned {
        return Ok(Checks::default());
    }
    Writer { subject, test, dialect, objects, reachable }.write()
}

impl Writer<'_> {
    fn write(&self) -> Result<Checks, String> {
        let mut checks = Checks::default();
        let observed = &self.test.observed;
        let returned = observed.returned.as_ref().filter(|_| self.subject.returns.is_some());
        // A new object without a word on what is in it is still an object.
        if let Some(value) = returned {
            checks.lines.extend(self.check_named("result", "result", value)?);
            checks.about_result = !checks.lines.is_empty();
        }
        let mut rest: Vec<&Cell> = observed.written.iter().filter(|cell| self.can_name(&cell.root)).collect();
        while let [cell, ..] = rest[..] {
            let run = until_end_of_text(&rest[..characters(&rest)])?;
            checks.about_result |= is_of_result(&cell.root);
            let taken = match self.text(&rest[..run])? {
                Some(line) => {
                    checks.lines.push(line);
                    run
                }
                None => {
                    let place = self.place(&cell.root, &cell.path)?;
                    match literal::character(&cell.value).filter(|_| self.is_character(&cell.root)) {
                        Some(letter) => checks.lines.push(self.dialect.equal(&place, &letter)),
                        None => checks.lines.extend(self.check_named(&cell.path, &place, &cell.value)?),
                    }
                    1
                }
            };
            rest.drain(..taken);
        }
        for field in observed.bits.iter().filter(|field| self.can_name(&field.root)) {
            let number = field.value.parse::<i128>().map_err(|_| format!("`{}` is not a number", field.value))?;
            let value = Value::Int { bits: (number as u64).to_string(), size: 8, signed: number <= i64::MAX.into() };
            checks.about_result |= is_of_result(&field.root);
            checks.lines.extend(self.check(&self.place(&field.root, &field.path)?, &value)?);
        }
        if let Some(words) = &observed.undefined {
            checks.lines.push(nothing_compared(words));
        }
        if !observed.open.is_empty() {
            checks.lines.push(format!("/* Not compared, since C leaves it open: {}. */", open(&observed.open)));
        }
        Ok(checks)
    }

    /// Whether the parts of something are of the type `char`.
    fn is_character(&self, root: &Root) -> bool {
        let Root::Object(id) = root else { return false };
        self.test.objects.iter().any(|object| object.id == *id && object.c_type == "char")
    }

    /// Bytes one behind the other: a text with its end, or many.
    fn text(&self, cells: &[&Cell]) -> Result<Option<String>, String> {
        let [first, ..] = cells else { return Ok(None) };
        let bytes: Vec<u8> =
            cells.iter().map(|c| value::bytes(&c.value, 8).map(|bytes| bytes[0])).collect::<Result<_, _>>()?;
        let end = bytes.iter().position(|&byte| byte == 0);
        let is_text = end == Some(bytes.len() - 1) && matches!(first.value, Value::Int { signed: true, .. });
        if bytes.len() < TOGETHER && !(is_text && bytes.len() > 1) {
            return Ok(None);
        }
        let place = self.place(&first.root, &first.path)?;
        let place = match place.strip_suffix("[0]") {
            Some(array) => array.to_owned(),
            None => format!("&{place}"),
        };
        Ok(Some(match is_text {
            true => format!("EXPECT_TEXT({place}, {});", value::c_string(&bytes[..bytes.len() - 1])),
            false => format!("EXPECT_BYTES({place}, {}, {});", value::c_string(&bytes), bytes.len()),
        }))
    }

    fn can_name(&self, root: &Root) -> bool {
        match root {
            // The variable of the result would hide it.
            Root::Global(name) => name != "result" && (self.reachable)(name).is_ok(),
            Root::Behind(place) => self.can_name(&place.root),
            Root::Object(_) | Root::Result => true,
            // A copy of the caller's.
            Root::Param(_) => false,
        }
    }

    fn place(&self, root: &Root, path: &str) -> Result<String, String> {
        match root {
            Root::Object(id) => self.objects.place(*id, path),
            Root::Behind(pointer) => {
                let rest = path.strip_prefix(pointer.path.as_str());
                let rest = rest.ok_or_else(|| format!("{path} is not behind {}", pointer.path))?;
                let place = self.place(&pointer.root, &pointer.path)?;
                let pointer = match &pointer.c_type {
                    Some(c_type) => format!("(({c_type} *){place})"),
                    None => place,
                };
                Ok(match rest.strip_prefix("[0].") {
                    Some(member) => format!("{pointer}->{member}"),
                    None => format!("{pointer}{rest}"),
                })
            }
            Root::Global(_) | Root::Result | Root::Param(_) => Ok(path.to_owned()),
        }
    }

    /// The same, with an enumerator where the value is one.
    fn check_named(&self, path: &str, place: &str, value: &Value) -> Result<Option<String>, String> {
        match self.test.observed.enumerators.get(path) {
            Some(name) => Ok(Some(self.dialect.equal(place, name))),
            None => self.check(place, value),
        }
    }

    /// The assertion; none where the suite has no words for what is expected.
    fn check(&self, place: &str, value: &Value) -> Result<Option<String>, String> {
        Ok(Some(match value {
            Value::Pointer(Pointer::Other) => format!("EXPECT_SOME({place});"),
            Value::Pointer(Pointer::Function(name)) => {
                format!("EXPECT_FUNCTION({place}, {});", strangers::function(self.subject, name)?)
            }
            Value::Pointer(Pointer::Global { name, .. }) if !self.can_name(&Root::Global(name.clone())) => {
                return Ok(None);
            }
            Value::Pointer(pointer) => format!("EXPECT_PTR({place}, {});", self.objects.pointer(pointer)?),
            Value::Float { size, .. } => match literal::expected_float(value) {
                Some(constant) if *size == 4 => format!("EXPECT_FLOAT({place}, {constant});"),
                Some(constant) => format!("EXPECT_DOUBLE({place}, {constant});"),
                // A long double has bytes that mean nothing behind its ten.
                None => self.bytes(place, value)?,
            },
            Value::Int { signed, .. } => match literal::scalar(value) {
                Some(constant) if !signed && constant.ends_with("ULL") => format!("EXPECT_UINT({place}, {constant});"),
                Some(constant) => self.dialect.equal(place, &constant),
                None => self.bytes(place, value)?,
            },
        }))
    }

    fn bytes(&self, place: &str, value: &Value) -> Result<String, String> {
        let bytes = value::bytes(value, 8)?;
        Ok(format!("EXPECT_BYTES(&{place}, {}, {});", value::c_string(&bytes), bytes.len()))
    }
}

fn is_of_result(root: &Root) -> bool {
    match root {
        Root::Result => true,
        Root::Behind(place) => is_of_result(&place.root),
        _ => false,
    }
}

/// Paths in a comment, not too many.
fn open(paths: &[String]) -> String {
    const MOST: usize = 6;
    // Of an array, the array.
    let array = |path: &String| match path.rsplit_once('[') {
        Some((array, _)) if path.ends_with(']') => array.to_owned(),
        _ => path.clone(),
    };
    let mut names: Vec<String> = paths.iter().map(array).collect();
    names.dedup();
    let readable = |path: &String| crate::suite::comment(&value::readable_path(path));
    let shown: Vec<String> = names.iter().take(MOST).map(readable).collect();
    let more = names.len().saturating_sub(MOST);
    if more == 0 { shown.join(", ") } else { format!("{}, and {more} more", shown.join(", ")) }
}

/// How many of these bytes are told together: a text with its end, if there is little behind that.
fn until_end_of_text(cells: &[&Cell]) -> Result<usize, String> {
    let is_zero = |cell: &&Cell| value::bytes(&cell.value, 8).map(|bytes| bytes[0] == 0);
    let zeros: Vec<bool> = cells.iter().map(is_zero).collect::<Result<_, _>>()?;
    let is_text = cells.iter().all(|cell| matches!(cell.value, Value::Int { signed: true, .. }));
    let end = zeros.iter().position(|&zero| zero).map(|end| end + 1);
    let cut = end.filter(|&end| is_text && end > 1 && cells.len() - end < TOGETHER);
    Ok(cut.unwrap_or(cells.len()))
}

/// How many cells at the start are single bytes of an array, one behind the other.
fn characters(cells: &[&Cell]) -> usize {
    let is_byte = |c: &Cell| matches!(c.value, Value::Int { size: 1, .. }) && c.path.ends_with(']');
    let array = |c: &Cell| c.path.rfind('[').map(|at| c.path[..at].to_owned());
    let follows = |(at, c): &(usize, &&Cell)| {
        is_byte(c) && c.root == cells[0].root && c.offset == cells[0].offset + *at as u64 && array(c) == array(cells[0])
    };
    cells.iter().enumerate().take_while(follows).count()
}
