//! What a session fails with.

/// Why there is no result.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Something was both proved and refuted. That is always a bug of Covenant's own, and worth a report.
    #[error("covenant contradicted itself: {0}")]
    Contradiction(String),
    /// It could not run: a file that clang rejects, a function that is not there, a directory that cannot be written. The
    /// sources of the error say why.
    #[error(transparent)]
    CouldNotRun(Box<dyn std::error::Error + Send + Sync>),
}

impl From<anyhow::Error> for Error {
    fn from(error: anyhow::Error) -> Error {
        Error::CouldNotRun(error.into())
    }
}

impl From<covenant_constraints::tuning::Wrong> for Error {
    fn from(wrong: covenant_constraints::tuning::Wrong) -> Error {
        Error::CouldNotRun(Box::new(wrong))
    }
}

impl From<covenant_goals::Contradiction> for Error {
    fn from(contradiction: covenant_goals::Contradiction) -> Error {
        Error::Contradiction(contradiction.to_string())
    }
}
