#!/bin/sh
# Installs what the solver back ends need to build on Debian 12: Bitwuzla is compiled by its crate, Z3 comes as a library,
# cvc5 is the judge that the tests start. The pkg-config files that Debian lacks are in scripts/pkgconfig, which
# .cargo/config.toml names; nothing else has to be set up.
set -eu
apt-get install -y --no-install-recommends \
    build-essential pkg-config python3 meson ninja-build libgmp-dev libcadical-dev libsymfpu-dev libz3-dev cvc5
