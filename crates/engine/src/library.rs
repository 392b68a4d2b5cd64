//! The C library that ships with Covenant, as LLVM bitcode.
pub static LIBRARY: &[u8] = &[];
