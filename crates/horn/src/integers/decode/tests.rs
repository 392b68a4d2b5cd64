//! Formulas of models against their values.

use covenant_constraints::integers::Constants;
use covenant_constraints::integers::Exprs;
use covenant_constraints::random::Rng;
use covenant_constraints::tuning::Tuning;
use covenant_constraints::{Model, eval};

use super::*;

/// A random integer or Boolean expression over `x` and `y`, and its value.
fn expression(rng: &mut Rng, x: i128, y: i128, depth: u32) -> (String, i128) {
    if depth == 0 || rng.chance(15) {
        let n = rng.below(20) as i128;
        let (text, value) = rng.pick(&[("x", x), ("y", y), ("3", 3), ("(- 7)", -7), ("100", 100)]);
        // Sometimes with a coefficient.
        return if n < 12 { (text.into(), value) } else { (format!("(* {n} {text})"), n * value) };
    }
    let (a, v) = expression(rng, x, y, depth - 1);
    let (b, w) = expression(rng, x, y, depth - 1);
    let n = 1 + rng.below(12) as i128;
    match rng.below(7) {
        0 => (format!("(+ {a} {b} {n})"), v + w + n),
        1 => (format!("(- {a} {b})"), v - w),
        2 => (format!("(- {a})"), -v),
        3 => (format!("(* (- {n}) {a})"), -n * v),
        4 => (format!("(div {a} {n})"), v.div_euclid(n)),
        5 => (format!("(mod {a} (- {n}))"), v.rem_euclid(n)),
        _ => {
            let (c, holds) = condition(rng, x, y, depth - 1);
            (format!("(ite {c} {a} {b})"), if holds { v } else { w })
        }
    }
}

fn condition(rng: &mut Rng, x: i128, y: i128, depth: u32) -> (String, bool) {
    let (a, v) = expression(rng, x, y, depth);
    let (b, w) = expression(rng, x, y, depth);
    let (name, holds) =
        rng.pick(&[("<", v < w), ("<=", v <= w), (">", v > w), (">=", v >= w), ("=", v == w), ("distinct", v != w)]);
    match rng.below(4) {
        0 => (format!("(not ({name} {a} {b}))"), !holds),
        1 => (format!("(and ({name} {a} {b}) (<= {a} {b}))"), holds && v <= w),
        _ => (format!("({name} {a} {b})"), holds),
    }
}

#[test]
fn formulas_keep_their_value() {
    let mut rng = Rng::new(5);
    let mut seen = [0; 2];
    for _ in 0..4_000 {
        let (x, y) = (rng.next() as i8, rng.next() as u8);
        let (text, expected) = condition(&mut rng, x.into(), y.into(), 4);
        let mut t = Terms::new();
        let (vx, vy) = (t.var("x", Sort::Bv(8)), t.var("y", Sort::Bv(8)));
        let (tx, ty) = (t.var_term(vx), t.var_term(vy));
        let wide = t.zext(ty, 9);
        let mut algebra = Integers { terms: &mut t, names: FxHashMap::default(), ranges: FxHashMap::default() };
        let signed = Value::Int(algebra.part(tx, Interval::of_width(8, true)));
        let unsigned = Value::Int(algebra.part(wide, Interval::of_width(8, false)));
        algebra.names.extend([("x", signed), ("y", unsigned)]);
        let doc = Document::read(&text).unwrap();
        let Value::Plain(term) = walk(&doc, doc.items()[0], &mut algebra).unwrap_or_else(|e| panic!("{e}: {text}"))
        else {
            panic!("{text} is a condition");
        };
        let model: Model =
            [(vx, covenant_constraints::Value::Bv(x as u8 as u128)), (vy, covenant_constraints::Value::Bv(y.into()))]
                .into_iter()
                .collect();
        assert_eq!(eval(&t, term, &model), covenant_constraints::Value::Bool(expected), "{text} with x = {x}, y = {y}");
        seen[usize::from(expected)] += 1;
    }
    assert!(seen.iter().all(|n| *n > 500), "{seen:?}");
}

#[test]
fn simple_comparisons_stay_simple() {
    let mut t = Terms::new();
    let (x, y) = (t.new_var("x", Sort::Bv(32)), t.new_var("y", Sort::Bv(32)));
    let mut algebra = Integers { terms: &mut t, names: FxHashMap::default(), ranges: FxHashMap::default() };
    for (name, term) in [("x", x), ("y", y)] {
        let value = Value::Int(algebra.part(term, Interval::of_width(32, true)));
        algebra.names.insert(name, value);
    }
    let mut read = |text: &'static str| {
        let doc = Document::read(text).unwrap();
        match walk(&doc, doc.items()[0], &mut algebra).unwrap() {
            Value::Plain(term) => covenant_constraints::smtlib::term(algebra.terms, term),
            Value::Int(_) => panic!("{text} is a condition"),
        }
    };
    assert_eq!(read("(<= (+ x (* (- 1) y)) 0)"), "(bvsle |x| |y|)");
    assert_eq!(read("(>= x 0)"), "(bvslt #xffffffff |x|)");
    assert_eq!(read("(<= x 2147483647)"), "true");
    assert_eq!(read("(= (- x y) (- y y))"), "(= |x| |y|)");
}

/// What is said of the numbers in place of constants is true of the constants.
#[test]
fn facts_about_constants_hold() {
    let mut rng = Rng::new(9);
    let mut groups = 0;
    for _ in 0..500 {
        let mut t = Terms::new();
        let width = rng.pick(&[4, 8, 32, 64, 128]);
        let var = t.var("x", Sort::Bv(width));
        let x = t.var_term(var);
        let (mut starts, mut guards) = (Vec::new(), vec![t.tt()]);
        for _ in 0..4 {
            let c = t.bv(rng.bits(width), width);
            guards.push(t.ult(x, c));
            starts.push(t.add(x, c));
        }
        let constants = Constants::of(&t, &starts, &guards, &Tuning::default());
        groups += constants.values().count();
        let mut exprs = Exprs::default();
        let facts = constants.facts(&mut exprs);
        let text = format!("(and true {})", exprs.with_lets(&facts, |texts| texts.join(" ")));
        let names: Vec<String> = constants.names().collect();
        let doc = Document::read(&text).unwrap();
        let mut algebra = Integers { terms: &mut t, names: FxHashMap::default(), ranges: FxHashMap::default() };
        let values = names.iter().map(String::as_str).zip(constants.values());
        algebra.names.extend(values.map(|(name, value)| (name, Value::Int(Linear::number(value)))));
        let Value::Plain(all) = walk(&doc, doc.items()[0], &mut algebra).unwrap() else { panic!("{text}") };
        assert_eq!(all, t.tt(), "{text} with {:?}", constants.values().collect::<Vec<_>>());
    }
    assert!(groups > 300, "{groups}");
}
