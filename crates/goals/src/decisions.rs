//! Decisions: Boolean expressions of several conditions, and how C evaluates them.
//!
//! clang's coverage mapping has them, but loses those where a condition contains another `&&` or `||` (in a call, below a
//! `!`, in a comparison), with a warning. Their conditions are still there as branch regions. Which of these belong
//! together is read from the text between them: nothing but operators and parentheses. What cannot be read so, because
//! a part of it comes from a macro, is known as a decision of which no more can be said.
//!
//! A condition that clang found constant is not evaluated; the decision goes on as its value says.

use covenant_program::coverage::decision::{self, Decision};
use covenant_program::coverage::{FunctionCoverage, RegionKind, Span};

use crate::criteria::Site;
use crate::mcdc::{Diagram, Next};

/// A decision in the source.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    pub(crate) span: Span,
    pub(crate) text: String,
    /// Branch regions of its conditions, in the order of the text.
    pub(crate) conditions: Vec<usize>,
    /// How they are evaluated, or why that is not known.
    pub(crate) diagram: Result<Diagram, String>,
    /// Its number among those that llvm-cov can judge.
    pub(crate) number: Option<u32>,
}

/// The decisions of a function, those of the mapping first.
pub(crate) fn shapes(site: &Site<'_>) -> Vec<Shape> {
    let Some(mapping) = site.mapping else { return Vec::new() };
    let mut all: Vec<Shape> = Vec::new();
    for (number, decision) in decision::decisions(mapping).iter().enumerate() {
        all.push(of_mapping(site, mapping, decision, number as u32));
    }
    let known: Vec<usize> = all.iter().flat_map(|shape| shape.conditions.iter().copied()).collect();
    all.extend(lost(site, mapping, &known));
    all
}

fn of_mapping(site: &Site<'_>, mapping: &FunctionCoverage, decision: &Decision, number: u32) -> Shape {
    let place = |id: Option<u32>, outcome: bool| match id {
        None => Some(Next::End(outcome)),
        Some(id) => decision.position(id).map(Next::Condition),
    };
    let next: Option<Vec<[Next; 2]>> =
        decision.conditions.iter().map(|(_, c)| Some([place(c.on_true, true)?, place(c.on_false, false)?])).collect();
    let unfit = || "the conditions of the decision do not fit together".to_owned();
    let diagram = next.zip(decision.position(0)).map(|(next, first)| Diagram { first: Next::Condition(first), next });
    let mut shape = Shape {
        span: mapping.regions[decision.region].span,
        text: site.region_text(decision.region),
        conditions: decision.conditions.iter().map(|(region, _)| *region).collect(),
        diagram: diagram.ok_or_else(unfit),
        number: Some(number),
    };
    drop_constants(site, mapping, &mut shape);
    shape
}

/// Takes out the conditions that are constant. llvm-cov does not judge such decisions rightly.
fn drop_constants(site: &Site<'_>, mapping: &FunctionCoverage, shape: &mut Shape) {
    while let Some(at) = shape.conditions.iter().position(|&region| mapping.regions[region].is_folded()) {
        shape.number = None;
        let region = shape.conditions.remove(at);
        let value = constant(&site.region_text(region));
        shape.diagram = match (std::mem::replace(&mut shape.diagram, Err(String::new())), value) {
            (Ok(diagram), Some(value)) => Ok(diagram.without(at, value)),
            (Err(why), _) => Err(why),
            (_, None) => Err("a condition of the decision is a constant whose value cannot be read".to_owned()),
        };
    }
}

/// The value of a constant, where it is written as a number.
fn constant(text: &str) -> Option<bool> {
    let text = text.trim_matches(|c: char| c == '(' || c == ')' || c.is_whitespace());
    match text.strip_prefix('!') {
        Some(rest) => constant(rest).map(|value| !value),
        None if text == "true" => Some(true),
        None if text == "false" => Some(false),
        None => text.trim_end_matches(['u', 'U', 'l', 'L']).parse::<u64>().ok().map(|n| n != 0),
    }
}

/// Decisions that clang has lost.
fn lost(site: &Site<'_>, mapping: &FunctionCoverage, known: &[usize]) -> Vec<Shape> {
    let free = |index: &usize| {
        let region = &mapping.regions[*index];
        matches!(region.kind, RegionKind::Branch { condition: None, .. }) && !known.contains(index)
    };
    let mut regions: Vec<usize> = (0..mapping.regions.len()).filter(free).collect();
    let span = |index: &usize| mapping.regions[*index].span;
    regions.sort_by_key(|index| (span(index).file, span(index).start, std::cmp::Reverse(span(index).end)));
    regions.dedup_by_key(|index| span(index));
    let parent = |index: &usize| {
        let holds = |other: &&usize| {
            let (inner, outer) = (span(index), span(other));
            inner != outer && inner.file == outer.file && outer.start <= inner.start && inner.end <= outer.end
        };
        regions.iter().filter(holds).min_by_key(|other| (span(other).end, std::cmp::Reverse(span(other).start)))
    };
    // Those that lie in the same condition, or in none, are beside each other.
    let mut levels: std::collections::BTreeMap<(u32, Option<usize>), Vec<usize>> = std::collections::BTreeMap::new();
    for index in &regions {
        levels.entry((span(index).file, parent(index).copied())).or_default().push(*index);
    }
    let mut shapes = Vec::new();
    for ((file, parent), level) in levels {
        let Some(mut text) = Text::of(mapping, file, site) else { continue };
        text.bounds = parent.map(|index| (span(&index).start, span(&index).end));
        let mut group: Vec<usize> = Vec::new();
        for index in level {
            let joins = group.last().is_some_and(|last| text.gap(span(last).end, span(&index).start).is_some());
            if !joins {
                shapes.extend(text.shape(mapping, &std::mem::take(&mut group)));
            }
            group.push(index);
        }
        shapes.extend(text.shape(mapping, &group));
    }
    for shape in &mut shapes {
        drop_constants(site, mapping, shape);
    }
    shapes
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Token {
    Open,
    Close,
    Not,
    And,
    Or,
    Condition(usize),
}

/// The text of a file, by line.
struct Text {
    lines: Vec<String>,
    /// The condition that holds all that is looked at.
    bounds: Option<(Position, Position)>,
}

type Position = (u32, u32);

impl Text {
    fn of(mapping: &FunctionCoverage, file: u32, site: &Site<'_>) -> Option<Text> {
        (site.source)(mapping.files.get(file as usize)?).map(|lines| Text { lines, bounds: None })
    }

    fn between(&self, from: Position, to: Position) -> String {
        let mut text = String::new();
        for number in from.0..=to.0 {
            let Some(line) = self.lines.get(number as usize - 1) else { continue };
            let start = if number == from.0 { from.1 as usize - 1 } else { 0 };
            let end = if number == to.0 { to.1 as usize - 1 } else { line.len() };
            text.push_str(line.get(start.min(line.len())..end.min(line.len())).unwrap_or_default());
            text.push(' ');
        }
        text
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
            c => c.is_whitespace(),
        });
        let operator = trimmed.ends_with("&&") || trimmed.ends_with("||");
        (tokens, operator)
    }

    /// Whether an operator follows behind closing parentheses.
    fn goes_on(&self, at: Position) -> bool {
        let last = (at.0 + 20, 1);
        let text = self.between(at, self.bounds.map_or(last, |(_, end)| end.min(last)));
        let rest = text.trim_start_matches(|c: char| c == ')' || c.is_whitespace());
        rest.starts_with("&&") || rest.starts_with("||")
    }

    /// The text with the parentheses before its first condition and behind its last one.
    fn around(&self, tokens: &[Token], text: &str) -> String {
        let sign = |token: &Token| match token {
            Token::Open => Some('('),
            Token::Close => Some(')'),
            Token::Not => Some('!'),
            _ => None,
        };
        let before: String = tokens.iter().map_while(sign).collect();
        let behind: String = tokens.iter().rev().map_while(sign).collect();
        format!("{before}{text}{behind}")
    }

    /// The decision of a group of conditions; a single condition is none.
    fn shape(&self, mapping: &FunctionCoverage, group: &[usize]) -> Option<Shape> {
        let (first, last) = (*group.first()?, *group.last()?);
        let span = |index: usize| mapping.regions[index].span;
        let (before, operator) = self.before(span(first).start);
        let torn = operator || self.goes_on(span(last).end);
        if group.len() < 2 && !torn {
            return None;
        }
        let whole = Span { end: span(last).end, ..span(first) };
        let mut tokens = vec![Token::Condition(0)];
        for (number, pair) in group.windows(2).enumerate() {
            tokens.extend(self.gap(span(pair[0]).end, span(pair[1]).start).into_iter().flatten());
            tokens.push(Token::Condition(number + 1));
        }
        let tokens = balance(tokens, &before);
        let text = self.around(&tokens, self.between(whole.start, whole.end).trim());
        let diagram = if torn {
            Err("clang has lost the decision, and a part of it comes from a macro".to_owned())
        } else {
            parse(&tokens).ok_or_else(|| "clang has lost the decision".to_owned())
        };
        Some(Shape { span: whole, text, conditions: group.to_vec(), diagram, number: None })
    }
}

fn tokens(text: &str) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        tokens.push(match c {
            '(' => Token::Open,
            ')' => Token::Close,
            '!' => Token::Not,
            '&' if chars.next_if_eq(&'&').is_some() => Token::And,
            '|' if chars.next_if_eq(&'|').is_some() => Token::Or,
            c if c.is_whitespace() || c == '\\' => continue,
            _ => return None,
        });
    }
    Some(tokens)
}

/// Adds the parentheses that open before the first condition and those that close behind the last one. A `!` right before
/// the first condition is a part of it.
fn balance(tokens: Vec<Token>, before: &[Token]) -> Vec<Token> {
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
            Token::Not if prefix.is_empty() => continue,
            _ => {}
        }
        prefix.push(*token);
    }
    prefix.reverse();
    prefix.into_iter().chain(tokens).chain(std::iter::repeat_n(Token::Close, open)).collect()
}

/// A Boolean expression.
#[derive(Clone, Debug)]
enum Tree {
    Condition(usize),
    Not(Box<Tree>),
    Both(Box<[Tree; 2]>),
    Either(Box<[Tree; 2]>),
}

fn parse(tokens: &[Token]) -> Option<Diagram> {
    let count = tokens.iter().filter(|t| matches!(t, Token::Condition(_))).count();
    let mut parser = Parser { tokens, at: 0 };
    let tree = parser.either()?;
    if parser.at != tokens.len() {
        return None;
    }
    let mut next = vec![[Next::End(true), Next::End(false)]; count];
    let first = lay_out(&tree, Next::End(true), Next::End(false), &mut next);
    Some(Diagram { first, next })
}

/// Says what comes after each condition of a tree; what comes first in it.
fn lay_out(tree: &Tree, on_true: Next, on_false: Next, next: &mut [[Next; 2]]) -> Next {
    match tree {
        Tree::Condition(i) => {
            next[*i] = [on_true, on_false];
            Next::Condition(*i)
        }
        Tree::Not(inner) => lay_out(inner, on_false, on_true, next),
        Tree::Both(sides) => {
            let right = lay_out(&sides[1], on_true, on_false, next);
            lay_out(&sides[0], right, on_false, next)
        }
        Tree::Either(sides) => {
            let right = lay_out(&sides[1], on_true, on_false, next);
            lay_out(&sides[0], on_true, right, next)
        }
    }
}

/// The decision with each of its operators as the other one, in words too. `None`: it is not made of `&&`, `||` and `!`.
pub(crate) fn flipped(diagram: &Diagram) -> Option<Vec<(String, Diagram)>> {
    let tree = decompose(&diagram.next, 0..diagram.next.len(), Next::End(true), Next::End(false))?;
    let mut all = Vec::new();
    for number in 0..diagram.next.len().saturating_sub(1) {
        let mut left = number;
        let (changed, words) = flip(&tree, &mut left);
        let mut next = diagram.next.clone();
        let first = lay_out(&changed, Next::End(true), Next::End(false), &mut next);
        all.push((words?.to_owned(), Diagram { first, next }));
    }
    Some(all)
}

/// The tree with the operator of this number, in the order of the text, changed; and what it becomes.
fn flip(tree: &Tree, left: &mut usize) -> (Tree, Option<&'static str>) {
    let (sides, both) = match tree {
        Tree::Condition(i) => return (Tree::Condition(*i), None),
        Tree::Not(inner) => {
            let (inner, words) = flip(inner, left);
            return (Tree::Not(Box::new(inner)), words);
        }
        Tree::Both(sides) => (sides, true),
        Tree::Either(sides) => (sides, false),
    };
    let (first, before) = flip(&sides[0], left);
    let here = before.is_none() && *left == 0;
    if before.is_none() {
        *left = left.wrapping_sub(1);
    }
    let (second, behind) = if before.is_none() && !here { flip(&sides[1], left) } else { (sides[1].clone(), None) };
    let pair = Box::new([first, second]);
    let words = here.then_some(if both { "&& becomes ||" } else { "|| becomes &&" });
    let tree = if both != here { Tree::Both(pair) } else { Tree::Either(pair) };
    (tree, before.or(words).or(behind))
}

/// The tree of the conditions in a range, which go on to these two.
fn decompose(next: &[[Next; 2]], range: std::ops::Range<usize>, yes: Next, no: Next) -> Option<Tree> {
    let first = range.start;
    if range.len() == 1 {
        return match next[first] {
            pair if pair == [yes, no] => Some(Tree::Condition(first)),
            pair if pair == [no, yes] => Some(Tree::Not(Box::new(Tree::Condition(first)))),
            _ => None,
        };
    }
    // What leaves the left side goes to the right one or ends both.
    let leaves = |to: usize, end: Next| {
        let left = next[first..to].iter().flatten();
        left.into_iter().all(|n| matches!(n, Next::Condition(i) if (first..=to).contains(i)) || *n == end)
    };
    for middle in (first + 1..range.end).rev() {
        let mut found: Vec<Tree> = Vec::new();
        for (yes, no, negated) in [(yes, no, false), (no, yes, true)] {
            for both in [true, false] {
                let (left_yes, left_no, end) =
                    if both { (Next::Condition(middle), no, no) } else { (yes, Next::Condition(middle), yes) };
                if !leaves(middle, end) {
                    continue;
                }
                let left = decompose(next, first..middle, left_yes, left_no);
                let right = decompose(next, middle..range.end, yes, no);
                if let (Some(left), Some(right)) = (left, right) {
                    let pair = Box::new([left, right]);
                    let tree = if both { Tree::Both(pair) } else { Tree::Either(pair) };
                    found.push(if negated { Tree::Not(Box::new(tree)) } else { tree });
                }
            }
        }
        // `!(a && b)` and `!a || !b` are evaluated alike; the simpler one is what is written, mostly.
        if let Some(tree) = found.into_iter().min_by_key(negations) {
            return Some(tree);
        }
    }
    None
}

fn negations(tree: &Tree) -> usize {
    match tree {
        Tree::Condition(_) => 0,
        Tree::Not(inner) => 1 + negations(inner),
        Tree::Both(sides) | Tree::Either(sides) => sides.iter().map(negations).sum(),
    }
}

struct Parser<'t> {
    tokens: &'t [Token],
    at: usize,
}

impl Parser<'_> {
    fn eat(&mut self, token: Token) -> bool {
        let found = self.tokens.get(self.at) == Some(&token);
        self.at += usize::from(found);
        found
    }

    fn either(&mut self) -> Option<Tree> {
        let mut tree = self.both()?;
        while self.eat(Token::Or) {
            tree = Tree::Either(Box::new([tree, self.both()?]));
        }
        Some(tree)
    }

    fn both(&mut self) -> Option<Tree> {
        let mut tree = self.one()?;
        while self.eat(Token::And) {
            tree = Tree::Both(Box::new([tree, self.one()?]));
        }
        Some(tree)
    }

    fn one(&mut self) -> Option<Tree> {
        if self.eat(Token::Not) {
            return Some(Tree::Not(Box::new(self.one()?)));
        }
        if self.eat(Token::Open) {
            let tree = self.either()?;
            return self.eat(Token::Close).then_some(tree);
        }
        match self.tokens.get(self.at) {
            Some(Token::Condition(i)) => {
                self.at += 1;
                Some(Tree::Condition(*i))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tokens of an expression over one-letter conditions.
    fn read(text: &str) -> Vec<Token> {
        let mut all = Vec::new();
        for c in text.chars() {
            match c {
                'a'..='z' => {
                    let number = all.iter().filter(|t| matches!(t, Token::Condition(_))).count();
                    all.push(Token::Condition(number));
                }
                '&' => all.push(Token::And),
                '|' => all.push(Token::Or),
                c => all.extend(tokens(&c.to_string()).unwrap()),
            }
        }
        all
    }

    fn vectors(text: &str) -> Vec<String> {
        let vectors = parse(&read(text)).unwrap().vectors().unwrap();
        vectors.iter().map(|v| format!("{}{}", v.text(), if v.outcome { '+' } else { '-' })).collect()
    }

    #[test]
    fn expressions_are_evaluated_as_c_does() {
        assert_eq!(vectors("a & !(b | c)"), ["F---", "TFF+", "TFT-", "TT--"]);
        assert_eq!(vectors("!(a & b)"), ["F-+", "TF+", "TT-"]);
        assert_eq!(vectors("a | b & c"), ["FF--", "FTF-", "FTT+", "T--+"]);
    }

    #[test]
    fn each_operator_is_changed_once() {
        let shown = |text: &str| -> Vec<String> {
            let letters = |d: &Diagram| {
                let vectors = d.vectors().unwrap();
                vectors.iter().map(|v| format!("{}{}", v.text(), if v.outcome { '+' } else { '-' })).collect::<Vec<_>>()
            };
            let all = flipped(&parse(&read(text)).unwrap()).unwrap();
            all.iter().map(|(words, d)| format!("{words}: {}", letters(d).join(" "))).collect()
        };
        assert_eq!(shown("a & (b | c)"), ["&& becomes ||: FFF- FFT+ FT-+ T--+", "|| becomes &&: F--- TF-- TTF- TTT+"]);
        assert_eq!(shown("!(a & b)"), ["&& becomes ||: FF+ FT- T--"]);
        assert_eq!(shown("a | b | c & d").len(), 3);
    }

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
        let balanced = balance(inner, &[Token::Open, Token::Not, Token::Open]);
        assert_eq!(balanced[..2], [Token::Not, Token::Open]);
        assert_eq!(balanced.last(), Some(&Token::Close));
        assert!(parse(&balanced).is_some());
    }

    #[test]
    fn constants_are_read_where_they_are_numbers() {
        assert_eq!(
            (constant("1"), constant("(!0)"), constant("0u"), constant("X")),
            (Some(true), Some(true), Some(false), None)
        );
    }
}
