//! Arrays of variable length, of two dimensions, and compound literals.

use super::{Feature, INSIDE, Writer};

pub(super) const FEATURE: Feature =
    Feature { name: "variable-array", headers: &[], declare, statement, value: None, outside: INSIDE };

fn declare(w: &mut Writer) {
    w.out += "static int sum_of(int rows, int columns, short (*grid)[columns])
{
  int sum = 0;
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      if (grid[i][j] > 3)
        sum += grid[i][j];
  return sum;
}
";
}

fn statement(w: &mut Writer) {
    let (x, y, z) = (w.narrow(1).text, w.narrow(1).text, w.narrow(0).text);
    let (n, v) = (w.name("n"), w.name("v"));
    if w.random.percent(50) {
        let lines = [
            format!("int {n} = 1 + (({x}) & 3);"),
            format!("short {v}[{n}][2];"),
            format!("for (int i = 0; i < {n}; i++)"),
            format!("  {v}[i][0] = (short)i, {v}[i][1] = (short)({y});"),
            format!("{v}[{n} - 1][0] = (short)({z});"),
            format!("if (sizeof {v} == 16)"),
            "  return 13;".to_owned(),
        ];
        return w.in_braces(&lines, |w| w.observe(&format!("(short)sum_of({n}, 2, {v})")));
    }
    let lines = [
        format!("const short *{v} = (const short[]){{(short)({x}), 2, (short)({y}), 4}};"),
        format!("short {n}[2][3] = {{{{1, 2, (short)({z})}}, {{4}}}};"),
        format!("{n}[({x}) & 1][(unsigned char)({y}) % 3] = {v}[({z}) & 3];"),
    ];
    w.in_braces(&lines, |w| w.observe(&format!("(short)sum_of(2, 3, {n})")));
}
