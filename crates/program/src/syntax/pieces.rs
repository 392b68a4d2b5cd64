//! clang's JSON in pieces, one for each declaration of a file.
//!
//! clang indents what it writes, so that the end of a declaration is a line of its own kind, and text inside of strings has no end of
//! a line. A table has millions of numbers, and hundreds of megabytes say so; where none of it is kept, only the last place in it
//! matters to what follows.
//!
//! What clang indents by says how deep an expression lies, so that of a sum of thousands of terms
//! nearly all is spaces: gigabytes. They are left out while the text is read, and a text that is
//! deeper than anything can be kept of ends there.

use std::io::{self, Chain, Cursor, Read};

use memchr::memmem;

/// The line in front of the declarations.
const HEAD: &[u8] = b"\n  \"inner\": [\n";
/// The end of a declaration.
const END: &[u8] = b"\n    }";
/// How much is read at once.
const STEP: usize = 1 << 20;
/// Spaces in front of a line that are kept: more than in front of any line that is looked for.
const KEPT: usize = 6;
/// Spaces that clang indents a node by, beyond that which it is in.
const LEVEL: usize = 4;

/// Text without most of the spaces at the start of lines.
pub(super) struct Unindented<R> {
    text: R,
    /// Where the line is not known yet to have anything else: how many spaces it has.
    spaces: Option<usize>,
    most: usize,
}

impl<R: Read> Unindented<R> {
    /// Reading ends with an error at a node that is deeper than `most_depth`.
    pub(super) fn new(text: R, most_depth: u32) -> Unindented<R> {
        // What a node says of its places is some levels deeper.
        Unindented { text, spaces: Some(0), most: (most_depth as usize + LEVEL) * LEVEL }
    }

    /// Moves what is kept of some text to its start; how much that is.
    fn clip(&mut self, text: &mut [u8]) -> io::Result<usize> {
        let (mut from, mut to) = (0, 0);
        while from < text.len() {
            let end = match &mut self.spaces {
                Some(before) => {
                    let run = text[from..].iter().position(|byte| *byte != b' ').unwrap_or(text.len() - from);
                    let kept = run.min(KEPT.saturating_sub(*before));
                    *before += run;
                    if *before > self.most {
                        return Err(io::Error::other("it is too deep"));
                    }
                    if from + run < text.len() {
                        self.spaces = None;
                    }
                    from += run - kept;
                    from + kept
                }
                None => match memchr::memchr(b'\n', &text[from..]) {
                    Some(at) => {
                        self.spaces = Some(0);
                        from + at + 1
                    }
                    None => text.len(),
                },
            };
            text.copy_within(from..end, to);
            to += end - from;
            from = end;
        }
        Ok(to)
    }
}

impl<R: Read> Read for Unindented<R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        loop {
            let count = self.text.read(to)?;
            let kept = self.clip(&mut to[..count])?;
            if kept > 0 || count == 0 {
                return Ok(kept);
            }
        }
    }
}

/// What was read and is still to be looked at.
pub(super) struct Pieces<R> {
    text: R,
    read: Vec<u8>,
    /// Where the next piece begins.
    start: usize,
}

/// A text of another kind, from its start.
type Other<R> = Chain<Cursor<Vec<u8>>, R>;

impl<R: Read> Pieces<R> {
    /// Stands before the first declaration, if it is text of this kind.
    pub(super) fn new(text: R) -> io::Result<Result<Pieces<R>, Other<R>>> {
        let mut pieces = Pieces { text, read: Vec::new(), start: 0 };
        Ok(match pieces.find(HEAD)? {
            Some(at) => {
                pieces.start = at + HEAD.len();
                Ok(pieces)
            }
            None => Err(Cursor::new(pieces.read).chain(pieces.text)),
        })
    }

    /// The text of the next declaration; at the end reads the rest, so that nobody waits for a reader.
    pub(super) fn next(&mut self) -> io::Result<Option<&[u8]>> {
        let Some(end) = self.find(END)? else {
            io::copy(&mut self.text, &mut io::sink())?;
            return Ok(None);
        };
        let piece = self.start..end + END.len();
        // Behind it stands a comma, or the end of the line.
        self.start = piece.end + 1;
        Ok(Some(&self.read[piece]))
    }

    /// Where this begins next, and before that all that is behind what was looked at, as far as it is needed.
    fn find(&mut self, wanted: &[u8]) -> io::Result<Option<usize>> {
        let finder = memmem::Finder::new(wanted);
        let mut from = self.start;
        loop {
            if let Some(at) = self.read.get(from..).and_then(|rest| finder.find(rest)) {
                return Ok(Some(from + at));
            }
            // What was looked at in vain may end with a part of it.
            from = self.start.max(self.read.len().saturating_sub(wanted.len()));
            let gone = self.start.min(self.read.len());
            self.read.drain(..gone);
            (self.start, from) = (self.start - gone, from - gone);
            let before = self.read.len();
            self.text.by_ref().take(STEP as u64).read_to_end(&mut self.read)?;
            if self.read.len() == before {
                return Ok(None);
            }
        }
    }
}

/// The last place in a piece, which says a file or a line only where they are others than before.
#[derive(PartialEq, Eq, Debug, Default)]
pub(super) struct LastPlace<'t> {
    /// As JSON has it.
    pub(super) file: Option<&'t [u8]>,
    pub(super) line: Option<u32>,
}

/// The last place of a variable whose initial value has no operator: nobody keeps it. `None`: it is something else.
pub(super) fn table(piece: &[u8]) -> Option<LastPlace<'_>> {
    // The first kind is that of the declaration.
    let kind = memmem::find(piece, b"\"kind\": \"").map(|at| &piece[at..])?;
    if !kind.starts_with(b"\"kind\": \"VarDecl\"") {
        return None;
    }
    let others: [&[u8]; 4] = [b"\"BinaryOperator\"", b"\"CompoundAssignOperator\"", b"\"EnumDecl\"", b"\"RecordDecl\""];
    if others.iter().any(|word| memmem::find(piece, word).is_some()) {
        return None;
    }
    let file = last_value(piece, b"\"file\": ", &[b"\"offset\": "]);
    let line = last_value(piece, b"\"line\": ", &[b"\"offset\": ", b"\"file\": "]);
    let line = match line {
        Some(text) => Some(std::str::from_utf8(text).ok()?.parse().ok()?),
        None => None,
    };
    Some(LastPlace { file, line })
}

/// What follows a key for the last time, up to the comma, where the line before begins with one of these: others have such keys, too.
fn last_value<'t>(piece: &'t [u8], key: &[u8], before: &[&[u8]]) -> Option<&'t [u8]> {
    let is_meant = |at: &usize| {
        let line_before = || {
            let lines = &piece[..memchr::memrchr(b'\n', &piece[..*at])?];
            Some(&lines[memchr::memrchr(b'\n', lines).map_or(0, |start| start + 1)..])
        };
        line_before().is_some_and(|line| before.iter().any(|word| line.trim_ascii_start().starts_with(word)))
    };
    let behind = &piece[memmem::find_iter(piece, key).filter(is_meant).last()? + key.len()..];
    behind[..memchr::memchr(b'\n', behind)?].trim_ascii_end().strip_suffix(b",")
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "{\n  \"kind\": \"TranslationUnitDecl\",\n  \"inner\": [\n    {\n      \"a\": 1\n    },\n    {\n      \"b\": {\n        \"c\": 2\n      }\n    }\n  ]\n}\n";

    /// Gives one byte at a time.
    struct Slowly<'t>(&'t [u8]);

    impl Read for Slowly<'_> {
        fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
            let count = to.len().min(1);
            self.0.read(&mut to[..count])
        }
    }

    fn pieces(text: impl Read) -> Vec<String> {
        let mut pieces = Pieces::new(text).unwrap().ok().unwrap();
        let mut all = Vec::new();
        while let Some(piece) = pieces.next().unwrap() {
            all.push(piece.iter().map(|&byte| byte as char).filter(|c| !c.is_whitespace()).collect());
        }
        all
    }

    #[test]
    fn each_declaration_is_a_piece() {
        let expected = ["{\"a\":1}", "{\"b\":{\"c\":2}}"];
        assert_eq!(pieces(TEXT.as_bytes()), expected);
        assert_eq!(pieces(Slowly(TEXT.as_bytes())), expected);
        let text = "{ \"kind\": \"TranslationUnitDecl\" }";
        let mut other = Pieces::new(text.as_bytes()).unwrap().err().unwrap();
        assert_eq!(io::read_to_string(&mut other).unwrap(), text);
    }

    #[test]
    fn spaces_in_front_of_lines_are_left_out() {
        let read = |text: &str, most| -> io::Result<(String, String)> {
            let fast = io::read_to_string(Unindented::new(text.as_bytes(), most))?;
            Ok((fast, io::read_to_string(Unindented::new(Slowly(text.as_bytes()), most))?))
        };
        let text = "{\n    \"a\": \"b  c\",\n          \"d\":      1\n      }\n                ";
        let clipped = "{\n    \"a\": \"b  c\",\n      \"d\":      1\n      }\n      ";
        assert_eq!(read(text, 5).unwrap(), (clipped.to_owned(), clipped.to_owned()));
        assert!(read(&format!("{{\n{:>40}", "x"), 5).is_err());
    }

    #[test]
    fn tables_are_told_by_their_last_place() {
        let piece = |words: &str| {
            format!(
                "    {{\n      \"kind\": \"VarDecl\",\n      \"offset\": 1,\n      \"file\": \"a.h\",\n      \"line\": 7,\n      \"col\": 1,\n{words}    }}"
            )
        };
        let included =
            "      \"offset\": 2,\n      \"line\": 9,\n      \"includedFrom\": {\n        \"file\": \"b.c\"\n";
        let told = |text: &str| {
            let last = table(text.as_bytes())?;
            Some((last.file.map(|file| String::from_utf8_lossy(file).into_owned()), last.line))
        };
        assert_eq!(told(&piece("")), Some((Some("\"a.h\"".to_owned()), Some(7))));
        assert_eq!(told(&piece(included)), Some((Some("\"a.h\"".to_owned()), Some(9))));
        assert_eq!(told(&piece("      \"kind\": \"BinaryOperator\"\n")), None);
        assert_eq!(told(&piece("").replace("VarDecl", "FunctionDecl")), None);
    }
}
