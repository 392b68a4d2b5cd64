//! Floats and doubles made of integers: conversions, comparisons, values that are no numbers, functions of math.h.

use super::{Feature, INSIDE, Value, Writer};

pub(super) const FEATURE: Feature =
    Feature { name: "floats", headers: &["math"], declare, statement, value: Some(value), outside: INSIDE };

fn declare(w: &mut Writer) {
    let edge = w.random.pick(&["12.5", "0.1", "-3.0", "100.0"]);
    w.out += &format!(
        "static double damped(double x, double by)
{{
  if (x > {edge})
    return x - by;
  return x * 0.5;
}}
"
    );
}

fn statement(w: &mut Writer) {
    let (x, y) = (w.narrow(1).text, w.narrow(1).text);
    let f = w.name("f");
    let lines = match w.random.below(5) {
        0 => vec![
            format!("double {f} = damped((double)({x}), (double)({y}) / 3.0);"),
            format!("if ({f} == 0.5)"),
            "  return 15;".to_owned(),
        ],
        1 => vec![
            format!("float {f} = (float)({x}) / (float)({y});"),
            format!("if ({f} != {f})"),
            "  return 16;".to_owned(),
            format!("if (isinf({f}))"),
            format!("  {f} = -1.0f;"),
        ],
        2 => vec![
            format!("double {f} = floor((double)({x}) / 8.0) + fabs((double)({y}));"),
            format!("if ({f} < -4096.0)"),
            "  return 17;".to_owned(),
        ],
        3 => vec![
            format!("float {f} = 0.0f;"),
            format!("for (int i = 0; i < (({x}) & 7); i++)"),
            format!("  {f} += 0.1f;"),
            format!("if ({f} == 0.5f)"),
            "  return 18;".to_owned(),
        ],
        _ => vec![
            format!("double {f} = sqrt((double)(unsigned char)({x}));"),
            format!("if ({f} * {f} == (double)(unsigned char)({x}))"),
            "  return 19;".to_owned(),
        ],
    };
    w.in_braces(&lines, |w| {
        // In range of what it is converted to: all values are.
        w.observe(&format!("({f} > -30000.0 && {f} < 30000.0 ? (int){f} : 0)"));
    });
}

fn value(w: &mut Writer) -> Value {
    let (x, y) = (w.narrow(0).text, w.narrow(0).text);
    Value { text: format!("(int)((double)(short)({x}) * 0.25 - (double)(short)({y}) * 0.125)"), bits: 16 }
}
