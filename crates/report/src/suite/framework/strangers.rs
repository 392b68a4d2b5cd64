//! What stands in another file than the entry's, and is not known by its type where the subject is included: tests name it by its
//! symbol.
//!
//! Functions that such a file calls and nobody defines are made by symbol and size: each returns what the test recorded, and says
//! nothing of what it got.

use covenant_goals::TestCase;
use covenant_goals::test_case::{CallInput, Pointer, Value};

use super::Written;
use crate::subject::{Linkage, Stub, SubjectInfo};
use crate::suite::c::{function_by_symbol, register_type};

/// What begins the names of what is declared by its symbol.
const THEIRS: &str = "covenant_theirs_";

/// What tests call a function.
pub(super) fn function(subject: &SubjectInfo, name: &str) -> Result<String, String> {
    let theirs = subject.functions.iter().find(|f| f.name == name && !subject.in_entry_file(f.file));
    match theirs.map(|f| f.linkage) {
        None => Ok(name.to_owned()),
        Some(Linkage::External) => Ok(format!("{THEIRS}{name}")),
        Some(_) => Err(format!("{name} is static in another file")),
    }
}

/// What tests call the first byte of a variable of another file. `None`: it is not in another one.
pub(super) fn variable(subject: &SubjectInfo, name: &str) -> Result<Option<String>, String> {
    let global = subject.globals.iter().chain(&subject.state).find(|g| g.name == name);
    match global.filter(|g| !subject.in_entry_file(g.file)).map(|g| g.linkage) {
        None => Ok(None),
        Some(Linkage::External) => Ok(Some(format!("{THEIRS}{name}"))),
        Some(_) => Err(format!("{name} cannot be named outside of its file")),
    }
}

/// What these tests name so.
pub(super) fn declarations(subject: &SubjectInfo, tests: &[Written]) -> String {
    let is_named = |name: &str| {
        let name = format!("{THEIRS}{name}");
        let ends = |rest: &str| !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        tests.iter().any(|test| test.body.match_indices(&name).any(|(at, _)| ends(&test.body[at + name.len()..])))
    };
    let functions = subject.functions.iter().filter(|f| is_named(&f.name));
    let functions = functions.map(|f| format!("void {THEIRS}{0}(void) __asm__(\"{0}\");\n", f.name));
    let variables = subject.globals.iter().chain(&subject.state).filter(|g| is_named(&g.name));
    let variables = variables.map(|g| format!("extern char {THEIRS}{0}[] __asm__(\"{0}\");\n", g.name));
    let mut text: String = functions.chain(variables).collect();
    if !text.is_empty() {
        text.insert_str(0, "\n/* Things of other files, by their symbols. */\n");
    }
    if tests.iter().any(|test| looks_into(subject, &test.body)) {
        text.push_str("\n/* Types that only other files know. */\n");
        subject.hidden_types.iter().for_each(|hidden| text.push_str(&format!("{}\n", hidden.definition)));
    }
    text
}

/// Whether a test may have objects of types that only other files know.
fn looks_into(subject: &SubjectInfo, body: &str) -> bool {
    let is_named = |word: &str| subject.hidden_types.iter().any(|hidden| hidden.names.iter().any(|name| name == word));
    let mut words = body.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    !subject.hidden_types.is_empty() && (body.contains("->") || words.any(is_named))
}

/// All of them, but for what the subject's own code does by a means of its own.
pub(super) fn of(subject: &SubjectInfo) -> impl Iterator<Item = &Stub> {
    let is_there = |stub: &&Stub| !subject.in_entry_file(stub.file) && super::stubs::is_plain(stub);
    subject.stubs.iter().filter(is_there)
}

/// Whether it has answers to hand out.
pub(super) fn answers(stub: &Stub) -> bool {
    stub.kind.returns() && register_type(stub).is_some_and(|kind| kind != "void")
}

/// Why a test cannot be told to them.
pub(super) fn refuse(subject: &SubjectInfo, test: &TestCase) -> Result<(), String> {
    for stub in of(subject) {
        let name = &stub.name;
        let mut calls = test.calls.iter().filter(|call| call.function == *name);
        let is_argument = |value: &Option<Value>| matches!(value, Some(Value::Pointer(Pointer::Argument(_))));
        let is_more = |call: &CallInput| call.bytes.is_some() || is_argument(&call.value) || !call.writes.is_empty();
        if calls.any(|call| is_more(call) || call.value.is_some() && !answers(stub)) {
            return Err(format!("{name}, which another file calls, does more than return a number"));
        }
    }
    Ok(())
}

/// The functions. What they answer is in records like those of others.
pub(super) fn definitions(subject: &SubjectInfo) -> String {
    of(subject).enumerate().map(|(index, stub)| definition(index, stub)).collect()
}

fn definition(index: usize, stub: &Stub) -> String {
    let name = &stub.name;
    let record = if answers(stub) { format!("COVENANT_STUB({name});\n") } else { String::new() };
    let answer = format!("memcpy(&result, covenant_next(&{name}_stub), sizeof result);");
    let function = function_by_symbol(index, stub, "abort();", &answer);
    format!("\n/* {name}, which another file calls. */\n{record}{function}")
}
