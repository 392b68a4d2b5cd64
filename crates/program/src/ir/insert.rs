//! Putting instructions into a body that is there already: labels, and what their conditions need.
//!
//! Blocks and edges keep their numbers, so what was said about them stays true.

use cranelift_entity::EntityRef;
use cranelift_entity::packed_option::PackedOption;
use smallvec::smallvec;
use std::collections::HashMap;

use super::{
    BinaryOp, Block, Body, Const, Def, FloatCmp, Inst, InstData, IntCmp, Intrinsic, Loc, Op, OpFlags, Type, Value,
    ValueData,
};

/// Before which instruction of a block; `None` is before the terminator.
pub type Point = (Block, Option<Inst>);

/// Makes instructions for one body and puts all of them in at the end.
#[derive(Debug)]
pub struct Inserter<'b> {
    body: &'b mut Body,
    constants: HashMap<(Type, Const), Value>,
    /// Finished groups, in the order in which they were made.
    ready: HashMap<Point, Vec<Inst>>,
    /// The group that is being made.
    group: Vec<Inst>,
    loc: Loc,
    labels: Vec<u32>,
}

impl<'b> Inserter<'b> {
    /// An inserter for a body, which keeps the constants that are there.
    pub fn new(body: &'b mut Body) -> Inserter<'b> {
        let mut constants = HashMap::new();
        for (value, data) in body.values.iter() {
            if let Def::Const(constant) = data.def {
                constants.entry((data.ty, constant)).or_insert(value);
            }
        }
        Inserter { body, constants, ready: HashMap::new(), group: Vec::new(), loc: Loc::NONE, labels: Vec::new() }
    }

    /// The body as it is so far: what waits for [`Inserter::finish`] is in no block yet.
    pub fn body(&self) -> &Body {
        self.body
    }

    /// What is made from here on belongs to this place of the source.
    pub fn at(&mut self, loc: Loc) {
        self.loc = loc;
    }

    /// The type of a value, also of one just made.
    pub fn ty(&self, value: Value) -> Type {
        self.body.ty(value)
    }

    /// A constant of these bits, cut to the width of the type.
    pub fn constant(&mut self, ty: Type, bits: u128) -> Value {
        let mask = u128::MAX >> (128 - ty.bits());
        self.const_value(ty, Const::Bits(bits & mask))
    }

    /// Any constant.
    pub fn const_value(&mut self, ty: Type, constant: Const) -> Value {
        let body = &mut self.body;
        let data = ValueData { ty, def: Def::Const(constant), var: PackedOption::default() };
        *self.constants.entry((ty, constant)).or_insert_with(|| body.values.push(data))
    }

    /// A new parameter of a block; whoever calls this must see to the edges that lead there.
    pub fn param(&mut self, block: Block, ty: Type) -> Value {
        let index = self.body.blocks[block].params.len() as u32;
        let def = Def::Param { block, index };
        let value = self.body.values.push(ValueData { ty, def, var: PackedOption::default() });
        self.body.blocks[block].params.push(value);
        value
    }

    /// The body, for changes that are no instructions.
    pub fn body_mut(&mut self) -> &mut Body {
        self.body
    }

    fn push(&mut self, op: Op, types: &[Type]) -> Vec<Value> {
        let inst = Inst::new(self.body.insts.len());
        let mut results = smallvec![];
        for (index, &ty) in (0..).zip(types) {
            let def = Def::Result { inst, index };
            results.push(self.body.values.push(ValueData { ty, def, var: PackedOption::default() }));
        }
        let made = results.to_vec();
        self.body.insts.push(InstData { op, results, loc: self.loc });
        self.group.push(inst);
        made
    }

    /// An instruction with one result of that type.
    pub fn op(&mut self, op: Op, ty: Type) -> Value {
        self.push(op, &[ty])[0]
    }

    /// Arithmetic that promises nothing ([`OpFlags`]), of the type of `a`.
    pub fn binary(&mut self, op: BinaryOp, a: Value, b: Value) -> Value {
        let ty = self.ty(a);
        self.op(Op::Binary { op, flags: OpFlags::default(), args: [a, b] }, ty)
    }

    /// A comparison of two values of one type, to an `i1`.
    pub fn int_cmp(&mut self, cmp: IntCmp, a: Value, b: Value) -> Value {
        self.op(Op::IntCmp { cmp, args: [a, b] }, Type::BOOL)
    }

    /// A comparison of two floats of one type, to an `i1`.
    pub fn float_cmp(&mut self, cmp: FloatCmp, a: Value, b: Value) -> Value {
        self.op(Op::FloatCmp { cmp, args: [a, b] }, Type::BOOL)
    }

    /// `a` or `b` of the type of `a`.
    pub fn select(&mut self, cond: Value, a: Value, b: Value) -> Value {
        let ty = self.ty(a);
        self.op(Op::Select { cond, args: [a, b] }, ty)
    }

    /// Both, of two `i1`, or bit by bit.
    pub fn and(&mut self, a: Value, b: Value) -> Value {
        self.binary(BinaryOp::And, a, b)
    }

    /// The opposite of an `i1`.
    pub fn not(&mut self, a: Value) -> Value {
        let yes = self.constant(Type::BOOL, 1);
        self.binary(BinaryOp::Xor, a, yes)
    }

    /// All results of an intrinsic.
    pub fn intrinsic(&mut self, op: Intrinsic, args: &[Value], types: &[Type]) -> Vec<Value> {
        self.push(Op::Intrinsic { op, args: args.to_vec() }, types)
    }

    /// A label; its instruction.
    pub fn label(&mut self, index: u32, cond: Value) -> Inst {
        self.labels.push(index);
        self.push(Op::Label { index, cond }, &[]);
        Inst::new(self.body.insts.len() - 1)
    }

    /// Ends a group that serves its labels only. It goes behind those that were made for the same point before.
    pub fn finish_group(&mut self, point: Point) {
        let group = std::mem::take(&mut self.group);
        let labels = std::mem::take(&mut self.labels);
        let (Some(&first), Some(&last)) = (labels.iter().min(), labels.iter().max()) else {
            self.ready.entry(point).or_default().extend(group);
            return;
        };
        let ghost = Op::Ghost { first, labels: last - first + 1, insts: group.len() as u32 };
        self.push(ghost, &[]);
        let head = std::mem::take(&mut self.group);
        self.ready.entry(point).or_default().extend(head.into_iter().chain(group));
    }

    /// Ends a group whose values others use too.
    pub fn finish_shared(&mut self, point: Point) {
        let group = std::mem::take(&mut self.group);
        self.labels.clear();
        self.ready.entry(point).or_default().extend(group);
    }

    /// Puts everything in.
    pub fn finish(mut self) {
        let mut blocks: HashMap<Block, HashMap<Option<Inst>, Vec<Inst>>> = HashMap::new();
        for ((block, before), insts) in self.ready.drain() {
            blocks.entry(block).or_default().insert(before, insts);
        }
        for (block, mut points) in blocks {
            let data = &mut self.body.blocks[block];
            let old = std::mem::take(&mut data.insts);
            for inst in old {
                data.insts.extend(points.remove(&Some(inst)).into_iter().flatten());
                data.insts.push(inst);
            }
            data.insts.extend(points.remove(&None).into_iter().flatten());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::text::parse;
    use crate::verify::verify;

    #[test]
    fn what_is_put_in_stands_before_its_point_and_verifies() {
        let text = "fn0 = function \"f\"(i32) -> i32 { bb0(v0: i32): v1: i32 = add v0, i32 1 return v1 }";
        let mut program = match parse(text) {
            Ok(program) => program,
            Err(error) => panic!("{error}"),
        };
        let id = program.function("f").unwrap();
        let body = program.functions[id].body.as_mut().unwrap();
        let (block, first) = (Block::ENTRY, body.blocks[Block::ENTRY].insts[0]);
        let param = body.params()[0];
        let mut inserter = Inserter::new(body);
        let one = inserter.constant(Type::I32, 1);
        let cond = inserter.int_cmp(IntCmp::Slt, param, one);
        inserter.label(7, cond);
        inserter.finish_group((block, Some(first)));
        inserter.finish();
        verify(&program).unwrap();
        let body = program.functions[id].body.as_ref().unwrap();
        let ops: Vec<&Op> = body.blocks[block].insts.iter().map(|&i| &body.insts[i].op).collect();
        assert!(matches!(ops[0], Op::Ghost { first: 7, labels: 1, insts: 2 }), "{ops:?}");
        assert!(matches!(ops[2], Op::Label { index: 7, .. }), "{ops:?}");
        assert!(matches!(ops[3], Op::Binary { .. }), "{ops:?}");
    }
}
