#!/usr/bin/env bash
# npm run fuzz -- TARGET SECONDS [libFuzzer's arguments]: fuzzes tests/fuzz/TARGET.cpp for so many seconds of the processor,
# from its seeds and from what earlier runs kept in build/fuzz/found/TARGET. Without arguments it lists the targets.
# Ends with 0 if nothing was found. A finding is an input in build/fuzz/, with which the target can be run again:
# build/fuzz/fuzz_TARGET build/fuzz/TARGET-crash-….
set -euo pipefail
cd "$(dirname "$0")/.."

targets=$(basename -s .cpp tests/fuzz/*.cpp)
if [ $# -eq 0 ]; then echo "$targets"; exit 0; fi
target=$1 seconds=${2:?"fuzz: how many seconds?"}
shift 2
if ! grep -qx "$target" <<<"$targets"; then echo "fuzz: no target '$target'; there are:" $targets >&2; exit 2; fi

scripts/setup.sh tests
cmake --preset fuzz >/dev/null
cmake --build --preset fuzz --target "fuzz_$target"
.venv/bin/python tests/fuzz/seeds.py
found=build/fuzz/found/$target
seeds=build/fuzz/seeds/$target
mkdir -p "$found" "$seeds"
# The kernel ends the process when it has had its seconds, which bash gives as 128 + SIGXCPU. libFuzzer ends with other codes.
status=0
(ulimit -St "$seconds"; exec "build/fuzz/fuzz_$target" -max_len=65536 -timeout=60 -rss_limit_mb=4096 \
  -artifact_prefix="build/fuzz/$target-" "$@" "$found" "$seeds") || status=$?
[ "$status" = $((128 + $(kill -l XCPU))) ] || exit "$status"
echo "fuzz: $target: nothing found"
