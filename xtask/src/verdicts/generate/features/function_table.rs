//! Calls through tables of functions, some with data beside the function.

use super::{Feature, INSIDE, Value, Writer};

pub(super) const FEATURE: Feature =
    Feature { name: "function-table", headers: &[], declare, statement, value: Some(value), outside: INSIDE };

fn declare(w: &mut Writer) {
    let twist = w.random.pick(&["x > 90", "x == -3", "x & 4", "x < 0"]);
    let hole = w.random.pick(&["0", "op_twist"]);
    w.out += &format!(
        "static int op_same(int x) {{ return x; }}
static int op_less(int x) {{ return x - 5; }}
static int op_twist(int x)
{{
  if ({twist})
    return 7;
  return -x;
}}
static int (*const operations[4])(int) = {{op_same, op_less, op_twist, {hole}}};
static const struct command {{ signed char code; int (*run)(int); }} commands[3] = {{{{3, op_less}}, {{-1, op_twist}}, {{7, op_same}}}};
"
    );
}

fn statement(w: &mut Writer) {
    let (index, x) = (w.narrow(1).text, w.narrow(1).text);
    let (f, i) = (w.name("f"), w.name("i"));
    if w.random.percent(50) {
        let lines = [format!("int (*{f})(int) = operations[({index}) & 3];")];
        return w.in_braces(&lines, |w| {
            w.line(&format!("if (!{f})"));
            w.line("  return 5;");
            w.observe(&format!("{f}((short)({x}))"));
        });
    }
    let lines = [format!("for (int {i} = 0; {i} < 3; {i}++)"), format!("  if (commands[{i}].code == ({index})) {{")];
    w.in_braces(&lines, |w| {
        w.indent += 1;
        w.observe(&format!("commands[{i}].run((short)({x}))"));
        w.indent -= 1;
        w.line("  }");
    });
}

fn value(w: &mut Writer) -> Value {
    let (index, x) = (w.narrow(0).text, w.narrow(0).text);
    Value { text: format!("(short)operations[(({index}) & 3) % 3]((short)({x}))"), bits: 16 }
}
