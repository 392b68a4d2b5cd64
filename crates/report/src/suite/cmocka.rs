//! Suites for cmocka; see [`framework`](super::framework).

use super::framework::{Dialect, write};
use super::{Kit, Profile};

pub(super) const PROFILE: Profile = Profile {
    about: "",
    write: |suite| write(suite, Dialect::Cmocka),
    kit: Some(Kit {
        dialect: Dialect::Cmocka,
        headers: Some(
            "#include <setjmp.h>\n#include <stdarg.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <cmocka.h>\n",
        ),
        defines: Some("assert_int_equal"),
        libraries: &["-lcmocka"],
        cxx: false,
    }),
};
