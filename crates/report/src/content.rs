//! What the code under test was when results were made of it, and what of it has changed since.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use covenant_program::clang::Unit;
use covenant_program::ir::{Function, Origin, Program};

use crate::subject::{Content, SubjectFile, SubjectInfo, sha256};

impl Content {
    /// What a file is now; `program` has its functions, and perhaps others.
    pub fn of(unit: &Unit, program: &Program) -> Content {
        let digest = |path: &PathBuf| (path.clone(), digest(path).unwrap_or_default());
        let headers: BTreeMap<PathBuf, String> = unit.headers.iter().map(digest).collect();
        let mut texts = Texts::default();
        let own = |function: &&Function| function.origin == Origin::Subject && function.body.is_some();
        let functions = program.functions.values().filter(own).filter_map(|function| {
            let (place, lines) = texts.lines(program, function)?;
            let is_here = place == unit.path || headers.contains_key(&place);
            is_here.then(|| (function.source_name().to_owned(), sha256(lines.as_bytes())))
        });
        Content { functions: functions.collect(), sha256: self::digest(&unit.path).unwrap_or_default(), headers }
    }

    /// The functions that are not what they were.
    fn changed_functions(&self, now: &Content) -> Vec<String> {
        let names: BTreeSet<&String> = self.functions.keys().chain(now.functions.keys()).collect();
        let changed = names.into_iter().filter(|name| self.functions.get(*name) != now.functions.get(*name));
        changed.cloned().collect()
    }
}

fn digest(path: &Path) -> Option<String> {
    std::fs::read(path).ok().map(|text| sha256(&text))
}

/// Files, each read once.
#[derive(Default)]
struct Texts(HashMap<PathBuf, Option<(PathBuf, Vec<String>)>>);

impl Texts {
    /// Where a function is, and its lines.
    fn lines(&mut self, program: &Program, function: &Function) -> Option<(PathBuf, String)> {
        let (file, body) = (function.loc.file()?, function.body.as_ref()?);
        let ends = body.insts.values().map(|inst| inst.loc).chain(body.blocks.values().map(|block| block.term_loc));
        let last = ends.filter(|loc| loc.file() == Some(file)).map(|loc| loc.line).max()? as usize;
        let named = &program.files[file];
        let name = Path::new(&named.directory).join(&named.name);
        let read = |name: &PathBuf| {
            let text = std::fs::read(name).ok()?;
            let lines = String::from_utf8_lossy(&text).lines().map(|line| line.trim().to_owned()).collect();
            Some((name.canonicalize().ok()?, lines))
        };
        let (place, lines) = self.0.entry(name).or_insert_with_key(read).as_ref()?;
        let first = (function.loc.line as usize).saturating_sub(1);
        Some((place.clone(), lines.get(first..last.max(first)).unwrap_or_default().join("\n")))
    }
}

/// The files that are not what they were, in words; `now` is the same subject, loaded once more, if that can be done: with it the
/// functions are named.
pub fn changes(before: &SubjectInfo, now: Option<&SubjectInfo>) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for (index, file) in before.files.iter().enumerate() {
        let now = now.and_then(|now| now.files.get(index));
        for change in of_file(before, file, now) {
            if !all.contains(&change) {
                all.push(change);
            }
        }
    }
    all
}

fn of_file(subject: &SubjectInfo, file: &SubjectFile, now: Option<&SubjectFile>) -> Vec<String> {
    let shown = |path: &Path| subject.name(path);
    let own = file.absolute();
    if file.content.sha256.is_empty() {
        return vec![format!("what {} was is not recorded", shown(&own))];
    }
    let recorded = std::iter::once((&own, &file.content.sha256)).chain(&file.content.headers);
    let mut changed = Vec::new();
    for (path, before) in recorded {
        match digest(path) {
            None => changed.push(format!("{} is gone", shown(path))),
            Some(digest) if digest != *before => changed.push(format!("{} has changed", shown(path))),
            Some(_) => {}
        }
    }
    let Some(now) = now else { return changed };
    if !changed.is_empty() {
        let functions = file.content.changed_functions(&now.content);
        let more = match &functions[..] {
            [] => "; its functions are what they were".to_owned(),
            names => format!(": {}", few(names)),
        };
        changed.iter_mut().take(1).for_each(|words| words.push_str(&more));
    }
    if file.flags != now.flags {
        changed.push(format!("{} is compiled with other flags", shown(&own)));
    }
    changed
}

/// Not too many of them.
fn few(names: &[String]) -> String {
    const MOST: usize = 5;
    let more = names.len().saturating_sub(MOST);
    let shown = names[..names.len().min(MOST)].join(", ");
    if more == 0 { shown } else { format!("{shown} and {more} more") }
}
