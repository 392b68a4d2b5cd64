//! What the code of a function leads to, across the files of a project.

use std::collections::BTreeSet;

use covenant_program::analysis::call_graph::{self, Names};
use covenant_program::ir::{FuncId, GlobalId, Symbol};

use super::catalogue::Catalogue;

/// Something with a name in one of the modules.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Item {
    Function(usize, FuncId),
    Global(usize, GlobalId),
}

#[derive(Default)]
pub(super) struct Reach {
    /// Its own first.
    pub(super) modules: Vec<usize>,
    pub(super) functions: BTreeSet<(usize, FuncId)>,
    pub(super) globals: BTreeSet<(usize, GlobalId)>,
    /// A pointer says what is called: any function of the files may be.
    pub(super) indirect: bool,
}

impl Reach {
    /// From functions of one module, and from what options name.
    pub(super) fn new(catalogue: &Catalogue, module: usize, functions: &[FuncId], names: &BTreeSet<String>) -> Reach {
        let mut reach = Reach::default();
        let mut seen = BTreeSet::new();
        let mut open: Vec<Item> = functions.iter().map(|&id| Item::Function(module, id)).collect();
        let program = &catalogue.modules[module].program;
        let named = |name: &str| names.contains(name);
        let functions = program.functions.iter().filter(|(_, f)| named(f.source_name()));
        open.extend(functions.map(|(id, _)| Item::Function(module, id)));
        let globals = program.globals.iter().filter(|(_, g)| g.source_name.as_deref().is_some_and(named));
        open.extend(globals.map(|(id, _)| Item::Global(module, id)));
        // Its own module is the first, whatever else there is.
        reach.modules.push(module);
        while let Some(item) = open.pop() {
            if seen.insert(item) {
                reach.visit(catalogue, item, &mut open);
            }
        }
        if reach.indirect {
            for &module in &reach.modules {
                let program = &catalogue.modules[module].program;
                reach.functions.extend(program.functions.keys().map(|id| (module, id)));
                reach.globals.extend(program.globals.keys().map(|id| (module, id)));
            }
        }
        reach
    }

    fn visit(&mut self, catalogue: &Catalogue, item: Item, open: &mut Vec<Item>) {
        let (Item::Function(module, _) | Item::Global(module, _)) = item;
        if !self.modules.contains(&module) {
            self.modules.push(module);
        }
        let program = &catalogue.modules[module].program;
        match item {
            Item::Function(_, id) => {
                self.functions.insert((module, id));
                let function = &program.functions[id];
                let Some(body) = &function.body else {
                    open.extend(catalogue.function(&function.name).map(|(m, id)| Item::Function(m, id)));
                    return;
                };
                let names = Names::of(body);
                self.indirect |= names.calls_pointers;
                let functions = names.calls.into_iter().chain(names.addresses);
                open.extend(functions.map(|callee| Item::Function(module, callee)));
                open.extend(names.globals.into_iter().map(|global| Item::Global(module, global)));
            }
            Item::Global(_, id) => {
                self.globals.insert((module, id));
                let global = &program.globals[id];
                if global.init.is_none() {
                    open.extend(catalogue.global(&global.name).map(|(m, id)| Item::Global(m, id)));
                }
                open.extend(call_graph::symbols(program, id).map(|symbol| match symbol {
                    Symbol::Global(id) => Item::Global(module, id),
                    Symbol::Func(id) | Symbol::Label(id, _) => Item::Function(module, id),
                }));
            }
        }
    }
}
