//! The library calls back while it looks for something. Which elements it looks at, C does not say.

use super::{Exact, Feature, INSIDE, Outside, Writer};

pub(super) const FEATURE: Feature =
    Feature { name: "bsearch", headers: &["stdlib"], declare, statement, value: None, outside: OUTSIDE };

const OUTSIDE: Outside = Outside {
    ways: 3,
    setup: "search_way = way;",
    text: "static unsigned search_way;
void *__real_bsearch(const void *, const void *, size_t, size_t, int (*)(const void *, const void *));
void *__wrap_bsearch(const void *key, const void *base, size_t count, size_t size, int (*compare)(const void *, const void *))
{
  if (!inside || search_way == 0)
    return __real_bsearch(key, base, count, size, compare);
  for (size_t i = 0; i < count; i++) {
    const char *at = (const char *)base + (search_way == 1 ? i : count - 1 - i) * size;
    if (compare(key, at) == 0)
      return (void *)at;
  }
  return 0;
}
",
    wrapped: &["bsearch"],
    exact: Exact::Never,
    ..INSIDE
};

fn declare(w: &mut Writer) {
    w.out += "static const short places[5] = {-20, -1, 3, 3, 90};
static int looked_at, looked_last;
static int by_place(const void *a, const void *b)
{
  short x = *(const short *)a, y = *(const short *)b;
  looked_at++;
  if (y == 90)
    looked_last = 1;
  return x < y ? -1 : x > y;
}
";
}

fn statement(w: &mut Writer) {
    let (x, z) = (w.narrow(1).text, w.narrow(0).text);
    let k = w.name("k");
    let count = w.random.pick(&["5", "4", "COUNT & 3"]).replace("COUNT", &format!("({z})"));
    let lines = [
        format!("short {k} = (short)({x});"),
        "looked_at = looked_last = 0;".to_owned(),
        format!("const short *{k}at = bsearch(&{k}, places, {count}, sizeof places[0], by_place);"),
    ];
    w.in_braces(&lines, |w| match w.random.below(3) {
        0 => w.observe(&format!("({k}at ? (int)({k}at - places) : -1)")),
        1 => {
            w.line(&format!("if ({k}at && *{k}at != {k})"));
            w.line("  return 34;");
            w.observe("looked_at");
        }
        _ => {
            w.line(&format!("if (!{k}at && looked_last)"));
            w.line("  return 35;");
            w.line("if (looked_at > 3)");
            w.line("  return 36;");
        }
    });
}
