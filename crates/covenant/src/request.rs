//! What is asked for: the code, what to cover, which inputs there are, and what it may cost.
//!
//! A request is all that results depend on. It is kept beside them (`subject.json`), so that whoever checks a proof later
//! loads the program exactly as it was.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use covenant_concolic::symbolic::{InputOptions, Stubbed};
use covenant_constraints::solver::{Backend, Steps};
use covenant_constraints::tuning::{Tuning, Wrong};
use covenant_goals::criteria::Wanted;
use covenant_goals::criteria::mcdc::Rule;
use covenant_goals::{Criterion, Level};
use covenant_program::world;
use covenant_report::{StubKind, SuiteFormat};
use covenant_search::Settings;
use covenant_search::strategy::StrategyConfig;
use serde::{Deserialize, Serialize};

use crate::growth;
use crate::scope::Scope;
use crate::sources::Sources;

/// A question to Covenant. `Request::default()` with files and a function is a good one.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Request {
    /// The code.
    pub sources: Sources,
    /// The function under test; `None`: `main`.
    pub function: Option<String>,
    /// What to cover; nothing: the points if there are some, else branches.
    pub criteria: Vec<Criterion>,
    /// The level of a standard, which says what to cover where `criteria` does not.
    pub level: Option<Level>,
    /// Whose objectives are searched for.
    pub scope: Scope,
    /// What a static function is given.
    pub context: Context,
    /// What is not searched for, but counted on the tests that are made.
    pub measured: Vec<Criterion>,
    /// Functions whose calls are assertions that fail; nothing: `assert` and those that tools for C know.
    pub failing: Vec<String>,
    /// Which two evaluations of a decision show that a condition matters.
    pub mcdc: Rule,
    /// Lines to reach: a file's name or how it ends, and the line's number.
    pub points: Vec<(String, u32)>,
    /// How to decide what to try next; `None`: what suits the criteria.
    #[serde(with = "text::option")]
    pub strategy: Option<StrategyConfig>,
    /// Times that a loop of the function goes back to its head; what lies beyond stays open.
    pub loop_bound: Option<u32>,
    /// Decisions of a path beyond which none is flipped; what lies beyond stays open.
    pub max_depth: Option<u32>,
    /// Whether inputs of chance are tried where search is in vain.
    pub fuzz: bool,
    /// Whether the prover's model forgets splits that it no longer needs.
    pub coarsening: bool,
    /// C expressions over the parameters and globals that hold on entry.
    pub assume: Vec<String>,
    /// A C function of the same parameters; inputs for which it returns 0 are outside.
    pub precondition: Option<String>,
    /// A C function of the same parameters that says what is right.
    pub expect: Option<String>,
    /// Whether globals are inputs.
    pub globals: Globals,
    /// Whether pointer inputs may be NULL.
    pub pointers: Pointers,
    /// Whether each pointer input means an object of its own.
    pub distinct: bool,
    /// Elements of the object behind a pointer input; proofs rest on the number only if it is given.
    pub array_len: Option<u64>,
    /// Pointers with the C expressions that say how many elements their objects have.
    pub lengths: Vec<(String, String)>,
    /// What undefined functions do; without a name it is said of all. The last word counts.
    pub stubs: Vec<(Option<String>, StubKind)>,
    /// C files with the user's own definitions of functions that are defined nowhere else: they are run, and nothing of them is to
    /// be covered.
    pub stub_files: Vec<PathBuf>,
    /// Which calls of the C library may fail at any time.
    pub failures: Failures,
    /// Device registers: the address of the first, and how many bytes there are.
    pub devices: Vec<(u64, u64)>,
    /// Who changes other volatile objects while a function runs.
    #[serde(default)]
    pub volatile: Others,
    /// Most arguments of a whole program, and characters of each; `None`: the usual ones.
    pub args: Option<(u32, u32)>,
    /// Most bytes of standard input; `None`: the usual number for a whole program, and none for a function.
    pub stdin: Option<u32>,
    /// Files that are inputs, whether they are there and what is in them: a name in the directory that runs start in, and the most bytes.
    pub files: Vec<(String, u32)>,
    /// Directories that are inputs, whether they are there and what is in them: a name in the directory that runs start in, or `.`, and
    /// how many things may be in it that have no name of their own among the inputs.
    #[serde(default)]
    pub dirs: Vec<(String, u32)>,
    /// Whether nobody said so: they are what the code looks for, and may have more bytes where something is open.
    pub files_grow: bool,
    /// Variables of the environment of a whole program that are inputs, with their most characters.
    pub env: Vec<(String, u32)>,
    /// For one question to a solver: the steps that take about as long.
    pub solver_timeout: Duration,
    /// Numbers of the table of tuning that are to be others, by their names.
    pub tuning: Vec<(String, String)>,
    /// Tests after which the search ends.
    pub max_tests: Option<u64>,
    /// Flips after which the search ends.
    pub max_iterations: Option<u64>,
    /// Instructions after which one run ends.
    pub max_steps: u64,
    /// Bytes that the objects of one run may take.
    pub memory: u64,
    /// Which solver leads.
    #[serde(with = "text")]
    pub solver: Backend,
    /// For what is random: the same seed gives the same search.
    pub seed: u64,
    /// Suites to write.
    pub suites: Vec<SuiteFormat>,
    /// Whether suites assert what the runs returned and wrote.
    pub oracle: bool,
    /// The words of the command line that the request comes from, for reports; empty if it comes from elsewhere.
    #[serde(skip)]
    pub command: Vec<String>,
}

impl Default for Request {
    fn default() -> Request {
        Request {
            sources: Sources::default(),
            function: None,
            criteria: Vec::new(),
            level: None,
            scope: Scope::default(),
            context: Context::default(),
            measured: Vec::new(),
            failing: Vec::new(),
            mcdc: Rule::default(),
            points: Vec::new(),
            strategy: None,
            loop_bound: None,
            max_depth: None,
            fuzz: true,
            coarsening: true,
            assume: Vec::new(),
            precondition: None,
            expect: None,
            globals: Globals::default(),
            pointers: Pointers::default(),
            distinct: false,
            array_len: None,
            lengths: Vec::new(),
            stubs: Vec::new(),
            stub_files: Vec::new(),
            failures: Failures::default(),
            devices: Vec::new(),
            volatile: Others::default(),
            args: None,
            stdin: None,
            files: Vec::new(),
            dirs: Vec::new(),
            files_grow: false,
            env: Vec::new(),
            solver_timeout: Duration::from_secs(5),
            tuning: Vec::new(),
            max_tests: None,
            max_iterations: None,
            max_steps: 10_000_000,
            memory: 1 << 30,
            solver: Backend::default(),
            seed: 1,
            suites: vec![SuiteFormat::C],
            oracle: true,
            command: Vec::new(),
        }
    }
}

/// What the inputs of a static function are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Context {
    /// Whatever its types allow.
    #[default]
    Any,
    /// What its callers pass, which are called with any inputs of theirs.
    Callers,
}

/// What globals are on entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Globals {
    /// Anything: they are inputs like parameters.
    #[default]
    Inputs,
    /// What their initialisers say.
    Initial,
}

/// What pointer inputs may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pointers {
    /// NULL, or the address of an object.
    #[default]
    Nullable,
    /// The address of an object.
    Valid,
}

/// Whether others change what is volatile.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Others {
    /// Each read gives any value.
    #[default]
    Any,
    /// It changes only when the program writes to it.
    Never,
}

/// Which calls of the C library may fail at any time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Failures {
    /// No call fails that need not.
    None,
    /// Those that give memory.
    #[default]
    Alloc,
    /// Also those that open, remove or rename files.
    All,
}

impl Failures {
    pub(crate) fn known(self) -> world::Failures {
        match self {
            Failures::None => world::Failures::None,
            Failures::Alloc => world::Failures::Alloc,
            Failures::All => world::Failures::All,
        }
    }
}

impl Request {
    /// The table with what is to be changed.
    pub(crate) fn tuned(&self) -> Result<Tuning, Wrong> {
        let mut tuning = Tuning::default();
        for (name, value) in &self.tuning {
            tuning.set(name, value)?;
        }
        Ok(tuning)
    }

    /// Elements behind a pointer, also where the user says nothing.
    pub(crate) fn elements(&self) -> u64 {
        self.array_len.unwrap_or(InputOptions::default().array_len)
    }

    /// The input space.
    pub(crate) fn inputs(&self) -> InputOptions {
        InputOptions {
            nullable: self.pointers == Pointers::Nullable,
            distinct: self.distinct,
            array_len: self.elements(),
            assumes_len: self.array_len.is_some(),
            stubs: self.stub_default(),
            stubs_by_name: self.stubs_by_name(),
            failures: self.failures.known(),
            process: self.process(),
            ..InputOptions::default()
        }
    }

    pub(crate) fn settings(&self, cancel: Arc<AtomicBool>) -> Result<Settings, Wrong> {
        Ok(Settings {
            inputs: self.inputs(),
            own_tests: false,
            reshapes: false,
            larger: if self.array_len.is_none() { growth::LARGER.to_vec() } else { Vec::new() },
            max_work: None,
            max_steps: self.max_steps,
            memory: self.memory,
            max_tests: self.max_tests,
            max_iterations: self.max_iterations,
            solver: self.solver,
            solver_steps: Steps::like(self.solver_timeout),
            tuning: self.tuned()?,
            strategy: self.strategy.unwrap_or_default(),
            seed: self.seed,
            loop_bound: self.loop_bound,
            max_depth: self.max_depth,
            proves: true,
            fuzzes: self.fuzz,
            coarsening: self.coarsening,
            cancel,
            ends_questions: None,
        })
    }

    /// The same for branches, and nothing else.
    pub(crate) fn for_branches(&self) -> Request {
        let (measured, points) = (Vec::new(), Vec::new());
        Request { criteria: vec![Criterion::Branch], level: None, measured, points, ..self.clone() }
    }

    /// What the objectives of a function are about.
    pub(crate) fn wanted(&self, function: &str) -> Wanted {
        let mut criteria = with_included(distinct(&self.criteria));
        if criteria.is_empty() {
            criteria = self.level.map(Level::criteria).unwrap_or_default();
        }
        if !self.points.is_empty() {
            if !criteria.contains(&Criterion::Point) {
                criteria.push(Criterion::Point);
            }
        } else if criteria.is_empty() {
            criteria.push(Criterion::default());
        }
        Wanted {
            criteria,
            measured: distinct(&self.measured),
            mcdc: self.mcdc,
            points: self.points.clone(),
            function: function.to_owned(),
            loop_bound: self.loop_bound,
            failing: self.failing.clone(),
        }
    }

    /// What all undefined functions do that nothing else is said of.
    fn stub_default(&self) -> Stubbed {
        let general = self.stubs.iter().rev().find(|(name, _)| name.is_none());
        general.map_or_else(Stubbed::default, |(_, kind)| stubbed(*kind))
    }

    pub(crate) fn stubs_by_name(&self) -> BTreeMap<String, Stubbed> {
        self.stubs.iter().filter_map(|(name, kind)| Some((name.clone()?, stubbed(*kind)))).collect()
    }

    /// What a call of an undefined function does.
    pub(crate) fn stub_kind(&self, name: &str) -> StubKind {
        match self.inputs().stubbed(name) {
            Stubbed::Ends => StubKind::None,
            Stubbed::Any => StubKind::Any,
            Stubbed::Pure => StubKind::Pure,
            Stubbed::Writes => StubKind::Writes,
            Stubbed::Globals => StubKind::Globals,
        }
    }

    /// Whether an undefined function returns; else a run ends where it is called.
    pub(crate) fn stub_any(&self, name: &str) -> bool {
        self.stub_kind(name) != StubKind::None
    }
}

fn stubbed(kind: StubKind) -> Stubbed {
    match kind {
        StubKind::None => Stubbed::Ends,
        StubKind::Any => Stubbed::Any,
        StubKind::Pure => Stubbed::Pure,
        StubKind::Writes => Stubbed::Writes,
        StubKind::Globals => Stubbed::Globals,
    }
}

/// Each once.
fn distinct(names: &[Criterion]) -> Vec<Criterion> {
    let mut criteria = Vec::new();
    for &criterion in names {
        if !criteria.contains(&criterion) {
            criteria.push(criterion);
        }
    }
    criteria
}

/// What files have as text: the words of the command line.
mod text {
    use std::fmt::Display;
    use std::str::FromStr;

    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<T: Display, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(value)
    }

    pub(super) fn deserialize<'de, T, D>(deserializer: D) -> Result<T, D::Error>
    where
        T: FromStr<Err = String>,
        D: Deserializer<'de>,
    {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }

    /// The same for what may be missing.
    pub(super) mod option {
        use super::*;

        pub(in crate::request) fn serialize<T: Display, S: Serializer>(
            value: &Option<T>,
            serializer: S,
        ) -> Result<S::Ok, S::Error> {
            match value {
                Some(value) => serializer.collect_str(value),
                None => serializer.serialize_none(),
            }
        }

        pub(in crate::request) fn deserialize<'de, T, D>(deserializer: D) -> Result<Option<T>, D::Error>
        where
            T: FromStr<Err = String>,
            D: Deserializer<'de>,
        {
            let text = Option::<String>::deserialize(deserializer)?;
            text.map(|text| text.parse().map_err(D::Error::custom)).transpose()
        }
    }
}

/// MC/DC as standards mean it has decisions, those of a single condition among them, and statements. Branches are finer than both.
fn with_included(mut criteria: Vec<Criterion>) -> Vec<Criterion> {
    let Some(at) = criteria.iter().position(|criterion| *criterion == Criterion::Mcdc) else { return criteria };
    if !criteria.contains(&Criterion::Branch) {
        let included = [Criterion::Statement, Criterion::Decision];
        let missing: Vec<Criterion> = included.into_iter().filter(|one| !criteria.contains(one)).collect();
        criteria.splice(at..at, missing);
    }
    criteria
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mcdc_includes_decisions_and_statements() {
        use Criterion::{Boundary, Branch, Decision, Mcdc, Statement};
        assert_eq!(with_included(vec![Mcdc]), [Statement, Decision, Mcdc]);
        assert_eq!(with_included(vec![Boundary, Decision, Mcdc]), [Boundary, Decision, Statement, Mcdc]);
        assert_eq!(with_included(vec![Branch, Mcdc]), [Branch, Mcdc]);
        assert_eq!(with_included(vec![Decision]), [Decision]);
    }

    #[test]
    fn a_request_is_read_as_it_was_written() {
        let request = Request {
            function: Some("f".to_owned()),
            strategy: "dfs+arc".parse().ok(),
            solver: Backend::Z3,
            suites: vec![SuiteFormat::TestComp],
            criteria: vec![Criterion::LocalPath],
            stubs: vec![(None, StubKind::Any), (Some("get".to_owned()), StubKind::None)],
            ..Request::default()
        };
        let text = serde_json::to_string(&request).unwrap();
        assert_eq!(serde_json::from_str::<Request>(&text).unwrap(), request);
        assert!(serde_json::from_str::<Request>("{\"new\": 1}").is_err());
    }

    #[test]
    fn what_cannot_be_tuned_is_an_error() {
        let tuned = |name: &str, value: &str| {
            let tuning = vec![(name.to_owned(), value.to_owned())];
            Request { tuning, ..Request::default() }.tuned().map_err(|wrong| wrong.to_string())
        };
        assert_eq!(tuned("relax_soon", "7").map(|tuning| tuning.relax_soon), Ok(7));
        assert!(tuned("relax_son", "7").is_err_and(|wrong| wrong.ends_with("is it `relax_soon`?")));
        assert!(tuned("relax_soon", "soon").is_err());
    }

    #[test]
    fn the_last_word_on_stubs_counts() {
        let request = Request {
            stubs: vec![(None, StubKind::None), (None, StubKind::Any), (Some("get".to_owned()), StubKind::None)],
            ..Request::default()
        };
        assert!(request.stub_any("put") && !request.stub_any("get"));
        assert!(!request.stub_any("fork"), "the C library has it, and the user does not name it");
    }
}
