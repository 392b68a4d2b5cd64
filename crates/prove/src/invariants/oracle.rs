//! The solver as the provers here ask it: within a budget, and each question once, whatever its variables are called. The
//! copies of one loop ask the same questions of different variables; only the first copy pays.

use covenant_constraints::solver::Steps;
use std::rc::Rc;

use covenant_constraints::analysis::Facts;
use covenant_constraints::solver::{Answer, Query, Solver};
use covenant_constraints::tuning::Tuning;
use covenant_constraints::{Evaluator, Model, Sort, TermId, Terms, VarId};
use rustc_hash::FxHashMap;

use super::shapes::{Shapes, is_alternative};

/// How much may be spent.
#[derive(Clone, Copy)]
pub struct Budget<'a> {
    /// Questions that reach the solver.
    pub queries: u64,
    /// For one question.
    pub steps: Steps,
    /// Whether it is time to stop.
    pub expired: &'a dyn Fn() -> bool,
    /// Numbers of the provers.
    pub tuning: &'a Tuning,
}

impl std::fmt::Debug for Budget<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Budget").field("queries", &self.queries).field("timeout", &self.steps).finish_non_exhaustive()
    }
}

/// Which conclusions follow from premises. All by index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Judgement {
    /// The premises that the conclusions which follow were drawn from.
    pub(super) used: Vec<usize>,
    /// The conclusions that may be false.
    pub(super) failed: Vec<usize>,
}

pub(super) struct Oracle<'a> {
    solver: &'a mut dyn Solver,
    budget: Budget<'a>,
    pub(super) asked: u64,
    /// Questions without an answer in time.
    timeouts: u32,
    /// By the premises and the conclusions, with a mark in between, over the names below.
    known: FxHashMap<Vec<TermId>, Rc<Judgement>>,
    /// The n-th variable of a question, by n and sort.
    names: FxHashMap<(usize, Sort), VarId>,
}

enum Verdict {
    Possible(Model),
    /// Indices of conditions that cannot hold together.
    Impossible(Vec<usize>),
    Unknown,
}

impl<'a> Oracle<'a> {
    pub(super) fn new(solver: &'a mut dyn Solver, budget: Budget<'a>) -> Oracle<'a> {
        Oracle { solver, budget, asked: 0, timeouts: 0, known: FxHashMap::default(), names: FxHashMap::default() }
    }

    pub(super) fn tuning(&self) -> &'a Tuning {
        self.budget.tuning
    }

    pub(super) fn exhausted(&self) -> bool {
        self.asked >= self.budget.queries || (self.budget.expired)()
    }

    pub(super) fn expired(&self) -> bool {
        (self.budget.expired)()
    }

    /// Which of the conclusions follow from the premises.
    pub(super) fn judge(
        &mut self,
        terms: &mut Terms,
        shapes: &mut Shapes,
        premises: &[TermId],
        conclusions: &[TermId],
    ) -> Rc<Judgement> {
        let all = premises.iter().chain(conclusions);
        let total: usize = all.clone().map(|c| shapes.of(terms, *c).size).sum();
        let renamed: Vec<TermId> = if total > self.budget.tuning.oracle_renamed {
            all.copied().collect()
        } else {
            let all: Vec<TermId> = all.copied().collect();
            self.rename(terms, shapes, &all)
        };
        let (premises, conclusions) = renamed.split_at(premises.len());
        let mut key = premises.to_vec();
        key.push(terms.ff());
        key.extend_from_slice(conclusions);
        if let Some(known) = self.known.get(&key) {
            return Rc::clone(known);
        }
        let mut judgement = Judgement::default();
        let open = by_ranges(terms, premises, conclusions, &mut judgement, self.budget.tuning);
        let question = Question { premises, conclusions, indices: None, weakened: false };
        self.by_solver(terms, shapes, &question, open, &mut judgement);
        judgement.used.sort_unstable();
        judgement.used.dedup();
        judgement.failed.sort_unstable();
        let judgement = Rc::new(judgement);
        self.known.insert(key, Rc::clone(&judgement));
        judgement
    }

    /// The terms with their variables called by number.
    fn rename(&mut self, terms: &mut Terms, shapes: &mut Shapes, all: &[TermId]) -> Vec<TermId> {
        let mut vars: Vec<VarId> = Vec::new();
        for t in all {
            vars.extend_from_slice(&shapes.of(terms, *t).vars);
        }
        vars.sort_unstable();
        vars.dedup();
        let mut map: FxHashMap<TermId, TermId> = FxHashMap::default();
        for (i, var) in vars.into_iter().enumerate() {
            let sort = terms.var_sort(var);
            let name = *self.names.entry((i, sort)).or_insert_with(|| terms.var(format!("q{i}"), sort));
            map.insert(terms.var_term(var), terms.var_term(name));
        }
        let mut memo = FxHashMap::default();
        all.iter().map(|t| terms.substitute_with(*t, &map, &mut memo)).collect()
    }

    /// Asks for a state in which one of the open conclusions is false, until there is none.
    fn by_solver(
        &mut self,
        terms: &mut Terms,
        shapes: &mut Shapes,
        question: &Question<'_>,
        mut open: Vec<usize>,
        judgement: &mut Judgement,
    ) {
        while !open.is_empty() {
            let all = terms.and_all(open.iter().map(|i| question.conclusions[*i]));
            let some_fails = terms.not(all);
            match self.ask(terms, shapes, question.premises, some_fails, open.len() > 1) {
                Verdict::Impossible(used) => {
                    judgement.used.extend(used.into_iter().map(|i| question.index(i)));
                    return;
                }
                Verdict::Possible(model) => {
                    let mut evaluator = Evaluator::new(terms, &model);
                    let (still, failed): (Vec<usize>, Vec<usize>) =
                        open.iter().partition(|i| evaluator.eval(question.conclusions[**i]).is_true());
                    // A model of the question makes one false; without that nothing can be concluded from it.
                    open = if failed.is_empty() { Vec::new() } else { still.clone() };
                    judgement.failed.extend(if failed.is_empty() { still } else { failed });
                }
                Verdict::Unknown if self.exhausted() => judgement.failed.append(&mut open),
                Verdict::Unknown => return self.one_by_one(terms, shapes, question, open, judgement),
            }
        }
    }

    /// What is hard must not take the rest with it: the easy conclusions from the easy premises alone, the hard ones each
    /// by itself.
    fn one_by_one(
        &mut self,
        terms: &mut Terms,
        shapes: &mut Shapes,
        question: &Question<'_>,
        open: Vec<usize>,
        judgement: &mut Judgement,
    ) {
        let single = open.len() == 1;
        let (hard, mut easy): (Vec<usize>, Vec<usize>) =
            open.into_iter().partition(|i| shapes.of(terms, question.conclusions[*i]).hard);
        if !question.weakened && !easy.is_empty() {
            let kept: Vec<usize> =
                (0..question.premises.len()).filter(|i| !shapes.of(terms, question.premises[*i]).hard).collect();
            if kept.len() < question.premises.len() || !hard.is_empty() {
                let premises: Vec<TermId> = kept.iter().map(|i| question.premises[*i]).collect();
                let weaker = Question { premises: &premises, indices: Some(&kept), weakened: true, ..*question };
                self.by_solver(terms, shapes, &weaker, std::mem::take(&mut easy), judgement);
            }
        }
        if single {
            judgement.failed.extend(easy.into_iter().chain(hard));
            return;
        }
        for one in hard {
            self.by_solver(terms, shapes, question, vec![one], judgement);
        }
        if !easy.is_empty() {
            let half = easy.split_off(easy.len() / 2);
            for part in [easy, half].into_iter().filter(|p| !p.is_empty()) {
                self.by_solver(terms, shapes, question, part, judgement);
            }
        }
    }

    /// A question about several conclusions at once is not worth as much time as one about the last of them.
    fn ask(&mut self, terms: &mut Terms, shapes: &mut Shapes, path: &[TermId], goal: TermId, several: bool) -> Verdict {
        let mut all = path.iter().chain([&goal]);
        let tuning = self.budget.tuning;
        if self.exhausted() || (self.timeouts >= tuning.oracle_unanswered && all.any(|t| shapes.of(terms, *t).hard)) {
            return Verdict::Unknown;
        }
        self.asked += 1;
        let steps = self.budget.steps / if several { tuning.oracle_several } else { 1 };
        match self.solver.solve(terms, &Query { path, goal, steps, hint: None }) {
            Answer::Sat(model) => Verdict::Possible(model),
            Answer::Unsat(core) => Verdict::Impossible(core.path),
            Answer::Unknown(_) => {
                self.timeouts += 1;
                Verdict::Unknown
            }
        }
    }
}

/// Which of the conclusions follow from the premises?
#[derive(Clone, Copy)]
struct Question<'a> {
    premises: &'a [TermId],
    conclusions: &'a [TermId],
    /// Where the premises are among all that were given, if some are left out.
    indices: Option<&'a [usize]>,
    weakened: bool,
}

impl Question<'_> {
    fn index(&self, i: usize) -> usize {
        self.indices.map_or(i, |all| all[i])
    }
}

/// The conclusions that ranges do not prove.
fn by_ranges(
    terms: &Terms,
    premises: &[TermId],
    conclusions: &[TermId],
    judgement: &mut Judgement,
    tuning: &Tuning,
) -> Vec<usize> {
    let mut facts = Facts::new(tuning);
    for (i, premise) in premises.iter().enumerate() {
        // Alternatives say nothing of ranges.
        if !is_alternative(terms, *premise)
            && let Err(contradiction) = facts.assume(terms, *premise, i)
        {
            judgement.used.extend(contradiction.0);
            return Vec::new();
        }
    }
    let mut open = Vec::new();
    for (i, conclusion) in conclusions.iter().enumerate() {
        match facts.decide(terms, *conclusion) {
            Some((true, used)) => judgement.used.extend(used),
            _ => open.push(i),
        }
    }
    open
}
