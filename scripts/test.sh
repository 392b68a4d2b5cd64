#!/usr/bin/env bash
# Everything that must pass: format, lints, all tests, and a small fixed set of random programs.
set -euo pipefail
cd "$(dirname "$0")/.."

./scripts/setup.sh
cargo fmt --all --check
cargo clippy --workspace --all-targets -- -D warnings
cargo test --workspace
# The binary that was just tested, with its overflow checks, rather than a second build of everything.
cargo run --quiet --package xtask -- fuzz-interp --small --covenant "${CARGO_TARGET_DIR:-target}/debug/covenant"
