//! Suites for cmocka; see [`framework`](super::framework).

use super::Profile;
use super::framework::{Dialect, write};

pub(super) const PROFILE: Profile = Profile { about: "", write: |suite| write(suite, Dialect::Cmocka) };
