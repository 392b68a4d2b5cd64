//! Changes of texts by what they are made of for those who read them: words and lines.

use super::mutate::{Mutator, end_of_text};

/// Words in a row that are repeated at once, at most.
const MOST_WORDS: usize = 4; // not tuning: what a command is
/// How often lines or words are repeated: their number doubles so often, at most.
const MOST_DOUBLINGS: usize = 4; // not tuning: it goes on from there
/// Bytes that are put behind all others at once, at most.
const LONGEST_PIECE: usize = 8; // not tuning: it goes on from there

fn parts_words(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0
}

/// Where words begin and end.
fn words(bytes: &[u8]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut begin = None;
    for (at, &byte) in bytes.iter().enumerate() {
        match (parts_words(byte), begin) {
            (false, None) => begin = Some(at),
            (true, Some(start)) => {
                found.push((start, at));
                begin = None;
            }
            _ => {}
        }
    }
    found.extend(begin.map(|start| (start, bytes.len())));
    found
}

/// Where lines begin and end, behind what ends them.
fn lines(bytes: &[u8]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut start = 0;
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        found.push((start, start + line.len()));
        start += line.len();
    }
    found
}

impl Mutator {
    /// Changes words or lines of the bytes before `end`; `theirs` is an array of another.
    pub(super) fn change_structure(&mut self, bytes: &mut Vec<u8>, end: usize, theirs: Option<&[u8]>) {
        match self.rng.below(10) {
            0 | 1 => self.insert_word(bytes, end),
            2 => self.replace_word(bytes, end),
            3 => self.repeat_line(bytes, end, None),
            4 => self.repeat_line(bytes, end, theirs),
            5 | 6 => self.append_piece(bytes, end, theirs),
            7 => self.repeat_words(bytes, end, theirs),
            8 => self.join(bytes, end, theirs),
            _ => self.drop_line(bytes, end),
        }
    }

    /// A word that the program knows, or a small number.
    pub(super) fn word(&mut self) -> Vec<u8> {
        let lists = [&self.words.compared, &self.words.compared, &self.words.texts, &self.words.written];
        let list = lists.get(self.rng.below(6)).copied().filter(|list| !list.is_empty());
        match list {
            Some(list) => list[self.rng.below(list.len())].clone(),
            None if self.rng.chance(75) => self.rng.below(12).to_string().into_bytes(),
            None => vec![self.character()],
        }
    }

    fn insert_word(&mut self, bytes: &mut Vec<u8>, end: usize) {
        let mut places = vec![0, end];
        places.extend(words(&bytes[..end]).into_iter().map(|(start, _)| start));
        let at = self.rng.pick(&places);
        let mut word = self.word();
        let gap = if self.rng.chance(50) { b' ' } else { b'\n' };
        if at > 0 && !parts_words(bytes[at - 1]) {
            word.insert(0, gap);
        } else {
            word.push(gap);
        }
        bytes.splice(at..at, word);
    }

    fn replace_word(&mut self, bytes: &mut Vec<u8>, end: usize) {
        let found = words(&bytes[..end]);
        if found.is_empty() {
            return self.insert_word(bytes, end);
        }
        let (start, stop) = self.rng.pick(&found);
        let word = self.word();
        bytes.splice(start..stop, word);
    }

    /// A line of the same or of another text once more, or a few times.
    fn repeat_line(&mut self, bytes: &mut Vec<u8>, end: usize, theirs: Option<&[u8]>) {
        let from = theirs.unwrap_or(&bytes[..end]);
        let found = lines(from);
        if found.is_empty() {
            return self.insert_word(bytes, end);
        }
        let (start, stop) = self.rng.pick(&found);
        let mut line = from[start..stop].to_vec();
        if line.last() != Some(&b'\n') {
            line.push(b'\n');
        }
        let mut places: Vec<usize> = lines(&bytes[..end]).into_iter().map(|(start, _)| start).collect();
        places.push(end);
        let at = self.rng.pick(&places);
        let times = if self.rng.chance(50) { 1 } else { 1 << self.rng.below(MOST_DOUBLINGS + 1) };
        let mut more = self.repeated(&line, times);
        if at > 0 && bytes[at - 1] != b'\n' {
            more.insert(0, b'\n');
        }
        bytes.splice(at..at, more);
    }

    /// A few words of the same or of another text once more, or many times: a program that counts what it reads goes another way at
    /// the tenth.
    fn repeat_words(&mut self, bytes: &mut Vec<u8>, end: usize, theirs: Option<&[u8]>) {
        let from = theirs.filter(|_| self.rng.chance(50)).unwrap_or(&bytes[..end]);
        let found = words(from);
        if found.is_empty() {
            return self.insert_word(bytes, end);
        }
        let first = self.rng.below(found.len());
        let behind = first + 1 + self.rng.below(MOST_WORDS);
        // With what parts them from the next one.
        let stop = found.get(behind).map_or(found[found.len().min(behind) - 1].1, |(start, _)| *start);
        let mut piece = from[found[first].0..stop].to_vec();
        if !piece.last().is_some_and(|&byte| parts_words(byte)) {
            piece.push(b' ');
        }
        let mut places: Vec<usize> = words(&bytes[..end]).into_iter().map(|(start, _)| start).collect();
        places.push(end);
        let at = self.rng.pick(&places);
        let times = 1 << self.rng.below(MOST_DOUBLINGS + 1);
        let mut more = self.repeated(&piece, times);
        if at > 0 && !parts_words(bytes[at - 1]) {
            more.insert(0, b' ');
        }
        bytes.splice(at..at, more);
    }

    /// A piece so many times, the same each time or with another letter or digit in one place: what a program keeps in a table.
    fn repeated(&mut self, piece: &[u8], times: usize) -> Vec<u8> {
        let letters: Vec<usize> = (0..piece.len()).filter(|&at| piece[at].is_ascii_alphanumeric()).collect();
        let counted = if letters.is_empty() || self.rng.chance(50) { None } else { Some(self.rng.pick(&letters)) };
        let mut all = Vec::new();
        for number in 0..times {
            all.extend_from_slice(piece);
            if let Some(at) = counted {
                let (first, count) = match piece[at] {
                    b'0'..=b'9' => (b'0', 10),
                    b'a'..=b'z' => (b'a', 26),
                    _ => (b'A', 26),
                };
                let place = all.len() - piece.len() + at;
                all[place] = first + ((usize::from(piece[at] - first) + number) % count) as u8;
            }
        }
        all
    }

    /// Another text before this one, or behind it.
    fn join(&mut self, bytes: &mut Vec<u8>, end: usize, theirs: Option<&[u8]>) {
        let theirs = theirs.unwrap_or_default();
        let gap = self.rng.pick(b" \n");
        let at = if self.rng.chance(50) { 0 } else { end };
        let mut more = theirs[..end_of_text(theirs)].to_vec();
        if at == 0 {
            more.push(gap)
        } else {
            more.insert(0, gap)
        }
        bytes.splice(at..at, more);
    }

    /// A piece of the same or of another text, or some characters, behind all others: what a text has led to so far is where it goes on.
    fn append_piece(&mut self, bytes: &mut Vec<u8>, end: usize, theirs: Option<&[u8]>) {
        let from = theirs.filter(|theirs| !theirs.is_empty()).unwrap_or(&bytes[..end]);
        let length = 1 + self.rng.below(LONGEST_PIECE);
        let piece: Vec<u8> = if from.is_empty() || self.rng.chance(50) {
            (0..length.min(LONGEST_PIECE / 2)).map(|_| self.character()).collect()
        } else {
            let start = self.rng.below(from.len());
            from[start..from.len().min(start + length)].to_vec()
        };
        bytes.splice(end..end, piece);
    }

    fn drop_line(&mut self, bytes: &mut Vec<u8>, end: usize) {
        let found = lines(&bytes[..end]);
        if !found.is_empty() {
            let (start, stop) = self.rng.pick(&found);
            bytes.drain(start..stop);
        }
    }
}

#[cfg(test)]
mod tests {
    use covenant_constraints::random::Rng;

    use super::super::words::Words;
    use super::*;

    #[test]
    fn words_and_lines_are_found() {
        assert_eq!(words(b" ab c\n"), [(1, 3), (4, 5)]);
        assert_eq!(words(b"x"), [(0, 1)]);
        assert_eq!(lines(b"a\nbc"), [(0, 2), (2, 4)]);
        assert!(lines(b"").is_empty());
    }

    #[test]
    fn commands_are_made_of_the_words_that_are_compared() {
        let words = Words { compared: vec![b"push".to_vec(), b"pop".to_vec()], ..Words::default() };
        let mut mutator = Mutator::new(Rng::new(1), words);
        let mut met = [false; 6];
        for _ in 0..5000 {
            let mut text = b"x\n".to_vec();
            for _ in 0..4 {
                let end = text.len();
                mutator.change_structure(&mut text, end, Some(b"push 1\npop\n"));
            }
            let lines: Vec<&[u8]> = text.split(|&byte| byte == b'\n').collect();
            met[0] |= lines.windows(2).any(|pair| pair == [b"push 1".as_slice(), b"push 1"]);
            met[1] |= lines.contains(&b"push 7".as_slice());
            met[2] |= lines.contains(&b"pop".as_slice());
            met[3] |= text.starts_with(b"x\npu");
            met[5] |= text.windows(14).any(|part| part == b"push 1\npush 2\n");
            met[4] |= text.windows(56).any(|part| part == b"push 1\n".repeat(8));
        }
        assert_eq!(met, [true; 6]);
    }
}
