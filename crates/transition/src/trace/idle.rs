//! Whether a run goes round without being given an input.

use rustc_hash::FxHashMap;

use crate::flow::LocationId;

/// How often a run was where since it was given its last input.
#[derive(Debug, Default)]
pub(super) struct Idle {
    visits: FxHashMap<LocationId, u32>,
    given: usize,
}

impl Idle {
    /// The run is at this location, and was given so many inputs. How often it has been there since the last of them.
    pub(super) fn visit(&mut self, location: LocationId, given: usize) -> u32 {
        if std::mem::replace(&mut self.given, given) != given {
            self.visits.clear();
        }
        let visits = self.visits.entry(location).or_insert(0);
        *visits += 1;
        *visits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_starts_the_count_anew() {
        let (here, there) = (LocationId::from_u32(0), LocationId::from_u32(1));
        let mut idle = Idle::default();
        assert_eq!([idle.visit(here, 1), idle.visit(there, 1), idle.visit(here, 1)], [1, 1, 2]);
        assert_eq!([idle.visit(there, 2), idle.visit(here, 2), idle.visit(here, 2)], [1, 1, 2]);
    }
}
