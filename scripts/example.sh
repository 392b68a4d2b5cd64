#!/usr/bin/env bash
# Builds Covenant and shows it at work on a shipped example.
set -euo pipefail
cd "$(dirname "$0")/.."

./scripts/setup.sh
cargo build --release --package covenant-cli
covenant="${CARGO_TARGET_DIR:-target}/release/covenant"

show() {
    printf '\n$ covenant %s\n' "$*"
    # Both examples have a defect on purpose.
    "$covenant" "$@" || printf '(exit status %d)\n' "$?"
}

show gen examples/parking.c -f fee
show run examples/thermostat.c -- 18 21 25 -3 7 30 12 19 22
