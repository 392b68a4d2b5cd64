//! A callback of numbers: NULL, functions of the text, and several of the caller's own.

use super::{Exact, Feature, INSIDE, Outside, Writer};

pub(super) const FEATURE: Feature =
    Feature { name: "callback", headers: &[], declare, statement, value: None, outside: OUTSIDE };

const OUTSIDE: Outside = Outside {
    params: "int (*callback)(int)",
    args: "own_callback",
    ways: 24,
    setup: "own_callback = way == 0 ? 0 : way == 1 ? walk_on : way == 2 ? own_same : way == 3 ? own_count : own_fixed; fixed = \
            results[way]; counted = 0;",
    text: "static const int results[24] = {0, 0, 0, 0, 0, 1, -1, 2, 3, 5, 7, 10, 31, 64, 100, 127, -100, -128, 128, 255, 256, 1000, \
           0x7fffffff, -0x7fffffff - 1};
static int fixed, counted;
static int own_fixed(int x) { return fixed; }
static int own_same(int x) { return x; }
static int own_count(int x) { return counted++; }
static int (*own_callback)(int);
",
    exact: Exact::Never,
    ..INSIDE
};

fn declare(w: &mut Writer) {
    w.out += "static int steps;
int walk_on(int x);
int walk_on(int x)
{
  if (x > 50)
    steps++;
  return x & 7;
}
static int applied(int (*f)(int), int x)
{
  if (!f)
    return -1;
  return f(x);
}
";
}

fn statement(w: &mut Writer) {
    let (x, y) = (w.narrow(1).text, w.narrow(1).text);
    let c = w.name("c");
    match w.random.below(4) {
        0 => w.observe(&format!("applied(callback, (short)({x}))")),
        1 => {
            let lines = [format!("int {c} = callback((short)({x}));"), format!("if ({c} != callback((short)({y})))")];
            w.in_braces(&lines, |w| w.observe(&c));
        }
        2 => {
            w.line("steps = 0;");
            w.line(&format!("if (callback && callback((short)({x})) > 3 && steps == 1)"));
            w.line("  return 24;");
        }
        _ => {
            w.line(&format!("if (callback == walk_on && ({x}) > 2)"));
            w.line("  return 25;");
            w.observe(&format!("applied(({y}) & 1 ? callback : walk_on, 60)"));
        }
    }
}
