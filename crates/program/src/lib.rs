//! From C source to a program that can be run and reasoned about.
//!
//! [`clang`] turns each C file into LLVM bitcode, [`lower`] turns the bitcode into [`ir`] and, on
//! request, reads the source's [`types`]; [`syntax`] is the source as the parser sees it. [`analysis`] says what follows from a program without running it, [`world`] lists
//! what of the C library reaches outside, [`target`] the machines that code is for. Nothing else in Covenant knows of LLVM.

pub mod analysis;
pub mod clang;
pub mod coverage;
pub mod ir;
pub mod lower;
pub mod sources;
pub mod syntax;
pub mod target;
pub mod types;
pub mod verify;
pub mod world;
