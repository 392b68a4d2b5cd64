//! Alpha-equivalence: queries that differ only in the names of their variables have the same answer. Copies of a loop, and
//! calls of one function in several contexts, ask the same again and again.

use rustc_hash::FxHashMap;

use crate::op::Op;
use crate::solver::{Answer, Core, LayerStats, Query, Solver, Stats};
use crate::sort::Sort;
use crate::term::{TermId, Terms, VarId};
use crate::tuning::Tuning;
use crate::value::{Model, Value};

/// What a query looks like, its variables numbered in the order in which it meets them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Form(Vec<u64>);

#[derive(Clone, Debug)]
enum Known {
    /// The values of the variables, by their numbers.
    Sat(Vec<Value>),
    Unsat(Core),
}

#[derive(Debug)]
pub(crate) struct AlphaEquivalence {
    inner: Box<dyn Solver>,
    most_nodes: usize,
    kinds: Kinds,
    known: FxHashMap<Form, Known>,
    keep: usize,
    layer: LayerStats,
}

impl AlphaEquivalence {
    pub(crate) fn new(inner: Box<dyn Solver>, keep: usize, tuning: &Tuning) -> AlphaEquivalence {
        let most_nodes = tuning.alpha_nodes;
        AlphaEquivalence {
            inner,
            most_nodes,
            kinds: Kinds::default(),
            known: FxHashMap::default(),
            keep,
            layer: LayerStats::default(),
        }
    }
}

/// The form of a query and its variables in the order of their numbers.
fn form(kinds: &mut Kinds, terms: &Terms, query: &Query<'_>, most: usize) -> Option<(Form, Vec<VarId>)> {
    let mut numbers: FxHashMap<TermId, u64> = FxHashMap::default();
    let mut variables = Vec::new();
    let mut out = Vec::new();
    let mut stack: Vec<TermId> = Vec::new();
    for &root in query.path.iter().chain([&query.goal]) {
        stack.push(root);
        while let Some(&t) = stack.last() {
            if numbers.contains_key(&t) {
                stack.pop();
                continue;
            }
            let node = terms.node(t);
            let before = stack.len();
            // The first argument is to be met first.
            stack.extend(node.args.iter().rev().filter(|a| !numbers.contains_key(a)));
            if stack.len() > before {
                continue;
            }
            stack.pop();
            if numbers.len() >= most {
                return None;
            }
            numbers.insert(t, numbers.len() as u64);
            kinds.describe(terms, t, &numbers, &mut variables, &mut out);
        }
        out.extend([u64::MAX, numbers[&root]]);
    }
    Some((Form(out), variables))
}

/// What a node is, its arguments and its name aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kind {
    Variable(Sort),
    Constant(Sort),
    Operation(Op, Sort),
}

/// Numbers for kinds of nodes.
#[derive(Debug, Default)]
struct Kinds(FxHashMap<Kind, u64>);

impl Kinds {
    fn number(&mut self, kind: Kind) -> u64 {
        let next = self.0.len() as u64;
        *self.0.entry(kind).or_insert(next)
    }

    /// Adds the number of a node's kind, the bits of a constant, and the numbers of the arguments.
    fn describe(
        &mut self,
        terms: &Terms,
        t: TermId,
        numbers: &FxHashMap<TermId, u64>,
        variables: &mut Vec<VarId>,
        out: &mut Vec<u64>,
    ) {
        let node = terms.node(t);
        match node.op {
            Op::Var(var) => {
                variables.push(var);
                out.push(self.number(Kind::Variable(node.sort)));
            }
            Op::BvConst(_) | Op::FloatConst(_) => {
                let bits = terms.as_value(t).and_then(|value| value.bits()).unwrap_or(0);
                out.extend([self.number(Kind::Constant(node.sort)), bits as u64, (bits >> 64) as u64]);
            }
            op => out.push(self.number(Kind::Operation(op, node.sort))),
        }
        out.extend(node.args.iter().map(|a| numbers[&a]));
    }
}

impl Solver for AlphaEquivalence {
    fn solve(&mut self, terms: &mut Terms, query: &Query<'_>) -> Answer {
        self.layer.calls += 1;
        let Some((form, variables)) = form(&mut self.kinds, terms, query, self.most_nodes) else {
            return self.inner.solve(terms, query);
        };
        match self.known.get(&form) {
            Some(Known::Unsat(core)) => {
                self.layer.hits += 1;
                return Answer::Unsat(core.clone());
            }
            Some(Known::Sat(values)) => {
                self.layer.hits += 1;
                let mut model = query.hint.cloned().unwrap_or_else(Model::new);
                for (&var, value) in variables.iter().zip(values) {
                    model.set(var, value.clone());
                }
                return Answer::Sat(model);
            }
            None => {}
        }
        let answer = self.inner.solve(terms, query);
        if self.known.len() >= self.keep {
            self.known.clear();
        }
        match &answer {
            Answer::Sat(model) => {
                let values = variables.iter().map(|&var| model.value(terms, var)).collect();
                self.known.insert(form, Known::Sat(values));
            }
            Answer::Unsat(core) => {
                self.known.insert(form, Known::Unsat(core.clone()));
            }
            Answer::Unknown(_) => {}
        }
        answer
    }

    fn stats(&self) -> Stats {
        let mut stats = self.inner.stats();
        stats.add_layer("alpha", self.layer);
        stats
    }

    fn reset(&mut self) {
        self.known.clear();
        self.inner.reset();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::{Options, Steps, stack};

    fn query<'a>(path: &'a [TermId], goal: TermId) -> Query<'a> {
        Query { path, goal, steps: Steps::like_secs(5), hint: None }
    }

    #[test]
    fn names_do_not_matter_but_everything_else_does() {
        let mut terms = Terms::new();
        let mut solver = AlphaEquivalence::new(stack(&Options::default()), 10, &Tuning::default());
        let mut ask = |solver: &mut AlphaEquivalence, limit: u128, swapped: bool| {
            let (x, y) = (terms.new_var("x", Sort::Bv(8)), terms.new_var("y", Sort::Bv(8)));
            let limit = terms.bv(limit, 8);
            let below = terms.ult(x, limit);
            let goal = if swapped { terms.ult(x, y) } else { terms.ult(y, x) };
            let answer = solver.solve(&mut terms, &query(&[below], goal));
            if let Answer::Sat(model) = &answer {
                assert!(crate::eval::all_true(&terms, [below, goal], model));
            }
            (answer.is_sat(), solver.layer.hits)
        };
        assert_eq!(ask(&mut solver, 9, false), (true, 0));
        assert_eq!(ask(&mut solver, 9, false), (true, 1));
        assert_eq!(ask(&mut solver, 9, true), (true, 1));
        assert_eq!(ask(&mut solver, 1, false), (false, 1));
        assert_eq!(ask(&mut solver, 1, false), (false, 2));
        assert_eq!(ask(&mut solver, 1, true), (true, 2));
    }

    #[test]
    fn one_variable_twice_is_not_two_variables() {
        let mut terms = Terms::new();
        let mut solver = AlphaEquivalence::new(stack(&Options::default()), 10, &Tuning::default());
        let [x, y, z] = ["x", "y", "z"].map(|name| terms.new_var(name, Sort::Bv(8)));
        let (a, b) = (terms.ult(x, y), terms.ult(y, z));
        assert!(solver.solve(&mut terms, &query(&[a], b)).is_sat());
        let back = terms.ult(y, x);
        assert!(solver.solve(&mut terms, &query(&[a], back)).is_unsat());
    }
}
