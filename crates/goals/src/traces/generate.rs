//! Traces of an abstraction, one by one, those with few decisions first, unless so many begin alike that none would ever end.
//!
//! What ends is the criterion *loop-k*: each loop goes back to its head at most K times each time that it is entered, and a
//! function is called inside itself at most K times.
//!
//! [`Refine`] is what a refined abstraction adds: it sees each move and may say that no run makes it. [`Free`] knows nothing,
//! which is the plain abstraction.

use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use covenant_program::ir::{Block, FuncId, Inst};

use super::{Abstraction, Goal, Next, Step, Trace};

/// Moves after which a generator gives up: there are more traces than anybody wants.
const MOST_MOVES: usize = 2_000_000; // not tuning: it ends what would not end, and decides which objectives there are

/// Beginnings of traces beyond which the longest goes on first: they would be more than memory holds before one ends.
const MOST_BEGUN: usize = 10_000; // not tuning: memory

/// What a trace does next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Move {
    /// A call by an instruction of the function on top.
    Enter(Inst, FuncId),
    /// A call whose way does not matter.
    Hole(Inst),
    /// Along an edge out of a block; also where there is only one.
    Way(Block, u32),
    /// The function on top returns from this block.
    Leave(Block),
}

/// Why the seam exists: guards need terms and a solver, which traces do not.
pub trait Refine {
    /// What it knows at a place of a trace.
    type State: Clone;
    /// What it knows where a trace begins.
    fn start(&mut self, function: FuncId) -> Self::State;
    /// What is known after the move; `None` if no run makes it.
    fn step(&mut self, state: &Self::State, step: Move) -> Option<Self::State>;
}

/// Nothing is known, so everything is possible.
#[derive(Clone, Copy, Debug, Default)]
pub struct Free;

impl Refine for Free {
    type State = ();
    fn start(&mut self, _: FuncId) {}
    fn step(&mut self, (): &(), _: Move) -> Option<()> {
        Some(())
    }
}

#[derive(Clone, Debug)]
struct Frame {
    function: FuncId,
    block: Block,
    /// Calls of the block that were made.
    calls: usize,
    /// How often each loop went back to its head since it was entered.
    turns: BTreeMap<Block, u32>,
}

/// Steps, the last first.
#[derive(Debug)]
struct Link {
    step: Step,
    before: Option<Rc<Link>>,
}

#[derive(Clone, Debug)]
struct State<S> {
    frames: Vec<Frame>,
    steps: Option<Rc<Link>>,
    known: S,
}

/// The generator. It is an iterator; [`Generator::is_cut`] says whether it gave up.
#[derive(Debug)]
pub struct Generator<'a, R: Refine> {
    abstraction: &'a Abstraction,
    bound: u32,
    refine: R,
    queue: VecDeque<State<R::State>>,
    /// What goes on before all others.
    going: Option<State<R::State>>,
    moves: usize,
    most: usize,
    /// Prefixes that no run takes.
    refuted: Vec<Vec<Step>>,
}

impl<'a, R: Refine> Generator<'a, R> {
    /// The traces within a loop bound that `refine` does not exclude.
    pub fn new(abstraction: &'a Abstraction, bound: u32, mut refine: R) -> Self {
        let entry = abstraction.entry;
        let known = refine.start(entry);
        let frame = Frame { function: entry, block: Block::ENTRY, calls: 0, turns: BTreeMap::new() };
        let has = abstraction.pred(entry, Block::ENTRY).is_some();
        let queue = has.then(|| State { frames: vec![frame], steps: None, known }).into_iter().collect();
        Generator { abstraction, bound, refine, queue, going: None, moves: 0, most: MOST_MOVES, refuted: Vec::new() }
    }

    /// Gives up after so many moves.
    pub fn within(mut self, moves: usize) -> Self {
        self.most = moves.min(MOST_MOVES);
        self
    }

    /// Whether there may be traces that were not given.
    pub fn is_cut(&self) -> bool {
        self.moves >= self.most && (self.going.is_some() || !self.queue.is_empty())
    }

    /// How much work it was so far.
    pub fn moves(&self) -> usize {
        self.moves
    }

    /// No run begins like this: no trace that does is given from now on.
    pub fn refute(&mut self, prefix: &[Step]) {
        self.refuted.push(prefix.to_vec());
    }

    /// Gives back what refines.
    pub fn into_refine(self) -> R {
        self.refine
    }

    /// Goes on with a state until it branches or ends.
    fn advance(&mut self, mut state: State<R::State>) -> Option<Trace> {
        loop {
            self.moves += 1;
            let top = state.frames.last()?;
            let pred = self.abstraction.pred(top.function, top.block)?;
            let here = Goal { function: top.function, block: top.block, calls: top.calls };
            if self.abstraction.goals.contains(&here) {
                return self.finished(&state);
            }
            let Some(call) = pred.calls.get(top.calls).copied() else { break };
            // A call that leads to the point, and one that is passed on the way to it, are two traces.
            if let Some(callee) = call.into {
                let goals = !self.abstraction.goals.is_empty();
                if goals && let Some(passing) = self.hole(&state, call.inst) {
                    self.queue.push_back(passing);
                }
                state = self.enter(&state, call.inst, callee)?;
            } else {
                state = self.hole(&state, call.inst)?;
            }
        }
        let top = state.frames.last()?;
        let (function, block) = (top.function, top.block);
        let pred = self.abstraction.pred(function, block)?;
        for rule in pred.rules.clone() {
            match rule.next {
                Next::Stop => return self.finished(&state),
                Next::Return => {
                    let known = self.refine.step(&state.known, Move::Leave(block))?;
                    if state.frames.len() == 1 {
                        return self.finished(&state);
                    }
                    state.known = known;
                    state.frames.pop();
                    if let Some(top) = state.frames.last_mut() {
                        top.calls += 1;
                    }
                    state.steps = link(state.steps, Step::Leave);
                    self.going = Some(state);
                    return None;
                }
                Next::Block { block: to, turns } => {
                    if let Some(next) = self.take(&state, rule.way, pred.ways > 1, to, turns) {
                        // What decides nothing comes first, so that traces come by their number of decisions.
                        if pred.ways > 1 { self.queue.push_back(next) } else { self.going = Some(next) }
                    }
                }
            }
        }
        None
    }

    fn hole(&mut self, state: &State<R::State>, inst: Inst) -> Option<State<R::State>> {
        let known = self.refine.step(&state.known, Move::Hole(inst))?;
        let mut frames = state.frames.clone();
        frames.last_mut()?.calls += 1;
        Some(State { frames, steps: link(state.steps.clone(), Step::Hole(inst)), known })
    }

    fn enter(&mut self, state: &State<R::State>, inst: Inst, callee: FuncId) -> Option<State<R::State>> {
        let nested = state.frames.iter().filter(|frame| frame.function == callee).count();
        if nested > self.bound as usize {
            return None;
        }
        let known = self.refine.step(&state.known, Move::Enter(inst, callee))?;
        let mut frames = state.frames.clone();
        frames.push(Frame { function: callee, block: Block::ENTRY, calls: 0, turns: BTreeMap::new() });
        Some(State { frames, steps: link(state.steps.clone(), Step::Enter(callee)), known })
    }

    fn take(
        &mut self,
        state: &State<R::State>,
        way: u32,
        decides: bool,
        to: Block,
        turns: bool,
    ) -> Option<State<R::State>> {
        let top = state.frames.last()?;
        let (function, block) = (top.function, top.block);
        let count = if turns { top.turns.get(&to).copied().unwrap_or(0) + 1 } else { 0 };
        if count > self.bound {
            return None;
        }
        let mut steps = state.steps.clone();
        if decides {
            steps = link(steps, Step::Way(function, block, way));
            if self.is_refuted(&steps) {
                return None;
            }
        }
        let known = self.refine.step(&state.known, Move::Way(block, way))?;
        let mut next = State { known, frames: state.frames.clone(), steps };
        let top = next.frames.last_mut()?;
        top.turns.insert(to, count);
        (top.block, top.calls) = (to, 0);
        Some(next)
    }

    fn is_refuted(&self, steps: &Option<Rc<Link>>) -> bool {
        if self.refuted.is_empty() {
            return false;
        }
        let steps = unlink(steps);
        self.refuted.iter().any(|prefix| steps.starts_with(prefix))
    }

    fn finished(&self, state: &State<R::State>) -> Option<Trace> {
        let trace = Trace { steps: unlink(&state.steps), end: state.frames.first().map(|frame| frame.block) };
        let refuted = self.refuted.iter().any(|prefix| trace.steps.starts_with(prefix));
        (!refuted).then_some(trace)
    }
}

fn link(before: Option<Rc<Link>>, step: Step) -> Option<Rc<Link>> {
    Some(Rc::new(Link { step, before }))
}

fn unlink(steps: &Option<Rc<Link>>) -> Vec<Step> {
    let mut found = Vec::new();
    let mut at = steps.as_ref();
    while let Some(link) = at {
        found.push(link.step);
        at = link.before.as_ref();
    }
    found.reverse();
    found
}

impl<R: Refine> Iterator for Generator<'_, R> {
    type Item = Trace;

    fn next(&mut self) -> Option<Trace> {
        while self.moves < self.most {
            let many = self.queue.len() > MOST_BEGUN;
            let mut waiting = || if many { self.queue.pop_back() } else { self.queue.pop_front() };
            let state = self.going.take().or_else(&mut waiting)?;
            if let Some(trace) = self.advance(state) {
                return Some(trace);
            }
        }
        None
    }
}
