//! LLVM bitcode to the [IR](crate::ir).
//!
//! The units of the subject are linked into one module, its locals are promoted to registers, and then every function
//! is taken over instruction by instruction. No pass runs and nothing is folded that could change the control flow of
//! the source: what clang gave a conditional branch keeps it.
//!
//! What the subject leaves undefined is looked up in the library, a second module, of which only what is reachable is
//! lowered. An instruction that has no counterpart in the IR becomes [`Op::Unsupported`](crate::ir::Op::Unsupported),
//! which traps when it is executed.

mod calls;
mod constants;
mod ctypes;
mod debug;
mod function;
mod globals;
mod instructions;
mod intrinsics;
mod library;
mod link;
mod llvm;
mod memory;
mod packed;
mod symbols;
mod types;
mod vectors;
mod wide;

#[cfg(test)]
mod tests;

use std::path::PathBuf;

use crate::clang::Unit;
use crate::coverage::FunctionCoverage;
use crate::coverage::decode::CoverageError;
use crate::ir::{Program, Target};

pub use link::{link, without_assembly};

/// What of the library a program that has `main` needs without naming it.
pub const LIBRARY_ROOTS: &[&str] = &["__covenant_start"];

/// A function of the library that writes what is in the buffers of all streams; it is there in programs that use streams.
pub const FLUSH_STREAMS: &str = "__lib_stream_flush_all";

/// What of a program is wanted.
#[derive(Clone, Debug)]
pub struct Options {
    /// Promote locals whose address is not taken to SSA values.
    pub promote: bool,
    /// Read the C types of the subject from its debug information.
    pub types: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { promote: true, types: false }
    }
}

/// Why there is no program, in words for the user.
#[expect(missing_docs, reason = "the messages say it")]
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("there is nothing to lower")]
    Nothing,
    #[error("{}: not readable as LLVM 19 bitcode: {message}", .file.display())]
    Bitcode { file: PathBuf, message: String },
    #[error("the C library: not readable as LLVM 19 bitcode: {0}")]
    Library(String),
    #[error("`{name}` is defined twice: in {} and in {}", .first.display(), .second.display())]
    Duplicate { name: String, first: PathBuf, second: PathBuf },
    #[error("{}: cannot be linked with the other files: {message}", .file.display())]
    Link { file: PathBuf, message: String },
    #[error("{}: compiled for {triple}; x86_64 with 64-bit pointers, i386, little-endian arm, aarch64, riscv32 and riscv64, and big-endian mips are supported", .file.display())]
    Target { file: PathBuf, triple: String },
    #[error("{}: assembly with `{directive}`, which reads files, is not supported", .file.display())]
    Assembly { file: PathBuf, directive: &'static str },
    #[error("promotion of locals failed: {0}")]
    Promotion(String),
    #[error("the coverage mapping of clang cannot be read: {0}")]
    Coverage(#[from] CoverageError),
    #[error("the initialiser of `{name}` has a part that is not supported: {what}")]
    Initialiser { name: String, what: String },
}

/// The C library for each machine: an archive of modules, as `library.rs` says, or one module of bitcode.
pub type Library<'a> = &'a dyn Fn(Target) -> &'a [u8];

/// A program, and what clang's coverage mapping says of its functions.
#[derive(Clone, Debug)]
pub struct Covered {
    /// The program.
    pub program: Program,
    /// Of each function. What is not used has a mapping, but no code and no symbol.
    pub mappings: Vec<Mapping>,
}

/// The coverage mapping of a function, and its symbol.
pub type Mapping = (Option<String>, FunctionCoverage);

/// Links the subject's units, then resolves what they leave undefined from the library (only what is reachable). The
/// library has its locals promoted, whatever the options say.
pub fn lower(units: &[Unit], library: Option<Library<'_>>, options: &Options) -> Result<Program, Error> {
    let context = llvm::Context::new();
    let mut subject = link::subject(&context, units, options)?;
    lowered(&context, &mut subject, library, options)
}

/// The same with the coverage mapping, which is in the same modules.
pub fn lower_covered(units: &[Unit], library: Option<Library<'_>>, options: &Options) -> Result<Covered, Error> {
    let context = llvm::Context::new();
    let mut subject = link::subject(&context, units, options)?;
    let mappings = subject.coverage()?;
    Ok(Covered { program: lowered(&context, &mut subject, library, options)?, mappings })
}

fn lowered(
    context: &llvm::Context,
    subject: &mut llvm::Module<'_>,
    library: Option<Library<'_>>,
    options: &Options,
) -> Result<Program, Error> {
    let target = Target::of(&subject.triple()).unwrap_or_default();
    let parameters = options.types.then(|| subject.parameters());
    let library = library.map(|library| library::Library::new(context, library(target), subject.layout()));
    let library = library.transpose().map_err(Error::Library)?;
    let types = parameters.map(|parameters| ctypes::TypeReader::new(subject.debug_info(), parameters, target));
    let library = library.as_ref().map(|library| library as &dyn library::Definitions);
    symbols::Lowering::new(subject, library, (types, target)).run()
}
