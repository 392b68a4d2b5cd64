//! Values of options: sizes, durations, names with what is said of them.

use std::time::Duration;

use covenant::{FIRST_MAPPED, LAST_MAPPED, MOST_ENTRIES, StubKind};
use covenant_constraints::tuning::{TABLE, Tuning, Wrong};

/// Arguments that a program may get.
const MOST_ARGUMENTS: u32 = 1000; // not tuning: what can be asked for
/// Characters of an argument.
const LONGEST_ARGUMENT: u32 = 100_000; // not tuning: what can be asked for

/// Bytes of a file or a variable.
const MOST_BYTES: u32 = 1 << 20; // not tuning: what can be asked for
/// Bytes of the name of a file.
const LONGEST_NAME: usize = 255; // not tuning: what systems allow
/// Bytes of a region of device registers.
const LARGEST_DEVICE: u64 = 1 << 24; // not tuning: what can be asked for

/// A number of bytes with an optional unit. Units are powers of 1024, with or without the `i`.
pub(super) fn bytes(text: &str) -> Result<u64, String> {
    let wrong = || format!("`{text}` is not a size: use a number with K, M or G, such as 512M");
    let bare = text.trim().trim_end_matches(['b', 'B']).trim_end_matches('i');
    let unit = if bare.ends_with(|c: char| c.is_ascii_alphabetic()) { "iB" } else { "" };
    let size: bytesize::ByteSize = format!("{bare}{unit}").parse().map_err(|_| wrong())?;
    // Where the number is too large it is cut to the largest.
    if size.as_u64() == u64::MAX { Err(format!("{text} is too much")) } else { Ok(size.as_u64()) }
}

/// `NAME=any`, `NAME=none` and so on, or one of these words.
pub(super) fn stub(text: &str) -> Result<(Option<String>, StubKind), String> {
    let (name, word) = match text.split_once('=') {
        Some((name, word)) => (Some(name.trim().to_owned()), word),
        None => (None, text),
    };
    let kind = word.trim().parse().map_err(|_| format!("`{text}` is not NAME=any, none, pure, writes or globals"))?;
    Ok((name, kind))
}

/// `FILE:LINE`
pub(super) fn point(text: &str) -> Result<(String, u32), String> {
    let wrong = || format!("`{text}` is not FILE:LINE");
    let (file, line) = text.rsplit_once(':').ok_or_else(wrong)?;
    let line = line.trim().parse().ok().filter(|line| *line > 0).ok_or_else(wrong)?;
    if file.trim().is_empty() { Err(wrong()) } else { Ok((file.trim().to_owned(), line)) }
}

/// `N` or `N:LEN`
pub(super) fn arguments(text: &str) -> Result<(u32, u32), String> {
    let wrong = |_| format!("`{text}` is not N or N:LEN, such as 3:10");
    let (count, length) = text.split_once(':').unwrap_or((text, "16"));
    let (count, length): (u32, u32) = (count.trim().parse().map_err(wrong)?, length.trim().parse().map_err(wrong)?);
    if count > MOST_ARGUMENTS || length > LONGEST_ARGUMENT {
        return Err(format!("`{text}`: at most {MOST_ARGUMENTS} arguments of {LONGEST_ARGUMENT} characters"));
    }
    Ok((count, length))
}

/// `NAME=LEN` of a file in the directory that a program starts in.
pub(super) fn file(text: &str) -> Result<(String, u32), String> {
    let (name, length) = named(text, "input.txt=64")?;
    if name.contains('/') || name == "." || name == ".." || name.len() > LONGEST_NAME {
        return Err(format!("`{name}` is not the name of a file in the directory that the program starts in"));
    }
    Ok((name, length))
}

/// `NAME` or `NAME=COUNT` of a directory in the one that a program starts in, or of that one.
pub(super) fn directory(text: &str) -> Result<(String, u32), String> {
    let text = if text.contains('=') { text.to_owned() } else { format!("{text}=3") };
    let (name, count) = named(&text, "cache=3")?;
    if name.contains('/') || name == ".." || name.len() > LONGEST_NAME {
        return Err(format!(
            "`{name}` is neither `.` nor the name of a directory in the one that the program starts in"
        ));
    }
    if count > MOST_ENTRIES {
        return Err(format!("`{text}`: at most {MOST_ENTRIES} files and directories in a directory"));
    }
    Ok((name, count))
}

/// `NAME=LEN` of a variable of the environment.
pub(super) fn variable(text: &str) -> Result<(String, u32), String> {
    named(text, "HOME=16")
}

fn named(text: &str, such: &str) -> Result<(String, u32), String> {
    let wrong = || format!("`{text}` is not NAME=LEN, such as {such}");
    let (name, length) = text.rsplit_once('=').ok_or_else(wrong)?;
    let length: u32 = length.trim().parse().map_err(|_| wrong())?;
    if name.is_empty() || name.contains(['=', '\0']) {
        return Err(wrong());
    }
    if length > MOST_BYTES {
        return Err(format!("`{text}`: at most {MOST_BYTES} bytes"));
    }
    Ok((name.to_owned(), length))
}

/// `ADDR:LEN`, decimal or behind `0x`.
pub(super) fn device(text: &str) -> Result<(u64, u64), String> {
    let number = |digits: &str| match digits.trim().strip_prefix("0x").or(digits.trim().strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => digits.trim().parse().ok(),
    };
    let read = text.split_once(':').and_then(|(start, size)| Some((number(start)?, number(size)?)));
    let (start, size) = read.ok_or_else(|| format!("`{text}` is not ADDR:LEN, such as 0x40021000:0x400"))?;
    if size == 0 || size > LARGEST_DEVICE {
        return Err(format!("`{text}`: a device has 1 to {LARGEST_DEVICE} bytes"));
    }
    if start < FIRST_MAPPED {
        return Err(format!("`{text}`: no host maps anything below {FIRST_MAPPED:#x}, so that no test could be run"));
    }
    if start.checked_add(size).is_none_or(|end| end > LAST_MAPPED) {
        return Err(format!("`{text}`: a device ends at {LAST_MAPPED:#x} at most"));
    }
    Ok((start, size))
}

/// `PTR=EXPR`
pub(super) fn length(text: &str) -> Result<(String, String), String> {
    let (pointer, expression) = text.split_once('=').ok_or_else(|| format!("`{text}` is not PTR=EXPR"))?;
    Ok((pointer.trim().to_owned(), expression.trim().to_owned()))
}

/// Why nothing was changed in the table of tuning.
#[derive(Debug)]
pub(crate) enum NotTuned {
    /// It was only to be shown.
    Asked,
    Wrong(String),
}

impl std::error::Error for NotTuned {}

impl std::fmt::Display for NotTuned {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NotTuned::Asked => f.write_str(&table()),
            NotTuned::Wrong(why) => f.write_str(why),
        }
    }
}

/// `NAME=VALUE` of the table of tuning, or `list`.
pub(super) fn tune(text: &str) -> Result<(String, String), NotTuned> {
    if text.trim() == "list" {
        return Err(NotTuned::Asked);
    }
    let (name, value) = text
        .split_once('=')
        .ok_or_else(|| NotTuned::Wrong(format!("`{text}` is not NAME=VALUE; `--tune list` shows all there are")))?;
    let (name, value) = (name.trim(), value.trim());
    Tuning::default().set(name, value).map_err(|wrong| match wrong {
        Wrong::Value { .. } => NotTuned::Wrong(wrong.to_string()),
        Wrong::Name { .. } => NotTuned::Wrong(format!("{wrong}\n\n`--tune list` shows all there are")),
    })?;
    Ok((name.to_owned(), value.to_owned()))
}

/// The table of tuning, a line for each row.
fn table() -> String {
    let defaults = Tuning::default();
    let rows: Vec<[String; 5]> = TABLE
        .iter()
        .map(|row| {
            let value = defaults.get(row.name).unwrap_or_default();
            [row.name.to_owned(), value, row.unit.to_owned(), row.about.to_owned(), row.measured.to_owned()]
        })
        .collect();
    let heads = ["NAME", "DEFAULT", "UNIT", "ABOUT", "MEASURED"].map(str::to_owned);
    let wide = |column: usize| rows.iter().chain([&heads]).map(|row| row[column].chars().count()).max().unwrap_or(0);
    let (name, value, unit, about) = (wide(0), wide(1), wide(2), wide(3));
    let line = |row: &[String; 5]| {
        let [n, v, u, a, m] = row;
        format!("{n:name$}  {v:>value$}  {u:unit$}  {a:about$}  {m}")
    };
    [&heads].into_iter().chain(&rows).map(line).collect::<Vec<_>>().join("\n")
}

pub(super) fn count(text: &str) -> Result<u64, String> {
    text.replace('_', "").parse().map_err(|_| format!("`{text}` is not a number"))
}

/// A duration with units, such as `1h 30m`; plain numbers are seconds.
/// `3/8`: the third of eight parts.
pub(super) fn partition(text: &str) -> Result<(u32, u32), String> {
    let wrong = || format!("`{text}` is no part: use e.g. 3/8, from 1/8 to 8/8");
    let (part, parts) = text.split_once('/').ok_or_else(wrong)?;
    let number = |text: &str| text.trim().parse::<u32>().map_err(|_| wrong());
    let (part, parts) = (number(part)?, number(parts)?);
    if part == 0 || part > parts { Err(wrong()) } else { Ok((part, parts)) }
}

pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || format!("`{text}` is not a duration: use e.g. 500ms, 10s, 5m or 1h");
    match text.trim().parse() {
        Ok(seconds) => Duration::try_from_secs_f64(seconds).map_err(|_| wrong()),
        Err(_) => humantime::parse_duration(text.trim()).map_err(|_| wrong()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_counted_from_one() {
        assert_eq!((partition("1/8"), partition("8/8")), (Ok((1, 8)), Ok((8, 8))));
        assert!(["0/8", "9/8", "3", "a/b", "1/0"].iter().all(|text| partition(text).is_err()));
    }

    #[test]
    fn directories_have_a_name_or_are_the_first() {
        let known = |text: &str| directory(text).ok();
        assert_eq!(known("cache"), Some(("cache".to_owned(), 3)));
        assert_eq!((known(".=0"), known("a=16")), (Some((".".to_owned(), 0)), Some(("a".to_owned(), 16))));
        assert!(["a/b", "..", "a=17", "=2", "a=b", ""].iter().all(|text| directory(text).is_err()));
    }

    #[test]
    fn sizes_and_durations() {
        assert_eq!(bytes("64M"), Ok(64 << 20));
        assert_eq!(bytes("10"), Ok(10));
        assert_eq!((bytes("2KiB"), bytes("3kb"), bytes("1g")), (Ok(2048), Ok(3072), Ok(1 << 30)));
        assert!(bytes("ten").is_err());
        assert!(bytes("99999999999G").is_err());
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("1.5m"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("1h 30m"), Ok(Duration::from_secs(5400)));
        assert_eq!(duration("0.5"), Ok(Duration::from_millis(500)));
        assert!(duration("soon").is_err());
        assert!(duration("-1s").is_err());
        assert_eq!(count("1_000"), Ok(1000));
    }

    #[test]
    fn devices_are_where_a_host_can_map_them() {
        assert_eq!(device("0x40021000:0x400"), Ok((0x4002_1000, 1024)));
        assert_eq!(device("65536:4"), Ok((65536, 4)));
        for wrong in ["0x40021000", "x:4", "0x40021000:0", "0x25:1", "0x40021000:0x2000000", "0xffffffffffffffff:8"] {
            assert!(device(wrong).is_err_and(|words| words.contains(wrong)), "{wrong}");
        }
    }

    #[test]
    fn tuning_is_by_name() {
        let said = |text: &str| tune(text).map_err(|why| why.to_string());
        assert_eq!(said("relax_soon = 5_000"), Ok(("relax_soon".into(), "5_000".into())));
        let wrong = said("relax_son=1").expect_err("there is no such name");
        let begin = "there is nothing called `relax_son` in the table of tuning; is it `relax_soon`?\n\n`--tune list`";
        assert!(wrong.starts_with(begin), "{wrong}");
        assert!(said("relax_soon=never").is_err() && said("relax_soon").is_err());
    }

    #[test]
    fn the_table_has_columns() {
        let listed = tune("list").expect_err("it is only shown").to_string();
        let lines: Vec<&str> = listed.lines().collect();
        assert_eq!(lines.len(), TABLE.len() + 1);
        let unit = lines[0].find("UNIT").expect("there is a head");
        for (line, row) in lines[1..].iter().zip(TABLE) {
            assert!(line.starts_with(row.name) && line.ends_with(row.measured) && line.contains(row.about), "{line}");
            assert!(line[unit..].starts_with(row.unit), "{line}");
        }
        assert!(
            lines.iter().any(|line| line.starts_with("turns_most_work ") && line.contains(" 1099511627776  work "))
        );
    }
}
