//! Words as integers, so that linear arithmetic can be asked about them. A bit-vector is an integer in one of its two readings,
//! signed or unsigned, chosen for each variable by what is done with it ([`Readings`]); [`Constants`] can be unknown numbers.
//! [`Encoder`] writes terms, [`query`] plain constraints.

mod constants;
mod encode;
mod expr;
mod number;
mod operations;
mod query;
mod reading;

pub use constants::Constants;
pub use encode::{Encoder, INT, sort_text};
pub use expr::{Expr, Exprs};
pub use number::{Interval, residue};
pub use query::{query, switch};
pub use reading::Readings;
