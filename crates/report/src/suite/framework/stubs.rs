//! Functions that the subject calls and does not define: each returns what the test recorded, in the order of its calls.

use std::collections::BTreeMap;
use std::fmt::Write;

use covenant_goals::TestCase;
use covenant_goals::test_case::{Heard, Pointer, RESULT_IN_PARTS, Value};
use covenant_program::world::is_assembly;

use super::dialect::Dialect;
use super::objects::Objects;
use super::{ends, strangers};
use crate::subject::{Linkage, Stub, SubjectInfo};
use crate::suite::c::by_symbol;
use crate::suite::declare;
use crate::suite::given::{self, Content, Uses};
use crate::suite::heard::{arguments_of, can_be_heard};
use crate::suite::literal;
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

/// Those that can be defined where the subject is included.
fn own(subject: &SubjectInfo) -> impl Iterator<Item = &Stub> {
    let is_here = |stub: &&Stub| subject.in_entry_file(stub.file) && is_plain(stub);
    subject.stubs.iter().filter(is_here)
}

/// Assembly is in the code that is tested, as it is.
pub(super) fn is_plain(stub: &Stub) -> bool {
    !is_special(&stub.name) && !is_assembly(&stub.name)
}

/// Declares what the functions get in a test; the statements that say so, and the assertion.
pub(super) fn expected(
    subject: &SubjectInfo,
    test: &TestCase,
    argument: &dyn Fn(&Value, bool) -> Option<String>,
    declarations: &mut Vec<String>,
) -> (Vec<String>, Option<String>) {
    let Some(observed) = test.observed.calls.as_ref().filter(|_| own(subject).any(can_be_heard)) else {
        return (Vec::new(), None);
    };
    let mut statements = Vec::new();
    for stub in own(subject).filter(|stub| can_be_heard(stub)) {
        let calls: Vec<&Heard> = observed.iter().filter(|heard| heard.function == stub.name).collect();
        let (name, count) = (&stub.name, calls.len());
        let params = calls.iter().map(|heard| arguments_of(stub, heard.arguments.len())).min().flatten().unwrap_or(0);
        let unsigned = declare::prototype(&stub.decl, name).map(|prototype| prototype.unsigned).unwrap_or_default();
        let of_call = |heard: &&Heard| -> Vec<String> {
            let word = |(value, unsigned): (&Option<Value>, &bool)| {
                let word = value.as_ref().and_then(|value| argument(value, *unsigned));
                word.unwrap_or_else(|| "ARG_ANY".to_owned())
            };
            heard.arguments.iter().zip(&unsigned).take(params).map(word).collect()
        };
        let words: Vec<String> = calls.iter().flat_map(of_call).collect();
        if count > 0 && words.iter().any(|word| word != "ARG_ANY") {
            let list = words.join(", ");
            declarations.push(format!("const struct covenant_argument {name}_gets[] = {{ {list} }};"));
            statements.push(format!("COVENANT_GETS({name}, {count});"));
        } else if count > 0 {
            statements.push(format!("COVENANT_CALLED({name}, {count});"));
        }
    }
    (statements, Some("EXPECT_CALLS();".to_owned()))
}

/// Declares the answers of a test and returns the statements that hand them out.
pub(super) fn answers(
    subject: &SubjectInfo,
    test: &TestCase,
    objects: &Objects<'_>,
    declarations: &mut Vec<String>,
) -> Result<Vec<String>, String> {
    strangers::refuse(subject, test)?;
    let mut calls: BTreeMap<&str, Vec<&Value>> = BTreeMap::new();
    for call in &test.calls {
        match (&call.value, &call.bytes) {
            (Some(_), _) if is_assembly(&call.function) => return Err("it says what assembly gives".to_owned()),
            (Some(value), None) if !is_special(&call.function) => calls.entry(&call.function).or_default().push(value),
            (None, None) => {}
            _ => return Err(format!("{} fills memory", call.function)),
        }
    }
    let mut statements = Vec::new();
    for (function, values) in calls {
        let stub = subject.stubs.iter().find(|stub| stub.name == function);
        // Names of types are those of the entry's file.
        let spelled = stub.filter(|stub| subject.in_entry_file(stub.file)).and_then(return_type);
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
    statements.extend(writes(subject, test, objects, declarations)?);
    Ok(statements)
}

/// Declares what calls write and returns the statements that hand it out.
fn writes(
    subject: &SubjectInfo,
    test: &TestCase,
    objects: &Objects<'_>,
    declarations: &mut Vec<String>,
) -> Result<Vec<String>, String> {
    let mut by_function: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for block in given::blocks(test)? {
        let lines = by_function.entry(block.function).or_default();
        let is_result = block.param == RESULT_IN_PARTS;
        let (size, content) = match &block.content {
            // What a call returns is zero where nothing is said.
            Content::Bytes(bytes) if is_result && bytes.iter().all(|&byte| byte == 0) => continue,
            Content::Pointer(Pointer::Null) if is_result => continue,
            Content::Bytes(bytes) => (bytes.len().to_string(), value::c_string(bytes)),
            Content::Pointer(pointer) => {
                ("sizeof(void *)".to_owned(), format!("&(const void *){{ {} }}", objects.pointer(pointer)?))
            }
        };
        let stub = subject.stubs.iter().find(|stub| stub.name == block.function);
        let prototype = stub.and_then(|stub| declare::prototype(&stub.decl, &stub.name));
        let param = prototype.and_then(|prototype| prototype.params.get(block.param as usize).cloned());
        let (call, offset, argument) = (block.call, block.offset, block.param.to_string());
        let (at, what) = match (is_result, param) {
            (true, _) => ("COVENANT_RESULT", "returns".to_owned()),
            (false, Some(param)) => (argument.as_str(), format!("writes through {param}")),
            (false, None) => (argument.as_str(), "writes through an argument".to_owned()),
        };
        lines.push(format!("    {{ {call}, {at}, {offset}, {size}, {content} }}, /* call {call} {what} */"));
    }
    let mut statements = Vec::new();
    for (function, lines) in by_function.into_iter().filter(|(_, lines)| !lines.is_empty()) {
        declarations.push(format!("const struct covenant_write {function}_writes[] = {{"));
        declarations.extend(lines);
        declarations.push("};".to_owned());
        statements.push(format!("COVENANT_WRITES({function});"));
    }
    Ok(statements)
}

/// What stubs need, and the stubs. Their answers are copied by size, so that one kind of record serves all.
pub(super) fn definitions(subject: &SubjectInfo, uses: &Uses, dialect: Dialect) -> String {
    let mut text = String::new();
    let stubs: Vec<&Stub> = own(subject).collect();
    if has_stubs(subject) {
        text.push_str(include_str!("stubs.h"));
    }
    text.push_str(&given::variables(subject));
    for stub in &stubs {
        text.push_str(&definition(stub, uses, dialect));
    }
    text.push_str(&strangers::definitions(subject));
    for (index, variable) in subject.undefined_globals.iter().enumerate() {
        text.push_str(&match variable.linkage {
            Linkage::Local | Linkage::Thread => by_symbol(index, variable),
            // The subject declares it; the compiler knows the type.
            _ if subject.in_entry_file(variable.file) => format!("\n__typeof__({0}) {0};\n", variable.name),
            _ => by_symbol(index, variable),
        });
    }
    let heard = stubs.iter().copied().filter(|stub| can_be_heard(stub));
    let recorded = heard.chain(strangers::of(subject).filter(|stub| strangers::answers(stub)));
    let list: String = recorded.map(|stub| format!("    &{}_stub,\n", stub.name)).collect();
    if has_stubs(subject) {
        let _ = write!(text, "\nstatic struct covenant_stub *const covenant_stubs[] = {{\n{list}    0\n}};\n");
        text.push_str(LISTED);
    }
    text
}

pub(super) fn has_stubs(subject: &SubjectInfo) -> bool {
    own(subject).chain(strangers::of(subject)).next().is_some()
}

/// What looks at all of them.
const LISTED: &str = "
static __attribute__((unused)) void covenant_reset_stubs(void)
{
    struct covenant_stub *const *stub;
    for (stub = covenant_stubs; *stub != 0; stub++) {
        covenant_answers(*stub, 0, 0, 0);
        covenant_expects(*stub, 0, 0, 0);
        covenant_writes(*stub, 0, 0);
    }
    covenant_call[0] = 0;
}

static __attribute__((unused)) int covenant_calls_hold(void)
{
    struct covenant_stub *const *stub;
    for (stub = covenant_stubs; *stub != 0 && covenant_call[0] == 0; stub++) {
        if ((*stub)->heard != (*stub)->calls) {
            snprintf(covenant_call, sizeof covenant_call, \"%.80s: expected %lu calls, got %lu\", (*stub)->name,
                     (unsigned long)(*stub)->calls, (unsigned long)(*stub)->heard);
        }
    }
    return covenant_call[0] == 0;
}

#define EXPECT_CALLS() \\
    do { \\
        if (!covenant_calls_hold()) { \\
            COVENANT_FAIL(covenant_call); \\
        } \\
    } while (0)
";

fn definition(stub: &Stub, uses: &Uses, dialect: Dialect) -> String {
    let name = &stub.name;
    let Some(prototype) = declare::prototype(&stub.decl, name) else {
        return format!("\n/* {name} cannot be defined: no prototype. */\n");
    };
    let head = &prototype.head;
    if !stub.kind.returns() {
        let unused: String = prototype.params.iter().map(|p| format!("    (void){p};\n")).collect();
        let end = match stub.never_returns && ends::known(dialect) {
            true => format!("covenant_ends(\"{name}\");"),
            false => "abort();".to_owned(),
        };
        return format!("\n{head}\n{{\n{unused}    {end}\n}}\n");
    }
    let param = |number: u32| prototype.params.get(number as usize);
    let written = uses.written(name, &prototype.params);
    let mut body = format!("    covenant_called(&{name}_stub);\n");
    for (index, param) in prototype.params.iter().enumerate() {
        let _ = writeln!(body, "    COVENANT_GOT({name}, {index}, {param});");
    }
    for (number, param) in written {
        let _ = writeln!(body, "    covenant_write_through(&{name}_stub, {number}, (void *){param});");
    }
    if stub.returns_size > 0 {
        let kind = format!("__typeof__({name}({}))", prototype.params.join(", "));
        let next = format!("*(const {kind} *)covenant_next(&{name}_stub)");
        let returned: Vec<(u32, &String)> = uses.returned(name).filter_map(|at| Some((at, param(at)?))).collect();
        let is_param = prototype.params.iter().any(|param| param == "result");
        let result = if is_param { "covenant_result" } else { "result" };
        if stub.in_parts {
            let _ = writeln!(body, "    {kind} {result};\n    memset(&{result}, 0, sizeof {result});");
            let _ = writeln!(body, "    covenant_write_through(&{name}_stub, COVENANT_RESULT, &{result});");
            let _ = writeln!(body, "    return {result};");
        } else if returned.is_empty() {
            let _ = writeln!(body, "    return {next};");
        } else {
            let _ = writeln!(body, "    {kind} {result} = {next};");
            for (number, param) in returned {
                let _ = writeln!(body, "    if ((char *){result} == covenant_arguments + {number}) {{");
                let _ = writeln!(body, "        return ({kind}){param};\n    }}");
            }
            let _ = writeln!(body, "    return {result};");
        }
    }
    format!("\nCOVENANT_STUB({name});\n\n{head}\n{{\n{body}}}\n")
}
