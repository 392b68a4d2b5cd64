//! Where the source can be changed: operators and constants, from clang's syntax tree.
//!
//! What is written in the file itself is changed, and in headers of the project that have functions in them: in function bodies, and in the texts of macros that are used there
//! and nowhere else. What must be a constant (labels of a switch, initialisers of static variables) stays as it is.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use covenant_program::clang::{FrontEnd, Input};
use covenant_program::syntax::text::{operator, position};
use covenant_program::syntax::{Kind, Node, Place, Point, Syntax};

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

/// A file that functions stand in, and what can be changed in it.
#[derive(Debug)]
pub(super) struct Source {
    pub(super) path: PathBuf,
    pub(super) text: String,
    pub(super) found: Found,
}

/// Where the headers of the system are, which nobody changes.
const SYSTEM: &[&str] = &["/usr", "/lib"];

/// What can be changed in a file, and in the headers that it includes and that have functions in them.
pub(super) fn find(front_end: &FrontEnd, file: &SubjectFile, text: &str) -> Result<Vec<Source>, Error> {
    let (path, directory) = (file.absolute(), file.absolute_directory());
    let input = Input { file: &path, directory: &directory, flags: &file.flags };
    let bad = |message: String| Error::Coverage { what: "clang's syntax tree".to_owned(), message };
    let syntax = Syntax::of(front_end, &input).map_err(|error| bad(error.to_string()))?;
    let own = syntax.files.iter().position(|name| *name == path.to_string_lossy()).map_or(0, |index| index as u32);
    let of_bodies = syntax.definitions().filter_map(|(_, body)| Some(body.start()?.shown.file));
    let headers: BTreeSet<u32> = of_bodies.filter(|&file| file != own).collect();
    let mut places = vec![Source { found: found_in(&syntax, own, text), path, text: text.to_owned() }];
    for header in headers {
        let Some(name) = syntax.files.get(header as usize).filter(|name| !name.is_empty()) else { continue };
        let path = without_dots(&directory.join(name));
        if SYSTEM.iter().any(|system| path.starts_with(system)) {
            continue;
        }
        let text = std::fs::read(&path).map_err(Error::file(&path))?;
        let text = String::from_utf8_lossy(&text).into_owned();
        places.push(Source { found: found_in(&syntax, header, &text), path, text });
    }
    Ok(places)
}

/// The path as clang looks it up.
fn without_dots(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => _ = plain.pop(),
            other => plain.push(other),
        }
    }
    plain
}

fn found_in(syntax: &Syntax, own: u32, text: &str) -> Found {
    let mut walker = Walker { text, syntax, own, found: Found::default(), macros: BTreeMap::new() };
    for node in &syntax.others {
        walker.outside(node);
    }
    for (function, body) in syntax.definitions() {
        let here = body.start().is_some_and(|start| start.shown.file == own);
        if here {
            walker.function(&function.name, body);
        } else {
            walker.outside(body);
        }
    }
    walker.found.macros = walker.macros.into_values().flat_map(Macro::changes).collect();
    walker.found
}

struct Walker<'t> {
    text: &'t str,
    syntax: &'t Syntax,
    /// The file that is changed.
    own: u32,
    found: Found,
    /// Operators in the texts of macros, by where they are.
    macros: BTreeMap<Range, Macro>,
}

/// From the first byte to the one behind the last.
type Range = (usize, usize);

/// The changes of a function, and the names in it.
#[derive(Default)]
struct Inside {
    function: String,
    changes: Vec<Change>,
    names: BTreeSet<String>,
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
    /// The range of a node, if it is plain text of the file.
    fn range(&self, node: &Node) -> Option<Range> {
        let [begin, end] = node.range?;
        let (begin, end) = (self.plain(begin)?, self.plain(end)?);
        self.whole(begin, end)
    }

    fn whole(&self, begin: Point, end: Point) -> Option<Range> {
        let (start, end) = (begin.offset as usize, (end.offset + end.length) as usize);
        (start <= end && self.text.get(start..end).is_some()).then_some((start, end))
    }

    /// A token of the file. In a macro without arguments that is its name.
    fn plain(&self, place: Place) -> Option<Point> {
        let behind = (place.shown.offset + place.shown.length) as usize;
        let called = || self.text.get(behind..).is_some_and(|rest| rest.trim_start().starts_with('('));
        let is_plain = place.spelled.is_none_or(|spelled| !spelled.is_argument && !called());
        (is_plain && place.shown.file == self.own).then_some(place.shown)
    }

    /// The range of a node in the text of a macro, if it is all in the text of one.
    fn written_range(&self, node: &Node) -> Option<Range> {
        let written = |place: Place| {
            let spelled = place.spelled.filter(|spelled| !spelled.is_argument)?;
            (spelled.point.file == self.own).then_some(spelled.point)
        };
        let [begin, end] = node.range?;
        let (start, end) = self.whole(written(begin)?, written(end)?)?;
        let text = self.text.get(start..end)?;
        let one_line = text.match_indices('\n').all(|(at, _)| text[..at].trim_end().ends_with('\\'));
        (one_line && self.is_plain_macro(start)).then_some((start, end))
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

    /// An operator of a macro in one of its uses. `may`: it may be changed there.
    fn in_macro(&mut self, node: &Node, function: &str, may: bool) {
        let Kind::Binary { assigns: false, .. } = node.kind else { return };
        let Some(range) = self.written_range(node) else { return };
        let mut allowed = Vec::new();
        let operands: Vec<_> = node.inner.iter().map(|inner| self.written_range(inner)).collect();
        if let (true, &[Some(left), Some(right)]) = (may, &operands[..]) {
            self.binary(node, range, [left, right], &mut allowed);
        }
        let entry = self.macros.entry(range).or_default();
        entry.used(allowed);
        entry.functions.insert(function.to_owned());
    }

    /// What is not changed: the macros that are used there must stay as they are.
    fn outside(&mut self, node: &Node) {
        self.in_macro(node, "", false);
        node.inner.iter().for_each(|inner| self.outside(inner));
    }

    fn function(&mut self, name: &str, body: &Node) {
        let mut inside = Inside { function: name.to_owned(), ..Inside::default() };
        self.statement(body, &mut inside, true);
        self.found.changes.insert(name.to_owned(), inside.changes);
        self.found.names.insert(name.to_owned(), inside.names);
    }

    /// Everything in a body. `may`: what is there may be changed.
    fn statement(&mut self, node: &Node, inside: &mut Inside, may: bool) {
        if let Kind::Name(name) = &node.kind {
            inside.names.insert(name.clone());
        }
        let fixed = matches!(node.kind, Kind::Constant(_) | Kind::Unevaluated | Kind::Variable { is_static: true });
        let may = may && !fixed;
        for inner in &node.inner {
            self.statement(inner, inside, may);
        }
        let Some(range) = self.range(node) else { return self.in_macro(node, &inside.function, may) };
        let ranges: Vec<_> = node.inner.iter().map(|inner| self.range(inner)).collect();
        match (&node.kind, &ranges[..]) {
            (Kind::Binary { .. }, &[Some(left), Some(right)]) if may => {
                self.binary(node, range, [left, right], &mut inside.changes);
            }
            (Kind::Unary { operator: operator @ ("++" | "--"), .. }, &[Some(operand)]) if may => {
                self.step(range, operator, operand, &mut inside.changes);
            }
            _ => {}
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

    fn binary(&self, node: &Node, (start, end): Range, [left, right]: [Range; 2], changes: &mut Vec<Change>) {
        let Kind::Binary { operator: opcode, assigns } = node.kind else { return };
        let Some(at) = operator(self.text, left.1..right.0, opcode) else { return };
        let (operator, assigns) = match opcode.strip_suffix('=').filter(|_| assigns) {
            Some(operator) => (operator, "="),
            None => (opcode, ""),
        };
        let types: Vec<&str> = node.inner.iter().map(|operand| self.syntax.type_of(operand)).collect();
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
        for (operand, range) in node.inner.iter().zip([left, right]) {
            for (text, words) in constants(operand, &self.text[range.0..range.1]) {
                push(range, text, words);
            }
        }
    }
}

/// The changes of an operand that is an integer constant.
fn constants(operand: &Node, text: &str) -> Vec<(String, String)> {
    let mut node = operand;
    // A cast that is written is no constant that a label asks about.
    while matches!(node.kind, Kind::Cast { implied: true } | Kind::Parentheses) {
        let Some(inner) = node.inner.first() else { return Vec::new() };
        node = inner;
    }
    let Kind::Literal(value) = node.kind else { return Vec::new() };
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

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Found {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.c");
        std::fs::write(&path, text).unwrap();
        let file = SubjectFile { path, directory: folder.path().to_owned(), ..SubjectFile::default() };
        find(&FrontEnd::default(), &file, text).unwrap().remove(0).found
    }

    fn words(found: &Found, function: &str) -> Vec<String> {
        found.changes[function].iter().map(|change| change.words.clone()).collect()
    }

    #[test]
    fn constants_are_changed_in_four_ways_at_most() {
        let found =
            found("int f(int x) { return x + 7; }\nint g(int x) { return x + 1; }\nint h(int x) { return x + 0; }\n");
        let changed = |function: &str| words(&found, function).split_off(2);
        assert_eq!(changed("f"), ["7 becomes 8", "7 becomes 6", "7 becomes 0", "7 becomes -7"]);
        assert_eq!(changed("g"), ["1 becomes 2", "1 becomes 0", "1 becomes -1"]);
        assert_eq!(changed("h"), ["0 becomes 1", "0 becomes -1"]);
    }

    #[test]
    fn operators_in_comments_and_constants_stay() {
        let text = "int f(int x, int y)\n{\n    static int z = 1 + 2;\n    char room[sizeof(x + y)];\n    \
                    return x /* + */ + (int)sizeof room + z;\n}\n";
        let found = found(text);
        let places: Vec<(u32, u32, &str)> =
            found.changes["f"].iter().map(|change| (change.line, change.column, change.words.as_str())).collect();
        let both = |column| [(5, column, "+ becomes -"), (5, column, "+ becomes *")];
        assert_eq!(places, [both(22), both(41)].concat());
        assert_eq!(found.changes["f"][0].text, "x /* + */ - (int)sizeof room");
    }

    #[test]
    fn macros_are_changed_where_all_their_uses_allow_it() {
        let text = "#define SUM(a, b) ((a) + (b))\n#define TWICE(a) ((a) * 2)\nint room[SUM(1, 2)];\nint start = SUM(3, 4);\n\
                    int f(int x) { return SUM(x, 1) + TWICE(x); }\n";
        let found = found(text);
        let words: Vec<&str> = found.macros.iter().map(|(change, _)| change.words.as_str()).collect();
        assert!(words.iter().any(|words| words.starts_with("* becomes")), "{words:?}");
        assert!(!words.iter().any(|words| words.starts_with("+ becomes")), "{words:?}");
        assert!(found.macros.iter().all(|(_, functions)| functions.contains("f")));
    }
}
