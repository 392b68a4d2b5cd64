//! A function that nobody defines and that calls functions of this file, which change what is static here.

use super::{Exact, Feature, INSIDE, Outside, Writer};

pub(super) const FEATURE: Feature =
    Feature { name: "stub-reentry", headers: &[], declare, statement, value: None, outside: OUTSIDE };

const OUTSIDE: Outside = Outside {
    ways: 24,
    setup: "poke_way = way;",
    text: "static unsigned poke_way;
int poke(void)
{
  static const int levels[6] = {0, 1, 9, -7, 100, 0x7fffffff};
  if (poke_way & 1)
    set_level(levels[poke_way / 4]);
  if (poke_way & 2)
    raise_level();
  return get_level() & 3;
}
",
    exact: Exact::Never,
    ..INSIDE
};

fn declare(w: &mut Writer) {
    // Without branches: what calls from outside alone take in them is not asked in a run of the subject.
    w.out += "static int level, raised;
void set_level(int to);
void set_level(int to) { level = to; }
void raise_level(void);
void raise_level(void) { raised = 1; }
int get_level(void);
int get_level(void) { return level; }
int poke(void);
";
}

fn statement(w: &mut Writer) {
    let x = w.narrow(1).text;
    w.line("raised = 0;");
    match w.random.below(3) {
        0 => {
            w.line("set_level(2);");
            w.observe("poke()");
            w.line("if (level != 2)");
            w.line("  return 91;");
        }
        1 => {
            w.line(&format!("set_level((signed char)({x}) & 7);"));
            w.line("poke();");
            w.line("if (raised && get_level() == 9)");
            w.line("  return 92;");
        }
        _ => {
            w.line("if (poke() > 2 && raised)");
            w.observe("level");
        }
    }
}
