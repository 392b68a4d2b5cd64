//! SMT-LIB 2 text back into terms: what [`super::script`] writes, and what solvers print in their models.
//!
//! * [`term`] reads one term over the names of a [`Scope`];
//! * [`definitions`] reads a list of `define-fun`, such as a model;
//! * [`script`] reads a whole script of declarations, definitions and assertions.
//!
//! Terms are built with the rewriting builder methods, so a term comes back as it would be built anew. Everything that is
//! not understood is an error with its place; nothing panics, and nothing recurses on the depth of the text.

mod apply;
mod floats;
mod idiom;
mod sexp;
pub mod walk;

use rustc_hash::FxHashMap;

pub use sexp::{Document, Kind, ParseError, Position, Reader, Sexp};

use self::apply::{TermAlgebra, Value};
use crate::sort::{FloatKind, Sort};
use crate::term::{TermId, Terms, VarId};

/// A function that a text defines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// How applications name it.
    pub name: String,
    /// Fresh variables that stand for the arguments in the body.
    pub params: Vec<VarId>,
    /// What an application is.
    pub sort: Sort,
    /// The term, over `params`.
    pub body: TermId,
}

/// What names mean.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    names: FxHashMap<String, TermId>,
    functions: FxHashMap<String, Definition>,
}

impl Scope {
    /// No name means anything.
    pub fn new() -> Scope {
        Scope::default()
    }

    /// The name means the term from now on.
    pub fn bind(&mut self, name: impl Into<String>, term: TermId) {
        self.names.insert(name.into(), term);
    }

    /// The name of the definition means it from now on.
    pub fn define(&mut self, definition: Definition) {
        if definition.params.is_empty() {
            self.bind(definition.name, definition.body);
        } else {
            self.functions.insert(definition.name.clone(), definition);
        }
    }

    /// The term that a name means.
    pub fn get(&self, name: &str) -> Option<TermId> {
        self.names.get(name).copied()
    }

    /// The function that a name means, if it takes arguments.
    pub fn function(&self, name: &str) -> Option<&Definition> {
        self.functions.get(name)
    }
}

impl FromIterator<(String, TermId)> for Scope {
    fn from_iter<I: IntoIterator<Item = (String, TermId)>>(iter: I) -> Scope {
        Scope { names: iter.into_iter().collect(), functions: FxHashMap::default() }
    }
}

/// Reads one term.
pub fn term(text: &str, terms: &mut Terms, scope: &Scope) -> Result<TermId, ParseError> {
    let doc = Document::read(text)?;
    match doc.items() {
        [only] => term_of(&doc, *only, terms, scope),
        [] => Err(ParseError { at: Position { line: 1, column: 1 }, message: "there is no term".into() }),
        [_, second, ..] => Err(doc.error(*second, "only one term is expected")),
    }
}

/// Reads a list of definitions, in or without parentheses around them all. Each one may use those before it.
pub fn definitions(text: &str, terms: &mut Terms, scope: &Scope) -> Result<Vec<Definition>, ParseError> {
    let doc = Document::read(text)?;
    let mut scope = scope.clone();
    let mut result = Vec::new();
    for &item in definition_items(&doc) {
        let definition = definition(&doc, item, terms, &scope)?;
        scope.define(definition.clone());
        result.push(definition);
    }
    Ok(result)
}

/// The items that should be definitions: those of the text, or of the one list that holds them (older solvers begin it
/// with the word `model`).
pub fn definition_items<'d>(doc: &'d Document<'_>) -> &'d [Sexp] {
    let [only] = doc.items() else { return doc.items() };
    match doc.list(*only) {
        Some([first, rest @ ..]) if doc.symbol(*first) == Some("model") => rest,
        Some(all @ [first, ..]) if doc.list(*first).is_some() => all,
        Some([]) => &[],
        _ => doc.items(),
    }
}

/// A script, read.
#[derive(Clone, Debug, Default)]
pub struct Script {
    /// In order, without those that only say what the bits of a float are.
    pub assertions: Vec<TermId>,
    /// The scope given, with all that the script declares and defines.
    pub scope: Scope,
}

/// Reads a script. A constant that it declares is the one of that name in the scope, if that has the sort, or else a fresh
/// variable.
pub fn script(text: &str, terms: &mut Terms, scope: &Scope) -> Result<Script, ParseError> {
    let doc = Document::read(text)?;
    let mut script = Script { assertions: Vec::new(), scope: scope.clone() };
    // What the command before declared, as only there a declaration and an assertion can be one idiom.
    let mut declared: Option<&str> = None;
    for &command in doc.items() {
        let items = doc.list(command).unwrap_or_default();
        let keyword = items.first().and_then(|k| doc.symbol(*k));
        let before = declared.take();
        match (keyword, items) {
            (Some("set-logic" | "set-option" | "set-info" | "check-sat" | "get-model" | "exit"), _) => {}
            (Some("declare-const"), &[_, name, sort]) => {
                declared = Some(declare(&doc, name, sort, terms, &mut script.scope)?);
            }
            (Some("declare-fun"), &[_, name, params, sort]) if doc.list(params).is_some_and(<[_]>::is_empty) => {
                declared = Some(declare(&doc, name, sort, terms, &mut script.scope)?);
            }
            (Some("define-fun"), _) => {
                let definition = definition(&doc, command, terms, &script.scope)?;
                script.scope.define(definition);
            }
            (Some("assert"), &[_, condition]) => {
                let bits = before.and_then(|name| idiom::bits_of_float(&doc, condition, name).map(|f| (name, f)));
                if let Some((name, float)) = bits {
                    let float = term_of(&doc, float, terms, &script.scope)?;
                    let bits = apply::float_bits(terms, float).map_err(|m| doc.error(condition, m))?;
                    script.scope.bind(name, bits);
                    continue;
                }
                let term = term_of(&doc, condition, terms, &script.scope)?;
                if terms.sort(term) != Sort::Bool {
                    return Err(doc.error(condition, "what is asserted must be Bool"));
                }
                script.assertions.push(term);
            }
            (Some(name), _) => return Err(doc.error(command, format!("the command {name} is not supported like this"))),
            (None, _) => return Err(doc.error(command, "a command is expected")),
        }
    }
    Ok(script)
}

fn declare<'a>(
    doc: &Document<'a>,
    name: Sexp,
    sort: Sexp,
    terms: &mut Terms,
    scope: &mut Scope,
) -> Result<&'a str, ParseError> {
    let symbol = doc.symbol(name).ok_or_else(|| doc.error(name, "a name is expected"))?;
    let sort = self::sort(doc, sort)?;
    if scope.get(symbol).is_none_or(|t| terms.sort(t) != sort) {
        let fresh = terms.new_var(symbol, sort);
        scope.bind(symbol, fresh);
    }
    Ok(symbol)
}

/// Reads a term; names are those of the scope.
pub fn term_of(doc: &Document<'_>, s: Sexp, terms: &mut Terms, scope: &Scope) -> Result<TermId, ParseError> {
    match walk::walk(doc, s, &mut TermAlgebra { terms, scope })? {
        Value::Term(t) => Ok(t),
        Value::Mode(_) => Err(doc.error(s, "a rounding mode is no term")),
    }
}

/// The parts of `(define-fun NAME (PARAMS) SORT BODY)`: name, pairs of name and sort, sort, body.
pub type DefinitionParts<'a> = (&'a str, Vec<(&'a str, Sexp)>, Sexp, Sexp);

/// Takes a definition apart without reading sorts and body.
pub fn definition_parts<'a>(doc: &Document<'a>, s: Sexp) -> Result<DefinitionParts<'a>, ParseError> {
    let malformed = |at: Sexp| doc.error(at, "(define-fun name ((name sort) ...) sort term) is expected");
    let Some(&[keyword, name, params, sort, body]) = doc.list(s) else { return Err(malformed(s)) };
    if doc.symbol(keyword) != Some("define-fun") {
        return Err(malformed(s));
    }
    let name = doc.symbol(name).ok_or_else(|| malformed(name))?;
    let params = doc.list(params).ok_or_else(|| malformed(params))?;
    let pair = |&p: &Sexp| match doc.list(p) {
        Some(&[name, sort]) => doc.symbol(name).map(|n| (n, sort)).ok_or_else(|| malformed(p)),
        _ => Err(malformed(p)),
    };
    let params = params.iter().map(pair).collect::<Result<_, _>>()?;
    Ok((name, params, sort, body))
}

/// Reads one `(define-fun NAME (PARAMS) SORT BODY)`. The body is over the parameters and the scope.
pub fn definition(doc: &Document<'_>, s: Sexp, terms: &mut Terms, scope: &Scope) -> Result<Definition, ParseError> {
    let (name, parts, sort, body) = definition_parts(doc, s)?;
    let sort = self::sort(doc, sort)?;
    // Copied only where parameters hide other names.
    let mut inner = std::borrow::Cow::Borrowed(scope);
    let mut params = Vec::with_capacity(parts.len());
    for (param, sort) in parts {
        let var = terms.var(param, self::sort(doc, sort)?);
        params.push(var);
        inner.to_mut().bind(param, terms.var_term(var));
    }
    let at = body;
    let body = term_of(doc, body, terms, &inner)?;
    if terms.sort(body) != sort {
        return Err(doc.error(at, format!("the term is of sort {}, not {sort}", terms.sort(body))));
    }
    Ok(Definition { name: name.into(), params, sort, body })
}

/// Reads a sort.
pub fn sort(doc: &Document<'_>, s: Sexp) -> Result<Sort, ParseError> {
    let unknown = || doc.error(s, "this sort is not supported");
    match doc.symbol(s) {
        Some("Bool") => return Ok(Sort::Bool),
        Some("Float32") => return Ok(Sort::Float(FloatKind::F32)),
        Some("Float64") => return Ok(Sort::Float(FloatKind::F64)),
        Some(_) => return Err(unknown()),
        None => {}
    }
    let items = doc.list(s).ok_or_else(unknown)?;
    let number = |s: Sexp| doc.index(s).and_then(|n| u8::try_from(n).ok()).ok_or_else(unknown);
    let word = |i: usize| items.get(i).and_then(|w| doc.symbol(*w));
    match (word(0), word(1), items) {
        (Some("_"), Some("BitVec"), &[_, _, width]) => match number(width)? {
            w @ 1..=128 => Ok(Sort::Bv(w)),
            _ => Err(unknown()),
        },
        (Some("_"), Some("FloatingPoint"), &[_, _, exponent, significand]) => {
            float_kind(number(exponent)?.into(), number(significand)?.into()).map(Sort::Float).ok_or_else(unknown)
        }
        (Some("Array"), _, &[_, index, element]) => {
            // The one array sort there is; these two are no arrays, so this does not go deep.
            let plain = |s: Sexp, width: u32| {
                doc.list(s).is_some_and(|l| match l {
                    &[u, name, w] => {
                        doc.symbol(u) == Some("_") && doc.symbol(name) == Some("BitVec") && doc.index(w) == Some(width)
                    }
                    _ => false,
                })
            };
            if plain(index, 64) && plain(element, 8) { Ok(Sort::Array) } else { Err(unknown()) }
        }
        _ => Err(unknown()),
    }
}

fn float_kind(exponent: u32, significand: u32) -> Option<FloatKind> {
    FloatKind::ALL
        .into_iter()
        .find(|k| (u32::from(k.exponent_bits()), u32::from(k.significand_bits())) == (exponent, significand))
}

#[cfg(test)]
mod tests;
