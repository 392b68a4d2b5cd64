//! What suites do about functions that reach outside: they say so at the top, and let the code under test call functions of
//! their own where the C library's give other values each time, or where no test was made of what they do.

use std::fmt::Write;

use super::device::DEVICE;
use crate::subject::{SubjectInfo, own_name, renamed, replaced};

/// `world.c`: the functions whose values are Covenant's choice.
pub(crate) const WORLD: &str = include_str!("c/world.c");
/// `failures.c`: the functions that may fail at any call.
pub(crate) const FAILURES: &str = include_str!("c/failures.c");

/// The files of these, and of devices, that the suite of a framework needs.
pub(crate) fn needed(subject: &SubjectInfo) -> impl Iterator<Item = (&'static str, &'static str)> {
    let world = (!subject.fixed.is_empty()).then_some(("world.c", WORLD));
    let failures = (!subject.failing.is_empty() || !subject.heap.is_empty()).then_some(("failures.c", FAILURES));
    let device = subject.has_devices().then_some(("device.c", DEVICE));
    world.into_iter().chain(failures).chain(device)
}

/// Before the code under test: other names for these functions.
pub(crate) fn names(subject: &SubjectInfo) -> String {
    let mut text = String::new();
    for name in renamed(subject) {
        if text.is_empty() {
            text.push_str("\n/* Functions of the C library that the tests have their own of. */\n");
        }
        let _ = writeln!(text, "#define {name} {}", own_name(name));
    }
    text
}

/// What running the tests does besides, as the lines of a comment without its marks.
pub(crate) fn effects(subject: &SubjectInfo) -> Vec<String> {
    let ours = |name: &&String| !subject.labelled.contains(name) && replaced(subject).any(|own| own == name.as_str());
    let (replaced, real): (Vec<&String>, Vec<&String>) = subject.effects.iter().partition(ours);
    let list = |names: Vec<&String>| names.iter().map(|name| name.as_str()).collect::<Vec<_>>().join(", ");
    let mut lines = Vec::new();
    if !real.is_empty() {
        lines.push(format!("This code calls {}: running these tests performs them,", list(real)));
        lines.push("with your rights, in the folder that you run them in.".to_owned());
    }
    if !replaced.is_empty() {
        lines.push(format!("This code calls {}, which these tests do not perform.", list(replaced)));
    }
    lines
}

/// The same as a comment of C, behind the first line of a file.
pub(crate) fn comment(subject: &SubjectInfo) -> String {
    let lines = effects(subject);
    if lines.is_empty() { String::new() } else { format!("/* {} */\n", lines.join("\n * ")) }
}

/// The same for files whose comments begin with `#`.
pub(crate) fn hash_comment(subject: &SubjectInfo) -> String {
    effects(subject).iter().map(|line| format!("# {line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subject::Stub;

    #[test]
    fn all_that_may_fail_can_be_made_to() {
        for name in covenant_program::world::failing(covenant_program::world::Failures::All) {
            assert!(FAILURES.contains(&format!("{}(", own_name(name))), "{name} has no function");
            assert!(FAILURES.contains(&format!("{{ \"{name}\", 0 }}")), "{name} is not in the table");
        }
    }

    #[test]
    fn all_that_allocates_is_counted() {
        for name in covenant_program::world::failing(covenant_program::world::Failures::Alloc).chain(["free"]) {
            let start = FAILURES.rfind(&format!("{}(", own_name(name))).expect("it has a function");
            let body = FAILURES[start..].split("\n}\n").next().unwrap_or_default();
            let counted = ["made(", "moved(", "freed("].iter().any(|word| body.contains(word));
            assert!(counted, "{name} does not count");
        }
    }

    #[test]
    fn a_suite_says_what_running_it_does() {
        let text = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let stub = Stub { name: "fork".to_owned(), library: true, ..Stub::default() };
        let subject = SubjectInfo {
            effects: text(&["fork", "remove", "rename"]),
            fixed: text(&["time"]),
            stubs: vec![stub],
            ..SubjectInfo::default()
        };
        let said = comment(&subject);
        assert!(
            said.starts_with("/* This code calls remove, rename: running these tests performs them,\n * "),
            "{said}"
        );
        assert!(said.contains("This code calls fork, which these tests do not perform."), "{said}");
        assert!(names(&subject).ends_with("#define fork covenant_own_fork\n#define time covenant_own_time\n"));
        let called_otherwise = SubjectInfo { labelled: text(&["fork"]), ..subject };
        assert!(
            comment(&called_otherwise).contains("This code calls fork, remove, rename: running these tests performs")
        );
        assert_eq!((comment(&SubjectInfo::default()), names(&SubjectInfo::default())), (String::new(), String::new()));
    }
}
