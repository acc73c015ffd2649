#!/usr/bin/env bash
# Formats our C++ files: all of them, or those named.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh lint
[ $# -gt 0 ] || mapfile -t files < <(git ls-files --cached --others --exclude-standard '*.cpp' '*.h')
clang-format -i "${@:-${files[@]}}"
