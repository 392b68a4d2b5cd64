//! Random C functions whose inputs have about 16 bits in total.
//!
//! Everything is defined behaviour except that some divisions are not guarded: each value carries a bound of its
//! magnitude, so that signed arithmetic never overflows. More than half of the functions have loops without a constant
//! bound; such a loop says `TICK` in each turn, which is empty unless the harness counts the turns.

mod loops;
mod random;
mod shapes;
mod statements;
mod values;

use random::Random;
use shapes::SHAPES;
use values::{LOCALS, NARROW};

/// One function to test, and how to call it for every input.
pub(crate) struct Subject {
    pub(crate) text: String,
    /// Statements of the native harness that call the function for the input number `n`.
    pub(crate) call: String,
    pub(crate) inputs: u32,
    pub(crate) options: &'static [&'static str],
}

struct Variable {
    name: String,
    bits: u32,
}

struct Writer {
    random: Random,
    out: String,
    readable: Vec<Variable>,
    /// The first so many of the readable are inputs or parameters.
    inputs: usize,
    /// Names that a statement may assign to, a subset of `readable`.
    writable: Vec<Variable>,
    indent: usize,
    statements: usize,
    in_loop: bool,
    fresh: usize,
    helpers: usize,
    has_array: bool,
    /// Loops without a constant bound that are still to come.
    unbounded: usize,
}

/// The harness defines it before it includes the function.
const TICK: &str = "#ifndef TICK\n#define TICK\n#endif\n";
const TABLE: &str = "static const signed char table[8] = {3, -7, 0, 100, -128, 127, 1, 42};\n";

pub(crate) fn subject(seed: u64) -> Subject {
    let mut random = Random::new(seed);
    let shape = &SHAPES[random.below(SHAPES.len())];
    let helpers = random.below(3);
    let statements = 4 + random.below(7);
    let mut w = Writer {
        random,
        out: format!("{TICK}{TABLE}"),
        readable: Vec::new(),
        inputs: 0,
        writable: Vec::new(),
        indent: 1,
        statements: 0,
        in_loop: false,
        fresh: 0,
        helpers: 0,
        has_array: false,
        unbounded: 0,
    };
    w.out += shape.before;
    w.recursive_helper();
    for number in 0..helpers {
        w.helper(number);
    }
    w.out += &format!("int subject({});\nint subject({})\n{{\n{}", shape.params, shape.params, shape.prologue);
    w.readable = shape.inputs.iter().map(|(name, bits)| Variable { name: (*name).to_owned(), bits: *bits }).collect();
    w.statements = statements;
    if w.random.percent(60) {
        w.unbounded = 1 + w.random.below(3);
    }
    w.body();
    Subject { text: w.out, call: shape.call.to_owned(), inputs: shape.count, options: shape.options }
}

impl Writer {
    fn line(&mut self, text: &str) {
        self.out += &"  ".repeat(self.indent);
        self.out += text;
        self.out.push('\n');
    }

    fn recursive_helper(&mut self) {
        let step = self.random.pick(&["n - 1", "n / 2", "n - 2"]);
        let stop = if step == "n - 2" { "n < 2" } else { "n == 0" };
        let twist = self.random.pick(&["n == 5", "n & 1", "n > 6", "n == 9"]);
        self.out += &format!(
            "int walk(int n);\nint walk(int n)\n{{\n  if ({stop})\n    return 1;\n  if ({twist})\n    return walk({step}) + 2;\n  \
             return walk({step}) ^ n;\n}}\n"
        );
    }

    fn helper(&mut self, number: usize) {
        let (kind, bits) = NARROW[self.random.below(NARROW.len())];
        let head = format!("short helper{number}({kind} u, signed char v)");
        self.out += &format!("{head};\n{head}\n{{\n");
        self.readable = vec![Variable { name: "u".to_owned(), bits }, Variable { name: "v".to_owned(), bits: 8 }];
        self.statements = 1 + self.random.below(2);
        self.body();
        self.helpers = number + 1;
    }

    fn body(&mut self) {
        self.writable.clear();
        self.inputs = self.readable.len();
        self.has_array = self.random.percent(40);
        if self.has_array {
            self.line("unsigned char cells[4] = {0, 1, 2, 3};");
        }
        for name in ["r", "t"] {
            let (kind, bits) = LOCALS[self.random.below(LOCALS.len())];
            let start = self.value(1);
            self.line(&format!("{kind} {name} = {};", start.text));
            self.readable.push(Variable { name: name.to_owned(), bits });
            self.writable.push(Variable { name: name.to_owned(), bits });
        }
        // Early, because random code before it often returns for most inputs.
        let before = self.statements.saturating_sub(self.random.below(3));
        while self.statements > 0 {
            if self.unbounded > 0 && self.statements <= before {
                self.unbounded_loop(2);
            }
            self.statement(2);
        }
        if self.unbounded > 0 {
            self.unbounded_loop(1);
        }
        self.unbounded = 0;
        let result = self.narrow(1);
        self.line(&format!("return {};", result.text));
        self.out += "}\n";
    }

    fn block(&mut self, depth: usize, size: usize) {
        self.indent += 1;
        let visible = self.readable.len();
        for _ in 0..=self.random.below(size) {
            self.statement(depth);
        }
        self.readable.truncate(visible);
        self.indent -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::subject;

    #[test]
    fn a_seed_gives_one_text() {
        for seed in 0..50 {
            assert_eq!(subject(seed).text, subject(seed).text);
        }
        assert_ne!(subject(1).text, subject(2).text);
    }

    #[test]
    fn many_have_loops_without_a_constant_bound() {
        let with_loops = (0..200).filter(|&seed| subject(seed).text.contains("  TICK\n")).count();
        assert!((100..150).contains(&with_loops), "{with_loops}");
    }
}
