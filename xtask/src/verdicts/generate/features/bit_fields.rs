//! Bit-fields, signed and unsigned, across bytes, beside each other.

use super::{Feature, INSIDE, Value, Writer};

pub(super) const FEATURE: Feature =
    Feature { name: "bit-fields", headers: &[], declare, statement, value: Some(value), outside: INSIDE };

fn declare(w: &mut Writer) {
    w.out += "struct fields { unsigned a : 3; signed b : 6; unsigned c : 13; signed d : 1; _Bool e : 1; signed char f : 4; };
static int packed(struct fields s)
{
  if (s.d && s.e)
    return s.b;
  return s.a < 4 ? s.c : s.f;
}
";
}

fn statement(w: &mut Writer) {
    let (x, y) = (w.narrow(1).text, w.narrow(1).text);
    let s = w.name("s");
    // What does not fit is cut off by a mask: for signed fields C leaves the rest to the compiler.
    let lines = [
        format!("struct fields {s} = {{.a = ({x}) & 7, .c = 8191u & (unsigned)({y})}};"),
        format!("{s}.b = (({y}) & 63) - 32;"),
        format!("{s}.d = -(({x}) > 2);"),
        format!("{s}.e = ({y}) != 0;"),
        format!("{s}.f = (signed char)((({x}) & 15) - 8);"),
    ];
    w.in_braces(&lines, |w| {
        if w.random.percent(50) {
            let step = w.random.pick(&["a++", "c += 5", "c <<= 2", "a -= 3", "c ^= 4097"]);
            w.line(&format!("{s}.{step};"));
        }
        match w.random.below(3) {
            0 => w.observe(&format!("packed({s})")),
            1 => {
                let member = w.random.pick(&["a", "b", "c", "d", "e", "f"]);
                w.observe(&format!("(int){s}.{member}"));
            }
            _ => {
                w.line(&format!("if ({s}.a + {s}.b > {s}.f && {s}.c != 5)"));
                w.line("  return 9;");
            }
        }
    });
}

fn value(w: &mut Writer) -> Value {
    let x = w.narrow(0).text;
    Value { text: format!("(short)packed((struct fields){{.a = ({x}) & 7, .c = 77, .f = -2}})"), bits: 16 }
}
