//! The places of clang's JSON.
//!
//! A place names its file and its line only where they differ from those of the place that was written before, whatever
//! that one belonged to. So each place must be read, in the order of the text.

use std::collections::HashMap;
use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::{Place, Point, Spelled};

/// The last place that was read, and all files that places named.
pub(super) struct Last {
    file: u32,
    line: u32,
    /// The first has no name: nothing was read yet.
    pub(super) files: Vec<String>,
    numbers: HashMap<String, u32>,
}

impl Default for Last {
    fn default() -> Last {
        Last { file: 0, line: 0, files: vec![String::new()], numbers: HashMap::new() }
    }
}

impl Last {
    /// A place that says no more of itself.
    pub(super) fn goes_to(&mut self, file: Option<String>, line: Option<u32>) {
        if let Some(file) = file {
            self.file = self.number(file);
        }
        self.line = line.unwrap_or(self.line);
    }

    fn number(&mut self, name: String) -> u32 {
        let files = &mut self.files;
        *self.numbers.entry(name).or_insert_with_key(|name| {
            files.push(name.clone());
            files.len() as u32 - 1
        })
    }
}

/// A place, a range, or anything that may have some inside.
pub(super) struct PlaceSeed<'r> {
    pub(super) last: &'r mut Last,
}

/// What was found: the places of an object by the names that they have there.
#[derive(Default)]
pub(super) struct Found {
    point: Option<Point>,
    is_argument: bool,
    spelled: Option<Point>,
    expansion: Option<(Point, bool)>,
    begin: Option<Place>,
    end: Option<Place>,
}

impl Found {
    pub(super) fn place(&self) -> Option<Place> {
        match (self.point, self.expansion, self.spelled) {
            (Some(shown), ..) => Some(Place { shown, spelled: None }),
            (_, Some((shown, is_argument)), Some(point)) => {
                Some(Place { shown, spelled: Some(Spelled { point, is_argument }) })
            }
            _ => None,
        }
    }

    pub(super) fn range(&self) -> Option<[Place; 2]> {
        Some([self.begin?, self.end?])
    }
}

#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "camelCase")]
enum PlaceKey {
    Offset,
    File,
    Line,
    Col,
    TokLen,
    SpellingLoc,
    ExpansionLoc,
    IsMacroArgExpansion,
    Begin,
    End,
    IncludedFrom,
    #[serde(other)]
    Other,
}

impl<'de> DeserializeSeed<'de> for PlaceSeed<'_> {
    type Value = Found;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Found, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for PlaceSeed<'_> {
    type Value = Found;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Found, A::Error> {
        let last = self.last;
        let mut found = Found::default();
        let mut point = Point::default();
        let mut seen = false;
        while let Some(key) = map.next_key::<PlaceKey>()? {
            match key {
                PlaceKey::Offset => {
                    point.offset = map.next_value()?;
                    seen = true;
                }
                // Objects that are no places have such keys too, with other values.
                PlaceKey::File if seen => last.file = last.number(map.next_value()?),
                PlaceKey::Line if seen => last.line = map.next_value()?,
                PlaceKey::Col if seen => point.column = map.next_value()?,
                PlaceKey::TokLen if seen => point.length = map.next_value()?,
                PlaceKey::IsMacroArgExpansion => found.is_argument = map.next_value()?,
                PlaceKey::SpellingLoc => found.spelled = map.next_value_seed(PlaceSeed { last })?.point,
                PlaceKey::ExpansionLoc => {
                    let inner = map.next_value_seed(PlaceSeed { last })?;
                    found.expansion = inner.point.map(|point| (point, inner.is_argument));
                }
                PlaceKey::Begin => found.begin = map.next_value_seed(PlaceSeed { last })?.place(),
                PlaceKey::End => found.end = map.next_value_seed(PlaceSeed { last })?.place(),
                PlaceKey::IncludedFrom => drop(map.next_value::<IgnoredAny>()?),
                _ => {
                    map.next_value_seed(PlaceSeed { last })?;
                }
            }
        }
        found.point = seen.then_some(Point { file: last.file, line: last.line, ..point });
        Ok(found)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut all: A) -> Result<Found, A::Error> {
        while all.next_element_seed(PlaceSeed { last: self.last })?.is_some() {}
        Ok(Found::default())
    }

    fn visit_str<E>(self, _: &str) -> Result<Found, E> {
        Ok(Found::default())
    }

    fn visit_bool<E>(self, _: bool) -> Result<Found, E> {
        Ok(Found::default())
    }

    fn visit_u64<E>(self, _: u64) -> Result<Found, E> {
        Ok(Found::default())
    }

    fn visit_i64<E>(self, _: i64) -> Result<Found, E> {
        Ok(Found::default())
    }

    fn visit_f64<E>(self, _: f64) -> Result<Found, E> {
        Ok(Found::default())
    }

    fn visit_unit<E>(self) -> Result<Found, E> {
        Ok(Found::default())
    }
}
