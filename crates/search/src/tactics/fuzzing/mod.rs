//! Fuzzing: inputs of runs that are changed by chance.
//!
//! Path search knows why a run went as it did and pays for it. Where a loop reads a text, there are more paths than anybody can
//! ask a solver about, and most of them show nothing new. Runs without terms are cheap. So what runs had as inputs is changed
//! by chance, by words of the program above all, and run blindly; who comes somewhere new is run once more with all that a
//! run has, so that path search goes on from there. Nothing is claimed by a blind run.
//!
//! Blind runs are watched (`watch`): a text of the inputs that is compared with another is replaced by it at once, and who goes some way
//! more often than any run before is kept, since what a program counts decides what it does next.

mod misses;
mod mutate;
mod process;
mod structure;
mod watch;
mod words;

use std::collections::VecDeque;
use std::rc::Rc;

use covenant_concolic::run::Run;
use covenant_constraints::Model;
use covenant_constraints::random::Rng;
use covenant_goals::Contradiction;
use covenant_program::ir::{FuncId, Origin};
use rustc_hash::FxHashSet;

use crate::cfg::Edge;
use crate::lab::{Budget, Lab, Others, Tactic, Turn};
use misses::Misses;
use mutate::{Mutator, Parent};
use watch::{Sights, Watch};
use words::Words;

/// Runs between two looks at whether the campaign is over.
const LOOK: u64 = 32; // not tuning: how soon an end is noticed

/// Cuts that are tried where inputs come somewhere new, at most: no more than the runs that it took to find them.
const MOST_CUTS: u64 = 128; // not tuning: what shorter inputs are worth

/// What waits to be looked at, at most; the oldest is left out.
const MOST_WAITING: usize = 4096; // not tuning: memory

/// Inputs that are run before those of chance.
#[derive(Debug)]
enum Waiting {
    /// Those of a path, as they are, to see what they are compared with.
    Path(Rc<Model>),
    /// These with a text in place of another.
    Replaced(Rc<Model>, Vec<u8>, Vec<u8>),
}

/// Changes inputs by chance.
#[derive(Debug)]
pub(crate) struct Fuzzing {
    mutator: Mutator,
    sights: Rc<Sights>,
    waiting: VecDeque<Waiting>,
    /// Texts that others were replaced by.
    tried: FxHashSet<(usize, Vec<u8>)>,
    /// About how often blind runs went which way.
    often: FxHashSet<(watch::Way, u32)>,
    /// Inputs that came somewhere new, and those of paths.
    parents: Vec<Parent>,
    /// How many of the paths that the lab knows are among them.
    known: usize,
    /// Inputs of tests, each of which decided something, and how many tests were looked at for that.
    finds: Vec<Parent>,
    tests: usize,
    /// Inputs that came near to what is open.
    misses: Misses,
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
            sights: Rc::new(Sights::of(lab.subject)),
            waiting: VecDeque::new(),
            tried: FxHashSet::default(),
            often: FxHashSet::default(),
            parents: Vec::new(),
            known: 0,
            finds: Vec::new(),
            tests: 0,
            misses: Misses::default(),
            seen: FxHashSet::default(),
            since: 0,
            shyness: 0,
        }
    }

    /// What came to new paths since.
    fn take_up(&mut self, lab: &Lab<'_>) {
        for inputs in &lab.taken[self.known..] {
            self.parents.push(Parent::new(&lab.cx.terms, Rc::clone(inputs)));
            self.waiting.push_back(Waiting::Path(Rc::clone(inputs)));
        }
        self.waiting.drain(..self.waiting.len().saturating_sub(MOST_WAITING));
        self.known = lab.taken.len();
        let fresh = lab.inputs.iter().skip(self.tests).flatten();
        self.finds.extend(fresh.map(|(inputs, _)| Parent::new(&lab.cx.terms, Rc::clone(inputs))));
        self.tests = lab.inputs.len();
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
                        let took =
                            |(function, pc, way): &Edge| other.edges[*function as usize].contains_key(&(*pc, *way));
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

    /// The next inputs. `None`: there is nothing to change.
    fn next_inputs(&mut self, lab: &mut Lab<'_>) -> Option<Model> {
        // Half of the time is left for what nobody thought of.
        let first = if self.mutator.rng.chance(50) { self.waiting.pop_front() } else { None };
        match first {
            Some(Waiting::Path(inputs)) => return Some((*inputs).clone()),
            Some(Waiting::Replaced(inputs, from, to)) => {
                let replaced =
                    Parent::new(&lab.cx.terms, inputs).replaced(&mut lab.cx, &mut self.mutator.rng, &from, &to);
                if replaced.is_some() {
                    return replaced;
                }
            }
            None => {}
        }
        let (parent, other, near) = (self.pick(), self.pick(), self.mutator.rng.chance(33));
        let Fuzzing { mutator, parents, finds, misses, .. } = self;
        let get = |(is_find, at): (bool, usize)| if is_find { &finds[at] } else { &parents[at] };
        let near = if near { misses.pick(&mut mutator.rng) } else { None };
        let near = near.map(|inputs| Parent::new(&lab.cx.terms, inputs));
        mutator.change(&mut lab.cx, near.as_ref().unwrap_or_else(|| get(parent)), get(other))
    }

    /// Half of the time one of the few that decided something: whether it is one of these, and which.
    fn pick(&mut self) -> (bool, usize) {
        match self.finds.len() {
            count if count > 0 && self.mutator.rng.chance(50) => (true, self.mutator.rng.below(count)),
            _ => (false, self.choose()),
        }
    }

    /// Takes up what a run showed besides its ways. Whether it went some way about as often as none before.
    fn take_watch(&mut self, lab: &Lab<'_>, run: &Run, watch: Watch<'_>) -> bool {
        let mut is_news = false;
        for (way, times) in watch.ways {
            is_news |= self.often.insert((way, about(times)));
        }
        let inputs = (!watch.pairs.is_empty()).then(|| Parent::new(&lab.cx.terms, Rc::clone(&run.inputs)));
        for (left, right) in watch.pairs {
            for (from, to) in [(&left, &right), (&right, &left)] {
                if to.is_empty() {
                    continue;
                }
                let is_given = inputs.as_ref().is_some_and(|inputs| inputs.has(to));
                if !is_given {
                    self.mutator.words.compare(to);
                }
                if from.is_empty() || !self.tried.insert((from.len(), to.clone())) {
                    continue;
                }
                let replaced = Waiting::Replaced(Rc::clone(&run.inputs), from.clone(), to.clone());
                // Words of the program are few; two parts of the inputs differ in almost every run.
                match is_given {
                    true => self.waiting.push_back(replaced),
                    false => self.waiting.push_front(replaced),
                }
            }
        }
        is_news
    }

    /// Whether a run took ways that none took before, and those of the subject's own code.
    fn news(&mut self, lab: &Lab<'_>, run: &Run) -> (bool, Vec<Edge>) {
        let (mut any, mut own) = (false, Vec::new());
        for (function, edges) in (0..).zip(&run.edges) {
            for &(pc, way) in edges.keys() {
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

/// Exact up to three, then powers of two.
fn about(times: u32) -> u32 {
    if times <= 3 { times } else { times.next_power_of_two() }
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
            let Some(inputs) = self.next_inputs(lab) else { return Ok(Turn::Idle) };
            self.since += 1;
            let sights = Rc::clone(&self.sights);
            let mut watch = Watch::new(&sights, lab.knows_endless());
            let run = lab.probe_watched(Rc::new(inputs), &mut watch);
            if run.outside {
                continue;
            }
            let is_often = self.take_watch(lab, &run, watch);
            self.misses.take(lab, &run, &mut self.mutator.rng);
            let (is_news, own) = self.news(lab, &run);
            if !own.is_empty() || !lab.open_hits(&run).is_empty() {
                let inputs = self.shortened(lab, run, &own);
                lab.explore(self, others, inputs, None)?;
                if lab.ledger.decided() != decided {
                    return Ok(Turn::More);
                }
            } else if is_news || is_often {
                self.parents.push(Parent::new(&lab.cx.terms, run.inputs));
            }
        }
        Ok(Turn::More)
    }
}
