//! Variables that live on from call to call. The harness calls the subject again and again.

use super::{Exact, Feature, INSIDE, Outside, Writer};

pub(super) const FEATURE: Feature =
    Feature { name: "static-local", headers: &[], declare, statement, value: None, outside: OUTSIDE };

const OUTSIDE: Outside = Outside { exact: Exact::Never, ..INSIDE };

fn declare(w: &mut Writer) {
    let start = w.random.pick(&["0", "3", "250"]);
    w.out += &format!(
        "static int turn(void)
{{
  static unsigned char turns_taken = {start};
  KEEP(turns_taken)
  if (++turns_taken > 200)
    turns_taken = 1;
  return turns_taken;
}}
"
    );
}

fn statement(w: &mut Writer) {
    let x = w.narrow(1).text;
    let s = w.name("s");
    if w.random.percent(40) {
        return w.observe("turn()");
    }
    let lines = [
        format!("static short {s} = 1;"),
        format!("static _Bool {s}seen;"),
        format!("KEEP({s})"),
        format!("KEEP({s}seen)"),
        format!("if (!{s}seen) {{"),
        format!("  {s} = (short)({x});"),
        format!("  {s}seen = 1;"),
        "}".to_owned(),
        format!("{s} = (short)({s} / 2 + (signed char)({x}));"),
    ];
    w.in_braces(&lines, |w| w.observe(&s));
}
