// Checks the literals by which the core creates and finds nodes: each operation has a contract (core/ops/contracts.def) or a definition (core/ops/),
// and each attribute that a new node is given is one of its contract, or one that its definition's file reads. A wrong letter would otherwise
// be found only by the model that needs that node, or never, where the attribute has a default or nothing fits a pattern.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url));
/** What nodes of any operation may have: marks by which one transformation tells another. Each is read somewhere. */
const MARKS = ['can_be_fused', 'decompression', 'keeps_order', 'preprocessing', 'stop_value_propagation'];
/** Where all operations are those of the core, and no longer those of a framework. */
const CORE_ONLY = /^core\/(?:back|decompose|layout|middle)\//;

/** Operations that only extensions make. */
const OF_EXTENSIONS = ['Normalize'];

const read = (path) => readFileSync(join(root, path), 'utf8').replace(/^\s*\/\/.*$/gm, (found) => ' '.repeat(found.length));
const files = readdirSync(join(root, 'core'), { recursive: true }).sort().map((name) => `core/${name.replaceAll('\\', '/')}`);
const sources = files.filter((name) => /\.(cpp|h)$/.test(name));

/** By operation: the attributes that it may be given. */
const attributes = new Map(OF_EXTENSIONS.map((op) => [op, new Set()]));
const add = (op, names) => names.forEach((name) => (attributes.get(op) ?? attributes.set(op, new Set(MARKS)).get(op)).add(name));
for (const [, ops, , given] of read('core/ops/contracts.def').matchAll(/^MO_CONTRACT\("([^"]*)", "([^"]*)", "([^"]*)"/gm))
  for (const op of ops.split(' ')) add(op, ['', ...given.split(' ').map((each) => each.split(':')[0])]);
for (const path of sources.filter((name) => name.startsWith('core/ops/'))) {
  const text = read(path);
  const literals = [...text.matchAll(/"(\w+)"/g)].map((found) => found[1]);
  for (const [, op] of text.matchAll(/\.op = "(\w+)"/g)) add(op, literals);
}

const problems = [];
const unread = new Set(MARKS);
for (const path of sources) {
  const text = read(path);
  for (const mark of unread) if (new RegExp(`(?:get_\\w+|has)\\("${mark}"`).test(text)) unread.delete(mark);
  const refuse = (index, what) => problems.push(`${path}:${text.slice(0, index).split('\n').length}: ${what}`);
  const known = (op, index) => attributes.has(op) || void refuse(index, `no contract and no definition has the operation ${op}`);
  if (CORE_ONLY.test(path))
    for (const { index, 1: op } of text.matchAll(/(?:\bop\(\) [=!]= |\bnodes\(|\{"op", )"(\w+)"/g)) known(op, index);
  if (path.startsWith('core/ops/') || /\/load\//.test(path)) continue;
  for (const { index, 0: call, 1: op } of text.matchAll(/(?<!\bmatch)(?:\.|->)(?:op|node|add_node)\("(\w+)"/g)) {
    if (!known(op, index)) continue;
    const given = argumentsOf(text, index + call.indexOf('('));
    for (const [, name] of given.matchAll(/[{,]\s*\{"(\w+)",/g)) if (!attributes.get(op).has(name)) refuse(index, `${op} has no attribute ${name}`);
  }
}
for (const mark of unread) problems.push(`scripts/check-literals.mjs: nothing reads the mark ${mark}`);

/** The text between the bracket at `open` and its end, without what stands in further round brackets: those are other calls. */
function argumentsOf(text, open) {
  let round = 0;
  let own = '';
  for (const letter of text.slice(open)) {
    if (letter === ')' && --round === 0) break;
    if (round === 1) own += letter;
    if (letter === '(') ++round;
  }
  return own;
}

for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
