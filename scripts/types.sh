#!/usr/bin/env bash
# scripts/types.sh: the types of all TypeScript, that of the tests, too. Needs the built package, whose types they use.
set -euo pipefail
cd "$(dirname "$0")/.."
for project in $(git ls-files --cached --others --exclude-standard -- '*tsconfig.json'); do node_modules/.bin/tsc --noEmit -p "$project"; done
