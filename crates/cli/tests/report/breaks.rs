//! The example, broken by hand: some test of its suite fails, and says which field is wrong with both values.

use super::programs::suite;
use super::suites::build;
use super::{covenant, generate, process, trial};
use anyhow::{Result, ensure};
use libtest_mimic::Trial;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// What stands there, what in its place, and what a failing test must say.
type Break = (&'static str, &'static str, &'static str);

const ROOM_BOOK: &[Break] = &[
    ("room->count++;", "room->count += 2;", "room.count: expected 3, got 4"),
    ("room->count++;", "", "room.count: expected 3, got 2"),
    ("room->slots[at] = slot;", "room->slots[at].from = slot.from;", "room.slots[0].to: expected 1, got 0"),
    ("room->slots[at] = slot;", "room->slots[at] = slot; room->slots[at].to++;", "room.slots[0].to: expected 1, got 2"),
    ("return BOOKING_FULL;", "return BOOKING_OK;", "result: expected -3, got 0"),
    ("return BOOKING_TAKEN;", "return BOOKING_FULL;", "result: expected -2, got -3"),
    ("slot.from >= 0", "slot.from > 0", "result: expected -3, got -1"),
    ("slot.from < slot.to", "slot.from <= slot.to", "result: expected -1, got 0"),
    ("slot.to <= MINUTES_PER_DAY", "slot.to < MINUTES_PER_DAY", "result: expected 0, got -1"),
    ("b.from < a.to", "b.from <= a.to", "result: expected 0, got -2"),
    ("room->count >= BOOKING_MAX", "room->count > BOOKING_MAX", "result: expected -3, got "),
    (".from < slot.from", ".from <= slot.from", "room.slots[0].to: expected 1, got 0"),
    ("i > at; i--", "i > at + 1; i--", "result: expected 0, got -1"),
    (
        "room->slots[i] = room->slots[i - 1];",
        "room->slots[i].from = room->slots[i - 1].from;",
        "room.slots[1].to: expected 13, got 17",
    ),
];

const SLOTS_OVERLAP: &[Break] = &[
    ("a.from < b.to && b.from", "a.from < b.to || b.from", "result: expected 0, got 1"),
    ("b.from < a.to;", "b.from <= a.to;", "result: expected 0, got 1"),
];

const ROOM_MINUTES: &[Break] = &[
    ("sum += room", "sum -= room", "result: expected -1, got 1"),
    ("return sum;", "return sum + 1;", "result: expected 0, got 1"),
    ("int sum = 0;", "int sum = 1;", "result: expected 0, got 1"),
    (".to - room->slots[i].from", ".to + room->slots[i].from", "result: expected "),
];

const DURATION_MINUTES: &[Break] = &[
    ("(**text - '0')", "(**text - '1')", "result: expected 60, got 0"),
    ("value * 10", "value * 9", "result: expected 1440, got "),
    ("hours * 60 + minutes > MIN", "hours * 60 + minutes >= MIN", "result: expected 1440, got -1"),
    ("return hours * 60 + minutes;", "return hours + minutes;", "result: expected 60, got 1"),
    ("*text == 'h'", "*text == 'H'", "result: expected 60, got -1"),
    ("minutes = value;", "minutes = 0;", "result: expected "),
    ("hours = value;", "hours = value + 1;", "result: expected 60, got 120"),
];

/// The function, its file, options as in the example's covenant.toml, and the ways to break it.
type Broken = (&'static str, &'static str, &'static [&'static str], &'static [Break]);

const IN_ORDER: &[&str] = &[
    "--pointers",
    "valid",
    "--array-len",
    "1",
    "--assume",
    "room->count >= 0",
    "--assume",
    "room->count <= BOOKING_MAX",
];

const FUNCTIONS: &[Broken] = &[
    ("room_book", "room.c", IN_ORDER, ROOM_BOOK),
    ("slots_overlap", "room.c", &[], SLOTS_OVERLAP),
    ("room_minutes", "room.c", IN_ORDER, ROOM_MINUTES),
    ("duration_minutes", "duration.c", &["--array-len", "8"], DURATION_MINUTES),
];

pub(crate) fn add(trials: &mut Vec<Trial>) {
    trials.push(trial("breaks::in_header".into(), &[], in_header));
    trials.push(trial("breaks::in_static".into(), &["make"], in_static));
    for broken in FUNCTIONS {
        trials.push(trial(format!("breaks::{}", broken.0), &["lib:cmocka"], || noticed(broken)));
    }
    trials.push(trial("breaks::improved".into(), &[], improved));
}

fn noticed((function, name, options, breaks): &Broken) -> Result<()> {
    let home = tempfile::tempdir()?;
    let example = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/booking");
    let file = home.path().join(name);
    let source = fs::read_to_string(example.join("src").join(name))?;
    fs::copy(example.join("include/booking.h"), home.path().join("booking.h"))?;
    fs::write(&file, &source)?;
    let more = ["--no-replay", "--suite", "cmocka", "-c", "branch,mutation"];
    generate(home.path(), &file, function, &[options, more.as_slice()].concat())?;
    let folder = home.path().join("out/suite/cmocka");
    let run = || -> Result<process::Finished> {
        let program = build(&folder, "cmocka", "gcc", function)?;
        process::run(Command::new(program), &[], super::LIMIT)
    };
    ensure!(run()?.status == Some(0), "the suite passes");
    for (before, after, says) in *breaks {
        ensure!(source.contains(before), "the example has no `{before}`");
        fs::write(&file, source.replacen(before, after, 1))?;
        let run = run()?;
        let output = String::from_utf8_lossy(&run.stdout).into_owned() + &run.stderr;
        ensure!(run.status != Some(0), "nobody notices `{after}` in place of `{before}`");
        ensure!(output.contains(says), "no test says `{says}` of `{after}`:\n{output}");
    }
    Ok(())
}

/// `a.from <= b.to` changes a state and not the result, unless the other comparison holds: a test for it is made of two others.
fn improved() -> Result<()> {
    let home = tempfile::tempdir()?;
    let example = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/booking");
    fs::copy(example.join("include/booking.h"), home.path().join("booking.h"))?;
    let file = home.path().join("room.c");
    fs::copy(example.join("src/room.c"), &file)?;
    generate(home.path(), &file, "slots_overlap", &["--no-replay", "-c", "branch"])?;
    let mutate = |words: &[&str]| -> Result<process::Finished> {
        let mut command = covenant(home.path());
        command.args(["mutate", "out"]).args(words);
        process::run(command, &[], super::LIMIT)
    };
    let before = mutate(&[])?;
    ensure!(before.status == Some(1), "a mutant survives: {}", String::from_utf8_lossy(&before.stdout));
    let after = mutate(&["--improve"])?;
    ensure!(after.status == Some(0), "none survives: {}", String::from_utf8_lossy(&after.stdout));
    let mut replay = covenant(home.path());
    replay.args(["replay", "out"]);
    ensure!(process::run(replay, &[], super::LIMIT)?.status == Some(0), "the new test passes");
    Ok(())
}

/// A library that is a header: its functions are mutated where they stand.
fn in_header() -> Result<()> {
    let home = tempfile::tempdir()?;
    fs::create_dir(home.path().join("include"))?;
    let header = "#ifndef NEAR_H\n#define NEAR_H\nstatic int is_near(int a, int b)\n{\n    return a - b < 3 && b - a < 3;\n}\n#endif\n";
    fs::write(home.path().join("include/near.h"), header)?;
    let file = home.path().join("near.c");
    fs::write(&file, "#include \"near.h\"\nint same(int a, int b) { return is_near(a, b); }\n")?;
    let words = ["--no-replay", "-c", "branch,mutation", "--assume", "a > -9 && a < 9 && b > -9 && b < 9", "-Iinclude"];
    generate(home.path(), &file, "is_near", &words)?;
    let mut command = covenant(home.path());
    command.args(["mutate", "out", "--json"]);
    let done = process::run(command, &[], super::LIMIT)?;
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    ensure!(done.status == Some(0) && said.contains("near.h") && said.contains("killed"), "{:?} {said}", done.status);
    Ok(())
}

const ITEMS: &str = "struct item {\n    unsigned char kind;\n    union {\n        unsigned char ch;\n        const char *text;\n    } u;\n};\n\
    struct item *split(const char *s)\n{\n    static struct item items[4];\n    int n = 0;\n    while (n < 3 && s[n] != 0) {\n        \
    items[n].kind = 1;\n        items[n].u.ch = s[n];\n        n++;\n    }\n    items[n].kind = 2;\n    return items;\n}\n";

/// What a run changed of a variable without a name, behind the pointer that it returns: all of it, members of unions as they were set.
fn in_static() -> Result<()> {
    let home = tempfile::tempdir()?;
    let file = home.path().join("items.c");
    fs::write(&file, ITEMS)?;
    generate(home.path(), &file, "split", &["--no-replay", "-c", "branch", "--pointers", "valid"])?;
    let folder = home.path().join("out/suite/c");
    let said = suite(&folder)?;
    ensure!(!said.contains("not ok"), "{said}");
    for (old, new, word) in [
        ("u.ch = s[n]", "u.ch = s[n] ^ 1", ".u.ch: expected "),
        ("items[n].kind = 2", "items[n].kind = n < 3 ? 2 : 3", "result[3].kind: expected 2 (0x2), found 3"),
    ] {
        fs::write(&file, ITEMS.replace(old, new))?;
        let said = suite(&folder)?;
        ensure!(said.contains(word), "`{new}` goes unnoticed:\n{said}");
    }
    Ok(())
}
