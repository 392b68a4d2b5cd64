//! What is printed reads back as the same term; what is not understood is an error.

use super::*;
use crate::random::{Generator, Rng, Shape};
use crate::smtlib;
use crate::{Value, eval};

fn shapes() -> Vec<Shape> {
    vec![
        Shape::default(),
        Shape { raw: 40, ..Shape::default() },
        Shape { widths: vec![1, 7, 32, 64, 128], raw: 10, ..Shape::default() },
        Shape { widths: vec![8, 64], arrays: true, raw: 10, ..Shape::default() },
        Shape { widths: vec![1, 8, 32, 64, 79], floats: FloatKind::ALL.to_vec(), raw: 10, ..Shape::default() },
    ]
}

/// Builds every node anew, as reading does.
fn rebuild(t: &mut Terms, root: TermId) -> TermId {
    let mut new = FxHashMap::default();
    for term in t.postorder(&[root]) {
        let node = *t.node(term);
        let args: Vec<TermId> = node.args.iter().map(|a| new[&a]).collect();
        let built = if args.is_empty() { term } else { t.mk(node.op, &args, node.sort) };
        new.insert(term, built);
    }
    new[&root]
}

/// Calls `check` with random terms, and returns how often building the term anew leaves it as it is.
fn random_terms(mut check: impl FnMut(&mut Terms, TermId, u64)) -> usize {
    let mut stable = 0;
    for seed in 0..1_500 {
        for shape in shapes() {
            let mut t = Terms::new();
            let mut sorts = vec![Sort::Bool];
            sorts.extend(shape.widths.iter().map(|w| Sort::Bv(*w)));
            sorts.extend(shape.floats.iter().map(|k| Sort::Float(*k)));
            if shape.arrays {
                sorts.push(Sort::Array);
            }
            let mut g = Generator::new(&mut t, seed, shape);
            let sort = g.rng.pick(&sorts);
            let term = g.term(&mut t, sort, 6);
            stable += usize::from(rebuild(&mut t, term) == term);
            check(&mut t, term, seed);
        }
    }
    stable
}

#[test]
fn terms_come_back() {
    let stable = random_terms(|t, term, seed| {
        let text = smtlib::term(t, term);
        let scope = smtlib::scope(t, &[term]);
        let back = super::term(&text, t, &scope).unwrap_or_else(|e| panic!("{e} (seed {seed})\n{text}"));
        assert_eq!(back, rebuild(t, term), "seed {seed}\n{text}");
    });
    assert!(stable > 4_000, "only {stable} terms are the same when built anew");
}

#[test]
fn scripts_come_back() {
    random_terms(|t, term, seed| {
        // Something Boolean that holds the term.
        let copy = t.new_var("copy", t.sort(term));
        let goal = t.eq(term, copy);
        let text = smtlib::query(t, &[], goal);
        let scope = smtlib::scope(t, &[goal]);
        let script = super::script(&text, t, &scope).unwrap_or_else(|e| panic!("{e} (seed {seed})\n{text}"));
        assert_eq!(script.assertions, [rebuild(t, goal)], "seed {seed}\n{text}");
    });
}

#[test]
fn what_solvers_print() {
    let mut t = Terms::new();
    let (x, y) = (t.new_var("x", Sort::Bv(32)), t.new_var("y", Sort::Bv(32)));
    let (p, q) = (t.new_var("p", Sort::Bool), t.new_var("q", Sort::Bool));
    let a = t.new_var("a", Sort::Array);
    let names = [("x", x), ("y", y), ("p", p), ("q", q), ("a", a)];
    let scope: Scope = names.into_iter().map(|(n, t)| (n.to_owned(), t)).collect();
    let mut check = |text: &str, build: &dyn Fn(&mut Terms) -> TermId| {
        let read = super::term(text, &mut t, &scope).unwrap_or_else(|e| panic!("{e}\n{text}"));
        assert_eq!(read, build(&mut t), "{text}");
    };
    check("(let ((x y) (y x)) (bvsub x y))", &|t| t.sub(y, x));
    check("(let ((z (bvadd x #x00000001))) (let ((z (bvmul z z))) z))", &|t| {
        let one = t.bv(1, 32);
        let z = t.add(x, one);
        t.mul(z, z)
    });
    check("(bvadd x y (_ bv7 32) #b00000000000000000000000000000001)", &|t| {
        let eight = t.bv(8, 32);
        let sum = t.add(x, y);
        t.add(sum, eight)
    });
    check("(and p q (or p))", &|t| t.and(p, q));
    check("(=> p q p)", &|t| t.tt());
    check("(=> p q)", &|t| t.implies(p, q));
    check("(distinct x y)", &|t| t.ne(x, y));
    check("(= x y #x00000005)", &|t| {
        let five = t.bv(5, 32);
        let (xy, y5) = (t.eq(x, y), t.eq(y, five));
        t.and(xy, y5)
    });
    check("(bvsge x y)", &|t| t.sle(y, x));
    check("(bvugt x y)", &|t| t.ult(y, x));
    check("(! (bvsgt |x| y) :named |some name|)", &|t| t.slt(y, x));
    check("(concat #b1 ((_ extract 2 1) x) #xf)", &|t| {
        let (one, f) = (t.bv(1, 1), t.bv(15, 4));
        let middle = t.extract(x, 2, 1);
        let low = t.concat(middle, f);
        t.concat(one, low)
    });
    check(
        "(select (store ((as const (Array (_ BitVec 64) (_ BitVec 8))) #x00) #x0000000000000003 #x07) (_ bv3 64))",
        &|t| t.bv(7, 8),
    );
    check("(fp.to_ieee_bv ((_ to_fp 8 24) RNE ((_ to_fp 11 53) #x3ff8000000000000)))", &|t| t.bv(0x3fc0_0000, 32));
    check("(fp.isPositive (_ -zero 8 24))", &|t| t.ff());
    check("(fp.geq (_ +oo 11 53) (fp #b0 #b01111111111 #x0000000000000))", &|t| t.tt());
    check("(bvudiv_i #x00000007 #x00000000)", &|t| t.ones(32));
    check("((_ rotate_left 33) #x80000001)", &|t| t.bv(3, 32));
}

#[test]
fn models_with_functions() {
    let text = "(
        ;; as Z3 prints them
        (define-fun c () (_ BitVec 8) #x05)
        (define-fun inc ((x!0 (_ BitVec 8))) (_ BitVec 8) (bvadd x!0 #x01))
        (define-fun R ((x!0 (_ BitVec 8)) (x!1 Bool)) Bool (and x!1 (bvult (inc (inc x!0)) c)))
    )";
    for text in [text.to_owned(), text.replacen('(', "(model ", 1), text[1..text.len() - 1].to_owned()] {
        let mut t = Terms::new();
        let definitions = super::definitions(&text, &mut t, &Scope::new()).unwrap_or_else(|e| panic!("{e}"));
        let names: Vec<&str> = definitions.iter().map(|d| d.name.as_str()).collect();
        assert_eq!(names, ["c", "inc", "R"]);
        let r = &definitions[2];
        let (x, b) = (t.var_term(r.params[0]), t.var_term(r.params[1]));
        let (two, five) = (t.bv(2, 8), t.bv(5, 8));
        let plus = t.add(x, two);
        let less = t.ult(plus, five);
        assert_eq!((r.sort, r.body), (Sort::Bool, t.and(b, less)));
    }
    let mut t = Terms::new();
    assert!(super::definitions("()", &mut t, &Scope::new()).is_ok_and(|d| d.is_empty()));
}

#[test]
fn refusals() {
    let cases = [
        ("", "line 1 column 1: there is no term"),
        ("x\n x", "line 2 column 2: only one term is expected"),
        ("()", "line 1 column 1: a term is expected, not an empty list"),
        ("(foo x)", "line 1 column 1: foo is not supported with these arguments"),
        ("(bvadd x nope)", "line 1 column 10: nope is not known"),
        ("(bvadd x #x00)", "line 1 column 1: bvadd takes arguments of one sort, not (_ BitVec 32) and (_ BitVec 8)"),
        ("(bvadd x)", "line 1 column 1: bvadd takes at least 2 arguments"),
        ("(bvsub x x x)", "line 1 column 1: bvsub takes 2 arguments, not 3"),
        ("(not x)", "line 1 column 1: not takes Booleans, not (_ BitVec 32)"),
        ("(forall ((y Bool)) y)", "line 1 column 1: forall is not supported"),
        ("((_ extract 40 0) x)", "line 1 column 1: these are no bits of a vector of 32"),
        ("((_ zero_extend 100) x)", "line 1 column 1: bit-vectors have 1 to 128 bits, not 132"),
        ("((_ zero_extend 4294967295) x)", "line 1 column 1: bit-vectors have 1 to 128 bits, not 4294967295"),
        ("((_ repeat 0) x)", "line 1 column 1: bit-vectors have 1 to 128 bits, not 0"),
        ("(_ bv256 8)", "line 1 column 1: 256 does not fit into 8 bits"),
        ("12", "line 1 column 1: the number 12 is no term of a supported sort"),
        ("(+ x x)", "line 1 column 1: + is not supported with these arguments"),
        ("RNE", "line 1 column 1: a rounding mode is no term"),
        (
            "(fp.add RTZ (_ NaN 8 24) (_ NaN 8 24))",
            "line 1 column 1: fp.add is supported only with the rounding mode RNE",
        ),
        ("(_ NaN 5 11)", "line 1 column 1: floats of 5 and 11 bits are not supported"),
        ("(let ((y)) y)", "line 1 column 7: let needs a list of (name term) and a body"),
        ("(\"s\" x)", "line 1 column 2: an identifier is expected here"),
        ("(bvadd x \"s\")", "line 1 column 10: strings are not supported"),
        ("((as const (Array Int Int)) x)", "line 1 column 1: this sort is not supported"),
    ];
    let mut t = Terms::new();
    let x = t.new_var("x", Sort::Bv(32));
    let scope: Scope = [("x".to_owned(), x)].into_iter().collect();
    for (text, expected) in cases {
        match super::term(text, &mut t, &scope) {
            Ok(term) => panic!("{text} is read as {term}"),
            Err(e) => assert_eq!(e.to_string(), expected, "{text}"),
        }
    }
}

#[test]
fn depth_and_sharing_are_no_matter() {
    let mut t = Terms::new();
    let x = t.new_var("x", Sort::Bv(32));
    let scope: Scope = [("x".to_owned(), x)].into_iter().collect();
    let deep = format!("{}x{}", "(bvnot (bvmul x ".repeat(100_000), "))".repeat(100_000));
    assert!(super::term(&deep, &mut t, &scope).is_ok());
    let mut shared = String::new();
    for i in 0..1_000 {
        let below = if i == 0 { "x".to_owned() } else { format!("y{}", i - 1) };
        shared.push_str(&format!("(let ((y{i} (bvmul {below} {below}))) "));
    }
    shared.push_str("y999");
    shared.push_str(&")".repeat(1_000));
    let term = super::term(&shared, &mut t, &scope).unwrap_or_else(|e| panic!("{e}"));
    assert!(t.dag_size(term) <= 1_001);
}

/// Whatever is done to a text, reading it ends with a term or an error.
#[test]
fn damaged_texts_do_not_panic() {
    let mut rng = Rng::new(7);
    let mut read = 0;
    for seed in 0..400 {
        for shape in shapes() {
            let mut t = Terms::new();
            let mut g = Generator::new(&mut t, seed, shape);
            let term = g.term(&mut t, Sort::Bool, 5);
            let scope = smtlib::scope(&t, &[term]);
            let text = smtlib::term(&t, term);
            let words: Vec<&str> = text.split_inclusive([' ', '(', ')']).collect();
            for _ in 0..6 {
                let mut damaged = words.clone();
                let (from, to) = (rng.below(words.len()), rng.below(words.len()));
                match rng.below(3) {
                    0 => damaged.swap(from, to),
                    1 => damaged[to] = words[from],
                    _ => {
                        damaged.remove(from);
                    }
                }
                if let Ok(back) = super::term(&damaged.concat(), &mut t, &scope) {
                    read += 1;
                    let value = eval(&t, back, &g.model(&t));
                    let fits = match t.sort(back) {
                        Sort::Bool => matches!(value, Value::Bool(_)),
                        Sort::Bv(w) => matches!(value, Value::Bv(b) if b <= crate::sort::mask(w)),
                        Sort::Float(_) => matches!(value, Value::Float(_)),
                        Sort::Array => matches!(value, Value::Array(_)),
                    };
                    assert!(fits, "{value} is not of the sort of {back}");
                }
            }
        }
    }
    assert!(read > 100, "only {read} damaged texts were still terms");
}
