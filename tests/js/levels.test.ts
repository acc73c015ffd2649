/** scripts/check-levels.mjs keeps built-in transformations on ports and connections: in a tree with one file. */
import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

import { checked } from './support.js';

function said(path: string, text: string): string {
  const { status, stderr } = checked('check-levels.mjs', { [path]: text });
  expect(status).toBe(stderr === '' ? 0 : 1);
  return stderr;
}

it.each([
  ['a node by its number', 'core/back/A.cpp', 'void f(Graph& graph) {\n  graph.node(3);\n}\n', 'core/back/A.cpp:2: graph.node(…) is of level 1'],
  ['a node with a key', 'core/front/tf/decompose/A.cpp', 'auto& n = node.graph().add_node_with_key("Abs", "a");\n', 'is of level 1'],
  ['an edge', 'core/middle/A.cpp', 'graph.create_edge(a, b);\n', 'is of level 1 or 2'],
  ['a neighbour', 'core/graph/node.h', 'Node& in_node(int index);\n', 'is of level 1 or 2'],
])('refuses %s', (_what, path, text, reason) => {
  expect(said(path, text)).toContain(reason);
});

it.each([
  ['ports', 'core/back/A.cpp', 'b.node("Add", {x.source(0), y}).out(0).connection().set_source(z); // graph.node(3)\n'],
  ['the keys of a loader', 'core/front/onnx/load/a.cpp', 'graph.add_node_with_key("Abs", name);\n'],
])('allows %s', (_what, path, text) => {
  expect(said(path, text)).toBe('');
});

it('finds nothing in the core', () => {
  expect(spawnSync(process.execPath, ['scripts/check-levels.mjs'], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
});
