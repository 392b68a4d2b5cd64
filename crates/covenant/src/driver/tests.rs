//! Drivers of both kinds are held against each other.

use covenant_program::ir::{Body, Callee, Def, Op, Value};
use covenant_program::lower::lower;

use super::*;

const CODE: &str = "
enum color { RED, GREEN };
typedef struct node { struct node *next; int value; } node;
typedef long count;
struct pair { int a, b; };
int plain(int a, unsigned char b) { return a + b; }
static long hidden(count a, short b, signed char c, unsigned long long d) { return a + b + c + (long)d; }
_Bool truth(_Bool a, enum color c) { return a && c == RED; }
enum color choose(int x) { return x ? RED : GREEN; }
float small(float a, double b) { return a + (float)b; }
long double wide(long double a) { return a * 2; }
node *next(node *list, const char *name, void *any, int table[4]) { return name && any && table ? list->next : 0; }
void nothing(void) {}
int twice(int (*f)(int, const char *), int x) { return f(x, \"a\"); }
volatile int *port(volatile int *p) { return p; }
int by_value(struct pair p) { return p.a; }
struct pair made(int a) { struct pair p = { a, a }; return p; }
int several(int count, ...) { return count; }
double _Complex turned(double _Complex z) { return z; }
int old(c) char c; { return c; }
";

/// The instructions of a driver, values by the order in which they stand.
fn shape(program: &Program) -> Vec<String> {
    let driver = &program.functions[program.function(DRIVER).unwrap()];
    let body: &Body = driver.body.as_ref().unwrap();
    assert_eq!(body.blocks.len(), 1);
    let block = body.blocks.values().next().unwrap();
    let mut order: Vec<Value> = Vec::new();
    let mut shown = Vec::new();
    for &inst in &block.insts {
        let data = &body.insts[inst];
        let operands: Vec<String> = data
            .op
            .operands()
            .into_iter()
            .map(|value| match body.values[value].def {
                Def::Const(constant) => format!("{:?} {constant:?}", body.ty(value)),
                _ => format!("{:?} {:?}", body.ty(value), order.iter().position(|v| *v == value)),
            })
            .collect();
        let what = match &data.op {
            Op::Call(call) => match call.callee {
                Callee::Direct(callee) => program.functions[callee].name.clone(),
                Callee::Indirect(_) => "a pointer".to_owned(),
            },
            Op::Alloca { align, .. } => format!("alloca {align}"),
            Op::Cast { op, .. } => format!("{op:?}"),
            Op::Load { volatile, .. } => format!("load {volatile}"),
            Op::Store { volatile, .. } => format!("store {volatile}"),
            // Coverage of the driver itself.
            Op::Counter { .. } => continue,
            other => format!("{other:?}"),
        };
        order.extend(data.results.iter().copied());
        let results: Vec<_> = data.results.iter().map(|&value| (body.ty(value), body.name(value))).collect();
        shown.push(format!("{results:?} {what} {operands:?}"));
    }
    shown
}

/// What undefined functions take and return.
fn undefined(program: &Program) -> Vec<String> {
    let of_driver = |name: &str| name.starts_with("any_") || name.starts_with("__covenant");
    let functions = program.functions.values().filter(|f| f.body.is_none() && of_driver(&f.name));
    let mut all: Vec<String> =
        functions.map(|f| format!("{} {:?} {:?} {}", f.name, f.params, f.returns, f.variadic)).collect();
    all.retain(|text| !text.starts_with("__covenant_assume") && !text.starts_with("__covenant_length"));
    all.sort();
    all
}

#[test]
fn what_is_built_is_what_clang_makes() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("code.c");
    std::fs::write(&file, CODE).unwrap();
    let flags = vec!["-std=gnu11".to_owned(), "-Wno-everything".to_owned()];
    let front_end = FrontEnd { keep_static: true, flags, ..FrontEnd::default() };
    let units = front_end.compile(&[file]).unwrap();
    let options = lower::Options { promote: true, types: true };
    let program = lower(&units, None, &options).unwrap();
    let request = Request::default();
    let through_clang = ["by_value", "made", "several", "turned", "old"];
    let names: Vec<String> = program.functions.values().filter(|f| f.body.is_some()).map(|f| f.name.clone()).collect();
    assert_eq!(names.len(), 15);
    for name in names {
        let id = program.definitions(&name).next().unwrap();
        let called =
            Called { entry: signature(&program, id, name.clone(), 0), through: None, note: None, assume: Vec::new() };
        let callbacks = callbacks::of(&program, &called.entry.params);
        let mut ours = program.clone();
        let built = built::build(&mut ours, id, &called.entry, &callbacks);
        assert_eq!(built.is_none(), through_clang.contains(&&*name), "{name}");
        if built.is_none() {
            assert_eq!(ours, program, "{name}");
            continue;
        }
        assert_eq!(covenant_program::verify::verify(&ours), Ok(()), "{name}");
        let (unit, _) = attach(&program, (&units, &front_end), &called, &request, folder.path()).unwrap();
        let theirs = lower(&[unit], None, &options).unwrap();
        assert_eq!(shape(&ours), shape(&theirs), "{name}");
        assert_eq!(undefined(&ours), undefined(&theirs), "{name}");
    }
}
