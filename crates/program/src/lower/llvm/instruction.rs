//! Blocks and instructions.

use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::*;

use super::{Borrow, IntPredicate, Opcode, RealPredicate, RmwOp, Ty, Val, ValueKind, string};

/// A basic block.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(in super::super) struct Bb<'m> {
    pub(super) raw: LLVMBasicBlockRef,
    borrow: Borrow<'m>,
}

impl<'m> Bb<'m> {
    pub(super) fn new(raw: LLVMBasicBlockRef) -> Option<Bb<'m>> {
        (!raw.is_null()).then(|| Bb { raw, borrow: Borrow::default() })
    }

    pub(in super::super) fn instructions(self) -> impl Iterator<Item = Val<'m>> {
        // SAFETY: the list of a block's instructions.
        unsafe {
            std::iter::successors(Val::new(LLVMGetFirstInstruction(self.raw)), |i| {
                Val::new(LLVMGetNextInstruction(i.raw))
            })
        }
    }

    pub(in super::super) fn terminator(self) -> Option<Val<'m>> {
        // SAFETY: null where there is none.
        Val::new(unsafe { LLVMGetBasicBlockTerminator(self.raw) })
    }

    pub(in super::super) fn successors(self) -> Vec<Bb<'m>> {
        self.terminator().map(Val::successors).unwrap_or_default()
    }
}

/// Numbers that LLVM gives to the attributes of arguments that change how they are passed, and of functions that do not return.
#[derive(Clone, Copy)]
pub(in super::super) struct AttributeKinds {
    byval: u32,
    align: u32,
    inalloca: u32,
    preallocated: u32,
    noreturn: u32,
    sret: u32,
}

impl AttributeKinds {
    pub(in super::super) fn new() -> AttributeKinds {
        // SAFETY: the name is read only during the call.
        let kind = |name: &str| unsafe { LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()) };
        AttributeKinds {
            byval: kind("byval"),
            align: kind("align"),
            inalloca: kind("inalloca"),
            preallocated: kind("preallocated"),
            noreturn: kind("noreturn"),
            sret: kind("sret"),
        }
    }
}

impl<'m> Val<'m> {
    fn is(self, opcode: Opcode) -> bool {
        self.is_instruction() && self.opcode() == Some(opcode)
    }

    pub(in super::super) fn successors(self) -> Vec<Bb<'m>> {
        // SAFETY: only terminators have successors, and the index is in range.
        unsafe {
            if !self.is_instruction() || LLVMIsATerminatorInst(self.raw).is_null() {
                return Vec::new();
            }
            (0..LLVMGetNumSuccessors(self.raw)).filter_map(|i| Bb::new(LLVMGetSuccessor(self.raw, i))).collect()
        }
    }

    pub(in super::super) fn is_terminator(self) -> bool {
        // SAFETY: may be asked of any value.
        unsafe { !LLVMIsATerminatorInst(self.raw).is_null() }
    }

    /// Values and blocks of a phi.
    pub(in super::super) fn incoming(self) -> Vec<(Val<'m>, Bb<'m>)> {
        if !self.is(Opcode::LLVMPHI) {
            return Vec::new();
        }
        // SAFETY: a phi, and indices in range.
        unsafe {
            (0..LLVMCountIncoming(self.raw))
                .filter_map(|i| {
                    let value = Val::new(LLVMGetIncomingValue(self.raw, i))?;
                    Some((value, Bb::new(LLVMGetIncomingBlock(self.raw, i))?))
                })
                .collect()
        }
    }

    /// No signed wrap, no unsigned wrap.
    pub(in super::super) fn no_wrap(self) -> (bool, bool) {
        use Opcode::{LLVMAdd, LLVMMul, LLVMShl, LLVMSub};
        match self.opcode() {
            // SAFETY: the instructions that carry these flags.
            Some(LLVMAdd | LLVMSub | LLVMMul | LLVMShl) if self.is_instruction() => unsafe {
                (LLVMGetNSW(self.raw) != 0, LLVMGetNUW(self.raw) != 0)
            },
            _ => (false, false),
        }
    }

    pub(in super::super) fn int_predicate(self) -> Option<IntPredicate> {
        // SAFETY: the opcode is checked first.
        self.is(Opcode::LLVMICmp).then(|| unsafe { LLVMGetICmpPredicate(self.raw) })
    }

    pub(in super::super) fn real_predicate(self) -> Option<RealPredicate> {
        // SAFETY: the opcode is checked first.
        self.is(Opcode::LLVMFCmp).then(|| unsafe { LLVMGetFCmpPredicate(self.raw) })
    }

    pub(in super::super) fn rmw_op(self) -> Option<RmwOp> {
        // SAFETY: the opcode is checked first.
        self.is(Opcode::LLVMAtomicRMW).then(|| unsafe { LLVMGetAtomicRMWBinOp(self.raw) })
    }

    pub(in super::super) fn is_volatile(self) -> bool {
        use Opcode::{LLVMAtomicCmpXchg, LLVMAtomicRMW, LLVMLoad, LLVMStore};
        match self.opcode() {
            // SAFETY: the instructions that can be volatile.
            Some(LLVMLoad | LLVMStore | LLVMAtomicRMW | LLVMAtomicCmpXchg) if self.is_instruction() => unsafe {
                LLVMGetVolatile(self.raw) != 0
            },
            _ => false,
        }
    }

    /// Type and alignment of an `alloca`.
    pub(in super::super) fn allocated(self) -> Option<(Ty<'m>, u32)> {
        // SAFETY: the opcode is checked first.
        self.is(Opcode::LLVMAlloca)
            .then(|| unsafe { (Ty::new(LLVMGetAllocatedType(self.raw)), LLVMGetAlignment(self.raw)) })
    }

    /// The type that the first index of a `getelementptr` steps over.
    pub(in super::super) fn gep_type(self) -> Option<Ty<'m>> {
        // SAFETY: the opcode is checked first, for instructions and constant expressions alike.
        (self.opcode() == Some(Opcode::LLVMGetElementPtr))
            .then(|| Ty::new(unsafe { LLVMGetGEPSourceElementType(self.raw) }))
    }

    /// The path of an `extractvalue` or `insertvalue`.
    pub(in super::super) fn indices(self) -> Vec<u32> {
        if !self.is(Opcode::LLVMExtractValue) && !self.is(Opcode::LLVMInsertValue) {
            return Vec::new();
        }
        // SAFETY: the opcode was checked; the list lives in the instruction.
        unsafe { std::slice::from_raw_parts(LLVMGetIndices(self.raw), LLVMGetNumIndices(self.raw) as usize).to_vec() }
    }

    /// The mask of a `shufflevector`; `None` is an undefined lane.
    pub(in super::super) fn shuffle_mask(self) -> Vec<Option<usize>> {
        if self.opcode() != Some(Opcode::LLVMShuffleVector) {
            return Vec::new();
        }
        // SAFETY: the opcode was checked, for instructions and constant expressions alike.
        unsafe {
            (0..LLVMGetNumMaskElements(self.raw)).map(|i| usize::try_from(LLVMGetMaskValue(self.raw, i)).ok()).collect()
        }
    }

    // Calls.

    pub(in super::super) fn callee(self) -> Option<Val<'m>> {
        // SAFETY: the opcode is checked first.
        if self.is(Opcode::LLVMCall) { Val::new(unsafe { LLVMGetCalledValue(self.raw) }) } else { None }
    }

    pub(in super::super) fn callee_type(self) -> Option<Ty<'m>> {
        // SAFETY: the opcode is checked first.
        self.is(Opcode::LLVMCall).then(|| Ty::new(unsafe { LLVMGetCalledFunctionType(self.raw) }))
    }

    pub(in super::super) fn call_argument_count(self) -> u32 {
        // SAFETY: the opcode is checked first.
        if self.is(Opcode::LLVMCall) { unsafe { LLVMGetNumArgOperands(self.raw) } } else { 0 }
    }

    fn argument_attribute(self, argument: u32, kind: u32) -> Option<LLVMAttributeRef> {
        // SAFETY: a call (checked); attribute indices of arguments start at 1; null where there is none.
        let found = unsafe {
            let at_call = LLVMGetCallSiteEnumAttribute(self.raw, argument + 1, kind);
            match self.callee() {
                Some(f) if at_call.is_null() && f.is_function() && argument < LLVMCountParams(f.raw) => {
                    LLVMGetEnumAttributeAtIndex(f.raw, argument + 1, kind)
                }
                _ => at_call,
            }
        };
        (!found.is_null()).then_some(found)
    }

    /// Type and alignment (0: that of the type) of an argument that is a struct passed by value.
    pub(in super::super) fn by_value(self, argument: u32, kinds: AttributeKinds) -> Option<(Ty<'m>, u32)> {
        if !self.is(Opcode::LLVMCall) {
            return None;
        }
        let byval = self.argument_attribute(argument, kinds.byval)?;
        // SAFETY: `byval` holds a type, `align` a number.
        unsafe {
            let ty = Ty::new(LLVMGetTypeAttributeValue(byval));
            let align = self.argument_attribute(argument, kinds.align).map_or(0, |a| LLVMGetEnumAttributeValue(a));
            Some((ty, align as u32))
        }
    }

    /// Whether the argument is passed in a way that x86-64 does not use.
    pub(in super::super) fn is_passed_oddly(self, argument: u32, kinds: AttributeKinds) -> bool {
        self.is(Opcode::LLVMCall)
            && (self.argument_attribute(argument, kinds.inalloca).is_some()
                || self.argument_attribute(argument, kinds.preallocated).is_some())
    }

    /// Whether it is a function that is declared not to return.
    pub(in super::super) fn never_returns(self, kinds: AttributeKinds) -> bool {
        // SAFETY: a function (checked); null where there is no such attribute.
        self.is_function()
            && unsafe {
                !LLVMGetEnumAttributeAtIndex(self.raw, inkwell::llvm_sys::LLVMAttributeFunctionIndex, kinds.noreturn)
                    .is_null()
            }
    }

    /// What a function returns whose first argument is where its result goes.
    pub(in super::super) fn returned_in_memory(self, kinds: AttributeKinds) -> Option<Ty<'m>> {
        // SAFETY: a function with a parameter (checked), where the attribute has a type.
        unsafe {
            if !self.is_function() || LLVMCountParams(self.raw) == 0 {
                return None;
            }
            let sret = LLVMGetEnumAttributeAtIndex(self.raw, 1, kinds.sret);
            (!sret.is_null()).then(|| Ty::new(LLVMGetTypeAttributeValue(sret)))
        }
    }

    /// Template and constraints of inline assembly.
    pub(in super::super) fn inline_asm(self) -> Option<(String, String)> {
        if self.kind() != ValueKind::LLVMInlineAsmValueKind {
            return None;
        }
        // SAFETY: the kind was checked; the strings live in the value.
        unsafe {
            let (mut template, mut constraints) = (0, 0);
            let text = LLVMGetInlineAsmAsmString(self.raw, &raw mut template);
            let rules = LLVMGetInlineAsmConstraintString(self.raw, &raw mut constraints);
            Some((string(text, template), string(rules, constraints)))
        }
    }
}
