//! Messages for people.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anstyle::{AnsiColor, Style};
use covenant_goals::report::ObjectiveEntry;
use covenant_interpreter::Trap;
use covenant_program::ir::{Loc, Origin, Program, SourceFile};

const RED: Style = AnsiColor::Red.on_default().bold();
const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

/// Frames of the call stack that are shown at either end.
const SHOWN: usize = 10; // not tuning: how much is told

/// Something kept us from running at all.
pub(crate) fn failure(error: &anyhow::Error) {
    let text = error.to_string();
    // What clang says stands for itself.
    if text.contains(": error:") || text.contains(": fatal error:") {
        anstream::eprintln!("{}", text.trim_end());
        return;
    }
    anstream::eprintln!("{RED}error:{RED:#} {text}");
    for cause in causes(error) {
        anstream::eprintln!("  because: {cause}");
    }
}

/// Why, as far as what is said before does not have it.
fn causes(error: &anyhow::Error) -> Vec<String> {
    let mut told = error.to_string();
    let mut all = Vec::new();
    for cause in error.chain().skip(1) {
        // The name of a file that was to become another one is nobody's business.
        let is_full = cause.downcast_ref::<std::io::Error>().is_some_and(|e| e.kind() == ErrorKind::StorageFull);
        let text = if is_full { "no space left on the disk".to_owned() } else { cause.to_string() };
        if !told.contains(&text) {
            told.push_str(&text);
            all.push(text);
        }
    }
    all
}

/// `1 test`, `2 tests`.
pub(crate) fn counted(count: usize, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}

/// What clang says of a file that it accepts.
pub(crate) fn warning(text: &str) {
    anstream::eprint!("{text}");
}

/// What an objective is, in words.
pub(crate) fn meaning(o: &ObjectiveEntry) -> String {
    if o.criterion.is_condition() {
        return format!("{} is {}", o.text, o.outcome);
    }
    format!("`{}`, {}", o.text, o.outcome)
}

/// A trap of the program: the place, the line, the calls that led there.
pub(crate) fn trap(program: &Program, trap: &Trap) {
    let place = place(program, trap.at);
    anstream::eprintln!("{BOLD}{place}:{BOLD:#} {RED}error:{RED:#} {} [{}]", trap.message, trap.kind);
    if let Some(line) = source_line(program, trap.at) {
        let number = trap.at.line.to_string();
        anstream::eprintln!("{DIM}{number:>5} |{DIM:#} {}", line.trim_end());
        let indent: String = line
            .chars()
            .take(trap.at.column.saturating_sub(1) as usize)
            .map(|c| if c == '\t' { c } else { ' ' })
            .collect();
        if trap.at.column > 0 {
            anstream::eprintln!("{DIM}      |{DIM:#} {indent}{RED}^{RED:#}");
        }
    }
    call_stack(program, trap);
}

fn call_stack(program: &Program, trap: &Trap) {
    let entries: Vec<_> = trap.stack.iter().filter(|entry| entry.at != Loc::NONE).collect();
    let shown = |index: usize| index < SHOWN || index + SHOWN >= entries.len();
    for (index, entry) in entries.iter().enumerate() {
        if shown(index) {
            let function = &program.functions[entry.function];
            let whose = if function.origin == Origin::Library { " (C library)" } else { "" };
            anstream::eprintln!(
                "  {DIM}in{DIM:#} {} {DIM}at{DIM:#} {}{whose}",
                function.name,
                place(program, entry.at)
            );
        } else if shown(index - 1) {
            anstream::eprintln!("  {DIM}... {} more calls ...{DIM:#}", entries.len() - 2 * SHOWN);
        }
    }
}

pub(crate) fn place(program: &Program, at: Loc) -> String {
    match at.file() {
        Some(file) => format!("{}:{}:{}", shown(&path(&program.files[file])), at.line, at.column),
        None => "covenant".to_owned(),
    }
}

/// The same for a file that results name from the project's root.
pub(crate) fn shown_from(root: &Path, file: &str) -> String {
    let place = root.join(file);
    if place.is_file() { shown(&place.canonicalize().unwrap_or(place)) } else { file.to_owned() }
}

/// As a person in the current directory would write it.
pub(crate) fn shown(full: &Path) -> String {
    let here = std::env::current_dir().ok();
    let relative = here.and_then(|here| full.strip_prefix(here).ok().map(Path::to_owned));
    relative.as_deref().unwrap_or(full).display().to_string()
}

fn path(file: &SourceFile) -> PathBuf {
    Path::new(&file.directory).join(&file.name)
}

fn source_line(program: &Program, at: Loc) -> Option<String> {
    let file = &program.files[at.file()?];
    let text = std::fs::read(path(file)).ok()?;
    let line = text.split(|&b| b == b'\n').nth(at.line.checked_sub(1)? as usize)?;
    Some(String::from_utf8_lossy(line).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cause_is_told_once() {
        let full = std::io::Error::from(ErrorKind::StorageFull);
        let error = anyhow::Error::new(full).context("out/report.json cannot be written");
        assert_eq!(causes(&error), ["no space left on the disk"]);
        let denied = std::io::Error::from(ErrorKind::PermissionDenied);
        let text = format!("out: {denied}");
        assert!(causes(&anyhow::Error::new(denied).context(text)).is_empty());
    }
}
