//! Coverage over runs and over time, as one picture: a row for each subject, a line for each strategy.

use super::Results;
use super::measure::Cell;
use std::fmt::Write;

const COLOURS: &[&str] = &[
    "#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd", "#8c564b", "#e377c2", "#7f7f7f", "#bcbd22", "#17becf",
    "#393b79", "#637939", "#8c6d31", "#843c39", "#7b4173", "#000000",
];
const WIDTH: f64 = 420.0;
const HEIGHT: f64 = 150.0;
const GAP: f64 = 50.0;
const LEGEND: f64 = 46.0;
/// Places of a line at which coverage is read, at equal distances on a logarithmic scale.
const SAMPLES: u32 = 28;

/// What the axis counts, where it ends, and what is covered there.
type Panel = (&'static str, u64, fn(&Cell, u64) -> u64);

/// Subjects with fewer branches show nothing.
pub(crate) const FEWEST_BRANCHES: u64 = 30;

pub(crate) fn svg(results: &Results) -> String {
    let subjects: Vec<_> = results.subjects.iter().filter(|s| s.covered + s.infeasible >= FEWEST_BRANCHES).collect();
    let (width, height) = (2.0 * (WIDTH + GAP) + GAP, LEGEND + subjects.len() as f64 * (HEIGHT + GAP) + GAP);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"11\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    legend(&mut text, &results.strategies);
    for (i, subject) in subjects.iter().enumerate() {
        let top = LEGEND + GAP / 2.0 + i as f64 * (HEIGHT + GAP);
        let of = |strategy: &String| results.cells(&subject.name, strategy);
        let most =
            |value: fn(&Cell) -> u64| results.cells.iter().filter(|c| c.subject == subject.name).map(value).max();
        let panels: [Panel; 2] = [
            ("runs", most(|c| c.timeline.last().map_or(1, |m| m.runs)).unwrap_or(1), Cell::covered_after),
            ("ms", most(|c| c.timeline.last().map_or(1, |m| m.ms)).unwrap_or(1), Cell::covered_at),
        ];
        for (j, (unit, end, covered)) in panels.into_iter().enumerate() {
            let left = GAP + j as f64 * (WIDTH + GAP);
            frame(&mut text, left, top, &format!("{}: per cent covered over {unit}", subject.name), end);
            for (k, strategy) in results.strategies.iter().enumerate() {
                line(&mut text, &of(strategy), (left, top), end, subject.covered, covered, k);
            }
        }
    }
    text.push_str("</svg>\n");
    text
}

fn colour(index: usize) -> &'static str {
    COLOURS[index % COLOURS.len()]
}

fn dashes(index: usize) -> &'static str {
    if index >= COLOURS.len() { " stroke-dasharray=\"4 2\"" } else { "" }
}

fn legend(text: &mut String, strategies: &[String]) {
    for (i, strategy) in strategies.iter().enumerate() {
        let (x, y) = (GAP + (i % 8) as f64 * 115.0, 14.0 + (i / 8) as f64 * 14.0);
        let _ = writeln!(
            text,
            "<line x1=\"{x}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"{}\" stroke-width=\"2\"{}/>\
             <text x=\"{}\" y=\"{y}\">{strategy}</text>",
            y - 4.0,
            x + 16.0,
            y - 4.0,
            colour(i),
            dashes(i),
            x + 20.0
        );
    }
}

/// Where a number of runs or milliseconds is between 1 and the last, from 0 to 1.
fn place(value: f64, end: u64) -> f64 {
    value.max(1.0).ln() / (end.max(2) as f64).ln()
}

fn frame(text: &mut String, left: f64, top: f64, title: &str, end: u64) {
    let _ = writeln!(
        text,
        "<rect x=\"{left}\" y=\"{top}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"none\" stroke=\"#999\"/>\
         <text x=\"{left}\" y=\"{}\">{title}</text>",
        top - 5.0
    );
    for per_cent in [0, 50, 100] {
        let y = top + HEIGHT * (1.0 - f64::from(per_cent) / 100.0);
        let _ = writeln!(text, "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{per_cent}</text>", left - 4.0, y + 4.0);
    }
    let mut mark = 1;
    while mark <= end {
        let x = left + WIDTH * place(mark as f64, end);
        let y = top + HEIGHT;
        let _ = writeln!(
            text,
            "<line x1=\"{x:.1}\" y1=\"{y}\" x2=\"{x:.1}\" y2=\"{}\" stroke=\"#999\"/>\
             <text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{mark}</text>",
            y + 3.0,
            y + 14.0
        );
        mark *= 10;
    }
}

/// The mean over the seeds.
fn line(
    text: &mut String,
    cells: &[&Cell],
    (left, top): (f64, f64),
    end: u64,
    reachable: u64,
    covered: fn(&Cell, u64) -> u64,
    index: usize,
) {
    if cells.is_empty() {
        return;
    }
    let mut points = String::new();
    for i in 0..=SAMPLES {
        let share = f64::from(i) / f64::from(SAMPLES);
        let at = (end.max(2) as f64).powf(share);
        let sum: u64 = cells.iter().map(|cell| covered(cell, at.ceil() as u64)).sum();
        let height = sum as f64 / cells.len() as f64 / reachable.max(1) as f64;
        let _ = write!(points, "{:.0},{:.1} ", left + WIDTH * share, top + HEIGHT * (1.0 - height.min(1.0)));
    }
    let (colour, dashes) = (colour(index), dashes(index));
    let _ = writeln!(
        text,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.3\"{dashes}/>",
        points.trim_end()
    );
}

#[cfg(test)]
mod tests {
    use super::super::measure::Moment;
    use super::super::notes::Subject;
    use super::*;

    #[test]
    fn lines_go_from_left_to_right_and_up() {
        let timeline = vec![Moment { ms: 1, runs: 1, covered: 10 }, Moment { ms: 20, runs: 100, covered: 40 }];
        let cell = Cell { subject: "s".into(), strategy: "dfs".into(), timeline, ..Cell::default() };
        let subject = Subject { name: "s".into(), covered: 40, ..Subject::default() };
        let results =
            Results { subjects: vec![subject], strategies: vec!["dfs".into()], cells: vec![cell], longer: vec![] };
        let svg = svg(&results);
        assert_eq!(svg.matches("<polyline").count(), 2);
        let first = svg.split("points=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
        let points: Vec<(f64, f64)> = first
            .split(' ')
            .map(|point| point.split_once(',').map(|(x, y)| (x.parse().unwrap(), y.parse().unwrap())).unwrap())
            .collect();
        assert!(points.windows(2).all(|two| two[0].0 < two[1].0 && two[0].1 >= two[1].1), "{points:?}");
        assert!(points[0].1 > points[points.len() - 1].1);
        assert_eq!(svg.matches("<text").count(), svg.matches("</text>").count());
    }
}
