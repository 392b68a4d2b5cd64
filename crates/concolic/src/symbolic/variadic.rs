//! Variadic arguments of the function under test.
//!
//! Only the code knows how many there are and of which types: by the `va_arg` that it comes to. So each is an input, like a
//! parameter behind the last named one, of the type that the source says at that place.

use std::sync::Arc;

use covenant_interpreter::shadow::{self, Waiting};
use covenant_program::ir::{Loc, Type};
use covenant_program::types::{CType, TypeId};

use super::Symbolic;
use super::inputs::{CellKind, CellLayout, RootKind};
use super::limits::Cause;

impl Symbolic<'_> {
    /// The root of an argument that is asked for.
    pub(super) fn add_argument(&mut self, number: u32, ty: Type, at: Loc) -> Waiting {
        let types = &self.image.program().types;
        let size = ty.store_size();
        let fits = |declared: &TypeId| {
            let is_pointer = matches!(types.stripped(*declared), CType::Pointer(_));
            is_pointer == ty.is_ptr() && types.size_of(*declared) == Some(u64::from(size))
        };
        let declared = self.va_arg_at(at).filter(fits);
        // One type a name: an argument may be read as several in different runs.
        let kind = match ty {
            Type::Ptr | Type::Ptr32 => "_ptr",
            Type::F64 => "_double",
            Type::Int(64) => "_long",
            _ => "",
        };
        let name = format!("va_arg{}{kind}", number + 1);
        let index = self.params.len() as u32 + number;
        let text = || types.text_pointer();
        let unknown = declared.is_none();
        let declared = declared.or_else(|| text().filter(|_| ty.is_ptr()));
        let root = self.add_root(RootKind::Param(index), name, declared.unwrap_or(TypeId::from_u32(0)), 1, 0);
        if declared.is_none() {
            let kind = if ty == Type::F64 { CellKind::Float } else { CellKind::Int { signed: true } };
            let made = &mut self.roots[root as usize];
            made.cells = Arc::from([CellLayout { offset: 0, size, kind, path: String::new() }]);
        }
        // What is behind a pointer is our choice then.
        if unknown && ty.is_ptr() {
            self.limit(Cause::Machine(shadow::Limit::Arguments));
        }
        Waiting { root, leaf: 0, offset: 0, size }
    }

    /// The type of the `va_arg` at a place: the one there, or the only one of its line.
    fn va_arg_at(&self, at: Loc) -> Option<TypeId> {
        let exact = self.va_args.iter().find(|(place, _)| *place == at);
        let mut line = self.va_args.iter().filter(|(place, _)| place.file() == at.file() && place.line == at.line);
        let only = || line.next().filter(|_| line.next().is_none());
        exact.or_else(only).map(|(_, ty)| *ty)
    }
}
