//! A whole program: arguments, environment, `main`, exit status.

use covenant_program::ir::{Block, BlockData, Body, CallData, Callee, FuncId, InstData, Loc, Op, Program, Terminator};
use smallvec::SmallVec;

use crate::code::Image;
use crate::host::Console;
use crate::machine::{Limits, Machine};
use crate::memory::{Checked, Fault};
use crate::outcome::Outcome;
use crate::shadow::{Concrete, Shadow};

/// The library's function that calls `main` and then `exit`.
const START: &str = "__covenant_start";
/// The library calls it in `exit`; it has a body only here.
const DESTRUCTORS: &str = "__covenant_run_destructors";

/// Fills in what the library leaves to the program: running its destructors.
pub fn prepare(program: &mut Program) {
    let destructors = program.destructors.clone();
    if let Some(id) = program.function(DESTRUCTORS) {
        program.functions[id].body = Some(caller_of(&destructors));
    }
}

/// A body that calls functions without parameters one after the other.
fn caller_of(functions: &[FuncId]) -> Body {
    let mut body = Body::new();
    let mut insts = Vec::new();
    for &function in functions {
        let call =
            CallData { callee: Callee::Direct(function), args: Vec::new(), variadic: false, by_value: Vec::new() };
        insts.push(body.insts.push(InstData {
            op: Op::Call(Box::new(call)),
            results: SmallVec::new(),
            loc: Loc::NONE,
        }));
    }
    let term = Terminator::Return(Vec::new());
    let entry = body.blocks.push(BlockData { params: Vec::new(), insts, term, term_loc: Loc::NONE });
    debug_assert_eq!(entry, Block::ENTRY);
    body
}

/// [`run`] in a machine of its own with nothing beside its values; also how many instructions that were. The machine is compiled
/// here, as crates above need not be optimised.
pub fn run_concrete(
    image: &Image,
    console: &mut dyn Console,
    limits: Limits,
    main: FuncId,
    (args, env): (&[Vec<u8>], &[Vec<u8>]),
) -> Result<(Outcome, u64), Box<Fault>> {
    let mut machine = Machine::new(image, Concrete, console, limits)?;
    let outcome = run(&mut machine, main, args, env);
    let steps = machine.steps();
    Ok((outcome, steps))
}

/// Runs constructors, `main`, and what `exit` runs. `args` begin with the name of the program.
pub fn run<S: Shadow>(machine: &mut Machine<'_, S>, main: FuncId, args: &[Vec<u8>], env: &[Vec<u8>]) -> Outcome {
    let program = machine.image().program();
    let (argv, envp) = match (strings(machine, args), strings(machine, env)) {
        (Ok(argv), Ok(envp)) => (argv, envp),
        (Err(fault), _) | (_, Err(fault)) => return machine.ended(fault.into()),
    };
    for &constructor in &program.constructors {
        let outcome = machine.call(constructor, &[args.len() as u128, u128::from(argv), u128::from(envp)]);
        if !matches!(outcome, Outcome::Returned(_)) {
            return outcome;
        }
    }
    let outcome =
        machine.call(start(program).unwrap_or(main), &[args.len() as u128, u128::from(argv), u128::from(envp)]);
    match outcome {
        // Without the library nothing calls exit.
        Outcome::Returned(values) => Outcome::Exited(values.first().map_or(0, |&v| v as u32 as i32)),
        other => other,
    }
}

/// The library's function that calls `main`, if it is there.
pub fn start(program: &Program) -> Option<FuncId> {
    program.function(START).filter(|&id| program.functions[id].body.is_some())
}

/// An array of strings that ends with a null pointer.
fn strings<S: Shadow>(machine: &mut Machine<'_, S>, texts: &[Vec<u8>]) -> Checked<u64> {
    let target = machine.image().program().target;
    let size = target.pointer_size() as usize;
    let mut pointers = Vec::new();
    for text in texts {
        let mut bytes = text.clone();
        bytes.push(0);
        pointers.extend(target.bytes(u128::from(machine.place(&bytes)?), size));
    }
    pointers.extend(&[0; 8][..size]);
    machine.place(&pointers)
}
