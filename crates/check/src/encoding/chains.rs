//! Calls: which of them are expanded in place, and what all others do.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use covenant_program::analysis::Loops;
use covenant_program::analysis::part_used_of_call;
use covenant_program::ir::{
    Body, CallData, Callee, Const, Def, FuncId, Function, Global, Inst, Intrinsic, Op, Origin, Symbol, Value,
};
use covenant_program::world::{allocates, is_determined, is_determined_for, is_harness};

use super::Subject;
use super::shape::Shape;

/// Intrinsics that read or write behind their arguments and keep none of them.
pub(super) fn takes_addresses(op: Intrinsic) -> bool {
    matches!(
        op,
        Intrinsic::MemCpy
            | Intrinsic::MemMove
            | Intrinsic::MemSet
            | Intrinsic::VaStart
            | Intrinsic::VaEnd
            | Intrinsic::VaCopy
            | Intrinsic::BadAccess
            | Intrinsic::Peek
    )
}

/// A function reached through one chain of calls.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct ChainId(pub(super) u32);

#[derive(Clone, Copy, Debug)]
pub(super) struct Chain {
    pub(super) function: FuncId,
    pub(super) caller: Option<(ChainId, Inst)>,
}

/// What a call does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Effect {
    /// Walks go on inside.
    Expand(ChainId),
    /// The run ends.
    Ends,
    /// It gives any value and changes nothing.
    Any,
    /// The same, of the user's own making: it may give back what it was given.
    Stub,
    /// As [`Effect::Any`], and knowing more would be possible.
    Value(String),
    /// It gives null or the address of something new.
    Allocates,
    /// What its first argument points to is anything from now on.
    Input,
    /// The run goes on only if its first argument is not zero.
    Assume,
    /// As the intrinsics of these names, with the target as the result.
    Copy,
    Fill,
    /// It gives anything and does anything to what others than the function can know of.
    Unknown(String),
}

/// How often a function may be on one chain: the form of certificates says so.
const RECURSION: usize = 3; // not tuning: the form of certificates
const DEEPEST: usize = 60; // not tuning: the form of certificates
/// More calls are not expanded: whoever wants to know would wait too long.
const MOST: usize = 4_000; // not tuning: a size
/// Instructions of a function of the library with all that it calls, up to which it is expanded.
const SMALL: usize = 240; // not tuning: a size

/// The calls of a program, expanded.
#[derive(Debug)]
pub(super) struct Chains<'p> {
    pub(super) subject: &'p Subject<'p>,
    pub(super) all: Vec<Chain>,
    effects: HashMap<(ChainId, Inst), Effect>,
    /// Functions that are called in ways which the chains do not show, and why.
    pub(super) open: BTreeMap<FuncId, String>,
    shapes: HashMap<FuncId, Rc<Shape>>,
    /// Functions whose address is somewhere.
    pointed: BTreeSet<FuncId>,
}

impl<'p> Chains<'p> {
    /// `Err`: what is in the program that has no chains.
    pub(super) fn new(subject: &'p Subject<'p>) -> Result<Chains<'p>, String> {
        let program = subject.program;
        if !program.constructors.is_empty() || !program.destructors.is_empty() {
            return Err("the program has constructors or destructors".to_owned());
        }
        let mut chains = Chains {
            subject,
            all: vec![Chain { function: subject.entry, caller: None }],
            effects: HashMap::new(),
            open: BTreeMap::new(),
            shapes: HashMap::new(),
            pointed: pointed(subject),
        };
        let mut next = 0;
        while next < chains.all.len() {
            if chains.all.len() > MOST {
                return Err("the program with its calls expanded is too large".to_owned());
            }
            chains.calls_of(ChainId(next as u32))?;
            next += 1;
        }
        Ok(chains)
    }

    pub(super) fn chain(&self, id: ChainId) -> Chain {
        self.all[id.0 as usize]
    }

    pub(super) fn function(&self, id: ChainId) -> &'p Function {
        &self.subject.program.functions[self.chain(id).function]
    }

    /// The body of a chain's function. Only functions with one are expanded.
    pub(super) fn body(&self, id: ChainId) -> &'p Body {
        static NONE: std::sync::LazyLock<Body> = std::sync::LazyLock::new(Body::new);
        self.function(id).body.as_ref().unwrap_or(&NONE)
    }

    pub(super) fn shape(&self, id: ChainId) -> Rc<Shape> {
        let function = self.chain(id).function;
        self.shapes.get(&function).cloned().unwrap_or_else(|| Rc::new(Shape::new(self.body(id))))
    }

    pub(super) fn effect(&self, chain: ChainId, inst: Inst) -> Effect {
        let unknown = || Effect::Unknown("a call that was not looked at".to_owned());
        self.effects.get(&(chain, inst)).cloned().unwrap_or_else(unknown)
    }

    /// The chain and those around it, the innermost first, each with the call that leads on.
    pub(super) fn around(&self, id: ChainId) -> Vec<(ChainId, Option<Inst>)> {
        let (mut all, mut at) = (vec![(id, None)], id);
        while let Some((caller, inst)) = self.chain(at).caller {
            all.push((caller, Some(inst)));
            at = caller;
        }
        all
    }

    /// The name of a chain in certificates.
    pub(super) fn name(&self, id: ChainId) -> String {
        let mut parts: Vec<String> = Vec::new();
        for (chain, call) in self.around(id) {
            let name = plain(&self.function(chain).name);
            parts.push(call.map_or_else(|| name.clone(), |inst| format!("{name}/{inst}")));
        }
        parts.reverse();
        parts.join(">")
    }

    fn calls_of(&mut self, id: ChainId) -> Result<(), String> {
        let (function, body) = (self.chain(id).function, self.body(id));
        let shape = Rc::clone(self.shapes.entry(function).or_insert_with(|| Rc::new(Shape::new(body))));
        for (block, data) in body.blocks.iter().filter(|(block, _)| shape.is_reachable(*block)) {
            for &inst in &data.insts {
                let Op::Call(call) = &body.insts[inst].op else { continue };
                let effect = self.effect_of(id, inst, call, body).map_err(|why| format!("{why} ({block})"))?;
                self.effects.insert((id, inst), effect);
            }
        }
        Ok(())
    }

    fn effect_of(&mut self, id: ChainId, inst: Inst, call: &CallData, body: &Body) -> Result<Effect, String> {
        let callee = match call.callee {
            Callee::Direct(callee) => callee,
            Callee::Indirect(pointer) => match body.constant(pointer) {
                Some(Const::Func(callee)) => callee,
                _ => return Ok(self.call_through_pointer()),
            },
        };
        let subject = self.subject;
        let function = &subject.program.functions[callee];
        let name = function.name.as_str();
        if ["setjmp", "longjmp"].iter().any(|jump| name.trim_start_matches(['_', 's', 'i', 'g']).ends_with(jump)) {
            return Err("the program jumps between functions".to_owned());
        }
        if function.body.is_none() || allocates(name) {
            return Ok(self.by_name(function, call, body));
        }
        if function.origin == Origin::Library {
            if matches!(name, "exit" | "_Exit" | "_exit" | "quick_exit" | "abort" | "__assert_fail") {
                return Ok(Effect::Ends);
            }
            if prints(subject, name, call, body) {
                return Ok(Effect::Any);
            }
            let by_library = self.function(id).origin == Origin::Library;
            let registers = matches!(name, "atexit" | "at_quick_exit" | "on_exit" | "signal" | "sigaction");
            // What C leaves open of a result is any number, where somebody looks at it.
            if !by_library && is_determined(name) && !is_determined_for(name, part_used_of_call(body, inst)) {
                return Ok(Effect::Any);
            }
            let certain = (by_library || is_determined(name)) && !registers && !function.variadic;
            if !certain || self.size(callee) > SMALL {
                return Ok(self.unknown(format!("`{name}` of the library may do anything")));
            }
        }
        let around = self.around(id);
        let times = around.iter().filter(|(c, _)| self.chain(*c).function == callee).count();
        if times >= RECURSION || around.len() > DEEPEST {
            let why = format!("calls of `{}` are expanded {RECURSION} deep only", function.source_name());
            for reached in self.reach(callee) {
                self.open.entry(reached).or_insert_with(|| why.clone());
            }
            return Ok(self.unknown(why));
        }
        let child = ChainId(self.all.len() as u32);
        self.all.push(Chain { function: callee, caller: Some((id, inst)) });
        Ok(Effect::Expand(child))
    }

    /// A function without a body: one that runs know by its name, or one that nobody has.
    fn by_name(&mut self, function: &Function, call: &CallData, body: &Body) -> Effect {
        let name = function.name.as_str();
        let writes_nothing = self.subject.harmless.contains(name) && function.source.returned_in_memory.is_none();
        let known = function.origin == Origin::Library || !writes_nothing;
        match name {
            _ if !known => Effect::Stub,
            "__covenant_exit"
            | "__covenant_abort"
            | "__covenant_assert_fail"
            | "__covenant_killed"
            | "reach_error"
            | "__VERIFIER_error" => Effect::Ends,
            "__covenant_free" | "__covenant_close" | "__covenant_result" | "__covenant_length" | "__covenant_write"
            | "__covenant_fails" | "__covenant_bound" | "__covenant_given" | "__covenant_named" | "__covenant_file"
            | "__covenant_unsure" => Effect::Any,
            "__covenant_input" | "klee_make_symbolic" => Effect::Input,
            "__covenant_assume" | "__VERIFIER_assume" | "klee_assume" => Effect::Assume,
            "memcpy" | "memmove" => Effect::Copy,
            "memset" => Effect::Fill,
            "malloc" | "__covenant_alloc" => Effect::Allocates,
            _ if name.starts_with("CREST_") || name.starts_with("__Crest") => Effect::Input,
            _ if name.starts_with("__covenant_") || allocates(name) => {
                self.unknown(format!("`{name}` of the library may do anything"))
            }
            _ if is_harness(name) => Effect::Any,
            _ if is_determined(name) && !call.args.iter().any(|&arg| body.ty(arg).is_ptr()) => {
                Effect::Value(format!("`{name}` may give anything"))
            }
            _ => self.unknown(format!("`{name}`, which nothing defines, may do anything")),
        }
    }

    /// Code that nobody knows may call whatever it can have the address of.
    fn unknown(&mut self, why: String) -> Effect {
        for function in self.pointed.clone() {
            self.open_behind(function, "it may be called by code that is no part of the program");
        }
        Effect::Unknown(why)
    }

    /// A pointer may mean each function that a caller can name or that has its address taken.
    fn call_through_pointer(&mut self) -> Effect {
        let named = |(id, f): (FuncId, &Function)| (f.body.is_some() && !f.source.internal).then_some(id);
        let all: Vec<FuncId> = self.subject.program.functions.iter().filter_map(named).collect();
        for function in all.into_iter().chain(self.pointed.clone()) {
            self.open_behind(function, "it may be called through a pointer");
        }
        Effect::Unknown("a call through a pointer may do anything".to_owned())
    }

    fn open_behind(&mut self, function: FuncId, why: &str) {
        if self.open.contains_key(&function) {
            return;
        }
        for reached in self.reach(function) {
            self.open.entry(reached).or_insert_with(|| why.to_owned());
        }
    }

    /// What a call of the function may lead to.
    fn reach(&self, function: FuncId) -> BTreeSet<FuncId> {
        let (mut seen, mut work) = (BTreeSet::from([function]), vec![function]);
        while let Some(at) = work.pop() {
            let Some(body) = &self.subject.program.functions[at].body else { continue };
            for data in body.insts.values() {
                let Op::Call(call) = &data.op else { continue };
                let callees: Vec<FuncId> = match call.callee {
                    Callee::Direct(callee) => vec![callee],
                    Callee::Indirect(_) => self.pointed.iter().copied().collect(),
                };
                work.extend(callees.into_iter().filter(|callee| seen.insert(*callee)));
            }
        }
        seen
    }

    /// Whether a call of the function has a loop in it and changes nothing that anybody else can see.
    pub(super) fn only_reads(&self, function: FuncId) -> bool {
        let functions = &self.subject.program.functions;
        let mut loops = false;
        for id in self.reach(function) {
            let Some(body) = &functions[id].body else { return false };
            loops |= !Loops::new(body).is_empty();
            let harmless = |op: &Op| match op {
                Op::Store { .. } | Op::Unsupported { .. } | Op::Alloca { .. } => false,
                Op::Call(call) => matches!(call.callee, Callee::Direct(_)),
                Op::Intrinsic { op, .. } => !takes_addresses(*op) || *op == Intrinsic::Peek,
                _ => true,
            };
            if !body.insts.values().all(|data| harmless(&data.op)) {
                return false;
            }
        }
        loops
    }

    /// Instructions of a function and of all that it calls; endless where a pointer is called.
    fn size(&self, function: FuncId) -> usize {
        let bodies = self.reach(function).into_iter().filter_map(|id| self.subject.program.functions[id].body.as_ref());
        let pointers = |data: &covenant_program::ir::InstData| matches!(&data.op, Op::Call(call) if matches!(call.callee, Callee::Indirect(_)));
        bodies
            .map(|body| if body.insts.values().any(pointers) { usize::MAX / 2 } else { body.insts.len() })
            .fold(0, usize::saturating_add)
    }
}

/// A symbol as certificates write it.
pub(super) fn plain(name: &str) -> String {
    name.chars().map(|c| if c == '"' || c.is_whitespace() || c.is_control() { '_' } else { c }).collect()
}

/// Functions whose address is an operand of something or in a global.
fn pointed(subject: &Subject<'_>) -> BTreeSet<FuncId> {
    let mut all = BTreeSet::new();
    for body in subject.program.functions.values().filter_map(|f| f.body.as_ref()) {
        all.extend(body.values.values().filter_map(|data| match data.def {
            Def::Const(Const::Func(function)) => Some(function),
            _ => None,
        }));
    }
    let symbols = |global: &Global| global.relocs.iter().flat_map(|r| [Some(r.symbol), r.minus]).collect::<Vec<_>>();
    for symbol in subject.program.globals.values().flat_map(symbols).flatten() {
        if let Symbol::Func(function) = symbol {
            all.insert(function);
        }
    }
    all.retain(|&id| subject.program.functions[id].origin == Origin::Subject);
    all
}

/// Whether the call prints and does nothing else that the program can see but the result.
fn prints(subject: &Subject<'_>, name: &str, call: &CallData, body: &Body) -> bool {
    let format = match name {
        "puts" | "putchar" | "perror" | "fflush" | "fputs" | "fputc" | "putc" => return true,
        "printf" => call.args.first(),
        "fprintf" => call.args.get(1),
        _ => return false,
    };
    let text = format.and_then(|&format| literal(subject, body, format));
    text.is_some_and(|text| !writes(&text))
}

fn literal(subject: &Subject<'_>, body: &Body, value: Value) -> Option<Vec<u8>> {
    let Some(Const::Global(global, offset)) = body.constant(value) else { return None };
    let global = &subject.program.globals[global];
    let bytes = global.init.as_ref().filter(|_| global.constant)?.get(usize::try_from(offset).ok()?..)?;
    Some(bytes.iter().copied().take_while(|&byte| byte != 0).collect())
}

/// Whether a format has a conversion that stores a count.
fn writes(format: &[u8]) -> bool {
    let mut parts = format.split(|&byte| byte == b'%').skip(1);
    parts.any(|part| part.iter().find(|byte| !b"#0- +'*.123456789hlLjztq$".contains(byte)) == Some(&b'n'))
}
