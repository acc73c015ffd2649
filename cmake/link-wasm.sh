#!/usr/bin/env bash
# cmake/link-wasm.sh KEEP LINKER OPTION...: links a program for WebAssembly. What the linker prints comes into PROGRAM.inputs.
# With KEEP=1, what the same options have made of the same files before is taken from ~/.cache/mo/links: ccache leaves links alone, and those of
# the whole core take minutes.
set -euo pipefail
keep=$1
shift
kept=${XDG_CACHE_HOME:-$HOME/.cache}/mo/links
most=12  # programs that are kept

for ((i = 2; i < $#; i++)); do
  [ "${!i}" = -o ] && next=$((i + 1)) && output=${!next} && break
done
program=${output%.*}

if [ "$keep" != 1 ]; then
  exec "$@" >"$program.inputs"
fi

# The files are among the options; that of a JavaScript library comes behind the option's name.
entry=$kept/$({
  "$1" --version
  printf '%s\n' "$@"
  for word; do
    word=${word#--js-library=}
    [ ! -f "$word" ] || [ "$word" = "$output" ] || sha256sum <"$word"
  done
} | sha256sum | cut -d ' ' -f 1)

if [ -d "$entry" ]; then
  touch "$entry"
  cp "$entry"/* "$(dirname "$program")"
  exit
fi

rm -f "$program".*
"$@" >"$program.inputs"
mkdir -p "$kept"
new=$(mktemp -d "$kept/new.XXXXXX")
cp "$program".* "$new"
mv -T "$new" "$entry" 2>/dev/null || rm -rf "$new"  # somebody else has made it meanwhile
find "$kept" -mindepth 1 -maxdepth 1 -printf '%T@ %p\n' | sort -rn | tail -n +$((most + 1)) | cut -d ' ' -f 2- | xargs -r -d '\n' rm -rf
