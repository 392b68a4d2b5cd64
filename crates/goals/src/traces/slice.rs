//! What of an abstraction a criterion needs.
//!
//! For all local paths these are the rules of the function under test alone, and every call is a hole. For a point these are
//! the rules from which it can be reached, found bottom up; calls that cannot lead there are holes, and a trace ends at the
//! point.

use std::collections::BTreeSet;

use covenant_program::ir::{Block, FuncId};

use super::{Abstraction, Next};

/// A point: a block, behind so many of its calls.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Goal {
    /// The function that the point is in.
    pub function: FuncId,
    /// The block.
    pub block: Block,
    /// Calls of the block that come before it.
    pub calls: usize,
}

impl Abstraction {
    /// The slice for all local paths of the entry.
    pub fn local(&self) -> Abstraction {
        let mut slice = Abstraction { methods: Default::default(), ..self.clone() };
        slice.methods.extend(self.methods.get(&self.entry).map(|method| (self.entry, method.clone())));
        for pred in slice.methods.values_mut().flat_map(|m| m.preds.values_mut()) {
            pred.calls.iter_mut().for_each(|call| call.into = None);
        }
        slice
    }

    /// The slice for points that are one to the user: the same line in several places of the code.
    pub fn point(&self, goals: &[Goal]) -> Abstraction {
        let leads = self.leading(goals);
        let mut slice = Abstraction { goals: goals.to_vec(), ..self.clone() };
        for (&function, method) in &mut slice.methods {
            method.preds.retain(|&block, _| leads.contains(&(function, block)));
            for pred in method.preds.values_mut() {
                pred.rules.retain(|rule| match rule.next {
                    Next::Block { block, .. } => leads.contains(&(function, block)),
                    Next::Return | Next::Stop => false,
                });
                for call in &mut pred.calls {
                    call.into = call.into.filter(|&callee| leads.contains(&(callee, Block::ENTRY)));
                }
            }
        }
        slice.methods.retain(|_, method| !method.preds.is_empty());
        slice
    }

    /// Blocks from which a goal can be reached, in the same call or deeper.
    fn leading(&self, goals: &[Goal]) -> BTreeSet<(FuncId, Block)> {
        let mut leads: BTreeSet<(FuncId, Block)> = goals.iter().map(|goal| (goal.function, goal.block)).collect();
        loop {
            let before = leads.len();
            for (&function, method) in &self.methods {
                for (&block, pred) in &method.preds {
                    let calls = pred.calls.iter().filter_map(|call| call.into);
                    let goes = pred.rules.iter().any(|rule| match rule.next {
                        Next::Block { block, .. } => leads.contains(&(function, block)),
                        Next::Return | Next::Stop => false,
                    });
                    if goes || calls.into_iter().any(|callee| leads.contains(&(callee, Block::ENTRY))) {
                        leads.insert((function, block));
                    }
                }
            }
            if leads.len() == before {
                return leads;
            }
        }
    }
}
