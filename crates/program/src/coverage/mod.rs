//! clang's coverage mapping: which source regions each counter of a function counts.
//!
//! clang decides what a branch and a condition is, and writes it down as one record a function (`__covrec_*`) plus one
//! list of file names a module (`__llvm_coverage_mapping`). [`decode`] reads these bytes, [`module`] finds them in LLVM
//! bitcode and [`program`] in a linked program, [`edge_mapping`] finds for each branch region the edges of our IR that are
//! its outcomes.
//!
//! The format is version 7 of "LLVM Code Coverage Mapping Format" (LLVM's documentation), what LLVM 19 writes.
//!
//! ## Files and macros
//! A region names a *virtual* file: the function's own source file, or one expansion of a macro or of an `#include`.
//! Each virtual file is an entry of the module's list of names. An expansion region in one virtual file is the place of
//! the macro's name, and leads to the virtual file of the expansion; there regions have the positions of the macro's
//! *definition*. [`FunctionCoverage::expansions`] goes the other way, from a virtual file up to the function's text. An
//! argument of a macro has the position of its parameter in the definition, with all that is written in it, further
//! macros too: two conditions in one argument (`CHECK(a && b)`, `CHECK(BOTH(a, b))`) have the same span, and only their
//! counters tell them apart.
//!
//! ## What llvm-cov makes of the branch regions
//! Measured with `llvm-cov export` of LLVM 19:
//! * `functions[].branches` lists all branch regions of the function, those in expansions too, in the order of the record
//!   and with their virtual file, except folded ones. So does the summary, with two outcomes each.
//! * A region is *folded* ([`Region::is_folded`]) when both its counters are zero: clang found the condition constant.
//! * `files[].branches` lists the branch regions outside of expansions, the folded ones too (with both counts 0). What is
//!   in expansions stands, with both the place of the macro and the definition, under `files[].expansions`.
//! * Nothing is merged: equal spans of one function (one macro used twice, or two conditions in one argument) are separate
//!   entries.
//! * A `case` is a branch region with its own counter as the true one, and all other ways out of the switch as the false
//!   one. A switch without `default` has one more region, on its controlling expression: true when no case matches.
//! * `assert` of glibc has its condition twice, once in a `sizeof`, which has counters that nothing increments: one outcome
//!   is never reached, the other always. All of it is at one point of the source, the use of the macro.
//! * Counts are computed as if every call returned once. After `exit` in a callee or a function that does not return,
//!   llvm-cov shows outcomes as reached that were not; after `longjmp` it misses some, or shows enormous numbers.
//! * A switch over a constant is not folded in the mapping, though clang emits the code of the chosen case alone.

pub mod decision;
pub mod decode;
pub mod edge_mapping;
mod flow;
pub mod module;
pub mod program;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

pub use decode::CoverageError;

/// The mapping of one function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionCoverage {
    /// The low half of the MD5 of the function's profile name: [`name_hash`].
    pub name_hash: u64,
    /// Changes with the control flow of the source. 0: the function is not used, so it has no code and no counters.
    pub structural_hash: u64,
    /// The name of each virtual file.
    pub files: Vec<String>,
    /// The operands of [`Counter::Sub`] and [`Counter::Add`]. No expression contains itself.
    pub expressions: Vec<[Counter; 2]>,
    /// In the order of the mapping, which others refer to by index.
    pub regions: Vec<Region>,
}

/// How often something was executed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Counter {
    /// Never.
    Zero,
    /// As often as this counter of the function says.
    Count(u32),
    /// The difference of the operands of an expression.
    Sub(u32),
    /// The sum of the operands of an expression.
    Add(u32),
}

/// A part of a virtual file. Lines and columns count from 1; the end is the first column after it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Span {
    /// Index into [`FunctionCoverage::files`].
    pub file: u32,
    /// The line and the column of the first character.
    pub start: (u32, u32),
    /// The line and the column behind the last character.
    pub end: (u32, u32),
}

/// A part of the source with what is counted there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Region {
    /// Where it is.
    pub span: Span,
    /// What it is.
    pub kind: RegionKind,
}

/// What a region says of its part of the source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RegionKind {
    /// Code that runs as often as the counter says.
    Code(Counter),
    /// Left out by the preprocessor.
    Skipped,
    /// The name of a macro (or an `#include`) whose text is the virtual file `file`.
    Expansion {
        /// Index into [`FunctionCoverage::files`].
        file: u32,
    },
    /// Blank space between two statements, which counts for a line only where nothing else does.
    Gap(Counter),
    /// One atomic condition, or one `case`.
    Branch {
        /// How often it was true, or the `case` was taken.
        on_true: Counter,
        /// How often it was false, or the `case` was not taken.
        on_false: Counter,
        /// Its place in a decision of MC/DC.
        condition: Option<Condition>,
    },
    /// A decision of MC/DC with that many conditions; the bits of its test vectors end before bit `bitmap`.
    Decision {
        /// The bit behind its last one.
        bitmap: u32,
        /// How many conditions it has.
        conditions: u32,
    },
}

/// A condition of a decision, numbered from 0, and the conditions that come next; `None` ends the decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Condition {
    /// Its number in the decision.
    pub id: u32,
    /// The condition that is evaluated next when this one is true.
    pub on_true: Option<u32>,
    /// The condition that is evaluated next when this one is false.
    pub on_false: Option<u32>,
}

impl Region {
    /// A condition that clang found constant, which has no branches.
    pub fn is_folded(&self) -> bool {
        matches!(self.kind, RegionKind::Branch { on_true: Counter::Zero, on_false: Counter::Zero, .. })
    }
}

impl FunctionCoverage {
    /// The branch regions with their indices, in the order of the record, without the folded ones: what llvm-cov counts.
    pub fn branch_regions(&self) -> impl Iterator<Item = (usize, &Region)> {
        let counted = |r: &Region| matches!(r.kind, RegionKind::Branch { .. }) && !r.is_folded();
        self.regions.iter().enumerate().filter(move |(_, r)| counted(r))
    }

    /// The macro uses through which a virtual file comes into the function's text: the innermost first, none for the
    /// text itself.
    pub fn expansions(&self, file: u32) -> Vec<Span> {
        let mut uses = Vec::new();
        let mut at = file;
        // A file is expanded once, so the way up is no longer than there are files.
        while uses.len() < self.files.len() {
            let expansion = |r: &&Region| r.kind == RegionKind::Expansion { file: at };
            let Some(region) = self.regions.iter().find(expansion) else { break };
            uses.push(region.span);
            at = region.span.file;
        }
        uses
    }

    /// Computes counters from the leaves up, each shared part once. `combine` is told whether to subtract.
    pub fn fold<T: Clone>(
        &self,
        roots: &[Counter],
        zero: T,
        mut count: impl FnMut(u32) -> T,
        mut combine: impl FnMut(&T, &T, bool) -> T,
    ) -> Vec<T> {
        let mut known: HashMap<Counter, T> = HashMap::from([(Counter::Zero, zero.clone())]);
        let mut stack = roots.to_vec();
        while let Some(&top) = stack.last() {
            if known.contains_key(&top) {
                stack.pop();
                continue;
            }
            let (index, minus) = match top {
                Counter::Zero => continue,
                Counter::Count(index) => {
                    known.insert(top, count(index));
                    continue;
                }
                Counter::Sub(index) => (index, true),
                Counter::Add(index) => (index, false),
            };
            let [left, right] = self.expressions[index as usize];
            match (known.get(&left), known.get(&right)) {
                (Some(l), Some(r)) => drop(known.insert(top, combine(l, r, minus))),
                _ => stack.extend([left, right]),
            }
        }
        roots.iter().map(|root| known.get(root).unwrap_or(&zero).clone()).collect()
    }

    /// The value of a counter when the function's counters have these values. It can be negative where a call did not
    /// return or returned twice (`exit`, `longjmp`); llvm-cov then shows the greatest number there is.
    pub fn evaluate(&self, root: Counter, counts: &[u64]) -> i64 {
        let count = |index: u32| counts.get(index as usize).map_or(0, |n| *n as i64);
        let combine = |a: &i64, b: &i64, minus: bool| if minus { a.wrapping_sub(*b) } else { a.wrapping_add(*b) };
        self.fold(&[root], 0, count, combine).first().copied().unwrap_or(0)
    }
}

/// The hash by which records name functions. The profile name of a `static` function has the file's name before it.
pub fn name_hash(profile_name: &[u8]) -> u64 {
    let digest = md5::compute(profile_name).0;
    digest.iter().take(8).rev().fold(0, |hash, byte| hash << 8 | u64::from(*byte))
}
