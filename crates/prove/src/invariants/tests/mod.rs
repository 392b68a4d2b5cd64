//! Flows written by hand, with what must be proved of them and what must not.

mod code;
mod feasible;
mod programs;
mod proved;
pub(crate) mod random;
mod scale;

use covenant_constraints::solver::Steps;

use covenant_constraints::solver::{Answer, Options, Query, stack};
use covenant_constraints::sort::to_signed;
use covenant_constraints::tuning::Tuning;
use covenant_constraints::{Sort, TermId, Terms, Value, VarId};

use super::*;

/// More than any of these flows has places.
const OBJECTIVES: usize = 16;

/// A flow in the making.
pub(crate) struct World {
    pub(crate) flow: Flow,
    pub(crate) t: Terms,
}

impl World {
    pub(crate) fn new() -> World {
        World { flow: Flow::by_hand(OBJECTIVES), t: Terms::new() }
    }

    pub(crate) fn var(&mut self, name: &str, width: u8) -> TermId {
        let var = self.t.var(name, Sort::Bv(width));
        self.flow.add_variable(var);
        self.t.var_term(var)
    }

    pub(crate) fn choice(&mut self, width: u8) -> TermId {
        self.t.new_var("choice", Sort::Bv(width))
    }

    pub(super) fn loc(&mut self) -> LocationId {
        self.flow.add_location()
    }

    pub(crate) fn locs<const N: usize>(&mut self) -> [LocationId; N] {
        std::array::from_fn(|_| self.flow.add_location())
    }

    pub(super) fn id(&self, term: TermId) -> VarId {
        self.t.as_var(term).unwrap()
    }

    pub(crate) fn edge(&mut self, from: LocationId, to: LocationId, guard: &[TermId], assign: &[(TermId, TermId)]) {
        let assign = assign.iter().map(|(x, value)| (self.id(*x), *value)).collect();
        self.flow.add_edge(from, to, guard.to_vec(), assign);
    }

    /// The condition and its negation.
    pub(crate) fn fork(&mut self, condition: TermId) -> (TermId, TermId) {
        (condition, self.t.not(condition))
    }

    pub(crate) fn num(&mut self, value: i64, width: u8) -> TermId {
        self.t.bv(value as u128, width)
    }

    pub(crate) fn plus(&mut self, x: TermId, by: i64) -> TermId {
        let by = self.num(by, self.t.width(x));
        self.t.add(x, by)
    }

    pub(crate) fn lt(&mut self, x: TermId, c: i64) -> TermId {
        let c = self.num(c, self.t.width(x));
        self.t.slt(x, c)
    }

    pub(crate) fn eq(&mut self, x: TermId, c: i64) -> TermId {
        let c = self.num(c, self.t.width(x));
        self.t.eq(x, c)
    }

    /// Runs the prover and checks whatever it returns with a solver of its own.
    pub(super) fn prove(&mut self, targets: &[LocationId]) -> Outcome {
        self.prove_with(targets, &Hints::default())
    }

    pub(super) fn prove_with(&mut self, targets: &[LocationId], hints: &Hints) -> Outcome {
        let mut solver = stack(&Options::default());
        let budget =
            Budget { queries: 20_000, steps: Steps::like_secs(5), expired: &|| false, tuning: &Tuning::default() };
        let outcome = prove(&self.flow, &mut self.t, &mut *solver, targets, budget, hints);
        self.assert_inductive(&outcome.invariant);
        for (target, proof) in &outcome.proofs {
            assert_eq!(proof.invariant.get(target), Some(&self.t.ff()));
            self.assert_inductive(&proof.invariant);
        }
        outcome
    }

    pub(super) fn assert_inductive(&mut self, invariant: &Invariant) {
        let mut solver = stack(&Options { layers: false, ..Options::default() });
        let truth = self.t.tt();
        let at = |l: LocationId| invariant.get(&l).copied().unwrap_or(truth);
        assert_eq!(at(self.flow.root), truth);
        for edge in self.flow.edges.values() {
            let map = edge.assign.iter().map(|(v, t)| (self.t.var_term(*v), *t)).collect();
            let behind = self.t.substitute(at(edge.to), &map);
            let goal = self.t.not(behind);
            let mut path = vec![at(edge.from)];
            path.extend_from_slice(&edge.guard);
            let query = Query { path: &path, goal, steps: Steps::like_secs(60), hint: None };
            let answer = solver.solve(&mut self.t, &query);
            assert!(matches!(answer, Answer::Unsat(_)), "{:?} to {:?}: {answer:?}", edge.from, edge.to);
        }
        for term in invariant.values() {
            assert!(self.t.variables(&[*term]).iter().all(|v| self.flow.is_state(*v)));
        }
    }

    pub(super) fn assert_proved(&mut self, targets: &[LocationId]) -> Outcome {
        let outcome = self.prove(targets);
        let proved: Vec<LocationId> = outcome.proved().collect();
        let known = self.show(&outcome.invariant);
        assert_eq!(proved, targets, "{known}");
        outcome
    }

    /// For the message of a test that fails.
    fn show(&mut self, invariant: &Invariant) -> String {
        let mut text = String::new();
        for (location, term) in invariant {
            for part in super::shapes::conjuncts(&mut self.t, *term) {
                text.push_str(&format!("{location}: {}\n", self.show_term(part)));
            }
        }
        text
    }

    fn show_term(&self, term: TermId) -> String {
        if let Some(var) = self.t.as_var(term) {
            return self.t.var_name(var).to_owned();
        }
        match (self.t.as_value(term), self.t.sort(term)) {
            (Some(Value::Bv(bits)), Sort::Bv(w)) => to_signed(bits, w).to_string(),
            (Some(value), _) => value.to_string(),
            (None, _) => {
                let node = self.t.node(term);
                let args: Vec<String> = node.args.iter().map(|a| self.show_term(a)).collect();
                format!("({:?} {})", node.op, args.join(" "))
            }
        }
    }

    pub(super) fn assert_not_proved(&mut self, targets: &[LocationId]) {
        assert_eq!(self.prove(targets).proved().count(), 0);
    }

    /// `for (i = start; i < bound; i += step)` from `from`: the locations of head, body and exit. `more` are further
    /// variables with their starting values and what one iteration makes of them.
    pub(crate) fn counting(
        &mut self,
        from: LocationId,
        i: TermId,
        [start, bound]: [TermId; 2],
        step: i64,
        more: &[(TermId, TermId, TermId)],
    ) -> [LocationId; 3] {
        let [head, body, exit] = self.locs();
        let mut first = vec![(i, start)];
        first.extend(more.iter().map(|(x, start, _)| (*x, *start)));
        self.edge(from, head, &[], &first);
        let inside = self.t.slt(i, bound);
        let (yes, no) = self.fork(inside);
        self.edge(head, body, &[yes], &[]);
        self.edge(head, exit, &[no], &[]);
        let mut next = vec![(i, self.plus(i, step))];
        next.extend(more.iter().map(|(x, _, value)| (*x, *value)));
        self.edge(body, head, &[], &next);
        [head, body, exit]
    }
}
