//! Bitwuzla, through its C interface.
//!
//! `unsafe` is needed for every call into the library. All of it is in this file, behind [`BitwuzlaEngine`], which owns the
//! term manager and the solver; handles never leave it but as opaque numbers that are only given back to it.
#![allow(unsafe_code)]

use std::cell::Cell;
use std::ffi::{CStr, CString, c_char, c_void};

use bitwuzla_sys as sys;
use rustc_hash::{FxHashMap, FxHashSet};

use super::gates::gates;
use super::{Engine, Incremental, Limits, Profile, Verdict};
use crate::float;
use crate::op::Op;
use crate::solver::{Reason, Steps};
use crate::sort::{FloatKind, Rounding, Sort, mask};
use crate::tuning::Tuning;
use crate::value::{ArrayValue, Value};

pub(super) const PROFILE: Profile = Profile {
    name: "bitwuzla",
    about: "the best on most queries, and far ahead on floats",
    make: |cancel, tuning, most_terms| {
        let tuned = *tuning;
        let engine = Incremental::new("bitwuzla", cancel, tuning, move |_| BitwuzlaEngine::new(&tuned));
        Box::new(engine.with_most_terms(most_terms))
    },
};

/// Where words become more gates than this, they are not looked at: each takes some two hundred
/// bytes, and while they are made the library looks at no limit.
const MOST_GATES: u64 = 6_000_000; // not tuning: memory

/// One solver instance.
pub struct BitwuzlaEngine {
    manager: *mut sys::BitwuzlaTermManager,
    options: *mut sys::BitwuzlaOptions,
    solver: *mut sys::Bitwuzla,
    sorts: FxHashMap<Sort, sys::BitwuzlaSort>,
    modes: FxHashMap<Rounding, sys::BitwuzlaTerm>,
    constants: FxHashSet<sys::BitwuzlaTerm>,
    /// What is asserted, by level, with the tags for cores.
    levels: Vec<Vec<(sys::BitwuzlaTerm, usize)>>,
    /// What the termination callback looks at; boxed, as the library keeps its address.
    watch: Box<Watch>,
    /// How many gates there are of all that it has seen.
    size: u64,
}

/// What a check has left.
#[derive(Debug)]
struct Watch {
    limits: Option<Limits>,
    /// What a call of the terminator stands for, and how many gates add a step to it.
    call: u64,
    gates_per_step: u64,
    left: Cell<Steps>,
    /// Of what is costly, of all that the solver has seen: it carries them along.
    gates: u64,
}

impl Watch {
    /// Counts a call. The solver calls at points of its search, not of time: where it is called and how often depends on the
    /// question alone.
    fn is_over(&self) -> bool {
        let cost = Steps(self.call + self.gates / self.gates_per_step);
        self.left.set(self.left.get().saturating_sub(cost));
        self.left.get() == Steps(0) || self.limits.as_ref().is_some_and(|limits| limits.exceeded().is_some())
    }
}

// SAFETY: the library keeps no thread-local state for an instance, and `&mut self` methods are never called from two
// threads at once.
unsafe impl Send for BitwuzlaEngine {}

/// Called by the library now and then during a check; not 0 ends it.
extern "C" fn should_stop(state: *mut c_void) -> i32 {
    // SAFETY: `state` is the address of the engine's boxed watch, which lives as long as the solver and is not changed
    // during a check but here.
    let watch = unsafe { &*state.cast::<Watch>() };
    i32::from(watch.is_over())
}

impl BitwuzlaEngine {
    /// An engine with a solver of its own, which counts by the gates of this table.
    pub fn new(tuning: &Tuning) -> BitwuzlaEngine {
        let mut watch = Box::new(Watch {
            limits: None,
            call: tuning.bitwuzla_call,
            gates_per_step: tuning.bitwuzla_gates.max(1),
            left: Cell::default(),
            gates: 0,
        });
        let state: *mut Watch = &mut *watch;
        // SAFETY: plain constructors; the options are deleted only after the solver, in `drop`.
        let (manager, options, solver) = unsafe {
            let manager = sys::bitwuzla_term_manager_new();
            let options = sys::bitwuzla_options_new();
            sys::bitwuzla_set_option(options, sys::BITWUZLA_OPT_PRODUCE_MODELS, 1);
            sys::bitwuzla_set_option(options, sys::BITWUZLA_OPT_PRODUCE_UNSAT_CORES, 1);
            // This pass does not look at the clock: on long sums it takes seconds where a fraction of one is allowed.
            sys::bitwuzla_set_option(options, sys::BITWUZLA_OPT_PP_NORMALIZE, 0);
            let solver = sys::bitwuzla_new(manager, options);
            sys::bitwuzla_set_termination_callback(solver, Some(should_stop), state.cast());
            (manager, options, solver)
        };
        BitwuzlaEngine {
            manager,
            options,
            solver,
            sorts: FxHashMap::default(),
            modes: FxHashMap::default(),
            constants: FxHashSet::default(),
            levels: vec![Vec::new()],
            watch,
            size: 0,
        }
    }

    fn sort(&mut self, sort: Sort) -> sys::BitwuzlaSort {
        if let Some(&known) = self.sorts.get(&sort) {
            return known;
        }
        let m = self.manager;
        // SAFETY: the manager is alive; sorts live as long as it.
        let made = unsafe {
            match sort {
                Sort::Bool => sys::bitwuzla_mk_bool_sort(m),
                Sort::Bv(w) => sys::bitwuzla_mk_bv_sort(m, u64::from(w)),
                Sort::Float(k) => {
                    sys::bitwuzla_mk_fp_sort(m, u64::from(k.exponent_bits()), u64::from(k.significand_bits()))
                }
                Sort::Array => {
                    let (index, element) = (self.sort(Sort::Bv(64)), self.sort(Sort::Bv(8)));
                    sys::bitwuzla_mk_array_sort(m, index, element)
                }
            }
        };
        self.sorts.insert(sort, made);
        made
    }

    fn mode(&mut self, mode: Rounding) -> sys::BitwuzlaTerm {
        let manager = self.manager;
        *self.modes.entry(mode).or_insert_with(|| {
            let rm = match mode {
                Rounding::NearestEven => sys::BITWUZLA_RM_RNE,
                Rounding::NearestAway => sys::BITWUZLA_RM_RNA,
                Rounding::Up => sys::BITWUZLA_RM_RTP,
                Rounding::Down => sys::BITWUZLA_RM_RTN,
                Rounding::Zero => sys::BITWUZLA_RM_RTZ,
            };
            // SAFETY: the manager is alive.
            unsafe { sys::bitwuzla_mk_rm_value(manager, rm) }
        })
    }

    fn bits(&mut self, bits: u128, width: u8) -> sys::BitwuzlaTerm {
        let sort = self.sort(Sort::Bv(width));
        let bits = bits & mask(width);
        // SAFETY: the manager is alive, the string ends with NUL and holds hexadecimal digits that fit the width.
        unsafe {
            match u64::try_from(bits) {
                Ok(small) => sys::bitwuzla_mk_bv_value_uint64(self.manager, sort, small),
                Err(_) => {
                    let digits = CString::new(format!("{bits:x}")).expect("digits contain no NUL");
                    sys::bitwuzla_mk_bv_value(self.manager, sort, digits.as_ptr(), 16)
                }
            }
        }
    }

    fn mk(&mut self, kind: sys::BitwuzlaKind, args: &[sys::BitwuzlaTerm], indices: &[u64]) -> sys::BitwuzlaTerm {
        let mut args: smallvec::SmallVec<[sys::BitwuzlaTerm; 4]> = args.iter().copied().collect();
        // SAFETY: the pointers are valid for the counts given, the library only reads them, and the caller's terms are
        // well sorted because those of the arena are.
        unsafe {
            sys::bitwuzla_mk_term_indexed(
                self.manager,
                kind,
                args.len() as u32,
                args.as_mut_ptr(),
                indices.len() as u32,
                indices.as_ptr(),
            )
        }
    }

    fn float_apply(&mut self, op: Op, sort: Sort, args: &[sys::BitwuzlaTerm]) -> sys::BitwuzlaTerm {
        let nearest = self.mode(Rounding::NearestEven);
        let with = |mode: sys::BitwuzlaTerm| -> smallvec::SmallVec<[sys::BitwuzlaTerm; 4]> {
            std::iter::once(mode).chain(args.iter().copied()).collect()
        };
        let format = |k: FloatKind| [u64::from(k.exponent_bits()), u64::from(k.significand_bits())];
        let rounded = |kind| (kind, with(nearest), Vec::new());
        let plain = |kind| (kind, args.iter().copied().collect(), Vec::new());
        let (kind, args, indices) = match op {
            Op::FAdd => rounded(sys::BITWUZLA_KIND_FP_ADD),
            Op::FSub => rounded(sys::BITWUZLA_KIND_FP_SUB),
            Op::FMul => rounded(sys::BITWUZLA_KIND_FP_MUL),
            Op::FDiv => rounded(sys::BITWUZLA_KIND_FP_DIV),
            Op::FSqrt => rounded(sys::BITWUZLA_KIND_FP_SQRT),
            Op::FFma => rounded(sys::BITWUZLA_KIND_FP_FMA),
            Op::FRem => plain(sys::BITWUZLA_KIND_FP_REM),
            Op::FRound(mode) => (sys::BITWUZLA_KIND_FP_RTI, with(self.mode(mode)), Vec::new()),
            Op::FNeg => plain(sys::BITWUZLA_KIND_FP_NEG),
            Op::FAbs => plain(sys::BITWUZLA_KIND_FP_ABS),
            Op::FEq => plain(sys::BITWUZLA_KIND_FP_EQUAL),
            Op::FLt => plain(sys::BITWUZLA_KIND_FP_LT),
            Op::FLe => plain(sys::BITWUZLA_KIND_FP_LEQ),
            Op::FIsNan => plain(sys::BITWUZLA_KIND_FP_IS_NAN),
            Op::FIsInf => plain(sys::BITWUZLA_KIND_FP_IS_INF),
            Op::FIsZero => plain(sys::BITWUZLA_KIND_FP_IS_ZERO),
            Op::FIsNormal => plain(sys::BITWUZLA_KIND_FP_IS_NORMAL),
            Op::FIsSubnormal => plain(sys::BITWUZLA_KIND_FP_IS_SUBNORMAL),
            Op::FIsNegative => plain(sys::BITWUZLA_KIND_FP_IS_NEG),
            Op::FToF(to, m) => (sys::BITWUZLA_KIND_FP_TO_FP_FROM_FP, with(self.mode(m)), format(to).to_vec()),
            Op::SToF(to, m) => (sys::BITWUZLA_KIND_FP_TO_FP_FROM_SBV, with(self.mode(m)), format(to).to_vec()),
            Op::UToF(to, m) => (sys::BITWUZLA_KIND_FP_TO_FP_FROM_UBV, with(self.mode(m)), format(to).to_vec()),
            Op::FToS(m) => (sys::BITWUZLA_KIND_FP_TO_SBV, with(self.mode(m)), vec![u64::from(sort.width())]),
            Op::FToU(m) => (sys::BITWUZLA_KIND_FP_TO_UBV, with(self.mode(m)), vec![u64::from(sort.width())]),
            Op::IeeeToF(k) => (sys::BITWUZLA_KIND_FP_TO_FP_FROM_BV, args.iter().copied().collect(), format(k).to_vec()),
            _ => unreachable!("{op:?} is no operation on floats"),
        };
        self.mk(kind, &args, &indices)
    }

    /// The array that a value term, a chain of stores into a constant array, describes.
    fn array_value(&mut self, value: sys::BitwuzlaTerm) -> Option<ArrayValue> {
        let mut stores = Vec::new();
        let mut at = value;
        loop {
            let mut size = 0;
            // SAFETY: `at` is a term of this manager; the children are read before the next call that may reuse them.
            let (kind, children) = unsafe {
                let kind = sys::bitwuzla_term_get_kind(at);
                let children = sys::bitwuzla_term_get_children(at, &mut size);
                let copied: Vec<_> = (0..size).map(|i| *children.add(i)).collect();
                (kind, copied)
            };
            match (kind, children.as_slice()) {
                (sys::BITWUZLA_KIND_ARRAY_STORE, &[below, index, byte]) => {
                    stores.push((self.bv_value(index)?, self.bv_value(byte)?));
                    at = below;
                }
                (sys::BITWUZLA_KIND_CONST_ARRAY, &[byte]) => {
                    let mut array = ArrayValue::filled(self.bv_value(byte)? as u8);
                    // The outermost store, met first, wins.
                    for (index, byte) in stores.into_iter().rev() {
                        array.set(index as u64, byte as u8);
                    }
                    return Some(array);
                }
                _ => return None,
            }
        }
    }

    fn bv_value(&mut self, value: sys::BitwuzlaTerm) -> Option<u128> {
        // SAFETY: the string is the library's and valid until the next such call; it is parsed at once.
        unsafe {
            if !sys::bitwuzla_term_is_bv_value(value) {
                return None;
            }
            parse_binary(sys::bitwuzla_term_value_get_str_fmt(value, 2))
        }
    }

    fn float_value(&mut self, kind: FloatKind, value: sys::BitwuzlaTerm) -> Option<u128> {
        let (mut sign, mut exponent, mut significand) = (std::ptr::null(), std::ptr::null(), std::ptr::null());
        // SAFETY: as for `bv_value`; the three pointers are out parameters.
        let (sign, exponent, significand) = unsafe {
            if !sys::bitwuzla_term_is_fp_value(value) {
                return None;
            }
            sys::bitwuzla_term_value_get_fp_ieee(value, &mut sign, &mut exponent, &mut significand, 2);
            (parse_binary(sign)?, parse_binary(exponent)?, parse_binary(significand)?)
        };
        let fraction_bits = kind.significand_bits() - 1;
        let ieee = sign << (kind.ieee_bits() - 1) | exponent << fraction_bits | significand;
        Some(float::canonical(kind, float::from_ieee(kind, ieee)))
    }
}

/// # Safety
/// `digits` must point to a string that ends with NUL.
unsafe fn parse_binary(digits: *const c_char) -> Option<u128> {
    // SAFETY: by the caller's promise.
    let digits = unsafe { CStr::from_ptr(digits) };
    u128::from_str_radix(digits.to_str().ok()?, 2).ok()
}

fn kind_of(op: Op) -> Option<sys::BitwuzlaKind> {
    Some(match op {
        Op::Not => sys::BITWUZLA_KIND_NOT,
        Op::And => sys::BITWUZLA_KIND_AND,
        Op::Or => sys::BITWUZLA_KIND_OR,
        Op::Eq => sys::BITWUZLA_KIND_EQUAL,
        Op::Ite => sys::BITWUZLA_KIND_ITE,
        Op::BvNot => sys::BITWUZLA_KIND_BV_NOT,
        Op::BvNeg => sys::BITWUZLA_KIND_BV_NEG,
        Op::BvAnd => sys::BITWUZLA_KIND_BV_AND,
        Op::BvOr => sys::BITWUZLA_KIND_BV_OR,
        Op::BvXor => sys::BITWUZLA_KIND_BV_XOR,
        Op::Add => sys::BITWUZLA_KIND_BV_ADD,
        Op::Sub => sys::BITWUZLA_KIND_BV_SUB,
        Op::Mul => sys::BITWUZLA_KIND_BV_MUL,
        Op::UDiv => sys::BITWUZLA_KIND_BV_UDIV,
        Op::URem => sys::BITWUZLA_KIND_BV_UREM,
        Op::SDiv => sys::BITWUZLA_KIND_BV_SDIV,
        Op::SRem => sys::BITWUZLA_KIND_BV_SREM,
        Op::Shl => sys::BITWUZLA_KIND_BV_SHL,
        Op::LShr => sys::BITWUZLA_KIND_BV_SHR,
        Op::AShr => sys::BITWUZLA_KIND_BV_ASHR,
        Op::Concat => sys::BITWUZLA_KIND_BV_CONCAT,
        Op::Ult => sys::BITWUZLA_KIND_BV_ULT,
        Op::Ule => sys::BITWUZLA_KIND_BV_ULE,
        Op::Slt => sys::BITWUZLA_KIND_BV_SLT,
        Op::Sle => sys::BITWUZLA_KIND_BV_SLE,
        Op::SAddO => sys::BITWUZLA_KIND_BV_SADD_OVERFLOW,
        Op::UAddO => sys::BITWUZLA_KIND_BV_UADD_OVERFLOW,
        Op::SSubO => sys::BITWUZLA_KIND_BV_SSUB_OVERFLOW,
        Op::USubO => sys::BITWUZLA_KIND_BV_USUB_OVERFLOW,
        Op::SMulO => sys::BITWUZLA_KIND_BV_SMUL_OVERFLOW,
        Op::UMulO => sys::BITWUZLA_KIND_BV_UMUL_OVERFLOW,
        Op::Select => sys::BITWUZLA_KIND_ARRAY_SELECT,
        Op::Store => sys::BITWUZLA_KIND_ARRAY_STORE,
        _ => return None,
    })
}

impl Engine for BitwuzlaEngine {
    type Ast = sys::BitwuzlaTerm;
    // It is built without formats that are still tried out, and ends the process when it is given one.
    const KNOWS_EXTENDED: bool = false;

    fn variable(&mut self, name: &str, sort: Sort) -> Self::Ast {
        let sort = self.sort(sort);
        // The name is for dumps only; one with a NUL inside is cut there.
        let name = CString::new(name.split('\0').next().unwrap_or_default()).unwrap_or_default();
        // SAFETY: the manager is alive and the name ends with NUL.
        unsafe { sys::bitwuzla_mk_const(self.manager, sort, name.as_ptr()) }
    }

    fn constant(&mut self, sort: Sort, bits: u128) -> Self::Ast {
        match sort {
            // SAFETY: the manager is alive.
            Sort::Bool if bits == 0 => unsafe { sys::bitwuzla_mk_false(self.manager) },
            // SAFETY: as above.
            Sort::Bool => unsafe { sys::bitwuzla_mk_true(self.manager) },
            Sort::Bv(w) => {
                let made = self.bits(bits, w);
                self.constants.insert(made);
                made
            }
            Sort::Float(k) => {
                let ieee = float::to_ieee(k, bits);
                let (f, e) = (k.significand_bits() - 1, k.exponent_bits());
                let (sign, exponent, fraction) =
                    (self.bits(ieee >> (e + f), 1), self.bits(ieee >> f, e), self.bits(ieee, f));
                // SAFETY: the three are bit-vector values of the widths of the format.
                unsafe { sys::bitwuzla_mk_fp_value(self.manager, sign, exponent, fraction) }
            }
            Sort::Array => unreachable!("arrays are no scalar constants"),
        }
    }

    fn apply(&mut self, op: Op, sort: Sort, args: &[Self::Ast], sorts: &[Sort]) -> Self::Ast {
        let made = gates(op, sorts[0]);
        if op == Op::Mul && args.iter().any(|arg| self.constants.contains(arg)) {
            // They are made all the same, for each bit of the constant that is set.
            self.size += made / 2;
        } else {
            self.watch.gates += made;
            self.size += made;
        }
        if let Some(kind) = kind_of(op) {
            return self.mk(kind, args, &[]);
        }
        match op {
            Op::Extract { hi, lo } => self.mk(sys::BITWUZLA_KIND_BV_EXTRACT, args, &[u64::from(hi), u64::from(lo)]),
            Op::ZExt | Op::SExt => {
                let kind =
                    if op == Op::ZExt { sys::BITWUZLA_KIND_BV_ZERO_EXTEND } else { sys::BITWUZLA_KIND_BV_SIGN_EXTEND };
                self.mk(kind, args, &[u64::from(sort.width() - sorts[0].width())])
            }
            Op::BoolToBv => {
                let (one, zero) = (self.bits(1, 1), self.bits(0, 1));
                self.mk(sys::BITWUZLA_KIND_ITE, &[args[0], one, zero], &[])
            }
            Op::ConstArray => {
                let sort = self.sort(Sort::Array);
                // SAFETY: the manager is alive and the value is a byte.
                unsafe { sys::bitwuzla_mk_const_array(self.manager, sort, args[0]) }
            }
            _ => self.float_apply(op, sort, args),
        }
    }

    fn push(&mut self) {
        self.levels.push(Vec::new());
        // SAFETY: the solver is alive.
        unsafe { sys::bitwuzla_push(self.solver, 1) }
    }

    fn pop(&mut self, levels: usize) {
        self.levels.truncate(self.levels.len() - levels);
        // SAFETY: no more levels are popped than were pushed, as the bookkeeping above shows.
        unsafe { sys::bitwuzla_pop(self.solver, levels as u64) }
    }

    fn assert(&mut self, condition: Self::Ast, tag: Option<usize>) {
        if let (Some(tag), Some(level)) = (tag, self.levels.last_mut()) {
            level.push((condition, tag));
        }
        // SAFETY: the solver is alive and the condition a Boolean term of its manager.
        unsafe { sys::bitwuzla_assert(self.solver, condition) }
    }

    fn is_too_large(&self) -> bool {
        self.size > MOST_GATES
    }

    fn check(&mut self, limits: &Limits) -> Verdict {
        if self.is_too_large() {
            return Verdict::Unknown(Reason::Steps);
        }
        self.watch.limits = Some(limits.clone());
        self.watch.left.set(limits.steps);
        // SAFETY: the solver is alive; the callback's state is boxed in `self`.
        let result = unsafe { sys::bitwuzla_check_sat(self.solver) };
        self.watch.limits = None;
        match result {
            sys::BITWUZLA_SAT => Verdict::Sat,
            sys::BITWUZLA_UNSAT => Verdict::Unsat,
            _ if self.watch.left.get() == Steps(0) => Verdict::Unknown(limits.blame(Reason::Steps)),
            _ => Verdict::Unknown(limits.blame(Reason::Incomplete)),
        }
    }

    fn core(&mut self) -> Vec<usize> {
        let mut size = 0;
        // SAFETY: the last check was unsat; the array is copied before the next call.
        let core: FxHashSet<sys::BitwuzlaTerm> = unsafe {
            let terms = sys::bitwuzla_get_unsat_core(self.solver, &mut size);
            (0..size).map(|i| *terms.add(i)).collect()
        };
        self.levels.iter().flatten().filter(|(term, _)| core.contains(term)).map(|(_, tag)| *tag).collect()
    }

    fn value(&mut self, variable: Self::Ast, sort: Sort) -> Option<Value> {
        // SAFETY: the last check was sat and models are on.
        let value = unsafe { sys::bitwuzla_get_value(self.solver, variable) };
        let result = match sort {
            // SAFETY: a Boolean variable has a Boolean value.
            Sort::Bool => Some(Value::Bool(unsafe { sys::bitwuzla_term_value_get_bool(value) })),
            Sort::Bv(_) => self.bv_value(value).map(Value::Bv),
            Sort::Float(k) => self.float_value(k, value).map(Value::Float),
            Sort::Array => self.array_value(value).map(|a| Value::Array(std::sync::Arc::new(a))),
        };
        // SAFETY: the handle was made by the call above and is not used again.
        unsafe { sys::bitwuzla_term_release(value) };
        result
    }
}

impl Drop for BitwuzlaEngine {
    fn drop(&mut self) {
        // SAFETY: each is deleted once, the solver before what it refers to.
        unsafe {
            sys::bitwuzla_delete(self.solver);
            sys::bitwuzla_options_delete(self.options);
            sys::bitwuzla_term_manager_delete(self.manager);
        }
    }
}

impl std::fmt::Debug for BitwuzlaEngine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BitwuzlaEngine").field("levels", &self.levels.len()).finish_non_exhaustive()
    }
}
