//! The functions of a project: where each is defined, which files it needs, and what its results depend on.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::Result;
use covenant_engine::library::LIBRARY;
use covenant_goals::branch;
use covenant_program::clang::Unit;
use covenant_program::ir::{Callee, Const, Def, FuncId, Op, Origin, Program};
use covenant_program::lower::{self, lower};
use covenant_report::subject::sha256;

use crate::args::GenArgs;
use crate::front_end;

pub(crate) struct Catalogue {
    modules: Vec<Module>,
    pub(crate) entries: Vec<Entry>,
    /// Files that clang does not accept, with its words.
    pub(crate) rejected: Vec<(PathBuf, String)>,
    /// The file that defines each function that others can see.
    definers: BTreeMap<String, usize>,
}

struct Module {
    file: PathBuf,
    flags: Vec<String>,
    program: Program,
    /// Of the source and of what clang made of it.
    digests: (String, String),
}

pub(crate) struct Entry {
    pub(crate) name: String,
    /// Below the output directory.
    pub(crate) folder: String,
    /// The file's name for people.
    pub(crate) shown: String,
    /// Its own file, then those of the functions that it calls.
    pub(crate) files: Vec<PathBuf>,
    module: usize,
    function: FuncId,
}

impl Catalogue {
    pub(crate) fn new(args: &GenArgs, files: &[PathBuf]) -> Result<Catalogue> {
        let mut front_end = front_end::of(&args.source, &args.flags);
        front_end.keep_static = true;
        let mut catalogue =
            Catalogue { modules: Vec::new(), entries: Vec::new(), rejected: Vec::new(), definers: BTreeMap::new() };
        for file in files {
            let options = lower::Options { promote: true, types: true };
            let unit = front_end.compile(std::slice::from_ref(file)).map_err(|e| e.to_string());
            match unit.and_then(|units| Module::new(file, &units, &options)) {
                Ok(module) => catalogue.modules.push(module),
                Err(message) => catalogue.rejected.push((file.clone(), message)),
            }
        }
        catalogue.list();
        Ok(catalogue)
    }

    fn list(&mut self) {
        for (index, module) in self.modules.iter().enumerate() {
            for function in module.program.functions.values().filter(|f| f.body.is_some() && !f.source.internal) {
                self.definers.entry(function.name.clone()).or_insert(index);
            }
        }
        let mut folders = BTreeSet::new();
        let mut entries = Vec::new();
        for (index, module) in self.modules.iter().enumerate() {
            for (id, function) in &module.program.functions {
                let name = function.source_name();
                if function.body.is_none() || function.origin != Origin::Subject || name == "main" || !module.is_own(id)
                {
                    continue;
                }
                let stem = module.file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
                let mut folder = name.to_owned();
                while !folders.insert(folder.clone()) {
                    folder = format!("{stem}.{folder}");
                }
                let files = self.needed(index, id).into_iter().map(|m| self.modules[m].file.clone()).collect();
                let shown = shown(&module.file);
                entries.push(Entry { name: name.to_owned(), folder, shown, files, module: index, function: id });
            }
        }
        self.entries = entries;
    }

    /// The modules whose code a function can reach, its own first.
    fn needed(&self, module: usize, function: FuncId) -> Vec<usize> {
        let mut order = vec![module];
        for (module, _) in self.reached(module, function) {
            if !order.contains(&module) {
                order.push(module);
            }
        }
        order
    }

    /// All functions that a function can reach, across files.
    fn reached(&self, module: usize, function: FuncId) -> Vec<(usize, FuncId)> {
        let mut order: Vec<(usize, FuncId)> = Vec::new();
        let mut starts = vec![(module, function)];
        while let Some((module, start)) = starts.pop() {
            let program = &self.modules[module].program;
            for id in branch::reachable(program, start) {
                if order.contains(&(module, id)) {
                    continue;
                }
                order.push((module, id));
                starts.extend(undefined(program, id).filter_map(|name| self.definition(name)));
            }
        }
        order
    }

    fn definition(&self, name: &str) -> Option<(usize, FuncId)> {
        let &module = self.definers.get(name)?;
        Some((module, self.modules[module].program.definitions(name).next()?))
    }

    /// What the files of a function are now: their digests, by absolute path.
    pub(crate) fn digests(&self, entry: &Entry) -> Vec<(PathBuf, (String, String))> {
        let of = |file: &PathBuf| {
            let module = self.modules.iter().find(|m| m.file == *file)?;
            Some((file.canonicalize().ok()?, module.digests.clone()))
        };
        entry.files.iter().filter_map(of).collect()
    }

    /// Of all that the results of a function depend on.
    pub(crate) fn key(&self, entry: &Entry, words: &[String]) -> String {
        let mut text = format!("covenant {}\n{}\n", env!("CARGO_PKG_VERSION"), sha256(LIBRARY));
        for word in words {
            text.push_str(&format!("\n{word}"));
        }
        for module in entry.files.iter().filter_map(|file| self.modules.iter().find(|m| m.file == *file)) {
            // Which types there are decides what the inputs are.
            let types: Vec<_> = module.program.types.iter().collect();
            text.push_str(&format!("\n{}\n{}\n{types:?}", module.file.display(), module.flags.join("\n")));
        }
        let mut globals = BTreeSet::new();
        for (module, id) in self.reached(entry.module, entry.function) {
            let program = &self.modules[module].program;
            let function = &program.functions[id];
            text.push_str(&format!("\n{function}"));
            let values = function.body.iter().flat_map(|body| body.values.values());
            globals.extend(values.filter_map(|value| match value.def {
                Def::Const(Const::Global(global, _)) => Some((module, global)),
                _ => None,
            }));
        }
        for (module, global) in globals {
            let global = &self.modules[module].program.globals[global];
            text.push_str(&format!("\n{} {} {:?} {:?}", global.name, global.size, global.init, global.relocs));
        }
        sha256(text.as_bytes())
    }
}

impl Module {
    fn new(file: &Path, units: &[Unit], options: &lower::Options) -> Result<Module, String> {
        let program = lower(units, None, options).map_err(|e| e.to_string())?;
        let flags = units.iter().flat_map(|unit| unit.flags.clone()).collect();
        let digests = units.first().map(crate::subject::digests).unwrap_or_default();
        Ok(Module { file: file.to_path_buf(), flags, program, digests })
    }

    /// Whether the function stands in the file itself, not in a header.
    fn is_own(&self, id: FuncId) -> bool {
        let file = self.program.functions[id].loc.file();
        let name = file.map(|file| Path::new(&self.program.files[file].directory).join(&self.program.files[file].name));
        let same = |name: &Path| match (name.canonicalize(), self.file.canonicalize()) {
            (Ok(a), Ok(b)) => a == b,
            _ => name.ends_with(&self.file),
        };
        name.is_none_or(|name| same(&name))
    }
}

/// The functions without a body that a function calls or points to.
fn undefined(program: &Program, id: FuncId) -> impl Iterator<Item = &str> {
    let body = program.functions[id].body.iter();
    let called = body.clone().flat_map(|body| body.insts.values()).filter_map(|inst| match &inst.op {
        Op::Call(call) => match call.callee {
            Callee::Direct(callee) => Some(callee),
            _ => None,
        },
        _ => None,
    });
    let pointed = body.flat_map(|body| body.values.values()).filter_map(|value| match value.def {
        Def::Const(Const::Func(callee)) => Some(callee),
        _ => None,
    });
    let functions = called.chain(pointed).map(|callee| &program.functions[callee]);
    functions.filter(|callee| callee.body.is_none()).map(|callee| callee.name.as_str())
}

fn shown(file: &Path) -> String {
    let here = std::env::current_dir().and_then(|here| here.canonicalize()).unwrap_or_default();
    let file = file.canonicalize().unwrap_or_else(|_| file.to_path_buf());
    file.strip_prefix(&here).unwrap_or(&file).display().to_string()
}
