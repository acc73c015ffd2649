#!/bin/sh
# Converts all models below models/ into ir/, two at once; unchanged ones stay. The workflow runs this, and so can you.
set -eu
mo=${MO:-npx --yes @mo/wasm}
$mo models --output_dir ir --jobs 2 --skip_unchanged --compress_to_fp16=True
find ir -name '*.xml' | sort
