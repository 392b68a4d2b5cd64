use std::fs;

use super::*;

fn syntax(files: &[(&str, &str)]) -> Syntax {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let input = Input { file: Path::new(files[0].0), directory: folder.path(), flags: &[] };
    Syntax::of(&FrontEnd::default(), &input).unwrap()
}

fn body<'s>(syntax: &'s Syntax, name: &str) -> &'s Node {
    syntax.definitions().find(|(function, _)| function.name == name).unwrap().1
}

/// All nodes, the outer before the inner.
fn all(node: &Node) -> Vec<&Node> {
    std::iter::once(node).chain(node.inner.iter().flat_map(all)).collect()
}

fn operators<'s>(syntax: &'s Syntax, name: &str, wanted: &str) -> Vec<&'s Node> {
    let is_wanted = |node: &&Node| matches!(node.kind, Kind::Binary { operator, .. } if operator == wanted);
    all(body(syntax, name)).into_iter().filter(is_wanted).collect()
}

/// File, line and column.
fn shown(syntax: &Syntax, point: Point) -> String {
    format!("{}:{}:{}", syntax.file(point), point.line, point.column)
}

#[test]
fn places_are_known_though_clang_leaves_out_what_is_as_before() {
    let header =
        "/** A comment that is in the tree. */\nstatic inline int twice(int x)\n{\n    return x\n        * 2;\n}\n";
    let main = "#include \"a.h\"\nint one, two;\n\nint f(int x)\n{\n    return twice(x) <\n\n      x;\n}\n";
    let syntax = syntax(&[("a.c", main), ("a.h", header)]);
    let range = |name, operator| operators(&syntax, name, operator)[0].range.unwrap().map(|p| shown(&syntax, p.shown));
    assert_eq!(range("f", "<"), ["a.c:6:12", "a.c:8:7"]);
    assert_eq!(range("twice", "*"), ["./a.h:4:12", "./a.h:5:11"]);
}

#[test]
fn what_comes_from_macros_has_two_places() {
    let text =
        "#define BOTH(a, b) ((a) && b)\n#define MORE >\nint f(int x, int y)\n{\n    return BOTH(x, y MORE 3);\n}\n";
    let syntax = syntax(&[("a.c", text)]);
    let and = operators(&syntax, "f", "&&")[0];
    let (_, sides) = and.logical().unwrap();
    let place = |node: &Node| {
        let place = node.start().unwrap();
        let spelled = place.spelled.unwrap();
        (shown(&syntax, place.shown), shown(&syntax, spelled.point), spelled.is_argument)
    };
    assert_eq!(place(&sides[0]), ("a.c:5:12".to_owned(), "a.c:1:21".to_owned(), false));
    assert_eq!(place(&sides[1]), ("a.c:5:12".to_owned(), "a.c:5:20".to_owned(), true));
}

#[test]
fn deep_expressions_are_read_and_too_deep_ones_refused() {
    let sum = |terms: usize| format!("int f(int x) {{ return {}; }}\n", vec!["x"; terms].join(" + "));
    let tree = syntax(&[("a.c", &sum(400))]);
    assert_eq!(operators(&tree, "f", "+").len(), 399);
    let deep = "{\"kind\": \"ParenExpr\", \"inner\": [".repeat(5000);
    assert!(read(deep.as_bytes()).is_err_and(|error| error.to_string().contains("too deep")));
    assert!(read(&b"{\"kind\": "[..]).is_err());
}

#[test]
fn conditions_and_negations_are_found() {
    let text = "int f(int a, int b)\n{\n    for (; !(a && b); a++)\n        b = a ? 1 : 2;\n    do a--; while (a);\n    return 0;\n}\n";
    let tree = syntax(&[("a.c", text)]);
    let nodes = all(body(&tree, "f"));
    let found = |kind: &Kind| nodes.iter().find(|node| node.kind == *kind).and_then(|node| node.condition()).unwrap();
    let (inside, negated) = found(&Kind::For).without_negations();
    assert!(negated && inside.logical().is_some_and(|(both, _)| both));
    assert_eq!(shown(&tree, found(&Kind::Do).start().unwrap().shown), "a.c:5:20");
    assert!(found(&Kind::Conditional).without_negations().0.logical().is_none());
}

#[test]
fn constants_have_values_where_no_type_changes_them() {
    let text = "enum { A, B = 7, C, D = -1 };\n#define YES 1\nint f(void)\n{\n    (void)(A || 0); (void)(C || 0); (void)(!YES || 0);\n    \
                (void)((char)256 || 0); (void)((3 > 2) || 0); (void)('x' || 0); (void)(D || 0); (void)(sizeof(int) || 0);\n    return 0;\n}\n";
    let tree = syntax(&[("a.c", text)]);
    let values: Vec<Option<i128>> = operators(&tree, "f", "||").iter().map(|or| tree.constant(&or.inner[0])).collect();
    assert_eq!(values, [Some(0), Some(8), Some(0), None, Some(1), Some(120), Some(-1), None]);
}

#[test]
fn prototypes_are_those_of_the_source() {
    let text = "typedef unsigned char u8;\nextern u8 flags(void) __attribute__((nothrow));\nint read_it(int\n channel);\n\
                int (*pick(int))(long);\nint f(int x) { int local(long); return read_it(x) + unknown(x) + local(1); }\n";
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.c"), text).unwrap();
    let flags = ["-std=c89".to_owned()];
    let input = Input { file: Path::new("a.c"), directory: folder.path(), flags: &flags };
    let tree = Syntax::of(&FrontEnd::default(), &input).unwrap();
    let shown = |name: &str| tree.prototype(name).unwrap_or_default();
    assert_eq!((&shown("flags")[..], &shown("read_it")[..]), ("u8 flags(void)", "int read_it(int channel)"));
    assert_eq!((&shown("pick")[..], &shown("local")[..]), ("int (*pick(int))(long)", "int local(long)"));
    assert_eq!(tree.prototype("unknown"), None);
}

#[test]
fn conversions_say_what_void_pointers_are() {
    let text = "struct a { int x; }; typedef struct { void *user; } event;
int get(const void *p, int i);
int get(const void *p, int i) { const struct a *a = p; return a->x + i; }
int hand(void *p) { return get(p, 3); }
int ask(int (*how)(const void *, int), void *p) { return how(p, 1); }
int none(void *p) { return p == 0; }
int fire(event *e) { return *(short *)e->user; }";
    let syntax = syntax(&[("a.c", text)]);
    let seen = |function: &str, at: usize| uses::parameter_seen_as(&[&syntax], function, at);
    assert_eq!(seen("get", 0).as_deref(), Some("const struct a *"));
    assert_eq!(seen("hand", 0).as_deref(), Some("const struct a *"));
    assert_eq!(seen("ask", 1).as_deref(), Some("const struct a *"));
    assert_eq!(seen("none", 0), None);
    assert_eq!(uses::members_seen_as(&[&syntax]).get("user").map(String::as_str), Some("short *"));
}

#[test]
fn variadic_arguments_have_the_types_that_the_code_asks_for() {
    let code = "#include <stdarg.h>\n#define NEXT(list) va_arg(list, double)\n\
                int f(int n, ...)\n{\n    va_list list;\n    va_start(list, n);\n    n += va_arg(list, int);\n    \
                n += *va_arg(list, char *) + (int)NEXT(list);\n    va_end(list);\n    return n;\n}\n";
    let syntax = syntax(&[("a.c", code)]);
    let asked: Vec<(String, &str)> =
        uses::va_args(&syntax).into_iter().map(|(point, ty)| (shown(&syntax, point), ty)).collect();
    let expected = [("a.c:7:10", "int"), ("a.c:8:11", "char *"), ("a.c:8:39", "double")];
    assert_eq!(asked, expected.map(|(place, ty)| (place.to_owned(), ty)));
}

#[test]
fn what_is_compared_is_found() {
    let text = "struct s { int *p; };\ntypedef int (*go)(int);\n\
                int f(int *a, int *b, int *c, struct s *d, int i, int k, int n, go g, unsigned long u)\n{\n    \
                if (a == b || c != 0)\n        return 1;\n    while (d && !d->p && i < n && g && u)\n        i++;\n    \
                return k + (3 == k);\n}\n";
    let tree = syntax(&[("a.c", text)]);
    let names = |all: Vec<asked::Asked<'_>>| -> Vec<(String, bool)> {
        all.iter().map(|asked| (asked.name.to_owned(), asked.is_member)).collect()
    };
    let expected = [("c", false), ("g", false), ("d", false), ("p", true)];
    assert_eq!(
        names(asked::compared_with_null(&tree)),
        expected.map(|(name, is_member)| (name.to_owned(), is_member)),
        "not a and b, which are compared with each other"
    );
    assert_eq!(
        names(asked::bounded(&tree)),
        ["i", "n"].map(|name| (name.to_owned(), false)),
        "not k, which is 3 or not"
    );
}

#[test]
fn what_a_function_has_just_made_is_not_what_it_was_given() {
    let text = "void *get(void);\nstruct s { int *p, *q; };\n\
                int make(struct s *d)\n{\n    d->p = get();\n    if (!d->p)\n        return 1;\n    \
                if (!d->q)\n        d->q = get();\n    return 0;\n}\n\
                int look(struct s *d)\n{\n    return d->p ? 1 : 0;\n}\n";
    let tree = syntax(&[("a.c", text)]);
    let asked: Vec<(&str, &str)> =
        asked::compared_with_null(&tree).iter().map(|asked| (asked.function, asked.name)).collect();
    assert_eq!(asked, [("make", "q"), ("look", "p")]);
}
