//! Which definition a name means, and what remains to be lowered.

use std::collections::{HashMap, VecDeque};
use std::rc::Rc;

use cranelift_entity::{EntityRef, SecondaryMap};

use super::ctypes::TypeReader;
use super::debug::Files;
use super::function::FunctionLowering;
use super::library::{Definitions, definition};
use super::llvm::{AttributeKinds, Bb, Linkage, Module, Ty, Val, ValueKind};
use super::types::Types;
use super::{Error, FLUSH_STREAMS, LIBRARY_ROOTS};
use crate::ir::{
    Block, FuncId, Function, FunctionSource, Global, GlobalId, Loc, Origin, Program, Symbol, Target, Type,
};

/// What a global symbol stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Address {
    Func(FuncId),
    Global(GlobalId, i64),
    /// A weak symbol that nothing defines.
    Null,
}

enum Work<'m> {
    Function(FuncId, Val<'m>),
    Global(GlobalId, Val<'m>),
}

/// A lowering in progress.
pub(super) struct Lowering<'m> {
    subject: &'m Module<'m>,
    library: Option<&'m dyn Definitions>,
    pub(super) types: Types<'m>,
    pub(super) attributes: AttributeKinds,
    pub(super) files: Files<'m>,
    pub(super) program: Program,
    /// Only where types were asked for.
    pub(super) c_types: Option<TypeReader<'m>>,
    addresses: HashMap<Val<'m>, Address>,
    defined: SecondaryMap<FuncId, bool>,
    /// Symbols that no module defines, by name.
    undefined: HashMap<String, Address>,
    /// Names of the intrinsics, by the function that declares them; `None` for ordinary functions.
    intrinsics: HashMap<Val<'m>, Option<Rc<str>>>,
    labels: HashMap<Val<'m>, Rc<HashMap<Bb<'m>, Block>>>,
    work: VecDeque<Work<'m>>,
}

impl<'m> Lowering<'m> {
    pub(super) fn new(
        subject: &'m Module<'m>,
        library: Option<&'m dyn Definitions>,
        (c_types, target): (Option<TypeReader<'m>>, Target),
    ) -> Lowering<'m> {
        Lowering {
            subject,
            library,
            types: Types::new(subject, target),
            attributes: AttributeKinds::new(),
            files: Files::default(),
            program: Program { target, ..Program::default() },
            c_types,
            addresses: HashMap::new(),
            defined: SecondaryMap::new(),
            undefined: HashMap::new(),
            intrinsics: HashMap::new(),
            labels: HashMap::new(),
            work: VecDeque::new(),
        }
    }

    pub(super) fn run(mut self) -> Result<Program, Error> {
        let subject = self.subject;
        let instrumented = subject.functions().any(|f| f.name().starts_with(COUNTERS));
        for function in subject.functions().filter(|f| !f.is_declaration()) {
            if !instrumented || function.linkage() != Linkage::LLVMInternalLinkage || is_counted(function) {
                self.address(function);
            }
        }
        for global in subject.globals().filter(|g| is_visible(*g)) {
            self.address(global);
        }
        self.program.constructors = self.registered("llvm.global_ctors");
        // The array of destructors is run from its end.
        self.program.destructors = self.registered("llvm.global_dtors");
        self.program.destructors.reverse();
        if subject.symbol("main").is_some_and(|main| !main.is_declaration()) {
            for root in LIBRARY_ROOTS {
                if let Some(root) = self.library.and_then(|l| l.definition(root)) {
                    self.address(root);
                }
            }
        }
        self.lower_all()?;
        // Where streams are used, somebody may want to see what is in their buffers when a run is over.
        if self.program.function(STREAMS).is_some()
            && let Some(root) = self.library.and_then(|l| l.definition(FLUSH_STREAMS))
        {
            self.address(root);
            self.lower_all()?;
        }
        if let Some(message) = self.library.and_then(Definitions::failure) {
            return Err(Error::Library(message));
        }
        self.program.address_spaces = self.types.address_spaces();
        self.program.files = self.files.into_map();
        if let Some(types) = self.c_types {
            types.finish(&mut self.program);
        }
        Ok(self.program)
    }

    /// Lowers what was asked for, and what that asks for.
    fn lower_all(&mut self) -> Result<(), Error> {
        while let Some(work) = self.work.pop_front() {
            match work {
                Work::Function(id, function) => {
                    let origin = self.program.functions[id].origin;
                    let body = FunctionLowering::new(self, function, origin).run();
                    self.program.functions[id].body = Some(body);
                }
                Work::Global(id, global) => self.initialise(id, global)?,
            }
        }
        Ok(())
    }

    /// The functions in one of LLVM's arrays of (priority, function, data), by priority.
    fn registered(&mut self, array: &str) -> Vec<FuncId> {
        let Some(list) = self.subject.symbol(array).and_then(Val::initializer) else { return Vec::new() };
        let mut entries = Vec::new();
        for entry in (0..).map_while(|i| list.element(i)) {
            let priority = entry.element(0).and_then(Val::small_int).unwrap_or(u64::MAX);
            if let Some(Address::Func(function)) = entry.element(1).filter(|f| f.is_global()).map(|f| self.address(f)) {
                entries.push((priority, function));
            }
        }
        entries.sort_by_key(|&(priority, _)| priority);
        entries.into_iter().map(|(_, function)| function).collect()
    }

    /// What `symbol`, a function, variable, alias or ifunc, stands for. A definition is queued for lowering.
    pub(super) fn address(&mut self, symbol: Val<'m>) -> Address {
        if let Some(&address) = self.addresses.get(&symbol) {
            return address;
        }
        let address = self.resolve(symbol);
        self.addresses.insert(symbol, address);
        address
    }

    fn resolve(&mut self, symbol: Val<'m>) -> Address {
        let origin = if self.subject.owns(symbol) { Origin::Subject } else { Origin::Library };
        let linkage = symbol.linkage();
        if symbol.is_declaration() || linkage == Linkage::LLVMAvailableExternallyLinkage {
            let name = symbol.name();
            // What one module of the library declares, another one may define.
            let found = self.library.and_then(|library| library.definition(&name));
            let own = || definition(self.subject, &name).filter(|_| origin == Origin::Library);
            if let Some(found) = found.or_else(own) {
                return self.address(found);
            }
            if symbol.is_declaration() {
                return match linkage {
                    Linkage::LLVMExternalWeakLinkage => Address::Null,
                    _ => self.undefined(symbol, &name, origin),
                };
            }
        }
        self.define(symbol, origin)
    }

    fn define(&mut self, symbol: Val<'m>, origin: Origin) -> Address {
        match symbol.kind() {
            ValueKind::LLVMGlobalVariableValueKind => {
                let id = self.push_global(symbol, origin);
                self.work.push_back(Work::Global(id, symbol));
                Address::Global(id, 0)
            }
            ValueKind::LLVMGlobalAliasValueKind => {
                let target = symbol.aliasee().and_then(|aliasee| self.linear(aliasee));
                match target.map(|t| (t.plus, t.addend)) {
                    Some((Some(Symbol::Global(id)), offset)) => Address::Global(id, offset),
                    Some((Some(Symbol::Func(id)), 0)) => Address::Func(id),
                    _ => self.undefined(symbol, &symbol.name(), origin),
                }
            }
            ValueKind::LLVMFunctionValueKind => {
                let id = self.push_function(symbol.name(), symbol.value_type(), origin);
                self.defined[id] = true;
                self.program.functions[id].loc = self.files.function_loc(symbol);
                self.program.functions[id].source = self.function_source(symbol, origin);
                self.work.push_back(Work::Function(id, symbol));
                Address::Func(id)
            }
            _ => {
                let id = self.push_function(symbol.name(), symbol.value_type(), origin);
                self.defined[id] = true;
                let params = self.program.functions[id].params.clone();
                self.program.functions[id].body = Some(super::function::unsupported_body(&params, "an ifunc"));
                Address::Func(id)
            }
        }
    }

    fn undefined(&mut self, symbol: Val<'m>, name: &str, origin: Origin) -> Address {
        if let Some(&address) = self.undefined.get(name) {
            return address;
        }
        let address = if symbol.is_function() {
            let id = self.push_function(name.to_owned(), symbol.value_type(), origin);
            let source = &mut self.program.functions[id].source;
            source.never_returns = symbol.never_returns(self.attributes);
            source.returned_in_memory = symbol.returned_in_memory(self.attributes).map(|ty| self.types.size_of(ty));
            Address::Func(id)
        } else {
            Address::Global(self.push_global(symbol, origin), 0)
        };
        self.undefined.insert(name.to_owned(), address);
        address
    }

    /// Whether the function has a body, or will have one.
    pub(super) fn is_defined(&self, id: FuncId) -> bool {
        self.defined[id]
    }

    /// The function called `name` that an instruction of a module of that origin means, declared if need be.
    pub(super) fn named_function(
        &mut self,
        name: &str,
        origin: Origin,
        params: Vec<Type>,
        returns: Vec<Type>,
    ) -> Address {
        let of_subject = || definition(self.subject, name);
        let of_library = || self.library.and_then(|library| library.definition(name));
        let found = match origin {
            Origin::Subject => of_subject().or_else(of_library),
            Origin::Library => of_library().or_else(of_subject),
        };
        if let Some(found) = found {
            return self.address(found);
        }
        if let Some(&address) = self.undefined.get(name) {
            return address;
        }
        let (variadic, loc) = (false, Loc::NONE);
        let (body, source) = (None, FunctionSource::default());
        let function = Function { name: name.to_owned(), origin, params, returns, variadic, loc, body, source };
        let address = Address::Func(self.program.functions.push(function));
        self.undefined.insert(name.to_owned(), address);
        address
    }

    fn push_function(&mut self, name: String, ty: Ty<'m>, origin: Origin) -> FuncId {
        let params = ty.parameters().into_iter().flat_map(|p| self.types.flat(p).types().collect::<Vec<_>>()).collect();
        let returns = self.types.flat(ty.returned()).types().collect();
        let variadic = ty.is_variadic();
        let name = plain(&name);
        let (loc, body, source) = (Loc::NONE, None, FunctionSource::default());
        self.program.functions.push(Function { name, origin, params, returns, variadic, loc, body, source })
    }

    fn function_source(&mut self, function: Val<'m>, origin: Origin) -> FunctionSource {
        let subprogram = function.subprogram();
        let reader = self.c_types.as_mut().filter(|_| origin == Origin::Subject);
        let typed = reader.zip(subprogram).and_then(|(reader, subprogram)| reader.function(subprogram));
        let (ty, param_names) = typed.unzip();
        FunctionSource {
            declared: None,
            never_returns: false,
            returned_in_memory: None,
            name: subprogram.and_then(|subprogram| self.subject.debug_info().subprogram_name(subprogram)),
            internal: function.linkage() == Linkage::LLVMInternalLinkage,
            used_otherwise: !function.is_only_called(),
            ty,
            param_names: param_names.unwrap_or_default(),
        }
    }

    fn push_global(&mut self, symbol: Val<'m>, origin: Origin) -> GlobalId {
        // Its address may be used nowhere.
        self.types.flat(symbol.ty());
        let name = plain(&symbol.name());
        let private = symbol.linkage() == Linkage::LLVMPrivateLinkage || name.starts_with('.');
        let source_name = symbol.global_source_name().or_else(|| (!private).then(|| name.clone()));
        let reader = self.c_types.as_mut().filter(|_| origin == Origin::Subject);
        let ty = reader.and_then(|reader| reader.variable(symbol.described_variable()?));
        self.program.globals.push(Global {
            name,
            origin,
            size: self.types.size_of(symbol.value_type()),
            align: self.types.align_of_global(symbol),
            constant: symbol.is_constant_variable(),
            thread_local: symbol.is_thread_local(),
            internal: matches!(symbol.linkage(), Linkage::LLVMInternalLinkage | Linkage::LLVMPrivateLinkage),
            init: None,
            relocs: Vec::new(),
            source_name,
            ty,
        })
    }

    /// The intrinsic that a function is, if it is one.
    pub(super) fn intrinsic(&mut self, function: Val<'m>) -> Option<Rc<str>> {
        let name = || {
            let name = function.name();
            name.starts_with("llvm.").then(|| Rc::from(name))
        };
        self.intrinsics.entry(function).or_insert_with(name).clone()
    }

    /// The ids of a function's blocks: their places in the layout.
    pub(super) fn labels(&mut self, function: Val<'m>) -> Rc<HashMap<Bb<'m>, Block>> {
        let number = || {
            let blocks = function.blocks().into_iter().enumerate();
            Rc::new(blocks.map(|(index, block)| (block, Block::new(index))).collect())
        };
        Rc::clone(self.labels.entry(function).or_insert_with(number))
    }
}

/// The intrinsics that count how often code runs.
/// A function that programs have which write to streams.
const STREAMS: &str = "__lib_stream_flush";
const COUNTERS: &str = "llvm.instrprof.";

/// Whether clang counts what the function does. It does not in the headers of the system, whose `static` functions are
/// only of interest where they are used.
fn is_counted(function: Val<'_>) -> bool {
    let calls = function.blocks().into_iter().take(1).flat_map(Bb::instructions);
    calls.filter_map(Val::callee).any(|callee| callee.name().starts_with(COUNTERS))
}

/// clang puts \1 before a name that must not be mangled.
fn plain(name: &str) -> String {
    name.strip_prefix('\u{1}').unwrap_or(name).to_owned()
}

/// Whether a variable is one of the source: neither a literal nor clang's own.
fn is_visible(global: Val<'_>) -> bool {
    let name = global.name();
    let own = ["llvm.", "__llvm_", "__covrec_", "__profn_", "__profc_", "__profd_"];
    !global.is_declaration()
        && global.linkage() != Linkage::LLVMPrivateLinkage
        && !own.iter().any(|prefix| name.starts_with(prefix))
}
