//! Statements and points: lines of the source that are reached.
//!
//! Where the code of a line is, the program *before* its locals were promoted says: an assignment to a local leaves nothing
//! behind in the code that is executed, but its block is there. A label goes into that block behind as many calls as come
//! before the statement, since a call may not return.
//!
//! A statement is what of one line lies in one region of the coverage mapping, so that in `if (x) return 1;` the `return`
//! is one of its own.

use std::collections::{BTreeMap, BTreeSet};

use covenant_program::coverage::{Counter, FunctionCoverage, RegionKind, Span};
use covenant_program::ir::insert::{Inserter, Point};
use covenant_program::ir::{Block, Body, Inst, Loc, Op, Program, Type};

use crate::Criterion;
use crate::criteria::{Maker, Needs, Profile, Site};
use crate::objective::{Objective, Outcome, Place};
use crate::words::{Reason, ReasonKind};

pub(super) const PROFILE: Profile =
    Profile { about: "Each statement", nouns: ("statement", "statements"), needs: Needs::Lines, ..Profile::new(make) };

/// Where a line has code: the block, and how many calls of it come before.
type Spot = (Block, usize);

/// Statements of all functions.
fn make(maker: &mut Maker<'_>) {
    let unpromoted = maker.unpromoted;
    maker.each(|site, inserter, labels| {
        let Some(before) = counterpart(site, inserter, unpromoted) else { return };
        let mut statements: BTreeMap<(u32, Option<usize>), (Loc, Vec<Spot>)> = BTreeMap::new();
        for (loc, spot) in places(site, before) {
            let region = site.mapping.and_then(|mapping| region_at(site, mapping, loc));
            let (first, spots) = statements.entry((loc.line, region)).or_insert((loc, Vec::new()));
            if loc.column > 0 && (first.column == 0 || loc.column < first.column) {
                *first = loc;
            }
            if !spots.contains(&spot) {
                spots.push(spot);
            }
        }
        let mut made = Vec::new();
        for ((_, region), (loc, spots)) in statements {
            let loc = start(site, region, loc);
            let text = site.text_at(loc).trim().to_owned();
            // The end of a function returns, but is no statement.
            if text.starts_with('}') {
                continue;
            }
            let mut objective = site.objective(Criterion::Statement, loc, text, Outcome::Holds("reached".to_owned()));
            objective.region = region.zip(site.mapping).map(|(region, mapping)| number(mapping, region));
            made.push((objective, loc, spots));
        }
        let all: Vec<(Spot, usize)> =
            made.iter().enumerate().flat_map(|(i, (_, _, spots))| spots.iter().map(move |&s| (s, i))).collect();
        let mut places_of: Vec<Vec<Place>> = vec![Vec::new(); made.len()];
        for (spot, number) in all {
            let point = point(inserter.body(), spot);
            let always = inserter.constant(Type::BOOL, 1);
            inserter.at(made[number].1);
            places_of[number].push(labels.place(site, inserter, always));
            inserter.finish_group(point);
        }
        for ((objective, _, _), places) in made.into_iter().zip(places_of) {
            labels.objectives.push(Objective { places, ..objective });
        }
    });
}

/// Where a statement begins: with its region, or with its line.
fn start(site: &Site<'_>, region: Option<usize>, loc: Loc) -> Loc {
    let line = site.text_at(Loc::new_column(loc, 1));
    let indent = (line.len() - line.trim_start().len()) as u32 + 1;
    let own = region.zip(site.mapping).map(|(region, mapping)| mapping.regions[region].span.start);
    let column = own.filter(|start| start.0 == loc.line).map_or(indent, |start| start.1.max(indent));
    Loc::new_column(loc, column)
}

/// The number of a region among those that are no branches and no decisions, as llvm-cov lists them.
fn number(mapping: &FunctionCoverage, region: usize) -> u32 {
    let listed = |kind: &RegionKind| !matches!(kind, RegionKind::Branch { .. } | RegionKind::Decision { .. });
    mapping.regions[..region].iter().filter(|r| listed(&r.kind)).count() as u32
}

/// The points that the user names: files by how their names end, and lines.
pub(super) fn make_points(maker: &mut Maker<'_>) {
    let (unpromoted, points) = (maker.unpromoted, &maker.wanted.points);
    let mut found: Vec<Option<Objective>> = vec![None; points.len()];
    maker.each(|site, inserter, labels| {
        let Some(before) = counterpart(site, inserter, unpromoted) else { return };
        let all = places(site, before);
        for (number, (file, line)) in points.iter().enumerate() {
            let mut spots: Vec<Spot> = Vec::new();
            for (loc, spot) in &all {
                let here = loc.line == *line && is_file(&site.file(*loc), file);
                if here && !spots.contains(spot) {
                    spots.push(*spot);
                }
            }
            for spot in spots {
                let loc = all.iter().find(|(loc, _)| loc.line == *line).map_or(Loc::NONE, |(loc, _)| *loc);
                let text = site.text_at(Loc::new_column(loc, 1)).trim().to_owned();
                let outcome = Outcome::Holds("reached".to_owned());
                let point = point(inserter.body(), spot);
                let always = inserter.constant(Type::BOOL, 1);
                inserter.at(loc);
                let place = labels.place(site, inserter, always);
                inserter.finish_group(point);
                let new = || site.objective(Criterion::Point, Loc::new_column(loc, 1), text, outcome);
                found[number].get_or_insert_with(new).places.push(place);
            }
        }
    });
    for ((file, line), objective) in points.iter().zip(found) {
        let nothing = || Objective {
            criterion: Criterion::Point,
            file: file.clone(),
            line: *line,
            column: 1,
            outcome: Outcome::Holds("reached".to_owned()),
            unmapped: Some(Reason::new(ReasonKind::Model, "no function that can be called has code on this line")),
            ..Objective::default()
        };
        maker.objectives.push(objective.unwrap_or_else(nothing));
    }
}

fn is_file(name: &str, wanted: &str) -> bool {
    name == wanted || std::path::Path::new(name).ends_with(wanted)
}

/// The body before promotion, if it has the same blocks.
fn counterpart<'p>(site: &Site<'_>, inserter: &Inserter<'_>, unpromoted: &'p Program) -> Option<&'p Body> {
    let name = &site.program.functions[site.function].name;
    let before = unpromoted.functions.values().find(|f| f.name == *name && f.body.is_some())?.body.as_ref()?;
    let edges = |body: &Body| -> Vec<Vec<Block>> {
        body.blocks.values().map(|b| b.term.edges().iter().map(|e| e.block).collect()).collect()
    };
    (edges(before) == edges(inserter.body())).then_some(before)
}

/// All places of the source that have code, with the spot of each.
fn places(site: &Site<'_>, body: &Body) -> Vec<(Loc, Spot)> {
    let mut found = Vec::new();
    let stale = stale(site, body);
    for (block, data) in &body.blocks {
        let mut calls = 0;
        for &inst in &data.insts {
            let InstAt { loc, counts, is_call } = look(body, inst);
            if counts && loc.line > 0 {
                found.push((loc, (block, calls)));
            }
            calls += usize::from(is_call);
        }
        // Jumps that end a construct have its place, not that of a statement.
        let is_end = matches!(data.term, covenant_program::ir::Terminator::Unreachable);
        if data.term_loc.line > 0 && !is_end && !stale.contains(&block) {
            found.push((data.term_loc, (block, calls)));
        }
    }
    found
}

/// Blocks that end with a jump which has the place of what came before it: clang lets each `case` of several in a row count
/// in a block of its own and joins them one by one, and the jumps out of these blocks have the place of the statement above.
fn stale(site: &Site<'_>, body: &Body) -> BTreeSet<Block> {
    let jumps = |block: Block| body.blocks[block].term.edges().len() == 1;
    let mut stale: BTreeSet<Block> =
        body.blocks.keys().filter(|&block| jumps(block) && is_stale(site, body, block)).collect();
    loop {
        let mut more = Vec::new();
        for &block in &stale {
            let (data, to) = (&body.blocks[block], body.blocks[block].term.edges()[0].block);
            let next = &body.blocks[to];
            if next.insts.is_empty() && jumps(to) && next.term_loc == data.term_loc && !stale.contains(&to) {
                more.push(to);
            }
        }
        if more.is_empty() {
            return stale;
        }
        stale.extend(more);
    }
}

/// Whether a block does nothing but count, and not what the region counts in which its jump is said to be.
fn is_stale(site: &Site<'_>, body: &Body, block: Block) -> bool {
    let data = &body.blocks[block];
    let ops = || data.insts.iter().map(|&inst| &body.insts[inst].op);
    let counter = |op: &Op| if let Op::Counter { index } = op { Some(*index) } else { None };
    let counters: Vec<u32> = ops().filter_map(counter).collect();
    let (Some(mapping), [counter, ..]) = (site.mapping, &counters[..]) else { return false };
    let region = region_at(site, mapping, data.term_loc).map(|region| &mapping.regions[region].kind);
    let is_own = |kind: &&RegionKind| matches!(kind, RegionKind::Code(Counter::Count(own)) if own == counter);
    ops().count() == counters.len() && region.is_some_and(|kind| !is_own(&kind))
}

struct InstAt {
    loc: Loc,
    counts: bool,
    is_call: bool,
}

fn look(body: &Body, inst: Inst) -> InstAt {
    let data = &body.insts[inst];
    let counts = !matches!(data.op, Op::Counter { .. } | Op::Alloca { .. } | Op::Label { .. } | Op::Ghost { .. });
    InstAt { loc: data.loc, counts, is_call: matches!(data.op, Op::Call(_)) }
}

/// Behind so many calls of the block.
fn point(body: &Body, (block, calls): Spot) -> Point {
    let insts = &body.blocks[block].insts;
    let mut seen = 0;
    for &inst in insts {
        if seen == calls {
            return (block, Some(inst));
        }
        seen += usize::from(matches!(body.insts[inst].op, Op::Call(_)));
    }
    (block, None)
}

/// The innermost region of code that holds a place and begins where a statement can.
fn region_at(site: &Site<'_>, mapping: &FunctionCoverage, loc: Loc) -> Option<usize> {
    let file = site.file(loc);
    let at = (loc.line, loc.column);
    let holds = |span: &Span| mapping.files[span.file as usize] == file && span.start <= at && at < span.end;
    let code = mapping.regions.iter().enumerate().filter(|(_, r)| matches!(r.kind, RegionKind::Code(_)));
    let lines = (site.source)(&file);
    let lines = lines.as_deref().unwrap_or_default();
    let inside = code.filter(|(_, r)| holds(&r.span) && begins_statement(lines, r.span.start));
    inside.max_by_key(|(_, r)| (r.span.start, std::cmp::Reverse(r.span.end))).map(|(index, _)| index)
}

/// Whether what stands before a position can end a statement or begin its body.
fn begins_statement(lines: &[String], (line, column): (u32, u32)) -> bool {
    let first = (line as usize).saturating_sub(10);
    let mut text: String = lines.get(first..line as usize - 1).map_or_else(String::new, |before| before.join(" "));
    text.push(' ');
    text.push_str(lines.get(line as usize - 1).and_then(|l| l.get(..column as usize - 1)).unwrap_or_default());
    let own = lines.get(line as usize - 1).and_then(|l| l.get(column as usize - 1..)).unwrap_or_default();
    let before = text.trim_end();
    own.starts_with('{')
        || before.ends_with(['{', '}', ';', ')', ':'])
        || ["else", "do"].iter().any(|word| before.ends_with(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_begin_behind_what_ends_or_holds_them() {
        let lines: Vec<String> = ["if (a &&", "    b) return 1;", "else x = 2;"].map(str::to_owned).to_vec();
        assert!(!begins_statement(&lines, (1, 5)));
        assert!(!begins_statement(&lines, (2, 5)));
        assert!(begins_statement(&lines, (2, 8)));
        assert!(begins_statement(&lines, (3, 6)));
    }
}
