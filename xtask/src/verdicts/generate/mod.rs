//! Random C functions whose inputs have about 16 bits in total.
//!
//! Everything is defined behaviour except that some divisions are not guarded: each value carries a bound of its
//! magnitude, so that signed arithmetic never overflows. More than half of the functions have loops without a constant
//! bound; such a loop says `TICK` in each turn, which is empty unless the harness counts the turns.
//!
//! What real C has besides is in `features`, one file each: declarations, statements and values that use it, and what the
//! harness does outside of the function.

pub(crate) mod features;
mod loops;
mod random;
mod shapes;
mod statements;
mod values;

use features::{Feature, Outside};
use random::Random;
use shapes::{SHAPES, Shape};
use std::collections::BTreeSet;
use values::{LOCALS, NARROW};

/// One function to test, and how to call it for every input.
#[derive(Default)]
pub(crate) struct Subject {
    pub(crate) text: String,
    /// Statements of the native harness that call the function for the input number `n`.
    pub(crate) call: String,
    pub(crate) inputs: u32,
    pub(crate) options: Vec<&'static str>,
    /// Names of the features that it has.
    pub(crate) features: Vec<&'static str>,
    /// What the harness defines besides: functions that nobody defines in the text, callbacks, stand-ins of the library.
    pub(crate) outside: String,
    /// Functions of the library that `outside` stands in for, as `__wrap_NAME`.
    pub(crate) wrapped: Vec<&'static str>,
    /// Whether the harness tries all that a caller and code outside can do. If not, it only knows what can happen.
    pub(crate) exact: bool,
    /// Whether it jumps out of functions, so that only counts of one counter are right.
    pub(crate) jumps: bool,
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
    /// What the statements may use besides.
    features: Vec<&'static Feature>,
    /// Whether this is the body of the subject, which has the parameters of its features.
    in_subject: bool,
}

/// The harness defines both before it includes the function.
const TICK: &str = "#ifndef TICK\n#define TICK\n#define KEEP(variable)\n#endif\n";
const TABLE: &str = "static const signed char table[8] = {3, -7, 0, 100, -128, 127, 1, 42};\n";

/// At most so many inputs, whatever multiplies them.
const MOST_INPUTS: u32 = 1 << 19;
/// At most so many ways of all that is outside.
const MOST_WAYS: u32 = 1 << 9;

/// A function of arithmetic, branches, loops and calls.
pub(crate) fn subject(seed: u64) -> Subject {
    make(Random::new(seed), Vec::new())
}

/// A function with some of the features besides. Each is in one of any `features::ALL.len()` seeds in a row.
pub(crate) fn featured(seed: u64) -> Subject {
    let mut random = Random::new(seed);
    let turn = usize::try_from(seed % features::ALL.len() as u64).unwrap_or(0);
    let mut chosen = vec![&features::ALL[turn]];
    for _ in 0..random.below(3) {
        let other = &features::ALL[random.below(features::ALL.len())];
        let ways: u32 = chosen.iter().map(|feature| feature.outside.ways).product();
        if chosen.iter().all(|known| known.name != other.name) && ways * other.outside.ways <= MOST_WAYS {
            chosen.push(other);
        }
    }
    make(random, chosen)
}

/// How a function with these features can get its inputs.
fn shapes(features: &[&Feature]) -> Vec<&'static Shape> {
    let ways: u32 = features.iter().map(|feature| feature.outside.ways).product();
    // A user's word about pointers would hold for those of features, and the harness does not keep it.
    let fits = |shape: &&Shape| {
        (ways == 1 || !shape.options.contains(&"--array-len"))
            && u64::from(shape.count) * u64::from(ways) <= u64::from(MOST_INPUTS)
    };
    SHAPES.iter().filter(fits).collect()
}

fn make(mut random: Random, features: Vec<&'static Feature>) -> Subject {
    let shapes = shapes(&features);
    let shape = shapes[random.below(shapes.len())];
    let helpers = random.below(3);
    let statements = if features.is_empty() { 4 + random.below(7) } else { 1 + random.below(5) };
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
        features: Vec::new(),
        in_subject: false,
    };
    for header in features.iter().flat_map(|feature| feature.headers).collect::<BTreeSet<_>>() {
        w.out += &format!("#include <{header}.h>\n");
    }
    w.out += shape.before;
    w.recursive_helper();
    for feature in &features {
        (feature.declare)(&mut w);
    }
    for number in 0..helpers {
        w.helper(number);
    }
    let params = listed(std::iter::once(shape.params).chain(features.iter().map(|feature| feature.outside.params)));
    let params = if params.is_empty() { "void" } else { &params };
    w.out += &format!("int subject({params});\nint subject({params})\n{{\n{}", shape.prologue);
    w.readable = shape.inputs.iter().map(|(name, bits)| Variable { name: (*name).to_owned(), bits: *bits }).collect();
    w.statements = statements;
    w.features.clone_from(&features);
    w.in_subject = true;
    if w.random.percent(if features.is_empty() { 60 } else { 20 }) {
        w.unbounded = 1 + w.random.below(3);
    }
    w.body();
    finish(w.out, shape, &features)
}

fn finish(text: String, shape: &Shape, features: &[&Feature]) -> Subject {
    let mut call = format!("unsigned rest = n / {0}, way; n %= {0};", shape.count);
    let mut inputs = shape.count;
    for Outside { ways, setup, .. } in features.iter().map(|feature| &feature.outside) {
        call += &format!(" way = rest % {ways}; rest /= {ways}; {setup}");
        inputs *= ways;
    }
    let args = listed(std::iter::once(shape.args).chain(features.iter().map(|feature| feature.outside.args)));
    call += &format!(" {} inside = 1; subject({args}); inside = 0;", shape.setup);
    Subject {
        text,
        call,
        inputs,
        options: shape.options.to_vec(),
        features: features.iter().map(|feature| feature.name).collect(),
        outside: features.iter().map(|feature| feature.outside.text).collect(),
        wrapped: features.iter().flat_map(|feature| feature.outside.wrapped).copied().collect(),
        exact: features.iter().all(|feature| feature.outside.exact.holds(shape.exposed)),
        jumps: features.iter().any(|feature| feature.outside.jumps),
    }
}

/// What is not empty, with commas between.
fn listed<'a>(parts: impl Iterator<Item = &'a str>) -> String {
    parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
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
        let later = self.due_features();
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
        for feature in later {
            (feature.statement)(self);
        }
        let result = self.narrow(1);
        self.line(&format!("return {};", result.text));
        self.out += "}\n";
    }

    /// Writes a statement of most features, and returns those whose turn comes at the end.
    fn due_features(&mut self) -> Vec<&'static Feature> {
        if !self.in_subject {
            return Vec::new();
        }
        let (now, later): (Vec<_>, Vec<_>) = self.features.clone().into_iter().partition(|_| self.random.percent(80));
        for feature in now {
            (feature.statement)(self);
        }
        later
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
    use super::features::ALL;
    use super::{BTreeSet, featured, subject};

    #[test]
    fn a_seed_gives_one_text() {
        for seed in 0..50 {
            assert_eq!(subject(seed).text, subject(seed).text);
        }
        assert_ne!(subject(1).text, subject(2).text);
    }

    #[test]
    fn each_feature_has_its_turn_and_a_seed_gives_one_text() {
        let all = ALL.len() as u64;
        let mut seen = BTreeSet::new();
        for seed in 1000..1000 + all {
            let (one, again) = (featured(seed), featured(seed));
            assert_eq!(one.text, again.text);
            assert!(one.inputs <= super::MOST_INPUTS && one.inputs > 0);
            seen.extend(one.features);
        }
        assert_eq!(seen, ALL.iter().map(|feature| feature.name).collect());
    }

    #[test]
    fn many_have_loops_without_a_constant_bound() {
        let with_loops = (0..200).filter(|&seed| subject(seed).text.contains("  TICK\n")).count();
        assert!((100..150).contains(&with_loops), "{with_loops}");
    }
}
