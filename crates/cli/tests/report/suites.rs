//! Suites for frameworks, with Debian's packages of them.

use super::{covenant, done, generate, here, notes::Notes, process, subject, trial};
use anyhow::{Context, Result, ensure};
use libtest_mimic::Trial;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const WARNINGS: &[&str] = &["-Wall", "-Wextra", "-Werror", "-O1"];
/// What gcc 14 takes for errors whatever one asks for.
const ERRORS: &[&str] = &[
    "-Werror=implicit-function-declaration",
    "-Werror=int-conversion",
    "-Werror=incompatible-pointer-types",
    "-Werror=implicit-int",
];
/// Structs behind pointers, rings, floats, bit-fields, strings, results by pointers, new objects, memory without a type, names that
/// the frameworks, their libraries and headers have; structs that undefined functions return; bytes behind a struct; errno; and a file
/// of this test with undefined functions.
const SUBJECTS: &[&str] = &[
    "next_date",
    "list",
    "floats",
    "bit_fields",
    "tokenizer",
    "pump",
    "split",
    "ring",
    "ring_of_one",
    "find_word",
    "skip",
    "assert_true",
    "outside",
    "leaves",
    "month_days",
    "clashing_names",
    "attributes",
    "variadic_sentinel",
    "own_helpers",
    "returned_record",
    "bytes_of_struct",
    "names_of_library",
    "errno_of_stub",
    "says_errno",
];
const FRAMEWORKS: &[(&str, &[&str])] =
    &[("cmocka", &["lib:cmocka"]), ("unity", &[]), ("check", &["lib:check"]), ("gtest", &["lib:gtest"])];

pub(crate) fn add(trials: &mut Vec<Trial>) {
    for (framework, tools) in FRAMEWORKS {
        for subject in SUBJECTS {
            trials.push(trial(format!("suite::{framework}::{subject}"), tools, || passes(framework, subject)));
        }
    }
    // A board has no heap to look at.
    for (kind, name, breaks) in [("rows", "month_days", ROWS), ("stores", "split", STORES)] {
        trials.push(trial(format!("suite::{kind}::embedded"), &[], move || noticed("embedded", name, name, breaks)));
    }
    for (framework, tools) in FRAMEWORKS.iter().chain(&[("c", &["make"] as &[_])]) {
        trials.push(trial(format!("suite::heap::{framework}"), tools, move || {
            noticed(framework, "leaves", "take", HEAP)
        }));
        trials.push(trial(format!("suite::rows::{framework}"), tools, move || {
            noticed(framework, "month_days", "month_days", ROWS)
        }));
        trials.push(trial(format!("suite::stores::{framework}"), tools, move || {
            noticed(framework, "split", "split", STORES)
        }));
        trials.push(trial(format!("suite::ends::{framework}"), tools, move || {
            noticed(framework, "never_returns", "checked_sum", ENDS)
        }));
        trials.push(trial(format!("suite::kept::{framework}"), tools, move || {
            noticed(framework, "kept_between", "label", KEPT)
        }));
    }
    trials.push(trial("suite::hooks::unity".into(), &[], || noticed("unity", "clashing_names", "setUp", HOOKS)));
    trials.push(trial("suite::strangers".into(), &["lib:cmocka", "lib:check", "lib:gtest"], strangers));
    trials.push(trial("suite::hidden".into(), &["lib:cmocka", "lib:check", "lib:gtest"], hidden));
    trials.push(trial("suite::shared_names".into(), &["lib:cmocka", "lib:check", "lib:gtest"], shared_names));
    trials.push(trial("suite::shared_header".into(), &["lib:check"], shared_header));
    trials.push(trial("suite::own_pipe".into(), &["lib:cmocka", "lib:check", "lib:gtest"], own_pipe));
    trials.push(trial("suite::cmake".into(), &["lib:cmocka", "cmake"], cmake));
    trials.push(trial("suite::regression".into(), &["lib:cmocka"], regression));
    for framework in ["cmocka", "c"] {
        trials.push(trial(format!("suite::outside::{framework}"), &["lib:cmocka", "make"], move || {
            noticed(framework, "outside", "report_level", OUTSIDE)
        }));
    }
}

/// The file, its function and options.
fn find(name: &str) -> Result<(PathBuf, String, Vec<String>)> {
    if name == "pump" {
        return Ok((here("pump.c"), "control".to_owned(), Vec::new()));
    }
    let file = subject(&format!("{name}.c")).canonicalize()?;
    let notes = Notes::read(&file)?;
    Ok((file, notes.function, notes.options))
}

fn passes(framework: &str, name: &str) -> Result<()> {
    let home = tempfile::tempdir()?;
    let (file, function, options) = find(name)?;
    let mut more: Vec<&str> = options.iter().map(String::as_str).collect();
    more.extend(["--no-replay", "--suite", framework]);
    generate(home.path(), &file, &function, &more)?;
    let folder = home.path().join("out/suite").join(framework);
    let text = fs::read_to_string(folder.join(format!("test_{function}.c")))?;
    ensure!(!text.contains("is not here"), "tests are left out:\n{text}");
    let tests = fs::read_dir(home.path().join("out/tests"))?.count();
    for compiler in ["gcc", "clang-19"] {
        // GoogleTest's header takes its time.
        if framework == "gtest" && compiler != "gcc" {
            continue;
        }
        let program = build(&folder, framework, compiler, &function)?;
        let output = done(Command::new(program))?;
        let output = String::from_utf8_lossy(&output.stdout).into_owned() + &output.stderr;
        let ran = ran(framework, &output);
        ensure!(ran == Some(tests), "{ran:?} of {tests} tests ran:\n{output}");
    }
    Ok(())
}

pub(crate) fn build(folder: &Path, framework: &str, compiler: &str, function: &str) -> Result<PathBuf> {
    let program = folder.join(format!("{framework}-{compiler}"));
    let source = folder.join(format!("test_{}.c", function.to_lowercase()));
    let mut command = Command::new(compiler);
    command.args(WARNINGS).args(ERRORS).arg(if compiler == "gcc" { "-std=gnu99" } else { "-std=gnu17" });
    // What stands for parts of the C library, where the code needs it.
    let support = ["world.c", "failures.c"].map(|name| folder.join(name)).into_iter().filter(|file| file.exists());
    let support: Vec<PathBuf> = support.collect();
    match framework {
        "cmocka" => command.arg(source).args(support).args(["-lcmocka", "-lm"]),
        "embedded" => command.arg(source).arg(folder.join("host.c")),
        "check" => command.arg(source).args(support).args(["-lcheck", "-lsubunit", "-lrt", "-lpthread", "-lm"]),
        "unity" => command.arg("-I").arg(here("unity")).arg(source).args(support).arg(here("unity/unity.c")).arg("-lm"),
        _ => {
            let object = folder.join("suite.o");
            command.arg("-c").arg(source).arg("-o").arg(&object);
            done(command)?;
            let mut objects = vec![object];
            for file in support {
                let object = file.with_extension("o");
                let mut command = Command::new(compiler);
                command.args(WARNINGS).arg("-c").arg(file).arg("-o").arg(&object);
                done(command)?;
                objects.push(object);
            }
            command = Command::new("g++");
            let main = source_cc(folder, function);
            command.args(WARNINGS).arg(main).args(objects).args(["-lgtest", "-lgtest_main", "-lpthread", "-lm"])
        }
    };
    command.arg("-o").arg(&program);
    done(command)?;
    Ok(program)
}

fn source_cc(folder: &Path, function: &str) -> PathBuf {
    folder.join(format!("test_{function}.cc"))
}

/// How many tests the framework says it ran, all of them well.
fn ran(framework: &str, output: &str) -> Option<usize> {
    let before = |mark: &str| {
        let (head, _) = output.rsplit_once(mark)?;
        head.rsplit(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
    };
    match framework {
        "cmocka" => {
            let (_, rest) = output.rsplit_once("[  PASSED  ] ")?;
            rest.split(' ').next()?.parse().ok()
        }
        "unity" => before(" Tests 0 Failures"),
        "check" => output.rsplit_once("100%: Checks: ").and_then(|(_, rest)| rest.split(',').next()?.parse().ok()),
        _ => output.rsplit_once("[  PASSED  ] ").and_then(|(_, rest)| rest.split(' ').next()?.parse().ok()),
    }
}

/// A project of two files with headers and definitions takes its suite in.
fn cmake() -> Result<()> {
    let home = tempfile::tempdir()?;
    let root = home.path();
    for folder in ["src", "include"] {
        fs::create_dir_all(root.join(folder))?;
    }
    fs::write(root.join("include/scale.h"), "struct scale { int low, high; };\nint clamp(struct scale s, int x);\n")?;
    fs::write(
        root.join("src/clamp.c"),
        "#include \"scale.h\"\nint twice(int x);\nint clamp(struct scale s, int x) {\n    if (x < s.low + OFFSET) return s.low;\n    return x > s.high ? s.high : twice(x);\n}\n",
    )?;
    fs::write(root.join("src/twice.c"), "int twice(int x) { return (int)(2u * (unsigned)x); }\n")?;
    let flags = ["src/twice.c", "-Iinclude", "-DOFFSET=1", "--suite", "cmocka", "-o", "tests/clamp"];
    let mut command = covenant(root);
    command.args(["gen", "src/clamp.c", "-f", "clamp", "--quiet"]).args(flags);
    ensure!(matches!(process::run(command, &[], super::LIMIT)?.status, Some(0)), "covenant gen");
    let lists = "cmake_minimum_required(VERSION 3.13)\nproject(scale C)\nadd_compile_options(-Wall -Wextra -Werror)\nenable_testing()\nadd_subdirectory(tests/clamp/suite/cmocka)\n";
    fs::write(root.join("CMakeLists.txt"), lists)?;
    // The suite names its files by relative paths: it moves with the project.
    let moved = home.path().with_extension("moved");
    fs::rename(root, &moved)?;
    let result = (|| {
        let mut configure = Command::new("cmake");
        done({
            configure.args(["-S", ".", "-B", "build"]).current_dir(&moved);
            configure
        })?;
        let mut build = Command::new("cmake");
        done({
            build.args(["--build", "build"]).current_dir(&moved);
            build
        })?;
        let mut test = Command::new("ctest");
        let output = done({
            test.args(["--test-dir", "build"]).current_dir(&moved);
            test
        })?;
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let tests = fs::read_dir(moved.join("tests/clamp/tests"))?.count();
        ensure!(
            said.contains(&format!("100% tests passed, 0 tests failed out of {tests}\n")),
            "{tests} tests:\n{said}"
        );
        ensure!(said.contains("test_clamp_when_x_lt_s_low"), "tests have their names:\n{said}");
        Ok(())
    })();
    fs::rename(&moved, root)?;
    result
}

/// What only another file refers to and nobody defines is made for the linker, and a function of these returns what the test says.
fn strangers() -> Result<()> {
    let home = tempfile::tempdir()?;
    fs::write(
        home.path().join("grade.c"),
        "int measured(int channel);\nint handler(int x);\nint grade(int (*on)(int), int channel) {\n    \
         int value = measured(channel);\n    if (on == handler) return 3;\n    \
         if (value > 100) return 2;\n    return value < 0 ? -1 : 1;\n}\n",
    )?;
    fs::write(
        home.path().join("measured.c"),
        "typedef struct { double a, b, c; } triple;\ntypedef short reading;\nreading read_sensor(int channel);\n\
         triple all_of(int channel);\nextern long tables[4];\n\
         int measured(int channel) { return read_sensor(channel); }\nint handler(int x) { return x; }\n\
         double other(int channel) { return all_of(channel).b + (double)tables[channel]; }\n",
    )?;
    for text in decided_by_all(home.path(), &["grade.c", "measured.c"], "grade")? {
        ensure!(!text.contains("is not here"), "tests are left out:\n{text}");
    }
    Ok(())
}

/// A test makes objects of types that only another file knows, and looks into what that file makes.
fn hidden() -> Result<()> {
    let home = tempfile::tempdir()?;
    let entry = "#include <stddef.h>\nstruct store;\nint used(const struct store *s);\nstruct store *renew(struct store *s);\n\
                 struct store *tidy(struct store *s) {\n    if (s == NULL || used(s) < 3) return s;\n    \
                 return used(s) == 7 ? NULL : renew(s);\n}\n";
    let other = "#include <stdlib.h>\ntypedef enum { EMPTY, SOME } state;\ntypedef struct { short low : 4, high; } range;\n\
                 enum color { RED, GREEN = 5 };\ntypedef unsigned char byte;\n\
                 typedef struct { byte kind; } label;\n\
                 struct store { int used; state now; range of[2]; enum color color; byte *text; label *name; struct store *next; };\n\
                 int used(const struct store *s) { return s->of[1].high > 2 ? 7 : s->used; }\n\
                 struct store *renew(struct store *s) {\n    struct store *more = calloc(1, sizeof *more);\n    \
                 if (more != NULL) { more->used = 1; more->color = GREEN; more->next = s; s->now = SOME; }\n    \
                 return more;\n}\n";
    fs::write(home.path().join("tidy.c"), entry)?;
    fs::write(home.path().join("store.c"), other)?;
    for text in decided_by_all(home.path(), &["tidy.c", "store.c"], "tidy")? {
        ensure!(text.contains("\nstruct store { int used; "), "{text}");
        ensure!(text.contains("EXPECT_INT(result->color") || text.contains("result->used, 1"), "{text}");
    }
    Ok(())
}

/// Headers and other files have functions that are called as those of frameworks.
fn shared_names() -> Result<()> {
    let home = tempfile::tempdir()?;
    let header = "void print_message(int level, const char *text);\nint pack(int high);\nint seen(void);\n\
                  static inline void warn(int x) { print_message(x, \"more\"); }\n";
    let entry = "#include \"seen.h\"\nint look(int x) {\n    if (x > 10) warn(x);\n    return seen() > 0;\n}\n";
    let other = "#include \"seen.h\"\nstatic int count;\nint pack(int high) { return high * 2; }\n\
                 void print_message(int level, const char *text) { if (level > 20) count += pack(text[0]); }\n\
                 int seen(void) { return count; }\n";
    for (name, text) in [("seen.h", header), ("look.c", entry), ("seen.c", other)] {
        fs::write(home.path().join(name), text)?;
    }
    decided_by_all(home.path(), &["look.c", "seen.c"], "look")?;
    let built = |file: &str| Ok::<_, anyhow::Error>(fs::read_to_string(home.path().join("out/suite").join(file))?);
    ensure!(built("cmocka/CMakeLists.txt")?.contains("print_message=covenant_subject_print_message"), "CMake knows");
    ensure!(built("check/test_look.c")?.contains("#define pack covenant_subject_pack\n"), "the header's is another");
    Ok(())
}

/// What suites call themselves, where the code's calls of it end runs.
fn own_pipe() -> Result<()> {
    let home = tempfile::tempdir()?;
    fs::copy(subject("own_pipe.c"), home.path().join("own_pipe.c"))?;
    for text in decided_by_all(home.path(), &["own_pipe.c"], "collect")? {
        ensure!(text.contains("#define pipe covenant_own_pipe\n") && text.contains("EXPECT_STDOUT"), "{text}");
    }
    Ok(())
}

/// A header of the code that is found before that of a framework.
fn shared_header() -> Result<()> {
    let home = tempfile::tempdir()?;
    fs::write(home.path().join("check.h"), "#define LIMIT 3\n")?;
    fs::write(home.path().join("over.c"), "#include <check.h>\nint over(int x) { return x > LIMIT; }\n")?;
    let mut command = covenant(home.path());
    command.args(["gen", "-I", ".", "over.c", "-f", "over", "-o", "out", "--suite", "c,check"]);
    let gen_run = process::run(command, &[], super::LIMIT)?;
    let said = String::from_utf8_lossy(&gen_run.stdout).into_owned() + &gen_run.stderr;
    ensure!(gen_run.status == Some(0), "it is nobody's fault: {:?}\n{said}", gen_run.status);
    ensure!(said.contains("suite/check was not confirmed: the code's headers are found before"), "{said}");
    Ok(())
}

/// Suites in C of the frameworks for a function of which all is decided. They build and pass.
fn decided_by_all(home: &Path, files: &[&str], function: &str) -> Result<Vec<String>> {
    let mut command = covenant(home);
    command.arg("gen").args(files).args(["-f", function, "-o", "out", "--suite", "cmocka,check,gtest"]);
    let gen_run = process::run(command, &[], super::LIMIT)?;
    let said = String::from_utf8_lossy(&gen_run.stdout).into_owned() + &gen_run.stderr;
    ensure!(gen_run.status == Some(0), "all is decided: {:?}\n{said}", gen_run.status);
    let text = |framework| {
        ensure!(said.contains(&format!("suite/{framework} compiles and passes")), "{framework}:\n{said}");
        Ok(fs::read_to_string(home.join("out/suite").join(framework).join(format!("test_{function}.c")))?)
    };
    ["cmocka", "check", "gtest"].into_iter().map(text).collect()
}

fn regression() -> Result<()> {
    let home = tempfile::tempdir()?;
    let file = home.path().join("sign.c");
    fs::write(&file, "int sign(int x) { if (x < 0) return -1; return x > 0; }\n")?;
    generate(home.path(), &file, "sign", &["--no-replay", "--suite", "cmocka"])?;
    let folder = home.path().join("out/suite/cmocka");
    let program = build(&folder, "cmocka", "gcc", "sign")?;
    done(Command::new(program))?;
    fs::write(&file, "int sign(int x) { if (x < 0) return 1; return x > 0; }\n")?;
    let program = build(&folder, "cmocka", "gcc", "sign")?;
    let run = process::run(Command::new(program), &[], super::LIMIT)?;
    ensure!(run.status == Some(1), "one test fails, and the program says so: {:?}", run.status);
    let text = fs::read_to_string(folder.join("test_sign.c"))?;
    text.find("assert_int_equal(result, -1);").context("the assertion is plain")?;
    Ok(())
}

/// Ways to break what a function does outside of its memory, and what a failing test must say.
const OUTSIDE: &[Break] = &[
    ("errno = EINVAL;", "errno = ERANGE;", "errno_after: expected 22, got 34", "errno: expected 22, found 34"),
    ("errno = EINVAL;", "", "errno_after: expected 22, got 0", "errno: expected 22, found 0"),
    (
        "set_valve(1, 0.25, gauge);",
        "set_valve(3, 0.25, gauge);",
        "set_valve, call 1, valve: expected 0x1, got 0x3",
        "set_valve, call 1, valve: expected 0x1, found 0x3",
    ),
    (
        "set_valve(1, 0.25, gauge);",
        "set_valve(1, 0.5, gauge);",
        "set_valve, call 1, opening: ",
        "set_valve, call 1, opening: ",
    ),
    (
        "set_valve(1, 0.25, gauge);",
        "set_valve(1, 0.25, NULL);",
        "set_valve, call 1, gauge: ",
        "set_valve, call 1, gauge: ",
    ),
    ("set_valve(2, -1.5, NULL);", "", "set_valve: expected 2 calls, got 1", "set_valve: expected 2 calls, found 1"),
    ("read_gauge(200)", "read_gauge(201)", "read_gauge, call 1, channel: ", "read_gauge, call 1, channel: "),
    ("too high", "too low", "stderr: expected \"level too high", "standard error: expected \"level too high"),
    ("printf(\"level", "printf(\"Level", "stdout: expected \"level", "standard output: expected \"level"),
    (
        "confirm(level, \"high\")",
        "confirm(level + 1, \"high\")",
        "any_confirm, call 1, p0: ",
        "any_confirm, call 1, p0: ",
    ),
];

/// Ways to free too little or too much, and what a failing test must say.
const HEAP: &[Break] = &[
    ("free(entry);", "", "objects still allocated: expected 0, got 1", "objects still allocated: expected 0, found 1"),
    ("free(copy);", "", "objects still allocated: expected 1, got 2", "objects still allocated: expected 1, found 2"),
    (
        "return NULL; /*",
        "return free(copy), free(entry), NULL; /*",
        "objects still allocated: expected 2, got 0",
        "objects still allocated: expected 2, found 0",
    ),
];

/// Ways to break what is tested by a table: the row, the field and both values are named.
const ROWS: &[Break] = &[
    ("return -1;", "return 0;", "test_month_days_when_month_is_0: result: expected -1, got 0", "test_001"),
    (
        "? 29 : 28",
        "? 28 : 28",
        ": result: expected 29, got 28",
        "the returned value: expected 29 (0x1d), found 28 (0x1c)",
    ),
    (
        "month == 9",
        "month == 8",
        ": result: expected 30, got 31",
        "the returned value: expected 30 (0x1e), found 31 (0x1f)",
    ),
];

/// Ways to forget a store, also of a zero.
const STORES: &[Break] = &[
    ("*quotient = positive / 10;", "", "quotient", "quotient[0]: expected 0 (0x0), found 1 (0x1)"),
    ("*rest = positive % 10;", "", "rest", "rest[0]: expected 0 (0x0), found 1 (0x1)"),
    ("*sign = x < 0 ? '-' : '+';", "", "sign", "sign[0]: expected "),
];

/// A function under test that has the name of what the framework wants of a suite.
const HOOKS: &[Break] = &[("memcmp > 100", "memcmp < 100", "result", "")];

/// Ways to forget to end where something is wrong, or to end in another way.
const ENDS: &[Break] = &[
    (
        "part->amount < 0",
        "part->amount < -9",
        "expected to end with a call of give_up",
        "expected to end with a call of give_up, found one of panic",
    ),
    ("panic(2);", "give_up(\"most\", 2);", "expected to end with a call of panic, but it called another", "not ok"),
    ("panic(2);", "", "expected to end with a call of panic, but it returned", "but it returned"),
    (
        "part->amount < 0",
        "part->amount < 9",
        "give_up is called, and the test does not expect that",
        "give_up is called",
    ),
];

/// Ways to break what a function keeps from call to call. Each test begins as the first call of all does.
const KEPT: &[Break] = &[
    ("last.calls++;", "last.calls += 2;", "result->calls", "calls: expected 1 (0x1), found 2 (0x2)"),
    ("= name[i];", "= 'x';", "result->text", "text"),
];

/// What stands there, what in its place, and what a failing test must say with a framework and in plain C.
type Break = (&'static str, &'static str, &'static str, &'static str);

/// A function of a subject is broken in each of these ways, and some test says what is wrong.
fn noticed(framework: &str, name: &str, function: &str, breaks: &[Break]) -> Result<()> {
    let home = tempfile::tempdir()?;
    let source = fs::read_to_string(subject(&format!("{name}.c")))?;
    let file = home.path().join(format!("{name}.c"));
    fs::write(&file, &source)?;
    generate(home.path(), &file, function, &["--pointers", "valid", "--suite", framework])?;
    let folder = home.path().join("out/suite").join(framework);
    let run = || -> Result<process::Finished> {
        let program = match framework {
            "c" => {
                let mut make = Command::new("make");
                make.args(["-s", "suite"]).current_dir(&folder);
                done(make)?;
                folder.join("suite")
            }
            _ => build(&folder, framework, "gcc", function)?,
        };
        process::run(Command::new(program), &[], super::LIMIT)
    };
    ensure!(run()?.status == Some(0), "the suite passes");
    for (before, after, framework_says, plain_says) in breaks {
        ensure!(source.contains(before), "the subject has no `{before}`");
        fs::write(&file, source.replacen(before, after, 1))?;
        let run = run()?;
        let output = String::from_utf8_lossy(&run.stdout).into_owned() + &run.stderr;
        let says = if framework == "c" { plain_says } else { framework_says };
        ensure!(run.status != Some(0), "nobody notices `{after}` in place of `{before}`");
        ensure!(output.contains(says), "no test says `{says}` of `{after}`:\n{output}");
    }
    Ok(())
}
