//! Structs by value: in registers, in memory, returned, copied, with arrays inside.

use super::{Feature, INSIDE, Value, Writer};

pub(super) const FEATURE: Feature =
    Feature { name: "struct-value", headers: &[], declare, statement, value: Some(value), outside: INSIDE };

fn declare(w: &mut Writer) {
    let edge = w.random.pick(&["5", "-9", "64", "0"]);
    w.out += &format!(
        "struct small {{ signed char a; short b; }};
struct mixed {{ double weight; signed char tag; }};
struct large {{ short cells[9]; struct small inner; long long sum; }};
static struct small turned(struct small s)
{{
  struct small t = {{(signed char)s.b, s.a}};
  if (s.a > {edge})
    t.b = 1;
  return t;
}}
static struct mixed weighed(signed char tag, struct mixed m)
{{
  m.weight += tag;
  m.tag ^= tag;
  return m;
}}
static struct large filled(struct large l, int at, short what)
{{
  l.cells[at % 9u] = what;
  l.inner = turned(l.inner);
  l.sum += what;
  return l;
}}
static int summary(struct large l)
{{
  if (l.inner.a == l.cells[2])
    return 3;
  return (short)l.sum + l.cells[8];
}}
"
    );
}

fn statement(w: &mut Writer) {
    let (x, y, z) = (w.narrow(1).text, w.narrow(1).text, w.narrow(0).text);
    let s = w.name("s");
    match w.random.below(3) {
        0 => {
            let lines = [format!("struct small {s} = turned((struct small){{(signed char)({x}), (short)({y})}});")];
            w.in_braces(&lines, |w| {
                let member = w.random.pick(&["a", "b"]);
                w.observe(&format!("{s}.{member}"));
            });
        }
        1 => {
            let lines = [
                format!("struct mixed {s} = weighed((signed char)({x}), (struct mixed){{0.5, (signed char)({y})}});"),
                format!("if ({s}.weight > 3.0)"),
            ];
            w.in_braces(&lines, |w| w.observe(&format!("{s}.tag")));
        }
        _ => {
            let lines = [
                format!("struct large {s} = {{.inner = {{(signed char)({x}), 3}}, .sum = 4}};"),
                format!("struct large {s}b = filled({s}, (unsigned char)({z}), (short)({y}));"),
                format!("{s} = filled({s}b, 2, {s}.cells[1]);"),
            ];
            w.in_braces(&lines, |w| w.observe(&format!("summary({s})")));
        }
    }
}

fn value(w: &mut Writer) -> Value {
    let (x, y) = (w.narrow(0).text, w.narrow(0).text);
    Value { text: format!("turned((struct small){{(signed char)({x}), (short)({y})}}).b"), bits: 16 }
}
