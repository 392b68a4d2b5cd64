//! A function that nobody defines and that returns a pointer: NULL, to something of its own, into what it was given.

use super::{Exact, Feature, INSIDE, Outside, Writer};

pub(super) const FEATURE: Feature =
    Feature { name: "stub-pointer", headers: &[], declare, statement, value: None, outside: OUTSIDE };

const OUTSIDE: Outside = Outside {
    ways: 40,
    setup: "lookup_way = way;",
    text: "static unsigned lookup_way;
signed char *lookup(signed char *in, int size)
{
  static signed char own[2];
  own[0] = own[1] = (signed char)(lookup_way / 5 * 30 - 100);
  switch (lookup_way % 5) {
  case 0: return 0;
  case 1: return in;
  case 2: return in + size - 1;
  case 3: *in = 7; return in;
  default: return own;
  }
}
",
    exact: Exact::Never,
    ..INSIDE
};

fn declare(w: &mut Writer) {
    w.out += "signed char *lookup(signed char *in, int size);\n";
}

fn statement(w: &mut Writer) {
    let (x, y) = (w.narrow(1).text, w.narrow(1).text);
    let b = w.name("b");
    let mut lines = vec![
        format!("signed char {b}[3] = {{(signed char)({x}), 5, 6}};"),
        format!("signed char *{b}at = lookup({b}, 3);"),
    ];
    if w.random.percent(80) {
        lines.extend([format!("if (!{b}at)"), "  return 71;".to_owned()]);
    }
    w.in_braces(&lines, |w| match w.random.below(4) {
        0 => w.observe(&format!("*{b}at")),
        1 => {
            w.line(&format!("if ({b}at == {b} + 2)"));
            w.line("  return 72;");
            w.line(&format!("if ({b}[0] != (signed char)({x}))"));
            w.line("  return 73;");
        }
        2 => {
            w.line(&format!("*{b}at = (signed char)({y});"));
            w.observe(&format!("{b}[0]"));
        }
        _ => {
            w.line(&format!("if ({b}at != {b} && *{b}at == {b}[0])"));
            w.line("  return 74;");
        }
    });
}
