//! What clang has to say about a file besides compiling it.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{ChildStdout, Command, Stdio};

use super::{Error, FrontEnd, Unit, plain_name};

/// A file as clang is told of it.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    /// Absolute, or relative to `directory`.
    pub file: &'a Path,
    /// Where clang runs.
    pub directory: &'a Path,
    /// The user's flags for the file, filtered ([`super::Unit::flags`]).
    pub flags: &'a [String],
}

/// What clang is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Look {
    /// The syntax tree, as JSON.
    Syntax,
    /// The text behind the preprocessor.
    Text,
    /// The macros that are defined at the end.
    Macros,
}

impl Look {
    fn flags(self) -> &'static [&'static str] {
        match self {
            Look::Syntax => &["-fsyntax-only", "-Xclang", "-ast-dump=json"],
            Look::Text => &["-E", "-P"],
            Look::Macros => &["-E", "-dM"],
        }
    }
}

impl Unit {
    /// The file's name from the root.
    pub fn absolute(&self) -> PathBuf {
        let path = self.directory.join(&self.file);
        std::fs::canonicalize(&self.file).or_else(|_| std::fs::canonicalize(&path)).unwrap_or(path)
    }

    fn look_at_text(&self, what: Look) -> String {
        let file = self.absolute();
        let input = Input { file: &file, directory: &self.directory, flags: &self.flags };
        FrontEnd::default().look_at_text(&input, what).unwrap_or_default()
    }

    /// The text behind the preprocessor; empty if clang does not say.
    pub fn preprocessed(&self) -> String {
        self.look_at_text(Look::Text)
    }

    /// The macros at the end of the file: what stands behind their names.
    pub fn macros(&self) -> BTreeMap<String, String> {
        let mut macros = BTreeMap::new();
        for definition in self.look_at_text(Look::Macros).lines().filter_map(|line| line.strip_prefix("#define ")) {
            let end = definition.find([' ', '(']).unwrap_or(definition.len());
            macros.insert(definition[..end].to_owned(), definition[end..].to_owned());
        }
        macros
    }
}

impl FrontEnd {
    /// Hands what clang writes to `reader`, while it is written.
    pub fn look<T>(
        &self,
        input: &Input<'_>,
        what: Look,
        reader: impl FnOnce(&mut ChildStdout) -> T,
    ) -> Result<T, Error> {
        let clang = self.find_clang()?;
        let scratch = tempfile::Builder::new().prefix("covenant-").tempdir().map_err(Error::Temporary)?;
        let mut command = Command::new(&clang);
        covenant_sandbox::limit_compiler(&mut command, scratch.path());
        command.current_dir(input.directory).args(input.flags).arg("-w").args(what.flags());
        command.arg("--").arg(plain_name(input.file));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let not_runnable = |source| Error::NotRunnable { path: clang.clone(), source };
        let mut child = command.spawn().map_err(not_runnable)?;
        let read = child.stdout.take().map(|mut output| reader(&mut output));
        // A reader that stops early closes the pipe, which ends clang.
        let status = child.wait().map_err(not_runnable)?;
        let file = || input.file.to_path_buf();
        match read {
            Some(read) if status.success() => Ok(read),
            _ => Err(Error::Stopped { file: file(), what: status.to_string() }),
        }
    }

    /// The text that clang writes.
    pub fn look_at_text(&self, input: &Input<'_>, what: Look) -> Result<String, Error> {
        let mut bytes = Vec::new();
        let read = self.look(input, what, |output| output.read_to_end(&mut bytes))?;
        read.map_err(Error::Temporary)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}
