//! The tables, and whether each row keeps the bar.

use super::measure::Measured;
use super::paper::{self, Row};
use std::fmt::Write;

/// One subject of a table, with what its verdicts must be.
#[derive(Debug)]
pub(crate) struct Line {
    pub(crate) name: String,
    pub(crate) paper: Option<&'static Row>,
    /// True counts of covered and infeasible.
    pub(crate) truth: (u64, u64),
    /// Whether the paper's suite is of the same program, so that ours must not be larger.
    pub(crate) same_program: bool,
    pub(crate) result: Result<Measured, String>,
}

impl Line {
    /// In words, what is missed.
    pub(crate) fn missed(&self) -> Option<String> {
        let m = match &self.result {
            Ok(measured) => measured,
            Err(words) => return Some(words.clone()),
        };
        let (covered, infeasible) = self.truth;
        if m.branches != covered + infeasible {
            return Some(format!("{} branches, expected {}", m.branches, covered + infeasible));
        }
        if m.unknown > 0 {
            return Some(format!("{} open", m.unknown));
        }
        if (m.covered, m.infeasible) != self.truth {
            return Some(format!("expected {covered} covered and {infeasible} infeasible"));
        }
        if m.defects > 0 {
            return Some(format!("{} defects in a program that has none", m.defects));
        }
        if m.confirmed == Some(false) {
            return Some("a certificate is not confirmed".to_owned());
        }
        let paper = self.paper.filter(|_| self.same_program)?;
        (m.tests > paper.tests).then(|| format!("{} tests, the paper has {}", m.tests, paper.tests))
    }
}

/// br, it, tc, cbr, ibr, cov, each with the paper's number behind a stroke.
pub(crate) fn verdicts(lines: &[Line]) -> String {
    let mut text = String::from(
        "| subject | br | it | tc | cbr | ibr | cov % | certificates | time s | peak MB | solver calls | bar |\n\
         |---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|\n",
    );
    for line in lines {
        let bar = line.missed().map_or("kept".to_owned(), |why| format!("MISSED: {why}"));
        let _ = match &line.result {
            Ok(m) => {
                let beside = |ours: u64, theirs: fn(&Row) -> u64| match line.paper {
                    Some(row) => format!("{ours} / {}", theirs(row)),
                    None => format!("{ours}"),
                };
                writeln!(
                    text,
                    "| {} | {} | {} | {} | {} | {} | {} | {} | {:.2} | {} | {} | {bar} |",
                    line.name,
                    beside(m.branches, |r| r.branches),
                    beside(m.iterations, |r| r.iterations),
                    beside(m.tests, |r| r.tests),
                    beside(m.covered, |r| r.covered),
                    beside(m.infeasible, |r| r.infeasible),
                    beside(m.coverage(), |r| r.coverage),
                    certificates(m),
                    m.seconds,
                    megabytes(m.peak_bytes),
                    m.solver_calls,
                )
            }
            Err(_) => writeln!(text, "| {} | | | | | | | | | | | {bar} |", line.name),
        };
    }
    text
}

fn certificates(m: &Measured) -> String {
    let says = match m.confirmed {
        Some(true) => " confirmed",
        Some(false) => " NOT confirmed",
        None => "",
    };
    format!("{} of {}{says}", m.certificates, m.infeasible)
}

fn megabytes(bytes: Option<u64>) -> String {
    bytes.map_or("-".to_owned(), |b| format!("{:.0}", b as f64 / 1e6))
}

fn number(value: Option<u64>) -> String {
    value.map_or("-".to_owned(), |v| v.to_string())
}

/// The same subject with coarsening and without.
pub(crate) struct Pair {
    pub(crate) name: String,
    pub(crate) with: Result<Measured, String>,
    pub(crate) without: Result<Measured, String>,
}

pub(crate) fn coarsening(pairs: &[Pair]) -> String {
    let mut text = String::from(
        "| subject | nodes | nodes without | largest predicate | without | coarsenings | open | open without | time s | \
         time s without |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    for Pair { name, with, without } in pairs {
        let cell = |result: &Result<Measured, String>, show: fn(&Measured) -> String| {
            result.as_ref().map_or("-".to_owned(), show)
        };
        let both = |show: fn(&Measured) -> String| format!("{} | {}", cell(with, show), cell(without, show));
        let _ = writeln!(
            text,
            "| {name} | {} | {} | {} | {} | {} |",
            both(|m| number(m.nodes)),
            both(|m| number(m.predicate)),
            cell(with, |m| number(m.coarsenings)),
            both(|m| m.unknown.to_string()),
            both(|m| format!("{:.2}", m.seconds)),
        );
    }
    for Pair { name, with, without } in pairs {
        for (how, words) in [("", with), (" without coarsening", without)] {
            if let Err(words) = words {
                let _ = writeln!(text, "\n{name}{how}: {words}");
            }
        }
    }
    text
}

/// The promises that are not of one row: growth from 100 to 1,000 copies, and the aims against CBMC. Each with whether
/// it is kept and whether it must be.
pub(crate) fn promises(lines: &[Line]) -> Vec<(String, bool, bool)> {
    let found = |name: &str| lines.iter().find(|line| line.name == name)?.result.as_ref().ok();
    let mut all = Vec::new();
    for (family, most) in [("scan", 30.0), ("valves_rep", 30.0), ("valves_nest", 100.0)] {
        if let (Some(small), Some(large)) = (found(&format!("{family}100")), found(&format!("{family}1000"))) {
            let ratio = large.seconds / small.seconds.max(0.001);
            let text = format!("{family}: from 100 to 1,000 copies {ratio:.1} times the time, at most {most}");
            all.push((text, ratio <= most, true));
        }
    }
    for (name, seconds) in paper::CBMC_SECONDS {
        if let Some(m) = found(name) {
            let text = format!("aim: {name} in a twentieth of CBMC's {seconds} s: {:.2} s", m.seconds);
            all.push((text, m.seconds <= seconds / 20.0, false));
            let most = paper::CBMC_BYTES / 10;
            let text = format!("aim: {name} in {} MB: {} MB", megabytes(Some(most)), megabytes(m.peak_bytes));
            all.push((text, m.peak_bytes.is_some_and(|bytes| bytes <= most), false));
        }
    }
    all
}

pub(crate) fn list(promises: &[(String, bool, bool)]) -> String {
    promises.iter().map(|(text, kept, _)| format!("- {} {text}\n", if *kept { "kept:" } else { "NOT KEPT:" })).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(name: &str, measured: Measured) -> Line {
        let paper = paper::find(paper::TABLE_1, name);
        Line { name: name.to_owned(), paper, truth: (6, 2), same_program: true, result: Ok(measured) }
    }

    fn good() -> Measured {
        Measured { branches: 8, covered: 6, infeasible: 2, tests: 3, seconds: 1.0, ..Measured::default() }
    }

    #[test]
    fn a_row_keeps_the_bar_only_if_all_is_decided_rightly_with_few_tests() {
        assert_eq!(line("scan1", good()).missed(), None);
        let bad = [
            Measured { infeasible: 1, unknown: 1, ..good() },
            Measured { covered: 7, infeasible: 1, ..good() },
            Measured { branches: 9, ..good() },
            Measured { tests: 4, ..good() },
            Measured { confirmed: Some(false), ..good() },
            Measured { defects: 1, ..good() },
        ];
        for measured in bad {
            assert!(line("scan1", measured.clone()).missed().is_some(), "{measured:?}");
        }
        let failed = Line { result: Err("no".to_owned()), ..line("scan1", good()) };
        assert_eq!(failed.missed().as_deref(), Some("no"));
        let other = Line { same_program: false, ..line("scan1", Measured { tests: 4, ..good() }) };
        assert_eq!(other.missed(), None);
    }

    #[test]
    fn growth_is_judged_when_both_ends_ran() {
        let at = |name: &str, seconds: f64| line(name, Measured { seconds, peak_bytes: Some(1), ..good() });
        let judged = |large| {
            let lines = [at("scan100", 1.0), at("scan1000", large)];
            promises(&lines).iter().filter(|(_, _, must)| *must).map(|(_, kept, _)| *kept).collect::<Vec<_>>()
        };
        assert_eq!(judged(29.0), [true]);
        assert_eq!(judged(31.0), [false]);
        assert!(promises(&[at("scan1000", 1.0)]).is_empty());
    }

    #[test]
    fn each_row_has_as_many_cells_as_its_head() {
        let lines = [line("scan1", good()), Line { result: Err("no".to_owned()), ..line("scan2", good()) }];
        let pairs = [Pair { name: "x".into(), with: Ok(good()), without: Err("no".into()) }];
        for table in [verdicts(&lines), coarsening(&pairs)] {
            let cells: Vec<_> =
                table.lines().filter(|row| row.starts_with('|')).map(|row| row.matches('|').count()).collect();
            assert!(cells.windows(2).all(|two| two[0] == two[1]), "{table}");
        }
    }
}
