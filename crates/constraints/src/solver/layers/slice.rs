//! Independence: only constraints that share variables with the goal, directly or through others, can matter to it. The
//! rest of the path is satisfied by the hint already, or is solved on its own.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::eval::all_true;
use crate::solver::supports::Supports;
use crate::solver::{Answer, Core, LayerStats, Query, Solver, Stats};
use crate::term::{TermId, Terms, VarId};
use crate::value::Model;

#[derive(Debug)]
pub(crate) struct Slice {
    inner: Box<dyn Solver>,
    supports: Supports,
    /// `hits` are the queries that became smaller.
    layer: LayerStats,
}

/// The constraints of a path by the variables in them.
struct Index {
    supports: Vec<std::sync::Arc<crate::solver::supports::Support>>,
    by_var: FxHashMap<VarId, Vec<usize>>,
}

impl Index {
    fn new(terms: &Terms, supports: &mut Supports, path: &[TermId]) -> Index {
        let supports: Vec<_> = path.iter().map(|t| supports.of(terms, *t)).collect();
        let mut by_var: FxHashMap<VarId, Vec<usize>> = FxHashMap::default();
        for (i, support) in supports.iter().enumerate() {
            for var in &support.vars {
                by_var.entry(*var).or_default().push(i);
            }
        }
        Index { supports, by_var }
    }

    /// The constraints reachable from the variables, in path order, and all variables in them.
    fn component(&self, from: &[VarId]) -> (Vec<usize>, FxHashSet<VarId>) {
        let mut vars: FxHashSet<VarId> = from.iter().copied().collect();
        let mut pending: Vec<VarId> = from.to_vec();
        let mut reached = FxHashSet::default();
        while let Some(var) = pending.pop() {
            for &i in self.by_var.get(&var).into_iter().flatten() {
                if reached.insert(i) {
                    pending.extend(self.supports[i].vars.iter().filter(|v| vars.insert(**v)));
                }
            }
        }
        let mut reached: Vec<usize> = reached.into_iter().collect();
        reached.sort_unstable();
        (reached, vars)
    }
}

impl Slice {
    pub(crate) fn new(inner: Box<dyn Solver>) -> Slice {
        Slice { inner, supports: Supports::default(), layer: LayerStats::default() }
    }

    /// Solves what the goal has nothing to do with, part by part: without a hint nothing is known of it.
    fn solve_rest(
        &mut self,
        terms: &mut Terms,
        query: &Query<'_>,
        index: &Index,
        done: &[usize],
        model: &mut Model,
    ) -> Option<Answer> {
        let mut done: FxHashSet<usize> = done.iter().copied().collect();
        for i in 0..query.path.len() {
            if done.contains(&i) {
                continue;
            }
            let (mut part, vars) = index.component(&index.supports[i].vars);
            if part.is_empty() {
                // A constraint without variables stands for itself.
                part.push(i);
            }
            done.extend(part.iter().copied());
            let path: Vec<TermId> = part[..part.len() - 1].iter().map(|&i| query.path[i]).collect();
            let goal = query.path[part[part.len() - 1]];
            match self.inner.solve(terms, &Query { path: &path, goal, steps: query.steps, hint: None }) {
                Answer::Sat(found) => take(model, &found, &vars),
                Answer::Unsat(core) => {
                    let mut blamed: Vec<usize> = core.path.iter().map(|&k| part[k]).collect();
                    blamed.extend(core.goal.then(|| part[part.len() - 1]));
                    return Some(Answer::Unsat(Core { path: blamed, goal: false }));
                }
                unknown => return Some(unknown),
            }
        }
        None
    }
}

/// Takes over the values of the variables, also where the answer leaves them at zero.
fn take(model: &mut Model, found: &Model, vars: &FxHashSet<VarId>) {
    for &var in vars {
        match found.get(var) {
            Some(value) => model.set(var, value.clone()),
            None => {
                model.remove(var);
            }
        }
    }
}

impl Solver for Slice {
    fn solve(&mut self, terms: &mut Terms, query: &Query<'_>) -> Answer {
        self.layer.calls += 1;
        let goal_support = self.supports.of(terms, query.goal);
        let index = Index::new(terms, &mut self.supports, query.path);
        let (kept, vars) = index.component(&goal_support.vars);
        self.layer.hits += u64::from(kept.len() < query.path.len());
        let path: Vec<TermId> = kept.iter().map(|&i| query.path[i]).collect();
        match self.inner.solve(terms, &Query { path: &path, ..*query }) {
            Answer::Sat(found) => {
                // A hint from a run that goes otherwise is none.
                let rest = query.path.iter().enumerate().filter(|(i, _)| kept.binary_search(i).is_err());
                let holds = |hint: &&Model| all_true(terms, rest.map(|(_, &term)| term), hint);
                let hint = query.hint.filter(holds);
                let mut model = hint.cloned().unwrap_or_default();
                take(&mut model, &found, &vars);
                if hint.is_none()
                    && let Some(other) = self.solve_rest(terms, query, &index, &kept, &mut model)
                {
                    return other;
                }
                Answer::Sat(model)
            }
            Answer::Unsat(core) => {
                Answer::Unsat(Core { path: core.path.iter().map(|&k| kept[k]).collect(), goal: core.goal })
            }
            unknown => unknown,
        }
    }

    fn stats(&self) -> Stats {
        let mut stats = self.inner.stats();
        stats.add_layer("slice", self.layer);
        stats
    }

    fn reset(&mut self) {
        self.supports.clear();
        self.inner.reset();
    }
}
