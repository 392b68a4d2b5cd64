//! Values of options: sizes, durations, names with what is said of them.

use std::time::Duration;

/// A number of bytes with an optional unit.
pub(super) fn bytes(text: &str) -> Result<u64, String> {
    let split = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let factor: u64 = match unit.to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "k" | "kb" | "kib" => 1 << 10,
        "m" | "mb" | "mib" => 1 << 20,
        "g" | "gb" | "gib" => 1 << 30,
        _ => return Err(format!("`{text}` is not a size: use a number with K, M or G, such as 512M")),
    };
    let number: u64 = number.parse().map_err(|_| format!("`{text}` is not a size: use e.g. 512M"))?;
    number.checked_mul(factor).ok_or_else(|| format!("{text} is too much"))
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

pub(super) fn count(text: &str) -> Result<u64, String> {
    text.replace('_', "").parse().map_err(|_| format!("`{text}` is not a number"))
}

/// A duration with a unit; plain numbers are seconds.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || format!("`{text}` is not a duration: use e.g. 500ms, 10s, 5m or 1h");
    let split = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let number: f64 = number.parse().map_err(|_| wrong())?;
    let seconds = match unit {
        "ms" => number / 1e3,
        "" | "s" => number,
        "m" | "min" => number * 60.0,
        "h" => number * 3600.0,
        _ => return Err(wrong()),
    };
    Duration::try_from_secs_f64(seconds).map_err(|_| wrong())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_durations() {
        assert_eq!(bytes("64M"), Ok(64 << 20));
        assert_eq!(bytes("10"), Ok(10));
        assert!(bytes("ten").is_err());
        assert!(bytes("99999999999G").is_err());
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("1.5m"), Ok(Duration::from_secs(90)));
        assert!(duration("soon").is_err());
        assert!(duration("-1s").is_err());
        assert_eq!(count("1_000"), Ok(1000));
    }
}
