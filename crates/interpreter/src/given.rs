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
}

impl Bound {
    pub(crate) fn of(number: u32) -> Option<Bound> {
        [Bound::Arguments, Bound::Argument, Bound::Input].get(number as usize).copied()
    }
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
}

impl ProcessInput {
    pub(crate) fn of(what: u32, number: u64, place: u64) -> Option<ProcessInput> {
        Some(match what {
            0 => ProcessInput::Argument(number),
            1 => ProcessInput::ArgumentByte(number, place),
            2 => ProcessInput::Input(number),
            3 => ProcessInput::InputByte(number),
            _ => return None,
        })
    }
}
