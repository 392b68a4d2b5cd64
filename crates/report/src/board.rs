//! What a board says of its tests: words in a log of its output, or the table in a dump of its memory, held against the suites.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::files::{read_json, write_file};
use crate::suite::SuiteFormat;
use crate::suite::embedded::{DIGEST, LIST, Listed, RESULTS};
use crate::{Error, project};

/// What the table in memory begins with.
const MAGIC: &[u8] = b"COVENANT";
/// What each line of the suite's begins with.
const MARK: &str = "covenant: ";

/// What became of a test on the board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// It ended as it should.
    Passed,
    /// In the board's words.
    Failed(String),
    /// It began and did not end, perhaps with words on why.
    Stopped(String),
    /// Nothing was heard of it.
    Missing,
}

/// One test of a suite.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TestRun {
    /// Its name.
    pub test: String,
    /// What became of it.
    pub state: State,
}

/// What came back of a suite.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SuiteOnBoard {
    /// The function under test.
    pub function: String,
    /// The suite's.
    pub digest: String,
    /// In the order of the suite.
    pub tests: Vec<TestRun>,
}

impl SuiteOnBoard {
    /// How many tests passed.
    pub fn passed(&self) -> usize {
        self.tests.iter().filter(|run| run.state == State::Passed).count()
    }

    /// Whether all tests ran and passed.
    pub fn is_complete(&self) -> bool {
        self.passed() == self.tests.len()
    }
}

/// All that came back.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Imported {
    /// In the order of the functions' folders.
    pub suites: Vec<SuiteOnBoard>,
    /// Functions whose results are of other suites than those that are there.
    pub others: Vec<String>,
}

impl Imported {
    /// Whether something was heard of some suite that is there.
    pub fn is_heard(&self) -> bool {
        self.suites.iter().any(|suite| suite.tests.iter().any(|run| run.state != State::Missing))
    }
}

/// Reads what a board said and holds it against the embedded suites of a function's or a project's directory. What came back is kept
/// beside each suite, as `results.json`. `None`: there is no such suite.
pub fn import(dir: &Path, said: &[u8]) -> Result<Option<Imported>, Error> {
    let folders = match project::is_project(dir) {
        true => project::functions(dir)?.iter().map(|run| dir.join(&run.folder)).collect(),
        false => vec![dir.to_path_buf()],
    };
    let heard = hear(said);
    let mut imported = Imported::default();
    for folder in folders {
        let suite = folder.join(SuiteFormat::Embedded.folder());
        if !suite.join(LIST).is_file() {
            continue;
        }
        let listed: Listed = read_json(&suite.join(LIST))?;
        let came = compare(listed, &heard);
        let path = suite.join(RESULTS);
        let text = serde_json::to_string_pretty(&came)
            .map_err(|error| Error::Content { path: path.clone(), message: error.to_string() })?;
        write_file(&path, (text + "\n").as_bytes())?;
        imported.suites.push(came);
    }
    let is_known = |digest: &String| imported.suites.iter().any(|suite| suite.digest == *digest);
    imported.others =
        heard.into_iter().filter(|(digest, _)| !is_known(digest)).map(|(_, heard)| heard.function).collect();
    Ok((!imported.suites.is_empty()).then_some(imported))
}

fn compare(listed: Listed, heard: &BTreeMap<String, Heard>) -> SuiteOnBoard {
    let heard = heard.get(&listed.digest);
    let state = |number: usize| heard.and_then(|heard| heard.states.get(&number)).cloned().unwrap_or(State::Missing);
    let tests = listed.tests.into_iter().enumerate().map(|(at, test)| TestRun { test, state: state(at + 1) }).collect();
    SuiteOnBoard { function: listed.function, digest: listed.digest, tests }
}

/// What was heard of a suite: tests by their numbers, from 1.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Heard {
    function: String,
    states: BTreeMap<usize, State>,
}

/// By the suites' digests.
fn hear(said: &[u8]) -> BTreeMap<String, Heard> {
    let mut heard: BTreeMap<String, Heard> = BTreeMap::new();
    for (digest, states) in tables(said) {
        let known = heard.entry(digest).or_default();
        known.states.extend(states);
    }
    let text = String::from_utf8_lossy(said);
    let mut current: Option<String> = None;
    for line in text.lines().filter_map(|line| line.split_once(MARK).map(|(_, words)| words.trim_end())) {
        let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
        if verb == "begin" {
            let words: Vec<&str> = rest.rsplitn(3, ' ').collect();
            if let [_, digest, function] = words[..] {
                // A board that starts again says all of it again.
                heard.insert(digest.to_owned(), Heard { function: function.to_owned(), ..Heard::default() });
                current = Some(digest.to_owned());
            }
            continue;
        }
        let Some(known) = current.as_ref().and_then(|digest| heard.get_mut(digest)) else { continue };
        known.line(verb, rest);
    }
    heard
}

impl Heard {
    fn line(&mut self, verb: &str, rest: &str) {
        let rest = if verb == "stopped" { rest.strip_prefix("in ").unwrap_or(rest) } else { rest };
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let (number, words) = rest.split_at(end);
        let Ok(number) = number.parse() else { return };
        let words = words.trim_start_matches(':').trim().to_owned();
        let state = match verb {
            "pass" => State::Passed,
            "fail" => State::Failed(words),
            "stopped" => State::Stopped(words),
            _ => return,
        };
        self.states.insert(number, state);
    }
}

/// The tables in a dump of memory.
fn tables(said: &[u8]) -> Vec<(String, BTreeMap<usize, State>)> {
    let starts = said.windows(MAGIC.len()).enumerate().filter(|(_, window)| *window == MAGIC).map(|(at, _)| at);
    starts.filter_map(|at| table(&said[at + MAGIC.len()..])).collect()
}

fn table(rest: &[u8]) -> Option<(String, BTreeMap<usize, State>)> {
    let digest = rest.get(..DIGEST).filter(|digest| digest.iter().all(u8::is_ascii_hexdigit))?;
    let [low, high] = *rest.get(DIGEST..DIGEST + 2)? else { return None };
    let states = rest.get(DIGEST + 2..)?.get(..usize::from(low) | usize::from(high) << 8)?;
    let state = |(at, letter): (usize, &u8)| {
        let state = match letter {
            b'+' => State::Passed,
            b'-' => State::Failed("the table says so".to_owned()),
            b'>' => State::Stopped(String::new()),
            b'?' => State::Missing,
            _ => return None,
        };
        Some((at + 1, state))
    };
    let states = states.iter().enumerate().map(state).collect::<Option<_>>()?;
    Some((String::from_utf8_lossy(digest).into_owned(), states))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SUITE: &str = "0123456789abcdef";

    fn listed() -> Listed {
        let tests = ["one", "two", "three"].map(str::to_owned).to_vec();
        Listed { function: "f".to_owned(), digest: SUITE.to_owned(), tests }
    }

    fn states(said: &[u8]) -> Vec<State> {
        compare(listed(), &hear(said)).tests.into_iter().map(|run| run.state).collect()
    }

    #[test]
    fn words_are_found_between_others() {
        let log = format!(
            "boot 1.2\r\n[12] covenant: begin f {SUITE} 3\r\n[13] covenant: pass 1 one\r\nADC ready\r\n\
             [14] covenant: fail 2 line 30: result: expected 1, got 0\r\n[15] covenant: stopped in 3: a fault\r\n"
        );
        let failed = State::Failed("line 30: result: expected 1, got 0".to_owned());
        assert_eq!(states(log.as_bytes()), [State::Passed, failed, State::Stopped("a fault".to_owned())]);
    }

    #[test]
    fn what_is_cut_off_is_missing() {
        let log = format!("covenant: begin f {SUITE} 3\ncovenant: pass 1 one\ncovenant: pa");
        assert_eq!(states(log.as_bytes()), [State::Passed, State::Missing, State::Missing]);
        assert_eq!(states(b"nothing"), [State::Missing, State::Missing, State::Missing]);
    }

    #[test]
    fn a_board_that_starts_again_is_heard_again() {
        let log = format!(
            "covenant: begin f {SUITE} 3\ncovenant: fail 1 line 3: x\ncovenant: begin f {SUITE} 3\ncovenant: pass 1 one\n"
        );
        assert_eq!(states(log.as_bytes())[0], State::Passed);
    }

    #[test]
    fn the_table_is_found_in_a_dump() {
        let mut dump = b"\0\xffCOVENANT is here, too: COVENANT".to_vec();
        dump.extend(SUITE.as_bytes());
        dump.extend(b"\x03\x00+>?\0\0");
        assert_eq!(states(&dump), [State::Passed, State::Stopped(String::new()), State::Missing]);
        dump.truncate(dump.len() - 4);
        assert_eq!(states(&dump), [State::Missing, State::Missing, State::Missing]);
    }
}
