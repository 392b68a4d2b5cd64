#!/usr/bin/env bash
# Installs from apt (Debian 12, Ubuntu and the like) what Covenant needs to be built and to run. `--tests` adds what its own
# tests need: frameworks, other compilers' random programs, a browser, a server for work queues. Quick when nothing is missing.
set -euo pipefail

fail() {
    printf 'setup: %s\n' "$*" >&2
    exit 1
}

packages=(
    # The front end: clang compiles, LLVM reads its bitcode, the runtimes bring the sanitizers.
    clang-19 llvm-19 llvm-19-dev libclang-rt-19-dev libpolly-19-dev libzstd-dev zlib1g-dev
    # Solvers, and what the Bitwuzla crate needs to build. The pkg-config files that Debian lacks are in scripts/pkgconfig,
    # which .cargo/config.toml names.
    libz3-dev cvc5 meson ninja-build libgmp-dev libcadical-dev libsymfpu-dev pkg-config cmake g++
    # Builds generated suites.
    make
)
for_tests=(
    # Random programs, the compiler that suites are held against, the list of files for tidy.
    csmith libcsmith-dev gcc git
    # Suites and exports: frameworks, and the tools that read reports.
    libcmocka-dev check libgtest-dev lcov gcovr libxml2-utils patch python3-jsonschema
    # Work queues (11 MB).
    nats-server
)

case "${1:-}" in
--tests)
    packages+=("${for_tests[@]}")
    # The report is looked at in a browser. Elsewhere the package is another one, or none; the test of the page says so.
    if grep -qx 'ID=debian' /etc/os-release 2>/dev/null; then
        packages+=(chromium)
    fi
    ;;
'') ;;
*) fail "unknown: $1; there is --tests" ;;
esac

# One call of dpkg-query for all; what it does not know at all is simply absent from its answer.
missing_packages() {
    local installed package
    installed=" $(dpkg-query --show --showformat='${binary:Package}=${db:Status-Status} ' "${packages[@]}" 2>/dev/null || true)"
    for package in "${packages[@]}"; do
        case "$installed" in
        *" $package=installed "* | *" $package:"*"=installed "*) ;;
        *) printf '%s\n' "$package" ;;
        esac
    done
}

install_packages() {
    local sudo=()
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || fail "not root and no sudo; please install as root: apt-get install $*"
        sudo=(sudo)
    fi
    printf 'setup: installing %s\n' "$*" >&2
    "${sudo[@]}" apt-get update -qq || fail "apt-get update failed; is the network there?"
    "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" ||
        fail "apt-get could not install: $*
       clang 19 is in Debian 12 (bookworm) and later; elsewhere see https://apt.llvm.org"
}

command -v dpkg-query >/dev/null || fail "no dpkg here; please install by hand: ${packages[*]}"
mapfile -t missing < <(missing_packages)
if [ "${#missing[@]}" -gt 0 ]; then
    install_packages "${missing[@]}"
    mapfile -t missing < <(missing_packages)
    [ "${#missing[@]}" -eq 0 ] || fail "still missing after the installation: ${missing[*]}"
fi

# rustup puts cargo where only login shells look.
cargo_home=${CARGO_HOME:-${HOME:-}/.cargo}
if ! command -v cargo >/dev/null && [ -x "$cargo_home/bin/cargo" ]; then
    fail "cargo is in $cargo_home/bin, which is not in PATH; run: . \"$cargo_home/env\""
fi
command -v cargo >/dev/null || fail "no cargo; get Rust with: curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh"
