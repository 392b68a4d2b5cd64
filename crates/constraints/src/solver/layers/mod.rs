//! Layers: each answers the queries it can and hands the others, perhaps made smaller, to the next. One file a layer.

mod alpha;
mod bounds;
mod cores;
mod fallback;
mod hard;
mod linear;
mod models;
mod narrow;
mod propagate;
mod relax;
mod slice;
mod validate;

pub(crate) use alpha::AlphaEquivalence;
pub(crate) use bounds::Bounds;
pub(crate) use cores::CoreReuse;
pub(crate) use fallback::Fallback;
pub(crate) use linear::Linear;
pub(crate) use models::ModelReuse;
pub(crate) use narrow::Narrow;
pub(crate) use propagate::Propagate;
pub(crate) use relax::Relax;
pub(crate) use slice::Slice;
pub(crate) use validate::Validate;
