use std::sync::Arc;

use covenant_interpreter::code::{Checks, Image};
use covenant_program::ir::{FuncId, text};
use rustc_hash::FxHashSet;

use super::{Cfg, ENTRY, LABEL, PointId, build};

/// `helper` decides something; `twice` calls it in two places, the second only after the first said yes.
const TWICE: &str = r#"
fn0 = function "helper"(i1) -> i1 {
bb0(v0: i1):
    branch v0, bb1, bb2
bb1:
    return v0
bb2:
    return v0
}
fn1 = function "twice"(i1, i1) -> i1 {
bb0(v0: i1, v1: i1):
    v2: i1 = call fn0(v0)
    branch v2, bb1, bb2
bb1:
    v3: i1 = call fn0(v1)
    return v3
bb2:
    return v2
}
"#;

/// A function that calls itself, and one that never returns.
const RECURSION: &str = r#"
fn0 = library function "__covenant_abort"()
fn1 = function "down"(i1) -> i1 {
bb0(v0: i1):
    branch v0, bb1, bb2
bb1:
    v1: i1 = call fn1(v0)
    branch v1, bb3, bb4
bb2:
    return v0
bb3:
    call fn0()
    branch v1, bb4, bb2
bb4:
    return v1
}
"#;

fn image(program: &str) -> Image {
    Image::new(Arc::new(text::parse(program).expect("the program is right")), Checks::default())
}

type Shown = (Option<(u32, u32)>, Vec<u32>);

/// For each point its function, its way and those that come next, in the order of the points.
fn shown(cfg: &Cfg) -> Vec<Shown> {
    let show = |point: PointId| {
        let edge = cfg.edge(point).map(|(function, _, way)| (function, way));
        (edge, cfg.next(point).iter().map(|next| next.0).collect())
    };
    cfg.points().map(show).collect()
}

#[test]
fn each_call_has_points_of_its_own() {
    let image = image(TWICE);
    let (cfg, contexts) = build(&image, &[FuncId::from_u32(1)], &FxHashSet::default(), &FxHashSet::default());
    let expected = [
        (None, vec![3, 4]),
        (Some((1, 0)), vec![5, 6]),
        (Some((1, 1)), vec![]),
        (Some((0, 0)), vec![1, 2]),
        (Some((0, 1)), vec![1, 2]),
        (Some((0, 0)), vec![]),
        (Some((0, 1)), vec![]),
    ];
    assert_eq!(shown(&cfg), expected);
    let edge = cfg.edge(PointId(3)).expect("a way of the helper");
    assert_eq!(cfg.all(edge), [PointId(3), PointId(5)]);
    assert_eq!(cfg.before(PointId(1)), [PointId(3), PointId(4)]);
    let root = contexts.enter(covenant_concolic::symbolic::ContextId::NONE, 0, 1);
    assert_eq!(cfg.find(root, cfg.edge(PointId(1)).expect("a way of the root")), Some(PointId(1)));
}

#[test]
fn recursion_goes_back_and_what_never_returns_ends() {
    let image = image(RECURSION);
    let (cfg, _) = build(&image, &[FuncId::from_u32(1)], &FxHashSet::default(), &FxHashSet::default());
    let expected = [
        (None, vec![1, 2]),
        (Some((1, 0)), vec![1, 2]),
        // A return to the caller, which decides again.
        (Some((1, 1)), vec![3, 4]),
        (Some((1, 0)), vec![]),
        (Some((1, 1)), vec![3, 4]),
        (Some((1, 0)), vec![3, 4]),
        (Some((1, 1)), vec![3, 4]),
    ];
    assert_eq!(shown(&cfg), expected);
}

#[test]
fn an_entry_can_be_a_point() {
    let image = image(TWICE);
    let entries = [0].into_iter().collect();
    let (cfg, _) = build(&image, &[FuncId::from_u32(1)], &entries, &FxHashSet::default());
    let entry = cfg.all((0, ENTRY, 0))[0];
    assert_eq!(cfg.next(PointId::START), [entry]);
    assert_eq!(cfg.next(entry).len(), 2);
}

#[test]
fn a_label_can_be_a_point() {
    let labelled = TWICE.replace("bb1:\n    v3: i1 = call", "bb1:\n    label 7, v1\n    v3: i1 = call");
    let image = image(&labelled);
    let labels = [7].into_iter().collect();
    let (cfg, _) = build(&image, &[FuncId::from_u32(1)], &FxHashSet::default(), &labels);
    let label = cfg.all((1, LABEL, 7))[0];
    let taken = cfg.all(cfg.edge(PointId(1)).expect("a way of the root"))[0];
    // It comes after the first decision of the root, and before those of the second call.
    assert_eq!(cfg.next(taken), [label]);
    let after: Vec<u32> = cfg.next(label).iter().filter_map(|&point| Some(cfg.edge(point)?.0)).collect();
    assert_eq!(after, [0, 0]);
}

#[test]
fn what_can_be_taken_again_is_a_loop() {
    // Two ways that meet again are none.
    assert!(!Cfg::by_hand(5, &[(0, 1), (0, 2), (1, 3), (2, 3), (3, 4)]).has_loops());
    assert!(Cfg::by_hand(5, &[(0, 1), (0, 2), (1, 3), (2, 3), (3, 2), (3, 4)]).has_loops());
    assert!(Cfg::by_hand(2, &[(0, 1), (1, 1)]).has_loops());
}
