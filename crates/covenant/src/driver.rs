//! The driver, which calls the function under test with inputs: code of ours where the call is plain ([`built`]), else a few lines of
//! C, compiled together with the file of the function.

mod built;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, Result};
use covenant_interpreter::library::library;
use covenant_program::clang::{FrontEnd, Unit};
use covenant_program::ir::{FuncId, Program};
use covenant_program::lower::{self, Mapping, lower_covered};
use covenant_program::types::{CType, TypeId};
use covenant_report::subject::Through;

use crate::callbacks::{self, Callback};
use crate::outside;
use crate::request::{Globals, Request};

/// Its name.
pub(crate) const DRIVER: &str = "__covenant_driver";

/// The function under test as debug information describes it.
pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) unit: usize,
    pub(crate) params: Vec<(String, TypeId)>,
    /// Whose parameter each of them is in the source, and which.
    pub(crate) origins: Vec<(String, usize)>,
    pub(crate) returns: Option<TypeId>,
    pub(crate) is_main: bool,
    /// The parameters of `main`, which are not inputs.
    pub(crate) main_params: Vec<(String, TypeId)>,
}

/// What tests call.
pub(crate) struct Called {
    /// The function under test, or what leads to it.
    pub(crate) entry: Entry,
    /// How a test comes from there to the function under test; `None`: it is called itself.
    pub(crate) through: Option<Through>,
    /// Why it is called itself though callers were asked for.
    pub(crate) note: Option<String>,
    /// What the driver takes for granted.
    pub(crate) assume: Vec<String>,
}

/// A function as debug information describes it.
pub(crate) fn signature(program: &Program, id: FuncId, name: String, unit: usize) -> Entry {
    let function = &program.functions[id];
    let is_main = name == "main";
    let (mut params, mut returns) = (Vec::new(), None);
    if let Some(CType::Function(signature)) = function.source.ty.map(|ty| program.types.stripped(ty)) {
        for (i, &ty) in signature.params.iter().enumerate() {
            let given = function.source.param_names.get(i).filter(|n| !n.is_empty());
            params.push((given.cloned().unwrap_or_else(|| format!("p{i}")), ty));
        }
        returns = (!matches!(program.types.stripped(signature.returns), CType::Void)).then_some(signature.returns);
    }
    let main_params = if is_main { std::mem::take(&mut params) } else { Vec::new() };
    let origins = (0..params.len()).map(|at| (name.clone(), at)).collect();
    Entry { name, unit, params, origins, returns, is_main, main_params }
}

/// The code under test, at first without a driver.
pub(crate) struct Code {
    pub(crate) units: Vec<Unit>,
    pub(crate) program: Program,
    pub(crate) mappings: Vec<Mapping>,
    /// Variables that no file defines, and the driver does.
    pub(crate) elsewhere: Vec<String>,
}

/// Gives the code a driver. `mapped` are the files compiled for the decisions of MC/DC, `visible` what the entry's file can name.
pub(crate) fn drive(
    code: &mut Code,
    front_end: &FrontEnd,
    (called, tested): (&Called, FuncId),
    request: &Request,
    (mapped, visible): (&mut [Unit], &BTreeSet<String>),
) -> Result<()> {
    let entry = &called.entry;
    let variables = |program: &Program, start: FuncId| -> Vec<String> {
        if request.globals != Globals::Inputs || !program.globals.values().any(outside::is_undefined) {
            return Vec::new();
        }
        outside::variables(program, start, visible)
    };
    let start = match called.through {
        Some(_) => code.program.definitions(&entry.name).next().unwrap_or(tested),
        None => tested,
    };
    let says_nothing = called.assume.is_empty()
        && request.assume.is_empty()
        && request.lengths.is_empty()
        && request.precondition.is_none()
        && called.through.as_ref().is_none_or(|through| through.text.is_empty());
    if says_nothing && variables(&code.program, start).is_empty() {
        let callbacks = callbacks::of(&code.program, &entry.params);
        if built::build(&mut code.program, start, entry, &callbacks).is_some() {
            return Ok(());
        }
    }
    let folder = tempfile::tempdir().context("no temporary directory")?;
    let (folder, unit) = (folder.path(), entry.unit);
    let options = lower::Options { promote: true, types: true };
    let attached = attach(&code.program, (&code.units, front_end), called, request, folder)?;
    let (driven, mut text) = attached;
    code.units[unit] = driven;
    let mut covered = lower_covered(&code.units, Some(&library), &options)?;
    let undefined =
        covered.program.function(DRIVER).map(|start| variables(&covered.program, start)).unwrap_or_default();
    let compile = |more: &str| {
        let text = format!("{text}{more}");
        Some((compile(&code.units[unit], front_end, folder, &text, false).ok()?, text))
    };
    if let Some((driven, defined, more)) = outside::define(undefined, &compile) {
        (code.units[unit], text, code.elsewhere) = (driven, more, defined);
        covered = lower_covered(&code.units, Some(&library), &options)?;
    }
    if let Some(unit) = mapped.get_mut(unit) {
        *unit = self::compile(unit, front_end, folder, &text, true)?;
    }
    (code.program, code.mappings) = (covered.program, covered.mappings);
    Ok(())
}

/// The file of the function under test with a driver behind it, and the text of that.
fn attach(
    program: &Program,
    (units, front_end): (&[Unit], &FrontEnd),
    called: &Called,
    request: &Request,
    folder: &Path,
) -> Result<(Unit, String)> {
    let entry = &called.entry;
    let unit = &units[entry.unit];
    let callbacks = callbacks::of(program, &entry.params);
    let name = &called.entry.name;
    let mut written = text(program, unit, called, request, (&callbacks, name));
    let mut compiled = compile(unit, front_end, folder, &written, false);
    if compiled.is_err() && !callbacks.is_empty() {
        // Some type may not be known at the end of the file.
        written = text(program, unit, called, request, (&[], name));
        compiled = compile(unit, front_end, folder, &written, false);
    }
    if compiled.is_err() {
        // clang does not let C call what is for interrupts by its name.
        let other = text(program, unit, called, request, (&callbacks, &format!("(1 ? {name} : {name})")));
        if let Ok(unit) = compile(unit, front_end, folder, &other, false) {
            return Ok((unit, other));
        }
    }
    Ok((compiled?, written))
}

/// `callee`: how the function is named where it is called.
fn text(
    program: &Program,
    unit: &Unit,
    called: &Called,
    request: &Request,
    (callbacks, callee): (&[Callback], &str),
) -> String {
    let (types, entry) = (&program.types, &called.entry);
    let mut text = format!("#include \"{}\"\n", unit.path.display());
    text.push_str("void __covenant_input(void *, unsigned);\nvoid __covenant_result(const void *, unsigned long);\n");
    text.push_str("void __covenant_assume(int);\nvoid __covenant_length(unsigned, long);\n");
    text.push_str(&callbacks::declarations(callbacks));
    text.extend(called.through.iter().map(|through| through.text.as_str()));
    text.push_str("#pragma clang diagnostic error \"-Wunevaluated-expression\"\n");
    text.push_str(&format!("void {DRIVER}(void) {{\n"));
    let mut names = Vec::new();
    for (i, (name, ty)) in entry.params.iter().enumerate() {
        text.push_str(&format!("  {};\n  __covenant_input((void *)&{name}, {i});\n", types.spell(*ty, name)));
        names.push(name.as_str());
    }
    // What says nothing about the objects comes before their lengths: it bounds how many lengths there are.
    let about = |expression: &str| request.lengths.iter().any(|(pointer, _)| mentions(expression, pointer));
    for expression in called.assume.iter().chain(request.assume.iter().filter(|e| !about(e))) {
        text.push_str(&assumption(expression));
    }
    for (pointer, expression) in &request.lengths {
        if let Some(index) = entry.params.iter().position(|(name, _)| name == pointer) {
            text.push_str(&format!("  (void)sizeof({expression});\n"));
            text.push_str(&format!("  __covenant_length({index}, (long)({expression}));\n"));
        }
    }
    for expression in request.assume.iter().filter(|e| about(e)) {
        text.push_str(&assumption(expression));
    }
    if let Some(name) = &request.precondition {
        text.push_str(&format!("  __covenant_assume({name}({}) != 0);\n", names.join(", ")));
    }
    let call = format!("{callee}({})", names.join(", "));
    match entry.returns {
        Some(ty) => {
            let declared = types.spell(ty, "covenant_result");
            text.push_str(&format!("  {declared} = {call};\n"));
            text.push_str("  __covenant_result(&covenant_result, sizeof covenant_result);\n");
        }
        None => text.push_str(&format!("  {call};\n")),
    }
    text.push_str("}\n");
    text
}

/// The C code that assumes an expression. clang refuses one that changes something where it is not evaluated.
fn assumption(expression: &str) -> String {
    format!("  (void)sizeof(({expression}) != 0);\n  __covenant_assume(({expression}) != 0);\n")
}

/// Whether the C expression has this name in it.
fn mentions(expression: &str, name: &str) -> bool {
    expression.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name)
}

fn compile(unit: &Unit, from: &FrontEnd, folder: &Path, text: &str, mcdc: bool) -> Result<Unit> {
    let file = folder.join("covenant_driver.c");
    std::fs::write(&file, text).context("the driver cannot be written")?;
    let mut flags = unit.flags.clone();
    flags.push(format!("-working-directory={}", unit.directory.display()));
    flags.push("-Wno-everything".to_owned());
    let front_end = FrontEnd { flags, keep_static: true, mcdc, project: None, ..from.clone() };
    let mut compiled =
        front_end.compile(&[file]).context("what --assume, --precondition or --length say does not compile")?;
    let mut new = compiled.remove(0);
    new.file.clone_from(&unit.file);
    new.path.clone_from(&unit.path);
    new.flags.clone_from(&unit.flags);
    new.directory.clone_from(&unit.directory);
    Ok(new)
}
