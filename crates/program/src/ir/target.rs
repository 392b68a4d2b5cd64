//! What a machine means for the types.

use super::Type;
use crate::target::Target;

impl Target {
    /// The type of an address.
    pub fn pointer(self) -> Type {
        if self.pointer_size() == 8 { Type::Ptr } else { Type::Ptr32 }
    }
}
