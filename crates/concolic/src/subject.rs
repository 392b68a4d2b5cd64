//! What is to be tested.

use std::collections::HashMap;

use crate::symbolic::{Volatile, offered_functions};
use covenant_goals::{Objective, Written};
use covenant_interpreter::Image;
use covenant_program::ir::{FuncId, GlobalId, Loc};
use covenant_program::types::TypeId;

/// What is to be tested.
#[derive(Debug)]
pub struct Subject {
    /// The program, ready to run.
    pub image: Image,
    /// What a run calls: the driver of the function under test, or the library's start.
    pub entry: FuncId,
    /// The function under test, by its name in the source.
    pub function: String,
    /// What tests call: the same, or one that leads to it.
    pub called: String,
    /// Parameters that are inputs: name and type.
    pub params: Vec<(String, TypeId)>,
    /// Other types that runs take parameters for, by their numbers: what a `void *` points to is a choice of ours.
    pub taken_for: HashMap<u32, TypeId>,
    /// The places where the code asks for variadic arguments, and their types.
    pub va_args: Vec<(Loc, TypeId)>,
    /// Globals that are inputs.
    pub globals: Vec<GlobalId>,
    /// Globals that calls before may have changed, and that no test can set: in runs they have their initial values, which
    /// proves nothing.
    pub kept: Vec<GlobalId>,
    /// Globals that are no inputs, that the code may change and a caller can look at.
    pub state: Vec<GlobalId>,
    /// Variables that functions which nothing defines may write, where the user says that they do.
    pub offered: Vec<GlobalId>,
    /// What is volatile and may be changed by somebody else while the code runs.
    pub volatile: Volatile,
    /// What it returns; `None`: nothing.
    pub returns: Option<TypeId>,
    /// Run as a whole program.
    pub is_main: bool,
    /// An input of the program that is not varied, so that nothing can be called infeasible.
    pub fixed: Option<String>,
    /// What is to be reached.
    pub objectives: Vec<Objective>,
    /// How the source writes branches.
    pub written: Written,
}

impl Subject {
    /// Functions that pointers among the inputs can be in runs. A whole program gets text and numbers only.
    pub fn offered_functions(&self) -> Vec<FuncId> {
        if self.is_main { Vec::new() } else { offered_functions(self.image.program()) }
    }
}
