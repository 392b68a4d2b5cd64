//! Source positions and names of variables, from clang's debug information.

use std::collections::HashMap;

use cranelift_entity::PrimaryMap;

use super::function::FunctionLowering;
use super::llvm::{Md, Val};
use crate::ir::{Def, FileId, Loc, Origin, SourceFile, Variable};

/// The files that locations name.
#[derive(Default)]
pub(super) struct Files<'m> {
    files: PrimaryMap<FileId, SourceFile>,
    ids: HashMap<SourceFile, FileId>,
    scopes: HashMap<Md<'m>, Option<FileId>>,
    /// Neighbours mostly share their location.
    last: Option<(Md<'m>, Loc)>,
}

impl<'m> Files<'m> {
    pub(super) fn into_map(self) -> PrimaryMap<FileId, SourceFile> {
        self.files
    }

    fn of_scope(&mut self, scope: Md<'m>) -> Option<FileId> {
        if let Some(&file) = self.scopes.get(&scope) {
            return file;
        }
        let file = scope.file().map(|(directory, name)| {
            let file = SourceFile { directory, name };
            *self.ids.entry(file).or_insert_with_key(|file| self.files.push(file.clone()))
        });
        self.scopes.insert(scope, file);
        file
    }

    pub(super) fn loc(&mut self, instruction: Val<'m>) -> Loc {
        let Some(location) = instruction.debug_loc() else { return Loc::NONE };
        match self.last {
            Some((md, loc)) if md == location => return loc,
            _ => {}
        }
        let loc = location.location().and_then(|(line, column, scope)| {
            let file = self.of_scope(scope)?;
            Some(Loc::new(file, line, column))
        });
        let loc = loc.unwrap_or(Loc::NONE);
        self.last = Some((location, loc));
        loc
    }

    pub(super) fn function_loc(&mut self, function: Val<'m>) -> Loc {
        let found = function.subprogram().and_then(|subprogram| {
            let file = self.of_scope(subprogram)?;
            Some(Loc::new(file, subprogram.subprogram_line(), 0))
        });
        found.unwrap_or(Loc::NONE)
    }
}

impl<'m> FunctionLowering<'_, 'm> {
    /// `llvm.dbg.declare` and `llvm.dbg.value` tie a value to a variable of the source. The first tie stays, and
    /// constants get none: many variables share one.
    pub(super) fn describe(&mut self, call: Val<'m>) {
        let (Some(value), Some(variable)) = (call.operand(0), call.operand(1)) else { return };
        let Some(node) = variable.metadata() else { return };
        // Also of a variable that is another name for a value: a type may be used nowhere else.
        let reader = self.cx.c_types.as_mut().filter(|_| self.origin == Origin::Subject);
        let ty = reader.and_then(|reader| reader.variable(node));
        let known = self.variables.get(&node).copied();
        let described = value.described_value();
        // What a variable is before it is written has no name.
        if described.is_some_and(Val::is_first_value) {
            return;
        }
        let value = described.and_then(|v| self.values.get(&v));
        let Some(&[value]) = value.map(|values| &values[..]) else { return self.describe_elsewhere(node) };
        let data = self.body.values[value];
        if data.var.is_some() || matches!(data.def, Def::Const(_)) {
            if data.var.expand().is_none_or(|var| Some(var) != known) {
                self.describe_elsewhere(node);
            }
            return;
        }
        let id = known.or_else(|| {
            let (name, line) = node.variable(self.function)?;
            let id = self.body.variables.push(Variable { name, line, ty, elsewhere: Vec::new() });
            self.variables.insert(node, id);
            Some(id)
        });
        self.body.values[value].var = id.into();
    }
    /// The variable has a value from here on that does not have its name.
    fn describe_elsewhere(&mut self, node: Md<'m>) {
        let current = self.current;
        self.elsewhere.entry(node).or_default().push(current);
    }

    /// Tells variables where they have values that do not have their names.
    pub(super) fn settle_variables(&mut self) {
        for (node, &id) in &self.variables {
            self.body.variables[id].elsewhere = self.elsewhere.remove(node).unwrap_or_default();
        }
    }
}
