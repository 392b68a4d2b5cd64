//! Test suites, one file a format.

mod c;
pub(crate) mod declare;
pub(crate) mod framework;
mod ktest;
mod test_comp;
pub(crate) mod world;
pub(crate) mod xml;

use std::path::Path;

use covenant_goals::TestCase;
use covenant_goals::report::ObjectiveEntry;
use strum::{Display, EnumIter, EnumString, IntoEnumIterator};

use crate::Error;
use crate::files;
use crate::subject::SubjectInfo;

use framework::Dialect;

pub(crate) use c::{SOURCES, SUITE, SUPPORT, write as write_c};

/// The name in kebab case is what users write behind `--suite`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Display, EnumIter, EnumString)]
#[strum(serialize_all = "kebab-case")]
pub enum SuiteFormat {
    /// Plain C with a Makefile.
    C,
    Cmocka,
    Unity,
    Check,
    /// GoogleTest.
    Gtest,
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

/// Writes `subject.json` and the suites. Suites of other formats that are there from before are written anew, so that all
/// are of the same tests. With `oracle`, what the runs returned and wrote is asserted. Objectives give tests their names.
pub fn write_suites(
    dir: &Path,
    subject: &SubjectInfo,
    tests: &[TestCase],
    objectives: &[ObjectiveEntry],
    formats: &[SuiteFormat],
    oracle: bool,
) -> Result<(), Error> {
    files::write_subject(dir, subject)?;
    for format in SuiteFormat::iter() {
        let folder = dir.join(format.folder());
        if !formats.contains(&format) && !folder.exists() {
            continue;
        }
        let framework = |dialect| framework::write(&folder, subject, tests, objectives, dialect, oracle);
        match format {
            SuiteFormat::Cmocka => framework(Dialect::Cmocka)?,
            SuiteFormat::Unity => framework(Dialect::Unity)?,
            SuiteFormat::Check => framework(Dialect::Check)?,
            SuiteFormat::Gtest => framework(Dialect::Gtest)?,
            SuiteFormat::C => c::write(&folder, subject, tests, oracle)?,
            SuiteFormat::TestComp => test_comp::write(&folder, subject, tests)?,
            SuiteFormat::Ktest => ktest::write(&folder, subject, tests)?,
        }
    }
    Ok(())
}

/// The formats of the suites that are there.
pub fn written(dir: &Path) -> Vec<SuiteFormat> {
    SuiteFormat::iter().filter(|format| dir.join(format.folder()).is_dir()).collect()
}

/// What a test lacks or holds twice is our own mistake, told with the test's name.
fn bad_test(test: &TestCase) -> impl Fn(String) -> Error + '_ {
    |message| Error::Test { test: test.name.clone(), message }
}
