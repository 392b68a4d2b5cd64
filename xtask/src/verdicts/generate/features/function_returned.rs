//! Functions that return functions, and functions in variables that change.

use super::{Feature, INSIDE, Value, Writer};

pub(super) const FEATURE: Feature =
    Feature { name: "function-returned", headers: &[], declare, statement, value: Some(value), outside: INSIDE };

fn declare(w: &mut Writer) {
    let edge = w.random.pick(&["0", "10", "-20", "100"]);
    w.out += &format!(
        "typedef int deed(int);
static int deed_up(int x) {{ return x > {edge} ? x : x + 1; }}
static int deed_down(int x) {{ return x > {edge} ? x - 1 : 3; }}
static deed *choose(int x)
{{
  if (x > {edge})
    return deed_down;
  return x < -({edge}) ? deed_up : 0;
}}
static deed *last_deed = deed_up;
"
    );
}

fn statement(w: &mut Writer) {
    let (x, y) = (w.narrow(1).text, w.narrow(1).text);
    let f = w.name("f");
    let lines = [format!("deed *{f} = choose((short)({x}));")];
    let use_global = w.random.percent(30);
    w.in_braces(&lines, |w| {
        if use_global {
            w.line(&format!("last_deed = {f} ? {f} : deed_up;"));
            w.line(&format!("if (last_deed == deed_down && (short)({x}) == 4)"));
            w.line("  return 8;");
            w.observe(&format!("last_deed((short)({y}))"));
        } else {
            w.line(&format!("if ({f})"));
            w.observe(&format!("{f}((short)({y}))"));
        }
    });
}

fn value(w: &mut Writer) -> Value {
    let (x, y) = (w.narrow(0).text, w.narrow(0).text);
    Value { text: format!("(short)(({x}) > 3 ? deed_up : deed_down)((short)({y}))"), bits: 16 }
}
