//! Building code for another machine as programs that an emulator runs here.

use super::flags::{machine, named};
use crate::ir::Target;

/// How programs for a machine are built and run here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Emulated {
    /// The C library's name for the machine, with Linux.
    pub triple: &'static str,
    /// What plays its programs.
    pub emulator: &'static str,
    /// Debian's package with its C library and linker.
    pub package: &'static str,
}

impl Emulated {
    /// Programs for this machine can be built with a C library of Debian's. `None`: they run here as they are, or there is none.
    pub fn of(target: Target) -> Option<&'static Emulated> {
        match target {
            Target::X86_64 | Target::I386 | Target::Riscv32 | Target::Mips => None,
            Target::Arm => Some(&Emulated {
                triple: "arm-linux-gnueabihf",
                emulator: "qemu-arm",
                package: "gcc-arm-linux-gnueabihf",
            }),
            Target::Aarch64 => Some(&Emulated {
                triple: "aarch64-linux-gnu",
                emulator: "qemu-aarch64",
                package: "gcc-aarch64-linux-gnu",
            }),
            Target::Riscv64 => Some(&Emulated {
                triple: "riscv64-linux-gnu",
                emulator: "qemu-riscv64",
                package: "gcc-riscv64-linux-gnu",
            }),
        }
    }
}

/// Flags with which code for another machine is built for Linux there. Code for Linux keeps its own; code for bare metal is built for a core
/// that has Linux, with the same instruction set where that has two. `None`: no emulator plays it.
pub fn emulated(flags: &[String]) -> Option<(Vec<String>, &'static Emulated)> {
    let (target, triple) = named(flags)?;
    let emulated = Emulated::of(target?)?;
    if triple.contains("linux") {
        return Some((flags.to_vec(), emulated));
    }
    let machine = machine(flags);
    let is_other = |flag: &String| machine.contains(flag) || flag.starts_with("-m") || flag == triple;
    let mut ours = vec![format!("--target={}", emulated.triple)];
    ours.extend(flags.iter().filter(|flag| *flag == "-mthumb").cloned());
    ours.extend(flags.iter().filter(|flag| !is_other(flag)).cloned());
    Some((ours, emulated))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clang::flags::split;

    #[test]
    fn code_for_bare_metal_is_built_for_linux() {
        let built = |command: &str| {
            let (flags, emulated) = emulated(&split(command).unwrap())?;
            Some((flags.join(" "), emulated.emulator))
        };
        let (flags, emulator) =
            built("--target=arm-none-eabi -mcpu=cortex-m4 -mthumb -mfloat-abi=soft -fshort-enums -DX=1").unwrap();
        assert_eq!(
            (flags.as_str(), emulator),
            ("--target=arm-linux-gnueabihf -mthumb -fshort-enums -DX=1", "qemu-arm")
        );
        let own = "--target=armv7-linux-gnueabihf -mcpu=cortex-a7 -DX=1";
        assert_eq!(built(own), Some((own.to_owned(), "qemu-arm")));
        assert_eq!(built("-target riscv64-unknown-elf -mabi=lp64").unwrap().0, "--target=riscv64-linux-gnu");
        for native in
            ["-DX=1", "-m32", "--target=x86_64-linux-gnu", "--target=riscv32-linux-gnu", "--target=mips-linux-gnu"]
        {
            assert_eq!(built(native), None);
        }
    }
}
