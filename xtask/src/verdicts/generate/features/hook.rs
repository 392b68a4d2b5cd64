//! A function in a static variable that somebody registered before.
//!
//! The harness sets the variable and does not call `set_hook`: which of its branches code outside can take is not asked in a run
//! of the subject.

use super::{Exact, Feature, INSIDE, Outside, Writer};

pub(super) const FEATURE: Feature =
    Feature { name: "hook", headers: &[], declare, statement, value: None, outside: OUTSIDE };

const OUTSIDE: Outside = Outside {
    ways: 12,
    setup: "hook_way = way; hook = way == 0 ? 0 : way == 1 ? default_hook : own_hook;",
    text: "static unsigned hook_way;
static int own_hook(int x, int *to)
{
  static const int results[6] = {0, 1, -3, 7, 100, 0x7fffffff};
  if (hook_way & 1)
    *to = results[hook_way / 2];
  if (hook_way == 5)
    hook = default_hook;
  return hook_way & 2 ? x : results[(hook_way + 3) % 6];
}
",
    exact: Exact::Never,
    ..INSIDE
};

fn declare(w: &mut Writer) {
    w.out += "static int (*hook)(int x, int *to);
static int default_hook(int x, int *to)
{
  *to = x & 1;
  return 4;
}
void set_hook(int (*to)(int x, int *to));
void set_hook(int (*to)(int x, int *to)) { hook = to ? to : default_hook; }
";
}

fn statement(w: &mut Writer) {
    let x = w.narrow(1).text;
    let h = w.name("h");
    let mut lines = vec![format!("int {h} = 2;")];
    if w.random.percent(70) {
        lines.extend(["if (!hook)".to_owned(), "  return 112;".to_owned()]);
    }
    w.in_braces(&lines, |w| match w.random.below(3) {
        0 => {
            w.observe(&format!("hook((short)({x}), &{h})"));
            w.line(&format!("if ({h} == 7)"));
            w.line("  return 113;");
        }
        1 => {
            w.line("if (hook == default_hook)");
            w.line("  return 114;");
            w.line(&format!("hook((short)({x}), &{h});"));
            w.line("if (hook == default_hook)");
            w.line("  return 115;");
        }
        _ => {
            w.line("set_hook(0);");
            w.line(&format!("if (hook((short)({x}), &{h}) != 4 || {h} > 1)"));
            w.line("  return 116;");
        }
    });
}
