//! A callback that changes what it is given the address of.

use super::{Exact, Feature, INSIDE, Outside, Writer};

pub(super) const FEATURE: Feature =
    Feature { name: "callback-effect", headers: &[], declare, statement, value: None, outside: OUTSIDE };

const OUTSIDE: Outside = Outside {
    params: "void (*change)(struct state *, int)",
    args: "changer",
    ways: 16,
    setup: "changer = way == 0 ? 0 : change_some; change_way = way;",
    text: "static unsigned change_way;
static void (*changer)(struct state *, int);
static void change_some(struct state *s, int by)
{
  static signed char there[4] = {1, -1, 5, 127};
  if (change_way & 1)
    s->count = change_way * 3 - 10;
  if (change_way & 2)
    s->at = change_way & 4 ? there + (change_way >> 3 & 1) : 0;
  if (change_way & 8)
    s->count += by;
}
",
    exact: Exact::Never,
    ..INSIDE
};

fn declare(w: &mut Writer) {
    w.out += "struct state { int count; const signed char *at; };\n";
}

fn statement(w: &mut Writer) {
    let (x, y) = (w.narrow(1).text, w.narrow(1).text);
    let s = w.name("s");
    let mut lines = vec![format!("struct state {s} = {{3, table}};")];
    if w.random.percent(50) {
        lines.push("if (change)".to_owned());
    }
    lines.push(format!("  change(&{s}, (short)({x}));"));
    if w.random.percent(60) {
        lines.extend([format!("if (!{s}.at)"), "  return 26;".to_owned()]);
    }
    w.in_braces(&lines, |w| {
        let what = w.random.pick(&["count", "at[0]", "at == table"]);
        w.observe(&format!("({s}.{what})"));
        if w.random.percent(40) {
            w.line(&format!("if ({s}.count == (short)({y}))"));
            w.line("  return 27;");
        }
    });
}
