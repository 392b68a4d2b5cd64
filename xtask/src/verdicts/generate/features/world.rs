//! What the world gives: random numbers, time, the environment, input. Anything can come.

use super::{Exact, Feature, INSIDE, Outside, Writer};

pub(super) const FEATURE: Feature = Feature {
    name: "world",
    headers: &["stdlib", "time", "stdio"],
    declare: |_| {},
    statement,
    value: None,
    outside: OUTSIDE,
};

const OUTSIDE: Outside = Outside {
    ways: 48,
    setup: "world_way = way; world_asked = 0;",
    text: "static unsigned world_way, world_asked;
int __wrap_rand(void)
{
  static const int numbers[6] = {0, 1, 5, 7, 1000, 0x7fffffff};
  return numbers[(world_way + world_asked++ * (world_way / 6)) % 6];
}
time_t __wrap_time(time_t *at)
{
  static const time_t times[6] = {0, -1, 5, 1000000000, 1790000000, 4000000000};
  time_t now = times[(world_way + world_asked++) % 6];
  if (at)
    *at = now;
  return now;
}
char *__wrap_getenv(const char *name)
{
  static char *values[6] = {0, \"\", \"1\", \"on\", \"off\", \"7\"};
  return values[world_way % 6];
}
int __wrap_getchar(void)
{
  static const int numbers[6] = {-1, 'a', '7', 0, 255, ' '};
  return numbers[(world_way / 6 + world_asked++) % 6];
}
",
    wrapped: &["rand", "time", "getenv", "getchar"],
    exact: Exact::Never,
    ..INSIDE
};

fn statement(w: &mut Writer) {
    let x = w.narrow(1).text;
    let e = w.name("e");
    match w.random.below(6) {
        0 => w.observe("(rand() % 8)"),
        1 => {
            w.line("if (rand() == rand())");
            w.line("  return 102;");
        }
        2 => {
            w.line(&format!("if (time(0) < 1000 && ({x}) > 2)"));
            w.line("  return 103;");
            w.line("if (time(0) > 1800000000)");
            w.line("  return 104;");
        }
        3 => {
            let lines = [format!("const char *{e} = getenv(\"MODE\");"), format!("if ({e} && {e}[0])")];
            w.in_braces(&lines, |w| w.observe(&format!("{e}[1]")));
        }
        4 => w.observe("getchar()"),
        _ => {
            w.line("if (getchar() == 'a' || getenv(\"SHELL_LEVEL\"))");
            w.line("  return 105;");
        }
    }
}
