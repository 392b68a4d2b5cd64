//! Where the source can be changed: operators and constants, from clang's syntax tree.
//!
//! Only what is written in the file itself is changed: in function bodies, and in the texts of macros that are used there
//! and nowhere else. What must be a constant (labels of a switch, initialisers of static variables) stays as it is.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::Error;
use crate::subject::SubjectFile;

/// A change of the source: one of the alternatives of a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Change {
    /// Byte offsets of the expression.
    pub(super) start: usize,
    pub(super) end: usize,
    /// What stands there instead.
    pub(super) text: String,
    /// Where the operator is, from 1.
    pub(super) line: u32,
    pub(super) column: u32,
    /// `< becomes <=`
    pub(super) words: String,
}

/// The changes of each function of a file, and which functions each one names.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) changes: BTreeMap<String, Vec<Change>>,
    pub(super) names: BTreeMap<String, BTreeSet<String>>,
    /// The changes of macros, and the functions that use them.
    pub(super) macros: Vec<(Change, BTreeSet<String>)>,
}

pub(super) fn find(clang: &Path, file: &SubjectFile, text: &str) -> Result<Found, Error> {
    let path = file.absolute();
    let mut command = Command::new(clang);
    command.current_dir(file.absolute_directory()).args(&file.flags);
    command.args(["-w", "-fsyntax-only", "-Xclang", "-ast-dump=json", "--"]).arg(&path).stdin(Stdio::null());
    let output = command.output().map_err(|source| Error::Program { program: clang.to_path_buf(), source })?;
    let bad = |e: serde_json::Error| Error::Coverage { what: "clang's syntax tree".to_owned(), message: e.to_string() };
    let tree: Value = serde_json::from_slice(&output.stdout).map_err(bad)?;
    let path = path.to_string_lossy().into_owned();
    let mut walker = Walker {
        text,
        path,
        file: String::new(),
        function: String::new(),
        found: Found::default(),
        macros: BTreeMap::new(),
    };
    for node in children(&tree) {
        walker.declaration(node);
    }
    walker.found.macros = walker.macros.into_values().flat_map(Macro::changes).collect();
    Ok(walker.found)
}

fn children(node: &Value) -> &[Value] {
    node["inner"].as_array().map_or(&[], Vec::as_slice)
}

struct Walker<'t> {
    text: &'t str,
    path: String,
    /// The file of the last place: clang names it only where it changes.
    file: String,
    /// The function whose body this is.
    function: String,
    found: Found,
    /// Operators in the texts of macros, by where they are.
    macros: BTreeMap<(usize, usize), Macro>,
}

/// An operator in the text of a macro: what each use of it allows.
#[derive(Debug, Default)]
struct Macro {
    /// `None`: no use was seen.
    changes: Option<Vec<Change>>,
    functions: BTreeSet<String>,
}

impl Macro {
    /// Only what every use allows can be done in the text.
    fn used(&mut self, allowed: Vec<Change>) {
        match &mut self.changes {
            Some(changes) => changes.retain(|change| allowed.contains(change)),
            none => *none = Some(allowed),
        }
    }

    fn changes(self) -> impl Iterator<Item = (Change, BTreeSet<String>)> {
        let functions = self.functions;
        self.changes.into_iter().flatten().map(move |change| (change, functions.clone()))
    }
}

/// The relational operators; those that are left for what has no order.
const RELATIONS: &[&str] = &["==", "!=", "<", "<=", ">", ">="];

fn others(operator: &str) -> &'static [&'static str] {
    match operator {
        "+" => &["-", "*"],
        "-" => &["+", "*"],
        "*" => &["+", "/"],
        "/" => &["*", "%"],
        "%" => &["*", "/"],
        "&" => &["|", "^"],
        "|" => &["&", "^"],
        "^" => &["&", "|"],
        "<<" => &[">>"],
        ">>" => &["<<"],
        "&&" => &["||"],
        "||" => &["&&"],
        _ => &[],
    }
}

impl Walker<'_> {
    /// Follows the places of a node in the order in which clang wrote them; its range, if it is plain text of the file.
    fn range(&mut self, node: &Value) -> Option<(usize, usize)> {
        self.place(&node["loc"]);
        let begin = self.place(&node["range"]["begin"]);
        let end = self.place(&node["range"]["end"]);
        let (begin, _) = begin?;
        let (end, length) = end?;
        (self.file == self.path && begin <= end && end + length <= self.text.len()).then_some((begin, end + length))
    }

    /// Offset and length of a token. In a macro without arguments that is its name.
    fn place(&mut self, place: &Value) -> Option<(usize, usize)> {
        if place["expansionLoc"].is_object() {
            self.place(&place["spellingLoc"]);
            let (offset, length) = self.place(&place["expansionLoc"])?;
            let called = self.text.get(offset + length..).is_some_and(|rest| rest.trim_start().starts_with('('));
            let argument = place["expansionLoc"]["isMacroArgExpansion"].as_bool() == Some(true);
            return (!called && !argument).then_some((offset, length));
        }
        if let Some(file) = place["file"].as_str() {
            file.clone_into(&mut self.file);
        }
        Some((place["offset"].as_u64()? as usize, place["tokLen"].as_u64()? as usize))
    }

    /// The range of a node in the text of a macro, if it is all in the text of one.
    fn written_range(&self, node: &Value) -> Option<(usize, usize)> {
        let place = |place: &Value| {
            let argument = place["expansionLoc"]["isMacroArgExpansion"].as_bool() == Some(true);
            let spelled = &place["spellingLoc"];
            // Where no other file is named it is that of the use.
            let here =
                spelled["file"].as_str().is_none_or(|file| file == self.path) && spelled["includedFrom"].is_null();
            let found = (spelled["offset"].as_u64()? as usize, spelled["tokLen"].as_u64()? as usize);
            (!argument && here).then_some(found)
        };
        let (begin, _) = place(&node["range"]["begin"])?;
        let (end, length) = place(&node["range"]["end"])?;
        let text = self.text.get(begin..end + length).filter(|_| self.file == self.path)?;
        let one_line = text.match_indices('\n').all(|(at, _)| text[..at].trim_end().ends_with('\\'));
        (one_line && self.is_plain_macro(begin)).then_some((begin, end + length))
    }

    /// Whether a place is in the text of a macro with parameters that the preprocessor does not ask about. Those without
    /// are constants, mostly.
    fn is_plain_macro(&self, at: usize) -> bool {
        let line_start = |at: usize| self.text[..at].rfind('\n').map_or(0, |newline| newline + 1);
        let mut start = line_start(at);
        while start > 0 && self.text[..start - 1].trim_end_matches([' ', '\t']).ends_with('\\') {
            start = line_start(start - 1);
        }
        let directive = |line: &'_ str, name: &str| -> Option<usize> {
            let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix(name)?;
            Some(line.len() - rest.len())
        };
        let line = &self.text[start..at];
        let Some(length) = directive(line, "define") else { return false };
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let rest = line[length..].trim_start();
        let name: String = rest.chars().take_while(|c| is_word(*c)).collect();
        if !rest[name.len()..].starts_with('(') {
            return false;
        }
        let asks = |line: &str| ["if", "elif"].iter().any(|word| directive(line, word).is_some());
        !self.text.lines().any(|line| asks(line) && line.split(|c| !is_word(c)).any(|word| word == name))
    }

    /// An operator of a macro in one of its uses.
    fn in_macro(&mut self, node: &Value, may: bool) {
        let kind = node["kind"].as_str().unwrap_or_default();
        let (Some(opcode), true) = (node["opcode"].as_str(), kind == "BinaryOperator") else { return };
        let Some(range) = self.written_range(node) else { return };
        let mut allowed = Vec::new();
        let operands: Vec<_> = children(node).iter().map(|inner| self.written_range(inner)).collect();
        if let (true, &[Some(left), Some(right)]) = (may, &operands[..]) {
            self.binary(node, range, opcode, left, right, &mut allowed);
        }
        let function = self.function.clone();
        let entry = self.macros.entry(range).or_default();
        entry.used(allowed);
        entry.functions.insert(function);
    }

    /// Functions with a body; all else is only followed.
    fn declaration(&mut self, node: &Value) {
        self.range(node);
        self.in_macro(node, false);
        let is_function = node["kind"] == "FunctionDecl";
        let name = node["name"].as_str().unwrap_or_default().to_owned();
        for inner in children(node) {
            if is_function && inner["kind"] == "CompoundStmt" && self.file == self.path {
                let (mut changes, mut names) = (Vec::new(), BTreeSet::new());
                self.function.clone_from(&name);
                self.statement(inner, &mut changes, &mut names, true);
                self.found.changes.insert(name.clone(), changes);
                self.found.names.insert(name.clone(), names);
            } else {
                self.declaration(inner);
            }
        }
    }

    /// Everything in a body. `may`: what is there may be changed.
    fn statement(&mut self, node: &Value, changes: &mut Vec<Change>, names: &mut BTreeSet<String>, may: bool) {
        let range = self.range(node);
        let kind = node["kind"].as_str().unwrap_or_default();
        if let Some(name) = node["referencedDecl"]["name"].as_str() {
            names.insert(name.to_owned());
        }
        let is_static = kind == "VarDecl" && node["storageClass"] == "static";
        let may =
            may && !is_static && !matches!(kind, "ConstantExpr" | "UnaryExprOrTypeTraitExpr" | "StaticAssertDecl");
        let mut ranges = Vec::new();
        for inner in children(node) {
            // The range is followed again inside; the file is the same.
            let file = self.file.clone();
            ranges.push(self.range(inner));
            self.file = file;
            self.statement(inner, changes, names, may);
        }
        if range.is_none() {
            self.in_macro(node, may);
        }
        let Some((start, end)) = range.filter(|_| may) else { return };
        if let ("BinaryOperator" | "CompoundAssignOperator", Some(opcode), &[Some(left), Some(right)]) =
            (kind, node["opcode"].as_str(), &ranges[..])
        {
            self.binary(node, (start, end), opcode, left, right, changes);
        }
        if let ("UnaryOperator", Some(opcode @ ("++" | "--")), &[Some(operand)]) =
            (kind, node["opcode"].as_str(), &ranges[..])
        {
            self.step((start, end), opcode, operand, changes);
        }
    }

    /// `++` or `--`, before or behind its operand.
    fn step(&self, (start, end): (usize, usize), opcode: &str, operand: (usize, usize), changes: &mut Vec<Change>) {
        let (Some(text), Some(inner)) = (self.text.get(start..end), self.text.get(operand.0..operand.1)) else {
            return;
        };
        let behind = text.ends_with(opcode) && operand.1 < end;
        if !behind && !text.starts_with(opcode) {
            return;
        }
        let other = if opcode == "++" { "--" } else { "++" };
        let turned = if behind { format!("({inner}){other}") } else { format!("{other}({inner})") };
        let (line, column) = position(self.text, if behind { end - opcode.len() } else { start });
        for (text, words) in
            [(turned, format!("{opcode} becomes {other}")), (format!("({inner})"), format!("{opcode} is left out"))]
        {
            changes.push(Change { start, end, text, line, column, words });
        }
    }

    fn binary(
        &self,
        node: &Value,
        (start, end): (usize, usize),
        opcode: &str,
        left: (usize, usize),
        right: (usize, usize),
        changes: &mut Vec<Change>,
    ) {
        let Some(at) = self.text.get(left.1..right.0).and_then(|gap| gap.find(opcode)).map(|at| left.1 + at) else {
            return;
        };
        let (operator, assigns) = match opcode.strip_suffix('=') {
            Some(operator) if node["kind"] == "CompoundAssignOperator" => (operator, "="),
            _ => (opcode, ""),
        };
        let operands: Vec<&Value> = children(node).iter().collect();
        let types: Vec<&str> = operands.iter().map(|o| o["type"]["qualType"].as_str().unwrap_or_default()).collect();
        let pointer = types.iter().any(|ty| ty.contains('*') || ty.contains('['));
        let float = types.iter().any(|ty| ty.contains("float") || ty.contains("double"));
        let instead: Vec<&str> = match operator {
            "==" | "!=" if pointer => ["==", "!="].into_iter().filter(|o| *o != operator).collect(),
            _ if RELATIONS.contains(&operator) => RELATIONS.iter().copied().filter(|o| *o != operator).collect(),
            _ if pointer && !matches!(operator, "&&" | "||") => Vec::new(),
            "/" if float => vec!["*", "+"],
            _ => others(operator).to_vec(),
        };
        let (before, behind) = (&self.text[start..at], &self.text[at + opcode.len()..end]);
        let (line, column) = position(self.text, at);
        let mut push = |range: (usize, usize), text: String, words: String| {
            changes.push(Change { start: range.0, end: range.1, text, line, column, words });
        };
        for new in &instead {
            push((start, end), format!("{before}{new}{assigns}{behind}"), format!("{operator} becomes {new}"));
        }
        // Labels ask about constants of the operators that they ask about.
        if instead.is_empty() || matches!(operator, "&&" | "||") {
            return;
        }
        for (operand, range) in operands.iter().zip([left, right]) {
            for (text, words) in constants(operand, &self.text[range.0..range.1]) {
                push(range, text, words);
            }
        }
    }
}

/// The changes of an operand that is an integer constant.
fn constants(operand: &Value, text: &str) -> Vec<(String, String)> {
    let mut node = operand;
    while matches!(node["kind"].as_str(), Some("ImplicitCastExpr" | "ParenExpr")) {
        let Some(inner) = children(node).first() else { return Vec::new() };
        node = inner;
    }
    let value: Option<i128> = match node["kind"].as_str() {
        Some("IntegerLiteral") => node["value"].as_str().and_then(|v| v.parse().ok()),
        Some("CharacterLiteral") => node["value"].as_i64().map(i128::from),
        _ => None,
    };
    let Some(value) = value else { return Vec::new() };
    let mut seen = vec![value];
    let mut all = Vec::new();
    for changed in [value + 1, value - 1, 0, -value] {
        if !seen.contains(&changed) {
            seen.push(changed);
            let made = format!("((__typeof__({text}))({changed}))");
            all.push((made, format!("{value} becomes {changed}")));
        }
    }
    all
}

/// Line and column of an offset, from 1.
fn position(text: &str, offset: usize) -> (u32, u32) {
    let before = &text[..offset];
    let line = before.matches('\n').count() as u32 + 1;
    let column = offset - before.rfind('\n').map_or(0, |at| at + 1);
    (line, column as u32 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn constants_are_changed_in_four_ways_at_most() {
        let literal = |value: &str| json!({"kind": "IntegerLiteral", "value": value});
        let words = |value: &str| -> Vec<String> {
            constants(&literal(value), value).into_iter().map(|(_, words)| words).collect()
        };
        assert_eq!(words("7"), ["7 becomes 8", "7 becomes 6", "7 becomes 0", "7 becomes -7"]);
        assert_eq!(words("1"), ["1 becomes 2", "1 becomes 0", "1 becomes -1"]);
        assert_eq!(words("0"), ["0 becomes 1", "0 becomes -1"]);
    }

    #[test]
    fn positions_count_from_one() {
        assert_eq!(position("ab\ncd", 4), (2, 2));
    }
}
