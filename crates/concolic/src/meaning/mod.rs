//! What instructions mean, as terms: the one translation. Symbolic execution, the transition system and bounded queries differ
//! in what is concrete and what is free, never in what an instruction does, so all of them ask here.
//!
//! * [`pure`]: results that depend on the operands alone.
//! * [`control`]: the conditions of branches and switches, and of what traps.
//! * [`memory`]: addresses, and values as the bytes that memory holds.

pub mod control;
pub mod memory;
pub mod pure;
