//! Terms of the bytes of one object.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use covenant_constraints::{Op, TermId, Terms};
use covenant_interpreter::shadow::{Shadowed, Waiting};
use covenant_program::ir::Type;

use super::inputs::CellLayout;
use crate::meaning::memory;
use crate::meaning::pure::Term;

/// Bytes without an entry are what the object's bytes say.
#[derive(Clone, Debug, Default)]
pub struct ByteTerms {
    /// 8-bit terms by offset.
    terms: HashMap<u64, TermId>,
    /// Which root the object is, if its cells are inputs, and which of them are settled.
    root: Option<(u32, Arc<[CellLayout]>)>,
    settled: HashSet<u32>,
    /// Bytes that are no input of their own and were written.
    written: HashSet<u64>,
    /// Values that were put together from bytes, until something changes.
    loaded: RefCell<HashMap<(u64, Type), Term>>,
}

impl ByteTerms {
    pub(super) fn waiting_for(root: u32, cells: Arc<[CellLayout]>) -> ByteTerms {
        ByteTerms { root: Some((root, cells)), ..ByteTerms::default() }
    }

    pub(super) fn waiting(&self, offset: u64, size: u64) -> Vec<Waiting> {
        let Some((root, cells)) = &self.root else { return Vec::new() };
        // Cells do not overlap and are in order.
        let first = cells.partition_point(|c| c.offset + u64::from(c.size) <= offset);
        let inside = cells.iter().enumerate().skip(first).take_while(|(_, c)| c.offset < offset.saturating_add(size));
        let open = inside.filter(|(i, _)| !self.settled.contains(&(*i as u32)));
        open.map(|(i, c)| Waiting { root: *root, leaf: i as u32, offset: c.offset, size: c.size }).collect()
    }

    /// Which root the object is, if it is one.
    pub(super) fn root(&self) -> Option<u32> {
        self.root.as_ref().map(|(root, _)| *root)
    }

    /// The cells in a range, settled or not.
    pub(super) fn cells(&self, offset: u64, size: u64) -> &[CellLayout] {
        let Some((_, cells)) = &self.root else { return &[] };
        let first = cells.partition_point(|c| c.offset + u64::from(c.size) <= offset);
        let end = cells.partition_point(|c| c.offset < offset.saturating_add(size));
        cells.get(first..end).unwrap_or(&[])
    }

    /// Whether some byte in a range is neither an input nor written.
    pub(super) fn has_hole(&self, offset: u64, size: u64) -> bool {
        let cells = self.cells(offset, size);
        let covered = |at: u64| cells.iter().any(|c| (c.offset..c.offset + u64::from(c.size)).contains(&at));
        (offset..offset.saturating_add(size)).any(|at| !covered(at) && !self.written.contains(&at))
    }

    /// A range is written. Only what is no input by itself need be remembered.
    pub(super) fn wrote(&mut self, offset: u64, size: u64) {
        if self.root.is_some() && size <= 1 << 16 {
            self.written.extend(offset..offset.saturating_add(size));
        }
    }

    /// Whether an input was read or overwritten.
    pub(super) fn is_settled(&self, leaf: u32) -> bool {
        self.settled.contains(&leaf)
    }

    pub(super) fn settle(&mut self, leaf: u32) {
        self.settled.insert(leaf);
    }

    pub(super) fn range(&self, offset: u64, size: u64) -> Vec<(u64, Term)> {
        if (self.terms.len() as u64) < size {
            let mut found: Vec<(u64, Term)> = self.terms.iter().map(|(&at, &t)| (at, Some(t))).collect();
            found.retain(|(at, _)| (offset..offset.saturating_add(size)).contains(at));
            found.iter_mut().for_each(|(at, _)| *at -= offset);
            found.sort_by_key(|(at, _)| *at);
            return found;
        }
        (0..size).filter_map(|i| Some((i, Some(*self.terms.get(&offset.checked_add(i)?)?)))).collect()
    }

    pub(super) fn clear(&mut self, offset: u64, size: u64) {
        self.loaded.get_mut().clear();
        if (self.terms.len() as u64) < size {
            self.terms.retain(|at, _| !(offset..offset.saturating_add(size)).contains(at));
        } else {
            (offset..offset.saturating_add(size)).for_each(|at| {
                self.terms.remove(&at);
            });
        }
    }

    pub(super) fn set(&mut self, offset: u64, term: Term) {
        self.loaded.get_mut().clear();
        match term {
            Some(term) => self.terms.insert(offset, term),
            None => self.terms.remove(&offset),
        };
    }

    /// Whether some byte is a part of a computed float.
    pub(super) fn has_float(&self, terms: &Terms, offset: u64, size: u64) -> bool {
        let is_float = |term: TermId| match terms.op(term) {
            Op::FToIeee => true,
            Op::Extract { .. } => terms.op(terms.arg(term, 0)) == Op::FToIeee,
            _ => false,
        };
        (offset..offset.saturating_add(size)).filter_map(|at| self.terms.get(&at)).any(|&term| is_float(term))
    }

    /// The term of a value, none if all its bytes are plain.
    pub(super) fn load(&self, terms: &mut Terms, offset: u64, ty: Type, bits: u128) -> Term {
        if let Some(&known) = self.loaded.borrow().get(&(offset, ty)) {
            return known;
        }
        let size = u64::from(ty.store_size());
        let symbolic = (0..size).filter(|i| self.terms.contains_key(&(offset + i))).count() as u64;
        let term = self.put_together(terms, offset, ty, bits);
        // Plain bytes may change without notice.
        if symbolic == size {
            self.loaded.borrow_mut().insert((offset, ty), term);
        }
        term
    }

    fn put_together(&self, terms: &mut Terms, offset: u64, ty: Type, bits: u128) -> Term {
        let size = u64::from(ty.store_size());
        if !(0..size).any(|i| self.terms.contains_key(&(offset + i))) {
            return None;
        }
        let plain = |i: u64| bits >> (8 * i) & 0xFF;
        let known = |i: u64| self.terms.get(&(offset + i)).copied();
        let bytes: Vec<TermId> = (0..size).map(|i| known(i).unwrap_or_else(|| terms.bv(plain(i), 8))).collect();
        let whole = memory::word(terms, bytes)?;
        let value = memory::value(terms, whole, ty);
        (!terms.is_const(value)).then_some(value)
    }

    pub(super) fn store(&mut self, terms: &mut Terms, offset: u64, value: Shadowed<Term>) {
        for (i, byte) in split(terms, value).into_iter().enumerate() {
            let term = (!terms.is_const(byte)).then_some(byte);
            self.set(offset + i as u64, term);
        }
    }

    /// A write to one of several places: each byte is the new one if the offset says so.
    pub(super) fn scatter(
        &mut self,
        terms: &mut Terms,
        old: &[u8],
        offset: TermId,
        places: &[u64],
        value: Shadowed<Term>,
    ) {
        self.loaded.get_mut().clear();
        let new = split(terms, value);
        for &place in places {
            let is_here = memory::is_at(terms, offset, place);
            for (i, &byte) in new.iter().enumerate() {
                let at = place + i as u64;
                let before = match self.terms.get(&at) {
                    Some(&term) => term,
                    None => terms.bv(u128::from(old[at as usize]), 8),
                };
                let chosen = terms.ite(is_here, byte, before);
                self.terms.insert(at, chosen);
            }
        }
    }
}

/// The bytes of a value, low first.
fn split(terms: &mut Terms, value: Shadowed<Term>) -> Vec<TermId> {
    let word = memory::stored(terms, value);
    memory::bytes(terms, word)
}
