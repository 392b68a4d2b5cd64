//! Names of files: where a path leads, and what is done to names.
//!
//! The directory that a program starts in is empty and has no name: natively it is a fresh one each time. Its files have
//! their path from there as name, the directory itself the empty one. What lies outside is not modelled: it is not there in
//! most systems' eyes, but why a call fails (or whether a file can be read after all) differs.

use super::files::{CREATE, EEXIST, EINVAL, EISDIR, ENOENT, Files, Node, WRITE};

const EBUSY: i64 = 16;
pub(crate) const ENOTDIR: i64 = 20;
const ENAMETOOLONG: i64 = 36;
const ENOTEMPTY: i64 = 39;
/// Bytes of a path with its zero, and of one name in it.
const LONGEST_PATH: usize = 4096;
const LONGEST_NAME: usize = 255;

/// Where a path leads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    Name {
        name: Vec<u8>,
        /// Only a directory can be meant.
        slash: bool,
    },
    Fails(i64),
    /// Out of the directory.
    Outside(Vec<u8>),
}

/// Folders that a native program may look into, fenced in or not.
const READABLE: &[&[u8]] = &[b"", b"dev", b"lib", b"lib32", b"lib64", b"libx32", b"nix", b"proc", b"usr"];
/// Folders that a native program may have to itself.
const PRIVATE: &[&[u8]] = &[b"tmp", b"var"];
/// All that the dynamic linker reads elsewhere begins so.
const LINKER: &[u8] = b"/etc/ld.so";

/// Whether opening a file outside with these flags can succeed on some system, for a program that is fenced in.
pub(crate) fn can_be_there(path: &[u8], flags: u32) -> bool {
    let Some(rest) = path.strip_prefix(b"/") else { return true };
    let mut parts = rest.split(|&b| b == b'/').filter(|name| !name.is_empty() && *name != b".");
    let first = parts.next().unwrap_or_default();
    // A folder itself, or a way through it.
    let unclear = parts.clone().next().is_none() || parts.any(|name| name == b"..") || first == b"..";
    let private = PRIVATE.contains(&first) && flags & (WRITE | CREATE) != 0;
    unclear || private || READABLE.contains(&first) || path.starts_with(LINKER)
}

impl Files {
    /// Where a path leads. A program that is merely run may use any name, as if all folders were there.
    pub(crate) fn place(&self, path: Vec<u8>, strict: bool) -> Place {
        if path.is_empty() {
            return Place::Fails(ENOENT);
        }
        if !strict {
            return Place::Name { name: path, slash: false };
        }
        if path.len() >= LONGEST_PATH {
            return Place::Fails(ENAMETOOLONG);
        }
        if path[0] == b'/' {
            return Place::Outside(path);
        }
        let mut at: Vec<u8> = Vec::new();
        let parts = path.split(|&b| b == b'/').filter(|part| !part.is_empty() && *part != b".");
        for part in parts {
            match self.names.get(&at) {
                _ if at.is_empty() => {}
                Some(Node::Directory(_)) => {}
                Some(Node::File(_)) => return Place::Fails(ENOTDIR),
                None => return Place::Fails(ENOENT),
            }
            if part == b".." {
                if at.is_empty() {
                    return Place::Outside(path);
                }
                at.truncate(at.iter().rposition(|&b| b == b'/').unwrap_or(0));
                continue;
            }
            if part.len() > LONGEST_NAME {
                return Place::Fails(ENAMETOOLONG);
            }
            if !at.is_empty() {
                at.push(b'/');
            }
            at.extend_from_slice(part);
        }
        let slash = path.ends_with(b"/") || path.ends_with(b"/.");
        Place::Name { name: at, slash }
    }

    /// 1: a file, 2: a directory.
    pub(crate) fn kind(&self, name: &[u8]) -> i64 {
        match self.names.get(name) {
            _ if name.is_empty() => 2,
            Some(Node::File(_)) => 1,
            Some(Node::Directory(_)) => 2,
            None => -ENOENT,
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    pub(crate) fn unlink(&mut self, name: &[u8]) -> i64 {
        match self.kind(name) {
            2 => -EISDIR,
            1 => {
                self.names.remove(name);
                self.changes += 1;
                0
            }
            error => error,
        }
    }

    pub(crate) fn make_directory(&mut self, name: Vec<u8>) -> i64 {
        if self.kind(&name) > 0 {
            return -EEXIST;
        }
        self.give_directory(name);
        self.changes += 1;
        0
    }

    pub(crate) fn remove_directory(&mut self, name: &[u8]) -> i64 {
        match self.kind(name) {
            _ if name.is_empty() => -EINVAL,
            1 => -ENOTDIR,
            2 if self.inside(name).next().is_some() => -ENOTEMPTY,
            2 => {
                self.names.remove(name);
                self.changes += 1;
                0
            }
            error => error,
        }
    }

    /// The names below a directory.
    fn inside<'a>(&'a self, directory: &'a [u8]) -> impl Iterator<Item = &'a Vec<u8>> {
        self.names.keys().filter(move |name| {
            name.strip_prefix(directory).is_some_and(|rest| directory.is_empty() || rest.starts_with(b"/"))
        })
    }

    /// What is in a directory, by its number: its name there, and its kind.
    pub(crate) fn child<'a>(&'a self, directory: &'a [u8], number: usize) -> Option<(&'a [u8], i64)> {
        let start = if directory.is_empty() { 0 } else { directory.len() + 1 };
        let own = self.inside(directory).filter(|name| !name[start..].contains(&b'/'));
        own.map(|name| (&name[start..], self.kind(name))).nth(number)
    }

    pub(crate) fn rename(&mut self, from: &[u8], to: Vec<u8>) -> i64 {
        if from.is_empty() || to.is_empty() {
            return -EBUSY;
        }
        match (self.kind(from), self.kind(&to)) {
            (1, 2) => return -EISDIR,
            (2, 1) => return -ENOTDIR,
            (1 | 2, _) if from == to => return 0,
            (2, _) if to.strip_prefix(from).is_some_and(|rest| rest.starts_with(b"/")) => return -EINVAL,
            (2, 2) if self.inside(&to).next().is_some() => return -ENOTEMPTY,
            (1 | 2, _) => {}
            (error, _) => return error,
        }
        self.changes += 1;
        let moved: Vec<Vec<u8>> = self.inside(from).cloned().chain([from.to_vec()]).collect();
        for name in moved {
            if let Some(node) = self.names.remove(&name) {
                self.names.insert([&to[..], &name[from.len()..]].concat(), node);
            }
        }
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &[u8]) -> Place {
        Place::Name { name: name.to_vec(), slash: false }
    }

    #[test]
    fn paths_lead_into_the_directory_or_out_of_it() {
        let mut files = Files::new();
        let place = |files: &Files, path: &str| files.place(path.as_bytes().to_vec(), true);
        assert_eq!(place(&files, ""), Place::Fails(ENOENT));
        assert_eq!(place(&files, "./a"), named(b"a"));
        assert_eq!(place(&files, "."), named(b""));
        assert_eq!(place(&files, "d/a"), Place::Fails(ENOENT));
        assert_eq!(files.make_directory(b"d".to_vec()), 0);
        assert_eq!(place(&files, "d//a"), named(b"d/a"));
        assert_eq!(place(&files, "d/../b"), named(b"b"));
        assert_eq!(place(&files, "d/../../b"), Place::Outside(b"d/../../b".to_vec()));
        assert_eq!(place(&files, "/b"), Place::Outside(b"/b".to_vec()));
        assert_eq!(place(&files, &"n".repeat(256)), Place::Fails(ENAMETOOLONG));
        assert_eq!(files.place(b"/b".to_vec(), false), named(b"/b"));
    }

    #[test]
    fn directories_move_with_what_they_hold() {
        let mut files = Files::new();
        assert_eq!(files.make_directory(b"d".to_vec()), 0);
        assert_eq!(files.make_directory(b"d".to_vec()), -EEXIST);
        assert!(files.open(b"d/a".to_vec(), WRITE | CREATE) >= 0);
        assert_eq!(files.unlink(b"d"), -EISDIR);
        assert_eq!(files.remove_directory(b"d"), -ENOTEMPTY);
        assert_eq!(files.rename(b"d", b"d/e".to_vec()), -EINVAL);
        assert_eq!(files.rename(b"d", b"e".to_vec()), 0);
        assert_eq!((files.kind(b"d"), files.kind(b"e"), files.kind(b"e/a")), (-ENOENT, 2, 1));
        assert_eq!((files.child(b"", 0), files.child(b"", 1)), (Some((&b"e"[..], 2)), None));
        assert_eq!((files.child(b"e", 0), files.child(b"e", 1)), (Some((&b"a"[..], 1)), None));
        let inside = files.open(b"e".to_vec(), 1) as i32;
        assert!(files.is_directory(inside) && files.kind_of(files.node(b"e") as usize) == 2);
        assert_eq!((files.read(inside, &mut [0]), files.open(Vec::new(), WRITE)), (-EISDIR, -EISDIR));
        assert_eq!(files.unlink(b"e/a"), 0);
        assert_eq!(files.remove_directory(b"e"), 0);
        assert!(files.is_empty());
    }

    #[test]
    fn what_is_outside_is_there_on_some_systems() {
        assert!(can_be_there(b"/etc/ld.so.cache", 1) && can_be_there(b"/dev/null", 2) && can_be_there(b"../x", 1));
        assert!(can_be_there(b"/", 1) && can_be_there(b"/srv", 1) && can_be_there(b"/srv/../etc/passwd", 1));
        assert!(!can_be_there(b"/etc/passwd", 1) && !can_be_there(b"/etc/app.conf", WRITE | CREATE));
        assert!(can_be_there(b"/tmp/x", WRITE | CREATE) && !can_be_there(b"/tmp/x", 1));
        assert!(!can_be_there(b"/srv/somebody/.ssh/key", 1));
    }
}
