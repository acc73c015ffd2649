// Checks that skeletons name the fields of messages and tables as their schemas do: their numbers are in fields.ts of each format, which
// scripts/generate-fields.mjs writes, and nowhere else.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript-6';

const root = process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url));
const FORMATS = ['onnx', 'tf', 'caffe', 'paddle', 'tflite'];
/** They know no fields: the offsets and numbers in them are those of FlatBuffers. */
const WALKERS = new Set(['flat.ts', 'writer.ts']);
/** Functions that write a field, and methods that read one: which argument is its number. */
const WRITERS = new Map([['field', 0], ['fixed', 0]]);
const READERS = new Map([...['raw', 'number', 'table', 'vector', 'has', 'each', 'numbers', 'text'].map((name) => [name, 0]), ['last', 1], ['textIn', 1]]);
const COMPARED = new Set(['===', '!==', '<', '<=', '>', '>=']);

const problems = [];

function check(path, text) {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const isLiteral = (node) => ts.isNumericLiteral(node);
  /** Names that stand for a number written here, and for a list of such numbers. */
  const constants = new Set(), lists = new Set();
  const problem = (node, what) => problems.push(`${path}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}: ${what} by its number: ${node.getText()}`);

  const elementsOf = (node) => {
    const list = ts.isNewExpression(node) ? node.arguments?.[0] : node;
    return list && ts.isArrayLiteralExpression(list) ? list.elements.map((one) => (ts.isArrayLiteralExpression(one) ? one.elements[0] ?? one : one)) : [];
  };
  const collect = (node) => {
    if (ts.isVariableDeclaration(node) && node.initializer && node.parent.flags & ts.NodeFlags.Const) {
      const { name, initializer } = node;
      if (ts.isIdentifier(name) && isLiteral(initializer)) constants.add(name.text);
      if (ts.isIdentifier(name) && elementsOf(initializer).some(isLiteral)) lists.add(name.text);
      if (ts.isArrayBindingPattern(name) && ts.isArrayLiteralExpression(initializer))
        name.elements.forEach((one, at) => ts.isBindingElement(one) && initializer.elements[at] && isLiteral(initializer.elements[at]) && constants.add(one.name.getText()));
    }
    ts.forEachChild(node, collect);
  };
  collect(file);

  /** Whether a number that is written here becomes the value. */
  const isByHand = (node) => node !== undefined && (isLiteral(node) || (ts.isIdentifier(node) && constants.has(node.text))
    || (ts.isParenthesizedExpression(node) && isByHand(node.expression)) || (ts.isConditionalExpression(node) && (isByHand(node.whenTrue) || isByHand(node.whenFalse))));
  const isFieldNumber = (node) => (ts.isIdentifier(node) && node.text === 'number') || (ts.isPropertyAccessExpression(node) && node.name.text === 'number');

  const visit = (node) => {
    if (ts.isPropertyAssignment(node) && (isLiteral(node.name) || (ts.isComputedPropertyName(node.name) && isByHand(node.name.expression)))) problem(node.name, 'a field');
    if (ts.isCallExpression(node)) {
      const { expression, arguments: given } = node;
      const method = ts.isPropertyAccessExpression(expression) ? expression.name.text : undefined;
      const at = method === undefined ? WRITERS.get(expression.getText()) : READERS.get(method);
      if (at !== undefined && isByHand(given[at])) problem(node, 'a field');
      if (['has', 'get', 'includes'].includes(method) && lists.has(expression.expression.getText()) && given[0] && isFieldNumber(given[0])) problem(node, 'one of some fields');
    }
    if (ts.isBinaryExpression(node) && COMPARED.has(node.operatorToken.getText()))
      for (const [one, other] of [[node.left, node.right], [node.right, node.left]]) if (isFieldNumber(one) && isByHand(other)) problem(node, 'a field');
    ts.forEachChild(node, visit);
  };
  visit(file);
}

let count = 0;
for (const format of FORMATS) {
  const folder = `web/skeleton/${format}`;
  for (const name of existsSync(join(root, folder)) ? readdirSync(join(root, folder)).sort() : []) {
    if (!name.endsWith('.ts') || name === 'fields.ts' || WALKERS.has(name)) continue;
    check(`${folder}/${name}`, readFileSync(join(root, folder, name), 'utf8'));
    count++;
  }
}
if (count === 0) problems.push('no files of skeletons');
for (const line of problems) console.error(line);
process.exitCode = problems.length > 0 ? 1 : 0;
