//! Exports: the results of a run in the formats of other tools, one file a format.

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
    Html,
}

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
        }
    }

    pub fn text(self, run: &RunDir, _options: &ExportOptions) -> String {
        match self {
            ExportFormat::Html => html::page(run),
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
