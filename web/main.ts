/** The page: takes a model, converts it in a worker, and shows the result. */
import { convert, FORMATS, MoError, prepare, updateConfig, type ExtensionRoot, type Message, type FileWithPath } from '@mo/wasm';

import { baseName, choose, onlySide, withMore, type Chosen } from './chosen.js';
import { byId, copyFrom, fill, h } from './dom.js';
import { forgetResult, showDone } from './done.js';
import { readRoots, showExtensions, sortFiles } from './extensions.js';
import { acceptDrops, filesWithPaths } from './drop.js';
import { missingFiles, showFailed } from './failed.js';
import { pageMessage } from './messages.js';
import { commandLine, readOptions } from './options.js';
import { countText } from './text.js';
import { WorkingView } from './working.js';

type Section = 'empty' | 'working' | 'done' | 'failed';

const form = byId<HTMLFormElement>('options');
const working = new WorkingView(say);
let chosen: Chosen | undefined;
const FORMATS_READ = FORMATS.filter(({ reads }) => reads).map(({ title, endings }) => `${title} (${endings.join(' ')})`).join(', ');

let running: AbortController | undefined;
let lacksFiles = false;
let extensions: readonly ExtensionRoot[] = [];

/** Takes files: a new model, missing side files, extensions, or a configuration. */
async function take(all: readonly FileWithPath[]): Promise<void> {
  const { modules: brought, config, model: files } = sortFiles(all);
  if (brought.length > 0) setExtensions(await readRoots(brought));
  if (config) field('transformations_config').value = await config.file.text();
  if (files.length === 0) return brought.length > 0 || config ? again() : undefined;
  const model = chosen && lacksFiles && onlySide(files) ? withMore(chosen, files) : choose(files);
  if (model) void run(model);
  else fail('No model', [pageMessage('MO6005', `none of these files is a model of a format that is read here: ${FORMATS_READ}`, 'bring the model file together with its data files')]);
}

/** Converts again after a change of extensions or configuration. */
function again(): void {
  showCommand();
  if (chosen) void run(chosen);
  else say('Now bring a model.');
}

/** Adds inputs and outputs of the sub-graphs to the configuration from the model, and converts with it. */
async function completeConfig(): Promise<void> {
  if (!chosen) return;
  const config = field('transformations_config');
  try {
    config.value = await updateConfig({ main: chosen.main, files: chosen.side }, config.value);
    again();
  } catch (error) {
    fail(baseName(chosen.main.path), messagesOf(error));
  }
}

function setExtensions(next: readonly ExtensionRoot[]): void {
  extensions = next;
  showExtensions(next, () => {
    setExtensions([]);
    showCommand();
  });
}

function field(name: string): HTMLInputElement {
  return form.elements.namedItem(name) as HTMLInputElement;
}

async function run(model: Chosen): Promise<void> {
  running?.abort();
  const control = new AbortController();
  const stale = () => running !== control;
  const file = baseName(model.main.path);
  const start = performance.now();
  running = control;
  chosen = model;
  lacksFiles = false;
  working.start(file);
  show('working');
  showCommand();
  try {
    const result = await convert({ main: model.main, files: model.side }, { ...readOptions(form), extensions }, {
      signal: control.signal,
      onProgress: (progress) => stale() || working.show(progress),
    });
    if (stale()) return;
    showDone(byId('done'), file, result, performance.now() - start);
    show('done');
    say(`${file} is converted. ${result.report.name}.xml and ${result.report.name}.bin can be saved.`);
  } catch (error) {
    if (stale()) return;
    fail(file, messagesOf(error));
  }
}

function messagesOf(error: unknown): readonly Message[] {
  return error instanceof MoError ? error.messages : [pageMessage('MO7004', String(error), 'load the page again')];
}

function cancel(): void {
  if (byId('working').hidden) return;
  running?.abort();
  running = undefined;
  show('empty');
  say('Cancelled.');
  loadAhead();
}

function fail(file: string, messages: readonly Message[]): void {
  lacksFiles = missingFiles(messages).length > 0;
  showFailed(byId('failed'), file, messages, () => byId('files').click(), () => void completeConfig());
  show('failed');
  const [first] = messages;
  byId('alert').textContent = `${countText(messages.length, 'message')}. ${first?.code} ${first?.text}`;
}

function show(section: Section): void {
  for (const name of ['empty', 'working', 'done', 'failed'] as const) byId(name).hidden = name !== section;
  if (section !== 'working') working.stop();
  if (section !== 'done') forgetResult();
  byId('alert').textContent = '';
  byId('next').hidden = section === 'empty' || section === 'working';
  byId('again').hidden = !chosen || section === 'working';
  byId(`${section}-title`).focus();
}

function say(text: string): void {
  byId('status').textContent = text;
}

function showCommand(): void {
  const words = commandLine(chosen ? baseName(chosen.main.path) : 'model.onnx', readOptions(form), extensions.map(({ name }) => name));
  fill(byId('command'), ...words.flatMap((word, index) => [index > 0 && ' ', h('span', {}, word)]));
}

/** Errors here are ignored: the next conversion reports them. */
function loadAhead(): void {
  prepare().catch(() => undefined);
}

for (const kind of ['files', 'folder'] as const) {
  const input = byId<HTMLInputElement>(kind);
  for (const choice of document.querySelectorAll<HTMLButtonElement>(`[data-choose=${kind}]`)) {
    choice.hidden = kind === 'folder' && !('webkitdirectory' in input);
    choice.addEventListener('click', () => input.click());
  }
  input.addEventListener('change', () => {
    const files = filesWithPaths(input.files ?? []);
    input.value = '';
    void take(files);
  });
}
acceptDrops(byId('overlay'), (files) => void take(files));
form.addEventListener('input', showCommand);
form.addEventListener('submit', (event) => {
  event.preventDefault();
  if (chosen) void run(chosen);
});
byId('cancel').addEventListener('click', cancel);
addEventListener('keydown', (event) => event.key === 'Escape' && cancel());
byId('copy-command').addEventListener('click', () => void copyFrom(byId('command'), byId('copy-command')));
showCommand();
loadAhead();
