//! Makes one module of the subject's units.

use std::collections::HashMap;
use std::path::PathBuf;

use super::llvm::{Context, Linkage, Module, Val};
use super::{Error, Options};
use crate::clang::Unit;
use crate::ir::Target;

/// The linked units as one bitcode file, locals promoted. Made for libraries that ship as bitcode.
pub fn link(units: &[Unit], options: &Options) -> Result<Vec<u8>, Error> {
    let context = Context::new();
    Ok(linked(&context, units, options)?.to_bitcode())
}

pub(super) fn subject<'c>(context: &'c Context, units: &[Unit], options: &Options) -> Result<Module<'c>, Error> {
    let mut module = linked(context, units, options)?;
    module.show_debug_calls();
    Ok(module)
}

fn linked<'c>(context: &'c Context, units: &[Unit], options: &Options) -> Result<Module<'c>, Error> {
    let mut whole: Option<Module<'c>> = None;
    let mut definitions = HashMap::new();
    for unit in units {
        let mut module =
            context.parse(&unit.bitcode).map_err(|message| Error::Bitcode { file: unit.file.clone(), message })?;
        let triple = module.triple();
        let Some(target) = Target::of(&triple) else {
            return Err(Error::Target { file: unit.file.clone(), triple });
        };
        check_duplicates(&module, unit, &mut definitions)?;
        check_assembly(&module, unit)?;
        if !target.is_native() {
            module.assembly_as_calls();
        }
        match &mut whole {
            None => whole = Some(module),
            Some(whole) => {
                whole.link(module).map_err(|message| Error::Link { file: unit.file.clone(), message })?;
            }
        }
    }
    let mut whole = whole.ok_or(Error::Nothing)?;
    if options.promote {
        whole.promote_locals().map_err(Error::Promotion)?;
    }
    Ok(whole)
}

/// Code that was compiled for this machine in place of its own, with its assembly as calls of functions, those of these names that tests
/// define; `None`: there is no assembly.
pub fn without_assembly(bitcode: &[u8], is_known: &dyn Fn(&str) -> bool) -> Result<Option<Vec<u8>>, String> {
    let context = Context::new();
    let mut module = context.parse(bitcode)?;
    let count = module.assembly_as_known_calls(is_known);
    Ok((count > 0).then(|| module.to_bitcode()))
}

/// LLVM would say that a symbol is multiply defined, but not where.
fn check_duplicates(module: &Module<'_>, unit: &Unit, definitions: &mut HashMap<String, PathBuf>) -> Result<(), Error> {
    let strong = |v: &Val<'_>| !v.is_declaration() && v.linkage() == Linkage::LLVMExternalLinkage;
    let symbols = module.functions().chain(module.globals()).chain(module.aliases()).chain(module.ifuncs());
    for symbol in symbols.filter(strong) {
        let name = symbol.name();
        if let Some(first) = definitions.insert(name.clone(), unit.file.clone()) {
            return Err(Error::Duplicate { name, first, second: unit.file.clone() });
        }
    }
    Ok(())
}

/// Directives by which assembly reads files: a private one would become a part of the program.
const READING: &[&str] = &[".incbin", ".include"];

fn check_assembly(module: &Module<'_>, unit: &Unit) -> Result<(), Error> {
    let check = |text: &str| match READING.iter().find(|directive| text.contains(**directive)) {
        Some(directive) => Err(Error::Assembly { file: unit.file.clone(), directive }),
        None => Ok(()),
    };
    check(&module.assembly())?;
    let instructions =
        module.functions().flat_map(Val::blocks).flat_map(|block| block.instructions().collect::<Vec<_>>());
    for call in instructions {
        if let Some((template, _)) = call.callee().and_then(Val::inline_asm) {
            check(&template)?;
        }
    }
    Ok(())
}
