//! Unions: the same bytes as several types.

use super::{Feature, INSIDE, Value, Writer};

pub(super) const FEATURE: Feature =
    Feature { name: "unions", headers: &[], declare, statement, value: Some(value), outside: INSIDE };

fn declare(w: &mut Writer) {
    w.out += "union view { unsigned whole; unsigned char bytes[4]; short halves[2]; float real; };
struct tagged { unsigned char tag; union { signed char small; short wide; signed char *at; }; };
static int untag(const struct tagged *t)
{
  switch (t->tag) {
  case 0:
    return t->small;
  case 1:
    return t->wide;
  case 2:
    return t->at ? *t->at : -1;
  default:
    return 0;
  }
}
";
}

fn statement(w: &mut Writer) {
    let (x, y, z) = (w.narrow(1).text, w.narrow(1).text, w.narrow(0).text);
    let u = w.name("u");
    match w.random.below(3) {
        0 => {
            let lines = [
                format!("union view {u} = {{.whole = (unsigned short)({x})}};"),
                format!("{u}.bytes[({y}) & 3] ^= (unsigned char)({z});"),
            ];
            w.in_braces(&lines, |w| {
                let member = w.random.pick(&["halves[0]", "halves[1]", "bytes[1]", "bytes[3]"]);
                w.observe(&format!("{u}.{member}"));
            });
        }
        1 => {
            let lines = [format!("union view {u};"), format!("{u}.real = (float)(short)({x}) * 0.5f;")];
            w.in_braces(&lines, |w| {
                w.line(&format!("if ({u}.bytes[3] & 128)"));
                w.observe(&format!("{u}.bytes[2]"));
            });
        }
        _ => {
            let lines = [
                format!("signed char {u}c = (signed char)({x});"),
                format!("struct tagged {u} = {{.tag = (unsigned char)(({y}) & 3)}};"),
                format!("if ({u}.tag == 2)"),
                format!("  {u}.at = ({z}) == 3 ? 0 : &{u}c;"),
                "else".to_owned(),
                format!("  {u}.wide = (short)({z});"),
            ];
            w.in_braces(&lines, |w| w.observe(&format!("untag(&{u})")));
        }
    }
}

fn value(w: &mut Writer) -> Value {
    let (x, y) = (w.narrow(0).text, w.narrow(0).text);
    Value { text: format!("((union view){{.whole = (unsigned short)({x})}}).bytes[({y}) & 1]"), bits: 8 }
}
