//! What the user assumes of the inputs, in words.

use covenant_report::StubKind;

use crate::request::{Globals, Pointers, Request};

/// What the user says of the inputs in so many words.
pub(crate) fn said_of_inputs(request: &Request) -> impl Iterator<Item = String> + '_ {
    let lengths = request.lengths.iter().map(|(p, e)| format!("the object behind {p} has exactly {e} elements"));
    let assumed = request.assume.iter().map(|expression| format!("assumed on entry: {expression}"));
    let checked = request.precondition.iter().map(|name| format!("assumed on entry: {name}(...) is not 0"));
    lengths.chain(assumed).chain(checked)
}

/// All that the user assumes beyond what C says. Provers do not tell which of it they used: each proof may rest on all.
pub(crate) fn users_assumptions(request: &Request) -> Vec<String> {
    let valid = (request.pointers == Pointers::Valid).then_some("pointer inputs are not NULL");
    let initial = (request.globals == Globals::Initial).then_some("globals have their initial values");
    let apart = request.distinct.then_some("each pointer input means an object of its own");
    let chosen = valid.into_iter().chain(initial).chain(apart).map(str::to_owned);
    let stubs = request.stubs.iter().filter_map(|(name, kind)| {
        let name = name.as_deref().unwrap_or("each undefined function");
        // Writing anything and returning anything excludes nothing.
        (*kind != StubKind::Writes).then(|| format!("{name} {}", kind.does()))
    });
    let files = request.stub_files.iter().map(|file| format!("functions are as {} defines them", file.display()));
    chosen.chain(stubs).chain(files).chain(said_of_inputs(request)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_no_assumptions_of_the_user() {
        assert!(users_assumptions(&Request::default()).is_empty());
        let request = Request {
            assume: vec!["x > 0".to_owned()],
            pointers: Pointers::Valid,
            stubs: vec![(Some("get".to_owned()), StubKind::None), (Some("put".to_owned()), StubKind::Writes)],
            stub_files: vec!["own.c".into()],
            ..Request::default()
        };
        let expected = [
            "pointer inputs are not NULL",
            "get ends the run",
            "functions are as own.c defines them",
            "assumed on entry: x > 0",
        ];
        assert_eq!(users_assumptions(&request), expected);
    }
}
