//! Where in memory a value of a test lies.

use serde::{Deserialize, Serialize};

/// Where a cell lies.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Root {
    /// A parameter by its number.
    Param(u32),
    /// A global by its name in the source.
    Global(String),
    /// An input object by its number.
    Object(u32),
    /// What the function under test returned.
    Result,
    /// What a pointer points to when the run is over.
    Behind(Box<Place>),
}

/// Where a pointer lies.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Place {
    /// What it is part of.
    pub root: Root,
    /// Bytes from the start of that.
    pub offset: u64,
    /// How the source would name it: what is behind it is named by an index or a member of that.
    pub path: String,
    /// The type of what is behind it, where the source has a `void *` there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub c_type: Option<String>,
}
