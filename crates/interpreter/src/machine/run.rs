//! The dispatch.

use covenant_program::ir::{Block, Type};
use cranelift_entity::EntityRef;

use super::int::compare_shifted;
use super::{Machine, Step};
use crate::TrapKind;
use crate::code::op::{Cases, Code, Op, Operand};
use crate::memory::Fault;
use crate::shadow::Shadow;

impl<S: Shadow> Machine<'_, S> {
    /// Runs until the frame on top now has returned.
    pub(super) fn run(&mut self) -> Step<Vec<u128>> {
        let floor = self.frames.len();
        loop {
            let Some(frame) = self.frames.last() else { return Ok(Vec::new()) };
            let code = self.image.code(frame.function);
            let (base, mut pc) = (frame.base, frame.pc);
            let flow = self.stretch(code, base, &mut pc);
            match flow {
                Ok(Flow::Switched) => {}
                Ok(Flow::Return(site)) => {
                    if let Some(values) = self.leave(code, base, site, floor) {
                        return Ok(values);
                    }
                }
                Err(stop) => {
                    if let Some(frame) = self.frames.last_mut() {
                        frame.pc = pc;
                    }
                    return Err(stop);
                }
            }
        }
    }

    /// Runs inside one frame until control leaves it.
    fn stretch(&mut self, code: &Code, base: usize, pc: &mut usize) -> Step<Flow> {
        let mut next = *pc;
        // The place is written back on every way out, so that a trap knows where it is.
        let flow = loop {
            let op = code.ops[next];
            next += 1;
            let step = match op {
                Op::Move(r) => self.move_register(base, r),
                Op::Add32(r) => self.add32(base, r),
                Op::Sub32(r) => self.sub32(base, r),
                Op::Mul32(r) => self.mul32(base, r),
                Op::Add64(r) => self.add64(base, r),
                Op::Sub64(r) => self.sub64(base, r),
                Op::Mul64(r) => self.mul64(base, r),
                Op::And(w, r) => self.and(base, w, r),
                Op::Or(w, r) => self.or(base, w, r),
                Op::Xor(w, r) => self.xor(base, w, r),
                Op::Int(op, r) => self.int(base, op, r),
                Op::IntTrapping(op, r) => self.int_trapping(base, op, r),
                Op::Wide(op, r) => self.wide_int(base, op, r),
                Op::Cmp(cmp, shift, r) => self.int_cmp(base, cmp, shift, r),
                Op::WideCmp(cmp, width, r) => self.wide_cmp(base, cmp, width, r),
                Op::Float(op, format, r) => self.float(base, op, format, r),
                Op::FloatCmp(cmp, format, r) => self.float_cmp(base, cmp, format, r),
                Op::FNeg(format, r) => self.float_neg(base, format, r),
                Op::Trunc(width, r) => self.trunc(base, width, r),
                Op::SExt(from, to, r) => self.sext(base, from, to, r),
                Op::ZExt(from, to, r) => self.zext(base, from, to, r),
                Op::Cast(site) => self.cast(base, &code.casts[site as usize]),
                Op::Select(site) => self.select(base, &code.selects[site as usize]),
                Op::PtrDisp { d, a, disp } => self.ptr_disp(base, d, a, disp),
                Op::PtrIndex { scale, r } => self.ptr_index(base, scale, r),
                Op::PtrAdd(site) => self.ptr_add(base, &code.offsets[site as usize]),
                Op::Load8(r) => self.load8(base, r),
                Op::Load16(ty, r) => self.load16(base, ty, r),
                Op::Load32(ty, r) => self.load32(base, ty, r),
                Op::Load64(ty, r) => {
                    self.note_place(next);
                    self.load64(base, ty, r)
                }
                Op::LoadOther(ty, r) => self.load_other(base, ty, r),
                Op::LoadQuiet(ty, r) => self.load_quiet(base, ty, r),
                Op::Store8(r) => self.store8(base, r),
                Op::Store16(ty, r) => self.store16(base, ty, r),
                Op::Store32(ty, r) => self.store32(base, ty, r),
                Op::Store64(ty, r) => self.store64(base, ty, r),
                Op::StoreOther(ty, r) => self.store_other(base, ty, r),
                Op::LoadVolatile(ty, r) => self.load_volatile(base, ty, r),
                Op::StoreVolatile(ty, r) => self.store_volatile(base, ty, r),
                Op::Alloca(site) => self.alloca(base, &code.allocas[site as usize], code.origins[next - 1].loc),
                Op::Intrinsic(site) => {
                    self.intrinsic(base, &code.intrinsics[site as usize], code.origins[next - 1].loc)
                }
                Op::Counter => Ok(()),
                Op::Look { address, aside } => {
                    if S::ACTIVE {
                        self.look_at(base, address, aside);
                    }
                    Ok(())
                }
                Op::Mark(mark) if S::ACTIVE => self.tell(code.marks[mark as usize]),
                Op::Mark(_) => Ok(()),
                Op::Label(site) if S::ACTIVE => self.follow_label(base, code.labels[site as usize]),
                Op::Label(_) => Ok(()),
                Op::Ghost { labels, first, to } => {
                    self.aside = S::ACTIVE && self.shadow.wants(first, u32::from(labels));
                    if !self.aside {
                        next = to as usize;
                    }
                    Ok(())
                }
                Op::GhostEnd => {
                    self.aside = false;
                    Ok(())
                }
                Op::Count(n) => self.count(n),
                Op::Jump { n, to } => {
                    next = to as usize;
                    self.burn(n)
                }
                Op::Branch { n, cond, then, other } => {
                    let taken = self.get(base, cond) != 0;
                    let followed =
                        if S::ACTIVE { self.follow_branch(base, code, next - 1, cond, taken) } else { Ok(()) };
                    next = if taken { then } else { other } as usize;
                    followed.and_then(|()| self.burn(n))
                }
                Op::CmpBranch { cmp, shift, a, b, site } => {
                    let branch = code.branches[site as usize];
                    let (x, y) = self.in_order(cmp, shift, self.get(base, a), self.get(base, b));
                    let taken = compare_shifted(cmp, x << shift, y << shift);
                    let followed =
                        if S::ACTIVE { self.follow_comparison(base, code, next - 1, op, taken) } else { Ok(()) };
                    next = if taken { branch.then } else { branch.other } as usize;
                    followed.and_then(|()| self.burn(branch.n))
                }
                Op::Switch { n, site } => {
                    let from = next - 1;
                    next = self.switch(base, code, site);
                    let followed = if S::ACTIVE { self.follow_switch(base, code, from, site, next) } else { Ok(()) };
                    followed.and_then(|()| self.burn(n))
                }
                Op::Indirect { n, site } => self.indirect(base, code, site).and_then(|to| {
                    next = to;
                    self.burn(n)
                }),
                Op::Call(site) => match self.call_site(base, code, &code.calls[site as usize], next) {
                    Ok(true) => break Ok(Flow::Switched),
                    Ok(false) => Ok(()),
                    Err(stop) => Err(stop),
                },
                Op::Return0 { n } => match self.burn(n) {
                    Ok(()) => break Ok(Flow::Return(Returned::Nothing)),
                    Err(stop) => Err(stop),
                },
                Op::Return1 { n, a } => match self.burn(n) {
                    Ok(()) => break Ok(Flow::Return(Returned::Word(a))),
                    Err(stop) => Err(stop),
                },
                Op::Return { n, site } => match self.burn(n) {
                    Ok(()) => break Ok(Flow::Return(Returned::Values(site))),
                    Err(stop) => Err(stop),
                },
                Op::Unreachable => {
                    Err(Fault::new(TrapKind::Unreachable, "control came to a place that cannot be reached").into())
                }
                Op::Unsupported(site) => {
                    Err(Fault::new(TrapKind::Unsupported, code.unsupported[site as usize].clone()).into())
                }
            };
            if let Err(stop) = step {
                break Err(stop);
            }
        };
        *pc = next;
        flow
    }

    fn count(&mut self, n: u32) -> Step<()> {
        self.fuel -= i64::from(n);
        Ok(())
    }

    fn switch(&mut self, base: usize, code: &Code, site: u32) -> usize {
        let site = &code.switches[site as usize];
        let value = self.operand(base, site.value);
        let target = match &site.cases {
            Cases::Dense { low, targets } => {
                let index = (value as u64).wrapping_sub(*low);
                let small = value <= u128::from(u64::MAX);
                targets.get(index as usize).copied().filter(|_| small)
            }
            Cases::Sparse(cases) => cases.binary_search_by_key(&value, |case| case.0).ok().map(|i| cases[i].1),
        };
        target.unwrap_or(site.default) as usize
    }

    fn indirect(&mut self, base: usize, code: &Code, site: u32) -> Step<usize> {
        let site = &code.indirects[site as usize];
        let address = self.get(base, site.address);
        if S::ACTIVE {
            self.pin(base, Operand { reg: site.address, ty: Type::Ptr }, "computed goto");
        }
        let Some(frame) = self.frames.last() else { return Ok(0) };
        let label = |block: Block| {
            let symbol = covenant_program::ir::Symbol::Label(frame.function, Block::new(block.index()));
            self.image.symbol_address(symbol)
        };
        let target = site.targets.iter().find(|(block, _)| label(*block) == address);
        match target {
            Some((_, to)) => Ok(*to as usize),
            None => Err(Fault::new(TrapKind::BadJump, format!("goto {address:#x}, which is no label here")).into()),
        }
    }
}

/// How control leaves a stretch.
pub(super) enum Flow {
    /// Another frame is on top now.
    Switched,
    Return(Returned),
}

#[derive(Clone, Copy)]
pub(super) enum Returned {
    Nothing,
    Word(u32),
    /// Index into [`Code::returns`].
    Values(u32),
}
