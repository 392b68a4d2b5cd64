//! The table form with a framework: the rows, the function that checks one, and how each becomes a test.

use std::fmt::Write;

use super::Written;
use super::dialect::Dialect;
use crate::subject::SubjectInfo;
use crate::suite::comment;
use crate::suite::table::{Kind, Table};

/// Names of what is written; the file under test is in the same file.
pub(super) struct Names {
    case: String,
    cases: String,
    check: String,
    test: String,
}

impl Names {
    pub(super) fn new(subject: &SubjectInfo) -> Names {
        let stem = super::names::identifier(&subject.function);
        Names {
            case: format!("test_{stem}_case"),
            cases: format!("test_{stem}_cases"),
            check: format!("check_{stem}_case"),
            test: format!("test_{stem}"),
        }
    }
}

/// The table and the test of one of its rows.
pub(super) fn source(subject: &SubjectInfo, table: &Table, tests: &[Written], dialect: Dialect) -> String {
    let names = Names::new(subject);
    let Names { case, cases, check, test } = &names;
    let own = |name: &str| subject.params.iter().any(|param| param.name == name);
    let name = if own("test") { "test_name" } else { "test" };
    let mut text = format!("\n/* What goes in, and what comes out. */\nstatic const struct {case} {{\n");
    let _ = writeln!(text, "    const char *{name};");
    table.members.iter().for_each(|member| text.push_str(&format!("    {member};\n")));
    let _ = writeln!(text, "}} {cases}[] = {{");
    for (test, row) in tests.iter().zip(&table.rows) {
        let what = test.purpose.what.join(", ");
        let purpose = match (what.is_empty(), test.purpose.notices) {
            (true, _) => String::new(),
            (_, false) => format!(": {what}"),
            (_, true) => format!(": fails if {what}"),
        };
        let _ = writeln!(text, "    /* {} */", comment(&format!("{}{purpose}", test.from)));
        let _ = writeln!(text, "    {{ \"{}\", {} }},", test.name, row.join(", "));
    }
    text.push_str("};\n");
    let arguments: Vec<String> = subject.params.iter().map(|param| format!("row->{}", param.name)).collect();
    let call = format!("{}({})", super::body::callee(subject, dialect), arguments.join(", "));
    let result = subject.returns.as_ref().map(|returns| returns.decl.as_str()).unwrap_or_default();
    let macro_name = match table.kind {
        Kind::Int => "EXPECT_INT_OF",
        Kind::Unsigned => "EXPECT_UINT_OF",
        Kind::Float => "EXPECT_FLOAT_OF",
        Kind::Double => "EXPECT_DOUBLE_OF",
    };
    let _ = write!(
        text,
        "\nstatic void {check}(const struct {case} *row)\n{{\n    {result} = {call};\n\n    \
         {macro_name}(row->{name}, result, row->{});\n}}\n",
        table.expected
    );
    text.push_str(&match dialect {
        Dialect::Cmocka => {
            format!("\nstatic void {test}(void **row)\n{{\n    {check}((const struct {case} *)*row);\n}}\n")
        }
        Dialect::Unity | Dialect::Embedded => format!(
            "\nstatic const struct {case} *covenant_row;\n\nstatic void {test}(void)\n{{\n    {check}(covenant_row);\n}}\n"
        ),
        Dialect::Check => format!("\nSTART_TEST({test})\n{{\n    {check}(&{cases}[_i]);\n}}\nEND_TEST\n"),
        Dialect::Gtest => format!(
            "\nvoid {test}(int row);\nvoid {test}(int row)\n{{\n    covenant_reset();\n    {check}(&{cases}[row]);\n}}\n"
        ),
    });
    text.push_str(&run(subject, (&names, name), dialect));
    text
}

/// Runs all rows, or the one that is named.
fn run(subject: &SubjectInfo, (names, name): (&Names, &str), dialect: Dialect) -> String {
    let Names { cases, test, .. } = names;
    let count = format!("sizeof {cases} / sizeof {cases}[0]");
    let suite = subject.function.replace(['"', '\\'], "_");
    match dialect {
        Dialect::Cmocka => format!(
            "\n#undef main\nstatic int covenant_setup(void **state)\n{{\n    (void)state;\n    covenant_reset();\n    return 0;\n}}\n\n\
             /* All tests, or the one that is named. */\nint main(int argc, char **argv)\n{{\n    \
             struct CMUnitTest tests[{count}];\n    size_t row;\n\n    for (row = 0; row < {count}; row++) {{\n        \
             tests[row] = (struct CMUnitTest){{ {cases}[row].{name}, {test}, covenant_setup, NULL, (void *)&{cases}[row] }};\n    }}\n    \
             if (argc > 1) {{\n        cmocka_set_test_filter(argv[1]);\n    }}\n    \
             return cmocka_run_group_tests_name(\"{suite}\", tests, NULL, NULL);\n}}\n"
        ),
        Dialect::Unity => format!(
            "\n#undef main\nvoid setUp(void)\n{{\n    covenant_reset();\n}}\n\nvoid tearDown(void)\n{{\n}}\n\n\
             /* All tests, or the one that is named. */\nint main(int argc, char **argv)\n{{\n    size_t row;\n\n    \
             UNITY_BEGIN();\n    for (row = 0; row < {count}; row++) {{\n        covenant_row = &{cases}[row];\n        \
             if (argc < 2 || strcmp(argv[1], covenant_row->{name}) == 0) {{\n            \
             UnityDefaultTestRun({test}, covenant_row->{name}, __LINE__);\n        }}\n    }}\n    return UNITY_END();\n}}\n"
        ),
        Dialect::Check => format!(
            "\n#undef main\n/* CK_RUN_CASE=NAME in the environment runs one of them. */\nint main(void)\n{{\n    \
             Suite *suite = suite_create(\"{suite}\");\n    SRunner *runner;\n    size_t row;\n    int failed;\n\n    \
             for (row = 0; row < {count}; row++) {{\n        TCase *one = tcase_create({cases}[row].{name});\n        \
             tcase_add_checked_fixture(one, covenant_reset, NULL);\n        \
             tcase_add_loop_test(one, {test}, (int)row, (int)row + 1);\n        suite_add_tcase(suite, one);\n    }}\n    \
             runner = srunner_create(suite);\n    srunner_run_all(runner, CK_NORMAL);\n    \
             failed = srunner_ntests_failed(runner);\n    srunner_free(runner);\n    return failed != 0;\n}}\n"
        ),
        Dialect::Embedded => format!(
            "\nint covenant_run(void)\n{{\n    size_t row;\n\n    covenant_begin(\"{suite}\");\n    \
             for (row = 0; row < {count}; row++) {{\n        covenant_row = &{cases}[row];\n        \
             covenant_test(covenant_row->{name}, covenant_reset, {test});\n    }}\n    return covenant_end();\n}}\n"
        ),
        Dialect::Gtest => String::new(),
    }
}

/// The C++ file's tests.
pub(super) fn gtest(subject: &SubjectInfo, tests: &[Written]) -> (String, String) {
    let Names { test, .. } = Names::new(subject);
    let stem = super::names::identifier(&subject.function);
    let prefix = format!("test_{stem}_");
    let one = |(row, written): (usize, &Written)| {
        let short = written.name.strip_prefix(&prefix).unwrap_or(&written.name);
        format!("TEST({stem}, {short})\n{{\n    {test}({row});\n}}\n\n")
    };
    (format!("void {test}(int row);\n"), tests.iter().enumerate().map(one).collect())
}
