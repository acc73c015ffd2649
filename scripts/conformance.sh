#!/usr/bin/env bash
# Runs the native binary over the ONNX backend cases and wants every case of tests/conformance/passing.txt to pass.
# Without --filter it also holds failing.txt, what does not pass and why, and runtimes.txt, the lowest runtime for each operator.
# Arguments go to conform.py: --update rewrites these lists, and tests/numeric/runtimes.txt, which tells the same of operators
# without a case, and the documents; --filter and --show help to look at one case.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh tests
scripts/build.sh native mo
lists=tests/conformance
.venv/bin/python tests/conformance/conform.py \
  --converter 'build/native/mo {model} --output_dir {out} --model_name m --compress_to_fp16=False' \
  --passing $lists/passing.txt --failing $lists/failing.txt --runtimes $lists/runtimes.txt "$@"
if [[ " $* " = *" --update "* ]]; then
  RUNTIMES=$PWD/tests/numeric/runtimes.txt .venv/bin/python -m pytest -q -p no:cacheprovider tests/numeric \
    --ignore tests/numeric/test_examples.py --ignore tests/numeric/test_models.py
  node scripts/generate-docs.mjs
fi
