//! What guards know of memory: the value that was last read or written at an address, as long as nothing can have been written
//! over it since.
//!
//! An address is a term, which is taken apart into a base and a constant offset. Two accesses with the same base are told
//! apart by their offsets; those with different bases may be the same place.

use std::rc::Rc;

use covenant_constraints::{Op as TermOp, TermId, Terms};
use covenant_program::analysis::CallGraph;
use covenant_program::ir::{Callee, FuncId, Intrinsic, Op, Program, Type};

#[derive(Clone, Copy, Debug)]
struct Cell {
    base: TermId,
    offset: i64,
    ty: Type,
    value: TermId,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    cells: Rc<Vec<Cell>>,
}

impl Memory {
    pub(super) fn read(&self, terms: &Terms, at: TermId, ty: Type) -> Option<TermId> {
        let (base, offset) = split(terms, at);
        let cell = self.cells.iter().find(|cell| (cell.base, cell.offset, cell.ty) == (base, offset, ty))?;
        Some(cell.value)
    }

    /// A value was seen at an address where none was known.
    pub(super) fn learn(&mut self, terms: &Terms, at: TermId, ty: Type, value: TermId) {
        let (base, offset) = split(terms, at);
        Rc::make_mut(&mut self.cells).push(Cell { base, offset, ty, value });
    }

    /// A value, or one that is not known, was written at an address, or somewhere.
    pub(super) fn write(&mut self, terms: &Terms, at: Option<TermId>, ty: Type, value: Option<TermId>) {
        let Some(at) = at else {
            self.forget();
            return;
        };
        let (base, offset) = split(terms, at);
        let apart = |cell: &Cell| cell.base == base && are_apart((cell.offset, cell.ty), (offset, ty));
        Rc::make_mut(&mut self.cells).retain(apart);
        if let Some(value) = value {
            self.learn(terms, at, ty, value);
        }
    }

    pub(super) fn forget(&mut self) {
        self.cells = Rc::default();
    }
}

fn are_apart((a, of_a): (i64, Type), (b, of_b): (i64, Type)) -> bool {
    let ((low, size), high) = if a <= b { ((a, of_a.store_size()), b) } else { ((b, of_b.store_size()), a) };
    let distance = i128::from(high) - i128::from(low);
    // Offsets that are too far apart may meet on the other side of the address space.
    i128::from(size) <= distance && distance < 1 << 62
}

fn split(terms: &Terms, at: TermId) -> (TermId, i64) {
    if terms.op(at) == TermOp::Add {
        for (constant, base) in [(0, 1), (1, 0)] {
            if let Some(offset) = terms.as_bv(terms.arg(at, constant)) {
                return (terms.arg(at, base), offset as u64 as i64);
            }
        }
    }
    (at, 0)
}

/// Whether an instruction other than a store or a call may change memory.
pub(super) fn may_write(op: &Op) -> bool {
    match op {
        Op::Intrinsic { op, .. } => !matches!(
            op,
            Intrinsic::SAddOverflow
                | Intrinsic::UAddOverflow
                | Intrinsic::SSubOverflow
                | Intrinsic::USubOverflow
                | Intrinsic::SMulOverflow
                | Intrinsic::UMulOverflow
                | Intrinsic::Abs
                | Intrinsic::SMin
                | Intrinsic::SMax
                | Intrinsic::UMin
                | Intrinsic::UMax
        ),
        Op::Unsupported { .. } => true,
        _ => false,
    }
}

/// Functions after whose calls memory is what it was: they and all that they call write nothing.
pub(super) fn only_reads(program: &Program, graph: &CallGraph, callee: Callee) -> bool {
    let Callee::Direct(first) = callee else { return false };
    graph.direct_reach(first).into_iter().all(|id| is_harmless(program, graph, id))
}

/// Whether the code of a function is known, changes no memory itself, and calls by name alone: behind a pointer there may be
/// code that is no part of the program.
fn is_harmless(program: &Program, graph: &CallGraph, id: FuncId) -> bool {
    let Some(body) = &program.functions[id].body else { return false };
    let writes = |op: &Op| matches!(op, Op::Store { .. }) || may_write(op);
    !graph.names(id).calls_pointers && !body.insts.values().any(|inst| writes(&inst.op))
}

#[cfg(test)]
mod tests {
    use covenant_constraints::Sort;

    use super::*;

    #[test]
    fn a_write_leaves_what_is_apart_from_it() {
        let mut terms = Terms::new();
        let mut pointer = |name: &str| {
            let var = terms.var(name, Sort::Bv(64));
            terms.var_term(var)
        };
        let (p, q) = (pointer("p"), pointer("q"));
        let four = terms.bv(4, 64);
        let next = terms.add(p, four);
        let (one, two) = (terms.bv(1, 32), terms.bv(2, 32));
        let mut memory = Memory::default();
        memory.write(&terms, Some(p), Type::I32, Some(one));
        memory.write(&terms, Some(next), Type::I32, Some(two));
        assert_eq!(memory.read(&terms, p, Type::I32), Some(one));
        assert_eq!(memory.read(&terms, next, Type::I32), Some(two));
        assert_eq!(memory.read(&terms, p, Type::I8), None, "another type");
        let mut wider = memory.clone();
        wider.write(&terms, Some(p), Type::I64, None);
        assert_eq!((wider.read(&terms, p, Type::I32), wider.read(&terms, next, Type::I32)), (None, None));
        memory.write(&terms, Some(q), Type::I32, Some(one));
        assert_eq!(memory.read(&terms, p, Type::I32), None, "it may be the same place");
        assert_eq!(memory.read(&terms, q, Type::I32), Some(one));
        memory.write(&terms, None, Type::I32, None);
        assert_eq!(memory.read(&terms, q, Type::I32), None);
    }
}
