#!/bin/sh
# Builds the embedded suite of each function and runs it on a board that qemu plays, then holds what came back against the suites.
#
#     apt-get install cmake make qemu-system-arm lld-19        (or gcc-arm-none-eabi in place of lld-19)
#     covenant gen --all -p .
#     sh board/run.sh
set -eu
cd "$(dirname "$0")/.."
out=covenant-out
log=$out/board.log
: >"$log"
for suite in "$out"/*/suite/embedded; do
    build=$suite/build
    status=0
    cmake -S "$suite" -B "$build" -DCMAKE_TOOLCHAIN_FILE="$PWD/board/toolchain.cmake" \
        -DCOVENANT_BOARD="$PWD/board/startup.c" >"$suite/build.log"
    cmake --build "$build" >>"$suite/build.log" 2>&1 || { cat "$suite/build.log" >&2; exit 2; }
    timeout 60 qemu-system-arm -M mps2-an386 -nographic -monitor none -serial "file:$suite/board.log" \
        -semihosting-config enable=on,target=native -kernel "$build"/test_* </dev/null || status=$?
    # 1 is a test that fails, which import-results tells.
    [ "$status" -le 1 ] || echo "board/run.sh: $suite ended with status $status" >&2
    cat "$suite/board.log" >>"$log"
done
exec "${COVENANT:-covenant}" import-results "$log" "$out"
