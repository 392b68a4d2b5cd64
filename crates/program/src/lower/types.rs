//! How LLVM's types come apart into scalars.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use super::llvm::{Module, Ty, TypeKind};
use crate::ir::{Target, Type, is_ordinary_space};

/// More scalars than this in one value is no C that clang writes; it would make code of absurd length.
const MAX_SLOTS: u64 = 1024;

/// One scalar of a value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    pub(super) ty: Type,
    /// Where it stands in memory.
    pub(super) offset: u64,
}

/// The scalars of a type, in order.
#[derive(Debug)]
pub(super) struct Flat {
    pub(super) slots: Vec<Slot>,
    /// Why values of the type cannot be used. There is one placeholder slot then, so that signatures and block
    /// parameters keep a shape.
    pub(super) unsupported: Option<String>,
    /// Lanes that are not whole bytes: in memory they stand bit by bit.
    pub(super) packed: bool,
}

impl Flat {
    fn scalar(ty: Type) -> Flat {
        Flat { slots: vec![Slot { ty, offset: 0 }], unsupported: None, packed: false }
    }

    fn wide(bits: u32, target: Target) -> Flat {
        let Some(limbs) = super::wide::limbs(bits) else {
            return Flat::unsupported(format!("an integer of {bits} bits"));
        };
        let size = u64::from(bits.div_ceil(8));
        let place = |ty: Type, from_low: u64| match target.is_big_endian() {
            true => size - from_low - u64::from(ty.store_size()),
            false => from_low,
        };
        let slots =
            limbs.into_iter().zip((0..).step_by(8)).map(|(ty, at)| Slot { ty, offset: place(ty, at) }).collect();
        Flat { slots, unsupported: None, packed: false }
    }

    fn unsupported(what: impl Into<String>) -> Flat {
        Flat { slots: vec![Slot { ty: Type::I64, offset: 0 }], unsupported: Some(what.into()), packed: false }
    }

    pub(super) fn types(&self) -> impl Iterator<Item = Type> + '_ {
        self.slots.iter().map(|s| s.ty)
    }

    /// The same, or the reason why values of the type cannot be used.
    pub(super) fn usable(&self) -> Result<&Flat, String> {
        match &self.unsupported {
            None => Ok(self),
            Some(what) => Err(what.clone()),
        }
    }
}

/// The types of the modules being lowered, which share one layout.
pub(super) struct Types<'m> {
    layout: &'m Module<'m>,
    target: Target,
    flat: HashMap<Ty<'m>, Rc<Flat>>,
    spaces: BTreeSet<u32>,
}

impl<'m> Types<'m> {
    pub(super) fn new(layout: &'m Module<'m>, target: Target) -> Types<'m> {
        Types { layout, target, flat: HashMap::new(), spaces: BTreeSet::new() }
    }

    /// The address spaces of all pointers that were met, but the ordinary one.
    pub(super) fn address_spaces(&mut self) -> BTreeSet<u32> {
        std::mem::take(&mut self.spaces)
    }

    pub(super) fn target(&self) -> Target {
        self.target
    }

    /// The type of all addresses.
    pub(super) fn pointer(&self) -> Type {
        self.target.pointer()
    }

    /// The integer of the width of an address.
    pub(super) fn address(&self) -> Type {
        Type::Int((8 * self.pointer().store_size()) as u8)
    }

    pub(super) fn size_of(&self, ty: Ty<'m>) -> u64 {
        self.layout.size_of(ty)
    }

    pub(super) fn align_of(&self, ty: Ty<'m>) -> u32 {
        self.layout.align_of(ty)
    }

    pub(super) fn align_of_global(&self, global: super::llvm::Val<'m>) -> u32 {
        self.layout.align_of_global(global)
    }

    pub(super) fn store_size_of(&self, ty: Ty<'m>) -> u64 {
        self.layout.store_size_of(ty)
    }

    pub(super) fn offset_of(&self, ty: Ty<'m>, field: u32) -> u64 {
        self.layout.offset_of(ty, field)
    }

    pub(super) fn flat(&mut self, ty: Ty<'m>) -> Rc<Flat> {
        if let Some(flat) = self.flat.get(&ty) {
            return Rc::clone(flat);
        }
        let flat = Rc::new(self.flatten(ty));
        self.flat.insert(ty, Rc::clone(&flat));
        flat
    }

    /// The type of a scalar, if it is one that the IR has.
    pub(super) fn scalar(&mut self, ty: Ty<'m>) -> Option<Type> {
        let flat = self.flat(ty);
        match flat.slots[..] {
            [slot] if flat.unsupported.is_none() && ty.elements().is_none() && !ty.is_struct() => Some(slot.ty),
            _ => None,
        }
    }

    /// Where the value at `path` inside an aggregate starts among its slots, and its type.
    pub(super) fn slot_of(&mut self, ty: Ty<'m>, path: &[u32]) -> (usize, Ty<'m>) {
        let (mut start, mut ty) = (0, ty);
        for &index in path {
            if let Some((element, _)) = ty.elements() {
                start += self.flat(element).slots.len() * index as usize;
                ty = element;
            } else {
                let fields = ty.fields();
                start += fields.iter().take(index as usize).map(|&f| self.flat(f).slots.len()).sum::<usize>();
                let Some(&field) = fields.get(index as usize) else { break };
                ty = field;
            }
        }
        (start, ty)
    }

    fn flatten(&mut self, ty: Ty<'m>) -> Flat {
        match ty.kind() {
            TypeKind::LLVMVoidTypeKind => Flat { slots: Vec::new(), unsupported: None, packed: false },
            TypeKind::LLVMIntegerTypeKind => match u8::try_from(ty.int_width()) {
                Ok(width @ 1..=128) => Flat::scalar(Type::Int(width)),
                _ => Flat::wide(ty.int_width(), self.target),
            },
            TypeKind::LLVMFloatTypeKind => Flat::scalar(Type::F32),
            TypeKind::LLVMDoubleTypeKind => Flat::scalar(Type::F64),
            TypeKind::LLVMX86_FP80TypeKind => Flat::scalar(Type::F80),
            TypeKind::LLVMPointerTypeKind => self.flatten_pointer(ty),
            TypeKind::LLVMHalfTypeKind => Flat::unsupported("type _Float16"),
            TypeKind::LLVMBFloatTypeKind => Flat::unsupported("type __bf16"),
            TypeKind::LLVMFP128TypeKind => Flat::unsupported("type __float128"),
            TypeKind::LLVMStructTypeKind => self.flatten_struct(ty),
            TypeKind::LLVMArrayTypeKind | TypeKind::LLVMVectorTypeKind => self.flatten_elements(ty),
            kind => Flat::unsupported(format!("a value of {kind:?}")),
        }
    }

    /// A space of the user's own is taken for ordinary memory, if its addresses have the size of ordinary ones.
    fn flatten_pointer(&mut self, ty: Ty<'m>) -> Flat {
        let space = ty.address_space();
        if space != 0 {
            self.spaces.insert(space);
        }
        match is_ordinary_space(space) && self.size_of(ty) == u64::from(self.pointer().store_size()) {
            true => Flat::scalar(self.pointer()),
            false => Flat::unsupported(format!("a pointer to address space {space}")),
        }
    }

    fn flatten_struct(&mut self, ty: Ty<'m>) -> Flat {
        if !ty.is_sized() {
            return Flat::unsupported("a value of incomplete type");
        }
        let mut whole = Flat { slots: Vec::new(), unsupported: None, packed: false };
        for (index, field) in ty.fields().into_iter().enumerate() {
            let base = self.offset_of(ty, index as u32);
            let part = self.flat(field);
            if let Some(what) = &part.unsupported {
                return Flat::unsupported(what.clone());
            }
            whole.packed |= part.packed;
            whole.slots.extend(part.slots.iter().map(|s| Slot { ty: s.ty, offset: base + s.offset }));
        }
        limited(whole)
    }

    fn flatten_elements(&mut self, ty: Ty<'m>) -> Flat {
        let Some((element, length)) = ty.elements() else { return Flat::unsupported("an array without elements") };
        let part = self.flat(element);
        if let Some(what) = &part.unsupported {
            return Flat::unsupported(what.clone());
        }
        if ty.is_vector() && part.slots.len() != 1 {
            return Flat::unsupported("a vector of wide integers");
        }
        if length.saturating_mul(part.slots.len() as u64) > MAX_SLOTS {
            return Flat::unsupported("an array as one value");
        }
        // Lanes of a vector stand bit after bit, elements of an array at their aligned size.
        let lane_bits =
            part.slots.first().map_or(8, |s| if s.ty.is_ptr() { 8 * s.ty.store_size() } else { s.ty.bits() });
        let stride = if ty.is_vector() { u64::from(lane_bits / 8) } else { self.size_of(element) };
        let packed = part.packed || (ty.is_vector() && !lane_bits.is_multiple_of(8));
        let slots = (0..length)
            .flat_map(|i| part.slots.iter().map(move |s| Slot { ty: s.ty, offset: i * stride + s.offset }))
            .collect();
        limited(Flat { slots, unsupported: None, packed })
    }
}

fn limited(flat: Flat) -> Flat {
    if flat.slots.len() as u64 > MAX_SLOTS { Flat::unsupported("a large struct as one value") } else { flat }
}
