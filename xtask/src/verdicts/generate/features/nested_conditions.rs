//! Conditions inside of others: as numbers, in arguments, in comparisons.

use super::{Feature, INSIDE, Value, Writer};

pub(super) const FEATURE: Feature =
    Feature { name: "nested-conditions", headers: &[], declare, statement, value: Some(value), outside: INSIDE };

fn declare(w: &mut Writer) {
    w.out += "static int both(int a, int b) { return a && b ? 2 : a || b; }\n";
}

fn statement(w: &mut Writer) {
    let (a, b, c) = (w.condition(1), w.condition(1), w.comparison(1));
    let n = w.name("n");
    match w.random.below(4) {
        0 => {
            w.line(&format!("if ((({a}) && ({b})) == ({c}))"));
            w.line("  return 122;");
        }
        1 => {
            let lines = [format!("int {n} = ({a}) || ({b});")];
            w.in_braces(&lines, |w| {
                w.line(&format!("if (!{n} && ({b}))"));
                w.line("  return 123;");
                w.observe(&n);
            });
        }
        2 => w.observe(&format!("both(({a}) && ({c}), !({b}))")),
        _ => {
            // Not as a condition itself: it would start where its first part does, and places are what tells branches apart.
            let lines = [format!("_Bool {n} = ({a}) ? ({b}) || ({c}) : ({c}) && ({b});")];
            w.in_braces(&lines, |w| w.observe(&n));
        }
    }
}

fn value(w: &mut Writer) -> Value {
    let (a, b, c) = (w.comparison(0), w.comparison(0), w.comparison(0));
    Value { text: format!("((({a}) && ({b})) + (({c}) || ({b})))"), bits: 2 }
}
