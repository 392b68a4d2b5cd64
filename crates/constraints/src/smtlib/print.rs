//! Queries as SMT-LIB 2 scripts that any solver can read: for certificates, for the second opinion of another solver, and to
//! look at.
//!
//! Shared and deeply nested terms are named by definitions (`$t12` is the term `t12`), so that a script is no larger than
//! the terms are and readers do not run out of stack. The operations that older solvers lack (overflow predicates) are
//! spelled out. A single term has `let` in place of definitions.

use std::fmt::Write as _;

use rustc_hash::{FxHashMap, FxHashSet};

use super::named::BitsFunction;
use super::parse::Scope;
use super::reserved::is_reserved;
use crate::float;
use crate::op::Op;
use crate::solver::backends::Theory;
use crate::sort::{FloatKind, Sort};
use crate::term::{Node, TermId, Terms, VarId};

/// Terms nested deeper than this get a name.
const MAX_NESTING: u32 = 40; // not tuning: how the text looks

/// One assertion and what to say about it.
#[derive(Clone, Debug)]
pub struct Assertion {
    /// A Boolean.
    pub term: TermId,
    /// Printed above it, each line as a comment.
    pub comment: String,
}

/// The script of a solver's query: path and goal asserted, then `check-sat`.
pub fn query(terms: &Terms, path: &[TermId], goal: TermId) -> String {
    let mut assertions: Vec<Assertion> =
        path.iter().enumerate().map(|(i, t)| Assertion { term: *t, comment: format!("path {i}: {t}") }).collect();
    assertions.push(Assertion { term: goal, comment: format!("goal: {goal}") });
    script(terms, &assertions)
}

/// What declares and asserts conditions, without the lines around it that say what is asked.
pub fn asserted(terms: &Terms, conditions: &[TermId]) -> String {
    let Some((&last, first)) = conditions.split_last() else { return String::new() };
    let text = query(terms, first, last);
    let own = |line: &&str| !line.starts_with("(set-logic") && !line.starts_with("(check-sat");
    text.lines().filter(own).map(|line| format!("{line}\n")).collect()
}

/// A script that declares, asserts and checks.
pub fn script(terms: &Terms, assertions: &[Assertion]) -> String {
    let roots: Vec<TermId> = assertions.iter().map(|a| a.term).collect();
    let mut printer = Printer::new(terms, &roots, symbols(terms, &roots), false);
    printer.header(&roots);
    printer.definitions();
    for definition in std::mem::take(&mut printer.defined) {
        match definition {
            Defined::Term { name, sort, text } => {
                let _ = writeln!(printer.out, "(define-fun {name} () {sort} {text})");
            }
            Defined::Bits { name, sort, condition } => {
                let _ = writeln!(printer.out, "(declare-const {name} {sort})");
                let _ = writeln!(printer.out, "(assert {condition})");
            }
        }
    }
    for assertion in assertions {
        printer.comment(&assertion.comment);
        let text = printer.reference(assertion.term);
        let _ = writeln!(printer.out, "(assert {text})");
    }
    printer.out.push_str("(check-sat)\n");
    printer.out
}

/// One term, with the names of variables that [`scope`] has for it. The bits of a float are Z3's `fp.to_ieee_bv`, as a term
/// cannot declare a constant.
pub fn term(terms: &Terms, root: TermId) -> String {
    with_lets(terms, &[root], symbols(terms, &[root]), |texts| texts.concat())
}

/// What `body` makes of the texts of the roots, within the bindings that they share.
pub fn with_lets(
    terms: &Terms,
    roots: &[TermId],
    names: FxHashMap<VarId, String>,
    body: impl FnOnce(Vec<String>) -> String,
) -> String {
    let mut printer = Printer::new(terms, roots, names, true);
    printer.definitions();
    let mut out = String::new();
    for definition in &printer.defined {
        if let Defined::Term { name, text, .. } = definition {
            let _ = write!(out, "(let (({name} {text})) ");
        }
    }
    out.push_str(&body(roots.iter().map(|r| printer.reference(*r)).collect()));
    out.extend(std::iter::repeat_n(')', printer.defined.len()));
    out
}

/// The names that [`script`] and [`term`] give the variables below the roots.
pub fn scope(terms: &Terms, roots: &[TermId]) -> Scope {
    let plain = |quoted: String| quoted.trim_matches('|').to_owned();
    symbols(terms, roots).into_iter().map(|(var, name)| (plain(name), terms.var_term(var))).collect()
}

fn symbols(terms: &Terms, roots: &[TermId]) -> FxHashMap<VarId, String> {
    let mut taken = FxHashSet::default();
    let variables = terms.variables(roots);
    variables.into_iter().map(|v| (v, symbol(terms.var_name(v), v, &mut taken))).collect()
}

/// A term with a name.
pub(super) enum Defined {
    Term {
        name: String,
        sort: Sort,
        text: String,
    },
    /// The bits of a float, by what holds of them.
    Bits {
        name: String,
        sort: Sort,
        condition: String,
    },
}

pub(super) struct Printer<'a> {
    terms: &'a Terms,
    order: Vec<TermId>,
    uses: FxHashMap<TermId, u32>,
    names: FxHashMap<VarId, String>,
    /// Whether constants can be declared, or else all is one term.
    one_term: bool,
    /// In one term: the bits of a float are a function of the script, not Z3's operation.
    pub(super) bits_function: bool,
    /// Texts of nodes that are printed where they are used.
    inline: FxHashMap<TermId, (String, u32)>,
    named: FxHashSet<TermId>,
    pub(super) defined: Vec<Defined>,
    out: String,
}

impl<'a> Printer<'a> {
    pub(super) fn new(
        terms: &'a Terms,
        roots: &[TermId],
        names: FxHashMap<VarId, String>,
        one_term: bool,
    ) -> Printer<'a> {
        let order = terms.postorder(roots);
        let mut uses: FxHashMap<TermId, u32> = FxHashMap::default();
        for &root in roots {
            *uses.entry(root).or_default() += 1;
        }
        for &t in &order {
            let copies = if terms.op(t) == Op::FToIeee && !one_term { 2 } else { 1 };
            for arg in terms.node(t).args.iter() {
                *uses.entry(arg).or_default() += copies;
            }
        }
        Printer {
            terms,
            order,
            uses,
            names,
            one_term,
            bits_function: false,
            inline: FxHashMap::default(),
            named: FxHashSet::default(),
            defined: Vec::new(),
            out: String::new(),
        }
    }

    fn header(&mut self, roots: &[TermId]) {
        let theory = Theory::of(self.terms, roots.iter().copied());
        let _ = writeln!(self.out, "(set-logic {})", theory.logic());
        for &t in &self.order {
            if let Some(name) = self.terms.as_var(t).and_then(|v| self.names.get(&v)) {
                let _ = writeln!(self.out, "(declare-const {name} {})", self.terms.sort(t));
            }
        }
    }

    fn comment(&mut self, text: &str) {
        for line in text.lines() {
            let _ = writeln!(self.out, "; {line}");
        }
    }

    /// Goes through the terms, arguments first, and defines those that need a name.
    pub(super) fn definitions(&mut self) {
        for t in self.order.clone() {
            let node = *self.terms.node(t);
            if node.op == Op::FToIeee && !self.one_term {
                self.define_bits(t, &node);
                continue;
            }
            let (text, depth) = self.text(t, &node);
            let is_leaf = node.args.is_empty();
            let shared = self.uses.get(&t).copied().unwrap_or(0) > 1;
            if !is_leaf && (shared || depth > MAX_NESTING) {
                self.defined.push(Defined::Term { name: format!("${t}"), sort: node.sort, text });
                self.named.insert(t);
            } else {
                self.inline.insert(t, (text, depth));
            }
        }
    }

    /// SMT-LIB has no operation for the bits of a float: they are a constant whose float it is.
    fn define_bits(&mut self, t: TermId, node: &Node) {
        let f = node.args[0];
        let kind = self.terms.float_kind(f);
        let float_text = self.reference(f);
        let nan = bits_literal(float::to_ieee(kind, float::nan(kind)), kind.ieee_bits());
        let to_float = to_fp("to_fp", kind);
        let condition = format!("(ite (fp.isNaN {float_text}) (= ${t} {nan}) (= ({to_float} ${t}) {float_text}))");
        self.defined.push(Defined::Bits { name: format!("${t}"), sort: node.sort, condition });
        self.named.insert(t);
    }

    pub(super) fn reference(&self, t: TermId) -> String {
        if self.named.contains(&t) {
            return format!("${t}");
        }
        self.inline.get(&t).map(|(text, _)| text.clone()).unwrap_or_default()
    }

    /// The text of a node and how deep it is nested.
    fn text(&mut self, t: TermId, node: &Node) -> (String, u32) {
        let depth = node.args.iter().filter_map(|a| self.inline.get(&a)).map(|(_, d)| d + 1).max().unwrap_or(1);
        let args: Vec<String> = node.args.iter().map(|a| self.reference(a)).collect();
        let text = match node.op {
            Op::Var(v) => self.names.get(&v).cloned().unwrap_or_default(),
            Op::True => "true".into(),
            Op::False => "false".into(),
            Op::BvConst(id) => bits_literal(self.terms.const_value(id), node.sort.width()),
            Op::FloatConst(id) => float_literal(self.terms.const_value(id), node.sort),
            Op::FToIeee if self.bits_function => {
                let function = BitsFunction(self.terms.float_kind(node.args[0]));
                format!("({} {})", function.name(), args.concat())
            }
            op => {
                let width = node.args.iter().next().map(|a| self.terms.sort(a));
                application(op, node.sort, width, &args)
            }
        };
        debug_assert!(!text.is_empty(), "{t} has a text");
        (text, depth)
    }
}

/// A quoted symbol. Names of variables come from programs: they may repeat or hold anything.
fn symbol(name: &str, var: VarId, taken: &mut FxHashSet<String>) -> String {
    let clean: String = name.chars().map(|c| if c == '|' || c == '\\' || c.is_control() { '_' } else { c }).collect();
    let quoted = format!("|{clean}|");
    // Names starting with $ are those of definitions.
    if clean.is_empty() || clean.starts_with('$') || is_reserved(&clean) || !taken.insert(quoted.clone()) {
        let numbered = format!("|{clean}!{var}|");
        taken.insert(numbered.clone());
        return numbered;
    }
    quoted
}

pub(super) fn bits_literal(value: u128, width: u8) -> String {
    if width.is_multiple_of(4) {
        format!("#x{value:0digits$x}", digits = usize::from(width / 4))
    } else {
        format!("#b{value:0digits$b}", digits = usize::from(width))
    }
}

fn float_literal(bits: u128, sort: Sort) -> String {
    let Sort::Float(kind) = sort else { unreachable!("the constant is a float") };
    let (e, f) = (kind.exponent_bits(), kind.significand_bits() - 1);
    if float::class(kind, bits) == float::Class::Nan {
        return format!("(_ NaN {e} {})", f + 1);
    }
    let ieee = float::to_ieee(kind, bits);
    let part = |value: u128, width: u8| {
        let value = value & crate::sort::mask(width);
        format!("#b{value:0digits$b}", digits = usize::from(width))
    };
    format!("(fp {} {} {})", part(ieee >> (e + f), 1), part(ieee >> f, e), part(ieee, f))
}

pub(super) fn to_fp(name: &str, kind: FloatKind) -> String {
    format!("(_ {name} {} {})", kind.exponent_bits(), kind.significand_bits())
}

fn application(op: Op, sort: Sort, arg_sort: Option<Sort>, args: &[String]) -> String {
    let list = args.join(" ");
    if let Some(name) = plain_name(op) {
        return format!("({name} {list})");
    }
    let w = |s: Sort| u32::from(s.width());
    let narrow = || arg_sort.map_or(0, w);
    match op {
        Op::Extract { hi, lo } => format!("((_ extract {hi} {lo}) {list})"),
        Op::ZExt => format!("((_ zero_extend {}) {list})", w(sort) - narrow()),
        Op::SExt => format!("((_ sign_extend {}) {list})", w(sort) - narrow()),
        Op::BoolToBv => format!("(ite {list} #b1 #b0)"),
        Op::FAdd | Op::FSub | Op::FMul | Op::FDiv | Op::FSqrt | Op::FFma => {
            let name = match op {
                Op::FAdd => "add",
                Op::FSub => "sub",
                Op::FMul => "mul",
                Op::FDiv => "div",
                Op::FSqrt => "sqrt",
                _ => "fma",
            };
            format!("(fp.{name} RNE {list})")
        }
        Op::FRound(m) => format!("(fp.roundToIntegral {} {list})", m.smt_name()),
        Op::FToF(k, m) | Op::SToF(k, m) => format!("({} {} {list})", to_fp("to_fp", k), m.smt_name()),
        Op::UToF(k, m) => format!("({} {} {list})", to_fp("to_fp_unsigned", k), m.smt_name()),
        Op::FToS(m) => format!("((_ fp.to_sbv {}) {} {list})", w(sort), m.smt_name()),
        Op::FToU(m) => format!("((_ fp.to_ubv {}) {} {list})", w(sort), m.smt_name()),
        Op::IeeeToF(k) => format!("({} {list})", to_fp("to_fp", k)),
        Op::ConstArray => format!("((as const {sort}) {list})"),
        _ => overflow(op, narrow(), &args[0], &args[1]),
    }
}

fn plain_name(op: Op) -> Option<&'static str> {
    Some(match op {
        Op::Not => "not",
        Op::And => "and",
        Op::Or => "or",
        Op::Eq => "=",
        Op::Ite => "ite",
        Op::BvNot => "bvnot",
        Op::BvNeg => "bvneg",
        Op::BvAnd => "bvand",
        Op::BvOr => "bvor",
        Op::BvXor => "bvxor",
        Op::Add => "bvadd",
        Op::Sub => "bvsub",
        Op::Mul => "bvmul",
        Op::UDiv => "bvudiv",
        Op::URem => "bvurem",
        Op::SDiv => "bvsdiv",
        Op::SRem => "bvsrem",
        Op::Shl => "bvshl",
        Op::LShr => "bvlshr",
        Op::AShr => "bvashr",
        Op::Concat => "concat",
        Op::Ult | Op::USubO => "bvult",
        Op::Ule => "bvule",
        Op::Slt => "bvslt",
        Op::Sle => "bvsle",
        Op::FRem => "fp.rem",
        Op::FNeg => "fp.neg",
        Op::FAbs => "fp.abs",
        Op::FEq => "fp.eq",
        Op::FLt => "fp.lt",
        Op::FLe => "fp.leq",
        Op::FIsNan => "fp.isNaN",
        Op::FIsInf => "fp.isInfinite",
        Op::FIsZero => "fp.isZero",
        Op::FIsNormal => "fp.isNormal",
        Op::FIsSubnormal => "fp.isSubnormal",
        Op::FIsNegative => "fp.isNegative",
        // Only where a term stands alone: scripts define the bits by what holds of them.
        Op::FToIeee => "fp.to_ieee_bv",
        Op::Select => "select",
        Op::Store => "store",
        _ => return None,
    })
}

/// An operation overflows iff its result in more bits is not that of the narrow width, extended.
fn overflow(op: Op, w: u32, a: &str, b: &str) -> String {
    let (name, extend, by) = match op {
        Op::SAddO => ("bvadd", "sign_extend", 1),
        Op::SSubO => ("bvsub", "sign_extend", 1),
        Op::SMulO => ("bvmul", "sign_extend", w),
        Op::UAddO => ("bvadd", "zero_extend", 1),
        Op::UMulO => ("bvmul", "zero_extend", w),
        _ => unreachable!("{op:?} is printed elsewhere"),
    };
    let wide = format!("({name} ((_ {extend} {by}) {a}) ((_ {extend} {by}) {b}))");
    format!("(let ((?r {wide})) (not (= ?r ((_ {extend} {by}) ((_ extract {} 0) ?r)))))", w - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_query() {
        let mut t = Terms::new();
        let x = t.new_var("x", Sort::Bv(8));
        let y = t.new_var("a|b", Sort::Bv(6));
        let wide = t.zext(y, 8);
        let product = t.mul(x, wide);
        let square = t.mul(product, product);
        let five = t.bv(5, 8);
        let goal = t.ult(square, five);
        let one = t.bv(1, 6);
        let path = t.eq(y, one);
        let expected = "\
(set-logic QF_BV)
(declare-const |x| (_ BitVec 8))
(declare-const |a_b| (_ BitVec 6))
(define-fun $t6 () (_ BitVec 8) (bvmul |x| ((_ zero_extend 2) |a_b|)))
; path 0: t11
(assert (= |a_b| #b000001))
; goal: t9
(assert (bvult (bvmul $t6 $t6) #x05))
(check-sat)
";
        assert_eq!(query(&t, &[path], goal), expected);
    }

    #[test]
    fn names_are_unique_and_depth_is_bounded() {
        let mut t = Terms::new();
        let a = t.new_var("x", Sort::Bv(32));
        let b = t.new_var("x", Sort::Bv(32));
        let mut sum = a;
        for i in 0..1000 {
            let v = if i % 2 == 0 { a } else { b };
            let m = t.mul(sum, v);
            sum = t.bv_xor(m, b);
        }
        let goal = t.eq(sum, a);
        let text = query(&t, &[], goal);
        assert!(text.contains("(declare-const |x| ") && text.contains("(declare-const |x!x1| "));
        let deepest = text.lines().map(|l| l.matches('(').count()).max().unwrap();
        assert!(deepest <= MAX_NESTING as usize + 10, "{deepest}");
    }

    #[test]
    fn words_of_smtlib_are_no_names() {
        let mut t = Terms::new();
        let (a, b) = (t.new_var("and", Sort::Bv(8)), t.new_var("fp", Sort::Bv(8)));
        let goal = t.ult(a, b);
        assert_eq!(term(&t, goal), "(bvult |and!x0| |fp!x1|)");
        let scope = scope(&t, &[goal]);
        assert_eq!((scope.get("and!x0"), scope.get("fp!x1")), (Some(a), Some(b)));
    }
}
