//! Following a run through the flow.
//!
//! A `Tracer` sees every place that a run passes, finds the location of the flow, and can say there what any formula
//! over the variables of the state is: true or false in this run, or a term over the inputs.

mod conformance;
mod idle;
mod wanted;

use std::rc::Rc;

use covenant_concolic::Subject;
use covenant_concolic::meaning::pure;
use covenant_concolic::run::{Run, execute};
use covenant_concolic::symbolic::{Context, Follower, Symbolic};
use covenant_constraints::op::Op;
use covenant_constraints::tuning::Tuning;
use covenant_constraints::{Evaluator, Model, Sort, TermId, Terms, Value, VarId};
use covenant_interpreter::Limits;
use covenant_interpreter::shadow::{Inspect, Mark, Shadowed};
use covenant_program::ir::{FuncId, Type};
use rustc_hash::FxHashMap;

use self::conformance::Expected;
use self::idle::Idle;
use crate::compiled;
use crate::flow::{ContextId, Flow, LocationId, Owner, RegionId, Source, Spot, sort_of};

pub use conformance::Conformance;
pub use wanted::{Ground, Places, Questions, Recording, Visitor};

/// Bytes of a store chain that are looked through.
const LONGEST_CHAIN: usize = 4096; // not tuning: the stack

/// What the variables of a recording were at a visit, as terms over the inputs.
#[derive(Clone, Debug)]
pub struct State {
    /// What each of the recording's variables is; `None` where no term is known.
    pub values: Vec<Option<TermId>>,
    /// Decisions of the run before it.
    pub events: usize,
}

/// Visits of a location at which the watched formulas had the same values.
#[derive(Clone, Debug, Default)]
pub struct Visits {
    /// The first few, by their numbers among all visits of the run.
    pub first: Vec<u32>,
    /// The last few.
    pub last: Vec<u32>,
}

impl Visits {
    fn add(&mut self, ordinal: u32, tuning: &Tuning) {
        if self.first.len() < tuning.trace_first {
            self.first.push(ordinal);
            return;
        }
        self.last.push(ordinal);
        if self.last.len() > tuning.trace_last {
            self.last.remove(0);
        }
    }

    /// The latest first.
    pub fn all(&self) -> impl Iterator<Item = u32> + '_ {
        self.last.iter().rev().chain(self.first.iter().rev()).copied()
    }
}

/// What a formula is at a visit.
#[derive(Clone, Copy, Debug)]
pub struct Answer {
    /// The place.
    pub location: LocationId,
    /// The number of the visit.
    pub ordinal: u32,
    /// The formula that was asked for.
    pub asked: TermId,
    /// As a term over the inputs, and what else must hold for that. `None`: it cannot be told.
    pub term: Option<TermId>,
    /// Decisions of the run before it.
    pub events: usize,
}

/// The values of watched formulas; `None` where a formula cannot be told.
pub type Truths = Vec<Option<bool>>;

/// What was found out about a run.
#[derive(Debug, Default)]
pub struct Trace {
    /// Where in the flow it was.
    pub visits: FxHashMap<(LocationId, Truths), Visits>,
    /// What was asked for, at each visit.
    pub answers: Vec<Answer>,
    /// What was recorded, by place and number of the visit.
    pub states: FxHashMap<(LocationId, u32), State>,
    /// States that were asked for: variables and their bits.
    pub samples: Vec<(LocationId, Vec<(VarId, u128)>)>,
    /// How often the run was where it was most often.
    pub turns: u32,
    /// It was ended because it went round without an input.
    pub idle: bool,
    /// Where the run is no path of the flow, and why.
    pub departure: Option<(LocationId, LocationId, String)>,
}

/// Runs the subject on these inputs and follows the run, if there is a flow to follow it in.
pub fn follow(
    subject: &Subject,
    limits: Limits,
    cx: &mut Context,
    model: Rc<Model>,
    questions: Option<(&Flow, &Questions)>,
) -> (Run, Trace) {
    let Some((flow, questions)) = questions else {
        return (execute(subject, limits, cx, model, None), Trace::default());
    };
    let mut tracer = Tracer::new(flow, subject.entry, questions);
    let run = execute(subject, limits, cx, model, Some(&mut tracer));
    let turns = tracer.most_visits();
    (run, Trace { turns, ..tracer.trace })
}

#[derive(Debug)]
struct Tracer<'c> {
    flow: &'c Flow,
    entry: FuncId,
    questions: &'c Questions,
    contexts: Vec<Option<ContextId>>,
    count: FxHashMap<LocationId, u32>,
    idle: Idle,
    open: usize,
    /// The run has been somewhere as often as it may.
    cut: bool,
    /// The visitor has been let in.
    visited: bool,
    /// What must follow, if that is asked.
    expected: Option<Expected>,
    trace: Trace,
}

impl<'c> Tracer<'c> {
    fn new(flow: &'c Flow, entry: FuncId, questions: &'c Questions) -> Tracer<'c> {
        Tracer {
            flow,
            entry,
            questions,
            contexts: Vec::new(),
            count: FxHashMap::default(),
            idle: Idle::default(),
            open: questions.probes.len() + usize::from(questions.visitor.is_some()),
            cut: false,
            visited: false,
            expected: None,
            trace: Trace::default(),
        }
    }

    /// How often the run was where it was most often.
    fn most_visits(&self) -> u32 {
        self.count.values().copied().max().unwrap_or(0)
    }

    fn enter(&mut self, machine: &dyn Inspect<Symbolic<'_>>, depth: usize) {
        let Some((function, call)) = machine.entered() else { return };
        self.contexts.truncate(depth - 1);
        self.contexts.resize(depth - 1, None);
        let caller = self.contexts.last().copied().flatten();
        let first = function == self.entry && self.contexts.iter().all(Option::is_none);
        let inside = caller.zip(call).and_then(|(caller, call)| self.flow.child(caller, call, function));
        self.contexts.push(if first { Some(self.flow.outer_context()) } else { inside });
    }

    fn visit(&mut self, machine: &mut dyn Inspect<Symbolic<'_>>, location: LocationId) {
        let count = self.count.entry(location).or_insert(0);
        let ordinal = *count;
        *count += 1;
        let questions = self.questions;
        if let Some(conformance) = questions.conformance.as_deref().filter(|_| self.trace.departure.is_none()) {
            self.compare(machine, conformance, location, ordinal);
        }
        self.cut |= questions.turns.is_some_and(|most| ordinal >= most);
        if questions.idle.is_some_and(|most| self.idle.visit(location, machine.shadow().used.len()) > most) {
            self.trace.idle |= !self.cut;
            self.cut = true;
        }
        if let Some(asked) = questions.probes.get(&(location, ordinal)) {
            self.open -= 1;
            let events = machine.shadow().events.len();
            for &asked in asked {
                let term = self.formula(machine, asked);
                self.trace.answers.push(Answer { location, ordinal, asked, term, events });
            }
        }
        if let Some(visitor) = questions.visitor.as_ref().filter(|v| !self.visited && v.waits_at(location)) {
            self.open -= 1;
            self.visited = true;
            let events = machine.shadow().events.len();
            visitor.visit(self.flow, location, events, &mut Live { tracer: self, machine });
        }
        if let Some(recording) = &questions.record
            && let Some(variables) = recording.variables.get(&(location.as_u32() / recording.zone))
            && (ordinal < machine.shadow().cx.tuning.trace_recorded || recording.visits.contains(&(location, ordinal)))
        {
            let state = self.state(machine, variables);
            self.trace.states.insert((location, ordinal), state);
        }
        if ordinal < machine.shadow().cx.tuning.trace_sampled
            && let Some(vars) = questions.sample.as_ref().and_then(|places| places.get(&location))
        {
            let value = |var: &VarId| Some((*var, self.bits(machine, *self.flow.variables.get(var)?)?.0));
            let values = vars.iter().filter_map(value).collect();
            self.trace.samples.push((location, values));
        }
        let mut truths = Truths::new();
        if let Some(watched) = questions.watched.get(&location) {
            // The arena is needed while the machine is looked at.
            let terms = std::mem::take(&mut machine.shadow().cx.terms);
            truths = watched.eval(&terms, &mut Live { tracer: self, machine });
            machine.shadow().cx.terms = terms;
        }
        self.trace.visits.entry((location, truths)).or_default().add(ordinal, &machine.shadow().cx.tuning);
    }

    /// Compares the step that the run has made with those of the flow.
    fn compare(
        &mut self,
        machine: &mut dyn Inspect<Symbolic<'_>>,
        conformance: &Conformance,
        location: LocationId,
        ordinal: u32,
    ) {
        // The arena is needed while the machine is looked at.
        let terms = std::mem::take(&mut machine.shadow().cx.terms);
        let known = (self.flow, &terms);
        let departure = self.expected.as_ref().and_then(|expected| {
            let why = conformance.departure(known, expected, location, &mut Live { tracer: self, machine })?;
            Some((expected.from, location, why))
        });
        if !conformance::is_aside(self.flow, location) {
            self.expected = Some(conformance.expect(known, location, ordinal, &mut Live { tracer: self, machine }));
        }
        machine.shadow().cx.terms = terms;
        self.trace.departure = departure;
    }

    fn state(&self, machine: &mut dyn Inspect<Symbolic<'_>>, variables: &[VarId]) -> State {
        let events = machine.shadow().events.len();
        State { values: variables.iter().map(|&var| self.term(machine, var)).collect(), events }
    }

    /// A variable of the state as it is now, as a term over the inputs.
    fn term(&self, machine: &mut dyn Inspect<Symbolic<'_>>, var: VarId) -> Option<TermId> {
        let value = self.fetch(machine, *self.flow.variables.get(&var)?)?;
        Some(pure::lift(&mut machine.shadow().cx.terms, value))
    }

    /// Where an array of the flow begins.
    fn start_of_array(&self, machine: &dyn Inspect<Symbolic<'_>>, array: VarId) -> Option<u64> {
        match *self.flow.variables.get(&array)? {
            Source::Outer => Some(0),
            Source::Bytes { region } => self.start_of(machine, region),
            _ => None,
        }
    }

    /// The formula with all variables of the state replaced by what they are now.
    fn formula(&self, machine: &mut dyn Inspect<Symbolic<'_>>, formula: TermId) -> Option<TermId> {
        let nodes = machine.shadow().cx.terms.postorder(&[formula]);
        let mut reader = Reader { tracer: self, known: FxHashMap::default(), also: Vec::new() };
        for node in nodes {
            reader.node(machine, node)?;
        }
        let mut result = *reader.known.get(&formula)?;
        for condition in reader.also {
            result = machine.shadow().cx.terms.and(condition, result);
        }
        Some(result)
    }

    fn depth_of(&self, context: ContextId) -> Option<usize> {
        self.contexts.iter().rposition(|c| *c == Some(context)).map(|index| index + 1)
    }

    fn start_of(&self, machine: &dyn Inspect<Symbolic<'_>>, region: RegionId) -> Option<u64> {
        match self.flow.regions[region].owner {
            Owner::Global(global) => Some(machine.global_address(global)),
            Owner::Local(context, value) => {
                let depth = self.depth_of(context)?;
                Some(machine.register_at(depth, value, Type::Ptr)?.bits as u64)
            }
        }
    }

    /// The bits of a variable, without its term.
    fn bits(&self, machine: &mut dyn Inspect<Symbolic<'_>>, source: Source) -> Option<(u128, Type)> {
        match source {
            Source::Register { context, value, ty } => {
                Some((machine.register_at(self.depth_of(context)?, value, ty)?.bits, ty))
            }
            Source::Offset { context, value, region } => {
                let pointer = machine.register_at(self.depth_of(context)?, value, Type::Ptr)?;
                let start = self.start_of(machine, region)?;
                Some((u128::from((pointer.bits as u64).wrapping_sub(start)), Type::I64))
            }
            Source::Cell { region, offset, size } => {
                let start = self.start_of(machine, region)?;
                let bits = machine.peek_bits(start.wrapping_add(offset), size)?;
                Some((bits, Type::Int(8 * size as u8)))
            }
            Source::Bytes { .. } | Source::Outer => None,
        }
    }

    fn fetch(&self, machine: &mut dyn Inspect<Symbolic<'_>>, source: Source) -> Option<Shadowed<Option<TermId>>> {
        match source {
            Source::Register { context, value, ty } => machine.register_at(self.depth_of(context)?, value, ty),
            Source::Offset { context, value, region } => {
                let ty = Type::Ptr;
                let pointer = machine.register_at(self.depth_of(context)?, value, ty)?;
                let start = self.start_of(machine, region)?;
                let terms = &mut machine.shadow().cx.terms;
                // A register that was not set yet in this call has what an earlier call left there.
                if pointer.term.is_some_and(|term| terms.sort(term) != Sort::Bv(64)) {
                    return None;
                }
                let term = pointer.term.map(|term| {
                    let start = terms.bv(u128::from(start), 64);
                    terms.sub(term, start)
                });
                let bits = u128::from((pointer.bits as u64).wrapping_sub(start));
                Some(Shadowed { bits, ty: Type::I64, term })
            }
            Source::Cell { region, offset, size } => {
                let start = self.start_of(machine, region)?;
                machine.peek(start.wrapping_add(offset), size)
            }
            Source::Bytes { .. } | Source::Outer => None,
        }
    }
}

impl Follower for Tracer<'_> {
    fn passed(&mut self, machine: &mut dyn Inspect<Symbolic<'_>>, at: Mark) -> bool {
        let depth = machine.depth();
        let spot = match at {
            Mark::Enter => {
                self.enter(machine, depth);
                Spot::Root
            }
            Mark::Block(block) => Spot::Block(block),
            Mark::Way(block, way) => Spot::Way(block, way),
            Mark::After(inst) => Spot::After(inst),
            Mark::Label(inst) => Spot::Label(inst),
        };
        self.contexts.truncate(depth);
        let Some(&Some(context)) = self.contexts.get(depth.wrapping_sub(1)) else { return true };
        if let Some(location) = self.flow.location(context, spot) {
            self.visit(machine, location);
        }
        !(self.cut || (self.questions.stop && self.open == 0))
    }

    fn has_cut(&self) -> bool {
        self.cut
    }
}

/// The state that a run has now: its values, and these as terms.
struct Live<'t, 'c, 'm, 'i, 's> {
    tracer: &'t Tracer<'c>,
    machine: &'m mut (dyn Inspect<Symbolic<'s>> + 'i),
}

impl compiled::Source for Live<'_, '_, '_, '_, '_> {
    fn variable(&mut self, var: VarId) -> Option<Value> {
        let source = *self.tracer.flow.variables.get(&var)?;
        let (bits, ty) = self.tracer.bits(self.machine, source)?;
        Value::from_bits(sort_of(ty), bits)
    }

    fn byte(&mut self, array: VarId, index: u64) -> Option<u8> {
        let start = self.tracer.start_of_array(self.machine, array)?;
        self.machine.peek_bits(start.wrapping_add(index), 1).map(|bits| bits as u8)
    }
}

impl Ground for Live<'_, '_, '_, '_, '_> {
    fn terms(&mut self) -> &mut Terms {
        &mut self.machine.shadow().cx.terms
    }

    fn variable(&mut self, var: VarId) -> Option<TermId> {
        self.tracer.term(self.machine, var)
    }

    fn byte(&mut self, array: VarId, at: u64) -> Option<TermId> {
        let start = self.tracer.start_of_array(self.machine, array)?;
        let byte = self.machine.peek(start.wrapping_add(at), 1)?;
        Some(pure::lift(self.terms(), byte))
    }

    fn object(&mut self, array: VarId, at: u64) -> Option<(u64, u64)> {
        let start = self.tracer.start_of_array(self.machine, array)?;
        let (base, size) = self.machine.object_near(start.wrapping_add(at))?;
        Some((base.wrapping_sub(start), size))
    }
}

/// Builds a formula anew, bottom up.
struct Reader<'t, 'c> {
    tracer: &'t Tracer<'c>,
    known: FxHashMap<TermId, TermId>,
    /// What makes addresses what they are in this run.
    also: Vec<TermId>,
}

impl Reader<'_, '_> {
    fn node(&mut self, machine: &mut dyn Inspect<Symbolic<'_>>, node: TermId) -> Option<()> {
        let terms = &machine.shadow().cx.terms;
        if terms.sort(node) == Sort::Array {
            // Arrays are only ever looked at through what is read from them.
            return Some(());
        }
        let built = if let Some(var) = terms.as_var(node) {
            self.tracer.term(machine, var)?
        } else if terms.op(node) == Op::Select {
            let (array, index) = (terms.arg(node, 0), terms.arg(node, 1));
            let index = *self.known.get(&index)?;
            self.read(machine, array, index, 0)?
        } else {
            let data = *terms.node(node);
            let mut args = Vec::with_capacity(3);
            for arg in data.args.iter() {
                args.push(*self.known.get(&arg)?);
            }
            if args.is_empty() { node } else { machine.shadow().cx.terms.mk(data.op, &args, data.sort) }
        };
        self.known.insert(node, built);
        Some(())
    }

    fn read(
        &mut self,
        machine: &mut dyn Inspect<Symbolic<'_>>,
        array: TermId,
        index: TermId,
        depth: usize,
    ) -> Option<TermId> {
        if depth > LONGEST_CHAIN {
            return None;
        }
        let terms = &machine.shadow().cx.terms;
        match terms.op(array) {
            Op::Store => {
                let (inner, place, byte) = (terms.arg(array, 0), terms.arg(array, 1), terms.arg(array, 2));
                let (place, byte) = (*self.known.get(&place)?, *self.known.get(&byte)?);
                let is_here = machine.shadow().cx.terms.eq(index, place);
                match machine.shadow().cx.terms.as_bool(is_here) {
                    Some(true) => Some(byte),
                    Some(false) => self.read(machine, inner, index, depth + 1),
                    None => {
                        let rest = self.read(machine, inner, index, depth + 1)?;
                        Some(machine.shadow().cx.terms.ite(is_here, byte, rest))
                    }
                }
            }
            Op::ConstArray => self.known.get(&terms.arg(array, 0)).copied(),
            Op::Ite => {
                let (cond, a, b) = (terms.arg(array, 0), terms.arg(array, 1), terms.arg(array, 2));
                let cond = *self.known.get(&cond)?;
                let (a, b) = (self.read(machine, a, index, depth + 1)?, self.read(machine, b, index, depth + 1)?);
                Some(machine.shadow().cx.terms.ite(cond, a, b))
            }
            _ => {
                let var = terms.as_var(array)?;
                let start = self.tracer.start_of_array(machine, var)?;
                let at = self.pinned(machine, index);
                let byte = machine.peek(start.wrapping_add(at), 1)?;
                Some(pure::lift(&mut machine.shadow().cx.terms, byte))
            }
        }
    }

    /// The index as it is in this run.
    fn pinned(&mut self, machine: &mut dyn Inspect<Symbolic<'_>>, index: TermId) -> u64 {
        let shadow = machine.shadow();
        if let Some(known) = shadow.cx.terms.as_bv(index) {
            return known as u64;
        }
        let now = Evaluator::new(&shadow.cx.terms, &shadow.used).eval(index).bits().unwrap_or(0);
        let terms = &mut shadow.cx.terms;
        let constant = terms.bv(now, 64);
        let equal = terms.eq(index, constant);
        self.also.push(equal);
        now as u64
    }
}
