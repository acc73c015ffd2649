/** scripts/check-literals.mjs finds names of operations and attributes that nobody defines: in a tree with three files. */
import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

import { checked } from './support.js';

const CONTRACTS = 'MO_CONTRACT("Clamp", "x", "min:float max:float=1", "x between bounds.")\n';
const OP = 'constexpr OpDef kDefs[] = {{.op = "MatMul", .infer = infer}};\nvoid f(const Node& n) { n.get_bool("transpose_a"); }\n';

function problems(body: string, path = 'core/back/a.cpp'): string[] {
  const { stderr } = checked('check-literals.mjs', { 'core/ops/contracts.def': CONTRACTS, 'core/ops/MatMul.cpp': OP, [path]: `void f(Builder& b) {\n${body}\n}\n` });
  return stderr.split('\n').filter((line) => line !== '' && !line.includes('nothing reads the mark'));
}

it.each([
  ['b.op("Clamp", {x}, {{"min", 0.0}, {"max", 6.0}});'],
  ['b.node("MatMul", {x, y}, {{"transpose_a", true}}).out();'],
  ['b.op("MatMul", {b.op("Clamp", {x}, {{"min", 0.0}}), y}, {{"transpose_a", true}});'],
  ['for (Node* node : graph.nodes("MatMul")) if (node->op() == "Clamp") {}'],
  ['match.op("anything");'],
  ['// b.op("Clmap", {x});'],
])('takes %s', (body) => expect(problems(body)).toEqual([]));

it.each([
  ['b.op("Clmap", {x});', 'core/back/a.cpp:2: no contract and no definition has the operation Clmap'],
  ['graph.add_node("Clmap", "a");', 'core/back/a.cpp:2: no contract and no definition has the operation Clmap'],
  ['b.op("Clamp", {x}, {{"min", 0.0}, {"maximum", 6.0}});', 'core/back/a.cpp:2: Clamp has no attribute maximum'],
  ['b.op("MatMul", {b.op("Clamp", {x}, {{"transpose_a", 0.0}}), y});', 'core/back/a.cpp:2: Clamp has no attribute transpose_a'],
  ['graph.nodes("Matmul");', 'core/back/a.cpp:2: no contract and no definition has the operation Matmul'],
  ['if (node.op() != "Matmul") return;', 'core/back/a.cpp:2: no contract and no definition has the operation Matmul'],
])('refuses %s', (body, problem) => expect(problems(body)).toEqual([problem]));

it("leaves a framework's operations to its loader and its front phase", () => {
  expect(problems('graph.add_node("Relu6", "a");', 'core/front/tf/load/a.cpp')).toEqual([]);
  expect(problems('if (node.op() == "Relu6") {}', 'core/front/tf/a.cpp')).toEqual([]);
});

it('holds for the core', () => {
  expect(spawnSync(process.execPath, ['scripts/check-literals.mjs'], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
});
