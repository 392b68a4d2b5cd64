//! What the user assumes of the inputs, in words.

use crate::args::{GenArgs, Globals, Pointers};

/// What the user says of the inputs in so many words.
pub(crate) fn said_of_inputs(args: &GenArgs) -> impl Iterator<Item = String> + '_ {
    let lengths = args.length.iter().map(|(p, e)| format!("the object behind {p} has exactly {e} elements"));
    let assumed = args.assume.iter().map(|expression| format!("assumed on entry: {expression}"));
    let checked = args.precondition.iter().map(|name| format!("assumed on entry: {name}(...) is not 0"));
    lengths.chain(assumed).chain(checked)
}

/// All that the user assumes beyond what C says. Provers do not tell which of it they used: each proof may rest on all.
pub(crate) fn users_assumptions(args: &GenArgs) -> Vec<String> {
    let valid = (args.pointers == Pointers::Valid).then_some("pointer inputs are not NULL");
    let initial = (args.globals == Globals::Initial).then_some("globals have their initial values");
    let apart = args.no_aliases.then_some("each pointer input means an object of its own");
    let chosen = valid.into_iter().chain(initial).chain(apart).map(str::to_owned);
    let stubs = args.stub.iter().map(|(name, any)| {
        let name = name.as_deref().unwrap_or("each undefined function");
        let does = if *any { "returns any value and writes nothing" } else { "ends the run" };
        format!("{name} {does}")
    });
    chosen.chain(stubs).chain(said_of_inputs(args)).collect()
}

#[cfg(test)]
mod tests {
    use super::users_assumptions;
    use crate::config::parse;

    #[test]
    fn defaults_are_no_assumptions_of_the_user() {
        let of = |words: &[&str]| {
            let words: Vec<String> = ["gen", "a.c"].iter().chain(words).map(|word| (*word).to_owned()).collect();
            users_assumptions(&parse(&words).unwrap())
        };
        assert!(of(&[]).is_empty());
        let given = of(&["--assume", "x > 0", "--pointers", "valid", "--stub", "get=none"]);
        assert_eq!(given, ["pointer inputs are not NULL", "get ends the run", "assumed on entry: x > 0"]);
    }
}
