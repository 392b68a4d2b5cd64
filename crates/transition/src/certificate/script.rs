//! The SMT-LIB text of an invariant and of what must be asked about it. The file for people and the questions to the
//! checker's solver have the same text but for comments; the substitution of the step into the formula is left to the
//! solver, as the application of a function.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use covenant_constraints::smtlib::named::{BitsFunction, Names, Texts, texts};
use covenant_constraints::solver::backends::Theory;
use covenant_constraints::{Sort, TermId, Terms, VarId};
use covenant_goals::certificate::{Question, Script};
use covenant_program::ir::Program;
use rustc_hash::FxHashMap;

use super::keys::{BITS, INVARIANT, Index};
use super::{Invariant, edges, words};
use crate::flow::{EdgeId, Flow, LocationId};

/// The questions whose answers `unsat` confirm condition 2 for every edge.
pub fn script(terms: &Terms, program: &Program, flow: &Flow, index: &Index, invariant: &Invariant) -> Script {
    let book = Book::new(terms, flow, index, invariant);
    let mut prelude = format!("(set-logic {})\n", book.logic());
    for function in &book.bits {
        let _ = writeln!(prelude, "{}", function.declaration());
    }
    for var in &book.state {
        let _ = writeln!(prelude, "{}", book.declaration(*var));
    }
    for formula in &book.formulas {
        prelude.push_str(&book.definition(formula));
    }
    let question = |asked: &Asked| Question {
        text: book.question(asked).lines().iter().map(|line| format!("{line}\n")).collect(),
        words: keeps(program, flow, asked.edge),
        free: Vec::new(),
    };
    Script { prelude, questions: book.asked.iter().map(question).collect() }
}

/// What an edge must do, in words.
pub(super) fn keeps(program: &Program, flow: &Flow, edge: EdgeId) -> String {
    let edge = &flow.edges[edge];
    let (from, to) = (words::place(program, flow, edge.from), words::place(program, flow, edge.to));
    format!("the step from {from} to {to} keeps what the certificate says")
}

/// A formula and where it holds.
pub(super) struct Formula {
    pub(super) number: usize,
    pub(super) term: TermId,
    params: Vec<VarId>,
    pub(super) locations: Vec<LocationId>,
    texts: Texts,
}

/// An edge to ask about, with the formulas of its ends.
pub(super) struct Asked {
    pub(super) edge: EdgeId,
    from: Option<usize>,
    to: usize,
}

/// What is asserted about one edge.
pub(super) struct Assertions {
    /// Declarations of choices.
    pub(super) choices: Vec<String>,
    /// What terms share, and what holds of the bits of floats.
    pub(super) definitions: Vec<String>,
    /// The start's formula.
    pub(super) start: Vec<String>,
    pub(super) guards: Vec<String>,
    /// That the end's formula fails.
    pub(super) end: Vec<String>,
}

impl Assertions {
    fn lines(&self) -> Vec<String> {
        let parts = [&self.choices, &self.definitions, &self.start, &self.guards, &self.end];
        parts.into_iter().flatten().cloned().collect()
    }
}

/// All that is to be written, numbered and named.
pub(super) struct Book<'a> {
    terms: &'a Terms,
    flow: &'a Flow,
    names: &'a Names,
    pub(super) formulas: Vec<Formula>,
    pub(super) asked: Vec<Asked>,
    /// Variables of the state that the text is about.
    pub(super) state: BTreeSet<VarId>,
    pub(super) bits: Vec<BitsFunction>,
    theory: Theory,
}

impl<'a> Book<'a> {
    pub(super) fn new(terms: &'a Terms, flow: &'a Flow, index: &'a Index, invariant: &Invariant) -> Book<'a> {
        let names = &index.names;
        let formulas = formulas(terms, names, invariant);
        let numbers: FxHashMap<TermId, usize> = formulas.iter().enumerate().map(|(i, f)| (f.term, i)).collect();
        let mut asked = Vec::new();
        let mut roots: Vec<TermId> = formulas.iter().map(|f| f.term).collect();
        for (edge, from, to) in edges(terms, flow, invariant) {
            let Some(&to) = numbers.get(&to) else { continue };
            roots.extend(&flow.edges[edge].guard);
            roots.extend(arguments(terms, flow, edge, &formulas[to]));
            asked.push(Asked { edge, from: numbers.get(&from).copied(), to });
        }
        let variables = terms.variables(&roots);
        let state = variables.into_iter().filter(|&var| flow.is_state(var)).collect();
        let bits = BitsFunction::of(terms, &roots);
        let theory = Theory::of(terms, roots.iter().copied());
        Book { terms, flow, names, formulas, asked, state, bits, theory }
    }

    pub(super) fn logic(&self) -> &'static str {
        // SMT-LIB has no logic for just this: the functions for the bits of floats are uninterpreted.
        if self.bits.is_empty() { self.theory.logic() } else { "ALL" }
    }

    pub(super) fn declaration(&self, var: VarId) -> String {
        format!("(declare-const {} {})", self.names.quoted(var), self.terms.var_sort(var))
    }

    /// Variables of the formulas, in the order of their names' making.
    pub(super) fn stated(&self) -> BTreeSet<VarId> {
        self.formulas.iter().flat_map(|formula| formula.params.iter().copied()).collect()
    }

    /// The name of a variable without the bars.
    pub(super) fn symbol(&self, var: VarId) -> String {
        self.names.quoted(var).trim_matches('|').to_owned()
    }

    /// The function of a formula, and one for what must be asserted wherever it is used.
    pub(super) fn definition(&self, formula: &Formula) -> String {
        let param = |&var: &VarId| format!("({} {})", self.names.quoted(var), self.terms.var_sort(var));
        let params: Vec<String> = formula.params.iter().map(param).collect();
        let params = params.join(" ");
        let body = formula.texts.within_lets(&formula.texts.roots.concat());
        let mut out = format!("(define-fun {INVARIANT}{} ({params}) Bool {body})\n", formula.number);
        if !formula.texts.conditions.is_empty() {
            let all = formula.texts.within_lets(&format!("(and true {})", formula.texts.conditions.join(" ")));
            let _ = writeln!(out, "(define-fun {BITS}{} ({params}) Bool {all})", formula.number);
        }
        out
    }

    pub(super) fn question(&self, asked: &Asked) -> Assertions {
        let edge = &self.flow.edges[asked.edge];
        let to = &self.formulas[asked.to];
        let mut roots = edge.guard.clone();
        roots.extend(arguments(self.terms, self.flow, asked.edge, to));
        let texts = texts(self.terms, &roots, self.names);
        let (guards, after) = texts.roots.split_at(edge.guard.len());
        let choices = self.terms.variables(&roots).into_iter().filter(|&var| !self.flow.is_state(var));
        let choices = choices.map(|var| self.declaration(var)).collect();
        let define = |(name, sort, text): &(String, Sort, String)| format!("(define-fun {name} () {sort} {text})");
        let mut definitions: Vec<String> = texts.definitions.iter().map(define).collect();
        definitions.extend(texts.conditions.iter().map(|c| assert(c)));
        let mut start = Vec::new();
        if let Some(from) = asked.from.map(|number| &self.formulas[number]) {
            let before: Vec<String> = from.params.iter().map(|&var| self.names.quoted(var)).collect();
            start.push(assert(&call(INVARIANT, from, &before)));
            start.extend(self.bits_of(from, &before));
        }
        let mut end = vec![assert(&format!("(not {})", call(INVARIANT, to, after)))];
        end.extend(self.bits_of(to, after));
        Assertions { choices, definitions, start, guards: guards.iter().map(|g| assert(g)).collect(), end }
    }

    fn bits_of(&self, formula: &Formula, arguments: &[String]) -> Option<String> {
        (!formula.texts.conditions.is_empty()).then(|| assert(&call(BITS, formula, arguments)))
    }

    /// The names of the formulas at the ends of an edge; nothing for `true`.
    pub(super) fn ends(&self, asked: &Asked) -> (Option<String>, String) {
        let name = |number: usize| format!("{INVARIANT}{}", self.formulas[number].number);
        (asked.from.map(name), name(asked.to))
    }
}

fn assert(text: &str) -> String {
    format!("(assert {text})")
}

fn call(prefix: &str, formula: &Formula, arguments: &[String]) -> String {
    let name = format!("{prefix}{}", formula.number);
    if arguments.is_empty() { name } else { format!("({name} {})", arguments.join(" ")) }
}

/// Each formula but `true` once, in the order of the first location that has it.
fn formulas(terms: &Terms, names: &Names, invariant: &Invariant) -> Vec<Formula> {
    let mut by_term: BTreeMap<TermId, Vec<LocationId>> = BTreeMap::new();
    for (&location, &term) in invariant.0.iter().filter(|(_, term)| **term != terms.tt()) {
        by_term.entry(term).or_default().push(location);
    }
    let mut all: Vec<(TermId, Vec<LocationId>)> = by_term.into_iter().collect();
    all.sort_unstable_by(|a, b| a.1.cmp(&b.1));
    let formula = |(i, (term, locations)): (usize, (TermId, Vec<LocationId>))| Formula {
        number: i + 1,
        term,
        params: terms.variables(&[term]),
        locations,
        texts: texts(terms, &[term], names),
    };
    all.into_iter().enumerate().map(formula).collect()
}

/// What the parameters of the end's formula are after the step.
fn arguments(terms: &Terms, flow: &Flow, edge: EdgeId, to: &Formula) -> Vec<TermId> {
    let assign = &flow.edges[edge].assign;
    let value = |&var: &VarId| assign.iter().find(|(v, _)| *v == var).map_or_else(|| terms.var_term(var), |(_, t)| *t);
    to.params.iter().map(value).collect()
}
