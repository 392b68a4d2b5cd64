//! Recursion that hands a function on, and one that calls through a table at each level.

use super::{Feature, INSIDE, Value, Writer};

pub(super) const FEATURE: Feature =
    Feature { name: "recursion-callback", headers: &[], declare, statement, value: Some(value), outside: INSIDE };

fn declare(w: &mut Writer) {
    let (level, found) = (w.random.pick(&["3", "9", "40"]), w.random.pick(&["5", "1", "0", "11"]));
    w.out += &format!(
        "static int visited;
static int on_even(int level)
{{
  if (level == {found})
    visited++;
  return 2;
}}
static int on_odd(int level) {{ return level > {level} ? 1 : 0; }}
static int (*const handlers[2])(int) = {{on_even, on_odd}};
static int each(int n, int (*f)(int))
{{
  if (n <= 0)
    return 0;
  return f(n) + each(n - 1, f);
}}
static int there(int n);
static int back(int n)
{{
  if (n < 1)
    return 4;
  return handlers[n & 1](n) + there(n - 3);
}}
static int there(int n)
{{
  if (n > 30)
    return 9;
  return n > 0 ? back(n + 1) : 1;
}}
"
    );
}

fn statement(w: &mut Writer) {
    let (x, y) = (w.narrow(1).text, w.narrow(1).text);
    let function = w.random.pick(&["on_even", "on_odd"]);
    let call = match w.random.below(3) {
        0 => format!("each(({x}) & 15, {function})"),
        1 => format!("each(({x}) & 7, handlers[({y}) & 1])"),
        _ => format!("back(({x}) & 31)"),
    };
    w.in_braces(&["visited = 0;".to_owned()], |w| {
        w.observe(&call);
        w.line("if (visited > 0)");
        w.line("  return 6;");
    });
}

fn value(w: &mut Writer) -> Value {
    let x = w.narrow(0).text;
    Value { text: format!("(short)each(({x}) & 3, on_odd)"), bits: 16 }
}
