//! A function that nobody defines and that says yes or no: all sequences of answers.

use super::{Exact, Feature, INSIDE, Outside, Value, Writer};

pub(super) const FEATURE: Feature =
    Feature { name: "stub-answers", headers: &[], declare, statement, value: Some(value), outside: OUTSIDE };

const OUTSIDE: Outside = Outside {
    ways: 64,
    setup: "chances = way; chanced = 0;",
    text: "static unsigned chances, chanced;
_Bool chance(int about)
{
  if (chanced >= 6)
    siglongjmp(home, GIVEN_UP);
  return chances >> chanced++ & 1;
}
",
    exact: Exact::UnlessExposed,
    ..INSIDE
};

fn declare(w: &mut Writer) {
    w.out += "_Bool chance(int about);
static int tries(int most)
{
  int n = 0;
  while (n < most && !chance(n))
    n++;
  return n;
}
";
}

fn statement(w: &mut Writer) {
    let (x, condition) = (w.narrow(1).text, w.condition(1));
    match w.random.below(3) {
        0 => {
            w.line(&format!("if (chance((short)({x})) && ({condition}))"));
            w.line("  return 60;");
        }
        1 => {
            w.line("if (chance(1) != chance(1))");
            w.line("  return 61;");
        }
        _ => w.observe(&format!("tries(({x}) & 3)")),
    }
}

fn value(w: &mut Writer) -> Value {
    let x = w.narrow(0).text;
    Value { text: format!("chance((short)({x}))"), bits: 1 }
}
