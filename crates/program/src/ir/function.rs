//! Functions and their bodies.

use cranelift_entity::PrimaryMap;
use cranelift_entity::packed_option::PackedOption;
use smallvec::SmallVec;

use crate::types::TypeId;

use super::{Block, Const, Inst, Loc, Op, Type, Value, VarId};

/// Where a definition comes from; only [`Origin::Subject`] is code under test.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Origin {
    /// The user's code.
    Subject,
    /// The C library that ships with Covenant.
    Library,
}

/// A function, defined or only declared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    /// The symbol after linking; statics of several files may carry a suffix.
    pub name: String,
    /// Whose code it is.
    pub origin: Origin,
    /// What it takes, one entry for each scalar: the lowering takes structs apart. Without the variable arguments.
    pub params: Vec<Type>,
    /// What it returns; several scalars where the ABI returns a small struct in registers, none for `void`.
    pub returns: Vec<Type>,
    /// Whether more arguments than `params` may follow.
    pub variadic: bool,
    /// Where the function is defined, or [`Loc::NONE`].
    pub loc: Loc,
    /// `None`: only declared.
    pub body: Option<Body>,
    /// Names and types for people and for suites.
    pub source: FunctionSource,
}

/// What the source says of a function beyond what its execution needs. No part of the text form.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FunctionSource {
    /// The name in the source, where debug information has it.
    pub name: Option<String>,
    /// `static`: other files cannot name it.
    pub internal: bool,
    /// Code or data does something else with it than to call it by name: it has its address or an alias, or is marked as used.
    pub used_otherwise: bool,
    /// A function type, where the lowering was asked for types.
    pub ty: Option<TypeId>,
    /// The type that the source declares a function with which nothing defines, where somebody looked for it.
    pub declared: Option<TypeId>,
    /// One that nothing defines is declared not to return.
    pub never_returns: bool,
    /// Of one that nothing defines the first parameter is where its result goes, of so many bytes.
    pub returned_in_memory: Option<u64>,
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
    /// In layout order.
    pub blocks: PrimaryMap<Block, BlockData>,
    /// All instructions, in no order: [`BlockData::insts`] says where each stands.
    pub insts: PrimaryMap<Inst, InstData>,
    /// All SSA values, constants included.
    pub values: PrimaryMap<Value, ValueData>,
    /// The source variables that values are named after.
    pub variables: PrimaryMap<VarId, Variable>,
}

/// Straight-line code with one terminator.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BlockData {
    /// What the edges that lead here hand over.
    pub params: Vec<Value>,
    /// In the order of execution.
    pub insts: Vec<Inst>,
    /// How control leaves the block.
    pub term: Terminator,
    /// Where the source has what the terminator is for: the condition of a branch, a `return`.
    pub term_loc: Loc,
}

/// An instruction where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InstData {
    /// What it does, and with which operands.
    pub op: Op,
    /// The values that it defines; two only for arithmetic that also says whether it overflowed, and more for calls.
    pub results: SmallVec<[Value; 2]>,
    /// The place of the source that it was made for.
    pub loc: Loc,
}

/// An SSA value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ValueData {
    /// Its type, which never changes.
    pub ty: Type,
    /// Where it comes from.
    pub def: Def,
    /// The source variable whose value this is, if debug information says so.
    pub var: PackedOption<VarId>,
}

/// What defines a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Def {
    /// A parameter of a block, which edges hand over.
    Param {
        /// For the entry, a parameter of the function.
        block: Block,
        /// Its place among the parameters.
        index: u32,
    },
    /// A result of an instruction.
    Result {
        /// The instruction.
        inst: Inst,
        /// Its place among the results.
        index: u32,
    },
    /// A constant, which is there in all blocks.
    Const(Const),
}

/// A local variable or parameter of the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// As the source spells it.
    pub name: String,
    /// The line of its declaration.
    pub line: u32,
    /// Its C type, where the lowering was asked for types.
    pub ty: Option<TypeId>,
    /// Blocks in which it gets a value that is named after another variable, or that is a constant. Texts do not have them.
    pub elsewhere: Vec<Block>,
}

/// A jump target and the arguments for its parameters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    /// Where it leads.
    pub block: Block,
    /// One for each parameter of `block`.
    pub args: Vec<Value>,
}

/// How control leaves a block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Terminator {
    /// Control always goes on there.
    Jump(Edge),
    /// A branch on an `i1`.
    Branch {
        /// The `i1`.
        cond: Value,
        /// Where control goes when `cond` is true.
        then: Edge,
        /// Where control goes when `cond` is false.
        other: Edge,
    },
    /// `cases` have distinct values, zero-extended.
    Switch {
        /// The integer that is compared with the cases.
        value: Value,
        /// The values and where each leads.
        cases: Vec<(u128, Edge)>,
        /// Where control goes when no case fits.
        default: Edge,
    },
    /// A computed goto. The address is a [`Const::Label`] of one of the targets.
    Indirect {
        /// Where the program wants to go on.
        address: Value,
        /// All labels of the function whose address is taken.
        targets: Vec<Edge>,
    },
    /// The values are those of [`Function::returns`].
    Return(Vec<Value>),
    /// Control cannot come here without undefined behaviour.
    Unreachable,
}

impl Body {
    /// A body without blocks, which is not valid yet.
    pub fn new() -> Body {
        Body::default()
    }

    /// The parameters of the function: those of its entry block.
    pub fn params(&self) -> &[Value] {
        self.blocks.get(Block::ENTRY).map_or(&[], |b| &b.params)
    }

    /// The type of a value of this body.
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
    /// All ways out, in an order that numbers them: `then` before `other`, cases before the default.
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
