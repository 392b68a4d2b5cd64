//! `suite/ktest`: KLEE's binary form of one test, version 3. All numbers are 32 bits, the most significant byte first:
//! `KTEST`, the version, the arguments, two numbers about symbolic arguments, then named objects with their bytes.

use std::collections::BTreeSet;

use covenant_goals::TestCase;
use covenant_goals::test_case::{Cell, Root};

use super::{Profile, Suite, bad_test};
use crate::Error;
use crate::files::{file_stem, remove_others, write_file};
use crate::subject::SubjectInfo;
use crate::value;

const VERSION: u32 = 3;

pub(super) const PROFILE: Profile = Profile { about: "KLEE's binary files", write, kit: None };

fn write(suite: &Suite<'_>) -> Result<(), Error> {
    let &Suite { folder, subject, tests, .. } = suite;
    let mut names = BTreeSet::new();
    // The format has no word for calls that fail, nor for devices.
    for test in tests.iter().filter(|test| test.failures.is_empty() && test.device.is_empty()) {
        let name = format!("{}.ktest", file_stem(&test.name));
        write_file(&folder.join(&name), &encode(subject, test).map_err(bad_test(test))?)?;
        names.insert(name);
    }
    remove_others(folder, ".ktest", &names)
}

fn encode(subject: &SubjectInfo, test: &TestCase) -> Result<Vec<u8>, String> {
    let mut file = File(b"KTEST".to_vec());
    file.number(VERSION as usize)?;
    let program = if subject.program.is_empty() { "program" } else { &subject.program };
    file.number(1)?;
    file.block(program.as_bytes())?;
    // No arguments are symbolic in KLEE's sense: ours are objects with names like its own.
    file.number(0)?;
    file.number(0)?;
    let objects = objects(subject, test)?;
    file.number(objects.len())?;
    for (name, bytes) in objects {
        file.block(name.as_bytes())?;
        file.block(&bytes)?;
    }
    Ok(file.0)
}

struct File(Vec<u8>);

impl File {
    fn number(&mut self, value: usize) -> Result<(), String> {
        let value = u32::try_from(value).map_err(|_| "it is too large for this format".to_owned())?;
        self.0.extend(value.to_be_bytes());
        Ok(())
    }

    fn block(&mut self, bytes: &[u8]) -> Result<(), String> {
        self.number(bytes.len())?;
        self.0.extend(bytes);
        Ok(())
    }
}

/// Inputs as KLEE's drivers name them: parameters, globals, objects, then what the program asks for, in its order.
fn objects(subject: &SubjectInfo, test: &TestCase) -> Result<Vec<(String, Vec<u8>)>, String> {
    let pointer = subject.address_space.pointer_size;
    let cells = |root: &Root, size: u64| bytes_of(test.cells.iter().filter(|c| c.root == *root), size, pointer);
    let mut objects = Vec::new();
    if !subject.is_main {
        for (index, param) in subject.params.iter().enumerate() {
            objects.push((param.name.clone(), cells(&Root::Param(index as u32), param.size)?));
        }
    }
    for global in &subject.globals {
        objects.push((global.name.clone(), cells(&Root::Global(global.name.clone()), global.size)?));
    }
    for object in &test.objects {
        let size = object.element_size.saturating_mul(object.count);
        objects.push((object.name.clone(), cells(&Root::Object(object.id), size)?));
    }
    for (index, arg) in test.args.iter().enumerate() {
        objects.push((format!("arg{index:02}"), [&arg[..], &[0]].concat()));
    }
    if !test.stdin.is_empty() {
        objects.push(("stdin".to_owned(), test.stdin.clone()));
    }
    for named in test.files.iter().filter(|file| !file.directory).chain(&test.env) {
        objects.push((named.name.clone(), named.bytes.clone()));
    }
    for call in &test.calls {
        let name = call.label.clone().unwrap_or_else(|| call.function.clone());
        match (&call.bytes, &call.value) {
            (Some(bytes), _) => objects.push((name, bytes.clone())),
            (None, Some(value)) => objects.push((name, value::bytes(value, pointer)?)),
            (None, None) => {}
        }
    }
    Ok(objects)
}

fn bytes_of<'a>(cells: impl Iterator<Item = &'a Cell>, size: u64, pointer: u32) -> Result<Vec<u8>, String> {
    // A test never holds more than what a run could touch; a size beyond that is a mistake of ours.
    let size = usize::try_from(size).ok().filter(|s| *s <= 1 << 30).ok_or("an object is too large")?;
    let mut bytes = vec![0; size];
    for cell in cells {
        let value = value::bytes(&cell.value, pointer)?;
        let start = usize::try_from(cell.offset).map_err(|_| "an offset is too large")?;
        let end = start.saturating_add(value.len());
        bytes.get_mut(start..end).ok_or(format!("{} lies outside its object", cell.path))?.copy_from_slice(&value);
    }
    Ok(bytes)
}
