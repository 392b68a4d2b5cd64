//! Test suites, one file a format.

pub(crate) mod declare;
pub(crate) mod device;
pub(crate) mod framework;
pub(crate) mod given;
pub(crate) mod heard;
pub(crate) mod literal;
pub(crate) mod table;
pub(crate) mod variadic;
pub(crate) mod world;
pub(crate) mod xml;

use std::path::{Path, PathBuf};

use covenant_goals::TestCase;
use covenant_goals::report::ObjectiveEntry;
use strum::IntoEnumIterator;

use crate::Error;
use crate::files;
use crate::root;
use crate::subject::{SubjectInfo, below};

pub(crate) use c::{FILTERS_TEXT, OTHERS, SOURCES, SUITE, SUPPORT, write as write_c};

/// What a suite is made of.
struct Suite<'s> {
    /// Where it goes, and nothing else.
    folder: &'s Path,
    subject: &'s SubjectInfo,
    tests: &'s [TestCase],
    /// What gives tests their names.
    objectives: &'s [ObjectiveEntry],
    /// Whether what the runs returned and wrote is asserted.
    oracle: bool,
}

/// What a format's file says of it.
struct Profile {
    /// What it is, as `--help` says it; nothing where the name says it all.
    about: &'static str,
    write: fn(&Suite<'_>) -> Result<(), Error>,
    /// For the suites of frameworks.
    kit: Option<Kit>,
}

/// What the suite of a framework is built with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kit {
    pub(crate) dialect: framework::Dialect,
    /// What shows that it is installed; `None`: where it is, the project says.
    pub(crate) headers: Option<&'static str>,
    /// A macro of theirs.
    pub(crate) defines: Option<&'static str>,
    pub(crate) libraries: &'static [&'static str],
    /// Whether there is a file of C++ beside that of C.
    pub(crate) cxx: bool,
}

covenant_goals::registry! {
    /// The forms of test suites, as users write them behind `--suite`.
    #[derive(serde::Serialize, serde::Deserialize)]
    #[serde(rename_all = "kebab-case")]
    enum SuiteFormat in "suite" {
        c: C,
        cmocka: Cmocka,
        unity: Unity,
        check: Check,
        gtest: Gtest,
        pub(crate) embedded: Embedded,
        pub test_comp: TestComp,
        ktest: Ktest,
        sh: Sh,
    }
}

impl SuiteFormat {
    /// In the order of the registry.
    pub fn all() -> impl Iterator<Item = SuiteFormat> {
        SuiteFormat::iter()
    }

    /// What it is, where the name does not say it all.
    pub fn about(self) -> &'static str {
        self.profile().about
    }

    pub(crate) fn kit(self) -> Option<Kit> {
        self.profile().kit
    }

    /// Where the suite is, below the output directory.
    pub fn folder(self) -> String {
        format!("suite/{self}")
    }
}

/// Writes `subject.json` and the suites. Suites of other formats that are there from before are removed: they would be of other
/// tests. With `oracle`, what the runs returned and wrote is asserted. Objectives give tests their names.
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
        if !formats.contains(&format) {
            files::remove_folder(&folder)?;
            continue;
        }
        (format.profile().write)(&Suite { folder: &folder, subject, tests, objectives, oracle })?;
    }
    Ok(())
}

/// The files that the suite of a framework is compiled from; `None`: the format is no framework's.
pub(crate) fn framework_sources(
    format: SuiteFormat,
    folder: &Path,
    subject: &SubjectInfo,
) -> Result<Option<Vec<PathBuf>>, Error> {
    let folder = std::path::absolute(folder).map_err(Error::file(folder))?;
    let test = format!("test_{}", framework::identifier(&subject.function));
    let Some(kit) = format.kit() else { return Ok(None) };
    let mut files = vec![folder.join(format!("{test}.c"))];
    if kit.cxx {
        files.push(folder.join(format!("{test}.cc")));
    }
    match format {
        SuiteFormat::Embedded => {
            files.extend(embedded::for_hosts(subject).into_iter().map(|(name, _)| folder.join(name)))
        }
        _ => files.extend(world::needed(subject).map(|(name, _)| folder.join(name))),
    }
    Ok(files.iter().all(|file| file.is_file()).then_some(files))
}

/// The definitions of macros that files of the code need which the suite does not include.
pub(crate) fn other_names(kit: &Kit, subject: &SubjectInfo) -> Vec<String> {
    framework::other_names(subject, kit.dialect)
}

/// Whether a function of some framework, or of the headers that suites include, has this name.
pub fn is_shared(name: &str) -> bool {
    framework::is_shared(name)
}

/// The functions of the headers that suites include.
pub fn library_names() -> impl Iterator<Item = &'static str> {
    framework::library_names()
}

/// The formats of the suites that are there.
pub fn written(dir: &Path) -> Vec<SuiteFormat> {
    SuiteFormat::iter().filter(|format| dir.join(format.folder()).is_dir()).collect()
}

/// Text that cannot end a comment, or go on behind its line.
fn comment(text: &str) -> String {
    let text = text.replace("*/", "* /").replace("/*", "/ *").replace(['\n', '\r'], " ");
    text.trim_end_matches('\\').to_owned()
}

/// Where a test stands that has nothing to compare: why, as a comment.
fn nothing_compared(undefined: &str) -> String {
    format!("/* Nothing is compared, since C does not say what comes of it: {}. */", comment(undefined))
}

/// The command that makes results anew, where it is to be given: words of a comment, or nothing if it is not known.
fn again(subject: &SubjectInfo) -> Option<String> {
    let is_ours = |word: &&String| !matches!(word.as_str(), "--quiet" | "--no-progress");
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=/.,+:@%".contains(c);
    let word = |word: &String| {
        let word = root::marked(word, &subject.root).replace(&format!("{}/", root::ROOT), "");
        if !word.is_empty() && word.chars().all(plain) { word } else { format!("'{}'", word.replace('\'', "'\\''")) }
    };
    let words: Vec<String> = subject.command.iter().filter(is_ours).map(word).collect();
    let place = below(&subject.working_directory, &subject.root);
    let place = if place.as_os_str() == "." { String::new() } else { format!(" in {}", place.display()) };
    (!words.is_empty()).then(|| comment(&format!("To make them anew{place}: covenant {}", words.join(" "))))
}

/// What a test lacks or holds twice is our own mistake, told with the test's name.
fn bad_test(test: &TestCase) -> impl Fn(String) -> Error + '_ {
    |message| Error::Test { test: test.name.clone(), message }
}
