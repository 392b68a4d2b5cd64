//! Certificates of small programs, written by hand, and what becomes of them when something is damaged: the certificate,
//! or the program that it is about.

use std::collections::BTreeSet;

use covenant_goals::{Objective, Place};
use covenant_program::ir::text::parse;
use covenant_program::ir::{Block, FuncId, GlobalId, Program};

use super::*;
use crate::confirm::{CheckOptions, Checked, check};

/// A count from zero upwards is never negative.
const COUNT: &str = r#"
fn0 = function "count"(i32) -> i32 {
bb0(v0: i32): jump bb1(i32 0)
bb1(v1: i32): v2: i1 = icmp slt v1, v0 branch v2, bb2, bb3
bb2: v3: i32 = add nsw v1, i32 1 jump bb1(v3)
bb3: v4: i1 = icmp slt v1, i32 0 branch v4, bb4, bb5
bb4: return v1
bb5: return i32 0
}"#;

const COUNT_PROOF: &str = r#"
(set-info :covenant-certificate "2")
(set-info :covenant-objective "count")
(set-info :covenant-variable "value count v1 i")
(set-info :covenant-variable "value count v0 n")
(set-info :covenant-at "inv_1 count:bb1")
(set-info :covenant-at "inv_1 count:bb3")
(define-fun inv_1 ((|i| (_ BitVec 32))) Bool (bvslt #xffffffff |i|))
(set-info :covenant-at "inv_2 count:bb2")
(define-fun inv_2 ((|i| (_ BitVec 32)) (|n| (_ BitVec 32))) Bool (and (bvslt |i| |n|) (bvslt #xffffffff |i|)))
(set-info :covenant-at "inv_3 count:bb4")
(define-fun inv_3 () Bool false)
"#;

/// A helper counts in a global, through a pointer, up to seven; an undefined function says when.
const RING: &str = r#"
g0 = global "used" internal size 8 align 4 init [0*8]
fn0 = function "next"() -> i32
fn1 = function "step"(ptr) -> i32 {
bb0(v0: ptr): v1: i32 = load v0 v2: i1 = icmp ult v1, i32 7 branch v2, bb1, bb2
bb1: v3: i32 = add v1, i32 1 store v3, v0 return v3
bb2: return i32 0
}
fn2 = function "main"() -> i32 {
bb0: jump bb1
bb1: v0: i32 = call fn0() v1: i1 = icmp ne v0, i32 0 branch v1, bb2, bb4
bb2: v2: ptr = ptradd ptr g0 disp 4 v3: i32 = call fn1(v2) v4: i32 = load v2 v5: i1 = icmp ugt v4, i32 7 branch v5, bb3, bb5
bb3: return i32 1
bb4: return i32 0
bb5: jump bb1
}"#;

const RING_PROOF: &str = r#"
(set-info :covenant-certificate "2")
(set-info :covenant-objective "ring")
(set-info :covenant-variable "cell global:used 4 4 used")
(set-info :covenant-variable "value main/i3>step v1 seen")
(set-info :covenant-at "inv_1 main:bb1")
(set-info :covenant-at "inv_1 main:after-i3")
(define-fun inv_1 ((|used| (_ BitVec 32))) Bool (bvult |used| #x00000008))
(set-info :covenant-at "inv_2 main/i3>step:bb1")
(define-fun inv_2 ((|seen| (_ BitVec 32))) Bool (bvult |seen| #x00000007))
(set-info :covenant-at "inv_3 main:bb3")
(define-fun inv_3 () Bool false)
"#;

struct Case {
    program: Program,
    entry: FuncId,
    objective: Objective,
    inputs: BTreeSet<GlobalId>,
}

impl Case {
    fn new(text: &str, entry: &str, id: &str, block: u32, way: u32) -> Case {
        let program = match parse(text) {
            Ok(program) => program,
            Err(error) => panic!("{error}"),
        };
        let entry = program.function(entry).unwrap();
        let places = vec![Place::Edge(entry, Block::from_u32(block), way)];
        let objective = Objective { id: id.to_owned(), places, ..Objective::default() };
        Case { program, entry, objective, inputs: BTreeSet::new() }
    }

    fn made(&self, proof: &str) -> Made {
        let subject = Subject {
            program: &self.program,
            entry: self.entry,
            inputs: self.inputs.clone(),
            harmless: BTreeSet::from(["next".to_owned()]),
            objectives: std::slice::from_ref(&self.objective),
        };
        made(&subject, &[(&self.objective, proof)]).remove(0)
    }

    fn check(&self, proof: &str) -> Checked {
        match self.made(proof) {
            Made::Script(script) => check(&[script], &CheckOptions::default()).remove(0),
            Made::Refused(why) => Checked::Refused(why),
            Made::Beyond(why) => Checked::NotChecked(why),
        }
    }

    /// The damages that do not keep a proof from being confirmed.
    fn unnoticed(&self, damages: &[(String, String)]) -> Vec<String> {
        let (mut scripts, mut names) = (Vec::new(), Vec::new());
        for (name, proof) in damages {
            if let Made::Script(script) = self.made(proof) {
                scripts.push(script);
                names.push(name);
            }
        }
        let checked = check(&scripts, &CheckOptions::default());
        let confirmed = names.into_iter().zip(checked).filter(|(_, checked)| *checked == Checked::Confirmed);
        confirmed.map(|(name, _)| name.clone()).collect()
    }
}

fn count() -> Case {
    Case::new(COUNT, "count", "count", 3, 0)
}

fn ring() -> Case {
    Case::new(RING, "main", "ring", 2, 0)
}

#[test]
fn proofs_are_confirmed() {
    assert_eq!(count().check(COUNT_PROOF), Checked::Confirmed);
    assert_eq!(ring().check(RING_PROOF), Checked::Confirmed);
}

/// The places of a text where a part stands, each replaced in turn.
fn replaced(text: &str, from: &str, to: &str) -> Vec<(String, String)> {
    let at = text.match_indices(from).map(|(at, _)| at);
    at.map(|at| {
        let line = text[..at].lines().count();
        let damaged = format!("{}{to}{}", &text[..at], &text[at + from.len()..]);
        (format!("line {line}: {from} -> {to}"), damaged)
    })
    .collect()
}

/// Lines that are lost, and words that become others.
fn damages(proof: &str, places: &[&str]) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for (number, line) in proof.lines().enumerate().filter(|(_, line)| !line.is_empty()) {
        let rest = proof.lines().enumerate().filter(|(other, _)| *other != number).map(|(_, line)| line);
        all.push((format!("without {line}"), rest.collect::<Vec<_>>().join("\n")));
    }
    const WORDS: &[(&str, &str)] = &[
        ("bvslt", "bvult"),
        ("bvslt", "bvsgt"),
        ("bvslt", "bvsge"),
        ("bvult", "bvugt"),
        ("bvult", "bvuge"),
        ("bvult", "bvslt"),
        ("bvult", "distinct"),
        ("(and ", "(or "),
        ("#xffffffff", "#x00000000"),
        ("#xffffffff", "#xfffffff0"),
        ("#xffffffff", "#x80000000"),
        ("#x00000008", "#x00000009"),
        ("#x00000008", "#x00000007"),
        ("#x00000007", "#x00000006"),
        ("#x00000007", "#x00000008"),
        ("#x00000007", "#x0000000007"),
        ("BitVec 32", "BitVec 16"),
        ("BitVec 32", "BitVec 64"),
        ("BitVec 32", "BitVec 33"),
        ("Bool", "Int"),
        ("false", "true"),
        ("false", "(bvult |i| |i|)"),
        ("\"2\"", "\"1\""),
        ("\"2\"", "\"3\""),
        ("v0", "v1"),
        ("v1", "v0"),
        ("v1", "v2"),
        ("v1", "v3"),
        ("v1", "v99"),
        ("used 4 4", "used 0 4"),
        ("used 4 4", "used 4 2"),
        ("used 4 4", "used 8 4"),
        ("used 4 4", "used 2 4"),
        ("global:used", "global:other"),
        ("global:used", "local:main:v2"),
        ("cell", "bytes"),
        ("cell", "value"),
        ("value", "offset"),
        ("value", "cell"),
        ("main/i3>step", "main"),
        ("main/i3>step", "main/i1>step"),
        ("main/i3>step", "step"),
        ("inv_1", "inv_2"),
        ("inv_1", "inv_3"),
        ("inv_2", "inv_1"),
        ("inv_2", "inv_3"),
        ("inv_3", "inv_1"),
        ("inv_3", "inv_2"),
        ("define-fun", "declare-fun"),
        ("set-info", "get-info"),
        ("|i|", "|n|"),
        ("|n|", "|i|"),
        ("|used|", "|seen|"),
        ("|seen|", "|used|"),
        ("\"count\"", "\"counts\""),
        ("\"ring\"", "\"rings\""),
        (")", ""),
        ("(", ""),
        ("\"", ""),
    ];
    for (from, to) in WORDS {
        all.extend(replaced(proof, from, to));
    }
    for from in places {
        for to in places.iter().filter(|to| *to != from) {
            all.extend(replaced(proof, &format!("{from}\""), &format!("{to}\"")));
        }
    }
    all.sort();
    all.dedup();
    all
}

/// Damages after which what is left is still a proof: walks from the head of a loop carry what its branches say, the objective is
/// known without the certificate, and a place that no run comes to may have any formula.
const STILL_PROOFS: &[&str] = &[
    "without (set-info :covenant-at \"inv_1 count:bb3\")",
    "without (set-info :covenant-at \"inv_2 count:bb2\")",
    "without (set-info :covenant-at \"inv_3 count:bb4\")",
    "without (set-info :covenant-at \"inv_2 main/i3>step:bb1\")",
    "without (set-info :covenant-at \"inv_3 main:bb3\")",
    "line 7: :bb3\" -> :bb5\"",
    "line 9: :bb2\" -> :bb1.0\"",
];

#[test]
fn damaged_certificates_are_not_confirmed() {
    let count_places = [":bb0", ":bb1", ":bb2", ":bb3", ":bb4", ":bb5", ":bb9", ":bb1.0", ":after-i0", ":root"];
    let ring_places = [":bb0", ":bb1", ":bb2", ":bb3", ":bb2.1", ":after-i0", ":after-i3", ":after-i77"];
    let (a, b) = (damages(COUNT_PROOF, &count_places), damages(RING_PROOF, &ring_places));
    assert!(a.len() + b.len() >= 200, "{} and {}", a.len(), b.len());
    let mut unnoticed = count().unnoticed(&a);
    unnoticed.extend(ring().unnoticed(&b));
    unnoticed.retain(|name| !STILL_PROOFS.contains(&name.as_str()));
    assert_eq!(unnoticed, [""; 0], "{} of {}", unnoticed.len(), a.len() + b.len());
}

#[test]
fn proofs_of_another_program_are_refused() {
    let wrong = [
        ("jump bb1(i32 0)", "jump bb1(i32 -1)"),
        ("jump bb1(i32 0)", "jump bb1(v0)"),
        ("icmp slt v1, v0", "icmp ult v1, v0"),
        ("icmp slt v1, v0", "icmp sle v1, v0"),
        ("icmp slt v1, i32 0", "icmp sle v1, i32 0"),
        ("add nsw v1, i32 1", "sub nsw v1, i32 1"),
        ("add nsw v1, i32 1", "add nsw v1, v0"),
        ("branch v4, bb4, bb5", "branch v4, bb5, bb4"),
        ("branch v2, bb2, bb3", "branch v2, bb3, bb2"),
    ];
    for (from, to) in wrong {
        let text = COUNT.replacen(from, to, 1);
        assert_ne!(text, COUNT, "{from}");
        let checked = Case::new(&text, "count", "count", 3, 0).check(COUNT_PROOF);
        assert!(matches!(checked, Checked::Refused(_)), "{to}: {checked:?}");
    }
    let wrong = [
        ("icmp ult v1, i32 7", "icmp ule v1, i32 7"),
        ("icmp ugt v4, i32 7", "icmp ugt v4, i32 6"),
        ("init [0*8]", "init [9*8]"),
        ("add v1, i32 1", "add v1, i32 2"),
        ("disp 4", "disp 0"),
        ("store v3, v0", "store v3, ptr null"),
        ("store v3, v0", "store v1, v0 store i32 9, v0"),
    ];
    for (from, to) in wrong {
        let text = RING.replacen(from, to, 1);
        assert_ne!(text, RING, "{from}");
        let checked = Case::new(&text, "main", "ring", 2, 0).check(RING_PROOF);
        // A store to null ends the run, so that what is behind it is out of reach.
        let fine = to.contains("null") && checked == Checked::Confirmed;
        assert!(fine || matches!(checked, Checked::Refused(_)), "{to}: {checked:?}");
    }
}

#[test]
fn what_others_can_do_is_not_forgotten() {
    // The global may have any value on entry.
    let mut case = ring();
    case.inputs.extend(case.program.globals.keys());
    assert!(matches!(case.check(RING_PROOF), Checked::Refused(_)));
    // `next` may do anything where nobody says that it does not; and the address of the global is known to it.
    for (from, to) in [
        ("function \"next\"", "function \"other\""),
        ("call fn0()", "call fn0() store ptr g0, ptr g0"),
        ("jump bb1\nbb1: v0", "jump bb1\nbb1: unsupported \"asm\" v0"),
    ] {
        let text = RING.replacen(from, to, 1);
        assert_ne!(text, RING, "{from}");
        let checked = Case::new(&text, "main", "ring", 2, 0).check(RING_PROOF);
        assert!(matches!(checked, Checked::NotChecked(_) | Checked::Refused(_)), "{to}: {checked:?}");
    }
}

#[test]
fn a_formula_is_only_a_formula() {
    for text in
        ["true) (assert false", "(let ((|i| |i|)) (bvslt |i| |i|))", "(made_up |i|)", "\"x\"", "(! true :named x)"]
    {
        let proof = COUNT_PROOF.replace(
            "(bvslt #xffffffff |i|))\n(set-info :covenant-at \"inv_2",
            &format!("{text})\n(set-info :covenant-at \"inv_2"),
        );
        assert_ne!(proof, COUNT_PROOF);
        assert_ne!(count().check(&proof), Checked::Confirmed, "{text}");
    }
}
