//! Values: constants, and what can be asked of every value.

use std::fmt;

use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::*;
use smallvec::SmallVec;

use super::{Bb, Borrow, Linkage, Opcode, Ty, TypeKind, ValueKind, string};

/// A value: constant, global, argument or instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(in super::super) struct Val<'m> {
    pub(super) raw: LLVMValueRef,
    borrow: Borrow<'m>,
}

impl fmt::Debug for Val<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {}", self.kind(), self.name())
    }
}

impl<'m> Val<'m> {
    pub(super) fn new(raw: LLVMValueRef) -> Option<Val<'m>> {
        (!raw.is_null()).then(|| Val { raw, borrow: Borrow::default() })
    }

    pub(in super::super) fn kind(self) -> ValueKind {
        // SAFETY: any value has a kind.
        unsafe { LLVMGetValueKind(self.raw) }
    }

    pub(in super::super) fn ty(self) -> Ty<'m> {
        // SAFETY: any value has a type.
        Ty::new(unsafe { LLVMTypeOf(self.raw) })
    }

    pub(in super::super) fn name(self) -> String {
        // SAFETY: the name lives as long as the value.
        unsafe {
            let mut length = 0;
            let text = LLVMGetValueName2(self.raw, &raw mut length);
            string(text, length)
        }
    }

    /// Whether it is a value that C leaves open, which was kept apart.
    pub(in super::super) fn is_open(self) -> bool {
        use ValueKind::{LLVMPoisonValueKind, LLVMUndefValueValueKind};
        let of = |value: Val<'_>| matches!(value.kind(), LLVMUndefValueValueKind | LLVMPoisonValueKind);
        self.opcode() == Some(Opcode::LLVMFreeze) && self.operand(0).is_some_and(of)
    }

    /// The same of a local that nothing has written yet.
    pub(in super::super) fn is_first_value(self) -> bool {
        self.is_open() && self.name().as_bytes().starts_with(super::FIRST_VALUE.to_bytes())
    }

    pub(in super::super) fn is_constant(self) -> bool {
        // SAFETY: may be asked of any value.
        unsafe { LLVMIsConstant(self.raw) != 0 }
    }

    pub(in super::super) fn is_null(self) -> bool {
        // SAFETY: may be asked of any value.
        unsafe { LLVMIsNull(self.raw) != 0 }
    }

    pub(in super::super) fn is_instruction(self) -> bool {
        self.kind() == ValueKind::LLVMInstructionValueKind
    }

    pub(in super::super) fn is_function(self) -> bool {
        self.kind() == ValueKind::LLVMFunctionValueKind
    }

    /// A function, variable, alias or ifunc.
    pub(in super::super) fn is_global(self) -> bool {
        matches!(
            self.kind(),
            ValueKind::LLVMFunctionValueKind
                | ValueKind::LLVMGlobalVariableValueKind
                | ValueKind::LLVMGlobalAliasValueKind
                | ValueKind::LLVMGlobalIFuncValueKind
        )
    }

    /// The operation of an instruction or of a constant expression.
    pub(in super::super) fn opcode(self) -> Option<Opcode> {
        // SAFETY: the kind is checked before each cast.
        unsafe {
            match self.kind() {
                ValueKind::LLVMInstructionValueKind => Some(LLVMGetInstructionOpcode(self.raw)),
                ValueKind::LLVMConstantExprValueKind => Some(LLVMGetConstOpcode(self.raw)),
                _ => None,
            }
        }
    }

    fn has_operands(self) -> bool {
        // SAFETY: may be asked of any value.
        unsafe { !LLVMIsAUser(self.raw).is_null() }
    }

    pub(in super::super) fn operand_count(self) -> u32 {
        // SAFETY: only users have operands.
        if self.has_operands() { unsafe { LLVMGetNumOperands(self.raw) as u32 } } else { 0 }
    }

    pub(in super::super) fn operand(self, index: u32) -> Option<Val<'m>> {
        if index >= self.operand_count() {
            return None;
        }
        // SAFETY: the index was checked.
        Val::new(unsafe { LLVMGetOperand(self.raw, index) })
    }

    /// The instruction that uses this value, if there is exactly one use.
    pub(in super::super) fn only_user(self) -> Option<Val<'m>> {
        // SAFETY: null ends the list of uses.
        unsafe {
            let first = LLVMGetFirstUse(self.raw);
            if first.is_null() || !LLVMGetNextUse(first).is_null() {
                return None;
            }
            Val::new(LLVMGetUser(first))
        }
    }

    /// Whether code and data do nothing with this function but call it by name, and go to labels inside of it.
    pub(in super::super) fn is_only_called(self) -> bool {
        let calls = |user: Val<'m>| {
            let operands = (0..user.operand_count()).filter_map(|index| user.operand(index));
            user.callee() == Some(self) && operands.filter(|operand| *operand == self).count() == 1
        };
        let known = |at: LLVMUseRef| (!at.is_null()).then_some(at);
        // SAFETY: null ends the list of uses, and is never asked for what comes next.
        let uses = unsafe { std::iter::successors(known(LLVMGetFirstUse(self.raw)), |&at| known(LLVMGetNextUse(at))) };
        // SAFETY: as above.
        let mut users = uses.filter_map(|at| Val::new(unsafe { LLVMGetUser(at) }));
        users.all(|user| user.kind() == ValueKind::LLVMBlockAddressValueKind || calls(user))
    }

    /// Little-endian words of an integer or floating-point constant, as many as its width needs.
    ///
    /// The C interface reads no more than 64 bits of an integer and no exact float, but it folds: a float is first
    /// made an integer of its bits, then shifted and cut word by word.
    pub(in super::super) fn words(self) -> Option<SmallVec<[u64; 2]>> {
        let ty = self.ty();
        // SAFETY: the kinds are checked; the builder has no insertion point and only folds constants.
        unsafe {
            let (number, width) = match self.kind() {
                ValueKind::LLVMConstantIntValueKind => (self.raw, ty.int_width()),
                ValueKind::LLVMConstantFPValueKind => {
                    let width = float_width(ty.kind())?;
                    let int = LLVMIntTypeInContext(LLVMGetTypeContext(ty.raw), width);
                    (LLVMConstBitCast(self.raw, int), width)
                }
                _ => return None,
            };
            if LLVMIsAConstantInt(number).is_null() {
                return None;
            }
            if width <= 64 {
                return Some(SmallVec::from_slice(&[LLVMConstIntGetZExtValue(number)]));
            }
            let context = LLVMGetTypeContext(ty.raw);
            let word = LLVMIntTypeInContext(context, 64);
            let builder = LLVMCreateBuilderInContext(context);
            let mut words = SmallVec::new();
            for shift in (0..width).step_by(64) {
                let amount = LLVMConstInt(LLVMTypeOf(number), u64::from(shift), 0);
                let part = LLVMConstTrunc(LLVMBuildLShr(builder, number, amount, c"".as_ptr()), word);
                words.push(if LLVMIsAConstantInt(part).is_null() { 0 } else { LLVMConstIntGetZExtValue(part) });
            }
            LLVMDisposeBuilder(builder);
            Some(words)
        }
    }

    /// The zero-extended value of an integer constant of at most 64 bits.
    pub(in super::super) fn small_int(self) -> Option<u64> {
        // SAFETY: the kind and the width are checked.
        unsafe {
            (self.kind() == ValueKind::LLVMConstantIntValueKind && self.ty().int_width() <= 64)
                .then(|| LLVMConstIntGetZExtValue(self.raw))
        }
    }

    /// The sign-extended value of an integer constant of at most 64 bits.
    pub(in super::super) fn small_signed(self) -> Option<i64> {
        // SAFETY: the kind and the width are checked.
        unsafe {
            (self.kind() == ValueKind::LLVMConstantIntValueKind && self.ty().int_width() <= 64)
                .then(|| LLVMConstIntGetSExtValue(self.raw))
        }
    }

    /// An element of a constant array, struct or vector.
    pub(in super::super) fn element(self, index: u32) -> Option<Val<'m>> {
        // SAFETY: LLVM answers null for a constant without such an element.
        if self.is_constant() { Val::new(unsafe { LLVMGetAggregateElement(self.raw, index) }) } else { None }
    }

    /// The bytes of a constant array of `i8`.
    pub(in super::super) fn byte_string(self) -> Option<&'m [u8]> {
        // SAFETY: the kind is checked; the bytes live as long as the context.
        unsafe {
            if self.kind() != ValueKind::LLVMConstantDataArrayValueKind || LLVMIsConstantString(self.raw) == 0 {
                return None;
            }
            let mut length = 0;
            let text = LLVMGetAsString(self.raw, &raw mut length);
            Some(std::slice::from_raw_parts(text.cast::<u8>(), length))
        }
    }

    /// The function and the block of a label address.
    pub(in super::super) fn label(self) -> Option<(Val<'m>, Bb<'m>)> {
        if self.kind() != ValueKind::LLVMBlockAddressValueKind {
            return None;
        }
        // SAFETY: the kind was checked.
        unsafe {
            let function = Val::new(LLVMGetBlockAddressFunction(self.raw))?;
            Some((function, Bb::new(LLVMGetBlockAddressBasicBlock(self.raw))?))
        }
    }

    // Functions, variables, aliases.

    pub(in super::super) fn is_declaration(self) -> bool {
        // SAFETY: the kind is checked first.
        self.is_global() && unsafe { LLVMIsDeclaration(self.raw) != 0 }
    }

    pub(in super::super) fn linkage(self) -> Linkage {
        // SAFETY: the kind is checked first.
        if self.is_global() { unsafe { LLVMGetLinkage(self.raw) } } else { Linkage::LLVMPrivateLinkage }
    }

    /// The type of what a global value points to.
    pub(in super::super) fn value_type(self) -> Ty<'m> {
        // SAFETY: the kind is checked first.
        if self.is_global() { Ty::new(unsafe { LLVMGlobalGetValueType(self.raw) }) } else { self.ty() }
    }

    pub(in super::super) fn initializer(self) -> Option<Val<'m>> {
        if self.kind() != ValueKind::LLVMGlobalVariableValueKind {
            return None;
        }
        // SAFETY: the kind was checked; null where there is none.
        Val::new(unsafe { LLVMGetInitializer(self.raw) })
    }

    /// Whether each thread has a variable of its own.
    pub(in super::super) fn is_thread_local(self) -> bool {
        // SAFETY: only asked of variables.
        self.kind() == ValueKind::LLVMGlobalVariableValueKind && unsafe { LLVMIsThreadLocal(self.raw) != 0 }
    }

    pub(in super::super) fn is_constant_variable(self) -> bool {
        // SAFETY: the kind is checked first.
        self.kind() == ValueKind::LLVMGlobalVariableValueKind && unsafe { LLVMIsGlobalConstant(self.raw) != 0 }
    }

    pub(in super::super) fn aliasee(self) -> Option<Val<'m>> {
        if self.kind() != ValueKind::LLVMGlobalAliasValueKind {
            return None;
        }
        // SAFETY: the kind was checked.
        Val::new(unsafe { LLVMAliasGetAliasee(self.raw) })
    }

    /// Parameters of a function.
    pub(in super::super) fn arguments(self) -> Vec<Val<'m>> {
        if !self.is_function() {
            return Vec::new();
        }
        // SAFETY: the kind and the count are checked.
        unsafe { (0..LLVMCountParams(self.raw)).filter_map(|i| Val::new(LLVMGetParam(self.raw, i))).collect() }
    }

    /// Blocks of a function in layout order.
    pub(in super::super) fn blocks(self) -> Vec<Bb<'m>> {
        if !self.is_function() {
            return Vec::new();
        }
        // SAFETY: the list of a function's blocks.
        unsafe {
            std::iter::successors(Bb::new(LLVMGetFirstBasicBlock(self.raw)), |b| Bb::new(LLVMGetNextBasicBlock(b.raw)))
                .collect()
        }
    }
}

fn float_width(kind: TypeKind) -> Option<u32> {
    Some(match kind {
        TypeKind::LLVMHalfTypeKind | TypeKind::LLVMBFloatTypeKind => 16,
        TypeKind::LLVMFloatTypeKind => 32,
        TypeKind::LLVMDoubleTypeKind => 64,
        TypeKind::LLVMX86_FP80TypeKind => 80,
        TypeKind::LLVMFP128TypeKind | TypeKind::LLVMPPC_FP128TypeKind => 128,
        _ => return None,
    })
}
