//! A flow as text, for people.

use std::fmt::Write as _;

use covenant_constraints::Terms;
use covenant_interpreter::code::Image;

use super::{Flow, LocationId, Spot};
use crate::words::words;

impl Flow {
    /// Where a location is: function, line, place.
    pub fn describe(&self, image: &Image, id: LocationId) -> String {
        let location = &self.locations[id];
        let function = image.function(self.contexts[location.context].function).source_name();
        let spot = match location.spot {
            Spot::Block(block) => block.to_string(),
            Spot::Way(block, way) => format!("{block} way {way}"),
            Spot::After(inst) => format!("after {inst}"),
            Spot::Label(inst) => format!("label {inst}"),
            Spot::Root => "start".to_owned(),
        };
        let (context, line, column) = (location.context.as_u32(), location.loc.line, location.loc.column);
        format!("{function}#{context} {spot} at {line}:{column}")
    }

    /// All locations and edges.
    pub fn text(&self, terms: &Terms, image: &Image) -> String {
        let mut text = String::new();
        for (id, location) in self.locations.iter() {
            let _ = writeln!(text, "{id}: {}", self.describe(image, id));
            for &edge in &location.out {
                let edge_data = &self.edges[edge];
                let _ = writeln!(text, "  {edge} -> {}", edge_data.to);
                for &guard in &edge_data.guard {
                    let _ = writeln!(text, "    if {}", words(terms, guard));
                }
                for &(var, term) in &edge_data.assign {
                    let _ = writeln!(text, "    {} := {}", terms.var_name(var), words(terms, term));
                }
            }
        }
        for what in &self.approximations {
            let _ = writeln!(text, "; {what}");
        }
        text
    }
}
