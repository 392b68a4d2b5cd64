//! Functions of a caller's own, for pointers to functions among the inputs.
//!
//! The driver declares one for each type of function that an input can point to. Nobody defines it, so in runs it is a stub that
//! returns any value, and in suites a function of the suite's own.

use std::collections::HashSet;

use covenant_program::ir::{Function, Origin, Program};
use covenant_program::types::{CType, Signature, TypeId, Types};

/// A function that a caller may have.
pub(crate) struct Callback {
    pub(crate) name: String,
    /// Its declaration in C.
    pub(crate) decl: String,
    /// The type of the function.
    pub(crate) ty: TypeId,
}

/// What a function with these parameters needs. The same program has the same ones, with and without a driver.
pub(crate) fn of(program: &Program, params: &[(String, TypeId)]) -> Vec<Callback> {
    let types = &program.types;
    let inputs = inputs(program, params);
    let reachable = types.reachable(inputs.iter().map(|(name, ty)| (name.as_str(), *ty)));
    let is_ours = |f: &Function| f.body.is_none() && f.name.starts_with(PREFIX);
    let mut taken: HashSet<String> =
        program.functions.values().filter(|f| !is_ours(f)).map(|f| f.name.clone()).collect();
    let mut callbacks = Vec::new();
    for (ty, place) in reachable {
        let CType::Function(signature) = types.stripped(ty) else { continue };
        if !is_plain(types, signature) {
            continue;
        }
        let plain = format!("{PREFIX}{}", identifier(place));
        let numbered = (2u32..).map(|number| format!("{plain}_{number}"));
        let Some(name) = std::iter::once(plain.clone()).chain(numbered).find(|name| !taken.contains(name)) else {
            continue;
        };
        let params: Vec<String> = (0..signature.params.len()).map(|at| format!("p{at}")).collect();
        let decl = types.spell_function(ty, &name, &params);
        // A type without a name cannot be declared again.
        if !decl.contains('{') {
            taken.insert(name.clone());
            callbacks.push(Callback { name, decl, ty });
        }
    }
    callbacks
}

/// What inputs there can be, and their types: the parameters, and the variables of the program.
pub(crate) fn inputs(program: &Program, params: &[(String, TypeId)]) -> Vec<(String, TypeId)> {
    let mut inputs = params.to_vec();
    for global in program.globals.values().filter(|g| g.origin == Origin::Subject && !g.constant && g.init.is_some()) {
        if let Some(ty) = global.ty.filter(|_| !global.name.starts_with("__covenant")) {
            inputs.push((global.source_name.as_ref().unwrap_or(&global.name).clone(), ty));
        }
    }
    inputs
}

/// What names begin with.
const PREFIX: &str = "any_";

/// C code that declares them and keeps them in the program.
pub(crate) fn declarations(callbacks: &[Callback]) -> String {
    if callbacks.is_empty() {
        return String::new();
    }
    let declared: String = callbacks.iter().map(|callback| format!("{};\n", callback.decl)).collect();
    let kept: Vec<String> = callbacks.iter().map(|callback| format!("(void (*)(void)){}", callback.name)).collect();
    format!("{declared}void (*const __covenant_callbacks[])(void) = {{ {} }};\n", kept.join(", "))
}

/// Gives the functions of the program their types, so that pointers of that type can point to them. Those that the program has.
pub(crate) fn settle(program: &mut Program, params: &[(String, TypeId)]) -> Vec<Callback> {
    let mut settled = of(program, params);
    settled.retain(|callback| {
        let found = program.functions.iter().find(|(_, f)| f.name == callback.name && f.body.is_none());
        let Some(id) = found.map(|(id, _)| id) else { return false };
        program.functions[id].source.ty = Some(callback.ty);
        true
    });
    settled
}

/// Whether C can define such a function without knowing more: it has a prototype, and returns a number, a pointer or nothing.
fn is_plain(types: &Types, signature: &Signature) -> bool {
    let has_prototype = !(signature.params.is_empty() && signature.variadic);
    let scalar = !matches!(
        types.stripped(signature.returns),
        CType::Struct(_) | CType::Union(_) | CType::Opaque { .. } | CType::Float { size: 16, .. }
    );
    has_prototype && scalar
}

fn identifier(place: &str) -> String {
    place.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}
