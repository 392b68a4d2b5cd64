//! What the papers print, from the cells.

use super::Results;
use super::measure::Cell;
use std::fmt::Write;

/// From the name of a subject, its cells of a strategy and its reachable branches to a number and what to say beside it.
type Value<'v> = &'v dyn Fn(&str, &[&Cell], u64) -> Option<(f64, String)>;

/// What is counted, in words, and where it is.
type Count = (&'static str, fn(&Cell) -> u64);

/// One number for each subject and strategy.
struct Grid<'r> {
    results: &'r Results,
    digits: usize,
}

impl Grid<'_> {
    /// A table with a row for each subject; the best of a row is set in bold type where small is good.
    fn table(&self, bold: bool, value: Value<'_>) -> String {
        let results = self.results;
        let mut text = String::from("| subject |");
        for strategy in &results.strategies {
            let _ = write!(text, " {strategy} |");
        }
        let _ = write!(text, "\n|---|{}\n", "---:|".repeat(results.strategies.len()));
        for subject in &results.subjects {
            let cells: Vec<Option<(f64, String)>> = results
                .strategies
                .iter()
                .map(|strategy| value(&subject.name, &results.cells(&subject.name, strategy), subject.covered))
                .collect();
            // Only where there is nothing beside the number is it good for all seeds.
            let good = cells.iter().flatten().filter(|(_, note)| note.is_empty()).map(|(number, _)| *number);
            let best = good.fold(f64::INFINITY, f64::min);
            let _ = write!(text, "| {} |", subject.name);
            for cell in &cells {
                let shown = match cell {
                    Some((number, note)) => {
                        let number_text = format!("{number:.*}", self.digits);
                        let is_best = bold && note.is_empty() && *number <= best;
                        if is_best { format!("**{number_text}**") } else { format!("{number_text}{note}") }
                    }
                    None => "-".to_owned(),
                };
                let _ = write!(text, " {shown} |");
            }
            text.push('\n');
        }
        text
    }
}

pub(crate) fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let values: Vec<f64> = values.collect();
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// Runs to cover all that is reachable; behind a stroke, how many of the seeds did it if not all.
fn runs_to_cover(cells: &[&Cell], reachable: u64) -> Option<(f64, String)> {
    let done: Vec<u64> = cells.iter().filter_map(|cell| cell.runs_to(reachable)).collect();
    let note = if done.len() == cells.len() { String::new() } else { format!(" ({} of {})", done.len(), cells.len()) };
    Some((mean(done.iter().map(|&runs| runs as f64))?, note))
}

pub(crate) fn text(results: &Results) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "## Subjects\n\n{}", subjects(results));
    let grid = Grid { results, digits: 1 };
    let tests = grid.table(true, &|_, cells, reachable| runs_to_cover(cells, reachable));
    let _ = writeln!(text, "## Runs to cover all reachable branches\n\n{tests}");
    let kept = grid.table(false, &|_, cells, _| Some((mean(cells.iter().map(|c| c.tests as f64))?, open(cells))));
    let _ = writeln!(text, "## Tests in the suite\n\n{kept}");
    let reference = |subject: &str, reachable: u64| {
        runs_to_cover(&results.cells(subject, "expectation"), reachable).map(|(runs, _)| runs.ceil() as u64)
    };
    let same = grid.table(false, &|subject, cells, reachable| {
        let runs = reference(subject, reachable)?;
        let share = |cell: &&Cell| 100.0 * cell.covered_after(runs) as f64 / reachable as f64;
        Some((mean(cells.iter().map(share))?, String::new()))
    });
    let _ = writeln!(text, "## Per cent of the reachable branches after as many runs as expectation needs\n\n{same}");
    let zero = Grid { results, digits: 0 };
    let counts: [Count; 3] = [
        ("Hopeful flips", |cell| cell.hopeful),
        ("Solver calls", |cell| cell.solver_calls),
        ("Solver calls that an SMT solver had to resolve", |cell| cell.smt_calls),
    ];
    for (what, of) in counts {
        let absolute = zero.table(true, &|_, cells, _| Some((mean(cells.iter().map(|c| of(c) as f64))?, open(cells))));
        let _ = writeln!(text, "## {what} until the end\n\n{absolute}");
        let relative = zero.table(false, &|subject, cells, _| {
            let dfs = mean(results.cells(subject, "dfs").iter().map(|cell| of(cell) as f64))?;
            (dfs > 0.0).then_some(())?;
            Some((100.0 * mean(cells.iter().map(|c| of(c) as f64))? / dfs, open(cells)))
        });
        let _ = writeln!(text, "## {what}, per cent of those of dfs\n\n{relative}");
    }
    let undecided =
        grid.table(false, &|_, cells, _| Some((mean(cells.iter().map(|c| c.unknown as f64))?, String::new())));
    let _ = writeln!(text, "## Branches that stay open\n\n{undecided}");
    let seconds = Grid { results, digits: 2 }
        .table(false, &|_, cells, _| Some((mean(cells.iter().map(|c| c.wall_ms as f64 / 1e3))?, open(cells))));
    let _ = writeln!(text, "## Seconds\n\n{seconds}");
    let choosing = Grid { results, digits: 1 }.table(false, &|_, cells, _| {
        let share = |cell: &&Cell| 100.0 * cell.choosing_ms as f64 / cell.wall_ms.max(1) as f64;
        Some((mean(cells.iter().map(share))?, String::new()))
    });
    let _ = writeln!(text, "## Per cent of the time that choosing takes\n\n{choosing}");
    text
}

/// A mark where a search did not decide everything: its counts are of a search that was cut.
fn open(cells: &[&Cell]) -> String {
    (if cells.iter().any(|cell| cell.unknown > 0) { " cut" } else { "" }).to_owned()
}

fn subjects(results: &Results) -> String {
    let mut text = String::from("| subject | lines | branches | unreachable |\n|---|---:|---:|---:|\n");
    for s in &results.subjects {
        let _ = writeln!(text, "| {} | {} | {} | {} |", s.name, s.lines, s.covered + s.infeasible, s.infeasible);
    }
    text
}

#[cfg(test)]
pub(crate) mod tests {
    use super::super::measure::Moment;
    use super::super::notes::Subject;
    use super::*;

    pub(crate) fn results() -> Results {
        let cell = |strategy: &str, seed: u64, runs: u64, solver_calls: u64| Cell {
            subject: "s".to_owned(),
            strategy: strategy.to_owned(),
            seed,
            branches: 4,
            covered: 4,
            solver_calls,
            hopeful: solver_calls / 2,
            runs,
            timeline: vec![Moment { ms: 1, runs: 1, covered: 2 }, Moment { ms: 9, runs, covered: 4 }],
            ..Cell::default()
        };
        Results {
            subjects: vec![Subject { name: "s".to_owned(), covered: 4, ..Subject::default() }],
            strategies: ["dfs", "expectation", "arc"].map(str::to_owned).to_vec(),
            cells: vec![
                cell("dfs", 1, 10, 20),
                cell("expectation", 1, 4, 6),
                cell("expectation", 2, 5, 8),
                cell("arc", 1, 6, 5),
            ],
            longer: Vec::new(),
        }
    }

    #[test]
    fn numbers_are_means_over_seeds_and_shares_of_dfs() {
        let text = text(&results());
        assert!(text.contains("| s | 10.0 | **4.5** | 6.0 |"), "{text}");
        assert!(text.contains("| s | 50.0 | 100.0 | 50.0 |"), "{text}");
        assert!(text.contains("| s | 100 | 35 | 25 |"), "{text}");
    }

    #[test]
    fn each_row_has_as_many_cells_as_its_head() {
        let results = results();
        let all = text(&results) + &super::super::conclusions::text(&results, "arc");
        for table in all.split("\n\n").filter(|part| part.starts_with('|')) {
            let cells: Vec<_> = table.lines().map(|row| row.matches('|').count()).collect();
            assert!(cells.windows(2).all(|two| two[0] == two[1]), "{table}");
        }
    }
}
