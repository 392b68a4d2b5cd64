//! Values of options: sizes, durations, names with what is said of them.

use std::time::Duration;

use covenant_constraints::tuning::{TABLE, Tuning, Wrong};

/// A number of bytes with an optional unit. Units are powers of 1024, with or without the `i`.
pub(super) fn bytes(text: &str) -> Result<u64, String> {
    let wrong = || format!("`{text}` is not a size: use a number with K, M or G, such as 512M");
    let bare = text.trim().trim_end_matches(['b', 'B']).trim_end_matches('i');
    let unit = if bare.ends_with(|c: char| c.is_ascii_alphabetic()) { "iB" } else { "" };
    let size: bytesize::ByteSize = format!("{bare}{unit}").parse().map_err(|_| wrong())?;
    // Where the number is too large it is cut to the largest.
    if size.as_u64() == u64::MAX { Err(format!("{text} is too much")) } else { Ok(size.as_u64()) }
}

/// `NAME=any`, `NAME=none`, or one of the two words.
pub(super) fn stub(text: &str) -> Result<(Option<String>, bool), String> {
    let (name, word) = match text.split_once('=') {
        Some((name, word)) => (Some(name.trim().to_owned()), word),
        None => (None, text),
    };
    match word.trim() {
        "any" => Ok((name, true)),
        "none" => Ok((name, false)),
        _ => Err(format!("`{text}` is not NAME=any or NAME=none")),
    }
}

/// `FILE:LINE`
pub(super) fn point(text: &str) -> Result<(String, u32), String> {
    let wrong = || format!("`{text}` is not FILE:LINE");
    let (file, line) = text.rsplit_once(':').ok_or_else(wrong)?;
    let line = line.trim().parse().ok().filter(|line| *line > 0).ok_or_else(wrong)?;
    if file.trim().is_empty() { Err(wrong()) } else { Ok((file.trim().to_owned(), line)) }
}

/// `PTR=EXPR`
pub(super) fn length(text: &str) -> Result<(String, String), String> {
    let (pointer, expression) = text.split_once('=').ok_or_else(|| format!("`{text}` is not PTR=EXPR"))?;
    Ok((pointer.trim().to_owned(), expression.trim().to_owned()))
}

/// `NAME=VALUE` of the table of tuning.
pub(super) fn tune(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or_else(|| format!("`{text}` is not NAME=VALUE"))?;
    let (name, value) = (name.trim(), value.trim());
    Tuning::default().set(name, value).map_err(|wrong| match wrong {
        Wrong::Value { .. } => wrong.to_string(),
        Wrong::Name(_) => {
            let close = TABLE.iter().min_by_key(|row| strsim::levenshtein(row.name, name));
            let hint = close
                .filter(|row| strsim::levenshtein(row.name, name) <= 3)
                .map(|row| format!("; is it `{}`?", row.name));
            let rows: Vec<String> = TABLE
                .iter()
                .map(|row| format!("  {} ({}): {}; {}", row.name, row.unit, row.about, row.measured))
                .collect();
            format!("{wrong}{}\n\nThere are:\n{}", hint.unwrap_or_default(), rows.join("\n"))
        }
    })?;
    Ok((name.to_owned(), value.to_owned()))
}

pub(super) fn count(text: &str) -> Result<u64, String> {
    text.replace('_', "").parse().map_err(|_| format!("`{text}` is not a number"))
}

/// A duration with units, such as `1h 30m`; plain numbers are seconds.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
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
    fn tuning_is_by_name() {
        assert_eq!(tune("relax_soon = 5_000"), Ok(("relax_soon".into(), "5_000".into())));
        let wrong = tune("relax_son=1").expect_err("there is no such name");
        let begin = "there is nothing called `relax_son` in the table of tuning; is it `relax_soon`?\n\nThere are:\n";
        assert!(wrong.starts_with(begin), "{wrong}");
        assert!(TABLE.iter().all(|row| wrong.contains(row.name)), "{wrong}");
        assert!(tune("relax_soon=never").is_err() && tune("relax_soon").is_err());
    }
}
