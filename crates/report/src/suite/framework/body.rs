//! The body of one test: variables, the call, assertions.

use covenant_goals::TestCase;
use covenant_goals::TestOutcome;
use covenant_goals::test_case::{Cell, Pointer, Root, Value};

use super::dialect::Dialect;
use super::initialiser::Tree;
use super::objects::{Objects, raw_bytes};
use super::{literal, stubs};
use crate::subject::{Declared, Linkage, SubjectInfo};
use crate::value;

/// Why a test cannot be written, in words, is the error.
pub(super) fn write(subject: &SubjectInfo, test: &TestCase, dialect: Dialect, oracle: bool) -> Result<String, String> {
    if subject.is_main {
        return Err("main is tested as a whole program".to_owned());
    }
    if !test.args.is_empty() || !test.stdin.is_empty() {
        return Err("it has arguments or standard input".to_owned());
    }
    let writer = Writer { subject, test, dialect, objects: Objects::new(test, subject) };
    writer.write(oracle)
}

struct Writer<'a> {
    subject: &'a SubjectInfo,
    test: &'a TestCase,
    dialect: Dialect,
    objects: Objects<'a>,
}

impl Writer<'_> {
    fn write(&self, oracle: bool) -> Result<String, String> {
        let objects = self.objects.declare()?;
        let (mut declarations, mut statements) = (objects.declarations, objects.statements);
        let mut arguments = Vec::new();
        for (index, param) in self.subject.params.iter().enumerate() {
            arguments.push(self.param(index as u32, param, &mut declarations, &mut statements)?);
        }
        self.globals(&mut statements)?;
        statements.extend(stubs::answers(self.subject, self.test, &self.objects, &mut declarations)?);
        let call = format!("{}({})", self.subject.function, arguments.join(", "));
        let checks = self.checks(oracle)?;
        let uses_result = checks.iter().any(|c| c.1);
        let call = match &self.subject.returns {
            Some(returns) if uses_result => format!("{} = {call};", returns.decl),
            Some(_) => format!("(void){call};"),
            None => format!("{call};"),
        };
        let mut text = String::new();
        let mut block = |lines: &[String]| {
            if !lines.is_empty() && !text.is_empty() {
                text.push('\n');
            }
            lines.iter().for_each(|line| text.push_str(&format!("    {line}\n")));
        };
        block(&declarations);
        block(&statements);
        block(&[call]);
        block(&checks.into_iter().map(|c| c.0).collect::<Vec<_>>());
        Ok(text)
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
        let mut sorted = cells.to_vec();
        sorted.sort_by_key(|c| c.offset);
        let mut constants = Vec::new();
        for cell in sorted {
            let path = cell.path.strip_prefix(own).ok_or_else(|| format!("{} is not a part of {own}", cell.path))?;
            let constant = match &cell.value {
                Value::Pointer(pointer) => Some(self.objects.pointer(pointer)?),
                scalar => literal::scalar(scalar).filter(|_| !self.objects.is_raw(cell)),
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
            match self.reachable(name) {
                // What it begins with is what the test wants, unless an earlier test changed it; the head names it.
                Err(_) if is_zero(&cell.value) => continue,
                reachable => reachable?,
            }
            let constant = match &cell.value {
                Value::Pointer(pointer) => Some(self.objects.pointer(pointer)?),
                scalar => literal::scalar(scalar).filter(|_| !self.objects.is_raw(cell)),
            };
            statements.push(match constant {
                Some(constant) => format!("{} = {constant};", cell.path),
                None => raw_bytes(&format!("&{name}"), cell)?,
            });
        }
        Ok(())
    }

    fn reachable(&self, name: &str) -> Result<(), String> {
        let global = self.subject.globals.iter().find(|g| g.name == name);
        match global.map(|g| (g.linkage, self.subject.in_entry_file(g.file))) {
            Some((Linkage::Local, _)) => Err(format!("{name} is static inside a function")),
            Some((_, false)) => Err(format!("{name} is in another file")),
            _ => Ok(()),
        }
    }

    /// Assertions, each with whether it is about the result.
    fn checks(&self, oracle: bool) -> Result<Vec<(String, bool)>, String> {
        if !oracle || self.test.outcome != TestOutcome::Returned {
            return Ok(Vec::new());
        }
        let mut checks = Vec::new();
        if let (Some(returned), Some(declared)) = (&self.test.observed.returned, &self.subject.returns) {
            checks.push((self.check_result(returned, declared)?, true));
        }
        let reached = |c: &&Cell| !matches!(&c.root, Root::Global(name) if self.reachable(name).is_err());
        let written: Vec<Cell> = self.test.observed.written.iter().filter(reached).cloned().collect();
        let mut rest = &written[..];
        while let Some(cell) = rest.first() {
            let run = characters(rest);
            if run >= 4 {
                let bytes: Vec<u8> =
                    rest[..run].iter().map(|c| value::bytes(&c.value, 8).map(|b| b[0])).collect::<Result<_, _>>()?;
                let place = format!("&{}", self.place(cell)?);
                checks.push((self.dialect.same_bytes(&place, &value::c_string(&bytes), run), false));
                rest = &rest[run..];
            } else {
                checks.push((self.check_cell(cell)?, false));
                rest = &rest[1..];
            }
        }
        Ok(checks)
    }

    fn check_result(&self, value: &Value, declared: &Declared) -> Result<String, String> {
        if !declared.aggregate {
            return self.check("result", value);
        }
        let mut bytes = value::bytes(value, 8)?;
        bytes.truncate(usize::try_from(declared.size).unwrap_or(usize::MAX));
        Ok(self.dialect.same_bytes("&result", &value::c_string(&bytes), bytes.len()))
    }

    fn check_cell(&self, cell: &Cell) -> Result<String, String> {
        let place = self.place(cell)?;
        if self.objects.is_raw(cell) {
            return Err(format!("{} shares its bytes with other bit-fields", cell.path));
        }
        self.check(&place, &cell.value)
    }

    fn place(&self, cell: &Cell) -> Result<String, String> {
        match &cell.root {
            Root::Object(id) => self.objects.place(*id, cell),
            Root::Global(name) => self.reachable(name).map(|()| cell.path.clone()),
            Root::Param(_) => Err(format!("{} is a copy of the caller's", cell.path)),
        }
    }

    fn check(&self, place: &str, value: &Value) -> Result<String, String> {
        match value {
            Value::Pointer(Pointer::Function(name)) => {
                Ok(self.dialect.holds(&format!("(void *){place} == (void *){name}")))
            }
            Value::Pointer(pointer) => Ok(self.dialect.same_pointer(place, &self.objects.pointer(pointer)?)),
            Value::Float { .. } => match literal::float_test(place, value) {
                Some(test) => Ok(self.dialect.holds(&test)),
                // A long double has bytes that mean nothing behind its ten.
                None => self.bytes(place, value),
            },
            Value::Int { .. } => match literal::scalar(value) {
                Some(constant) => Ok(self.dialect.equal(place, &constant)),
                None => self.bytes(place, value),
            },
        }
    }

    fn bytes(&self, place: &str, value: &Value) -> Result<String, String> {
        let bytes = value::bytes(value, 8)?;
        Ok(self.dialect.same_bytes(&format!("&{place}"), &value::c_string(&bytes), bytes.len()))
    }
}

fn is_zero(value: &Value) -> bool {
    matches!(value, Value::Pointer(Pointer::Null)) || matches!(value::bits(value), Ok(Some((0, _))))
}

/// How many cells at the start are single bytes of an array, one behind the other.
fn characters(cells: &[Cell]) -> usize {
    let is_byte = |c: &Cell| matches!(c.value, Value::Int { size: 1, .. }) && c.path.ends_with(']');
    let follows =
        |(at, c): &(usize, &Cell)| is_byte(c) && c.root == cells[0].root && c.offset == cells[0].offset + *at as u64;
    cells.iter().enumerate().take_while(follows).count()
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
    fn declarations_get_other_names() {
        assert_eq!(replace_word("int (*cmp)(int, int)", "cmp", "cmp_arg"), "int (*cmp_arg)(int, int)");
        assert_eq!(replace_word("int in", "in", "in_arg"), "int in_arg");
    }
}
