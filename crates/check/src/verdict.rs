//! Verdicts on certificates, from the answers of a solver.

use covenant_goals::certificate::Script;
use covenant_goals::local_path::code_of;
use covenant_goals::report::ObjectiveEntry;
use covenant_goals::{Objective, ObjectiveId};
use covenant_program::ir::FuncId;

use crate::confirm::{CheckOptions, Checked, MISSING, check};
use crate::cvc5::{Answer, Session, Solver};
use crate::encoding::{Found, Goal, Made, Oracle, Subject, follow, made};

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

/// What cvc5 must be asked about certificates of which each has an objective and a text; or what is known without it.
pub fn questions(subject: &Subject<'_>, certificates: &[(&ObjectiveEntry, &str)]) -> Vec<Result<Script, Verdict>> {
    let mut known: Vec<Option<Verdict>> = Vec::new();
    let mut pairs: Vec<(&Objective, &str)> = Vec::new();
    for (entry, text) in certificates {
        known.push(match (find(subject.objectives, &entry.id), text.is_empty()) {
            (_, true) => {
                let file = entry.proof.as_deref().unwrap_or_default();
                Some(Verdict::Refused(format!("its certificate {file} is missing or empty")))
            }
            (None, _) => Some(Verdict::Refused("the program has no such objective".to_owned())),
            (Some((_, objective)), _) => match &objective.unmapped {
                Some(why) => Some(Verdict::Refused(format!("nobody knows where it is in the program: {why}"))),
                None => {
                    pairs.push((objective, text));
                    None
                }
            },
        });
    }
    let mut scripts = made(subject, &pairs).into_iter();
    let verdict = |known: Option<Verdict>| match (known, &mut scripts) {
        (Some(known), _) => Err(known),
        (None, scripts) => match scripts.next() {
            Some(Made::Script(script)) => Ok(script),
            Some(Made::Refused(why)) => Err(Verdict::Refused(why)),
            Some(Made::Beyond(why)) => Err(Verdict::NotChecked(format!("{BEYOND}: {why}"))),
            None => Err(Verdict::NotChecked(NOT_ASKED.to_owned())),
        },
    };
    known.into_iter().map(verdict).collect()
}

impl Oracle for Session {
    fn tell(&mut self, text: &str) {
        self.send(text);
    }

    fn can_be(&mut self) -> Option<bool> {
        match self.check() {
            Answer::Sat => Some(true),
            Answer::Unsat => Some(false),
            Answer::Timeout | Answer::Unknown(_) => None,
        }
    }
}

/// What cvc5 says of objectives that were proved by knowing all paths: all of these are followed once more. If they are proved
/// by the conditions of local paths, only these paths are.
pub fn by_paths(
    subject: &Subject<'_>,
    entries: &[&ObjectiveEntry],
    local: bool,
    options: &CheckOptions,
) -> Vec<Verdict> {
    let solver = Solver { program: options.program(), timeout: options.timeout };
    let mut session = match Session::new(&solver) {
        Ok(session) => session,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return entries.iter().map(|_| Verdict::NotChecked(MISSING.to_owned())).collect();
        }
        Err(error) => {
            let why = format!("cvc5 cannot be run: {error}");
            return entries.iter().map(|_| Verdict::NotChecked(why.clone())).collect();
        }
    };
    let found: Vec<Option<&Objective>> =
        entries.iter().map(|entry| find(subject.objectives, &entry.id).map(|(_, objective)| objective)).collect();
    let code = |objective: &Objective| {
        let (function, code) = code_of(objective).filter(|_| local)?;
        Some((FuncId::from_u32(function), code))
    };
    let known: Vec<Goal<'_>> =
        found.iter().flatten().map(|&objective| Goal { objective, code: code(objective) }).collect();
    let mut followed = follow(subject, &known, &mut session).into_iter();
    let broken = session.broken.clone();
    let verdict = |objective: Option<&Objective>| {
        if objective.is_none() {
            return Verdict::Refused("the program has no such objective".to_owned());
        }
        match (followed.next(), &broken) {
            (Some(Found::Reached), None) => Verdict::Refused("an input leads there".to_owned()),
            (Some(Found::Excluded(1..)), None) => Verdict::Confirmed,
            (Some(Found::Excluded(_)), None) => Verdict::NotChecked("there was no question for cvc5".to_owned()),
            (Some(Found::Open(why)), None) => Verdict::NotChecked(format!("{BEYOND}: {why}")),
            (_, Some(why)) => Verdict::NotChecked(why.clone()),
            (None, None) => Verdict::NotChecked(NOT_ASKED.to_owned()),
        }
    };
    found.into_iter().map(verdict).collect()
}

/// What the second encoding does not have.
pub const BEYOND: &str = "not checked by the independent encoding";

/// The objective of this name.
pub fn find<'o>(objectives: &'o [Objective], id: &str) -> Option<(ObjectiveId, &'o Objective)> {
    let index = objectives.iter().position(|o| o.id == id)?;
    Some((ObjectiveId(u32::try_from(index).ok()?), &objectives[index]))
}
