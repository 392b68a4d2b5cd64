//! The functions of a project: where each is defined, and what its code leads to.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::Result;
use covenant_goals::criteria::{self, branch};
use covenant_goals::report::ObjectiveEntry;
use covenant_goals::{Objective, ReasonKind};
use covenant_program::analysis::call_graph::Names;
use covenant_program::clang::{FrontEnd, Unit};
use covenant_program::ir::{FileId, FuncId, GlobalId, Origin, Program};
use covenant_program::lower::{self, Covered, Mapping, lower_covered};
use covenant_program::sources::Sources;
use covenant_report::subject::Content;

use crate::args::GenArgs;
use crate::request::sources;

pub(crate) struct Catalogue {
    pub(super) modules: Vec<Module>,
    pub(crate) entries: Vec<Entry>,
    /// Files that clang does not accept, with its words.
    pub(crate) rejected: Vec<(PathBuf, String)>,
    /// Where each function, and each variable, is defined that others can see.
    functions: BTreeMap<String, (usize, FuncId)>,
    globals: BTreeMap<String, (usize, GlobalId)>,
    /// The entry of each function that has one.
    numbers: HashMap<(usize, FuncId), usize>,
}

pub(super) struct Module {
    pub(super) file: PathBuf,
    pub(super) unit: Unit,
    pub(super) program: Program,
    /// The file's name for people.
    pub(super) shown: String,
    /// By name, once somebody asks.
    pub(super) macros: OnceLock<BTreeMap<String, String>>,
    /// What the file is now.
    content: Content,
    /// clang's coverage mapping, by symbol.
    mappings: Vec<Mapping>,
    /// Where the mapping of each symbol is among them.
    mapped: HashMap<String, usize>,
    sources: Sources,
}

pub(crate) struct Entry {
    pub(crate) name: String,
    /// Below the output directory.
    pub(crate) folder: String,
    /// The file's name for people.
    pub(crate) shown: String,
    pub(super) module: usize,
    pub(super) function: FuncId,
}

impl Catalogue {
    pub(crate) fn new(args: &GenArgs, files: &[PathBuf]) -> Result<Catalogue> {
        let mut front_end = sources(&args.source, &args.flags).front_end();
        front_end.keep_static = true;
        let mut catalogue = Catalogue {
            modules: Vec::new(),
            entries: Vec::new(),
            rejected: Vec::new(),
            functions: BTreeMap::new(),
            globals: BTreeMap::new(),
            numbers: HashMap::new(),
        };
        let options = lower::Options { promote: true, types: true };
        for (file, units) in files.iter().zip(compiled(&front_end, files)) {
            match units.and_then(|units| Module::new(file, units, &options)) {
                Ok(module) => catalogue.modules.push(module),
                Err(message) => catalogue.rejected.push((file.clone(), message)),
            }
        }
        catalogue.list();
        Ok(catalogue)
    }

    fn list(&mut self) {
        for (index, module) in self.modules.iter().enumerate() {
            let program = &module.program;
            for (id, function) in program.functions.iter().filter(|(_, f)| f.body.is_some() && !f.source.internal) {
                self.functions.entry(function.name.clone()).or_insert((index, id));
            }
            for (id, global) in program.globals.iter().filter(|(_, g)| g.init.is_some() && g.source_name.is_some()) {
                self.globals.entry(global.name.clone()).or_insert((index, id));
            }
        }
        let mut folders = BTreeSet::new();
        let mut entries = Vec::new();
        let folders_of_project = self.folders();
        // A function of a header is tested with the first file that includes it.
        let mut in_headers = BTreeSet::new();
        for (index, module) in self.modules.iter().enumerate() {
            let mut headers = HashMap::new();
            for (id, function) in &module.program.functions {
                let name = function.source_name();
                if function.body.is_none() || function.origin != Origin::Subject {
                    continue;
                }
                let file = function.loc.file();
                let header: &Option<PathBuf> = headers.entry(file).or_insert_with(|| module.header(file?));
                let header = match header.clone() {
                    None => None,
                    Some(header) if !folders_of_project.iter().any(|folder| header.starts_with(folder)) => continue,
                    Some(header) if !in_headers.insert((header.clone(), name.to_owned())) => continue,
                    Some(header) => Some(header),
                };
                let stem = module.file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
                let mut folder = name.to_owned();
                while !folders.insert(folder.clone()) {
                    folder = format!("{stem}.{folder}");
                }
                let shown = header.as_deref().map_or_else(|| module.shown.clone(), shown);
                self.numbers.insert((index, id), entries.len());
                entries.push(Entry { name: name.to_owned(), folder, shown, module: index, function: id });
            }
        }
        self.entries = entries;
    }

    /// Where headers are the project's own: where its files are, and here if some of them are here.
    fn folders(&self) -> BTreeSet<PathBuf> {
        let whole = |file: &PathBuf| Some(file.canonicalize().ok()?.parent()?.to_path_buf());
        let mut all: BTreeSet<PathBuf> = self.modules.iter().filter_map(|module| whole(&module.file)).collect();
        let here = std::env::current_dir().and_then(|here| here.canonicalize());
        all.extend(here.ok().filter(|here| all.iter().any(|folder| folder.starts_with(here))));
        all
    }

    pub(super) fn function(&self, name: &str) -> Option<(usize, FuncId)> {
        self.functions.get(name).copied()
    }

    pub(super) fn global(&self, name: &str) -> Option<(usize, GlobalId)> {
        self.globals.get(name).copied()
    }

    /// The branches of a function, all of them open for this reason: what counts where it has no results.
    pub(super) fn branches(&self, entry: &Entry, reason: &str, kind: ReasonKind) -> Vec<ObjectiveEntry> {
        let module = &self.modules[entry.module];
        let place = |file: &str| module.unit.directory.join(file);
        let source = |file: &str| module.sources.lines(file);
        let mapping = module.mapping(entry.function);
        let mut all = branch::objectives(&module.program, &[entry.function], mapping, &source);
        criteria::name(&mut all);
        let open = |o: Objective| ObjectiveEntry {
            file: place(&o.file).canonicalize().unwrap_or_else(|_| place(&o.file)).display().to_string(),
            id: o.id,
            criterion: o.criterion,
            function: o.function,
            line: o.line,
            column: o.column,
            text: o.text,
            outcome: o.outcome,
            region: o.region,
            reason: Some(reason.to_owned()),
            kind: Some(kind),
            ..ObjectiveEntry::default()
        };
        all.into_iter().map(open).collect()
    }

    /// How many conditions a function has.
    pub(super) fn size(&self, entry: &Entry) -> usize {
        let mapping = self.modules[entry.module].mapping(entry.function);
        mapping.iter().map(|(_, mapping)| mapping.branch_regions().count()).sum()
    }

    /// The folders of the functions that one calls by name.
    pub(super) fn callees(&self, entry: &Entry) -> impl Iterator<Item = &str> {
        let program = &self.modules[entry.module].program;
        let body = program.functions[entry.function].body.as_ref();
        let called = body.map(|body| Names::of(body).calls).unwrap_or_default();
        let place = |id: FuncId| match program.functions[id].body {
            Some(_) => Some((entry.module, id)),
            None => self.function(&program.functions[id].name),
        };
        let places = called.into_iter().filter_map(place);
        let numbers: BTreeSet<usize> = places.filter_map(|place| self.numbers.get(&place).copied()).collect();
        numbers.into_iter().map(|number| self.entries[number].folder.as_str())
    }

    /// All files that the compiler read for these, but for the system's headers, from the root of the file system.
    pub(super) fn read_for(&self, files: &[PathBuf]) -> BTreeSet<PathBuf> {
        let modules = files.iter().filter_map(|file| self.modules.iter().find(|module| module.file == *file));
        let read = modules.flat_map(|module| {
            let named = std::path::absolute(&module.file).ok();
            module.unit.headers.iter().chain([&module.unit.path]).cloned().chain(named)
        });
        read.collect()
    }

    /// The root of the project that these files belong to.
    pub(super) fn root(&self, files: &[PathBuf]) -> PathBuf {
        let modules = files.iter().filter_map(|file| self.modules.iter().position(|module| module.file == *file));
        self.root_of(modules)
    }

    /// The same of modules.
    pub(super) fn root_of(&self, modules: impl IntoIterator<Item = usize>) -> PathBuf {
        let paths = modules.into_iter().map(|module| self.modules[module].unit.path.as_path());
        covenant_report::root::find(paths, &std::env::current_dir().unwrap_or_default())
    }

    /// What these files are now, by absolute path.
    pub(crate) fn contents(&self, files: &[PathBuf]) -> Vec<(PathBuf, Content)> {
        let of = |file: &PathBuf| {
            let module = self.modules.iter().find(|m| m.file == *file)?;
            Some((file.canonicalize().ok()?, module.content.clone()))
        };
        files.iter().filter_map(of).collect()
    }
}

/// Each file by itself, several at a time: one that clang rejects does not keep the others back.
fn compiled(front_end: &FrontEnd, files: &[PathBuf]) -> Vec<Result<Vec<Unit>, String>> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(files.len()).max(1);
    let next = AtomicUsize::new(0);
    let results: Vec<OnceLock<Result<Vec<Unit>, String>>> = files.iter().map(|_| OnceLock::new()).collect();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some((file, result)) = {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    files.get(index).zip(results.get(index))
                } {
                    let _ = result.set(front_end.compile(std::slice::from_ref(file)).map_err(|e| e.to_string()));
                }
            });
        }
    });
    results.into_iter().map(|one| one.into_inner().unwrap_or_else(|| Err("clang was not run".to_owned()))).collect()
}

impl Module {
    fn new(file: &Path, mut units: Vec<Unit>, options: &lower::Options) -> Result<Module, String> {
        let Covered { program, mappings } = lower_covered(&units, None, options).map_err(|e| e.to_string())?;
        let mut unit = units.pop().ok_or("clang made nothing of it")?;
        let content = Content::of(&unit, &program);
        unit.bitcode = Vec::new();
        let (shown, macros) = (shown(file), OnceLock::new());
        let sources = Sources::new(vec![unit.directory.clone()]);
        let symbols = mappings.iter().map(|(symbol, _)| symbol.clone()).zip(0..);
        let mapped = symbols.filter_map(|(symbol, index)| Some((symbol?, index))).collect();
        Ok(Module { file: file.to_path_buf(), unit, program, shown, macros, content, mappings, mapped, sources })
    }

    /// clang's coverage mapping of one function.
    fn mapping(&self, id: FuncId) -> &[Mapping] {
        let index = self.mapped.get(&self.program.functions[id].name);
        index.map_or(&[], |&index| &self.mappings[index..=index])
    }

    /// A file of the program, if it is a header; `None`: the file itself.
    fn header(&self, file: FileId) -> Option<PathBuf> {
        let file = &self.program.files[file];
        let name = Path::new(&file.directory).join(&file.name);
        match (name.canonicalize(), self.file.canonicalize()) {
            (Ok(a), Ok(b)) => (a != b).then_some(a),
            _ => (!name.ends_with(&self.file)).then_some(name),
        }
    }
}

fn shown(file: &Path) -> String {
    let here = std::env::current_dir().and_then(|here| here.canonicalize()).unwrap_or_default();
    let file = file.canonicalize().unwrap_or_else(|_| file.to_path_buf());
    file.strip_prefix(&here).unwrap_or(&file).display().to_string()
}
