//! Arrays.

use super::{Rule, rules};
use crate::op::Op;
use crate::term::{Node, TermId, Terms};

pub(super) const SELECT: &[Rule] = rules![select_through_stores, select_of_const_array];
pub(super) const STORE: &[Rule] = rules![store_twice, store_what_is_there];

/// Reads the store at the same index, and past stores whose constant index differs from the constant read.
fn select_through_stores(t: &mut Terms, n: &Node) -> Option<TermId> {
    let (mut array, index) = (n.args[0], n.args[1]);
    while t.op(array) == Op::Store {
        let (below, at, byte) = (t.arg(array, 0), t.arg(array, 1), t.arg(array, 2));
        if at == index {
            return Some(byte);
        }
        if !t.is_const(at) || !t.is_const(index) {
            break;
        }
        array = below;
    }
    (array != n.args[0]).then(|| t.select(array, index))
}

fn select_of_const_array(t: &mut Terms, n: &Node) -> Option<TermId> {
    t.un(n.args[0], Op::ConstArray)
}

/// The later of two stores at one index wins.
fn store_twice(t: &mut Terms, n: &Node) -> Option<TermId> {
    let below = *t.node(n.args[0]);
    (below.op == Op::Store && below.args[1] == n.args[1]).then(|| t.store(below.args[0], n.args[1], n.args[2]))
}

/// a[i ← a[i]] → a
fn store_what_is_there(t: &mut Terms, n: &Node) -> Option<TermId> {
    let (array, index) = t.bin(n.args[2], Op::Select)?;
    (array == n.args[0] && index == n.args[1]).then_some(array)
}
