use strum::IntoEnumIterator;

use super::{Rule, verify};
use crate::ir::text::parse;
use crate::ir::{Block, Const, Def, FileId, FuncId, Inst, Loc, Program, Terminator, Type, Value, VarId};

/// Every kind of thing an invariant speaks of, all of it valid.
const VALID: &str = r#"
file0 = file "a.c" in ""
g0 = global "s" size 16 align 8 init ["hello"] relocs [8:8 = g0 + 1]
fn0 = function "callee"(i32, ptr) -> i32 { bb0(v0: i32, v1: ptr): return v0 }
fn1 = function "declared"(i32)
fn2 = function "f"(i32, ptr) -> i32 @ file0:1:1 {
    var0 = "a" line 1
bb0(v0!a: i32, v1: ptr):
    v2: i1 = icmp slt v0, i32 5
    v3: i32 = call fn0(v0, v1)
    call fn1(v1)
    v4: ptr = alloca i64 8 align 8
    branch v2, bb1, bb2(v3)
bb1:
    v5: i32 = add nsw v0, i32 1
    switch v5 { 1 => bb2(v5) 2 => bb3 default => bb3 }
bb2(v6: i32):
    return v6
bb3:
    indirect ptr fn2.bb3 [bb3, bb2(v0)]
bb4:
    v7: i32 = add v6, v0
    return v7
}
fn3 = function "variadic"(i32, ...) -> i32 { bb0(v0: i32): return v0 }
"#;

fn parsed(text: &str) -> Program {
    parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// Demands that the valid program with one piece of text replaced breaks exactly that rule.
fn check(from: &str, to: &str, rule: Rule) {
    assert!(VALID.contains(from), "{from}");
    expect_broken(&parsed(&VALID.replacen(from, to, 1)), rule, to);
}

/// The same for what no text can say.
fn check_edit(edit: impl FnOnce(&mut Program), rule: Rule) {
    let mut program = parsed(VALID);
    edit(&mut program);
    expect_broken(&program, rule, "");
}

fn expect_broken(program: &Program, rule: Rule, what: &str) {
    let violations = verify(program).expect_err(what);
    assert!(violations.iter().all(|v| v.rule == rule), "{what}: wanted {rule}, found {violations:#?}");
    // An invalid program still prints, and so do the complaints.
    assert!(!program.to_string().is_empty() && violations.iter().all(|v| !v.to_string().is_empty()));
}

fn body(program: &mut Program) -> &mut crate::ir::Body {
    program.functions[FuncId::from_u32(2)].body.as_mut().unwrap()
}

#[test]
fn a_valid_program_passes() {
    assert_eq!(verify(&parsed(VALID)), Ok(()));
}

#[test]
fn ids() {
    let far = 99;
    check_edit(|p| p.constructors.push(FuncId::from_u32(far)), Rule::Ids);
    check_edit(|p| p.functions[FuncId::from_u32(1)].loc = Loc::new(FileId::from_u32(far), 1, 1), Rule::Ids);
    check_edit(|p| body(p).blocks[Block::ENTRY].insts.push(Inst::from_u32(far)), Rule::Ids);
    check_edit(|p| body(p).blocks[Block::ENTRY].params.push(Value::from_u32(far)), Rule::Ids);
    check_edit(|p| body(p).blocks[Block::ENTRY].term = Terminator::Return(vec![Value::from_u32(far)]), Rule::Ids);
    check_edit(|p| body(p).values[Value::from_u32(0)].var = VarId::from_u32(far).into(), Rule::Ids);
    check_edit(
        |p| body(p).values[Value::from_u32(0)].def = Def::Param { block: Block::from_u32(far), index: 0 },
        Rule::Ids,
    );
    check_edit(
        |p| body(p).values[Value::from_u32(5)].def = Def::Result { inst: Inst::from_u32(far), index: 0 },
        Rule::Ids,
    );
    check("fn2.bb3", "fn2.bb99", Rule::Ids);
    check("fn2.bb3", "fn1.bb0", Rule::Ids);
    check("g0 + 1", "fn2.bb99", Rule::Ids);
}

#[test]
fn globals() {
    check("size 16 align 8", "size 16 align 7", Rule::Global);
    check("[\"hello\"]", "[0*17]", Rule::Global);
    check("8:8", "9:8", Rule::Reloc);
    check("8:8", "18446744073709551615:8", Rule::Reloc);
    check("8:8", "8:3", Rule::Reloc);
    check("[8:8 = g0", "[8:8 = g0, 8:8 = g0", Rule::Reloc);
    check("[8:8 = g0", "[8:8 = g0, 0:8 = g0", Rule::Reloc);
    check("init [\"hello\"]", "", Rule::Reloc);
}

#[test]
fn entry() {
    check("\"f\"(i32, ptr)", "\"f\"(i64, ptr)", Rule::Entry);
    check("\"f\"(i32, ptr)", "\"f\"(i32)", Rule::Entry);
    check("[bb3, bb2(v0)]", "[bb0(v0, v1)]", Rule::Entry);
    let mut program = parsed(VALID);
    program.functions.push(parsed("fn0 = function \"empty\"() { }").functions[FuncId::from_u32(0)].clone());
    expect_broken(&program, Rule::Entry, "an empty body");
}

#[test]
fn layout_and_definitions() {
    check_edit(|p| body(p).blocks[Block::from_u32(4)].insts.clear(), Rule::Layout);
    check_edit(|p| body(p).blocks[Block::from_u32(3)].insts.push(Inst::from_u32(5)), Rule::Layout);
    check_edit(|p| body(p).values[Value::from_u32(6)].def = Def::Param { block: Block::ENTRY, index: 0 }, Rule::Def);
    check_edit(
        |p| body(p).values[Value::from_u32(5)].def = Def::Result { inst: Inst::from_u32(0), index: 0 },
        Rule::Def,
    );
    check_edit(
        |p| body(p).values[Value::from_u32(5)].def = Def::Result { inst: Inst::from_u32(4), index: 1 },
        Rule::Def,
    );
}

#[test]
fn constants() {
    let five = |p: &mut Program| {
        body(p).values.iter().find(|(_, v)| v.def == Def::Const(Const::Bits(5))).map(|(id, _)| id).unwrap()
    };
    check_edit(
        |p| {
            let v = five(p);
            body(p).values[v].def = Def::Const(Const::Bits(1 << 32));
        },
        Rule::Const,
    );
    check_edit(
        |p| {
            let v = five(p);
            body(p).values[v].def = Def::Const(Const::Func(FuncId::from_u32(2)));
        },
        Rule::Const,
    );
    check("i32 5", "i32 fn2.bb1", Rule::Const);
    check("i32 5", "i32 g0", Rule::Const);
}

#[test]
fn calls() {
    check("call fn0(v0, v1)", "call fn0(v1, v0)", Rule::Call);
    check("call fn0(v0, v1)", "call fn0(v0)", Rule::Call);
    check("call fn0(v0, v1)", "call fn3(v0)", Rule::Call);
    check("call fn1(v1)", "call fn0(v0, v1)", Rule::Call);
    check("call fn1(v1)", "call fn1(v1) byval 1 size 8 align 8", Rule::Call);
    check("call fn1(v1)", "call fn1(v0) byval 0 size 8 align 8", Rule::Call);
    check("call fn1(v1)", "call fn1(v1) byval 0 size 8 align 3", Rule::Call);
    for allowed in ["call variadic fn0(v1)", "call variadic fn3(v0, v1)", "call ptr fn0(v1)", "call fn1(v1, v1)"] {
        assert_eq!(verify(&parsed(&VALID.replace("call fn1(v1)", allowed))), Ok(()), "{allowed}");
    }
}

#[test]
fn terminators() {
    check("align 8\n", "align 12\n", Rule::Align);
    check("bb2(v3)", "bb2", Rule::Edge);
    check("bb2(v3)", "bb2(v2)", Rule::Edge);
    check("2 => bb3", "1 => bb3", Rule::Switch);
    check("2 => bb3", "4294967296 => bb3", Rule::Switch);
    check("return v6", "return v6, v6", Rule::Return);
    check("return v6", "return ptr null", Rule::Return);
    check("branch v2", "branch v0", Rule::Type);
    check("switch v5", "switch v1", Rule::Type);
    check("indirect ptr fn2.bb3", "indirect v0", Rule::Type);
}

#[test]
fn dominance() {
    check("i32 1\n", "v6\n", Rule::Dominance);
    check("return v6", "return v5", Rule::Dominance);
    check("add nsw v0, i32 1", "add nsw v5, i32 1", Rule::Dominance);
    check("icmp slt v0, i32 5", "icmp slt v3, i32 5", Rule::Dominance);
    check("return v6", "return v7", Rule::Dominance);
    check("bb2(v0)]", "bb2(v7)]", Rule::Dominance);
}

#[test]
fn a_definition_in_a_loop_reaches_its_uses() {
    let text = |used: &str| {
        format!(
            "fn0 = function \"f\"(i32) -> i32 {{
            bb0(v0: i32): jump bb1(v0)
            bb1(v1: i32): v2: i1 = icmp eq v1, v0 branch v2, bb2, bb3
            bb2: v3: i32 = add v1, v1 jump bb1(v3)
            bb3: v4: i32 = add v1, v2x jump bb4
            bb4: return {used} }}"
        )
        .replace("v2x", "v0")
    };
    assert_eq!(verify(&parsed(&text("v4"))), Ok(()));
    expect_broken(&parsed(&text("v3")), Rule::Dominance, "v3 is defined in the loop only");
}

/// One line for each way an operation can be typed wrongly; all are parsed into the entry of a function with values
/// of every type.
#[test]
fn types() {
    let with = |line: &str| {
        parsed(&format!(
            "fn0 = function \"f\"(i1, i8, i32, i64, f32, f64, f80, ptr) {{
            bb0(v0: i1, v1: i8, v2: i32, v3: i64, v4: f32, v5: f64, v6: f80, v7: ptr): {line} unreachable }}"
        ))
    };
    for wrong in [
        "v8: i32 = add v2, v3",
        "v8: i64 = add v2, v2",
        "v8: ptr = add v7, v7",
        "v8: i32 = fadd v2, v2",
        "v8: f64 = add v5, v5",
        "v8: f64 = fadd nsw v5, v5",
        "v8: i32 = shl v2, v1",
        "add v2, v2",
        "v8: i32 = f_neg v2",
        "v8: i8 = icmp eq v2, v2",
        "v8: i1 = icmp eq v2, v3",
        "v8: i1 = icmp eq v5, v5",
        "v8: i1 = fcmp oeq v2, v2",
        "v8: i1 = fcmp oeq v4, v5",
        "v8: i64 = trunc v2",
        "v8: i32 = zext v2",
        "v8: i8 = sext v2",
        "v8: f64 = fptrunc v5",
        "v8: f32 = fpext v5",
        "v8: f64 = fptosi v5",
        "v8: i64 = sitofp v2",
        "v8: ptr = ptrtoint v3",
        "v8: i64 = inttoptr v3",
        "v8: i32 = bitcast v5",
        "v8: i64 = bitcast v7",
        "v8: i64 = bitcast v3",
        "v8: i32 = select v2, v2, v2",
        "v8: i32 = select v0, v2, v3",
        "v8: i64 = select v0, v2, v2",
        "v8: ptr = ptradd v3",
        "v8: ptr = ptradd v7, v2",
        "v8: i64 = ptradd v7",
        "v8: ptr = alloca v2 align 8",
        "v8: i64 = alloca v3 align 8",
        "v8: i64 = load v3",
        "load v7",
        "store v7, v3",
        "v8: i8 = store v1, v7",
        "call v3()",
        "v8: i32 = counter 3",
        "intrinsic mem_cpy(v7, v7, v2)",
        "intrinsic mem_set(v7, v2, v3)",
        "intrinsic va_start(v3)",
        "intrinsic va_copy(v7)",
        "intrinsic stack_save()",
        "v8: i32 = intrinsic s_add_overflow(v2, v2)",
        "v8: i64, v9: i1 = intrinsic s_add_overflow(v2, v2)",
        "v8: f64 = intrinsic s_min(v5, v5)",
        "v8: i1 = intrinsic b_swap(v0)",
        "v8: i32 = intrinsic ct_lz(v2, v0)",
        "v8: i32 = intrinsic f_shl(v2, v2, v1)",
        "v8: i32 = intrinsic sqrt(v2)",
        "v8: f64 = intrinsic pow(v5, v4)",
        "v8: f64 = intrinsic fma(v5, v5)",
        "v8: f64 = intrinsic powi(v5, v3)",
        "v8: i1 = intrinsic is_fp_class(v2, v2)",
        "v8: f64 = intrinsic sqrt()",
        "v8: ptr = intrinsic trap()",
        "v8: ptr = intrinsic frame_address(v3)",
    ] {
        expect_broken(&with(wrong), Rule::Type, wrong);
    }
    for right in ["v8: i1 = icmp ult v7, v7", "v8: i8 = ptrtoint v7", "v8: i80 = bitcast v6", "v8: ptr = inttoptr v1"] {
        assert_eq!(verify(&with(right)), Ok(()), "{right}");
    }
    check_edit(|p| p.functions[FuncId::from_u32(1)].params = vec![Type::Int(129)], Rule::Type);
}

/// The tests above break every rule there is: this file names each.
#[test]
fn every_rule_has_a_test() {
    for rule in Rule::iter() {
        assert!(include_str!("tests.rs").contains(&format!(", Rule::{rule:?}")), "{rule:?}");
    }
}
