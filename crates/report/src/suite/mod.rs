//! Test suites, one file a format.

mod c;
mod ktest;
mod test_comp;
pub(crate) mod xml;

use std::path::Path;

use covenant_goals::TestCase;
use strum::{Display, EnumString};

use crate::Error;
use crate::files;
use crate::subject::SubjectInfo;

pub(crate) use c::{SOURCES, SUITE, SUPPORT, write as write_c};

/// The name in kebab case is what users write behind `--suite`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Display, EnumString)]
#[strum(serialize_all = "kebab-case")]
pub enum SuiteFormat {
    /// Plain C with a Makefile.
    C,
    /// The exchange format of Test-Comp.
    TestComp,
    /// KLEE's binary files.
    Ktest,
}

impl SuiteFormat {
    /// Where the suite is, below the output directory.
    pub fn folder(self) -> String {
        format!("suite/{self}")
    }
}

/// Writes `subject.json` and the suites. With `oracle`, what the runs returned and wrote is asserted.
pub fn write_suites(
    dir: &Path,
    subject: &SubjectInfo,
    tests: &[TestCase],
    formats: &[SuiteFormat],
    oracle: bool,
) -> Result<(), Error> {
    files::write_subject(dir, subject)?;
    for format in formats {
        let folder = dir.join(format.folder());
        match format {
            SuiteFormat::C => c::write(&folder, subject, tests, oracle)?,
            SuiteFormat::TestComp => test_comp::write(&folder, subject, tests)?,
            SuiteFormat::Ktest => ktest::write(&folder, subject, tests)?,
        }
    }
    Ok(())
}

/// What a test lacks or holds twice is our own mistake, told with the test's name.
fn bad_test(test: &TestCase) -> impl Fn(String) -> Error + '_ {
    |message| Error::Test { test: test.name.clone(), message }
}
