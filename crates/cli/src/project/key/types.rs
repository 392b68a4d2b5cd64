//! A digest of each type of a module with all that it is made of, whatever number it has there.
//! Structs that lead to each other are told apart by what their members lead to, and count as a
//! whole.

use std::collections::{BTreeMap, BTreeSet};

use covenant_program::types::{CType, TypeId, Types};
use covenant_report::subject::sha256;

use super::super::components::{components, members};
use super::replaced;

pub(super) struct TypeDigests {
    by_number: Vec<String>,
    /// Of all of them.
    all: String,
    /// Structs and unions by their tags.
    tagged: BTreeMap<String, BTreeSet<String>>,
    /// The tags of those that are only declared.
    declared: BTreeSet<String>,
    /// What is told of in every report.
    told: String,
}

impl TypeDigests {
    pub(super) fn new(types: &Types) -> TypeDigests {
        let (shapes, next): (Vec<String>, Vec<Vec<u32>>) = types.iter().map(|(_, ty)| shape(ty)).unzip();
        let by_number = digests(&shapes, &next);
        let mut tagged: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let mut declared = BTreeSet::new();
        for ((_, ty), digest) in types.iter().zip(&by_number) {
            let (CType::Struct(record) | CType::Union(record)) = ty else { continue };
            let Some(tag) = &record.tag else { continue };
            tagged.entry(tag.clone()).or_default().insert(digest.clone());
            if !record.complete {
                declared.insert(tag.clone());
            }
        }
        let all: BTreeSet<&str> = by_number.iter().map(String::as_str).collect();
        let all = sha256(all.into_iter().collect::<String>().as_bytes());
        let unions = types.iter().any(|(_, ty)| matches!(ty, CType::Union(_)));
        TypeDigests { all, by_number, tagged, declared, told: format!("{unions} {:?}", types.bit_fields()) }
    }

    pub(super) fn of(&self, id: Option<TypeId>) -> &str {
        id.and_then(|id| self.by_number.get(id.as_u32() as usize)).map_or("", String::as_str)
    }

    /// The tags of structs that others define.
    pub(super) fn declared(&self) -> &BTreeSet<String> {
        &self.declared
    }

    /// What counts of a module beside the types that its code names itself: structs with tags that
    /// are only declared somewhere, or everything.
    pub(super) fn beside<'t>(&'t self, tags: impl IntoIterator<Item = &'t String>, everything: bool) -> String {
        let found = tags.into_iter().filter_map(|tag| self.tagged.get(tag)).flatten();
        let found: BTreeSet<&str> = found.map(String::as_str).collect();
        let all = if everything { self.all.as_str() } else { "" };
        format!("{}\n{all}\n{}\n", found.into_iter().collect::<String>(), self.told)
    }
}

/// The text of a type without the numbers of others, and these.
fn shape(ty: &CType) -> (String, Vec<u32>) {
    let mut inner = Vec::new();
    let text = replaced(&format!("{ty:?}"), |word| {
        let number: u32 = word.strip_prefix("ty")?.parse().ok()?;
        inner.push(number);
        Some("type".to_owned())
    });
    (text, inner)
}

fn digests(shapes: &[String], next: &[Vec<u32>]) -> Vec<String> {
    let is_there = |to: &&u32| (**to as usize) < shapes.len();
    let graph: Vec<Vec<u32>> = next.iter().map(|next| next.iter().filter(is_there).copied().collect()).collect();
    let (component, count) = components(&graph);
    let mut found = vec![String::new(); shapes.len()];
    for members in members(&component, count) {
        let own = component[members[0] as usize];
        let is_inside = |to: u32| component[to as usize] == own;
        let outer = |member: u32| {
            let mut text = shapes[member as usize].clone();
            for &to in &graph[member as usize] {
                text.push('\n');
                text.push_str(if is_inside(to) { "inside" } else { &found[to as usize] });
            }
            sha256(text.as_bytes())
        };
        let first: BTreeMap<u32, String> = members.iter().map(|&member| (member, outer(member))).collect();
        let inner = |member: u32, known: &BTreeMap<u32, String>| {
            let inside = graph[member as usize].iter().filter_map(|to| known.get(to)).map(String::as_str);
            sha256(std::iter::once(first[&member].as_str()).chain(inside).collect::<String>().as_bytes())
        };
        // Until no two are told apart that were not before: each round looks one step further.
        let mut known = first.clone();
        loop {
            let further: BTreeMap<u32, String> = members.iter().map(|&m| (m, inner(m, &known))).collect();
            let kinds = |known: &BTreeMap<u32, String>| known.values().collect::<BTreeSet<_>>().len();
            let is_last = kinds(&further) <= kinds(&known);
            known = further;
            if is_last {
                break;
            }
        }
        let whole: BTreeSet<&str> = known.values().map(String::as_str).collect();
        let whole: String = whole.into_iter().collect();
        for (member, digest) in &known {
            found[*member as usize] = sha256(format!("{digest}{whole}").as_bytes());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(shapes: &[&str], next: &[&[u32]]) -> Vec<String> {
        let shapes: Vec<String> = shapes.iter().map(|shape| (*shape).to_owned()).collect();
        digests(&shapes, &next.iter().map(|next| next.to_vec()).collect::<Vec<_>>())
    }

    #[test]
    fn numbers_do_not_count_and_members_do() {
        // struct a { struct a *next; struct b *other; int }, and the same with numbers of another
        // order.
        let one = of(&["a", "pointer", "pointer", "b", "int"], &[&[1, 2, 4], &[0], &[3], &[1], &[]]);
        let other = of(&["int", "pointer", "b", "pointer", "a"], &[&[], &[4], &[1], &[2], &[1, 3, 0]]);
        assert_eq!([&one[0], &one[3], &one[4]], [&other[4], &other[2], &other[0]]);
        assert_ne!(one[1], one[2], "a pointer to a is none to b");
        // The members have changed their places, or something far behind is another one.
        assert_ne!(of(&["a", "pointer", "pointer", "b", "int"], &[&[2, 1, 4], &[0], &[3], &[1], &[]])[0], one[0]);
        let long = of(&["a", "pointer", "pointer", "b", "long"], &[&[1, 2, 4], &[0], &[3], &[1], &[]]);
        assert!((0..5).all(|n| long[n] != one[n]));
    }
}
