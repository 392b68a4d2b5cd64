//! Commands of compilers for embedded systems that have options and keywords of their own: Arm's `armcc` and `armclang`, IAR's `iccarm`.
//!
//! What they take for granted (the machine, the sign of `char`, the size of enums) is said to clang in its own words; keywords become
//! what headers for GCC define them as. Options that say nothing of what the code means go. The macros by which headers tell these
//! compilers are not defined: headers then take clang for what it is, and have no assembly that it cannot read.

/// A compiler whose options clang does not know.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Vendor {
    Armcc,
    Armclang,
    Iccarm,
}

impl Vendor {
    fn of(compiler: &str) -> Option<Vendor> {
        match compiler.to_ascii_lowercase().trim_end_matches(".exe") {
            "armcc" => Some(Vendor::Armcc),
            "armclang" => Some(Vendor::Armclang),
            "iccarm" => Some(Vendor::Iccarm),
            _ => None,
        }
    }

    /// How an option begins, or what it is, whose value is the name of a file with arguments.
    fn names_file(self) -> &'static str {
        match self {
            Vendor::Armcc | Vendor::Armclang => "--via",
            Vendor::Iccarm => "-f",
        }
    }
}

/// Options that take the next argument if they have no value behind a `=`, and that do not count here.
const DROPPED_WITH_VALUE: &[&str] = &[
    "--dlib_config",
    "--dependencies",
    "--depend",
    "--depend_format",
    "--depend_target",
    "--diag_suppress",
    "--diag_remark",
    "--diag_warning",
    "--diag_error",
    "--diag_style",
    "--fpu",
    "--list",
    "--library_type",
    "--apcs",
    "--aapcs",
    "--cpu_mode",
    "--feedback",
    "--output",
    "--asm_dir",
    "--depend_dir",
    "--error_limit",
    "--library_interface",
    "--fpmode",
    "-l",
    "-lC",
    "-lA",
];

/// Keywords, as headers for GCC have them. What only says where something lies or how it is entered is nothing.
const KEYWORDS: &[&str] = &[
    "-D__packed=__attribute__((packed))",
    "-D__weak=__attribute__((weak))",
    "-D__align(n)=__attribute__((aligned(n)))",
    "-D__pure=__attribute__((pure))",
    "-D__noreturn=__attribute__((noreturn))",
    "-D__irq=",
    "-D__fiq=",
    "-D__interrupt=",
    "-D__nested=",
    "-D__task=",
    "-D__root=",
    "-D__ramfunc=",
    "-D__near=",
    "-D__far=",
    "-D__huge=",
    "-D__flash=",
    "-D__intrinsic=",
    "-D__value_in_regs=",
    "-D__softfp=",
    // Any value, until somebody writes to it.
    "-D__no_init=__attribute__((loader_uninitialized))",
    // In front of `struct` it would be left out, and the layout be another one.
    "-Werror=ignored-attributes",
];

/// The arguments with the files of arguments that they name as clang names them: `@FILE`.
pub(super) fn argument_files(compiler: &str, arguments: &[String]) -> Vec<String> {
    let Some(vendor) = Vendor::of(compiler) else { return arguments.to_vec() };
    let option = vendor.names_file();
    let mut all = Vec::new();
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        let named = match argument.strip_prefix(option) {
            Some("") => arguments.next().map(String::as_str),
            Some(rest) => rest.strip_prefix('='),
            None => None,
        };
        all.push(named.map_or_else(|| argument.clone(), |file| format!("@{file}")));
    }
    all
}

/// What clang must be told instead. `None`: the compiler has no options of its own.
pub(super) fn translated(compiler: &str, arguments: &[String]) -> Option<Vec<String>> {
    let vendor = Vendor::of(compiler)?;
    let mut machine = Machine::default();
    let mut flags = Vec::new();
    let mut arguments = arguments.iter().peekable();
    while let Some(argument) = arguments.next() {
        let (option, joined) = match argument.split_once('=') {
            Some((option, value)) if option.starts_with("--") => (option, Some(value.to_owned())),
            _ => (argument.as_str(), None),
        };
        let is_clangs = vendor == Vendor::Armclang;
        let mut value = || joined.clone().or_else(|| arguments.next().cloned());
        match option {
            "--cpu" if !is_clangs => machine.cpu = value(),
            "--endian" if !is_clangs => machine.big |= value().is_some_and(|order| order.starts_with('b')),
            "--bigend" | "-mbig-endian" => machine.big = true,
            "--thumb" => machine.thumb = true,
            "--arm" => machine.arm = true,
            "--enum_is_int" => machine.wide_enums = true,
            "--signed_chars" | "--char_is_signed" => flags.push("-fsigned-char".to_owned()),
            "--unsigned_chars" | "--char_is_unsigned" => flags.push("-funsigned-char".to_owned()),
            "--wchar32" => machine.wide_characters = true,
            "--c99" => machine.standard = Some("-std=gnu99"),
            "--c90" | "--c89" => machine.standard = Some("-std=gnu90"),
            "--preinclude" => flags.extend(value().into_iter().flat_map(|file| ["-include".to_owned(), file])),
            _ if is_clangs && !argument.starts_with("--") => flags.push(argument.clone()),
            _ if is_clangs && argument.starts_with("--target") => flags.push(argument.clone()),
            _ if DROPPED_WITH_VALUE.contains(&option) => drop(value()),
            // Options with a space between it and the value, and names of files.
            "-D" | "-I" | "-U" | "-J" => {
                let name = if option == "-J" { "-isystem" } else { option };
                flags.extend(value().into_iter().flat_map(|value| [name.to_owned(), value]));
            }
            "-o" => drop(value()),
            _ if argument.starts_with("-D") || argument.starts_with("-I") || argument.starts_with("-U") => {
                flags.push(argument.clone());
            }
            _ if !argument.starts_with('-') => flags.push(argument.clone()),
            _ => {}
        }
    }
    Some(machine.flags(vendor).into_iter().chain(flags).chain(KEYWORDS.iter().map(|&word| word.to_owned())).collect())
}

/// What the options say of the machine.
#[derive(Default)]
struct Machine {
    cpu: Option<String>,
    thumb: bool,
    arm: bool,
    big: bool,
    wide_enums: bool,
    wide_characters: bool,
    standard: Option<&'static str>,
}

impl Machine {
    fn flags(&self, vendor: Vendor) -> Vec<String> {
        let mut flags = Vec::new();
        if vendor == Vendor::Armclang {
            return flags;
        }
        flags.push(format!("--target={}-none-eabi", if self.big { "armeb" } else { "arm" }));
        // Behind a point stands what the processor has or has not.
        let cpu = self.cpu.as_ref().map(|cpu| cpu.split('.').next().unwrap_or_default().to_ascii_lowercase());
        let cpu = cpu.filter(|cpu| cpu.starts_with("cortex-") || cpu.starts_with("arm") || cpu.starts_with("sc"));
        let is_small = cpu.as_ref().is_some_and(|cpu| cpu.starts_with("cortex-m") || cpu.starts_with("sc"));
        flags.extend(cpu.map(|cpu| format!("-mcpu={cpu}")));
        if is_small || (self.thumb && !self.arm) {
            flags.push("-mthumb".to_owned());
        }
        if !self.wide_enums {
            flags.push("-fshort-enums".to_owned());
        }
        if vendor == Vendor::Armcc && !self.wide_characters {
            flags.push("-fshort-wchar".to_owned());
        }
        let standard = self.standard.or((vendor == Vendor::Armcc).then_some("-std=gnu90"));
        flags.extend(standard.map(str::to_owned));
        flags
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clang::flags::split;

    fn told(command: &str) -> String {
        let words = split(command).unwrap();
        let flags = translated(&words[0], &words[1..]).unwrap();
        let own = |flag: &&String| !KEYWORDS.contains(&flag.as_str());
        flags.iter().filter(own).map(String::as_str).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn commands_become_those_of_clang() {
        let armcc = "armcc --c99 -c --cpu Cortex-M4.fp -D__EVAL -DX=1 -g -O2 --apcs=interwork --split_sections -I inc -Isrc \
                     --diag_suppress=186 --depend out.d -o a.o a.c";
        assert_eq!(
            told(armcc),
            "--target=arm-none-eabi -mcpu=cortex-m4 -mthumb -fshort-enums -fshort-wchar -std=gnu99 -D__EVAL -DX=1 -I inc -Isrc a.c"
        );
        let iccarm = "iccarm.exe a.c --dlib_config full.h -D X=1 --debug --endian=little --cpu=Cortex-M0+ -e --fpu=None \
                      --enum_is_int --char_is_signed -o a.o -Ohz -I inc";
        assert_eq!(told(iccarm), "--target=arm-none-eabi -mcpu=cortex-m0+ -mthumb a.c -D X=1 -fsigned-char -I inc");
        let armclang = "armclang --target=arm-arm-none-eabi -mcpu=cortex-m7 -xc -std=c11 -fno-rtti -DX -c -MD a.c --diag_suppress=1";
        assert_eq!(told(armclang), "--target=arm-arm-none-eabi -mcpu=cortex-m7 -xc -std=c11 -fno-rtti -DX -c -MD a.c");
        assert!(
            told("armcc --bigend --cpu=ARM7TDMI --arm a.c")
                .starts_with("--target=armeb-none-eabi -mcpu=arm7tdmi -fshort-enums")
        );
        assert!(translated("gcc", &[]).is_none());
    }

    #[test]
    fn files_of_arguments_are_named_alike() {
        let named = |command: &str| {
            let words = split(command).unwrap();
            argument_files(&words[0], &words[1..]).join(" ")
        };
        assert_eq!(named("armcc --via=a.txt --via b.txt a.c"), "@a.txt @b.txt a.c");
        assert_eq!(named("iccarm -f a.xcl a.c"), "@a.xcl a.c");
        assert_eq!(named("gcc -f x a.c"), "-f x a.c");
    }
}
