//! Several small files as one object: for each a line with its name, one with its size and whether it can be executed, then its bytes.

use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result, ensure};
use covenant_report::files;

/// A file by its way from the folder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Member {
    pub(crate) name: String,
    pub(crate) runs: bool,
    pub(crate) content: Vec<u8>,
}

/// All files below a folder, by name, but for those that `leaves` names.
pub(crate) fn gather(folder: &Path, leaves: &dyn Fn(&str) -> bool) -> Result<Vec<Member>> {
    let mut found = Vec::new();
    add(folder, "", leaves, &mut found)?;
    found.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(found)
}

fn add(folder: &Path, start: &str, leaves: &dyn Fn(&str) -> bool, found: &mut Vec<Member>) -> Result<()> {
    let entries = std::fs::read_dir(folder).with_context(|| format!("{} cannot be read", folder.display()))?;
    for entry in entries {
        let entry = entry?;
        let Ok(name) = entry.file_name().into_string() else { continue };
        let name = format!("{start}{name}");
        let kind = entry.file_type()?;
        if leaves(&name) {
            continue;
        }
        if kind.is_dir() {
            add(&entry.path(), &format!("{name}/"), leaves, found)?;
        } else if kind.is_file() {
            let path = entry.path();
            let content = std::fs::read(&path).with_context(|| format!("{} cannot be read", path.display()))?;
            let runs = entry.metadata()?.permissions().mode() & 0o100 != 0;
            found.push(Member { name, runs, content });
        }
    }
    Ok(())
}

pub(crate) fn pack(members: &[Member]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for member in members {
        bytes.extend(format!("{}\n{} {}\n", member.name, member.content.len(), u8::from(member.runs)).bytes());
        bytes.extend(&member.content);
    }
    bytes
}

pub(crate) fn unpack(mut bytes: &[u8]) -> Result<Vec<Member>> {
    let mut members = Vec::new();
    while !bytes.is_empty() {
        let name = line(&mut bytes)?;
        let head = line(&mut bytes)?;
        let (size, runs) = head.split_once(' ').context("what came is damaged")?;
        let size: usize = size.parse().context("what came is damaged")?;
        ensure!(size <= bytes.len(), "what came is not whole");
        let (content, rest) = bytes.split_at(size);
        ensure!(is_inside(Path::new(&name)), "what came has a file outside of its folder: {name}");
        members.push(Member { name, runs: runs == "1", content: content.to_vec() });
        bytes = rest;
    }
    Ok(members)
}

fn line(bytes: &mut &[u8]) -> Result<String> {
    let end = bytes.iter().position(|byte| *byte == b'\n').context("what came is damaged")?;
    let text = std::str::from_utf8(&bytes[..end]).context("what came is damaged")?.to_owned();
    *bytes = &bytes[end + 1..];
    Ok(text)
}

/// Whether a name leads to somewhere below its folder.
pub(crate) fn is_inside(name: &Path) -> bool {
    !name.as_os_str().is_empty() && name.components().all(|part| matches!(part, Component::Normal(_)))
}

/// Writes members below a folder.
pub(crate) fn write(folder: &Path, members: &[Member]) -> Result<()> {
    for member in members {
        let path: PathBuf = folder.join(&member.name);
        files::write_file(&path, &member.content)?;
        if member.runs {
            let mut mode = std::fs::metadata(&path)?.permissions();
            mode.set_mode(mode.mode() | 0o111);
            std::fs::set_permissions(&path, mode).with_context(|| path.display().to_string())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(name: &str, runs: bool, content: &[u8]) -> Member {
        Member { name: name.to_owned(), runs, content: content.to_vec() }
    }

    #[test]
    fn what_is_packed_comes_out() {
        let from = tempfile::tempdir().unwrap();
        let all =
            [member("a/b.txt", false, b"1\n\xff2"), member("empty", false, b""), member("run.sh", true, b"#!/bin/sh")];
        write(from.path(), &all).unwrap();
        std::fs::write(from.path().join("page.html"), "left").unwrap();
        let found = gather(from.path(), &|name| name.ends_with(".html")).unwrap();
        assert_eq!(found, all);
        assert_eq!(unpack(&pack(&found)).unwrap(), all);
    }

    #[test]
    fn what_is_damaged_is_refused() {
        let whole = pack(&[member("a", false, b"12345")]);
        assert!(unpack(&whole[..whole.len() - 1]).is_err());
        for name in ["../a", "/etc/passwd", "", "a/../../b"] {
            assert!(unpack(&pack(&[member(name, false, b"")])).is_err(), "{name}");
        }
    }
}
