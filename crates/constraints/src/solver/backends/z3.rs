//! Z3, through its C interface.
//!
//! `unsafe` is needed for every call into the library. All of it is in this file and in `model`, behind [`Z3Engine`],
//! which owns the context. The context is of the kind that keeps every term alive until it is deleted, so that handles never dangle.
#![allow(unsafe_code)]

mod model;

use std::ffi::{CStr, CString, c_uint};

use rustc_hash::FxHashMap;
use z3_sys as sys;

use super::watchdog::Watchdog;
use super::{Engine, Incremental, Limits, Profile, Theory, Verdict};
use crate::float;
use crate::op::Op;
use crate::solver::{Reason, Steps};
use crate::sort::{Rounding, Sort};
use crate::value::Value;

pub(super) const PROFILE: Profile = Profile {
    name: "z3",
    about: "another opinion",
    make: |cancel, tuning, most_terms| {
        let resources = tuning.z3_resources;
        let engine = Incremental::new("z3", cancel, tuning, move |theory| Z3Engine::new(theory, resources));
        Box::new(engine.with_most_terms(most_terms))
    },
};

/// As many of Z3's resources as there are steps. None is no limit for Z3, and more than it can count is as good as none.
pub fn resources(steps: Steps, per_step: u64) -> CString {
    let most = u64::from(c_uint::MAX);
    let resources = steps.0.saturating_mul(per_step) / 1_000;
    CString::new(resources.clamp(1, most).to_string()).expect("digits contain no NUL")
}

/// What was used of Z3's resources so far, in the whole context.
///
/// # Safety
/// The solver is of the context, and both are alive.
pub unsafe fn used(context: sys::Z3_context, solver: sys::Z3_solver) -> u64 {
    // SAFETY: by the caller's promise; indices are below the size, and keys end with NUL and are read at once.
    unsafe {
        let Some(stats) = sys::Z3_solver_get_statistics(context, solver) else { return 0 };
        sys::Z3_stats_inc_ref(context, stats);
        let mut used = 0;
        for i in 0..sys::Z3_stats_size(context, stats) {
            if CStr::from_ptr(sys::Z3_stats_get_key(context, stats, i)) == c"rlimit count" {
                used = match sys::Z3_stats_is_uint(context, stats, i) {
                    true => u64::from(sys::Z3_stats_get_uint_value(context, stats, i)),
                    false => sys::Z3_stats_get_double_value(context, stats, i) as u64,
                };
            }
        }
        sys::Z3_stats_dec_ref(context, stats);
        used
    }
}

/// Whether Z3 gave up because its resources were used up.
///
/// # Safety
/// The solver is of the context, both are alive, and its last check gave no answer.
pub unsafe fn is_exhausted(context: sys::Z3_context, solver: sys::Z3_solver) -> bool {
    // SAFETY: by the caller's promise; the text is the library's and read at once.
    let reason = unsafe {
        let reason = sys::Z3_solver_get_reason_unknown(context, solver);
        if reason.is_null() {
            return false;
        }
        CStr::from_ptr(reason).to_string_lossy()
    };
    ["resource", "cancel"].iter().any(|word| reason.contains(word))
}

/// A term of Z3. Only given back to the engine that made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Z3Ast(sys::Z3_ast);

// SAFETY: a handle is an address that only the engine uses, and the engine is used by one thread at a time.
unsafe impl Send for Z3Ast {}

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

/// One solver in a context of its own.
pub struct Z3Engine {
    context: sys::Z3_context,
    solver: sys::Z3_solver,
    model: Option<sys::Z3_model>,
    sorts: FxHashMap<Sort, sys::Z3_sort>,
    /// The Boolean constants that name assertions in cores, by assertion.
    names: FxHashMap<Z3Ast, Z3Ast>,
    symbols: i32,
    /// Names of what is asserted, by level.
    levels: Vec<Vec<(Z3Ast, usize)>>,
    /// Of Z3's resources, for a thousand steps.
    resources: u64,
    /// A call failed: no verdict of this engine can be trusted any more.
    failed: bool,
    /// Dropped before the context, see `drop`.
    watchdog: Option<Watchdog>,
}

// SAFETY: a context may be used from any thread, one at a time, which `&mut self` ensures.
unsafe impl Send for Z3Engine {}

/// Keeps the library from ending the process; failures show as null results.
extern "C" fn ignore_error(_: sys::Z3_context, _: sys::Z3_error_code) {}

impl Z3Engine {
    /// # Panics
    /// If the library cannot even make a context, which needs only memory.
    pub fn new(theory: Theory, resources: u64) -> Z3Engine {
        let logic = CString::new(theory.logic()).expect("names of logics contain no NUL");
        // SAFETY: plain constructors; the solver's count is given back in `drop`.
        let (context, solver) = unsafe {
            let config = sys::Z3_mk_config().expect("there is memory for a configuration");
            let context = sys::Z3_mk_context(config).expect("there is memory for a context");
            sys::Z3_del_config(config);
            sys::Z3_set_error_handler(context, Some(ignore_error));
            let symbol = sys::Z3_mk_string_symbol(context, logic.as_ptr()).expect("there is memory for a symbol");
            let solver = sys::Z3_mk_solver_for_logic(context, symbol).expect("Z3 knows the logic");
            sys::Z3_solver_inc_ref(context, solver);
            (context, solver)
        };
        let interrupter = Interrupter(context);
        Z3Engine {
            context,
            solver,
            model: None,
            sorts: FxHashMap::default(),
            names: FxHashMap::default(),
            symbols: 0,
            levels: vec![Vec::new()],
            resources,
            failed: false,
            watchdog: Some(Watchdog::new(move || interrupter.interrupt())),
        }
    }

    /// The result of a call, or `true` and a note that nothing can be trusted.
    fn checked(&mut self, ast: Option<sys::Z3_ast>) -> sys::Z3_ast {
        ast.unwrap_or_else(|| {
            self.failed = true;
            // SAFETY: the context is alive.
            unsafe { sys::Z3_mk_true(self.context) }.expect("there is memory for a truth value")
        })
    }

    fn sort(&mut self, sort: Sort) -> sys::Z3_sort {
        if let Some(&known) = self.sorts.get(&sort) {
            return known;
        }
        let c = self.context;
        // SAFETY: the context is alive and keeps sorts alive.
        let made = unsafe {
            match sort {
                Sort::Bool => sys::Z3_mk_bool_sort(c),
                Sort::Bv(w) => sys::Z3_mk_bv_sort(c, c_uint::from(w)),
                Sort::Float(k) => {
                    sys::Z3_mk_fpa_sort(c, c_uint::from(k.exponent_bits()), c_uint::from(k.significand_bits()))
                }
                Sort::Array => {
                    let (index, element) = (self.sort(Sort::Bv(64)), self.sort(Sort::Bv(8)));
                    sys::Z3_mk_array_sort(c, index, element)
                }
            }
        };
        let made = made.expect("there is memory for a sort");
        self.sorts.insert(sort, made);
        made
    }

    fn symbol_constant(&mut self, sort: Sort) -> sys::Z3_ast {
        let sort = self.sort(sort);
        self.symbols += 1;
        // SAFETY: the context is alive; integer symbols are unique by number.
        let constant = unsafe {
            sys::Z3_mk_int_symbol(self.context, self.symbols).and_then(|s| sys::Z3_mk_const(self.context, s, sort))
        };
        self.checked(constant)
    }

    fn bits(&mut self, bits: u128, width: u8) -> sys::Z3_ast {
        let sort = self.sort(Sort::Bv(width));
        let bits = bits & crate::sort::mask(width);
        // SAFETY: the context is alive; the string ends with NUL and holds decimal digits.
        let made = unsafe {
            match u64::try_from(bits) {
                Ok(small) => sys::Z3_mk_unsigned_int64(self.context, small, sort),
                Err(_) => {
                    let digits = CString::new(bits.to_string()).expect("digits contain no NUL");
                    sys::Z3_mk_numeral(self.context, digits.as_ptr(), sort)
                }
            }
        };
        self.checked(made)
    }

    fn mode(&mut self, mode: Rounding) -> sys::Z3_ast {
        let c = self.context;
        // SAFETY: the context is alive.
        let made = unsafe {
            match mode {
                Rounding::NearestEven => sys::Z3_mk_fpa_rne(c),
                Rounding::NearestAway => sys::Z3_mk_fpa_rna(c),
                Rounding::Up => sys::Z3_mk_fpa_rtp(c),
                Rounding::Down => sys::Z3_mk_fpa_rtn(c),
                Rounding::Zero => sys::Z3_mk_fpa_rtz(c),
            }
        };
        self.checked(made)
    }

    /// # Safety
    /// The arguments are of this context and of the sorts that the operation takes.
    unsafe fn bits_apply(&mut self, op: Op, sort: Sort, args: &[sys::Z3_ast], sorts: &[Sort]) -> Option<sys::Z3_ast> {
        let c = self.context;
        let a = args[0];
        let b = args.get(1).copied().unwrap_or(a);
        // SAFETY: by the caller's promise.
        unsafe {
            match op {
                Op::Not => sys::Z3_mk_not(c, a),
                Op::And => sys::Z3_mk_and(c, 2, args.as_ptr()),
                Op::Or => sys::Z3_mk_or(c, 2, args.as_ptr()),
                Op::Eq => sys::Z3_mk_eq(c, a, b),
                Op::Ite => sys::Z3_mk_ite(c, a, b, args[2]),
                Op::BvNot => sys::Z3_mk_bvnot(c, a),
                Op::BvNeg => sys::Z3_mk_bvneg(c, a),
                Op::BvAnd => sys::Z3_mk_bvand(c, a, b),
                Op::BvOr => sys::Z3_mk_bvor(c, a, b),
                Op::BvXor => sys::Z3_mk_bvxor(c, a, b),
                Op::Add => sys::Z3_mk_bvadd(c, a, b),
                Op::Sub => sys::Z3_mk_bvsub(c, a, b),
                Op::Mul => sys::Z3_mk_bvmul(c, a, b),
                Op::UDiv => sys::Z3_mk_bvudiv(c, a, b),
                Op::URem => sys::Z3_mk_bvurem(c, a, b),
                Op::SDiv => sys::Z3_mk_bvsdiv(c, a, b),
                Op::SRem => sys::Z3_mk_bvsrem(c, a, b),
                Op::Shl => sys::Z3_mk_bvshl(c, a, b),
                Op::LShr => sys::Z3_mk_bvlshr(c, a, b),
                Op::AShr => sys::Z3_mk_bvashr(c, a, b),
                Op::Concat => sys::Z3_mk_concat(c, a, b),
                Op::Extract { hi, lo } => sys::Z3_mk_extract(c, c_uint::from(hi), c_uint::from(lo), a),
                Op::ZExt => sys::Z3_mk_zero_ext(c, c_uint::from(sort.width() - sorts[0].width()), a),
                Op::SExt => sys::Z3_mk_sign_ext(c, c_uint::from(sort.width() - sorts[0].width()), a),
                Op::Ult => sys::Z3_mk_bvult(c, a, b),
                Op::Ule => sys::Z3_mk_bvule(c, a, b),
                Op::Slt => sys::Z3_mk_bvslt(c, a, b),
                Op::Sle => sys::Z3_mk_bvsle(c, a, b),
                Op::BoolToBv => {
                    let (one, zero) = (self.bits(1, 1), self.bits(0, 1));
                    sys::Z3_mk_ite(c, a, one, zero)
                }
                Op::Select => sys::Z3_mk_select(c, a, b),
                Op::Store => sys::Z3_mk_store(c, a, b, args[2]),
                Op::ConstArray => sys::Z3_mk_const_array(c, self.sort(Sort::Bv(64)), a),
                _ => overflow(c, op, a, b),
            }
        }
    }

    /// # Safety
    /// As for `bits_apply`.
    unsafe fn float_apply(&mut self, op: Op, sort: Sort, args: &[sys::Z3_ast]) -> Option<sys::Z3_ast> {
        let c = self.context;
        let a = args[0];
        let b = args.get(1).copied().unwrap_or(a);
        let nearest = self.mode(Rounding::NearestEven);
        let result = self.sort(sort);
        // SAFETY: by the caller's promise.
        unsafe {
            match op {
                Op::FAdd => sys::Z3_mk_fpa_add(c, nearest, a, b),
                Op::FSub => sys::Z3_mk_fpa_sub(c, nearest, a, b),
                Op::FMul => sys::Z3_mk_fpa_mul(c, nearest, a, b),
                Op::FDiv => sys::Z3_mk_fpa_div(c, nearest, a, b),
                Op::FRem => sys::Z3_mk_fpa_rem(c, a, b),
                Op::FSqrt => sys::Z3_mk_fpa_sqrt(c, nearest, a),
                Op::FFma => sys::Z3_mk_fpa_fma(c, nearest, a, b, args[2]),
                Op::FRound(m) => sys::Z3_mk_fpa_round_to_integral(c, self.mode(m), a),
                Op::FNeg => sys::Z3_mk_fpa_neg(c, a),
                Op::FAbs => sys::Z3_mk_fpa_abs(c, a),
                Op::FEq => sys::Z3_mk_fpa_eq(c, a, b),
                Op::FLt => sys::Z3_mk_fpa_lt(c, a, b),
                Op::FLe => sys::Z3_mk_fpa_leq(c, a, b),
                Op::FIsNan => sys::Z3_mk_fpa_is_nan(c, a),
                Op::FIsInf => sys::Z3_mk_fpa_is_infinite(c, a),
                Op::FIsZero => sys::Z3_mk_fpa_is_zero(c, a),
                Op::FIsNormal => sys::Z3_mk_fpa_is_normal(c, a),
                Op::FIsSubnormal => sys::Z3_mk_fpa_is_subnormal(c, a),
                Op::FIsNegative => sys::Z3_mk_fpa_is_negative(c, a),
                Op::FToF(_, m) => sys::Z3_mk_fpa_to_fp_float(c, self.mode(m), a, result),
                Op::SToF(_, m) => sys::Z3_mk_fpa_to_fp_signed(c, self.mode(m), a, result),
                Op::UToF(_, m) => sys::Z3_mk_fpa_to_fp_unsigned(c, self.mode(m), a, result),
                Op::FToS(m) => sys::Z3_mk_fpa_to_sbv(c, self.mode(m), a, c_uint::from(sort.width())),
                Op::FToU(m) => sys::Z3_mk_fpa_to_ubv(c, self.mode(m), a, c_uint::from(sort.width())),
                Op::IeeeToF(_) => sys::Z3_mk_fpa_to_fp_bv(c, a, result),
                _ => unreachable!("{op:?} is no operation on floats"),
            }
        }
    }
}

/// The library has the negations of the overflow predicates, upwards and downwards apart.
///
/// # Safety
/// The arguments are bit-vectors of one width of this context.
unsafe fn overflow(c: sys::Z3_context, op: Op, a: sys::Z3_ast, b: sys::Z3_ast) -> Option<sys::Z3_ast> {
    // SAFETY: by the caller's promise.
    unsafe {
        let (up, down) = match op {
            Op::SAddO => (sys::Z3_mk_bvadd_no_overflow(c, a, b, true), sys::Z3_mk_bvadd_no_underflow(c, a, b)),
            Op::UAddO => (sys::Z3_mk_bvadd_no_overflow(c, a, b, false), sys::Z3_mk_true(c)),
            Op::SSubO => (sys::Z3_mk_bvsub_no_overflow(c, a, b), sys::Z3_mk_bvsub_no_underflow(c, a, b, true)),
            Op::USubO => (sys::Z3_mk_bvuge(c, a, b), sys::Z3_mk_true(c)),
            Op::SMulO => (sys::Z3_mk_bvmul_no_overflow(c, a, b, true), sys::Z3_mk_bvmul_no_underflow(c, a, b)),
            Op::UMulO => (sys::Z3_mk_bvmul_no_overflow(c, a, b, false), sys::Z3_mk_true(c)),
            _ => unreachable!("{op:?} is no operation on bit-vectors"),
        };
        let fits = sys::Z3_mk_and(c, 2, [up?, down?].as_ptr())?;
        sys::Z3_mk_not(c, fits)
    }
}

impl Engine for Z3Engine {
    type Ast = Z3Ast;
    const KNOWS_EXTENDED: bool = true;

    fn variable(&mut self, _name: &str, sort: Sort) -> Z3Ast {
        Z3Ast(self.symbol_constant(sort))
    }

    fn constant(&mut self, sort: Sort, bits: u128) -> Z3Ast {
        let made = match sort {
            // SAFETY: the context is alive.
            Sort::Bool if bits == 0 => unsafe { sys::Z3_mk_false(self.context) },
            // SAFETY: as above.
            Sort::Bool => unsafe { sys::Z3_mk_true(self.context) },
            Sort::Bv(w) => Some(self.bits(bits, w)),
            Sort::Float(k) => {
                let ieee = float::to_ieee(k, bits);
                let (f, e) = (k.significand_bits() - 1, k.exponent_bits());
                let (sign, exponent, fraction) =
                    (self.bits(ieee >> (e + f), 1), self.bits(ieee >> f, e), self.bits(ieee, f));
                // SAFETY: the three are bit-vectors of the widths of the format.
                unsafe { sys::Z3_mk_fpa_fp(self.context, sign, exponent, fraction) }
            }
            Sort::Array => unreachable!("arrays are no scalar constants"),
        };
        Z3Ast(self.checked(made))
    }

    fn apply(&mut self, op: Op, sort: Sort, args: &[Z3Ast], sorts: &[Sort]) -> Z3Ast {
        let args: smallvec::SmallVec<[sys::Z3_ast; 3]> = args.iter().map(|a| a.0).collect();
        let on_floats = matches!(op, Op::SToF(..) | Op::UToF(..) | Op::IeeeToF(_))
            || matches!(sorts[0], Sort::Float(_)) && op != Op::Eq;
        // SAFETY: the caller's terms are well sorted because those of the arena are.
        let made = unsafe {
            if on_floats { self.float_apply(op, sort, &args) } else { self.bits_apply(op, sort, &args, sorts) }
        };
        Z3Ast(self.checked(made))
    }

    fn push(&mut self) {
        self.drop_model();
        self.levels.push(Vec::new());
        // SAFETY: the solver is alive.
        unsafe { sys::Z3_solver_push(self.context, self.solver) }
    }

    fn pop(&mut self, levels: usize) {
        self.drop_model();
        self.levels.truncate(self.levels.len() - levels);
        // SAFETY: no more levels are popped than were pushed, as the bookkeeping above shows.
        unsafe { sys::Z3_solver_pop(self.context, self.solver, levels as c_uint) }
    }

    fn assert(&mut self, condition: Z3Ast, tag: Option<usize>) {
        let (Some(tag), c, s) = (tag, self.context, self.solver) else {
            // SAFETY: the condition is a Boolean term of this context.
            return unsafe { sys::Z3_solver_assert(self.context, self.solver, condition.0) };
        };
        let name = match self.names.get(&condition) {
            Some(&known) => known,
            None => {
                let name = Z3Ast(self.symbol_constant(Sort::Bool));
                self.names.insert(condition, name);
                name
            }
        };
        if let Some(level) = self.levels.last_mut() {
            level.push((name, tag));
        }
        // SAFETY: as above, and the name is a Boolean constant.
        unsafe { sys::Z3_solver_assert_and_track(c, s, condition.0, name.0) }
    }

    fn check(&mut self, limits: &Limits) -> Verdict {
        self.drop_model();
        let (context, solver) = (self.context, self.solver);
        let most = resources(limits.steps, self.resources);
        // SAFETY: the context is alive and strings end with NUL. The limit is that of each check, not of all together.
        unsafe { sys::Z3_update_param_value(context, c"rlimit".as_ptr(), most.as_ptr()) };
        // SAFETY: the solver is alive; the watchdog only interrupts.
        let check = || unsafe { sys::Z3_solver_check(context, solver) };
        let result = match &self.watchdog {
            Some(watchdog) => watchdog.guard(limits, check),
            None => check(),
        };
        match result {
            _ if self.failed => Verdict::Unknown(Reason::Incomplete),
            sys::Z3_L_TRUE => Verdict::Sat,
            sys::Z3_L_FALSE => Verdict::Unsat,
            _ => {
                // SAFETY: the solver is alive and gave no answer.
                let exhausted = unsafe { is_exhausted(context, solver) };
                Verdict::Unknown(limits.blame(if exhausted { Reason::Steps } else { Reason::Incomplete }))
            }
        }
    }

    fn core(&mut self) -> Vec<usize> {
        let c = self.context;
        // SAFETY: the last check was unsat; the vector's count is taken and given back around the reads.
        let core: rustc_hash::FxHashSet<Z3Ast> = unsafe {
            let Some(vector) = sys::Z3_solver_get_unsat_core(c, self.solver) else { return Vec::new() };
            sys::Z3_ast_vector_inc_ref(c, vector);
            let n = sys::Z3_ast_vector_size(c, vector);
            let core = (0..n).filter_map(|i| sys::Z3_ast_vector_get(c, vector, i)).map(Z3Ast).collect();
            sys::Z3_ast_vector_dec_ref(c, vector);
            core
        };
        self.levels.iter().flatten().filter(|(name, _)| core.contains(name)).map(|(_, tag)| *tag).collect()
    }

    fn value(&mut self, variable: Z3Ast, sort: Sort) -> Option<Value> {
        match sort {
            Sort::Bool => {
                let value = self.evaluate(variable.0)?;
                // SAFETY: the value is a Boolean of this context.
                match unsafe { sys::Z3_get_bool_value(self.context, value) } {
                    sys::Z3_L_TRUE => Some(Value::Bool(true)),
                    sys::Z3_L_FALSE => Some(Value::Bool(false)),
                    _ => None,
                }
            }
            Sort::Bv(_) => {
                let value = self.evaluate(variable.0)?;
                self.numeral(value).map(Value::Bv)
            }
            Sort::Float(k) => self.float_value(k, variable.0).map(Value::Float),
            Sort::Array => self.array_value(variable.0).map(|a| Value::Array(std::sync::Arc::new(a))),
        }
    }
}

impl Drop for Z3Engine {
    fn drop(&mut self) {
        // Joins the thread that may still hold the context.
        self.watchdog = None;
        self.drop_model();
        // SAFETY: nothing uses the context any more.
        unsafe {
            sys::Z3_solver_dec_ref(self.context, self.solver);
            sys::Z3_del_context(self.context);
        }
    }
}

impl std::fmt::Debug for Z3Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Z3Engine").field("levels", &self.levels.len()).finish_non_exhaustive()
    }
}
