//! Text in a local buffer, and the functions of string.h whose results C fixes.

use super::{Feature, INSIDE, Value, Writer};

pub(super) const FEATURE: Feature = Feature {
    name: "strings",
    headers: &["string", "ctype", "stdlib"],
    declare,
    statement,
    value: Some(value),
    outside: INSIDE,
};

fn declare(w: &mut Writer) {
    w.out += "static const char *const names[4] = {\"on\", \"off\", \"\", \"only\"};
static int name_of(const char *text)
{
  for (int i = 0; i < 4; i++)
    if (strcmp(names[i], text) == 0)
      return i;
  return -1;
}
";
}

fn statement(w: &mut Writer) {
    let (x, y, z) = (w.narrow(1).text, w.narrow(1).text, w.narrow(0).text);
    let s = w.name("s");
    let mut lines = vec![
        format!("char {s}[16] = {{(char)('l' + (({x}) & 7)), (char)(({y}) & 1 ? 'n' : 'f'), 0, 0}};"),
        format!("if (({z}) > 4)"),
        format!("  strcat({s}, names[({z}) & 3]);"),
    ];
    lines.extend(match w.random.below(6) {
        0 => [format!("int {s}n = name_of({s});"), String::new()],
        1 => [format!("char *{s}at = strchr({s}, 'o');"), format!("int {s}n = {s}at ? (int)({s}at - {s}) : -1;")],
        2 => [format!("int {s}n = (int)strlen({s});"), String::new()],
        3 => [format!("int {s}n = strncmp({s}, \"of\", 2) < 0;"), String::new()],
        4 => [
            format!("{s}[0] = (char)('0' + (unsigned char)({x}) % 10);"),
            format!("int {s}n = isdigit((unsigned char){s}[1]) ? -5 : atoi({s});"),
        ],
        _ => [format!("char *{s}at = strstr({s}, \"on\");"), format!("int {s}n = {s}at == {s} ? 1 : {s}at ? 2 : 7;")],
    });
    lines.retain(|line| !line.is_empty());
    w.in_braces(&lines, |w| w.observe(&format!("{s}n")));
}

fn value(w: &mut Writer) -> Value {
    let (x, y) = (w.narrow(0).text, w.narrow(0).text);
    Value { text: format!("(int)strlen(names[({x}) & 3] + (({y}) > 3 && (({x}) & 3) != 2))"), bits: 3 }
}
