//! What all runs of a campaign share: terms, the variables of inputs, and what new inputs start from.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;
use std::sync::Arc;

use covenant_constraints::tuning::Tuning;
use covenant_constraints::{Model, Sort, Terms, Value, VarId};
use covenant_program::types::{TypeId, Types};
use rustc_hash::FxHashMap;

use super::contexts::Contexts;
use super::inputs::{self, CellLayout, InputOptions};
use super::seed::Seed;

/// Inputs of one kind: the same place in objects whose names differ in numbers only (`size1`, `size2`).
type Kin = (u32, u32);

/// The scalars of an object, and if some were left out.
type Layout = (Arc<[CellLayout]>, bool);

/// An element type; how many there are, how many of them before the pointer, and how many elements the flexible array behind them
/// has; and whether they are a text.
type Laid = (TypeId, (u64, u64, u64), bool);

/// What all runs of a campaign share.
#[derive(Debug)]
pub struct Context {
    /// The arena of all terms.
    pub terms: Terms,
    vars: HashMap<String, VarId>,
    /// Which inputs there are.
    pub options: InputOptions,
    /// Limits of runs and of what is remembered of them.
    pub tuning: Tuning,
    /// Limits of the input space that some run met, in words.
    pub limits: BTreeSet<String>,
    /// Of the calls that somebody wants told apart.
    pub contexts: Contexts,
    /// The labels that are asked for now.
    pub wanted: Rc<Vec<bool>>,
    /// The test that runs start from now.
    pub seed: Option<Seed>,
    /// Whether it is looked at what runs leave behind.
    pub observes: bool,
    /// Whether runs carry no terms: they show where inputs lead, and nothing else, and are quick.
    pub blind: bool,
    /// Whether somebody follows traces.
    pub traced: bool,
    /// The function whose way runs remember, if somebody asks for it.
    pub watch: Option<Rc<super::local::Watch>>,
    /// What runs must know of the program to see limits.
    pub(super) outside: Option<Rc<super::limits::Outside>>,
    layouts: FxHashMap<Laid, Layout>,
    objects: HashMap<(String, TypeId, u64), u32>,
    /// The variables of the scalars of each input object, once they are known.
    slots: Vec<Slots>,
    families: HashMap<String, u32>,
    kin: FxHashMap<VarId, Kin>,
    members: FxHashMap<Kin, Vec<VarId>>,
    /// The numbers in the name of each input that has kin, and the inputs that have the same.
    numbers: FxHashMap<VarId, String>,
    numbered: HashMap<String, Vec<VarId>>,
    learned: FxHashMap<Kin, u128>,
}

#[derive(Debug)]
struct Slots {
    vars: Vec<Option<VarId>>,
    family: Option<u32>,
    number: String,
}

impl Context {
    /// No run yet.
    pub fn new(options: InputOptions, tuning: &Tuning) -> Context {
        Context {
            terms: Terms::new(),
            vars: HashMap::new(),
            options,
            tuning: *tuning,
            limits: BTreeSet::new(),
            contexts: Contexts::default(),
            wanted: Rc::default(),
            seed: None,
            observes: false,
            blind: false,
            traced: false,
            watch: None,
            outside: None,
            layouts: FxHashMap::default(),
            objects: HashMap::new(),
            slots: Vec::new(),
            families: HashMap::new(),
            kin: FxHashMap::default(),
            members: FxHashMap::default(),
            numbers: FxHashMap::default(),
            numbered: HashMap::new(),
            learned: FxHashMap::default(),
        }
    }

    /// The variable of an input; the same name is the same input in all runs.
    pub fn var(&mut self, name: &str, sort: Sort) -> VarId {
        // A name that came from outside may have another sort than the program gives it; then the program is right.
        if let Some(&var) = self.vars.get(name).filter(|var| self.terms.var_sort(**var) == sort) {
            return var;
        }
        let var = self.terms.var(name, sort);
        self.vars.insert(name.to_owned(), var);
        var
    }

    /// The scalars of so many elements of a type, so many of them before the pointer, with so many elements of the flexible array
    /// behind them, and if some were left out.
    pub(super) fn layout(
        &mut self,
        types: &Types,
        element: TypeId,
        counts: (u64, u64, u64),
        is_string: bool,
    ) -> Layout {
        let made = self.layouts.entry((element, counts, is_string));
        made.or_insert_with(|| inputs::cells(types, element, counts, is_string)).clone()
    }

    /// The number of an input object; the same name, type and length is the same object in all runs.
    pub(super) fn object(&mut self, name: &str, element: TypeId, count: u64, scalars: usize, has_kin: bool) -> u32 {
        let key = (name.to_owned(), element, count);
        if let Some(&object) = self.objects.get(&key) {
            return object;
        }
        let family = has_kin.then(|| family(name)).flatten().map(|family| {
            let next = self.families.len() as u32;
            *self.families.entry(family).or_insert(next)
        });
        let object = self.slots.len() as u32;
        let number =
            name.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(".");
        self.slots.push(Slots { vars: vec![None; scalars], family, number });
        self.objects.insert(key, object);
        object
    }

    /// The variable of a scalar, if a run has met it.
    pub(super) fn known_var(&self, object: u32, leaf: u32) -> Option<VarId> {
        self.slots[object as usize].vars.get(leaf as usize).copied().flatten()
    }

    pub(super) fn scalar_var(&mut self, object: u32, leaf: u32, sort: Sort, name: &dyn Fn() -> String) -> VarId {
        if let Some(var) = self.known_var(object, leaf) {
            return var;
        }
        let var = self.var(&name(), sort);
        let slots = &mut self.slots[object as usize];
        if let Some(slot) = slots.vars.get_mut(leaf as usize) {
            *slot = Some(var);
        }
        if let Some(family) = slots.family {
            self.kin.insert(var, (family, leaf));
            self.members.entry((family, leaf)).or_default().push(var);
            self.numbers.insert(var, slots.number.clone());
            self.numbered.entry(slots.number.clone()).or_default().push(var);
        }
        var
    }

    /// What a scalar is that a run has no value for, where memory has `now`.
    pub(super) fn initial(&self, object: u32, leaf: u32, now: u128) -> u128 {
        if now != 0 || self.learned.is_empty() {
            return now;
        }
        let Some(family) = self.slots[object as usize].family else { return now };
        self.learned.get(&(family, leaf)).copied().unwrap_or(now)
    }

    /// What the inputs with the same numbers as the changed ones have, for all others of their kinds; those that no run has met
    /// yet will start from it.
    pub fn spread(&mut self, inputs: &Model, changed: &[VarId]) -> Vec<(VarId, Value)> {
        let numbers: BTreeSet<&String> = changed.iter().filter_map(|var| self.numbers.get(var)).collect();
        let mut spread = Vec::new();
        for &number in &numbers {
            for var in self.numbered.get(number).into_iter().flatten() {
                let (Some(value), Some(kin)) = (inputs.get(*var), self.kin.get(var)) else { continue };
                self.learned.extend(value.bits().map(|bits| (*kin, bits)));
                let members = self.members.get(kin).map_or(&[][..], Vec::as_slice);
                let others = members.iter().filter(|other| !numbers.contains(&self.numbers[*other]));
                spread.extend(others.map(|&other| (other, value.clone())));
            }
        }
        spread
    }
}

/// The name without its numbers, if it has any.
fn family(name: &str) -> Option<String> {
    name.contains(|c: char| c.is_ascii_digit())
        .then(|| name.split(|c: char| c.is_ascii_digit()).filter(|part| !part.is_empty()).collect::<Vec<_>>().join("#"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_helped_one_is_tried_for_its_kin() {
        let mut cx = Context::new(InputOptions::default(), &Tuning::default());
        let element = TypeId::from_u32(0);
        let objects: Vec<u32> = (1..=3).map(|i| cx.object(&format!("size{i}"), element, 1, 1, true)).collect();
        let other = cx.object("limit", element, 1, 1, true);
        let var = |cx: &mut Context, i: usize| cx.scalar_var(objects[i], 0, Sort::Bv(32), &|| format!("size{}", i + 1));
        let (first, second) = (var(&mut cx, 0), var(&mut cx, 1));
        let (more, unset) = (cx.object("step1", element, 1, 1, true), cx.object("step2", element, 1, 1, true));
        let more = cx.scalar_var(more, 0, Sort::Bv(32), &|| "step1".to_owned());
        let mut inputs = Model::new();
        inputs.set(first, Value::Bv(4));
        inputs.set(second, Value::Bv(1));
        inputs.set(more, Value::Bv(9));
        assert_eq!(cx.spread(&inputs, &[first]), vec![(second, Value::Bv(4))]);
        assert_eq!(cx.initial(unset, 0, 0), 9);
        assert_eq!(cx.initial(objects[2], 0, 0), 4);
        assert_eq!(cx.initial(objects[2], 0, 7), 7, "memory says otherwise");
        assert_eq!(cx.initial(other, 0, 0), 0);
    }

    #[test]
    fn families_are_names_without_numbers() {
        assert_eq!(family("size12").as_deref(), Some("size"));
        assert_eq!(family("row1col2").as_deref(), Some("row#col"));
        assert_eq!(family("size"), None);
    }
}
