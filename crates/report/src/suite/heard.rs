//! Calls of functions that the subject does not define: of which of them suites can say something, and names of errors.

use covenant_goals::test_case::Observed;

use crate::subject::Stub;
use crate::suite::declare;

/// Whether the function that stands for it can tell of its calls.
pub(crate) fn can_be_heard(stub: &Stub) -> bool {
    stub.kind.returns() && declare::prototype(&stub.decl, &stub.name).is_some()
}

/// Whether all that was written to standard output and error is known. More than is kept would find no room where it is captured.
pub(crate) fn knows_output(observed: &Observed) -> bool {
    observed.output.is_some() && observed.error.is_some()
}

/// How many of the arguments that a call passed are the function's parameters, one by one. `None`: some are passed in another
/// form, as structs are.
pub(crate) fn arguments_of(stub: &Stub, passed: usize) -> Option<usize> {
    let prototype = declare::prototype(&stub.decl, &stub.name).filter(|_| stub.kind.returns())?;
    let variadic = stub.decl.contains("...");
    let params = prototype.params.len();
    (params == passed || variadic && params <= passed).then_some(params)
}

/// Errors with the same number on all systems that are supported.
const ERRORS: &[(i32, &str)] = &[
    (1, "EPERM"),
    (2, "ENOENT"),
    (3, "ESRCH"),
    (4, "EINTR"),
    (5, "EIO"),
    (7, "E2BIG"),
    (9, "EBADF"),
    (11, "EAGAIN"),
    (12, "ENOMEM"),
    (13, "EACCES"),
    (14, "EFAULT"),
    (16, "EBUSY"),
    (17, "EEXIST"),
    (19, "ENODEV"),
    (20, "ENOTDIR"),
    (21, "EISDIR"),
    (22, "EINVAL"),
    (27, "EFBIG"),
    (28, "ENOSPC"),
    (32, "EPIPE"),
    (33, "EDOM"),
    (34, "ERANGE"),
    (36, "ENAMETOOLONG"),
    (38, "ENOSYS"),
    (71, "EPROTO"),
    (74, "EBADMSG"),
    (75, "EOVERFLOW"),
    (84, "EILSEQ"),
    (95, "EOPNOTSUPP"),
    (110, "ETIMEDOUT"),
];

/// What the source would call an error.
pub(crate) fn error_name(number: i32) -> String {
    ERRORS.iter().find(|(known, _)| *known == number).map_or_else(|| number.to_string(), |(_, name)| (*name).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_parameters_where_their_numbers_agree() {
        let stub = |decl: &str| Stub { name: "f".into(), decl: decl.into(), ..Stub::default() };
        assert_eq!(arguments_of(&stub("int f(int, char *)"), 2), Some(2));
        assert_eq!(arguments_of(&stub("int f(const char *, ...)"), 3), Some(1));
        assert_eq!(arguments_of(&stub("int f(struct large)"), 2), None);
        assert_eq!((error_name(34), error_name(0)), ("ERANGE".to_owned(), "0".to_owned()));
    }
}
