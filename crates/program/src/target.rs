//! For which machine a program was compiled.

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

    /// Bytes of an address in memory.
    pub fn pointer_size(self) -> u64 {
        match self {
            Target::X86_64 | Target::Aarch64 | Target::Riscv64 => 8,
            Target::I386 | Target::Arm | Target::Riscv32 => 4,
        }
    }

    /// The largest alignment that a scalar of eight bytes or more needs inside a struct.
    pub fn widest_align(self) -> u64 {
        match self {
            Target::X86_64 | Target::Aarch64 | Target::Riscv32 | Target::Riscv64 => 16,
            Target::I386 => 4,
            Target::Arm => 8,
        }
    }

    /// What a variadic argument of so many bytes is aligned to where all are in memory.
    pub fn argument_align(self, bytes: u64) -> u64 {
        match self {
            Target::I386 => 4,
            // What takes two words begins at an even one.
            Target::Arm | Target::Riscv32 | Target::Riscv64 | Target::Aarch64 if bytes > self.pointer_size() => {
                2 * self.pointer_size()
            }
            _ => self.pointer_size(),
        }
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
            Target::I386 | Target::Arm | Target::Riscv32 | Target::Riscv64 => Variadic::Words,
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
        assert_eq!(Target::of("sparc-unknown-linux"), None);
    }

    #[test]
    fn names_are_read_as_they_are_written() {
        let all = [Target::X86_64, Target::I386, Target::Arm, Target::Aarch64, Target::Riscv32, Target::Riscv64];
        for target in all {
            assert_eq!(target.to_string().parse(), Ok(target));
        }
    }
}
