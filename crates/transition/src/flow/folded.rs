//! What is compared where a way is never taken because its condition is the same in all runs: kept for those who tell why.

use covenant_constraints::TermId;
use covenant_constraints::analysis::Facts;
use covenant_program::ir::{Block, Body, Def, FuncId, IntCmp, Op, Terminator, Type, Value};

use super::ContextId;
use super::build::{Builder, Here, Val};

/// The least and the largest value that something has in all runs.
pub type Between = (i128, i128);

/// What decides at the end of a block, in one call of its function: both sides of a comparison, or the value of a switch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Folded {
    /// Left and right.
    Compared(Between, Between),
    /// The value of a switch.
    Switched(Between),
}

impl Builder<'_> {
    /// Keeps what is compared at the end of a block where a way out of it was found impossible.
    pub(super) fn keep_folded(&mut self, at: (ContextId, FuncId, Block), way: u32, term: &Terminator, here: &mut Here) {
        let (context, function, block) = at;
        let body = self.body(function);
        let folded = self.folded(context, body, way, term, here);
        let known = self.flow.folded.entry((function, block, way)).or_default();
        if !known.contains(&folded) {
            known.push(folded);
        }
    }

    /// What excludes the way alone.
    fn folded(
        &mut self,
        context: ContextId,
        body: &Body,
        way: u32,
        term: &Terminator,
        here: &mut Here,
    ) -> Option<Folded> {
        match term {
            Terminator::Branch { cond, .. } => {
                let Def::Result { inst, .. } = body.values[*cond].def else { return None };
                let Op::IntCmp { cmp, args: [left, right] } = body.insts[inst].op else { return None };
                let signed = !matches!(cmp, IntCmp::Ult | IntCmp::Ule | IntCmp::Ugt | IntCmp::Uge);
                let left = self.between(context, body, left, signed, here)?;
                let right = self.between(context, body, right, signed, here)?;
                (always(cmp, left, right)? == (way == 1)).then_some(Folded::Compared(left, right))
            }
            Terminator::Switch { value, cases, .. } => {
                let now = self.between(context, body, *value, true, here)?;
                let Type::Int(width) = body.ty(*value) else { return None };
                let case = cases.get(way as usize).map(|(case, _)| *case)?;
                let case = signed_value(case, width)?;
                (case < now.0 || case > now.1).then_some(Folded::Switched(now))
            }
            _ => None,
        }
    }

    /// Between which numbers a value lies; `None` where nothing narrower is known than what its type says.
    fn between(
        &mut self,
        context: ContextId,
        body: &Body,
        value: Value,
        signed: bool,
        here: &mut Here,
    ) -> Option<Between> {
        let ty = body.ty(value);
        if !matches!(ty, Type::Int(2..)) {
            return None;
        }
        let Val::Term(term) = self.value(context, value) else { return None };
        let term: TermId = self.settle(here, term);
        let range = Facts::default().range(self.terms, term)?;
        let all = covenant_constraints::analysis::Range::top(range.width);
        let (found, widest) = if signed {
            ((range.slo, range.shi), (all.slo, all.shi))
        } else {
            let bounds = |lo: u128, hi: u128| Some((i128::try_from(lo).ok()?, i128::try_from(hi).ok()?));
            (bounds(range.lo, range.hi)?, bounds(all.lo, all.hi)?)
        };
        (found != widest).then_some(found)
    }
}

/// A case as the source has it.
fn signed_value(case: u128, width: u8) -> Option<i128> {
    let shift = 128u32.checked_sub(u32::from(width))?;
    Some(((case << shift) as i128) >> shift)
}

/// What a comparison of all such values gives, if that is the same.
fn always(cmp: IntCmp, left: Between, right: Between) -> Option<bool> {
    let (apart, same) = (left.1 < right.0 || right.1 < left.0, left.0 == left.1 && left == right);
    let less = (left.1 < right.0).then_some(true).or((left.0 >= right.1).then_some(false));
    let at_most = (left.1 <= right.0).then_some(true).or((left.0 > right.1).then_some(false));
    match cmp {
        IntCmp::Eq => same.then_some(true).or(apart.then_some(false)),
        IntCmp::Ne => apart.then_some(true).or(same.then_some(false)),
        IntCmp::Ult | IntCmp::Slt => less,
        IntCmp::Ule | IntCmp::Sle => at_most,
        IntCmp::Ugt | IntCmp::Sgt => at_most.map(|known| !known),
        IntCmp::Uge | IntCmp::Sge => less.map(|known| !known),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comparison_is_known_where_all_values_agree() {
        assert_eq!(always(IntCmp::Sle, (31, 31), (2, 2)), Some(false));
        assert_eq!(always(IntCmp::Slt, (0, 1), (1, 2)), None);
        assert_eq!(always(IntCmp::Sge, (0, 1), (2, 2)), Some(false));
        assert_eq!(always(IntCmp::Sgt, (3, 4), (2, 2)), Some(true));
        assert_eq!(always(IntCmp::Eq, (0, 1), (0, 1)), None);
        assert_eq!(always(IntCmp::Ne, (0, 1), (-207, -207)), Some(true));
        assert_eq!(signed_value(0xff, 8), Some(-1));
        assert_eq!(signed_value(77, 32), Some(77));
    }
}
