//! The words of the text form.

use std::fmt;
use std::iter::Peekable;
use std::str::CharIndices;

use super::ParseError;

/// A place in the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Pos {
    line: u32,
    column: u32,
}

impl Pos {
    pub(super) fn error(self, message: impl Into<String>) -> ParseError {
        ParseError { line: self.line, column: self.column, message: message.into() }
    }
}

#[derive(Clone, PartialEq, Debug)]
pub(super) enum Token<'a> {
    Word(&'a str),
    /// `magnitude` is at most 2¹²⁷ where `negative`.
    Int {
        negative: bool,
        magnitude: u128,
        hex: bool,
    },
    /// A decimal number with a point or an exponent.
    Float(&'a str),
    Str(Vec<u8>),
    /// `x"01ff"`
    Hex(Vec<u8>),
    Punct(&'static str),
    End,
}

impl fmt::Display for Token<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Token::Word(w) => write!(f, "`{w}`"),
            Token::Int { .. } | Token::Float(_) => f.write_str("a number"),
            Token::Str(_) => f.write_str("a string"),
            Token::Hex(_) => f.write_str("bytes"),
            Token::Punct(p) => write!(f, "`{p}`"),
            Token::End => f.write_str("the end of the text"),
        }
    }
}

/// Longer ones first, where one is the start of another.
const PUNCTUATION: [&str; 17] =
    ["...", "->", "=>", ".", "=", "(", ")", "[", "]", "{", "}", ",", ":", "@", "!", "*", "?"];

struct Lexer<'a> {
    text: &'a str,
    chars: Peekable<CharIndices<'a>>,
    pos: Pos,
}

/// Takes a text apart. The last token is always [`Token::End`].
pub(super) fn lex(text: &str) -> Result<Vec<(Token<'_>, Pos)>, ParseError> {
    let mut lexer = Lexer { text, chars: text.char_indices().peekable(), pos: Pos { line: 1, column: 1 } };
    let mut tokens = Vec::new();
    loop {
        lexer.skip_blank();
        let pos = lexer.pos;
        let token = lexer.token()?;
        let end = token == Token::End;
        tokens.push((token, pos));
        if end {
            return Ok(tokens);
        }
    }
}

impl<'a> Lexer<'a> {
    fn peek(&mut self) -> Option<char> {
        self.chars.peek().map(|(_, c)| *c)
    }

    fn offset(&mut self) -> usize {
        self.chars.peek().map_or(self.text.len(), |(i, _)| *i)
    }

    fn bump(&mut self) -> Option<char> {
        let (_, c) = self.chars.next()?;
        if c == '\n' {
            self.pos = Pos { line: self.pos.line + 1, column: 1 };
        } else {
            self.pos.column += 1;
        }
        Some(c)
    }

    /// Takes characters while they are of a kind, and returns them.
    fn take_while(&mut self, kind: impl Fn(char) -> bool) -> &'a str {
        let start = self.offset();
        while self.peek().is_some_and(&kind) {
            self.bump();
        }
        let end = self.offset();
        &self.text[start..end]
    }

    fn skip_blank(&mut self) {
        while let Some(c) = self.peek() {
            if c == ';' {
                self.take_while(|c| c != '\n');
            } else if c.is_whitespace() {
                self.bump();
            } else {
                return;
            }
        }
    }

    fn token(&mut self) -> Result<Token<'a>, ParseError> {
        let Some(c) = self.peek() else { return Ok(Token::End) };
        let start = self.offset();
        let rest = &self.text[start..];
        let pos = self.pos;
        let digit_next = || rest[1..].starts_with(|c: char| c.is_ascii_digit());
        match c {
            '"' => self.string().map(Token::Str),
            'x' if rest.starts_with("x\"") => {
                self.bump();
                self.hex_bytes().map(Token::Hex)
            }
            'a'..='z' | 'A'..='Z' | '_' => Ok(Token::Word(self.take_while(is_word))),
            '0'..='9' => self.number(),
            '-' if digit_next() => self.number(),
            '+' | '-' if !rest.starts_with("->") => {
                self.bump();
                Ok(Token::Punct(if c == '+' { "+" } else { "-" }))
            }
            _ => {
                let Some(p) = PUNCTUATION.into_iter().find(|p| rest.starts_with(p)) else {
                    return Err(pos.error(format!("the character {c:?} has no meaning here")));
                };
                p.chars().for_each(|_| {
                    self.bump();
                });
                Ok(Token::Punct(p))
            }
        }
    }

    fn number(&mut self) -> Result<Token<'a>, ParseError> {
        let pos = self.pos;
        let start = self.offset();
        let negative = self.peek() == Some('-');
        if negative {
            self.bump();
        }
        let mut word = self.take_while(is_word);
        let hex = word.starts_with("0x");
        let point = self.peek() == Some('.') && !self.text[self.offset()..].starts_with("...");
        if !hex && (point || word.contains('e')) {
            if point {
                self.bump();
                word = self.take_while(is_word);
            }
            if word.ends_with('e') && matches!(self.peek(), Some('-' | '+')) {
                self.bump();
                self.take_while(is_word);
            }
            let end = self.offset();
            return self.float(pos, start, end);
        }
        let magnitude = match word.strip_prefix("0x") {
            Some(digits) => u128::from_str_radix(digits, 16),
            None => word.parse::<u128>(),
        };
        let magnitude = magnitude.map_err(|_| pos.error(format!("`{word}` is not a number of at most 128 bits")))?;
        if negative && magnitude > 1 << 127 {
            return Err(pos.error("this number is below the least 128-bit integer"));
        }
        Ok(Token::Int { negative, magnitude, hex })
    }

    fn float(&self, pos: Pos, start: usize, end: usize) -> Result<Token<'a>, ParseError> {
        let word = &self.text[start..end];
        let digits = word.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'-' | b'+' | b'.' | b'e'));
        if digits && word.parse::<f64>().is_ok() {
            Ok(Token::Float(word))
        } else {
            Err(pos.error(format!("`{word}` is not a number")))
        }
    }

    fn string(&mut self) -> Result<Vec<u8>, ParseError> {
        let open = self.pos;
        self.bump();
        let mut bytes = Vec::new();
        loop {
            let pos = self.pos;
            match self.bump() {
                None | Some('\n') => return Err(open.error("this string does not end on its line")),
                Some('"') => return Ok(bytes),
                Some('\\') => bytes.push(self.escape(pos)?),
                Some(c) => bytes.extend(c.encode_utf8(&mut [0; 4]).bytes()),
            }
        }
    }

    fn escape(&mut self, pos: Pos) -> Result<u8, ParseError> {
        let unknown = || pos.error("an escape is one of \\n \\t \\\" \\\\ and \\xHH");
        match self.bump() {
            Some('n') => Ok(b'\n'),
            Some('t') => Ok(b'\t'),
            Some('"') => Ok(b'"'),
            Some('\\') => Ok(b'\\'),
            Some('x') => {
                let mut digit = || self.bump().and_then(|c| c.to_digit(16)).ok_or_else(unknown);
                let high = digit()?;
                Ok((high * 16 + digit()?) as u8)
            }
            _ => Err(unknown()),
        }
    }

    fn hex_bytes(&mut self) -> Result<Vec<u8>, ParseError> {
        self.bump();
        let mut bytes = Vec::new();
        loop {
            let pos = self.pos;
            let digit = |c: Option<char>| {
                c.and_then(|c| c.to_digit(16)).ok_or_else(|| pos.error("expected two hexadecimal digits for each byte"))
            };
            match self.bump() {
                Some('"') => return Ok(bytes),
                c => {
                    let high = digit(c)?;
                    bytes.push((high * 16 + digit(self.bump())?) as u8);
                }
            }
        }
    }
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}
