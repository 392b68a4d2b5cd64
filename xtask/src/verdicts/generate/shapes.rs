//! How a function gets its inputs: by value, in a struct, behind a pointer, as globals.

/// How the function gets its inputs. `p0` and `p1` in the declarations are what the body reads.
pub(super) struct Shape {
    pub(super) before: &'static str,
    pub(super) params: &'static str,
    pub(super) prologue: &'static str,
    /// Readable inputs with the bound of their bits.
    pub(super) inputs: &'static [(&'static str, u32)],
    pub(super) call: &'static str,
    pub(super) count: u32,
    pub(super) options: &'static [&'static str],
}

const ALL: u32 = 1 << 16;
/// Bytes behind a pointer count as text, whose last byte is zero: the body reads only the two before it.
const VALID: &[&str] = &["--pointers", "valid", "--array-len", "3"];
const VALID_ONE: &[&str] = &["--pointers", "valid", "--array-len", "1"];

pub(super) const SHAPES: &[Shape] = &[
    Shape {
        before: "",
        params: "signed char a, unsigned char b",
        prologue: "",
        inputs: &[("a", 8), ("b", 8)],
        call: "subject((signed char)n, (unsigned char)(n >> 8));",
        count: ALL,
        options: &[],
    },
    Shape {
        before: "",
        params: "char a, signed char b",
        prologue: "",
        inputs: &[("a", 8), ("b", 8)],
        call: "subject((char)n, (signed char)(n >> 8));",
        count: ALL,
        options: &[],
    },
    Shape {
        before: "",
        params: "short a",
        prologue: "",
        inputs: &[("a", 16)],
        call: "subject((short)n);",
        count: ALL,
        options: &[],
    },
    Shape {
        before: "",
        params: "unsigned short a",
        prologue: "",
        inputs: &[("a", 16)],
        call: "subject((unsigned short)n);",
        count: ALL,
        options: &[],
    },
    Shape {
        before: "",
        params: "_Bool a, unsigned char b, _Bool c",
        prologue: "",
        inputs: &[("a", 1), ("b", 8), ("c", 1)],
        call: "subject(n & 1, (unsigned char)(n >> 1), n >> 9);",
        count: 1 << 10,
        options: &[],
    },
    Shape {
        before: "struct pair { signed char x; unsigned char y; };\n",
        params: "struct pair s",
        prologue: "",
        inputs: &[("s.x", 8), ("s.y", 8)],
        call: "subject((struct pair){(signed char)n, (unsigned char)(n >> 8)});",
        count: ALL,
        options: &[],
    },
    Shape {
        before: "struct bits { unsigned x : 3; signed y : 5; unsigned z : 8; };\n",
        params: "struct bits s",
        prologue: "",
        inputs: &[("s.x", 3), ("s.y", 5), ("s.z", 8)],
        call: "struct bits s; s.x = n & 7; s.y = (int)(n >> 3 & 31) - 16; s.z = n >> 8; subject(s);",
        count: ALL,
        options: &[],
    },
    Shape {
        before: "struct pair { unsigned char x; signed char y; };\n",
        params: "struct pair *s",
        prologue: "",
        inputs: &[("s->x", 8), ("s->y", 8)],
        call: "struct pair s = {(unsigned char)n, (signed char)(n >> 8)}; subject(&s);",
        count: ALL,
        options: VALID_ONE,
    },
    Shape {
        before: "",
        params: "unsigned char *p",
        prologue: "",
        inputs: &[("p[0]", 8), ("p[1]", 8)],
        call: "unsigned char p[3] = {(unsigned char)n, (unsigned char)(n >> 8)}; subject(p);",
        count: ALL,
        options: VALID,
    },
    Shape {
        before: "",
        params: "const signed char *p",
        prologue: "  if (!p)\n    return -1;\n",
        inputs: &[("p[0]", 8), ("p[1]", 8)],
        call: "signed char p[3] = {(signed char)n, (signed char)(n >> 8)}; subject(n == 65536 ? 0 : p);",
        count: ALL + 1,
        options: &["--array-len", "3"],
    },
    Shape {
        before: "signed char g0;\nunsigned char g1;\n",
        params: "void",
        prologue: "",
        inputs: &[("g0", 8), ("g1", 8)],
        call: "g0 = (signed char)n; g1 = (unsigned char)(n >> 8); subject();",
        count: ALL,
        options: &[],
    },
    Shape {
        before: "static char g0 = 5;\n",
        params: "signed char a",
        prologue: "",
        inputs: &[("a", 8), ("g0", 8)],
        call: "g0 = (char)(n >> 8); subject((signed char)n);",
        count: ALL,
        options: &[],
    },
];
