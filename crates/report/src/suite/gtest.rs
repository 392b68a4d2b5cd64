//! Suites for GoogleTest; see [`framework`](super::framework).

use super::framework::{Dialect, write};
use super::{Kit, Profile};

pub(super) const PROFILE: Profile = Profile {
    about: "GoogleTest",
    write: |suite| write(suite, Dialect::Gtest),
    kit: Some(Kit {
        dialect: Dialect::Gtest,
        headers: Some("#include <gtest/gtest.h>\n"),
        defines: None,
        libraries: &["-lgtest", "-lgtest_main"],
        cxx: true,
    }),
};
