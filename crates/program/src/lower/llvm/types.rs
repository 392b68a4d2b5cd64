//! Types and their layout.

use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::*;
use inkwell::llvm_sys::target::{
    LLVMABIAlignmentOfType, LLVMABISizeOfType, LLVMGetModuleDataLayout, LLVMOffsetOfElement,
    LLVMPreferredAlignmentOfGlobal, LLVMStoreSizeOfType,
};

use super::{Borrow, Module, TypeKind, Val};

/// A type. Equal types of one context are one pointer.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(in super::super) struct Ty<'m> {
    pub(super) raw: LLVMTypeRef,
    pub(super) borrow: Borrow<'m>,
}

impl<'m> Ty<'m> {
    pub(super) fn new(raw: LLVMTypeRef) -> Ty<'m> {
        Ty { raw, borrow: Borrow::default() }
    }

    pub(in super::super) fn kind(self) -> TypeKind {
        // SAFETY: any type has a kind.
        unsafe { LLVMGetTypeKind(self.raw) }
    }

    /// The width of an integer type, 0 for others.
    pub(in super::super) fn int_width(self) -> u32 {
        match self.kind() {
            // SAFETY: the kind was checked.
            TypeKind::LLVMIntegerTypeKind => unsafe { LLVMGetIntTypeWidth(self.raw) },
            _ => 0,
        }
    }

    /// Fields of a struct type.
    pub(in super::super) fn fields(self) -> Vec<Ty<'m>> {
        if self.kind() != TypeKind::LLVMStructTypeKind {
            return Vec::new();
        }
        // SAFETY: the buffer has room for what LLVM writes.
        unsafe {
            let mut fields = vec![std::ptr::null_mut(); LLVMCountStructElementTypes(self.raw) as usize];
            LLVMGetStructElementTypes(self.raw, fields.as_mut_ptr());
            fields.into_iter().map(Ty::new).collect()
        }
    }

    /// Element type and length of an array or a vector type.
    pub(in super::super) fn elements(self) -> Option<(Ty<'m>, u64)> {
        // SAFETY: the kind is checked before each cast.
        unsafe {
            match self.kind() {
                TypeKind::LLVMArrayTypeKind => {
                    Some((Ty::new(LLVMGetElementType(self.raw)), LLVMGetArrayLength2(self.raw)))
                }
                TypeKind::LLVMVectorTypeKind => {
                    Some((Ty::new(LLVMGetElementType(self.raw)), u64::from(LLVMGetVectorSize(self.raw))))
                }
                _ => None,
            }
        }
    }

    pub(in super::super) fn is_struct(self) -> bool {
        self.kind() == TypeKind::LLVMStructTypeKind
    }

    pub(in super::super) fn is_vector(self) -> bool {
        self.kind() == TypeKind::LLVMVectorTypeKind
    }

    pub(in super::super) fn is_array(self) -> bool {
        self.kind() == TypeKind::LLVMArrayTypeKind
    }

    pub(in super::super) fn is_sized(self) -> bool {
        // SAFETY: may be asked of any type.
        unsafe { LLVMTypeIsSized(self.raw) != 0 }
    }

    /// The address space of a pointer type, 0 for others.
    pub(in super::super) fn address_space(self) -> u32 {
        match self.kind() {
            // SAFETY: the kind was checked.
            TypeKind::LLVMPointerTypeKind => unsafe { LLVMGetPointerAddressSpace(self.raw) },
            _ => 0,
        }
    }

    /// Parameters of a function type.
    pub(in super::super) fn parameters(self) -> Vec<Ty<'m>> {
        if self.kind() != TypeKind::LLVMFunctionTypeKind {
            return Vec::new();
        }
        // SAFETY: the buffer has room for what LLVM writes.
        unsafe {
            let mut types = vec![std::ptr::null_mut(); LLVMCountParamTypes(self.raw) as usize];
            LLVMGetParamTypes(self.raw, types.as_mut_ptr());
            types.into_iter().map(Ty::new).collect()
        }
    }

    /// What a function of this type returns; itself where it is no function type.
    pub(in super::super) fn returned(self) -> Ty<'m> {
        match self.kind() {
            // SAFETY: the kind was checked.
            TypeKind::LLVMFunctionTypeKind => Ty::new(unsafe { LLVMGetReturnType(self.raw) }),
            _ => self,
        }
    }

    pub(in super::super) fn is_variadic(self) -> bool {
        // SAFETY: the kind is checked first.
        self.kind() == TypeKind::LLVMFunctionTypeKind && unsafe { LLVMIsFunctionVarArg(self.raw) != 0 }
    }
}

/// Sizes and offsets in bytes. Types without a size (opaque ones) count as empty.
impl Module<'_> {
    /// Distance between neighbours in an array.
    pub(in super::super) fn size_of(&self, ty: Ty<'_>) -> u64 {
        // SAFETY: only sized types have a layout.
        if ty.is_sized() { unsafe { LLVMABISizeOfType(LLVMGetModuleDataLayout(self.raw), ty.raw) } } else { 0 }
    }

    /// Bytes that a store of the type writes.
    pub(in super::super) fn store_size_of(&self, ty: Ty<'_>) -> u64 {
        // SAFETY: as above.
        if ty.is_sized() { unsafe { LLVMStoreSizeOfType(LLVMGetModuleDataLayout(self.raw), ty.raw) } } else { 0 }
    }

    pub(in super::super) fn align_of(&self, ty: Ty<'_>) -> u32 {
        // SAFETY: as above.
        if ty.is_sized() { unsafe { LLVMABIAlignmentOfType(LLVMGetModuleDataLayout(self.raw), ty.raw) } } else { 1 }
    }

    pub(in super::super) fn align_of_global(&self, global: Val<'_>) -> u32 {
        if global.kind() != super::ValueKind::LLVMGlobalVariableValueKind {
            return 1;
        }
        // SAFETY: the kind and that the type has a size are checked first.
        unsafe {
            match LLVMGetAlignment(global.raw) {
                0 if global.value_type().is_sized() => {
                    LLVMPreferredAlignmentOfGlobal(LLVMGetModuleDataLayout(self.raw), global.raw)
                }
                0 => 1,
                align => align,
            }
        }
    }

    /// Offset of a field of a struct type.
    pub(in super::super) fn offset_of(&self, ty: Ty<'_>, field: u32) -> u64 {
        let fields = if ty.is_struct() && ty.is_sized() { ty.fields().len() } else { 0 };
        if (field as usize) < fields {
            // SAFETY: a sized struct type and a field it has.
            unsafe { LLVMOffsetOfElement(LLVMGetModuleDataLayout(self.raw), ty.raw, field) }
        } else {
            0
        }
    }
}
