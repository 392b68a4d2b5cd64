//! Suites for Check; see [`framework`](super::framework).

use super::framework::{Dialect, write};
use super::{Kit, Profile};

pub(super) const PROFILE: Profile = Profile {
    about: "",
    write: |suite| write(suite, Dialect::Check),
    kit: Some(Kit {
        dialect: Dialect::Check,
        headers: Some("#include <check.h>\n"),
        defines: Some("START_TEST"),
        libraries: &["-lcheck", "-lsubunit", "-lrt"],
        cxx: false,
    }),
};
