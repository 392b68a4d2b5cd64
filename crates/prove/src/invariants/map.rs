//! A persistent map from small integers: a copy is free, an update takes logarithmic time, and two maps that come from one
//! are joined in the time that their differences need. States of neighbouring locations differ in few variables, so
//! this is what keeps the analysis of long programs linear.
//!
//! A binary trie over the bits of the key, lowest first; a branch is only where keys differ.

use std::rc::Rc;

#[derive(Debug)]
enum Node<V> {
    Leaf {
        key: u32,
        value: V,
    },
    /// All keys agree with `prefix` below `bit`; those in `high` have it.
    Branch {
        prefix: u32,
        bit: u32,
        low: Link<V>,
        high: Link<V>,
    },
}

type Link<V> = Rc<Node<V>>;

#[derive(Debug)]
pub(super) struct Map<V>(Option<Link<V>>);

impl<V> Clone for Map<V> {
    fn clone(&self) -> Map<V> {
        Map(self.0.clone())
    }
}

impl<V> Default for Map<V> {
    fn default() -> Map<V> {
        Map(None)
    }
}

fn fits(key: u32, prefix: u32, bit: u32) -> bool {
    key & (bit - 1) == prefix
}

impl<V: Clone + PartialEq> Map<V> {
    /// Whether the two are one and the same, which implies that they are equal.
    pub(super) fn same(&self, other: &Map<V>) -> bool {
        match (&self.0, &other.0) {
            (None, None) => true,
            (Some(a), Some(b)) => Rc::ptr_eq(a, b),
            _ => false,
        }
    }

    pub(super) fn get(&self, key: u32) -> Option<&V> {
        let mut node = self.0.as_deref()?;
        loop {
            match node {
                Node::Leaf { key: k, value } => return (*k == key).then_some(value),
                Node::Branch { bit, low, high, .. } => node = if key & bit == 0 { low } else { high },
            }
        }
    }

    pub(super) fn insert(&mut self, key: u32, value: V) {
        let leaf = || Rc::new(Node::Leaf { key, value: value.clone() });
        self.0 = Some(match &self.0 {
            None => leaf(),
            Some(root) => insert(root, key, &value, &leaf),
        });
    }

    pub(super) fn remove(&mut self, key: u32) {
        if self.get(key).is_some() {
            self.0 = self.0.as_ref().and_then(|root| remove(root, key));
        }
    }

    /// The keys that both have and for which `merge` gives a value. `merge` of equal values must give that value. Where
    /// nothing changes the result shares with `self`.
    pub(super) fn intersect(&self, other: &Map<V>, merge: &mut dyn FnMut(u32, &V, &V) -> Option<V>) -> Map<V> {
        match (&self.0, &other.0) {
            (Some(a), Some(b)) => Map(intersect(a, b, merge)),
            _ => Map(None),
        }
    }
}

fn join<V>(a_key: u32, a: Link<V>, b_key: u32, b: Link<V>) -> Link<V> {
    let bit = 1 << (a_key ^ b_key).trailing_zeros();
    let (low, high) = if a_key & bit == 0 { (a, b) } else { (b, a) };
    Rc::new(Node::Branch { prefix: a_key & (bit - 1), bit, low, high })
}

fn insert<V: PartialEq>(node: &Link<V>, key: u32, value: &V, leaf: &dyn Fn() -> Link<V>) -> Link<V> {
    match &**node {
        Node::Leaf { key: k, value: v } if *k == key => {
            if v == value {
                Rc::clone(node)
            } else {
                leaf()
            }
        }
        Node::Leaf { key: k, .. } => join(key, leaf(), *k, Rc::clone(node)),
        Node::Branch { prefix, bit, low, high } if fits(key, *prefix, *bit) => {
            let (child, is_low) = if key & bit == 0 { (low, true) } else { (high, false) };
            let new = insert(child, key, value, leaf);
            if Rc::ptr_eq(&new, child) {
                return Rc::clone(node);
            }
            let (low, high) = if is_low { (new, Rc::clone(high)) } else { (Rc::clone(low), new) };
            Rc::new(Node::Branch { prefix: *prefix, bit: *bit, low, high })
        }
        Node::Branch { prefix, .. } => join(key, leaf(), *prefix, Rc::clone(node)),
    }
}

fn remove<V>(node: &Link<V>, key: u32) -> Option<Link<V>> {
    match &**node {
        Node::Leaf { key: k, .. } => (*k != key).then(|| Rc::clone(node)),
        Node::Branch { prefix, bit, low, high } => {
            let (new_low, new_high) = if key & bit == 0 {
                (remove(low, key), Some(Rc::clone(high)))
            } else {
                (Some(Rc::clone(low)), remove(high, key))
            };
            branch(*prefix, *bit, new_low, new_high)
        }
    }
}

fn branch<V>(prefix: u32, bit: u32, low: Option<Link<V>>, high: Option<Link<V>>) -> Option<Link<V>> {
    match (low, high) {
        (Some(low), Some(high)) => Some(Rc::new(Node::Branch { prefix, bit, low, high })),
        (one, other) => one.or(other),
    }
}

fn find<V>(node: &Link<V>, key: u32) -> Option<&Link<V>> {
    let mut node = node;
    loop {
        match &**node {
            Node::Leaf { key: k, .. } => return (*k == key).then_some(node),
            Node::Branch { bit, low, high, .. } => node = if key & bit == 0 { low } else { high },
        }
    }
}

fn intersect<V: PartialEq>(
    a: &Link<V>,
    b: &Link<V>,
    merge: &mut dyn FnMut(u32, &V, &V) -> Option<V>,
) -> Option<Link<V>> {
    if Rc::ptr_eq(a, b) {
        return Some(Rc::clone(a));
    }
    match (&**a, &**b) {
        (Node::Leaf { key, .. }, _) => merge_leaves(a, find(b, *key)?, merge),
        (_, Node::Leaf { key, .. }) => merge_leaves(find(a, *key)?, b, merge),
        (
            Node::Branch { prefix: p, bit: m, low: a_low, high: a_high },
            Node::Branch { prefix: q, bit: n, low: b_low, high: b_high },
        ) => {
            if m == n && p == q {
                let (low, high) = (intersect(a_low, b_low, merge), intersect(a_high, b_high, merge));
                let kept = |new: &Option<Link<V>>, old| new.as_ref().is_some_and(|n| Rc::ptr_eq(n, old));
                if kept(&low, a_low) && kept(&high, a_high) {
                    return Some(Rc::clone(a));
                }
                branch(*p, *m, low, high)
            } else if m < n && fits(*q, *p, *m) {
                intersect(if q & m == 0 { a_low } else { a_high }, b, merge)
            } else if n < m && fits(*p, *q, *n) {
                intersect(a, if p & n == 0 { b_low } else { b_high }, merge)
            } else {
                None
            }
        }
    }
}

fn merge_leaves<V: PartialEq>(
    a: &Link<V>,
    b: &Link<V>,
    merge: &mut dyn FnMut(u32, &V, &V) -> Option<V>,
) -> Option<Link<V>> {
    let (Node::Leaf { key, value: x }, Node::Leaf { value: y, .. }) = (&**a, &**b) else {
        unreachable!("both are leaves")
    };
    if Rc::ptr_eq(a, b) || x == y {
        return Some(Rc::clone(a));
    }
    let value = merge(*key, x, y)?;
    Some(if value == *x { Rc::clone(a) } else { Rc::new(Node::Leaf { key: *key, value }) })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use covenant_constraints::random::Rng;

    use super::*;

    fn contents(map: &Map<u64>) -> BTreeMap<u32, u64> {
        (0..64).filter_map(|k| map.get(k).map(|v| (k, *v))).collect()
    }

    #[test]
    fn behaves_as_a_map() {
        let mut rng = Rng::new(5);
        for _ in 0..200 {
            let (mut map, mut model) = (Map::default(), BTreeMap::new());
            for _ in 0..rng.below(40) {
                let (key, value) = (rng.below(64) as u32, rng.next() % 4);
                if rng.chance(30) {
                    map.remove(key);
                    model.remove(&key);
                } else {
                    map.insert(key, value);
                    model.insert(key, value);
                }
            }
            assert_eq!(contents(&map), model);
            let mut other = map.clone();
            let mut other_model = model.clone();
            for _ in 0..rng.below(20) {
                let (key, value) = (rng.below(64) as u32, rng.next() % 4);
                other.insert(key, value);
                other_model.insert(key, value);
            }
            let met = map.intersect(&other, &mut |_, a, b| Some(*a.max(b)).filter(|v| *v != 3 || a == b));
            let expected: BTreeMap<u32, u64> = model
                .iter()
                .filter_map(|(k, a)| {
                    let b = other_model.get(k)?;
                    (a == b || *a.max(b) != 3).then_some((*k, *a.max(b)))
                })
                .collect();
            assert_eq!(contents(&met), expected);
        }
    }

    #[test]
    fn what_does_not_change_is_shared() {
        let mut map = Map::default();
        for key in 0..50 {
            map.insert(key, 1);
        }
        let mut other = map.clone();
        other.insert(7, 1);
        assert!(map.same(&other), "an equal value changes nothing");
        other.insert(7, 2);
        other.insert(77, 2);
        assert!(map.intersect(&other, &mut |_, a, b| Some(*a.min(b))).same(&map));
    }
}
