//! Declarations are read back from clang's debug information. What is claimed of them is then compiled again: clang
//! accepts a second declaration only of the same type, and static assertions compare sizes and offsets.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::Command;

use super::*;
use crate::clang::FrontEnd;
use crate::ir::Program;
use crate::lower::{Options, lower};

fn load_with(files: &[(&str, &str)], flags: &[&str]) -> Program {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name);
    files.iter().for_each(|(name, text)| std::fs::write(path(name), text).unwrap());
    let sources: Vec<PathBuf> = files.iter().map(|(name, _)| path(name)).filter(|p| !p.ends_with("h.h")).collect();
    let front_end = FrontEnd { flags: flags.iter().map(|f| (*f).to_owned()).collect(), ..FrontEnd::default() };
    let units = front_end.compile(&sources).unwrap_or_else(|e| panic!("{e}"));
    lower(&units, None, &Options { types: true, ..Options::default() }).unwrap()
}

fn load(files: &[(&str, &str)]) -> Program {
    load_with(files, &["-w"])
}

fn global(program: &Program, name: &str) -> TypeId {
    let found = program.globals.values().find(|g| g.source_name.as_deref() == Some(name));
    found.unwrap_or_else(|| panic!("no {name}")).ty.unwrap_or_else(|| panic!("{name} has no type"))
}

fn function<'p>(program: &'p Program, name: &str) -> &'p crate::ir::Function {
    let id = program.definitions(name).next().unwrap_or_else(|| panic!("no {name}"));
    &program.functions[id]
}

fn spelled(program: &Program, name: &str) -> String {
    let function = function(program, name);
    program.types.spell_function(function.source.ty.unwrap(), name, &function.source.param_names)
}

/// `offset path type`, with ` : first bit, width` for a bit-field.
fn leaves(types: &Types, ty: TypeId) -> Vec<String> {
    let show = |leaf: Leaf| {
        let bits = leaf.bits.map(|b| format!(" : {}, {}", b.offset, b.width)).unwrap_or_default();
        format!("{} {} {}{bits}", leaf.offset, leaf.path, types.spell(leaf.ty, ""))
    };
    types.leaves(ty).map(show).collect()
}

const PRELUDE: &str = r"
struct node { int v; struct node *next; };
typedef struct node node_t;
typedef struct { char c; long double ld; } pair;
struct bits { unsigned a : 3; int b : 7; unsigned : 4; unsigned long long c : 40; _Bool d : 1; unsigned e : 20; };
struct __attribute__((packed)) packed_bits { char c; unsigned a : 31; unsigned b : 9; int i; };
struct flexible { int n; short data[]; };
struct zero { int n; char data[0]; };
union any { int i; char c[7]; struct { short s; union { int q; float f; }; }; };
union tie { float f; int i; };
struct nested { pair p[2]; struct { int x, y; } at; union any u; };
struct empty { };
struct over { char c; _Alignas(32) int x; };
struct incomplete;
enum colour { RED = -1, GREEN = 5 };
enum huge { HUGE = 0xffffffffffffffff };
enum narrow : unsigned char { LOW };
typedef enum { OFF, ON } state;
typedef int (*handler)(int, char *, ...);
typedef int row[4];
typedef float v4 __attribute__((vector_size(16)));
typedef const volatile int port;
struct table { handler h[2]; int (*plain)(void); void *data; const char *const name; };
";

/// A declaration of `x`, how it is spelled, and its leaves.
const TABLE: &[(&str, &str, &[&str])] = &[
    ("int x", "int x", &["0  int"]),
    ("char x", "char x", &["0  char"]),
    ("unsigned char x", "unsigned char x", &["0  unsigned char"]),
    ("_Bool x", "_Bool x", &["0  _Bool"]),
    ("unsigned long long x", "unsigned long long x", &["0  unsigned long long"]),
    ("__int128 x", "__int128 x", &["0  __int128"]),
    ("unsigned __int128 x", "unsigned __int128 x", &["0  unsigned __int128"]),
    ("_BitInt(32) x", "_BitInt(32) x", &["0  _BitInt(32)"]),
    ("unsigned _BitInt(128) x", "unsigned _BitInt(128) x", &["0  unsigned _BitInt(128)"]),
    ("_BitInt(256) x", "_BitInt(256) x", &["0  _BitInt(256)"]),
    ("float x", "float x", &["0  float"]),
    ("long double x", "long double x", &["0  long double"]),
    ("_Float16 x", "_Float16 x", &["0  _Float16"]),
    ("__float128 x", "__float128 x", &["0  __float128"]),
    ("_Complex double x", "_Complex double x", &["0  _Complex double"]),
    ("_Complex long double x", "_Complex long double x", &["0  _Complex long double"]),
    ("_Complex int x", "_Complex int x", &["0  _Complex int"]),
    ("v4 x", "v4 x", &["0  v4"]),
    (
        "double x __attribute__((vector_size(32)))",
        "__attribute__((__vector_size__(32))) double x",
        &["0  __attribute__((__vector_size__(32))) double"],
    ),
    ("void *x", "void *x", &["0  void *"]),
    ("const char *const x", "const char *const x", &["0  const char *const"]),
    ("char *restrict *volatile x", "char *restrict *volatile x", &["0  char *restrict *volatile"]),
    ("port x", "port x", &["0  port"]),
    ("const port *x", "const port *x", &["0  const port *"]),
    ("int x[3]", "int x[3]", &["0 [0] int", "4 [1] int", "8 [2] int"]),
    ("short x[2][2]", "short x[2][2]", &["0 [0][0] short", "2 [0][1] short", "4 [1][0] short", "6 [1][1] short"]),
    ("const char x[2]", "const char x[2]", &["0 [0] const char", "1 [1] const char"]),
    ("row x[1]", "row x[1]", &["0 [0][0] int", "4 [0][1] int", "8 [0][2] int", "12 [0][3] int"]),
    ("row *x", "row *x", &["0  row *"]),
    ("int (*x)[3][4]", "int (*x)[3][4]", &["0  int (*)[3][4]"]),
    ("const int (*x)[3]", "const int (*x)[3]", &["0  const int (*)[3]"]),
    ("int *x[2]", "int *x[2]", &["0 [0] int *", "8 [1] int *"]),
    ("int (*x)(int, char *)", "int (*x)(int, char *)", &["0  int (*)(int, char *)"]),
    ("void (*x)(void)", "void (*x)(void)", &["0  void (*)(void)"]),
    ("int (*x)()", "int (*x)()", &["0  int (*)()"]),
    ("int (*x[1])(const char *, ...)", "int (*x[1])(const char *, ...)", &["0 [0] int (*)(const char *, ...)"]),
    ("int (*(*x)(int))[3]", "int (*(*x)(int))[3]", &["0  int (*(*)(int))[3]"]),
    (
        "void (*(*x)(int, void (*)(int)))(int)",
        "void (*(*x)(int, void (*)(int)))(int)",
        &["0  void (*(*)(int, void (*)(int)))(int)"],
    ),
    ("handler x", "handler x", &["0  handler"]),
    ("struct node *x", "struct node *x", &["0  struct node *"]),
    ("node_t x", "node_t x", &["0 .v int", "8 .next struct node *"]),
    ("const struct node x", "const struct node x", &["0 .v int", "8 .next struct node *"]),
    ("pair x", "pair x", &["0 .c char", "16 .ld long double"]),
    (
        "struct bits x",
        "struct bits x",
        &[
            "0 .a unsigned int : 0, 3",
            "0 .b int : 3, 7",
            "1 .c unsigned long long : 6, 40",
            "6 .d _Bool : 6, 1",
            "8 .e unsigned int : 0, 20",
        ],
    ),
    (
        "struct packed_bits x",
        "struct packed_bits x",
        &["0 .c char", "1 .a unsigned int : 0, 31", "4 .b unsigned int : 7, 9", "6 .i int"],
    ),
    ("struct flexible x", "struct flexible x", &["0 .n int"]),
    ("struct zero x", "struct zero x", &["0 .n int"]),
    ("struct flexible *x", "struct flexible *x", &["0  struct flexible *"]),
    ("union any x", "union any x", &["0 .s short", "4 .q int"]),
    ("union tie x", "union tie x", &["0 .f float"]),
    (
        "struct nested x",
        "struct nested x",
        &[
            "0 .p[0].c char",
            "16 .p[0].ld long double",
            "32 .p[1].c char",
            "48 .p[1].ld long double",
            "64 .at.x int",
            "68 .at.y int",
            "72 .u.s short",
            "76 .u.q int",
        ],
    ),
    ("struct empty x[3]", "struct empty x[3]", &[]),
    ("struct over x", "struct over x", &["0 .c char", "32 .x int"]),
    ("struct incomplete *x", "struct incomplete *x", &["0  struct incomplete *"]),
    (
        "struct table x",
        "struct table x",
        &[
            "0 .h[0] handler",
            "8 .h[1] handler",
            "16 .plain int (*)(void)",
            "24 .data void *",
            "32 .name const char *const",
        ],
    ),
    ("enum colour x", "enum colour x", &["0  enum colour"]),
    ("enum huge x", "enum huge x", &["0  enum huge"]),
    ("enum narrow x", "enum narrow x", &["0  enum narrow"]),
    ("state x", "state x", &["0  state"]),
    ("enum { A, B } x", "unsigned int x", &["0  unsigned int"]),
    ("_Atomic int x", "_Atomic(int) x", &["0  _Atomic(int)"]),
    ("_Atomic(char *) *x", "_Atomic(char *) *x", &["0  _Atomic(char *) *"]),
    (
        "_Atomic struct { char c[3]; } x",
        "_Atomic(struct { char c[3]; }) x",
        &["0 .c[0] char", "1 .c[1] char", "2 .c[2] char"],
    ),
    (
        "struct { int a : 5; struct { char b; }; int (*c)[2]; } x",
        "struct { int a : 5; struct { char b; }; int (*c)[2]; } x",
        &["0 .a int : 0, 5", "1 .b char", "8 .c int (*)[2]"],
    ),
    (
        "struct __attribute__((packed)) { char c; _Complex double z; long l; } x",
        "struct __attribute__((packed)) { char c; _Complex double z; long l; } x",
        &["0 .c char", "1 .z _Complex double", "17 .l long"],
    ),
];

/// `x` of the table under a name of its own.
fn named(text: &str, index: usize) -> String {
    let mut words = String::new();
    let (mut previous, name) = (' ', format!("x{index}"));
    for (place, c) in text.char_indices() {
        let next = text[place + 1..].chars().next().unwrap_or(' ');
        let alone = |c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '.';
        if c == 'x' && alone(previous) && alone(next) {
            words.push_str(&name)
        } else {
            words.push(c)
        }
        previous = c;
    }
    words
}

fn declarations() -> String {
    let declare = |(index, row): (usize, &(&str, &str, &[&str]))| format!("{};\n", named(row.0, index));
    TABLE.iter().enumerate().map(declare).collect()
}

#[test]
fn types_are_spelled_and_taken_apart() {
    let program = load(&[("t.c", &format!("{PRELUDE}{}", declarations()))]);
    for (index, (declaration, expected, cells)) in TABLE.iter().enumerate() {
        let ty = global(&program, &format!("x{index}"));
        assert_eq!(program.types.spell(ty, "x"), *expected, "{declaration}");
        assert_eq!(leaves(&program.types, ty), *cells, "{declaration}");
    }
}

/// Claims about the type of a global variable that clang can check, and statements that check bit-fields when they run.
fn claims(types: &Types, name: &str, whole: TypeId) -> (String, String) {
    let (mut checked, mut run) = (String::new(), String::new());
    let size = types.size_of(whole).unwrap();
    writeln!(checked, "_Static_assert(sizeof({name}) == {size}, \"size of {name}\");").unwrap();
    writeln!(checked, "_Static_assert(_Alignof(__typeof__({name})) <= {}, \"\");", types.align_of(whole)).unwrap();
    writeln!(checked, "struct in_{name} {{ __typeof__({name}) m; }};").unwrap();
    // The members of an atomic struct cannot be named.
    let inside = if matches!(types[whole], CType::Atomic(_)) { 0 } else { 200 };
    for Leaf { offset, path, ty, bits } in types.leaves(whole).take(inside) {
        match bits {
            None => {
                let at = format!("__builtin_offsetof(struct in_{name}, m{path})");
                let size = types.size_of(ty).unwrap();
                writeln!(checked, "_Static_assert({at} == {offset}, \"{name}{path}\");").unwrap();
                writeln!(checked, "_Static_assert(sizeof({name}{path}) == {size}, \"{name}{path}\");").unwrap();
            }
            Some(bits) => {
                let size = types.size_of(whole).unwrap();
                writeln!(run, "{{ static union {{ __typeof__({name}) m; unsigned char b[{size}]; }} u, v;").unwrap();
                let (first, width) = (offset * 8 + u64::from(bits.offset), u64::from(bits.width));
                writeln!(run, "for (unsigned i = 0; i < {size} * 8; i++)").unwrap();
                writeln!(run, "(i - {first} < {width} ? u.b : v.b)[i / 8] |= 1 << i % 8;").unwrap();
                // All bits of the field and no others, then the reverse.
                let mask = format!("(((unsigned __int128)1 << {width}) - 1)");
                writeln!(run, "if (((unsigned __int128)u.m{path} & {mask}) != {mask} || v.m{path}) return 1; }}")
                    .unwrap();
            }
        }
    }
    (checked, run)
}

fn run_c(source: &str, flags: &[&str]) {
    let dir = tempfile::tempdir().unwrap();
    let (file, out) = (dir.path().join("claims.c"), dir.path().join("claims"));
    std::fs::write(&file, source).unwrap();
    let clang = FrontEnd::default().find_clang().unwrap();
    let built =
        Command::new(clang).args(["-w", "-std=gnu17"]).args(flags).arg(&file).arg("-o").arg(&out).output().unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let ran = Command::new(&out).output().unwrap();
    assert_eq!(ran.status.code(), Some(0), "{source}");
}

#[test]
fn clang_agrees() {
    let program = load(&[("t.c", &format!("{PRELUDE}{}", declarations()))]);
    let mut source = format!("{PRELUDE}{}", declarations());
    let mut main = String::new();
    for index in 0..TABLE.len() {
        let name = format!("x{index}");
        let ty = global(&program, &name);
        let declared = program.types.spell(ty, &name);
        // A struct without a name is another type each time that it is written.
        if !declared.contains('{') {
            writeln!(source, "extern {declared};").unwrap();
        }
        let (checked, run) = claims(&program.types, &name, ty);
        source.push_str(&checked);
        main.push_str(&run);
    }
    run_c(&format!("{source}int main(void) {{ {main} return 0; }}\n"), &[]);
}

const FUNCTIONS: &str = r"
struct node { int v; struct node *next; };
struct big { long a[4]; };
typedef struct node list;
static int length(const list *head) { int n = 0; for (; head; head = head->next) n++; return n; }
struct big make(struct node small, struct big large, int) { large.a[0] = small.v + length(&small); return large; }
void matrix(int n, double m[const 3][4], char *restrict out, int (*f)(int)) { int local = n; out[local] = f(n) + m[0][0]; }
int old(a, c, f) int a; char c; float f; { return a + c + f; }
int log_it(const char *format, ...) { return 0; }
void nothing(void) { }
int reordered(int a, int b) { int c = b; { int a = c; c += a; } return c; }
static int unused(int x) { return x > 3; }
";

#[test]
fn functions_have_types_and_names() {
    let program = load(&[("t.c", FUNCTIONS)]);
    assert_eq!(spelled(&program, "length"), "int length(const list *head)");
    assert_eq!(spelled(&program, "make"), "struct big make(struct node small, struct big large, int)");
    let matrix = "void matrix(int n, double (*const m)[4], char *restrict out, int (*f)(int))";
    assert_eq!(spelled(&program, "matrix"), matrix);
    assert_eq!(spelled(&program, "old"), "int old(int a, char c, float f)");
    assert_eq!(spelled(&program, "log_it"), "int log_it(const char *format, ...)");
    assert_eq!(spelled(&program, "nothing"), "void nothing(void)");
    assert_eq!(spelled(&program, "reordered"), "int reordered(int a, int b)");
    assert!(function(&program, "length").source.internal && !function(&program, "old").source.internal);
    assert_eq!(program.definitions("unused").count(), 0);
}

#[test]
fn locals_have_types() {
    let program = load(&[("t.c", FUNCTIONS)]);
    let body = function(&program, "length").body.as_ref().unwrap();
    let spell = |v: &crate::ir::Variable| program.types.spell(v.ty.unwrap(), &v.name);
    let variables: Vec<String> = body.variables.values().map(spell).collect();
    assert_eq!(variables, ["const list *head", "int n"]);
}

#[test]
fn types_are_not_read_unless_asked_for() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("t.c");
    std::fs::write(&file, FUNCTIONS).unwrap();
    let units = FrontEnd::default().compile(&[file]).unwrap();
    let program = lower(&units, None, &Options::default()).unwrap();
    assert!(program.types.is_empty() && program.functions.values().all(|f| f.source.ty.is_none()));
    assert_eq!(function(&program, "length").source.name.as_deref(), Some("length"));
}

const HEADER: &str = r#"
struct tree { struct tree *left, *right; struct leaf *leaf; };
struct leaf { struct tree *owner; int value; };
typedef struct hidden hidden;
int count(struct tree *t);
"#;

/// Both files have types of the header that refer to each other in a circle, and a `static` of one name.
#[test]
fn types_of_several_files_are_one() {
    let first = r#"#include "h.h"
        static int helper(struct tree *t) { return t != 0; }
        struct tree root; hidden *secret; struct same { int a; }; struct same one;
        int count(struct tree *t) { return helper(t); }"#;
    let second = r#"#include "h.h"
        static int helper(struct leaf *l) { return l->value; }
        struct hidden { int key; }; hidden opened; struct leaf other; struct same { char b; }; struct same two;
        int main(void) { return helper(&other) + count(other.owner); }"#;
    let program = load(&[("h.h", HEADER), ("a.c", first), ("b.c", second)]);
    let types = &program.types;
    let trees = types.iter().filter(|(id, ty)| ty.record().is_some() && types.spell(*id, "") == "struct tree");
    assert_eq!(trees.count(), 1);
    assert_ne!(global(&program, "one"), global(&program, "two"));
    let (names, files): (Vec<&str>, Vec<String>) = program
        .definitions("helper")
        .map(|id| {
            let function = &program.functions[id];
            (function.name.as_str(), program.files[function.loc.file().unwrap()].name.clone())
        })
        .unzip();
    assert_eq!(names.len(), 2);
    assert_ne!(names[0], names[1]);
    assert!(files[0].ends_with("a.c") && files[1].ends_with("b.c"), "{files:?}");
    // The first file only declares what is behind the pointer, the second defines it.
    let secret = types.pointee(global(&program, "secret")).unwrap();
    assert_eq!(types.size_of(secret), None);
    assert_eq!(types.leaves(secret).count(), 0);
    assert_eq!(types.definition(secret), Some(types.strip(global(&program, "opened"))));
}

#[test]
fn enumerators_have_their_values() {
    let program = load(&[("t.c", &format!("{PRELUDE} enum colour c; enum huge h; enum narrow n;"))]);
    let values = |name| match program.types.stripped(global(&program, name)) {
        CType::Enum(e) => (e.values.clone(), e.size, e.signed),
        other => panic!("{other:?}"),
    };
    let one = |name: &str, value| (name.to_owned(), value);
    assert_eq!(values("c"), (vec![one("RED", -1), one("GREEN", 5)], 4, true));
    assert_eq!(values("h"), (vec![one("HUGE", 0xffff_ffff_ffff_ffff)], 8, false));
    assert_eq!(values("n"), (vec![one("LOW", 0)], 1, false));
}

#[test]
fn flexible_arrays_are_found() {
    let source = format!("{PRELUDE} struct flexible f; struct {{ char c; int last[0]; }} z; struct {{ int a[2]; }} p;");
    let program = load(&[("t.c", &source)]);
    let (types, flexible) = (&program.types, |name| program.types.flexible(global(&program, name)));
    let found = |name| flexible(name).map(|(start, member, of)| (start, member.to_owned(), types.size_of(of)));
    assert_eq!(found("f"), Some((4, "data".to_owned(), Some(2))));
    assert_eq!(found("z"), Some((4, "last".to_owned(), Some(4))));
    assert_eq!(found("p"), None);
}

/// A chain of structs, each known only to the one before, must not go deep.
#[test]
fn long_chains_are_read() {
    let mut source = String::from("struct s0 { int end; };\n");
    for i in 1..2000 {
        writeln!(source, "struct s{i} {{ struct s{} *next; }};", i - 1).unwrap();
    }
    source.push_str("struct s1999 x;\n");
    let program = load(&[("t.c", &source)]);
    assert_eq!(program.types.size_of(global(&program, "x")), Some(8));
}

/// Programs of csmith have odd structs: `cargo test -p covenant-program --release -- --ignored csmith`
#[test]
#[ignore = "takes minutes"]
fn csmith_types_agree() {
    // csmith leaves a file of its own in the current directory.
    let dir = tempfile::tempdir().unwrap();
    for seed in 0..100 {
        let args = ["--packed-struct", "--max-struct-fields", "20", "--seed", &seed.to_string()];
        let source = Command::new("csmith").current_dir(dir.path()).args(args).output().unwrap();
        let source = format!("{}\n", String::from_utf8_lossy(&source.stdout));
        let program = load_with(&[("t.c", &source)], &["-w", "-I/usr/include/csmith"]);
        let (mut checked, mut run) = (String::new(), String::new());
        for global in program.globals.values().filter(|g| g.name.starts_with("g_") && !g.name.contains('.')) {
            let Some(ty) = global.ty else { continue };
            writeln!(checked, "extern {};", program.types.spell(ty, &global.name)).unwrap();
            let claims = claims(&program.types, &global.name, ty);
            checked.push_str(&claims.0);
            run.push_str(&claims.1);
        }
        let source = source.replace("int main (", "int original_main (").replace("static ", "");
        run_c(&format!("{source}{checked}int main(void) {{ {run} return 0; }}"), &["-I/usr/include/csmith"]);
    }
}
