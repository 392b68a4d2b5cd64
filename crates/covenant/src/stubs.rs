//! Functions that the subject calls and nobody defines.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use covenant_interpreter::code::Builtin;
use covenant_program::clang::Unit;
use covenant_program::ir::{FuncId, Function, Origin, Program, Type};
use covenant_program::lower;
use covenant_program::syntax::{Syntax, Trees};
use covenant_program::types::CType;
use covenant_program::world::{is_harness, missing};
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
        Type::Ptr | Type::Ptr32 => "void *",
        Type::Int(_) => "long",
    };
    let undefined = program.functions.values().filter(|f| {
        let builtin = Builtin::named(&f.name);
        f.body.is_none() && f.origin == Origin::Subject && !builtin && !f.name.starts_with("__covenant")
    });
    undefined
        .map(|f| {
            let returns = f.returns.first();
            let record = returned_record(program, f).or(f.source.returned_in_memory);
            let params: Vec<&str> = f.params.iter().map(spelled).collect();
            let params = if params.is_empty() { "void".to_owned() } else { params.join(", ") };
            Stub {
                name: f.name.clone(),
                decl: format!("{} {}({params})", returns.map_or("void", spelled), f.name),
                returns_size: record.unwrap_or_else(|| returns.map_or(0, |ty| u64::from(ty.store_size()))),
                in_parts: record.is_some(),
                kind: if f.source.never_returns { StubKind::None } else { request.stub_kind(&f.name) },
                library: missing(&f.name).is_some(),
                never_returns: f.source.never_returns,
                ..Stub::default()
            }
        })
        .collect()
}

/// The size of the struct or union that a function returns.
fn returned_record(program: &Program, function: &Function) -> Option<u64> {
    let types = &program.types;
    let CType::Function(signature) = types.stripped(function.source.declared?) else { return None };
    let is_record = matches!(types.stripped(signature.returns), CType::Struct(_) | CType::Union(_));
    types.size_of(signature.returns).filter(|_| is_record)
}

/// Undefined functions that the entry's file declares with a prototype, of which the tree tells the types.
pub(crate) fn declared(program: &Program, trees: &Trees, entry: usize, request: &Request) -> Vec<String> {
    let stubs = stubs(program, request).into_iter().filter(|stub| !is_harness(&stub.name) && stub.kind.returns());
    let has_prototype = |stub: &Stub| trees.get(entry).is_some_and(|tree| tree.prototype(&stub.name).is_some());
    stubs.filter(has_prototype).map(|stub| stub.name).collect()
}

/// Tells undefined functions the types that they are declared with: callbacks have theirs, and the tree has those of `declared`.
pub(crate) fn settle(program: &mut Program, tree: Option<&Syntax>, declared: &[String]) {
    let ids: Vec<FuncId> = program.functions.iter().filter(|(_, f)| f.body.is_none()).map(|(id, _)| id).collect();
    for id in ids {
        let Program { functions, types, .. } = program;
        let function = &mut functions[id];
        let told = || tree.filter(|_| declared.contains(&function.name))?.declared_type(&function.name, types);
        function.source.declared = function.source.ty.or_else(told);
    }
}

/// What the user's own files define.
pub(crate) struct StandIns {
    files: Vec<PathBuf>,
    /// Their variables by symbol, which keep their initial values.
    pub(crate) globals: BTreeSet<String>,
}

impl StandIns {
    /// What the files behind the first `own` define.
    pub(crate) fn of(units: &[Unit], own: usize) -> Result<StandIns, lower::Error> {
        let (own, theirs) = units.split_at(own.min(units.len()));
        if theirs.is_empty() {
            return Ok(StandIns { files: Vec::new(), globals: BTreeSet::new() });
        }
        let defined = |units: &[Unit]| -> Result<BTreeSet<String>, lower::Error> {
            let program = lower::lower(units, None, &lower::Options { promote: false, types: false })?;
            Ok(program.globals.values().filter(|g| g.init.is_some()).map(|g| g.name.clone()).collect())
        };
        // Two static variables may have one name; those of the code under test are inputs.
        let globals = defined(theirs)?.difference(&defined(own)?).cloned().collect();
        Ok(StandIns { files: theirs.iter().map(Unit::absolute).collect(), globals })
    }

    /// Whether a function is one of theirs.
    pub(crate) fn has(&self, program: &Program, function: FuncId) -> bool {
        let file = program.functions[function].loc.file().map(|file| &program.files[file]);
        file.is_some_and(|file| self.files.contains(&Path::new(&file.directory).join(&file.name)))
    }
}
