//! The program of all mutants.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::replay::build::{compile, support_objects};
use crate::replay::server::Answer;
use crate::subject::{SubjectFile, SubjectInfo};
use crate::{Error, suite};

/// A program that is all mutants, as one way to build it made it.
#[derive(Debug)]
pub(super) struct Program {
    pub(super) path: PathBuf,
    /// Names of tests.
    pub(super) tests: Vec<String>,
    /// What its run-time libraries read when they start.
    pub(super) settings: Vec<(&'static str, String)>,
    /// Whether sanitizers are in it, which say on standard error what they see.
    pub(super) reports: bool,
}

impl Program {
    /// Whether a test passed, without a word of sanitizers.
    pub(super) fn is_passed(&self, answer: &Answer) -> bool {
        let is_report = |line: &str| line.contains("runtime error: ") || line.contains("ERROR: AddressSanitizer");
        answer.passed && !(self.reports && answer.errors.lines().any(is_report))
    }
}

/// Where the changed files and the suite are, and how they are compiled.
pub(super) struct Build<'a> {
    pub(super) clang: &'a Path,
    pub(super) scratch: &'a Path,
    pub(super) subject: &'a SubjectInfo,
    /// The flags with which headers are changed, too.
    pub(super) overlay: Vec<String>,
}

/// Flags with which clang finds other texts in the place of files.
pub(super) fn overlay(at: &Path, texts: &[(&Path, PathBuf)]) -> Result<Vec<String>, Error> {
    if texts.is_empty() {
        return Ok(Vec::new());
    }
    let roots: Vec<serde_json::Value> = texts
        .iter()
        .map(|(path, text)| serde_json::json!({ "type": "file", "name": path, "external-contents": text }))
        .collect();
    let overlay = serde_json::json!({ "version": 0, "use-external-names": false, "roots": roots });
    crate::files::write_file(at, overlay.to_string().as_bytes())?;
    Ok(vec!["-ivfsoverlay".to_owned(), at.display().to_string()])
}

impl Build<'_> {
    /// Compiles the changed files with these flags too, and the suite.
    pub(super) fn program(&self, name: &str, flags: &[&str]) -> Result<PathBuf, Error> {
        let written = self.scratch.join("suite");
        let mut objects = Vec::new();
        for (index, file) in self.subject.files.iter().enumerate() {
            let source = self.scratch.join(format!("mutants{index}.c"));
            let object = self.scratch.join(format!("{name}{index}.o"));
            let mut command = command_for(self.clang, file);
            command.args(["-O0", "-w", "-c"]).args(&self.overlay).args(flags).arg("-o").arg(&object);
            if index == self.subject.entry_file {
                command.arg(format!("-DCOVENANT_SUBJECT=\"{}\"", source.display()));
                command.arg(written.join(suite::SUITE));
            } else {
                command.arg("--").arg(&source);
            }
            compile(command, self.scratch, &file.absolute().display().to_string())?;
            objects.push(object);
        }
        objects.extend(support_objects(self.clang, &self.subject.machine(), &written, self.scratch)?);
        let program = self.scratch.join(name);
        let mut command = Command::new(self.clang);
        command
            .args(self.subject.machine())
            .arg("-Wl,--wrap=main")
            .args(flags)
            .arg("-o")
            .arg(&program)
            .args(&objects)
            .args(["-lm", "-lpthread"]);
        compile(command, self.scratch, "the suite")?;
        Ok(program)
    }
}

/// The compiler with the flags of a file that stands elsewhere now.
pub(super) fn command_for(clang: &Path, file: &SubjectFile) -> Command {
    let mut command = Command::new(clang);
    let path = file.absolute();
    // What the file includes is beside where it was.
    let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
    command.current_dir(file.absolute_directory()).args(&file.flags);
    command.arg("-iquote").arg(folder);
    command
}
