//! Following a trace with the guards over static values.
//!
//! A value is a term over the parameters of the function under test, or nothing where it is not known. Guards over unknown
//! values exclude nothing. What is read from memory is anything, but the same each time while nothing is written there.

use covenant_constraints::solver::Steps;
use std::rc::Rc;

use covenant_concolic::meaning::pure::{compute, lift};
use covenant_concolic::meaning::{control, memory};
use covenant_constraints::solver::{Answer, Query, Solver};
use covenant_constraints::{Model, Sort, TermId, Terms, Value as Constant, VarId, eval};
use covenant_goals::traces::{Move, Refine};
use covenant_interpreter::shadow::{Pure, Shadowed};
use covenant_program::ir::{Block, Body, Const, Def, FuncId, Inst, IntCmp, Op, Program, Terminator, Type, Value};
use rustc_hash::FxHashMap;

use super::memory::{Memory, may_write, only_reads};
use super::modes::Modes;

/// Variables of a guard for which other values are tried.
const GUESSED: usize = 4; // not tuning: certificates are checked with the same

/// What guards are asked with.
#[allow(missing_debug_implementations)]
pub struct Tools<'a> {
    /// Where guards become terms.
    pub terms: &'a mut Terms,
    /// Who is asked about them.
    pub solver: &'a mut (dyn Solver + 'static),
    /// For one question.
    pub steps: Steps,
    /// Questions that may be asked. What is decided without one is decided beyond these too, all else is possible.
    pub questions: usize,
}

/// Who is asked about guards.
pub(super) struct Asked<'a> {
    solver: &'a mut (dyn Solver + 'static),
    steps: Steps,
    left: usize,
}

/// What follows a trace and asks at each guard whether a run can go on so.
#[allow(missing_debug_implementations)]
pub struct Guards<'a> {
    program: &'a Program,
    pub(super) modes: &'a Modes,
    pub(super) terms: &'a mut Terms,
    /// Nobody: guards are written down, and none excludes anything.
    pub(super) asked: Option<Asked<'a>>,
    /// There were more questions than may be asked.
    pub is_cut: bool,
    /// The next guard is known to be possible.
    pub trusts: bool,
    fresh: u32,
    /// Calls within each other whose results are being found.
    pub(super) nesting: u32,
}

#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub(super) function: FuncId,
    pub(super) block: Block,
    /// Instructions of the block that were executed.
    pub(super) done: usize,
    values: Rc<FxHashMap<Value, TermId>>,
    /// The call that made it.
    call: Option<Inst>,
}

/// What holds after some moves.
#[derive(Clone, Debug)]
pub struct Known {
    pub(super) frames: Vec<Frame>,
    /// The guards so far.
    pub path: Vec<TermId>,
    memory: Memory,
    /// Values with which the guards hold, if some are known.
    witness: Option<Rc<Model>>,
}

impl<'a> Guards<'a> {
    /// Guards of a program, with what is needed to ask about them.
    pub fn new(program: &'a Program, modes: &'a Modes, tools: Tools<'a>) -> Guards<'a> {
        let Tools { terms, solver, steps, questions } = tools;
        let asked = Some(Asked { solver, steps, left: questions });
        Guards { program, modes, terms, asked, is_cut: false, trusts: false, fresh: 0, nesting: 0 }
    }

    pub(super) fn body(&self, function: FuncId) -> Option<&'a Body> {
        self.program.functions[function].body.as_ref()
    }

    /// The types of what a function gives back.
    pub(super) fn returns(&self, function: FuncId) -> &'a [Type] {
        &self.program.functions[function].returns
    }

    /// Anything of a type; nothing where it would be of no use.
    pub(super) fn anything(&mut self, ty: Type) -> Option<TermId> {
        let sort = match ty {
            Type::BOOL => Sort::Bool,
            Type::Int(width) => Sort::Bv(width),
            Type::Ptr | Type::Ptr32 => Sort::Bv(Type::Ptr.bits() as u8),
            _ => return None,
        };
        self.fresh += 1;
        let var = self.terms.var(format!("guard#{}", self.fresh), sort);
        Some(self.terms.var_term(var))
    }

    fn shadowed(&mut self, body: &Body, frame: &Frame, value: Value) -> Option<Shadowed<Option<TermId>>> {
        let data = &body.values[value];
        match data.def {
            Def::Const(Const::Bits(bits)) => Some(Shadowed { bits, ty: data.ty, term: None }),
            Def::Const(_) => None,
            _ => frame.values.get(&value).map(|&term| Shadowed { bits: 0, ty: data.ty, term: Some(term) }),
        }
    }

    pub(super) fn term(&mut self, body: &Body, frame: &Frame, value: Value) -> Option<TermId> {
        let value = self.shadowed(body, frame, value)?;
        Some(lift(self.terms, value))
    }

    /// Executes what comes before the next call of the block.
    fn execute(&mut self, frame: &mut Frame, memory: &mut Memory) {
        let Some(body) = self.body(frame.function) else { return };
        while let Some(&inst) = body.blocks[frame.block].insts.get(frame.done) {
            let data = &body.insts[inst];
            if matches!(data.op, Op::Call(_)) {
                return;
            }
            frame.done += 1;
            if let Op::Store { ptr, value, volatile } = data.op {
                let (at, ty) = (self.term(body, frame, ptr), body.ty(value));
                let value = self.term(body, frame, value).filter(|_| !volatile && !ty.is_float());
                memory.write(self.terms, at, ty, value);
            } else if may_write(&data.op) {
                memory.forget();
            }
            for (index, &result) in data.results.iter().enumerate() {
                // A value of an earlier turn must not be taken for that of this one.
                Rc::make_mut(&mut frame.values).remove(&result);
                if self.modes.is_static(frame.function, result) {
                    let ty = body.ty(result);
                    let made = match data.op {
                        _ if index > 0 => None,
                        Op::Load { ptr, volatile: false } => self.load(body, frame, memory, (ptr, ty)),
                        _ => self.operation(body, frame, &data.op, ty),
                    };
                    let made = made.or_else(|| self.anything(ty));
                    bind(frame, result, made);
                }
            }
        }
    }

    /// The value at an address: what is known of it, or anything, which it then is the next time too.
    fn load(&mut self, body: &Body, frame: &Frame, memory: &mut Memory, (ptr, ty): (Value, Type)) -> Option<TermId> {
        let at = self.term(body, frame, ptr)?;
        if let Some(value) = memory.read(self.terms, at, ty) {
            return Some(value);
        }
        let value = self.anything(ty)?;
        memory.learn(self.terms, at, ty, value);
        Some(value)
    }

    fn operation(&mut self, body: &Body, frame: &Frame, op: &Op, ty: Type) -> Option<TermId> {
        let (pure, args) = match op {
            Op::PtrAdd { base, index, scale, disp, .. } => {
                return self.address(body, frame, *base, index.expand(), (*scale, *disp));
            }
            Op::Binary { op, args, .. } => (Pure::Binary(*op), args.to_vec()),
            Op::IntCmp { cmp, args } => (Pure::IntCmp(*cmp), args.to_vec()),
            Op::Cast { op, arg } => (Pure::Cast(*op), vec![*arg]),
            Op::Select { cond, args } => (Pure::Select, vec![*cond, args[0], args[1]]),
            _ => return None,
        };
        let args: Option<Vec<_>> = args.into_iter().map(|arg| self.shadowed(body, frame, arg)).collect();
        let args = args?;
        // Floats are not looked at here, and of addresses only whether they are the same, and which of two.
        let compares = matches!(pure, Pure::IntCmp(IntCmp::Eq | IntCmp::Ne) | Pure::Select);
        let plain = |ty: Type| matches!(ty, Type::Int(_)) || (compares && ty.is_ptr());
        (plain(ty) && args.iter().all(|arg| plain(arg.ty))).then(|| compute(self.terms, pure, &args, ty))?
    }

    fn address(
        &mut self,
        body: &Body,
        frame: &Frame,
        base: Value,
        index: Option<Value>,
        (scale, disp): (i64, i64),
    ) -> Option<TermId> {
        let base = self.term(body, frame, base)?;
        let index = match index {
            Some(index) => Some(self.term(body, frame, index)?),
            None => None,
        };
        let distance = memory::distance(self.terms, index, scale, disp);
        Some(self.terms.add(base, distance))
    }

    /// Whether the path can go on with one more condition.
    fn allows(&mut self, known: &mut Known, guard: TermId) -> bool {
        if self.asked.is_none() {
            known.path.push(guard);
            return true;
        }
        if let Some(holds) = self.terms.as_bool(guard) {
            return holds;
        }
        if known.path.contains(&guard) {
            return true;
        }
        let other = self.terms.not(guard);
        let possible = !known.path.contains(&other) && self.is_possible(known, guard);
        known.path.push(guard);
        possible
    }

    /// The same for what is not plain.
    fn is_possible(&mut self, known: &mut Known, guard: TermId) -> bool {
        let Some(asked) = &mut self.asked else { return true };
        let last = known.witness.take();
        if asked.left == 0 {
            self.is_cut |= !self.trusts;
            return true;
        }
        let over = self.terms.variables(&[guard]);
        known.witness = last.as_ref().and_then(|last| guess(self.terms, (&known.path, guard), &over, last));
        // A guard over values that none was over before is hardly ever worth a question.
        let before = self.terms.variables(&known.path);
        if self.trusts || known.witness.is_some() || !over.iter().all(|var| before.contains(var)) {
            return true;
        }
        asked.left -= 1;
        let query = Query { path: &known.path, goal: guard, steps: asked.steps, hint: last.as_deref() };
        match asked.solver.solve(self.terms, &query) {
            Answer::Sat(model) => known.witness = Some(Rc::new(model)),
            answer => return !answer.is_unsat(),
        }
        true
    }

    /// What must hold for an edge to be taken.
    pub(super) fn guard(&mut self, body: &Body, frame: &Frame, way: u32) -> Option<TermId> {
        match &body.blocks[frame.block].term {
            Terminator::Branch { cond, .. } => {
                let cond = self.term(body, frame, *cond)?;
                Some(if way == 0 { cond } else { self.terms.not(cond) })
            }
            Terminator::Switch { value, cases, .. } => {
                let ty = body.ty(*value);
                let Type::Int(width) = ty else { return None };
                let value = self.term(body, frame, *value).filter(|_| width > 1)?;
                let ways = control::switch(self.terms, value, cases.iter().map(|(case, _)| *case));
                ways.get(way as usize).or(ways.last()).copied()
            }
            _ => None,
        }
    }

    fn take(&mut self, known: &mut Known, way: u32) -> Option<()> {
        let frame = known.frames.last()?.clone();
        let body = self.body(frame.function)?;
        if let Some(guard) = self.guard(body, &frame, way)
            && !self.allows(known, guard)
        {
            return None;
        }
        self.go(known, way)
    }

    /// Takes an edge, whatever must hold for it.
    pub(super) fn go(&mut self, known: &mut Known, way: u32) -> Option<()> {
        let mut frame = known.frames.pop()?;
        let body = self.body(frame.function)?;
        let edges = body.blocks[frame.block].term.edges();
        let edge = edges.get(way as usize)?;
        // All arguments are read before the first parameter is written.
        let args: Vec<Option<TermId>> = edge.args.iter().map(|&arg| self.term(body, &frame, arg)).collect();
        for (&param, arg) in body.blocks[edge.block].params.iter().zip(args) {
            let kept = self.modes.is_static(frame.function, param);
            let arg = if kept { arg.or_else(|| self.anything(body.ty(param))) } else { None };
            bind(&mut frame, param, arg);
        }
        (frame.block, frame.done) = (edge.block, 0);
        self.execute(&mut frame, &mut known.memory);
        known.frames.push(frame);
        Some(())
    }

    pub(super) fn enter(&mut self, known: &mut Known, inst: Inst, callee: FuncId) -> Option<()> {
        let caller = known.frames.last()?.clone();
        let body = self.body(caller.function)?;
        let Op::Call(call) = &body.insts[inst].op else { return None };
        let params = self.body(callee)?.params().to_vec();
        let args: Vec<Option<TermId>> =
            (0..params.len()).map(|i| self.term(body, &caller, *call.args.get(i)?)).collect();
        let frame = self.frame(callee, Some(inst), (&params, args), &mut known.memory);
        known.frames.push(frame);
        Some(())
    }

    fn frame(
        &mut self,
        function: FuncId,
        call: Option<Inst>,
        (params, args): (&[Value], Vec<Option<TermId>>),
        memory: &mut Memory,
    ) -> Frame {
        let values = Rc::default();
        let mut frame = Frame { function, block: Block::ENTRY, done: 0, values, call };
        for (&param, arg) in params.iter().zip(args) {
            if self.modes.is_static(function, param) {
                let ty = self.body(function).map_or(Type::Ptr, |body| body.ty(param));
                let arg = arg.or_else(|| self.anything(ty));
                bind(&mut frame, param, arg);
            }
        }
        self.execute(&mut frame, memory);
        frame
    }

    /// Goes past a call whose way does not matter.
    pub(super) fn hole(&mut self, mut known: Known, inst: Inst) -> Option<Known> {
        let caller = known.frames.last()?.function;
        let Op::Call(call) = &self.body(caller)?.insts[inst].op else { return None };
        let results = self.results(&known, inst, call.callee);
        if !only_reads(self.program, &self.modes.graph, call.callee) {
            known.memory.forget();
        }
        self.came_back(&mut known, inst, &results)?;
        Some(known)
    }

    /// The call came back with these results, or with anything.
    fn came_back(&mut self, known: &mut Known, inst: Inst, results: &[Option<TermId>]) -> Option<()> {
        let mut frame = known.frames.pop()?;
        let body = self.body(frame.function)?;
        for (index, &result) in body.insts[inst].results.iter().enumerate() {
            let made = results.get(index).copied().flatten();
            let kept = self.modes.is_static(frame.function, result);
            let made = if kept { made.or_else(|| self.anything(body.ty(result))) } else { None };
            bind(&mut frame, result, made);
        }
        frame.done = body.blocks[frame.block].insts.iter().position(|&other| other == inst)? + 1;
        self.execute(&mut frame, &mut known.memory);
        known.frames.push(frame);
        Some(())
    }
}

/// Values with which the guard holds too, if it takes no more than another value of one variable: that is soon tried.
fn guess(terms: &Terms, (path, guard): (&[TermId], TermId), over: &[VarId], last: &Rc<Model>) -> Option<Rc<Model>> {
    let holds = |term: TermId, model: &Model| eval(terms, term, model) == Constant::Bool(true);
    if holds(guard, last) {
        return Some(Rc::clone(last));
    }
    for &var in over.iter().take(GUESSED) {
        let sort = terms.var_sort(var);
        for bits in [0, 1, 2, u128::MAX] {
            let Some(value) = Constant::from_bits(sort, bits) else { continue };
            let mut model = (**last).clone();
            model.set(var, value);
            if holds(guard, &model) && path.iter().all(|&term| holds(term, &model)) {
                return Some(Rc::new(model));
            }
        }
    }
    None
}

fn bind(frame: &mut Frame, value: Value, term: Option<TermId>) {
    let values = Rc::make_mut(&mut frame.values);
    match term {
        Some(term) => values.insert(value, term),
        None => values.remove(&value),
    };
}

impl Refine for Guards<'_> {
    type State = Known;

    fn start(&mut self, function: FuncId) -> Known {
        let params = self.body(function).map_or(Vec::new(), |body| body.params().to_vec());
        let none = vec![None; params.len()];
        let mut memory = Memory::default();
        let frame = self.frame(function, None, (&params, none), &mut memory);
        Known { frames: vec![frame], path: Vec::new(), memory, witness: Some(Rc::default()) }
    }

    fn step(&mut self, known: &Known, step: Move) -> Option<Known> {
        let mut next = known.clone();
        match step {
            Move::Enter(inst, callee) => self.enter(&mut next, inst, callee)?,
            Move::Hole(inst) => next = self.hole(next, inst)?,
            Move::Way(_, way) => self.take(&mut next, way)?,
            Move::Leave(block) => {
                let frame = next.frames.pop()?;
                let body = self.body(frame.function)?;
                if let (Terminator::Return(values), Some(inst)) = (&body.blocks[block].term, frame.call) {
                    let results: Vec<Option<TermId>> =
                        values.iter().map(|&value| self.term(body, &frame, value)).collect();
                    self.came_back(&mut next, inst, &results)?;
                }
            }
        }
        Some(next)
    }
}
