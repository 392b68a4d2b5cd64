//! Bounded queries: one question about all ways at once, where no single decision is sure to gain something.
//!
//! Direct flips are sure to gain and cheap, so they come first. What is still open then is asked for with loops unwound a few
//! times, then further, as long as the questions are small. Larger ones wait until path search has been in vain for a
//! while, and each time for longer. Where a query left nothing out and the solver knows no way, paths come to an end,
//! which path search and the provers may go by.

use std::rc::Rc;

use covenant_concolic::run::Run;
use covenant_constraints::solver::Answer;
use covenant_constraints::tuning::Tuning;
use covenant_constraints::{Model, Op, Sort, TermId, Terms};
use covenant_goals::{Contradiction, ObjectiveId};
use covenant_transition::flow::{Flow, LocationId};
use covenant_transition::trace::{Questions, Visitor};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::bounded::{self, Encoder, Encoding, Plan};
use crate::lab::{Budget, Lab, Others, Tactic, Turn};

/// What bounded queries came to so far.
#[derive(Debug)]
pub(crate) struct BoundedQuery {
    flow: Rc<Flow>,
    /// How far the next one unwinds each loop.
    unwinding: u32,
    /// The weight of questions that are asked.
    largest: usize,
    /// Whether only small questions are asked.
    early: bool,
    /// There is nothing more to try.
    over: bool,
    /// Some question of the last one was too large.
    too_large: bool,
    unanswered: u32,
    /// The next one comes after so many flips in vain.
    wait: u64,
    /// Objectives that the solver knew no way to, and what it was asked.
    asked: FxHashMap<ObjectiveId, TermId>,
    /// Queries in a row that found ways to nothing though they came to all that was open.
    fruitless: usize,
}

/// What a query asks for.
struct Target {
    objective: ObjectiveId,
    /// On the inputs.
    condition: TermId,
    /// How hard the question is.
    size: usize,
}

impl Tactic for BoundedQuery {
    /// One query. In haste, only small questions are asked.
    fn turn(&mut self, lab: &mut Lab<'_>, others: &mut Others<'_>, budget: Budget) -> Result<Turn, Contradiction> {
        if self.early && !budget.hasty {
            self.early = false;
            (self.unwinding, self.largest) = (lab.tuning().bounded_late_unwinding, lab.tuning().bounded_large);
        }
        let covered = lab.ledger.counts().0;
        self.too_large = !self.query(lab, others)?;
        if !self.early && lab.ledger.counts().0 == covered {
            self.wait *= 2;
        }
        Ok(match lab.is_over() {
            Some(status) => Turn::Over(status),
            None => Turn::More,
        })
    }
}

impl BoundedQuery {
    /// Which queries are worth it is known once the program was run.
    pub(crate) fn new(lab: &Lab<'_>, flow: &Rc<Flow>) -> BoundedQuery {
        let tuning = lab.tuning();
        BoundedQuery {
            flow: Rc::clone(flow),
            unwinding: tuning.bounded_first_unwinding,
            largest: tuning.bounded_small,
            early: true,
            over: false,
            too_large: false,
            unanswered: 0,
            wait: tuning.bounded_first_wait,
            asked: FxHashMap::default(),
            fruitless: 0,
        }
    }

    /// Sees whether queries are worth it at all: not in large programs, not with many objectives, and not where somebody
    /// guides the search and knows better which ways matter.
    pub(crate) fn begin(&mut self, lab: &Lab<'_>) {
        let guided = lab.is_guided() || lab.settings.loop_bound.is_some();
        let many =
            self.flow.edges.len() > lab.tuning().bounded_most_edges || lab.open() > lab.tuning().bounded_most_open;
        self.over = many || lab.known.labels || guided;
    }

    /// Whether another query with small questions may find something.
    pub(crate) fn is_worth_it(&self, lab: &Lab<'_>) -> bool {
        let more = self.fruitless == 0 || self.fruitless == 1 && lab.open() <= lab.tuning().bounded_few_open;
        !self.too_large && !self.over && self.unwinding <= lab.tuning().bounded_early_unwinding && more
    }

    /// Flips that path search may try in vain before larger questions are asked.
    pub(crate) fn patience(&self) -> u64 {
        if self.over { u64::MAX } else { self.wait }
    }

    /// A query, and a run for each open objective that it finds a way to. Whether no question was too large.
    fn query(&mut self, lab: &mut Lab<'_>, others: &mut Others<'_>) -> Result<bool, Contradiction> {
        let Some((run, encoding, targets)) = self.encode_far(lab) else {
            return Ok(false);
        };
        let path: Vec<TermId> = run.events[..encoding.events].iter().map(|event| event.constraint).collect();
        let (mut all, mut size) = (true, 0);
        let (most, unanswered) = if self.largest == lab.tuning().bounded_small {
            (u64::MAX, lab.tuning().bounded_first_unanswered)
        } else {
            (lab.tuning().bounded_weight_per_flip * self.wait, lab.tuning().bounded_most_unanswered)
        };
        let covered = lab.ledger.counts().0;
        for target in targets {
            if self.unanswered >= unanswered || lab.is_over().is_some() {
                all = false;
                break;
            }
            if !lab.ledger.is_open(target.objective) {
                continue;
            }
            size += target.size;
            if target.size > self.largest || size as u64 > most {
                all = false;
                break;
            }
            match self.ask(lab, &path, target.condition, &run.inputs) {
                Some(inputs) => lab.explore(self, others, Rc::new(inputs), None)?,
                None => {
                    self.asked.insert(target.objective, target.condition);
                }
            }
        }
        let gained = lab.ledger.counts().0 > covered;
        tracing::debug!(target: "bounded", unwinding = self.unwinding, size, gained, all, "asked");
        let unseen = lab.ledger.open().any(|id| !self.asked.contains_key(&id));
        self.fruitless = if gained || unseen { 0 } else { self.fruitless + 1 };
        let asked = all && self.unanswered == 0;
        let whole =
            asked && encoding.whole && encoding.cut.is_none_or(|cut| self.is_excluded(lab, &path, cut, &run.inputs));
        if all || self.largest == lab.tuning().bounded_small {
            self.unwinding *= 2;
        }
        lab.known.bounded = whole;
        self.over = whole
            || self.unanswered >= lab.tuning().bounded_most_unanswered
            || self.unwinding > lab.tuning().bounded_most_unwinding;
        Ok(all)
    }

    /// Unwinds loops as far as questions stay small: a query that unwinds them less is part of this one, and would be in vain.
    fn encode_far(&mut self, lab: &mut Lab<'_>) -> Option<(Run, Encoding, Vec<Target>)> {
        let (mut run, mut encoding) = self.encode(lab)?;
        let mut targets = self.targets(lab, &encoding);
        while self.largest == lab.tuning().bounded_small
            && encoding.cut.is_some()
            && self.unwinding < lab.tuning().bounded_early_unwinding
        {
            self.unwinding *= 2;
            let further = self.encode(lab).and_then(|(run, further)| {
                // Where values are lost on long ways, those of short ones may be lost with them.
                let all = further.reached.len() >= encoding.reached.len() && further.whole >= encoding.whole;
                let targets = if all { self.targets(lab, &further) } else { return None };
                targets
                    .iter()
                    .all(|target| target.size <= lab.tuning().bounded_small)
                    .then_some((run, further, targets))
            });
            let Some(further) = further else {
                self.unwinding /= 2;
                break;
            };
            (run, encoding, targets) = further;
        }
        Some((run, encoding, targets))
    }

    /// Follows a run to where the function under test begins, and goes through the flow from there.
    fn encode(&self, lab: &mut Lab<'_>) -> Option<(Run, Encoding)> {
        let runs = &lab.system.runs;
        let (first, last) = (Rc::clone(runs.first()?), Rc::clone(runs.last()?));
        let flow = &self.flow;
        let open = lab.ledger.open().flat_map(|id| flow.target(id).locations.iter().copied());
        let targets: FxHashSet<LocationId> = open.collect();
        let starts = bounded::starts(flow);
        if targets.is_empty() || starts.is_empty() {
            return None;
        }
        let plan = Plan::new(flow, &lab.cx.terms, starts, targets, (self.unwinding, *lab.tuning()));
        let encoder = Rc::new(Encoder::new(plan));
        let visitor: Rc<dyn Visitor> = Rc::clone(&encoder) as _;
        let questions = Questions { visitor: Some(visitor), stop: true, ..Questions::default() };
        // The first may end before: its inputs are not what the user assumes.
        for inputs in [first, last] {
            let (run, _) = lab.follow(inputs, flow, &questions);
            if let Some(encoding) = encoder.take() {
                lab.add_work(lab.tuning().bounded_work_per_step * encoding.steps as u64);
                return Some((run, encoding));
            }
        }
        None
    }

    /// The open objectives that the encoding comes to and that were not asked for in vain, those with small questions first.
    fn targets(&self, lab: &mut Lab<'_>, encoding: &Encoding) -> Vec<Target> {
        let mut found = Vec::new();
        // Without loops, what was tried in vain is for paths, which come to an end.
        let tried = if lab.known.loops { FxHashSet::default() } else { failed(lab) };
        for objective in lab.ledger.open().filter(|id| !tried.contains(id)) {
            let at = &self.flow.target(objective).locations;
            let conditions = encoding.reached.iter().filter(|(location, _)| at.contains(location)).map(|&(_, c)| c);
            let condition = lab.cx.terms.or_all(conditions);
            let asked = self.asked.get(&objective) == Some(&condition);
            if lab.cx.terms.as_bool(condition) != Some(false) && !asked {
                let size = weight(&lab.cx.terms, condition, lab.tuning());
                found.push(Target { objective, condition, size });
            }
        }
        found.sort_by_key(|target| target.size);
        found
    }

    /// Inputs that lead to a target.
    fn ask(&mut self, lab: &mut Lab<'_>, path: &[TermId], goal: TermId, hint: &Model) -> Option<Model> {
        lab.stats.iterations += 1;
        lab.stats.hopeful_flips += 1;
        match solve(lab, path, goal, hint) {
            Answer::Sat(model) => Some(lab.complete(model, path, goal, hint)),
            Answer::Unsat(_) => None,
            Answer::Unknown(_) => {
                self.unanswered += 1;
                None
            }
        }
    }

    fn is_excluded(&self, lab: &mut Lab<'_>, path: &[TermId], goal: TermId, hint: &Model) -> bool {
        weight(&lab.cx.terms, goal, lab.tuning()) <= self.largest && solve(lab, path, goal, hint).is_unsat()
    }
}

fn solve(lab: &mut Lab<'_>, path: &[TermId], goal: TermId, hint: &Model) -> Answer {
    let steps = lab.settings.solver_steps / lab.tuning().bounded_haste;
    lab.ask(path, goal, steps, Some(hint))
}

/// Objectives to which direct flips were tried that cannot be taken.
fn failed(lab: &Lab<'_>) -> FxHashSet<ObjectiveId> {
    let most = lab.tuning().paths_most_failed;
    let failed = lab.known.failed_flips.iter().filter(|(_, times)| **times >= most);
    failed.filter_map(|(edge, _)| lab.index.by_edge.get(edge)).flatten().copied().collect()
}

/// How hard a question is, without asking it: its terms, and what those are that solvers do not like.
fn weight(terms: &Terms, root: TermId, tuning: &Tuning) -> usize {
    let one = |term: TermId| {
        let is_const = |arg: TermId| terms.is_const(arg);
        match terms.op(term) {
            Op::Mul | Op::UDiv | Op::URem | Op::SDiv | Op::SRem if terms.node(term).args.iter().any(is_const) => {
                tuning.bounded_by_constant
            }
            Op::Mul | Op::UDiv | Op::URem | Op::SDiv | Op::SRem => tuning.bounded_by_any,
            _ if matches!(terms.sort(term), Sort::Float(_)) => tuning.bounded_float,
            _ => 1,
        }
    };
    terms.postorder(&[root]).into_iter().map(one).sum()
}
