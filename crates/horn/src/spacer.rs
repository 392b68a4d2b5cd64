//! Z3's Horn solver, through its C interface.
//!
//! `unsafe` is needed for every call into the library. They are made in a copy of the process ([`isolate`]) that ends with them,
//! so nothing has to be given back.
#![allow(unsafe_code)]

use std::ffi::{CStr, CString};

use z3_sys as sys;

use covenant_constraints::solver::backends::{Limits, isolate, z3};
use covenant_constraints::solver::{Reason, Steps};
use covenant_constraints::tuning::Tuning;

/// What Z3 may use, in megabytes.
const MEMORY: &CStr = c"4096";

/// What Spacer found.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// A list of `define-fun`.
    Model(String),
    Refuted,
    Unknown(Reason),
}

/// How Spacer goes about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Strategy {
    /// Whether equalities and bounds are propagated in arithmetic, which can hide the lemma that is looked for.
    pub(super) propagate: bool,
    /// Whether arithmetic lemmas come from eliminating variables, or else from the coefficients of a refutation.
    pub(super) eliminate: bool,
    /// Whether relations are replaced by the rules for them. The search is shorter, but the model of such a relation has
    /// quantifiers.
    pub(super) inline: bool,
}

/// Asks for a model of the clauses, given as SMT-LIB declarations and assertions. Also what it cost: all that was allowed if
/// nobody can tell.
pub(super) fn run(clauses: &str, strategy: Strategy, limits: &Limits, tuning: &Tuning) -> (Outcome, Steps) {
    let Ok(text) = CString::new(clauses) else { return (Outcome::Unknown(Reason::Incomplete), Steps(0)) };
    let most = z3::resources(limits.steps, tuning.spacer_resources);
    let bytes = match isolate::run(limits, || solve(&text, strategy, &most).unwrap_or_default()) {
        Err(reason) => return (Outcome::Unknown(reason), limits.steps),
        Ok(bytes) => bytes,
    };
    let Some((used, said)) = bytes.split_first_chunk::<8>() else {
        return (Outcome::Unknown(Reason::Incomplete), limits.steps);
    };
    let used = Steps(u64::from_le_bytes(*used).saturating_mul(1_000) / tuning.spacer_resources.max(1));
    let outcome = match said.split_first() {
        Some((b'+', model)) => Outcome::Model(String::from_utf8_lossy(model).into_owned()),
        Some((b'-', _)) => Outcome::Refuted,
        Some((b'?', _)) => Outcome::Unknown(Reason::Steps),
        _ => Outcome::Unknown(Reason::Incomplete),
    };
    (outcome, used.min(limits.steps))
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

/// What was used of Z3's resources in eight bytes; then a plus and the model, a minus, or a question mark if it was all that
/// there is.
fn solve(text: &CStr, strategy: Strategy, most: &CStr) -> Option<Vec<u8>> {
    // SAFETY: all handles are of this one context, which is never deleted; strings end with NUL; the model's text is the
    // library's, valid until the next call, and copied at once.
    unsafe {
        let context = context()?;
        sys::Z3_set_ast_print_mode(context, sys::Z3_ast_print_mode::Smtlib2Compliant);
        let logic = sys::Z3_mk_string_symbol(context, c"HORN".as_ptr())?;
        let solver = sys::Z3_mk_solver_for_logic(context, logic)?;
        sys::Z3_solver_inc_ref(context, solver);
        sys::Z3_update_param_value(context, c"rlimit".as_ptr(), most.as_ptr());
        configure(context, solver, strategy)?;
        sys::Z3_solver_from_string(context, solver, text.as_ptr());
        // After an error the solver may lack clauses, and its verdict would be about others.
        if sys::Z3_get_error_code(context) != sys::Z3_error_code::Ok {
            return None;
        }
        let verdict = sys::Z3_solver_check(context, solver);
        let mut said = z3::used(context, solver).to_le_bytes().to_vec();
        match verdict {
            sys::Z3_L_TRUE => {
                let model = sys::Z3_solver_get_model(context, solver)?;
                sys::Z3_model_inc_ref(context, model);
                let text = sys::Z3_model_to_string(context, model);
                if text.is_null() {
                    return None;
                }
                said.push(b'+');
                said.extend_from_slice(CStr::from_ptr(text).to_bytes());
            }
            sys::Z3_L_FALSE => said.push(b'-'),
            _ if z3::is_exhausted(context, solver) => said.push(b'?'),
            _ => {}
        }
        Some(said)
    }
}

/// # Safety
/// The solver is of the context, and both are alive.
unsafe fn configure(context: sys::Z3_context, solver: sys::Z3_solver, strategy: Strategy) -> Option<()> {
    let flags = [
        // Loses what models need to be complete.
        (c"xform.subsumption_checker", false),
        (c"xform.inline_eager", strategy.inline),
        (c"xform.inline_linear", strategy.inline),
        (c"spacer.eq_prop", strategy.propagate),
    ];
    // SAFETY: by the caller's promise; strings end with NUL.
    unsafe {
        let params = sys::Z3_mk_params(context)?;
        sys::Z3_params_inc_ref(context, params);
        for (name, value) in flags {
            sys::Z3_params_set_bool(context, params, sys::Z3_mk_string_symbol(context, name.as_ptr())?, value);
        }
        let arith = sys::Z3_mk_string_symbol(context, c"spacer.iuc.arith".as_ptr())?;
        sys::Z3_params_set_uint(context, params, arith, if strategy.eliminate { 2 } else { 1 });
        // Left to itself, Z3 lists the states of finite domains, and bit-vectors are finite.
        let engine = sys::Z3_mk_string_symbol(context, c"engine".as_ptr())?;
        let spacer = sys::Z3_mk_string_symbol(context, c"spacer".as_ptr())?;
        sys::Z3_params_set_symbol(context, params, engine, spacer);
        sys::Z3_solver_set_params(context, solver, params);
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use covenant_constraints::solver::Cancel;

    use super::*;

    fn ask(clauses: &str) -> Outcome {
        let limits = Limits::new(Steps::like_secs(20), &Cancel::default());
        run(clauses, Strategy { propagate: false, eliminate: false, inline: true }, &limits, &Tuning::default()).0
    }

    #[test]
    fn verdicts_and_errors() {
        let start = "(declare-fun R (Int) Bool) (assert (R 1))";
        let query = |n: u32| format!("{start} (assert (forall ((x Int)) (=> (and (R x) (= x {n})) false)))");
        assert!(matches!(ask(&query(2)), Outcome::Model(model) if model.contains("(define-fun R ((x!0 Int)) Bool")));
        assert_eq!(ask(&query(1)), Outcome::Refuted);
        let incomplete = Outcome::Unknown(Reason::Incomplete);
        assert_eq!(ask("(assert (foo))"), incomplete);
        assert_eq!(ask("(declare-fun R (Int) Bool) (assert (R 1"), incomplete);
        assert_eq!(ask("\0"), incomplete);
    }

    /// On these clauses a check inside Z3 4.8.12 fails, and it ends the process that it runs in.
    #[test]
    fn an_end_of_z3_is_not_ours() {
        let clauses = "
            (declare-fun R0 ((_ BitVec 8) (_ BitVec 8) (_ BitVec 8)) Bool)
            (declare-fun R1 ((_ BitVec 8) (_ BitVec 8) (_ BitVec 8)) Bool)
            (assert (forall ((x0 (_ BitVec 8)) (x1 (_ BitVec 8)) (x2 (_ BitVec 8)) (d (_ BitVec 8)))
                (=> true (R0 x2 #x0a #x05))))
            (assert (forall ((x0 (_ BitVec 8)) (x1 (_ BitVec 8)) (x2 (_ BitVec 8)) (d (_ BitVec 8)))
                (=> (and (R0 x0 x1 x2) (and (bvsle x1 d) (bvult (bvadd x2 x0) #x03))) (R1 d d d))))
            (assert (forall ((x0 (_ BitVec 8)) (x1 (_ BitVec 8)) (x2 (_ BitVec 8)) (d (_ BitVec 8)))
                (=> (and (R0 x0 x1 x2) (bvslt x1 x2)) (R0 x1 x0 d))))
            (assert (forall ((x0 (_ BitVec 8)) (x1 (_ BitVec 8)) (x2 (_ BitVec 8)) (d (_ BitVec 8)))
                (=> (and (R1 x0 x1 x2) true (bvuge #x0a (bvadd x0 #x03)) true) false)))";
        let outcome = ask(clauses);
        // Another version may well find the model.
        assert!(matches!(outcome, Outcome::Unknown(Reason::Incomplete) | Outcome::Model(_)), "{outcome:?}");
    }
}
