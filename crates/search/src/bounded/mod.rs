//! A bounded query: all ways on from one place of a run, with each loop unwound a few times, as one condition on the inputs.
//!
//! Path search asks about one way after the other. But where a branch depends on what a loop counted, or on what a table holds
//! by then, no single decision leads there, and there may be thousands of paths on which nearly everything is right. Bounded
//! model checkers ask about all of them at once, and so does this: it goes through the flow once, in the order of the
//! program, and where ways meet their states become one whose values depend on the way. What comes out at a target is the
//! condition on the inputs under which the run that is being followed would have gone there instead; one question to a
//! solver says which inputs these are.
//!
//! The encoding starts from what the run has in its registers and in memory, as terms over the inputs. It does not go into what
//! the flow leaves open (a choice), nor does it unwind loops further than the plan says. So it may miss ways and proves
//! nothing. That a target is reached is decided by the run on the inputs that were found, as always.

mod cases;
mod evaluate;
mod limits;
mod memory;
mod places;
mod state;
#[cfg(test)]
mod tests;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use covenant_constraints::tuning::Tuning;
use covenant_constraints::{TermId, Terms, VarId};
use covenant_program::ir::Block;
use covenant_prove::order::{Order, backwards};
use covenant_transition::flow::{Flow, Location, LocationId, Spot, live_variables};
use covenant_transition::trace::{Ground, Visitor};
use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashSet;

use evaluate::{Evaluator, Known};
use memory::Memory;
use state::Way;

/// What to ask for: from where, to where, and how far loops are unwound.
#[derive(Debug)]
pub(crate) struct Plan {
    /// Where an encoding may start.
    pub(crate) starts: FxHashSet<LocationId>,
    targets: FxHashSet<LocationId>,
    /// How often each loop goes round.
    unwinding: u32,
    order: Order,
    /// The loops around each location, the outermost first, by the positions of their heads.
    loops: SecondaryMap<LocationId, Rc<[u32]>>,
    live: SecondaryMap<LocationId, BTreeSet<VarId>>,
    /// How large an encoding may become.
    tuning: Tuning,
}

/// What came out of going through the flow.
#[derive(Debug, Default)]
pub(crate) struct Encoding {
    /// Conditions on the inputs under which the run would come to the targets.
    pub(crate) reached: Vec<(LocationId, TermId)>,
    /// Decisions of the run before the place where it starts.
    pub(crate) events: usize,
    /// Under which condition the run would take a turn of a loop that was left out.
    pub(crate) cut: Option<TermId>,
    /// Whether no other way was left out.
    pub(crate) whole: bool,
    pub(crate) steps: usize,
}

/// Where functions of the subject begin that nothing of the subject called: all inputs are there, and nothing has been done
/// with them.
pub(crate) fn starts(flow: &Flow) -> FxHashSet<LocationId> {
    let is_first =
        |location: &Location| location.spot == Spot::Block(Block::ENTRY) && flow.is_called_first(location.context);
    flow.locations.iter().filter(|(_, location)| is_first(location)).map(|(id, _)| id).collect()
}

impl Plan {
    pub(crate) fn new(
        flow: &Flow,
        terms: &Terms,
        starts: FxHashSet<LocationId>,
        targets: FxHashSet<LocationId>,
        (unwinding, tuning): (u32, Tuning),
    ) -> Plan {
        let mut wanted: Vec<LocationId> = targets.iter().copied().collect();
        wanted.sort_unstable();
        let order = Order::new(flow, &backwards(flow, &wanted));
        let within: BTreeSet<LocationId> = order.sequence.iter().copied().collect();
        let live = live_variables(flow, terms, &within);
        let mut loops: SecondaryMap<LocationId, Rc<[u32]>> = SecondaryMap::with_default(Rc::from([]));
        let mut around: Vec<(u32, usize)> = Vec::new();
        for (position, &location) in order.sequence.iter().enumerate() {
            around.retain(|&(_, end)| position < end);
            if let Some(component) = order.component_of(location) {
                around.push((component.start as u32, component.end));
            }
            loops[location] = around.iter().map(|&(start, _)| start).collect();
        }
        Plan { starts, targets, unwinding, order, loops, live, tuning }
    }

    /// Goes through the flow from where the run is.
    pub(crate) fn encode(&self, flow: &Flow, start: LocationId, ground: &mut dyn Ground) -> Encoding {
        let Some(place) = self.first(start) else { return Encoding::default() };
        let first = ground.terms().len();
        let mut walk = Walk {
            plan: self,
            flow,
            pending: BTreeMap::from([(place, (start, Way::default()))]),
            reached: BTreeMap::new(),
            cut: None,
            whole: true,
            steps: 0,
            memory: Memory::new(self.tuning),
        };
        while let Some((place, (location, way))) = walk.pending.pop_first() {
            if walk.steps >= self.tuning.bounded_most_steps
                || ground.terms().len() - first > self.tuning.bounded_most_terms
            {
                walk.whole = false;
                break;
            }
            walk.go_on(&place, location, &way, ground);
        }
        let reached = walk.reached.into_iter().collect();
        Encoding { reached, events: 0, cut: walk.cut, whole: walk.whole, steps: walk.steps }
    }

    /// The place of a location in the order of an encoding that starts there.
    fn first(&self, start: LocationId) -> Option<Place> {
        let position = self.order.position(start)? as u32;
        let mut place: Place = self.loops[start].iter().flat_map(|&head| [head, 0]).collect();
        place.push(position);
        Some(place)
    }

    /// The place of a location after a step from another one; `None`: the loop is not unwound that far.
    fn next(&self, place: &Place, from: LocationId, to: LocationId) -> Option<Place> {
        let position = self.order.position(to)? as u32;
        let (before, after) = (&self.loops[from], &self.loops[to]);
        let mut next = Place::with_capacity(2 * after.len() + 1);
        let mut shared = true;
        for (i, &head) in after.iter().enumerate() {
            shared &= before.get(i) == Some(&head);
            let turn = if shared { place[2 * i + 1] } else { 0 };
            let again = shared && head == position;
            if turn + u32::from(again) >= self.unwinding {
                return None;
            }
            next.extend([head, turn + u32::from(again)]);
        }
        next.push(position);
        // In a loop that is entered at several places, a step may go back without passing the head.
        (next > *place).then_some(next)
    }
}

/// Follows a run and makes the encoding at the first place where one may start.
#[derive(Debug)]
pub(crate) struct Encoder {
    plan: Plan,
    found: RefCell<Option<Encoding>>,
}

impl Encoder {
    pub(crate) fn new(plan: Plan) -> Encoder {
        Encoder { plan, found: RefCell::new(None) }
    }

    /// The encoding, if the run that was followed came to such a place.
    pub(crate) fn take(&self) -> Option<Encoding> {
        self.found.take()
    }
}

impl Visitor for Encoder {
    fn waits_at(&self, location: LocationId) -> bool {
        self.plan.starts.contains(&location)
    }

    fn visit(&self, flow: &Flow, location: LocationId, events: usize, state: &mut dyn Ground) {
        let encoding = self.plan.encode(flow, location, state);
        self.found.replace(Some(Encoding { events, ..encoding }));
    }
}

/// Where in the order of an encoding something is: for each loop around it its head and the turn, then its position. What leads
/// to a place is before it in lexicographic order.
type Place = Vec<u32>;

struct Walk<'w> {
    plan: &'w Plan,
    flow: &'w Flow,
    pending: BTreeMap<Place, (LocationId, Way)>,
    reached: BTreeMap<LocationId, TermId>,
    cut: Option<TermId>,
    whole: bool,
    steps: usize,
    memory: Memory,
}

impl Walk<'_> {
    fn go_on(&mut self, place: &Place, location: LocationId, way: &Way, ground: &mut dyn Ground) {
        let mut known = Known::default();
        for &edge in &self.flow.locations[location].out {
            let edge = &self.flow.edges[edge];
            if !self.plan.order.contains(edge.to) {
                continue;
            }
            self.steps += 1;
            let mut eval = Evaluator::new(self.flow, way, &mut known, &mut self.memory, ground);
            let Some(conditions) = eval.guard(&edge.guard) else {
                self.whole = false;
                continue;
            };
            if conditions.iter().any(|&c| eval.terms().as_bool(c) == Some(false)) {
                continue;
            }
            let Ok(limits) = eval.learn(&edge.guard) else { continue };
            let path = way.path.and(eval.terms(), &conditions);
            if self.plan.targets.contains(&edge.to) {
                let condition = path.condition(eval.terms());
                let before = self.reached.get(&edge.to).copied();
                let any = before.map_or(condition, |before| eval.terms().or(before, condition));
                self.reached.insert(edge.to, any);
            }
            let Some(next) = self.plan.next(place, location, edge.to) else {
                let condition = path.condition(eval.terms());
                self.cut = Some(self.cut.map_or(condition, |cut| eval.terms().or(cut, condition)));
                continue;
            };
            let live = &self.plan.live[edge.to];
            let (state, also) = eval.assign(&edge.assign, live);
            let path = path.and(eval.terms(), &also);
            let way = Way { path, limits, state };
            let joined = match self.pending.remove(&next) {
                None => way,
                Some((_, other)) => other.join(way, live, &mut self.memory, ground),
            };
            self.pending.insert(next, (edge.to, joined));
        }
    }
}
