//! Random small flows against the set of states that they reach, computed by brute force.

use std::collections::{BTreeSet, VecDeque};

use covenant_constraints::random::Rng;
use covenant_constraints::{Value, all_true, eval};

use super::*;

const WIDTH: u8 = 4;

pub(crate) struct Case {
    pub(crate) w: World,
    vars: Vec<TermId>,
    choice: TermId,
    pub(crate) places: Vec<LocationId>,
}

fn leaf(case: &mut Case, rng: &mut Rng, with_choice: bool) -> TermId {
    match rng.below(10) {
        0..=5 => rng.pick(&case.vars.clone()),
        6 if with_choice => case.choice,
        _ => {
            let value = rng.below(16) as i64;
            case.w.num(value, WIDTH)
        }
    }
}

fn value(case: &mut Case, rng: &mut Rng) -> TermId {
    let (a, b) = (leaf(case, rng, true), leaf(case, rng, false));
    let t = &mut case.w.t;
    match rng.below(9) {
        0 | 1 => a,
        2 | 3 => {
            let one = t.bv([1, 1, 2, 15][rng.below(4)], WIDTH);
            t.add(b, one)
        }
        4 => t.add(a, b),
        5 => t.sub(a, b),
        6 => t.bv_and(a, b),
        7 => t.bv(rng.below(4) as u128, WIDTH),
        _ => t.mul(a, b),
    }
}

fn condition(case: &mut Case, rng: &mut Rng) -> TermId {
    let (a, b) = (leaf(case, rng, true), leaf(case, rng, false));
    let t = &mut case.w.t;
    let made = match rng.below(5) {
        0 => t.eq(a, b),
        1 => t.slt(a, b),
        2 => t.sle(a, b),
        3 => t.ult(a, b),
        _ => t.ule(a, b),
    };
    if rng.chance(30) { t.not(made) } else { made }
}

pub(crate) fn random_case(rng: &mut Rng) -> Case {
    let mut w = World::new();
    let vars: Vec<TermId> = ["x", "y", "z"][..2 + rng.below(2)].iter().map(|n| w.var(n, WIDTH)).collect();
    let choice = w.choice(WIDTH);
    let mut places = vec![w.flow.root];
    places.extend((0..3 + rng.below(4)).map(|_| w.loc()));
    let mut case = Case { w, vars, choice, places };
    // A start that says something, a way through, and some edges more.
    let mut start = Vec::new();
    for x in case.vars.clone() {
        if rng.chance(80) {
            start.push((x, case.w.num(rng.below(4) as i64, WIDTH)));
        }
    }
    case.w.edge(case.places[0], case.places[1], &[], &start);
    for i in 2..case.places.len() {
        add_edge(&mut case, rng, i - 1, i);
    }
    for _ in 0..2 + rng.below(5) {
        let (from, to) = (1 + rng.below(case.places.len() - 1), 1 + rng.below(case.places.len() - 1));
        add_edge(&mut case, rng, from, to);
    }
    case
}

fn add_edge(case: &mut Case, rng: &mut Rng, from: usize, to: usize) {
    let guard: Vec<TermId> = (0..rng.below(3)).map(|_| condition(case, rng)).collect();
    let mut assign = Vec::new();
    for x in case.vars.clone() {
        if rng.chance(35) {
            assign.push((x, value(case, rng)));
        }
    }
    case.w.edge(case.places[from], case.places[to], &guard, &assign);
}

fn model(case: &Case, state: &[u128], choice: u128) -> Model {
    let mut model: Model = case.vars.iter().zip(state).map(|(x, v)| (case.w.id(*x), Value::Bv(*v))).collect();
    model.set(case.w.id(case.choice), Value::Bv(choice));
    model
}

/// All reachable pairs of location and state.
pub(crate) fn reachable(case: &Case) -> BTreeSet<(LocationId, Vec<u128>)> {
    let count = case.vars.len() as u32;
    let mut found: BTreeSet<(LocationId, Vec<u128>)> = BTreeSet::new();
    let mut queue = VecDeque::new();
    for all in 0..16u32.pow(count) {
        let state: Vec<u128> = (0..count).map(|k| u128::from(all >> (4 * k) & 15)).collect();
        queue.push_back((case.w.flow.root, state));
    }
    found.extend(queue.iter().cloned());
    while let Some((location, state)) = queue.pop_front() {
        for &e in &case.w.flow.locations[location].out {
            let edge = &case.w.flow.edges[e];
            for choice in 0..16 {
                let model = model(case, &state, choice);
                if !all_true(&case.w.t, edge.guard.iter().copied(), &model) {
                    continue;
                }
                let mut next = state.clone();
                for (var, term) in &edge.assign {
                    let at = case.vars.iter().position(|x| case.w.id(*x) == *var).unwrap();
                    next[at] = eval(&case.w.t, *term, &model).bits().unwrap();
                }
                if found.insert((edge.to, next.clone())) {
                    queue.push_back((edge.to, next));
                }
            }
        }
    }
    found
}

/// Every invariant holds in every reachable state and nothing reachable is proved; how many of the unreachable locations
/// are proved is worth watching.
#[test]
fn invariants_hold_in_all_reachable_states() {
    let (mut unreachable, mut proved) = (0, 0);
    for seed in 0..150 {
        let mut rng = Rng::new(seed);
        let mut case = random_case(&mut rng);
        let states = reachable(&case);
        let targets: Vec<LocationId> = case.places[1..].to_vec();
        let mut solver = stack(&Options::default());
        let budget =
            Budget { queries: 2_000, steps: Steps::like_secs(5), expired: &|| false, tuning: &Tuning::default() };
        let outcome = prove(&case.w.flow, &mut case.w.t, &mut *solver, &targets, budget, &Hints::default());
        let mut invariants = vec![&outcome.invariant];
        invariants.extend(outcome.proofs.values().map(|p| &p.invariant));
        for (location, state) in &states {
            let model = model(&case, state, 0);
            for invariant in &invariants {
                if let Some(term) = invariant.get(location) {
                    assert!(eval(&case.w.t, *term, &model).is_true(), "seed {seed}: {location:?} {state:?}");
                }
            }
        }
        let reached: BTreeSet<LocationId> = states.iter().map(|(l, _)| *l).collect();
        unreachable += targets.iter().filter(|t| !reached.contains(t)).count();
        proved += outcome.proofs.len();
        for (_, proof) in outcome.proofs {
            case.w.assert_inductive(&proof.invariant);
        }
    }
    assert!(unreachable >= 40, "{unreachable} are too few to tell");
    assert!(proved * 10 >= unreachable * 9, "only {proved} of {unreachable} proved");
}
