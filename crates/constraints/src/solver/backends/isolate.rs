//! Runs code in a copy of this process, so that it can neither end this one nor use up its memory.
//!
//! Spacer needs that: where one of its internal checks fails, Z3 calls `exit`, and there is no way to tell it not to. The copy is
//! made by `fork`, which takes only the calling thread along. A lock that another thread holds at that moment stays
//! locked in the copy for ever; if the code needs it, it hangs, and is ended when its time is up. The C library's allocator is
//! prepared for this, and the work gets no other means than that and Z3's.
//!
//! `unsafe` is needed for these calls of the operating system, for which the standard library has no safe ones.
#![allow(unsafe_code)]

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::solver::Reason;
use crate::solver::backends::Limits;

/// Parts of Z3 recurse on the depth of formulas. Memory that is not touched costs nothing.
const STACK: usize = 512 << 20; // not tuning: memory of a thread

/// How often the limits are looked at, in milliseconds.
const PERIOD: i32 = 5; // not tuning: how soon an end is noticed

/// The bytes that the work returns, or why there are none.
pub fn run(limits: &Limits, work: impl FnOnce() -> Vec<u8> + Send) -> Result<Vec<u8>, Reason> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("spacer".into()).stack_size(STACK);
        match thread.spawn_scoped(scope, || start(limits, work)).map(|t| t.join()) {
            Ok(Ok(result)) => result,
            Ok(Err(_)) | Err(_) => Err(Reason::Incomplete),
        }
    })
}

fn start(limits: &Limits, work: impl FnOnce() -> Vec<u8>) -> Result<Vec<u8>, Reason> {
    let Some((reader, writer)) = pipe() else { return Err(Reason::Incomplete) };
    // SAFETY: the copy runs `copy`, which does not return; what it may do is said at the head of this module.
    match unsafe { libc::fork() } {
        -1 => Err(Reason::Incomplete),
        0 => copy(writer.as_raw_fd(), work),
        pid => {
            drop(writer);
            let result = receive(reader, pid, limits);
            end(pid);
            result
        }
    }
}

fn pipe() -> Option<(OwnedFd, OwnedFd)> {
    let mut ends: [RawFd; 2] = [0; 2];
    // SAFETY: the array has room for the two descriptors, which are ours alone if the call succeeds.
    unsafe {
        if libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) != 0 {
            return None;
        }
        Some((OwnedFd::from_raw_fd(ends[0]), OwnedFd::from_raw_fd(ends[1])))
    }
}

/// What the copy does: the work, and sending what it returns, its length first.
fn copy(writer: RawFd, work: impl FnOnce() -> Vec<u8>) -> ! {
    detach(writer);
    let sent = catch_unwind(AssertUnwindSafe(|| {
        let result = work();
        let length = (result.len() as u64).to_le_bytes();
        send(writer, &length) && send(writer, &result)
    }));
    // SAFETY: ends the copy at once. Nothing that is registered to run at the end of the process may run here.
    unsafe { libc::_exit(i32::from(!matches!(sent, Ok(true)))) }
}

/// Takes everything from the copy that it shares with this process and does not need.
fn detach(writer: RawFd) {
    // SAFETY: only flags and descriptors of the copy change, and nobody there uses those that are closed.
    unsafe {
        // Signals from the keyboard are for the original, whose handlers the copy has.
        libc::signal(libc::SIGINT, libc::SIG_IGN);
        libc::signal(libc::SIGTERM, libc::SIG_IGN);
        #[cfg(target_os = "linux")]
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        let nowhere = libc::open(c"/dev/null".as_ptr(), libc::O_RDWR);
        if nowhere >= 0 {
            (0..3).for_each(|fd| {
                libc::dup2(nowhere, fd);
            });
        }
        // Someone may wait for the end of what is sent through these.
        let most = libc::sysconf(libc::_SC_OPEN_MAX).clamp(256, 4096) as RawFd;
        (3..most).filter(|fd| *fd != writer).for_each(|fd| {
            libc::close(fd);
        });
    }
}

fn send(writer: RawFd, mut bytes: &[u8]) -> bool {
    while !bytes.is_empty() {
        // SAFETY: the bytes are readable for as many as are said.
        let written = unsafe { libc::write(writer, bytes.as_ptr().cast(), bytes.len()) };
        match usize::try_from(written) {
            Ok(n) => bytes = &bytes[n..],
            Err(_) if std::io::Error::last_os_error().kind() == ErrorKind::Interrupted => {}
            Err(_) => return false,
        }
    }
    true
}

/// Reads what the copy sends, as long as the limits allow.
fn receive(reader: OwnedFd, pid: libc::pid_t, limits: &Limits) -> Result<Vec<u8>, Reason> {
    let mut reader = File::from(reader);
    let mut received = Vec::new();
    let mut chunk = vec![0; 1 << 16];
    loop {
        if limits.exceeded().is_some() {
            return Err(limits.blame(Reason::Clock));
        }
        let mut watch = libc::pollfd { fd: reader.as_raw_fd(), events: libc::POLLIN, revents: 0 };
        // SAFETY: one descriptor, which is open, and a place for what happened to it.
        let ready = unsafe { libc::poll(&mut watch, 1, PERIOD) };
        if ready > 0 {
            match reader.read(&mut chunk) {
                // The copy ended before it sent all.
                Ok(0) => return Err(Reason::Incomplete),
                Ok(n) => received.extend_from_slice(&chunk[..n]),
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(_) => return Err(Reason::Incomplete),
            }
            if let Some((length, message)) = received.split_first_chunk::<8>()
                && message.len() as u64 >= u64::from_le_bytes(*length)
            {
                return Ok(message.to_vec());
            }
        } else if has_ended(pid) {
            // Another copy, made at the same time, can keep the other end open.
            return Err(Reason::Incomplete);
        }
    }
}

/// Whether there is nothing more to come. The process is left to be waited for.
fn has_ended(pid: libc::pid_t) -> bool {
    // SAFETY: all zero is a value of this plain structure, which the call fills in.
    unsafe {
        let mut info: libc::siginfo_t = std::mem::zeroed();
        let flags = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
        libc::waitid(libc::P_PID, pid as libc::id_t, &mut info, flags) == 0 && info.si_pid() == pid
    }
}

/// Ends the copy, if it has not ended itself.
fn end(pid: libc::pid_t) {
    // SAFETY: the process is our child, not yet waited for, so that its number is not another's.
    unsafe {
        libc::kill(pid, libc::SIGKILL);
        while libc::waitpid(pid, std::ptr::null_mut(), 0) == -1
            && std::io::Error::last_os_error().kind() == ErrorKind::Interrupted
        {}
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use crate::solver::{Cancel, Steps};

    fn limits(ms: u64) -> Limits {
        Limits { deadline: Instant::now() + Duration::from_millis(ms), ..Limits::new(Steps(0), &Cancel::default()) }
    }

    #[test]
    fn results_come_back() {
        let long = vec![7; 1 << 20];
        assert_eq!(run(&limits(20_000), || long.clone()), Ok(long.clone()));
        assert_eq!(run(&limits(20_000), Vec::new), Ok(Vec::new()));
    }

    #[test]
    fn an_end_of_the_copy_is_not_ours() {
        assert_eq!(run(&limits(20_000), || std::process::exit(0)), Err(Reason::Incomplete));
        assert_eq!(run(&limits(20_000), || std::process::abort()), Err(Reason::Incomplete));
        assert_eq!(run(&limits(20_000), || panic!("in the copy")), Err(Reason::Incomplete));
    }

    #[test]
    fn time_runs_out() {
        let begin = Instant::now();
        let forever = || loop {
            std::thread::sleep(Duration::from_secs(1));
        };
        assert_eq!(run(&limits(50), forever), Err(Reason::Clock));
        let cancel = Cancel::default();
        cancel.set();
        assert_eq!(run(&Limits::new(Steps::like_secs(60), &cancel), forever), Err(Reason::Cancelled));
        assert!(begin.elapsed() < Duration::from_secs(10));
    }
}
