//! From a text to a function's body: variables, constants, blocks, terminators.

use std::collections::{BTreeMap, HashMap};

use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{EntityRef, PrimaryMap};
use smallvec::SmallVec;

use super::ParseError;
use super::lex::{Pos, Token};
use super::parse::{Parser, id_number, type_of};
use crate::ir::{
    Block, BlockData, Body, Const, Def, Edge, Inst, InstData, Terminator, Type, Value, ValueData, VarId, Variable,
};

/// A body while it is read. Values and instructions may come in any order of their ids; at the end the ids must have no
/// holes.
pub(super) struct BodyParser<'p, 'a> {
    pub(super) parser: &'p mut Parser<'a>,
    blocks: PrimaryMap<Block, BlockData>,
    variables: PrimaryMap<VarId, Variable>,
    insts: BTreeMap<Inst, (InstData, Pos)>,
    values: BTreeMap<Value, (ValueData, Pos)>,
    constants: HashMap<(Type, Const), Same>,
    /// The id of the next constant that the head does not list.
    next_constant: usize,
    next_inst: usize,
    value_uses: Vec<(Value, Pos)>,
    block_uses: Vec<(Block, Pos)>,
}

/// The values that are equal to one constant.
enum Same {
    One(Value),
    Several,
}

/// Reads a body after its `{`, up to and with its `}`.
pub(super) fn parse_body(parser: &mut Parser<'_>) -> Result<Body, ParseError> {
    let next_constant = first_free_value(parser);
    let mut body = BodyParser {
        parser,
        blocks: PrimaryMap::new(),
        variables: PrimaryMap::new(),
        insts: BTreeMap::new(),
        values: BTreeMap::new(),
        constants: HashMap::new(),
        next_constant,
        next_inst: 0,
        value_uses: Vec::new(),
        block_uses: Vec::new(),
    };
    body.head()?;
    while !body.parser.eat("}") {
        body.block()?;
    }
    body.finish()
}

/// The id after all those that the rest of the body names. A switch has braces inside the body's.
fn first_free_value(parser: &Parser<'_>) -> usize {
    let mut depth = 1;
    let mut free = 0;
    for token in parser.rest() {
        match token {
            Token::Punct("{") => depth += 1,
            Token::Punct("}") => depth -= 1,
            Token::Word(word) => free = free.max(id_number(word, "v").map_or(0, |id| id as usize + 1)),
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    free
}

impl BodyParser<'_, '_> {
    /// The variables and the constants.
    fn head(&mut self) -> Result<(), ParseError> {
        while matches!(self.parser.peek(), Token::Word(w) if id_number(w, "var").is_some()) {
            self.parser.define("var", &self.variables)?;
            let name = self.parser.string("the variable's name")?;
            self.parser.expect_word("line")?;
            let line = self.parser.number("a line number")?;
            self.variables.push(Variable { name, line, ty: None, elsewhere: Vec::new() });
        }
        while matches!(self.parser.peek(), Token::Word(w) if id_number(w, "v").is_some()) {
            let pos = self.parser.pos();
            let value = self.parser.id("v", "a value")?;
            let var = self.variable()?;
            self.parser.expect("=")?;
            self.parser.expect_word("const")?;
            let ty = self.parser.ty()?;
            let constant = self.parser.constant(ty)?;
            self.define_value(value, pos, ValueData { ty, def: Def::Const(constant), var })?;
            let same = self.constants.entry((ty, constant));
            same.and_modify(|s| *s = Same::Several).or_insert(Same::One(value));
        }
        Ok(())
    }

    /// `!a` or `!var0` after a value that is being defined.
    fn variable(&mut self) -> Result<PackedOption<VarId>, ParseError> {
        if !self.parser.eat("!") {
            return Ok(PackedOption::default());
        }
        let pos = self.parser.pos();
        let name = self.parser.word("a variable")?;
        let found = match id_number(name, "var") {
            Some(id) => Some(VarId::from_u32(id)).filter(|id| self.variables.is_valid(*id)),
            None => {
                let mut named = self.variables.iter().filter(|(_, v)| v.name == name).map(|(id, _)| id);
                let first = named.next();
                if named.next().is_some() {
                    return Err(pos.error(format!("several variables are called {name}: name one by its id")));
                }
                first
            }
        };
        found.map(PackedOption::from).ok_or_else(|| pos.error(format!("there is no variable {name}")))
    }

    fn define_value(&mut self, value: Value, pos: Pos, data: ValueData) -> Result<(), ParseError> {
        match self.values.insert(value, (data, pos)) {
            None => Ok(()),
            Some(_) => Err(pos.error(format!("{value} is defined twice"))),
        }
    }

    /// `v3!a: i32`
    fn definition(&mut self, def: Def) -> Result<Value, ParseError> {
        let pos = self.parser.pos();
        let value = self.parser.id("v", "a value such as `v0`")?;
        let var = self.variable()?;
        self.parser.expect(":")?;
        let ty = self.parser.ty()?;
        self.define_value(value, pos, ValueData { ty, def, var })?;
        Ok(value)
    }

    fn block(&mut self) -> Result<(), ParseError> {
        let pos = self.parser.pos();
        let id: Block = self.parser.id("bb", "a block such as `bb0`, or `}`")?;
        let block = self.blocks.next_key();
        if id != block {
            return Err(pos.error(format!("blocks stand in order: expected {block}")));
        }
        let mut params = Vec::new();
        if self.parser.eat("(") {
            loop {
                params.push(self.definition(Def::Param { block, index: params.len() as u32 })?);
                if !self.parser.eat(",") {
                    break;
                }
            }
            self.parser.expect(")")?;
        }
        self.parser.expect(":")?;
        let mut insts = Vec::new();
        loop {
            if let Some(term) = self.terminator()? {
                let term_loc = self.parser.loc()?;
                self.blocks.push(BlockData { params, insts, term, term_loc });
                return Ok(());
            }
            insts.push(self.inst()?);
        }
    }

    fn inst(&mut self) -> Result<Inst, ParseError> {
        let pos = self.parser.pos();
        if self.parser.at_inst_id() {
            self.next_inst = self.parser.id::<Inst>("i", "an instruction id")?.index();
            self.parser.expect(":")?;
        }
        let inst = Inst::new(self.next_inst);
        self.next_inst = next_id(self.next_inst, pos)?;
        let mut results = SmallVec::new();
        if matches!(self.parser.peek(), Token::Word(w) if id_number(w, "v").is_some()) {
            loop {
                results.push(self.definition(Def::Result { inst, index: results.len() as u32 })?);
                if !self.parser.eat(",") {
                    break;
                }
            }
            self.parser.expect("=")?;
        }
        let op = self.op()?;
        let loc = self.parser.loc()?;
        match self.insts.insert(inst, (InstData { op, results, loc }, pos)) {
            None => Ok(inst),
            Some(_) => Err(pos.error(format!("the instruction {inst} is defined twice"))),
        }
    }

    /// A use of a value.
    pub(super) fn operand(&mut self) -> Result<Value, ParseError> {
        let pos = self.parser.pos();
        if let Some(value) = self.parser.eat_id("v") {
            self.value_uses.push((value, pos));
            return Ok(value);
        }
        if !matches!(self.parser.peek(), Token::Word(w) if type_of(w).is_some()) {
            return self.parser.expected("a value or a constant");
        }
        let ty = self.parser.ty()?;
        let constant = self.parser.constant(ty)?;
        match self.constants.get(&(ty, constant)) {
            Some(Same::One(value)) => return Ok(*value),
            Some(Same::Several) => return Err(pos.error("several values are this constant: name one by its id")),
            None => {}
        }
        let next = next_id(self.next_constant, pos)?;
        let value = Value::new(std::mem::replace(&mut self.next_constant, next));
        self.constants.insert((ty, constant), Same::One(value));
        self.define_value(value, pos, ValueData { ty, def: Def::Const(constant), var: PackedOption::default() })?;
        Ok(value)
    }

    pub(super) fn operands(&mut self) -> Result<Vec<Value>, ParseError> {
        let mut values = vec![self.operand()?];
        while self.parser.eat(",") {
            values.push(self.operand()?);
        }
        Ok(values)
    }

    /// `(v1, v2)`, maybe empty.
    pub(super) fn arguments(&mut self) -> Result<Vec<Value>, ParseError> {
        self.parser.expect("(")?;
        if self.parser.eat(")") {
            return Ok(Vec::new());
        }
        let values = self.operands()?;
        self.parser.expect(")")?;
        Ok(values)
    }

    fn edge(&mut self) -> Result<Edge, ParseError> {
        let pos = self.parser.pos();
        let block = self.parser.id("bb", "a block such as `bb0`")?;
        self.block_uses.push((block, pos));
        let args = if *self.parser.peek() == Token::Punct("(") { self.arguments()? } else { Vec::new() };
        Ok(Edge { block, args })
    }

    /// The end of a block, if that is what comes next.
    fn terminator(&mut self) -> Result<Option<Terminator>, ParseError> {
        let Token::Word(word) = *self.parser.peek() else { return Ok(None) };
        if !matches!(word, "jump" | "branch" | "switch" | "indirect" | "return" | "unreachable") {
            return Ok(None);
        }
        self.parser.bump();
        Ok(Some(match word {
            "jump" => Terminator::Jump(self.edge()?),
            "branch" => {
                let cond = self.operand()?;
                self.parser.expect(",")?;
                let then = self.edge()?;
                self.parser.expect(",")?;
                Terminator::Branch { cond, then, other: self.edge()? }
            }
            "switch" => self.switch()?,
            "indirect" => {
                let address = self.operand()?;
                self.parser.expect("[")?;
                let mut targets = Vec::new();
                while !self.parser.eat("]") {
                    if !targets.is_empty() {
                        self.parser.expect(",")?;
                    }
                    targets.push(self.edge()?);
                }
                Terminator::Indirect { address, targets }
            }
            "return" => {
                let any = matches!(self.parser.peek(),
                    Token::Word(w) if id_number(w, "v").is_some() || type_of(w).is_some());
                Terminator::Return(if any { self.operands()? } else { Vec::new() })
            }
            _ => Terminator::Unreachable,
        }))
    }

    fn switch(&mut self) -> Result<Terminator, ParseError> {
        let value = self.operand()?;
        self.parser.expect("{")?;
        let mut cases = Vec::new();
        while !self.parser.eat_word("default") {
            let case = self.parser.number("a case value or `default`")?;
            self.parser.expect("=>")?;
            cases.push((case, self.edge()?));
        }
        self.parser.expect("=>")?;
        let default = self.edge()?;
        self.parser.expect("}")?;
        Ok(Terminator::Switch { value, cases, default })
    }

    fn finish(self) -> Result<Body, ParseError> {
        for (block, pos) in self.block_uses {
            if !self.blocks.is_valid(block) {
                return Err(pos.error(format!("{block} is not defined")));
            }
        }
        for (value, pos) in &self.value_uses {
            if !self.values.contains_key(value) {
                return Err(pos.error(format!("{value} is not defined")));
            }
        }
        Ok(Body {
            blocks: self.blocks,
            insts: dense(self.insts)?,
            values: dense(self.values)?,
            variables: self.variables,
        })
    }
}

/// The greatest `u32` is no id.
fn next_id(id: usize, pos: Pos) -> Result<usize, ParseError> {
    if id + 1 < u32::MAX as usize { Ok(id + 1) } else { Err(pos.error("there is no id left after the greatest one")) }
}

/// A map whose keys are 0, 1, 2… in order.
fn dense<K: EntityRef + std::fmt::Display + Ord, V>(
    entries: BTreeMap<K, (V, Pos)>,
) -> Result<PrimaryMap<K, V>, ParseError> {
    let mut map = PrimaryMap::with_capacity(entries.len());
    for (key, (data, pos)) in entries {
        let next = map.next_key();
        if key != next {
            return Err(pos.error(format!("there is a {key}, but {next} is not defined")));
        }
        map.push(data);
    }
    Ok(map)
}
