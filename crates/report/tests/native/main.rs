//! Suites and replay against real compilers: small subjects with tests written by hand.

// Helpers of tests are tests.
#![allow(clippy::unwrap_used)]

mod ends;
mod formats;
mod functions;
mod kit;
mod programs;
mod replayed;
