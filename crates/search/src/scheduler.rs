//! Whose turn it is.
//!
//! Direct flips and bounded queries with small questions come first: they are sure to gain something, or cheap. What they do
//! not find, path search reaches cheaply; what it does not reach, refinement finds or proves. So path search comes
//! first, and small programs never need more. Each side has its turn as long as it gets somewhere: a turn ends when it was in
//! vain for a while, and it goes to the other side, or when it was long; then whoever decided more objectives for its work
//! goes on. In vain, each may take as much work as the other did last, and more each time as long as neither gets anywhere.
//!
//! The provers stand beside refinement and cost most. They are asked once path search has been in vain for a while, or as soon
//! as questions about paths are hard; the first time only for what is easily proved. Larger bounded queries come in while
//! path search is in vain.
//!
//! A plain strategy has path search alone, and its turn never ends. All is counted in work (see [`Lab::work`]), nothing is timed.

use std::rc::Rc;

use covenant_constraints::Model;
use covenant_goals::{Contradiction, ObjectiveId, Status, TestCase};

use crate::lab::{Budget, Lab, Others, Tactic, Turn};
use crate::rates::{Rates, Side};
use crate::tactics::bounded::BoundedQuery;
use crate::tactics::fuzzing::Fuzzing;
use crate::tactics::paths::PathSearch;
use crate::tactics::proofs::Proofs;
use crate::tactics::refinement::Abstraction;

/// The tactics, and how they did.
#[derive(Debug)]
pub(crate) struct Scheduler {
    /// What every strategy has.
    pub(crate) paths: PathSearch,
    /// What needs the transition system, if there is one.
    pub(crate) model: Option<ModelTactics>,
    /// What goes by chance, unless the strategy or the user leaves it out.
    fuzzing: Option<Fuzzing>,
    /// Rounds of refinement since the last verdict.
    quiet: u32,
    /// What path search tried in vain since something was decided, in turns that are over.
    in_vain: u64,
    /// The provers had a first look at what is open.
    looked: bool,
    /// Refinement has no frontier to try.
    idle: bool,
    /// What provers took so far, and what they took when they were asked last.
    proving: (u64, u64),
    /// Searches with larger objects, if there are some.
    pub(crate) aside: Option<Aside>,
}

/// Searches with larger objects than ours, in between. They have their turn when path search was in vain for a whole turn of its own,
/// which takes at least as long as all before; together they may take as much work as was done so far. So neither side has much less
/// than half.
#[derive(Debug)]
pub(crate) struct Aside {
    look: fn(&mut Lab<'_>, usize, u64) -> Result<(), Contradiction>,
    /// How often that was done.
    looks: usize,
}

impl Aside {
    /// `look` is told how many sizes to try, and how much work each may take.
    pub(crate) fn new(look: fn(&mut Lab<'_>, usize, u64) -> Result<(), Contradiction>) -> Aside {
        Aside { look, looks: 0 }
    }

    /// Looks aside where something is open that may need it: one more size each time.
    fn turn(&mut self, lab: &mut Lab<'_>) -> Result<(), Contradiction> {
        let open: Vec<ObjectiveId> = lab.ledger.open().collect();
        if !lab.limits.has_size() || lab.limited(&open).is_empty() {
            return Ok(());
        }
        self.looks += 1;
        let sizes = self.looks.min(lab.settings.larger.len());
        (self.look)(lab, sizes, lab.work() / sizes.max(1) as u64)
    }
}

/// The tactics that look at the transition system.
#[derive(Debug)]
pub(crate) struct ModelTactics {
    bounded: BoundedQuery,
    /// The abstraction that is refined.
    pub(crate) refinement: Abstraction,
    proofs: Proofs,
}

impl Scheduler {
    /// The tactics that the strategy asks for and the program allows.
    pub(crate) fn new(lab: &mut Lab<'_>) -> Result<Scheduler, Contradiction> {
        let mut paths = PathSearch::new(lab);
        look_before(lab, &mut paths)?;
        if lab.is_over().is_none() {
            lab.build_system();
        }
        let model = lab.system.flow.as_ref().map(|flow| ModelTactics {
            bounded: BoundedQuery::new(lab, flow),
            refinement: Abstraction::new(lab, flow),
            proofs: Proofs::new(flow),
        });
        let fuzzing = (lab.settings.strategy.model && lab.settings.fuzzes).then(|| Fuzzing::new(lab));
        Ok(Scheduler {
            paths,
            model,
            fuzzing,
            quiet: 0,
            in_vain: 0,
            looked: false,
            idle: false,
            proving: (0, 0),
            aside: None,
        })
    }

    /// Runs the program on the inputs of tests that are there.
    pub(crate) fn start_from(&mut self, lab: &mut Lab<'_>, tests: &[TestCase]) -> Result<(), Contradiction> {
        let mut others = others(&mut self.model);
        lab.start_from(tests, &mut self.paths, &mut others)
    }

    /// Gives turns until every objective is decided, nothing is left to try, or the campaign ends for another reason.
    pub(crate) fn search(&mut self, lab: &mut Lab<'_>) -> Result<Status, Contradiction> {
        if let Some(model) = &mut self.model {
            model.refinement.show_first(lab);
        }
        lab.explore(&mut self.paths, &mut others(&mut self.model), Rc::new(Model::new()), None)?;
        if let Some(model) = &mut self.model {
            model.refinement.begin(lab)?;
            return self.search_by_turns(lab);
        }
        loop {
            if let Some(status) = self.search_paths(lab, u64::MAX, u64::MAX, false)? {
                return Ok(status);
            }
        }
    }

    fn search_by_turns(&mut self, lab: &mut Lab<'_>) -> Result<Status, Contradiction> {
        let tuning = lab.tuning();
        let (mut most, mut vain) = (tuning.turns_work_in_vain, 0u32);
        let (mut side, mut rates) = (Side::Paths, Rates::default());
        if let Some(status) = self.search_ahead(lab)? {
            return Ok(status);
        }
        loop {
            let (start, before) = (lab.work(), lab.ledger.decided());
            let labels = side == Side::Paths && lab.known.labels && self.looks_for_labels(lab);
            let looks = self.model.as_ref().map_or(0, |model| model.proofs.looks_at_labels());
            let long = (tuning.turns_long * most) << looks.min(tuning.turns_most_rounds);
            let ended = match side {
                Side::Paths if labels => self.search_paths(lab, most / tuning.turns_labels_first, long, false)?,
                Side::Paths => self.search_paths(lab, most, tuning.turns_long * most.max(start), vain == 0)?,
                Side::Model => self.search_model(lab, most)?,
            };
            if ended == Some(Status::Complete) {
                self.paths.close_paths(lab)?;
            }
            match ended {
                // Labels that are plainly impossible are in the way of others.
                None if labels => {
                    let in_vain = lab.ledger.decided() == before;
                    self.prove_labels(lab, in_vain || lab.open() <= tuning.turns_few_open)?;
                    continue;
                }
                // Long runs or hard questions left holes; what lies there can only be proved.
                Some(Status::Complete) if has_holes(lab) => return self.search_model_alone(lab),
                Some(Status::Complete) => {
                    self.look_for_certificates(lab)?;
                    return Ok(Status::Complete);
                }
                Some(status) => return Ok(status),
                None => {}
            }
            let (gain, work) = ((lab.ledger.decided() - before) as u64, lab.work() - start);
            tracing::info!(target: "turn", ?side, gain, work, open = lab.open(), "over");
            rates.set(side, gain, work.max(1));
            side = rates.next(side);
            if gain > 0 {
                (most, vain, self.quiet) = (tuning.turns_work_in_vain, 0, 0);
                continue;
            }
            vain += 1;
            most = work.clamp(most, tuning.turns_most_work);
            if vain.is_multiple_of(2) {
                most = (2 * most).min(tuning.turns_most_work);
                lab.wait_longer(&mut self.paths, &mut others(&mut self.model))?;
                self.paths.go_deeper(lab);
            }
        }
    }

    /// Paths were in vain for so much work: inputs of chance, as long as they get somewhere. `Some`: the campaign ends.
    fn fuzz(&mut self, lab: &mut Lab<'_>, work: u64) -> Result<Option<Status>, Contradiction> {
        let Some(fuzzing) = &mut self.fuzzing else { return Ok(None) };
        let begin = lab.ledger.decided();
        loop {
            let (start, before) = (lab.work(), lab.ledger.decided());
            let mut others = others(&mut self.model);
            others.push(&mut self.paths);
            let budget = Budget { work: work >> fuzzing.shyness, ..Budget::ALL };
            let turn = fuzzing.turn(lab, &mut others, budget)?;
            tracing::info!(target: "fuzz", gain = lab.ledger.decided() - before, work = lab.work() - start, "over");
            match turn {
                Turn::Over(status) => return Ok(Some(status)),
                Turn::More if lab.ledger.decided() > before => {}
                _ => break,
            }
        }
        let in_vain = lab.ledger.decided() == begin;
        let tuning = lab.tuning();
        let most = if lab.is_given_process() { tuning.fuzz_program_shyness } else { tuning.fuzz_most_shyness };
        fuzzing.shyness = if in_vain { (fuzzing.shyness + 1).min(most) } else { 0 };
        Ok(lab.is_over())
    }

    /// What is sure to gain something, and bounded queries as long as questions are small. `Some`: the campaign ends.
    fn search_ahead(&mut self, lab: &mut Lab<'_>) -> Result<Option<Status>, Contradiction> {
        let Some(model) = &mut self.model else { return Ok(None) };
        model.bounded.begin(lab);
        let mut asked = false;
        while model.bounded.is_worth_it(lab) {
            asked = true;
            let ModelTactics { bounded, refinement, proofs } = model;
            let mut others: Others<'_> = vec![bounded, refinement, proofs];
            if let Turn::Over(status) = self.paths.turn(lab, &mut others, Budget::HASTY)? {
                return Ok(Some(status));
            }
            let ModelTactics { bounded, refinement, proofs } = model;
            let mut others: Others<'_> = vec![&mut self.paths, refinement, proofs];
            if let Turn::Over(status) = bounded.turn(lab, &mut others, Budget::HASTY)? {
                return Ok(Some(status));
            }
        }
        if !asked {
            return Ok(None);
        }
        // Without loops paths come to an end soon.
        if lab.known.bounded && lab.known.loops && lab.open() <= lab.tuning().bounded_few_open {
            model.proofs.turn(lab, &mut Vec::new(), Budget::HASTY)?;
        }
        Ok(lab.is_over())
    }

    /// Path search for so much work in vain, but at least for as much as there was before, and for so much in all, with
    /// larger bounded queries when they are due. `patient`: for longer where few branches are open or paths come to an end.
    /// `Some`: the campaign ends, or no way is left.
    fn search_paths(
        &mut self,
        lab: &mut Lab<'_>,
        vain: u64,
        most: u64,
        patient: bool,
    ) -> Result<Option<Status>, Contradiction> {
        let mut begin = lab.work();
        let (mut start, mut decided) = (begin, lab.ledger.decided());
        // Since then nobody tried inputs of chance.
        let (mut by_rule, often) = (begin, lab.tuning().turns_work_in_vain);
        let mut last = lab.stats.iterations;
        let was_hard = lab.known.hard || lab.known.labels;
        loop {
            let longer = if patient { how_much_longer(lab) } else { 1 };
            let in_vain = start.saturating_add(vain.saturating_mul(longer).max(start));
            let in_all = begin.saturating_add(most.saturating_mul(longer));
            let wait = self.model.as_ref().map_or(u64::MAX, |model| model.bounded.patience());
            let soon = if self.fuzzing.is_some() { by_rule.saturating_add(often) } else { u64::MAX };
            let budget = Budget {
                work: in_vain.min(in_all).min(soon).saturating_sub(lab.work()),
                tries: wait.saturating_sub(lab.stats.iterations - last),
                hasty: false,
            };
            match self.paths.turn(lab, &mut others(&mut self.model), budget)? {
                Turn::Over(status) => return Ok(Some(status)),
                Turn::Idle => return Ok(Some(Status::Complete)),
                Turn::More => {}
            }
            let now = lab.work();
            if lab.ledger.decided() != decided {
                (start, by_rule, decided) = (now, now, lab.ledger.decided());
                (self.in_vain, last) = (0, lab.stats.iterations);
            } else if self.fuzzing.is_some() && now - by_rule >= often {
                if let Some(status) = self.fuzz(lab, now - by_rule)? {
                    return Ok(Some(status));
                }
                // What that took is not what paths took.
                by_rule = lab.work();
                (start, begin) = (start + by_rule - now, begin + by_rule - now);
                continue;
            } else if let Some(ModelTactics { bounded, refinement, proofs }) = &mut self.model
                && lab.stats.iterations - last >= bounded.patience()
            {
                let mut others: Others<'_> = vec![&mut self.paths, refinement, proofs];
                if let Turn::Over(status) = bounded.turn(lab, &mut others, Budget::STEP)? {
                    return Ok(Some(status));
                }
            }
            let longer = if patient { how_much_longer(lab) } else { 1 };
            let in_vain = now - start >= vain.saturating_mul(longer).max(start);
            let long = now - begin >= most.saturating_mul(longer);
            // The first hard question: the other side has been held back, as long as paths were cheap.
            let hard = self.model.is_some() && lab.known.hard && !was_hard;
            if in_vain || long || hard {
                self.in_vain += now - start;
                if let Some(aside) = self.aside.as_mut().filter(|_| in_vain) {
                    aside.turn(lab)?;
                }
                return Ok(lab.is_over());
            }
        }
    }

    /// Rounds of refinement until it has nothing to do, or for so much work in vain, with provers when they are due.
    /// `Some`: the campaign ends.
    fn search_model(&mut self, lab: &mut Lab<'_>, most: u64) -> Result<Option<Status>, Contradiction> {
        let mut start = lab.work();
        loop {
            let before = lab.ledger.decided();
            let Some(ModelTactics { bounded, refinement, proofs }) = &mut self.model else { return Ok(None) };
            let mut others: Others<'_> = vec![&mut self.paths, bounded, proofs];
            let turn = refinement.turn(lab, &mut others, Budget::STEP)?;
            if let Turn::Over(status) = turn {
                return Ok(Some(status));
            }
            self.idle = turn == Turn::Idle;
            self.quiet = if lab.ledger.decided() == before { self.quiet + 1 } else { 0 };
            let few = lab.tuning().turns_few_quiet_rounds << (2 * proofs.looks_at_all_labels());
            if self.quiet >= few || self.idle {
                self.prove_labels(lab, true)?;
            }
            if self.quiet == 0 {
                (start, self.in_vain) = (lab.work(), 0);
            }
            self.ask_provers(lab, lab.work() - start >= most)?;
            if self.idle || lab.work() - start >= most {
                return Ok(None);
            }
        }
    }

    fn prove_labels(&mut self, lab: &mut Lab<'_>, all: bool) -> Result<(), Contradiction> {
        // To look for a test of another size takes less than to look for a proof that there is none.
        if let Some(aside) = self.aside.as_mut().filter(|aside| aside.looks == 0) {
            aside.turn(lab)?;
        }
        let model = self.model.as_mut().filter(|_| lab.is_over().is_none());
        model.map_or(Ok(()), |model| model.proofs.prove_labels(lab, all))
    }

    /// Asks the provers if it is time to. `enough`: the turn of refinement is over.
    fn ask_provers(&mut self, lab: &mut Lab<'_>, enough: bool) -> Result<(), Contradiction> {
        let asks_early = self.asks_early(lab);
        let Some(model) = &mut self.model else { return Ok(()) };
        let effort = lab.known.effort;
        let long = model.refinement.size().predicate_peak > lab.tuning().turns_long_predicate;
        let rounds = self.quiet >= lab.tuning().turns_quiet_rounds << (2 * effort);
        let due = rounds || effort == 0 && (long || lab.known.hard);
        let early = effort == 0 && (self.idle || enough) && asks_early;
        if !due && !early || !self.is_their_turn(lab) {
            return Ok(());
        }
        let Some(model) = &mut self.model else { return Ok(()) };
        let start = lab.work();
        let open: Vec<ObjectiveId> = lab.ledger.open().collect();
        // What is easily proved is at once; before much is tried for the rest, paths have another turn.
        let hasty = !due && !lab.known.labels && !std::mem::replace(&mut self.looked, true);
        model.proofs.turn(lab, &mut Vec::new(), if hasty { Budget::HASTY } else { Budget::STEP })?;
        let work = lab.work() - start;
        self.proving = (self.proving.0 + work, work);
        let refuted: Vec<ObjectiveId> = open.into_iter().filter(|&id| !lab.ledger.is_open(id)).collect();
        if !refuted.is_empty() {
            model.refinement.show_refuted(lab, &refuted);
        }
        Ok(())
    }

    /// All paths are known, so that what is open is infeasible; where others cannot check that, a proof is better still.
    fn look_for_certificates(&mut self, lab: &mut Lab<'_>) -> Result<(), Contradiction> {
        let open = lab.open() as u64;
        let certified = self.paths.can_tell_paths(lab) && lab.ledger.open().all(|id| self.paths.is_exhausted(lab, id));
        // Who was asked before would be asked for more than this is worth.
        if !certified && lab.known.effort == 0 {
            let before = lab.questions();
            if let Some(model) = &mut self.model {
                model.proofs.turn(lab, &mut Vec::new(), Budget::STEP)?;
            }
            self.search_model(lab, lab.tuning().turns_work_in_vain * open)?;
            lab.stats.certificate_calls = lab.questions() - before;
        }
        Ok(())
    }

    fn looks_for_labels(&self, lab: &Lab<'_>) -> bool {
        self.model.as_ref().is_some_and(|ModelTactics { proofs, .. }| {
            proofs.may_look_at_labels(lab) && proofs.looks_at_labels() < lab.tuning().turns_most_rounds
        })
    }

    /// Where a whole program reads its inputs there is always another path, and provers take more each time that they are asked: they
    /// have as much as all others had, with what they are about to take.
    fn is_their_turn(&self, lab: &Lab<'_>) -> bool {
        let (all, last) = self.proving;
        let alone = self.in_vain == u64::MAX;
        alone || !lab.is_given_process() || all + 2 * last <= lab.work() - all
    }

    /// Whether the provers are asked when refinement has nothing to do, or its turn is over, before it has had all its
    /// rounds.
    fn asks_early(&self, lab: &Lab<'_>) -> bool {
        let tuning = lab.tuning();
        let paths_first = self.in_vain < tuning.turns_before_provers && !lab.known.labels;
        let in_vain = self.quiet >= tuning.turns_early_rounds || self.quiet > 0 && lab.work() >= tuning.turns_much_work;
        !paths_first && (self.idle || in_vain && lab.open() <= tuning.turns_few_open)
    }

    /// No way is left: rounds of refinement until it has nothing to do either.
    fn search_model_alone(&mut self, lab: &mut Lab<'_>) -> Result<Status, Contradiction> {
        (self.in_vain, self.looked) = (u64::MAX, true);
        loop {
            if let Some(status) = self.search_model(lab, u64::MAX)? {
                return Ok(status);
            }
            if self.idle {
                return Ok(Status::Complete);
            }
        }
    }
}

/// A large program is run once before anybody makes a model of it: that may take longer than the time that there is. Only if the run is
/// short: it is the model that knows where a run goes round.
fn look_before(lab: &mut Lab<'_>, paths: &mut PathSearch) -> Result<(), Contradiction> {
    let inputs = Rc::new(Model::new());
    if !lab.has_large_model() || !lab.is_short(&inputs) {
        return Ok(());
    }
    lab.explore(paths, &mut Vec::new(), inputs, None)
}

/// All but path search.
fn others(model: &mut Option<ModelTactics>) -> Others<'_> {
    match model {
        Some(ModelTactics { bounded, refinement, proofs }) => vec![bounded, refinement, proofs],
        None => Vec::new(),
    }
}

/// How much longer paths may try in vain now. Where questions are hard there are no paths that are cheap.
fn how_much_longer(lab: &Lab<'_>) -> u64 {
    let tuning = lab.tuning();
    match lab.open() {
        _ if lab.known.hard || lab.known.labels => 1,
        _ if !lab.known.loops => tuning.turns_without_loops,
        _ if lab.known.bounded => tuning.turns_bounded,
        open if open <= tuning.turns_few_branches => tuning.turns_patience,
        _ => 1,
    }
}

/// Whether open objectives are left of which paths say nothing.
fn has_holes(lab: &Lab<'_>) -> bool {
    let open: Vec<ObjectiveId> = lab.ledger.open().collect();
    let paths_tell = lab.gaps.is_empty() && lab.tree.unknown().next().is_none();
    !open.is_empty() && (!paths_tell || !lab.limited(&open).is_empty())
}
