//! Addresses, and values as bytes. Memory is little-endian.

use covenant_constraints::{TermId, Terms};
use covenant_interpreter::shadow::Shadowed;
use covenant_program::ir::Type;

use super::pure::{Term, as_bits, from_bits, resize};

/// `index * scale + disp`, in bytes; nothing for the index if there is none.
pub fn distance(terms: &mut Terms, index: Option<TermId>, scale: i64, disp: i64) -> TermId {
    let disp = terms.bv(disp as u64 as u128, 64);
    let Some(index) = index else { return disp };
    let scale = terms.bv(scale as u64 as u128, 64);
    let scaled = terms.mul(index, scale);
    terms.add(scaled, disp)
}

/// Bytes as one word, the lowest first. There is at least one.
pub fn word(terms: &mut Terms, bytes: impl IntoIterator<Item = TermId>) -> Option<TermId> {
    bytes.into_iter().reduce(|low, byte| terms.concat(byte, low))
}

/// The bytes of a word, the lowest first. Its width is a multiple of eight.
pub fn bytes(terms: &mut Terms, word: TermId) -> Vec<TermId> {
    (0..terms.width(word) / 8).map(|i| terms.extract(word, 8 * i + 7, 8 * i)).collect()
}

/// The value of a type that a word of memory is; what lies behind its bits is not looked at.
pub fn value(terms: &mut Terms, word: TermId, ty: Type) -> TermId {
    let width = ty.bits() as u8;
    let bits = resize(terms, word, width, false);
    from_bits(terms, bits, ty)
}

/// The word that a value is in memory: all its bytes, with zeros behind its bits.
pub fn stored(terms: &mut Terms, value: Shadowed<Term>) -> TermId {
    let bits = as_bits(terms, value);
    resize(terms, bits, 8 * value.ty.store_size() as u8, false)
}

/// The word of so many bytes in an array of bytes.
pub fn read(terms: &mut Terms, array: TermId, at: TermId, size: u32) -> TermId {
    let read: Vec<TermId> = (0..size)
        .map(|i| {
            let place = step(terms, at, u64::from(i));
            terms.select(array, place)
        })
        .collect();
    word(terms, read).unwrap_or_else(|| terms.bv(0, 8))
}

/// An array of bytes with a word written to it.
pub fn write(terms: &mut Terms, array: TermId, at: TermId, word: TermId) -> TermId {
    (0..).zip(bytes(terms, word)).fold(array, |array, (i, byte)| {
        let place = step(terms, at, i);
        terms.store(array, place, byte)
    })
}

/// So many bytes further on.
pub fn step(terms: &mut Terms, at: TermId, by: u64) -> TermId {
    let by = terms.bv(u128::from(by), 64);
    terms.add(at, by)
}

/// The value of the first place that the offset is, of several, or else the last one's: whoever asks knows that it is one of them.
pub fn choose(terms: &mut Terms, offset: TermId, places: impl IntoIterator<Item = (u64, TermId)>) -> Option<TermId> {
    places.into_iter().fold(None, |rest, (place, value)| {
        let Some(rest) = rest else { return Some(value) };
        let is_here = is_at(terms, offset, place);
        Some(terms.ite(is_here, value, rest))
    })
}

/// Whether the offset is this place.
pub fn is_at(terms: &mut Terms, offset: TermId, place: u64) -> TermId {
    let place = terms.bv(u128::from(place), 64);
    terms.eq(offset, place)
}

#[cfg(test)]
mod tests {
    use covenant_constraints::Sort;

    use super::*;

    #[test]
    fn a_word_is_its_bytes() {
        let mut terms = Terms::new();
        let var = terms.var("w", Sort::Bv(32));
        let whole = terms.var_term(var);
        let parts = bytes(&mut terms, whole);
        assert_eq!(parts.len(), 4);
        assert_eq!(word(&mut terms, parts), Some(whole));
        let constant = terms.bv(0x0403_0201, 32);
        let parts: Vec<_> = bytes(&mut terms, constant).into_iter().map(|byte| terms.as_bv(byte)).collect();
        assert_eq!(parts, [Some(1), Some(2), Some(3), Some(4)], "the lowest first");
    }

    #[test]
    fn what_is_written_is_read() {
        let mut terms = Terms::new();
        let array = terms.var("m", Sort::Array);
        let (array, at) = (terms.var_term(array), terms.bv(0x1000, 64));
        let value = terms.bv(0xdead_beef, 32);
        let written = write(&mut terms, array, at, value);
        assert_eq!(read(&mut terms, written, at, 4), value);
        let third = step(&mut terms, at, 2);
        let high = terms.bv(0xdead, 16);
        assert_eq!(read(&mut terms, written, third, 2), high);
    }

    #[test]
    fn bits_of_odd_widths_are_kept() {
        let mut terms = Terms::new();
        let odd = terms.bv(0x1_ffff, 17);
        let ty = Type::Int(17);
        let stored = stored(&mut terms, Shadowed { bits: 0, ty, term: Some(odd) });
        assert_eq!(terms.as_bv(stored), Some(0x1_ffff));
        assert_eq!(terms.width(stored), 24);
        assert_eq!(value(&mut terms, stored, ty), odd);
    }
}
