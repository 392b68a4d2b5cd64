//! One piece of assembly as calls: of a function for all of it, and where it gives more than one value or writes to operands in memory, of one
//! for each of these.

use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::debuginfo::LLVMInstructionGetDebugLoc;
use inkwell::llvm_sys::prelude::{LLVMBuilderRef, LLVMTypeRef, LLVMValueRef};

use super::{Opcode, TypeKind, Val};

/// What compilers call instructions of machines.
const MACHINES: &[&str] = &["llvm.arm.", "llvm.aarch64.", "llvm.riscv."];
/// Those that change nothing that the code can see: they order accesses for others, wait, or give up a claim.
const BARRIERS: &[&str] = &["hint", "dmb", "dsb", "isb", "clrex"];
/// Those that write to what their pointer with a type points to.
const WRITING: &[&str] = &["strex", "stlex", "stxr", "stlxr"];

/// The function of the compiler's that a call asks for an instruction of the machine: its name without the machine.
pub(super) fn machine_function(call: Val<'_>) -> Option<String> {
    let name = call.callee().map(Val::name)?;
    MACHINES.iter().find_map(|machine| name.strip_prefix(machine)).map(str::to_owned)
}

fn base(name: &str) -> &str {
    name.split('.').next().unwrap_or(name)
}

/// Whether such a function changes nothing.
pub(super) fn is_barrier(name: &str) -> bool {
    BARRIERS.contains(&base(name))
}

/// Whether all that it gives are scalars, and it goes on behind it.
pub(super) fn can_be_calls(call: Val<'_>) -> bool {
    // SAFETY: it is an instruction of a living module; a next instruction is one, if there is any.
    unsafe {
        let next = LLVMGetNextInstruction(call.raw);
        let ends = !next.is_null() && LLVMGetInstructionOpcode(next) == Opcode::LLVMUnreachable;
        let is_call = LLVMGetInstructionOpcode(call.raw) == Opcode::LLVMCall;
        let given = LLVMTypeOf(call.raw);
        let is_void = LLVMGetTypeKind(given) == TypeKind::LLVMVoidTypeKind;
        let results =
            is_void || is_scalar(given) || elements(given).is_some_and(|all| all.into_iter().all(|ty| is_scalar(ty)));
        let arguments =
            (0..LLVMGetNumArgOperands(call.raw)).all(|at| is_scalar(LLVMTypeOf(LLVMGetOperand(call.raw, at))));
        is_call && !next.is_null() && !ends && results && arguments && written(call).is_some()
    }
}

/// # Safety
/// The type is one of a living module.
unsafe fn is_scalar(ty: LLVMTypeRef) -> bool {
    // SAFETY: as the caller says.
    let kind = unsafe { LLVMGetTypeKind(ty) };
    matches!(
        kind,
        TypeKind::LLVMIntegerTypeKind
            | TypeKind::LLVMPointerTypeKind
            | TypeKind::LLVMFloatTypeKind
            | TypeKind::LLVMDoubleTypeKind
    )
}

/// The types of what a piece gives, if it is more than one value.
///
/// # Safety
/// The type is one of a living module.
unsafe fn elements(ty: LLVMTypeRef) -> Option<Vec<LLVMTypeRef>> {
    // SAFETY: as the caller says.
    unsafe {
        (LLVMGetTypeKind(ty) == TypeKind::LLVMStructTypeKind)
            .then(|| (0..LLVMCountStructElementTypes(ty)).map(|at| LLVMStructGetTypeAtIndex(ty, at)).collect())
    }
}

/// The arguments that point to what it writes, and the types that it writes there. `None`: there is one that is no scalar.
fn written(call: Val<'_>) -> Option<Vec<(u32, LLVMTypeRef)>> {
    let mut written = Vec::new();
    for argument in places(call) {
        let element = c"elementtype";
        // SAFETY: it is a call of a living module that has this argument.
        let ty = unsafe {
            let kind = LLVMGetEnumAttributeKindForName(element.as_ptr(), element.count_bytes());
            let attribute = LLVMGetCallSiteEnumAttribute(call.raw, argument + 1, kind);
            (!attribute.is_null()).then(|| LLVMGetTypeAttributeValue(attribute)).filter(|ty| is_scalar(*ty))
        };
        written.push((argument, ty?));
    }
    Some(written)
}

/// The arguments that point to what it writes.
fn places(call: Val<'_>) -> Vec<u32> {
    // SAFETY: it is a call of a living module.
    let count = unsafe { LLVMGetNumArgOperands(call.raw) };
    if let Some(name) = machine_function(call) {
        // Its pointer is the last argument.
        return if WRITING.contains(&base(&name)) { count.checked_sub(1).into_iter().collect() } else { Vec::new() };
    }
    let constraints = call.callee().and_then(Val::inline_asm).map(|(_, constraints)| constraints).unwrap_or_default();
    // Arguments are in the order of the operands, without those that are values which it gives, and what it clobbers.
    let is_argument = |text: &&str| {
        !text.starts_with('~') && !text.starts_with('!') && (!text.starts_with('=') || text.contains('*'))
    };
    let arguments = constraints.split(',').filter(is_argument);
    (0..count).zip(arguments).filter(|(_, text)| text.starts_with('=')).map(|(at, _)| at).collect()
}

/// Puts calls of functions in the place of one that [`can_be_calls`].
///
/// # Safety
/// `call` is one, and what `function` gives is of its module and has the type.
pub(super) unsafe fn as_calls(call: LLVMValueRef, name: &str, function: &dyn Fn(&str, LLVMTypeRef) -> LLVMValueRef) {
    let writes = Val::new(call).and_then(written).unwrap_or_default();
    // SAFETY: `call` is a call with an instruction behind it; all that is made is of its module, and goes in before that one.
    unsafe {
        let pointers: Vec<_> = writes.iter().map(|(at, ty)| (LLVMGetOperand(call, *at), *ty)).collect();
        let builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(LLVMGetGlobalParent(LLVMGetBasicBlockParent(
            LLVMGetInstructionParent(call),
        ))));
        LLVMPositionBuilderBefore(builder, LLVMGetNextInstruction(call));
        LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(call));
        let value = |part: String, ty: LLVMTypeRef| {
            let ty = LLVMFunctionType(ty, std::ptr::null_mut(), 0, 0);
            called(builder, function(&part, ty), ty, &mut [])
        };
        for (at, (pointer, ty)) in pointers.into_iter().enumerate() {
            LLVMBuildStore(builder, value(format!("{name}_memory{}", at + 1), ty), pointer);
        }
        let ty = LLVMGetCalledFunctionType(call);
        match elements(LLVMTypeOf(call)) {
            None => call_instead(call, function(name, ty)),
            Some(parts) => {
                let mut given = LLVMGetPoison(LLVMTypeOf(call));
                for (at, ty) in (0..).zip(parts) {
                    let part = value(format!("{name}_value{}", at + 1), ty);
                    given = LLVMBuildInsertValue(builder, given, part, at, c"".as_ptr());
                }
                LLVMPositionBuilderBefore(builder, call);
                let mut arguments: Vec<_> =
                    (0..LLVMGetNumArgOperands(call)).map(|at| LLVMGetOperand(call, at)).collect();
                let mut types: Vec<_> = arguments.iter().map(|value| LLVMTypeOf(*value)).collect();
                let nothing = LLVMVoidTypeInContext(LLVMGetTypeContext(ty));
                let ty = LLVMFunctionType(nothing, types.as_mut_ptr(), types.len() as u32, 0);
                called(builder, function(name, ty), ty, &mut arguments);
                LLVMReplaceAllUsesWith(call, given);
                LLVMInstructionEraseFromParent(call);
            }
        }
        LLVMDisposeBuilder(builder);
    }
}

/// # Safety
/// The builder stands somewhere, and the function has this type.
unsafe fn called(
    builder: LLVMBuilderRef,
    function: LLVMValueRef,
    ty: LLVMTypeRef,
    arguments: &mut [LLVMValueRef],
) -> LLVMValueRef {
    // SAFETY: as the caller says; the text is read only during the call.
    unsafe { LLVMBuildCall2(builder, ty, function, arguments.as_mut_ptr(), arguments.len() as u32, c"".as_ptr()) }
}

/// # Safety
/// `call` is a call, and the function is of its module.
pub(super) unsafe fn call_instead(call: LLVMValueRef, function: LLVMValueRef) {
    let element = c"elementtype";
    // SAFETY: the last operand of a call is what it calls. An attribute that only assembly may have goes.
    unsafe {
        LLVMSetOperand(call, LLVMGetNumOperands(call).cast_unsigned() - 1, function);
        let kind = LLVMGetEnumAttributeKindForName(element.as_ptr(), element.count_bytes());
        for argument in 1..=LLVMGetNumArgOperands(call) {
            LLVMRemoveCallSiteEnumAttribute(call, argument, kind);
        }
    }
}
