//! Long programs: the time must not grow faster than they do.

use super::*;

/// Copies of a scan in sequence, each with variables of its own, over shared inputs.
fn scans(copies: usize) -> (World, Vec<LocationId>) {
    let mut w = World::new();
    let inputs: Vec<TermId> = (0..8).map(|k| w.var(&format!("a{k}"), 32)).collect();
    let (n, key) = (w.var("n", 32), w.var("key", 32));
    let mut at = w.flow.root;
    let mut targets = Vec::new();
    for copy in 0..copies {
        let [i, found] = ["i", "found"].map(|name| w.var(&format!("{name}{copy}"), 32));
        let found2 = w.var("found2", 32);
        let places: [LocationId; 14] = w.locs();
        let [head, go, body, yes, no, join, back, out, done, bad, bad2, good, good2, end] = places;
        let (zero, minus) = (w.num(0, 32), w.num(-1, 32));
        w.edge(at, head, &[], &[(i, zero), (found, minus)]);
        let inside = w.t.slt(i, n);
        let (inside, outside) = w.fork(inside);
        w.edge(head, go, &[inside], &[]);
        w.edge(head, out, &[outside], &[]);
        w.edge(go, body, &[], &[]);
        let index = w.t.zext(i, 64);
        let read = w.t.table(index, &inputs);
        let same = w.t.eq(read, key);
        let (same, other) = w.fork(same);
        w.edge(body, yes, &[same], &[]);
        w.edge(body, no, &[other], &[]);
        w.edge(yes, join, &[], &[(found2, i)]);
        w.edge(no, join, &[], &[(found2, found)]);
        let next = w.plus(i, 1);
        w.edge(join, back, &[], &[]);
        w.edge(back, head, &[], &[(i, next), (found, found2)]);
        w.edge(out, done, &[], &[]);
        let below = w.lt(i, 0);
        let (below, above) = w.fork(below);
        w.edge(done, bad, &[below], &[]);
        w.edge(done, good, &[above], &[]);
        let odd = w.lt(found, -1);
        let (odd, fine) = w.fork(odd);
        w.edge(good, bad2, &[odd], &[]);
        w.edge(good, good2, &[fine], &[]);
        w.edge(good2, end, &[], &[]);
        w.edge(bad, good, &[], &[]);
        w.edge(bad2, end, &[], &[]);
        targets.extend([bad, bad2]);
        at = end;
    }
    (w, targets)
}

fn run(copies: usize) -> (std::time::Duration, u64) {
    let (mut w, targets) = scans(copies);
    let mut solver = stack(&Options::default());
    let start = std::time::Instant::now();
    let budget =
        Budget { queries: 1_000_000, steps: Steps::like_secs(5), expired: &|| false, tuning: &Tuning::default() };
    let outcome = prove(&w.flow, &mut w.t, &mut *solver, &targets, budget, &Hints::default());
    assert_eq!(outcome.proved().collect::<Vec<_>>(), targets);
    assert!(outcome.proofs.values().all(|p| p.invariant.len() <= 14));
    (start.elapsed(), outcome.queries)
}

#[test]
fn a_copy_costs_no_new_questions() {
    let (_, few) = run(4);
    let (_, many) = run(40);
    assert!(many <= few + 4, "{few} questions for 4 copies, {many} for 40");
}

/// Of a program of many loops only those that matter for a target are looked at.
#[test]
fn one_target_needs_its_own_loop_only() {
    let (mut w, targets) = scans(100);
    let mut shapes = Shapes::default();
    let last = *targets.last().unwrap();
    let tuning = Tuning::default();
    let slice = Slice::new(&w.flow, &w.t, &mut shapes, &[last], &tuning);
    assert_eq!(slice.order.sequence.len(), 99 * 14 + 13);
    // Eight inputs, key, bound, and three variables of its own.
    assert_eq!(slice.relevant.len(), 13);
    assert_eq!(w.prove(&[last]).proved().count(), 1);
}

/// The same for long programs; prints how the time grows, too.
#[test]
fn a_thousand_copies_cost_no_new_questions() {
    let [few, .., many] = [10, 100, 1000].map(|copies| {
        let (time, queries) = run(copies);
        eprintln!("{copies} copies: {time:?}, {queries} queries");
        queries
    });
    assert_eq!(few, many);
}

/// What is reached costs little more, and is not proved.
#[test]
fn branches_that_are_reached_stay_open() {
    let (mut w, targets) = scans(5);
    let all: Vec<LocationId> = w.flow.locations.keys().collect();
    assert_eq!(w.prove(&all).proved().collect::<Vec<_>>(), targets);
}
