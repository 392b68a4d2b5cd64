//! Formulas as a person would write them, for pictures and comments. Not exact: widths and signs are mostly left out.

use covenant_constraints::op::Op;
use covenant_constraints::{TermId, Terms};

/// Nodes after which a formula is cut short.
const MOST: usize = 60; // not tuning: how much is told

/// The formula in the manner of C.
pub fn words(terms: &Terms, term: TermId) -> String {
    let mut left = MOST;
    write(terms, term, &mut left)
}

/// The name of a variable as the source has it.
pub fn short_name(name: &str) -> &str {
    name.split('!').next().unwrap_or(name)
}

fn write(terms: &Terms, term: TermId, left: &mut usize) -> String {
    if *left == 0 {
        return "…".to_owned();
    }
    *left -= 1;
    if let Some(var) = terms.as_var(term) {
        let name = terms.var_name(var);
        let rest = name.rsplit_once('+').filter(|_| name.contains('!')).map_or(String::new(), |(_, o)| format!(".{o}"));
        let rest = if rest == ".0" { String::new() } else { rest };
        return format!("{}{rest}", short_name(name));
    }
    if let Some(bits) = terms.as_bv(term) {
        let width = u32::from(terms.width(term));
        let value = covenant_interpreter::machine::signed(bits, width);
        return if value < -4096 { format!("{bits:#x}") } else { value.to_string() };
    }
    if let Some(value) = terms.as_bool(term) {
        return value.to_string();
    }
    let node = *terms.node(term);
    let args: Vec<TermId> = node.args.iter().collect();
    let infix = |symbol: &str, left: &mut usize| {
        let (a, b) = (write(terms, args[0], left), write(terms, args[1], left));
        format!("({a} {symbol} {b})")
    };
    match node.op {
        Op::Not => negated(terms, args[0], left),
        Op::And => infix("&&", left),
        Op::Or => infix("||", left),
        Op::Eq | Op::FEq => infix("==", left),
        Op::Ite => {
            let (c, a, b) = (write(terms, args[0], left), write(terms, args[1], left), write(terms, args[2], left));
            format!("({c} ? {a} : {b})")
        }
        Op::Add | Op::FAdd => infix("+", left),
        Op::Sub | Op::FSub => infix("-", left),
        Op::Mul | Op::FMul => infix("*", left),
        Op::UDiv | Op::SDiv | Op::FDiv => infix("/", left),
        Op::URem | Op::SRem | Op::FRem => infix("%", left),
        Op::BvAnd => infix("&", left),
        Op::BvOr => infix("|", left),
        Op::BvXor => infix("^", left),
        Op::Shl => infix("<<", left),
        Op::LShr | Op::AShr => infix(">>", left),
        Op::Slt | Op::FLt => infix("<", left),
        Op::Sle | Op::FLe => infix("<=", left),
        Op::Ult => infix("<u", left),
        Op::Ule => infix("<=u", left),
        Op::ZExt | Op::SExt | Op::BoolToBv | Op::IeeeToF(_) | Op::FToIeee => write(terms, args[0], left),
        Op::Extract { hi, lo } => format!("{}[{hi}:{lo}]", write(terms, args[0], left)),
        Op::BvNot => format!("~{}", write(terms, args[0], left)),
        Op::BvNeg | Op::FNeg => format!("-{}", write(terms, args[0], left)),
        Op::Select => format!("{}[{}]", write(terms, args[0], left), write(terms, args[1], left)),
        op => {
            let list: Vec<String> = args.iter().map(|&a| write(terms, a, left)).collect();
            format!("{op:?}({})", list.join(", "))
        }
    }
}

fn negated(terms: &Terms, term: TermId, left: &mut usize) -> String {
    let node = *terms.node(term);
    let args: Vec<TermId> = node.args.iter().collect();
    let infix = |symbol: &str, left: &mut usize| {
        let (a, b) = (write(terms, args[0], left), write(terms, args[1], left));
        format!("({a} {symbol} {b})")
    };
    match node.op {
        Op::Eq => infix("!=", left),
        Op::Slt => infix(">=", left),
        Op::Sle => infix(">", left),
        Op::Ult => infix(">=u", left),
        Op::Ule => infix(">u", left),
        _ => format!("!{}", write(terms, term, left)),
    }
}
