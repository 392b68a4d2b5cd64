//! The tables of MC/DC, from objectives that name their parts: a condition is shown by two test vectors, and a vector is
//! an objective of its own whose outcome reads `TF- = T`, one letter a condition.

use std::collections::{BTreeMap, HashMap};

use covenant_goals::Report;
use covenant_goals::VerdictKind;
use covenant_goals::report::{Decision, Details, Evaluation, ObjectiveEntry};

/// The file, the function, and the number of the decision in it.
type Key<'a> = (&'a str, &'a str, u32);

/// For each objective that is a condition of a decision, by id.
pub(super) fn details(report: &Report) -> HashMap<String, Details> {
    let by_id: HashMap<&str, &ObjectiveEntry> = report.objectives.iter().map(|o| (o.id.as_str(), o)).collect();
    let mut decisions: BTreeMap<Key<'_>, Vec<(u32, &ObjectiveEntry)>> = BTreeMap::new();
    for o in &report.objectives {
        if let (Some((decision, condition)), Some(_)) = (o.decision, &o.parts) {
            decisions.entry((&o.file, &o.function, decision)).or_default().push((condition, o));
        }
    }
    let mut details = HashMap::new();
    for ((_, function, number), mut conditions) in decisions {
        conditions.sort_by_key(|(condition, _)| *condition);
        let Some((_, first)) = conditions.first() else { continue };
        let decision = Decision {
            id: format!("{function}:{number}"),
            text: whole(first).to_owned(),
            line: first.line,
            column: first.column,
            conditions: conditions.iter().map(|(_, o)| own(o).to_owned()).collect(),
        };
        for (at, (_, o)) in conditions.iter().enumerate() {
            let found = Details {
                decision: Some(decision.clone()),
                condition: u32::try_from(at).ok(),
                pair: pair(o, &by_id),
                ..Details::default()
            };
            details.insert(o.id.clone(), found);
        }
    }
    details
}

/// `b < 5 in a > 3 && b < 5` is about `b < 5`.
fn own(o: &ObjectiveEntry) -> &str {
    o.text.split_once(" in ").map_or(o.text.as_str(), |(own, _)| own)
}

fn whole(o: &ObjectiveEntry) -> &str {
    o.text.split_once(" in ").map_or(o.text.as_str(), |(_, whole)| whole)
}

/// The first pair whose vectors all have tests.
fn pair(o: &ObjectiveEntry, by_id: &HashMap<&str, &ObjectiveEntry>) -> Vec<Evaluation> {
    if o.verdict != VerdictKind::Covered {
        return Vec::new();
    }
    let evaluation = |id: &String| {
        let vector = by_id.get(id.as_str())?;
        let test = vector.tests.iter().find(|test| o.tests.contains(test)).or(vector.tests.first())?;
        let outcome = vector.outcome.to_string();
        let (values, result) = outcome.split_once('=')?;
        let values = values.trim().chars().map(|c| match c {
            'T' => Some(true),
            'F' => Some(false),
            _ => None,
        });
        Some(Evaluation { test: test.clone(), values: values.collect(), result: result.trim() == "T" })
    };
    let shown = |ids: &Vec<String>| ids.iter().map(evaluation).collect::<Option<Vec<_>>>();
    let all: Vec<Vec<Evaluation>> = o.parts.iter().flatten().filter_map(shown).collect();
    // The pair that the objective's own tests show is the one that was claimed.
    let claimed = all.iter().find(|pair| pair.iter().all(|e| o.tests.contains(&e.test)));
    claimed.or(all.first()).cloned().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_come_from_vectors() {
        let vector = |outcome: &str, test: &str| ObjectiveEntry {
            id: outcome.into(),
            outcome: outcome.into(),
            tests: vec![test.into()],
            ..ObjectiveEntry::default()
        };
        let condition = |number: u32, text: &str, parts: &[[&str; 2]], tests: &[&str]| ObjectiveEntry {
            id: format!("c{number}"),
            function: "f".into(),
            text: format!("{text} in a && b"),
            verdict: VerdictKind::Covered,
            tests: tests.iter().map(|t| (*t).to_owned()).collect(),
            decision: Some((0, number)),
            parts: Some(parts.iter().map(|pair| pair.iter().map(|id| (*id).to_owned()).collect()).collect()),
            ..ObjectiveEntry::default()
        };
        let report = Report {
            objectives: vec![
                vector("TT = T", "t1"),
                vector("F- = F", "t2"),
                vector("TF = F", "t3"),
                condition(1, "b", &[["TT = T", "missing"], ["TT = T", "TF = F"]], &["t1", "t3"]),
                condition(0, "a", &[["TT = T", "F- = F"]], &["t1", "t2"]),
            ],
            ..Report::default()
        };
        let details = details(&report);
        let a = &details["c0"];
        let decision = a.decision.as_ref().unwrap();
        assert_eq!(
            (decision.text.as_str(), &decision.conditions[..]),
            ("a && b", &["a".to_owned(), "b".to_owned()][..])
        );
        assert_eq!(a.pair[1], Evaluation { test: "t2".into(), values: vec![Some(false), None], result: false });
        assert_eq!((details["c1"].condition, details["c1"].pair.len()), (Some(1), 2));
    }
}
