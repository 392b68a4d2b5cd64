//! Points: the lines that the user names.

use crate::criteria::statement::make_points;
use crate::criteria::{Needs, Profile};

pub(super) const PROFILE: Profile = Profile {
    about: "The lines of --point",
    nouns: ("point", "points"),
    needs: Needs::Lines,
    ..Profile::new(make_points)
};
