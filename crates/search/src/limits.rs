//! What can come behind the limits that runs met.
//!
//! Where a run met a limit of ours ([`Limit`]), other runs may go on in ways that nobody tried. So all paths being known
//! decides nothing that the map of the program shows behind such a place, nor what code can call that is no part of the
//! program where some of that may have run.

use std::collections::{BTreeMap, BTreeSet};

use covenant_concolic::Subject;
use covenant_concolic::symbolic::Limit;
use covenant_goals::{Objective, Place};
use covenant_interpreter::code::Target;
use covenant_program::analysis::CallGraph;
use covenant_program::ir::{Callee, FuncId, Op, Origin};
use rustc_hash::FxHashSet;

use crate::around;
use crate::cfg::{self, Cfg, ENTRY, Edge, PointId, edge_of};
use crate::route::roots;

/// The limits that runs met: in words, with the ways after which they did.
#[derive(Clone, Debug, Default)]
pub(crate) struct Met {
    all: BTreeMap<String, Places>,
}

#[derive(Clone, Debug, Default)]
struct Places {
    calls: bool,
    size: bool,
    /// `None`: before any.
    after: BTreeSet<Option<Edge>>,
}

impl Met {
    pub(crate) fn extend(&mut self, limits: &BTreeSet<Limit>) {
        for limit in limits {
            let places = self.all.entry(limit.words.clone()).or_default();
            places.calls |= limit.calls;
            places.size |= limit.size;
            places.after.insert(limit.after.map(|(_, edge)| edge));
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Whether one of them is the size of an object.
    pub(crate) fn has_size(&self) -> bool {
        self.all.values().any(|places| places.size)
    }

    /// The limits behind which each of these objectives may be, in words: first those that come last before it.
    pub(crate) fn before(&self, subject: &Subject, cfg: &Cfg, objectives: &[&Objective]) -> Vec<Vec<String>> {
        let mut words = vec![Vec::new(); objectives.len()];
        let outside = Outside::new(subject);
        let mut shades: Vec<_> = self.all.iter().map(|(words, at)| (words, Shade::new(&outside, cfg, at))).collect();
        shades.sort_by_key(|(_, shade)| shade.points.iter().filter(|&&is_behind| is_behind).count());
        for (limit, shade) in shades {
            for (objective, words) in objectives.iter().zip(&mut words) {
                if shade.falls_on(subject, cfg, objective) {
                    words.push(limit.clone());
                }
            }
        }
        words
    }
}

/// Limits that are named; of more the number is told.
const MOST_NAMED: usize = 3; // not tuning: a length of text

/// The nearest limits, in words.
pub(crate) fn named(words: &[String]) -> String {
    let more = words.len().saturating_sub(MOST_NAMED);
    let rest = if more > 0 { format!("; and {more} more limits before") } else { String::new() };
    format!("{}{rest}", words[..words.len() - more].join("; "))
}

/// A map of the program on which the places of all objectives are.
pub(crate) fn map(subject: &Subject) -> Cfg {
    let labels = around::edges_at_labels(subject).into_keys();
    let places = subject.objectives.iter().flat_map(|objective| &objective.places);
    let places = places.filter_map(|&place| edge_of(&subject.image, place));
    let entries: FxHashSet<u32> = labels.chain(places).filter(|edge| edge.1 == ENTRY).map(|edge| edge.0).collect();
    cfg::build(&subject.image, &roots(subject), &entries, &FxHashSet::default()).0
}

/// What lies behind one limit.
struct Shade {
    /// By the numbers of points.
    points: Vec<bool>,
    /// Functions that may be called from outside.
    functions: FxHashSet<u32>,
}

/// What code may call that is no part of the program.
struct Outside {
    /// Whether a run may come to such code, wherever it was cut.
    is_called: bool,
    functions: FxHashSet<u32>,
}

impl Outside {
    fn new(subject: &Subject) -> Outside {
        let program = subject.image.program();
        let graph = CallGraph::new(program, &roots(subject), &subject.offered_functions());
        let own = graph.pointed().iter().filter(|id| program.functions[**id].origin == Origin::Subject);
        let functions = own.flat_map(|&id| graph.reach(id)).map(|id| id.as_u32()).collect();
        Outside { is_called: calls_outside(subject, &graph), functions }
    }
}

/// Whether some code calls what is no part of the program, or may: that in turn may call whatever has an address.
fn calls_outside(subject: &Subject, graph: &CallGraph) -> bool {
    let image = &subject.image;
    let reached: BTreeSet<FuncId> = roots(subject).into_iter().flat_map(|root| graph.reach(root)).collect();
    let own = reached.into_iter().filter(|&id| image.function(id).origin == Origin::Subject);
    let bodies = own.filter_map(|id| image.function(id).body.as_ref());
    bodies.flat_map(|body| body.insts.values()).any(|inst| match &inst.op {
        Op::Call(call) => match call.callee {
            Callee::Direct(callee) => image.target(callee) == Target::Undefined,
            Callee::Indirect(_) => true,
        },
        _ => false,
    })
}

impl Shade {
    fn new(outside: &Outside, cfg: &Cfg, places: &Places) -> Shade {
        let mut points = vec![false; cfg.len()];
        let mut work: Vec<PointId> = Vec::new();
        for after in &places.after {
            match after.map_or(&[][..], |edge| cfg.all(edge)) {
                [] => work.push(PointId::START),
                known => work.extend(known),
            }
        }
        while let Some(point) = work.pop() {
            if points.get(point.index()) == Some(&false) {
                points[point.index()] = true;
                work.extend(cfg.next(point));
            }
        }
        let functions =
            if places.calls || outside.is_called { outside.functions.clone() } else { FxHashSet::default() };
        Shade { points, functions }
    }

    fn falls_on(&self, subject: &Subject, cfg: &Cfg, objective: &Objective) -> bool {
        objective.places.iter().any(|place| self.falls_on_place(subject, cfg, place))
    }

    fn falls_on_place(&self, subject: &Subject, cfg: &Cfg, place: &Place) -> bool {
        let (function, edges) = match *place {
            Place::Label(function, inst, _) => (function, around::edges_around(subject, function, inst)),
            Place::Edge(function, ..) | Place::Entry(function) => {
                (function, edge_of(&subject.image, *place).into_iter().collect())
            }
        };
        let mut known = edges.iter().flat_map(|&edge| cfg.all(edge)).peekable();
        // What is not on the map may be anywhere, if it is reached at all.
        let unseen = known.peek().is_none() && matches!(place, Place::Label(..));
        unseen || self.functions.contains(&function.as_u32()) || known.any(|point| self.points[point.index()])
    }
}
