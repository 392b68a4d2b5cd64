//! `objectives.csv`: one row an objective, as RFC 4180 has it.

use covenant_goals::ReasonKind;
use covenant_goals::report::ObjectiveEntry;

use crate::run_dir::{RunDir, verdict_word};

const COLUMNS: &[&str] = &[
    "id",
    "criterion",
    "file",
    "line",
    "column",
    "function",
    "text",
    "outcome",
    "verdict",
    "tests",
    "prover",
    "proof",
    "reason",
    "kind",
];

pub(super) fn write(run: &RunDir) -> String {
    let mut csv = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::new());
    // A list of bytes takes all, and all rows are as long as the first.
    let _ = csv.write_record(COLUMNS);
    for o in &run.report.objectives {
        let _ = csv.write_record(row(run, o));
    }
    String::from_utf8_lossy(&csv.into_inner().unwrap_or_default()).into_owned()
}

fn row(run: &RunDir, o: &ObjectiveEntry) -> [String; COLUMNS.len()] {
    [
        o.id.clone(),
        o.criterion.to_string(),
        run.shown(&o.file).to_owned(),
        o.line.to_string(),
        o.column.to_string(),
        o.function.clone(),
        o.text.clone(),
        o.outcome.to_string(),
        verdict_word(o.verdict).to_owned(),
        o.tests.join(" "),
        o.prover.clone().unwrap_or_default(),
        o.proof.clone().unwrap_or_default(),
        o.reason.clone().unwrap_or_default(),
        o.kind.map(ReasonKind::word).unwrap_or_default().to_owned(),
    ]
}

#[cfg(test)]
mod tests {
    use super::super::facts::tests::small;

    #[test]
    fn fields_are_quoted_where_needed() {
        let text = super::write(&small());
        let second = text.split("\r\n").nth(1).unwrap();
        assert_eq!(second, "f:2:5:true,branch,a.c,2,5,f,\"x < \"\"1\"\", y\",true,covered,t1 t2,,,,");
        assert_eq!(text.split("\r\n").count(), 6);
    }
}
