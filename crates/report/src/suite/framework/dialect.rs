//! What the frameworks call things.

/// GoogleTest is C++, the tests are C: there a failure is told to a function that the C++ file defines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Dialect {
    Cmocka,
    Unity,
    Check,
    Gtest,
    Embedded,
}

/// What Unity wants of a suite. Functions of the code under test that are called so have `covenant_subject_` before their names.
pub(super) const HOOKS: &[&str] = &["setUp", "tearDown"];

impl Dialect {
    /// What the text of tests may use of C.
    pub(super) fn library(self) -> &'static str {
        match self {
            Dialect::Embedded => "#include \"suite.h\"\n#include \"embedded.h\"\n",
            _ => "#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n",
        }
    }

    pub(super) fn includes(self) -> &'static str {
        match self {
            Dialect::Cmocka => {
                "#include <setjmp.h>\n#include <stdarg.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <cmocka.h>\n\
                 #define COVENANT_FAIL(text) fail_msg(\"%s\", text)\n#include \"expect.h\"\n\
                 /* cmocka's does not say what it compares. */\n\
                 #undef assert_int_equal\n#define assert_int_equal EXPECT_INT\n"
            }
            Dialect::Unity => {
                "#include <unity.h>\n#define COVENANT_FAIL(text) TEST_FAIL_MESSAGE(text)\n#include \"expect.h\"\n"
            }
            Dialect::Check => {
                "#include <check.h>\n#include <stdlib.h>\n\
                 #define COVENANT_FAIL(text) ck_abort_msg(\"%s\", text)\n#include \"expect.h\"\n"
            }
            Dialect::Embedded => {
                "#define COVENANT_FAIL(text) \\\n    do { \\\n        covenant_failed(__LINE__, text); \\\n        \
                 return; \\\n    } while (0)\n#include \"expect.h\"\n"
            }
            Dialect::Gtest => {
                "/* GoogleTest hears of a failure by this; the C++ file defines it. The test is over then. */\n\
                 void covenant_failed(const char *file, int line, const char *text);\n\
                 #define COVENANT_FAIL(text) \\\n    do { \\\n        covenant_failed(__FILE__, __LINE__, text); \\\n        \
                 return; \\\n    } while (0)\n#include \"expect.h\"\n"
            }
        }
    }

    pub(super) fn equal(self, actual: &str, expected: &str) -> String {
        match self {
            Dialect::Cmocka => format!("assert_int_equal({actual}, {expected});"),
            Dialect::Unity => format!("TEST_ASSERT_EQUAL_INT_MESSAGE({expected}, {actual}, {});", quoted(actual)),
            Dialect::Check => format!("ck_assert_int_eq({actual}, {expected});"),
            Dialect::Gtest | Dialect::Embedded => format!("EXPECT_INT({actual}, {expected});"),
        }
    }

    /// The head of a test and what closes it.
    pub(super) fn frame(self, name: &str) -> (String, &'static str) {
        match self {
            Dialect::Cmocka => {
                (format!("static void {name}(void **covenant_state)\n{{\n    (void)covenant_state;\n"), "}\n")
            }
            Dialect::Unity | Dialect::Embedded => (format!("static void {name}(void)\n{{\n"), "}\n"),
            Dialect::Check => (format!("START_TEST({name})\n{{\n"), "}\nEND_TEST\n"),
            Dialect::Gtest => (format!("void {name}(void);\nvoid {name}(void)\n{{\n"), "}\n"),
        }
    }
}

fn quoted(text: &str) -> String {
    crate::value::c_string(text.as_bytes())
}
