//! Of which types the variadic arguments of the function under test are: those that the code asks for.

use std::path::Path;

use covenant_program::ir::{FileId, Loc, Program};
use covenant_program::syntax::{Trees, uses};
use covenant_program::types::{CType, TypeId, Types};

use crate::voids;

/// The places of the program where variadic arguments are asked for, and their types as far as they are known. Nothing is read
/// unless the function under test has such arguments.
pub(crate) fn settle(program: &mut Program, trees: &Trees, function: &str) -> Vec<(Loc, TypeId)> {
    let is_variadic = program.definitions(function).next().is_some_and(|id| program.functions[id].variadic);
    if !is_variadic {
        return Vec::new();
    }
    // What the C library asks for is text.
    program.types.add_text_pointer();
    let mut found = Vec::new();
    for file in trees.all() {
        for (point, spelled) in uses::va_args(file) {
            let Some(ty) = named(&mut program.types, spelled) else { continue };
            let places = files_of(program, file.file(point));
            found.extend(places.into_iter().map(|id| (Loc::new(id, point.line, point.column), ty)));
        }
    }
    found
}

/// The type that C writes like this.
fn named(types: &mut Types, spelled: &str) -> Option<TypeId> {
    let plain = |text: &str| text.split_whitespace().filter(|word| *word != "restrict").collect::<String>();
    let wanted = plain(spelled);
    let known =
        types.iter().find(|(id, ty)| !matches!(ty, CType::Function(_)) && plain(&types.spell(*id, "")) == wanted);
    let known = known.map(|(id, _)| id);
    known.or_else(|| {
        let to = voids::pointed_to(types, spelled)?;
        Some(types.push(CType::Pointer(to)))
    })
}

/// The files of the program that clang calls by this name.
fn files_of(program: &Program, name: &str) -> Vec<FileId> {
    let name = Path::new(name.trim_start_matches("./"));
    let is_same = |directory: &str, own: &str| {
        let own = Path::new(directory).join(own);
        own == name || own.ends_with(name)
    };
    program.files.iter().filter(|(_, file)| is_same(&file.directory, &file.name)).map(|(id, _)| id).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_found_or_made_by_how_c_writes_them() {
        let mut types = Types::default();
        let int = types.push(CType::Int { name: "int".to_owned(), size: 4, signed: true, is_char: false });
        types.add_text_pointer();
        let text = types.text_pointer();
        assert_eq!(named(&mut types, "int"), Some(int));
        assert_eq!(named(&mut types, "char *"), text);
        assert_eq!(named(&mut types, "struct unknown *"), None);
        let made = named(&mut types, "int *");
        assert!(made.is_some_and(|made| matches!(types.stripped(made), CType::Pointer(to) if *to == int)));
        assert_eq!(named(&mut types, "int *"), made, "it is there now");
    }
}
