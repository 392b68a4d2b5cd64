//! Suites for cmocka, Unity, Check, GoogleTest and boards: C as a person would write it, in one file that includes the file of the
//! function under test, with a CMakeLists.txt.
//!
//! All tests share a process, unlike in `suite/c`, unless the code keeps what no test can set. A test that does not return (it shows a defect, exits, or does not end)
//! would take the others with it: it is written down, but only compiled where `COVENANT_DEFECTS` is defined. So is one that may go
//! anywhere, by addresses say. A test that cannot be written in this form is named in a comment with the reason; `suite/c` has it.

mod alone;
mod body;
mod checks;
mod cmake;
mod dialect;
mod ends;
mod initialiser;
mod names;
mod objects;
mod renamed;
mod rows;
mod runner;
mod strangers;
mod stubs;

use covenant_goals::TestCase;
use covenant_goals::TestOutcome;

use crate::Error;
use crate::files::write_file;
use crate::suite::given::Uses;
use crate::suite::{Suite, embedded, table, world};

pub(crate) use dialect::Dialect;
pub(crate) use names::{identifier, relative};
pub(crate) use renamed::{is_shared, library_names, other_names};

/// One test, written.
struct Written {
    name: String,
    /// What it covers first, in words.
    purpose: names::Purpose,
    /// The test's own name.
    from: String,
    body: String,
    /// Why it is only compiled on request.
    dangerous: Option<String>,
}

/// A test that is not in the suite, and why.
struct LeftOut {
    from: String,
    why: String,
}

pub(super) fn write(suite: &Suite<'_>, dialect: Dialect) -> Result<(), Error> {
    let &Suite { folder, tests, objectives, oracle, .. } = suite;
    let on_board = (dialect == Dialect::Embedded).then(|| embedded::on_board(suite.subject));
    let subject = on_board.as_ref().unwrap_or(suite.subject);
    let entry = subject.entry()?;
    let names = names::tests(subject, tests, objectives);
    let (mut written, mut left_out) = (Vec::new(), Vec::new());
    let uses = Uses::of(tests);
    let captures = on_board.is_none() && tests.iter().any(|test| test.observed.has_output());
    for (test, (name, purpose)) in tests.iter().zip(names) {
        let refused = on_board.as_ref().and_then(|_| embedded::refuses(suite.subject, test));
        let body = refused.map_or_else(|| body::write(subject, test, dialect, (oracle, captures)), Err);
        match body {
            Ok(body) => {
                let waits = ends::awaited(subject, test, dialect).is_some();
                let (from, dangerous) = (test.name.clone(), danger(test).filter(|_| !waits));
                written.push(Written { name, purpose, from, body, dangerous });
            }
            Err(why) => left_out.push(LeftOut { from: test.name.clone(), why }),
        }
    }
    let stem = names::identifier(&subject.function);
    let source = relative(folder, &entry.absolute());
    let table = table::of(subject, tests, oracle).filter(|_| left_out.is_empty());
    let parts = (written.as_slice(), left_out.as_slice(), table.as_ref());
    let text = runner::source(subject, &source, parts, &uses, dialect);
    write_file(&folder.join(format!("test_{stem}.c")), text.as_bytes())?;
    if dialect == Dialect::Gtest {
        let text = runner::gtest(subject, &written, table.is_some());
        write_file(&folder.join(format!("test_{stem}.cc")), text.as_bytes())?;
    }
    write_file(&folder.join("quiet.h"), include_bytes!("../c/quiet.h"))?;
    write_file(&folder.join("expect.h"), include_bytes!("expect.h"))?;
    if alone::needed(subject, dialect) {
        let (name, text) = alone::HEADER;
        write_file(&folder.join(name), text)?;
    }
    if captures && oracle {
        write_file(&folder.join("output.h"), include_bytes!("output.h"))?;
    }
    let safe: Vec<&str> = written.iter().filter(|t| t.dangerous.is_none()).map(|t| t.name.as_str()).collect();
    match dialect {
        Dialect::Embedded => embedded::write_rest(folder, subject, tests, (&safe, &text))?,
        _ => world::needed(subject).try_for_each(|(name, text)| write_file(&folder.join(name), text.as_bytes()))?,
    }
    let text = cmake::write(folder, subject, dialect, (&stem, &safe));
    write_file(&folder.join("CMakeLists.txt"), text.as_bytes())
}

fn danger(test: &TestCase) -> Option<String> {
    match (test.outcome, &test.trap) {
        (TestOutcome::Returned, _) if test.strays => {
            Some("where it goes depends on what C leaves open, such as the numbers that addresses are".to_owned())
        }
        (TestOutcome::Returned, _) => None,
        (_, Some(trap)) => {
            let file = trap.file.rsplit('/').next().unwrap_or(&trap.file);
            Some(format!("{file}:{}: {} ({})", trap.line, trap.message, trap.kind))
        }
        (TestOutcome::Exited, None) => Some("it ends the process".to_owned()),
        (TestOutcome::Aborted, None) => Some("it aborts".to_owned()),
        (TestOutcome::StepLimit, None) => Some("it did not end within the limit of steps".to_owned()),
        (TestOutcome::Trapped, None) => Some("it traps".to_owned()),
    }
}
