use std::path::{Path, PathBuf};


use super::{PROGRAMS, program, show};
use crate::clang::FrontEnd;
use crate::coverage::tie::{BranchSite, Outcome, branches};
use crate::coverage::{FunctionCoverage, module};
use crate::ir::{Function, Program};
use crate::lower::{Options, lower};

pub(super) struct Tied {
    pub(super) name: String,
    pub(super) mapping: FunctionCoverage,
    pub(super) sites: Vec<BranchSite>,
    pub(super) program: Program,
}

pub(super) fn tie(file: &Path, flags: &[&str]) -> Vec<Tied> {
    let flags: Vec<String> = flags.iter().map(|f| f.to_string()).collect();
    let front = FrontEnd { flags, ..FrontEnd::default() };
    let units = front.compile(&[file.to_path_buf()]).unwrap();
    let program = lower(&units, None, &Options::default()).unwrap();
    let mut tied = Vec::new();
    for (name, mapping) in module::read_bitcode(&units[0].bitcode).unwrap() {
        let Some(name) = name else { continue };
        let function: &Function = &program.functions[program.function(&name).unwrap()];
        let Some(body) = &function.body else { continue };
        let sites = branches(body, &mapping);
        tied.push(Tied { name, mapping, sites, program: program.clone() });
    }
    tied
}

#[test]
fn print_stats() {
    let files: Vec<PathBuf> = match std::env::var("TIE_FILES") {
        Ok(list) => list.split(' ').map(PathBuf::from).collect(),
        Err(_) => PROGRAMS.iter().map(|n| program(n)).collect(),
    };
    let verbose = std::env::var("TIE_VERBOSE").is_ok();
    let mut totals = std::collections::BTreeMap::<String, usize>::new();
    for file in files {
        let flags: Vec<String> = std::env::var("TIE_FLAGS").map(|f| f.split(' ').map(str::to_owned).collect()).unwrap_or_default();
        let start = std::time::Instant::now();
        for tied in tie(&file, &flags.iter().map(|s| s.as_str()).collect::<Vec<_>>()) {
            if let Err(v) = crate::ir::verify::verify(&tied.program) { println!("{}: {} violations, {}", file.display(), v.len(), v[0]); }
            for site in &tied.sites {
                for (which, outcome) in [("T", &site.on_true), ("F", &site.on_false)] {
                    let word = match outcome { Outcome::Edges(_) => "edges", Outcome::Always => "always", Outcome::Never => "never", Outcome::Untied(r) => { let s: &str = Box::leak(format!("{r:?}").into_boxed_str()); s } }.to_owned();
                    if verbose || word == "always" || word.starts_with(char::is_uppercase) {
                        let region = tied.mapping.regions[site.region];
                        let crate::coverage::RegionKind::Branch { on_true, on_false, .. } = region.kind else { continue };
                        println!("{}:{:?}-{:?} f{} {} {:?} {which} {outcome:?}  {} | {}", file.file_name().unwrap().to_str().unwrap(), region.span.start, region.span.end, region.span.file, tied.name, site.kind, show(&tied.mapping, on_true), show(&tied.mapping, on_false));
                    }
                    *totals.entry(format!("{:?} {word}", site.kind)).or_default() += 1;
                }
            }
        }
        if verbose { println!("{} {:?}", file.display(), start.elapsed()); }
    }
    println!("{totals:#?}");
}
