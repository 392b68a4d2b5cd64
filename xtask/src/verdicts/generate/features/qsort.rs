//! The library calls back while it sorts. Which pairs it compares, and how equal ones end up, C does not say.

use super::{Exact, Feature, INSIDE, Outside, Writer};

pub(super) const FEATURE: Feature =
    Feature { name: "qsort", headers: &["stdlib"], declare, statement, value: None, outside: OUTSIDE };

const OUTSIDE: Outside = Outside {
    ways: 4,
    setup: "sort_way = way;",
    text: "typedef int comparison(const void *, const void *);
static unsigned sort_way;
void __real_qsort(void *, size_t, size_t, comparison *);
static void sort_swap(char *a, char *b, size_t size)
{
  for (size_t i = 0; i < size; i++) {
    char t = a[i];
    a[i] = b[i];
    b[i] = t;
  }
}
void __wrap_qsort(void *base, size_t count, size_t size, comparison *compare)
{
  char *all = base;
  if (!inside || sort_way == 0) {
    __real_qsort(base, count, size, compare);
    return;
  }
  for (size_t i = 0; i < count; i++)
    for (size_t j = i + 1; j < count; j++) {
      char *a = all + i * size, *b = all + j * size;
      if (sort_way == 1 ? compare(a, b) > 0 : sort_way == 2 ? compare(b, a) <= 0 : compare(a, a) || compare(b, a) < 0)
        sort_swap(a, b, size);
    }
}
",
    wrapped: &["qsort"],
    exact: Exact::Never,
    ..INSIDE
};

fn declare(w: &mut Writer) {
    let key = w.random.pick(&["x->key / 16", "x->key", "(x->key & 12)"]);
    let other = key.replace('x', "y");
    w.out += &format!(
        "struct entry {{ signed char key, mark; }};
static int sorted_equal, sorted_same;
static int by_key(const void *a, const void *b)
{{
  const struct entry *x = a, *y = b;
  if ({key} == {other}) {{
    sorted_equal++;
    if (x == y)
      sorted_same = 1;
    return 0;
  }}
  return {key} < {other} ? -1 : 1;
}}
"
    );
}

fn statement(w: &mut Writer) {
    let (x, y, z) = (w.narrow(1).text, w.narrow(1).text, w.narrow(0).text);
    let e = w.name("e");
    let count = w.random.pick(&["3", "3", "2", "1 + ((COUNT) & 3)"]).replace("COUNT", &z);
    let lines = [
        format!("struct entry {e}[4] = {{{{(signed char)({x}), 0}}, {{(signed char)({y}), 1}}, {{5, 2}}, {{-9, 3}}}};"),
        "sorted_equal = sorted_same = 0;".to_owned(),
        format!("qsort({e}, {count}, sizeof {e}[0], by_key);"),
    ];
    w.in_braces(&lines, |w| match w.random.below(4) {
        0 => w.observe(&format!("{e}[0].key")),
        1 => w.observe(&format!("{e}[1].mark")),
        2 => {
            w.line("if (sorted_equal > 1)");
            w.line("  return 31;");
            w.line("if (sorted_same)");
            w.line("  return 32;");
        }
        _ => {
            w.line(&format!("if ({e}[0].mark > {e}[1].mark && {e}[0].key == {e}[1].key)"));
            w.line("  return 33;");
        }
    });
}
