//! Random programs that keep every invariant, made from a stream of choices so that a failing one shrinks.

use cranelift_entity::packed_option::PackedOption;
use smallvec::SmallVec;

use crate::ir::*;

const INT_CMPS: [IntCmp; 10] = [
    IntCmp::Eq,
    IntCmp::Ne,
    IntCmp::Ult,
    IntCmp::Ule,
    IntCmp::Ugt,
    IntCmp::Uge,
    IntCmp::Slt,
    IntCmp::Sle,
    IntCmp::Sgt,
    IntCmp::Sge,
];
const FLOAT_CMPS: [FloatCmp; 14] = [
    FloatCmp::Oeq,
    FloatCmp::Ogt,
    FloatCmp::Oge,
    FloatCmp::Olt,
    FloatCmp::Ole,
    FloatCmp::One,
    FloatCmp::Ord,
    FloatCmp::Ueq,
    FloatCmp::Ugt,
    FloatCmp::Uge,
    FloatCmp::Ult,
    FloatCmp::Ule,
    FloatCmp::Une,
    FloatCmp::Uno,
];
const BINARY_OPS: [BinaryOp; 18] = [
    BinaryOp::Add,
    BinaryOp::Sub,
    BinaryOp::Mul,
    BinaryOp::UDiv,
    BinaryOp::SDiv,
    BinaryOp::URem,
    BinaryOp::SRem,
    BinaryOp::Shl,
    BinaryOp::LShr,
    BinaryOp::AShr,
    BinaryOp::And,
    BinaryOp::Or,
    BinaryOp::Xor,
    BinaryOp::FAdd,
    BinaryOp::FSub,
    BinaryOp::FMul,
    BinaryOp::FDiv,
    BinaryOp::FRem,
];
const CAST_OPS: [CastOp; 12] = [
    CastOp::Trunc,
    CastOp::ZExt,
    CastOp::SExt,
    CastOp::FpTrunc,
    CastOp::FpExt,
    CastOp::FpToUi,
    CastOp::FpToSi,
    CastOp::UiToFp,
    CastOp::SiToFp,
    CastOp::PtrToInt,
    CastOp::IntToPtr,
    CastOp::Bitcast,
];

/// Choices from bytes; when these are used up, always the first.
pub(super) struct Choices<'a> {
    bytes: std::slice::Iter<'a, u8>,
}

impl<'a> Choices<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Choices<'a> {
        Choices { bytes: bytes.iter() }
    }

    /// A number below `n`, which is at most 256.
    fn below(&mut self, n: usize) -> usize {
        self.bytes.next().map_or(0, |b| usize::from(*b) % n)
    }

    fn flag(&mut self) -> bool {
        self.below(2) == 1
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    fn bits(&mut self) -> u128 {
        match self.below(4) {
            0 => self.below(256) as u128,
            1 => u128::MAX - self.below(256) as u128,
            2 => 1 << self.below(128),
            _ => (0..16).fold(0, |n, _| n << 8 | self.below(256) as u128),
        }
    }

    fn text(&mut self) -> String {
        (0..self.below(5))
            .map(|_| self.pick(&['a', 'x', '_', '1', '"', '\\', '\n', ' ', 'é', '\u{85}', '\0', ';']))
            .collect()
    }

    fn ty(&mut self) -> Type {
        match self.below(8) {
            0 => Type::I32,
            1 => Type::I64,
            2 => Type::BOOL,
            3 => Type::Ptr,
            4 => Type::F32,
            5 => Type::F64,
            6 => Type::F80,
            _ => Type::Int(1 + self.below(128) as u8),
        }
    }

    fn types(&mut self) -> Vec<Type> {
        (0..self.below(4)).map(|_| self.ty()).collect()
    }

    fn align(&mut self) -> u32 {
        1 << self.below(5)
    }

    fn origin(&mut self) -> Origin {
        self.pick(&[Origin::Subject, Origin::Library])
    }
}

/// How many files, globals and functions a random program has.
struct Sizes {
    files: usize,
    globals: usize,
    functions: usize,
}

pub(super) fn program(choices: &mut Choices<'_>) -> Program {
    let sizes = Sizes { files: choices.below(3), globals: 1 + choices.below(3), functions: 1 + choices.below(3) };
    let mut program = Program::default();
    for _ in 0..sizes.files {
        program.files.push(SourceFile { directory: choices.text(), name: choices.text() });
    }
    for _ in 0..sizes.globals {
        program.globals.push(global(choices, &sizes));
    }
    for _ in 0..sizes.functions {
        program.functions.push(function(choices, &sizes));
    }
    let func = |c: &mut Choices<'_>| FuncId::from_u32(c.below(sizes.functions) as u32);
    program.constructors = (0..choices.below(3)).map(|_| func(choices)).collect();
    program.destructors = (0..choices.below(3)).map(|_| func(choices)).collect();
    program
}

fn loc(choices: &mut Choices<'_>, sizes: &Sizes) -> Loc {
    match choices.below(4) {
        0 => Loc::NONE,
        1 => {
            let mut loc = Loc::NONE;
            loc.line = choices.below(256) as u32;
            loc
        }
        _ if sizes.files == 0 => Loc::NONE,
        _ => {
            let file = FileId::from_u32(choices.below(sizes.files) as u32);
            Loc::new(file, choices.below(256) as u32, choices.below(256) as u32)
        }
    }
}

fn global(choices: &mut Choices<'_>, sizes: &Sizes) -> Global {
    let mut init = Vec::new();
    for _ in 0..choices.below(4) {
        match choices.below(3) {
            0 => init.extend(std::iter::repeat_n(choices.below(3) as u8, choices.below(40))),
            1 => init.extend(choices.text().bytes().cycle().take(choices.below(200))),
            _ => init.extend((0..choices.below(20)).map(|_| choices.below(256) as u8)),
        }
    }
    let defined = choices.flag();
    let symbol = |c: &mut Choices<'_>| match c.below(2) {
        0 => Symbol::Global(GlobalId::from_u32(c.below(sizes.globals) as u32)),
        _ => Symbol::Func(FuncId::from_u32(c.below(sizes.functions) as u32)),
    };
    let slots = if defined { choices.below(3) as u64 } else { 0 };
    let relocs = (0..slots).map(|slot| Reloc {
        offset: slot * 8,
        size: choices.pick(&[1, 2, 4, 8]),
        symbol: symbol(choices),
        minus: choices.flag().then(|| symbol(choices)),
        addend: choices.bits() as i64,
    });
    let relocs = relocs.collect();
    Global {
        name: choices.text(),
        origin: choices.origin(),
        size: init.len() as u64 + 16,
        align: choices.align(),
        constant: choices.flag(),
        internal: choices.flag(),
        thread_local: choices.flag(),
        init: defined.then_some(init),
        relocs,
        source_name: choices.flag().then(|| choices.text()),
        ty: None,
    }
}

fn function(choices: &mut Choices<'_>, sizes: &Sizes) -> Function {
    let (params, returns) = (choices.types(), choices.types());
    let body = choices.flag().then(|| Builder::build(choices, sizes, &params, &returns));
    Function {
        name: choices.text(),
        origin: choices.origin(),
        params,
        returns,
        variadic: choices.flag(),
        loc: loc(choices, sizes),
        body,
        source: FunctionSource::default(),
    }
}

/// A body whose blocks may use the values of the entry block and their own.
struct Builder<'c, 'b, 's> {
    choices: &'c mut Choices<'b>,
    sizes: &'s Sizes,
    body: Body,
    /// The values of the entry block, and those of the block that is being filled.
    usable: Vec<Value>,
    block_types: Vec<Vec<Type>>,
    returns: &'s [Type],
}

impl Builder<'_, '_, '_> {
    fn build(choices: &mut Choices<'_>, sizes: &Sizes, params: &[Type], returns: &[Type]) -> Body {
        let mut block_types = vec![params.to_vec()];
        block_types.extend((0..choices.below(4)).map(|_| choices.types()));
        let mut body = Body::new();
        for _ in 0..choices.below(4) {
            let name = choices.pick(&["a", "b", "var1", "x y"]).to_owned();
            body.variables.push(Variable { name, line: choices.below(256) as u32, ty: None, elsewhere: Vec::new() });
        }
        let mut this = Builder { choices, sizes, body, usable: Vec::new(), block_types, returns };
        for index in 0..this.block_types.len() {
            this.block(Block::from_u32(index as u32));
            this.usable.truncate(this.body.blocks[Block::ENTRY].params.len());
        }
        this.shuffle_insts();
        this.body
    }

    fn value(&mut self, ty: Type, def: Def) -> Value {
        let any = self.body.variables.len();
        let var = if any > 0 && self.choices.flag() {
            Some(VarId::from_u32(self.choices.below(any) as u32)).into()
        } else {
            PackedOption::default()
        };
        self.body.values.push(ValueData { ty, def, var })
    }

    fn block(&mut self, block: Block) {
        let types = self.block_types[block.as_u32() as usize].clone();
        let params: Vec<Value> =
            (0..).zip(types).map(|(index, ty)| self.value(ty, Def::Param { block, index })).collect();
        self.usable.extend(&params);
        let insts = (0..self.choices.below(6)).map(|_| self.inst()).collect();
        let term = self.terminator();
        let term_loc = loc(self.choices, self.sizes);
        self.body.blocks.push(BlockData { params, insts, term, term_loc });
    }

    fn constant(&mut self, ty: Type) -> Value {
        let mask = u128::MAX >> (128 - ty.bits());
        let constant = match self.choices.below(6) {
            0 => Const::Undef,
            1 if ty == Type::Ptr => Const::Func(FuncId::from_u32(self.choices.below(self.sizes.functions) as u32)),
            2 if ty == Type::Ptr => {
                let global = GlobalId::from_u32(self.choices.below(self.sizes.globals) as u32);
                Const::Global(global, self.choices.bits() as i64)
            }
            3 => Const::Bits(0),
            _ => Const::Bits(self.choices.bits() & mask),
        };
        self.value(ty, Def::Const(constant))
    }

    /// Some value of that type: an old one, a constant that is there already, or a new constant.
    fn operand(&mut self, ty: Type) -> Value {
        let constants = self.body.values.iter().filter(|(_, v)| matches!(v.def, Def::Const(_))).map(|(id, _)| id);
        let fitting: Vec<Value> =
            self.usable.iter().copied().chain(constants).filter(|v| self.body.ty(*v) == ty).collect();
        if fitting.is_empty() || self.choices.below(3) == 0 {
            return self.constant(ty);
        }
        fitting[self.choices.below(fitting.len().min(256))]
    }

    fn operands(&mut self, types: &[Type]) -> Vec<Value> {
        types.iter().map(|ty| self.operand(*ty)).collect()
    }

    fn int(&mut self) -> Type {
        Type::Int(1 + self.choices.below(128) as u8)
    }

    fn pair(&mut self, ty: Type) -> [Value; 2] {
        [self.operand(ty), self.operand(ty)]
    }

    fn inst(&mut self) -> Inst {
        let (op, results) = self.op();
        let inst = self.body.insts.next_key();
        let at = loc(self.choices, self.sizes);
        let results: SmallVec<[Value; 2]> =
            (0..).zip(results).map(|(index, ty)| self.value(ty, Def::Result { inst, index })).collect();
        self.usable.extend(&results);
        self.body.insts.push(InstData { op, results, loc: at })
    }

    fn op(&mut self) -> (Op, Vec<Type>) {
        match self.choices.below(14) {
            0 => match self.choices.below(3) {
                0 => (Op::Counter { index: self.choices.below(256) as u32 }, vec![]),
                1 => (Op::Ghost { first: self.choices.below(256) as u32, labels: 2, insts: 0 }, vec![]),
                _ => {
                    let index = self.choices.below(256) as u32;
                    (Op::Label { index, cond: self.operand(Type::BOOL) }, vec![])
                }
            },
            1 => self.binary(),
            2 => {
                let ty = self.int();
                (Op::IntCmp { cmp: self.choices.pick(&INT_CMPS), args: self.pair(ty) }, vec![Type::BOOL])
            }
            3 => {
                let ty = self.choices.pick(&[Type::F32, Type::F64, Type::F80]);
                (Op::FloatCmp { cmp: self.choices.pick(&FLOAT_CMPS), args: self.pair(ty) }, vec![Type::BOOL])
            }
            4 => self.cast(),
            5 => {
                let ty = self.choices.ty();
                (Op::Select { cond: self.operand(Type::BOOL), args: self.pair(ty) }, vec![ty])
            }
            6 => {
                let index = if self.choices.flag() { Some(self.operand(Type::I64)) } else { None };
                let (scale, disp) = (self.choices.bits() as i64, self.choices.bits() as i64);
                let count = self.choices.bits() as u64;
                let base = self.operand(Type::Ptr);
                (Op::PtrAdd { base, index: index.into(), scale, disp, count }, vec![Type::Ptr])
            }
            7 => (Op::Alloca { size: self.operand(Type::I64), align: self.choices.align() }, vec![Type::Ptr]),
            8 => {
                let volatile = self.choices.flag();
                (Op::Load { ptr: self.operand(Type::Ptr), volatile }, vec![self.choices.ty()])
            }
            9 => {
                let ty = self.choices.ty();
                let (ptr, value) = (self.operand(Type::Ptr), self.operand(ty));
                (Op::Store { ptr, value, volatile: self.choices.flag() }, vec![])
            }
            10 => self.call(),
            11 => self.intrinsic(),
            12 => {
                let ty = self.choices.pick(&[Type::F32, Type::F64, Type::F80]);
                (Op::Unary { op: UnaryOp::FNeg, arg: self.operand(ty) }, vec![ty])
            }
            _ => (Op::Unsupported { what: self.choices.text() }, self.choices.types()),
        }
    }

    fn binary(&mut self) -> (Op, Vec<Type>) {
        let op = self.choices.pick(&BINARY_OPS);
        let ty = if op.is_float() { self.choices.pick(&[Type::F32, Type::F64, Type::F80]) } else { self.int() };
        let mut flag = || !op.is_float() && self.choices.flag();
        let flags = OpFlags { nsw: flag(), nuw: flag() };
        (Op::Binary { op, flags, args: self.pair(ty) }, vec![ty])
    }

    fn cast(&mut self) -> (Op, Vec<Type>) {
        let (op, from, to) = match self.choices.pick(&CAST_OPS) {
            op @ CastOp::Trunc => (op, Type::I64, Type::Int(1 + self.choices.below(63) as u8)),
            op @ (CastOp::ZExt | CastOp::SExt) => (op, Type::I32, Type::Int(33 + self.choices.below(96) as u8)),
            op @ CastOp::FpTrunc => (op, Type::F80, self.choices.pick(&[Type::F32, Type::F64])),
            op @ CastOp::FpExt => (op, Type::F32, self.choices.pick(&[Type::F64, Type::F80])),
            op @ (CastOp::FpToUi | CastOp::FpToSi) => (op, Type::F64, self.int()),
            op @ (CastOp::UiToFp | CastOp::SiToFp) => (op, self.int(), Type::F80),
            op @ CastOp::PtrToInt => (op, Type::Ptr, self.int()),
            op @ CastOp::IntToPtr => (op, self.int(), Type::Ptr),
            op @ CastOp::Bitcast => (op, Type::Int(80), Type::F80),
        };
        (Op::Cast { op, arg: self.operand(from) }, vec![to])
    }

    fn call(&mut self) -> (Op, Vec<Type>) {
        let func = FuncId::from_u32(self.choices.below(self.sizes.functions) as u32);
        let direct = self.choices.flag();
        let callee = if direct { Callee::Direct(func) } else { Callee::Indirect(self.operand(Type::Ptr)) };
        let mut types = self.choices.types();
        types.push(Type::Ptr);
        let args = self.operands(&types);
        let by_value = (0..self.choices.below(3)).map(|_| VarArg {
            arg: types.len() as u32 - 1,
            size: self.choices.bits() as u64,
            align: self.choices.align(),
        });
        let by_value = by_value.collect();
        // Only a variadic call may disagree with its callee.
        let variadic = direct || self.choices.flag();
        (Op::Call(Box::new(CallData { callee, args, variadic, by_value })), self.choices.types())
    }

    fn intrinsic(&mut self) -> (Op, Vec<Type>) {
        let ty = self.int();
        let (op, args, results) = match self.choices.below(5) {
            0 => (Intrinsic::SAddOverflow, vec![ty, ty], vec![ty, Type::BOOL]),
            1 => (Intrinsic::MemSet, vec![Type::Ptr, Type::I8, Type::I64], vec![]),
            2 => (Intrinsic::FShl, vec![ty, ty, ty], vec![ty]),
            3 => (Intrinsic::Trap, vec![], vec![]),
            _ => (Intrinsic::IsFpClass, vec![Type::F80, Type::I32], vec![Type::BOOL]),
        };
        (Op::Intrinsic { op, args: self.operands(&args) }, results)
    }

    fn edge(&mut self) -> Option<Edge> {
        let targets = self.block_types.len() - 1;
        if targets == 0 {
            return None;
        }
        let index = 1 + self.choices.below(targets);
        let types = self.block_types[index].clone();
        Some(Edge { block: Block::from_u32(index as u32), args: self.operands(&types) })
    }

    fn terminator(&mut self) -> Terminator {
        self.try_terminator().unwrap_or(Terminator::Unreachable)
    }

    fn try_terminator(&mut self) -> Option<Terminator> {
        Some(match self.choices.below(6) {
            0 => {
                let returns = self.returns;
                Terminator::Return(self.operands(returns))
            }
            1 => Terminator::Jump(self.edge()?),
            2 => Terminator::Branch { cond: self.operand(Type::BOOL), then: self.edge()?, other: self.edge()? },
            3 => {
                let value = self.operand(Type::I8);
                let values = (0..self.choices.below(4)).map(|i| i as u128 * 60);
                let cases = values.collect::<Vec<_>>().into_iter().map(|v| Some((v, self.edge()?)));
                Terminator::Switch { value, cases: cases.collect::<Option<_>>()?, default: self.edge()? }
            }
            4 => {
                let address = self.operand(Type::Ptr);
                let count = self.choices.below(3);
                let targets = (0..count).map(|_| self.edge()).collect::<Option<_>>()?;
                Terminator::Indirect { address, targets }
            }
            _ => Terminator::Unreachable,
        })
    }

    /// Gives two instructions each other's id.
    fn shuffle_insts(&mut self) {
        let count = self.body.insts.len();
        if count < 2 || !self.choices.flag() {
            return;
        }
        let mut pick = || Inst::from_u32(self.choices.below(count.min(256)) as u32);
        let (a, b) = (pick(), pick());
        let swapped = |inst: Inst| match inst {
            i if i == a => b,
            i if i == b => a,
            i => i,
        };
        let mut order: Vec<InstData> = self.body.insts.values().cloned().collect();
        order.swap(a.as_u32() as usize, b.as_u32() as usize);
        self.body.insts = order.into_iter().collect();
        for data in self.body.blocks.values_mut() {
            data.insts.iter_mut().for_each(|i| *i = swapped(*i));
        }
        for data in self.body.values.values_mut() {
            if let Def::Result { inst, .. } = &mut data.def {
                *inst = swapped(*inst);
            }
        }
    }
}
