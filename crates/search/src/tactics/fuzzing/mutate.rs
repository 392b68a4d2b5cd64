//! Changes of inputs.

use std::collections::BTreeMap;
use std::rc::Rc;

use covenant_concolic::symbolic::{Context, is_presence, presence};
use covenant_constraints::random::Rng;
use covenant_constraints::{Model, Sort, Terms, Value, VarId};

use super::words::Words;

/// Elements of an array behind the last one that was read which are set, too, or as many as were read.
const GROWTH: usize = 32; // not tuning: it goes on from there
/// Changes that are made at once, at most.
const MOST_CHANGES: usize = 4; // not tuning: how far a child is from its parents
/// Choices of a pointer among which the lot decides: nothing, something new, and what is there.
const CHOICES: u128 = 4; // not tuning: there are hardly more

/// Inputs that others are made of.
#[derive(Debug)]
pub(super) struct Parent {
    inputs: Rc<Model>,
    /// Inputs that are no elements, and no choices.
    scalars: Vec<VarId>,
    /// What pointers point to.
    choices: Vec<VarId>,
    /// Arrays of bytes by their names, with those elements that are known.
    arrays: Vec<(String, Vec<(usize, VarId)>)>,
}

impl Parent {
    pub(super) fn new(terms: &Terms, inputs: Rc<Model>) -> Parent {
        let mut vars: Vec<VarId> = inputs.iter().map(|(var, _)| var).collect();
        vars.sort_unstable();
        let (mut scalars, mut choices, mut arrays) = (Vec::new(), Vec::new(), BTreeMap::<String, Vec<_>>::new());
        for var in vars {
            let name = terms.var_name(var);
            match element(name).filter(|_| terms.var_sort(var) == Sort::Bv(8)) {
                _ if name.starts_with('&') => choices.push(var),
                Some((array, index)) => arrays.entry(array.to_owned()).or_default().push((index, var)),
                None if is_presence(name) => {}
                None => scalars.push(var),
            }
        }
        for elements in arrays.values_mut() {
            elements.sort_unstable();
        }
        Parent { inputs, scalars, choices, arrays: arrays.into_iter().collect() }
    }

    /// Whether the process is given arguments.
    fn has_arguments(&self, terms: &Terms) -> bool {
        self.scalars.iter().any(|&var| terms.var_name(var) == "argv[1]")
    }

    pub(super) fn inputs(&self) -> Rc<Model> {
        Rc::clone(&self.inputs)
    }

    /// The bytes of an array as far as they are known, in these inputs; what was not read is zero.
    fn bytes(&self, array: usize, inputs: &Model) -> Vec<u8> {
        let (_, elements) = &self.arrays[array];
        let length = elements.last().map_or(0, |(index, _)| index + 1);
        let mut bytes = vec![0; length];
        for &(index, var) in elements {
            bytes[index] = inputs.get(var).and_then(Value::bits).unwrap_or(0) as u8;
        }
        bytes
    }
}

impl Parent {
    /// Gives an array these bytes, and zeros behind them as far as it was known.
    fn write(&self, cx: &mut Context, child: &mut Model, array: usize, mut bytes: Vec<u8>) {
        let (name, elements) = &self.arrays[array];
        let (length, known) = (bytes.len(), elements.last().map_or(0, |(index, _)| index + 1));
        bytes.resize(length.max(known), 0);
        for (index, name) in (0..bytes.len()).filter_map(|index| Some((index, presence(name, index)?))) {
            let var = cx.var(&name, Sort::Bv(8));
            set(&cx.terms, child, var, u128::from(index < length));
        }
        for (index, &byte) in bytes.iter().enumerate() {
            let var = match elements.binary_search_by_key(&index, |(index, _)| *index) {
                Ok(found) => elements[found].1,
                // What no run has read is as it was, unless it is more than that now.
                Err(_) if byte == 0 => continue,
                Err(_) => cx.var(&format!("{name}[{index}]"), Sort::Bv(8)),
            };
            set(&cx.terms, child, var, u128::from(byte));
        }
    }

    /// The arrays by their names, and their lengths.
    pub(super) fn arrays(&self) -> Vec<(String, usize)> {
        self.arrays.iter().map(|(name, _)| (name.clone(), self.length(name))).collect()
    }

    fn array(&self, name: &str) -> Option<usize> {
        self.arrays.binary_search_by_key(&name, |(own, _)| own).ok()
    }

    /// Bytes of an array up to the last one that is not zero, or all where each is there or not; none of one that is not read.
    pub(super) fn length(&self, name: &str) -> usize {
        let bytes = self.array(name).map(|array| self.bytes(array, &self.inputs)).unwrap_or_default();
        end_of(name, &bytes)
    }

    /// The same without these bytes of an array, if it has them.
    pub(super) fn without(&self, cx: &mut Context, name: &str, cut: std::ops::Range<usize>) -> Option<Model> {
        let array = self.array(name)?;
        let mut child = (*self.inputs).clone();
        let mut bytes = self.bytes(array, &child);
        bytes.truncate(self.length(name));
        if cut.end > bytes.len() {
            return None;
        }
        bytes.drain(cut);
        self.write(cx, &mut child, array, bytes);
        Some(child)
    }

    /// Whether some array has this text in it.
    pub(super) fn has(&self, text: &[u8]) -> bool {
        let is_in = |array: usize| self.bytes(array, &self.inputs).windows(text.len().max(1)).any(|part| part == text);
        (0..self.arrays.len()).any(is_in)
    }

    /// The same with a text in place of another, in one of the places where that is.
    pub(super) fn replaced(&self, cx: &mut Context, rng: &mut Rng, from: &[u8], to: &[u8]) -> Option<Model> {
        let mut places = Vec::new();
        for array in 0..self.arrays.len() {
            let bytes = self.bytes(array, &self.inputs);
            let found = bytes.windows(from.len().max(1)).enumerate().filter(|(_, part)| *part == from);
            places.extend(found.map(|(at, _)| (array, at)));
        }
        if places.is_empty() {
            return None;
        }
        let (array, at) = rng.pick(&places);
        let (mut child, mut bytes) = ((*self.inputs).clone(), self.bytes(array, &self.inputs));
        bytes.splice(at..at + from.len(), to.iter().copied());
        self.write(cx, &mut child, array, bytes);
        Some(child)
    }
}

/// Where the bytes of an array end that say something.
fn end_of(name: &str, bytes: &[u8]) -> usize {
    if presence(name, 0).is_some() {
        return bytes.len();
    }
    end_of_text(bytes)
}

/// Where bytes begin of which all are zero.
pub(super) fn end_of_text(bytes: &[u8]) -> usize {
    bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1)
}

/// The array and the index that an element's name tells.
fn element(name: &str) -> Option<(&str, usize)> {
    let (array, index) = name.strip_suffix(']')?.rsplit_once('[')?;
    Some((array, index.parse().ok()?))
}

/// Makes inputs of inputs.
#[derive(Debug)]
pub(super) struct Mutator {
    pub(super) rng: Rng,
    pub(super) words: Words,
}

impl Mutator {
    pub(super) fn new(rng: Rng, words: Words) -> Mutator {
        Mutator { rng, words }
    }

    /// A child of `parent`, which may have something of `other`. `None`: it has nothing to change.
    pub(super) fn change(&mut self, cx: &mut Context, parent: &Parent, other: &Parent) -> Option<Model> {
        let mut child = (*parent.inputs).clone();
        let kinds = [parent.scalars.len(), parent.choices.len(), parent.arrays.len()];
        if kinds.iter().all(|&count| count == 0) {
            return None;
        }
        // Half of the time a child of two has nothing else that is new.
        let mut changes = 1 + self.rng.below(MOST_CHANGES);
        if self.rng.chance(15) {
            self.graft(&cx.terms, &mut child, other);
            changes = if self.rng.chance(50) { 0 } else { changes };
        }
        if parent.has_arguments(&cx.terms) && self.rng.chance(15) {
            self.change_argument(cx, &mut child);
            changes = if self.rng.chance(50) { 0 } else { changes };
        }
        for _ in 0..changes {
            // What a pointer points to changes all that is behind it: seldom.
            let kind = match self.rng.below(10) {
                0 if kinds[1] > 0 => 1,
                1..=6 if kinds[2] > 0 => 2,
                _ if kinds[0] > 0 => 0,
                _ if kinds[2] > 0 => 2,
                _ => 1,
            };
            match kind {
                0 => self.change_scalar(&cx.terms, &mut child, parent),
                1 => {
                    let var = self.rng.pick(&parent.choices);
                    set(&cx.terms, &mut child, var, u128::from(self.rng.next()) % CHOICES);
                }
                _ => self.change_array(cx, &mut child, parent, other),
            }
        }
        Some(child)
    }

    fn change_scalar(&mut self, terms: &Terms, child: &mut Model, parent: &Parent) {
        let var = self.rng.pick(&parent.scalars);
        let Sort::Bv(width) = terms.var_sort(var) else {
            let flipped = !child.get(var).is_some_and(Value::is_true);
            if terms.var_sort(var) == Sort::Bool {
                child.set(var, Value::Bool(flipped));
            }
            return;
        };
        let now = child.get(var).and_then(Value::bits).unwrap_or(0);
        let delta = 1 + u128::from(self.rng.next() % 16);
        let bits = match self.rng.below(8) {
            0 | 1 if !self.words.numbers.is_empty() => self.rng.pick(&self.words.numbers),
            2 if !self.words.numbers.is_empty() => self.rng.pick(&self.words.numbers).wrapping_add(1),
            3 => now.wrapping_add(delta),
            4 => now.wrapping_sub(delta),
            5 => u128::from(self.rng.next() % 64),
            6 => {
                let other = self.rng.pick(&parent.scalars);
                child.get(other).and_then(Value::bits).unwrap_or(0)
            }
            _ => self.rng.bits(width),
        };
        set(terms, child, var, bits);
    }

    fn change_array(&mut self, cx: &mut Context, child: &mut Model, parent: &Parent, other: &Parent) {
        let at = self.rng.below(parent.arrays.len());
        // What a change before made of it.
        let mut bytes = parent.bytes(at, child);
        let theirs = (!other.arrays.is_empty()).then(|| other.bytes(self.rng.below(other.arrays.len()), &other.inputs));
        let known = bytes.len();
        // Text mostly ends before the array does.
        let end = end_of(&parent.arrays[at].0, &bytes);
        self.change_bytes(&mut bytes, end, theirs.as_deref());
        bytes.truncate(known + known.max(GROWTH));
        parent.write(cx, child, at, bytes);
    }

    /// `theirs`: an array of another.
    fn change_bytes(&mut self, bytes: &mut Vec<u8>, end: usize, theirs: Option<&[u8]>) {
        let (at, to) = (self.rng.below(end + 1), self.rng.below(end + 1));
        let length = 1 + self.rng.below(8);
        match self.rng.below(16) {
            10..16 => self.change_structure(bytes, end, theirs),
            0 | 1 if at < bytes.len() => bytes[at] = self.character(),
            2 | 3 => bytes.insert(at, self.character()),
            4 if at < end => {
                bytes.drain(at..end.min(at + length));
            }
            5 if at < end => {
                let chunk: Vec<u8> = bytes[at..end.min(at + length)].to_vec();
                bytes.splice(to..to, chunk);
            }
            6 if !self.words.texts.is_empty() || !self.words.written.is_empty() => {
                let is_text = self.words.written.is_empty() || !self.words.texts.is_empty() && self.rng.chance(50);
                let list = if is_text { &self.words.texts } else { &self.words.written };
                let text = list[self.rng.below(list.len())].clone();
                let over = if self.rng.chance(50) { text.len() } else { 0 };
                bytes.splice(at..bytes.len().min(at + over), text);
            }
            7 => {
                let filler = vec![self.character(); 4 * length];
                bytes.splice(at..at, filler);
            }
            8 => {
                if let Some(theirs) = theirs.filter(|theirs| !theirs.is_empty()) {
                    let from = self.rng.below(theirs.len());
                    bytes.splice(at..end.max(at), theirs[from..].iter().copied());
                }
            }
            9 if at < bytes.len() => bytes[at] = 0,
            _ => bytes.insert(at.min(bytes.len()), self.rng.next() as u8),
        }
    }

    /// One that the program knows, mostly.
    pub(super) fn character(&mut self) -> u8 {
        match self.rng.below(8) {
            0..=4 if !self.words.characters.is_empty() => self.rng.pick(&self.words.characters),
            0..=5 => self.rng.pick(b" \n\t09azAZ_-+.,;:=/\\\"'()[]{}<>#*%&!?"),
            _ => self.rng.next() as u8,
        }
    }
}

/// Gives an input as many of the bits as it has.
pub(super) fn set(terms: &Terms, model: &mut Model, var: VarId, bits: u128) {
    let sort = terms.var_sort(var);
    if let Sort::Bv(width) = sort
        && let Some(value) = Value::from_bits(sort, bits & (u128::MAX >> (128 - u32::from(width))))
    {
        model.set(var, value);
    }
}

#[cfg(test)]
mod tests {
    use covenant_concolic::symbolic::InputOptions;
    use covenant_constraints::tuning::Tuning;

    use super::*;

    fn text(cx: &mut Context, bytes: &[u8]) -> Parent {
        let mut model = Model::new();
        for (i, &byte) in bytes.iter().enumerate() {
            let var = cx.var(&format!("text[{i}]"), Sort::Bv(8));
            set(&cx.terms, &mut model, var, u128::from(byte));
        }
        Parent::new(&cx.terms, Rc::new(model))
    }

    #[test]
    fn texts_grow_to_words_of_the_program() {
        let mut cx = Context::new(InputOptions::default(), &Tuning::default());
        let words =
            Words { numbers: vec![7], characters: b"[]".to_vec(), texts: vec![b"open".to_vec()], ..Words::default() };
        let mut mutator = Mutator::new(Rng::new(1), words);
        let parent = text(&mut cx, b"ab\0");
        let mut met = [false; 3];
        for _ in 0..2000 {
            let Some(child) = mutator.change(&mut cx, &parent, &parent) else { panic!("there is something to change") };
            let child = Parent::new(&cx.terms, Rc::new(child));
            let bytes = child.bytes(0, &child.inputs);
            met[0] |= bytes.windows(4).any(|window| window == b"open");
            met[1] |= bytes.contains(&b'[');
            met[2] |= bytes.iter().take_while(|&&byte| byte != 0).count() > 20;
        }
        assert_eq!(met, [true; 3]);
    }

    /// There is a byte of standard input where something says so.
    #[test]
    fn input_gets_longer_and_shorter() {
        let mut cx = Context::new(InputOptions::default(), &Tuning::default());
        let mut model = Model::new();
        for (name, bits) in
            [("stdin has 1", 1), ("stdin[0]", 97), ("stdin has 2", 1), ("stdin[1]", 98), ("stdin has 3", 0)]
        {
            let var = cx.var(name, Sort::Bv(8));
            set(&cx.terms, &mut model, var, bits);
        }
        let parent = Parent::new(&cx.terms, Rc::new(model));
        assert_eq!(parent.scalars.len(), 1);
        let mut mutator = Mutator::new(Rng::new(1), Words::default());
        let mut met = std::collections::BTreeSet::new();
        for _ in 0..500 {
            let child = mutator.change(&mut cx, &parent, &parent).unwrap_or_default();
            let mut has = |count: usize| {
                let var = cx.var(&format!("stdin has {count}"), Sort::Bv(8));
                child.get(var).and_then(Value::bits).is_some_and(|bits| bits != 0)
            };
            met.insert((1..).take_while(|count| has(*count)).count());
        }
        assert!([1, 2, 3, 10].iter().all(|length| met.contains(length)), "{met:?}");
    }

    #[test]
    fn the_same_seed_gives_the_same_inputs() {
        let children = || {
            let mut cx = Context::new(InputOptions::default(), &Tuning::default());
            let parent = text(&mut cx, b"ab\0");
            let mut mutator = Mutator::new(Rng::new(5), Words::default());
            let mut bytes = Vec::new();
            for _ in 0..9 {
                let child = mutator.change(&mut cx, &parent, &parent).unwrap_or_default();
                let child = Parent::new(&cx.terms, Rc::new(child));
                bytes.push(child.bytes(0, &child.inputs));
            }
            bytes
        };
        assert_eq!(children(), children());
    }
}
