//! Values at a point of a walk. What the walk computed is there by name; what was there before it began is what its
//! definition says where SSA says so, and else a constant of which nothing is known.

use std::collections::{BTreeSet, HashMap, HashSet};

use covenant_program::ir::{Block, Const, Def, IntCmp, Loc, Op, Type, Value};

use super::chains::{ChainId, Chains};
use super::form::{Meant, Place, Spot, Variable};
use super::memory::Bytes;
use super::objects::{Kind, Object, Objects};
use super::ops::{self, Meaning};
use super::shape::Point;
use super::{FIRST_ADDRESS, Subject};

/// The program with its calls and objects.
#[derive(Debug)]
pub(super) struct Context<'p> {
    pub(super) subject: &'p Subject<'p>,
    pub(super) chains: Chains<'p>,
    pub(super) objects: Objects,
}

impl Context<'_> {
    /// A place as people know it.
    pub(super) fn words(&self, (chain, spot): Place) -> String {
        let chains = &self.chains;
        if (chain, spot) == (ChainId(0), Spot::Start) {
            return "the start".to_owned();
        }
        let (body, function) = (chains.body(chain), chains.function(chain));
        let of = |block: Block| {
            let data = &body.blocks[block];
            data.insts.first().map_or(data.term_loc, |&inst| body.insts[inst].loc)
        };
        let loc: Loc = match spot {
            Spot::Start => function.loc,
            Spot::Block(block) => of(block),
            Spot::Way(block, _) => body.blocks[block].term_loc,
            Spot::After(inst) => body.insts[inst].loc,
        };
        let file = loc.file().and_then(|file| self.subject.program.files.get(file));
        let name = file.map_or("an unknown line", |f| f.name.rsplit('/').next().unwrap_or(&f.name));
        let line = if file.is_some() && loc.line > 0 { format!("{name}:{}", loc.line) } else { name.to_owned() };
        format!("{line} in {}", function.source_name())
    }
}

/// Bits of a known width, or a float where the type says so.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Bits {
    Known(u128),
    Text(String),
}

/// What a value is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Val {
    Bits(Bits),
    /// An address in an object that did not get out, by its distance from the start.
    Into(Object, Bits),
}

impl Bits {
    pub(super) fn text(&self, ty: Type) -> String {
        match self {
            Bits::Known(bits) => ops::constant(*bits, ty),
            Bits::Text(text) => text.clone(),
        }
    }
}

/// A walk so far.
#[derive(Clone, Debug)]
pub(super) struct State<'c, 'p> {
    pub(super) cx: &'c Context<'p>,
    /// Where it began.
    pub(super) from: Place,
    /// Declarations, definitions and assertions, in the order of the walk.
    pub(super) lines: Vec<String>,
    declared: HashSet<String>,
    now: HashMap<(ChainId, Value), Val>,
    before: HashMap<(ChainId, Value), Val>,
    pub(super) bytes: HashMap<Object, Bytes>,
    /// The array of all other memory.
    pub(super) memory: Option<String>,
    /// What the encoding knows less of than the IR says.
    pub(super) notes: BTreeSet<String>,
    /// Whether nothing that a run does is happening: the walk is inside a group for labels.
    pub(super) ghost: bool,
    pub(super) is_root: bool,
    names: usize,
}

impl<'c, 'p> State<'c, 'p> {
    pub(super) fn new(cx: &'c Context<'p>, from: Place, is_root: bool) -> State<'c, 'p> {
        State {
            cx,
            from,
            lines: Vec::new(),
            declared: HashSet::new(),
            now: HashMap::new(),
            before: HashMap::new(),
            bytes: HashMap::new(),
            memory: None,
            notes: BTreeSet::new(),
            ghost: false,
            is_root,
            names: 0,
        }
    }

    pub(super) fn note(&mut self, words: &str) {
        if !self.notes.contains(words) {
            self.notes.insert(words.to_owned());
        }
    }

    pub(super) fn assert(&mut self, condition: &str) {
        if !self.ghost {
            self.lines.push(format!("(assert {condition})"));
        }
    }

    /// A name that is used nowhere else.
    fn name(&mut self) -> String {
        self.names += 1;
        format!("w{}", self.names)
    }

    /// A name for a text.
    pub(super) fn define(&mut self, sort: &str, text: &str) -> String {
        let name = self.name();
        self.lines.push(format!("(define-fun {name} () {sort} {text})"));
        name
    }

    /// A constant of this name, the same whenever it is asked for.
    pub(super) fn declare(&mut self, name: String, sort: &str) -> String {
        if self.declared.insert(name.clone()) {
            self.lines.push(format!("(declare-const {name} {sort})"));
        }
        name
    }

    /// Something new of which nothing is known.
    pub(super) fn fresh(&mut self, sort: &str) -> String {
        let name = self.name();
        self.lines.push(format!("(declare-const {name} {sort})"));
        name
    }

    pub(super) fn fresh_bits(&mut self, ty: Type) -> Val {
        Val::Bits(Bits::Text(self.fresh(&ops::sort(ty))))
    }

    pub(super) fn set(&mut self, chain: ChainId, value: Value, to: Val) {
        self.now.insert((chain, value), to);
    }

    /// What a value is now.
    pub(super) fn value(&mut self, chain: ChainId, value: Value) -> Val {
        if let Some(constant) = self.constant(chain, value) {
            return constant;
        }
        match self.now.get(&(chain, value)) {
            Some(known) => known.clone(),
            None => self.before(chain, value),
        }
    }

    fn constant(&mut self, chain: ChainId, value: Value) -> Option<Val> {
        let data = self.cx.chains.body(chain).values[value];
        let Def::Const(constant) = data.def else { return None };
        Some(match constant {
            Const::Bits(bits) => Val::Bits(Bits::Known(bits)),
            Const::Global(global, offset) => {
                let object = Object::Global(global);
                if self.cx.objects.got_out(object) {
                    let base = self.address(object);
                    let by = ops::literal(offset as u64 as u128, 64);
                    Val::Bits(Bits::Text(format!("(bvadd {base} {by})")))
                } else {
                    Val::Into(object, Bits::Known(u128::from(offset as u64)))
                }
            }
            Const::Func(function) => Val::Bits(Bits::Text(self.fixed(format!("f{}", function.as_u32())))),
            Const::Label(function, block) => {
                let name = format!("f{}_bb{}", function.as_u32(), block.as_u32());
                Val::Bits(Bits::Text(self.fixed(name)))
            }
            Const::Undef => self.fresh_bits(data.ty),
        })
    }

    /// An address that does not change, and that nobody here knows more of than that it is one.
    fn fixed(&mut self, name: String) -> String {
        let name = format!("a_{name}");
        if !self.declared.contains(&name) {
            self.declare(name.clone(), "(_ BitVec 64)");
            self.lines.push(format!("(assert (bvuge {name} {}))", ops::literal(FIRST_ADDRESS, 64)));
        }
        self.note("addresses are anything");
        name
    }

    /// Where an object is that got out.
    pub(super) fn address(&mut self, object: Object) -> String {
        match object {
            Object::Global(global) => self.fixed(format!("g{}", global.as_u32())),
            Object::Local(chain, value) => match self.value(chain, value) {
                Val::Bits(bits) => bits.text(Type::Ptr),
                Val::Into(_, offset) => offset.text(Type::Ptr),
            },
        }
    }

    /// What the value was when the walk began.
    fn before(&mut self, chain: ChainId, value: Value) -> Val {
        if let Some(constant) = self.constant(chain, value) {
            return constant;
        }
        if let Some(known) = self.before.get(&(chain, value)) {
            return known.clone();
        }
        let equation = if self.is_known(chain, value) { self.equation(chain, value) } else { None };
        let found = equation.unwrap_or_else(|| self.open(chain, value));
        self.before.insert((chain, value), found.clone());
        found
    }

    /// A value of which nothing is known but which object it points into.
    fn open(&mut self, chain: ChainId, value: Value) -> Val {
        let name = format!("c{}_v{}", chain.0, value.as_u32());
        match self.cx.objects.kind(chain, value) {
            Kind::Into(object, Some(offset)) => Val::Into(object, Bits::Known(u128::from(offset))),
            Kind::Into(object, None) => {
                Val::Into(object, Bits::Text(self.declare(format!("{name}_o"), "(_ BitVec 64)")))
            }
            Kind::Plain => {
                let sort = ops::sort(self.cx.chains.body(chain).ty(value));
                Val::Bits(Bits::Text(self.declare(name, &sort)))
            }
        }
    }

    /// Whether the value is the one that SSA means where the walk began.
    fn is_known(&self, chain: ChainId, value: Value) -> bool {
        let (home, spot) = self.from;
        let chains = &self.cx.chains;
        let Some((_, call)) = chains.around(home).into_iter().find(|(id, _)| *id == chain) else { return false };
        let shape = chains.shape(chain);
        let point: Option<Point> = match (call, spot) {
            (Some(call), _) => shape.place(call),
            (None, Spot::Start) => Some((Block::ENTRY, 0)),
            (None, Spot::Block(block)) => Some((block, 0)),
            (None, Spot::Way(block, _)) => Some((block, usize::MAX)),
            (None, Spot::After(inst)) => shape.place(inst).map(|(block, at)| (block, at + 1)),
        };
        point.is_some_and(|point| shape.is_known(chains.body(chain), value, point))
    }

    /// What the definition of a value says, over what was there when the walk began.
    fn equation(&mut self, chain: ChainId, value: Value) -> Option<Val> {
        let chains = &self.cx.chains;
        let body = chains.body(chain);
        match body.values[value].def {
            Def::Const(_) => None,
            Def::Param { block: Block::ENTRY, index } => {
                let (caller, inst) = chains.chain(chain).caller?;
                let Op::Call(call) = &chains.body(caller).insts[inst].op else { return None };
                let &arg = call.args.get(index as usize)?;
                (chains.body(caller).ty(arg) == body.ty(value)).then(|| self.before(caller, arg))
            }
            Def::Param { block, index } => {
                let (from, way) = chains.shape(chain).only_way(block)?;
                let edges = body.blocks[from].term.edges();
                let &arg = edges.get(way as usize)?.args.get(index as usize)?;
                Some(self.before(chain, arg))
            }
            Def::Result { inst, index } => {
                let op = &body.insts[inst].op;
                // What does not depend on operands alone is as it was found.
                let pure = match op {
                    Op::Intrinsic { op, .. } => !super::chains::takes_addresses(*op),
                    Op::Unary { .. } | Op::Binary { .. } | Op::IntCmp { .. } | Op::FloatCmp { .. } => true,
                    Op::Cast { .. } | Op::Select { .. } | Op::PtrAdd { .. } => true,
                    _ => false,
                };
                if !pure {
                    return None;
                }
                let args = op.operands().into_iter().map(|arg| (self.before(chain, arg), body.ty(arg))).collect();
                let elsewhere = format!("c{}_v{}_e", chain.0, value.as_u32());
                self.computed(op, args, body.ty(value), index as usize, Some(elsewhere))
            }
        }
    }

    /// The result of an operation; `None`: it can be anything. `elsewhere` names what it gives where C says nothing.
    pub(super) fn computed(
        &mut self,
        op: &Op,
        args: Vec<(Val, Type)>,
        ty: Type,
        result: usize,
        elsewhere: Option<String>,
    ) -> Option<Val> {
        if let Some(known) = self.about_objects(op, &args) {
            return known;
        }
        if let Op::PtrAdd { scale, disp, index, .. } = op {
            let [(base, _), rest @ ..] = args.as_slice() else { return None };
            let index = index.expand().and_then(|_| rest.first()).map(|(index, _)| index.clone());
            let distance = distance(index, *scale, *disp)?;
            return Some(match base {
                Val::Into(object, offset) => Val::Into(*object, self.sum(offset, &distance)),
                Val::Bits(address) => Val::Bits(self.sum(address, &distance)),
            });
        }
        let bits: Option<Vec<(Bits, Type)>> = args
            .into_iter()
            .map(|(val, ty)| match val {
                Val::Bits(bits) => Some((bits, ty)),
                Val::Into(..) => None,
            })
            .collect();
        let bits = bits?;
        if let Some(known) = folded(op, &bits, ty) {
            return Some(Val::Bits(Bits::Known(known)));
        }
        let texts: Vec<ops::Arg> = bits.iter().map(|(bits, ty)| (bits.text(*ty), *ty)).collect();
        let Some(Meaning { text, valid }) = ops::meaning(op, &texts, ty, result) else {
            self.note("an operation has no text in SMT-LIB and may give anything");
            return None;
        };
        let sort = ops::sort(ty);
        let text = match valid {
            None => text,
            Some(valid) => {
                let any = match elsewhere {
                    Some(name) => self.declare(name, &sort),
                    None => self.fresh(&sort),
                };
                format!("(ite {valid} {text} {any})")
            }
        };
        Some(Val::Bits(Bits::Text(self.define(&sort, &text))))
    }

    /// Operations on addresses in objects of their own. `Some(None)`: they may give anything.
    fn about_objects(&mut self, op: &Op, args: &[(Val, Type)]) -> Option<Option<Val>> {
        let truth = |yes: bool| Some(Some(Val::Bits(Bits::Known(u128::from(yes)))));
        match (op, args) {
            (Op::IntCmp { cmp, .. }, [(Val::Into(a, x), _), (Val::Into(b, y), _)]) if a == b => {
                // In one object addresses are in the order of their distances, which may be negative.
                let cmp = match cmp {
                    IntCmp::Ult => IntCmp::Slt,
                    IntCmp::Ule => IntCmp::Sle,
                    IntCmp::Ugt => IntCmp::Sgt,
                    IntCmp::Uge => IntCmp::Sge,
                    &cmp => cmp,
                };
                let condition = ops::int_cmp(cmp, &x.text(Type::Ptr), &y.text(Type::Ptr));
                let text = self.define("(_ BitVec 1)", &format!("(ite {condition} #b1 #b0)"));
                Some(Some(Val::Bits(Bits::Text(text))))
            }
            (Op::IntCmp { cmp, .. }, [(Val::Into(..), _), _] | [_, (Val::Into(..), _)]) => match cmp {
                // Null is no object, and nobody else has the address of one that did not get out.
                IntCmp::Eq => truth(false),
                IntCmp::Ne => truth(true),
                _ => {
                    self.note("the order of two objects is anything");
                    Some(None)
                }
            },
            (Op::Select { .. }, [(cond, _), (Val::Into(a, x), _), (Val::Into(b, y), _)]) if a == b => {
                let Val::Bits(cond) = cond else { return Some(None) };
                let (cond, x, y) = (cond.text(Type::BOOL), x.text(Type::Ptr), y.text(Type::Ptr));
                let text = self.define("(_ BitVec 64)", &format!("(ite (= {cond} #b1) {x} {y})"));
                Some(Some(Val::Into(*a, Bits::Text(text))))
            }
            (Op::Cast { .. }, [(Val::Into(object, offset), Type::Ptr | Type::Ptr32)]) => {
                Some(Some(Val::Into(*object, offset.clone())))
            }
            _ => None,
        }
    }

    /// A sum of two numbers of 64 bits.
    pub(super) fn sum(&mut self, a: &Bits, b: &Bits) -> Bits {
        match (a, b) {
            (Bits::Known(a), Bits::Known(b)) => Bits::Known(a.wrapping_add(*b) & u128::from(u64::MAX)),
            (a, Bits::Known(0)) => a.clone(),
            (a, b) => {
                let text = format!("(bvadd {} {})", a.text(Type::Ptr), b.text(Type::Ptr));
                Bits::Text(self.define("(_ BitVec 64)", &text))
            }
        }
    }

    /// What a variable of a formula is now. `Err`: why it is nothing here.
    pub(super) fn variable(&mut self, variable: &Variable) -> Result<String, String> {
        let fits = |sort: &str| {
            if variable.sort == sort { Ok(()) } else { Err(format!("it has the sort {sort}, not {}", variable.sort)) }
        };
        match variable.meant {
            Meant::Value(chain, value) => {
                let ty = self.cx.chains.body(chain).ty(value);
                let Val::Bits(bits) = self.value(chain, value) else {
                    return Err("it is an address in an object here, and no number".to_owned());
                };
                if ty == Type::BOOL && variable.sort == "Bool" {
                    return Ok(format!("(= {} #b1)", bits.text(ty)));
                }
                fits(&ops::sort(ty))?;
                Ok(bits.text(ty))
            }
            Meant::Offset(chain, value, object) => {
                fits("(_ BitVec 64)")?;
                match self.value(chain, value) {
                    Val::Into(into, offset) if into == object => Ok(offset.text(Type::Ptr)),
                    _ => Err("it does not always point into that object here".to_owned()),
                }
            }
            Meant::Cell(object, offset, size) => {
                fits(&format!("(_ BitVec {})", 8 * size))?;
                self.cell(object, offset, size)
            }
            Meant::Bytes(object) => {
                fits(super::memory::ARRAY)?;
                self.whole(object)
            }
            Meant::Memory => {
                fits(super::memory::ARRAY)?;
                Ok(self.outer())
            }
        }
    }
}

/// `index * scale + disp`
fn distance(index: Option<Val>, scale: i64, disp: i64) -> Option<Bits> {
    let wide = |number: i64| u128::from(number as u64);
    match index {
        None => Some(Bits::Known(wide(disp))),
        Some(Val::Bits(Bits::Known(index))) => {
            Some(Bits::Known(wide((index as u64 as i64).wrapping_mul(scale).wrapping_add(disp))))
        }
        Some(Val::Bits(Bits::Text(index))) => {
            let (scale, disp) = (ops::literal(wide(scale), 64), ops::literal(wide(disp), 64));
            Some(Bits::Text(format!("(bvadd (bvmul {index} {scale}) {disp})")))
        }
        Some(Val::Into(..)) => None,
    }
}

/// Numbers that are plain to see, which offsets are often made of.
fn folded(op: &Op, args: &[(Bits, Type)], ty: Type) -> Option<u128> {
    use covenant_program::ir::CastOp;
    let mask = |bits: u128, width: u32| if width >= 128 { bits } else { bits & ((1 << width) - 1) };
    match (op, args) {
        (Op::Cast { op: CastOp::Trunc | CastOp::ZExt, .. }, [(Bits::Known(a), _)]) => Some(mask(*a, ty.bits())),
        (Op::Cast { op: CastOp::SExt, .. }, [(Bits::Known(a), from)]) => {
            let negative = a >> (from.bits() - 1) & 1 == 1;
            Some(mask(if negative { a | !mask(u128::MAX, from.bits()) } else { *a }, ty.bits()))
        }
        _ => None,
    }
}
