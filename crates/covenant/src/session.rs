//! One request from its program to its results.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::Context;
use covenant_check::CheckOptions;
use covenant_goals::report::ObjectiveEntry;
use covenant_goals::{Objective, ObjectiveId, Status};
use covenant_report::{ReplayOptions, counted, root};
use covenant_search::campaign::{Findings, Observer, Progress};

use crate::ahead::{self, Ahead};
use crate::cases::Cases;
use crate::check::{self, Checked};
use crate::contracts;
use crate::error::Error;
use crate::existing::{self, Earlier};
use crate::growth;
use crate::guided;
use crate::mutate::{self, Mutate, Mutated};
use crate::replay::{self, Replayed};
use crate::request::Request;
use crate::results::{self, Results};
use crate::rounds::Rounds;
use crate::satisfiable;
use crate::shaping;
use crate::strong;
use crate::subject::{self, Loaded};

/// A request with its program loaded.
#[derive(Debug)]
pub struct Session {
    request: Request,
    pub(crate) loaded: Loaded,
    cancel: Arc<AtomicBool>,
    /// Where the code is that was given as text.
    _folder: Option<tempfile::TempDir>,
}

/// Sees nothing: no clock, no progress, no end but the search's own.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {
    fn elapsed(&mut self) -> u64 {
        0
    }

    fn progress(&mut self, _: &Progress) -> Option<Status> {
        None
    }
}

impl Session {
    /// Compiles the code and makes the objectives.
    pub fn load(request: Request) -> Result<Session, Error> {
        Session::load_with(request, &mut |_| {})
    }

    /// The same; `warn` gets what clang says of files that it accepts.
    pub fn load_with(mut request: Request, warn: &mut dyn FnMut(&str)) -> Result<Session, Error> {
        // Told before anything is compiled.
        request.tuned()?;
        let mut loaded = subject::load(&request, warn)?;
        request.failures = loaded.failures;
        request.files_grow |= request.names_no_files();
        (request.files, request.dirs) = loaded.files.clone();
        let base = request.sources.directory.as_path();
        let base = if base.as_os_str().is_empty() { Path::new(".") } else { base };
        loaded.info.working_directory = base.canonicalize().unwrap_or_else(|_| base.to_path_buf());
        let files: Vec<PathBuf> = loaded.info.files.iter().map(|file| file.absolute()).collect();
        loaded.info.root = root::find(files.iter().map(PathBuf::as_path), &loaded.info.working_directory);
        loaded.info.command.clone_from(&request.command);
        loaded.info.request =
            serde_json::to_value(&request).context("the request cannot be kept").map_err(Error::from)?;
        Ok(Session { request, loaded, cancel: Arc::default(), _folder: None })
    }

    /// The same for code that is in no file yet. It is kept in a temporary file as long as the session lives; for results
    /// that are to outlive it, write the code to a file of your own.
    pub fn from_text(code: &str, request: Request) -> Result<Session, Error> {
        let folder = tempfile::tempdir().context("no temporary directory").map_err(Error::from)?;
        let file = folder.path().join("code.c");
        std::fs::write(&file, code).context("the code cannot be written").map_err(Error::from)?;
        let mut request = request;
        request.sources.files = vec![file];
        Ok(Session { _folder: Some(folder), ..Session::load(request)? })
    }

    /// The function under test.
    pub fn function(&self) -> &str {
        &self.loaded.subject.function
    }

    /// The root of the project, which results name files from.
    pub fn root(&self) -> &Path {
        &self.loaded.info.root
    }

    /// All that suites need to know of the code under test.
    pub fn subject(&self) -> &covenant_report::SubjectInfo {
        &self.loaded.info
    }

    /// Searches that follow each other for as long as something is open.
    pub fn rounds(&self) -> Rounds<'_> {
        Rounds::new(&self.request, &self.loaded, self.cancel())
    }

    /// What the code calls and no run can do, with the place of the call.
    pub fn unsupported(&self) -> &[String] {
        &self.loaded.unsupported
    }

    /// What the user assumes of the inputs, in the words of the report. All other assumptions are the usual ones.
    pub fn users_assumptions(&self) -> Vec<String> {
        crate::assumed::users_assumptions(&self.request)
    }

    /// Why the function is given anything though only what callers pass was asked for, if that is so.
    pub fn note(&self) -> Option<&str> {
        self.loaded.note.as_deref()
    }

    /// Whoever sets this flag ends the search, soon after; what was found until then are the results.
    pub fn cancel(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.cancel)
    }

    /// Searches for tests and proofs.
    pub fn generate(&self, observer: &mut dyn Observer) -> Result<Results<'_>, Error> {
        self.generate_on(&[], observer)
    }

    /// The same from the inputs of tests that are there. What they do is looked at anew.
    pub fn generate_on(
        &self,
        tests: &[covenant_goals::TestCase],
        observer: &mut dyn Observer,
    ) -> Result<Results<'_>, Error> {
        let (findings, searched) = self.search(tests, observer)?;
        Ok(results::make((&self.request, &self.loaded), findings, searched, observer.elapsed()))
    }

    /// An earlier run of the same function, to go on from. To be read before its directory is written to.
    pub fn earlier(&self, dir: &Path) -> Result<Earlier, Error> {
        Ok(Earlier::read(dir, &self.loaded.subject.called)?)
    }

    /// Takes what a suite that is there covers for covered: it is not searched for. `file` is a tracefile of lcov, or a profile of
    /// llvm-profdata with the program that wrote it. Returns how many objectives that are.
    pub fn count_existing(
        &mut self,
        file: &Path,
        program: Option<&Path>,
        native: &ReplayOptions,
    ) -> Result<usize, Error> {
        let entry = |o: &Objective| ObjectiveEntry {
            criterion: o.criterion,
            function: o.function.clone(),
            file: self.loaded.info.name_of(&o.file),
            line: o.line,
            column: o.column,
            outcome: o.outcome.clone(),
            ..ObjectiveEntry::default()
        };
        let entries = self.loaded.subject.objectives.iter().map(entry).collect();
        let covered =
            counted::covered(file, program, entries, &self.loaded.info, native).map_err(anyhow::Error::from)?;
        let name = self.loaded.info.name(&file.canonicalize().unwrap_or_else(|_| file.to_path_buf()));
        let objectives = self.loaded.subject.objectives.iter_mut().zip(covered).filter(|(_, covered)| *covered);
        let mut count = 0;
        for (objective, _) in objectives {
            count += usize::from(!objective.passing);
            (objective.measured, objective.existing) = (true, Some(name.clone()));
        }
        Ok(count)
    }

    /// People's own expectations of the function, if there are some where results go to. To be read before that is written to.
    pub fn cases(&self, out: &Path) -> Result<Option<Cases>, Error> {
        Ok(Cases::read(out, self.function())?)
    }

    /// Searches for what the tests of an earlier run miss. Those that still pass are kept, which a native run decides.
    pub fn generate_from(
        &self,
        earlier: Earlier,
        native: &ReplayOptions,
        observer: &mut dyn Observer,
    ) -> Result<Results<'_>, Error> {
        let (findings, searched) = self.search(&earlier.tests, observer)?;
        let name = |id: &ObjectiveId| findings.ledger.objective(*id).id.clone();
        let seeded = findings.seeded.iter().map(|reached| reached.iter().map(name).collect()).collect();
        let mut results = results::make((&self.request, &self.loaded), findings, searched, observer.elapsed());
        let (report, tests) = results.parts();
        match existing::merge(native, &self.loaded, (earlier, seeded), report, tests)? {
            Some(contradiction) => Err(Error::Contradiction(contradiction)),
            None => Ok(results),
        }
    }

    /// What was found, and the microseconds that it took.
    fn search(
        &self,
        seeds: &[covenant_goals::TestCase],
        observer: &mut dyn Observer,
    ) -> Result<(Findings, u64), Error> {
        let mut settings = guided::adapted(self.request.settings(self.cancel())?, &self.request, &self.loaded);
        if self.loaded.subject.is_main && self.loaded.info.params.is_empty() {
            // Nobody can look at them.
            settings.inputs.process.args = 0;
        }
        let begun = observer.micros();
        let notices = self.request.oracle && strong::is_asked(&self.loaded.subject, &settings);
        let ahead = match seeds {
            [] => ahead::search(&self.request, &self.loaded, &settings, observer)?,
            _ => Ahead::default(),
        };
        settings.own_tests = seeds.is_empty();
        let mut hurried = strong::Hurried::new(observer, notices.then_some(strong::SEARCH_SHARE), &mut settings);
        let first = if seeds.is_empty() { &ahead.tests } else { seeds };
        let (mut findings, mut settings) =
            shaping::search(&self.loaded, settings, (first, ahead.wide.as_ref()), &mut hurried)?;
        findings.seeded.truncate(seeds.len());
        findings.stats.add(&ahead.stats);
        findings.stats.tests = findings.tests.len() as u64;
        let process = &settings.inputs.process;
        let grows = !self.loaded.subject.is_main || process.grows || process.files_grow;
        if self.request.array_len.is_none() && grows {
            growth::grow(&mut findings, &self.loaded.subject, &settings, &mut hurried)?;
        }
        drop(hurried);
        settings.ends_questions = None;
        let needed = match notices {
            true => strong::add(&mut findings, &self.loaded.subject, &settings, observer)?,
            false => Some(BTreeSet::new()),
        };
        // Tests that are there are people's own.
        if let Some(needed) = needed.filter(|_| seeds.is_empty()) {
            findings.leave_out_superfluous(&needed);
        }
        contracts::settle(&mut findings.defects, &self.loaded.trees, &self.loaded.info.function);
        satisfiable::require(&self.request, findings.tests.len(), self.cancel(), observer)?;
        Ok((findings, observer.micros().saturating_sub(begun)))
    }

    /// Compiles and runs the suite of a directory natively, has llvm-cov confirm what was claimed, and notes in its report
    /// what could not be confirmed. Where `interrupted` says so afterwards, nothing is concluded.
    pub fn replay(dir: &Path, options: &ReplayOptions, interrupted: &dyn Fn() -> bool) -> Result<Replayed, Error> {
        Ok(replay::replay(dir, options, interrupted)?)
    }

    /// Confirms every proof of a directory with a second solver, against the program as it is now.
    pub fn check(dir: &Path, options: &CheckOptions) -> Result<Checked, Error> {
        Ok(check::check(dir, options)?)
    }

    /// Says which small changes of the source the suite of a directory notices. With an observer, proofs and tests are looked
    /// for about those that it does not.
    pub fn mutate(dir: &Path, how: &Mutate, observer: Option<&mut dyn Observer>) -> Result<Mutated, Error> {
        mutate::mutate(dir, how, observer)
    }

    /// Where results of this session go if nobody says otherwise: `covenant-out/FUNCTION`.
    pub fn usual_directory(&self) -> PathBuf {
        Path::new("covenant-out").join(self.function())
    }
}
