#!/usr/bin/env bash
# scripts/lint.sh [--all]: layout of all C++ files, types of all TypeScript, and clang-tidy over the C++ files that differ
# from the published version (--all: all files, which takes minutes).
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh lint

own() { git ls-files --cached --others --exclude-standard -- "$@"; }

changed() {
  local base
  base=$(git merge-base HEAD '@{upstream}' 2>/dev/null || git rev-parse HEAD~1 2>/dev/null || git rev-parse HEAD)
  { git diff --name-only --diff-filter=d "$base" -- "$@"; git ls-files --others --exclude-standard -- "$@"; } | sort -u
}

failed=0
part() { # what, command
  local what=$1 began=$SECONDS
  shift
  if "$@"; then echo "lint: $what passed, $((SECONDS - began)) s"; else
    echo "lint: $what failed, $((SECONDS - began)) s"
    failed=1
  fi
}

layout() { own '*.cpp' '*.h' | xargs -r clang-format --dry-run --Werror; }

# The files that are compiled natively, checked with their compiler options from build/lint.
tidy() {
  local list=changed
  [ "${1:-}" = --all ] && list=own
  scripts/build.sh lint onnx_tables extension_script generated/configurations/built_in_configurations.inc >/dev/null
  $list 'core/*.cpp' 'tests/core/*.cpp' |
    timeout 900 xargs -r -P "$(nproc)" -n 4 clang-tidy --quiet --extra-arg=-Wno-unknown-warning-option -p build/lint 2> >(grep -v 'warnings\? generated' >&2)
}

part layout layout
part types scripts/types.sh
part clang-tidy tidy "$@"
exit $failed
