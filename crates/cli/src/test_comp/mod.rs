//! `covenant test-comp`

mod property;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime};

use anstyle::{AnsiColor, Style};
use anyhow::{Context, Result};
use covenant::{Criterion, Error, Failures, Observer, Progress, Request, Rounds, Session, Sources, Status, TestCase};
use covenant_report::suite::test_comp::{Growing, Task};

use crate::args::{DataModel, TestCompArgs};
use crate::replay::CONTRADICTION;
use crate::stop;
use property::Property;

const RED: Style = AnsiColor::Red.on_default().bold();

/// Where the suite goes, below the directory that was asked for: the competition looks for this name.
const SUITE: &str = "test-suite";
/// Searches without news after which there is no use in another one.
const MOST_IN_VAIN: usize = 24; // not tuning: all strategies with all that they are allowed

/// What compilers of the competition let pass, and ours need not.
const FLAGS: [&str; 9] = [
    "-std=gnu11",
    "-w",
    "-Wno-implicit-function-declaration",
    "-Wno-implicit-int",
    "-Wno-int-conversion",
    "-Wno-incompatible-pointer-types",
    "-Wno-incompatible-function-pointer-types",
    "-D__alias__(x)=",
    "-D__malloc__(...)=__malloc__",
];

pub(crate) fn run(args: &TestCompArgs) -> Result<u8> {
    let started = Instant::now();
    let text = std::fs::read_to_string(&args.property)
        .with_context(|| format!("the property {} cannot be read", args.property.display()))?;
    let property = Property::read(&text).with_context(|| format!("{}", args.property.display()))?;
    let folder = tempfile::tempdir().context("no temporary directory")?;
    let session = Session::load(request(args, &property, folder.path())?)?;
    let task = Task {
        file: args.task.clone(),
        specification: property.specification(),
        bits: if args.data_model == DataModel::Ilp32 { 32 } else { 64 },
        created: humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
    };
    let suite = Growing::begin(&args.out.join(SUITE), session.subject(), &task)?;
    let mut watcher = Watcher::new(started, args.timeout, &session, suite, matches!(property, Property::Call(_)));
    let mut rounds = session.rounds();
    let searched = search(&mut rounds, &mut watcher);
    if let Some(error) = watcher.failed.take() {
        return Err(error.into());
    }
    match searched {
        Err(Error::Contradiction(contradiction)) => {
            anstream::eprintln!("{RED}error:{RED:#} covenant contradicted itself: {contradiction}");
            anstream::eprintln!("Please send us the task and this command line.");
            return Ok(CONTRADICTION);
        }
        searched => searched?,
    }
    Ok(told(args, &property, &rounds, &watcher))
}

/// Search after search until nothing is open or the time is up.
fn search(rounds: &mut Rounds<'_>, watcher: &mut Watcher) -> Result<(), Error> {
    let (mut decided, mut in_vain) = (0, 0);
    while in_vain < MOST_IN_VAIN {
        rounds.next_search(watcher)?;
        let (covered, infeasible, _) = rounds.counts();
        in_vain = if covered + infeasible > decided { 0 } else { in_vain + 1 };
        decided = covered + infeasible;
        if watcher.is_over() || !rounds.may_go_on() || (watcher.one_is_enough && covered > 0) {
            break;
        }
    }
    Ok(())
}

/// What came of it, in words, and the exit code.
fn told(args: &TestCompArgs, property: &Property, rounds: &Rounds<'_>, watcher: &Watcher) -> u8 {
    let (covered, infeasible, open) = rounds.counts();
    let (words, is_decided) = match property {
        Property::Branches => {
            let all = covered + infeasible + open;
            (format!("{covered} of {all} goals covered, {infeasible} infeasible, {open} open"), open == 0)
        }
        Property::Call(name) if covered > 0 => (format!("{name} is called"), true),
        Property::Call(name) if open == 0 => (format!("no input leads to a call of {name}"), true),
        Property::Call(name) => (format!("no call of {name} was reached, {open} open"), false),
    };
    if !args.quiet {
        let (tests, place) = (watcher.suite.tests(), args.out.join(SUITE));
        anstream::println!(
            "{words}; {tests} tests in {}, {:.1} s",
            place.display(),
            watcher.started.elapsed().as_secs_f64()
        );
    }
    u8::from(!is_decided)
}

fn request(args: &TestCompArgs, property: &Property, folder: &Path) -> Result<Request> {
    let (criteria, failing) = match property {
        // A function that is called by its address alone has a place of its own.
        Property::Branches => (vec![Criterion::Decision, Criterion::Function], Vec::new()),
        Property::Call(name) => (vec![Criterion::Assertion], vec![name.clone()]),
    };
    let sources = Sources {
        files: vec![compiled(&args.task, folder)?],
        flags: FLAGS.into_iter().chain([args.data_model.flag()]).map(str::to_owned).collect(),
        ..Sources::default()
    };
    Ok(Request {
        sources,
        criteria,
        failing,
        // All that a task is given are the values that it asks for.
        failures: Failures::None,
        args: Some((0, 0)),
        stdin: Some(0),
        seed: args.seed,
        suites: Vec::new(),
        ..Request::default()
    })
}

/// The file to compile. Preprocessed ones say of their lines where they come from, which is another file that need not be there; so a
/// copy without that is compiled.
fn compiled(task: &Path, folder: &Path) -> Result<PathBuf> {
    let text = std::fs::read(task).with_context(|| format!("{} cannot be read", task.display()))?;
    let text = String::from_utf8_lossy(&text);
    let is_marker = |line: &str| {
        let rest = line.strip_prefix('#').map(str::trim_start);
        rest.is_some_and(|rest| rest.starts_with("line ") || rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    let is_preprocessed = task.extension().is_some_and(|ending| ending == "i") || text.lines().any(is_marker);
    if !is_preprocessed {
        return Ok(task.to_path_buf());
    }
    let mut plain = String::with_capacity(text.len());
    for line in text.lines() {
        plain.push_str(if is_marker(line) { "" } else { line });
        plain.push('\n');
    }
    let name = task.file_stem().map_or_else(|| "task".into(), |stem| stem.to_string_lossy());
    let file = folder.join(format!("{name}.c"));
    std::fs::write(&file, plain).context("the preprocessed task cannot be copied")?;
    Ok(file)
}

/// The clock, and the suite that grows.
struct Watcher {
    started: Instant,
    timeout: Duration,
    interrupted: Arc<AtomicBool>,
    suite: Growing,
    /// Whether the first objective that is covered ends it all.
    one_is_enough: bool,
    /// Why a test could not be written.
    failed: Option<covenant_report::Error>,
}

impl Watcher {
    fn new(started: Instant, timeout: Duration, session: &Session, suite: Growing, one_is_enough: bool) -> Watcher {
        let interrupted = stop::at_interrupt(session.cancel());
        if !timeout.is_zero() {
            stop::after(timeout.saturating_sub(started.elapsed()), session.cancel());
        }
        Watcher { started, timeout, interrupted, suite, one_is_enough, failed: None }
    }

    fn is_over(&self) -> bool {
        let late = !self.timeout.is_zero() && self.started.elapsed() >= self.timeout;
        late || self.interrupted.load(Ordering::Relaxed) || self.failed.is_some()
    }
}

impl Observer for Watcher {
    fn elapsed(&mut self) -> u64 {
        self.started.elapsed().as_millis() as u64
    }

    fn progress(&mut self, progress: &Progress) -> Option<Status> {
        if self.interrupted.load(Ordering::Relaxed) || self.failed.is_some() {
            return Some(Status::Interrupted);
        }
        if self.one_is_enough && progress.covered > 0 {
            return Some(Status::Limit);
        }
        self.is_over().then_some(Status::Timeout)
    }

    fn kept(&mut self, test: &TestCase) {
        if let Err(error) = self.suite.add(test) {
            self.failed.get_or_insert(error);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_preprocessed_files_say_no_more_where_they_come_from() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let file = folder.path().join(name);
            std::fs::write(&file, text).unwrap();
            file
        };
        let (out, task) =
            (folder.path().join("out"), write("a.i", "# 1 \"a.c\"\n#pragma x\n  # line 7\nint x;\n#line 9\n"));
        std::fs::create_dir(&out).unwrap();
        let copy = compiled(&task, &out).unwrap();
        assert_eq!(
            (copy.file_name(), std::fs::read_to_string(&copy).unwrap().as_str()),
            (Some("a.c".as_ref()), "\n#pragma x\n  # line 7\nint x;\n\n")
        );
        let plain = write("b.c", "#include <x.h>\n#if 1\n#endif\n");
        assert_eq!(compiled(&plain, &out).unwrap(), plain);
    }
}
