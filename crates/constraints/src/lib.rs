#[cfg(test)]
mod tests { #[test] #[allow(unsafe_code)] fn v(){ unsafe{ let s = std::ffi::CStr::from_ptr(bitwuzla_sys::bitwuzla_version()); println!("{s:?}");
let mut a=0;let mut b=0;let mut c=0;let mut d=0; z3_sys::Z3_get_version(&mut a,&mut b,&mut c,&mut d); println!("{a} {b} {c}");
 let tm = bitwuzla_sys::bitwuzla_term_manager_new(); let o=bitwuzla_sys::bitwuzla_options_new(); let b = bitwuzla_sys::bitwuzla_new(tm,o); assert_eq!(bitwuzla_sys::bitwuzla_check_sat(b),10);
}}}
