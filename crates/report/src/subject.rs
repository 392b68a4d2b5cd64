//! The subject as a suite sees it: files, the entry function, types as C text. Kept in `subject.json`, so that
//! everything behind test generation works from the output directory alone.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use covenant_program::clang::{Emulated, Recorded, WITHOUT_SPACES};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use strum::{Display, EnumString};

/// A type that the entry's file does not define.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct HiddenType {
    /// What texts that need the definition name: the tag, the typedef, enumerators.
    pub names: Vec<String>,
    /// As C, with its `;`.
    pub definition: String,
}

/// The code under test.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SubjectInfo {
    /// Whether the code is for another machine, and this is how it is built here; see [`SubjectInfo::on_this_machine`].
    #[serde(skip)]
    pub foreign: bool,
    /// What plays the code, if this is how it is built for another machine; see [`SubjectInfo::on_its_machine`].
    #[serde(skip)]
    pub emulated: Option<&'static Emulated>,
    /// In the order of the command line.
    pub files: Vec<SubjectFile>,
    /// The entry function's name in the source.
    pub function: String,
    /// The file of `files` that defines the entry function.
    pub entry_file: usize,
    /// How tests come from the entry function to the function under test; `None`: it is the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub through: Option<Through>,
    /// In the order of the declaration.
    pub params: Vec<Declared>,
    /// `None`: void. The declaration uses the name `result`.
    pub returns: Option<Declared>,
    /// The entry function is the program's `main`, run as a whole program.
    pub is_main: bool,
    /// The entry function takes arguments without a name.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub variadic: bool,
    /// All functions that the subject refers to and that neither it nor the C library defines.
    pub stubs: Vec<Stub>,
    /// Variables that stubs write where the user says that they do, in the order of their numbers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stub_globals: Vec<String>,
    /// Globals that are inputs. All of them are zero before a test sets its cells.
    pub globals: Vec<Declared>,
    /// Globals that are not inputs and that a run may change.
    #[serde(default)]
    pub state: Vec<Declared>,
    /// Names of members that are bit-fields: a byte of a test may be a part of several.
    #[serde(default)]
    pub bit_fields: Vec<String>,
    /// What addresses look like.
    #[serde(default)]
    pub address_space: AddressSpace,
    /// Variables that the subject refers to and nobody defines.
    #[serde(default)]
    pub undefined_globals: Vec<Declared>,
    /// Functions that a pointer of a test may point to. One that is not listed is taken to be visible in the entry's file.
    #[serde(default)]
    pub functions: Vec<NamedFunction>,
    /// Definitions of types that objects of tests may have and only other files know.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hidden_types: Vec<HiddenType>,
    /// `argv[0]` of a program. Empty: `program`.
    #[serde(default)]
    pub program: String,
    /// Files in the directory of a test that are inputs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub given_files: Vec<String>,
    /// Variables of the environment that are inputs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub given_env: Vec<String>,
    /// When the suite was made, as `2024-05-01T12:00:00Z`, for formats that want to know.
    #[serde(default)]
    pub created: String,
    /// Functions of the C library whose values are Covenant's choice: suites have their own.
    #[serde(default)]
    pub fixed: Vec<String>,
    /// Functions of the C library that the code uses and that may fail at any call: suites have their own.
    #[serde(default)]
    pub failing: Vec<String>,
    /// Functions of the C library that make objects and free them, where the function under test may do so: suites have their own,
    /// which count.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub heap: Vec<String>,
    /// Device registers: the address of the first, and how many bytes there are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub devices: Vec<(u64, u64)>,
    /// Whether tests say what each read of other volatile objects gives.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub volatile: bool,
    /// Functions of the C library that the code calls and that change something outside of it.
    #[serde(default)]
    pub effects: Vec<String>,
    /// Functions of the C library that the code calls by names of its own, so that the suite's own are out of its reach.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub labelled: Vec<String>,
    /// What the code has that is called as something of a framework, or of the headers that suites include.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shared_names: Vec<SharedName>,
    /// Whether it calls functions of the C library that keep something between calls.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub keeps: bool,
    /// Functions that call setjmp, and so may return to the middle of themselves: llvm-cov derives counts there that are none.
    #[serde(default)]
    pub jumping: Vec<String>,
    /// The words of the command line, for people.
    #[serde(default)]
    pub command: Vec<String>,
    /// What Covenant was asked for: with it the subject can be loaded once more, exactly as it was.
    #[serde(default)]
    pub request: serde_json::Value,
    /// What names of files in the request are relative to.
    #[serde(default)]
    pub working_directory: PathBuf,
    /// The root of the project. Reports, tests and coverage name the files below it by the way from there. Empty: not known.
    #[serde(default)]
    pub root: PathBuf,
}

/// Callers of the function under test, which tests call in its place.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Through {
    /// The function under test.
    pub function: String,
    /// Functions that lead to it, by their names in the source.
    pub callers: Vec<String>,
    /// One that leads to it as well, and that no test calls.
    pub left_out: Option<String>,
    /// C code that defines the entry function, which calls one of several callers; empty: the only caller is the entry function.
    pub text: String,
}

/// A file of the code under test.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SubjectFile {
    /// Absolute, or relative to `directory`.
    pub path: PathBuf,
    /// The user's flags, without those that Covenant adds.
    pub flags: Vec<String>,
    /// Where the compiler ran.
    pub directory: PathBuf,
    /// What it was when results were made of it.
    #[serde(default)]
    pub content: Content,
}

/// Digests of a file of the code under test and of all that went into it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Content {
    /// Of the file; empty: not recorded.
    pub sha256: String,
    /// Of the project's headers, by their places.
    pub headers: BTreeMap<PathBuf, String>,
    /// Of the lines of each function in these files, by its name in the source.
    pub functions: BTreeMap<String, String>,
}

/// A variable, as C text.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Declared {
    /// As the source has it.
    pub name: String,
    /// The declaration with the name and without a semicolon: `struct node *p`, `int (*cmp)(int, int)`. Parameters
    /// have the type that C adjusts them to: `int *a`, not `int a[]`.
    pub decl: String,
    /// In bytes.
    pub size: u64,
    /// For globals: the file that defines it. `None`: the entry's file.
    #[serde(default)]
    pub file: Option<usize>,
    /// For globals.
    #[serde(default)]
    pub linkage: Linkage,
    /// A struct, a union or an array.
    #[serde(default)]
    pub aggregate: bool,
    /// What kind of number it is, if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<Number>,
}

/// Kinds of numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Number {
    /// An integer with a sign.
    Signed,
    /// An integer without one.
    Unsigned,
    /// A floating-point number.
    Float,
}

/// Who can name something.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Linkage {
    /// All files.
    #[default]
    External,
    /// Static at file scope.
    Internal,
    /// Static inside a function: no other code can name it.
    Local,
    /// One for each thread.
    Thread,
}

/// A name at file scope that others have, too.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SharedName {
    /// As the source has it.
    pub name: String,
    /// Only the entry's file can name it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub file_only: bool,
}

/// A function that a pointer may point to.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct NamedFunction {
    /// As the source has it.
    pub name: String,
    /// `None`: the entry's file.
    pub file: Option<usize>,
    /// Who can name it.
    pub linkage: Linkage,
}

/// A function that is called and not defined.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Stub {
    /// As the source has it.
    pub name: String,
    /// The prototype, with or without names of parameters: `int read_sensor(int)`.
    pub decl: String,
    /// 0: void.
    pub returns_size: u64,
    /// It returns a struct or a union.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub in_parts: bool,
    /// What a call of it does.
    pub kind: StubKind,
    /// Natively the C library has a function of this name, which others use too: the subject's calls go to another name.
    #[serde(default)]
    pub library: bool,
    /// A file whose declarations make `decl` valid. `None`: the entry's file.
    #[serde(default)]
    pub file: Option<usize>,
    /// It is declared not to return.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub never_returns: bool,
}

/// What a call of an undefined function does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Display, EnumString, Serialize, Deserialize)]
#[strum(serialize_all = "kebab-case")]
#[serde(rename_all = "kebab-case")]
pub enum StubKind {
    /// Returns a value that is an input, writes nothing.
    #[default]
    Any,
    /// Ends the run.
    None,
    /// As `any`, and the same for the same arguments.
    Pure,
    /// Returns a value that is an input, and writes through the pointers that it is given.
    Writes,
    /// The same, and it writes the variables that code in another file can name.
    Globals,
}

impl StubKind {
    /// Whether it returns.
    pub fn returns(self) -> bool {
        self != StubKind::None
    }

    /// In words that follow the function's name.
    pub fn does(self) -> &'static str {
        match self {
            StubKind::None => "ends the run",
            StubKind::Any => "returns any value and writes nothing",
            StubKind::Pure => "returns any value, the same for the same arguments, and writes nothing",
            StubKind::Writes => "returns any value and writes what it likes through the pointers that it is given",
            StubKind::Globals => {
                "returns any value and writes what it likes to variables that are not static, and through the pointers that it is given"
            }
        }
    }
}

/// What addresses look like.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AddressSpace {
    /// In bytes.
    pub pointer_size: u32,
}

impl Default for AddressSpace {
    fn default() -> AddressSpace {
        AddressSpace { pointer_size: 8 }
    }
}

/// A path from the root, if it is below; the root itself is `.`.
pub(crate) fn below(path: &Path, root: &Path) -> PathBuf {
    match path.strip_prefix(root) {
        Ok(rest) if rest.as_os_str().is_empty() => PathBuf::from("."),
        Ok(rest) => rest.to_path_buf(),
        Err(_) => path.to_path_buf(),
    }
}

/// The digest of some bytes, as text.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

impl SubjectFile {
    /// The file's absolute path. A path is relative to the compiler's directory, as in `compile_commands.json`.
    pub fn absolute(&self) -> PathBuf {
        let joined = self.directory.join(&self.path);
        let path = if joined.exists() { joined } else { self.path.clone() };
        path.canonicalize().or_else(|_| std::path::absolute(&path)).unwrap_or(path)
    }

    /// The compiler's directory, absolute.
    pub fn absolute_directory(&self) -> PathBuf {
        let directory = if self.directory.as_os_str().is_empty() { Path::new(".") } else { &self.directory };
        directory.canonicalize().or_else(|_| std::path::absolute(directory)).unwrap_or_else(|_| directory.to_path_buf())
    }
}

/// The function that the code under test calls in place of one of the C library. A symbol of its own, because whoever runs
/// the tests needs the C library's.
pub(crate) fn own_name(function: &str) -> String {
    format!("covenant_own_{function}")
}

/// Functions of the C library that the suite has its own of.
pub(crate) fn replaced(subject: &SubjectInfo) -> impl Iterator<Item = &str> {
    let stubs = subject.stubs.iter().filter(|stub| stub.library).map(|stub| stub.name.as_str());
    stubs.chain(subject.fixed.iter().map(String::as_str))
}

/// Functions of the C library that have another name where the suite is compiled.
pub(crate) fn renamed(subject: &SubjectInfo) -> impl Iterator<Item = &str> {
    let failing = subject.failing.iter().map(String::as_str);
    let heap = subject.heap.iter().filter(|name| !subject.failing.contains(name)).map(String::as_str);
    replaced(subject).chain(failing.chain(heap).filter(|name| !replaced(subject).any(|other| other == *name)))
}

impl SubjectInfo {
    /// Whether tests say what somebody else does to device registers or other volatile objects.
    pub fn has_devices(&self) -> bool {
        !self.devices.is_empty() || self.volatile
    }

    /// The file that defines the function under test.
    pub fn entry(&self) -> Result<&SubjectFile, crate::Error> {
        self.files.get(self.entry_file).ok_or(crate::Error::NoEntryFile(self.entry_file))
    }

    /// Whether the code looks at `errno`, or calls what prints it: then what earlier tests left there matters.
    pub(crate) fn names_errno(&self) -> bool {
        const WORDS: [&str; 5] = ["errno", "perror", "warn", "err(", "%m"];
        let mut texts = self.files.iter().filter_map(|file| std::fs::read(file.absolute()).ok());
        texts.any(|text| WORDS.iter().any(|word| String::from_utf8_lossy(&text).contains(word)))
    }

    /// How results name a file: from the project's root, if it is below.
    pub fn name(&self, path: &Path) -> String {
        below(path, &self.root).display().to_string()
    }

    /// The same for what clang calls a file, which is relative to where it ran.
    pub fn name_of(&self, file: &str) -> String {
        if self.root.as_os_str().is_empty() {
            return file.to_owned();
        }
        let joined = self.files.iter().map(|f| f.absolute_directory().join(file)).find(|path| path.is_file());
        let found = joined.map(|path| path.canonicalize().unwrap_or(path)).or_else(|| self.place(file));
        found.map_or_else(|| file.to_owned(), |path| self.name(&path))
    }

    /// Where a file is that results call so.
    pub fn place(&self, file: &str) -> Option<PathBuf> {
        let own = self.files.iter().find(|f| f.path == Path::new(file)).map(SubjectFile::absolute);
        let rooted = (!self.root.as_os_str().is_empty()).then(|| self.root.join(file));
        let joined = self.files.iter().map(|f| f.absolute_directory().join(file));
        let found = own.into_iter().chain(rooted).chain(joined).find(|path| path.is_file());
        found.map(|path| path.canonicalize().unwrap_or(path))
    }

    /// Lets the files that a suite does not include call the suite's own functions. In the file that it does include, the
    /// suite itself sees to that.
    pub fn rename_replaced(&mut self) {
        let flags: Vec<String> = renamed(self).map(|name| format!("-D{name}={}", own_name(name))).collect();
        for (_, file) in self.files.iter_mut().enumerate().filter(|(index, _)| *index != self.entry_file) {
            file.flags.extend(flags.iter().cloned());
        }
    }

    /// The same code as it is built on this machine, where it is for another one: with the same data model.
    pub fn on_this_machine(&self) -> Option<SubjectInfo> {
        let mut here = self.clone();
        let mut differs = false;
        for file in &mut here.files {
            if let Some(flags) = covenant_program::clang::on_this_machine(&file.flags) {
                file.flags = flags;
                differs = true;
            }
        }
        here.foreign = differs;
        differs.then_some(here)
    }

    /// The same code as it is built to be played here by an emulator, where it is for another machine, all of it for the same.
    pub fn on_its_machine(&self) -> Option<SubjectInfo> {
        let mut there = self.clone();
        for file in &mut there.files {
            let (flags, emulated) = covenant_program::clang::emulated(&file.flags)?;
            if there.emulated.get_or_insert(emulated) != &emulated {
                return None;
            }
            file.flags = flags;
        }
        there.emulated.is_some().then_some(there)
    }

    /// The flags that say for which machine the code is: all that is linked with it needs them too.
    pub fn machine(&self) -> Vec<String> {
        self.files.get(self.entry_file).map(|file| covenant_program::clang::machine(&file.flags)).unwrap_or_default()
    }

    /// The user's flags of all files, without those of [`SubjectInfo::rename_replaced`].
    pub fn user_flags(&self) -> Vec<String> {
        self.recorded().into_iter().flat_map(|file| file.flags).collect()
    }

    /// How each file is compiled, without what [`SubjectInfo::rename_replaced`] adds.
    pub fn recorded(&self) -> Vec<Recorded> {
        let ours = |flag: &&String| {
            WITHOUT_SPACES.contains(&flag.as_str())
                || renamed(self).any(|name| **flag == format!("-D{name}={}", own_name(name)))
        };
        let one = |file: &SubjectFile| Recorded {
            file: file.absolute(),
            directory: file.directory.clone(),
            flags: file.flags.iter().filter(|flag| !ours(flag)).cloned().collect(),
        };
        self.files.iter().map(one).collect()
    }

    /// C code behind the file that a suite includes: an entry function that is not in it.
    pub(crate) fn entry_text(&self) -> String {
        let text = self.through.as_ref().map(|through| through.text.as_str()).unwrap_or_default();
        let tested = self.through.as_ref().map(|through| through.function.as_str()).unwrap_or_default();
        match text {
            "" => String::new(),
            _ => format!("\n/* Calls one of the functions that lead to {tested}. */\n{text}"),
        }
    }

    /// The function that objectives are about.
    pub fn tested(&self) -> &str {
        self.through.as_ref().map_or(&self.function, |through| &through.function)
    }

    /// Whether tests can name a variable.
    pub fn can_name(&self, global: &Declared) -> bool {
        self.in_entry_file(global.file) && matches!(global.linkage, Linkage::External | Linkage::Internal)
    }

    /// Variables that tests can neither set nor reset: those of functions and of other files.
    pub fn hidden(&self) -> impl Iterator<Item = &Declared> {
        self.globals.iter().chain(&self.state).filter(|global| !self.can_name(global))
    }

    /// Whether something defined in `file` stands in the file that a suite includes.
    pub fn in_entry_file(&self, file: Option<usize>) -> bool {
        file.is_none_or(|file| file == self.entry_file)
    }
}
