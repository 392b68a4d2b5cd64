//! Texts of terms for a writer that names the variables itself and puts terms into functions and commands of its own.
//!
//! The bits of a float, for which SMT-LIB has no operation, are a function that the script declares
//! ([`BitsFunction::declaration`]); [`BitsFunction::condition`] says of one application what it is.

use std::fmt::Write as _;

use rustc_hash::{FxHashMap, FxHashSet};

use super::parse::{Definition, Scope};
use super::print::{Defined, Printer, bits_literal, to_fp};
use super::reserved::is_reserved;
use crate::float;
use crate::op::Op;
use crate::sort::{FloatKind, Sort};
use crate::term::{TermId, Terms, VarId};

/// A symbol for each variable. They depend on the names and the order in which variables are added, and on nothing else.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// Without the bars around them.
    symbols: FxHashMap<VarId, String>,
    taken: FxHashSet<String>,
    /// Beginnings that the writer keeps for itself.
    reserved: Vec<String>,
}

impl Names {
    /// No variable gets a name that starts with one of these.
    pub fn reserving(prefixes: &[&str]) -> Names {
        Names { reserved: prefixes.iter().map(|p| (*p).to_owned()).collect(), ..Names::default() }
    }

    /// Gives the variable a symbol, unless it has one.
    pub fn add(&mut self, terms: &Terms, var: VarId) {
        if self.symbols.contains_key(&var) {
            return;
        }
        let clean = |c: char| if c == '|' || c == '\\' || c.is_control() { '_' } else { c };
        let name: String = terms.var_name(var).chars().map(clean).collect();
        let ours = name.starts_with('$') || self.reserved.iter().any(|p| name.starts_with(p.as_str()));
        let mut symbol = name.clone();
        if name.is_empty() || ours || is_reserved(&name) {
            symbol = format!("_{name}");
        }
        let mut number = 1;
        while !self.taken.insert(symbol.clone()) {
            number += 1;
            symbol = format!("{name}!{number}");
        }
        self.symbols.insert(var, symbol);
    }

    /// The quoted symbol of a variable that was added.
    pub fn quoted(&self, var: VarId) -> String {
        format!("|{}|", self.symbols.get(&var).map_or("", String::as_str))
    }

    /// What the symbols and the functions of this module mean, to read texts back.
    pub fn scope(&self, terms: &mut Terms) -> Scope {
        let mut scope: Scope =
            self.symbols.iter().map(|(var, symbol)| (symbol.clone(), terms.var_term(*var))).collect();
        for kind in FloatKind::ALL {
            let function = BitsFunction(kind);
            let param = terms.var("float", Sort::Float(kind));
            let (sort, float) = (Sort::Bv(kind.ieee_bits()), terms.var_term(param));
            let body = terms.mk(Op::FToIeee, &[float], sort);
            scope.define(Definition { name: function.name(), params: vec![param], sort, body });
        }
        scope
    }
}

/// The function of a script that gives the bits of a float.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct BitsFunction(pub FloatKind);

impl BitsFunction {
    /// What all their names start with.
    pub const PREFIX: &str = "ieee_bits_";

    /// Its name in a script.
    pub fn name(self) -> String {
        format!("{}{}", BitsFunction::PREFIX, self.0.ieee_bits())
    }

    /// The line of a script that declares it.
    pub fn declaration(self) -> String {
        format!("(declare-fun {} ({}) {})", self.name(), Sort::Float(self.0), Sort::Bv(self.0.ieee_bits()))
    }

    /// That the function gives the bits of this float.
    pub fn condition(self, float: &str) -> String {
        let (kind, name) = (self.0, self.name());
        let nan = bits_literal(float::to_ieee(kind, float::nan(kind)), kind.ieee_bits());
        let back = to_fp("to_fp", kind);
        format!("(ite (fp.isNaN {float}) (= ({name} {float}) {nan}) (= ({back} ({name} {float})) {float}))")
    }

    /// The functions that these terms need.
    pub fn of(terms: &Terms, roots: &[TermId]) -> Vec<BitsFunction> {
        let bits = terms.postorder(roots).into_iter().filter(|&t| terms.op(t) == Op::FToIeee);
        let mut all: Vec<BitsFunction> = bits.map(|t| BitsFunction(terms.float_kind(terms.arg(t, 0)))).collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}

/// Some terms as text.
#[derive(Clone, Debug)]
pub struct Texts {
    /// Names of shared or deep terms, each over those before it.
    pub definitions: Vec<(String, Sort, String)>,
    /// One for each term.
    pub roots: Vec<String>,
    /// What must be asserted of the bits of floats.
    pub conditions: Vec<String>,
}

/// The texts of the terms. All variables have names.
pub fn texts(terms: &Terms, roots: &[TermId], names: &Names) -> Texts {
    let quoted = terms.variables(roots).into_iter().map(|v| (v, names.quoted(v))).collect();
    let mut printer = Printer::new(terms, roots, quoted, true);
    printer.bits_function = true;
    printer.definitions();
    let bits = terms.postorder(roots).into_iter().filter(|&t| terms.op(t) == Op::FToIeee).map(|t| terms.arg(t, 0));
    let condition = |f: TermId| BitsFunction(terms.float_kind(f)).condition(&printer.reference(f));
    let conditions = bits.map(condition).collect();
    let roots = roots.iter().map(|&r| printer.reference(r)).collect();
    let term = |d: Defined| match d {
        Defined::Term { name, sort, text } => Some((name, sort, text)),
        Defined::Bits { .. } => None,
    };
    Texts { definitions: printer.defined.into_iter().filter_map(term).collect(), roots, conditions }
}

impl Texts {
    /// A text over the roots or conditions, within `let`s for the definitions.
    pub fn within_lets(&self, body: &str) -> String {
        let mut out = String::new();
        for (name, _, text) in &self.definitions {
            let _ = write!(out, "(let (({name} {text})) ");
        }
        out.push_str(body);
        out.extend(std::iter::repeat_n(')', self.definitions.len()));
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::smtlib::parse;

    #[test]
    fn names_do_not_depend_on_the_arena() {
        let (mut a, mut b) = (Terms::new(), Terms::new());
        b.var("other", Sort::Bool);
        let of = |t: &mut Terms| {
            let all: Vec<VarId> =
                ["x", "x", "", "a|b", "and", "inv_1", "$t1"].iter().map(|n| t.var(*n, Sort::Bool)).collect();
            let mut names = Names::reserving(&["inv_"]);
            all.iter().for_each(|&v| names.add(t, v));
            all.iter().map(|&v| names.quoted(v)).collect::<Vec<_>>()
        };
        let names = of(&mut a);
        assert_eq!(names, ["|x|", "|x!2|", "|_|", "|a_b|", "|_and|", "|_inv_1|", "|_$t1|"]);
        assert_eq!(of(&mut b), names);
    }

    #[test]
    fn what_is_written_is_read_back() {
        let mut t = Terms::new();
        let (x, f) = (t.var("x", Sort::Bv(32)), t.var("f", Sort::Float(FloatKind::F32)));
        let (xt, ft) = (t.var_term(x), t.var_term(f));
        let sum = t.f_add(ft, ft);
        let bits = t.f_to_bits(sum);
        let product = t.mul(bits, xt);
        let square = t.mul(product, product);
        let goal = t.ult(square, bits);
        let mut names = Names::default();
        names.add(&t, x);
        names.add(&t, f);
        let texts = texts(&t, &[goal], &names);
        assert_eq!(texts.conditions.len(), 1);
        assert_eq!(BitsFunction::of(&t, &[goal]), [BitsFunction(FloatKind::F32)]);
        let text = texts.within_lets(&texts.roots[0]);
        let scope = names.scope(&mut t);
        assert_eq!(parse::term(&text, &mut t, &scope), Ok(goal), "{text}");
    }
}
