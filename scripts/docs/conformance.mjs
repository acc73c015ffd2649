// The numbers of docs/conformance.md, from the lists that `npm run conformance` checks. Throws if a case fails without a known reason.
import { escape, lines, table, thousands } from './source.mjs';

const folder = 'tests/conformance';

/** Where the numbers differ: [cases, reason]. */
const mismatches = [
  [/bernoulli|training_dropout/, 'random numbers: the runtime draws others'],
  [/_cast(like)?_.*DOUBLE/, 'double precision: the runtime on the CPU keeps infinities of `f64` as the largest `f32`'],
  [/test_operator_add/, 'double precision: the runtime on the CPU computes in `f32`, and the inputs are beyond it'],
  [/dynamicquantizelinear/, 'a number halfway between two integers, where the last bit of a division decides'],
  [/resize_downsample_scales_\w+_align_corners/, 'ONNX aligns the corners of a fractional length, the runtime those of the rounded length'],
];

function reasonOf(name, status, text) {
  if (status === 'mismatch') {
    const [, reason] = mismatches.find(([pattern]) => pattern.test(name)) ?? [];
    if (!reason) throw new Error(`scripts/docs/conformance.mjs has no reason why the numbers of ${name} differ`);
    return reason;
  }
  const [, code, what] = /^(MO\d+) (.*)$/.exec(text) ?? [];
  if (!code) throw new Error(`${name}: ${status} ${text}`);
  if (/texts|strings/.test(what)) return 'strings: the runtime computes none';
  if (code === 'MO2001') return what.replace(/^the operation is not supported: (?:[\w.]+\.)?(\w+): /, '`$1`: ');
  if (code === 'MO2005') return `element types that IR does not have: ${/int2/.test(what) ? '`int2`' : '`float8e4m3fnuz`, `float8e5m2fnuz`'}`;
  return what.replace(/^.*: (\w+) from .*$/, '`$1`: the runtime cannot read the bits of a number as another type');
}

const failing = lines(`${folder}/failing.txt`);
const passing = lines(`${folder}/passing.txt`).length;
const without = failing.filter(([, status]) => status === 'no-tensor').length;
const judged = failing.filter(([, status]) => status !== 'no-tensor');

export const conformanceCounts = () =>
  `Of ${thousands(passing + failing.length)} cases, ${without} have inputs or outputs that are not tensors. ${thousands(passing + judged.length)} are judged; ${thousands(passing)} of these pass.`;

export function conformanceReasons() {
  const counts = new Map();
  for (const row of judged) counts.set(reasonOf(...row), (counts.get(reasonOf(...row)) ?? 0) + 1);
  const body = [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)).map(([reason, count]) => [count, escape(reason)]);
  return table(['cases', 'reason'], [...body, [judged.length, `together with the ${thousands(passing)} that pass: ${thousands(passing + judged.length)}`]]);
}
