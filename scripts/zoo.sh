#!/usr/bin/env bash
# Converts the models of tests/zoo.json with the native binary and compares the results of the runtimes.
# Arguments go to tests/zoo/run.py: --only looks at some models, --docs rewrites the table of docs/zoo.md.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh tests zoo
scripts/build.sh native mo
exec .venv/bin/python tests/zoo/run.py "$@"
