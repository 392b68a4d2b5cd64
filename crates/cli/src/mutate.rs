//! `covenant mutate`

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anstyle::{AnsiColor, Style};
use anyhow::Result;
use covenant::{Error, Mutate, MutateOptions, Mutated, Observer, Progress, Session, Status};
use covenant_report::{Fate, SourceLines};
use serde_json::json;

use crate::args::MutateArgs;
use crate::diagnose::{counted, shown};
use crate::replay::CONTRADICTION;
use crate::stop;

const BOLD: Style = Style::new().bold();
const GREEN: Style = AnsiColor::Green.on_default().bold();
const YELLOW: Style = AnsiColor::Yellow.on_default().bold();

pub(crate) fn run(args: &MutateArgs) -> Result<u8> {
    let native =
        MutateOptions { jobs: args.jobs.unwrap_or(0), fencing: args.native.fencing(), ..MutateOptions::default() };
    let cancel: Arc<AtomicBool> = Arc::default();
    let how = Mutate { improve: args.improve, native, cancel: Arc::clone(&cancel) };
    let mut clock = Clock { started: None, timeout: args.timeout, cancel };
    let observer: Option<&mut dyn Observer> = if args.timeout.is_zero() { None } else { Some(&mut clock) };
    let mutated = match Session::mutate(&args.dir, &how, observer) {
        Err(Error::Contradiction(_)) => {
            anstream::eprintln!(
                "error: covenant contradicted itself while it looked at mutants; please send us the files"
            );
            return Ok(CONTRADICTION);
        }
        mutated => mutated?,
    };
    print(args, &mutated)?;
    Ok(u8::from(mutated.mutants.iter().any(|mutant| mutant.fate == Fate::Survived)))
}

/// Runs from the first time that somebody looks at it: mutants are built and run before the search.
struct Clock {
    started: Option<Instant>,
    timeout: Duration,
    /// Ends what does not look at the clock.
    cancel: Arc<AtomicBool>,
}

impl Clock {
    fn passed(&mut self) -> Duration {
        let started = self.started.get_or_insert_with(|| {
            stop::after(self.timeout, Arc::clone(&self.cancel));
            Instant::now()
        });
        started.elapsed()
    }
}

impl Observer for Clock {
    fn elapsed(&mut self) -> u64 {
        self.passed().as_millis() as u64
    }

    fn progress(&mut self, _: &Progress) -> Option<Status> {
        (self.passed() >= self.timeout).then_some(Status::Timeout)
    }
}

fn print(args: &MutateArgs, mutated: &Mutated) -> Result<()> {
    let Mutated { mutants, tests, added } = mutated;
    let count = |fate: Fate| mutants.iter().filter(|m| m.fate == fate).count();
    let (killed, survived, equivalent) = (count(Fate::Killed), count(Fate::Survived), count(Fate::Equivalent));
    let score = 100.0 * killed as f64 / (mutants.len() - equivalent).max(1) as f64;
    if args.json {
        let totals =
            json!({ "mutants": mutants.len(), "killed": killed, "survived": survived, "equivalent": equivalent });
        let value = json!({ "schema": 1, "kind": "strong", "score": score, "totals": totals, "mutants": mutants, "added": added });
        anstream::println!("{}", serde_json::to_string_pretty(&value)?);
        return Ok(());
    }
    anstream::println!(
        "{BOLD}{}{BOLD:#}: {GREEN}{killed} killed{GREEN:#} by {} (strong), {survived} survived, {equivalent} \
         proved equivalent; score {score:.1}%",
        counted(mutants.len(), "mutant", "mutants"),
        counted(*tests, "test", "tests")
    );
    if !added.is_empty() {
        anstream::println!("  added: {}", added.join(", "));
    }
    let lines = SourceLines::new(vec![Path::new("/").to_path_buf()]);
    for mutant in mutants.iter().filter(|m| m.fate != Fate::Killed) {
        let (style, word) = match mutant.fate {
            Fate::Equivalent => (GREEN, "equivalent"),
            _ => (YELLOW, "survived"),
        };
        let text = lines.line(&mutant.file, mutant.line).unwrap_or_default();
        let place = format!("{}:{}:{}", shown(Path::new(&mutant.file)), mutant.line, mutant.column);
        let why = mutant.why.map(|why| format!(" ({why})")).unwrap_or_default();
        anstream::println!("  {style}{word}{style:#} {place}: {}: {}{why}", mutant.change, text.trim());
    }
    Ok(())
}
