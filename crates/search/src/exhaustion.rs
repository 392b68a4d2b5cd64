//! Certificates of "all paths are known": the inputs of runs that took them.
//!
//! To check one, the program is run anew with each of the inputs, which gives the tree of their paths. A way that none of
//! them took must be one that no input takes, or one from which the map of the program shows no way to the objectives. Where
//! a path passes a label, no input that takes the path so far may have the label's condition. These are questions to a solver
//! that had no part in the search; the inputs themselves prove nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::str::FromStr;

use covenant_constraints::solver::{self, Answer, Query};
use covenant_constraints::{FloatKind, Model, Sort, TermId, Terms, Value, smtlib};
use covenant_goals::certificate::{Paths, Question, Script};
use covenant_goals::{Ledger, ObjectiveId, Place, Verdict};
use covenant_program::ir::FuncId;
use rustc_hash::{FxHashMap, FxHashSet};

use covenant_concolic::Subject;
use covenant_concolic::run::{Run, execute};
use covenant_concolic::symbolic::Context;
use covenant_concolic::tree::{NodeId, State, Tree};

use crate::around;
use crate::cfg::{self, Cfg, ENTRY, Edge, edge_of};
use crate::limits;
use crate::route::{Route, roots};
use crate::settings::Settings;
use crate::strategy::Way;
use crate::strategy::reach::{NEVER, Reach};

/// Who says that all paths are known.
pub const EXHAUSTION: &str = "exhaustion";
const SCHEMA: u32 = 1; // not tuning: a format
/// Of more runs there is no certificate: nobody wants to check it.
const MOST_RUNS: usize = 5_000; // not tuning: the size of a certificate
const ABOUT: &str = "Runs with these inputs take all paths that can lead to what `exhaustion` decided. `covenant check` runs \
                     them and has cvc5 confirm that no input takes any of the ways which they leave out.";

/// Whether runs with these inputs can be written down.
pub(crate) fn can_tell(taken: &[Rc<Model>]) -> bool {
    let has_bits = |inputs: &Rc<Model>| inputs.iter().all(|(_, value)| value.bits().is_some());
    taken.len() <= MOST_RUNS && taken.iter().all(has_bits)
}

/// The certificate of what was decided because these runs took all paths.
pub(crate) fn certificate(ledger: &Ledger, terms: &Terms, taken: &[Rc<Model>]) -> Option<Paths> {
    let decides =
        |verdict: &Verdict| matches!(verdict, Verdict::Infeasible(p) if p.by == EXHAUSTION && p.file.is_some());
    if !ledger.iter().any(|(_, _, verdict)| decides(verdict)) {
        return None;
    }
    let runs = taken.iter().map(|inputs| names(terms, inputs)).collect::<Option<Vec<_>>>()?;
    Some(Paths { schema: SCHEMA, about: ABOUT.to_owned(), runs })
}

fn names(terms: &Terms, inputs: &Model) -> Option<BTreeMap<String, String>> {
    let named = |(var, value): (_, &Value)| Some((terms.var_name(var).to_owned(), spell(terms.var_sort(var), value)?));
    inputs.iter().map(named).collect()
}

fn label(place: &Place) -> Option<u32> {
    match place {
        Place::Label(_, _, index) => Some(*index),
        _ => None,
    }
}

/// `bv32 1f`
fn spell(sort: Sort, value: &Value) -> Option<String> {
    let bits = value.bits()?;
    match sort {
        Sort::Bool => Some(format!("bool {bits:x}")),
        Sort::Bv(width) => Some(format!("bv{width} {bits:x}")),
        Sort::Float(kind) => Some(format!("float{} {bits:x}", kind.bits())),
        Sort::Array => None,
    }
}

fn unspell(text: &str) -> Option<(Sort, Value)> {
    let (sort, bits) = text.split_once(' ')?;
    let sort = if sort == "bool" {
        Sort::Bool
    } else if let Some(width) = sort.strip_prefix("bv") {
        Sort::Bv(u8::from_str(width).ok().filter(|width| (1..=128).contains(width))?)
    } else {
        let bits = u8::from_str(sort.strip_prefix("float")?).ok()?;
        Sort::Float(FloatKind::ALL.into_iter().find(|kind| kind.bits() == bits)?)
    };
    let bits = u128::from_str_radix(bits, 16).ok()?;
    Some((sort, Value::from_bits(sort, bits)?))
}

/// The paths of runs, and what is asked about those that nobody took.
struct Check<'s> {
    subject: &'s Subject,
    cx: Context,
    cfg: Rc<Cfg>,
    /// What reaches an objective, and what does or leads past a label.
    own: Vec<Edge>,
    targets: FxHashSet<Edge>,
    tree: Tree,
    ways: FxHashMap<NodeId, Way>,
    labels: FxHashSet<u32>,
    /// Where paths passed the labels, and the condition there.
    obligations: BTreeSet<(NodeId, TermId)>,
    /// Edges into labels from which the map shows no more of the way to them: if a run takes one, no way may be left out.
    blind: Vec<Edge>,
    shown: bool,
    /// Where the runs met limits of ours.
    limits: limits::Met,
}

/// What must have no model for the objectives to be infeasible. `Err`: why the certificate is none.
pub fn script(
    subject: &Subject,
    settings: &Settings,
    paths: &Paths,
    objectives: &[ObjectiveId],
) -> Result<Script, String> {
    let mut check = Check::new(subject, settings, objectives)?;
    if paths.schema != SCHEMA || paths.runs.is_empty() {
        return Err("it lists no runs that this version understands".to_owned());
    }
    for (number, inputs) in paths.runs.iter().enumerate() {
        check.run(settings, inputs).map_err(|why| format!("run {}: {why}", number + 1))?;
    }
    let objectives: Vec<_> = objectives.iter().map(|id| &subject.objectives[id.0 as usize]).collect();
    let before = check.limits.before(subject, &limits::map(subject), &objectives);
    if let Some(words) = before.into_iter().flatten().next() {
        return Err(format!("paths behind a limit of ours decide nothing: {words}"));
    }
    check.questions(settings)
}

impl<'s> Check<'s> {
    fn new(subject: &'s Subject, settings: &Settings, objectives: &[ObjectiveId]) -> Result<Check<'s>, String> {
        let mut entries: FxHashSet<u32> = FxHashSet::default();
        let mut places = Vec::new();
        for id in objectives {
            let objective = &subject.objectives[id.0 as usize];
            if let Some(why) = &objective.untied {
                return Err(format!("nobody knows where it is in the program: {why}"));
            }
            places.extend(objective.places.iter().copied());
        }
        let own: Vec<Edge> = places.iter().filter_map(|&place| edge_of(&subject.image, place)).collect();
        let targets: FxHashSet<Edge> = own.iter().copied().chain(around::edges_at(subject, objectives)).collect();
        entries.extend(targets.iter().filter(|edge| edge.1 == ENTRY).map(|edge| edge.0));
        if let Some(fixed) = &subject.fixed {
            return Err(fixed.clone());
        }
        let (cfg, contexts) = cfg::build(&subject.image, &roots(subject), &entries, &FxHashSet::default());
        let mut cx = Context::new(settings.inputs.clone(), &settings.tuning);
        cx.contexts = contexts;
        let labels: FxHashSet<u32> = places.iter().filter_map(label).collect();
        let count = labels.iter().max().map_or(0, |&last| last + 1);
        cx.wanted = Rc::new((0..count).map(|label| labels.contains(&label)).collect());
        let blind = places.iter().flat_map(|place| match *place {
            Place::Label(function, inst, _) if !around::is_before_branch(subject, &cfg, function, inst) => {
                around::edges_around(subject, function, inst)
            }
            _ => Vec::new(),
        });
        let (blind, shown) = (blind.collect(), true);
        let (tree, ways, obligations) = (Tree::new(), FxHashMap::default(), BTreeSet::new());
        let (cfg, limits) = (Rc::new(cfg), limits::Met::default());
        Ok(Check { subject, cx, cfg, own, targets, tree, ways, labels, obligations, blind, shown, limits })
    }

    fn run(&mut self, settings: &Settings, inputs: &BTreeMap<String, String>) -> Result<(), String> {
        let mut model = Model::new();
        for (name, text) in inputs {
            let (sort, value) = unspell(text).ok_or_else(|| format!("{text} is no value"))?;
            let var = self.cx.var(name, sort);
            model.set(var, value);
        }
        let run = execute(self.subject, settings.limits(), &mut self.cx, Rc::new(model), None);
        if let Some(why) = &run.gap {
            return Err(why.words.clone());
        }
        if !run.outside && self.reaches(&run) {
            return Err("it reaches an objective that should be infeasible".to_owned());
        }
        self.limits.extend(&run.limits);
        let trail = self.tree.insert(&self.cx.terms, &run.events, &run.inputs);
        let trail = trail.ok_or("it took another way than the same inputs did before")?;
        self.shown &= !self.blind.iter().any(|edge| around::takes(&run, edge));
        for one in run.labels.obligations.iter().filter(|one| self.labels.contains(&one.label)) {
            let at = self.tree.way.get(one.events).ok_or("it passed a label outside of its path")?;
            self.obligations.insert((*at, one.cond));
        }
        let cfg = Rc::clone(&self.cfg);
        let mut route = Route::new(&cfg);
        let mut fresh = trail.fresh.iter().peekable();
        for (place, &id) in trail.path.iter().enumerate() {
            while let Some(&(other, _)) = fresh.next_if(|way| way.1 == place) {
                let way = route.way(other, self.tree.node(other), false, settings);
                self.ways.insert(other, way);
            }
            let way = route.way(id, self.tree.node(id), false, settings);
            route.pass(&way, self.tree.node(id), settings);
        }
        Ok(())
    }

    fn reaches(&self, run: &Run) -> bool {
        self.own.iter().any(|edge| around::takes(run, edge)) || !run.labels.reached.is_disjoint(&self.labels)
    }

    /// One question for each way that was left out and could matter; each only as long as it must be.
    fn questions(mut self, settings: &Settings) -> Result<Script, String> {
        let options = solver::Options {
            backend: settings.solver,
            cancel: solver::Cancel::new(std::sync::Arc::clone(&settings.cancel)),
            tuning: settings.tuning,
            ..solver::Options::default()
        };
        let mut solver = solver::stack(&options);
        let mut reach = Reach::new(Rc::clone(&self.cfg), &self.targets);
        let mut asked: BTreeSet<Vec<TermId>> = BTreeSet::new();
        let mut script = Script { prelude: "(set-logic ALL)\n".to_owned(), questions: Vec::new() };
        let mut conditions = Vec::new();
        for id in self.tree.ids() {
            let is_left_out = |way: &Way| self.shown && reach.behind(way) == NEVER;
            if self.tree.node(id).state != State::Open || self.ways.get(&id).is_some_and(is_left_out) {
                continue;
            }
            if let (path, Some(goal)) = self.tree.condition(id) {
                conditions.push((path, goal, format!("takes {}", self.place(id))));
            }
        }
        for &(at, cond) in &self.obligations {
            conditions.push((self.tree.path(at), cond, format!("reaches a label behind {}", self.place(at))));
        }
        for (path, goal, words) in conditions {
            let query = Query { path: &path, goal, steps: settings.solver_steps, hint: None };
            let mut conditions: Vec<TermId> = match solver.solve(&mut self.cx.terms, &query) {
                Answer::Unsat(core) => core.path.iter().map(|&i| path[i]).chain(core.goal.then_some(goal)).collect(),
                Answer::Sat(_) => return Err(format!("no run {words}, but an input does")),
                Answer::Unknown(_) => path.iter().copied().chain([goal]).collect(),
            };
            conditions.sort_unstable();
            conditions.dedup();
            if asked.insert(conditions.clone()) {
                let words = format!("no input {words}");
                script.questions.push(Question {
                    text: smtlib::asserted(&self.cx.terms, &conditions),
                    words,
                    free: Vec::new(),
                });
            }
        }
        Ok(script)
    }

    /// `way 1 at LINE:COLUMN`
    fn place(&self, id: NodeId) -> String {
        let node = self.tree.node(id);
        let code = self.subject.image.code(FuncId::from_u32(node.site.function));
        let loc = code.origins.get(node.site.pc as usize).map(|origin| origin.loc);
        let at = loc.map_or_else(String::new, |loc| format!(" at {}:{}", loc.line, loc.column));
        format!("way {}{at} (decision {})", node.outcome, node.depth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_as_they_were_written() {
        let cases = [
            (Sort::Bool, Value::Bool(true)),
            (Sort::Bv(32), Value::Bv(0xfffe)),
            (Sort::Bv(128), Value::Bv(u128::MAX)),
            (Sort::Float(FloatKind::F64), Value::f64(1.5)),
        ];
        for (sort, value) in cases {
            let text = spell(sort, &value).unwrap();
            assert_eq!(unspell(&text), Some((sort, value)), "{text}");
        }
        for wrong in ["", "bv32", "bv0 1", "bv129 1", "bv32 xyz", "float16 1", "array 0"] {
            assert_eq!(unspell(wrong), None, "{wrong}");
        }
    }
}
