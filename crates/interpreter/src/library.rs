//! The C library that interpreted programs use: C sources in `library/`, compiled by the build script.

use covenant_program::ir::Target;

/// An archive of modules of LLVM 19 bitcode. What it asks of the machine is declared in `library/covenant.h`.
static X86_64: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/x86_64.lib"));
/// The same for 32-bit x86.
static I386: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/i386.lib"));

/// The same for 32-bit ARM.
static ARM: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/arm.lib"));

/// The same for 64-bit ARM.
static AARCH64: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/aarch64.lib"));
/// The same for RISC-V.
static RISCV32: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/riscv32.lib"));
static RISCV64: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/riscv64.lib"));
/// The same for 32-bit MIPS, big-endian.
static MIPS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/mips.lib"));

/// The library as it is on that machine.
pub fn library(target: Target) -> &'static [u8] {
    match target {
        Target::X86_64 => X86_64,
        Target::I386 => I386,
        Target::Arm => ARM,
        Target::Aarch64 => AARCH64,
        Target::Riscv32 => RISCV32,
        Target::Riscv64 => RISCV64,
        Target::Mips => MIPS,
    }
}

#[cfg(test)]
mod tests {
    use super::X86_64;

    fn contains(needle: &[u8]) -> bool {
        X86_64.windows(needle.len()).any(|window| window == needle)
    }

    #[test]
    fn is_bitcode_with_the_way_in() {
        assert!(contains(b"BC\xc0\xde"));
        assert!(contains(b"\ns __covenant_start\n"));
    }

    #[test]
    fn names_no_path_of_the_building_machine() {
        assert!(!contains(env!("CARGO_MANIFEST_DIR").as_bytes()));
        assert!(!contains(env!("OUT_DIR").as_bytes()));
    }
}
