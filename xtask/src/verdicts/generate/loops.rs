//! Loops: with a small constant bound, and without one.
//!
//! Nothing promises that a loop of the second kind ends, because its body may change what its condition reads. Most
//! end soon all the same: each makes its progress at the start of a turn, where no `continue` can skip it. Often a
//! check follows that no run can pass, which is what a proof needs an invariant of the loop for.

use super::values::Value;
use super::{Variable, Writer};

impl Writer {
    /// At most four turns.
    pub(super) fn repeat(&mut self, depth: usize) {
        self.fresh += 1;
        let i = format!("i{}", self.fresh);
        let bound = match self.random.below(3) {
            0 => "3".to_owned(),
            _ => format!("(({}) & 3)", self.narrow(1).text),
        };
        let outer = std::mem::replace(&mut self.in_loop, true);
        // The bound is read once: the body may change what it is made of.
        match self.random.below(3) {
            0 => {
                self.line(&format!("for (int {i} = 0, end{i} = {bound}; {i} < end{i}; {i}++) {{"));
                self.readable.push(Variable { name: i, bits: 2 });
                self.block(depth, 2);
                self.readable.pop();
                self.line("}");
            }
            1 => {
                self.line(&format!("int {i} = {bound};"));
                self.line(&format!("while ({i}-- > 0) {{"));
                self.readable.push(Variable { name: i.clone(), bits: 2 });
                self.block(depth, 2);
                self.readable.pop();
                self.line("}");
            }
            _ => {
                self.line(&format!("int {i} = {bound};"));
                self.line("do {");
                self.block(depth, 2);
                self.line(&format!("}} while ({i}-- > 0);"));
            }
        }
        self.in_loop = outer;
    }

    pub(super) fn unbounded_loop(&mut self, depth: usize) {
        self.unbounded = self.unbounded.saturating_sub(1);
        self.fresh += 1;
        let i = format!("i{}", self.fresh);
        match self.random.below(7) {
            0 => self.count_up(&i, depth),
            1 => self.count_down(&i, depth),
            2 => self.halve(&i, depth),
            3 => self.in_step(&i, depth),
            4 => self.at_most_once(&i, depth),
            5 => self.states(&i, depth),
            _ => self.any_condition(&i, depth),
        }
    }

    /// A value of mostly eight bits, so that most loops have few turns.
    fn few(&mut self) -> String {
        // Mostly straight from an input: a bound that is a constant after all makes no unbounded loop.
        let value = if self.random.percent(65) {
            let input = &self.readable[self.random.below(self.inputs)];
            Value { text: input.name.clone(), bits: input.bits }
        } else {
            self.value(1)
        };
        match self.random.below(10) {
            0..3 => format!("(({}) & 15)", self.at_most(value, 16).text),
            3..5 => format!("(({}) & 511)", self.at_most(value, 16).text),
            _ => self.at_most(value, 8).text,
        }
    }

    fn declare(&mut self, kind: &str, name: &str, start: &str, bits: u32) {
        self.line(&format!("{kind} {name} = {start};"));
        self.readable.push(Variable { name: name.to_owned(), bits });
    }

    /// `steps` come first in each turn. The body may use all that is readable.
    fn turns(&mut self, condition: &str, steps: &[String], depth: usize) {
        self.line(&format!("while ({condition}) {{"));
        self.line("  TICK");
        for step in steps {
            self.line(&format!("  {step}"));
        }
        let outer = std::mem::replace(&mut self.in_loop, true);
        self.block(depth, 2);
        self.in_loop = outer;
        self.line("}");
    }

    /// Leaves the function if `condition` holds.
    fn check(&mut self, condition: &str) {
        if self.random.percent(75) {
            let result = self.narrow(0).text;
            self.line(&format!("if ({condition})"));
            self.line(&format!("  return {result};"));
        }
    }

    fn count_up(&mut self, i: &str, depth: usize) {
        let kind = self.random.pick(&["int", "short", "long long", "unsigned char"]);
        self.declare(kind, i, "0", 17);
        let end = self.few();
        // A bound that is read in each turn can move away from the counter.
        let bound = if self.random.percent(60) {
            self.declare("int", &format!("{i}end"), &end, 9);
            format!("{i}end")
        } else {
            format!("({end})")
        };
        self.turns(&format!("{i} < {bound}"), &[format!("{i}++;")], depth);
        let checks =
            [format!("{i} < 0"), format!("{i} > {bound} && {i} > 0"), format!("{i} > 255"), format!("{i} == 77")];
        let which = self.random.below(checks.len());
        self.check(&checks[which]);
    }

    fn count_down(&mut self, i: &str, depth: usize) {
        let kinds = [("int", 31), ("signed char", 8), ("short", 16), ("long long", 63)];
        let (kind, bits) = kinds[self.random.below(kinds.len())];
        let start = self.few();
        // Sometimes the body may set it back, to any value.
        let open = self.random.percent(20);
        self.declare(kind, i, &start, if open { bits } else { 9 });
        let stop = self.random.pick(&["0", "3", "-5", "-40", "17"]);
        let by = self.random.pick(&["1", "2", "3", "7"]);
        if open {
            self.writable.push(Variable { name: i.to_owned(), bits });
        }
        self.turns(&format!("{i} > {stop}"), &[format!("{i} -= {by};")], depth);
        if open {
            self.writable.pop();
        }
        let checks = [format!("{i} > {stop}"), format!("{i} < {stop} - {by}"), format!("{i} == {stop}")];
        let which = self.random.below(checks.len());
        self.check(&checks[which]);
    }

    fn halve(&mut self, i: &str, depth: usize) {
        let start = self.narrow(1).text;
        // Unsigned values would make what is computed with them unsigned too: their bound keeps them from that.
        self.declare("unsigned", i, &format!("(unsigned short)({start})"), 32);
        let step = self.random.pick(&["/= 2", ">>= 1", "/= 3", "&= ITSELF - 1"]).replace("ITSELF", i);
        self.declare("int", &format!("{i}n"), "0", 6);
        self.turns(&format!("{i} != 0"), &[format!("{i} {step};"), format!("{i}n++;")], depth);
        let checks = [format!("{i} > 0"), format!("{i}n > 16"), format!("{i}n < 0"), format!("{i}n == 5")];
        let which = self.random.below(checks.len());
        self.check(&checks[which]);
    }

    fn in_step(&mut self, i: &str, depth: usize) {
        let j = format!("{i}j");
        self.declare("int", i, "0", 17);
        self.declare("int", &j, "0", 20);
        let (end, by) = (self.few(), self.random.pick(&["1", "2", "5", "-1", "-3"]));
        self.declare("int", &format!("{i}end"), &end, 9);
        self.turns(&format!("{i} < {i}end"), &[format!("{i}++;"), format!("{j} += {by};")], depth);
        let checks = [
            format!("{j} != {i} * {by}"),
            format!("{j} < -800"),
            format!("{i} >= 0 && {j} + {i} < {j}"),
            format!("{j} == 10"),
        ];
        let which = self.random.below(checks.len());
        self.check(&checks[which]);
    }

    fn at_most_once(&mut self, i: &str, depth: usize) {
        let (flag, times) = (format!("{i}flag"), format!("{i}times"));
        self.declare("int", i, "0", 17);
        self.declare("_Bool", &flag, "0", 1);
        self.declare("int", &times, "0", 2);
        let (end, condition) = (self.few(), self.condition(1));
        self.declare("int", &format!("{i}end"), &end, 9);
        let steps = [
            format!("{i}++;"),
            format!("if (!{flag} && ({condition})) {{"),
            format!("  {flag} = 1;"),
            format!("  {times}++;"),
            "}".to_owned(),
        ];
        self.turns(&format!("{i} < {i}end"), &steps, depth);
        let checks = [format!("{times} > 1"), format!("{flag} && {times} == 0"), format!("{times} > {i}")];
        let which = self.random.below(checks.len());
        self.check(&checks[which]);
    }

    fn states(&mut self, i: &str, depth: usize) {
        let state = format!("{i}s");
        self.declare("int", i, "0", 17);
        self.declare("int", &state, "0", 3);
        let (end, moves) = (self.few(), self.condition(1));
        self.declare("int", &format!("{i}end"), &end, 9);
        let next = match self.random.below(3) {
            0 => format!("{state} = {state} == 3 ? 0 : {state} + 1;"),
            1 => format!("{state} = ({state} + 2) % 6;"),
            _ => format!("{state} = 5 - {state};"),
        };
        self.turns(&format!("{i} < {i}end"), &[format!("{i}++;"), format!("if ({moves})"), format!("  {next}")], depth);
        let checks = [format!("{state} > 5"), format!("{state} < 0"), format!("{state} == 1"), format!("{state} == 4")];
        let which = self.random.below(checks.len());
        self.check(&checks[which]);
    }

    fn any_condition(&mut self, i: &str, depth: usize) {
        self.declare("int", i, "0", 8);
        let (condition, end) = (self.condition(1), self.random.pick(&["6", "20", "90", "200"]));
        self.turns(&format!("({condition}) && {i} < {end}"), &[format!("{i}++;")], depth);
        let checks = [format!("{i} > {end}"), format!("{i} < 0"), format!("{i} == {end}")];
        let which = self.random.below(checks.len());
        self.check(&checks[which]);
    }
}
