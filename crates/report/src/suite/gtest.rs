//! Suites for GoogleTest; see [`framework`](super::framework).

use super::Profile;
use super::framework::{Dialect, write};

pub(super) const PROFILE: Profile = Profile { about: "GoogleTest", write: |suite| write(suite, Dialect::Gtest) };
