//! Building the suites of one function in all ways, and running them.

use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::process::{self, Finished};

/// What came of one suite in one way to build it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    Passed,
    /// The code under test does not compile so by itself.
    NotApplicable,
    /// With the first words that say why.
    NoCompile(String),
    Fails(String),
}

pub(crate) struct Cell {
    pub(crate) format: String,
    pub(crate) variant: String,
    pub(crate) outcome: Outcome,
}

impl Cell {
    pub(crate) fn is_good(&self) -> bool {
        matches!(self.outcome, Outcome::Passed | Outcome::NotApplicable)
    }
}

const COMPILERS: &[&str] = &["gcc", "clang-19"];
const STANDARDS: &[&str] = &["gnu99", "gnu17"];
const WARNINGS: &[&str] = &["-O1", "-Wall", "-Wextra", "-Werror"];
/// What gcc 14 takes for errors whatever one asks for.
const ERRORS: &[&str] = &[
    "-Werror=implicit-function-declaration",
    "-Werror=int-conversion",
    "-Werror=incompatible-pointer-types",
    "-Werror=implicit-int",
    "-Werror=return-mismatch",
];
/// One compilation, or one run of a suite.
const PATIENCE: Duration = Duration::from_secs(60);

struct Variant {
    compiler: &'static str,
    standard: &'static str,
    /// Those of [`ERRORS`] that the compiler knows.
    errors: Vec<&'static str>,
}

impl Variant {
    fn name(&self) -> String {
        format!("{} {}", self.compiler, self.standard)
    }

    fn command(&self) -> Command {
        let mut command = Command::new(self.compiler);
        command.arg(format!("-std={}", self.standard)).args(&self.errors);
        command
    }
}

pub(super) struct Builder {
    formats: Vec<String>,
    variants: Vec<Variant>,
    unity: PathBuf,
}

impl Builder {
    pub(super) fn new(root: &Path, formats: &[&str]) -> Result<Builder> {
        let mut variants = Vec::new();
        for compiler in COMPILERS {
            let errors: Vec<&str> = ERRORS.iter().copied().filter(|flag| knows(compiler, flag)).collect();
            for standard in STANDARDS {
                variants.push(Variant { compiler, standard, errors: errors.clone() });
            }
        }
        let unity = root.join("crates/cli/tests/report/unity");
        ensure!(unity.join("unity.c").is_file(), "no {}", unity.display());
        Ok(Builder { formats: formats.iter().map(|f| (*f).to_owned()).collect(), variants, unity })
    }

    pub(super) fn variants(&self) -> Vec<String> {
        self.variants.iter().map(Variant::name).collect()
    }

    /// All suites in `out`, in all ways.
    pub(super) fn all(&self, out: &Path, function: &str, files: &[PathBuf], flags: &[String]) -> Result<Vec<Cell>> {
        let mut cells = Vec::new();
        let subject = Subject { out, function, files, flags };
        let main = self.formats.iter().any(|f| f == "gtest").then(|| subject.gtest_main()).transpose()?;
        for variant in &self.variants {
            let compiles = subject.compiles(variant)?;
            for format in &self.formats {
                let outcome = match (compiles, format.as_str()) {
                    (false, _) => Outcome::NotApplicable,
                    (true, "c") => subject.plain(variant)?,
                    (true, format) => subject.framework(variant, format, &self.unity, main.as_ref())?,
                };
                cells.push(Cell { format: format.clone(), variant: variant.name(), outcome });
            }
        }
        Ok(cells)
    }
}

fn knows(compiler: &str, flag: &str) -> bool {
    let mut command = Command::new(compiler);
    command.args(["-Werror", flag, "-fsyntax-only", "-x", "c", "/dev/null"]);
    process::run(&mut command, PATIENCE).is_ok_and(|done| done.status == Some(0))
}

struct Subject<'a> {
    out: &'a Path,
    function: &'a str,
    files: &'a [PathBuf],
    flags: &'a [String],
}

impl Subject<'_> {
    /// Whether the code by itself is C of this kind.
    fn compiles(&self, variant: &Variant) -> Result<bool> {
        for file in self.files {
            let mut command = variant.command();
            command.args(self.flags).args(["-fsyntax-only"]).arg(file);
            if process::run(&mut command, PATIENCE)?.status != Some(0) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn plain(&self, variant: &Variant) -> Result<Outcome> {
        let folder = self.out.join("suite/c");
        let flags = format!("-std={} {} {}", variant.standard, variant.errors.join(" "), WARNINGS.join(" "));
        let mut command = Command::new("make");
        command.args(["-s", "suite"]).arg(format!("CC={}", variant.compiler)).arg(format!("CFLAGS={flags}"));
        command.current_dir(&folder);
        let made = process::run(&mut command, 2 * PATIENCE)?;
        if made.status != Some(0) {
            return Ok(Outcome::NoCompile(first(&made)));
        }
        let mut command = Command::new("./suite");
        command.current_dir(&folder);
        ran(&mut command)
    }

    /// The C++ side of GoogleTest's suite, which is the same in all ways.
    fn gtest_main(&self) -> Result<Result<PathBuf, String>> {
        let folder = self.out.join("suite/gtest");
        let object = folder.join("main.o");
        let mut command = Command::new("g++");
        command.args(["-O0", "-Wall", "-Wextra", "-Werror", "-c", "-o"]).arg(&object);
        command.arg(folder.join(format!("{}.cc", self.stem())));
        let made = process::run(&mut command, 2 * PATIENCE)?;
        Ok(if made.status == Some(0) { Ok(object) } else { Err(first(&made)) })
    }

    fn framework(
        &self,
        variant: &Variant,
        format: &str,
        unity: &Path,
        main: Option<&Result<PathBuf, String>>,
    ) -> Result<Outcome> {
        let folder = self.out.join("suite").join(format);
        let mut objects = Vec::new();
        let mut sources = vec![(folder.join(format!("{}.c", self.stem())), WARNINGS)];
        let support = ["world.c", "failures.c", "device.c", "host.c"].map(|name| folder.join(name));
        sources.extend(support.into_iter().filter(|file| file.is_file()).map(|file| (file, WARNINGS)));
        let included = self.included(&folder)?;
        let others = self.files.iter().filter(|file| **file != included);
        sources.extend(others.map(|file| (file.clone(), &["-w"][..])));
        if format == "unity" {
            sources.push((unity.join("unity.c"), &["-w"][..]));
        }
        for (index, (source, more)) in sources.iter().enumerate() {
            let object = folder.join(format!("{index}.o"));
            let mut command = variant.command();
            command.args(self.flags).args(*more).arg("-I").arg(unity).arg("-c").arg("-o").arg(&object).arg(source);
            let made = process::run(&mut command, PATIENCE)?;
            if made.status != Some(0) {
                return Ok(Outcome::NoCompile(first(&made)));
            }
            objects.push(object);
        }
        let libraries: &[&str] = match format {
            "cmocka" => &["-lcmocka"],
            "check" => &["-lcheck", "-lsubunit", "-lrt", "-lpthread"],
            "gtest" => &["-lgtest", "-lgtest_main", "-lpthread"],
            _ => &[],
        };
        match main.filter(|_| format == "gtest") {
            Some(Ok(object)) => objects.push(object.clone()),
            Some(Err(why)) => return Ok(Outcome::NoCompile(why.clone())),
            None => {}
        }
        let program = folder.join("program");
        let mut command = Command::new(if format == "gtest" { "g++" } else { variant.compiler });
        command.args(&objects).args(libraries).args(["-lm", "-o"]).arg(&program);
        let made = process::run(&mut command, PATIENCE)?;
        if made.status != Some(0) {
            return Ok(Outcome::NoCompile(first(&made)));
        }
        let mut command = Command::new(program);
        command.current_dir(&folder);
        ran(&mut command)
    }

    /// The file of the code that the suite includes.
    fn included(&self, folder: &Path) -> Result<PathBuf> {
        let text = std::fs::read_to_string(folder.join(format!("{}.c", self.stem())))?;
        let (_, rest) = text.split_once("#define COVENANT_SUBJECT \"").context("the suite includes nothing")?;
        let name = rest.split('"').next().unwrap_or_default();
        Ok(folder.join(name).canonicalize()?)
    }

    fn stem(&self) -> String {
        let mut name = String::new();
        for c in self.function.chars() {
            let c = if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
            if c != '_' || !(name.is_empty() || name.ends_with('_')) {
                name.push(c);
            }
        }
        format!("test_{}", name.trim_end_matches('_'))
    }
}

fn ran(command: &mut Command) -> Result<Outcome> {
    let done = process::run(command, PATIENCE)?;
    Ok(if done.status == Some(0) { Outcome::Passed } else { Outcome::Fails(first(&done)) })
}

/// The line that says most.
fn first(done: &Finished) -> String {
    let text = format!("{}\n{}", done.stderr, String::from_utf8_lossy(&done.stdout));
    let says =
        |line: &&str| ["error", "undefined", "expected", "not ok", "FAIL", "Failure"].iter().any(|w| line.contains(w));
    let line = text.lines().find(says).or_else(|| text.lines().rfind(|line| !line.trim().is_empty()));
    let line = line.unwrap_or("no word").trim();
    let status = done.status.map_or_else(|| "killed: ".to_owned(), |_| String::new());
    format!("{status}{}", line.chars().take(160).collect::<String>())
}
