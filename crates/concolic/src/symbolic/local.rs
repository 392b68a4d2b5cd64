//! The local path of a run: which ways it took in the function under test itself, in the first call of it.
//!
//! It is remembered as [`covenant_goals::local_path`] has the code remember it, so that a decision knows which paths can
//! still come of it.

use covenant_goals::local_path::{START, extend};
use covenant_program::ir::FuncId;
use rustc_hash::FxHashMap;

use covenant_interpreter::code::Image;
use covenant_interpreter::shadow::Site;

/// What is watched: a function and its branches.
#[derive(Clone, Debug, Default)]
pub struct Watch {
    /// The function whose ways are remembered, by its number.
    pub function: u32,
    /// Ways out of each branch, by its operation.
    ways: FxHashMap<u32, u32>,
}

impl Watch {
    /// Prepares to remember the ways through a function.
    pub fn new(image: &Image, function: FuncId) -> Watch {
        let mut ways = FxHashMap::default();
        if let Some(body) = &image.function(function).body {
            for (block, data) in &body.blocks {
                let count = data.term.edges().len() as u32;
                if count > 1 {
                    ways.insert(image.terminator(function, block), count);
                }
            }
        }
        Watch { function: function.as_u32(), ways }
    }

    fn ways(&self, at: Site) -> Option<u32> {
        if at.function == self.function { self.ways.get(&at.pc).copied() } else { None }
    }
}

/// Where on its local path a run is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Local {
    /// The path so far; 0 when it has ended, or is too long to be remembered.
    pub code: u128,
    /// The same, also when it has ended.
    pub whole: u128,
    /// How many calls were active before the one that is watched.
    depth: Option<usize>,
}

impl Default for Local {
    fn default() -> Self {
        Local { code: START, whole: START, depth: None }
    }
}

impl Local {
    pub(super) fn entered(&mut self, watch: &Watch, function: u32, depth: usize) {
        if function == watch.function && self.depth.is_none() {
            self.depth = Some(depth);
        }
    }

    /// So many calls are still active.
    pub(super) fn left(&mut self, depth: usize) {
        if self.depth.is_some_and(|own| depth <= own) {
            self.code = 0;
        }
    }

    pub(super) fn is_here(&self, active: usize) -> bool {
        self.depth.is_some_and(|depth| active == depth + 1)
    }

    /// An edge was taken while so many calls were active.
    pub(super) fn took(&mut self, watch: &Watch, at: Site, way: u32, active: usize) {
        if let Some(ways) = watch.ways(at).filter(|_| self.is_here(active)) {
            self.code = extend(self.code, ways, way);
            self.whole = if self.code == 0 { self.whole } else { self.code };
        }
    }

    /// Ways of a decision, if it is one of the path.
    pub(super) fn ways(&self, watch: &Watch, at: Site, active: usize) -> u32 {
        watch.ways(at).filter(|_| self.is_here(active)).unwrap_or(0)
    }
}

/// How much of a path a decision is: the path before it, and its ways if it is a decision of the path itself.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Stretch {
    /// The number of the way before the decision.
    pub before: u128,
    /// 0: another function decides, or what a pointer means.
    pub ways: u32,
    /// Whether the call that is watched decides.
    pub own: bool,
}

impl Stretch {
    /// The path after a way of the decision.
    pub fn after(self, way: u32) -> u128 {
        if self.ways > 0 { extend(self.before, self.ways, way) } else { self.before }
    }
}

/// How many decisions a path has, in bits.
pub fn length(code: u128) -> u32 {
    u128::BITS - code.leading_zeros()
}

/// All paths that one begins with, the empty one and itself included; also such as end inside an outcome, which no run has.
pub fn prefixes(code: u128) -> impl Iterator<Item = u128> {
    (0..length(code)).map(move |cut| code >> cut)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_first_call_is_watched() {
        let watch = Watch { function: 7, ways: [(3, 2), (9, 3)].into_iter().collect() };
        let (here, there) = (Site { function: 7, pc: 3 }, Site { function: 8, pc: 3 });
        let mut local = Local::default();
        local.took(&watch, here, 1, 1);
        assert_eq!(local.code, START, "nothing was called yet");
        local.entered(&watch, 7, 1);
        local.took(&watch, here, 1, 2);
        local.took(&watch, there, 1, 3);
        local.entered(&watch, 7, 2);
        local.took(&watch, here, 0, 3);
        local.left(2);
        assert_eq!(local.ways(&watch, Site { pc: 9, ..here }, 2), 3);
        local.took(&watch, Site { pc: 9, ..here }, 2, 2);
        assert_eq!(local.code, 0b1110);
        local.left(1);
        assert_eq!((local.code, local.whole), (0, 0b1110));
    }

    #[test]
    fn a_path_begins_with_its_prefixes() {
        assert_eq!(prefixes(0b110).collect::<Vec<_>>(), [0b110, 0b11, 0b1]);
        let stretch = Stretch { before: 0b11, ways: 2, own: true };
        assert_eq!([stretch.after(0), stretch.after(1)], [0b110, 0b111]);
        assert_eq!(Stretch { ways: 0, ..stretch }.after(1), 0b11);
    }
}
