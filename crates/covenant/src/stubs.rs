//! Functions that the subject calls and nobody defines.

use covenant_interpreter::code::Builtin;
use covenant_program::ir::{Origin, Program, Type};
use covenant_program::syntax::Trees;
use covenant_program::world::missing;
use covenant_report::subject::{Stub, StubKind};

use crate::request::Request;

/// Undefined functions with their prototypes as the source has them. Debug information has no types of functions that are
/// only declared, and the IR has neither signs nor names: what no tree declares is spelled from the IR.
pub(crate) fn declared_stubs(program: &Program, trees: &Trees, entry: usize, request: &Request) -> Vec<Stub> {
    let mut stubs = stubs(program, request);
    // The entry's file first: a suite includes it.
    let mut order: Vec<usize> = (0..trees.len()).filter(|index| *index != entry).collect();
    order.insert(0, entry);
    let mut missing: Vec<&mut Stub> = stubs.iter_mut().collect();
    for index in order {
        if missing.is_empty() {
            break;
        }
        let Some(tree) = trees.get(index) else { continue };
        missing.retain_mut(|stub| match tree.prototype(&stub.name) {
            Some(decl) => {
                stub.decl = decl;
                stub.file = (index != entry).then_some(index);
                false
            }
            None => true,
        });
    }
    stubs
}

pub(crate) fn stubs(program: &Program, request: &Request) -> Vec<Stub> {
    let spelled = |ty: &Type| match ty {
        Type::Int(1) => "_Bool",
        Type::Int(8) => "char",
        Type::Int(16) => "short",
        Type::Int(32) => "int",
        Type::F32 => "float",
        Type::F64 => "double",
        Type::F80 => "long double",
        Type::Ptr => "void *",
        Type::Int(_) => "long",
    };
    let undefined = program.functions.values().filter(|f| {
        let builtin = Builtin::named(&f.name);
        f.body.is_none() && f.origin == Origin::Subject && !builtin && !f.name.starts_with("__covenant")
    });
    undefined
        .map(|f| {
            let returns = f.returns.first();
            let params: Vec<&str> = f.params.iter().map(spelled).collect();
            let params = if params.is_empty() { "void".to_owned() } else { params.join(", ") };
            Stub {
                name: f.name.clone(),
                decl: format!("{} {}({params})", returns.map_or("void", spelled), f.name),
                returns_size: returns.map_or(0, |ty| u64::from(ty.store_size())),
                kind: if request.stub_any(&f.name) { StubKind::Any } else { StubKind::None },
                library: missing(&f.name).is_some(),
                ..Stub::default()
            }
        })
        .collect()
}
