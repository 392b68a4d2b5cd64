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

/// Cuts that are tried where inputs come somewhere new, at most: no more than the runs that it took to find them.
const MOST_CUTS: u64 = 128; // not tuning: what shorter inputs are worth

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
    /// Runs since one came somewhere new.
    since: u64,
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
            since: 0,
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

    /// Inputs that come to the same with less: path search has less to ask about, and a test says less that does not matter.
    fn shortened(&mut self, lab: &mut Lab<'_>, run: Run, own: &[Edge]) -> Rc<Model> {
        let open = lab.open_hits(&run);
        let mut best = Parent::new(&lab.cx.terms, run.inputs);
        // What is gone may have been all that was read of an array, so that they are known by their names.
        let whole = best.arrays();
        let (mut tries, most) = (0, MOST_CUTS.min(self.since));
        self.since = 0;
        for halved in 0..usize::BITS {
            let sizes = whole.iter().map(|(name, length)| (name, length >> halved)).filter(|(_, size)| *size > 0);
            let sizes: Vec<(&String, usize)> = sizes.collect();
            if sizes.is_empty() || tries >= most {
                break;
            }
            for (name, size) in sizes {
                let mut end = best.length(name);
                while end > 0 && tries < most {
                    tries += 1;
                    let start = end.saturating_sub(size);
                    let other = best.without(&mut lab.cx, name, start..end).map(|shorter| lab.probe(Rc::new(shorter)));
                    let same = |other: &Run| {
                        let took = |(function, pc, way): &Edge| other.edges[*function as usize].contains(&(*pc, *way));
                        !other.outside && own.iter().all(took) && open.is_subset(&lab.open_hits(other))
                    };
                    if let Some(other) = other.filter(same) {
                        best = Parent::new(&lab.cx.terms, other.inputs);
                    }
                    end = start.min(best.length(name));
                }
            }
        }
        let lengths = |parent: &Parent| parent.arrays().iter().map(|(_, length)| length).sum::<usize>();
        let before: usize = whole.iter().map(|(_, length)| length).sum();
        tracing::debug!(target: "fuzz", before, after = lengths(&best), tries, "shortened");
        best.inputs()
    }

    /// Whether a run took ways that none took before, and those of the subject's own code.
    fn news(&mut self, lab: &Lab<'_>, run: &Run) -> (bool, Vec<Edge>) {
        let (mut any, mut own) = (false, Vec::new());
        for (function, edges) in (0..).zip(&run.edges) {
            for &(pc, way) in edges {
                let edge = (function, pc, way);
                if !lab.edges_taken.contains(&edge) && self.seen.insert(edge) {
                    any = true;
                    let functions = &lab.subject.image.program().functions;
                    let is_own = functions[FuncId::from_u32(function)].origin == Origin::Subject;
                    own.extend(is_own.then_some(edge));
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
            self.since += 1;
            let run = lab.probe(Rc::new(inputs));
            if run.outside {
                continue;
            }
            let (is_news, own) = self.news(lab, &run);
            if !own.is_empty() || !lab.open_hits(&run).is_empty() {
                let inputs = self.shortened(lab, run, &own);
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
