//! Decisions: Boolean expressions of several conditions, and how C evaluates them.
//!
//! clang's coverage mapping has most of them. It leaves out, with a warning, those with a condition that holds another
//! `&&` or `||` (in a call, in a comparison): their conditions are there as branch regions, and the syntax tree says how
//! they belong together ([`crate::criteria::conditions`]).
//!
//! A condition that clang found constant is not evaluated; the decision goes on as its value says.

use std::collections::HashSet;

use covenant_program::coverage::decision::{self, Decision};
use covenant_program::coverage::{FunctionCoverage, Span};
use covenant_program::syntax::{Definition, Node, Place, text};

use crate::criteria::Site;
use crate::criteria::branch::text_of;
use crate::criteria::conditions::{self, Conditions, condition_regions};
use crate::criteria::expression::{Tree, flipped, layout};
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
    /// How it is written, where the syntax tree has it.
    written: Option<Written>,
}

/// A decision as it is written, with all its conditions.
#[derive(Clone, Debug)]
struct Written {
    tree: Tree,
    /// Those that are constant, with their values; the last first.
    constants: Vec<(usize, bool)>,
    /// Where each operator is, if that can be told.
    operators: Vec<Option<(u32, u32)>>,
}

/// A decision with one operator changed.
pub(crate) struct Flipped {
    pub(crate) words: &'static str,
    /// Line and column of the operator.
    pub(crate) place: Option<(u32, u32)>,
    pub(crate) diagram: Diagram,
}

impl Shape {
    /// The decision with each of its operators as the other one. `Err`: why that cannot be said.
    pub(crate) fn flipped(&self) -> Result<Vec<Flipped>, String> {
        let untold = || "the operators of the decision cannot be told".to_owned();
        let diagram = self.diagram.clone()?;
        let written = self.written.as_ref().filter(|written| written.evaluated(&written.tree) == diagram);
        let written = written.ok_or_else(untold)?;
        let places = written.operators.iter().copied();
        let changed = flipped(&written.tree).into_iter().zip(places);
        Ok(changed.map(|((words, tree), place)| Flipped { words, place, diagram: written.evaluated(&tree) }).collect())
    }
}

impl Written {
    /// How a tree over the conditions is evaluated, without those that are constant.
    fn evaluated(&self, tree: &Tree) -> Diagram {
        self.constants.iter().fold(layout(tree), |diagram, &(at, value)| diagram.without(at, value))
    }
}

/// The decisions of a function, those of the mapping first.
pub(crate) fn shapes(site: &Site<'_>, sites: &Sites) -> Vec<Shape> {
    let Some(mapping) = site.mapping else { return Vec::new() };
    let reader = Reader::new(site, mapping, sites);
    let mut all: Vec<Shape> = Vec::new();
    for (number, decision) in decision::decisions(mapping).iter().enumerate() {
        all.push(reader.mapped(decision, number as u32));
    }
    let mapped: HashSet<usize> = all.iter().flat_map(|shape| shape.conditions.iter().copied()).collect();
    all.extend(reader.unmapped(&mapped));
    all.iter_mut().for_each(|shape| reader.drop_constants(shape));
    all
}

struct Reader<'a> {
    site: &'a Site<'a>,
    mapping: &'a FunctionCoverage,
    sites: &'a Sites,
    definition: Option<Definition<'a>>,
    conditions: Conditions<'a>,
    /// The region of each condition of the tree.
    regions: Vec<Option<usize>>,
}

impl<'a> Reader<'a> {
    fn new(site: &'a Site<'a>, mapping: &'a FunctionCoverage, sites: &'a Sites) -> Reader<'a> {
        // Without a branch there is nothing to look up.
        let definition = condition_regions(mapping, sites).next().and_then(|_| site.definition());
        let (mut conditions, mut regions) = (Conditions::default(), Vec::new());
        if let Some(definition) = definition {
            conditions = Conditions::of(definition.body);
            regions = conditions.regions(&definition, mapping, sites);
        }
        Reader { site, mapping, sites, definition, conditions, regions }
    }

    /// The regions of a decision's conditions; nothing for those that cannot be told.
    fn regions(&self, decision: &conditions::Decision<'_>) -> Vec<Option<usize>> {
        decision.conditions.iter().map(|&number| self.regions[number]).collect()
    }

    /// A decision of the mapping.
    fn mapped(&self, decision: &Decision, number: u32) -> Shape {
        let place = |id: Option<u32>, outcome: bool| match id {
            None => Some(Next::End(outcome)),
            Some(id) => decision.position(id).map(Next::Condition),
        };
        let next: Option<Vec<[Next; 2]>> = decision
            .conditions
            .iter()
            .map(|(_, c)| Some([place(c.on_true, true)?, place(c.on_false, false)?]))
            .collect();
        let diagram =
            next.zip(decision.position(0)).map(|(next, first)| Diagram { first: Next::Condition(first), next });
        let conditions: Vec<usize> = decision.conditions.iter().map(|(region, _)| *region).collect();
        Shape {
            span: self.mapping.regions[decision.region].span,
            text: self.site.region_text(decision.region),
            written: self.written(&conditions),
            conditions,
            diagram: diagram.ok_or_else(|| "the conditions of the decision do not fit together".to_owned()),
            number: Some(number),
        }
    }

    /// How the decision with these regions is written.
    fn written(&self, regions: &[usize]) -> Option<Written> {
        let position = |region: Option<usize>| regions.iter().position(|known| Some(*known) == region);
        self.conditions.decisions.iter().find_map(|decision| {
            let found: Option<Vec<usize>> = self.regions(decision).into_iter().map(position).collect();
            let found = found.filter(|found| found.len() == regions.len())?;
            let operators = decision.operators.iter().map(|operator| self.operator_place(operator)).collect();
            Some(Written { tree: decision.tree.renumbered(&|i| found[i]), constants: Vec::new(), operators })
        })
    }

    /// The decisions that the mapping does not have, and conditions of which nobody can tell whether they are parts of one.
    fn unmapped(&self, mapped: &HashSet<usize>) -> Vec<Shape> {
        const UNTOLD: &str = "clang's coverage mapping does not have the decision, and its syntax tree does not tell which \
                              conditions it has";
        let mut shapes = Vec::new();
        let mut seen: HashSet<usize> = self.regions.iter().flatten().chain(mapped).copied().collect();
        for decision in &self.conditions.decisions {
            let found = self.regions(decision);
            let regions: Vec<usize> = found.iter().flatten().copied().filter(|r| !mapped.contains(r)).collect();
            if !decision.conditions.iter().all(|&number| self.conditions.is_evaluated(number)) {
                continue;
            }
            let Some(first) = regions.first() else { continue };
            let span = self.span(decision.node, self.mapping.regions[*first].span);
            let whole = regions.len() == found.len();
            let written = whole.then(|| self.written(&regions)).flatten();
            let diagram = written.as_ref().map(|written| layout(&written.tree)).ok_or_else(|| UNTOLD.to_owned());
            let text = self.text(decision.node);
            shapes.push(Shape { span, text, conditions: regions, diagram, number: None, written });
        }
        for region in condition_regions(self.mapping, self.sites) {
            if seen.insert(region) && !self.mapping.regions[region].is_folded() {
                let (span, text) = (self.mapping.regions[region].span, self.site.region_text(region));
                let diagram = Err(UNTOLD.to_owned());
                shapes.push(Shape { span, text, conditions: vec![region], diagram, number: None, written: None });
            }
        }
        shapes
    }

    /// Where a decision is in the function's text, one of whose conditions is there.
    fn span(&self, node: &Node, condition: Span) -> Span {
        let file = self.mapping.expansions(condition.file).last().map_or(condition.file, |span| span.file);
        let [start, end] = node.range.map_or([condition.start, condition.end], |[start, end]| {
            [start.shown.position(), self.end(end).unwrap_or(end.shown.behind())]
        });
        Span { file, start, end }
    }

    /// The source of a decision: as the function has it, or the macro that it is in.
    fn text(&self, node: &Node) -> String {
        let (Some([start, end]), Some(definition)) = (node.range, self.definition) else { return String::new() };
        let spelled = start.spelled.zip(end.spelled).map(|(start, end)| (start.point, end.point));
        let inside = spelled.filter(|(from, to)| start.shown == end.shown && from.file == to.file && from <= to);
        let (from, to) = match inside {
            Some((from, to)) => (from, to.behind()),
            None => (start.shown, self.end(end).unwrap_or(end.shown.behind())),
        };
        let span = Span { file: 0, start: from.position(), end: to };
        text_of(definition.syntax.file(from), span, self.site.source)
    }

    /// The end of a token; behind the arguments where it comes from a macro.
    fn end(&self, place: Place) -> Option<(u32, u32)> {
        if place.spelled.is_none() {
            return Some(place.shown.behind());
        }
        let (text, first) = self.text_from(place)?;
        let (line, column) = text::position(&text, text::end_of_use(&text, place.shown.behind().1 as usize - 1));
        Some((first + line - 1, column))
    }

    /// The text of a file from the line of a place on, as far as an expression may reach, and the number of that line.
    fn text_from(&self, place: Place) -> Option<(String, u32)> {
        const MOST_LINES: usize = 200; // not tuning: how much text is read for one expression
        let lines = (self.site.source)(self.definition?.syntax.file(place.shown))?;
        let rest = lines.get((place.shown.line as usize).checked_sub(1)?..)?;
        Some((rest[..rest.len().min(MOST_LINES)].join("\n"), place.shown.line))
    }

    /// Where a `&&` or `||` is, unless a macro has it.
    fn operator_place(&self, node: &Node) -> Option<(u32, u32)> {
        let (both, [left, right]) = node.logical()?;
        let ([_, before], behind) = (left.range?, right.start()?);
        if before.shown.file != behind.shown.file || before.shown >= behind.shown {
            return None;
        }
        let (text, first) = self.text_from(before)?;
        let start = before.shown.behind().1 as usize - 1;
        let start = if before.spelled.is_some() { text::end_of_use(&text, start) } else { start };
        let end = offset(&text, behind.shown.line.checked_sub(first)?, behind.shown.column)?;
        let at = text::operator(&text, start..end, if both { "&&" } else { "||" })?;
        let (line, column) = text::position(&text, at);
        Some((first + line - 1, column))
    }

    /// Takes out the conditions that are constant. llvm-cov does not judge such decisions rightly.
    fn drop_constants(&self, shape: &mut Shape) {
        let folded = |region: &usize| self.mapping.regions[*region].is_folded();
        let all: Vec<usize> = (0..shape.conditions.len()).filter(|&at| folded(&shape.conditions[at])).collect();
        for at in all.into_iter().rev() {
            shape.number = None;
            let region = shape.conditions.remove(at);
            let Ok(diagram) = &shape.diagram else { continue };
            shape.diagram = match self.constant(region) {
                Some(value) => {
                    shape.written.iter_mut().for_each(|written| written.constants.push((at, value)));
                    Ok(diagram.clone().without(at, value))
                }
                None => Err("a condition of the decision is a constant whose value cannot be read".to_owned()),
            };
        }
    }

    /// The value of a condition that is constant.
    fn constant(&self, region: usize) -> Option<bool> {
        let number = self.regions.iter().position(|known| *known == Some(region))?;
        self.definition?.syntax.constant(self.conditions.nodes[number]).map(|value| value != 0)
    }
}

/// The byte of a column so many lines further on.
fn offset(text: &str, lines: u32, column: u32) -> Option<usize> {
    let line = text.split('\n').take(lines as usize).map(|line| line.len() + 1).sum::<usize>();
    Some(line + (column as usize).checked_sub(1)?)
}
