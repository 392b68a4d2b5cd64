//! Arrays on the heap that grow, where each allocation may fail.

use super::{Feature, INSIDE, Outside, Writer};

pub(super) const FEATURE: Feature =
    Feature { name: "heap-resize", headers: &["stdlib"], declare, statement, value: None, outside: OUTSIDE };

const OUTSIDE: Outside = Outside {
    ways: 32,
    setup: "refused = way; resized = 0;",
    text: "static unsigned refused, resized;
void *__real_calloc(size_t, size_t);
void *__real_realloc(void *, size_t);
void *__wrap_calloc(size_t count, size_t size)
{
  if (!inside)
    return __real_calloc(count, size);
  if (resized >= 5)
    siglongjmp(home, GIVEN_UP);
  return refused >> resized++ & 1 ? 0 : __real_calloc(count, size);
}
void *__wrap_realloc(void *old, size_t size)
{
  if (!inside)
    return __real_realloc(old, size);
  if (resized >= 5)
    siglongjmp(home, GIVEN_UP);
  return refused >> resized++ & 1 ? 0 : __real_realloc(old, size);
}
",
    wrapped: &["calloc", "realloc"],
    ..INSIDE
};

fn declare(w: &mut Writer) {
    let first = w.random.pick(&["1", "2"]);
    w.out += &format!(
        "struct stack {{ short *items; unsigned count, room; }};
static int push(struct stack *s, short item)
{{
  if (s->count == s->room) {{
    unsigned room = s->room ? s->room * 2 : {first};
    short *items = realloc(s->items, room * sizeof *items);
    if (!items)
      return 0;
    s->items = items;
    s->room = room;
  }}
  s->items[s->count++] = item;
  return 1;
}}
"
    );
}

fn statement(w: &mut Writer) {
    let (x, y, z) = (w.narrow(1).text, w.narrow(1).text, w.narrow(0).text);
    let (s, n) = (w.name("s"), w.name("n"));
    let lines = if w.random.percent(50) {
        vec![
            format!("struct stack {s} = {{0}};"),
            format!("int {n} = 0;"),
            format!("for (int i = 0; i < (({z}) & 3); i++)"),
            format!("  {n} += push(&{s}, (short)(({x}) + i));"),
            format!("if ({n} != (int){s}.count)"),
            "  return 80;".to_owned(),
            format!("if ({s}.count > 1 && {s}.items[1] == (short)({y}))"),
            format!("  {n} = 60;"),
            format!("free({s}.items);"),
        ]
    } else {
        vec![
            format!("short *{s} = calloc(1 + (({x}) & 3), sizeof *{s});"),
            format!("if (!{s})"),
            "  return 81;".to_owned(),
            format!("if ({s}[({x}) & 3] != 0)"),
            "  return 82;".to_owned(),
            format!("{s}[0] = (short)({y});"),
            format!("int {n} = {s}[(({x}) & 3) == 0 ? 0 : ({x}) & 1];"),
            format!("free({s});"),
        ]
    };
    w.in_braces(&lines, |w| w.observe(&n));
}
