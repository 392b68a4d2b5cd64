//! `compile_commands.json`: the flags of each file of a project.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::{Error, Recorded, flags, vendor};

const NAME: &str = "compile_commands.json";

/// Programs that run the compiler named after them.
const LAUNCHERS: &[&str] = &["ccache", "sccache", "distcc", "icecc", "colorgcc"];

/// An entry as it stands in the file.
#[derive(Deserialize)]
struct Raw {
    directory: PathBuf,
    file: PathBuf,
    arguments: Option<Vec<String>>,
    command: Option<String>,
}

/// How a project compiles one file.
pub(super) struct Entry {
    pub(super) directory: PathBuf,
    pub(super) file: PathBuf,
    pub(super) flags: Vec<String>,
}

pub(super) struct Database {
    path: PathBuf,
    entries: Vec<Entry>,
}

impl Database {
    pub(super) fn read(project: &Path) -> Result<Database, Error> {
        let path = if project.is_file() { project.to_path_buf() } else { project.join(NAME) };
        let bad = |message: String| Error::BadDatabase { file: path.clone(), message };
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Err(Error::NoDatabase(path)),
            Err(e) => return Err(bad(e.to_string())),
        };
        let raw: Vec<Raw> = serde_json::from_str(&text).map_err(|e| bad(e.to_string()))?;
        // A relative directory counts from the database.
        let base = path.parent().map(Path::to_path_buf).unwrap_or_default();
        let base = std::path::absolute(&base).unwrap_or(base);
        let entries = raw.into_iter().map(|entry| entry.read(&base)).collect::<Result<_, _>>().map_err(bad)?;
        Ok(Database { path, entries })
    }

    /// What was recorded, in place of a file that is not there.
    pub(super) fn of(recorded: &[Recorded]) -> Database {
        let entry = |one: &Recorded| Entry {
            directory: one.directory.clone(),
            file: one.file.clone(),
            flags: one.flags.clone(),
        };
        Database { path: PathBuf::from(NAME), entries: recorded.iter().map(entry).collect() }
    }

    /// The first entry of a file: a project may compile one twice.
    pub(super) fn entry(&self, file: &Path) -> Result<&Entry, Error> {
        let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        let wanted = real(file);
        let found = self.entries.iter().find(|e| {
            // The name is compared first: it is cheaper than asking the file system.
            e.file.file_name() == file.file_name() && real(&e.directory.join(&e.file)) == wanted
        });
        let found = found.or_else(|| self.entries.iter().find(|e| real(&e.directory.join(&e.file)) == wanted));
        found.ok_or_else(|| Error::NotInDatabase { file: file.to_path_buf(), database: self.path.clone() })
    }
}

impl Raw {
    fn read(self, base: &Path) -> Result<Entry, String> {
        let name = self.file.display().to_string();
        let arguments = match (self.arguments, self.command) {
            (Some(arguments), _) => arguments,
            (None, Some(command)) => flags::split(&command).map_err(|e| format!("the command of {name}: {e}"))?,
            (None, None) => return Err(format!("the entry of {name} has neither `arguments` nor `command`")),
        };
        let launched = arguments.first().is_some_and(|program| {
            let program = Path::new(program).file_name().and_then(|n| n.to_str()).unwrap_or_default();
            LAUNCHERS.contains(&program)
        });
        let first = usize::from(launched);
        let compiler = arguments.get(first).map(|program| Path::new(program).file_name().unwrap_or_default());
        let compiler = compiler.and_then(|name| name.to_str()).unwrap_or_default();
        let own = arguments.get(first + 1..).unwrap_or_default();
        let directory = base.join(&self.directory);
        let files_named = vendor::argument_files(compiler, own);
        let own = response_files(&files_named, &directory, 0).map_err(|e| format!("the command of {name}: {e}"))?;
        let own = vendor::translated(compiler, &own).unwrap_or(own);
        let (given, _) = flags::filter(&own);
        let mut kept = flags::of_compiler(compiler);
        kept.extend(given);
        // These warnings may be another compiler's, and our flags add some.
        kept.retain(|flag| flag != "-Werror" && flag != "-pedantic-errors");
        Ok(Entry { directory, file: self.file, flags: kept })
    }
}

/// Files of arguments may name others, to this depth.
const DEPTH: u32 = 8;
/// The largest file of arguments.
const LARGEST: u64 = 1 << 20;

/// Puts what stands in files of arguments (`@FILE`) in their place, so that it goes through the same sieve as the rest.
fn response_files(arguments: &[String], directory: &Path, depth: u32) -> Result<Vec<String>, String> {
    let mut all = Vec::new();
    for argument in arguments {
        let Some(file) = argument.strip_prefix('@') else {
            all.push(argument.clone());
            continue;
        };
        let path = directory.join(file);
        let small = std::fs::metadata(&path).is_ok_and(|meta| meta.is_file() && meta.len() <= LARGEST);
        if depth == DEPTH || !small {
            return Err(format!("`{argument}` is not a file of arguments, or is too large or too deep"));
        }
        let text = std::fs::read_to_string(&path).map_err(|e| format!("`{argument}`: {e}"))?;
        let inner = flags::split(&text).map_err(|e| format!("`{argument}`: {e}"))?;
        all.extend(response_files(&inner, directory, depth + 1)?);
    }
    Ok(all)
}
