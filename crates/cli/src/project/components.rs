//! The strongly connected components of a graph, so that what each node leads to is put together
//! once.

/// The number of the component of each node, and how many there are. Each component has a larger
/// number than those that it leads to (Tarjan). The stack is one of its own, since paths are as
/// long as the code.
pub(super) fn components(next: &[Vec<u32>]) -> (Vec<u32>, usize) {
    const NEW: u32 = u32::MAX; // not tuning: a number that no node has
    let (mut number, mut low) = (vec![NEW; next.len()], vec![0; next.len()]);
    let mut component = vec![NEW; next.len()];
    let (mut stack, mut met, mut found) = (Vec::new(), 0, 0);
    for root in 0..next.len() {
        let mut calls = if number[root] == NEW { vec![(root, 0)] } else { Vec::new() };
        while let Some((node, at)) = calls.pop() {
            if at == 0 {
                (number[node], low[node]) = (met, met);
                met += 1;
                stack.push(node);
            }
            if let Some(&to) = next[node].get(at) {
                let to = to as usize;
                calls.push((node, at + 1));
                if number[to] == NEW {
                    calls.push((to, 0));
                } else if component[to] == NEW {
                    low[node] = low[node].min(number[to]);
                }
                continue;
            }
            if low[node] == number[node] {
                while let Some(member) = stack.pop() {
                    component[member] = found;
                    if member == node {
                        break;
                    }
                }
                found += 1;
            }
            if let Some((caller, _)) = calls.last() {
                low[*caller] = low[*caller].min(low[node]);
            }
        }
    }
    (component, found as usize)
}

/// The nodes of each component.
pub(super) fn members(component: &[u32], count: usize) -> Vec<Vec<u32>> {
    let mut members = vec![Vec::new(); count];
    for (node, &number) in (0..).zip(component) {
        members[number as usize].push(node);
    }
    members
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_leads_to_itself_is_one_and_what_it_leads_to_comes_before() {
        // 0 -> 1 <-> 2 -> 3, 4 by itself, and 3 leads to itself.
        let next = [vec![1], vec![2], vec![1, 3], vec![3], vec![]];
        let (component, count) = components(&next);
        assert_eq!((count, component[1]), (4, component[2]));
        assert!(component[3] < component[1] && component[1] < component[0]);
        assert_eq!(members(&component, count)[component[1] as usize], [1, 2]);
        // As deep as a file is long.
        let long: Vec<Vec<u32>> = (0..200_000).map(|n| if n < 199_999 { vec![n + 1] } else { vec![0] }).collect();
        assert_eq!(components(&long).1, 1);
    }
}
