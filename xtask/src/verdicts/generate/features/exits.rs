//! Ends of the program in the middle of a function.

use super::{Feature, INSIDE, Outside, Value, Writer};

pub(super) const FEATURE: Feature =
    Feature { name: "exits", headers: &["stdlib"], declare, statement, value: Some(value), outside: OUTSIDE };

const OUTSIDE: Outside = Outside {
    text: "void __real_exit(int);
void __wrap_exit(int status)
{
  if (!inside)
    __real_exit(status);
  siglongjmp(home, TRAPPED);
}
void __wrap_abort(void) { siglongjmp(home, TRAPPED); }
",
    wrapped: &["exit", "abort"],
    ..INSIDE
};

fn declare(w: &mut Writer) {
    let edge = w.random.pick(&["100", "0", "-50"]);
    w.out += &format!(
        "static int demand(int x)
{{
  if (x > {edge}) {{
    if (x == 127)
      abort();
    exit(x);
  }}
  return x;
}}
"
    );
}

fn statement(w: &mut Writer) {
    let (x, condition) = (w.narrow(1).text, w.condition(1));
    if w.random.percent(50) {
        w.line(&format!("if ({condition})"));
        w.line("  exit(2);");
        return;
    }
    w.observe(&format!("demand((short)({x}))"));
}

fn value(w: &mut Writer) -> Value {
    let x = w.narrow(0).text;
    Value { text: format!("demand((short)({x}))"), bits: 16 }
}
