//! S-expressions: as much of them as certificates have.

/// An atom, with the bars of a quoted symbol taken away, or a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Sexp {
    Atom(String),
    /// The text between quotes.
    Text(String),
    List(Vec<Sexp>),
}

/// Deeper ones are not read: formulas are not that deep, and reading them takes stack.
const DEEPEST: usize = 2_000; // not tuning: a stack

impl Sexp {
    pub(super) fn atom(&self) -> Option<&str> {
        match self {
            Sexp::Atom(name) => Some(name),
            _ => None,
        }
    }

    pub(super) fn list(&self) -> Option<&[Sexp]> {
        match self {
            Sexp::List(all) => Some(all),
            _ => None,
        }
    }
}

/// All expressions of a text. `Err`: why it is none.
pub(super) fn read(text: &str) -> Result<Vec<Sexp>, String> {
    // Lists that are open, the outermost first.
    let mut open: Vec<Vec<Sexp>> = vec![Vec::new()];
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let Some(first) = rest.chars().next() else { break };
        match first {
            ';' => rest = rest.split_once('\n').map_or("", |(_, next)| next),
            '(' => {
                if open.len() > DEEPEST {
                    return Err("it is nested too deeply".to_owned());
                }
                open.push(Vec::new());
                rest = &rest[1..];
            }
            ')' => {
                let list = open.pop().filter(|_| !open.is_empty()).ok_or("a bracket is closed that was not opened")?;
                open.last_mut().ok_or("a bracket is closed that was not opened")?.push(Sexp::List(list));
                rest = &rest[1..];
            }
            _ => {
                let (item, next) = item(rest)?;
                open.last_mut().ok_or("a bracket is closed that was not opened")?.push(item);
                rest = next;
            }
        }
    }
    match (open.pop(), open.is_empty()) {
        (Some(all), true) => Ok(all),
        _ => Err("a bracket is not closed".to_owned()),
    }
}

fn item(text: &str) -> Result<(Sexp, &str), String> {
    if let Some(quoted) = text.strip_prefix('|') {
        let (name, rest) = quoted.split_once('|').ok_or("a quoted symbol does not end")?;
        return Ok((Sexp::Atom(name.to_owned()), rest));
    }
    if let Some(mut rest) = text.strip_prefix('"') {
        let mut all = String::new();
        loop {
            let (part, next) = rest.split_once('"').ok_or("a text does not end")?;
            all.push_str(part);
            match next.strip_prefix('"') {
                // Two quotes are one of the text.
                Some(more) => {
                    all.push('"');
                    rest = more;
                }
                None => return Ok((Sexp::Text(all), next)),
            }
        }
    }
    let end = text.find(|c: char| c.is_whitespace() || "();|\"".contains(c)).unwrap_or(text.len());
    Ok((Sexp::Atom(text[..end].to_owned()), &text[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_symbols_and_texts_are_read() {
        let all = read("; a comment (\n(a |b c| \"d \"\"e\"\"\" (#x0f))").unwrap();
        let atom = |name: &str| Sexp::Atom(name.to_owned());
        let inner = Sexp::List(vec![atom("#x0f")]);
        assert_eq!(all, [Sexp::List(vec![atom("a"), atom("b c"), Sexp::Text("d \"e\"".to_owned()), inner])]);
        for wrong in ["(", ")", "(a))", "|a", "\"a", &"(".repeat(10_000)] {
            assert!(read(wrong).is_err(), "{wrong:.20}");
        }
    }
}
