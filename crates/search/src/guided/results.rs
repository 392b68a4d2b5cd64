//! What a call gives back, as a term, where its way does not matter: all paths through a small function, joined.
//!
//! Guards after a call often say something about what went in: a function that is true only where its argument is not null,
//! one that gives the smaller of two. Only functions without loops and with few paths are looked at; of all others the
//! results may be anything. A path that does not return is left out, as nothing comes after the call then.

use covenant_constraints::TermId;
use covenant_program::analysis::Loops;
use covenant_program::ir::{Body, Callee, FuncId, Inst, Op, Terminator, Type};

use super::guards::{Guards, Known};

/// Steps and paths of one function, and calls within each other.
const MOST_STEPS: usize = 200; // not tuning: certificates are checked with the same
const MOST_PATHS: usize = 16; // not tuning: certificates are checked with the same
const MOST_NESTING: u32 = 3; // not tuning: certificates are checked with the same

/// What must hold for a path, and what it gives back.
type End = (Vec<TermId>, Vec<Option<TermId>>);

impl<'a> Guards<'a> {
    /// The results of a call, none where nothing is known of them.
    pub(super) fn results(&mut self, known: &Known, inst: Inst, callee: Callee) -> Vec<Option<TermId>> {
        let Callee::Direct(callee) = callee else { return Vec::new() };
        if self.nesting == MOST_NESTING || !self.is_worth_it(known, inst, callee) {
            return Vec::new();
        }
        // Nothing is asked on the way: what excludes a path of the function is left to who joins them.
        let asked = self.asked.take();
        self.nesting += 1;
        let ends = self.ends(known, inst, callee);
        self.nesting -= 1;
        self.asked = asked;
        ends.map_or_else(Vec::new, |ends| self.join(callee, &ends))
    }

    /// Whether a guard depends on what the call gives back, and the function is as simple as it must be.
    fn is_worth_it(&self, known: &Known, inst: Inst, callee: FuncId) -> bool {
        let Some(caller) = known.frames.last().map(|frame| frame.function) else { return false };
        let results = self.body(caller).map_or(&[][..], |body| &body.insts[inst].results[..]);
        let matters = results.iter().any(|&result| self.modes.is_static(caller, result));
        matters && self.body(callee).is_some_and(|body| body.blocks.len() <= MOST_STEPS && Loops::new(body).is_empty())
    }

    /// All paths through the function; `None`: there are too many, or one is not understood.
    fn ends(&mut self, known: &Known, inst: Inst, callee: FuncId) -> Option<Vec<End>> {
        let mut start = known.clone();
        start.path.clear();
        self.enter(&mut start, inst, callee)?;
        let body = self.body(callee)?;
        let (mut work, mut ends) = (vec![start], Vec::new());
        for _ in 0..MOST_STEPS {
            let Some(at) = work.pop() else { return Some(ends) };
            let frame = at.frames.last()?.clone();
            let block = &body.blocks[frame.block];
            if let Some(&inst) = block.insts.get(frame.done).filter(|&&inst| is_call(body, inst)) {
                work.push(self.hole(at, inst)?);
            } else if let Terminator::Return(values) = &block.term {
                let results = values.iter().map(|&value| self.term(body, &frame, value)).collect();
                ends.push((at.path, results));
            } else {
                let conditions = self.conditions(body, &at)?;
                for (way, condition) in (0..).zip(conditions) {
                    if self.terms.as_bool(condition) != Some(false) {
                        let mut next = at.clone();
                        next.path.push(condition);
                        self.go(&mut next, way)?;
                        work.push(next);
                    }
                }
            }
            if ends.len() > MOST_PATHS {
                return None;
            }
        }
        None
    }

    /// What must hold for each edge out of where the path is: always just one of them.
    fn conditions(&mut self, body: &Body, at: &Known) -> Option<Vec<TermId>> {
        let frame = at.frames.last()?;
        let block = &body.blocks[frame.block];
        match (&block.term, block.term.edges().len()) {
            (_, 0) => Some(Vec::new()),
            (_, 1) => Some(vec![self.terms.tt()]),
            (Terminator::Branch { .. }, _) => {
                let known = self.guard(body, frame, 0);
                let holds = known.or_else(|| self.anything(Type::BOOL))?;
                Some(vec![holds, self.terms.not(holds)])
            }
            (Terminator::Switch { .. }, count) => {
                (0..count as u32).map(|way| self.guard(body, frame, way)).collect::<Option<Vec<_>>>()
            }
            _ => None,
        }
    }

    /// One value for each result, by what holds.
    fn join(&mut self, callee: FuncId, ends: &[End]) -> Vec<Option<TermId>> {
        let joined = self.returns(callee).iter().enumerate().map(|(index, &ty)| {
            let mut joined: Option<TermId> = None;
            for (path, results) in ends.iter().rev() {
                let known = results.get(index).copied().flatten();
                let result = known.or_else(|| self.anything(ty))?;
                joined = Some(match joined {
                    None => result,
                    Some(other) if self.terms.sort(other) != self.terms.sort(result) => return None,
                    Some(other) => {
                        let holds = self.terms.and_all(path.iter().copied());
                        self.terms.ite(holds, result, other)
                    }
                });
            }
            joined
        });
        joined.collect()
    }
}

fn is_call(body: &Body, inst: Inst) -> bool {
    matches!(body.insts[inst].op, Op::Call(_))
}
