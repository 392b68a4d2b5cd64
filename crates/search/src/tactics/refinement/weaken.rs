//! Splits that say no more than they must.
//!
//! The exact condition for a step drags along why the states behind it are not in other nodes. All that a split has to do is
//! to set apart the states that runs were in; any condition that the exact one implies will do, and the shorter it is,
//! the more it says once it is found to be unreachable.

use covenant_constraints::{Evaluator, TermId, Terms};
use covenant_prove::arc::frontier::Frontier;
use rustc_hash::FxHashMap;

use super::Abstraction;
use crate::lab::Lab;

impl Abstraction {
    /// Some of the conjuncts, such that no visit of the node before the frontier that is known fulfils all of them.
    pub(super) fn weakened(&self, lab: &mut Lab<'_>, frontier: Frontier, conjuncts: Vec<TermId>) -> Vec<TermId> {
        let node = self.model.node(frontier.from);
        let location = node.location;
        let visits = lab.system.handy(&node.visits, lab.tuning().weaken_most_visits);
        // For each visit, which conjuncts are false there.
        let mut broken: Vec<Vec<bool>> = Vec::new();
        for (run, ordinal) in visits {
            let Some(record) = self.records.all.get(&run) else { continue };
            let inputs = std::rc::Rc::clone(&record.inputs);
            let mut told = Vec::with_capacity(conjuncts.len());
            for &conjunct in &conjuncts {
                let Some((Some(term), _)) = record.term(&mut lab.cx.terms, location, ordinal, conjunct) else { break };
                told.push(!Evaluator::new(&lab.cx.terms, &inputs).eval(term).is_true());
            }
            if told.len() == conjuncts.len() && told.contains(&true) {
                broken.push(told);
            }
        }
        choose(&lab.cx.terms, conjuncts, &broken)
    }
}

/// Leaves out conjuncts, the largest first, as long as each visit breaks one that stays.
fn choose(terms: &Terms, conjuncts: Vec<TermId>, broken: &[Vec<bool>]) -> Vec<TermId> {
    if broken.is_empty() {
        return conjuncts;
    }
    let sizes: FxHashMap<TermId, usize> = conjuncts.iter().map(|&c| (c, terms.postorder(&[c]).len())).collect();
    let mut order: Vec<usize> = (0..conjuncts.len()).collect();
    order.sort_by_key(|&i| (std::cmp::Reverse(sizes[&conjuncts[i]]), i));
    let mut kept = vec![true; conjuncts.len()];
    for i in order {
        kept[i] = false;
        let enough = broken.iter().all(|visit| visit.iter().zip(&kept).any(|(broken, kept)| *broken && *kept));
        kept[i] = !enough;
    }
    conjuncts.into_iter().zip(kept).filter(|(_, kept)| *kept).map(|(conjunct, _)| conjunct).collect()
}

#[cfg(test)]
mod tests {
    use covenant_constraints::Sort;

    use super::*;

    #[test]
    fn the_smallest_that_sets_all_visits_apart_stays() {
        let mut terms = Terms::new();
        let (x, y) = (terms.new_var("x".to_owned(), Sort::Bv(8)), terms.new_var("y".to_owned(), Sort::Bv(8)));
        let small = terms.ult(x, y);
        let sum = terms.add(x, y);
        let product = terms.mul(sum, y);
        let large = terms.ult(product, x);
        let both = vec![large, small];
        assert_eq!(choose(&terms, both.clone(), &[vec![true, true], vec![false, true]]), vec![small]);
        assert_eq!(choose(&terms, both.clone(), &[vec![true, false], vec![false, true]]), both);
        assert_eq!(choose(&terms, both.clone(), &[]), both);
    }
}
