//! The hash-consed arena of terms.
//!
//! Invariants: two live ids denote equal nodes only if they are the same id; the arguments of a node have smaller ids
//! than the node, so that ids are a topological order; every node is well sorted.

use std::collections::hash_map::Entry;
use std::fmt;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU64, Ordering};

use rustc_hash::FxHashMap;

use crate::build::recall::Recall;
use crate::op::{ConstId, Op};
use crate::sort::{FloatKind, Sort, mask};
use crate::value::Value;

/// A term of one [`Terms`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TermId(NonZeroU32);

impl TermId {
    /// A dense index, for side tables.
    pub fn index(self) -> usize {
        self.0.get() as usize - 1
    }

    fn from_index(index: usize) -> TermId {
        let raw = u32::try_from(index + 1).ok().and_then(NonZeroU32::new);
        TermId(raw.expect("fewer than 2^32 terms fit into memory"))
    }
}

impl fmt::Display for TermId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "t{}", self.0)
    }
}

impl fmt::Debug for TermId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A variable of one [`Terms`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VarId(pub(crate) u32);

impl VarId {
    /// Variables of an arena are numbered from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for VarId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "x{}", self.0)
    }
}

impl fmt::Debug for VarId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// At most three arguments, packed.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Args([Option<TermId>; 3]);

impl Args {
    /// At most three.
    pub fn new(args: &[TermId]) -> Args {
        let mut packed = [None; 3];
        for (slot, arg) in packed.iter_mut().zip(args) {
            *slot = Some(*arg);
        }
        debug_assert!(args.len() <= 3);
        Args(packed)
    }

    /// In their order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = TermId> + '_ {
        self.0.iter().flatten().copied()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.iter().count()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0[0].is_none()
    }
}

impl std::ops::Index<usize> for Args {
    type Output = TermId;
    fn index(&self, i: usize) -> &TermId {
        self.0[i].as_ref().expect("the operation has this many arguments")
    }
}

impl fmt::Debug for Args {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// One node: the operation, its arguments and the sort of the result.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Node {
    /// The operation.
    pub op: Op,
    /// Its arguments.
    pub args: Args,
    /// What it gives.
    pub sort: Sort,
}

/// What is known of a term without looking at it again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traits {
    /// Whether a float is in it.
    pub has_float: bool,
    /// Whether an array is in it.
    pub has_array: bool,
    /// Whether a variable is in it.
    pub has_var: bool,
    /// Nesting of conditionals whose leaves are all constants; 0 for every other term.
    pub table_depth: u8,
}

#[derive(Clone, Debug)]
struct VarData {
    name: String,
    sort: Sort,
    term: TermId,
}

static NEXT_ARENA: AtomicU64 = AtomicU64::new(1);

/// The arena. Builder methods are in [`crate::build`]'s `impl` blocks.
#[derive(Debug)]
pub struct Terms {
    arena: u64,
    nodes: Vec<Node>,
    traits: Vec<Traits>,
    table: FxHashMap<Node, TermId>,
    consts: Vec<u128>,
    const_table: FxHashMap<u128, ConstId>,
    vars: Vec<VarData>,
    /// How deep rewriting is nested; see [`Terms::mk`].
    pub(crate) depth: u32,
    /// How often a node was made without rewriting because of that depth.
    pub(crate) depth_limit_hits: u64,
    pub(crate) recall: Recall,
}

impl Default for Terms {
    fn default() -> Terms {
        Terms::new()
    }
}

impl Terms {
    /// An arena with the two Booleans in it.
    pub fn new() -> Terms {
        let mut terms = Terms {
            arena: NEXT_ARENA.fetch_add(1, Ordering::Relaxed),
            nodes: Vec::new(),
            traits: Vec::new(),
            table: FxHashMap::default(),
            consts: Vec::new(),
            const_table: FxHashMap::default(),
            vars: Vec::new(),
            depth: 0,
            depth_limit_hits: 0,
            recall: Recall::default(),
        };
        terms.intern(Op::False, &[], Sort::Bool);
        terms.intern(Op::True, &[], Sort::Bool);
        terms
    }

    /// Tells one arena from another, so that caches keyed by ids notice when they are used with the wrong one.
    pub fn arena(&self) -> u64 {
        self.arena
    }

    /// How many terms there are; their indices are below it.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never: the truth values are always there.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// What a term is made of.
    pub fn node(&self, t: TermId) -> &Node {
        &self.nodes[t.index()]
    }

    /// What a term does with its arguments.
    pub fn op(&self, t: TermId) -> Op {
        self.node(t).op
    }

    /// What a term gives.
    pub fn sort(&self, t: TermId) -> Sort {
        self.node(t).sort
    }

    /// The width of a bit-vector or float.
    pub fn width(&self, t: TermId) -> u8 {
        self.sort(t).width()
    }

    /// An argument, which must be there.
    pub fn arg(&self, t: TermId, i: usize) -> TermId {
        self.node(t).args[i]
    }

    /// What is known of a term as a whole.
    pub fn traits(&self, t: TermId) -> Traits {
        self.traits[t.index()]
    }

    /// A fresh variable. Names are for people and need not be unique.
    pub fn var(&mut self, name: impl Into<String>, sort: Sort) -> VarId {
        debug_assert!(!matches!(sort, Sort::Bv(w) if w == 0 || w > 128));
        let var = VarId(u32::try_from(self.vars.len()).expect("fewer than 2^32 variables fit into memory"));
        let term = self.intern(Op::Var(var), &[], sort);
        self.vars.push(VarData { name: name.into(), sort, term });
        var
    }

    /// A fresh variable as a term.
    pub fn new_var(&mut self, name: impl Into<String>, sort: Sort) -> TermId {
        let var = self.var(name, sort);
        self.var_term(var)
    }

    /// A variable as a term.
    pub fn var_term(&self, var: VarId) -> TermId {
        self.vars[var.index()].term
    }

    /// What people call a variable; not unique.
    pub fn var_name(&self, var: VarId) -> &str {
        &self.vars[var.index()].name
    }

    /// What values a variable has.
    pub fn var_sort(&self, var: VarId) -> Sort {
        self.vars[var.index()].sort
    }

    /// How many variables there are.
    pub fn var_count(&self) -> usize {
        self.vars.len()
    }

    /// The variable that a term is, if it is one.
    pub fn as_var(&self, t: TermId) -> Option<VarId> {
        match self.op(t) {
            Op::Var(v) => Some(v),
            _ => None,
        }
    }

    pub(crate) fn const_value(&self, id: ConstId) -> u128 {
        self.consts[id.0 as usize]
    }

    pub(crate) fn const_id(&mut self, value: u128) -> ConstId {
        match self.const_table.entry(value) {
            Entry::Occupied(e) => *e.get(),
            Entry::Vacant(e) => {
                let id = ConstId(self.consts.len() as u32);
                self.consts.push(value);
                *e.insert(id)
            }
        }
    }

    /// A bit-vector constant; excess bits of `value` are dropped.
    pub fn bv(&mut self, value: u128, width: u8) -> TermId {
        debug_assert!((1..=128).contains(&width));
        let id = self.const_id(value & mask(width));
        self.intern(Op::BvConst(id), &[], Sort::Bv(width))
    }

    /// A float constant from its bits in memory. All NaNs are one, the canonical quiet NaN.
    pub fn float(&mut self, kind: FloatKind, bits: u128) -> TermId {
        let id = self.const_id(crate::float::canonical(kind, bits));
        self.intern(Op::FloatConst(id), &[], Sort::Float(kind))
    }

    /// A Boolean constant.
    pub fn bool(&self, value: bool) -> TermId {
        TermId::from_index(usize::from(value))
    }

    /// `true`
    pub fn tt(&self) -> TermId {
        self.bool(true)
    }

    /// `false`
    pub fn ff(&self) -> TermId {
        self.bool(false)
    }

    /// The bits of a bit-vector constant.
    pub fn as_bv(&self, t: TermId) -> Option<u128> {
        match self.op(t) {
            Op::BvConst(id) => Some(self.const_value(id)),
            _ => None,
        }
    }

    /// The Boolean constant that a term is, if it is one.
    pub fn as_bool(&self, t: TermId) -> Option<bool> {
        match self.op(t) {
            Op::True => Some(true),
            Op::False => Some(false),
            _ => None,
        }
    }

    /// The value of a constant that is no array.
    pub fn as_value(&self, t: TermId) -> Option<Value> {
        match self.op(t) {
            Op::True => Some(Value::Bool(true)),
            Op::False => Some(Value::Bool(false)),
            Op::BvConst(id) => Some(Value::Bv(self.const_value(id))),
            Op::FloatConst(id) => Some(Value::Float(self.const_value(id))),
            _ => None,
        }
    }

    /// Whether a constant; an array of one byte is none.
    pub fn is_const(&self, t: TermId) -> bool {
        self.op(t).is_const()
    }

    /// The node as it is: no folding, no rewriting. Every other way to make a term ends here.
    pub(crate) fn intern(&mut self, op: Op, args: &[TermId], sort: Sort) -> TermId {
        let node = Node { op, args: Args::new(args), sort };
        match self.table.entry(node) {
            Entry::Occupied(e) => *e.get(),
            Entry::Vacant(e) => {
                let id = TermId::from_index(self.nodes.len());
                e.insert(id);
                let traits = traits_of(&node, &self.nodes, &self.traits);
                self.nodes.push(node);
                self.traits.push(traits);
                id
            }
        }
    }
}

fn traits_of(node: &Node, nodes: &[Node], traits: &[Traits]) -> Traits {
    let mut result = Traits {
        has_float: matches!(node.sort, Sort::Float(_)),
        has_array: node.sort == Sort::Array,
        has_var: matches!(node.op, Op::Var(_)),
        table_depth: 0,
    };
    for arg in node.args.iter() {
        let t = traits[arg.index()];
        result.has_float |= t.has_float;
        result.has_array |= t.has_array;
        result.has_var |= t.has_var;
    }
    if node.op == Op::Ite {
        let leaf = |i: usize| {
            let t = node.args[i];
            let depth = traits[t.index()].table_depth;
            (nodes[t.index()].op.is_const() || depth > 0).then_some(depth)
        };
        if let (Some(a), Some(b)) = (leaf(1), leaf(2)) {
            result.table_depth = a.max(b).saturating_add(1);
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_small_and_print_plainly() {
        assert_eq!(size_of::<Option<TermId>>(), 4);
        assert_eq!(size_of::<Node>(), 24);
        let mut t = Terms::new();
        let x = t.new_var("x", Sort::Bv(8));
        assert_eq!(x.to_string(), "t3");
        assert_eq!(t.as_var(x).map(|v| v.to_string()).as_deref(), Some("x0"));
    }

    #[test]
    fn equal_nodes_are_one() {
        let mut t = Terms::new();
        let x = t.new_var("x", Sort::Bv(8));
        let y = t.new_var("x", Sort::Bv(8));
        assert_ne!(x, y, "variables are told apart by id, not by name");
        let a = t.intern(Op::Add, &[x, y], Sort::Bv(8));
        let b = t.intern(Op::Add, &[x, y], Sort::Bv(8));
        assert_eq!(a, b);
        let (c8, d8, c16) = (t.bv(257, 8), t.bv(1, 8), t.bv(1, 16));
        assert_eq!(c8, d8);
        assert_ne!(c8, c16);
    }
}
