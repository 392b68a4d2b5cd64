//! Formulas made ready to be evaluated many times, on concrete values.

use covenant_constraints::eval::apply;
use covenant_constraints::op::Op;
use covenant_constraints::sort::{mask, to_signed};
use covenant_constraints::{Sort, TermId, Terms, Value, VarId};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Stores of a chain that are looked through.
const LONGEST_CHAIN: usize = 4096; // not tuning: as long as in trace.rs, where the stack bounds it

#[derive(Clone, Debug)]
enum Step {
    Constant(u128),
    Variable(VarId),
    /// Of Booleans and bits, with the width of the first operand.
    Simple {
        op: Op,
        width: u8,
        sort: Sort,
        args: [u32; 3],
    },
    Apply {
        op: Op,
        sort: Sort,
        args: SmallVec<[u32; 3]>,
        sorts: SmallVec<[Sort; 3]>,
    },
    /// A byte of an array, at the value of a step.
    Read {
        array: TermId,
        index: u32,
    },
    /// Arrays have no value of their own.
    Array,
}

/// Formulas as one list of steps; what they share is there once.
#[derive(Clone, Debug, Default)]
pub struct Compiled {
    /// What is evaluated, in the order in which results come.
    pub formulas: Vec<TermId>,
    results: Vec<u32>,
    steps: Vec<Step>,
    places: FxHashMap<TermId, u32>,
}

/// Where the values of variables come from.
pub trait Source {
    /// The value of a variable; `None` where it is not known, and so nothing that depends on it.
    fn variable(&mut self, var: VarId) -> Option<Value>;
    /// A byte of a variable that is an array.
    fn byte(&mut self, array: VarId, index: u64) -> Option<u8>;
}

impl Compiled {
    /// Prepares formulas to be evaluated many times.
    pub fn new(terms: &Terms, formulas: Vec<TermId>) -> Compiled {
        let order = terms.postorder(&formulas);
        let places: FxHashMap<TermId, u32> = (0..).zip(&order).map(|(i, &t)| (t, i)).collect();
        let steps = order.iter().map(|&t| step(terms, &places, t)).collect();
        let results = formulas.iter().map(|formula| places[formula]).collect();
        Compiled { formulas, results, steps, places }
    }

    /// What the formulas are. `None`: something in one cannot be told.
    pub fn eval(&self, terms: &Terms, source: &mut dyn Source) -> Vec<Option<bool>> {
        self.bits(terms, source).into_iter().map(|bits| bits.map(|bits| bits != 0)).collect()
    }

    /// The bits of the terms, which need not be formulas.
    pub fn bits(&self, terms: &Terms, source: &mut dyn Source) -> Vec<Option<u128>> {
        let mut values: Vec<Option<u128>> = Vec::with_capacity(self.steps.len());
        for step in &self.steps {
            let value = match step {
                Step::Constant(bits) => Some(*bits),
                Step::Variable(var) => source.variable(*var).and_then(|value| value.bits()),
                Step::Array => None,
                Step::Read { array, index } => {
                    values[*index as usize].and_then(|index| self.read(terms, source, &values, *array, index as u64))
                }
                Step::Simple { op, width, sort, args } => simple(*op, *width, *sort, args, &values),
                Step::Apply { op, sort, args, sorts } => general(*op, *sort, args, sorts, &values),
            };
            values.push(value);
        }
        self.results.iter().map(|&result| values[result as usize]).collect()
    }

    fn read(
        &self,
        terms: &Terms,
        source: &mut dyn Source,
        values: &[Option<u128>],
        array: TermId,
        index: u64,
    ) -> Option<u128> {
        let value = |t: TermId| *values.get(*self.places.get(&t)? as usize)?;
        let mut array = array;
        for _ in 0..LONGEST_CHAIN {
            let node = terms.node(array);
            match node.op {
                Op::Store if value(node.args[1])? as u64 == index => return value(node.args[2]),
                Op::Store => array = node.args[0],
                Op::ConstArray => return value(node.args[0]),
                Op::Ite => array = if value(node.args[0])? != 0 { node.args[1] } else { node.args[2] },
                Op::Var(var) => return source.byte(var, index).map(u128::from),
                _ => return None,
            }
        }
        None
    }
}

fn step(terms: &Terms, places: &FxHashMap<TermId, u32>, t: TermId) -> Step {
    let node = terms.node(t);
    if node.sort == Sort::Array {
        return Step::Array;
    }
    if let Some(bits) = terms.as_value(t).and_then(|value| value.bits()) {
        return Step::Constant(bits);
    }
    match node.op {
        Op::Var(var) => Step::Variable(var),
        Op::Select => Step::Read { array: node.args[0], index: places[&node.args[1]] },
        op => {
            let args: SmallVec<[u32; 3]> = node.args.iter().map(|a| places[&a]).collect();
            let sorts: SmallVec<[Sort; 3]> = node.args.iter().map(|a| terms.sort(a)).collect();
            let plain = |sort: &Sort| matches!(sort, Sort::Bool | Sort::Bv(_));
            let width = match sorts[0] {
                Sort::Bv(w) => w,
                _ => 1,
            };
            if is_simple(op) && plain(&node.sort) && sorts.iter().all(plain) {
                let mut three = [0; 3];
                three[..args.len()].copy_from_slice(&args);
                return Step::Simple { op, width, sort: node.sort, args: three };
            }
            Step::Apply { op, sort: node.sort, args, sorts }
        }
    }
}

/// What [`simple`] can do.
fn is_simple(op: Op) -> bool {
    use Op::*;
    matches!(op, Not | And | Or | Eq | Ite | BvNot | BvNeg | BvAnd | BvOr | BvXor | Add | Sub | Mul)
        || matches!(op, ZExt | SExt | Extract { .. } | Ult | Ule | Slt | Sle | BoolToBv)
}

fn simple(op: Op, width: u8, sort: Sort, args: &[u32; 3], values: &[Option<u128>]) -> Option<u128> {
    let arg = |i: usize| values[args[i] as usize];
    let a = arg(0)?;
    let bits = |v: u128| v & mask(sort.width());
    let signed = |v: u128| to_signed(v, width);
    Some(match op {
        Op::Not => u128::from(a == 0),
        Op::BvNot => bits(!a),
        Op::BvNeg => bits(a.wrapping_neg()),
        Op::ZExt | Op::BoolToBv => a,
        Op::SExt => bits(signed(a) as u128),
        Op::Extract { lo, .. } => bits(a >> lo),
        Op::Ite => {
            // As the evaluator: all operands must be known.
            let (b, c) = (arg(1)?, arg(2)?);
            if a != 0 { b } else { c }
        }
        _ => {
            let b = arg(1)?;
            match op {
                Op::And | Op::BvAnd => a & b,
                Op::Or | Op::BvOr => a | b,
                Op::BvXor => a ^ b,
                Op::Eq => u128::from(a == b),
                Op::Add => bits(a.wrapping_add(b)),
                Op::Sub => bits(a.wrapping_sub(b)),
                Op::Mul => bits(a.wrapping_mul(b)),
                Op::Ult => u128::from(a < b),
                Op::Ule => u128::from(a <= b),
                Op::Slt => u128::from(signed(a) < signed(b)),
                Op::Sle => u128::from(signed(a) <= signed(b)),
                _ => return None,
            }
        }
    })
}

fn general(op: Op, sort: Sort, args: &[u32], sorts: &[Sort], values: &[Option<u128>]) -> Option<u128> {
    let value = |(&i, &sort): (&u32, &Sort)| Value::from_bits(sort, values[i as usize]?);
    let args: SmallVec<[Value; 3]> = args.iter().zip(sorts).map(value).collect::<Option<_>>()?;
    apply(op, sort, &args, sorts).bits()
}

#[cfg(test)]
mod tests {
    use covenant_constraints::{Evaluator, Model};

    use super::*;

    struct Given<'m>(&'m Model);

    impl Source for Given<'_> {
        fn variable(&mut self, var: VarId) -> Option<Value> {
            self.0.get(var).cloned()
        }

        fn byte(&mut self, _: VarId, _: u64) -> Option<u8> {
            None
        }
    }

    #[test]
    fn steps_agree_with_the_evaluator() {
        let mut t = Terms::new();
        let (x, y) = (t.var("x", Sort::Bv(8)), t.var("y", Sort::Bv(8)));
        let (a, b) = (t.var_term(x), t.var_term(y));
        let (sum, difference, product) = (t.add(a, b), t.sub(a, b), t.mul(a, b));
        let quotient = t.sdiv(a, b);
        let (wide, wider) = (t.sext(a, 16), t.zext(b, 16));
        let low = t.extract(product, 5, 2);
        let four = t.bv(9, 4);
        let mut formulas = vec![t.slt(sum, difference), t.sle(product, b), t.ult(quotient, a), t.ule(low, four)];
        formulas.push(t.slt(wide, wider));
        let chosen = t.ite(formulas[0], sum, quotient);
        formulas.push(t.eq(chosen, b));
        let either = t.or(formulas[1], formulas[2]);
        formulas.push(t.not(either));
        let compiled = Compiled::new(&t, formulas.clone());
        for (p, q) in [(0u128, 0u128), (3, 250), (255, 1), (128, 127), (17, 17), (200, 100)] {
            let mut model = Model::new();
            model.set(x, Value::Bv(p));
            model.set(y, Value::Bv(q));
            let expected: Vec<Option<bool>> =
                formulas.iter().map(|&f| Some(Evaluator::new(&t, &model).eval(f).is_true())).collect();
            assert_eq!(compiled.eval(&t, &mut Given(&model)), expected, "{p} {q}");
        }
    }

    #[test]
    fn what_is_not_known_is_not_told() {
        let mut t = Terms::new();
        let (x, y) = (t.var("x", Sort::Bv(8)), t.var("y", Sort::Bv(8)));
        let (a, b) = (t.var_term(x), t.var_term(y));
        let five = t.bv(5, 8);
        let formulas = vec![t.ult(a, five), t.ult(a, b)];
        let mut model = Model::new();
        model.set(x, Value::Bv(2));
        assert_eq!(Compiled::new(&t, formulas).eval(&t, &mut Given(&model)), vec![Some(true), None]);
    }
}
