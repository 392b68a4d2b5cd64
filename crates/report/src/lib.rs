//! What Covenant hands out, and how it is confirmed.
//!
//! [`subject`]: all that a suite needs to know of the code under test. [`suite`]: test suites, one file a format.
//! [`files`]: `report.json`, `tests/*.json`, everything written atomically. [`html`]: the report for people.
//! [`mod@replay`]: builds subject and suite natively, runs every test and compares llvm-cov's branches with the claims.
//! [`index`] and [`mod@project`]: all functions of a project on one page, and as one run.
//! [`mutate`]: which changes of the source a suite notices.
//! [`model`]: pictures of a prover's model. [`source_lines`]: what comments quote.

mod advice;
pub mod against;
mod audit;
pub mod board;
pub mod content;
pub mod counted;
mod dead;
pub mod export;
mod fencing;
pub mod files;
pub mod html;
pub mod index;
pub mod lines;
pub mod model;
pub mod mutate;
mod parallel;
pub mod project;
mod proof_words;
mod readable;
pub mod replay;
pub mod root;
pub mod run_dir;
pub mod source_lines;
pub mod subject;
pub mod suite;
mod value;

use std::path::{Path, PathBuf};

pub use covenant_sandbox::Layer;
pub use fencing::Fencing;
pub use files::{write_proofs, write_report, write_tests};
pub use html::write_html;
pub use mutate::{Fate, Mutant, Mutants, MutateOptions};
pub use replay::{ReplayOptions, ReplayResult, replay};
pub use run_dir::RunDir;
pub use source_lines::SourceLines;
pub use subject::{AddressSpace, Declared, Linkage, NamedFunction, Number, Stub, StubKind, SubjectFile, SubjectInfo};
pub use suite::{SuiteFormat, write_suites};
pub use value::readable_path;

/// Why something cannot be handed out or confirmed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file cannot be read or written.
    #[error("{}: {source}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A file is not what it should be.
    #[error("{}: {message}", .path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        message: String,
    },
    /// A test cannot be written in this form.
    #[error("test {test}: {message}")]
    Test {
        /// Its name.
        test: String,
        /// Why not.
        message: String,
    },
    /// The subject names a file that it does not have.
    #[error("the subject has no file number {0}")]
    NoEntryFile(usize),
    /// clang is missing, or another one.
    #[error(transparent)]
    Clang(#[from] covenant_program::clang::Error),
    /// A program cannot be started.
    #[error("`{}` cannot be run: {source}", .program.display())]
    Program {
        /// Which one.
        program: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A tool of LLVM is missing.
    #[error("{0} was not found; install it with `apt-get install llvm-19`")]
    NoTool(&'static str),
    /// The compiler's own words.
    #[error("{what} does not compile natively:\n{message}")]
    Build {
        /// What was compiled.
        what: String,
        /// The words.
        message: String,
    },
    /// Nothing native runs without a fence unless the user says so.
    #[error(transparent)]
    Fence(#[from] covenant_sandbox::Error),
    /// What llvm-cov or the counters say cannot be read.
    #[error("{what}: {message}")]
    Coverage {
        /// Who says it.
        what: String,
        /// What is wrong.
        message: String,
    },
}

impl Error {
    pub(crate) fn file(path: &Path) -> impl FnOnce(std::io::Error) -> Error + '_ {
        |source| Error::File { path: path.to_path_buf(), source }
    }
}
