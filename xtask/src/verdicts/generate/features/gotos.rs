//! Jumps inside of the function: forwards over code, backwards as a loop, into a block.

use super::{Feature, INSIDE, Writer};

pub(super) const FEATURE: Feature =
    Feature { name: "gotos", headers: &[], declare: |_| {}, statement, value: None, outside: INSIDE };

fn statement(w: &mut Writer) {
    let (condition, other) = (w.condition(1), w.condition(1));
    let (label, i) = (w.name("label"), w.name("i"));
    match w.random.below(3) {
        0 => {
            w.line(&format!("if ({condition})"));
            w.line(&format!("  goto {label};"));
            w.block(0, 3);
            w.line(&format!("{label}:"));
            w.assign();
        }
        1 => {
            let bound = w.random.pick(&["2", "5", "30"]);
            w.in_braces(&[format!("int {i} = 0;"), format!("{label}:")], |w| {
                w.assign();
                w.line(&format!("if (++{i} < {bound} && ({condition}))"));
                w.line(&format!("  goto {label};"));
                w.line(&format!("if ({i} > {bound})"));
                w.line("  return 10;");
                w.observe(&i);
            });
        }
        _ => {
            w.line(&format!("if ({condition})"));
            w.line(&format!("  goto {label};"));
            w.line(&format!("if ({other}) {{"));
            w.assign();
            w.line(&format!("{label}:"));
            w.assign();
            w.line("  if (r == 3)");
            w.line("    return 11;");
            w.line("} else {");
            w.assign();
            w.line("}");
        }
    }
}
