//! Walks from place to place, and what cvc5 is asked about each.

use std::collections::BTreeSet;

use covenant_goals::certificate::{Question, Script};
use covenant_goals::{Objective, Place as Target};
use covenant_program::ir::{Block, CallData, FuncId, Inst, Op, Terminator, Type, Value};

use super::Subject;
use super::chains::{ChainId, Chains, Effect};
use super::form::{self, Certificate, Formula, Place, Spot, Unread};
use super::objects;
use super::state::{Context, State, Val};
use super::step::{any, called, conditions, is_true, step};

/// What came of reading a certificate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Made {
    /// What must be answered `unsat`.
    Script(Script),
    /// It is no proof of the objective, whatever a solver says.
    Refused(String),
    /// The encoding does not have what the certificate is about.
    Beyond(String),
}

/// Questions of one certificate: nobody waits for more.
const MOST: usize = 20_000; // not tuning: a size

/// Values are looked up through their definitions, which may be long chains.
const STACK: usize = 512 << 20; // not tuning: a stack

/// The questions about each certificate: an objective and its text.
pub fn made(subject: &Subject<'_>, certificates: &[(&Objective, &str)]) -> Vec<Made> {
    let work = || {
        let chains = match Chains::new(subject) {
            Ok(chains) => chains,
            Err(why) => return certificates.iter().map(|_| Made::Beyond(why.clone())).collect(),
        };
        let objects = objects::find(&chains);
        let cx = Context { subject, chains, objects };
        certificates.iter().map(|(objective, text)| one(&cx, objective, text)).collect()
    };
    let none = || certificates.iter().map(|_| Made::Beyond("the checker could not start".to_owned())).collect();
    with_stack(work).unwrap_or_else(none)
}

/// Does the work in a thread with room for deep recursion.
pub(super) fn with_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Option<T> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        thread.ok().and_then(|thread| thread.join().ok())
    })
}

fn one(cx: &Context<'_>, objective: &Objective, text: &str) -> Made {
    let certificate = match form::read(text, &objective.id, &cx.chains) {
        Ok(certificate) => certificate,
        Err(Unread::Wrong(why)) => return Made::Refused(why),
        Err(Unread::Beyond(why)) => return Made::Beyond(why),
    };
    let mut targets = Targets::default();
    for place in &objective.places {
        let function = match *place {
            Target::Edge(function, block, way) => {
                targets.ways.insert((function, block, way));
                function
            }
            Target::Entry(function) => {
                targets.entries.insert(function);
                function
            }
            Target::Label(function, inst, _) => {
                targets.labels.insert((function, inst));
                function
            }
        };
        if let Some(why) = cx.chains.open.get(&function) {
            return Made::Beyond(format!("not all ways to it are shown: {why}"));
        }
    }
    if let Some(words) = targets.is_allowed(cx, &certificate) {
        return Made::Refused(words);
    }
    let root = (ChainId(0), Spot::Start);
    if targets.entries.contains(&cx.subject.entry) {
        return Made::Refused("each run begins there".to_owned());
    }
    if certificate.formulas.get(&root).is_some_and(|formula| *formula != Formula::True) {
        return Made::Refused("something is asked of the start, where anything may be".to_owned());
    }
    let mut walker =
        Walker { cx, certificate, targets, questions: Vec::new(), seen: BTreeSet::from([root]), work: vec![root] };
    while let Some(place) = walker.work.pop() {
        if let Err(why) = walker.walks_from(place) {
            return Made::Beyond(why);
        }
        if walker.questions.len() > MOST {
            return Made::Beyond("there are too many steps".to_owned());
        }
    }
    let prelude = format!("(set-logic ALL)\n{}", walker.certificate.definitions);
    Made::Script(Script { prelude, questions: walker.questions })
}

/// Where the objective is.
#[derive(Default)]
struct Targets {
    ways: BTreeSet<(FuncId, Block, u32)>,
    entries: BTreeSet<FuncId>,
    labels: BTreeSet<(FuncId, Inst)>,
}

impl Targets {
    /// What a certificate says of a place of the objective, if that is not `false`.
    fn is_allowed(&self, cx: &Context<'_>, certificate: &Certificate) -> Option<String> {
        let is_target = |(chain, spot): Place| {
            let function = cx.chains.chain(chain).function;
            match spot {
                Spot::Way(block, way) => self.ways.contains(&(function, block, way)),
                // The only way into a block is where the block is.
                Spot::Block(block) => {
                    let way = cx.chains.shape(chain).only_way(block);
                    way.is_some_and(|(from, way)| self.ways.contains(&(function, from, way)))
                }
                Spot::Start | Spot::After(_) => false,
            }
        };
        let mut said = certificate.formulas.iter().filter(|(_, formula)| **formula != Formula::False);
        let (place, _) = said.find(|(place, _)| is_target(**place))?;
        let line = cx.words(*place);
        Some(format!("the formula of {line}, where the objective is, is not `false`"))
    }
}

struct Walker<'c, 'p> {
    cx: &'c Context<'p>,
    certificate: Certificate,
    targets: Targets,
    questions: Vec<Question>,
    seen: BTreeSet<Place>,
    work: Vec<Place>,
}

/// A walk and where it goes on: before the instruction of this number.
type Ahead<'c, 'p> = (State<'c, 'p>, ChainId, Block, usize);

impl<'c, 'p> Walker<'c, 'p> {
    fn walks_from(&mut self, place: Place) -> Result<(), String> {
        let is_root = place == (ChainId(0), Spot::Start);
        let mut state = State::new(self.cx, place, is_root);
        match self.certificate.formulas.get(&place).cloned() {
            Some(Formula::False) => return Ok(()),
            Some(Formula::Of(name, variables)) => {
                let text = applied(&mut state, &name, &variables)?;
                state.lines.push(format!("(assert {text})"));
            }
            Some(Formula::True) | None => {}
        }
        let (chain, spot) = place;
        let mut ahead: Vec<Ahead<'c, 'p>> = Vec::new();
        match spot {
            Spot::Start => {
                let entry = (chain, Spot::Block(Block::ENTRY));
                if self.certificate.formulas.contains_key(&entry) {
                    return self.arrive(state, entry);
                }
                ahead.push((state, chain, Block::ENTRY, 0));
            }
            Spot::Block(block) => ahead.push((state, chain, block, 0)),
            Spot::Way(block, way) => self.take(&mut ahead, state, chain, block, way)?,
            Spot::After(inst) => {
                let (block, at) = self.cx.chains.shape(chain).place(inst).ok_or("a call is nowhere")?;
                ahead.push((state, chain, block, at + 1));
            }
        }
        while let Some((state, chain, block, at)) = ahead.pop() {
            self.run(&mut ahead, state, chain, block, at)?;
        }
        Ok(())
    }

    /// From an instruction to the end of its block, or into a call.
    fn run(
        &mut self,
        ahead: &mut Vec<Ahead<'c, 'p>>,
        mut state: State<'c, 'p>,
        chain: ChainId,
        block: Block,
        at: usize,
    ) -> Result<(), String> {
        let body = self.cx.chains.body(chain);
        let data = &body.blocks[block];
        let mut ghost_until = 0;
        for (number, &inst) in data.insts.iter().enumerate().skip(at) {
            state.ghost = number < ghost_until;
            match &body.insts[inst].op {
                Op::Ghost { insts, .. } => ghost_until = number + 1 + *insts as usize,
                Op::Label { cond, .. } => self.label(&mut state, chain, inst, *cond),
                Op::Call(call) => match self.cx.chains.effect(chain, inst) {
                    Effect::Expand(child) => return self.enter(ahead, state, chain, call, child),
                    effect => {
                        if !called(&mut state, chain, inst, call, &effect) {
                            return Ok(());
                        }
                        let place = (chain, Spot::After(inst));
                        if self.certificate.formulas.contains_key(&place) {
                            return self.arrive(state, place);
                        }
                    }
                },
                op => {
                    if !step(&mut state, chain, inst, op) {
                        if !state.ghost {
                            return Ok(());
                        }
                        any(&mut state, chain, inst);
                    }
                }
            }
        }
        state.ghost = false;
        self.leave(ahead, state, chain, block)
    }

    /// The ways out of a block.
    fn leave(
        &mut self,
        ahead: &mut Vec<Ahead<'c, 'p>>,
        mut state: State<'c, 'p>,
        chain: ChainId,
        block: Block,
    ) -> Result<(), String> {
        let data = &self.cx.chains.body(chain).blocks[block];
        if let Terminator::Return(values) = &data.term {
            return self.come_back(ahead, state, chain, values);
        }
        let function = self.cx.chains.chain(chain).function;
        let conditions = conditions(&mut state, chain, &data.term);
        for (way, condition) in (0..).zip(conditions) {
            let mut taken = state.clone();
            if let Some(condition) = condition {
                taken.assert(&condition);
            }
            let place = (chain, Spot::Way(block, way));
            if self.targets.ways.contains(&(function, block, way)) {
                self.ask(&mut taken, place, &Formula::False)?;
            } else if self.certificate.formulas.contains_key(&place) {
                self.arrive(taken, place)?;
            } else {
                self.take(ahead, taken, chain, block, way)?;
            }
        }
        Ok(())
    }

    /// Over an edge into a block.
    fn take(
        &mut self,
        ahead: &mut Vec<Ahead<'c, 'p>>,
        mut state: State<'c, 'p>,
        chain: ChainId,
        block: Block,
        way: u32,
    ) -> Result<(), String> {
        let body = self.cx.chains.body(chain);
        let edges = body.blocks[block].term.edges();
        let edge = edges.get(way as usize).ok_or("a block has no such way")?;
        let values: Vec<Val> = edge.args.iter().map(|&arg| state.value(chain, arg)).collect();
        for (&param, value) in body.blocks[edge.block].params.iter().zip(values) {
            self.bind(&mut state, chain, param, value);
        }
        let place = (chain, Spot::Block(edge.block));
        if self.cx.chains.shape(chain).is_join(edge.block) || self.certificate.formulas.contains_key(&place) {
            return self.arrive(state, place);
        }
        ahead.push((state, chain, edge.block, 0));
        Ok(())
    }

    /// Gives a value to a parameter or a result; what points into different objects is a number of which nothing is known.
    fn bind(&self, state: &mut State<'c, 'p>, chain: ChainId, to: Value, value: Val) {
        let kind = self.cx.objects.kind(chain, to);
        let value = match (kind, value) {
            (objects::Kind::Plain, Val::Into(..)) => state.fresh_bits(Type::Ptr),
            (_, value) => value,
        };
        state.set(chain, to, value);
    }

    fn enter(
        &mut self,
        ahead: &mut Vec<Ahead<'c, 'p>>,
        mut state: State<'c, 'p>,
        chain: ChainId,
        call: &CallData,
        child: ChainId,
    ) -> Result<(), String> {
        let (body, inner) = (self.cx.chains.body(chain), self.cx.chains.body(child));
        for (i, &param) in inner.params().iter().enumerate() {
            let ty = inner.ty(param);
            let value = match call.args.get(i) {
                Some(&arg) if body.ty(arg) == ty => state.value(chain, arg),
                _ => {
                    state.note("an argument is not of the type that the function takes");
                    state.fresh_bits(ty)
                }
            };
            self.bind(&mut state, child, param, value);
        }
        if self.targets.entries.contains(&self.cx.chains.chain(child).function) {
            return self.ask(&mut state, (child, Spot::Start), &Formula::False);
        }
        for place in [(child, Spot::Start), (child, Spot::Block(Block::ENTRY))] {
            if self.certificate.formulas.contains_key(&place) {
                return self.arrive(state, place);
            }
        }
        ahead.push((state, child, Block::ENTRY, 0));
        Ok(())
    }

    fn come_back(
        &mut self,
        ahead: &mut Vec<Ahead<'c, 'p>>,
        mut state: State<'c, 'p>,
        chain: ChainId,
        values: &[Value],
    ) -> Result<(), String> {
        let Some((caller, inst)) = self.cx.chains.chain(chain).caller else { return Ok(()) };
        let (body, outer) = (self.cx.chains.body(chain), self.cx.chains.body(caller));
        let values: Vec<(Val, Type)> = values.iter().map(|&v| (state.value(chain, v), body.ty(v))).collect();
        for (i, &result) in outer.insts[inst].results.iter().enumerate() {
            let ty = outer.ty(result);
            let value = match values.get(i) {
                Some((value, from)) if *from == ty => value.clone(),
                _ => {
                    state.note("a result is not of the type that the function gives");
                    state.fresh_bits(ty)
                }
            };
            self.bind(&mut state, caller, result, value);
        }
        let place = (caller, Spot::After(inst));
        let shape = self.cx.chains.shape(chain);
        if shape.returns > 1 || self.certificate.formulas.contains_key(&place) {
            return self.arrive(state, place);
        }
        let (block, at) = self.cx.chains.shape(caller).place(inst).ok_or("a call is nowhere")?;
        ahead.push((state, caller, block, at + 1));
        Ok(())
    }

    fn label(&mut self, state: &mut State<'c, 'p>, chain: ChainId, inst: Inst, cond: Value) {
        let function = self.cx.chains.chain(chain).function;
        if !self.targets.labels.contains(&(function, inst)) {
            return;
        }
        let cond = is_true(state, chain, cond);
        let mut reached = state.clone();
        reached.ghost = false;
        reached.assert(&cond);
        let words = format!("no run reaches the label at {}", self.cx.words((chain, Spot::After(inst))));
        self.push(&reached, words);
    }

    /// A walk ends at a place; others begin there.
    fn arrive(&mut self, mut state: State<'c, 'p>, place: Place) -> Result<(), String> {
        if let Some(formula) = self.certificate.formulas.get(&place).cloned() {
            self.ask(&mut state, place, &formula)?;
        }
        if self.seen.insert(place) {
            self.work.push(place);
        }
        Ok(())
    }

    /// Can the formula fail here?
    fn ask(&mut self, state: &mut State<'c, 'p>, place: Place, formula: &Formula) -> Result<(), String> {
        match formula {
            Formula::True => return Ok(()),
            Formula::False => {}
            Formula::Of(name, variables) => {
                let text = applied(state, name, variables)?;
                state.assert(&format!("(not {text})"));
            }
        }
        let (from, to) = (self.cx.words(state.from), self.cx.words(place));
        self.push(state, format!("the step from {from} to {to} keeps what the certificate says"));
        Ok(())
    }

    fn push(&mut self, state: &State<'c, 'p>, words: String) {
        let text: String = state.lines.iter().map(|line| format!("{line}\n")).collect();
        self.questions.push(Question { text, words, free: state.notes.iter().cloned().collect() });
    }
}

/// A formula over what its variables are now.
fn applied(state: &mut State<'_, '_>, name: &str, variables: &[form::Variable]) -> Result<String, String> {
    if variables.is_empty() {
        return Ok(name.to_owned());
    }
    let mut text = format!("({name}");
    for variable in variables {
        let now = state.variable(variable);
        text.push(' ');
        text.push_str(&now.map_err(|why| format!("a variable of the certificate is not one of this encoding: {why}"))?);
    }
    Ok(text + ")")
}
