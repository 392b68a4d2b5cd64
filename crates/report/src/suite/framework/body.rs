//! The body of one test: variables, the call, assertions.

use covenant_goals::test_case::{BitField, Cell, Pointer, Root, Value};
use covenant_goals::{TestCase, TestOutcome};

use super::checks::{self, Checks};
use super::dialect::{Dialect, HOOKS};
use super::ends;
use super::initialiser::Tree;
use super::objects::{Objects, is_zero, raw_bytes, that_matter};
use super::renamed::{is_called_otherwise, renamed};
use super::stubs;
use crate::subject::{Declared, Linkage, SubjectInfo};
use crate::suite::device;
use crate::suite::heard::{error_name, knows_output};
use crate::suite::literal;
use crate::suite::variadic;
use crate::value::c_string;

/// Why a test cannot be written, in words, is the error. `captures`: some test of the suite prints something.
pub(super) fn write(
    subject: &SubjectInfo,
    test: &TestCase,
    dialect: Dialect,
    (oracle, captures): (bool, bool),
) -> Result<String, String> {
    if subject.is_main {
        return Err("main is tested as a whole program".to_owned());
    }
    if !test.args.is_empty() || !test.stdin.is_empty() || !test.files.is_empty() {
        return Err("it has arguments, standard input or files".to_owned());
    }
    let test = &by_name(test);
    let writer = Writer { subject, test, dialect, objects: Objects::new(test, subject) };
    writer.write(oracle, captures)
}

/// The test with bit-fields in place of the bytes that they are made of.
fn by_name(test: &TestCase) -> TestCase {
    let mut test = test.clone();
    if test.bits.is_empty() {
        return test;
    }
    let end = |field: &BitField| field.offset + u64::from(field.first + field.width).div_ceil(8);
    let is_part =
        |cell: &Cell| test.bits.iter().any(|f| f.root == cell.root && (f.offset..end(f)).contains(&cell.offset));
    let cells = test.cells.iter().filter(|cell| !is_part(cell)).cloned().collect();
    test.cells = cells;
    for field in &test.bits {
        let Ok(number) = field.value.parse::<i128>() else { continue };
        let value = Value::Int { bits: (number as u64).to_string(), size: 8, signed: number <= i64::MAX.into() };
        let (root, offset, path) = (field.root.clone(), field.offset, field.path.clone());
        test.cells.push(Cell { root, offset, path, value });
    }
    test
}

struct Writer<'a> {
    subject: &'a SubjectInfo,
    test: &'a TestCase,
    dialect: Dialect,
    objects: Objects<'a>,
}

impl Writer<'_> {
    fn write(&self, oracle: bool, captures: bool) -> Result<String, String> {
        let objects = self.objects.declare()?;
        let (mut declarations, mut statements) = (objects.declarations, objects.statements);
        let mut arguments = Vec::new();
        for (index, param) in self.subject.params.iter().enumerate() {
            arguments.push(self.param(index as u32, param, &mut declarations, &mut statements)?);
        }
        let pointer = |pointer: &Pointer| self.objects.pointer(pointer);
        arguments.extend(variadic::arguments(self.test, self.subject, &pointer)?);
        self.globals(&mut statements)?;
        statements.extend(stubs::answers(self.subject, self.test, &self.objects, &mut declarations)?);
        for failure in &self.test.failures {
            let words = crate::suite::comment(&failure.to_string());
            statements.push(format!("covenant_fail(\"{}\", {}); /* {words} */", failure.function, failure.call));
        }
        statements.extend(device::statements(self.subject, self.test, &pointer)?);
        let call = format!("{}({})", callee(self.subject, self.dialect), arguments.join(", "));
        let checks = if oracle { self.checks()? } else { Checks::default() };
        let uses_result = checks.about_result;
        let mut calls = vec![match &self.subject.returns {
            _ if let Some(stub) = ends::awaited(self.subject, self.test, self.dialect) => {
                ends::expected(&format!("(void){call}"), stub)
            }
            Some(returns) if uses_result => format!("{} = {call};", returns.decl),
            Some(_) => format!("(void){call};"),
            None => format!("{call};"),
        }];
        let mut checks = checks.lines;
        if oracle && self.test.outcome == TestOutcome::Returned {
            let argument = |value: &Value, unsigned: bool| self.argument(value, unsigned);
            let (gets, calls_hold) = stubs::expected(self.subject, self.test, &argument, &mut declarations);
            statements.extend(gets);
            self.outside(captures, &mut calls, &mut checks);
            checks.extend(calls_hold);
        }
        let mut text = String::new();
        let mut block = |lines: &[String]| {
            if !lines.is_empty() && !text.is_empty() {
                text.push('\n');
            }
            lines.iter().for_each(|line| text.push_str(&format!("    {line}\n")));
        };
        block(&declarations);
        block(&statements);
        block(&calls);
        block(&checks);
        block(&self.objects.close());
        Ok(text)
    }

    /// What the code does outside of its memory: errno, and what it prints.
    fn outside(&self, captures: bool, calls: &mut Vec<String>, checks: &mut Vec<String>) {
        let observed = &self.test.observed;
        // A board may have no errno, or one for each thread.
        if let Some(errno) = observed.errno.filter(|_| self.dialect != Dialect::Embedded) {
            calls.insert(0, "errno = 0;".to_owned());
            calls.push("const int errno_after = errno;".to_owned());
            checks.push(self.dialect.equal("errno_after", &error_name(errno)));
        } else if self.dialect != Dialect::Embedded && self.subject.names_errno() {
            calls.insert(0, "errno = 0;".to_owned());
        }
        // What no test can set keeps what earlier tests left there: objects, too.
        let mut state = self.subject.globals.iter().chain(&self.subject.state);
        let counts = !self.subject.heap.is_empty() && state.all(|global| self.subject.can_name(global));
        if let Some(allocated) = observed.allocated.filter(|_| counts) {
            let lost = allocated.words().map(|words| format!(" /* {words} */")).unwrap_or_default();
            checks.push(format!("EXPECT_ALLOCATED({});{lost}", allocated.objects));
        }
        if device::plays(self.subject, self.test) {
            // Before anything else is looked at: what is volatile is closed until then.
            checks.insert(0, "EXPECT_DEVICE();".to_owned());
        }
        if !captures || !knows_output(observed) {
            return;
        }
        calls.insert(0, "COVENANT_CAPTURE();".to_owned());
        calls.push("COVENANT_RELEASE();".to_owned());
        for (stream, text) in [("STDOUT", &observed.output), ("STDERR", &observed.error)] {
            // As a text, which a zero byte would end.
            if let Some(text) = text.as_ref().filter(|text| !text.contains(&0)) {
                checks.push(format!("EXPECT_{stream}({});", c_string(text)));
            }
        }
    }

    /// What an undefined function gets; `None`: anything.
    fn argument(&self, value: &Value, unsigned: bool) -> Option<String> {
        Some(match value {
            Value::Pointer(Pointer::Other | Pointer::Function(_)) => "ARG_SOME".to_owned(),
            Value::Pointer(Pointer::Global { name, .. }) if self.reachable(name).is_err() => "ARG_SOME".to_owned(),
            Value::Pointer(pointer) => format!("ARG_PTR({})", self.objects.pointer(pointer).ok()?),
            Value::Float { .. } => format!("ARG_REAL({})", literal::scalar(value)?),
            Value::Int { bits, size, .. } => {
                let number = Value::Int { bits: bits.clone(), size: *size, signed: !unsigned };
                format!("ARG({})", literal::scalar(&number)?)
            }
        })
    }

    fn cells(&self, root: &Root) -> Vec<&Cell> {
        self.test.cells.iter().filter(|c| c.root == *root).collect()
    }

    /// Declares what the parameter needs and returns the argument.
    fn param(
        &self,
        index: u32,
        param: &Declared,
        declarations: &mut Vec<String>,
        statements: &mut Vec<String>,
    ) -> Result<String, String> {
        let cells = self.cells(&Root::Param(index));
        if let [Cell { value: Value::Pointer(pointer), path, .. }] = cells[..]
            && *path == param.name
        {
            return self.objects.pointer(pointer);
        }
        if cells.is_empty() && !param.aggregate && param.decl.contains('*') {
            return Ok("NULL".to_owned());
        }
        let taken = self.objects.is_taken(&param.name);
        let name = if taken { format!("{}_arg", param.name) } else { param.name.clone() };
        let decl = if taken { replace_word(&param.decl, &param.name, &name) } else { param.decl.clone() };
        let value = self.initial(&cells, &param.name, &name, param.aggregate, statements)?;
        declarations.push(format!("{decl} = {value};"));
        Ok(name)
    }

    /// The initialiser of a variable; what it cannot say becomes statements.
    fn initial(
        &self,
        cells: &[&Cell],
        own: &str,
        variable: &str,
        aggregate: bool,
        statements: &mut Vec<String>,
    ) -> Result<String, String> {
        let mut sorted = if aggregate { that_matter(cells.to_vec()) } else { cells.to_vec() };
        sorted.sort_by_key(|c| c.offset);
        let mut constants = Vec::new();
        for cell in sorted {
            let path = cell.path.strip_prefix(own).ok_or_else(|| format!("{} is not a part of {own}", cell.path))?;
            let constant = match &cell.value {
                Value::Pointer(pointer) => Some(self.objects.pointer(pointer)?),
                scalar => {
                    let constant = self.objects.enumerator(cell).or_else(|| literal::scalar(scalar));
                    constant.filter(|_| !self.objects.is_raw(cell))
                }
            };
            match constant {
                Some(constant) => constants.push((path, constant)),
                None => statements.push(raw_bytes(&format!("&{variable}"), cell)?),
            }
        }
        let tree = Tree::new(constants.into_iter()).ok_or_else(|| format!("the parts of {own} do not fit its type"))?;
        let zero = if aggregate { "{0}" } else { "0" };
        Ok(tree.map_or_else(|| zero.to_owned(), |tree| tree.print(None)))
    }

    /// Globals are zero before; see the runner's reset.
    fn globals(&self, statements: &mut Vec<String>) -> Result<(), String> {
        for cell in &self.test.cells {
            let Root::Global(name) = &cell.root else { continue };
            // What it is after the reset; what is out of reach begins with it, unless an earlier test changed it.
            if is_zero(&cell.value) {
                continue;
            }
            self.reachable(name)?;
            let constant = match &cell.value {
                Value::Pointer(pointer) => Some(self.objects.pointer(pointer)?),
                scalar => {
                    let constant = self.objects.enumerator(cell).or_else(|| literal::scalar(scalar));
                    constant.filter(|_| !self.objects.is_raw(cell))
                }
            };
            statements.push(match constant {
                Some(constant) => format!("{} = {constant};", cell.path),
                None => raw_bytes(&format!("&{name}"), cell)?,
            });
        }
        Ok(())
    }

    fn checks(&self) -> Result<Checks, String> {
        checks::write(self.subject, self.test, self.dialect, &self.objects, &|name| self.reachable(name))
    }

    fn reachable(&self, name: &str) -> Result<(), String> {
        let global = self.subject.globals.iter().chain(&self.subject.state).find(|g| g.name == name);
        match global.map(|g| (g.linkage, self.subject.in_entry_file(g.file))) {
            Some((Linkage::Local, _)) => Err(format!("{name} is static inside a function")),
            Some((_, false)) => Err(format!("{name} is in another file")),
            _ => Ok(()),
        }
    }
}

/// What the names of macros of frameworks begin with: in parentheses a name is no macro.
const MACROS: &[&str] = &[
    "skip",
    "fail",
    "mock",
    "mark_point",
    "will_return",
    "check_expected",
    "assert_",
    "expect_",
    "ignore_function_calls",
    "function_called",
    "run_",
    "unit_test",
    "group_test",
    "test_",
    "cmocka_",
    "cast_",
    "ck_",
    "tcase_",
    "TEST",
    "RUN_TEST",
    "UNITY_",
    "EXPECT_",
];

/// The function under test, as tests call it.
pub(super) fn callee(subject: &SubjectInfo, dialect: Dialect) -> String {
    let function = subject.function.as_str();
    if dialect == Dialect::Unity && HOOKS.contains(&function) || is_called_otherwise(subject, function, dialect) {
        return renamed(function);
    }
    let is_macro = MACROS.iter().any(|macro_| function.starts_with(macro_));
    if is_macro { format!("({function})") } else { function.to_owned() }
}

/// Puts another name into a declaration.
fn replace_word(decl: &str, old: &str, new: &str) -> String {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let found = decl
        .match_indices(old)
        .find(|(at, _)| !decl[..*at].ends_with(is_word) && !decl[at + old.len()..].starts_with(is_word));
    match found {
        Some((at, _)) => format!("{}{new}{}", &decl[..at], &decl[at + old.len()..]),
        None => decl.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_macros_are_called_in_parentheses() {
        let subject = |name: &str| SubjectInfo { function: name.to_owned(), ..SubjectInfo::default() };
        let called =
            ["assert_true", "fail", "expect_value", "room_book"].map(|name| callee(&subject(name), Dialect::Check));
        assert_eq!(called, ["(assert_true)", "(fail)", "(expect_value)", "room_book"]);
    }

    #[test]
    fn declarations_get_other_names() {
        assert_eq!(replace_word("int (*cmp)(int, int)", "cmp", "cmp_arg"), "int (*cmp_arg)(int, int)");
        assert_eq!(replace_word("int in", "in", "in_arg"), "int in_arg");
    }
}
