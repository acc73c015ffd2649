#!/usr/bin/env bash
# Runs the native binary over the ONNX backend cases and wants every case of tests/conformance/passing.txt to pass.
# Without --filter it also holds failing.txt, what does not pass and why, and runtimes.txt, the lowest runtime for each operator.
# Arguments go to conform.py: --update rewrites these lists, --filter and --show help to look at one case.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh tests
scripts/build.sh native mo
exec .venv/bin/python tests/conformance/conform.py \
  --converter 'build/native/mo {model} --output_dir {out} --model_name m --compress_to_fp16=False' \
  --passing tests/conformance/passing.txt --failing tests/conformance/failing.txt --runtimes tests/conformance/runtimes.txt "$@"
