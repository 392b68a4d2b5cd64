//! What a process is given as inputs of a run, by the numbers of `library/covenant.h`.

/// What a process may be given as inputs of a run, of which there is a most. In the order of `library/covenant.h`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// How many arguments.
    Arguments,
    /// Characters of each.
    Argument,
    /// Bytes of standard input.
    Input,
    /// Bytes of what has a name, by its number.
    Named(u32),
}

impl Bound {
    pub(crate) fn of(number: u32) -> Bound {
        let first = [Bound::Arguments, Bound::Argument, Bound::Input];
        first.get(number as usize).copied().unwrap_or(Bound::Named(number.saturating_sub(first.len() as u32)))
    }
}

/// What has a name among the things that a process is given, in the order of `library/covenant.h`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NamedKind {
    /// A file in the directory that the process starts in.
    File,
    /// A variable of its environment.
    Variable,
    /// A directory in the one that the process starts in, or that one: `.`.
    Directory,
}

/// One thing that a process is given, in the order of `library/covenant.h`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProcessInput {
    /// Whether there is an argument of this number, from 1.
    Argument(u64),
    /// A character of an argument.
    ArgumentByte(u64, u64),
    /// Whether there is a byte of standard input behind so many others.
    Input(u64),
    /// That byte.
    InputByte(u64),
    /// Whether something with a name is there, by its number.
    Named(u64),
    /// Whether it has a byte at a place.
    NamedMore(u64, u64),
    /// That byte.
    NamedByte(u64, u64),
    /// Whether there is something else in a directory, behind so many others: 2 is a directory, all else a file.
    Entry(u64, u64),
    /// A byte of the name of such a one, by its own number.
    EntryByte(u64, u64),
    /// It is there: its name is one that it can have.
    EntryIsTaken(u64),
}

/// The number of the first thing in a directory that has no name but the test's.
const FIRST_ENTRY: u64 = 1000; // not tuning: a format
/// As many numbers are those of one directory.
const ENTRIES: u64 = 16; // not tuning: a format

/// The number of the directory in which something is that has this number, and how many things are before it there.
pub fn entry(number: u64) -> Option<(u64, u64)> {
    number.checked_sub(FIRST_ENTRY).map(|number| (number / ENTRIES, number % ENTRIES))
}

/// As many things may be in a directory among the inputs.
pub const MOST_ENTRIES: u32 = ENTRIES as u32; // not tuning: a format

impl ProcessInput {
    pub(crate) fn of(what: u32, number: u64, place: u64) -> Option<ProcessInput> {
        Some(match what {
            0 => ProcessInput::Argument(number),
            1 => ProcessInput::ArgumentByte(number, place),
            2 => ProcessInput::Input(number),
            3 => ProcessInput::InputByte(number),
            4 => ProcessInput::Named(number),
            5 => ProcessInput::NamedMore(number, place),
            6 => ProcessInput::NamedByte(number, place),
            7 => ProcessInput::Entry(number, place),
            8 => ProcessInput::EntryByte(number, place),
            9 => ProcessInput::EntryIsTaken(number),
            _ => return None,
        })
    }
}

/// No host maps anything below this address for a process.
pub const FIRST_MAPPED: u64 = 1 << 16; // not tuning: an address
/// Behind all addresses at which devices are mapped.
pub const LAST_MAPPED: u64 = 1 << 36; // not tuning: an address

/// Device registers at addresses that the program names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Device {
    /// The first of them.
    pub start: u64,
    /// In bytes.
    pub size: u64,
}

impl Device {
    /// Whether so many bytes at an address are its own.
    pub fn holds(self, address: u64, size: u64) -> bool {
        address.checked_sub(self.start).is_some_and(|offset| offset.saturating_add(size) <= self.size)
    }

    /// Behind the last of its bytes.
    pub fn end(self) -> u64 {
        self.start.saturating_add(self.size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_has_what_is_inside_of_it() {
        let device = Device { start: 0x4000_1000, size: 8 };
        assert!(device.holds(0x4000_1000, 8) && device.holds(0x4000_1004, 4));
        assert!(!device.holds(0x4000_1004, 8) && !device.holds(0x4000_0FFF, 1) && !device.holds(u64::MAX, 4));
        assert_eq!(device.end(), 0x4000_1008);
    }
}
