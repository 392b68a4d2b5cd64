//! Suites for boards: one file without a C library, whose words go out character by character; see
//! [`framework`](super::framework). `suite.json` says what a board's words are held against.

use std::path::Path;

use covenant_goals::{TestCase, TestOutcome};
use serde::{Deserialize, Serialize};

use super::framework::{Dialect, write};
use super::{Kit, Profile, device};
use crate::Error;
use crate::files::write_file;
use crate::subject::{SubjectInfo, sha256};

pub(super) const PROFILE: Profile = Profile {
    about: "for a board: no C library, words over one character's output; see `import-results`",
    write: |suite| write(suite, Dialect::Embedded),
    kit: Some(Kit { dialect: Dialect::Embedded, headers: Some(""), defines: None, libraries: &[], cxx: false }),
};

/// `suite.json`: the suite as `import-results` knows it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Listed {
    pub(crate) function: String,
    /// Of the text of the tests; boards say it, too.
    pub(crate) digest: String,
    /// In the order in which they run.
    pub(crate) tests: Vec<String>,
}

/// Its name.
pub(crate) const LIST: &str = "suite.json";

/// What came back from a board, beside it.
pub(crate) const RESULTS: &str = "results.json";

/// As many letters as `embedded.h` has room for.
pub(crate) const DIGEST: usize = 16; // not tuning: a size

/// The files besides the tests that are compiled on a developer's machine.
pub(crate) fn for_hosts(subject: &SubjectInfo) -> Vec<(&'static str, &'static str)> {
    let host = [("host.c", include_str!("embedded_c/host.c"))];
    let device = subject.has_devices().then_some(("device.c", device::DEVICE));
    host.into_iter().chain(device).collect()
}

/// The subject as a board has it: what the C library does there is the board's.
pub(super) fn on_board(subject: &SubjectInfo) -> SubjectInfo {
    SubjectInfo { failing: Vec::new(), heap: Vec::new(), fixed: Vec::new(), ..subject.clone() }
}

/// Why a board cannot run a test.
pub(super) fn refuses(subject: &SubjectInfo, test: &TestCase) -> Option<String> {
    if test.outcome != TestOutcome::Returned {
        return Some("the call does not return".to_owned());
    }
    if let Some(failure) = test.failures.first() {
        return Some(format!("{} fails in it, which a board cannot be told", failure.function));
    }
    if let Some(name) = subject.fixed.first() {
        return Some(format!("what {name} gives is chosen, which a board cannot be told"));
    }
    let mut objects = test.objects.iter();
    objects.any(|object| object.heap || object.stream).then(|| "it needs an object of the C library".to_owned())
}

/// What goes beside the tests, whose text is given.
pub(super) fn write_rest(
    folder: &Path,
    subject: &SubjectInfo,
    tests: &[TestCase],
    (names, text): (&[&str], &str),
) -> Result<(), Error> {
    let mut digest = sha256(text.as_bytes());
    digest.truncate(DIGEST);
    let mut suite = format!("#define COVENANT_SUITE \"{digest}\"\n#define COVENANT_TESTS {}\n", names.len());
    if subject.has_devices() {
        let most = tests.iter().map(|test| test.device.len()).max().unwrap_or_default();
        suite.push_str(&format!("#define COVENANT_DEVICE_ROOM {}\n", most.max(1)));
        write_file(&folder.join("device_cortex_m.h"), device::CORTEX_M.as_bytes())?;
    }
    let put = |name: &str, text: &str| write_file(&folder.join(name), text.as_bytes());
    put("suite.h", &suite)?;
    put("embedded.h", include_str!("embedded_c/embedded.h"))?;
    for (name, text) in for_hosts(subject) {
        put(name, text)?;
    }
    // Those of another suite say nothing of this one.
    let results = folder.join(RESULTS);
    if results.is_file() {
        std::fs::remove_file(&results).map_err(Error::file(&results))?;
    }
    let tests = names.iter().map(|name| (*name).to_owned()).collect();
    let listed = Listed { function: subject.function.clone(), digest, tests };
    let text = serde_json::to_string_pretty(&listed)
        .map_err(|error| Error::Test { test: subject.function.clone(), message: error.to_string() })?;
    put(LIST, &(text + "\n"))
}
