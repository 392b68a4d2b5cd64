//! Boundary values: for each relational operator the values on both sides of its border, and one step away from them.
//!
//! The rules are those of table I of Pandita's "Guided Test Generation for Coverage Criteria", with `k` the distance to the
//! next value of the type: 1 for integers, one element for pointers, the next number that can be represented for floats. A step that would leave the type does not exist: `x == y + 1` is asked for as
//! "`x` is above `y` and the next value", which is false where `y` is the greatest.
//!
//! Labels of a `switch` have borders too: each label, and the values beside it that are no label themselves.

use std::collections::BTreeSet;

use covenant_program::ir::insert::Inserter;
use covenant_program::ir::{
    BinaryOp, Block, Body, Const, Def, FloatCmp, Inst, IntCmp, Loc, Op, Terminator, Type, Value,
};
use covenant_program::types::CType;

use crate::Criterion;
use crate::criteria::operators::Operators;
use crate::criteria::{Labels, Maker, Profile, Site, spell};
use crate::objective::{Objective, Outcome};

pub(super) const PROFILE: Profile = Profile {
    about: "The values beside the border of each relational operator and each label of a switch",
    nouns: ("boundary", "boundaries"),
    ..Profile::new(make)
};

/// How the left side lies to the right one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Near {
    Equal,
    Less,
    More,
    /// The next value below.
    Below,
    /// The next value above.
    Above,
    /// Less than the next value below.
    FarBelow,
    FarAbove,
    /// For what has no neighbours.
    Differs,
}

/// A relational operator of C.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Relation {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

/// Table I, the true side first.
fn table(relation: Relation) -> [&'static [Near]; 2] {
    use Near::*;
    match relation {
        Relation::Eq => [&[Equal], &[Above, Below]],
        Relation::Ne => [&[Above, Below], &[Equal]],
        Relation::Lt => [&[Below, FarBelow], &[Equal, More]],
        Relation::Le => [&[Equal, Less], &[Above, FarAbove]],
        Relation::Gt => [&[Above, FarAbove], &[Equal, Less]],
        Relation::Ge => [&[Equal, More], &[Below, FarBelow]],
    }
}

fn make(maker: &mut Maker<'_>) {
    maker.each(|site, inserter, labels| {
        let operators = Operators::of(site, inserter.body());
        let blocks: Vec<Block> = inserter.body().blocks.keys().collect();
        for block in blocks {
            for inst in site.insts(inserter.body(), block) {
                of_comparison((site, &operators), inserter, labels, block, inst);
            }
            of_switch(site, inserter, labels, block);
        }
    });
}

/// The relation that a comparison of the source is, with its operands.
fn relation(body: &Body, inst: Inst) -> Option<(Relation, [Value; 2], bool)> {
    Some(match body.insts[inst].op {
        Op::IntCmp { cmp, args } => {
            let (relation, signed) = match cmp {
                IntCmp::Eq => (Relation::Eq, true),
                IntCmp::Ne => (Relation::Ne, true),
                IntCmp::Ult => (Relation::Lt, false),
                IntCmp::Ule => (Relation::Le, false),
                IntCmp::Ugt => (Relation::Gt, false),
                IntCmp::Uge => (Relation::Ge, false),
                IntCmp::Slt => (Relation::Lt, true),
                IntCmp::Sle => (Relation::Le, true),
                IntCmp::Sgt => (Relation::Gt, true),
                IntCmp::Sge => (Relation::Ge, true),
            };
            (relation, args, signed)
        }
        Op::FloatCmp { cmp, args } => {
            let relation = match cmp {
                FloatCmp::Oeq => Relation::Eq,
                FloatCmp::Une => Relation::Ne,
                FloatCmp::Olt => Relation::Lt,
                FloatCmp::Ole => Relation::Le,
                FloatCmp::Ogt => Relation::Gt,
                FloatCmp::Oge => Relation::Ge,
                _ => return None,
            };
            (relation, args, true)
        }
        _ => return None,
    })
}

/// Whether the source has a relational operator there; inside a macro or the length of an array nobody can tell, so it counts. A
/// value that is merely asked whether it is zero has none.
fn is_written(site: &Site<'_>, operators: &Operators, loc: Loc) -> bool {
    let relations = ["==", "!=", "<=", ">=", "<", ">"];
    let written = operators.at(loc).is_some_and(|operator| relations.contains(&operator.symbol));
    written || site.is_macro(loc) || operators.is_length(loc)
}

fn of_comparison(
    (site, operators): (&Site<'_>, &Operators),
    inserter: &mut Inserter<'_>,
    labels: &mut Labels<'_>,
    block: Block,
    inst: Inst,
) {
    let body = inserter.body();
    let Some((relation, args, mut signed)) = relation(body, inst) else { return };
    let loc = body.insts[inst].loc;
    if !is_written(site, operators, loc) {
        return;
    }
    if matches!(relation, Relation::Eq | Relation::Ne) {
        signed = is_signed(site, body, args);
    }
    let ty = body.ty(args[0]);
    let is_null = |v: Value| ty.is_ptr() && body.constant(v) == Some(Const::Bits(0));
    let lone = is_null(args[0]) || is_null(args[1]) || ty == Type::BOOL;
    let sides: [&[Near]; 2] = if lone { [&[Near::Equal], &[Near::Differs]] } else { table(relation) };
    let text = site.condition_at(loc);
    let step = step(site, body, args);
    inserter.at(loc);
    let mut maker = Conditions { inserter, args, ty, signed, step };
    for &near in sides.iter().copied().flatten() {
        let words = maker.words(near);
        let cond = maker.condition(near);
        let objective = site.objective(Criterion::Boundary, loc, text.clone(), Outcome::Holds(words));
        labels.add(site, maker.inserter, cond, objective);
    }
    inserter.finish_group((block, Some(inst)));
}

/// Whether the variables that are compared for equality are signed; where nothing is known they are.
fn is_signed(site: &Site<'_>, body: &Body, args: [Value; 2]) -> bool {
    let types = &site.program.types;
    let known = args.iter().find_map(|&arg| {
        let ty = body.variables[body.values[arg].var.expand()?].ty?;
        match types.stripped(ty) {
            CType::Int { signed, .. } => Some(*signed),
            _ => None,
        }
    });
    known.unwrap_or(true)
}

/// The size of what the pointers point to, in bytes.
fn step(site: &Site<'_>, body: &Body, args: [Value; 2]) -> i64 {
    let types = &site.program.types;
    let size = args.iter().find_map(|&arg| {
        let ty = body.variables[body.values[arg].var.expand()?].ty?;
        match types.stripped(ty) {
            CType::Pointer(to) => types.size_of(*to),
            _ => None,
        }
    });
    size.filter(|&size| size > 0).and_then(|size| i64::try_from(size).ok()).unwrap_or(1)
}

/// Makes the conditions of one comparison.
struct Conditions<'i, 'b> {
    inserter: &'i mut Inserter<'b>,
    args: [Value; 2],
    ty: Type,
    signed: bool,
    /// Bytes to the next element, for pointers.
    step: i64,
}

impl Conditions<'_, '_> {
    fn words(&self, near: Near) -> String {
        let body = self.inserter.body();
        let [left, right] = self.args.map(|arg| spell(body, arg, self.signed));
        let left = left.unwrap_or_else(|| "left".to_owned());
        let right = right.unwrap_or_else(|| "right".to_owned());
        let k = if self.ty.is_float() { "next" } else { "1" };
        match near {
            Near::Equal => format!("{left} == {right}"),
            Near::Differs => format!("{left} != {right}"),
            Near::Less => format!("{left} < {right}"),
            Near::More => format!("{left} > {right}"),
            Near::Below => format!("{left} == {right} - {k}"),
            Near::Above => format!("{left} == {right} + {k}"),
            Near::FarBelow => format!("{left} < {right} - {k}"),
            Near::FarAbove => format!("{left} > {right} + {k}"),
        }
    }

    fn condition(&mut self, near: Near) -> Value {
        let [x, y] = self.args;
        match near {
            Near::Equal => self.compare(Relation::Eq, x, y),
            Near::Differs => self.compare(Relation::Ne, x, y),
            Near::Less => self.compare(Relation::Lt, x, y),
            Near::More => self.compare(Relation::Gt, x, y),
            Near::Below => self.beside(x, y, true),
            Near::Above => self.beside(y, x, true),
            Near::FarBelow => self.beside(x, y, false),
            Near::FarAbove => self.beside(y, x, false),
        }
    }

    fn compare(&mut self, relation: Relation, a: Value, b: Value) -> Value {
        if self.ty.is_float() {
            let cmp = match relation {
                Relation::Eq => FloatCmp::Oeq,
                Relation::Ne => FloatCmp::Une,
                Relation::Lt => FloatCmp::Olt,
                Relation::Le => FloatCmp::Ole,
                Relation::Gt => FloatCmp::Ogt,
                Relation::Ge => FloatCmp::Oge,
            };
            return self.inserter.float_cmp(cmp, a, b);
        }
        let cmp = match (relation, self.signed && !self.ty.is_ptr()) {
            (Relation::Eq, _) => IntCmp::Eq,
            (Relation::Ne, _) => IntCmp::Ne,
            (Relation::Lt, true) => IntCmp::Slt,
            (Relation::Le, true) => IntCmp::Sle,
            (Relation::Gt, true) => IntCmp::Sgt,
            (Relation::Ge, true) => IntCmp::Sge,
            (Relation::Lt, false) => IntCmp::Ult,
            (Relation::Le, false) => IntCmp::Ule,
            (Relation::Gt, false) => IntCmp::Ugt,
            (Relation::Ge, false) => IntCmp::Uge,
        };
        self.inserter.int_cmp(cmp, a, b)
    }

    /// `low` is less than `high`, and it is (or is not) the value just before it.
    fn beside(&mut self, low: Value, high: Value, adjacent: bool) -> Value {
        let less = self.compare(Relation::Lt, low, high);
        let next = if self.ty.is_float() {
            self.float_neighbours(low, high)
        } else {
            // As `low` is less than something it is not the greatest value.
            let next = self.next(low);
            self.inserter.int_cmp(IntCmp::Eq, next, high)
        };
        let holds = if adjacent { next } else { self.inserter.not(next) };
        self.inserter.and(less, holds)
    }

    fn next(&mut self, value: Value) -> Value {
        if self.ty.is_ptr() {
            let op = Op::PtrAdd { base: value, index: None.into(), scale: 1, disp: self.step, count: 0 };
            return self.inserter.op(op, self.ty);
        }
        let one = self.inserter.constant(self.ty, 1);
        self.inserter.binary(BinaryOp::Add, value, one)
    }

    /// Whether no float lies between: the middle of two neighbours is rounded to one of them. Differences that are not
    /// finite belong to no neighbours.
    fn float_neighbours(&mut self, low: Value, high: Value) -> Value {
        if let Some(next) = next_constant(self.inserter.body(), low, true) {
            let next = self.inserter.constant(self.ty, next);
            return self.inserter.float_cmp(FloatCmp::Oeq, next, high);
        }
        if let Some(before) = next_constant(self.inserter.body(), high, false) {
            let before = self.inserter.constant(self.ty, before);
            return self.inserter.float_cmp(FloatCmp::Oeq, low, before);
        }
        let (half, infinity) = match self.ty {
            Type::F32 => (u128::from(0.5f32.to_bits()), u128::from(f32::INFINITY.to_bits())),
            Type::F80 => (0x3ffe << 64 | 1 << 63, 0x7fff << 64 | 1 << 63),
            _ => (u128::from(0.5f64.to_bits()), u128::from(f64::INFINITY.to_bits())),
        };
        let (half, infinity) = (self.inserter.constant(self.ty, half), self.inserter.constant(self.ty, infinity));
        let distance = self.inserter.binary(BinaryOp::FSub, high, low);
        let finite = self.inserter.float_cmp(FloatCmp::Olt, distance, infinity);
        let step = self.inserter.binary(BinaryOp::FMul, distance, half);
        let middle = self.inserter.binary(BinaryOp::FAdd, low, step);
        let is_low = self.inserter.float_cmp(FloatCmp::Oeq, middle, low);
        let is_high = self.inserter.float_cmp(FloatCmp::Oeq, middle, high);
        let is_end = self.inserter.binary(BinaryOp::Or, is_low, is_high);
        self.inserter.and(finite, is_end)
    }
}

/// The float after (or before) a constant.
fn next_constant(body: &Body, value: Value, up: bool) -> Option<u128> {
    let data = &body.values[value];
    let Def::Const(Const::Bits(bits)) = data.def else { return None };
    match data.ty {
        Type::F32 => {
            let value = f32::from_bits(bits as u32);
            Some(u128::from((if up { value.next_up() } else { value.next_down() }).to_bits()))
        }
        Type::F64 => {
            let value = f64::from_bits(bits as u64);
            Some(u128::from((if up { value.next_up() } else { value.next_down() }).to_bits()))
        }
        _ => None,
    }
}

/// Each label of a switch, and the values beside it.
fn of_switch(site: &Site<'_>, inserter: &mut Inserter<'_>, labels: &mut Labels<'_>, block: Block) {
    let body = inserter.body();
    let data = &body.blocks[block];
    let Terminator::Switch { value, cases, .. } = &data.term else { return };
    let (value, loc, ty) = (*value, data.term_loc, body.ty(*value));
    let mask = u128::MAX >> (128 - ty.bits());
    let signed = is_signed(site, body, [value, value]);
    let target = |bits: u128| cases.iter().find(|(case, _)| *case == bits).map(|(_, edge)| edge.block);
    let mut wanted: BTreeSet<u128> = BTreeSet::new();
    let (greatest, lowest) = if signed { (mask >> 1, (mask >> 1) + 1) } else { (mask, 0) };
    for (case, _) in cases {
        let above = (*case != greatest).then(|| case.wrapping_add(1) & mask);
        let below = (*case != lowest).then(|| case.wrapping_sub(1) & mask);
        // The inside of a range (`case 1 ... 9`) is no border.
        let inside = [above, below].iter().all(|n| n.is_some_and(|n| target(n) == target(*case)));
        if !inside {
            wanted.insert(*case);
        }
        wanted.extend([above, below].into_iter().flatten().filter(|&n| target(n).is_none()));
    }
    let text = site.condition_at(loc);
    let name = spell(body, value, signed).unwrap_or_else(|| "value".to_owned());
    inserter.at(loc);
    for bits in wanted {
        let constant = inserter.constant(ty, bits);
        let number = spell(inserter.body(), constant, signed).unwrap_or_default();
        let cond = inserter.int_cmp(IntCmp::Eq, value, constant);
        let outcome = Outcome::Holds(format!("{name} == {number}"));
        let objective: Objective = site.objective(Criterion::Boundary, loc, text.clone(), outcome);
        labels.add(site, inserter, cond, objective);
    }
    inserter.finish_group((block, None));
}
