//! The whole program: functions, globals, files.

use cranelift_entity::PrimaryMap;

use crate::types::{TypeId, Types};

use super::{Block, FileId, FuncId, Function, GlobalId, Origin};

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Program {
    pub files: PrimaryMap<FileId, SourceFile>,
    pub globals: PrimaryMap<GlobalId, Global>,
    pub functions: PrimaryMap<FuncId, Function>,
    /// Functions marked `__attribute__((constructor))`, in the order they run, and the destructors.
    pub constructors: Vec<FuncId>,
    pub destructors: Vec<FuncId>,
    /// Empty unless the lowering was asked for them. Types are no part of the text form.
    pub types: Types,
}

/// A file as clang was given it or found it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct SourceFile {
    pub directory: String,
    pub name: String,
}

/// A place in the source. Lines and columns count from 1; 0 means not known.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Loc {
    /// [`Loc::NO_FILE`] where there is none.
    file: u32,
    pub line: u32,
    pub column: u32,
}

impl Loc {
    const NO_FILE: u32 = u32::MAX;
    pub const NONE: Loc = Loc { file: Loc::NO_FILE, line: 0, column: 0 };

    pub fn new(file: FileId, line: u32, column: u32) -> Loc {
        Loc { file: file.as_u32(), line, column }
    }

    /// The same line, another column.
    pub fn new_column(loc: Loc, column: u32) -> Loc {
        Loc { column, ..loc }
    }

    pub fn file(self) -> Option<FileId> {
        (self.file != Loc::NO_FILE).then(|| FileId::from_u32(self.file))
    }
}

/// A variable with static storage, or a string literal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Global {
    pub name: String,
    pub origin: Origin,
    pub size: u64,
    pub align: u32,
    /// Writing to it is a trap.
    pub constant: bool,
    /// Code outside of its file cannot name it.
    pub internal: bool,
    /// `None`: declared, but nothing in the program defines it.
    pub init: Option<Vec<u8>>,
    /// Addresses inside the initial bytes, in the order of their offsets. Bytes past the end of `init` are zero.
    pub relocs: Vec<Reloc>,
    /// The name in the source, if it has one (a string literal has none).
    pub source_name: Option<String>,
    pub ty: Option<TypeId>,
}

/// At `offset`, `size` bytes hold `symbol + addend`, or `symbol - minus + addend`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reloc {
    pub offset: u64,
    pub size: u32,
    pub symbol: Symbol,
    pub minus: Option<Symbol>,
    pub addend: i64,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Symbol {
    Global(GlobalId),
    Func(FuncId),
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
