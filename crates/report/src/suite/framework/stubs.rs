//! Functions that the subject calls and does not define: each returns what the test recorded, in the order of its calls.

use std::collections::BTreeMap;
use std::fmt::Write;

use covenant_goals::TestCase;
use covenant_goals::test_case::Value;

use super::literal;
use super::objects::Objects;
use crate::subject::{Stub, SubjectInfo};
use crate::suite::declare;
use crate::suite::given::{self, Content, Uses};
use crate::value;

/// These do more than return a value.
fn is_special(name: &str) -> bool {
    name.starts_with("klee_") || name.starts_with("CREST_") || name.starts_with("__Crest")
}

/// The type of the answers to a function, from the values of all its calls in a test.
fn answer_type(value: &Value) -> Result<&'static str, String> {
    Ok(match value {
        Value::Pointer(_) => "void *",
        Value::Float { size: 4, .. } => "float",
        Value::Float { size: 8, .. } => "double",
        Value::Int { size: 1..=4, signed: true, .. } => "int",
        Value::Int { size: 1..=4, .. } => "unsigned int",
        Value::Int { size: 8, signed: true, .. } => "long long",
        Value::Int { size: 8, .. } => "unsigned long long",
        _ => return Err("an undefined function returns something that is not a plain number".to_owned()),
    })
}

const SIGNED: &[&str] = &["int", "short", "long", "long long", "signed char"];

/// The return type as the prototype has it, if an array of it is written like a variable.
fn return_type(stub: &Stub) -> Option<String> {
    let (before, _) = stub.decl.split_once(&format!("{}(", stub.name))?;
    let words: Vec<&str> = before.split_whitespace().filter(|w| !matches!(*w, "const" | "static" | "inline")).collect();
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == ' ';
    let text = words.join(" ");
    // What a pointer points to may be constant, which the filter would lose.
    (!text.is_empty() && text.chars().all(plain)).then_some(text)
}

/// Declares the answers of a test and returns the statements that hand them out.
pub(super) fn answers(
    subject: &SubjectInfo,
    test: &TestCase,
    objects: &Objects<'_>,
    declarations: &mut Vec<String>,
) -> Result<Vec<String>, String> {
    let mut calls: BTreeMap<&str, Vec<&Value>> = BTreeMap::new();
    for call in &test.calls {
        match (&call.value, &call.bytes) {
            (Some(value), None) if !is_special(&call.function) => calls.entry(&call.function).or_default().push(value),
            (None, None) => {}
            _ => return Err(format!("{} fills memory", call.function)),
        }
    }
    let mut statements = Vec::new();
    for (function, values) in calls {
        let stub = subject.stubs.iter().find(|stub| stub.name == function);
        let spelled = stub.and_then(return_type);
        let kind = answer_type(values[0])?;
        let kind = spelled.as_deref().unwrap_or(kind);
        let mut constants = Vec::new();
        for value in values {
            constants.push(match value {
                Value::Pointer(pointer) => objects.pointer(pointer)?,
                Value::Int { bits, size, .. } if SIGNED.contains(&kind) => {
                    let value = Value::Int { bits: bits.clone(), size: *size, signed: true };
                    literal::scalar(&value).ok_or("a call returns a number that has no constant")?
                }
                scalar => literal::scalar(scalar).ok_or("a call returns a number that has no constant")?,
            });
        }
        let space = if kind.ends_with('*') { "" } else { " " };
        declarations.push(format!("{kind}{space}{function}_returns[] = {{ {} }};", constants.join(", ")));
        statements.push(format!("COVENANT_RETURNS({function});"));
    }
    statements.extend(writes(subject, test, declarations)?);
    Ok(statements)
}

/// Declares what calls write and returns the statements that hand it out.
fn writes(subject: &SubjectInfo, test: &TestCase, declarations: &mut Vec<String>) -> Result<Vec<String>, String> {
    let mut by_function: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for block in given::blocks(test)? {
        let Content::Bytes(bytes) = &block.content else {
            return Err(format!("{} writes a pointer", block.function));
        };
        let stub = subject.stubs.iter().find(|stub| stub.name == block.function);
        let prototype = stub.and_then(|stub| declare::prototype(&stub.decl, &stub.name));
        let param = prototype.and_then(|prototype| prototype.params.get(block.param as usize).cloned());
        let (size, text) = (bytes.len(), value::c_string(bytes));
        by_function.entry(block.function).or_default().push(format!(
            "    {{ {}, {}, {}, {size}, {text} }}, /* call {} writes through {} */",
            block.call,
            block.param,
            block.offset,
            block.call,
            param.as_deref().unwrap_or("an argument")
        ));
    }
    let mut statements = Vec::new();
    for (function, lines) in by_function {
        declarations.push(format!("static const struct covenant_write {function}_writes[] = {{"));
        declarations.extend(lines);
        declarations.push("};".to_owned());
        statements.push(format!("COVENANT_WRITES({function});"));
    }
    Ok(statements)
}

/// What stubs need, and the stubs. Their answers are copied by size, so that one kind of record serves all.
pub(super) fn definitions(subject: &SubjectInfo, uses: &Uses) -> String {
    let own = |s: &&Stub| subject.in_entry_file(s.file) && !is_special(&s.name);
    let mut text = String::new();
    let stubs: Vec<&Stub> = subject.stubs.iter().filter(own).collect();
    if !stubs.is_empty() {
        text.push_str(SUPPORT);
    }
    for stub in &stubs {
        text.push_str(&definition(stub, uses));
    }
    for variable in subject.undefined_globals.iter().filter(|g| subject.in_entry_file(g.file)) {
        // The subject declares it; the compiler knows the type.
        let _ = writeln!(text, "\n__typeof__({0}) {0};", variable.name);
    }
    let resets: String = stubs
        .iter()
        .filter(|s| has_record(s, uses))
        .map(|s| format!("    covenant_answers(&{}_stub, 0, 0, 0);\n", s.name))
        .collect();
    if !stubs.is_empty() {
        let _ = write!(text, "\nstatic void covenant_reset_stubs(void)\n{{\n{resets}}}\n");
    }
    text
}

pub(super) fn has_stubs(subject: &SubjectInfo) -> bool {
    subject.stubs.iter().any(|s| subject.in_entry_file(s.file) && !is_special(&s.name))
}

const SUPPORT: &str = "
/* What an undefined function returns, call by call; 0 when the test recorded no more. */
struct covenant_stub {
    const void *values;
    size_t size;
    size_t count;
    size_t next;
    /* What it writes, and its calls so far. */
    const struct covenant_write *writes;
    size_t write_count;
    size_t calls;
};

/* What a call, by its number from 1, writes through an argument, by its number from 0. */
struct covenant_write {
    size_t call;
    size_t argument;
    size_t offset;
    size_t size;
    const void *bytes;
};

/* A pointer to the place with an argument's number: the call returns that argument. */
static __attribute__((unused)) char covenant_arguments[128];

static __attribute__((unused)) void covenant_answers(struct covenant_stub *stub, const void *values, size_t size, size_t count)
{
    stub->values = values;
    stub->size = size;
    stub->count = count;
    stub->next = 0;
    stub->calls = 0;
    stub->writes = 0;
    stub->write_count = 0;
}

static __attribute__((unused)) void covenant_writes(struct covenant_stub *stub, const struct covenant_write *writes, size_t count)
{
    stub->writes = writes;
    stub->write_count = count;
}

static __attribute__((unused)) void covenant_write_through(const struct covenant_stub *stub, size_t argument, void *to)
{
    size_t i;
    for (i = 0; i < stub->write_count; i++) {
        const struct covenant_write *write = &stub->writes[i];
        if (write->call == stub->calls && write->argument == argument) {
            memcpy((char *)to + write->offset, write->bytes, write->size);
        }
    }
}

/* What the calls of a test write, from an array that is named after the function. */
#define COVENANT_WRITES(function) \\
    covenant_writes(&function##_stub, function##_writes, sizeof function##_writes / sizeof function##_writes[0])

/* The answers of a test, from an array that is named after the function. */
#define COVENANT_RETURNS(function) \\
    covenant_answers(&function##_stub, function##_returns, sizeof function##_returns[0], \\
                     sizeof function##_returns / sizeof function##_returns[0])

static __attribute__((unused)) const void *covenant_next(struct covenant_stub *stub)
{
    static const unsigned long long zero[2];
    if (stub->next == stub->count) {
        return zero;
    }
    return (const char *)stub->values + stub->size * stub->next++;
}
";

/// Whether a stub needs a record of what it gives.
fn has_record(stub: &Stub, uses: &Uses) -> bool {
    stub.kind.returns() && (stub.returns_size > 0 || uses.written(&stub.name).next().is_some())
}

fn definition(stub: &Stub, uses: &Uses) -> String {
    let name = &stub.name;
    let Some(prototype) = declare::prototype(&stub.decl, name) else {
        return format!("\n/* {name} cannot be defined: no prototype. */\n");
    };
    let head = &prototype.head;
    let mut body: String = prototype.params.iter().map(|p| format!("    (void){p};\n")).collect();
    if !stub.kind.returns() {
        return format!("\n{head}\n{{\n{body}    abort();\n}}\n");
    }
    let param = |number: u32| prototype.params.get(number as usize);
    let written: Vec<(u32, &String)> = uses.written(name).filter_map(|at| Some((at, param(at)?))).collect();
    if !written.is_empty() {
        let _ = writeln!(body, "    {name}_stub.calls++;");
    }
    for (number, param) in written {
        let _ = writeln!(body, "    covenant_write_through(&{name}_stub, {number}, (void *){param});");
    }
    if stub.returns_size > 0 {
        let kind = format!("__typeof__({name}({}))", prototype.params.join(", "));
        let next = format!("*(const {kind} *)covenant_next(&{name}_stub)");
        let returned: Vec<(u32, &String)> = uses.returned(name).filter_map(|at| Some((at, param(at)?))).collect();
        if returned.is_empty() {
            let _ = writeln!(body, "    return {next};");
        } else {
            let _ = writeln!(body, "    {kind} result = {next};");
            for (number, param) in returned {
                let _ = writeln!(body, "    if ((char *)result == covenant_arguments + {number}) {{");
                let _ = writeln!(body, "        return ({kind}){param};\n    }}");
            }
            body.push_str("    return result;\n");
        }
    }
    let record =
        if has_record(stub, uses) { format!("static struct covenant_stub {name}_stub;\n\n") } else { String::new() };
    format!("\n{record}{head}\n{{\n{body}}}\n")
}
