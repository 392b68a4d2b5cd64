//! Ends of a run, told with their place.

use covenant_program::ir::{Loc, Origin};

use super::Machine;
use crate::TrapKind;
use crate::memory::{Fault, Label};
use crate::outcome::{Outcome, StackEntry, Trap};
use crate::shadow::Shadow;

/// Why execution does not go on.
#[derive(Debug)]
pub(crate) enum Stop {
    Fault(Box<Fault>),
    Exit(i32),
    /// A signal that the program sent to itself.
    Signal(i32),
}

pub(crate) type Step<T> = Result<T, Stop>;

impl From<Box<Fault>> for Stop {
    fn from(fault: Box<Fault>) -> Stop {
        Stop::Fault(fault)
    }
}

impl<S: Shadow> Machine<'_, S> {
    #[cold]
    pub(crate) fn ended(&mut self, stop: Stop) -> Outcome {
        let fault = match stop {
            Stop::Exit(status) => return Outcome::Exited(status),
            Stop::Signal(signal) => {
                let fault = Fault::new(TrapKind::Signal, format!("the program ends itself with signal {signal}"));
                return Outcome::Killed(signal, Box::new(self.trap(&fault)));
            }
            Stop::Fault(fault) => fault,
        };
        let trap = Box::new(self.trap(&fault));
        match fault.kind {
            TrapKind::StepLimit => Outcome::StepLimit(trap),
            TrapKind::Interrupted => Outcome::Interrupted(trap),
            _ => Outcome::Trapped(trap),
        }
    }

    fn trap(&self, fault: &Fault) -> Trap {
        let stack = self.stack();
        let program = self.image.program();
        let subject =
            stack.iter().find(|e| program.functions[e.function].origin == Origin::Subject && e.at != Loc::NONE);
        let at = subject.or(stack.first()).map_or(Loc::NONE, |entry| entry.at);
        let mut message = fault.message.clone();
        let name = match fault.label {
            Label::None => None,
            Label::Global(id) => program.globals[id].source_name.as_deref(),
            Label::Local(f, var) => program.functions[f].body.as_ref().map(|b| b.variables[var].name.as_str()),
        };
        if let Some(name) = name {
            message = format!("{message} (`{name}`)");
        }
        Trap { kind: fault.kind, message, at, stack, about: fault.about }
    }

    /// Active calls, innermost first. The `pc` of a frame is behind the operation that it executes.
    pub(crate) fn stack(&self) -> Vec<StackEntry> {
        let entry = |frame: &super::Frame| {
            let origins = &self.image.code(frame.function).origins;
            let at = origins.get(frame.pc.saturating_sub(1)).map_or(Loc::NONE, |origin| origin.loc);
            // Locals are made before the first line: the function itself is the place.
            let at = if at.line == 0 { self.image.function(frame.function).loc } else { at };
            StackEntry { function: frame.function, at }
        };
        self.frames.iter().rev().map(entry).collect()
    }
}
