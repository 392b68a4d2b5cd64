//! From a program to its text. Printing never fails: what is wrong in an invalid program is printed as it is.

use std::collections::HashMap;
use std::fmt::{self, Display, Formatter};

use super::bytes::{write_bytes, write_str};
use crate::ir::{
    Block, Body, CallData, Callee, Const, Def, Edge, Function, Global, Loc, Op, Origin, Program, Symbol, Target,
    Terminator, Type, Value, ValueData,
};

impl Display for Program {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.target != Target::default() {
            writeln!(f, "target {}", self.target)?;
        }
        for (id, file) in &self.files {
            write!(f, "{id} = file ")?;
            write_str(f, &file.name)?;
            f.write_str(" in ")?;
            write_str(f, &file.directory)?;
            f.write_str("\n")?;
        }
        for (id, global) in &self.globals {
            write!(f, "{id} = ")?;
            write_global(f, global)?;
            f.write_str("\n")?;
        }
        for (word, list) in [("constructors", &self.constructors), ("destructors", &self.destructors)] {
            if !list.is_empty() {
                writeln!(f, "{word} {}", Commas(list))?;
            }
        }
        for (id, function) in &self.functions {
            write!(f, "\n{id} = {}", FunctionText { function, program: Some(self) })?;
        }
        Ok(())
    }
}

impl Display for Function {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        FunctionText { function: self, program: None }.fmt(f)
    }
}

impl Display for Type {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Type::Int(width) => write!(f, "i{width}"),
            Type::F32 => f.write_str("f32"),
            Type::F64 => f.write_str("f64"),
            Type::F80 => f.write_str("f80"),
            Type::Ptr => f.write_str("ptr"),
            Type::Ptr32 => f.write_str("ptr32"),
        }
    }
}

impl Display for Symbol {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Symbol::Global(id) => write!(f, "{id}"),
            Symbol::Func(id) => write!(f, "{id}"),
            Symbol::Label(id, block) => write!(f, "{id}.{block}"),
        }
    }
}

impl Display for Loc {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.file() {
            Some(file) => write!(f, "{file}:{}:{}", self.line, self.column),
            None => write!(f, "?:{}:{}", self.line, self.column),
        }
    }
}

/// Items with commas between them.
struct Commas<'a, T>(&'a [T]);

impl<T: Display> Display for Commas<'_, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (i, item) in self.0.iter().enumerate() {
            write!(f, "{}{item}", if i == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

/// A sum's second part: ` + 8`, ` - 8`, or nothing.
struct Addend(i64);

impl Display for Addend {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => Ok(()),
            n if n < 0 => write!(f, " - {}", n.unsigned_abs()),
            n => write!(f, " + {n}"),
        }
    }
}

/// `  @ file0:1:2`, or nothing where the location is not known.
struct At(Loc);

impl Display for At {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.0 == Loc::NONE { Ok(()) } else { write!(f, "  @ {}", self.0) }
    }
}

fn write_global(f: &mut Formatter<'_>, global: &Global) -> fmt::Result {
    f.write_str(if global.origin == Origin::Library { "library global " } else { "global " })?;
    write_str(f, &global.name)?;
    if global.constant {
        f.write_str(" const")?;
    }
    if global.internal {
        f.write_str(" internal")?;
    }
    if global.thread_local {
        f.write_str(" thread_local")?;
    }
    write!(f, " size {} align {}", global.size, global.align)?;
    if let Some(name) = &global.source_name {
        f.write_str(" source ")?;
        write_str(f, name)?;
    }
    if let Some(init) = &global.init {
        f.write_str(" init ")?;
        write_bytes(f, init)?;
    }
    for (i, reloc) in global.relocs.iter().enumerate() {
        f.write_str(if i == 0 { " relocs [" } else { ", " })?;
        write!(f, "{}:{} = {}", reloc.offset, reloc.size, reloc.symbol)?;
        if let Some(minus) = reloc.minus {
            write!(f, " minus {minus}")?;
        }
        write!(f, "{}", Addend(reloc.addend))?;
    }
    f.write_str(if global.relocs.is_empty() { "" } else { "]" })
}

/// A constant, with its type in front.
struct Literal(Type, Const);

impl Display for Literal {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Literal(ty, constant) = *self;
        write!(f, "{ty} ")?;
        match constant {
            Const::Undef => f.write_str("undef"),
            Const::Global(id, offset) => write!(f, "{id}{}", Addend(offset)),
            Const::Func(id) => write!(f, "{id}"),
            Const::Label(id, block) => write!(f, "{id}.{block}"),
            Const::Bits(bits) => write_bits(f, ty, bits),
        }
    }
}

fn write_bits(f: &mut Formatter<'_>, ty: Type, bits: u128) -> fmt::Result {
    match ty {
        Type::Ptr | Type::Ptr32 if bits == 0 => f.write_str("null"),
        Type::Int(width @ 1..=128) if width == 128 || bits >> width == 0 => {
            let negative = width > 1 && bits >> (width - 1) == 1;
            let sign_bits = if negative && width < 128 { u128::MAX << width } else { 0 };
            write!(f, "{}", (bits | sign_bits) as i128)
        }
        // Rust prints the shortest decimal that reads back as the same float.
        Type::F32 if bits >> 32 == 0 && f32::from_bits(bits as u32).is_finite() => {
            write!(f, "{:?}", f32::from_bits(bits as u32))
        }
        Type::F64 if bits >> 64 == 0 && f64::from_bits(bits as u64).is_finite() => {
            write!(f, "{:?}", f64::from_bits(bits as u64))
        }
        _ => write!(f, "{bits:#x}"),
    }
}

struct FunctionText<'a> {
    function: &'a Function,
    /// Where there is one, calls carry the callee's name as a comment.
    program: Option<&'a Program>,
}

impl Display for FunctionText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let function = self.function;
        f.write_str(if function.origin == Origin::Library { "library function " } else { "function " })?;
        write_str(f, &function.name)?;
        write!(f, "({}", Commas(&function.params))?;
        if function.variadic {
            f.write_str(if function.params.is_empty() { "..." } else { ", ..." })?;
        }
        f.write_str(")")?;
        if !function.returns.is_empty() {
            write!(f, " -> {}", Commas(&function.returns))?;
        }
        if function.loc != Loc::NONE {
            write!(f, " @ {}", function.loc)?;
        }
        match &function.body {
            Some(body) => BodyText::new(body, self.program).write(f),
            None => f.write_str("\n"),
        }
    }
}

struct BodyText<'a> {
    body: &'a Body,
    program: Option<&'a Program>,
    /// How many values are this constant.
    constants: HashMap<(Type, Const), usize>,
    /// How many variables have this name.
    names: HashMap<&'a str, usize>,
}

impl<'a> BodyText<'a> {
    fn new(body: &'a Body, program: Option<&'a Program>) -> BodyText<'a> {
        let mut constants = HashMap::new();
        for value in body.values.values() {
            if let Def::Const(c) = value.def {
                *constants.entry((value.ty, c)).or_default() += 1;
            }
        }
        let mut names = HashMap::new();
        for variable in body.variables.values() {
            *names.entry(variable.name.as_str()).or_default() += 1;
        }
        BodyText { body, program, constants, names }
    }

    fn write(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(" {\n")?;
        for (id, variable) in &self.body.variables {
            write!(f, "    {id} = ")?;
            write_str(f, &variable.name)?;
            writeln!(f, " line {}", variable.line)?;
        }
        for (id, value) in &self.body.values {
            if let Def::Const(c) = value.def {
                writeln!(f, "    {id}{} = const {}", Variable(self, value), Literal(value.ty, c))?;
            }
        }
        let mut next_inst = 0;
        for block in self.body.blocks.keys() {
            self.write_block(f, block, &mut next_inst)?;
        }
        f.write_str("}\n")
    }

    fn write_block(&self, f: &mut Formatter<'_>, block: Block, next_inst: &mut u32) -> fmt::Result {
        let data = &self.body.blocks[block];
        write!(f, "{block}")?;
        for (i, param) in data.params.iter().enumerate() {
            write!(f, "{}{}", if i == 0 { "(" } else { ", " }, Definition(self, *param))?;
        }
        f.write_str(if data.params.is_empty() { ":\n" } else { "):\n" })?;
        for inst in &data.insts {
            f.write_str("    ")?;
            if inst.as_u32() != *next_inst {
                write!(f, "{inst}: ")?;
            }
            *next_inst = inst.as_u32().wrapping_add(1);
            let Some(data) = self.body.insts.get(*inst) else {
                f.write_str("; no such instruction\n")?;
                continue;
            };
            for (i, result) in data.results.iter().enumerate() {
                write!(f, "{}{}", if i == 0 { "" } else { ", " }, Definition(self, *result))?;
            }
            f.write_str(if data.results.is_empty() { "" } else { " = " })?;
            self.write_op(f, &data.op)?;
            write!(f, "{}", At(data.loc))?;
            self.write_comment(f, &data.op)?;
            f.write_str("\n")?;
        }
        f.write_str("    ")?;
        self.write_terminator(f, &data.term)?;
        writeln!(f, "{}", At(data.term_loc))
    }

    /// The name of a directly called function.
    fn write_comment(&self, f: &mut Formatter<'_>, op: &Op) -> fmt::Result {
        let Op::Call(call) = op else { return Ok(()) };
        let Callee::Direct(id) = call.callee else { return Ok(()) };
        let Some(callee) = self.program.and_then(|p| p.functions.get(id)) else { return Ok(()) };
        f.write_str("  ; ")?;
        write_str(f, &callee.name)
    }

    fn write_op(&self, f: &mut Formatter<'_>, op: &Op) -> fmt::Result {
        let arg = |v: &Value| Operand(self, *v);
        let pair = |[a, b]: &[Value; 2]| Pair(Operand(self, *a), Operand(self, *b));
        match op {
            Op::Unary { op, arg: a } => write!(f, "{op} {}", arg(a)),
            Op::Binary { op, flags, args } => {
                let nsw = if flags.nsw { " nsw" } else { "" };
                let nuw = if flags.nuw { " nuw" } else { "" };
                write!(f, "{op}{nsw}{nuw} {}", pair(args))
            }
            Op::IntCmp { cmp, args } => write!(f, "icmp {cmp} {}", pair(args)),
            Op::FloatCmp { cmp, args } => write!(f, "fcmp {cmp} {}", pair(args)),
            Op::Cast { op, arg: a } => write!(f, "{op} {}", arg(a)),
            Op::Select { cond, args } => write!(f, "select {}, {}", arg(cond), pair(args)),
            Op::PtrAdd { base, index, scale, disp, count } => {
                write!(f, "ptradd {}", arg(base))?;
                if let Some(index) = index.expand() {
                    write!(f, ", {}", arg(&index))?;
                }
                let extras = [("scale", *scale, 1), ("disp", *disp, 0)];
                extras
                    .iter()
                    .filter(|(_, n, usual)| n != usual)
                    .try_for_each(|(word, n, _)| write!(f, " {word} {n}"))?;
                if *count == 0 { Ok(()) } else { write!(f, " count {count}") }
            }
            Op::Alloca { size, align } => write!(f, "alloca {} align {align}", arg(size)),
            Op::Load { ptr, volatile } => write!(f, "load{} {}", volatile_word(*volatile), arg(ptr)),
            Op::Store { ptr, value, volatile } => {
                write!(f, "store{} {}, {}", volatile_word(*volatile), arg(value), arg(ptr))
            }
            Op::Call(call) => self.write_call(f, call),
            Op::Intrinsic { op, args } => write!(f, "intrinsic {op}({})", Operands(self, args)),
            Op::Counter { index } => write!(f, "counter {index}"),
            Op::Ghost { first, labels, insts } => write!(f, "ghost {first}, {labels}, {insts}"),
            Op::Label { index, cond } => write!(f, "label {index}, {}", arg(cond)),
            Op::Unsupported { what } => {
                f.write_str("unsupported ")?;
                write_str(f, what)
            }
        }
    }

    fn write_call(&self, f: &mut Formatter<'_>, call: &CallData) -> fmt::Result {
        f.write_str(if call.variadic { "call variadic " } else { "call " })?;
        match call.callee {
            Callee::Direct(id) => write!(f, "{id}")?,
            Callee::Indirect(v) => write!(f, "{}", Operand(self, v))?,
        }
        write!(f, "({})", Operands(self, &call.args))?;
        for by_value in &call.by_value {
            write!(f, " byval {} size {} align {}", by_value.arg, by_value.size, by_value.align)?;
        }
        Ok(())
    }

    fn write_terminator(&self, f: &mut Formatter<'_>, term: &Terminator) -> fmt::Result {
        match term {
            Terminator::Jump(edge) => write!(f, "jump {}", EdgeText(self, edge)),
            Terminator::Branch { cond, then, other } => {
                let (then, other) = (EdgeText(self, then), EdgeText(self, other));
                write!(f, "branch {}, {then}, {other}", Operand(self, *cond))
            }
            Terminator::Switch { value, cases, default } => {
                writeln!(f, "switch {} {{", Operand(self, *value))?;
                for (case, edge) in cases {
                    writeln!(f, "        {case} => {}", EdgeText(self, edge))?;
                }
                write!(f, "        default => {}\n    }}", EdgeText(self, default))
            }
            Terminator::Indirect { address, targets } => {
                write!(f, "indirect {} [", Operand(self, *address))?;
                for (i, edge) in targets.iter().enumerate() {
                    write!(f, "{}{}", if i == 0 { "" } else { ", " }, EdgeText(self, edge))?;
                }
                f.write_str("]")
            }
            Terminator::Return(values) if values.is_empty() => f.write_str("return"),
            Terminator::Return(values) => write!(f, "return {}", Operands(self, values)),
            Terminator::Unreachable => f.write_str("unreachable"),
        }
    }
}

fn volatile_word(volatile: bool) -> &'static str {
    if volatile { " volatile" } else { "" }
}

/// `!a`: the source variable of a value, by name where the name is a word and unique.
struct Variable<'a>(&'a BodyText<'a>, &'a ValueData);

impl Display for Variable<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Some(id) = self.1.var.expand() else { return Ok(()) };
        let name = self.0.body.variables.get(id).map_or("", |v| v.name.as_str());
        let word = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        let like_id = name.strip_prefix("var").is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit()));
        match self.0.names.get(name) {
            Some(1) if word && !like_id => write!(f, "!{name}"),
            _ => write!(f, "!{id}"),
        }
    }
}

/// `v3!a: i32`
struct Definition<'a>(&'a BodyText<'a>, Value);

impl Display for Definition<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Definition(text, value) = *self;
        match text.body.values.get(value) {
            Some(data) => write!(f, "{value}{}: {}", Variable(text, data), data.ty),
            None => write!(f, "{value}: ?"),
        }
    }
}

/// A use of a value: a constant where only one value is that constant, else the id.
struct Operand<'a>(&'a BodyText<'a>, Value);

impl Display for Operand<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Operand(text, value) = *self;
        match text.body.values.get(value) {
            Some(&ValueData { ty, def: Def::Const(c), .. }) if text.constants.get(&(ty, c)) == Some(&1) => {
                write!(f, "{}", Literal(ty, c))
            }
            _ => write!(f, "{value}"),
        }
    }
}

struct Pair<'a>(Operand<'a>, Operand<'a>);

impl Display for Pair<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", self.0, self.1)
    }
}

struct Operands<'a>(&'a BodyText<'a>, &'a [Value]);

impl Display for Operands<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (i, value) in self.1.iter().enumerate() {
            write!(f, "{}{}", if i == 0 { "" } else { ", " }, Operand(self.0, *value))?;
        }
        Ok(())
    }
}

/// `bb3(v1, i32 5)`
struct EdgeText<'a>(&'a BodyText<'a>, &'a Edge);

impl Display for EdgeText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.1.block)?;
        if self.1.args.is_empty() { Ok(()) } else { write!(f, "({})", Operands(self.0, &self.1.args)) }
    }
}
