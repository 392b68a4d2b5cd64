//! The decisions of MC/DC: which conditions belong together, and in which order they are evaluated.
//!
//! clang writes a region for each decision and numbers the conditions inside it, each with those that come next. It does
//! not say to which decision a condition belongs; llvm-cov finds out by where they stand, and so must we: a condition
//! belongs to the first decision still without all its conditions that holds it (in the text, or in a macro used there)
//! and has no condition of that number yet.

use super::{Condition, FunctionCoverage, RegionKind, Span};

/// A decision and its conditions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decision {
    /// Index into [`FunctionCoverage::regions`].
    pub region: usize,
    /// In the order of the record, which is the order of llvm-cov.
    pub conditions: Vec<(usize, Condition)>,
}

impl Decision {
    /// The place in `conditions` of the condition with that id.
    pub fn position(&self, id: u32) -> Option<usize> {
        self.conditions.iter().position(|(_, c)| c.id == id)
    }
}

/// All decisions that have all their conditions, in the order in which llvm-cov lists them.
pub fn decisions(mapping: &FunctionCoverage) -> Vec<Decision> {
    let mut waiting: Vec<(Decision, u32)> = Vec::new();
    let mut complete = Vec::new();
    for (index, region) in mapping.regions.iter().enumerate() {
        match region.kind {
            RegionKind::Decision { conditions, .. } => {
                waiting.push((Decision { region: index, conditions: Vec::new() }, conditions));
            }
            RegionKind::Branch { condition: Some(condition), .. } => {
                let takes = |(decision, _): &(Decision, u32)| {
                    let holder = mapping.regions[decision.region].span;
                    decision.position(condition.id).is_none() && holds(mapping, holder, region.span)
                };
                let Some(at) = waiting.iter().position(takes) else { continue };
                waiting[at].0.conditions.push((index, condition));
                if waiting[at].0.conditions.len() == waiting[at].1 as usize {
                    complete.push(waiting.remove(at).0);
                }
            }
            _ => {}
        }
    }
    complete
}

/// Whether a place lies in a span, or in a macro that is used there.
fn holds(mapping: &FunctionCoverage, outer: Span, inner: Span) -> bool {
    let inside = |span: &Span| span.file == outer.file && outer.start <= span.start && span.end <= outer.end;
    inside(&inner) || mapping.expansions(inner.file).iter().any(inside)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coverage::{Counter, Region};

    fn span(file: u32, from: u32, to: u32) -> Span {
        Span { file, start: (1, from), end: (1, to) }
    }

    fn decision(file: u32, from: u32, to: u32, conditions: u32) -> Region {
        Region { span: span(file, from, to), kind: RegionKind::Decision { bitmap: 0, conditions } }
    }

    fn condition(file: u32, from: u32, id: u32) -> Region {
        let condition = Some(Condition { id, on_true: None, on_false: None });
        let (on_true, on_false) = (Counter::Count(id), Counter::Count(id + 1));
        Region { span: span(file, from, from + 1), kind: RegionKind::Branch { on_true, on_false, condition } }
    }

    #[test]
    fn conditions_find_their_decision_through_macros_too() {
        let expansion =
            |from: u32, file: u32| Region { span: span(0, from, from + 4), kind: RegionKind::Expansion { file } };
        let regions = vec![
            decision(0, 1, 9, 2),
            condition(0, 1, 0),
            condition(0, 6, 1),
            decision(0, 20, 40, 2),
            expansion(21, 1),
            condition(0, 30, 1),
            condition(1, 3, 0),
        ];
        let mapping = FunctionCoverage {
            name_hash: 0,
            structural_hash: 1,
            files: vec!["a.c".into(), "a.c".into()],
            expressions: Vec::new(),
            regions,
        };
        let found = decisions(&mapping);
        let shape: Vec<(usize, Vec<usize>)> =
            found.iter().map(|d| (d.region, d.conditions.iter().map(|c| c.0).collect())).collect();
        assert_eq!(shape, [(0, vec![1, 2]), (3, vec![5, 6])]);
        assert_eq!(found[1].position(0), Some(1));
    }
}
