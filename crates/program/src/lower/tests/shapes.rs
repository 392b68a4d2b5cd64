//! Constructs of C and the instructions they must become.

use super::*;

/// The text of one function.
fn text(program: &Program, name: &str) -> String {
    let id = program.function(name).unwrap_or_else(|| panic!("no function {name}"));
    let body = program.functions[id].body.as_ref().unwrap();
    let ops = body.blocks.values().flat_map(|b| b.insts.iter().map(|&i| format!("{:?}", body.insts[i].op)));
    ops.collect::<Vec<_>>().join("\n")
}

fn body<'a>(program: &'a Program, name: &str) -> &'a Body {
    program.functions[program.function(name).unwrap()].body.as_ref().unwrap()
}

fn branches(program: &Program, name: &str) -> usize {
    let terms = body(program, name).blocks.values();
    terms.filter(|b| matches!(b.term, Terminator::Branch { .. })).count()
}

fn global<'a>(program: &'a Program, name: &str) -> &'a Global {
    program.globals.values().find(|g| g.name == name).unwrap_or_else(|| panic!("no global {name}"))
}

#[test]
fn every_condition_keeps_its_branch() {
    let source = "
        int and_or(int a, int b) { return (a && b) || !a; }
        int constants(int a) { return a ? 1 : 2; }
        int nested(int a, int b) { int r = a > 1 ? (b ? 3 : 4) : 5; return r; }
        int dead(void) { if (0) return 1; return 2; }";
    let program = lowered(source, &[]);
    assert_eq!(branches(&program, "and_or"), 3);
    assert_eq!(branches(&program, "constants"), 1);
    assert_eq!(branches(&program, "nested"), 2);
    assert_eq!(branches(&program, "dead"), 0);
}

#[test]
fn the_arm_of_a_constant_conditional_has_its_counter() {
    let program = lowered("int f(int a) { return a ? 1 : 2; }", &[]);
    let body = body(&program, "f");
    let Some(Terminator::Branch { then, other, .. }) = body.blocks.values().map(|b| &b.term).next() else {
        panic!("{program}")
    };
    let counters = |block: Block| {
        let ops = body.blocks[block].insts.iter().map(|&i| &body.insts[i].op);
        ops.filter(|op| matches!(op, Op::Counter { index: 1 })).count()
    };
    assert_eq!((counters(then.block), counters(other.block)), (1, 0));
    assert!(!text(&program, "f").contains("ZExt"), "{program}");
}

#[test]
fn optimisation_flags_of_the_user_change_nothing() {
    let source = "int f(int a) { int r = 0; for (int i = 0; i < a; i++) r += i; return r; }";
    assert_eq!(text(&lowered(source, &["-O3", "-flto"]), "f"), text(&lowered(source, &[]), "f"));
}

#[test]
fn values_know_their_variables_and_lines() {
    let source =
        "int f(int first, int second) {\n  int sum = first + second;\n  int arr[3] = {sum};\n  return arr[1];\n}";
    let program = lowered(source, &[]);
    let body = body(&program, "f");
    let named = |name| body.values.keys().find(|&v| body.name(v) == Some(name));
    assert_eq!(body.params().iter().map(|&p| body.name(p)).collect::<Vec<_>>(), [Some("first"), Some("second")]);
    let sum = named("sum").expect("sum has a value");
    let Def::Result { inst, .. } = body.values[sum].def else { panic!("sum is computed") };
    assert!(matches!(body.insts[inst].op, Op::Binary { op: BinaryOp::Add, flags: OpFlags { nsw: true, .. }, .. }));
    assert_eq!((body.insts[inst].loc.line, body.insts[inst].loc.column), (2, 19));
    let file = body.insts[inst].loc.file().expect("a file");
    assert!(program.files[file].name.ends_with("t.c"));
    assert!(named("arr").is_some());
    assert_eq!(program.functions[program.function("f").unwrap()].loc.line, 1);
}

#[test]
fn wide_and_exact_constants_are_read_whole() {
    let source = "
        __int128 a = ((__int128)0x0123456789abcdef << 64) | 0xfedcba9876543210;
        long double b = 1.1L;
        double c = -0.0;
        __int128 f(void) { return ((__int128)1 << 100) + 7; }
        void g(long double *p) { *p = 2.5L; }";
    let program = lowered(source, &[]);
    let bytes = |name| global(&program, name).init.clone().unwrap();
    assert_eq!(bytes("a"), 0x0123_4567_89ab_cdef_fedc_ba98_7654_3210u128.to_le_bytes()[..]);
    assert_eq!(bytes("b"), [0xcd, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0x8c, 0xff, 0x3f]);
    assert_eq!(bytes("c"), (-0.0f64).to_le_bytes());
    let constant = |f: &str, c: u128| body(&program, f).values.values().any(|v| v.def == Def::Const(Const::Bits(c)));
    assert!(constant("f", (1 << 100) + 7));
    assert!(constant("g", 0x4000_a000_0000_0000_0000));
}

#[test]
fn initialisers_become_bytes_and_addresses() {
    let source = r#"
        struct s { char c; int i; struct s *next; short h[3]; } y;
        struct s x = { 'a', -2, &y, {1, 2} };
        int *inside = &x.i;
        char *text = "hello" + 2;
        int big[1 << 28];
        char sparse[1000] = { [3] = 7 };
        long number = (long)&x + 5;
        extern int *unknown; int **at = &unknown;
        extern struct s same __attribute__((alias("y"))); struct s *by_alias = &same;
        static int count(void) { static int calls = 3; return calls++; }
        int (*const fns[])(void) = { count, 0 };"#;
    let program = lowered(source, &["-Wno-everything"]);
    let x = global(&program, "x");
    assert_eq!(x.init.as_ref().unwrap()[..8], [b'a', 0, 0, 0, 0xfe, 0xff, 0xff, 0xff]);
    assert_eq!((x.size, x.align), (24, 8));
    let symbol = |s: Symbol| match s {
        Symbol::Global(id) => program.globals[id].name.clone(),
        Symbol::Func(id) => program.functions[id].name.clone(),
        Symbol::Label(..) => "label".to_owned(),
    };
    let relocs = |name| {
        let list = global(&program, name).relocs.iter();
        list.map(|r| (r.offset, r.size, symbol(r.symbol), r.addend)).collect::<Vec<_>>()
    };
    assert_eq!(relocs("x"), [(8, 8, "y".to_owned(), 0)]);
    assert_eq!(relocs("inside"), [(0, 8, "x".to_owned(), 4)]);
    assert_eq!(relocs("text"), [(0, 8, ".str".to_owned(), 2)]);
    assert_eq!(relocs("number"), [(0, 8, "x".to_owned(), 5)]);
    assert_eq!(relocs("fns"), [(0, 8, "count".to_owned(), 0)]);
    assert_eq!(relocs("by_alias"), [(0, 8, "y".to_owned(), 0)]);
    assert_eq!(relocs("at"), [(0, 8, "unknown".to_owned(), 0)]);
    assert_eq!(global(&program, "big").init, Some(Vec::new()));
    assert_eq!(global(&program, "big").size, 1 << 30);
    assert_eq!(global(&program, "sparse").init, Some(vec![0, 0, 0, 7]));
    assert_eq!(global(&program, "unknown").init, None);
    assert_eq!(global(&program, "count.calls").source_name.as_deref(), Some("calls"));
    assert_eq!(global(&program, ".str").source_name, None);
    assert!(global(&program, "fns").constant && !x.constant);
    let names: Vec<&str> = program.globals.values().map(|g| g.name.as_str()).collect();
    assert!(!names.iter().any(|n| n.starts_with("__cov") || n.starts_with("__prof") || n.starts_with("llvm.")));
}

#[test]
fn labels_are_blocks() {
    let source = "
        int f(int x) {
            static void *const to[] = { &&a, &&b };
            static const int apart[] = { &&b - &&a };
            goto *to[x];
            a: return 1;
            b: return 2 + apart[0];
        }";
    let program = lowered(source, &[]);
    let f = program.function("f").unwrap();
    let returned =
        |block: Block| matches!(body(&program, "f").blocks[block].term, Terminator::Jump(_) | Terminator::Return(_));
    let to = global(&program, "f.to");
    assert_eq!(to.relocs.len(), 2);
    for reloc in &to.relocs {
        assert!(matches!(reloc.symbol, Symbol::Label(function, block) if function == f && returned(block)));
    }
    let apart = global(&program, "f.apart").relocs[0];
    assert_eq!((apart.size, apart.addend), (4, 0));
    assert!(matches!(apart.minus, Some(Symbol::Label(function, _)) if function == f));
    let indirect = body(&program, "f")
        .blocks
        .values()
        .any(|b| matches!(&b.term, Terminator::Indirect { targets, .. } if targets.len() == 2));
    assert!(indirect);
}

#[test]
fn indices_into_arrays_carry_their_length() {
    let source = "
        struct s { int pad; int a[3][5]; int end; };
        struct t { int pad; char text[1]; };
        int f(struct s *p, int i, long j) { return p->a[i][j]; }
        int g(struct s *p) { return p->a[2][1]; }
        int h(struct s *p) { return p->a[1][7]; }
        int k(int *p, int i) { return p[i]; }
        int m(struct t *p, int i) { return p->text[i]; }";
    let program = lowered(source, &["-Wno-array-bounds"]);
    let adds = |name| {
        let ops = body(&program, name).insts.values();
        ops.filter_map(|i| match i.op {
            Op::PtrAdd { index, scale, disp, count, .. } => Some((index.is_some(), scale, disp, count)),
            _ => None,
        })
        .collect::<Vec<_>>()
    };
    assert_eq!(adds("f"), [(false, 1, 4, 0), (true, 20, 0, 3), (true, 4, 0, 5)]);
    assert_eq!(adds("g"), [(false, 1, 4, 0), (false, 1, 40, 0), (false, 1, 4, 0)]);
    assert_eq!(adds("h"), [(false, 1, 4, 0), (false, 1, 20, 0), (true, 4, 0, 5)]);
    assert_eq!(adds("k"), [(true, 4, 0, 0)]);
    assert_eq!(adds("m"), [(false, 1, 4, 0), (true, 1, 0, 0)], "there may be more behind");
}

#[test]
fn structs_by_value_are_copied_by_the_caller() {
    let source = "
        struct big { long a[4]; };
        void take(struct big b);
        void vary(int n, ...);
        void f(struct big *p) { take(*p); vary(1, *p, 2.5); }";
    let program = lowered(source, &[]);
    let body = body(&program, "f");
    let calls: Vec<&CallData> = body
        .insts
        .values()
        .filter_map(|i| match &i.op {
            Op::Call(call) => Some(&**call),
            _ => None,
        })
        .collect();
    assert_eq!(calls[1].by_value, [VarArg { arg: 1, size: 32, align: 8 }]);
    assert!(calls[1].variadic && !calls[0].variadic);
    for call in calls {
        let passed = call.args[if call.variadic { 1 } else { 0 }];
        let Def::Result { inst, .. } = body.values[passed].def else { panic!("{program}") };
        assert!(matches!(body.insts[inst].op, Op::Alloca { .. }));
        assert!(body.blocks[Block::ENTRY].insts.contains(&inst));
    }
}

#[test]
fn a_call_that_does_not_fit_its_callee_goes_through_the_address() {
    let source = "
        static int one(int x) { return x; }
        int f(void) { return one(1) + ((int (*)(int, int))one)(1, 2); }";
    let program = lowered(source, &["-Wno-cast-function-type-mismatch"]);
    let calls = body(&program, "f").insts.values().filter_map(|i| match &i.op {
        Op::Call(call) => Some(matches!(call.callee, Callee::Direct(_))),
        _ => None,
    });
    assert_eq!(calls.collect::<Vec<_>>(), [true, false]);
}

#[test]
fn what_cannot_be_lowered_traps_where_it_stands() {
    let source = r#"
        int asmed(int x) { __asm__("nop" : "+r"(x)); return x; }
        int barrier(int x) { __asm__ volatile("" : "+r"(x) :: "memory"); return x; }
        __float128 quad(__float128 x, int c) { __float128 y = c ? x : x + 1; return y; }
        int fine(_Float16 h, int x) { return x + 1; }
        int jumping(int x) { __asm__ goto("jmp %l0" :::: out); return x; out: return 2; }
        unsigned _BitInt(200) many(unsigned _BitInt(200) a) { return a * a; }
        static int (*pick(void))(void) { return 0; }
        int chosen(void) __attribute__((ifunc("pick")));
        int use(void) { return chosen(); }"#;
    let program = lowered(source, &[]);
    let found = unsupported(&program);
    let of = |name: &str| found.iter().filter(|f| f.starts_with(&format!("{name}:"))).count();
    for name in ["asmed", "quad", "jumping", "many", "chosen"] {
        assert!(of(name) > 0, "{name} in {found:?}");
    }
    for name in ["barrier", "use"] {
        assert_eq!(of(name), 0, "{name} in {found:?}");
    }
    assert!(found.contains(&"asmed: assembly `nop`".to_owned()), "{found:?}");
}

#[test]
fn strict_floating_point_is_plain_floating_point() {
    let source = "
        double f(double a, float b, int i) { return a * b + (double)i - (a < b) / (double)(float)a; }
        long g(double a) { return (long)a + (a == 1.0); }";
    let program = lowered(source, &["-frounding-math", "-ffp-exception-behavior=strict"]);
    assert_eq!(unsupported(&program), Vec::<String>::new());
    assert!(text(&program, "f").contains("FDiv"));
    assert!(text(&program, "g").contains("Oeq"));
}

#[test]
fn constructors_run_by_priority_and_destructors_backwards() {
    let source = "
        #define C(n, ...) __attribute__((__VA_ARGS__)) void n(void) {}
        C(late, constructor) C(early, constructor(200)) C(middle, constructor(300))
        C(first, destructor) C(last, destructor(200)) C(between, destructor(300))";
    let program = lowered(source, &[]);
    let names = |ids: &[FuncId]| ids.iter().map(|&f| program.functions[f].name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&program.constructors), ["early", "middle", "late"]);
    assert_eq!(names(&program.destructors), ["first", "between", "last"]);
}
