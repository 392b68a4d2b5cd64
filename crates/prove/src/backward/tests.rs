//! Flows written by hand and random ones: what is claimed is checked, and nothing that runs reach is ever claimed.

use covenant_constraints::solver::Steps;
use covenant_constraints::tuning::Tuning;
use std::collections::BTreeSet;

use covenant_constraints::random::Rng;
use covenant_constraints::solver::{Cancel, Options, stack};
use covenant_transition::lemma_check::check_lemmas;

use super::*;
use crate::invariants::tests::World;
use crate::invariants::tests::random::{random_case, reachable};
use crate::question::Budget;

const TIMEOUT: Steps = Steps::like_secs(10);

/// Which of these places are proved to be out of reach, each with lemmas that hold up to the check.
fn proved(world: &mut World, places: &[LocationId]) -> Vec<LocationId> {
    let objectives: Vec<ObjectiveId> = (0..places.len() as u32).map(ObjectiveId).collect();
    for (&id, &place) in objectives.iter().zip(places) {
        world.flow.set_target(id, vec![place]);
    }
    let mut solver = stack(&Options::default());
    let mut question = Question {
        flow: &world.flow,
        terms: &mut world.t,
        solver: solver.as_mut(),
        objectives: &objectives,
        known: &Lemmas::default(),
        hints: &Default::default(),
        budget: Budget {
            effort: 0,
            hasty: false,
            steps: TIMEOUT,
            cancel: Cancel::default(),
            tuning: Tuning::default(),
        },
    };
    let claims = Backward.prove(&mut question).claims;
    let mut found = Vec::new();
    for claim in claims {
        let place = places[claim.objective.0 as usize];
        let made = check_lemmas(&world.flow, &mut world.t, solver.as_mut(), &claim.lemmas, &[place], TIMEOUT);
        made.unwrap_or_else(|why| panic!("{place}: {why}"));
        found.push(place);
    }
    found
}

/// `flag = x > 10; if (flag) if (x < limit) goal`
fn by_a_flag(limit: i64) -> (World, LocationId) {
    let mut w = World::new();
    let [x, flag] = ["x", "flag"].map(|name| w.var(name, 8));
    let [start, joined, inside, goal] = w.locs();
    let root = w.flow.root;
    w.edge(root, start, &[], &[]);
    let at_most = w.lt(x, 11);
    let (no, yes) = w.fork(at_most);
    let [zero, one] = [0, 1].map(|c| w.num(c, 8));
    w.edge(start, joined, &[yes], &[(flag, one)]);
    w.edge(start, joined, &[no], &[(flag, zero)]);
    let is_set = w.eq(flag, 1);
    w.edge(joined, inside, &[is_set], &[]);
    let small = w.lt(x, limit);
    w.edge(inside, goal, &[small], &[]);
    (w, goal)
}

#[test]
fn what_a_flag_says_is_carried_back() {
    let (mut w, goal) = by_a_flag(5);
    assert_eq!(proved(&mut w, &[goal]), [goal]);
    let (mut w, goal) = by_a_flag(12);
    assert_eq!(proved(&mut w, &[goal]), [], "11 gets there");
}

/// `if (sum < 50 && day != 5) { if (day == other) sum += 20; if (sum >= 60) goal }`
fn by_another_guard(other: i64) -> (World, LocationId) {
    let mut w = World::new();
    let [sum, day] = ["sum", "day"].map(|name| w.var(name, 8));
    let [asked, begun, added, goal] = w.locs();
    let root = w.flow.root;
    w.edge(root, asked, &[], &[]);
    let (small, five) = (w.lt(sum, 50), w.eq(day, 5));
    let (_, not_five) = w.fork(five);
    w.edge(asked, begun, &[small, not_five], &[]);
    let is_other = w.eq(day, other);
    let (yes, no) = w.fork(is_other);
    let more = w.plus(sum, 20);
    w.edge(begun, added, &[yes], &[(sum, more)]);
    w.edge(begun, added, &[no], &[]);
    let below = w.lt(sum, 60);
    let (_, enough) = w.fork(below);
    w.edge(added, goal, &[enough], &[]);
    (w, goal)
}

#[test]
fn guards_that_a_way_needs_are_learned() {
    let (mut w, goal) = by_another_guard(5);
    assert_eq!(proved(&mut w, &[goal]), [goal]);
    let (mut w, goal) = by_another_guard(6);
    assert_eq!(proved(&mut w, &[goal]), [], "40 on day 6 gets there");
}

#[test]
fn a_loop_keeps_what_it_does_not_touch() {
    let mut w = World::new();
    let [i, n, x] = ["i", "n", "x"].map(|name| w.var(name, 8));
    let [begun, three, four] = w.locs();
    let root = w.flow.root;
    let value = w.num(3, 8);
    w.edge(root, begun, &[], &[(x, value)]);
    let zero = w.num(0, 8);
    let [_, _, exit] = w.counting(begun, i, [zero, n], 1, &[]);
    let (is_three, is_four) = (w.eq(x, 3), w.eq(x, 4));
    w.edge(exit, three, &[is_three], &[]);
    w.edge(exit, four, &[is_four], &[]);
    assert_eq!(proved(&mut w, &[three, four]), [four]);
}

#[test]
fn nothing_that_can_be_reached_is_claimed() {
    let (mut out_of_reach, mut found) = (0, 0);
    for seed in 0..150 {
        let mut case = random_case(&mut Rng::new(seed));
        let reached: BTreeSet<LocationId> = reachable(&case).into_iter().map(|(location, _)| location).collect();
        let places = case.places[1..].to_vec();
        let proved = proved(&mut case.w, &places);
        assert!(proved.iter().all(|place| !reached.contains(place)), "seed {seed}: {proved:?}");
        out_of_reach += places.iter().filter(|place| !reached.contains(place)).count();
        found += proved.len();
    }
    assert!(out_of_reach >= 40, "{out_of_reach} are too few to tell");
    assert!(found * 2 >= out_of_reach, "only {found} of {out_of_reach} proved");
}
