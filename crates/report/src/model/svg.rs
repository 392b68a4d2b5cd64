//! A step of a model as elements of an SVG picture. Colours are the page's, by class.

use std::fmt::Write as _;

use covenant_goals::{ModelStep, PictureEdge, PictureNode};

use super::layout::{LINE_HEIGHT, Layout, NodeBox, place};
use super::short;
use crate::suite::xml::escape;

const MARGIN: f64 = 24.0;
const LANE: f64 = 10.0;
/// The height of a guard.
const LABEL: f64 = 13.0;
/// Characters of a guard that are shown; all are in its title.
const GUARD: usize = 26;

pub(super) struct Drawing {
    /// `viewBox`
    pub(super) view: [i64; 4],
    /// One string an element, so that elements that steps share are kept once.
    pub(super) elements: Vec<String>,
}

pub(super) fn draw(step: &ModelStep) -> Drawing {
    let layout = place(step);
    let routes = routes(&layout);
    let mut elements = Vec::new();
    let (mut low, mut high) = (f64::MAX, f64::MIN);
    for node in &layout.boxes {
        (low, high) = (low.min(node.left), high.max(node.right()));
    }
    for (_, place) in step.nodes.iter().zip(&layout.boxes).filter(|(node, _)| node.changed) {
        // Below the edges, so that no arrow is hidden.
        elements.push(rect("o", place.left - 7.0, place.top - 7.0, place.width + 14.0, place.height + 14.0));
    }
    let mut labels = Labels::default();
    for (edge, route) in step.edges.iter().zip(&routes) {
        let Some(route) = route else { continue };
        (low, high) = (low.min(route.low), high.max(route.high));
        elements.push(draw_edge(edge, route, &mut labels));
    }
    let bold = |id: u32| step.edges.iter().any(|e| e.frontier && (e.from == id || e.to == id));
    for (node, place) in step.nodes.iter().zip(&layout.boxes) {
        elements.push(draw_node(node, place, bold(node.id)));
    }
    elements.extend(labels.elements);
    if layout.boxes.is_empty() {
        (low, high) = (0.0, 0.0);
    }
    let bottom = layout.layers.last().map_or(0.0, |&(_, bottom)| bottom);
    // A loop may leave the last layer and enter the first one.
    let sides = [low - MARGIN, -MARGIN - 20.0, high - low + 2.0 * MARGIN, bottom + 2.0 * MARGIN + 40.0];
    Drawing { view: sides.map(|side| side.round() as i64), elements }
}

/// The way of an edge.
struct Route {
    path: String,
    /// Where its guard may stand, the best place first.
    labels: Vec<(f64, f64)>,
    low: f64,
    high: f64,
}

/// Where edges leave and enter their nodes: side by side, in the order in which they go on.
fn ports(layout: &Layout) -> Vec<(f64, f64)> {
    let mut ports = vec![(0.0, 0.0); layout.edges.len()];
    let forward = |(from, to): (usize, usize)| layout.boxes[to].layer > layout.boxes[from].layer;
    for (node, place) in layout.boxes.iter().enumerate() {
        for leaves in [true, false] {
            let mine = |&(from, to): &(usize, usize)| from != to && node == if leaves { from } else { to };
            let edges = layout.edges.iter().enumerate().filter_map(|(i, ends)| Some((i, (*ends)?)));
            let mut all: Vec<(f64, usize)> = edges
                .filter(|(_, ends)| mine(ends))
                .map(|(i, ends)| {
                    let other = layout.boxes[if leaves { ends.1 } else { ends.0 }].centre();
                    let key = match (forward(ends), goes_right(layout, ends)) {
                        (true, _) => other,
                        (false, true) => f64::MAX,
                        (false, false) => f64::MIN,
                    };
                    (key, i)
                })
                .collect();
            all.sort_by(|a, b| a.0.total_cmp(&b.0));
            let parts = all.len() as f64 + 1.0;
            for (at, (_, edge)) in all.into_iter().enumerate() {
                let x = place.left + place.width * (at as f64 + 1.0) / parts;
                let port = if leaves { &mut ports[edge].0 } else { &mut ports[edge].1 };
                *port = x;
            }
        }
    }
    ports
}

/// On which side of the picture an edge that does not go down is led back.
fn goes_right(layout: &Layout, (from, to): (usize, usize)) -> bool {
    let low = layout.boxes.iter().map(|b| b.left).fold(f64::MAX, f64::min);
    let high = layout.boxes.iter().map(NodeBox::right).fold(f64::MIN, f64::max);
    layout.boxes[from].centre() + layout.boxes[to].centre() >= low + high
}

fn routes(layout: &Layout) -> Vec<Option<Route>> {
    let ports = ports(layout);
    let mut routes: Vec<Option<Route>> = Vec::new();
    let mut back = Vec::new();
    for (index, ends) in layout.edges.iter().enumerate() {
        let Some((from, to)) = *ends else {
            routes.push(None);
            continue;
        };
        let (a, b) = (&layout.boxes[from], &layout.boxes[to]);
        if from == to {
            routes.push(Some(around(a)));
        } else if b.layer > a.layer {
            routes.push(Some(down(ports[index], a, layout.layers[a.layer].1, b.top)));
        } else {
            back.push((a.layer - b.layer, index, from, to));
            routes.push(None);
        }
    }
    // Short ones are nearest to the nodes.
    back.sort_unstable();
    let mut lanes: Vec<(f64, usize, usize)> = Vec::new();
    for (_, index, from, to) in back {
        routes[index] = Some(up(layout, ports[index], (from, to), &mut lanes));
    }
    routes
}

/// From a node to itself.
fn around(node: &NodeBox) -> Route {
    let (x, y) = (node.right(), node.top + node.height / 2.0);
    let path = format!("M{x:.0} {:.0}c26 -4 26 16 3 12", y - 6.0);
    Route { path, labels: vec![(x + 14.0, node.bottom() + 10.0)], low: x, high: x + 22.0 }
}

fn down((x, to_x): (f64, f64), from: &NodeBox, layer: f64, to_y: f64) -> Route {
    let to_y = to_y - 4.0;
    let half = (layer + to_y) / 2.0;
    let start = from.bottom();
    let path = format!("M{x:.0} {start:.0}V{layer:.0}C{x:.0} {half:.0} {to_x:.0} {half:.0} {to_x:.0} {to_y:.0}");
    let point = |t: f64| {
        let (s, cube) = (1.0 - t, |t: f64| t * t * (3.0 - 2.0 * t));
        let y = s * s * s * layer + 3.0 * s * t * half + t * t * t * to_y;
        (x + (to_x - x) * cube(t), y)
    };
    let labels = [0.5, 0.36, 0.64, 0.24, 0.76].map(point).to_vec();
    Route { path, labels, low: x.min(to_x), high: x.max(to_x) }
}

/// Back to a layer that is not below: beside all nodes between, in a lane of its own.
fn up(
    layout: &Layout,
    (x, to_x): (f64, f64),
    (from, to): (usize, usize),
    lanes: &mut Vec<(f64, usize, usize)>,
) -> Route {
    let (a, b) = (&layout.boxes[from], &layout.boxes[to]);
    let (first, last) = (b.layer, a.layer);
    let between = layout.boxes.iter().filter(|n| (first..=last).contains(&n.layer));
    let right = goes_right(layout, (from, to));
    let (edge, way) = if right {
        (between.map(NodeBox::right).fold(f64::MIN, f64::max), LANE)
    } else {
        (between.map(|n| n.left).fold(f64::MAX, f64::min), -LANE)
    };
    let mut lane = edge + 3.0 * way;
    // Lanes of other edges may start further in, where the nodes are fewer.
    let taken = |lane: f64| lanes.iter().any(|&(x, f, l)| (x - lane).abs() < LANE - 0.5 && f <= last && first <= l);
    while taken(lane) {
        lane += way;
    }
    let number = lanes.len() % 4;
    lanes.push((lane, first, last));
    let (out, into) = (layout.layers[last].1 + 8.0 + 4.0 * number as f64, b.top - 14.0 - 4.0 * number as f64);
    let turn = |target: f64, at: f64| if target > at { 5.0 } else { -5.0 };
    let (go, come) = (turn(lane, x), turn(to_x, lane));
    let path = format!(
        "M{x:.0} {:.0}V{:.0}q0 5 {go:.0} 5H{:.0}q{go:.0} 0 {go:.0} -5V{:.0}q0 -5 {come:.0} -5H{:.0}q{come:.0} 0 {come:.0} 5V{:.0}",
        a.bottom(),
        out - 5.0,
        lane - go,
        into + 5.0,
        to_x - come,
        b.top - 4.0,
    );
    let labels = vec![(lane, (out + into) / 2.0), (lane, out - 14.0), (lane, into + 14.0)];
    Route { path, labels, low: lane.min(x).min(to_x), high: lane.max(x).max(to_x) }
}

/// Guards beside each other: one for which there is no room is shown only by the title of its edge.
#[derive(Default)]
struct Labels {
    elements: Vec<String>,
    /// Centre and half of the width.
    taken: Vec<(f64, f64, f64)>,
}

impl Labels {
    fn add(&mut self, text: &str, title: &str, places: &[(f64, f64)]) {
        let half = text.chars().count() as f64 * 3.05 + 3.0;
        let free = |&&(x, y): &&(f64, f64)| {
            let apart = |&(a, b, width): &(f64, f64, f64)| (x - a).abs() >= half + width || (y - b).abs() >= LABEL;
            self.taken.iter().all(apart)
        };
        let Some(&(x, y)) = places.iter().find(free) else { return };
        self.taken.push((x, y, half));
        self.elements.push(format!(
            "<g class=\"g\"><title>{title}</title><rect x=\"{:.0}\" y=\"{:.0}\" width=\"{:.0}\" height=\"{LABEL:.0}\"/>\
             <text x=\"{x:.0}\" y=\"{:.0}\">{}</text></g>",
            x - half,
            y - LABEL / 2.0,
            2.0 * half,
            y + 3.5,
            escape(text)
        ));
    }
}

fn draw_edge(edge: &PictureEdge, route: &Route, labels: &mut Labels) -> String {
    let (class, arrow) = if edge.frontier { ("e f", "b") } else { ("e", "a") };
    let title = if edge.detail.is_empty() { &edge.guard } else { &edge.detail };
    let (title, path) = (escape(title), &route.path);
    if !edge.guard.is_empty() {
        labels.add(&short(&edge.guard, GUARD), &title, &route.labels);
    }
    format!(
        "<g class=\"{class}\"><title>{title}</title><path class=\"w\" d=\"{path}\"/><path d=\"{path}\" marker-end=\"url(#{arrow})\"/></g>"
    )
}

fn draw_node(node: &PictureNode, place: &NodeBox, bold: bool) -> String {
    let mut class = "n".to_owned();
    for (is, name) in [(node.covered, " c"), (node.dead, " d"), (node.changed, " h"), (bold, " f")] {
        class.push_str(if is { name } else { "" });
    }
    let title: Vec<&str> = std::iter::once(node.detail.as_str())
        .chain((!node.meaning.is_empty()).then_some(node.meaning.as_str()))
        .chain(node.predicate.iter().map(String::as_str))
        .collect();
    let (x, y, width, height) = (place.left, place.top, place.width, place.height);
    let mut text = format!("<g class=\"{class}\"><title>{}</title>", escape(&title.join("\n")));
    if node.target {
        let _ = write!(text, "{}", rect("t", x - 4.0, y - 4.0, width + 8.0, height + 8.0));
    }
    let _ = write!(text, "{}", rect("r", x, y, width, height));
    if node.dead {
        let (right, bottom) = (x + width, y + height);
        let _ = write!(
            text,
            "<path class=\"x\" d=\"M{x:.0} {y:.0}L{right:.0} {bottom:.0}M{right:.0} {y:.0}L{x:.0} {bottom:.0}\"/>"
        );
    }
    for (at, line) in place.lines.iter().enumerate() {
        let class = if at == 0 { " class=\"p\"" } else { "" };
        let baseline = y + 17.0 + at as f64 * LINE_HEIGHT;
        let middle = place.centre();
        let _ = write!(text, "<text{class} x=\"{middle:.0}\" y=\"{baseline:.0}\">{}</text>", escape(line));
    }
    text.push_str("</g>");
    text
}

fn rect(class: &str, x: f64, y: f64, width: f64, height: f64) -> String {
    format!("<rect class=\"{class}\" x=\"{x:.0}\" y=\"{y:.0}\" width=\"{width:.0}\" height=\"{height:.0}\" rx=\"6\"/>")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::tests::small;

    #[test]
    fn everything_is_drawn_once() {
        let step = small();
        let all = draw(&step).elements.concat();
        assert_eq!(all.matches("<g class=\"n").count(), step.nodes.len());
        assert_eq!(all.matches("<g class=\"e").count(), step.edges.len());
        assert_eq!(all.matches("<g class=\"e f\"").count(), 1);
        assert_eq!(all.matches("class=\"t\"").count(), 1, "targets have a second border");
        assert_eq!(all.matches("class=\"x\"").count(), 1, "unreachable nodes are crossed out");
        assert!(all.contains("x &gt; 9"), "{all}");
        assert!(!all.contains("NaN") && !all.contains("inf"), "{all}");
    }

    #[test]
    fn ways_back_do_not_share_a_lane() {
        let mut step = small();
        for (from, to) in [(2, 0), (2, 5), (3, 4)] {
            step.edges.push(PictureEdge { from, to, ..PictureEdge::default() });
        }
        let layout = place(&step);
        let ways: Vec<Route> = routes(&layout).into_iter().flatten().collect();
        assert_eq!(ways.len(), step.edges.len());
        let mut seen = std::collections::BTreeSet::new();
        assert!(ways.iter().all(|way| seen.insert(&way.path)));
    }

    #[test]
    fn guards_do_not_cover_each_other() {
        let mut labels = Labels::default();
        for _ in 0..3 {
            labels.add("x < 3", "x < 3", &[(0.0, 0.0), (5.0, 20.0)]);
        }
        assert_eq!(labels.elements.len(), 2);
        labels.add("y", "y", &[(100.0, 0.0)]);
        assert_eq!(labels.elements.len(), 3);
    }

    #[test]
    fn an_empty_model_is_an_empty_picture() {
        let drawing = draw(&ModelStep::default());
        assert!(drawing.elements.is_empty());
        assert!(drawing.view.iter().all(|side| side.abs() < 200), "{:?}", drawing.view);
    }
}
