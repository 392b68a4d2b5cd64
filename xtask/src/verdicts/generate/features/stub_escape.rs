//! A function that nobody defines and that keeps a pointer, through which another one writes later.

use super::{Exact, Feature, INSIDE, Outside, Writer};

pub(super) const FEATURE: Feature =
    Feature { name: "stub-escape", headers: &[], declare, statement, value: None, outside: OUTSIDE };

const OUTSIDE: Outside = Outside {
    ways: 32,
    setup: "later_way = way; lasted = 0;",
    text: "static unsigned later_way, lasted;
static int *held[2];
void hold(int *at)
{
  held[1] = lasted ? held[0] : at;
  held[0] = at;
  lasted = 1;
}
int later(void)
{
  static const int results[8] = {0, 1, 9, -4, 100, 77, 255, -1};
  if (lasted && (later_way & 1))
    *held[later_way >> 4] = results[later_way >> 1 & 7];
  return results[later_way >> 2 & 7];
}
",
    exact: Exact::Never,
    ..INSIDE
};

fn declare(w: &mut Writer) {
    w.out += "void hold(int *at);\nint later(void);\nstatic int kept = 3;\nstatic int secret = 4;\n";
}

/// What is held lives as long as the subject: after it nobody writes through it.
fn statement(w: &mut Writer) {
    let (x, condition) = (w.narrow(1).text, w.condition(1));
    match w.random.below(3) {
        0 => {
            w.line(&format!("kept = (short)({x});"));
            w.line(&format!("if ({condition})"));
            w.line("  hold(&kept);");
            w.line("later();");
            w.line(&format!("if (kept != (short)({x}))"));
            w.line("  return 68;");
        }
        1 => {
            w.line("hold(&kept);");
            w.line("kept = 5;");
            w.line("secret = 5;");
            w.observe("later()");
            w.line("if (kept == 9)");
            w.line("  return 69;");
            w.line("if (secret != 5)");
            w.line("  return 70;");
        }
        _ => {
            w.line("if (later() != kept)");
            w.observe("kept");
        }
    }
}
