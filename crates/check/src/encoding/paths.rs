//! All paths, one after the other: what was proved because every path is known.
//!
//! The certificate of such a proof lists runs that took all paths. Nothing of it is needed here: the program is walked from the
//! start along every way that cvc5 does not exclude, and where an objective is, it must. What paths share is asserted
//! once, between `push` and `pop`. A way from which nothing leads to an objective is not followed. Local paths are objectives at
//! the ends of their function, and no way but theirs leads there: so only these are followed ([`Goal::code`]).

use std::collections::{BTreeMap, BTreeSet, HashMap};

use covenant_goals::local_path::{START, extend};
use covenant_goals::{Objective, Place as Target};
use covenant_program::ir::{Block, Callee, FuncId, Inst, Op, Terminator, Type, Value};

use super::Subject;
use super::chains::{ChainId, Chains, Effect};
use super::form::Spot;
use super::objects::{self, Kind};
use super::state::{Context, State, Val};
use super::step::{any, called, conditions, is_true, step};
use super::walk::with_stack;

/// What was found out about one objective.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Found {
    /// No path leads there; so many ways were excluded.
    Excluded(usize),
    /// A path does, in an encoding that leaves nothing open.
    Reached,
    /// Nobody knows, for this reason.
    Open(String),
}

/// What no path should lead to.
#[derive(Clone, Copy, Debug)]
pub struct Goal<'o> {
    /// The objective.
    pub objective: &'o Objective,
    /// If it is a local path that is proved by what it asks for alone, its function and the number that remembers it.
    pub code: Option<(FuncId, u128)>,
}

/// Answers whether what was told so far can be.
pub trait Oracle {
    /// SMT-LIB commands.
    fn tell(&mut self, text: &str);
    /// `Some(false)`: it cannot be.
    fn can_be(&mut self) -> Option<bool>;
}

/// Ways that are looked at: nobody waits for more.
const MOST: usize = 30_000; // not tuning: a size
/// Instructions on one path.
const LONGEST: usize = 200_000; // not tuning: a size

/// Follows all paths, and says of each objective what was found out.
pub fn follow(subject: &Subject<'_>, objectives: &[Goal<'_>], oracle: &mut (dyn Oracle + Send)) -> Vec<Found> {
    let all = |why: &str| objectives.iter().map(|_| Found::Open(why.to_owned())).collect::<Vec<_>>();
    let work = || {
        let chains = match Chains::new(subject) {
            Ok(chains) => chains,
            Err(why) => return all(&why),
        };
        let objects = objects::find(&chains);
        let cx = Context { subject, chains, objects };
        let mut follower = Follower::new(&cx, objectives, oracle);
        follower.oracle.tell("(set-logic ALL)\n");
        let state = State::new(&cx, (ChainId(0), Spot::Start), true);
        follower.path(state, (ChainId(0), Block::ENTRY, 0), Way::default());
        follower.found()
    };
    with_stack(work).unwrap_or_else(|| all("the checker could not start"))
}

struct Follower<'c, 'p, 'o> {
    cx: &'c Context<'p>,
    oracle: &'o mut (dyn Oracle + Send),
    ways: HashMap<(FuncId, Block, u32), Vec<usize>>,
    entries: HashMap<FuncId, Vec<usize>>,
    labels: HashMap<(FuncId, Inst), Vec<usize>>,
    /// Functions in which, or in what they call, an objective is.
    leading: BTreeSet<FuncId>,
    /// Blocks from which an objective can be reached inside of a call of the function.
    near: HashMap<FuncId, BTreeSet<Block>>,
    /// Instructions where an objective is or that lead into such a function.
    own: HashMap<FuncId, BTreeSet<Inst>>,
    /// Local paths, by function: no others are followed there.
    codes: HashMap<FuncId, Vec<u128>>,
    open: BTreeMap<usize, String>,
    reached: BTreeSet<usize>,
    /// Why not all paths were followed.
    stopped: Option<String>,
    count: usize,
    asked: usize,
    excluded: usize,
}

/// What a path has behind it.
#[derive(Clone, Debug, Default)]
struct Way {
    /// Instructions.
    length: usize,
    /// The numbers that remember the ways through functions whose local paths are asked for.
    codes: HashMap<ChainId, u128>,
}

/// Where a path goes on: before the instruction of this number.
type Point = (ChainId, Block, usize);

impl<'c, 'p, 'o> Follower<'c, 'p, 'o> {
    fn new(cx: &'c Context<'p>, objectives: &[Goal<'_>], oracle: &'o mut (dyn Oracle + Send)) -> Self {
        let mut follower = Follower {
            cx,
            oracle,
            ways: HashMap::new(),
            entries: HashMap::new(),
            labels: HashMap::new(),
            leading: BTreeSet::new(),
            near: HashMap::new(),
            own: HashMap::new(),
            codes: HashMap::new(),
            open: BTreeMap::new(),
            reached: BTreeSet::new(),
            stopped: None,
            count: objectives.len(),
            asked: 0,
            excluded: 0,
        };
        for (number, Goal { objective, code }) in objectives.iter().enumerate() {
            if let Some((function, code)) = *code {
                follower.codes.entry(function).or_default().push(code);
            }
            if let Some(why) = &objective.unmapped {
                follower.open.insert(number, format!("nobody knows where it is in the program: {why}"));
            }
            for place in &objective.places {
                let function = match *place {
                    Target::Edge(function, block, way) => {
                        follower.ways.entry((function, block, way)).or_default().push(number);
                        function
                    }
                    Target::Entry(function) => {
                        follower.entries.entry(function).or_default().push(number);
                        function
                    }
                    Target::Label(function, inst, _) => {
                        follower.labels.entry((function, inst)).or_default().push(number);
                        function
                    }
                };
                if let Some(why) = cx.chains.open.get(&function) {
                    follower.open.insert(number, format!("not all ways to it are shown: {why}"));
                }
            }
        }
        follower.lead();
        follower
    }

    /// Finds out what leads to an objective.
    fn lead(&mut self) {
        let program = self.cx.subject.program;
        let own = |id: FuncId| {
            self.entries.contains_key(&id)
                || self.ways.keys().any(|(function, ..)| *function == id)
                || self.labels.keys().any(|(function, _)| *function == id)
        };
        let mut leading: BTreeSet<FuncId> = program.functions.keys().filter(|&id| own(id)).collect();
        let calls = |id: FuncId| {
            let insts = program.functions[id].body.iter().flat_map(|body| body.insts.values());
            insts.filter_map(|data| match &data.op {
                Op::Call(call) => match call.callee {
                    Callee::Direct(callee) => Some(callee),
                    Callee::Indirect(_) => None,
                },
                _ => None,
            })
        };
        loop {
            let more: Vec<FuncId> = program
                .functions
                .keys()
                .filter(|id| !leading.contains(id) && calls(*id).any(|callee| leading.contains(&callee)))
                .collect();
            if more.is_empty() {
                break;
            }
            leading.extend(more);
        }
        for &id in &leading {
            let Some(body) = &program.functions[id].body else { continue };
            let is_own = |inst: &Inst| match &body.insts[*inst].op {
                Op::Label { .. } => self.labels.contains_key(&(id, *inst)),
                Op::Call(call) => match call.callee {
                    Callee::Direct(callee) => leading.contains(&callee),
                    // A pointer that is a constant.
                    Callee::Indirect(_) => true,
                },
                _ => false,
            };
            let own: BTreeSet<Inst> = body.insts.keys().filter(is_own).collect();
            let is_near = |block: &Block| {
                let data = &body.blocks[*block];
                let mut ways = (0..).take(data.term.edges().len());
                ways.any(|way| self.ways.contains_key(&(id, *block, way))) || data.insts.iter().any(|i| own.contains(i))
            };
            let mut near: BTreeSet<Block> = body.blocks.keys().filter(is_near).collect();
            loop {
                let leads =
                    |block: Block| body.blocks[block].term.edges().iter().any(|edge| near.contains(&edge.block));
                let more: Vec<Block> = body.blocks.keys().filter(|b| !near.contains(b) && leads(*b)).collect();
                if more.is_empty() {
                    break;
                }
                near.extend(more);
            }
            self.near.insert(id, near);
            self.own.insert(id, own);
        }
        self.leading = leading;
    }

    /// Whether an objective may come in this block or behind it, in this call or in those around it.
    fn leads_on(&self, chain: ChainId, block: Block) -> bool {
        let near = |chain: ChainId, block: Block| {
            let function = self.cx.chains.chain(chain).function;
            self.near.get(&function).is_some_and(|near| near.contains(&block))
        };
        // Behind a call: the rest of its block, its ways out and what they lead to.
        let behind = |chain: ChainId, call: Inst| {
            let function = self.cx.chains.chain(chain).function;
            let Some((block, at)) = self.cx.chains.shape(chain).place(call) else { return true };
            let data = &self.cx.chains.body(chain).blocks[block];
            let own = self.own.get(&function);
            data.insts.iter().skip(at + 1).any(|inst| own.is_some_and(|own| own.contains(inst)))
                || (0..)
                    .zip(data.term.edges())
                    .any(|(way, edge)| self.ways.contains_key(&(function, block, way)) || near(chain, edge.block))
        };
        let around = self.cx.chains.around(chain);
        near(chain, block) || around.into_iter().any(|(outer, call)| call.is_some_and(|call| behind(outer, call)))
    }

    fn found(&self) -> Vec<Found> {
        let one = |number: usize| match (self.open.get(&number), &self.stopped) {
            (Some(why), _) => Found::Open(why.clone()),
            (None, _) if self.reached.contains(&number) => Found::Reached,
            (None, Some(why)) => Found::Open(why.clone()),
            (None, None) => Found::Excluded(self.excluded),
        };
        (0..self.count).map(one).collect()
    }

    fn stop(&mut self, why: &str) {
        self.stopped.get_or_insert_with(|| why.to_owned());
    }

    /// Tells what is new since the last time.
    fn tell(&mut self, state: &mut State<'c, 'p>) {
        let text: String = state.lines.drain(..).map(|line| format!("{line}\n")).collect();
        self.oracle.tell(&text);
    }

    /// Whether inputs can take a path like this. Where nobody knows, nothing is claimed of any path.
    fn can_be(&mut self) -> bool {
        self.asked += 1;
        if self.asked > MOST {
            self.stop("there are too many paths");
            return false;
        }
        let can = self.oracle.can_be();
        if can.is_none() {
            // Others like it may need as long.
            self.stop("cvc5 did not answer in time");
        }
        self.excluded += usize::from(can == Some(false));
        can == Some(true)
    }

    /// An objective is here, and no input comes here; or else it is not excluded.
    fn target(&mut self, state: &State<'c, 'p>, numbers: &[usize]) {
        let mut open: Vec<String> = state.notes.iter().cloned().collect();
        if state.memory.is_some() {
            open.push("memory behind pointers may be anything".to_owned());
        }
        for &number in numbers {
            if open.is_empty() {
                self.reached.insert(number);
            } else {
                let why = format!(
                    "the independent encoding finds a way there, but does not know enough: {}",
                    open.join("; ")
                );
                self.open.entry(number).or_insert(why);
            }
        }
    }

    /// Follows a path from here to all its ends.
    fn path(&mut self, mut state: State<'c, 'p>, from: Point, mut behind: Way) {
        let mut point = from;
        loop {
            let (chain, block, at) = point;
            let body = self.cx.chains.body(chain);
            behind.length += body.blocks[block].insts.len() + 1;
            if behind.length > LONGEST {
                self.stop("a path is too long");
            }
            if self.stopped.is_some() || !self.leads_on(chain, block) {
                return;
            }
            point = match self.block(&mut state, chain, block, at) {
                None => return,
                Some(Next::Enter(next)) => {
                    behind.codes.insert(next.0, START);
                    next
                }
                Some(Next::End) => match &body.blocks[block].term {
                    Terminator::Return(values) => match self.come_back(&mut state, chain, values) {
                        Some(next) => next,
                        None => return,
                    },
                    Terminator::Jump(_)
                        if !self.ways.contains_key(&(self.cx.chains.chain(chain).function, block, 0)) =>
                    {
                        self.take(&mut state, chain, block, 0)
                    }
                    term => return self.split(state, (chain, block), term, &behind),
                },
            };
        }
    }

    /// The instructions of a block from one on. `None`: the path ends.
    fn block(&mut self, state: &mut State<'c, 'p>, chain: ChainId, block: Block, at: usize) -> Option<Next> {
        let body = self.cx.chains.body(chain);
        let function = self.cx.chains.chain(chain).function;
        let mut ghost_until = 0;
        for (number, &inst) in body.blocks[block].insts.iter().enumerate().skip(at) {
            state.ghost = number < ghost_until;
            match &body.insts[inst].op {
                Op::Ghost { insts, .. } => ghost_until = number + 1 + *insts as usize,
                Op::Label { cond, .. } => {
                    if let Some(numbers) = self.labels.get(&(function, inst)).cloned() {
                        let cond = is_true(state, chain, *cond);
                        self.tell(state);
                        self.oracle.tell(&format!("(push 1)\n(assert {cond})\n"));
                        if self.can_be() {
                            self.target(state, &numbers);
                        }
                        self.oracle.tell("(pop 1)\n");
                    }
                }
                Op::Call(call) => match self.cx.chains.effect(chain, inst) {
                    Effect::Expand(child) if self.is_left_out(child) => {
                        state.note("what a called function gives back may be anything");
                        any(state, chain, inst);
                    }
                    Effect::Expand(child) => {
                        let inner = self.cx.chains.body(child);
                        for (i, &param) in inner.params().iter().enumerate() {
                            let ty = inner.ty(param);
                            let value = match call.args.get(i) {
                                Some(&arg) if body.ty(arg) == ty => state.value(chain, arg),
                                _ => {
                                    state.note("an argument is not of the type that the function takes");
                                    state.fresh_bits(ty)
                                }
                            };
                            self.bind(state, child, param, value);
                        }
                        let callee = self.cx.chains.chain(child).function;
                        if let Some(numbers) = self.entries.get(&callee).cloned() {
                            self.tell(state);
                            if self.can_be() {
                                self.target(state, &numbers);
                            }
                        }
                        return Some(Next::Enter((child, Block::ENTRY, 0)));
                    }
                    effect => {
                        if !called(state, chain, inst, call, &effect) {
                            return None;
                        }
                    }
                },
                op => {
                    if !step(state, chain, inst, op) {
                        if !state.ghost {
                            return None;
                        }
                        any(state, chain, inst);
                    }
                }
            }
        }
        state.ghost = false;
        Some(Next::End)
    }

    /// Whether a call is not followed: a loop in a function that changes nothing says little of a local path around it.
    fn is_left_out(&self, child: ChainId) -> bool {
        let function = self.cx.chains.chain(child).function;
        !self.codes.is_empty() && !self.leading.contains(&function) && self.cx.chains.only_reads(function)
    }

    /// The ways out of a block, each with all that comes behind it.
    fn split(&mut self, mut state: State<'c, 'p>, (chain, block): (ChainId, Block), term: &Terminator, behind: &Way) {
        let ways = u32::try_from(term.edges().len()).unwrap_or(u32::MAX);
        let function = self.cx.chains.chain(chain).function;
        let conditions = conditions(&mut state, chain, term);
        self.tell(&mut state);
        for (way, condition) in (0..).zip(conditions) {
            let numbers = self.ways.get(&(function, block, way)).cloned();
            let target = term.edges().get(way as usize).map(|edge| edge.block);
            let leads = target.is_some_and(|target| self.leads_on(chain, target));
            if self.stopped.is_some() || (numbers.is_none() && !leads) {
                continue;
            }
            let mut behind = behind.clone();
            if let Some(codes) = self.codes.get(&function) {
                let code = extend(behind.codes.get(&chain).copied().unwrap_or(START), ways, way);
                if !codes.iter().any(|&whole| starts_with(whole, code)) {
                    continue;
                }
                behind.codes.insert(chain, code);
            }
            self.oracle.tell("(push 1)\n");
            if let Some(condition) = condition {
                self.oracle.tell(&format!("(assert {condition})\n"));
            }
            // A local path leads to its end or nowhere: there it is asked about.
            let local = numbers.is_none() && self.codes.contains_key(&function);
            if local || self.can_be() {
                if let Some(numbers) = numbers {
                    self.target(&state, &numbers);
                }
                let mut taken = state.clone();
                let next = self.take(&mut taken, chain, block, way);
                self.path(taken, next, behind);
            }
            self.oracle.tell("(pop 1)\n");
        }
    }

    fn take(&mut self, state: &mut State<'c, 'p>, chain: ChainId, block: Block, way: u32) -> Point {
        let body = self.cx.chains.body(chain);
        let edges = body.blocks[block].term.edges();
        let Some(edge) = edges.get(way as usize) else { return (chain, block, usize::MAX) };
        let values: Vec<Val> = edge.args.iter().map(|&arg| state.value(chain, arg)).collect();
        for (&param, value) in body.blocks[edge.block].params.iter().zip(values) {
            self.bind(state, chain, param, value);
        }
        (chain, edge.block, 0)
    }

    fn bind(&self, state: &mut State<'c, 'p>, chain: ChainId, to: Value, value: Val) {
        let value = match (self.cx.objects.kind(chain, to), value) {
            (Kind::Plain, Val::Into(..)) => state.fresh_bits(Type::Ptr),
            (_, value) => value,
        };
        state.set(chain, to, value);
    }

    fn come_back(&mut self, state: &mut State<'c, 'p>, chain: ChainId, values: &[Value]) -> Option<Point> {
        let (caller, inst) = self.cx.chains.chain(chain).caller?;
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
            self.bind(state, caller, result, value);
        }
        let (block, at) = self.cx.chains.shape(caller).place(inst)?;
        Some((caller, block, at + 1))
    }
}

/// Whether a local path begins like this. A path that is too long to be remembered is none that is asked for.
fn starts_with(whole: u128, code: u128) -> bool {
    code != 0 && (0..u128::BITS).any(|bits| whole >> bits == code)
}

/// What comes behind the instructions of a block.
enum Next {
    /// A call.
    Enter(Point),
    /// Its end.
    End,
}
