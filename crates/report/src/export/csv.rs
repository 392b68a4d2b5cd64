//! `objectives.csv`: one row an objective, as RFC 4180 has it.

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
];

pub(super) fn write(run: &RunDir) -> String {
    let mut text = COLUMNS.join(",") + "\r\n";
    for o in &run.report.objectives {
        text.push_str(&row(run, o));
    }
    text
}

fn row(run: &RunDir, o: &ObjectiveEntry) -> String {
    let none = String::new();
    let (line, column, tests) = (o.line.to_string(), o.column.to_string(), o.tests.join(" "));
    let fields: [&str; 13] = [
        &o.id,
        o.criterion.word(),
        run.shown(&o.file),
        &line,
        &column,
        &o.function,
        &o.text,
        &o.outcome.to_string(),
        verdict_word(o.verdict),
        &tests,
        o.prover.as_ref().unwrap_or(&none),
        o.proof.as_ref().unwrap_or(&none),
        o.reason.as_ref().unwrap_or(&none),
    ];
    fields.map(field).join(",") + "\r\n"
}

fn field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::super::facts::tests::small;

    #[test]
    fn fields_are_quoted_where_needed() {
        let text = super::write(&small());
        let second = text.split("\r\n").nth(1).unwrap();
        assert_eq!(second, "f:2:5:true,branch,a.c,2,5,f,\"x < \"\"1\"\", y\",true,covered,t1 t2,,,");
        assert_eq!(text.split("\r\n").count(), 6);
    }
}
