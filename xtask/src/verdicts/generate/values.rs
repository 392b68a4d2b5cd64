//! Expressions, each with a bound of its magnitude.

use super::Writer;

pub(super) const NARROW: &[(&str, u32)] =
    &[("signed char", 8), ("unsigned char", 8), ("char", 8), ("short", 16), ("unsigned short", 16)];
pub(super) const LOCALS: &[(&str, u32)] = &[
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
pub(super) struct Value {
    pub(super) text: String,
    pub(super) bits: u32,
}

impl Writer {
    pub(super) fn condition(&mut self, depth: usize) -> String {
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

    pub(super) fn comparison(&mut self, depth: usize) -> String {
        let left = self.value(depth.min(2)).text;
        let right = if self.random.percent(55) { self.constant().text } else { self.value(1).text };
        let op = self.random.pick(&["<", "<=", ">", ">=", "==", "!="]);
        format!("{left} {op} {right}")
    }

    pub(super) fn float_condition(&mut self) -> String {
        let (a, b) = (self.narrow(0).text, self.narrow(0).text);
        let bound = self.random.pick(&["1.5f", "0.1f", "-2.25f", "33.3f"]);
        match self.random.below(4) {
            0 => format!("(float)({a}) / 3.0f > {bound}"),
            1 => format!("(float)({a}) * 0.1f == {bound}"),
            2 => format!("(double)({a}) < (double)({b}) * 0.5"),
            _ => format!("(float)({a}) / (float)({b}) <= {bound}"),
        }
    }

    pub(super) fn constant(&mut self) -> Value {
        if self.random.percent(20) {
            let value = self.random.below(512);
            return Value { text: format!("{}", i64::try_from(value).unwrap_or(0) - 256), bits: 9 };
        }
        let (text, bits) = CONSTANTS[self.random.below(CONSTANTS.len())];
        Value { text: text.to_owned(), bits }
    }

    pub(super) fn variable(&mut self) -> Value {
        let which = &self.readable[self.random.below(self.readable.len())];
        Value { text: which.name.clone(), bits: which.bits }
    }

    /// A value of at most 16 bits.
    pub(super) fn narrow(&mut self, depth: usize) -> Value {
        let value = self.value(depth);
        self.at_most(value, 16)
    }

    pub(super) fn at_most(&mut self, value: Value, bits: u32) -> Value {
        if value.bits <= bits {
            return value;
        }
        let fitting: Vec<_> = NARROW.iter().filter(|kind| kind.1 <= bits).collect();
        let Some(&(kind, bits)) = fitting.get(self.random.below(fitting.len())).copied() else {
            return Value { text: format!("(({}) & 1)", value.text), bits: 1 };
        };
        Value { text: format!("({kind})({})", value.text), bits }
    }

    pub(super) fn value(&mut self, depth: usize) -> Value {
        if depth == 0 || self.random.percent(15) {
            return if self.random.percent(80) { self.variable() } else { self.constant() };
        }
        let d = depth - 1;
        if !self.features.is_empty() && self.random.percent(8) {
            let which = self.random.below(self.features.len());
            if let Some(value) = self.features[which].value {
                return value(self);
            }
        }
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

    pub(super) fn arithmetic(&mut self, depth: usize) -> Value {
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

    pub(super) fn shift(&mut self, depth: usize) -> Value {
        let (a, b) = (self.narrow(depth), self.narrow(depth).text);
        let by = if self.random.percent(50) { format!("{}", self.random.below(9)) } else { format!("(({b}) & 7)") };
        if self.random.percent(50) {
            return Value { text: format!("(({}) >> {by})", a.text), bits: a.bits };
        }
        let (kind, bits) = NARROW[self.random.below(NARROW.len())];
        Value { text: format!("({kind})((unsigned)({}) << {by})", a.text), bits }
    }

    pub(super) fn division(&mut self, depth: usize) -> Value {
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
