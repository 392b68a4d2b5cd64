//! What `void *` among the inputs points to: what the code takes it for.
//!
//! That is a choice of ours, like the size of an object: it makes tests, and no proof rests on it.

use std::collections::{HashMap, HashSet};

use covenant_program::ir::Program;
use covenant_program::syntax::{Trees, uses};
use covenant_program::types::{CType, TypeId, Types};

use crate::callbacks;

/// The pointer types that parameters of type `void *` are taken for, by the parameters' numbers, and that in words. Members of
/// structs that the inputs lead to have such types in the program from now on.
pub(crate) fn settle(
    program: &mut Program,
    trees: &Trees,
    params: &[(String, TypeId)],
    origins: &[(String, usize)],
) -> (HashMap<u32, TypeId>, Vec<String>) {
    let mut inputs = callbacks::inputs(program, params);
    let types = &mut program.types;
    let (mut taken, mut words) = (HashMap::new(), Vec::new());
    let mut say = |name: &str, seen: &str| words.push(format!("{name}: void *, taken for {seen} as the code uses it"));
    for (at, (name, ty)) in params.iter().enumerate() {
        if !is_void_pointer(types, *ty) {
            continue;
        }
        let Some((function, place)) = origins.get(at) else { continue };
        let Some(seen) = uses::parameter_seen_as(&trees.all(), function, *place) else { continue };
        let Some(ty) = pointer_named(types, &seen) else { continue };
        say(name, &seen);
        taken.insert(at as u32, ty);
        inputs.push((name.clone(), ty));
    }
    // A member that is settled may lead to others.
    let mut settled = HashSet::new();
    let mut seen = None;
    loop {
        let members = void_members(types, &inputs);
        let new: Vec<(TypeId, usize)> = members.into_iter().filter(|member| settled.insert(*member)).collect();
        if new.is_empty() {
            return (taken, words);
        }
        let seen = seen.get_or_insert_with(|| uses::members_seen_as(&trees.all()));
        for (record, at) in new {
            let CType::Struct(mut changed) = types[record].clone() else { continue };
            let Some(as_what) = seen.get(&changed.fields[at].name) else { continue };
            let Some(ty) = pointer_named(types, as_what) else { continue };
            say(&changed.fields[at].name, as_what);
            changed.fields[at].ty = ty;
            types.set(record, CType::Struct(changed));
        }
    }
}

fn is_void_pointer(types: &Types, ty: TypeId) -> bool {
    matches!(types.stripped(ty), CType::Pointer(to) if matches!(types.stripped(*to), CType::Void))
}

/// Members of structs that are `void *` and that the inputs lead to: the struct, and the member's index.
fn void_members(types: &Types, inputs: &[(String, TypeId)]) -> Vec<(TypeId, usize)> {
    let mut found = Vec::new();
    for (id, _) in types.reachable(inputs.iter().map(|(name, ty)| (name.as_str(), *ty))) {
        if let CType::Struct(record) = &types[id] {
            let voids = record.fields.iter().enumerate().filter(|(_, field)| is_void_pointer(types, field.ty));
            found.extend(voids.map(|(at, _)| (id, at)));
        }
    }
    found
}

/// The pointer type that C writes like this, if what it points to is known and has a size.
fn pointer_named(types: &mut Types, spelled: &str) -> Option<TypeId> {
    let to = pointed_to(types, spelled)?;
    Some(types.push_taken(to))
}

/// What a pointer type that C writes like this points to, if that is known and has a size.
pub(crate) fn pointed_to(types: &Types, spelled: &str) -> Option<TypeId> {
    let plain = |text: &str| text.split_whitespace().filter(|word| *word != "restrict").collect::<String>();
    let wanted = plain(spelled.strip_suffix('*')?);
    let named =
        |(id, ty): &(TypeId, &CType)| !matches!(ty, CType::Function(_)) && plain(&types.spell(*id, "")) == wanted;
    let to = types.iter().find(named)?.0;
    let defined = types.definition(to).unwrap_or(to);
    types.size_of(defined).filter(|&size| size > 0)?;
    Some(to)
}
