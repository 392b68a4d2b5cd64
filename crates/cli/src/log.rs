//! `--log`: what the search chooses, as it goes, for people. Nothing of it is a time, so that two runs with the same seed say
//! the same.

use anyhow::{Context, Result};
use tracing_subscriber::filter::Targets;
use tracing_subscriber::prelude::*;

/// A level, or levels of what is told: `flip=debug,verdict=info`.
pub(crate) fn filter(text: &str) -> Result<Targets, String> {
    let wrong = |why: String| format!("`{text}` is not a filter: {why}; use e.g. debug or flip=debug,verdict=info");
    // A word alone would be the name of something to tell all of; mostly it is a level with a slip.
    let unknown = |part: &&str| !part.contains('=') && part.trim().parse::<tracing::Level>().is_err() && *part != "off";
    match text.split(',').find(unknown) {
        Some(part) => Err(wrong(format!("`{part}` is no level"))),
        None => text.parse::<Targets>().map_err(|why| wrong(why.to_string())),
    }
}

/// Starts to tell. Progress on the same terminal would be in the way: who asks for this switches it off.
pub(crate) fn start(filter: Targets) -> Result<()> {
    let layer = tracing_subscriber::fmt::layer().with_writer(std::io::stderr).with_ansi(false).without_time();
    tracing_subscriber::registry().with(layer.with_filter(filter)).try_init().context("cannot start the log")
}

#[cfg(test)]
mod tests {
    use super::filter;

    #[test]
    fn filters_are_levels_and_names() {
        assert!(filter("debug").is_ok() && filter("flip=debug,verdict=info").is_ok() && filter("info,run=off").is_ok());
        assert!(filter("loud").is_err() && filter("flip=loud").is_err());
    }
}
