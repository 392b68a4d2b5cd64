//! Compiles the C library of interpreted programs to an archive of LLVM bitcode, which the binary then contains: a module for each
//! source, and which symbols it defines, so that a run reads no more of them than it needs. `lower/library.rs` says how it is written.
//!
//! The flags leave the code as it is written (no optimisation, no calls turned into builtins), because the interpreter
//! and later symbolic execution run exactly these branches. Locals are promoted to registers here, once, and of the debug
//! information only lines are kept: each run reads the module anew.

use std::collections::{HashMap, HashSet};
use std::error::Error;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const FLAGS: &[&str] = &[
    "-c",
    "-emit-llvm",
    "-std=gnu11",
    "-O0",
    "-gline-tables-only",
    "-D_GNU_SOURCE",
    "-U_FORTIFY_SOURCE",
    "-fno-builtin",
    "-fno-stack-protector",
    // A product and a sum stay two roundings, as the processor does them.
    "-ffp-contract=off",
    "-Xclang",
    "-disable-llvm-passes",
    "-Xclang",
    "-disable-O0-optnone",
    "-Wall",
    "-Wextra",
    // `main` has no one prototype, and a definition need not repeat the attributes of its declaration in the headers.
    "-Wno-deprecated-non-prototype",
    "-Wno-strict-prototypes",
    "-Werror",
];

/// The machines, by the names of the modules, and the flags for each.
const TARGETS: &[(&str, &[&str])] = &[
    ("x86_64", &["--target=x86_64-unknown-linux-gnu"]),
    ("i386", &["--target=i386-unknown-linux-gnu"]),
    ("arm", &["--target=arm-unknown-linux-gnueabihf"]),
    // The headers know the width of an address by this name.
    ("aarch64", &["--target=aarch64-unknown-linux-gnu", "-D__x86_64__"]),
    ("riscv32", &["--target=riscv32-unknown-linux-gnu"]),
    ("riscv64", &["--target=riscv64-unknown-linux-gnu", "-D__x86_64__"]),
    // A header of ours says that the highest byte comes first. Those of the machine itself have other numbers for signals.
    ("mips", &["--target=mips-unknown-linux-gnu", "-I", "big-endian"]),
];

/// All are compiled with the headers for x86-64, which differ from the others in nothing that the library and programs share, whatever cross
/// compilers are installed. One has to be there for 32 bits, and has nothing that the library uses; an attribute is of x86 alone.
const HEADERS: &[&str] = &[
    "-D__regparm__(n)=",
    "-nostdlibinc",
    "-idirafter",
    "/usr/include/x86_64-linux-gnu",
    "-idirafter",
    "/usr/include",
    "-idirafter",
    "i386",
];

fn main() -> Result<(), Box<dyn Error>> {
    let library = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR")?).join("library");
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=library");

    let sources = sources(&library)?;
    for (name, flags) in TARGETS {
        let folder = out.join(name);
        fs::create_dir_all(&folder)?;
        build(&library, &sources, flags, &folder, &out.join(name).with_extension("lib"))?;
    }
    Ok(())
}

/// A module of each source, locals promoted.
fn build(
    library: &Path,
    sources: &[PathBuf],
    flags: &[&str],
    out: &Path,
    archive: &Path,
) -> Result<(), Box<dyn Error>> {
    let mut members = Vec::with_capacity(sources.len());
    for batch in sources.chunks(jobs()) {
        let mut running = Vec::with_capacity(batch.len());
        for source in batch {
            let object = out.join(source).with_extension("bc");
            let mut command = compile(library, source, &object);
            running.push((source, object, command.args(flags).args(HEADERS).spawn().map_err(missing_clang)?));
        }
        let mut promoting = Vec::with_capacity(batch.len());
        for (source, object, child) in running {
            succeeded(&format!("clang-19 on {}", source.display()), child.wait_with_output()?)?;
            let module = object.with_extension("promoted");
            let mut command = Command::new("opt-19");
            command.arg("-passes=mem2reg").arg(&object).arg("-o").arg(&module).stderr(std::process::Stdio::piped());
            promoting.push((module, command.spawn().map_err(missing_clang)?));
        }
        for (module, child) in promoting {
            succeeded("opt-19", child.wait_with_output()?)?;
            members.push(module);
        }
    }
    write_archive(&members, archive)
}

/// A header that says what is where, and the modules behind it.
fn write_archive(members: &[PathBuf], archive: &Path) -> Result<(), Box<dyn Error>> {
    let listed =
        Command::new("llvm-nm-19").args(["-A", "--extern-only", "--defined-only", "-j"]).args(members).output();
    let listed = listed.map_err(missing_clang)?;
    let text = String::from_utf8_lossy(&listed.stdout).into_owned();
    succeeded("llvm-nm-19", listed)?;
    let mut symbols: HashMap<&str, Vec<&str>> = HashMap::new();
    let mut seen = HashSet::new();
    for line in text.lines() {
        let (file, name) = line.rsplit_once(": ").ok_or_else(|| format!("llvm-nm-19 said `{line}`"))?;
        if !seen.insert(name) {
            return Err(format!("the C library defines `{name}` twice").into());
        }
        symbols.entry(file).or_default().push(name);
    }
    let (mut header, mut modules) = (String::new(), Vec::new());
    for member in members {
        let module = fs::read(member)?;
        header.push_str(&format!("m {}\n", module.len()));
        let names = symbols.get(&*member.to_string_lossy()).map_or(&[][..], Vec::as_slice);
        names.iter().for_each(|name| header.push_str(&format!("s {name}\n")));
        modules.extend(module);
    }
    let head = format!("{:08x}\n{header}", header.len());
    fs::write(archive, [head.into_bytes(), modules].concat())?;
    Ok(())
}

/// The names of the C files, in one order on every machine.
fn sources(library: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(library)? {
        let name = PathBuf::from(entry?.file_name());
        if name.extension().is_some_and(|extension| extension == "c") {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

/// Relative names and a fixed directory keep the paths of the building machine out of the debug information.
fn compile(library: &Path, source: &Path, object: &Path) -> Command {
    let mut command = Command::new("clang-19");
    command.current_dir(library).args(FLAGS).arg("-fdebug-compilation-dir=library");
    command.arg(format!("-ffile-prefix-map={}=library", library.display()));
    command.arg(source).arg("-o").arg(object).stderr(std::process::Stdio::piped());
    command
}

fn jobs() -> usize {
    std::env::var("NUM_JOBS").ok().and_then(|jobs| jobs.parse().ok()).unwrap_or(1).max(1)
}

fn missing_clang(error: std::io::Error) -> Box<dyn Error> {
    if error.kind() == ErrorKind::NotFound {
        "clang-19, opt-19 and llvm-nm-19 are needed to compile the C library: install the packages clang-19 and llvm-19 \
         (apt-get install clang-19 llvm-19 libc6-dev)"
            .into()
    } else {
        error.into()
    }
}

fn succeeded(what: &str, output: Output) -> Result<(), Box<dyn Error>> {
    if output.status.success() {
        return Ok(());
    }
    Err(format!("{what} failed ({}):\n{}", output.status, String::from_utf8_lossy(&output.stderr)).into())
}
