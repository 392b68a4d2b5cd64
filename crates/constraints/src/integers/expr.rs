//! Expressions over integers, Booleans and arrays of integers, shared where they are equal, to be written as text.

use std::fmt::Write as _;

use num_bigint::{BigInt, Sign};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// An expression of one [`Exprs`]. Arguments have smaller ids than what they are arguments of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Expr(u32);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Node {
    Number(BigInt),
    Symbol(String),
    Apply(&'static str, SmallVec<[Expr; 3]>),
}

/// Expressions nested deeper than this get a name.
const MAX_NESTING: u32 = 40; // not tuning: how the text looks

/// Expressions over integers and Booleans, each kept once, and folded where they are constant.
#[derive(Debug, Default)]
pub struct Exprs {
    nodes: Vec<Node>,
    table: FxHashMap<Node, Expr>,
}

impl Exprs {
    fn intern(&mut self, node: Node) -> Expr {
        if let Some(&known) = self.table.get(&node) {
            return known;
        }
        let id = Expr(u32::try_from(self.nodes.len()).expect("fewer than 2^32 expressions fit into memory"));
        self.nodes.push(node.clone());
        self.table.insert(node, id);
        id
    }

    /// A variable or a function without arguments, which somebody else declares.
    pub fn symbol(&mut self, name: impl Into<String>) -> Expr {
        self.intern(Node::Symbol(name.into()))
    }

    /// An integer of any size.
    pub fn number(&mut self, value: impl Into<BigInt>) -> Expr {
        self.intern(Node::Number(value.into()))
    }

    /// `true` or `false`
    pub fn bool(&mut self, value: bool) -> Expr {
        self.symbol(if value { "true" } else { "false" })
    }

    /// `(name args…)`, as it is.
    pub fn apply(&mut self, name: &'static str, args: &[Expr]) -> Expr {
        self.intern(Node::Apply(name, args.into()))
    }

    fn as_number(&self, e: Expr) -> Option<&BigInt> {
        match &self.nodes[e.0 as usize] {
            Node::Number(n) => Some(n),
            _ => None,
        }
    }

    fn as_bool(&self, e: Expr) -> Option<bool> {
        match &self.nodes[e.0 as usize] {
            Node::Symbol(s) if s == "true" => Some(true),
            Node::Symbol(s) if s == "false" => Some(false),
            _ => None,
        }
    }

    /// `a + b`
    pub fn add(&mut self, a: Expr, b: Expr) -> Expr {
        match (self.as_number(a), self.as_number(b)) {
            (Some(x), Some(y)) => {
                let sum = x + y;
                self.number(sum)
            }
            (Some(x), None) if x.sign() == Sign::NoSign => b,
            (None, Some(y)) if y.sign() == Sign::NoSign => a,
            _ => self.apply("+", &[a, b]),
        }
    }

    /// `a + n`
    pub fn add_number(&mut self, a: Expr, n: &BigInt) -> Expr {
        let n = self.number(n.clone());
        self.add(a, n)
    }

    /// `a * by`
    pub fn scale(&mut self, a: Expr, by: &BigInt) -> Expr {
        if *by == BigInt::from(1) {
            return a;
        }
        if let Some(x) = self.as_number(a) {
            let product = x * by;
            return self.number(product);
        }
        let factor = self.number(by.clone());
        if by.sign() == Sign::NoSign { factor } else { self.apply("*", &[factor, a]) }
    }

    /// `a <= b`
    pub fn le(&mut self, a: Expr, b: Expr) -> Expr {
        match (self.as_number(a), self.as_number(b)) {
            (Some(x), Some(y)) => {
                let holds = x <= y;
                self.bool(holds)
            }
            _ => self.apply("<=", &[a, b]),
        }
    }

    /// `a < b`, written as the opposite of `b <= a`.
    pub fn lt(&mut self, a: Expr, b: Expr) -> Expr {
        let not = self.le(b, a);
        self.not(not)
    }

    /// `a = b`, of integers or of Booleans.
    pub fn eq(&mut self, a: Expr, b: Expr) -> Expr {
        if a == b {
            return self.bool(true);
        }
        self.apply("=", &[a, b])
    }

    /// The opposite; that of an opposite is what it was made of.
    pub fn not(&mut self, a: Expr) -> Expr {
        match self.as_bool(a) {
            Some(value) => self.bool(!value),
            None => self.apply("not", &[a]),
        }
    }

    /// Both.
    pub fn and(&mut self, a: Expr, b: Expr) -> Expr {
        match (self.as_bool(a), self.as_bool(b)) {
            (Some(false), _) | (_, Some(true)) => a,
            (Some(true), _) | (_, Some(false)) => b,
            _ => self.apply("and", &[a, b]),
        }
    }

    /// One of them, or both.
    pub fn or(&mut self, a: Expr, b: Expr) -> Expr {
        match (self.as_bool(a), self.as_bool(b)) {
            (Some(true), _) | (_, Some(false)) => a,
            (Some(false), _) | (_, Some(true)) => b,
            _ => self.apply("or", &[a, b]),
        }
    }

    /// `b`, where `a` holds.
    pub fn implies(&mut self, a: Expr, b: Expr) -> Expr {
        let not = self.not(a);
        self.or(not, b)
    }

    /// `a` where `c` holds, else `b`.
    pub fn ite(&mut self, c: Expr, a: Expr, b: Expr) -> Expr {
        match self.as_bool(c) {
            Some(true) => a,
            Some(false) => b,
            None if a == b => a,
            None => self.apply("ite", &[c, a, b]),
        }
    }

    /// What `body` makes of the texts of the roots, within the bindings that they share.
    pub fn with_lets(&self, roots: &[Expr], body: impl FnOnce(Vec<String>) -> String) -> String {
        let uses = self.uses(roots);
        let mut texts: Vec<(String, u32)> = vec![Default::default(); self.nodes.len()];
        let (mut out, mut bindings) = (String::new(), 0);
        for (i, node) in self.nodes.iter().enumerate().filter(|(i, _)| uses[*i] > 0) {
            let (text, depth) = match node {
                Node::Number(n) => (number_text(n), 0),
                Node::Symbol(s) => (s.clone(), 0),
                Node::Apply(name, args) => {
                    let depth = args.iter().map(|a| texts[a.0 as usize].1 + 1).max().unwrap_or(0);
                    let args: Vec<&str> = args.iter().map(|a| texts[a.0 as usize].0.as_str()).collect();
                    (format!("({name} {})", args.join(" ")), depth)
                }
            };
            let named = matches!(node, Node::Apply(..)) && (uses[i] > 1 || depth > MAX_NESTING);
            texts[i] = if named {
                let _ = write!(out, "(let ((e{i} {text})) ");
                bindings += 1;
                (format!("e{i}"), 0)
            } else {
                (text, depth)
            };
        }
        out.push_str(&body(roots.iter().map(|r| texts[r.0 as usize].0.clone()).collect()));
        out.extend(std::iter::repeat_n(')', bindings));
        out
    }

    /// How often each expression occurs below the roots, by id.
    fn uses(&self, roots: &[Expr]) -> Vec<u32> {
        let mut uses = vec![0u32; self.nodes.len()];
        for root in roots {
            uses[root.0 as usize] += 1;
        }
        for i in (0..self.nodes.len()).rev() {
            if let (Node::Apply(_, args), true) = (&self.nodes[i], uses[i] > 0) {
                for arg in args {
                    uses[arg.0 as usize] += 1;
                }
            }
        }
        uses
    }
}

fn number_text(n: &BigInt) -> String {
    if n.sign() == Sign::Minus { format!("(- {})", n.magnitude()) } else { n.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_share() {
        let mut e = Exprs::default();
        let x = e.symbol("x");
        let y = e.add_number(x, &BigInt::from(-3));
        let z = e.scale(y, &BigInt::from(5));
        let le = e.le(y, z);
        let text = e.with_lets(&[le, x], |t| t.join(" "));
        assert_eq!(text, "(let ((e2 (+ x (- 3)))) (<= e2 (* 5 e2)) x)");
        let (two, tt) = (e.number(2), e.bool(true));
        assert_eq!(e.ite(tt, x, y), x);
        let four = e.scale(two, &BigInt::from(2));
        assert_eq!(four, e.number(4));
        let less = e.lt(two, four);
        assert_eq!(less, tt);
    }
}
