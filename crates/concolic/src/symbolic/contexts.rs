//! Calling contexts: by which chain of calls a function was entered.
//!
//! Contexts are made once, by whoever draws the map of the program (`cfg` of the search); a run only looks them up,
//! so that a decision can be found on that map. A call that the map does not know by its caller is looked up by its
//! function alone.

use rustc_hash::FxHashMap;

/// A context, by its number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ContextId(pub u32);

impl ContextId {
    /// No context is known: nobody drew a map, or the function is not on it.
    pub const NONE: ContextId = ContextId(u32::MAX);
}

/// Calls told apart by where they come from, as the control-flow graph of strategies has them.
#[derive(Clone, Debug, Default)]
pub struct Contexts {
    /// By caller, operation after the call, and function.
    calls: FxHashMap<(ContextId, u32, u32), ContextId>,
    /// By function, for calls that are not known one by one.
    merged: FxHashMap<u32, ContextId>,
}

impl Contexts {
    /// Says which context a call leads to.
    pub fn add(&mut self, caller: ContextId, after: u32, function: u32, context: ContextId) {
        self.calls.insert((caller, after, function), context);
    }

    /// Says that all calls of a function have one context.
    pub fn merge(&mut self, function: u32, context: ContextId) {
        self.merged.insert(function, context);
    }

    /// The one context of a function, if it has one.
    pub fn merged(&self, function: u32) -> Option<ContextId> {
        self.merged.get(&function).copied()
    }

    /// The context of a function that is called now.
    pub fn enter(&self, caller: ContextId, after: u32, function: u32) -> ContextId {
        if self.calls.is_empty() {
            return ContextId::NONE;
        }
        let known = self.calls.get(&(caller, after, function)).copied();
        known.or_else(|| self.merged(function)).unwrap_or(ContextId::NONE)
    }
}

/// A call of a run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Call {
    /// Its number, from 1.
    pub number: u32,
    /// How many calls of the same function are active around it.
    pub nesting: u32,
}

/// The active calls of a run and their contexts.
#[derive(Clone, Debug, Default)]
pub(super) struct Stack {
    active: Vec<(ContextId, u32, Call)>,
    /// How many there were so far.
    calls: u32,
    /// Active calls of each function.
    nested: FxHashMap<u32, u32>,
}

impl Stack {
    pub(super) fn top(&self) -> ContextId {
        self.active.last().map_or(ContextId::NONE, |active| active.0)
    }

    /// The function on top.
    pub(super) fn function(&self) -> Option<u32> {
        self.active.last().map(|active| active.1)
    }

    pub(super) fn call(&self) -> Call {
        self.active.last().map_or_else(Call::default, |active| active.2)
    }

    /// How many calls are active.
    pub(super) fn depth(&self) -> usize {
        self.active.len()
    }

    /// A function was called by the call at `depth`, which goes on at `after`.
    pub(super) fn enter(&mut self, contexts: &Contexts, function: u32, depth: usize, after: u32) {
        self.leave(depth);
        let context = contexts.enter(self.top(), after, function);
        self.calls += 1;
        let nested = self.nested.entry(function).or_insert(0);
        self.active.push((context, function, Call { number: self.calls, nesting: *nested }));
        *nested += 1;
    }

    /// So many calls are still active.
    pub(super) fn leave(&mut self, depth: usize) {
        for (_, function, _) in self.active.drain(depth.min(self.active.len())..) {
            if let Some(nested) = self.nested.get_mut(&function) {
                *nested -= 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_known_by_its_caller_or_else_by_its_function() {
        let mut contexts = Contexts::default();
        let (root, helper, shared) = (ContextId(0), ContextId(1), ContextId(2));
        contexts.add(ContextId::NONE, 0, 7, root);
        contexts.add(root, 12, 8, helper);
        contexts.merge(8, shared);
        let mut stack = Stack::default();
        stack.enter(&contexts, 7, 0, 0);
        assert_eq!(stack.top(), root);
        stack.enter(&contexts, 8, 1, 12);
        assert_eq!(stack.top(), helper);
        stack.leave(1);
        assert_eq!(stack.top(), root);
        assert_eq!((stack.depth(), stack.call()), (1, Call { number: 1, nesting: 0 }));
        stack.enter(&contexts, 8, 1, 99);
        assert_eq!(stack.top(), shared);
        stack.enter(&contexts, 9, 1, 12);
        assert_eq!(stack.top(), ContextId::NONE);
        stack.leave(0);
        assert_eq!(stack.top(), ContextId::NONE);
    }
}
