//! What the code calls that no run can do, for those who want to know before they search.

use std::collections::BTreeMap;

use covenant_interpreter::code::Builtin;
use covenant_program::ir::{Callee, Loc, Op, Origin, Program};
use covenant_program::world::{is_harness, missing};

/// A function that the code calls and that is not here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lacking {
    /// Its name.
    pub name: String,
    /// The file and line of its first call.
    pub place: String,
    /// How many calls there are.
    pub calls: usize,
    /// What it would need of the world, where that is why there is none; `None`: nothing here defines it, and a run lets it do what
    /// its type allows.
    pub needs: Option<String>,
}

/// All functions that the code calls by name and that neither it nor Covenant's C library has, those that a run ends at first.
pub fn lacking(program: &Program) -> Vec<Lacking> {
    let mut found: BTreeMap<&str, (Loc, usize)> = BTreeMap::new();
    let own = program.functions.values().filter(|f| f.origin == Origin::Subject);
    for inst in own.filter_map(|f| f.body.as_ref()).flat_map(|body| body.insts.values()) {
        let Op::Call(call) = &inst.op else { continue };
        let Callee::Direct(callee) = call.callee else { continue };
        let callee = &program.functions[callee];
        let name = callee.name.as_str();
        // Some that programs can be run with are other ones natively, so that nothing is claimed of them.
        let is_ours = callee.body.is_some() && (callee.origin == Origin::Subject || missing(name).is_none());
        if !is_ours && !Builtin::named(name) && !is_harness(name) {
            found.entry(name).or_insert((inst.loc, 0)).1 += 1;
        }
    }
    let place = |at: Loc| {
        let file = at.file().map_or("?", |file| program.files[file].name.as_str());
        format!("{file}:{}", at.line)
    };
    let mut all: Vec<Lacking> = found
        .into_iter()
        .map(|(name, (at, calls))| Lacking {
            name: name.to_owned(),
            place: place(at),
            calls,
            needs: missing(name).map(|kind| kind.to_string()),
        })
        .collect();
    all.sort_by_key(|lacking| lacking.needs.is_none());
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sources;

    #[test]
    fn what_is_missing_is_told_with_its_first_call() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.c");
        let code = "#include <string.h>\n#include <unistd.h>\nint other(int);\nint __VERIFIER_nondet_int(void);\n\
                    static int own(void) { return 3; }\n\
                    int main(void) {\n  if (fork() == 0) return other(1);\n  return (int)strlen(\"a\") + other(2) + own() + __VERIFIER_nondet_int();\n}\n";
        std::fs::write(&file, code).unwrap();
        let sources = Sources { files: vec![file], ..Sources::default() };
        let program = sources.program(true, &mut |_| {}).unwrap();
        let told: Vec<_> = lacking(&program)
            .into_iter()
            .map(|l| (l.name, l.place.rsplit(':').next().map(str::to_owned), l.calls, l.needs))
            .collect();
        let needs = Some("another process".to_owned());
        let line = Some("7".to_owned());
        assert_eq!(told, [("fork".to_owned(), line.clone(), 1, needs), ("other".to_owned(), line, 2, None)]);
    }
}
