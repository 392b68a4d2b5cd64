//! What a static function is given: anything, or what its callers pass.
//!
//! With `--context callers` a run calls one of the functions that lead to the function under test and that anybody may call, with any
//! inputs of theirs. Where there are several, a function of ours calls the one that an input chooses; so there is one program, whose
//! runs are all runs of all callers, and a proof about it is one about each of them.

use std::collections::BTreeSet;

use anyhow::{Result, bail};
use covenant_goals::report::ObjectiveEntry;
use covenant_goals::{ReasonKind, VerdictKind};
use covenant_program::analysis::callers::{Callers, Open, callers, hidden};
use covenant_program::ir::{FuncId, Program};
use covenant_program::types::{CType, TypeId};
use covenant_report::subject::Through;

use crate::assumed;
use crate::driver::{Called, Entry, signature};
use crate::request::{Context, Request};

/// What tests of a function call.
pub(crate) fn called(program: &mut Program, id: FuncId, entry: Entry, request: &Request) -> Result<Called> {
    let itself = |entry: Entry, note: Option<String>| Called { entry, through: None, note, assume: Vec::new() };
    if request.context == Context::Any || entry.is_main {
        return Ok(itself(entry, None));
    }
    let name = &entry.name;
    let why = match callers(program, id) {
        // Nobody says which variadic arguments a function of ours should pass on.
        Callers::Known(found) if found.len() > 1 && found.iter().any(|&id| program.functions[id].variadic) => {
            "one of several that call it has variadic arguments"
        }
        Callers::Known(found) if !found.is_empty() => {
            if let Some(said) = assumed::said_of_inputs(request).next() {
                bail!("{said}: with --context callers the inputs are those of the callers of `{name}`");
            }
            return Ok(through(program, &found, entry));
        }
        Callers::Known(_) => "nothing in these files calls it",
        Callers::Unknown(Open::External) => "it is not static, so that other files may call it",
        Callers::Unknown(Open::Address) => "its address is taken, so that others may call it",
    };
    let note = format!("the callers of {name} are not known: {why}; it is given anything (--context any)");
    Ok(itself(entry, Some(note)))
}

/// The one function to call, or one of ours that calls each of them.
fn through(program: &mut Program, found: &[FuncId], tested: Entry) -> Called {
    let (mains, others): (Vec<FuncId>, Vec<FuncId>) =
        found.iter().partition(|id| program.functions[**id].source_name() == "main");
    let name = |id: &FuncId| program.functions[*id].source_name().to_owned();
    let mut through = Through {
        function: tested.name.clone(),
        callers: others.iter().map(name).collect(),
        left_out: (!others.is_empty() && !mains.is_empty()).then(|| "main".to_owned()),
        ..Through::default()
    };
    if others.is_empty() {
        through.callers.push("main".to_owned());
    }
    let entries = |ids: &[FuncId]| -> Vec<Entry> {
        ids.iter().map(|&id| signature(program, id, name(&id), tested.unit)).collect()
    };
    let mut entries = if others.is_empty() { entries(&mains) } else { entries(&others) };
    let is_plain = |entry: &Entry| program.definitions(&entry.name).count() == 1;
    if let [only] = &entries[..]
        && is_plain(only)
        && let Some(entry) = entries.pop()
    {
        return Called { entry, through: Some(through), note: None, assume: Vec::new() };
    }
    let mut taken: BTreeSet<String> = program.functions.values().map(|f| f.source_name().to_owned()).collect();
    taken.extend(program.globals.values().filter_map(|g| g.source_name.clone()));
    let wrapper = fresh(&format!("callers_of_{}", tested.name), &mut taken);
    let which = fresh("which", &mut taken);
    let number = CType::Int { name: "unsigned int".to_owned(), size: 4, signed: false, is_char: false };
    let mut params: Vec<(String, TypeId)> = vec![(which.clone(), program.types.push(number))];
    let mut origins = vec![(wrapper.clone(), 0)];
    let mut cases = String::new();
    let returns = common(program, &entries);
    for (at, entry) in entries.iter().enumerate() {
        let mut arguments = Vec::new();
        for (name, ty) in &entry.params {
            let name = fresh(&format!("{}_{name}", entry.name), &mut taken);
            arguments.push(name.clone());
            params.push((name, *ty));
        }
        origins.extend(entry.origins.iter().cloned());
        let call = format!("{}({})", entry.name, arguments.join(", "));
        cases.push_str(&match returns {
            // An input that chooses no caller is outside.
            Some(_) if at + 1 == entries.len() => format!("    default: return {call};\n"),
            Some(_) => format!("    case {at}: return {call};\n"),
            None => format!("    case {at}: {call}; break;\n"),
        });
    }
    let declared: Vec<String> = params.iter().map(|(name, ty)| program.types.spell(*ty, name)).collect();
    let head = format!("{wrapper}({})", declared.join(", "));
    let head = returns.map_or_else(|| format!("void {head}"), |ty| program.types.spell(ty, &head));
    through.text = format!("static __attribute__((unused)) {head}\n{{\n    switch ({which}) {{\n{cases}    }}\n}}\n");
    let assume = vec![format!("{which} < {}", entries.len())];
    let unit = tested.unit;
    let (is_main, main_params) = (false, Vec::new());
    let entry = Entry { name: wrapper, unit, params, origins, returns, is_main, main_params };
    Called { entry, through: Some(through), note: None, assume }
}

/// What all of these return, if that is a number of one type: then tests expect something of it.
fn common(program: &Program, entries: &[Entry]) -> Option<TypeId> {
    let types = &program.types;
    let returns: Vec<TypeId> = entries.iter().map(|entry| entry.returns).collect::<Option<_>>()?;
    let first = *returns.first()?;
    let is_number = matches!(types.stripped(first), CType::Bool | CType::Int { .. } | CType::Float { .. });
    let same = |ty: &TypeId| types.spell(*ty, "") == types.spell(first, "");
    (is_number && returns.iter().all(same)).then_some(first)
}

/// A name that nothing else has.
fn fresh(wanted: &str, taken: &mut BTreeSet<String>) -> String {
    let mut name = wanted.to_owned();
    while !taken.insert(name.clone()) {
        name.push('_');
    }
    name
}

/// No pointer among the inputs means a function that only its own file knows: the callers that were found are all there are.
pub(crate) fn hide(program: &mut Program, through: Option<&Through>, called: &str) {
    if through.is_none() {
        return;
    }
    let ours: Vec<FuncId> = program.definitions(called).collect();
    let ours = ours.into_iter().filter(|_| through.is_some_and(|through| !through.text.is_empty()));
    for id in hidden(program).into_iter().chain(ours) {
        program.functions[id].source.ty = None;
    }
}

/// In words, what is assumed of who calls the function under test.
pub(crate) fn assumption(through: &Through) -> String {
    let given = match &through.callers[..] {
        [only] if only == "main" => "",
        [_] => ", which is given anything",
        _ => ", which are given anything",
    };
    let other = through.left_out.as_ref().map(|name| format!("; that {name} calls it, too, is left out"));
    let (tested, callers) = (&through.function, list(&through.callers));
    format!("{tested} is called only by {callers}{given}{}", other.unwrap_or_default())
}

/// Says of something that is infeasible from all callers what that means.
pub(crate) fn tell(through: &Through, entry: &mut ObjectiveEntry) {
    let (tested, callers) = (&through.function, through.callers.join(", "));
    let proof = entry.reason.take().unwrap_or_default();
    if let Some(other) = &through.left_out {
        let words = format!(
            "no caller of {tested} that was looked at ({callers}) can take it, but {other} calls it, too, and is only run as a \
             whole program (-f {other})"
        );
        (entry.verdict, entry.kind, entry.reason) = (VerdictKind::Unknown, Some(ReasonKind::Model), Some(words));
        (entry.proof, entry.prover) = (None, None);
        return;
    }
    entry.callers.clone_from(&through.callers);
    entry.reason = Some(format!("no caller of {tested} (called by {callers}) can take it: {proof}"));
}

fn list(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn through(callers: &[&str], left_out: Option<&str>) -> Through {
        let callers = callers.iter().map(|&name| name.to_owned()).collect();
        Through { function: "f".to_owned(), callers, left_out: left_out.map(str::to_owned), text: String::new() }
    }

    #[test]
    fn callers_are_told() {
        let words = |callers: &[&str], left_out| assumption(&through(callers, left_out));
        assert_eq!(words(&["a"], None), "f is called only by a, which is given anything");
        assert_eq!(words(&["a", "b", "c"], None), "f is called only by a, b and c, which are given anything");
        assert_eq!(words(&["main"], None), "f is called only by main");
        let left_out = words(&["a"], Some("main"));
        assert!(left_out.ends_with("; that main calls it, too, is left out"), "{left_out}");
    }

    #[test]
    fn nothing_is_infeasible_where_a_caller_is_left_out() {
        let infeasible = ObjectiveEntry {
            verdict: VerdictKind::Infeasible,
            reason: Some("x is never 3".to_owned()),
            proof: Some("proofs/p.smt2".to_owned()),
            ..ObjectiveEntry::default()
        };
        let mut told = infeasible.clone();
        tell(&through(&["a", "b"], None), &mut told);
        assert_eq!((told.verdict, told.callers), (VerdictKind::Infeasible, vec!["a".to_owned(), "b".to_owned()]));
        assert_eq!(told.reason.as_deref(), Some("no caller of f (called by a, b) can take it: x is never 3"));
        let mut open = infeasible;
        tell(&through(&["a"], Some("main")), &mut open);
        assert_eq!((open.verdict, open.kind), (VerdictKind::Unknown, Some(ReasonKind::Model)));
        assert!(open.proof.is_none() && open.reason.is_some_and(|words| words.contains("main calls it, too")));
    }

    #[test]
    fn names_are_new() {
        let mut taken = BTreeSet::from(["which".to_owned(), "which_".to_owned()]);
        assert_eq!(fresh("which", &mut taken), "which__");
        assert_eq!(fresh("which", &mut taken), "which___");
    }
}
