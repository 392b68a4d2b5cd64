//! Names of locations and variables that are the same whenever the flow of the same program is built.
//!
//! The key of a location is the chain of calls that leads to it, outermost first, and its place in the last function:
//! `main/i4>work/i7>step:bb2`. `i4` is the instruction that calls, by its number in the calling function; functions are
//! named by their symbol, which is unique in a program. Behind the colon stands
//!
//! * `bb2`: the start of block 2, as `covenant ir` prints it;
//! * `bb2.1`: way 1 out of block 2, before it sets the parameters of its target;
//! * `after-i7`: behind the call with instruction 7;
//! * `root`: before anything of the program has run.
//!
//! A variable is told by what it is in the program: `value CHAIN v7` (an SSA value of a chain of calls), `offset CHAIN v7 OBJECT`
//! (how far a pointer is from the start of its object), `cell OBJECT 8 4` (four bytes of an object), `bytes OBJECT` (all of
//! them), or `memory`. An object is `global:NAME` or `local:CHAIN:v3`.

use covenant_constraints::smtlib::named::{BitsFunction, Names};
use covenant_constraints::smtlib::parse::Scope;
use covenant_constraints::{TermId, Terms};
use covenant_program::ir::Program;
use rustc_hash::FxHashMap;

use crate::flow::{ContextId, Flow, LocationId, Owner, RegionId, Source, Spot};

/// What the names of functions that a certificate defines start with.
pub(super) const INVARIANT: &str = "inv_";
pub(super) const BITS: &str = "bits_";

/// The keys of all locations of a flow, both ways.
#[derive(Clone, Debug)]
pub struct Keys {
    keys: FxHashMap<LocationId, String>,
    locations: FxHashMap<String, LocationId>,
}

impl Keys {
    /// The keys of all locations.
    pub fn new(program: &Program, flow: &Flow) -> Keys {
        let mut chains: FxHashMap<ContextId, String> = FxHashMap::default();
        let mut keys = Keys { keys: FxHashMap::default(), locations: FxHashMap::default() };
        for (id, location) in flow.locations.iter() {
            let chain = chains.entry(location.context).or_insert_with(|| chain(program, flow, location.context));
            let base = format!("{chain}:{}", spot(location.spot));
            let (mut key, mut number) = (base.clone(), 1);
            // Spots are unique in their context. Should a flow have two of one kind, they are told apart by their order.
            while keys.locations.contains_key(&key) {
                number += 1;
                key = format!("{base}#{number}");
            }
            keys.locations.insert(key.clone(), id);
            keys.keys.insert(id, key);
        }
        keys
    }

    /// The name of a location in files: the same in each flow of the same program.
    pub fn key(&self, location: LocationId) -> &str {
        self.keys.get(&location).map_or("", String::as_str)
    }

    /// The location of a name, if the flow has it.
    pub fn location(&self, key: &str) -> Option<LocationId> {
        self.locations.get(key).copied()
    }
}

/// The functions of a chain of calls, outermost first.
fn chain(program: &Program, flow: &Flow, context: ContextId) -> String {
    let (mut parts, mut at) = (Vec::new(), Some(context));
    let mut call = String::new();
    while let Some(context) = at.and_then(|id| flow.contexts.get(id)) {
        let name = program.functions.get(context.function).map_or("?", |f| f.name.as_str());
        parts.push(format!("{}{call}", plain(name)));
        at = context.caller.map(|(caller, _)| caller);
        call = context.caller.map_or(String::new(), |(_, inst)| format!("/{inst}"));
    }
    parts.reverse();
    parts.join(">")
}

/// What a variable is, in words that do not need this flow to be understood.
pub(super) fn meant(program: &Program, flow: &Flow, source: &Source) -> String {
    match *source {
        Source::Register { context, value, .. } => format!("value {} {value}", chain(program, flow, context)),
        Source::Offset { context, value, region } => {
            format!("offset {} {value} {}", chain(program, flow, context), object(program, flow, region))
        }
        Source::Cell { region, offset, size } => format!("cell {} {offset} {size}", object(program, flow, region)),
        Source::Bytes { region } => format!("bytes {}", object(program, flow, region)),
        Source::Outer => "memory".to_owned(),
    }
}

fn object(program: &Program, flow: &Flow, region: RegionId) -> String {
    match flow.regions.get(region).map(|region| region.owner) {
        Some(Owner::Local(context, value)) => format!("local:{}:{value}", chain(program, flow, context)),
        Some(Owner::Global(id)) => {
            format!("global:{}", program.globals.get(id).map_or_else(|| "?".to_owned(), |g| plain(&g.name)))
        }
        None => "?".to_owned(),
    }
}

fn spot(spot: Spot) -> String {
    match spot {
        Spot::Block(block) => block.to_string(),
        Spot::Way(block, way) => format!("{block}.{way}"),
        Spot::After(inst) => format!("after-{inst}"),
        Spot::Label(inst) => format!("label-{inst}"),
        Spot::Root => "root".to_owned(),
    }
}

/// A symbol without what ends a string or a word of a certificate.
fn plain(name: &str) -> String {
    name.chars().map(|c| if c == '"' || c.is_whitespace() || c.is_control() { '_' } else { c }).collect()
}

/// The names of everything in a flow. It is the same for all certificates, and so made once.
#[derive(Clone, Debug)]
pub struct Index {
    pub(super) keys: Keys,
    /// Of all variables, choices too.
    pub(super) names: Names,
    /// What the names of the variables of the state mean.
    pub(super) state: Scope,
}

impl Index {
    /// Locations and variables of a flow by their names in files.
    pub fn new(terms: &mut Terms, program: &Program, flow: &Flow) -> Index {
        let mut names = Names::reserving(&[INVARIANT, BITS, BitsFunction::PREFIX]);
        let mut all: Vec<_> = flow.variables.keys().copied().collect();
        all.sort_unstable();
        all.into_iter().for_each(|var| names.add(terms, var));
        // Choices come behind, so that what the state is called does not depend on them.
        let state = names.scope(terms);
        let edges = flow.edges.values();
        let roots: Vec<TermId> =
            edges.flat_map(|e| e.guard.iter().copied().chain(e.assign.iter().map(|(_, t)| *t))).collect();
        terms.variables(&roots).into_iter().for_each(|var| names.add(terms, var));
        Index { keys: Keys::new(program, flow), names, state }
    }
}
