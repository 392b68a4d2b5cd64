//! Compiles the C library of interpreted programs to one module of LLVM bitcode, which the binary then contains.
//!
//! The flags leave the code as it is written (no optimisation, no calls turned into builtins), because the interpreter
//! and later symbolic execution run exactly these branches. Locals are promoted to registers here, once, and of the debug
//! information only lines are kept: each run reads the module anew.

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
        build(&library, &sources, flags, &folder, &out.join(name).with_extension("bc"))?;
    }
    Ok(())
}

/// One module of all sources, locals promoted.
fn build(library: &Path, sources: &[PathBuf], flags: &[&str], out: &Path, module: &Path) -> Result<(), Box<dyn Error>> {
    let mut objects = Vec::with_capacity(sources.len());
    for batch in sources.chunks(jobs()) {
        let mut running = Vec::with_capacity(batch.len());
        for source in batch {
            let object = out.join(source).with_extension("bc");
            let mut command = compile(library, source, &object);
            running.push((source, command.args(flags).args(HEADERS).spawn().map_err(missing_clang)?));
            objects.push(object);
        }
        for (source, child) in running {
            succeeded(&format!("clang-19 on {}", source.display()), child.wait_with_output()?)?;
        }
    }
    let linked = out.join("linked");
    let link = Command::new("llvm-link-19").args(&objects).arg("-o").arg(&linked).output();
    succeeded("llvm-link-19", link.map_err(missing_clang)?)?;
    let promoted = Command::new("opt-19").arg("-passes=mem2reg").arg(&linked).arg("-o").arg(module).output();
    succeeded("opt-19", promoted.map_err(missing_clang)?)?;
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
        "clang-19, llvm-link-19 and opt-19 are needed to compile the C library: install the packages clang-19 and llvm-19 \
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
