//! What each operation takes and gives.
//!
//! | operation | operands | results |
//! |---|---|---|
//! | unary, binary | all of the result's type, floats for the float operations, else integers | one |
//! | `icmp` | two integers or two pointers of one type | `i1` |
//! | `fcmp` | two floats of one type | `i1` |
//! | casts | see `cast` | one |
//! | `select` | an `i1`, two of the result's type | one |
//! | `ptradd` | a pointer, maybe an `i64` | a pointer |
//! | `alloca` | an `i64` | a pointer |
//! | `load` | a pointer | one of any type |
//! | `store` | a value of any type, a pointer | none |
//! | `call` | a pointer where indirect; the rest is [`super::Rule::Call`] | any |
//! | intrinsics | see `intrinsic` | |
//! | `counter` | | none |
//! | `unsupported` | | any |

use super::Callee;
use crate::ir::{Body, CastOp, InstData, Intrinsic, Op, Type, Value};

/// Says what is wrong with the types of an instruction.
pub(super) fn check(body: &Body, data: &InstData) -> Result<(), String> {
    let ty = |v: &Value| body.ty(*v);
    let results: Vec<Type> = data.results.iter().map(ty).collect();
    match &data.op {
        Op::Unary { op, arg } => {
            let t = ty(arg);
            want(t.is_float(), || format!("{op} of {t}"))?;
            gives(&results, &[t])
        }
        Op::Binary { op, flags, args: [a, b] } => {
            let t = ty(a);
            want(t == ty(b), || format!("{op} of {t} and {}", ty(b)))?;
            want(if op.is_float() { t.is_float() } else { t.is_int() }, || format!("{op} of {t}"))?;
            want(!op.is_float() || !(flags.nsw || flags.nuw), || format!("{op} has a flag of integers"))?;
            gives(&results, &[t])
        }
        Op::IntCmp { args: [a, b], .. } => {
            want(ty(a) == ty(b) && !ty(a).is_float(), || format!("icmp of {} and {}", ty(a), ty(b)))?;
            gives(&results, &[Type::BOOL])
        }
        Op::FloatCmp { args: [a, b], .. } => {
            want(ty(a) == ty(b) && ty(a).is_float(), || format!("fcmp of {} and {}", ty(a), ty(b)))?;
            gives(&results, &[Type::BOOL])
        }
        Op::Cast { op, arg } => match results[..] {
            [to] => want(cast(*op, ty(arg), to), || format!("{op} from {} to {to}", ty(arg))),
            _ => Err(format!("{op} has one result")),
        },
        Op::Select { cond, args: [a, b] } => {
            want(ty(cond) == Type::BOOL, || format!("select by {}", ty(cond)))?;
            want(ty(a) == ty(b), || format!("select of {} and {}", ty(a), ty(b)))?;
            gives(&results, &[ty(a)])
        }
        Op::PtrAdd { base, index, .. } => {
            let pointer = a_pointer(ty(base))?;
            takes(&[index.expand().map_or(Type::I64, |v| ty(&v))], &[Type::I64])?;
            gives(&results, &[pointer])
        }
        Op::Alloca { size, .. } => {
            takes(&[ty(size)], &[Type::I64])?;
            want(matches!(results[..], [one] if one.is_ptr()), || "it gives a pointer".to_owned())
        }
        Op::Load { ptr, .. } => {
            a_pointer(ty(ptr))?;
            want(results.len() == 1, || "a load has one result".to_owned())
        }
        Op::Store { ptr, .. } => {
            a_pointer(ty(ptr))?;
            gives(&results, &[])
        }
        Op::Call(call) => match call.callee {
            Callee::Direct(_) => Ok(()),
            Callee::Indirect(address) => a_pointer(ty(&address)).map(|_| ()),
        },
        Op::Intrinsic { op, args } => intrinsic(*op, &args.iter().map(ty).collect::<Vec<_>>(), &results),
        Op::Counter { .. } | Op::Ghost { .. } => gives(&results, &[]),
        Op::Label { cond, .. } => {
            takes(&[ty(cond)], &[Type::BOOL])?;
            gives(&results, &[])
        }
        Op::Unsupported { .. } => Ok(()),
    }
}

fn want(holds: bool, message: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(message()) }
}

fn list(types: &[Type]) -> String {
    let words: Vec<String> = types.iter().map(Type::to_string).collect();
    format!("({})", words.join(", "))
}

fn takes(args: &[Type], wanted: &[Type]) -> Result<(), String> {
    want(args == wanted, || format!("the operands are {}, not {}", list(args), list(wanted)))
}

fn a_pointer(ty: Type) -> Result<Type, String> {
    want(ty.is_ptr(), || format!("the address is a {ty}"))?;
    Ok(ty)
}

fn gives(results: &[Type], wanted: &[Type]) -> Result<(), String> {
    want(results == wanted, || format!("the results are {}, not {}", list(results), list(wanted)))
}

/// Which conversions there are. Pointers have 64 bits, but integers of any width convert to and from them, as in LLVM.
fn cast(op: CastOp, from: Type, to: Type) -> bool {
    let ints = from.is_int() && to.is_int();
    let floats = from.is_float() && to.is_float();
    match op {
        CastOp::Trunc => ints && from.bits() > to.bits(),
        CastOp::ZExt | CastOp::SExt => ints && from.bits() < to.bits(),
        CastOp::FpTrunc => floats && from.bits() > to.bits(),
        CastOp::FpExt => floats && from.bits() < to.bits(),
        CastOp::FpToUi | CastOp::FpToSi => from.is_float() && to.is_int(),
        CastOp::UiToFp | CastOp::SiToFp => from.is_int() && to.is_float(),
        CastOp::PtrToInt => from.is_ptr() && to.is_int(),
        CastOp::IntToPtr => from.is_int() && to.is_ptr(),
        CastOp::Bitcast => {
            from.bits() == to.bits() && (from.is_int() && to.is_float() || from.is_float() && to.is_int())
        }
    }
}

fn intrinsic(op: Intrinsic, args: &[Type], results: &[Type]) -> Result<(), String> {
    use Intrinsic::*;
    // All pointers of a program have one type.
    let all = args.iter().chain(results);
    let pointer = all.copied().find(|ty| ty.is_ptr()).unwrap_or(Type::Ptr);
    match op {
        MemCpy | MemMove => fixed(args, results, &[pointer, pointer, Type::I64], &[]),
        MemSet => fixed(args, results, &[pointer, Type::I8, Type::I64], &[]),
        VaStart | VaEnd | StackRestore => fixed(args, results, &[pointer], &[]),
        VaCopy => fixed(args, results, &[pointer, pointer], &[]),
        StackSave => fixed(args, results, &[], &[pointer]),
        Trap => fixed(args, results, &[], &[]),
        Open => {
            takes(args, &[])?;
            want(results.len() == 1, || "there is one result".to_owned())
        }
        FrameAddress | ReturnAddress => fixed(args, results, &[Type::I32], &[pointer]),
        SAddOverflow | UAddOverflow | SSubOverflow | USubOverflow | SMulOverflow | UMulOverflow => {
            let t = first(args, Type::is_int, "an integer")?;
            fixed(args, results, &[t, t], &[t, Type::BOOL])
        }
        SAddSat | UAddSat | SSubSat | USubSat | SMin | SMax | UMin | UMax => {
            let t = first(args, Type::is_int, "an integer")?;
            fixed(args, results, &[t, t], &[t])
        }
        Peek => {
            takes(args, &[pointer])?;
            want(results.len() == 1 && !results[0].is_ptr(), || "there is one result, and no pointer".to_owned())
        }
        BadAccess => fixed(args, results, &[pointer, Type::I64, Type::BOOL], &[Type::BOOL]),
        Abs | CtPop | CtLz | CtTz | BitReverse => {
            let t = first(args, Type::is_int, "an integer")?;
            fixed(args, results, &[t], &[t])
        }
        BSwap => {
            let t = first(args, |t| t.is_int() && t.bits().is_multiple_of(8), "an integer of whole bytes")?;
            fixed(args, results, &[t], &[t])
        }
        FShl | FShr => {
            let t = first(args, Type::is_int, "an integer")?;
            fixed(args, results, &[t, t, t], &[t])
        }
        FAbs | Sqrt | Floor | Ceil | FTrunc | Round | RoundEven | Rint | NearbyInt | Exp | Exp2 | Log | Log2
        | Log10 | Sin | Cos => {
            let t = first(args, Type::is_float, "a float")?;
            fixed(args, results, &[t], &[t])
        }
        CopySign | MinNum | MaxNum | Pow => {
            let t = first(args, Type::is_float, "a float")?;
            fixed(args, results, &[t, t], &[t])
        }
        Fma | FMulAdd => {
            let t = first(args, Type::is_float, "a float")?;
            fixed(args, results, &[t, t, t], &[t])
        }
        Powi => {
            let t = first(args, Type::is_float, "a float")?;
            fixed(args, results, &[t, Type::I32], &[t])
        }
        IsFpClass => {
            let t = first(args, Type::is_float, "a float")?;
            fixed(args, results, &[t, Type::I32], &[Type::BOOL])
        }
    }
}

/// The type of the first operand, on which those of the others depend.
fn first(args: &[Type], kind: impl Fn(Type) -> bool, what: &str) -> Result<Type, String> {
    args.first().copied().filter(|t| kind(*t)).ok_or_else(|| format!("the first operand is not {what}"))
}

fn fixed(args: &[Type], results: &[Type], wanted: &[Type], given: &[Type]) -> Result<(), String> {
    takes(args, wanted)?;
    gives(results, given)
}
