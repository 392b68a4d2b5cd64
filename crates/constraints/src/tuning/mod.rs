//! Every budget and threshold of solvers, provers and the default strategy, in one table: name, default, unit, what it means,
//! and what it was measured on. They are the real algorithm in many places, so that they can be seen together, doubted, and
//! changed for an experiment (`covenant gen --tune NAME=VALUE`) without a build.
//!
//! A [`Tuning`] is handed down as an argument; there is no global one. What is not up for tuning stays where it is used: the
//! widths and sizes of formats, and bounds that only keep memory or a stack within reason.

mod rows;

use std::str::FromStr;

pub use rows::{TABLE, Tuning};

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// How `--tune` names it.
    pub name: &'static str,
    /// What the number counts.
    pub unit: &'static str,
    /// What it is for.
    pub about: &'static str,
    /// What it was measured on, and when.
    pub measured: &'static str,
}

/// Why a number was not changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// There is no such name.
    Name {
        /// What was given.
        name: String,
        /// A name that is spelled much like it.
        close: Option<&'static str>,
    },
    /// It is no value of this unit.
    Value {
        /// Whose value it should be.
        name: &'static str,
        /// What that number counts.
        unit: &'static str,
        /// What was given.
        value: String,
    },
}

impl std::error::Error for Wrong {}

impl std::fmt::Display for Wrong {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Wrong::Name { name, close } => {
                write!(f, "there is nothing called `{name}` in the table of tuning")?;
                close.map_or(Ok(()), |close| write!(f, "; is it `{close}`?"))
            }
            Wrong::Value { name, unit, value } => write!(f, "`{value}` is no value for {name}, which is in {unit}"),
        }
    }
}

impl Wrong {
    fn name(name: &str) -> Wrong {
        let distances = TABLE.iter().map(|row| (strsim::levenshtein(row.name, name), row.name));
        let close = distances.min().filter(|(distance, _)| *distance <= FAR).map(|(_, close)| close);
        Wrong::Name { name: name.to_owned(), close }
    }
}

/// Letters in which a name may differ from the one that was meant.
const FAR: usize = 3; // not tuning: spelling

fn parse<T: FromStr>(name: &'static str, unit: &'static str, value: &str) -> Result<T, Wrong> {
    value.replace('_', "").parse().map_err(|_| Wrong::Value { name, unit, value: value.to_owned() })
}

/// Makes of the rows a structure with a field for each, its defaults, and the table itself.
macro_rules! table {
    ($($name:ident: $kind:ty = $value:expr, $unit:literal, $about:literal, $measured:expr;)*) => {
        /// See [`TABLE`] for units and origins.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct Tuning {
            $(#[doc = $about] pub $name: $kind,)*
        }

        impl Default for Tuning {
            fn default() -> Tuning {
                Tuning { $($name: $value,)* }
            }
        }

        /// All rows.
        pub const TABLE: &[Entry] = &[
            $(Entry { name: stringify!($name), unit: $unit, about: $about, measured: $measured },)*
        ];

        impl Tuning {
            /// A number by its name, as it is read.
            pub fn get(&self, name: &str) -> Option<String> {
                match name {
                    $(stringify!($name) => Some(self.$name.to_string()),)*
                    _ => None,
                }
            }

            /// Sets a number by its name.
            pub fn set(&mut self, name: &str, value: &str) -> Result<(), Wrong> {
                match name {
                    $(stringify!($name) => self.$name = parse(stringify!($name), $unit, value)?,)*
                    _ => return Err(Wrong::name(name)),
                }
                Ok(())
            }
        }
    };
}
use table;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_set_by_name() {
        let mut tuning = Tuning::default();
        assert_eq!(tuning.set("relax_soon", "1_000"), Ok(()));
        assert_eq!(tuning, Tuning { relax_soon: 1_000, ..Tuning::default() });
        let unknown = |name: &str| Tuning::default().set(name, "1").expect_err("there is no such name").to_string();
        assert_eq!(
            unknown("relax_son"),
            "there is nothing called `relax_son` in the table of tuning; is it `relax_soon`?"
        );
        assert_eq!(unknown("speed"), "there is nothing called `speed` in the table of tuning");
        let wrong = tuning.set("relax_soon", "soon").expect_err("it is no number");
        assert_eq!(wrong.to_string(), "`soon` is no value for relax_soon, which is in solver steps");
    }

    #[test]
    fn rows_are_complete() {
        let mut names: Vec<&str> = TABLE.iter().map(|row| row.name).collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]));
        let mut tuning = Tuning::default();
        for row in TABLE {
            let value = tuning.get(row.name).expect("every row has a value");
            assert_eq!(tuning.set(row.name, &value), Ok(()));
        }
        assert_eq!((tuning, tuning.get("nothing")), (Tuning::default(), None));
        assert!(TABLE.iter().all(|row| !row.unit.is_empty() && !row.about.is_empty() && !row.measured.is_empty()));
    }
}
