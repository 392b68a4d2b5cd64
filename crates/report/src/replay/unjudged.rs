//! Functions whose counts are not judged, because they call setjmp.
//!
//! llvm-cov derives counts from those before a call, and behind setjmp these are none. What comes back by longjmp leaves
//! the functions between without an end, so that counts of all others say what was reached, not what was not.

use crate::subject::SubjectInfo;

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Unjudged {
    functions: Vec<String>,
}

impl Unjudged {
    pub(super) fn of(subject: &SubjectInfo) -> Unjudged {
        Unjudged { functions: subject.jumping.clone() }
    }

    /// Whether counts of this function say nothing at all.
    pub(super) fn holds(&self, function: &str) -> bool {
        self.functions.iter().any(|known| known == function)
    }

    /// Whether a count of zero, in any function, says that something was not reached.
    pub(super) fn zero_counts(&self) -> bool {
        self.functions.is_empty()
    }

    /// What to tell about them.
    pub(super) fn notes(&self) -> impl Iterator<Item = String> + '_ {
        let what =
            "calls setjmp, behind which llvm-cov cannot count: its objectives are confirmed by our own runs alone";
        self.functions.iter().map(move |function| format!("{function} {what}"))
    }
}
