//! Values of terms, and models: the values of variables.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::sort::{FloatKind, Sort};
use crate::term::{Terms, VarId};

/// Bytes by offset, with one value for all that are not listed. Canonical: no entry equals the default, so that
/// equality of the representation is equality of the arrays.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct ArrayValue {
    default: u8,
    bytes: BTreeMap<u64, u8>,
}

impl ArrayValue {
    /// The same byte everywhere.
    pub fn filled(default: u8) -> ArrayValue {
        ArrayValue { default, bytes: BTreeMap::new() }
    }

    /// The byte at an offset.
    pub fn get(&self, offset: u64) -> u8 {
        self.bytes.get(&offset).copied().unwrap_or(self.default)
    }

    /// Puts a byte at an offset.
    pub fn set(&mut self, offset: u64, byte: u8) {
        if byte == self.default {
            self.bytes.remove(&offset);
        } else {
            self.bytes.insert(offset, byte);
        }
    }

    /// The byte everywhere else.
    pub fn default_byte(&self) -> u8 {
        self.default
    }

    /// The offsets whose byte is not the default, in order.
    pub fn entries(&self) -> impl Iterator<Item = (u64, u8)> + '_ {
        self.bytes.iter().map(|(&o, &b)| (o, b))
    }
}

/// The value of a term. The sort of the term says how wide it is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// True or false.
    Bool(bool),
    /// Zero-extended.
    Bv(u128),
    /// The bits in memory; NaN is always the canonical quiet NaN.
    Float(u128),
    /// A byte for each offset.
    Array(Arc<ArrayValue>),
}

impl Value {
    /// What a variable is that no model mentions.
    pub fn zero(sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(false),
            Sort::Bv(_) => Value::Bv(0),
            Sort::Float(_) => Value::Float(0),
            Sort::Array => Value::Array(Arc::default()),
        }
    }

    /// The bits of a scalar (a Boolean is 0 or 1).
    pub fn bits(&self) -> Option<u128> {
        match self {
            Value::Bool(b) => Some(u128::from(*b)),
            Value::Bv(b) | Value::Float(b) => Some(*b),
            Value::Array(_) => None,
        }
    }

    /// Whether the Boolean `true`; other sorts never are.
    pub fn is_true(&self) -> bool {
        *self == Value::Bool(true)
    }

    /// From bits, by sort. `None` for arrays.
    pub fn from_bits(sort: Sort, bits: u128) -> Option<Value> {
        match sort {
            Sort::Bool => Some(Value::Bool(bits & 1 == 1)),
            Sort::Bv(w) => Some(Value::Bv(bits & crate::sort::mask(w))),
            Sort::Float(k) => Some(Value::Float(crate::float::canonical(k, bits))),
            Sort::Array => None,
        }
    }

    /// A number of the single format.
    pub fn f32(value: f32) -> Value {
        Value::Float(crate::float::canonical(FloatKind::F32, u128::from(value.to_bits())))
    }

    /// A number of the double format.
    pub fn f64(value: f64) -> Value {
        Value::Float(crate::float::canonical(FloatKind::F64, u128::from(value.to_bits())))
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(b) => write!(f, "{b}"),
            Value::Bv(b) => write!(f, "{b}"),
            Value::Float(b) => write!(f, "{b:#x}"),
            Value::Array(a) => {
                write!(f, "[")?;
                for (o, b) in a.entries() {
                    write!(f, "{o}: {b}, ")?;
                }
                write!(f, "else {}]", a.default_byte())
            }
        }
    }
}

/// The values of some variables. A variable that is not listed has the zero of its sort.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    values: FxHashMap<VarId, Value>,
}

impl Model {
    /// No variable has a value.
    pub fn new() -> Model {
        Model::default()
    }

    /// The value of a variable, if it has one.
    pub fn get(&self, var: VarId) -> Option<&Value> {
        self.values.get(&var)
    }

    /// The value of the variable, with zero for one that is not listed.
    pub fn value(&self, terms: &Terms, var: VarId) -> Value {
        self.get(var).cloned().unwrap_or_else(|| Value::zero(terms.var_sort(var)))
    }

    /// Gives a variable a value.
    pub fn set(&mut self, var: VarId, value: Value) {
        self.values.insert(var, value);
    }

    /// Takes the value of a variable away.
    pub fn remove(&mut self, var: VarId) -> Option<Value> {
        self.values.remove(&var)
    }

    /// How many variables have a value.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether no variable has a value.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// In the order of the variables.
    pub fn iter(&self) -> impl Iterator<Item = (VarId, &Value)> {
        let mut all: Vec<_> = self.values.iter().map(|(&v, value)| (v, value)).collect();
        all.sort_by_key(|(v, _)| *v);
        all.into_iter()
    }

    /// Takes over every value of `other`.
    pub fn extend(&mut self, other: &Model) {
        self.values.extend(other.values.iter().map(|(&v, value)| (v, value.clone())));
    }
}

impl FromIterator<(VarId, Value)> for Model {
    fn from_iter<I: IntoIterator<Item = (VarId, Value)>>(iter: I) -> Model {
        Model { values: iter.into_iter().collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_are_canonical() {
        let mut a = ArrayValue::filled(7);
        a.set(3, 1);
        assert_eq!((a.get(3), a.get(4)), (1, 7));
        a.set(3, 7);
        assert_eq!(a, ArrayValue::filled(7));
    }

    #[test]
    fn models_default_to_zero_and_merge() {
        let mut t = Terms::new();
        let (x, y) = (t.var("x", Sort::Bv(8)), t.var("y", Sort::Bool));
        let mut m = Model::new();
        m.set(x, Value::Bv(3));
        assert_eq!(m.value(&t, y), Value::Bool(false));
        let other: Model = [(x, Value::Bv(4)), (y, Value::Bool(true))].into_iter().collect();
        m.extend(&other);
        assert_eq!(m.iter().map(|(v, _)| v).collect::<Vec<_>>(), [x, y]);
        assert_eq!(m.get(x), Some(&Value::Bv(4)));
    }
}
