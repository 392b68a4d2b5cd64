//! Options of `covenant report`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Write further formats from an earlier run
///
/// Everything comes from DIR: nothing is analysed again. Without --output the file goes into DIR, under
/// the name that the tools of its kind look for. `--output -` writes to standard output.
///
///   covenant report out --format lcov && genhtml --branch-coverage out/lcov.info -o html
///   covenant report out --format markdown -o - >> "$GITHUB_STEP_SUMMARY"
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub(crate) struct ReportArgs {
    /// The output directory of `covenant gen`
    pub(crate) dir: PathBuf,
    /// What to write
    #[arg(short = 'F', long, value_enum, value_delimiter = ',', default_value = "html", value_name = "LIST")]
    pub(crate) format: Vec<Format>,
    /// Where to write it; only with one format
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Leave objectives out that are proved infeasible (lcov, cobertura)
    #[arg(long)]
    pub(crate) exclude_infeasible: bool,
    /// Print nothing but errors
    #[arg(long)]
    pub(crate) quiet: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Format {
    /// report.html, one page that needs nothing else
    Html,
    /// lcov.info, for genhtml and all that read tracefiles
    Lcov,
    /// cobertura.xml, for CI servers
    Cobertura,
    /// junit.xml: tests and objectives as test cases
    Junit,
    /// report.sarif: defects and open objectives, for code scanning
    Sarif,
    /// report.md, for a pull request
    Markdown,
    /// objectives.csv, one row an objective
    Csv,
    /// justification.patch, which excludes infeasible branches from gcovr and lcov
    Justification,
}
