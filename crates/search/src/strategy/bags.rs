//! Ways that lead to the same place, taken together.
//!
//! A loop passes by the same ways again and again. They differ in their prefixes, not in what lies behind them, so that
//! strategies which look ahead weigh places and draw among the ways of one by lot.

use covenant_constraints::random::Rng;
use rustc_hash::FxHashMap;

use super::suffix::is_left;
use super::{View, Way};
use crate::cfg::PointId;

/// Where ways lead: to a point, or to whatever comes after one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Place {
    To(PointId),
    After(PointId),
    /// The other way of a check, after a point: as a rule the run ends there.
    Beside(PointId),
}

impl Place {
    pub(super) fn of(way: &Way) -> Place {
        match way.point {
            Some(point) => Place::To(point),
            None if way.steers => Place::After(way.before),
            None => Place::Beside(way.before),
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct Bags {
    bags: FxHashMap<Place, Vec<Way>>,
}

impl Bags {
    pub(super) fn add(&mut self, way: Way) -> Place {
        let place = Place::of(&way);
        self.bags.entry(place).or_default().push(way);
        place
    }

    /// Takes a way of the place by lot. `None`: none is left.
    pub(super) fn take(&mut self, place: Place, rng: &mut Rng, view: &View<'_>) -> Option<Way> {
        let bag = self.bags.get_mut(&place)?;
        while !bag.is_empty() {
            let way = bag.swap_remove(rng.below(bag.len()));
            if is_left(view, way.id) {
                return Some(way);
            }
        }
        self.bags.remove(&place);
        None
    }

    pub(super) fn is_empty(&self, place: Place) -> bool {
        self.bags.get(&place).is_none_or(Vec::is_empty)
    }

    /// The places that have ways, in order.
    pub(super) fn places(&self) -> Vec<Place> {
        let mut places: Vec<Place> =
            self.bags.iter().filter(|(_, bag)| !bag.is_empty()).map(|(&place, _)| place).collect();
        places.sort_unstable();
        places
    }
}
