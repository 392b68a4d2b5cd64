//! Z3's Horn solver, through its C interface.
//!
//! `unsafe` is needed for every call into the library. A context lives for one call of [`run`], which owns it through
//! [`Session`]; errors show as codes because the error handler does nothing, where the default one ends the process.
#![allow(unsafe_code)]

use std::ffi::{CStr, CString};

use z3_sys as sys;

use crate::solver::Reason;
use crate::solver::backends::Limits;
use crate::solver::backends::watchdog::Watchdog;

/// Parts of Z3 recurse on the depth of formulas. Memory that is not touched costs nothing.
const STACK: usize = 512 << 20;

/// What Spacer found.
#[derive(Debug)]
pub(super) enum Outcome<T> {
    Model(T),
    Refuted,
    Unknown(Reason),
}

impl<T> Outcome<T> {
    pub(super) fn map<U>(self, f: impl FnOnce(T) -> U) -> Outcome<U> {
        match self {
            Outcome::Model(model) => Outcome::Model(f(model)),
            Outcome::Refuted => Outcome::Refuted,
            Outcome::Unknown(reason) => Outcome::Unknown(reason),
        }
    }
}

/// Asks for a model of the clauses, given as SMT-LIB declarations and assertions. The model is a list of `define-fun`.
pub(super) fn run(clauses: &str, limits: &Limits) -> Outcome<String> {
    std::thread::scope(|scope| {
        let work = || match Session::new() {
            Some(session) => session.solve(clauses, limits),
            None => Outcome::Unknown(Reason::Incomplete),
        };
        let thread = std::thread::Builder::new().name("spacer".into()).stack_size(STACK).spawn_scoped(scope, work);
        match thread.map(|t| t.join()) {
            Ok(Ok(outcome)) => outcome,
            // No memory for a thread, or a panic in it, which there is no reason for.
            Ok(Err(_)) | Err(_) => Outcome::Unknown(Reason::Incomplete),
        }
    })
}

/// The context alone, as the watchdog's thread sees it.
struct Interrupter(sys::Z3_context);

// SAFETY: `Z3_interrupt` is the one function of the library that is meant to be called from another thread.
unsafe impl Send for Interrupter {}

impl Interrupter {
    fn interrupt(&self) {
        // SAFETY: the watchdog is joined before the context is deleted.
        unsafe { sys::Z3_interrupt(self.0) }
    }
}

/// Keeps the library from ending the process.
extern "C" fn ignore_error(_: sys::Z3_context, _: sys::Z3_error_code) {}

struct Session {
    context: sys::Z3_context,
    solver: sys::Z3_solver,
    /// Dropped before the context, see `drop`.
    watchdog: Option<Watchdog>,
}

impl Session {
    fn new() -> Option<Session> {
        // SAFETY: plain constructors; what is counted is given back here or in `drop`.
        unsafe {
            // Warnings go to the standard error of the process, where they help nobody.
            sys::Z3_toggle_warning_messages(false);
            let config = sys::Z3_mk_config()?;
            let context = sys::Z3_mk_context(config);
            sys::Z3_del_config(config);
            let context = context?;
            sys::Z3_set_error_handler(context, Some(ignore_error));
            sys::Z3_set_ast_print_mode(context, sys::Z3_ast_print_mode::Smtlib2Compliant);
            let solver = sys::Z3_mk_string_symbol(context, c"HORN".as_ptr())
                .and_then(|logic| sys::Z3_mk_solver_for_logic(context, logic));
            let Some(solver) = solver else {
                sys::Z3_del_context(context);
                return None;
            };
            sys::Z3_solver_inc_ref(context, solver);
            let interrupter = Interrupter(context);
            let watchdog = Some(Watchdog::new(move || interrupter.interrupt()));
            let session = Session { context, solver, watchdog };
            session.configure();
            Some(session)
        }
    }

    fn configure(&self) {
        let off = [
            // The program has its own idea of what an interrupt from the keyboard does.
            c"ctrl_c",
            // Loses what models need to be complete.
            c"xform.subsumption_checker",
        ];
        // SAFETY: the context is alive, the strings end with NUL, and the count is given back.
        unsafe {
            let Some(params) = sys::Z3_mk_params(self.context) else { return };
            sys::Z3_params_inc_ref(self.context, params);
            // Left to itself, Z3 lists the states of finite domains, and bit-vectors are finite.
            let engine = sys::Z3_mk_string_symbol(self.context, c"engine".as_ptr());
            let spacer = sys::Z3_mk_string_symbol(self.context, c"spacer".as_ptr());
            if let (Some(engine), Some(spacer)) = (engine, spacer) {
                sys::Z3_params_set_symbol(self.context, params, engine, spacer);
            }
            for name in off {
                if let Some(symbol) = sys::Z3_mk_string_symbol(self.context, name.as_ptr()) {
                    sys::Z3_params_set_bool(self.context, params, symbol, false);
                }
            }
            sys::Z3_solver_set_params(self.context, self.solver, params);
            sys::Z3_params_dec_ref(self.context, params);
        }
    }

    fn solve(&self, clauses: &str, limits: &Limits) -> Outcome<String> {
        let incomplete = Outcome::Unknown(Reason::Incomplete);
        let Ok(text) = CString::new(clauses) else { return incomplete };
        let (context, solver) = (self.context, self.solver);
        // SAFETY: context and solver are alive; the text ends with NUL; the watchdog only interrupts.
        let check = || unsafe {
            sys::Z3_solver_from_string(context, solver, text.as_ptr());
            // After an error the solver may lack clauses, and its verdict would be about others.
            if sys::Z3_get_error_code(context) == sys::Z3_error_code::Ok {
                sys::Z3_solver_check(context, solver)
            } else {
                sys::Z3_L_UNDEF
            }
        };
        let verdict = match &self.watchdog {
            Some(watchdog) => watchdog.guard(limits, check),
            None => check(),
        };
        match verdict {
            sys::Z3_L_TRUE => self.model().map_or(incomplete, Outcome::Model),
            sys::Z3_L_FALSE => Outcome::Refuted,
            _ => Outcome::Unknown(limits.exceeded().unwrap_or(Reason::Incomplete)),
        }
    }

    fn model(&self) -> Option<String> {
        // SAFETY: the last check was sat; the string is the library's, valid until the next call, and copied at once.
        unsafe {
            let model = sys::Z3_solver_get_model(self.context, self.solver)?;
            sys::Z3_model_inc_ref(self.context, model);
            let text = sys::Z3_model_to_string(self.context, model);
            let text = (!text.is_null()).then(|| CStr::from_ptr(text).to_string_lossy().into_owned());
            sys::Z3_model_dec_ref(self.context, model);
            text
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // Joins the thread that may still hold the context.
        self.watchdog = None;
        // SAFETY: nothing uses the context any more.
        unsafe {
            sys::Z3_solver_dec_ref(self.context, self.solver);
            sys::Z3_del_context(self.context);
        }
    }
}
