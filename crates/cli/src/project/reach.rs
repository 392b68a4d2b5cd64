//! What the code of functions leads to, across the files of a project.

use std::collections::BTreeSet;
use std::rc::Rc;

use covenant_program::analysis::call_graph::{self, Names};
use covenant_program::ir::{FuncId, GlobalId, Symbol};

use super::catalogue::Catalogue;
use super::components::{components, members};

/// Something with a name in one of the modules.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Item {
    Function(usize, FuncId),
    Global(usize, GlobalId),
}

/// All functions and variables of a project by number, with what each names itself.
pub(super) struct Graph {
    pub(super) items: Vec<Item>,
    /// The numbers of the first function and of the first variable of each module.
    starts: Vec<(usize, usize)>,
    pub(super) next: Vec<Vec<u32>>,
    /// The part of the graph that each is in: those that lead to each other are in one.
    pub(super) component: Vec<u32>,
    /// Each behind those that it leads to.
    pub(super) components: Vec<Component>,
}

pub(super) struct Component {
    pub(super) members: Vec<u32>,
    /// The other components that they name.
    pub(super) next: BTreeSet<u32>,
    /// The modules of all that it leads to, itself included.
    modules: Rc<BTreeSet<usize>>,
    /// Something of that calls through a pointer.
    indirect: bool,
    /// The longest way to something that leads no further.
    height: usize,
}

/// What some functions lead to.
pub(super) struct Reach {
    /// Where it starts, as numbers of the graph.
    pub(super) roots: BTreeSet<u32>,
    /// Its own first.
    pub(super) modules: Vec<usize>,
    /// A pointer says what is called: any function of the files may be.
    pub(super) indirect: bool,
    /// Larger than that of all functions that it calls, but for those that lead back to it.
    pub(super) height: usize,
}

impl Graph {
    pub(super) fn new(catalogue: &Catalogue) -> Graph {
        let (mut items, mut starts) = (Vec::new(), Vec::new());
        for (index, module) in catalogue.modules.iter().enumerate() {
            let first = items.len();
            items.extend(module.program.functions.keys().map(|id| Item::Function(index, id)));
            starts.push((first, items.len()));
            items.extend(module.program.globals.keys().map(|id| Item::Global(index, id)));
        }
        let mut graph = Graph { items, starts, next: Vec::new(), component: Vec::new(), components: Vec::new() };
        let mut indirect = Vec::new();
        for &item in &graph.items {
            let (next, calls_pointers) = graph.named(catalogue, item);
            graph.next.push(next);
            indirect.push(calls_pointers);
        }
        graph.put_together(&indirect);
        graph
    }

    pub(super) fn number(&self, item: Item) -> u32 {
        let number = match item {
            Item::Function(module, id) => self.starts[module].0 + id.as_u32() as usize,
            Item::Global(module, id) => self.starts[module].1 + id.as_u32() as usize,
        };
        u32::try_from(number).unwrap_or(u32::MAX)
    }

    /// All numbers of a module.
    pub(super) fn of_module(&self, module: usize) -> std::ops::Range<usize> {
        let end = self.starts.get(module + 1).map_or(self.items.len(), |next| next.0);
        self.starts[module].0..end
    }

    /// What one names, and whether it calls through pointers.
    fn named(&self, catalogue: &Catalogue, item: Item) -> (Vec<u32>, bool) {
        let (mut found, mut indirect) = (Vec::new(), false);
        match item {
            Item::Function(module, id) => {
                let function = &catalogue.modules[module].program.functions[id];
                match &function.body {
                    None => found.extend(catalogue.function(&function.name).map(|(m, id)| Item::Function(m, id))),
                    Some(body) => {
                        let names = Names::of(body);
                        indirect = names.calls_pointers;
                        let functions = names.calls.into_iter().chain(names.addresses);
                        found.extend(functions.map(|callee| Item::Function(module, callee)));
                        found.extend(names.globals.into_iter().map(|global| Item::Global(module, global)));
                    }
                }
            }
            Item::Global(module, id) => {
                let program = &catalogue.modules[module].program;
                let global = &program.globals[id];
                if global.init.is_none() {
                    found.extend(catalogue.global(&global.name).map(|(m, id)| Item::Global(m, id)));
                }
                found.extend(call_graph::symbols(program, id).map(|symbol| match symbol {
                    Symbol::Global(id) => Item::Global(module, id),
                    Symbol::Func(id) | Symbol::Label(id, _) => Item::Function(module, id),
                }));
            }
        }
        let numbers: BTreeSet<u32> = found.into_iter().map(|item| self.number(item)).collect();
        (numbers.into_iter().collect(), indirect)
    }

    fn put_together(&mut self, indirect: &[bool]) {
        let (component, count) = components(&self.next);
        for (number, members) in (0..).zip(members(&component, count)) {
            let named = members.iter().flat_map(|&member| &self.next[member as usize]);
            let next: BTreeSet<u32> = named.map(|&to| component[to as usize]).filter(|to| *to != number).collect();
            let behind: Vec<&Component> = next.iter().map(|&to| &self.components[to as usize]).collect();
            let own: BTreeSet<usize> = members.iter().map(|&member| self.module(member)).collect();
            // Most have the modules of one that they lead to, and share its list.
            let largest = behind.iter().map(|component| &component.modules).max_by_key(|modules| modules.len());
            let has_all = |largest: &&Rc<BTreeSet<usize>>| {
                own.is_subset(largest)
                    && behind.iter().all(|c| Rc::ptr_eq(&c.modules, largest) || c.modules.is_subset(largest))
            };
            let modules = match largest.filter(has_all) {
                Some(shared) => Rc::clone(shared),
                None => Rc::new(own.into_iter().chain(behind.iter().flat_map(|c| c.modules.iter().copied())).collect()),
            };
            let component = Component {
                indirect: members.iter().any(|&member| indirect[member as usize]) || behind.iter().any(|c| c.indirect),
                height: behind.iter().map(|component| component.height + 1).max().unwrap_or(0),
                modules,
                members,
                next,
            };
            self.components.push(component);
        }
        self.component = component;
    }

    fn module(&self, number: u32) -> usize {
        match self.items[number as usize] {
            Item::Function(module, _) | Item::Global(module, _) => module,
        }
    }

    pub(super) fn component(&self, number: u32) -> &Component {
        &self.components[self.component[number as usize] as usize]
    }

    /// From functions of one module, and from what options name.
    pub(super) fn reach(
        &self,
        catalogue: &Catalogue,
        module: usize,
        functions: &[FuncId],
        names: &BTreeSet<String>,
    ) -> Reach {
        let mut roots: BTreeSet<u32> = functions.iter().map(|&id| self.number(Item::Function(module, id))).collect();
        if !names.is_empty() {
            let program = &catalogue.modules[module].program;
            let named = |name: &str| names.contains(name);
            let functions = program.functions.iter().filter(|(_, f)| named(f.source_name()));
            roots.extend(functions.map(|(id, _)| self.number(Item::Function(module, id))));
            let globals = program.globals.iter().filter(|(_, g)| g.source_name.as_deref().is_some_and(named));
            roots.extend(globals.map(|(id, _)| self.number(Item::Global(module, id))));
        }
        let parts: Vec<&Component> = roots.iter().map(|&root| self.component(root)).collect();
        let all: BTreeSet<usize> = parts.iter().flat_map(|part| part.modules.iter().copied()).collect();
        // Its own module is the first, whatever else there is.
        let modules = std::iter::once(module).chain(all.into_iter().filter(|&other| other != module)).collect();
        let indirect = parts.iter().any(|part| part.indirect);
        let height = parts.iter().map(|part| part.height).max().unwrap_or(0);
        Reach { roots, modules, indirect, height }
    }
}
