//! What a suite that is there already covers: lcov's tracefiles, and clang's profiles with the program that wrote them.
//!
//! A tracefile says of a line how often each of its branches was taken, not which is which. So a line counts only where all its
//! branches were taken, and there are as many as there are objectives. llvm-cov names the place of each branch.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::process::Command;

use covenant_goals::report::ObjectiveEntry;
use covenant_goals::{Criterion, Outcome, Report};

use crate::Error;
use crate::replay::ReplayOptions;
use crate::replay::build::Tools;
use crate::replay::coverage::{Export, Place, Places, Seen, output, resolve};
use crate::subject::SubjectInfo;

/// What is told of a file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Counts {
    /// By line: how often each branch was taken.
    branches: BTreeMap<u32, Vec<u64>>,
    /// By name: how often each function was called.
    functions: BTreeMap<String, u64>,
}

/// For each objective whether the suite that wrote `file` covers it. Of objectives, what names and places them is looked at.
pub fn covered(
    file: &Path,
    program: Option<&Path>,
    objectives: Vec<ObjectiveEntry>,
    subject: &SubjectInfo,
    options: &ReplayOptions,
) -> Result<Vec<bool>, Error> {
    let bytes = std::fs::read(file).map_err(Error::file(file))?;
    let bad = |message: &str| Error::Coverage { what: file.display().to_string(), message: message.to_owned() };
    if let Ok(text) = std::str::from_utf8(&bytes)
        && text.lines().any(|line| line.starts_with("SF:"))
    {
        let counts = parse(text, file.parent().unwrap_or(Path::new("."))).map_err(|why| bad(&why))?;
        return Ok(by_line(&objectives, &counts, subject));
    }
    // The first bytes of an indexed profile.
    if !bytes.starts_with(b"\xfflprofi\x81") {
        return Err(bad("it is neither a tracefile of lcov (coverage.info) nor an indexed profile of llvm-profdata"));
    }
    let Some(program) = program else {
        return Err(bad("a profile alone does not say which branches its counters are: the program that wrote it is \
             needed, too (--existing-program FILE)"));
    };
    by_place(file, program, objectives, subject, options)
}

fn by_place(
    profile: &Path,
    program: &Path,
    objectives: Vec<ObjectiveEntry>,
    subject: &SubjectInfo,
    options: &ReplayOptions,
) -> Result<Vec<bool>, Error> {
    let tools = Tools::find(options)?;
    let mut command = Command::new(&tools.cov);
    command.args(["export", "-skip-expansions", "-num-threads=1"]).arg(program).arg("-instr-profile").arg(profile);
    let json = output(&mut command, "llvm-cov")?;
    let bad = |e: serde_json::Error| Error::Coverage { what: "llvm-cov".to_owned(), message: e.to_string() };
    let export: Export = serde_json::from_slice(&json).map_err(bad)?;
    // By their positions: numbers of regions may be others where the program was compiled otherwise.
    let objectives = objectives.into_iter().map(|o| ObjectiveEntry { region: None, ..o }).collect();
    let report = Report { objectives, ..Report::default() };
    let places = Places::new(&report, subject);
    let functions: Vec<_> = export.data.into_iter().flat_map(|data| data.functions).collect();
    let taken = Seen::new(&functions, &[], &places).taken;
    let reaches = |(place, objective): (&Option<Place>, &ObjectiveEntry)| {
        let counts = place.as_ref().and_then(|place| taken.get(place));
        let no = objective.outcome == Outcome::False;
        counts.is_some_and(|all| !all.is_empty() && all.iter().all(|(yes, not)| if no { *not > 0 } else { *yes > 0 }))
    };
    Ok(places.of.iter().zip(&report.objectives).map(reaches).collect())
}

fn by_line(objectives: &[ObjectiveEntry], counts: &HashMap<PathBuf, Counts>, subject: &SubjectInfo) -> Vec<bool> {
    let mut files: HashMap<&str, PathBuf> = HashMap::new();
    for objective in objectives {
        files.entry(&objective.file).or_insert_with(|| resolve(&objective.file, subject));
    }
    let of = |objective: &ObjectiveEntry| counts.get(files.get(objective.file.as_str())?);
    let mut on_line: HashMap<(&str, u32, Criterion), usize> = HashMap::new();
    for o in objectives {
        *on_line.entry((&o.file, o.line, o.criterion)).or_default() += 1;
    }
    let reaches = |o: &ObjectiveEntry| match o.criterion {
        Criterion::Branch | Criterion::Condition => {
            let branches = of(o).and_then(|counts| counts.branches.get(&o.line));
            let needed = on_line.get(&(o.file.as_str(), o.line, o.criterion)).copied().unwrap_or_default();
            branches.is_some_and(|all| all.len() >= needed && all.iter().all(|count| *count > 0))
        }
        Criterion::Function => {
            of(o).and_then(|counts| counts.functions.get(&o.function)).is_some_and(|count| *count > 0)
        }
        _ => false,
    };
    objectives.iter().map(reaches).collect()
}

/// Reads a tracefile; what it names relatively is below `folder`.
fn parse(text: &str, folder: &Path) -> Result<HashMap<PathBuf, Counts>, String> {
    let mut files: HashMap<PathBuf, Counts> = HashMap::new();
    let mut current: Option<PathBuf> = None;
    // Several records of one file are added up, one by one.
    let mut seen: BTreeMap<(u32, String, String), u64> = BTreeMap::new();
    let mut functions: BTreeMap<String, u64> = BTreeMap::new();
    let mut all: HashMap<PathBuf, BTreeMap<(u32, String, String), u64>> = HashMap::new();
    for (number, line) in text.lines().enumerate() {
        let mistake = || format!("line {} is not understood: {line}", number + 1);
        if let Some(name) = line.strip_prefix("SF:") {
            let path = folder.join(name.trim());
            current = Some(path.canonicalize().unwrap_or(path));
        } else if let Some(rest) = line.strip_prefix("BRDA:") {
            let mut parts = rest.trim().split(',');
            let place = parts.next().and_then(|line| line.parse().ok()).ok_or_else(mistake)?;
            let (block, branch) = (parts.next().ok_or_else(mistake)?, parts.next().ok_or_else(mistake)?);
            // `-`: the condition was never evaluated.
            let taken = match parts.next_back().ok_or_else(mistake)? {
                "-" => 0,
                count => count.parse().map_err(|_| mistake())?,
            };
            *seen.entry((place, block.to_owned(), branch.to_owned())).or_default() += taken;
        } else if let Some(rest) = line.strip_prefix("FNDA:") {
            let (count, name) = rest.trim().split_once(',').ok_or_else(mistake)?;
            let count: u64 = count.parse().map_err(|_| mistake())?;
            *functions.entry(name.to_owned()).or_default() += count;
        } else if line.trim() == "end_of_record"
            && let Some(file) = current.take()
        {
            let sums = all.entry(file.clone()).or_default();
            for (key, taken) in std::mem::take(&mut seen) {
                *sums.entry(key).or_default() += taken;
            }
            let counts = files.entry(file).or_default();
            for (name, count) in std::mem::take(&mut functions) {
                *counts.functions.entry(name).or_default() += count;
            }
        }
    }
    for (file, sums) in all {
        let counts = files.entry(file).or_default();
        sums.into_iter().for_each(|((line, ..), taken)| counts.branches.entry(line).or_default().push(taken));
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn branch(line: u32, outcome: &str) -> ObjectiveEntry {
        ObjectiveEntry { file: "/nowhere/a.c".into(), line, outcome: outcome.into(), ..ObjectiveEntry::default() }
    }

    const TRACE: &str = "TN:\nSF:/nowhere/a.c\nFN:1,sign\nFNDA:3,sign\nBRDA:4,0,0,2\nBRDA:4,0,1,1\nBRDA:7,0,0,5\nBRDA:7,0,1,-\n\
         BRDA:9,0,0,1\nBRDA:9,0,1,1\nDA:4,3\nend_of_record\n";

    #[test]
    fn a_line_counts_where_all_its_branches_were_taken() {
        let counts = parse(TRACE, Path::new("/nowhere")).unwrap();
        let mut objectives: Vec<ObjectiveEntry> =
            [4, 7, 9].iter().flat_map(|&line| [branch(line, "true"), branch(line, "false")]).collect();
        // Two more conditions than the tracefile knows of.
        objectives.extend([branch(9, "true"), branch(9, "false")]);
        let subject = SubjectInfo::default();
        let found = by_line(&objectives, &counts, &subject);
        assert_eq!(found, [true, true, false, false, false, false, false, false]);
    }

    #[test]
    fn records_of_one_file_are_added_up() {
        let again = "SF:/nowhere/a.c\nBRDA:7,0,0,0\nBRDA:7,0,1,4\nend_of_record\n";
        let counts = parse(&format!("{TRACE}{again}"), Path::new("/nowhere")).unwrap();
        assert_eq!(counts[Path::new("/nowhere/a.c")].branches[&7], [5, 4]);
        assert_eq!(counts[Path::new("/nowhere/a.c")].functions["sign"], 3);
    }

    #[test]
    fn what_is_no_tracefile_is_told() {
        assert!(parse("SF:a.c\nBRDA:x,0,0,1\n", Path::new(".")).unwrap_err().contains("line 2"));
    }
}
