//! What nodes became lately when they were simplified.
//!
//! Runs of one program make the same terms again and again, and most of the cost of making them is to find out which rules
//! apply. The memory is as large as the arena, up to a limit: a newer node takes the place of an older one.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use crate::term::{Node, TermId};

/// Terms before which an arena does without.
const FEW_TERMS: usize = 1 << 11; // not tuning: memory, and nothing else depends on it
/// The most nodes that are remembered; a power of two.
const MOST_SLOTS: usize = 1 << 20; // not tuning: memory

#[derive(Debug, Default)]
pub(crate) struct Recall {
    slots: Vec<Option<(Node, TermId)>>,
}

/// Where a node is kept.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot(usize);

impl Recall {
    pub(crate) fn slot(node: &Node) -> Slot {
        let mut hasher = FxHasher::default();
        node.hash(&mut hasher);
        Slot(hasher.finish() as usize)
    }

    pub(crate) fn get(&self, slot: Slot, node: &Node) -> Option<TermId> {
        match self.slots.get(slot.0 & self.slots.len().wrapping_sub(1)) {
            Some(Some((known, term))) if known == node => Some(*term),
            _ => None,
        }
    }

    pub(crate) fn set(&mut self, slot: Slot, node: Node, term: TermId, terms: usize) {
        if terms > self.slots.len() && self.slots.len() < MOST_SLOTS {
            if terms < FEW_TERMS {
                return;
            }
            let slots = (2 * terms).next_power_of_two().min(MOST_SLOTS);
            self.slots.clear();
            self.slots.resize(slots, None);
        }
        let mask = self.slots.len() - 1;
        self.slots[slot.0 & mask] = Some((node, term));
    }
}

#[cfg(test)]
mod tests {
    use crate::sort::Sort;
    use crate::term::Terms;

    #[test]
    fn what_is_made_again_is_the_same_however_much_came_between() {
        let mut terms = Terms::new();
        let x = terms.new_var("x", Sort::Bv(32));
        let make = |terms: &mut Terms, i: u32| {
            let number = terms.bv(u128::from(i), 32);
            let sum = terms.add(number, x);
            let back = terms.sub(sum, x);
            let small = terms.ult(sum, number);
            (sum, back, small)
        };
        let first: Vec<_> = (0..20_000).map(|i| make(&mut terms, i)).collect();
        let size = terms.len();
        let again: Vec<_> = (0..20_000).map(|i| make(&mut terms, i)).collect();
        assert_eq!(first, again);
        assert_eq!(terms.len(), size);
    }
}
