//! `cobertura.xml`: coverage for CI servers. Counts are numbers of tests.

use super::ExportOptions;
use super::facts::{Condition, FileFacts, files};
use crate::run_dir::RunDir;
use crate::suite::xml::Document;

const DOCTYPE: &str = "coverage SYSTEM \"http://cobertura.sourceforge.net/xml/coverage-04.dtd\"";

pub(super) fn write(run: &RunDir, options: &ExportOptions) -> String {
    let files = files(run, options);
    let sum = |count: fn(&FileFacts<'_>) -> usize| files.iter().map(count).sum::<usize>();
    let (lines, lines_hit) = (sum(|f| f.lines.len()), sum(|f| f.lines_hit()));
    let (branches, branches_hit) = (sum(|f| f.branches_all()), sum(|f| f.branches_hit()));
    let (line_rate, branch_rate) = (rate(lines_hit, lines), rate(branches_hit, branches));
    let base = files.first().and_then(|f| f.path.strip_suffix(f.shown)).map(|base| base.trim_end_matches('/'));
    let base = base.filter(|base| !base.is_empty()).unwrap_or(".");
    let attributes: [(&str, &str); 9] = [
        ("line-rate", line_rate.as_str()),
        ("branch-rate", &branch_rate),
        ("lines-covered", &lines_hit.to_string()),
        ("lines-valid", &lines.to_string()),
        ("branches-covered", &branches_hit.to_string()),
        ("branches-valid", &branches.to_string()),
        ("complexity", "0"),
        ("version", &format!("covenant {}", run.report.tool.version)),
        ("timestamp", "0"),
    ];
    let package: [(&str, &str); 4] = [
        ("name", run.report.subject.function.as_str()),
        ("line-rate", &line_rate),
        ("branch-rate", &branch_rate),
        ("complexity", "0"),
    ];
    let mut xml = Document::new(None, Some(DOCTYPE));
    xml.within("coverage", &attributes, |xml| {
        xml.within("sources", &[], |xml| xml.text("source", &[], base));
        xml.within("packages", &[], |xml| {
            xml.within("package", &package, |xml| {
                xml.within("classes", &[], |xml| files.iter().for_each(|file| class(xml, file)));
            });
        });
    });
    xml.finish()
}

fn class(xml: &mut Document, file: &FileFacts<'_>) {
    let attributes: [(&str, &str); 5] = [
        ("name", file.shown.rsplit('/').next().unwrap_or(file.shown)),
        ("filename", file.shown),
        ("line-rate", &rate(file.lines_hit(), file.lines.len())),
        ("branch-rate", &rate(file.branches_hit(), file.branches_all())),
        ("complexity", "0"),
    ];
    let mut numbers: Vec<u32> = file.lines.keys().chain(file.branches.keys()).copied().collect();
    numbers.sort_unstable();
    numbers.dedup();
    xml.within("class", &attributes, |xml| {
        xml.within("methods", &[], |xml| methods(xml, file));
        xml.within("lines", &[], |xml| numbers.iter().for_each(|&number| line(xml, file, number)));
    });
}

fn methods(xml: &mut Document, file: &FileFacts<'_>) {
    for f in &file.functions {
        let rate = rate(usize::from(f.hits > 0), 1);
        let attributes: [(&str, &str); 5] =
            [("name", f.name), ("signature", "()"), ("line-rate", &rate), ("branch-rate", &rate), ("complexity", "0")];
        let (number, hits) = (f.line.to_string(), f.hits.to_string());
        let line: [(&str, &str); 3] = [("number", number.as_str()), ("hits", &hits), ("branch", "false")];
        xml.within("method", &attributes, |xml| {
            xml.within("lines", &[], |xml| xml.empty("line", &line));
        });
    }
}

fn line(xml: &mut Document, file: &FileFacts<'_>, number: u32) {
    let hits = file.lines.get(&number).copied().unwrap_or(0).to_string();
    let number_text = number.to_string();
    let own: [(&str, &str); 2] = [("number", number_text.as_str()), ("hits", &hits)];
    let Some(conditions) = file.branches.get(&number) else {
        xml.empty("line", &[own[0], own[1], ("branch", "false")]);
        return;
    };
    let all: usize = conditions.iter().map(|c| c.outcomes.len()).sum();
    let covered: usize = conditions.iter().map(Condition::covered).sum();
    let words = format!("{}% ({covered}/{all})", percent(covered, all));
    xml.within("line", &[own[0], own[1], ("branch", "true"), ("condition-coverage", &words)], |xml| {
        xml.within("conditions", &[], |xml| {
            for (index, condition) in conditions.iter().enumerate() {
                let percent = format!("{}%", percent(condition.covered(), condition.outcomes.len()));
                let index = index.to_string();
                xml.empty("condition", &[("number", &index), ("type", "jump"), ("coverage", &percent)]);
            }
        });
    });
}

/// Nothing to cover is all covered.
fn rate(covered: usize, all: usize) -> String {
    if all == 0 { "1.0".to_owned() } else { format!("{:.4}", covered as f64 / all as f64) }
}

fn percent(covered: usize, all: usize) -> usize {
    (100 * covered).checked_div(all).unwrap_or(100)
}

#[cfg(test)]
mod tests {
    use super::super::facts::tests::small;
    use super::*;

    #[test]
    fn lines_and_conditions() {
        let text = write(&small(), &ExportOptions::default());
        assert!(
            text.contains("<line number=\"2\" hits=\"2\" branch=\"true\" condition-coverage=\"50% (1/2)\">"),
            "{text}"
        );
        assert!(text.contains("branch-rate=\"0.2500\" lines-covered=\"1\" lines-valid=\"2\""), "{text}");
        let without = write(&small(), &ExportOptions { exclude_infeasible: true });
        assert!(without.contains("condition-coverage=\"100% (1/1)\""), "{without}");
    }
}
