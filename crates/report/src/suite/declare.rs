//! Prototypes as C text: giving names to parameters that have none, so that a prototype can head a definition.

/// A prototype whose parameters all have names.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Prototype {
    /// The head of a definition.
    pub(crate) head: String,
    /// The names of the parameters.
    pub(crate) params: Vec<String>,
    /// Whether each of them has a type without a sign, as far as its name says that.
    pub(crate) unsigned: Vec<bool>,
}

/// Words that end a type and can never be the name of a parameter.
const TYPE_WORDS: &[&str] = &[
    "void",
    "char",
    "short",
    "int",
    "long",
    "float",
    "double",
    "signed",
    "unsigned",
    "_Bool",
    "bool",
    "_Complex",
    "__int128",
    "const",
    "volatile",
    "restrict",
    "__restrict",
    "__restrict__",
    "_Atomic",
    "__const",
    "__volatile__",
    "_Float128",
    "__float128",
];
/// Words of types without a sign.
const UNSIGNED: &[&str] = &[
    "unsigned",
    "size_t",
    "uint8_t",
    "uint16_t",
    "uint32_t",
    "uint64_t",
    "uintptr_t",
    "_Bool",
    "bool",
    "u8",
    "u16",
    "u32",
    "u64",
];
const TYPEOF: &str = "__typeof__";
const TAG_WORDS: &[&str] = &["struct", "union", "enum"];

/// Reads `decl`, a prototype of the function `name`. `None` if the function's parameters cannot be found.
pub(crate) fn prototype(decl: &str, name: &str) -> Option<Prototype> {
    let open = parameters_of(decl, name)?;
    let close = matching(decl, open)?;
    let list = &decl[open + 1..close];
    let mut named = Vec::new();
    let (mut params, mut unsigned) = (Vec::new(), Vec::new());
    for (index, param) in split(list).into_iter().enumerate() {
        let param = param.trim();
        if param.is_empty() || param == "void" || param == "..." {
            named.push(param.to_owned());
            continue;
        }
        let (text, name) = with_name(param, &format!("covenant_p{index}"));
        named.push(text);
        params.push(name);
        unsigned.push(words(param).iter().any(|(_, word)| UNSIGNED.contains(word)));
    }
    Some(Prototype { head: format!("{}({}){}", &decl[..open], named.join(", "), &decl[close + 1..]), params, unsigned })
}

/// Where the parenthesis behind the function's name opens.
fn parameters_of(decl: &str, name: &str) -> Option<usize> {
    words(decl).into_iter().filter(|(_, word)| *word == name).find_map(|(start, _)| {
        let behind = &decl[start + name.len()..];
        let skipped = behind.len() - behind.trim_start().len();
        behind.trim_start().starts_with('(').then_some(start + name.len() + skipped)
    })
}

/// The identifiers of a text and where they start.
fn words(text: &str) -> Vec<(usize, &str)> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let mut found = Vec::new();
    let mut start = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        match (is_word(c), start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                found.push((from, &text[from..at]));
                start = None;
            }
            _ => {}
        }
    }
    found
}

fn matching(text: &str, open: usize) -> Option<usize> {
    let mut depth = 0;
    for (at, c) in text[open..].char_indices() {
        match c {
            '(' => depth += 1,
            ')' => {
                depth -= 1;
                if depth == 0 {
                    return Some(open + at);
                }
            }
            _ => {}
        }
    }
    None
}

/// Splits at commas outside all parentheses.
fn split(list: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, c) in list.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&list[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&list[start..]);
    parts
}

/// A parameter with a name, its own or the one given.
fn with_name(param: &str, fresh: &str) -> (String, String) {
    let place = declarator(param);
    if let Some(own) = own_name(param, place) {
        return (param.to_owned(), own.to_owned());
    }
    let (before, behind) = param.split_at(place);
    let space = if before.ends_with(['*', '(', ' ']) { "" } else { " " };
    (format!("{before}{space}{fresh}{behind}"), fresh.to_owned())
}

/// Where a parameter's name ends, or would stand: in `(*)`, before `[`, or at the end.
fn declarator(param: &str) -> usize {
    // A type by an expression has parentheses of its own.
    let written = param.find(TYPEOF).and_then(|at| matching(param, at + TYPEOF.len()));
    let start = written.map_or(0, |end| end + 1);
    let mut from = start;
    // The innermost of nested declarators, as in `int (*(*)(void))[3]`.
    while let Some(found) = param[from..].find("(*").or_else(|| param[from..].find("(^")) {
        let inside = from + found + 2;
        let rest = &param[inside..];
        let end = rest.find([')', '(', '[']).unwrap_or(rest.len());
        if !rest[end..].starts_with('(') || !rest[end..].starts_with("(*") {
            return inside + rest[..end].trim_end().len();
        }
        from = inside + end;
    }
    param[start..].find('[').map_or(param.trim_end().len(), |at| param[..start + at].trim_end().len())
}

/// The name that ends at `place`, if there is one.
fn own_name(param: &str, place: usize) -> Option<&str> {
    let before = &param[..place];
    let found = words(before);
    let &(start, word) = found.last()?;
    if start + word.len() != before.len() || TYPE_WORDS.contains(&word) {
        return None;
    }
    if before[..start].trim_end().ends_with('*') {
        return Some(word);
    }
    // A single word, or one behind nothing but qualifiers, is a type; so is a tag.
    let mut types = found[..found.len() - 1].iter().map(|(_, w)| *w);
    let qualifier = |w: &&str| !matches!(*w, "const" | "volatile" | "register" | "__const");
    let previous = types.rfind(qualifier)?;
    (!TAG_WORDS.contains(&previous)).then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(decl: &str, head: &str) {
        assert_eq!(prototype(decl, "f").unwrap().head, head);
    }

    #[test]
    fn parameters_get_names() {
        check("int f(int)", "int f(int covenant_p0)");
        check("int f(void)", "int f(void)");
        check("int f()", "int f()");
        check("int f(unsigned long, ...)", "int f(unsigned long covenant_p0, ...)");
        check("struct s *f(struct s *, const T)", "struct s *f(struct s *covenant_p0, const T covenant_p1)");
        check("void f(int (*)(int, int), char *[4])", "void f(int (*covenant_p0)(int, int), char *covenant_p1[4])");
        check("void f(enum e, T *const)", "void f(enum e covenant_p0, T *const covenant_p1)");
        check("void (*f(int))(void)", "void (*f(int covenant_p0))(void)");
        check("int f(__typeof__(**(int *)0) *)", "int f(__typeof__(**(int *)0) *covenant_p0)");
        check("int f(int (*)[3])", "int f(int (*covenant_p0)[3])");
        check("int f(int (*(*)(void))[3])", "int f(int (*(*covenant_p0)(void))[3])");
    }

    #[test]
    fn names_stay() {
        check("int f(int a, size_t n, T t)", "int f(int a, size_t n, T t)");
        check("int f(struct s s, char *p, int a[3])", "int f(struct s s, char *p, int a[3])");
        check("int f(int (*cmp)(int, int), const T t)", "int f(int (*cmp)(int, int), const T t)");
        assert_eq!(prototype("int f(size_t n, size_t)", "f").unwrap().params, ["n", "covenant_p1"]);
    }

    #[test]
    fn another_function_is_not_ours() {
        assert_eq!(prototype("int g(int)", "f"), None);
        assert_eq!(prototype("int f(int", "f"), None);
    }
}
