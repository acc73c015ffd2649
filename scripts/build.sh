#!/usr/bin/env bash
# scripts/build.sh PRESET [TARGET...]: set-up, configuration where there is none, and the build in build/PRESET.
set -euo pipefail
cd "$(dirname "$0")/.."
preset=${1:?usage: scripts/build.sh native|wasm|asan|fuzz|dev [target...]}
shift

scripts/setup.sh
# Debian's emcc finds acorn here, when compiling and when linking.
[ "$preset" = wasm ] && export NODE_PATH=/usr/share/nodejs
[ -f "build/$preset/build.ninja" ] || cmake --preset "$preset" >/dev/null
cmake --build --preset "$preset" ${*:+--target "$@"}
