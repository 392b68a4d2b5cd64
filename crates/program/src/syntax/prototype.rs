//! Prototypes of functions that are only declared.

use super::{Function, Syntax};
use crate::types::{ARGUMENTS, TypeId, Types};

impl Syntax {
    /// `int read_sensor(int channel)`: how a function is declared, without storage class and attributes.
    pub fn prototype(&self, name: &str) -> Option<String> {
        self.declarations(name).find_map(spelled)
    }

    /// The type of a function that [`Syntax::prototype`] tells, of the types of a program.
    pub fn declared_type(&self, name: &str, types: &mut Types) -> Option<TypeId> {
        let function = self.declarations(name).find(|function| spelled(function).is_some())?;
        let ty = bare(function)?;
        let open = parameter_list(ty)?;
        let inside = ty[open + 1..open + matching(&ty[open..])?].trim();
        let params: Vec<&str> = function.parameters.iter().map(|parameter| parameter.ty.as_str()).collect();
        let variadic = inside.is_empty() || inside.ends_with("...");
        Some(types.declared(&ty[..open], &params, variadic, &self.typedefs))
    }

    fn declarations(&self, name: &str) -> impl Iterator<Item = &Function> {
        self.functions.iter().filter(move |function| function.name == name && !function.is_implicit)
    }
}

/// The type without attributes.
fn bare(function: &Function) -> Option<&str> {
    Some(function.ty.split(" __attribute__").next()?.trim_end())
}

fn spelled(function: &Function) -> Option<String> {
    let ty = bare(function)?;
    // Types without a name cannot be written, and `typeof` has parentheses of its own.
    let odd = |ty: &str| ["(unnamed", "(anonymous", "typeof"].iter().any(|word| ty.contains(word));
    if odd(ty) || function.parameters.iter().any(|parameter| odd(&parameter.ty)) {
        return None;
    }
    let open = parameter_list(ty)?;
    let close = open + matching(&ty[open..])?;
    let mut parameters: Vec<String> = function.parameters.iter().map(|p| declared(&written(&p.ty), &p.name)).collect();
    if ty[..close].ends_with("...") {
        parameters.push("...".to_owned());
    }
    let inside = if parameters.is_empty() { ty[open + 1..close].to_owned() } else { parameters.join(", ") };
    let before = &ty[..open];
    // `char *` takes the name as it is; `int ` has its space already.
    Some(format!("{before}{}({inside}){}", function.name, &ty[close + 1..]))
}

/// The type of a parameter with names that C has: a `va_list` is an array, whose elements have none.
fn written(ty: &str) -> String {
    ty.replace(&format!("struct {ARGUMENTS} *"), "__builtin_va_list")
}

/// Where the list of parameters begins in a function's type: the first parenthesis that does not hold a `*`.
fn parameter_list(ty: &str) -> Option<usize> {
    ty.match_indices('(').map(|(at, _)| at).find(|&at| !ty[at + 1..].trim_start().starts_with('*'))
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

/// A variable of a type. `int (*)(long)` has the name behind the star, `int[3]` before the bracket.
fn declared(ty: &str, name: &str) -> String {
    if name.is_empty() {
        return ty.to_owned();
    }
    match innermost(ty).or_else(|| ty.find('[')) {
        Some(at) => {
            let (before, behind) = ty.split_at(at);
            let space = if before.ends_with(['*', ' ']) { "" } else { " " };
            format!("{before}{space}{name}{behind}")
        }
        None if ty.ends_with('*') => format!("{ty}{name}"),
        None => format!("{ty} {name}"),
    }
}

/// The place of the name in `int (*const)(long)`: behind stars and qualifiers of the innermost declarator.
fn innermost(ty: &str) -> Option<usize> {
    let mut at = ty.find("(*")?;
    loop {
        let rest = &ty[at + 1..];
        let length = rest.find(|c: char| !(c == '*' || c == ' ' || c == '_' || c.is_alphabetic()))?;
        let end = at + 1 + length;
        if !ty[end..].starts_with("(*") {
            return Some(end);
        }
        at = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::Parameter;

    fn prototype(ty: &str, name: &str, parameters: &[(&str, &str)]) -> Option<String> {
        let parameter = |(ty, name): &(&str, &str)| Parameter { ty: (*ty).to_owned(), name: (*name).to_owned() };
        spelled(&Function {
            name: name.to_owned(),
            ty: ty.to_owned(),
            parameters: parameters.iter().map(parameter).collect(),
            is_static: false,
            is_implicit: false,
            place: None,
            body: None,
        })
    }

    #[test]
    fn declarations_are_written_as_in_c() {
        let shown = |ty, name, parameters: &[(&str, &str)]| prototype(ty, name, parameters).unwrap();
        assert_eq!(shown("u8 (void) __attribute__((noreturn))", "flags", &[]), "u8 flags(void)");
        assert_eq!(shown("int ()", "old", &[]), "int old()");
        assert_eq!(shown("int (int)", "read", &[("int", "channel")]), "int read(int channel)");
        assert_eq!(
            shown(
                "const struct s *(struct s *, int (*)(int, int), ...)",
                "get",
                &[("struct s *", ""), ("int (*)(int, int)", "cmp")]
            ),
            "const struct s *get(struct s *, int (*cmp)(int, int), ...)"
        );
        assert_eq!(shown("int (*(int))(long)", "pick", &[("int", "which")]), "int (*pick(int which))(long)");
        assert_eq!(
            shown("void (int (*const)[3])", "fill", &[("int (*const)[3]", "rows")]),
            "void fill(int (*const rows)[3])"
        );
        assert_eq!(
            shown("char *(char *restrict)", "copy", &[("char *restrict", "to")]),
            "char *copy(char *restrict to)"
        );
        assert_eq!(
            shown(
                "int (const char *, struct __va_list_tag *)",
                "say",
                &[("const char *", "words"), ("struct __va_list_tag *", "list")]
            ),
            "int say(const char *words, __builtin_va_list list)"
        );
        assert_eq!(prototype("fn", "typed", &[]), None);
        assert_eq!(prototype("struct (unnamed struct at a.c:1:1) (void)", "odd", &[]), None);
    }
}
