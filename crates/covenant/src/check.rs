//! Proofs of a directory, held against the program.
//!
//! Certificates are held against the program, not against what the prover remembers: the subject is loaded once more with
//! the request that it was made for, its flow is built anew, and the questions to cvc5 are made from that flow. What a file in the
//! output directory says is believed only where that cannot make a false proof look true: a formula may say anything, but
//! which inputs there are must be what the report tells its readers.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use covenant_check::judge::{by_parts, decided, find, flow_of, questions};
use covenant_check::{CheckOptions, Verdict};
use covenant_constraints::Terms;
use covenant_goals::certificate::{GUARDS, Guards, PATHS, Paths};
use covenant_goals::report::{ObjectiveEntry, Report};
use covenant_goals::{ObjectiveId, VerdictKind};
use covenant_report::files;
use covenant_report::subject::SubjectInfo;
use covenant_search::exhaustion::{self, EXHAUSTION};
use covenant_search::guided::proof;
use covenant_transition::certificate;
use covenant_transition::flow::Flow;

use crate::request::Request;
use crate::subject::{self, Loaded};

#[cfg(test)]
mod tests;

/// What a second solver says of the proofs in a directory.
#[derive(Clone, PartialEq, Debug)]
pub struct Checked {
    /// What the directory claims.
    pub report: Report,
    /// Each objective that it calls infeasible, in the order of the report, with the opinion on its proof.
    pub verdicts: Vec<(ObjectiveEntry, Verdict)>,
    /// Why the program is not the one that the report is about, if it is not.
    pub changed: Option<String>,
}

struct Outcome<'r> {
    verdicts: Vec<(&'r ObjectiveEntry, Verdict)>,
    changed: Option<String>,
}

pub(crate) fn check(dir: &Path, options: &CheckOptions) -> Result<Checked> {
    let report =
        files::read_report(dir).with_context(|| format!("{} has no results of `covenant gen`", dir.display()))?;
    let Outcome { verdicts, changed } = outcome(dir, options, &report)?;
    let verdicts = verdicts.into_iter().map(|(o, verdict)| (o.clone(), verdict)).collect();
    Ok(Checked { report, verdicts, changed })
}

fn outcome<'r>(dir: &Path, options: &CheckOptions, report: &'r Report) -> Result<Outcome<'r>> {
    let infeasible: Vec<&ObjectiveEntry> =
        report.objectives.iter().filter(|o| o.verdict == VerdictKind::Infeasible).collect();
    let texts: Vec<Option<String>> = infeasible.iter().map(|o| certificate_of(dir, o)).collect::<Result<_>>()?;
    if texts.iter().all(Option::is_none) {
        return Ok(Outcome { verdicts: infeasible.into_iter().map(|o| (o, in_words(o))).collect(), changed: None });
    }
    let stored = files::read_subject(dir)?;
    // The subject as `gen` had it.
    let request = request_of(&stored)?;
    let loaded = subject::load(&request, &mut |_| {})?;
    let all = |verdict: Verdict, changed: Option<String>| {
        let of = |(o, text): (&'r ObjectiveEntry, &Option<String>)| match text {
            Some(_) => (o, verdict.clone()),
            None => (o, in_words(o)),
        };
        Outcome { verdicts: infeasible.iter().copied().zip(&texts).map(of).collect(), changed }
    };
    if let Some(why) = change(&stored, &loaded) {
        return Ok(all(Verdict::NotChecked(format!("{why}; run `covenant gen` again")), Some(why)));
    }
    if let Some(why) = unsaid(report, &loaded) {
        return Ok(all(Verdict::Refused(why), None));
    }
    let all: Vec<Pair<'_, '_>> = infeasible.iter().copied().zip(texts.iter().map(Option::as_deref)).collect();
    let rests_on = |file: &'static str| move |(o, _): &Pair<'_, '_>| o.proof.as_deref() == Some(file);
    let (by_paths, others): (Vec<Pair<'_, '_>>, Vec<Pair<'_, '_>>) = all.into_iter().partition(rests_on(PATHS));
    let (by_guards, others): (Vec<Pair<'_, '_>>, Vec<Pair<'_, '_>>) = others.into_iter().partition(rests_on(GUARDS));
    let mut terms = Terms::new();
    let mut verdicts = match flow_of(&mut terms, &loaded.subject, &loaded.inputs) {
        Ok(flow) => judge(&others, &mut terms, &flow, &loaded, options),
        Err(why) => {
            let refused = Verdict::Refused(format!("the program has no flow: {why}"));
            others.iter().map(|(o, text)| (*o, text.map_or_else(|| in_words(o), |_| refused.clone()))).collect()
        }
    };
    verdicts.extend(judge_paths(&by_paths, &request, &loaded, options));
    verdicts.extend(judge_guards(&by_guards, &loaded, options));
    // In the order of the report.
    let place: std::collections::HashMap<&str, usize> =
        infeasible.iter().enumerate().map(|(i, o)| (o.id.as_str(), i)).collect();
    verdicts.sort_by_key(|(o, _)| place.get(o.id.as_str()).copied());
    by_parts(&mut verdicts, &loaded.subject.objectives);
    Ok(Outcome { verdicts, changed: None })
}

/// An objective and the text of its certificate.
type Pair<'r, 't> = (&'r ObjectiveEntry, Option<&'t str>);

/// What was decided because all paths are known has one certificate.
fn judge_paths<'r>(
    pairs: &[Pair<'r, '_>],
    request: &Request,
    loaded: &Loaded,
    options: &CheckOptions,
) -> Vec<(&'r ObjectiveEntry, Verdict)> {
    let Some((_, Some(text))) = pairs.first() else { return Vec::new() };
    let script = || {
        let paths: Paths = serde_json::from_str(text).map_err(|e| format!("{PATHS} cannot be read: {e}"))?;
        let find = |o: &ObjectiveEntry| {
            let found = find(&loaded.subject.objectives, &o.id).map(|(id, _)| id);
            found.ok_or_else(|| format!("the program has no objective {}", o.id))
        };
        let ids = pairs.iter().map(|(o, _)| find(o)).collect::<Result<Vec<ObjectiveId>, String>>()?;
        let settings = request.settings(Arc::default()).map_err(|wrong| wrong.to_string())?;
        exhaustion::script(&loaded.subject, &settings, &paths, &ids)
    };
    let verdict = match script() {
        Ok(script) => Verdict::of(&script, options),
        Err(why) => Verdict::Refused(why),
    };
    pairs.iter().map(|(o, _)| (*o, verdict.clone())).collect()
}

/// Local paths whose conditions exclude each other: the program says which conditions these are.
fn judge_guards<'r>(
    pairs: &[Pair<'r, '_>],
    loaded: &Loaded,
    options: &CheckOptions,
) -> Vec<(&'r ObjectiveEntry, Verdict)> {
    let script = |entry: &ObjectiveEntry, text: &str| {
        let guards: Guards = serde_json::from_str(text).map_err(|e| format!("{GUARDS} cannot be read: {e}"))?;
        let (_, objective) = find(&loaded.subject.objectives, &entry.id).ok_or("the program has no such objective")?;
        proof::script(loaded.subject.image.program(), &guards, objective)
    };
    let made = pairs.iter().map(|(o, text)| script(o, text.unwrap_or_default()));
    decided(pairs.iter().map(|(o, _)| *o), made.map(|script| script.map_err(Verdict::Refused)).collect(), options)
}

/// The text of the certificate that the report names.
fn certificate_of(dir: &Path, objective: &ObjectiveEntry) -> Result<Option<String>> {
    let Some(file) = &objective.proof else { return Ok(None) };
    match std::fs::read(dir.join(file)) {
        Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
        // A certificate that is gone proves nothing, and is no reason not to look at the others.
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Some(String::new())),
        Err(error) => Err(error).with_context(|| format!("{} cannot be read", dir.join(file).display())),
    }
}

fn in_words(objective: &ObjectiveEntry) -> Verdict {
    let by = objective.prover.as_deref().unwrap_or("nobody");
    Verdict::InWords(match by {
        EXHAUSTION => "proved by enumerating all paths; there is no certificate of so many, or of labels".to_owned(),
        _ => format!("proved by {by}: {}", objective.reason.as_deref().unwrap_or("no reason is given")),
    })
}

/// What the results of a directory were asked for. Its files are relative to where that was said.
pub(crate) fn request_of(stored: &SubjectInfo) -> Result<Request> {
    if stored.request.is_null() {
        bail!("the results do not say what covenant was asked for; make them anew with this version");
    }
    let mut request: Request =
        serde_json::from_value(stored.request.clone()).context("what was asked for is not understood any more")?;
    if !stored.working_directory.is_dir() {
        bail!("{} is gone", stored.working_directory.display());
    }
    request.sources.directory.clone_from(&stored.working_directory);
    request.command.clone_from(&stored.command);
    Ok(request)
}

/// Why the program is not the one that was proved something about.
fn change(stored: &SubjectInfo, loaded: &Loaded) -> Option<String> {
    if stored.files.len() != loaded.info.files.len() {
        return Some("the list of files has changed".to_owned());
    }
    if stored.function != loaded.info.function {
        return Some(format!("the function was {}, not {}", stored.function, loaded.info.function));
    }
    stored.files.iter().zip(&loaded.info.files).find_map(|(before, now)| before.change(now))
}

/// What is assumed of the inputs without the report saying so. Else a stored `--assume 0` would prove anything.
fn unsaid(report: &Report, loaded: &Loaded) -> Option<String> {
    if report.subject.function != loaded.subject.function {
        return Some(format!("the report is about {}, not {}", report.subject.function, loaded.subject.function));
    }
    let new = loaded.assumptions.iter().find(|a| !report.assumptions.contains(a))?;
    Some(format!("the report does not say that this is assumed: {new}"))
}

fn judge<'r>(
    pairs: &[Pair<'r, '_>],
    terms: &mut Terms,
    flow: &Flow,
    loaded: &Loaded,
    options: &CheckOptions,
) -> Vec<(&'r ObjectiveEntry, Verdict)> {
    let index = certificate::Index::new(terms, loaded.subject.image.program(), flow);
    let mut script = |(objective, text): &Pair<'r, '_>| match text {
        None => Err(in_words(objective)),
        Some(text) => questions(objective, text, terms, (flow, &index), &loaded.subject).map_err(Verdict::Refused),
    };
    let made = pairs.iter().map(&mut script).collect();
    decided(pairs.iter().map(|(o, _)| *o), made, options)
}
