#!/bin/sh
# cmake/output-to.sh FILE COMMAND...: runs COMMAND with its standard output in FILE.
file=$1
shift
exec "$@" >"$file"
