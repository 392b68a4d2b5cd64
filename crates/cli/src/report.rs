//! `covenant report`

use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, bail};
use covenant_report::export::{ExportFormat, ExportOptions, export};
use covenant_report::run_dir::RunDir;
use covenant_report::{index, project};

use crate::args::report::{Format, ReportArgs};

pub(crate) fn run(args: &ReportArgs) -> Result<u8> {
    if args.output.is_some() && args.format.len() > 1 {
        bail!("--output is for one format; without it each goes to its own file in {}", args.dir.display());
    }
    let is_project = project::is_project(&args.dir);
    let run = if is_project { project::read(&args.dir) } else { RunDir::read(&args.dir) };
    let run = run.context("this is no output directory of `covenant gen`")?;
    let options = ExportOptions { exclude_infeasible: args.exclude_infeasible };
    for &format in &args.format {
        let format = kind(format);
        if is_project && format == ExportFormat::Html {
            let path = index::rewrite(&args.dir)?;
            if args.output.is_some() {
                bail!("the page of a project belongs beside its functions: it is {}", path.display());
            }
            if !args.quiet {
                anstream::println!("{format}: {}", path.display());
            }
            continue;
        }
        if args.output.as_deref() == Some(Path::new("-")) {
            std::io::stdout().write_all(format.text(&run, &options).as_bytes())?;
            continue;
        }
        let path = export(&run, format, &options, args.output.as_deref())?;
        if !args.quiet {
            anstream::println!("{format}: {}", path.display());
        }
    }
    Ok(0)
}

fn kind(format: Format) -> ExportFormat {
    match format {
        Format::Html => ExportFormat::Html,
        Format::Lcov => ExportFormat::Lcov,
        Format::Cobertura => ExportFormat::Cobertura,
        Format::Junit => ExportFormat::Junit,
        Format::Sarif => ExportFormat::Sarif,
        Format::Markdown => ExportFormat::Markdown,
        Format::Csv => ExportFormat::Csv,
        Format::Justification => ExportFormat::Justification,
    }
}
