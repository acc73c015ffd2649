// The parts by others in the downloads: name, version, purl, licence, checksum of the source, and the downloads that contain it.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { COMPONENT_NAMES } from '../notices.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path) => readFileSync(join(root, path), 'utf8');

export const LINUX = 'mo-linux-x64';
export const ARM64 = 'mo-linux-arm64';
export const WINDOWS = 'mo-windows-x64.exe';
export const PAGE = 'mo.html';
export const PACKAGE = 'package';
export const MANUAL = 'mo.1';
const NATIVE = [LINUX, ARM64, WINDOWS];
const WASM = [PACKAGE, PAGE];
const ALL = [...NATIVE, ...WASM];

const fetcher = read('scripts/fetch-third-party.sh');

/** A source package of scripts/fetch-third-party.sh. */
function pinnedSource(name) {
  const found = new RegExp(`^${name} ${name}_([0-9.]+?)(?:\\.dfsg)?\\.orig\\.\\S+ ([0-9a-f]{64}) `, 'm').exec(fetcher);
  if (!found) throw new Error(`components: scripts/fetch-third-party.sh has no ${name}`);
  return { version: found[1], sha256: found[2] };
}

/** What a variable of scripts/fetch-third-party.sh is set to. */
function pinned(variable) {
  const found = new RegExp(`^${variable}=(\\S+)$`, 'm').exec(fetcher);
  if (!found) throw new Error(`components: scripts/fetch-third-party.sh does not set ${variable}`);
  return found[1];
}

/** The version of the source of an installed package of Debian. */
const installed = (name) => execFileSync('dpkg-query', ['-W', '-f=${source:Version}', name], { encoding: 'utf8' });

const purlOf = (source, version) => `pkg:deb/debian/${source}@${encodeURIComponent(version)}?arch=source&distro=bookworm`;

function debian(name, source, licence, downloads) {
  const version = installed(name);
  return { name: source, version, purl: purlOf(source, version), licence, downloads };
}

/** A source from which an installed package of Debian has been built, if that is not its own: those of cross compilers repack others. */
function repacked(name, source, licence, downloads) {
  const sources = execFileSync('dpkg-query', ['-W', '-f=${Built-Using}', name], { encoding: 'utf8' });
  const version = sources.split(', ').find((text) => text.startsWith(`${source} (= `))?.slice(source.length + 4, -1);
  if (version === undefined) throw new Error(`components: ${name} does not say of which version of ${source} it is`);
  return { name: source, version, purl: purlOf(source, version), licence, downloads };
}

const GCC = 'GPL-3.0-or-later WITH GCC-exception-3.1';

function compiledIn() {
  const [protobuf, musl, libmd, zlib, pugixml] = ['protobuf', 'musl', 'libmd', 'zlib', 'pugixml'].map(pinnedSource);
  const quickjs = pinned('quickjs_sdist').split('==')[1].split('.').slice(0, 3).join('.');
  const onnx = pinned('onnx_version');
  return [
    { name: 'protobuf', ...protobuf, purl: `pkg:github/protocolbuffers/protobuf@v${protobuf.version}`, licence: 'BSD-3-Clause', downloads: ALL },
    { name: 'musl', ...musl, purl: `pkg:generic/musl@${musl.version}`, licence: 'MIT', downloads: ALL },
    { name: 'libmd', ...libmd, purl: `pkg:generic/libmd@${libmd.version}`, licence: 'BSD-3-Clause', downloads: NATIVE },
    { name: 'pugixml', ...pugixml, purl: `pkg:github/zeux/pugixml@v${pugixml.version}`, licence: 'MIT', downloads: ALL },
    { name: 'zlib', ...zlib, purl: `pkg:generic/zlib@${zlib.version}`, licence: 'Zlib', downloads: NATIVE },
    { name: 'quickjs-ng', version: quickjs, sha256: pinned('quickjs_sdist_sha256'), purl: `pkg:github/quickjs-ng/quickjs@v${quickjs}`, licence: 'MIT', downloads: NATIVE },
    { name: 'onnx', version: onnx, sha256: pinned('onnx_proto_sha256'), purl: `pkg:pypi/onnx@${onnx}`, licence: 'Apache-2.0', downloads: ALL },
    debian('nlohmann-json3-dev', 'nlohmann-json3', 'MIT', ALL),
    debian('libc6-dev', 'glibc', 'LGPL-2.1-or-later', [LINUX]),
    debian('libstdc++-12-dev', 'gcc-12', GCC, [LINUX]),
    repacked('libc6-dev-arm64-cross', 'glibc', 'LGPL-2.1-or-later', [ARM64]),
    repacked('libstdc++-12-dev-arm64-cross', 'gcc-12', GCC, [ARM64]),
    debian('mingw-w64-x86-64-dev', 'mingw-w64', 'ZPL-2.1 AND MIT', [WINDOWS]),
    debian('g++-mingw-w64-x86-64-posix', 'gcc-mingw-w64', GCC, [WINDOWS]),
    debian('emscripten', 'emscripten', 'MIT AND (Apache-2.0 WITH LLVM-exception)', WASM),
  ];
}

/** The packages that a source in `folder` imports, of those that are known. */
function imported(folder, known) {
  const names = new Set();
  for (const file of readdirSync(join(root, folder), { recursive: true })) {
    if (!/\.(ts|mts|js|mjs)$/.test(file) || /\.d\.m?ts$/.test(file)) continue;
    for (const [, name] of read(join(folder, file)).matchAll(/^(?!import type).*(?:from|import\()\s*'((?:@[^/']+\/)?[^./'][^/']*)/gm))
      if (known.has(name)) names.add(name);
  }
  return names;
}

/** What their commands and other parts need is in no download. */
const ALONE = new Set(['sucrase']);

/** The packages of npm that are in the downloads, with those that they need: what the notices name, and what the page imports. */
function bundled() {
  const { packages } = JSON.parse(read('package-lock.json'));
  const known = new Set(Object.keys(packages[''].devDependencies));
  const ofPage = imported('web', known), ofNode = imported('wasm/library/node', known);
  const everywhere = [...new Set([...imported('wasm', known), ...COMPONENT_NAMES.filter((name) => known.has(name))])];
  const downloads = new Map();
  const visit = (name, where) => {
    const has = downloads.get(name) ?? new Set();
    downloads.set(name, has);
    const missing = where.filter((download) => !has.has(download));
    for (const download of missing) has.add(download);
    if (missing.length === 0) return;
    const needed = ALONE.has(name) ? {} : packages[`node_modules/${name}`].dependencies;
    for (const next of Object.keys(needed ?? {})) visit(next, where);
  };
  for (const name of everywhere) if (!ofPage.has(name) && !ofNode.has(name)) visit(name, ALL);
  for (const name of ofPage) visit(name, [PAGE]);
  for (const name of ofNode) visit(name, [PACKAGE]);
  return [...downloads].map(([name, where]) => {
    const { version, license, integrity } = packages[`node_modules/${name}`];
    const sha512 = Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex');
    const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
    return { name, version, purl, licence: license, sha512, downloads: ALL.filter((download) => where.has(download)) };
  });
}

/** All of them, sorted by name. A version that several packages have is one part. */
export function components() {
  const parts = new Map();
  for (const part of [...compiledIn(), ...bundled()])
    parts.set(part.purl, { ...part, downloads: [...(parts.get(part.purl)?.downloads ?? []), ...part.downloads] });
  return [...parts.values()].sort((a, b) => (a.purl < b.purl ? -1 : 1));
}
