//! Small loops, their invariants found and checked.

use std::time::{Duration, Instant};

use covenant_constraints::random::{Generator, Shape};
use covenant_constraints::solver::{Options, stack};
use covenant_constraints::sort::FloatKind;
use covenant_constraints::{Value, eval};

use super::*;

const BOTH: [Mode; 2] = [Mode::Bits, Mode::Integers];

fn options(mode: Mode) -> HornOptions {
    HornOptions { steps: Steps::like_secs(300), cancel: Cancel::default(), mode, tuning: Tuning::default() }
}

fn relation(terms: &mut Terms, name: &str, params: &[(&str, Sort)]) -> (Relation, Vec<TermId>) {
    let params: Vec<VarId> = params.iter().map(|(n, s)| terms.var(*n, *s)).collect();
    let vars = params.iter().map(|p| terms.var_term(*p)).collect();
    (Relation { name: name.into(), params }, vars)
}

fn start(guard: TermId, to: usize, args: &[TermId]) -> Rule {
    Rule { from: None, guard, to, args: args.to_vec() }
}

fn step(from: usize, guard: TermId, to: usize, args: &[TermId]) -> Rule {
    Rule { from: Some(from), guard, to, args: args.to_vec() }
}

fn verify(terms: &mut Terms, horn: &Horn, invariants: &[TermId]) -> Checked {
    let mut solver = stack(&Options::default());
    check(terms, solver.as_mut(), horn, invariants, Steps::like_secs(300))
}

/// The query is proved unreachable in the modes, by invariants that hold up to the check.
fn proves(terms: &mut Terms, horn: &Horn, modes: &[Mode]) {
    assert_eq!(horn.malformed(terms), None);
    for &mode in modes {
        match solve(terms, horn, &options(mode)) {
            HornAnswer::Proved(invariants) => {
                let texts: Vec<String> =
                    invariants.iter().map(|i| covenant_constraints::smtlib::term(terms, *i)).collect();
                assert_eq!(verify(terms, horn, &invariants), Checked::Holds, "{mode:?}: {texts:#?}");
            }
            other => panic!("{mode:?}: {other:?}"),
        }
    }
}

fn reaches(terms: &mut Terms, horn: &Horn, modes: &[Mode]) {
    for &mode in modes {
        assert_eq!(solve(terms, horn, &options(mode)), HornAnswer::Reached, "{mode:?}");
    }
}

/// `x = 0; while (x < n) x++;` with a location at the head and one behind the loop.
fn counter(terms: &mut Terms, width: u8) -> (Horn, Vec<TermId>) {
    let (head, h) = relation(terms, "head", &[("x", Sort::Bv(width)), ("n", Sort::Bv(width))]);
    let (after, _) = relation(terms, "after", &[("x", Sort::Bv(width)), ("n", Sort::Bv(width))]);
    let (zero, one) = (terms.bv(0, width), terms.bv(1, width));
    let goes_on = terms.slt(h[0], h[1]);
    let ends = terms.not(goes_on);
    let more = terms.add(h[0], one);
    let vars: Vec<TermId> = after.params.iter().map(|p| terms.var_term(*p)).collect();
    let rules =
        vec![start(terms.tt(), 0, &[zero, h[1]]), step(0, goes_on, 0, &[more, h[1]]), step(0, ends, 1, &[h[0], h[1]])];
    let query = Query { relation: 1, guard: terms.tt() };
    (Horn { relations: vec![head, after], rules, query }, vars)
}

#[test]
fn a_counter_is_never_negative() {
    for width in [8, 32, 64] {
        let mut t = Terms::new();
        let (mut horn, after) = counter(&mut t, width);
        let zero = t.bv(0, width);
        horn.query.guard = t.slt(after[0], zero);
        proves(&mut t, &horn, &BOTH);
    }
}

#[test]
fn a_counter_ends_at_its_bound() {
    let mut t = Terms::new();
    let (mut horn, after) = counter(&mut t, 32);
    let zero = t.bv(0, 32);
    let (non_negative, past) = (t.sle(zero, after[1]), t.slt(after[1], after[0]));
    horn.query.guard = t.and(non_negative, past);
    proves(&mut t, &horn, &BOTH);
    // Without the bound being positive the query holds at once.
    horn.query.guard = past;
    reaches(&mut t, &horn, &BOTH);
}

#[test]
fn two_counters_stay_in_step() {
    let mut t = Terms::new();
    let (head, v) = relation(&mut t, "head", &[("x", Sort::Bv(32)), ("y", Sort::Bv(32)), ("n", Sort::Bv(32))]);
    let (zero, one) = (t.bv(0, 32), t.bv(1, 32));
    let (x, y) = (t.add(v[0], one), t.add(v[1], one));
    let goes_on = t.ne(v[0], v[2]);
    let (ends, differ) = (t.not(goes_on), t.ne(v[1], v[2]));
    let guard = t.and(ends, differ);
    let rules = vec![start(t.tt(), 0, &[zero, zero, v[2]]), step(0, goes_on, 0, &[x, y, v[2]])];
    let horn = Horn { relations: vec![head], rules, query: Query { relation: 0, guard } };
    proves(&mut t, &horn, &BOTH);
}

#[test]
fn sums_that_wrap_around_are_found() {
    // y grows by 3 where x grows by 1, so that y >= x until y wraps around.
    let mut t = Terms::new();
    let (head, v) = relation(&mut t, "head", &[("x", Sort::Bv(8)), ("y", Sort::Bv(8))]);
    let [zero, one, three, end] = [0, 1, 3, 100].map(|c| t.bv(c, 8));
    let goes_on = t.slt(v[0], end);
    let (x, y) = (t.add(v[0], one), t.add(v[1], three));
    let guard = t.slt(v[1], v[0]);
    let rules = vec![start(t.tt(), 0, &[zero, zero]), step(0, goes_on, 0, &[x, y])];
    let horn = Horn { relations: vec![head], rules, query: Query { relation: 0, guard } };
    reaches(&mut t, &horn, &[Mode::Integers]);
}

#[test]
fn linear_relations() {
    // for (x = y = 0; x < n; x++) y += 2; with n <= 1000: y is 2n behind the loop.
    let mut t = Terms::new();
    let (head, v) = relation(&mut t, "head", &[("x", Sort::Bv(32)), ("y", Sort::Bv(32)), ("n", Sort::Bv(32))]);
    let [zero, one, two, most] = [0, 1, 2, 1000].map(|c| t.bv(c, 32));
    let goes_on = t.slt(v[0], v[2]);
    let (x, y) = (t.add(v[0], one), t.add(v[1], two));
    let (ends, double, small) = (t.not(goes_on), t.mul(v[2], two), t.sle(v[2], most));
    let wrong = t.ne(v[1], double);
    let guard = t.and_all([ends, wrong, small]);
    let positive = t.sle(zero, v[2]);
    let rules = vec![start(positive, 0, &[zero, zero, v[2]]), step(0, goes_on, 0, &[x, y, v[2]])];
    let horn = Horn { relations: vec![head], rules, query: Query { relation: 0, guard } };
    proves(&mut t, &horn, &[Mode::Integers]);
}

#[test]
fn counting_up_to_a_constant() {
    // for (i = c = 0; i < 100; i++) if (*) c++; with c never above 100.
    let mut t = Terms::new();
    let (head, v) = relation(&mut t, "head", &[("i", Sort::Bv(32)), ("c", Sort::Bv(32))]);
    let any = t.new_var("any", Sort::Bool);
    let [zero, one, end] = [0, 1, 100].map(|c| t.bv(c, 32));
    let goes_on = t.slt(v[0], end);
    let (i, c) = (t.add(v[0], one), t.add(v[1], one));
    let c = t.ite(any, c, v[1]);
    let (below, above) = (t.slt(v[1], zero), t.slt(end, v[1]));
    let guard = t.or(below, above);
    let rules = vec![start(t.tt(), 0, &[zero, zero]), step(0, goes_on, 0, &[i, c])];
    let horn = Horn { relations: vec![head], rules, query: Query { relation: 0, guard } };
    proves(&mut t, &horn, &[Mode::Integers]);
}

#[test]
fn division_by_subtraction() {
    // for (q = 0, r = n; r >= 10; q++) r -= 10; with 0 <= n <= 1000: r is no less than 0, q no more than 1000.
    let mut t = Terms::new();
    let (head, v) = relation(&mut t, "head", &[("r", Sort::Bv(32)), ("q", Sort::Bv(32))]);
    let n = t.new_var("n", Sort::Bv(32));
    let [zero, one, ten, most] = [0, 1, 10, 1000].map(|c| t.bv(c, 32));
    let (positive, small) = (t.sle(zero, n), t.sle(n, most));
    let starts = t.and(positive, small);
    let goes_on = t.sle(ten, v[0]);
    let (r, q) = (t.sub(v[0], ten), t.add(v[1], one));
    let (below, above) = (t.slt(v[0], zero), t.slt(most, v[1]));
    let guard = t.or(below, above);
    let rules = vec![start(starts, 0, &[n, zero]), step(0, goes_on, 0, &[r, q])];
    let horn = Horn { relations: vec![head], rules, query: Query { relation: 0, guard } };
    proves(&mut t, &horn, &[Mode::Integers]);
}

#[test]
fn a_search_keeps_within_its_bounds() {
    // lo = 0; hi = n - 1; while (lo <= hi) { pick mid between them; a[mid] } with either half next.
    let mut t = Terms::new();
    let (head, v) = relation(&mut t, "head", &[("lo", Sort::Bv(32)), ("hi", Sort::Bv(32)), ("n", Sort::Bv(32))]);
    let mid = t.new_var("mid", Sort::Bv(32));
    let (zero, one) = (t.bv(0, 32), t.bv(1, 32));
    let (above, below) = (t.add(mid, one), t.sub(mid, one));
    let [low, high, open] = [t.sle(v[0], mid), t.sle(mid, v[1]), t.sle(v[0], v[1])];
    let inside = t.and_all([low, high, open]);
    let (under, over) = (t.slt(mid, zero), t.sle(v[2], mid));
    let outside = t.or(under, over);
    let guard = t.and(inside, outside);
    let (positive, last) = (t.sle(one, v[2]), t.sub(v[2], one));
    let rules = vec![
        start(positive, 0, &[zero, last, v[2]]),
        step(0, inside, 0, &[above, v[1], v[2]]),
        step(0, inside, 0, &[v[0], below, v[2]]),
    ];
    let horn = Horn { relations: vec![head], rules, query: Query { relation: 0, guard } };
    proves(&mut t, &horn, &[Mode::Integers]);
}

#[test]
fn a_query_that_holds() {
    let mut t = Terms::new();
    let (mut horn, after) = counter(&mut t, 32);
    let five = t.bv(5, 32);
    horn.query.guard = t.eq(after[0], five);
    reaches(&mut t, &horn, &BOTH);
}

#[test]
fn nested_loops() {
    // for (i = 0; i < n; i++) for (j = 0; j < i; j++) assert(j < n);
    let mut t = Terms::new();
    let names = [("i", Sort::Bv(32)), ("j", Sort::Bv(32)), ("n", Sort::Bv(32))];
    let (outer, o) = relation(&mut t, "outer", &names);
    let (inner, v) = relation(&mut t, "inner", &names);
    let (zero, one) = (t.bv(0, 32), t.bv(1, 32));
    let enters = t.slt(o[0], o[2]);
    let stays = t.slt(v[1], v[0]);
    let leaves = t.not(stays);
    let (i, j) = (t.add(v[0], one), t.add(v[1], one));
    let outside = t.sle(v[2], v[1]);
    let guard = t.and(stays, outside);
    let rules = vec![
        start(t.tt(), 0, &[zero, zero, o[2]]),
        step(0, enters, 1, &[o[0], zero, o[2]]),
        step(1, stays, 1, &[v[0], j, v[2]]),
        step(1, leaves, 0, &[i, v[1], v[2]]),
    ];
    let horn = Horn { relations: vec![outer, inner], rules, query: Query { relation: 1, guard } };
    proves(&mut t, &horn, &[Mode::Integers]);
}

#[test]
fn many_locations() {
    // A loop whose body is a chain of locations: every other one reads an input byte and may count it.
    let mut t = Terms::new();
    const LENGTH: usize = 12;
    let mut relations = Vec::new();
    let mut vars = Vec::new();
    for i in 0..LENGTH {
        let (r, v) = relation(&mut t, &format!("l{i}"), &["i", "seen", "n"].map(|n| (n, Sort::Bv(32))));
        relations.push(r);
        vars.push(v);
    }
    let (zero, one, step_size) = (t.bv(0, 32), t.bv(1, 32), t.bv(LENGTH as u128, 32));
    let letter = t.bv(u128::from(b'a'), 8);
    let (most, most_reached) = (t.bv(1_000_000, 32), t.bv(1_000_000 + LENGTH as u128, 32));
    let small = t.sle(vars[0][2], most);
    let mut rules = vec![start(small, 0, &[zero, zero, vars[0][2]])];
    for (i, v) in vars.iter().enumerate() {
        let next = (i + 1) % LENGTH;
        if i == LENGTH - 1 {
            let more = t.add(v[0], step_size);
            let goes_on = t.slt(v[0], v[2]);
            rules.push(step(i, goes_on, next, &[more, v[1], v[2]]));
        } else if i % 2 == 0 {
            let byte = t.new_var("byte", Sort::Bv(8));
            let (hit, counted) = (t.eq(byte, letter), t.add(v[1], one));
            let miss = t.not(hit);
            rules.push(step(i, hit, next, &[v[0], counted, v[2]]));
            rules.push(step(i, miss, next, v));
        } else {
            rules.push(step(i, t.tt(), next, v));
        }
    }
    let at = vars[LENGTH / 2].clone();
    let (below, above) = (t.slt(at[0], zero), t.sle(most_reached, at[0]));
    let guard = t.or(below, above);
    let horn = Horn { relations, rules, query: Query { relation: LENGTH / 2, guard } };
    proves(&mut t, &horn, &[Mode::Integers]);
}

#[test]
fn a_flag_says_what_happened() {
    // if (*) { done = true; x = 7; } else if (!done) x = 0;
    let mut t = Terms::new();
    let (head, v) = relation(&mut t, "head", &[("x", Sort::Bv(32)), ("done", Sort::Bool), ("mode", Sort::Bv(1))]);
    let any = t.new_var("any", Sort::Bool);
    let (zero, seven) = (t.bv(0, 32), t.bv(7, 32));
    let (off, on) = (t.bv(0, 1), t.bv(1, 1));
    let not_any = t.not(any);
    let kept = t.ite(v[1], v[0], zero);
    let wrong = t.ne(v[0], seven);
    let mode_on = t.eq(v[2], on);
    let either = t.or(v[1], mode_on);
    let guard = t.and(either, wrong);
    let rules = vec![
        start(t.tt(), 0, &[zero, t.ff(), off]),
        step(0, any, 0, &[seven, t.tt(), on]),
        step(0, not_any, 0, &[kept, v[1], v[2]]),
    ];
    let horn = Horn { relations: vec![head], rules, query: Query { relation: 0, guard } };
    proves(&mut t, &horn, &BOTH);
}

#[test]
fn unsigned_counting_down() {
    // for (x = n; x != 0; x--) assert(x <= n); with a step that is read through a narrower type.
    let mut t = Terms::new();
    let (head, v) = relation(&mut t, "head", &[("x", Sort::Bv(32)), ("n", Sort::Bv(32))]);
    let (n, step_var) = (v[1], t.new_var("step", Sort::Bv(8)));
    let by = t.zext(step_var, 32);
    let less = t.sub(v[0], by);
    let enough = t.ule(by, v[0]);
    let guard = t.ult(n, v[0]);
    let rules = vec![start(t.tt(), 0, &[n, n]), step(0, enough, 0, &[less, n])];
    let horn = Horn { relations: vec![head], rules, query: Query { relation: 0, guard } };
    proves(&mut t, &horn, &[Mode::Integers]);
}

#[test]
fn elements_of_arrays_at_known_places() {
    // a[0] = 7; for (i = 1; i < n; i++) a[i] = i; assert(a[0] == 7);
    let mut t = Terms::new();
    let (head, v) = relation(&mut t, "head", &[("i", Sort::Bv(64)), ("a", Sort::Array)]);
    let (zero, one, seven) = (t.bv(0, 64), t.bv(1, 64), t.bv(7, 8));
    let limit = t.bv(1000, 64);
    let written = t.store(v[1], zero, seven);
    let byte = t.trunc(v[0], 8);
    let stored = t.store(v[1], v[0], byte);
    let next = t.add(v[0], one);
    let goes_on = t.slt(v[0], limit);
    let first = t.select(v[1], zero);
    let guard = t.ne(first, seven);
    let rules = vec![start(t.tt(), 0, &[one, written]), step(0, goes_on, 0, &[next, stored])];
    let horn = Horn { relations: vec![head], rules, query: Query { relation: 0, guard } };
    proves(&mut t, &horn, &[Mode::Integers]);
}

#[test]
fn floats_are_any_value() {
    let mut t = Terms::new();
    let (head, v) = relation(&mut t, "head", &[("x", Sort::Bv(32)), ("f", Sort::Float(FloatKind::F64))]);
    let (zero, one) = (t.bv(0, 32), t.bv(1, 32));
    let one_float = t.f64(1.0);
    let more = t.f_add(v[1], one_float);
    let small = t.f_lt(v[1], one_float);
    let x = t.ite(small, one, v[0]);
    let start_float = t.f64(0.5);
    let two = t.bv(2, 32);
    let guard = t.sle(two, v[0]);
    let rules = vec![start(t.tt(), 0, &[zero, start_float]), step(0, t.tt(), 0, &[x, more])];
    let mut horn = Horn { relations: vec![head], rules, query: Query { relation: 0, guard } };
    proves(&mut t, &horn, &BOTH);
    // The second step does not set x, but nobody knows.
    let is_large = t.f_lt(one_float, v[1]);
    let is_one = t.eq(v[0], zero);
    horn.query.guard = t.and(is_large, is_one);
    reaches(&mut t, &horn, &BOTH);
}

#[test]
fn what_does_not_matter_is_left_out() {
    let mut t = Terms::new();
    let (mut horn, after) = counter(&mut t, 32);
    let (dead, d) = relation(&mut t, "dead", &[("z", Sort::Bv(8))]);
    let (end, _) = relation(&mut t, "end", &[]);
    horn.relations.extend([dead, end]);
    // Nothing starts `dead`, and `end` leads nowhere.
    horn.rules.push(step(2, t.tt(), 2, &d));
    horn.rules.push(step(2, t.tt(), 3, &[]));
    horn.rules.push(step(1, t.tt(), 3, &[]));
    let zero = t.bv(0, 32);
    horn.query.guard = t.slt(after[0], zero);
    for mode in BOTH {
        let HornAnswer::Proved(found) = solve(&mut t, &horn, &options(mode)) else { panic!("{mode:?}") };
        assert_eq!(found[2..], [t.ff(), t.tt()]);
        assert_eq!(verify(&mut t, &horn, &found), Checked::Holds);
    }
    horn.query = Query { relation: 2, guard: t.tt() };
    proves(&mut t, &horn, &BOTH);
}

#[test]
fn wrong_invariants_are_found_out() {
    let mut t = Terms::new();
    let (mut horn, after) = counter(&mut t, 32);
    let zero = t.bv(0, 32);
    horn.query.guard = t.slt(after[0], zero);
    let all = [t.tt(), t.tt()];
    assert_eq!(verify(&mut t, &horn, &all), Checked::Fails(Obligation::Query));
    let none = [t.ff(), t.ff()];
    assert_eq!(verify(&mut t, &horn, &none), Checked::Fails(Obligation::Rule(0)));
    let head_x = t.var_term(horn.relations[0].params[0]);
    let not_reached = [t.eq(head_x, zero), t.ff()];
    assert_eq!(verify(&mut t, &horn, &not_reached), Checked::Fails(Obligation::Rule(1)));
    let too_few = [t.tt()];
    assert_eq!(verify(&mut t, &horn, &too_few), Checked::Unknown(Obligation::Query, Reason::Incomplete));
}

#[test]
fn malformed_clauses_are_refused() {
    let mut t = Terms::new();
    let (horn, _) = counter(&mut t, 32);
    let mut broken = horn.clone();
    broken.rules[0].to = 9;
    assert_eq!(broken.malformed(&t).as_deref(), Some("rule 0 leads nowhere"));
    assert_eq!(solve(&mut t, &broken, &options(Mode::Bits)), HornAnswer::Unknown(Reason::Incomplete));
    let mut broken = horn.clone();
    broken.rules[1].args.pop();
    assert!(broken.malformed(&t).is_some());
    let mut broken = horn;
    broken.relations[0].params[1] = broken.relations[0].params[0];
    assert_eq!(broken.malformed(&t).as_deref(), Some("a parameter of head occurs twice"));
}

/// Something that neither mode decides: the invariant is not linear.
fn hard(t: &mut Terms) -> Horn {
    let names = [("x", Sort::Bv(64)), ("y", Sort::Bv(64)), ("n", Sort::Bv(64))];
    let (head, v) = relation(t, "head", &names);
    let (zero, one, seven) = (t.bv(0, 64), t.bv(1, 64), t.bv(7, 64));
    let x = t.add(v[0], one);
    let odd = t.bv(0x9e37_79b9_7f4a_7c15, 64);
    let mixed = t.mul(v[1], odd);
    let shifted = t.lshr(mixed, seven);
    let y = t.bv_xor(mixed, shifted);
    let y = t.add(y, one);
    let goes_on = t.ult(v[0], v[2]);
    let guard = t.eq(v[1], seven);
    let rules = vec![start(t.tt(), 0, &[zero, zero, v[2]]), step(0, goes_on, 0, &[x, y, v[2]])];
    Horn { relations: vec![head], rules, query: Query { relation: 0, guard } }
}

#[test]
fn limits_are_kept() {
    let mut t = Terms::new();
    let horn = hard(&mut t);
    let begin = Instant::now();
    let short = HornOptions { steps: Steps::like_millis(300), ..options(Mode::Bits) };
    assert_eq!(solve(&mut t, &horn, &short), HornAnswer::Unknown(Reason::Steps));
    let cancel = Cancel::default();
    let late = HornOptions { cancel: cancel.clone(), ..options(Mode::Bits) };
    let canceller = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(300));
        cancel.set();
    });
    assert_eq!(solve(&mut t, &horn, &late), HornAnswer::Unknown(Reason::Cancelled));
    assert!(canceller.join().is_ok());
    assert!(begin.elapsed() < Duration::from_secs(10), "{:?}", begin.elapsed());
    let none = HornOptions { steps: Steps(0), ..options(Mode::Integers) };
    assert_eq!(solve(&mut t, &horn, &none), HornAnswer::Unknown(Reason::Steps));
}

/// On random terms and values: the value that a term has is always among those that the integers allow.
#[test]
fn integers_allow_the_value_of_the_bits() {
    let shapes = [
        Shape { widths: vec![1, 4, 8], raw: 20, ..Shape::default() },
        Shape { widths: vec![8, 32, 64], ..Shape::default() },
        Shape { widths: vec![8, 64], arrays: true, cheap: true, ..Shape::default() },
    ];
    let mut exact = 0;
    for seed in 0..60 {
        for shape in &shapes {
            let mut t = Terms::new();
            let sort = Sort::Bv(shape.widths[seed as usize % shape.widths.len()]);
            let mut g = Generator::new(&mut t, seed, shape.clone());
            let term = g.term(&mut t, sort, 4);
            let model = g.model(&t);
            let mut values = Vec::new();
            for var in t.variables(&[term]) {
                let value = t.constant(t.var_sort(var), &model.value(&t, var));
                values.push(t.eq(t.var_term(var), value));
            }
            let guard = t.and_all(values);
            let Value::Bv(bits) = eval(&t, term, &model) else { panic!("the term is a bit-vector") };
            let expected = t.bv(bits, sort.width());
            let (result, v) = relation(&mut t, "result", &[("y", sort)]);
            let same = t.eq(v[0], expected);
            let rules = vec![start(guard, 0, &[term])];
            let query = Query { relation: 0, guard: same };
            let mut horn = Horn { relations: vec![result], rules, query };
            let answer = solve(&mut t, &horn, &options(Mode::Integers));
            let text = || covenant_constraints::smtlib::term(&t, term);
            assert_eq!(answer, HornAnswer::Reached, "seed {seed}: {} is {bits}, with {model:?}", text());
            horn.query.guard = t.not(same);
            exact += usize::from(matches!(solve(&mut t, &horn, &options(Mode::Integers)), HornAnswer::Proved(_)));
        }
    }
    assert!(exact > 120, "only {exact} of 180 terms were exact");
}
