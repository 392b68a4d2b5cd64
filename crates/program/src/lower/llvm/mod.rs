//! The only door to LLVM: safe wrappers over what the lowering needs of LLVM's C interface.
//!
//! Invariants that make the wrappers safe:
//!
//! * A handle ([`Val`], [`Ty`], [`Bb`], [`Md`]) borrows the [`Module`] it comes from, so it cannot outlive it. What
//!   changes a module takes it by value or by `&mut`.
//! * LLVM's accessors cast without a check. Each wrapper first looks at the kind of what it was given and answers
//!   `None` (or nothing) where the cast would be wrong.
//! * A diagnostic handler is always set: without one LLVM ends the process on an error.
#![allow(unsafe_code)] // LLVM is a C++ library; everything here goes through its C interface.

mod assembly;
mod assembly_parts;
mod debug_types;
mod instruction;
mod metadata;
mod types;
mod value;

use std::cell::RefCell;
use std::ffi::{CStr, c_char, c_void};
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::ptr;

use inkwell::llvm_sys::LLVMDiagnosticSeverity;
use inkwell::llvm_sys::bit_reader::LLVMParseBitcodeInContext2;
use inkwell::llvm_sys::bit_writer::LLVMWriteBitcodeToMemoryBuffer;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::error::{LLVMDisposeErrorMessage, LLVMGetErrorMessage};
use inkwell::llvm_sys::linker::LLVMLinkModules2;
use inkwell::llvm_sys::prelude::*;
use inkwell::llvm_sys::target::{LLVMCopyStringRepOfTargetData, LLVMGetModuleDataLayout};
use inkwell::llvm_sys::transforms::pass_builder::{
    LLVMCreatePassBuilderOptions, LLVMDisposePassBuilderOptions, LLVMRunPasses,
};

pub(super) use debug_types::{DebugInfo, NodeKey, Tag, TypeNode};
pub(super) use inkwell::llvm_sys::{
    LLVMAtomicRMWBinOp as RmwOp, LLVMIntPredicate as IntPredicate, LLVMLinkage as Linkage, LLVMOpcode as Opcode,
    LLVMRealPredicate as RealPredicate, LLVMTypeKind as TypeKind, LLVMValueKind as ValueKind,
};
pub(super) use instruction::{AttributeKinds, Bb};
pub(super) use metadata::Md;
pub(super) use types::Ty;
pub(super) use value::Val;

use crate::coverage::decode::CoverageError;
use crate::coverage::{FunctionCoverage, module};

/// The name of what a local is before it is written.
const FIRST_VALUE: &CStr = c"covenant.first";

/// Whether values of the type are promoted as a whole.
fn is_scalar(ty: LLVMTypeRef) -> bool {
    use TypeKind::*;
    // SAFETY: it is a type of a living module.
    let kind = unsafe { LLVMGetTypeKind(ty) };
    matches!(
        kind,
        LLVMIntegerTypeKind
            | LLVMFloatTypeKind
            | LLVMDoubleTypeKind
            | LLVMX86_FP80TypeKind
            | LLVMPointerTypeKind
            | LLVMVectorTypeKind
    )
}

/// An LLVM context and the diagnostics that came up in it.
pub(super) struct Context {
    raw: LLVMContextRef,
    /// Boxed, as LLVM holds its address.
    messages: Box<RefCell<Vec<String>>>,
}

extern "C" fn collect(info: LLVMDiagnosticInfoRef, messages: *mut c_void) {
    // SAFETY: the pointer is the box of a living `Context`; LLVM calls back on the thread that called it.
    unsafe {
        if LLVMGetDiagInfoSeverity(info) == LLVMDiagnosticSeverity::LLVMDSError {
            let text = LLVMGetDiagInfoDescription(info);
            let messages = &*messages.cast::<RefCell<Vec<String>>>();
            messages.borrow_mut().push(CStr::from_ptr(text).to_string_lossy().into_owned());
            LLVMDisposeMessage(text);
        }
    }
}

impl Context {
    pub(super) fn new() -> Context {
        let messages = Box::new(RefCell::new(Vec::new()));
        // SAFETY: the box lives as long as the context.
        unsafe {
            let raw = LLVMContextCreate();
            let target = ptr::from_ref::<RefCell<Vec<String>>>(&messages).cast_mut().cast();
            LLVMContextSetDiagnosticHandler(raw, Some(collect), target);
            Context { raw, messages }
        }
    }

    fn take_messages(&self) -> String {
        let messages = std::mem::take(&mut *self.messages.borrow_mut());
        if messages.is_empty() { "LLVM gave no reason".to_owned() } else { messages.join("; ") }
    }

    pub(super) fn parse(&self, bitcode: &[u8]) -> Result<Module<'_>, String> {
        // SAFETY: the buffer is a copy that is disposed of after parsing; nothing in the module points into it.
        unsafe {
            let buffer =
                LLVMCreateMemoryBufferWithMemoryRangeCopy(bitcode.as_ptr().cast(), bitcode.len(), c"bitcode".as_ptr());
            let mut raw = ptr::null_mut();
            let failed = LLVMParseBitcodeInContext2(self.raw, buffer, &raw mut raw) != 0;
            LLVMDisposeMemoryBuffer(buffer);
            if failed { Err(self.take_messages()) } else { Ok(Module { raw, cx: self }) }
        }
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: modules borrow the context, so they are gone.
        unsafe { LLVMContextDispose(self.raw) }
    }
}

/// A module in memory.
pub(super) struct Module<'c> {
    raw: LLVMModuleRef,
    cx: &'c Context,
}

impl Drop for Module<'_> {
    fn drop(&mut self) {
        // SAFETY: handles borrow the module, so none is left.
        unsafe { LLVMDisposeModule(self.raw) }
    }
}

impl<'c> Module<'c> {
    /// Moves everything of `other` into this module.
    pub(super) fn link(&mut self, other: Module<'c>) -> Result<(), String> {
        let source = other.raw;
        std::mem::forget(other);
        // SAFETY: both are of one context; LLVM destroys the source.
        match unsafe { LLVMLinkModules2(self.raw, source) } {
            0 => Ok(()),
            _ => Err(self.cx.take_messages()),
        }
    }

    /// Promotes locals to registers; no other pass runs.
    pub(super) fn promote_locals(&mut self) -> Result<(), String> {
        self.forget_optnone();
        self.keep_open_values();
        let promoted = self.run_promotion();
        self.forget_first_values();
        promoted
    }

    fn run_promotion(&mut self) -> Result<(), String> {
        // SAFETY: LLVM allows the target machine to be null.
        unsafe {
            let options = LLVMCreatePassBuilderOptions();
            let error = LLVMRunPasses(self.raw, c"mem2reg".as_ptr(), ptr::null_mut(), options);
            LLVMDisposePassBuilderOptions(options);
            if error.is_null() {
                return Ok(());
            }
            let text = LLVMGetErrorMessage(error);
            let message = CStr::from_ptr(text).to_string_lossy().into_owned();
            LLVMDisposeErrorMessage(text);
            Err(message)
        }
    }

    /// What a local is before it is written, and what an operation gives that C does not define, LLVM takes for whatever makes a choice
    /// between values go away. Frozen it stays a value of its own.
    fn keep_open_values(&mut self) {
        // SAFETY: all instructions are of this module, and what is built is of the types of what is there.
        unsafe {
            let builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(self.raw));
            for function in self.functions().filter(|f| !f.is_declaration()) {
                for instruction in
                    function.blocks().into_iter().flat_map(|block| block.instructions().collect::<Vec<_>>())
                {
                    match instruction.opcode() {
                        Some(Opcode::LLVMAlloca) => {
                            let ty = LLVMGetAllocatedType(instruction.raw);
                            let next = LLVMGetNextInstruction(instruction.raw);
                            if !next.is_null()
                                && is_scalar(ty)
                                && LLVMIsConstant(LLVMGetOperand(instruction.raw, 0)) != 0
                            {
                                LLVMPositionBuilderBefore(builder, next);
                                let open = LLVMBuildFreeze(builder, LLVMGetUndef(ty), FIRST_VALUE.as_ptr());
                                LLVMBuildStore(builder, open, instruction.raw);
                            }
                        }
                        Some(Opcode::LLVMStore) => {
                            let value = LLVMGetOperand(instruction.raw, 0);
                            if LLVMIsUndef(value) != 0 && is_scalar(LLVMTypeOf(value)) {
                                LLVMPositionBuilderBefore(builder, instruction.raw);
                                LLVMSetOperand(instruction.raw, 0, LLVMBuildFreeze(builder, value, c"".as_ptr()));
                            }
                        }
                        _ => {}
                    }
                }
            }
            LLVMDisposeBuilder(builder);
        }
    }

    /// Locals that stayed in memory are not written there.
    fn forget_first_values(&mut self) {
        for function in self.functions().filter(|f| !f.is_declaration()) {
            let all = function.blocks().into_iter().flat_map(|block| block.instructions().collect::<Vec<_>>());
            let stores =
                all.filter(|i| i.opcode() == Some(Opcode::LLVMStore) && i.operand(0).is_some_and(Val::is_first_value));
            for store in stores.collect::<Vec<_>>() {
                // SAFETY: nothing uses a store, and no handle of it is kept.
                unsafe { LLVMInstructionEraseFromParent(store.raw) };
            }
        }
    }

    /// Passes skip functions that the source marks `optnone`.
    fn forget_optnone(&mut self) {
        const FUNCTION: u32 = u32::MAX;
        // SAFETY: removing an attribute that is not there does nothing.
        unsafe {
            let name = "optnone";
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            for function in self.functions() {
                LLVMRemoveEnumAttributeAtIndex(function.raw, FUNCTION, kind);
            }
        }
    }

    /// Makes debug records visible as calls of `llvm.dbg.*`.
    pub(super) fn show_debug_calls(&mut self) {
        // SAFETY: a plain conversion of the module.
        unsafe { LLVMSetIsNewDbgInfoFormat(self.raw, 0) }
    }

    pub(super) fn to_bitcode(&self) -> Vec<u8> {
        // SAFETY: the bytes are copied before the buffer goes.
        unsafe {
            let buffer = LLVMWriteBitcodeToMemoryBuffer(self.raw);
            let bytes =
                std::slice::from_raw_parts(LLVMGetBufferStart(buffer).cast::<u8>(), LLVMGetBufferSize(buffer)).to_vec();
            LLVMDisposeMemoryBuffer(buffer);
            bytes
        }
    }

    /// What clang's coverage mapping says of each function.
    pub(super) fn coverage(&self) -> Result<Vec<(Option<String>, FunctionCoverage)>, CoverageError> {
        // SAFETY: a second handle of a living module, which is never dropped.
        let module = ManuallyDrop::new(unsafe { inkwell::module::Module::new(self.raw) });
        module::read_with_symbols(&module)
    }

    /// Assembly outside of functions.
    pub(super) fn assembly(&self) -> String {
        let mut length = 0;
        // SAFETY: LLVM owns the text and says how long it is.
        unsafe {
            let text = LLVMGetModuleInlineAsm(self.raw, &raw mut length);
            string(text, length)
        }
    }

    pub(super) fn triple(&self) -> String {
        // SAFETY: a string owned by the module.
        unsafe { CStr::from_ptr(LLVMGetTarget(self.raw)).to_string_lossy().into_owned() }
    }

    pub(super) fn layout(&self) -> String {
        // SAFETY: LLVM allocates the string and we give it back.
        unsafe {
            let text = LLVMCopyStringRepOfTargetData(LLVMGetModuleDataLayout(self.raw));
            let layout = CStr::from_ptr(text).to_string_lossy().into_owned();
            LLVMDisposeMessage(text);
            layout
        }
    }

    pub(super) fn functions(&self) -> impl Iterator<Item = Val<'_>> {
        // SAFETY: a list owned by the module.
        unsafe { self.list(LLVMGetFirstFunction(self.raw), |f| LLVMGetNextFunction(f)) }
    }

    pub(super) fn globals(&self) -> impl Iterator<Item = Val<'_>> {
        // SAFETY: as above.
        unsafe { self.list(LLVMGetFirstGlobal(self.raw), |g| LLVMGetNextGlobal(g)) }
    }

    pub(super) fn aliases(&self) -> impl Iterator<Item = Val<'_>> {
        // SAFETY: as above.
        unsafe { self.list(LLVMGetFirstGlobalAlias(self.raw), |a| LLVMGetNextGlobalAlias(a)) }
    }

    pub(super) fn ifuncs(&self) -> impl Iterator<Item = Val<'_>> {
        // SAFETY: as above.
        unsafe { self.list(LLVMGetFirstGlobalIFunc(self.raw), |a| LLVMGetNextGlobalIFunc(a)) }
    }

    fn list(
        &self,
        first: LLVMValueRef,
        next: unsafe fn(LLVMValueRef) -> LLVMValueRef,
    ) -> impl Iterator<Item = Val<'_>> {
        // SAFETY: `next` is the step of the list that `first` starts.
        std::iter::successors(Val::new(first), move |v| Val::new(unsafe { next(v.raw) }))
    }

    /// The function, variable, alias or ifunc of that name, defined or not.
    pub(super) fn symbol(&self, name: &str) -> Option<Val<'_>> {
        let (text, length) = (name.as_ptr().cast::<c_char>(), name.len());
        // SAFETY: the name is read only during the calls. The lookup wants a terminated string in two cases.
        unsafe {
            let terminated = std::ffi::CString::new(name).ok()?;
            Val::new(LLVMGetNamedFunction(self.raw, terminated.as_ptr()))
                .or_else(|| Val::new(LLVMGetNamedGlobal(self.raw, terminated.as_ptr())))
                .or_else(|| Val::new(LLVMGetNamedGlobalAlias(self.raw, text, length)))
                .or_else(|| Val::new(LLVMGetNamedGlobalIFunc(self.raw, text, length)))
        }
    }

    /// Whether the function or variable `value` stands in this module.
    pub(super) fn owns(&self, value: Val<'_>) -> bool {
        // SAFETY: checked to be a global value first.
        value.is_global() && unsafe { LLVMGetGlobalParent(value.raw) } == self.raw
    }
}

/// A string that LLVM owns.
///
/// # Safety
/// `text` is null or points to `length` bytes that live during the call.
unsafe fn string(text: *const c_char, length: usize) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: promised by the caller.
    String::from_utf8_lossy(unsafe { std::slice::from_raw_parts(text.cast::<u8>(), length) }).into_owned()
}

type Borrow<'m> = PhantomData<&'m ()>;
