//! Proofs of a directory, held against the program.
//!
//! Certificates are held against the program, not against what the prover remembers: the subject is loaded once more with
//! the request that it was made for, and the questions to cvc5 are made from its IR by `crates/check`, which shares nothing with
//! those who proved it. What a file in the output directory says is believed only where that cannot make a false proof look true: a
//! formula may say anything, but which inputs there are must be what the report tells its readers.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use covenant_check::encoding;
use covenant_check::verdict::{self, BEYOND, by_parts, decided, questions};
use covenant_check::{CheckOptions, Verdict};
use covenant_goals::VerdictKind;
use covenant_goals::certificate::{GUARDS, PATHS};
use covenant_goals::report::{ObjectiveEntry, Report};
use covenant_report::subject::SubjectInfo;
use covenant_report::{content, files};
use covenant_search::exhaustion::EXHAUSTION;

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
    /// The project's root, from which the report names files.
    pub root: PathBuf,
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
    Ok(Checked { report, verdicts, changed, root: files::read_subject(dir)?.root })
}

fn outcome<'r>(dir: &Path, options: &CheckOptions, report: &'r Report) -> Result<Outcome<'r>> {
    let infeasible: Vec<&ObjectiveEntry> =
        report.objectives.iter().filter(|o| o.verdict == VerdictKind::Infeasible).collect();
    let texts: Vec<Option<String>> = infeasible.iter().map(|o| certificate_of(dir, o)).collect::<Result<_>>()?;
    let stored = files::read_subject(dir)?;
    let seen = content::changes(&stored, None).join("; ");
    if texts.iter().all(Option::is_none) {
        let verdicts = infeasible.into_iter().map(|o| (o, in_words(o))).collect();
        return Ok(Outcome { verdicts, changed: Some(seen).filter(|seen| !seen.is_empty()) });
    }
    // The subject as `gen` had it.
    let request = request_of(&stored)?;
    let loaded = subject::load(&request, &mut |_| {});
    let loaded = if seen.is_empty() { loaded } else { loaded.context(seen) }?;
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
    let mut verdicts = judge(&all, &loaded, options);
    // In the order of the report.
    let place: std::collections::HashMap<&str, usize> =
        infeasible.iter().enumerate().map(|(i, o)| (o.id.as_str(), i)).collect();
    verdicts.sort_by_key(|(o, _)| place.get(o.id.as_str()).copied());
    by_parts(&mut verdicts, &loaded.subject.objectives);
    Ok(Outcome { verdicts, changed: None })
}

/// An objective and the text of its certificate.
pub(crate) type Pair<'r, 't> = (&'r ObjectiveEntry, Option<&'t str>);

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
    request.sources.recorded = stored.recorded();
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
    let changes = content::changes(stored, Some(&loaded.info));
    (!changes.is_empty()).then(|| changes.join("; "))
}

/// What is assumed of the inputs without the report saying so. Else a stored `--assume 0` would prove anything.
fn unsaid(report: &Report, loaded: &Loaded) -> Option<String> {
    if report.subject.function != loaded.subject.function {
        return Some(format!("the report is about {}, not {}", report.subject.function, loaded.subject.function));
    }
    let new = loaded.assumptions.iter().find(|a| !report.assumptions.contains(a))?;
    Some(format!("the report does not say that this is assumed: {new}"))
}

/// What cvc5 says of each, asked by an encoding of the program that had no part in the proof.
pub(crate) fn judge<'r, 't>(
    pairs: &[Pair<'r, 't>],
    loaded: &Loaded,
    options: &CheckOptions,
) -> Vec<(&'r ObjectiveEntry, Verdict)> {
    let subject = encoding::Subject {
        program: loaded.subject.image.program(),
        entry: loaded.subject.entry,
        inputs: loaded.subject.globals.iter().chain(&loaded.subject.kept).copied().collect(),
        harmless: loaded.inputs.harmless().cloned().collect(),
        objectives: &loaded.subject.objectives,
    };
    let by_formulas = |&(o, text): &Pair<'r, 't>| {
        text.filter(|_| !matches!(o.proof.as_deref(), Some(PATHS | GUARDS))).map(|text| (o, text))
    };
    let certificates: Vec<(&ObjectiveEntry, &str)> = pairs.iter().filter_map(by_formulas).collect();
    let mut scripts = questions(&subject, &certificates).into_iter();
    let rest_on = |file: &str| -> Vec<&'r ObjectiveEntry> {
        let rests =
            |(o, text): &&Pair<'r, 't>| text.is_some_and(|text| !text.is_empty()) && o.proof.as_deref() == Some(file);
        pairs.iter().filter(rests).map(|(o, _)| *o).collect()
    };
    let followed = |file: &str| {
        let entries = rest_on(file);
        let none = entries.is_empty();
        if none { Vec::new() } else { verdict::by_paths(&subject, &entries, file == GUARDS, options) }.into_iter()
    };
    let (mut paths, mut guards) = (followed(PATHS), followed(GUARDS));
    let script = |(o, text): &Pair<'r, '_>| match (text, o.proof.as_deref()) {
        (None, _) => Err(in_words(o)),
        (Some(""), Some(file @ (PATHS | GUARDS))) => {
            Err(Verdict::Refused(format!("its certificate {file} is missing or empty")))
        }
        (Some(_), Some(PATHS)) => Err(paths.next().unwrap_or_else(|| Verdict::NotChecked(BEYOND.to_owned()))),
        (Some(_), Some(GUARDS)) => Err(guards.next().unwrap_or_else(|| Verdict::NotChecked(BEYOND.to_owned()))),
        (Some(_), _) => scripts.next().unwrap_or_else(|| Err(Verdict::NotChecked(BEYOND.to_owned()))),
    };
    let made = pairs.iter().map(script).collect();
    decided(pairs.iter().map(|(o, _)| *o), made, options)
}
