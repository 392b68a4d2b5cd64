//! The model as a picture, for observers who want to see it. Nothing is described for others.

use std::collections::{BTreeMap, VecDeque};

use covenant_constraints::{TermId, Terms};
use covenant_goals::{ModelStep, ObjectiveId, PictureEdge, PictureNode, Verdict};
use covenant_prove::arc::frontier::{self, Frontier};
use covenant_prove::arc::model::NodeId;
use covenant_transition::flow::{EdgeId, Flow, LocationId, Spot};
use covenant_transition::words::{short_name, words};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Abstraction;
use crate::lab::Lab;

/// Nodes up to which the whole model is shown.
const MOST_NODES: usize = 150; // not tuning: how a picture looks
/// Steps around what happened, if it is not.
const AROUND: u32 = 6; // not tuning: how a picture looks
/// Assignments of a step that are told.
const MOST_ASSIGNED: usize = 12; // not tuning: how a picture looks
/// Objectives or places that a caption lists.
const MOST_LISTED: usize = 4; // not tuning: how a picture looks

impl Abstraction {
    /// Shows the model after a change. The caption is written only if somebody reads it.
    pub(super) fn show(
        &mut self,
        lab: &mut Lab<'_>,
        changed: &[NodeId],
        caption: impl FnOnce(&Self, &Lab<'_>) -> String,
    ) {
        if lab.observer.wants_model() {
            let caption = caption(self, lab);
            let step = self.picture(lab, changed, caption);
            lab.observer.model_changed(step);
        }
    }

    /// Shows the model before anything was done.
    pub(crate) fn show_first(&mut self, lab: &mut Lab<'_>) {
        self.show(lab, &[], |_, _| "the model at first: one node for each place".to_owned());
    }

    /// A run covered these nodes first; `aims` are the frontiers before it.
    pub(super) fn show_run(&mut self, lab: &mut Lab<'_>, aims: &[Frontier], fresh: &[NodeId]) {
        if fresh.is_empty() {
            return;
        }
        let number = lab.stats.executions;
        self.show(lab, fresh, |me, lab| {
            let crossed: Vec<NodeId> = aims.iter().map(|aim| aim.to).filter(|to| fresh.contains(to)).collect();
            let nodes = count(fresh.len(), "node");
            if crossed.is_empty() {
                format!("run {number} covers {nodes}")
            } else {
                format!("a test crosses the frontier to {} (run {number} covers {nodes})", me.places(lab, &crossed))
            }
        });
    }

    /// A step was found to be impossible, and these nodes unreachable.
    pub(super) fn show_blocked(&mut self, lab: &mut Lab<'_>, step: Frontier, dead: &[NodeId]) {
        let mut changed = vec![step.from, step.to];
        changed.extend(dead);
        self.show(lab, &changed, |me, lab| {
            let blocked = format!("blocked: {} to {}", me.places(lab, &[step.from]), me.places(lab, &[step.to]));
            if dead.is_empty() { blocked } else { format!("{blocked}; unreachable: {}", me.places(lab, dead)) }
        });
    }

    pub(super) fn show_split(&mut self, lab: &mut Lab<'_>, halves: [NodeId; 2], conjuncts: &[TermId]) {
        self.show(lab, &halves, |me, lab| {
            let formula = conjunction(&lab.cx.terms, conjuncts);
            format!("split at {}: {formula}", me.places(lab, &halves[..1]))
        });
    }

    pub(super) fn show_stuck(&mut self, lab: &mut Lab<'_>, step: Frontier) {
        self.show(lab, &[step.from, step.to], |me, lab| {
            let (from, to) = (me.places(lab, &[step.from]), me.places(lab, &[step.to]));
            format!("put aside: no test from {from} to {to} was found, and there is nothing to split by")
        });
    }

    pub(super) fn show_coarsened(&mut self, lab: &mut Lab<'_>, undone: u64) {
        self.show(lab, &[], |_, _| format!("coarsened: {} undone", count(undone as usize, "split")));
    }

    /// Says which of these objectives are infeasible, if any is.
    pub(crate) fn show_refuted(&mut self, lab: &mut Lab<'_>, ids: &[ObjectiveId]) {
        if !lab.observer.wants_model() {
            return;
        }
        let mut changed = Vec::new();
        let mut list = Vec::new();
        for &id in ids {
            let Verdict::Infeasible(proof) = lab.ledger.verdict(id) else { continue };
            let objective = lab.ledger.objective(id);
            changed.extend(self.flow.target(id).locations.iter().flat_map(|&at| self.model.leaves(at)));
            let (line, column) = (objective.line, objective.column);
            list.push(format!("branch {line}:{column} {} is infeasible ({})", objective.outcome, proof.by));
        }
        if !list.is_empty() {
            self.show(lab, &changed, |_, _| format!("unreachable: {}", listed(&list)));
        }
    }

    /// Where the search would try next.
    pub(super) fn frontiers(&self, lab: &Lab<'_>) -> Vec<Frontier> {
        let chosen = frontier::choose(&self.flow, &self.model, &self.targets(lab), &self.stuck);
        chosen.into_iter().map(|(_, frontier)| frontier).collect()
    }

    fn picture(&self, lab: &mut Lab<'_>, changed: &[NodeId], caption: String) -> ModelStep {
        let frontiers = self.frontiers(lab);
        let targets: FxHashSet<NodeId> = self.targets(lab).into_iter().collect();
        let distances = distances(&self.flow);
        let all: Vec<NodeId> = self.model.node_ids().collect();
        let shown = if all.len() > MOST_NODES { around(self, changed, &frontiers) } else { all.clone() };
        let mut step = ModelStep { caption, left_out: all.len() - shown.len(), ..ModelStep::default() };
        if step.left_out > 0 {
            let more = format!(" (shown: {} of {} nodes, around what happened)", shown.len(), all.len());
            step.caption.push_str(&more);
        }
        let changed: FxHashSet<NodeId> = changed.iter().copied().collect();
        step.edges = edges(self, &lab.cx.terms, &shown, &frontiers);
        for id in shown {
            let node = self.model.node(id);
            let conjuncts = self.model.predicate(&mut lab.cx.terms, id);
            let terms = &lab.cx.terms;
            step.nodes.push(PictureNode {
                id: id.as_u32(),
                distance: distances.get(&node.location).copied().unwrap_or(0),
                place: self.place(lab, node.location),
                meaning: self.meaning(lab, node.location),
                detail: self.flow.describe(&lab.subject.image, node.location),
                predicate: conjuncts.into_iter().map(|c| plain(terms, c)).collect(),
                covered: node.covered,
                dead: node.dead || is_refuted(lab, node.location),
                target: targets.contains(&id),
                changed: changed.contains(&id),
            });
        }
        step
    }

    /// Function and line, as short as can be.
    fn place(&self, lab: &Lab<'_>, id: LocationId) -> String {
        let location = &self.flow.locations[id];
        let function = lab.subject.image.function(self.flow.contexts[location.context].function).source_name();
        match location.spot {
            Spot::Root => "start".to_owned(),
            _ if location.loc.line == 0 => function.to_owned(),
            _ => format!("{function} {}:{}", location.loc.line, location.loc.column),
        }
    }

    /// Which objectives a run reaches by being there.
    fn meaning(&self, lab: &Lab<'_>, id: LocationId) -> String {
        let ids = lab.system.objectives_at.get(&id).into_iter().flatten();
        let text = |&id: &ObjectiveId| {
            let objective = lab.ledger.objective(id);
            format!("{} is {}", objective.text, objective.outcome)
        };
        ids.map(text).collect::<Vec<_>>().join(", ")
    }

    fn places(&self, lab: &Lab<'_>, nodes: &[NodeId]) -> String {
        let mut list: Vec<String> = Vec::new();
        for &node in nodes {
            let location = self.model.node(node).location;
            let (place, meaning) = (self.place(lab, location), self.meaning(lab, location));
            let words = if meaning.is_empty() { place } else { format!("{place} ({meaning})") };
            if !list.contains(&words) {
                list.push(words);
            }
        }
        listed(&list)
    }
}

/// Whether an objective at a location is infeasible.
fn is_refuted(lab: &Lab<'_>, id: LocationId) -> bool {
    let mut ids = lab.system.objectives_at.get(&id).into_iter().flatten();
    ids.any(|&id| matches!(lab.ledger.verdict(id), Verdict::Infeasible(_)))
}

/// The steps between these nodes, those between the same two as one.
fn edges(arc: &Abstraction, terms: &Terms, shown: &[NodeId], frontiers: &[Frontier]) -> Vec<PictureEdge> {
    let inside: FxHashSet<NodeId> = shown.iter().copied().collect();
    let bold: FxHashSet<(NodeId, NodeId)> = frontiers.iter().map(|f| (f.from, f.to)).collect();
    let mut between: BTreeMap<(NodeId, NodeId), Vec<EdgeId>> = BTreeMap::new();
    for &from in shown.iter().filter(|&&from| !arc.model.node(from).dead) {
        for (edge, to) in arc.model.out(&arc.flow, from).filter(|(_, to)| inside.contains(to)) {
            between.entry((from, to)).or_default().push(edge);
        }
    }
    let draw = |((from, to), edges): ((NodeId, NodeId), Vec<EdgeId>)| {
        let guards: Vec<String> = edges.iter().map(|&e| conjunction(terms, &arc.flow.edges[e].guard)).collect();
        let always = guards.iter().any(String::is_empty);
        PictureEdge {
            from: from.as_u32(),
            to: to.as_u32(),
            guard: if always { String::new() } else { guards.join(" || ") },
            detail: edges.iter().map(|&e| detail(arc, terms, e)).collect::<Vec<_>>().join("\n"),
            frontier: bold.contains(&(from, to)),
        }
    };
    between.into_iter().map(draw).collect()
}

fn detail(arc: &Abstraction, terms: &Terms, id: EdgeId) -> String {
    let edge = &arc.flow.edges[id];
    let mut lines: Vec<String> = edge.guard.iter().map(|&g| format!("if {}", plain(terms, g))).collect();
    for &(var, term) in edge.assign.iter().take(MOST_ASSIGNED) {
        lines.push(format!("{} := {}", short_name(terms.var_name(var)), plain(terms, term)));
    }
    if edge.assign.len() > MOST_ASSIGNED {
        lines.push(format!("… {} more", edge.assign.len() - MOST_ASSIGNED));
    }
    lines.join("\n")
}

/// The nodes near what happened; near the first frontier if nothing did. At most [`MOST_NODES`].
fn around(arc: &Abstraction, changed: &[NodeId], frontiers: &[Frontier]) -> Vec<NodeId> {
    let model = &arc.model;
    let next = frontiers.first().map(|f| [f.from, f.to]);
    let live = changed.iter().copied().filter(|&id| arc.model.is_leaf(id));
    let mut seeds: Vec<NodeId> = live.chain(next.into_iter().flatten()).collect();
    if seeds.is_empty() {
        seeds.extend(arc.model.leaves(arc.flow.root));
    }
    let mut seen: BTreeMap<NodeId, u32> = BTreeMap::new();
    let mut queue: VecDeque<NodeId> = VecDeque::new();
    for seed in seeds.into_iter().take(MOST_NODES) {
        if seen.insert(seed, 0).is_none() {
            queue.push_back(seed);
        }
    }
    while let Some(id) = queue.pop_front() {
        let distance = seen[&id] + 1;
        if distance > AROUND {
            break;
        }
        let into = model.into(&arc.flow, id).map(|(from, _)| from);
        for near in into.chain(model.out(&arc.flow, id).map(|(_, to)| to)) {
            if seen.len() < MOST_NODES && !seen.contains_key(&near) {
                seen.insert(near, distance);
                queue.push_back(near);
            }
        }
    }
    seen.into_keys().collect()
}

/// How many steps each location is from the root.
fn distances(flow: &Flow) -> FxHashMap<LocationId, u32> {
    let mut distances = FxHashMap::from_iter([(flow.root, 0)]);
    let mut queue = VecDeque::from([flow.root]);
    while let Some(at) = queue.pop_front() {
        let next = distances[&at] + 1;
        for &edge in &flow.locations[at].out {
            let to = flow.edges[edge].to;
            if let std::collections::hash_map::Entry::Vacant(entry) = distances.entry(to) {
                entry.insert(next);
                queue.push_back(to);
            }
        }
    }
    distances
}

fn conjunction(terms: &Terms, conjuncts: &[TermId]) -> String {
    conjuncts.iter().map(|&c| plain(terms, c)).collect::<Vec<_>>().join(" && ")
}

/// A formula without the brackets around it.
fn plain(terms: &Terms, term: TermId) -> String {
    let text = words(terms, term);
    inner(&text).unwrap_or(&text).to_owned()
}

/// What one pair of brackets holds, if it is all of the text.
fn inner(text: &str) -> Option<&str> {
    let inside = text.strip_prefix('(')?.strip_suffix(')')?;
    let mut depth = 0_i32;
    for c in inside.chars() {
        depth += i32::from(c == '(') - i32::from(c == ')');
        if depth < 0 {
            return None;
        }
    }
    Some(inside)
}

fn count(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

fn listed(list: &[String]) -> String {
    let text = list.iter().take(MOST_LISTED).cloned().collect::<Vec<_>>().join(", ");
    if list.len() > MOST_LISTED { format!("{text} and {} more", list.len() - MOST_LISTED) } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_brackets_around_the_whole_go() {
        assert_eq!(inner("(a < b)"), Some("a < b"));
        assert_eq!(inner("((a + 1) < b)"), Some("(a + 1) < b"));
        assert_eq!(inner("(a) && (b)"), None);
        assert_eq!(inner("a"), None);
    }

    #[test]
    fn long_lists_are_cut() {
        let list: Vec<String> = (1..=6).map(|n| n.to_string()).collect();
        assert_eq!(listed(&list), "1, 2, 3, 4 and 2 more");
        assert_eq!((count(1, "node"), count(2, "node")), ("1 node".to_owned(), "2 nodes".to_owned()));
    }
}
