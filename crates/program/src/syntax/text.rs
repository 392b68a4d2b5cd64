//! What clang's syntax tree does not say and the text does: where an operator is, and where the use of a macro ends.

/// Where an operator begins, which stands between its operands: nothing but blanks and comments is there with it.
pub fn operator(text: &str, gap: std::ops::Range<usize>, operator: &str) -> Option<usize> {
    let at = skip(text, gap.start);
    (!operator.is_empty() && text.get(at..gap.end)?.starts_with(operator)).then_some(at)
}

/// The first byte from `at` on that is no part of a blank or a comment.
pub fn skip(text: &str, mut at: usize) -> usize {
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let blank = rest.len() - rest.trim_start().len();
        at += if blank > 0 {
            blank
        } else if rest.starts_with("\\\n") {
            2
        } else if rest.starts_with("\\\r\n") {
            3
        } else if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if let Some(comment) = rest.strip_prefix("/*") {
            comment.find("*/").map_or(rest.len(), |end| end + 4)
        } else {
            return at;
        };
    }
    at
}

/// The end of a macro's use whose name ends at `at`: behind the arguments, where there are some.
pub fn end_of_use(text: &str, at: usize) -> usize {
    let open = skip(text, at);
    if !text.get(open..).is_some_and(|rest| rest.starts_with('(')) {
        return at;
    }
    let (mut depth, mut next) = (0u32, open);
    while let Some(c) = text.get(next..).and_then(|rest| rest.chars().next()) {
        match c {
            '(' => depth += 1,
            ')' if depth == 1 => return next + 1,
            ')' => depth -= 1,
            '"' | '\'' => {
                next += quoted(&text[next..]);
                continue;
            }
            '/' => {
                let behind = skip(text, next);
                if behind > next {
                    next = behind;
                    continue;
                }
            }
            _ => {}
        }
        next += c.len_utf8();
    }
    at
}

/// How long the string or character at the start is.
fn quoted(text: &str) -> usize {
    let quote = text.chars().next();
    let mut chars = text.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => drop(chars.next()),
            c if Some(c) == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// Line and column of a byte, from 1.
pub fn position(text: &str, offset: usize) -> (u32, u32) {
    let before = text.as_bytes().get(..offset).unwrap_or(text.as_bytes());
    let line = before.iter().filter(|byte| **byte == b'\n').count() as u32 + 1;
    let column = before.len() - before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    (line, column as u32 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_no_operators() {
        let text = "a /* < */ // <\n \\\n <= b";
        assert_eq!(operator(text, 1..text.len() - 1, "<="), Some(19));
        assert_eq!(operator(text, 1..text.len() - 1, "=="), None);
    }

    #[test]
    fn uses_of_macros_end_behind_their_arguments() {
        let end = |text: &str| end_of_use(text, 1);
        assert_eq!(end("M(a, f(b), \")\", ')') && c"), 20);
        assert_eq!(end("M /* ( */ (/* ) */ 1 / 2) + 1"), 25);
        assert_eq!((end("M + (1)"), end("M(a")), (1, 1));
    }

    #[test]
    fn positions_count_from_one() {
        assert_eq!(position("ab\ncd", 4), (2, 2));
    }
}
