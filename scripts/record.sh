#!/usr/bin/env bash
# npm run record -- tf|tflite|paddle|paddle3|mxnet|pytorch|check|weights|zoo|original [names…]: computes expected results again, which are committed as data.
set -euo pipefail
cd "$(dirname "$0")/.."
case "${1:-}" in
  tf | tflite | paddle | paddle3 | mxnet | pytorch | check | weights | zoo | original) exec python3 "tests/$1/record.py" "${@:2}" ;;
  *)
    echo "usage: npm run record -- tf|tflite|paddle|paddle3|mxnet|pytorch|check|weights|zoo|original [names…]" >&2
    exit 2
    ;;
esac
