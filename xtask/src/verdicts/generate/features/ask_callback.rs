//! A callback that answers yes or no: all sequences of answers, and no callback at all.

use super::{Exact, Feature, INSIDE, Outside, Writer};

pub(super) const FEATURE: Feature =
    Feature { name: "callback-answers", headers: &[], declare: |_| {}, statement, value: None, outside: OUTSIDE };

const OUTSIDE: Outside = Outside {
    params: "_Bool (*ask)(void)",
    args: "asker",
    ways: 33,
    setup: "asker = way < 32 ? any_answer : 0; answers = way; answered = 0;",
    text: "static unsigned answers, answered;
static _Bool any_answer(void)
{
  if (answered >= 5)
    siglongjmp(home, GIVEN_UP);
  return answers >> answered++ & 1;
}
static _Bool (*asker)(void);
",
    exact: Exact::UnlessExposed,
    ..INSIDE
};

fn statement(w: &mut Writer) {
    let (x, condition) = (w.narrow(1).text, w.condition(1));
    match w.random.below(3) {
        0 => {
            w.line(&format!("if (ask && ask() && ({condition}))"));
            w.line("  return 21;");
        }
        1 => {
            w.line("if (!ask)");
            w.line("  return 22;");
            w.observe(&format!("(ask() ? (short)({x}) : -2)"));
        }
        _ => {
            let n = w.name("n");
            let lines = [
                format!("int {n} = 0;"),
                format!("while ({n} < 3 && ask())"),
                format!("  {n}++;"),
                format!("if ({n} > 3)"),
                "  return 23;".to_owned(),
            ];
            w.in_braces(&lines, |w| w.observe(&n));
        }
    }
}
