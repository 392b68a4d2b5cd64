//! Exports: the results of a run in the formats of other tools, one file a format.

mod cobertura;
mod csv;
mod facts;
mod junit;
mod justification;
mod lcov;
mod markdown;
mod sarif;

use std::path::{Path, PathBuf};

use strum::{Display, EnumIter, EnumString};

use crate::Error;
use crate::files::write_file;
use crate::html;
use crate::run_dir::RunDir;

/// The name in kebab case is what users write behind `--format`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Display, EnumIter, EnumString)]
#[strum(serialize_all = "kebab-case")]
pub enum ExportFormat {
    /// One page that needs nothing else.
    Html,
    /// For genhtml and all that read lcov's tracefiles.
    Lcov,
    /// XML that CI servers read.
    Cobertura,
    /// Tests and objectives as test cases.
    Junit,
    /// Defects and open objectives, for code scanning.
    Sarif,
    /// For a pull request.
    Markdown,
    /// One row an objective.
    Csv,
    /// A patch that excludes what is infeasible from gcovr and lcov.
    Justification,
}

/// What exports leave out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ExportOptions {
    /// Infeasible objectives are no part of what must be covered.
    pub exclude_infeasible: bool,
}

impl ExportFormat {
    /// Where the export is, below the output directory.
    pub fn file(self) -> &'static str {
        match self {
            ExportFormat::Html => "report.html",
            ExportFormat::Lcov => "lcov.info",
            ExportFormat::Cobertura => "cobertura.xml",
            ExportFormat::Junit => "junit.xml",
            ExportFormat::Sarif => "report.sarif",
            ExportFormat::Markdown => "report.md",
            ExportFormat::Csv => "objectives.csv",
            ExportFormat::Justification => "justification.patch",
        }
    }

    /// The file's contents.
    pub fn text(self, run: &RunDir, options: &ExportOptions) -> String {
        match self {
            ExportFormat::Html => html::page(run),
            ExportFormat::Lcov => lcov::write(run, options),
            ExportFormat::Cobertura => cobertura::write(run, options),
            ExportFormat::Junit => junit::write(run),
            ExportFormat::Sarif => sarif::write(run),
            ExportFormat::Markdown => markdown::write(run),
            ExportFormat::Csv => csv::write(run),
            ExportFormat::Justification => justification::write(run),
        }
    }
}

/// Writes one export; returns where it is.
pub fn export(
    run: &RunDir,
    format: ExportFormat,
    options: &ExportOptions,
    to: Option<&Path>,
) -> Result<PathBuf, Error> {
    let path = to.map_or_else(|| run.dir.join(format.file()), Path::to_path_buf);
    write_file(&path, format.text(run, options).as_bytes())?;
    Ok(path)
}
