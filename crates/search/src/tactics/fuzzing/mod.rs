//! Fuzzing: inputs of runs that are changed by chance.
//!
//! Path search knows why a run went as it did and pays for it. Where a loop reads a text, there are more paths than anybody can
//! ask a solver about, and most of them show nothing new. Runs without terms are cheap. So what runs had as inputs is changed
//! by chance, by words of the program above all, and run blindly; who comes somewhere new is run once more with all that a
//! run has, so that path search goes on from there. Nothing is claimed by a blind run.

mod mutate;
mod words;

use std::rc::Rc;

use covenant_concolic::run::Run;
use covenant_constraints::Model;
use covenant_constraints::random::Rng;
use covenant_goals::Contradiction;
use covenant_program::ir::{FuncId, Origin};
use rustc_hash::FxHashSet;

use crate::cfg::Edge;
use crate::lab::{Budget, Lab, Others, Tactic, Turn};
use mutate::{Mutator, Parent};
use words::Words;

/// Runs between two looks at whether the campaign is over.
const LOOK: u64 = 32; // not tuning: how soon an end is noticed

/// Changes inputs by chance.
#[derive(Debug)]
pub(crate) struct Fuzzing {
    mutator: Mutator,
    /// Inputs that came somewhere new, and those of paths.
    parents: Vec<Parent>,
    /// How many of the paths that the lab knows are among them.
    known: usize,
    /// Ways that blind runs took.
    seen: FxHashSet<Edge>,
    /// By how much less is spent now than at first: it doubles each time that all was in vain.
    pub(crate) shyness: u32,
}

impl Fuzzing {
    pub(crate) fn new(lab: &Lab<'_>) -> Fuzzing {
        let words = Words::of(lab.subject.image.program());
        Fuzzing {
            mutator: Mutator::new(Rng::new(lab.settings.seed), words),
            parents: Vec::new(),
            known: 0,
            seen: FxHashSet::default(),
            shyness: 0,
        }
    }

    /// What came to new paths since.
    fn take_up(&mut self, lab: &Lab<'_>) {
        for inputs in &lab.taken[self.known..] {
            self.parents.push(Parent::new(&lab.cx.terms, Rc::clone(inputs)));
        }
        self.known = lab.taken.len();
        let most = lab.tuning().fuzz_most_parents;
        if self.parents.len() > most {
            self.parents.drain(..self.parents.len() - most);
        }
    }

    /// Later ones came further: half of the time one of the last few.
    fn choose(&mut self) -> usize {
        let count = self.parents.len();
        let among = if self.mutator.rng.chance(50) { count.min(1 + count / 8) } else { count };
        count - 1 - self.mutator.rng.below(among)
    }

    /// The ways of a run that none took before, and whether one of them is the subject's own.
    fn news(&mut self, lab: &Lab<'_>, run: &Run) -> (bool, bool) {
        let (mut any, mut own) = (false, false);
        for (function, edges) in (0..).zip(&run.edges) {
            for &(pc, way) in edges {
                let edge = (function, pc, way);
                if !lab.edges_taken.contains(&edge) && self.seen.insert(edge) {
                    any = true;
                    let functions = &lab.subject.image.program().functions;
                    own |= functions[FuncId::from_u32(function)].origin == Origin::Subject;
                }
            }
        }
        (any, own)
    }
}

impl Tactic for Fuzzing {
    fn turn(&mut self, lab: &mut Lab<'_>, others: &mut Others<'_>, budget: Budget) -> Result<Turn, Contradiction> {
        let (end, decided) = (lab.work().saturating_add(budget.work), lab.ledger.decided());
        let mut runs = 0;
        while lab.work() < end && runs < budget.tries {
            if runs.is_multiple_of(LOOK)
                && let Some(status) = lab.is_over()
            {
                return Ok(Turn::Over(status));
            }
            runs += 1;
            self.take_up(lab);
            if self.parents.is_empty() {
                return Ok(Turn::Idle);
            }
            let (parent, other) = (self.choose(), self.choose());
            let inputs = self.mutator.change(&mut lab.cx, &self.parents[parent], &self.parents[other]);
            let Some(inputs) = inputs else { return Ok(Turn::Idle) };
            let run = lab.probe(Rc::new(inputs));
            if run.outside {
                continue;
            }
            let (is_news, is_own) = self.news(lab, &run);
            if is_own || lab.reaches_open(&run) {
                let inputs: Rc<Model> = Rc::clone(&run.inputs);
                lab.explore(self, others, inputs, None)?;
                if lab.ledger.decided() != decided {
                    return Ok(Turn::More);
                }
            } else if is_news {
                self.parents.push(Parent::new(&lab.cx.terms, run.inputs));
            }
        }
        Ok(Turn::More)
    }
}
