//! Errors that only happen if a caller breaks what the code seems to expect.
//!
//! How many elements an object has, whether it is on the heap and whether a pointer is NULL are choices of ours among what C
//! allows. Where an error needs such a choice and the code nowhere deals with it, a caller is expected to choose otherwise: that
//! is a contract of the function, which nobody wrote down.

use std::collections::BTreeSet;

use covenant_goals::report::Defect;
use covenant_interpreter::{Trap, TrapKind};

use super::Symbolic;
use super::inputs::{Root, RootKind};
use super::record::{Recorded, Target};
use super::shapes::Want;

/// A contract that a run broke.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Broken {
    words: Option<String>,
    /// The pointer that is NULL, as the source names it: where the code asks for that somewhere, it is no contract.
    null: Option<String>,
}

impl Broken {
    /// The defect with what must be broken for it.
    pub fn apply(self, defect: Defect) -> Defect {
        Defect { contract: self.words, null: self.null, ..defect }
    }
}

impl Symbolic<'_> {
    /// Which contract a run broke that ended like this.
    pub fn broken_contract(&self, trap: &Trap) -> Broken {
        match trap.kind {
            TrapKind::NullPointer => self.null_input().unwrap_or_else(|| self.made_of_bytes()),
            // What is before a null pointer.
            TrapKind::WildPointer
                if trap.about.is_some_and(|about| about.base == 0 && (-4096..0).contains(&about.offset)) =>
            {
                self.null_input().unwrap_or_else(|| self.made_of_bytes())
            }
            TrapKind::WildPointer => self.made_of_bytes(),
            TrapKind::OutOfBounds => Broken { words: self.too_small(trap), null: None },
            TrapKind::InvalidFree => {
                let root = trap.about.and_then(|about| self.object_at(about.base));
                let words = root.map(|root| format!("the object behind {} comes from malloc", root.pointer));
                Broken { words, null: None }
            }
            _ => Broken::default(),
        }
    }

    pub(super) fn object_at(&self, base: u64) -> Option<&Root> {
        let is_there = |root: &&Root| root.address == base && base != 0;
        self.roots.iter().filter(|root| matches!(root.kind, RootKind::Object(_))).find(is_there)
    }

    /// The last pointer that the run read, if it is NULL.
    fn null_input(&self) -> Option<Broken> {
        let last = self.recorded.iter().rev().find_map(|recorded| match recorded {
            Recorded::Pointer { root, name, to, .. } => Some(Some((*root, name, to))),
            // A call that failed gave NULL: nobody but the code itself is to blame.
            Recorded::Failure { .. } => Some(None),
            _ => None,
        });
        let (root, name, _) = last.flatten().filter(|(_, _, to)| **to == Target::Null)?;
        if let RootKind::Call { call, param: None } = self.roots[root as usize].kind {
            let words = self.called(call).map(|function| format!("what {function} returns is not NULL"));
            return Some(Broken { words, null: None });
        }
        let (plain, _) = name.split_once('[').filter(|_| name.ends_with(']')).unwrap_or((name, ""));
        let null = plain.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next()?;
        Some(Broken { words: Some(format!("{name} is not NULL")), null: Some(null.to_owned()) })
    }

    /// The function of the call of this number.
    fn called(&self, call: u32) -> Option<&str> {
        let mut calls = self.recorded.iter().filter_map(|recorded| match recorded {
            Recorded::Call { function, .. } | Recorded::Bytes { function, .. } => Some(function.as_str()),
            _ => None,
        });
        calls.nth(call as usize)
    }

    /// Bytes of an object were read as a pointer, which they cannot be in a run.
    fn made_of_bytes(&self) -> Broken {
        let root = self.read_as_pointer.get().map(|root| &self.roots[root as usize]);
        let words = root.map(|root| format!("bytes of {} that are read as a pointer are one", root.case_name()));
        Broken { words, null: None }
    }

    fn too_small(&self, trap: &Trap) -> Option<String> {
        let about = trap.about?;
        let root = self.object_at(about.base).filter(|root| root.sized_by_us && root.element_size > 0)?;
        let pointer = &root.pointer;
        let Ok(offset) = u64::try_from(about.offset) else {
            let before = about.offset.unsigned_abs().saturating_add(root.entry);
            return Some(format!("at least {before} bytes of an object are before what {pointer} points to"));
        };
        if let Some(others) = self.compared_with(pointer) {
            return Some(format!("{pointer} and {others} point into one object"));
        }
        if let Some(others) = self.sharers(root) {
            return Some(format!("{pointer} and {others} point into one object, in the order that the code expects"));
        }
        let needed = offset.saturating_add(about.size).div_ceil(root.element_size).saturating_sub(root.shift);
        Some(format!("the object behind {pointer} has at least {needed} elements"))
    }

    /// Pointers to other objects that a pointer was compared with, as the source names them.
    fn compared_with(&self, pointer: &str) -> Option<String> {
        let wants = self.wants.borrow();
        let others = wants.iter().filter_map(|want| match want {
            Want::Together { one, other, .. } if one == pointer => Some(other.as_str()),
            Want::Together { one, other, .. } if other == pointer => Some(one.as_str()),
            _ => None,
        });
        let others: BTreeSet<&str> = others.collect();
        (!others.is_empty()).then(|| others.into_iter().collect::<Vec<_>>().join(" and "))
    }

    /// Other pointers into the middle of an object, as the source names them.
    fn sharers(&self, root: &Root) -> Option<String> {
        let is_other = |recorded: &Recorded| match recorded {
            Recorded::Pointer { name, to: Target::Root(to, _), .. } if *name != root.pointer => {
                (self.roots[*to as usize].address == root.address).then(|| name.clone())
            }
            _ => None,
        };
        let others: Vec<String> = self.recorded.iter().filter(|_| root.group.is_some()).filter_map(is_other).collect();
        (!others.is_empty()).then(|| others.join(" and "))
    }
}
