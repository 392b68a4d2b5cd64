//! What functions of the library do that are not expanded.

/// What a call may change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Effect {
    /// Nothing that the program can see but the result.
    Prints,
    /// All memory whose address it may know.
    Memory,
}

pub(super) fn never_returns(name: &str) -> bool {
    matches!(name, "exit" | "_Exit" | "_exit" | "quick_exit" | "abort" | "__assert_fail")
}

/// `text` gives the string literal behind an argument, if it is one.
pub(super) fn effect(name: &str, text: impl Fn(usize) -> Option<Vec<u8>>) -> Effect {
    let format = match name {
        "puts" | "putchar" | "putchar_unlocked" | "perror" | "fflush" | "fputs" | "fputc" | "putc"
        | "putc_unlocked" | "fwrite" => return Effect::Prints,
        "printf" => 0,
        "fprintf" | "__printf_chk" => 1,
        "__fprintf_chk" => 2,
        _ => return Effect::Memory,
    };
    match text(format) {
        Some(format) if !stores_count(&format) => Effect::Prints,
        _ => Effect::Memory,
    }
}

/// Whether the format has a `%n`, which writes through an argument.
fn stores_count(format: &[u8]) -> bool {
    let mut rest = format.iter();
    while let Some(&byte) = rest.next() {
        if byte != b'%' {
            continue;
        }
        let conversion = rest.by_ref().find(|b| b.is_ascii_alphabetic() && !b"hlLjzt".contains(b) || **b == b'%');
        if conversion == Some(&b'n') {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_that_write_are_seen() {
        let effect = |format: &str| effect("printf", |_| Some(format.as_bytes().to_vec()));
        assert_eq!(effect("%d %s\n"), Effect::Prints);
        assert_eq!(effect("100%%n"), Effect::Prints);
        assert_eq!(effect("%d%n"), Effect::Memory);
        assert_eq!(effect("%-5lln"), Effect::Memory);
        assert_eq!(super::effect("printf", |_| None), Effect::Memory);
    }
}
