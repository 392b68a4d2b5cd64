//! From a text to an instruction.

use super::ParseError;
use super::lex::Token;
use super::parse_body::BodyParser;
use crate::ir::{BinaryOp, CallData, Callee, CastOp, FloatCmp, IntCmp, Intrinsic, Op, OpFlags, UnaryOp, Value, VarArg};

impl BodyParser<'_, '_> {
    /// An instruction after its results.
    pub(super) fn op(&mut self) -> Result<Op, ParseError> {
        let pos = self.parser.pos();
        let word = self.parser.word("an instruction")?;
        match word {
            "icmp" => Ok(Op::IntCmp { cmp: self.name::<IntCmp>("an integer comparison")?, args: self.pair()? }),
            "fcmp" => Ok(Op::FloatCmp { cmp: self.name::<FloatCmp>("a float comparison")?, args: self.pair()? }),
            "select" => {
                let cond = self.operand()?;
                self.parser.expect(",")?;
                Ok(Op::Select { cond, args: self.pair()? })
            }
            "ptradd" => self.ptr_add(),
            "alloca" => {
                let size = self.operand()?;
                self.parser.expect_word("align")?;
                Ok(Op::Alloca { size, align: self.parser.number("an alignment")? })
            }
            "load" => Ok(Op::Load { volatile: self.parser.eat_word("volatile"), ptr: self.operand()? }),
            "store" => {
                let volatile = self.parser.eat_word("volatile");
                let [value, ptr] = self.pair()?;
                Ok(Op::Store { ptr, value, volatile })
            }
            "call" => self.call(),
            "intrinsic" => {
                let op = self.name::<Intrinsic>("an intrinsic")?;
                Ok(Op::Intrinsic { op, args: self.arguments()? })
            }
            "counter" => Ok(Op::Counter { index: self.parser.number("a counter")? }),
            "ghost" => {
                let first = self.parser.number("a label")?;
                self.parser.expect(",")?;
                let labels = self.parser.number("how many labels")?;
                self.parser.expect(",")?;
                Ok(Op::Ghost { first, labels, insts: self.parser.number("how many instructions")? })
            }
            "label" => {
                let index = self.parser.number("a label")?;
                self.parser.expect(",")?;
                Ok(Op::Label { index, cond: self.operand()? })
            }
            "unsupported" => Ok(Op::Unsupported { what: self.parser.string("what is not supported")? }),
            _ => match self.arithmetic(word)? {
                Some(op) => Ok(op),
                None => Err(pos.error(format!("there is no instruction `{word}`"))),
            },
        }
    }

    /// The instructions whose first word is the name of their operation.
    fn arithmetic(&mut self, word: &str) -> Result<Option<Op>, ParseError> {
        Ok(if let Ok(op) = word.parse::<BinaryOp>() {
            let flags = OpFlags { nsw: self.parser.eat_word("nsw"), nuw: self.parser.eat_word("nuw") };
            Some(Op::Binary { op, flags, args: self.pair()? })
        } else if let Ok(op) = word.parse::<CastOp>() {
            Some(Op::Cast { op, arg: self.operand()? })
        } else if let Ok(op) = word.parse::<UnaryOp>() {
            Some(Op::Unary { op, arg: self.operand()? })
        } else {
            None
        })
    }

    /// A word that names a variant of an enumeration.
    fn name<T: std::str::FromStr>(&mut self, what: &str) -> Result<T, ParseError> {
        if let Token::Word(word) = *self.parser.peek()
            && let Ok(value) = word.parse()
        {
            self.parser.bump();
            return Ok(value);
        }
        self.parser.expected(what)
    }

    fn pair(&mut self) -> Result<[Value; 2], ParseError> {
        let first = self.operand()?;
        self.parser.expect(",")?;
        Ok([first, self.operand()?])
    }

    fn ptr_add(&mut self) -> Result<Op, ParseError> {
        let base = self.operand()?;
        let index = if self.parser.eat(",") { Some(self.operand()?) } else { None };
        let scale = if self.parser.eat_word("scale") { self.parser.signed("a scale")? } else { 1 };
        let disp = if self.parser.eat_word("disp") { self.parser.signed("a displacement")? } else { 0 };
        let count = if self.parser.eat_word("count") { self.parser.number("a count")? } else { 0 };
        Ok(Op::PtrAdd { base, index: index.into(), scale, disp, count })
    }

    fn call(&mut self) -> Result<Op, ParseError> {
        let variadic = self.parser.eat_word("variadic");
        let direct = matches!(self.parser.peek(), Token::Word(w) if w.starts_with("fn"));
        let callee = if direct { Callee::Direct(self.parser.func()?) } else { Callee::Indirect(self.operand()?) };
        let args = self.arguments()?;
        let mut by_value = Vec::new();
        while self.parser.eat_word("byval") {
            let arg = self.parser.number("the index of an argument")?;
            self.parser.expect_word("size")?;
            let size = self.parser.number("a size")?;
            self.parser.expect_word("align")?;
            by_value.push(VarArg { arg, size, align: self.parser.number("an alignment")? });
        }
        Ok(Op::Call(Box::new(CallData { callee, args, variadic, by_value })))
    }
}
