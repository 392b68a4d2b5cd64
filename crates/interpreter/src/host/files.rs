//! Files that live in memory.

use std::collections::{BTreeMap, BTreeSet};

/// `errno` values of Linux.
pub(crate) const ENOENT: i64 = 2;
pub(crate) const EBADF: i64 = 9;
pub(crate) const EEXIST: i64 = 17;
pub(crate) const EINVAL: i64 = 22;
pub(crate) const EFBIG: i64 = 27;
pub(crate) const ESPIPE: i64 = 29;
pub(crate) const EIO: i64 = 5;
pub(crate) const EISDIR: i64 = 21;
/// A failure whose `errno` differs from system to system.
pub(crate) const OUTSIDE: i64 = 4096;

/// The flags of `__covenant_open`.
const READ: u32 = 1;
pub(crate) const WRITE: u32 = 2;
pub(crate) const CREATE: u32 = 4;
const TRUNCATE: u32 = 8;
const APPEND: u32 = 16;
const EXCLUSIVE: u32 = 32;

/// Bytes that one file may have.
const LARGEST: i64 = 1 << 30;

/// What a descriptor stands for.
#[derive(Debug)]
enum Descriptor {
    Closed,
    /// Standard input, output or error.
    Standard,
    File(Open),
}

#[derive(Debug)]
struct Open {
    /// Index into [`Files::contents`]: the bytes outlive their name.
    content: usize,
    position: usize,
    flags: u32,
}

/// The number of the directory that a run begins in, which has no name.
const TOP: usize = 0; // not tuning: a format

/// All files of a run; there are none at its start. Results below zero are `-errno`, as of system calls.
#[derive(Debug)]
pub(crate) struct Files {
    pub(super) names: BTreeMap<Vec<u8>, Node>,
    /// By number: each file and each directory has its own, whatever its name is. Directories have no bytes.
    contents: Vec<Vec<u8>>,
    /// By descriptor.
    open: Vec<Descriptor>,
    /// Those among the contents that are inputs, which are not here, with their numbers.
    given: BTreeMap<usize, u64>,
    /// The names that there were before the program began.
    before: Vec<Vec<u8>>,
    /// Which of the numbers are those of directories.
    directories: BTreeSet<usize>,
    /// How often the program changed which names there are.
    pub(super) changes: i64,
}

/// What has a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Node {
    /// Index into [`Files::contents`].
    File(usize),
    /// The same for a directory.
    Directory(usize),
}

impl Default for Files {
    fn default() -> Files {
        Files::new()
    }
}

impl Files {
    pub(crate) fn new() -> Files {
        let open = vec![Descriptor::Standard, Descriptor::Standard, Descriptor::Standard];
        Files {
            names: BTreeMap::new(),
            contents: vec![Vec::new()],
            open,
            given: BTreeMap::new(),
            before: Vec::new(),
            directories: BTreeSet::from([TOP]),
            changes: 0,
        }
    }

    /// There is a file whose bytes are inputs.
    pub(crate) fn give(&mut self, name: Vec<u8>, number: u64) {
        let content = self.number();
        self.given.insert(content, number);
        self.before.push(name.clone());
        self.names.insert(name, Node::File(content));
    }

    /// There is a directory.
    pub(crate) fn give_directory(&mut self, name: Vec<u8>) {
        let number = self.number();
        self.directories.insert(number);
        self.names.insert(name, Node::Directory(number));
    }

    /// Files that are not what they were at the beginning, with their bytes; `None`: they are gone. Of one whose bytes are inputs and that
    /// has another name now nothing is said.
    pub(crate) fn left(&self) -> impl Iterator<Item = (&[u8], Option<&[u8]>)> {
        let there = self.names.iter().filter_map(|(name, node)| match node {
            Node::File(content) if !self.given.contains_key(content) => {
                Some((&name[..], Some(&self.contents[*content][..])))
            }
            _ => None,
        });
        let gone = self.before.iter().filter(|name| !self.names.contains_key(*name));
        there.chain(gone.map(|name| (&name[..], None)))
    }

    /// The number of the file behind a descriptor whose bytes are inputs, or -1.
    pub(crate) fn given(&mut self, fd: i32) -> i64 {
        let content = self.get(fd).map(|file| file.content);
        content.and_then(|content| self.given.get(&content)).map_or(-1, |&number| number as i64)
    }

    /// From now on the file behind a descriptor is what is written to it.
    pub(crate) fn forget_given(&mut self, fd: i32) {
        let content = self.get(fd).map(|file| file.content);
        content.into_iter().for_each(|content| {
            self.given.remove(&content);
        });
    }

    /// A number for something new.
    pub(super) fn number(&mut self) -> usize {
        self.contents.push(Vec::new());
        self.contents.len() - 1
    }

    /// The number of what has this name, or -1.
    pub(crate) fn node(&self, name: &[u8]) -> i64 {
        match self.names.get(name) {
            _ if name.is_empty() => TOP as i64,
            Some(Node::File(number) | Node::Directory(number)) => *number as i64,
            None => -1,
        }
    }

    /// The number of what is behind a descriptor, or -1.
    pub(crate) fn node_behind(&mut self, fd: i32) -> i64 {
        self.get(fd).map_or(-1, |file| file.content as i64)
    }

    /// The number among the inputs of the file with this number, or -1.
    pub(crate) fn input_of(&self, node: usize) -> i64 {
        self.given.get(&node).map_or(-1, |&number| number as i64)
    }

    /// 1: this number is that of a file, 2: of a directory.
    pub(crate) fn kind_of(&self, node: usize) -> i64 {
        1 + i64::from(self.directories.contains(&node))
    }

    /// How often the program changed which names there are.
    pub(crate) fn changes(&self) -> i64 {
        self.changes
    }

    /// Whether a directory is behind a descriptor.
    pub(crate) fn is_directory(&mut self, fd: i32) -> bool {
        let content = self.get(fd).map(|file| file.content);
        content.is_some_and(|content| self.directories.contains(&content))
    }

    /// The bytes of the file with this number.
    pub(crate) fn size_of(&self, node: usize) -> i64 {
        self.contents.get(node).map_or(-1, |content| content.len() as i64)
    }

    /// Whether the descriptor is still one of the standard streams.
    pub(crate) fn is_standard(&self, fd: i32) -> bool {
        let found = usize::try_from(fd).ok().and_then(|fd| self.open.get(fd));
        matches!(found, Some(Descriptor::Standard))
    }

    /// Whether the program opened it, or it is a standard stream.
    pub(crate) fn is_open(&self, fd: i32) -> bool {
        let found = usize::try_from(fd).ok().and_then(|fd| self.open.get(fd));
        found.is_some_and(|descriptor| !matches!(descriptor, Descriptor::Closed))
    }

    /// How many descriptors there are, with those that are closed again.
    pub(crate) fn descriptors(&self) -> i64 {
        self.open.len() as i64
    }

    fn get(&mut self, fd: i32) -> Option<&mut Open> {
        match self.open.get_mut(usize::try_from(fd).ok()?)? {
            Descriptor::File(open) => Some(open),
            Descriptor::Closed | Descriptor::Standard => None,
        }
    }

    pub(crate) fn open(&mut self, path: Vec<u8>, flags: u32) -> i64 {
        let content = match self.names.get(&path) {
            Some(_) if flags & EXCLUSIVE != 0 => return -EEXIST,
            None if path.is_empty() && flags & (WRITE | CREATE) == 0 => TOP,
            Some(&Node::Directory(content)) if flags & (WRITE | CREATE) == 0 => content,
            Some(Node::Directory(_)) => return -EISDIR,
            None if path.is_empty() => return if flags & EXCLUSIVE == 0 { -EISDIR } else { -EEXIST },
            Some(&Node::File(content)) => content,
            None if flags & CREATE == 0 => return -ENOENT,
            None => {
                let content = self.number();
                self.names.insert(path, Node::File(content));
                self.changes += 1;
                content
            }
        };
        if flags & TRUNCATE != 0 {
            self.contents[content].clear();
            self.given.remove(&content);
        }
        let file = Descriptor::File(Open { content, position: 0, flags });
        // The lowest free number, as the system promises.
        let free = self.open.iter().position(|d| matches!(d, Descriptor::Closed));
        let index = free.unwrap_or(self.open.len());
        match free {
            Some(index) => self.open[index] = file,
            None => self.open.push(file),
        }
        index as i64
    }

    pub(crate) fn close(&mut self, fd: i32) -> i64 {
        match usize::try_from(fd).ok().and_then(|fd| self.open.get_mut(fd)) {
            Some(Descriptor::Closed) | None => -EBADF,
            Some(descriptor) => {
                *descriptor = Descriptor::Closed;
                0
            }
        }
    }

    pub(crate) fn read(&mut self, fd: i32, to: &mut [u8]) -> i64 {
        let Some(file) = self.get(fd).filter(|f| f.flags & READ != 0) else { return -EBADF };
        let (content, position) = (file.content, file.position);
        if self.directories.contains(&content) {
            return -EISDIR;
        }
        let rest = self.contents[content].get(position..).unwrap_or_default();
        let count = rest.len().min(to.len());
        to[..count].copy_from_slice(&rest[..count]);
        if let Some(file) = self.get(fd) {
            file.position += count;
        }
        count as i64
    }

    pub(crate) fn write(&mut self, fd: i32, from: &[u8]) -> i64 {
        let Some(file) = self.get(fd).filter(|f| f.flags & WRITE != 0) else { return -EBADF };
        let (content, appends, mut at) = (file.content, file.flags & APPEND != 0, file.position);
        let bytes = &mut self.contents[content];
        if appends {
            at = bytes.len();
        }
        let end = at + from.len();
        if end as i64 > LARGEST {
            return -EFBIG;
        }
        if bytes.len() < end {
            bytes.resize(end, 0);
        }
        bytes[at..end].copy_from_slice(from);
        if let Some(file) = self.get(fd) {
            file.position = end;
        }
        from.len() as i64
    }

    pub(crate) fn seek(&mut self, fd: i32, offset: i64, whence: i32) -> i64 {
        if self.is_standard(fd) {
            return -ESPIPE;
        }
        let Some(file) = self.get(fd) else { return -EBADF };
        let (content, position) = (file.content, file.position);
        let from = match whence {
            0 => 0,
            1 => position as i64,
            2 => self.contents[content].len() as i64,
            _ => return -EINVAL,
        };
        // Far behind the end is as good as too large.
        let target = from.checked_add(offset).filter(|t| (0..=LARGEST).contains(t));
        match (target, self.get(fd)) {
            (Some(target), Some(file)) => {
                file.position = target as usize;
                target
            }
            _ => -EINVAL,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_anew_is_no_input_any_more() {
        let mut files = Files::new();
        files.give(b"a".to_vec(), 7);
        let first = files.open(b"a".to_vec(), READ) as i32;
        assert_eq!((files.given(first), files.given(1), files.given(99)), (7, -1, -1));
        assert_eq!(files.rename(b"a", b"b".to_vec()), 0);
        let second = files.open(b"b".to_vec(), READ | WRITE) as i32;
        assert_eq!(files.given(second), 7);
        files.forget_given(second);
        assert_eq!((files.given(first), files.write(second, b"x")), (-1, 1));
        files.give(b"c".to_vec(), 8);
        let third = files.open(b"c".to_vec(), WRITE | TRUNCATE) as i32;
        assert_eq!(files.given(third), -1);
        files.give(b"d".to_vec(), 9);
        let left: Vec<_> = files.left().collect();
        assert_eq!(left, [(&b"b"[..], Some(&b"x"[..])), (b"c", Some(b"")), (b"a", None)], "d is what it was");
    }

    #[test]
    fn files_are_written_and_read_back() {
        let mut files = Files::new();
        assert_eq!(files.open(b"a".to_vec(), READ), -ENOENT);
        let fd = files.open(b"a".to_vec(), WRITE | CREATE) as i32;
        assert_eq!(files.write(fd, b"hello"), 5);
        assert_eq!(files.read(fd, &mut [0; 4]), -EBADF);
        assert_eq!(files.seek(fd, -1, 0), -EINVAL);
        assert_eq!(files.seek(fd, 7, 0), 7);
        assert_eq!(files.write(fd, b"!"), 1);
        assert_eq!(files.close(fd), 0);
        assert_eq!(files.close(fd), -EBADF);
        assert_eq!(files.rename(b"a", b"b".to_vec()), 0);
        let fd = files.open(b"b".to_vec(), READ) as i32;
        let mut bytes = [9; 10];
        assert_eq!(files.read(fd, &mut bytes), 8);
        assert_eq!(&bytes[..8], b"hello\0\0!");
        assert_eq!(files.read(fd, &mut bytes), 0);
        assert_eq!(files.unlink(b"b"), 0);
        assert_eq!(files.open(b"b".to_vec(), READ), -ENOENT);
        assert_eq!(files.open(b"b".to_vec(), WRITE | CREATE | EXCLUSIVE), fd as i64 + 1);
        assert_eq!(files.open(b"b".to_vec(), WRITE | CREATE | EXCLUSIVE), -EEXIST);
    }
}
