//! `suite/sh`: a shell script that runs the program itself with the arguments, standard input, files and environment of each test in an
//! empty directory, and compares what it prints, the files that it leaves behind and its exit status; and a table of the same tests for bats.

use std::fmt::Write;

use covenant_goals::TestCase;
use covenant_goals::words::TestOutcome;

use super::{Profile, Suite};
use crate::Error;
use crate::files::write_file;

const SCRIPT: &str = "run.sh";
const TABLE: &str = "tests.bats";
/// What runs are called by.
const PROGRAM: &[u8] = b"program";

pub(super) const PROFILE: Profile =
    Profile { about: "A script that runs a whole program with each test, and a table for bats", write, kit: None };

const HEAD: &str = r#"#!/bin/sh
# Runs a program with the tests that Covenant made for it.
#
#     run.sh PROGRAM            all tests
#     run.sh PROGRAM NAME...    these tests
#
# Each test has an empty directory of its own, no environment but its own, and 10 seconds (COVENANT_TIMEOUT).

if [ $# -eq 0 ]; then
    echo "usage: $0 PROGRAM [TEST...]" >&2
    exit 2
fi
program=$(command -v "$1") || { echo "$1 is not a program" >&2; exit 2; }
case $program in /*) ;; *) program=$PWD/$program ;; esac
shift
here=$(mktemp -d) || exit 2
trap 'rm -rf "$here"' EXIT
trap 'exit 130' INT TERM
failed=0 number=0

# begin NAME: an empty directory, and nothing expected.
begin() {
    number=$((number + 1)) name=$1
    rm -rf "$here/test" "$here/expected" && mkdir "$here/test" "$here/expected" || exit 2
    : > "$here/stdin"
    set_status= files=0
}

# leaves NAME: a file as it is afterwards, which is in expected/file_N; if that is not there, neither is the file.
leaves() {
    files=$((files + 1))
    printf '%s' "$1" > "$here/expected/name_$files"
}

# check VARIABLE=VALUE... COMMAND...: runs it, and compares.
check() {
    status=0
    (cd "$here/test" && exec env -i "$@" < "$here/stdin" > "$here/stdout" 2> "$here/stderr") || status=$?
    why=
    for stream in stdout stderr; do
        if [ -f "$here/expected/$stream" ] && ! cmp -s "$here/expected/$stream" "$here/$stream"; then
            why="$why $stream"
        fi
    done
    file=0
    while [ "$file" -lt "$files" ]; do
        file=$((file + 1)) left=$(cat "$here/expected/name_$file")
        if [ -f "$here/expected/file_$file" ]; then
            cmp -s "$here/expected/file_$file" "$here/test/$left" || why="$why file=$left"
        elif [ -e "$here/test/$left" ]; then
            why="$why file=$left(expected:none)"
        fi
    done
    if [ -n "$set_status" ] && [ "$status" -ne "$set_status" ]; then
        why="$why status=$status(expected:$set_status)"
    fi
    if [ -z "$why" ]; then
        echo "ok $number - $name"
    else
        echo "not ok $number - $name:$why"
        failed=$((failed + 1))
    fi
}

"#;

const TAIL: &str = r#"
echo "1..$number"
[ "$number" -gt 0 ] && [ "$failed" -eq 0 ]
"#;

fn write(suite: &Suite<'_>) -> Result<(), Error> {
    let &Suite { folder, subject, tests, oracle, .. } = suite;
    let tests: Vec<&TestCase> = tests.iter().filter(|test| subject.is_main && can_be_run(test)).collect();
    let mut script = HEAD.as_bytes().to_vec();
    let mut list = String::from("if [ $# -eq 0 ]; then\n    set --");
    let mut chosen = String::from("for wanted in \"$@\"; do\n    case $wanted in\n");
    let mut names = Vec::new();
    for (number, test) in tests.into_iter().enumerate() {
        let name = String::from_utf8_lossy(&quoted(test.name.as_bytes())).into_owned();
        script.extend(case(number, test, oracle));
        let _ = write!(list, " {name}");
        let _ = writeln!(chosen, "    {name}) test_{number} ;;");
        names.push(name);
    }
    list.push_str("\nfi\n");
    chosen.push_str("    *) echo \"there is no test $wanted\" >&2; exit 2 ;;\n    esac\ndone\n");
    for part in [&list, &chosen, TAIL] {
        script.extend(part.as_bytes());
    }
    write_file(&folder.join(SCRIPT), &script)?;
    write_file(&folder.join(TABLE), table(&names).as_bytes())
}

/// Whether all that a test needs can be given to a program from outside, and it comes to an end.
fn can_be_run(test: &TestCase) -> bool {
    let ends = matches!(test.outcome, TestOutcome::Exited | TestOutcome::Aborted);
    ends && test.calls.is_empty() && test.failures.is_empty() && test.open.is_none()
}

fn table(names: &[String]) -> String {
    let mut text = String::from(
        "# The tests of run.sh for bats: PROGRAM=path/to/program bats tests.bats\n\n\
         run_test() {\n    sh \"$BATS_TEST_DIRNAME/run.sh\" \"${PROGRAM:?the program to test}\" \"$1\"\n}\n",
    );
    for name in names {
        let _ = write!(text, "\n@test {name} {{\n    run_test {name}\n}}\n");
    }
    text
}

/// A function of the script.
fn case(number: usize, test: &TestCase, oracle: bool) -> Vec<u8> {
    let mut text = format!("test_{number}() {{\n    begin ").into_bytes();
    text.extend([&quoted(test.name.as_bytes())[..], b"\n"].concat());
    if !test.stdin.is_empty() {
        text.extend(printed(&test.stdin, "\"$here/stdin\""));
    }
    for file in &test.files {
        let place = [b"\"$here/test\"/".as_slice(), &quoted(file.name.as_bytes())].concat();
        let place = String::from_utf8_lossy(&place);
        match file.directory {
            true => text.extend(format!("    mkdir {place} && chmod 755 {place}\n").into_bytes()),
            false => {
                text.extend(printed(&file.bytes, &place));
                text.extend(format!("    chmod 644 {place}\n").into_bytes());
            }
        }
    }
    let mut put = |name: &str, bytes: &[u8]| text.extend(printed(bytes, name));
    if oracle {
        let streams = [("stdout", &test.observed.output), ("stderr", &test.observed.error)];
        let known = streams.into_iter().filter_map(|(stream, bytes)| Some((stream, bytes.as_ref()?)));
        for (stream, bytes) in known.filter(|(_, bytes)| !names_program(bytes)) {
            put(&format!("\"$here/expected/{stream}\""), bytes);
        }
        for (number, file) in (1..).zip(&test.observed.files) {
            if let Some(bytes) = &file.bytes {
                put(&format!("\"$here/expected/file_{number}\""), bytes);
            }
        }
        for file in &test.observed.files {
            text.extend([b"    leaves ".as_slice(), &quoted(file.name.as_bytes()), b"\n"].concat());
        }
        let aborted = (test.outcome == TestOutcome::Aborted).then_some(128 + 6);
        if let Some(status) = test.observed.exit_status.map(|status| status & 255).or(aborted) {
            text.extend(format!("    set_status={status}\n").into_bytes());
        }
    }
    text.extend(b"    check");
    for variable in &test.env {
        text.extend([b" ".as_slice(), &quoted(variable.name.as_bytes()), b"=", &quoted(&variable.bytes)].concat());
    }
    text.extend(b" timeout \"${COVENANT_TIMEOUT:-10}\" \"$program\"");
    for arg in &test.args {
        text.extend([b" ".as_slice(), &quoted(arg)].concat());
    }
    text.extend(b"\n}\n\n");
    text
}

/// Whether a text may have the name in it that the program was called by, which is another one for each way to call it.
fn names_program(bytes: &[u8]) -> bool {
    bytes.windows(PROGRAM.len()).any(|part| part == PROGRAM)
}

/// Bytes to a file: printf writes any.
fn printed(bytes: &[u8], place: &str) -> Vec<u8> {
    let mut text = String::from("    printf '");
    for (at, &byte) in bytes.iter().enumerate() {
        match byte {
            // At the start it would begin an option.
            b'-' if at == 0 => text.push_str("\\055"),
            b'\n' => text.push_str("\\n"),
            b'%' => text.push_str("%%"),
            b'\'' | b'\\' => {
                let _ = write!(text, "\\{byte:03o}");
            }
            b' '..=b'~' => text.push(byte as char),
            _ => {
                let _ = write!(text, "\\{byte:03o}");
            }
        }
    }
    let _ = writeln!(text, "' > {place}");
    text.into_bytes()
}

/// A word of the shell with exactly these bytes.
fn quoted(bytes: &[u8]) -> Vec<u8> {
    let mut text = b"'".to_vec();
    for &byte in bytes {
        match byte {
            b'\'' => text.extend(b"'\\''"),
            _ => text.push(byte),
        }
    }
    text.push(b'\'');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_the_shell_have_any_bytes() {
        assert_eq!(quoted(b"it's $x\n"), b"'it'\\''s $x\n'");
        assert!(names_program(b"usage: program x\n") && !names_program(b"usage: prog\n"));
        assert_eq!(printed(b"-n-", "f"), b"    printf '\\055n-' > f\n");
        assert_eq!(printed(b"50%\n\\'\0a", "f"), b"    printf '50%%\\n\\134\\047\\000a' > f\n");
    }
}
