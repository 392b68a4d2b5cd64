//! Blocks of memory that are copied, moved, set and compared.

use super::{Feature, INSIDE, Writer};

pub(super) const FEATURE: Feature = Feature {
    name: "memory-functions",
    headers: &["string"],
    declare: |_| {},
    statement,
    value: None,
    outside: INSIDE,
};

fn statement(w: &mut Writer) {
    let (x, y, z) = (w.narrow(1).text, w.narrow(1).text, w.narrow(0).text);
    let m = w.name("m");
    let mut lines = vec![
        format!("signed char {m}[8] = {{1, (signed char)({x}), 3, (signed char)({y})}};"),
        format!("signed char {m}b[8];"),
        format!("memset({m}b, ({z}) & 127, sizeof {m}b);"),
    ];
    lines.push(match w.random.below(4) {
        0 => format!("memcpy({m}b + (({z}) & 3), {m}, ({x}) & 3);"),
        1 => format!("memmove({m} + 1, {m}, (unsigned char)({z}) & 7);"),
        2 => format!("memcpy({m}b, {m}, sizeof {m});"),
        _ => format!("if (memcmp({m}, {m}b, 1 + (({y}) & 1)) == 0)\n    return 20;"),
    });
    w.in_braces(&lines, |w| {
        let from = w.random.pick(&["", "b"]);
        w.observe(&format!("{m}{from}[({z}) & 7]"));
    });
}
