//! Backward: from what a label asks for to what must hold before each step that leads there, until nothing can.
//!
//! Our own. What must hold at a place for the target to be reached is a set of *cubes*, conjunctions over the state. A step
//! back puts the assignments in and adds those guards that have to do with the cube: they share a variable with it, or ask
//! about *flags*, variables that are set to constants, such as what a function returns. All others are left out, which makes
//! the cube weaker, so that there are few of them and a loop that does not touch one keeps it as it is.
//!
//! A cube ends where no state can take the step with it, and where a weaker one is at the same place already. When none is
//! left, the negations of all cubes are an invariant; when one comes to the start of the program, nothing is proved. Depth
//! first, so that this shows soon.

use covenant_constraints::solver::{Answer, Query};
use covenant_constraints::{Op, TermId, Terms, VarId};
use covenant_goals::ObjectiveId;
use rustc_hash::{FxHashMap, FxHashSet};

use super::flow::{EdgeId, Flow, LocationId};
use super::justify::{Lemmas, before};
use super::question::{Claim, Findings, Prover, Question};

/// Cubes of one objective, and of what many conditions one may be.
const MOST_CUBES: usize = 200;
const MOST_CONDITIONS: usize = 12;
/// Questions to the solver about one objective, and in one call.
const MOST_QUESTIONS: usize = 300;
const MOST_IN_ALL: usize = 3_000;

/// It says nothing of what it does not prove.
#[derive(Clone, Copy, Debug, Default)]
pub struct Backward;

impl Prover for Backward {
    fn name(&self) -> &'static str {
        "backward"
    }

    fn prove(&mut self, question: &mut Question<'_>) -> Findings {
        let flags = flags(question.flow, question.terms);
        let mut findings = Findings::default();
        let mut questions = 0;
        for &objective in question.objectives {
            if question.budget.cancel.is_set() || questions > MOST_IN_ALL {
                break;
            }
            let mut walk = Walk { question, flags: &flags, cubes: FxHashMap::default(), count: 0, questions: 0 };
            let lemmas = walk.lemmas(objective);
            questions += walk.questions;
            if let Some(lemmas) = lemmas {
                findings.claims.push(Claim { objective, lemmas, by: "backward".to_owned() });
            }
        }
        findings
    }
}

/// Variables that some steps set to a constant.
fn flags(flow: &Flow, terms: &Terms) -> FxHashSet<VarId> {
    let assigned = flow.edges.values().flat_map(|edge| &edge.assign);
    assigned.filter(|(_, to)| terms.is_const(*to)).map(|(var, _)| *var).collect()
}

/// Conditions that all hold, in order and each once.
type Cube = Vec<TermId>;

struct Walk<'w, 'q> {
    question: &'w mut Question<'q>,
    flags: &'w FxHashSet<VarId>,
    cubes: FxHashMap<LocationId, Vec<Cube>>,
    count: usize,
    questions: usize,
}

impl Walk<'_, '_> {
    /// What holds at places so that no run comes to the objective; `None`: that is not known.
    fn lemmas(&mut self, objective: ObjectiveId) -> Option<Lemmas> {
        let flow = self.question.flow;
        let targets = &flow.target(objective).locations;
        let mut work: Vec<(LocationId, Cube)> = targets.iter().map(|&target| (target, Cube::new())).collect();
        while let Some((at, cube)) = work.pop() {
            for &edge in &flow.locations[at].into {
                if !self.can_step(edge, &cube) {
                    continue;
                }
                let from = flow.edges[edge].from;
                let earlier = self.step_back(edge, &cube, targets.contains(&at));
                if from == flow.root || earlier.is_empty() || earlier.len() > MOST_CONDITIONS {
                    return None;
                }
                if self.add(from, &earlier) {
                    work.push((from, earlier));
                }
            }
            if self.count > MOST_CUBES || self.questions > MOST_QUESTIONS || self.question.budget.cancel.is_set() {
                return None;
            }
        }
        let mut lemmas = self.question.known.clone();
        let terms = &mut *self.question.terms;
        for (&at, cubes) in &self.cubes {
            for cube in cubes {
                let inside = terms.and_all(cube.iter().copied());
                lemmas.entry(at).or_default().push(terms.not(inside));
            }
        }
        lemmas.extend(targets.iter().map(|&at| (at, vec![terms.ff()])));
        Some(lemmas)
    }

    /// Whether some state before the edge leads into the cube, as far as is known.
    fn can_step(&mut self, edge: EdgeId, cube: &Cube) -> bool {
        let Question { flow, terms, solver, known, budget, .. } = &mut *self.question;
        let goal = terms.and_all(cube.iter().copied());
        let goal = before(flow, terms, edge, goal);
        if terms.as_bool(goal) == Some(false) {
            return false;
        }
        let mut path = flow.edges[edge].guard.clone();
        path.extend(known.get(&flow.edges[edge].from).into_iter().flatten());
        self.questions += 1;
        let query = Query { path: &path, goal, timeout: budget.timeout, hint: None };
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
            let matters = whole
                || vars.iter().any(|var| touched.contains(var))
                || vars.iter().all(|var| self.flags.contains(var));
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
        self.count += 1;
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
