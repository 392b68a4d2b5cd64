//! Formulas in the manner of C, for comments: for people only, and shorter than SMT-LIB. Unsigned operations have a `u`
//! behind them where that matters (`<u`); what has no short form in C is written as a function.

use covenant_constraints::{Op, Sort, TermId, Terms};

/// Formulas with more nodes than this are not said again: nobody would read them.
const MOST_NODES: u32 = 60; // not tuning: how much is told

/// How tightly an operation binds; more is tighter.
type Level = u8;
const ATOM: Level = 12;

/// The formula, if it is short enough to be read.
pub(super) fn infix(terms: &Terms, formula: TermId) -> Option<String> {
    let mut left = MOST_NODES;
    text(terms, formula, &mut left).map(|(text, _)| text)
}

fn text(terms: &Terms, t: TermId, left: &mut u32) -> Option<(String, Level)> {
    *left = left.checked_sub(1)?;
    let node = terms.node(t);
    let args: Vec<TermId> = node.args.iter().collect();
    if let (Op::Not, &[inner]) = (node.op, args.as_slice())
        && let Some((word, level, swapped)) = negated(terms.op(inner))
    {
        let (a, b) = (terms.arg(inner, 0), terms.arg(inner, 1));
        return if swapped {
            binary(terms, (b, word, a), level, left)
        } else {
            binary(terms, (a, word, b), level, left)
        };
    }
    match (node.op, args.as_slice()) {
        (Op::Var(var), _) => Some((terms.var_name(var).to_owned(), ATOM)),
        (Op::BvConst(_), _) => Some((constant(terms, t), ATOM)),
        (Op::Not, &[a]) => prefix(terms, "!", a, left),
        (Op::BvNot, &[a]) => prefix(terms, "~", a, left),
        (Op::BvNeg | Op::FNeg, &[a]) => prefix(terms, "-", a, left),
        (op, &[a, b]) if word(op).is_some() => {
            let (word, level) = word(op)?;
            binary(terms, (a, word, b), level, left)
        }
        (Op::Ite, &[c, a, b]) => {
            let (c, a, b) = (text(terms, c, left)?.0, text(terms, a, left)?.0, text(terms, b, left)?.0);
            Some((format!("({c} ? {a} : {b})"), ATOM))
        }
        (op, args) => {
            let texts: Option<Vec<String>> = args.iter().map(|&a| text(terms, a, left).map(|(t, _)| t)).collect();
            let name = function(op, node.sort);
            Some((if args.is_empty() { name } else { format!("{name}({})", texts?.join(", ")) }, ATOM))
        }
    }
}

fn prefix(terms: &Terms, sign: &str, a: TermId, left: &mut u32) -> Option<(String, Level)> {
    Some((format!("{sign}{}", within(text(terms, a, left)?, ATOM - 1)), ATOM - 1))
}

fn binary(
    terms: &Terms,
    (a, word, b): (TermId, &str, TermId),
    level: Level,
    left: &mut u32,
) -> Option<(String, Level)> {
    let (a, b) = (text(terms, a, left)?, text(terms, b, left)?);
    // On the right the same operation needs parentheses only where grouping matters.
    let groups = !matches!(word, "&&" | "||" | "+" | "*" | "&" | "|" | "^");
    Some((format!("{} {word} {}", within(a, level), within(b, level + Level::from(groups))), level))
}

fn within((text, level): (String, Level), outer: Level) -> String {
    if level < outer { format!("({text})") } else { text }
}

/// Small numbers are most often meant as signed ones.
fn constant(terms: &Terms, t: TermId) -> String {
    let (Some(bits), Sort::Bv(w)) = (terms.as_bv(t), terms.sort(t)) else { return String::new() };
    let signed = covenant_constraints::sort::to_signed(bits, w);
    if w > 1 && signed < 0 && signed > -0x10000 {
        signed.to_string()
    } else if bits >= 0x10000 {
        format!("{bits:#x}")
    } else {
        bits.to_string()
    }
}

fn word(op: Op) -> Option<(&'static str, Level)> {
    Some(match op {
        Op::Or => ("||", 1),
        Op::And => ("&&", 2),
        Op::BvOr => ("|", 3),
        Op::BvXor => ("^", 4),
        Op::BvAnd => ("&", 5),
        Op::Eq | Op::FEq => ("==", 6),
        Op::Slt | Op::FLt => ("<", 7),
        Op::Sle | Op::FLe => ("<=", 7),
        Op::Ult => ("<u", 7),
        Op::Ule => ("<=u", 7),
        Op::Shl => ("<<", 8),
        Op::AShr => (">>", 8),
        Op::LShr => (">>u", 8),
        Op::Add | Op::FAdd => ("+", 9),
        Op::Sub | Op::FSub => ("-", 9),
        Op::Mul | Op::FMul => ("*", 10),
        Op::SDiv | Op::FDiv => ("/", 10),
        Op::SRem => ("%", 10),
        Op::UDiv => ("/u", 10),
        Op::URem => ("%u", 10),
        _ => return None,
    })
}

/// The comparison that holds where this one does not, and whether it swaps the operands. Not for floats, where neither may
/// hold.
fn negated(op: Op) -> Option<(&'static str, Level, bool)> {
    Some(match op {
        Op::Eq => ("!=", 6, false),
        Op::Slt => ("<=", 7, true),
        Op::Sle => ("<", 7, true),
        Op::Ult => ("<=u", 7, true),
        Op::Ule => ("<u", 7, true),
        _ => return None,
    })
}

fn function(op: Op, sort: Sort) -> String {
    match op {
        Op::True => "true".to_owned(),
        Op::False => "false".to_owned(),
        Op::FloatConst(_) => "constant".to_owned(),
        Op::Extract { hi, lo } => format!("bits_{hi}_to_{lo}"),
        Op::ZExt => format!("uint{}", sort.width()),
        Op::SExt => format!("int{}", sort.width()),
        Op::Select => "byte".to_owned(),
        Op::FToF(..) | Op::SToF(..) | Op::UToF(..) => "float".to_owned(),
        Op::FToS(_) | Op::FToU(_) => "integer".to_owned(),
        Op::IeeeToF(_) => "float_of_bits".to_owned(),
        Op::FToIeee => "bits_of_float".to_owned(),
        other => format!("{other:?}").split(['(', ' ']).next().unwrap_or_default().to_lowercase(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_as_c_writes_them() {
        let mut t = Terms::new();
        let (x, y) = (t.new_var("x", Sort::Bv(32)), t.new_var("y", Sort::Bv(32)));
        let (one, big) = (t.bv(u128::from(u32::MAX), 32), t.bv(0x12345, 32));
        let sum = t.raw(Op::Add, &[x, y], Sort::Bv(32));
        let product = t.raw(Op::Mul, &[sum, big], Sort::Bv(32));
        let less = t.raw(Op::Slt, &[one, product], Sort::Bool);
        let equal = t.raw(Op::Eq, &[x, y], Sort::Bool);
        let differ = t.raw(Op::Not, &[equal], Sort::Bool);
        let both = t.raw(Op::And, &[less, differ], Sort::Bool);
        assert_eq!(infix(&t, both).as_deref(), Some("-1 < (x + y) * 0x12345 && x != y"));
        let wide = t.zext(x, 64);
        let zero = t.bv(0, 64);
        let positive = t.raw(Op::Ult, &[zero, wide], Sort::Bool);
        let not = t.raw(Op::Not, &[positive], Sort::Bool);
        assert_eq!(infix(&t, not).as_deref(), Some("uint64(x) <=u 0"));
        let mut long = sum;
        for _ in 0..30 {
            long = t.raw(Op::Mul, &[long, long], Sort::Bv(32));
        }
        assert_eq!(infix(&t, long), None);
    }
}
