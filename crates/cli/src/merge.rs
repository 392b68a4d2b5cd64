//! `covenant merge`: the results of several partitions as one.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use covenant_report::index::{self, FunctionRun};
use covenant_report::project;

use crate::args::MergeArgs;
use crate::project::{finish, kept, told};

pub(crate) fn run(args: &MergeArgs) -> Result<u8> {
    // By the folder, which is unique in a project.
    let mut found: BTreeMap<String, (PathBuf, FunctionRun)> = BTreeMap::new();
    for dir in &args.dirs {
        let context = || format!("{} is no output directory of `covenant gen --all`", dir.display());
        for run in project::functions(dir).with_context(context)? {
            match found.get(&run.folder) {
                Some((_, other)) if other.file != run.file => {
                    bail!("`{}` is of {} in one directory and of {} in another", run.folder, other.file, run.file)
                }
                Some((_, other)) if rank(other) <= rank(&run) => {}
                _ => {
                    found.insert(run.folder.clone(), (dir.clone(), run));
                }
            }
        }
    }
    let before = index::before(&args.out);
    let mut runs = Vec::new();
    for (dir, mut run) in found.into_values() {
        if run.error.is_empty() {
            move_over(&dir.join(&run.folder), &args.out.join(&run.folder))?;
            // What tests of others take is counted anew.
            run.totals.unknown += run.elsewhere;
            run.totals.covered -= run.elsewhere.min(run.totals.covered);
            run.elsewhere = 0;
        }
        runs.push(run);
    }
    let finished = finish::finish(&args.out, &mut runs, before)?;
    if !args.quiet {
        anstream::print!("{}", told::text(&finished, &runs, 0, None));
        anstream::println!("  see {}", finished.index.display());
    }
    let code = if finished.contradicts() {
        3
    } else if runs.iter().any(told::is_failed) {
        2
    } else {
        u8::from(runs.iter().any(FunctionRun::needs_a_look))
    };
    Ok(code)
}

/// The less, the better: without results, then by what is open.
fn rank(run: &FunctionRun) -> (bool, u32) {
    (!run.error.is_empty(), run.totals.unknown + run.elsewhere)
}

fn move_over(from: &Path, to: &Path) -> Result<()> {
    if from.canonicalize().ok() == to.canonicalize().ok().filter(|_| to.is_dir()) {
        return Ok(());
    }
    kept::take_over(from, to).with_context(|| format!("the results in {} are not complete", from.display()))
}
