//! Small programs of Boolean inputs, and a campaign for them, to test strategies with.
//!
//! A decision tests one input, so that a path condition is a list of inputs with their values and needs no solver.

use std::collections::BTreeSet;
use std::rc::Rc;

use covenant_concolic::symbolic::{ContextId, Event, EventKind};
use covenant_concolic::tree::{NodeId, State, Tree};
use covenant_constraints::tuning::Tuning;
use covenant_constraints::{Model, Sort, TermId, Terms, Value, VarId};
use covenant_interpreter::shadow::Site;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Next, Ran, StrategyKind, View, Way, edge};
use crate::cfg::Edge;
use crate::cfg::{Cfg, PointId};
use crate::guided::Guide;

/// The decisions of a run: which one, and which input it tests.
pub(super) type Program = fn(&mut Steps<'_>);

/// A run in progress.
pub(super) struct Steps<'s> {
    inputs: &'s [bool],
    taken: Vec<(u32, usize, bool)>,
}

impl Steps<'_> {
    /// Decision `pc` on an input.
    pub(super) fn test(&mut self, pc: u32, input: usize) -> bool {
        self.taken.push((pc, input, self.inputs[input]));
        self.inputs[input]
    }
}

/// What a campaign did.
#[derive(Debug, PartialEq)]
pub(super) struct Log {
    /// The inputs of each run.
    pub(super) runs: Vec<Vec<bool>>,
    /// The decision of each flip that was tried.
    pub(super) flips: Vec<u32>,
    pub(super) hopeful: usize,
    /// Ways that no run took.
    pub(super) open: BTreeSet<Edge>,
    /// Whether the strategy ended by itself.
    pub(super) done: bool,
}

/// Decisions one after the other.
pub(super) fn chain(steps: &mut Steps<'_>) {
    for input in 0..4 {
        steps.test(1 + input as u32, input);
    }
}

/// Each decision only if the one before it was true.
pub(super) fn nested(steps: &mut Steps<'_>) {
    let _ = (0..4).all(|input| steps.test(1 + input as u32, input));
}

/// Something that can never be, and decisions after it.
pub(super) fn contradiction(steps: &mut Steps<'_>) {
    if steps.test(1, 0) {
        steps.test(2, 0);
    }
    for input in 1..4 {
        steps.test(2 + input as u32, input);
    }
}

/// A loop of up to four turns with a decision that counts only in its last.
pub(super) fn turns(steps: &mut Steps<'_>) {
    for input in 0..4 {
        if !steps.test(1, input) {
            return;
        }
    }
    steps.test(2, 4);
}

fn run(program: Program, inputs: &[bool]) -> Vec<(u32, usize, bool)> {
    let mut steps = Steps { inputs, taken: Vec::new() };
    program(&mut steps);
    steps.taken
}

const INPUTS: usize = 5; // not tuning: a test

fn way(taken: bool) -> u32 {
    u32::from(!taken)
}

/// All runs as walks, and both ways of each decision that they meet.
fn map(program: Program) -> (Rc<Cfg>, FxHashSet<Edge>) {
    let mut walks = Vec::new();
    let mut open = FxHashSet::default();
    for bits in 0..1 << INPUTS {
        let inputs: Vec<bool> = (0..INPUTS).map(|i| bits >> i & 1 == 1).collect();
        let taken = run(program, &inputs);
        open.extend(taken.iter().flat_map(|&(pc, _, _)| [(0, pc, 0), (0, pc, 1)]));
        walks.push(taken.iter().map(|&(pc, _, taken)| (0, pc, way(taken))).collect::<Vec<Edge>>());
    }
    (Rc::new(Cfg::of_walks(&walks, &open)), open)
}

struct Inputs {
    terms: Terms,
    vars: Vec<VarId>,
    literals: FxHashMap<TermId, (usize, bool)>,
}

impl Inputs {
    fn new() -> Inputs {
        let mut inputs = Inputs { terms: Terms::new(), vars: Vec::new(), literals: FxHashMap::default() };
        for i in 0..INPUTS {
            inputs.vars.push(inputs.terms.var(format!("x{i}"), Sort::Bool));
            for value in [false, true] {
                let literal = inputs.literal(i, value);
                inputs.literals.insert(literal, (i, value));
            }
        }
        inputs
    }

    fn literal(&mut self, input: usize, value: bool) -> TermId {
        let term = self.terms.var_term(self.vars[input]);
        if value { term } else { self.terms.not(term) }
    }

    fn event(&mut self, (pc, input, taken): (u32, usize, bool)) -> Event {
        Event {
            site: Site { function: 0, pc },
            kind: EventKind::Branch,
            subject: true,
            outcome: u32::from(taken),
            constraint: self.literal(input, taken),
            others: vec![(u32::from(!taken), self.literal(input, !taken))],
            context: ContextId(0),
            traced: None,
        }
    }

    /// Values under which all conditions hold, others as they were.
    fn solve(&self, conditions: &[TermId], hint: &[bool]) -> Option<Vec<bool>> {
        let mut fixed: Vec<Option<bool>> = vec![None; INPUTS];
        for condition in conditions {
            let (input, value) = self.literals[condition];
            if fixed[input].replace(value).is_some_and(|other| other != value) {
                return None;
            }
        }
        Some(fixed.iter().zip(hint).map(|(fixed, hint)| fixed.unwrap_or(*hint)).collect())
    }
}

/// What strategies look at and nothing changes.
#[derive(Default)]
struct Fixed {
    guide: Guide,
    tuning: Tuning,
}

impl Fixed {
    fn view<'v>(&'v self, terms: &'v Terms, tree: &'v Tree, open: &'v FxHashSet<Edge>) -> View<'v> {
        View { terms, tree, open, deepest: u32::MAX, guide: &self.guide, tuning: &self.tuning }
    }
}

/// Explores until all ways are taken, the strategy ends, or a hundred flips were tried.
pub(super) fn explore(program: Program, kind: StrategyKind, seed: u64) -> Log {
    let (cfg, mut open) = map(program);
    let mut strategy = kind.make(&cfg, &open, seed);
    let fixed = Fixed::default();
    let mut inputs = Inputs::new();
    let mut tree = Tree::new();
    let mut log = Log { runs: Vec::new(), flips: Vec::new(), hopeful: 0, open: BTreeSet::new(), done: false };
    let mut next = vec![false; INPUTS];
    'runs: loop {
        let taken = run(program, &next);
        let events: Vec<Event> = taken.iter().map(|&step| inputs.event(step)).collect();
        let values = inputs.vars.iter().zip(&next).map(|(&var, &value)| (var, Value::Bool(value)));
        let model = Rc::new(values.collect::<Model>());
        let trail = tree.insert(&inputs.terms, &events, &model).expect("a run fits the tree");
        log.runs.push(next.clone());
        let ways = |ids: &[NodeId]| ids.iter().map(|&id| as_way(&tree, &cfg, id)).collect::<Vec<Way>>();
        let fresh = ways(&trail.fresh.iter().map(|(id, _)| *id).collect::<Vec<_>>());
        let ran = Ran {
            path: &trail.path,
            taken: &ways(&trail.path[trail.shared..]),
            fresh: &fresh,
            missed: &[],
            inputs: &model,
        };
        strategy.ran(&ran, &fixed.view(&inputs.terms, &tree, &open));
        let mut closed: Vec<Edge> = taken.iter().map(|&(pc, _, taken)| (0, pc, way(taken))).collect();
        closed.retain(|edge| open.remove(edge));
        closed.sort_unstable();
        strategy.closed(&closed);
        while !open.is_empty() && log.flips.len() + log.runs.len() < 100 {
            let id = match strategy.next(&fixed.view(&inputs.terms, &tree, &open)) {
                Next::Flip(id) => id,
                Next::Inputs(model) => {
                    next = inputs.vars.iter().map(|&var| model.value(&inputs.terms, var).is_true()).collect();
                    continue 'runs;
                }
                Next::Done => {
                    log.done = true;
                    break 'runs;
                }
            };
            let node = tree.node(id);
            assert_eq!(node.state, State::Open, "a way that was decided is named");
            log.flips.push(node.site.pc);
            log.hopeful += usize::from(edge(node).is_some_and(|edge| !open.contains(&edge)));
            let (mut path, goal) = tree.condition(id);
            path.extend(goal);
            let hint: Vec<bool> =
                inputs.vars.iter().map(|&var| node.hint.value(&inputs.terms, var).is_true()).collect();
            match inputs.solve(&path, &hint) {
                Some(values) => {
                    next = values;
                    continue 'runs;
                }
                None => {
                    tree.set(id, State::Infeasible);
                    strategy.cannot(id);
                }
            }
        }
        break;
    }
    log.open = open.into_iter().collect();
    log
}

fn as_way(tree: &Tree, cfg: &Cfg, id: NodeId) -> Way {
    let point = |id: NodeId| edge(tree.node(id)).and_then(|edge| cfg.find(ContextId(0), edge));
    let before = tree.node(id).parent.and_then(point).unwrap_or(PointId::START);
    Way { id, edge: edge(tree.node(id)), point: point(id), before, steers: true }
}

#[test]
fn each_strategy_takes_all_ways_that_can_be_taken_and_ends() {
    for kind in StrategyKind::all() {
        for seed in [1, 2] {
            for program in [chain, nested, turns] {
                let log = explore(program, kind, seed);
                assert!(log.open.is_empty(), "{kind:?}: {log:?}");
            }
            let log = explore(contradiction, kind, seed);
            assert_eq!(log.open, BTreeSet::from([(0, 2, 1)]), "{kind:?}: {log:?}");
            assert_eq!(log.done, kind.is_exhaustive(), "{kind:?}: {log:?}");
            assert_eq!(log, explore(contradiction, kind, seed), "{kind:?} is not the same twice");
        }
    }
}
