//! Formulas as C would write them, with the names of the source. What is written is true: where C reads a value as signed and
//! the formula as unsigned, or the other way round, there is a cast. What has no short form is not written at all.

use covenant_constraints::sort::to_signed;
use covenant_constraints::{Op, Sort, TermId, Terms, VarId};

/// Formulas with more operations than this are not said: nobody would read them.
const MOST: u32 = 40; // not tuning: how much is told

/// How a value is read where C compares it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sign {
    /// It may be below zero.
    Signed,
    /// It is never below zero.
    Unsigned,
    /// Both readings are the same, as of a small constant.
    Either,
}

/// What a variable is called, and how C reads it; `None`: it has no name.
pub type Names<'a> = &'a dyn Fn(VarId) -> Option<(String, Sign)>;

/// A comparison with a number, from which ranges are made.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Bound {
    left: String,
    word: &'static str,
    number: i128,
}

struct Text {
    text: String,
    level: u8,
    sign: Sign,
}

const ATOM: u8 = 12; // not tuning: how tightly C binds
const UNARY: u8 = 11; // not tuning: how tightly C binds

/// A formula; `None` where it is too long or has no names.
pub fn formula(terms: &Terms, names: Names<'_>, term: TermId) -> Option<String> {
    all(terms, names, &[term])
}

/// Formulas that hold together, the bounds of a value as one.
pub fn all(terms: &Terms, names: Names<'_>, formulas: &[TermId]) -> Option<String> {
    let mut parts: Vec<TermId> = Vec::new();
    for &formula in formulas {
        conjuncts(terms, formula, &mut parts);
    }
    let (mut bounds, mut texts): (Vec<Bound>, Vec<String>) = (Vec::new(), Vec::new());
    let mut writer = Writer { terms, names, left: MOST };
    for part in parts {
        let (text, bound) = writer.condition(part, false)?;
        match bound {
            Some(bound) if !bounds.contains(&bound) => bounds.push(bound),
            None if !texts.contains(&text.text) => texts.push(within(&text, 2)),
            _ => {}
        }
    }
    let mut said = ranges(bounds);
    said.extend(texts);
    (!said.is_empty()).then(|| said.join(" and "))
}

/// A value as C reads it in this way; `None` where it is too long or has no names.
pub fn value(terms: &Terms, names: Names<'_>, term: TermId, sign: Sign) -> Option<String> {
    let mut writer = Writer { terms, names, left: MOST };
    if terms.sort(term) == Sort::Bool {
        return Some(writer.condition(term, false)?.0.text);
    }
    if let (Sign::Unsigned, Some(bits)) = (sign, terms.as_bv(term)) {
        return Some(bits.to_string());
    }
    Some(writer.value(term)?.text)
}

/// Adds the parts of a conjunction that are not there yet.
pub(super) fn conjuncts(terms: &Terms, formula: TermId, parts: &mut Vec<TermId>) {
    match terms.op(formula) {
        Op::And => terms.node(formula).args.iter().for_each(|part| conjuncts(terms, part, parts)),
        _ if terms.as_bool(formula) == Some(true) => {}
        _ if parts.contains(&formula) => {}
        _ => parts.push(formula),
    }
}

/// `x >= 0` and `x <= 7` is `0 <= x <= 7`.
fn ranges(bounds: Vec<Bound>) -> Vec<String> {
    let mut said = Vec::new();
    let mut left = bounds;
    while !left.is_empty() {
        let first = left.remove(0);
        let low = |b: &Bound| matches!(b.word, ">" | ">=");
        let high = |b: &Bound| matches!(b.word, "<" | "<=");
        let other =
            left.iter().position(|b| b.left == first.left && (low(&first) && high(b) || high(&first) && low(b)));
        let Some(other) = other.map(|at| left.remove(at)) else {
            said.push(format!("{} {} {}", first.left, first.word, first.number));
            continue;
        };
        let (least, most) = if low(&first) { (first, other) } else { (other, first) };
        let turned = if least.word == ">" { "<" } else { "<=" };
        if turned == "<=" && most.word == "<=" && least.number == most.number {
            said.push(format!("{} == {}", least.left, least.number));
        } else {
            said.push(format!("{} {turned} {} {} {}", least.number, least.left, most.word, most.number));
        }
    }
    said
}

struct Writer<'a> {
    terms: &'a Terms,
    names: Names<'a>,
    left: u32,
}

impl Writer<'_> {
    /// A Boolean term, or its opposite.
    fn condition(&mut self, t: TermId, negated: bool) -> Option<(Text, Option<Bound>)> {
        self.left = self.left.checked_sub(1)?;
        let terms = self.terms;
        let arg = |i| terms.arg(t, i);
        let plain = |text: Text| Some((text, None));
        match terms.op(t) {
            Op::Not => self.condition(arg(0), !negated),
            Op::True | Op::False => {
                let value = (terms.op(t) == Op::True) != negated;
                plain(Text { text: value.to_string(), level: ATOM, sign: Sign::Either })
            }
            op @ (Op::And | Op::Or) => {
                let (word, level) = if (op == Op::And) != negated { ("&&", 2) } else { ("||", 1) };
                let (a, b) = (self.condition(arg(0), negated)?.0, self.condition(arg(1), negated)?.0);
                plain(joined(&a, word, &b, level))
            }
            Op::Eq if terms.sort(arg(0)) == Sort::Bool => {
                // `a == false` is `!a`.
                if let Some(value) = terms.as_bool(arg(1)) {
                    return self.condition(arg(0), negated == value);
                }
                let (a, b) = (self.condition(arg(0), false)?.0, self.condition(arg(1), false)?.0);
                let (a, b) = (grouped(a), grouped(b));
                plain(joined(&a, if negated { "!=" } else { "==" }, &b, 6))
            }
            Op::Eq => self.compared(t, if negated { "!=" } else { "==" }, None),
            Op::Slt => self.compared(t, if negated { ">=" } else { "<" }, Some(Sign::Signed)),
            Op::Sle => self.compared(t, if negated { ">" } else { "<=" }, Some(Sign::Signed)),
            Op::Ult => self.compared(t, if negated { ">=" } else { "<" }, Some(Sign::Unsigned)),
            Op::Ule => self.compared(t, if negated { ">" } else { "<=" }, Some(Sign::Unsigned)),
            op @ (Op::FEq | Op::FLt | Op::FLe) => {
                let word = match op {
                    Op::FEq => "==",
                    Op::FLt => "<",
                    _ => "<=",
                };
                let (a, b) = (self.value(arg(0))?, self.value(arg(1))?);
                let text = joined(&a, word, &b, 7);
                plain(if negated { not(&text) } else { text })
            }
            Op::Ite => {
                let (c, a, b) = (
                    self.condition(arg(0), false)?.0,
                    self.condition(arg(1), negated)?.0,
                    self.condition(arg(2), negated)?.0,
                );
                plain(Text { text: format!("({} ? {} : {})", c.text, a.text, b.text), level: ATOM, sign: Sign::Either })
            }
            Op::Var(_) => {
                let text = self.value(t)?;
                plain(if negated { not(&text) } else { text })
            }
            _ => None,
        }
    }

    /// A comparison, numbers behind.
    fn compared(&mut self, t: TermId, word: &'static str, sign: Option<Sign>) -> Option<(Text, Option<Bound>)> {
        let terms = self.terms;
        let (mut a, mut b) = (terms.arg(t, 0), terms.arg(t, 1));
        let mut word = word;
        if terms.is_const(a) && !terms.is_const(b) {
            (a, b) = (b, a);
            word = mirrored(word);
        }
        // `(c ? 1 : 0) == 1` is `c`.
        if let (Op::BoolToBv, Some(bits)) = (terms.op(a), terms.as_bv(b))
            && matches!(word, "==" | "!=")
        {
            let holds = (bits == 1) == (word == "==");
            return Some((self.condition(terms.arg(a, 0), !holds)?.0, None));
        }
        let mut left = self.value(a)?;
        // Of an equation the reading does not matter to what is true, but to the number that is written.
        let is_equation = sign.is_none();
        let sign = sign.unwrap_or(if left.sign == Sign::Signed { Sign::Signed } else { Sign::Unsigned });
        left = read_as(left, sign, width_of(terms, a))?;
        if let Some(bits) = terms.as_bv(b) {
            let number = if sign == Sign::Signed { to_signed(bits, terms.width(b)) } else { bits as i128 };
            let (word, number) = tidy(word, number, sign);
            let bound = Bound { left: within(&left, 7), word, number };
            let text = format!("{} {word} {number}", bound.left);
            let is_range = !matches!(word, "==" | "!=");
            let text = Text { text, level: if is_range { 7 } else { 6 }, sign: Sign::Either };
            return Some((text, is_range.then_some(bound)));
        }
        let right = self.value(b)?;
        // C compares with `==` what is as wide as `int` without regard to signs.
        let is_wide = width_of(terms, b).is_some_and(|width| width >= 32);
        let right = if is_equation && is_wide { right } else { read_as(right, sign, width_of(terms, b))? };
        let level = if matches!(word, "==" | "!=") { 6 } else { 7 };
        Some((joined(&left, word, &right, level), None))
    }

    fn value(&mut self, t: TermId) -> Option<Text> {
        self.left = self.left.checked_sub(1)?;
        let terms = self.terms;
        let atom = |text: String, sign| Some(Text { text, level: ATOM, sign });
        if let Some(bits) = terms.as_bv(t) {
            let signed = to_signed(bits, terms.width(t));
            let sign = if signed >= 0 { Sign::Either } else { Sign::Signed };
            return atom(signed.to_string(), sign);
        }
        if let Some(var) = terms.as_var(t) {
            let (name, sign) = (self.names)(var)?;
            return atom(name, sign);
        }
        let args: Vec<TermId> = terms.node(t).args.iter().collect();
        match (terms.op(t), args.as_slice()) {
            (Op::BoolToBv, &[a]) => {
                let inner = self.condition(a, false)?.0;
                atom(format!("({})", inner.text), Sign::Either)
            }
            (Op::ZExt, &[a]) => {
                let inner = self.value(a)?;
                let width = width_of(terms, a);
                Some(Text { sign: Sign::Either, ..read_as(inner, Sign::Unsigned, width)? })
            }
            (Op::SExt, &[a]) => {
                let inner = self.value(a)?;
                let width = width_of(terms, a);
                Some(Text { sign: Sign::Signed, ..read_as(inner, Sign::Signed, width)? })
            }
            (Op::Extract { hi, lo }, &[a]) if hi - lo < 31 && (lo > 0 || !matches!(hi, 7 | 15)) => {
                let inner = self.value(a)?;
                let mask = (1u64 << (hi - lo + 1)) - 1;
                let shifted = match lo {
                    0 => within(&inner, 6),
                    lo => format!("{} >> {lo}", within(&inner, 8)),
                };
                atom(format!("({shifted} & {mask})"), Sign::Unsigned)
            }
            (Op::Extract { hi, lo: 0 }, &[a]) if matches!(hi, 7 | 15 | 31) => {
                let inner = self.value(a)?;
                let text = format!("(uint{}_t){}", u32::from(hi) + 1, within(&inner, UNARY));
                Some(Text { text, level: UNARY, sign: Sign::Unsigned })
            }
            (Op::Ite, &[c, a, b]) => {
                let (c, a, b) = (self.condition(c, false)?.0, self.value(a)?, self.value(b)?);
                let sign = common(a.sign, b.sign);
                atom(format!("({} ? {} : {})", c.text, a.text, b.text), sign)
            }
            (Op::BvNot, &[a]) => self.prefixed("~", a),
            (Op::BvNeg | Op::FNeg, &[a]) => self.prefixed("-", a),
            (op, &[a, b]) => self.binary(op, a, b),
            _ => None,
        }
    }

    fn prefixed(&mut self, word: &str, a: TermId) -> Option<Text> {
        let inner = self.value(a)?;
        let sign = if inner.sign == Sign::Either { Sign::Signed } else { inner.sign };
        Some(Text { text: format!("{word}{}", within(&inner, UNARY)), level: UNARY, sign })
    }

    fn binary(&mut self, op: Op, a: TermId, b: TermId) -> Option<Text> {
        let (word, level, needs) = match op {
            Op::Add | Op::FAdd => ("+", 9, None),
            Op::Sub | Op::FSub => ("-", 9, None),
            Op::Mul | Op::FMul => ("*", 10, None),
            Op::BvAnd => ("&", 5, None),
            Op::BvOr => ("|", 3, None),
            Op::BvXor => ("^", 4, None),
            Op::Shl => ("<<", 8, None),
            Op::AShr => (">>", 8, Some(Sign::Signed)),
            Op::LShr => (">>", 8, Some(Sign::Unsigned)),
            Op::SDiv => ("/", 10, Some(Sign::Signed)),
            Op::FDiv => ("/", 10, None),
            Op::SRem => ("%", 10, Some(Sign::Signed)),
            Op::UDiv => ("/", 10, Some(Sign::Unsigned)),
            Op::URem => ("%", 10, Some(Sign::Unsigned)),
            _ => return None,
        };
        let width = width_of(self.terms, a);
        let left = self.value(a)?;
        // `x + -1` is `x - 1`.
        if op == Op::Add
            && let Some(bits) = self.terms.as_bv(b)
            && let number @ ..=-1 = to_signed(bits, self.terms.width(b))
        {
            let right = Text { text: (-number).to_string(), level: ATOM, sign: Sign::Either };
            return Some(Text { sign: left.sign, ..joined(&left, "-", &right, 9) });
        }
        let right = self.value(b)?;
        let (left, right) = match needs {
            Some(sign) => (read_as(left, sign, width)?, read_as(right, sign, width)?),
            None => (left, right),
        };
        let sign = match needs {
            Some(sign) => sign,
            None => Some(common(left.sign, right.sign)).filter(|s| *s != Sign::Either).unwrap_or(Sign::Signed),
        };
        Some(Text { sign, ..joined(&left, word, &right, level) })
    }
}

fn width_of(terms: &Terms, t: TermId) -> Option<u8> {
    match terms.sort(t) {
        Sort::Bv(width) => Some(width),
        _ => None,
    }
}

/// How C reads what has operands of these kinds.
fn common(a: Sign, b: Sign) -> Sign {
    match (a, b) {
        (Sign::Unsigned, _) | (_, Sign::Unsigned) => Sign::Unsigned,
        (Sign::Either, other) => other,
        (signed, _) => signed,
    }
}

/// With a cast where C would read it otherwise; `None` where C has none.
fn read_as(text: Text, sign: Sign, width: Option<u8>) -> Option<Text> {
    if text.sign == Sign::Either || text.sign == sign {
        return Some(text);
    }
    let kind = if sign == Sign::Signed { "int" } else { "uint" };
    let width = width.filter(|width| matches!(width, 8 | 16 | 32 | 64))?;
    Some(Text { text: format!("({kind}{width}_t){}", within(&text, UNARY)), level: UNARY, sign })
}

/// In parentheses, unless it is short.
fn grouped(text: Text) -> Text {
    if text.level >= UNARY { text } else { Text { text: format!("({})", text.text), level: ATOM, sign: text.sign } }
}

fn not(text: &Text) -> Text {
    Text { text: format!("!{}", within(text, ATOM)), level: UNARY, sign: Sign::Either }
}

fn joined(a: &Text, word: &str, b: &Text, level: u8) -> Text {
    let groups = !matches!(word, "&&" | "||" | "+" | "*" | "&" | "|" | "^");
    let text = format!("{} {word} {}", within(a, level), within(b, level + u8::from(groups)));
    Text { text, level, sign: Sign::Either }
}

fn within(text: &Text, outer: u8) -> String {
    if text.level < outer { format!("({})", text.text) } else { text.text.clone() }
}

fn mirrored(word: &'static str) -> &'static str {
    match word {
        "<" => ">",
        "<=" => ">=",
        ">" => "<",
        ">=" => "<=",
        other => other,
    }
}

/// `x > -1` is `x >= 0` for people.
fn tidy(word: &'static str, number: i128, sign: Sign) -> (&'static str, i128) {
    match (word, number) {
        (">", -1) => (">=", 0),
        ("<", 1) if sign == Sign::Unsigned => ("<=", 0),
        (word, number) => (word, number),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(terms: &Terms, formulas: &[TermId]) -> Option<String> {
        let names = |var: VarId| {
            let name = terms.var_name(var);
            let sign = if name.starts_with('u') { Sign::Unsigned } else { Sign::Signed };
            Some((name.to_owned(), sign))
        };
        all(terms, &names, formulas)
    }

    #[test]
    fn bounds_are_ranges() {
        let mut t = Terms::new();
        let x = t.new_var("x", Sort::Bv(32));
        let (zero, seven, low) = (t.bv(0, 32), t.bv(7, 32), t.bv(u128::from(u32::MAX), 32));
        let below = t.raw(Op::Slt, &[x, zero], Sort::Bool);
        let least = t.raw(Op::Not, &[below], Sort::Bool);
        let most = t.raw(Op::Sle, &[x, seven], Sort::Bool);
        assert_eq!(said(&t, &[most, least]).as_deref(), Some("0 <= x <= 7"));
        let above = t.raw(Op::Slt, &[low, x], Sort::Bool);
        assert_eq!(said(&t, &[above]).as_deref(), Some("x >= 0"));
        assert_eq!(said(&t, &[below]).as_deref(), Some("x < 0"));
        let both = t.raw(Op::Or, &[below, most], Sort::Bool);
        let neither = t.raw(Op::Not, &[both], Sort::Bool);
        assert_eq!(said(&t, &[neither]).as_deref(), Some("x >= 0 && x > 7"));
    }

    #[test]
    fn readings_that_are_not_those_of_c_have_a_cast() {
        let mut t = Terms::new();
        let (x, u) = (t.new_var("x", Sort::Bv(32)), t.new_var("u", Sort::Bv(32)));
        let ten = t.bv(10, 32);
        let small = t.raw(Op::Ult, &[x, ten], Sort::Bool);
        assert_eq!(said(&t, &[small]).as_deref(), Some("(uint32_t)x < 10"));
        let small = t.raw(Op::Ult, &[u, ten], Sort::Bool);
        assert_eq!(said(&t, &[small]).as_deref(), Some("u < 10"));
        let signed = t.raw(Op::Slt, &[u, x], Sort::Bool);
        assert_eq!(said(&t, &[signed]).as_deref(), Some("(int32_t)u < x"));
        let wide = t.raw(Op::ZExt, &[x], Sort::Bv(64));
        let big = t.bv(10, 64);
        let wide = t.raw(Op::Slt, &[wide, big], Sort::Bool);
        assert_eq!(said(&t, &[wide]).as_deref(), Some("(uint32_t)x < 10"));
    }

    #[test]
    fn bits_are_masks() {
        let mut t = Terms::new();
        let x = t.new_var("x", Sort::Bv(32));
        let low = t.raw(Op::Extract { hi: 0, lo: 0 }, &[x], Sort::Bv(1));
        let one = t.bv(1, 1);
        let odd = t.raw(Op::Eq, &[low, one], Sort::Bool);
        assert_eq!(said(&t, &[odd]).as_deref(), Some("(x & 1) == 1"));
        let high = t.raw(Op::Extract { hi: 11, lo: 8 }, &[x], Sort::Bv(4));
        let all = t.bv(15, 4);
        let set = t.raw(Op::Eq, &[high, all], Sort::Bool);
        assert_eq!(said(&t, &[set]).as_deref(), Some("(x >> 8 & 15) == 15"));
    }

    #[test]
    fn what_is_long_is_not_said() {
        let mut t = Terms::new();
        let x = t.new_var("x", Sort::Bv(32));
        let mut long = x;
        for _ in 0..20 {
            long = t.raw(Op::Mul, &[long, long], Sort::Bv(32));
        }
        let equal = t.raw(Op::Eq, &[long, x], Sort::Bool);
        assert_eq!(said(&t, &[equal]), None);
    }
}
