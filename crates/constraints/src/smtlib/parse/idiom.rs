//! What the printer spells out because SMT-LIB, or older solvers, have no word for it.

use super::sexp::{Document, Kind, Sexp};
use super::walk::Head;
use super::{apply, float_kind};
use crate::float;

/// `(let ((r (OP ((_ EXTEND k) a) ((_ EXTEND k) b)))) (not (= r ((_ EXTEND k) ((_ extract w-1 0) r)))))`: whether an operation
/// of `w` bits overflows, as the name that newer SMT-LIB has for it. The equation is well sorted only if the operands
/// have `w` bits, which the application checks by the index. Read as it stands it could need more than 128 bits.
pub(super) fn overflow<'a>(doc: &Document<'a>, s: Sexp) -> Option<(Head<'a>, Vec<Sexp>)> {
    let &[keyword, bindings, body] = doc.list(s)? else { return None };
    let &[binding] = doc.list(bindings)? else { return None };
    let &[name, wide] = doc.list(binding)? else { return None };
    let name = doc.symbol(name)?;
    let &[operation, left, right] = doc.list(wide)? else { return None };
    let (extend, by, a) = extension(doc, left)?;
    let (extend_b, by_b, b) = extension(doc, right)?;
    let &[not, equation] = doc.list(body)? else { return None };
    let &[eq, r, again] = doc.list(equation)? else { return None };
    let (extend_r, by_r, narrow) = extension(doc, again)?;
    let &[extract, r_again] = doc.list(narrow)? else { return None };
    let &[_, extract, high, low] = doc.list(extract)? else { return None };
    let words = (doc.symbol(keyword)?, doc.symbol(not)?, doc.symbol(eq)?, doc.symbol(extract)?);
    let fits = words == ("let", "not", "=", "extract")
        && (doc.symbol(r)?, doc.symbol(r_again)?) == (name, name)
        && (extend_b, by_b) == (extend, by)
        && (extend_r, by_r) == (extend, by)
        && doc.index(low)? == 0;
    let width = doc.index(high)?.checked_add(1)?;
    let name = match (doc.symbol(operation)?, extend) {
        ("bvadd", "sign_extend") if by >= 1 => "bvsaddo",
        ("bvsub", "sign_extend") if by >= 1 => "bvssubo",
        ("bvmul", "sign_extend") if by >= width => "bvsmulo",
        ("bvadd", "zero_extend") if by >= 1 => "bvuaddo",
        ("bvmul", "zero_extend") if by >= width => "bvumulo",
        _ => return None,
    };
    fits.then(|| (Head { name, indices: vec![width], sort: None }, vec![a, b]))
}

/// `((_ sign_extend k) a)` or `((_ zero_extend k) a)`.
fn extension<'a>(doc: &Document<'a>, s: Sexp) -> Option<(&'a str, u32, Sexp)> {
    let &[head, a] = doc.list(s)? else { return None };
    let &[_, name, by] = doc.list(head)? else { return None };
    let name = doc.symbol(name)?;
    matches!(name, "sign_extend" | "zero_extend").then_some(())?;
    Some((name, doc.index(by)?, a))
}

/// `(ite (fp.isNaN f) (= NAME nan) (= ((_ to_fp e s) NAME) f))`: NAME is the bits of the float f, which is returned.
pub(super) fn bits_of_float(doc: &Document<'_>, s: Sexp, name: &str) -> Option<Sexp> {
    let &[ite, test, nan, other] = doc.list(s)? else { return None };
    let &[is_nan, f] = doc.list(test)? else { return None };
    let &[eq, n, pattern] = doc.list(nan)? else { return None };
    let &[eq_too, converted, f_too] = doc.list(other)? else { return None };
    let &[to_fp, n_too] = doc.list(converted)? else { return None };
    let &[_, to_fp, exponent, significand] = doc.list(to_fp)? else { return None };
    let kind = float_kind(doc.index(exponent)?, doc.index(significand)?)?;
    let words = (doc.symbol(ite)?, doc.symbol(is_nan)?, doc.symbol(eq)?, doc.symbol(eq_too)?, doc.symbol(to_fp)?);
    let literal = matches!(doc.kind(pattern), Kind::Hex(_) | Kind::Binary(_)).then(|| doc.kind(pattern))?;
    let canonical = (float::to_ieee(kind, float::nan(kind)), kind.ieee_bits());
    let fits = words == ("ite", "fp.isNaN", "=", "=", "to_fp")
        && (doc.symbol(n)?, doc.symbol(n_too)?) == (name, name)
        && apply::bits(literal).ok()? == canonical
        && doc.same(f, f_too);
    fits.then_some(f)
}
