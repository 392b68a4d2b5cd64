//! Where the nodes of a picture go: in layers by their distance from the start, ordered by barycentres.
//!
//! Layers first, as Sugiyama's method has them; a step goes down by at most one layer, because distances are shortest
//! ones, so edges need no places of their own. Within a layer nodes are as near to their neighbours as their order and
//! the gaps allow: a regression with a monotone solution, by pooling neighbours that are in each other's way.

use std::collections::BTreeMap;

use covenant_goals::ModelStep;

use super::label;

pub(super) const LINE_HEIGHT: f64 = 15.0;
/// Between layers: room for the guards.
pub(super) const LAYER_GAP: f64 = 62.0;
const NODE_GAP: f64 = 34.0;
const LETTER: f64 = 7.0;
const SWEEPS: usize = 8;

#[derive(Clone, Debug, Default)]
pub(super) struct NodeBox {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) layer: usize,
    pub(super) lines: Vec<String>,
}

impl NodeBox {
    pub(super) fn centre(&self) -> f64 {
        self.left + self.width / 2.0
    }

    pub(super) fn right(&self) -> f64 {
        self.left + self.width
    }

    pub(super) fn bottom(&self) -> f64 {
        self.top + self.height
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Layout {
    /// One for each node of the step, in its order.
    pub(super) boxes: Vec<NodeBox>,
    /// Top and bottom of each layer.
    pub(super) layers: Vec<(f64, f64)>,
    /// Edges as indices of nodes, in the order of the step; those to nodes that are not there are `None`.
    pub(super) edges: Vec<Option<(usize, usize)>>,
}

pub(super) fn place(step: &ModelStep) -> Layout {
    let index: BTreeMap<u32, usize> = step.nodes.iter().enumerate().map(|(i, node)| (node.id, i)).collect();
    let ends = |edge: &covenant_goals::PictureEdge| Some((*index.get(&edge.from)?, *index.get(&edge.to)?));
    let edges: Vec<Option<(usize, usize)>> = step.edges.iter().map(ends).collect();
    let mut boxes: Vec<NodeBox> = step.nodes.iter().map(measure).collect();
    let mut rows: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (i, node) in step.nodes.iter().enumerate() {
        rows.entry(node.distance).or_default().push(i);
    }
    let mut rows: Vec<Vec<usize>> = rows.into_values().collect();
    for (layer, row) in rows.iter().enumerate() {
        row.iter().for_each(|&i| boxes[i].layer = layer);
    }
    let near = neighbours(&boxes, &edges);
    order(&mut rows, &near);
    let layers = stack(&rows, &mut boxes);
    spread(&rows, &near, &mut boxes);
    Layout { boxes, layers, edges }
}

fn measure(node: &covenant_goals::PictureNode) -> NodeBox {
    let lines = label(node);
    let letters = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let (width, height) = (letters as f64 * LETTER + 20.0, lines.len() as f64 * LINE_HEIGHT + 12.0);
    NodeBox { width: width.max(56.0), height, lines, ..NodeBox::default() }
}

/// The neighbours of each node in the layers above and below.
fn neighbours(boxes: &[NodeBox], edges: &[Option<(usize, usize)>]) -> Vec<[Vec<usize>; 2]> {
    let mut near = vec![[Vec::new(), Vec::new()]; boxes.len()];
    for &(from, to) in edges.iter().flatten() {
        for (a, b) in [(from, to), (to, from)] {
            if boxes[a].layer == boxes[b].layer + 1 {
                near[a][0].push(b);
            } else if boxes[a].layer + 1 == boxes[b].layer {
                near[a][1].push(b);
            }
        }
    }
    near
}

/// Sorts each layer by where the neighbours are, downwards and upwards in turn.
fn order(rows: &mut [Vec<usize>], near: &[[Vec<usize>; 2]]) {
    let mut position = vec![0.0; near.len()];
    let rank = |row: &[usize], position: &mut [f64]| {
        row.iter().enumerate().for_each(|(at, &i)| position[i] = (at as f64 + 0.5) / row.len() as f64);
    };
    rows.iter().for_each(|row| rank(row, &mut position));
    for sweep in 0..SWEEPS {
        let side = sweep % 2;
        let count = rows.len();
        for step in 0..count {
            let row = &mut rows[if side == 0 { step } else { count - 1 - step }];
            let mut keys: Vec<(f64, usize)> = row
                .iter()
                .map(|&i| (mean(near[i][side].iter().map(|&n| position[n])).unwrap_or(position[i]), i))
                .collect();
            keys.sort_by(|a, b| a.0.total_cmp(&b.0));
            *row = keys.into_iter().map(|(_, i)| i).collect();
            rank(row, &mut position);
        }
    }
}

fn stack(rows: &[Vec<usize>], boxes: &mut [NodeBox]) -> Vec<(f64, f64)> {
    let mut layers = Vec::new();
    let mut top = 0.0;
    for row in rows {
        let height = row.iter().map(|&i| boxes[i].height).fold(0.0, f64::max);
        row.iter().for_each(|&i| boxes[i].top = top);
        layers.push((top, top + height));
        top += height + LAYER_GAP;
    }
    layers
}

/// Gives every node its place from left to right.
fn spread(rows: &[Vec<usize>], near: &[[Vec<usize>; 2]], boxes: &mut [NodeBox]) {
    for row in rows {
        let wanted = vec![0.0; row.len()];
        arrange(row, &wanted, boxes);
    }
    for sweep in 0..SWEEPS {
        let count = rows.len();
        for step in 0..count {
            let row = &rows[if sweep % 2 == 0 { step } else { count - 1 - step }];
            let centre = |i: usize| {
                let all = near[i].iter().flatten().map(|&n| boxes[n].centre());
                mean(all).unwrap_or(boxes[i].centre())
            };
            let wanted: Vec<f64> = row.iter().map(|&i| centre(i)).collect();
            arrange(row, &wanted, boxes);
        }
    }
    for one in boxes {
        one.left = one.left.round();
    }
}

/// Moves the nodes of a layer as near to the wanted centres as their order and the gaps allow.
fn arrange(row: &[usize], wanted: &[f64], boxes: &mut [NodeBox]) {
    // With the widths so far taken off, the order is all that must be kept.
    let mut offsets = Vec::with_capacity(row.len());
    let mut at = 0.0;
    for &i in row {
        offsets.push(at + boxes[i].width / 2.0);
        at += boxes[i].width + NODE_GAP;
    }
    let mut pools: Vec<(f64, usize)> = Vec::new();
    for (wish, offset) in wanted.iter().zip(&offsets) {
        let mut pool = (wish - offset, 1);
        while let Some(&(before, size)) = pools.last().filter(|(before, _)| *before > pool.0) {
            pools.pop();
            pool = ((before * size as f64 + pool.0 * pool.1 as f64) / (size + pool.1) as f64, size + pool.1);
        }
        pools.push(pool);
    }
    let shifts = pools.into_iter().flat_map(|(shift, size)| std::iter::repeat_n(shift, size));
    for ((&i, offset), shift) in row.iter().zip(&offsets).zip(shifts) {
        boxes[i].left = offset + shift - boxes[i].width / 2.0;
    }
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0_u32), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}

#[cfg(test)]
mod tests {
    use covenant_goals::{PictureEdge, PictureNode};

    use super::*;
    use crate::model::tests::small;

    fn assert_apart(layout: &Layout) {
        for (i, a) in layout.boxes.iter().enumerate() {
            assert!(a.width > 0.0 && a.left.is_finite() && a.top.is_finite(), "{a:?}");
            for b in &layout.boxes[i + 1..] {
                let beside = a.right() < b.left || b.right() < a.left;
                let above = a.bottom() < b.top || b.bottom() < a.top;
                assert!(beside || above, "{a:?} and {b:?}");
            }
        }
    }

    /// A graph that is neither a tree nor planar, with labels of many lengths; always the same for a seed.
    fn tangled(seed: u64, nodes: u32) -> ModelStep {
        let mut state = seed;
        let mut next = move |below: u32| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((state >> 33) as u32) % below
        };
        let mut step = ModelStep::default();
        for id in 0..nodes {
            let predicate = vec!["x".repeat(next(40) as usize + 1); next(5) as usize];
            // Some layers stay empty, as they do around a frontier.
            step.nodes.push(PictureNode { id, distance: next(9) * 2, predicate, ..PictureNode::default() });
        }
        for _ in 0..nodes * 2 {
            step.edges.push(PictureEdge { from: next(nodes), to: next(nodes), ..PictureEdge::default() });
        }
        step
    }

    #[test]
    fn no_two_nodes_overlap() {
        assert_apart(&place(&small()));
        for seed in 0..40 {
            let step = tangled(seed, 1 + (seed as u32 * 4) % 150);
            let layout = place(&step);
            assert_eq!(layout.boxes.len(), step.nodes.len());
            assert_apart(&layout);
        }
    }

    #[test]
    fn nodes_go_down_with_their_distance() {
        let step = tangled(3, 60);
        let layout = place(&step);
        for (a, i) in step.nodes.iter().zip(&layout.boxes) {
            for (b, j) in step.nodes.iter().zip(&layout.boxes) {
                assert_eq!(a.distance.cmp(&b.distance), i.top.total_cmp(&j.top));
            }
        }
    }

    #[test]
    fn crossings_are_undone() {
        let node = |id: u32, distance: u32| PictureNode { id, distance, ..PictureNode::default() };
        let edge = |from: u32, to: u32| PictureEdge { from, to, ..PictureEdge::default() };
        let step = ModelStep {
            nodes: vec![node(0, 0), node(1, 1), node(2, 1), node(3, 2), node(4, 2)],
            edges: vec![edge(0, 1), edge(0, 2), edge(1, 4), edge(2, 3)],
            ..ModelStep::default()
        };
        let layout = place(&step);
        let left = |i: usize| layout.boxes[i].left;
        assert_eq!(left(1) < left(2), left(4) < left(3));
    }

    #[test]
    fn a_chain_is_straight_and_an_edge_to_nowhere_is_none() {
        let node = |id: u32| PictureNode { id, distance: id, ..PictureNode::default() };
        let edge = |from: u32, to: u32| PictureEdge { from, to, ..PictureEdge::default() };
        let step = ModelStep {
            nodes: (0..4).map(node).collect(),
            edges: vec![edge(0, 1), edge(1, 2), edge(2, 3), edge(3, 9)],
            ..ModelStep::default()
        };
        let layout = place(&step);
        assert_eq!(layout.edges[3], None);
        assert!(layout.boxes.windows(2).all(|w| w[0].centre() == w[1].centre()), "{:?}", layout.boxes);
    }
}
