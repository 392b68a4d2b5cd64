//! Layers: each answers the queries it can and hands the others, perhaps made smaller, to the next. One file a layer.

mod alike;
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

pub use alike::Alike;
pub use bounds::Bounds;
pub use cores::CoreReuse;
pub use fallback::Fallback;
pub use linear::Linear;
pub use models::ModelReuse;
pub use narrow::Narrow;
pub use propagate::Propagate;
pub use relax::Relax;
pub use slice::Slice;
pub use validate::Validate;
