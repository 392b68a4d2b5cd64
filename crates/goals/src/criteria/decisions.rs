//! Decisions: Boolean expressions of several conditions, and how C evaluates them.
//!
//! clang's coverage mapping has most of them; [`crate::criteria::lost`] finds the others.
//!
//! A condition that clang found constant is not evaluated; the decision goes on as its value says.

use covenant_program::coverage::decision::{self, Decision};
use covenant_program::coverage::{FunctionCoverage, Span};

use crate::criteria::Site;
use crate::criteria::lost::lost;
use crate::criteria::mcdc::{Diagram, Next, Sites};

/// A decision in the source.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    pub(crate) span: Span,
    pub(crate) text: String,
    /// Branch regions of its conditions, in the order of the text.
    pub(crate) conditions: Vec<usize>,
    /// How they are evaluated, or why that is not known.
    pub(crate) diagram: Result<Diagram, String>,
    /// Its number among those that llvm-cov can judge.
    pub(crate) number: Option<u32>,
}

/// The decisions of a function, those of the mapping first.
pub(crate) fn shapes(site: &Site<'_>, sites: &Sites) -> Vec<Shape> {
    let Some(mapping) = site.mapping else { return Vec::new() };
    let mut all: Vec<Shape> = Vec::new();
    for (number, decision) in decision::decisions(mapping).iter().enumerate() {
        all.push(of_mapping(site, mapping, decision, number as u32));
    }
    let known: Vec<usize> = all.iter().flat_map(|shape| shape.conditions.iter().copied()).collect();
    for mut shape in lost(site, mapping, sites, &known) {
        drop_constants(site, mapping, &mut shape);
        all.push(shape);
    }
    all
}

fn of_mapping(site: &Site<'_>, mapping: &FunctionCoverage, decision: &Decision, number: u32) -> Shape {
    let place = |id: Option<u32>, outcome: bool| match id {
        None => Some(Next::End(outcome)),
        Some(id) => decision.position(id).map(Next::Condition),
    };
    let next: Option<Vec<[Next; 2]>> =
        decision.conditions.iter().map(|(_, c)| Some([place(c.on_true, true)?, place(c.on_false, false)?])).collect();
    let unfit = || "the conditions of the decision do not fit together".to_owned();
    let diagram = next.zip(decision.position(0)).map(|(next, first)| Diagram { first: Next::Condition(first), next });
    let mut shape = Shape {
        span: mapping.regions[decision.region].span,
        text: site.region_text(decision.region),
        conditions: decision.conditions.iter().map(|(region, _)| *region).collect(),
        diagram: diagram.ok_or_else(unfit),
        number: Some(number),
    };
    drop_constants(site, mapping, &mut shape);
    shape
}

/// Takes out the conditions that are constant. llvm-cov does not judge such decisions rightly.
fn drop_constants(site: &Site<'_>, mapping: &FunctionCoverage, shape: &mut Shape) {
    while let Some(at) = shape.conditions.iter().position(|&region| mapping.regions[region].is_folded()) {
        shape.number = None;
        let region = shape.conditions.remove(at);
        let value = constant(&site.region_text(region));
        shape.diagram = match (std::mem::replace(&mut shape.diagram, Err(String::new())), value) {
            (Ok(diagram), Some(value)) => Ok(diagram.without(at, value)),
            (Err(why), _) => Err(why),
            (_, None) => Err("a condition of the decision is a constant whose value cannot be read".to_owned()),
        };
    }
}

/// The value of a constant, where it is written as a number.
fn constant(text: &str) -> Option<bool> {
    let text = text.trim_matches(|c: char| c == '(' || c == ')' || c.is_whitespace());
    match text.strip_prefix('!') {
        Some(rest) => constant(rest).map(|value| !value),
        None if text == "true" => Some(true),
        None if text == "false" => Some(false),
        None => text.trim_end_matches(['u', 'U', 'l', 'L']).parse::<u64>().ok().map(|n| n != 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_read_where_they_are_numbers() {
        assert_eq!(
            (constant("1"), constant("(!0)"), constant("0u"), constant("X")),
            (Some(true), Some(true), Some(false), None)
        );
    }
}
