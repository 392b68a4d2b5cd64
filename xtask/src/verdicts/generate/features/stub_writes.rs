//! A function that nobody defines and that fills what it is given, or a global.

use super::{Exact, Feature, INSIDE, Outside, Writer};

pub(super) const FEATURE: Feature =
    Feature { name: "stub-writes", headers: &[], declare, statement, value: None, outside: OUTSIDE };

const OUTSIDE: Outside = Outside {
    ways: 64,
    setup: "fetch_way = way; fetched = 0; notice = 0;",
    text: "static unsigned fetch_way, fetched;
int fetch(signed char *to, int size)
{
  static const signed char bytes[8] = {0, 1, 7, 100, -1, 127, -128, 10};
  unsigned way = fetch_way + fetched++ * 5;
  for (int i = 0; i < size && (way & 1); i++)
    to[i] = bytes[(way / 2 + i) % 8];
  if (way & 16)
    notice = bytes[way / 3 % 8];
  return (int)(way % 5) - 1;
}
",
    exact: Exact::Never,
    ..INSIDE
};

fn declare(w: &mut Writer) {
    w.out += "int fetch(signed char *to, int size);\nsigned char notice;\n";
}

fn statement(w: &mut Writer) {
    let x = w.narrow(1).text;
    let b = w.name("b");
    let start = w.random.pick(&["{0}", "{1, 2, 3}", "{7, 7, 7}"]);
    let mut lines = vec![format!("signed char {b}[3] = {start};")];
    if w.random.percent(30) {
        lines.push("notice = 4;".to_owned());
    }
    lines.extend([
        format!("int {b}n = fetch({b}, 1 + (({x}) & 1));"),
        format!("if ({b}n < 0)"),
        "  return 65;".to_owned(),
    ]);
    w.in_braces(&lines, |w| match w.random.below(4) {
        0 => w.observe(&format!("{b}[0]")),
        1 => {
            w.line("if (notice == 7)");
            w.line("  return 66;");
            w.observe(&format!("({b}[0] - {b}[1])"));
        }
        2 => w.observe(&format!("({b}n > 0 ? {b}[1] : -3)")),
        _ => {
            w.line(&format!("if ({b}[0] == 100 && {b}[1] == -1)"));
            w.line("  return 67;");
        }
    });
}
