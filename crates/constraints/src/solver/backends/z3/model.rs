//! Reading models of Z3.
//!
//! `unsafe` is needed for every call into the library; handles are of the context that the engine owns.
#![allow(unsafe_code)]

use std::ffi::CStr;
use std::mem::MaybeUninit;

use z3_sys as sys;

use super::Z3Engine;
use crate::float;
use crate::sort::FloatKind;
use crate::value::ArrayValue;

impl Z3Engine {
    pub(super) fn drop_model(&mut self) {
        if let Some(model) = self.model.take() {
            // SAFETY: the count was taken when the model was read.
            unsafe { sys::Z3_model_dec_ref(self.context, model) }
        }
    }

    /// The model of the last check, read once.
    pub(super) fn current_model(&mut self) -> Option<sys::Z3_model> {
        if self.model.is_none() {
            // SAFETY: the last check was sat.
            self.model = unsafe {
                let model = sys::Z3_solver_get_model(self.context, self.solver);
                if let Some(model) = model {
                    sys::Z3_model_inc_ref(self.context, model);
                }
                model
            };
        }
        self.model
    }

    pub(super) fn evaluate(&mut self, ast: sys::Z3_ast) -> Option<sys::Z3_ast> {
        let model = self.current_model()?;
        let mut value = MaybeUninit::<sys::Z3_ast>::uninit();
        // SAFETY: the call writes the value if it returns true.
        unsafe { sys::Z3_model_eval(self.context, model, ast, true, value.as_mut_ptr()).then(|| value.assume_init()) }
    }

    pub(super) fn numeral(&mut self, value: sys::Z3_ast) -> Option<u128> {
        // SAFETY: the string is the library's, valid until the next call, and parsed at once.
        unsafe {
            if !sys::Z3_is_numeral_ast(self.context, value) {
                return None;
            }
            let digits = sys::Z3_get_numeral_string(self.context, value);
            if digits.is_null() {
                return None;
            }
            CStr::from_ptr(digits).to_str().ok()?.parse().ok()
        }
    }

    pub(super) fn float_value(&mut self, kind: FloatKind, variable: sys::Z3_ast) -> Option<u128> {
        let value = self.evaluate(variable)?;
        // SAFETY: the value is a float of this context.
        let pattern = unsafe {
            if sys::Z3_fpa_is_numeral_nan(self.context, value) {
                return Some(float::nan(kind));
            }
            sys::Z3_mk_fpa_to_ieee_bv(self.context, value)
        };
        // SAFETY: simplification of a term of this context.
        let pattern = unsafe { sys::Z3_simplify(self.context, pattern?) };
        let bits = self.numeral(pattern?)?;
        Some(float::canonical(kind, float::from_ieee(kind, bits)))
    }

    pub(super) fn array_value(&mut self, variable: sys::Z3_ast) -> Option<ArrayValue> {
        let c = self.context;
        let mut at = self.evaluate(variable)?;
        let mut stores = Vec::new();
        loop {
            // SAFETY: `at` is a term of this context; an application is asked for its arguments within their number.
            let args: Vec<sys::Z3_ast> = unsafe {
                if sys::Z3_is_as_array(c, at) {
                    let array = self.function_value(at)?;
                    return Some(apply_stores(array, stores));
                }
                let app = sys::Z3_to_app(c, at)?;
                let n = sys::Z3_get_app_num_args(c, app);
                (0..n).map(|i| sys::Z3_get_app_arg(c, app, i)).collect::<Option<_>>()?
            };
            match *args.as_slice() {
                [below, index, byte] => {
                    stores.push((self.numeral(index)?, self.numeral(byte)?));
                    at = below;
                }
                [byte] => {
                    let array = ArrayValue::filled(self.numeral(byte)? as u8);
                    return Some(apply_stores(array, stores));
                }
                _ => return None,
            }
        }
    }

    /// An array given as a function of the model: a list of points and a value for the rest.
    pub(super) fn function_value(&mut self, array: sys::Z3_ast) -> Option<ArrayValue> {
        let c = self.context;
        let model = self.current_model()?;
        // SAFETY: `array` is an as-array term of this context; counts are taken and given back around the reads.
        unsafe {
            let decl = sys::Z3_get_as_array_func_decl(c, array)?;
            let function = sys::Z3_model_get_func_interp(c, model, decl)?;
            sys::Z3_func_interp_inc_ref(c, function);
            let rest = sys::Z3_func_interp_get_else(c, function);
            let mut points = Vec::new();
            for i in 0..sys::Z3_func_interp_get_num_entries(c, function) {
                let entry = sys::Z3_func_interp_get_entry(c, function, i);
                if let Some(entry) = entry {
                    sys::Z3_func_entry_inc_ref(c, entry);
                    points.push((sys::Z3_func_entry_get_arg(c, entry, 0), sys::Z3_func_entry_get_value(c, entry)));
                    sys::Z3_func_entry_dec_ref(c, entry);
                }
            }
            sys::Z3_func_interp_dec_ref(c, function);
            let mut result = ArrayValue::filled(self.numeral(rest?)? as u8);
            for (index, byte) in points {
                result.set(self.numeral(index?)? as u64, self.numeral(byte?)? as u8);
            }
            Some(result)
        }
    }
}

/// Stores listed from the outermost inwards.
fn apply_stores(mut array: ArrayValue, stores: Vec<(u128, u128)>) -> ArrayValue {
    for (index, byte) in stores.into_iter().rev() {
        array.set(index as u64, byte as u8);
    }
    array
}
