//! S-expressions: the lists and words of which SMT-LIB text is made.
//!
//! A [`Document`] is flat (lists hold indices), so that neither reading nor dropping it recurses, however deep the text is.

use std::fmt;

/// A place in a text, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    /// From 1.
    pub line: u32,
    /// From 1.
    pub column: u32,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {} column {}", self.line, self.column)
    }
}

/// Why a text was refused, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// Where.
    pub at: Position,
    /// What is expected there.
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.at, self.message)
    }
}

impl std::error::Error for ParseError {}

/// An expression of one [`Document`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Sexp(u32);

/// What an expression is. Words borrow from the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind<'a> {
    /// A symbol; a quoted one without its bars, as `|x|` and `x` are the same symbol.
    Symbol(&'a str),
    /// Decimal digits.
    Numeral(&'a str),
    /// Digits with a point.
    Decimal(&'a str),
    /// The digits after `#x`.
    Hex(&'a str),
    /// The digits after `#b`.
    Binary(&'a str),
    /// The name after the colon.
    Keyword(&'a str),
    /// Between the quotes, with doubled quotes as they stand.
    Text(&'a str),
    /// What stands in brackets.
    List(Vec<Sexp>),
}

/// A text, read.
#[derive(Clone, Debug)]
pub struct Document<'a> {
    text: &'a str,
    /// With the offset where the expression starts.
    nodes: Vec<(Kind<'a>, usize)>,
    items: Vec<Sexp>,
}

impl<'a> Document<'a> {
    /// Reads the whole text.
    pub fn read(text: &'a str) -> Result<Document<'a>, ParseError> {
        Reader::new(text).read()
    }

    /// The expressions on the outermost level.
    pub fn items(&self) -> &[Sexp] {
        &self.items
    }

    /// What an expression is.
    pub fn kind(&self, s: Sexp) -> &Kind<'a> {
        &self.nodes[s.0 as usize].0
    }

    /// Where it begins.
    pub fn position(&self, s: Sexp) -> Position {
        position(self.text, self.nodes[s.0 as usize].1)
    }

    /// What it consists of, if it is a list.
    pub fn list(&self, s: Sexp) -> Option<&[Sexp]> {
        match self.kind(s) {
            Kind::List(items) => Some(items),
            _ => None,
        }
    }

    /// The symbol that it is, without the bars of a quoted one.
    pub fn symbol(&self, s: Sexp) -> Option<&'a str> {
        match self.kind(s) {
            Kind::Symbol(name) => Some(name),
            _ => None,
        }
    }

    /// A numeral that is an index of an identifier, such as a width.
    pub fn index(&self, s: Sexp) -> Option<u32> {
        match self.kind(s) {
            Kind::Numeral(digits) => digits.parse().ok(),
            _ => None,
        }
    }

    /// Whether two expressions read the same. Both are walked with an explicit stack.
    pub fn same(&self, a: Sexp, b: Sexp) -> bool {
        let mut stack = vec![(a, b)];
        while let Some((a, b)) = stack.pop() {
            match (self.kind(a), self.kind(b)) {
                (Kind::List(x), Kind::List(y)) if x.len() == y.len() => {
                    stack.extend(x.iter().copied().zip(y.iter().copied()));
                }
                (Kind::List(_), _) | (_, Kind::List(_)) => return false,
                (x, y) if x == y => {}
                _ => return false,
            }
        }
        true
    }

    /// An error at the place of an expression.
    pub fn error(&self, at: Sexp, message: impl Into<String>) -> ParseError {
        ParseError { at: self.position(at), message: message.into() }
    }
}

/// The line and column of an offset. Only errors need it, so it is counted anew instead of being kept while reading.
fn position(text: &str, offset: usize) -> Position {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.matches('\n').count();
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count();
    let number = |n: usize| u32::try_from(n + 1).unwrap_or(u32::MAX);
    Position { line: number(line), column: number(column) }
}

/// Turns text into a [`Document`].
#[derive(Debug)]
pub struct Reader<'a> {
    at: usize,
    document: Document<'a>,
}

impl<'a> Reader<'a> {
    /// Reads expressions one after the other, as an input needs them.
    pub fn new(text: &'a str) -> Reader<'a> {
        Reader { at: 0, document: Document { text, nodes: Vec::new(), items: Vec::new() } }
    }

    /// Reads to the end of the text.
    pub fn read(mut self) -> Result<Document<'a>, ParseError> {
        let mut open: Vec<(usize, Vec<Sexp>)> = Vec::new();
        while let Some(c) = self.skip_blanks() {
            let start = self.at;
            let node = match c {
                b'(' => {
                    self.at += 1;
                    open.push((start, Vec::new()));
                    continue;
                }
                b')' => {
                    self.at += 1;
                    let Some((start, items)) = open.pop() else {
                        return Err(self.error(start, "a closing parenthesis that none opened"));
                    };
                    self.push(Kind::List(items), start)?
                }
                _ => {
                    let word = self.word()?;
                    self.push(word, start)?
                }
            };
            match open.last_mut() {
                Some((_, items)) => items.push(node),
                None => self.document.items.push(node),
            }
        }
        match open.pop() {
            Some((start, _)) => Err(self.error(start, "this parenthesis is never closed")),
            None => Ok(self.document),
        }
    }

    fn error(&self, offset: usize, message: impl Into<String>) -> ParseError {
        ParseError { at: position(self.document.text, offset), message: message.into() }
    }

    fn push(&mut self, kind: Kind<'a>, start: usize) -> Result<Sexp, ParseError> {
        let Ok(index) = u32::try_from(self.document.nodes.len()) else {
            return Err(self.error(start, "the text has too many words"));
        };
        self.document.nodes.push((kind, start));
        Ok(Sexp(index))
    }

    fn peek(&self) -> Option<u8> {
        self.document.text.as_bytes().get(self.at).copied()
    }

    /// Goes on while the next byte is such a one.
    fn skip(&mut self, while_: impl Fn(u8) -> bool) {
        while self.peek().is_some_and(&while_) {
            self.at += 1;
        }
    }

    /// Past blanks and comments; the byte that is next.
    fn skip_blanks(&mut self) -> Option<u8> {
        loop {
            match self.peek()? {
                b';' => self.skip(|c| c != b'\n'),
                c if c.is_ascii_whitespace() => self.at += 1,
                c => return Some(c),
            }
        }
    }

    fn word(&mut self) -> Result<Kind<'a>, ParseError> {
        let (text, start) = (self.document.text, self.at);
        match self.peek() {
            Some(b'|') => Ok(Kind::Symbol(self.delimited(b'|')?)),
            Some(b'"') => {
                self.delimited(b'"')?;
                // A doubled quote stands for one quote inside the string.
                while self.peek() == Some(b'"') {
                    self.delimited(b'"')?;
                }
                Ok(Kind::Text(text.get(start + 1..self.at - 1).unwrap_or_default()))
            }
            _ => {
                self.skip(|c| !c.is_ascii_whitespace() && !b"()|\";".contains(&c));
                classify(text.get(start..self.at).unwrap_or_default()).map_err(|message| self.error(start, message))
            }
        }
    }

    /// The text between two equal delimiters, the first of which is next.
    fn delimited(&mut self, delimiter: u8) -> Result<&'a str, ParseError> {
        let (text, start) = (self.document.text, self.at);
        self.at += 1;
        self.skip(|c| c != delimiter);
        if self.peek().is_none() {
            return Err(self.error(start, format!("no closing {} follows", char::from(delimiter))));
        }
        self.at += 1;
        Ok(text.get(start + 1..self.at - 1).unwrap_or_default())
    }
}

/// What a word is that is neither quoted nor a string. It ends at ASCII bytes, so slices of it are at character boundaries.
fn classify(word: &str) -> Result<Kind<'_>, String> {
    let all = |digits: &str, ok: fn(char) -> bool| !digits.is_empty() && digits.chars().all(ok);
    if let Some(digits) = word.strip_prefix("#x") {
        return if all(digits, |c| c.is_ascii_hexdigit()) {
            Ok(Kind::Hex(digits))
        } else {
            Err(format!("{word} is no hexadecimal literal"))
        };
    }
    if let Some(digits) = word.strip_prefix("#b") {
        return if all(digits, |c| c == '0' || c == '1') {
            Ok(Kind::Binary(digits))
        } else {
            Err(format!("{word} is no binary literal"))
        };
    }
    if let Some(name) = word.strip_prefix(':') {
        return Ok(Kind::Keyword(name));
    }
    if word.starts_with(|c: char| c.is_ascii_digit()) {
        if all(word, |c| c.is_ascii_digit()) {
            return Ok(Kind::Numeral(word));
        }
        let is_decimal = word.split_once('.').is_some_and(|(a, b)| {
            let digit = |c: char| c.is_ascii_digit();
            all(a, digit) && all(b, digit)
        });
        return if is_decimal { Ok(Kind::Decimal(word)) } else { Err(format!("{word} is no number")) };
    }
    Ok(Kind::Symbol(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_lists() {
        let d = Document::read("; a comment\n(a |b c| (#xF0 #b01) 12 1.5 :key \"s\"\"t\") z").unwrap();
        assert_eq!(d.items().len(), 2);
        let items = d.list(d.items()[0]).unwrap();
        let kinds: Vec<&Kind<'_>> = items.iter().map(|s| d.kind(*s)).collect();
        assert_eq!(*kinds[0], Kind::Symbol("a"));
        assert_eq!(*kinds[1], Kind::Symbol("b c"));
        let inner = d.list(items[2]).unwrap();
        assert_eq!((d.kind(inner[0]), d.kind(inner[1])), (&Kind::Hex("F0"), &Kind::Binary("01")));
        assert_eq!(*kinds[3], Kind::Numeral("12"));
        assert_eq!(*kinds[4], Kind::Decimal("1.5"));
        assert_eq!(*kinds[5], Kind::Keyword("key"));
        assert_eq!(*kinds[6], Kind::Text("s\"\"t"));
        assert_eq!(d.symbol(d.items()[1]), Some("z"));
        assert_eq!(d.position(inner[1]), Position { line: 2, column: 16 });
    }

    #[test]
    fn errors_have_places() {
        let error = |text: &str| Document::read(text).unwrap_err();
        assert_eq!(error("(a\n (b").to_string(), "line 2 column 2: this parenthesis is never closed");
        assert_eq!(error("a\n b)").at, Position { line: 2, column: 3 });
        assert_eq!(error("é |x\ny").at, Position { line: 1, column: 3 });
        assert_eq!(error("#xg").message, "#xg is no hexadecimal literal");
        assert_eq!(error("#b").message, "#b is no binary literal");
        assert_eq!(error("1a").message, "1a is no number");
        assert_eq!(error("(\"x").message, "no closing \" follows");
    }

    #[test]
    fn depth_is_no_matter() {
        let deep = format!("{}x{}", "(".repeat(1_000_000), ")".repeat(1_000_000));
        let d = Document::read(&deep).unwrap();
        assert!(d.same(d.items()[0], d.items()[0]));
        assert!(Document::read(&"(".repeat(1_000_000)).is_err());
    }
}
