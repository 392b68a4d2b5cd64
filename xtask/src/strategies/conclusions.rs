//! What the papers conclude, and what we ask of the default, read off the cells.

use super::measure::Cell;
use super::notes::Subject;
use super::table::mean;
use super::{Job, Results};
use crate::words::Status;
use std::fmt::Write;

/// What the papers on search call larger programs.
const LARGER: u64 = 30;
/// How much a strategy that does not get there counts worse than the best that does.
const FAILED: f64 = 10.0;
/// Per cent of the time that choosing may take.
const MOST_CHOOSING: f64 = 5.0;

/// A mean over seeds, and how far chance may have moved it: its standard error.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Mean {
    value: f64,
    error: f64,
}

impl Mean {
    fn of(values: &[f64]) -> Option<Mean> {
        let value = mean(values.iter().copied())?;
        let squares: f64 = values.iter().map(|v| (v - value).powi(2)).sum();
        let error =
            if values.len() < 2 { 0.0 } else { (squares / (values.len() - 1) as f64 / values.len() as f64).sqrt() };
        Some(Mean { value, error })
    }

    /// Whether it is no larger, as far as one can tell with so many seeds.
    fn is_as_good_as(self, other: Mean) -> bool {
        self.value - other.value <= self.error.hypot(other.error)
    }
}

/// What is compared: a number for each seed that got there.
struct Measure {
    name: &'static str,
    of: fn(&Cell, &Subject) -> Option<u64>,
}

const MEASURES: [Measure; 2] = [
    Measure { name: "runs to cover all reachable branches", of: |cell, subject| cell.runs_to(subject.covered) },
    Measure { name: "solver calls until all is decided", of: |cell, _| cell.is_decided().then_some(cell.solver_calls) },
];

impl Measure {
    /// `None`: some seed did not get there.
    fn mean(&self, results: &Results, subject: &Subject, strategy: &str) -> Option<Mean> {
        let cells = results.cells(&subject.name, strategy);
        let values: Option<Vec<f64>> = cells.iter().map(|cell| Some((self.of)(cell, subject)? as f64)).collect();
        Mean::of(&values?)
    }
}

/// Strategies that explore by themselves: neither a mixture nor with the model.
fn singles(results: &Results) -> Vec<&str> {
    let all = results.strategies.iter().map(String::as_str);
    all.filter(|s| !s.ends_with("arc") && !["mixed", "random-input"].contains(s)).collect()
}

pub(crate) fn text(results: &Results, default: &str) -> String {
    let mut text = String::from("## What follows from the tables\n\n");
    for part in [expectation(results), hopeful(results), decided(results), choosing(results)].into_iter().flatten() {
        let _ = writeln!(text, "{part}");
    }
    if results.strategies.iter().any(|s| s == default) && !singles(results).is_empty() {
        let _ = writeln!(text, "## The default against the best\n\n{}", against(results, default));
    }
    text
}

fn larger(results: &Results) -> impl Iterator<Item = &Subject> {
    results.subjects.iter().filter(|s| s.covered + s.infeasible >= LARGER)
}

/// Expectation needs fewer runs than the others of its paper on larger programs.
fn expectation(results: &Results) -> Option<String> {
    let has = |name: &str| results.strategies.iter().any(|s| s == name);
    let others: Vec<&str> =
        ["random", "shortest", "shortest-local", "residual"].into_iter().filter(|name| has(name)).collect();
    if !has("expectation") || others.is_empty() {
        return None;
    }
    let mut text = format!(
        "Expectation needs fewer runs than others on programs of {LARGER} branches and more. Compared are the runs to as many \
         branches as every seed of both covers, which are all reachable ones where nothing is said:\n\n"
    );
    for other in others {
        let (mut fewer, mut saved, mut against) = (0, Vec::new(), Vec::new());
        for subject in larger(results) {
            let Some((level, mine, theirs)) = runs_to_common(results, subject, "expectation", other) else { continue };
            saved.push(100.0 - 100.0 * mine / theirs);
            if mine <= theirs {
                fewer += 1;
            } else {
                let part = if level < subject.covered { format!(" to {level} branches") } else { String::new() };
                against.push(format!("{} ({mine:.0} and {theirs:.0}{part})", subject.name));
            }
        }
        let percent = mean(saved.iter().copied()).map_or(String::new(), |percent| {
            let word = if percent < 0.0 { "more" } else { "fewer" };
            format!(", {:.0} % {word} in the mean of all", percent.abs())
        });
        let not = if against.is_empty() { String::new() } else { format!("; not on {}", against.join(", ")) };
        let _ = writeln!(text, "- than {other} on {fewer} of {}{percent}{not}", saved.len());
    }
    text.push_str(
        "\nWhat the paper calls shortest looks along one path and starts anew where that leads nowhere: shortest-local. Shortest \
         itself chooses among the ways of all paths here, as expectation does, and is not what the paper compares with.\n",
    );
    Some(text)
}

/// As many branches as all seeds of two strategies cover, and the runs that each needs for that in the mean.
fn runs_to_common(results: &Results, subject: &Subject, one: &str, other: &str) -> Option<(u64, f64, f64)> {
    let [one, other] = [one, other].map(|strategy| results.cells(&subject.name, strategy));
    let level = one.iter().chain(&other).map(|cell| cell.covered).min()?;
    let runs = |cells: &[&Cell]| mean(cells.iter().filter_map(|cell| cell.runs_to(level)).map(|runs| runs as f64));
    Some((level, runs(&one)?, runs(&other)?.max(1.0)))
}

/// Fewer hopeful flips, fewer solver calls.
fn hopeful(results: &Results) -> Option<String> {
    let mut told = Vec::new();
    let mut positive = 0;
    for subject in &results.subjects {
        let pairs: Vec<(f64, f64)> = singles(results)
            .into_iter()
            .map(|strategy| results.cells(&subject.name, strategy))
            .filter(|cells| !cells.is_empty() && cells.iter().all(|cell| cell.is_decided()))
            .filter_map(|cells| {
                let of = |value: fn(&Cell) -> u64| mean(cells.iter().map(|cell| value(cell) as f64));
                Some((of(|cell| cell.hopeful)?, of(|cell| cell.solver_calls)?))
            })
            .collect();
        if let Some(correlation) = ranks(&pairs) {
            positive += usize::from(correlation > 0.0);
            told.push(format!("{} {correlation:.2}", subject.name));
        }
    }
    (!told.is_empty()).then(|| {
        format!(
            "Reducing hopeful flips reduces solver calls: over the strategies that decided all, the two are correlated (in \
             ranks) on {positive} of {} subjects: {}. Where nothing is unreachable the search ends with the last branch, \
             and luck has its share; where something is, all paths that may lead to it are tried and hardly differ.\n",
            told.len(),
            told.join(", ")
        )
    })
}

/// Spearman's coefficient. `None`: there is nothing to compare, as one of both is always the same.
fn ranks(pairs: &[(f64, f64)]) -> Option<f64> {
    let rank = |values: Vec<f64>| -> Vec<f64> {
        let of = |v: f64| {
            let (less, same) = (values.iter().filter(|o| **o < v).count(), values.iter().filter(|o| **o == v).count());
            less as f64 + (same as f64 - 1.0) / 2.0
        };
        values.iter().map(|&v| of(v)).collect()
    };
    let a = rank(pairs.iter().map(|p| p.0).collect());
    let b = rank(pairs.iter().map(|p| p.1).collect());
    let (mean_a, mean_b) = (mean(a.iter().copied())?, mean(b.iter().copied())?);
    let product =
        |x: &[f64], mx: f64, y: &[f64], my: f64| x.iter().zip(y).map(|(x, y)| (x - mx) * (y - my)).sum::<f64>();
    let scale = (product(&a, mean_a, &a, mean_a) * product(&b, mean_b, &b, mean_b)).sqrt();
    (scale > 0.0).then(|| product(&a, mean_a, &b, mean_b) / scale)
}

/// Strategies that end by themselves. Who starts anew again and again comes to an end by chance.
fn exhaustive(results: &Results) -> impl Iterator<Item = &str> {
    singles(results).into_iter().filter(|&strategy| strategy != "shortest-local")
}

/// Searches of such strategies that were out of iterations.
pub(crate) fn undecided(results: &Results, seed: u64) -> Vec<Job<'_>> {
    let is_open = |subject: &Subject, strategy: &str| {
        results.cells(&subject.name, strategy).iter().any(|cell| !cell.is_decided() && cell.status == Status::Limit)
    };
    let pairs = results.subjects.iter().flat_map(|s| exhaustive(results).map(move |strategy| (s, strategy)));
    pairs.filter(|(subject, strategy)| is_open(subject, strategy)).map(|(s, strategy)| (s, strategy, seed)).collect()
}

/// Every exhaustive strategy decides every branch.
fn decided(results: &Results) -> Option<String> {
    let (mut all, mut later, mut not) = (0, Vec::new(), Vec::new());
    for subject in &results.subjects {
        for strategy in exhaustive(results) {
            let cells = results.cells(&subject.name, strategy);
            if cells.is_empty() {
                continue;
            }
            all += 1;
            let open: Vec<&&Cell> = cells.iter().filter(|cell| !cell.is_decided()).collect();
            let Some(worst) = open.iter().max_by_key(|cell| cell.unknown) else { continue };
            let longer = results.longer.iter().find(|cell| cell.subject == subject.name && cell.strategy == strategy);
            if let Some(longer) = longer.filter(|cell| cell.is_decided()) {
                later.push(longer.flips);
                continue;
            }
            let seeds = match longer {
                None if cells.len() > 1 => format!(", {} of {} seeds", open.len(), cells.len()),
                _ => String::new(),
            };
            let cell = longer.unwrap_or(worst);
            let why = match cell.status {
                Status::Limit => format!("out of iterations after {} of them, {} runs", cell.flips, cell.runs),
                Status::Timeout => format!("out of time after {} iterations, {} runs", cell.flips, cell.runs),
                Status::Complete | Status::Interrupted => "an answer of the solver is missing".to_owned(),
            };
            not.push(format!("- {strategy} on {}: {} open, {why}{seeds}", subject.name, cell.unknown));
        }
    }
    let done = all - not.len();
    let more = match (later.iter().min(), later.iter().max()) {
        (Some(least), Some(most)) => format!(
            ", {} of these not with every seed in the iterations that all had, but in a second search with the first seed, \
             which took {least} to {most}",
            later.len()
        ),
        _ => String::new(),
    };
    let rest = if not.is_empty() { ".".to_owned() } else { format!(". Not:\n\n{}", not.join("\n")) };
    (all > 0).then(|| {
        format!(
            "Exhaustive strategies decide every branch: {done} of {all} pairs of subject and strategy{more}{rest}\n"
        )
    })
}

/// Choosing is cheap on the largest subject.
fn choosing(results: &Results) -> Option<String> {
    let largest = results.subjects.iter().max_by_key(|s| (s.covered + s.infeasible, s.lines))?;
    let share = |strategy: &&str| {
        let cells = results.cells(&largest.name, strategy);
        let (choosing, wall) = cells.iter().fold((0, 0), |sum, c| (sum.0 + c.choosing_ms, sum.1 + c.wall_ms));
        100.0 * choosing as f64 / (wall.max(1)) as f64
    };
    let worst = singles(results).into_iter().max_by(|a, b| share(a).total_cmp(&share(b)))?;
    let percent = share(&worst);
    let verdict = if percent <= MOST_CHOOSING { "kept" } else { "NOT KEPT" };
    Some(format!(
        "Choosing takes at most {MOST_CHOOSING} % of the time on the largest subject, {}: {verdict}; {percent:.1} % at most, by \
         {worst}.\n",
        largest.name
    ))
}

/// How often something is as good as something else, and how often not worse than twice.
#[derive(Default)]
struct Score {
    good: u32,
    near: u32,
    all: u32,
}

fn against(results: &Results, default: &str) -> String {
    let mut text = format!(
        "For each subject, {default} against the best of all strategies that explore alone, which is another one each time: \
         `as good` if the mean is no larger, as far as the standard errors of both means tell.\n\n| subject |"
    );
    for measure in &MEASURES {
        let _ = write!(text, " {} | best | |", measure.name);
    }
    let _ = writeln!(text, "\n|---|{}", "---:|---:|---|".repeat(MEASURES.len()));
    let (mut both, mut each) = (Score::default(), [Score::default(), Score::default()]);
    for subject in &results.subjects {
        if results.cells(&subject.name, default).is_empty() {
            continue;
        }
        let _ = write!(text, "| {} |", subject.name);
        let (mut good, mut near) = (true, true);
        for (measure, score) in MEASURES.iter().zip(&mut each) {
            let mine = measure.mean(results, subject, default);
            let best = best(results, measure, subject);
            let (word, is_good, is_near) = compare(mine, best.map(|(_, mean)| mean));
            score.add(is_good, is_near);
            good &= is_good;
            near &= is_near;
            let mine = mine.map_or("-".to_owned(), |m| format!("{:.1}", m.value));
            let best = best.map_or("-".to_owned(), |(name, m)| format!("{:.1} ({name})", m.value));
            let _ = write!(text, " {mine} | {best} | {word} |");
        }
        both.add(good, near);
        text.push('\n');
    }
    let _ = writeln!(text, "\nAgainst the best of each subject: {}.", both.words());
    for (measure, score) in MEASURES.iter().zip(&each) {
        let _ = writeln!(text, "- {}: {}", measure.name, score.words());
    }
    text.push_str(&against_single(results, default));
    text
}

impl Score {
    fn add(&mut self, good: bool, near: bool) {
        self.all += 1;
        self.good += u32::from(good);
        self.near += u32::from(near);
    }

    fn words(&self) -> String {
        let Score { good, near, all } = self;
        format!("as good on {good} of {all}, within twice on {near}")
    }
}

fn compare(mine: Option<Mean>, best: Option<Mean>) -> (&'static str, bool, bool) {
    match (mine, best) {
        (Some(mine), Some(best)) if mine.is_as_good_as(best) => ("as good", true, true),
        (Some(mine), Some(best)) if mine.value <= 2.0 * best.value => ("near", false, true),
        (_, None) => ("as good", true, true),
        _ => ("WORSE", false, false),
    }
}

fn best<'r>(results: &'r Results, measure: &Measure, subject: &Subject) -> Option<(&'r str, Mean)> {
    let found = singles(results).into_iter().filter_map(|s| Some((s, measure.mean(results, subject, s)?)));
    found.min_by(|a, b| a.1.value.total_cmp(&b.1.value))
}

/// Against the one strategy that is best over all subjects: what somebody would take who has to take one.
fn against_single(results: &Results, default: &str) -> String {
    let mut text = String::new();
    let mut both: Vec<(bool, bool)> = vec![(true, true); results.subjects.len()];
    for measure in &MEASURES {
        // The mean, over subjects, of the factor to the best of each, as a logarithm.
        let cost = |strategy: &str| {
            let factors = results.subjects.iter().filter_map(|subject| {
                let best = best(results, measure, subject)?.1.value.max(1.0);
                let mine = measure.mean(results, subject, strategy).map(|m| m.value.max(1.0) / best);
                Some(mine.unwrap_or(FAILED).ln())
            });
            mean(factors.collect::<Vec<_>>().into_iter()).unwrap_or(0.0)
        };
        let Some(single) = singles(results).into_iter().min_by(|a, b| cost(a).total_cmp(&cost(b))) else { continue };
        let mut score = Score::default();
        for (subject, both) in results.subjects.iter().zip(&mut both) {
            let (mine, theirs) = (measure.mean(results, subject, default), measure.mean(results, subject, single));
            let (_, good, near) = compare(mine, theirs);
            score.add(good, near);
            *both = (both.0 && good, both.1 && near);
        }
        let (factor, ours) = (cost(single).exp(), cost(default).exp());
        let _ = writeln!(
            text,
            "- {}: {single} is the best single strategy, {factor:.2} times the best of each subject in the (geometric) mean; \
             {default} {ours:.2} times; against {single} it is {}",
            measure.name,
            score.words()
        );
    }
    let mut score = Score::default();
    both.into_iter().for_each(|(good, near)| score.add(good, near));
    format!(
        "\nAgainst the best single strategy, the one that is nearest to the best over all subjects (one that does not get \
         there counts {FAILED} times the best): {}.\n{text}",
        score.words()
    )
}

#[cfg(test)]
mod tests {
    use super::super::table::tests::results;
    use super::*;

    #[test]
    fn the_default_is_held_against_the_best() {
        let text = against(&results(), "arc");
        assert!(text.contains("| s | 6.0 | 4.5 (expectation) | near | 5.0 | 7.0 (expectation) | as good |"), "{text}");
        assert!(text.contains("Against the best of each subject: as good on 0 of 1, within twice on 1."), "{text}");
        assert!(text.contains("solver calls until all is decided: expectation is the best single strategy"), "{text}");
    }

    #[test]
    fn equal_means_equal_as_far_as_one_can_tell() {
        let (a, b) = (Mean::of(&[4.0, 6.0]).unwrap(), Mean::of(&[4.5]).unwrap());
        assert_eq!((a.value, a.error), (5.0, 1.0));
        assert!(a.is_as_good_as(b) && b.is_as_good_as(a));
        assert!(!Mean::of(&[5.0, 5.0]).unwrap().is_as_good_as(b));
    }

    #[test]
    fn runs_are_compared_as_far_as_both_come() {
        let mut results = results();
        let subject = results.subjects[0].clone();
        assert_eq!(runs_to_common(&results, &subject, "expectation", "dfs"), Some((4, 4.5, 10.0)));
        // One seed of one of them covers but two branches.
        (results.cells[1].covered, results.cells[1].timeline[1].covered) = (2, 2);
        assert_eq!(runs_to_common(&results, &subject, "expectation", "dfs"), Some((2, 1.0, 1.0)));
        assert_eq!(runs_to_common(&results, &subject, "expectation", "bfs"), None);
    }

    #[test]
    fn ranks_are_correlated() {
        assert_eq!(ranks(&[(1.0, 10.0), (2.0, 20.0), (3.0, 90.0)]), Some(1.0));
        assert_eq!(ranks(&[(1.0, 3.0), (2.0, 2.0), (3.0, 1.0)]), Some(-1.0));
        assert_eq!(ranks(&[(1.0, 3.0), (1.0, 2.0)]), None);
    }

    #[test]
    fn what_stays_open_is_named() {
        let mut results = results();
        results.cells[0].unknown = 2;
        results.cells[0].status = Status::Limit;
        let text = decided(&results).unwrap();
        assert!(text.contains("1 of 2 pairs"), "{text}");
        assert!(text.contains("- dfs on s: 2 open, out of iterations after 0 of them, 10 runs"), "{text}");
        assert!(!text.contains("second search"), "{text}");
        let again: Vec<(&str, u64)> = undecided(&results, 7).into_iter().map(|job| (job.1, job.2)).collect();
        assert_eq!(again, [("dfs", 7)]);
        let longer = Cell { unknown: 0, flips: 77, ..results.cells[0].clone() };
        results.longer = vec![longer];
        let text = decided(&results).unwrap();
        assert!(text.contains("2 of 2 pairs") && text.contains("1 of these") && text.contains("77"), "{text}");
        assert!(!text.contains("out of iterations"), "{text}");
    }
}
