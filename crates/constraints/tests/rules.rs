//! Every rewriting rule against evaluation: on random nodes that it fits, the result has the value of the node under random
//! models. A rule that never fits would be tested by nothing, so that fails too.

use std::collections::BTreeMap;

use covenant_constraints::random::{Generator, Shape};
use covenant_constraints::{FloatKind, Sort, Terms, eval, rewrite};

#[derive(Default)]
struct Tally {
    fired: BTreeMap<&'static str, u64>,
}

impl Tally {
    /// Builds one random node and tries every rule on it.
    fn round(&mut self, seed: u64, shape: &Shape) {
        let mut t = Terms::new();
        let mut g = Generator::new(&mut t, seed, shape.clone());
        for _ in 0..12 {
            let mut sorts = vec![Sort::Bool, Sort::Bool, Sort::Bool];
            sorts.extend(shape.widths.iter().map(|w| Sort::Bv(*w)));
            sorts.extend(shape.floats.iter().map(|k| Sort::Float(*k)));
            if shape.arrays {
                sorts.extend([Sort::Array; 2]);
            }
            let sort = g.rng.pick(&sorts);
            let node = g.node(&mut t, sort, 3);
            let args: Vec<_> = node.args.iter().collect();
            let original = t.raw(node.op, &args, node.sort);
            let built = t.mk(node.op, &args, node.sort);
            let mut results = vec![("mk", built)];
            for rule in rewrite::rules_for(node.op) {
                if let Some(result) = (rule.apply)(&mut t, &node) {
                    *self.fired.entry(rule.name).or_default() += 1;
                    results.push((rule.name, result));
                }
            }
            for _ in 0..6 {
                let model = g.model(&t);
                let expected = eval(&t, original, &model);
                for (name, result) in &results {
                    assert_eq!(t.sort(*result), node.sort, "{name}: wrong sort (seed {seed})");
                    let got = eval(&t, *result, &model);
                    assert_eq!(got, expected, "{name} is wrong on {node:?} (seed {seed}, model {model:?})");
                }
            }
        }
    }
}

#[test]
fn rules_keep_the_value() {
    let mut tally = Tally::default();
    let plain = Shape { raw: 15, ..Shape::default() };
    let narrow = Shape { widths: vec![1, 2, 4], raw: 0, ..Shape::default() };
    let wide = Shape { widths: vec![1, 8, 32, 64, 128], raw: 5, ..Shape::default() };
    let floats = Shape { widths: vec![1, 8, 32], floats: FloatKind::ALL.to_vec(), raw: 10, ..Shape::default() };
    let patterns = Shape { widths: vec![32, 64, 79], floats: FloatKind::ALL.to_vec(), raw: 10, ..Shape::default() };
    let comparisons = Shape { widths: vec![8, 16], raw: 30, cheap: true, ..Shape::default() };
    let arrays = Shape { widths: vec![8], arrays: true, raw: 10, ..Shape::default() };
    for seed in 0..3_000 {
        tally.round(seed, &plain);
        tally.round(seed, &narrow);
        tally.round(seed, &wide);
        tally.round(seed, &floats);
        tally.round(seed, &patterns);
        tally.round(seed, &arrays);
        tally.round(seed, &comparisons);
    }
    let silent: Vec<&str> = rewrite::all_groups()
        .iter()
        .flat_map(|group| group.iter())
        .map(|rule| rule.name)
        .filter(|name| tally.fired.get(name).copied().unwrap_or(0) < 5)
        .collect();
    assert!(silent.is_empty(), "rules that hardly fired: {silent:?}");
}

#[test]
fn every_operation_has_its_group_listed() {
    let mut t = Terms::new();
    let mut g = Generator::new(&mut t, 1, Shape { floats: FloatKind::ALL.to_vec(), arrays: true, ..Shape::default() });
    let listed: Vec<*const rewrite::Rule> = rewrite::all_groups().iter().map(|g| g.as_ptr()).collect();
    for i in 0..2_000 {
        let sort = [Sort::Bool, Sort::Bv(8), Sort::Float(FloatKind::F64), Sort::Array][i % 4];
        let node = g.node(&mut t, sort, 1);
        let rules = rewrite::rules_for(node.op);
        assert!(rules.is_empty() || listed.contains(&rules.as_ptr()), "{:?} is not in all_groups", node.op);
    }
}

/// Building a simplified term again from its own parts changes nothing, and simplification does not blow terms up.
#[test]
fn rewriting_is_idempotent_and_does_not_grow() {
    let mut grown = 0u32;
    let mut changed = 0u32;
    const ROUNDS: u32 = 6_000;
    for seed in 0..u64::from(ROUNDS) {
        let mut t = Terms::new();
        let shape = Shape { raw: 100, ..Shape::default() };
        let mut g = Generator::new(&mut t, seed, shape);
        let sort = g.rng.pick(&[Sort::Bool, Sort::Bv(8), Sort::Bv(4)]);
        let raw = g.term(&mut t, sort, 4);
        let simple = rebuild(&mut t, raw);
        let again = rebuild(&mut t, simple);
        assert_eq!(t.rewrite_depth_hits(), 0, "rewriting ran away (seed {seed})");
        changed += u32::from(simple != again);
        let (before, after) = (t.dag_size(raw), t.dag_size(simple));
        assert!(after <= 2 * before + 8, "{before} nodes became {after} (seed {seed})");
        grown += u32::from(after > before);
    }
    // A local rule can expose a pattern that only the next pass sees, but that must stay rare.
    assert!(changed * 100 <= ROUNDS, "{changed} of {ROUNDS} terms changed on the second pass");
    assert!(grown * 20 <= ROUNDS, "{grown} of {ROUNDS} terms grew");
}

/// Builds every node anew.
fn rebuild(t: &mut Terms, root: covenant_constraints::TermId) -> covenant_constraints::TermId {
    let mut new = std::collections::HashMap::new();
    for term in t.postorder(&[root]) {
        let node = *t.node(term);
        let args: Vec<_> = node.args.iter().map(|a| new[&a]).collect();
        let built = if args.is_empty() { term } else { t.mk(node.op, &args, node.sort) };
        new.insert(term, built);
    }
    new[&root]
}
