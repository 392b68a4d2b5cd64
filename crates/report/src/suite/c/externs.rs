//! `externs.c`: variables that nobody defines, and stubs whose types the entry's file does not know. Both are made for
//! the linker only, by symbol and size.

use crate::subject::{Declared, Stub, StubKind, SubjectInfo, own_name};

pub(super) fn write(subject: &SubjectInfo) -> String {
    let mut text = String::from(
        "/* What the subject refers to and nobody defines, for the linker. */\n#include \"covenant.h\"\n\n\
         /* A file is never empty. */\ntypedef int covenant_externs;\n",
    );
    for (index, variable) in subject.undefined_globals.iter().enumerate() {
        text.push_str(&by_symbol(index, variable));
    }
    for (index, stub) in subject.stubs.iter().filter(|s| !subject.in_entry_file(s.file)).enumerate() {
        text.push_str(&symbol_stub(index, stub));
    }
    text
}

/// The definition of a variable that nobody looks into. A string of the symbol's name, so that no declaration of a header is in the way.
pub(crate) fn by_symbol(index: usize, variable: &Declared) -> String {
    let (name, size) = (&variable.name, variable.size.max(1));
    format!(
        "\nextern char covenant_variable_{index}[] __asm__(\"{name}\");\n\
         char covenant_variable_{index}[{size}] __attribute__((aligned(16)));\n"
    )
}

/// A function that returns the right bytes in the right register, whatever its parameters.
fn symbol_stub(index: usize, stub: &Stub) -> String {
    let (name, symbol) = (&stub.name, symbol(stub));
    // Nobody knows how one that returns bytes in memory is called; the code under test may not call it, but it is linked.
    let returns = register_type(stub).unwrap_or("void");
    let body = match (stub.kind, returns) {
        (_, "void") if register_type(stub).is_none() => format!("    covenant_undefined(\"{name}\");\n"),
        (StubKind::None, "void") => format!("    covenant_undefined(\"{name}\");\n"),
        (StubKind::None, _) => format!("    covenant_undefined(\"{name}\");\n    return 0;\n"),
        (_, "void") => String::new(),
        _ => format!(
            "    {returns} result;\n    covenant_answer(\"{name}\", &result, sizeof result);\n    return result;\n"
        ),
    };
    format!(
        "\n{returns} covenant_stub_{index}(void) __asm__(\"{symbol}\");\n{returns} covenant_stub_{index}(void)\n{{\n{body}}}\n"
    )
}

/// The linker's name of the function.
pub(crate) fn symbol(stub: &Stub) -> String {
    if stub.library { own_name(&stub.name) } else { stub.name.clone() }
}

/// A type that is returned as the stub's own type is, in the calling conventions of all machines.
pub(crate) fn register_type(stub: &Stub) -> Option<&'static str> {
    let first = stub.decl.split_whitespace().find(|w| !matches!(*w, "extern" | "const" | "volatile"));
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
