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

/// Functions and variables that cmocka's library has and the code under test may have, too.
const OF_CMOCKA: &[&str] = &[
    "cm_print_error",
    "global_expect_assert_env",
    "global_expecting_assert",
    "global_last_failed_assert",
    "mock_assert",
    "print_error",
    "print_message",
    "vprint_error",
    "vprint_message",
];

/// The same of Check's, which is linked with the tests. What tests themselves call of it is not among them.
const OF_CHECK: &[&str] = &[
    "check_get_clockid",
    "check_list_add_end",
    "check_list_add_front",
    "check_list_advance",
    "check_list_apply",
    "check_list_at_end",
    "check_list_contains",
    "check_list_create",
    "check_list_free",
    "check_list_front",
    "check_list_val",
    "ck_do_nothing",
    "ck_strdup_printf",
    "cur_fork_status",
    "current_test_name",
    "emalloc",
    "eprintf",
    "erealloc",
    "error_jmp_buffer",
    "fprint_xml_esc",
    "get_env_printmode",
    "lfile_lfun",
    "log_srunner_end",
    "log_srunner_start",
    "log_suite_end",
    "log_suite_start",
    "log_test_end",
    "log_test_start",
    "open_tmp_file",
    "pack",
    "ppack",
    "punpack",
    "rcvmsg_free",
    "receive_test_result",
    "send_ctx_info",
    "send_duration_info",
    "send_failure_info",
    "send_loc_info",
    "set_fork_status",
    "setup_messaging",
    "sr_stat_str",
    "stdout_lfun",
    "subunit_lfun",
    "tag_string_to_list",
    "tap_lfun",
    "teardown_messaging",
    "tr_create",
    "tr_fprint",
    "tr_free",
    "tr_short_str",
    "tr_str",
    "tr_xmlprint",
    "upack",
    "xml_lfun",
];

/// cmocka's own says it by a function that the code under test has another of.
const FAIL_OF_CMOCKA: &str = "
static __attribute__((unused)) void covenant_say(const char *text, const char *file, int line)
{
    print_error(\"ERROR: %s\\n\", text);
    _fail(file, line);
}

#undef COVENANT_FAIL
#define COVENANT_FAIL(text) covenant_say(text, __FILE__, __LINE__)
";

impl Dialect {
    /// Names of the framework that the code under test may use for what is its own.
    pub(super) fn own_names(self) -> &'static [&'static str] {
        match self {
            Dialect::Cmocka => OF_CMOCKA,
            Dialect::Unity => HOOKS,
            Dialect::Check => OF_CHECK,
            Dialect::Gtest | Dialect::Embedded => &[],
        }
    }

    /// What makes failures of tests independent of these names.
    pub(super) fn independent(self) -> &'static str {
        if self == Dialect::Cmocka { FAIL_OF_CMOCKA } else { "" }
    }

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
