//! What a process is given: whether there is an argument, or one more byte of standard input, and what its bytes are. Each is an
//! input of the run, asked for when the program comes to it.

use covenant_goals::TestCase;
use covenant_interpreter::given::{Bound, ProcessInput};
use covenant_interpreter::shadow::Shadowed;
use covenant_program::ir::Type;

use super::{Recorded, Symbolic};
use crate::meaning::pure::Term;

/// What the input is called in runs.
pub(super) fn name(what: ProcessInput) -> String {
    match what {
        ProcessInput::Argument(number) => format!("argv[{number}]"),
        ProcessInput::ArgumentByte(number, place) => format!("argv[{number}][{place}]"),
        ProcessInput::Input(number) => format!("{STDIN}{HAS}{}", number + 1),
        ProcessInput::InputByte(number) => format!("{STDIN}[{number}]"),
    }
}

/// What says whether there is an element of an array, by the name of the array, where that is an input of its own.
pub fn presence(array: &str, index: usize) -> Option<String> {
    (array == STDIN).then(|| name(ProcessInput::Input(index as u64)))
}

/// Whether an input is only there to say that there is a byte, which has a byte before it.
pub fn is_presence(input: &str) -> bool {
    input.strip_prefix(STDIN).is_some_and(|rest| rest.starts_with(HAS) && rest != " has 1")
}

const STDIN: &str = "stdin";
const HAS: &str = " has ";

/// The inputs of a test under these names, with their values.
pub(super) fn seeds(test: &TestCase) -> impl Iterator<Item = (String, u128)> + '_ {
    let args = (1..).zip(&test.args).flat_map(|(number, arg)| {
        let bytes = (0..).zip(arg).map(move |(at, byte)| (ProcessInput::ArgumentByte(number, at), u128::from(*byte)));
        std::iter::once((ProcessInput::Argument(number), 1)).chain(bytes)
    });
    let input = (0..)
        .zip(&test.stdin)
        .flat_map(|(at, byte)| [(ProcessInput::Input(at), 1), (ProcessInput::InputByte(at), u128::from(*byte))]);
    args.chain(input).map(|(what, bits)| (name(what), bits))
}

/// Adds an input to a test.
pub(super) fn tell(case: &mut TestCase, what: ProcessInput, byte: u8) {
    match what {
        ProcessInput::Argument(_) if byte != 0 => case.args.push(Vec::new()),
        ProcessInput::ArgumentByte(..) => case.args.last_mut().into_iter().for_each(|arg| arg.push(byte)),
        ProcessInput::InputByte(_) => case.stdin.push(byte),
        ProcessInput::Argument(_) | ProcessInput::Input(_) => {}
    }
}

/// Arguments end with their first zero byte.
pub(super) fn end_arguments(case: &mut TestCase) {
    for arg in &mut case.args {
        let end = arg.iter().position(|byte| *byte == 0).unwrap_or(arg.len());
        arg.truncate(end);
    }
}

impl Symbolic<'_> {
    pub(super) fn most(&self, what: Bound) -> u64 {
        let process = &self.cx.options.process;
        u64::from(match what {
            Bound::Arguments => process.args,
            Bound::Argument => process.length,
            Bound::Input => process.stdin,
        })
    }

    pub(super) fn given_to_process(&mut self, what: ProcessInput) -> Shadowed<Term> {
        let value = self.free_value(&name(what), Type::I8);
        self.recorded.push(Recorded::Process { what, byte: value.bits as u8 });
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_gets_what_runs_were_given_and_gives_it_back() {
        let mut case = TestCase::default();
        for (what, byte) in [
            (ProcessInput::Argument(1), 200),
            (ProcessInput::ArgumentByte(1, 0), b'a'),
            (ProcessInput::ArgumentByte(1, 1), 0),
            (ProcessInput::ArgumentByte(1, 2), b'x'),
            (ProcessInput::Argument(2), 0),
            (ProcessInput::Input(0), 7),
            (ProcessInput::InputByte(0), 0),
            (ProcessInput::Input(1), 0),
        ] {
            tell(&mut case, what, byte);
        }
        end_arguments(&mut case);
        assert_eq!((&case.args, &case.stdin), (&vec![b"a".to_vec()], &vec![0]));
        let again: Vec<(String, u128)> = seeds(&case).collect();
        let expected = [("argv[1]", 1), ("argv[1][0]", u128::from(b'a')), ("stdin has 1", 1), ("stdin[0]", 0)];
        assert_eq!(again, expected.map(|(name, bits)| (name.to_owned(), bits)));
    }
}
