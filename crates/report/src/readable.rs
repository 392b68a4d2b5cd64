//! The inputs of a test as a person would tell them: text as text, arrays as lists.

use covenant_goals::TestCase;
use covenant_goals::test_case::{Access, Cell, InputObject, Named, Pointer, Root, Value};

use crate::value;

/// A name and what it is.
pub(crate) type Line = (String, String);

/// Parameters, globals, objects and calls, in the order of the test.
pub(crate) fn inputs(test: &TestCase) -> Vec<Line> {
    let mut lines = Vec::new();
    for cell in test.cells.iter().filter(|c| !matches!(c.root, Root::Object(_))) {
        lines.push((cell.path.clone(), scalar(test, cell)));
    }
    for object in &test.objects {
        let behind = contents(test, object);
        // A pointer with its object: `text = "12h"`.
        let pointer = lines.iter_mut().find(|(name, _)| *name == object.name);
        match (pointer, behind.as_slice()) {
            (Some((_, text)), [(name, content)]) if *name == format!("*{}", object.name) => {
                *text = if content.starts_with('"') { content.clone() } else { format!("{text} {content}") };
            }
            _ => lines.extend(behind),
        }
    }
    for call in &test.calls {
        let name = call
            .label
            .as_ref()
            .map_or_else(|| format!("{}()", call.function), |label| format!("{}: {label}", call.function));
        match (&call.value, &call.bytes) {
            (_, Some(bytes)) => lines.push((name, value::c_string(bytes))),
            (Some(value), None) => lines.push((name, value::words(value))),
            (None, None) => {}
        }
        lines.extend(call.writes.iter().map(|write| (write.path.clone(), character(&write.value))));
    }
    for failure in &test.failures {
        lines.push((failure.to_string(), "yes".to_owned()));
    }
    for access in &test.device {
        if let Access::Read(value) = access.access {
            lines.push((access.at.to_string(), format!("{value:#x}")));
        }
    }
    for (index, arg) in test.args.iter().enumerate() {
        lines.push((format!("argument {}", index + 1), value::c_string(arg)));
    }
    if !test.stdin.is_empty() {
        lines.push(("standard input".to_owned(), value::c_string(&test.stdin)));
    }
    let kind = |file: &Named| if file.directory { "directory" } else { "file" };
    let (files, env) =
        (test.files.iter().map(|file| (kind(file), file)), test.env.iter().map(|variable| ("variable", variable)));
    for (what, named) in files.chain(env) {
        if named.directory {
            lines.push((format!("{what} {}", named.name), "there".to_owned()));
            continue;
        }
        lines.push((format!("{what} {}", named.name), value::c_string(&named.bytes)));
    }
    lines
}

/// What the run returned and left behind.
pub(crate) fn effects(test: &TestCase) -> Vec<Line> {
    let mut lines = Vec::new();
    if let Some(returned) = &test.observed.returned {
        lines.push(("returns".to_owned(), value::words(returned)));
    }
    if let Some(status) = test.observed.exit_status {
        lines.push(("exits with".to_owned(), status.to_string()));
    }
    for file in &test.observed.files {
        let bytes = file.bytes.as_ref().map_or_else(|| "none any more".to_owned(), |bytes| value::c_string(bytes));
        lines.push((format!("file {}", file.name), bytes));
    }
    lines.extend(test.observed.written.iter().map(|cell| (cell.path.clone(), scalar(test, cell))));
    for access in &test.device {
        if let Access::Write(Some(value)) = access.access {
            lines.push((access.at.to_string(), format!("{value:#x}")));
        }
    }
    if let Some(allocated) = test.observed.allocated.filter(|allocated| allocated.objects > 0) {
        let lost = allocated.words().map(|words| format!("; {words}")).unwrap_or_default();
        lines.push(("objects still allocated".to_owned(), format!("{}{lost}", allocated.objects)));
    }
    lines
}

/// The one line that fits a list: `minutes = 121, voucher = ""`.
pub(crate) fn brief(test: &TestCase) -> String {
    inputs(test).iter().map(|(name, text)| format!("{name} = {text}")).collect::<Vec<_>>().join(", ")
}

fn scalar(test: &TestCase, cell: &Cell) -> String {
    let Value::Pointer(Pointer::Object { id, offset }) = &cell.value else { return character(&cell.value) };
    let target = test.objects.iter().find(|o| o.id == *id);
    match (target, offset) {
        // What is behind the pointer follows under its own name.
        (Some(object), 0) if object.name == cell.path => format!("{} x {}", object.count, kind(object)),
        (Some(object), 0) => format!("&{}", object.name),
        (Some(object), offset) => {
            format!("&{} {} {} bytes", object.name, if *offset < 0 { '-' } else { '+' }, offset.unsigned_abs())
        }
        (None, _) => value::words(&cell.value),
    }
}

/// A byte that is a letter is told with the letter.
fn character(value: &Value) -> String {
    let words = value::words(value);
    match value {
        Value::Int { size: 1, .. } => match words.parse::<u8>() {
            Ok(byte @ b' '..=b'~') => format!("{words} '{}'", byte as char),
            _ => words,
        },
        _ => words,
    }
}

fn kind(object: &InputObject) -> &str {
    if object.c_type.is_empty() { "byte" } else { &object.c_type }
}

/// What is in an object. What is not named is zero.
fn contents(test: &TestCase, object: &InputObject) -> Vec<Line> {
    let cells: Vec<&Cell> = test.cells.iter().filter(|c| c.root == Root::Object(object.id)).collect();
    if cells.is_empty() {
        return Vec::new();
    }
    let is_element = |c: &&Cell| {
        let size = value::bits(&c.value).ok().flatten().map(|(_, size)| u64::from(size));
        size == Some(object.element_size) && c.offset.is_multiple_of(object.element_size.max(1))
    };
    if !cells.iter().all(is_element) {
        return cells.iter().map(|cell| (cell.path.clone(), scalar(test, cell))).collect();
    }
    let text = match text(object, &cells) {
        Some(text) => text,
        None => list(object, &cells),
    };
    vec![(format!("*{}", object.name), text)]
}

/// Characters in front of a zero, as a string.
fn text(object: &InputObject, cells: &[&Cell]) -> Option<String> {
    let is_text = object.stream || object.c_type.split(' ').any(|word| word == "char");
    if object.element_size != 1 || !is_text {
        return None;
    }
    let mut bytes = Vec::new();
    for cell in cells {
        let at = usize::try_from(cell.offset).ok().filter(|at| *at < 4096)?;
        let (bits, _) = value::bits(&cell.value).ok()??;
        if bytes.len() <= at {
            bytes.resize(at + 1, 0u8);
        }
        bytes[at] = bits as u8;
    }
    while bytes.last() == Some(&0) {
        bytes.pop();
    }
    Some(value::c_string(&bytes))
}

fn list(object: &InputObject, cells: &[&Cell]) -> String {
    let mut parts = Vec::new();
    let mut next = 0;
    for cell in cells {
        let index = cell.offset / object.element_size.max(1);
        let text = value::words(&cell.value);
        parts.push(if index == next { text } else { format!("[{index}] = {text}") });
        next = index + 1;
    }
    let rest = if next < object.count { ", 0 ..." } else { "" };
    format!("{{ {}{rest} }}", parts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(root: Root, offset: u64, path: &str, bits: &str, size: u32) -> Cell {
        Cell { root, offset, path: path.into(), value: Value::Int { bits: bits.into(), size, signed: true } }
    }

    fn object(id: u32, name: &str, c_type: &str, element_size: u64, count: u64) -> InputObject {
        InputObject { id, name: name.into(), c_type: c_type.into(), element_size, count, ..InputObject::default() }
    }

    #[test]
    fn text_and_lists() {
        let pointer = |id, path: &str| Cell {
            value: Value::Pointer(Pointer::Object { id, offset: 0 }),
            ..cell(Root::Param(id), 0, path, "0", 8)
        };
        let test = TestCase {
            objects: vec![object(1, "s", "const char", 1, 16), object(2, "a", "int", 4, 4)],
            cells: vec![
                pointer(1, "s"),
                pointer(2, "a"),
                cell(Root::Object(1), 0, "s[0]", "72", 1),
                cell(Root::Object(1), 1, "s[1]", "105", 1),
                cell(Root::Object(2), 0, "a[0]", "7", 4),
                cell(Root::Object(2), 8, "a[2]", "-1", 4),
            ],
            ..TestCase::default()
        };
        assert_eq!(brief(&test), "s = \"Hi\", a = 4 x int { 7, [2] = -1, 0 ... }");
    }

    #[test]
    fn cells_inside_structs_keep_their_paths() {
        let test = TestCase {
            objects: vec![object(1, "p", "struct date", 12, 1)],
            cells: vec![cell(Root::Object(1), 4, "p->month", "2", 4)],
            ..TestCase::default()
        };
        assert_eq!(inputs(&test), [("p->month".to_owned(), "2".to_owned())]);
    }
}
