//! Streams among the inputs: the content of a `FILE *`.
//!
//! A stream is a `FILE` of the library's own, at the start of its content, which can be read and written. Its bytes are inputs. At
//! each place that the code comes to, whether there is another byte is a choice of the path.

use std::sync::Arc;

use covenant_interpreter::shadow::{Pointee, Site};
use covenant_program::types::TypeId;

use super::Symbolic;
use super::inputs::{CellKind, CellLayout, RootKind};
use super::limits::Cause;
use super::record::Target;

impl Symbolic<'_> {
    /// A new stream for a pointer.
    pub(super) fn fresh_stream(&mut self, name: &str, element: TypeId, depth: u32) -> (Pointee, Target) {
        let number = self.next_object();
        let capacity = self.cx.options.array_len;
        let root = self.add_root(RootKind::Object(number), name.to_owned(), element, 1, depth);
        let kind = CellKind::Int { signed: true };
        let byte = |at: u64| CellLayout { offset: at, size: 1, kind, path: format!("[{at}]") };
        let cells: Arc<[CellLayout]> = (0..capacity).map(byte).collect();
        let object = self.cx.object(name, element, capacity, cells.len(), false);
        let made = &mut self.roots[root as usize];
        (made.cells, made.object, made.count, made.element_size) = (cells, object, capacity, 1);
        (made.partial, made.is_string, made.exposed, made.sized_by_us) = (false, false, false, false);
        (made.pointer, made.stream) = (name.to_owned(), Some(0));
        if let Some(seed) = &mut self.seed {
            seed.made(name, root);
        }
        (Pointee::Stream { root, capacity }, Target::Root(root, 0))
    }

    /// Whether there is a byte at a place of a stream; there are none behind what the object has room for.
    pub(super) fn has_byte(&mut self, at: Site, root: u32, place: u64) -> bool {
        let stream = &self.roots[root as usize];
        if place >= stream.count {
            self.limit(Cause::Text(root));
            return false;
        }
        let name = format!("{}.has[{place}]", stream.name);
        let default = u32::from(self.seeded(&name).is_some());
        let has = self.choose(at, &name, &[0, 1], default) == 1;
        let stream = &mut self.roots[root as usize];
        stream.stream = stream.stream.map(|length| if has { length.max(place + 1) } else { length });
        has
    }
}
