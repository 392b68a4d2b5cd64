//! The C library: modules of which only those are read that define something the program needs.
//!
//! To read the whole library costs more than to search a small function. So it is kept as an *archive*: a header of lines, then
//! the modules one behind the other. A line `m LENGTH` begins a module, and each line `s NAME` below it names a symbol that the
//! module defines for others. Before the header stands its length in bytes, as eight hexadecimal digits and a line feed. Bytes
//! that begin like bitcode are one module, all of whose symbols count.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;

use super::llvm::{Context, Linkage, Module, Val};

/// What bitcode begins with.
const BITCODE: &[u8] = b"BC\xc0\xde";
/// The length of the header, and the end of that line.
const LENGTH: usize = 9; // not tuning: a format

/// What a lowering asks of a library: reading a module changes nothing that a borrower sees.
pub(super) trait Definitions {
    /// What the library defines by that name for other modules.
    fn definition(&self, name: &str) -> Option<Val<'_>>;

    /// Why a module that was needed could not be read.
    fn failure(&self) -> Option<String>;
}

/// A library in the context of the subject.
pub(super) struct Library<'c> {
    context: &'c Context,
    /// The data layout that each module must have.
    layout: String,
    members: Vec<Member<'c>>,
    /// The member that defines each symbol.
    symbols: HashMap<&'c str, usize>,
    /// Why a member could not be read.
    failed: RefCell<Option<String>>,
}

struct Member<'c> {
    bitcode: &'c [u8],
    module: OnceCell<Option<Module<'c>>>,
}

impl<'c> Library<'c> {
    pub(super) fn new(context: &'c Context, bytes: &'c [u8], layout: String) -> Result<Library<'c>, String> {
        let mut library =
            Library { context, layout, members: Vec::new(), symbols: HashMap::new(), failed: RefCell::default() };
        if bytes.starts_with(BITCODE) {
            library.push(bytes);
            return Ok(library);
        }
        library.read(bytes).ok_or("it is no archive of modules")?;
        Ok(library)
    }

    fn push(&mut self, bitcode: &'c [u8]) {
        self.members.push(Member { bitcode, module: OnceCell::new() });
    }

    fn read(&mut self, bytes: &'c [u8]) -> Option<()> {
        let (length, rest) = bytes.split_at_checked(LENGTH)?;
        let length = usize::from_str_radix(std::str::from_utf8(length).ok()?.trim_end(), 16).ok()?;
        let (header, mut modules) = rest.split_at_checked(length)?;
        for line in std::str::from_utf8(header).ok()?.lines() {
            match line.split_once(' ')? {
                ("m", length) => {
                    let (module, behind) = modules.split_at_checked(length.parse().ok()?)?;
                    self.push(module);
                    modules = behind;
                }
                ("s", name) => {
                    self.symbols.insert(name, self.members.len().checked_sub(1)?);
                }
                _ => return None,
            }
        }
        Some(())
    }

    fn module(&self, index: usize) -> Option<&Module<'c>> {
        let member = self.members.get(index)?;
        let read = || match self.parse(member.bitcode) {
            Ok(module) => Some(module),
            Err(message) => {
                self.failed.borrow_mut().get_or_insert(message);
                None
            }
        };
        member.module.get_or_init(read).as_ref()
    }

    fn parse(&self, bitcode: &[u8]) -> Result<Module<'c>, String> {
        let mut module = self.context.parse(bitcode)?;
        if module.layout() != self.layout {
            return Err(format!("its data layout is that of {}", module.triple()));
        }
        module.show_debug_calls();
        Ok(module)
    }
}

impl Definitions for Library<'_> {
    fn definition(&self, name: &str) -> Option<Val<'_>> {
        let index = match self.symbols.get(name) {
            Some(&index) => index,
            // A module without a list of its symbols.
            None if self.symbols.is_empty() => 0,
            None => return None,
        };
        self.module(index).and_then(|module| definition(module, name))
    }

    fn failure(&self) -> Option<String> {
        self.failed.borrow().clone()
    }
}

/// A definition of that name that other modules may use.
pub(super) fn definition<'m>(module: &'m Module<'_>, name: &str) -> Option<Val<'m>> {
    use Linkage::{LLVMAvailableExternallyLinkage, LLVMInternalLinkage, LLVMPrivateLinkage};
    module.symbol(name).filter(|symbol| {
        !symbol.is_declaration()
            && !matches!(symbol.linkage(), LLVMAvailableExternallyLinkage | LLVMInternalLinkage | LLVMPrivateLinkage)
    })
}
