//! Suites for Unity; see [`framework`](super::framework).

use super::framework::{Dialect, write};
use super::{Kit, Profile};

pub(super) const PROFILE: Profile = Profile {
    about: "",
    write: |suite| write(suite, Dialect::Unity),
    kit: Some(Kit { dialect: Dialect::Unity, headers: None, defines: None, libraries: &[], cxx: false }),
};
