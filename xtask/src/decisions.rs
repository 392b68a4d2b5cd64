//! `cargo xtask fuzz-decisions`: MC/DC of random decisions, against all inputs and against llvm-cov.
//!
//! A decision is a random tree of `&&`, `||` and now and then `!` over up to eight conditions on two small numbers, so that
//! conditions are coupled in all ways. Which pairs of evaluations exist is found out by evaluating the tree on every input;
//! `covenant gen` must call exactly those conditions covered, and all others infeasible. Its own replay holds the suite
//! against llvm-cov and ends with 3 where the two differ.

use crate::words::Verdict;
use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// How many decisions.
    #[arg(long, default_value_t = 200)]
    count: usize,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Use this binary instead of building one.
    #[arg(long)]
    covenant: Option<PathBuf>,
}

/// Decisions of one function.
const TOGETHER: usize = 5;
/// The inputs are less than this.
const VALUES: u32 = 16;
const MOST_CONDITIONS: u64 = 8;

/// A small generator of random numbers (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }
}

#[derive(Debug)]
enum Tree {
    /// The number of the condition.
    Leaf(usize),
    Not(Box<Tree>),
    Node(bool, Box<[Tree; 2]>),
}

#[derive(Debug, Clone, Copy)]
struct Condition {
    kind: u64,
    value: u32,
}

impl Condition {
    fn random(random: &mut Random) -> Condition {
        Condition { kind: random.below(8), value: random.below(u64::from(VALUES)) as u32 }
    }

    fn text(self) -> String {
        let v = self.value;
        match self.kind {
            0 => format!("a < {v}"),
            1 => format!("b >= {v}"),
            2 => format!("a == {v}"),
            3 => format!("(a & {}) != 0", v | 1),
            4 => "a > b".to_owned(),
            5 => format!("a + b == {v}"),
            6 => format!("(a ^ b) <= {v}"),
            _ => format!("b != {v}"),
        }
    }

    fn holds(self, a: u32, b: u32) -> bool {
        let v = self.value;
        match self.kind {
            0 => a < v,
            1 => b >= v,
            2 => a == v,
            3 => a & (v | 1) != 0,
            4 => a > b,
            5 => a + b == v,
            6 => (a ^ b) <= v,
            _ => b != v,
        }
    }
}

#[derive(Debug)]
struct Decision {
    conditions: Vec<Condition>,
    tree: Tree,
}

impl Decision {
    fn random(random: &mut Random) -> Decision {
        let count = 2 + random.below(MOST_CONDITIONS - 1) as usize;
        let conditions = (0..count).map(|_| Condition::random(random)).collect();
        Decision { conditions, tree: grow(0..count, random) }
    }

    /// What an evaluation does: each condition that is evaluated, and the outcome.
    fn evaluate(&self, tree: &Tree, a: u32, b: u32, seen: &mut [Option<bool>]) -> bool {
        match tree {
            Tree::Leaf(i) => {
                let holds = self.conditions[*i].holds(a, b);
                seen[*i] = Some(holds);
                holds
            }
            Tree::Not(inner) => !self.evaluate(inner, a, b, seen),
            Tree::Node(both, sides) => {
                let left = self.evaluate(&sides[0], a, b, seen);
                if left == *both { self.evaluate(&sides[1], a, b, seen) } else { left }
            }
        }
    }

    /// For each condition whether some pair of inputs shows it.
    fn shown(&self) -> Vec<bool> {
        let mut vectors: BTreeSet<(Vec<Option<bool>>, bool)> = BTreeSet::new();
        for a in 0..VALUES {
            for b in 0..VALUES {
                let mut seen = vec![None; self.conditions.len()];
                let outcome = self.evaluate(&self.tree, a, b, &mut seen);
                vectors.insert((seen, outcome));
            }
        }
        let pair = |i: usize| {
            vectors.iter().any(|(x, p)| {
                vectors.iter().any(|(y, q)| {
                    let others = (0..x.len()).filter(|&j| j != i).all(|j| x[j].zip(y[j]).is_none_or(|(s, t)| s == t));
                    p != q && x[i] == Some(true) && y[i] == Some(false) && others
                })
            })
        };
        (0..self.conditions.len()).map(pair).collect()
    }

    /// The text, and where in it each condition begins.
    fn write(&self, tree: &Tree, text: &mut String, places: &mut Vec<usize>) {
        match tree {
            Tree::Leaf(i) => {
                places.push(text.len());
                text.push_str(&self.conditions[*i].text());
            }
            Tree::Not(inner) => {
                text.push_str("!(");
                self.write(inner, text, places);
                text.push(')');
            }
            Tree::Node(both, sides) => {
                for (index, side) in sides.iter().enumerate() {
                    let inner = matches!(side, Tree::Node(..));
                    text.push_str(if inner { "(" } else { "" });
                    self.write(side, text, places);
                    text.push_str(if inner { ")" } else { "" });
                    text.push_str(match (index, both) {
                        (0, true) => " && ",
                        (0, false) => " || ",
                        _ => "",
                    });
                }
            }
        }
    }
}

fn grow(range: std::ops::Range<usize>, random: &mut Random) -> Tree {
    if range.len() == 1 {
        return Tree::Leaf(range.start);
    }
    let middle = range.start + 1 + random.below(range.len() as u64 - 1) as usize;
    let sides = Box::new([grow(range.start..middle, random), grow(middle..range.end, random)]);
    let tree = Tree::Node(random.below(2) == 0, sides);
    // clang does not count decisions with a negated part, and says so.
    if random.below(12) == 0 { Tree::Not(Box::new(tree)) } else { tree }
}

/// One function with its decisions, and where their conditions are.
fn program(decisions: &[Decision]) -> (String, Vec<Vec<(u64, u64)>>) {
    let mut text = String::from(
        "static int pass(int v) { return v; }\n\nint f(unsigned char a, unsigned char b)\n{\n    int n = 0;\n",
    );
    let mut places = Vec::new();
    for (index, decision) in decisions.iter().enumerate() {
        let line = text.lines().count() as u64 + 1;
        let (before, behind) = match index % 4 {
            0 => ("    if (", ") n++;\n"),
            1 => ("    n += ", ";\n"),
            2 => ("    n += pass(", ");\n"),
            _ => ("    n += (", ") ? 3 : 4;\n"),
        };
        let (mut words, mut columns) = (before.to_owned(), Vec::new());
        decision.write(&decision.tree, &mut words, &mut columns);
        places.push(columns.iter().map(|c| (line, *c as u64 + 1)).collect());
        text.push_str(&words);
        text.push_str(behind);
    }
    text.push_str("    return n;\n}\n");
    (text, places)
}

pub(crate) fn run(root: &Path, options: &Options) -> Result<bool> {
    let covenant = crate::covenant(root, options.covenant.as_deref())?;
    let home = tempfile::tempdir()?;
    let mut random = Random(options.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let (mut done, mut wrong, mut conditions, mut proved, mut judged) = (0, 0, 0, 0, 0);
    while done < options.count {
        let decisions: Vec<Decision> = (0..TOGETHER).map(|_| Decision::random(&mut random)).collect();
        let (text, places) = program(&decisions);
        let file = home.path().join("decisions.c");
        fs::write(&file, &text)?;
        let report = generate(&covenant, &file, home.path()).with_context(|| text.clone())?;
        let verdicts = verdicts(&report);
        for (decision, places) in decisions.iter().zip(&places) {
            for (shown, place) in decision.shown().into_iter().zip(places) {
                let expected = if shown { Verdict::Covered } else { Verdict::Infeasible };
                let (found, by_llvm) = verdicts.get(place).copied().unwrap_or_default();
                conditions += 1;
                proved += usize::from(found == Verdict::Infeasible);
                judged += usize::from(by_llvm);
                if found != expected {
                    wrong += 1;
                    println!("{}:{}: {found}, but it is {expected}\n{text}", place.0, place.1);
                }
            }
        }
        done += decisions.len();
    }
    println!(
        "{done} decisions with {conditions} conditions: {proved} infeasible, {judged} also judged by llvm-cov, {wrong} wrong"
    );
    Ok(wrong == 0)
}

fn generate(covenant: &Path, file: &Path, home: &Path) -> Result<Value> {
    let mut command = Command::new(covenant);
    command.args(["gen", "-f", "f", "-c", "mcdc", "--json", "--no-progress", "--assume", "a<16&&b<16", "-o", "out"]);
    let done = command.arg(file).current_dir(home).output().context("cannot start covenant")?;
    let said = String::from_utf8_lossy(&done.stderr);
    ensure!(matches!(done.status.code(), Some(0 | 1)), "exit code {:?}\n{said}", done.status.code());
    serde_json::from_slice(&done.stdout).context("no report")
}

/// The verdict at each place, and whether llvm-cov judges it too.
fn verdicts(report: &Value) -> HashMap<(u64, u64), (Verdict, bool)> {
    let objectives = report["objectives"].as_array().map_or(&[][..], Vec::as_slice);
    let of_mcdc = objectives.iter().filter(|o| o["criterion"] == "mcdc");
    let entry = |o: &Value| {
        let place = (o["line"].as_u64()?, o["column"].as_u64()?);
        Some((place, (Verdict::of(o), o["decision"].is_array())))
    };
    of_mcdc.filter_map(entry).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evaluation_is_short_circuit_and_pairs_are_found() {
        // a < 3 && a > b
        let conditions = vec![Condition { kind: 0, value: 3 }, Condition { kind: 4, value: 0 }];
        let tree = Tree::Node(true, Box::new([Tree::Leaf(0), Tree::Leaf(1)]));
        let decision = Decision { conditions, tree };
        let mut seen = vec![None; 2];
        assert!(!decision.evaluate(&decision.tree, 5, 0, &mut seen));
        assert_eq!(seen, [Some(false), None]);
        assert_eq!(decision.shown(), [true, true]);
        let (mut text, mut places) = (String::new(), Vec::new());
        decision.write(&decision.tree, &mut text, &mut places);
        assert_eq!((text.as_str(), &places[..]), ("a < 3 && a > b", &[0, 9][..]));
    }
}
