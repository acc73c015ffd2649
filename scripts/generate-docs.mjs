// Writes the tables of README.md and docs/ that come from the core's own tables, and docs/spec-coverage.md:
// node scripts/generate-docs.mjs [--check]
//
// In each file the text between `<!-- NAME: generated … -->` and `<!-- end -->` is replaced; --check fails where it would change.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path) => readFileSync(join(root, path), 'utf8');

/** The rows `MACRO(…)` of a .def file as lists of their arguments; texts lose their quotes. */
function rows(path, ...macros) {
  const pattern = new RegExp(`^(${macros.join('|')})\\((.*)\\)$`, 'gm');
  return [...read(path).matchAll(pattern)].map(([, macro, text]) => [
    macro,
    ...[...text.matchAll(/"((?:[^"\\]|\\.)*)"|[^\s,"][^,"]*/g)].map(([whole, quoted]) => quoted ?? whole.trim()),
  ]);
}

const table = (head, body) => [head, head.map(() => '---'), ...body].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
const escape = (text) => text.replaceAll('|', '\\|');

const operators = rows('core/front/onnx/operators.def', 'ONNX_SAME', 'ONNX_CALL');
// What ONNX defines by a function needs no row.
const known = new Set(operators.map(([, name, domain]) => `${domain} ${name}`));
for (const { name, domain, functions } of JSON.parse(read('third_party/onnx/schemas.json')).operators) {
  if (!functions || known.has(`${domain} ${name}`)) continue;
  known.add(`${domain} ${name}`);
  operators.push(['ONNX_FUNCTION', name, domain]);
}

function supportedOperations() {
  const byDomain = new Map();
  for (const [, name, domain] of operators) byDomain.set(domain, [...(byDomain.get(domain) ?? []), name]);
  return [...byDomain]
    .map(([domain, names]) => `**${domain || 'ai.onnx'}** (${new Set(names).size}): ${[...new Set(names)].sort().map((n) => `\`${n}\``).join(' ')}`)
    .join('\n\n');
}

const operatorTable = () =>
  table(
    ['operation', 'domain', 'how'],
    [...operators]
      .sort((a, b) => (a[1] + a[2] < b[1] + b[2] ? -1 : 1))
      .map(([macro, name, domain, third]) => [
        `\`${name}\``,
        domain || 'ai.onnx',
        macro === 'ONNX_FUNCTION' ? 'by its definition in ONNX' : macro === 'ONNX_SAME' ? `as \`${third}\`` : `\`${third}\``,
      ]),
  );

const refusedTable = () =>
  table(
    ['operation', 'domain', 'why'],
    rows('core/front/onnx/operators.def', 'ONNX_REFUSED').map(([, name, domain, reason]) => [`\`${name}\``, domain || 'ai.onnx', escape(reason)]),
  );

const optionTable = () =>
  table(
    ['option', 'value', 'default', 'meaning'],
    rows('core/pipeline/options.def', 'MO_OPTION').map(([, name, short, kind, value, fallback, , help]) => [
      `\`--${name}\`${short ? `, \`-${short}\`` : ''}`,
      kind === 'Switch' ? '' : `\`${escape(value)}\``,
      fallback && `\`${fallback}\``,
      escape(help),
    ]),
  );

const errorTable = () =>
  table(
    ['code', 'what is wrong', 'what to do'],
    rows('core/base/errors.def', 'MO_ERROR').map(([, , number, text, hint]) => [`MO${number}`, escape(text), escape(hint)]),
  );

const transformTable = () =>
  table(
    ['transformation', 'phase', 'what it does'],
    rows('core/pipeline/transforms.def', 'MO_TRANSFORM').map(([, name, phase, text]) => [`\`${name}\``, phase.toLowerCase(), escape(text)]),
  );

const sections = { operations: supportedOperations, operators: operatorTable, refused: refusedTable, options: optionTable, errors: errorTable, transformations: transformTable };
const check = process.argv.includes('--check');
let stale = 0;
for (const path of ['README.md', 'docs/operators.md', 'docs/errors.md', 'docs/transformations.md']) {
  const before = read(path);
  const after = before.replaceAll(/(<!-- (\w+): generated[^>]*-->\n)[^]*?(\n<!-- end -->)/g, (_, head, name, end) => head + sections[name]() + end);
  if (after === before) continue;
  stale++;
  if (check) console.error(`${path} is not current: run node scripts/generate-docs.mjs`);
  else writeFileSync(join(root, path), after);
}
if (check && stale) process.exitCode = 1;
await import('./generate-spec-coverage.mjs');
