//! The body of one test function: inputs, the call, what it left behind.

use std::collections::{BTreeMap, BTreeSet};

use covenant_goals::TestCase;
use covenant_goals::TestOutcome;
use covenant_goals::test_case::{Allocated, CallInput, Cell, LeftFile, Pointer, Root, Value};

use super::super::device;
use super::super::given::{self, Content};
use super::super::heard::{arguments_of, can_be_heard, knows_output};
use super::super::variadic::{self, is_argument};
use super::super::{comment, nothing_compared};
use super::source::{self, Names};
use crate::value::{self, c_string};

pub(super) struct TestWriter<'a> {
    names: &'a Names<'a>,
    test: &'a TestCase,
    oracle: bool,
    /// Whether some test of the suite prints something.
    captures: bool,
    text: String,
}

impl<'a> TestWriter<'a> {
    pub(super) fn new(names: &'a Names<'a>, test: &'a TestCase, oracle: bool, captures: bool) -> TestWriter<'a> {
        TestWriter { names, test, oracle, captures, text: String::new() }
    }

    pub(super) fn write(mut self) -> Result<String, String> {
        let subject = self.names.subject;
        if self.test.function != subject.function {
            return Err(format!("it is a test of {}, not of {}", self.test.function, subject.function));
        }
        self.objects()?;
        let has_params = !subject.is_main && !subject.params.is_empty();
        let has_result = !subject.is_main && subject.returns.is_some();
        if has_params {
            self.line("struct covenant_parameters *covenant_in = covenant_object(sizeof *covenant_in);");
        }
        if has_result {
            self.line("struct covenant_results *covenant_out = covenant_object(sizeof *covenant_out);");
        }
        if !subject.globals.is_empty() {
            self.line("covenant_globals();");
        }
        for cell in &self.test.cells {
            self.input(cell)?;
        }
        for call in &self.test.calls {
            self.call_input(call)?;
        }
        self.writes()?;
        for failure in &self.test.failures {
            let (function, call) = (c_string(failure.function.as_bytes()), failure.call);
            self.line(format!("covenant_fail({function}, {call}); /* {} */", comment(&failure.to_string())));
        }
        self.process_inputs();
        let played = device::statements(subject, self.test, &|pointer| self.address(pointer))?;
        played.iter().for_each(|line| self.line(line));
        if let Some(function) = self.test.trap.as_ref().and_then(|trap| trap.function_at_end()) {
            // Behind a name of the code's own it is the C library's that is called, which comes back.
            let word = if subject.labelled.iter().any(|name| name == function) { "may" } else { "expect" };
            self.line(format!("covenant_{word}_end({});", c_string(function.as_bytes())));
        }
        if subject.is_main {
            self.run_main()
        } else {
            self.run_function()?
        }
        Ok(self.text)
    }

    fn line(&mut self, line: impl AsRef<str>) {
        self.text.push_str("    ");
        self.text.push_str(line.as_ref());
        self.text.push('\n');
    }

    /// Declares all objects at the head of the function, as old standards want it.
    fn objects(&mut self) -> Result<(), String> {
        let mut ids = BTreeSet::new();
        for object in &self.test.objects {
            if !ids.insert(object.id) {
                return Err(format!("object {} is there twice", object.id));
            }
            let size = object.element_size.checked_mul(object.count);
            let size = size.ok_or_else(|| format!("object {} is too large", object.id))?;
            if object.stream {
                let (content, what) = (given::content(self.test, object)?, comment(&object.name));
                let text = c_string(&content);
                self.line(format!("void *covenant_o{} = covenant_stream({size}, {text}); /* {what} */", object.id));
                continue;
            }
            let what = if object.c_type.is_empty() { "byte" } else { object.c_type.as_str() };
            let what = comment(&format!("{}: {} x {what}", object.name, object.count));
            self.line(format!("void *covenant_o{} = covenant_object({size}); /* {what} */", object.id));
        }
        for id in self.pointed_objects() {
            if !ids.contains(&id) {
                return Err(format!("object {id} is not there"));
            }
        }
        Ok(())
    }

    fn pointed_objects(&self) -> BTreeSet<u32> {
        let test = self.test;
        let cells = test.cells.iter().chain(&test.observed.written);
        let roots = cells.clone().map(|c| &c.root).chain(test.observed.bits.iter().map(|field| &field.root));
        let roots = roots.filter_map(object_of);
        let values = cells.map(|c| &c.value).chain(test.calls.iter().filter_map(|c| c.value.as_ref()));
        let written = test.calls.iter().flat_map(|c| &c.writes).map(|write| &write.value);
        let targets = values.chain(written).chain(&test.observed.returned).filter_map(|v| match v {
            Value::Pointer(Pointer::Object { id, .. }) => Some(*id),
            _ => None,
        });
        roots.chain(targets).collect()
    }

    fn input(&mut self, cell: &Cell) -> Result<(), String> {
        let subject = self.names.subject;
        // A program's parameters are its arguments; those without a name stand in the call.
        if subject.is_main && matches!(cell.root, Root::Param(_)) || is_argument(cell, subject) {
            return Ok(());
        }
        if self.test.objects.iter().any(|object| object.stream && cell.root == Root::Object(object.id)) {
            return Ok(());
        }
        let base = match self.names.base(&cell.root)? {
            Ok(base) => base,
            Err(why) => {
                let what = comment(&format!("{} should be {}", cell.path, value::words(&cell.value)));
                self.line(format!("/* {what}, but it cannot be set: {why}. */"));
                return Ok(());
            }
        };
        let offset = cell.offset;
        let what = comment(&cell.path);
        let line = match &cell.value {
            Value::Pointer(Pointer::Function(name)) => {
                format!("covenant_set_function({base}, {offset}, {});", self.function(name))
            }
            Value::Pointer(pointer) => format!("covenant_set_pointer({base}, {offset}, {});", self.address(pointer)?),
            scalar => match small(scalar)? {
                Ok((constant, size)) => format!("covenant_set({base}, {offset}, {size}, {constant});"),
                Err(bytes) => format!("covenant_set_bytes({base}, {offset}, {}, {});", bytes.len(), c_string(&bytes)),
            },
        };
        let what = match &cell.value {
            Value::Float { .. } => format!("{what} = {}", value::words(&cell.value)),
            _ => what,
        };
        self.line(format!("{line} /* {what} */"));
        Ok(())
    }

    fn call_input(&mut self, call: &CallInput) -> Result<(), String> {
        let function = c_string(call.function.as_bytes());
        let line = match (&call.value, &call.bytes) {
            (_, Some(bytes)) => format!("covenant_next_bytes({function}, {}, {});", bytes.len(), c_string(bytes)),
            (Some(Value::Pointer(Pointer::Function(name))), None) => {
                format!("covenant_next_function({function}, {});", self.function(name))
            }
            (Some(Value::Pointer(pointer)), None) => {
                format!("covenant_next_pointer({function}, {});", self.address(pointer)?)
            }
            (Some(scalar), None) => match small(scalar)? {
                Ok((constant, size)) => format!("covenant_next({function}, {size}, {constant});"),
                Err(bytes) => format!("covenant_next_bytes({function}, {}, {});", bytes.len(), c_string(&bytes)),
            },
            (None, None) => return Ok(()),
        };
        let label = call.label.as_deref().map(|l| format!(" /* {} */", comment(l)));
        self.line(line + &label.unwrap_or_default());
        Ok(())
    }

    /// What calls write through their arguments.
    fn writes(&mut self) -> Result<(), String> {
        for block in given::blocks(self.test)? {
            let function = c_string(block.function.as_bytes());
            let place = format!("{function}, {}, {}, {}", block.call, block.param, block.offset);
            let line = match block.content {
                Content::Bytes(bytes) => {
                    format!("covenant_next_write({place}, {}, {});", bytes.len(), c_string(&bytes))
                }
                Content::Pointer(Pointer::Function(name)) => {
                    format!("covenant_next_write_function({place}, {});", self.function(name))
                }
                Content::Pointer(pointer) => {
                    format!("covenant_next_write_pointer({place}, {});", self.address(pointer)?)
                }
            };
            self.line(line);
        }
        Ok(())
    }

    fn process_inputs(&mut self) {
        let subject = self.names.subject;
        // What a program writes is to be nobody else's.
        if !subject.given_files.is_empty() || subject.is_main {
            self.line("covenant_directory();");
        }
        for file in &self.test.files {
            let (name, size) = (c_string(file.name.as_bytes()), file.bytes.len());
            if file.directory {
                self.line(format!("covenant_folder({name});"));
                continue;
            }
            self.line(format!("covenant_file({name}, {size}, {});", c_string(&file.bytes)));
        }
        for name in &subject.given_env {
            let known = self.test.env.iter().find(|variable| variable.name == *name);
            let value = known.map_or_else(|| "NULL".to_owned(), |variable| c_string(&variable.bytes));
            self.line(format!("covenant_variable({}, {value});", c_string(name.as_bytes())));
        }
        if !self.test.stdin.is_empty() {
            let stdin = &self.test.stdin;
            self.line(format!("covenant_input({}, {});", stdin.len(), c_string(stdin)));
        }
        if subject.is_main {
            let program = if subject.program.is_empty() { "program" } else { &subject.program };
            self.line(format!("covenant_argument({});", c_string(program.as_bytes())));
            for arg in &self.test.args {
                self.line(format!("covenant_argument({});", c_string(arg)));
            }
        }
    }

    fn run_main(&mut self) {
        let subject = self.names.subject;
        let arguments = ["covenant_argc()", "covenant_argv()", "covenant_environment()"];
        let arguments = arguments[..subject.params.len().min(3)].join(", ");
        if let (Some(output), Some(error)) = (&self.test.observed.output, &self.test.observed.error)
            && self.oracle
            && self.test.outcome == TestOutcome::Exited
        {
            let text = |bytes: &[u8]| format!("{}, {}", bytes.len(), c_string(bytes));
            self.line(format!("covenant_expect_printed({}, {});", text(output), text(error)));
        }
        let files: &[LeftFile] = if self.oracle { &self.test.observed.files } else { &[] };
        for file in files {
            let name = c_string(file.name.as_bytes());
            self.line(match &file.bytes {
                Some(bytes) => format!("covenant_expect_file({name}, {}, {});", bytes.len(), c_string(bytes)),
                None => format!("covenant_expect_file({name}, 0, NULL);"),
            });
        }
        if subject.returns.is_some() {
            self.line(format!("covenant_exit({}({arguments}));", subject.function));
        } else {
            self.line(format!("{}({arguments});", subject.function));
            self.line("covenant_exit(0);");
        }
    }

    fn run_function(&mut self) -> Result<(), String> {
        let subject = self.names.subject;
        let mut arguments: Vec<String> = subject.params.iter().map(|p| format!("covenant_in->{}", p.name)).collect();
        let pointer = |pointer: &Pointer| match pointer {
            Pointer::Function(name) => Ok(self.function(name)),
            other => self.address(other),
        };
        arguments.extend(variadic::arguments(self.test, subject, &pointer)?);
        let call = format!("{}({})", subject.function, arguments.join(", "));
        let asserts = self.oracle && self.test.outcome == TestOutcome::Returned;
        let captures = asserts && self.captures && knows_output(&self.test.observed);
        if asserts {
            self.gets()?;
        }
        if captures || asserts && self.test.observed.errno.is_some() {
            self.line(format!("covenant_begin({});", u8::from(captures)));
        }
        if asserts && self.allocated().is_some() {
            self.line("covenant_count_objects();");
        }
        match &subject.returns {
            // Initialisation works for every type that a function can return, also for a qualified one.
            Some(_) => {
                self.line("{");
                self.line(format!("    struct covenant_results covenant_r = {{ {call} }};"));
                self.line("    covenant_set_bytes(covenant_out, 0, sizeof covenant_r, (char *)&covenant_r);");
                self.line("}");
            }
            None => self.line(format!("{call};")),
        }
        self.line("covenant_returned();");
        if !asserts {
            return Ok(());
        }
        // Before anything else is looked at: what is volatile is closed until then.
        if device::plays(subject, self.test) {
            self.line("covenant_expect_device();");
        }
        if let (Some(returned), Some(declared)) = (&self.test.observed.returned, &subject.returns) {
            self.expect("the returned value", "covenant_out", 0, returned, declared.size)?;
        }
        let observed = &self.test.observed;
        for cell in &observed.written {
            let path = value::readable_path(&cell.path);
            match self.names.base(&cell.root)? {
                Ok(base) => self.expect(&path, &base, cell.offset, &cell.value, u64::MAX)?,
                Err(why) => self.line(format!("/* {} cannot be checked: {why}. */", comment(&path))),
            }
        }
        for field in &observed.bits {
            let path = value::readable_path(&field.path);
            let (offset, first, width) = (field.offset, field.first, field.width);
            let number = field.value.parse::<i128>().map_err(|_| format!("`{}` is not a number", field.value))? as u64;
            let what = c_string(path.as_bytes());
            match self.names.base(&field.root)? {
                Ok(base) => self.line(format!(
                    "covenant_expect_bits({what}, {base}, {offset}, {first}, {width}, 0x{number:x}ULL); /* {} */",
                    field.value
                )),
                Err(why) => self.line(format!("/* {} cannot be checked: {why}. */", comment(&path))),
            }
        }
        self.outside(captures);
        if let Some(words) = &observed.undefined {
            self.line(nothing_compared(words));
        }
        for path in &observed.open {
            let path = comment(&value::readable_path(path));
            self.line(format!("/* {path} is not compared: C leaves it open. */"));
        }
        Ok(())
    }

    /// What the functions that the subject does not define are called with.
    fn gets(&mut self) -> Result<(), String> {
        let test = self.test;
        let mut numbers: BTreeMap<&str, u64> = BTreeMap::new();
        for heard in test.observed.calls.iter().flatten() {
            let call = numbers.entry(&heard.function).or_default();
            *call += 1;
            let stub = source::visible_stubs(self.names.subject).find(|stub| stub.name == heard.function);
            let Some(params) = stub.and_then(|stub| arguments_of(stub, heard.arguments.len())) else { continue };
            for (index, argument) in heard.arguments.iter().take(params).enumerate() {
                let place = format!("{}, {call}, {index}", c_string(heard.function.as_bytes()));
                let line = match argument {
                    None => continue,
                    Some(Value::Pointer(Pointer::Other | Pointer::Function(_))) => {
                        format!("covenant_gets_some({place});")
                    }
                    Some(Value::Pointer(pointer)) => match self.address(pointer) {
                        Ok(address) => format!("covenant_gets_pointer({place}, {address});"),
                        Err(_) => format!("covenant_gets_some({place});"),
                    },
                    Some(scalar) => match small(scalar)? {
                        Ok((constant, size)) => format!("covenant_gets({place}, {size}, {constant});"),
                        Err(_) => continue,
                    },
                };
                self.line(line);
            }
        }
        Ok(())
    }

    /// Objects that it made and did not free, where somebody counts them.
    fn allocated(&self) -> Option<Allocated> {
        self.test.observed.allocated.filter(|_| !self.names.subject.heap.is_empty())
    }

    /// What the code did outside of its memory.
    fn outside(&mut self, captures: bool) {
        let observed = &self.test.observed;
        if let Some(errno) = observed.errno {
            self.line(format!("covenant_expect_errno({errno});"));
        }
        for (stream, text) in [(1, &observed.output), (2, &observed.error)].into_iter().filter(|_| captures) {
            if let Some(text) = text {
                self.line(format!("covenant_expect_output({stream}, {}, {});", text.len(), c_string(text)));
            }
        }
        if let Some(allocated) = self.allocated() {
            let lost = allocated.words().map(|words| format!(" /* {words} */")).unwrap_or_default();
            self.line(format!("covenant_expect_allocated({});{lost}", allocated.objects));
        }
        let Some(calls) = &observed.calls else { return };
        for stub in source::visible_stubs(self.names.subject).filter(|stub| can_be_heard(stub)) {
            let calls = calls.iter().filter(|heard| heard.function == stub.name).count();
            self.line(format!("covenant_expect_calls({}, {calls});", c_string(stub.name.as_bytes())));
        }
    }

    /// `room` bounds the size: a value may be recorded as wide as a register.
    fn expect(&mut self, what: &str, base: &str, offset: u64, value: &Value, room: u64) -> Result<(), String> {
        let what = c_string(what.as_bytes());
        let place = format!("{what}, {base}, {offset}");
        let line = match value {
            Value::Pointer(Pointer::Function(name)) => {
                format!("covenant_expect_function({place}, {});", self.function(name))
            }
            Value::Pointer(Pointer::Other) => format!("covenant_expect_some({place});"),
            Value::Pointer(Pointer::Global { name, .. }) if self.names.global(name).is_err() => {
                format!("covenant_expect_some({place}); /* {name}, which no test can name */")
            }
            Value::Pointer(pointer) => format!("covenant_expect_pointer({place}, {});", self.address(pointer)?),
            scalar => match small(scalar)? {
                Ok((constant, size)) => {
                    let size = u64::from(size).min(room);
                    let kind = if matches!(scalar, Value::Float { .. }) { "_float" } else { "" };
                    format!("covenant_expect{kind}({place}, {size}, {constant});")
                }
                Err(mut bytes) => {
                    bytes.truncate(usize::try_from(room).unwrap_or(usize::MAX));
                    format!("covenant_expect_bytes({place}, {}, {});", bytes.len(), c_string(&bytes))
                }
            },
        };
        self.line(line);
        Ok(())
    }

    /// The address of an object, of a global or of nothing.
    fn address(&self, pointer: &Pointer) -> Result<String, String> {
        Ok(match pointer {
            Pointer::Object { id, offset: 0 } => format!("covenant_o{id}"),
            Pointer::Object { id, offset } => format!("(char *)covenant_o{id} + {offset}"),
            Pointer::Global { name, offset: 0 } => self.names.global(name)?,
            Pointer::Global { name, offset } => format!("(char *){} + {offset}", self.names.global(name)?),
            Pointer::Null | Pointer::Function(_) => "0".to_owned(),
            Pointer::Argument(param) => format!("covenant_arguments + {param}"),
            Pointer::Other => return Err("a pointer to something that the run made".to_owned()),
        })
    }

    fn function(&self, name: &str) -> String {
        self.names.functions.get(name).cloned().unwrap_or_else(|| format!("(void (*)(void)){name}"))
    }
}

/// A scalar of at most 8 bytes as a C constant with its size, any other as its bytes.
fn small(scalar: &Value) -> Result<Result<(String, u32), Vec<u8>>, String> {
    let Some((bits, size)) = value::bits(scalar)? else { return Err("a pointer where a number belongs".to_owned()) };
    if size <= 8 {
        Ok(Ok((value::c_constant(scalar, bits, size), size)))
    } else {
        Ok(Err(bits.to_le_bytes()[..size as usize].to_vec()))
    }
}

/// The object that something is in or behind.
fn object_of(root: &Root) -> Option<u32> {
    match root {
        Root::Object(id) => Some(*id),
        Root::Behind(place) => object_of(&place.root),
        _ => None,
    }
}
