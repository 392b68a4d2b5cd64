//! What functions do that the machine knows by name.

use covenant_program::ir::Type;

use super::{Machine, Step, Stop};
use crate::TrapKind;
use crate::code::op::CallSite;
use crate::host::files::{CREATE, EIO, EISDIR, ENOENT, OUTSIDE};
use crate::host::math::{self, Special};
use crate::host::number::{self, Parts};
use crate::host::paths::{ENOTDIR, Place, can_be_there};
use crate::host::{Builtin, System};
use crate::memory::{Fault, Kind, Label, Request};
use crate::shadow::Shadow;

/// Carries a builtin out; true if another frame is on top afterwards.
pub(super) fn call<S: Shadow>(m: &mut Machine<'_, S>, base: usize, site: &CallSite, builtin: Builtin) -> Step<bool> {
    let args = m.arguments(base, site);
    if builtin == Builtin::System(System::Assume) {
        m.assume(base, site.args.first().copied())?;
        m.set_call_result(base, site, 0);
        return Ok(false);
    }
    if let (Builtin::System(System::Length), [_, count]) = (builtin, &site.args[..]) {
        m.check_length(base, *count)?;
    }
    if S::ACTIVE {
        let keep = matches!(builtin, Builtin::System(System::Fill));
        for (i, &operand) in site.args.iter().enumerate().filter(|&(i, _)| !(keep && i == 1)) {
            debug_assert!(i < args.len());
            m.pin(base, operand, "an argument of a function outside the program");
        }
    }
    match builtin {
        Builtin::System(system) => call_system(m, base, site, system, &args),
        Builtin::Math(function) => {
            let bits = call_math(m, function, &args)?;
            m.set_call_result(base, site, bits);
            Ok(false)
        }
    }
}

fn call_math<S: Shadow>(m: &mut Machine<'_, S>, function: math::Function, args: &[u128]) -> Step<u128> {
    if let Some((bits, errno)) = math::simple(function, args) {
        m.set_errno(errno)?;
        return Ok(bits);
    }
    let math::Function::Special(special) = function else { return Ok(0) };
    let Some((bits, writes)) = math::with_pointers(special, args) else {
        return Err(Fault::new(TrapKind::Unsupported, format!("{special:?}")).into());
    };
    debug_assert_ne!(special, Special::Nexttoward);
    for (argument, value, ty) in writes {
        m.store_bits(args.get(argument).map_or(0, |&a| a as u64), ty, value)?;
    }
    Ok(bits)
}

fn call_system<S: Shadow>(
    m: &mut Machine<'_, S>,
    base: usize,
    site: &CallSite,
    system: System,
    args: &[u128],
) -> Step<bool> {
    let word = |n: usize| args.get(n).map_or(0, |&a| a as u64);
    let (a, b, c) = (word(0), word(1), word(2));
    let result: u128 = match system {
        System::SetJump => {
            m.set_jump(a, site.results.first().copied())?;
            0
        }
        System::LongJump => {
            m.long_jump(a, b as u32)?;
            return Ok(true);
        }
        System::Input => {
            m.parameter(a, b as u32);
            0
        }
        System::Length => {
            m.set_length(a as u32, b as i64)?;
            0
        }
        System::MakeSymbolic | System::Crest1 | System::Crest2 | System::Crest4 => {
            let size = match system {
                System::Crest1 => 1,
                System::Crest2 => 2,
                System::Crest4 => 4,
                _ => b,
            };
            let label = if system == System::MakeSymbolic && c != 0 { m.memory.c_string(c)? } else { Vec::new() };
            let name = m.callee_name(site);
            m.make_symbolic(&name, String::from_utf8_lossy(&label).into_owned(), a, size)?;
            0
        }
        System::Result => {
            m.report_result(a, b)?;
            0
        }
        System::Assume => 0,
        System::ReachError => {
            return Err(Fault::new(TrapKind::Assertion, "the error location is reached").into());
        }
        System::Fails | System::Given | System::Unsure => {
            let value = match system {
                System::Fails => m.failure(),
                System::Given => m.process_input(a as u32, b, c),
                _ => m.shadow.unsure(a as u32, b, c),
            };
            m.set_call_result(base, site, value.bits);
            if let (true, Some(result)) = (S::ACTIVE, site.results.first()) {
                m.set_term(base, result.reg, value.term);
            }
            return Ok(false);
        }
        System::Bound => u128::from(m.bound(a as u32)),
        System::Named => u128::from(m.name_of_given(a, b as i64) as u32),
        System::File => u128::from(m.given_file(a as u32, b, c)? as u64),
        System::Alloc => u128::from(allocate(m, a, b, c != 0)?),
        System::Free => {
            m.memory.heap_start(a, "free")?;
            m.memory.release(a, m.here());
            0
        }
        System::Size => u128::from(m.memory.heap_start(a, "realloc")?.size),
        System::Exit => return Err(Stop::Exit(a as u32 as i32)),
        System::Killed => return Err(Stop::Signal(a as u32 as i32)),
        System::Unsupported => {
            // A program that is merely run goes on with what the library has.
            if S::ACTIVE {
                let what = m.memory.c_string(a)?;
                return Err(unsupported(format!("call of {}", String::from_utf8_lossy(&what))));
            }
            b.into()
        }
        System::ToTheLetter => u128::from(m.image.checks.library),
        System::Elsewhere => u128::from(m.image.place() == crate::memory::Place::Elsewhere),
        System::Abort => return Err(Fault::new(TrapKind::Abort, "the program aborted").into()),
        System::AssertFail => {
            let text = m.memory.c_string(a)?;
            let message = format!("assertion `{}` failed", String::from_utf8_lossy(&text));
            return Err(Fault::new(TrapKind::Assertion, message).into());
        }
        System::Copy => {
            m.copy_bytes(a, b, c)?;
            u128::from(a)
        }
        System::Fill => {
            let byte = m.byte_argument(base, site.args.get(1).copied());
            m.fill_bytes(a, byte, c)?;
            u128::from(a)
        }
        System::Read
        | System::Write
        | System::Open
        | System::Close
        | System::Seek
        | System::Unlink
        | System::Rename
        | System::MakeDirectory
        | System::RemoveDirectory
        | System::Child
        | System::KindOfFile => file_call(m, system, [a, b, c])? as u64 as u128,
        _ => number_call(m, system, args)?,
    };
    m.set_call_result(base, site, result);
    Ok(false)
}

fn allocate<S: Shadow>(m: &mut Machine<'_, S>, size: u64, align: u64, zeroed: bool) -> Step<u64> {
    // More than PTRDIFF_MAX.
    if size >> (8 * m.image.program().target.pointer_size() - 1) != 0 {
        return Ok(0);
    }
    let (at, label) = (m.here(), Label::None);
    // Zeroed or not, the bytes are zero; only the check for uninitialised reads tells the two apart.
    let address = m.memory.allocate(Request { kind: Kind::Heap, size, align, label, at, initialised: zeroed })?;
    m.allocated(address);
    Ok(address)
}

fn file_call<S: Shadow>(m: &mut Machine<'_, S>, system: System, [a, b, c]: [u64; 3]) -> Step<i64> {
    let on_descriptor = matches!(system, System::Read | System::Write | System::Close | System::Seek);
    if let Some(stream) = m.given_stream(a).filter(|_| on_descriptor) {
        return m.on_given(stream, system, [b, c]);
    }
    if S::ACTIVE && on_descriptor && a as i32 > 2 && !m.files.is_open(a as i32) {
        // Whoever starts a native program may have left it some.
        return Err(unsupported("use of a descriptor that the program did not open".to_owned()));
    }
    Ok(match system {
        System::Read => read(m, a as i32, b, c)?,
        System::Write => {
            let bytes = if c == 0 { Vec::new() } else { m.memory.bytes(b, c)?.to_vec() };
            match a {
                1 | 2 if m.files.is_standard(a as i32) => m.console.write(a as u32, &bytes).map_or(-EIO, |()| c as i64),
                _ => {
                    m.pin_bytes(b, c)?;
                    m.files.write(a as i32, &bytes)
                }
            }
        }
        System::Close => m.files.close(a as i32),
        System::Seek if S::ACTIVE && c == 2 && m.files.is_directory(a as i32) => {
            return Err(unsupported("the end of a directory as a position".to_owned()));
        }
        System::Seek => m.files.seek(a as i32, b as i64, c as i32),
        _ => path_call(m, system, [a, b, c])?,
    })
}

/// What names files. In a run whose results are claimed natively, paths are those of an empty directory.
fn path_call<S: Shadow>(m: &mut Machine<'_, S>, system: System, [a, b, to]: [u64; 3]) -> Step<i64> {
    let name = match named(m, system, a, b as u32)? {
        Ok(name) => name,
        Err(result) => return Ok(result),
    };
    Ok(match system {
        System::Open => m.files.open(name, b as u32),
        System::Unlink => m.files.unlink(&name),
        System::MakeDirectory => m.files.make_directory(name),
        System::RemoveDirectory => m.files.remove_directory(&name),
        System::KindOfFile => m.files.kind(&name),
        System::Child => return child(m, &name, b, to),
        _ => match named(m, system, b, 0)? {
            Ok(to) => m.files.rename(&name, to),
            Err(result) => result,
        },
    })
}

/// What is in a directory: its name goes there, and its kind is told.
fn child<S: Shadow>(m: &mut Machine<'_, S>, directory: &[u8], number: u64, to: u64) -> Step<i64> {
    let Some((name, kind)) = m.files.child(directory, number as usize) else { return Ok(0) };
    let text = [name, &[0]].concat();
    let size = text.len() as u64;
    m.memory.bytes_mut(to, size)?.copy_from_slice(&text);
    m.forget(to, size)?;
    Ok(kind)
}

/// The name that a path means, or the result of the call.
fn named<S: Shadow>(m: &mut Machine<'_, S>, system: System, address: u64, flags: u32) -> Step<Result<Vec<u8>, i64>> {
    let path = m.memory.c_string(address)?;
    let creates = match system {
        System::Open => flags & CREATE != 0,
        System::MakeDirectory | System::Rename => true,
        _ => false,
    };
    // Where there is nothing at all, no name is of more use than another.
    if S::ACTIVE && (creates || !m.files.is_empty() || m.has_given_files()) {
        m.pin_bytes(address, path.len() as u64 + 1)?;
    }
    Ok(match m.files.place(path, S::ACTIVE) {
        Place::Name { name, slash: true } if system != System::MakeDirectory && m.files.kind(&name) != 2 => {
            let missing = if creates { EISDIR } else { ENOENT };
            Err(if m.files.kind(&name) == 1 { -ENOTDIR } else { -missing })
        }
        Place::Name { name, .. } => Ok(name),
        Place::Fails(errno) => Err(-errno),
        Place::Outside(path) => {
            let may_succeed = match system {
                System::Open => can_be_there(&path, flags),
                System::MakeDirectory => can_be_there(&path, CREATE),
                System::KindOfFile => true,
                _ => false,
            };
            if may_succeed {
                let path = String::from_utf8_lossy(&path).into_owned();
                return Err(unsupported(format!("use of `{path}`, which is outside of a test's own directory")));
            }
            Err(-OUTSIDE)
        }
    })
}

fn unsupported(message: String) -> Stop {
    Fault::new(TrapKind::Unsupported, message).into()
}

fn read<S: Shadow>(m: &mut Machine<'_, S>, fd: i32, to: u64, count: u64) -> Step<i64> {
    if count == 0 {
        return Ok(0);
    }
    // The whole range must be writable, even if less comes.
    let mut bytes = vec![0; m.memory.bytes(to, count)?.len()];
    let got = match fd {
        0 if m.files.is_standard(0) => m.console.read(&mut bytes).map_or(-EIO, |n| n as i64),
        _ => m.files.read(fd, &mut bytes),
    };
    if got > 0 {
        m.memory.bytes_mut(to, got as u64)?.copy_from_slice(&bytes[..got as usize]);
        m.forget(to, got as u64)?;
    }
    Ok(got)
}

fn number_call<S: Shadow>(m: &mut Machine<'_, S>, system: System, args: &[u128]) -> Step<u128> {
    let word = |n: usize| args.get(n).map_or(0, |&a| a as u64);
    let text = |m: &mut Machine<'_, S>| -> Step<Vec<u8>> {
        m.pin_bytes(word(0), word(1))?;
        Ok(m.memory.bytes(word(0), word(1))?.to_vec())
    };
    Ok(match system {
        System::FormatDouble | System::FormatLongDouble => {
            let value = match system {
                System::FormatDouble => Parts::double(word(2)),
                _ => {
                    m.pin_bytes(word(2), 10)?;
                    Parts::extended(m.load_bits(word(2), Type::F80)?)
                }
            };
            let precision = usize::try_from(word(4) as i32).ok();
            let text = number::format(value, word(3) as u8, precision, word(5) as u32 != 0);
            let count = text.len().min(word(1) as usize);
            if count > 0 {
                m.memory.bytes_mut(word(0), count as u64)?.copy_from_slice(&text[..count]);
                m.forget(word(0), count as u64)?;
            }
            text.len() as u128
        }
        System::ParseFloat => u128::from(number::parse_float(&text(m)?)),
        System::ParseDouble => u128::from(number::parse_double(&text(m)?)),
        _ => {
            let bits = number::parse_extended(&text(m)?);
            m.store_bits(word(2), Type::F80, bits)?;
            0
        }
    })
}
