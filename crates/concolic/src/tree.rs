//! The tree of paths: every decision that some run met, with the ways that are still open.
//!
//! A node is one way of one decision; the constraints from the root to it are the condition under which a run comes
//! there. Runs share their prefixes, so each path is explored once. When no node is open, the tree is the set of all paths.

use std::rc::Rc;

use covenant_constraints::{Evaluator, Model, TermId, Terms};
use covenant_goals::{Reason, ReasonKind};
use covenant_interpreter::shadow::Site;

use crate::symbolic::{ContextId, Event, EventKind, Traced};

/// A way of a decision on some path.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(u32);

/// What is known of a way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum State {
    /// No run took it so far.
    Open,
    /// A run took it.
    Explored,
    /// No input takes it.
    Infeasible,
    /// Why it is not known.
    Unknown(Reason),
    /// Beyond a bound that the user set.
    Beyond(&'static str),
}

/// A way of a decision, behind all ways before it.
#[derive(Clone, Debug)]
pub struct Node {
    /// The way before it; `None` at the start.
    pub parent: Option<NodeId>,
    /// The condition on the inputs under which it is taken, given the ways before.
    pub constraint: Option<TermId>,
    /// What is known of it.
    pub state: State,
    /// Decisions before it.
    pub depth: u32,
    /// Where the decision was made.
    pub site: Site,
    /// What was decided.
    pub kind: EventKind,
    /// Which way it is.
    pub outcome: u32,
    /// Whether the code under test decided, and not the C library.
    pub subject: bool,
    /// By which calls the site was come to.
    pub context: ContextId,
    /// Where on the trace the decision is, if somebody follows one.
    traced: Option<Rc<Traced>>,
    /// The inputs of the run that found it.
    pub hint: Rc<Model>,
    children: Vec<NodeId>,
}

impl Node {
    /// Where on the trace the decision is; the beginning if nobody follows one.
    pub fn traced(&self) -> Traced {
        self.traced.as_deref().copied().unwrap_or_default()
    }

    /// The local path of a run that takes this way, as far as it is decided.
    pub fn path(&self) -> u128 {
        let way = match self.kind {
            EventKind::Branch => u32::from(self.outcome == 0),
            _ => self.outcome,
        };
        self.traced().local.after(way)
    }

    /// The ways of the decision that comes next; none if no run came so far, or if all runs end here.
    pub fn children(&self) -> &[NodeId] {
        &self.children
    }
}

/// All paths that runs took, with the ways that they passed by.
#[derive(Debug)]
pub struct Tree {
    nodes: Vec<Node>,
    /// How many nodes are open.
    open: usize,
    /// The way of the last run: where it was after so many decisions.
    pub way: Vec<NodeId>,
}

/// Where a run was in the tree.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Trail {
    /// The nodes of its path.
    pub path: Vec<NodeId>,
    /// How many of these other runs had been at.
    pub shared: usize,
    /// Nodes beside the path that are new, in its order, each with the place in the path of what was taken instead.
    pub fresh: Vec<(NodeId, usize)>,
}

impl Tree {
    /// Where all paths begin.
    pub const ROOT: NodeId = NodeId(0);

    /// No path yet.
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
            context: ContextId::NONE,
            traced: None,
            hint: Rc::new(Model::new()),
            children: Vec::new(),
        };
        Tree { nodes: vec![root], open: 0, way: Vec::new() }
    }

    /// A way by its number.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// Says what is known of a way.
    pub fn set(&mut self, id: NodeId, state: State) {
        let node = &mut self.nodes[id.0 as usize];
        self.open = self.open + usize::from(state == State::Open) - usize::from(node.state == State::Open);
        node.state = state;
    }

    /// Whether nothing is open: each way was taken, or it is known why not.
    pub fn is_complete(&self) -> bool {
        self.open == 0
    }

    /// All ways, in the order in which they were found.
    pub fn ids(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.nodes.len() as u32).map(NodeId)
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
    pub fn unknown(&self) -> impl Iterator<Item = (&Node, Reason)> {
        self.nodes.iter().filter_map(|node| match &node.state {
            State::Unknown(why) => Some((node, why.clone())),
            State::Beyond(bound) => Some((node, Reason::new(ReasonKind::Bound, *bound))),
            _ => None,
        })
    }

    /// Adds the path of a run. `None`: the run contradicts the tree.
    pub fn insert(&mut self, terms: &Terms, events: &[Event], model: &Rc<Model>) -> Option<Trail> {
        let mut evaluator = Evaluator::new(terms, model);
        let mut trail = Trail::default();
        let mut at = Tree::ROOT;
        self.way.clear();
        self.way.push(at);
        for event in events {
            loop {
                if self.node(at).children.is_empty() {
                    let place = trail.path.len();
                    let first = self.nodes.len() as u32;
                    self.expand(at, event, model);
                    trail.fresh.extend((first..self.nodes.len() as u32).map(|id| (NodeId(id), place)));
                }
                let children = self.node(at).children.clone();
                let constraint = |id: &NodeId| self.node(*id).constraint;
                if let Some(&same) = children.iter().find(|id| constraint(id) == Some(event.constraint)) {
                    at = same;
                    self.take(at, &mut trail);
                    break;
                }
                // "Something else" was taken: what it is, is a decision below.
                let holds = children.iter().find(|id| constraint(id).is_some_and(|c| evaluator.eval(c).is_true()));
                at = *holds?;
                self.take(at, &mut trail);
            }
            self.way.push(at);
        }
        trail.fresh.retain(|&(id, _)| self.node(id).state == State::Open);
        Some(trail)
    }

    fn take(&mut self, id: NodeId, trail: &mut Trail) {
        if self.node(id).state == State::Explored {
            trail.shared = trail.path.len() + 1;
        }
        trail.path.push(id);
        self.set(id, State::Explored);
    }

    fn expand(&mut self, at: NodeId, event: &Event, model: &Rc<Model>) {
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
                context: event.context,
                traced: event.traced.clone(),
                hint: Rc::clone(model),
                children: Vec::new(),
            });
            self.nodes[at.0 as usize].children.push(id);
            self.open += 1;
        }
    }
}

impl Default for Tree {
    fn default() -> Self {
        Tree::new()
    }
}
