//! Numbers wider than int: overflow of unsigned ones, long long, __int128, sizes.

use super::{Feature, INSIDE, Value, Writer};

pub(super) const FEATURE: Feature = Feature {
    name: "wide-numbers",
    headers: &["stdint", "stddef"],
    declare,
    statement,
    value: Some(value),
    outside: INSIDE,
};

fn declare(w: &mut Writer) {
    w.out += "static uint32_t mixed_up(uint32_t h, uint32_t x)
{
  h ^= x;
  h *= 16777619u;
  return (h << 13) | (h >> 19);
}
";
}

fn statement(w: &mut Writer) {
    let (x, y) = (w.narrow(1).text, w.narrow(1).text);
    let n = w.name("n");
    let lines = match w.random.below(4) {
        0 => vec![
            format!("uint64_t {n}w = (uint64_t)({x}) * 0x9e3779b97f4a7c15u;"),
            format!("int {n} = (int)({n}w >> 60);"),
        ],
        1 => vec![
            format!("__int128 {n}w = ((__int128)({x}) << 70) + ({y});"),
            format!("if ({n}w > ((__int128)100 << 70))"),
            "  return 14;".to_owned(),
            format!("int {n} = (short)({n}w >> 68);"),
        ],
        2 => vec![
            format!("uint32_t {n}w = mixed_up(2166136261u, (uint32_t)(unsigned char)({x}));"),
            format!("int {n} = (int)({n}w & 1023u);"),
        ],
        _ => vec![
            format!("size_t {n}w = (size_t)({x}) - (size_t)({y});"),
            format!("if ({n}w > (size_t)-1 / 2)"),
            format!("  {n}w = 0 - {n}w;"),
            format!("int {n} = (int)({n}w % 1000);"),
        ],
    };
    w.in_braces(&lines, |w| w.observe(&n));
}

fn value(w: &mut Writer) -> Value {
    let (x, y) = (w.narrow(0).text, w.narrow(0).text);
    Value { text: format!("(short)(mixed_up((uint32_t)({x}), (uint32_t)({y})) >> 20)"), bits: 16 }
}
