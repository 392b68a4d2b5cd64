//! From a run to a test case.

use std::collections::BTreeMap;

use covenant_goals::test_case::{
    Access, BitField, CallInput, CallWrite, Cell, Failure, InputObject, Pointer, Root as CaseRoot, TestCase, Value,
};
use covenant_interpreter::memory::Memory;
use covenant_program::ir::Type;
use covenant_program::types::{Bits, CType, Leaf, TypeId, Types};

use super::inputs::{Root, RootKind};
use super::record::Target;
use super::{Recorded, Symbolic, process, several};

impl Symbolic<'_> {
    /// The inputs of this run.
    pub fn test_case(&self, memory: &Memory<Self>, name: &str, function: &str) -> TestCase {
        let mut case = TestCase { name: name.to_owned(), function: function.to_owned(), ..TestCase::default() };
        let types = &self.image.program().types;
        for root in &self.roots {
            if let RootKind::Object(id) = root.kind {
                case.objects.push(InputObject {
                    id,
                    name: root.case_name(),
                    c_type: types.spell(root.element, ""),
                    element_size: root.element_size,
                    count: root.stream.unwrap_or(root.count),
                    scalar: !matches!(
                        types.stripped(root.element),
                        CType::Struct(_) | CType::Union(_) | CType::Array { .. } | CType::Void
                    ) && !several::is_vector(types, root.element),
                    stream: root.stream.is_some(),
                    flexible: root.element_size > types.size_of(root.element).unwrap_or(0),
                    heap: self.is_freed(memory, root),
                    used: if self.cx.observes { self.used(memory, root) } else { None },
                });
            }
        }
        for recorded in &self.recorded {
            match recorded {
                Recorded::Scalar { root, offset, name, bits, size, signed, float } => {
                    let value = scalar(*bits, *size, *signed, *float);
                    self.tell_input(&mut case, *root, *offset, name, value);
                }
                Recorded::Pointer { root, offset, name, to } => {
                    let pointer = Value::Pointer(self.case_pointer(to));
                    self.tell_input(&mut case, *root, *offset, name, pointer);
                }
                Recorded::Bytes { function, label, bytes } => {
                    let (bytes, label) = (Some(bytes.clone()), Some(label.clone()).filter(|l| !l.is_empty()));
                    case.calls.push(CallInput { function: function.clone(), bytes, label, ..CallInput::default() });
                }
                Recorded::Device(access) => case.device.push(access.clone()),
                Recorded::Process { what, byte } => {
                    process::tell(&mut case, &self.cx.options.process, *what, *byte);
                }
                Recorded::Failure { function, call } => {
                    case.failures.push(Failure { function: function.clone(), call: *call });
                }
                Recorded::Call { function, values, to, declared } => {
                    let writes = self.returned_in_parts(function, *declared, values);
                    let values = if writes.is_empty() { &values[..] } else { &[] };
                    let number = || values.first().map(|&(bits, ty)| of_type(bits, ty));
                    let pointer = to.as_ref().map(|to| Value::Pointer(self.case_pointer(to)));
                    let value = pointer.or_else(number);
                    case.calls.push(CallInput { function: function.clone(), value, writes, ..CallInput::default() });
                }
            }
        }
        self.name_registers(&mut case.device);
        case.more_volatile = self.has_told_all();
        if case.device.iter().any(|access| matches!(access.access, Access::Plain(_))) {
            case.open = Some("what is volatile is accessed as if it were not".to_owned());
        }
        self.end_texts(&mut case);
        process::end_arguments(&mut case);
        let given = self.recorded.iter().filter_map(|recorded| match recorded {
            Recorded::Process { what, byte } => Some((*what, *byte)),
            _ => None,
        });
        process::spell_names(&mut case, &self.cx.options.process, given);
        if self.cx.observes {
            case.bits = self.bit_fields();
            case.enumerators = self.enumerators();
        }
        case
    }

    fn case_pointer(&self, to: &Target) -> Pointer {
        match to {
            Target::Null => Pointer::Null,
            Target::Function(name) => Pointer::Function(name.clone()),
            Target::Argument(param) => Pointer::Argument(*param),
            Target::Root(root, offset) => Pointer::Object { id: self.object_number(*root), offset: *offset as i64 },
        }
    }

    /// An input is a cell of the test, or what a call gives.
    fn tell_input(&self, case: &mut TestCase, root: u32, offset: u64, name: &str, value: Value) {
        let RootKind::Call { call, param } = self.roots[root as usize].kind else {
            case.cells.extend(self.cell(root, offset, name, value));
            return;
        };
        let Some(call) = case.calls.get_mut(call as usize) else { return };
        match param {
            None => call.value = Some(value),
            Some(_) if self.calls.same.contains(&(root, offset)) => {}
            Some(param) => call.writes.push(CallWrite { param, offset, path: name.to_owned(), value }),
        }
    }

    /// The ends of texts that calls write.
    fn end_texts(&self, case: &mut TestCase) {
        for (number, root) in self.roots.iter().enumerate().filter(|(_, root)| root.is_string) {
            let RootKind::Call { call, param: Some(param) } = root.kind else { continue };
            let offset = root.count.saturating_sub(1);
            let is_new = !self.calls.same.contains(&(number as u32, offset));
            if let Some(call) = case.calls.get_mut(call as usize).filter(|_| is_new) {
                let path = format!("{}[{offset}]", root.name);
                call.writes.push(CallWrite { param, offset, path, value: scalar(0, 1, true, false) });
            }
        }
    }

    /// The inputs that are enumerators.
    fn enumerators(&self) -> BTreeMap<String, String> {
        let types = &self.image.program().types;
        let is_enum = |leaf: &Leaf| matches!(types.stripped(leaf.ty), CType::Enum(_)) && leaf.bits.is_none();
        let leaves =
            |root: &Root| -> Vec<Leaf> { types.leaves(root.element).take(MOST_LEAVES).filter(is_enum).collect() };
        let of_root = |root: &Root| if root.stream.is_some() { Vec::new() } else { leaves(root) };
        let of_roots: Vec<Vec<Leaf>> = self.roots.iter().map(of_root).collect();
        let mut names = BTreeMap::new();
        for recorded in &self.recorded {
            let Recorded::Scalar { root, offset, name, bits, size, .. } = recorded else { continue };
            let element = self.roots[*root as usize].element_size.max(1);
            let leaf = of_roots[*root as usize].iter().find(|leaf| leaf.offset == offset % element);
            let enumerator = leaf.and_then(|leaf| enumerator(types, leaf.ty, *bits, *size));
            let path = self.roots[*root as usize].case_path(name);
            names.extend(enumerator.map(|enumerator| (path, enumerator)));
        }
        names
    }

    /// The bit-fields of roots of which some byte was read.
    fn bit_fields(&self) -> Vec<BitField> {
        let types = &self.image.program().types;
        let mut fields = Vec::new();
        for (number, root) in self.roots.iter().enumerate().filter(|(_, root)| root.stream.is_none()) {
            let leaves: Vec<Leaf> = types.leaves(root.element).filter(|leaf| leaf.bits.is_some()).collect();
            let mut bytes: BTreeMap<u64, u8> = BTreeMap::new();
            for recorded in self.recorded.iter().filter(|_| !leaves.is_empty()) {
                if let Recorded::Scalar { root, offset, bits, size: 1, .. } = recorded
                    && *root as usize == number
                {
                    bytes.insert(*offset, *bits as u8);
                }
            }
            for index in (0..root.count).filter(|_| !bytes.is_empty()) {
                for leaf in &leaves {
                    let start = index * root.element_size + leaf.offset;
                    let (Some(bits), prefix) =
                        (leaf.bits, if root.count > 1 { format!("[{index}]") } else { String::new() })
                    else {
                        continue;
                    };
                    let own: Vec<Option<&u8>> = (start..start + bits.bytes()).map(|at| bytes.get(&at)).collect();
                    if own.iter().all(Option::is_none) {
                        continue;
                    }
                    let word = own.iter().rev().fold(0u128, |word, byte| word << 8 | u128::from(*byte.unwrap_or(&0)));
                    let path = format!("{}{prefix}{}", root.case_name(), leaf.path);
                    let value = field_value(types, leaf.ty, bits, word);
                    let cell = self.cell(number as u32, start, &path, scalar(0, 1, false, false));
                    if let (Some(cell), Some(value)) = (cell, value) {
                        let (first, width) = (bits.offset, bits.width);
                        fields.push(BitField { root: cell.root, offset: start, path, first, width, value });
                    }
                }
            }
        }
        fields
    }

    /// Says where a root lies that was there from the start.
    pub fn place_root(&mut self, root: u32, address: u64) {
        self.roots[root as usize].address = address;
    }

    fn object_number(&self, root: u32) -> u32 {
        match self.roots[root as usize].kind {
            RootKind::Object(id) => id,
            _ => 0,
        }
    }

    fn cell(&self, root: u32, offset: u64, path: &str, value: Value) -> Option<Cell> {
        let of = &self.roots[root as usize];
        let root = match &of.kind {
            RootKind::Param(i) => CaseRoot::Param(*i),
            RootKind::Global(name) => CaseRoot::Global(name.clone()),
            RootKind::Object(id) => CaseRoot::Object(*id),
            RootKind::Call { .. } => return None,
        };
        Some(Cell { root, offset, path: of.case_path(path), value })
    }
}

/// Of a larger type, enumerations behind that are numbers.
const MOST_LEAVES: usize = 4096; // not tuning: memory

/// The enumerator of this value, if the type has exactly one.
pub(super) fn enumerator(types: &Types, ty: TypeId, bits: u128, size: u32) -> Option<String> {
    let CType::Enum(enumeration) = types.stripped(ty) else { return None };
    let unused = 128u32.checked_sub(8 * size).filter(|&unused| unused < 128)?;
    let number = if enumeration.signed { ((bits << unused) as i128) >> unused } else { bits as i128 };
    let mut found = enumeration.values.iter().filter(|(_, value)| *value == number);
    let (name, _) = found.next()?;
    found.next().is_none().then(|| name.clone())
}

/// The number in a bit-field, given the bytes that it touches.
pub(super) fn field_value(types: &Types, ty: TypeId, bits: Bits, word: u128) -> Option<String> {
    let unused = 128u32.checked_sub(bits.width).filter(|&unused| unused < 128)?;
    let signed = match types.stripped(ty) {
        CType::Int { signed, .. } => *signed,
        CType::Enum(e) => e.signed,
        _ => false,
    };
    let word = (word >> bits.offset) << unused;
    Some(if signed { ((word as i128) >> unused).to_string() } else { (word >> unused).to_string() })
}

pub(crate) fn scalar(bits: u128, size: u32, signed: bool, float: bool) -> Value {
    if float {
        return Value::Float { bits: format!("{bits:#x}"), size };
    }
    Value::Int { bits: bits.to_string(), size, signed }
}

pub(super) fn of_type(bits: u128, ty: Type) -> Value {
    match ty {
        Type::F32 | Type::F64 | Type::F80 => Value::Float { bits: format!("{bits:#x}"), size: ty.store_size() },
        _ => Value::Int { bits: bits.to_string(), size: ty.store_size(), signed: false },
    }
}
