#!/usr/bin/env bash
# Runs the native binary over the ONNX backend cases; every case of tests/conformance/passing.txt must pass.
# Without arguments it then converts them with the sanitized and the WebAssembly build, too; all three must give the same.
# Without --filter it also checks failing.txt (what does not pass, and why) and runtimes.txt (the lowest runtime for each operator).
# Arguments go to conform.py: --update rewrites these lists, and tests/numeric/runtimes.txt, the same for operators
# without a case, and the documents; --filter and --show help to look at one case.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh tests
scripts/build.sh native mo
lists=tests/conformance
conform() {
  .venv/bin/python tests/conformance/conform.py \
    --converter 'build/native/mo {model} --output_dir {out} --model_name m --compress_to_fp16=False' \
    --passing $lists/passing.txt --failing $lists/failing.txt --runtimes $lists/runtimes.txt "$@"
}
if [ $# = 0 ]; then
  scripts/build.sh asan mo
  scripts/build.sh package
  data=$(.venv/bin/python -c 'import os, onnx.backend.test as t; print(os.path.join(os.path.dirname(t.__file__), "data"))')
  same() { node tests/conformance/same-on-hosts.mjs "$data"; }
  # The last line is the sum of both.
  { status=0; conform || status=1; same || status=1; exit $status; } | awk '
    1
    /^[0-9]+ passed, [0-9]+ failed$/ { passed += $1; failed += $3 }
    END { print passed + 0 " passed, " failed + 0 " failed" }'
  exit
fi
conform "$@"
if [[ " $* " = *" --update "* ]]; then
  RUNTIMES=$PWD/tests/numeric/runtimes.txt .venv/bin/python -m pytest -q tests/numeric \
    --ignore tests/numeric/test_examples.py --ignore tests/numeric/test_models.py
  node scripts/generate-docs.mjs
fi
