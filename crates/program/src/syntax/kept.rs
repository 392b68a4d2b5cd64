//! Trees that a run has read, for the other processes of this run.

use super::Syntax;
use super::read::deep;
use crate::clang::{FrontEnd, Input, Kept};

/// Where the tree of a file is kept.
pub(super) struct Tree(Kept);

impl Tree {
    pub(super) fn of(front_end: &FrontEnd, input: &Input<'_>, headers: &[std::path::PathBuf]) -> Option<Tree> {
        Kept::tree(front_end, input, headers).map(Tree)
    }

    pub(super) fn read(&self) -> Option<Syntax> {
        let bytes = self.0.read()?;
        deep(|| postcard::from_bytes(&bytes).ok())?
    }

    pub(super) fn write(&self, tree: &Syntax) {
        if let Some(Some(bytes)) = deep(|| postcard::to_stdvec(tree).ok()) {
            self.0.write(&bytes);
        }
    }
}
