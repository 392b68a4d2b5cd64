//! Mutants of which the compiler makes the same code as of the program.
//!
//! An optimising compiler brings many ways to write something to one: where it makes the same instructions of a mutant and of the
//! program, no test can tell them apart. That holds for functions with loops, pointers and calls as for others, and asks no solver.
//! Two things keep it honest. A compiler may take for granted that nothing undefined happens; so what it would conclude that from
//! is defined here (arithmetic that wraps, locals with a start value, loops that may not end, addresses that may be null), or ends
//! the program at once, in both or in none. And a test may call and set what is local to the file; so nothing is, when the
//! compiler begins to change the code.

use std::path::Path;
use std::process::Command;

use super::build::{self, command_for};
use super::{Mutants, Text, rewrite};
use crate::replay::build::compile;
use crate::subject::SubjectFile;
use crate::{Error, files};

/// What C leaves undefined is defined, or a trap.
const DEFINED: &[&str] = &[
    "-fwrapv",
    "-fno-strict-aliasing",
    "-fno-delete-null-pointer-checks",
    "-fno-finite-loops",
    "-ftrivial-auto-var-init=pattern",
    // What functions of these names do is not known.
    "-fno-builtin",
    // Also functions that nobody calls: a test does.
    "-femit-all-decls",
    "-fsanitize=undefined,float-cast-overflow,float-divide-by-zero",
    "-fno-sanitize=signed-integer-overflow,function",
    "-fsanitize-trap=all",
];

/// How hard the compiler tries: what differs in one way to do it may be the same in another.
const LEVELS: &[&str] = &["-O2", "-Os"];

/// The code of a file as it is, at each level.
type Code = Vec<String>;

impl Mutants {
    /// Survivors of which the compiler makes the code that it makes of the program. `is_over`: whether to stop.
    pub fn same_code(&self, is_over: &mut dyn FnMut() -> bool) -> Vec<u32> {
        let mut found = Vec::new();
        let mut known: Vec<Option<Code>> = vec![None; self.sources.len()];
        for mutant in self.survivors() {
            if is_over() {
                break;
            }
            // What cannot be compiled stays a survivor.
            let Some((file, change, _)) = self.changes.get((mutant.number as usize).saturating_sub(1)) else {
                continue;
            };
            let (Some(Text { text, .. }), Some(code)) = (self.sources.get(*file), known.get_mut(*file)) else {
                continue;
            };
            if code.is_none() {
                *code = Some(self.code(*file, text).unwrap_or_default());
            }
            let own = code.as_deref().unwrap_or_default();
            if own.is_empty() {
                continue;
            }
            let define = format!("#define covenant_mutant {}\n#line 1\n", mutant.number);
            let text = format!("{define}{}", rewrite::rewrite(text, &[(mutant.number, change)]));
            if self.code(*file, &text).is_ok_and(|code| code.iter().zip(own).any(|(new, old)| new == old)) {
                found.push(mutant.number);
            }
        }
        found
    }

    /// What the compiler makes of a text in the place of a file.
    fn code(&self, file: usize, text: &str) -> Result<Code, Error> {
        let folder = self.scratch.path().join("same");
        std::fs::create_dir_all(&folder).map_err(Error::file(&folder))?;
        // One name for all, which the code may have in it.
        let source = folder.join(format!("code{file}.c"));
        files::write_file(&source, text.as_bytes())?;
        let Some(Text { path, unit, .. }) = self.sources.get(file) else { return Ok(Code::new()) };
        let (Some(given), Some(unit)) = (self.subject.files.get(*unit), self.sources.get(*unit)) else {
            return Ok(Code::new());
        };
        if path == &unit.path {
            return LEVELS.iter().map(|level| self.code_at((given, &[]), &source, level)).collect();
        }
        // A header: the file that includes it is as it is. Others may include it, too, and be other code then.
        if self.subject.files.len() > 1 {
            return Ok(Code::new());
        }
        let including = folder.join("including.c");
        files::write_file(&including, unit.text.as_bytes())?;
        let flags = build::overlay(&folder.join("overlay.json"), &[(path.as_path(), source)])?;
        LEVELS.iter().map(|level| self.code_at((given, &flags), &including, level)).collect()
    }

    fn code_at(&self, (file, flags): (&SubjectFile, &[String]), source: &Path, level: &str) -> Result<String, Error> {
        let (folder, made) = (source.parent().unwrap_or(Path::new("/")), |name: &str| source.with_extension(name));
        let mut command = command_for(&self.clang, file);
        command.args(DEFINED).args(flags).args([
            level,
            "-g0",
            "-w",
            "-Xclang",
            "-disable-llvm-passes",
            "-emit-llvm",
            "-S",
            "-o",
        ]);
        compile(shown(command, &made("ll"), source), folder, "a mutant")?;
        let (unchanged, open, code) = (made("ll"), made("open.ll"), made("s"));
        let text = std::fs::read_to_string(&unchanged).map_err(Error::file(&unchanged))?;
        files::write_file(&open, opened(&text).as_bytes())?;
        let mut command = Command::new(&self.clang);
        command.args([level, "-g0", "-w", "-S", "-o"]);
        compile(shown(command, &code, &open), folder, "a mutant")?;
        std::fs::read_to_string(&code).map_err(Error::file(&code))
    }
}

/// A command with what it makes, and of what.
fn shown(mut command: Command, to: &Path, from: &Path) -> Command {
    command.arg(to).arg("--").arg(from);
    command
}

/// LLVM's text with functions and variables that are local to the file made known to others, who may call and set them.
fn opened(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        let is_definition = line.starts_with("define ") || line.starts_with('@');
        let is_name = |before: &str| before.strip_suffix(" =").is_some_and(|name| !name.contains(' '));
        match line.split_once(" internal ").filter(|_| is_definition) {
            // Before it there is `define`, or a name and `=`. A string may have the word in it, too.
            Some((before, behind)) if before == "define" || is_name(before) => {
                out.push_str(before);
                out.push(' ');
                out.push_str(behind);
            }
            _ => out.push_str(line),
        }
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::opened;

    #[test]
    fn what_is_local_becomes_known() {
        let text = "@count = internal global i32 0, align 4\n@.str = private constant [9 x i8] c\"a = internal b\"\n\
                    define internal i32 @f(i32 %0) #0 {\n  ret i32 %0\n}\n";
        let wanted = "@count = global i32 0, align 4\n@.str = private constant [9 x i8] c\"a = internal b\"\n\
                      define i32 @f(i32 %0) #0 {\n  ret i32 %0\n}\n";
        assert_eq!(opened(text), wanted);
    }
}
