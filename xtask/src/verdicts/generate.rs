//! Random C functions whose inputs have about 16 bits in total.
//!
//! Everything is defined behaviour except that some divisions are not guarded: each value carries a bound of its
//! magnitude, so that signed arithmetic never overflows.

/// One function to test, and how to call it for every input.
pub(crate) struct Subject {
    pub(crate) text: String,
    /// Statements of the native harness that call the function for the input number `n`.
    pub(crate) call: String,
    pub(crate) inputs: u32,
    pub(crate) options: &'static [&'static str],
}

/// splitmix64: small, and the same on every machine.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x5DEE_CE66)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound.max(1) as u64).unwrap_or(0)
    }

    fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }
}

/// How the function gets its inputs. `p0` and `p1` in the declarations are what the body reads.
struct Shape {
    before: &'static str,
    params: &'static str,
    prologue: &'static str,
    /// Readable inputs with the bound of their bits.
    inputs: &'static [(&'static str, u32)],
    call: &'static str,
    count: u32,
    options: &'static [&'static str],
}

const ALL: u32 = 1 << 16;
/// Bytes behind a pointer count as text, whose last byte is zero: the body reads only the two before it.
const VALID: &[&str] = &["--pointers", "valid", "--array-len", "3"];
const VALID_ONE: &[&str] = &["--pointers", "valid", "--array-len", "1"];

const SHAPES: &[Shape] = &[
    Shape {
        before: "",
        params: "signed char a, unsigned char b",
        prologue: "",
        inputs: &[("a", 8), ("b", 8)],
        call: "subject((signed char)n, (unsigned char)(n >> 8));",
        count: ALL,
        options: &[],
    },
    Shape {
        before: "",
        params: "char a, signed char b",
        prologue: "",
        inputs: &[("a", 8), ("b", 8)],
        call: "subject((char)n, (signed char)(n >> 8));",
        count: ALL,
        options: &[],
    },
    Shape {
        before: "",
        params: "short a",
        prologue: "",
        inputs: &[("a", 16)],
        call: "subject((short)n);",
        count: ALL,
        options: &[],
    },
    Shape {
        before: "",
        params: "unsigned short a",
        prologue: "",
        inputs: &[("a", 16)],
        call: "subject((unsigned short)n);",
        count: ALL,
        options: &[],
    },
    Shape {
        before: "",
        params: "_Bool a, unsigned char b, _Bool c",
        prologue: "",
        inputs: &[("a", 1), ("b", 8), ("c", 1)],
        call: "subject(n & 1, (unsigned char)(n >> 1), n >> 9);",
        count: 1 << 10,
        options: &[],
    },
    Shape {
        before: "struct pair { signed char x; unsigned char y; };\n",
        params: "struct pair s",
        prologue: "",
        inputs: &[("s.x", 8), ("s.y", 8)],
        call: "subject((struct pair){(signed char)n, (unsigned char)(n >> 8)});",
        count: ALL,
        options: &[],
    },
    Shape {
        before: "struct bits { unsigned x : 3; signed y : 5; unsigned z : 8; };\n",
        params: "struct bits s",
        prologue: "",
        inputs: &[("s.x", 3), ("s.y", 5), ("s.z", 8)],
        call: "struct bits s; s.x = n & 7; s.y = (int)(n >> 3 & 31) - 16; s.z = n >> 8; subject(s);",
        count: ALL,
        options: &[],
    },
    Shape {
        before: "struct pair { unsigned char x; signed char y; };\n",
        params: "struct pair *s",
        prologue: "",
        inputs: &[("s->x", 8), ("s->y", 8)],
        call: "struct pair s = {(unsigned char)n, (signed char)(n >> 8)}; subject(&s);",
        count: ALL,
        options: VALID_ONE,
    },
    Shape {
        before: "",
        params: "unsigned char *p",
        prologue: "",
        inputs: &[("p[0]", 8), ("p[1]", 8)],
        call: "unsigned char p[3] = {(unsigned char)n, (unsigned char)(n >> 8)}; subject(p);",
        count: ALL,
        options: VALID,
    },
    Shape {
        before: "",
        params: "const signed char *p",
        prologue: "  if (!p)\n    return -1;\n",
        inputs: &[("p[0]", 8), ("p[1]", 8)],
        call: "signed char p[3] = {(signed char)n, (signed char)(n >> 8)}; subject(n == 65536 ? 0 : p);",
        count: ALL + 1,
        options: &["--array-len", "3"],
    },
    Shape {
        before: "signed char g0;\nunsigned char g1;\n",
        params: "void",
        prologue: "",
        inputs: &[("g0", 8), ("g1", 8)],
        call: "g0 = (signed char)n; g1 = (unsigned char)(n >> 8); subject();",
        count: ALL,
        options: &[],
    },
    Shape {
        before: "static char g0 = 5;\n",
        params: "signed char a",
        prologue: "",
        inputs: &[("a", 8), ("g0", 8)],
        call: "g0 = (char)(n >> 8); subject((signed char)n);",
        count: ALL,
        options: &[],
    },
];

const NARROW: &[(&str, u32)] =
    &[("signed char", 8), ("unsigned char", 8), ("char", 8), ("short", 16), ("unsigned short", 16)];
const LOCALS: &[(&str, u32)] = &[
    ("signed char", 8),
    ("unsigned char", 8),
    ("short", 16),
    ("unsigned short", 16),
    ("int", 31),
    ("unsigned", 32),
    ("long long", 63),
    ("_Bool", 1),
];
const CONSTANTS: &[(&str, u32)] = &[
    ("0", 1),
    ("1", 1),
    ("-1", 1),
    ("2", 2),
    ("3", 2),
    ("5", 3),
    ("7", 3),
    ("-8", 3),
    ("10", 4),
    ("31", 5),
    ("64", 7),
    ("100", 7),
    ("-100", 7),
    ("127", 7),
    ("-128", 7),
    ("128", 8),
    ("200", 8),
    ("255", 8),
    ("256", 9),
    ("1000", 10),
    ("-129", 8),
];

/// An expression of type int (or narrower) whose magnitude is at most 2 to the power `bits`.
struct Value {
    text: String,
    bits: u32,
}

struct Variable {
    name: String,
    bits: u32,
}

struct Writer {
    random: Random,
    out: String,
    readable: Vec<Variable>,
    /// Names that a statement may assign to, a subset of `readable`.
    writable: Vec<Variable>,
    indent: usize,
    statements: usize,
    in_loop: bool,
    fresh: usize,
    helpers: usize,
    has_array: bool,
}

pub(crate) fn subject(seed: u64) -> Subject {
    let mut random = Random::new(seed);
    let shape = &SHAPES[random.below(SHAPES.len())];
    let helpers = random.below(3);
    let statements = 4 + random.below(7);
    let mut w = Writer {
        random,
        out: String::from("static const signed char table[8] = {3, -7, 0, 100, -128, 127, 1, 42};\n"),
        readable: Vec::new(),
        writable: Vec::new(),
        indent: 1,
        statements: 0,
        in_loop: false,
        fresh: 0,
        helpers: 0,
        has_array: false,
    };
    w.out += shape.before;
    w.recursive_helper();
    for number in 0..helpers {
        w.helper(number);
    }
    w.out += &format!("int subject({});\nint subject({})\n{{\n{}", shape.params, shape.params, shape.prologue);
    w.readable = shape.inputs.iter().map(|(name, bits)| Variable { name: (*name).to_owned(), bits: *bits }).collect();
    w.statements = statements;
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
        while self.statements > 0 {
            self.statement(2);
        }
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

    fn statement(&mut self, depth: usize) {
        self.statements = self.statements.saturating_sub(1);
        let choice = if depth == 0 { self.random.below(40) } else { self.random.below(100) };
        match choice {
            0..20 => self.assign(),
            20..26 if self.has_array => {
                let (at, what) = (self.narrow(1).text, self.narrow(1).text);
                self.line(&format!("cells[({at}) & 3] = (unsigned char)({what});"));
            }
            26..31 => {
                let (condition, result) = (self.condition(1), self.narrow(1).text);
                self.line(&format!("if ({condition})"));
                self.line(&format!("  return {result};"));
            }
            31..35 if self.in_loop => {
                let condition = self.condition(1);
                let way = self.random.pick(&["break", "continue"]);
                self.line(&format!("if ({condition})"));
                self.line(&format!("  {way};"));
            }
            _ if choice < 40 => self.assign(),
            40..70 => self.branch(depth - 1),
            70..84 => self.switch(depth - 1),
            _ => self.repeat(depth - 1),
        }
    }

    fn assign(&mut self) {
        let index = self.random.below(self.writable.len());
        let name = self.writable[index].name.clone();
        let value = self.value(2).text;
        let op = if self.random.percent(75) { "=" } else { self.random.pick(&["^=", "|=", "&="]) };
        self.line(&format!("{name} {op} {value};"));
    }

    fn branch(&mut self, depth: usize) {
        let condition = self.condition(2);
        self.line(&format!("if ({condition}) {{"));
        self.block(depth, 2);
        if self.random.percent(30) {
            let condition = self.condition(1);
            self.line(&format!("}} else if ({condition}) {{"));
            self.block(depth, 2);
        }
        if self.random.percent(50) {
            self.line("} else {");
            self.block(depth, 2);
        }
        self.line("}");
    }

    fn switch(&mut self, depth: usize) {
        let value = self.narrow(1).text;
        let on = match self.random.below(4) {
            0 => format!("({value}) & 7"),
            1 => format!("({value}) % 5"),
            2 => format!("({value}) >> 4"),
            _ => value,
        };
        self.line(&format!("switch ({on}) {{"));
        let mut labels = vec![-3, -1, 0, 1, 2, 3, 4, 7, 9, 15, 100, 300];
        let count = 2 + self.random.below(3);
        let default_at = self.random.below(count + 2);
        for number in 0..count {
            if number == default_at {
                self.line("default:");
            }
            let label = labels.remove(self.random.below(labels.len()));
            self.line(&format!("case {label}:"));
            if self.random.percent(80) {
                self.block(depth, 1);
            }
            if self.random.percent(70) {
                self.line("  break;");
            }
        }
        if default_at == count {
            self.line("default:");
            self.block(depth, 1);
        }
        self.line("  ;");
        self.line("}");
    }

    fn repeat(&mut self, depth: usize) {
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

    fn condition(&mut self, depth: usize) -> String {
        match self.random.below(100) {
            0..16 if depth > 0 => format!("({}) && ({})", self.condition(depth - 1), self.condition(depth - 1)),
            16..32 if depth > 0 => format!("({}) || ({})", self.condition(depth - 1), self.condition(depth - 1)),
            32..40 if depth > 0 => format!("!({})", self.condition(depth - 1)),
            40..46 => self.variable().text,
            46..52 => {
                let (a, b) = (self.narrow(1).text, self.value(1).text);
                let op = self.random.pick(&["<", ">", "==", ">="]);
                format!("(unsigned)({a}) {op} (unsigned)({b})")
            }
            52..56 => self.float_condition(),
            _ => self.comparison(depth),
        }
    }

    fn comparison(&mut self, depth: usize) -> String {
        let left = self.value(depth.min(2)).text;
        let right = if self.random.percent(55) { self.constant().text } else { self.value(1).text };
        let op = self.random.pick(&["<", "<=", ">", ">=", "==", "!="]);
        format!("{left} {op} {right}")
    }

    fn float_condition(&mut self) -> String {
        let (a, b) = (self.narrow(0).text, self.narrow(0).text);
        let bound = self.random.pick(&["1.5f", "0.1f", "-2.25f", "33.3f"]);
        match self.random.below(4) {
            0 => format!("(float)({a}) / 3.0f > {bound}"),
            1 => format!("(float)({a}) * 0.1f == {bound}"),
            2 => format!("(double)({a}) < (double)({b}) * 0.5"),
            _ => format!("(float)({a}) / (float)({b}) <= {bound}"),
        }
    }

    fn constant(&mut self) -> Value {
        if self.random.percent(20) {
            let value = self.random.below(512);
            return Value { text: format!("{}", i64::try_from(value).unwrap_or(0) - 256), bits: 9 };
        }
        let (text, bits) = CONSTANTS[self.random.below(CONSTANTS.len())];
        Value { text: text.to_owned(), bits }
    }

    fn variable(&mut self) -> Value {
        let which = &self.readable[self.random.below(self.readable.len())];
        Value { text: which.name.clone(), bits: which.bits }
    }

    /// A value of at most 16 bits.
    fn narrow(&mut self, depth: usize) -> Value {
        let value = self.value(depth);
        self.at_most(value, 16)
    }

    fn at_most(&mut self, value: Value, bits: u32) -> Value {
        if value.bits <= bits {
            return value;
        }
        let fitting: Vec<_> = NARROW.iter().filter(|kind| kind.1 <= bits).collect();
        let Some(&(kind, bits)) = fitting.get(self.random.below(fitting.len())).copied() else {
            return Value { text: format!("(({}) & 1)", value.text), bits: 1 };
        };
        Value { text: format!("({kind})({})", value.text), bits }
    }

    fn value(&mut self, depth: usize) -> Value {
        if depth == 0 || self.random.percent(15) {
            return if self.random.percent(80) { self.variable() } else { self.constant() };
        }
        let d = depth - 1;
        match self.random.below(100) {
            0..24 => self.arithmetic(d),
            24..38 => {
                let (a, b) = (self.narrow(d), self.narrow(d));
                let op = self.random.pick(&["&", "|", "^"]);
                Value { text: format!("(({}) {op} ({}))", a.text, b.text), bits: a.bits.max(b.bits) }
            }
            38..46 => self.shift(d),
            46..58 => self.division(d),
            58..66 => {
                let value = self.value(d);
                let (kind, bits) = NARROW[self.random.below(NARROW.len())];
                Value { text: format!("({kind})({})", value.text), bits }
            }
            66..73 => {
                let (c, a, b) = (self.condition(1), self.narrow(d), self.narrow(d));
                Value { text: format!("(({c}) ? ({}) : ({}))", a.text, b.text), bits: a.bits.max(b.bits) }
            }
            73..79 => Value { text: format!("table[({}) & 7]", self.narrow(d).text), bits: 8 },
            79..84 if self.has_array => Value { text: format!("cells[({}) & 3]", self.narrow(d).text), bits: 8 },
            84..90 if self.helpers > 0 => {
                let (which, a, b) = (self.random.below(self.helpers), self.narrow(d).text, self.narrow(d).text);
                Value { text: format!("helper{which}({a}, (signed char)({b}))"), bits: 16 }
            }
            90..92 => Value { text: format!("walk(({}) & 7)", self.narrow(d).text), bits: 8 },
            92..96 => {
                let value = self.narrow(d);
                let op = self.random.pick(&["-", "~"]);
                Value { text: format!("({op}({}))", value.text), bits: value.bits + 1 }
            }
            _ => Value { text: format!("({})", self.comparison(d)), bits: 1 },
        }
    }

    fn arithmetic(&mut self, depth: usize) -> Value {
        let (a, b) = (self.narrow(depth), self.narrow(depth));
        if self.random.percent(65) {
            let op = self.random.pick(&["+", "-"]);
            return Value { text: format!("(({}) {op} ({}))", a.text, b.text), bits: a.bits.max(b.bits) + 1 };
        }
        if self.random.percent(20) {
            return Value { text: format!("(short)((long long)({}) * ({}) >> 3)", a.text, b.text), bits: 16 };
        }
        if a.bits + b.bits > 30 {
            let text = format!("(unsigned short)((unsigned)({}) * (unsigned)({}))", a.text, b.text);
            return Value { text, bits: 16 };
        }
        Value { text: format!("(({}) * ({}))", a.text, b.text), bits: a.bits + b.bits }
    }

    fn shift(&mut self, depth: usize) -> Value {
        let (a, b) = (self.narrow(depth), self.narrow(depth).text);
        let by = if self.random.percent(50) { format!("{}", self.random.below(9)) } else { format!("(({b}) & 7)") };
        if self.random.percent(50) {
            return Value { text: format!("(({}) >> {by})", a.text), bits: a.bits };
        }
        let (kind, bits) = NARROW[self.random.below(NARROW.len())];
        Value { text: format!("({kind})((unsigned)({}) << {by})", a.text), bits }
    }

    fn division(&mut self, depth: usize) -> Value {
        let (a, b) = (self.narrow(depth), self.narrow(depth));
        let op = self.random.pick(&["/", "%"]);
        let bits = a.bits.max(b.bits) + 1;
        let text = match self.random.below(20) {
            0..8 => format!("(({}) {op} {})", a.text, self.random.pick(&["3", "7", "10", "-5", "16", "1000"])),
            8..13 => format!("(({}) {op} (({}) | 1))", a.text, b.text),
            13..19 => {
                let guard = self.variable();
                let guard = self.at_most(guard, 16).text;
                format!("({guard} != 0 ? ({}) {op} {guard} : 1)", a.text)
            }
            _ => format!("(({}) {op} ({}))", a.text, b.text),
        };
        // The guard may be wider than what the bound was made of, but a quotient or remainder is no larger than the
        // dividend.
        Value { text, bits }
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
}
