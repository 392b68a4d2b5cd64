//! Addresses as numbers: C says little about them.

use super::{Exact, Feature, INSIDE, Outside, Writer};

pub(super) const FEATURE: Feature =
    Feature { name: "pointer-numbers", headers: &["stdint"], declare, statement, value: None, outside: OUTSIDE };

const OUTSIDE: Outside = Outside { exact: Exact::Never, ..INSIDE };

fn declare(w: &mut Writer) {
    w.out += "static signed char lot[16], other_lot[16];\n";
}

fn statement(w: &mut Writer) {
    let x = w.narrow(1).text;
    let p = w.name("p");
    let lines = [
        format!("signed char {p}[8] = {{1, 2, 3, 4, 5, 6, 7, 8}}, {p}b[4] = {{0}};"),
        format!("uintptr_t {p}n = (uintptr_t)&{p}[({x}) & 7];"),
    ];
    w.in_braces(&lines, |w| match w.random.below(6) {
        0 => w.observe(&format!("(int)({p}n & 15)")),
        1 => {
            w.line(&format!("if ({p}n == 0)"));
            w.line("  return 93;");
            w.observe(&format!("*(signed char *){p}n"));
        }
        2 => {
            w.line(&format!("if ((uintptr_t){p} < (uintptr_t){p}b)"));
            w.line("  return 94;");
        }
        3 => {
            w.line("if ((uintptr_t)lot < (uintptr_t)other_lot)");
            w.line("  return 95;");
            w.observe(&format!("(int)({p}n - (uintptr_t){p})"));
        }
        4 => {
            w.line(&format!("if ({p}n - (uintptr_t){p} > 7)"));
            w.line("  return 96;");
        }
        _ => {
            w.line(&format!("if ({p}n % 4 == 3 && ({p}n >> 3) % 5 == 2)"));
            w.line("  return 97;");
        }
    });
}
