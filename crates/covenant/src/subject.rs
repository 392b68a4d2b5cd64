//! From files and a function's name to something that can be tested.
//!
//! The function under test is called by a driver, a few lines of C that are compiled together with the file that defines
//! the function: so clang deals with how arguments are passed, and assumptions are ordinary C expressions over the
//! parameters and globals.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use covenant_concolic::Subject;
use covenant_concolic::symbolic::InputOptions;
use covenant_goals::Written;
use covenant_goals::criteria::{self, Known, Wanted, branch};
use covenant_interpreter::given::Device;
use covenant_interpreter::library::library;
use covenant_interpreter::{Checks, Image, process};
use covenant_program::clang::{FrontEnd, Unit};
use covenant_program::coverage::module::read_bitcode;
use covenant_program::ir::{FuncId, GlobalId, Origin, Program};
use covenant_program::lower::{self, Covered, Mapping, lower, lower_covered};
use covenant_program::sources::Sources;
use covenant_program::syntax::Trees;
use covenant_program::types::{CType, TypeId};
use covenant_report::subject::{Content, Declared, Linkage, NamedFunction, Number, SubjectFile, SubjectInfo};

use crate::callbacks;
use crate::driver::{self, Called, Code, DRIVER, Entry, signature};
use crate::request::{Failures, Globals, Pointers, Request};
use crate::sources;
use crate::stubs::{declared_stubs, stubs};
use crate::{
    assumed, context, given, hidden, looked_for, outside, scope, shared, spaces, stubs, variadic, voids, volatile,
    world,
};

pub(crate) struct Loaded {
    pub(crate) subject: Subject,
    pub(crate) info: SubjectInfo,
    pub(crate) assumptions: Vec<String>,
    /// What the code calls and no run can do, with the place of the call.
    pub(crate) unsupported: Vec<String>,
    pub(crate) wanted: Wanted,
    /// The sources as clang's parser sees them.
    pub(crate) trees: Trees,
    pub(crate) inputs: InputOptions,
    /// Why the function is given anything though callers were asked for.
    pub(crate) note: Option<String>,
    /// Files that are inputs, with the bytes that they may have.
    pub(crate) files: looked_for::Found,
    /// Which calls may fail: none where the code undoes what suites replace them by.
    pub(crate) failures: Failures,
}

impl std::fmt::Debug for Loaded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Loaded").field("function", &self.subject.function).finish_non_exhaustive()
    }
}

/// `warn` gets what clang says of files that it accepts.
pub(crate) fn load(request: &Request, warn: &mut dyn FnMut(&str)) -> Result<Loaded> {
    let mut front_end = request.sources.front_end();
    front_end.keep_static = true;
    let mut files = request.sources.files.clone();
    files.extend(request.stub_files.iter().cloned());
    let mut units = front_end.compile(&files)?;
    sources::tell(&units, warn);
    let options = lower::Options { promote: true, types: true };
    let Covered { mut program, mut mappings } = lower_covered(&units, Some(&library), &options)?;
    if program.target.is_big_endian() {
        bail!(
            "compiled for {}: `covenant run` runs programs for big-endian machines, tests and proofs for them there are none",
            program.target
        );
    }
    let spaces = spaces::told(&program);
    if let Some(without) = spaces::left_out(&program, &front_end, &files, &options) {
        (front_end, units, Covered { program, mappings }) = without;
    }
    let (tested, entry) = find_entry(&program, &units, request)?;
    let name = entry.name.clone();
    let called = context::called(&mut program, tested, entry, request)?;
    let entry = &called.entry;
    if let Some(said) = assumed::said_of_inputs(request).next().filter(|_| entry.is_main) {
        bail!("{said}: `main` has no inputs that something could be said of");
    }
    if let Some((name, _)) = request.env.first().filter(|_| !entry.is_main) {
        bail!("--env {name}: only a whole program has an environment of its own, and `{}` is a function", entry.name);
    }
    if let Some((pointer, _)) = request.lengths.iter().find(|(p, _)| !entry.params.iter().any(|(name, _)| name == p)) {
        bail!("--length {pointer}: `{}` has no parameter of that name", entry.name);
    }
    let is_pointer = |ty: TypeId| matches!(program.types.stripped(ty), CType::Pointer(_));
    if let Some((name, _)) =
        entry.params.iter().find(|(name, ty)| request.lengths.iter().any(|(p, _)| p == name) && !is_pointer(*ty))
    {
        bail!("--length {name}: `{name}` is not a pointer");
    }
    let contents: Vec<Content> = units.iter().map(|unit| Content::of(unit, &program)).collect();
    let trees = Trees::of(&units);
    let wanted = request.wanted(&name);
    // The decisions of MC/DC come from a compilation of their own.
    let mut mapped = Vec::new();
    if wanted.needs_decisions() {
        mapped = FrontEnd { mcdc: true, ..front_end.clone() }.compile(&files)?;
    }
    let visible = visible(&units, entry.unit)?;
    let mut code = Code { units, program, mappings, elsewhere: Vec::new() };
    if !entry.is_main {
        driver::drive(&mut code, &front_end, (&called, tested), request, (&mut mapped, &visible))?;
    }
    let Code { units, mut program, mappings, elsewhere } = code;
    process::prepare(&mut program);
    world::leave_out_missing(&mut program);
    let start =
        program.function(if entry.is_main { "main" } else { DRIVER }).context("the driver of the function was lost")?;
    let (files, dirs) = looked_for::files(request, &program, start);
    let files_grow = request.files_grow || request.names_no_files();
    let failing = world::failing(&program, request);
    let undone = world::out_of_reach(&failing, units.iter().map(|unit| unit.path.clone()));
    // No test can make such a call fail, so no run may.
    let failures = if undone.is_some() { Failures::None } else { request.failures };
    let request = &Request { files, dirs, files_grow, failures, ..request.clone() };
    let unpromoted = match wanted.needs_lines() {
        true => Some(lower(&units, None, &lower::Options { promote: false, types: false })?),
        false => None,
    };
    let stand_ins = stubs::StandIns::of(&units, request.sources.files.len())?;
    let own = program.definitions(&entry.name).next().context("the function was lost")?;
    let assumed = scope::assumed(&program, start, own);
    let given = program.functions.keys().filter(|id| stand_ins.has(&program, *id));
    let chosen = called.through.as_ref().filter(|through| !through.text.is_empty()).map(|_| own);
    let outside: BTreeSet<FuncId> = given.chain(assumed.iter().copied()).chain(chosen).collect();
    let (mut objectives, mut notes, written) = objectives(
        &mut program,
        (&units, &trees),
        (&mappings, &mapped, unpromoted.as_ref()),
        (start, &outside),
        &wanted,
    )?;
    notes.extend(scope::told(&program, own, &assumed));
    let tested = program.definitions(&name).next().context("the function was lost")?;
    request.scope.mark(&program, tested, called.through.is_some(), &mut objectives);
    let Called { entry, through, note, .. } = called;
    let entry = reread(&program, entry);
    let callbacks = callbacks::settle(&mut program, &entry.params);
    let declared = if entry.is_main { Vec::new() } else { stubs::declared(&program, &trees, entry.unit, request) };
    stubs::settle(&mut program, trees.get(entry.unit), &declared);
    let (taken_for, words) = voids::settle(&mut program, &trees, &entry.params, &entry.origins);
    let va_args = variadic::settle(&mut program, &trees, &entry.name);
    program.types.add_byte();
    let globals = input_globals(&program, start, request.globals == Globals::Inputs && !entry.is_main);
    let globals: Vec<_> =
        globals.into_iter().filter(|&id| !stand_ins.globals.contains(&program.globals[id].name)).collect();
    // Nothing outside of a function can set its static variables.
    let (kept, globals): (Vec<_>, Vec<_>) = globals.into_iter().partition(|&id| program.globals[id].name.contains('.'));
    let reads = program.functions.values().any(|f| f.name == "__covenant_read");
    let fixed = given::limits(&entry, reads, request);
    let state = input_globals(&program, start, !entry.is_main);
    let looked_at =
        state.iter().copied().filter(|id| !globals.contains(id) && !program.globals[*id].name.contains('.')).collect();
    let mut info = describe(&program, (&units, &trees), &entry, (&globals, &state), &visible, request);
    info.undefined_globals = outside::declared(&program, &elsewhere);
    info.files.iter_mut().zip(contents).for_each(|(file, content)| file.content = content);
    for stub in &mut info.stubs {
        if let Some(callback) = callbacks.iter().find(|callback| callback.name == stub.name) {
            (stub.decl, stub.file) = (callback.decl.clone(), None);
        }
    }
    info.given_files = request.files.iter().chain(&request.dirs).map(|(name, _)| name.clone()).collect();
    info.given_env = request.env.iter().map(|(name, _)| name.clone()).collect();
    info.through = through;
    info.devices = request.devices.clone();
    let offered = outside::offered(&program, &state, &info);
    info.stub_globals = offered.iter().map(|(_, name)| name.clone()).collect();
    let (volatile, changes) = volatile::of(&program, start, &state, &info, request);
    info.volatile = volatile.objects;
    info.effects = world::effects(&program, start);
    info.jumping = world::jumping(&program);
    info.keeps = world::keeps(&program, start);
    let places: Vec<PathBuf> = info.files.iter().map(|file| file.absolute()).collect();
    info.heap = world::heap(&program, start, places.iter().map(PathBuf::as_path));
    info.labelled = world::labelled(&program, places.iter().map(PathBuf::as_path));
    info.rename_replaced();
    let mut assumptions = assumptions(&program, &entry, &globals, request);
    assumptions.extend(outside::assumption(&elsewhere));
    assumptions.extend(changes);
    assumptions.extend(fixed.clone());
    assumptions.extend(info.through.as_ref().map(context::assumption));
    assumptions.extend(note.clone());
    assumptions.extend(spaces);
    assumptions.extend(notes);
    assumptions.extend(words);
    let unsupported = world::unsupported(&program, start, request);
    assumptions.extend(unsupported.iter().map(|what| format!("not supported: {what}; a run ends there")));
    assumptions.extend(world::fixed(&program, start));
    assumptions.extend(world::assembly(&program, start));
    assumptions.extend(
        undone
            .as_ref()
            .map(|name| format!("no call fails: tests cannot replace {name} where the code undoes the macro")),
    );
    context::hide(&mut program, info.through.as_ref(), &entry.name);
    let devices = request.devices.iter().map(|&(start, size)| Device { start, size }).collect();
    let image = Image::with_devices(Arc::new(program), Checks { marks: true, ..Checks::default() }, devices);
    let subject = Subject {
        image,
        entry: start,
        function: name,
        called: entry.name,
        params: entry.params,
        taken_for,
        va_args,
        returns: entry.returns,
        globals,
        kept,
        state: looked_at,
        offered: offered.into_iter().map(|(id, _)| id).collect(),
        volatile,
        is_main: entry.is_main,
        fixed,
        objectives,
        written,
    };
    let (inputs, files) = (request.inputs(), (request.files.clone(), request.dirs.clone()));
    Ok(Loaded { subject, info, assumptions, unsupported, wanted, trees, inputs, note, files, failures })
}

fn find_entry(program: &Program, units: &[Unit], request: &Request) -> Result<(FuncId, Entry)> {
    let name = request.function.clone().unwrap_or_else(|| "main".to_owned());
    let Some(id) = program.definitions(&name).next() else {
        let mut known: Vec<&str> = program
            .functions
            .values()
            .filter(|f| f.origin == Origin::Subject && f.body.is_some())
            .map(|f| f.source_name())
            .collect();
        known.sort_unstable();
        let hint = if request.function.is_none() { "; name one with -f" } else { "" };
        bail!("there is no function `{name}` with a body in these files{hint}. There are: {}", known.join(", "));
    };
    let places: BTreeSet<_> = program.definitions(&name).map(|id| program.functions[id].loc.file()).collect();
    let in_first = |file: &str| {
        units.first().is_some_and(|unit| Path::new(file).ends_with(&unit.file) || unit.path.ends_with(file))
    };
    let function = &program.functions[id];
    if places.len() > 1 && !function.loc.file().is_some_and(|f| in_first(&program.files[f].name)) {
        let names = places.into_iter().flatten().map(|f| format!("{}:{name}", program.files[f].name));
        bail!("there are several functions `{name}`; say which with -f: {}", names.collect::<Vec<_>>().join(", "));
    }
    let file = function.loc.file().map(|f| Path::new(&program.files[f].directory).join(&program.files[f].name));
    let same = |unit: &Unit| file.as_ref().is_some_and(|f| f.ends_with(&unit.file) || unit.path == *f);
    let unit = units.iter().position(same).unwrap_or(0);
    Ok((id, signature(program, id, name, unit)))
}

/// Types have other numbers in the program with the driver.
fn reread(program: &Program, entry: Entry) -> Entry {
    let found = program.definitions(&entry.name).next();
    match found {
        Some(id) => Entry { origins: entry.origins, ..signature(program, id, entry.name, entry.unit) },
        None => entry,
    }
}

fn objectives(
    program: &mut Program,
    (units, trees): (&[Unit], &Trees),
    (mappings, mapped, unpromoted): (&[Mapping], &[Unit], Option<&Program>),
    (start, outside): (FuncId, &BTreeSet<FuncId>),
    wanted: &Wanted,
) -> Result<(Vec<covenant_goals::Objective>, Vec<String>, Written)> {
    let decisions = if mapped.is_empty() { Vec::new() } else { self::mappings(mapped)? };
    let mut functions = branch::reachable(program, start);
    functions.retain(|id| !outside.contains(id));
    let directories: Vec<PathBuf> = units.iter().map(|unit| unit.directory.clone()).collect();
    let sources = Sources::new(directories);
    let source = |name: &str| sources.lines(name);
    let known = Known { mappings, decisions: &decisions, unpromoted, source: &source, trees };
    // Before criteria put instructions into the code.
    let written = Written::new(&branch::objectives(program, &functions, mappings, &source));
    let (made, notes) = criteria::objectives(program, &functions, &known, wanted);
    debug_assert_eq!(covenant_program::verify::verify(program), Ok(()));
    Ok((made, notes, written))
}

/// What clang's coverage mapping says of each function, by symbol.
fn mappings(units: &[Unit]) -> Result<Vec<Mapping>> {
    let options = lower::Options { promote: false, types: false };
    let bitcode = match units {
        [unit] => unit.bitcode.clone(),
        _ => lower::link(units, &options)?,
    };
    read_bitcode(&bitcode).context("the coverage mapping of clang cannot be read")
}

fn input_globals(program: &Program, start: FuncId, wanted: bool) -> Vec<GlobalId> {
    if !wanted {
        return Vec::new();
    }
    let is_input = |id: &GlobalId| {
        let global = &program.globals[*id];
        global.origin == Origin::Subject && !global.constant && global.init.is_some() && global.ty.is_some()
    };
    outside::used(program, start).into_iter().filter(is_input).collect()
}

/// The symbols that the entry's file declares and uses, and the driver behind it. Of one file there is nothing to tell apart.
fn visible(units: &[Unit], entry: usize) -> Result<BTreeSet<String>> {
    if units.len() == 1 {
        return Ok(BTreeSet::new());
    }
    let own = lower(&units[entry..=entry], None, &lower::Options { promote: false, types: false })?;
    let globals = own.globals.values().map(|g| g.name.clone());
    let functions = own.functions.values().map(|f| f.name.clone());
    Ok(globals.chain(functions).chain([DRIVER.to_owned()]).collect())
}

/// `globals` are those that are inputs, and all that the code uses; `visible` what the entry's file can name.
fn describe(
    program: &Program,
    (units, trees): (&[Unit], &Trees),
    entry: &Entry,
    (globals, state): (&[GlobalId], &[GlobalId]),
    visible: &BTreeSet<String>,
    request: &Request,
) -> SubjectInfo {
    let types = &program.types;
    let declared = |name: &str, ty: TypeId| Declared {
        name: name.to_owned(),
        decl: types.spell(ty, name),
        size: types.size_of(ty).unwrap_or(0),
        aggregate: match types.stripped(ty) {
            CType::Struct(_) | CType::Union(_) | CType::Array { .. } => true,
            CType::Opaque { name, .. } => name.contains("vector"),
            _ => false,
        },
        number: match types.stripped(ty) {
            CType::Bool => Some(Number::Unsigned),
            CType::Int { signed, .. } => Some(if *signed { Number::Signed } else { Number::Unsigned }),
            CType::Enum(e) => Some(if e.signed { Number::Signed } else { Number::Unsigned }),
            CType::Float { .. } => Some(Number::Float),
            _ => None,
        },
        ..Declared::default()
    };
    let file = |unit: &Unit| SubjectFile {
        path: unit.path.clone(),
        flags: unit.flags.clone(),
        directory: unit.directory.clone(),
        ..SubjectFile::default()
    };
    let elsewhere = (0..units.len()).find(|index| *index != entry.unit);
    let place = |name: &str| elsewhere.filter(|_| !visible.contains(name));
    let global = |&id: &GlobalId| {
        let global = &program.globals[id];
        let name = global.source_name.clone().unwrap_or_else(|| global.name.clone());
        let file = place(&global.name);
        let linkage = match () {
            () if global.name.contains('.') => Linkage::Local,
            () if global.internal && file.is_some() => Linkage::Internal,
            () => Linkage::External,
        };
        Some(Declared { linkage, file, ..declared(&name, global.ty?) })
    };
    let functions = program.functions.values().filter(|f| f.origin == Origin::Subject && f.body.is_some());
    let functions = functions.filter_map(|f| {
        let linkage = if f.source.internal { Linkage::Internal } else { Linkage::External };
        Some(NamedFunction { name: f.source_name().to_owned(), file: Some(place(&f.name)?), linkage })
    });
    let given = globals.iter().chain(state).filter_map(|&id| Some(("", program.globals[id].ty?)));
    let params = entry.params.iter().map(|(_, ty)| ("", *ty));
    let roots: Vec<(&str, TypeId)> = params.chain(entry.returns.map(|ty| ("", ty))).chain(given).collect();
    let shared_names = |tree| shared::names(program, tree, &|name| place(name).is_some());
    SubjectInfo {
        files: units.iter().map(file).collect(),
        function: entry.name.clone(),
        entry_file: entry.unit,
        params: entry.params.iter().chain(&entry.main_params).map(|(name, ty)| declared(name, *ty)).collect(),
        returns: entry.returns.map(|ty| declared("result", ty)),
        is_main: entry.is_main,
        variadic: program.definitions(&entry.name).next().is_some_and(|id| program.functions[id].variadic),
        stubs: declared_stubs(program, trees, entry.unit, request),
        globals: globals.iter().filter_map(global).collect(),
        state: state.iter().filter(|id| !globals.contains(id)).filter_map(global).collect(),
        bit_fields: program.types.bit_fields(),
        functions: functions.collect(),
        hidden_types: trees.get(entry.unit).map(|tree| hidden::definitions(types, tree, &roots)).unwrap_or_default(),
        shared_names: trees.get(entry.unit).map(shared_names).unwrap_or_default(),
        fixed: world::fixed_names(program),
        failing: world::failing(program, request),
        ..SubjectInfo::default()
    }
}

/// What the code is assumed to meet outside of it.
fn environment(program: &Program, request: &Request) -> Vec<String> {
    let mut list = vec!["a run ends at its first run-time error: what only comes after one is not reached".to_owned()];
    let has = |name: &str| program.functions.values().any(|f| f.name == name);
    let library = |f: &covenant_program::ir::Function| f.origin == Origin::Library && f.body.is_some();
    if program.functions.values().any(|f| library(f) && f.name != "__covenant_start") {
        let but = if request.files.is_empty() && request.env.is_empty() { "" } else { " but those that are inputs" };
        list.push(format!(
            "the C library is the one that comes with covenant: fixed clock, no environment, no files{but}"
        ));
    }
    if has("__covenant_alloc") {
        list.push(match request.failures {
            Failures::None => "memory is never used up: malloc and its kin succeed".to_owned(),
            _ => "memory may be used up: a call of malloc or its kin may fail".to_owned(),
        });
    }
    for (start, size) in &request.devices {
        list.push(format!("device registers at {start:#x}, {size} bytes: each volatile read gives any value"));
    }
    if program.types.iter().any(|(_, ty)| matches!(ty, CType::Union(_))) {
        list.push("a union among the inputs holds its largest member".to_owned());
    }
    for stub in stubs(program, request).iter().filter(|stub| !stub.library || request.stub_any(&stub.name)) {
        let is_callback = |f: &covenant_program::ir::Function| f.name == stub.name && f.source.ty.is_some();
        let whose = match stub.library {
            true => "in place of the C library's",
            false if program.functions.values().any(is_callback) => "which stands for a caller's function",
            false => "which nothing defines",
        };
        list.push(format!("{}, {whose}, {}", stub.name, stub.kind.does()));
    }
    list.push(
        "objects lie at addresses of covenant's choice, aligned to 16; memory never written reads as 0".to_owned(),
    );
    list
}

fn assumptions(program: &Program, entry: &Entry, globals: &[GlobalId], request: &Request) -> Vec<String> {
    let mut list = Vec::new();
    let null = if request.pointers == Pointers::Nullable { "NULL or " } else { "" };
    let shared =
        if request.distinct { ", each of its own" } else { ", or an object of that type that is there already" };
    let has_pointer =
        |ty: TypeId| program.types.leaves(ty).any(|leaf| matches!(program.types.stripped(leaf.ty), CType::Pointer(_)));
    for (name, ty) in &entry.params {
        if has_pointer(*ty) {
            list.push(format!(
                "pointers in {name}: {null}{} elements (structs with pointers: one){shared}; text ends with a zero byte",
                request.elements()
            ));
        }
    }
    if globals.is_empty() {
        list.push("globals have their initial values".to_owned());
    } else {
        list.push(format!("{} globals that the code uses can have any value on entry", globals.len()));
    }
    list.extend(environment(program, request));
    list.extend(assumed::said_of_inputs(request));
    list
}
