//! A function as a job for workers elsewhere: with all files that its analysis reads, and with words that mean the same there.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use anyhow::{Context, Result};
use covenant_report::root::{marked, plain};
use covenant_report::subject::sha256;
use serde_json::Value;

use super::Job;
use super::catalogue::Catalogue;
use crate::args::GenArgs;
use crate::config;
use crate::queue::archive;
use crate::queue::job;
use crate::request::sources;

/// Digests of files, each read once.
#[derive(Default)]
pub(super) struct Digests(Mutex<HashMap<PathBuf, String>>);

impl Digests {
    fn of(&self, path: &Path) -> Result<String> {
        if let Some(known) = self.0.lock().ok().and_then(|known| known.get(path).cloned()) {
            return Ok(known);
        }
        let content = std::fs::read(path).with_context(|| format!("{} cannot be read", path.display()))?;
        let digest = sha256(&content);
        if let Ok(mut known) = self.0.lock() {
            known.insert(path.to_path_buf(), digest.clone());
        }
        Ok(digest)
    }
}

/// From the root of the file system, without `.` and `..`.
fn absolute(path: &Path) -> Result<PathBuf> {
    Ok(plain(&std::path::absolute(path)?))
}

/// `words` are the command, `from` the results that it starts from.
pub(super) fn job(
    args: &GenArgs,
    (catalogue, digests): (&Catalogue, &Digests),
    asked: &Job<'_>,
    words: &[String],
    from: Option<&Path>,
) -> Result<job::Job> {
    let directory = std::env::current_dir().context("there is no working directory")?;
    let out = absolute(&asked.dir)?;
    let root = catalogue.root(&asked.files);
    let mut made = job::Job {
        function: asked.entry.name.clone(),
        // The same question is the same wherever the project is, but results name their sources from where they are.
        result: {
            let places = [&out, &directory].map(|path| marked(&path.display().to_string(), &root));
            let key = asked.key.lines().next().unwrap_or_default();
            format!("result/{}", sha256(format!("{key}\n{}", places.join("\n")).as_bytes()))
        },
        directory: directory.clone(),
        out: out.clone(),
        ..job::Job::default()
    };
    let mut paths = catalogue.read_for(&asked.files);
    paths.extend(beside(args, asked, from)?);
    for path in paths.iter().map(|path| plain(path)) {
        // What is in the folder of results changes meanwhile.
        let digest = if path.starts_with(&out) { Digests::default().of(&path)? } else { digests.of(&path)? };
        made.files.insert(path, digest);
    }
    // What tells that this is the root; the other marks are files.
    if root.join(".git").exists() {
        made.folders.insert(root.join(".git"));
    }
    // Earlier tests that a search starts from are no part of the key.
    let starts = [from.map(absolute).transpose()?, Some(out.join("found"))];
    let is_start = |path: &Path| starts.iter().flatten().any(|start| path.starts_with(start));
    let earlier: String =
        made.files.iter().filter(|(path, _)| is_start(path)).map(|(_, digest)| digest.as_str()).collect();
    if !earlier.is_empty() {
        made.result = format!("result/{}", sha256(format!("{}\n{earlier}", made.result).as_bytes()));
    }
    let roots =
        [root, directory, out].map(|place| Some(place).filter(|place| !Path::new("/usr/include").starts_with(place)));
    let roots: Vec<PathBuf> = roots.into_iter().flatten().collect();
    if let Some(project) = &args.source.project {
        let place = absolute(project)?.join("compile_commands.json");
        let text = commands(&place, &made.files, &roots, &mut made.folders)?;
        made.files.remove(&place);
        made.texts.insert(place, text);
    }
    made.words = words.iter().map(|word| job::Job::mark(word, &roots, &made.files)).collect();
    Ok(made)
}

/// Files that are no sources: what options name, what people expect, covenant.toml, and earlier results.
fn beside(args: &GenArgs, asked: &Job<'_>, from: Option<&Path>) -> Result<BTreeSet<PathBuf>> {
    let mut found = BTreeSet::new();
    for file in &asked.named {
        found.insert(absolute(file)?);
    }
    let stubs: Vec<PathBuf> =
        asked.named.iter().filter(|file| file.extension().is_some_and(|e| e == "c")).cloned().collect();
    if !stubs.is_empty() {
        let units = sources(&args.source, &args.flags).front_end().compile(&stubs)?;
        found.extend(units.into_iter().flat_map(|unit| unit.headers));
    }
    if !args.project_wide.no_config
        && let Some(file) = config::place(args)
    {
        found.insert(absolute(&file)?);
    }
    for file in covenant::places_of_cases(&asked.dir, &asked.entry.name) {
        found.extend(Some(absolute(&file)?).filter(|file| file.is_file()));
    }
    let is_page = |name: &str| name == "report.html";
    for (folder, start) in
        from.map(|dir| (dir.to_path_buf(), "")).into_iter().chain([(asked.dir.join("found"), "found/")])
    {
        if folder.is_dir() {
            let members =
                archive::gather(&folder, &|name| is_page(name) || (start.is_empty() && name.starts_with("found")))?;
            let folder = absolute(&folder)?;
            found.extend(members.iter().map(|member| folder.join(&member.name)));
        }
    }
    Ok(found)
}

/// The commands of these files alone, with places that are marked.
fn commands(
    place: &Path,
    files: &BTreeMap<PathBuf, String>,
    roots: &[PathBuf],
    folders: &mut BTreeSet<PathBuf>,
) -> Result<String> {
    let text = std::fs::read(place).with_context(|| format!("{} cannot be read", place.display()))?;
    let all: Vec<Value> =
        serde_json::from_slice(&text).with_context(|| format!("{} is no list of commands", place.display()))?;
    let mark = |text: &str| job::Job::mark(text, roots, files);
    let mut kept = Vec::new();
    for mut command in all {
        let directory = PathBuf::from(command["directory"].as_str().unwrap_or("."));
        let file = plain(&directory.join(command["file"].as_str().unwrap_or_default()));
        let is_meant = files.contains_key(&file) || file.canonicalize().is_ok_and(|file| files.contains_key(&file));
        let Some(members) = command.as_object_mut().filter(|_| is_meant) else { continue };
        for (name, value) in members.iter_mut() {
            match (name.as_str(), &mut *value) {
                ("directory", Value::String(text)) if text.starts_with('/') => *text = format!("{}{text}", job::HERE),
                ("command", Value::String(text)) => *text = text.split(' ').map(mark).collect::<Vec<_>>().join(" "),
                ("file" | "output", Value::String(text)) => *text = mark(text),
                ("arguments", Value::Array(words)) => {
                    words.iter_mut().for_each(|word| *word = Value::from(mark(word.as_str().unwrap_or_default())));
                }
                _ => {}
            }
        }
        folders.insert(absolute(&directory)?);
        kept.push(command);
    }
    Ok(serde_json::to_string(&kept)?)
}

/// Removes results of before, which others take the place of; what people wrote stays.
pub(super) fn clear(dir: &Path) {
    for folder in ["tests", "proofs", "suite", "queries", "found"] {
        let _ = std::fs::remove_dir_all(dir.join(folder));
    }
    for file in ["report.json", "subject.json", "coverage.json"] {
        let _ = std::fs::remove_file(dir.join(file));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_needed_of_the_commands_travels() {
        let home = tempfile::tempdir().unwrap();
        let home = home.path().canonicalize().unwrap();
        for name in ["a.c", "b.c"] {
            std::fs::write(home.join(name), "").unwrap();
        }
        let shown = home.display().to_string();
        let text = serde_json::json!([
            { "directory": format!("{shown}/build"), "file": "../a.c", "command": format!("cc -I{shown}/inc -I/usr/include ../a.c") },
            { "directory": shown, "file": "b.c", "arguments": ["cc", "b.c"] },
        ]);
        std::fs::create_dir(home.join("build")).unwrap();
        let place = home.join("compile_commands.json");
        std::fs::write(&place, text.to_string()).unwrap();
        let files = BTreeMap::from([(home.join("a.c"), String::new())]);
        let mut folders = BTreeSet::new();
        let made = commands(&place, &files, std::slice::from_ref(&home), &mut folders).unwrap();
        let made: Value = serde_json::from_str(&made).unwrap();
        let expected = serde_json::json!([{
            "directory": format!("${{here}}{shown}/build"),
            "file": "../a.c",
            "command": format!("cc -I${{here}}{shown}/inc -I/usr/include ../a.c"),
        }]);
        assert_eq!(made, expected);
        assert_eq!(folders, BTreeSet::from([home.join("build")]));
    }
}
