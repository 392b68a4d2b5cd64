//! What the words of SMT-LIB mean as terms. Sorts are checked before anything is built, as builder methods rely on them.

use rustc_hash::FxHashMap;

use super::sexp::{Document, Kind, Sexp};
use super::walk::{Algebra, Head};
use super::{Scope, floats, idiom};
use crate::op::Op;
use crate::sort::{Rounding, Sort};
use crate::term::{TermId, Terms};

/// How many arguments `distinct` may have, as it grows with their square.
const MAX_DISTINCT: usize = 64; // not tuning: memory

/// What an expression can mean.
#[derive(Clone, Copy, Debug)]
pub(super) enum Value {
    Term(TermId),
    Mode(Rounding),
}

pub(super) struct TermAlgebra<'t> {
    pub(super) terms: &'t mut Terms,
    pub(super) scope: &'t Scope,
}

impl<'a> Algebra<'a> for TermAlgebra<'_> {
    type Value = Value;

    fn literal(&mut self, literal: &Kind<'a>) -> Result<Value, String> {
        let (value, width) = bits(literal)?;
        Ok(Value::Term(self.terms.bv(value, width)))
    }

    fn constant(&mut self, head: &Head<'a>) -> Result<Value, String> {
        if head.sort.is_some() {
            return Err(format!("(as {} ...) is not supported here", head.name));
        }
        if let Some(value) = floats::constant(self.terms, head)? {
            return Ok(value);
        }
        match (head.name, head.indices.as_slice()) {
            (name, []) if self.scope.get(name).is_some() => {
                self.scope.get(name).map(Value::Term).ok_or_else(|| "just looked up".into())
            }
            ("true", []) => Ok(Value::Term(self.terms.tt())),
            ("false", []) => Ok(Value::Term(self.terms.ff())),
            (name, &[width]) if name.starts_with("bv") => {
                let value = decimal(&name[2..])?;
                let width = width_of(width)?;
                if value > crate::sort::mask(width) {
                    return Err(format!("{} does not fit into {width} bits", &name[2..]));
                }
                Ok(Value::Term(self.terms.bv(value, width)))
            }
            (name, _) => Err(format!("{name} is not known")),
        }
    }

    fn apply(&mut self, doc: &Document<'a>, head: &Head<'a>, args: &[Value]) -> Result<Value, String> {
        if head.indices.is_empty() && head.sort.is_none() && self.scope.function(head.name).is_some() {
            return self.call(head.name, &all_terms(head.name, args)?).map(Value::Term);
        }
        if let Some(term) = floats::apply(self.terms, head, args)? {
            return Ok(Value::Term(term));
        }
        let args = all_terms(head.name, args)?;
        let mut cx = Context { terms: self.terms, name: head.name };
        let result = match (head.sort, head.indices.as_slice()) {
            (Some(sort), _) => {
                let sort = super::sort(doc, sort).map_err(|e| e.message)?;
                match (head.name, sort, args.as_slice()) {
                    ("const", Sort::Array, &[byte]) if cx.terms.sort(byte) == Sort::Bv(8) => {
                        Some(cx.terms.const_array(byte))
                    }
                    _ => None,
                }
            }
            (None, []) => match cx.logic(&args)? {
                Some(term) => Some(term),
                None => cx.bits(&args)?,
            },
            // Overflow predicates with the width that their operands must have come from the idiom.
            (None, &[width]) if overflow_op(head.name).is_some() => match args.as_slice() {
                [a, ..] if cx.terms.sort(*a) == Sort::Bv(width_of(width)?) => cx.bits(&args)?,
                _ => return Err(format!("the operands have not the {width} bits of the test for overflow")),
            },
            (None, indices) => cx.indexed(indices, &args)?,
        };
        result.map(Value::Term).ok_or_else(|| format!("{} is not supported with these arguments", head.name))
    }

    fn idiom(&self, doc: &Document<'a>, expression: Sexp) -> Option<(Head<'a>, Vec<Sexp>)> {
        idiom::overflow(doc, expression)
    }
}

impl TermAlgebra<'_> {
    fn call(&mut self, name: &str, args: &[TermId]) -> Result<TermId, String> {
        let function = self.scope.function(name).ok_or_else(|| format!("{name} is not known"))?;
        let sorts_fit = args.len() == function.params.len()
            && args.iter().zip(&function.params).all(|(a, p)| self.terms.sort(*a) == self.terms.var_sort(*p));
        if !sorts_fit {
            return Err(format!("the arguments are not those that {name} takes"));
        }
        let map: FxHashMap<TermId, TermId> =
            function.params.iter().map(|p| self.terms.var_term(*p)).zip(args.iter().copied()).collect();
        Ok(self.terms.substitute(function.body, &map))
    }
}

fn all_terms(name: &str, args: &[Value]) -> Result<Vec<TermId>, String> {
    let term = |v: &Value| match v {
        Value::Term(t) => Ok(*t),
        Value::Mode(_) => Err(format!("{name} takes no rounding mode")),
    };
    args.iter().map(term).collect()
}

/// The bits of a float term, in SMT-LIB's encoding.
pub(super) fn float_bits(terms: &mut Terms, float: TermId) -> Result<TermId, String> {
    match terms.sort(float) {
        Sort::Float(k) => Ok(terms.mk(Op::FToIeee, &[float], Sort::Bv(k.ieee_bits()))),
        sort => Err(format!("a float is expected, not a term of sort {sort}")),
    }
}

/// The value and width of a literal.
pub(super) fn bits(literal: &Kind<'_>) -> Result<(u128, u8), String> {
    let (digits, radix, per_digit) = match literal {
        Kind::Hex(digits) => (*digits, 16, 4),
        Kind::Binary(digits) => (*digits, 2, 1),
        Kind::Numeral(digits) | Kind::Decimal(digits) => {
            return Err(format!("the number {digits} is no term of a supported sort"));
        }
        _ => return Err("a literal is expected".into()),
    };
    let width = width_of(u32::try_from(digits.len() * per_digit).unwrap_or(u32::MAX))?;
    u128::from_str_radix(digits, radix).map(|v| (v, width)).map_err(|e| e.to_string())
}

fn decimal(digits: &str) -> Result<u128, String> {
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(format!("bv{digits} is not known"));
    }
    digits.parse().map_err(|_| format!("{digits} does not fit into 128 bits"))
}

fn width_of(bits: u32) -> Result<u8, String> {
    match u8::try_from(bits) {
        Ok(w @ 1..=128) => Ok(w),
        _ => Err(format!("bit-vectors have 1 to 128 bits, not {bits}")),
    }
}

fn overflow_op(name: &str) -> Option<Op> {
    Some(match name {
        "bvsaddo" => Op::SAddO,
        "bvuaddo" => Op::UAddO,
        "bvssubo" => Op::SSubO,
        "bvusubo" => Op::USubO,
        "bvsmulo" => Op::SMulO,
        "bvumulo" => Op::UMulO,
        _ => return None,
    })
}

/// Operations of two bit-vectors; the flag tells those that take more, from the left. The names that end in `_i` are how Z3
/// prints a division that it took to be total.
fn bits_op(name: &str) -> Option<(Op, bool)> {
    Some(match name {
        "bvadd" => (Op::Add, true),
        "bvmul" => (Op::Mul, true),
        "bvand" => (Op::BvAnd, true),
        "bvor" => (Op::BvOr, true),
        "bvxor" => (Op::BvXor, true),
        "bvsub" => (Op::Sub, false),
        "bvudiv" | "bvudiv_i" => (Op::UDiv, false),
        "bvurem" | "bvurem_i" => (Op::URem, false),
        "bvsdiv" | "bvsdiv_i" => (Op::SDiv, false),
        "bvsrem" | "bvsrem_i" => (Op::SRem, false),
        "bvshl" => (Op::Shl, false),
        "bvlshr" => (Op::LShr, false),
        "bvashr" => (Op::AShr, false),
        _ => return None,
    })
}

struct Context<'t> {
    terms: &'t mut Terms,
    name: &'t str,
}

impl Context<'_> {
    fn same_sort(&self, args: &[TermId], least: usize) -> Result<Sort, String> {
        let Some(&first) = args.first().filter(|_| args.len() >= least) else {
            return Err(format!("{} takes at least {least} arguments", self.name));
        };
        let sort = self.terms.sort(first);
        match args.iter().map(|a| self.terms.sort(*a)).find(|s| *s != sort) {
            Some(other) => Err(format!("{} takes arguments of one sort, not {sort} and {other}", self.name)),
            None => Ok(sort),
        }
    }

    fn bools(&self, args: &[TermId], least: usize) -> Result<(), String> {
        match self.same_sort(args, least)? {
            Sort::Bool => Ok(()),
            sort => Err(format!("{} takes Booleans, not {sort}", self.name)),
        }
    }

    fn width(&self, a: TermId) -> Result<u8, String> {
        match self.terms.sort(a) {
            Sort::Bv(w) => Ok(w),
            sort => Err(format!("{} takes bit-vectors, not {sort}", self.name)),
        }
    }

    fn exactly<'s, const N: usize>(&self, args: &'s [TermId]) -> Result<&'s [TermId; N], String> {
        args.try_into().map_err(|_| format!("{} takes {N} arguments, not {}", self.name, args.len()))
    }

    /// Booleans, what is for all sorts, and arrays.
    fn logic(&mut self, args: &[TermId]) -> Result<Option<TermId>, String> {
        let result = match self.name {
            "not" => {
                self.bools(args, 1)?;
                let [a] = *self.exactly(args)?;
                self.terms.not(a)
            }
            "and" | "or" | "xor" => {
                self.bools(args, 1)?;
                let name = self.name;
                self.fold(args, |t, a, b| match name {
                    "and" => t.and(a, b),
                    "or" => t.or(a, b),
                    _ => t.xor(a, b),
                })
            }
            "=>" => {
                self.bools(args, 2)?;
                // Right associative.
                let mut result = args[args.len() - 1];
                for &a in args.iter().rev().skip(1) {
                    result = self.terms.implies(a, result);
                }
                result
            }
            "=" => {
                self.same_sort(args, 2)?;
                self.chain(args, Terms::eq)
            }
            "distinct" => {
                self.same_sort(args, 2)?;
                if args.len() > MAX_DISTINCT {
                    return Err(format!("distinct with more than {MAX_DISTINCT} arguments is not supported"));
                }
                let mut result = self.terms.tt();
                for (i, &a) in args.iter().enumerate() {
                    for &b in &args[i + 1..] {
                        let differ = self.terms.ne(a, b);
                        result = self.terms.and(result, differ);
                    }
                }
                result
            }
            "ite" => {
                let [c, a, b] = *self.exactly(args)?;
                self.bools(&[c], 1)?;
                self.same_sort(&[a, b], 2)?;
                self.terms.ite(c, a, b)
            }
            "select" | "store" => self.array(args)?,
            _ => return Ok(None),
        };
        Ok(Some(result))
    }

    fn array(&mut self, args: &[TermId]) -> Result<TermId, String> {
        let sorts: Vec<Sort> = args.iter().map(|a| self.terms.sort(*a)).collect();
        match (self.name, args, sorts.as_slice()) {
            ("select", &[array, index], [Sort::Array, Sort::Bv(64)]) => Ok(self.terms.select(array, index)),
            ("store", &[array, index, byte], [Sort::Array, Sort::Bv(64), Sort::Bv(8)]) => {
                Ok(self.terms.store(array, index, byte))
            }
            _ => Err(format!("these are not the arguments of {}", self.name)),
        }
    }

    fn fold(&mut self, args: &[TermId], f: impl Fn(&mut Terms, TermId, TermId) -> TermId) -> TermId {
        let mut result = args[0];
        for &a in &args[1..] {
            result = f(self.terms, result, a);
        }
        result
    }

    /// Whether a relation holds between each argument and the next.
    fn chain(&mut self, args: &[TermId], f: impl Fn(&mut Terms, TermId, TermId) -> TermId) -> TermId {
        let mut result = self.terms.tt();
        for pair in args.windows(2) {
            let holds = f(self.terms, pair[0], pair[1]);
            result = self.terms.and(result, holds);
        }
        result
    }

    /// Operations on bit-vectors without indices.
    fn bits(&mut self, args: &[TermId]) -> Result<Option<TermId>, String> {
        if let Some((op, many)) = bits_op(self.name) {
            let sort = self.same_sort(args, 2)?;
            self.width(args[0])?;
            if !many {
                self.exactly::<2>(args)?;
            }
            return Ok(Some(self.fold(args, |t, a, b| t.mk(op, &[a, b], sort))));
        }
        if let Some(op) = overflow_op(self.name) {
            let [a, b] = *self.exactly(args)?;
            self.same_sort(args, 2)?;
            self.width(a)?;
            return Ok(Some(self.terms.mk(op, &[a, b], Sort::Bool)));
        }
        if let Some(term) = self.comparison(args)? {
            return Ok(Some(term));
        }
        match self.name {
            "bvnot" | "bvneg" => {
                let [a] = *self.exactly(args)?;
                self.width(a)?;
                Ok(Some(if self.name == "bvnot" { self.terms.bv_not(a) } else { self.terms.neg(a) }))
            }
            "bvnand" | "bvnor" | "bvxnor" | "bvcomp" | "bvsmod" | "bvsmod_i" => {
                let [a, b] = *self.exactly(args)?;
                self.same_sort(args, 2)?;
                self.width(a)?;
                Ok(Some(match self.name {
                    "bvnand" => self.terms.bv_nand(a, b),
                    "bvnor" => self.terms.bv_nor(a, b),
                    "bvxnor" => self.terms.bv_xnor(a, b),
                    "bvcomp" => self.terms.bv_comp(a, b),
                    _ => self.terms.smod(a, b),
                }))
            }
            "concat" => self.concat(args).map(Some),
            _ => Ok(None),
        }
    }

    fn comparison(&mut self, args: &[TermId]) -> Result<Option<TermId>, String> {
        let compare: fn(&mut Terms, TermId, TermId) -> TermId = match self.name {
            "bvult" => Terms::ult,
            "bvule" => Terms::ule,
            "bvugt" => Terms::ugt,
            "bvuge" => Terms::uge,
            "bvslt" => Terms::slt,
            "bvsle" => Terms::sle,
            "bvsgt" => Terms::sgt,
            "bvsge" => Terms::sge,
            _ => return Ok(None),
        };
        let [a, b] = *self.exactly(args)?;
        self.same_sort(args, 2)?;
        self.width(a)?;
        Ok(Some(compare(self.terms, a, b)))
    }

    /// Nests to the right, as rewriting has it.
    fn concat(&mut self, args: &[TermId]) -> Result<TermId, String> {
        let mut total = 0u32;
        for &a in args {
            total += u32::from(self.width(a)?);
            width_of(total)?;
        }
        let Some((&last, above)) = args.split_last().filter(|_| args.len() >= 2) else {
            return Err("concat takes at least 2 arguments".into());
        };
        Ok(above.iter().rev().fold(last, |low, &high| self.terms.concat(high, low)))
    }

    /// Operations with indices.
    fn indexed(&mut self, indices: &[u32], args: &[TermId]) -> Result<Option<TermId>, String> {
        let &[a] = args else { return Ok(None) };
        let w = self.width(a)?;
        let wide = u32::from(w);
        let result = match (self.name, indices) {
            ("extract", &[hi, lo]) if lo <= hi && hi < wide => self.terms.extract(a, hi as u8, lo as u8),
            ("extract", _) => return Err(format!("these are no bits of a vector of {w}")),
            ("zero_extend", &[by]) => {
                let width = width_of(wide.saturating_add(by))?;
                self.terms.zext(a, width)
            }
            ("sign_extend", &[by]) => {
                let width = width_of(wide.saturating_add(by))?;
                self.terms.sext(a, width)
            }
            ("repeat", &[times]) => {
                width_of(wide.saturating_mul(times))?;
                self.terms.repeat(a, times as u8)
            }
            ("rotate_left", &[by]) => self.terms.rotate_left(a, (by % wide) as u8),
            ("rotate_right", &[by]) => self.terms.rotate_right(a, (by % wide) as u8),
            _ => return Ok(None),
        };
        Ok(Some(result))
    }
}
