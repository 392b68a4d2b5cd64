//! Which of the user's flags reach clang.
//!
//! Flags that say what to produce, where, and how well optimised are ours to give: with them the result would not be
//! the bitcode that the lowering expects. Flags that make clang load or start other code, or write other files, go too: a
//! project that is looked at does not get to run anything. All others decide what the program means and stay.

use std::path::Path;

use crate::ir::Target;

/// Flags whose value is the next argument, and which stay.
const WITH_VALUE: &[&str] = &[
    "-D",
    "-U",
    "-I",
    "-F",
    "-include",
    "-imacros",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-isysroot",
    "-iprefix",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-x",
    "-target",
    "--sysroot",
    "-include-pch",
    "-ivfsoverlay",
    "-working-directory",
    "-arch",
    "--param",
];

/// Flags that go together with the next argument.
const DROPPED_WITH_VALUE: &[&str] = &[
    "-o",
    "-MF",
    "-MT",
    "-MQ",
    "-MJ",
    "-Xlinker",
    "-Xassembler",
    "-T",
    "-L",
    "-l",
    "-u",
    "-z",
    "--output",
    "-dumpbase",
    "-dumpdir",
    "-serialize-diagnostics",
    "--serialize-diagnostics",
    "-Xarch_host",
    "-mllvm",
    "--config",
    "-B",
    "-wrapper",
    "-specs",
    "--specs",
    "-index-store-path",
];

/// Flags whose next argument goes to a part of the compiler. It stays if it begins with one of these and would stay by
/// itself.
const PASSED_ON: &[(&str, &[&str])] = &[("-Xclang", &["-f", "-W"]), ("-Xpreprocessor", &["-D", "-U", "-I"])];

/// Flags that go.
const DROPPED: &[&str] = &[
    "-c",
    "-S",
    "-E",
    "-M",
    "-MM",
    "-MD",
    "-MMD",
    "-MP",
    "-MG",
    "-MV",
    "-emit-llvm",
    "-fsyntax-only",
    "-v",
    "-###",
    "--analyze",
    "--coverage",
    "-coverage",
    "-ftest-coverage",
    "-p",
    "-pg",
    "-shared",
    "-static",
    "-rdynamic",
    "-s",
    "-pie",
    "-no-pie",
    "-static-pie",
    "-nostartfiles",
    "-nodefaultlibs",
    "-nostdlib",
];

/// Beginnings of flags that go.
const DROPPED_PREFIXES: &[&str] = &[
    "-O",
    "-g",
    "-o",
    "-MF",
    "-MT",
    "-MQ",
    "-MJ",
    "-fsanitize",
    "-fno-sanitize",
    "-flto",
    "-fno-lto",
    "-ffat-lto",
    "-fuse-linker-plugin",
    "-fwhole-program",
    "-save-temps",
    "--save-temps",
    "-fprofile",
    "-fno-profile",
    "-fcoverage",
    "-fno-coverage",
    "-fcs-profile",
    "-Wl,",
    "-Wa,",
    "-l",
    "-L",
    "-fuse-ld",
    "-fdiagnostics-color",
    "-foptimization-record",
    "-fsave-optimization-record",
    "-Rpass",
    "-D_FORTIFY_SOURCE",
    "-U_FORTIFY_SOURCE",
    "-fdebug-",
    "-fno-debug-",
    "-gdwarf",
    "-fvar-tracking",
    "-fplugin",
    "-fpass-plugin",
    "--config",
    "-B",
    "-specs",
    "--specs",
    "-ccc-",
    "-fno-integrated",
    "-ftime-",
    "-fproc-stat-report",
    "-fmodules",
    "-fmodule-",
    "-fimplicit-module",
    "-fprebuilt-",
    "-fcrash-diagnostics",
    "-fdump",
    "-gen-cdb-fragment-path",
    "-fmemory-profile",
];

/// Splits flags into those that reach clang and the inputs among them.
pub(super) fn filter(flags: &[String]) -> (Vec<String>, Vec<String>) {
    let (mut kept, mut inputs) = (Vec::new(), Vec::new());
    let mut flags = flags.iter();
    while let Some(flag) = flags.next() {
        if flag == "--" {
            inputs.extend(flags.cloned());
            break;
        } else if DROPPED_WITH_VALUE.contains(&flag.as_str()) {
            flags.next();
        } else if let Some((_, beginnings)) = PASSED_ON.iter().find(|(name, _)| name == flag) {
            let passed =
                flags.next().filter(|value| beginnings.iter().any(|b| value.starts_with(b)) && !is_dropped(value));
            kept.extend(passed.map(|value| [flag.clone(), value.clone()]).into_iter().flatten());
        } else if let Some(list) = flag.strip_prefix("-Wp,") {
            let passed = list.split(',').filter(|word| ["-D", "-U", "-I"].iter().any(|b| word.starts_with(b)));
            kept.extend(passed.filter(|word| !is_dropped(word)).map(str::to_owned));
        } else if WITH_VALUE.contains(&flag.as_str()) {
            match flags.next() {
                Some(value) if flag == "-D" && value.starts_with("_FORTIFY_SOURCE") => {}
                Some(value) if flag == "-U" && value == "_FORTIFY_SOURCE" => {}
                // clang would take it for a file of arguments.
                Some(value) if value.starts_with('@') => {}
                Some(value) => kept.extend([flag.clone(), value.clone()]),
                None => kept.push(flag.clone()),
            }
        } else if !flag.starts_with('-') {
            inputs.push(flag.clone());
        } else if !is_dropped(flag) {
            kept.push(flag.clone());
        }
    }
    (kept, inputs)
}

fn is_dropped(flag: &str) -> bool {
    DROPPED.contains(&flag) || DROPPED_PREFIXES.iter().any(|prefix| flag.starts_with(prefix))
}

/// The flags among these that say for which machine the code is.
pub fn machine(flags: &[String]) -> Vec<String> {
    let mut kept = Vec::new();
    let mut flags = flags.iter();
    while let Some(flag) = flags.next() {
        if matches!(flag.as_str(), "-target" | "--sysroot" | "-isysroot") {
            kept.extend([flag].into_iter().chain(flags.next()).cloned());
        } else if MACHINE.iter().any(|prefix| flag.starts_with(prefix)) {
            kept.push(flag.clone());
        }
    }
    kept
}

/// Flags that make of code that names address spaces the same code without them: functions can then be called with addresses of ordinary
/// objects, as tests have them. Compilers that do not know spaces can build it, too.
pub const WITHOUT_SPACES: [&str; 2] = ["-Daddress_space(n)=", "-D__address_space__(n)="];

/// How flags begin that say for which machine the code is.
const MACHINE: &[&str] = &[
    "-m32",
    "-m64",
    "--target=",
    "--sysroot=",
    "-march=",
    "-mcpu=",
    "-mtune=",
    "-mthumb",
    "-marm",
    "-mfloat-abi=",
    "-mfpu=",
    "-mabi=",
    "-msse",
    "-mfpmath=",
];

/// The machine that the flags name last, if they name one; `None` in it: one that programs cannot be run for.
pub(super) fn named(flags: &[String]) -> Option<(Option<Target>, &str)> {
    let mut found = None;
    let mut flags = flags.iter();
    while let Some(flag) = flags.next() {
        let target = if flag == "-target" { flags.next() } else { None };
        let target = target.map(String::as_str).or_else(|| flag.strip_prefix("--target="));
        if let Some(triple) = target {
            found = Some((Target::of(triple), triple));
        } else if flag == "-m32" {
            found = Some((Some(Target::I386), ""));
        } else if flag == "-m64" {
            found = Some((Some(Target::X86_64), ""));
        }
    }
    found
}

/// What a compiler of that name takes for granted: the machine that its name begins with, and of gcc for bare metal the size of enums.
pub(super) fn of_compiler(program: &str) -> Vec<String> {
    let without_version = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.').trim_end_matches('-');
    let Some((triple, name)) = without_version.rsplit_once('-') else { return Vec::new() };
    if !matches!(name, "gcc" | "cc" | "clang") || !triple.contains('-') {
        return Vec::new();
    }
    let mut flags = match Target::of(triple) {
        Some(Target::X86_64) => Vec::new(),
        Some(Target::I386) => vec!["-m32".to_owned()],
        _ => vec![format!("--target={triple}")],
    };
    if name != "clang" && triple.ends_with("-none-eabi") {
        flags.push("-fshort-enums".to_owned());
    }
    flags
}

/// Whether the code is for 32-bit x86.
pub(super) fn is_i386(flags: &[String]) -> bool {
    named(flags).is_some_and(|(target, _)| target == Some(Target::I386))
}

/// Flags with which code for another machine is built for this one, with the sizes, alignments and signs that it has there. `None`: it is
/// for this machine as it is.
pub fn on_this_machine(flags: &[String]) -> Option<Vec<String>> {
    let (target, triple) = named(flags)?;
    let like: &[&str] = match target? {
        // No data model of this machine has its byte order.
        Target::X86_64 | Target::I386 | Target::Mips => return None,
        Target::Arm => LIKE_ARM,
        Target::Riscv32 => LIKE_RISCV32,
        Target::Aarch64 => LIKE_AARCH64,
        Target::Riscv64 => LIKE_RISCV64,
    };
    let machine = machine(flags);
    let is_other = |flag: &String| machine.contains(flag) || flag.starts_with("-m") || flag == triple;
    let mut kept: Vec<String> = flags.iter().filter(|flag| !is_other(flag)).cloned().collect();
    // Behind these, so that the user's own choices count.
    let mut ours: Vec<String> = like.iter().chain(NOT_HERE).map(|&flag| flag.to_owned()).collect();
    ours.extend(kernel_headers(&ours));
    ours.append(&mut kept);
    Some(ours)
}

/// An attribute that is for other parameters here. One that clang does not know is left out.
const NOT_HERE: &[&str] = &["-Dinterrupt=covenant_interrupt", "-D__interrupt__=covenant_interrupt"];

/// 32-bit x86 with the data model of ARM.
const LIKE_ARM: &[&str] = &[
    "-m32",
    "-msse2",
    "-mfpmath=sse",
    "-malign-double",
    "-mlong-double-64",
    "-funsigned-char",
    "-Xclang",
    "-fwchar-type=int",
    "-Xclang",
    "-fno-signed-wchar",
];
/// The same of 32-bit RISC-V.
const LIKE_RISCV32: &[&str] =
    &["-m32", "-msse2", "-mfpmath=sse", "-malign-double", "-mlong-double-128", "-funsigned-char"];
/// 64-bit x86 with the data model of 64-bit ARM.
const LIKE_AARCH64: &[&str] =
    &["-m64", "-mlong-double-128", "-funsigned-char", "-Xclang", "-fwchar-type=int", "-Xclang", "-fno-signed-wchar"];
/// The same of 64-bit RISC-V.
const LIKE_RISCV64: &[&str] = &["-m64", "-mlong-double-128", "-funsigned-char"];

/// Says what the flags leave to the compiler's build and the meaning of the program depends on. Without SSE, 32-bit x86 computes with more
/// digits than C's types have, as many as the compiler happens to keep.
pub(super) fn settle(flags: &mut Vec<String>) {
    let has_own = flags.iter().any(|flag| flag.starts_with("-mfpmath"));
    if is_i386(flags) && !has_own {
        flags.extend(SSE.map(str::to_owned));
    }
    if is_i386(flags) {
        flags.extend(kernel_headers(flags));
    }
}

/// Debian's way to the kernel's headers for 32-bit x86 is in a package that no cross compiler can stand beside; those for 64 bits are the
/// same ones. `None`: the code is for 64 bits, or the way is there.
pub fn kernel_headers(flags: &[String]) -> Option<String> {
    const WAY: &str = "/usr/include/asm";
    const OTHERS: &str = "/usr/include/x86_64-linux-gnu";
    let flag = format!("-idirafter{OTHERS}");
    let is_missing = !Path::new(WAY).exists() && Path::new(OTHERS).join("asm").is_dir() && !flags.contains(&flag);
    (is_missing && flags.iter().any(|flag| flag == "-m32")).then_some(flag)
}

const SSE: [&str; 2] = ["-msse2", "-mfpmath=sse"];

/// The language that the flags name with `-x`.
pub(super) fn language(flags: &[String]) -> Option<&str> {
    let mut language = None;
    let mut flags = flags.iter();
    while let Some(flag) = flags.next() {
        if flag == "-x" {
            language = flags.next().map(String::as_str);
        } else if let Some(name) = flag.strip_prefix("-x") {
            language = Some(name);
        }
    }
    language.filter(|&l| l != "none")
}

/// Splits a command line as a POSIX shell would, without expansions.
pub(super) fn split(command: &str) -> Result<Vec<String>, &'static str> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = command.chars();
    while let Some(c) = chars.next() {
        match c {
            ' ' | '\t' | '\n' | '\r' => words.extend(word.take()),
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next() {
                        Some('\'') => break,
                        Some(c) => word.push(c),
                        None => return Err("a ' is not closed"),
                    }
                }
            }
            '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next() {
                        Some('"') => break,
                        Some('\\') => match chars.next() {
                            Some(c @ ('"' | '\\' | '$' | '`')) => word.push(c),
                            Some('\n') => {}
                            Some(c) => word.extend(['\\', c]),
                            None => return Err("a \" is not closed"),
                        },
                        Some(c) => word.push(c),
                        None => return Err("a \" is not closed"),
                    }
                }
            }
            '\\' => match chars.next() {
                Some('\n') => {}
                Some(c) => word.get_or_insert_default().push(c),
                None => return Err("it ends with a \\"),
            },
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(command: &str) -> String {
        filter(&split(command).unwrap()).0.join(" ")
    }

    #[test]
    fn flags_that_change_the_meaning_stay() {
        let command =
            "-std=c99 -I inc -Iinc2 -D A=1 -DB -include x.h -isystem /y -funsigned-char -fwrapv -march=x86-64";
        assert_eq!(kept(command), command);
    }

    #[test]
    fn flags_that_are_ours_to_give_go() {
        let command = "-O2 -Os -g -ggdb3 -c -o out.o -oout.o -MD -MMD -MF dep -MFdep -MT x -fsanitize=address -flto=thin \
                       -S -E -fprofile-arcs --coverage -Wl,-z,now -lm -L/lib -D_FORTIFY_SOURCE=2 -D _FORTIFY_SOURCE=2 \
                       -Wp,-D_FORTIFY_SOURCE=3 -save-temps=obj -pg -v";
        assert_eq!(kept(command), "");
    }

    #[test]
    fn flags_that_run_code_or_write_files_go() {
        let command = "-fplugin=evil.so -fpass-plugin=evil.so -Xclang -load -Xclang evil.so -mllvm -load=evil.so -B here \
                       -Bthere --config evil.cfg --config=evil.cfg -specs=evil -wrapper sh -Xclang -o -Xclang out -ftime-trace=out \
                       -Xpreprocessor -MD -Xpreprocessor out -Wp,-MD,out -fmodules-cache-path=out -I @evil -Xclang -fplugin=evil";
        assert_eq!(kept(command), "");
        assert_eq!(kept("-Xclang -fno-builtin -Wp,-DA,-MD,out,-Iinc"), "-Xclang -fno-builtin -DA -Iinc");
    }

    #[test]
    fn inputs_are_told_apart_from_values() {
        let (kept, inputs) = filter(&split("-I a.c b.c -D c.c x.o -- -odd.c").unwrap());
        assert_eq!(kept, ["-I", "a.c", "-D", "c.c"]);
        assert_eq!(inputs, ["b.c", "x.o", "-odd.c"]);
    }

    #[test]
    fn commands_are_split_as_a_shell_does() {
        let words = split(r#"cc  -DX="a b" '-DY=\"q\"' -DZ=\"s\ t\" "" a\\b"#).unwrap();
        assert_eq!(words, ["cc", "-DX=a b", r#"-DY=\"q\""#, r#"-DZ="s t""#, "", r"a\b"]);
        assert!(split("cc 'x").is_err());
        assert!(split("cc \"x").is_err());
    }

    #[test]
    fn code_for_32_bits_computes_with_sse() {
        let settled = |command: &str| {
            let mut flags = split(command).unwrap();
            settle(&mut flags);
            // Which machine this is says where headers are.
            flags.retain(|flag| !flag.starts_with("-idirafter"));
            flags.join(" ")
        };
        assert_eq!(settled("-m32"), "-m32 -msse2 -mfpmath=sse");
        assert_eq!(settled("-target i686-linux-gnu"), "-target i686-linux-gnu -msse2 -mfpmath=sse");
        assert_eq!(settled("-m32 -m64"), "-m32 -m64");
        assert_eq!(settled("-m32 -mfpmath=387"), "-m32 -mfpmath=387");
    }

    #[test]
    fn the_name_of_a_cross_compiler_tells_the_machine() {
        let of = |program: &str| of_compiler(program).join(" ");
        assert_eq!(of("arm-none-eabi-gcc"), "--target=arm-none-eabi -fshort-enums");
        assert_eq!(of("arm-linux-gnueabihf-gcc-12"), "--target=arm-linux-gnueabihf");
        assert_eq!(of("i686-linux-gnu-gcc"), "-m32");
        assert!(
            ["x86_64-linux-gnu-gcc-12", "gcc", "clang-19", "gcc-12", "x-gcc", "cc", "my-cc"]
                .iter()
                .all(|program| of(program).is_empty())
        );
    }

    #[test]
    fn code_for_arm_is_built_with_its_data_model() {
        let here = |command: &str| on_this_machine(&split(command).unwrap()).map(|flags| flags.join(" "));
        assert_eq!(here("-m32 -O1"), None);
        let flags = here("--target=arm-none-eabi -mcpu=cortex-m4 -mthumb -DX=1 -fsigned-char").unwrap();
        assert!(flags.starts_with("-m32 ") && flags.ends_with(" -DX=1 -fsigned-char"), "{flags}");
        assert!(!here("-target arm-linux-gnueabihf -Iinc").unwrap().contains("arm"));
    }

    #[test]
    fn the_last_language_counts() {
        let flags: Vec<String> = ["-x", "c++", "-xc"].map(String::from).into();
        assert_eq!(language(&flags), Some("c"));
    }
}
