use proptest::prelude::*;

use super::parse;
use super::random::{Choices, program};
use crate::verify::verify;

/// Reads a text, and demands that its print is the text again, comments and white space aside.
fn check(text: &str) {
    let program = parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let printed = program.to_string();
    let words = |s: &str| {
        let lines = s.lines().map(|l| l.split("  ; ").next().unwrap().to_owned()).collect::<Vec<_>>().join(" ");
        lines.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(words(&printed), words(text), "{printed}");
    assert_eq!(parse(&printed).as_ref(), Ok(&program), "{printed}");
}

/// Demands that a text is refused at `line:column` with that message.
fn check_error(text: &str, expected: &str) {
    match parse(text) {
        Ok(_) => panic!("accepted: {text}"),
        Err(error) => assert_eq!(error.to_string(), expected, "{text}"),
    }
}

/// A body of one block with these lines before `unreachable`.
fn in_body(head: &str, lines: &str) -> String {
    format!(
        "fn0 = function \"f\"(i32, ptr, i64, f64) {{ {head} bb0(v0: i32, v1: ptr, v2: i64, v3: f64): {lines} unreachable }}"
    )
}

#[test]
fn items() {
    check("");
    check(r#"target i386 fn0 = function "f"(ptr32) -> ptr32"#);
    check(r#"file0 = file "a.c" in "/src" file1 = file "b \"q\" \\ \n \x00 é.h" in """#);
    check(r#"g0 = global "x" size 4 align 4"#);
    check(r#"g0 = library global "x" const size 40 align 16 source "y" init []"#);
    check(r#"g0 = global "s" size 14 align 1 init ["hello\n" x"0001fe" "back"]"#);
    check(r#"g0 = global "z" size 9000000000 align 8 init [0*100 x"0102" 255*12 "abc" 0]"#);
    check(
        r#"g0 = global "t" size 32 align 8 init [0*32]
           relocs [0:8 = g0, 8:8 = g0 + 4, 16:8 = fn0 - 1, 24:4 = fn0.bb0 minus fn0.bb0 - 9223372036854775808]
           constructors fn0, fn0
           destructors fn0
           fn0 = function "f"() { bb0: return }"#,
    );
    check(r#"fn0 = library function "printf"(ptr, ...) -> i32"#);
    check(r#"fn0 = function "f"(...) -> i32, i1 @ ?:3:4"#);
}

#[test]
fn instructions() {
    for line in [
        "v4: i32 = add v0, v0",
        "v4: i32 = add nsw nuw v0, v0",
        "v4: f64 = f_neg v3",
        "v4: f64 = fadd v3, v3",
        "v4: i1 = icmp sge v0, v0",
        "v4: i1 = fcmp une v3, v3",
        "v4: i64 = sext v0",
        "v4: ptr = inttoptr v2",
        "v4: ptr = ptradd v1",
        "v4: ptr = ptradd v1, v2 scale -4 disp 8 count 10",
        "v4: ptr = ptradd v1 scale 0 disp -9223372036854775808",
        "v4: ptr = alloca v2 align 16",
        "v4: i8 = load volatile v1",
        "store v0, v1",
        "store volatile v0, v1",
        "call fn0(v0, v1, v2, v3)",
        "v4: i32, v5: i1 = call variadic v1() byval 0 size 24 align 8 byval 1 size 1 align 1",
        "v4: i64, v5: i1 = intrinsic s_add_overflow(v2, v2)",
        "intrinsic trap()",
        "counter 7",
        "unsupported \"atomic\\n\"",
        "counter 0 @ ?:1:2",
        "i1: counter 7 i0: counter 8",
    ] {
        check(&in_body("", line));
    }
}

#[test]
fn constants() {
    for constant in [
        "i32 0",
        "i32 -1",
        "i32 2147483647",
        "i1 1",
        "i128 -170141183460469231731687303715884105728",
        "i7 undef",
        "f64 1.5",
        "f64 -0.0",
        "f64 1e-300",
        "f64 0x7ff8000000000001",
        "f32 0.1",
        "f32 0x7f800000",
        "f80 0x3fff8000000000000000",
        "ptr null",
        "ptr 0x10",
        "ptr fn0",
        "ptr fn0.bb0",
        "ptr undef",
    ] {
        check(&in_body(&format!("v4 = const {constant}"), &format!("store {constant}, v1")));
    }
    check(&in_body("var0 = \"a\" line 3 v4!a = const i8 0", "store i8 0, v1"));
    check(&in_body("v4 = const i8 0 v5 = const i8 0", "store v5, v1"));
}

#[test]
fn constants_without_an_entry_at_the_head_come_last() {
    let program = parse(&in_body("", "v5: i32 = add v0, i32 7 v4: i32 = add i32 7, i32 -2")).unwrap();
    let printed = program.to_string();
    assert!(printed.contains("v6 = const i32 7\n    v7 = const i32 -2\n"), "{printed}");
    assert_eq!(parse(&printed), Ok(program));
}

#[test]
fn terminators_and_variables() {
    check(
        r#"fn0 = function "f"(i32) -> i32, i32 @ ?:0:0 {
            var0 = "a" line 1 var1 = "b" line 2 var2 = "b" line 3 var3 = "var0" line 4 var4 = "x y" line 5
            v1 = const i32 3
        bb0(v0!a: i32):
            v2!var1: i1 = icmp eq v0, i32 3
            branch v2, bb1, bb2(v0, v2)  @ ?:3:4
        bb1:
            switch v0 { 0 => bb1 340282366920938463463374607431768211455 => bb2(v0, v2) default => bb4 }  @ ?:1:1
        bb2(v3!var3: i32, v4!var4: i1):
            indirect ptr fn0.bb2 [bb1, bb2(v3, v4)]
        bb3:
            indirect ptr null []
        bb4:
            return v0, i32 3
        bb5:
            jump bb5
        }"#
        .replace("v1 = const i32 3", "v1 = const i32 3 v5 = const ptr null v6 = const ptr fn0.bb2")
        .replace(" @ ?:0:0", "")
        .as_str(),
    );
}

#[test]
fn errors() {
    check_error("file1 = ", "1:1: definitions stand in order: expected file0");
    check_error(
        "\n  what",
        "2:3: expected a file, a global, a function, `target`, `constructors` or `destructors`, found `what`",
    );
    check_error("constructors fn2", "1:14: fn2 is not defined");
    check_error("g0 = global \"x", "1:13: this string does not end on its line");
    check_error("g0 = global \"\\q\"", "1:14: an escape is one of \\n \\t \\\" \\\\ and \\xHH");
    check_error("g0 = global \"\\xff\" size 1 align 1", "1:13: the global's name is not UTF-8");
    check_error("g0 = global \"x\" size -1", "1:22: expected a size, found a number");
    check_error("g0 = global \"x\" size 1 align 99999999999", "1:30: 99999999999 is too large for an alignment");
    check_error(
        "g0 = global \"x\" size 1 align 1 init [0*99999999999]",
        "1:38: a global has at most 268435456 initial bytes",
    );
    check_error(
        "g0 = global \"x\" size 1 align 1 init [x\"123\"]",
        "1:42: expected two hexadecimal digits for each byte",
    );
    check_error("fn0 = function \"f\"(i129)", "1:20: expected a type, found `i129`");
    check_error("fn0 = function \"f\"() £", "1:22: the character '£' has no meaning here");
    check_error("fn0 = function \"f\"() @ file0:1:1", "1:24: file0 is not defined");
    check_error("fn0 = function \"f\"() { bb0: jump bb1 }", "1:34: bb1 is not defined");
    check_error("fn0 = function \"f\"() { bb1: return }", "1:24: blocks stand in order: expected bb0");
    check_error(
        "fn0 = function \"f\"() { bb0: return",
        "1:35: expected a block such as `bb0`, or `}`, found the end of the text",
    );
    for (lines, expected) in [
        ("store v9, v1", "v9 is not defined"),
        ("v0: i32 = load v1", "v0 is defined twice"),
        ("v5: i32 = load v1", "there is a v5, but v4 is not defined"),
        ("v4294967294: i32 = load v1", "there is a v4294967294, but v4 is not defined"),
        ("i4294967294: counter 0", "there is no id left after the greatest one"),
        ("frob v0", "there is no instruction `frob`"),
        ("v4: i1 = icmp less v0, v0", "expected an integer comparison, found `less`"),
        ("store i8 256, v1", "this number does not fit i8"),
        ("store i8 -129, v1", "this number does not fit i8"),
        ("store f64 5, v1", "expected a constant of type f64, found a number"),
        ("store 1.5.2, v1", "expected a value or a constant, found a number"),
        ("v4!zz: i32 = load v1", "there is no variable zz"),
        ("counter", "expected a counter, found `unreachable`"),
        ("store f64 1e, v1", "`1e` is not a number"),
    ] {
        let error = parse(&in_body("", lines)).expect_err(lines);
        assert_eq!(error.message, expected, "{lines}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    /// Random programs are valid, and printing loses nothing.
    #[test]
    fn random_programs_round_trip(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        let program = program(&mut Choices::new(&bytes));
        prop_assert_eq!(verify(&program), Ok(()));
        let text = program.to_string();
        prop_assert_eq!(parse(&text), Ok(program), "{}", text);
    }

    /// Whatever is done to a text, reading and checking it does not panic.
    #[test]
    fn mutated_texts_do_not_panic(
        bytes in prop::collection::vec(any::<u8>(), 0..400),
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0..6u8), 1..6),
    ) {
        let mut words: Vec<String> = program(&mut Choices::new(&bytes)).to_string().split(' ').map(str::to_owned).collect();
        for (at, other, kind) in edits {
            let (at, other) = (at.index(words.len()), other.index(words.len()));
            match kind {
                0 => words[at] = words[other].clone(),
                1 => words.swap(at, other),
                2 => words[at].clear(),
                3 => words[at] = words[at].chars().rev().collect(),
                4 => words[at].push_str("4294967295"),
                _ => {
                    let half = words[at].len() / 2;
                    let keep = (0..=half).rev().find(|i| words[at].is_char_boundary(*i)).unwrap_or(0);
                    words[at].truncate(keep);
                }
            }
        }
        if let Ok(program) = parse(&words.join(" ")) {
            let _ = verify(&program);
            prop_assert_eq!(parse(&program.to_string()), Ok(program));
        }
    }
}
