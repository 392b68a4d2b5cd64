//! Numbers that do not fit, and errno.

use super::{Feature, INSIDE, Writer};

pub(super) const FEATURE: Feature =
    Feature { name: "errno", headers: &["errno", "stdlib"], declare, statement, value: None, outside: INSIDE };

fn declare(w: &mut Writer) {
    w.out += "static const char *const numbers[4] = {\"12\", \"-7x\", \"99999999999999999999\", \"\"};\n";
}

fn statement(w: &mut Writer) {
    let (x, condition) = (w.narrow(1).text, w.condition(1));
    let n = w.name("n");
    let lines = [
        "errno = 0;".to_owned(),
        format!("char *{n}end;"),
        format!("long {n} = strtol(numbers[({x}) & 3], &{n}end, 10);"),
        format!("if (errno == ERANGE && ({condition}))"),
        "  return 98;".to_owned(),
        format!("if (*{n}end && errno)"),
        "  return 99;".to_owned(),
    ];
    w.in_braces(&lines, |w| w.observe(&format!("(int)({n} % 1000)")));
}
