//! setjmp and longjmp: out of functions, and back to where the subject waits.

use super::{Feature, INSIDE, Outside, Writer};

pub(super) const FEATURE: Feature =
    Feature { name: "jumps", headers: &["setjmp"], declare, statement, value: None, outside: OUTSIDE };

const OUTSIDE: Outside = Outside { jumps: true, ..INSIDE };

fn declare(w: &mut Writer) {
    let (edge, code) = (w.random.pick(&["3", "-50", "90"]), w.random.pick(&["x", "9", "x & 3", "0"]));
    w.out += &format!(
        "static jmp_buf landing;
static int risky(int x)
{{
  if (x > {edge})
    longjmp(landing, {code});
  return x & 7;
}}
static int deeper(int n, int x)
{{
  if (n <= 0)
    return risky(x);
  return deeper(n - 1, x) + 1;
}}
"
    );
}

/// Nothing that is written between setjmp and longjmp is read afterwards: it has no value then.
fn statement(w: &mut Writer) {
    let (x, y) = (w.narrow(1).text, w.narrow(1).text);
    let call = w.random.pick(&["risky((short)(X))", "deeper((Y) & 3, (short)(X))"]).replace('X', &x).replace('Y', &y);
    match w.random.below(3) {
        0 => {
            w.line("if (setjmp(landing) == 0) {");
            w.line(&format!("  if ({call} == 5)"));
            w.line("    return 83;");
            w.line("} else {");
            w.line(&format!("  if (({y}) > 2)"));
            w.line("    return 84;");
            w.line("}");
        }
        1 => {
            w.line("switch (setjmp(landing)) {");
            w.line("case 0:");
            w.line(&format!("  {call};"));
            w.line("  break;");
            w.line("case 1:");
            w.line("  return 85;");
            w.line("case 9:");
            w.line(&format!("  if (({y}) == 3)"));
            w.line("    return 86;");
            w.line("  break;");
            w.line("default:");
            w.line("  return 87;");
            w.line("}");
        }
        _ => {
            let n = w.name("n");
            let lines = [
                format!("volatile int {n} = 0;"),
                "if (setjmp(landing)) {".to_owned(),
                format!("  if ({n} > 1)"),
                "    return 88;".to_owned(),
                format!("  if ({n} == 0)"),
                "    return 89;".to_owned(),
                "}".to_owned(),
                format!("if ({n}++ < 2)"),
                format!("  {call};"),
                format!("if ({n} > 3)"),
                "  return 90;".to_owned(),
            ];
            w.in_braces(&lines, |w| w.assign());
        }
    }
}
