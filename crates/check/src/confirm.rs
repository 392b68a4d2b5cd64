//! Certificates confirmed by cvc5, a solver that had no part in finding them.
//!
//! A certificate comes as questions that were made from the program ([`Script`]); nothing of a certificate's own text is
//! run. All questions of one certificate go to one process, each between `push` and `pop`. One that is not answered there
//! is asked again in a process of its own: as one about integers, and then bit by bit with the whole time-out.

use std::num::NonZero;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use covenant_goals::certificate::Script;

use crate::cvc5::{Answer, Solver};

/// How cvc5 is asked.
#[derive(Clone, Debug)]
pub struct CheckOptions {
    /// The solver; `None`: the `cvc5` of the system.
    pub cvc5: Option<PathBuf>,
    /// For one question.
    pub timeout: Duration,
    /// Certificates that are checked at the same time; 0: one for each core.
    pub jobs: usize,
}

impl Default for CheckOptions {
    fn default() -> CheckOptions {
        CheckOptions { cvc5: None, timeout: Duration::from_secs(30), jobs: 0 }
    }
}

impl CheckOptions {
    pub(crate) fn program(&self) -> PathBuf {
        self.cvc5.clone().unwrap_or_else(|| PathBuf::from("cvc5"))
    }
}

/// What came of one certificate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Checked {
    /// Each question has the answer that the proof needs.
    Confirmed,
    /// It does not prove what it should.
    Refused(String),
    /// Nobody knows.
    NotChecked(String),
}

/// The words of a user without cvc5.
pub(crate) const MISSING: &str = "cvc5 is not installed; get it with `apt-get install cvc5`";

/// What is proved without a formula rests on how covenant reads the program.
const NOTHING_TO_ASK: &str =
    "there is no question for cvc5: no path leads there in the program as covenant reads it, and that alone says so";

/// What an answer `sat` means where a question knows less than the program says.
const TOO_FREE: &str = "the independent encoding does not know enough of the program";

/// Asks cvc5 about each certificate. The results are in the order of the scripts.
pub fn check(scripts: &[Script], options: &CheckOptions) -> Vec<Checked> {
    let solver = Solver { program: options.program(), timeout: options.timeout };
    let next = AtomicUsize::new(0);
    let results: Vec<OnceLock<Checked>> = scripts.iter().map(|_| OnceLock::new()).collect();
    let worker = || {
        while let Some((script, place)) = scripts.iter().zip(&results).nth(next.fetch_add(1, Ordering::Relaxed)) {
            place.get_or_init(|| confirm(&solver, script));
        }
    };
    let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
    let jobs = if options.jobs == 0 { cores } else { options.jobs }.min(scripts.len());
    std::thread::scope(|scope| {
        for _ in 1..jobs {
            scope.spawn(worker);
        }
        worker();
    });
    // Every place was filled by a worker, and all workers have ended.
    results.into_iter().filter_map(OnceLock::into_inner).collect()
}

fn confirm(solver: &Solver, script: &Script) -> Checked {
    // Nothing that another solver said stands behind it.
    if script.questions.is_empty() {
        return Checked::NotChecked(NOTHING_TO_ASK.to_owned());
    }
    let mut answers = match solver.ask_all(script) {
        Ok(answers) => answers,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Checked::NotChecked(MISSING.to_owned()),
        Err(error) => return Checked::NotChecked(format!("cvc5 cannot be run: {error}")),
    };
    for (index, answer) in answers.iter_mut().enumerate() {
        if !matches!(answer, Answer::Sat | Answer::Unsat)
            && let Ok(again) = solver.ask(script, index)
        {
            *answer = again;
            // It will not be confirmed; others may need as long.
            if *answer == Answer::Timeout {
                break;
            }
        }
    }
    let asked = |index: usize| &script.questions[index].words;
    // One answer `sat` is enough to refuse, whatever became of the other questions.
    let is_sat = |index: &usize| answers[*index] == Answer::Sat;
    let is_exact = |index: &usize| script.questions[*index].free.is_empty();
    if let Some(index) = (0..answers.len()).find(|index| is_sat(index) && is_exact(index)) {
        return Checked::Refused(format!("it does not hold that {}", asked(index)));
    }
    // The question allows more than the program does.
    if let Some(index) = (0..answers.len()).find(is_sat) {
        let free = script.questions[index].free.join("; ");
        return Checked::NotChecked(format!("{TOO_FREE} ({free}); asked was whether {}", asked(index)));
    }
    let open = answers.iter().enumerate().find_map(|(index, answer)| match answer {
        Answer::Sat | Answer::Unsat => None,
        Answer::Timeout => Some((index, "cvc5 did not answer in time")),
        Answer::Unknown(why) => Some((index, why.as_str())),
    });
    match open {
        Some((index, why)) => Checked::NotChecked(format!("{why}; asked was whether {}", asked(index))),
        None => Checked::Confirmed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use covenant_goals::certificate::Question;

    fn script(questions: &[&str]) -> Script {
        let prelude = "(set-logic QF_BV)\n(declare-const |x| (_ BitVec 32))\n(declare-const |y| (_ BitVec 32))\n";
        let question = |(i, text): (usize, &&str)| Question {
            text: format!("{text}\n"),
            words: format!("{i} holds"),
            free: Vec::new(),
        };
        Script { prelude: prelude.into(), questions: questions.iter().enumerate().map(question).collect() }
    }

    fn one(questions: &[&str], options: &CheckOptions) -> Checked {
        check(&[script(questions)], options).remove(0)
    }

    const UNSAT: &str = "(assert (distinct (bvadd |x| |y|) (bvadd |y| |x|)))";
    const SAT: &str = "(assert (bvult |x| |y|))";
    /// The product of two numbers above 1 is never this prime of 64 bits; nobody sees that in a tenth of a second.
    const HARD: &str = "(declare-const |a| (_ BitVec 128)) (declare-const |b| (_ BitVec 128))
(assert (bvult |a| #x00000000000000010000000000000000)) (assert (bvult |b| #x00000000000000010000000000000000))
(assert (bvult #x00000000000000000000000000000001 |a|)) (assert (bvult #x00000000000000000000000000000001 |b|))
(assert (= (bvmul |a| |b|) #x0000000000000000ffffffffffffffc5))";

    #[test]
    fn every_answer_must_be_unsat() {
        let options = CheckOptions::default();
        assert_eq!(one(&[], &options), Checked::NotChecked(NOTHING_TO_ASK.into()), "nobody said anything");
        assert_eq!(one(&[UNSAT, UNSAT], &options), Checked::Confirmed);
        let refused = Checked::Refused("it does not hold that 1 holds".into());
        assert_eq!(one(&[UNSAT, SAT, UNSAT], &options), refused);
    }

    #[test]
    fn what_cvc5_does_not_understand_is_not_checked() {
        let Checked::NotChecked(why) = one(&[UNSAT, "(assert (made_up |x|))"], &CheckOptions::default()) else {
            panic!("it was checked");
        };
        assert!(why.contains("made_up") && why.contains("1 holds"), "{why}");
        // What is plainly wrong is refused all the same.
        let options = CheckOptions::default();
        assert!(matches!(one(&["(assert (made_up |x|))", SAT], &options), Checked::Refused(_)));
    }

    #[test]
    fn time_outs_are_told_apart() {
        let options = CheckOptions { timeout: Duration::from_millis(100), ..CheckOptions::default() };
        let Checked::NotChecked(why) = one(&[UNSAT, HARD, UNSAT], &options) else { panic!("it was checked") };
        assert!(why.contains("in time") && why.contains("1 holds"), "{why}");
    }

    /// Bit by bit this takes for ever: `sum <= 1000 i` and `v <= 1000`, so `sum + v <= 1000 (i + 1)`.
    #[test]
    fn sums_are_decided_as_numbers() {
        const STEP: &str = "(declare-const |sum| (_ BitVec 64)) (declare-const |i| (_ BitVec 64))
(declare-const |v| (_ BitVec 64)) (define-fun most () (_ BitVec 64) (_ bv1000 64))
(assert (bvult |i| (_ bv4000000000 64))) (assert (bvule |v| most)) (assert (bvule |sum| (bvmul most |i|)))
(assert (bvult (bvmul most (bvadd |i| (_ bv1 64))) (bvadd |sum| |v|)))";
        let options = CheckOptions { timeout: Duration::from_secs(8), ..CheckOptions::default() };
        assert_eq!(one(&[STEP], &options), Checked::Confirmed);
        let wrong = STEP.replace("(bvule |v| most)", "(bvule |v| (_ bv1001 64))");
        assert_ne!(one(&[&wrong], &options), Checked::Confirmed);
    }

    #[test]
    fn without_cvc5_nothing_is_checked() {
        let options = CheckOptions { cvc5: Some("/nowhere/cvc5".into()), ..CheckOptions::default() };
        assert_eq!(one(&[UNSAT], &options), Checked::NotChecked(MISSING.into()));
    }

    #[test]
    fn a_solver_that_lies_by_silence_confirms_nothing() {
        let options = CheckOptions { cvc5: Some("true".into()), ..CheckOptions::default() };
        assert!(matches!(one(&[UNSAT], &options), Checked::NotChecked(_)));
    }
}
