#!/usr/bin/env bash
# scripts/build.sh PRESET [TARGET...]: set-up, configuration where there is none, and the build in build/PRESET.
# Other words are accepted as PRESET: `package` makes dist/ (the npm package), `page` makes that and build/web/, and `toy`, after
# `package`, the same with the toy formats in build/toy/.
set -euo pipefail
cd "$(dirname "$0")/.."
preset=${1:?usage: scripts/build.sh native|windows|linux-arm64|wasm|asan|fuzz|dev|lint|package|page|toy [target...]}
shift

case $preset in
  package)
    scripts/build.sh wasm core
    exec node scripts/build-package.mjs ;;
  page)
    scripts/build.sh package
    exec node scripts/build-web.mjs ;;
  toy)
    scripts/build.sh wasm core_toy
    exec node scripts/build-toy.mjs ;;
  wasm)
    scripts/setup.sh wasm
    # Debian's emcc finds its JavaScript libraries here, when compiling and when linking.
    export NODE_PATH=/usr/share/nodejs
    # It takes wasm-opt from the PATH, where npm puts the project's own first: emcc does not understand what that prints.
    PATH=$(tr : '\n' <<<"$PATH" | grep -v '/node_modules/\.bin$' | paste -sd:) ;;
  lint) scripts/setup.sh lint ;;
  windows | linux-arm64) scripts/setup.sh release ;;
  asan | fuzz) scripts/setup.sh asan ;;
  *) scripts/setup.sh ;;
esac

[ -f "build/$preset/build.ninja" ] || cmake --preset "$preset" >/dev/null
exec cmake --build --preset "$preset" ${*:+--target "$@"}
