//! The driver as code of ours, for functions that take and return numbers and addresses: clang need not be asked.
//!
//! What is built is what clang makes of the driver's C: an object for each parameter, which becomes an input, and the call.
//! Everything else (structs by value, complex numbers, expressions of the user) goes through C, since clang knows the ABI.

use covenant_program::ir::{
    Block, BlockData, Body, CallData, Callee, CastOp, Const, Def, FuncId, Function, FunctionSource, Global, Inst,
    InstData, Loc, Op, Origin, Program, Reloc, Symbol, Terminator, Type, Value, ValueData, Variable,
};
use covenant_program::types::{CType, Signature, TypeId};
use smallvec::SmallVec;

use super::{DRIVER, Entry};
use crate::callbacks::Callback;

/// A parameter or a result: one scalar in registers, and the same in memory.
#[derive(Clone, Copy)]
struct Scalar {
    passed: Type,
    stored: Type,
    size: u64,
    align: u32,
}

/// Adds the driver and what its callbacks are to the program. `None`: only clang knows how the function is called.
pub(super) fn build(program: &mut Program, tested: FuncId, entry: &Entry, callbacks: &[Callback]) -> Option<FuncId> {
    if !program.address_spaces.is_empty() {
        return None;
    }
    let params: Option<Vec<Scalar>> = entry.params.iter().map(|(_, ty)| scalar(program, *ty)).collect();
    let params = params?;
    let result = match entry.returns {
        Some(ty) => Some(scalar(program, ty)?),
        None => None,
    };
    let function = &program.functions[tested];
    let passed = params.iter().map(|scalar| scalar.passed);
    let fits = passed.eq(function.params.iter().copied())
        && result.iter().map(|scalar| scalar.passed).eq(function.returns.iter().copied());
    if !fits || function.variadic {
        return None;
    }
    let stand_ins: Option<Vec<Function>> = callbacks.iter().map(|callback| stand_in(program, callback)).collect();
    keep(program, stand_ins?);
    let pointer = program.target.pointer();
    let word = Type::Int((8 * pointer.store_size()) as u8);
    let mut body = Building::new(pointer);
    let objects: Vec<Value> =
        entry.params.iter().zip(&params).map(|((name, ty), s)| body.object(name, *ty, s)).collect();
    let out = entry.returns.zip(result).map(|(ty, scalar)| (body.object("covenant_result", ty, &scalar), scalar));
    for (number, &object) in objects.iter().enumerate() {
        let input = declared(program, "__covenant_input", vec![pointer, Type::I32]);
        let number = body.number(Type::I32, number as u128);
        body.call(input, vec![object, number], &[]);
    }
    let given = objects.iter().zip(&params).map(|(&object, scalar)| body.load(object, scalar)).collect();
    let returned = body.call(tested, given, &program.functions[tested].returns);
    if let (Some((object, scalar)), Some(&value)) = (out, returned.first()) {
        body.store(object, value, &scalar);
        let told = declared(program, "__covenant_result", vec![pointer, word]);
        let size = body.number(word, u128::from(scalar.size));
        body.call(told, vec![object, size], &[]);
    }
    let driver = Function { body: Some(body.finish()), ..plain(DRIVER.to_owned()) };
    Some(program.functions.push(driver))
}

fn plain(name: String) -> Function {
    Function {
        name,
        origin: Origin::Subject,
        params: Vec::new(),
        returns: Vec::new(),
        variadic: false,
        loc: Loc::NONE,
        body: None,
        source: FunctionSource::default(),
    }
}

/// How C passes a type; `None`: not in one register for sure.
fn scalar(program: &Program, ty: TypeId) -> Option<Scalar> {
    let types = &program.types;
    let size = types.size_of(ty)?;
    let passed = match types.stripped(ty) {
        CType::Bool => Type::BOOL,
        // Debug information knows the storage of a `_BitInt` only.
        CType::Int { name, size: 1 | 2 | 4 | 8, .. } if !name.contains("_BitInt") => Type::Int((8 * size) as u8),
        CType::Enum(e) if matches!((types.stripped(e.of), e.size), (CType::Int { .. }, 1 | 2 | 4 | 8)) => {
            Type::Int((8 * size) as u8)
        }
        CType::Pointer(_) => program.target.pointer(),
        CType::Float { size: 4, .. } => Type::F32,
        CType::Float { size: 8, .. } => Type::F64,
        CType::Float { name, .. } if name == "long double" && program.target.has_x87() => Type::F80,
        _ => return None,
    };
    let stored = if passed == Type::BOOL { Type::I8 } else { passed };
    Some(Scalar { passed, stored, size, align: u32::try_from(types.align_of(ty)).ok()? })
}

/// The undefined function that stands for one of a caller's own.
fn stand_in(program: &Program, callback: &Callback) -> Option<Function> {
    let CType::Function(Signature { returns, params, variadic }) = program.types.stripped(callback.ty) else {
        return None;
    };
    let passed = |ty: &TypeId| scalar(program, *ty).map(|scalar| scalar.passed);
    let returns = match program.types.stripped(*returns) {
        CType::Void => Vec::new(),
        _ => vec![passed(returns)?],
    };
    let params = params.iter().map(passed).collect::<Option<Vec<Type>>>()?;
    Some(Function { params, returns, variadic: *variadic, ..plain(callback.name.clone()) })
}

/// Keeps stand-ins in the program by a table of their addresses, as the driver's C does.
fn keep(program: &mut Program, stand_ins: Vec<Function>) {
    if stand_ins.is_empty() {
        return;
    }
    let each = program.target.pointer_size();
    let size = each * stand_ins.len() as u64;
    let mut relocs = Vec::new();
    for (offset, stand_in) in (0..).step_by(each as usize).zip(stand_ins) {
        let symbol = Symbol::Func(program.functions.push(stand_in));
        relocs.push(Reloc { offset, size: each as u32, symbol, minus: None, addend: 0 });
    }
    let name = "__covenant_callbacks".to_owned();
    program.globals.push(Global {
        source_name: Some(name.clone()),
        name,
        origin: Origin::Subject,
        size,
        align: each as u32,
        constant: true,
        thread_local: false,
        internal: false,
        init: Some(vec![0; size as usize]),
        relocs,
        ty: None,
    });
}

/// A function that the machine knows.
fn declared(program: &mut Program, name: &str, params: Vec<Type>) -> FuncId {
    let known = program.function(name);
    known.unwrap_or_else(|| program.functions.push(Function { params, ..plain(name.to_owned()) }))
}

/// A body of one block.
struct Building {
    body: Body,
    insts: Vec<Inst>,
    pointer: Type,
}

impl Building {
    fn new(pointer: Type) -> Building {
        Building { body: Body::new(), insts: Vec::new(), pointer }
    }

    fn number(&mut self, ty: Type, bits: u128) -> Value {
        let def = Def::Const(Const::Bits(bits));
        self.body.values.push(ValueData { ty, def, var: None.into() })
    }

    fn emit(&mut self, op: Op, types: &[Type]) -> SmallVec<[Value; 2]> {
        let inst = self.body.insts.push(InstData { op, results: SmallVec::new(), loc: Loc::NONE });
        for (index, &ty) in types.iter().enumerate() {
            let def = Def::Result { inst, index: index as u32 };
            let value = self.body.values.push(ValueData { ty, def, var: None.into() });
            self.body.insts[inst].results.push(value);
        }
        self.insts.push(inst);
        self.body.insts[inst].results.clone()
    }

    /// A local variable.
    fn object(&mut self, name: &str, ty: TypeId, scalar: &Scalar) -> Value {
        let size = self.number(Type::I64, u128::from(scalar.size));
        let object = self.emit(Op::Alloca { size, align: scalar.align }, &[self.pointer])[0];
        let variable = Variable { name: name.to_owned(), line: 0, ty: Some(ty), elsewhere: Vec::new() };
        self.body.values[object].var = self.body.variables.push(variable).into();
        object
    }

    fn load(&mut self, ptr: Value, scalar: &Scalar) -> Value {
        let value = self.emit(Op::Load { ptr, volatile: false }, &[scalar.stored])[0];
        match scalar.passed == scalar.stored {
            true => value,
            false => self.emit(Op::Cast { op: CastOp::Trunc, arg: value }, &[scalar.passed])[0],
        }
    }

    fn store(&mut self, ptr: Value, value: Value, scalar: &Scalar) {
        let value = match scalar.passed == scalar.stored {
            true => value,
            false => self.emit(Op::Cast { op: CastOp::ZExt, arg: value }, &[scalar.stored])[0],
        };
        self.emit(Op::Store { ptr, value, volatile: false }, &[]);
    }

    fn call(&mut self, function: FuncId, args: Vec<Value>, returns: &[Type]) -> SmallVec<[Value; 2]> {
        let call = CallData { callee: Callee::Direct(function), args, variadic: false, by_value: Vec::new() };
        self.emit(Op::Call(Box::new(call)), returns)
    }

    fn finish(mut self) -> Body {
        let (term, term_loc) = (Terminator::Return(Vec::new()), Loc::NONE);
        let block = BlockData { params: Vec::new(), insts: self.insts, term, term_loc };
        let entry = self.body.blocks.push(block);
        debug_assert_eq!(entry, Block::ENTRY);
        self.body
    }
}
