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
        if op == CastOp::PtrToInt && self.is_subject() && !self.is_for_distance(inst) {
            let address = self.reg(arg);
            self.emit(Op::Look(address));
        }
    }

    fn is_for_distance(&self, inst: Inst) -> bool {
        let body = self.body;
        let Some(&number) = body.insts[inst].results.first() else { return true };
        let is_address = |value: Value| match body.values[value].def {
            Def::Result { inst, .. } => matches!(body.insts[inst].op, IrOp::Cast { op: CastOp::PtrToInt, .. }),
            _ => false,
        };
        let subtracts = |inst: &Inst| match &body.insts[*inst].op {
            IrOp::Binary { op: BinaryOp::Sub, args, .. } => args.iter().all(|&arg| is_address(arg)),
            _ => false,
        };
        let mut subtracted = 0;
        for data in body.blocks.values() {
            for user in &data.insts {
                let times = body.insts[*user].op.operands().iter().filter(|&&v| v == number).count();
                if times > 0 && !subtracts(user) {
                    return false;
                }
                subtracted += times;
            }
        }
        // Arguments of edges and returned values are uses too.
        subtracted as u32 == self.uses[number]
    }
}
