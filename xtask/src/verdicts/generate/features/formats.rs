//! Numbers to text and back.

use super::{Feature, INSIDE, Writer};

pub(super) const FEATURE: Feature = Feature {
    name: "formats",
    headers: &["stdio", "string"],
    declare: |_| {},
    statement,
    value: None,
    outside: INSIDE,
};

fn statement(w: &mut Writer) {
    let (x, y) = (w.narrow(1).text, w.narrow(1).text);
    let (s, n) = (w.name("s"), w.name("n"));
    let call = match w.random.below(4) {
        0 => format!("snprintf({s}, sizeof {s}, \"%d\", (short)({x}))"),
        1 => format!("snprintf({s}, 4, \"%s%u\", \"ab\", (unsigned char)({x}))"),
        2 => format!("snprintf({s}, sizeof {s}, \"%x-%c\", (unsigned char)({x}), 'a' + (({y}) & 3))"),
        _ => format!("sscanf(({x}) > 0 ? \"17 x\" : \"-4\", \"%d %c\", &{n}a, {s})"),
    };
    let lines = [format!("char {s}[24] = \"\";"), format!("int {n}a = 5, {n} = {call};")];
    w.in_braces(&lines, |w| match w.random.below(3) {
        0 => w.observe(&n),
        1 => w.observe(&format!("({s}[0] + {n}a)")),
        _ => {
            w.line(&format!("if (strchr({s}, '-') && {n} > 3)"));
            w.line("  return 101;");
        }
    });
}
