//! `cargo xtask dist`: what people install. A tarball that is unpacked anywhere, and a .deb for Debian 12 and later, each with the
//! stripped binaries (`covenant`, and `covenant-worker` for work queues), manual pages, completions and the files of `integrations`.
//!
//! The .deb is put together by dpkg-deb, which every Debian has. It depends on what the binary is linked with and on clang, which
//! Covenant starts.

use anyhow::{Context, Result, ensure};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Packages that the binary needs: clang compiles, llvm-cov confirms, the rest is linked.
const NEEDS: &str = "clang-19, llvm-19, libclang-rt-19-dev, libc6-dev, libz3-4, libgmp10, libffi8, zlib1g, libstdc++6";
/// `covenant check` asks it.
const WANTS: &str = "cvc5";

/// What people have to download and keep, in megabytes, without symbols.
const MOST: u64 = 60;

#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Package this program, and the `covenant-worker` beside it; otherwise both are built for release.
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
    /// Where to put both.
    #[arg(long, value_name = "DIR", default_value = "target/dist")]
    out: PathBuf,
}

pub(crate) fn run(root: &Path, options: &Options) -> Result<bool> {
    let binary = match &options.binary {
        Some(binary) => binary.clone(),
        None => {
            let mut build = Command::new(env!("CARGO"));
            let both = ["-p", "covenant-cli", "-p", "covenant-worker"];
            done(build.args(["build", "--release", "--locked"]).args(both).current_dir(root))?;
            let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
            target.join("release/covenant")
        }
    };
    let name = format!("covenant-{}", env!("CARGO_PKG_VERSION"));
    let out = root.join(&options.out);
    let tree = out.join(&name);
    if tree.exists() {
        fs::remove_dir_all(&tree).with_context(|| tree.display().to_string())?;
    }
    fill(root, &binary, &tree)?;
    let tarball = out.join(format!("{name}-x86_64-linux.tar.gz"));
    done(Command::new("tar").arg("-C").arg(&out).arg("-czf").arg(&tarball).arg(&name))?;
    let deb = package(&out, &tree)?;
    for made in [&tarball, &deb] {
        println!("{} ({} MB)", made.display(), fs::metadata(made)?.len() >> 20);
    }
    let size = fs::metadata(tree.join("bin/covenant"))?.len() >> 20;
    println!("the binary has {size} MB{}", if size > MOST { format!(", more than {MOST}") } else { String::new() });
    Ok(size <= MOST)
}

/// The tree of both: what goes below /usr.
fn fill(root: &Path, binary: &Path, tree: &Path) -> Result<()> {
    let (bin, man) = (tree.join("bin"), tree.join("share/man/man1"));
    let (doc, share) = (tree.join("share/doc/covenant"), tree.join("share/covenant"));
    for folder in [&bin, &man, &doc, &share] {
        fs::create_dir_all(folder)?;
    }
    let program = bin.join("covenant");
    for name in ["covenant", "covenant-worker"] {
        done(Command::new("strip").arg("-o").arg(bin.join(name)).arg(binary.with_file_name(name)))?;
    }
    let says = |words: &[&str]| -> Result<Vec<u8>> {
        let output = Command::new(&program).args(words).output().with_context(|| program.display().to_string())?;
        ensure!(output.status.success(), "covenant {}: {}", words.join(" "), String::from_utf8_lossy(&output.stderr));
        Ok(output.stdout)
    };
    fs::write(man.join("covenant.1"), says(&["man"])?)?;
    for command in ["gen", "replay", "check", "mutate", "report", "merge", "worker", "init", "run", "doctor"] {
        fs::write(man.join(format!("covenant-{command}.1")), says(&["man", command])?)?;
    }
    for (shell, place) in [
        ("bash", "share/bash-completion/completions/covenant"),
        ("zsh", "share/zsh/vendor-completions/_covenant"),
        ("fish", "share/fish/vendor_completions.d/covenant.fish"),
    ] {
        let place = tree.join(place);
        fs::create_dir_all(place.parent().context("no folder")?)?;
        fs::write(place, says(&["completions", shell])?)?;
    }
    for file in ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"] {
        fs::copy(root.join(file), doc.join(file)).with_context(|| file.to_owned())?;
    }
    done(Command::new("cp").arg("-r").arg(root.join("integrations")).arg(&share))
}

fn package(out: &Path, tree: &Path) -> Result<PathBuf> {
    let version = env!("CARGO_PKG_VERSION");
    let folder = out.join("deb");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(folder.join("DEBIAN"))?;
    done(Command::new("cp").arg("-r").arg(tree).arg(folder.join("usr")))?;
    let control = format!(
        "Package: covenant\nVersion: {version}\nArchitecture: amd64\nSection: devel\nPriority: optional\n\
         Maintainer: The Covenant developers <covenant@localhost>\nDepends: {NEEDS}\nRecommends: {WANTS}\n\
         Description: a test or a proof for every branch of your C code\n \
         For every objective of a coverage criterion: a test that reaches it, a proof that\n no input does, or the reason why it is open.\n"
    );
    fs::write(folder.join("DEBIAN/control"), control)?;
    let deb = out.join(format!("covenant_{version}_amd64.deb"));
    done(Command::new("dpkg-deb").args(["--root-owner-group", "--build"]).arg(&folder).arg(&deb))?;
    fs::remove_dir_all(&folder)?;
    Ok(deb)
}

fn done(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("{command:?}"))?;
    ensure!(status.success(), "{command:?}: {status}");
    Ok(())
}
