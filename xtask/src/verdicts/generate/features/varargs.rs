//! Functions with variable arguments: numbers of several widths, floats and pointers.

use super::{Feature, INSIDE, Value, Writer};

pub(super) const FEATURE: Feature =
    Feature { name: "varargs", headers: &["stdarg"], declare, statement, value: Some(value), outside: INSIDE };

fn declare(w: &mut Writer) {
    let edge = w.random.pick(&["20", "0", "-7", "120"]);
    w.out += &format!(
        "static int total(int count, ...)
{{
  int sum = 0;
  va_list list, again;
  va_start(list, count);
  va_copy(again, list);
  for (int i = 0; i < count; i++)
    sum += (short)va_arg(list, int);
  if (count > 1 && va_arg(again, int) > {edge})
    sum++;
  va_end(again);
  va_end(list);
  return sum;
}}
static int by_format(const char *format, ...)
{{
  int sum = 0;
  va_list list;
  va_start(list, format);
  for (; *format; format++) {{
    switch (*format) {{
    case 'd':
      sum += (short)va_arg(list, int);
      break;
    case 'l':
      sum += (short)va_arg(list, long long);
      break;
    case 'f':
      if (va_arg(list, double) > 1.5)
        sum += 100;
      break;
    case 'p':
      sum += *va_arg(list, const signed char *);
      break;
    default:
      sum = -1;
    }}
  }}
  va_end(list);
  return sum;
}}
"
    );
}

fn statement(w: &mut Writer) {
    let (x, y, z) = (w.narrow(1).text, w.narrow(1).text, w.narrow(0).text);
    let call = match w.random.below(4) {
        0 => format!("total(({z}) & 3, (int)({x}), (int)({y}), 5)"),
        1 => format!("by_format(\"dlf\", (int)({x}), (long long)({y}), (double)(short)({z}))"),
        2 => format!("by_format(({z}) > 3 ? \"pd\" : \"p\", &table[({x}) & 7], (int)({y}))"),
        _ => format!("by_format(\"d?d\", (int)({x}), (int)({y}))"),
    };
    w.observe(&call);
}

fn value(w: &mut Writer) -> Value {
    let (x, y) = (w.narrow(0).text, w.narrow(0).text);
    Value { text: format!("(short)total(2, (int)({x}), (int)({y}))"), bits: 16 }
}
