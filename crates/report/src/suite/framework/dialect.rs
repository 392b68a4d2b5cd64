//! What the frameworks call things.

/// GoogleTest is C++, the tests are C: there the assertions are functions that the C++ file defines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Dialect {
    Cmocka,
    Unity,
    Check,
    Gtest,
}

impl Dialect {
    pub(super) fn includes(self) -> &'static str {
        match self {
            Dialect::Cmocka => {
                "#include <setjmp.h>\n#include <stdarg.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <cmocka.h>\n"
            }
            Dialect::Unity => "#include <unity.h>\n",
            Dialect::Check => "#include <check.h>\n#include <stdlib.h>\n",
            Dialect::Gtest => {
                "/* GoogleTest's assertions, for C; the C++ file defines them. */\n\
                 void covenant_expect_int(const char *file, int line, const char *what, long long actual, long long expected);\n\
                 void covenant_expect_true(const char *file, int line, const char *what, int holds);\n\
                 #define EXPECT_INT(actual, expected) covenant_expect_int(__FILE__, __LINE__, #actual, (long long)(actual), (long long)(expected))\n\
                 #define EXPECT(condition) covenant_expect_true(__FILE__, __LINE__, #condition, (condition) != 0)\n"
            }
        }
    }

    pub(super) fn equal(self, actual: &str, expected: &str) -> String {
        match self {
            Dialect::Cmocka => format!("assert_int_equal({actual}, {expected});"),
            Dialect::Unity => format!("TEST_ASSERT_EQUAL_INT({expected}, {actual});"),
            Dialect::Check => format!("ck_assert_int_eq({actual}, {expected});"),
            Dialect::Gtest => format!("EXPECT_INT({actual}, {expected});"),
        }
    }

    pub(super) fn same_pointer(self, actual: &str, expected: &str) -> String {
        match self {
            Dialect::Cmocka if expected == "NULL" => format!("assert_null({actual});"),
            Dialect::Cmocka => format!("assert_ptr_equal({actual}, {expected});"),
            Dialect::Unity if expected == "NULL" => format!("TEST_ASSERT_NULL({actual});"),
            Dialect::Unity => format!("TEST_ASSERT_EQUAL_PTR({expected}, {actual});"),
            Dialect::Check if expected == "NULL" => format!("ck_assert_ptr_null({actual});"),
            Dialect::Check => format!("ck_assert_ptr_eq({actual}, {expected});"),
            Dialect::Gtest => format!("EXPECT((const void *)({actual}) == (const void *)({expected}));"),
        }
    }

    pub(super) fn holds(self, condition: &str) -> String {
        match self {
            Dialect::Cmocka => format!("assert_true({condition});"),
            Dialect::Unity => format!("TEST_ASSERT_TRUE({condition});"),
            Dialect::Check => format!("ck_assert({condition});"),
            Dialect::Gtest => format!("EXPECT({condition});"),
        }
    }

    pub(super) fn same_bytes(self, actual: &str, bytes: &str, count: usize) -> String {
        match self {
            Dialect::Cmocka => format!("assert_memory_equal({actual}, {bytes}, {count});"),
            Dialect::Unity => format!("TEST_ASSERT_EQUAL_MEMORY({bytes}, {actual}, {count});"),
            Dialect::Check => format!("ck_assert_mem_eq({actual}, {bytes}, {count});"),
            Dialect::Gtest => format!("EXPECT(memcmp({actual}, {bytes}, {count}) == 0);"),
        }
    }

    /// The head of a test and what closes it.
    pub(super) fn frame(self, name: &str) -> (String, &'static str) {
        match self {
            Dialect::Cmocka => (format!("static void {name}(void **state)\n{{\n    (void)state;\n"), "}\n"),
            Dialect::Unity => (format!("static void {name}(void)\n{{\n"), "}\n"),
            Dialect::Check => (format!("START_TEST({name})\n{{\n"), "}\nEND_TEST\n"),
            Dialect::Gtest => (format!("void {name}(void);\nvoid {name}(void)\n{{\n"), "}\n"),
        }
    }
}
