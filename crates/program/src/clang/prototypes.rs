//! The prototypes of undefined functions, as the source writes them.
//!
//! Debug information has no types of functions that are only declared, and the IR has lost signs and names. So the text
//! that the preprocessor leaves is searched for the declaration; what is not found there is spelled from the IR.

use std::collections::BTreeMap;
use std::process::{Command, Stdio};

use super::{FrontEnd, Unit};

/// The text of a unit behind the preprocessor; empty if clang does not say.
pub fn preprocessed(unit: &Unit) -> String {
    preprocess(unit, "-P")
}

/// The macros at the end of a unit: what stands behind their names.
pub fn macros(unit: &Unit) -> BTreeMap<String, String> {
    let text = preprocess(unit, "-dM");
    let mut macros = BTreeMap::new();
    for definition in text.lines().filter_map(|line| line.strip_prefix("#define ")) {
        let end = definition.find([' ', '(']).unwrap_or(definition.len());
        macros.insert(definition[..end].to_owned(), definition[end..].to_owned());
    }
    macros
}

fn preprocess(unit: &Unit, how: &str) -> String {
    let Ok(clang) = FrontEnd::default().find_clang() else { return String::new() };
    let mut command = Command::new(clang);
    command.args(&unit.flags).args(["-E", how, "-w"]).arg(&unit.path).current_dir(&unit.directory);
    match command.stdin(Stdio::null()).output() {
        Ok(output) if output.status.success() => String::from_utf8_lossy(&output.stdout).into_owned(),
        _ => String::new(),
    }
}

/// `int read_sensor(int channel)`: the declaration of a function, without storage class and attributes.
pub fn find(text: &str, name: &str) -> Option<String> {
    text.match_indices(name).find_map(|(at, _)| {
        let behind = &text[at + name.len()..];
        let word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
        if text[..at].ends_with(word) || !behind.trim_start().starts_with('(') {
            return None;
        }
        let start = text[..at].rfind([';', '{', '}']).map_or(0, |found| found + 1);
        let open = at + name.len() + behind.find('(')?;
        let close = open + matching(&text[open..])?;
        let rest = without_attributes(&text[close + 1..text[close..].find([';', '{']).map(|end| close + end)?]);
        let head = without_attributes(&text[start..at]);
        let kept: Vec<&str> = head.split_whitespace().filter(|w| !matches!(*w, "extern" | "__extension__")).collect();
        // A call, a return, a definition or a function that returns a function's address is something else.
        let is_type = !kept.is_empty()
            && !kept.contains(&"return")
            && !kept.contains(&"typedef")
            && !head.contains(['(', '=', ',', '#', '.']);
        let ends = rest.trim().is_empty() && text[close..].find(';') < text[close..].find('{').or(Some(usize::MAX));
        let parameters = text[open..=close].split_whitespace().collect::<Vec<_>>().join(" ");
        (is_type && ends).then(|| format!("{} {name}{parameters}", kept.join(" ")))
    })
}

/// Where the parenthesis at the start closes.
fn matching(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        depth += i32::from(c == '(') - i32::from(c == ')');
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

fn without_attributes(text: &str) -> String {
    let mut rest = text;
    let mut kept = String::new();
    while let Some(at) = ["__attribute__", "__asm__", "__attribute"].iter().filter_map(|word| rest.find(word)).min() {
        kept.push_str(&rest[..at]);
        let Some(open) = rest[at..].find('(') else { return kept };
        let Some(close) = matching(&rest[at + open..]) else { return kept };
        rest = &rest[at + open + close + 1..];
    }
    kept + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_are_found() {
        let text = "typedef unsigned char u8; extern u8 flags ( void ) __attribute__((nothrow));\nint read(int\n channel);\n\
                    const struct s *get(struct s *, int (*cmp)(int, int));\nstatic int f(int x) { g(x); return h(x); }\nint g(int);";
        assert_eq!(find(text, "flags").unwrap(), "u8 flags( void )");
        assert_eq!(find(text, "read").unwrap(), "int read(int channel)");
        assert_eq!(find(text, "get").unwrap(), "const struct s * get(struct s *, int (*cmp)(int, int))");
        assert_eq!(find(text, "g").unwrap(), "int g(int)");
        assert_eq!(find(text, "h"), None);
        assert_eq!(find(text, "f"), None);
    }
}
