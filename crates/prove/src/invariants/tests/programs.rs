//! Small programs in the shape of C, with variables that change in place, and their infeasible branches.

use super::code::Code;

#[test]
fn binary_search_stays_inside() {
    let mut c = Code::new();
    let [lo, hi, n, key, value] = c.ints(["lo", "hi", "n", "key", "value"]);
    let positive = c.ge(n, 1);
    c.assume(positive);
    c.set_num(lo, 0);
    let last = c.plus(n, -1);
    c.set(hi, last);
    let more = c.sle(lo, hi);
    c.while_do(more, |c| {
        let span = c.w.t.sub(hi, lo);
        let two = c.num(2, 32);
        let half = c.w.t.sdiv(span, two);
        let mid = c.w.t.add(lo, half);
        let below = c.lt(mid, 0);
        c.never(below);
        let above = c.sle(n, mid);
        c.never(above);
        c.any(value);
        let less = c.slt(value, key);
        let (next, before) = (c.plus(mid, 1), c.plus(mid, -1));
        c.if_else(less, |c| c.set(lo, next), |c| c.set(hi, before));
    });
    c.check();
}

#[test]
fn a_ring_index_stays_inside() {
    let mut c = Code::new();
    let [head, i, n] = c.ints(["head", "i", "n"]);
    c.set_num(head, 0);
    c.set_num(i, 0);
    let more = c.slt(i, n);
    c.while_do(more, |c| {
        let next = c.plus(head, 1);
        let ten = c.num(10, 32);
        let wrapped = c.w.t.srem(next, ten);
        c.set(head, wrapped);
        let (low, high) = (c.lt(head, 0), c.ge(head, 10));
        c.never(low);
        c.never(high);
        c.add(i, 1);
    });
    c.check();
}

#[test]
fn a_saturating_counter_saturates() {
    let mut c = Code::new();
    let [count, limit, i, n] = c.ints(["count", "limit", "i", "n"]);
    c.set_num(count, 0);
    let positive = c.ge(limit, 0);
    c.assume(positive);
    c.set_num(i, 0);
    let more = c.slt(i, n);
    c.while_do(more, |c| {
        let below = c.slt(count, limit);
        c.if_then(below, |c| c.add(count, 1));
        c.add(i, 1);
    });
    let above = c.slt(limit, count);
    c.never(above);
    c.check();
}

#[test]
fn signs_alternate() {
    let mut c = Code::new();
    let [s, i, n] = c.ints(["s", "i", "n"]);
    c.set_num(s, 1);
    c.set_num(i, 0);
    let more = c.slt(i, n);
    c.while_do(more, |c| {
        let negated = c.w.t.neg(s);
        c.set(s, negated);
        c.add(i, 1);
    });
    let zero = c.eq(s, 0);
    c.never(zero);
    c.check();
}

#[test]
fn a_search_ends_for_a_reason() {
    let mut c = Code::new();
    let [found, i, n, at] = c.ints(["found", "i", "n", "at"]);
    c.set_num(found, 0);
    c.set_num(i, 0);
    c.set_num(at, -1);
    let (inside, open) = (c.slt(i, n), c.eq(found, 0));
    let more = c.w.t.and(inside, open);
    c.while_do(more, |c| {
        let hit = c.maybe();
        c.if_else(
            hit,
            |c| {
                c.set(at, i);
                c.set_num(found, 1);
            },
            |c| c.add(i, 1),
        );
    });
    let both = c.w.t.and(inside, open);
    c.never(both);
    let is_found = c.eq(found, 1);
    let outside = c.sle(n, at);
    let wrong = c.w.t.and(is_found, outside);
    c.never(wrong);
    let unset = c.lt(at, 0);
    let wrong = c.w.t.and(is_found, unset);
    c.never(wrong);
    c.check();
}

#[test]
fn a_count_is_no_more_than_what_was_looked_at() {
    let mut c = Code::new();
    let [count, i, n] = c.ints(["count", "i", "n"]);
    c.set_num(count, 0);
    c.set_num(i, 0);
    let more = c.slt(i, n);
    c.while_do(more, |c| {
        let hit = c.maybe();
        c.if_then(hit, |c| c.add(count, 1));
        c.add(i, 1);
    });
    let above = c.slt(i, count);
    c.never(above);
    let positive = c.ge(n, 0);
    let more_than_all = c.slt(n, count);
    let wrong = c.w.t.and(positive, more_than_all);
    c.never(wrong);
    c.check();
}

#[test]
fn a_timer_runs_only_in_its_state() {
    let mut c = Code::new();
    let [state, timer] = c.ints(["state", "timer"]);
    c.set_num(state, 0);
    c.set_num(timer, 0);
    let always = c.w.t.tt();
    c.while_do(always, |c| {
        let idle = c.eq(state, 0);
        c.if_else(
            idle,
            |c| {
                let runs = c.eq(timer, 0);
                let wrong = c.w.t.not(runs);
                c.never(wrong);
                let start = c.maybe();
                c.if_then(start, |c| {
                    c.set_num(state, 1);
                    c.set_num(timer, 100);
                });
            },
            |c| {
                c.add(timer, -1);
                let low = c.lt(timer, 0);
                c.never(low);
                let done = c.eq(timer, 0);
                c.if_then(done, |c| c.set_num(state, 0));
            },
        );
    });
    c.check();
}

#[test]
fn a_lock_is_taken_and_given_in_turn() {
    let mut c = Code::new();
    let [lock, got, old] = c.ints(["lock", "got", "old"]);
    c.set_num(lock, 0);
    c.any(got);
    let apart = c.plus(got, 1);
    c.set(old, apart);
    let differ = c.w.t.ne(got, old);
    c.while_do(differ, |c| {
        let taken = c.eq(lock, 1);
        c.never(taken);
        c.set_num(lock, 1);
        c.set(old, got);
        let again = c.maybe();
        c.if_then(again, |c| {
            c.set_num(lock, 0);
            c.add(got, 1);
        });
    });
    let free = c.eq(lock, 0);
    c.never(free);
    c.check();
}

#[test]
fn neighbours_of_a_sort_are_inside() {
    let mut c = Code::new();
    let [i, j, n] = c.ints(["i", "j", "n"]);
    let positive = c.ge(n, 1);
    c.assume(positive);
    c.set_num(i, 0);
    let last = c.plus(n, -1);
    let outer = c.slt(i, last);
    c.while_do(outer, |c| {
        c.set_num(j, 0);
        let bound = c.w.t.sub(last, i);
        let inner = c.slt(j, bound);
        c.while_do(inner, |c| {
            let next = c.plus(j, 1);
            let (outside, below) = (c.sle(n, next), c.lt(j, 0));
            c.never(outside);
            c.never(below);
            c.add(j, 1);
        });
        c.add(i, 1);
    });
    c.check();
}

#[test]
fn an_unsigned_countdown_stays_below_its_start() {
    let mut c = Code::new();
    let [i, n] = c.ints(["i", "n"]);
    c.set(i, n);
    let zero = c.num(0, 32);
    let more = c.w.t.ult(zero, i);
    c.while_do(more, |c| {
        let index = c.plus(i, -1);
        let outside = c.w.t.ule(n, index);
        c.never(outside);
        c.set(i, index);
    });
    let left = c.w.t.nonzero(i);
    c.never(left);
    c.check();
}

#[test]
fn a_first_round_is_the_first() {
    let mut c = Code::new();
    let [first, x, i, n] = c.ints(["first", "x", "i", "n"]);
    c.set_num(first, 1);
    c.any(x);
    c.set_num(i, 0);
    let more = c.slt(i, n);
    c.while_do(more, |c| {
        let is_first = c.eq(first, 1);
        c.if_else(
            is_first,
            |c| {
                let late = c.ge(i, 1);
                c.never(late);
                c.set_num(first, 0);
                c.set_num(x, 7);
            },
            |c| {
                let other = c.eq(x, 7);
                let other = c.w.t.not(other);
                c.never(other);
            },
        );
        c.add(i, 1);
    });
    c.check();
}

#[test]
fn a_phase_follows_the_counter() {
    let mut c = Code::new();
    let [phase, i, n] = c.ints(["phase", "i", "n"]);
    c.set_num(phase, 0);
    c.set_num(i, 0);
    let more = c.slt(i, n);
    c.while_do(more, |c| {
        let next = c.plus(phase, 1);
        let three = c.num(3, 32);
        let wrapped = c.w.t.bv_and(next, three);
        c.set(phase, wrapped);
        c.add(i, 1);
        let low = c.w.t.bv_and(i, three);
        let differs = c.w.t.ne(low, phase);
        c.never(differs);
    });
    c.check();
}

#[test]
fn tokens_never_exceed_their_limit() {
    let mut c = Code::new();
    let [tokens, limit] = c.ints(["tokens", "limit"]);
    let (positive, small) = (c.ge(limit, 1), c.lt(limit, 1000));
    c.assume(positive);
    c.assume(small);
    c.set(tokens, limit);
    let always = c.w.t.tt();
    c.while_do(always, |c| {
        let spend = c.maybe();
        c.if_else(
            spend,
            |c| {
                let some = c.ge(tokens, 1);
                c.if_then(some, |c| c.add(tokens, -1));
            },
            |c| {
                let next = c.plus(tokens, 1);
                let least = c.w.t.smin(next, limit);
                c.set(tokens, least);
            },
        );
        let above = c.slt(limit, tokens);
        c.never(above);
        let below = c.lt(tokens, 0);
        c.never(below);
    });
    c.check();
}

#[test]
fn two_pointers_meet() {
    let mut c = Code::new();
    let [i, j, n] = c.ints(["i", "j", "n"]);
    let positive = c.ge(n, 1);
    c.assume(positive);
    c.set_num(i, 0);
    let last = c.plus(n, -1);
    c.set(j, last);
    let apart = c.slt(i, j);
    c.while_do(apart, |c| {
        let (low, high) = (c.lt(j, 0), c.sle(n, i));
        c.never(low);
        c.never(high);
        c.add(i, 1);
        c.add(j, -1);
    });
    let sum = c.w.t.add(i, j);
    let differs = c.w.t.ne(sum, last);
    c.never(differs);
    c.check();
}

#[test]
fn the_divisor_of_euclid_stays_positive() {
    let mut c = Code::new();
    // At 32 bits no solver shows that a remainder is less than the divisor.
    let [a, b, rest] = ["a", "b", "rest"].map(|name| c.w.var(name, 8));
    let (zero, one) = (c.num(0, 8), c.num(1, 8));
    let (pa, pb) = (c.sle(one, a), c.sle(zero, b));
    c.assume(pa);
    c.assume(pb);
    let more = c.w.t.nonzero(b);
    c.while_do(more, |c| {
        let remainder = c.w.t.srem(a, b);
        c.set(rest, remainder);
        c.set(a, b);
        c.set(b, rest);
        let negative = c.lt(rest, 0);
        c.never(negative);
        let large = c.sle(a, rest);
        c.never(large);
    });
    let empty = c.lt(a, 1);
    c.never(empty);
    c.check();
}

#[test]
fn a_power_of_two_stays_one() {
    let mut c = Code::new();
    let [x, i, n] = c.ints(["x", "i", "n"]);
    c.set_num(x, 1);
    c.set_num(i, 0);
    let more = c.slt(i, n);
    c.while_do(more, |c| {
        let double = c.w.t.add(x, x);
        c.set(x, double);
        c.add(i, 1);
        let below = c.plus(x, -1);
        let common = c.w.t.bv_and(x, below);
        let other = c.w.t.nonzero(common);
        c.never(other);
    });
    c.check();
}

/// Something that happened before a loop is remembered through it.
#[test]
fn what_was_checked_before_a_loop_holds_after_it() {
    let mut c = Code::new();
    let [a, b, i, n, flag] = c.ints(["a", "b", "i", "n", "flag"]);
    let less = c.slt(a, b);
    c.if_else(less, |c| c.set_num(flag, 1), |c| c.set_num(flag, 0));
    c.set_num(i, 0);
    let more = c.slt(i, n);
    c.while_do(more, |c| c.add(i, 1));
    let is_set = c.eq(flag, 1);
    let not_less = c.sle(b, a);
    let wrong = c.w.t.and(is_set, not_less);
    c.never(wrong);
    let clear = c.eq(flag, 0);
    let wrong = c.w.t.and(clear, less);
    c.never(wrong);
    c.check();
}
