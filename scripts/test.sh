#!/usr/bin/env bash
# Everything that must pass: format, lints, tidiness, all tests, and small fixed sets of random programs and functions.
set -euo pipefail
cd "$(dirname "$0")/.."

xtask() {
    cargo run --quiet --package xtask -- "$@"
}

./scripts/setup.sh
xtask fmt --check
cargo clippy --workspace --all-targets -- -D warnings
# Links that lead nowhere; what is public and says nothing of itself is clippy's.
RUSTDOCFLAGS="-D warnings" cargo doc --quiet --workspace --no-deps
xtask tidy
cargo test --workspace
# The binary that was just tested, with its overflow checks, rather than a second build of everything.
xtask fuzz-interp --small --covenant "${CARGO_TARGET_DIR:-target}/debug/covenant"
# Verdicts against brute force: nothing covered or infeasible may be wrong.
xtask fuzz-verdicts --small --covenant "${CARGO_TARGET_DIR:-target}/debug/covenant"
