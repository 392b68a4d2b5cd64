//! Bounded queries about random programs, against what they do for every input.
//!
//! The programs have two variables, a table of eight bytes and one of two entries, each a pointer into the first.

use std::cell::Cell;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use super::*;

/// Bytes of the table. The pointers lie behind them.
const TABLE: u64 = 8;
const POINTERS: u64 = 2;

#[derive(Clone, Debug)]
enum Expr {
    Const(u8),
    Input,
    Var(usize),
    Add(Box<Expr>, Box<Expr>),
    /// A byte of the table, at the lowest bits of an index.
    Table(Box<Expr>),
    /// What a pointer points to.
    Behind(usize),
}

#[derive(Clone, Copy, Debug)]
enum Compare {
    Eq,
    Ult,
    Slt,
    Ule,
}

#[derive(Clone, Debug)]
enum Stmt {
    Set(usize, Expr),
    Write(Expr, Expr),
    /// Lets a pointer point to some byte of the table.
    Point(usize, Expr),
    WriteBehind(usize, Expr),
    If(Compare, Expr, Expr, Vec<Stmt>, Vec<Stmt>),
    /// Goes on only with an input that is small enough.
    Check(u8),
    /// Twice the same.
    Twice(Vec<Stmt>),
}

fn expr() -> impl Strategy<Value = Expr> {
    let pointer = 0..POINTERS as usize;
    let leaf = prop_oneof![
        (0u8..6).prop_map(Expr::Const),
        Just(Expr::Input),
        (0usize..2).prop_map(Expr::Var),
        pointer.prop_map(Expr::Behind)
    ];
    leaf.prop_recursive(2, 6, 2, |inner| {
        let two = (inner.clone(), inner.clone());
        prop_oneof![
            two.prop_map(|(a, b)| Expr::Add(Box::new(a), Box::new(b))),
            inner.prop_map(|at| Expr::Table(Box::new(at)))
        ]
    })
}

fn stmt() -> impl Strategy<Value = Stmt> {
    let compare = prop_oneof![Just(Compare::Eq), Just(Compare::Ult), Just(Compare::Slt), Just(Compare::Ule)];
    let leaf = prop_oneof![
        3 => (0usize..2, expr()).prop_map(|(var, value)| Stmt::Set(var, value)),
        2 => (expr(), expr()).prop_map(|(at, value)| Stmt::Write(at, value)),
        2 => (0..POINTERS as usize, expr()).prop_map(|(pointer, at)| Stmt::Point(pointer, at)),
        1 => (0..POINTERS as usize, expr()).prop_map(|(pointer, value)| Stmt::WriteBehind(pointer, value)),
        1 => (2u8..20).prop_map(Stmt::Check),
    ];
    leaf.prop_recursive(3, 12, 3, move |inner| {
        let block = || vec(inner.clone(), 0..3);
        prop_oneof![
            3 => (compare.clone(), expr(), expr(), block(), block())
                .prop_map(|(op, a, b, then, other)| Stmt::If(op, a, b, then, other)),
            1 => block().prop_map(Stmt::Twice),
        ]
    })
}

/// A run.
struct State {
    input: u8,
    vars: [u8; 2],
    table: [u8; TABLE as usize],
    pointers: [usize; POINTERS as usize],
}

impl State {
    fn value(&self, expr: &Expr) -> u8 {
        match expr {
            Expr::Const(value) => *value,
            Expr::Input => self.input,
            Expr::Var(var) => self.vars[*var],
            Expr::Add(a, b) => self.value(a).wrapping_add(self.value(b)),
            Expr::Table(at) => self.table[self.index(at)],
            Expr::Behind(pointer) => self.table[self.pointers[*pointer]],
        }
    }

    fn index(&self, at: &Expr) -> usize {
        usize::from(self.value(at)) % TABLE as usize
    }

    /// Whether the run goes on to the end.
    fn run(&mut self, block: &[Stmt]) -> bool {
        block.iter().all(|stmt| self.step(stmt))
    }

    fn step(&mut self, stmt: &Stmt) -> bool {
        match stmt {
            Stmt::Set(var, value) => self.vars[*var] = self.value(value),
            Stmt::Write(at, value) => self.table[self.index(at)] = self.value(value),
            Stmt::Point(pointer, at) => self.pointers[*pointer] = self.index(at),
            Stmt::WriteBehind(pointer, value) => self.table[self.pointers[*pointer]] = self.value(value),
            Stmt::Check(most) => return self.input < *most,
            Stmt::Twice(block) => return self.run(block) && self.run(block),
            Stmt::If(op, a, b, then, other) => {
                let (a, b) = (self.value(a), self.value(b));
                let holds = match op {
                    Compare::Eq => a == b,
                    Compare::Ult => a < b,
                    Compare::Slt => (a as i8) < b as i8,
                    Compare::Ule => a <= b,
                };
                return self.run(if holds { then } else { other });
            }
        }
        true
    }
}

/// The same as a flow.
struct Builder {
    p: Program,
    vars: [(VarId, TermId); 2],
    memory: (VarId, TermId),
    at: LocationId,
    turns: usize,
}

impl Builder {
    fn new() -> Builder {
        let mut p = Program::new();
        let zero = p.ground.terms.bv(0, 8);
        let mut bytes: Vec<TermId> = (0..TABLE).map(|i| p.ground.terms.bv(u128::from(3 * i % 7), 8)).collect();
        let pointer = OBJECT.to_le_bytes().map(|byte| p.ground.terms.bv(u128::from(byte), 8));
        (0..POINTERS).for_each(|_| bytes.extend(pointer));
        p.ground.bytes = bytes;
        let vars = ["a", "b"].map(|name| p.variable(name, Some(zero), Sort::Bv(8)));
        let memory = p.variable("memory", None, Sort::Array);
        let input = p.ground.terms.var_term(p.input);
        p.flow.add_variable(p.input);
        p.ground.values.insert(p.input, input);
        let at = p.flow.root;
        Builder { p, vars, memory, at, turns: 0 }
    }

    fn t(&mut self) -> &mut Terms {
        &mut self.p.ground.terms
    }

    fn value(&mut self, expr: &Expr) -> TermId {
        match expr {
            Expr::Const(value) => self.t().bv(u128::from(*value), 8),
            Expr::Input => self.p.ground.terms.var_term(self.p.input),
            Expr::Var(var) => self.vars[*var].1,
            Expr::Add(a, b) => {
                let (a, b) = (self.value(a), self.value(b));
                self.t().add(a, b)
            }
            Expr::Table(at) => {
                let (at, memory) = (self.address(at), self.memory.1);
                self.t().select(memory, at)
            }
            Expr::Behind(pointer) => {
                let (at, memory) = (self.pointer(*pointer), self.memory.1);
                self.t().select(memory, at)
            }
        }
    }

    fn address(&mut self, at: &Expr) -> TermId {
        let index = self.value(at);
        let t = self.t();
        let (mask, start) = (t.bv(u128::from(TABLE - 1), 8), t.bv(u128::from(OBJECT), 64));
        let index = t.bv_and(index, mask);
        let wide = t.zext(index, 64);
        t.add(start, wide)
    }

    fn pointer(&mut self, pointer: usize) -> TermId {
        let (memory, first) = (self.memory.1, OBJECT + TABLE + 8 * pointer as u64);
        let bytes = (0..8).map(|i| {
            let at = self.p.ground.terms.bv(u128::from(first + i), 64);
            self.p.ground.terms.select(memory, at)
        });
        let bytes: Vec<TermId> = bytes.collect();
        bytes.into_iter().reduce(|low, high| self.t().concat(high, low)).expect("eight bytes")
    }

    fn go(&mut self, guard: Vec<TermId>, assign: Vec<(VarId, TermId)>) {
        let next = self.p.flow.add_location();
        self.p.flow.add_edge(self.at, next, guard, assign);
        self.at = next;
    }

    fn write(&mut self, first: TermId, bytes: &[TermId]) {
        let mut memory = self.memory.1;
        for (i, &byte) in bytes.iter().enumerate() {
            let t = self.t();
            let step = t.bv(i as u128, 64);
            let at = t.add(first, step);
            memory = t.store(memory, at, byte);
        }
        self.go(vec![], vec![(self.memory.0, memory)]);
    }

    fn block(&mut self, block: &[Stmt]) {
        block.iter().for_each(|stmt| self.step(stmt));
    }

    fn step(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Set(var, value) => {
                let value = self.value(value);
                self.go(vec![], vec![(self.vars[*var].0, value)]);
            }
            Stmt::Write(at, value) => {
                let (at, value) = (self.address(at), self.value(value));
                self.write(at, &[value]);
            }
            Stmt::Point(pointer, at) => {
                let at = self.address(at);
                let bytes: Vec<TermId> = (0..8u8).map(|i| self.t().extract(at, 8 * i + 7, 8 * i)).collect();
                let first = self.t().bv(u128::from(OBJECT + TABLE + 8 * *pointer as u64), 64);
                self.write(first, &bytes);
            }
            Stmt::WriteBehind(pointer, value) => {
                let (at, value) = (self.pointer(*pointer), self.value(value));
                self.write(at, &[value]);
            }
            Stmt::Check(most) => {
                let (input, most) = (self.value(&Expr::Input), self.value(&Expr::Const(*most)));
                let is_below = self.t().ult(input, most);
                self.go(vec![is_below], vec![]);
            }
            Stmt::If(op, a, b, then, other) => self.branch(*op, a, b, then, other),
            Stmt::Twice(block) => self.twice(block),
        }
    }

    fn branch(&mut self, op: Compare, a: &Expr, b: &Expr, then: &[Stmt], other: &[Stmt]) {
        let (a, b) = (self.value(a), self.value(b));
        let t = self.t();
        let holds = match op {
            Compare::Eq => t.eq(a, b),
            Compare::Ult => t.ult(a, b),
            Compare::Slt => t.slt(a, b),
            Compare::Ule => t.ule(a, b),
        };
        let not = t.not(holds);
        let (start, end) = (self.at, self.p.flow.add_location());
        for (guard, block) in [(holds, then), (not, other)] {
            self.at = start;
            self.go(vec![guard], vec![]);
            self.block(block);
            self.p.flow.add_edge(self.at, end, vec![], vec![]);
        }
        self.at = end;
    }

    /// A loop that counts.
    fn twice(&mut self, block: &[Stmt]) {
        self.turns += 1;
        let [zero, one, two] = [0, 1, 2].map(|value| self.t().bv(value, 8));
        let name = format!("i{}", self.turns);
        let (i, now) = self.p.variable(&name, Some(zero), Sort::Bv(8));
        self.go(vec![], vec![(i, zero)]);
        let head = self.at;
        let goes_on = self.t().ult(now, two);
        let (ends, next) = (self.t().not(goes_on), self.t().add(now, one));
        self.go(vec![goes_on], vec![]);
        self.block(block);
        self.p.flow.add_edge(self.at, head, vec![], vec![(i, next)]);
        self.at = head;
        self.go(vec![ends], vec![]);
    }
}

/// The inputs for which a program comes to its end and two values are the same there.
fn expected(block: &[Stmt], a: &Expr, b: &Expr) -> Vec<u8> {
    let table = std::array::from_fn(|i| (3 * i % 7) as u8);
    let reaches = |&input: &u8| {
        let mut state = State { input, vars: [0; 2], table, pointers: [0; 2] };
        state.run(block) && state.value(a) == state.value(b)
    };
    (0..=255).filter(reaches).collect()
}

#[test]
fn queries_know_where_random_programs_go() {
    let programs = (vec(stmt(), 1..7), expr(), expr());
    let (all, whole) = (Cell::new(0), Cell::new(0));
    let mut runner = TestRunner::new(Config { cases: 600, failure_persistence: None, ..Config::default() });
    let result = runner.run(&programs, |(block, a, b)| {
        let mut builder = Builder::new();
        builder.block(&block);
        let (x, y) = (builder.value(&a), builder.value(&b));
        let is_same = builder.t().eq(x, y);
        builder.go(vec![is_same], vec![]);
        let (mut p, target) = (builder.p, builder.at);
        let encoding = p.encode(target, 4);
        let found = encoding.reached.first().map_or(Vec::new(), |reached| p.inputs(reached.1));
        let expected = expected(&block, &a, &b);
        prop_assert!(found.iter().all(|input| expected.contains(input)), "{found:?}, not {expected:?}");
        if encoding.whole {
            prop_assert_eq!(found, expected);
        }
        all.set(all.get() + 1);
        whole.set(whole.get() + usize::from(encoding.whole));
        Ok(())
    });
    result.unwrap_or_else(|error| panic!("{error}"));
    assert!(
        whole.get() * 10 > all.get() * 9,
        "{} of {} queries left something out",
        all.get() - whole.get(),
        all.get()
    );
}
