//! What the framework has and the code under test may have, too: there it has another name.

use std::collections::BTreeSet;

use super::dialect::Dialect;
use crate::subject::SubjectInfo;

/// Directives for the file of the tests, which includes code under test.
pub(super) struct Renamed {
    /// Gives the names those that the code's own have.
    pub(super) own: String,
    /// Gives them those of the framework.
    pub(super) others: String,
}

impl Renamed {
    pub(super) fn new(subject: &SubjectInfo, dialect: Dialect) -> Renamed {
        let names = names(subject, dialect);
        let own = names.iter().map(|name| format!("#define {}\n", definition(name, ' '))).collect();
        let others = names.iter().map(|name| format!("#undef {name}\n")).collect();
        Renamed { own, others }
    }
}

/// The same for files of the code that are compiled by themselves: definitions of macros.
pub(crate) fn other_names(subject: &SubjectInfo, dialect: Dialect) -> Vec<String> {
    names(subject, dialect).iter().map(|name| definition(name, '=')).collect()
}

fn definition(name: &str, between: char) -> String {
    format!("{name}{between}covenant_subject_{name}")
}

/// Names that files of the code have, or their headers.
fn names(subject: &SubjectInfo, dialect: Dialect) -> Vec<&'static str> {
    let candidates = dialect.own_names();
    let mut found: BTreeSet<&str> = subject.framework_names.iter().map(String::as_str).collect();
    for text in subject.files.iter().filter_map(|file| std::fs::read(file.absolute()).ok()) {
        let text = String::from_utf8_lossy(&text);
        let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        found.extend(words.filter_map(|word| candidates.iter().copied().find(|name| *name == word)));
    }
    candidates.iter().copied().filter(|name| found.contains(name)).collect()
}
