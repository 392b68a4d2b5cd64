//! The progress of `gen --all`: how many functions are settled, how long the rest may take, and which are in work.

use std::sync::Mutex;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Names that are shown beside the bar.
const SHOWN: usize = 3; // not tuning: how much is told

pub(super) struct Bar {
    bar: ProgressBar,
    working: Mutex<Vec<String>>,
}

impl Bar {
    pub(super) fn new(shows: bool, count: usize) -> Bar {
        let target = if shows { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(count as u64), target);
        let style = ProgressStyle::with_template("{bar:24} {pos}/{len} functions, {eta} left  {wide_msg}");
        if let Ok(style) = style {
            bar.set_style(style.progress_chars("=> "));
        }
        if shows {
            bar.enable_steady_tick(Duration::from_millis(250));
        }
        Bar { bar, working: Mutex::default() }
    }

    pub(super) fn begin(&self, name: &str) {
        self.change(|working| working.push(name.to_owned()));
    }

    pub(super) fn end(&self, name: &str) {
        self.change(|working| {
            if let Some(at) = working.iter().position(|other| other == name) {
                working.remove(at);
            }
        });
    }

    /// One more function needs nothing more.
    pub(super) fn settle(&self) {
        self.bar.inc(1);
    }

    /// Lets something be printed above the bar, one at a time.
    pub(super) fn aside(&self, print: impl FnOnce()) {
        // Who holds the list prints, so that lines of several threads do not mix.
        let _held = self.working.lock();
        self.bar.suspend(print);
    }

    pub(super) fn clear(&self) {
        self.bar.finish_and_clear();
    }

    fn change(&self, change: impl FnOnce(&mut Vec<String>)) {
        if let Ok(mut working) = self.working.lock() {
            change(&mut working);
            self.bar.set_message(message(&working));
        }
    }
}

fn message(working: &[String]) -> String {
    let mut text = working.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
    if working.len() > SHOWN {
        text.push_str(&format!(" and {} more", working.len() - SHOWN));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_in_work_are_named() {
        let names = |count: usize| (0..count).map(|n| format!("f{n}")).collect::<Vec<_>>();
        assert_eq!(message(&names(0)), "");
        assert_eq!(message(&names(2)), "f0, f1");
        assert_eq!(message(&names(5)), "f0, f1, f2 and 2 more");
        let bar = Bar::new(false, 3);
        bar.begin("f");
        bar.begin("g");
        bar.end("f");
        bar.settle();
        assert_eq!((bar.bar.message(), bar.bar.position()), ("g".to_owned(), 1));
    }
}
