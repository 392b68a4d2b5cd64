//! From the IR to the compact form that the machine runs.

mod decode;
mod image;
mod moves;
pub(crate) mod op;
mod otherwise;
mod tables;

pub use image::{Builtin, Checks, Image, Target};
