// Checks that the built-in transformations edit graphs by ports and connections, the third level of the graph API, and that the core has no
// edges and no neighbours of nodes that they could use instead: levels 1 and 2 are in wasm/extension/ only, for extensions that need them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url));

/** Folders of transformations, decompositions, and what these share. Loaders make graphs, of which keys and ids are a part. */
const TRANSFORMATIONS = /^core\/(?:back|build|decompose|front|layout|middle|rewrite)\/(?!\w+\/load\/)/;
/** Nodes by their number or key, instead of those at a port. */
const LEVEL_1 = /\b(?:graph|body|model)_?(?:\(\))?(?:\.|->)(?:add_node_with_key|node)\(/g;
/** Files that may have it, and why. */
const MAY = new Map([
  ['core/front/onnx/decompose/DecomposeFunction.cpp', 'it goes through the nodes that were just made of a function of the model'],
]);
/** The names of levels 1 and 2 in the interface of extensions. */
const OTHERS = /\b(?:add_edges?(?:_from)?|create_edge|in_edges|out_edges|in_nodes?|out_nodes?|get_outputs|insert_node_after)\(/g;

const names = readdirSync(join(root, 'core'), { recursive: true }).sort().map((name) => `core/${name.replaceAll('\\', '/')}`);
const problems = [];
const refuse = (path, text, pattern, why) => {
  for (const { index, 0: call } of text.matchAll(pattern))
    problems.push(`${path}:${text.slice(0, index).split('\n').length}: ${call.replace(/^\W+/, '')}…) ${why}`);
};
for (const path of names.filter((name) => /\.(cpp|h)$/.test(name))) {
  const text = readFileSync(join(root, path), 'utf8').replace(/\/\/.*$/gm, '');
  refuse(path, text, OTHERS, 'is of level 1 or 2: ports and connections do without it');
  if (TRANSFORMATIONS.test(path) && !MAY.has(path)) refuse(path, text, LEVEL_1, 'is of level 1: a transformation finds nodes by their ops and ports');
}
for (const [path, why] of MAY) if (!process.argv[2] && !names.includes(path)) problems.push(`${path} is not there, which could use level 1: ${why}`);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
