//! Functions and their bodies.

use cranelift_entity::PrimaryMap;
use cranelift_entity::packed_option::PackedOption;
use smallvec::SmallVec;

use crate::types::TypeId;

use super::{Block, Const, Inst, Loc, Op, Type, Value, VarId};

/// Where a definition comes from; only [`Origin::Subject`] is code under test.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Origin {
    Subject,
    /// The C library that ships with Covenant.
    Library,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    /// The symbol after linking; statics of several files may carry a suffix.
    pub name: String,
    pub origin: Origin,
    pub params: Vec<Type>,
    pub returns: Vec<Type>,
    pub variadic: bool,
    /// Where the function is defined, or [`Loc::NONE`].
    pub loc: Loc,
    /// `None`: only declared.
    pub body: Option<Body>,
    pub source: FunctionSource,
}

/// What the source says of a function beyond what its execution needs. No part of the text form.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FunctionSource {
    /// The name in the source, where debug information has it.
    pub name: Option<String>,
    /// `static`: other files cannot name it.
    pub internal: bool,
    /// A function type, where the lowering was asked for types.
    pub ty: Option<TypeId>,
    /// One for each parameter of `ty`, empty where it has no name.
    pub param_names: Vec<String>,
}

impl Function {
    /// The name in the source, or the symbol where it is not known.
    pub fn source_name(&self) -> &str {
        self.source.name.as_deref().unwrap_or(&self.name)
    }
}

/// Blocks in layout order; the first is the entry and its parameters are the function's.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Body {
    pub blocks: PrimaryMap<Block, BlockData>,
    pub insts: PrimaryMap<Inst, InstData>,
    pub values: PrimaryMap<Value, ValueData>,
    pub variables: PrimaryMap<VarId, Variable>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BlockData {
    pub params: Vec<Value>,
    pub insts: Vec<Inst>,
    pub term: Terminator,
    pub term_loc: Loc,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InstData {
    pub op: Op,
    pub results: SmallVec<[Value; 2]>,
    pub loc: Loc,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ValueData {
    pub ty: Type,
    pub def: Def,
    /// The source variable whose value this is, if debug information says so.
    pub var: PackedOption<VarId>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Def {
    Param { block: Block, index: u32 },
    Result { inst: Inst, index: u32 },
    Const(Const),
}

/// A local variable or parameter of the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    pub name: String,
    pub line: u32,
    pub ty: Option<TypeId>,
}

/// A jump target and the arguments for its parameters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    pub block: Block,
    pub args: Vec<Value>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Terminator {
    Jump(Edge),
    Branch {
        cond: Value,
        then: Edge,
        other: Edge,
    },
    /// `cases` have distinct values, zero-extended.
    Switch {
        value: Value,
        cases: Vec<(u128, Edge)>,
        default: Edge,
    },
    /// A computed goto. The address is a [`Const::Label`] of one of the targets.
    Indirect {
        address: Value,
        targets: Vec<Edge>,
    },
    Return(Vec<Value>),
    /// Control cannot come here without undefined behaviour.
    Unreachable,
}

impl Body {
    pub fn new() -> Body {
        Body::default()
    }

    pub fn params(&self) -> &[Value] {
        self.blocks.get(Block::ENTRY).map_or(&[], |b| &b.params)
    }

    pub fn ty(&self, v: Value) -> Type {
        self.values[v].ty
    }

    /// The constant that `v` is, if it is one.
    pub fn constant(&self, v: Value) -> Option<Const> {
        match self.values[v].def {
            Def::Const(c) => Some(c),
            _ => None,
        }
    }

    /// The name of the source variable whose value `v` is.
    pub fn name(&self, v: Value) -> Option<&str> {
        let var = self.values[v].var.expand()?;
        Some(&self.variables[var].name)
    }
}

impl Terminator {
    pub fn edges(&self) -> Vec<&Edge> {
        match self {
            Terminator::Jump(e) => vec![e],
            Terminator::Branch { then, other, .. } => vec![then, other],
            Terminator::Switch { cases, default, .. } => {
                cases.iter().map(|(_, e)| e).chain(std::iter::once(default)).collect()
            }
            Terminator::Indirect { targets, .. } => targets.iter().collect(),
            Terminator::Return(_) | Terminator::Unreachable => Vec::new(),
        }
    }
}
