//! A certificate in words: what holds at which line, from the comments that it carries for people.
//!
//! Only the comments are read, and only to be shown; what a certificate proves is `covenant check`'s business.

use std::path::Path;

use serde::Serialize;

/// So much of a certificate is looked at: the formulas stand before the questions.
const HEAD: usize = 256 << 10;
/// So many steps are shown.
const STEPS: usize = 24;

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct Step {
    /// `parking.c:18 in fee`, the first of them.
    pub(crate) place: String,
    /// Where it holds.
    pub(crate) lines: Vec<u32>,
    /// What holds there in any run, or that no run comes there.
    pub(crate) holds: String,
}

/// Nothing if the file cannot be read.
pub(crate) fn steps(certificate: &Path) -> Vec<Step> {
    let Ok(bytes) = std::fs::read(certificate) else { return Vec::new() };
    read(&String::from_utf8_lossy(&bytes[..bytes.len().min(HEAD)]))
}

fn read(text: &str) -> Vec<Step> {
    let mut names: Vec<(String, String)> = Vec::new();
    let mut steps: Vec<Step> = Vec::new();
    let mut places: Vec<(String, Option<u32>)> = Vec::new();
    let mut last: Option<&str> = None;
    for line in text.lines().skip_while(|line| line.starts_with(';')) {
        if line.starts_with("(declare-const |") && !line.starts_with("(declare-const |any!") {
            names.extend(variable(line));
        } else if line.starts_with("(set-info :covenant-at ") {
            places.extend(last.and_then(place));
        } else if let Some(formula) = line.strip_prefix(";   ") {
            let holds = readable(formula, &names);
            add(&mut steps, &mut places, &holds);
        } else if line.starts_with("(push") {
            break;
        }
        last = line.strip_prefix("; ");
    }
    steps.truncate(STEPS);
    steps
}

/// A formula and its places. Those inside a callee help nobody, unless there are no others.
fn add(steps: &mut Vec<Step>, places: &mut Vec<(String, Option<u32>)>, holds: &str) {
    let own = |(place, _): &(String, Option<u32>)| !place.contains("(called at ");
    if places.iter().any(own) {
        places.retain(own);
    }
    for (place, line) in places.drain(..) {
        match steps.iter_mut().find(|step| step.holds == holds) {
            Some(step) => step.lines.extend(line.filter(|line| !step.lines.contains(line))),
            None => steps.push(Step { place, lines: line.into_iter().collect(), holds: holds.to_owned() }),
        }
    }
}

/// `(declare-const |price!fee:1:v3| (_ BitVec 32)) ; price (line 18) in fee` is `price`.
fn variable(line: &str) -> Option<(String, String)> {
    let symbol = line.split('|').nth(1)?;
    let (_, words) = line.rsplit_once(" ; ")?;
    let name = words.split(" (line ").next()?.split(" on entry").next()?.split(" in ").next()?.trim();
    (!name.is_empty()).then(|| (symbol.to_owned(), name.to_owned()))
}

fn place(comment: &str) -> Option<(String, Option<u32>)> {
    let place = comment.split(": ").next()?;
    let line = place.split_once(':').and_then(|(_, rest)| rest.split(' ').next()?.parse().ok());
    Some((place.to_owned(), line))
}

/// The formula with the names of the source.
fn readable(formula: &str, names: &[(String, String)]) -> String {
    let mut text = formula.to_owned();
    let mut longest: Vec<&(String, String)> = names.iter().collect();
    longest.sort_by_key(|(symbol, _)| std::cmp::Reverse(symbol.len()));
    for (symbol, name) in longest {
        text = text.replace(symbol.as_str(), name);
    }
    text.split(" && ").map(variable_first).collect::<Vec<_>>().join(" && ")
}

/// `-1 < x` is `x >= 0` for people, and `9 < x` is `x > 9`.
fn variable_first(comparison: &str) -> String {
    let flipped = comparison
        .split_once(" < ")
        .filter(|(_, rest)| !rest.contains(" < ") && rest.matches('(').count() == rest.matches(')').count());
    match flipped.and_then(|(left, right)| Some((left.parse::<i128>().ok()?, right))) {
        Some((-1, right)) => format!("{right} >= 0"),
        Some((bound, right)) => format!("{right} > {bound}"),
        None => comparison.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CERTIFICATE: &str = "; Certificate: no input reaches it\n;   a.c:9:1 in f: `x` is true\n\
        (set-logic QF_BV)\n\
        (declare-const |x!f:1:v1| (_ BitVec 32)) ; x on entry\n\
        (declare-const |x!f:1:v12| (_ BitVec 32)) ; price (line 18) in f\n\n\
        ; a.c:3 in f: if (x: y)\n(set-info :covenant-at \"inv_1 f:bb1\")\n\
        ; string.c:79 in strcmp (called at a.c:3)\n(set-info :covenant-at \"inv_1 f/i8>strcmp:bb2\")\n\
        ;   x!f:1:v1 < x!f:1:v12\n(define-fun inv_1 () Bool true)\n\n\
        ; a.c:9 in f: g();\n(set-info :covenant-at \"inv_2 f:bb2\")\n;   no run comes here\n\
        (define-fun inv_2 () Bool false)\n(push 1)\n;   not read\n";

    #[test]
    fn steps_are_told_with_the_names_of_the_source() {
        let step =
            |place: &str, line, holds: &str| Step { place: place.into(), lines: vec![line], holds: holds.into() };
        assert_eq!(read(CERTIFICATE), [step("a.c:3 in f", 3, "x < price"), step("a.c:9 in f", 9, "no run comes here")]);
        assert_eq!(read("nothing of ours"), []);
    }

    #[test]
    fn constants_stand_behind() {
        assert_eq!(variable_first("-1 < n"), "n >= 0");
        assert_eq!(variable_first("2 < (n + 59) / 60"), "(n + 59) / 60 > 2");
        assert_eq!(variable_first("(2 < n || m == 0)"), "(2 < n || m == 0)");
        assert_eq!(variable_first("a < b"), "a < b");
    }
}
