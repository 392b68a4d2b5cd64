//! Flows written by hand, with what must be proved of them and what must not.

use covenant_constraints::solver::Steps;

use covenant_constraints::solver::{Cancel, Options, stack};
use covenant_constraints::{Sort, TermId, Terms};
use covenant_goals::ObjectiveId;
use covenant_transition::flow::{Flow, LocationId};
use covenant_transition::lemma_check::check_lemmas;

use super::collapse::collapse;
use super::*;
use crate::question::Budget;

const GOAL: ObjectiveId = ObjectiveId(0);

struct World {
    flow: Flow,
    t: Terms,
}

impl World {
    fn new() -> World {
        World { flow: Flow::by_hand(1), t: Terms::new() }
    }

    fn var(&mut self, name: &str, sort: Sort) -> TermId {
        let var = self.t.var(name, sort);
        self.flow.add_variable(var);
        self.t.var_term(var)
    }

    fn locs<const N: usize>(&mut self) -> [LocationId; N] {
        std::array::from_fn(|_| self.flow.add_location())
    }

    fn edge(&mut self, from: LocationId, to: LocationId, guard: &[TermId], assign: &[(TermId, TermId)]) {
        let assign = assign.iter().map(|(x, value)| (self.t.as_var(*x).unwrap(), *value)).collect();
        self.flow.add_edge(from, to, guard.to_vec(), assign);
    }

    fn prove(&mut self, known: &Lemmas) -> (Findings, Spacer) {
        let mut prover = Spacer::default();
        let mut solver = stack(&Options::default());
        let mut question = Question {
            flow: &self.flow,
            terms: &mut self.t,
            solver: solver.as_mut(),
            objectives: &[GOAL],
            known,
            hints: &Default::default(),
            budget: Budget {
                effort: 2,
                hasty: false,
                steps: Steps::like_secs(10),
                cancel: Cancel::default(),
                tuning: Tuning::default(),
            },
        };
        (prover.prove(&mut question), prover)
    }

    /// The goal is proved to be out of reach, with lemmas that hold up to the check and speak of the state alone.
    fn is_proved(&mut self, known: &Lemmas) {
        let (findings, _) = self.prove(known);
        assert_eq!(findings.claims.len(), 1, "{:?}", findings.failures);
        let targets = self.flow.target(GOAL).locations.clone();
        let mut solver = stack(&Options::default());
        let lemmas = &findings.claims[0].lemmas;
        let steps = Steps::like_secs(10);
        let checked = check_lemmas(&self.flow, &mut self.t, solver.as_mut(), lemmas, &targets, steps).unwrap();
        for formula in checked.invariant.values().flatten() {
            assert!(self.t.variables(&[*formula]).into_iter().all(|var| self.flow.is_state(var)));
        }
    }
}

/// `x = y = 0; while (x != n) { x++; y++; }` and then `y != n`, with a place for every step.
fn in_step(world: &mut World, by: u128) -> [LocationId; 5] {
    let [x, y, n] = ["x", "y", "n"].map(|name| world.var(name, Sort::Bv(32)));
    let [head, body, middle, after, goal] = world.locs();
    let [zero, one, step] = [0, 1, by].map(|c| world.t.bv(c, 32));
    let (goes_on, differ) = (world.t.ne(x, n), world.t.ne(y, n));
    let ends = world.t.not(goes_on);
    let (more_x, more_y) = (world.t.add(x, one), world.t.add(y, step));
    let root = world.flow.root;
    world.edge(root, head, &[], &[(x, zero), (y, zero)]);
    world.edge(head, body, &[goes_on], &[]);
    world.edge(body, middle, &[], &[(x, more_x)]);
    world.edge(middle, head, &[], &[(y, more_y)]);
    world.edge(head, after, &[ends], &[]);
    world.edge(after, goal, &[differ], &[]);
    world.flow.set_target(GOAL, vec![goal]);
    [head, body, middle, after, goal]
}

#[test]
fn counters_in_step_are_proved_through_places_that_were_taken_out() {
    let mut world = World::new();
    let [head, ..] = in_step(&mut world, 1);
    let part = collapse(&world.flow, &mut world.t, &world.flow.target(GOAL).locations, 100).unwrap();
    assert_eq!(part.kept.into_iter().collect::<Vec<_>>(), [head]);
    assert_eq!((part.ways.len(), part.gone.len()), (3, 3));
    world.is_proved(&Lemmas::default());
}

#[test]
fn what_can_be_reached_is_not_proved_nor_asked_again() {
    let mut world = World::new();
    in_step(&mut world, 2);
    let (findings, prover) = world.prove(&Lemmas::default());
    assert!(findings.claims.is_empty());
    assert!(findings.failures.contains_key(&GOAL) && prover.hopeless.contains(&GOAL), "{findings:?}");
}

#[test]
fn places_before_choices_stay() {
    // Each turn adds 0 or 1, chosen freely; after the loop the sum is not negative and not above the count.
    let mut world = World::new();
    let [sum, i, n, c] = ["sum", "i", "n", "c"].map(|name| world.var(name, Sort::Bv(32)));
    let any = world.t.new_var("choice", Sort::Bv(32));
    let [head, before, chosen, after, goal] = world.locs();
    let [zero, one] = [0, 1].map(|c| world.t.bv(c, 32));
    let goes_on = world.t.slt(i, n);
    let ends = world.t.not(goes_on);
    let small = world.t.ule(c, one);
    let (more_sum, more_i) = (world.t.add(sum, c), world.t.add(i, one));
    let above = world.t.slt(i, sum);
    let root = world.flow.root;
    world.edge(root, head, &[], &[(sum, zero), (i, zero)]);
    world.edge(head, before, &[goes_on], &[]);
    world.edge(before, chosen, &[], &[(c, any)]);
    world.edge(chosen, head, &[small], &[(sum, more_sum), (i, more_i)]);
    world.edge(head, after, &[ends], &[]);
    world.edge(after, goal, &[above], &[]);
    world.flow.set_target(GOAL, vec![goal]);
    let part = collapse(&world.flow, &mut world.t, &[goal], 100).unwrap();
    assert_eq!(part.kept.into_iter().collect::<Vec<_>>(), [head, before]);
    world.is_proved(&Lemmas::default());
}

#[test]
fn what_is_read_from_arrays_may_be_anything() {
    let mut world = World::new();
    let memory = world.var("memory", Sort::Array);
    let [i, n] = ["i", "n"].map(|name| world.var(name, Sort::Bv(64)));
    let [head, body, bad, goal] = world.locs();
    let [zero, one] = [0, 1].map(|c| world.t.bv(c, 64));
    let byte = world.t.select(memory, i);
    let none = world.t.bv(0, 8);
    let (goes_on, found) = (world.t.ult(i, n), world.t.eq(byte, none));
    let on = world.t.not(found);
    let more = world.t.add(i, one);
    let outside = world.t.ule(n, i);
    let root = world.flow.root;
    world.edge(root, head, &[], &[(i, zero)]);
    world.edge(head, body, &[goes_on], &[]);
    world.edge(body, head, &[on], &[(i, more)]);
    world.edge(body, bad, &[found], &[]);
    world.edge(bad, goal, &[outside], &[]);
    world.flow.set_target(GOAL, vec![goal]);
    world.is_proved(&Lemmas::default());
}

#[test]
fn proofs_rest_on_what_is_known_and_on_what_nothing_leads_to() {
    // `x` is always read from a byte that is 1, but the clauses do not know arrays.
    let mut world = World::new();
    let memory = world.var("memory", Sort::Array);
    let x = world.var("x", Sort::Bv(8));
    let [head, body, goal, lost] = world.locs();
    let (place, one) = (world.t.bv(0, 64), world.t.bv(1, 8));
    let (written, byte) = (world.t.store(memory, place, one), world.t.select(memory, place));
    let bad = world.t.ne(x, one);
    let root = world.flow.root;
    world.edge(root, head, &[], &[(memory, written), (x, one)]);
    world.edge(head, body, &[], &[]);
    world.edge(body, head, &[], &[(x, byte)]);
    world.edge(head, goal, &[bad], &[]);
    world.edge(lost, goal, &[], &[]);
    world.flow.set_target(GOAL, vec![goal]);
    assert!(world.prove(&Lemmas::default()).0.claims.is_empty());
    let facts = vec![world.t.eq(byte, one), world.t.eq(x, one)];
    let known: Lemmas = [head, body].map(|at| (at, facts.clone())).into_iter().collect();
    world.is_proved(&known);
}

#[test]
fn a_target_before_another_and_several_targets() {
    let mut world = World::new();
    let [head, body, middle, after, goal] = in_step(&mut world, 1);
    let [more] = world.locs();
    world.edge(goal, more, &[], &[]);
    world.edge(more, head, &[], &[]);
    world.flow.set_target(GOAL, vec![goal, more]);
    world.is_proved(&Lemmas::default());
    let part = collapse(&world.flow, &mut world.t, &[goal, more], 100).unwrap();
    assert!(part.dead.is_empty());
    let gone: BTreeSet<LocationId> = part.gone.iter().map(|(at, _)| *at).collect();
    assert_eq!(gone, BTreeSet::from([body, middle, after]));
}

#[test]
fn time_is_shared_and_grows() {
    let tuning = Tuning::default();
    let total = |effort, count| shares(&tuning, effort, count).iter().fold(Steps(0), |sum, (_, steps)| sum + *steps);
    assert_eq!(total(0, 1), Steps(tuning.spacer_bits + tuning.spacer_integers));
    assert!(total(0, 20) < total(0, 4) && total(0, 20) * 20 <= Steps(tuning.spacer_in_all));
    assert!(total(1, 1) > total(0, 1) && total(0, 1_000) >= Steps(tuning.spacer_least));
}
