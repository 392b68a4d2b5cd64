//! What travels beside concrete values.
//!
//! Why the seam exists: a concrete run and a symbolic run are the same interpreter. The machine computes bits; a
//! [`Shadow`] computes, from the same operands, what those bits mean in terms of the inputs. [`Concrete`] has the unit
//! type as its term, so registers and memory carry nothing and the checks compile to nothing.

mod concrete;

use std::fmt::Debug;

use crate::given::{Bound, NamedKind, ProcessInput};

use covenant_program::ir::{
    BinaryOp, Block, CastOp, FloatCmp, FuncId, GlobalId, Inst, IntCmp, Intrinsic, Loc, Type, UnaryOp, Value,
};

pub use concrete::Concrete;

/// Bits with the term beside them. Wide values use all 128 bits.
#[derive(Clone, Copy, Debug)]
pub struct Shadowed<T> {
    /// What the machine computes with.
    pub bits: u128,
    /// How many of the bits count, and what they are.
    pub ty: Type,
    /// What they are in terms of the inputs; the default where they depend on none.
    pub term: T,
}

/// An operation without side effects: its result depends on nothing but the operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pure {
    /// (value)
    Unary(UnaryOp),
    /// (left, right)
    Binary(BinaryOp),
    /// (left, right)
    IntCmp(IntCmp),
    /// (left, right)
    FloatCmp(FloatCmp),
    /// (value)
    Cast(CastOp),
    /// (condition, then, else)
    Select,
    /// (base, index): `base + index * scale + disp`
    PtrAdd {
        /// Bytes of an element.
        scale: i64,
        /// Constant bytes on top.
        disp: i64,
    },
    /// The `result`th result.
    Intrinsic(Intrinsic, u32),
}

/// A place in the decoded program where control can go several ways.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Site {
    /// The number of the function.
    pub function: u32,
    /// The operation in its code.
    pub pc: u32,
}

/// Whether a call can be run without terms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mute {
    /// It is run like any other.
    Never,
    /// It writes to standard output or error.
    Always,
    /// It does if this argument is one of the two streams.
    IfStandard(u32),
}

/// What an input pointer points to in this run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pointee {
    /// To nothing.
    Null,
    /// A new object of so many bytes; `root` describes it.
    Fresh {
        /// The number by which the shadow knows it.
        root: u32,
        /// In bytes.
        size: u64,
        /// Where in it the pointer points, in bytes from its start.
        entry: u64,
    },
    /// A new stream.
    Stream {
        /// The number by which the shadow knows its content.
        root: u32,
        /// How many bytes that can have.
        capacity: u64,
    },
    /// Something that is there already.
    Address(u64),
}

/// An input that is needed now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cell<T> {
    /// Bytes of a scalar, and its term.
    Scalar {
        /// Zero-extended.
        bits: u128,
        /// In bytes.
        size: u32,
        /// Its term.
        term: T,
    },
    /// A pointer: what it points to is a choice of the path.
    Pointer(Pointee),
}

/// A part of an object whose value is an input that nobody has read yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Waiting {
    /// The description that it is part of, by its number.
    pub root: u32,
    /// The scalar in that description, by its number.
    pub leaf: u32,
    /// In bytes from the start of the object.
    pub offset: u64,
    /// In bytes.
    pub size: u32,
}

/// What a function that nothing defines gives its caller: inputs that are there at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Given {
    /// The description of what is given, by its number.
    pub root: u32,
    /// The argument that it is written through; `None`: it is the result, a pointer.
    pub through: Option<u32>,
    /// The variable that it is written to, by its address, in place of an argument.
    pub variable: Option<u64>,
    /// In bytes.
    pub size: u64,
    /// Whether the last byte is zero, and no input: the end of a text.
    pub ends: bool,
    /// Whether these are pointers: those that point somewhere already are left.
    pub pointers: bool,
}

/// Where a run goes on with something that C leaves open and that the machine chose.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Limit {
    /// An access to what somebody else may change or read at any time.
    Volatile,
    /// The number that an address is.
    Address,
    /// The same, but only a label looks at it: the run itself goes on alike wherever objects are.
    AddressAside,
    /// What memory has that nobody wrote.
    Unwritten,
    /// Arguments of a variadic call that nobody passed.
    Arguments,
    /// An array that the user says is longer than any that is tried.
    Length,
}

/// An address that is compared with another.
#[derive(Debug)]
pub struct Side<'b, B> {
    /// The terms of its object, if it has some.
    pub terms: Option<&'b B>,
    /// In bytes from the start of its object.
    pub offset: u64,
}

/// Who goes along with a run: told of all that happens in terms of inputs, and asked for what inputs are.
pub trait Shadow {
    /// "Nothing" is the default; a value that depends on no input carries that.
    type Term: Copy + Default + PartialEq + Debug;
    /// Terms of the bytes of one object.
    type Bytes: Debug;

    /// Whether terms exist at all. Where this is false no other method is ever called.
    const ACTIVE: bool;

    /// The term of a result. Called only if some operand has a term; `bits` is the concrete result. `None`: there is no
    /// term for this operation; the machine then pins the operands.
    fn compute(&mut self, op: Pure, args: &[Shadowed<Self::Term>], ty: Type, bits: u128) -> Option<Self::Term>;

    /// From here on the value is what it is in this run; another value is another path.
    fn pin(&mut self, value: Shadowed<Self::Term>, why: &'static str);

    /// A two-way decision on a Boolean term.
    fn branch(&mut self, at: Site, cond: Self::Term, taken: bool);

    /// A switch: `taken` is the index in `cases`, or their number for the default.
    fn switch(&mut self, at: Site, value: Shadowed<Self::Term>, cases: &[u128], taken: usize);

    /// A condition without which the run traps.
    fn divide(&mut self, at: Site, a: Shadowed<Self::Term>, b: Shadowed<Self::Term>, signed: bool);

    /// A sum, difference or product without which the run traps unless it fits, or a shift by less than the width.
    fn fits(&mut self, at: Site, op: BinaryOp, args: [Shadowed<Self::Term>; 2], fits: bool) {
        let _ = (at, op, args, fits);
    }

    /// An access through an address with a term, near the object of `size` bytes at `base`; whether it is inside.
    fn access(&mut self, at: Site, address: Shadowed<Self::Term>, base: u64, size: u64, bytes: u32, inside: bool);

    /// An edge was taken: of a branch 0 (then) or 1; of a switch its index.
    fn edge(&mut self, at: Site, edge: u32);

    /// Whether anybody asks for one of these labels.
    fn wants(&self, first: u32, count: u32) -> bool {
        let _ = (first, count);
        false
    }

    /// A label was passed, with the condition under which it is reached.
    fn label(&mut self, index: u32, cond: Self::Term, reached: bool) {
        let _ = (index, cond, reached);
    }

    /// A function was called by the call at `depth`, which goes on at `after`.
    fn entered(&mut self, function: u32, depth: usize, after: u32);

    /// So many calls are active: the others are over.
    fn left(&mut self, depth: usize);

    /// Whether a call of this function is only about output: then it is run without terms.
    fn mutes(&self, function: u32) -> Mute;

    /// From here on nothing has a term, or does again.
    fn set_muted(&mut self, muted: bool);

    /// The term of a value of which the bytes are in memory.
    fn load(&mut self, bytes: &Self::Bytes, offset: u64, ty: Type, bits: u128) -> Self::Term;

    /// The value at `offset`, a term, given all that it can be: (offset, value). `None`: too many, pin it.
    fn select(&mut self, offset: Self::Term, values: &[(u64, Shadowed<Self::Term>)]) -> Option<Self::Term>;

    /// Sets the terms of bytes.
    fn store(&mut self, bytes: &mut Self::Bytes, offset: u64, value: Shadowed<Self::Term>);

    /// A write to an offset that is a term: each byte becomes a choice. `old` are the bytes of the object.
    fn scatter(
        &mut self,
        bytes: &mut Self::Bytes,
        old: &[u8],
        offset: Self::Term,
        places: &[u64],
        value: Shadowed<Self::Term>,
    );

    /// The distance of an address term from `base`, and the offsets it can have in an object of `size` bytes.
    fn offsets(&mut self, address: Self::Term, base: u64, size: u64, bytes: u32) -> Option<(Self::Term, Vec<u64>)>;

    /// The byte terms of a range, to be copied elsewhere.
    fn lift_bytes(&self, bytes: &Self::Bytes, offset: u64, size: u64) -> Vec<(u64, Self::Term)>;

    /// No byte of the range has a term any more: something concrete was written there.
    fn clear(&mut self, bytes: &mut Self::Bytes, offset: u64, size: u64);

    /// One byte has this term from now on.
    fn set_byte(&mut self, bytes: &mut Self::Bytes, offset: u64, term: Self::Term);

    /// No terms yet.
    fn empty(&self) -> Self::Bytes;

    /// Bytes that are all inputs, as `root` describes them.
    fn waiting_bytes(&mut self, root: u32) -> Self::Bytes;

    /// Inputs in the range that were not needed so far.
    fn waiting(&self, bytes: &Self::Bytes, offset: u64, size: u64) -> Vec<Waiting>;

    /// They are settled now.
    fn settle(&mut self, bytes: &mut Self::Bytes, leaf: u32);

    /// The value of an input; `now` are the bytes that are there.
    fn input(&mut self, at: Site, waiting: Waiting, now: u128) -> Cell<Self::Term>;

    /// A fresh object was made for a root.
    fn placed(&mut self, root: u32, address: u64);

    /// The root of a parameter of the function under test.
    fn param_root(&self, index: u32) -> Option<u32>;

    /// The object behind a pointer parameter has so many elements.
    fn set_length(&mut self, index: u32, count: u64);

    /// Bytes that are inputs, one value each.
    fn fresh_bytes(&mut self, function: &str, label: String, size: u32) -> Vec<Shadowed<Self::Term>>;

    /// The value that the function under test returned.
    fn returned(&mut self, bytes: &[u8]);

    /// Something that must hold for the run to go on: the value is not zero.
    fn check(&mut self, at: Site, value: Shadowed<Self::Term>);

    /// The program wrote to these bytes, as a value of this type or one by one; no bytes: it is not known which.
    fn wrote(&mut self, bytes: &mut Self::Bytes, offset: u64, size: u64, ty: Option<Type>) {
        let _ = (bytes, offset, size, ty);
    }

    /// The function under test reads a variadic argument, by its number from 0, as a value of this type and at this place of the
    /// program: what becomes an input now.
    fn argument(&mut self, number: u32, ty: Type, at: Loc) -> Waiting {
        let _ = (number, ty, at);
        Waiting { root: 0, leaf: 0, offset: 0, size: 0 }
    }

    /// Whether the content of a stream has a byte at this place.
    fn stream_has(&mut self, at: Site, root: u32, place: u64) -> bool {
        let _ = (at, root, place);
        false
    }

    /// What follows may go otherwise elsewhere.
    fn limited(&mut self, why: Limit) {
        let _ = why;
    }

    /// Two addresses in different objects, or one and a number, are compared; `ordered`: not only for equality. `None`: it is
    /// in no object.
    fn compared(&mut self, ordered: bool, a: Option<Side<'_, Self::Bytes>>, b: Option<Side<'_, Self::Bytes>>) {
        let _ = (ordered, a, b);
    }

    /// A mark was passed; whether the run shall go on. Only where the image has marks.
    fn passed(run: &mut dyn Inspect<Self>, at: Mark) -> bool
    where
        Self: Sized,
    {
        let _ = (run, at);
        true
    }

    /// What an input would be if it were needed now, without making it one. `None`: a pointer, or not known.
    fn peek_input(&mut self, waiting: Waiting, now: u128) -> Option<Shadowed<Self::Term>> {
        let _ = (waiting, now);
        None
    }

    /// The bits that [`Shadow::peek_input`] would give.
    fn peek_bits(&self, waiting: Waiting, now: u128) -> Option<u128> {
        let _ = (waiting, now);
        None
    }

    /// A function that nothing defines is called with these arguments; [`Shadow::call_result`] says what it returns.
    fn heard(&mut self, function: u32, arguments: &[(u128, Type)]) {
        let _ = (function, arguments);
    }

    /// The most that the process is given.
    fn bound(&self, what: Bound) -> u64 {
        let _ = what;
        0
    }

    /// What has this number among the things with a name that the process is given.
    fn named(&self, number: u64) -> Option<(NamedKind, &str)> {
        let _ = number;
        None
    }

    /// What the process is given, as a byte.
    fn process_input(&mut self, what: ProcessInput) -> Shadowed<Self::Term> {
        let _ = what;
        Shadowed { bits: 0, ty: Type::I8, term: Self::Term::default() }
    }

    /// A number that the world chooses and nobody can count on, by what it is; it is given with the value that it has here.
    fn unsure(&mut self, what: u32, number: u64, value: u64) -> Shadowed<Self::Term> {
        let _ = (what, number);
        Shadowed { bits: value.into(), ty: Type::I64, term: Self::Term::default() }
    }

    /// What a device has at this address now.
    fn device_read(&mut self, address: u64, ty: Type) -> Shadowed<Self::Term> {
        let _ = address;
        Shadowed { bits: 0, ty, term: Self::Term::default() }
    }

    /// The program wrote this to a device.
    fn device_wrote(&mut self, address: u64, value: Shadowed<Self::Term>) {
        let _ = (address, value);
    }

    /// Whether there are objects that somebody else may change.
    fn has_shared(&self) -> bool {
        false
    }

    /// Whether these are bytes of such an object, in a part of it that is volatile.
    fn is_shared(&self, base: u64, offset: u64, size: u64) -> bool {
        let _ = (base, offset, size);
        false
    }

    /// What such a part has now, where the program has left `bits` there.
    fn shared_read(&mut self, base: u64, offset: u64, ty: Type, bits: u128) -> Shadowed<Self::Term> {
        let _ = (base, offset);
        Shadowed { bits, ty, term: Self::Term::default() }
    }

    /// The program wrote this there.
    fn shared_wrote(&mut self, base: u64, offset: u64, value: Shadowed<Self::Term>) {
        let _ = (base, offset, value);
    }

    /// The program accesses bytes of such an object as if they were not volatile.
    fn accessed_plainly(&mut self, base: u64, offset: u64, size: u64) {
        let _ = (base, offset, size);
    }

    /// Whether this function of the library, which the program has called, fails.
    fn fails(&mut self, function: u32) -> Shadowed<Self::Term> {
        let _ = function;
        Shadowed { bits: 0, ty: Type::BOOL, term: Self::Term::default() }
    }

    /// This function of the library, which the program has called, made an object on the heap.
    fn allocated(&mut self, function: u32, address: u64) {
        let _ = (function, address);
    }

    /// Whether a function that nothing defines gives the same for the same arguments.
    fn is_pure(&self, function: u32) -> bool {
        let _ = function;
        false
    }

    /// The result of a call that nothing defines: bits and term, one for each scalar.
    fn call_result(&mut self, function: u32, types: &[Type], args: &[u128]) -> Option<Vec<Shadowed<Self::Term>>>;

    /// What the last call besides gives its caller; `room`: how many bytes can be written at an address.
    fn given(&mut self, function: u32, args: &[u128], room: &dyn Fn(u64) -> u64) -> Vec<Given> {
        let _ = (function, args, room);
        Vec::new()
    }

    /// What is given at this offset was there already.
    fn gave_nothing_new(&mut self, root: u32, offset: u64) {
        let _ = (root, offset);
    }
}

/// A place that a run passes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mark {
    /// A function was entered; its parameters are not set yet.
    Enter,
    /// A block begins; its parameters are set.
    Block(Block),
    /// An edge of a terminator is taken; the parameters of its target are not set yet.
    Way(Block, u32),
    /// A call is over; its results are set.
    After(Inst),
    /// A label is reached.
    Label(Inst),
}

/// What can be seen of a run that stands at a [`Mark`].
///
/// Why the seam exists: whoever follows a run asks for registers and memory as the program knows them, and must be able
/// to change nothing but the shadow.
pub trait Inspect<S: Shadow> {
    /// Who goes along with the run.
    fn shadow(&mut self) -> &mut S;

    /// Active calls.
    fn depth(&self) -> usize;

    /// The function on top, and the instruction of the one below that called it.
    fn entered(&self) -> Option<(FuncId, Option<Inst>)>;

    /// A value of the call at this depth (from 1).
    fn register_at(&self, depth: usize, value: Value, ty: Type) -> Option<Shadowed<S::Term>>;

    /// The bits of what is in memory, as [`Inspect::peek`] would give them, without any term.
    fn peek_bits(&mut self, address: u64, size: u32) -> Option<u128>;

    /// What is in memory, inputs that nobody has read yet included. `None`: it is no object, or a pointer that is not
    /// chosen yet.
    fn peek(&mut self, address: u64, size: u32) -> Option<Shadowed<S::Term>>;

    /// The first byte of a global.
    fn global_address(&self, global: GlobalId) -> u64;

    /// Start and size of the object at or near an address, dead or alive.
    fn object_near(&self, address: u64) -> Option<(u64, u64)>;
}
