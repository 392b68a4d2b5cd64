//! An array from the caller with its length, which may be long.

use super::{Exact, Feature, INSIDE, Outside, Writer};

pub(super) const FEATURE: Feature =
    Feature { name: "array-input", headers: &[], declare, statement, value: None, outside: OUTSIDE };

const OUTSIDE: Outside = Outside {
    params: "const short *items, unsigned count",
    args: "own_items, own_count",
    ways: 48,
    setup: "own_count = own_counts[way % 8]; for (int i = 0; i < 300; i++) own_items[i] = (short)(way / 8 == 0 ? i : way / 8 == 1 ? -i : way \
            / 8 == 2 ? 7 : way / 8 == 3 ? i == 40 : way / 8 == 4 ? 1000 - i : i * i);",
    text: "static const unsigned own_counts[8] = {0, 1, 2, 3, 17, 41, 100, 300};
static short own_items[300];
static unsigned own_count;
",
    exact: Exact::Never,
    ..INSIDE
};

fn declare(w: &mut Writer) {
    w.out += "static int is_sorted(const short *items, unsigned count)
{
  for (unsigned i = 1; i < count; i++)
    if (items[i] < items[i - 1])
      return 0;
  return 1;
}
static int place_of(const short *items, unsigned count, short what)
{
  for (unsigned i = 0; i < count; i++)
    if (items[i] == what)
      return (int)i;
  return -1;
}
";
}

fn statement(w: &mut Writer) {
    let x = w.narrow(1).text;
    let s = w.name("s");
    match w.random.below(5) {
        0 => {
            let least = w.random.pick(&["1", "20", "64"]);
            w.line(&format!("if (count > {least} && is_sorted(items, count))"));
            w.line("  return 117;");
        }
        1 => w.observe(&format!("place_of(items, count, (short)({x}))")),
        2 => {
            let lines = [
                format!("int {s} = 0;"),
                "for (unsigned i = 0; i < count && i < 64; i++)".to_owned(),
                "  if (items[i] > 0)".to_owned(),
                format!("    {s}++;"),
                format!("if ({s} > 64)"),
                "  return 118;".to_owned(),
                format!("if ({s} > 30)"),
                "  return 119;".to_owned(),
            ];
            w.in_braces(&lines, |w| w.observe(&s));
        }
        3 => {
            w.line("if (count > 40 && items[40] == 1)");
            w.line("  return 120;");
        }
        _ => {
            w.line("if (count == 0)");
            w.line("  return 121;");
            w.observe("items[count - 1]");
        }
    }
}
