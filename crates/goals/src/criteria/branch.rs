//! Branch coverage: one objective for each outcome of each atomic condition, and for each label of a switch. What a
//! condition is, clang's coverage mapping says.

use std::collections::HashMap;
use std::sync::Arc;

use covenant_program::analysis::call_graph;
use covenant_program::coverage::edge_mapping::{self, SiteKind};
use covenant_program::coverage::{FunctionCoverage, Span};
use covenant_program::ir::{Block, Body, FuncId, Origin, Program, Terminator};

use crate::criteria::{Criterion, Maker, Profile};
use crate::objective::{Objective, Outcome, Place};
use crate::words::{Reason, ReasonKind};

pub(super) const PROFILE: Profile = Profile {
    about: "Each outcome of each atomic condition, and each label of a switch, as llvm-cov counts them",
    nouns: ("branch", "branches"),
    is_condition: true,
    ..Profile::new(make)
};

fn make(maker: &mut Maker<'_>) {
    let made = objectives(maker.program, maker.functions, maker.mappings, maker.source);
    maker.objectives.extend(made);
}

/// The lines of a source file, or nothing where it cannot be read. Each objective asks for them, so
/// they are shared.
pub type Source<'a> = &'a dyn Fn(&str) -> Option<Arc<[String]>>;

/// The objectives of these functions, in the order of the source.
pub fn objectives(
    program: &Program,
    functions: &[FuncId],
    mappings: &[(Option<String>, FunctionCoverage)],
    source: Source<'_>,
) -> Vec<Objective> {
    let by_symbol: HashMap<&str, &FunctionCoverage> =
        mappings.iter().filter_map(|(symbol, mapping)| Some((symbol.as_deref()?, mapping))).collect();
    let mut objectives = Vec::new();
    for &id in functions {
        let function = &program.functions[id];
        if let (Some(body), Some(mapping)) = (&function.body, by_symbol.get(function.name.as_str())) {
            let regions: HashMap<usize, u32> = mapping.branch_regions().map(|(index, _)| index).zip(0..).collect();
            // To ask where a file is expanded takes a look at all regions.
            let mut expanded: HashMap<u32, Option<Span>> = HashMap::new();
            for site in edge_mapping::branches(body, mapping) {
                let number = regions.get(&site.region).copied();
                let file = mapping.regions[site.region].span.file;
                let outermost = || mapping.expansions(file).last().copied();
                let used = *expanded.entry(file).or_insert_with(outermost);
                of_site(program, id, (mapping, used), &site, number, source, &mut objectives);
            }
        }
    }
    objectives
}

/// `used` is where the function uses the macro that has the condition.
fn of_site(
    program: &Program,
    id: FuncId,
    (mapping, used): (&FunctionCoverage, Option<Span>),
    site: &edge_mapping::BranchSite,
    region: Option<u32>,
    source: Source<'_>,
    out: &mut Vec<Objective>,
) {
    let written = mapping.regions[site.region].span;
    let shown = used.unwrap_or(written);
    let file = mapping.files[shown.file as usize].clone();
    let text = text_of(&mapping.files[written.file as usize], written, source);
    let [on_true, on_false] = [(&site.on_true, &site.counted[0]), (&site.on_false, &site.counted[1])];
    let outcomes = match site.kind {
        SiteKind::Condition => vec![(Outcome::True, on_true), (Outcome::False, on_false)],
        SiteKind::Case => vec![(label(&text), on_true)],
        SiteKind::NoCase => vec![(Outcome::Default, on_true)],
    };
    // What clang makes of `while (0)` in a macro has no text of its own.
    let text = if text.is_empty() { named(&file, shown, source).unwrap_or_default() } else { text };
    for (outcome, (mapped, counters)) in outcomes {
        let Some(body) = &program.functions[id].body else { continue };
        let (places, unmapped) = places(body, id, mapped);
        out.push(Objective {
            id: String::new(),
            criterion: Criterion::Branch,
            function: program.functions[id].source_name().to_owned(),
            file: file.clone(),
            line: shown.start.0,
            column: shown.start.1,
            text: text.clone(),
            outcome,
            places,
            unmapped,
            counted: counted(id, counters),
            region,
            ..Objective::default()
        });
    }
}

/// What counts an outcome instead of edges, if something does.
pub(crate) fn counted(id: FuncId, counters: &[u32]) -> Option<(FuncId, Vec<u32>)> {
    (!counters.is_empty()).then(|| (id, counters.to_vec()))
}

/// Where an outcome is reached, or why that is not known.
pub(crate) fn places(body: &Body, id: FuncId, mapped: &edge_mapping::Outcome) -> (Vec<Place>, Option<Reason>) {
    // Runs tell which edge they took of branches and switches.
    let is_seen = |way: &edge_mapping::Way| {
        matches!(body.blocks[way.block].term, Terminator::Branch { .. } | Terminator::Switch { .. })
    };
    match mapped {
        edge_mapping::Outcome::Edges(ways) if ways.iter().all(is_seen) => {
            (ways.iter().map(|w| Place::Edge(id, w.block, w.edge)).collect(), None)
        }
        edge_mapping::Outcome::Edges(ways) => {
            let goto = ways.iter().find(|way| !is_seen(way)).map_or(0, |way| line_of_end(body, way.block));
            let words = format!("it is decided by the computed goto in line {goto}");
            (Vec::new(), Some(Reason::new(ReasonKind::Unsupported, words)))
        }
        edge_mapping::Outcome::Always => (vec![Place::Entry(id)], None),
        edge_mapping::Outcome::Never => (Vec::new(), None),
        edge_mapping::Outcome::Unmapped(reason) => {
            (Vec::new(), Some(Reason::new(ReasonKind::Model, reason.to_string())))
        }
    }
}

/// The line of a block's last step, or of those before it: all computed gotos of a function are one jump.
pub(crate) fn line_of_end(body: &Body, block: Block) -> u32 {
    let own = body.blocks[block].term_loc.line;
    let leads = |term: &Terminator| term.edges().iter().any(|edge| edge.block == block);
    let before = body.blocks.values().filter(|data| leads(&data.term)).map(|data| data.term_loc.line);
    std::iter::once(own).chain(before).find(|&line| line > 0).unwrap_or(0)
}

/// `case X` or `default`, from the text of a label.
pub(crate) fn label(text: &str) -> Outcome {
    match text.trim().strip_prefix("case") {
        Some(value) => Outcome::Case(value.trim().trim_end_matches(':').trim().to_owned()),
        None => Outcome::Default,
    }
}

/// A condition by the name that stands where it is: that of a macro.
fn named(file: &str, at: Span, source: Source<'_>) -> Option<String> {
    let lines = source(file)?;
    let line = lines.get((at.start.0 as usize).checked_sub(1)?)?;
    let rest = line.get((at.start.1 as usize).checked_sub(1)?..)?;
    let name: String = rest.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
    (!name.is_empty()).then(|| format!("a condition of {name}"))
}

/// The source of a region, on one line.
pub(crate) fn text_of(file: &str, span: Span, source: Source<'_>) -> String {
    let Some(lines) = source(file) else { return String::new() };
    let (first, last) = (span.start.0 as usize, span.end.0 as usize);
    let mut parts = Vec::new();
    for number in first..=last {
        let Some(line) = number.checked_sub(1).and_then(|n| lines.get(n)) else { continue };
        let from = if number == first { span.start.1 as usize - 1 } else { 0 };
        let to = if number == last { span.end.1 as usize - 1 } else { line.len() };
        let part = line.get(from.min(line.len())..to.min(line.len())).unwrap_or(line);
        parts.push(part.trim().to_owned());
    }
    parts.join(" ")
}

/// The subject's functions that `entry` can reach through calls and addresses, itself first.
pub fn reachable(program: &Program, entry: FuncId) -> Vec<FuncId> {
    let mut order = call_graph::named_from(program, entry);
    let is_subject = |id: &FuncId| {
        let function = &program.functions[*id];
        function.origin == Origin::Subject && function.body.is_some() && !function.name.starts_with("__covenant")
    };
    order.retain(is_subject);
    order
}
