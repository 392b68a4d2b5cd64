//! `suite/test-comp`: the exchange format of Test-Comp, version 1.1: `metadata.xml` and one XML file a test, which lists
//! the inputs in the order in which the program asks for them.
//!
//! The format knows inputs that a program asks for by calls, and no others. Inputs of a function (parameters, globals,
//! objects) stand before them, named, for people.

use std::collections::BTreeSet;
use std::fmt::Write;

use covenant_goals::TestCase;
use covenant_goals::test_case::{CallInput, Value};
use sha2::{Digest, Sha256};

use super::xml::Document;
use super::{Profile, Suite, bad_test};
use crate::Error;
use crate::files::{file_stem, remove_others, write_file};
use crate::subject::SubjectInfo;
use crate::value;

const METADATA: &str = "metadata.xml";
const GOAL: &str = "FQL(COVER EDGES(@DECISIONEDGE))";

pub(super) const PROFILE: Profile = Profile { about: "The exchange format of Test-Comp", write, kit: None };

fn write(suite: &Suite<'_>) -> Result<(), Error> {
    let &Suite { folder, subject, tests, .. } = suite;
    write_file(&folder.join(METADATA), metadata(subject)?.as_bytes())?;
    let mut names = BTreeSet::from([METADATA.to_owned()]);
    // The format has no word for calls that fail.
    for test in tests.iter().filter(|test| test.failures.is_empty()) {
        let name = format!("testcase-{}.xml", file_stem(&test.name));
        let text = testcase(subject, test).map_err(bad_test(test))?;
        write_file(&folder.join(&name), text.as_bytes())?;
        names.insert(name);
    }
    remove_others(folder, ".xml", &names)
}

fn document(root: &str) -> Document {
    let doctype = format!(
        "{root} PUBLIC \"+//IDN sosy-lab.org//DTD test-format {root} 1.1//EN\" \
         \"https://sosy-lab.org/test-format/{root}-1.1.dtd\""
    );
    Document::new(Some("no"), Some(&doctype))
}

fn metadata(subject: &SubjectInfo) -> Result<String, Error> {
    let file = subject.entry()?.absolute();
    let source = std::fs::read(&file).map_err(Error::file(&file))?;
    let mut hash = String::new();
    for byte in Sha256::digest(&source) {
        let _ = write!(hash, "{byte:02x}");
    }
    let created = if subject.created.is_empty() { "1970-01-01T00:00:00Z" } else { &subject.created };
    let bits = 8 * subject.address_space.pointer_size;
    // The order is fixed by the format.
    let fields = [
        ("sourcecodelang", "C".to_owned()),
        ("producer", format!("Covenant {}", env!("CARGO_PKG_VERSION"))),
        ("specification", format!("COVER( init({}()), {GOAL} )", subject.function)),
        ("programfile", file.display().to_string()),
        ("programhash", hash),
        ("entryfunction", subject.function.clone()),
        ("architecture", format!("{bits}bit")),
        ("creationtime", created.to_owned()),
    ];
    let mut xml = document("test-metadata");
    super::world::effects(subject).iter().for_each(|line| xml.comment(line));
    xml.within("test-metadata", &[], |xml| fields.iter().for_each(|(name, value)| xml.text(name, &[], value)));
    Ok(xml.finish())
}

fn testcase(subject: &SubjectInfo, test: &TestCase) -> Result<String, String> {
    // Name, type and value.
    let mut inputs: Vec<(Option<&str>, Option<&str>, String)> = Vec::new();
    for cell in test.cells.iter().filter(|_| !subject.is_main) {
        inputs.push((Some(&cell.path), None, number(&cell.value)?));
    }
    for call in &test.calls {
        inputs.extend(call_inputs(call)?.into_iter().map(|input| (call.label.as_deref(), c_type(call), input)));
    }
    let mut xml = document("testcase");
    xml.within("testcase", &[], |xml| {
        for (name, kind, input) in &inputs {
            let name = name.map(|name| ("variable", name));
            let attributes: Vec<_> = name.into_iter().chain(kind.map(|kind| ("type", kind))).collect();
            xml.text("input", &attributes, input);
        }
    });
    Ok(xml.finish())
}

/// The C type that a call asks for, where its name says so.
fn c_type(call: &CallInput) -> Option<&'static str> {
    Some(match call.function.strip_prefix("__VERIFIER_nondet_")? {
        "bool" => "_Bool",
        "char" => "char",
        "uchar" => "unsigned char",
        "short" => "short",
        "ushort" => "unsigned short",
        "int" => "int",
        "uint" => "unsigned int",
        "long" => "long",
        "ulong" => "unsigned long",
        "longlong" => "long long",
        "ulonglong" => "unsigned long long",
        "float" => "float",
        "double" => "double",
        _ => return None,
    })
}

fn call_inputs(call: &CallInput) -> Result<Vec<String>, String> {
    match (&call.value, &call.bytes) {
        (_, Some(bytes)) => Ok(bytes.iter().map(u8::to_string).collect()),
        (Some(value), None) => Ok(vec![number(value)?]),
        (None, None) => Ok(Vec::new()),
    }
}

/// As C's `scanf` reads it. An address means nothing in another process; all but NULL become 1.
fn number(value: &Value) -> Result<String, String> {
    use covenant_goals::test_case::Pointer;
    value::bits(value)?;
    Ok(match value {
        Value::Pointer(Pointer::Null) => "0".to_owned(),
        Value::Pointer(_) => "1".to_owned(),
        value => value::words(value),
    })
}
