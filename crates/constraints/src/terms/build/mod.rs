//! Making terms. Each builder method checks sorts (in debug builds), folds constants, applies the rules of
//! [`crate::rewrite`], and only then interns the node. `raw` makes the node as it is, for tests of the rules.

mod bits;
mod floats;
mod logic;
pub(crate) mod recall;

use rustc_hash::FxHashMap;

use self::recall::Recall;
use crate::eval;
use crate::op::Op;
use crate::rewrite;
use crate::sort::Sort;
use crate::term::{Args, Node, TermId, Terms};
use crate::value::Value;

/// A rule builds its result with the builder methods, which apply rules again. Each step makes the term smaller in some
/// sense, but nesting follows the shape of the term, and chains of a program's loop are long: beyond this depth nodes are
/// made as they are.
const MAX_DEPTH: u32 = 64; // not tuning: the stack

impl Terms {
    /// The node `op(args)`, simplified.
    pub fn mk(&mut self, op: Op, args: &[TermId], sort: Sort) -> TermId {
        let asked = Node { op, args: Args::new(args), sort };
        let slot = Recall::slot(&asked);
        if let Some(known) = self.recall.get(slot, &asked) {
            return known;
        }
        let hits = self.depth_limit_hits;
        let made = self.simplified(asked, args);
        // What was cut short may become something else when it is asked for at another depth.
        if self.depth_limit_hits == hits {
            self.recall.set(slot, asked, made, self.len());
        }
        made
    }

    fn simplified(&mut self, Node { op, mut args, sort }: Node, given: &[TermId]) -> TermId {
        if let Some(folded) = self.fold(op, given, sort) {
            return folded;
        }
        if op.is_commutative() && self.should_swap(args[0], args[1]) {
            args = Args::new(&[args[1], args[0]]);
        }
        let node = Node { op, args, sort };
        if self.depth >= MAX_DEPTH {
            self.depth_limit_hits += 1;
            return self.intern_node(node);
        }
        self.depth += 1;
        let rewritten = rewrite::apply(self, &node);
        self.depth -= 1;
        rewritten.unwrap_or_else(|| self.intern_node(node))
    }

    /// Constants second, otherwise the older term first.
    fn should_swap(&self, a: TermId, b: TermId) -> bool {
        match (self.is_const(a), self.is_const(b)) {
            (true, false) => true,
            (false, true) => false,
            _ => a > b,
        }
    }

    pub(crate) fn intern_node(&mut self, node: Node) -> TermId {
        let args: smallvec::SmallVec<[TermId; 3]> = node.args.iter().collect();
        self.intern(node.op, &args, node.sort)
    }

    /// The node as it is: no folding and no rewriting.
    pub fn raw(&mut self, op: Op, args: &[TermId], sort: Sort) -> TermId {
        self.intern(op, args, sort)
    }

    /// How often a rewriting was cut short because it nested too deep.
    pub fn rewrite_depth_hits(&self) -> u64 {
        self.depth_limit_hits
    }

    fn fold(&mut self, op: Op, args: &[TermId], sort: Sort) -> Option<TermId> {
        if args.is_empty() || sort == Sort::Array {
            return None;
        }
        let values: Option<smallvec::SmallVec<[Value; 3]>> = args.iter().map(|t| self.as_value(*t)).collect();
        let sorts: smallvec::SmallVec<[Sort; 3]> = args.iter().map(|t| self.sort(*t)).collect();
        let value = eval::apply(op, sort, &values?, &sorts);
        Some(self.constant(sort, &value))
    }

    /// The constant with this value; an array becomes stores into a constant array.
    pub fn constant(&mut self, sort: Sort, value: &Value) -> TermId {
        match (sort, value) {
            (Sort::Bool, v) => self.bool(v.is_true()),
            (Sort::Bv(w), v) => self.bv(v.bits().unwrap_or(0), w),
            (Sort::Float(k), v) => self.float(k, v.bits().unwrap_or(0)),
            (Sort::Array, Value::Array(a)) => {
                let fill = self.bv(u128::from(a.default_byte()), 8);
                let mut result = self.const_array(fill);
                for (offset, byte) in a.entries() {
                    let (i, v) = (self.bv(u128::from(offset), 64), self.bv(u128::from(byte), 8));
                    result = self.store(result, i, v);
                }
                result
            }
            (Sort::Array, _) => {
                let zero = self.bv(0, 8);
                self.const_array(zero)
            }
        }
    }

    /// The term with the subterms of `map` replaced, simplified anew. An explicit stack, as terms can be very deep.
    pub fn substitute(&mut self, root: TermId, map: &FxHashMap<TermId, TermId>) -> TermId {
        let mut memo = FxHashMap::default();
        self.substitute_with(root, map, &mut memo)
    }

    /// As [`Terms::substitute`], with a memo that may be kept as long as `map` stays the same.
    pub fn substitute_with(
        &mut self,
        root: TermId,
        map: &FxHashMap<TermId, TermId>,
        memo: &mut FxHashMap<TermId, TermId>,
    ) -> TermId {
        let mut stack = vec![root];
        while let Some(&t) = stack.last() {
            if memo.contains_key(&t) {
                stack.pop();
                continue;
            }
            if let Some(&new) = map.get(&t) {
                memo.insert(t, new);
                stack.pop();
                continue;
            }
            let node = *self.node(t);
            let before = stack.len();
            stack.extend(node.args.iter().filter(|a| !memo.contains_key(a)));
            if stack.len() > before {
                continue;
            }
            let new: smallvec::SmallVec<[TermId; 3]> = node.args.iter().map(|a| memo[&a]).collect();
            let result = if node.args.iter().eq(new.iter().copied()) { t } else { self.mk(node.op, &new, node.sort) };
            memo.insert(t, result);
            stack.pop();
        }
        memo[&root]
    }

    /// All terms below the roots, each once, arguments before users.
    pub fn postorder(&self, roots: &[TermId]) -> Vec<TermId> {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut stack: Vec<TermId> = roots.to_vec();
        while let Some(t) = stack.pop() {
            if seen.insert(t) {
                stack.extend(self.node(t).args.iter());
            }
        }
        // Ids are a topological order.
        let mut all: Vec<TermId> = seen.into_iter().collect();
        all.sort_unstable();
        all
    }

    /// The variables below the roots, in order.
    pub fn variables(&self, roots: &[TermId]) -> Vec<crate::term::VarId> {
        self.postorder(roots).into_iter().filter_map(|t| self.as_var(t)).collect()
    }

    /// How many nodes the term has, shared ones counted once.
    pub fn dag_size(&self, root: TermId) -> usize {
        self.postorder(&[root]).len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn substitution_simplifies_and_is_deep() {
        let mut t = Terms::new();
        let x = t.new_var("x", Sort::Bv(32));
        let y = t.new_var("y", Sort::Bv(32));
        let mut deep = y;
        for _ in 0..100_000 {
            let m = t.mul(deep, y);
            deep = t.bv_xor(m, x);
        }
        let (two, seven) = (t.bv(2, 32), t.bv(7, 32));
        let map = [(x, two), (y, seven)].into_iter().collect();
        let result = t.substitute(deep, &map);
        let expected = (0..100_000).fold(7u32, |d, _| d.wrapping_mul(7) ^ 2);
        assert_eq!(t.as_bv(result), Some(u128::from(expected)));
    }

    #[test]
    fn array_constants() {
        let mut t = Terms::new();
        let mut value = crate::value::ArrayValue::filled(1);
        value.set(10, 2);
        let a = t.constant(Sort::Array, &Value::Array(std::sync::Arc::new(value.clone())));
        let back = eval::eval(&t, a, &crate::value::Model::new());
        assert_eq!(back, Value::Array(std::sync::Arc::new(value)));
    }
}
