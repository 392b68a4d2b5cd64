use super::*;
use crate::ir::text;

/// `caller` calls what it is given; `taken` is in a table, `lonely` is nobody's, `wide` takes a float.
const CALLS: &str = r#"
g0 = global "table" size 8 align 8 init [0*8] relocs [0:8 = fn1]
fn0 = function "caller"(ptr, i32) -> i32 {
bb0(v0: ptr, v1: i32):
    v2: i32 = call v0(v1)
    v3: i32 = call fn4(v0)
    return v2
}
fn1 = function "taken"(i32) -> i32 {
bb0(v0: i32):
    return v0
}
fn2 = function "lonely"(i64) {
bb0(v0: i64):
    return
}
fn3 = function "wide"(f64) -> i32 {
bb0(v0: f64):
    return i32 0
}
fn4 = function "helper"(ptr) -> i32 {
bb0(v0: ptr):
    v1: i32 = call v0(ptr fn5)
    return v1
}
fn5 = function "two"(i32, i32) -> i32
fn6 = function "more"(i32, i32) -> i32 {
bb0(v0: i32, v1: i32):
    return v0
}
"#;

fn id(number: u32) -> FuncId {
    FuncId::from_u32(number)
}

fn ids(numbers: &[u32]) -> Vec<FuncId> {
    numbers.iter().map(|&number| id(number)).collect()
}

fn program() -> Program {
    match text::parse(CALLS) {
        Ok(program) => program,
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn pointers_mean_what_tables_code_and_inputs_have() {
    let program = program();
    let graph = CallGraph::new(&program, &[id(0)], &[]);
    assert_eq!(graph.pointed(), ids(&[1, 5]));
    assert_eq!(graph.callees(id(0)), ids(&[1, 4, 5]), "what has no body accepts everything");
    assert_eq!(graph.names(id(0)).calls, ids(&[4]));
    assert_eq!(graph.known(), ids(&[0, 1, 4, 5]));
    let offered = CallGraph::new(&program, &[id(0)], &ids(&[2, 3, 6]));
    assert_eq!(offered.callees(id(0)), ids(&[1, 2, 4, 5]), "another width and another result do not matter");
    assert_eq!(offered.pointed(), ids(&[1, 2, 3, 5, 6]));
}

#[test]
fn reach_goes_through_pointers() {
    let program = program();
    let graph = CallGraph::new(&program, &[id(0)], &[]);
    assert_eq!(graph.reach(id(4)), ids(&[1, 4, 5]));
    assert_eq!(graph.direct_reach(id(0)), ids(&[0, 4]));
    assert!(graph.calls_pointers(id(0)) && !graph.calls_pointers(id(1)));
}

#[test]
fn what_is_named_comes_in_the_order_of_the_code() {
    assert_eq!(named_from(&program(), id(0)), ids(&[0, 4, 5]));
}
