//! The mapping in a linked program (ELF, 64 or 32 bits, little-endian), with the place of each function's counters.
//!
//! The linker puts the records of all objects one after the other: `__llvm_covfun` has the functions, `__llvm_covmap` the
//! file names, `__llvm_prf_names` the profile names, and `__llvm_prf_data` where in `__llvm_prf_cnts` counters begin.

use std::collections::HashMap;

use super::decode::{self, CoverageError, Record, VERSION};
use super::{FunctionCoverage, name_hash};

/// A function of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProgramFunction {
    /// The profile name: that of a static function has its file before it.
    pub name: String,
    /// Its regions, with counters numbered in the function.
    pub coverage: FunctionCoverage,
    /// The number of its first counter among those of the program, and how many it has.
    pub first_counter: usize,
    /// How many counters it has.
    pub counters: usize,
}

/// A section: its address, and its bytes.
type Section<'a> = (u64, &'a [u8]);

/// Reads all functions in the order in which llvm-cov lists them.
pub fn read(elf: &[u8]) -> Result<Vec<ProgramFunction>, CoverageError> {
    let layout = Layout::of(elf).ok_or_else(|| CoverageError::Shape("the program".to_owned()))?;
    let sections = sections(elf, layout).ok_or_else(|| CoverageError::Shape("the program".to_owned()))?;
    let section = |name: &'static str| sections.get(name).copied().ok_or(CoverageError::Shape(name.to_owned()));
    let names = names(section("__llvm_prf_names")?.1)?;
    let filenames = filenames(section("__llvm_covmap")?.1)?;
    let counters = counters(section("__llvm_prf_data")?, section("__llvm_prf_cnts")?, layout)?;
    let mut functions: Vec<ProgramFunction> = Vec::new();
    let mut known: HashMap<u64, usize> = HashMap::new();
    for record in records(section("__llvm_covfun")?.1)? {
        // A function of a header has a record for each file that has it, and none of them counts more than the first,
        // unless that is the empty record of a function that is not used there.
        let before = known.get(&record.name_hash).copied();
        if before.is_some_and(|index| functions[index].coverage.structural_hash != 0) {
            continue;
        }
        let files = filenames.get(&record.filenames_hash).ok_or(CoverageError::NoFilenames(record.name_hash))?;
        let name = names.get(&record.name_hash).cloned();
        let name = name.ok_or_else(|| CoverageError::Shape(format!("the name {:#x}", record.name_hash)))?;
        let own = counters.get(&(record.name_hash, record.structural_hash)).copied();
        let (first_counter, counters) = own.unwrap_or((0, 0));
        let coverage = decode::function(&record, files)?;
        let function = ProgramFunction { name, coverage, first_counter, counters };
        match before {
            Some(index) => functions[index] = function,
            None => {
                known.insert(record.name_hash, functions.len());
                functions.push(function);
            }
        }
    }
    Ok(functions)
}

fn number<const N: usize>(bytes: &[u8], at: usize) -> Option<u64> {
    let mut wide = [0; 8];
    wide[..N].copy_from_slice(bytes.get(at..at.checked_add(N)?)?);
    Some(u64::from_le_bytes(wide))
}

/// Where the parts of a file and of records are, which depends on the width of words.
struct Layout {
    /// In the head of a file: where the table of sections is; size of its rows, their number and the row with the names.
    table: usize,
    rows: [usize; 3],
    /// In a row: address, place in the file, size.
    section: [usize; 3],
    /// Bytes of a record of `__llvm_prf_data`, and where the number of counters is in it.
    record: usize,
    counters: usize,
    word: usize,
}

const LAYOUT_64: Layout =
    Layout { table: 0x28, rows: [0x3a, 0x3c, 0x3e], section: [0x10, 0x18, 0x20], record: 64, counters: 48, word: 8 };

const LAYOUT_32: Layout =
    Layout { table: 0x20, rows: [0x2e, 0x30, 0x32], section: [0x0c, 0x10, 0x14], record: 48, counters: 32, word: 4 };

impl Layout {
    fn of(elf: &[u8]) -> Option<&'static Layout> {
        match elf.get(..6)? {
            b"\x7fELF\x02\x01" => Some(&LAYOUT_64),
            b"\x7fELF\x01\x01" => Some(&LAYOUT_32),
            _ => None,
        }
    }

    fn word(&self, bytes: &[u8], at: usize) -> Option<u64> {
        if self.word == 8 { number::<8>(bytes, at) } else { number::<4>(bytes, at) }
    }

    /// A sum, as words of the machine have it.
    fn wrapped(&self, number: u64) -> u64 {
        if self.word == 8 { number } else { number & u64::from(u32::MAX) }
    }
}

/// The sections of a file by name.
fn sections<'a>(elf: &'a [u8], layout: &Layout) -> Option<HashMap<&'a str, Section<'a>>> {
    let place = |at: usize| usize::try_from(layout.word(elf, at)?).ok();
    let table = place(layout.table)?;
    let [size, count, names] = layout.rows.map(|at| number::<2>(elf, at).map(|n| n as usize));
    let (size, count, names) = (size?, count?, names?);
    let header = |index: usize| table.checked_add(index.checked_mul(size)?).filter(|header| *header < elf.len());
    let [address, start, length] = layout.section;
    let content = |header: usize| elf.get(place(header + start)?..)?.get(..place(header + length)?);
    let names = content(header(names)?)?;
    let mut sections = HashMap::new();
    for index in 0..count {
        let header = header(index)?;
        let name = names.get(number::<4>(elf, header)? as usize..)?;
        let name = name.split(|byte| *byte == 0).next().and_then(|name| std::str::from_utf8(name).ok());
        // Sections without bytes in the file (.bss) are of no interest.
        if let (Some(name), Some(bytes)) = (name, content(header)) {
            sections.insert(name, (layout.word(elf, header + address)?, bytes));
        }
    }
    Some(sections)
}

fn cut(at: usize, what: &'static str) -> impl FnOnce() -> CoverageError {
    move || CoverageError::Truncated(at, what)
}

/// Profile names by hash. Every object has one list; zeros fill the space between them.
fn names(bytes: &[u8]) -> Result<HashMap<u64, String>, CoverageError> {
    let what = "the profile names";
    let mut names = HashMap::new();
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] == 0 {
            at += 1;
            continue;
        }
        let (length, behind) = leb128(bytes, at).ok_or_else(cut(at, what))?;
        let (compressed, start) = leb128(bytes, behind).ok_or_else(cut(at, what))?;
        if compressed != 0 {
            return Err(CoverageError::Compressed);
        }
        let list = bytes.get(start..).and_then(|rest| rest.get(..length)).ok_or_else(cut(at, what))?;
        for name in list.split(|byte| *byte == 1) {
            names.insert(name_hash(name), String::from_utf8_lossy(name).into_owned());
        }
        at = start + length;
    }
    Ok(names)
}

fn leb128(bytes: &[u8], at: usize) -> Option<(usize, usize)> {
    let mut value = 0;
    for (index, byte) in bytes.get(at..)?.iter().enumerate().take(8) {
        value |= usize::from(byte & 0x7f) << (7 * index);
        if byte & 0x80 == 0 {
            return Some((value, at + index + 1));
        }
    }
    None
}

/// The lists of file names by their hash.
fn filenames(bytes: &[u8]) -> Result<HashMap<u64, Vec<String>>, CoverageError> {
    let what = "the file names";
    let mut lists = HashMap::new();
    let mut at = 0;
    while at + 16 <= bytes.len() {
        let length = number::<4>(bytes, at + 4).ok_or_else(cut(at, what))? as usize;
        let version = number::<4>(bytes, at + 12).ok_or_else(cut(at, what))? as u32;
        if version != VERSION {
            return Err(CoverageError::Version(version));
        }
        let encoded = bytes.get(at + 16..).and_then(|rest| rest.get(..length)).ok_or_else(cut(at, what))?;
        lists.insert(name_hash(encoded), decode::filenames(encoded)?);
        at = (at + 16 + length).next_multiple_of(8);
    }
    Ok(lists)
}

fn records(bytes: &[u8]) -> Result<Vec<Record<'_>>, CoverageError> {
    let what = "a function's record";
    let mut records = Vec::new();
    let mut at = 0;
    while at + 28 <= bytes.len() {
        let word = |offset: usize| number::<8>(bytes, at + offset).ok_or_else(cut(at, what));
        let length = number::<4>(bytes, at + 8).ok_or_else(cut(at, what))? as usize;
        let mapping = bytes.get(at + 28..).and_then(|rest| rest.get(..length)).ok_or_else(cut(at, what))?;
        let (name_hash, structural_hash, filenames_hash) = (word(0)?, word(12)?, word(20)?);
        records.push(Record { name_hash, structural_hash, filenames_hash, mapping });
        at = (at + 28 + length).next_multiple_of(8);
    }
    Ok(records)
}

/// Where the counters of a function are, by the digests of its name and its body: the first, and how many.
type Places = HashMap<(u64, u64), (usize, usize)>;

/// First counter and number of counters, by the hashes of name and structure. A record begins with these, then there is how far from
/// itself the counters are. What else there is (bitmaps, functions, values) is not needed.
fn counters(data: Section<'_>, counters: Section<'_>, layout: &Layout) -> Result<Places, CoverageError> {
    let what = "the records of counters";
    let (address, bytes) = data;
    if !bytes.len().is_multiple_of(layout.record) {
        return Err(CoverageError::Shape(what.to_owned()));
    }
    let mut found = HashMap::new();
    for at in (0..bytes.len()).step_by(layout.record) {
        let digest = |offset: usize| number::<8>(bytes, at + offset).ok_or_else(cut(at, what));
        let away = layout.word(bytes, at + 16).ok_or_else(cut(at, what))?;
        let start = layout.wrapped(away.wrapping_add(address).wrapping_add(at as u64).wrapping_sub(counters.0));
        let count = number::<4>(bytes, at + layout.counters).ok_or_else(cut(at, what))?;
        if !start.is_multiple_of(8) || start.saturating_add(count * 8) > counters.1.len() as u64 {
            return Err(CoverageError::Shape(what.to_owned()));
        }
        found.entry((digest(0)?, digest(8)?)).or_insert((start as usize / 8, count as usize));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_program_is_refused() {
        let mut header = b"\x7fELF\x02\x01".to_vec();
        assert!(read(b"").is_err() && read(&header).is_err());
        header.resize(64, 0xff);
        assert!(read(&header).is_err());
        let own = std::fs::read("/proc/self/exe").unwrap();
        for end in [70, 1000, own.len() / 2, own.len() - 100] {
            assert!(read(&own[..end]).is_err());
        }
        // It was not compiled for coverage.
        assert!(matches!(read(&own), Err(CoverageError::Shape(_))));
    }
}
