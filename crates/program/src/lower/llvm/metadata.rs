//! Debug information.

use std::ptr;

use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::debuginfo::*;
use inkwell::llvm_sys::prelude::*;

use super::{Borrow, Val, ValueKind, string};

/// A metadata node.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(in super::super) struct Md<'m> {
    pub(super) raw: LLVMMetadataRef,
    borrow: Borrow<'m>,
}

impl<'m> Md<'m> {
    pub(super) fn new(raw: LLVMMetadataRef) -> Option<Md<'m>> {
        (!raw.is_null()).then(|| Md { raw, borrow: Borrow::default() })
    }

    pub(super) fn kind(self) -> LLVMMetadataKind {
        // SAFETY: any node has a kind.
        unsafe { LLVMGetMetadataKind(self.raw) }
    }

    /// Line, column and scope of a location.
    pub(in super::super) fn location(self) -> Option<(u32, u32, Md<'m>)> {
        if !matches!(self.kind(), LLVMMetadataKind::LLVMDILocationMetadataKind) {
            return None;
        }
        // SAFETY: the kind was checked.
        unsafe {
            let scope = Md::new(LLVMDILocationGetScope(self.raw))?;
            Some((LLVMDILocationGetLine(self.raw), LLVMDILocationGetColumn(self.raw), scope))
        }
    }

    /// Directory and name of the file of a scope.
    pub(in super::super) fn file(self) -> Option<(String, String)> {
        use LLVMMetadataKind::*;
        if !matches!(
            self.kind(),
            LLVMDISubprogramMetadataKind
                | LLVMDILexicalBlockMetadataKind
                | LLVMDILexicalBlockFileMetadataKind
                | LLVMDICompileUnitMetadataKind
                | LLVMDIFileMetadataKind
        ) {
            return None;
        }
        // SAFETY: the kind was checked; the strings live in the context.
        unsafe {
            let file = Md::new(LLVMDIScopeGetFile(self.raw))?;
            let (mut in_directory, mut in_name) = (0, 0);
            let directory = LLVMDIFileGetDirectory(file.raw, &raw mut in_directory);
            let name = LLVMDIFileGetFilename(file.raw, &raw mut in_name);
            Some((string(directory, in_directory as usize), string(name, in_name as usize)))
        }
    }

    pub(in super::super) fn subprogram_line(self) -> u32 {
        match self.kind() {
            // SAFETY: the kind was checked.
            LLVMMetadataKind::LLVMDISubprogramMetadataKind => unsafe { LLVMDISubprogramGetLine(self.raw) },
            _ => 0,
        }
    }

    /// Name and line of a local or global variable; `None` where it has no name.
    pub(in super::super) fn variable(self, of: Val<'m>) -> Option<(String, u32)> {
        use LLVMMetadataKind::{LLVMDIGlobalVariableMetadataKind, LLVMDILocalVariableMetadataKind};
        const NAME: usize = 1;
        if !matches!(self.kind(), LLVMDILocalVariableMetadataKind | LLVMDIGlobalVariableMetadataKind) {
            return None;
        }
        // SAFETY: both kinds are nodes with the name as their second operand; the buffer has room for all of them.
        unsafe {
            let context = LLVMGetTypeContext(of.ty().raw);
            let node = LLVMMetadataAsValue(context, self.raw);
            let mut operands = vec![ptr::null_mut(); LLVMGetMDNodeNumOperands(node) as usize];
            LLVMGetMDNodeOperands(node, operands.as_mut_ptr());
            let mut length = 0;
            let name = operands.get(NAME).copied().filter(|o| !o.is_null())?;
            let text = string(LLVMGetMDString(name, &raw mut length), length as usize);
            (!text.is_empty()).then(|| (text, LLVMDIVariableGetLine(self.raw)))
        }
    }
}

impl<'m> Val<'m> {
    pub(in super::super) fn debug_loc(self) -> Option<Md<'m>> {
        // SAFETY: the kind is checked first; null where there is none.
        if self.is_instruction() { Md::new(unsafe { LLVMInstructionGetDebugLoc(self.raw) }) } else { None }
    }

    pub(in super::super) fn subprogram(self) -> Option<Md<'m>> {
        // SAFETY: the kind is checked first; null where there is none.
        if self.is_function() { Md::new(unsafe { LLVMGetSubprogram(self.raw) }) } else { None }
    }

    /// The metadata that this value wraps.
    pub(in super::super) fn metadata(self) -> Option<Md<'m>> {
        // SAFETY: the kind is checked first.
        if self.kind() == ValueKind::LLVMMetadataAsValueValueKind {
            Md::new(unsafe { LLVMValueAsMetadata(self.raw) })
        } else {
            None
        }
    }

    /// The value that a `metadata` operand refers to, where it refers to one.
    pub(in super::super) fn described_value(self) -> Option<Val<'m>> {
        use LLVMMetadataKind::{LLVMConstantAsMetadataMetadataKind, LLVMLocalAsMetadataMetadataKind};
        if !matches!(self.metadata()?.kind(), LLVMConstantAsMetadataMetadataKind | LLVMLocalAsMetadataMetadataKind) {
            return None;
        }
        let mut value = ptr::null_mut();
        // SAFETY: metadata of these kinds has exactly one operand.
        unsafe { LLVMGetMDNodeOperands(self.raw, &raw mut value) };
        Val::new(value)
    }

    /// The text of a `metadata` operand that is a string.
    pub(in super::super) fn metadata_string(self) -> Option<String> {
        if !matches!(self.metadata()?.kind(), LLVMMetadataKind::LLVMMDStringMetadataKind) {
            return None;
        }
        let mut length = 0;
        // SAFETY: the kind was checked; the string lives in the context.
        Some(unsafe { string(LLVMGetMDString(self.raw, &raw mut length), length as usize) })
    }

    /// The name in the source of a global variable.
    pub(in super::super) fn global_source_name(self) -> Option<String> {
        Some(self.described_variable()?.variable(self)?.0)
    }

    /// The debug information of a global variable.
    pub(in super::super) fn described_variable(self) -> Option<Md<'m>> {
        if self.kind() != ValueKind::LLVMGlobalVariableValueKind {
            return None;
        }
        // SAFETY: the entries are read before they are given back, each index is in range.
        unsafe {
            let mut count = 0;
            let entries = LLVMGlobalCopyAllMetadata(self.raw, &raw mut count);
            let nodes: Vec<LLVMMetadataRef> =
                (0..count as u32).map(|i| LLVMValueMetadataEntriesGetMetadata(entries, i)).collect();
            LLVMDisposeValueMetadataEntries(entries);
            nodes.into_iter().filter_map(Md::new).find_map(|node| {
                if !matches!(node.kind(), LLVMMetadataKind::LLVMDIGlobalVariableExpressionMetadataKind) {
                    return None;
                }
                Md::new(LLVMDIGlobalVariableExpressionGetVariable(node.raw))
            })
        }
    }
}
