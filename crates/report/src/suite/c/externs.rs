//! `externs.c`: variables that nobody defines, and stubs whose types the entry's file does not know. Both are made for
//! the linker only, by symbol and size.

use crate::subject::{Declared, Linkage, Stub, SubjectInfo, own_name};

pub(super) fn write(subject: &SubjectInfo) -> String {
    let mut text = String::from(
        "/* What the subject refers to and nobody defines, for the linker. */\n#include \"covenant.h\"\n\n\
         /* A file is never empty. */\ntypedef int covenant_externs;\n",
    );
    for (index, variable) in subject.undefined_globals.iter().enumerate() {
        text.push_str(&by_symbol(index, variable));
    }
    for (index, stub) in subject.stubs.iter().filter(|s| !subject.in_entry_file(s.file)).enumerate() {
        text.push('\n');
        text.push_str(&symbol_stub(index, stub));
    }
    text
}

/// The definition of a variable that nobody looks into. A string of the symbol's name, so that no declaration of a header is in the way.
pub(crate) fn by_symbol(index: usize, variable: &Declared) -> String {
    let (name, size) = (&variable.name, variable.size.max(1));
    let thread = if variable.linkage == Linkage::Thread { "__thread " } else { "" };
    format!(
        "\nextern {thread}char covenant_variable_{index}[] __asm__(\"{name}\");\n\
         {thread}char covenant_variable_{index}[{size}] __attribute__((aligned(16)));\n"
    )
}

fn symbol_stub(index: usize, stub: &Stub) -> String {
    let name = &stub.name;
    let end = format!("covenant_undefined(\"{name}\");");
    let answer = format!("covenant_answer(\"{name}\", &result, sizeof result);");
    function_by_symbol(index, stub, &end, &answer)
}

/// A function that returns the right bytes in the right register, whatever its parameters, or zeros in memory. `end` is what one does
/// that does not return, `answer` what gives the result its bytes. Nobody knows how one is called that returns another struct: the code
/// under test may not call it, but it is linked.
pub(crate) fn function_by_symbol(index: usize, stub: &Stub, end: &str, answer: &str) -> String {
    let kind = register_type(stub).filter(|_| stub.kind.returns());
    if stub.in_parts && stub.kind.returns() {
        let (record, name, size) = (format!("struct covenant_record_{index}"), &stub.name, stub.returns_size);
        return format!(
            "{record} {{ unsigned char bytes[{size}]; }};\n{record} covenant_stub_{index}(void) __asm__(\"{name}\");\n\
             {record} covenant_stub_{index}(void)\n{{\n    {record} result = {{ {{ 0 }} }};\n    return result;\n}}\n"
        );
    }
    let symbol = if stub.library { own_name(&stub.name) } else { stub.name.clone() };
    let body = match kind {
        None => format!("    {end}\n"),
        Some("void") => String::new(),
        Some(kind) => format!("    {kind} result;\n    {answer}\n    return result;\n"),
    };
    let returns = kind.unwrap_or("void");
    format!(
        "{returns} covenant_stub_{index}(void) __asm__(\"{symbol}\");\n{returns} covenant_stub_{index}(void)\n{{\n{body}}}\n"
    )
}

/// A type that is returned as the stub's own type is, in the calling conventions of all machines.
pub(crate) fn register_type(stub: &Stub) -> Option<&'static str> {
    let first = stub.decl.split_whitespace().find(|w| !matches!(*w, "extern" | "const" | "volatile"));
    if stub.in_parts {
        return None;
    }
    let pointer = stub.decl.split(&stub.name).next().is_some_and(|before| before.trim_end().ends_with('*'));
    match (first, stub.returns_size) {
        (_, 0) => Some("void"),
        (_, 4) if pointer => Some("unsigned int"),
        (_, 8) if pointer => Some("unsigned long long"),
        (Some("float"), _) => Some("float"),
        (Some("double"), _) => Some("double"),
        (Some("struct" | "union"), _) => None,
        (_, 1) => Some("unsigned char"),
        (_, 2) => Some("unsigned short"),
        (_, 4) => Some("unsigned int"),
        (_, 8) => Some("unsigned long long"),
        _ => None,
    }
}
