// Converts every ONNX backend case with the native binary, with the one built with sanitizers, and with the WebAssembly
// build in Node. All three must give the same bytes or the same messages, without crashes, hangs or sanitizer reports.
//
//   node same-on-hosts.mjs DATA [FILTER]
//
// DATA is the folder of cases of the installed onnx package; FILTER a regular expression on suite/name. The native
// conversions run in separate processes, those in Node one after another in the same core, as on a page that stays open.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { startCore } = await import(join(root, 'dist/library/shared/core.js'));
const { openModel } = await import(join(root, 'dist/library/node/open-model.js'));
const { Writer } = await import(join(root, 'dist/library/node/writer.js'));
const { XmlDraft } = await import(join(root, 'dist/library/node/xml-draft.js'));
const { messagesOf } = await import(join(root, 'dist/library/shared/messages.js'));
const { Plan } = await import(join(root, 'dist/library/node/plan.js'));

const SUITES = ['node', 'simple', 'pytorch-converted', 'pytorch-operator'];
const OPTIONS = [['compress_to_fp16', 'False'], ['model_name', 'm']];
const LIMIT = 60_000;

const [data, filter = ''] = process.argv.slice(2);
const cases = SUITES.flatMap((suite) => readdirSync(join(data, suite)).sort().map((name) => join(suite, name)))
  .filter((name) => new RegExp(filter).test(name) && existsSync(join(data, name, 'model.onnx')));
const scratch = mkdtempSync(join(tmpdir(), 'mo-hosts-'));

/** The result of a conversion: the pair, if it is written, and the messages. */
function outcomeIn(folder, said) {
  const read = (name) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name)) : null);
  return { xml: read('m.xml'), bin: read('m.bin'), said };
}

function natively(preset, name) {
  const folder = join(scratch, preset, name);
  mkdirSync(folder, { recursive: true });
  return new Promise((resolve) => {
    const options = OPTIONS.flatMap(([option, value]) => [`--${option}`, value]);
    const child = spawn(join(root, 'build', preset, 'mo'), [join(data, name, 'model.onnx'), '--output_dir', folder, ...options],
      { stdio: ['ignore', 'ignore', 'pipe'], timeout: LIMIT });
    let said = '';
    child.stderr.on('data', (text) => (said += text));
    child.on('close', (code, signal) => {
      const failed = signal ?? (code > 1 || /Sanitizer|runtime error:/.test(said) ? `exit ${code}\n${said}` : '');
      resolve({ ...outcomeIn(folder, said), failed });
    });
  });
}

const core = await startCore(new WebAssembly.Module(readFileSync(join(root, 'dist/library/shared/core.wasm'))));

async function inWebAssembly(name) {
  const folder = join(scratch, 'wasm', name);
  mkdirSync(folder, { recursive: true });
  const words = (messages) => messages.map((message) => `${core.formatMessage(message)}\n`).join('');
  const xml = new XmlDraft(folder, 'm');
  try {
    const { files, main } = openModel(core, join(data, name, 'model.onnx'));
    const outcome = core.convert(files, main, OPTIONS, () => {}, undefined, xml.add);
    if (!outcome.ok) return outcomeIn(folder, words(outcome.messages));
    await new Writer(core, files, new Plan(core, files, outcome)).savePair(xml);
    return outcomeIn(folder, words(outcome.messages));
  } catch (error) {
    return outcomeIn(folder, words(messagesOf(error)));
  } finally {
    xml.discard();
  }
}

const same = (a, b) => a === b || (a !== null && b !== null && a.equals(b));

function difference(native, other, host) {
  if (other.failed) return `${host}: ${other.failed}`;
  if (native.said !== other.said) return `${host} says\n${other.said}instead of\n${native.said}`;
  if (!same(native.xml, other.xml)) return `${host} writes another .xml`;
  return same(native.bin, other.bin) ? '' : `${host} writes another .bin`;
}

async function compare(name) {
  const [native, sanitized] = [await natively('native', name), await natively('asan', name)];
  const problems = native.failed ? [`native: ${native.failed}`] : [];
  problems.push(difference(native, sanitized, 'asan'), difference(native, await inWebAssembly(name), 'wasm'));
  for (const preset of ['native', 'asan', 'wasm']) rmSync(join(scratch, preset, name), { recursive: true, force: true });
  return problems.filter(Boolean);
}

let next = 0, failed = 0;
async function lane() {
  while (next < cases.length) {
    const name = cases[next++];
    const problems = await compare(name);
    if (problems.length > 0) console.log(`  ${name}: ${problems.join('; ')}`), failed++;
  }
}
await Promise.all(Array.from({ length: availableParallelism() }, lane));
rmSync(scratch, { recursive: true });
console.log(`the same on three hosts:\n${cases.length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 || cases.length === 0 ? 1 : 0;
