//! The initial bytes of global variables.

use super::Error;
use super::constants::Linear;
use super::llvm::{Ty, Val, ValueKind};
use super::symbols::Lowering;
use crate::ir::{GlobalId, Reloc};

/// The initial content of one variable. Zeros at the end are never stored.
#[derive(Default)]
struct Image {
    bytes: Vec<u8>,
    relocs: Vec<Reloc>,
}

impl Image {
    fn reach(&mut self, end: u64) {
        let end = usize::try_from(end).unwrap_or(usize::MAX);
        if self.bytes.len() < end {
            self.bytes.resize(end, 0);
        }
    }

    fn put(&mut self, offset: u64, bytes: &[u8]) {
        let Some(last) = bytes.iter().rposition(|&b| b != 0) else { return };
        let bytes = &bytes[..=last];
        self.reach(offset + bytes.len() as u64);
        let start = offset as usize;
        self.bytes[start..start + bytes.len()].copy_from_slice(bytes);
    }

    /// Sets bits of a number that starts at a bit offset from `offset`.
    fn put_bit(&mut self, offset: u64, bit: u64) {
        self.reach(offset + bit / 8 + 1);
        self.bytes[(offset + bit / 8) as usize] |= 1 << (bit % 8);
    }
}

impl<'m> Lowering<'m> {
    /// Fills in the initial value of a variable that has one.
    pub(super) fn initialise(&mut self, id: GlobalId, variable: Val<'m>) -> Result<(), Error> {
        let Some(initial) = variable.initializer() else { return Ok(()) };
        // Those of files are inputs; of a variable that one function sees the first value is taken for a fact.
        if initial.kind() == ValueKind::LLVMUndefValueValueKind
            && variable.name().contains('.')
            && self.program.globals[id].size > 0
        {
            let what = "no initial value, in a function".to_owned();
            return Err(Error::Initialiser { name: variable.name(), what });
        }
        let mut image = Image::default();
        self.write(&mut image, 0, initial).map_err(|what| Error::Initialiser { name: variable.name(), what })?;
        let global = &mut self.program.globals[id];
        global.init = Some(image.bytes);
        global.relocs = image.relocs;
        Ok(())
    }

    fn write(&mut self, image: &mut Image, offset: u64, value: Val<'m>) -> Result<(), String> {
        if value.is_null() {
            return Ok(());
        }
        match value.kind() {
            ValueKind::LLVMUndefValueValueKind | ValueKind::LLVMPoisonValueKind => Ok(()),
            ValueKind::LLVMConstantIntValueKind | ValueKind::LLVMConstantFPValueKind => {
                let words = value.words().ok_or("a number that cannot be read")?;
                let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
                let size = self.types.store_size_of(value.ty()) as usize;
                let mut bytes = bytes[..size.min(bytes.len())].to_vec();
                if self.types.target().is_big_endian() {
                    bytes.reverse();
                }
                image.put(offset, &bytes);
                Ok(())
            }
            ValueKind::LLVMConstantArrayValueKind | ValueKind::LLVMConstantDataArrayValueKind => {
                self.write_array(image, offset, value)
            }
            ValueKind::LLVMConstantVectorValueKind | ValueKind::LLVMConstantDataVectorValueKind => {
                self.write_vector(image, offset, value)
            }
            ValueKind::LLVMConstantStructValueKind => {
                let ty = value.ty();
                for (index, field) in (0..).map_while(|i| Some((i, value.element(i)?))) {
                    let start = offset + self.types.offset_of(ty, index);
                    self.write(image, start, field)?;
                }
                Ok(())
            }
            _ => self.write_address(image, offset, value),
        }
    }

    fn write_array(&mut self, image: &mut Image, offset: u64, value: Val<'m>) -> Result<(), String> {
        if let Some(bytes) = value.byte_string() {
            image.put(offset, bytes);
            return Ok(());
        }
        let Some((element, _)) = value.ty().elements() else { return Ok(()) };
        let stride = self.types.size_of(element);
        for (index, item) in (0..).map_while(|i| Some((i, value.element(i)?))) {
            self.write(image, offset + u64::from(index) * stride, item)?;
        }
        Ok(())
    }

    /// Lanes of a vector follow each other bit by bit.
    fn write_vector(&mut self, image: &mut Image, offset: u64, value: Val<'m>) -> Result<(), String> {
        let Some((element, _)) = value.ty().elements() else { return Ok(()) };
        let bits = self.lane_bits(element)?;
        for (index, lane) in (0..).map_while(|i| Some((i, value.element(i)?))) {
            let start = u64::from(index) * bits;
            if bits % 8 == 0 {
                self.write(image, offset + start / 8, lane)?;
                continue;
            }
            let words = if lane.is_null() { None } else { lane.words() };
            for (word, place) in words.unwrap_or_default().iter().zip((0..).step_by(64)) {
                (0..64).filter(|bit| word >> bit & 1 == 1).for_each(|bit| image.put_bit(offset, start + place + bit));
            }
        }
        Ok(())
    }

    fn lane_bits(&mut self, element: Ty<'m>) -> Result<u64, String> {
        let scalar = self.types.scalar(element).ok_or("a vector of unsupported elements")?;
        Ok(u64::from(scalar.bits()))
    }

    fn write_address(&mut self, image: &mut Image, offset: u64, value: Val<'m>) -> Result<(), String> {
        let size = self.types.store_size_of(value.ty());
        let linear = self.linear(value).ok_or_else(|| format!("a constant of {:?}", value.kind()))?;
        match linear {
            Linear { plus: None, minus: None, addend } => {
                let number = u128::from(addend as u64);
                image.put(offset, &self.types.target().bytes(number, (size as usize).min(8)));
            }
            Linear { plus: Some(symbol), minus, addend } => {
                image.reach(offset + size);
                image.relocs.push(Reloc { offset, size: size as u32, symbol, minus, addend });
            }
            Linear { plus: None, .. } => return Err("a negated address".to_owned()),
        }
        Ok(())
    }
}
