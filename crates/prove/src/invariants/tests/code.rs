//! Programs written statement by statement.

use super::*;

/// A program in the making: statements are added at the end of what there is.
pub(super) struct Code {
    pub(super) w: World,
    at: LocationId,
    targets: Vec<LocationId>,
}

impl std::ops::Deref for Code {
    type Target = World;
    fn deref(&self) -> &World {
        &self.w
    }
}

impl std::ops::DerefMut for Code {
    fn deref_mut(&mut self) -> &mut World {
        &mut self.w
    }
}

impl Code {
    pub(super) fn new() -> Code {
        let w = World::new();
        let at = w.flow.root;
        Code { w, at, targets: Vec::new() }
    }

    pub(super) fn int(&mut self, name: &str) -> TermId {
        self.w.var(name, 32)
    }

    pub(super) fn ints<const N: usize>(&mut self, names: [&str; N]) -> [TermId; N] {
        names.map(|name| self.int(name))
    }

    pub(super) fn step(&mut self, guard: &[TermId], assign: &[(TermId, TermId)]) {
        let next = self.w.loc();
        let at = self.at;
        self.w.edge(at, next, guard, assign);
        self.at = next;
    }

    pub(super) fn set(&mut self, x: TermId, value: TermId) {
        self.step(&[], &[(x, value)]);
    }

    pub(super) fn set_num(&mut self, x: TermId, value: i64) {
        let value = self.w.num(value, 32);
        self.set(x, value);
    }

    pub(super) fn add(&mut self, x: TermId, by: i64) {
        let next = self.w.plus(x, by);
        self.set(x, next);
    }

    pub(super) fn any(&mut self, x: TermId) {
        let choice = self.w.choice(32);
        self.set(x, choice);
    }

    /// A condition that nobody knows.
    pub(super) fn maybe(&mut self) -> TermId {
        let choice = self.w.choice(1);
        self.w.t.bv_to_bool(choice)
    }

    pub(super) fn assume(&mut self, condition: TermId) {
        self.step(&[condition], &[]);
    }

    pub(super) fn if_else(&mut self, condition: TermId, then: impl FnOnce(&mut Code), other: impl FnOnce(&mut Code)) {
        let (yes, no) = self.w.fork(condition);
        let start = self.at;
        self.step(&[yes], &[]);
        then(self);
        let end = self.at;
        self.at = start;
        self.step(&[no], &[]);
        other(self);
        self.step(&[], &[]);
        let join = self.at;
        self.w.edge(end, join, &[], &[]);
    }

    pub(super) fn if_then(&mut self, condition: TermId, then: impl FnOnce(&mut Code)) {
        self.if_else(condition, then, |_| {});
    }

    pub(super) fn while_do(&mut self, condition: TermId, body: impl FnOnce(&mut Code)) {
        self.step(&[], &[]);
        let head = self.at;
        let (yes, no) = self.w.fork(condition);
        self.step(&[yes], &[]);
        body(self);
        let end = self.at;
        self.w.edge(end, head, &[], &[]);
        self.at = head;
        self.step(&[no], &[]);
    }

    /// A branch that is to be infeasible.
    pub(super) fn never(&mut self, condition: TermId) {
        let mut place = None;
        self.if_then(condition, |c| place = Some(c.at));
        self.targets.extend(place);
    }

    pub(super) fn slt(&mut self, a: TermId, b: TermId) -> TermId {
        self.w.t.slt(a, b)
    }

    pub(super) fn sle(&mut self, a: TermId, b: TermId) -> TermId {
        self.w.t.sle(a, b)
    }

    pub(super) fn ge(&mut self, x: TermId, c: i64) -> TermId {
        let c = self.w.num(c, 32);
        self.w.t.sle(c, x)
    }

    pub(super) fn check(mut self) {
        let targets = self.targets.clone();
        self.w.assert_proved(&targets);
    }
}
