//! Functions of the library as another library may have them.

use std::borrow::Cow;

use covenant_program::ir::insert::Inserter;
use covenant_program::ir::{BinaryOp, Block, Body, Function, Origin, Terminator, Type};
use covenant_program::world::{Part, fixed_part, is_determined};

/// What a result is multiplied by. Its sign stays, and a number that was read off a difference of two bytes does not.
const FACTOR: u128 = 3; // not tuning: any odd number but one

/// The body of a function where C leaves part of its result open: that part is another.
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
        let factor = inserter.constant(inserter.ty(result), FACTOR);
        let other = inserter.binary(BinaryOp::Mul, result, factor);
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
        assert_eq!(other.insts.len(), body.insts.len() + 1);
    }
}
