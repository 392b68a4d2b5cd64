//! The bytes of the mapping. Everything in them is LEB128 numbers and strings.

use super::{Condition, Counter, FunctionCoverage, Region, RegionKind, Span};

/// What the header calls version 7.
pub const VERSION: u32 = 6;

/// Why a coverage mapping cannot be read.
#[expect(missing_docs, reason = "the messages say it")]
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CoverageError {
    #[error("the coverage mapping ends at byte {0}, inside of {1}")]
    Truncated(usize, &'static str),
    #[error("byte {0} of the coverage mapping: {1} is too large")]
    TooLarge(usize, &'static str),
    #[error("byte {0} of the coverage mapping: {1}")]
    Malformed(usize, String),
    #[error("the coverage mapping has version {0}, not that of LLVM 19")]
    Version(u32),
    #[error(
        "the file names of the coverage mapping are compressed: compile with -mllvm -enable-name-compression=false"
    )]
    Compressed,
    #[error("the module has no file names for the coverage record of the function with hash {0:#x}")]
    NoFilenames(u64),
    #[error("not readable as LLVM 19 bitcode: {0}")]
    Bitcode(String),
    #[error("{0} is not what clang 19 writes")]
    Shape(String),
}

/// The fields of a `__covrec_*` global.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Record<'a> {
    /// [`super::name_hash`] of the function's profile name.
    pub name_hash: u64,
    /// Changes with the control flow of the source; 0 for a function without code.
    pub structural_hash: u64,
    /// [`super::name_hash`] of the encoded file names of the record's module.
    pub filenames_hash: u64,
    /// The encoded regions.
    pub mapping: &'a [u8],
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn number(&mut self, what: &'static str) -> Result<u64, CoverageError> {
        let start = self.at;
        let mut value = 0u64;
        for shift in (0..).step_by(7) {
            let byte = *self.bytes.get(self.at).ok_or(CoverageError::Truncated(self.at, what))?;
            self.at += 1;
            let bits = u64::from(byte & 0x7f);
            if shift >= 64 || bits << shift >> shift != bits {
                return Err(CoverageError::TooLarge(start, what));
            }
            value |= bits << shift;
            if byte & 0x80 == 0 {
                break;
            }
        }
        Ok(value)
    }

    fn small(&mut self, what: &'static str) -> Result<u32, CoverageError> {
        let start = self.at;
        u32::try_from(self.number(what)?).map_err(|_| CoverageError::TooLarge(start, what))
    }

    /// How many things follow. Each takes at least a byte, so that no number makes us reserve more than there is.
    fn count(&mut self, what: &'static str) -> Result<usize, CoverageError> {
        let start = self.at;
        let count = usize::try_from(self.number(what)?).map_err(|_| CoverageError::TooLarge(start, what))?;
        if count > self.bytes.len() - self.at {
            Err(CoverageError::Truncated(self.bytes.len(), what))
        } else {
            Ok(count)
        }
    }

    fn string(&mut self, what: &'static str) -> Result<String, CoverageError> {
        let length = self.count(what)?;
        let bytes = &self.bytes[self.at..self.at + length];
        self.at += length;
        Ok(String::from_utf8_lossy(bytes).into_owned())
    }

    fn malformed<T>(&self, at: usize, message: impl Into<String>) -> Result<T, CoverageError> {
        debug_assert!(at <= self.at);
        Err(CoverageError::Malformed(at, message.into()))
    }
}

/// Reads the encoded file names of a module, and completes relative ones with the directory clang ran in.
pub fn filenames(bytes: &[u8]) -> Result<Vec<String>, CoverageError> {
    let mut reader = Reader { bytes, at: 0 };
    let count = reader.count("the number of files")?;
    reader.number("the length of the file names")?;
    if reader.number("the length of the compressed file names")? != 0 {
        return Err(CoverageError::Compressed);
    }
    let mut names = Vec::with_capacity(count);
    for _ in 0..count {
        names.push(reader.string("a file name")?);
    }
    // The first is the directory itself.
    if let Some((directory, files)) = names.split_first_mut() {
        for name in files.iter_mut().filter(|n| !n.starts_with('/') && !directory.is_empty()) {
            *name = format!("{}/{}", directory.trim_end_matches('/'), name);
        }
    }
    Ok(names)
}

/// Reads the record of one function.
pub fn function(record: &Record<'_>, filenames: &[String]) -> Result<FunctionCoverage, CoverageError> {
    let mut reader = Reader { bytes: record.mapping, at: 0 };
    let mut files = Vec::new();
    for _ in 0..reader.count("the number of files")? {
        let at = reader.at;
        let index = reader.small("a file")?;
        match filenames.get(index as usize) {
            Some(name) => files.push(name.clone()),
            None => return reader.malformed(at, format!("there is no file {index}")),
        }
    }
    let mut decoder = Decoder { reader, files: files.len() as u32, expressions: 0 };
    let expressions = decoder.expressions()?;
    let mut regions = Vec::new();
    for file in 0..decoder.files {
        decoder.regions(file, &mut regions)?;
    }
    if decoder.reader.at != record.mapping.len() {
        return decoder.reader.malformed(decoder.reader.at, "there are bytes after the last region");
    }
    let Record { name_hash, structural_hash, .. } = *record;
    Ok(FunctionCoverage { name_hash, structural_hash, files, expressions, regions })
}

struct Decoder<'a> {
    reader: Reader<'a>,
    files: u32,
    expressions: u32,
}

impl Decoder<'_> {
    fn counter(&mut self, what: &'static str) -> Result<Counter, CoverageError> {
        let at = self.reader.at;
        let encoded = self.reader.small(what)?;
        self.counter_from(at, encoded)
    }

    fn counter_from(&self, at: usize, encoded: u32) -> Result<Counter, CoverageError> {
        let index = encoded >> 2;
        match encoded & 3 {
            0 if index == 0 => Ok(Counter::Zero),
            0 => self.reader.malformed(at, "a counter of zero has an index"),
            1 => Ok(Counter::Count(index)),
            _ if index >= self.expressions => self.reader.malformed(at, format!("there is no expression {index}")),
            2 => Ok(Counter::Sub(index)),
            _ => Ok(Counter::Add(index)),
        }
    }

    fn expressions(&mut self) -> Result<Vec<[Counter; 2]>, CoverageError> {
        let at = self.reader.at;
        self.expressions = self.reader.count("the number of expressions")? as u32;
        let mut expressions = Vec::with_capacity(self.expressions as usize);
        for _ in 0..self.expressions {
            expressions.push([self.counter("an operand")?, self.counter("an operand")?]);
        }
        match cyclic(&expressions) {
            Some(index) => self.reader.malformed(at, format!("the expression {index} contains itself")),
            None => Ok(expressions),
        }
    }

    fn regions(&mut self, file: u32, regions: &mut Vec<Region>) -> Result<(), CoverageError> {
        let mut line = 0u32;
        for _ in 0..self.reader.count("the number of regions")? {
            let kind = self.kind()?;
            let at = self.reader.at;
            let large = CoverageError::TooLarge(at, "a line");
            line = line.checked_add(self.reader.small("a line")?).ok_or(large.clone())?;
            let start_column = self.reader.small("a column")?;
            let end_line = line.checked_add(self.reader.small("a line")?).ok_or(large)?;
            let end_column = self.reader.small("a column")?;
            // The highest bit of the end marks a gap.
            let (gap, end_column) = (end_column >> 31 == 1, end_column & (u32::MAX >> 1));
            let kind = match kind {
                RegionKind::Code(counter) if gap => RegionKind::Gap(counter),
                kind => kind,
            };
            // Columns 0 and 0 stand for whole lines.
            let (start_column, end_column) =
                if (start_column, end_column) == (0, 0) { (1, u32::MAX) } else { (start_column, end_column) };
            let span = Span { file, start: (line, start_column), end: (end_line, end_column) };
            regions.push(Region { span, kind });
        }
        Ok(())
    }

    /// The head of a region: a counter, or in its place the kind and what belongs to it.
    fn kind(&mut self) -> Result<RegionKind, CoverageError> {
        let at = self.reader.at;
        let encoded = self.reader.small("the kind of a region")?;
        if encoded & 3 != 0 {
            return Ok(RegionKind::Code(self.counter_from(at, encoded)?));
        }
        let data = encoded >> 3;
        if encoded & 4 != 0 {
            return match data {
                file if file < self.files => Ok(RegionKind::Expansion { file }),
                file => self.reader.malformed(at, format!("there is no expanded file {file}")),
            };
        }
        match data {
            0 => Ok(RegionKind::Code(Counter::Zero)),
            2 => Ok(RegionKind::Skipped),
            4 => {
                let (on_true, on_false) = (self.counter("a true count")?, self.counter("a false count")?);
                Ok(RegionKind::Branch { on_true, on_false, condition: None })
            }
            5 => {
                let bitmap = self.reader.small("a bitmap")?;
                Ok(RegionKind::Decision { bitmap, conditions: self.reader.small("the number of conditions")? })
            }
            6 => {
                let (on_true, on_false) = (self.counter("a true count")?, self.counter("a false count")?);
                Ok(RegionKind::Branch { on_true, on_false, condition: Some(self.condition()?) })
            }
            kind => self.reader.malformed(at, format!("there is no region of kind {kind}")),
        }
    }

    /// The ids of a condition and of the next ones are written from 1; 0 is none.
    fn condition(&mut self) -> Result<Condition, CoverageError> {
        let at = self.reader.at;
        let Some(id) = self.reader.small("a condition")?.checked_sub(1) else {
            return self.reader.malformed(at, "a condition has no id");
        };
        let on_true = self.reader.small("the next condition")?.checked_sub(1);
        let on_false = self.reader.small("the next condition")?.checked_sub(1);
        Ok(Condition { id, on_true, on_false })
    }
}

/// An expression that contains itself, if there is one.
fn cyclic(expressions: &[[Counter; 2]]) -> Option<usize> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Open,
        Done,
    }
    let mut states = vec![State::New; expressions.len()];
    for root in 0..expressions.len() {
        let mut stack = vec![root];
        while let Some(&top) = stack.last() {
            if states[top] != State::New {
                states[top] = State::Done;
                stack.pop();
                continue;
            }
            states[top] = State::Open;
            for operand in expressions[top] {
                let (Counter::Sub(index) | Counter::Add(index)) = operand else { continue };
                match states[index as usize] {
                    State::Open => return Some(index as usize),
                    State::New => stack.push(index as usize),
                    State::Done => {}
                }
            }
        }
    }
    None
}
