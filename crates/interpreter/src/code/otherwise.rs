//! Functions of the library as another library has them.

use std::borrow::Cow;

use covenant_program::ir::insert::Inserter;
use covenant_program::ir::{Block, Body, Function, IntCmp, Origin, Terminator, Type};
use covenant_program::world::{Part, fixed_part, is_determined};

/// The body of a function where C leaves part of its result open: that part is another. A comparison gives the difference of two
/// bytes, as glibc's do; here it gives -1, 0 or 1, as those of the sanitizers do, with which tests are replayed.
pub(super) fn otherwise<'a>(function: &Function, body: &'a Body) -> Cow<'a, Body> {
    let open = function.origin == Origin::Library && is_determined(&function.name);
    if !open || fixed_part(&function.name) == Part::Whole {
        return Cow::Borrowed(body);
    }
    let mut body = body.clone();
    let returns = |body: &Body, block: Block| match &body.blocks[block].term {
        Terminator::Return(values) => values.first().copied().filter(|&v| matches!(body.ty(v), Type::Int(_))),
        _ => None,
    };
    for block in body.blocks.keys().collect::<Vec<_>>() {
        let Some(result) = returns(&body, block) else { continue };
        let mut inserter = Inserter::new(&mut body);
        let ty = inserter.ty(result);
        let [less, zero, more] = [u128::MAX, 0, 1].map(|bits| inserter.constant(ty, bits));
        let (is_less, is_zero) =
            (inserter.int_cmp(IntCmp::Slt, result, zero), inserter.int_cmp(IntCmp::Eq, result, zero));
        let not_less = inserter.select(is_zero, zero, more);
        let other = inserter.select(is_less, less, not_less);
        inserter.finish_shared((block, None));
        inserter.finish();
        if let Terminator::Return(values) = &mut body.blocks[block].term {
            values[0] = other;
        }
    }
    Cow::Owned(body)
}

#[cfg(test)]
mod tests {
    use super::*;
    use covenant_program::ir::text;

    #[test]
    fn only_what_c_leaves_open_becomes_another_number() {
        let program = "fn0 = function \"strcmp\"(i32) -> i32 {\nbb0(v0: i32):\n    return v0\n}\n\
                       fn1 = function \"strlen\"(i32) -> i32 {\nbb0(v0: i32):\n    return v0\n}\n";
        let mut program = text::parse(program).expect("the program is right");
        for function in program.functions.values_mut() {
            function.origin = Origin::Library;
        }
        let changed: Vec<bool> = program
            .functions
            .values()
            .map(|f| f.body.as_ref().is_some_and(|body| matches!(otherwise(f, body), Cow::Owned(_))))
            .collect();
        assert_eq!(changed, [true, false]);
        let compares = &program.functions[covenant_program::ir::FuncId::from_u32(0)];
        let body = compares.body.as_ref().expect("it has a body");
        let other = otherwise(compares, body);
        assert_eq!(other.insts.len(), body.insts.len() + 4);
    }
}
