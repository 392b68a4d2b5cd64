//! Changes of what a process is given as a whole: the arguments of one run with the input of another, and other arguments.

use covenant_concolic::symbolic::Context;
use covenant_constraints::{Model, Sort, Terms, Value};

use super::mutate::{Mutator, Parent, set};

/// Arguments that are looked at.
const MOST_ARGUMENTS: usize = 16; // not tuning: what people type

/// Where an input comes from: standard input, the arguments, a file, or an object.
fn source(name: &str) -> &str {
    let name = name.split_once(" has ").map_or(name, |(array, _)| array);
    name.split_once('[').map_or(name, |(root, _)| root)
}

impl Mutator {
    /// Takes one of the sources of `other` over.
    pub(super) fn graft(&mut self, terms: &Terms, child: &mut Model, other: &Parent) {
        let inputs = other.inputs();
        let mut vars: Vec<_> = inputs.iter().map(|(var, _)| var).collect();
        vars.sort_unstable();
        let mut sources: Vec<&str> = vars.iter().map(|&var| source(terms.var_name(var))).collect();
        sources.sort_unstable();
        sources.dedup();
        if sources.is_empty() {
            return;
        }
        let wanted = self.rng.pick(&sources);
        for var in vars.into_iter().filter(|&var| source(terms.var_name(var)) == wanted) {
            if let Some(value) = inputs.get(var) {
                child.set(var, value.clone());
            }
        }
    }

    /// Gives the process another argument, or one more.
    pub(super) fn change_argument(&mut self, cx: &mut Context, child: &mut Model) {
        let mut count = 0;
        while count < MOST_ARGUMENTS {
            let var = cx.var(&format!("argv[{}]", count + 1), Sort::Bv(8));
            if child.get(var).and_then(Value::bits).is_none_or(|bits| bits == 0) {
                break;
            }
            count += 1;
        }
        let number = 1 + self.rng.below(count + 1);
        let mut text = match self.rng.below(3) {
            0 => vec![b'-', self.character()],
            1 => [vec![b'-', self.character()], self.word()].concat(),
            _ => self.word(),
        };
        text.retain(|&byte| byte != 0);
        text.push(0);
        let there = cx.var(&format!("argv[{number}]"), Sort::Bv(8));
        set(&cx.terms, child, there, 1);
        for (at, byte) in text.into_iter().enumerate() {
            let var = cx.var(&format!("argv[{number}][{at}]"), Sort::Bv(8));
            set(&cx.terms, child, var, u128::from(byte));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use covenant_concolic::symbolic::InputOptions;
    use covenant_constraints::random::Rng;
    use covenant_constraints::tuning::Tuning;

    use super::super::words::Words;
    use super::*;

    fn inputs(cx: &mut Context, all: &[(&str, u128)]) -> Model {
        let mut model = Model::new();
        for (name, bits) in all {
            let var = cx.var(name, Sort::Bv(8));
            set(&cx.terms, &mut model, var, *bits);
        }
        model
    }

    #[test]
    fn arguments_of_one_come_to_the_input_of_another() {
        let mut cx = Context::new(InputOptions::default(), &Tuning::default());
        let mut mutator = Mutator::new(Rng::new(1), Words::default());
        let one = inputs(&mut cx, &[("stdin has 1", 1), ("stdin[0]", 97), ("argv[1]", 0)]);
        let other = inputs(&mut cx, &[("argv[1]", 1), ("argv[1][0]", 45), ("argv[2]", 0)]);
        let other = Parent::new(&cx.terms, Rc::new(other));
        mutator.graft(&cx.terms, &mut one.clone(), &other);
        let mut child = one;
        mutator.graft(&cx.terms, &mut child, &other);
        let mut byte = |name: &str| {
            let var = cx.var(name, Sort::Bv(8));
            child.get(var).and_then(Value::bits)
        };
        assert_eq!([byte("stdin[0]"), byte("argv[1]"), byte("argv[1][0]")], [Some(97), Some(1), Some(45)]);
        assert_eq!(
            [source("file a.b has 3"), source("file a.b[2]"), source("argv[1][0]")],
            ["file a.b", "file a.b", "argv"]
        );
    }

    #[test]
    fn there_is_one_argument_more() {
        let mut cx = Context::new(InputOptions::default(), &Tuning::default());
        let mut mutator = Mutator::new(Rng::new(1), Words { compared: vec![b"all".to_vec()], ..Words::default() });
        let (second, third) = (cx.var("argv[2]", Sort::Bv(8)), cx.var("argv[3]", Sort::Bv(8)));
        let mut met = false;
        for _ in 0..100 {
            let mut child = inputs(&mut cx, &[("argv[1]", 1), ("argv[1][0]", 0), ("argv[2]", 0)]);
            mutator.change_argument(&mut cx, &mut child);
            met |= child.get(second).and_then(Value::bits) == Some(1);
            assert_eq!(child.get(third), None, "none is left out");
        }
        assert!(met);
    }
}
