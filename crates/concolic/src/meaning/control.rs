//! When control goes on, and where.

use covenant_constraints::{TermId, Terms};
use covenant_program::ir::BinaryOp;

/// The condition of each way out of a switch on a word: its cases in their order, then the default.
pub fn switch(terms: &mut Terms, word: TermId, cases: impl IntoIterator<Item = u128>) -> Vec<TermId> {
    let width = terms.width(word);
    let mut ways = Vec::new();
    let mut none = terms.tt();
    for case in cases {
        let case = terms.bv(case, width);
        let equal = terms.eq(word, case);
        let differs = terms.not(equal);
        none = terms.and(none, differs);
        ways.push(equal);
    }
    ways.push(none);
    ways
}

/// Whether a division by this word traps whatever is divided.
pub fn divides_by_zero(terms: &mut Terms, divisor: TermId) -> TermId {
    let zero = terms.bv(0, terms.width(divisor));
    terms.eq(divisor, zero)
}

/// Whether a signed division traps because its quotient is no number of that width.
pub fn division_overflows(terms: &mut Terms, dividend: TermId, divisor: TermId) -> TermId {
    let width = terms.width(dividend);
    let (lowest, minus) = (terms.bv(1 << (width - 1), width), terms.ones(width));
    let (low, one) = (terms.eq(dividend, lowest), terms.eq(divisor, minus));
    terms.and(low, one)
}

/// Whether C gives a meaning to a signed sum, difference or product, or to a shift.
pub fn fits(terms: &mut Terms, op: BinaryOp, a: TermId, b: TermId) -> TermId {
    let over = match op {
        BinaryOp::Add => terms.saddo(a, b),
        BinaryOp::Sub => terms.ssubo(a, b),
        BinaryOp::Mul => terms.smulo(a, b),
        _ if op.is_shift() => {
            let width = terms.width(b);
            let most = terms.bv(u128::from(width), width);
            return terms.ult(b, most);
        }
        _ => terms.ff(),
    };
    terms.not(over)
}

/// Whether an access of so many bytes at an offset lies inside an object of that size.
pub fn is_inside(terms: &mut Terms, offset: TermId, object: u64, bytes: u64) -> TermId {
    match object.checked_sub(bytes) {
        Some(last) => {
            let last = terms.bv(u128::from(last), 64);
            terms.ule(offset, last)
        }
        None => terms.ff(),
    }
}
