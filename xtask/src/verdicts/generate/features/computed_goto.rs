//! Jumps to addresses of labels.

use super::{Feature, INSIDE, Writer};

pub(super) const FEATURE: Feature =
    Feature { name: "computed-goto", headers: &[], declare, statement, value: None, outside: INSIDE };

fn declare(w: &mut Writer) {
    let step = w.random.pick(&["3", "-2", "7"]);
    w.out += &format!(
        "static int interpreted(const signed char *code, int count, int x)
{{
  static void *const go[3] = {{&&stop, &&add, &&halve}};
  int at = 0;
next:
  if (at >= count)
    return x;
  goto *go[(unsigned char)code[at++] % 3u];
add:
  x += {step};
  goto next;
halve:
  x /= 2;
  goto next;
stop:
  if (x < 0)
    return -1;
  return x + 1;
}}
"
    );
}

fn statement(w: &mut Writer) {
    let (x, y, z) = (w.narrow(1).text, w.narrow(1).text, w.narrow(0).text);
    let c = w.name("c");
    let lines = [format!("signed char {c}[3] = {{(signed char)({x}), (signed char)({y}), 0}};")];
    w.in_braces(&lines, |w| w.observe(&format!("interpreted({c}, ({z}) & 3, (short)({y}))")));
}
