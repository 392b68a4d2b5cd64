//! What is reached and so must not be proved, and what only wrapping makes possible.

use super::*;

#[test]
fn what_is_reached_is_not_proved() {
    let mut w = World::new();
    let (i, n) = (w.var("i", 32), w.var("n", 32));
    let zero = w.num(0, 32);
    let root = w.flow.root;
    let [_, body, exit] = w.counting(root, i, [zero, n], 1, &[]);
    let [late, never_ran, far] = w.locs();
    let hundred = w.num(100, 32);
    let is_hundred = w.t.eq(i, hundred);
    let is_zero = w.eq(i, 0);
    let beyond = w.t.slt(n, i);
    w.edge(body, late, &[is_hundred], &[]);
    w.edge(exit, never_ran, &[is_zero], &[]);
    w.edge(exit, far, &[beyond], &[]);
    w.assert_not_proved(&[late, never_ran, far]);
}

#[test]
fn a_counter_without_a_bound_wraps() {
    let mut w = World::new();
    let i = w.var("i", 32);
    let zero = w.num(0, 32);
    let [head, negative] = w.locs();
    let root = w.flow.root;
    w.edge(root, head, &[], &[(i, zero)]);
    let next = w.plus(i, 1);
    w.edge(head, head, &[], &[(i, next)]);
    let below = w.lt(i, 0);
    w.edge(head, negative, &[below], &[]);
    w.assert_not_proved(&[negative]);
}

#[test]
fn steps_of_two_may_miss_the_bound_and_wrap() {
    // i += 2 while i != n: with an odd n it never ends and i becomes negative.
    let mut w = World::new();
    let (i, n) = (w.var("i", 8), w.var("n", 8));
    let zero = w.num(0, 8);
    let [start, head, negative, odd] = w.locs();
    let root = w.flow.root;
    let positive = w.t.slt(zero, n);
    w.edge(root, start, &[positive], &[]);
    w.edge(start, head, &[], &[(i, zero)]);
    let differs = w.t.ne(i, n);
    let next = w.plus(i, 2);
    w.edge(head, head, &[differs], &[(i, next)]);
    let below = w.lt(i, 0);
    w.edge(head, negative, &[below], &[]);
    let one = w.num(1, 8);
    let bit = w.t.bv_and(i, one);
    let is_odd = w.eq(bit, 1);
    w.edge(head, odd, &[is_odd], &[]);
    let outcome = w.prove(&[negative, odd]);
    assert_eq!(outcome.proved().collect::<Vec<_>>(), [odd], "it wraps, but it stays even");
}

#[test]
fn without_a_budget_nothing_is_claimed() {
    let mut w = World::new();
    let (a, b) = (w.var("a", 32), w.var("b", 32));
    let target = w.loc();
    let root = w.flow.root;
    // Not by looks or ranges: a square plus one is never zero modulo four.
    let square = w.t.mul(a, a);
    let (three, minus) = (w.num(3, 32), w.num(-1, 32));
    let low = w.t.bv_and(square, three);
    let is_three = w.t.eq(low, three);
    let related = w.t.eq(b, minus);
    w.edge(root, target, &[is_three, related], &[]);
    let mut solver = stack(&Options::default());
    let mut run = |queries, expired: &dyn Fn() -> bool| {
        let budget = Budget { queries, steps: Steps::like_secs(5), expired, tuning: &Tuning::default() };
        prove(&w.flow, &mut w.t, &mut *solver, &[target], budget, &Hints::default())
    };
    assert_eq!(run(0, &|| false).proved().count(), 0);
    assert_eq!(run(100, &|| true).proved().count(), 0);
    assert_eq!(run(100, &|| false).proved().count(), 1);
}

#[test]
fn a_target_without_a_way_is_proved() {
    let mut w = World::new();
    let [island, target] = w.locs();
    w.edge(island, target, &[], &[]);
    let outcome = w.assert_proved(&[target]);
    assert_eq!(outcome.proofs[&target].invariant.len(), 2);
}
