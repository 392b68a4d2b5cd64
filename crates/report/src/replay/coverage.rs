//! What llvm-cov says: how often each branch was taken, at the places that a report names.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;

use covenant_goals::Criterion;
use covenant_goals::Report;
use covenant_goals::report::ObjectiveEntry;
use serde::{Deserialize, Serialize};

use super::build::{Tools, said};
use super::unjudged::Unjudged;
use crate::Error;
use crate::lines::{Segment, executed};
use crate::subject::SubjectInfo;

/// What an objective is called in llvm-cov's answers. Files are canonical paths.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Place {
    /// The nth branch region of a function.
    Region {
        file: PathBuf,
        function: String,
        region: u32,
    },
    /// A position: where a condition is written, or where the macro that holds it is used.
    Position {
        file: PathBuf,
        line: u32,
        column: u32,
    },
    /// The nth region of a function that is no branch.
    Code {
        file: PathBuf,
        function: String,
        region: u32,
    },
    Function {
        file: PathBuf,
        function: String,
    },
}

/// The places of a report's branches, which are all that is kept of llvm-cov's answers.
pub(crate) struct Places {
    /// For each objective of the report, unless its criterion is another one.
    pub(crate) of: Vec<Option<Place>>,
    wanted: HashSet<Place>,
    pub(crate) unjudged: Unjudged,
    /// The report's names of files, by canonical path.
    names: HashMap<PathBuf, String>,
    /// Canonical paths that were asked for: tests ask for the same ones again and again.
    canonical: Mutex<HashMap<String, PathBuf>>,
}

/// How often each region at a place was true and false. A position has several regions if a macro with several conditions
/// is used there, or if it is inside a macro that is used several times.
pub(crate) type Taken = BTreeMap<Place, Vec<(u64, u64)>>;

/// How often a branch was taken.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct BranchCount {
    /// As the coverage mapping names it.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// From 1.
    pub column: u32,
    /// Times that the condition held.
    #[serde(rename = "true")]
    pub true_count: u64,
    /// Times that it did not.
    #[serde(rename = "false")]
    pub false_count: u64,
}

impl Places {
    pub(crate) fn new(report: &Report, subject: &SubjectInfo) -> Places {
        let unjudged = Unjudged::of(subject);
        let mut files = HashMap::new();
        let mut place = |objective: &ObjectiveEntry| {
            let file = files.entry(objective.file.clone()).or_insert_with_key(|file| resolve(file, subject));
            let (file, function) = (file.clone(), objective.function.clone());
            if unjudged.holds(&function) {
                return None;
            }
            match (objective.criterion, objective.region) {
                (Criterion::Branch | Criterion::Condition, Some(region)) => {
                    Some(Place::Region { file, function, region })
                }
                (Criterion::Branch | Criterion::Condition, None) => {
                    Some(Place::Position { file, line: objective.line, column: objective.column })
                }
                (Criterion::Statement, Some(region)) => Some(Place::Code { file, function, region }),
                (Criterion::Function, _) => Some(Place::Function { file, function }),
                _ => None,
            }
        };
        let of: Vec<Option<Place>> = report.objectives.iter().map(&mut place).collect();
        let wanted = of.iter().flatten().cloned().collect();
        let names = files.into_iter().map(|(name, path)| (path, name)).collect();
        Places { of, wanted, unjudged, names, canonical: Mutex::default() }
    }

    fn canonical(&self, file: &str) -> PathBuf {
        let Ok(mut known) = self.canonical.lock() else { return canonical(PathBuf::from(file)) };
        known.entry(file.to_owned()).or_insert_with(|| canonical(PathBuf::from(file))).clone()
    }

    /// Whether the report has objectives in this file.
    pub(crate) fn names_file(&self, file: &str) -> bool {
        self.names.contains_key(&self.canonical(file))
    }
}

/// A file of the report, as a canonical path.
pub(crate) fn resolve(file: &str, subject: &SubjectInfo) -> PathBuf {
    canonical(subject.place(file).unwrap_or_else(|| PathBuf::from(file)))
}

fn canonical(path: PathBuf) -> PathBuf {
    path.canonicalize().unwrap_or(path)
}

#[derive(Deserialize)]
pub(crate) struct Export {
    pub(crate) data: Vec<Data>,
}

#[derive(Deserialize)]
pub(crate) struct Data {
    pub(crate) functions: Vec<Function>,
    #[serde(default)]
    files: Vec<File>,
}

#[derive(Deserialize)]
pub(crate) struct File {
    pub(crate) filename: String,
    #[serde(default)]
    pub(crate) segments: Vec<Segment>,
}

/// What llvm-cov says of a profile.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Seen {
    pub(crate) taken: Taken,
    /// For files of the report, by the names that the report has for them: the lines with code, and whether they ran.
    pub(crate) lines: BTreeMap<String, BTreeMap<u32, bool>>,
    /// Where functions begin, by file.
    pub(crate) functions: BTreeMap<String, BTreeMap<String, u32>>,
}

/// Regions are rows of numbers; [`Function::branches`] and `regions` say what the columns are.
#[derive(Deserialize)]
pub(crate) struct Function {
    /// Of a static function with its file before it: `file.c:function`.
    pub(crate) name: String,
    /// start line and column, end line and column, true, false, file, expanded file, kind
    pub(crate) branches: Vec<[u64; 9]>,
    pub(crate) filenames: Vec<String>,
    /// start line and column, end line and column, count, file, expanded file, kind
    pub(crate) regions: Vec<[u64; 8]>,
    /// How often it was called.
    pub(crate) count: u64,
}

/// The kind of a region that stands for a macro's or an included file's text.
const EXPANSION: u64 = 1;

/// What llvm-cov says of these profiles together.
pub(crate) fn read(program: &Path, profiles: &[PathBuf], tools: &Tools, places: &Places) -> Result<Seen, Error> {
    let export: Export = export(program, profiles, tools)?;
    let (mut functions, mut files) = (Vec::new(), Vec::new());
    for data in export.data {
        functions.extend(data.functions);
        files.extend(data.files);
    }
    Ok(Seen::new(&functions, &files, places))
}

/// `llvm-cov export` of profiles, which are removed. There is at least one.
pub(crate) fn export<T: serde::de::DeserializeOwned>(
    program: &Path,
    profiles: &[PathBuf],
    tools: &Tools,
) -> Result<T, Error> {
    let Some(first) = profiles.first() else {
        return Err(Error::Coverage { what: "llvm-cov".to_owned(), message: "there is no profile".to_owned() });
    };
    let indexed = first.with_extension("profdata");
    let mut merge = Command::new(&tools.profdata);
    output(merge.args(["merge", "-sparse", "-o"]).arg(&indexed).args(profiles), "llvm-profdata")?;
    let mut export = Command::new(&tools.cov);
    export.args(["export", "-skip-expansions", "-num-threads=1"]);
    let json = output(export.arg(program).arg("-instr-profile").arg(&indexed), "llvm-cov")?;
    // Profiles of large subjects are large.
    for file in profiles.iter().chain([&indexed]) {
        let _ = std::fs::remove_file(file);
    }
    let bad = |e: serde_json::Error| Error::Coverage { what: "llvm-cov".to_owned(), message: e.to_string() };
    serde_json::from_slice(&json).map_err(bad)
}

impl Seen {
    pub(crate) fn new(functions: &[Function], files: &[File], places: &Places) -> Seen {
        let mut lines = BTreeMap::new();
        for file in files {
            if let Some(name) = places.names.get(&places.canonical(&file.filename)) {
                lines.insert(name.clone(), executed(&file.segments));
            }
        }
        let mut starts: BTreeMap<String, BTreeMap<String, u32>> = BTreeMap::new();
        for function in functions {
            let file = function.filenames.first().and_then(|f| places.names.get(&places.canonical(f)));
            if let (Some(file), Some(region)) = (file, function.regions.first()) {
                starts.entry(file.clone()).or_default().insert(function.plain_name().to_owned(), region[0] as u32);
            }
        }
        Seen { taken: taken(functions, places), lines, functions: starts }
    }
}

pub(crate) fn output(command: &mut Command, what: &str) -> Result<Vec<u8>, Error> {
    let failed = |message| Error::Coverage { what: what.to_owned(), message };
    let output = command.stdin(Stdio::null()).output().map_err(|e| failed(e.to_string()))?;
    if output.status.success() { Ok(output.stdout) } else { Err(failed(said(&output))) }
}

fn taken(functions: &[Function], places: &Places) -> Taken {
    let mut taken = Taken::new();
    for function in functions {
        let files: Vec<PathBuf> = function.filenames.iter().map(|name| places.canonical(name)).collect();
        // Each use of a macro is a file of its own.
        let different: BTreeSet<&PathBuf> = files.iter().collect();
        function.count_place(
            |file, function| Place::Function { file, function },
            (function.count, 0),
            &different,
            places,
            &mut taken,
        );
        for (region, code) in function.regions.iter().enumerate() {
            let place = |file, function| Place::Code { file, function, region: region as u32 };
            function.count_place(place, (code[4], 0), &different, places, &mut taken);
        }
        let expansions = expansions(function);
        for (region, branch) in function.branches.iter().enumerate() {
            let counts = (branch[4], branch[5]);
            let place = |file, function| Place::Region { file, function, region: region as u32 };
            function.count_place(place, counts, &different, places, &mut taken);
            for (file, line, column) in positions(&expansions, (branch[6], branch[0], branch[1])) {
                let Some(file) = files.get(file as usize) else { continue };
                let place = Place::Position { file: file.clone(), line: line as u32, column: column as u32 };
                if places.wanted.contains(&place) {
                    taken.entry(place).or_default().push(counts);
                }
            }
        }
    }
    taken
}

impl Function {
    /// Without the file.
    fn plain_name(&self) -> &str {
        self.name.rsplit([':', ';']).next().unwrap_or(&self.name)
    }

    /// Counts something that is known by its number. A function of a header is there once for each file that has it;
    /// these are summed.
    fn count_place(
        &self,
        place: impl Fn(PathBuf, String) -> Place,
        counts: (u64, u64),
        files: &BTreeSet<&PathBuf>,
        places: &Places,
        taken: &mut Taken,
    ) {
        let function = self.plain_name();
        for &file in files {
            let place = place(file.clone(), function.to_owned());
            if places.wanted.contains(&place) {
                let sums = taken.entry(place).or_default();
                sums.resize(1, (0, 0));
                sums[0] = (sums[0].0.saturating_add(counts.0), sums[0].1.saturating_add(counts.1));
            }
        }
    }
}

/// Where each file that is the text of a macro is used: the file around it, a line and a column.
type Expansions = HashMap<u64, (u64, u64, u64)>;

fn expansions(function: &Function) -> Expansions {
    let mut all = Expansions::new();
    for r in function.regions.iter().filter(|r| r[7] == EXPANSION && r[5] != r[6]) {
        all.entry(r[6]).or_insert((r[5], r[0], r[1]));
    }
    all
}

/// Where a region is written, and where the macros that hold it are used, outwards.
fn positions(expansions: &Expansions, written: (u64, u64, u64)) -> Vec<(u64, u64, u64)> {
    let mut found = vec![written];
    let mut inner = written.0;
    // No chain of expansions is longer than the list of them.
    for _ in 0..expansions.len() {
        let Some(&position) = expansions.get(&inner) else { break };
        inner = position.0;
        if !found.contains(&position) {
            found.push(position);
        }
    }
    found
}
