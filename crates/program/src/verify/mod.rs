//! The invariants of the IR, and a check of each.
//!
//! What reads a program (execution, provers, criteria) relies on them and does not check again. Whoever builds or
//! changes a program runs [`verify`] afterwards, at least in its tests.
//!
//! Of the program:
//! * [`Rule::Ids`]: every id names something: files in locations, globals and functions in constants, relocations, calls,
//!   constructors and destructors, labels, and inside a body its blocks, instructions, values and variables. A body
//!   that breaks this is not checked further.
//! * [`Rule::Global`]: the initial bytes are not longer than the global; its alignment is a power of two.
//! * [`Rule::Reloc`]: only a defined global has relocations. They hold 1, 2, 4 or 8 bytes, lie inside the global, and
//!   stand in the order of their offsets without overlap.
//!
//! Of a function with a body:
//! * [`Rule::Entry`]: there is an entry block, its parameters have the types of the function's, no edge leads to it.
//! * [`Rule::Layout`]: every instruction stands in exactly one block, once.
//! * [`Rule::Def`]: every parameter, result and constant is defined where its [`Def`] says, and nowhere else.
//! * [`Rule::Type`]: integers have 1 to 128 bits; operands and results have the types that the operation wants (a table
//!   of them is in `types.rs`).
//! * [`Rule::Const`]: the bits of a constant fit its type; only pointers are addresses of globals, functions and labels.
//! * [`Rule::Call`]: a direct call of a function with a body passes what the callee takes and expects what it returns.
//!   C can say otherwise, through a declaration without a prototype or a wrong one. The first is a call marked
//!   `variadic`, of which nothing is checked here; the lowering makes the second a call through the function's address
//!   ([`Callee::Indirect`] of a [`Const::Func`](crate::ir::Const::Func)), and execution decides what happens. A variadic callee
//!   is only called by a call marked `variadic`. Arguments passed by value are pointers to structs of their own.
//! * [`Rule::Align`]: the alignment of a stack object is a power of two.
//! * [`Rule::Edge`]: an edge has one argument for each parameter of its target, of the parameter's type.
//! * [`Rule::Switch`]: the cases of a switch are distinct and fit the width of its value.
//! * [`Rule::Return`]: a return gives what the function says.
//! * [`Rule::Dominance`]: a use is dominated by the definition. Blocks that cannot be reached are exempt.

mod body;
mod dominance;
#[cfg(test)]
mod tests;
mod types;

use std::fmt;

use strum::{Display, EnumIter};

use crate::ir::{Block, Callee, Def, FuncId, Global, GlobalId, Inst, Loc, Program, Reloc, Symbol, Type};

/// Which invariant; the module's head says what each means.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Display, EnumIter)]
#[strum(serialize_all = "lowercase")]
#[expect(missing_docs, reason = "the module's head says what each means")]
pub enum Rule {
    Ids,
    Global,
    Reloc,
    Entry,
    Layout,
    Def,
    Type,
    Const,
    Call,
    Align,
    Edge,
    Switch,
    Return,
    Dominance,
}

/// Where an invariant is broken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// In what belongs to no function and no global.
    Program,
    /// In a global.
    Global(GlobalId),
    /// In a function as a whole, or in its declaration.
    Function(FuncId),
    /// In the parameters or the terminator of a block.
    Block(FuncId, Block),
    /// In an instruction.
    Inst(FuncId, Block, Inst),
}

/// An invariant that a program breaks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// Which.
    pub rule: Rule,
    /// Where.
    pub place: Place,
    /// What is wrong, with the names of what is involved.
    pub message: String,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Program => f.write_str("program"),
            Place::Global(id) => write!(f, "{id}"),
            Place::Function(id) => write!(f, "{id}"),
            Place::Block(id, block) => write!(f, "{id} {block}"),
            Place::Inst(id, block, inst) => write!(f, "{id} {block} {inst}"),
        }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} ({})", self.place, self.message, self.rule)
    }
}

/// Checks every invariant and says which are broken, in the order of the program.
pub fn verify(program: &Program) -> Result<(), Vec<Violation>> {
    let mut checker = Checker { program, violations: Vec::new() };
    checker.lists();
    for (id, global) in &program.globals {
        checker.global(id, global);
    }
    for (id, function) in &program.functions {
        checker.loc(Place::Function(id), function.loc);
        for ty in function.params.iter().chain(&function.returns) {
            checker.ty(Place::Function(id), *ty);
        }
        if let Some(body) = &function.body {
            body::check(&mut checker, id, function, body);
        }
    }
    if checker.violations.is_empty() { Ok(()) } else { Err(checker.violations) }
}

struct Checker<'a> {
    program: &'a Program,
    violations: Vec<Violation>,
}

impl Checker<'_> {
    fn report(&mut self, rule: Rule, place: Place, message: impl Into<String>) {
        self.violations.push(Violation { rule, place, message: message.into() });
    }

    /// Reports unless `holds`.
    fn check(&mut self, holds: bool, rule: Rule, place: Place, message: impl FnOnce() -> String) {
        if !holds {
            self.report(rule, place, message());
        }
    }

    fn ty(&mut self, place: Place, ty: Type) {
        let fits = !matches!(ty, Type::Int(width) if !(1..=128).contains(&width));
        self.check(fits, Rule::Type, place, || format!("there is no type {ty}"));
    }

    fn loc(&mut self, place: Place, loc: Loc) {
        if let Some(file) = loc.file() {
            self.check(self.program.files.is_valid(file), Rule::Ids, place, || format!("there is no {file}"));
        }
    }

    fn symbol(&mut self, place: Place, symbol: Symbol) {
        let known = match symbol {
            Symbol::Global(id) => self.program.globals.is_valid(id),
            Symbol::Func(id) => self.program.functions.is_valid(id),
            Symbol::Label(id, block) => {
                let body = self.program.functions.get(id).and_then(|f| f.body.as_ref());
                body.is_some_and(|b| b.blocks.is_valid(block))
            }
        };
        self.check(known, Rule::Ids, place, || format!("there is no {symbol}"));
    }

    fn lists(&mut self) {
        let program = self.program;
        for id in program.constructors.iter().chain(&program.destructors) {
            self.symbol(Place::Program, Symbol::Func(*id));
        }
    }

    fn global(&mut self, id: GlobalId, global: &Global) {
        let place = Place::Global(id);
        let bytes = global.init.as_ref().map_or(0, Vec::len) as u64;
        self.check(bytes <= global.size, Rule::Global, place, || {
            format!("{bytes} initial bytes do not fit a global of {}", global.size)
        });
        self.check(global.align.is_power_of_two(), Rule::Global, place, || {
            format!("the alignment {} is not a power of two", global.align)
        });
        if !global.relocs.is_empty() && global.init.is_none() {
            self.report(Rule::Reloc, place, "a global that is only declared has relocations");
        }
        let mut end = 0;
        for reloc in &global.relocs {
            end = self.reloc(place, reloc, end, global.size);
        }
    }

    /// Checks a relocation that must not start before `start`, and returns where it ends.
    fn reloc(&mut self, place: Place, reloc: &Reloc, start: u64, size: u64) -> u64 {
        let end = reloc.offset.saturating_add(u64::from(reloc.size));
        let at = reloc.offset;
        self.check(end <= size, Rule::Reloc, place, || format!("the relocation at {at} ends after the global"));
        self.check(at >= start, Rule::Reloc, place, || {
            format!("the relocation at {at} starts before the last one ends")
        });
        self.check(matches!(reloc.size, 1 | 2 | 4 | 8), Rule::Reloc, place, || {
            format!("the relocation at {at} has {} bytes", reloc.size)
        });
        for symbol in [Some(reloc.symbol), reloc.minus].into_iter().flatten() {
            self.symbol(place, symbol);
        }
        end
    }
}
