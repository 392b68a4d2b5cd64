//! Names that say what a test is for, and paths that stay right when the project moves.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use covenant_goals::TestCase;
use covenant_goals::report::ObjectiveEntry;
use covenant_goals::{Criterion, Outcome};

use super::ends;
use crate::run_dir::says;
use crate::subject::SubjectInfo;

/// A name of a test should fit a line of a log.
const LONGEST: usize = 60;
/// So many objectives are named in the comment of a test.
const PURPOSES: usize = 4;

/// What a test is for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Purpose {
    /// Whether it is to notice changes of the code, and covers nothing that no test before it does.
    pub(super) notices: bool,
    /// In words, with lines.
    pub(super) what: Vec<String>,
}

/// For each test its name and what it is for.
pub(super) fn tests(
    subject: &SubjectInfo,
    tests: &[TestCase],
    objectives: &[ObjectiveEntry],
) -> Vec<(String, Purpose)> {
    let mut first: BTreeMap<&str, Vec<&ObjectiveEntry>> = BTreeMap::new();
    // Test vectors are parts of conditions and say less than these.
    for objective in objectives.iter().filter(|o| o.criterion != Criterion::McdcVector) {
        let earliest = tests.iter().find(|test| objective.tests.contains(&test.name));
        if let Some(test) = earliest {
            first.entry(&test.name).or_default().push(objective);
        }
    }
    let mut taken = BTreeSet::new();
    let name = |test: &TestCase| {
        let mut own = first.remove(test.name.as_str()).unwrap_or_default();
        let notices = own.is_empty();
        if notices {
            let mutants = objectives.iter().filter(|o| o.criterion == Criterion::Mutation);
            own = mutants.filter(|o| o.tests.contains(&test.name)).collect();
        }
        // What a test covers of the code says more than which changes of it show there.
        own.sort_by_key(|o| o.criterion == Criterion::Mutation);
        let name = unique(&name(subject, test, &own), &mut taken);
        let mut what: Vec<String> =
            own.iter().take(PURPOSES).map(|o| format!("{} (line {})", says(o), o.line)).collect();
        if own.len() > PURPOSES {
            what.push(format!("and {} more", own.len() - PURPOSES));
        }
        (name, Purpose { notices, what })
    };
    tests.iter().map(name).collect()
}

fn name(subject: &SubjectInfo, test: &TestCase, first: &[&ObjectiveEntry]) -> String {
    let function = identifier(&subject.function);
    // That a function is called which does not return is nothing that tests show of the code.
    let trap = test.trap.as_ref().filter(|_| ends::ended_by(subject, test).is_none());
    let what = match (trap, first) {
        (Some(trap), _) => format!("shows_{}", identifier(&trap.kind)),
        // People gave it a name.
        (None, _) if test.expected_by.is_some() => identifier(&test.name),
        // What the fewest tests reach says most about this one; the last of these lies deepest.
        (None, [_, ..]) => {
            let special = first.iter().rev().min_by_key(|o| (o.criterion == Criterion::Mutation, o.tests.len()));
            special.map(|o| condition(o)).unwrap_or_default()
        }
        (None, []) => identifier(&test.name),
    };
    let mut name = format!("test_{function}_{what}");
    name.truncate(LONGEST.max(function.len() + 6));
    name.trim_end_matches('_').to_owned()
}

/// `when_price_gt_2000`, `unless_member`, `case_3`
fn condition(o: &ObjectiveEntry) -> String {
    let text = words(&o.text);
    match &o.outcome {
        Outcome::True => format!("when_{text}"),
        Outcome::False => format!("unless_{text}"),
        Outcome::Holds(what) if what.is_empty() => text,
        // `b < 5 in a > 3 && b < 5`
        Outcome::Independent => format!("shows_{}", words(o.text.split(" in ").next().unwrap_or_default())),
        Outcome::Case(_) | Outcome::Default => words(&o.outcome.to_string()),
        Outcome::Holds(what) => format!("{text}_{}", words(what)),
    }
}

/// Operators, the longest first.
const OPERATORS: &[(&str, &str)] = &[
    ("->", " "),
    ("<<", " shl "),
    (">>", " shr "),
    ("<=", " le "),
    (">=", " ge "),
    ("==", " is "),
    ("!=", " is not "),
    ("&&", " and "),
    ("||", " or "),
    ("<", " lt "),
    (">", " gt "),
    ("!", " not "),
    ("+", " plus "),
    ("/", " by "),
    ("%", " mod "),
    ("&", " and "),
    ("|", " or "),
    ("^", " xor "),
    ("~", " not "),
];

fn words(text: &str) -> String {
    let mut text =
        text.replace("NULL", "null").replace(" - ", " minus ").replace(" * ", " times ").replace('-', " minus ");
    if text.contains("minus >") {
        text = text.replace(" minus >", " ");
    }
    for (operator, word) in OPERATORS {
        text = text.replace(operator, word);
    }
    identifier(&text)
}

/// Letters, digits and single underscores.
pub(crate) fn identifier(text: &str) -> String {
    let mut name = String::new();
    for c in text.chars() {
        let c = if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
        if c != '_' || !(name.is_empty() || name.ends_with('_')) {
            name.push(c);
        }
    }
    name.trim_end_matches('_').to_owned()
}

pub(super) fn unique(name: &str, taken: &mut BTreeSet<String>) -> String {
    let mut found = name.to_owned();
    let mut number = 2;
    while !taken.insert(found.clone()) {
        found = format!("{name}_{number}");
        number += 1;
    }
    found
}

/// The way from a folder to a file, so that both can move together; absolute if they share nothing.
pub(crate) fn relative(folder: &Path, file: &Path) -> String {
    let (from, to) = (absolute(folder), absolute(file));
    let shared = from.components().zip(to.components()).take_while(|(a, b)| a == b).count();
    if shared <= 1 {
        return to.display().to_string();
    }
    let up = from.components().skip(shared).map(|_| Component::ParentDir);
    up.chain(to.components().skip(shared)).collect::<PathBuf>().display().to_string()
}

/// Without links as far as the path is there; the folder of a suite may not be there yet.
fn absolute(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let known = path.ancestors().find_map(|a| Some((a.canonicalize().ok()?, path.strip_prefix(a).ok()?)));
    match known {
        Some((root, rest)) if rest.as_os_str().is_empty() => root,
        Some((root, rest)) => root.join(rest),
        None => path,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_is_covered() {
        let objective = |text: &str, outcome: &str| ObjectiveEntry {
            text: text.into(),
            outcome: outcome.into(),
            ..Default::default()
        };
        assert_eq!(condition(&objective("price > 2000", "true")), "when_price_gt_2000");
        assert_eq!(condition(&objective("p->next == NULL", "false")), "unless_p_next_is_null");
        assert_eq!(condition(&objective("kind", "case 3")), "case_3");
        assert_eq!(condition(&objective("b < 5 in a && b < 5", "independent")), "shows_b_lt_5");
        assert_eq!(condition(&objective("a > 3", "> becomes >=")), "a_gt_3_gt_becomes_ge");
        assert_eq!(condition(&objective("a - 1 < -5 * b", "true")), "when_a_minus_1_lt_minus_5_times_b");
        assert_eq!(condition(&objective("!done && x % 2", "true")), "when_not_done_and_x_mod_2");
    }

    #[test]
    fn names_differ() {
        let mut taken = BTreeSet::new();
        assert_eq!((unique("a", &mut taken), unique("a", &mut taken)), ("a".to_owned(), "a_2".to_owned()));
    }

    #[test]
    fn paths_are_relative() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(dir.path().join("src")).unwrap();
        std::fs::write(dir.path().join("src/a.c"), "").unwrap();
        assert_eq!(relative(&dir.path().join("out/f/suite"), &dir.path().join("src/a.c")), "../../../src/a.c");
    }
}
