//! Constraints on words, asked as linear arithmetic: where sums and products with constants do not wrap around, a few steps
//! of arithmetic show what takes a solver that works bit by bit longer than anybody waits.
//!
//! `unsafe` is needed for every call into Z3, which runs in a copy of the process as Spacer does.
#![allow(unsafe_code)]

use std::ffi::{CStr, CString};
use std::fmt::Write as _;
use std::mem::MaybeUninit;

use num_bigint::BigInt;
use z3_sys as sys;

use super::{Limits, isolate, z3};
use crate::integers;
use crate::sort::Sort;
use crate::term::{TermId, Terms, VarId};
use crate::tuning::Tuning;
use crate::value::{Model, Value};

/// What Z3 may use, in megabytes.
const MEMORY: &CStr = c"4096";

/// What linear arithmetic says about constraints.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Said {
    /// These exclude each other.
    Excluded(Vec<usize>),
    /// All of them hold here, if what is not linear does no harm: to be tried.
    Perhaps(Model),
}

/// Asks linear arithmetic; nothing if it has no word for the constraints or does not answer in time.
pub(crate) fn ask(terms: &Terms, constraints: &[TermId], limits: &Limits, tuning: &Tuning) -> Option<Said> {
    let text = CString::new(integers::query(terms, constraints, tuning)?).ok()?;
    let variables = terms.variables(constraints);
    let names: Vec<String> = variables.iter().map(|v| v.to_string()).collect();
    let is_bool = |v: &VarId| terms.var_sort(*v) == Sort::Bool;
    let bools: Vec<bool> = variables.iter().map(is_bool).collect();
    let count = constraints.len();
    let most = z3::resources(limits.steps, tuning.arithmetic_resources);
    let bytes = isolate::run(limits, || solve(&text, &most, count, &names, &bools).unwrap_or_default()).ok()?;
    let said = String::from_utf8(bytes).ok()?;
    let mut words = said.split_ascii_whitespace();
    match words.next()? {
        "-" => words.map(|index| index.parse().ok()).collect::<Option<Vec<usize>>>().map(Said::Excluded),
        _ => {
            let mut model = Model::new();
            for (&var, word) in variables.iter().zip(words) {
                let sort = terms.var_sort(var);
                let width = if let Sort::Bv(width) = sort { width } else { 1 };
                let number: BigInt = word.parse().ok()?;
                model.set(var, Value::from_bits(sort, integers::residue(&number, width)?)?);
            }
            Some(Said::Perhaps(model))
        }
    }
}

/// Errors show as codes then, where the default handler ends the process without a word.
extern "C" fn ignore_error(_: sys::Z3_context, _: sys::Z3_error_code) {}

/// A context of a copy of the process, within the copy's memory.
fn context() -> Option<sys::Z3_context> {
    // SAFETY: the configuration is new and the context, which has it, is never deleted; strings end with NUL.
    unsafe {
        sys::Z3_global_param_set(c"memory_max_size".as_ptr(), MEMORY.as_ptr());
        let context = sys::Z3_mk_context(sys::Z3_mk_config()?)?;
        sys::Z3_set_error_handler(context, Some(ignore_error));
        Some(context)
    }
}

/// A minus and the numbers of the constraints that exclude each other, or a plus and the values of the variables, or
/// nothing.
fn solve(text: &CStr, most: &CStr, count: usize, names: &[String], bools: &[bool]) -> Option<Vec<u8>> {
    // SAFETY: all handles are of this one context, which is never deleted; strings end with NUL and arrays are as long as
    // is said.
    unsafe {
        let context = context()?;
        let solver = sys::Z3_mk_simple_solver(context)?;
        sys::Z3_solver_inc_ref(context, solver);
        sys::Z3_update_param_value(context, c"rlimit".as_ptr(), most.as_ptr());
        sys::Z3_solver_from_string(context, solver, text.as_ptr());
        // After an error the solver may lack constraints, or have others.
        if sys::Z3_get_error_code(context) != sys::Z3_error_code::Ok {
            return None;
        }
        let (truth, number) = (sys::Z3_mk_bool_sort(context)?, sys::Z3_mk_int_sort(context)?);
        let mut switches = Vec::new();
        for index in 0..count {
            switches.push(constant(context, &integers::switch(index), truth)?);
        }
        let mut out = String::new();
        match sys::Z3_solver_check_assumptions(context, solver, count as u32, switches.as_ptr()) {
            sys::Z3_L_FALSE => {
                out.push('-');
                let core = sys::Z3_solver_get_unsat_core(context, solver)?;
                sys::Z3_ast_vector_inc_ref(context, core);
                for i in 0..sys::Z3_ast_vector_size(context, core) {
                    let switch = sys::Z3_ast_vector_get(context, core, i)?;
                    let index = switches.iter().position(|s| sys::Z3_is_eq_ast(context, *s, switch))?;
                    let _ = write!(out, " {index}");
                }
            }
            sys::Z3_L_TRUE => {
                out.push('+');
                let model = sys::Z3_solver_get_model(context, solver)?;
                sys::Z3_model_inc_ref(context, model);
                for (name, is_bool) in names.iter().zip(bools) {
                    let variable = constant(context, name, if *is_bool { truth } else { number })?;
                    let mut value = MaybeUninit::<sys::Z3_ast>::uninit();
                    if !sys::Z3_model_eval(context, model, variable, true, value.as_mut_ptr()) {
                        return None;
                    }
                    // It was written, as the call succeeded.
                    let value = value.assume_init();
                    if *is_bool {
                        let holds = sys::Z3_get_bool_value(context, value) == sys::Z3_L_TRUE;
                        let _ = write!(out, " {}", u8::from(holds));
                    } else {
                        let digits = sys::Z3_get_numeral_string(context, value);
                        if digits.is_null() {
                            return None;
                        }
                        let _ = write!(out, " {}", CStr::from_ptr(digits).to_str().ok()?);
                    }
                }
            }
            _ => return None,
        }
        Some(out.into_bytes())
    }
}

/// # Safety
/// The sort is of the context, which is alive.
unsafe fn constant(context: sys::Z3_context, name: &str, sort: sys::Z3_sort) -> Option<sys::Z3_ast> {
    let name = CString::new(name).ok()?;
    // SAFETY: by the caller's promise; the string ends with NUL.
    unsafe {
        let made = sys::Z3_mk_const(context, sys::Z3_mk_string_symbol(context, name.as_ptr())?, sort)?;
        sys::Z3_inc_ref(context, made);
        Some(made)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::all_true;
    use crate::op::Op;
    use crate::random::Rng;
    use crate::solver::{Answer, Backend, Cancel, Options, Query, Steps, stack};

    fn said(terms: &Terms, constraints: &[TermId]) -> Option<Said> {
        ask(terms, constraints, &Limits::new(Steps::like_secs(20), &Cancel::default()), &Tuning::default())
    }

    fn excluded(terms: &Terms, constraints: &[TermId]) -> Option<Vec<usize>> {
        match said(terms, constraints)? {
            Said::Excluded(core) => Some(core),
            Said::Perhaps(_) => None,
        }
    }

    /// What is added in each round is at most 1000, and so the sum at most 1000 times the number of rounds.
    #[test]
    fn products_with_constants_are_no_matter() {
        let mut t = Terms::new();
        let (i, sum, v) = (t.new_var("i", Sort::Bv(32)), t.new_var("sum", Sort::Bv(64)), t.new_var("v", Sort::Bv(32)));
        let n = t.new_var("n", Sort::Bv(32));
        let (zero, one, most) = (t.bv(0, 32), t.bv(1, 32), t.bv(1000, 32));
        let (none, thousand) = (t.bv(0, 64), t.bv(1000, 64));
        let [now, then] = {
            let next = t.add(i, one);
            [i, next].map(|i| {
                let wide = t.sext(i, 64);
                t.mul(thousand, wide)
            })
        };
        let wide = t.sext(v, 64);
        let after = t.add(sum, wide);
        let path = [
            t.slt(i, n),
            t.sle(zero, i),
            t.sle(none, sum),
            t.sle(sum, now),
            t.sle(zero, v),
            t.sle(v, most),
            t.slt(then, after),
        ];
        let core = excluded(&t, &path).expect("no sum is above the bound");
        assert!(core.contains(&3) && core.contains(&5) && core.contains(&6), "{core:?}");
        let Some(Said::Perhaps(model)) = said(&t, &path[..6]) else { panic!("there are such sums") };
        assert!(all_true(&t, path[..6].iter().copied(), &model), "nothing here is not linear");
        let without: Vec<TermId> = path.iter().enumerate().filter(|(i, _)| *i != 5).map(|(_, t)| *t).collect();
        assert_eq!(excluded(&t, &without), None, "a value may be large");
    }

    #[test]
    fn floats_and_arrays_are_left_to_others() {
        let mut t = Terms::new();
        let (array, at) = (t.new_var("a", Sort::Array), t.new_var("at", Sort::Bv(64)));
        let (byte, zero) = (t.select(array, at), t.bv(0, 8));
        let (is, is_not) = (t.eq(byte, zero), t.ne(byte, zero));
        assert_eq!(said(&t, &[is, is_not]), None);
    }

    /// Random constraints on narrow words, all operations: what arithmetic excludes has no model, and some is excluded; some
    /// of its models are right.
    #[test]
    fn what_is_excluded_has_no_model() {
        let mut rng = Rng::new(5);
        let (mut found, mut models) = (0, 0);
        for round in 0..300 {
            let mut t = Terms::new();
            let width = [3, 5, 8, 16][rng.below(4)];
            let path = random_constraints(&mut t, &mut rng, width);
            let core = match said(&t, &path) {
                Some(Said::Excluded(core)) => core,
                Some(Said::Perhaps(model)) => {
                    models += usize::from(all_true(&t, path.iter().copied(), &model));
                    continue;
                }
                None => continue,
            };
            found += 1;
            let blamed: Vec<TermId> = core.iter().map(|&i| path[i]).collect();
            let goal = t.tt();
            let mut solver = stack(&Options { layers: false, backend: Backend::Bitwuzla, ..Options::default() });
            let query = Query { path: &blamed, goal, steps: Steps::like_secs(60), hint: None };
            let answer = solver.solve(&mut t, &query);
            assert!(matches!(answer, Answer::Unsat(_)), "round {round}: {answer:?}");
        }
        assert!(found > 60 && models > 30, "{found} were excluded, {models} models found");
    }

    fn random_constraints(t: &mut Terms, rng: &mut Rng, width: u8) -> Vec<TermId> {
        const WORDS: [Op; 13] = [
            Op::Add,
            Op::Sub,
            Op::Mul,
            Op::UDiv,
            Op::URem,
            Op::SDiv,
            Op::SRem,
            Op::Shl,
            Op::LShr,
            Op::AShr,
            Op::BvAnd,
            Op::BvOr,
            Op::BvXor,
        ];
        const TESTS: [Op; 11] = [
            Op::Eq,
            Op::Ult,
            Op::Ule,
            Op::Slt,
            Op::Sle,
            Op::SAddO,
            Op::UAddO,
            Op::SSubO,
            Op::USubO,
            Op::SMulO,
            Op::UMulO,
        ];
        let mut pool: Vec<TermId> = (0..3).map(|i| t.new_var(format!("x{i}"), Sort::Bv(width))).collect();
        let mut tests = Vec::new();
        for _ in 0..6 {
            let constant = t.bv(rng.below(1 << width.min(7)) as u128, width);
            let a = pool[rng.below(pool.len())];
            let b = if rng.below(3) > 0 { constant } else { pool[rng.below(pool.len())] };
            let word = match rng.below(17) {
                13 => t.neg(a),
                14 => {
                    let wide = t.sext(a, 2 * width);
                    t.extract(wide, width, 1)
                }
                15 => {
                    let wide = t.concat(a, b);
                    t.extract(wide, width + 1, 2)
                }
                16 => {
                    let wide = t.zext(a, width + 3);
                    t.extract(wide, width + 1, 2)
                }
                op => t.mk(WORDS[op], &[a, b], Sort::Bv(width)),
            };
            pool.push(word);
        }
        for _ in 0..5 {
            let (a, mut b) = (pool[rng.below(pool.len())], pool[rng.below(pool.len())]);
            if rng.below(2) == 0 {
                b = t.bv(rng.below(1 << width.min(7)) as u128, width);
            }
            let test = t.mk(TESTS[rng.below(TESTS.len())], &[a, b], Sort::Bool);
            let negated = t.not(test);
            tests.push(if rng.below(2) == 0 { test } else { negated });
        }
        tests
    }
}
