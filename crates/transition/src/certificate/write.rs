//! A certificate as a file for people and for the checker. The header of this module's parent documents the form.

use std::fmt::Write as _;

use covenant_constraints::Terms;
use covenant_goals::Objective;
use covenant_program::ir::Program;

use super::infix::infix;
use super::keys::{self, INVARIANT, Index, Keys};
use super::script::{Asked, Book, Formula, keeps};
use super::words::{self, Lines};
use super::{Invariant, read};
use crate::flow::Flow;

/// What a certificate says besides the proof.
#[derive(Clone, Copy)]
pub struct Story<'a> {
    /// The program that the flow was made from.
    pub program: &'a Program,
    /// What no run reaches.
    pub objective: &'a Objective,
    /// Who found the invariant.
    pub prover: &'a str,
    /// The limits of the input space, in words.
    pub assumptions: &'a [String],
    /// A line of a source file, by the file's name in the program.
    pub lines: Lines<'a>,
}

impl std::fmt::Debug for Story<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Story").field("objective", &self.objective.id).field("prover", &self.prover).finish()
    }
}

/// The text of the certificate.
pub fn write(terms: &Terms, flow: &Flow, index: &Index, invariant: &Invariant, story: &Story<'_>) -> String {
    let book = Book::new(terms, flow, index, invariant);
    let mut writer = Writer { terms, flow, story, book: &book, keys: &index.keys, out: String::new() };
    writer.header();
    writer.variables();
    writer.formulas();
    writer.questions();
    writer.out
}

struct Writer<'a> {
    terms: &'a Terms,
    flow: &'a Flow,
    story: &'a Story<'a>,
    book: &'a Book<'a>,
    keys: &'a Keys,
    out: String,
}

impl Writer<'_> {
    fn line(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }

    /// Texts come from sources: they may hold anything, but a comment ends with its line.
    fn comment(&mut self, text: &str) {
        let clean: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let _ = writeln!(self.out, "; {}", clean.trim_end());
    }

    fn comments(&mut self, text: &str) {
        text.lines().for_each(|line| self.comment(line));
    }

    fn header(&mut self) {
        let objective = self.story.objective;
        let place = format!("{}:{}:{}", objective.file, objective.line, objective.column);
        self.comment(&format!("Certificate: no input reaches the {} objective {}", objective.criterion, objective.id));
        self.comment(&format!("  {place} in {}: `{}` is {}", objective.function, objective.text, objective.outcome));
        self.comment(&format!("proved by: {}", self.story.prover));
        for assumption in self.story.assumptions {
            self.comment(&format!("assumed: {assumption}"));
        }
        for approximation in &self.flow.approximations {
            self.comment(&format!("may do more than the program does: {approximation}"));
        }
        let (formulas, questions) = (self.book.formulas.len(), self.book.asked.len());
        self.comments(&format!(
            "\n\
             How to read it: each function {INVARIANT}K below says what holds whenever a run is at the places named above\n\
             it; at all other places nothing is said. `false` means that no run comes there, as at the objective. At the\n\
             start a run may have any state. Then each step of the program into one of these places is asked about: from\n\
             what holds before it and the conditions on the way, can what should hold after it fail? No: each of the\n\
             {questions} answers is unsat. So the {formulas} formulas hold by induction over the steps of any run. Steps\n\
             that change nothing in a formula and start where it holds are left out.\n\
             \n\
             Run it with any SMT-LIB 2 solver, e.g. `cvc5 --incremental FILE`. `covenant check` reads only the formulas\n\
             and their places from this file and asks all questions anew, from the program."
        ));
        let logic = self.book.logic();
        self.line(&format!("(set-logic {logic})"));
        self.line(&format!("(set-info :{} \"{}\")", read::VERSION.0, read::VERSION.1));
        self.line(&format!("(set-info :{} \"{}\")", read::OBJECTIVE, objective.id.replace('"', "\"\"")));
    }

    fn variables(&mut self) {
        self.line("");
        self.comment("Variables of the state.");
        for function in &self.book.bits {
            self.line(&function.declaration());
        }
        for var in &self.book.state {
            let what = self.flow.variables.get(var).map(|s| words::variable(self.story.program, self.flow, s));
            let what = what.unwrap_or_default().replace(|c: char| c.is_control(), " ");
            self.line(&format!("{} ; {what}", self.book.declaration(*var)));
        }
        for var in &self.book.stated() {
            let Some(source) = self.flow.variables.get(var) else { continue };
            let meant = keys::meant(self.story.program, self.flow, source);
            let text = format!("{meant} {}", self.book.symbol(*var)).replace('"', "\"\"");
            self.line(&format!("(set-info :{} \"{text}\")", read::VARIABLE));
        }
    }

    fn formulas(&mut self) {
        for formula in &self.book.formulas {
            self.formula(formula);
        }
    }

    fn formula(&mut self, formula: &Formula) {
        self.line("");
        for &location in &formula.locations {
            let place = words::place(self.story.program, self.flow, location);
            let text = words::text(self.story.program, self.flow, location, self.story.lines);
            self.comment(&format!("{place}{}", text.map_or(String::new(), |t| format!(": {t}"))));
            self.line(&format!(
                "(set-info :{} \"{INVARIANT}{} {}\")",
                read::AT,
                formula.number,
                self.keys.key(location).replace('"', "\"\"")
            ));
        }
        if formula.term == self.terms.ff() {
            self.comment("  no run comes here");
        } else if let Some(text) = infix(self.terms, formula.term) {
            self.comment(&format!("  {text}"));
        }
        let definition = self.book.definition(formula);
        self.out.push_str(&definition);
    }

    fn questions(&mut self) {
        for asked in &self.book.asked {
            self.question(asked);
        }
    }

    fn question(&mut self, asked: &Asked) {
        let (from, to) = self.book.ends(asked);
        let parts = self.book.question(asked);
        self.line("");
        let words = keeps(self.story.program, self.flow, asked.edge);
        let names = from.map_or_else(|| to.clone(), |from| format!("{from} gives {to}"));
        self.comment(&format!("{words}: {names}"));
        self.line("(push 1)");
        let sections = [
            (parts.choices, " ; any value"),
            (parts.definitions, ""),
            (parts.start, " ; holds before"),
            (parts.guards, " ; the way is taken"),
            (parts.end, " ; fails after"),
        ];
        for (lines, note) in sections {
            lines.iter().for_each(|line| self.line(&format!("{line}{note}")));
        }
        self.line("(set-info :status unsat)");
        self.line("(check-sat) ; expected: unsat");
        self.line("(pop 1)");
    }
}
