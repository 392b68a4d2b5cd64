//! The arguments of an edge as a sequence of moves.

use super::op::Reg;

/// Orders moves that happen at once so that none overwrites what another still reads; `spare` breaks cycles.
pub(super) fn sequence(mut pending: Vec<(Reg, Reg)>, spare: Reg) -> Vec<(Reg, Reg)> {
    pending.retain(|(to, from)| to != from);
    let mut order = Vec::with_capacity(pending.len() + 1);
    while !pending.is_empty() {
        let free = pending.iter().position(|(to, _)| !pending.iter().any(|(_, from)| from == to));
        match free {
            Some(i) => order.push(pending.swap_remove(i)),
            None => {
                // Only cycles are left: park one source, which makes its register free.
                let parked = pending[0].1;
                order.push((spare, parked));
                for (_, from) in pending.iter_mut().filter(|(_, from)| *from == parked) {
                    *from = spare;
                }
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::sequence;

    fn check(moves: &[(u32, u32)]) {
        let before: Vec<u32> = (100..110).collect();
        let mut expected = before.clone();
        for &(to, from) in moves {
            expected[to as usize] = before[from as usize];
        }
        let mut after = before;
        for (to, from) in sequence(moves.to_vec(), 9) {
            after[to as usize] = after[from as usize];
        }
        assert_eq!(after[..9], expected[..9], "{moves:?}");
    }

    #[test]
    fn moves_happen_as_if_at_once() {
        check(&[(0, 1)]);
        check(&[(0, 1), (1, 0)]);
        check(&[(0, 1), (1, 2), (2, 0)]);
        check(&[(0, 1), (1, 0), (2, 0), (3, 1)]);
        check(&[(0, 1), (1, 0), (2, 3), (3, 2)]);
        check(&[(1, 0), (2, 1), (3, 2), (0, 0)]);
        check(&[(0, 5), (1, 5), (5, 1)]);
    }
}
