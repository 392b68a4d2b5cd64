//! Parts of aggregates and lanes of vectors, and the same bits as another type.

use super::function::{FunctionLowering, Vals};
use super::llvm::Val;
use crate::ir::{BinaryOp, CastOp, IntCmp, Type, Value};

impl<'m> FunctionLowering<'_, 'm> {
    pub(super) fn extract_value(&mut self, v: Val<'m>) -> Result<Vals, String> {
        let whole = v.operand(0).ok_or("a missing operand")?;
        let values = self.operand(whole)?;
        let (start, ty) = self.cx.types.slot_of(whole.ty(), &v.indices());
        let length = self.cx.types.flat(ty).slots.len();
        Ok(values.get(start..start + length).ok_or("a part that does not exist")?.into())
    }

    pub(super) fn insert_value(&mut self, v: Val<'m>) -> Result<Vals, String> {
        let whole = v.operand(0).ok_or("a missing operand")?;
        let mut values = self.operand(whole)?;
        let part = self.operand(v.operand(1).ok_or("a missing operand")?)?;
        let (start, _) = self.cx.types.slot_of(whole.ty(), &v.indices());
        values.get_mut(start..start + part.len()).ok_or("a part that does not exist")?.copy_from_slice(&part);
        Ok(values)
    }

    /// A lane that does not exist is undefined.
    pub(super) fn extract_element(&mut self, v: Val<'m>) -> Result<Vals, String> {
        let lanes = self.operand(v.operand(0).ok_or("a missing operand")?)?;
        let index = v.operand(1).ok_or("a missing operand")?;
        let mut types = self.cx.types.flat(v.ty()).types().collect::<Vec<_>>().into_iter();
        let (Some(ty), None) = (types.next(), types.next()) else { return Err("a lane of several values".to_owned()) };
        if let Some(index) = index.small_int() {
            let lane = usize::try_from(index).ok().and_then(|i| lanes.get(i)).copied();
            let lane = lane.unwrap_or_else(|| self.undef(ty));
            return Ok(Vals::from_slice(&[lane]));
        }
        let index = self.operand_at(v, 1)?;
        let mut result = self.undef(ty);
        for (place, &lane) in lanes.iter().enumerate() {
            let here = self.is_lane(index, place);
            result = self.choose(here, lane, result);
        }
        Ok(Vals::from_slice(&[result]))
    }

    pub(super) fn insert_element(&mut self, v: Val<'m>) -> Result<Vals, String> {
        let mut lanes = self.operand(v.operand(0).ok_or("a missing operand")?)?;
        let new = self.operand_at(v, 1)?;
        if let Some(index) = v.operand(2).and_then(Val::small_int) {
            if let Some(lane) = usize::try_from(index).ok().and_then(|i| lanes.get_mut(i)) {
                *lane = new;
            }
            return Ok(lanes);
        }
        let index = self.operand_at(v, 2)?;
        for (place, lane) in lanes.iter_mut().enumerate() {
            let here = self.is_lane(index, place);
            *lane = self.choose(here, new, *lane);
        }
        Ok(lanes)
    }

    fn is_lane(&mut self, index: Value, place: usize) -> Value {
        let ty = self.body.ty(index);
        let place = self.number(ty, place as u128);
        self.compare(IntCmp::Eq, index, place)
    }

    pub(super) fn shuffle(&mut self, v: Val<'m>) -> Result<Vals, String> {
        let mut lanes = self.operand(v.operand(0).ok_or("a missing operand")?)?;
        lanes.extend(self.operand(v.operand(1).ok_or("a missing operand")?)?);
        let ty = lanes.first().map(|&lane| self.body.ty(lane)).ok_or("a vector without lanes")?;
        let pick = |source: Option<usize>| source.and_then(|s| lanes.get(s)).copied();
        let picked: Vec<Option<Value>> = v.shuffle_mask().into_iter().map(pick).collect();
        Ok(picked.into_iter().map(|lane| lane.unwrap_or_else(|| self.undef(ty))).collect())
    }

    pub(super) fn bitcast(&mut self, v: Val<'m>) -> Result<Vals, String> {
        let values = self.operand(v.operand(0).ok_or("a missing operand")?)?;
        let types: Vec<Type> = self.cx.types.flat(v.ty()).usable()?.types().collect();
        self.rebits(&values, &types)
    }

    /// The same bits as values of other types. All values have one type, and so have the results.
    pub(super) fn rebits(&mut self, values: &[Value], types: &[Type]) -> Result<Vals, String> {
        let (Some(&first), Some(&to)) = (values.first(), types.first()) else { return Ok(Vals::new()) };
        let from = self.body.ty(first);
        if values.iter().any(|&v| self.body.ty(v) != from) || types.iter().any(|&t| t != to) {
            return Err("the bits of a mixed value".to_owned());
        }
        if from == to {
            return Ok(values.into());
        }
        let (wide, narrow) = (from.bits(), to.bits());
        if wide == narrow {
            return Ok(values.iter().map(|&v| self.reinterpret(v, to)).collect());
        }
        // The first lane is the lowest, or where the highest byte comes first the highest.
        let is_backwards = self.cx.types.target().is_big_endian();
        let mut numbers: Vals = values.iter().map(|&v| self.bits_of(v)).collect();
        if is_backwards {
            numbers.reverse();
        }
        let mut results: Vals = if wide > narrow && wide.is_multiple_of(narrow) {
            let each = wide / narrow;
            numbers
                .iter()
                .flat_map(|&n| (0..each).map(move |i| (n, i * narrow)))
                .map(|(n, at)| self.part(n, at, narrow))
                .collect()
        } else if narrow > wide && narrow.is_multiple_of(wide) {
            numbers.chunks((narrow / wide) as usize).map(|parts| self.join(parts, narrow)).collect()
        } else {
            let total = wide * values.len() as u32;
            if total > 128 {
                return Err("lanes of odd width".to_owned());
            }
            let whole = self.join(&numbers, total);
            (0..types.len() as u32).map(|i| self.part(whole, i * narrow, narrow)).collect()
        };
        if is_backwards {
            results.reverse();
        }
        Ok(results.into_iter().map(|number| self.reinterpret(number, to)).collect())
    }

    /// `width` bits of an integer, from bit `at` on.
    pub(super) fn part(&mut self, number: Value, at: u32, width: u32) -> Value {
        let ty = self.body.ty(number);
        let shifted = match at {
            0 => number,
            _ => {
                let amount = self.number(ty, u128::from(at));
                self.arithmetic(BinaryOp::LShr, number, amount)
            }
        };
        self.resize(shifted, Type::Int(width as u8), false)
    }

    /// One integer of `width` bits, the first part lowest.
    pub(super) fn join(&mut self, parts: &[Value], width: u32) -> Value {
        let ty = Type::Int(width as u8);
        let mut at = 0;
        let mut whole = None;
        for &part in parts {
            let size = self.body.ty(part).bits();
            let mut wide = self.resize(part, ty, false);
            if at > 0 {
                let amount = self.number(ty, u128::from(at));
                wide = self.arithmetic(BinaryOp::Shl, wide, amount);
            }
            whole = Some(match whole {
                None => wide,
                Some(low) => self.arithmetic(BinaryOp::Or, low, wide),
            });
            at += size;
        }
        whole.unwrap_or_else(|| self.number(ty, 0))
    }

    pub(super) fn bits_of(&mut self, value: Value) -> Value {
        let ty = self.body.ty(value);
        self.reinterpret(value, Type::Int(ty.bits() as u8))
    }

    /// A value as another type of the same width.
    pub(super) fn reinterpret(&mut self, value: Value, to: Type) -> Value {
        match (self.body.ty(value), to) {
            (from, to) if from == to => value,
            (from, Type::Int(_)) if from.is_ptr() => self.cast(CastOp::PtrToInt, value, to),
            (Type::Int(_), to) if to.is_ptr() => self.address_of(value),
            (from, _) if from.is_ptr() => {
                let number = self.cast(CastOp::PtrToInt, value, Type::I64);
                self.cast(CastOp::Bitcast, number, to)
            }
            (_, to) if to.is_ptr() => {
                let number = self.cast(CastOp::Bitcast, value, Type::I64);
                self.address_of(number)
            }
            _ => self.cast(CastOp::Bitcast, value, to),
        }
    }

    /// A short vector in the one SSE register that carries it to a variadic function.
    pub(super) fn in_one_register(&mut self, lanes: &[Value]) -> Result<Vals, String> {
        let bits: u32 = lanes.iter().map(|&l| self.body.ty(l).bits()).sum();
        match bits {
            64 => self.rebits(lanes, &[Type::F64]),
            32 => self.rebits(lanes, &[Type::F32]),
            _ => Err("a vector passed to a variadic function".to_owned()),
        }
    }
}
