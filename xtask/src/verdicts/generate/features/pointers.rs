//! Pointers to locals: chosen, moved, compared, behind other pointers.

use super::{Feature, INSIDE, Value, Writer};

pub(super) const FEATURE: Feature =
    Feature { name: "pointers", headers: &[], declare, statement, value: Some(value), outside: INSIDE };

fn declare(w: &mut Writer) {
    w.out += "static void put(signed char *at, signed char what) { *at = what; }
static void swap(signed char **a, signed char **b)
{
  signed char *t = *a;
  *a = *b;
  *b = t;
}
static const signed char *find(const signed char *from, const signed char *to, int what)
{
  while (from < to && *from != what)
    from++;
  return from;
}
";
}

fn statement(w: &mut Writer) {
    let (x, y, z) = (w.narrow(1).text, w.narrow(1).text, w.narrow(0).text);
    let p = w.name("p");
    match w.random.below(4) {
        0 => {
            let lines = [
                format!("signed char {p}a = (signed char)({x}), {p}b = 3, *{p} = ({y}) > 5 ? &{p}a : &{p}b;"),
                format!("*{p} = (signed char)({z});"),
                format!("if ({p} == &{p}b && {p}a == 9)"),
                "  return 12;".to_owned(),
            ];
            w.in_braces(&lines, |w| w.observe(&format!("({p}a ^ {p}b)")));
        }
        1 => {
            let lines = [
                format!("signed char {p}[5] = {{1, 2, (signed char)({x}), 4, 5}}, *{p}at = {p} + (({y}) & 3);"),
                format!("put({p}at + 1, (signed char)({z}));"),
                format!("if ({p}at - {p} > 2)"),
                format!("  {p}at[-1]++;"),
            ];
            w.in_braces(&lines, |w| w.observe(&format!("{p}[({z}) & 3]")));
        }
        2 => {
            let lines = [
                format!(
                    "signed char {p}a = (signed char)({x}), {p}b = (signed char)({y}), *{p}p = &{p}a, *{p}q = &{p}b;"
                ),
                format!("if (({z}) != 3)"),
                format!("  swap(&{p}p, &{p}q);"),
                format!("put({p}p, 7);"),
            ];
            w.in_braces(&lines, |w| w.observe(&format!("({p}a - *{p}q)")));
        }
        _ => w.observe(&format!("(int)(find(table, table + (({x}) & 7), (signed char)({y})) - table)")),
    }
}

fn value(w: &mut Writer) -> Value {
    let (x, y) = (w.narrow(0).text, w.narrow(0).text);
    Value { text: format!("*find(table + (({x}) & 3), table + 7, (signed char)({y}))"), bits: 8 }
}
