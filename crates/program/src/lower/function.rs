//! One function: its blocks, the edges between them, and the helpers that every instruction uses.

use std::collections::HashMap;
use std::rc::Rc;

use cranelift_entity::EntityRef;
use smallvec::SmallVec;

use super::llvm::{Bb, Md, Opcode, Val, ValueKind};
use super::symbols::Lowering;
use crate::ir::{
    Block, BlockData, Body, CastOp, Const, Def, Edge, Inst, InstData, Intrinsic, Loc, Op, Origin, Terminator, Type,
    Value, ValueData, VarId,
};

/// The scalars that one LLVM value is.
pub(super) type Vals = SmallVec<[Value; 2]>;

pub(super) struct FunctionLowering<'a, 'm> {
    pub(super) cx: &'a mut Lowering<'m>,
    pub(super) function: Val<'m>,
    pub(super) origin: Origin,
    pub(super) body: Body,
    pub(super) values: HashMap<Val<'m>, Vals>,
    pub(super) variables: HashMap<Md<'m>, VarId>,
    /// Where variables get values that are not named after them.
    pub(super) elsewhere: HashMap<Md<'m>, Vec<Block>>,
    constants: HashMap<(Type, Const), Value>,
    blocks: Rc<HashMap<Bb<'m>, Block>>,
    /// What the phis of a block get from one predecessor, in their order.
    incoming: HashMap<(Block, Block), Vec<Val<'m>>>,
    /// Room for structs passed by value: allocated once, at the start of the entry block.
    temporaries: Vec<Inst>,
    pub(super) current: Block,
    loc: Loc,
}

impl<'a, 'm> FunctionLowering<'a, 'm> {
    pub(super) fn new(cx: &'a mut Lowering<'m>, function: Val<'m>, origin: Origin) -> FunctionLowering<'a, 'm> {
        let blocks = cx.labels(function);
        FunctionLowering {
            cx,
            function,
            origin,
            body: Body::new(),
            values: HashMap::new(),
            variables: HashMap::new(),
            elsewhere: HashMap::new(),
            constants: HashMap::new(),
            blocks,
            incoming: HashMap::new(),
            temporaries: Vec::new(),
            current: Block::ENTRY,
            loc: Loc::NONE,
        }
    }

    pub(super) fn run(mut self) -> Body {
        let blocks = self.function.blocks();
        for _ in &blocks {
            self.new_block();
        }
        for argument in self.function.arguments() {
            self.parameters(Block::ENTRY, argument);
        }
        for (index, block) in blocks.iter().enumerate() {
            self.phis(Block::new(index), *block);
        }
        // Definitions come before uses in this order. Where a block takes several of ours, its edges leave the last.
        let mut last: Vec<Block> = (0..blocks.len()).map(Block::new).collect();
        for index in self.order(&blocks) {
            self.current = Block::new(index);
            self.block(blocks[index]);
            last[index] = self.current;
        }
        for (index, block) in blocks.iter().enumerate() {
            self.current = last[index];
            self.terminate(Block::new(index), *block);
        }
        let entry = &mut self.body.blocks[Block::ENTRY].insts;
        entry.splice(0..0, std::mem::take(&mut self.temporaries));
        self.settle_variables();
        self.body
    }

    pub(super) fn new_block(&mut self) -> Block {
        let (term, term_loc) = (Terminator::Unreachable, Loc::NONE);
        self.body.blocks.push(BlockData { params: Vec::new(), insts: Vec::new(), term, term_loc })
    }

    /// Adds parameters to a block, for an argument or a phi.
    fn parameters(&mut self, block: Block, value: Val<'m>) {
        let flat = self.cx.types.flat(value.ty());
        let values = flat.types().map(|ty| self.parameter(block, ty)).collect();
        self.values.insert(value, values);
    }

    pub(super) fn parameter(&mut self, block: Block, ty: Type) -> Value {
        let index = self.body.blocks[block].params.len() as u32;
        let value = self.body.values.push(ValueData { ty, def: Def::Param { block, index }, var: None.into() });
        self.body.blocks[block].params.push(value);
        value
    }

    fn phis(&mut self, block: Block, llvm: Bb<'m>) {
        let phis = llvm.instructions().take_while(|i| i.opcode() == Some(Opcode::LLVMPHI));
        for (index, phi) in phis.enumerate() {
            self.parameters(block, phi);
            for (value, from) in phi.incoming() {
                let inputs = self.incoming.entry((self.blocks[&from], block)).or_default();
                // A predecessor with several edges to the block is listed once for each.
                if inputs.len() == index {
                    inputs.push(value);
                }
            }
        }
    }

    /// Reverse postorder from the entry, then what cannot be reached.
    fn order(&self, blocks: &[Bb<'m>]) -> Vec<usize> {
        let mut seen = vec![false; blocks.len()];
        let mut postorder = Vec::with_capacity(blocks.len());
        let mut stack = vec![(0, blocks[0].successors())];
        seen[0] = true;
        while let Some((block, successors)) = stack.last_mut() {
            if let Some(next) = successors.pop() {
                let next = self.blocks[&next].index();
                if !std::mem::replace(&mut seen[next], true) {
                    stack.push((next, blocks[next].successors()));
                }
            } else {
                postorder.push(*block);
                stack.pop();
            }
        }
        postorder.reverse();
        postorder.extend((0..blocks.len()).filter(|&b| !seen[b]));
        postorder
    }

    fn block(&mut self, llvm: Bb<'m>) {
        let mut instructions = llvm.instructions().peekable();
        while let Some(instruction) = instructions.next() {
            let apart = instruction.opcode() == Some(Opcode::LLVMPHI) || instruction.is_terminator();
            // It is where it is used.
            let apart = apart || instruction.is_open();
            if apart || self.is_counter_step(instruction) {
                continue;
            }
            self.loc = self.cx.files.loc(instruction);
            match self.conditional_counter(instruction, instructions.peek().copied()) {
                0 => {}
                done => {
                    instructions.by_ref().take(done - 1).for_each(drop);
                    continue;
                }
            }
            let values = self.instruction(instruction);
            self.values.insert(instruction, values);
        }
    }

    fn terminate(&mut self, from: Block, llvm: Bb<'m>) {
        let Some(instruction) = llvm.terminator() else { return };
        self.loc = self.cx.files.loc(instruction);
        let term = self.terminator(from, instruction).unwrap_or_else(|what| {
            self.emit(Op::Unsupported { what }, &[]);
            Terminator::Unreachable
        });
        self.end(term);
    }

    /// Ends the current block.
    pub(super) fn end(&mut self, term: Terminator) {
        let block = &mut self.body.blocks[self.current];
        block.term = term;
        block.term_loc = self.loc;
    }

    pub(super) fn set_loc(&mut self, instruction: Val<'m>) {
        self.loc = self.cx.files.loc(instruction);
    }

    pub(super) fn continue_in(&mut self, block: Block) {
        self.current = block;
    }

    fn terminator(&mut self, from: Block, instruction: Val<'m>) -> Result<Terminator, String> {
        let targets = instruction.successors();
        match (instruction.opcode(), &targets[..]) {
            (Some(Opcode::LLVMRet), _) => match instruction.operand(0) {
                Some(value) => Ok(Terminator::Return(self.operand(value)?.to_vec())),
                None => Ok(Terminator::Return(Vec::new())),
            },
            (Some(Opcode::LLVMUnreachable), _) => Ok(Terminator::Unreachable),
            (Some(Opcode::LLVMBr), &[target]) => Ok(Terminator::Jump(self.edge(from, target))),
            (Some(Opcode::LLVMBr), &[then, other]) => {
                let cond = self.operand_at(instruction, 0)?;
                Ok(Terminator::Branch { cond, then: self.edge_apart(from, then), other: self.edge_apart(from, other) })
            }
            (Some(Opcode::LLVMSwitch), [default, rest @ ..]) => {
                let value = self.operand_at(instruction, 0)?;
                let default = self.edge_apart(from, *default);
                let mut cases = Vec::with_capacity(rest.len());
                // Operands are the value, the default, then a case and its target in turn.
                for (position, &target) in (2..).step_by(2).zip(rest) {
                    let words = instruction.operand(position).and_then(Val::words).ok_or("a case without a value")?;
                    let case = words.iter().rev().fold(0u128, |bits, &word| bits << 64 | u128::from(word));
                    cases.push((case, self.edge_apart(from, target)));
                }
                Ok(Terminator::Switch { value, cases, default })
            }
            (Some(Opcode::LLVMIndirectBr), targets) => {
                let address = self.operand_at(instruction, 0)?;
                let mut edges: Vec<Edge> = Vec::with_capacity(targets.len());
                for &target in targets {
                    if !edges.iter().any(|e| e.block == self.blocks[&target]) {
                        edges.push(self.edge(from, target));
                    }
                }
                Ok(Terminator::Indirect { address, targets: edges })
            }
            (Some(Opcode::LLVMCallBr), _) => Err("assembly that jumps".to_owned()),
            (opcode, _) => Err(format!("terminator {opcode:?}")),
        }
    }

    /// `from` is the block as LLVM has it, which phis name. What an input needs is computed in the current block.
    fn edge(&mut self, from: Block, target: Bb<'m>) -> Edge {
        let block = self.blocks[&target];
        let inputs = self.incoming.get(&(from, block)).cloned().unwrap_or_default();
        let args = inputs.into_iter().flat_map(|value| self.operand_or_placeholder(value)).collect();
        Edge { block, args }
    }

    /// The same with a block of its own where an input is open: others go on without it.
    fn edge_apart(&mut self, from: Block, target: Bb<'m>) -> Edge {
        let inputs = self.incoming.get(&(from, self.blocks[&target]));
        if !inputs.is_some_and(|inputs| inputs.iter().any(|value| value.is_open())) {
            return self.edge(from, target);
        }
        let (before, block) = (self.current, self.new_block());
        self.continue_in(block);
        let edge = self.edge(from, target);
        self.end(Terminator::Jump(edge));
        self.continue_in(before);
        Edge { block, args: Vec::new() }
    }

    // Values.

    /// The scalars of an operand, or why its type cannot be used.
    pub(super) fn operand(&mut self, value: Val<'m>) -> Result<Vals, String> {
        match value.kind() {
            ValueKind::LLVMInstructionValueKind if value.is_open() => {
                let types: Vec<Type> = self.cx.types.flat(value.ty()).usable()?.types().collect();
                let open = |ty| self.emit_one(Op::Intrinsic { op: Intrinsic::Open, args: Vec::new() }, ty);
                Ok(types.into_iter().map(open).collect())
            }
            ValueKind::LLVMInstructionValueKind | ValueKind::LLVMArgumentValueKind => {
                let flat = self.cx.types.flat(value.ty());
                flat.usable()?;
                match self.values.get(&value) {
                    Some(values) => Ok(values.clone()),
                    // Only code that cannot be reached uses what was not defined before.
                    None => Ok(flat.types().map(|ty| self.constant(ty, Const::Undef)).collect()),
                }
            }
            _ => self.constant_operand(value),
        }
    }

    /// The same for operand `index` of an instruction that must be one scalar.
    pub(super) fn operand_at(&mut self, instruction: Val<'m>, index: u32) -> Result<Value, String> {
        let operand = instruction.operand(index).ok_or("a missing operand")?;
        match self.operand(operand)?[..] {
            [value] => Ok(value),
            _ => Err("several values where one is meant".to_owned()),
        }
    }

    /// The operand of an edge: where the type is not supported, placeholders pass through.
    fn operand_or_placeholder(&mut self, value: Val<'m>) -> Vals {
        if let Ok(values) = self.operand(value) {
            return values;
        }
        let flat = self.cx.types.flat(value.ty());
        match self.values.get(&value) {
            Some(values) if values.len() == flat.slots.len() => values.clone(),
            _ => flat.types().map(|ty| self.constant(ty, Const::Undef)).collect(),
        }
    }

    /// A constant of this function; equal ones are one value.
    pub(super) fn constant(&mut self, ty: Type, constant: Const) -> Value {
        let values = &mut self.body.values;
        let fresh = || values.push(ValueData { ty, def: Def::Const(constant), var: None.into() });
        *self.constants.entry((ty, constant)).or_insert_with(fresh)
    }

    pub(super) fn number(&mut self, ty: Type, bits: u128) -> Value {
        self.constant(ty, Const::Bits(bits))
    }

    // Instructions.

    /// Appends an instruction to the current block.
    pub(super) fn emit(&mut self, op: Op, types: &[Type]) -> Vals {
        let inst = self.make(op, types);
        self.body.blocks[self.current].insts.push(inst);
        self.body.insts[inst].results.clone()
    }

    pub(super) fn emit_one(&mut self, op: Op, ty: Type) -> Value {
        self.emit(op, &[ty])[0]
    }

    fn make(&mut self, op: Op, types: &[Type]) -> Inst {
        let inst = self.body.insts.push(InstData { op, results: SmallVec::new(), loc: self.loc });
        for (index, &ty) in types.iter().enumerate() {
            let def = Def::Result { inst, index: index as u32 };
            let value = self.body.values.push(ValueData { ty, def, var: None.into() });
            self.body.insts[inst].results.push(value);
        }
        inst
    }

    /// A stack object that lives as long as the call of the function.
    pub(super) fn temporary(&mut self, size: u64, align: u32) -> Value {
        let size = self.number(Type::I64, u128::from(size));
        let inst = self.make(Op::Alloca { size, align }, &[self.cx.types.pointer()]);
        self.temporaries.push(inst);
        self.body.insts[inst].results[0]
    }

    /// The null pointer, or the address of something.
    pub(super) fn address_constant(&mut self, constant: Const) -> Value {
        self.constant(self.cx.types.pointer(), constant)
    }

    /// A number as an address, of which it has as many bits as one has in memory.
    pub(super) fn address_of(&mut self, number: Value) -> Value {
        let number = self.at_most_address(number);
        let number = self.resize(number, Type::I64, false);
        self.cast(CastOp::IntToPtr, number, self.cx.types.pointer())
    }

    /// A number with no more bits than an address has in memory.
    pub(super) fn at_most_address(&mut self, number: Value) -> Value {
        let width = self.cx.types.address();
        if self.body.ty(number).bits() > width.bits() { self.resize(number, width, false) } else { number }
    }

    pub(super) fn cast(&mut self, op: CastOp, arg: Value, ty: Type) -> Value {
        self.emit_one(Op::Cast { op, arg }, ty)
    }

    /// An integer made wider or narrower.
    pub(super) fn resize(&mut self, value: Value, to: Type, signed: bool) -> Value {
        let (from, width) = (self.body.ty(value).bits(), to.bits());
        match from.cmp(&width) {
            std::cmp::Ordering::Equal => value,
            std::cmp::Ordering::Greater => self.cast(CastOp::Trunc, value, to),
            std::cmp::Ordering::Less if signed => self.cast(CastOp::SExt, value, to),
            std::cmp::Ordering::Less => self.cast(CastOp::ZExt, value, to),
        }
    }
}

/// A body that traps as soon as it is entered.
pub(super) fn unsupported_body(params: &[Type], what: &str) -> Body {
    let mut body = Body::new();
    let mut values = Vec::new();
    for (index, &ty) in params.iter().enumerate() {
        let def = Def::Param { block: Block::ENTRY, index: index as u32 };
        values.push(body.values.push(ValueData { ty, def, var: None.into() }));
    }
    let op = Op::Unsupported { what: what.to_owned() };
    let inst = body.insts.push(InstData { op, results: SmallVec::new(), loc: Loc::NONE });
    let (term, term_loc) = (Terminator::Unreachable, Loc::NONE);
    body.blocks.push(BlockData { params: values, insts: vec![inst], term, term_loc });
    body
}
