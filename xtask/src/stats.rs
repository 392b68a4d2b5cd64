//! What `covenant run --stats` prints to stderr.

/// The number behind `name:`; digits may be grouped by `_`, `,` or blanks.
pub(crate) fn number(stderr: &str, name: &str) -> Option<f64> {
    let line = stderr.lines().find_map(|line| line.trim_start().strip_prefix(name)?.trim_start().strip_prefix(':'))?;
    let digits: String = line
        .trim_start()
        .chars()
        .take_while(|c| c.is_ascii_digit() || matches!(c, '_' | ',' | ' ' | '.'))
        .filter(|c| c.is_ascii_digit() || *c == '.')
        .collect();
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn finds_the_number_of_a_line() {
        let text = "warning: x\ninstructions: 1_234,567\n  steps/s: 60000000.5 (fast)\n";
        assert_eq!(number(text, "instructions"), Some(1_234_567.0));
        assert_eq!(number(text, "steps/s"), Some(60_000_000.5));
        assert_eq!(number(text, "peak"), None);
        assert_eq!(number("instructions: none", "instructions"), None);
    }
}
