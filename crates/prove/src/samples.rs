//! States that runs were seen in at the heads of loops, and the equations that all of them fulfil.
//!
//! What holds in every state that was seen may hold in all: provers try it. The idea of guessing equations from data is
//! that of Sharma and others (A Data Driven Approach for Algebraic Loop Invariants); nothing here is believed.

use std::collections::BTreeSet;

use covenant_constraints::tuning::Tuning;
use covenant_constraints::{Model, Sort, TermId, Terms, Value, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use covenant_transition::flow::{Flow, LocationId, live_variables};
use covenant_transition::lemma_check::before;
use covenant_transition::trace::Places;

/// The heads of loops, each with the variables that may still be read there.
pub fn places(flow: &Flow, terms: &Terms) -> Places {
    let heads = heads(flow);
    if heads.is_empty() {
        return Places::default();
    }
    let all: BTreeSet<LocationId> = flow.locations.keys().collect();
    let live = live_variables(flow, terms, &all);
    let scalar = |var: &VarId| matches!(terms.var_sort(*var), Sort::Bv(_) | Sort::Bool);
    heads.into_iter().map(|head| (head, live[head].iter().copied().filter(scalar).collect())).collect()
}

/// Where edges lead back to.
fn heads(flow: &Flow) -> Vec<LocationId> {
    let mut heads = BTreeSet::new();
    let mut done: FxHashSet<LocationId> = FxHashSet::default();
    let mut on_path: FxHashSet<LocationId> = FxHashSet::default();
    let mut stack = vec![(flow.root, 0usize)];
    on_path.insert(flow.root);
    while let Some((at, next)) = stack.pop() {
        match flow.locations[at].out.get(next) {
            None => {
                on_path.remove(&at);
                done.insert(at);
            }
            Some(&edge) => {
                stack.push((at, next + 1));
                let to = flow.edges[edge].to;
                if on_path.contains(&to) {
                    heads.insert(to);
                } else if !done.contains(&to) {
                    on_path.insert(to);
                    stack.push((to, 0));
                }
            }
        }
    }
    heads.into_iter().collect()
}

/// A state as a model; what could not be told is not in it.
pub fn model(terms: &Terms, values: &[(VarId, u128)]) -> Model {
    let mut model = Model::new();
    for &(var, bits) in values {
        if let Some(value) = Value::from_bits(terms.var_sort(var), bits) {
            model.set(var, value);
        }
    }
    model
}

/// Linear equations between variables that hold in all these states.
pub fn equations(terms: &mut Terms, vars: &[VarId], states: &[Model], tuning: &Tuning) -> Vec<TermId> {
    let mut widths: Vec<u8> = vars.iter().filter_map(|&var| width(terms, var)).filter(|&w| w > 1).collect();
    widths.sort_unstable();
    widths.dedup();
    let mut found = Vec::new();
    for &w in &widths {
        let group: Vec<VarId> = vars.iter().copied().filter(|&var| width(terms, var) == Some(w)).collect();
        found.extend(group_equations(terms, &group, states, (w, false), tuning));
    }
    if let (true, Some(&widest)) = (widths.len() > 1, widths.last()) {
        let group: Vec<VarId> = vars.iter().copied().filter(|&var| width(terms, var).is_some_and(|w| w > 1)).collect();
        for unsigned in [false, true] {
            found.extend(group_equations(terms, &group, states, (widest, unsigned), tuning));
        }
    }
    let mut seen = FxHashSet::default();
    found.retain(|&equation| terms.as_bool(equation).is_none() && seen.insert(equation));
    found
}

/// What has to hold before a loop for its equations to hold in it, as far back as the loop before.
pub fn carry_back(flow: &Flow, terms: &mut Terms, seeds: &mut FxHashMap<LocationId, Vec<TermId>>, tuning: &Tuning) {
    let heads: BTreeSet<LocationId> = seeds.keys().copied().collect();
    let mut work: Vec<(LocationId, TermId, u32)> = Vec::new();
    for &head in &heads {
        work.extend(seeds[&head].iter().map(|&seed| (head, seed, 0)));
    }
    while let Some((at, seed, steps)) = work.pop() {
        for &edge in &flow.locations[at].into {
            let from = flow.edges[edge].from;
            let earlier = before(flow, terms, edge, seed);
            let vars = terms.variables(&[earlier]);
            let told = !vars.is_empty() && vars.into_iter().all(|var| flow.is_state(var));
            let here = seeds.entry(from).or_default();
            if told && here.len() < tuning.samples_seeds && !here.contains(&earlier) && !heads.contains(&from) {
                here.push(earlier);
                if steps < tuning.samples_steps {
                    work.push((from, earlier, steps + 1));
                }
            }
        }
    }
}

fn width(terms: &Terms, var: VarId) -> Option<u8> {
    match terms.var_sort(var) {
        Sort::Bv(w) if w <= 64 => Some(w),
        _ => None,
    }
}

fn group_equations(
    terms: &mut Terms,
    vars: &[VarId],
    states: &[Model],
    (width, unsigned): (u8, bool),
    tuning: &Tuning,
) -> Vec<TermId> {
    let number = |var: VarId, model: &Model| {
        let bits = model.get(var)?.bits()?;
        let Sort::Bv(w) = terms.var_sort(var) else { return None };
        let value = if unsigned { bits as i128 } else { covenant_constraints::sort::to_signed(bits, w) };
        (value.abs() <= tuning.samples_largest).then_some(value)
    };
    // A variable that mostly is an extreme number would take all states away from the others.
    let counts = |&var: &VarId| 2 * states.iter().filter(|m| number(var, m).is_some()).count() > states.len();
    let mut vars: Vec<VarId> = vars.iter().copied().filter(counts).collect();
    vars.truncate(tuning.samples_variables);
    let row = |model: &Model| -> Option<Vec<i128>> {
        let mut row: Vec<i128> = vars.iter().map(|&var| number(var, model)).collect::<Option<_>>()?;
        row.push(1);
        Some(row)
    };
    let mut rows: Vec<Vec<i128>> = states.iter().take(tuning.samples_states).filter_map(row).collect();
    rows.sort_unstable();
    rows.dedup();
    if vars.is_empty() || rows.len() < 3 {
        return Vec::new();
    }
    let solutions = kernel(rows, vars.len() + 1, tuning.samples_coefficient);
    solutions.into_iter().map(|solution| equation(terms, &vars, &solution, width, unsigned)).collect()
}

/// Σ positive parts = Σ negative parts.
fn equation(terms: &mut Terms, vars: &[VarId], solution: &[i128], width: u8, unsigned: bool) -> TermId {
    let mut sides = [terms.bv(0, width), terms.bv(0, width)];
    for (i, &factor) in solution.iter().enumerate().filter(|(_, factor)| **factor != 0) {
        let constant = terms.bv(factor.unsigned_abs(), width);
        let part = match vars.get(i) {
            None => constant,
            Some(&var) => {
                let x = terms.var_term(var);
                let x = if unsigned { terms.zext(x, width) } else { terms.sext(x, width) };
                terms.mul(x, constant)
            }
        };
        let side = &mut sides[usize::from(factor < 0)];
        *side = terms.add(*side, part);
    }
    terms.eq(sides[0], sides[1])
}

/// Whole numbers, as small as may be, whose products with each row add up to nothing: a basis.
fn kernel(mut rows: Vec<Vec<i128>>, columns: usize, largest: i128) -> Vec<Vec<i128>> {
    let mut pivots: Vec<usize> = Vec::new();
    let mut rank = 0;
    // The constant is the last that is expressed by the others.
    for column in 0..columns {
        let Some(found) = (rank..rows.len()).find(|&r| rows[r][column] != 0) else { continue };
        rows.swap(rank, found);
        let pivot = rows[rank].clone();
        for (r, row) in rows.iter_mut().enumerate() {
            if r != rank && row[column] != 0 && !eliminate(row, &pivot, column) {
                return Vec::new();
            }
        }
        pivots.push(column);
        rank += 1;
    }
    let free = (0..columns).filter(|column| !pivots.contains(column));
    free.filter_map(|column| {
        // Scale so that every pivot's entry is whole.
        let scale = pivots.iter().enumerate().try_fold(1i128, |scale, (r, &p)| {
            let (a, b) = (rows[r][p], rows[r][column]);
            let part = a / gcd(a, b);
            (scale / gcd(scale, part)).checked_mul(part)
        })?;
        let mut solution = vec![0i128; columns];
        solution[column] = scale;
        for (r, &p) in pivots.iter().enumerate() {
            solution[p] = -rows[r][column].checked_mul(scale)? / rows[r][p];
        }
        let common = solution.iter().fold(0, |g, &x| gcd(g, x)).max(1);
        solution.iter_mut().for_each(|x| *x /= common);
        solution.iter().all(|x| x.abs() <= largest).then_some(solution)
    })
    .collect()
}

/// Clears a column of the row; `false` if numbers grow too large.
fn eliminate(row: &mut [i128], pivot: &[i128], column: usize) -> bool {
    let common = gcd(row[column], pivot[column]);
    let (a, b) = (pivot[column] / common, row[column] / common);
    for (x, &p) in row.iter_mut().zip(pivot) {
        let Some(value) = x.checked_mul(a).zip(p.checked_mul(b)).and_then(|(x, p)| x.checked_sub(p)) else {
            return false;
        };
        *x = value;
    }
    let common = row.iter().fold(0, |g, &x| gcd(g, x)).max(1);
    row.iter_mut().for_each(|x| *x /= common);
    true
}

fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    (a as i128).max(1)
}

#[cfg(test)]
mod tests {
    use covenant_constraints::Evaluator;

    use super::*;

    fn state(terms: &Terms, vars: &[VarId], values: &[i128]) -> Model {
        let pairs: Vec<(VarId, u128)> = vars.iter().zip(values).map(|(&v, &x)| (v, x as u128 & 0xffff_ffff)).collect();
        model(terms, &pairs)
    }

    #[test]
    fn equations_are_found_and_nothing_else() {
        let mut terms = Terms::new();
        let vars: Vec<VarId> = ["x", "i", "n"].iter().map(|name| terms.var(*name, Sort::Bv(32))).collect();
        // x + i = n.
        let states: Vec<Model> = [[0, 5, 5], [1, 4, 5], [3, 0, 3], [2, 9, 11], [-1, 3, 2]]
            .iter()
            .map(|values| state(&terms, &vars, values))
            .collect();
        let found = equations(&mut terms, &vars, &states, &Tuning::default());
        assert_eq!(found.len(), 1);
        for values in [[7, 8, 15], [-4, 1, -3]] {
            assert!(Evaluator::new(&terms, &state(&terms, &vars, &values)).eval(found[0]).is_true());
        }
        assert!(!Evaluator::new(&terms, &state(&terms, &vars, &[7, 8, 14])).eval(found[0]).is_true());
    }

    #[test]
    fn coefficients_are_whole() {
        // 2x = 3y + 1.
        let rows = vec![vec![2, 1, 1], vec![5, 3, 1], vec![8, 5, 1]];
        assert_eq!(kernel(rows, 3, 100), vec![vec![-2, 3, 1]]);
    }

    #[test]
    fn no_equation_where_everything_moves() {
        let rows = vec![vec![0, 1, 1], vec![4, 3, 1], vec![8, 1, 1]];
        assert!(kernel(rows, 3, 100).is_empty());
    }
}
