//! What every lowered program must keep to: each edge fits the block it leads to, each operand is defined and has the
//! type that its operation wants.

use crate::ir::*;

pub(super) fn check(program: &Program) -> Vec<String> {
    let mut problems = Vec::new();
    for (id, function) in &program.functions {
        if let Some(body) = &function.body {
            let mut checker = Checker { program, function, body, problems: Vec::new() };
            checker.run();
            problems.extend(checker.problems.into_iter().map(|p| format!("{id} {}: {p}", function.name)));
        }
    }
    for (id, global) in &program.globals {
        let length = global.init.as_ref().map_or(0, Vec::len) as u64;
        if length > global.size {
            problems.push(format!("{id} {}: {length} initial bytes of {}", global.name, global.size));
        }
        if !global.relocs.is_sorted_by_key(|r| r.offset) {
            problems.push(format!("{id} {}: relocations out of order", global.name));
        }
    }
    problems
}

struct Checker<'a> {
    program: &'a Program,
    function: &'a Function,
    body: &'a Body,
    problems: Vec<String>,
}

impl Checker<'_> {
    fn run(&mut self) {
        let params: Vec<Type> = self.body.params().iter().map(|&p| self.body.ty(p)).collect();
        self.expect(params == self.function.params, || "entry parameters differ from the signature".to_owned());
        let mut placed = vec![false; self.body.insts.len()];
        for block in self.body.blocks.values() {
            for inst in &block.insts {
                let before = std::mem::replace(&mut placed[inst.as_u32() as usize], true);
                self.expect(!before, || format!("{inst} stands twice"));
            }
        }
        for (block, data) in &self.body.blocks {
            for &inst in &data.insts {
                let what = format!("{block} {inst} {:?}", self.body.insts[inst].op);
                self.inst(&what, &self.body.insts[inst], &placed);
            }
            self.terminator(&format!("{block} {:?}", data.term), &data.term, &placed);
        }
    }

    fn expect(&mut self, good: bool, problem: impl Fn() -> String) {
        if !good {
            self.problems.push(problem());
        }
    }

    fn ty(&self, v: Value) -> Type {
        self.body.ty(v)
    }

    fn used(&mut self, what: &str, values: &[Value], placed: &[bool]) {
        for &v in values {
            if let Def::Result { inst, .. } = self.body.values[v].def {
                self.expect(placed[inst.as_u32() as usize], || format!("{what}: {v} is never computed"));
            }
        }
    }

    fn inst(&mut self, what: &str, data: &InstData, placed: &[bool]) {
        let results: Vec<Type> = data.results.iter().map(|&r| self.ty(r)).collect();
        let operands = operands(&data.op);
        self.used(what, &operands, placed);
        let t: Vec<Type> = operands.iter().map(|&o| self.ty(o)).collect();
        let int = |ty: Type| ty.is_int();
        let good = match &data.op {
            Op::Unary { .. } => t[0].is_float() && results == [t[0]],
            Op::Binary { op, .. } => {
                t[0] == t[1] && results == [t[0]] && op.is_float() == t[0].is_float() && t[0] != Type::Ptr
            }
            Op::IntCmp { .. } => t[0] == t[1] && !t[0].is_float() && results == [Type::BOOL],
            Op::FloatCmp { .. } => t[0] == t[1] && t[0].is_float() && results == [Type::BOOL],
            Op::Cast { op, .. } => results.len() == 1 && cast(*op, t[0], results[0]),
            Op::Select { .. } => t[0] == Type::BOOL && t[1] == t[2] && results == [t[1]],
            Op::PtrAdd { .. } => t[0] == Type::Ptr && t[1..].iter().all(|&i| i == Type::I64) && results == [Type::Ptr],
            Op::Alloca { align, .. } => t[0] == Type::I64 && results == [Type::Ptr] && align.is_power_of_two(),
            Op::Load { .. } => t[0] == Type::Ptr && results.len() == 1,
            Op::Store { .. } => t[0] == Type::Ptr && results.is_empty(),
            Op::Call(call) => match call.callee {
                Callee::Direct(f) => f.as_u32() < self.program.functions.len() as u32,
                Callee::Indirect(p) => self.ty(p) == Type::Ptr,
            },
            Op::Intrinsic { op, .. } => match op {
                Intrinsic::MemCpy | Intrinsic::MemMove => t == [Type::Ptr, Type::Ptr, Type::I64] && results.is_empty(),
                Intrinsic::MemSet => t == [Type::Ptr, Type::I8, Type::I64] && results.is_empty(),
                Intrinsic::Powi => t[1] == Type::I32 && results == [t[0]],
                Intrinsic::IsFpClass => t[1] == Type::I32 && results == [Type::BOOL],
                Intrinsic::SAddOverflow | Intrinsic::UMulOverflow => results == [t[0], Type::BOOL] && int(t[0]),
                Intrinsic::CtPop | Intrinsic::FShl | Intrinsic::SMax => {
                    results == [t[0]] && t.iter().all(|&x| x == t[0] && int(x))
                }
                Intrinsic::Fma | Intrinsic::Sqrt => results == [t[0]] && t.iter().all(|&x| x == t[0] && x.is_float()),
                _ => true,
            },
            Op::Counter { .. } => results.is_empty(),
            Op::Unsupported { .. } => true,
        };
        self.expect(good, || format!("{what}: {t:?} -> {results:?}"));
    }

    fn terminator(&mut self, what: &str, term: &Terminator, placed: &[bool]) {
        for edge in term.edges() {
            self.used(what, &edge.args, placed);
            let params = &self.body.blocks[edge.block].params;
            let fits = edge.args.len() == params.len()
                && edge.args.iter().zip(params).all(|(&a, &p)| self.ty(a) == self.ty(p));
            self.expect(fits, || format!("{what}: arguments for {}", edge.block));
        }
        let good = match term {
            Terminator::Branch { cond, .. } => self.ty(*cond) == Type::BOOL,
            Terminator::Switch { value, .. } => self.ty(*value).is_int(),
            Terminator::Indirect { address, .. } => self.ty(*address) == Type::Ptr,
            Terminator::Return(values) => {
                values.iter().map(|&v| self.ty(v)).collect::<Vec<_>>() == self.function.returns
            }
            _ => true,
        };
        self.expect(good, || what.to_owned());
    }
}

fn cast(op: CastOp, from: Type, to: Type) -> bool {
    match op {
        CastOp::Trunc => from.is_int() && to.is_int() && from.bits() > to.bits(),
        CastOp::ZExt | CastOp::SExt => from.is_int() && to.is_int() && from.bits() < to.bits(),
        CastOp::FpTrunc => from.is_float() && to.is_float() && from.bits() > to.bits(),
        CastOp::FpExt => from.is_float() && to.is_float() && from.bits() < to.bits(),
        CastOp::FpToUi | CastOp::FpToSi => from.is_float() && to.is_int(),
        CastOp::UiToFp | CastOp::SiToFp => from.is_int() && to.is_float(),
        CastOp::PtrToInt => from == Type::Ptr && to == Type::I64,
        CastOp::IntToPtr => from == Type::I64 && to == Type::Ptr,
        CastOp::Bitcast => from.bits() == to.bits() && from.is_int() != to.is_int(),
    }
}

fn operands(op: &Op) -> Vec<Value> {
    match op {
        Op::Unary { arg, .. } | Op::Cast { arg, .. } => vec![*arg],
        Op::Binary { args, .. } | Op::IntCmp { args, .. } | Op::FloatCmp { args, .. } => args.to_vec(),
        Op::Select { cond, args } => vec![*cond, args[0], args[1]],
        Op::PtrAdd { base, index, .. } => std::iter::once(*base).chain(index.expand()).collect(),
        Op::Alloca { size, .. } => vec![*size],
        Op::Load { ptr, .. } => vec![*ptr],
        Op::Store { ptr, value, .. } => vec![*ptr, *value],
        Op::Call(call) => call.args.clone(),
        Op::Intrinsic { args, .. } => args.clone(),
        Op::Counter { .. } | Op::Unsupported { .. } => Vec::new(),
    }
}
