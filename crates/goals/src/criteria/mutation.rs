//! Weak mutation: for each small change of an operator or a constant, a state in which the changed expression has another
//! value. A mutant for which there is no such state is equivalent: no test can ever tell it from the program.
//!
//! * Relational operators become each of the other five, `&&` becomes `||` and the other way round, as in Pandita's
//!   "Guided Test Generation for Coverage Criteria".
//! * Arithmetic operators become others of their kind.
//! * Constant operands become one more, one less, zero, and their negative.
//! * `++` becomes `--` and the other way round, or is left out.
//!
//! Everything is asked at the operator, with its operands as they are. A changed `&&` or `||` may evaluate what the
//! program does not; then the conditions that were left out are computed beside it, which can be done if nothing in them
//! changes anything (see [`crate::criteria::speculative`]). Where it cannot, the mutant can be told apart, but never proved equivalent.

use covenant_program::analysis::Dominators;
use covenant_program::coverage::edge_mapping;
use covenant_program::ir::insert::Inserter;
use covenant_program::ir::{BinaryOp, Block, Const, FloatCmp, Inst, IntCmp, Loc, Op, Terminator, Type, Value};

use crate::Criterion;
use crate::criteria::decisions::{Flipped, Shape, shapes};
use crate::criteria::mcdc::{self, Next, Sites};
use crate::criteria::operators::Operators;
use crate::criteria::speculative::{Answer, Speculation};
use crate::criteria::{Labels, Maker, Needs, Profile, Site, spell};
use crate::objective::{Mutated, Objective, Outcome};
use crate::words::{Reason, ReasonKind};

pub(super) const PROFILE: Profile = Profile {
    about: "Changed operators and constants: a state in which the change matters (weak mutation), or a proof that it never does",
    nouns: ("weak mutant", "weak mutants"),
    needs: Needs::Decisions,
    ..Profile::new(make)
};

fn make(maker: &mut Maker<'_>) {
    maker.each_with_decisions(|site, inserter, labels| {
        let operators = Operators::of(site, inserter.body());
        let blocks: Vec<Block> = inserter.body().blocks.keys().collect();
        for block in blocks {
            for inst in site.insts(inserter.body(), block) {
                of_inst((site, &operators), inserter, labels, block, inst);
            }
        }
        let Some(mapping) = site.mapping else { return };
        let sites: Sites =
            edge_mapping::branches(inserter.body(), mapping).into_iter().map(|s| (s.region, s)).collect();
        for shape in shapes(site, &sites) {
            of_decision(site, inserter, labels, &shape, &sites);
        }
    });
}

/// An operator as C writes it.
fn symbol(op: &Op) -> Option<&'static str> {
    Some(match op {
        Op::IntCmp { cmp, .. } => relation(*cmp),
        Op::FloatCmp { cmp, .. } => match cmp {
            FloatCmp::Oeq => "==",
            FloatCmp::Une => "!=",
            FloatCmp::Olt => "<",
            FloatCmp::Ole => "<=",
            FloatCmp::Ogt => ">",
            FloatCmp::Oge => ">=",
            _ => return None,
        },
        Op::Binary { op, .. } => match op {
            BinaryOp::Add | BinaryOp::FAdd => "+",
            BinaryOp::Sub | BinaryOp::FSub => "-",
            BinaryOp::Mul | BinaryOp::FMul => "*",
            BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::FDiv => "/",
            BinaryOp::URem | BinaryOp::SRem => "%",
            BinaryOp::Shl => "<<",
            BinaryOp::LShr | BinaryOp::AShr => ">>",
            BinaryOp::And => "&",
            BinaryOp::Or => "|",
            BinaryOp::Xor => "^",
            BinaryOp::FRem => return None,
        },
        _ => return None,
    })
}

fn relation(cmp: IntCmp) -> &'static str {
    match cmp {
        IntCmp::Eq => "==",
        IntCmp::Ne => "!=",
        IntCmp::Ult | IntCmp::Slt => "<",
        IntCmp::Ule | IntCmp::Sle => "<=",
        IntCmp::Ugt | IntCmp::Sgt => ">",
        IntCmp::Uge | IntCmp::Sge => ">=",
    }
}

/// Whether the source has this operator there; inside a macro or the length of an array nobody can tell, so it counts.
fn is_written(site: &Site<'_>, operators: &Operators, loc: Loc, symbol: &str) -> bool {
    let written = operators.at(loc).is_some_and(|operator| operator.symbol == symbol);
    loc.line > 0 && (written || site.is_macro(loc) || operators.is_length(loc))
}

fn of_inst(
    (site, operators): (&Site<'_>, &Operators),
    inserter: &mut Inserter<'_>,
    labels: &mut Labels<'_>,
    block: Block,
    inst: Inst,
) {
    let data = inserter.body().insts[inst].clone();
    let Some(symbol) = symbol(&data.op) else { return };
    let mutants = match operators.at(data.loc).map(|operator| operator.symbol) {
        Some(step @ ("++" | "--")) => steps(inserter, &data.op, step),
        _ if is_written(site, operators, data.loc, symbol) => mutants(inserter, &data.op),
        _ => return,
    };
    if mutants.is_empty() {
        return;
    }
    inserter.at(data.loc);
    let text = site.condition_at(data.loc);
    let original = compute(inserter, &data.op);
    for (words, op) in mutants {
        let Some((original, trap)) = original else { continue };
        let Some((changed, fails)) = compute(inserter, &op) else { continue };
        let differs = differ(inserter, original, changed);
        // A mutant that fails is told apart by that, unless the program fails too.
        let infected = match (fails, trap) {
            (Some(fails), None) => inserter.binary(BinaryOp::Or, differs, fails),
            (Some(fails), Some(trap)) => {
                let goes_on = inserter.not(trap);
                let either = inserter.binary(BinaryOp::Or, differs, fails);
                inserter.and(either, goes_on)
            }
            (None, Some(trap)) => {
                let goes_on = inserter.not(trap);
                inserter.and(differs, goes_on)
            }
            (None, None) => differs,
        };
        let mut objective = site.objective(Criterion::Mutation, data.loc, text.clone(), Outcome::Holds(words));
        objective.mutated = Some(Box::new(Mutated::Inst(site.function, inst, op)));
        labels.add(site, inserter, infected, objective);
    }
    inserter.finish_group((block, Some(inst)));
}

/// The result of an operation that has no effect, and under which condition the real one would fail.
fn compute(inserter: &mut Inserter<'_>, op: &Op) -> Option<(Value, Option<Value>)> {
    match *op {
        Op::IntCmp { cmp, args: [a, b] } => Some((inserter.int_cmp(cmp, a, b), None)),
        Op::FloatCmp { cmp, args: [a, b] } => Some((inserter.float_cmp(cmp, a, b), None)),
        Op::Binary { op, args: [a, b], .. } if op.is_division() => {
            let ty = inserter.ty(b);
            let mask = u128::MAX >> (128 - ty.bits());
            let (zero, one) = (inserter.constant(ty, 0), inserter.constant(ty, 1));
            let mut fails = inserter.int_cmp(IntCmp::Eq, b, zero);
            if matches!(op, BinaryOp::SDiv | BinaryOp::SRem) {
                let (lowest, minus) = (inserter.constant(ty, (mask >> 1) + 1), inserter.constant(ty, mask));
                let (low, last) = (inserter.int_cmp(IntCmp::Eq, a, lowest), inserter.int_cmp(IntCmp::Eq, b, minus));
                let over = inserter.and(low, last);
                fails = inserter.binary(BinaryOp::Or, fails, over);
            }
            // What fails is divided by one instead, so that asking is harmless.
            let divisor = inserter.select(fails, one, b);
            Some((inserter.binary(op, a, divisor), Some(fails)))
        }
        Op::Binary { op, args: [a, b], .. } => Some((inserter.binary(op, a, b), None)),
        _ => None,
    }
}

/// Whether two values are not the same; two that are not numbers are.
fn differ(inserter: &mut Inserter<'_>, a: Value, b: Value) -> Value {
    if !inserter.ty(a).is_float() {
        return inserter.int_cmp(IntCmp::Ne, a, b);
    }
    let differs = inserter.float_cmp(FloatCmp::Une, a, b);
    let (number, other) = (inserter.float_cmp(FloatCmp::Oeq, a, a), inserter.float_cmp(FloatCmp::Oeq, b, b));
    let either = inserter.binary(BinaryOp::Or, number, other);
    inserter.and(differs, either)
}

/// The mutants of a `++` or `--`, which adds a constant.
fn steps(inserter: &mut Inserter<'_>, op: &Op, written: &str) -> Vec<(String, Op)> {
    let Op::Binary { op: kind @ (BinaryOp::Add | BinaryOp::FAdd), flags, args: [arg, by] } = *op else {
        return Vec::new();
    };
    let (ty, Some(Const::Bits(bits))) = (inserter.ty(by), inserter.body().constant(by)) else { return Vec::new() };
    let back = match kind {
        BinaryOp::FAdd => Op::Binary { op: BinaryOp::FSub, flags, args: [arg, by] },
        _ => {
            let back = inserter.constant(ty, bits.wrapping_neg() & (u128::MAX >> (128 - ty.bits())));
            Op::Binary { op: kind, flags, args: [arg, back] }
        }
    };
    let nothing = Op::Binary { op: kind, flags, args: [arg, inserter.constant(ty, 0)] };
    let other = if written == "++" { "--" } else { "++" };
    vec![(format!("{written} becomes {other}"), back), (format!("{written} is left out"), nothing)]
}

/// The mutants of an operation, in words and as operations.
fn mutants(inserter: &mut Inserter<'_>, op: &Op) -> Vec<(String, Op)> {
    let body = inserter.body();
    let mut all = Vec::new();
    let becomes =
        |from: &Op, to: &Op| format!("{} becomes {}", symbol(from).unwrap_or_default(), symbol(to).unwrap_or_default());
    match op {
        Op::IntCmp { cmp, args } => {
            for cmp in relations(*cmp, body.ty(args[0])) {
                let changed = Op::IntCmp { cmp, args: *args };
                all.push((becomes(op, &changed), changed));
            }
        }
        Op::FloatCmp { cmp, args } => {
            use FloatCmp::{Oeq, Oge, Ogt, Ole, Olt, Une};
            for cmp in [Oeq, Une, Olt, Ole, Ogt, Oge].into_iter().filter(|c| c != cmp) {
                let changed = Op::FloatCmp { cmp, args: *args };
                all.push((becomes(op, &changed), changed));
            }
        }
        Op::Binary { op: kind, flags, args } if body.ty(args[0]) != Type::BOOL => {
            for &kind in operators(*kind) {
                let changed = Op::Binary { op: kind, flags: *flags, args: *args };
                all.push((becomes(op, &changed), changed));
            }
        }
        _ => {}
    }
    all.extend(constants(inserter, op));
    all
}

/// The other relations of the same signedness. Of pointers and truth values only equality is asked.
fn relations(cmp: IntCmp, ty: Type) -> Vec<IntCmp> {
    use IntCmp::{Eq, Ne, Sge, Sgt, Sle, Slt, Uge, Ugt, Ule, Ult};
    let equality = matches!(cmp, Eq | Ne);
    let all: &[IntCmp] = match cmp {
        Eq | Ne if ty.is_ptr() || ty == Type::BOOL => &[Eq, Ne],
        Ult | Ule | Ugt | Uge => &[Eq, Ne, Ult, Ule, Ugt, Uge],
        _ => &[Eq, Ne, Slt, Sle, Sgt, Sge],
    };
    debug_assert!(equality || all.contains(&cmp));
    all.iter().copied().filter(|c| *c != cmp).collect()
}

fn operators(op: BinaryOp) -> &'static [BinaryOp] {
    use BinaryOp::{AShr, Add, And, FAdd, FDiv, FMul, FSub, LShr, Mul, Or, SDiv, SRem, Shl, Sub, UDiv, URem, Xor};
    match op {
        Add => &[Sub, Mul],
        Sub => &[Add, Mul],
        Mul => &[Add, SDiv],
        SDiv => &[Mul, SRem],
        UDiv => &[Mul, URem],
        SRem => &[Mul, SDiv],
        URem => &[Mul, UDiv],
        And => &[Or, Xor],
        Or => &[And, Xor],
        Xor => &[And, Or],
        Shl => &[LShr],
        LShr | AShr => &[Shl],
        FAdd => &[FSub, FMul],
        FSub => &[FAdd, FMul],
        FMul => &[FAdd, FDiv],
        FDiv => &[FMul, FAdd],
        BinaryOp::FRem => &[],
    }
}

/// The operation with another constant.
fn constants(inserter: &mut Inserter<'_>, op: &Op) -> Vec<(String, Op)> {
    let args = match op {
        Op::IntCmp { args, .. } | Op::Binary { args, .. } => *args,
        _ => return Vec::new(),
    };
    let mut all = Vec::new();
    for (place, arg) in args.into_iter().enumerate() {
        let ty = inserter.ty(arg);
        let (Type::Int(2..), Some(Const::Bits(bits))) = (ty, inserter.body().constant(arg)) else { continue };
        let mask = u128::MAX >> (128 - ty.bits());
        let mut changes: Vec<u128> = Vec::new();
        for changed in [bits.wrapping_add(1), bits.wrapping_sub(1), 0, bits.wrapping_neg()] {
            let changed = changed & mask;
            if changed != bits && !changes.contains(&changed) {
                changes.push(changed);
            }
        }
        let name = spell(inserter.body(), arg, true).unwrap_or_default();
        for changed in changes {
            let value = inserter.constant(ty, changed);
            let mut args = args;
            args[place] = value;
            let mut op = op.clone();
            match &mut op {
                Op::IntCmp { args: of, .. } | Op::Binary { args: of, .. } => *of = args,
                _ => {}
            }
            all.push((format!("{name} becomes {}", spell(inserter.body(), value, true).unwrap_or_default()), op));
        }
    }
    all
}

/// `&&` as `||` and the other way round, in each place of a decision.
fn of_decision(site: &Site<'_>, inserter: &mut Inserter<'_>, labels: &mut Labels<'_>, shape: &Shape, sites: &Sites) {
    let objective = |place: Option<(u32, u32)>, words: &str| {
        let mut objective = site.of_span(Criterion::Mutation, shape.span, Outcome::Holds(words.to_owned()));
        objective.text.clone_from(&shape.text);
        if let Some(place) = place {
            (objective.line, objective.column) = place;
        }
        objective
    };
    let open = |why: &str| Objective {
        unmapped: Some(Reason::new(ReasonKind::Model, why)),
        ..objective(None, "&& and || become each other")
    };
    let prepared = shape.diagram.clone().and_then(|diagram| {
        let outcomes = mcdc::outcomes(inserter.body(), shape, sites)?;
        let vectors = diagram.vectors().ok_or("it has too many test vectors")?;
        let flipped = shape.flipped()?;
        Ok((diagram, outcomes, vectors, flipped))
    });
    let (diagram, outcomes, vectors, flipped) = match prepared {
        Ok(prepared) => prepared,
        Err(why) => return labels.objectives.push(open(&why)),
    };
    let dominators = Dominators::new(inserter.body());
    let (memory, ty) = mcdc::remembered(inserter, &diagram, &outcomes);
    for Flipped { words, place, diagram: mutant } in &flipped {
        let mut objective = objective(*place, words);
        let mut turned = Vec::new();
        for (way, (condition, outcome)) in mcdc::in_order(&outcomes) {
            let Next::End(result) = diagram.after(condition, outcome) else { continue };
            let Terminator::Branch { cond, .. } = inserter.body().blocks[way.block].term else { continue };
            let Some(&before) = memory.get(&way.block) else { continue };
            for vector in vectors.iter().filter(|v| v.last == condition && v.conditions[condition] == Some(outcome)) {
                let (dominators, outcomes) = (&dominators, &outcomes);
                let mut speculation = Speculation::new(site, way.block, dominators, outcomes);
                inserter.at(inserter.body().blocks[way.block].term_loc);
                match speculation.differs(inserter, mutant, mutant.first, (&vector.conditions, result)) {
                    Some(Answer::Known(false)) => {}
                    Some(answer) => {
                        let goes = if way.edge == 0 { cond } else { inserter.not(cond) };
                        let wanted = inserter.constant(ty, vector.prefix());
                        let same = inserter.int_cmp(IntCmp::Eq, before, wanted);
                        let mut infected = inserter.and(goes, same);
                        if let Answer::Value(differs) = answer {
                            infected = inserter.and(infected, differs);
                        }
                        objective.places.push(labels.place(site, inserter, infected));
                        turned.push((way.block, infected));
                    }
                    None => {
                        let why = "where the program stops, the mutant goes on to evaluate conditions that change \
                                   something or have many ways, and these cannot be computed beside the program";
                        objective.unmapped = Some(Reason::new(ReasonKind::Model, why));
                    }
                }
                inserter.finish_group((way.block, None));
            }
        }
        objective.mutated = Some(Box::new(Mutated::Ways(site.function, turned)));
        labels.objectives.push(objective);
    }
}
