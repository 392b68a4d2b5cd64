//! Counters of a test as llvm-cov would show them: the mapping is read from the program, and its expressions evaluated.
//!
//! llvm-cov stays the judge: what this says of many tests together is held against its answer, see [`super::confirm`].

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use covenant_program::coverage::program::{self, ProgramFunction};
use covenant_program::coverage::{Counter, RegionKind};

use super::coverage::{File, Function, Places};
use super::segments::{self, Counted};
use crate::Error;

/// The functions of a program that are in files of the report.
pub(super) struct Mapping {
    functions: Vec<Mapped>,
    /// The files of the report, by the names that the mapping has for them.
    files: BTreeSet<String>,
}

struct Mapped {
    function: ProgramFunction,
    /// The counter of each region, in the order of the record; for an expansion that of its first region.
    counters: Vec<Counter>,
}

/// Counters by number, those that are zero left out, in ascending order.
pub(super) type Sparse = [(usize, u64)];

impl Mapping {
    pub(super) fn read(program: &Path, places: &Places) -> Result<Mapping, Error> {
        let bytes = std::fs::read(program).map_err(Error::file(program))?;
        let bad = |e: covenant_program::coverage::CoverageError| Error::Coverage {
            what: "the coverage mapping".to_owned(),
            message: e.to_string(),
        };
        let mut functions = Vec::new();
        let mut files = BTreeSet::new();
        for function in program::read(&bytes).map_err(bad)? {
            let own: Vec<&String> = function.coverage.files.iter().filter(|file| places.names_file(file)).collect();
            if !own.is_empty() {
                files.extend(own.into_iter().cloned());
                let counters = counters(&function);
                functions.push(Mapped { function, counters });
            }
        }
        Ok(Mapping { functions, files })
    }

    /// Takes the counters of every function for those beside them.
    #[cfg(test)]
    pub(super) fn spoil(&mut self) {
        self.functions.iter_mut().for_each(|mapped| mapped.function.first_counter += 1);
    }

    /// What llvm-cov would list for these counters.
    pub(super) fn export(&self, counts: &Sparse) -> (Vec<Function>, Vec<File>) {
        let mut functions = Vec::with_capacity(self.functions.len());
        let mut regions: BTreeMap<&str, Vec<Counted>> = self.files.iter().map(|file| (file.as_str(), vec![])).collect();
        for mapped in &self.functions {
            let values = mapped.values(counts);
            mapped.count(&values, &mut regions);
            functions.push(mapped.rows(&values));
        }
        let file = |(name, regions): (&str, Vec<Counted>)| File {
            filename: name.to_owned(),
            segments: segments::build(regions),
        };
        (functions, regions.into_iter().map(file).collect())
    }
}

/// The counter of each region. llvm-cov gives an expansion the counter of the first region of its file, which may be
/// an expansion in turn.
fn counters(function: &ProgramFunction) -> Vec<Counter> {
    let regions = &function.coverage.regions;
    let own = |kind: &RegionKind| match kind {
        RegionKind::Code(counter) | RegionKind::Gap(counter) | RegionKind::Branch { on_true: counter, .. } => *counter,
        _ => Counter::Zero,
    };
    let mut counters: Vec<Counter> = regions.iter().map(|region| own(&region.kind)).collect();
    let expansions: Vec<(usize, Option<usize>)> = regions
        .iter()
        .enumerate()
        .filter_map(|(index, region)| match region.kind {
            RegionKind::Expansion { file } => Some((index, regions.iter().position(|r| r.span.file == file))),
            _ => None,
        })
        .collect();
    // Once for each file: no chain of expansions is longer.
    for _ in 1..function.coverage.files.len() {
        for (index, first) in &expansions {
            if let Some(first) = first {
                counters[*index] = counters[*first];
            }
        }
    }
    counters
}

/// In llvm-cov's answers no number is greater.
fn shown(count: u64) -> u64 {
    count.min(i64::MAX as u64)
}

impl Mapped {
    /// The count of each region, and for a branch that of its false outcome.
    fn values(&self, counts: &Sparse) -> Vec<(u64, u64)> {
        let first = self.function.first_counter;
        let start = counts.partition_point(|(number, _)| *number < first);
        let end = counts.partition_point(|(number, _)| *number < first + self.function.counters);
        let own = &counts[start..end];
        if own.is_empty() {
            return vec![(0, 0); self.counters.len()];
        }
        let other = self.function.coverage.regions.iter().map(|region| match region.kind {
            RegionKind::Branch { on_false, .. } => on_false,
            _ => Counter::Zero,
        });
        let roots: Vec<Counter> = self.counters.iter().copied().chain(other).collect();
        let count = |number: u32| {
            let at = own.binary_search_by_key(&(first + number as usize), |(number, _)| *number);
            at.map_or(0, |at| own[at].1)
        };
        let combine = |a: &u64, b: &u64, minus| if minus { a.wrapping_sub(*b) } else { a.wrapping_add(*b) };
        let values = self.function.coverage.fold(&roots, 0, count, combine);
        let (own, other) = values.split_at(self.counters.len());
        own.iter().copied().zip(other.iter().copied()).collect()
    }

    fn rows(&self, values: &[(u64, u64)]) -> Function {
        let coverage = &self.function.coverage;
        let (mut branches, mut regions) = (Vec::new(), Vec::new());
        for (region, &(count, other)) in coverage.regions.iter().zip(values) {
            let span = region.span;
            let [a, b, c, d] = [span.start.0, span.start.1, span.end.0, span.end.1].map(u64::from);
            let file = u64::from(span.file);
            let (kind, expanded) = match region.kind {
                RegionKind::Code(_) => (0, 0),
                RegionKind::Expansion { file } => (1, file),
                RegionKind::Skipped => (2, 0),
                RegionKind::Gap(_) => (3, 0),
                RegionKind::Branch { .. } if region.is_folded() => continue,
                RegionKind::Branch { .. } => {
                    branches.push([a, b, c, d, shown(count), shown(other), file, 0, 4]);
                    continue;
                }
                RegionKind::Decision { .. } => continue,
            };
            regions.push([a, b, c, d, shown(count), file, u64::from(expanded), kind]);
        }
        let count = regions.first().map_or(0, |row| row[4]);
        Function { name: self.function.name.clone(), branches, filenames: coverage.files.clone(), regions, count }
    }

    /// Adds the regions to those of their files.
    fn count(&self, values: &[(u64, u64)], files: &mut BTreeMap<&str, Vec<Counted>>) {
        for (region, (count, _)) in self.function.coverage.regions.iter().zip(values) {
            let file = self.function.coverage.files.get(region.span.file as usize);
            let Some(list) = file.and_then(|file| files.get_mut(file.as_str())) else { continue };
            let kind = match region.kind {
                RegionKind::Code(_) => segments::Kind::Code,
                RegionKind::Expansion { .. } => segments::Kind::Expansion,
                RegionKind::Skipped => segments::Kind::Skipped,
                RegionKind::Gap(_) => segments::Kind::Gap,
                _ => continue,
            };
            list.push(Counted { start: region.span.start, end: region.span.end, kind, count: *count });
        }
    }
}
