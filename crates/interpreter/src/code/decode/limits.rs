//! Where code of the subject depends on what the machine chooses and C leaves open.

use covenant_program::ir::{BinaryOp, CastOp, Def, Inst, Op as IrOp, Origin, Value};

use super::Decoder;
use crate::code::op::Op;

impl Decoder<'_> {
    fn is_subject(&self) -> bool {
        self.image.program().functions[self.id].origin == Origin::Subject
    }

    /// Whether somebody else may change what is accessed. Whether that can be followed is seen when it is accessed.
    pub(super) fn is_shared(&self, volatile: bool) -> bool {
        volatile && self.is_subject()
    }

    /// An address becomes a number. The distance of two addresses is looked at where they are subtracted.
    pub(super) fn look(&mut self, inst: Inst, op: CastOp, arg: Value) {
        let Some(&number) = self.body.insts[inst].results.first() else { return };
        if op != CastOp::PtrToInt || !self.is_subject() {
            return;
        }
        let [own, aside] = [false, true].map(|aside| self.is_seen(number, aside));
        if own || aside {
            let address = self.reg(arg);
            self.emit(Op::Look { address, aside: !own });
        }
    }

    /// Whether a number that an address is has other uses than to be subtracted from another: by the code itself, or by what is there for
    /// labels only.
    fn is_seen(&self, number: Value, aside: bool) -> bool {
        let body = self.body;
        let is_address = |value: Value| match body.values[value].def {
            Def::Result { inst, .. } => matches!(body.insts[inst].op, IrOp::Cast { op: CastOp::PtrToInt, .. }),
            _ => false,
        };
        let subtracts = |inst: &Inst| match &body.insts[*inst].op {
            IrOp::Binary { op: BinaryOp::Sub, args, .. } => args.iter().all(|&arg| is_address(arg)),
            _ => false,
        };
        let mut known = 0;
        for data in body.blocks.values() {
            let mut ghosts = 0;
            for user in &data.insts {
                let op = &body.insts[*user].op;
                let times = op.operands().iter().filter(|&&v| v == number).count();
                if times > 0 && !subtracts(user) && (ghosts > 0) == aside {
                    return true;
                }
                known += times;
                ghosts = match op {
                    IrOp::Ghost { insts, .. } => *insts,
                    _ => ghosts.saturating_sub(1),
                };
            }
        }
        // Arguments of edges and returned values are uses too.
        !aside && known as u32 != self.uses[number]
    }
}
