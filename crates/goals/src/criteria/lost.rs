//! Decisions that clang has lost, with a warning: those with a condition that contains another `&&` or `||` (in a call,
//! below a `!`, in a comparison).
//!
//! Their conditions are still there as branch regions. Which of these belong together is read from the text between them:
//! nothing but operators and parentheses. A macro that stands for a Boolean expression is a part of the decision that uses
//! it. What is an argument of a macro has, for clang, the place of the parameter: several conditions there are told apart
//! by the text of the argument. What cannot be read so is known as a decision of which no more can be said.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use covenant_program::coverage::tie::Outcome as Tied;
use covenant_program::coverage::{FunctionCoverage, RegionKind, Span};

use crate::criteria::Site;
use crate::criteria::decisions::Shape;
use crate::criteria::expression::{Token, arguments, conditions, parse, tokens};
use crate::criteria::mcdc::Sites;

type Position = (u32, u32);

/// The decisions of the regions that belong to no known one.
pub(crate) fn lost(site: &Site<'_>, mapping: &FunctionCoverage, sites: &Sites, known: &[usize]) -> Vec<Shape> {
    let reader = Reader::new(site, mapping, sites, known);
    let mut levels: BTreeSet<(u32, Option<usize>)> = BTreeSet::new();
    for span in reader.regions.iter().map(|&index| reader.span(index)).chain(reader.uses().map(|(span, _)| span)) {
        levels.insert((span.file, reader.parent(span)));
    }
    let mut shapes = Vec::new();
    for (file, parent) in levels {
        if parent.is_none() && reader.expanded(file).is_some() {
            continue;
        }
        let Some(mut text) = Text::of(mapping, file, site) else { continue };
        text.bounds = parent.map(|index| (reader.span(index).start, reader.span(index).end));
        let mut group: Vec<Part> = Vec::new();
        for part in reader.parts(file, parent) {
            let joins = group.last().is_some_and(|last| text.gap(last.end, part.start).is_some());
            if !joins {
                shapes.extend(text.shape(file, &std::mem::take(&mut group)));
            }
            group.push(part);
        }
        shapes.extend(text.shape(file, &group));
    }
    shapes
}

/// A part of a decision that is written in one place: a condition, or what a macro stands for. Conditions are named by
/// their regions.
struct Part {
    start: Position,
    end: Position,
    tokens: Vec<Token>,
    is_macro: bool,
}

struct Reader<'a> {
    site: &'a Site<'a>,
    mapping: &'a FunctionCoverage,
    /// In the order of the text, the outer before the inner; at one place in the order of the code.
    regions: Vec<usize>,
}

impl<'a> Reader<'a> {
    fn new(site: &'a Site<'a>, mapping: &'a FunctionCoverage, sites: &Sites, known: &[usize]) -> Reader<'a> {
        let free = |index: &usize| {
            let region = &mapping.regions[*index];
            matches!(region.kind, RegionKind::Branch { condition: None, .. }) && !known.contains(index)
        };
        let mut regions: Vec<usize> = (0..mapping.regions.len()).filter(free).collect();
        let block = |index: &usize| match &sites.get(index)?.on_true {
            Tied::Edges(ways) => ways.first().map(|way| way.block),
            _ => None,
        };
        regions.sort_by_key(|index| {
            let span = mapping.regions[*index].span;
            (span.file, span.start, Reverse(span.end), block(index))
        });
        Reader { site, mapping, regions }
    }

    fn span(&self, index: usize) -> Span {
        self.mapping.regions[index].span
    }

    /// The names of macros where they are used, and the virtual files of their texts.
    fn uses(&self) -> impl Iterator<Item = (Span, u32)> + '_ {
        self.mapping.regions.iter().filter_map(|region| match region.kind {
            RegionKind::Expansion { file } => Some((region.span, file)),
            _ => None,
        })
    }

    /// The smallest condition around a place.
    fn parent(&self, inner: Span) -> Option<usize> {
        let holds = |&index: &usize| {
            let outer = self.span(index);
            inner != outer && inner.file == outer.file && outer.start <= inner.start && inner.end <= outer.end
        };
        let around = self.regions.iter().copied().filter(holds);
        around.min_by_key(|&index| (self.span(index).end, Reverse(self.span(index).start)))
    }

    /// What lies in the same condition, or in none, in the order of the text.
    fn parts(&self, file: u32, parent: Option<usize>) -> Vec<Part> {
        let here = |span: Span| span.file == file && self.parent(span) == parent;
        let inside: Vec<usize> = self.regions.iter().copied().filter(|&index| here(self.span(index))).collect();
        let mut parts = Vec::new();
        for group in inside.chunk_by(|&a, &b| self.span(a) == self.span(b)) {
            let Span { start, end, .. } = self.span(group[0]);
            let tokens = self.argument_tokens(group);
            parts.push(Part { start, end, tokens, is_macro: group.len() > 1 });
        }
        for (span, macro_file) in self.uses().filter(|(span, _)| here(*span)) {
            let Some((tokens, takes_arguments)) = self.expanded(macro_file) else { continue };
            let Some(end) = self.end_of_use(span, takes_arguments) else { continue };
            parts.push(Part { start: span.start, end, tokens, is_macro: true });
        }
        parts.sort_by_key(|part| part.start);
        parts
    }

    /// Conditions at one place: mostly one, several if the place is a parameter of a macro.
    fn argument_tokens(&self, group: &[usize]) -> Vec<Token> {
        let all = || group.iter().map(|&index| Token::Condition(index)).collect::<Vec<_>>();
        if group.len() < 2 {
            return all();
        }
        let Some(written) = self.argument(self.span(group[0])) else { return all()[..1].to_vec() };
        let count = |tokens: &[Token]| tokens.iter().filter(|t| matches!(t, Token::Condition(_))).count();
        match conditions(&written).filter(|tokens| count(tokens) == group.len()) {
            Some(tokens) => tokens.iter().map(|token| token.renamed(|number| group[number])).collect(),
            // No decision, or one that cannot be read.
            None if !written.contains("&&") && !written.contains("||") => all()[..1].to_vec(),
            None => all(),
        }
    }

    /// What the use of a macro has for a parameter of it.
    fn argument(&self, parameter: Span) -> Option<String> {
        let mut wanted = Text::of(self.mapping, parameter.file, self.site)?.between(parameter.start, parameter.end);
        let mut at = parameter;
        for _ in 0..self.mapping.files.len() {
            let definition = self.definition(at.file, at.start.0)?;
            let number = definition.parameters.as_ref()?.iter().position(|p| p == wanted.trim())?;
            let name = *self.mapping.expansions(at.file).first()?;
            let text = Text::of(self.mapping, name.file, self.site)?;
            wanted = arguments(&text.from(name.end))?.0.get(number)?.clone();
            // In the text of another macro it may be a parameter of that one.
            at = name;
            let word = wanted.trim().chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            if !word || self.mapping.expansions(at.file).is_empty() {
                return Some(wanted);
            }
        }
        None
    }

    /// The Boolean expression that a macro stands for, if it is nothing else, and whether the macro takes arguments.
    fn expanded(&self, file: u32) -> Option<(Vec<Token>, bool)> {
        self.mapping.expansions(file).first()?;
        let parts = self.parts(file, None);
        let definition = self.definition(file, parts.first()?.start.0)?;
        let text = Text::of(self.mapping, file, self.site)?;
        let (mut all, mut at) = (Vec::new(), definition.start);
        for part in parts {
            all.extend(tokens(&text.between(at, part.start))?);
            all.extend(part.tokens);
            at = part.end;
        }
        all.extend(tokens(&text.between(at, definition.end))?);
        Some((all, definition.parameters.is_some()))
    }

    /// Where the use of a macro ends, arguments included.
    fn end_of_use(&self, name: Span, takes_arguments: bool) -> Option<Position> {
        if !takes_arguments {
            return Some(name.end);
        }
        let text = Text::of(self.mapping, name.file, self.site)?;
        let (_, length) = arguments(&text.from(name.end))?;
        text.after(name.end, length)
    }

    /// The definition of a macro, of which a line is known.
    fn definition(&self, file: u32, line: u32) -> Option<Definition> {
        let name = *self.mapping.expansions(file).first()?;
        let name = Text::of(self.mapping, name.file, self.site)?.between(name.start, name.end);
        Text::of(self.mapping, file, self.site)?.definition(line, name.trim())
    }
}

/// A macro's parameters, if it takes any, and where its text is.
struct Definition {
    parameters: Option<Vec<String>>,
    start: Position,
    end: Position,
}

/// The text of a file, by line.
struct Text {
    lines: Vec<String>,
    /// The condition that holds all that is looked at.
    bounds: Option<(Position, Position)>,
}

impl Text {
    fn of(mapping: &FunctionCoverage, file: u32, site: &Site<'_>) -> Option<Text> {
        (site.source)(mapping.files.get(file as usize)?).map(|lines| Text { lines, bounds: None })
    }

    fn between(&self, from: Position, to: Position) -> String {
        let mut text = String::new();
        for number in from.0..=to.0 {
            let Some(line) = self.lines.get((number as usize).saturating_sub(1)) else { continue };
            let start = if number == from.0 { (from.1 as usize).saturating_sub(1) } else { 0 };
            let end = if number == to.0 { (to.1 as usize).saturating_sub(1) } else { line.len() };
            text.push_str(line.get(start.min(line.len())..end.min(line.len())).unwrap_or_default());
            text.push(if number == to.0 { ' ' } else { '\n' });
        }
        text
    }

    /// What follows, as far as one expression may reach.
    fn from(&self, at: Position) -> String {
        self.between(at, (at.0 + 20, 1))
    }

    /// The place so many bytes further on.
    fn after(&self, at: Position, bytes: usize) -> Option<Position> {
        let (mut line, mut column, mut left) = (at.0, at.1 as usize, bytes);
        loop {
            let rest = (self.lines.get((line as usize).checked_sub(1)?)?.len() + 1).checked_sub(column)?;
            if left <= rest {
                return Some((line, u32::try_from(column + left).ok()?));
            }
            (line, column, left) = (line + 1, 1, left - rest - 1);
        }
    }

    /// The definition of a macro of this name that has text on this line.
    fn definition(&self, line: u32, name: &str) -> Option<Definition> {
        let continued = |line: u32| {
            let text = (line as usize).checked_sub(1).and_then(|at| self.lines.get(at));
            text.is_some_and(|text| text.trim_end().ends_with('\\'))
        };
        let (mut first, mut last) = (line, line);
        while first > 1 && continued(first - 1) {
            first -= 1;
        }
        while continued(last) {
            last += 1;
        }
        let text = self.lines.get(first as usize - 1)?;
        let rest = text.trim_start().strip_prefix('#')?.trim_start().strip_prefix("define")?;
        let body = rest.trim_start().strip_prefix(name)?;
        let start = (first, u32::try_from(text.len() - body.len() + 1).ok()?);
        let end = (last, u32::try_from(self.lines.get(last as usize - 1)?.len() + 1).ok()?);
        if !body.starts_with('(') {
            let whole = body.chars().next().is_some_and(char::is_whitespace);
            return whole.then_some(Definition { parameters: None, start, end });
        }
        let (parameters, length) = arguments(&self.from(start))?;
        let parameters = parameters.iter().map(|p| p.trim().to_owned()).collect();
        Some(Definition { parameters: Some(parameters), start: self.after(start, length)?, end })
    }

    /// The tokens between two conditions of one decision; `None` if they are not that.
    fn gap(&self, from: Position, to: Position) -> Option<Vec<Token>> {
        let tokens = tokens(&self.between(from, to))?;
        let operators = tokens.iter().filter(|t| matches!(t, Token::And | Token::Or)).count();
        (operators == 1).then_some(tokens)
    }

    /// What stands before a position on its line and the lines before, as far as it is parentheses and `!`, the nearest
    /// first; and whether an operator comes before that.
    fn before(&self, at: Position) -> (Vec<Token>, bool) {
        let first = (at.0.saturating_sub(20).max(1), 1);
        let text = self.between(self.bounds.map_or(first, |(start, _)| start.max(first)), at);
        let mut tokens = Vec::new();
        let trimmed = text.trim_end_matches(|c: char| match c {
            '(' => {
                tokens.push(Token::Open);
                true
            }
            '!' => {
                tokens.push(Token::Not);
                true
            }
            c => c.is_whitespace() || c == '\\',
        });
        let operator = trimmed.ends_with("&&") || trimmed.ends_with("||");
        (tokens, operator)
    }

    /// Whether an operator follows behind closing parentheses.
    fn goes_on(&self, at: Position) -> bool {
        let last = (at.0 + 20, 1);
        let text = self.between(at, self.bounds.map_or(last, |(_, end)| end.min(last)));
        let rest = text.trim_start_matches(|c: char| c == ')' || c == '\\' || c.is_whitespace());
        rest.starts_with("&&") || rest.starts_with("||")
    }

    /// The text with the parentheses before its first condition and behind its last one.
    fn around(&self, before: usize, behind: usize, tokens: &[Token], text: &str) -> String {
        let sign = |token: &Token| match token {
            Token::Not => '!',
            Token::Close => ')',
            _ => '(',
        };
        let prefix: String = tokens[..before].iter().map(sign).collect();
        format!("{prefix}{text}{}", ")".repeat(behind))
    }

    /// The decision of a group of parts; a single condition is none.
    fn shape(&self, file: u32, group: &[Part]) -> Option<Shape> {
        let (first, last) = (group.first()?, group.last()?);
        let (before, operator) = self.before(first.start);
        let torn = operator || self.goes_on(last.end);
        let mut inner = first.tokens.clone();
        for pair in group.windows(2) {
            inner.extend(self.gap(pair[0].end, pair[1].start).into_iter().flatten());
            inner.extend(&pair[1].tokens);
        }
        let region = |token: &Token| match token {
            Token::Condition(region) => Some(*region),
            _ => None,
        };
        let conditions: Vec<usize> = inner.iter().filter_map(region).collect();
        if conditions.len() < 2 && !torn {
            return None;
        }
        let mut number = 0..;
        let inner: Vec<Token> = inner.iter().map(|token| token.renamed(|_| number.next().unwrap_or(0))).collect();
        let length = inner.len();
        let (tokens, opened) = balance(inner, &before, first.is_macro);
        let span = Span { file, start: first.start, end: last.end };
        let written = self.between(span.start, span.end);
        let text = self.around(opened, tokens.len() - opened - length, &tokens, written.trim());
        let diagram = if torn {
            Err("clang has lost the decision, and a part of it comes from a macro".to_owned())
        } else {
            parse(&tokens).ok_or_else(|| "clang has lost the decision".to_owned())
        };
        Some(Shape { span, text, conditions, diagram, number: None })
    }
}

/// Adds the parentheses that open before the first condition, as many as are told, and those that close behind the last
/// one. A `!` right before the first condition is a part of it, but one before a macro is none of the macro's text.
fn balance(tokens: Vec<Token>, before: &[Token], is_macro: bool) -> (Vec<Token>, usize) {
    let (mut open, mut missing) = (0usize, 0usize);
    for token in &tokens {
        match token {
            Token::Open => open += 1,
            Token::Close if open > 0 => open -= 1,
            Token::Close => missing += 1,
            _ => {}
        }
    }
    let mut prefix = Vec::new();
    let mut left = missing;
    for token in before {
        match token {
            Token::Open if left == 0 => break,
            Token::Open => left -= 1,
            // It belongs to the parenthesis that was taken last.
            Token::Not if prefix.is_empty() && !is_macro => continue,
            _ => {}
        }
        prefix.push(*token);
    }
    prefix.reverse();
    let opened = prefix.len();
    let all = prefix.into_iter().chain(tokens).chain(std::iter::repeat_n(Token::Close, open)).collect();
    (all, opened)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parentheses_around_the_text_are_found() {
        let inner = vec![
            Token::Condition(0),
            Token::Or,
            Token::Condition(1),
            Token::Close,
            Token::And,
            Token::Not,
            Token::Open,
            Token::Condition(2),
        ];
        // `if (!(a || b) && !(c...`, read from the first condition to the left.
        let (balanced, opened) = balance(inner, &[Token::Open, Token::Not, Token::Open], false);
        assert_eq!((&balanced[..2], opened), (&[Token::Not, Token::Open][..], 2));
        assert_eq!(balanced.last(), Some(&Token::Close));
        assert!(parse(&balanced).is_some());
    }

    #[test]
    fn definitions_are_found() {
        let lines = ["#define ONE 1", "# define BOTH(a, b) \\", "    ((a) && \\", "     (b))", "int x;"];
        let text = Text { lines: lines.map(str::to_owned).to_vec(), bounds: None };
        let found = text.definition(4, "BOTH").unwrap();
        assert_eq!(found.parameters, Some(vec!["a".to_owned(), "b".to_owned()]));
        assert_eq!((found.start, found.end), ((2, 20), (4, 10)));
        assert_eq!(text.definition(1, "ONE").unwrap().start, (1, 12));
        assert!(text.definition(1, "ON").is_none() && text.definition(5, "x").is_none());
        assert_eq!(text.after((3, 5), 11), Some((4, 2)));
    }
}
