//! The project's root, and files that move with it.
//!
//! Results name files below the root by the way from there, so that they can be committed, cloned and moved. `subject.json`
//! says where the root is, seen from the results. In memory all places are absolute.

use std::path::{Component, Path, PathBuf};

use serde_json::Value;

use crate::subject::{SubjectFile, SubjectInfo, below};

/// What lies at the root of a project.
const MARKS: &[&str] = &["covenant.toml", ".git", "compile_commands.json"];

/// Stands for the root in flags and in the words of a command.
pub(crate) const ROOT: &str = "${root}";

/// Flags that name a place.
const PLACES: &[&str] = &["-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-I"];

/// The root of the project that these files belong to, all absolute: the nearest directory above all of them that has a
/// `covenant.toml`, a `.git` or a `compile_commands.json`; else the working directory, if they are below it; else the directory
/// that they share.
pub fn find<'a>(files: impl IntoIterator<Item = &'a Path>, working: &Path) -> PathBuf {
    let shared = shared(files);
    let is_marked = |folder: &&Path| folder.parent().is_some() && MARKS.iter().any(|mark| folder.join(mark).exists());
    match shared.ancestors().find(is_marked) {
        Some(marked) => marked.to_path_buf(),
        None if working.parent().is_some() && shared.starts_with(working) => working.to_path_buf(),
        None => shared,
    }
}

/// The directory that all files share; of one file, its own.
pub(crate) fn shared<'a>(files: impl IntoIterator<Item = &'a Path>) -> PathBuf {
    let mut files = files.into_iter();
    let first = files.next().and_then(Path::parent).map(Path::to_path_buf).unwrap_or_default();
    files.fold(first, |base, path| {
        let folder = path.parent().unwrap_or(path);
        base.components().zip(folder.components()).take_while(|(a, b)| a == b).map(|(a, _)| a).collect()
    })
}

/// As the results in `dir` have it.
pub(crate) fn kept(mut subject: SubjectInfo, dir: &Path) -> SubjectInfo {
    let root = subject.root.clone();
    if root.as_os_str().is_empty() {
        return subject;
    }
    gather(&mut subject, &root);
    for file in &mut subject.files {
        for place in [&mut file.path, &mut file.directory] {
            *place = below(place, &root);
        }
        file.flags.iter_mut().for_each(|flag| *flag = marked(flag, &root));
        let headers = std::mem::take(&mut file.content.headers);
        file.content.headers = headers.into_iter().map(|(path, digest)| (below(&path, &root), digest)).collect();
    }
    subject.working_directory = below(&subject.working_directory, &root);
    subject.command.iter_mut().for_each(|word| *word = marked(word, &root));
    strings(&mut subject.request, &|text| marked(text, &root));
    subject.root = to_root(dir, &root);
    subject
}

/// As it is used.
pub(crate) fn placed(mut subject: SubjectInfo, dir: &Path) -> SubjectInfo {
    if subject.root.as_os_str().is_empty() {
        return subject;
    }
    let joined = dir.join(&subject.root);
    let root = joined.canonicalize().unwrap_or(joined);
    for file in &mut subject.files {
        for place in [&mut file.path, &mut file.directory] {
            *place = plain(&root.join(&*place));
        }
        file.flags.iter_mut().for_each(|flag| *flag = unmarked(flag, &root));
        let headers = std::mem::take(&mut file.content.headers);
        file.content.headers = headers.into_iter().map(|(path, digest)| (plain(&root.join(path)), digest)).collect();
        // Directories of a build are not committed.
        if !file.directory.is_dir() {
            move_compiler(file, &root);
        }
    }
    subject.working_directory = plain(&root.join(&subject.working_directory));
    subject.command.iter_mut().for_each(|word| *word = unmarked(word, &root));
    strings(&mut subject.request, &|text| unmarked(text, &root));
    subject.root = root;
    subject
}

/// Lets all that was done above the root be done in it, since what is there does not move along.
fn gather(subject: &mut SubjectInfo, root: &Path) {
    for file in &mut subject.files {
        let above =
            !file.directory.as_os_str().is_empty() && file.directory != root && root.starts_with(&file.directory);
        if above {
            move_compiler(file, root);
        }
    }
    let working = subject.working_directory.clone();
    if working == root || !root.starts_with(&working) {
        return;
    }
    let Some(sources) = subject.request.get_mut("sources").and_then(Value::as_object_mut) else { return };
    let place = |value: &mut Value| {
        if let Some(text) = value.as_str().filter(|text| !text.is_empty()) {
            *value = Value::from(below(&plain(&working.join(text)), root).display().to_string());
        }
    };
    if let Some(Value::Array(files)) = sources.get_mut("files") {
        files.iter_mut().for_each(place);
    }
    if let Some(project) = sources.get_mut("project") {
        place(project);
    }
    if let Some(Value::Array(flags)) = sources.get_mut("flags") {
        let texts: Vec<String> = flags.iter().filter_map(|f| f.as_str().map(str::to_owned)).collect();
        *flags = from_root(&texts, &working).into_iter().map(Value::from).collect();
    }
    subject.working_directory = root.to_path_buf();
}

fn move_compiler(file: &mut SubjectFile, to: &Path) {
    file.path = plain(&file.directory.join(&file.path));
    file.flags = from_root(&file.flags, &file.directory);
    file.directory = to.to_path_buf();
}

/// Flags that mean the same wherever the compiler runs.
pub(crate) fn from_root(flags: &[String], directory: &Path) -> Vec<String> {
    let absolute = |place: &str| plain(&directory.join(place)).display().to_string();
    let mut all = Vec::new();
    let mut flags = flags.iter();
    while let Some(flag) = flags.next() {
        let place = PLACES.iter().find_map(|name| Some((name, flag.strip_prefix(name)?)));
        match place {
            Some((name, "")) => all.extend([(*name).to_owned(), flags.next().map(|p| absolute(p)).unwrap_or_default()]),
            Some((name, place)) => all.push(format!("{name}{}", absolute(place))),
            None => all.push(flag.clone()),
        }
    }
    all
}

/// The way from results to the root; absolute where they are not below it, since they do not move together then.
pub(crate) fn to_root(dir: &Path, root: &Path) -> PathBuf {
    let dir = std::path::absolute(dir).unwrap_or_else(|_| dir.to_path_buf());
    let dir = dir.canonicalize().unwrap_or(dir);
    match dir.strip_prefix(root) {
        Ok(rest) if rest.as_os_str().is_empty() => PathBuf::from("."),
        Ok(rest) => rest.components().map(|_| Component::ParentDir).collect(),
        Err(_) => root.to_path_buf(),
    }
}

/// Without `.` and, where that can be told from the path alone, `..`.
pub fn plain(path: &Path) -> PathBuf {
    let mut found = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(found.components().next_back(), Some(Component::Normal(_))) => {
                found.pop();
            }
            part => found.push(part),
        }
    }
    found
}

/// Text with a word in place of the root.
pub fn marked(text: &str, root: &Path) -> String {
    if root.as_os_str().is_empty() {
        return text.to_owned();
    }
    let root = root.display().to_string();
    let goes_on = |c: char| c.is_alphanumeric() || "_-.".contains(c);
    let (mut out, mut rest) = (String::new(), text);
    while let Some(at) = rest.find(&root) {
        let behind = &rest[at + root.len()..];
        out.push_str(&rest[..at]);
        out.push_str(if behind.starts_with(goes_on) { &root } else { ROOT });
        rest = behind;
    }
    out + rest
}

fn unmarked(text: &str, root: &Path) -> String {
    text.replace(ROOT, &root.display().to_string())
}

fn strings(value: &mut Value, change: &dyn Fn(&str) -> String) {
    match value {
        Value::String(text) => *text = change(text),
        Value::Array(values) => values.iter_mut().for_each(|value| strings(value, change)),
        Value::Object(members) => members.values_mut().for_each(|value| strings(value, change)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_root_is_where_its_marks_are() {
        let dir = tempfile::tempdir().unwrap();
        let home = dir.path().canonicalize().unwrap();
        std::fs::create_dir_all(home.join("p/src/deep")).unwrap();
        let (a, b) = (home.join("p/src/a.c"), home.join("p/src/deep/b.c"));
        let found = |working: &str| find([a.as_path(), b.as_path()], &home.join(working));
        assert_eq!((found("p"), found("elsewhere")), (home.join("p"), home.join("p/src")));
        std::fs::write(home.join("p/covenant.toml"), "").unwrap();
        assert_eq!((found("p/src"), found("elsewhere")), (home.join("p"), home.join("p")));
    }

    #[test]
    fn subjects_move_with_their_results() {
        let dir = tempfile::tempdir().unwrap();
        let home = dir.path().canonicalize().unwrap();
        let subject = |root: &Path| SubjectInfo {
            root: root.to_path_buf(),
            files: vec![SubjectFile {
                path: root.join("src/a.c"),
                directory: root.join("build"),
                flags: vec![format!("-I{}/include", root.display()), "-DX=1".to_owned()],
                ..SubjectFile::default()
            }],
            command: vec!["gen".to_owned(), "src/a.c".to_owned()],
            request: serde_json::json!({ "sources": { "files": ["src/a.c"], "project": root.join("build") } }),
            working_directory: root.to_path_buf(),
            ..SubjectInfo::default()
        };
        let (old, new) = (home.join("old"), home.join("new"));
        for root in [&old, &new] {
            std::fs::create_dir_all(root.join("out/f")).unwrap();
            std::fs::create_dir_all(root.join("build")).unwrap();
        }
        let stored = kept(subject(&old), &old.join("out/f"));
        let text = serde_json::to_string(&stored).unwrap();
        assert!(!text.contains(home.to_str().unwrap()), "{text}");
        assert_eq!(placed(stored.clone(), &new.join("out/f")), subject(&new));
        // Without the directory that the compiler ran in.
        std::fs::remove_dir(new.join("build")).unwrap();
        assert_eq!(placed(stored, &new.join("out/f")).files[0].directory, new);
    }

    #[test]
    fn results_elsewhere_keep_the_place_of_the_root() {
        assert_eq!(to_root(Path::new("/elsewhere/f"), Path::new("/p")), Path::new("/p"));
        assert_eq!(to_root(Path::new("/p/out/f"), Path::new("/p")), Path::new("../.."));
    }

    #[test]
    fn what_was_done_above_the_root_is_done_in_it() {
        let flags = ["-Iinc", "-isystem", "sys", "-DX=/w/p"].map(str::to_owned);
        assert_eq!(from_root(&flags, Path::new("/w")), ["-I/w/inc", "-isystem", "/w/sys", "-DX=/w/p"]);
        assert_eq!(marked("-I/w/p/inc:/w/pp", Path::new("/w/p")), "-I${root}/inc:/w/pp");
    }
}
