//! Backward: from what a label asks for to what must hold before each step that leads there, until nothing can.
//!
//! Our own. What must hold at a place for the target to be reached is a set of *cubes*, conjunctions over the state. A step
//! back puts the assignments in and adds those guards that share a variable with the cube. All others are left out, which
//! makes the cube weaker, so that there are few of them and a loop that does not touch one keeps it as it is.
//!
//! A cube ends where no state can take the step with it, and where a weaker one is at the same place already. When none is
//! left, the negations of all cubes are an invariant. Depth first, so that it shows soon when one comes to the start of the
//! program. Then the whole way that it came is asked about: if no run can go it, the guards that exclude each other are kept
//! from now on, whatever they have to do with the cube, and the walk begins anew; mostly they are about *flags*, such as what
//! a function returns. Else nothing is proved.

use covenant_constraints::solver::{Answer, Query};
use covenant_constraints::{Op, TermId, Terms, VarId};
use covenant_goals::ObjectiveId;
use covenant_transition::flow::{EdgeId, LocationId};
use covenant_transition::lemma_check::{Lemmas, before};
use rustc_hash::{FxHashMap, FxHashSet};

use super::question::{Budget, Claim, Findings, Prover, Question};

/// It says nothing of what it does not prove.
#[derive(Clone, Copy, Debug, Default)]
pub struct Backward;

impl Prover for Backward {
    fn name(&self) -> &'static str {
        "backward"
    }

    fn prove(&mut self, question: &mut Question<'_>) -> Findings {
        let mut findings = Findings::default();
        let most = question.budget.tuning.backward_objectives * Limits::new(&question.budget).resolved;
        let start = question.solver.stats().resolved();
        let mut steps = Steps::default();
        for &objective in question.objectives {
            if question.budget.cancel.is_set() || question.solver.stats().resolved() - start > most {
                break;
            }
            if let Some(lemmas) = Walk::new(question, &mut steps).prove(objective) {
                findings.claims.push(Claim { objective, lemmas, by: "backward".to_owned() });
            }
        }
        findings
    }
}

/// How far the walks for one objective go.
#[derive(Clone, Copy)]
struct Limits {
    cubes: usize,
    /// What the solver's counts may come to.
    questions: u64,
    resolved: u64,
}

impl Limits {
    /// Each step of the effort means eight times as many of all.
    fn new(Budget { effort, tuning, .. }: &Budget) -> Limits {
        let times = 3 * effort.min(&3);
        Limits {
            cubes: tuning.backward_cubes << times,
            questions: tuning.backward_questions << times,
            resolved: tuning.backward_resolved << times,
        }
    }
}

/// Conditions that all hold, in order and each once.
type Cube = Vec<TermId>;

/// Whether some state before an edge leads into a cube. Walks begin anew, and those for other objectives go the same ways.
type Steps = FxHashMap<(EdgeId, Cube), bool>;

/// A cube, and how the walk came to it.
struct Stop {
    at: LocationId,
    cube: Cube,
    /// The edge that leads on, and the stop behind it.
    next: Option<(EdgeId, usize)>,
}

/// How a walk ended.
enum End {
    /// No run comes to the objective because these hold.
    Proved(Lemmas),
    /// It came to the start, or to a cube without conditions, by this edge to this stop.
    Through(EdgeId, usize),
    TooLong,
}

struct Walk<'w, 'q> {
    question: &'w mut Question<'q>,
    steps: &'w mut Steps,
    /// Guards that are kept whatever they have to do with a cube.
    kept: FxHashSet<TermId>,
    cubes: FxHashMap<LocationId, Vec<Cube>>,
    stops: Vec<Stop>,
    limits: Limits,
}

impl<'w, 'q> Walk<'w, 'q> {
    fn new(question: &'w mut Question<'q>, steps: &'w mut Steps) -> Self {
        let (stats, mut limits) = (question.solver.stats(), Limits::new(&question.budget));
        limits.questions += stats.calls;
        limits.resolved += stats.resolved();
        let (kept, cubes) = (FxHashSet::default(), FxHashMap::default());
        Walk { question, steps, kept, cubes, stops: Vec::new(), limits }
    }

    /// What holds at places so that no run comes to the objective; `None`: that is not known.
    fn prove(&mut self, objective: ObjectiveId) -> Option<Lemmas> {
        for _ in 0..self.question.budget.tuning.backward_walks {
            match self.walk(objective) {
                End::Proved(lemmas) => return Some(lemmas),
                End::Through(edge, stop) if self.learn(edge, stop) => {}
                End::Through(..) | End::TooLong => return None,
            }
        }
        None
    }

    fn walk(&mut self, objective: ObjectiveId) -> End {
        let flow = self.question.flow;
        let targets = &flow.target(objective).locations;
        self.cubes.clear();
        self.stops.clear();
        self.stops.extend(targets.iter().map(|&at| Stop { at, cube: Cube::new(), next: None }));
        let mut work: Vec<usize> = (0..self.stops.len()).collect();
        while let Some(number) = work.pop() {
            let (at, cube) = (self.stops[number].at, self.stops[number].cube.clone());
            for &edge in &flow.locations[at].into {
                if !self.can_step(edge, &cube) {
                    continue;
                }
                let from = flow.edges[edge].from;
                let earlier = self.step_back(edge, &cube, targets.contains(&at));
                if from == flow.root || earlier.is_empty() {
                    return End::Through(edge, number);
                }
                if earlier.len() > self.question.budget.tuning.backward_conditions {
                    return End::TooLong;
                }
                if self.add(from, &earlier) {
                    work.push(self.stops.len());
                    self.stops.push(Stop { at: from, cube: earlier, next: Some((edge, number)) });
                }
            }
            if self.is_too_long() {
                return End::TooLong;
            }
        }
        End::Proved(self.lemmas(targets))
    }

    fn is_too_long(&self) -> bool {
        let stats = self.question.solver.stats();
        let asked = stats.calls > self.limits.questions || stats.resolved() > self.limits.resolved;
        asked || self.stops.len() > self.limits.cubes || self.question.budget.cancel.is_set()
    }

    /// That no run is in any of the cubes.
    fn lemmas(&mut self, targets: &[LocationId]) -> Lemmas {
        let mut lemmas = self.question.known.clone();
        let terms = &mut *self.question.terms;
        for (&at, cubes) in &self.cubes {
            for cube in cubes {
                let inside = terms.and_all(cube.iter().copied());
                lemmas.entry(at).or_default().push(terms.not(inside));
            }
        }
        lemmas.extend(targets.iter().map(|&at| (at, vec![terms.ff()])));
        lemmas
    }

    /// Keeps the guards by which no run can go on from an edge as the walk came; whether there are any that were left out.
    fn learn(&mut self, edge: EdgeId, stop: usize) -> bool {
        let mut edges = vec![edge];
        let mut at = stop;
        while let Some((edge, next)) = self.stops[at].next {
            edges.push(edge);
            at = next;
        }
        let Question { flow, terms, solver, known, budget, .. } = &mut *self.question;
        // Each guard, and what it says of the state before the first edge.
        let mut guards: Vec<(TermId, TermId)> = Vec::new();
        for &edge in edges.iter().rev() {
            for (_, now) in &mut guards {
                *now = before(flow, terms, edge, *now);
            }
            let own = flow.edges[edge].guard.iter().flat_map(|&guard| conjuncts(terms, guard));
            guards.extend(own.map(|guard| (guard, guard)));
        }
        let mut path: Vec<TermId> = guards.iter().map(|(_, now)| *now).collect();
        path.extend(known.get(&flow.edges[edge].from).into_iter().flatten());
        let query = Query { path: &path, goal: terms.tt(), steps: budget.steps, hint: None };
        let Answer::Unsat(core) = solver.solve(terms, &query) else { return false };
        let needed = core.path.iter().filter_map(|&i| guards.get(i)).map(|(guard, _)| *guard);
        let count = self.kept.len();
        self.kept.extend(needed);
        self.kept.len() > count
    }

    /// Whether some state before the edge leads into the cube, as far as is known.
    fn can_step(&mut self, edge: EdgeId, cube: &Cube) -> bool {
        let step = (edge, cube.clone());
        if let Some(&known) = self.steps.get(&step) {
            return known;
        }
        let can_step = self.ask_step(edge, cube);
        self.steps.insert(step, can_step);
        can_step
    }

    fn ask_step(&mut self, edge: EdgeId, cube: &Cube) -> bool {
        let Question { flow, terms, solver, known, budget, .. } = &mut *self.question;
        let goal = terms.and_all(cube.iter().copied());
        let goal = before(flow, terms, edge, goal);
        if terms.as_bool(goal) == Some(false) {
            return false;
        }
        let mut path = flow.edges[edge].guard.clone();
        path.extend(known.get(&flow.edges[edge].from).into_iter().flatten());
        let query = Query { path: &path, goal, steps: budget.steps, hint: None };
        !matches!(solver.solve(terms, &query), Answer::Unsat(_))
    }

    /// What must hold before the edge, of all that has to do with the cube; `whole`: of everything.
    fn step_back(&mut self, edge: EdgeId, cube: &Cube, whole: bool) -> Cube {
        let Question { flow, terms, .. } = &mut *self.question;
        let is_state = |terms: &Terms, term: TermId| terms.variables(&[term]).iter().all(|&var| flow.is_state(var));
        let mut earlier = Cube::new();
        for &condition in cube {
            let condition = before(flow, terms, edge, condition);
            earlier.extend(conjuncts(terms, condition).into_iter().filter(|&c| is_state(terms, c)));
        }
        let touched: FxHashSet<VarId> = terms.variables(&earlier).into_iter().collect();
        for guard in flow.edges[edge].guard.iter().flat_map(|&guard| conjuncts(terms, guard)) {
            let vars = terms.variables(&[guard]);
            let matters = whole || self.kept.contains(&guard) || vars.iter().any(|var| touched.contains(var));
            if matters && !vars.is_empty() && vars.iter().all(|&var| flow.is_state(var)) {
                earlier.push(guard);
            }
        }
        earlier.sort_unstable();
        earlier.dedup();
        earlier
    }

    /// Adds a cube, unless a weaker one is there.
    fn add(&mut self, at: LocationId, cube: &Cube) -> bool {
        let there = self.cubes.entry(at).or_default();
        if there.iter().any(|other| other.iter().all(|condition| cube.contains(condition))) {
            return false;
        }
        there.push(cube.clone());
        true
    }
}

/// The parts of a conjunction that are not plainly true.
fn conjuncts(terms: &Terms, term: TermId) -> Vec<TermId> {
    let (mut found, mut work) = (Vec::new(), vec![term]);
    while let Some(term) = work.pop() {
        if terms.op(term) == Op::And {
            work.extend([terms.arg(term, 1), terms.arg(term, 0)]);
        } else if terms.as_bool(term) != Some(true) {
            found.push(term);
        }
    }
    found
}

#[cfg(test)]
mod tests;
