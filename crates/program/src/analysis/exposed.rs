//! Which globals code outside of the program may have the address of.
//!
//! A caller can hand a function under test the address of anything it can name or was given. A `static` variable is safe from
//! that only if no function of the program lets its address out: by returning, storing, passing or comparing it as a number.

use std::collections::BTreeSet;

use cranelift_entity::EntitySet;

use crate::ir::{Body, Const, Def, GlobalId, Intrinsic, Op, Origin, Program, Symbol, Terminator, Value};

/// Globals of the subject that a pointer from outside may point into, constants left out: nobody can write to these.
pub fn exposed_globals(program: &Program) -> BTreeSet<GlobalId> {
    let mut exposed: BTreeSet<GlobalId> = BTreeSet::new();
    for (id, global) in program.globals.iter() {
        if !global.internal {
            exposed.insert(id);
        }
        exposed.extend(global.relocs.iter().flat_map(|reloc| [Some(reloc.symbol), reloc.minus]).filter_map(|symbol| {
            match symbol {
                Some(Symbol::Global(to)) => Some(to),
                _ => None,
            }
        }));
    }
    for function in program.functions.values().filter(|f| f.origin == Origin::Subject) {
        exposed.extend(function.body.iter().flat_map(let_out));
    }
    exposed.retain(|&id| {
        let global = &program.globals[id];
        global.origin == Origin::Subject && !global.constant
    });
    exposed
}

/// Globals whose address a function may give to others.
fn let_out(body: &Body) -> BTreeSet<GlobalId> {
    let mut out = BTreeSet::new();
    for (value, data) in body.values.iter() {
        if let Def::Const(Const::Global(global, _)) = data.def
            && !stays_here(body, value)
        {
            out.insert(global);
        }
    }
    out
}

/// Whether an address is used for nothing but accesses to what lies there.
fn stays_here(body: &Body, address: Value) -> bool {
    let mut derived: EntitySet<Value> = EntitySet::new();
    let mut work = vec![address];
    while let Some(value) = work.pop() {
        if !derived.insert(value) {
            continue;
        }
        for data in body.blocks.values() {
            for &inst in &data.insts {
                let inst = &body.insts[inst];
                if !inst.op.operands().contains(&value) {
                    continue;
                }
                match &inst.op {
                    Op::Load { .. } | Op::Label { .. } => {}
                    Op::Store { value: stored, .. } if *stored != value => {}
                    Op::PtrAdd { base, .. } if *base == value => work.extend(inst.results.iter().copied()),
                    Op::Intrinsic { op, .. } if only_accesses(*op) => {}
                    _ => return false,
                }
            }
            let gives = match &data.term {
                Terminator::Return(values) => values.contains(&value),
                term => term.edges().iter().any(|edge| edge.args.contains(&value)),
            };
            if gives {
                return false;
            }
        }
    }
    true
}

fn only_accesses(op: Intrinsic) -> bool {
    use Intrinsic::{BadAccess, MemCpy, MemMove, MemSet, Peek};
    matches!(op, MemCpy | MemMove | MemSet | BadAccess | Peek)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::text;

    #[test]
    fn only_what_can_be_named_or_is_given_away_is_exposed() {
        let program = r#"
g0 = global "named" size 4 align 4 init [0*4]
g1 = global "hidden" internal size 8 align 4 init [0*8]
g2 = global "given" internal size 4 align 4 init [0*4]
g3 = global "constant" const size 4 align 4 init [0*4]
g4 = global "listed" internal size 4 align 4 init [0*4]
g5 = global "list" internal size 8 align 8 init [0*8] relocs [0:8 = g4]
fn0 = function "f"() -> ptr {
bb0:
    v0: ptr = ptradd ptr g1 disp 4
    v1: i32 = load v0
    store v1, ptr g1
    return ptr g2
}
"#;
        let program = text::parse(program).expect("the program is right");
        let names: Vec<&str> = exposed_globals(&program).iter().map(|&id| program.globals[id].name.as_str()).collect();
        assert_eq!(names, ["named", "given", "listed"]);
    }
}
