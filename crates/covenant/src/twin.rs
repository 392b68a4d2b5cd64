//! Mutants that are the same function: it and its mutant, called one after the other with the same numbers.
//!
//! A mutant that changes a value may still give what the function gives, as `a > b ? a : b` does with `>=`. Of functions that take
//! numbers, give one, and do nothing else, that is asked about a function of two calls: can their results differ? If no input takes
//! that branch, and no operation of the two calls can fail for any input, then the mutant is equivalent, wherever the function is
//! called. What may not come to an end, looks at memory of its own or leaves something to others is not asked about.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, Result};
use covenant_goals::{Criterion, Outcome, Verdict};
use covenant_program::analysis::Loops;
use covenant_program::ir::{
    Body, Callee, Const, Def, FuncId, Intrinsic, Op, Origin, Program, Terminator, Value, ValueData,
};
use covenant_program::types::{CType, TypeId};
use covenant_report::{Mutant, Mutants, SubjectInfo};
use covenant_search::campaign::{self, Observer, Progress};

use crate::driver::signature;
use crate::request::Request;
use crate::sources::Sources;
use crate::subject::{self, Loaded};

/// The function of two calls.
const TWIN: &str = "covenant_twin";
/// What a search may take for one mutant, as the search counts work.
const MOST_WORK: u64 = 20_000_000; // not tuning: how long it takes

/// The survivors that are proved to be the same function.
pub(crate) fn same(
    (request, stored, loaded): (&Request, &SubjectInfo, &Loaded),
    mutants: &Mutants,
    cancel: &Arc<AtomicBool>,
    observer: &mut dyn Observer,
) -> Vec<u32> {
    let mut found = Vec::new();
    for mutant in mutants.survivors() {
        if observer.progress(&Progress::default()).is_some() {
            break;
        }
        // What cannot be asked stays a survivor.
        if is_same((request, stored, loaded), (mutants, mutant), cancel, observer).unwrap_or(false) {
            found.push(mutant.number);
        }
    }
    found
}

fn is_same(
    (request, stored, loaded): (&Request, &SubjectInfo, &Loaded),
    (mutants, mutant): (&Mutants, &Mutant),
    cancel: &Arc<AtomicBool>,
    observer: &mut dyn Observer,
) -> Result<bool> {
    let Some(calls) = calls(loaded.subject.image.program(), mutant) else { return Ok(false) };
    let Some((path, text)) = mutants.alone(mutant) else { return Ok(false) };
    let file = stored.files.iter().find(|file| file.absolute() == path).context("the file is not known")?;
    let folder = tempfile::tempdir().context("no temporary directory")?;
    let twin = folder.path().join("twin.c");
    std::fs::write(&twin, format!("static int covenant_mutant;\n#line 1\n{text}\n{calls}"))?;
    let mut flags = file.flags.clone();
    let beside = path.parent().unwrap_or(Path::new("/"));
    flags.extend(["-iquote".to_owned(), beside.display().to_string(), "-w".to_owned()]);
    let asked = Request {
        sources: Sources { files: vec![twin], flags, directory: file.absolute_directory(), ..Sources::default() },
        function: Some(TWIN.to_owned()),
        criteria: vec![Criterion::Branch, Criterion::RuntimeError],
        solver: request.solver,
        solver_timeout: request.solver_timeout,
        seed: request.seed,
        ..Request::default()
    };
    let mut loaded = subject::load(&asked, &mut |_| {})?;
    let program = loaded.subject.image.program();
    let is_plain = program.definitions(&mutant.function).next().is_some_and(|id| is_plain(program, id));
    if !is_plain {
        return Ok(false);
    }
    // The branches of the function itself are of no interest.
    for objective in &mut loaded.subject.objectives {
        objective.measured = objective.function != TWIN && objective.criterion == Criterion::Branch;
    }
    let mut settings = asked.settings(Arc::clone(cancel))?;
    settings.max_work = Some(MOST_WORK);
    let findings = campaign::run(&loaded.subject, &settings, observer)?;
    let asked = findings.ledger.iter().filter(|(_, objective, _)| match objective.criterion {
        Criterion::RuntimeError => true,
        _ => objective.function == TWIN && objective.outcome == Outcome::True,
    });
    let verdicts: Vec<_> = asked.map(|(_, objective, verdict)| (objective.criterion, verdict)).collect();
    let differs = verdicts.iter().filter(|(criterion, _)| *criterion == Criterion::Branch).count();
    Ok(differs == 1 && verdicts.iter().all(|(_, verdict)| matches!(verdict, Verdict::Infeasible(_))))
}

/// A function that calls another twice, once as it is and once as its mutant; `None`: it takes or gives something else than numbers.
fn calls(program: &Program, mutant: &Mutant) -> Option<String> {
    let types = &program.types;
    let is_number = |ty: TypeId| match types.stripped(ty) {
        CType::Bool | CType::Enum(_) => true,
        CType::Int { size, .. } => *size <= 8,
        _ => false,
    };
    let name = &mutant.function;
    let entry = signature(program, program.definitions(name).next()?, name.clone(), 0);
    let returns = entry.returns.filter(|&ty| is_number(ty))?;
    if entry.is_main || !entry.params.iter().all(|(_, ty)| is_number(*ty)) {
        return None;
    }
    let names: Vec<String> = (0..entry.params.len()).map(|at| format!("covenant_p{at}")).collect();
    let params: Vec<String> = entry.params.iter().zip(&names).map(|((_, ty), name)| types.spell(*ty, name)).collect();
    let params = if params.is_empty() { "void".to_owned() } else { params.join(", ") };
    let (call, number) = (format!("{name}({})", names.join(", ")), mutant.number);
    let (first, second) = (types.spell(returns, "covenant_first"), types.spell(returns, "covenant_second"));
    Some(format!(
        "int {TWIN}({params})\n{{\n    covenant_mutant = 0;\n    {first} = {call};\n    covenant_mutant = {number};\n    \
         {second} = {call};\n    if (covenant_first != covenant_second)\n        return 1;\n    return 0;\n}}\n"
    ))
}

/// Whether a function computes something of its arguments and of globals, comes to an end, and does nothing else.
fn is_plain(program: &Program, id: FuncId) -> bool {
    let (mut done, mut work) = (BTreeSet::new(), vec![(id, Vec::new())]);
    while let Some((id, above)) = work.pop() {
        // One that leads to itself.
        if above.contains(&id) {
            return false;
        }
        if !done.insert(id) {
            continue;
        }
        let function = &program.functions[id];
        let Some(body) = function.body.as_ref().filter(|_| function.origin == Origin::Subject) else { return false };
        let Some(called) = plain_calls(body) else { return false };
        let above: Vec<FuncId> = above.into_iter().chain([id]).collect();
        work.extend(called.into_iter().map(|called| (called, above.clone())));
    }
    true
}

/// Whom a body calls; `None`: it does something that is not plain.
fn plain_calls(body: &Body) -> Option<Vec<FuncId>> {
    let is_open = |data: &ValueData| data.ty.is_float() || matches!(data.def, Def::Const(Const::Undef));
    if !Loops::new(body).is_empty() || body.values.values().any(is_open) {
        return None;
    }
    let mut called = Vec::new();
    for block in body.blocks.values() {
        if matches!(block.term, Terminator::Indirect { .. } | Terminator::Unreachable) {
            return None;
        }
        for &inst in &block.insts {
            match &body.insts[inst].op {
                Op::Store { .. } | Op::Alloca { .. } | Op::Unsupported { .. } => return None,
                Op::Load { ptr, volatile } if *volatile || !is_global(body, *ptr) => return None,
                Op::Call(call) => match call.callee {
                    Callee::Direct(id) if !call.variadic => called.push(id),
                    _ => return None,
                },
                Op::Intrinsic { op, .. } if !is_plain_intrinsic(*op) => return None,
                _ => {}
            }
        }
    }
    Some(called)
}

/// Whether an address is that of a global, or of a place in it.
fn is_global(body: &Body, mut ptr: Value) -> bool {
    loop {
        if let Some(constant) = body.constant(ptr) {
            return matches!(constant, Const::Global(..));
        }
        let Def::Result { inst, .. } = body.values[ptr].def else { return false };
        let Op::PtrAdd { base, .. } = body.insts[inst].op else { return false };
        ptr = base;
    }
}

/// Arithmetic that is defined for all operands, and what labels ask.
fn is_plain_intrinsic(op: Intrinsic) -> bool {
    use Intrinsic::{
        BSwap, BadAccess, BitReverse, CtPop, FShl, FShr, SAddOverflow, SAddSat, SMax, SMin, SMulOverflow, SSubOverflow,
        SSubSat, UAddOverflow, UAddSat, UMax, UMin, UMulOverflow, USubOverflow, USubSat,
    };
    let arithmetic = matches!(op, SAddSat | UAddSat | SSubSat | USubSat | SMin | SMax | UMin | UMax);
    let overflow =
        matches!(op, SAddOverflow | UAddOverflow | SSubOverflow | USubOverflow | SMulOverflow | UMulOverflow);
    arithmetic || overflow || matches!(op, CtPop | BSwap | BitReverse | FShl | FShr | BadAccess)
}
