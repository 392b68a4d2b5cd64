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
}

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
            _ => return None,
        })
    }
}
