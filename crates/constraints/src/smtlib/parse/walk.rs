//! Goes through the expression of a term, arguments first, and gives each part to an [`Algebra`] that says what it means.
//! So terms of this crate and integer formulas of a solver's model are read by the same code.
//!
//! An explicit stack keeps the work, as texts can be deep. `let` is resolved here.

use rustc_hash::FxHashMap;

use super::sexp::{Document, Kind, ParseError, Sexp};

/// What is applied: a symbol, perhaps with indices (`(_ extract 7 0)`) or a sort (`(as const S)`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head<'a> {
    /// The symbol.
    pub name: &'a str,
    /// The numbers of `(_ NAME …)`.
    pub indices: Vec<u32>,
    /// The sort of `(as NAME SORT)`.
    pub sort: Option<Sexp>,
}

impl<'a> Head<'a> {
    /// A symbol alone.
    pub fn plain(name: &'a str) -> Head<'a> {
        Head { name, indices: Vec::new(), sort: None }
    }
}

/// The meaning of words.
pub trait Algebra<'a> {
    /// What an expression means.
    type Value: Clone;

    /// A literal: numeral, decimal, hexadecimal or binary.
    fn literal(&mut self, literal: &Kind<'a>) -> Result<Self::Value, String>;

    /// An identifier that stands alone and that no `let` binds.
    fn constant(&mut self, head: &Head<'a>) -> Result<Self::Value, String>;

    /// What an application means, given what its arguments mean.
    fn apply(&mut self, doc: &Document<'a>, head: &Head<'a>, args: &[Self::Value]) -> Result<Self::Value, String>;

    /// A whole expression that means an application which has no text of its own.
    fn idiom(&self, _doc: &Document<'a>, _expression: Sexp) -> Option<(Head<'a>, Vec<Sexp>)> {
        None
    }
}

enum Task<'a> {
    Eval(Sexp),
    /// The arguments are the last values.
    Apply(Sexp, Head<'a>, usize),
    /// The last values get these names, for the body.
    Bind(Vec<&'a str>, Sexp),
    Unbind(Vec<&'a str>),
}

/// What the expression means.
pub fn walk<'a, A: Algebra<'a>>(doc: &Document<'a>, root: Sexp, algebra: &mut A) -> Result<A::Value, ParseError> {
    let mut walker = Walker { doc, tasks: vec![Task::Eval(root)], values: Vec::new(), bound: FxHashMap::default() };
    while let Some(task) = walker.tasks.pop() {
        walker.step(task, algebra)?;
    }
    walker.values.pop().ok_or_else(|| doc.error(root, "there is no term"))
}

struct Walker<'d, 'a, V> {
    doc: &'d Document<'a>,
    tasks: Vec<Task<'a>>,
    values: Vec<V>,
    /// The innermost binding is last.
    bound: FxHashMap<&'a str, Vec<V>>,
}

impl<'a, V: Clone> Walker<'_, 'a, V> {
    fn step<A: Algebra<'a, Value = V>>(&mut self, task: Task<'a>, algebra: &mut A) -> Result<(), ParseError> {
        match task {
            Task::Eval(s) => self.eval(s, algebra)?,
            Task::Apply(s, head, count) => {
                let first = self.values.len() - count;
                let value = algebra.apply(self.doc, &head, &self.values[first..]);
                self.values.truncate(first);
                self.values.push(value.map_err(|m| self.doc.error(s, m))?);
            }
            Task::Bind(names, body) => {
                let first = self.values.len() - names.len();
                for (name, value) in names.iter().zip(self.values.drain(first..)) {
                    self.bound.entry(name).or_default().push(value);
                }
                self.tasks.push(Task::Unbind(names));
                self.tasks.push(Task::Eval(body));
            }
            Task::Unbind(names) => {
                for name in names {
                    self.bound.get_mut(name).and_then(Vec::pop);
                }
            }
        }
        Ok(())
    }

    fn eval<A: Algebra<'a, Value = V>>(&mut self, s: Sexp, algebra: &mut A) -> Result<(), ParseError> {
        let doc = self.doc;
        let value = match doc.kind(s) {
            Kind::Symbol(name) => match self.bound.get(name).and_then(|b| b.last()) {
                Some(value) => Ok(value.clone()),
                None => algebra.constant(&Head::plain(name)),
            },
            Kind::List(items) => return self.list(s, items, algebra),
            Kind::Keyword(name) => Err(format!("a term is expected, not :{name}")),
            Kind::Text(_) => Err("strings are not supported".into()),
            literal => algebra.literal(literal),
        };
        self.values.push(value.map_err(|m| doc.error(s, m))?);
        Ok(())
    }

    fn list<A: Algebra<'a, Value = V>>(&mut self, s: Sexp, items: &[Sexp], algebra: &mut A) -> Result<(), ParseError> {
        let doc = self.doc;
        let Some((&first, rest)) = items.split_first() else {
            return Err(doc.error(s, "a term is expected, not an empty list"));
        };
        if let Some((head, args)) = algebra.idiom(doc, s) {
            self.application(s, head, &args);
            return Ok(());
        }
        match doc.symbol(first) {
            Some("let") => self.let_(s, rest),
            Some("_" | "as") => {
                let head = head(doc, s)?;
                let value = algebra.constant(&head).map_err(|m| doc.error(s, m))?;
                self.values.push(value);
                Ok(())
            }
            // Annotations say nothing about the value.
            Some("!") if !rest.is_empty() => {
                self.tasks.push(Task::Eval(rest[0]));
                Ok(())
            }
            Some(name @ ("forall" | "exists" | "match" | "lambda" | "choice")) => {
                Err(doc.error(s, format!("{name} is not supported")))
            }
            _ => {
                let head = head(doc, first)?;
                self.application(s, head, rest);
                Ok(())
            }
        }
    }

    fn application(&mut self, s: Sexp, head: Head<'a>, args: &[Sexp]) {
        self.tasks.push(Task::Apply(s, head, args.len()));
        self.tasks.extend(args.iter().rev().map(|a| Task::Eval(*a)));
    }

    fn let_(&mut self, s: Sexp, rest: &[Sexp]) -> Result<(), ParseError> {
        let doc = self.doc;
        let malformed = |at: Sexp| doc.error(at, "let needs a list of (name term) and a body");
        let &[bindings, body] = rest else { return Err(malformed(s)) };
        let bindings = doc.list(bindings).ok_or_else(|| malformed(s))?;
        let mut names = Vec::with_capacity(bindings.len());
        let mut terms = Vec::with_capacity(bindings.len());
        for &binding in bindings {
            let Some(&[name, term]) = doc.list(binding) else { return Err(malformed(binding)) };
            names.push(doc.symbol(name).ok_or_else(|| malformed(binding))?);
            terms.push(term);
        }
        self.tasks.push(Task::Bind(names, body));
        self.tasks.extend(terms.into_iter().rev().map(Task::Eval));
        Ok(())
    }
}

/// Reads what is applied: `f`, `(_ f 1 2)` or `(as f S)`.
fn head<'a>(doc: &Document<'a>, s: Sexp) -> Result<Head<'a>, ParseError> {
    if let Some(name) = doc.symbol(s) {
        return Ok(Head::plain(name));
    }
    let unknown = || doc.error(s, "an identifier is expected here");
    let items = doc.list(s).ok_or_else(unknown)?;
    let (&[keyword, name], rest) = items.split_first_chunk::<2>().ok_or_else(unknown)?;
    let name = doc.symbol(name).ok_or_else(unknown)?;
    match (doc.symbol(keyword), rest) {
        (Some("_"), indices) => {
            let indices = indices.iter().map(|i| doc.index(*i)).collect::<Option<Vec<u32>>>();
            let indices = indices.ok_or_else(|| doc.error(s, format!("the indices of {name} are not supported")))?;
            Ok(Head { name, indices, sort: None })
        }
        (Some("as"), &[sort]) => Ok(Head { name, indices: Vec::new(), sort: Some(sort) }),
        _ => Err(unknown()),
    }
}
