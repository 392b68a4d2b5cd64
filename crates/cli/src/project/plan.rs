//! One time budget for all functions: whose turn is next, and for how long.
//!
//! At first each function gets a little, those with the most branches before others; then those
//! that are still open get more of what is left, in rounds that grow, and those that decided
//! something come first. What is offered is time for the search alone. What goes into loading a
//! function, and into the native run of its tests at the end, is measured as it happens, and set
//! aside: what is covered must be confirmed before the time is over.

use std::time::{Duration, Instant};

/// A search that is shorter finds little beside what it costs to load the function.
const LEAST: Duration = Duration::from_secs(1); // not tuning: what a process takes to start
/// Less is not worth a process.
const NOTHING: Duration = Duration::from_millis(200); // not tuning: what a process takes to start
/// A search goes on from tests alone, so each must be offered much more than the last one.
const GROWTH: u32 = 3; // not tuning: what repeated work costs at most
/// The share of a function, of all that is left, which it is offered at once while many are open.
const AT_ONCE: u32 = 4; // not tuning: what is kept for those that need more
/// What is expected before it was measured.
const LOADING: Duration = Duration::from_millis(300); // not tuning: measured soon
const FINISHING: Duration = Duration::from_millis(500); // not tuning: measured soon

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum State {
    /// It is to be searched, if there is time for it.
    #[default]
    Waiting,
    Searching,
    /// It needs no more search, but its tests were not run natively yet.
    Searched,
    Finishing,
    Settled,
}

/// What is known of one function.
#[derive(Clone, Debug, Default)]
pub(super) struct Task {
    pub(super) state: State,
    /// Branches that may be open.
    pub(super) open: usize,
    /// How many calls deep it leads.
    pub(super) depth: usize,
    /// What it may be offered at most.
    pub(super) limit: Option<Duration>,
    /// Its results are there, and nothing has confirmed them natively.
    pub(super) unconfirmed: bool,
    /// More time may decide more.
    pub(super) more: bool,
    /// The longest search since one that decided something.
    pub(super) in_vain: Duration,
    /// How often it was searched.
    pub(super) rounds: u32,
    /// The longest search.
    last: Duration,
    gained: bool,
    /// Its search ended by itself, and something is open.
    stalled: bool,
    /// Its tests are run natively only to see what that takes.
    is_trial: bool,
}

impl Task {
    /// One that is searched for the first time, or goes on where an earlier run ended: there, so
    /// much was in vain.
    pub(super) fn new((open, depth): (usize, usize), limit: Option<Duration>, goes_on: Option<Duration>) -> Task {
        let rounds = u32::from(goes_on.is_some());
        let before = goes_on.unwrap_or_default();
        Task { open, depth, limit, in_vain: before, last: before, rounds, ..Task::default() }
    }
}

/// Whether more search may decide more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum More {
    No,
    /// The search was cut.
    Time,
    /// It ended by itself; with other tests to start from, it may come further.
    Stalled,
}

/// What came of one search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) more: More,
    /// It decided more than was decided before.
    pub(super) gained: bool,
    /// Its tests have to be run natively.
    pub(super) unconfirmed: bool,
    /// Objectives that are open.
    pub(super) open: usize,
    /// What it took beside the search.
    pub(super) loading: Option<Duration>,
}

/// What one function may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Offer {
    pub(super) index: usize,
    /// For its search; zero: as long as it likes.
    pub(super) time: Duration,
    /// When it has to be over in any case, from now.
    pub(super) within: Option<Duration>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    Search(Offer),
    /// The results of this one are final: its tests are run natively.
    Finish(usize),
    /// What others do may make more to do.
    Wait,
    Over,
}

/// The mean of what was measured, and of what was expected before.
struct Mean {
    sum: Duration,
    count: u32,
}

impl Mean {
    const fn expected(first: Duration) -> Mean {
        Mean { sum: first, count: 1 }
    }

    fn add(&mut self, took: Duration) {
        // The expectation counts until there is something better.
        let before = if self.count == 1 { Duration::ZERO } else { self.sum };
        (self.sum, self.count) = (before + took, if self.count == 1 { 2 } else { self.count + 1 });
    }

    fn is_measured(&self) -> bool {
        self.count > 1
    }

    fn get(&self) -> Duration {
        self.sum / self.count.saturating_sub(1).max(1)
    }
}

pub(super) struct Plan {
    pub(super) tasks: Vec<Task>,
    /// Never, if there is none.
    end: Option<Instant>,
    workers: u32,
    loading: Mean,
    finishing: Mean,
}

impl Plan {
    pub(super) fn new(tasks: Vec<Task>, end: Option<Instant>, workers: usize) -> Plan {
        let (loading, finishing) = (Mean::expected(LOADING), Mean::expected(FINISHING));
        let mut plan = Plan { tasks, end, workers: 1, loading, finishing };
        plan.set_workers(workers);
        plan
    }

    pub(super) fn set_workers(&mut self, workers: usize) {
        self.workers = u32::try_from(workers).unwrap_or(u32::MAX).max(1);
    }

    /// What a worker does that has nothing to do now.
    pub(super) fn next(&mut self, now: Instant) -> Step {
        if let Some(index) = self.tasks.iter().position(|task| task.state == State::Searched) {
            self.tasks[index].state = State::Finishing;
            return Step::Finish(index);
        }
        if let Some(index) = self.trial() {
            (self.tasks[index].state, self.tasks[index].is_trial) = (State::Finishing, true);
            return Step::Finish(index);
        }
        if let Some(offer) = self.offer(now) {
            self.tasks[offer.index].state = State::Searching;
            return Step::Search(offer);
        }
        // There is no time for any of those that wait, and it does not become more.
        self.stop();
        if self.tasks.iter().any(|task| task.state == State::Searched) {
            return self.next(now);
        }
        let busy = |task: &Task| matches!(task.state, State::Searching | State::Finishing);
        if self.tasks.iter().any(busy) { Step::Wait } else { Step::Over }
    }

    /// One that is finished before its time while it is not known what that takes.
    fn trial(&self) -> Option<usize> {
        let is_known = self.finishing.is_measured() || self.tasks.iter().any(|task| task.state == State::Finishing);
        let fits = |task: &Task| task.state == State::Waiting && task.unconfirmed;
        if is_known { None } else { self.tasks.iter().position(fits) }
    }

    /// Nothing more is searched for.
    pub(super) fn stop(&mut self) {
        for task in self.tasks.iter_mut().filter(|task| task.state == State::Waiting) {
            task.state = if task.unconfirmed { State::Searched } else { State::Settled };
        }
    }

    fn offer(&self, now: Instant) -> Option<Offer> {
        let left = self.end.map(|end| end.saturating_duration_since(now));
        let is_waiting = |task: &Task| task.state == State::Waiting && self.has_room(task, left);
        let waiting = self.tasks.iter().enumerate().filter(|(_, task)| is_waiting(task));
        let order = |(index, task): &(usize, &Task)| {
            (
                task.rounds,
                task.rounds > 0 && !task.gained,
                task.stalled,
                std::cmp::Reverse(task.open),
                task.depth,
                *index,
            )
        };
        let (index, task) = waiting.min_by_key(order)?;
        let Some(left) = left else {
            return Some(Offer { index, time: task.limit.unwrap_or_default(), within: None });
        };
        let pending = self.pending(task);
        let within = self.within(task, left)?;
        let room = within.checked_sub(self.loading.get())?;
        let open = self.tasks.iter().filter(|task| matches!(task.state, State::Waiting | State::Searching)).count();
        let open = u32::try_from(open).unwrap_or(u32::MAX).max(1);
        let time = if open <= self.workers {
            room
        } else {
            let set_aside = self.finishing.get().saturating_mul(pending.max(open));
            let all = left.saturating_mul(self.workers).saturating_sub(set_aside);
            self.slice(task, (all / open).saturating_sub(self.loading.get())).min(room)
        };
        Some(Offer { index, time: task.limit.map_or(time, |limit| time.min(limit)), within: Some(within) })
    }

    /// How many functions have tests to be run natively, this one included.
    fn pending(&self, task: &Task) -> u32 {
        let pending = self.tasks.iter().filter(|task| task.unconfirmed || task.state == State::Searching).count();
        u32::try_from(pending).unwrap_or(u32::MAX).saturating_add(u32::from(!task.unconfirmed))
    }

    /// When a search has to be over, so that there is time for what follows the last one.
    fn within(&self, task: &Task, left: Duration) -> Option<Duration> {
        left.checked_sub(self.finishing.get().saturating_mul(self.pending(task).div_ceil(self.workers)))
    }

    /// Whether a search of a function would be one.
    fn has_room(&self, task: &Task, left: Option<Duration>) -> bool {
        let Some(left) = left else { return true };
        let room = self.within(task, left).and_then(|within| within.checked_sub(self.loading.get()));
        // What was in vain for long is so again for a little.
        let least = if task.gained { NOTHING } else { NOTHING.max(task.last / AT_ONCE) };
        room.is_some_and(|room| room >= least)
    }

    /// What a function is offered, whose share of all that is left is this.
    fn slice(&self, task: &Task, share: Duration) -> Duration {
        let least = LEAST.max(self.loading.get());
        let grown = if task.gained { task.last.saturating_mul(2) } else { task.last.saturating_mul(GROWTH) };
        let wanted = (share / AT_ONCE).max(grown).max(least);
        // What would be kept for later is of no use if it is not more than this.
        let is_last = !task.last.is_zero() && share < wanted.saturating_mul(5) / 2;
        if is_last { share.max(wanted) } else { wanted }
    }

    /// What came of the search that was offered so much.
    pub(super) fn searched(&mut self, index: usize, offered: Duration, found: Found) {
        if let Some(loading) = found.loading {
            self.loading.add(loading);
        }
        let ends = self.end.is_some();
        let task = &mut self.tasks[index];
        task.in_vain = if found.gained { Duration::ZERO } else { task.in_vain.max(offered) };
        task.last = task.last.max(offered);
        (task.gained, task.unconfirmed, task.open) = (found.gained, found.unconfirmed, found.open);
        task.rounds += 1;
        let again = std::mem::replace(&mut task.stalled, found.more == More::Stalled);
        task.more = match found.more {
            More::No => false,
            More::Time => true,
            More::Stalled => ends && (!again || found.gained),
        };
        let has_had_all = task.limit.is_some_and(|limit| offered >= limit);
        task.state = match () {
            () if task.more && ends && !has_had_all => State::Waiting,
            () if task.unconfirmed => State::Searched,
            () => State::Settled,
        };
    }

    /// Results that others have made.
    pub(super) fn known(&mut self, index: usize) {
        let task = &mut self.tasks[index];
        (task.state, task.more, task.unconfirmed) = (State::Settled, false, false);
    }

    /// A search that came to nothing; what was there before stays.
    pub(super) fn failed(&mut self, index: usize, offered: Duration) {
        let task = &mut self.tasks[index];
        task.rounds += 1;
        task.in_vain = task.in_vain.max(offered);
        task.state = if task.unconfirmed { State::Searched } else { State::Settled };
    }

    /// Its tests were run natively.
    pub(super) fn finished(&mut self, index: usize, took: Duration) {
        self.finishing.add(took);
        let task = &mut self.tasks[index];
        let is_trial = std::mem::take(&mut task.is_trial);
        (task.unconfirmed, task.state) = (false, if is_trial { State::Waiting } else { State::Settled });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn seconds(count: u64) -> Duration {
        Duration::from_secs(count)
    }

    fn plan(sizes: &[usize], total: Duration, workers: usize) -> (Plan, Instant) {
        let started = Instant::now();
        let tasks = sizes.iter().map(|&open| Task::new((open, 0), None, None)).collect();
        (Plan::new(tasks, started.checked_add(total).filter(|_| !total.is_zero()), workers), started)
    }

    fn found(more: More, gained: bool) -> Found {
        Found { more, gained, unconfirmed: true, open: 2, loading: Some(LOADING) }
    }

    fn search(step: Step) -> Offer {
        match step {
            Step::Search(offer) => offer,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn first_a_little_then_more() {
        let (mut plan, started) = plan(&[1, 9, 3], seconds(61), 1);
        // The largest first, each a fourth of its share.
        let first = search(plan.next(started));
        assert_eq!(first.index, 1);
        assert!(first.time > seconds(4) && first.time < seconds(6), "{first:?}");
        plan.searched(1, first.time, found(More::Time, true));
        assert_eq!(plan.next(started + first.time), Step::Finish(1), "what that takes is not known yet");
        plan.finished(1, FINISHING);
        let second = search(plan.next(started + first.time));
        assert_eq!(second.index, 2);
        plan.searched(2, second.time, found(More::No, true));
        assert_eq!(plan.next(started + first.time), Step::Finish(2), "what is decided is confirmed at once");
        plan.finished(2, FINISHING);
        assert_eq!(search(plan.next(started + seconds(10))).index, 0);
        plan.searched(0, seconds(1), found(More::No, true));
        assert_eq!(plan.next(started + seconds(10)), Step::Finish(0));
        plan.finished(0, FINISHING);
        // One is left, and gets all but what its tests need natively.
        let last = search(plan.next(started + seconds(11)));
        assert!(last.index == 1 && last.time > seconds(48) && last.time < seconds(50), "{last:?}");
        assert_eq!(last.within, Some(seconds(50) - FINISHING));
        plan.searched(1, last.time, found(More::Time, false));
        assert_eq!(plan.next(started + seconds(60)), Step::Finish(1));
        assert_eq!(plan.next(started + seconds(60)), Step::Wait);
        plan.finished(1, FINISHING);
        assert_eq!(plan.next(started + seconds(61)), Step::Over);
        assert!(plan.tasks[1].more && plan.tasks[1].in_vain == last.time && !plan.tasks[2].more);
    }

    #[test]
    fn who_gained_goes_on_before_who_did_not() {
        let (mut plan, started) = plan(&[4, 3, 2, 1], seconds(100), 1);
        plan.finishing.add(FINISHING);
        for (index, gained) in [(0, false), (1, true), (2, false), (3, true)] {
            let offer = search(plan.next(started));
            assert_eq!(offer.index, index);
            plan.searched(index, offer.time, found(if index == 2 { More::Stalled } else { More::Time }, gained));
        }
        let mut order = Vec::new();
        for _ in 0..4 {
            let offer = search(plan.next(started + seconds(10)));
            order.push(offer.index);
            plan.searched(offer.index, offer.time, found(More::Stalled, false));
        }
        assert_eq!(order, [1, 3, 0, 2], "and what ended by itself comes last");
        // Twice in vain by itself is enough.
        assert!(!plan.tasks[2].more && plan.tasks[1].more);
    }

    #[test]
    fn without_an_end_there_is_one_round() {
        let (mut plan, started) = plan(&[2, 1], Duration::ZERO, 2);
        for index in 0..2 {
            assert_eq!(plan.next(started), Step::Search(Offer { index, time: Duration::ZERO, within: None }));
        }
        assert_eq!(plan.next(started), Step::Wait);
        for index in 0..2 {
            plan.searched(index, Duration::ZERO, Found { unconfirmed: false, ..found(More::Stalled, true) });
        }
        assert_eq!(plan.next(started), Step::Over);
    }

    #[test]
    fn where_there_is_no_time_nothing_begins() {
        let (mut plan, started) = plan(&[2, 1], seconds(1), 2);
        assert_eq!(plan.next(started + Duration::from_millis(900)), Step::Over);
        assert!(plan.tasks.iter().all(|task| task.rounds == 0));
    }

    #[test]
    fn what_goes_on_comes_after_what_is_new_and_gets_more_than_before() {
        let (mut plan, started) = plan(&[1, 1, 1], seconds(60), 1);
        plan.tasks[0] = Task::new((5, 0), None, Some(seconds(4)));
        assert_eq!(search(plan.next(started)).index, 1);
        assert_eq!(search(plan.next(started)).index, 2);
        let offer = search(plan.next(started));
        assert!(offer.index == 0 && offer.time >= seconds(12), "{offer:?}");
    }

    #[test]
    fn a_limit_of_its_own_is_kept() {
        let (mut plan, started) = plan(&[1], seconds(60), 1);
        plan.tasks[0].limit = Some(seconds(3));
        let offer = search(plan.next(started));
        assert_eq!(offer.time, seconds(3));
        plan.searched(0, offer.time, found(More::Time, true));
        assert_eq!(plan.next(started + seconds(4)), Step::Finish(0));
    }
}
