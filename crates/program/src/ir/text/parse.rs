//! From a text to a program: the parser's tools, and the items outside of function bodies.

use cranelift_entity::{EntityRef, PrimaryMap};

use super::ParseError;
use super::lex::{Pos, Token, lex};
use super::parse_body::parse_body;
use crate::ir::{
    Block, Const, FileId, FuncId, Function, FunctionSource, Global, GlobalId, Loc, Origin, Program, Reloc, SourceFile,
    Symbol, Type,
};

/// No text may ask for more initial bytes than this in one global.
const MAX_INIT: u64 = 1 << 28;

/// Reads the text form that [`super`] describes.
pub fn parse(text: &str) -> Result<Program, ParseError> {
    let mut parser = Parser { tokens: lex(text)?, at: 0, references: Vec::new() };
    let program = parser.program()?;
    parser.check_references(&program)?;
    Ok(program)
}

/// What a text may name before it is defined.
enum Reference {
    File(FileId),
    Global(GlobalId),
    Func(FuncId),
}

pub(super) struct Parser<'a> {
    tokens: Vec<(Token<'a>, Pos)>,
    at: usize,
    references: Vec<(Reference, Pos)>,
}

/// The tools.
impl<'a> Parser<'a> {
    pub(super) fn peek(&self) -> &Token<'a> {
        &self.tokens[self.at].0
    }

    pub(super) fn pos(&self) -> Pos {
        self.tokens[self.at].1
    }

    /// The next token but one.
    fn peek_second(&self) -> &Token<'a> {
        &self.tokens[(self.at + 1).min(self.tokens.len() - 1)].0
    }

    /// Moves on; stays on the last token, which is the end of the text.
    pub(super) fn bump(&mut self) -> Token<'a> {
        let token = self.peek().clone();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    /// The tokens from here on.
    pub(super) fn rest(&self) -> impl Iterator<Item = &Token<'a>> {
        self.tokens[self.at..].iter().map(|(token, _)| token)
    }

    pub(super) fn expected<T>(&self, what: &str) -> Result<T, ParseError> {
        Err(self.pos().error(format!("expected {what}, found {}", self.peek())))
    }

    /// Takes a punctuation mark if it is next.
    pub(super) fn eat(&mut self, punct: &'static str) -> bool {
        let found = *self.peek() == Token::Punct(punct);
        if found {
            self.bump();
        }
        found
    }

    pub(super) fn expect(&mut self, punct: &'static str) -> Result<(), ParseError> {
        if self.eat(punct) { Ok(()) } else { self.expected(&format!("`{punct}`")) }
    }

    /// Takes a word if it is next.
    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let found = *self.peek() == Token::Word(word);
        if found {
            self.bump();
        }
        found
    }

    pub(super) fn expect_word(&mut self, word: &str) -> Result<(), ParseError> {
        if self.eat_word(word) { Ok(()) } else { self.expected(&format!("`{word}`")) }
    }

    pub(super) fn word(&mut self, what: &str) -> Result<&'a str, ParseError> {
        let Token::Word(word) = *self.peek() else { return self.expected(what) };
        self.bump();
        Ok(word)
    }

    /// A number of the type asked for.
    pub(super) fn number<T: TryFrom<u128>>(&mut self, what: &str) -> Result<T, ParseError> {
        let Token::Int { negative: false, magnitude, .. } = *self.peek() else { return self.expected(what) };
        let number =
            T::try_from(magnitude).map_err(|_| self.pos().error(format!("{magnitude} is too large for {what}")));
        self.bump();
        number
    }

    pub(super) fn signed(&mut self, what: &str) -> Result<i64, ParseError> {
        let Token::Int { negative, magnitude, .. } = *self.peek() else { return self.expected(what) };
        let number = signed(negative, magnitude)
            .ok_or_else(|| self.pos().error(format!("this number does not fit {what}: it has more than 64 bits")));
        self.bump();
        number
    }

    pub(super) fn string(&mut self, what: &str) -> Result<String, ParseError> {
        let pos = self.pos();
        let Token::Str(bytes) = self.peek() else { return self.expected(what) };
        let string = String::from_utf8(bytes.clone()).map_err(|_| pos.error(format!("{what} is not UTF-8")));
        self.bump();
        string
    }

    /// An id if one of that kind is next: `id::<Block>("bb")`.
    pub(super) fn eat_id<T: EntityRef>(&mut self, prefix: &str) -> Option<T> {
        let Token::Word(word) = self.peek() else { return None };
        let id = id_number(word, prefix)?;
        self.bump();
        Some(T::new(id as usize))
    }

    pub(super) fn id<T: EntityRef>(&mut self, prefix: &str, what: &str) -> Result<T, ParseError> {
        match self.eat_id(prefix) {
            Some(id) => Ok(id),
            None => self.expected(what),
        }
    }

    pub(super) fn func(&mut self) -> Result<FuncId, ParseError> {
        let pos = self.pos();
        let id = self.id("fn", "a function such as `fn0`")?;
        self.references.push((Reference::Func(id), pos));
        Ok(id)
    }

    pub(super) fn ty(&mut self) -> Result<Type, ParseError> {
        let ty = match self.peek() {
            Token::Word(word) => type_of(word),
            _ => None,
        };
        let Some(ty) = ty else { return self.expected("a type") };
        self.bump();
        Ok(ty)
    }

    /// Takes `item`s with commas between them.
    pub(super) fn commas<T>(
        &mut self,
        mut item: impl FnMut(&mut Self) -> Result<T, ParseError>,
    ) -> Result<Vec<T>, ParseError> {
        let mut items = vec![item(self)?];
        while self.eat(",") {
            items.push(item(self)?);
        }
        Ok(items)
    }

    /// The location after `@`, if there is one.
    pub(super) fn loc(&mut self) -> Result<Loc, ParseError> {
        if !self.eat("@") {
            return Ok(Loc::NONE);
        }
        let pos = self.pos();
        let file = if self.eat("?") { None } else { Some(self.id("file", "a file such as `file0`, or `?`")?) };
        self.expect(":")?;
        let line = self.number("a line number")?;
        self.expect(":")?;
        let column = self.number("a column number")?;
        let Some(file) = file else {
            let mut loc = Loc::NONE;
            (loc.line, loc.column) = (line, column);
            return Ok(loc);
        };
        self.references.push((Reference::File(file), pos));
        Ok(Loc::new(file, line, column))
    }

    fn symbol(&mut self) -> Result<Symbol, ParseError> {
        let pos = self.pos();
        if let Some(id) = self.eat_id("g") {
            self.references.push((Reference::Global(id), pos));
            return Ok(Symbol::Global(id));
        }
        if !matches!(self.peek(), Token::Word(w) if id_number(w, "fn").is_some()) {
            return self.expected("a global or a function");
        }
        let function = self.func()?;
        Ok(if self.eat(".") {
            Symbol::Label(function, self.id::<Block>("bb", "a block")?)
        } else {
            Symbol::Func(function)
        })
    }

    /// ` + 8`, ` - 8`, or nothing.
    fn addend(&mut self) -> Result<i64, ParseError> {
        let minus = match self.peek() {
            Token::Punct("+") => false,
            Token::Punct("-") => true,
            Token::Int { negative: true, .. } => return self.signed("an offset"),
            _ => return Ok(0),
        };
        self.bump();
        let pos = self.pos();
        let magnitude = self.number("an offset")?;
        signed(minus, magnitude).ok_or_else(|| pos.error("an offset has at most 64 bits"))
    }

    /// A constant of that type.
    pub(super) fn constant(&mut self, ty: Type) -> Result<Const, ParseError> {
        if self.eat_word("undef") {
            return Ok(Const::Undef);
        }
        if self.eat_word("null") {
            return Ok(Const::Bits(0));
        }
        if let Token::Word(_) = self.peek() {
            return Ok(match self.symbol()? {
                Symbol::Global(id) => Const::Global(id, self.addend()?),
                Symbol::Func(id) => Const::Func(id),
                Symbol::Label(id, block) => Const::Label(id, block),
            });
        }
        let bits = match (self.peek(), ty) {
            (Token::Int { negative: false, magnitude, hex: true }, _) => Some(*magnitude),
            (Token::Int { negative, magnitude, .. }, Type::Int(width)) => {
                let bits = int_bits(*negative, *magnitude, width);
                Some(bits.ok_or_else(|| self.pos().error(format!("this number does not fit {ty}")))?)
            }
            (Token::Float(text), Type::F32) => text.parse::<f32>().ok().map(|x| u128::from(x.to_bits())),
            (Token::Float(text), Type::F64) => text.parse::<f64>().ok().map(|x| u128::from(x.to_bits())),
            _ => None,
        };
        let Some(bits) = bits else { return self.expected(&format!("a constant of type {ty}")) };
        self.bump();
        Ok(Const::Bits(bits))
    }

    fn check_references(&self, program: &Program) -> Result<(), ParseError> {
        for (reference, pos) in &self.references {
            let missing = match *reference {
                Reference::File(id) if !program.files.is_valid(id) => id.to_string(),
                Reference::Global(id) if !program.globals.is_valid(id) => id.to_string(),
                Reference::Func(id) if !program.functions.is_valid(id) => id.to_string(),
                _ => continue,
            };
            return Err(pos.error(format!("{missing} is not defined")));
        }
        Ok(())
    }
}

/// The items.
impl Parser<'_> {
    fn program(&mut self) -> Result<Program, ParseError> {
        let mut program = Program::default();
        loop {
            if *self.peek() == Token::End {
                return Ok(program);
            } else if self.eat_word("target") {
                let pos = self.pos();
                let name = self.word("a target")?;
                program.target = name.parse().map_err(|_| pos.error(format!("{name} is no target")))?;
            } else if self.eat_word("constructors") {
                program.constructors.extend(self.commas(Parser::func)?);
            } else if self.eat_word("destructors") {
                program.destructors.extend(self.commas(Parser::func)?);
            } else if matches!(self.peek(), Token::Word(w) if id_number(w, "file").is_some()) {
                self.define("file", &program.files)?;
                program.files.push(self.file()?);
            } else if matches!(self.peek(), Token::Word(w) if id_number(w, "g").is_some()) {
                self.define("g", &program.globals)?;
                program.globals.push(self.global()?);
            } else if matches!(self.peek(), Token::Word(w) if id_number(w, "fn").is_some()) {
                self.define("fn", &program.functions)?;
                program.functions.push(self.function()?);
            } else {
                return self.expected("a file, a global, a function, `target`, `constructors` or `destructors`");
            }
        }
    }

    /// `fn3 =`, which must be the next id of its kind.
    pub(super) fn define<K: EntityRef, V>(&mut self, prefix: &str, map: &PrimaryMap<K, V>) -> Result<(), ParseError> {
        let pos = self.pos();
        let id: K = self.id(prefix, &format!("`{prefix}{}`", map.len()))?;
        if id.index() != map.len() {
            return Err(pos.error(format!("definitions stand in order: expected {prefix}{}", map.len())));
        }
        self.expect("=")
    }

    fn file(&mut self) -> Result<SourceFile, ParseError> {
        self.expect_word("file")?;
        let name = self.string("a file name")?;
        self.expect_word("in")?;
        Ok(SourceFile { directory: self.string("a directory")?, name })
    }

    fn origin(&mut self) -> Origin {
        if self.eat_word("library") { Origin::Library } else { Origin::Subject }
    }

    fn global(&mut self) -> Result<Global, ParseError> {
        let origin = self.origin();
        self.expect_word("global")?;
        let name = self.string("the global's name")?;
        let constant = self.eat_word("const");
        let internal = self.eat_word("internal");
        let thread_local = self.eat_word("thread_local");
        self.expect_word("size")?;
        let size = self.number("a size")?;
        self.expect_word("align")?;
        let align = self.number("an alignment")?;
        let source_name = if self.eat_word("source") { Some(self.string("the name in the source")?) } else { None };
        let init = if self.eat_word("init") { Some(self.bytes()?) } else { None };
        let mut relocs = Vec::new();
        if self.eat_word("relocs") {
            self.expect("[")?;
            relocs = self.commas(Parser::reloc)?;
            self.expect("]")?;
        }
        Ok(Global { name, origin, size, align, constant, internal, thread_local, init, relocs, source_name, ty: None })
    }

    fn bytes(&mut self) -> Result<Vec<u8>, ParseError> {
        self.expect("[")?;
        let mut bytes = Vec::new();
        while !self.eat("]") {
            let pos = self.pos();
            match self.peek().clone() {
                Token::Str(part) | Token::Hex(part) => {
                    self.bump();
                    bytes.extend(part);
                }
                _ => {
                    let byte: u8 = self.number("a byte, a string, `x\"…\"` or `]`")?;
                    let count: u64 = if self.eat("*") { self.number("a count")? } else { 1 };
                    if count.saturating_add(bytes.len() as u64) > MAX_INIT {
                        return Err(pos.error(format!("a global has at most {MAX_INIT} initial bytes")));
                    }
                    bytes.resize(bytes.len() + count as usize, byte);
                }
            }
        }
        Ok(bytes)
    }

    fn reloc(&mut self) -> Result<Reloc, ParseError> {
        let offset = self.number("an offset")?;
        self.expect(":")?;
        let size = self.number("a size in bytes")?;
        self.expect("=")?;
        let symbol = self.symbol()?;
        let minus = if self.eat_word("minus") { Some(self.symbol()?) } else { None };
        Ok(Reloc { offset, size, symbol, minus, addend: self.addend()? })
    }

    fn function(&mut self) -> Result<Function, ParseError> {
        let origin = self.origin();
        self.expect_word("function")?;
        let name = self.string("the function's name")?;
        self.expect("(")?;
        let mut params = Vec::new();
        let mut variadic = false;
        while !self.eat(")") {
            variadic = self.eat("...");
            if variadic {
                self.expect(")")?;
                break;
            }
            params.push(self.ty()?);
            if *self.peek() != Token::Punct(")") {
                self.expect(",")?;
            }
        }
        let returns = if self.eat("->") { self.commas(Parser::ty)? } else { Vec::new() };
        let loc = self.loc()?;
        let body = if self.eat("{") { Some(parse_body(self)?) } else { None };
        Ok(Function { name, origin, params, returns, variadic, loc, body, source: FunctionSource::default() })
    }

    /// Whether an instruction id with its colon (`i7:`) is next.
    pub(super) fn at_inst_id(&self) -> bool {
        let Token::Word(word) = self.peek() else { return false };
        id_number(word, "i").is_some() && *self.peek_second() == Token::Punct(":")
    }
}

/// The number of an id with that prefix. The greatest `u32` is no id: the maps keep it for "none".
pub(super) fn id_number(word: &str, prefix: &str) -> Option<u32> {
    let digits = word.strip_prefix(prefix)?;
    let number = digits.bytes().all(|b| b.is_ascii_digit()).then(|| digits.parse().ok())??;
    (number != u32::MAX).then_some(number)
}

pub(super) fn type_of(word: &str) -> Option<Type> {
    match word {
        "ptr" => Some(Type::Ptr),
        "ptr32" => Some(Type::Ptr32),
        "f32" => Some(Type::F32),
        "f64" => Some(Type::F64),
        "f80" => Some(Type::F80),
        _ => id_number(word, "i").and_then(|w| u8::try_from(w).ok()).filter(|w| (1..=128).contains(w)).map(Type::Int),
    }
}

fn signed(negative: bool, magnitude: u128) -> Option<i64> {
    let value = i128::try_from(magnitude).ok()?;
    i64::try_from(if negative { -value } else { value }).ok()
}

/// The bits of a decimal integer, if it fits the width as a signed or an unsigned number.
fn int_bits(negative: bool, magnitude: u128, width: u8) -> Option<u128> {
    let mask = u128::MAX >> (128 - u32::from(width));
    if negative {
        (magnitude <= 1 << (width - 1)).then(|| magnitude.wrapping_neg() & mask)
    } else {
        (magnitude <= mask).then_some(magnitude)
    }
}
