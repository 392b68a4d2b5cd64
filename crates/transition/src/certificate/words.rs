//! Locations and variables as people know them: by the source.

use covenant_program::ir::{Def, Inst, Loc, Op, Program, Value};

use crate::flow::{ContextId, Flow, LocationId, Owner, RegionId, Source, Spot};

/// The lines of the source files, for comments.
pub(super) type Lines<'a> = &'a dyn Fn(&str, u32) -> Option<String>;

/// `f.c:12`, without the directory; nothing where it is not known.
fn line(program: &Program, loc: Loc) -> Option<String> {
    let file = program.files.get(loc.file()?)?;
    let name = file.name.rsplit('/').next().unwrap_or(&file.name);
    (loc.line > 0).then(|| format!("{name}:{}", loc.line))
}

/// Where a location is: file, line, function and how it was called.
pub(super) fn place(program: &Program, flow: &Flow, id: LocationId) -> String {
    let location = &flow.locations[id];
    if location.spot == Spot::Root {
        return "the start".to_owned();
    }
    let function = function(program, flow, location.context);
    let line = line(program, location.loc).unwrap_or_else(|| "an unknown line".to_owned());
    format!("{line} in {function}{}", called_from(program, flow, location.context))
}

/// The text of the source line of a location.
pub(super) fn text(program: &Program, flow: &Flow, id: LocationId, lines: Lines<'_>) -> Option<String> {
    let loc = flow.locations[id].loc;
    let file = program.files.get(loc.file()?)?;
    let text = lines(&file.name, loc.line)?;
    Some(text.trim().to_owned()).filter(|t| !t.is_empty())
}

fn function<'p>(program: &'p Program, flow: &Flow, context: ContextId) -> &'p str {
    program.functions.get(flow.contexts[context].function).map_or("?", |f| f.source_name())
}

/// What calls the function under test is no code of the user's.
fn is_driver(program: &Program, flow: &Flow, context: ContextId) -> bool {
    program.functions.get(flow.contexts[context].function).is_some_and(|f| f.name.starts_with("__covenant"))
}

/// ` (called at a.c:3, a.c:9)`, innermost call first; the call by a driver, which is no code of the user's, is not named.
fn called_from(program: &Program, flow: &Flow, context: ContextId) -> String {
    let (mut calls, mut at) = (Vec::new(), context);
    while let Some((caller, inst)) = flow.contexts[at].caller {
        if !is_driver(program, flow, caller) {
            calls.extend(call_line(program, flow, caller, inst));
        }
        at = caller;
    }
    if calls.is_empty() { String::new() } else { format!(" (called at {})", calls.join(", ")) }
}

fn call_line(program: &Program, flow: &Flow, context: ContextId, inst: Inst) -> Option<String> {
    let body = program.functions.get(flow.contexts[context].function)?.body.as_ref()?;
    line(program, body.insts.get(inst)?.loc)
}

/// What a variable of the state is.
pub(super) fn variable(program: &Program, flow: &Flow, source: &Source) -> String {
    match *source {
        Source::Register { context, value, .. } => register(program, flow, context, value),
        Source::Offset { context, value, region } => {
            let pointer = register(program, flow, context, value);
            format!("{pointer}, as the distance from the start of {}", self::region(program, flow, region))
        }
        Source::Cell { region, offset, size } => {
            let last = offset.saturating_add(u64::from(size)).saturating_sub(1);
            format!("bytes {offset} to {last} of {}", self::region(program, flow, region))
        }
        Source::Bytes { region } => format!("all bytes of {}", self::region(program, flow, region)),
        Source::Outer => "all memory that has no variable of its own, by address".to_owned(),
    }
}

fn register(program: &Program, flow: &Flow, context: ContextId, value: Value) -> String {
    let name = local(program, flow, context, value).unwrap_or_else(|| "a value".to_owned());
    if is_driver(program, flow, context) {
        return format!("{name} on entry");
    }
    format!("{name} in {}{}", function(program, flow, context), called_from(program, flow, context))
}

fn region(program: &Program, flow: &Flow, region: RegionId) -> String {
    match flow.regions.get(region).map(|r| r.owner) {
        Some(Owner::Global(id)) => {
            let global = program.globals.get(id);
            let name = global.map(|g| g.source_name.as_deref().unwrap_or(&g.name));
            format!("the global {}", name.unwrap_or("?"))
        }
        Some(Owner::Local(context, value)) => register(program, flow, context, value),
        None => "an object".to_owned(),
    }
}

/// The source variable whose value an SSA value is, or where it is computed.
fn local(program: &Program, flow: &Flow, context: ContextId, value: Value) -> Option<String> {
    let body = program.functions.get(flow.contexts[context].function)?.body.as_ref()?;
    let data = body.values.get(value)?;
    // What was read from a variable in memory goes by its name too.
    let read = match data.def {
        Def::Result { inst, .. } => body.insts.get(inst).and_then(|i| match i.op {
            Op::Load { ptr, .. } => body.values.get(ptr),
            _ => None,
        }),
        _ => None,
    };
    let named = [Some(data), read].into_iter().flatten().find_map(|d| d.var.expand());
    if let Some(variable) = named.and_then(|v| body.variables.get(v)) {
        let line = variable.line > 0 && !is_driver(program, flow, context);
        let line = if line { format!(" (line {})", variable.line) } else { String::new() };
        return Some(format!("{}{line}", variable.name));
    }
    let loc = match data.def {
        Def::Result { inst, .. } => body.insts.get(inst)?.loc,
        Def::Param { block, .. } => body.blocks.get(block)?.term_loc,
        Def::Const(_) => return None,
    };
    line(program, loc).map(|line| format!("the value {value} of {line}"))
}
