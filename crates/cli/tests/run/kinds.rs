//! The kinds of traps, as `covenant run` names them on stderr.

/// The documented exit code of each kind of trap.
pub(crate) const EXIT_CODES: &[(i32, &[&str])] = &[
    (134, &["abort", "assertion"]),
    (136, &["division-by-zero", "division-overflow"]),
    (
        139,
        &[
            "out-of-bounds",
            "use-after-free",
            "use-after-return",
            "double-free",
            "invalid-free",
            "null-pointer",
            "wild-pointer",
            "write-to-constant",
            "stack-overflow",
            "bad-call",
        ],
    ),
    (132, &["signed-overflow", "bad-shift", "array-index", "unreachable", "uninitialised", "trap"]),
    (124, &["step-limit"]),
    (137, &["memory-limit"]),
    (2, &["unsupported", "undefined-function"]),
];
