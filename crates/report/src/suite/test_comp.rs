//! `suite/test-comp`: the exchange format of Test-Comp, version 1.1: `metadata.xml` and one XML file a test, which lists
//! the inputs in the order in which the program asks for them.
//!
//! The format knows inputs that a program asks for by calls, and no others. Inputs of a function (parameters, globals,
//! objects) stand before them, named, for people.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

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
    let created = if subject.created.is_empty() { "1970-01-01T00:00:00Z" } else { &subject.created };
    let task = Task {
        file: subject.entry()?.absolute(),
        specification: format!("COVER( init({}()), {GOAL} )", subject.function),
        bits: 8 * subject.address_space.pointer_size,
        created: created.to_owned(),
    };
    write_file(&folder.join(METADATA), metadata(subject, &task)?.as_bytes())?;
    let mut names = BTreeSet::from([METADATA.to_owned()]);
    // The format has no word for calls that fail, nor for devices.
    for test in tests.iter().filter(|test| test.failures.is_empty() && test.device.is_empty()) {
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

/// What `metadata.xml` says of a task.
#[derive(Clone, Debug)]
pub struct Task {
    /// The file that was to be tested.
    pub file: PathBuf,
    /// What was to be covered, in the words of the property's file.
    pub specification: String,
    /// How many bits an address has.
    pub bits: u32,
    /// When the suite was made, as RFC 3339 writes it.
    pub created: String,
}

/// A suite that tests are added to while a search goes on. Each file is whole at any time, so that whoever ends the search, in
/// whatever way, has all tests until then.
#[derive(Debug)]
pub struct Growing {
    folder: PathBuf,
    subject: SubjectInfo,
    /// What was written, since another search may find the same inputs again.
    known: BTreeSet<String>,
}

impl Growing {
    /// Begins a suite. What an earlier one left in the folder goes.
    pub fn begin(folder: &Path, subject: &SubjectInfo, task: &Task) -> Result<Growing, Error> {
        remove_others(folder, ".xml", &BTreeSet::new())?;
        write_file(&folder.join(METADATA), metadata(subject, task)?.as_bytes())?;
        Ok(Growing { folder: folder.to_path_buf(), subject: subject.clone(), known: BTreeSet::new() })
    }

    /// Adds a test, unless it is there already or needs what the format has no word for.
    pub fn add(&mut self, test: &TestCase) -> Result<(), Error> {
        let text = testcase(&self.subject, test).map_err(bad_test(test))?;
        if !test.failures.is_empty() || self.known.contains(&text) {
            return Ok(());
        }
        let name = format!("testcase-{}.xml", self.known.len() + 1);
        write_file(&self.folder.join(name), text.as_bytes())?;
        self.known.insert(text);
        Ok(())
    }

    /// How many tests there are.
    pub fn tests(&self) -> usize {
        self.known.len()
    }
}

fn metadata(subject: &SubjectInfo, task: &Task) -> Result<String, Error> {
    let source = std::fs::read(&task.file).map_err(Error::file(&task.file))?;
    let mut hash = String::new();
    for byte in Sha256::digest(&source) {
        let _ = write!(hash, "{byte:02x}");
    }
    // The order is fixed by the format.
    let fields = [
        ("sourcecodelang", "C".to_owned()),
        ("producer", format!("Covenant {}", env!("CARGO_PKG_VERSION"))),
        ("specification", task.specification.clone()),
        ("programfile", task.file.display().to_string()),
        ("programhash", hash),
        ("entryfunction", subject.function.clone()),
        ("architecture", format!("{}bit", task.bits)),
        ("creationtime", task.created.clone()),
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
        (Some(value), None) => Ok(vec![number(&with_sign(value, c_type(call)))?]),
        (None, None) => Ok(Vec::new()),
    }
}

/// The value with the sign of its C type. A run knows bits only; and who reads too large a number gets the largest there is.
fn with_sign(value: &Value, c_type: Option<&str>) -> Value {
    let has_sign = matches!(c_type, Some("char" | "short" | "int" | "long" | "long long"));
    match value {
        Value::Int { bits, size, .. } if has_sign => Value::Int { bits: bits.clone(), size: *size, signed: true },
        value => value.clone(),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_sign_of_their_type() {
        let call = |function: &str, bits: &str, size| CallInput {
            function: function.to_owned(),
            value: Some(Value::Int { bits: bits.to_owned(), size, signed: false }),
            ..CallInput::default()
        };
        let text = |call: &CallInput| call_inputs(call).map(|inputs| inputs.join(" "));
        assert_eq!(
            text(&call("__VERIFIER_nondet_long", "0x8000000000000000", 8)),
            Ok("-9223372036854775808".to_owned())
        );
        assert_eq!(
            text(&call("__VERIFIER_nondet_ulong", "0x8000000000000000", 8)),
            Ok("9223372036854775808".to_owned())
        );
        assert_eq!(text(&call("__VERIFIER_nondet_char", "249", 1)), Ok("-7".to_owned()));
        assert_eq!(text(&call("__VERIFIER_nondet_bool", "1", 1)), Ok("1".to_owned()));
    }
}
