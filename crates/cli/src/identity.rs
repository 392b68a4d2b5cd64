//! What this covenant was built from.

pub(crate) const BUILD: &str = concat!(env!("CARGO_PKG_VERSION"), " ", env!("COVENANT_BUILD"));
