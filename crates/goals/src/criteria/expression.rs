//! Boolean expressions of conditions: read from the signs between the conditions, laid out as C evaluates them, and with an
//! operator changed.

use crate::criteria::mcdc::{Diagram, Next};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Token {
    Open,
    Close,
    Not,
    And,
    Or,
    Condition(usize),
}

impl Token {
    /// The same with another number for a condition.
    pub(crate) fn renamed(self, mut number: impl FnMut(usize) -> usize) -> Token {
        match self {
            Token::Condition(i) => Token::Condition(number(i)),
            other => other,
        }
    }
}

/// The operators and parentheses of a text; `None` if there is something else.
pub(crate) fn tokens(text: &str) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    let text = without_comments(text);
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

fn without_comments(text: &str) -> String {
    let (mut plain, mut rest) = (String::new(), text);
    while let Some(at) = rest.find("/*").into_iter().chain(rest.find("//")).min() {
        plain.push_str(&rest[..at]);
        plain.push(' ');
        let (mark, length) = if rest[at..].starts_with("/*") { ("*/", 2) } else { ("\n", 0) };
        rest = rest[at + 2..].find(mark).map_or("", |end| &rest[at + 2 + end + length..]);
    }
    plain + rest
}

/// Walks over the characters that stand in no parentheses, string or character: `found` gets what is left of the text
/// there and may say how many bytes it took.
fn outside(text: &str, mut found: impl FnMut(usize, &str) -> usize) -> Option<()> {
    let (mut depth, mut at) = (0u32, 0);
    while let Some(c) = text.get(at..)?.chars().next() {
        match c {
            '"' | '\'' => at += quoted(&text[at..])?,
            '(' | '[' | '{' => {
                depth += 1;
                at += 1;
            }
            ')' | ']' | '}' => {
                depth = depth.checked_sub(1)?;
                at += 1;
            }
            _ if depth == 0 => at += found(at, &text[at..]).max(c.len_utf8()),
            c => at += c.len_utf8(),
        }
    }
    (depth == 0).then_some(())
}

/// How long the string or character at the start is.
fn quoted(text: &str) -> Option<usize> {
    let mut chars = text.char_indices();
    let (_, quote) = chars.next()?;
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => drop(chars.next()),
            c if c == quote => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// The arguments in the parentheses at the start of a text, and how long these are.
pub(crate) fn arguments(text: &str) -> Option<(Vec<String>, usize)> {
    let open = text.find(|c: char| !c.is_whitespace()).filter(|&at| text[at..].starts_with('('))?;
    let mut depth = 0u32;
    let mut at = open;
    let end = loop {
        let c = text.get(at..)?.chars().next()?;
        match c {
            '"' | '\'' => at += quoted(&text[at..])?,
            _ => {
                depth = if c == '(' { depth + 1 } else { depth - u32::from(c == ')') };
                at += c.len_utf8();
            }
        }
        if depth == 0 {
            break at;
        }
    };
    let inside = &text[open + 1..end - 1];
    let mut commas = vec![];
    outside(inside, |at, rest| {
        commas.extend(rest.starts_with(',').then_some(at));
        0
    })?;
    let starts = std::iter::once(0).chain(commas.iter().map(|at| at + 1));
    let ends = commas.iter().copied().chain([inside.len()]);
    Some((starts.zip(ends).map(|(from, to)| inside[from..to].to_owned()).collect(), end))
}

/// The expression that a text is, with its conditions numbered. `None`: a condition has others inside, or it is no
/// expression.
pub(crate) fn conditions(text: &str) -> Option<Vec<Token>> {
    let mut all = Vec::new();
    let mut count = 0..;
    read_conditions(without_comments(text).trim(), &mut count, &mut all)?;
    Some(all)
}

fn read_conditions(text: &str, count: &mut impl Iterator<Item = usize>, all: &mut Vec<Token>) -> Option<()> {
    let mut operators: Vec<(usize, Token)> = Vec::new();
    outside(text, |at, rest| {
        let token = if rest.starts_with("&&") { Token::And } else { Token::Or };
        let found = rest.starts_with("&&") || rest.starts_with("||");
        operators.extend(found.then_some((at, token)));
        2 * usize::from(found)
    })?;
    if !operators.is_empty() {
        let mut from = 0;
        for (at, token) in operators {
            read_conditions(text[from..at].trim(), count, all)?;
            all.push(token);
            from = at + 2;
        }
        return read_conditions(text[from..].trim(), count, all);
    }
    if !text.contains("&&") && !text.contains("||") {
        all.push(Token::Condition(count.next()?));
        return (!text.is_empty() && !text.contains([';', '?'])).then_some(());
    }
    if let Some(rest) = text.strip_prefix('!') {
        all.push(Token::Not);
        return read_conditions(rest.trim_start(), count, all);
    }
    let inside = text.strip_prefix('(')?.strip_suffix(')')?;
    all.push(Token::Open);
    read_conditions(inside.trim(), count, all)?;
    all.push(Token::Close);
    Some(())
}

/// A Boolean expression.
#[derive(Clone, Debug)]
enum Tree {
    Condition(usize),
    Not(Box<Tree>),
    Both(Box<[Tree; 2]>),
    Either(Box<[Tree; 2]>),
}

pub(crate) fn parse(tokens: &[Token]) -> Option<Diagram> {
    Some(layout(&tree_of(tokens)?))
}

fn tree_of(tokens: &[Token]) -> Option<Tree> {
    let mut parser = Parser { tokens, at: 0 };
    let tree = parser.either()?;
    (parser.at == tokens.len()).then_some(tree)
}

/// How a tree is evaluated.
fn layout(tree: &Tree) -> Diagram {
    let mut next = vec![[Next::End(true), Next::End(false)]; leaves(tree)];
    let first = lay_out(tree, Next::End(true), Next::End(false), &mut next);
    Diagram { first, next }
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

/// The decision with each of its operators as the other one, in words too. `Err`: why that cannot be said.
pub(crate) fn flipped(diagram: &Diagram, text: &str) -> Result<Vec<(String, Diagram)>, &'static str> {
    const UNTOLD: &str = "the operators of the decision cannot be told";
    let count = diagram.next.len();
    let tree = match written(diagram, text) {
        Some(tree) => tree,
        None => {
            let tree = decompose(&diagram.next, 0..count, Next::End(true), Next::End(false)).ok_or(UNTOLD)?;
            // `a || (b || c)` is evaluated as `(a || b) || c` is, but not when the first operator is another.
            if is_ambiguous(&tree, false) {
                return Err("where the parentheses of the decision are cannot be told");
            }
            tree
        }
    };
    let mut all = Vec::new();
    for number in 0..count.saturating_sub(1) {
        let mut left = number;
        let (changed, words) = flip(&tree, &mut left);
        all.push((words.ok_or(UNTOLD)?.to_owned(), layout(&changed)));
    }
    Ok(all)
}

/// The expression as it is written, if it is evaluated as the diagram says.
fn written(diagram: &Diagram, text: &str) -> Option<Tree> {
    let mut tree = tree_of(&conditions(text)?)?;
    let found = layout(&tree);
    if found.next.len() != diagram.next.len() {
        return None;
    }
    // A condition of the text may be the opposite of the one that is evaluated.
    let opposite: Vec<bool> = found.next.iter().zip(&diagram.next).map(|(a, b)| a != b).collect();
    negate(&mut tree, &opposite);
    (layout(&tree) == *diagram).then_some(tree)
}

fn leaves(tree: &Tree) -> usize {
    match tree {
        Tree::Condition(_) => 1,
        Tree::Not(inner) => leaves(inner),
        Tree::Both(sides) | Tree::Either(sides) => sides.iter().map(leaves).sum(),
    }
}

/// Puts a `!` before some conditions.
fn negate(tree: &mut Tree, which: &[bool]) {
    match tree {
        Tree::Condition(i) if which[*i] => *tree = Tree::Not(Box::new(Tree::Condition(*i))),
        Tree::Condition(_) => {}
        Tree::Not(inner) => negate(inner, which),
        Tree::Both(sides) | Tree::Either(sides) => sides.iter_mut().for_each(|side| negate(side, which)),
    }
}

/// Whether other parentheses would be evaluated alike: three in a row with the same operator, once every `!` stands before
/// a condition.
fn is_ambiguous(tree: &Tree, negated: bool) -> bool {
    let operator = |tree: &Tree| {
        let (mut tree, mut negated) = (tree, negated);
        while let Tree::Not(inner) = tree {
            (tree, negated) = (inner, !negated);
        }
        match tree {
            Tree::Both(_) => Some(!negated),
            Tree::Either(_) => Some(negated),
            _ => None,
        }
    };
    match tree {
        Tree::Condition(_) => false,
        Tree::Not(inner) => is_ambiguous(inner, !negated),
        Tree::Both(sides) | Tree::Either(sides) => {
            let same = |side: &Tree| operator(side) == operator(tree);
            sides.iter().any(|side| same(side) || is_ambiguous(side, negated))
        }
    }
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
    fn arguments_of_macros_are_read() {
        let read = |text: &str| arguments(text).unwrap();
        assert_eq!(read("(a, f(b, c), ',') && d"), (vec!["a".to_owned(), " f(b, c)".into(), " ','".into()], 17));
        assert_eq!((arguments("x(a)"), arguments(" (a")), (None, None));
        let shown = |text: &str| {
            let sign = |token: &Token| match token {
                Token::Open => '(',
                Token::Close => ')',
                Token::Not => '!',
                Token::And => '&',
                Token::Or => '|',
                Token::Condition(i) => char::from(b'a' + *i as u8),
            };
            conditions(text).map(|all| all.iter().map(sign).collect::<String>())
        };
        // A `!` before a single condition is a part of it.
        assert_eq!(shown("x > 3 && !(y)").as_deref(), Some("a&b"));
        assert_eq!(shown("!(x || f(y, z)) && (u /* && */)").as_deref(), Some("!(a|b)&c"));
        assert_eq!(shown("c == '&' || p[i] == '|'").as_deref(), Some("a|b"));
        assert_eq!((shown("f(x && y) || z"), shown("(x && y")), (None, None));
    }

    #[test]
    fn each_operator_is_changed_once() {
        let shown = |text: &str| -> Vec<String> {
            let letters = |d: &Diagram| {
                let vectors = d.vectors().unwrap();
                vectors.iter().map(|v| format!("{}{}", v.text(), if v.outcome { '+' } else { '-' })).collect::<Vec<_>>()
            };
            let written = text.replace('&', "&&").replace('|', "||");
            let all = flipped(&parse(&read(text)).unwrap(), &written).unwrap();
            all.iter().map(|(words, d)| format!("{words}: {}", letters(d).join(" "))).collect()
        };
        assert_eq!(shown("a & (b | c)"), ["&& becomes ||: FFF- FFT+ FT-+ T--+", "|| becomes &&: F--- TF-- TTF- TTT+"]);
        assert_eq!(shown("!(a & b)"), ["&& becomes ||: FF+ FT- T--"]);
        assert_eq!(shown("a | b | c & d").len(), 3);
    }

    #[test]
    fn parentheses_say_which_operator_is_changed() {
        let first = |written: &str| -> Result<Vec<String>, &'static str> {
            let chain = parse(&read("a | b | c")).unwrap();
            let all = flipped(&chain, written)?;
            let vectors = all[0].1.vectors().unwrap();
            Ok(vectors.iter().map(|v| format!("{}{}", v.text(), if v.outcome { '+' } else { '-' })).collect())
        };
        assert_eq!(first("a || b || c").unwrap(), ["F-F-", "F-T+", "TFF-", "TFT+", "TT-+"]);
        assert_eq!(first("a || (b || c)").unwrap(), ["F---", "TFF-", "TFT+", "TT-+"]);
        assert!(first("ANY(a, b, c)").is_err_and(|why| why.contains("parentheses")));
        let negated = parse(&read("!(a & b) | c")).unwrap();
        assert!(flipped(&negated, "NOT_BOTH(a, b) || c").is_err());
        assert_eq!(flipped(&negated, "!(a && b) || c").unwrap().len(), 2);
        // The text has the condition that is evaluated, or its opposite.
        let opposite = parse(&read("!a & b")).unwrap();
        assert_eq!(flipped(&opposite, "a == 0 && b").unwrap()[0].1, parse(&read("!a | b")).unwrap());
    }
}
