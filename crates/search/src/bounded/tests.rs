//! Bounded queries about flows written by hand, against what every input does.

mod random;

use covenant_constraints::tuning::Tuning;
use covenant_constraints::{Evaluator, Model, Sort, Value};
use covenant_goals::ObjectiveId;
use covenant_transition::flow::Fresh;
use rustc_hash::FxHashMap;

use super::*;

/// A run in which some variables are known, and one array.
struct Fixed {
    terms: Terms,
    values: FxHashMap<VarId, TermId>,
    bytes: Vec<TermId>,
}

/// Where the only object is.
const OBJECT: u64 = 1 << 30;

impl Ground for Fixed {
    fn terms(&mut self) -> &mut Terms {
        &mut self.terms
    }

    fn variable(&mut self, var: VarId) -> Option<TermId> {
        self.values.get(&var).copied()
    }

    fn byte(&mut self, _: VarId, at: u64) -> Option<TermId> {
        self.bytes.get(usize::try_from(at.checked_sub(OBJECT)?).ok()?).copied()
    }

    fn object(&mut self, _: VarId, at: u64) -> Option<(u64, u64)> {
        (OBJECT..OBJECT + self.bytes.len() as u64).contains(&at).then_some((OBJECT, self.bytes.len() as u64))
    }
}

struct Program {
    flow: Flow,
    ground: Fixed,
    input: VarId,
}

impl Program {
    /// With an input of eight bits.
    fn new() -> Program {
        let mut terms = Terms::new();
        let input = terms.var("input", Sort::Bv(8));
        let ground = Fixed { terms, values: FxHashMap::default(), bytes: Vec::new() };
        Program { flow: Flow::by_hand(1), ground, input }
    }

    /// A variable of the state, and what it is at the start.
    fn variable(&mut self, name: &str, start: Option<TermId>, sort: Sort) -> (VarId, TermId) {
        let var = self.ground.terms.var(name, sort);
        self.flow.add_variable(var);
        self.ground.values.extend(start.map(|start| (var, start)));
        (var, self.ground.terms.var_term(var))
    }

    fn encode(&mut self, target: LocationId, unwinding: u32) -> Encoding {
        self.flow.set_target(ObjectiveId(0), vec![target]);
        let (root, targets) = (self.flow.root, [target].into_iter().collect());
        let plan = Plan::new(
            &self.flow,
            &self.ground.terms,
            [root].into_iter().collect(),
            targets,
            (unwinding, Tuning::default()),
        );
        plan.encode(&self.flow, root, &mut self.ground)
    }

    /// The inputs for which a condition holds.
    fn inputs(&self, condition: TermId) -> Vec<u8> {
        let holds = |value: &u8| {
            let mut model = Model::new();
            model.set(self.input, Value::Bv(u128::from(*value)));
            Evaluator::new(&self.ground.terms, &model).eval(condition).is_true()
        };
        (0..=255).filter(holds).collect()
    }
}

/// Counts how many of the lowest bits of the input are set, as many as there are turns; the target is behind `sum == 3`.
fn counting(turns: u128) -> (Program, LocationId) {
    let mut p = Program::new();
    let (zero, one) = (p.ground.terms.bv(0, 8), p.ground.terms.bv(1, 8));
    let input = p.ground.terms.var_term(p.input);
    let (i, i_term) = p.variable("i", Some(zero), Sort::Bv(8));
    let (sum, sum_term) = p.variable("sum", Some(zero), Sort::Bv(8));
    let (rest, rest_term) = p.variable("rest", Some(input), Sort::Bv(8));
    let [head, odd, even, back, end, target] = [(); 6].map(|()| p.flow.add_location());
    let t = &mut p.ground.terms;
    let most = t.bv(turns, 8);
    let goes_on = t.ult(i_term, most);
    let ends = t.not(goes_on);
    let low = t.bv_and(rest_term, one);
    let is_odd = t.eq(low, one);
    let is_even = t.not(is_odd);
    let (next, half, more) = (t.add(i_term, one), t.lshr(rest_term, one), t.add(sum_term, one));
    let three = t.bv(3, 8);
    let is_three = t.eq(sum_term, three);
    p.flow.add_edge(p.flow.root, head, vec![], vec![]);
    p.flow.add_edge(head, odd, vec![goes_on, is_odd], vec![]);
    p.flow.add_edge(head, even, vec![goes_on, is_even], vec![]);
    p.flow.add_edge(odd, back, vec![], vec![(sum, more)]);
    p.flow.add_edge(even, back, vec![], vec![]);
    p.flow.add_edge(back, head, vec![], vec![(i, next), (rest, half)]);
    p.flow.add_edge(head, end, vec![ends], vec![]);
    p.flow.add_edge(end, target, vec![is_three], vec![]);
    (p, target)
}

#[test]
fn what_a_loop_counts_is_found_at_once() {
    let (mut p, target) = counting(4);
    let encoding = p.encode(target, 8);
    let expected: Vec<u8> = (0..=255).filter(|v: &u8| (v & 15).count_ones() == 3).collect();
    assert_eq!(p.inputs(encoding.reached[0].1), expected);
    assert!(encoding.whole && encoding.cut.is_none(), "{encoding:?}");
    assert!(encoding.steps < 40, "ways that meet are one: {encoding:?}");
}

#[test]
fn turns_that_were_left_out_are_told() {
    let (mut p, target) = counting(4);
    let encoding = p.encode(target, 3);
    assert!(encoding.reached.is_empty());
    let cut = encoding.cut.expect("there are more turns");
    assert_eq!(p.inputs(cut).len(), 256, "all inputs take them");
}

#[test]
fn writes_to_places_that_inputs_choose() {
    let mut p = Program::new();
    p.ground.bytes = vec![p.ground.terms.bv(1, 8); 4];
    let (memory, array) = p.variable("memory", None, Sort::Array);
    let (before, target) = (p.flow.add_location(), p.flow.add_location());
    let t = &mut p.ground.terms;
    let input = t.var_term(p.input);
    let (start, seven, wide) = (t.bv(u128::from(OBJECT), 64), t.bv(7, 8), t.zext(input, 64));
    let at = t.add(start, wide);
    let written = t.store(array, at, seven);
    let second = t.bv(u128::from(OBJECT) + 2, 64);
    let read = t.select(array, second);
    let is_seven = t.eq(read, seven);
    p.flow.add_edge(p.flow.root, before, vec![], vec![(memory, written)]);
    p.flow.add_edge(before, target, vec![is_seven], vec![]);
    // The input is a variable of the run here.
    p.flow.add_variable(p.input);
    p.ground.values.insert(p.input, input);
    let encoding = p.encode(target, 2);
    assert_eq!(p.inputs(encoding.reached[0].1), [2]);
}

#[test]
fn an_index_that_is_not_known_is_one_of_the_object() {
    let mut p = Program::new();
    p.ground.bytes = (0..6).map(|i| p.ground.terms.bv(10 * i, 8)).collect();
    let (_, array) = p.variable("memory", None, Sort::Array);
    let target = p.flow.add_location();
    let t = &mut p.ground.terms;
    let input = t.var_term(p.input);
    let (start, wide, two) = (t.bv(u128::from(OBJECT), 64), t.zext(input, 64), t.bv(2, 64));
    let twice = t.mul(wide, two);
    let at = t.add(start, twice);
    let read = t.select(array, at);
    let limit = t.bv(15, 8);
    let is_large = t.ult(limit, read);
    p.flow.add_edge(p.flow.root, target, vec![is_large], vec![]);
    p.flow.add_variable(p.input);
    p.ground.values.insert(p.input, input);
    let encoding = p.encode(target, 2);
    assert_eq!(p.inputs(encoding.reached[0].1), [1, 2], "20 and 40; behind the object is nothing");
}

#[test]
fn what_is_not_known_is_left_out_and_new_objects_are_zero() {
    let mut p = Program::new();
    let (local, now) = p.variable("local", None, Sort::Bv(8));
    let (middle, target, other) = (p.flow.add_location(), p.flow.add_location(), p.flow.add_location());
    let (blank, any) = (p.ground.terms.var("blank", Sort::Bv(8)), p.ground.terms.new_var("any", Sort::Bv(8)));
    let blank_term = p.ground.terms.var_term(blank);
    p.flow.fresh.insert(blank, Fresh::Blank);
    let t = &mut p.ground.terms;
    let zero = t.bv(0, 8);
    let (is_zero, is_any) = (t.eq(now, zero), t.eq(any, zero));
    p.flow.add_edge(p.flow.root, middle, vec![], vec![(local, blank_term)]);
    p.flow.add_edge(middle, target, vec![is_zero], vec![]);
    p.flow.add_edge(middle, other, vec![is_any], vec![]);
    let encoding = p.encode(target, 2);
    assert_eq!(p.inputs(encoding.reached[0].1).len(), 256);
    assert!(encoding.whole);
    let encoding = p.encode(other, 2);
    assert!(encoding.reached.is_empty() && !encoding.whole, "{encoding:?}");
}
