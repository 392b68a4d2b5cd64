//! Booleans, equality, conditionals, arrays.

use crate::op::Op;
use crate::sort::Sort;
use crate::term::{TermId, Terms};

impl Terms {
    /// The opposite of a Boolean.
    pub fn not(&mut self, a: TermId) -> TermId {
        debug_assert_eq!(self.sort(a), Sort::Bool);
        self.mk(Op::Not, &[a], Sort::Bool)
    }

    /// Both of two Booleans.
    pub fn and(&mut self, a: TermId, b: TermId) -> TermId {
        debug_assert_eq!((self.sort(a), self.sort(b)), (Sort::Bool, Sort::Bool));
        self.mk(Op::And, &[a, b], Sort::Bool)
    }

    /// At least one of two Booleans.
    pub fn or(&mut self, a: TermId, b: TermId) -> TermId {
        debug_assert_eq!((self.sort(a), self.sort(b)), (Sort::Bool, Sort::Bool));
        self.mk(Op::Or, &[a, b], Sort::Bool)
    }

    /// Exactly one of two Booleans.
    pub fn xor(&mut self, a: TermId, b: TermId) -> TermId {
        let same = self.eq(a, b);
        self.not(same)
    }

    /// The second, where the first holds.
    pub fn implies(&mut self, a: TermId, b: TermId) -> TermId {
        let not_a = self.not(a);
        self.or(not_a, b)
    }

    /// The conjunction of all; `true` of none.
    pub fn and_all(&mut self, all: impl IntoIterator<Item = TermId>) -> TermId {
        let mut result = self.tt();
        for t in all {
            result = self.and(result, t);
        }
        result
    }

    /// The disjunction of all; `false` of none.
    pub fn or_all(&mut self, all: impl IntoIterator<Item = TermId>) -> TermId {
        let mut result = self.ff();
        for t in all {
            result = self.or(result, t);
        }
        result
    }

    /// Of any sort. For floats this is identity, not C's `==`: see [`Terms::f_eq`].
    pub fn eq(&mut self, a: TermId, b: TermId) -> TermId {
        debug_assert_eq!(self.sort(a), self.sort(b));
        self.mk(Op::Eq, &[a, b], Sort::Bool)
    }

    /// Whether two terms of one sort differ.
    pub fn ne(&mut self, a: TermId, b: TermId) -> TermId {
        let same = self.eq(a, b);
        self.not(same)
    }

    /// `a` where `c` holds, else `b`; of any one sort.
    pub fn ite(&mut self, c: TermId, a: TermId, b: TermId) -> TermId {
        debug_assert_eq!(self.sort(c), Sort::Bool);
        debug_assert_eq!(self.sort(a), self.sort(b));
        let sort = self.sort(a);
        self.mk(Op::Ite, &[c, a, b], sort)
    }

    /// A Boolean as a bit: 1 for true.
    pub fn bool_to_bv(&mut self, a: TermId) -> TermId {
        debug_assert_eq!(self.sort(a), Sort::Bool);
        self.mk(Op::BoolToBv, &[a], Sort::Bv(1))
    }

    /// A bit as a Boolean. `x = 1` is the one form that such a condition has.
    pub fn bv_to_bool(&mut self, a: TermId) -> TermId {
        debug_assert_eq!(self.sort(a), Sort::Bv(1));
        let one = self.bv(1, 1);
        self.eq(a, one)
    }

    /// Whether a bit-vector is not zero: C's truth value.
    pub fn nonzero(&mut self, a: TermId) -> TermId {
        let zero = self.bv(0, self.width(a));
        self.ne(a, zero)
    }

    /// The entry at `index`; the last one for all larger indices. A tree of comparisons with constants, of
    /// logarithmic depth, in which runs of equal entries are one leaf.
    ///
    /// # Panics
    /// On an empty table.
    pub fn table(&mut self, index: TermId, entries: &[TermId]) -> TermId {
        assert!(!entries.is_empty(), "a table has entries");
        let limit = crate::sort::mask(self.width(index));
        let mut runs: Vec<(u128, TermId)> = Vec::new();
        for (i, &entry) in (0u128..).zip(entries).take_while(|(i, _)| *i <= limit) {
            if runs.last().is_none_or(|(_, last)| *last != entry) {
                runs.push((i, entry));
            }
        }
        self.table_of_runs(index, &runs)
    }

    /// `runs` are (first index, entry); halves it until one is left, so the recursion is logarithmic.
    fn table_of_runs(&mut self, index: TermId, runs: &[(u128, TermId)]) -> TermId {
        let [.., _] = runs else { unreachable!("a table has entries") };
        if let [(_, only)] = runs {
            return *only;
        }
        let (low, high) = runs.split_at(runs.len() / 2);
        let (below, above) = (self.table_of_runs(index, low), self.table_of_runs(index, high));
        let bound = self.bv(high[0].0, self.width(index));
        let is_below = self.ult(index, bound);
        self.ite(is_below, below, above)
    }

    /// The byte at an index of 64 bits.
    pub fn select(&mut self, array: TermId, index: TermId) -> TermId {
        debug_assert_eq!((self.sort(array), self.sort(index)), (Sort::Array, Sort::Bv(64)));
        self.mk(Op::Select, &[array, index], Sort::Bv(8))
    }

    /// The array with another byte at an index.
    pub fn store(&mut self, array: TermId, index: TermId, byte: TermId) -> TermId {
        debug_assert_eq!(
            (self.sort(array), self.sort(index), self.sort(byte)),
            (Sort::Array, Sort::Bv(64), Sort::Bv(8))
        );
        self.mk(Op::Store, &[array, index, byte], Sort::Array)
    }

    /// An array that has the same byte everywhere.
    pub fn const_array(&mut self, byte: TermId) -> TermId {
        debug_assert_eq!(self.sort(byte), Sort::Bv(8));
        self.mk(Op::ConstArray, &[byte], Sort::Array)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::eval;
    use crate::value::{Model, Value};

    #[test]
    fn tables_select_and_compare() {
        let mut t = Terms::new();
        let i = t.new_var("i", Sort::Bv(8));
        let contents: Vec<u128> = (0..40).map(|k| (k * 37 + k / 7) % 11).collect();
        let entries: Vec<TermId> = contents.iter().map(|&c| t.bv(c, 32)).collect();
        let table = t.table(i, &entries);
        let five = t.bv(5, 32);
        let is_five = t.eq(table, five);
        for k in 0..=255usize {
            let model: Model = [(t.as_var(i).unwrap(), Value::Bv(k as u128))].into_iter().collect();
            let expected = contents[k.min(39)];
            assert_eq!(eval(&t, table, &model), Value::Bv(expected));
            assert_eq!(eval(&t, is_five, &model), Value::Bool(expected == 5));
        }
        let missing = t.bv(99, 32);
        assert_eq!(t.eq(table, missing), t.ff(), "no entry is 99, whatever the index");
    }

    #[test]
    fn one_bit_round_trips_vanish() {
        let mut t = Terms::new();
        let (p, x) = (t.new_var("p", Sort::Bool), t.new_var("x", Sort::Bv(1)));
        let bit = t.bool_to_bv(p);
        assert_eq!(t.bv_to_bool(bit), p);
        let wide = t.zext(bit, 32);
        assert_eq!(t.nonzero(wide), p);
        let cond = t.bv_to_bool(x);
        assert_eq!(t.bool_to_bv(cond), x);
    }
}
