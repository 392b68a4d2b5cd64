//! Functions that nothing defines and that do not return: `die("no memory")`. The suite's own goes back to the test that waits for it.

use covenant_goals::{TestCase, TestOutcome};

use super::dialect::Dialect;
use crate::subject::{Stub, SubjectInfo};
use crate::suite::declare;

/// What a call that ends so looks like, and the way back.
pub(super) const HEADER: &str = include_str!("ends.h");

/// Whether suites can wait for such a call: a board may have no `longjmp`.
pub(super) fn known(dialect: Dialect) -> bool {
    dialect != Dialect::Embedded
}

/// The function whose call a test of the suite waits for.
pub(super) fn awaited<'s>(subject: &'s SubjectInfo, test: &TestCase, dialect: Dialect) -> Option<&'s Stub> {
    ended_by(subject, test).filter(|_| known(dialect))
}

/// The function with whose call a test ends.
pub(super) fn ended_by<'s>(subject: &'s SubjectInfo, test: &TestCase) -> Option<&'s Stub> {
    let trap = test.trap.as_ref().filter(|_| test.outcome == TestOutcome::Trapped)?;
    let name = trap.undefined_function()?;
    waited_for(subject).find(|stub| stub.name == name)
}

/// Whether there are such functions.
pub(super) fn are_there(subject: &SubjectInfo) -> bool {
    waited_for(subject).next().is_some()
}

fn waited_for(subject: &SubjectInfo) -> impl Iterator<Item = &Stub> {
    let is_known = |stub: &&Stub| declare::prototype(&stub.decl, &stub.name).is_some();
    subject.stubs.iter().filter(|stub| stub.never_returns && subject.in_entry_file(stub.file)).filter(is_known)
}

/// The call under test, and what is expected of it.
pub(super) fn expected(call: &str, stub: &Stub) -> String {
    format!("EXPECT_END(\"{}\", {call});", stub.name)
}
