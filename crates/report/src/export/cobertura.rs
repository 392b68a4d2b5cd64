//! `cobertura.xml`: coverage for CI servers. Counts are numbers of tests.

use std::fmt::Write;

use super::ExportOptions;
use super::facts::{Condition, FileFacts, files};
use crate::run_dir::RunDir;
use crate::suite::xml::escape;

pub(super) fn write(run: &RunDir, options: &ExportOptions) -> String {
    let files = files(run, options);
    let sum = |count: fn(&FileFacts<'_>) -> usize| files.iter().map(count).sum::<usize>();
    let (lines, lines_hit) = (sum(|f| f.lines.len()), sum(|f| f.lines_hit()));
    let (branches, branches_hit) = (sum(|f| f.branches_all()), sum(|f| f.branches_hit()));
    let rates = format!("line-rate=\"{}\" branch-rate=\"{}\"", rate(lines_hit, lines), rate(branches_hit, branches));
    let base = files.first().and_then(|f| f.path.strip_suffix(f.shown)).map(|base| base.trim_end_matches('/'));
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <!DOCTYPE coverage SYSTEM \"http://cobertura.sourceforge.net/xml/coverage-04.dtd\">\n\
         <coverage {rates} lines-covered=\"{lines_hit}\" lines-valid=\"{lines}\" branches-covered=\"{branches_hit}\" \
         branches-valid=\"{branches}\" complexity=\"0\" version=\"covenant {}\" timestamp=\"0\">\n\
         <sources>\n<source>{}</source>\n</sources>\n<packages>\n\
         <package name=\"{}\" {rates} complexity=\"0\">\n<classes>\n",
        escape(&run.report.tool.version),
        escape(base.filter(|base| !base.is_empty()).unwrap_or(".")),
        escape(&run.report.subject.function),
    );
    for file in &files {
        class(&mut text, file);
    }
    text + "</classes>\n</package>\n</packages>\n</coverage>\n"
}

fn class(text: &mut String, file: &FileFacts<'_>) {
    let name = file.shown.rsplit('/').next().unwrap_or(file.shown);
    let _ = writeln!(
        text,
        "<class name=\"{}\" filename=\"{}\" line-rate=\"{}\" branch-rate=\"{}\" complexity=\"0\">",
        escape(name),
        escape(file.shown),
        rate(file.lines_hit(), file.lines.len()),
        rate(file.branches_hit(), file.branches_all()),
    );
    methods(text, file);
    text.push_str("<lines>\n");
    let mut numbers: Vec<u32> = file.lines.keys().chain(file.branches.keys()).copied().collect();
    numbers.sort_unstable();
    numbers.dedup();
    for number in numbers {
        line(text, file, number);
    }
    text.push_str("</lines>\n</class>\n");
}

fn methods(text: &mut String, file: &FileFacts<'_>) {
    text.push_str("<methods>\n");
    for f in &file.functions {
        let rate = rate(usize::from(f.hits > 0), 1);
        let _ = writeln!(
            text,
            "<method name=\"{}\" signature=\"()\" line-rate=\"{rate}\" branch-rate=\"{rate}\" complexity=\"0\">\
             <lines><line number=\"{}\" hits=\"{}\" branch=\"false\"/></lines></method>",
            escape(f.name),
            f.line,
            f.hits
        );
    }
    text.push_str("</methods>\n");
}

fn line(text: &mut String, file: &FileFacts<'_>, number: u32) {
    let hits = file.lines.get(&number).copied().unwrap_or(0);
    let Some(conditions) = file.branches.get(&number) else {
        let _ = writeln!(text, "<line number=\"{number}\" hits=\"{hits}\" branch=\"false\"/>");
        return;
    };
    let all: usize = conditions.iter().map(|c| c.outcomes.len()).sum();
    let covered: usize = conditions.iter().map(Condition::covered).sum();
    let _ = writeln!(
        text,
        "<line number=\"{number}\" hits=\"{hits}\" branch=\"true\" condition-coverage=\"{}% ({covered}/{all})\">\n<conditions>",
        percent(covered, all)
    );
    for (index, condition) in conditions.iter().enumerate() {
        let percent = percent(condition.covered(), condition.outcomes.len());
        let _ = writeln!(text, "<condition number=\"{index}\" type=\"jump\" coverage=\"{percent}%\"/>");
    }
    text.push_str("</conditions>\n</line>\n");
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
