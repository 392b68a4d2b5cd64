//! The conditions of a function and the decisions that they are parts of, as the source has them.
//!
//! clang's mapping has a branch region for each condition: each operand of a `&&` or `||` and each expression that
//! controls an `if`, a loop or a `?:`, unless it is a `&&` or `||` itself, behind parentheses and `!`. The syntax tree has the
//! same conditions, and says which of them are one decision. A region is found by where it begins. What comes from a
//! macro is told apart by its place in the macro's text; what comes from one argument of a macro has a single place in
//! the mapping, and is told apart by the order in which the code evaluates it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;

use covenant_program::coverage::edge_mapping::{Outcome, SiteKind};
use covenant_program::coverage::{FunctionCoverage, RegionKind, Span};
use covenant_program::ir::Block;
use covenant_program::syntax::{Definition, Kind, Node};

use crate::criteria::expression::Tree;
use crate::criteria::mcdc::Sites;

/// A decision of the source.
#[derive(Debug)]
pub(crate) struct Decision<'s> {
    /// The outermost `&&` or `||`.
    pub(crate) node: &'s Node,
    /// Over the positions of `conditions`.
    pub(crate) tree: Tree,
    /// The conditions in the order of the text: indices into [`Conditions::nodes`].
    pub(crate) conditions: Vec<usize>,
    /// The `&&` and `||` in the order of the text.
    pub(crate) operators: Vec<&'s Node>,
}

#[derive(Debug, Default)]
pub(crate) struct Conditions<'s> {
    pub(crate) decisions: Vec<Decision<'s>>,
    /// All conditions: in the order of the text, the outer before the inner.
    pub(crate) nodes: Vec<&'s Node>,
    /// When each is evaluated: the inner before the outer. Nothing for those in a `sizeof`.
    evaluated: Vec<Option<usize>>,
    clock: usize,
    /// How many `sizeof` are around what is looked at.
    unevaluated: u32,
}

impl<'s> Conditions<'s> {
    /// The conditions of a function's body.
    pub(crate) fn of(body: &'s Node) -> Conditions<'s> {
        let mut found = Conditions::default();
        found.visit(body);
        found
    }

    fn visit(&mut self, node: &'s Node) {
        if node.logical().is_some() {
            return self.decision(node);
        }
        let unevaluated = u32::from(node.kind == Kind::Unevaluated);
        self.unevaluated += unevaluated;
        let condition = node.condition();
        // `a ?: b` has its first operand several times; the last of all parts is the other operand.
        let parts: Vec<&'s Node> = match node.kind {
            Kind::Elvis => node.inner.first().into_iter().chain(node.inner.last()).collect(),
            _ => node.inner.iter().collect(),
        };
        for part in parts {
            if condition.is_some_and(|condition| std::ptr::eq(condition, part)) {
                let (inside, _) = part.without_negations();
                match inside.logical() {
                    Some(_) => self.decision(inside),
                    None => drop(self.condition(part)),
                }
            } else {
                self.visit(part);
            }
        }
        self.unevaluated -= unevaluated;
    }

    fn decision(&mut self, node: &'s Node) {
        let mut found = Decision { node, tree: Tree::Condition(0), conditions: Vec::new(), operators: Vec::new() };
        found.tree = self.operand(node, &mut found);
        self.decisions.push(found);
    }

    fn operand(&mut self, node: &'s Node, decision: &mut Decision<'s>) -> Tree {
        let (inside, negated) = node.without_negations();
        let Some((both, [left, right])) = inside.logical() else {
            let number = self.condition(node);
            decision.conditions.push(number);
            return Tree::Condition(decision.conditions.len() - 1);
        };
        let left = self.operand(left, decision);
        decision.operators.push(inside);
        let sides = Box::new([left, self.operand(right, decision)]);
        let tree = if both { Tree::Both(sides) } else { Tree::Either(sides) };
        if negated { Tree::Not(Box::new(tree)) } else { tree }
    }

    fn condition(&mut self, node: &'s Node) -> usize {
        let number = self.nodes.len();
        self.nodes.push(node);
        self.evaluated.push(None);
        self.visit(node);
        if self.unevaluated == 0 {
            self.evaluated[number] = Some(self.clock);
            self.clock += 1;
        }
        number
    }

    /// Whether a condition is ever evaluated.
    pub(crate) fn is_evaluated(&self, number: usize) -> bool {
        self.evaluated[number].is_some()
    }

    /// The branch region of each condition; nothing where it cannot be told.
    pub(crate) fn regions(
        &self,
        known: &Definition<'_>,
        mapping: &FunctionCoverage,
        sites: &Sites,
    ) -> Vec<Option<usize>> {
        let mut groups: BTreeMap<Key, (Vec<usize>, Vec<Mapped>)> = BTreeMap::new();
        let mut names: HashMap<String, PathBuf> = HashMap::new();
        let mut file = |name: &str| names.entry(name.to_owned()).or_insert_with(|| known.resolved(name)).clone();
        for (number, node) in self.nodes.iter().enumerate() {
            let Some(start) = node.start() else { continue };
            let key = (file(known.syntax.file(start.shown)), (start.shown.line, start.shown.column));
            groups.entry(key).or_default().0.push(number);
        }
        for region in condition_regions(mapping, sites) {
            let mapped = Mapped::new(mapping, sites, region);
            let key = (file(&mapping.files[mapped.outermost.file as usize]), mapped.outermost.start);
            groups.entry(key).or_default().1.push(mapped);
        }
        let mut found = vec![None; self.nodes.len()];
        for (numbers, regions) in groups.into_values() {
            for (number, region) in self.pairs(numbers, regions, mapping).unwrap_or_default() {
                found[number] = Some(region);
            }
        }
        found
    }

    /// Which regions are which conditions, of those that begin at one place of a file.
    fn pairs(
        &self,
        numbers: Vec<usize>,
        mut regions: Vec<Mapped>,
        mapping: &FunctionCoverage,
    ) -> Option<Vec<(usize, usize)>> {
        if numbers.len() != regions.len() {
            return None;
        }
        regions.sort_by(|a, b| a.path.cmp(&b.path));
        let mut pairs = Vec::new();
        let mut numbers = &numbers[..];
        for chunk in regions.chunk_by_mut(|a, b| a.path == b.path) {
            let (here, rest) = numbers.split_at(chunk.len());
            numbers = rest;
            let mut here = here.to_vec();
            if chunk.len() > 1 && !self.end_apart(&here, chunk) {
                // At one place of the text the code tells the order. What is not evaluated has no code.
                here.sort_by_key(|&number| self.evaluated[number]);
                chunk.sort_by_key(|region| region.block);
                let same = here.iter().zip(&*chunk).all(|(&n, r)| self.is_evaluated(n) == r.block.is_some());
                let apart = |pair: &[Mapped]| pair[0].block.is_none() || pair[0].block < pair[1].block;
                if !same || !chunk.windows(2).all(apart) {
                    return None;
                }
            }
            pairs.extend(here.into_iter().zip(chunk.iter()));
        }
        let fits = pairs.iter().all(|(number, region)| region.fits(self.nodes[*number], mapping));
        fits.then(|| pairs.into_iter().map(|(number, region)| (number, region.region)).collect())
    }

    /// Puts the outer regions before the inner; whether that is how these conditions end, which begin together.
    fn end_apart(&self, numbers: &[usize], regions: &mut [Mapped]) -> bool {
        regions.sort_by_key(|region| Reverse(region.span.end));
        numbers.iter().zip(regions).all(|(number, region)| {
            let plain =
                self.nodes[*number].range.is_some_and(|range| range.iter().all(|place| place.spelled.is_none()));
            plain && self.nodes[*number].range.is_some_and(|[_, end]| end.shown.behind() == region.span.end)
        })
    }
}

/// A place in a file.
type Key = (PathBuf, (u32, u32));

/// The branch regions that are conditions, and not labels of a switch.
pub(crate) fn condition_regions<'a>(
    mapping: &'a FunctionCoverage,
    sites: &'a Sites,
) -> impl Iterator<Item = usize> + 'a {
    (0..mapping.regions.len()).filter(|index| {
        let is_label = sites.get(index).is_some_and(|site| site.kind != SiteKind::Condition);
        matches!(mapping.regions[*index].kind, RegionKind::Branch { .. }) && !is_label
    })
}

/// A branch region and where it is.
struct Mapped {
    region: usize,
    span: Span,
    /// Where the function's text has it: the use of a macro, or the region itself.
    outermost: Span,
    /// Where it begins in the text of each macro around it, the outermost first.
    path: Vec<(u32, u32)>,
    /// The last block that decides it, if it can go both ways.
    block: Option<Block>,
}

impl Mapped {
    fn new(mapping: &FunctionCoverage, sites: &Sites, region: usize) -> Mapped {
        let span = mapping.regions[region].span;
        let uses = mapping.expansions(span.file);
        let path = uses.iter().rev().chain([&span]).map(|span| span.start).collect();
        let last = |outcome: &Outcome| match outcome {
            Outcome::Edges(ways) => ways.iter().map(|way| way.block).max(),
            _ => None,
        };
        let blocks = sites.get(&region).and_then(|site| last(&site.on_true).zip(last(&site.on_false)));
        let block = blocks.map(|(yes, no)| yes.max(no));
        Mapped { region, span, outermost: uses.last().copied().unwrap_or(span), path, block }
    }

    /// Whether a condition that was found for the region can be the one.
    fn fits(&self, node: &Node, mapping: &FunctionCoverage) -> bool {
        let Some(start) = node.start() else { return false };
        // Of macros of system headers the mapping has no text: all is where the macro is used.
        if start.spelled.is_some() && self.span.start == self.span.end {
            return true;
        }
        let in_macro = self.path.len() > 1;
        // A condition that begins with a macro and does not end in it begins where the macro is used.
        let begins_with_macro = || {
            let is_use = |kind: &RegionKind| matches!(kind, RegionKind::Expansion { .. });
            let here = |span: Span| span.file == self.span.file && span.start == self.span.start;
            mapping.regions.iter().any(|region| is_use(&region.kind) && here(region.span))
        };
        match start.spelled {
            None => !in_macro,
            Some(spelled) if spelled.is_argument => in_macro || begins_with_macro(),
            Some(spelled) => {
                (in_macro && self.span.start == (spelled.point.line, spelled.point.column)) || begins_with_macro()
            }
        }
    }
}
