//! A function that nobody defines and that returns numbers.

use super::{Exact, Feature, INSIDE, Outside, Value, Writer};

pub(super) const FEATURE: Feature =
    Feature { name: "stub-number", headers: &[], declare, statement, value: Some(value), outside: OUTSIDE };

const OUTSIDE: Outside = Outside {
    ways: 64,
    setup: "measure_way = way; measured = 0;",
    text: "static unsigned measure_way, measured;
int measure(int about)
{
  static const int results[23] = {0, 1, -1, 2, 3, 5, 7, 10, 31, 64, 100, 127, -8, -100, -128, 128, 200, 255, 256, 1000, -129, 0x7fffffff, \
           -0x7fffffff - 1};
  return results[(measure_way + measured++ * (measure_way / 23)) % 23];
}
",
    exact: Exact::Never,
    ..INSIDE
};

fn declare(w: &mut Writer) {
    w.out += "int measure(int about);
static int largest(int times)
{
  int most = -1000;
  for (int i = 0; i < times; i++) {
    int now = measure(i);
    if (now > most)
      most = now;
  }
  return most;
}
";
}

fn statement(w: &mut Writer) {
    let (x, y) = (w.narrow(1).text, w.narrow(1).text);
    let m = w.name("m");
    match w.random.below(4) {
        0 => w.observe(&format!("measure((short)({x}))")),
        1 => w.observe(&format!("largest(({x}) & 3)")),
        2 => {
            w.line("if (measure(3) != measure(3))");
            w.line("  return 62;");
        }
        _ => {
            let lines = [
                format!("int {m} = measure((short)({x}));"),
                format!("if ({m} < 0)"),
                "  return 63;".to_owned(),
                format!("if ({m} % 8 > 7 || {m} == (short)({y}))"),
                "  return 64;".to_owned(),
            ];
            w.in_braces(&lines, |w| w.observe(&m));
        }
    }
}

fn value(w: &mut Writer) -> Value {
    let x = w.narrow(0).text;
    Value { text: format!("(short)measure((short)({x}))"), bits: 16 }
}
