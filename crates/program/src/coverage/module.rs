//! The mapping as globals of an LLVM module.

use std::collections::HashMap;

use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::Module;
use inkwell::values::{ArrayValue, BasicValueEnum, CallSiteValue, GlobalValue, InstructionOpcode, InstructionValue};

use super::decode::{self, CoverageError, Record, VERSION};
use super::{FunctionCoverage, name_hash};

/// Reads the records of all functions, in the order of the module.
pub fn read(module: &Module<'_>) -> Result<Vec<FunctionCoverage>, CoverageError> {
    let named = |prefix: &'static str| {
        module.get_globals().filter(move |g| g.get_name().to_bytes().starts_with(prefix.as_bytes()))
    };
    let mut filenames = HashMap::new();
    for global in named("__llvm_coverage_mapping") {
        let (hash, names) = module_filenames(global)?;
        filenames.insert(hash, names);
    }
    let mut functions = Vec::new();
    for global in named("__covrec_") {
        let fields = fields(global)?;
        let mapping = bytes(global, &fields, 4)?;
        let record = Record {
            name_hash: number(global, &fields, 0)?,
            structural_hash: number(global, &fields, 2)?,
            filenames_hash: number(global, &fields, 3)?,
            mapping: &mapping,
        };
        let names = filenames.get(&record.filenames_hash).ok_or(CoverageError::NoFilenames(record.name_hash))?;
        functions.push(decode::function(&record, names)?);
    }
    Ok(functions)
}

/// Reads the records of a bitcode file, each with the symbol of the function it describes. A function that is not used
/// has a record, but no code and no symbol.
pub fn read_bitcode(bitcode: &[u8]) -> Result<Vec<(Option<String>, FunctionCoverage)>, CoverageError> {
    let context = Context::create();
    let buffer = MemoryBuffer::create_from_memory_range_copy(bitcode, "coverage");
    let module = Module::parse_bitcode_from_buffer(&buffer, &context)
        .map_err(|e| CoverageError::Bitcode(e.to_string_lossy().into_owned()))?;
    read_with_symbols(&module)
}

/// The same of a module that was read.
pub(crate) fn read_with_symbols(module: &Module<'_>) -> Result<Vec<(Option<String>, FunctionCoverage)>, CoverageError> {
    let mut symbols = symbols(module);
    Ok(read(module)?.into_iter().map(|f| (symbols.remove(&f.name_hash), f)).collect())
}

/// The symbol of each function that increments counters, by the hash of its profile name. The two names differ where a
/// function is `static` or was renamed by the linker.
fn symbols(module: &Module<'_>) -> HashMap<u64, String> {
    let mut hashes = HashMap::new();
    for (hash, global) in profile_globals(module) {
        hashes.insert(global.get_name().to_owned(), hash);
    }
    let mut symbols = HashMap::new();
    for function in module.get_functions() {
        let calls = function.get_basic_block_iter().flat_map(|block| block.get_instructions());
        let calls = calls.filter(|i| i.get_opcode() == InstructionOpcode::Call);
        // Operands of others may be of types that inkwell does not know, such as those of MMX.
        let increments = calls.filter(|&call| is_profile_call(call));
        let hash = increments.filter_map(|call| match call.get_operand(0)?.value()? {
            BasicValueEnum::PointerValue(name) => hashes.get(name.get_name()).copied(),
            _ => None,
        });
        if let Some(hash) = { hash }.next() {
            symbols.insert(hash, function.get_name().to_string_lossy().into_owned());
        }
    }
    symbols
}

fn is_profile_call(call: InstructionValue<'_>) -> bool {
    let callee = CallSiteValue::try_from(call).ok().and_then(|site| site.get_called_fn_value());
    callee.is_some_and(|callee| callee.get_name().to_bytes().starts_with(b"llvm.instrprof."))
}

fn profile_globals<'m>(module: &Module<'m>) -> Vec<(u64, GlobalValue<'m>)> {
    let named = module.get_globals().filter(|g| g.get_name().to_bytes().starts_with(b"__profn_"));
    named.filter_map(|g| Some((name_hash(&profile_name(g)?), g))).collect()
}

fn profile_name(global: GlobalValue<'_>) -> Option<Vec<u8>> {
    match global.get_initializer() {
        Some(BasicValueEnum::ArrayValue(array)) => constant_bytes(array),
        _ => None,
    }
}

/// The profile names that the module knows (`__profn_*`), by their hashes. That of a `static` function has its file and
/// a colon before the function's own name.
pub fn profile_names(module: &Module<'_>) -> HashMap<u64, String> {
    let mut names = HashMap::new();
    for (hash, global) in profile_globals(module) {
        let name = profile_name(global).unwrap_or_default();
        names.insert(hash, String::from_utf8_lossy(&name).into_owned());
    }
    names
}

/// The encoded file names of a module and their hash, which the records repeat.
fn module_filenames(global: GlobalValue<'_>) -> Result<(u64, Vec<String>), CoverageError> {
    let fields = fields(global)?;
    let header = match fields.first() {
        Some(BasicValueEnum::StructValue(header)) => header.get_fields().collect::<Vec<_>>(),
        _ => return Err(shape(global)),
    };
    let version = number(global, &header, 3)? as u32;
    if version != VERSION {
        return Err(CoverageError::Version(version));
    }
    let encoded = bytes(global, &fields, 1)?;
    Ok((name_hash(&encoded), decode::filenames(&encoded)?))
}

fn shape(global: GlobalValue<'_>) -> CoverageError {
    CoverageError::Shape(global.get_name().to_string_lossy().into_owned())
}

fn fields<'m>(global: GlobalValue<'m>) -> Result<Vec<BasicValueEnum<'m>>, CoverageError> {
    match global.get_initializer() {
        // LLVM keeps no fields of a struct that is all zeros.
        Some(BasicValueEnum::StructValue(value)) if !value.is_null() && !value.is_undef() => {
            Ok(value.get_fields().collect())
        }
        _ => Err(shape(global)),
    }
}

fn number(global: GlobalValue<'_>, fields: &[BasicValueEnum<'_>], index: usize) -> Result<u64, CoverageError> {
    match fields.get(index) {
        Some(BasicValueEnum::IntValue(value)) => value.get_zero_extended_constant().ok_or_else(|| shape(global)),
        _ => Err(shape(global)),
    }
}

fn bytes(global: GlobalValue<'_>, fields: &[BasicValueEnum<'_>], index: usize) -> Result<Vec<u8>, CoverageError> {
    match fields.get(index) {
        Some(BasicValueEnum::ArrayValue(array)) => constant_bytes(*array).ok_or_else(|| shape(global)),
        _ => Err(shape(global)),
    }
}

/// The bytes of a constant array. LLVM asks for a data array; one of zeros alone is none.
fn constant_bytes(array: ArrayValue<'_>) -> Option<Vec<u8>> {
    let data = !array.is_null() && !array.is_undef();
    data.then(|| array.as_const_string().map(<[u8]>::to_vec)).flatten()
}
