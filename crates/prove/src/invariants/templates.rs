//! Conditions worth trying at the head of a loop: what its variables were compared with, started from and moved by.

use covenant_constraints::sort::{Sort, mask, to_signed};
use covenant_constraints::{Op, TermId, Terms, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::forward::Forward;
use super::loops::Loop;
use super::shapes::{Shapes, conjuncts};
use super::slice::Slice;

/// How much is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Effort {
    /// Comparisons as the program makes them, starting values, steps.
    Small,
    /// Also pairs of variables that are never compared, and what follows from the value of a flag.
    Large,
}

pub(super) struct Templates<'a, 'f> {
    pub(super) slice: &'a Slice<'f>,
    pub(super) terms: &'a mut Terms,
    pub(super) shapes: &'a mut Shapes,
    pub(super) forward: &'a Forward,
    this: &'a Loop,
    found: Vec<TermId>,
    seen: FxHashSet<TermId>,
}

/// Candidates for the head of the loop.
pub(super) fn templates(
    slice: &Slice<'_>,
    terms: &mut Terms,
    shapes: &mut Shapes,
    forward: &Forward,
    this: &Loop,
    effort: Effort,
) -> Vec<TermId> {
    let mut made = Templates { slice, terms, shapes, forward, this, found: Vec::new(), seen: FxHashSet::default() };
    let vars = made.variables();
    let comparisons = made.comparisons();
    for &var in &vars {
        made.alone(var);
    }
    for &comparison in &comparisons {
        made.compared(comparison);
    }
    for (i, &x) in vars.iter().enumerate() {
        for &y in &vars[i + 1..] {
            made.in_step(x, y);
            if effort == Effort::Large {
                made.pair(x, y);
            }
        }
    }
    if effort == Effort::Large {
        made.flags(&vars, &comparisons);
    }
    made.found
}

impl Templates<'_, '_> {
    fn add(&mut self, condition: TermId) {
        if self.found.len() >= self.slice.tuning.templates_all {
            return;
        }
        for part in conjuncts(self.terms, condition) {
            if self.terms.as_bool(part).is_some() || !self.seen.insert(part) {
                continue;
            }
            let shape = self.shapes.of(self.terms, part);
            if shape.size <= self.slice.tuning.transport_size && self.slice.can_say(self.this.head, &shape) {
                self.found.push(part);
            }
        }
    }

    /// The variables live at the head, those that the loop changes first.
    fn variables(&self) -> Vec<VarId> {
        let live = self.slice.live(self.this.head);
        let scalar = |v: &VarId| matches!(self.terms.var_sort(*v), Sort::Bv(_) | Sort::Bool);
        let (mut vars, rest): (Vec<VarId>, Vec<VarId>) =
            live.iter().copied().filter(scalar).partition(|v| self.this.modified.contains(v));
        vars.extend(rest);
        vars.truncate(self.slice.tuning.templates_variables);
        vars
    }

    /// Comparisons in guards of the loop that can be said at its head.
    fn comparisons(&mut self) -> Vec<TermId> {
        let mut found = Vec::new();
        let mut seen = FxHashSet::default();
        for &location in self.slice.order.members(&self.this.component) {
            for &edge in &self.slice.flow.locations[location].out {
                for &guard in &self.slice.flow.edges[edge].guard {
                    if seen.insert(guard) && self.shapes.of(self.terms, guard).size <= self.slice.tuning.templates_guard
                    {
                        self.comparisons_in(guard, &mut found);
                    }
                }
            }
            if found.len() >= self.slice.tuning.templates_comparisons {
                break;
            }
        }
        found
    }

    fn comparisons_in(&mut self, guard: TermId, found: &mut Vec<TermId>) {
        // Only what decides the way: a comparison inside a value selects data.
        let mut pending = vec![guard];
        while let Some(t) = pending.pop() {
            let node = self.terms.node(t);
            if node.sort == Sort::Bool && node.args.iter().all(|a| self.terms.sort(a) == Sort::Bool) {
                pending.extend(node.args.iter());
                continue;
            }
            let compares = matches!(node.op, Op::Ult | Op::Ule | Op::Slt | Op::Sle)
                || (node.op == Op::Eq && matches!(self.terms.sort(node.args[0]), Sort::Bv(_)));
            let shape = self.shapes.of(self.terms, t);
            if compares
                && shape.size <= self.slice.tuning.templates_comparison
                && !shape.hard
                && self.slice.can_say(self.this.head, &shape)
                && !found.contains(&t)
            {
                found.push(t);
            }
        }
    }

    /// Starting value, direction and low bits of a variable that the loop changes.
    fn alone(&mut self, var: VarId) {
        let Sort::Bv(w) = self.terms.var_sort(var) else { return };
        if !self.this.modified.contains(&var) {
            return;
        }
        let x = self.terms.var_term(var);
        let zero = self.terms.bv(0, w);
        let nonnegative = self.terms.sle(zero, x);
        self.add(nonnegative);
        let steps = self.this.steps.get(&var).cloned().unwrap_or_default();
        for start in self.this.initial.get(&var).cloned().unwrap_or_default() {
            self.around(x, start);
            for &step in steps.iter().filter(|s| **s != 0) {
                self.remainders(x, start, step);
                // One step only: the count of something that happens at most once.
                let by = self.terms.bv(step, w);
                let next = self.terms.add(start, by);
                self.around(x, next);
            }
        }
    }

    fn around(&mut self, x: TermId, bound: TermId) {
        for condition in [
            self.terms.sle(bound, x),
            self.terms.sle(x, bound),
            self.terms.ule(bound, x),
            self.terms.ule(x, bound),
            self.terms.eq(x, bound),
        ] {
            self.add(condition);
        }
    }

    /// A variable that moves by multiples of a number keeps its remainder: of a power of two always, of others while it
    /// does not wrap.
    fn remainders(&mut self, x: TermId, start: TermId, step: u128) {
        let w = self.terms.width(x);
        let size = to_signed(step, w).unsigned_abs();
        let low = size.trailing_zeros() as u8;
        if low > 0 && low < w {
            let (now, then) = (self.terms.trunc(x, low), self.terms.trunc(start, low));
            let same = self.terms.eq(now, then);
            self.add(same);
        }
        if size > 2 && !size.is_power_of_two() && size <= self.slice.tuning.templates_remainder {
            let by = self.terms.bv(size, w);
            let (now, then) = (self.terms.urem(x, by), self.terms.urem(start, by));
            let same = self.terms.eq(now, then);
            self.add(same);
        }
    }

    /// The comparison, its neighbours, and each of them where it held at the start.
    fn compared(&mut self, comparison: TermId) {
        let node = *self.terms.node(comparison);
        let (a, b) = (node.args[0], node.args[1]);
        if self.terms.is_const(a) || self.terms.is_const(b) {
            // The forward analysis knows the constant as a bound; that it is avoided is all it cannot say.
            let avoided = self.terms.ne(a, b);
            self.add(avoided);
            return;
        }
        let start = self.start_map(comparison);
        for condition in self.neighbours(node.op, a, b) {
            self.add(condition);
            for map in &start {
                let then = self.terms.substitute(condition, map);
                let kept = self.terms.implies(then, condition);
                self.add(kept);
                for (&x, &value) in map {
                    if self.terms.is_const(value) {
                        let unmoved = self.terms.eq(x, value);
                        let either = self.terms.or(condition, unmoved);
                        self.add(either);
                    }
                }
            }
        }
    }

    fn neighbours(&mut self, op: Op, a: TermId, b: TermId) -> SmallVec<[TermId; 10]> {
        let t = &mut *self.terms;
        let mut all = SmallVec::new();
        if matches!(op, Op::Slt | Op::Sle | Op::Eq) {
            all.extend([t.sle(a, b), t.sle(b, a), t.slt(a, b), t.slt(b, a)]);
        }
        if matches!(op, Op::Ult | Op::Ule | Op::Eq) {
            all.extend([t.ule(a, b), t.ule(b, a), t.ult(a, b), t.ult(b, a)]);
        }
        all.extend([t.eq(a, b), t.ne(a, b)]);
        all
    }

    /// The variables of a condition as they are when the loop is entered, for each way to enter it.
    fn start_map(&mut self, condition: TermId) -> Vec<FxHashMap<TermId, TermId>> {
        let shape = self.shapes.of(self.terms, condition);
        let changed: Vec<VarId> = shape.vars.iter().copied().filter(|v| self.this.modified.contains(v)).collect();
        let mut maps = Vec::new();
        for way in 0..2 {
            let pairs: Option<FxHashMap<TermId, TermId>> = changed
                .iter()
                .map(|v| {
                    let all = self.this.initial.get(v)?;
                    Some((self.terms.var_term(*v), *all.get(way).or(all.first())?))
                })
                .collect();
            if let Some(map) = pairs.filter(|m| !m.is_empty() && !maps.contains(m)) {
                maps.push(map);
            }
        }
        maps
    }

    /// Two variables that move together: the distances from where they started stay in proportion.
    fn in_step(&mut self, x: VarId, y: VarId) {
        let (Some(dx), Some(dy)) = (self.only_step(x), self.only_step(y)) else { return };
        let (Sort::Bv(wx), Sort::Bv(wy)) = (self.terms.var_sort(x), self.terms.var_sort(y)) else { return };
        if wx > wy {
            return self.in_step(y, x);
        }
        let (dx, dy) = (to_signed(dx, wx), to_signed(dy, wy));
        let most = self.slice.tuning.templates_step;
        if dx.unsigned_abs() > most || dy.unsigned_abs() > most {
            return;
        }
        let common = gcd(dx.unsigned_abs(), dy.unsigned_abs()) as i128;
        let (by_x, by_y) = ((dy / common) as u128 & mask(wy), (dx / common) as u128 & mask(wy));
        let pairs: Vec<(TermId, TermId)> = self
            .this
            .initial
            .get(&x)
            .into_iter()
            .flatten()
            .flat_map(|a| self.this.initial.get(&y).into_iter().flatten().map(move |b| (*a, *b)))
            .collect();
        for (x0, y0) in pairs {
            let (tx, ty) = (self.terms.var_term(x), self.terms.var_term(y));
            for wide in [Op::SExt, Op::ZExt] {
                let (now, then) = (self.widened(tx, wy, wide), self.widened(x0, wy, wide));
                let (far_x, far_y) = (self.terms.sub(now, then), self.terms.sub(ty, y0));
                let (kx, ky) = (self.terms.bv(by_x, wy), self.terms.bv(by_y, wy));
                let (left, right) = (self.terms.mul(far_x, kx), self.terms.mul(far_y, ky));
                let same = self.terms.eq(left, right);
                self.add(same);
            }
        }
    }

    fn widened(&mut self, t: TermId, width: u8, how: Op) -> TermId {
        if how == Op::SExt { self.terms.sext(t, width) } else { self.terms.zext(t, width) }
    }

    /// The one amount by which a variable moves, if it moves at all.
    fn only_step(&self, var: VarId) -> Option<u128> {
        let mut moves = self.this.steps.get(&var)?.iter().copied().filter(|s| *s != 0);
        let first = moves.next()?;
        moves.next().is_none().then_some(first)
    }

    /// Orders between two variables of one width of which the loop changes at least one.
    fn pair(&mut self, x: VarId, y: VarId) {
        let changed = self.this.modified.contains(&x) || self.this.modified.contains(&y);
        let sort = self.terms.var_sort(x);
        if !changed || sort != self.terms.var_sort(y) {
            return;
        }
        let (a, b) = (self.terms.var_term(x), self.terms.var_term(y));
        if sort == Sort::Bool {
            for condition in [self.terms.eq(a, b), self.terms.implies(a, b), self.terms.implies(b, a)] {
                self.add(condition);
            }
            let not_both = self.terms.and(a, b);
            let not_both = self.terms.not(not_both);
            let either = self.terms.or(a, b);
            self.add(not_both);
            self.add(either);
            return;
        }
        let eq = self.terms.eq(a, b);
        self.compared_with_start(eq);
    }

    fn compared_with_start(&mut self, eq: TermId) {
        if self.terms.op(eq) == Op::Eq {
            let (a, b) = (self.terms.arg(eq, 0), self.terms.arg(eq, 1));
            let start = self.start_map(eq);
            for condition in self.neighbours(Op::Eq, a, b) {
                self.add(condition);
                for map in &start {
                    let then = self.terms.substitute(condition, map);
                    let kept = self.terms.implies(then, condition);
                    self.add(kept);
                }
            }
        }
    }

    /// What follows from the value of a variable that has only few.
    fn flags(&mut self, vars: &[VarId], comparisons: &[TermId]) {
        let before = self.found.len();
        let mut consequences: Vec<TermId> = Vec::new();
        for &var in vars {
            consequences.extend(self.values(var));
            for &start in self.this.initial.get(&var).into_iter().flatten() {
                let x = self.terms.var_term(var);
                consequences.push(self.terms.eq(x, start));
            }
        }
        for &comparison in comparisons {
            let node = *self.terms.node(comparison);
            consequences.extend(self.neighbours(node.op, node.args[0], node.args[1]));
        }
        let mut seen = FxHashSet::default();
        consequences.retain(|c| self.terms.as_bool(*c).is_none() && seen.insert(*c));
        for &flag in vars {
            if !self.this.modified.contains(&flag) {
                continue;
            }
            for value in self.values(flag) {
                for &consequence in &consequences {
                    if self.found.len() - before >= self.slice.tuning.templates_flagged {
                        return;
                    }
                    if !self.shapes.of(self.terms, consequence).mentions(flag) {
                        let kept = self.terms.implies(value, consequence);
                        self.add(kept);
                    }
                }
            }
        }
    }

    /// `x = c` for each value, if there are few.
    fn values(&mut self, var: VarId) -> Vec<TermId> {
        let x = self.terms.var_term(var);
        match self.terms.var_sort(var) {
            Sort::Bool => vec![x, self.terms.not(x)],
            Sort::Bv(w) => {
                let known = self.forward.known(self.this.head, var).and_then(|k| k.values.clone());
                let most = self.slice.tuning.templates_values;
                let values = known.filter(|v| (2..=most).contains(&v.len())).unwrap_or_default();
                values
                    .into_iter()
                    .map(|v| {
                        let c = self.terms.bv(v, w);
                        self.terms.eq(x, c)
                    })
                    .collect()
            }
            _ => Vec::new(),
        }
    }
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a.max(1) } else { gcd(b, a % b) }
}
