//! Volatile locals, and a volatile variable of the file that keeps its value.

use super::{Feature, INSIDE, Writer};

pub(super) const FEATURE: Feature =
    Feature { name: "volatile-local", headers: &[], declare: |_| {}, statement, value: None, outside: INSIDE };

fn statement(w: &mut Writer) {
    let (x, y) = (w.narrow(1).text, w.narrow(1).text);
    let v = w.name("v");
    let lines = [
        format!("volatile short {v} = (short)({x});"),
        format!("if ({v} > (short)({y}))"),
        format!("  {v} = (short)({v} / 2);"),
    ];
    w.in_braces(&lines, |w| w.observe(&v));
}
