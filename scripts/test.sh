#!/usr/bin/env bash
# Everything that must pass: format, lints, tidiness, all tests, and small fixed sets of random programs and functions. Each step
# says what it took. What takes longer is in `cargo xtask campaign`.
set -euo pipefail
cd "$(dirname "$0")/.."

target="${CARGO_TARGET_DIR:-target}"
TIMEFORMAT='test.sh:   %R s, CPU %U s + %S s'

step() {
    printf 'test.sh: %s\n' "$*" >&2
    time "$@"
}

./scripts/setup.sh --tests
# All packages at once, so that what they share is built once. The binaries are those that are tested, with overflow checks.
step cargo build --workspace
step "$target/debug/xtask" fmt --check
step "$target/debug/xtask" tidy
step cargo clippy --workspace --all-targets -- -D warnings
# Links that lead nowhere; what is public and says nothing of itself is clippy's.
RUSTDOCFLAGS="-D warnings" step cargo doc --quiet --workspace --no-deps
step cargo test --workspace --no-run
step cargo test --workspace
step "$target/debug/xtask" fuzz-interp --small --covenant "$target/debug/covenant"
# Verdicts against brute force: nothing covered or infeasible may be wrong.
step "$target/debug/xtask" fuzz-verdicts --small --covenant "$target/debug/covenant"
# Suites of every framework, built by gcc and clang for two standards with warnings as errors, and run.
step "$target/debug/xtask" bench suites --group examples,tests/c/criteria --every 5 --seconds 2 --jobs "$(nproc)" --no-save \
    --covenant "$target/debug/covenant"
