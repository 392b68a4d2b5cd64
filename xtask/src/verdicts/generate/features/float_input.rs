//! A float and a double as parameters.

use super::{Exact, Feature, INSIDE, Outside, Writer};

pub(super) const FEATURE: Feature =
    Feature { name: "float-input", headers: &["math"], declare: |_| {}, statement, value: None, outside: OUTSIDE };

const OUTSIDE: Outside = Outside {
    params: "float real, double wide",
    args: "(float)reals[way_real], reals[way_wide]",
    ways: 256,
    setup: "way_real = way & 15; way_wide = way >> 4;",
    text: "static unsigned way_real, way_wide;
static const double reals[16] = {0.0, -0.0, 1.0, -1.0, 0.5, 0.1, 3.25, 100.0, -100.5, 1e30, -1e30, 1e-40, 16777216.0, 1.0 / 0.0, \
           -1.0 / 0.0, 0.0 / 0.0};
",
    exact: Exact::Never,
    ..INSIDE
};

fn statement(w: &mut Writer) {
    let x = w.narrow(1).text;
    match w.random.below(6) {
        0 => {
            w.line("if (real != real)");
            w.line("  return 39;");
            w.line("if (!(real < 1.0f) && !(real >= 1.0f))");
            w.line("  return 40;");
        }
        1 => {
            w.line("if (real + 1.0f == real && real < 1e9f)");
            w.line("  return 41;");
        }
        2 => w.observe(&format!("(wide > (double)({x}))")),
        3 => {
            w.line(&format!("if (wide - (double)real == 0.0 && ({x}) > 3)"));
            w.line("  return 42;");
            w.line("if (wide == (double)real && !(wide - (double)real == 0.0))");
            w.line("  return 43;");
        }
        4 => w.observe("(real > -1000.0f && real < 1000.0f ? (int)real : -1)"),
        _ => {
            w.line("if (wide == 0.0 && signbit(wide))");
            w.line("  return 44;");
            w.line("if (wide * wide < 0.0)");
            w.line("  return 45;");
        }
    }
}
