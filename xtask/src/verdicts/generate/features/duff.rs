//! Switches that fall through, with ranges, and with labels inside of a loop.

use super::{Feature, INSIDE, Writer};

pub(super) const FEATURE: Feature =
    Feature { name: "fall-through", headers: &[], declare: |_| {}, statement, value: None, outside: INSIDE };

fn statement(w: &mut Writer) {
    let (x, y) = (w.narrow(1).text, w.narrow(1).text);
    let (n, steps) = (w.name("n"), w.name("steps"));
    if w.random.percent(50) {
        let lines = [
            format!("int {n} = ({y}) & 7, {steps} = 0;"),
            format!("switch (({x}) & 3) {{"),
            "case 0:".to_owned(),
            "  do {".to_owned(),
            format!("    {steps}++;"),
            "  case 3:".to_owned(),
            format!("    {steps} += 2;"),
            "  case 2:".to_owned(),
            format!("    {steps}++;"),
            format!("  }} while (--{n} > 0);"),
            "}".to_owned(),
        ];
        return w.in_braces(&lines, |w| w.observe(&steps));
    }
    let lines = [
        format!("int {n} = 0;"),
        format!("switch ({x}) {{"),
        "case 1:".to_owned(),
        format!("  {n}++;"),
        "case 2 ... 5:".to_owned(),
        format!("  {n} += 3;"),
        "default:".to_owned(),
        format!("  {n} += 10;"),
        format!("  if (({y}) > 3)"),
        "    break;".to_owned(),
        "case -1:".to_owned(),
        "case 77:".to_owned(),
        format!("  {n} ^= 1;"),
        "}".to_owned(),
    ];
    w.in_braces(&lines, |w| w.observe(&n));
}
