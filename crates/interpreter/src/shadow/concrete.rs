//! The shadow of a concrete run.

use covenant_program::ir::Type;

use super::{Cell, Mute, Pointee, Pure, Shadow, Shadowed, Site, Waiting};

/// No terms: a plain interpreter.
#[derive(Clone, Copy, Default, Debug)]
pub struct Concrete;

impl Shadow for Concrete {
    type Term = ();
    type Bytes = ();
    const ACTIVE: bool = false;

    fn compute(&mut self, _: Pure, _: &[Shadowed<()>], _: Type, _: u128) -> Option<()> {
        None
    }
    fn pin(&mut self, _: Shadowed<()>, _: &'static str) {}
    fn branch(&mut self, _: Site, (): (), _: bool) {}
    fn switch(&mut self, _: Site, _: Shadowed<()>, _: &[u128], _: usize) {}
    fn divide(&mut self, _: Site, _: Shadowed<()>, _: Shadowed<()>, _: bool) {}
    fn access(&mut self, _: Site, _: Shadowed<()>, _: u64, _: u64, _: u32, _: bool) {}
    fn edge(&mut self, _: Site, _: u32) {}
    fn entered(&mut self, _: u32, _: usize, _: u32) {}
    fn left(&mut self, _: usize) {}
    fn mutes(&self, _: u32) -> Mute {
        Mute::Never
    }
    fn set_muted(&mut self, _: bool) {}
    fn load(&mut self, (): &(), _: u64, _: Type, _: u128) {}
    fn select(&mut self, (): (), _: &[(u64, Shadowed<()>)]) -> Option<()> {
        None
    }
    fn store(&mut self, (): &mut (), _: u64, _: Shadowed<()>) {}
    fn scatter(&mut self, (): &mut (), _: &[u8], (): (), _: &[u64], _: Shadowed<()>) {}
    fn offsets(&mut self, (): (), _: u64, _: u64, _: u32) -> Option<((), Vec<u64>)> {
        None
    }
    fn lift_bytes(&self, (): &(), _: u64, _: u64) -> Vec<(u64, ())> {
        Vec::new()
    }
    fn clear(&mut self, (): &mut (), _: u64, _: u64) {}
    fn set_byte(&mut self, (): &mut (), _: u64, (): ()) {}
    fn empty(&self) {}
    fn waiting_bytes(&mut self, _: u32) {}
    fn waiting(&self, (): &(), _: u64, _: u64) -> Vec<Waiting> {
        Vec::new()
    }
    fn settle(&mut self, (): &mut (), _: u32) {}
    fn input(&mut self, _: Site, _: Waiting, _: u128) -> Cell<()> {
        Cell::Pointer(Pointee::Null)
    }
    fn placed(&mut self, _: u32, _: u64) {}
    fn param_root(&self, _: u32) -> Option<u32> {
        None
    }
    fn set_length(&mut self, _: u32, _: u64) {}
    fn fresh_bytes(&mut self, _: &str, _: String, _: u32) -> Vec<Shadowed<()>> {
        Vec::new()
    }
    fn returned(&mut self, _: &[u8]) {}
    fn check(&mut self, _: Site, _: Shadowed<()>) {}
    fn call_result(&mut self, _: u32, _: &[Type], _: &[u128]) -> Option<Vec<Shadowed<()>>> {
        None
    }
}
