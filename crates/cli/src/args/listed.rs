//! Values of options that registries list: `--help`, the manual page and completions have what is registered, and no list
//! of their own.

use std::str::FromStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use covenant_constraints::solver::Backend;
use covenant_goals::{Criterion, Level};
use covenant_report::SuiteFormat;

pub(super) fn criterion() -> impl TypedValueParser<Value = Criterion> {
    listed(Criterion::all().map(|criterion| (criterion.name(), criterion.about())))
}

pub(super) fn level() -> impl TypedValueParser<Value = Level> {
    listed(Level::all().map(|level| (level.name(), level.title())))
}

pub(super) fn solver() -> impl TypedValueParser<Value = Backend> {
    listed(Backend::ALL.iter().map(|backend| (backend.name(), backend.about())))
}

pub(super) fn suite() -> impl TypedValueParser<Value = SuiteFormat> {
    listed(SuiteFormat::all().map(|format| (format.name(), format.about())))
}

/// One of these names, each with what is said of it.
fn listed<T>(values: impl Iterator<Item = (&'static str, &'static str)>) -> impl TypedValueParser<Value = T>
where
    T: FromStr + Clone + Send + Sync + 'static,
{
    let value = |(name, about)| match about {
        "" => PossibleValue::new(name),
        about => PossibleValue::new(name).help(about),
    };
    // The names come from where they are read: each is known there.
    PossibleValuesParser::new(values.map(value)).try_map(|name| name.parse::<T>().map_err(|_| Unknown(name)))
}

/// A name that is listed and not known.
#[derive(Debug)]
struct Unknown(String);

impl std::fmt::Display for Unknown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} is listed and not known", self.0)
    }
}

impl std::error::Error for Unknown {}
