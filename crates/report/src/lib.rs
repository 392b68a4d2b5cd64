//! What Covenant hands out, and how it is confirmed.
//!
//! [`subject`]: all that a suite needs to know of the code under test. [`suite`]: test suites, one file a format.
//! [`files`]: `report.json`, `tests/*.json`, everything written atomically. [`html`]: the report for people.
//! [`replay`]: builds subject and suite natively, runs every test and compares llvm-cov's branches with the claims.
//! [`mutate`]: which changes of the source a suite notices.
//! [`model`]: pictures of a prover's model. [`source_lines`]: what comments quote.

mod advice;
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
mod proof_words;
mod readable;
pub mod replay;
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
pub use subject::{AddressSpace, Declared, Linkage, NamedFunction, Stub, StubKind, SubjectFile, SubjectInfo};
pub use suite::{SuiteFormat, write_suites};

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{}: {source}", .path.display())]
    File { path: PathBuf, source: std::io::Error },
    #[error("{}: {message}", .path.display())]
    Content { path: PathBuf, message: String },
    #[error("test {test}: {message}")]
    Test { test: String, message: String },
    #[error("the subject has no file number {0}")]
    NoEntryFile(usize),
    #[error(transparent)]
    Clang(#[from] covenant_program::clang::Error),
    #[error("`{}` cannot be run: {source}", .program.display())]
    Program { program: PathBuf, source: std::io::Error },
    #[error("{0} was not found; install it with `apt-get install llvm-19`")]
    NoTool(&'static str),
    /// The compiler's own words.
    #[error("{what} does not compile natively:\n{message}")]
    Build { what: String, message: String },
    /// Nothing native runs without a fence unless the user says so.
    #[error(transparent)]
    Fence(#[from] covenant_sandbox::Error),
    #[error("{what}: {message}")]
    Coverage { what: String, message: String },
}

impl Error {
    pub(crate) fn file(path: &Path) -> impl FnOnce(std::io::Error) -> Error + '_ {
        |source| Error::File { path: path.to_path_buf(), source }
    }
}
