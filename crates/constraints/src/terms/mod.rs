//! The language of terms: sorts, operations, values, the arena that holds terms and builds them, and what they mean.
//!
//! They are one thing: the arena simplifies as it builds, and what it folds, evaluation must say.

pub mod build;
pub mod eval;
pub mod float;
pub mod op;
pub mod rewrite;
pub mod sort;
pub mod term;
pub mod value;
