//! One source with all mutants in it: a variable says which one is alive.
//!
//! Each changed expression becomes a choice: `(covenant_mutant == 7 ? a <= b : a < b)`. The alternatives are the plain
//! text, since no two mutants live at the same time; only the last arm holds the choices of the parts.

use super::ast::Change;

/// What the changed files share. The process that runs a test sets it (`suite/c/server.h`), so that one program is all
/// mutants.
pub(super) const HEAD: &str = "__attribute__((weak)) int covenant_mutant;\n#line 1\n";

/// The text with the changes of these numbers.
pub(super) fn rewrite(text: &str, changes: &[(u32, &Change)]) -> String {
    let mut spans: Vec<(usize, usize)> = changes.iter().map(|(_, c)| (c.start, c.end)).collect();
    spans.sort_by_key(|(start, end)| (*start, std::cmp::Reverse(*end)));
    spans.dedup();
    let mut out = String::new();
    let mut at = 0;
    while at < text.len() {
        let next = spans.iter().find(|(start, _)| *start >= at).copied();
        let Some((start, end)) = next else { break };
        out.push_str(&text[at..start]);
        out.push_str(&choice(text, (start, end), &spans, changes));
        at = end;
    }
    out.push_str(&text[at.min(text.len())..]);
    out
}

/// An expression as a choice between its mutants and itself.
fn choice(text: &str, span: (usize, usize), spans: &[(usize, usize)], changes: &[(u32, &Change)]) -> String {
    let mut out = String::from("(");
    for (number, change) in changes.iter().filter(|(_, c)| (c.start, c.end) == span) {
        out.push_str(&format!("covenant_mutant == {number} ? ({}) : ", one_line(&change.text)));
    }
    out.push('(');
    let mut at = span.0;
    while at < span.1 {
        let inner = |s: &&(usize, usize)| **s != span && s.0 >= at && s.1 <= span.1;
        let Some(&inside) = spans.iter().find(inner) else { break };
        out.push_str(&text[at..inside.0]);
        out.push_str(&choice(text, inside, spans, changes));
        at = inside.1;
    }
    out.push_str(&text[at..span.1]);
    out.push_str("))");
    out
}

/// Lines keep their numbers.
fn one_line(text: &str) -> String {
    text.replace("\\\n", " ").replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_nest() {
        let text = "return a < b + 1;";
        let change = |start: usize, end: usize, text: &str| Change {
            start,
            end,
            text: text.to_owned(),
            line: 1,
            column: 1,
            words: String::new(),
        };
        let (outer, inner) = (change(7, 16, "a <= b + 1"), change(11, 16, "b - 1"));
        let made = rewrite(text, &[(1, &outer), (2, &inner)]);
        let wanted = "return (covenant_mutant == 1 ? (a <= b + 1) : (a < (covenant_mutant == 2 ? (b - 1) : (b + 1))));";
        assert_eq!(made, wanted);
    }
}
