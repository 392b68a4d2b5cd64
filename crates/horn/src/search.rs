//! Asking Spacer until its steps are used up, and completing what it answers.
//!
//! Whether Spacer finds an invariant, and how fast, is a matter of luck; but where it has luck, it is fast. So there are several
//! ways to ask. Each gets a short try first, and then a share of what is left.

use covenant_constraints::solver::backends::Limits;
use covenant_constraints::solver::{Cancel, Options, Reason, Steps, stack};
use covenant_constraints::term::{TermId, Terms};
use covenant_constraints::tuning::Tuning;
use rustc_hash::FxHashMap;

use super::reduce::Reduced;
use super::spacer::{self, Outcome, Strategy};
use super::{Checked, Horn, HornAnswer, HornOptions, Mode, bits, check, integers};

/// What is asked, and how.
#[derive(Clone, Copy)]
struct Attempt {
    /// With unknown numbers for the constants of the program.
    parameters: bool,
    strategy: Strategy,
}

const fn attempt(parameters: bool, eliminate: bool, inline: bool) -> Attempt {
    Attempt { parameters, strategy: Strategy { propagate: eliminate, eliminate, inline } }
}

/// What solves most comes first.
const ATTEMPTS: [Attempt; 6] = [
    attempt(false, true, true),
    attempt(false, false, true),
    attempt(true, true, true),
    attempt(true, false, true),
    attempt(false, true, false),
    attempt(true, false, false),
];

pub(super) fn search(terms: &mut Terms, horn: &Horn, reduced: &Reduced, options: &HornOptions) -> HornAnswer {
    let HornOptions { steps: mut left, ref cancel, mode, ref tuning } = *options;
    let mut answer = Reason::Incomplete;
    let mut open: Vec<(Attempt, Clauses)> = Vec::new();
    for attempt in ATTEMPTS {
        let clauses = match mode {
            Mode::Bits if attempt.parameters => None,
            Mode::Bits => Some(Clauses::Bits(bits::encode(terms, reduced))),
            Mode::Integers => integers::encode(terms, reduced, attempt.parameters, tuning).map(Clauses::Integers),
        };
        open.extend(clauses.map(|c| (attempt, c)));
    }
    let first = Steps(tuning.spacer_first);
    let short = first.min(left / (2 * open.len()).max(1) as u32);
    for is_long in [false, true] {
        let mut again = Vec::new();
        for (more, (attempt, clauses)) in (1..=open.len() as u32).rev().zip(open) {
            if left == Steps(0) {
                return HornAnswer::Unknown(Reason::Steps);
            }
            let share = if is_long { left / more } else { short.min(left) };
            let (said, used) = ask(terms, reduced, attempt, &clauses, &Limits::new(share, cancel), tuning);
            left = left.saturating_sub(used);
            match said {
                HornAnswer::Unknown(Reason::Cancelled) => return HornAnswer::Unknown(Reason::Cancelled),
                HornAnswer::Unknown(reason) if reason.is_limit() => {
                    answer = reason;
                    again.push((attempt, clauses));
                }
                // One that gave up before all was used would do so again.
                HornAnswer::Unknown(_) => {}
                HornAnswer::Reached => return HornAnswer::Reached,
                HornAnswer::Proved(invariants) => {
                    if !is_refuted(terms, horn, &invariants, cancel, first.min(options.steps), tuning) {
                        return HornAnswer::Proved(invariants);
                    }
                }
            }
        }
        open = again;
    }
    HornAnswer::Unknown(answer)
}

/// Whether a proposal is wrong, as some are: what Spacer does to eliminate variables is not always right, and integers are
/// not always faithful. Whoever takes the answer checks it in any case.
fn is_refuted(
    terms: &mut Terms,
    horn: &Horn,
    invariants: &[TermId],
    cancel: &Cancel,
    steps: Steps,
    tuning: &Tuning,
) -> bool {
    let options = Options { cancel: cancel.clone(), strict: false, tuning: *tuning, ..Options::default() };
    let checked = check(terms, stack(&options).as_mut(), horn, invariants, steps);
    matches!(checked, Checked::Fails(_))
}

enum Clauses {
    Bits(String),
    Integers(integers::Encoding),
}

/// The answer, and what it cost.
fn ask(
    terms: &mut Terms,
    reduced: &Reduced,
    attempt: Attempt,
    clauses: &Clauses,
    limits: &Limits,
    tuning: &Tuning,
) -> (HornAnswer, Steps) {
    let text = match clauses {
        Clauses::Bits(text) => text,
        Clauses::Integers(encoding) => &encoding.text,
    };
    let (outcome, used) = spacer::run(text, attempt.strategy, limits, tuning);
    let model = match outcome {
        Outcome::Model(model) => model,
        // With other constants the query may well hold.
        Outcome::Refuted if attempt.parameters => return (HornAnswer::Unknown(Reason::Incomplete), used),
        Outcome::Refuted => return (HornAnswer::Reached, used),
        Outcome::Unknown(reason) => return (HornAnswer::Unknown(reason), used),
    };
    let found = match clauses {
        Clauses::Bits(_) => bits::decode(terms, reduced, &model),
        Clauses::Integers(encoding) => integers::decode(terms, reduced, encoding, &model),
    };
    let answer = match found.ok().and_then(|found| complete(terms, reduced, found)) {
        Some(all) => HornAnswer::Proved(reduced.fill(terms, all)),
        None => HornAnswer::Unknown(Reason::Incomplete),
    };
    (answer, used)
}

/// The invariants of all live relations, given those of some. What is missing is what must hold for no rule to break the
/// invariant where it leads to, and for the query not to hold: if there is a solution with the invariants given, then that
/// is one. It can be said without quantifiers unless other variables than parameters matter, or the relation leads to
/// itself.
fn complete(terms: &mut Terms, reduced: &Reduced, found: Vec<(usize, TermId)>) -> Option<Vec<(usize, TermId)>> {
    let mut known: FxHashMap<usize, TermId> = found.into_iter().collect();
    let live: Vec<usize> = reduced.live().map(|(i, _)| i).collect();
    loop {
        let missing: Vec<usize> = live.iter().copied().filter(|i| !known.contains_key(i)).collect();
        if missing.is_empty() {
            return Some(live.into_iter().filter_map(|i| known.get(&i).map(|t| (i, *t))).collect());
        }
        let before = known.len();
        for i in missing {
            if let Some(invariant) = weakest(terms, reduced, i, &known) {
                known.insert(i, invariant);
            }
        }
        if known.len() == before {
            return None;
        }
    }
}

fn weakest(terms: &mut Terms, reduced: &Reduced, relation: usize, known: &FxHashMap<usize, TermId>) -> Option<TermId> {
    let horn = &reduced.horn;
    let mut all = terms.tt();
    for rule in horn.rules.iter().filter(|r| r.from == Some(relation)) {
        let params = horn.relations[rule.to].params.iter().map(|p| terms.var_term(*p));
        let map: FxHashMap<TermId, TermId> = params.zip(rule.args.iter().copied()).collect();
        let after = terms.substitute(*known.get(&rule.to)?, &map);
        let kept = terms.implies(rule.guard, after);
        all = terms.and(all, kept);
    }
    if horn.query.relation == relation {
        let excluded = terms.not(horn.query.guard);
        all = terms.and(all, excluded);
    }
    let params = &horn.relations[relation].params;
    terms.variables(&[all]).iter().all(|v| params.contains(v)).then_some(all)
}
