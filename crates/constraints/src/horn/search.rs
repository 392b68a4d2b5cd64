//! Asking Spacer until the time is up, and completing what it answers.
//!
//! Whether Spacer finds an invariant, and how fast, is a matter of luck; but where it has luck, it is fast. So each strategy
//! gets a short try first, and then each a share of the time that is left.

use std::time::{Duration, Instant};

use rustc_hash::FxHashMap;

use super::reduce::Reduced;
use super::spacer::{self, Outcome, Strategy};
use super::{HornAnswer, Mode, bits, integers};
use crate::solver::Reason;
use crate::solver::backends::Limits;
use crate::term::{TermId, Terms};

const STRATEGIES: [Strategy; 3] = [
    Strategy { propagate: true, inline: true },
    Strategy { propagate: false, inline: true },
    Strategy { propagate: false, inline: false },
];

/// How long a first try is, at most.
const SHORT: Duration = Duration::from_secs(2);

pub(super) fn search(terms: &mut Terms, reduced: &Reduced, mode: Mode, limits: &Limits) -> HornAnswer {
    let (text, readings) = match mode {
        Mode::Bits => (bits::encode(terms, reduced), None),
        Mode::Integers => {
            let (text, readings) = integers::encode(terms, reduced);
            (text, Some(readings))
        }
    };
    let short = SHORT.min(remaining(limits) / 8);
    let rounds = [true, false].into_iter().flat_map(|first| STRATEGIES.iter().enumerate().map(move |s| (first, s)));
    let mut answer = HornAnswer::Unknown(Reason::Incomplete);
    // A strategy that gave up before the time was up would do so again.
    let mut gave_up = [false; STRATEGIES.len()];
    for (first, (i, &strategy)) in rounds {
        if let Some(reason) = limits.exceeded() {
            return HornAnswer::Unknown(reason);
        }
        if gave_up[i] {
            continue;
        }
        let share = if first { short } else { remaining(limits) / (STRATEGIES.len() - i) as u32 };
        let part = Limits { deadline: limits.deadline.min(Instant::now() + share), cancel: limits.cancel.clone() };
        match spacer::run(&text, strategy, &part) {
            Outcome::Refuted => return HornAnswer::Reached,
            Outcome::Unknown(Reason::Timeout) => answer = HornAnswer::Unknown(Reason::Timeout),
            Outcome::Unknown(_) => gave_up[i] = true,
            Outcome::Model(model) => {
                let found = match &readings {
                    None => bits::decode(terms, reduced, &model),
                    Some(readings) => integers::decode(terms, reduced, readings, &model),
                };
                if let Some(all) = found.ok().and_then(|found| complete(terms, reduced, found)) {
                    return HornAnswer::Proved(reduced.fill(terms, all));
                }
                gave_up[i] = true;
            }
        }
    }
    match limits.exceeded() {
        Some(reason) => HornAnswer::Unknown(reason),
        None => answer,
    }
}

fn remaining(limits: &Limits) -> Duration {
    limits.deadline.saturating_duration_since(Instant::now())
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
