//! The C library that interpreted programs use: C sources in `library/`, compiled to bitcode by the build script.

use covenant_program::ir::Target;

/// One module of LLVM 19 bitcode. What it asks of the machine is declared in `library/covenant.h`.
static X86_64: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/x86_64.bc"));
/// The same for 32-bit x86.
static I386: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/i386.bc"));

/// The same for 32-bit ARM.
static ARM: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/arm.bc"));

/// The same for 64-bit ARM.
static AARCH64: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/aarch64.bc"));
/// The same for RISC-V.
static RISCV32: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/riscv32.bc"));
static RISCV64: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/riscv64.bc"));
/// The same for 32-bit MIPS, big-endian.
static MIPS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/mips.bc"));

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
        assert_eq!(&X86_64[..4], b"BC\xc0\xde");
        assert!(contains(b"__covenant_start"));
    }

    #[test]
    fn names_no_path_of_the_building_machine() {
        assert!(!contains(env!("CARGO_MANIFEST_DIR").as_bytes()));
        assert!(!contains(env!("OUT_DIR").as_bytes()));
    }
}
