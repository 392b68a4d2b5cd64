//! Statements without loops of their own.

use super::Writer;

impl Writer {
    pub(super) fn statement(&mut self, depth: usize) {
        self.statements = self.statements.saturating_sub(1);
        if self.in_subject && !self.features.is_empty() && self.random.percent(15) {
            let which = self.random.below(self.features.len());
            return (self.features[which].statement)(self);
        }
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
            _ if self.unbounded > 0 => self.unbounded_loop(depth - 1),
            _ => self.repeat(depth - 1),
        }
    }

    pub(super) fn assign(&mut self) {
        let index = self.random.below(self.writable.len());
        let name = self.writable[index].name.clone();
        let value = self.value(2).text;
        let op = if self.random.percent(75) { "=" } else { self.random.pick(&["^=", "|=", "&="]) };
        self.line(&format!("{name} {op} {value};"));
    }

    pub(super) fn branch(&mut self, depth: usize) {
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

    pub(super) fn switch(&mut self, depth: usize) {
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

    /// A name that no other statement has.
    pub(super) fn name(&mut self, stem: &str) -> String {
        self.fresh += 1;
        format!("{stem}{}", self.fresh)
    }

    /// Statements in a block of their own.
    pub(super) fn in_braces(&mut self, lines: &[String], then: impl FnOnce(&mut Self)) {
        let (readable, writable) = (self.readable.len(), self.writable.len());
        self.line("{");
        self.indent += 1;
        for line in lines {
            self.line(line);
        }
        then(self);
        self.indent -= 1;
        self.line("}");
        self.readable.truncate(readable);
        self.writable.truncate(writable);
    }

    /// Something that depends on the value: a return, a change, a switch.
    pub(super) fn observe(&mut self, value: &str) {
        let constant = self.constant().text;
        match self.random.below(6) {
            0 => {
                let result = self.narrow(0).text;
                self.line(&format!("if ({value} == {constant})"));
                self.line(&format!("  return {result};"));
            }
            1 | 2 => {
                let op = self.random.pick(&["<", ">", "<=", "!="]);
                self.line(&format!("if ({value} {op} {constant}) {{"));
                self.block(0, 2);
                self.line("}");
            }
            3 => {
                let index = self.random.below(self.writable.len());
                let name = self.writable[index].name.clone();
                self.line(&format!("{name} = {value};"));
                self.line(&format!("if ({name} == {constant})"));
                self.line("  return 77;");
            }
            4 => {
                let other = self.comparison(1);
                self.line(&format!("if ({value} > {constant} && {other})"));
                self.line("  return 78;");
            }
            _ => {
                self.line(&format!("switch ({value}) {{"));
                for label in ["0", "1", "7"] {
                    self.line(&format!("case {label}:"));
                    self.assign();
                    if self.random.percent(60) {
                        self.line("  break;");
                    }
                }
                self.line("default:");
                self.assign();
                self.line("}");
            }
        }
    }
}
