//! A list on the heap, where each allocation may fail.

use super::{Feature, INSIDE, Outside, Writer};

pub(super) const FEATURE: Feature =
    Feature { name: "heap-list", headers: &["stdlib"], declare, statement, value: None, outside: OUTSIDE };

const OUTSIDE: Outside = Outside {
    ways: 32,
    setup: "failures = way; allocated = 0;",
    text: "static unsigned failures, allocated;
void *__real_malloc(size_t);
void *__wrap_malloc(size_t size)
{
  if (!inside)
    return __real_malloc(size);
  if (allocated >= 5)
    siglongjmp(home, GIVEN_UP);
  return failures >> allocated++ & 1 ? 0 : __real_malloc(size);
}
",
    wrapped: &["malloc"],
    ..INSIDE
};

fn declare(w: &mut Writer) {
    let order = w.random.pick(&["<", ">="]);
    w.out += &format!(
        "struct link {{ signed char value; struct link *next; }};
static struct link *pushed(struct link *list, signed char value)
{{
  struct link *new = malloc(sizeof *new);
  if (!new)
    return list;
  new->value = value;
  new->next = list;
  return new;
}}
static struct link *inserted(struct link *list, signed char value)
{{
  struct link **at = &list, *new = malloc(sizeof *new);
  if (!new)
    return list;
  while (*at && (*at)->value {order} value)
    at = &(*at)->next;
  *new = (struct link){{value, *at}};
  *at = new;
  return list;
}}
static int released(struct link *list)
{{
  int count = 0;
  while (list) {{
    struct link *next = list->next;
    free(list);
    list = next;
    count++;
  }}
  return count;
}}
"
    );
}

fn statement(w: &mut Writer) {
    let (x, y, z) = (w.narrow(1).text, w.narrow(1).text, w.narrow(0).text);
    let (l, n) = (w.name("l"), w.name("n"));
    let way = w.random.pick(&["pushed", "inserted"]);
    let lines = [
        format!("struct link *{l} = 0;"),
        format!("for (int i = 0; i < (({z}) & 1) + 1; i++)"),
        format!("  {l} = {way}({l}, (signed char)(({x}) - i));"),
        format!("{l} = {way}({l}, (signed char)({y}));"),
        format!("int {n} = {l} ? {l}->value : -1;"),
        format!("if ({l} && {l}->next && {l}->value > {l}->next->value)"),
        format!("  {n} = 50;"),
        format!("if (released({l}) == 3)"),
        "  return 79;".to_owned(),
    ];
    w.in_braces(&lines, |w| w.observe(&n));
}
