//! Processes for tests of code that keeps what no test can set (a static of a function, a variable of another file, the seed of
//! `rand`): where a framework runs all tests in one process, the suite's `main` gives each its own. A board has one only.

use super::Written;
use super::dialect::Dialect;
use super::runner::each;
use crate::subject::SubjectInfo;

pub(super) const HEADER: (&str, &[u8]) = ("alone.h", include_bytes!("alone.h"));

/// Whether the suite of a framework looks after this itself. Check does it for all tests.
pub(super) fn needed(subject: &SubjectInfo, dialect: Dialect) -> bool {
    let shares = matches!(dialect, Dialect::Cmocka | Dialect::Unity | Dialect::Gtest);
    shares && (subject.keeps || subject.hidden().next().is_some())
}

/// What comes first in `main` of cmocka's suites, where `tests` is the list.
pub(super) const CMOCKA: &str = "    if (argc < 2) {\n        int failed;\n        \
    int own = covenant_alone((int)(sizeof tests / sizeof tests[0]), &failed);\n        \
    if (own < 0) {\n            return failed != 0;\n        }\n        \
    cmocka_set_test_filter(tests[own].name);\n    }\n";

/// `main` of Unity's suites.
pub(super) fn unity(tests: &[Written]) -> String {
    let names = each(tests, |t| format!("        \"{t}\",\n"));
    let calls = each(tests, |t| format!("    if (strcmp(chosen, \"{t}\") == 0) {{\n        RUN_TEST({t});\n    }}\n"));
    format!(
        "int main(int argc, char **argv)\n{{\n    static const char *const tests[] = {{\n{names}        NULL\n    }};\n    \
         static const char *chosen;\n\n    chosen = argc > 1 ? argv[1] : NULL;\n    if (chosen == NULL) {{\n        int failed;\n        \
         int own = covenant_alone((int)(sizeof tests / sizeof tests[0]) - 1, &failed);\n        \
         if (own < 0) {{\n            return failed != 0;\n        }}\n        chosen = tests[own];\n    }}\n    \
         UNITY_BEGIN();\n{calls}    return UNITY_END();\n}}\n"
    )
}

/// `main` of GoogleTest's suites, in C++. With arguments it is GoogleTest's own.
pub(super) fn gtest(suite: &str, tests: &[Written], short: impl Fn(&str) -> String) -> String {
    let names = each(tests, |t| format!("        \"--gtest_filter={suite}.{}\",\n", short(t)));
    format!(
        "// A process for each test, since the code under test keeps something between calls that no test can set.\n\
         int main(int argc, char **argv)\n{{\n    static const char *const tests[] = {{\n{names}        nullptr\n    }};\n    \
         char filter[512] = \"\";\n    char *with_filter[] = {{ argv[0], filter, nullptr }};\n\n    \
         if (argc < 2) {{\n        int failed;\n        \
         int own = covenant_alone((int)(sizeof tests / sizeof tests[0]) - 1, &failed);\n        \
         if (own < 0) {{\n            return failed != 0;\n        }}\n        \
         snprintf(filter, sizeof filter, \"%s\", tests[own]);\n        argc = 2;\n        argv = with_filter;\n    }}\n    \
         testing::InitGoogleTest(&argc, argv);\n    return RUN_ALL_TESTS();\n}}\n"
    )
}
