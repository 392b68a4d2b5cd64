//! Only the sign of what strcmp and memcmp return is fixed.

use super::{Exact, Feature, INSIDE, Outside, Writer};

pub(super) const FEATURE: Feature = Feature {
    name: "comparison-result",
    headers: &["string"],
    declare: |_| {},
    statement,
    value: None,
    outside: OUTSIDE,
};

const OUTSIDE: Outside = Outside {
    ways: 4,
    setup: "compared_by = way;",
    text: "static unsigned compared_by;
static int rated(int sign)
{
  static const int by[4] = {0, 1, 2, 1000};
  return compared_by == 0 || !inside ? sign : sign < 0 ? -by[compared_by] : sign > 0 ? by[compared_by] : 0;
}
int __real_strcmp(const char *, const char *);
int __real_memcmp(const void *, const void *, size_t);
int __real_strncmp(const char *, const char *, size_t);
int __wrap_strcmp(const char *a, const char *b) { return rated(__real_strcmp(a, b)); }
int __wrap_memcmp(const void *a, const void *b, size_t n) { return rated(__real_memcmp(a, b, n)); }
int __wrap_strncmp(const char *a, const char *b, size_t n) { return rated(__real_strncmp(a, b, n)); }
",
    wrapped: &["strcmp", "memcmp", "strncmp"],
    exact: Exact::Never,
    ..INSIDE
};

fn statement(w: &mut Writer) {
    let (x, y) = (w.narrow(1).text, w.narrow(1).text);
    let s = w.name("s");
    let call =
        w.random.pick(&["strcmp(S, \"cd\")", "memcmp(S, \"cdef\", 3)", "strncmp(\"cc\", S, 2)"]).replace('S', &s);
    let lines = [
        format!("char {s}[4] = {{(char)('a' + (({x}) & 3)), (char)(({y}) & 127), 0, 0}};"),
        format!("int {s}n = {call};"),
    ];
    w.in_braces(&lines, |w| {
        if w.random.percent(50) {
            w.line(&format!("if ({s}n == 1 || {s}n == -2)"));
            w.line("  return 37;");
            w.line(&format!("if ({s}n > 300)"));
            w.line("  return 38;");
        } else {
            w.observe(&format!("{s}n"));
        }
    });
}
