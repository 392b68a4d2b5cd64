//! What the framework or the C library has and the code under test may have, too: there it has another name.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use super::dialect::Dialect;
use crate::subject::SubjectInfo;
use crate::suite::{SuiteFormat, declare};

/// Functions of the headers that suites include, which code may have without them: `index`, `y1`.
static LIBRARY: LazyLock<BTreeSet<&'static str>> =
    LazyLock::new(|| include_str!("library_names.txt").split_whitespace().collect());

/// What tests and the headers of suites call: there it is the C library's.
const CALLED_BY_SUITES: &[&str] = &[
    "_exit", "abort", "calloc", "close", "dup", "dup2", "exit", "fabs", "fabsf", "fabsl", "fcntl", "fflush", "fork",
    "fprintf", "free", "fwrite", "longjmp", "malloc", "memcmp", "memcpy", "memset", "pipe", "printf", "read", "rewind",
    "setjmp", "snprintf", "strcmp", "strlen", "strncmp", "tmpfile", "waitpid",
];

/// Directives for the file of the tests, which includes code under test.
pub(super) struct Renamed {
    /// Gives the framework's names those that the code's own have.
    pub(super) own: String,
    /// Gives them those of the framework.
    pub(super) others: String,
    /// The same for those of the C library.
    pub(super) library: Library,
}

/// Directives for names of the C library.
pub(super) struct Library {
    /// Gives them those that the code's own have.
    pub(super) own: String,
    /// The same where tests stand.
    pub(super) tests: String,
    /// Gives them those of the C library.
    pub(super) others: String,
}

impl Renamed {
    pub(super) fn new(subject: &SubjectInfo, dialect: Dialect) -> Renamed {
        let names = of_framework(subject, dialect);
        let library: Vec<&str> = of_library(subject, dialect).collect();
        let for_tests = library.iter().copied().filter(|name| !CALLED_BY_SUITES.contains(name));
        Renamed {
            own: defines(names.iter().copied()),
            others: undefines(names.iter().copied()),
            library: Library {
                own: defines(library.iter().copied()),
                tests: defines(for_tests),
                others: undefines(library.iter().copied()),
            },
        }
    }
}

fn defines<'n>(names: impl Iterator<Item = &'n str>) -> String {
    names.map(|name| format!("#define {name} {}\n", renamed(name))).collect()
}

fn undefines<'n>(names: impl Iterator<Item = &'n str>) -> String {
    names.map(|name| format!("#undef {name}\n")).collect()
}

/// Behind the stubs: what the suite itself calls is the C library's again, whatever the code under test calls instead.
pub(super) fn handed_back(subject: &SubjectInfo) -> String {
    let stubs = subject.stubs.iter().filter(|stub| stub.library && CALLED_BY_SUITES.contains(&stub.name.as_str()));
    let prototypes = stubs.filter_map(|stub| Some((&stub.name, declare::prototype(&stub.decl, &stub.name)?.head)));
    let texts = prototypes.map(|(name, head)| format!("#undef {name}\n{head};\n"));
    let text: String = texts.collect();
    if text.is_empty() { text } else { format!("\n/* The suite itself calls the C library's. */\n{text}") }
}

/// For files of the code that are compiled by themselves: definitions of macros that rename.
pub(crate) fn other_names(subject: &SubjectInfo, dialect: Dialect) -> Vec<String> {
    let is_known = |name: &&str| subject.shared_names.iter().any(|shared| shared.name == *name && !shared.file_only);
    let library = of_library(subject, dialect).filter(is_known);
    of_framework(subject, dialect).into_iter().chain(library).map(|name| format!("{name}={}", renamed(name))).collect()
}

/// What the code's own function or variable is called in suites.
pub(super) fn renamed(name: &str) -> String {
    format!("covenant_subject_{name}")
}

/// Whether tests have to call a function of the code by its other name.
pub(super) fn is_called_otherwise(subject: &SubjectInfo, name: &str, dialect: Dialect) -> bool {
    CALLED_BY_SUITES.contains(&name) && of_library(subject, dialect).any(|other| other == name)
}

/// Whether a function of some framework, or of the headers that suites include, has this name.
pub(crate) fn is_shared(name: &str) -> bool {
    let mut kits = SuiteFormat::all().filter_map(SuiteFormat::kit);
    LIBRARY.contains(name) || kits.any(|kit| kit.dialect.own_names().contains(&name))
}

/// The functions of the headers that suites include.
pub(crate) fn library_names() -> impl Iterator<Item = &'static str> {
    LIBRARY.iter().copied()
}

/// A board's suite includes none of these headers.
fn of_library(subject: &SubjectInfo, dialect: Dialect) -> impl Iterator<Item = &str> {
    let names = subject.shared_names.iter().map(|shared| shared.name.as_str());
    names.filter(move |name| dialect != Dialect::Embedded && LIBRARY.contains(name))
}

/// Names that files of the code have, or their headers.
fn of_framework(subject: &SubjectInfo, dialect: Dialect) -> Vec<&'static str> {
    let candidates = dialect.own_names();
    let mut found: BTreeSet<&str> = subject.shared_names.iter().map(|shared| shared.name.as_str()).collect();
    for text in subject.files.iter().filter_map(|file| std::fs::read(file.absolute()).ok()) {
        let text = String::from_utf8_lossy(&text);
        let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        found.extend(words.filter_map(|word| candidates.iter().copied().find(|name| *name == word)));
    }
    candidates.iter().copied().filter(|name| found.contains(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subject::SharedName;

    #[test]
    fn names_of_the_library_come_back_where_its_headers_are() {
        let shared = |name: &str, file_only| SharedName { name: name.to_owned(), file_only };
        let subject =
            SubjectInfo { shared_names: vec![shared("y1", true), shared("strlen", false)], ..SubjectInfo::default() };
        let names = Renamed::new(&subject, Dialect::Check).library;
        assert_eq!(names.own, "#define y1 covenant_subject_y1\n#define strlen covenant_subject_strlen\n");
        assert_eq!(names.tests, "#define y1 covenant_subject_y1\n");
        assert_eq!(names.others, "#undef y1\n#undef strlen\n");
        assert_eq!(other_names(&subject, Dialect::Check), ["strlen=covenant_subject_strlen"]);
        assert!(is_called_otherwise(&subject, "strlen", Dialect::Check));
        assert!(Renamed::new(&subject, Dialect::Embedded).library.own.is_empty());
        assert!(is_shared("getopt") && is_shared("print_error") && !is_shared("look"));
    }
}
