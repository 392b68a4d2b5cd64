//! A linked list from the caller: none, of some lengths, in a circle.

use super::{Exact, Feature, INSIDE, Outside, Writer};

pub(super) const FEATURE: Feature =
    Feature { name: "list-input", headers: &[], declare, statement, value: None, outside: OUTSIDE };

const OUTSIDE: Outside = Outside {
    params: "struct node *list",
    args: "own_list(list_way)",
    ways: 120,
    setup: "list_way = way;",
    text: "static unsigned list_way;
static struct node *own_list(unsigned way)
{
  static struct node all[3];
  static const signed char values[5] = {0, 3, -7, 100, 127};
  unsigned shape = way % 6, first = way / 6 % 5, second = way / 30;
  for (int i = 0; i < 3; i++) {
    all[i].value = values[(first + i * (second + 1)) % 5];
    all[i].next = i < 2 ? &all[i + 1] : 0;
  }
  switch (shape) {
  case 0: return 0;
  case 1: all[0].next = 0; break;
  case 2: all[1].next = 0; break;
  case 3: break;
  case 4: all[0].next = &all[0]; break;
  case 5: all[2].next = &all[1]; break;
  }
  return all;
}
",
    exact: Exact::Never,
    ..INSIDE
};

fn declare(w: &mut Writer) {
    let found = w.random.pick(&["100", "-7", "0"]);
    w.out += &format!(
        "struct node {{ signed char value; struct node *next; }};
static int length_of(const struct node *list)
{{
  int n = 0;
  for (; list && n < 6; list = list->next)
    n++;
  return n;
}}
static struct node *found_in(struct node *list)
{{
  int n = 0;
  while (list && n++ < 6) {{
    if (list->value == {found})
      return list;
    list = list->next;
  }}
  return 0;
}}
"
    );
}

fn statement(w: &mut Writer) {
    let x = w.narrow(1).text;
    let p = w.name("p");
    match w.random.below(4) {
        0 => w.observe("length_of(list)"),
        1 => {
            let lines = [format!("struct node *{p} = found_in(list);"), format!("if ({p})")];
            w.in_braces(&lines, |w| w.observe(&format!("({p} == list ? 1 : {p}->value + (short)({x}))")));
        }
        2 => {
            w.line("if (list && list->next == list)");
            w.line("  return 46;");
            w.line("if (list && list->next && list->next->next == list->next)");
            w.line("  return 47;");
        }
        _ => {
            w.line("if (!list || !list->next)");
            w.line("  return 48;");
            w.line(&format!("list->next->value = (signed char)({x});"));
            w.observe("list->value");
        }
    }
}
