//! Types in debug information.
//!
//! LLVM's C interface reads sizes, names and tags, and the operands of any node by their place. What it does not read
//! (the encoding of a basic type, the value of an enumerator, the number of a parameter) is taken from the printed form
//! of the single node. LLVM numbers the whole module before it prints a node that an instruction uses, so such a node
//! may be printed only while debug records hide these uses.

use std::collections::{HashMap, HashSet};
use std::ffi::CStr;

use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::debuginfo::*;
use inkwell::llvm_sys::prelude::*;

use super::{Borrow, Md, Module, Val, ValueKind, string};

/// The places of operands that every node of a class has. All type nodes have the name third.
const NAME: usize = 1;
const VARIABLE_TYPE: usize = 3;
const SUBPROGRAM_NAME: usize = 2;
const SUBPROGRAM_TYPE: usize = 4;
const BASE_TYPE: usize = 3;
const ELEMENTS: usize = 4;
const COUNT: usize = 0;

/// Tags of the DWARF standard.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super) enum Tag {
    Array,
    Enumeration,
    Member,
    Pointer,
    Structure,
    Subroutine,
    Typedef,
    Union,
    Basic,
    Const,
    Volatile,
    Restrict,
    Atomic,
    Other(u16),
}

impl Tag {
    fn new(number: u16) -> Tag {
        match number {
            0x01 => Tag::Array,
            0x04 => Tag::Enumeration,
            0x0d => Tag::Member,
            0x0f => Tag::Pointer,
            0x13 => Tag::Structure,
            0x15 => Tag::Subroutine,
            0x16 => Tag::Typedef,
            0x17 => Tag::Union,
            0x24 => Tag::Basic,
            0x26 => Tag::Const,
            0x35 => Tag::Volatile,
            0x37 => Tag::Restrict,
            0x47 => Tag::Atomic,
            other => Tag::Other(other),
        }
    }
}

/// What a type node says of itself. Sizes are in bits.
#[derive(Clone, Debug)]
pub(in super::super) struct TypeNode {
    pub(in super::super) tag: Tag,
    pub(in super::super) name: String,
    pub(in super::super) size: u64,
    pub(in super::super) offset: u64,
    pub(in super::super) align: u32,
    pub(in super::super) is_declaration: bool,
    pub(in super::super) is_vector: bool,
    pub(in super::super) is_bit_field: bool,
}

/// The debug information of a module.
#[derive(Clone, Copy)]
pub(in super::super) struct DebugInfo<'m> {
    context: LLVMContextRef,
    borrow: Borrow<'m>,
}

/// Names a node when its module may change in between.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(in super::super) struct NodeKey(LLVMMetadataRef);

impl Module<'_> {
    pub(in super::super) fn debug_info(&self) -> DebugInfo<'_> {
        DebugInfo { context: self.cx.raw, borrow: Borrow::default() }
    }

    /// The parameters that each subprogram gives a name, with their numbers from 1. The module must show its debug
    /// calls, and does so afterwards.
    pub(in super::super) fn parameters(&mut self) -> HashMap<NodeKey, Vec<(u32, String)>> {
        let mut variables: Vec<(NodeKey, LLVMMetadataRef)> = Vec::new();
        let mut seen = HashSet::new();
        for function in self.functions() {
            let (Some(subprogram), Some(entry)) = (function.subprogram(), function.blocks().first().copied()) else {
                continue;
            };
            for variable in entry.instructions().filter_map(|call| call.operand(1)?.metadata()) {
                if variable.scope_of_variable() == Some(subprogram) && seen.insert(variable.raw) {
                    variables.push((subprogram.key(), variable.raw));
                }
            }
        }
        self.hide_debug_calls();
        let mut parameters: HashMap<NodeKey, Vec<(u32, String)>> = HashMap::new();
        for (subprogram, variable) in variables {
            let info = self.debug_info();
            let Some(variable) = Md::new(variable) else { continue };
            let text = info.text(variable);
            let Some(number) = value_of(&text, "arg").and_then(|number| number.parse().ok()) else { continue };
            parameters.entry(subprogram).or_default().push((number, info.string(variable, NAME).unwrap_or_default()));
        }
        self.show_debug_calls();
        parameters
    }

    fn hide_debug_calls(&mut self) {
        // SAFETY: a plain conversion of the module, the inverse of `show_debug_calls`.
        unsafe { LLVMSetIsNewDbgInfoFormat(self.raw, 1) }
    }
}

impl<'m> Md<'m> {
    pub(in super::super) fn key(self) -> NodeKey {
        NodeKey(self.raw)
    }

    fn scope_of_variable(self) -> Option<Md<'m>> {
        match self.kind() {
            // SAFETY: the kind was checked.
            LLVMMetadataKind::LLVMDILocalVariableMetadataKind => Md::new(unsafe { LLVMDIVariableGetScope(self.raw) }),
            _ => None,
        }
    }

    pub(in super::super) fn type_node(self) -> Option<TypeNode> {
        use LLVMMetadataKind::*;
        if !matches!(
            self.kind(),
            LLVMDIBasicTypeMetadataKind
                | LLVMDIDerivedTypeMetadataKind
                | LLVMDICompositeTypeMetadataKind
                | LLVMDISubroutineTypeMetadataKind
        ) {
            return None;
        }
        // SAFETY: the kind was checked; the name lives in the context.
        unsafe {
            let mut length = 0;
            let name = LLVMDITypeGetName(self.raw, &raw mut length);
            let flags = LLVMDITypeGetFlags(self.raw);
            Some(TypeNode {
                tag: Tag::new(LLVMGetDINodeTag(self.raw)),
                name: string(name, length),
                size: LLVMDITypeGetSizeInBits(self.raw),
                offset: LLVMDITypeGetOffsetInBits(self.raw),
                align: LLVMDITypeGetAlignInBits(self.raw),
                is_declaration: flags & LLVMDIFlagFwdDecl != 0,
                is_vector: flags & LLVMDIFlagVector != 0,
                is_bit_field: flags & LLVMDIFlagBitField != 0,
            })
        }
    }
}

impl<'m> DebugInfo<'m> {
    fn value(self, node: Md<'m>) -> LLVMValueRef {
        // SAFETY: any metadata can be wrapped.
        unsafe { LLVMMetadataAsValue(self.context, node.raw) }
    }

    /// The operands of a node; there are none where the metadata is something else.
    fn operands(self, node: Md<'m>) -> Vec<Option<Val<'m>>> {
        use LLVMMetadataKind::*;
        if matches!(
            node.kind(),
            LLVMMDStringMetadataKind
                | LLVMConstantAsMetadataMetadataKind
                | LLVMLocalAsMetadataMetadataKind
                | LLVMDistinctMDOperandPlaceholderMetadataKind
                | LLVMDIArgListMetadataKind
        ) {
            return Vec::new();
        }
        // SAFETY: all other kinds are nodes; the buffer has room for all operands.
        unsafe {
            let value = self.value(node);
            let mut operands = vec![std::ptr::null_mut(); LLVMGetMDNodeNumOperands(value) as usize];
            LLVMGetMDNodeOperands(value, operands.as_mut_ptr());
            operands.into_iter().map(Val::new).collect()
        }
    }

    fn operand(self, node: Md<'m>, index: usize) -> Option<Val<'m>> {
        self.operands(node).get(index).copied().flatten()
    }

    fn string(self, node: Md<'m>, index: usize) -> Option<String> {
        self.operand(node, index)?.metadata_string()
    }

    /// What a typedef, pointer, qualifier, member, array or enumeration is made from. `None` is `void`.
    pub(in super::super) fn base(self, node: Md<'m>) -> Option<Md<'m>> {
        match node.kind() {
            LLVMMetadataKind::LLVMDIDerivedTypeMetadataKind | LLVMMetadataKind::LLVMDICompositeTypeMetadataKind => {
                self.operand(node, BASE_TYPE)?.metadata()
            }
            _ => None,
        }
    }

    /// The members, enumerators or subranges of a composite type.
    pub(in super::super) fn elements(self, node: Md<'m>) -> Vec<Md<'m>> {
        if !matches!(node.kind(), LLVMMetadataKind::LLVMDICompositeTypeMetadataKind) {
            return Vec::new();
        }
        let list = self.operand(node, ELEMENTS).and_then(Val::metadata);
        let elements = list.map(|list| self.operands(list)).unwrap_or_default();
        elements.into_iter().filter_map(|e| e?.metadata()).collect()
    }

    /// What a function returns, then its parameters. `None` is `void` in the first place, `...` in the last.
    pub(in super::super) fn signature(self, node: Md<'m>) -> Vec<Option<Md<'m>>> {
        if !matches!(node.kind(), LLVMMetadataKind::LLVMDISubroutineTypeMetadataKind) {
            return Vec::new();
        }
        let list = self.operand(node, BASE_TYPE).and_then(Val::metadata);
        let types = list.map(|list| self.operands(list)).unwrap_or_default();
        types.into_iter().map(|ty| ty?.metadata()).collect()
    }

    /// How many elements a dimension of an array has, where that is a constant.
    pub(in super::super) fn count(self, subrange: Md<'m>) -> Option<u64> {
        if !matches!(subrange.kind(), LLVMMetadataKind::LLVMDISubrangeMetadataKind) {
            return None;
        }
        let count = self.operand(subrange, COUNT)?;
        // Flexible members count -1.
        if count.kind() == ValueKind::LLVMConstantIntValueKind {
            count.words()?.first().copied().filter(|&n| i64::try_from(n).is_ok())
        } else {
            None
        }
    }

    /// Name and value.
    pub(in super::super) fn enumerator(self, node: Md<'m>) -> Option<(String, i128)> {
        if !matches!(node.kind(), LLVMMetadataKind::LLVMDIEnumeratorMetadataKind) {
            return None;
        }
        let value = value_of(&self.text(node), "value")?.parse().ok()?;
        Some((self.string(node, 0)?, value))
    }

    /// The encoding of a basic type: `DW_ATE_…`, or a number that has no name.
    pub(in super::super) fn encoding(self, node: Md<'m>) -> Option<String> {
        match node.kind() {
            LLVMMetadataKind::LLVMDIBasicTypeMetadataKind => value_of(&self.text(node), "encoding").map(str::to_owned),
            _ => None,
        }
    }

    /// The type of a local or global variable.
    pub(in super::super) fn variable_type(self, node: Md<'m>) -> Option<Md<'m>> {
        use LLVMMetadataKind::{LLVMDIGlobalVariableMetadataKind, LLVMDILocalVariableMetadataKind};
        match node.kind() {
            LLVMDILocalVariableMetadataKind | LLVMDIGlobalVariableMetadataKind => {
                self.operand(node, VARIABLE_TYPE)?.metadata()
            }
            _ => None,
        }
    }

    pub(in super::super) fn subprogram_type(self, node: Md<'m>) -> Option<Md<'m>> {
        match node.kind() {
            LLVMMetadataKind::LLVMDISubprogramMetadataKind => self.operand(node, SUBPROGRAM_TYPE)?.metadata(),
            _ => None,
        }
    }

    pub(in super::super) fn subprogram_name(self, node: Md<'m>) -> Option<String> {
        match node.kind() {
            LLVMMetadataKind::LLVMDISubprogramMetadataKind => self.string(node, SUBPROGRAM_NAME),
            _ => None,
        }
    }

    fn text(self, node: Md<'m>) -> String {
        // SAFETY: LLVM allocates the string and we give it back.
        unsafe {
            let text = LLVMPrintValueToString(self.value(node));
            let copy = CStr::from_ptr(text).to_string_lossy().into_owned();
            LLVMDisposeMessage(text);
            copy
        }
    }
}

/// The value of a field that stands behind the name in the printed form `!DIKind(name: "…", field: value, …)`. LLVM
/// prints quotes and backslashes inside a string as `\22` and `\5C`, so the next quote ends it.
fn value_of<'t>(text: &'t str, field: &str) -> Option<&'t str> {
    let (_, fields) = text.split_once('(')?;
    let fields = match fields.strip_prefix("name: \"") {
        Some(named) => named.split_once('"')?.1,
        None => fields,
    };
    let fields = fields.rsplit_once(')').map_or(fields, |(fields, _)| fields);
    fields.split(", ").find_map(|pair| pair.strip_prefix(field)?.strip_prefix(": "))
}

#[cfg(test)]
mod tests {
    use super::value_of;

    #[test]
    fn fields_are_found_behind_the_name() {
        let text = r#"<0x1> = !DIEnumerator(name: "a\22, value: 9", value: -3)"#;
        assert_eq!(value_of(text, "value"), Some("-3"));
        assert_eq!(value_of(text, "isUnsigned"), None);
        assert_eq!(value_of("<0x1> = !DILocalVariable(arg: 2, scope: <0x7>)", "arg"), Some("2"));
        assert_eq!(value_of("!DIBasicType(name: \"x\", encoding: DW_ATE_float)", "encoding"), Some("DW_ATE_float"));
    }
}
