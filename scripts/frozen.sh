#!/usr/bin/env bash
# Checks that the native binary writes the same bytes as before: tests/frozen/checksums.txt has the checksums of the IR of every model that
# tests use. Arguments go to tests/frozen/run.py: --only looks at some models, --update rewrites the list, --large adds the 3.5 GB one.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh tests zoo
scripts/build.sh native mo
exec .venv/bin/python tests/frozen/run.py "$@"
