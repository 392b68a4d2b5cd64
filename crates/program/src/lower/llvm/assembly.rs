//! Assembly of a machine that is not this one, as calls of functions that nobody defines.

use std::ffi::CString;

use inkwell::llvm_sys::LLVMAttributeFunctionIndex;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::{LLVMModuleRef, LLVMTypeRef, LLVMValueRef};

use super::{Linkage, Module, Val, assembly_parts as parts};
use crate::world::ASSEMBLY;

impl Module<'_> {
    /// Each piece of assembly inside of functions becomes the call of a function that is named after the one that it is in: what it
    /// gives is open, and what it is given it may look at. Further values that it gives, and what it writes to operands in memory, are
    /// those of functions of their own. Instructions of the machine that code asks for by functions of the compiler's are assembly, too.
    /// Returns how many there were. What has no text, gives what is no scalar, or does not return stays what it is.
    pub(in super::super) fn assembly_as_calls(&mut self) -> usize {
        self.drop_barriers();
        let pieces = self.pieces(|function| !is_naked(function)).into_iter();
        let simple: Vec<_> = pieces.filter(|(_, call)| parts::can_be_calls(*call)).map(raw).collect();
        for (name, call) in &simple {
            // SAFETY: it is a call of this module.
            unsafe { parts::as_calls(*call, name, &|name, ty| named(self.raw, name, ty)) }
        }
        simple.len()
    }

    /// The same for code that is compiled to be run with what tests say of it. Pieces that have no function among these, which are
    /// those that tests define, end the process; assembly outside of functions goes. Returns how many there were.
    pub(in super::super) fn assembly_as_known_calls(&mut self, is_known: &dyn Fn(&str) -> bool) -> usize {
        let barriers = self.drop_barriers();
        let pieces: Vec<_> =
            self.pieces(|_| true).into_iter().map(|(name, call)| (name, call.raw, parts::can_be_calls(call))).collect();
        let outside = usize::from(!self.assembly().is_empty());
        let naked: Vec<_> = self.functions().filter(|function| is_naked(*function)).map(|f| f.raw).collect();
        // SAFETY: they are functions of this module; the text is read only during the call.
        unsafe {
            naked.into_iter().for_each(|f| LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, naked_kind()));
            LLVMSetModuleInlineAsm2(self.raw, c"".as_ptr(), 0);
        }
        let function = |name: &str, ty: LLVMTypeRef| {
            // SAFETY: the type is one of this module's.
            unsafe { if is_known(name) { named(self.raw, name, ty) } else { ending(self.raw, ty) } }
        };
        for (name, call, can_be_calls) in &pieces {
            // SAFETY: it is a call of this module.
            unsafe {
                match can_be_calls {
                    true => parts::as_calls(*call, name, &function),
                    false => parts::call_instead(*call, function(name, LLVMGetCalledFunctionType(*call))),
                }
            }
        }
        pieces.len() + outside + barriers
    }

    /// All assembly that is text, and instructions of the machine, in some functions, with the name of what takes its place.
    fn pieces(&self, is_wanted: fn(Val<'_>) -> bool) -> Vec<(String, Val<'_>)> {
        let mut pieces = Vec::new();
        for function in self.functions().filter(|function| is_wanted(*function)) {
            let all = function.blocks().into_iter().flat_map(|block| block.instructions().collect::<Vec<_>>());
            let texts = all.filter(|call| is_text(*call) || parts::machine_function(*call).is_some()).enumerate();
            pieces.extend(texts.map(|(at, call)| (format!("{ASSEMBLY}{}_{}", function.name(), at + 1), call)));
        }
        pieces
    }

    /// Leaves out what orders accesses to memory for others, or waits, and changes nothing. Returns how many there were.
    fn drop_barriers(&mut self) -> usize {
        let functions = self.functions().flat_map(|function| function.blocks());
        let calls = functions.flat_map(|block| block.instructions().collect::<Vec<_>>());
        let is_barrier = |call: &Val<'_>| parts::machine_function(*call).is_some_and(|name| parts::is_barrier(&name));
        let all: Vec<_> = calls.filter(is_barrier).map(|call| call.raw).collect();
        for call in &all {
            // SAFETY: it is an instruction of this module that gives no value, and nobody else has it.
            unsafe { LLVMInstructionEraseFromParent(*call) }
        }
        all.len()
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
