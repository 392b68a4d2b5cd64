//! Test vectors: what the conditions of MC/DC are made of, which makes them. Nobody asks for them alone.

use crate::criteria::Profile;

pub(super) const PROFILE: Profile = Profile { nouns: ("test vector", "test vectors"), ..Profile::new(|_| {}) };
