//! llvm-cov's way from regions to segments: where in a file which count begins to hold. The lines that ran follow from
//! it ([`crate::lines::executed`]).

use crate::lines::Segment;

type Position = (u32, u32);

/// In the order in which llvm-cov prefers one where several cover the same text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Kind {
    Code,
    Expansion,
    Skipped,
    Gap,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Counted {
    pub(super) start: Position,
    pub(super) end: Position,
    pub(super) kind: Kind,
    pub(super) count: u64,
}

pub(super) fn build(mut regions: Vec<Counted>) -> Vec<Segment> {
    // What contains others comes before them.
    regions.sort_by_key(|r| (r.start, std::cmp::Reverse(r.end), r.kind));
    let regions = combine(&regions);
    let mut builder = Builder { segments: Vec::new(), active: Vec::new() };
    for (index, region) in regions.iter().enumerate() {
        builder.add(region, regions.get(index + 1));
    }
    if !builder.active.is_empty() {
        builder.complete(None, 0);
    }
    builder.segments
}

/// Regions of the same text are one; only those of the first one's kind count.
fn combine(regions: &[Counted]) -> Vec<Counted> {
    let mut combined: Vec<Counted> = Vec::new();
    for region in regions {
        match combined.last_mut() {
            Some(last) if (last.start, last.end) == (region.start, region.end) => {
                if last.kind == region.kind {
                    last.count = last.count.wrapping_add(region.count);
                }
            }
            _ => combined.push(*region),
        }
    }
    combined
}

struct Builder {
    segments: Vec<Segment>,
    /// Regions that have begun and not ended, the outermost first.
    active: Vec<Counted>,
}

impl Builder {
    fn add(&mut self, region: &Counted, next: Option<&Counted>) {
        let (ended, open): (Vec<Counted>, Vec<Counted>) = self.active.iter().partition(|a| a.end <= region.start);
        if !ended.is_empty() {
            let first = open.len();
            self.active = open;
            self.active.extend(ended);
            self.complete(Some(region.start), first);
        }
        let entry = region.kind != Kind::Gap;
        if region.start == region.end {
            // An empty region has the count of what is around it, and the last one of all has none.
            let skipped = next.is_none() || region.kind == Kind::Skipped;
            let around = self.active.last().copied();
            self.start(&around.unwrap_or(*region), region.start, entry, skipped);
            if let Some(around) = around.filter(|_| skipped) {
                self.start(&around, region.start, false, false);
            }
            return;
        }
        if next.is_none_or(|next| next.start != region.start) {
            self.start(region, region.start, entry, false);
        }
        self.active.push(*region);
    }

    fn start(&mut self, region: &Counted, at: Position, entry: bool, skipped: bool) {
        let counts = !skipped && region.kind != Kind::Skipped;
        let count = region.count.min(i64::MAX as u64);
        let repeats = |last: &Segment| last.3 == counts && last.2 == count && !last.4;
        if !entry && !skipped && self.segments.last().is_some_and(repeats) {
            return;
        }
        self.segments.push(match counts {
            true => (at.0, at.1, count, true, entry, region.kind == Kind::Gap),
            false => (at.0, at.1, 0, false, entry, false),
        });
    }

    /// Ends the active regions from number `first` on, all of which end before `until`.
    fn complete(&mut self, until: Option<Position>, first: usize) {
        self.active[first..].sort_by_key(|r| r.end);
        for index in first + 1..self.active.len() {
            let at = self.active[index - 1].end;
            if until == Some(at) {
                break;
            }
            let mut region = self.active[index];
            if at == region.end {
                continue;
            }
            // The last one that ends there counts.
            if let Some(last) = self.active[index + 1..].iter().rev().find(|r| r.end == region.end) {
                region = *last;
            }
            self.start(&region, at, false, false);
        }
        if let Some(last) = self.active.last().copied().filter(|last| until != Some(last.end)) {
            match first.checked_sub(1).map(|outer| self.active[outer]) {
                Some(outer) => self.start(&outer, last.end, false, false),
                None => self.start(&last, last.end, false, true),
            }
        }
        self.active.truncate(first);
    }
}
