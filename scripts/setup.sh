#!/usr/bin/env bash
# scripts/setup.sh [wasm] [lint] [asan] [tests] [zoo] [release]: prepares a fresh Debian 12 machine for native builds, and with
# arguments for more. `tests` also makes two Python environments: .venv (the runtimes that judge the output) and
# .venv-2023 (the oldest runtime that must read it), and brings the programs in which the package is tested; `zoo` makes
# one more environment, .venv-zoo, with Debian's PyTorch, which exports models. `release` brings the compilers for
# Windows and for arm64, and Wine and QEMU, which run what they make.
# Does nothing if the same script has already done it.
set -euo pipefail
cd "$(dirname "$0")/.."

packages=(ca-certificates cmake ninja-build g++ protobuf-compiler nlohmann-json3-dev googletest python3 python3-pip)
environments=no
zoo=no
for need; do
  case $need in
    wasm) packages+=(emscripten) ;;
    lint) packages+=(clang-format clang-tidy) ;;
    asan) packages+=(clang libclang-rt-14-dev) ;;
    tests) packages+=(emscripten clang libclang-rt-14-dev valgrind chromium chromium-headless-shell firefox-esr python3-venv strace); environments=yes ;;
    zoo) packages+=(python3-venv python3-torch python3-torchvision); zoo=yes ;;
    release) packages+=(binutils emscripten g++-aarch64-linux-gnu g++-mingw-w64-x86-64-posix qemu-user wine wine64) ;;
    *) echo "setup: unknown need '$need'" >&2; exit 2 ;;
  esac
done

say() { echo "setup: $*" >&2; }

# once NAME FILE... -- COMMAND...: runs COMMAND unless it has succeeded with the same contents of FILEs and of this script.
# Two set-ups may run at once. They take turns where names begin with the same word: those share apt's lock or a folder.
once() {
  local name=$1 files=() stamp
  shift
  while [ "$1" != -- ]; do files+=("$1"); shift; done
  shift
  exec 9>"build/.setup/${name%%-*}.lock"
  flock 9
  stamp=$(cat "$0" "${files[@]}" | sha256sum)
  if [ "$(cat "build/.setup/$name" 2>/dev/null)" != "$stamp" ]; then
    "$@"
    echo "$stamp" >"build/.setup/$name"
  fi
  exec 9>&-
}

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

install_packages() {
  local missing=() package
  for package in "${packages[@]}"; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  say "apt packages: ${missing[*]}"
  as_root apt-get -qq -o Acquire::Retries=5 update
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -y -o Acquire::Retries=5 install --no-install-recommends \
    "${missing[@]}" >/dev/null
}

install_npm() {
  # Behind a link are the packages of another tree, which npm would remove.
  [ ! -L node_modules ] || return 0
  say 'npm packages'
  npm ci --no-audit --no-fund --loglevel=error >/dev/null
}

install_runtimes() {
  say 'runtimes and bundlers of JavaScript'
  mkdir -p build/runtimes
  cp tests/runtimes/package.json tests/runtimes/package-lock.json build/runtimes/
  npm ci --prefix build/runtimes --ignore-scripts --no-audit --no-fund --loglevel=error >/dev/null
}

make_venv() { # folder, requirements, more options of venv
  say "Python environment $1"
  /usr/bin/python3 -m venv --clear "${@:3}" "$1"
  # Python compiles what it imports: a fraction of what these packages have.
  "$1/bin/pip" install --no-compile --quiet --disable-pip-version-check --retries 5 -r "$2"
}

ran_in() { # folder, stamp: without the folder the stamp is not valid
  [ -d "$1" ] || rm -f "build/.setup/$2"
}

mkdir -p build/.setup
once "apt${*:+-}$(IFS=-; echo "$*")" -- install_packages
# The native build needs them too: it bundles the TypeScript of extensions.
ran_in node_modules npm
once npm package-lock.json -- install_npm
if [ $environments = yes ]; then
  ran_in .venv venv
  once venv scripts/requirements-tests.txt -- make_venv .venv scripts/requirements-tests.txt
  ran_in .venv-2023 venv-2023
  once venv-2023 scripts/requirements-2023.txt -- make_venv .venv-2023 scripts/requirements-2023.txt
  ran_in build/runtimes/node_modules runtimes
  once runtimes tests/runtimes/package-lock.json -- install_runtimes
fi
if [ $zoo = yes ]; then
  ran_in .venv-zoo venv-zoo
  once venv-zoo scripts/requirements-zoo.txt -- make_venv .venv-zoo scripts/requirements-zoo.txt --system-site-packages
fi
