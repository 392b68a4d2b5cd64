//! Measures the back ends and the whole stack on growing path conditions.
//!
//! A made-up run of a program gives a path of 200 conditions that hold under a hidden input; five times per condition a
//! branch is flipped: 1,000 queries for each seed. `bench/solver/README.md` has results.
//!
//! Usage: `bench_solver [--floats] [SEEDS]`

use std::time::{Duration, Instant};

use covenant_constraints::random::Rng;
use covenant_constraints::solver::{Answer, Backend, Options, Query, Solver, stack};
use covenant_constraints::{FloatKind, Model, Rounding, Sort, TermId, Terms, Value, VarId, eval};

const PATH: usize = 200;
const FLIPS: usize = 5;

struct Subject {
    terms: Terms,
    vars: Vec<VarId>,
    input: Model,
    rng: Rng,
}

impl Subject {
    fn new(seed: u64, sort: Sort, count: usize) -> Subject {
        let mut terms = Terms::new();
        let mut rng = Rng::new(seed);
        let vars: Vec<VarId> = (0..count).map(|i| terms.var(format!("in{i}"), sort)).collect();
        let input = vars
            .iter()
            .map(|v| {
                let value = match sort {
                    Sort::Float(_) => Value::f64((rng.next() % 2_000) as f64 / 8.0 - 100.0),
                    _ => Value::Bv(u128::from(rng.next() % 1_000)),
                };
                (*v, value)
            })
            .collect();
        Subject { terms, vars, input, rng }
    }

    fn var(&mut self) -> TermId {
        let var = self.rng.pick(&self.vars);
        self.terms.var_term(var)
    }

    /// A condition such as C programs have, on one to three inputs.
    fn integer_condition(&mut self) -> TermId {
        let (x, y, z) = (self.var(), self.var(), self.var());
        let kind = self.rng.below(8);
        let c = u128::from(self.rng.next() % 1_000);
        let small = u128::from(self.rng.next() % 9 + 2);
        let t = &mut self.terms;
        let (c, small) = (t.bv(c, 32), t.bv(small, 32));
        match kind {
            0 => t.slt(x, c),
            1 => {
                let sum = t.add(x, y);
                t.slt(sum, z)
            }
            2 => {
                let product = t.mul(x, small);
                let sum = t.add(product, y);
                t.slt(c, sum)
            }
            3 => {
                let mask = t.bv(0x35, 32);
                let masked = t.bv_and(x, mask);
                let low = t.bv_and(y, mask);
                t.eq(masked, low)
            }
            4 => {
                let rem = t.urem(x, small);
                let one = t.bv(1, 32);
                t.eq(rem, one)
            }
            5 => {
                let entries: Vec<TermId> = (0..32).map(|i: u128| t.bv(i * i * 31 % 257, 32)).collect();
                let fifteen = t.bv(31, 32);
                let index = t.bv_and(x, fifteen);
                let entry = t.table(index, &entries);
                let sum = t.add(entry, y);
                t.ult(sum, c)
            }
            6 => {
                let three = t.bv(3, 32);
                let mixed = t.bv_xor(x, y);
                let shifted = t.lshr(mixed, three);
                t.ult(shifted, c)
            }
            _ => t.eq(x, c),
        }
    }

    fn float_condition(&mut self) -> TermId {
        let (x, y, z) = (self.var(), self.var(), self.var());
        let kind = self.rng.below(5);
        let c = (self.rng.next() % 2_000) as f64 / 16.0 - 60.0;
        let t = &mut self.terms;
        let c = t.f64(c);
        match kind {
            0 => t.f_lt(x, c),
            1 => {
                let sum = t.f_add(x, y);
                t.f_le(sum, z)
            }
            2 => {
                let half = t.f64(0.5);
                let scaled = t.f_mul(x, half);
                t.f_lt(scaled, y)
            }
            3 => {
                let int = t.f_to_s(x, 32, Rounding::Zero);
                let seven = t.bv(7, 32);
                t.slt(seven, int)
            }
            _ => {
                let difference = t.f_sub(x, y);
                t.f_lt(c, difference)
            }
        }
    }

    /// The condition or its negation, whichever the run takes.
    fn taken(&mut self, floats: bool) -> TermId {
        loop {
            let condition = if floats { self.float_condition() } else { self.integer_condition() };
            if self.terms.is_const(condition) {
                continue;
            }
            let holds = eval(&self.terms, condition, &self.input).is_true();
            return if holds { condition } else { self.terms.not(condition) };
        }
    }
}

#[derive(Default)]
struct Result {
    queries: usize,
    sat: usize,
    unsat: usize,
    unknown: usize,
    time: Duration,
}

fn run(solver: &mut dyn Solver, seed: u64, floats: bool) -> Result {
    let (sort, length) = if floats { (Sort::Float(FloatKind::F64), 20) } else { (Sort::Bv(32), PATH) };
    let mut subject = Subject::new(seed, sort, if floats { 12 } else { 40 });
    let mut path: Vec<TermId> = Vec::new();
    let mut result = Result::default();
    for _ in 0..length {
        for flip in 0..FLIPS {
            let next = subject.taken(floats);
            let goal = subject.terms.not(next);
            let start = Instant::now();
            let query = Query {
                path: &path,
                goal,
                steps: covenant_constraints::solver::Steps::like_secs(5),
                hint: Some(&subject.input),
            };
            let answer = solver.solve(&mut subject.terms, &query);
            result.time += start.elapsed();
            result.queries += 1;
            match answer {
                Answer::Sat(_) => result.sat += 1,
                Answer::Unsat(_) => result.unsat += 1,
                Answer::Unknown(_) => result.unknown += 1,
            }
            if flip == FLIPS - 1 {
                path.push(next);
            }
        }
    }
    result
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let floats = args.iter().any(|a| a == "--floats");
    let seeds: u64 = args.iter().find_map(|a| a.parse().ok()).unwrap_or(3);
    println!(
        "{:<22} {:>5} {:>8} {:>6} {:>6} {:>8} {:>9} {:>10}",
        "solver", "seed", "queries", "sat", "unsat", "unknown", "seconds", "queries/s"
    );
    for backend in [Backend::Bitwuzla, Backend::Z3] {
        for layers in [false, true] {
            for seed in 1..=seeds {
                let options = Options { backend, layers, ..Options::default() };
                let mut solver = stack(&options);
                let r = run(solver.as_mut(), seed, floats);
                let seconds = r.time.as_secs_f64();
                let name = format!("{backend:?}{}", if layers { " with layers" } else { " alone" });
                println!(
                    "{name:<22} {seed:>5} {:>8} {:>6} {:>6} {:>8} {seconds:>9.3} {:>10.0}",
                    r.queries,
                    r.sat,
                    r.unsat,
                    r.unknown,
                    r.queries as f64 / seconds
                );
            }
        }
    }
}
