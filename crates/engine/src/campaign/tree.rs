//! The tree of paths: every decision that some run met, with the ways that are still open.
//!
//! A node is one way of one decision; the constraints from the root to it are the condition under which a run comes
//! there. Runs share their prefixes, so each path is explored once. When no node is open, the tree is the set of all paths.

use std::rc::Rc;

use covenant_constraints::{Evaluator, Model, TermId, Terms};

use crate::shadow::Site;
use crate::symbolic::{Event, EventKind};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(u32);

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum State {
    Open,
    Explored,
    Infeasible,
    /// Why it is not known.
    Unknown(String),
}

#[derive(Clone, Debug)]
pub struct Node {
    pub parent: Option<NodeId>,
    pub constraint: Option<TermId>,
    pub state: State,
    pub depth: u32,
    pub site: Site,
    pub kind: EventKind,
    pub outcome: u32,
    pub subject: bool,
    /// The inputs of the run that found it.
    pub hint: Rc<Model>,
    children: Vec<NodeId>,
}

#[derive(Debug)]
pub struct Tree {
    nodes: Vec<Node>,
    /// The way of the last run: where it was after so many decisions.
    pub way: Vec<NodeId>,
}

impl Tree {
    pub fn new() -> Tree {
        let root = Node {
            parent: None,
            constraint: None,
            state: State::Explored,
            depth: 0,
            site: Site { function: 0, pc: 0 },
            kind: EventKind::Branch,
            outcome: 0,
            subject: false,
            hint: Rc::new(Model::new()),
            children: Vec::new(),
        };
        Tree { nodes: vec![root], way: Vec::new() }
    }

    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    pub fn set(&mut self, id: NodeId, state: State) {
        self.nodes[id.0 as usize].state = state;
    }

    /// The condition under which a run comes to the node: those before its own, and its own.
    pub fn condition(&self, id: NodeId) -> (Vec<TermId>, Option<TermId>) {
        let mut path = Vec::new();
        let mut at = self.node(id).parent;
        while let Some(id) = at {
            let node = self.node(id);
            path.extend(node.constraint);
            at = node.parent;
        }
        path.reverse();
        (path, self.node(id).constraint)
    }

    /// The condition under which a run comes to the node, its own included.
    pub fn path(&self, id: NodeId) -> Vec<TermId> {
        let (mut path, own) = self.condition(id);
        path.extend(own);
        path
    }

    /// Nodes that nobody could decide, with the reason.
    pub fn unknown(&self) -> impl Iterator<Item = (&Node, &str)> {
        self.nodes.iter().filter_map(|node| match &node.state {
            State::Unknown(why) => Some((node, why.as_str())),
            _ => None,
        })
    }

    /// Adds the path of a run; the nodes that are new and open. `None`: the run contradicts the tree.
    pub fn insert(&mut self, terms: &Terms, events: &[Event], model: &Rc<Model>) -> Option<Vec<NodeId>> {
        let mut evaluator = Evaluator::new(terms, model);
        let mut fresh = Vec::new();
        let mut at = NodeId(0);
        self.way.clear();
        self.way.push(at);
        for event in events {
            loop {
                if self.node(at).children.is_empty() {
                    self.expand(at, event, model, &mut fresh);
                }
                let children = self.node(at).children.clone();
                let constraint = |id: &NodeId| self.node(*id).constraint;
                if let Some(&same) = children.iter().find(|id| constraint(id) == Some(event.constraint)) {
                    at = same;
                    self.set(at, State::Explored);
                    break;
                }
                // "Something else" was taken: what it is, is a decision below.
                let holds = children.iter().find(|id| constraint(id).is_some_and(|c| evaluator.eval(c).is_true()));
                at = *holds?;
                self.set(at, State::Explored);
            }
            self.way.push(at);
        }
        fresh.retain(|&id| self.node(id).state == State::Open);
        Some(fresh)
    }

    fn expand(&mut self, at: NodeId, event: &Event, model: &Rc<Model>, fresh: &mut Vec<NodeId>) {
        let depth = self.node(at).depth + 1;
        let ways = std::iter::once((event.outcome, event.constraint)).chain(event.others.iter().copied());
        for (outcome, constraint) in ways {
            let id = NodeId(self.nodes.len() as u32);
            self.nodes.push(Node {
                parent: Some(at),
                constraint: Some(constraint),
                state: State::Open,
                depth,
                site: event.site,
                kind: event.kind,
                outcome,
                subject: event.subject,
                hint: Rc::clone(model),
                children: Vec::new(),
            });
            self.nodes[at.0 as usize].children.push(id);
            fresh.push(id);
        }
    }
}

impl Default for Tree {
    fn default() -> Self {
        Tree::new()
    }
}
