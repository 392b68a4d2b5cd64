//! The whole program: functions, globals, files.

use std::collections::BTreeSet;

use cranelift_entity::PrimaryMap;

use crate::types::{TypeId, Types};

use super::{Block, FileId, FuncId, Function, GlobalId, Origin, Target};

/// A linked program: the subject, and what it needs of the C library.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Program {
    /// All files that locations name.
    pub files: PrimaryMap<FileId, SourceFile>,
    /// Variables and literals, also those that are only declared.
    pub globals: PrimaryMap<GlobalId, Global>,
    /// Functions, also those that are only declared.
    pub functions: PrimaryMap<FuncId, Function>,
    /// Functions marked `__attribute__((constructor))`, in the order they run.
    pub constructors: Vec<FuncId>,
    /// Functions marked `__attribute__((destructor))`, in the order they run.
    pub destructors: Vec<FuncId>,
    /// For which machine it was compiled.
    pub target: Target,
    /// Other address spaces than the ordinary one that its code names. They are no part of the text form.
    pub address_spaces: BTreeSet<u32>,
    /// Empty unless the lowering was asked for them. Types are no part of the text form.
    pub types: Types,
}

/// Whether memory in this address space is taken for ordinary memory. Compilers leave small numbers to headers, which name with them
/// what boards have (`__flash`, `__xdata`); the others have a meaning of clang's own, as 256 and 257 of x86, which are relative to a
/// register.
pub fn is_ordinary_space(space: u32) -> bool {
    space < FIRST_OF_CLANG
}

const FIRST_OF_CLANG: u32 = 256; // not tuning: a format

/// A file as clang was given it or found it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct SourceFile {
    /// Where clang ran, which `name` may be relative to.
    pub directory: String,
    /// As clang was given it, or as an `#include` found it.
    pub name: String,
}

/// A place in the source. Lines and columns count from 1; 0 means not known.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Loc {
    /// [`Loc::NO_FILE`] where there is none.
    file: u32,
    /// From 1; 0 where it is not known.
    pub line: u32,
    /// From 1; 0 where it is not known.
    pub column: u32,
}

impl Loc {
    const NO_FILE: u32 = u32::MAX;
    /// No place: what the compiler made up.
    pub const NONE: Loc = Loc { file: Loc::NO_FILE, line: 0, column: 0 };

    /// A place of a file.
    pub fn new(file: FileId, line: u32, column: u32) -> Loc {
        Loc { file: file.as_u32(), line, column }
    }

    /// The same line, another column.
    pub fn new_column(loc: Loc, column: u32) -> Loc {
        Loc { column, ..loc }
    }

    /// The file, where there is one.
    pub fn file(self) -> Option<FileId> {
        (self.file != Loc::NO_FILE).then(|| FileId::from_u32(self.file))
    }
}

/// A variable with static storage, or a string literal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Global {
    /// The symbol after linking; literals have one that clang made up.
    pub name: String,
    /// Whose it is.
    pub origin: Origin,
    /// In bytes.
    pub size: u64,
    /// A power of two.
    pub align: u32,
    /// Writing to it is a trap.
    pub constant: bool,
    /// Each thread has its own.
    pub thread_local: bool,
    /// Code outside of its file cannot name it.
    pub internal: bool,
    /// `None`: declared, but nothing in the program defines it.
    pub init: Option<Vec<u8>>,
    /// Addresses inside the initial bytes, in the order of their offsets. Bytes past the end of `init` are zero.
    pub relocs: Vec<Reloc>,
    /// The name in the source, if it has one (a string literal has none).
    pub source_name: Option<String>,
    /// Its C type, where the lowering was asked for types.
    pub ty: Option<TypeId>,
}

impl Global {
    /// Whether nobody here knows how many bytes it has: `extern char end[];`.
    pub fn is_unsized(&self) -> bool {
        self.init.is_none() && self.size == 0
    }
}

/// At `offset`, `size` bytes hold `symbol + addend`, or `symbol - minus + addend`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reloc {
    /// In bytes from the start of the global.
    pub offset: u64,
    /// How many bytes: 1, 2, 4 or 8.
    pub size: u32,
    /// Whose address it is.
    pub symbol: Symbol,
    /// For the difference of two addresses, what is subtracted.
    pub minus: Option<Symbol>,
    /// Constant bytes on top.
    pub addend: i64,
}

/// What has an address in a program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Symbol {
    /// A variable or a literal.
    Global(GlobalId),
    /// A function.
    Func(FuncId),
    /// A label whose address is taken (`&&label`).
    Label(FuncId, Block),
}

impl Program {
    /// The function with that symbol name, a definition before a declaration.
    pub fn function(&self, name: &str) -> Option<FuncId> {
        let named = || self.functions.iter().filter(|(_, f)| f.name == name);
        let subject = named().find(|(_, f)| f.origin == Origin::Subject && f.body.is_some());
        subject.or_else(|| named().find(|(_, f)| f.body.is_some())).or_else(|| named().next()).map(|(id, _)| id)
    }

    /// The functions of the subject with a body that the source calls `name`: several where statics of several files
    /// share it.
    pub fn definitions<'p>(&'p self, name: &'p str) -> impl Iterator<Item = FuncId> + 'p {
        let of_subject = self.functions.iter().filter(|(_, f)| f.origin == Origin::Subject && f.body.is_some());
        of_subject.filter(move |(_, f)| f.source_name() == name).map(|(id, _)| id)
    }
}
