//! Initialisers of arrays and structs, from the cells that are not zero.

use std::collections::BTreeMap;

use crate::value::c_string;

/// What stands behind an object's name in a cell's path.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Part {
    Member(String),
    Index(u64),
}

/// The value of an object, or of a part of it. Members keep the order in which they were added.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Tree {
    Leaf(String),
    Struct(Vec<(String, Tree)>),
    Array(BTreeMap<u64, Tree>),
}

/// `[3].next` and the like; `None` if it is something else.
fn parts(path: &str) -> Option<Vec<Part>> {
    let mut parts = Vec::new();
    let mut rest = path;
    while !rest.is_empty() {
        if let Some(behind) = rest.strip_prefix('.') {
            let end = behind.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(behind.len());
            let (name, next) = behind.split_at(end);
            if name.is_empty() {
                return None;
            }
            parts.push(Part::Member(name.to_owned()));
            rest = next;
        } else {
            let (number, next) = rest.strip_prefix('[')?.split_once(']')?;
            parts.push(Part::Index(number.parse().ok()?));
            rest = next;
        }
    }
    Some(parts)
}

impl Tree {
    /// From paths with their constants. `None` if the paths do not fit each other.
    pub(super) fn new<'a>(cells: impl Iterator<Item = (&'a str, String)>) -> Option<Option<Tree>> {
        let mut root: Option<Tree> = None;
        for (path, constant) in cells {
            insert(&mut root, &parts(path)?, constant)?;
        }
        Some(root)
    }

    /// As C text. `text`: elements of this array are characters and may be written as a string, which must leave room for
    /// the zero behind it.
    pub(super) fn print(&self, room: Option<u64>) -> String {
        match self {
            Tree::Leaf(constant) => constant.clone(),
            Tree::Struct(members) => {
                let members: Vec<String> =
                    members.iter().map(|(name, tree)| format!(".{name} = {}", tree.print(None))).collect();
                format!("{{ {} }}", members.join(", "))
            }
            Tree::Array(elements) => match room.and_then(|room| string(elements, room)) {
                Some(text) => text,
                None => list(elements),
            },
        }
    }
}

fn insert(slot: &mut Option<Tree>, path: &[Part], constant: String) -> Option<()> {
    match path.split_first() {
        None => {
            // Nothing may be said twice.
            if slot.is_some() {
                return None;
            }
            *slot = Some(Tree::Leaf(constant));
            Some(())
        }
        Some((Part::Member(name), rest)) => {
            let Tree::Struct(members) = slot.get_or_insert_with(|| Tree::Struct(Vec::new())) else { return None };
            let at = members.iter().position(|(member, _)| member == name);
            let mut inner = at.map(|at| members.remove(at).1);
            insert(&mut inner, rest, constant)?;
            members.insert(at.unwrap_or(members.len()), (name.clone(), inner?));
            Some(())
        }
        Some((Part::Index(index), rest)) => {
            let Tree::Array(elements) = slot.get_or_insert_with(|| Tree::Array(BTreeMap::new())) else { return None };
            let mut inner = elements.remove(index);
            insert(&mut inner, rest, constant)?;
            elements.insert(*index, inner?);
            Some(())
        }
    }
}

fn list(elements: &BTreeMap<u64, Tree>) -> String {
    let mut next = 0;
    let mut parts = Vec::new();
    let is_zero = |tree: &Tree| matches!(tree, Tree::Leaf(constant) if constant == "'\\0'");
    let all_zero = elements.values().all(is_zero);
    // What is not said is zero.
    for (&index, tree) in elements.iter().filter(|(_, tree)| all_zero || !is_zero(tree)) {
        let text = tree.print(None);
        parts.push(if index == next { text } else { format!("[{index}] = {text}") });
        next = index + 1;
    }
    format!("{{ {} }}", parts.join(", "))
}

/// Characters as a string: constants such as `'a'`, and numbers for the rest.
fn string(elements: &BTreeMap<u64, Tree>, room: u64) -> Option<String> {
    let last = *elements.keys().next_back()?;
    if last + 1 >= room || last > 4096 {
        return None;
    }
    let mut bytes = vec![0u8; usize::try_from(last).ok()? + 1];
    for (&index, tree) in elements {
        let Tree::Leaf(constant) = tree else { return None };
        bytes[usize::try_from(index).ok()?] = byte(constant)?;
    }
    while bytes.last() == Some(&0) {
        bytes.pop();
    }
    // Zeros inside: a list of characters says better what is meant.
    if bytes.contains(&0) {
        return None;
    }
    Some(c_string(&bytes))
}

fn byte(constant: &str) -> Option<u8> {
    if let Some(quoted) = constant.strip_prefix('\'').and_then(|c| c.strip_suffix('\'')) {
        return if quoted == "\\0" { Some(0) } else { quoted.strip_prefix('\\').unwrap_or(quoted).bytes().next() };
    }
    constant.parse::<i16>().ok().filter(|n| (-128..256).contains(n)).map(|n| n as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(cells: &[(&str, &str)], room: Option<u64>, expected: &str) {
        let tree = Tree::new(cells.iter().map(|(path, constant)| (*path, (*constant).to_owned()))).unwrap().unwrap();
        assert_eq!(tree.print(room), expected);
    }

    #[test]
    fn structs_and_arrays() {
        check(&[("", "5")], None, "5");
        check(&[(".day", "31"), (".month", "12")], None, "{ .day = 31, .month = 12 }");
        check(&[("[0]", "7"), ("[1]", "8"), ("[4]", "9")], None, "{ 7, 8, [4] = 9 }");
        check(&[("[0]", "'\\0'"), ("[1]", "'\\0'"), ("[2]", "-1")], None, "{ [2] = -1 }");
        check(&[("[0]", "'\\0'")], None, "{ '\\0' }");
        check(
            &[("[0].at.x", "1"), ("[0].at.y", "2"), ("[2].n[1]", "3")],
            None,
            "{ { .at = { .x = 1, .y = 2 } }, [2] = { .n = { [1] = 3 } } }",
        );
    }

    #[test]
    fn characters_are_a_string_if_there_is_room() {
        let cells = [("[0]", "'H'"), ("[1]", "'\\''"), ("[2]", "0")];
        check(&cells, Some(16), "\"H'\"");
        check(&cells, Some(3), "{ 'H', '\\'', 0 }");
        check(&[("[0]", "-1")], Some(4), "\"\\377\"");
        check(&[("[1]", "'x'")], Some(4), "{ [1] = 'x' }");
        check(&[("[0]", "0")], Some(4), "\"\"");
    }

    #[test]
    fn what_does_not_fit_is_none() {
        let tree = |cells: &[(&'static str, &str)]| Tree::new(cells.iter().map(|(p, c)| (*p, (*c).to_owned())));
        assert!(tree(&[("->x", "1")]).is_none());
        assert!(tree(&[(".x", "1"), (".x", "2")]).is_none());
        assert!(tree(&[(".x", "1"), ("[0]", "2")]).is_none());
        assert_eq!(tree(&[]), Some(None));
    }
}
