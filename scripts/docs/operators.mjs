// docs/operators.md and README's sentence about it: every version of every ONNX operator, how it is read, and the lowest OpenVINO
// runtime that reads the result. Throws if an operator has neither a row in operators.def, nor a definition by ONNX, nor a
// reason for its refusal, and if the runtime of an operator is not known.
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { escape, lines, read, root, table, tables, thousands } from './source.mjs';

const OLDEST = '2023.3';
const domainName = (domain) => domain || 'ai.onnx';
const sortedBy = (list, key) => list.sort((a, b) => (key(a) < key(b) ? -1 : 1));
const by = (list, key) => {
  const groups = new Map();
  for (const entry of list) groups.set(key(entry), [...(groups.get(key(entry)) ?? []), entry]);
  return groups;
};

/** Versions that the converter refuses in every form. */
const refusedVersions = new Map([['ai.onnx.ml LabelEncoder 1', 'its labels are texts, and the runtime computes no texts']]);

/** File name → path of the sources of rewrites; a class is in the file with its name. */
const sources = new Map(
  ['core/front', 'core/decompose']
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true }).sort().map((name) => `${folder}/${name}`))
    .map((path) => [basename(path), path]),
);

/** Internal op → the file of the Decomposition that replaces it. */
const rewrites = new Map(
  tables.transforms.flatMap(({ name, replaces }) => {
    const file = sources.get(`${name}.cpp`);
    if (!file && replaces.length) throw new Error(`no file is named as the class ${name}`);
    return replaces.map((op) => [op, file]);
  }),
);

const rewrittenBy = (file) => `by [${basename(file, '.cpp')}](../${file})`;

/** How an operator with a row is read. */
export function how({ ops, function: extractor, refusal }) {
  if (refusal) return 'refused';
  if (!ops) return "by ONNX's own definition";
  const files = new Set(ops.map((op) => rewrites.get(op)));
  if (files.has(undefined)) return extractor ? `by \`${extractor}\`` : `as \`${ops[0]}\``;
  return [...files].map(rewrittenBy).join(', ');
}

/** Operator version → release → what needs it; from the models with the fewest nodes. */
function readRuntimes() {
  const found = new Map();
  for (const path of ['tests/conformance/runtimes.txt', 'tests/numeric/runtimes.txt']) {
    for (const [domain, name, version, nodes, release, needs] of lines(path)) {
      const key = `${domain} ${name} ${version}`;
      const entry = found.get(key);
      if (!entry || Number(nodes) < entry.nodes) found.set(key, { nodes: Number(nodes), releases: new Map() });
      else if (Number(nodes) > entry.nodes) continue;
      const { releases } = found.get(key);
      releases.set(release, new Set([...(releases.get(release) ?? []), ...needs.split(' ').filter(Boolean)]));
    }
  }
  return found;
}

/** Every operator: its row of operators.def, and its versions; none if ONNX never released it. */
function readOperators() {
  const schemas = by(JSON.parse(read('third_party/onnx/schemas.json')).operators, ({ domain, name }) => `${domainName(domain)} ${name}`);
  const known = new Map(
    tables.operators.filter(({ framework }) => framework === 'onnx').map((row) => [`${domainName(row.domain)} ${row.name}`, row]),
  );
  for (const [key, [{ name, domain, functions }]] of schemas) {
    if (known.has(key)) continue;
    if (!functions && !schemas.get(key).some((schema) => schema.functions)) throw new Error(`operators.def tells nothing of ${key}: it needs a row, ONNX_REFUSED with the reason if it is not read`);
    known.set(key, { name, domain });
  }
  return sortedBy([...known].map(([key, row]) => ({
    key,
    name: row.name,
    domain: domainName(row.domain),
    row,
    isRead: !row.refusal,
    isOnnx: schemas.has(key),
    versions: (schemas.get(key) ?? [{ since: 1, deprecated: false }]).map(({ since, deprecated }) => ({ since, deprecated })),
  })), ({ name }) => name.toLowerCase());
}

const operators = readOperators();
const runtimes = readRuntimes();

/** [lowest runtime, note] of one version. */
function runtimeOf(operator, { since }) {
  const key = `${operator.key} ${since}`;
  if (!operator.isRead) return ['–', escape(operator.row.refusal)];
  if (refusedVersions.has(key)) return ['–', refusedVersions.get(key)];
  const entry = runtimes.get(key);
  if (!entry) throw new Error(`nothing tells the lowest runtime of ${key}: it needs a numeric test, and a row in tests/numeric/runtimes.txt: CONTRIBUTING.md, "the lowest runtime"`);
  const [[lowest], ...later] = sortedBy([...entry.releases], ([release]) => release);
  const first = entry.releases.get(lowest);
  const names = (needs) => (needs.size ? ` with ${[...needs].sort().map((need) => `\`${need}\``).join(', ')}` : ' for some forms');
  return [lowest, [...(lowest === OLDEST || !first.size ? [] : [`needs${names(first).slice(5)}`]), ...later.map(([release, needs]) => release + names(needs))].join('; ')];
}

/** One row for versions of an operator with the same treatment. */
function rowsOf(operator) {
  const groups = by(operator.versions, (version) => runtimeOf(operator, version).join('\n'));
  return [...groups].map(([text, versions]) => {
    const [runtime, note] = text.split('\n');
    const notes = [...(operator.isOnnx || operator.domain !== 'ai.onnx' ? [] : ['never released by ONNX']), ...(note ? [note] : [])];
    return [
      `\`${operator.name}\``,
      versions.map(({ since, deprecated }) => since + (deprecated ? '†' : '')).join(', '),
      runtime === '–' ? 'refused' : how(operator.row),
      runtime,
      notes.join('; '),
    ];
  });
}

const domains = sortedBy([...by(operators, ({ domain }) => domain)], ([domain]) => domain);

export const operatorTables = () =>
  domains.map(([domain, list]) => `## ${domain}\n\n${table(['operator', 'versions', 'how', 'lowest runtime', 'note'], list.flatMap(rowsOf))}`).join('\n\n');

const versionsOf = (list) => list.flatMap((operator) => operator.versions.filter(({ since }) => operator.isRead && !refusedVersions.has(`${operator.key} ${since}`)));
const ofOnnx = operators.filter(({ isOnnx }) => isOnnx);
const readOfOnnx = ofOnnx.filter(({ isRead }) => isRead);

function counts() {
  const all = ofOnnx.flatMap(({ versions }) => versions).length;
  const pairs = readOfOnnx.flatMap((operator) => operator.versions.map((version) => [operator, version]));
  const oldest = pairs.filter((pair) => runtimeOf(...pair)[0] === OLDEST).length;
  return { all, oldest, read: thousands(versionsOf(ofOnnx).length), refused: ofOnnx.length - readOfOnnx.length };
}

export function operatorCounts() {
  const { all, oldest, read, refused } = counts();
  return `Of ONNX's ${ofOnnx.length} operators ${readOfOnnx.length} are read, in ${read} of ${all} versions; ${refused} are refused, each with its reason. OpenVINO ${OLDEST} reads the result of ${oldest} of these versions in their usual forms.`;
}

export function chineseOperatorCounts() {
  const { all, oldest, read, refused } = counts();
  return `ONNX 的 ${ofOnnx.length} 个算子中读取 ${readOfOnnx.length} 个，${all} 个版本中读取 ${read} 个；拒绝 ${refused} 个，并各自说明原因。其中 ${oldest} 个版本的常用形式，OpenVINO ${OLDEST} 即可读取结果。`;
}

export function operatorSentence() {
  const count = ([domain, list]) => `${list.filter(({ isRead, isOnnx }) => isRead && isOnnx).length} of ${list.filter(({ isOnnx }) => isOnnx).length} of ${domain}`;
  const others = operators.filter(({ isRead, domain }) => isRead && domain === 'com.microsoft').length;
  const parts = domains.filter(([, list]) => list.some(({ isOnnx }) => isOnnx)).map(count);
  return `${readOfOnnx.length} of ONNX's ${ofOnnx.length} operators (${parts.join(', ')}), and ${others} of ONNX Runtime's own, com.microsoft:\n[how each version is read, and by which runtime](docs/operators.md).`;
}
