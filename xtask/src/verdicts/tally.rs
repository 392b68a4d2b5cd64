//! What a campaign adds up, and how it says so.

use crate::words::Verdict;
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::Instant;

/// What brute force says of a branch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Known {
    /// An input takes it.
    Taken,
    /// No input takes it.
    Never,
    /// Only an input that traps or was given up may take it.
    Open,
}

#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) functions: usize,
    pub(crate) complete: usize,
    /// Functions that were generated once more in another way.
    pub(crate) twice: usize,
    /// Functions on which every input ended, so that all of the truth is known.
    pub(crate) ended: usize,
    pub(crate) objectives: usize,
    pub(crate) covered: usize,
    pub(crate) infeasible: usize,
    pub(crate) unknown: usize,
    /// Claims that brute force neither confirms nor denies.
    pub(crate) not_judged: usize,
    /// Branches that no input takes, in functions on which every input ended.
    pub(crate) never_taken: usize,
    /// Those of them that were proved infeasible, by what decided.
    pub(crate) proved: BTreeMap<String, usize>,
    /// Those of them that stay unknown, by the reason.
    pub(crate) missed: BTreeMap<String, usize>,
    /// How many objectives are unknown for a reason.
    pub(crate) reasons: BTreeMap<String, usize>,
    pub(crate) contradictions: Vec<String>,
}

impl Tally {
    /// Counts an objective with its verdict, and what is known of it.
    pub(crate) fn count(&mut self, objective: &Value, known: Known) {
        let never = known == Known::Never;
        self.objectives += 1;
        self.never_taken += usize::from(never);
        match Verdict::of(objective) {
            Verdict::Covered => {
                self.covered += 1;
                self.not_judged += usize::from(known == Known::Open);
            }
            Verdict::Infeasible => {
                self.infeasible += 1;
                self.not_judged += usize::from(known == Known::Open);
                if never {
                    *self.proved.entry(prover(objective)).or_default() += 1;
                }
            }
            Verdict::Unknown => {
                self.unknown += 1;
                *self.reasons.entry(reason(objective)).or_default() += 1;
                if never {
                    *self.missed.entry(reason(objective)).or_default() += 1;
                }
            }
        }
    }

    pub(crate) fn add(&mut self, one: Self) {
        self.functions += one.functions;
        self.complete += one.complete;
        self.twice += one.twice;
        self.ended += one.ended;
        self.objectives += one.objectives;
        self.covered += one.covered;
        self.infeasible += one.infeasible;
        self.unknown += one.unknown;
        self.not_judged += one.not_judged;
        self.never_taken += one.never_taken;
        for (sum, part) in
            [(&mut self.proved, one.proved), (&mut self.missed, one.missed), (&mut self.reasons, one.reasons)]
        {
            for (key, count) in part {
                *sum.entry(key).or_default() += count;
            }
        }
        self.contradictions.extend(one.contradictions);
    }

    pub(crate) fn print(&self, start: Instant) {
        println!("{}; {} s", self.words(), start.elapsed().as_secs());
    }

    /// The sums in words.
    pub(crate) fn words(&self) -> String {
        let proved: usize = self.proved.values().sum();
        format!(
            "{} functions ({} complete, {} generated twice), {} objectives: {} covered, {} infeasible, {} unknown; {} of {} never \
             taken proved{}; {} not judged; {} contradictions",
            self.functions,
            self.complete,
            self.twice,
            self.objectives,
            self.covered,
            self.infeasible,
            self.unknown,
            proved,
            self.never_taken,
            share(proved, self.never_taken),
            self.not_judged,
            self.contradictions.len(),
        )
    }

    /// What is worth knowing at the end only.
    pub(crate) fn print_shares(&self) {
        for (reason, count) in &self.reasons {
            println!("{count} unknown: {reason}");
        }
        println!(
            "{} claims were not judged: only an input that traps, was given up or is not tried may take the branch",
            self.not_judged
        );
        let proved: usize = self.proved.values().sum();
        println!(
            "{} of the functions end on every input; of their {} branches that no input takes {} were proved infeasible{}",
            self.ended,
            self.never_taken,
            proved,
            share(proved, self.never_taken)
        );
        for (prover, count) in &self.proved {
            println!("  {count}{} by: {prover}", share(*count, self.never_taken));
        }
        for (reason, count) in &self.missed {
            println!("  {count}{} open: {reason}", share(*count, self.never_taken));
        }
    }
}

fn share(part: usize, whole: usize) -> String {
    if whole == 0 { String::new() } else { format!(" ({:.1}%)", 100.0 * part as f64 / whole as f64) }
}

/// What decided, in the words of the report without their numbers, and whether there is a certificate.
fn prover(objective: &Value) -> String {
    let certificate = if objective["proof"].is_string() { "with a certificate" } else { "no certificate" };
    format!("{} [{certificate}]", without_numbers(&reason(objective)))
}

fn without_numbers(text: &str) -> String {
    let words = text.split(' ').map(|word| {
        let number = word.starts_with(|c: char| c.is_ascii_digit());
        if number { "N" } else { word }
    });
    words.collect::<Vec<_>>().join(" ")
}

/// The first of the reasons that the report gives.
fn reason(objective: &Value) -> String {
    let text = objective["reason"].as_str().unwrap_or("no reason");
    text.split(';').next().unwrap_or(text).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn shares_are_of_what_no_input_takes() {
        let mut tally = Tally::default();
        let proved = json!({"verdict": "infeasible", "proof": "p.smt2", "reason": "all 94 paths; more"});
        tally.count(&proved, Known::Never);
        tally.count(&proved, Known::Open);
        tally.count(&json!({"verdict": "unknown", "reason": "time"}), Known::Never);
        tally.count(&json!({"verdict": "unknown", "reason": "time"}), Known::Open);
        tally.count(&json!({"verdict": "covered"}), Known::Open);
        tally.count(&json!({"verdict": "covered"}), Known::Taken);
        assert_eq!((tally.never_taken, tally.covered, tally.infeasible, tally.unknown), (2, 2, 2, 2));
        assert_eq!(tally.not_judged, 2);
        assert_eq!(tally.proved, BTreeMap::from([("all N paths [with a certificate]".to_owned(), 1)]));
        assert_eq!(tally.missed, BTreeMap::from([("time".to_owned(), 1)]));
        assert_eq!(tally.reasons, BTreeMap::from([("time".to_owned(), 2)]));
    }
}
