//! A function that nobody defines and that is given a function of ours to call.

use super::{Exact, Feature, INSIDE, Outside, Writer};

pub(super) const FEATURE: Feature =
    Feature { name: "stub-callback", headers: &[], declare, statement, value: None, outside: OUTSIDE };

const OUTSIDE: Outside = Outside {
    ways: 40,
    setup: "visit_way = way; visitor = 0;",
    text: "static unsigned visit_way;
static int (*visitor)(void *, int);
static void *visitor_context;
static int visit_arguments[8] = {0, 1, -1, 7, 100, 255, -0x7fffffff - 1, 0x7fffffff};
int visit(int (*f)(void *, int), void *context)
{
  int result = 0;
  for (unsigned i = 0; i < visit_way % 5; i++)
    result = f(context, visit_arguments[(visit_way / 5 + i) % 8]);
  visitor = f;
  visitor_context = context;
  return visit_way & 1 ? result : 5;
}
void revisit(void)
{
  if (visitor && (visit_way & 2))
    visitor(visitor_context, visit_arguments[visit_way / 5]);
}
",
    exact: Exact::Never,
    ..INSIDE
};

fn declare(w: &mut Writer) {
    let edge = w.random.pick(&["50", "0", "254", "-1"]);
    w.out += &format!(
        "int visit(int (*f)(void *, int), void *context);
void revisit(void);
static int visits, context_cell;
static int on_visit(void *context, int x)
{{
  visits++;
  if (x > {edge})
    *(int *)context = 3;
  if (visits == 2)
    return -1;
  return x & 15;
}}
"
    );
}

fn statement(w: &mut Writer) {
    w.line("visits = 0;");
    w.line("context_cell = 1;");
    match w.random.below(3) {
        0 => {
            w.observe("visit(on_visit, &context_cell)");
            w.line("if (context_cell == 3 && visits > 1)");
            w.line("  return 75;");
        }
        1 => {
            w.line("visit(on_visit, &context_cell);");
            w.line("visits = 0;");
            w.line("revisit();");
            w.line("if (visits)");
            w.line("  return 76;");
        }
        _ => {
            w.line("revisit();");
            w.observe("(visits + context_cell)");
        }
    }
}
