//! What a process is given: whether there is an argument, or one more byte of standard input, and what its bytes are. Each is an
//! input of the run, asked for when the program comes to it.

use std::collections::BTreeMap;

use covenant_constraints::{Sort, TermId};
use covenant_goals::TestCase;
use covenant_goals::test_case::Named;
use covenant_interpreter::given::{self, Bound, NamedKind, ProcessInput};
use covenant_interpreter::shadow::{Shadowed, Site};
use covenant_program::ir::{FuncId, Origin, Type};
use covenant_program::world;

use super::limits::Cause;
use super::{EventKind, Process, Recorded, Symbolic};
use crate::meaning::pure::Term;

/// What the input is called in runs.
fn name(process: &Process, what: ProcessInput) -> String {
    let named = |number: u64| match entry_name(process, number) {
        Some(name) => array(NamedKind::File, &name),
        None => named(process, number).map(|(kind, name)| array(kind, name)).unwrap_or_default(),
    };
    match what {
        ProcessInput::Argument(number) => format!("argv[{number}]"),
        ProcessInput::ArgumentByte(number, place) => format!("argv[{number}][{place}]"),
        ProcessInput::Input(number) => has(STDIN, number),
        ProcessInput::InputByte(number) => format!("{STDIN}[{number}]"),
        ProcessInput::Named(number) => named(number),
        ProcessInput::NamedMore(number, place) => has(&named(number), place),
        ProcessInput::NamedByte(number, place) => format!("{}[{place}]", named(number)),
        ProcessInput::Entry(number, place) => has(&named(number), place),
        ProcessInput::EntryByte(number, place) => {
            format!("{SPELLED}{}[{place}]", entry_name(process, number).unwrap_or_default())
        }
        ProcessInput::EntryIsTaken(_) => String::new(),
    }
}

/// What something in a directory is called as long as nobody has spelled its name.
fn entry_name(process: &Process, number: u64) -> Option<String> {
    let (directory, place) = given::entry(number)?;
    named(process, directory).map(|(_, directory)| unspelled(directory, place))
}

fn unspelled(directory: &str, place: u64) -> String {
    format!("{directory}/#{}", place + 1)
}

/// What has a number among the things with a name.
fn named(process: &Process, number: u64) -> Option<(NamedKind, &str)> {
    let (kind, name, _) = process.named.get(usize::try_from(number).ok()?)?;
    Some((*kind, name))
}

fn array(kind: NamedKind, name: &str) -> String {
    match kind {
        NamedKind::File => format!("{FILE}{name}"),
        NamedKind::Variable => format!("{VARIABLE}{name}"),
        NamedKind::Directory => format!("{DIRECTORY}{name}"),
    }
}

fn has(array: &str, place: u64) -> String {
    format!("{array}{HAS}{}", place + 1)
}

/// What says whether there is an element of an array, by the name of the array, where that is an input of its own.
pub fn presence(array: &str, index: usize) -> Option<String> {
    (array == STDIN || array.starts_with(FILE)).then(|| has(array, index as u64))
}

/// Whether an input is only there to say that there is a byte, which has a byte before it.
pub fn is_presence(input: &str) -> bool {
    let Some((array, place)) = input.rsplit_once(HAS) else { return false };
    [STDIN, FILE, DIRECTORY].iter().any(|begin| array.starts_with(begin)) && place != "1"
}

/// What the library asks for that is no number but an order.
const ORDER: u32 = 0; // not tuning: a format

const STDIN: &str = "stdin";
const FILE: &str = "file ";
const VARIABLE: &str = "variable ";
const DIRECTORY: &str = "directory ";
/// The name of something in a directory, byte by byte.
const SPELLED: &str = "name ";
const HAS: &str = " has ";

/// The inputs of a test under these names, with their values.
pub(super) fn seeds(test: &TestCase) -> impl Iterator<Item = (String, u128)> + '_ {
    let args = (1..).zip(&test.args).flat_map(|(number, arg)| {
        let bytes = (0..).zip(arg).map(move |(at, byte)| (ProcessInput::ArgumentByte(number, at), u128::from(*byte)));
        std::iter::once((ProcessInput::Argument(number), 1)).chain(bytes)
    });
    let input = (0..)
        .zip(&test.stdin)
        .flat_map(|(at, byte)| [(ProcessInput::Input(at), 1), (ProcessInput::InputByte(at), u128::from(*byte))]);
    let nothing = Process::default();
    let plain = args.chain(input).map(move |(what, bits)| (name(&nothing, what), bits));
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    let mut spelled = Vec::new();
    let files: Vec<_> = test.files.iter().map(|file| (seed_of(file, &mut counts, &mut spelled), file)).collect();
    let env = test.env.iter().map(|variable| (array(NamedKind::Variable, &variable.name), variable));
    let named = files.into_iter().chain(env).flat_map(|(array, named)| {
        let bytes = (0..).zip(&named.bytes);
        let all: Vec<_> = bytes
            .flat_map(|(at, byte)| [(has(&array, at), 1), (format!("{array}[{at}]"), u128::from(*byte))])
            .chain([(array.clone(), 1)])
            .collect();
        all
    });
    plain.chain(named).chain(spelled)
}

/// The array of a file or directory of a test, and the inputs by which it is in another.
fn seed_of<'t>(file: &'t Named, counts: &mut BTreeMap<&'t str, u64>, spelled: &mut Vec<(String, u128)>) -> String {
    let kind = if file.directory { NamedKind::Directory } else { NamedKind::File };
    let Some((directory, name)) = file.name.rsplit_once('/') else { return array(kind, &file.name) };
    let count = counts.entry(directory).or_default();
    let unspelled = unspelled(directory, *count);
    spelled.push((has(&array(NamedKind::Directory, directory), *count), if file.directory { 2 } else { 1 }));
    let bytes = (0..).zip(name.bytes().chain([0]));
    spelled.extend(bytes.map(|(at, byte): (u32, u8)| (format!("{SPELLED}{unspelled}[{at}]"), u128::from(byte))));
    *count += 1;
    array(kind, &unspelled)
}

/// What was left out where a process was given as much as it is given at most.
pub(super) const NO_MORE: &str = "more arguments, longer ones, or more of standard input and of files were not tried here; see --args, --stdin, --file and --dir";

/// What was left out at a function that looks at the world around a process, and what lets it see more.
pub(super) fn only_tried(process: &Process, name: &str) -> String {
    if world::is_on_streams(name) && (process.stdin > 0 || !process.named.is_empty()) {
        return format!("`{name}` was only tried on what is among the inputs, where no device fails");
    }
    let input = if process.stdin == 0 { " and input" } else { "" };
    let given = if process.named.is_empty() { "" } else { ", but for what is among the inputs" };
    let option = match name {
        "getenv" | "secure_getenv" => "--env NAME=LEN gives it a variable, ",
        "opendir" => "--dir NAME gives it a directory, ",
        _ if world::looks_for_files(name) => "--file NAME=LEN gives it a file, ",
        _ => "",
    };
    format!(
        "`{name}` was only tried as it is in an empty directory without environment{input}{given}; {option}--stub \
         {name}=any lets it return anything"
    )
}

/// Adds an input to a test.
pub(super) fn tell(case: &mut TestCase, process: &Process, what: ProcessInput, byte: u8) {
    match what {
        ProcessInput::Named(number) if byte != 0 => {
            let Some((kind, name)) = named(process, number) else { return };
            let all = if kind == NamedKind::Variable { &mut case.env } else { &mut case.files };
            all.push(Named { name: name.to_owned(), directory: kind == NamedKind::Directory, bytes: Vec::new() });
        }
        ProcessInput::Entry(number, place) if byte != 0 => {
            let Some((_, directory)) = named(process, number) else { return };
            let name = unspelled(directory, place);
            case.files.push(Named { name, directory: byte == 2, bytes: Vec::new() });
        }
        ProcessInput::NamedByte(number, _) => {
            let is_variable = matches!(named(process, number), Some((NamedKind::Variable, _)));
            let name = entry_name(process, number).or_else(|| Some(named(process, number)?.1.to_owned()));
            let all = if is_variable { &mut case.env } else { &mut case.files };
            let own = all.iter_mut().filter(|known| Some(&known.name) == name.as_ref() && !known.directory);
            own.for_each(|known| known.bytes.push(byte));
        }
        _ => tell_plain(case, what, byte),
    }
}

/// Gives what is in directories the names that the run has spelled; what has none that it can have is not there.
pub(super) fn spell_names(case: &mut TestCase, process: &Process, given: impl Iterator<Item = (ProcessInput, u8)>) {
    let mut names: BTreeMap<u64, (Vec<u8>, bool)> = BTreeMap::new();
    for (what, byte) in given {
        match what {
            ProcessInput::EntryByte(number, _) => names.entry(number).or_default().0.push(byte),
            ProcessInput::EntryIsTaken(number) => names.entry(number).or_default().1 = true,
            _ => {}
        }
    }
    for (number, (bytes, is_taken)) in names {
        let Some(unspelled) = entry_name(process, number) else { continue };
        let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
        let name = String::from_utf8_lossy(&bytes[..end]);
        let directory = unspelled.rsplit_once('/').map_or("", |(directory, _)| directory);
        let spelled = format!("{directory}/{name}");
        case.files.retain(|file| is_taken || file.name != unspelled);
        let own = case.files.iter_mut().filter(|file| file.name == unspelled);
        own.for_each(|file| file.name.clone_from(&spelled));
    }
}

fn tell_plain(case: &mut TestCase, what: ProcessInput, byte: u8) {
    match what {
        ProcessInput::Argument(_) if byte != 0 => case.args.push(Vec::new()),
        ProcessInput::ArgumentByte(..) => case.args.last_mut().into_iter().for_each(|arg| arg.push(byte)),
        ProcessInput::InputByte(_) => case.stdin.push(byte),
        _ => {}
    }
}

/// Arguments and variables of the environment end with their first zero byte.
pub(super) fn end_arguments(case: &mut TestCase) {
    for arg in case.args.iter_mut().chain(case.env.iter_mut().map(|variable| &mut variable.bytes)) {
        let end = arg.iter().position(|byte| *byte == 0).unwrap_or(arg.len());
        arg.truncate(end);
    }
}

/// What an input is where nobody says more: things in a directory are called a, b, c.
fn default_of(what: ProcessInput) -> u128 {
    match what {
        ProcessInput::EntryByte(number, 0) => {
            given::entry(number).map_or(0, |(_, place)| u128::from(b'a') + u128::from(place))
        }
        _ => 0,
    }
}

/// Bytes that a file may have which is only there because the test's directory has it.
const MOST_BYTES_INSIDE: u32 = 64; // not tuning: what the inputs are

impl Symbolic<'_> {
    pub(super) fn most(&self, what: Bound) -> u64 {
        let process = &self.cx.options.process;
        let entries = |number: u32| given::entry(number.into()).map(|_| MOST_BYTES_INSIDE);
        u64::from(match what {
            Bound::Arguments => process.args,
            Bound::Argument => process.length,
            Bound::Input => process.stdin,
            Bound::Named(number) => {
                entries(number).or_else(|| process.named.get(number as usize).map(|(_, _, most)| *most)).unwrap_or(0)
            }
        })
    }

    /// What sources call a function: those of the C library may have other symbols.
    pub(super) fn name_in_sources(&self, function: u32) -> &str {
        let function = &self.image.program().functions[FuncId::from_u32(function)];
        match function.origin {
            Origin::Library => world::name_in_sources(&function.name),
            _ => function.source_name(),
        }
    }

    pub(super) fn what_is_named(&self, number: u64) -> Option<(NamedKind, &str)> {
        named(&self.cx.options.process, number)
    }

    /// Whether a file that may have more bytes than it has at most ends there.
    fn is_last_of_file(&self, number: u64, place: u64) -> bool {
        let is_inside = given::entry(number).is_some();
        let is_file = matches!(self.what_is_named(number), Some((NamedKind::File, _)));
        (is_inside || is_file && self.cx.options.process.files_grow)
            && place + 1 == self.most(Bound::Named(number as u32))
    }

    /// A number that the world chooses. It is what it is here on each path, so that nobody looks for another one.
    pub(super) fn unsure_number(&mut self, what: u32, number: u64, value: u64) -> Shadowed<Term> {
        let known = Shadowed { bits: u128::from(value), ty: Type::I64, term: None };
        if what == ORDER {
            self.limit(Cause::Unsure);
        }
        if what == ORDER || self.muted || self.cx.blind {
            return known;
        }
        let var = self.cx.var(&format!("world {what} {number}"), Sort::Bv(64));
        self.used_bits(var, known.bits);
        let term = self.term_of(var);
        if let Some(term) = term.filter(|_| !self.unsure.contains(&var)) {
            let constant = self.cx.terms.bv(known.bits, 64);
            let equal = self.cx.terms.eq(term, constant);
            let site = Site { function: 0, pc: u32::MAX };
            self.event(site, EventKind::Pin("a number that the world chooses"), 1, equal, Vec::new());
            self.unsure.insert(var);
        }
        Shadowed { term, ..known }
    }

    /// A run goes on by a condition: whether that is about what the world chooses.
    pub(super) fn limit_unsure(&self, condition: TermId) {
        if !self.unsure.is_empty() && self.cx.terms.variables(&[condition]).iter().any(|var| self.unsure.contains(var))
        {
            self.limit(Cause::Unsure);
        }
    }

    pub(super) fn given_to_process(&mut self, what: ProcessInput) -> Shadowed<Term> {
        if let ProcessInput::EntryIsTaken(_) = what {
            self.recorded.push(Recorded::Process { what, byte: 1 });
            return Shadowed { bits: 0, ty: Type::I8, term: None };
        }
        let value = self.free_value_or(&name(&self.cx.options.process, what), Type::I8, default_of(what));
        self.recorded.push(Recorded::Process { what, byte: value.bits as u8 });
        let is_last = match what {
            ProcessInput::Argument(number) => number == self.most(Bound::Arguments),
            ProcessInput::ArgumentByte(_, place) => place + 1 == self.most(Bound::Argument),
            ProcessInput::Input(place) => place + 1 == self.most(Bound::Input),
            ProcessInput::NamedMore(number, place) => self.is_last_of_file(number, place),
            ProcessInput::Entry(number, place) => place + 1 == self.most(Bound::Named(number as u32)),
            _ => false,
        };
        if is_last && value.bits != 0 {
            self.limit(Cause::Given);
        }
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_nobody_speaks_of_grows() {
        let usual = Process { args: 4, length: 16, stdin: 256, grows: true, ..Process::default() };
        let larger = usual.times(16);
        assert_eq!((larger.args, larger.length, larger.stdin), (16, 64, 4096));
        let named = vec![(NamedKind::File, "f".to_owned(), 8), (NamedKind::Variable, "V".to_owned(), 8)];
        let fixed = Process { grows: false, named, ..usual };
        assert_eq!(fixed.times(16), fixed);
        let files = Process { files_grow: true, ..fixed.clone() }.times(16);
        assert_eq!((files.named[0].2, files.named[1].2, files.stdin), (128, 8, 256));
    }

    #[test]
    fn what_is_in_a_directory_has_the_name_that_is_spelled() {
        let mut case = TestCase::default();
        let process = Process { named: vec![(NamedKind::Directory, "d".to_owned(), 3)], ..Process::default() };
        let given: Vec<(ProcessInput, u8)> = vec![
            (ProcessInput::Named(0), 1),
            (ProcessInput::Entry(0, 0), 1),
            (ProcessInput::EntryByte(1000, 0), b'x'),
            (ProcessInput::EntryByte(1000, 1), 0),
            (ProcessInput::EntryIsTaken(1000), 1),
            (ProcessInput::Entry(0, 1), 2),
            (ProcessInput::EntryByte(1001, 0), b'y'),
            (ProcessInput::EntryIsTaken(1001), 1),
            (ProcessInput::Entry(0, 2), 1),
            (ProcessInput::EntryByte(1002, 0), b'/'),
            (ProcessInput::NamedMore(1000, 0), 1),
            (ProcessInput::NamedByte(1000, 0), b'!'),
        ];
        given.iter().for_each(|(what, byte)| tell(&mut case, &process, *what, *byte));
        spell_names(&mut case, &process, given.into_iter());
        let file = |name: &str, directory, bytes: &[u8]| Named { name: name.into(), directory, bytes: bytes.to_vec() };
        assert_eq!(case.files, [file("d", true, b""), file("d/x", false, b"!"), file("d/y", true, b"")]);
        let again: BTreeMap<String, u128> = seeds(&case).collect();
        let expected = [
            ("directory d", 1),
            ("directory d has 1", 1),
            ("directory d has 2", 2),
            ("name d/#1[0]", u128::from(b'x')),
            ("name d/#2[0]", u128::from(b'y')),
            ("file d/#1[0]", u128::from(b'!')),
        ];
        for (name, bits) in expected {
            assert_eq!(again.get(name), Some(&bits), "{name}");
        }
    }

    #[test]
    fn a_test_gets_what_runs_were_given_and_gives_it_back() {
        let mut case = TestCase::default();
        let (file, variable) = (NamedKind::File, NamedKind::Variable);
        let process = Process {
            named: vec![(file, "f".to_owned(), 4), (variable, "V".to_owned(), 2), (file, "g".to_owned(), 4)],
            ..Process::default()
        };
        for (what, byte) in [
            (ProcessInput::Argument(1), 200),
            (ProcessInput::ArgumentByte(1, 0), b'a'),
            (ProcessInput::ArgumentByte(1, 1), 0),
            (ProcessInput::ArgumentByte(1, 2), b'x'),
            (ProcessInput::Argument(2), 0),
            (ProcessInput::Input(0), 7),
            (ProcessInput::InputByte(0), 0),
            (ProcessInput::Input(1), 0),
            (ProcessInput::Named(0), 3),
            (ProcessInput::NamedMore(0, 0), 1),
            (ProcessInput::NamedByte(0, 0), 0),
            (ProcessInput::NamedMore(0, 1), 0),
            (ProcessInput::Named(1), 1),
            (ProcessInput::NamedByte(1, 0), b'v'),
            (ProcessInput::NamedByte(1, 1), 0),
            (ProcessInput::Named(2), 0),
        ] {
            tell(&mut case, &process, what, byte);
        }
        end_arguments(&mut case);
        assert_eq!((&case.args, &case.stdin), (&vec![b"a".to_vec()], &vec![0]));
        let named =
            |name: &str, bytes: &[u8]| vec![Named { name: name.to_owned(), bytes: bytes.to_vec(), directory: false }];
        assert_eq!((&case.files, &case.env), (&named("f", &[0]), &named("V", b"v")));
        let again: Vec<(String, u128)> = seeds(&case).collect();
        let expected = [
            ("argv[1]", 1),
            ("argv[1][0]", u128::from(b'a')),
            ("stdin has 1", 1),
            ("stdin[0]", 0),
            ("file f has 1", 1),
            ("file f[0]", 0),
            ("file f", 1),
            ("variable V has 1", 1),
            ("variable V[0]", u128::from(b'v')),
            ("variable V", 1),
        ];
        assert_eq!(again, expected.map(|(name, bits)| (name.to_owned(), bits)));
    }
}
