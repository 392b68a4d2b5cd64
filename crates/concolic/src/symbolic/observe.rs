//! From a run to a test case.

use covenant_goals::test_case::{CallInput, Cell, InputObject, Pointer, Root as CaseRoot, TestCase, Value};
use covenant_interpreter::memory::Memory;
use covenant_program::ir::Type;
use covenant_program::types::CType;

use super::inputs::RootKind;
use super::record::Target;
use super::{Recorded, Symbolic};

impl Symbolic<'_> {
    /// The inputs of this run.
    pub fn test_case(&self, name: &str, function: &str) -> TestCase {
        let mut case = TestCase { name: name.to_owned(), function: function.to_owned(), ..TestCase::default() };
        let types = &self.image.program().types;
        for root in &self.roots {
            if let RootKind::Object(id) = root.kind {
                case.objects.push(InputObject {
                    id,
                    name: root.name.clone(),
                    c_type: types.spell(root.element, ""),
                    element_size: root.element_size,
                    count: root.count,
                });
            }
        }
        for recorded in &self.recorded {
            match recorded {
                Recorded::Scalar { root, offset, name, bits, size, signed, float } => {
                    let value = scalar(*bits, *size, *signed, *float);
                    case.cells.extend(self.cell(*root, *offset, name, value));
                }
                Recorded::Pointer { root, offset, name, to } => {
                    let pointer = match to {
                        Target::Null => Pointer::Null,
                        Target::Function(name) => Pointer::Function(name.clone()),
                        Target::Root(root) => Pointer::Object { id: self.object_number(*root), offset: 0 },
                    };
                    case.cells.extend(self.cell(*root, *offset, name, Value::Pointer(pointer)));
                }
                Recorded::Bytes { function, label, bytes } => {
                    let (bytes, label) = (Some(bytes.clone()), Some(label.clone()).filter(|l| !l.is_empty()));
                    case.calls.push(CallInput { function: function.clone(), value: None, bytes, label });
                }
                Recorded::Call { function, values } => {
                    let value = values.first().map(|&(bits, ty)| of_type(bits, ty));
                    case.calls.push(CallInput { function: function.clone(), value, bytes: None, label: None });
                }
            }
        }
        case
    }

    /// The result of the function under test, if it is a number.
    pub(super) fn returned_value(&self, bytes: &[u8]) -> Option<Value> {
        let types = &self.image.program().types;
        let mut all = [0; 16];
        all.get_mut(..bytes.len())?.copy_from_slice(bytes);
        let bits = u128::from_le_bytes(all);
        let size = bytes.len() as u32;
        match types.stripped(self.return_type?) {
            CType::Int { signed, .. } => Some(scalar(bits, size, *signed, false)),
            CType::Enum(e) => Some(scalar(bits, size, e.signed, false)),
            CType::Bool => Some(scalar(bits, size, false, false)),
            // NaNs have many faces.
            CType::Float { size: 4, .. } if f32::from_bits(bits as u32).is_nan() => None,
            CType::Float { size: 8, .. } if f64::from_bits(bits as u64).is_nan() => None,
            CType::Float { size: 4 | 8, .. } => Some(scalar(bits, size, false, true)),
            _ => None,
        }
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
        let root = match &self.roots[root as usize].kind {
            RootKind::Param(i) => CaseRoot::Param(*i),
            RootKind::Global(name) => CaseRoot::Global(name.clone()),
            RootKind::Object(id) => CaseRoot::Object(*id),
            RootKind::Call(_) => return None,
        };
        Some(Cell { root, offset, path: path.to_owned(), value })
    }

    /// Scalars of globals and objects that the run has changed.
    pub fn written(&self, memory: &Memory<Self>) -> Vec<Cell> {
        let mut written = Vec::new();
        for recorded in &self.recorded {
            let Recorded::Scalar { root, offset, name, bits, size, signed, float } = recorded else { continue };
            let place = &self.roots[*root as usize];
            if matches!(place.kind, RootKind::Param(_)) || place.address == 0 {
                continue;
            }
            let Ok(now) = memory.bytes(place.address + offset, u64::from(*size)) else { continue };
            let mut bytes = [0; 16];
            bytes[..now.len()].copy_from_slice(now);
            let now = u128::from_le_bytes(bytes);
            if now != *bits {
                written.extend(self.cell(*root, *offset, name, scalar(now, *size, *signed, *float)));
            }
        }
        written
    }
}

pub(crate) fn scalar(bits: u128, size: u32, signed: bool, float: bool) -> Value {
    if float {
        return Value::Float { bits: format!("{bits:#x}"), size };
    }
    Value::Int { bits: bits.to_string(), size, signed }
}

fn of_type(bits: u128, ty: Type) -> Value {
    match ty {
        Type::F32 | Type::F64 | Type::F80 => Value::Float { bits: format!("{bits:#x}"), size: ty.store_size() },
        _ => Value::Int { bits: bits.to_string(), size: ty.store_size(), signed: false },
    }
}
