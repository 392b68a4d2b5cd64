//! The model of a prover, step by step, as pictures.
//!
//! [`Recorder`] writes a folder: `0001.dot` and so on for Graphviz, and `index.html`, which shows the same pictures without
//! Graphviz. `layout` places the nodes, `svg` draws them, `page` puts all steps into one page.

mod dot;
mod layout;
mod page;
mod svg;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use covenant_goals::ModelStep;

use crate::Error;
use crate::files::{remove_others, write_file};

/// Steps after which nothing more is written.
const MOST_STEPS: usize = 500;

/// Keeps the steps for the page; each is written as DOT as soon as it comes.
#[derive(Debug)]
pub struct Recorder {
    dir: PathBuf,
    steps: Vec<ModelStep>,
    /// There were more steps.
    is_cut: bool,
    error: Option<Error>,
}

impl Recorder {
    /// Draws into this directory.
    pub fn new(dir: &Path) -> Recorder {
        Recorder { dir: dir.to_path_buf(), steps: Vec::new(), is_cut: false, error: None }
    }

    /// Whether more steps are of use.
    pub fn wants_more(&self) -> bool {
        !self.is_cut && self.error.is_none()
    }

    /// Takes the next step. What goes wrong is told by [`Recorder::finish`].
    pub fn add(&mut self, step: ModelStep) {
        if self.steps.len() >= MOST_STEPS {
            self.is_cut = true;
            return;
        }
        let file = self.dir.join(name(self.steps.len()));
        self.error = write_file(&file, dot::text(&step).as_bytes()).err();
        self.steps.push(step);
    }

    /// Writes the page and removes pictures of an earlier run. The number of steps.
    pub fn finish(mut self, title: &str) -> Result<usize, Error> {
        if let Some(error) = self.error {
            return Err(error);
        }
        if let Some(last) = self.steps.last_mut().filter(|_| self.is_cut) {
            last.caption.push_str(&format!("; only the first {MOST_STEPS} steps are written, there were more"));
            let file = self.dir.join(name(MOST_STEPS - 1));
            write_file(&file, dot::text(last).as_bytes())?;
        }
        let names: BTreeSet<String> = (0..self.steps.len()).map(name).collect();
        remove_pictures(&self.dir, &names)?;
        write_file(&self.dir.join("index.html"), page::page(title, &self.steps).as_bytes())?;
        Ok(self.steps.len())
    }
}

fn name(index: usize) -> String {
    format!("{:04}.dot", index + 1)
}

/// The folder is the user's: nothing goes but files with names that only this module gives.
fn remove_pictures(dir: &Path, keep: &BTreeSet<String>) -> Result<(), Error> {
    let mut keep = keep.clone();
    for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let ours = name.strip_suffix(".dot").is_some_and(|n| n.len() == 4 && n.bytes().all(|b| b.is_ascii_digit()));
        if !ours {
            keep.insert(name);
        }
    }
    remove_others(dir, ".dot", &keep)
}

/// The text, cut to so many characters.
fn short(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let mut cut: String = text.chars().take(most.saturating_sub(1)).collect();
    cut.push('…');
    cut
}

/// What stands in a node, line by line. Why a node is unreachable is not in its predicate, which takes much room.
fn label(node: &covenant_goals::PictureNode) -> Vec<String> {
    const WIDTH: usize = 30;
    const CONJUNCTS: usize = 3;
    let mut lines = vec![short(&node.place, WIDTH)];
    if !node.meaning.is_empty() {
        lines.push(short(&node.meaning, WIDTH));
    }
    if node.dead {
        return lines;
    }
    let shown = if node.predicate.len() > CONJUNCTS { CONJUNCTS - 1 } else { CONJUNCTS };
    lines.extend(node.predicate.iter().take(shown).map(|conjunct| short(&format!("[{conjunct}]"), WIDTH)));
    if node.predicate.len() > shown {
        lines.push(format!("[… {} more]", node.predicate.len() - shown));
    }
    lines
}

#[cfg(test)]
pub(super) mod tests {
    use covenant_goals::{PictureEdge, PictureNode};

    use super::*;

    /// A loop whose body is split, with an unreachable exit.
    pub(in crate::model) fn small() -> ModelStep {
        let node = |id: u32, distance: u32, place: &str| PictureNode {
            id,
            distance,
            place: place.into(),
            ..PictureNode::default()
        };
        let edge =
            |from: u32, to: u32, guard: &str| PictureEdge { from, to, guard: guard.into(), ..PictureEdge::default() };
        ModelStep {
            caption: "split at f 3:5: s[0] == '\"'".into(),
            nodes: vec![
                PictureNode { covered: true, ..node(0, 0, "start") },
                PictureNode { predicate: vec!["x > 3".into()], changed: true, ..node(4, 1, "f 3:5") },
                PictureNode { predicate: vec!["x <= 3".into()], covered: true, ..node(5, 1, "f 3:5") },
                PictureNode { meaning: "x > 9 is true".into(), target: true, ..node(2, 2, "f 4:7") },
                PictureNode { dead: true, ..node(3, 2, "f 5:7") },
            ],
            edges: vec![
                PictureEdge { frontier: true, ..edge(0, 4, "") },
                edge(0, 5, ""),
                edge(4, 2, "x > 9"),
                edge(5, 5, "x != 0"),
                edge(2, 4, ""),
            ],
            left_out: 0,
        }
    }

    fn files(dir: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(dir).unwrap();
        let mut names: Vec<_> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn pictures_of_an_earlier_run_go_and_other_files_stay() {
        let dir = tempfile::tempdir().unwrap();
        for steps in [3, 1] {
            let mut recorder = Recorder::new(dir.path());
            std::fs::write(dir.path().join("mine.dot"), "x").unwrap();
            for _ in 0..steps {
                assert!(recorder.wants_more());
                recorder.add(small());
            }
            assert_eq!(recorder.finish("f").unwrap(), steps);
        }
        assert_eq!(files(dir.path()), ["0001.dot", "index.html", "mine.dot"]);
    }

    #[test]
    fn the_last_caption_says_that_there_were_more_steps() {
        let dir = tempfile::tempdir().unwrap();
        let one = || ModelStep { caption: "one".into(), ..ModelStep::default() };
        let mut recorder = Recorder::new(dir.path());
        for _ in 0..MOST_STEPS {
            recorder.add(one());
        }
        assert!(recorder.wants_more(), "whether there are more is not known yet");
        recorder.add(one());
        assert!(!recorder.wants_more());
        assert_eq!(recorder.finish("f").unwrap(), MOST_STEPS);
        let last = std::fs::read_to_string(dir.path().join("0500.dot")).unwrap();
        assert!(last.contains("only the first 500 steps"), "{last}");
        assert!(!dir.path().join("0501.dot").exists());
    }

    #[test]
    fn labels_are_short() {
        let predicate = (0..5).map(|n| format!("{} > {n}", "long".repeat(20))).collect();
        let node = PictureNode { place: "f 1:2".into(), predicate, ..PictureNode::default() };
        let lines = label(&node);
        assert_eq!(lines.len(), 4);
        assert_eq!(lines[3], "[… 3 more]");
        assert!(lines.iter().all(|line| line.chars().count() <= 30), "{lines:?}");
    }
}
