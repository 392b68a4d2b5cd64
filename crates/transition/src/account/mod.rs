//! Why a proof holds, in words that a reviewer can follow at the source: which step of the program is never taken, what
//! always holds before it, and where that comes from.
//!
//! All that is said is part of the proof. The steps that are told are those that would lead from where runs come to where,
//! by the proof, none does; the facts are the lemmas that exclude such a step, as few of them as a solver finds enough; and
//! what these come from is looked up in what the lemma check found each to follow from.

pub mod formula;
mod names;
mod unreached;

use std::collections::{BTreeSet, VecDeque};

use covenant_constraints::solver::{Query, Solver, Steps};
use covenant_constraints::{TermId, Terms};
use covenant_goals::written::Branch;
use covenant_goals::{Objective, Place, Written};
use covenant_program::analysis::Loops;
use covenant_program::ir::{Block, Body, FuncId, Program};

use crate::flow::{Flow, LocationId, Spot};
use crate::lemma_check::{Checked, Support};
use names::{COMPUTED, Named, next_line};

/// So many of a kind are told; of more the number.
const MOST: usize = 3; // not tuning: how much is told
/// Longer formulas are not told of loops, only what they are about.
const LONGEST: usize = 160; // not tuning: how much is told
/// So many lemmas are followed back.
const MOST_FOLLOWED: usize = 400; // not tuning: how much is looked at for a text
/// So many conditions are tried to do without.
const MOST_DROPPED: usize = 16; // not tuning: how much is looked at for a text

/// Who tells why.
#[derive(Debug)]
pub struct Teller<'a> {
    /// The arena of the flow's terms.
    pub terms: &'a mut Terms,
    /// Says what can be left out.
    pub solver: &'a mut dyn Solver,
    /// For one question.
    pub steps: Steps,
    /// What is proved about.
    pub program: &'a Program,
    /// The same as a transition system.
    pub flow: &'a Flow,
    /// How branches are written.
    pub written: &'a Written,
}

impl Teller<'_> {
    /// Why no run reaches the objective, by this proof.
    pub fn tell(&mut self, objective: &Objective, targets: &[LocationId], proof: &Checked) -> String {
        let cuts = self.cuts(targets, proof);
        if cuts.is_empty() {
            return unreached::tell(self.program, self.flow, self.written, objective);
        }
        let mut said: Vec<String> = Vec::new();
        let mut facts: Vec<(LocationId, TermId)> = Vec::new();
        let ways: BTreeSet<_> = cuts.iter().map(|cut| self.way(self.flow.edges[cut.edge].to)).collect();
        for cut in &cuts {
            let cut = self.smallest(cut);
            let text = self.cut(objective, &cut, ways.len() == 1);
            if !said.contains(&text) {
                said.push(text);
                let from = self.flow.edges[cut.edge].from;
                facts.extend(cut.lemmas.iter().map(|&lemma| (from, lemma)));
            }
        }
        let more = said.len().saturating_sub(MOST);
        said.truncate(MOST);
        if more > 0 {
            said.push(format!("and {more} more steps to it are excluded alike"));
        }
        let origin = self.origin(proof, &facts, &said);
        said.extend(origin);
        said.join("; ")
    }

    /// The steps from where the proof lets runs come to where it lets none come, of those that lead on to the targets.
    fn cuts(&self, targets: &[LocationId], proof: &Checked) -> Vec<Support> {
        let never = self.terms.ff();
        let mut region: BTreeSet<LocationId> = targets.iter().copied().collect();
        let mut work: VecDeque<LocationId> = targets.iter().copied().collect();
        let mut cuts = Vec::new();
        while let Some(location) = work.pop_front() {
            for step in proof.support.get(&(location, never)).into_iter().flatten() {
                let from = self.flow.edges[step.edge].from;
                if !step.lemmas.contains(&never) {
                    cuts.push(step.clone());
                } else if region.insert(from) {
                    work.push_back(from);
                }
            }
        }
        cuts
    }

    /// Without what a step is impossible without.
    fn smallest(&mut self, cut: &Support) -> Support {
        let mut parts: Vec<(TermId, bool)> = cut.lemmas.iter().map(|&lemma| (lemma, true)).collect();
        let mut guards = Vec::new();
        cut.guards.iter().for_each(|&guard| formula::conjuncts(self.terms, guard, &mut guards));
        parts.extend(guards.into_iter().map(|guard| (guard, false)));
        let (mut at, mut tries) = (0, 0);
        let goal = self.terms.tt();
        while at < parts.len() && tries < MOST_DROPPED {
            tries += 1;
            let path: Vec<TermId> = parts.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, (t, _))| *t).collect();
            let query = Query { path: &path, goal, steps: self.steps, hint: None };
            if self.solver.solve(self.terms, &query).is_unsat() {
                parts.remove(at);
            } else {
                at += 1;
            }
        }
        let of = |lemma: bool| parts.iter().filter(|(_, is)| *is == lemma).map(|(t, _)| *t).collect();
        Support { edge: cut.edge, guards: of(false), lemmas: of(true) }
    }

    /// A step that is never taken, and what always holds before it.
    fn cut(&mut self, objective: &Objective, cut: &Support, alone: bool) -> String {
        let edge = &self.flow.edges[cut.edge];
        let (from, to) = (edge.from, edge.to);
        let step = self.way(to);
        let is_own = step.is_some_and(|(f, b, w)| objective.places.contains(&Place::Edge(f, b, w)));
        let branch = step.and_then(|(f, b, w)| self.written.at(f, b, w)).cloned();
        let context = self.called(to);
        let needed = self.formulas(&cut.guards, from);
        let head = match (&branch, &needed) {
            (Some(branch), _) if is_own => format!("{}{context} is never {}", branch.place(), branch.outcome()),
            (Some(branch), _) => {
                format!("{} {}{context} being {}, and it never is", leads(alone), branch.place(), branch.outcome())
            }
            (None, Some(needed)) if self.is_target(to, objective) => {
                format!("line {}{context} would need {needed}", objective.line)
            }
            (None, Some(needed)) => format!("the way on at {}{context} would need {needed}", self.line(to)),
            (None, None) => format!("the step to {}{context} is never taken", self.line(to)),
        };
        if cut.lemmas.is_empty() {
            let why = match needed.filter(|_| branch.is_some()) {
                Some(needed) => format!("it would need {needed}, which no value satisfies"),
                None => "no value satisfies that".to_owned(),
            };
            return format!("{head}: {why}");
        }
        format!("{head}: {}", self.fact(&cut.lemmas, from))
    }

    /// What always holds at a place.
    fn fact(&mut self, lemmas: &[TermId], at: LocationId) -> String {
        let place = self.place(at);
        match self.formulas(lemmas, at) {
            Some(text) => format!("{text} {place}"),
            None => {
                let names = self.names(lemmas, at);
                format!("what holds of {names} {place} excludes it (the certificate has it in full)")
            }
        }
    }

    /// What formulas are about.
    fn names(&mut self, formulas: &[TermId], at: LocationId) -> String {
        let vars = self.terms.variables(formulas);
        let names = Named::new(self.program, self.flow, &vars, at).all();
        if names.is_empty() { "memory".to_owned() } else { names.join(", ") }
    }

    fn formulas(&mut self, formulas: &[TermId], at: LocationId) -> Option<String> {
        let vars = self.terms.variables(formulas);
        let named = Named::new(self.program, self.flow, &vars, at);
        formula::all(self.terms, &|var| named.get(var), formulas)
    }

    /// Where the facts come from: loops at whose turns something holds, and the steps that make it so.
    fn origin(&mut self, proof: &Checked, facts: &[(LocationId, TermId)], said: &[String]) -> Vec<String> {
        let mut seen: BTreeSet<(LocationId, TermId)> = facts.iter().copied().collect();
        let mut work: VecDeque<(LocationId, TermId)> = facts.iter().copied().collect();
        let (mut heads, mut makers): (Vec<(LocationId, Vec<TermId>)>, Vec<String>) = (Vec::new(), Vec::new());
        let mut followed = 0;
        while let Some((location, lemma)) = work.pop_front() {
            followed += 1;
            if followed > MOST_FOLLOWED {
                break;
            }
            if self.is_loop_head(location) {
                match heads.iter_mut().find(|(head, _)| *head == location) {
                    Some((_, lemmas)) => lemmas.push(lemma),
                    None => heads.push((location, vec![lemma])),
                }
            }
            for step in proof.support.get(&(location, lemma)).into_iter().flatten() {
                let from = self.flow.edges[step.edge].from;
                if step.lemmas.is_empty() {
                    let maker = self.maker(step, lemma);
                    makers.extend(maker.filter(|maker| !makers.contains(maker)));
                }
                for &needed in &step.lemmas {
                    if seen.insert((from, needed)) {
                        work.push_back((from, needed));
                    }
                }
            }
        }
        let mut told: Vec<String> = Vec::new();
        for (head, lemmas) in heads.into_iter().take(MOST) {
            let line = self.line(head);
            let text = match self.formulas(&lemmas, head).filter(|text| text.len() <= LONGEST) {
                Some(text) => text,
                None => format!("something about {} that the certificate has in full", self.names(&lemmas, head)),
            };
            let text = format!("each turn of the loop at {line} begins with {text}");
            if !told.contains(&text) && !said.contains(&text) {
                told.push(text);
            }
        }
        // What is said with the fact itself need not be said again.
        let is_said = |maker: &String| {
            let once = format!("once {}", maker.replace(" being ", " is "));
            said.iter().any(|text| text.ends_with(&once))
        };
        makers.retain(|maker| !is_said(maker));
        if !makers.is_empty() {
            let more = makers.len().saturating_sub(MOST);
            let rest = if more > 0 { format!(", and {more} more") } else { String::new() };
            makers.truncate(MOST);
            told.push(format!("that comes from {}{rest}", makers.join(", ")));
        }
        told
    }

    /// A step after which a fact holds, whatever was before.
    fn maker(&mut self, step: &Support, lemma: TermId) -> Option<String> {
        let edge = &self.flow.edges[step.edge];
        let (from, to) = (edge.from, edge.to);
        if !step.guards.is_empty()
            && let Some((f, b, w)) = self.way(to)
            && let Some(branch) = self.written.at(f, b, w)
        {
            return Some(format!("{} being {}", branch.place(), branch.outcome()));
        }
        if self.flow.contexts[self.flow.locations[from].context].caller.is_none() && !step.guards.is_empty() {
            let assumed = self.formulas(&step.guards, from);
            return Some(assumed.unwrap_or_else(|| "what holds on entry".to_owned()));
        }
        let about = self.terms.variables(&[lemma]);
        let set = edge.assign.clone();
        let named = Named::new(self.program, self.flow, &about, to);
        let mut values = Vec::new();
        for (var, term) in set.into_iter().filter(|(var, _)| about.contains(var)) {
            let named = named.get(var).filter(|(name, _)| !name.contains(COMPUTED));
            let Some((name, sign)) = named else { continue };
            let vars = self.terms.variables(&[term]);
            let before = Named::new(self.program, self.flow, &vars, from);
            let value = formula::value(self.terms, &|var| before.get(var), term, sign);
            values.extend(value.filter(|value| *value != name).map(|value| format!("{name} = {value}")));
        }
        if !values.is_empty() {
            return Some(format!("{} on the way to {}", values.join(", "), self.line(to)));
        }
        (!step.guards.is_empty()).then(|| format!("the step to {}", self.line(to)))
    }

    /// The way out of a block that leads to a location.
    fn way(&self, to: LocationId) -> Option<(FuncId, Block, u32)> {
        let location = &self.flow.locations[to];
        let function = self.flow.contexts[location.context].function;
        let body = self.program.functions.get(function)?.body.as_ref()?;
        match location.spot {
            Spot::Way(block, way) => Some((function, block, way)),
            Spot::Block(block) => {
                let mut ways = ways_to(body, block);
                let first = ways.next()?;
                let is_choice = body.blocks[first.0].term.edges().len() > 1;
                (ways.next().is_none() && is_choice).then_some((function, first.0, first.1))
            }
            _ => None,
        }
    }

    fn is_target(&self, to: LocationId, objective: &Objective) -> bool {
        let location = &self.flow.locations[to];
        let function = self.flow.contexts[location.context].function;
        let is_here = |place: &Place| match (*place, location.spot) {
            (Place::Label(f, inst, _), Spot::Label(here)) => f == function && inst == here,
            _ => false,
        };
        objective.places.iter().any(is_here)
    }

    fn is_loop_head(&self, at: LocationId) -> bool {
        let location = &self.flow.locations[at];
        let function = self.flow.contexts[location.context].function;
        let body = self.program.functions.get(function).and_then(|f| f.body.as_ref());
        match (location.spot, body) {
            (Spot::Block(block), Some(body)) => Loops::new(body).is_head(block),
            _ => false,
        }
    }

    /// When something holds at a place, in words.
    fn place(&self, at: LocationId) -> String {
        let location = &self.flow.locations[at];
        let context = self.called(at);
        if let Some(branch) = self.way(at).and_then(|(f, b, w)| self.written.at(f, b, w)) {
            return format!("once {} is {}{context}", branch.place(), branch.outcome());
        }
        match location.spot {
            Spot::Root => "on entry".to_owned(),
            Spot::After(_) => format!("after the call in {}{context}", self.line(at)),
            Spot::Block(Block::ENTRY) if context.is_empty() => "on entry".to_owned(),
            _ => format!("whenever a run comes to {}{context}", self.line(at)),
        }
    }

    fn line(&self, at: LocationId) -> String {
        let location = &self.flow.locations[at];
        let function = self.flow.contexts[location.context].function;
        let body = self.program.functions.get(function).and_then(|f| f.body.as_ref());
        let first = match (location.spot, body) {
            (Spot::Block(block), Some(body)) => next_line(body, block),
            _ => None,
        };
        match first.unwrap_or(location.loc.line) {
            0 => "an unknown line".to_owned(),
            line => format!("line {line}"),
        }
    }

    /// ` in g (called in line 3)` for what is not in the function under test itself.
    fn called(&self, at: LocationId) -> String {
        let context = self.flow.locations[at].context;
        let name =
            |context| self.program.functions.get(self.flow.contexts[context].function).map_or("?", |f| f.source_name());
        let mut lines = Vec::new();
        let mut here = context;
        while let Some((caller, inst)) = self.flow.contexts[here].caller {
            let function = self.program.functions.get(self.flow.contexts[caller].function);
            let call = function.and_then(|f| f.body.as_ref()?.insts.get(inst));
            if let Some(line) = call.map(|c| c.loc.line).filter(|_| !name(caller).starts_with("__covenant")) {
                lines.push(line.to_string());
            }
            here = caller;
        }
        match lines.is_empty() {
            true => String::new(),
            false => format!(" in {} (called in line {})", name(context), lines.join(", from line ")),
        }
    }
}

/// How a text begins about an outcome on the way to something.
pub fn leads(alone: bool) -> &'static str {
    if alone { "to come there needs" } else { "one way there needs" }
}

/// All ways that lead to a block.
fn ways_to(body: &Body, to: Block) -> impl Iterator<Item = (Block, u32)> + '_ {
    body.blocks.iter().flat_map(move |(block, data)| {
        let ways = data.term.edges().into_iter().zip(0..).filter(move |(edge, _)| edge.block == to);
        ways.map(move |(_, way)| (block, way)).collect::<Vec<_>>()
    })
}

/// A branch in words: ``line 7 `x > 10` is false``.
pub fn outcome(branch: &Branch) -> String {
    format!("{} is {}", branch.place(), branch.outcome())
}
