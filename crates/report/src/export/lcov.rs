//! `lcov.info`: a tracefile. Counts are numbers of tests.

use std::fmt::Write;

use super::ExportOptions;
use super::facts::{FileFacts, files};
use crate::run_dir::RunDir;

pub(super) fn write(run: &RunDir, options: &ExportOptions) -> String {
    // Names of tests are letters, digits and underscores for lcov.
    let name: String =
        run.report.subject.function.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let mut text = String::new();
    for file in files(run, options) {
        let _ = writeln!(text, "TN:covenant_{name}");
        record(&mut text, &file);
    }
    text
}

fn record(text: &mut String, file: &FileFacts<'_>) {
    let _ = writeln!(text, "SF:{}", file.path);
    for function in &file.functions {
        let _ = writeln!(text, "FN:{},{}", function.line, function.name);
    }
    for function in &file.functions {
        let _ = writeln!(text, "FNDA:{},{}", function.hits, function.name);
    }
    let hit = file.functions.iter().filter(|f| f.hits > 0).count();
    let _ = writeln!(text, "FNF:{}\nFNH:{hit}", file.functions.len());
    for (line, conditions) in &file.branches {
        for (block, condition) in conditions.iter().enumerate() {
            for (index, (_, hits)) in condition.outcomes.iter().enumerate() {
                // A dash: the condition was never evaluated.
                let taken = if condition.evaluated() { hits.to_string() } else { "-".to_owned() };
                let _ = writeln!(text, "BRDA:{line},{block},{index},{taken}");
            }
        }
    }
    let _ = writeln!(text, "BRF:{}\nBRH:{}", file.branches_all(), file.branches_hit());
    for (line, hits) in &file.lines {
        let _ = writeln!(text, "DA:{line},{hits}");
    }
    let _ = writeln!(text, "LF:{}\nLH:{}\nend_of_record", file.lines.len(), file.lines_hit());
}

#[cfg(test)]
mod tests {
    use super::super::facts::tests::small;
    use super::*;

    #[test]
    fn a_tracefile() {
        let expected = "TN:covenant_f\nSF:dir/a.c\nFN:2,f\nFNDA:2,f\nFNF:1\nFNH:1\n\
                        BRDA:2,0,0,2\nBRDA:2,0,1,0\nBRDA:4,0,0,-\nBRDA:4,0,1,-\nBRF:4\nBRH:1\n\
                        DA:2,2\nDA:4,0\nLF:2\nLH:1\nend_of_record\n";
        assert_eq!(write(&small(), &ExportOptions::default()), expected);
        let without = write(&small(), &ExportOptions { exclude_infeasible: true });
        assert!(!without.contains("BRDA:2,0,1") && without.contains("BRF:3"));
    }
}
