//! What came of a search, and the directory that it is written to.

use std::collections::HashMap;
use std::path::Path;

use anyhow::{Context, Result};
use covenant_goals::report::{ObjectiveEntry, Report, SCHEMA, Stats, TestEntry, Tool, Totals};
use covenant_goals::{Criterion, Objective, ObjectiveId, TestCase, Verdict, VerdictKind};
use covenant_report::{
    ReplayOptions, SubjectInfo, SuiteFormat, files, lines, root, write_html, write_report, write_suites, write_tests,
};
use covenant_search::campaign::Findings;

use crate::cases::Cases;
use crate::error::Error;
use crate::request::Request;
use crate::subject::Loaded;
use crate::{assumed, context, expected, guided, proofs};

/// Tests, proofs and a report.
#[derive(Debug)]
pub struct Results<'s> {
    /// What is known of each objective, as `report.json` has it.
    pub report: Report,
    request: &'s Request,
    loaded: &'s Loaded,
    findings: Findings,
}

impl Results<'_> {
    /// The tests, by whose names the report refers to them.
    pub fn tests(&self) -> &[TestCase] {
        &self.findings.tests
    }

    /// The program as the provers see it, for people; `None` where nobody tried to prove something.
    pub fn flow_text(&self) -> Option<String> {
        let evidence = self.findings.evidence.as_ref()?;
        Some(evidence.flow.text(&evidence.terms, &self.loaded.subject.image))
    }

    /// Report and tests, to be changed together.
    pub(crate) fn parts(&mut self) -> (&mut Report, &mut Vec<TestCase>) {
        (&mut self.report, &mut self.findings.tests)
    }

    /// Puts people's own expectations among the tests.
    pub fn take_cases(&mut self, cases: &Cases) -> Result<(), Error> {
        Ok(cases.apply(&self.loaded.info, &mut self.report, &mut self.findings.tests)?)
    }

    /// Holds what the tests returned against what another function of the code returns for the same inputs, natively. Where
    /// they differ, the report has a finding.
    pub fn hold_against(&mut self, function: &str, native: &ReplayOptions) -> Result<(), Error> {
        let found = expected::compare(self.loaded, function, &self.report, &self.findings.tests, native)?;
        self.report.defects.extend(found);
        Ok(())
    }

    /// Writes report, tests, suites and proofs. Each file is whole at any time.
    pub fn write(&mut self, dir: &Path) -> Result<(), Error> {
        let formats = self.request.suites.clone();
        Ok(self.write_all(dir, &formats)?)
    }

    /// The same without suites, where another search is to go on from these results.
    pub fn write_for_now(&mut self, dir: &Path) -> Result<(), Error> {
        Ok(self.write_all(dir, &[])?)
    }

    /// Certificates alone.
    #[cfg(test)]
    pub(crate) fn write_proofs(&mut self, dir: &Path) -> Result<()> {
        proofs::write(dir, self.loaded, &mut self.findings, &self.report.assumptions)
    }

    fn write_all(&mut self, dir: &Path, formats: &[SuiteFormat]) -> Result<()> {
        let Results { report, request, loaded, findings } = self;
        std::fs::create_dir_all(dir).with_context(|| format!("{} cannot be made", dir.display()))?;
        proofs::write(dir, loaded, findings, &report.assumptions)?;
        write_tests(dir, &findings.tests)?;
        for query in &findings.unanswered {
            let file = dir.join("queries").join(format!("{}.smt2", query.name));
            files::write_file(&file, query.script.as_bytes())?;
        }
        write_suites(dir, &loaded.info, &findings.tests, &report.objectives, formats, request.oracle)?;
        // Lines that tests of an earlier run took.
        lines::remove(dir)?;
        // The key of `--all` is about the results that it wrote.
        let _ = std::fs::remove_file(dir.join(files::KEY));
        write_report(dir, report)?;
        write_html(dir)?;
        Ok(())
    }
}

/// `searched` are microseconds, `elapsed` milliseconds since the start.
pub(crate) fn make<'s>(
    (request, loaded): (&'s Request, &'s Loaded),
    mut findings: Findings,
    searched: u64,
    elapsed: u64,
) -> Results<'s> {
    findings.stats.search_us = searched;
    let mut report = report((request, loaded), &findings, elapsed);
    name_from_root(&loaded.info, &mut report, &mut findings.tests);
    Results { report, request, loaded, findings }
}

/// Runs name files as clang does, results by the way from the project's root.
fn name_from_root(subject: &SubjectInfo, report: &mut Report, tests: &mut [TestCase]) {
    let mut known: HashMap<String, String> = HashMap::new();
    let mut rename = |file: &mut String| {
        if !file.is_empty() {
            *file = known.entry(file.clone()).or_insert_with_key(|name| subject.name_of(name)).clone();
        }
    };
    let objectives = report.objectives.iter_mut().chain(&mut report.passing);
    objectives.for_each(|objective| rename(&mut objective.file));
    report.defects.iter_mut().for_each(|defect| rename(&mut defect.file));
    tests.iter_mut().filter_map(|test| test.trap.as_mut()).for_each(|trap| rename(&mut trap.file));
    report.subject.files = subject.files.iter().map(|file| subject.name(&file.absolute())).collect();
    report.subject.flags.iter_mut().for_each(|flag| *flag = root::marked(flag, &subject.root));
}

fn report((request, loaded): (&Request, &Loaded), findings: &Findings, elapsed: u64) -> Report {
    let mut report = Report {
        schema: SCHEMA,
        tool: Tool { name: "covenant".into(), version: env!("CARGO_PKG_VERSION").into() },
        criteria: loaded.wanted.criteria.clone(),
        level: request.level,
        mcdc: loaded.wanted.criteria.contains(&Criterion::Mcdc).then_some(loaded.wanted.mcdc),
        strategy: findings.strategy.clone(),
        seed: request.seed,
        status: findings.status,
        assumptions: loaded.assumptions.iter().chain(&findings.limits).cloned().collect(),
        defects: findings.defects.clone(),
        timeline: findings.timeline.clone(),
        stats: Stats { wall_ms: elapsed, ..findings.stats.clone() },
        ..Report::default()
    };
    report.subject.function.clone_from(&loaded.subject.function);
    report.subject.flags = loaded.info.user_flags();
    for case in &findings.tests {
        let file = files::test_file(&case.name).display().to_string();
        report.tests.push(TestEntry { name: case.name.clone(), file, outcome: case.outcome });
    }
    let measured = loaded.wanted.measured.iter().filter(|c| !loaded.wanted.criteria.contains(c));
    report.measured = measured.copied().collect();
    for name in report.criteria.iter().chain(&report.measured) {
        report.totals.insert(*name, Totals::default());
    }
    let through = loaded.info.through.as_ref();
    let mut assumed = assumed::users_assumptions(request);
    assumed.extend(through.map(context::assumption));
    for (id, objective, verdict) in findings.ledger.iter() {
        // Parts are of use for what they are parts of; those that nobody needed are not told.
        if findings.ledger.is_part(id) && matches!(verdict, Verdict::Unknown(_)) {
            continue;
        }
        let mut entry = entry(objective, verdict, findings);
        if let Some(through) = through.filter(|_| entry.verdict == VerdictKind::Infeasible) {
            context::tell(through, &mut entry);
        }
        if objective.passing {
            report.passing.extend(matches!(verdict, Verdict::Covered(_)).then_some(entry));
            continue;
        }
        if entry.verdict == VerdictKind::Infeasible && objective.has_code() {
            entry.rests_on.clone_from(&assumed);
        }
        entry.details = guided::details(id, objective, findings).map(Box::new);
        let totals = report.totals.entry(objective.criterion).or_default();
        if let Some(file) = objective.existing.as_ref().filter(|_| !matches!(verdict, Verdict::Infeasible(_))) {
            (entry.verdict, entry.existing) = (VerdictKind::Covered, Some(file.clone()));
            (entry.reason, entry.kind) = (None, None);
        }
        totals.count(entry.verdict);
        report.objectives.push(entry);
    }
    report
}

fn entry(objective: &Objective, verdict: &Verdict, findings: &Findings) -> ObjectiveEntry {
    let mut entry = ObjectiveEntry {
        id: objective.id.clone(),
        criterion: objective.criterion,
        function: objective.function.clone(),
        file: objective.file.clone(),
        line: objective.line,
        column: objective.column,
        text: objective.text.clone(),
        outcome: objective.outcome.clone(),
        verdict: verdict.kind(),
        region: objective.region,
        decision: objective.decision,
        parts: objective.parts.as_ref().map(|all| {
            let id = |id: &ObjectiveId| findings.ledger.objective(*id).id.clone();
            all.iter().map(|parts| parts.iter().map(id).collect()).collect()
        }),
        ..ObjectiveEntry::default()
    };
    match verdict {
        Verdict::Covered(tests) => {
            let name = |&test: &u32| findings.tests.get(test as usize).map(|case| case.name.clone());
            entry.tests = tests.iter().filter_map(name).collect();
        }
        Verdict::Infeasible(proof) => {
            entry.proof.clone_from(&proof.file);
            entry.prover = Some(proof.by.clone());
            entry.reason = Some(proof.words.clone());
        }
        Verdict::Unknown(reason) => {
            entry.reason = Some(reason.words.clone());
            entry.kind = Some(reason.kind);
        }
    }
    entry
}
