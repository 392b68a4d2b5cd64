//! Execution.
