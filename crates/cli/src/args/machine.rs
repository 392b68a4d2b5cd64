//! Machines that code is compiled for.

use clap::ValueEnum;
use covenant_program::clang::Emulated;
use covenant_program::ir::Target;

/// A machine that code is compiled for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Machine {
    /// 64-bit x86
    #[value(name = "x86_64")]
    X86_64,
    /// 32-bit x86, as `-m32` has it
    #[value(name = "i386")]
    I386,
    /// 32-bit ARM with Linux, as `--target=arm-linux-gnueabihf` has it
    #[value(name = "arm")]
    Arm,
    /// 64-bit ARM with Linux, as `--target=aarch64-linux-gnu` has it
    #[value(name = "aarch64")]
    Aarch64,
    /// 32-bit RISC-V, as `--target=riscv32-linux-gnu` has it
    #[value(name = "riscv32")]
    Riscv32,
    /// 64-bit RISC-V, as `--target=riscv64-linux-gnu` has it
    #[value(name = "riscv64")]
    Riscv64,
    /// 32-bit MIPS, big-endian, as `--target=mips-linux-gnu` has it: for `run` alone
    #[value(name = "mips")]
    Mips,
}

impl Machine {
    /// How clang is told.
    pub(crate) fn flag(self) -> &'static str {
        match self {
            Machine::X86_64 => "-m64",
            Machine::I386 => "-m32",
            Machine::Arm => "--target=arm-linux-gnueabihf",
            Machine::Aarch64 => "--target=aarch64-linux-gnu",
            Machine::Riscv32 => "--target=riscv32-linux-gnu",
            Machine::Riscv64 => "--target=riscv64-linux-gnu",
            Machine::Mips => "--target=mips-linux-gnu",
        }
    }

    /// Where the headers of its C library come from; `None`: they are this machine's.
    pub(crate) fn headers(self) -> Option<&'static str> {
        match self {
            Machine::X86_64 | Machine::I386 => None,
            Machine::Arm => Some("sudo apt-get install gcc-arm-linux-gnueabihf"),
            Machine::Aarch64 => Some("sudo apt-get install gcc-aarch64-linux-gnu"),
            Machine::Riscv64 => Some("sudo apt-get install gcc-riscv64-linux-gnu"),
            Machine::Mips => Some("sudo apt-get install gcc-mips-linux-gnu"),
            Machine::Riscv32 => Some("Debian has none for it: say where they are with --sysroot"),
        }
    }

    /// How programs for it are played here, if an emulator does.
    pub(crate) fn emulated(self) -> Option<&'static Emulated> {
        self.target().and_then(Emulated::of)
    }

    fn target(self) -> Option<Target> {
        let name = self.to_possible_value()?;
        name.get_name().parse().ok()
    }

    /// The flag for programs that run here with its data model, if there are any.
    pub(crate) fn here(self) -> Option<&'static str> {
        match self {
            Machine::X86_64 | Machine::Aarch64 | Machine::Riscv64 => Some("-m64"),
            Machine::I386 | Machine::Arm | Machine::Riscv32 => Some("-m32"),
            Machine::Mips => None,
        }
    }
}
