//! Execution.

pub mod library;
