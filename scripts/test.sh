#!/usr/bin/env bash
# Everything that must pass: format, lints, tidiness, all tests, and small fixed sets of random programs and functions.
# What takes longer is in `cargo xtask campaign`.
set -euo pipefail
cd "$(dirname "$0")/.."

target="${CARGO_TARGET_DIR:-target}"

./scripts/setup.sh --tests
# All packages at once, so that what they share is built once. The binaries are those that are tested, with overflow checks.
cargo build --workspace
"$target/debug/xtask" fmt --check
"$target/debug/xtask" tidy
cargo clippy --workspace --all-targets -- -D warnings
# Links that lead nowhere; what is public and says nothing of itself is clippy's.
RUSTDOCFLAGS="-D warnings" cargo doc --quiet --workspace --no-deps
cargo test --workspace
"$target/debug/xtask" fuzz-interp --small --covenant "$target/debug/covenant"
# Verdicts against brute force: nothing covered or infeasible may be wrong.
"$target/debug/xtask" fuzz-verdicts --small --covenant "$target/debug/covenant"
# Suites of every framework, built by gcc and clang for two standards with warnings as errors, and run.
"$target/debug/xtask" bench suites --group examples,tests/c/criteria --every 5 --seconds 2 --no-save --covenant "$target/debug/covenant"
