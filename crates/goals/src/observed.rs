//! What a run leaves behind, which is what its test expects.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::value::{BitField, Cell, Value};

/// What a run returned and wrote.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Observed {
    /// By the function under test.
    pub returned: Option<Value>,
    /// Of a process that ended itself.
    pub exit_status: Option<i32>,
    /// Scalars of globals, input objects, the result and what the run made, where they differ from the inputs.
    pub written: Vec<Cell>,
    /// The same for bit-fields.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bits: Vec<BitField>,
    /// The enumerators that some of these are, by their paths.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub enumerators: BTreeMap<String, String>,
    /// What errno is afterwards; `None`: the code has nothing to do with it, or it may be something else elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub errno: Option<i32>,
    /// What was written to standard output; `None`: too much, or something else elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<Vec<u8>>,
    /// The same for standard error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<Vec<u8>>,
    /// Calls of undefined functions and of a caller's callbacks, in their order; `None`: nobody looked, or they are others elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calls: Option<Vec<Heard>>,
    /// What it made on the heap and did not free; `None`: the code has nothing to do with the heap, or it is something else elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allocated: Option<Allocated>,
    /// Files that a whole program made, changed or removed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<LeftFile>,
    /// What the run did that C gives no meaning to, in words: nothing that follows is to be expected of anybody.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undefined: Option<String>,
    /// What the run wrote and C leaves open: it would be something else elsewhere.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub open: Vec<String>,
}

/// A file as it is when a program is over, where that is not what it was before.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LeftFile {
    /// Its path from the directory that the program began in.
    pub name: String,
    /// `None`: there is none of that name any more.
    pub bytes: Option<Vec<u8>>,
}

/// What is on the heap when a run is over, of what the code under test made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Allocated {
    /// How many objects.
    pub objects: u64,
    /// How many of them no pointer leads to that a caller has: nobody can free them any more.
    pub lost: u64,
}

impl Allocated {
    /// What is to be said of those that are lost.
    pub fn words(self) -> Option<String> {
        match (self.lost, self.objects) {
            (0, _) => None,
            (1, 1) => Some("nobody has a pointer to it any more: it is lost".to_owned()),
            (lost, all) if lost == all => Some("nobody has a pointer to them any more: they are lost".to_owned()),
            (1, _) => Some("nobody has a pointer to one of them any more: it is lost".to_owned()),
            (lost, _) => Some(format!("nobody has a pointer to {lost} of them any more: they are lost")),
        }
    }
}

/// A call of a function that is none of the code under test.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Heard {
    /// By its name in the source.
    pub function: String,
    /// As they are passed; `None`: something else elsewhere.
    pub arguments: Vec<Option<Value>>,
}

impl Observed {
    /// Keeps what is the same in another run of the test, one in which all that C leaves open was chosen otherwise; `None`: the
    /// other run ended otherwise, or had other inputs.
    pub fn keep_what_agrees(&mut self, other: Option<&Observed>) {
        let nothing = Observed::default();
        let same = other.unwrap_or(&nothing);
        let mut open: Vec<String> = Vec::new();
        let mut leave = |path: &str| {
            if !open.iter().any(|known| known == path) {
                open.push(path.to_owned());
            }
        };
        if self.returned.is_some() && self.returned != same.returned {
            self.returned = None;
            leave("result");
        }
        for cell in self.written.iter().filter(|cell| !same.written.contains(cell)) {
            leave(&cell.path);
        }
        for field in self.bits.iter().filter(|field| !same.bits.contains(field)) {
            leave(&field.path);
        }
        // What only the other run wrote says that this one would have, too.
        for cell in same.written.iter().filter(|cell| !self.written.contains(cell)) {
            leave(&cell.path);
        }
        self.written.retain(|cell| same.written.contains(cell));
        self.bits.retain(|field| same.bits.contains(field));
        if self.exit_status.is_some() && self.exit_status != same.exit_status {
            self.exit_status = None;
            leave("exit status");
        }
        if self.errno.is_some() && self.errno != same.errno {
            self.errno = None;
            leave("errno");
        }
        for (mine, other, name) in
            [(&mut self.output, &same.output, "standard output"), (&mut self.error, &same.error, "standard error")]
        {
            if mine.is_some() && mine != other {
                *mine = None;
                leave(name);
            }
        }
        for file in self.files.iter().filter(|file| !same.files.contains(file)) {
            leave(&format!("file {}", file.name));
        }
        self.files.retain(|file| same.files.contains(file));
        if self.allocated.is_some() && self.allocated != same.allocated {
            self.allocated = None;
            leave("memory that is still allocated");
        }
        let names = |calls: &Option<Vec<Heard>>| -> Option<Vec<(String, usize)>> {
            calls.as_ref().map(|calls| calls.iter().map(|c| (c.function.clone(), c.arguments.len())).collect())
        };
        if self.calls.is_some() && names(&self.calls) != names(&same.calls) {
            self.calls = None;
            leave("calls of undefined functions");
        }
        for (call, other) in self.calls.iter_mut().flatten().zip(same.calls.iter().flatten()) {
            for (argument, _) in call.arguments.iter_mut().zip(&other.arguments).filter(|(a, b)| a != b) {
                *argument = None;
                leave(&format!("what {} gets", call.function));
            }
        }
        self.open.extend(open);
    }

    /// Whether a test that expects this fails where a run leaves that behind.
    pub fn tells_from(&self, other: &Observed) -> bool {
        let arguments = |mine: &Heard, other: &Heard| {
            let same = |(mine, other): (&Option<Value>, &Option<Value>)| mine.is_none() || mine == other;
            mine.function == other.function && mine.arguments.iter().zip(&other.arguments).all(same)
        };
        let heard = |mine: &Vec<Heard>| {
            let calls = other.calls.as_deref().unwrap_or_default();
            mine.len() == calls.len() && mine.iter().zip(calls).all(|(mine, other)| arguments(mine, other))
        };
        self.returned.is_some() && self.returned != other.returned
            || self.written.iter().any(|cell| !other.written.contains(cell))
            || self.bits.iter().any(|field| !other.bits.contains(field))
            || self.files.iter().any(|file| !other.files.contains(file))
            || self.errno.is_some() && self.errno != other.errno
            || self.output.is_some() && self.output != other.output
            || self.error.is_some() && self.error != other.error
            || self.allocated.is_some_and(|mine| other.allocated.is_none_or(|other| mine.objects != other.objects))
            || self.calls.as_ref().is_some_and(|calls| !heard(calls))
    }

    /// Whether something was written to standard output or error.
    pub fn has_output(&self) -> bool {
        [&self.output, &self.error].into_iter().flatten().any(|text| !text.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::place::Root;

    fn cell(path: &str, bits: &str) -> Cell {
        let value = Value::Int { bits: bits.into(), size: 4, signed: true };
        Cell { root: Root::Object(1), offset: 0, path: path.into(), value }
    }

    #[test]
    fn what_differs_elsewhere_is_open() {
        let here = Observed { written: vec![cell("a", "1"), cell("b", "2")], ..Observed::default() };
        let there = Observed { written: vec![cell("a", "1"), cell("b", "3"), cell("c", "4")], ..Observed::default() };
        let mut kept = here.clone();
        kept.keep_what_agrees(Some(&there));
        assert_eq!((kept.written, kept.open), (vec![cell("a", "1")], vec!["b".to_owned(), "c".to_owned()]));
        let mut kept = here.clone();
        kept.keep_what_agrees(None);
        assert_eq!((kept.written, kept.open), (Vec::new(), vec!["a".to_owned(), "b".to_owned()]));
    }

    #[test]
    fn what_is_expected_tells_runs_apart() {
        let expected = Observed { written: vec![cell("a", "1")], ..Observed::default() };
        let more = Observed { written: vec![cell("a", "1"), cell("b", "2")], ..Observed::default() };
        let other = Observed { written: vec![cell("a", "2")], ..Observed::default() };
        assert!(!expected.tells_from(&more), "what nobody expects is nothing that a test notices");
        assert!(expected.tells_from(&other) && expected.tells_from(&Observed::default()));
        let heard = |arguments| Observed {
            calls: Some(vec![Heard { function: "log".into(), arguments }]),
            ..Observed::default()
        };
        let number = Some(Value::Int { bits: "1".into(), size: 4, signed: true });
        assert!(!heard(vec![None]).tells_from(&heard(vec![number.clone()])), "what is open is not compared");
        assert!(heard(vec![number]).tells_from(&heard(vec![None])));
    }

    #[test]
    fn what_is_done_outside_may_be_open_too() {
        let number = |bits: &str| Some(Value::Int { bits: bits.into(), size: 4, signed: true });
        let heard = |bits: &str| Heard { function: "f".into(), arguments: vec![number("1"), number(bits)] };
        let here = Observed {
            errno: Some(2),
            output: Some(b"a".to_vec()),
            error: Some(Vec::new()),
            calls: Some(vec![heard("2")]),
            allocated: Some(Allocated { objects: 2, lost: 1 }),
            ..Observed::default()
        };
        let there = Observed { output: Some(b"b".to_vec()), calls: Some(vec![heard("3")]), ..here.clone() };
        let mut kept = here.clone();
        kept.keep_what_agrees(Some(&there));
        assert_eq!((kept.errno, &kept.output, kept.error.as_deref()), (Some(2), &None, Some(&[][..])));
        assert_eq!(kept.calls.as_ref().map(|calls| calls[0].arguments.clone()), Some(vec![number("1"), None]));
        assert_eq!(kept.open, ["standard output", "what f gets"]);
        assert_eq!(kept.allocated.and_then(Allocated::words).map(|words| words.contains("one of them")), Some(true));
        let mut kept = here;
        kept.keep_what_agrees(Some(&Observed { calls: Some(Vec::new()), allocated: None, ..there }));
        assert_eq!((kept.calls, kept.allocated), (None, None));
    }
}
