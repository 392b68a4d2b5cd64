//! Reading a certificate back: the formulas and where they hold, over the flow that was built anew. Everything that is not
//! understood is refused.

use covenant_constraints::smtlib::parse::{self, Document, Kind, Sexp};
use covenant_constraints::{Sort, TermId, Terms};
use rustc_hash::FxHashMap;

use super::Invariant;
use super::keys::{INVARIANT, Index};

/// The keyword and value that say which version of the form a file has.
pub(super) const VERSION: (&str, &str) = ("covenant-certificate", "2");
pub(super) const OBJECTIVE: &str = "covenant-objective";
pub(super) const AT: &str = "covenant-at";
pub(super) const VARIABLE: &str = "covenant-variable";

/// Why a text is no certificate of this program and objective.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct Unreadable(pub String);

impl From<parse::ParseError> for Unreadable {
    fn from(error: parse::ParseError) -> Unreadable {
        Unreadable(error.to_string())
    }
}

/// The invariant of a certificate, as formulas over the variables of the flow that the index is of.
pub fn read(text: &str, terms: &mut Terms, index: &Index, objective: &str) -> Result<Invariant, Unreadable> {
    let doc = Document::read(text)?;
    let mut reader =
        Reader { doc: &doc, index, formulas: FxHashMap::default(), places: Vec::new(), version: None, objective: None };
    reader.commands(terms)?;
    if reader.version.as_deref() != Some(VERSION.1) {
        return Err(Unreadable(format!("there is no `(set-info :{} \"{}\")`", VERSION.0, VERSION.1)));
    }
    match &reader.objective {
        Some(named) if named == objective => {}
        Some(other) => return Err(Unreadable(format!("it is the certificate of {other}, not of {objective}"))),
        None => return Err(Unreadable("it does not name its objective".to_owned())),
    }
    reader.invariant()
}

struct Reader<'a> {
    doc: &'a Document<'a>,
    index: &'a Index,
    formulas: FxHashMap<String, TermId>,
    /// Names of formulas and keys of locations.
    places: Vec<(String, String)>,
    version: Option<String>,
    objective: Option<String>,
}

impl Reader<'_> {
    fn commands(&mut self, terms: &mut Terms) -> Result<(), Unreadable> {
        // What stands between push and pop are questions, which are asked anew.
        let mut depth = 0u32;
        for &command in self.doc.items() {
            let items = self.doc.list(command).unwrap_or_default();
            match items.first().and_then(|k| self.doc.symbol(*k)) {
                Some("push") => depth += 1,
                Some("pop") => {
                    depth = depth.checked_sub(1).ok_or_else(|| self.refuse(command, "a pop without a push"))?;
                }
                Some(_) if depth > 0 => {}
                Some("set-info") => self.info(command)?,
                Some("define-fun") => self.formula(command, terms)?,
                Some("set-logic" | "declare-const" | "declare-fun") => {}
                _ => return Err(self.refuse(command, "no command of a certificate")),
            }
        }
        Ok(())
    }

    fn refuse(&self, at: Sexp, message: &str) -> Unreadable {
        Unreadable(format!("{}: {message}", self.doc.position(at)))
    }

    fn info(&mut self, command: Sexp) -> Result<(), Unreadable> {
        let Some(&[_, key, value]) = self.doc.list(command) else { return Ok(()) };
        let (Kind::Keyword(key), Kind::Text(value)) = (self.doc.kind(key), self.doc.kind(value)) else { return Ok(()) };
        let value = value.replace("\"\"", "\"");
        match *key {
            key if key == VERSION.0 => self.version = Some(value),
            OBJECTIVE => self.objective = Some(value),
            AT => {
                let (name, key) =
                    value.split_once(' ').ok_or_else(|| self.refuse(command, "the name and the key are missing"))?;
                self.places.push((name.to_owned(), key.to_owned()));
            }
            _ => {}
        }
        Ok(())
    }

    /// A formula, with its parameters replaced by the variables of the same names.
    fn formula(&mut self, command: Sexp, terms: &mut Terms) -> Result<(), Unreadable> {
        let name = self.doc.list(command).and_then(|l| self.doc.symbol(*l.get(1)?));
        if !name.is_some_and(|name| name.starts_with(INVARIANT)) {
            return Ok(());
        }
        let definition = parse::definition(self.doc, command, terms, &self.index.state)?;
        if definition.sort != Sort::Bool {
            return Err(self.refuse(command, "the formula is not Boolean"));
        }
        let mut map = FxHashMap::default();
        for &param in &definition.params {
            let name = terms.var_name(param).to_owned();
            let Some(variable) = self.index.state.get(&name) else {
                return Err(self.refuse(command, &format!("the program has no variable `{name}` here")));
            };
            if terms.sort(variable) != terms.var_sort(param) {
                return Err(self.refuse(command, &format!("`{name}` has the sort {}", terms.sort(variable))));
            }
            map.insert(terms.var_term(param), variable);
        }
        let formula = terms.substitute(definition.body, &map);
        match self.formulas.insert(definition.name.clone(), formula) {
            None => Ok(()),
            Some(_) => Err(self.refuse(command, &format!("{} is defined twice", definition.name))),
        }
    }

    fn invariant(&self) -> Result<Invariant, Unreadable> {
        let mut invariant = Invariant::new();
        for (name, key) in &self.places {
            let Some(&formula) = self.formulas.get(name) else {
                return Err(Unreadable(format!("the formula {name} of {key} is missing")));
            };
            let Some(location) = self.index.keys.location(key) else {
                return Err(Unreadable(format!("the program has no place {key}")));
            };
            if invariant.0.insert(location, formula).is_some() {
                return Err(Unreadable(format!("the place {key} has two formulas")));
            }
        }
        Ok(invariant)
    }
}
