//! What becomes of certificates: questions to a solver, and verdicts from its answers.

use covenant_concolic::Subject;
use covenant_concolic::symbolic::InputOptions;
use covenant_constraints::Terms;
use covenant_goals::certificate::Script;
use covenant_goals::report::ObjectiveEntry;
use covenant_goals::{Objective, ObjectiveId};
use covenant_transition::certificate;
use covenant_transition::flow::{self, Flow, FlowOptions};

use crate::confirm::{CheckOptions, Checked, check};

/// What is known of one infeasible objective.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// cvc5 says so for every step.
    Confirmed,
    /// It does not prove its objective, for this reason: it was changed, or Covenant was wrong.
    Refused(String),
    /// There is no answer, for this reason.
    NotChecked(String),
    /// There is no certificate, only what the report says.
    InWords(String),
}

const NOT_ASKED: &str = "cvc5 was not asked";

impl Verdict {
    /// What cvc5 says of one script.
    pub fn of(script: &Script, options: &CheckOptions) -> Verdict {
        let answer = check(std::slice::from_ref(script), options).pop();
        answer.map_or_else(|| Verdict::NotChecked(NOT_ASKED.to_owned()), Verdict::from)
    }
}

impl From<Checked> for Verdict {
    fn from(checked: Checked) -> Verdict {
        match checked {
            Checked::Confirmed => Verdict::Confirmed,
            Checked::Refused(why) => Verdict::Refused(why),
            Checked::NotChecked(why) => Verdict::NotChecked(why),
        }
    }
}

/// What cvc5 says of each script, and what is known where there is none.
pub fn decided<'r>(
    objectives: impl Iterator<Item = &'r ObjectiveEntry>,
    made: Vec<Result<Script, Verdict>>,
    options: &CheckOptions,
) -> Vec<(&'r ObjectiveEntry, Verdict)> {
    let mut scripts = Vec::new();
    // A script for each certificate that is one, or what is known already.
    let mut known: Vec<Option<Verdict>> = Vec::new();
    for script in made {
        known.push(match script {
            Ok(script) => {
                scripts.push(script);
                None
            }
            Err(verdict) => Some(verdict),
        });
    }
    let mut checked = check(&scripts, options).into_iter().map(Verdict::from);
    let verdict = |known: Option<Verdict>| {
        known.or_else(|| checked.next()).unwrap_or_else(|| Verdict::NotChecked(NOT_ASKED.to_owned()))
    };
    objectives.zip(known.into_iter().map(verdict)).collect()
}

/// The flow of the program, as the provers have it.
pub fn flow_of(terms: &mut Terms, subject: &Subject, inputs: &InputOptions) -> Result<Flow, String> {
    let options = FlowOptions::of(subject, inputs);
    flow::build(terms, &subject.image, subject.entry, &subject.objectives, &options)
}

/// Who decides what is made of parts.
const PARTS: &str = "parts";

/// What is made of parts is confirmed if in each way to reach it a part is. Which these are, the program says.
pub fn by_parts(verdicts: &mut [(&ObjectiveEntry, Verdict)], objectives: &[Objective]) {
    let known: std::collections::HashMap<String, Verdict> =
        verdicts.iter().map(|(o, verdict)| (o.id.clone(), verdict.clone())).collect();
    for (entry, verdict) in verdicts.iter_mut().filter(|(o, _)| o.prover.as_deref() == Some(PARTS)) {
        let Some((_, objective)) = find(objectives, &entry.id) else {
            *verdict = Verdict::Refused("the program has no such objective".to_owned());
            continue;
        };
        let ways: Vec<Vec<Option<&Verdict>>> = objective
            .parts
            .iter()
            .flatten()
            .map(|parts| parts.iter().map(|p| known.get(&objectives[p.0 as usize].id)).collect())
            .collect();
        let best = |way: &Vec<Option<&Verdict>>| way.iter().flatten().any(|v| **v == Verdict::Confirmed);
        let some = |way: &Vec<Option<&Verdict>>| {
            way.iter().flatten().any(|v| matches!(v, Verdict::Confirmed | Verdict::InWords(_)))
        };
        if ways.iter().all(best) {
            *verdict = Verdict::Confirmed;
        } else if ways.iter().any(|way| way.iter().all(Option::is_none)) {
            *verdict = Verdict::Refused("no part of one of the ways to reach it is infeasible".to_owned());
        } else if !ways.iter().all(some) {
            *verdict = Verdict::NotChecked("a part that it rests on is not confirmed".to_owned());
        }
    }
}

/// What cvc5 must be asked about a certificate. `Err`: why it is none.
pub fn questions(
    entry: &ObjectiveEntry,
    text: &str,
    terms: &mut Terms,
    (flow, index): (&Flow, &certificate::Index),
    subject: &Subject,
) -> Result<Script, String> {
    if text.is_empty() {
        return Err(format!("its certificate {} is missing or empty", entry.proof.as_deref().unwrap_or_default()));
    }
    let (id, objective) = find(&subject.objectives, &entry.id).ok_or("the program has no such objective")?;
    if let Some(why) = &objective.unmapped {
        return Err(format!("nobody knows where it is in the program: {why}"));
    }
    let invariant = certificate::read(text, terms, index, &entry.id).map_err(|e| e.to_string())?;
    certificate::check_form(terms, flow, &invariant, id).map_err(|e| e.to_string())?;
    Ok(certificate::script(terms, subject.image.program(), flow, index, &invariant))
}

/// The objective of this name.
pub fn find<'o>(objectives: &'o [Objective], id: &str) -> Option<(ObjectiveId, &'o Objective)> {
    let index = objectives.iter().position(|o| o.id == id)?;
    Some((ObjectiveId(u32::try_from(index).ok()?), &objectives[index]))
}
