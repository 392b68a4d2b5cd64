//! Files that are inputs. The library has their bytes, since it asks for them; here are their names, and which descriptors lead to them.

use super::{Machine, Step};
use crate::given::NamedKind;
use crate::host::paths::Place;
use crate::shadow::Shadow;

/// What `__covenant_named` says where nothing has the number.
const NOTHING: i32 = -1; // not tuning: a format
/// Where `__covenant_named` is asked what it is, not for a byte of its name.
const KIND: i64 = -1; // not tuning: a format

impl<S: Shadow> Machine<'_, S> {
    /// Files that are not what they were at the beginning, with their bytes; `None`: they are gone.
    pub fn left_files(&self) -> impl Iterator<Item = (&[u8], Option<&[u8]>)> {
        self.files.left()
    }

    /// What has this number among the things with a name, or a byte of its name.
    pub(super) fn name_of_given(&self, number: u64, place: i64) -> i32 {
        match self.shadow.named(number).filter(|_| S::ACTIVE) {
            None => NOTHING,
            Some((kind, _)) if place == KIND => kind as i32,
            Some((_, name)) => name.as_bytes().get(place as usize).copied().unwrap_or(0).into(),
        }
    }

    /// Whether some name means more than that there is no such file.
    pub(super) fn has_given_files(&self) -> bool {
        (0..).map_while(|number| self.shadow.named(number)).any(|(kind, _)| kind != NamedKind::Variable)
    }

    /// `__covenant_file`
    pub(super) fn given_file(&mut self, what: u32, number: u64, path: u64) -> Step<i64> {
        Ok(match what {
            0 => self.file_of_path(number, path)?,
            1 => self.files.given(number as i32),
            2 => {
                self.name_given(number, path)?.into_iter().for_each(|name| self.files.give(name, number));
                0
            }
            3 => {
                self.files.forget_given(number as i32);
                0
            }
            4 => {
                let text = self.memory.c_string(path)?;
                self.pin_bytes(path, text.len() as u64 + 1)?;
                match self.files.place(text, S::ACTIVE) {
                    Place::Name { name, .. } => self.files.node(&name),
                    _ => -1,
                }
            }
            5 => self.files.node_behind(number as i32),
            6 => self.files.input_of(number as usize),
            7 => self.files.size_of(number as usize),
            8 => {
                self.name_given(number, path)?.into_iter().for_each(|name| self.files.give_directory(name));
                0
            }
            9 => self.files.kind_of(number as usize),
            10 => self.files.changes(),
            _ => self.files.descriptors(),
        })
    }

    /// The name of something that is there from now on: that of a path, or its own.
    fn name_given(&mut self, number: u64, path: u64) -> Step<Option<Vec<u8>>> {
        if path == 0 {
            return Ok(self.shadow.named(number).map(|(_, name)| name.as_bytes().to_vec()));
        }
        let text = self.memory.c_string(path)?;
        Ok(match self.files.place(text, S::ACTIVE) {
            Place::Name { name, .. } => Some(name),
            _ => None,
        })
    }

    /// The first number, from this one on, of a file or directory that a path means, or -1.
    fn file_of_path(&mut self, first: u64, path: u64) -> Step<i64> {
        let text = self.memory.c_string(path)?;
        self.pin_bytes(path, text.len() as u64 + 1)?;
        let Place::Name { name, .. } = self.files.place(text, S::ACTIVE) else { return Ok(-1) };
        let is_meant = |(kind, given): (NamedKind, &str)| match kind {
            NamedKind::File | NamedKind::Directory => given.as_bytes() == name || given == "." && name.is_empty(),
            NamedKind::Variable => false,
        };
        let mut all = (first..).map_while(|number| Some((number, self.shadow.named(number)?)));
        Ok(all.find(|(_, named)| is_meant(*named)).map_or(-1, |(number, _)| number as i64))
    }
}
