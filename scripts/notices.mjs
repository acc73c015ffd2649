// THIRD_PARTY_NOTICES: the licences of all code in the package that is not ours. The linker lists that code in
// core.inputs; an archive without a row below ends the build.
// node scripts/notices.mjs FILE SYSTEM: those of the native binary for Linux or Windows, which has the system's libraries in it.
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const debian = (name) => readFileSync(`/usr/share/doc/${name}/copyright`, 'utf8');
const emscriptenFile = (path) => readFileSync(join('/usr/share/emscripten', path), 'utf8');
const thirdParty = (path) => readFileSync(join(root, 'third_party', path), 'utf8');
const apache = () => thirdParty('onnx/LICENSE');

/** The part of `text` from `begin` to the end, or up to `end`. */
function cut(text, begin, end) {
  const start = text.indexOf(begin);
  const stop = end === undefined ? text.length : text.indexOf(end, start);
  if (start < 0 || stop < 0) throw new Error(`notices: "${start < 0 ? begin : end}" is not where it was`);
  return text.slice(start, stop);
}

/** The paragraph of Debian's copyright file in which a field begins with `value`, without the field of files. */
function paragraph(file, field, value) {
  const paragraphs = debian(file).split(/\n\n+/);
  const found = paragraphs.find((text) => text.startsWith(`${field}: ${value}\n`) || text.startsWith(`${field}:\n ${value}\n`));
  if (found === undefined) throw new Error(`notices: ${file} says nothing of ${value}`);
  return found.replace(/^Files:\s+(?:.*\n(?: .*\n)*?)(?=\S)/, '').replaceAll(/^ \.?/gm, '');
}

const expat = (file) => paragraph(file, 'License', 'Expat');
const llvm = (folder) => () => `${paragraph('emscripten', 'Files', `system/lib/${folder}/*`)}\n\nThe Apache License 2.0 is at the end of this file.`;
const emscripten = () => `${paragraph('emscripten', 'Files', '*')}\n\n${expat('emscripten')}`;

/** Name, archives from which it is linked (undefined for headers and JavaScript), and its notice. */
const COMPONENTS = [
  ['Protocol Buffers', /^lib(protobuf|paddle)_lite$/, () => thirdParty('protobuf/LICENSE')],
  ['JSON for Modern C++', undefined, () =>
    ['*', 'include/nlohmann/detail/conversions/to_chars.hpp', 'include/nlohmann/detail/output/serializer.hpp']
      .map((files) => paragraph('nlohmann-json3-dev', 'Files', files)).join('\n') + `\n\n${expat('nlohmann-json3-dev')}`],
  ['ONNX: the schema of its messages and of its operators', undefined, () => 'Copyright (c) ONNX Project Contributors. Apache License 2.0, at the end of this file.'],
  ['musl: mathematical functions', /^libmo_libm$/, () => thirdParty('musl/COPYRIGHT')],
  ['libmd: SHA-256', /^libsha2$/, () => cut(thirdParty('libmd/src/sha2.c'), ' * Copyright (c)', ' *\n * $From').replaceAll(/^ \* ?/gm, '')],
  ['pugixml', /^libpugixml$/, () => cut(thirdParty('pugixml/src/pugixml.hpp'), ' * Copyright (c) 2006', ' */').replaceAll(/^ \* ?/gm, '')],
  ["musl: Emscripten's C library", /^lib(c|printf_long_double)(-.+)?$/, () => emscriptenFile('system/lib/libc/musl/COPYRIGHT')],
  ['dlmalloc', /^libdlmalloc(-.+)?$/, () => cut(emscriptenFile('system/lib/dlmalloc.c'), ' This is a version (aka dlmalloc)', ' Note: There may be')],
  ['LLVM compiler-rt', /^libcompiler_rt(-.+)?$/, llvm('compiler-rt')],
  ['LLVM libc++', /^libc\+\+(-.+)?$/, llvm('libcxx')],
  ['LLVM libc++abi', /^libc\+\+abi(-.+)?$/, llvm('libcxxabi')],
  ['Emscripten: runtime, and the JavaScript around the core', /^(libembind|libhtml5|libal|libjsmath|libnoexit|libstubs|libGL|libsockets|libunwind|crt1|crtbegin)(-.+)?$/, emscripten],
  ['es-module-lexer', undefined, () => readFileSync(join(root, 'node_modules/es-module-lexer/LICENSE'), 'utf8')],
  ['sucrase', undefined, () => readFileSync(join(root, 'node_modules/sucrase/LICENSE'), 'utf8')],
  ['pako', undefined, () => readFileSync(join(root, 'node_modules/pako/LICENSE'), 'utf8')],
];

/** In the native binary instead of Emscripten's parts. */
const QUICKJS = ['QuickJS', undefined, () => cut(thirdParty('quickjs/quickjs.c'), ' * QuickJS Javascript Engine', ' */').replaceAll(/^ \* ?/gm, '')];
const ZLIB = ['zlib: inflate, and its minizip, which reads zip archives', undefined, () =>
  `${thirdParty('zlib/LICENSE')}\n\nminizip:\n\n${cut(thirdParty('zlib/contrib/minizip/unzip.h'), '         Copyright (C) 1998-2010', '         For more info').replaceAll(/^ +/gm, '')}
Condition of use and distribution are the same than zlib.`];
const NATIVE = ['Protocol Buffers', 'JSON for Modern C++', 'ONNX: the schema of its messages and of its operators',
  'libmd: SHA-256', 'musl: mathematical functions', 'pugixml', 'es-module-lexer', 'sucrase'];

const ofPackage = (name) => () => readFileSync(join(root, `node_modules/${name}/LICENSE`), 'utf8');

/** The packages with which the page opens archives, lays out graphs and hashes files. */
const PAGE = [
  ['zip.js', undefined, ofPackage('@zip.js/zip.js')],
  ['dagre', undefined, ofPackage('@dagrejs/dagre')],
  ['graphlib', undefined, ofPackage('@dagrejs/graphlib')],
  ['noble-hashes', undefined, ofPackage('@noble/hashes')],
];

/** What else is in the binary for a system. That for Linux on arm64 has the same libraries, with the same notices. */
const SYSTEMS = {
  Linux: [
    ['GNU C Library', undefined, () => debian('libc6-dev')],
    ['GCC: its libraries of C and C++', undefined, () => debian('libstdc++-12-dev')],
  ],
  Windows: [
    ['MinGW-w64: its runtime of C, and winpthreads', undefined, () => debian('mingw-w64-common')],
    ['GCC: its libraries of C and C++', undefined, () => debian('gcc-mingw-w64-base')],
  ],
};

/** The names of all components of package, page and binaries. */
export const COMPONENT_NAMES = COMPONENTS.map(([name]) => name);

const native = () => [...NATIVE.map((name) => COMPONENTS.find(([known]) => known === name)), ZLIB, QUICKJS];

/** The text of the file for everything that can be downloaded. */
export function noticesOfAll() {
  const parts = new Map([...COMPONENTS, ...PAGE, ZLIB, QUICKJS, ...SYSTEMS.Linux, ...SYSTEMS.Windows].map((part) => [part[0], part]));
  return document('These programs, the package and the page contain the work of others.', [...parts.values()]);
}

const OURS = /^(libmo_core|core)$|\.(cpp|cxx)$/;

/** The archives that the linker took a member from, and the objects, without their folders and endings. */
function linked(inputs) {
  const names = Array.from(inputs.matchAll(/^(.+\.(?:a(?=\()|o$))/gm), ([, path]) => basename(path).replace(/\.(a|o)$/, ''));
  return [...new Set(names)].sort();
}

/** The text of the file, for a list of the linker's inputs. */
export function notices(inputs = readFileSync(join(root, 'build/wasm/core.inputs'), 'utf8')) {
  const archives = linked(inputs);
  const ours = archives.filter((name) => OURS.test(name));
  if (ours.length === 0) throw new Error('notices: build/wasm/core.inputs names nothing of ours');
  const unknown = archives.filter((name) => !ours.includes(name) && !COMPONENTS.some(([, is]) => is?.test(name)));
  if (unknown.length > 0) throw new Error(`notices: the core is linked from ${unknown.join(', ')}: say in scripts/notices.mjs whose that is`);
  const parts = COMPONENTS.filter(([, is]) => !is || archives.some((name) => is.test(name)));
  return document('This package contains the work of others, compiled into core.wasm or beside it.', parts);
}

function document(sentence, parts) {
  const sections = [...parts.map(([name, , text]) => [name, text()]), ['Apache License 2.0', apache()]];
  const head = `${sentence} Their notices:\n\n`;
  return head + parts.map(([name]) => `- ${name}\n`).join('') + sections.map(([name, text]) => section(name, text)).join('');
}

/** The notices of what the page contains besides the package. */
export const noticesOfPage = () => PAGE.map(([name, , text]) => section(name, text())).join('');

/** The notice of one component. */
function section(name, text) {
  const line = '='.repeat(80);
  return `\n${line}\n${name}\n${line}\n\n${text.trim()}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [file, system] = process.argv.slice(2);
  writeFileSync(file, document('This program contains the work of others, compiled into mo.', [...native(), ...SYSTEMS[system]]));
}
