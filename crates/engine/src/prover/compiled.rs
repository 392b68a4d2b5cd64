//! Formulas made ready to be evaluated many times, on concrete values.

use covenant_constraints::eval::apply;
use covenant_constraints::op::Op;
use covenant_constraints::{Sort, TermId, Terms, Value, VarId};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Stores of a chain that are looked through.
const LONGEST_CHAIN: usize = 4096;

#[derive(Clone, Debug)]
enum Step {
    Constant(Value),
    Variable(VarId),
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

/// A formula as a list of steps; the last is its value.
#[derive(Clone, Debug)]
pub struct Compiled {
    pub formula: TermId,
    steps: Vec<Step>,
    places: FxHashMap<TermId, u32>,
}

/// Where the values of variables come from.
pub trait Source {
    fn variable(&mut self, var: VarId) -> Option<Value>;
    /// A byte of a variable that is an array.
    fn byte(&mut self, array: VarId, index: u64) -> Option<u8>;
}

impl Compiled {
    pub fn new(terms: &Terms, formula: TermId) -> Compiled {
        let order = terms.postorder(&[formula]);
        let places: FxHashMap<TermId, u32> = (0..).zip(&order).map(|(i, &t)| (t, i)).collect();
        let step = |&t: &TermId| {
            let node = terms.node(t);
            if node.sort == Sort::Array {
                return Step::Array;
            }
            if let Some(value) = terms.as_value(t) {
                return Step::Constant(value);
            }
            match node.op {
                Op::Var(var) => Step::Variable(var),
                Op::Select => Step::Read { array: node.args[0], index: places[&node.args[1]] },
                op => Step::Apply {
                    op,
                    sort: node.sort,
                    args: node.args.iter().map(|a| places[&a]).collect(),
                    sorts: node.args.iter().map(|a| terms.sort(a)).collect(),
                },
            }
        };
        let steps = order.iter().map(step).collect();
        Compiled { formula, steps, places }
    }

    /// What the formula is. `None`: something in it cannot be told.
    pub fn eval(&self, terms: &Terms, source: &mut dyn Source) -> Option<bool> {
        let mut values: Vec<Option<Value>> = Vec::with_capacity(self.steps.len());
        for step in &self.steps {
            let value = match step {
                Step::Constant(value) => Some(value.clone()),
                Step::Variable(var) => source.variable(*var),
                Step::Array => None,
                Step::Read { array, index } => {
                    let index = values[*index as usize].as_ref().and_then(Value::bits);
                    index.and_then(|index| self.read(terms, source, &values, *array, index as u64))
                }
                Step::Apply { op, sort, args, sorts } => {
                    let args: Option<SmallVec<[Value; 3]>> = args.iter().map(|&i| values[i as usize].clone()).collect();
                    args.map(|args| apply(*op, *sort, &args, sorts))
                }
            };
            values.push(value);
        }
        values.last()?.as_ref().map(Value::is_true)
    }

    fn read(
        &self,
        terms: &Terms,
        source: &mut dyn Source,
        values: &[Option<Value>],
        array: TermId,
        index: u64,
    ) -> Option<Value> {
        let value = |t: TermId| values.get(*self.places.get(&t)? as usize)?.as_ref();
        let mut array = array;
        for _ in 0..LONGEST_CHAIN {
            let node = terms.node(array);
            match node.op {
                Op::Store if value(node.args[1])?.bits()? as u64 == index => return value(node.args[2]).cloned(),
                Op::Store => array = node.args[0],
                Op::ConstArray => return value(node.args[0]).cloned(),
                Op::Ite => array = if value(node.args[0])?.is_true() { node.args[1] } else { node.args[2] },
                Op::Var(var) => return source.byte(var, index).map(|byte| Value::Bv(u128::from(byte))),
                _ => return None,
            }
        }
        None
    }
}
