//! Damage to what proofs are about is seen by runs: each step of a flow is damaged in each way that there is, and runs are followed.

use std::rc::Rc;

use covenant_concolic::symbolic::{Context, Seed};
use covenant_constraints::tuning::Tuning;
use covenant_constraints::{Model, Sort, Terms};
use covenant_goals::TestCase;
use covenant_interpreter::Limits;
use covenant_transition::flow::{self, EdgeId, Flow, FlowOptions, Source};
use covenant_transition::trace::{self, Conformance, Questions};

use crate::{Request, Session, Silent};

/// Loops, arrays, tables, variables that keep their values, calls, calls through pointers, and a `switch` that falls through.
const CODE: &str = "
static const int table[3] = {4, 1, 7};
static int seen;
static int twice(int v) { return 2 * v; }
static int next(int v) { return v + 1; }
int step(int kind, unsigned count) {
    int (*change)(int) = kind == 1 ? twice : next;
    int kept[4] = {9, 8, 9, 8};
    int sum = 0;
    for (unsigned i = 0; i < count && i < 4; i++)
        kept[i] = change((int)i);
    switch (kind) {
    case 0: sum = 1; break;
    case 1: sum = kept[1];
    case 2: sum += 3; break;
    default: seen++;
    }
    if (sum > 3 && seen > 5)
        return kept[2] > 2 ? 1 : 2;
    return table[count % 3] + sum > 6;
}";

#[derive(Clone, Copy, Debug)]
enum Damage {
    /// A step is left out.
    Step,
    /// A guard is the opposite of what it was.
    Guard(usize),
    /// A variable becomes one more than it does.
    Value(usize),
    /// A variable keeps its value.
    Assignment(usize),
}

/// All that can be done to one step.
fn damages(flow: &Flow, terms: &Terms, edge: EdgeId) -> Vec<Damage> {
    let edge = &flow.edges[edge];
    let mut all = vec![Damage::Step];
    all.extend((0..edge.guard.len()).map(Damage::Guard));
    // What is free may become anything.
    let is_settled = |term| terms.variables(&[term]).iter().all(|var| flow.is_state(*var));
    let is_number = |term| matches!(terms.sort(term), Sort::Bv(_)) && is_settled(term);
    let numbers = (0..edge.assign.len()).filter(|&at| is_number(edge.assign[at].1));
    all.extend(numbers.clone().map(Damage::Value));
    // Registers that a step leaves alone are not compared.
    let is_cell = |at: &usize| matches!(flow.variables.get(&edge.assign[*at].0), Some(Source::Cell { .. }));
    all.extend(numbers.filter(is_cell).map(Damage::Assignment));
    all
}

fn damaged(flow: &Flow, terms: &mut Terms, id: EdgeId, damage: Damage) -> Flow {
    let mut flow = flow.clone();
    let edge = &mut flow.edges[id];
    match damage {
        Damage::Step => {
            let from = edge.from;
            flow.locations[from].out.retain(|out| *out != id);
        }
        Damage::Guard(at) => edge.guard[at] = terms.not(edge.guard[at]),
        Damage::Value(at) => {
            let term = edge.assign[at].1;
            let one = terms.bv(1, terms.width(term));
            edge.assign[at].1 = terms.add(term, one);
        }
        Damage::Assignment(at) => {
            edge.assign.remove(at);
        }
    }
    flow
}

/// Where one of the runs departs from the flow.
fn departs(session: &Session, tests: &[TestCase], cx: &mut Context, flow: &Flow) -> Option<String> {
    let questions = Questions { conformance: Some(Rc::<Conformance>::default()), ..Questions::default() };
    tests.iter().find_map(|test| {
        cx.seed = Some(Seed::new(test));
        let subject = &session.loaded.subject;
        let (_, trace) = trace::follow(subject, Limits::default(), cx, Rc::new(Model::new()), Some((flow, &questions)));
        trace.departure.map(|(_, _, why)| why)
    })
}

#[test]
fn runs_see_each_damage_to_a_step_that_they_make() {
    let request = Request { function: Some("step".to_owned()), ..Request::default() };
    let session = Session::from_text(CODE, request).unwrap();
    let results = session.generate(&mut Silent).unwrap();
    let (subject, inputs) = (&session.loaded.subject, &session.loaded.inputs);
    let mut cx = Context::new(inputs.clone(), &Tuning::default());
    let options = FlowOptions::of(subject, inputs);
    let flow = flow::build(&mut cx.terms, &subject.image, subject.entry, &subject.objectives, &options).unwrap();
    assert_eq!(departs(&session, results.tests(), &mut cx, &flow), None);

    let (mut seen, mut unseen) = (0, Vec::new());
    for edge in flow.edges.keys() {
        let all = damages(&flow, &cx.terms, edge);
        let is_made = {
            let without = damaged(&flow, &mut cx.terms, edge, Damage::Step);
            departs(&session, results.tests(), &mut cx, &without).is_some()
        };
        // Runs can say nothing of steps that none of them makes.
        for damage in all.into_iter().filter(|_| is_made) {
            let flow = damaged(&flow, &mut cx.terms, edge, damage);
            match departs(&session, results.tests(), &mut cx, &flow) {
                Some(_) => seen += 1,
                None => unseen.push(format!("{edge}: {damage:?}")),
            }
        }
    }
    assert!(seen >= 50, "only {seen} damages were tried and seen");
    assert!(unseen.is_empty(), "{seen} seen, {} not: {unseen:#?}", unseen.len());
}
