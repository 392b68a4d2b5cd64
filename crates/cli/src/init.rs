//! `covenant init`: covenant.toml from compile_commands.json.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use covenant_report::files;

use crate::args::InitArgs;
use crate::config;
use crate::diagnose::counted;
use crate::project::commanded;

const LIST: &str = "compile_commands.json";
/// Folders whose code is rarely what is to be tested.
const OTHERS: &[&str] =
    &["test", "tests", "third_party", "thirdparty", "external", "vendor", "deps", "examples", "bench"];
/// Headers of frameworks, and what suites for them are called.
const FRAMEWORKS: &[(&str, &str)] =
    &[("cmocka.h", "cmocka"), ("unity.h", "unity"), ("check.h", "check"), ("gtest/gtest.h", "gtest")];

pub(crate) fn run(args: &InitArgs) -> Result<u8> {
    let here = std::env::current_dir().context("the current folder cannot be read")?;
    let target = here.join(config::NAME);
    if target.exists() && !args.force {
        bail!("{} is there already; --force replaces it", config::NAME);
    }
    let project = match &args.project {
        Some(project) => project.clone(),
        None => find(&here)?,
    };
    let files = commanded(&project)?;
    let text = text(&here, &project, &files);
    files::write_file(&target, text.as_bytes())?;
    anstream::println!(
        "{}: {} of {}",
        config::NAME,
        counted(files.len(), "C file", "C files"),
        project.join(LIST).display()
    );
    anstream::println!("  `covenant gen --all` makes tests and proofs for every function");
    Ok(0)
}

/// The folder of the list: here, or right below.
fn find(here: &Path) -> Result<PathBuf> {
    if here.join(LIST).is_file() {
        return Ok(PathBuf::from("."));
    }
    let entries = std::fs::read_dir(here).with_context(|| format!("{} cannot be read", here.display()))?;
    let mut found: Vec<PathBuf> = entries.flatten().map(|e| e.path()).filter(|p| p.join(LIST).is_file()).collect();
    found.sort();
    match &found[..] {
        [only] => Ok(only.strip_prefix(here).unwrap_or(only).to_path_buf()),
        [] => bail!(
            "there is no {LIST} here or one folder below; CMake writes it with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, other tools with \
             `bear -- make`"
        ),
        [first, second, ..] => {
            bail!("both {} and {} have a {LIST}; say which with -p", first.display(), second.display())
        }
    }
}

fn text(here: &Path, project: &Path, files: &[PathBuf]) -> String {
    let mut text = String::from("# Options of `covenant gen`: the keys are its long options.\n");
    let _ = writeln!(text, "project = {:?}", project.display().to_string());
    let _ = writeln!(text, "# Of all functions together.\ntimeout = \"10m\"");
    if let Some(framework) = framework(files) {
        let _ = writeln!(text, "suite = [{framework:?}]");
    }
    let others = others(here, files);
    if !others.is_empty() {
        let _ = writeln!(text, "# No code under test.\nexclude = {others:?}");
    }
    text.push_str(
        "\n# Options of one function:\n# [function.parse]\n# assume = [\"n <= 64\"]\n# length = { text = \"n + 1\" }\n",
    );
    text
}

/// The folders of such files, from here.
fn others(here: &Path, files: &[PathBuf]) -> Vec<String> {
    let mut found = BTreeSet::new();
    let root = here.canonicalize().unwrap_or_else(|_| here.to_path_buf());
    for file in files {
        let file = file.canonicalize().unwrap_or_else(|_| file.clone());
        let Ok(below) = file.strip_prefix(&root) else { continue };
        let mut folder = PathBuf::new();
        for part in below.parent().into_iter().flat_map(Path::components) {
            folder.push(part);
            if OTHERS.contains(&part.as_os_str().to_string_lossy().as_ref()) {
                found.insert(folder.display().to_string());
                break;
            }
        }
    }
    found.into_iter().collect()
}

/// The framework that most files use.
fn framework(files: &[PathBuf]) -> Option<&'static str> {
    let uses = |file: &PathBuf| {
        let text = String::from_utf8_lossy(&std::fs::read(file).ok()?).into_owned();
        let includes = |header: &str| text.contains(&format!("<{header}>")) || text.contains(&format!("\"{header}\""));
        FRAMEWORKS.iter().find(|(header, _)| includes(header)).map(|(_, name)| *name)
    };
    let used: Vec<&str> = files.iter().filter_map(uses).collect();
    let count = |name: &str| used.iter().filter(|other| **other == name).count();
    FRAMEWORKS.iter().map(|(_, name)| *name).filter(|name| count(name) > 0).max_by_key(|name| count(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_files_tell() {
        let home = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = home.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, text).unwrap();
            path
        };
        let files = [
            write("src/a.c", "int a;\n"),
            write("tests/unit/test_a.c", "#include <cmocka.h>\n"),
            write("src/vendor/b.c", "int b;\n"),
        ];
        let text = text(home.path(), Path::new("build"), &files);
        assert!(text.contains("project = \"build\"\n"), "{text}");
        assert!(text.contains("suite = [\"cmocka\"]\n"), "{text}");
        assert!(text.contains("exclude = [\"src/vendor\", \"tests\"]\n"), "{text}");
        assert!(toml::de::DeTable::parse(&text).is_ok(), "{text}");
    }
}
