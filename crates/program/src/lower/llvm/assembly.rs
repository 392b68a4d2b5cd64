//! Assembly of a machine that is not this one, as calls of functions that nobody defines.

use std::ffi::CString;

use inkwell::llvm_sys::LLVMAttributeFunctionIndex;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::{LLVMModuleRef, LLVMTypeRef, LLVMValueRef};

use super::{Linkage, Module, Opcode, TypeKind, Val};
use crate::world::ASSEMBLY;

impl Module<'_> {
    /// Each piece of assembly inside of functions becomes the call of a function that is named after the one that it is in: what it
    /// gives is open, and what it is given it may look at. Returns how many there were. What has no text, gives more than one value,
    /// has operands in memory or does not return stays what it is.
    pub(in super::super) fn assembly_as_calls(&mut self) -> usize {
        let pieces = self.pieces(|function| !is_naked(function)).into_iter();
        let simple: Vec<_> = pieces.filter(|(_, call)| is_simple(*call)).map(raw).collect();
        for (name, call) in &simple {
            // SAFETY: it is a call of this module.
            unsafe { call_instead(*call, named(self.raw, name, LLVMGetCalledFunctionType(*call))) }
        }
        simple.len()
    }

    /// The same for code that was compiled for another machine than its own. Pieces that have no function among these, which are
    /// those that tests define, end the process; assembly outside of functions goes. Returns how many there were.
    pub(in super::super) fn assembly_as_known_calls(&mut self, is_known: &dyn Fn(&str) -> bool) -> usize {
        let pieces: Vec<_> = self.pieces(|_| true).into_iter().map(raw).collect();
        let outside = usize::from(!self.assembly().is_empty());
        let naked: Vec<_> = self.functions().filter(|function| is_naked(*function)).map(|f| f.raw).collect();
        // SAFETY: they are functions of this module; the text is read only during the call.
        unsafe {
            naked.into_iter().for_each(|f| LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, naked_kind()));
            LLVMSetModuleInlineAsm2(self.raw, c"".as_ptr(), 0);
        }
        for (name, call) in &pieces {
            // SAFETY: it is a call of this module.
            unsafe {
                let ty = LLVMGetCalledFunctionType(*call);
                let function = if is_known(name) { named(self.raw, name, ty) } else { ending(self.raw, ty) };
                call_instead(*call, function);
            }
        }
        pieces.len() + outside
    }

    /// All assembly that is text, in some functions, with the name of what takes its place.
    fn pieces(&self, is_wanted: fn(Val<'_>) -> bool) -> Vec<(String, Val<'_>)> {
        let mut pieces = Vec::new();
        for function in self.functions().filter(|function| is_wanted(*function)) {
            let all = function.blocks().into_iter().flat_map(|block| block.instructions().collect::<Vec<_>>());
            let texts = all.filter(|call| is_text(*call)).enumerate();
            pieces.extend(texts.map(|(at, call)| (format!("{ASSEMBLY}{}_{}", function.name(), at + 1), call)));
        }
        pieces
    }
}

fn raw((name, call): (String, Val<'_>)) -> (String, LLVMValueRef) {
    (name, call.raw)
}

/// # Safety
/// The module is alive, and the type is one of a function of it.
unsafe fn named(module: LLVMModuleRef, name: &str, ty: LLVMTypeRef) -> LLVMValueRef {
    let name = CString::new(name.replace('\0', "_")).unwrap_or_default();
    // SAFETY: the name is read only during the calls.
    unsafe {
        let known = LLVMGetNamedFunction(module, name.as_ptr());
        if known.is_null() { LLVMAddFunction(module, name.as_ptr(), ty) } else { known }
    }
}

/// A function that ends the process.
///
/// # Safety
/// As for [`named`].
unsafe fn ending(module: LLVMModuleRef, ty: LLVMTypeRef) -> LLVMValueRef {
    // SAFETY: all is of the module's context; the builder goes when its work is done.
    unsafe {
        let context = LLVMGetModuleContext(module);
        let nothing = LLVMFunctionType(LLVMVoidTypeInContext(context), std::ptr::null_mut(), 0, 0);
        let abort = named(module, "abort", nothing);
        let function = LLVMAddFunction(module, c"covenant_other_assembly".as_ptr(), ty);
        LLVMSetLinkage(function, Linkage::LLVMInternalLinkage);
        let builder = LLVMCreateBuilderInContext(context);
        LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(context, function, c"".as_ptr()));
        LLVMBuildCall2(builder, nothing, abort, std::ptr::null_mut(), 0, c"".as_ptr());
        LLVMBuildUnreachable(builder);
        LLVMDisposeBuilder(builder);
        function
    }
}

/// # Safety
/// `call` is a call, and the function is of its module.
unsafe fn call_instead(call: LLVMValueRef, function: LLVMValueRef) {
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

fn naked_kind() -> u32 {
    let name = c"naked";
    // SAFETY: the name is read only during the call.
    unsafe { LLVMGetEnumAttributeKindForName(name.as_ptr(), name.count_bytes()) }
}

/// Whether it has nothing but assembly.
fn is_naked(function: Val<'_>) -> bool {
    // SAFETY: it is a function of a living module.
    unsafe { !LLVMGetEnumAttributeAtIndex(function.raw, LLVMAttributeFunctionIndex, naked_kind()).is_null() }
}

/// Whether it is assembly that is not empty.
fn is_text(call: Val<'_>) -> bool {
    let text = call.callee().and_then(Val::inline_asm);
    text.is_some_and(|(template, _)| template.lines().any(|line| !line.trim().is_empty()))
}

/// Whether it gives one value or none, has all it works on in registers, and goes on behind it.
fn is_simple(call: Val<'_>) -> bool {
    let in_memory = call.callee().and_then(Val::inline_asm).is_none_or(|(_, constraints)| constraints.contains('*'));
    // SAFETY: it is an instruction of a living module.
    let (kind, next) = unsafe { (LLVMGetTypeKind(LLVMTypeOf(call.raw)), LLVMGetNextInstruction(call.raw)) };
    // SAFETY: a next instruction is one, if there is any.
    let ends = !next.is_null() && unsafe { LLVMGetInstructionOpcode(next) } == Opcode::LLVMUnreachable;
    let one = matches!(
        kind,
        TypeKind::LLVMVoidTypeKind
            | TypeKind::LLVMIntegerTypeKind
            | TypeKind::LLVMPointerTypeKind
            | TypeKind::LLVMFloatTypeKind
            | TypeKind::LLVMDoubleTypeKind
    );
    one && !ends && !in_memory
}
