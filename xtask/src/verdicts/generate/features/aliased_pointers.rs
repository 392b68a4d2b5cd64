//! Two pointers from the caller, which may mean the same or overlap, and a global that they may mean.

use super::{Exact, Feature, INSIDE, Outside, Writer};

pub(super) const FEATURE: Feature =
    Feature { name: "aliased-pointers", headers: &[], declare, statement, value: None, outside: OUTSIDE };

const OUTSIDE: Outside = Outside {
    params: "signed char *one, signed char *two",
    args: "own_one, own_two",
    ways: 48,
    setup: "own_bytes[0] = (signed char)(way / 8 * 40 - 100); own_bytes[1] = 3; own_bytes[2] = own_bytes[0]; shared = (signed char)way; \
            own_one = own_bytes; own_two = own_bytes + 2; switch (way % 8) { case 1: own_two = own_one; break; case 2: own_one = \
            &shared; break; case 3: own_two = &shared; break; case 4: own_one = own_two = &shared; break; case 5: own_one = 0; break; case \
            6: own_two = 0; break; case 7: own_two = own_one + 1; }",
    text: "static signed char own_bytes[3], *own_one, *own_two;\n",
    exact: Exact::Never,
    ..INSIDE
};

fn declare(w: &mut Writer) {
    w.out += "signed char shared;
static void moved(signed char *to, const signed char *from)
{
  *to = 1;
  if (*from == 1)
    *to = 2;
}
";
}

fn statement(w: &mut Writer) {
    let x = w.narrow(1).text;
    if w.random.percent(80) {
        w.line("if (!one || !two)");
        w.line("  return 54;");
    }
    match w.random.below(5) {
        0 => {
            w.line("*one = 5;");
            w.line("*two = 6;");
            w.line("if (*one == 6)");
            w.line("  return 55;");
        }
        1 => {
            w.line(&format!("shared = (signed char)({x});"));
            w.line("*one = 9;");
            w.line(&format!("if (shared != (signed char)({x}))"));
            w.line("  return 56;");
        }
        2 => {
            w.line("moved(one, two);");
            w.observe("*one");
        }
        3 => {
            w.line("if (one == two)");
            w.line("  return 57;");
            w.line("if (one + 1 == two)");
            w.line("  return 58;");
        }
        _ => {
            w.line("if (one == &shared && two == &shared)");
            w.line("  return 59;");
            w.observe("(*one + *two)");
        }
    }
}
