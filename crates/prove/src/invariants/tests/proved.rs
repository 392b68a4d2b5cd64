//! What must be proved, without a bound on the number of iterations.

use super::*;

/// A loop `for (i = 0; i < n; i++)` over 32 bits.
fn simple() -> (World, TermId, TermId, [LocationId; 3]) {
    let mut w = World::new();
    let (i, n) = (w.var("i", 32), w.var("n", 32));
    let zero = w.num(0, 32);
    let root = w.flow.root;
    let places = w.counting(root, i, [zero, n], 1, &[]);
    (w, i, n, places)
}

#[test]
fn a_counter_is_never_negative() {
    let (mut w, i, _, [_, body, exit]) = simple();
    let [inside, after] = w.locs();
    let next = w.plus(i, 1);
    let (negative, next_negative) = (w.lt(i, 0), w.lt(next, 0));
    w.edge(body, inside, &[next_negative], &[]);
    w.edge(exit, after, &[negative], &[]);
    let outcome = w.assert_proved(&[inside, after]);
    assert_eq!(outcome.proofs[&after].method, Method::Forward);
    // The proof is about the counter only.
    assert_eq!(outcome.proofs[&after].invariant.len(), 4);
}

#[test]
fn the_bound_is_met_exactly() {
    let (mut w, i, n, [_, _, exit]) = simple();
    let [above, nonempty] = w.locs();
    let zero = w.num(0, 32);
    let positive = w.t.sle(zero, n);
    let differs = w.t.ne(i, n);
    let beyond = w.t.slt(n, i);
    let unmoved = w.t.ne(i, zero);
    w.edge(exit, nonempty, &[positive, differs], &[]);
    // Where n is negative, i stays zero.
    w.edge(exit, above, &[beyond, unmoved], &[]);
    w.assert_proved(&[above, nonempty]);
}

#[test]
fn an_index_stays_within_a_size() {
    let mut w = World::new();
    let (i, n, size) = (w.var("i", 32), w.var("n", 32), w.var("size", 32));
    let zero = w.num(0, 32);
    let [start, inside] = w.locs();
    let root = w.flow.root;
    let fits = w.t.sle(n, size);
    w.edge(root, start, &[fits], &[]);
    let [_, body, _] = w.counting(start, i, [zero, n], 1, &[]);
    let outside = w.t.sle(size, i);
    w.edge(body, inside, &[outside], &[]);
    w.assert_proved(&[inside]);
}

#[test]
fn two_counters_in_step() {
    let mut w = World::new();
    let (i, j, n) = (w.var("i", 32), w.var("j", 32), w.var("n", 32));
    let zero = w.num(0, 32);
    let five = w.num(5, 32);
    let more = w.plus(j, 2);
    let root = w.flow.root;
    let [_, body, exit] = w.counting(root, i, [zero, n], 1, &[(j, five, more)]);
    let [inside, after] = w.locs();
    let two = w.num(2, 32);
    let double = w.t.mul(i, two);
    let expected = w.t.add(double, five);
    let differs = w.t.ne(j, expected);
    w.edge(body, inside, &[differs], &[]);
    w.edge(exit, after, &[differs], &[]);
    w.assert_proved(&[inside, after]);
}

#[test]
fn counters_of_two_widths_in_step() {
    let mut w = World::new();
    let (i, p, n) = (w.var("i", 32), w.var("p", 64), w.var("n", 32));
    let (zero, start) = (w.num(0, 32), w.num(0, 64));
    let more = w.plus(p, 4);
    let root = w.flow.root;
    let [_, body, _] = w.counting(root, i, [zero, n], 1, &[(p, start, more)]);
    let target = w.loc();
    let wide = w.t.sext(i, 64);
    let four = w.num(4, 64);
    let scaled = w.t.mul(wide, four);
    let differs = w.t.ne(p, scaled);
    w.edge(body, target, &[differs], &[]);
    w.assert_proved(&[target]);
}

#[test]
fn a_sum_stays_the_same() {
    let mut w = World::new();
    let (i, j, n) = (w.var("i", 32), w.var("j", 32), w.var("n", 32));
    let zero = w.num(0, 32);
    let less = w.plus(j, -1);
    let root = w.flow.root;
    let [_, _, exit] = w.counting(root, i, [zero, n], 1, &[(j, n, less)]);
    let target = w.loc();
    let sum = w.t.add(i, j);
    let differs = w.t.ne(sum, n);
    w.edge(exit, target, &[differs], &[]);
    w.assert_proved(&[target]);
}

#[test]
fn parity_and_other_remainders() {
    let mut w = World::new();
    let (i, j, n) = (w.var("i", 32), w.var("j", 32), w.var("n", 32));
    let (zero, seven) = (w.num(0, 32), w.num(7, 32));
    let more = w.plus(j, 8);
    let root = w.flow.root;
    let [head, body, exit] = w.locs();
    w.edge(root, head, &[], &[(i, zero), (j, seven)]);
    let bound = w.num(1000, 32);
    let inside = w.t.slt(i, n);
    let small = w.t.slt(i, bound);
    let go = w.t.and(inside, small);
    let (yes, no) = w.fork(go);
    let next = w.plus(i, 6);
    w.edge(head, body, &[yes], &[]);
    w.edge(head, exit, &[no], &[]);
    w.edge(body, head, &[], &[(i, next), (j, more)]);
    let [odd, third, low] = w.locs();
    let one = w.num(1, 32);
    let bit = w.t.bv_and(i, one);
    let is_odd = w.eq(bit, 1);
    let three = w.num(3, 32);
    let rest = w.t.urem(i, three);
    let nonzero = w.t.nonzero(rest);
    let low_bits = w.t.bv_and(j, seven);
    let differs = w.t.ne(low_bits, seven);
    w.edge(exit, odd, &[is_odd], &[]);
    w.edge(exit, third, &[nonzero], &[]);
    w.edge(exit, low, &[differs], &[]);
    w.assert_proved(&[odd, third, low]);
}

#[test]
fn a_state_machine_keeps_to_its_states() {
    let mut w = World::new();
    let state = w.var("state", 32);
    let [head, bad, gap] = w.locs();
    let root = w.flow.root;
    let zero = w.num(0, 32);
    w.edge(root, head, &[], &[(state, zero)]);
    for (from, to) in [(0, 4), (4, 9), (9, 0), (0, 0)] {
        let (is, next) = (w.eq(state, from), w.num(to, 32));
        let chosen = w.choice(1);
        let taken = w.t.bv_to_bool(chosen);
        w.edge(head, head, &[is, taken], &[(state, next)]);
    }
    let known: Vec<TermId> = [0, 4, 9].map(|c| w.eq(state, c)).to_vec();
    let any = w.t.or_all(known);
    let none = w.t.not(any);
    let five = w.eq(state, 5);
    w.edge(head, bad, &[none], &[]);
    w.edge(head, gap, &[five], &[]);
    w.assert_proved(&[bad, gap]);
}

/// `if (!flag && *) { flag = 1; count++; }` in a loop, with a join in the body.
#[test]
fn a_flag_is_set_at_most_once() {
    let mut w = World::new();
    let [flag, count, i, n] = ["flag", "count", "i", "n"].map(|name| w.var(name, 32));
    let [flag2, count2] = ["flag2", "count2"].map(|name| w.var(name, 32));
    let [head, body, set, join, twice] = w.locs();
    let (zero, one) = (w.num(0, 32), w.num(1, 32));
    let root = w.flow.root;
    w.edge(root, head, &[], &[(flag, zero), (count, zero), (i, zero)]);
    let inside = w.t.slt(i, n);
    w.edge(head, body, &[inside], &[]);
    let chosen = w.choice(1);
    let may = w.t.bv_to_bool(chosen);
    let unset = w.eq(flag, 0);
    let go = w.t.and(unset, may);
    let (yes, no) = w.fork(go);
    w.edge(body, set, &[yes], &[]);
    let more = w.plus(count, 1);
    w.edge(set, join, &[], &[(flag2, one), (count2, more)]);
    w.edge(body, join, &[no], &[(flag2, flag), (count2, count)]);
    let next = w.plus(i, 1);
    w.edge(join, head, &[], &[(flag, flag2), (count, count2), (i, next)]);
    let many = w.t.slt(one, count2);
    w.edge(join, twice, &[many], &[]);
    w.assert_proved(&[twice]);
}

#[test]
fn a_flag_implies_a_comparison() {
    let mut w = World::new();
    let [flag, x, y] = ["flag", "x", "y"].map(|name| w.var(name, 32));
    let [head, body, wrong] = w.locs();
    let (zero, one) = (w.num(0, 32), w.num(1, 32));
    let root = w.flow.root;
    w.edge(root, head, &[], &[(flag, zero)]);
    // Fresh values each time; the flag says whether x > y.
    let (a, b) = (w.choice(32), w.choice(32));
    w.edge(head, body, &[], &[(x, a), (y, b)]);
    let greater = w.t.slt(y, x);
    let (yes, no) = w.fork(greater);
    w.edge(body, head, &[yes], &[(flag, one)]);
    w.edge(body, head, &[no], &[(flag, zero)]);
    let is_set = w.eq(flag, 1);
    let not_greater = w.t.sle(x, y);
    w.edge(head, wrong, &[is_set, not_greater], &[]);
    w.assert_proved(&[wrong]);
}

#[test]
fn nested_loops() {
    let mut w = World::new();
    let [i, j, n, m] = ["i", "j", "n", "m"].map(|name| w.var(name, 32));
    let [outer, inner, body, next, target, target2] = w.locs();
    let zero = w.num(0, 32);
    let root = w.flow.root;
    w.edge(root, outer, &[], &[(i, zero)]);
    let go = w.t.slt(i, n);
    w.edge(outer, inner, &[go], &[(j, zero)]);
    let go = w.t.slt(j, m);
    let (yes, no) = w.fork(go);
    w.edge(inner, body, &[yes], &[]);
    w.edge(inner, next, &[no], &[]);
    let more = w.plus(j, 1);
    w.edge(body, inner, &[], &[(j, more)]);
    let more = w.plus(i, 1);
    w.edge(next, outer, &[], &[(i, more)]);
    let (i_negative, j_negative) = (w.lt(i, 0), w.lt(j, 0));
    let outside = w.t.sle(n, i);
    let any = w.t.or(i_negative, j_negative);
    w.edge(body, target, &[any], &[]);
    w.edge(body, target2, &[outside], &[]);
    w.assert_proved(&[target, target2]);
}

/// Two values that change places: only looking back several rounds, or their relation, helps.
#[test]
fn values_that_change_places() {
    let mut w = World::new();
    let [a, b, c] = ["a", "b", "c"].map(|name| w.var(name, 32));
    let [head, target] = w.locs();
    let [one, two, three] = [1, 2, 3].map(|v| w.num(v, 32));
    let root = w.flow.root;
    w.edge(root, head, &[], &[(a, one), (b, two), (c, three)]);
    w.edge(head, head, &[], &[(a, b), (b, c), (c, a)]);
    let same = w.t.eq(a, b);
    w.edge(head, target, &[same], &[]);
    w.assert_proved(&[target]);
}

/// Values that nothing but the distance to the target tells apart.
#[test]
fn induction_over_several_rounds() {
    let mut w = World::new();
    let [a, b, c, n] = ["a", "b", "c", "n"].map(|name| w.var(name, 32));
    let [start, head, target] = w.locs();
    let root = w.flow.root;
    let limit = w.t.slt(a, n);
    let limit2 = w.t.slt(b, n);
    let limit3 = w.t.slt(c, n);
    w.edge(root, start, &[limit, limit2, limit3], &[]);
    w.edge(start, head, &[], &[]);
    w.edge(head, head, &[], &[(a, b), (b, c), (c, a)]);
    let bad = w.t.sle(n, a);
    w.edge(head, target, &[bad], &[]);
    w.assert_proved(&[target]);
}

/// What is read from outside is bounded where it is read.
#[test]
fn a_checked_choice_stays_checked() {
    let mut w = World::new();
    let [x, limit] = ["x", "limit"].map(|name| w.var(name, 32));
    let [head, read, target] = w.locs();
    let zero = w.num(0, 32);
    let root = w.flow.root;
    let positive = w.t.slt(zero, limit);
    w.edge(root, head, &[positive], &[(x, zero)]);
    let value = w.choice(32);
    let (low, high) = (w.t.sle(zero, value), w.t.slt(value, limit));
    w.edge(head, read, &[low, high], &[(x, value)]);
    w.edge(read, head, &[], &[]);
    let outside = w.t.sle(limit, x);
    w.edge(head, target, &[outside], &[]);
    w.assert_proved(&[target]);
}

/// Two ways with correlated values, told apart again later.
#[test]
fn ways_that_exclude_each_other() {
    let mut w = World::new();
    let [x, a, b] = ["x", "a", "b"].map(|name| w.var(name, 32));
    let [join, later, target] = w.locs();
    let root = w.flow.root;
    let less = w.t.slt(a, b);
    let (yes, no) = w.fork(less);
    let (ten, twenty) = (w.num(10, 32), w.num(20, 32));
    w.edge(root, join, &[yes], &[(x, ten)]);
    w.edge(root, join, &[no], &[(x, twenty)]);
    let is_ten = w.eq(x, 10);
    w.edge(join, later, &[is_ten], &[]);
    w.edge(later, target, &[no], &[]);
    w.assert_proved(&[target]);
}

/// Memory as an array, a Boolean and a float beside it.
#[test]
fn memory_keeps_what_is_not_written() {
    let mut w = World::new();
    let (i, n) = (w.var("i", 64), w.var("n", 64));
    let [memory, ready, ratio] =
        [("memory", Sort::Array), ("ready", Sort::Bool), ("ratio", Sort::Float(covenant_constraints::FloatKind::F64))]
            .map(|(name, sort)| {
                let var = w.t.var(name, sort);
                w.flow.add_variable(var);
                w.t.var_term(var)
            });
    let [head, body, exit, lost, unready, odd] = w.locs();
    let root = w.flow.root;
    let (zero, one, byte) = (w.num(0, 64), w.num(1, 64), w.num(7, 8));
    let start = w.t.store(memory, zero, byte);
    let yes = w.t.tt();
    let half = w.t.float(covenant_constraints::FloatKind::F64, u128::from(0.5f64.to_bits()));
    w.edge(root, head, &[], &[(memory, start), (i, one), (ready, yes), (ratio, half)]);
    let inside = w.t.ult(i, n);
    let (inside, outside) = w.fork(inside);
    w.edge(head, body, &[inside], &[]);
    w.edge(head, exit, &[outside], &[]);
    let value = w.choice(8);
    let written = w.t.store(memory, i, value);
    let next = w.plus(i, 1);
    w.edge(body, head, &[], &[(memory, written), (i, next)]);
    let first = w.t.select(memory, zero);
    let changed = w.t.ne(first, byte);
    w.edge(exit, lost, &[changed], &[]);
    let not_ready = w.t.not(ready);
    w.edge(exit, unready, &[not_ready], &[]);
    let other = w.t.ne(ratio, half);
    w.edge(exit, odd, &[other], &[]);
    w.assert_proved(&[lost, unready, odd]);
}

#[test]
fn seeds_help() {
    let mut w = World::new();
    let [x, y] = ["x", "y"].map(|name| w.var(name, 8));
    let [head, target] = w.locs();
    let root = w.flow.root;
    let (zero, one) = (w.num(0, 8), w.num(1, 8));
    // Squares: y = x · x, which no template here says.
    w.edge(root, head, &[], &[(x, zero), (y, zero)]);
    let two = w.num(2, 8);
    let double = w.t.mul(x, two);
    let step = w.t.add(double, one);
    let (next_x, next_y) = (w.t.add(x, one), w.t.add(y, step));
    w.edge(head, head, &[], &[(x, next_x), (y, next_y)]);
    let square = w.t.mul(x, x);
    let (same, differs) = w.t.eq(y, square).pipe(|e| (e, w.t.not(e)));
    w.edge(head, target, &[differs], &[]);
    let mut hints = Hints::default();
    hints.seeds.insert(head, vec![same]);
    let outcome = w.prove_with(&[target], &hints);
    assert_eq!(outcome.proved().collect::<Vec<_>>(), [target]);
    // A state in which the seed is false rules it out before anything is asked.
    let sample: Model =
        [(w.id(x), 2u128), (w.id(y), 5)].into_iter().map(|(v, n)| (v, covenant_constraints::Value::Bv(n))).collect();
    hints.samples.insert(head, vec![sample]);
    let outcome = w.prove_with(&[target], &hints);
    assert!(outcome.invariant.get(&head).is_none_or(|i| *i != same));
}

trait Pipe: Sized {
    fn pipe<T>(self, f: impl FnOnce(Self) -> T) -> T {
        f(self)
    }
}

impl Pipe for TermId {}
