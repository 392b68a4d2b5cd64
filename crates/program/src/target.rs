//! For which machine a program was compiled.

use smallvec::SmallVec;
use strum::{Display, EnumString};

/// The machine that clang compiled for. Sizes, alignments and signs are in the code and the types already, as clang's data layout has
/// them; here is what neither says.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Display, EnumString)]
#[strum(serialize_all = "snake_case")]
pub enum Target {
    /// 64-bit x86 with 64-bit pointers.
    #[default]
    #[strum(serialize = "x86_64")]
    X86_64,
    /// 32-bit x86.
    I386,
    /// 32-bit ARM with the ABI of embedded systems, little-endian, Thumb or not.
    Arm,
    /// 64-bit ARM, little-endian.
    Aarch64,
    /// RISC-V with 32 bits.
    Riscv32,
    /// RISC-V with 64 bits.
    Riscv64,
    /// 32-bit MIPS, big-endian, as Linux has it. Programs for it run; nothing else is done with them.
    Mips,
}

/// How a variadic function finds its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Variadic {
    /// Some in an area that keeps the registers, the others in memory, as the System V ABI for x86-64 has it.
    Registers,
    /// One behind the other in memory, and the list is their address. Each takes a multiple of the size of an address.
    Words,
    /// The same, but the list has other parts too, which say that no register keeps one: as the ABI for 64-bit ARM has it.
    Stack,
}

impl Target {
    /// The target of LLVM's name for a machine, if programs for it can be run.
    pub fn of(triple: &str) -> Option<Target> {
        let machine = triple.split('-').next().unwrap_or_default();
        match machine {
            "x86_64" if !triple.ends_with("x32") => Some(Target::X86_64),
            "i386" | "i486" | "i586" | "i686" => Some(Target::I386),
            "aarch64" | "arm64" => Some(Target::Aarch64),
            "riscv32" => Some(Target::Riscv32),
            "riscv64" => Some(Target::Riscv64),
            "mips" => Some(Target::Mips),
            "armeb" | "thumbeb" => None,
            _ if (machine.starts_with("armebv") || machine.starts_with("thumbebv")) => None,
            _ if (machine.starts_with("arm") || machine.starts_with("thumb")) && !machine.starts_with("arm64") => {
                Some(Target::Arm)
            }
            _ => None,
        }
    }

    /// Whether the processors that Covenant runs on run its code.
    pub fn is_native(self) -> bool {
        matches!(self, Target::X86_64 | Target::I386)
    }

    /// Whether the highest byte of a number comes first in memory.
    pub fn is_big_endian(self) -> bool {
        self == Target::Mips
    }

    /// The number that bytes of memory are, sixteen of them at most.
    #[inline]
    pub fn number(self, bytes: &[u8]) -> u128 {
        let mut wide = [0; 16];
        wide[..bytes.len()].copy_from_slice(bytes);
        if self.is_big_endian() {
            wide[..bytes.len()].reverse();
        }
        u128::from_le_bytes(wide)
    }

    /// The bytes in memory of a number that takes so many there, sixteen at most.
    pub fn bytes(self, number: u128, size: usize) -> SmallVec<[u8; 16]> {
        let mut bytes = SmallVec::from_slice(&number.to_le_bytes()[..size.min(16)]);
        if self.is_big_endian() {
            bytes.reverse();
        }
        bytes
    }

    /// Bytes of an address in memory.
    pub fn pointer_size(self) -> u64 {
        match self {
            Target::X86_64 | Target::Aarch64 | Target::Riscv64 => 8,
            Target::I386 | Target::Arm | Target::Riscv32 | Target::Mips => 4,
        }
    }

    /// The largest alignment that a scalar of eight bytes or more needs inside a struct.
    pub fn widest_align(self) -> u64 {
        match self {
            Target::X86_64 | Target::Aarch64 | Target::Riscv32 | Target::Riscv64 => 16,
            Target::I386 => 4,
            Target::Arm | Target::Mips => 8,
        }
    }

    /// What a variadic argument of so many bytes is aligned to where all are in memory.
    pub fn argument_align(self, bytes: u64) -> u64 {
        match self {
            Target::I386 => 4,
            // What takes two words begins at an even one.
            Target::Arm | Target::Riscv32 | Target::Riscv64 | Target::Aarch64 | Target::Mips
                if bytes > self.pointer_size() =>
            {
                2 * self.pointer_size()
            }
            _ => self.pointer_size(),
        }
    }

    /// Whether clang fills up arguments in memory so that structs are aligned, counted from the first named one on.
    pub fn fills_up(self) -> bool {
        self == Target::Mips
    }

    /// Whether `long double` is the 80-bit format of x87; else it is `double`, or a format that no run knows.
    pub fn has_x87(self) -> bool {
        matches!(self, Target::X86_64 | Target::I386)
    }

    /// Bytes of a `va_list`.
    pub fn list_size(self) -> u64 {
        match self.variadic() {
            Variadic::Registers => 24,
            Variadic::Words => self.pointer_size(),
            Variadic::Stack => 32,
        }
    }

    /// How variadic functions are called.
    pub fn variadic(self) -> Variadic {
        match self {
            Target::X86_64 => Variadic::Registers,
            Target::I386 | Target::Arm | Target::Riscv32 | Target::Riscv64 | Target::Mips => Variadic::Words,
            Target::Aarch64 => Variadic::Stack,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_have_the_names_that_clang_gives_them() {
        assert_eq!(Target::of("x86_64-pc-linux-gnu"), Some(Target::X86_64));
        assert_eq!(Target::of("i386-pc-linux-gnu"), Some(Target::I386));
        assert_eq!(Target::of("x86_64-pc-linux-gnux32"), None);
        assert_eq!(Target::of("thumbv7em-none-unknown-eabi"), Some(Target::Arm));
        assert_eq!(Target::of("armv7-unknown-linux-gnueabihf"), Some(Target::Arm));
        assert_eq!(Target::of("armebv7-unknown-linux-gnueabihf"), None);
        assert_eq!(Target::of("aarch64-unknown-linux-gnu"), Some(Target::Aarch64));
        assert_eq!(Target::of("aarch64_be-unknown-linux-gnu"), None);
        assert_eq!(Target::of("riscv32-unknown-elf"), Some(Target::Riscv32));
        assert_eq!(Target::of("mips-unknown-linux-gnu"), Some(Target::Mips));
        assert_eq!(Target::of("mipsel-unknown-linux-gnu"), None);
        assert_eq!(Target::of("sparc-unknown-linux"), None);
    }

    #[test]
    fn numbers_are_their_bytes() {
        assert_eq!(Target::X86_64.bytes(0x0102_0304, 4)[..], [4, 3, 2, 1]);
        assert_eq!(Target::Mips.bytes(0x0102_0304, 4)[..], [1, 2, 3, 4]);
        for target in [Target::Arm, Target::Mips] {
            for size in [1, 2, 3, 8, 10, 16] {
                let number = 0x1122_3344_5566_7788_99aa_bbcc_ddee_ff00_u128 >> (128 - 8 * size);
                assert_eq!(target.number(&target.bytes(number, size)), number);
            }
        }
    }

    #[test]
    fn names_are_read_as_they_are_written() {
        let all = [Target::X86_64, Target::I386, Target::Arm, Target::Aarch64, Target::Riscv32, Target::Riscv64];
        for target in all.into_iter().chain([Target::Mips]) {
            assert_eq!(target.to_string().parse(), Ok(target));
        }
    }
}
