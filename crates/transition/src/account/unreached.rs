//! What no path of the flow leads to: which condition, with the same outcome in all runs, or which call cuts it off.

use std::collections::BTreeSet;

use covenant_goals::{Objective, Place, Written};
use covenant_program::ir::{Block, Body, Callee, FuncId, Op, Origin, Program, Terminator};

use super::{MOST, leads, names::first_line, ways_to};
use crate::flow::{Between, ContextId, Flow, Folded, LocationId, Spot};

/// Why there is no way to the objective, with the lines where the ways end.
pub(super) fn tell(program: &Program, flow: &Flow, written: &Written, objective: &Objective) -> String {
    let mut said: Vec<String> = Vec::new();
    for place in &objective.places {
        for text in of_place(program, flow, written, objective, place) {
            if !said.contains(&text) {
                said.push(text);
            }
        }
    }
    let more = said.len().saturating_sub(MOST);
    said.truncate(MOST);
    if more > 0 {
        said.push(format!("and {more} more ways end alike"));
    }
    match said.is_empty() {
        true => format!("no path of the program leads to line {} `{}`", objective.line, objective.text),
        false => said.join("; "),
    }
}

fn of_place(program: &Program, flow: &Flow, written: &Written, objective: &Objective, place: &Place) -> Vec<String> {
    let (Place::Edge(function, ..) | Place::Entry(function) | Place::Label(function, ..)) = *place;
    let Some(body) = program.functions.get(function).and_then(|f| f.body.as_ref()) else { return Vec::new() };
    let live = live(flow);
    let comes = |context: ContextId| {
        let mut own = flow.locations.iter().filter(|(_, location)| location.context == context).peekable();
        own.peek().is_none() || own.any(|(id, _)| live.contains(&id))
    };
    let calls = flow.contexts.iter().filter(|(id, c)| c.function == function && comes(*id));
    let contexts: Vec<ContextId> = calls.map(|(id, _)| id).collect();
    if contexts.is_empty() {
        return vec![uncalled(program, function)];
    }
    let walk = Walk { flow, body, contexts, live };
    let goal = match *place {
        Place::Edge(_, block, _) => Some(block),
        Place::Entry(_) => Some(Block::ENTRY),
        Place::Label(_, inst, _) => body.blocks.iter().find(|(_, b)| b.insts.contains(&inst)).map(|(block, _)| block),
    };
    let Some(goal) = goal else { return Vec::new() };
    let reached = walk.reached();
    let mut cuts: Vec<(Block, u32)> = Vec::new();
    if let Place::Edge(_, block, way) = *place
        && reached.contains(&block)
    {
        cuts.push((block, way));
    } else if let Place::Label(..) = *place
        && walk.passes(goal)
    {
        let Objective { line, text, outcome, .. } = objective;
        return vec![format!("line {line} `{text}`: no value there gives {outcome}")];
    } else {
        let leads = walk.leading_to(goal);
        for &block in &reached {
            let edges = body.blocks[block].term.edges();
            let ways =
                edges.iter().zip(0..).filter(|(edge, way)| leads.contains(&edge.block) && !walk.has(block, *way));
            cuts.extend(ways.map(|(_, way)| (block, way)));
        }
    }
    let alone = cuts.len() == 1;
    cuts.into_iter()
        .map(|(block, way)| cut(program, (written, alone), objective, &walk, (function, block, way)))
        .collect()
}

/// A way out of a block that runs come to, and that none takes.
fn cut(
    program: &Program,
    (written, alone): (&Written, bool),
    objective: &Objective,
    walk: &Walk<'_>,
    (function, block, way): (FuncId, Block, u32),
) -> String {
    let ways = walk.body.blocks[block].term.edges().len() as u32;
    let is_own = objective.places.contains(&Place::Edge(function, block, way));
    if (0..ways).all(|way| !walk.has(block, way)) {
        return format!("no run comes past {}", walk.end(program, block));
    }
    let switched = matches!(walk.body.blocks[block].term, Terminator::Switch { .. });
    let why = always(walk.flow.folded.get(&(function, block, way)).map_or(&[], Vec::as_slice), switched);
    match written.at(function, block, way) {
        Some(branch) if is_own => format!("{} is never {}: {why}", branch.place(), branch.outcome()),
        Some(branch) => {
            format!("{} {} being {}, and it never is: {why}", leads(alone), branch.place(), branch.outcome())
        }
        None => format!("the way on from line {} is never taken", walk.body.blocks[block].term_loc.line),
    }
}

/// What decides there in all runs, call by call.
fn always(folded: &[Option<Folded>], switched: bool) -> String {
    let value = |&(least, largest): &Between| match least == largest {
        true => least.to_string(),
        false => format!("a value from {least} to {largest}"),
    };
    let words = |folded: &Folded| match folded {
        Folded::Compared(left, right) => format!("{} is compared with {}", value(left), value(right)),
        Folded::Switched(now) => format!("{} is switched on", value(now)),
    };
    let said: Option<Vec<String>> = folded.iter().map(|one| one.as_ref().map(words)).collect();
    match said {
        Some(said) if (1..=MOST).contains(&said.len()) => format!("in all runs {} there", said.join(" or ")),
        _ if switched => "no value that is switched on there leads to it".to_owned(),
        _ => "it has the same value in all runs".to_owned(),
    }
}

fn uncalled(program: &Program, function: FuncId) -> String {
    let name = program.functions[function].source_name();
    let mut calls = BTreeSet::new();
    for data in program.functions.values() {
        let Some(body) = data.body.as_ref().filter(|_| data.origin == Origin::Subject) else { continue };
        let is_call = |op: &Op| matches!(op, Op::Call(call) if call.callee == Callee::Direct(function));
        for inst in body.insts.values().filter(|inst| is_call(&inst.op)) {
            calls.insert(inst.loc.line);
        }
    }
    let lines: Vec<String> = calls.iter().map(u32::to_string).collect();
    match lines.is_empty() {
        true => format!("nothing that runs calls `{name}`"),
        false => format!("`{name}` is called in line {} only, where no run comes", lines.join(", line ")),
    }
}

/// What the steps of the flow lead to. A place that it has may have lost all steps to it, since each was found impossible.
fn live(flow: &Flow) -> BTreeSet<LocationId> {
    let mut live = BTreeSet::from([flow.root]);
    let mut work = vec![flow.root];
    while let Some(at) = work.pop() {
        let next = flow.locations[at].out.iter().map(|&edge| flow.edges[edge].to);
        work.extend(next.filter(|to| live.insert(*to)));
    }
    live
}

/// A function as the flow walked through it.
struct Walk<'a> {
    flow: &'a Flow,
    body: &'a Body,
    contexts: Vec<ContextId>,
    live: BTreeSet<LocationId>,
}

impl Walk<'_> {
    /// Whether the flow takes this way out of a block in some call of the function.
    fn has(&self, block: Block, way: u32) -> bool {
        let edges = self.body.blocks[block].term.edges();
        let Some(edge) = edges.get(way as usize) else { return false };
        if edges.len() == 1 {
            return true;
        }
        let alone = ways_to(self.body, edge.block).nth(1).is_none();
        let spot = if alone { Spot::Block(edge.block) } else { Spot::Way(block, way) };
        let place = |&context: &ContextId| self.flow.location(context, spot);
        self.contexts.iter().filter_map(place).any(|location| self.live.contains(&location))
    }

    /// Whether the flow goes through a block to a choice at its end.
    fn passes(&self, block: Block) -> bool {
        let ways = self.body.blocks[block].term.edges().len() as u32;
        ways > 1 && (0..ways).any(|way| self.has(block, way))
    }

    fn reached(&self) -> BTreeSet<Block> {
        let mut reached = BTreeSet::new();
        let mut work = vec![Block::ENTRY];
        while let Some(block) = work.pop() {
            if reached.insert(block) {
                let edges = self.body.blocks[block].term.edges();
                work.extend(edges.iter().zip(0..).filter(|(_, way)| self.has(block, *way)).map(|(edge, _)| edge.block));
            }
        }
        reached
    }

    /// Blocks from which the code leads to another, itself too.
    fn leading_to(&self, goal: Block) -> BTreeSet<Block> {
        let mut leading = BTreeSet::from([goal]);
        let mut work = vec![goal];
        while let Some(block) = work.pop() {
            for (before, _) in ways_to(self.body, block) {
                if leading.insert(before) {
                    work.push(before);
                }
            }
        }
        leading
    }

    /// Where in a block the walk ended: at its last call, as far as can be told.
    fn end(&self, program: &Program, block: Block) -> String {
        let insts = self.body.blocks[block].insts.iter().map(|&inst| &self.body.insts[inst]);
        let mut call = insts.filter_map(|inst| match &inst.op {
            Op::Call(call) => Some((inst.loc.line, call.callee)),
            _ => None,
        });
        let lines = first_line(self.body, block).unwrap_or(0);
        match call.next_back() {
            Some((line, Callee::Direct(id))) => {
                format!("line {line}, where `{}` is called", program.functions[id].source_name())
            }
            Some((line, _)) => format!("the call in line {line}"),
            None => format!("line {lines}"),
        }
    }
}
