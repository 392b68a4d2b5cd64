//! Text from the caller.

use super::{Exact, Feature, INSIDE, Outside, Writer};

pub(super) const FEATURE: Feature = Feature {
    name: "string-input",
    headers: &["string", "ctype", "stdlib"],
    declare,
    statement,
    value: None,
    outside: OUTSIDE,
};

const OUTSIDE: Outside = Outside {
    params: "const char *text",
    args: "own_texts[text_way]",
    ways: 16,
    setup: "text_way = way;",
    text: "static unsigned text_way;
static const char *const own_texts[16] = {0, \"\", \"a\", \"on\", \"off\", \"key=\", \"key=3\", \"=\", \"7\", \"-12\", \"99999\", \" 5\", \
           \"key=on=off\", \"\\xff\\x80\", \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\", \"0x1f\"};
",
    exact: Exact::Never,
    ..INSIDE
};

fn declare(w: &mut Writer) {
    w.out += "static int count_of(const char *text, char what)
{
  int n = 0;
  while (*text)
    if (*text++ == what)
      n++;
  return n;
}
";
}

fn statement(w: &mut Writer) {
    let x = w.narrow(1).text;
    let t = w.name("t");
    if w.random.percent(80) {
        w.line("if (!text)");
        w.line("  return 49;");
    }
    match w.random.below(6) {
        0 => {
            w.line("if (strcmp(text, \"off\") == 0)");
            w.line("  return 50;");
            w.line("if (strncmp(text, \"key=\", 4) == 0)");
            w.observe("atoi(text + 4)");
        }
        1 => w.observe("(int)strlen(text)"),
        2 => {
            let lines = [format!("const char *{t} = strchr(text, '=');"), format!("if ({t} && {t}[1] == 'o')")];
            w.in_braces(&lines, |w| w.observe(&format!("(int)({t} - text)")));
        }
        3 => w.observe("count_of(text, 'a')"),
        4 => {
            w.line("if (isdigit((unsigned char)text[0]))");
            w.observe("(text[0] - '0')");
            w.line("if (text[0] < 0 && text[1] == text[0])");
            w.line("  return 51;");
        }
        _ => {
            let lines = [
                format!("char *{t} = 0;"),
                format!("long {t}n = strtol(text, &{t}, 10);"),
                format!("if ({t} == text && {t}n != 0)"),
                "  return 52;".to_owned(),
                format!("if (*{t} == 0 && {t}n > 50000)"),
                "  return 53;".to_owned(),
            ];
            w.in_braces(&lines, |w| w.observe(&format!("({t}n == (short)({x}))")));
        }
    }
}
