//! The real standard streams.

use std::io::{self, ErrorKind, Read, Write};

use covenant_interpreter::Console;

/// 128 + SIGPIPE: what a native program ends with when nobody reads its output any more.
const BROKEN_PIPE: i32 = 141; // not tuning: a status

#[derive(Debug)]
pub(crate) struct Terminal;

impl Console for Terminal {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        io::stdin().read(to)
    }

    fn write(&mut self, stream: u32, from: &[u8]) -> io::Result<()> {
        // The library of the program has its own buffers.
        let written = if stream == 1 {
            let mut out = io::stdout().lock();
            out.write_all(from).and_then(|()| out.flush())
        } else {
            io::stderr().write_all(from)
        };
        match written {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => std::process::exit(BROKEN_PIPE),
            other => other,
        }
    }
}
